"""The resource that is read out of METEOR's own jar: stems of Arabic in Buckwalter's letters."""

from __future__ import annotations

import gzip
import io
import re
import zipfile
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from cocarde.errors import InputError, MissingExtraError
from cocarde.resources.base import Resource

__all__ = ["arabic_stems", "describe_arabic_stems", "java_hash", "meteor_folder"]

_COMMAND = 'pip install "cocarde[paraphrase]"'
_JAR = "meteor-1.5.jar"
_STEMS = "stem/arabic-buckwalter-reduced.gz"
_STEMS_SIZE = 3_824_443
_STEMS_SHA256 = "1648706525c86efbdf66eef5343803acb6191ff67cd0da65091b602ee64dfd91"


def meteor_folder() -> Path | None:
    """Return the folder of METEOR in an installed ``pycocoevalcap``, if there is one.

    The package is not imported.
    """
    spec = find_spec("pycocoevalcap")
    for place in (spec and spec.submodule_search_locations) or ():
        folder = Path(place, "meteor")
        if folder.is_dir():
            return folder
    return None


def _jar() -> Path | None:
    folder = meteor_folder()
    jar = None if folder is None else folder / _JAR
    return jar if jar is not None and jar.is_file() else None


def java_hash(word: str) -> int:
    """Return what Java's ``String.hashCode`` does, as an unsigned number of 32 bits.

    METEOR takes two words with one number for the same word.

    Examples
    --------
    >>> java_hash("Aa") == java_hash("BB") == 2112
    True
    """
    value = 0
    if word.isascii():
        for unit in word.encode("ascii"):
            value = (value * 31 + unit) & 0xFFFFFFFF
        return value
    units = word.encode("utf-16-le", "surrogatepass")
    for low, high in zip(units[::2], units[1::2], strict=True):
        value = (value * 31 + (high << 8 | low)) & 0xFFFFFFFF
    return value


@cache
def arabic_stems() -> dict[int, str]:
    """Return METEOR's stems for the language ``ar-bw-red``, by the `java_hash` of a word.

    METEOR looks stems up by that number, so words that share one share the stem that comes later in
    the table; a word whose number is not there is its own stem. Reading takes two seconds.

    Raises
    ------
    MissingExtraError
        If ``pycocoevalcap``, whose jar holds the table, is not installed.
    InputError
        If the jar is damaged.
    """
    jar = _jar()
    if jar is None:
        raise MissingExtraError(
            "the stems of Arabic are in METEOR's jar, which is not installed: " + _COMMAND
        )
    stems: dict[int, str] = {}
    # What Java's StringTokenizer splits at.
    words = re.compile(r"[^ \t\n\r\f]+").findall
    try:
        with zipfile.ZipFile(jar) as archive, archive.open(_STEMS) as packed:
            text = gzip.decompress(packed.read()).decode("utf-8", "replace")
        for line in io.StringIO(text, newline=None):
            word, _, stem, *_ = words(line)
            stems[java_hash(word)] = stem
    except (zipfile.BadZipFile, gzip.BadGzipFile, EOFError, KeyError, ValueError) as error:
        raise InputError(
            f"no stems of Arabic can be read ({error}); pip install --force-reinstall pycocoevalcap",
            path=str(jar),
        ) from None
    return stems


def describe_arabic_stems() -> Resource:
    """Describe the table of stems."""
    jar = _jar()
    return Resource(
        "arabic-stems",
        "METEOR: stems for the language ar-bw-red",
        "METEOR 1.5 (Carnegie Mellon University), its jar in pycocoevalcap",
        "LGPL-2.1",
        jar,
        _STEMS_SIZE,
        _STEMS_SHA256,
        _COMMAND,
        None if jar is None else _STEMS,
    )
