"""Bootstrap intervals of every dialect of ROUGE: what they are made of, and what they refuse."""

from __future__ import annotations

from typing import Any

import pytest

import cocarde
from cocarde import ROUGE, InputError

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
