"""Standard streams that are closed, full or without a reader; --output to what is not a plain file."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import write
from tests.cli.runner import TIMEOUT, Finished, command, environment, run

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell")

NEEDS_FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
SCORE = ["score", "hyp.txt", "-r", "ref.txt"]
PRINTING = [
    SCORE,
    [*SCORE, "--level", "segment", "-f", "jsonl"],
    ["explain", *SCORE[1:]],
    ["tokenize", "hyp.txt"],
    ["tokenize", "--list"],
    ["metrics"],
    ["metrics", "-f", "json"],
    ["presets"],
    ["--version"],
    ["--help"],
    ["score", "--help"],
    [],
]


def _in_shell(folder: Path, redirection: str, *arguments: str, **changes: str) -> Finished:
    """Run with a redirection of `sh` such as ``>&-``."""
    done = subprocess.run(
        ["sh", "-c", f'"$@" {redirection}', "sh", *command(*arguments)],
        capture_output=True, cwd=folder, env=environment(**changes), timeout=TIMEOUT, check=False,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    finished = Finished(done.returncode, done.stdout.decode(), done.stderr.decode())
    assert "Traceback" not in finished.errors, finished.errors
    return finished


@pytest.mark.parametrize(
    ("redirection", "reason"),
    [(">&-", "it is closed"), pytest.param(">/dev/full", "No space left", marks=NEEDS_FULL)],
)
def test_output_that_cannot_be_written(folder: Path, redirection: str, reason: str) -> None:
    for number, arguments in enumerate(PRINTING):
        buffering = "" if number % 2 else "1"
        found = _in_shell(folder, redirection, *arguments, PYTHONUNBUFFERED=buffering)
        assert found.code == 2, (arguments, found)
        assert found.errors.count("error: ") == 1
        assert f"standard output cannot be written: {reason}" in found.errors, arguments


def test_a_closed_output_does_not_matter_to_what_goes_elsewhere(folder: Path) -> None:
    assert _in_shell(folder, ">&-", *SCORE, "-o", "scores.txt") == Finished(0, "", "")
    assert "bleu" in (folder / "scores.txt").read_text()
    assert "none.txt" in _in_shell(folder, ">&-", "score", "hyp.txt", "-r", "none.txt").errors


@pytest.mark.parametrize("redirection", ["2>&-", pytest.param("2>/dev/full", marks=NEEDS_FULL)])
def test_messages_that_cannot_be_shown_change_no_exit_code(folder: Path, redirection: str) -> None:
    for arguments, code in (
        (SCORE, 0),
        ([*SCORE, "--min", "101"], 1),
        (["score", "hyp.txt", "-r", "none.txt"], 2),
        (["score", "--no-such-option"], 2),
        ([*SCORE, "--progress", "-m", "bleu:nltk"], 0),
    ):
        assert _in_shell(folder, redirection, *arguments).code == code, arguments
    assert _in_shell(folder, f">&- {redirection}", *SCORE, "--min", "101").code == 2


def test_a_closed_standard_input(folder: Path) -> None:
    assert _in_shell(folder, "<&-", *SCORE).code == 0
    found = _in_shell(folder, "<&-", "tokenize")
    assert found.code == 2
    assert "standard input" in found.errors
    found = _in_shell(folder, "0>nothing.txt", "tokenize")
    assert found.code == 2
    assert "standard input: cannot be read" in found.errors


def test_a_pipe_without_a_reader_ends_every_command_quietly(folder: Path) -> None:
    for arguments in [*PRINTING, [*SCORE, "-o", "/dev/stdout"]]:
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run(
            command(*arguments), stdout=writing, stderr=subprocess.PIPE, cwd=folder,
            env=environment(), timeout=TIMEOUT, check=False,
        )  # fmt: skip
        os.close(writing)
        assert (done.returncode, done.stderr) == (141, b""), arguments


def test_lone_surrogates_are_printed_escaped(folder: Path) -> None:
    write(folder / "odd.jsonl", [r'{"t": "a \ud800 b c d", "d": "x\udfff"}'])
    found = run("tokenize", "odd.jsonl:t", folder=folder)
    assert (found.code, found.output) == (0, "a \\ud800 b c d\n")
    for form in ("text", "markdown", "html", "json"):
        found = run(
            "explain", "odd.jsonl:t", "-r", "odd.jsonl:t", "-n", "1", "-f", form, folder=folder
        )
        assert found.code == 0, found.errors
        assert "\\ud800" in found.output
    labels = ["--level", "document", "--documents", "odd.jsonl:d"]
    for form in ("table", "csv", "markdown", "latex", "json"):
        arguments = ["score", "odd.jsonl:t", "-r", "odd.jsonl:t", *labels, "-f", form]
        found = run(*arguments, folder=folder)
        assert found.code == 0, found.errors
        assert "udfff" in found.output
        assert run(*arguments, "-o", "out.txt", folder=folder).code == 0
        assert (folder / "out.txt").read_text() == found.output


# -- --output


def test_a_dash_is_standard_output(folder: Path) -> None:
    for arguments in (
        SCORE,
        [*SCORE, "-f", "csv"],
        ["explain", *SCORE[1:]],
        ["tokenize", "hyp.txt"],
    ):
        assert run(*arguments, "-o", "-", folder=folder) == run(*arguments, folder=folder)
    assert not (folder / "-").exists()


def test_a_name_of_standard_output_is_written_into_not_replaced(folder: Path) -> None:
    log = folder / "log.txt"
    log.write_text("before\n")
    number = log.stat().st_ino
    score = run(*SCORE, "-b", folder=folder).output
    assert _in_shell(folder, ">>log.txt", *SCORE, "-b", "-o", "/dev/stdout").code == 0
    assert log.read_text() == "before\n" + score
    (folder / "link").symlink_to("/dev/fd/3")
    assert _in_shell(folder, "3>>log.txt", *SCORE, "-b", "-o", "link").code == 0
    assert log.read_text() == "before\n" + score + score
    assert log.stat().st_ino == number
    assert _in_shell(folder, "", *SCORE, "-b", "-o", "/dev/stdout").output == score
    found = _in_shell(folder, "3>&-", *SCORE, "-b", "-o", "/dev/fd/3")
    assert found.code == 2
    assert "/dev/fd/3: cannot be written" in found.errors
    assert "did you mean" not in found.errors


@NEEDS_FULL
def test_a_full_device_as_output_file(folder: Path) -> None:
    found = run(*SCORE, "-o", "/dev/full", folder=folder)
    assert found.code == 2
    assert "/dev/full: cannot be written: No space left on device" in found.errors


@pytest.mark.skipif(sys.platform == "win32", reason="no named pipes")
def test_a_named_pipe_is_written_into(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    found = _in_shell(folder, "& cat pipe", *SCORE, "-b", "-o", "pipe")
    assert found.output == run(*SCORE, "-b", folder=folder).output
    assert (folder / "pipe").is_fifo()
