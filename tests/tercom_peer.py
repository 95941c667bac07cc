"""The Java program Tercom 0.8.0, run on files: its jar is found, not shipped."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from tests.data_access import find_data_folder

NAME = "tercom-0.8.0.jar"


def jar() -> Path:
    """Return the path of the jar; skip the test where it or Java is missing."""
    named = os.environ.get("COCARDE_TERCOM_JAR")
    folder = find_data_folder()
    places = [Path(named)] if named else []
    if folder is not None:
        places += [folder / NAME, folder.parent / NAME]
    found = next((place for place in places if place.is_file()), None)
    if found is None:
        pytest.skip(
            f"not redistributable: {NAME}, which is in the repository of MultEval, is neither where "
            f"COCARDE_TERCOM_JAR says nor beside the test data"
        )
    if shutil.which("java") is None:
        pytest.skip("there is no Java")
    return found


def score(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    *flags: str,
    folder: Path,
) -> npt.NDArray[np.float64]:
    """Return, one row a segment, edits, reference length, Ins, Del, Sub and shifts.

    Texts are lines: no character in them ends one for Java.
    """
    for name, groups in (("hyp", [[text] for text in hypotheses]), ("ref", references)):
        lines = (f"{text} (s{i})\n" for i, group in enumerate(groups) for text in group)
        (folder / name).write_bytes("".join(lines).encode())
    command = ["java", "-Xmx2G", "-Dfile.encoding=UTF-8", "-Duser.language=en", "-Duser.country=US"]
    command += ["-cp", str(jar()), "ter.TERtest", "-r", "ref", "-h", "hyp", "-n", "out"]
    done = subprocess.run(
        [*command, "-o", "sum,ter", *flags], cwd=folder, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
    exact = [line.split() for line in (folder / "out.ter").read_text().splitlines()[2:]]
    counts = [line.split("|") for line in (folder / "out.sum").read_text().splitlines()[5:-2]]
    assert len(exact) == len(counts) == len(hypotheses)
    rows = [
        [float(words[1]), float(words[2]), *map(float, cells[1:5])]
        for words, cells in zip(exact, counts, strict=True)
    ]
    return np.array(rows).reshape(-1, 6)
