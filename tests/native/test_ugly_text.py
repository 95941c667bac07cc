"""Every native tokenizer on text that tempts code to read past an end; `make sanitize` watches."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cocarde import _native

UGLY = [
    "",
    " ",
    "\u3000",
    "\x00",
    "a\x00b",
    "\ud800",
    "\udfff\ud800 x",
    "\U0010ffff",
    "\u2028\u2029",
    "&",
    "&amp",
    "&quot;",
    "<skipped>",
    "-\n",
    "'",
    "''",
    ".,",
    "1,0.",
    "é" * 7 + " " + "é" * 8,
    "x" * 100_000,
    "．１，２。",
    "\r\n\t\v\f",
]
# Words of one to nine bytes end at every place that the eight-byte loads of a token can end.
UGLY += ["x" * n for n in range(1, 10)]
UGLY += ["日" * n for n in range(1, 5)]


@pytest.mark.parametrize("name", _native.tokenizer_names())
@pytest.mark.parametrize("text", UGLY, ids=lambda text: ascii(text[:12]))
def test_every_token_is_text(name: str, text: str) -> None:
    tokens = _native.tokenize(name, text)
    if name == "single-blank":  # text.split(" "), whose empty strings are tokens
        assert [token for token in tokens if token] == [word for word in text.split(" ") if word]
        return
    if name == "whole":
        assert tokens == [text]
        return
    assert "" not in tokens
    # U+000B is no delimiter of Java's StringTokenizer.
    white = " \t\n\r\f" if name == "meteor-plain" else " \t\n\r\v\f"
    if not text.strip(white):
        assert tokens == []


@given(st.text(st.characters(codec=None)))
def test_none_is_python_split(text: str) -> None:
    assert _native.tokenize("none", text) == text.split()
