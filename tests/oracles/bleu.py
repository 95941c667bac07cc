"""BLEU as Papineni, Roukos, Ward and Zhu define it (ACL 2002, section 2).

A candidate n-gram counts as a match at most as often as it occurs in the single reference where it
occurs most often ("modified n-gram precision", 2.1). The effective reference length is the sum over
the segments of the reference length closest to the candidate's (2.2.2), the shorter one of two that
are equally close. ``BLEU = BP * exp(sum w_n log p_n)``, ``BP = 1 if c > r else exp(1 - r / c)``.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence

Tokens = Sequence[Hashable]


def ngrams(tokens: Tokens, order: int) -> list[tuple[Hashable, ...]]:
    """All n-grams of one order, repeated ones repeated."""
    return [tuple(tokens[start : start + order]) for start in range(len(tokens) - order + 1)]


def matches(hypothesis: Tokens, references: Sequence[Tokens], order: int, clip: bool = True) -> int:
    """How many n-grams of the hypothesis the references give credit for."""
    in_references = [Counter(ngrams(reference, order)) for reference in references]
    credit = 0
    for ngram, count in Counter(ngrams(hypothesis, order)).items():
        most = max((counter[ngram] for counter in in_references), default=0)
        if clip:
            credit += min(count, most)
        elif most > 0:
            credit += count
    return credit


def reference_length(
    hypothesis: Tokens, references: Sequence[Tokens], which: str = "closest"
) -> int:
    """The reference length that the brevity penalty takes for one segment."""
    lengths = [len(reference) for reference in references]
    if which == "closest":
        return min(lengths, key=lambda length: (abs(length - len(hypothesis)), length))
    if which == "closest-first":
        return min(lengths, key=lambda length: abs(length - len(hypothesis)))
    if which == "shortest":
        return min(lengths)
    raise ValueError(which)


def statistics(
    hypothesis: Tokens,
    references: Sequence[Tokens],
    max_order: int = 4,
    which_length: str = "closest",
    clip: bool = True,
) -> list[int]:
    """``[hypothesis_length, reference_length, matches_1, total_1, matches_2, total_2, ...]``."""
    row = [len(hypothesis), reference_length(hypothesis, references, which_length)]
    for order in range(1, max_order + 1):
        row.append(matches(hypothesis, references, order, clip))
        row.append(len(ngrams(hypothesis, order)))
    return row


def add_up(rows: Sequence[Sequence[int]]) -> list[int]:
    """Totals of a corpus."""
    return [sum(column) for column in zip(*rows, strict=True)]


def brevity_penalty(hypothesis_length: float, reference_length: float) -> float:
    """1 for a candidate longer than the reference; an empty candidate has 0."""
    if hypothesis_length > reference_length:
        return 1.0
    if hypothesis_length == 0:
        return 0.0
    return math.exp(1 - reference_length / hypothesis_length)


def score(totals: Sequence[float], weights: Sequence[float] | None = None) -> float:
    """BLEU, 0 to 1, without smoothing: 0 as soon as an order has no match."""
    pairs = list(zip(totals[2::2], totals[3::2], strict=True))
    if weights is None:
        weights = [1 / len(pairs)] * len(pairs)
    if any(matched == 0 for matched, _ in pairs[: len(weights)]):
        return 0.0
    log_precision = sum(
        weight * math.log(matched / total)
        for weight, (matched, total) in zip(weights, pairs, strict=False)
    )
    return brevity_penalty(totals[0], totals[1]) * math.exp(log_precision)
