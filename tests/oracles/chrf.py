"""chrF from the definitions in Popović (2015, 2017), with the peers' choices as arguments."""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Sequence

Row = list[tuple[int, int, int]]  # of each order: hypothesis, reference, matches
EPSILON = 1e-16


def characters(text: str, spaces: str) -> str:
    """`spaces` is counted, dropped, unicode, or blanks (stripped, then without U+0020)."""
    if spaces == "unicode":
        return "".join(c for c in text if not c.isspace() or c in "\x1c\x1d\x1e\x1f")
    if spaces == "counted":
        return text
    return text.strip().replace(" ", "") if spaces == "blanks" else "".join(text.split())


def words(text: str) -> list[str]:
    found = []
    for word in text.split():
        if len(word) > 1 and word[-1] in string.punctuation:
            found += [word[:-1], word[-1]]
        elif len(word) > 1 and word[0] in string.punctuation:
            found += [word[0], word[1:]]
        else:
            found.append(word)
    return found


def ngrams(sequence: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(sequence[i : i + n]) for i in range(len(sequence) - n + 1))


def counts(
    hypothesis: str,
    reference: str,
    char_order: int = 6,
    word_order: int = 0,
    spaces: str = "dropped",
    min_char_order: int = 1,
) -> Row:
    mine, theirs = characters(hypothesis, spaces), characters(reference, spaces)
    row = [_one(mine, theirs, n) for n in range(min_char_order, char_order + 1)]
    row += [_one(words(hypothesis), words(reference), n) for n in range(1, word_order + 1)]
    return row


def _one(hypothesis: Sequence[str], reference: Sequence[str], n: int) -> tuple[int, int, int]:
    mine, theirs = ngrams(hypothesis, n), ngrams(reference, n)
    total = theirs.total()
    return mine.total() if total else 0, total, (mine & theirs).total()


def f(precision: float, recall: float, beta: float) -> float:
    below = beta**2 * precision + recall
    return (1 + beta**2) * precision * recall / below if below > 0 else EPSILON


def mean_of_f(row: Row, beta: float, *, only_matched: bool = False) -> float:
    """The score (0 to 100) of chrF++.py, Moses and NLTK; in segments, chrF++.py skips some orders."""
    total = 0.0
    for mine, theirs, matches in row:
        if only_matched and not matches:
            continue
        total += f(
            matches / mine if mine else EPSILON, matches / theirs if theirs else EPSILON, beta
        )
    return 100 * total / len(row)


def f_of_means(row: Row, beta: float) -> float:
    """The score (0 to 100) of sacreBLEU."""
    present = [order for order in row if order[0] and order[1]]
    if not any(order[2] for order in present):
        return 0.0
    precision = sum(matches / mine for mine, _, matches in present) / len(present)
    recall = sum(matches / theirs for _, theirs, matches in present) / len(present)
    return 100 * f(precision, recall, beta)


def add(rows: Sequence[Row]) -> Row:
    return [
        (sum(a), sum(b), sum(c))
        for a, b, c in (zip(*orders, strict=True) for orders in zip(*rows, strict=True))
    ]


def counts_of_torchmetrics(
    hypothesis: str, reference: str, char_order: int, word_order: int
) -> Row:
    """All n-grams of the hypothesis count; a reference of which nothing matches has none."""
    mine, theirs = characters(hypothesis, "blanks"), characters(reference, "blanks")
    sides: list[tuple[Sequence[str], Sequence[str], int]] = [
        *((mine, theirs, n) for n in range(1, char_order + 1)),
        *((words(hypothesis), words(reference), n) for n in range(1, word_order + 1)),
    ]
    row = [
        (ngrams(a, n).total(), ngrams(b, n).total(), (ngrams(a, n) & ngrams(b, n)).total())
        for a, b, n in sides
    ]
    if not any(matches for _, _, matches in row):
        return [(total, 0, 0) for total, _, _ in row]
    return row
