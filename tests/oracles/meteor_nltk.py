"""NLTK's METEOR by its definition: three greedy passes over lists from which matches are taken out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple


class Alignment(NamedTuple):
    """Pairs of places by the hypothesis, and how many runs of neighbours they form."""

    pairs: list[tuple[int, int]]
    chunks: int


def align(
    hypothesis: Sequence[str],
    reference: Sequence[str],
    stem: Callable[[str], str],
    related: Callable[[str], Iterable[str]],
) -> Alignment:
    """Match from the last hypothesis word on, each with the last reference word that will do."""
    left = list(enumerate(map(str.lower, hypothesis)))
    right = list(enumerate(map(str.lower, reference)))
    pairs: list[tuple[int, int]] = []

    def take(fits: Callable[[str, str], bool]) -> None:
        for i in reversed(range(len(left))):
            for j in reversed(range(len(right))):
                if fits(left[i][1], right[j][1]):
                    pairs.append((left.pop(i)[0], right.pop(j)[0]))
                    break

    take(lambda ours, theirs: ours == theirs)
    left[:] = [(place, stem(word)) for place, word in left]
    right[:] = [(place, stem(word)) for place, word in right]
    take(lambda ours, theirs: ours == theirs)
    take(lambda ours, theirs: theirs in {ours, *related(ours)})
    pairs.sort()
    breaks = sum(after != (before[0] + 1, before[1] + 1) for before, after in pairwise(pairs))
    return Alignment(pairs, breaks + 1 if pairs else 0)


def score(
    alignment: Alignment,
    hypothesis_length: int,
    reference_length: int,
    alpha: Fraction,
    beta: int,
    gamma: Fraction,
) -> Fraction:
    """The score, from 0 to 1, in exact arithmetic."""
    matches = len(alignment.pairs)
    if matches == 0:
        return Fraction(0)
    precision = Fraction(matches, hypothesis_length)
    recall = Fraction(matches, reference_length)
    mean = precision * recall / (alpha * precision + (1 - alpha) * recall)
    return mean * (1 - gamma * Fraction(alignment.chunks, matches) ** beta)
