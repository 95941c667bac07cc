"""The gate itself: in CI a skipped test fails, elsewhere it is skipped."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SKIPPED_TEST = "import pytest\ndef test_peer(): pytest.skip({reason!r})\n"
SKIPPED_FILE = "import pytest\npytest.importorskip('no_such_peer')\ndef test_peer(): pass\n"


def outcome(folder: Path, source: str, *, ci: bool) -> tuple[int, str]:
    """Run pytest over one file of tests, as continuous integration does or as a developer does."""
    (folder / "test_it.py").write_text(source, encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if name != "CI"}
    if ci:
        environment["CI"] = "true"
    command = [sys.executable, "-m", "pytest", "-p", "tests.ci_plugin", "-p", "no:cacheprovider"]
    run = subprocess.run(
        [*command, "-c", os.devnull, f"--rootdir={folder}", "test_it.py"],
        cwd=folder,
        env=environment | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    return run.returncode, run.stdout


@pytest.mark.parametrize("source", [SKIPPED_TEST.format(reason="no peer"), SKIPPED_FILE])
def test_a_missing_peer_fails_in_ci_alone(tmp_path: Path, source: str) -> None:
    status, output = outcome(tmp_path, source, ci=True)
    assert status != 0
    assert "nothing may be missing" in output
    status, output = outcome(tmp_path, source, ci=False)
    assert "1 skipped" in output
    assert "failed" not in output


@pytest.mark.parametrize("reason", ["platform: Windows only", "not redistributable: Moses"])
def test_other_reasons_pass_in_ci(tmp_path: Path, reason: str) -> None:
    status, output = outcome(tmp_path, SKIPPED_TEST.format(reason=reason), ci=True)
    assert status == 0
    assert "1 skipped" in output
