"""The native kernel beside the plain definition, on small vocabularies where n-grams repeat."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cocarde import BLEU
from tests.comparison import assert_same_score, assert_same_statistics
from tests.oracles import bleu as definition

# Few words, so that repeats and clipping happen; some share their first eight bytes.
WORDS = ["a", "b", "c", "é", "international", "internationally", "中", ""]


def sequences(longest: int = 25) -> st.SearchStrategy[list[int]]:
    """Token numbers of one segment; an empty segment is one of them."""
    return st.integers(1, len(WORDS)).flatmap(
        lambda size: st.lists(st.integers(0, size - 1), max_size=longest)
    )


@st.composite
def corpora(draw: Any, most_references: int = 5) -> tuple[list[list[int]], list[list[list[int]]]]:
    """One to five segments, each with one to five references."""
    count = draw(st.integers(1, 5))
    hypotheses = [draw(sequences()) for _ in range(count)]
    references = [
        draw(st.lists(sequences(), min_size=1, max_size=most_references)) for _ in range(count)
    ]
    return hypotheses, references


def words(segment: list[int]) -> list[str]:
    """The tokens behind the numbers."""
    return [WORDS[number] for number in segment]


def ragged(segments: list[list[int]]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """One array of values and the offsets of the segments."""
    offsets = np.cumsum([0, *map(len, segments)])
    return np.array([number for segment in segments for number in segment], dtype=np.int64), offsets


@pytest.mark.filterwarnings("ignore::cocarde.errors.CocardeWarning")
@given(
    corpus=corpora(),
    order=st.integers(1, 8),
    which=st.sampled_from(["closest", "closest-first", "shortest"]),
    clip=st.booleans(),
)
def test_statistics_are_those_of_the_definition(
    corpus: tuple[list[list[int]], list[list[list[int]]]], order: int, which: str, clip: bool
) -> None:
    hypotheses, references = corpus
    expected = [
        definition.statistics(hypothesis, group, order, which, clip)
        for hypothesis, group in zip(hypotheses, references, strict=True)
    ]
    bleu = BLEU(max_ngram_order=order, reference_length=which, clip=clip, force=True)
    as_words = [words(segment) for segment in hypotheses]
    word_references = [[words(segment) for segment in group] for group in references]
    for given_hypotheses, given_references in (
        (hypotheses, references),
        (as_words, word_references),
        ([tuple(segment) for segment in as_words], word_references),
        (
            [np.array(segment, dtype=np.int32) for segment in hypotheses],
            [[np.array(segment, dtype=np.int64) for segment in group] for group in references],
        ),
        (ragged(hypotheses), references),
    ):
        ours = bleu.statistics(given_hypotheses, given_references)
        assert_same_statistics(ours.values, expected, ours.fields, hypotheses, references)


@pytest.mark.filterwarnings("ignore::cocarde.errors.CocardeWarning")
@given(corpus=corpora(most_references=1), order=st.integers(1, 8))
def test_one_reference_in_every_shape(
    corpus: tuple[list[list[int]], list[list[list[int]]]], order: int
) -> None:
    hypotheses, references = corpus
    single = [group[0] for group in references]
    expected = [
        definition.statistics(hypothesis, group, order)
        for hypothesis, group in zip(hypotheses, references, strict=True)
    ]
    bleu = BLEU(max_ngram_order=order, force=True)
    for given_hypotheses, given_references in (
        (hypotheses, single),
        (ragged(hypotheses), ragged(single)),
        ([words(segment) for segment in hypotheses], [words(segment) for segment in single]),
    ):
        ours = bleu.statistics(given_hypotheses, given_references)
        assert_same_statistics(ours.values, expected, ours.fields, hypotheses, references)


@pytest.mark.filterwarnings("ignore::cocarde.errors.CocardeWarning")
@given(corpus=corpora(), order=st.integers(1, 8))
def test_text_is_its_tokens(
    corpus: tuple[list[list[int]], list[list[list[int]]]], order: int
) -> None:
    """Text without the empty word: cut at white space it gives the tokens back."""

    def text(segment: list[int]) -> str:
        return " ".join(word for word in words(segment) if word)

    hypotheses, references = corpus
    texts = [text(segment) for segment in hypotheses]
    groups = [[text(segment) for segment in group] for group in references]
    expected = [
        definition.statistics(hypothesis.split(), [one.split() for one in group], order)
        for hypothesis, group in zip(texts, groups, strict=True)
    ]
    bleu = BLEU(tokenize="none", max_ngram_order=order, force=True)
    ours = bleu.statistics(texts, groups)
    assert_same_statistics(ours.values, expected, ours.fields, texts, groups)


@pytest.mark.filterwarnings("ignore::cocarde.errors.CocardeWarning")
@given(corpus=corpora(), order=st.integers(1, 6))
def test_unsmoothed_score_is_that_of_the_definition(
    corpus: tuple[list[list[int]], list[list[list[int]]]], order: int
) -> None:
    hypotheses, references = corpus
    totals = definition.add_up(
        [
            definition.statistics(hypothesis, group, order)
            for hypothesis, group in zip(hypotheses, references, strict=True)
        ]
    )
    bleu = BLEU(smooth_method="none", max_ngram_order=order, effective_order=False, force=True)
    ours = bleu.corpus_score(hypotheses, references)
    assert_same_score(ours.fraction, definition.score(totals))
    for n, value in enumerate(ours.scores, start=1):
        assert_same_score(value / 100, definition.score(totals, [1 / n] * n), f"BLEU-{n}")


@pytest.mark.filterwarnings("ignore::cocarde.errors.CocardeWarning")
@given(
    repeats=st.lists(st.tuples(st.integers(0, 2), st.integers(1, 70)), min_size=1, max_size=6),
    reference_repeats=st.lists(
        st.tuples(st.integers(0, 2), st.integers(1, 70)), min_size=1, max_size=6
    ),
)
def test_long_runs_of_equal_tokens(
    repeats: list[tuple[int, int]], reference_repeats: list[tuple[int, int]]
) -> None:
    """Counts far over one, tables that have to grow."""
    hypothesis = [word for word, times in repeats for _ in range(times)]
    reference = [word for word, times in reference_repeats for _ in range(times)]
    expected = [definition.statistics(hypothesis, [reference])]
    ours = BLEU(force=True).statistics([hypothesis], [[reference]])
    assert_same_statistics(ours.values, expected, ours.fields, [hypothesis], [[reference]])


def test_many_distinct_tokens() -> None:
    """A long segment whose tokens are all different, then one with a large vocabulary."""
    rng = np.random.default_rng(5)
    hypothesis = list(range(3000))
    reference = rng.permutation(3000).tolist()
    other = rng.integers(0, 900, 3000).tolist()
    expected = [
        definition.statistics(hypothesis, [reference, other], 8),
        definition.statistics(other, [hypothesis, reference], 8),
    ]
    bleu = BLEU(max_ngram_order=8, force=True)
    hypotheses, references = [hypothesis, other], [[reference, other], [hypothesis, reference]]
    ours = bleu.statistics(hypotheses, references)
    assert_same_statistics(ours.values, expected, ours.fields, hypotheses, references)


@given(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=12))
def test_any_integer_is_a_token(numbers: list[int]) -> None:
    reference = numbers[::-1]
    expected = [definition.statistics(numbers, [reference], 4)]
    ours = BLEU(force=True).statistics([numbers], [[reference]])
    assert_same_statistics(ours.values, expected, ours.fields, [numbers], [[reference]])
