"""GLEU from the definition in Wu et al. (2016), and of corpora as NLTK's documentation quotes its authors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence

Tokens = Sequence[Hashable]
Row = list[int]  # matches; n-grams of the longer text, of the hypothesis and of the reference


def ngrams(tokens: Tokens, least: int = 1, most: int = 4) -> Counter[tuple[Hashable, ...]]:
    """All sub-sequences of `least` to `most` tokens."""
    return Counter(
        tuple(tokens[start : start + n])
        for n in range(least, most + 1)
        for start in range(len(tokens) - n + 1)
    )


def counts(hypothesis: Tokens, reference: Tokens, least: int = 1, most: int = 4) -> Row:
    mine, theirs = ngrams(hypothesis, least, most), ngrams(reference, least, most)
    matches = sum(min(count, theirs[ngram]) for ngram, count in mine.items())
    return [matches, max(mine.total(), theirs.total()), mine.total(), theirs.total()]


def score(matches: int, mine: int, theirs: int) -> float:
    """The minimum of precision and recall; 0 where one of them is not defined."""
    return min(matches / mine, matches / theirs) if mine and theirs else 0.0


def row(hypothesis: Tokens, references: Sequence[Tokens], least: int = 1, most: int = 4) -> Row:
    """Of the first reference with the best score, among those that have something to compare."""
    found = [counts(hypothesis, reference, least, most) for reference in references]
    best = [0, 0, 0, 0]
    for one in found:
        if one[1] and (not best[1] or score(one[0], *one[2:]) > score(best[0], *best[2:])):
            best = one
    return best
