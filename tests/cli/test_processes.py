"""Signals, closed pipes, terminals and locales."""

from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cocarde import BLEU
from tests.cli.conftest import HYPOTHESES, REFERENCES, write
from tests.cli.runner import TIMEOUT, command, environment, refuse, succeed
from tests.processes import interruptible

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs signals, pipes and terminals")


def _long_work(folder: Path) -> list[str]:
    """Files that take long on any machine: one text against itself many times."""
    text = write(
        folder / "long.txt", [f"word{i} and some other words here {i * 7}" for i in range(200_000)]
    )
    references: list[str] = []
    for _ in range(60):
        references += ["-r", str(text)]
    return ["score", str(text), *references, "--threads", "1"]


def test_ctrl_c_ends_long_work_at_once(folder: Path) -> None:
    """SIGINT in the midst of native scoring: exit code 130 within half a second."""
    delays = []
    for _ in range(3):  # a loaded machine may be slow once
        with interruptible(
            command(*_long_work(folder), "--progress"), stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env=environment(),
        ) as process:  # fmt: skip
            assert process.stderr is not None
            assert b"segments" in process.stderr.readline()
            assert process.poll() is None
            start = time.perf_counter()
            process.send_signal(signal.SIGINT)
            output, errors = process.communicate(timeout=TIMEOUT)
            delays.append(time.perf_counter() - start)
        assert process.returncode == 130
        assert output == b""
        assert errors.decode().splitlines()[-1] == "interrupted"
        assert b"Traceback" not in errors
        if delays[-1] < 0.5:
            break
    assert min(delays) < 0.5, delays


def test_ctrl_c_while_waiting_for_input() -> None:
    with interruptible(
        command("tokenize"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=environment(),
    ) as process:  # fmt: skip
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        process.wait(timeout=TIMEOUT)
        assert process.stderr is not None
        assert process.stderr.read().decode() == "interrupted\n"
        assert process.returncode == 130


def test_who_ignores_interrupts_is_not_interrupted(folder: Path) -> None:
    """In the background or under nohup SIGINT is ignored from the start, and stays so."""
    ignoring = ["import os, signal, sys", "signal.signal(signal.SIGINT, signal.SIG_IGN)"]
    ignoring += ["os.execv(sys.argv[1], sys.argv[1:])"]
    with interruptible(
        [sys.executable, "-c", "; ".join(ignoring), *command(*_long_work(folder), "--progress")],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(),
    ) as process:  # fmt: skip
        assert process.stderr is not None
        assert b"segments" in process.stderr.readline()
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 0
    assert b"100.00" in output
    assert b"interrupted" not in errors


def test_a_closed_pipe_is_no_error(folder: Path) -> None:
    write(folder / "many.txt", ["a b c d e f g h"] * 50_000)
    for arguments in (
        ["tokenize", "many.txt"],
        ["score", "many.txt", "-r", "many.txt", "--level", "segment", "-f", "jsonl"],
        ["score", "many.txt", "-r", "many.txt", "--level", "segment"],
    ):
        process = subprocess.Popen(
            command(*arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder,
            env=environment(),
        )  # fmt: skip
        with process:
            assert process.stdout is not None
            assert process.stderr is not None
            assert process.stdout.readline()
            process.stdout.close()
            assert process.stderr.read() == b""
            assert process.wait(timeout=TIMEOUT) == 141


def test_utf8_whatever_the_locale(folder: Path) -> None:
    write(folder / "你好.txt", HYPOTHESES)
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    plain["PYTHONIOENCODING"] = "ascii"
    # In such a locale Python takes the bytes of names as they are.
    finished = succeed("score", "你好.txt", "-r", "ref.txt", folder=folder, **plain)
    assert "你好.txt" in finished.output
    cut = succeed("tokenize", "你好.txt", "-tok", "zh", folder=folder, **plain)
    assert cut.lines[-1] == "你 好 ， 世 界 ！ The end ."
    files = ["score", "你好.txt", "-r", "ref.txt"]
    (found,) = succeed(*files, "-f", "json", folder=folder, **plain).records
    assert found["system"].encode() == "你好.txt".encode()
    sentence = ["--hypothesis", "你好 世界", "--reference", "你好"]
    shown = succeed("explain", *sentence, folder=folder, **plain).output
    assert "你好" in shown
    write(folder / "a.tsv", ["列\tb", "x y\tz"])
    assert succeed("tokenize", "a.tsv:列", folder=folder, **plain).output == "x y\n"
    assert "无.txt: cannot be opened" in refuse("tokenize", "无.txt", folder=folder, **plain)
    assert found["score"] == BLEU().corpus_score(HYPOTHESES, REFERENCES).score


@pytest.mark.skipif(sys.platform == "darwin", reason="file names there are UTF-8")
def test_names_of_files_that_are_not_utf8(folder: Path) -> None:
    name = os.fsdecode(b"caf\xe9.txt")
    write(folder / name, HYPOTHESES)
    done = subprocess.run(
        [*command("score"), name, "-r", "ref.txt"], capture_output=True, cwd=folder,
        env=environment(), timeout=TIMEOUT, check=True,
    )  # fmt: skip
    assert b"caf\xe9.txt" in done.stdout
    (found,) = succeed("score", name, "-r", "ref.txt", "-f", "json", folder=folder).records
    assert found["system"] == name


# -- terminals


def _on_terminal(folder: Path, *arguments: str, seconds: float = TIMEOUT, **changes: str) -> str:
    """Run with a pseudo-terminal for all three streams; return what it shows."""
    import pty

    leader, follower = pty.openpty()
    process = subprocess.Popen(
        command(*arguments), stdin=follower, stdout=follower, stderr=follower, cwd=folder,
        env=environment(TERM="xterm-256color", **changes), close_fds=True,
    )  # fmt: skip
    os.close(follower)
    shown = b""
    deadline = time.monotonic() + seconds
    with process, contextlib.suppress(OSError):  # EIO: the other end is closed
        while time.monotonic() < deadline:
            ready, _, _ = select.select([leader], [], [], 1)
            if ready:
                piece = os.read(leader, 1 << 16)
                if not piece:
                    break
                shown += piece
    os.close(leader)
    assert process.returncode == 0, shown
    return shown.decode()


def _plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", text)


def test_a_terminal_gets_a_rich_table(folder: Path) -> None:
    write(folder / "[bold]x.txt", HYPOTHESES)
    shown = _on_terminal(folder, "score", "[bold]x.txt", "-r", "ref.txt", COLUMNS="160")
    score = BLEU().corpus_score(HYPOTHESES, REFERENCES)
    assert "\x1b[" in shown
    assert "─" in shown
    row = next(line for line in _plain(shown).splitlines() if "[bold]x.txt" in line)
    assert f"{score.score:.2f}" in row
    assert score.details() in row
    assert score.signature in _plain(shown)


def test_a_row_is_one_line_on_a_narrow_terminal(folder: Path) -> None:
    files = ["hyp.txt", "other.txt", "-r", "ref.txt"]
    lines = _plain(_on_terminal(folder, "score", *files, COLUMNS="60")).splitlines()
    score = BLEU().corpus_score(HYPOTHESES, REFERENCES)
    row = next(line for line in lines if line.lstrip().startswith("hyp.txt"))
    assert row.split() == ["hyp.txt", f"{score.score:.2f}"]
    assert f"bleu of hyp.txt: {score.details()}" in lines
    assert f"bleu: {score.signature}" in lines
    compared = _on_terminal(
        folder, "compare", *files, "--samples", "20", "-q", "--no-progress", COLUMNS="60"
    )
    row = next(line for line in _plain(compared).splitlines() if "other.txt" in line)
    assert re.search(r"\d/\d/\d +\w", row)


def test_a_terminal_shows_coloured_errors_unless_told_not_to(folder: Path) -> None:
    import pty

    for changes, coloured in (({}, True), ({"NO_COLOR": "1"}, False)):
        leader, follower = pty.openpty()
        process = subprocess.Popen(
            command("score", "none.txt", "-r", "ref.txt"), stdout=subprocess.DEVNULL,
            stderr=follower, cwd=folder, env=environment(TERM="xterm", **changes),
        )  # fmt: skip
        process.wait(timeout=TIMEOUT)
        os.close(follower)
        shown = os.read(leader, 4096).decode()
        os.close(leader)
        assert ("\x1b[" in shown) is coloured
        assert "error:" in shown


def test_progress_on_a_terminal(folder: Path) -> None:
    work = _long_work(folder)
    shown = _on_terminal(folder, *work)
    assert "segments" in _plain(shown)
    assert "\x1b[?25l" in shown  # the cursor hides during the bar
    assert shown.count("\x1b[?25h") >= 1  # and comes back
    assert shown.rstrip().splitlines()[-1].startswith(("bleu:", "\x1b[2mbleu:"))
    quick = ["score", "hyp.txt", "-r", "ref.txt"]
    assert "\x1b[?25l" not in _on_terminal(folder, *quick)


def test_progress_elsewhere_only_when_asked(folder: Path) -> None:
    files = ["score", "hyp.txt", "-r", "ref.txt"]
    assert succeed(*files, folder=folder).errors == ""
    work = succeed(*_long_work(folder), "--progress", "-b")
    assert re.search(r"long.txt: [\d,]+ segments", work.errors)
    assert work.lines == ["100.00"]
    assert succeed(*_long_work(folder)[:4], "--no-progress", "-b").errors == ""
