"""Runs the command line as its users do: in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cocarde

TIMEOUT = 120  # seconds; a loaded machine may take long to start Python


@dataclass(frozen=True)
class Finished:
    """What a command left behind."""

    code: int
    output: str
    errors: str

    @property
    def records(self) -> Any:
        """The JSON on standard output."""
        return json.loads(self.output)

    @property
    def lines(self) -> list[str]:
        """The lines of standard output, split at line feeds alone."""
        return self.output.removesuffix("\n").split("\n")


def environment(**changes: str) -> dict[str, str]:
    """An environment in which the cocarde under test is found, and nothing alters its output."""
    kept = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("COCARDE_", "_COCARDE", "PYTHONWARNINGS", "FORCE_COLOR", "NO_COLOR"))
    }
    source = str(Path(cocarde.__file__).resolve().parents[1])
    path = os.pathsep.join(filter(None, [source, kept.get("PYTHONPATH")]))
    return {**kept, "PYTHONPATH": path, "COLUMNS": "100", **changes}


def command(*arguments: str | Path) -> list[str]:
    """The command line of `python -m cocarde`."""
    return [sys.executable, "-m", "cocarde", *map(str, arguments)]


def run(
    *arguments: str | Path,
    stdin: str | bytes = b"",
    folder: Path | None = None,
    **changes: str,
) -> Finished:
    """Run cocarde; output must be UTF-8 and errors must never be a traceback."""
    done = subprocess.run(
        command(*arguments),
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        capture_output=True,
        cwd=folder,
        env=environment(**changes),
        timeout=TIMEOUT,
        check=False,
    )
    finished = Finished(done.returncode, done.stdout.decode(), done.stderr.decode())
    assert "Traceback" not in finished.errors or "--debug" in arguments, finished.errors
    return finished


def succeed(*arguments: str | Path, **options: Any) -> Finished:
    """Run cocarde and expect it to succeed."""
    finished = run(*arguments, **options)
    assert finished.code == 0, finished.errors
    return finished


def refuse(*arguments: str | Path, **options: Any) -> str:
    """Run cocarde, expect exit code 2, one error and no output; return standard error."""
    finished = run(*arguments, **options)
    assert finished.code == 2, (finished.code, finished.errors)
    assert finished.output == ""
    assert finished.errors.count("error: ") == 1
    return finished.errors
