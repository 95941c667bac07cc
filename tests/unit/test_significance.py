"""Comparisons: what is recorded, how it is shown, how it refuses."""

from __future__ import annotations

import json
import pickle
import random
import sys
import tracemalloc
import warnings
from fractions import Fraction
from itertools import product
from typing import Any, ClassVar

import numpy as np
import pytest

import cocarde
from cocarde import (
    BLEU,
    CHRF,
    METEOR,
    ROUGE,
    TER,
    CocardeWarning,
    InputError,
    MissingExtraError,
    OptionError,
    Runs,
)
from cocarde.significance import (
    compare_statistics,
    correct,
    estimate,
    holm,
    paired_bootstrap,
    paired_randomization,
)
from cocarde.significance.bootstrap import bootstrap_p_value
from cocarde.significance.resampling import document_totals

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
    outputs = {name: [texts] for name, texts in SYSTEMS.items()}
    found = compare_statistics(rows, metrics, samples=100, outputs=outputs)
    assert found == cocarde.compare(SYSTEMS, REFERENCES, metrics, samples=100)
    alone = compare_statistics(rows, metrics, samples=100)
    assert {one.differing_outputs for one in alone.results} == {None}
    with pytest.raises(InputError, match="outputs of system 'new' must be of 1 runs"):
        compare_statistics(rows, metrics, samples=100, outputs={**outputs, "new": [NEW[1:]]})
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
    assert str(found).split()[:4] == ["system", "BLEU", "ROUGE-1", "ROUGE-2"]
    half = f"{found['new', 'bleu'].interval.half_width:.2f}"
    assert f"new      {found['new', 'bleu'].score:.2f} ± {half} +" in str(found)
    lines = found.to_text(details=True).splitlines()
    assert lines[0].split()[:3] == ["system", "metric", "score"]
    assert any("better, best" in line for line in lines)
    # One line a row and a signature, however long.
    assert len(lines) == 1 + len(found.results) + 1 + len(set(found.signatures.values())) + 1
    assert f"bleu: {found.signatures['bleu']}" in lines
    table = found.to_markdown(1).splitlines()
    assert table[0] == "| system | BLEU | ROUGE-1 | ROUGE-2 | ROUGE-L | ROUGE-Lsum |"
    best = found["new", "bleu"]
    assert table[3].startswith(f"| new | **{best.score:.1f}** ± {best.interval.half_width:.1f} + |")
    assert table[4].startswith("| bad\\_one | ") and table[4].count(" - |") == 5
    latex = found.to_latex()
    assert r"bad\_one &" in latex and rf"\textbf{{{best.score:.2f}}}" in latex
    assert latex.count(r"\\") == 4 and r"\toprule" in latex
    page = found._repr_html_()
    assert page.count("<tr>") == 4 and "paired bootstrap" in page
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
        ({"samples": 0}, "samples must be a whole number from 1 to 1000000, found 0"),
        ({"samples": 10**15}, "samples must be .* to 1000000, found 1000000000000000"),
        (
            {"test": "multeval", "interval_samples": 10**9},
            "interval_samples must be .* to 1000000, found 1000000000",
        ),
        ({"confidence": 0.95}, "confidence is a percentage .* found 0.95; did you mean 95?"),
        ({"confidence": 0.05}, "found 0.05; did you mean 95?"),
        ({"confidence": 0}, "at least 50 and below 100, found 0"),
        ({"confidence": 100}, "at least 50 and below 100, found 100"),
        ({"confidence": "95"}, "found '95'"),
        ({"level": "paragraph"}, "level must be one of segment, document; found 'paragraph'"),
        ({"level": "document"}, "level='document' needs documents"),
        ({"documents": list("ab") * 12}, "documents goes with level='document'"),
        ({"seed": -1}, "seed must be a whole number of at least 0"),
        ({"confidence": 101}, "confidence is a percentage of at least 50 and below 100, found 101"),
        ({"interval_samples": 7}, "give samples alone"),
    ],
)
def test_options_out_of_range(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        compared(**options)


def test_wrong_systems() -> None:
    with pytest.raises(InputError, match="systems is a dictionary"):
        cocarde.compare([OLD, NEW], REFERENCES)  # type: ignore[list-item]
    with pytest.raises(InputError, match="systems is a dictionary"):
        cocarde.compare("old", REFERENCES)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="the system 'old' is given twice"):
        cocarde.compare([("old", OLD), ("old", NEW)], REFERENCES)
    with pytest.raises(InputError, match="system 'b' is one text, 'abc'; give the list"):
        cocarde.compare({"a": OLD, "b": "abc"}, REFERENCES)
    with pytest.raises(InputError, match="run 2 is one text, 'abc'"):
        Runs(OLD, "abc")
    with pytest.raises(OptionError, match="names has 1 names for 2 runs"):
        Runs(OLD, NEW, names=["one"])
    with pytest.raises(InputError, match="documents has 2 labels, but the systems have 24"):
        cocarde.compare({"a": OLD}, REFERENCES, level="document", documents=["x", "y"])
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


# --------------------------------------------------------------------------------------------------
# Documents

DOCUMENTS = [f"document {number // 3}" for number in range(len(REFERENCES))]
MIXED = [f"document {number % 8}" for number in range(len(REFERENCES))]


@pytest.mark.parametrize("labels", [DOCUMENTS, MIXED], ids=["contiguous", "mixed"])
@pytest.mark.parametrize("test", ["bootstrap", "randomization", "multeval"])
def test_documents_against_their_totals(test: str, labels: list[str]) -> None:
    """Documents are compared as a test set whose segments have the documents' statistics would be."""
    metrics: dict[str, Any] = {"b": BLEU(), "t": TER(), "r": ROUGE(rouge_types=["rougeL"])}
    found = cocarde.compare(
        SYSTEMS, REFERENCES, metrics, test=test, samples=200, level="document", documents=labels
    )
    rows = {
        name: {
            label: one.statistics(texts, REFERENCES).group_sum(labels)[1]
            for label, one in metrics.items()
        }
        for name, texts in SYSTEMS.items()
    }
    wanted = compare_statistics(rows, metrics, test=test, samples=200)
    plain = cocarde.compare(SYSTEMS, REFERENCES, metrics, test=test, samples=200)
    assert (found.level, found.documents, found.segments) == ("document", 8, 24)
    assert (plain.level, plain.documents) == ("segment", None)
    for key, one in found.items():
        assert one.score == plain[key].score
        # The order of documents is another where they are mixed, and so is what is drawn.
        if labels is DOCUMENTS:
            assert one.interval.low == pytest.approx(wanted[key].interval.low, abs=1e-9)
            assert one.p_value == wanted[key].p_value
        assert "|level:document|" in f"{one.signature}|" and "unit" not in plain[key].signature
        if one.wins is not None:
            assert one.wins + one.ties + one.losses == 8  # type: ignore[operator]
    assert BLEU.from_signature(found.signatures["b"]) == BLEU()


def test_documents_won() -> None:
    """A document's score is the corpus score of its segments."""
    found = cocarde.compare(
        SYSTEMS, REFERENCES, samples=9, level="document", documents=MIXED, seed=1
    )
    bleu = BLEU()
    gained = []
    for label in dict.fromkeys(MIXED):
        places = [place for place, one in enumerate(MIXED) if one == label]
        old, new = (
            bleu.corpus_score([texts[i] for i in places], [REFERENCES[i] for i in places]).score
            for texts in (OLD, NEW)
        )
        gained.append(new - old)
    one = found["new", "bleu"]
    assert one.wins == sum(gain > 1e-9 for gain in gained)
    assert one.losses == sum(gain < -1e-9 for gain in gained)


@pytest.mark.parametrize("labels", [DOCUMENTS, MIXED], ids=["contiguous", "mixed"])
@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
@pytest.mark.parametrize("smoothing", ["method5", "method6", "method7"])
def test_documents_of_conventions_that_read_the_last_segment(
    smoothing: str, test: str, labels: list[str]
) -> None:
    """One document a segment is no other test; and whatever the documents, the score stays."""
    metric = {"x": BLEU(formula="nltk", smooth_method=smoothing)}
    options: dict[str, Any] = {"test": test, "samples": 100}
    plain = cocarde.compare(SYSTEMS, REFERENCES, metric, **options)
    alone = cocarde.compare(
        SYSTEMS, REFERENCES, metric, level="document", documents=range(24), **options
    )
    grouped = cocarde.compare(
        SYSTEMS, REFERENCES, metric, level="document", documents=labels, **options
    )
    for key, one in plain.items():
        assert alone[key].interval == one.interval and alone[key].p_value == one.p_value
        assert grouped[key].score == one.score


# The last segment of one system is longer, and matches in more orders, than the other's.
LAST_MATTERS = ([*OLD[:6], "the c sat"], [*NEW[:6], f"{REFERENCES[6]} and more"])
# By first appearance x, y, z, but y ends before x, and z before both.
INTERLEAVED = ["x", "y", "z", "z", "y", "y", "x"]


@pytest.mark.parametrize("labels", [list("abcdefg"), INTERLEAVED], ids=["segments", "interleaved"])
@pytest.mark.parametrize("smoothing", ["method5", "method6", "method7"])
def test_shuffles_and_resamples_of_conventions_that_read_the_last_segment(
    smoothing: str, labels: list[str]
) -> None:
    """Against the scores of the texts themselves, exchanged and drawn document by document."""
    metric = BLEU(formula="nltk", smooth_method=smoothing)
    references, samples = REFERENCES[:7], 60
    ends = {label: index for index, label in enumerate(labels)}
    documents = sorted(ends, key=lambda label: ends[label])
    places = [[i for i, label in enumerate(labels) if label == one] for one in documents]

    def score(texts: Any, chosen: Any = range(7)) -> float:
        return metric.corpus_score(
            [texts[i] for i in chosen], [references[i] for i in chosen]
        ).score

    coins = np.random.default_rng(12345).integers(2, size=(samples, len(documents)), dtype=bool)
    exceeding = 0
    observed = abs(score(LAST_MATTERS[0]) - score(LAST_MATTERS[1]))
    for keeps in coins:
        pair = [list(texts) for texts in LAST_MATTERS]
        for i in (i for kept, group in zip(keeps, places, strict=True) if not kept for i in group):
            pair[0][i], pair[1][i] = pair[1][i], pair[0][i]
        exceeding += abs(score(pair[0]) - score(pair[1])) > observed + 1e-9
    drawn = np.random.default_rng(12345).integers(len(documents), size=(samples, len(documents)))
    resampled = [
        score(LAST_MATTERS[0], [i for number in row for i in places[number]]) for row in drawn
    ]
    systems = {"old": LAST_MATTERS[0], "new": LAST_MATTERS[1]}
    found = cocarde.compare(
        systems,
        references,
        {"x": metric},
        test="randomization",
        samples=samples,
        interval_samples=samples,
        level="document",
        documents=labels,
    )
    assert found["new", "x"].p_value == (exceeding + 1) / (samples + 1)
    wanted = estimate(np.array(resampled))
    interval = found["old", "x"].interval
    assert (interval.low, interval.high) == pytest.approx((wanted.low, wanted.high), abs=1e-9)
    rows = [metric.statistics(texts, references) for texts in LAST_MATTERS]
    units = [document_totals(one, labels) for one in rows]
    for given in (units, rows) if len(documents) == len(labels) else (units,):
        result = paired_randomization(metric, *given, samples=samples)["BLEU"]
        assert (result.p_value, result.exceeding) == (found["new", "x"].p_value, exceeding)


def test_documents_stand_by_their_last_segments() -> None:
    rows = BLEU(max_ngram_order=1).statistics(["a", "a b", "a b c"], ["a"] * 3)
    totals = document_totals(rows, ["x", "y", "x"])
    assert totals["hypothesis_length"].tolist() == [2, 4]
    assert totals.last is not None and totals.last[:, 0].tolist() == [2, 3]


def test_the_level_itself_is_not_significant() -> None:
    """Of 19 samples none had a larger difference: p is 1/20, and the level as much."""
    with pytest.warns(CocardeWarning, match="no p-value below"):
        found = cocarde.compare({"a": REFERENCES, "b": BAD}, REFERENCES, "chrf", samples=19)
    one = found["b", "chrf"]
    assert one.p_value == 0.05 and one.verdict == "same" and one.tied_with_best


def test_against_the_best_p_values_are_corrected_too() -> None:
    """Where the best one is not the baseline, which has a test of its own."""
    systems = {"bad": BAD, "old": OLD, "best": NEW}
    found = cocarde.compare(systems, REFERENCES, "chrf", correction="holm", samples=200)
    assert found["best", "chrf"].best and found.baseline == "bad"
    resampled = {
        name: paired_bootstrap(
            CHRF(),
            *(CHRF().statistics(texts, REFERENCES) for texts in (NEW, systems[name])),
            samples=200,
        )["chrF"].p_value
        for name in ("bad", "old")
    }
    wanted = dict(zip(resampled, holm(list(resampled.values())), strict=True))
    assert wanted != resampled
    for name, p_value in wanted.items():
        assert found[name, "chrf"].p_value_to_best == p_value
    assert found["best", "chrf"].p_value_to_best is None


def test_resamples_that_tie_with_the_observed_difference_do_not_exceed_it() -> None:
    # Centred on their mean they are -1 and 1, as large as what was observed.
    assert bootstrap_p_value(np.zeros(2), np.array([1.0, 3.0]), 1.0) == (1 / 3, 0)
    assert bootstrap_p_value(np.zeros(2), np.array([1.0, 3.0]), 1 - 1e-13) == (1 / 3, 0)
    assert bootstrap_p_value(np.zeros(2), np.array([1.0, 3.0]), 0.99) == (2 / 3, 1)


def test_deviation_of_few_samples() -> None:
    assert estimate(np.array([1.0, 3.0])).deviation == pytest.approx(2**0.5)
    assert estimate(np.array([1.0, 2.0, 4.0])).deviation == pytest.approx((7 / 3) ** 0.5)
    assert estimate(np.array([7.0])).deviation == 0


def test_tables_say_documents() -> None:
    found = cocarde.compare(
        SYSTEMS, REFERENCES, samples=1000, level="document", documents=DOCUMENTS
    )
    for text in (str(found), found.to_markdown(), found.to_latex(), found._repr_html_()):
        assert "paired bootstrap of 8 documents (24 segments), 1,000 resamples" in text
        assert "wins, ties and losses are those of documents" in text
    about = found.to_dict()
    assert (about["level"], about["documents"], about["segments"]) == ("document", 8, 24)
    one = cocarde.compare({"a": OLD}, REFERENCES, samples=1, level="document", documents=DOCUMENTS)
    assert "the interval is of resamples of 8 documents (24 segments)" in one.to_latex()


# --------------------------------------------------------------------------------------------------
# Too few segments, ties, warnings


def changed(count: int) -> list[str]:
    """The references with so many lines spoilt."""
    return [*BAD[:count], *REFERENCES[count:]]


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
@pytest.mark.parametrize(("confidence", "needed"), [(95, 6), (99, 8), (50, 3)])
def test_too_few_segments_to_tell(test: str, confidence: float, needed: int) -> None:
    for count in range(1, needed + 2):
        systems = {"a": REFERENCES, "b": changed(count)}
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            found = cocarde.compare(
                systems, REFERENCES, ["bleu", "chrf"], test=test, samples=500, confidence=confidence
            )
        one = found["b", "bleu"]
        assert one.differing == count
        if count < needed:
            (message,) = (str(one.message) for one in caught)
            assert message == found.warnings[0] and len(found.warnings) == 1
            assert message.startswith(
                f"the statistics of a and b differ in {count} of 24 segments (bleu, chrf), the outputs in "
                f"{count}: "
            )
            assert f"in fewer than {needed}, so" in message
            assert one.verdict == "same" and one.tied_with_best and not one.best
            assert len(one.warnings) == 1 and not found["a", "bleu"].warnings
            assert json.loads(json.dumps(found.to_dict()))["warnings"] == [message]
        else:
            assert not caught and not found.warnings and not one.warnings
            assert one.verdict == "worse"  # as soon as it can be told


def test_the_bound_is_that_of_all_shuffles() -> None:
    """Of the 2^k ways to exchange k outputs, at least two differ as much as the systems do."""
    metric = BLEU()
    for count in range(1, 8):
        old, new = (metric.statistics(texts, REFERENCES) for texts in (REFERENCES, changed(count)))
        observed = metric.compute(old.sum()).score - metric.compute(new.sum()).score
        larger = 0
        for coins in product([False, True], repeat=count):
            exchanged = np.zeros(24, dtype=bool)
            exchanged[:count] = coins
            sums = [
                np.where(exchanged[:, None], *pair).sum(axis=0)
                for pair in ((new.values, old.values), (old.values, new.values))
            ]
            first, second = metric.compute(np.array(sums))
            larger += abs(first - second) >= observed - 1e-9
        assert larger / 2**count >= 2.0 ** (1 - count)
        # All outputs that differ are worse: nothing but these two is as large.
        assert larger == 2


# One warning says it of all systems and metrics.
@pytest.mark.parametrize(
    ("samples", "confidence", "correction", "systems", "needed"),
    [
        (15, 95, None, 1, "20"),
        (19, 95, None, 1, "20"),
        (1000, 99.95, None, 1, "2,000"),
        (20, 95, "holm", 2, "40"),
        (1000, 95, "holm", 60, "1,200"),
        (20, 95, "benjamini-hochberg", 2, "40"),
    ],
)
@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
def test_too_few_samples_to_tell(
    test: str, samples: int, confidence: float, correction: str, systems: int, needed: str
) -> None:
    outputs = {"a": REFERENCES} | {f"b{number}": BAD for number in range(systems - 1)} | {"b": OLD}
    # What Benjamini and Hochberg allow depends on the others: this one does not differ.
    if correction == "benjamini-hochberg":
        outputs["b0"] = REFERENCES
    options: dict[str, Any] = {"test": test, "confidence": confidence, "correction": correction}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = cocarde.compare(outputs, REFERENCES, "chrf", samples=samples, **options)
    (message,) = (str(one.message) for one in caught)
    (one,) = found["b", "chrf"].warnings
    assert message == one and found.warnings == (message,)
    assert "can give no p-value below" in one and one.endswith(f"take at least {needed}")
    result = found["b", "chrf"]
    assert (result.verdict, result.decidable, result.scores_worse) == ("same", False, True)
    assert result.least_p_value >= (100 - confidence) / 100  # type: ignore[operator]
    assert result.corrected_p_value >= result.least_p_value  # type: ignore[operator]
    assert json.loads(json.dumps(result.to_dict()))["decidable"] is False
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        count = int(needed.replace(",", ""))
        enough = cocarde.compare(outputs, REFERENCES, "chrf", samples=count, **options)
    assert enough["b", "chrf"].decidable and enough["b", "chrf"].verdict == "worse"


def test_outputs_that_the_metric_cannot_tell_apart() -> None:
    """Chinese without spaces is one token to 13a: six outputs differ, the statistics of one."""
    references = [f"今天天气很好{number}" for number in "甲乙丙丁戊己"]
    first = [text.replace("很", "不") for text in references]
    second = [references[0], *(text.replace("很", "太") for text in references[1:])]
    with pytest.warns(
        CocardeWarning, match=r"differ in 1 of 6 segments \(bleu\), the outputs in 6: "
    ):
        found = cocarde.compare({"a": first, "b": second}, references, samples=20)["b", "bleu"]
    assert (found.differing, found.differing_outputs) == (1, 6)
    labels = ["x", "y", "y", "y", "y", "z"]
    found = cocarde.compare(
        {"a": first, "b": second}, references, samples=20, level="document", documents=labels
    )["b", "bleu"]
    assert (found.differing, found.differing_outputs) == (1, 3)
    # Whatever shape they have.
    shapes = {"a": [list(text) for text in first], "b": [tuple(text) for text in second]}
    found = cocarde.compare(shapes, [list(text) for text in references], "bleu:coco", samples=20)[
        "b", "bleu:coco"
    ]
    assert found.differing_outputs == 6


def test_systems_that_do_not_differ_need_no_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = cocarde.compare({"a": OLD, "b": list(OLD)}, REFERENCES, samples=50)
    assert (found["b", "bleu"].verdict, found["b", "bleu"].differing) == ("same", 0)
    assert found.warnings == ()


def test_runs_count_one_by_one_where_they_are_exchanged() -> None:
    runs = {"a": Runs(REFERENCES, REFERENCES), "b": Runs(changed(2), changed(3))}
    with pytest.warns(CocardeWarning, match="in 5 of 48 outputs: 24 segments of 2 runs"):
        found = cocarde.compare(runs, REFERENCES, test="randomization", samples=50)
    assert found["b", "bleu"].differing == found["b", "bleu"].differing_outputs == 5
    with pytest.warns(CocardeWarning, match="in 3 of 24 segments of 2 runs"):
        found = cocarde.compare(runs, REFERENCES, samples=50)
    assert found["b", "bleu"].differing == found["b", "bleu"].differing_outputs == 3


@pytest.mark.parametrize(
    ("metric", "field"),
    [(TER(), "edits"), (ROUGE(rouge_types=["rouge1"]), "rouge1_fmeasure")],
    ids=["ter", "rouge"],
)
def test_shuffles_that_tie_are_not_larger(metric: Any, field: str) -> None:
    """Exact numbers beside sums of thirds and sevenths, whose last bits depend on their order."""
    generator = random.Random(0)

    def words(count: int) -> str:
        return " ".join(generator.choice("abcdef") for _ in range(count))

    for _ in range(10):
        references = [[words(generator.randint(3, 7)) for _ in range(3)] for _ in range(9)]
        old = [words(generator.randint(3, 8)) for _ in range(9)]
        new = [words(5) if place < 6 else line for place, line in enumerate(old)]
        a, b = (metric.statistics(texts, references) for texts in (old, new))
        found = paired_randomization(metric, a, b, samples=400, seed=7)[metric.part_names[0]]
        # The lengths of TER's references stay where they are, as the number of ROUGE's segments does.
        gains = [
            Fraction(float(y)).limit_denominator(1000) - Fraction(float(x)).limit_denominator(1000)
            for x, y in zip(a[field], b[field], strict=True)
        ]
        tossed = np.random.default_rng(7).integers(2, size=(400, 9), dtype=bool)
        shuffled = [
            abs(sum((g if stays else -g for g, stays in zip(gains, row, strict=True)), Fraction(0)))
            for row in tossed.tolist()
        ]
        assert found.exceeding == sum(one > abs(sum(gains, Fraction(0))) for one in shuffled)


def test_shuffles_take_no_memory_of_their_own() -> None:
    metric = BLEU()
    rows = [metric.statistics(texts, REFERENCES) for texts in (OLD, NEW)]
    peaks = []
    for samples in (100_000, 400_000):
        tracemalloc.start()
        paired_randomization(metric, *rows, samples=samples)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.2 * peaks[0]


def test_pairs_and_prepared_references() -> None:
    wanted = compared(samples=50)
    assert cocarde.compare([*SYSTEMS.items()], REFERENCES, ["bleu", "rouge"], samples=50) == wanted
    bleu = BLEU()
    prepared = bleu.prepare(REFERENCES)
    found = cocarde.compare(SYSTEMS, prepared, ["bleu"], samples=50)
    assert found == cocarde.compare(SYSTEMS, REFERENCES, ["bleu"], samples=50)
    both = {"a": bleu, "b": bleu.with_options(smooth_method="floor")}  # of one tokenization
    assert cocarde.compare(SYSTEMS, prepared, both, samples=20).metrics == ("a", "b")
    with pytest.raises(InputError, match=r"rouge: these references were prepared for a"):
        cocarde.compare(SYSTEMS, prepared, ["bleu", "rouge"], samples=50)


def test_named_runs() -> None:
    runs = Runs(OLD, NEW, names=["first", "second"])
    assert pickle.loads(pickle.dumps(runs)).names == ("first", "second")
    found = cocarde.compare({"x": runs}, REFERENCES, samples=5)
    assert found["x", "bleu"].run_names == ("first", "second")
    assert "runs of x: first, second" in str(found)


def test_lower_is_better_is_shown() -> None:
    found = cocarde.compare(SYSTEMS, REFERENCES, ["bleu", "ter"], samples=50)
    assert (found["new", "ter"].higher_is_better, found["new", "bleu"].higher_is_better) == (
        False,
        True,
    )
    assert "TER ↓" in str(found) and ">TER ↓</th>" in found._repr_html_()
    assert "ter ↓" in found.to_text(details=True)
    assert found.to_markdown().startswith("| system | BLEU | TER ↓ |")
    assert r"system & BLEU & TER $\downarrow$ \\" in found.to_latex()
    for text in (str(found), found.to_markdown(), found.to_latex(), found._repr_html_()):
        assert "↓ ter: lower is better" in text


def test_why_a_score_is_zero() -> None:
    found = cocarde.compare({"a": OLD, "b": ["x"] * 24}, REFERENCES, samples=20)
    (reason,) = found["b", "bleu"].warnings
    assert reason.startswith("the score is 0 because")
    assert found.warnings == (f"b: bleu: {reason}",)
