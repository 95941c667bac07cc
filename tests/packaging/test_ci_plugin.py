"""The gate itself: what a run leaves out is run again where nothing is missing, and that alone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SKIPPED_TEST = """
import os, pytest
def test_other(): assert "AGAIN" not in os.environ
def test_peer():
    if {missing}: pytest.skip({reason!r})
"""
SKIPPED_FILE = """
import pytest
if {missing}: pytest.importorskip('no_such_peer')
def test_peer(): pass
"""
WITH_LESS = """
import os, pytest
def test_other(): assert "AGAIN" not in os.environ
def test_peer(record_property):
    if {missing}: record_property("without", {reason!r})
"""


def outcome(folder: Path, source: str, workers: int, **environment: str) -> tuple[int, str]:
    """Run pytest over one file of tests: as anyone does, or with AGAIN as the gate does then."""
    (folder / "test_it.py").write_text(source, encoding="utf-8")
    (folder / "test_more.py").write_text("def test_more(): pass\n", encoding="utf-8")
    option = "--run-left-out" if environment else "--record-left-out"
    command = [sys.executable, "-m", "pytest", "-p", "tests.ci_plugin", "-p", "no:cacheprovider"]
    command += [option, "left/out.txt", f"-n{workers}"]
    run = subprocess.run(
        [*command, "-c", os.devnull, f"--rootdir={folder}", "."],
        cwd=folder,
        env={**os.environ, **environment, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    return run.returncode, run.stdout + run.stderr


@pytest.mark.parametrize(
    ("source", "workers"),
    [(SKIPPED_TEST, 0), (SKIPPED_FILE, 2), (WITH_LESS, 2)],
    ids=["test", "file", "with less"],
)
def test_what_is_left_out_runs_again_and_nothing_else(
    tmp_path: Path, source: str, workers: int
) -> None:
    missing = source.format(missing="'AGAIN' not in os.environ", reason="no peer").replace(
        "import pytest\n", "import os, pytest\n"
    )
    status, output = outcome(tmp_path, missing, workers)
    assert status == 0, output
    record = (tmp_path / "left" / "out.txt").read_text(encoding="utf-8")
    name, _, reason = record.strip().partition("\t")
    assert name == ("test_it.py" if source is SKIPPED_FILE else "test_it.py::test_peer")
    assert "no peer" in reason or "no_such_peer" in reason
    status, output = outcome(tmp_path, missing, workers, AGAIN="1")
    assert (status, "1 passed" in output) == (0, True), output


@pytest.mark.parametrize(
    ("source", "workers"), [(SKIPPED_TEST, 2), (SKIPPED_FILE, 0)], ids=["test", "file"]
)
def test_a_second_skip_fails(tmp_path: Path, source: str, workers: int) -> None:
    always = source.format(missing="True", reason="no peer")
    assert outcome(tmp_path, always, workers)[0] == 0
    status, output = outcome(tmp_path, always, workers, AGAIN="1")
    assert status != 0
    assert "nothing may be missing" in output


@pytest.mark.parametrize("reason", ["platform: Windows only", "not redistributable: Moses"])
def test_other_reasons_pass(tmp_path: Path, reason: str) -> None:
    source = SKIPPED_TEST.format(missing="True", reason=reason)
    outcome(tmp_path, source, 0)
    status, output = outcome(tmp_path, source, 0, AGAIN="1")
    assert status == 0
    assert "1 skipped" in output


def test_each_part_runs_and_a_failure_is_told(tmp_path: Path) -> None:
    rules = "good last:\n\t@echo this is $@\nbad:\n\t@echo this is $@; exit 1\n"
    (tmp_path / "Makefile").write_text(rules)
    command = ["bash", str(ROOT / "tools" / "parts.sh")]
    environment = {**os.environ, "MAKE": "make"}
    environment.pop("MAKEFLAGS", None)

    def parts(*names: str) -> tuple[int, list[str]]:
        done = subprocess.run(
            [*command, *names], cwd=tmp_path, env=environment, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        return done.returncode, done.stdout.splitlines()

    status, lines = parts("good", "bad", "last")
    assert status == 1
    assert [line for line in lines if line.startswith("this is")] == [
        f"this is {name}" for name in ("good", "bad", "last")
    ]
    rows = [line.split() for line in lines[lines.index("== summary ==") + 1 :]]
    assert [(row[0], row[3]) for row in rows[:-1]] == [
        ("good", "passed"), ("bad", "FAILED"), ("last", "passed")
    ]  # fmt: skip
    assert rows[-1][3:] == ["FAILED:", "bad"]
    status, lines = parts("good", "last")
    assert status == 0 and lines[-1].endswith("all passed")
