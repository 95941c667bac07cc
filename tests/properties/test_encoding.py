"""Strings reach the native core as Python's own UTF-8, whatever units Python keeps them in."""

from __future__ import annotations

import sys

from hypothesis import given
from hypothesis import strategies as st

from cocarde import _native

# One piece of each width, long enough that stretches of ASCII begin and end everywhere.
PIECES = st.one_of(
    st.text("ab\x00\x7f", max_size=20),
    st.text("\x80é\xff", max_size=3),
    st.text("\u07ff\u0800中\ud800\udfff\uffff", max_size=3),
    st.text("\U00010000\U0010ffff😀", max_size=2),
    st.text(max_size=5),
)


def _through(text: str) -> str:
    """The text as the one token of a text column, there and back."""
    (token,) = _native.Column.of_texts([text], "whole", "no", False).tokens(0)
    assert isinstance(token, str)
    return token


@given(st.lists(PIECES, max_size=8).map("".join))
def test_texts_come_back(text: str) -> None:
    """As one token, and as the tokens of a column that cuts at line feeds."""
    assert _through(text) == text
    column = _native.Column.of_texts([text, text], "none", "no", False)
    assert column.tokens(0) == column.tokens(1) == text.split()


def test_every_code_point() -> None:
    """Alone, and between letters of the widest kind."""
    for start in range(0, sys.maxunicode + 1, 4096):
        points = [chr(code) for code in range(start, start + 4096)]
        for text in ("".join(points), "a".join(points)):
            assert _through(text) == text
