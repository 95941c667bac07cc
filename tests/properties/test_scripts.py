"""What is asked about the letters of texts, against a definition in plain Python."""

from __future__ import annotations

import unicodedata
from collections import Counter
from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cocarde import _native

# Letters and digits of scripts with and without blanks between words, blanks, and what is neither.
CHARACTERS = "aZ7 \t\n.-\u3000éßж中𠀀あアกລ٣—“😀\u0301"
# How many of these a word has at most, on the average.
LONGEST_WORD = {"中": 3, "𠀀": 3, "あ": 3, "ア": 6, "ก": 8, "ລ": 8}
TEXTS = st.lists(
    st.one_of(
        st.text(CHARACTERS, max_size=8),
        st.text(CHARACTERS, min_size=1, max_size=3).map(lambda piece: piece * 300),
        st.sampled_from(["a" * 254 + "é" * 255, "é" * 256 + "a" * 255, " a" * 300, "中" * 700]),
    ),
    max_size=3,
).map("".join)


def _others(text: str) -> int:
    return sum(c >= "\x80" and unicodedata.category(c)[0] in "LN" for c in text)


def _mostly_others(text: str) -> bool:
    return _others(text) > sum("a" <= c.lower() <= "z" for c in text if c < "\x80")


def _lacks_spaces(text: str) -> bool:
    blanks = [c <= " " or c == "\u3000" for c in text]
    pieces = sum(
        before and not blank for before, blank in zip([True, *blanks], blanks, strict=False)
    )
    return sum(Fraction(1, LONGEST_WORD[c]) for c in text if c in LONGEST_WORD) > pieces


@given(TEXTS)
def test_letters_are_counted_as_defined(text: str) -> None:
    """However long a text is, and wherever its letters stand."""
    column, other = (_native.Column.of_texts([one], "none", "no", False) for one in (text, "a"))
    scripts = ["han", "rare-han", "kana", "unspaced"]
    options = _native.DiagnosticOptions([], False, True, True, scripts, False, False)
    for sides in ((column, other), (other, column)):
        found = _native.diagnose(*sides, np.array([0, 1]), np.ones((1, 1)), options, 1)
        counts = Counter(found[0] if found is not None else {})
        assert counts["dropped"] == _mostly_others(text)
        undivided = ("undivided_han", "undivided_kana", "undivided_unspaced")
        assert sum(counts[name] for name in undivided) == _lacks_spaces(text)


@given(st.lists(st.one_of(st.text(max_size=2), st.integers(), st.none()), max_size=40))
def test_all_texts(items: list[object]) -> None:
    """Wherever the item stands that is none."""
    assert _native.all_texts(items) == all(isinstance(item, str) for item in items)
