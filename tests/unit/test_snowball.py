"""The Snowball stemmers: odd words, threads, names."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cocarde import stemmers
from cocarde.errors import OptionError
from cocarde.stemmers.snowball import LANGUAGES, SnowballStemmer, stem_words


@pytest.mark.parametrize(
    ("language", "word", "stem"),
    [
        ("de", "Kenntnisse", "Kenntniss"),  # not "Kenntnis", as since December 2009
        ("da", "hal9000", "hal900"),
        ("fi", "ideoiden", "ideoid"),
        ("fr", "aiguës", "aiguë"),
        ("fr", "naïve", "naïv"),
        ("fr", "Harnacheront", "Harnach"),
        ("hu", "kötetről", "kötetről"),
        ("nl", "èden", "èden"),
        ("pt", "revoluções", "revoluçõ"),
        ("ru", "ребёнок", "ребёнок"),
    ],
)
def test_rules_that_have_changed_since(language: str, word: str, stem: str) -> None:
    assert stem_words(language, [word]) == [stem]


@pytest.mark.parametrize("language", LANGUAGES)
@settings(max_examples=60)
@given(words=st.lists(st.text(st.characters(exclude_categories=())), max_size=5))
def test_any_strings(language: str, words: list[str]) -> None:
    stems = stem_words(language, words)
    assert [stem_words(language, [word])[0] for word in words] == stems
    for word, stem in zip(words, stems, strict=True):
        assert len(stem) <= len(word) + 2  # "ß" is two letters in a German stem


@pytest.mark.parametrize("language", LANGUAGES)
@given(
    before=st.text("aeinst", max_size=4),
    after=st.text("aeinst", max_size=6),
    unit=st.integers(0xD800, 0xDFFF),
    astral=st.integers(0x10000, 0x10FFFF),
)
def test_surrogates_are_units_like_any_other(
    language: str, before: str, after: str, unit: int, astral: int
) -> None:
    neutral = "字"
    plain, pair, lone = stem_words(
        language,
        [before + neutral + after, before + neutral + "文" + after, before + chr(unit) + after],
    )
    assert lone.replace(chr(unit), neutral) == plain
    letter = chr(astral)
    [stem] = stem_words(language, [before + letter + after])
    assert stem.replace(letter, neutral + "文") == pair


@pytest.mark.parametrize("language", LANGUAGES)
def test_long_words_and_none(language: str) -> None:
    assert stem_words(language, []) == []
    assert stem_words(language, [""]) == [""]
    for letter in ("a", "ë", "H", "ß", "ё", "1", "😀", "\ud800"):
        assert len(stem_words(language, [letter * 100_000])[0]) >= 99_990


def test_by_name_and_from_many_threads() -> None:
    words = [f"walk{letter}ings" for letter in "abcdefghij"] * 500
    expected = {language: stem_words(language, words) for language in LANGUAGES}
    with ThreadPoolExecutor(8) as pool:
        jobs = [(one, pool.submit(stem_words, one, words)) for one in LANGUAGES for _ in range(8)]
        for language, job in jobs:
            assert job.result() == expected[language]
    for language in LANGUAGES:
        stemmer = stemmers.get(f"snowball-{language}")
        assert stemmer == SnowballStemmer(language) == pickle.loads(pickle.dumps(stemmer))
        assert stemmer(words[0]) == expected[language][0]


def test_swedish_by_meteors_name() -> None:
    assert SnowballStemmer("se") == SnowballStemmer("sv")
    assert stem_words("se", ["flickornas"]) == stem_words("sv", ["flickornas"]) == ["flick"]


@pytest.mark.parametrize("language", ["xx", "", "EN", None, 1])
def test_unknown_languages(language: object) -> None:
    with pytest.raises(OptionError, match=r"no Snowball stemmer .* da, de, en"):
        stem_words(language, ["a"])  # type: ignore[arg-type]
