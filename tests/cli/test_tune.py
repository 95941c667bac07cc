"""``cocarde tune``: what it reads, what it prints, and how it refuses."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import pytest

from cocarde import METEOR, tune_meteor
from cocarde.tuning.meteor import grid_values
from tests.cli.conftest import write
from tests.cli.runner import command, environment, refuse, run, succeed
from tests.processes import interruptible
from tests.tuning_data import judged

DATA = judged()
SYSTEMS = [f"fr-en.{name}.txt" for name in DATA.systems]
GRID = ["--grid", "beta=0:2:0.5", "--grid", "stem=0,0.5,1", "--grid", "synonym=0.8", "--folds", "3"]
OPTIONS: dict[str, Any] = {
    "grid": {"beta": grid_values(0, 2, 0.5), "stem": [0, 0.5, 1], "synonym": 0.8},
    "folds": 3,
}
NAMED = dict(zip(SYSTEMS, DATA.systems.values(), strict=True))


def ranking(segment: int, better: str, worse: str) -> str:
    return f"{segment + 1}\tfr-en\t{better}\tfr-en\t{worse}"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with systems, references, rankings and scores."""
    for name, lines in DATA.systems.items():
        write(tmp_path / f"fr-en.{name}.txt", lines)
        write(tmp_path / f"{name}.scores", [str(value) for value in DATA.scores[name]])
    write(tmp_path / "ref.txt", DATA.references)
    write(tmp_path / "fr-en.rank", [ranking(*one) for one in DATA.rankings])
    return tmp_path


def expected(judgements: Any, **options: Any) -> Any:
    tuning = tune_meteor(METEOR(), NAMED, DATA.references, judgements, **{**OPTIONS, **options})
    return json.loads(json.dumps(tuning.to_dict()))


def by_file(rankings: Any) -> Any:
    return [(s, f"fr-en.{a}.txt", f"fr-en.{b}.txt") for s, a, b in rankings]


def test_rankings(files: Path) -> None:
    given = [*SYSTEMS, "-r", "ref.txt", "--rankings", "fr-en.rank", *GRID]
    found = succeed("tune", *given, "-f", "json", folder=files)
    assert found.records == expected(by_file(DATA.rankings))
    assert found.errors == ""
    text = succeed("tune", *given, folder=files).output
    assert "48 rankings" in text and found.records["signature"] in text
    succeed("tune", *given, "-o", "tuned.txt", folder=files)
    assert (files / "tuned.txt").read_text() == text


def test_names_of_systems(files: Path) -> None:
    given = ["-r", "ref.txt", *GRID, "-f", "json"]
    packed = ["fr-en.one.txt.gz", *SYSTEMS[1:]]
    (files / packed[0]).write_bytes(gzip.compress((files / SYSTEMS[0]).read_bytes()))
    for pattern in ("{}", "fr-en.{}.txt", "fr-en.{}", "{}.txt"):
        named = [(s, pattern.format(a), pattern.format(b)) for s, a, b in DATA.rankings]
        write(files / "named.rank", [ranking(*one) for one in named])
        found = succeed("tune", *packed, *given, "--rankings", "named.rank", folder=files).records
        assert (found["judgements"], found["skipped"]) == (48, 0)


def test_systems_that_are_not_given_are_left_out_aloud(files: Path) -> None:
    given = ["-r", "ref.txt", "--rankings", "fr-en.rank", *GRID, "-f", "json"]
    found = succeed("tune", *SYSTEMS[:2], *given, folder=files)
    kept = [one for one in DATA.rankings if "three" not in one]
    assert found.records["judgements"] == len(kept)
    skipped = len(DATA.rankings) - len(kept)
    assert found.records["skipped"] == skipped
    assert f"{skipped} of 48 rankings are left out" in found.errors and "'three'" in found.errors
    assert succeed("tune", *SYSTEMS[:2], *given, "--quiet", folder=files).errors == ""


def test_scores_in_every_format(files: Path) -> None:
    columns = zip(*DATA.scores.values(), strict=True)
    write(
        files / "scores.tsv", ["\t".join(DATA.scores), *("\t".join(map(str, x)) for x in columns)]
    )
    lines = [
        json.dumps(dict(zip(DATA.scores, row, strict=True)))
        for row in zip(*DATA.scores.values(), strict=True)
    ]
    write(files / "scores.jsonl", lines)
    wanted = expected(dict(zip(SYSTEMS, DATA.scores.values(), strict=True)), objective="spearman")
    options = ["-r", "ref.txt", "--objective", "spearman", *GRID, "-f", "json"]
    for names in (
        [f"{name}.scores" for name in DATA.systems],
        ["scores.tsv:one,two,three"],
        ["scores.tsv:1", "scores.tsv:two", "scores.tsv:three"],
        [f"scores.jsonl:{name}" for name in DATA.systems],
    ):
        if "scores.tsv:1" in names:  # then the header is a number that is none
            error = refuse(
                "tune",
                *SYSTEMS,
                *options,
                *(x for n in names for x in ("--scores", n)),
                folder=files,
            )
            assert "scores.tsv:1: a score must be a number; found 'one'" in error
            continue
        judged_files = [part for name in names for part in ("--scores", name)]
        assert succeed("tune", *SYSTEMS, *options, *judged_files, folder=files).records == wanted


def test_empty_lines_were_not_judged(files: Path) -> None:
    write(files / "one.scores", ["", *map(str, DATA.scores["one"][1:])])
    given = [SYSTEMS[0], "-r", "ref.txt", "--scores", "one.scores", "--lower-is-better", *GRID]
    alone = tune_meteor(
        METEOR(), {SYSTEMS[0]: DATA.systems["one"]}, DATA.references,
        {SYSTEMS[0]: [None, *DATA.scores["one"][1:]]}, lower_is_better=True, **OPTIONS,
    )  # fmt: skip
    found = succeed("tune", *given, "-f", "json", folder=files).records
    assert found == json.loads(json.dumps(alone.to_dict())) and found["judgements"] == 11


def test_markup_has_ids(files: Path) -> None:
    ids = [100 + index for index in range(12)]
    for kind, name, lines in (
        ("tstset", "fr-en.one.sgm", DATA.systems["one"]),
        ("tstset", "fr-en.two.sgm", DATA.systems["two"]),
        ("refset", "fr-en.ref.sgm", DATA.references),
    ):
        body = [f'<seg id="{i}">{escape(x)}</seg>' for i, x in zip(ids, lines, strict=True)]
        head = f'<{kind} setid="t" srclang="any" trglang="en">'
        write(files / name, [head, '<doc docid="d" sysid="s">', *body, "</doc>", f"</{kind}>"])
    pairs = [one for one in DATA.rankings if "three" not in one]
    write(files / "ids.rank", [ranking(99 + s, a, b) for s, a, b in pairs])
    given = ["fr-en.one.sgm", "fr-en.two.sgm", "-r", "fr-en.ref.sgm", *GRID, "-f", "json"]
    found = succeed("tune", *given, "--rankings", "ids.rank", folder=files).records
    two = [*SYSTEMS[:2], "-r", "ref.txt", "--rankings", "fr-en.rank", *GRID, "-f", "json"]
    same = succeed("tune", *two, "--quiet", folder=files).records
    assert {**same, "skipped": 0} == found
    errors = refuse("tune", *given, "--rankings", "fr-en.rank", folder=files)
    assert "fr-en.rank:" in errors and "there is no segment" in errors


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1\tfr-en\tone\tfr-en", "bad.rank:2: a ranking has 5 cells"),
        (
            "13\tfr-en\tone\tfr-en\ttwo",
            "bad.rank:2: there is no segment '13'; they go from 1 to 12",
        ),
        ("0\tfr-en\tone\tfr-en\ttwo", "bad.rank:2: there is no segment '0'"),
        ("1\tfr-en\tone\tfr-en\tone", "bad.rank:2: 'one' cannot be better than itself"),
        ("1\tde-en\tone\tde-en\ttwo", "bad.rank:2: there are rankings of several pairs"),
    ],
)
def test_bad_rankings(line: str, message: str, files: Path) -> None:
    write(files / "bad.rank", [ranking(0, "one", "two"), line])
    assert message in refuse(
        "tune", *SYSTEMS, "-r", "ref.txt", "--rankings", "bad.rank", folder=files
    )


def test_bad_scores(files: Path) -> None:
    given = ["tune", SYSTEMS[0], "-r", "ref.txt", "--scores"]
    for word in ("good", "nan", "inf"):
        write(files / "bad.scores", ["1", word, *["2"] * 10])
        assert "bad.scores:2: a score must be a number" in refuse(
            *given, "bad.scores", folder=files
        )
    write(files / "bad.scores", ["1", "2"])
    assert "has 2 scores, but fr-en.one.txt has 12" in refuse(*given, "bad.scores", folder=files)
    write(files / "bad.jsonl", ['{"s": 1}', '{"s": true}', *['{"s": 2}'] * 10])
    assert "bad.jsonl:2: a score must be a number; found True" in refuse(
        *given, "bad.jsonl:s", folder=files
    )


def test_bad_command_lines(files: Path) -> None:
    given = ["tune", *SYSTEMS, "-r", "ref.txt"]
    assert "one of the two" in refuse(*given, folder=files)
    ranked = [*given, "--rankings", "fr-en.rank"]
    assert "one of the two" in refuse(*ranked, "--scores", "one.scores", folder=files)
    assert "3 systems but 1 files" in refuse(*given, "--scores", "one.scores", folder=files)
    for grid, message in (
        ("alpha", "there is no NAME=VALUES"),
        ("alpha=x", "'x' are not numbers"),
        ("alpha=0:1", "'0:1' are not numbers"),
        ("alpha=1:0:0.1", "a range goes from"),
        ("omega=1", "no parameter 'omega'"),
        ("alpha=2", "alpha must be from 0 to 1"),
    ):
        assert message in refuse(*ranked, "--grid", grid, folder=files)
    assert "given twice" in refuse(
        "tune", SYSTEMS[0], SYSTEMS[0], "-r", "ref.txt", "--rankings", "fr-en.rank", folder=files
    )
    write(files / "other.rank", [ranking(0, "x", "y")])
    error = refuse(*given, "--rankings", "other.rank", folder=files)
    assert "they name 'x', 'y'" in error and "yours are 'fr-en.one.txt'" in error
    write(files / "one", DATA.systems["one"])
    assert "may be fr-en.one.txt or one" in refuse(
        "tune", SYSTEMS[0], "one", "-r", "ref.txt", "--rankings", "fr-en.rank", folder=files
    )


def test_help() -> None:
    text = succeed("tune", "--help").output
    assert "--rankings" in text and "--scores" in text
    assert "tune" in run("--help").output


@pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")
def test_an_interrupt_ends_it_and_leaves_the_output_alone(files: Path) -> None:
    (files / "out.txt").write_text("before")
    arguments = ["tune", *SYSTEMS, "-r", "ref.txt", "--rankings", "fr-en.rank"]
    arguments += ["--search", "exhaustive", "--progress", "-o", "out.txt"]  # would take for ever
    with interruptible(
        command(*arguments), cwd=files, env=environment(), stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline().startswith("tuning, all data: ")
        process.send_signal(signal.SIGINT)
        start = time.monotonic()
        rest = process.communicate(timeout=20)[1]
    assert process.returncode == 130 and "interrupted" in rest and "Traceback" not in rest
    assert time.monotonic() - start < 10
    assert (files / "out.txt").read_text() == "before"
