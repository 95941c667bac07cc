"""``cocarde compare``: what it prints, its gates, and how it refuses."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

import cocarde
from cocarde import Runs
from cocarde.metrics.length import Length
from tests.cli.conftest import write
from tests.cli.runner import refuse, run, succeed
from tests.unit.test_significance import BAD, NEW, OLD, REFERENCES

GIVEN = ["old.txt", "new.txt", "bad.txt", "-r", "ref.txt", "--samples", "200"]
NAMED = {"old.txt": OLD, "new.txt": NEW, "bad.txt": BAD}


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with three systems and their references."""
    for name, lines in {**NAMED, "ref.txt": REFERENCES}.items():
        write(tmp_path / name, lines)
    for number, lines in enumerate((OLD, BAD)):
        write(tmp_path / f"base.{number}", lines)
        write(tmp_path / f"best.{number}", (NEW, OLD)[number])
    return tmp_path


def test_json_is_the_api(files: Path) -> None:
    options = ["-m", "bleu", "-m", "rouge", "--correction", "holm", "--seed", "5"]
    found = succeed("compare", *GIVEN, *options, "-f", "json", folder=files)
    wanted = cocarde.compare(
        NAMED, REFERENCES, ["bleu", "rouge"], samples=200, seed=5, correction="holm"
    )
    assert found.records == json.loads(json.dumps(wanted.to_records()))
    assert found.errors == ""
    lines = succeed("compare", *GIVEN, *options, "-f", "jsonl", folder=files).lines
    assert list(map(json.loads, lines)) == found.records


def test_table(files: Path) -> None:
    found = succeed("compare", *GIVEN, folder=files)
    assert found.lines[0].split() == [
        *["system", "metric", "score", "95%", "interval", "difference", "p", "wins/ties/losses"],
        "verdict",
    ]
    assert found.lines[1].endswith("baseline") and found.lines[2].endswith("better, best")
    assert "against old.txt: paired bootstrap, 200 resamples, seed 12345" in found.output
    succeed("compare", *GIVEN, "-o", "out.txt", folder=files)
    assert (files / "out.txt").read_text() == found.output


@pytest.mark.parametrize("form", ["markdown", "latex"])
def test_documents(files: Path, form: str) -> None:
    wanted = cocarde.compare(NAMED, REFERENCES, samples=200)
    found = succeed("compare", *GIVEN, "-f", form, "-w", "1", folder=files).output
    assert found == getattr(wanted, f"to_{form}")(1)


def test_csv(files: Path) -> None:
    text = succeed("compare", *GIVEN, "-f", "csv", folder=files).output
    rows = list(csv.DictReader(io.StringIO(text)))
    wanted = cocarde.compare(NAMED, REFERENCES, samples=200)
    assert [float(row["score"]) for row in rows] == [one.score for one in wanted.results]
    assert [row["p_value"] for row in rows] == [
        "" if one.p_value is None else repr(one.p_value) for one in wanted.results
    ]
    assert rows[1]["best"] == "yes"


def test_baseline_and_randomisation(files: Path) -> None:
    options = ["--baseline", "new.txt", "--test", "randomization", "-f", "json"]
    found = succeed("compare", *GIVEN, *options, folder=files).records
    wanted = cocarde.compare(
        NAMED, REFERENCES, samples=200, baseline="new.txt", test="randomization"
    )
    assert found == json.loads(json.dumps(wanted.to_records()))


def test_runs(files: Path) -> None:
    given = ["base.0", "base.1", "best.0", "best.1", "-r", "ref.txt", "--runs", "2", "-f", "json"]
    found = succeed("compare", *given, "--test", "multeval", "--samples", "50", folder=files)
    wanted = cocarde.compare(
        {"base": Runs(OLD, BAD), "best": Runs(NEW, OLD)}, REFERENCES, test="multeval", samples=50
    )
    assert found.records == json.loads(json.dumps(wanted.to_records()))


def test_length_and_its_intervals(files: Path) -> None:
    options = ["--test", "randomization", "--interval-samples", "50", "--length", "-f", "json"]
    found = succeed("compare", *GIVEN, *options, folder=files)
    wanted = cocarde.compare(
        NAMED,
        REFERENCES,
        {"bleu": cocarde.BLEU(), "length": Length()},
        test="randomization",
        samples=200,
        interval_samples=50,
    )
    assert found.records == json.loads(json.dumps(wanted.to_records()))
    assert {record["interval_samples"] for record in found.records} == {50}
    table = succeed("compare", *GIVEN, "--length", folder=files).output
    assert "old.txt" in table and table.splitlines()[4].split()[1] == "length"


def test_gates(files: Path) -> None:
    found = run("compare", *GIVEN, "--fail-if-worse", folder=files)
    assert found.code == 1
    assert "bleu of bad.txt is worse than that of old.txt" in found.errors
    assert succeed("compare", *GIVEN, folder=files).output == found.output
    succeed("compare", "old.txt", "new.txt", *GIVEN[3:], "--fail-if-worse", folder=files)
    found = run("compare", *GIVEN, "--min", "bleu=60", folder=files)
    assert found.code == 1 and "bleu of bad.txt" in found.errors
    assert "new.txt" not in found.errors
    succeed("compare", "new.txt", "-r", "ref.txt", "--min", "60", folder=files)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["old.txt", "old.txt"], "the system old.txt is given twice"),
        (["old.txt", "new.txt", "bad.txt", "--runs", "2"], "3 files, which cannot be 2 runs"),
        (["old.txt", "new.txt", "--baseline", "nwe.txt"], "did you mean 'new.txt'?"),
        (["old.txt", "--fail-if-worse"], "--fail-if-worse needs a system beside"),
        (["old.txt", "new.txt", "--confidence", "120"], "--confidence 120 is not from 0 to 100"),
        (["old.txt", "new.txt", "-f", "json", "-w", "3"], "--width does not go with"),
        (["old.txt", "new.txt", "--min", "ter=3"], "'ter' is not among the metrics"),
        (["old.txt", "new.txt", "--test", "t"], "bootstrap"),
        (["old.txt", "missing.txt"], "missing.txt"),
        (["old.txt", "--interval-samples", "9"], "--interval-samples does not go with --test boot"),
        (["old.txt", "--length", "--min", "length=9"], "'length' is not among the metrics"),
    ],
)
def test_refusals(files: Path, arguments: list[str], message: str) -> None:
    assert message in refuse("compare", *arguments, "-r", "ref.txt", folder=files)


def test_help() -> None:
    assert "--fail-if-worse" in succeed("compare", "--help").output
    assert "compare" in run("--help").output
