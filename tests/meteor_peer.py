"""METEOR's jar, as PyPI's ``pycocoevalcap`` ships it, run on files or on its standard input."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest


def jar() -> Path:
    """Return the path of the jar; skip the test where it or Java is missing."""
    found = importlib.util.find_spec("pycocoevalcap")
    places = [] if found is None else list(found.submodule_search_locations or ())
    if not places:
        pytest.skip("pycocoevalcap, which brings METEOR's jar, is not installed")
    if shutil.which("java") is None:
        pytest.skip("there is no Java")
    return Path(places[0], "meteor", "meteor-1.5.jar")


def run(main_class: str, *arguments: str | Path, text: str = "", heap: str = "2G") -> str:
    """Run a class of the jar with UTF-8 in and out, and return what it printed.

    ``Meteor`` scores files, ``Matcher`` aligns them, ``Stemmer`` and
    ``edu.cmu.meteor.util.Normalizer`` read the standard input.
    """
    command = ["java", f"-Xmx{heap}", "-Dfile.encoding=UTF-8", "-Dstdout.encoding=UTF-8"]
    command += ["-cp", str(jar()), main_class, *map(str, arguments)]
    done = subprocess.run(
        command, input=text.encode("utf-8", "surrogatepass"), capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
    return done.stdout.decode("utf-8")


def lines(folder: Path, name: str, texts: Sequence[str]) -> Path:
    """Write texts, one a line, and return the path."""
    path = folder / name
    path.write_bytes("".join(text + "\n" for text in texts).encode())
    return path
