"""chrF's native kernel beside the plain definitions, for every shape of text and option."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cocarde import CHRF
from tests.oracles import chrf as definition

pytestmark = pytest.mark.filterwarnings("ignore::cocarde.errors.CocardeWarning")

# Few characters, so that long n-grams repeat; or any, so that tables of them grow.
few = st.text(alphabet="ab .é", max_size=400)
words = st.lists(st.sampled_from(["the", "(the", "the)", "a.", "中文", "é"]), max_size=90).map(
    " ".join
)
anything = st.text(st.characters(), max_size=60)
texts = few | words | anything
options = st.fixed_dictionaries(
    {
        "char_order": st.sampled_from([0, 1, 2, 5, 6, 7, 8, 9, 14, 15, 20]),
        "word_order": st.sampled_from([1, 2, 3, 8, 16]),
        "whitespace": st.booleans(),
    }
)


def expected(hypothesis: str, reference: str, given_options: dict[str, Any]) -> list[int]:
    rest = dict(given_options)
    spaces = "counted" if rest.pop("whitespace") else "dropped"
    row = definition.counts(hypothesis, reference, spaces=spaces, **rest)
    return [number for order in row for number in order]


@given(texts, texts, options)
def test_counts(hypothesis: str, reference: str, chosen: dict[str, Any]) -> None:
    row = CHRF(**chosen).statistics([hypothesis], [reference]).values[0]
    assert row.tolist() == expected(hypothesis, reference, chosen)


@pytest.mark.parametrize("size", [1, 2, 63, 64, 65, 128, 129, 511, 513])
@pytest.mark.parametrize("alphabet", ["ab", "abcdefghijklmnopqrstuvwxyz", "的一是不了人我在有他这"])
def test_counts_at_limits(size: int, alphabet: str) -> None:
    """Sizes at which the kernel goes from one way of counting to another."""
    draw = random.Random(size)
    hypothesis = "".join(draw.choices(alphabet, k=size))
    for other in (1, size // 2, size, 2 * size):
        reference = hypothesis[size // 3 :] + "".join(draw.choices(alphabet, k=other))
        for pair in ((hypothesis, reference), (" ".join(hypothesis), " ".join(reference))):
            for word_order in (2, 8, 9):
                chosen: dict[str, Any] = {
                    "char_order": 6,
                    "word_order": word_order,
                    "whitespace": False,
                }
                row = CHRF(**chosen).statistics([pair[0]], [pair[1]]).values[0]
                assert row.tolist() == expected(*pair, chosen)


def test_words_with_equal_tags() -> None:
    """Words are told apart by 16 bits of their hashes; of this many, some have those in common."""
    draw = random.Random(7)

    def drawn() -> str:
        return " ".join(
            "".join(draw.choices("abcdefghij", k=draw.randint(4, 12))) for _ in range(60)
        )

    hypotheses = [drawn() for _ in range(200)]
    references = [f"{x} {drawn()} {x}" for x in hypotheses]
    chosen: dict[str, Any] = {"char_order": 0, "word_order": 2, "whitespace": False}
    rows = CHRF(char_order=0, word_order=2).statistics(hypotheses, references).values
    for row, hypothesis, reference in zip(rows, hypotheses, references, strict=True):
        assert row.tolist() == expected(hypothesis, reference, chosen)


@settings(max_examples=40)
@given(st.lists(texts, min_size=1, max_size=4), st.lists(texts, min_size=1, max_size=4), options)
def test_pairs_are_segments(
    hypotheses: list[str], references: list[str], chosen: dict[str, Any]
) -> None:
    chrf = CHRF(**chosen)
    scores = chrf.pairwise(hypotheses, references)
    for i, hypothesis in enumerate(hypotheses):
        alone = chrf.segment_scores([hypothesis] * len(references), references)
        np.testing.assert_allclose(scores[i], alone, rtol=1e-12, atol=1e-12)


@given(st.lists(st.tuples(texts, st.lists(texts, min_size=1, max_size=4)), min_size=1, max_size=4))
def test_best_references(corpus: list[tuple[str, list[str]]]) -> None:
    hypotheses, references = [x for x, _ in corpus], [x for _, x in corpus]
    for smoothed in (False, True):
        chrf = CHRF(word_order=2, eps_smoothing=smoothed)
        score = definition.mean_of_f if smoothed else definition.f_of_means
        best = []
        for hypothesis, group in corpus:
            rows = [definition.counts(hypothesis, text, word_order=2) for text in group]
            best.append(max(score(row, 2) for row in rows))
        np.testing.assert_allclose(
            chrf.segment_scores(hypotheses, references), best, rtol=1e-9, atol=1e-12
        )


@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=4), st.integers(1, 3))
def test_popovic(corpus: list[tuple[str, str]], beta: int) -> None:
    chrf = CHRF.preset("popovic", beta=beta)
    rows = [definition.counts(*pair, word_order=2, spaces="blanks") for pair in corpus]
    found = chrf.corpus_score(*map(list, zip(*corpus, strict=True)))
    np.testing.assert_allclose(
        found.score, definition.mean_of_f(definition.add(rows), beta), rtol=1e-9, atol=1e-12
    )
    mean = sum(definition.mean_of_f(row, beta, only_matched=True) for row in rows) / len(rows)
    averaged = chrf.with_options(average="segments")
    np.testing.assert_allclose(
        averaged.corpus_score(*map(list, zip(*corpus, strict=True))).score,
        mean,
        rtol=1e-9,
        atol=1e-12,
    )


@given(texts, texts)
def test_swapping_the_texts_swaps_precision_and_recall(one: str, other: str) -> None:
    chrf = CHRF(word_order=1, beta=1)
    forth, back = chrf.sentence_score(one, other), chrf.sentence_score(other, one)
    assert forth.precision == pytest.approx(back.recall, rel=1e-12, abs=1e-12)
    assert forth.score == pytest.approx(back.score, rel=1e-9, abs=1e-12)


@given(texts)
def test_a_text_against_itself(text: str) -> None:
    score = CHRF(word_order=2).sentence_score(text, text).score
    assert score == pytest.approx(100 if text.split() else 0, rel=1e-12)


@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=4), st.sampled_from([0.5, 1, 2]))
def test_torch(corpus: list[tuple[str, str]], beta: float) -> None:
    """Counts and scores of ``torch`` by definition; of one reference each, so that none is picked."""
    chrf = CHRF.preset("torch", beta=beta)
    hypotheses, references = map(list, zip(*corpus, strict=True))
    rows = [definition.counts_of_torchmetrics(*pair, 6, 2) for pair in corpus]
    found = chrf.statistics(hypotheses, references)
    assert found.values.tolist() == [[n for order in row for n in order] for row in rows]
    np.testing.assert_allclose(
        chrf.segment_scores(hypotheses, references),
        [definition.mean_of_f(row, beta, only_matched=True) for row in rows],
        rtol=1e-12,
    )
    expected_score = definition.mean_of_f(definition.add(rows), beta, only_matched=True)
    score = chrf.corpus_score(hypotheses, references).score
    np.testing.assert_allclose(score, expected_score, rtol=1e-12)
