"""Comparisons: what is recorded, how it is shown, how it refuses."""

from __future__ import annotations

import json
import pickle
import sys
from typing import Any, ClassVar

import numpy as np
import pytest

import cocarde
from cocarde import BLEU, METEOR, ROUGE, InputError, MissingExtraError, OptionError, Runs
from cocarde.significance import (
    compare_statistics,
    correct,
    holm,
    paired_bootstrap,
    paired_randomization,
)

REFERENCES = [f"the {noun} sat on the {place} today" for noun in "abcdefgh" for place in "xyz"]
OLD = [line.replace("sat", "sits") if i % 3 else line for i, line in enumerate(REFERENCES)]
NEW = [line.replace("sat", "sits") if i % 5 == 1 else line for i, line in enumerate(REFERENCES)]
BAD = [line.replace("the", "that") for line in REFERENCES]
SYSTEMS = {"old": OLD, "new": NEW, "bad_one": BAD}


class ErrorRate(BLEU):
    """A metric of which less is better."""

    higher_is_better: ClassVar[bool] = False


def compared(**options: Any) -> cocarde.Comparison:
    return cocarde.compare(SYSTEMS, REFERENCES, ["bleu", "rouge"], **{"samples": 200, **options})


def test_what_is_recorded() -> None:
    found = compared(seed=3, confidence=90, correction="holm")
    assert (found.baseline, found.test, found.samples, found.seed) == ("old", "bootstrap", 200, 3)
    assert (found.interval_samples, found.confidence, found.correction) == (200, 90, "holm")
    assert (found.segments, found.runs, found.systems) == (24, 1, tuple(SYSTEMS))
    assert found.metrics == ("bleu", "rouge1", "rouge2", "rougeL", "rougeLsum")
    assert found.signatures["bleu"].startswith("nrefs:1|bs:200|seed:3|case:mixed")
    raw = [found[name, "bleu"].p_value for name in ("new", "bad_one")]
    assert None not in raw
    assert [found[name, "bleu"].corrected_p_value for name in ("new", "bad_one")] == holm(
        raw  # type: ignore[arg-type]
    )
    new, bad = found["new", "bleu"], found["bad_one", "bleu"]
    assert (new.verdict, bad.verdict, found["old", "bleu"].verdict) == ("better", "worse", None)
    assert new.best and not bad.tied_with_best
    assert len(found) == 15 and found == pickle.loads(pickle.dumps(found))
    assert found == compared(seed=3, confidence=90, correction="holm")
    with pytest.raises(KeyError, match="there are the systems old, new, bad_one"):
        found["old", "ter"]


def test_signature_of_a_shuffled_test() -> None:
    found = compared(test="randomization", interval_samples=50)
    assert "nrefs:1|ar:200|bs:50|seed:12345|" in found.signatures["bleu"]
    assert BLEU.from_signature(found.signatures["bleu"]) == BLEU()


def test_a_seed_from_the_operating_system_is_recorded() -> None:
    found = compared(seed=None)
    again = compared(seed=found.seed)
    assert found == again
    assert found.seed != compared(seed=None).seed


def test_less_is_better() -> None:
    found = cocarde.compare(SYSTEMS, REFERENCES, {"error": ErrorRate()}, samples=200)
    best, worst = found["bad_one", "error"], found["new", "error"]
    assert best.best and best.verdict == "better" and worst.verdict == "worse"
    usual = cocarde.compare(SYSTEMS, REFERENCES, {"error": BLEU()}, samples=200)["new", "error"]
    assert (worst.wins, worst.losses) == (usual.losses, usual.wins)


def test_own_names_of_metrics() -> None:
    named = {"a": BLEU(), "b": BLEU(lowercase=True), "r": ROUGE(rouge_types=["rouge1", "rougeL"])}
    found = cocarde.compare(SYSTEMS, REFERENCES, named, samples=10)
    assert found.metrics == ("a", "b", "r rouge1", "r rougeL")


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
def test_one_system_has_an_interval(test: str) -> None:
    steps: list[tuple[str, int, int]] = []
    found = cocarde.compare(
        {"only": NEW},
        REFERENCES,
        test=test,
        samples=100,
        progress=lambda *step: steps.append(step),
    )
    one = found["only", "bleu"]
    assert one.interval.low < one.score < one.interval.high
    assert one.best and one.p_value is None
    assert steps[0] == ("scoring", 1, 1) and steps[-1][1] == steps[-1][2]


@pytest.mark.parametrize("test", ["bootstrap", "randomization", "multeval"])
def test_progress_reaches_its_end(test: str) -> None:
    steps: list[tuple[str, int, int]] = []
    compared(test=test, progress=lambda *step: steps.append(step))
    assert steps[:3] == [("scoring", done, 3) for done in (1, 2, 3)]
    assert steps[-1][0] == "resampling" and steps[-1][1] == steps[-1][2]


def test_runs() -> None:
    runs = {"old": [OLD, BAD], "new": Runs(NEW, OLD)}
    found = cocarde.compare(runs, REFERENCES, samples=100)
    bleu = BLEU()
    one = found["new", "bleu"]
    scores = [bleu.corpus_score(texts, REFERENCES).score for texts in (NEW, OLD)]
    assert one.runs == tuple(scores) and one.score == np.mean(scores)
    assert one.optimizer_deviation == np.std(scores, ddof=1)
    assert found.runs == 2
    header, *_ = str(found).splitlines()
    assert "s_sel" in header and "s_opt" in header
    # With two runs a permutation is its own inverse: nothing overlaps.
    rows = {k: [bleu.statistics(t, REFERENCES) for t in v] for k, v in runs.items()}
    exact = paired_randomization(bleu, rows["old"], rows["new"], samples=4000)["BLEU"].p_value
    other = paired_randomization(bleu, rows["old"], rows["new"], samples=4000, overlapping=True)[
        "BLEU"
    ].p_value
    assert other == pytest.approx(exact, abs=0.03)


def test_meteor_and_nltk_work_through_statistics_alone() -> None:
    metrics = {"m": METEOR(), "n": METEOR.preset("nltk"), "b": BLEU.preset("nltk")}
    rows = {
        name: {label: one.statistics(texts, REFERENCES) for label, one in metrics.items()}
        for name, texts in SYSTEMS.items()
    }
    found = compare_statistics(rows, metrics, samples=100)
    assert found == cocarde.compare(SYSTEMS, REFERENCES, metrics, samples=100)
    assert all(found["bad_one", label].verdict == "worse" for label in metrics)


def test_segments_without_a_score() -> None:
    # NLTK's method6 fails where nothing of order 3 matches.
    metric = BLEU(formula="nltk", smooth_method="method6")
    short = [*NEW[:-1], "the a sat"]
    found = cocarde.compare({"a": NEW, "b": short}, REFERENCES, {"x": metric}, samples=20)
    assert found["b", "x"].wins is None and found["b", "x"].p_value is not None


def test_dictionaries_and_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    found = compared()
    records = json.loads(json.dumps(found.to_records()))
    assert len(records) == 15
    assert {"system", "metric", "score", "signature", "seed", "p_value"} <= set(records[0])
    whole = json.loads(json.dumps(found.to_dict()))
    assert whole["results"][4]["score"] == found.results[4].score and whole["samples"] == 200
    for module in ("pandas", "polars"):
        monkeypatch.setitem(sys.modules, module, None)
        with pytest.raises(MissingExtraError, match=f"pip install {module}"):
            getattr(found, f"to_{module}")()


@pytest.mark.parametrize("module", ["pandas", "polars"])
@pytest.mark.parametrize("seed", [1, None])
def test_frames(module: str, seed: int | None) -> None:
    pytest.importorskip(module, reason=f"{module} is not installed")
    found = compared(seed=seed)
    frame = getattr(found, f"to_{module}")()
    assert frame.shape[0] == 15
    assert list(frame["score"]) == [one.score for one in found.results]


def test_renderings() -> None:
    found = compared()
    lines = str(found).splitlines()
    assert lines[0].split()[:3] == ["system", "metric", "score"]
    assert any("better, best" in line for line in lines)
    assert all(
        signature in str(found).replace("\n", "") for signature in [found.signatures["bleu"]]
    )
    table = found.to_markdown(1).splitlines()
    assert table[0] == "| system | bleu | rouge1 | rouge2 | rougeL | rougeLsum |"
    best = found["new", "bleu"]
    half = best.interval.half_width
    assert table[3].startswith(f"| new | **{best.score:.1f}** ± {half:.1f} + |")
    assert table[4].startswith("| bad\\_one | ") and table[4].count(" - |") == 5
    latex = found.to_latex()
    assert r"bad\_one &" in latex and rf"\textbf{{{best.score:.2f}}}" in latex
    assert latex.count(r"\\") == 4 and r"\toprule" in latex
    page = found._repr_html_()
    assert page.count("<tr>") == 16 and "paired bootstrap" in page
    with pytest.raises(OptionError, match="width"):
        found.to_latex(-1)


def test_html_escapes_names() -> None:
    page = cocarde.compare({"<b>": NEW}, REFERENCES, samples=5)._repr_html_()
    assert "<b>" not in page and "&lt;b&gt;" in page


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"test": "t-test"}, "test must be one of bootstrap, randomization, multeval"),
        ({"baseline": "odl"}, "baseline must be one of old, new, bad_one; found 'odl'"),
        ({"correction": "bonferroni"}, "correction must be one of holm, benjamini-hochberg"),
        ({"samples": 0}, "samples must be a whole number of at least 1"),
        ({"seed": -1}, "seed must be a whole number of at least 0"),
        ({"confidence": 101}, "confidence must be a number from 0 to 100"),
        ({"interval_samples": 7}, "give samples alone"),
    ],
)
def test_options_out_of_range(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        compared(**options)


def test_wrong_systems() -> None:
    with pytest.raises(InputError, match="systems is a dictionary"):
        cocarde.compare([OLD, NEW], REFERENCES)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="systems is empty"):
        cocarde.compare({}, REFERENCES)
    with pytest.raises(InputError, match=r"system 'new'.*23"):
        cocarde.compare({"old": OLD, "new": NEW[:-1]}, REFERENCES)
    with pytest.raises(InputError, match="system 'new' has 1 runs, but 'old' has 2"):
        cocarde.compare({"old": Runs(OLD, BAD), "new": NEW}, REFERENCES)
    with pytest.raises(InputError, match=r"may be runs or tokens; write Runs"):
        cocarde.compare({"a": [["x", "y"], ["z", "w"]]}, ["x y", "z w"])
    with pytest.raises(InputError, match="has no runs"):
        cocarde.compare({"a": Runs()}, REFERENCES)
    tokens = {"a": Runs([["x", "y"], ["z", "w"]])}
    assert cocarde.compare(tokens, [["x", "y"], ["z", "w"]], samples=3).runs == 1


def test_wrong_statistics() -> None:
    bleu, rouge = BLEU(), ROUGE()
    rows = bleu.statistics(OLD, REFERENCES)
    with pytest.raises(InputError, match="these are not BLEU's statistics"):
        paired_bootstrap(bleu, rows, rouge.statistics(OLD, REFERENCES))
    with pytest.raises(InputError, match="baseline has 24 segments, but system has 23"):
        paired_randomization(bleu, rows, rows[:23])
    with pytest.raises(InputError, match="a row for each segment"):
        paired_bootstrap(bleu, rows, rows.sum())
    with pytest.raises(InputError, match="baseline has 1 runs, but system has 2"):
        paired_bootstrap(bleu, rows, [rows, rows])
    with pytest.raises(InputError, match="has no statistics of bleu"):
        compare_statistics({"a": {}}, {"bleu": bleu})
    with pytest.raises(OptionError, match="at most 7 runs"):
        paired_randomization(bleu, [rows] * 8, [rows] * 8, overlapping=True)
    with pytest.raises(OptionError, match="p-values are"):
        correct([0.5, 1.5], "holm")
