"""Word segmentation by the letter of UAX #29: one regular expression a side of each rule.

A text becomes a string with one letter for each character's Word_Break class (as the ``regex`` module
knows it), and each rule is tried at each place, in the order of the annex.
"""

from __future__ import annotations

import importlib
import re
from functools import cache, lru_cache
from typing import Any

CLASSES = {
    "CR": "R",
    "LF": "L",
    "Newline": "W",
    "Extend": "e",
    "ZWJ": "z",
    "Format": "f",
    "Regional_Indicator": "I",
    "Katakana": "K",
    "Hebrew_Letter": "h",
    "ALetter": "a",
    "Single_Quote": "s",
    "Double_Quote": "d",
    "MidNumLet": "b",
    "MidLetter": "m",
    "MidNum": "n",
    "Numeric": "N",
    "ExtendNumLet": "x",
    "WSegSpace": "w",
}

# (number, what stands before, what follows, whether there is a boundary); AHLetter is [ah],
# MidNumLetQ is [bs]. WB4 lies between the two lists.
RULES_ON_NEIGHBOURS = [
    ("WB3", "R$", "^L", False),
    ("WB3a", "[RLW]$", "", True),
    ("WB3b", "", "^[RLW]", True),
    ("WB3c", "z$", "^P", False),
    ("WB3d", "w$", "^w", False),
    ("WB4", "", "^[efz]", False),
]
RULES = [
    ("WB5", "[ah]$", "^[ah]", False),
    ("WB6", "[ah]$", "^[mbs][ah]", False),
    ("WB7", "[ah][mbs]$", "^[ah]", False),
    ("WB7a", "h$", "^s", False),
    ("WB7b", "h$", "^dh", False),
    ("WB7c", "hd$", "^h", False),
    ("WB8", "N$", "^N", False),
    ("WB9", "[ah]$", "^N", False),
    ("WB10", "N$", "^[ah]", False),
    ("WB11", "N[nbs]$", "^N", False),
    ("WB12", "N$", "^[nbs]N", False),
    ("WB13", "K$", "^K", False),
    ("WB13a", "[ahNKx]$", "^x", False),
    ("WB13b", "x$", "^[ahNK]", False),
    ("WB15, WB16", "(^|[^I])(II)*I$", "^I", False),
    ("WB999", "", "", True),
]


@lru_cache(maxsize=1)
def _patterns() -> tuple[dict[str, Any], Any]:
    regex = importlib.import_module("regex")
    classes = {letter: regex.compile(rf"\p{{WB={name}}}") for name, letter in CLASSES.items()}
    return classes, regex.compile(r"\p{Extended_Pictographic}")


@cache
def letter_of(character: str) -> str:
    """The letter of a character's class; "o" for the class Other."""
    for letter, pattern in _patterns()[0].items():
        if pattern.match(character):
            return letter
    return "o"


def without_transparent(letters: str) -> str:
    """WB4: X (Extend | Format | ZWJ)* becomes X, unless X is a line break or the start."""
    return re.sub("([^RLW])[efz]+", r"\1", letters)


def segments(text: str) -> list[str]:
    """Every segment of a text."""
    if not text:
        return []
    letters = "".join(map(letter_of, text))
    pictographic = [_patterns()[1].match(character) is not None for character in text]
    cuts = [0]
    for place in range(1, len(text)):
        before, after = letters[:place], letters[place:]
        neighbour = "P" if pictographic[place] and before[-1] == "z" else after
        verdict = _decide(True, before[-1], neighbour[0])
        if verdict is None:
            verdict = _decide(False, without_transparent(before), without_transparent(after))
        if verdict:
            cuts.append(place)
    return [text[a:b] for a, b in zip(cuts, [*cuts[1:], len(text)], strict=True)]


@cache
def _decide(on_neighbours: bool, before: str, after: str) -> bool | None:
    for _, left, right, boundary in RULES_ON_NEIGHBOURS if on_neighbours else RULES:
        if re.search(left, before) and re.search(right, after):
            return boundary
    return None


def words(text: str) -> list[str]:
    """The segments that hold a letter or a number."""
    regex = importlib.import_module("regex")
    return [segment for segment in segments(text) if regex.search(r"[\p{L}\p{N}]", segment)]
