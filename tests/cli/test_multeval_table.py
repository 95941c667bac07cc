"""The guide's one command for MultEval's published table, run as it is written there."""

from __future__ import annotations

import os
import shlex

import pytest

from tests.data_access import MULTEVAL_TABLE, require_real_data
from tests.test_documentation import ROOT, Block, blocks_of, environment, run_console, run_shell

__all__ = ["environment"]  # the fixture

GUIDE = ROOT / "docs" / "guides" / "significance.md"

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="platform: a POSIX shell"),
    pytest.mark.timeout(300),
]


@pytest.fixture
def block(monkeypatch: pytest.MonkeyPatch) -> Block:
    """The command with what it prints; the working folder is that of its files."""
    monkeypatch.chdir(require_real_data() / "multeval")
    pytest.importorskip("pycocoevalcap", reason="the paraphrase table is not installed")
    (found,) = (one for one in blocks_of(GUIDE) if "--test multeval" in one.text)
    return found


def test_it_prints_what_the_guide_shows(block: Block, environment: dict[str, str]) -> None:
    run_console(block, {**environment, "COLUMNS": "300"})


def test_every_digit_is_the_published_one(block: Block, environment: dict[str, str]) -> None:
    command = block.text.removeprefix("$ ").replace("\\\n", "").partition("\n")[0]
    assert shlex.split(command)[:2] == ["cocarde", "compare"]
    # --width is for tables alone.
    lines = run_shell(f"{command.replace('-w 1', '')} -f tsv", block, environment).splitlines()
    names = lines[0].split("\t")
    rows = [dict(zip(names, line.split("\t"), strict=True)) for line in lines[1:]]
    found: dict[str, dict[str, tuple[str, str, str, str | None]]] = {}
    for row in rows:
        system = row["system"].split(".")[-2]
        digits = (
            f"{float(row['score']):.1f}",
            f"{float(row['selection_deviation']):.1f}",
            f"{float(row['optimizer_deviation']):.1f}",
            f"{float(row['p_value']):.2f}" if row["p_value"] else None,
        )
        found.setdefault(row["metric"].partition(":")[0], {})[system] = digits
    assert found == MULTEVAL_TABLE


def test_the_guide_shows_the_published_table() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    for shown, system in (("baseline", "baseline"), ("system 1", "sys1")):
        cells = []
        for metric in MULTEVAL_TABLE.values():
            score, *others = (digits for digits in metric[system] if digits is not None)
            cells.append(f"{score} ({'/'.join(others)})")
        assert f"| {shown} | {' | '.join(cells)} |" in text
