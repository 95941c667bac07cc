"""chrF's and TER's kernels on texts that tempt code to read past an end; `make sanitize` watches.

Pairs come one by one, so that no memory is larger than they need: a read behind it is found.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import cocarde
from cocarde import CHRF, TER, _native
from cocarde.metrics.ter.explanation import TERExplanation
from tests.oracles import chrf as definition
from tests.texts import UGLY_TEXTS

pytestmark = pytest.mark.filterwarnings("ignore::cocarde.errors.CocardeWarning")

# Those of 100,000 characters have tests of their own.
TEXTS = [*(text for text in UGLY_TEXTS if len(text) < 1000), "(a) b. ,c", "xyz " * 90]


@pytest.mark.parametrize(
    ("chrf", "spaces"),
    [
        pytest.param(CHRF(), "dropped", id="defaults"),
        pytest.param(CHRF.preset("chrf++", whitespace=True), "counted", id="white space"),
        pytest.param(CHRF.preset("popovic"), "blanks", id="popovic"),
        pytest.param(CHRF.preset("nltk", min_char_order=3), "unicode", id="nltk"),
        pytest.param(CHRF(char_order=9, word_order=14), "dropped", id="numbers of 32 bits"),
        pytest.param(CHRF(char_order=15, word_order=20), "dropped", id="too long for a key"),
        pytest.param(CHRF(char_order=0, word_order=1), "dropped", id="words"),
    ],
)
def test_ngrams_of_every_pair(chrf: CHRF, spaces: str) -> None:
    lengths = {"char_order": chrf.char_order, "min_char_order": chrf.min_char_order}
    scores = np.empty((len(TEXTS), len(TEXTS)))
    for i, hypothesis in enumerate(TEXTS):
        for j, reference in enumerate(TEXTS):
            row = chrf.statistics([hypothesis], [reference]).values[0]
            wanted = definition.counts(
                hypothesis, reference, word_order=chrf.word_order or 0, spaces=spaces, **lengths
            )
            counts = [number for order in wanted for number in order]
            assert row[: len(counts)].tolist() == counts, (hypothesis, reference)
            scores[i, j] = chrf.compute(row, level="segment")
    np.testing.assert_allclose(chrf.pairwise(TEXTS, TEXTS), scores, rtol=1e-12, atol=1e-12)
    groups = chrf.segment_scores(TEXTS, [TEXTS] * len(TEXTS))
    np.testing.assert_allclose(groups, scores.max(axis=1), rtol=1e-12, atol=1e-12)


def check_way(ter: TER, hypothesis: Any, reference: Any) -> float:
    """Walk the way from one to the other, whose every edit has to fit, and return its length."""
    found = cocarde.explain(ter, [hypothesis], [[reference]], segment=0)
    assert isinstance(found, TERExplanation)
    kept = sum(edit.kind == "kept" for edit in found.word_edits)
    assert found.edits == len(found.shift_steps) + len(found.word_edits) - kept
    words = tuple(edit.reference for edit in found.word_edits if edit.reference is not None)
    assert words == found.references[0]
    return found.edits


@pytest.mark.parametrize(
    "ter",
    [TER(), TER(normalized=True, no_punct=True, asian_support=True, case_sensitive=True)],
    ids=["defaults", "all options"],
)
def test_edits_of_every_pair(ter: TER) -> None:
    edits = np.array([[check_way(ter, one, other) for other in TEXTS] for one in TEXTS])
    groups = ter.statistics(TEXTS, [TEXTS] * len(TEXTS))
    np.testing.assert_array_equal(groups["edits"], edits.min(axis=1))
    lengths = ter.statistics(TEXTS, TEXTS)["reference_length"]
    rates = 100 * np.where(lengths > 0, edits / np.maximum(lengths, 1), edits > 0)
    np.testing.assert_allclose(ter.pairwise(TEXTS, TEXTS), rates, rtol=1e-12)


# The band around the diagonal is 25 words wide on both sides, its rows are machine words of 64 columns,
# and beyond 24 words of the reference to one of the hypothesis they are a table.
SIZES = [0, 1, 2, 5, 24, 25, 26, 50, 51, 63, 64, 65, 127, 128, 129]


@pytest.mark.parametrize("vocabulary", [2, 30, 1000])
def test_edits_at_the_edges_of_machine_words(vocabulary: int) -> None:
    draw = random.Random(vocabulary)
    texts = [[draw.randrange(vocabulary) for _ in range(size)] for size in SIZES]
    edits = np.array([[check_way(TER(), one, other) for other in texts] for one in texts])
    lengths = np.array(SIZES)
    rates = 100 * np.where(lengths > 0, edits / np.maximum(lengths, 1), edits > 0)
    np.testing.assert_allclose(TER().pairwise(texts, texts), rates, rtol=1e-12)
    assert (edits >= abs(lengths[:, None] - lengths)).all()
    assert (edits <= np.maximum(lengths[:, None], lengths)).all()


@pytest.mark.parametrize(
    "sizes", [(40, 1100), (990, 1100), (1100, 990), (1100, 3), (3, 1100)], ids=str
)
def test_edits_of_references_without_masks(sizes: tuple[int, int]) -> None:
    """Of more than about a thousand words, places of words are searched."""
    draw = random.Random(5)
    hypothesis, reference = ([draw.randrange(300) for _ in range(size)] for size in sizes)
    assert abs(sizes[0] - sizes[1]) <= check_way(TER(), hypothesis, reference) <= max(sizes)


def test_the_way_through_a_hundred_thousand_words() -> None:
    reference = [str(number) for number in range(100_000)]
    hypothesis = list(reference)
    for place in (0, 50_000, 99_990):
        hypothesis[place : place + 4] = (
            hypothesis[place + 2 : place + 4] + hypothesis[place : place + 2]
        )
    columns = [_native.Column.of_tokens([words]) for words in (hypothesis, reference)]
    shifts, way = TER().kernel.path(columns[0], 0, columns[1], 0)
    assert len(shifts) == 3
    assert way == " " * 100_000
    assert TER().pairwise([hypothesis], [reference])[0, 0] == pytest.approx(100 * 3 / 100_000)
