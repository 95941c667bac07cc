"""The native kernel beside the plain definitions, where tokens repeat and sequences are long."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cocarde import ROUGE
from tests.oracles import rouge as definition

pytestmark = pytest.mark.filterwarnings("ignore::cocarde.errors.CocardeWarning")

# Few words, so that repeats happen; some share their first eight bytes.
WORDS = ["a", "b", "é", "international", "internationally", "中"]
MEASURES = ("precision", "recall", "fmeasure")

tokens = st.integers(1, len(WORDS)).flatmap(
    lambda size: st.lists(st.sampled_from(WORDS[:size]), max_size=90)
)
texts_of_sentences = st.lists(
    st.lists(st.sampled_from(WORDS[:4]), max_size=20).map(tuple), max_size=5
)


def values(rouge: ROUGE, hypothesis: Any, reference: Any, name: str) -> tuple[float, ...]:
    row = rouge.statistics([hypothesis], [reference])
    return tuple(float(row[f"{name}_{measure}"][0]) for measure in MEASURES)


@given(tokens, tokens)
def test_ngrams_and_subsequences(hypothesis: list[str], reference: list[str]) -> None:
    rouge = ROUGE(rouge_types=["rouge1", "rouge2", "rouge5", "rougeL"])
    for n in (1, 2, 5):
        assert values(rouge, hypothesis, reference, f"rouge{n}") == definition.rouge_n(
            hypothesis, reference, n
        )
    assert values(rouge, hypothesis, reference, "rougeL") == definition.rouge_l(
        hypothesis, reference
    )


@given(tokens, tokens, st.integers(0, 4))
def test_distinct_ngrams(hypothesis: list[str], reference: list[str], extra: int) -> None:
    rouge = ROUGE(rouge_types=["rouge1", f"rouge{2 + extra}"], exclusive=True)
    for n in (1, 2 + extra):
        assert values(rouge, hypothesis, reference, f"rouge{n}") == definition.rouge_n_distinct(
            hypothesis, reference, n
        )


@given(texts_of_sentences, texts_of_sentences)
def test_unions_of_subsequences(
    hypothesis: list[tuple[str, ...]], reference: list[tuple[str, ...]]
) -> None:
    rouge = ROUGE(rouge_types=["rougeLsum"], tokenize="none")
    first, second = ("\n".join(map(" ".join, text)) for text in (hypothesis, reference))
    assert values(rouge, first, second, "rougeLsum") == definition.rouge_l_sum(
        hypothesis, reference
    )


@pytest.mark.parametrize("words", [1, 2, 5, 400, 5000])
@pytest.mark.parametrize("length", [63, 64, 65, 128, 700, 2047, 2049, 2300])
def test_long_subsequences(length: int, words: int) -> None:
    """Around the sizes at which the representation changes, with few and many distinct words."""
    rng = random.Random(length * words)
    first = [str(rng.randrange(words)) for _ in range(length)]
    second = [str(rng.randrange(words)) for _ in range(length + rng.randrange(3))]
    longest = definition.lcs_length(first, second)
    row = ROUGE(rouge_types=["rougeL"]).statistics([first], [second])
    assert row["rougeL_precision"][0] == longest / len(first)
    assert row["rougeL_recall"][0] == longest / len(second)


@pytest.mark.parametrize("words", [3, 300])
@pytest.mark.parametrize("length", [130, 2100])
def test_long_sentences_in_a_union(length: int, words: int) -> None:
    """A union over one sentence is its longest subsequence, guarded against counting twice."""
    rng = random.Random(length)
    first = [str(rng.randrange(words)) for _ in range(length)]
    second = [str(rng.randrange(words)) for _ in range(length)]
    row = ROUGE(rouge_types=["rougeL", "rougeLsum"]).statistics([first], [second])
    assert row["rougeLsum_recall"][0] == row["rougeL_recall"][0] > 0


@given(tokens, st.lists(tokens, min_size=1, max_size=4))
def test_several_references(hypothesis: list[str], references: list[list[str]]) -> None:
    name = "rougeL"
    single = [definition.rouge_l(hypothesis, reference) for reference in references]
    best = ROUGE(rouge_types=[name])
    assert values(best, hypothesis, references, name) == max(single, key=lambda found: found[2])
    mean = values(ROUGE(rouge_types=[name], multiple="mean"), hypothesis, references, name)
    assert np.allclose(mean, np.mean(single, axis=0), rtol=1e-12, atol=0)
    beta = 1.2
    precision = max(found[0] for found in single)
    recall = max(found[1] for found in single)
    maxima = ROUGE(rouge_types=[name], multiple="maxima", beta=beta)
    found = values(maxima, hypothesis, references, name)
    assert found[:2] == (precision, recall)
    assert found[2] == pytest.approx(definition.f_measure(precision, recall, beta), rel=1e-12)


@given(st.lists(st.tuples(tokens, tokens), min_size=1, max_size=4))
def test_pairwise_is_each_pair(pairs: list[tuple[list[str], list[str]]]) -> None:
    hypotheses, references = map(list, zip(*pairs, strict=True))
    rouge = ROUGE()
    table = rouge.pairwise(hypotheses, references)
    for i, hypothesis in enumerate(hypotheses):
        for j, reference in enumerate(references):
            alone = rouge.segment_scores([hypothesis], [reference])
            assert {name: part[i, j] for name, part in table.items()} == {
                name: part[0] for name, part in alone.items()
            }
