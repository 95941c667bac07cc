"""The resources that the package holds: WordNet, function words, nonbreaking prefixes."""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np

from cocarde._native import WordNet
from cocarde.errors import InputError, MissingExtraError, OptionError
from cocarde.resources.base import REINSTALL, Resource, checksums, data_file

__all__ = [
    "LANGUAGES",
    "NonbreakingPrefixes",
    "describe_embedded",
    "function_words",
    "language_name",
    "nonbreaking_prefixes",
    "wordnet",
]

_WORDNET = "wordnet.bin"
_NUMERIC_ONLY = "#NUMERIC_ONLY#"

#: METEOR's languages: what it calls each by the code, and in full.
LANGUAGES = {
    "ar-bw-red": "arabic-buckwalter-reduced",
    "cs": "czech",
    "cz": "czech",
    "da": "danish",
    "de": "german",
    "en": "english",
    "es": "spanish",
    "fi": "finnish",
    "fr": "french",
    "hu": "hungarian",
    "it": "italian",
    "nl": "dutch",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "se": "swedish",
    "sv": "swedish",
    "tr": "turkish",
    "xx": "other",
}


class NonbreakingPrefixes(NamedTuple):
    """Words that keep a period: wherever they stand, or only before a number."""

    always: frozenset[str]
    before_numbers: frozenset[str]


@cache
def wordnet() -> WordNet:
    """Return WordNet 3.0 as METEOR 1.5 and NLTK look words up in it.

    The table is mapped into memory, once a process.

    Raises
    ------
    InputError
        If the file is damaged.
    MissingExtraError
        If the installation lacks it.

    Examples
    --------
    >>> from cocarde.resources import wordnet
    >>> cars, autos = (set(wordnet().meteor_synsets(word)) for word in ("cars", "autos"))
    >>> cars & autos
    {2958343}
    >>> sorted(wordnet().nltk_related("autos"))
    ['auto', 'automobile', 'car', 'machine', 'motorcar']
    """
    path = data_file(_WORDNET)
    try:
        with path.open("rb") as file:
            # An empty file cannot be mapped; the table says what is wrong with it.
            whole = path.stat().st_size > 0
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if whole else b""
        return WordNet(np.frombuffer(mapped, dtype=np.uint8))
    except ValueError as error:
        raise InputError(
            f"the WordNet table cannot be used: {error}; {REINSTALL}", path=str(path)
        ) from None


def language_name(language: str) -> str:
    """Return the full name of one of METEOR's languages.

    Parameters
    ----------
    language : str
        A code or a full name, in upper or lower case: ``"en"``, ``"English"``.

    Raises
    ------
    OptionError
        If METEOR does not know it.

    Examples
    --------
    >>> language_name("cs")
    'czech'
    """
    lowered = language.lower()
    name = LANGUAGES.get(lowered, lowered)
    if name not in LANGUAGES.values():
        raise OptionError(
            f"METEOR knows no language {language!r}; it knows {', '.join(sorted(LANGUAGES))}"
        )
    return name


@cache
def function_words(language: str) -> frozenset[str]:
    """Return METEOR's function words of a language; none where METEOR has no list.

    Parameters
    ----------
    language : str
        As `language_name` takes it.

    Raises
    ------
    OptionError
        If METEOR does not know the language.

    Examples
    --------
    >>> "the" in function_words("en")
    True
    >>> function_words("it")
    frozenset()
    """
    return frozenset(_lines("function_words", language))


@cache
def nonbreaking_prefixes(language: str) -> NonbreakingPrefixes:
    """Return the words that METEOR's normaliser leaves a period at; none where it has no list.

    Parameters
    ----------
    language : str
        As `language_name` takes it.

    Raises
    ------
    OptionError
        If METEOR does not know the language.

    Examples
    --------
    >>> sorted(nonbreaking_prefixes("en").before_numbers)
    ['Art', 'No', 'pp']
    """
    numeric: dict[str, bool] = {}  # of two lines with one word, the later stands
    for line in _lines("prefixes", language):
        prefix, _, mark = line.partition(" ")
        numeric[prefix] = mark == _NUMERIC_ONLY
    return NonbreakingPrefixes(
        frozenset(prefix for prefix, only in numeric.items() if not only),
        frozenset(prefix for prefix, only in numeric.items() if only),
    )


def _lines(folder: str, language: str) -> list[str]:
    """Return the lines of a language's list, none if it has no list."""
    name = f"{folder}/{language_name(language)}.txt"
    if name not in checksums():
        return []
    return data_file(name).read_text(encoding="utf-8").splitlines()


_KINDS = {
    "function_words": (
        "METEOR: words that weigh less",
        "METEOR 1.5 (Carnegie Mellon University)",
    ),
    "prefixes": (
        "METEOR: words after which a period is no full stop",
        "Moses (revision 3881), as METEOR 1.5 has it",
    ),
}


def describe_embedded() -> Iterator[Resource]:
    """Describe the data files of the package."""
    yield _described(
        _WORDNET,
        "wordnet",
        "METEOR: synonyms",
        "WordNet 3.0 (Princeton University)",
        "WordNet 3.0",
    )
    for name in checksums():
        folder, _, file = name.partition("/")
        if folder in _KINDS:
            title = f"{folder.replace('_', '-')}/{file.removesuffix('.txt')}"
            yield _described(name, title, *_KINDS[folder], "LGPL-2.1")


def _described(file: str, name: str, purpose: str, origin: str, licence: str) -> Resource:
    try:
        path = data_file(file)
        size = path.stat().st_size
    except MissingExtraError:
        path, size = None, 0
    return Resource(name, purpose, origin, licence, path, size, checksums()[file], REINSTALL)
