"""ROUGE from the definitions in Lin (2004), token lists in, fractions out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache

Values = tuple[float, float, float]


def f_measure(precision: float, recall: float, beta: float = 1.0) -> float:
    below = recall + beta**2 * precision
    return (1 + beta**2) * precision * recall / below if below else 0.0


def values(hits: float, hypothesis: int, reference: int, beta: float = 1.0) -> Values:
    precision = hits / hypothesis if hypothesis else 0.0
    recall = hits / reference if reference else 0.0
    return precision, recall, f_measure(precision, recall, beta)


def rouge_n(hypothesis: Sequence[str], reference: Sequence[str], n: int) -> Values:
    mine, theirs = (
        Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))
        for tokens in (hypothesis, reference)
    )
    return values((mine & theirs).total(), mine.total(), theirs.total())


def rouge_n_distinct(hypothesis: Sequence[str], reference: Sequence[str], n: int) -> Values:
    mine, theirs = (
        {tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)}
        for tokens in (hypothesis, reference)
    )
    return values(len(mine & theirs), len(mine), len(theirs))


def lcs_length(a: Sequence[str], b: Sequence[str]) -> int:
    """Length of the longest common subsequence, by the recurrence."""
    row = [0] * (len(b) + 1)
    for x in a:
        before = 0
        for j, y in enumerate(b, start=1):
            above = row[j]
            row[j] = before + 1 if x == y else max(above, row[j - 1])
            before = above
    return row[-1]


def rouge_l(hypothesis: Sequence[str], reference: Sequence[str], beta: float = 1.0) -> Values:
    return values(lcs_length(hypothesis, reference), len(hypothesis), len(reference), beta)


def longest_subsequence(rows: Sequence[str], columns: Sequence[str]) -> list[int]:
    """Places in `rows` of the subsequence found by walking back from the last cell of the table.

    Equal tokens are taken; else a column back where that cell is larger than the one above; else up.
    """

    @cache
    def table(i: int, j: int) -> int:
        if i == 0 or j == 0:
            return 0
        if rows[i - 1] == columns[j - 1]:
            return table(i - 1, j - 1) + 1
        return max(table(i - 1, j), table(i, j - 1))

    for i in range(len(rows) + 1):  # from the small to the large, so that nothing recurses deep
        for j in range(len(columns) + 1):
            table(i, j)
    places: list[int] = []
    i, j = len(rows), len(columns)
    while i and j:
        if rows[i - 1] == columns[j - 1]:
            i, j = i - 1, j - 1
            places.append(i)
        elif table(i, j - 1) > table(i - 1, j):
            j -= 1
        else:
            i -= 1
    return places[::-1]


def rouge_l_sum(hypothesis: Sequence[Sequence[str]], reference: Sequence[Sequence[str]]) -> Values:
    """Section 3.2 of the paper, no word counted more often than either text has it."""
    left = Counter(token for sentence in hypothesis for token in sentence)
    hits = 0
    for sentence in reference:
        union = sorted(
            {place for other in hypothesis for place in longest_subsequence(sentence, other)}
        )
        for place in union:
            if left[sentence[place]] > 0:
                left[sentence[place]] -= 1
                hits += 1
    return values(hits, sum(map(len, hypothesis)), sum(map(len, reference)))
