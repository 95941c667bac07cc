"""What METEOR 1.5 does to a line with -norm, as a handful of substitutions one after the other.

Written from what the jar does; it shares nothing with the native tokenizers, which need one pass. The
substitutions take the neighbours of what they look for, so that what one match took cannot stand before
the next: that is part of the behaviour.
"""

from __future__ import annotations

import re
import zipfile
from functools import cache
from itertools import pairwise

from tests import meteor_peer

LANGUAGES = {
    "en": "english",
    "fr": "french",
    "es": "spanish",
    "de": "german",
    "cz": "czech",
    "ru": "russian",
}

_L = "A-Za-zÀ-ÖØ-öø-ž\u0400-\u0527\ua640-\ua66e\ua67e-\ua697\u1d00-\u1d7f"  # letters
_W = f"{_L}0-9"
_JAVA_SPACE = r" \t\n\v\f\r"
_ERASED_SPACE = "[\u00a0\u2000-\u200a\u202f\u205f\u3000]"
_DELIMITERS = re.compile(r"[ \t\n\r\f]+")

# Every apostrophe rule: left neighbour, right neighbour, what comes between.
_CONTRACTIONS = {
    "en": [
        (f"[^{_L}]", f"[^{_L}]", " ' "),
        (f"[^{_W}]", f"[{_L}]", " ' "),
        (f"[{_L}]", f"[^{_L}]", " ' "),
        (f"[{_L}]", f"[{_L}]", " '"),
        ("[0-9]", "s", " '"),
    ],
    "fr": [
        (f"[^{_L}]", f"[^{_L}]", " ' "),
        (f"[^{_L}]", f"[{_L}]", " ' "),
        (f"[{_L}]", f"[^{_L}]", " ' "),
        (f"[{_L}]", f"[{_L}]", "' "),
    ],
}


@cache
def _prefixes(language: str) -> dict[str, bool]:
    """Whether each word keeps its period before a number alone."""
    with zipfile.ZipFile(meteor_peer.jar()) as jar:
        text = jar.read(f"nonbreaking/{LANGUAGES[language]}.prefixes").decode("utf-8")
    entries = [line.split() for line in text.splitlines()]
    return {
        entry[0]: entry[1:2] == ["#NUMERIC_ONLY#"]
        for entry in entries
        if entry and not entry[0].startswith("#")
    }


def split(line: str) -> list[str]:
    """Return what Java's StringTokenizer returns."""
    return [word for word in _DELIMITERS.split(line) if word]


def _between(line: str, left: str, sought: str, right: str, replacement: str) -> str:
    return re.sub(f"({left}){sought}({right})", rf"\g<1>{replacement}\g<2>", line)


def _hide_dots(line: str) -> str:
    line = re.sub(r"\.(\.+)", r" DOTMULTI\1", line)
    while "DOTMULTI." in line:
        line = re.sub(r"DOTMULTI\.([^.])", r"DOTDOTMULTI \1", line)
        line = line.replace("DOTMULTI.", "DOTDOTMULTI")
    return line


def _show_dots(line: str) -> str:
    while "DOTDOTMULTI" in line:
        line = line.replace("DOTDOTMULTI", "DOTMULTI.")
    return line.replace("DOTMULTI", ".")


def _last_period(word: str, following: str, prefixes: dict[str, bool]) -> str:
    stem = word[:-1]
    if not stem or not word.endswith("."):
        return word
    if "." in stem and re.search(f"[{_L}]", stem):
        return word.replace(".", "")
    keeps = re.match("[a-z]", following) or prefixes.get(stem) is False
    if keeps or (stem in prefixes and re.match("[0-9]", following)):
        return word
    return f"{stem} ."


def normalise(line: str, language: str, *, punctuation: bool = True) -> str:
    """Return the line that METEOR's normaliser returns."""
    line = f" {line} "
    line = re.sub(rf"[^{_W}{_JAVA_SPACE}.'`,\-‘’]", lambda found: f" {found[0]} ", line)
    line = _hide_dots(line)
    for left, right in (("[^0-9]", "[^0-9]"), ("[0-9]", "[^0-9]"), ("[^0-9]", "[0-9]")):
        line = _between(line, left, ",", right, " , ")
    line = re.sub("[`‘’]", "'", line)
    line = re.sub("[“”]|''", ' " ', line)
    line = line.replace("–", "-").replace("--", "-")
    line = _between(line, f"[{_W}.]", "-", f"[{_W}]", " ")
    if language in _CONTRACTIONS:
        for left, right, replacement in _CONTRACTIONS[language]:
            line = _between(line, left, "'", right, replacement)
    else:
        line = line.replace("'", " ' ")
    words = split(line)
    prefixes = _prefixes(language)
    line = "".join(
        _last_period(word, following, prefixes) + " " for word, following in pairwise([*words, ""])
    )
    line = _show_dots(line)
    if not punctuation:
        line = re.sub(f"[^{_W}]", " ", line)
    line = re.sub(f"(?:{_ERASED_SPACE}| )+", " ", line)
    return line.strip("".join(map(chr, range(0x21))))
