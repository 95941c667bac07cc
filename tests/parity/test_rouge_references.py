"""Several references and aggregates: rouge-score, Hugging Face's definition, COCO, pltrdy, rouge-chinese.

Random texts of few words, with one to five references each: ties between references abound.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from cocarde import ROUGE
from tests.comparison import assert_same_score

pytestmark = pytest.mark.filterwarnings("ignore::cocarde.errors.CocardeWarning")

TYPES = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
MEASURES = ("precision", "recall", "fmeasure")


def random_text(rng: random.Random, words: list[str], longest: int = 16) -> str:
    return "".join(
        rng.choice(words) + rng.choice([" ", " ", " ", "\n", " . "])
        for _ in range(rng.randrange(1, longest))
    ).strip()


def random_corpus(seed: int, segments: int = 150) -> tuple[list[str], list[list[str]]]:
    rng = random.Random(seed)
    words = ["the", "The", "cats", "cat", "running", "runs", "on", "a", "mats", "well-known", "42"]
    hypotheses = [random_text(rng, words) for _ in range(segments)]
    references = [
        [random_text(rng, words) for _ in range(rng.randrange(1, 6))] for _ in range(segments)
    ]
    return hypotheses, references


class Cutter:
    """A function as rouge-score and Hugging Face want a tokenizer."""

    def __init__(self, function: Callable[[str], list[str]]) -> None:
        self.tokenize = function


def huggingface(
    predictions: list[str],
    references: list[Any],
    rouge_types: list[str],
    *,
    use_aggregator: bool = True,
    use_stemmer: bool = False,
    tokenizer: Callable[[str], list[str]] | None = None,
) -> dict[str, Any]:
    """What `evaluate`'s "rouge" computes: the first entry decides whether all have several references."""
    scoring = pytest.importorskip("rouge_score.scoring", reason="rouge-score is not installed")
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer(
        rouge_types,
        use_stemmer=use_stemmer,
        tokenizer=None if tokenizer is None else Cutter(tokenizer),
    )
    score = scorer.score_multi if isinstance(references[0], list) else scorer.score
    found = [score(ref, text) for ref, text in zip(references, predictions, strict=True)]
    if not use_aggregator:
        return {name: [one[name].fmeasure for one in found] for name in rouge_types}
    aggregator = scoring.BootstrapAggregator()
    for one in found:
        aggregator.add_scores(one)
    return {name: end.mid.fmeasure for name, end in aggregator.aggregate().items()}


CASES: list[dict[str, Any]] = [
    {},
    {"use_stemmer": True},
    {"tokenizer": str.split},
    {"rouge_types": ["rougeL", "rouge3"]},
]


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("options", CASES, ids=str)
def test_huggingface(options: dict[str, Any], several: bool) -> None:
    hypotheses, references = random_corpus(len(options) + several)
    theirs_get: list[Any] = references if several else [group[0] for group in references]
    given = {"rouge_types": TYPES, **options}
    ours_take = {{"tokenizer": "tokenize"}.get(name, name): one for name, one in options.items()}
    rouge = ROUGE.preset("huggingface", **ours_take)
    rows = rouge.statistics(hypotheses, theirs_get)
    segments = huggingface(hypotheses, theirs_get, use_aggregator=False, **given)
    for name, values in segments.items():
        assert np.array_equal(rows[f"{name}_fmeasure"], values), name
    np.random.seed(155)
    middles = huggingface(hypotheses, theirs_get, **given)
    intervals = rouge.intervals(rows, seed=155)
    assert list(intervals) == given["rouge_types"]
    score = rouge.corpus_score(hypotheses, theirs_get)
    for name, value in middles.items():
        assert_same_score(intervals[name].mid[2] / 100, value, name)
        # What we print in its place is the mean, which theirs scatters around.
        assert abs(score[name].fmeasure / 100 - value) < 0.01
        assert score[name].fmeasure == pytest.approx(100 * np.mean(segments[name]), rel=1e-12)


@pytest.mark.parametrize("use_stemmer", [False, True])
def test_score_multi(use_stemmer: bool) -> None:
    pytest.importorskip("rouge_score", reason="rouge-score is not installed")
    from rouge_score.rouge_scorer import RougeScorer

    hypotheses, references = random_corpus(7)
    scorer = RougeScorer(TYPES, use_stemmer=use_stemmer)
    rows = ROUGE(use_stemmer=use_stemmer).statistics(hypotheses, references)
    for index, (text, group) in enumerate(zip(hypotheses, references, strict=True)):
        theirs = scorer.score_multi(group, text)
        for name in TYPES:
            ours = tuple(rows[f"{name}_{measure}"][index] for measure in MEASURES)
            assert ours == tuple(theirs[name]), (name, text, group)


@pytest.mark.parametrize("confidence", [50, 90, 95])
def test_intervals_of_several_references(confidence: int) -> None:
    scoring = pytest.importorskip("rouge_score.scoring", reason="rouge-score is not installed")
    from rouge_score.rouge_scorer import RougeScorer

    hypotheses, references = random_corpus(8, segments=40)
    scorer = RougeScorer(TYPES)
    aggregator = scoring.BootstrapAggregator(confidence_interval=confidence / 100, n_samples=200)
    for text, group in zip(hypotheses, references, strict=True):
        aggregator.add_scores(scorer.score_multi(group, text))
    np.random.seed(9)
    theirs = aggregator.aggregate()
    rouge = ROUGE()
    rows = rouge.statistics(hypotheses, references)
    ours = rouge.intervals(rows, confidence=confidence, resamples=200, seed=9)
    for name in TYPES:
        for end in ("low", "mid", "high"):
            for a, b in zip(getattr(ours[name], end), getattr(theirs[name], end), strict=True):
                assert_same_score(a / 100, b, f"{name} {end}")


def test_coco_with_several_references() -> None:
    module = pytest.importorskip(
        "pycocoevalcap.rouge.rouge", reason="pycocoevalcap is not installed"
    )
    hypotheses, references = random_corpus(10, segments=400)
    mean, scores = module.Rouge().compute_score(
        dict(enumerate(references)), {i: [text] for i, text in enumerate(hypotheses)}
    )
    metric = ROUGE.preset("coco")
    rows = metric.statistics(hypotheses, references)
    assert np.array_equal(rows["rougeL_fmeasure"], scores)
    assert_same_score(metric.compute(rows.sum()).fraction, mean)


@pytest.mark.parametrize("exclusive", [True, False])
@pytest.mark.parametrize("preset", ["rouge", "rouge-chinese"])
@pytest.mark.parametrize("multiple", ["best", "mean", "maxima"])
def test_one_reference_packages_with_several(preset: str, exclusive: bool, multiple: str) -> None:
    """The packages take one reference; ours puts their numbers of each together as it says."""
    module = preset.replace("-", "_")
    package = pytest.importorskip(module, reason=f"{preset} is not installed")
    names = {"rouge1": "rouge-1", "rouge2": "rouge-2", "rougeL": "rouge-l"}
    hypotheses, references = random_corpus(11)
    peer = package.Rouge(metrics=list(names.values()), exclusive=exclusive)
    metric = ROUGE.preset(preset, exclusive=exclusive, multiple=multiple)
    rows = metric.statistics(hypotheses, references)
    compared = 0
    for index, (text, group) in enumerate(zip(hypotheses, references, strict=True)):
        try:
            found = [peer.get_scores(text, one)[0] for one in group]
        except (ValueError, ZeroDivisionError):  # a text without a sentence is refused
            continue
        compared += 1
        for name, theirs in names.items():
            triples = [[one[theirs][short] for short in "prf"] for one in found]
            ours = [rows[f"{name}_{measure}"][index] for measure in MEASURES]
            if multiple == "best":
                assert ours == max(triples, key=lambda triple: triple[2]), (name, text, group)
            elif multiple == "mean":
                np.testing.assert_allclose(ours, np.mean(triples, axis=0), rtol=1e-12)
            else:
                np.testing.assert_array_equal(ours[:2], np.max(triples, axis=0)[:2])
    assert compared > len(hypotheses) // 2
