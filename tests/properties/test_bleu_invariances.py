"""What must not change a score: threads, batches, merging order, the order of references."""

from __future__ import annotations

import pickle
import random
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cocarde
from cocarde import BLEU, References
from tests.comparison import assert_same_score
from tests.texts import corpus_in_many_scripts

pytestmark = pytest.mark.filterwarnings("ignore::cocarde.errors.CocardeWarning")

CORPUS = corpus_in_many_scripts(seed=311, segments=120)
HYPOTHESES = CORPUS.hypotheses
REFERENCES = CORPUS.references

METRICS = [
    BLEU(),
    BLEU(tokenize="intl", lowercase=True, max_ngram_order=6),
    BLEU(smooth_method="floor", reference_length="shortest"),
    *(BLEU.preset(name) for name in BLEU.presets() if name != "sacrebleu"),
    *(BLEU.preset("nltk", smooth_method=f"method{number}") for number in (1, 2, 3, 4, 5, 7)),
]
metrics = st.sampled_from(METRICS)
subsets = st.lists(st.integers(0, len(HYPOTHESES) - 1), min_size=1, max_size=30)


def pick(indices: list[int]) -> tuple[list[str], list[list[str | None]]]:
    """Some segments of the corpus, in this order."""
    return [HYPOTHESES[i] for i in indices], [REFERENCES[i] for i in indices]


def same_score(ours: Any, other: Any) -> None:
    """Equal in every field: the arithmetic is the same, so nothing may differ."""
    assert ours.score == other.score
    assert ours.scores == other.scores
    assert (ours.matches, ours.totals) == (other.matches, other.totals)
    assert ours.reference_length == other.reference_length


@pytest.fixture
def restore_threads() -> Iterator[None]:
    before = cocarde.get_num_threads()
    try:
        yield
    finally:
        cocarde.set_num_threads(before)


@pytest.mark.parametrize("metric", METRICS, ids=str)
def test_threads(metric: BLEU, restore_threads: None) -> None:
    results = []
    for threads in (1, 2, 3, 7):
        cocarde.set_num_threads(threads)
        results.append(metric.statistics(HYPOTHESES * 5, REFERENCES * 5).values)
    for values in results[1:]:
        assert np.array_equal(values, results[0])


@given(metric=metrics, indices=subsets, data=st.data())
def test_statistics_add_up(metric: BLEU, indices: list[int], data: st.DataObject) -> None:
    """Cut anywhere, in any number of parts: the same totals and the same score."""
    cuts = sorted(data.draw(st.lists(st.integers(1, len(indices)), max_size=5)))
    bounds = [0, *cuts, len(indices)]
    whole = metric.statistics(*pick(indices))
    accumulator = metric.accumulator()
    for first, last in pairwise(bounds):
        if first < last:
            accumulator.update(*pick(indices[first:last]))
    assert accumulator.totals is not None
    assert np.array_equal(accumulator.totals.values, whole.values.sum(axis=0))
    assert accumulator.count == len(indices)
    same_score(accumulator.compute(), metric.corpus_score(*pick(indices)))


@given(metric=metrics, indices=subsets, seed=st.integers(0, 1000))
def test_merging_in_any_order(metric: BLEU, indices: list[int], seed: int) -> None:
    rng = random.Random(seed)
    parts = []
    for index in indices:
        part = metric.accumulator()
        part.update(*pick([index]))
        parts.append(part)
    # NLTK's methods 5 to 7 depend on which segment comes last: keep that one there.
    ordered = parts[:-1]
    rng.shuffle(ordered)
    total = metric.accumulator()
    for part in [*ordered, parts[-1]]:
        total.merge(part)
    same_score(total.compute(), metric.corpus_score(*pick(indices)))


@given(metric=metrics, indices=subsets, seed=st.integers(0, 1000))
def test_order_of_segments(metric: BLEU, indices: list[int], seed: int) -> None:
    shuffled = indices[:-1]
    random.Random(seed).shuffle(shuffled)
    shuffled.append(indices[-1])
    same_score(metric.corpus_score(*pick(indices)), metric.corpus_score(*pick(shuffled)))


@given(metric=metrics, indices=subsets, seed=st.integers(0, 1000))
def test_order_of_references(metric: BLEU, indices: list[int], seed: int) -> None:
    if metric.reference_length == "closest-first":
        return  # the one convention in which it matters; see test_torch.py
    rng = random.Random(seed)
    hypotheses, references = pick(indices)
    shuffled = [rng.sample(group, len(group)) for group in references]
    ours = metric.statistics(hypotheses, references).values
    assert np.array_equal(metric.statistics(hypotheses, shuffled).values, ours)
    repeated = [[*group, *group] for group in references]
    if metric.reference_length != "average":
        assert np.array_equal(metric.statistics(hypotheses, repeated).values, ours)


@given(metric=metrics, indices=subsets)
def test_prepared_references(metric: BLEU, indices: list[int]) -> None:
    hypotheses, references = pick(indices)
    ready = metric.prepare(references)
    expected = metric.statistics(hypotheses, references).values
    assert np.array_equal(metric.statistics(hypotheses, ready).values, expected)
    other = HYPOTHESES[: len(indices)]
    assert np.array_equal(
        metric.statistics(other, ready).values, metric.statistics(other, references).values
    )
    same_score(metric.corpus_score(hypotheses, ready), metric.corpus_score(hypotheses, references))


@given(indices=subsets)
def test_streams(indices: list[int]) -> None:
    hypotheses, references = pick(indices)
    width = max(map(len, references))
    streams = [[group[n] if n < len(group) else None for group in references] for n in range(width)]
    bleu = BLEU()
    same_score(
        bleu.corpus_score(hypotheses, References.from_streams(*streams)),
        bleu.corpus_score(hypotheses, references),
    )


@given(
    metric=metrics,
    left=st.lists(st.integers(0, len(HYPOTHESES) - 1), min_size=1, max_size=8),
    right=st.lists(st.integers(0, len(HYPOTHESES) - 1), min_size=1, max_size=8),
)
def test_pairwise(metric: BLEU, left: list[int], right: list[int]) -> None:
    """Every hypothesis against every single reference, as one by one."""
    hypotheses = [HYPOTHESES[i] for i in left]
    references = [REFERENCES[i][0] or "" for i in right]
    matrix = metric.pairwise(hypotheses, references)
    assert matrix.shape == (len(left), len(right))
    for row, hypothesis in zip(matrix, hypotheses, strict=True):
        for value, reference in zip(row, references, strict=True):
            assert value == metric.segment_scores([hypothesis], [reference])[0]
            assert_same_score(value, metric.sentence_score(hypothesis, reference).score)


@given(metric=metrics, indices=subsets)
def test_segment_scores_are_sentence_scores(metric: BLEU, indices: list[int]) -> None:
    hypotheses, references = pick(indices)
    scores = metric.segment_scores(hypotheses, references)
    assert scores.shape == (len(indices),)
    for value, hypothesis, group in zip(scores, hypotheses, references, strict=True):
        assert_same_score(value, metric.sentence_score(hypothesis, group).score)


@given(metric=metrics, indices=subsets)
def test_scores_over_leading_axes(metric: BLEU, indices: list[int]) -> None:
    """`compute` of a stack of rows is `compute` of each row."""
    if metric.smooth_method in ("method5", "method6", "method7"):
        return  # of a stack each row is its own last segment; of totals the last segment is known
    values = metric.statistics(*pick(indices)).values
    stack = np.stack([values, values[::-1] * 2, values + values[::-1]])
    scores = metric.compute(stack)
    assert scores.shape == stack.shape[:-1]
    for index in np.ndindex(*scores.shape):
        assert_same_score(scores[index], metric.compute(stack[index]).score)


@given(indices=subsets)
def test_groups(indices: list[int]) -> None:
    """Sums by label are the statistics of each label's segments."""
    bleu = BLEU()
    labels = [index % 4 for index in indices]
    names, groups = bleu.statistics(*pick(indices)).group_sum(labels)
    assert names == list(dict.fromkeys(labels))
    scores = bleu.compute(groups)
    for name, row, score in zip(names, groups.values, scores, strict=True):
        part = [index for index, label in zip(indices, labels, strict=True) if label == name]
        expected = bleu.corpus_score(*pick(part))
        assert_same_score(score, expected.score)
        assert np.array_equal(row, bleu.statistics(*pick(part)).values.sum(axis=0))


@given(indices=subsets, tokenizer=st.sampled_from(["13a", "intl", "zh", "none", "char"]))
def test_lowercase_is_lowercasing_beforehand(indices: list[int], tokenizer: str) -> None:
    hypotheses, references = pick(indices)
    lowered = [[None if text is None else text.lower() for text in group] for group in references]
    inside = BLEU(tokenize=tokenizer, lowercase=True).statistics(hypotheses, references)
    before = BLEU(tokenize=tokenizer).statistics([text.lower() for text in hypotheses], lowered)
    assert np.array_equal(inside.values, before.values)


@pytest.mark.parametrize("metric", METRICS, ids=str)
def test_metrics_are_values(metric: BLEU) -> None:
    copy = pickle.loads(pickle.dumps(metric))
    assert copy == metric
    assert hash(copy) == hash(metric)
    assert BLEU.from_signature(metric.signature) == metric
    same_score(
        copy.corpus_score(HYPOTHESES, REFERENCES), metric.corpus_score(HYPOTHESES, REFERENCES)
    )


@given(metric=metrics, indices=subsets)
def test_range(metric: BLEU, indices: list[int]) -> None:
    """Scores are from 0 to 100, but for conventions that smooth beyond it."""
    hypotheses, references = pick(indices)
    top = 100.0 if metric.smooth_method not in ("method5", "method7") else 200.0
    for score in (
        metric.corpus_score(hypotheses, references).score,
        *metric.segment_scores(hypotheses, references),
    ):
        assert 0 <= score <= top * (1 + 1e-12)


@given(indices=subsets)
def test_a_copy_of_a_reference_is_perfect(indices: list[int]) -> None:
    _, references = pick(indices)
    copies = [group[-1] or group[0] or "" for group in references]
    score = BLEU(tokenize="char").corpus_score(copies, references)
    if score.hypothesis_length >= 4 and all(score.totals):
        assert_same_score(score.score, 100.0)
