"""NLTK's METEOR against its plain definition, with stems and synonyms of any kind."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cocarde.metrics.meteor.nltk import METEORNLTK
from cocarde.stemmers import Stemmer
from tests.comparison import assert_same_score
from tests.oracles import meteor_nltk as oracle


@dataclass(frozen=True)
class FirstTwo(Stemmer):
    """Keeps two letters."""

    name: str = field(default="first-two", init=False)

    def __call__(self, word: str) -> str:
        return word.lower()[:2]


# Words of three letters, so that there are equal words, equal stems and related stems.
words = st.text("abA", min_size=1, max_size=3)
segments = st.lists(words, max_size=12)
synonyms = st.dictionaries(st.text("ab", min_size=1, max_size=2), st.lists(words, max_size=4))
percent = st.integers(0, 100).map(lambda number: Fraction(number, 100))


@given(
    hypothesis=segments,
    references=st.lists(segments, min_size=1, max_size=4),
    synonyms=synonyms,
    alpha=percent,
    beta=st.integers(0, 5),
    gamma=percent,
)
def test_the_definition(
    hypothesis: list[str],
    references: list[list[str]],
    synonyms: dict[str, list[str]],
    alpha: Fraction,
    beta: int,
    gamma: Fraction,
) -> None:
    def related(word: str) -> Iterable[str]:
        return synonyms.get(word, ())

    metric = METEORNLTK(
        stemmer=FirstTwo(),
        wordnet=related,
        alpha=float(alpha),
        beta=float(beta),
        gamma=float(gamma),
    )
    expected = []
    for reference in references:
        alignment = oracle.align(hypothesis, reference, FirstTwo(), related)
        lengths = len(hypothesis), len(reference)
        score = oracle.score(alignment, *lengths, alpha, beta, gamma)
        expected.append(score)
        ours = metric.sentence_score([*hypothesis], [reference])
        assert (ours.matches, ours.chunks) == (len(alignment.pairs), alignment.chunks)
        assert (ours.hypothesis_length, ours.reference_length) == lengths
        assert_same_score(ours.fraction, float(score))
    assert_same_score(metric.sentence_score(hypothesis, references).fraction, float(max(expected)))
    pairs = metric.pairwise([hypothesis], references)
    assert np.allclose(pairs[0] / 100, np.array(expected, dtype=float), rtol=1e-12, atol=0)


@given(hypothesis=segments, reference=segments)
def test_range_and_what_is_perfect(hypothesis: list[str], reference: list[str]) -> None:
    metric = METEORNLTK(wordnet=None)
    score = metric.sentence_score([*hypothesis], [reference])
    assert 0 <= score.score <= 100
    assert score.matches <= min(len(hypothesis), len(reference))
    if hypothesis:
        itself = metric.sentence_score([*hypothesis], [[*hypothesis]])
        assert itself.matches == len(hypothesis)
