"""What holds for every text, whatever the tokenizer."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cocarde import tokenizers

ANY_TEXT = st.one_of(
    st.text(st.characters(codec=None), max_size=200),
    st.text(st.sampled_from("ab1.,-'\n\t é中«٣€\x1c\x85\u2028"), max_size=200),
)
# Those that decode no entities: every character ends up in a token, in order.
KEEPING = ["intl", "zh", "char", "none"]


@pytest.mark.parametrize("name", KEEPING)
@given(text=ANY_TEXT)
def test_only_white_space_is_lost(name: str, text: str) -> None:
    assert "".join(tokenizers.get(name)(text)) == "".join(text.split())


@pytest.mark.parametrize("name", ["13a", "intl", "zh", "char", "none"])
@given(text=ANY_TEXT)
def test_no_token_is_empty_or_has_white_space(name: str, text: str) -> None:
    assert all(token and token.split() == [token] for token in tokenizers.get(name)(text))


@given(text=ANY_TEXT)
def test_plain_definitions(text: str) -> None:
    assert tokenizers.get("none")(text) == text.split()
    assert tokenizers.get("char")(text) == [c for c in text if not c.isspace()]
    assert tokenizers.get("multi-bleu")(text) == [w for w in re.split(r"[\t-\r ]+", text) if w]


@pytest.mark.parametrize("name", ["13a", "mteval-v13a", "none", "char", "multi-bleu"])
@settings(max_examples=300)
@given(text=ANY_TEXT, shift=st.integers(0, 140), word=st.sampled_from(["w", "é", "中", "word"]))
def test_the_place_in_the_text_does_not_matter(name: str, text: str, shift: int, word: str) -> None:
    """The native code looks at blocks of 64 bytes; what falls where must not show."""
    tokenizer = tokenizers.get(name)
    before = f"{word} " * shift
    assert tokenizer(before + text + f" {word}") == [
        *tokenizer(before),
        *tokenizer(text),
        *tokenizer(word),
    ]


@given(text=ANY_TEXT, shift=st.integers(0, 140))
def test_a_long_token_stays_one(text: str, shift: int) -> None:
    word = "x" * shift + "".join(text.split())
    assert tokenizers.get("none")(word) == ([word] if word else [])


@pytest.mark.parametrize("name", ["13a", "mteval-v13a"])
@given(text=ANY_TEXT)
def test_tokenizing_twice_changes_nothing(name: str, text: str) -> None:
    """Of text without entities. A mark that a digit follows stays only because of what it was
    glued to, so such text is left out."""
    tokenizer = tokenizers.get(name)
    if re.search(r"[.,]\d|[&<\x1c-\x1f]", text):
        return
    once = tokenizer(text)
    assert tokenizer(" ".join(once)) == once


@pytest.mark.parametrize("name", [n for n, d in tokenizers.describe().items() if d.extra is None])
def test_very_long_lines(name: str) -> None:
    text = "word, 1,5 é中&amp; " * 100_000
    assert len(tokenizers.get(name)(text)) >= 300_000
