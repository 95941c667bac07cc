"""The Snowball stemmers that METEOR uses, as its jar has them; PyStemmer's native code beneath.

METEOR 1.5 brings Snowball's Java classes of about 2010. PyStemmer 2.2 brings Snowball 2.2, in which
a few rules of seven languages have changed since, and one counts bytes. Here words that such a rule
could touch are disguised before they are stemmed, so that the new rules do to them what the old ones
did, or are corrected after it. Each correction says what it undoes. Snowball 3 changed English too
("added", "-ologist"), which is why PyStemmer stays below 3.

Words are stemmed as they are: METEOR keeps their case, and Snowball knows lower-case letters alone.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from cocarde.errors import OptionError
from cocarde.stemmers.base import Stemmer

__all__ = ["LANGUAGES", "SnowballStemmer", "stem_words"]

LANGUAGES: Mapping[str, str] = {
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
    "sv": "swedish",
    "tr": "turkish",
}
"""Snowball's name of each language, by its ISO 639-1 code."""


class _PyStemmer(Protocol):
    """What is used of PyStemmer's class."""

    def stemWord(self, word: str, /) -> str: ...  # noqa: N802

    def stemWords(self, words: list[str], /) -> list[str]: ...  # noqa: N802


Stem = Callable[[str], str]

# --------------------------------------------------------------------------------------------------
# Letters in disguise
#
# A disguise changes letters one for one. Snowball shortens words at their end, and what it puts there
# is never a letter of disguise; so the letters of disguise that are left are the first ones.


def _unmask(stem: str, masks: str, originals: str) -> str:
    """Put back the letters behind masks: the k-th letter that looks like a mask is the k-th original."""
    letters = iter(originals)
    return "".join(next(letters) if letter in masks else letter for letter in stem)


# A letter that no rule knows.
_NEUTRAL = "\U000f1000"

# --------------------------------------------------------------------------------------------------
# Corrections


_DANISH_VOWELS = "aeiouyæåø"
_DANISH_REGION = re.compile(
    f"[^{_DANISH_VOWELS}]*[{_DANISH_VOWELS}]+[^{_DANISH_VOWELS}]", re.DOTALL
)
# What was undoubled before Snowball 2.0 and since then is not: digits, capitals, signs, foreign letters.
_DANISH_DOUBLE = re.compile(f"([^{_DANISH_VOWELS}bcdfghjklmnpqrstvwxz])\\1", re.DOTALL)


def _danish(stem: Stem, word: str) -> str:
    """Undouble what is no letter too: that was the last step, and is now for consonants alone."""
    stemmed = stem(word)
    region = _DANISH_REGION.match(word)
    if region is None or _DANISH_DOUBLE.fullmatch(stemmed[-2:]) is None:
        return stemmed
    return stemmed[:-1] if len(stemmed) > max(3, region.end()) else stemmed


_DUTCH_ACCENTS = "äëïöüáéíóú"  # which go before letters are counted
_DUTCH_START = re.compile(f"[aeiouyè{_DUTCH_ACCENTS}][^\\x00-\\x7f]|è", re.DOTALL)


def _dutch(stem: Stem, word: str) -> str:
    """Count the three letters before R1 as letters; Snowball 2.2 counts bytes of UTF-8."""
    first = "o" if word[0] == "è" else word[0]
    second = word[1:2]
    if second and not second.isascii() and second != "è" and second not in _DUTCH_ACCENTS:
        second = "q"
    stemmed = stem(first + second + word[2:])
    # Nothing but an accent changes so far to the left; what is shorter lost its end.
    return (
        "".join(
            old if new != old and new == mask else mask
            for mask, new, old in zip(stemmed[:2], first + second, word[:2], strict=False)
        )
        + stemmed[2:]
    )


_FINNISH_CONSONANTS = "bcfgqvwxz"  # those that no suffix has
_FINNISH_RUNS = re.compile(r"(?:([^a-zäö]|d)\1*)|t{2,}(?=en)|s+(?=iin|een)", re.DOTALL)


def _finnish(stem: Stem, word: str) -> str:
    """Take two things back.

    In the jar the endings -den, -tten, -siin and -seen never match, since their conditions are
    called by name on an object that holds no word; -n does instead. And any letter but a vowel was a
    consonant: a capital, å, a digit, a sign.
    """
    pieces: list[str] = []
    end = 0
    for run in _FINNISH_RUNS.finditer(word):
        before = word[end : run.start()]
        pieces.append(before)
        beside = word[run.end() : run.end() + 1] + (before or pieces[-2] if end else before)[-1:]
        mask = next(letter for letter in _FINNISH_CONSONANTS if letter not in beside)
        pieces.append(mask * (run.end() - run.start()))
        end = run.end()
    pieces.append(word[end:])
    masked = "".join(pieces)
    originals = "".join(
        old for new, old in zip(masked, word, strict=True) if new in _FINNISH_CONSONANTS
    )
    return _unmask(stem(masked), _FINNISH_CONSONANTS, originals)


_FRENCH_MASKS = str.maketrans({"ë": "ô", "ï": "û", "H": _NEUTRAL})
_FRENCH_GUE = re.compile(r"(.*)guës?\Z|(.*)guëments?\Z", re.DOTALL)
_FRENCH_VOWELS = "aeiouyâàëéêèïîôûù"


def _french(stem: Stem, word: str) -> str:
    """Take ë and ï for vowels like others, and a capital H for a letter.

    Snowball 2.0 spells the two "He" and "Hi" while it works, and lost the rule that -guë ends in gu.
    """
    originals = "".join(letter for letter in word if letter in "ôûëï")
    stemmed = stem(word.translate(_FRENCH_MASKS))
    restored = _unmask(stemmed, "ôû", originals).replace(_NEUTRAL, "H")
    if restored.endswith("guë") and _FRENCH_GUE.match(word):
        before = len(restored) - 3
        if _french_region(word) <= before:
            return restored[:-1]
    return restored


def _french_region(word: str) -> int:
    """Where RV starts in a word with -guë in it."""
    marked = _french_marked(word)
    if len(word) > 2 and marked[0] in _FRENCH_VOWELS and marked[1] in _FRENCH_VOWELS:
        return 3
    if word.startswith(("par", "col", "tap")):
        return 3
    return next(
        (index + 1 for index in range(1, len(word)) if marked[index] in _FRENCH_VOWELS), len(word)
    )


def _french_marked(word: str) -> str:
    """Write u, i and y in capitals where they are consonants."""
    letters = list(word)
    index = 0
    while index < len(letters):
        this, after = letters[index], letters[index + 1 : index + 2]
        following = letters[index + 2] if index + 2 < len(letters) else ""
        if this in _FRENCH_VOWELS and after:
            if after[0] in "ui" and following and following in _FRENCH_VOWELS:
                letters[index + 1] = after[0].upper()
                index += 2
                continue
            if after[0] == "y":
                letters[index + 1] = "Y"
                index += 2
                continue
        if this == "y" and after and after[0] in _FRENCH_VOWELS:
            letters[index] = "Y"
        elif this == "q" and after == ["u"]:
            letters[index + 1] = "U"
            index += 1
        index += 1
    return "".join(letters)


_GERMAN_NISSE = re.compile(r"ni(?:ss|ß)e[ns]?\Z")


def _german(stem: Stem, word: str) -> str:
    """Keep the second s of -nisse; a rule of December 2009 takes it away."""
    stemmed = stem(word)
    return stemmed + "s" if stemmed.endswith("nis") else stemmed


_HUNGARIAN_SWAP = str.maketrans("őűõû", "õûőű")


def _hungarian(stem: Stem, word: str) -> str:
    """Take õ and û for the letters ő and ű, as the jar does: Latin-1 has the former alone."""
    return stem(word.translate(_HUNGARIAN_SWAP)).translate(_HUNGARIAN_SWAP)


def _portuguese(stem: Stem, word: str) -> str:
    """Take away -ución and -logía, as Spanish has them, instead of -ução and -logia."""
    for ending in ("ução", "uções"):
        if word.endswith(ending):
            # ú is as much of a vowel and stands in no suffix, so that it is always left.
            at = len(word) - len(ending)
            before, _, after = stem(word[:at] + "ú" + word[at + 1 :]).rpartition("ú")
            return f"{before}u{after}"
    for ending in ("logia", "logias"):
        if word.endswith(ending):
            at = len(word) - len(ending)
            return stem(word[:at] + _NEUTRAL + word[at + 1 :]).replace(_NEUTRAL, "l")
    for ending, left in (("ución", "u"), ("uciones", "u"), ("logía", "log"), ("logías", "log")):
        if word.endswith(ending):
            before = word[: len(word) - len(ending)]
            # Whether the suffix is in R2 depends on what is before it alone.
            probe = stem(before + "ução")
            if probe.endswith("u"):
                return probe[:-1] + left
    return stem(word)


def _russian(stem: Stem, word: str) -> str:
    """Leave ё alone; Snowball 2.0 makes it е."""
    return stem(word.replace("ё", _NEUTRAL)).replace(_NEUTRAL, "ё")


@dataclass(frozen=True)
class _Correction:
    """Finds the words that may differ, and stems them right."""

    pattern: re.Pattern[str]
    stem: Callable[[Stem, str], str]
    start: bool = False

    def concerns(self, word: str) -> bool:
        """Say whether the word may differ."""
        return (self.pattern.match(word) if self.start else self.pattern.search(word)) is not None


_CORRECTIONS: Mapping[str, _Correction] = {
    "da": _Correction(_DANISH_DOUBLE, _danish),
    "de": _Correction(_GERMAN_NISSE, _german),
    "fi": _Correction(_FINNISH_RUNS, _finnish),
    "fr": _Correction(re.compile("[ëïH]"), _french),
    "hu": _Correction(re.compile("[őűõû]"), _hungarian),
    "nl": _Correction(_DUTCH_START, _dutch, start=True),
    "pt": _Correction(
        re.compile(r"(?:uç(?:ão|ões)|logias?|uci(?:ón|ones)|logías?)\Z"), _portuguese
    ),
    "ru": _Correction(re.compile("ё"), _russian),
}

# --------------------------------------------------------------------------------------------------
# UTF-16
#
# To Java a letter beyond U+FFFF is two units. No rule knows either, but rules count letters.

_NOT_ONE_UNIT = re.compile("[\ud800-\udfff\U00010000-\U0010ffff]")
_UNITS_AS_LETTERS = {unit: 0xF0000 + unit - 0xD800 for unit in range(0xD800, 0xE000)}
_LETTERS_AS_UNITS = {letter: unit for unit, letter in _UNITS_AS_LETTERS.items()}


def _split_units(word: str) -> str:
    units = word.encode("utf-16-le", "surrogatepass")
    pairs = zip(units[::2], units[1::2], strict=True)
    return "".join(chr(low | high << 8) for low, high in pairs).translate(_UNITS_AS_LETTERS)


def _join_units(stem: str) -> str:
    units = stem.translate(_LETTERS_AS_UNITS)
    return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


# --------------------------------------------------------------------------------------------------
# Stemmers

_own = threading.local()


def _pystemmer(language: str) -> _PyStemmer:
    """Return this thread's stemmer of a language: PyStemmer's are not safe to share."""
    stemmers: dict[str, _PyStemmer] = _own.__dict__.setdefault("stemmers", {})
    if language not in stemmers:
        import Stemmer as PyStemmer

        # Its cache, of 10,000 words by default, costs more than it saves on distinct words.
        stemmers[language] = PyStemmer.Stemmer(LANGUAGES[language], 0)
    return stemmers[language]


def _check(language: object) -> str:
    if language == "se":  # METEOR's own name of Swedish
        return "sv"
    if not isinstance(language, str) or language not in LANGUAGES:
        raise OptionError(
            f"language: there is no Snowball stemmer for {language!r}; there are {', '.join(LANGUAGES)}",
            option="language",
            value=language,
            choices=LANGUAGES,
        )
    return language


def stem_words(language: str, words: Iterable[str]) -> list[str]:
    """Return the stem of each word, as METEOR's jar has it.

    Much faster than one word at a time. Safe to call from several threads.

    Parameters
    ----------
    language : str
        One of `LANGUAGES`, or "se", which is METEOR's name of Swedish.
    words : iterable of str
        Any strings: empty ones, lone surrogates and NUL included.

    Returns
    -------
    list of str

    Raises
    ------
    OptionError
        If there is no stemmer for the language.

    Examples
    --------
    >>> stem_words("en", ["walked", "Walking", "argument's"])
    ['walk', 'Walk', 'argument']
    >>> stem_words("de", ["Kenntnisse", "Häuser"])
    ['Kenntniss', 'Haus']
    """
    language = _check(language)
    stemmer = _pystemmer(language)
    given = list(words)
    split: list[int] = []
    if _NOT_ONE_UNIT.search("".join(given)):
        split = [index for index, word in enumerate(given) if _NOT_ONE_UNIT.search(word)]
        for index in split:
            given[index] = _split_units(given[index])
    stems = stemmer.stemWords(given)
    correction = _CORRECTIONS.get(language)
    if correction is not None:
        for index, word in enumerate(given):
            if correction.concerns(word):
                stems[index] = correction.stem(stemmer.stemWord, word)
    for index in split:
        stems[index] = _join_units(stems[index])
    return stems


@dataclass(frozen=True)
class SnowballStemmer(Stemmer):
    """The Snowball stemmer of a language, as METEOR's jar has it.

    It keeps the case of words and knows lower-case letters alone, so that "Walked" is "Walk".

    Parameters
    ----------
    language : str
        One of `LANGUAGES`.

    Raises
    ------
    OptionError
        If there is no stemmer for the language.

    Examples
    --------
    >>> stem = SnowballStemmer("fr")
    >>> [stem(word) for word in ("continuellement", "naïve", "Été")]
    ['continuel', 'naïv', 'Été']
    """

    language: str
    name: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "language", _check(self.language))
        object.__setattr__(self, "name", f"snowball-{self.language}")

    def __call__(self, word: str) -> str:
        """Return the stem of a word."""
        return stem_words(self.language, [word])[0]
