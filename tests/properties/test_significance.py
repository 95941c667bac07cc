"""What must hold for every pair of systems, against plain definitions of resamples and corrections."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cocarde
from cocarde import BLEU, METEOR, ROUGE
from cocarde.significance import (
    benjamini_hochberg,
    estimate,
    holm,
    paired_bootstrap,
    paired_randomization,
)
from cocarde.significance.bootstrap import resampled_scores
from cocarde.significance.resampling import weighted_sums

pytestmark = pytest.mark.filterwarnings("ignore::cocarde.errors.CocardeWarning")

words = st.lists(st.sampled_from("abcde"), min_size=1, max_size=9).map(" ".join)


@st.composite
def corpora(draw: st.DrawFn, systems: int = 2) -> tuple[list[list[str]], list[str]]:
    count = draw(st.integers(1, 12))
    texts = st.lists(words, min_size=count, max_size=count)
    return [draw(texts) for _ in range(systems)], draw(texts)


METRICS = [
    BLEU(),
    BLEU.preset("nltk"),
    BLEU(formula="nltk", smooth_method="method5"),  # reads the last segment
    ROUGE(rouge_types=["rouge1", "rougeL"]),
    METEOR.preset("nltk"),
]
TESTS: list[Any] = [paired_bootstrap, paired_randomization]


@pytest.mark.parametrize("metric", METRICS, ids=str)
@pytest.mark.parametrize("test", TESTS)
@settings(deadline=None, max_examples=15)
@given(corpus=corpora(), seed=st.integers(0, 99))
def test_pairs(test: Any, metric: Any, corpus: Any, seed: int) -> None:
    (first, second), references = corpus
    a, b = (metric.statistics(texts, references) for texts in (first, second))
    forth = test(metric, a, b, samples=50, seed=seed)
    back = test(metric, b, a, samples=50, seed=seed)
    same = test(metric, a, a, samples=50, seed=seed)
    for part in metric.part_names:
        assert forth[part].p_value == back[part].p_value
        assert forth[part].delta == pytest.approx(-back[part].delta, abs=1e-9)
        assert 1 / 51 <= forth[part].p_value <= 1
        assert (same[part].delta, same[part].p_value) == (0, 1)
        if forth[part].p_value < 1:
            assert forth[part].p_value == (forth[part].exceeding + 1) / 51
        # One run is the system itself; the same run three times has its score.
        assert test(metric, [a], [b], samples=50, seed=seed) == forth
    if test is paired_bootstrap:
        thrice = test(metric, [a] * 3, [b] * 3, samples=50, seed=seed)
        for part in metric.part_names:
            assert thrice[part].p_value == forth[part].p_value


@pytest.mark.parametrize("metric", METRICS, ids=str)
@settings(deadline=None, max_examples=15)
@given(corpus=corpora(1), seed=st.integers(0, 99))
def test_resamples_are_corpora(metric: Any, corpus: Any, seed: int) -> None:
    """A resample's score is the corpus score of the texts that were drawn."""
    (texts,), references = corpus
    count = len(texts)
    rows = metric.statistics(texts, references)
    (scores,) = resampled_scores([(metric, rows)], np.random.default_rng(seed), 4)
    drawn = np.random.default_rng(seed).choice(count, size=(4, count), replace=True)
    for sample, chosen in enumerate(drawn.tolist()):
        score = metric.corpus_score([texts[i] for i in chosen], [references[i] for i in chosen])
        for part, one in score.parts().items():
            assert scores[part][sample] == pytest.approx(one.score, abs=1e-9)


@settings(deadline=None, max_examples=30)
@given(st.integers(1, 200), st.integers(1, 1200), st.integers(1, 50), st.integers(0, 9))
def test_weighted_sums(samples: int, segments: int, width: int, seed: int) -> None:
    generator = np.random.default_rng(seed)
    weights = generator.integers(0, 4, size=(samples, segments)).astype(float)
    rows = generator.integers(0, 100, size=(segments, width)).astype(float)
    wanted = np.einsum("sn,nk->sk", weights, rows)
    assert (weighted_sums(weights, rows) == wanted).all()


p_values = st.lists(st.floats(0, 1), max_size=8)


@given(p_values)
def test_holm_steps_down(values: list[float]) -> None:
    found = holm(values)
    for index, p in enumerate(values):
        # Rejected at a level if it and all smaller ones are below level / (how many are left).
        smaller = sorted(values)[: sorted(values).index(p) + 1]
        wanted = max((len(values) - rank) * q for rank, q in enumerate(smaller))
        assert found[index] == pytest.approx(min(1, wanted))
    assert all(new >= old for new, old in zip(found, values, strict=True))


@given(p_values)
def test_benjamini_hochberg_steps_up(values: list[float]) -> None:
    found = benjamini_hochberg(values)
    for index, p in enumerate(values):
        wanted = min(
            len(values) * q / sum(other <= q for other in values) for q in values if q >= p
        )
        assert found[index] == pytest.approx(min(1, wanted))


@given(st.lists(st.floats(-100, 100), min_size=1, max_size=300), st.floats(0, 100))
def test_estimate(values: list[float], confidence: float) -> None:
    interval = estimate(np.array(values), confidence)
    assert min(values) <= interval.low <= interval.high <= max(values)
    beyond = sum(value < interval.low for value in values)
    assert beyond <= len(values) * (100 - confidence) / 200 + 1e-9
    whole = estimate(np.array(values), 100)
    assert (whole.low, whole.high) == (min(values), max(values))


@settings(deadline=None, max_examples=20)
@given(corpora(3), st.sampled_from(["bootstrap", "randomization"]))
def test_comparisons_are_made_of_pairs(corpus: Any, test: str) -> None:
    outputs, references = corpus
    systems = dict(zip("abc", outputs, strict=True))
    bleu = BLEU(effective_order=True)
    found = cocarde.compare(systems, references, {"x": bleu}, test=test, samples=40, baseline="b")
    function = paired_bootstrap if test == "bootstrap" else paired_randomization
    rows = {name: bleu.statistics(texts, references) for name, texts in systems.items()}
    best = max(found[name, "x"].score for name in systems)
    for name, texts in systems.items():
        one = found[name, "x"]
        assert one.score == bleu.corpus_score(texts, references).score
        assert one.best == (one.score == best)
        if name == "b":
            assert one.p_value is None and one.wins is None
            continue
        pair = function(bleu, rows["b"], rows[name], samples=40)["BLEU"]
        assert one.p_value == one.corrected_p_value == pair.p_value
        assert one.delta == pytest.approx(pair.delta, abs=1e-12)
        gained = bleu.segment_scores(texts, references) - bleu.segment_scores(
            systems["b"], references
        )
        assert one.wins == (gained > 1e-9).sum() and one.losses == (gained < -1e-9).sum()
        assert one.wins + one.ties + one.losses == len(references)  # type: ignore[operator]
