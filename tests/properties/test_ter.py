"""TER of every convention beside its definition, on pairs that provoke shifts."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cocarde
from cocarde import TER
from tests.oracles import ter as definition

pytestmark = pytest.mark.filterwarnings("ignore::cocarde.errors.CocardeWarning")

CONVENTIONS = {
    "sacrebleu": definition.SACREBLEU,
    "torch": definition.TORCH,
    "tercom": definition.TERCOM,
}
Words = list[str]


def check(name: str, hypothesis: Words, references: list[Words]) -> None:
    __tracebackhide__ = True
    metric = TER.preset(name)
    row = metric.statistics([hypothesis], [references]).values[0].tolist()
    assert row == pytest.approx(definition.row(hypothesis, references, CONVENTIONS[name]))
    explained: Any = cocarde.explain(metric, [hypothesis], [references], segment=0)
    chosen = references[explained.chosen - 1]
    after, _ = definition.edits(hypothesis, chosen, CONVENTIONS[name])
    assert [list(step.words) for step in explained.shift_steps] == after
    pairs = metric.pairwise([hypothesis], references)
    for reference, score in zip(references, pairs[0], strict=True):
        assert score == metric.sentence_score(hypothesis, [reference]).score


def words_of(letters: str, most: int) -> st.SearchStrategy[Words]:
    return st.lists(st.sampled_from(letters), max_size=most)


@pytest.mark.parametrize("name", CONVENTIONS)
@given(words_of("abc", 12), st.lists(words_of("abcd", 12), min_size=1, max_size=3))
@settings(max_examples=60, deadline=None)
def test_few_words(name: str, hypothesis: Words, references: list[Words]) -> None:
    check(name, hypothesis, references)


@pytest.mark.parametrize("name", CONVENTIONS)
@given(st.permutations("abcdefghijk"), st.permutations("abcdefghijk"))
@settings(max_examples=15, deadline=None)
def test_permutations(name: str, hypothesis: Words, reference: Words) -> None:
    check(name, hypothesis, [reference])


@pytest.mark.parametrize("name", CONVENTIONS)
@pytest.mark.parametrize("seed", range(3))
def test_long_pairs(name: str, seed: int) -> None:
    """So long and unlike that bands, beams and limits matter."""
    rng = random.Random(seed)
    reference = [str(rng.randrange(60)) for _ in range(rng.randrange(35, 55))]
    words = list(reference)
    for _ in range(3):
        start = rng.randrange(len(words))
        phrase = words[start : start + rng.randrange(1, 14)]
        del words[start : start + len(phrase)]
        place = rng.randrange(len(words) + 1)
        words[place:place] = [*phrase, *["new"] * rng.choice([0, 0, 6, 25])]
    check(name, words, [reference])


FIFTY = [f"w{i}" for i in range(49)]


def test_a_word_exactly_50_places_to_the_right() -> None:
    """It moves; one place farther it does not."""
    for between, shifts in ((FIFTY, 1), ([*FIFTY, "w49"], 0)):
        hypothesis = ["x", *between, "y"]
        reference = [*between, "y", "x"]
        row = TER().statistics([hypothesis], [reference])
        assert row["shifts"].tolist() == [shifts], len(between)
        assert row.values[0].tolist() == definition.row(
            hypothesis, [reference], definition.SACREBLEU
        )


def test_a_word_exactly_50_places_to_the_left() -> None:
    for between, shifts in ((FIFTY, 1), ([*FIFTY, "w49"], 0)):
        row = TER().statistics([[*between, "y", "x"]], [["x", *between, "y"]])
        assert row["shifts"].tolist() == [shifts], len(between)


def test_a_search_that_tries_exactly_1000_phrases_gives_up() -> None:
    """The step with the thousandth moves none, although it has no more and one of them would gain."""
    words, reference = list("abaaabbbabababbabaaaab"), list("bbbababbaaabaaaaaaabbbbaa")
    check("sacrebleu", words, [reference])
    after, _ = definition.edits(words, reference, definition.SACREBLEU)
    tried = 0
    for step in (words, *after):
        _, way = definition.trace(step, reference, tercom=False)
        tried += len(list(definition.phrases(step, reference, way, definition.SACREBLEU)))
    assert tried == 1000
    gains, _ = definition.best_shift(step, reference, definition.SACREBLEU, 0)
    assert gains is not None
