"""Tuning METEOR against the jar's Trainer: the objective at every point, and the best point."""

from __future__ import annotations

import gzip
import itertools
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import pytest

from cocarde import METEOR, tune_meteor
from cocarde.tuning.meteor import grid_values
from tests import meteor_peer
from tests.tuning_data import judged

DATA = judged(1, 12)
FIRST = (0.2, 0.0, 0.1, 0.25, 1.0, 0.0, 0.5, 0.0)
STEP = (0.4, 0.5, 0.4, 0.25, 1.0, 0.5, 0.5, 0.5)
STAGES = ("exact", "stem", "synonym", "paraphrase")


def markup(kind: str, lines: list[str]) -> str:
    body = "".join(
        f'<seg id="{number}">{escape(line)}</seg>\n' for number, line in enumerate(lines, start=1)
    )
    head = f'<{kind} setid="made-up" srclang="any" trglang="English">\n<doc docid="d" sysid="s">\n'
    return f"{head}{body}</doc>\n</{kind}>\n"


def trainer(task: str, folder: Path, last: tuple[float, ...], *options: str | Path) -> Any:
    """Run it; return its grid, and the objective at each of its points."""
    limits = [" ".join(map(str, numbers)) for numbers in (FIRST, last, STEP)]
    output = meteor_peer.run(
        "Trainer", task, folder, "-i", limits[0], "-f", limits[1], "-s", limits[2], *options
    )
    axes = [grid_values(*ends, accumulated=True) for ends in zip(FIRST, last, STEP, strict=True)]
    points = list(itertools.product(*axes))
    lines = output.splitlines()
    assert len(lines) == len(points)
    for line, point in zip(lines, points, strict=True):
        assert list(map(float, line.split()[1:])) == [round(value, 2) for value in point]
    return axes, dict(zip(points, (float(line.split()[0]) for line in lines), strict=True))


def compare(metric: METEOR, judgements: Any, axes: Any, theirs: Any, **options: Any) -> None:
    """Each value within 1e-9, and the first of the best points the same."""
    names = ("alpha", "beta", "gamma", "delta", *(metric.stages or ()))
    given = (DATA.systems, DATA.references, judgements)
    for point, value in theirs.items():
        chosen = dict(zip(names, point, strict=False))
        changes = {name: chosen[name] for name in names[:4]}
        weights = [chosen[name] for name in names[4:]]
        moved = metric.with_options(task=None, stage_weights=weights, **changes)
        found = tune_meteor(moved, *given, grid=chosen, folds=0, **options)
        assert found.before == pytest.approx(value, abs=1e-9), point
    grid = dict(zip(names, axes, strict=False))
    tuned = tune_meteor(metric, *given, grid=grid, search="exhaustive", folds=0, **options)
    best = max(theirs.values())
    first = next(point for point, value in theirs.items() if value >= best - 1e-12)
    assert tuned.after == pytest.approx(best, abs=1e-9)
    assert tuple(tuned.parameters.values()) == first[: len(names)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("task", "objective"), [("segcor", "weighted-pearson"), ("spearman", "spearman")]
)
def test_scores(task: str, objective: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # where the Trainer leaves files for a while
    table = tmp_path / "paraphrases.gz"
    table.write_bytes(gzip.compress(b"0.5\nbig\nlarge\n0.4\nhappily\nwith over\n"))
    folder = tmp_path / "data"
    folder.mkdir()
    for name, lines in DATA.systems.items():
        (folder / f"{name}.tst").write_text(markup("tstset", lines))
        (folder / f"{name}.ref").write_text(markup("refset", DATA.references))
        numbers = enumerate(DATA.scores[name], start=1)
        (folder / f"{name}.ter").write_text("".join(f"d {n} {x}\n" for n, x in numbers))
    last = (1.0, 1.0, 0.9, 1.0, 1.0, 0.5, 0.5, 0.5)
    axes, theirs = trainer(task, folder, last, "-a", table, "-noNorm")
    metric = METEOR(stages=STAGES, paraphrases=table)
    compare(metric, DATA.scores, axes, theirs, objective=objective)


@pytest.mark.slow
def test_rankings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "fr-en.ref.sgm").write_text(markup("refset", DATA.references))
    for name, lines in DATA.systems.items():
        (folder / f"fr-en.{name}.sgm").write_text(markup("tstset", lines))
    rankings = [*DATA.rankings, (0, "one", "absent")]
    (folder / "fr-en.rank").write_text(
        "".join(f"{s + 1}\tfr-en\t{a}\tfr-en\t{b}\n" for s, a, b in rankings)
    )
    # Whatever it is told, it matches exact forms and paraphrases for rankings, without case.
    axes, theirs = trainer("rank", folder, (1.0, 1.0, 0.9, 1.0, 1.0, 0.5, 0.5, 0.0))
    metric = METEOR(stages=("exact", "paraphrase"), lowercase=True)
    compare(metric, rankings, axes, theirs)
