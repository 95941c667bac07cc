"""The command line counts segments from 1, as lines are counted; the API counts from 0."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from cocarde import METEOR, InputError, explain, tune_meteor
from cocarde.engines import streaming
from tests.cli.conftest import write
from tests.cli.runner import TIMEOUT, environment, refuse

# METEOR refuses words that repeat so often.
_REFUSED = ["word " * 6_000, "word " * 5_999]


@pytest.fixture
def refused(tmp_path: Path) -> Path:
    """Files whose fifth line METEOR refuses."""
    for name, odd in zip(("h.txt", "r.txt"), _REFUSED, strict=True):
        write(tmp_path / name, ["a b", "c", "d", "e", odd, "f"])
    return tmp_path


@pytest.mark.parametrize(
    "arguments",
    [
        ["score"],
        ["score", "--level", "segment"],
        ["explain"],
        ["explain", "--segment", "5"],
        ["compare"],
    ],
)
def test_errors_count_segments_as_lines(refused: Path, arguments: list[str]) -> None:
    message = refuse(*arguments, "h.txt", "-r", "r.txt", "-m", "meteor", folder=refused)
    assert "segment 5: its words repeat so often" in message


def test_the_batches_of_a_stream_are_counted_on(refused: Path) -> None:
    program = (
        "import sys\n"
        "from cocarde.engines import streaming\n"
        "streaming.accumulate_files.__kwdefaults__['batch_bytes'] = 16\n"
        "from cocarde.cli import main\n"
        "sys.exit(main(['score', 'h.txt', '-r', 'r.txt', '-m', 'meteor']))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, cwd=refused, env=environment(),
        timeout=TIMEOUT, check=False,
    )  # fmt: skip
    assert b"segment 5: its words repeat so often" in done.stderr


def test_the_api_counts_from_0(refused: Path) -> None:
    hypotheses, references = (
        (refused / name).read_text().splitlines() for name in ("h.txt", "r.txt")
    )
    with pytest.raises(InputError, match=r"^segment 4: ") as caught:
        METEOR().corpus_score(hypotheses, references)
    assert caught.value.segment == 4
    with pytest.raises(InputError, match=r"^segment 4: "):
        explain("meteor", hypotheses, references, segment=4)
    with pytest.raises(InputError, match=r"^segment 4: "):
        streaming.accumulate_files(
            {"meteor": METEOR()}, refused / "h.txt", [refused / "r.txt"], batch_bytes=16
        )
    with pytest.raises(InputError, match=r"^segment 4: "):
        tune_meteor(METEOR(), hypotheses, [[one, one] for one in references], [1, 2, 3, 4, 5, 6])
