"""``cocarde compare``: what it prints, its gates, and how it refuses."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

import cocarde
from cocarde import Runs
from cocarde.significance.length import Length
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
        {
            "base": Runs(OLD, BAD, names=["base.0", "base.1"]),
            "best": Runs(NEW, OLD, names=["best.0", "best.1"]),
        },
        REFERENCES,
        test="multeval",
        samples=50,
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
    table = succeed("compare", *GIVEN, "--length", "--details", folder=files).output
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
        (["old.txt", "old.txt"], "old.txt is given twice"),
        (["old.txt", "./old.txt"], "old.txt and ./old.txt are one file, which is given twice"),
        (["old.txt", "new.txt", "./old.txt", "bad.txt", "--runs", "2"], "is given twice"),
        (["new.txt", "bad.txt", "bad.txt", "old.txt", "--runs", "2"], "bad.txt is given twice"),
        (["old.txt", "new.txt", "bad.txt", "--runs", "2"], "3 files, which cannot be 2 runs"),
        (["old.txt", "new.txt", "--baseline", "nwe.txt"], "did you mean 'new.txt'?"),
        (["old.txt", "--fail-if-worse"], "--fail-if-worse needs a system beside"),
        (
            ["old.txt", "new.txt", "--confidence", "120"],
            "percentage of at least 50 and below 100, found 120",
        ),
        (["old.txt", "new.txt", "--confidence", "0.95"], "did you mean 95?"),
        (["old.txt", "new.txt", "--confidence", "100"], "below 100, found 100"),
        (
            ["old.txt", "--samples", "0"],
            "--samples must be a whole number from 1 to 1000000, found 0",
        ),
        (["old.txt", "--samples", "1000000000000"], "1000000, found 1000000000000"),
        (
            ["old.txt", "--test", "randomization", "--interval-samples", "-3"],
            "--interval-samples must be a whole number from 1 to 1000000, found -3",
        ),
        (["old.txt", "--runs", "0"], "greater than or equal to 1, found '0'"),
        (["old.txt", "--samples=many"], ", found 'many'"),
        (["old.txt", "new.txt", "--documents", "ref.txt"], "--documents needs --level document"),
        (["old.txt", "new.txt", "--level", "document"], "give --documents FILE"),
        (["old.txt", "new.txt", "-m", "ter", "--min", "ter=50"], "say --max ter=50"),
        (["old.txt", "new.txt", "-m", "ter", "--min", "50"], "say --max ter=50"),
        (
            ["old.txt", "new.txt", "-m", "ter", "-m", "bleu", "--min", "50"],
            "say --max ter=50, and --min bleu=SCORE for bleu",
        ),
        (["old.txt", "new.txt", "--max", "50"], "say --min bleu=50"),
        (["old.txt", "new.txt", "-m", "rouge", "--max", "rougeL=50"], "say --min rougeL=50"),
        (
            ["old.txt", "new.txt", "-m", "ter", "-m", "bleu", "--max", "30"],
            "of bleu a higher score is better",
        ),
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


def test_documents_are_drawn(files: Path) -> None:
    labels = [f"document {number // 2}" for number in range(len(REFERENCES))]
    write(files / "documents.txt", labels)
    given = [*GIVEN, "-m", "bleu", "-m", "ter", "--level", "document"]
    given += ["--documents", "documents.txt"]
    found = succeed("compare", *given, "-f", "json", folder=files)
    wanted = cocarde.compare(
        NAMED, REFERENCES, ["bleu", "ter"], samples=200, level="document", documents=labels
    )
    assert found.records == json.loads(json.dumps(wanted.to_records()))
    assert {(one["level"], one["documents"], one["segments"]) for one in found.records} == {
        ("document", 12, 24)
    }
    assert found.records[1]["wins"] + found.records[1]["ties"] + found.records[1]["losses"] == 12
    table = succeed("compare", *given, folder=files).output
    assert "paired bootstrap of 12 documents (24 segments), 200 resamples" in table
    assert "wins, ties and losses are those of documents" in table
    # The scores are those of the test set still.
    plain = succeed("score", *GIVEN[:5], "-m", "bleu", "-m", "ter", "-f", "json", folder=files)
    scores = {(one["system"], one["metric"]): one["score"] for one in plain.records}
    assert {(one["system"], one["metric"]): one["score"] for one in found.records} == scores
    alone = ["new.txt", "-r", "ref.txt", "--level", "document", "--documents", "documents.txt"]
    assert (
        "resamples of 12 documents (24 segments)" in succeed("compare", *alone, folder=files).output
    )
    write(files / "documents.txt", labels[:-1])
    assert "has 23 labels" in refuse("compare", *given, folder=files)


SGML = """<{kind} setid="s" srclang="de" trglang="en">
<doc docid="a" sysid="x"><seg id="1">{0}</seg><seg id="2">{1}</seg></doc>
<doc docid="b" sysid="x"><seg id="1">{2}</seg></doc>
</{kind}>
"""


def test_sgml_says_its_documents_and_is_decoded_as_score_does(tmp_path: Path) -> None:
    texts = {
        "one.sgm": ("tstset", ["cats &amp; dogs are here", "he said so", "it is late now"]),
        "two.sgm": ("tstset", ["cats and dogs are here", "he says so", "it is late"]),
        "ref.sgm": ("refset", ["cats &amp; dogs are there", "he said so", "it is very late now"]),
    }
    for name, (kind, lines) in texts.items():
        (tmp_path / name).write_text(SGML.format(*lines, kind=kind), encoding="utf-8")
    given = ["one.sgm", "two.sgm", "-r", "ref.sgm", "-m", "bleu", "-m", "chrf", "-f", "json"]
    found = succeed("compare", *given, "--level", "document", "--samples", "20", folder=tmp_path)
    assert {one["documents"] for one in found.records} == {2}
    wanted = succeed("score", *given, folder=tmp_path).records
    scores = {(one["system"], one["metric"]): one["score"] for one in wanted}
    assert {(one["system"], one["metric"]): one["score"] for one in found.records} == scores


def test_gates_of_error_rates(files: Path) -> None:
    given = [*GIVEN, "-m", "bleu", "-m", "ter", "--min", "bleu=0"]
    records = succeed("compare", *given, "-f", "json", folder=files).records
    rates = {one["system"]: one["score"] for one in records if one["metric"] == "ter"}
    worst = max(rates, key=lambda name: rates[name])
    succeed("compare", *given, "--max", f"ter={rates[worst]!r}", folder=files)
    failed = run("compare", *given, "--max", f"ter={rates[worst] - 0.001:.4f}", folder=files)
    assert failed.code == 1
    assert f"ter of {worst} is {rates[worst]:.3f}"[:-1] in failed.errors
    assert failed.errors.count("failed:") == sum(
        rate > rates[worst] - 0.001 for rate in rates.values()
    )
    assert "above --max" in failed.errors
    succeed("compare", *GIVEN, "-m", "ter", "--max", "100", folder=files)
    assert run("compare", *GIVEN, "-m", "ter", "--max", "0", folder=files).code == 1


def test_too_few_segments_to_tell(files: Path) -> None:
    write(files / "nearly.txt", [BAD[0], *OLD[1:]])
    given = ["old.txt", "nearly.txt", "-r", "ref.txt", "--test", "randomization"]
    found = succeed("compare", *given, "--fail-if-worse", "-f", "json", folder=files)
    nearly = found.records[1]
    assert nearly["verdict"] == "same" and nearly["p_value"] < 0.001 and nearly["differing"] == 1
    assert (
        "the statistics of old.txt and nearly.txt differ in 1 of 24 segments (bleu), the outputs in 1:"
        in found.errors
    )
    assert found.errors.count("warning:") == 1
    assert any("1 of 24 segments" in message for message in nearly["warnings"])
    assert succeed("compare", *given, "-q", folder=files).errors == ""


@pytest.mark.parametrize(
    "options",
    [
        ["--samples", "15"],
        ["--confidence", "99.95"],
        ["--correction", "holm", "--samples", "20"],
        ["--test", "randomization", "--samples", "19"],
    ],
)
def test_too_few_samples_for_the_gate(files: Path, options: list[str]) -> None:
    write(files / "bad.txt", BAD)
    given = ["bad.txt", "old.txt", "-r", "ref.txt", *options]
    if "holm" in options:
        given.insert(2, "best.0")
    warned = succeed("compare", *given, "--fail-if-worse", "-f", "json", folder=files)  # better
    assert warned.errors.count("warning:") == 1 and "can give no p-value below" in warned.errors
    assert warned.records[1]["decidable"] is False and warned.records[1]["verdict"] == "same"
    given[:2] = ["old.txt", "bad.txt"]
    succeed("compare", *given, folder=files)
    failed = run("compare", *given, "--fail-if-worse", folder=files)
    assert failed.code == 1
    assert "whether bleu of bad.txt is worse than that of old.txt is undecidable" in failed.errors
    assert "take more --samples" in failed.errors


def test_gates_of_what_is_not_scored(files: Path) -> None:
    for options, hint in (
        (["--length", "--min", "length=5"], "of lengths neither more nor less is better"),
        (["--min", "foo=3"], "name one of bleu"),
        (["--min", "chrf=3"], "add -m chrf"),
    ):
        failed = run("compare", *GIVEN, *options, folder=files)
        assert failed.code == 2 and hint in " ".join(failed.errors.split())


def test_the_reason_for_a_zero(files: Path) -> None:
    write(files / "zero.txt", ["nothing"] * len(REFERENCES))
    found = succeed("compare", "old.txt", "zero.txt", "-r", "ref.txt", "-f", "json", folder=files)
    assert "zero.txt: bleu: the score is 0 because no n-gram of order 1 matches" in found.errors
    assert found.records[1]["warnings"][0].startswith("the score is 0 because")
    assert found.records[0]["warnings"] == []


def test_runs_are_named(files: Path) -> None:
    given = ["base.0", "base.1", "best.0", "best.1", "-r", "ref.txt", "--runs", "2"]
    table = succeed("compare", *given, folder=files).output
    assert "runs of base: base.0, base.1\n" in table and "runs of best: best.0, best.1\n" in table
    records = succeed("compare", *given, "-f", "json", folder=files).records
    assert records[1]["run_names"] == ["best.0", "best.1"] and len(records[1]["runs"]) == 2


def test_lower_is_better_is_shown(files: Path) -> None:
    for options, head in (([], "  TER ↓\n"), (["--details"], "  ter ↓  ")):
        given = [*GIVEN, "-m", "bleu", "-m", "ter", *options]
        table = succeed("compare", *given, folder=files).output
        assert head in table and "↓ ter: lower is better\n" in table
        assert "bleu ↓" not in table.lower()
    csv_rows = succeed("compare", *GIVEN, "-m", "ter", "-f", "csv", folder=files).output
    assert "↓" not in csv_rows
