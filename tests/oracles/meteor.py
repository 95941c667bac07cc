"""METEOR written from the paper (Denkowski and Lavie, 2014): the best alignment by trying all, the score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

Pairs = tuple[tuple[int, int], ...]  # of a place in the hypothesis and one in the reference


def alignments(hypothesis: Sequence[str], reference: Sequence[str]) -> Iterator[Pairs]:
    """Every set of pairs of equal words in which no word occurs twice, by place in the reference."""

    def extend(place: int, used: frozenset[int]) -> Iterator[Pairs]:
        if place == len(reference):
            yield ()
            return
        yield from extend(place + 1, used)
        for i, word in enumerate(hypothesis):
            if word == reference[place] and i not in used:
                for rest in extend(place + 1, used | {i}):
                    yield ((i, place), *rest)

    yield from extend(0, frozenset())


def count_chunks(pairs: Pairs) -> int:
    """How many runs there are that are adjacent and in one order on both sides."""
    breaks = sum(b[0] != a[0] + 1 or b[1] != a[1] + 1 for a, b in pairwise(pairs))
    return breaks + 1 if pairs else 0


def best(hypothesis: Sequence[str], reference: Sequence[str]) -> tuple[int, int]:
    """The most matches, and the fewest chunks that they can have."""
    matches, chunks = max(
        (len(pairs), -count_chunks(pairs)) for pairs in alignments(hypothesis, reference)
    )
    return matches, -chunks


def score(
    counts: dict[str, float],
    weights: dict[str, float],
    *,
    alpha: float,
    beta: float,
    gamma: float,
    delta: float,
) -> float:
    """The score, from 0 to 1, of statistics by name."""

    def share(side: str) -> float:
        matched = sum(
            weight
            * (
                delta * counts[f"{stage}_{side}_content"]
                + (1 - delta) * counts[f"{stage}_{side}_function"]
            )
            for stage, weight in weights.items()
        )
        function_words = counts[f"{side}_function_words"]
        length = delta * (counts[f"{side}_length"] - function_words) + (1 - delta) * function_words
        return matched / length if length else 0.0

    precision, recall = share("hypothesis"), share("reference")
    matches = (counts["hypothesis_matches"] + counts["reference_matches"]) / 2
    if not matches or alpha * precision + (1 - alpha) * recall == 0:
        return 0.0
    mean = precision * recall / (alpha * precision + (1 - alpha) * recall)
    chunks = counts["chunks"] - counts["whole_segments"]
    penalty: float = gamma * (chunks / matches) ** beta
    return max(0.0, mean * (1 - penalty))
