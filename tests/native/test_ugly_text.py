"""Every native tokenizer on text that tempts code to read past an end; `make sanitize` watches."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cocarde import _native
from tests.texts import UGLY_TEXTS


@pytest.mark.parametrize("name", _native.tokenizer_names())
@pytest.mark.parametrize("text", UGLY_TEXTS, ids=lambda text: ascii(text[:12]))
def test_every_token_is_text(name: str, text: str) -> None:
    tokens = _native.tokenize(name, text)
    if name == "single-blank":  # text.split(" "), whose empty strings are tokens
        assert [token for token in tokens if token] == [word for word in text.split(" ") if word]
        return
    if name == "whole":
        assert tokens == [text]
        return
    if name.startswith("tercom-java"):  # Java's split gives one empty string of what is left empty
        assert tokens == [""] or "" not in tokens
        return
    assert "" not in tokens
    # U+000B is no delimiter of Java's StringTokenizer.
    white = " \t\n\r\f" if name == "meteor-plain" else " \t\n\r\v\f"
    if not text.strip(white):
        assert tokens == []


@given(st.text(st.characters(codec=None)))
def test_none_is_python_split(text: str) -> None:
    assert _native.tokenize("none", text) == text.split()
