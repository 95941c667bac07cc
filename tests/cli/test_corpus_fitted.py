"""Corpus-fitted metrics on the command line are fitted on all references, whatever they are read from."""

from __future__ import annotations

import gzip
import json
import os
import threading
from html import escape
from pathlib import Path
from typing import Any

import pytest

import cocarde
from tests.cli.runner import run, succeed
from tests.plugins import ENTRY_POINTS, WeightedOverlap, install

ROOT = Path(__file__).resolve().parents[2]
# More than a batch: what the last part holds changes the weights of the first.
LINES = 11_000
REFERENCES = [f"a b{i % 7} {'c d & e' if i < LINES // 2 else 'f <g> h'} end" for i in range(LINES)]
HYPOTHESES = [f"a b{i % 5} {'c f & e' if i < LINES // 2 else 'f <g> c'} end" for i in range(LINES)]
PADDING = "w" * 400


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fitted")
    install(folder, "tests-of-fits", ENTRY_POINTS)
    for name, lines in (("h", HYPOTHESES), ("r", REFERENCES)):
        padded = [f"{line} {PADDING}" for line in lines]
        text = "".join(f"{line}\n" for line in padded)
        (folder / name).write_text(text)
        (folder / f"{name}.gz").write_bytes(gzip.compress(text.encode(), 1))
        rows = (json.dumps({"text": line}) for line in padded)
        (folder / f"{name}.jsonl").write_text("".join(f"{row}\n" for row in rows))
        kind, who = ("tst", "sysid") if name == "h" else ("ref", "refid")
        segments = "".join(
            f'<seg id="{i}">{escape(line)}</seg>\n' for i, line in enumerate(padded, 1)
        )
        (folder / f"{name}.sgm").write_text(
            f'<{kind}set setid="s" srclang="any" trglang="en">\n<doc docid="d" {who}="x">\n'
            f"{segments}</doc>\n</{kind}set>\n"
        )
    assert (folder / "r").stat().st_size > (4 << 20)
    return folder


def with_metrics(folder: Path) -> dict[str, str]:
    """Return the environment in which a process finds the metrics of `install`."""
    return {
        "PYTHONPATH": os.pathsep.join(
            map(str, [folder, ROOT, Path(cocarde.__file__).resolve().parents[1]])
        )
    }


def score(folder: Path, *arguments: str, **options: Any) -> dict[str, Any]:
    options |= with_metrics(folder)
    done = succeed("score", *arguments, "-f", "json", folder=folder, **options)
    return {record["metric"]: record for record in done.records}


@pytest.fixture(scope="module")
def expected() -> Any:
    texts = [[f"{line} {PADDING}" for line in lines] for lines in (HYPOTHESES, REFERENCES)]
    return WeightedOverlap().corpus_score(*texts)


@pytest.mark.parametrize("threads", ["1", "3"])
@pytest.mark.parametrize(
    "files",
    [["h", "r"], ["h.gz", "r.gz"], ["h.jsonl:text", "r.jsonl:text"], ["h.sgm", "r.sgm"]],
    ids=lambda files: files[1],
)
def test_every_format(folder: Path, expected: Any, files: list[str], threads: str) -> None:
    hypotheses, references = files
    given = [hypotheses, "-r", references, "-m", "weighted-overlap,bleu", "--threads", threads]
    found = score(folder, *given)["weighted-overlap"]
    assert found["score"] == pytest.approx(expected.score, rel=1e-9)
    assert found["signature"] == expected.signature
    assert "|fit:11000[" in found["signature"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are a POSIX thing")
def test_what_can_be_read_only_once(folder: Path, expected: Any) -> None:
    """Hypotheses are read once anyway; references that are not a file are kept in memory."""
    text = (folder / "h").read_bytes()
    found = score(folder, "-", "-r", "r", "-m", "weighted-overlap", stdin=text)
    assert found["weighted-overlap"]["score"] == pytest.approx(expected.score, rel=1e-9)
    text = (folder / "r").read_bytes()
    found = score(folder, "h", "-r", "-", "-m", "weighted-overlap", stdin=text)
    assert found["weighted-overlap"]["signature"] == expected.signature
    os.mkfifo(folder / "pipe")
    writer = threading.Thread(target=(folder / "pipe").write_bytes, args=[text])
    writer.start()
    found = score(folder, "h", "-r", "pipe", "-m", "weighted-overlap")
    writer.join()
    assert found["weighted-overlap"]["score"] == pytest.approx(expected.score, rel=1e-9)


@pytest.mark.parametrize("files", [["h", "r"], ["h.sgm", "r.sgm"]], ids=lambda files: files[0])
def test_systems_share_the_fit(folder: Path, expected: Any, files: list[str]) -> None:
    hypotheses, references = files
    systems = [f"a={hypotheses}", f"b={references}"] if references == "r" else [f"a={hypotheses}"]
    given = [*systems, "-r", references, "-m", "weighted-overlap", "-f", "json"]
    for command in (["score"], ["compare", "--samples", "10"]):
        done = succeed(*command, *given, folder=folder, **with_metrics(folder))
        scores = [record["score"] for record in done.records]
        assert scores == pytest.approx([expected.score, 100][: len(systems)], rel=1e-9)
        assert all(f"|{expected.signature.split('|')[1]}|" in r["signature"] for r in done.records)


def test_segments_and_errors(folder: Path, expected: Any) -> None:
    for name, lines in (("h3", HYPOTHESES), ("r3", REFERENCES)):
        chosen = [*lines[:2], lines[-1]]
        (folder / name).write_text("".join(f"{line}\n" for line in chosen))
    given = ["h3", "-r", "r3", "-m", "weighted-overlap", "-f", "json", "--level", "segment"]
    records = succeed("score", *given, folder=folder, **with_metrics(folder)).records
    texts = [(folder / name).read_text().splitlines() for name in ("h3", "r3")]
    scores = WeightedOverlap().segment_scores(*texts)
    assert [one["score"] for one in records] == pytest.approx(scores.tolist())
    assert {one["signature"].split("|")[1][:5] for one in records} == {"fit:3"}
    done = run(
        "score", "h", "-r", "r3", "-m", "weighted-overlap", folder=folder, **with_metrics(folder)
    )
    assert done.code == 2 and "h has 11000" in done.errors
