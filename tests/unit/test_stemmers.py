"""The front of the stemmers; what they do to words is in tests/parity/test_stemmers.py."""

from __future__ import annotations

import pickle

import pytest

from cocarde import OptionError, _native, stemmers


@pytest.mark.parametrize("name", stemmers.names())
def test_they_are_values(name: str) -> None:
    stemmer = stemmers.get(name)
    assert stemmer.name == name
    assert stemmers.get(stemmer) is stemmer
    copy = pickle.loads(pickle.dumps(stemmer))
    assert copy == stemmer
    assert hash(copy) == hash(stemmer)
    with pytest.raises(AttributeError):
        stemmer.name = "other"
    assert len({stemmers.get(other) for other in stemmers.names()}) == len(stemmers.names())


def test_names_agree() -> None:
    names = stemmers.names()
    assert list(stemmers.describe()) == names
    assert [
        name for name in names if stemmers.get(name).native is not None
    ] == _native.stemmer_names()
    assert all(line.summary and line.reproduces for line in stemmers.describe().values())


def test_unknown_names() -> None:
    with pytest.raises(OptionError, match=r"no stemmer 'porter_nltk'.*'porter-nltk'"):
        stemmers.get("porter_nltk")
    with pytest.raises(OptionError, match="a name or a Stemmer is needed, not int"):
        stemmers.get(3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no native stemmer is called snowball"):
        _native.stem("snowball", "words")


@pytest.mark.parametrize("name", stemmers.names())
def test_unusual_words(name: str) -> None:
    stem = stemmers.get(name)
    for word in ("", "a", "42", "\x00", "\ud800ed", "é" * 100, "y" * 10_000, "x" * 100_000 + "ing"):
        assert len(stem(word)) <= len(word)


def test_irregular_forms() -> None:
    """The base form may be longer than the word, which no stem is."""
    stem = stemmers.get("rouge-1.5.5")
    assert [stem(word) for word in ("Alumni", "better", "testes", "comics", "walked")] == [
        "alumnus",
        "well",
        "testis",
        "comic_strip",
        "walk",
    ]
