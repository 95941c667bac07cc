"""Bootstrap intervals of every dialect of ROUGE: what they are made of, and what they refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cocarde
from cocarde import ROUGE, InputError, OptionError
from cocarde.metrics.rouge.perl.program import rouge155_bootstrap

H = ["the cat sat", "a dog barks", "it rains"]
R = ["the cat sits", "the dog barks", "it snows"]
METRICS = [ROUGE(), ROUGE.preset("rouge-1.5.5")]


@pytest.mark.parametrize("rouge", METRICS, ids=lambda rouge: type(rouge).__name__)
def test_intervals_are_of_rows_of_segments_of_this_metric(rouge: Any) -> None:
    rows = rouge.statistics(H, R)
    _, documents = rows.group_sum(["a", "a", "b"])
    with pytest.raises(InputError, match="one row a segment, but row 0 is the sum of 2 segments"):
        rouge.intervals(documents)
    with pytest.raises(InputError, match=r"one row a segment, found an array of shape \("):
        rouge.intervals(rows.sum())
    with pytest.raises(InputError, match=r"one row a segment, found an array of shape \(0"):
        rouge.intervals(rows[:0])
    other = ROUGE(rouge_types=["rouge1"])
    for foreign in (other.statistics(H, R), cocarde.BLEU().statistics(H, R)):
        with pytest.raises(InputError, match="need this metric's statistics"):
            rouge.intervals(foreign)
    for nothing in (None, rows.values, "rows"):
        with pytest.raises(InputError, match=r"are of what ROUGE\.statistics returns, found"):
            rouge.intervals(nothing)
    assert list(rouge.intervals(rows, resamples=5)) == list(rouge.part_names)


@pytest.mark.parametrize("rouge", METRICS, ids=lambda rouge: type(rouge).__name__)
def test_options_that_are_no_numbers_are_named_as_the_caller_named_them(rouge: Any) -> None:
    rows = rouge.statistics(H, R)
    for options, message in (
        ({"confidence": "95"}, "confidence must be a percentage from 1 to 100, found '95'"),
        ({"confidence": None}, "confidence must be a percentage from 1 to 100, found None"),
        ({"confidence": 0}, "confidence must be a percentage from 1 to 100, found 0"),
        ({"confidence": 10**400}, "confidence must be a percentage .*an integer of 1329 bits"),
        ({"confidence": 0.95}, "confidence is a percentage: say 95, not 0.95"),
        ({"resamples": 0}, "resamples must be a whole number from 1"),
        ({"resamples": 10**30}, "resamples must be a whole number from 1"),
    ):
        with pytest.raises(OptionError, match=message):
            rouge.intervals(rows, **options)
    many = rouge.intervals(rows, confidence=np.float32(90), resamples=np.int64(5))
    assert many == rouge.intervals(rows, confidence=90, resamples=5)


def test_seeds_of_numpy_are_seeds() -> None:
    rouge = ROUGE()
    rows = rouge.statistics(H, R)
    found = rouge.intervals(rows, resamples=5, seed=np.int64(3))
    assert found == rouge.intervals(rows, resamples=5, seed=3)
    with pytest.raises(OptionError, match="seed must be a whole number from 0"):
        rouge.intervals(rows, seed="3")  # type: ignore[arg-type]


def test_fractions_are_the_programs_digit_for_digit() -> None:
    """A hundred times a fraction, divided by 100 again, prints other digits now and then."""
    rouge = ROUGE.preset("rouge-1.5.5", rouge_types=["rouge1"])
    random = np.random.default_rng(0)
    moved = 0
    for _ in range(300):
        words = ["".join(row) for row in random.choice(list("ab"), (40, 1))]
        texts = [" ".join(words[place : place + 7]) for place in range(20)]
        rows = rouge.statistics(texts, texts[::-1])
        expected = rouge155_bootstrap(rows.values[:, 1:], rouge.options, resamples=3)
        interval = rouge.intervals(rows, resamples=3)["rouge1"]
        for ours, theirs in (
            (interval.low_fraction, expected.lower[0]),
            (interval.mid_fraction, expected.mean[0]),
            (interval.high_fraction, expected.upper[0]),
        ):
            assert ours == tuple(theirs.tolist())
            moved += sum(100 * value / 100 != value for value in ours)
        assert interval.low == tuple(100 * value for value in interval.low_fraction)
    assert moved  # or there would be nothing to tell apart
