"""TER from its definition, with the conventions of sacreBLEU, torchmetrics and Tercom as arguments.

Words are compared by ``==``. An edit of the trace is " " (kept), "s", "d" (a word of the hypothesis goes)
or "i" (one of the reference comes).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

Words = Sequence[str]


class Convention(NamedTuple):
    longest: int = 10
    tercom: bool = False
    from_reference: bool = False


SACREBLEU = Convention()
TORCH = Convention(longest=9, from_reference=True)
TERCOM = Convention(tercom=True)


def cells(hypothesis: Words, reference: Words, tercom: bool) -> list[list[float]]:
    """The table of edit distances of prefixes, infinite where the convention does not look."""
    m, n = len(hypothesis), len(reference)
    table = [[math.inf] * (n + 1) for _ in range(m + 1)]
    table[0] = [float(j) for j in range(n + 1)]
    ratio = n / m if m else 1
    width = math.ceil(ratio / 2 + 25) if ratio / 2 > 25 else 25
    for i in range(1, m + 1):
        steps = [
            table[i - 1][j] + (hypothesis[i - 1] != reference[j]) for j in range(n)
        ]  # to column j + 1: kept or replaced
        middle = math.floor(i * ratio)
        for j in range(n + 1):
            if not tercom and not middle - width <= j < (n + 1 if i == m else middle + width):
                continue
            table[i][j] = min(
                steps[j - 1] if j else math.inf,
                table[i - 1][j] + 1,
                table[i][j - 1] + 1 if j else math.inf,
            )
            if tercom and i < m and table[i][j] > min(steps, default=math.inf) + 20:
                table[i][j] = math.inf
    return table


def trace(hypothesis: Words, reference: Words, tercom: bool) -> tuple[float, str]:
    """The edit distance and a cheapest way: keeping or replacing first, then deleting."""
    table = cells(hypothesis, reference, tercom)
    i, j, found = len(hypothesis), len(reference), ""
    while i or j:
        same = bool(i and j) and hypothesis[i - 1] == reference[j - 1]
        if i and j and table[i - 1][j - 1] + (not same) == table[i][j]:
            found += " " if same else "s"
            i, j = i - 1, j - 1
        elif i and table[i - 1][j] + 1 == table[i][j]:
            found, i = found + "d", i - 1
        else:
            found, j = found + "i", j - 1
    return table[-1][-1], found[::-1]


def phrases(
    hypothesis: Words, reference: Words, way: str, convention: Convention
) -> Iterator[tuple[int, int, int, int]]:
    """Start, length and target of what may move, and the word behind which it is meant to go.

    The target is a gap between the other words.
    """
    aligned: list[int] = []  # of each word of the reference, the last word of the hypothesis so far
    wrong: tuple[list[bool], list[bool]] = ([], [])
    for edit in way:
        if edit != "i":
            wrong[0].append(edit != " ")
        if edit != "d":
            aligned.append(len(wrong[0]) - 1)
            wrong[1].append(edit != " ")
    for start in range(len(hypothesis)):
        for place in range(len(reference)):
            own = aligned[place]
            if abs(start - (own if convention.tercom else place)) > 50:
                continue
            for length in range(1, convention.longest + 1):
                end = start + length
                phrase = list(hypothesis[start:end])
                if end > len(hypothesis) or phrase != list(reference[place : place + length]):
                    break
                if not any(wrong[0][start:end]) or not any(wrong[1][place : place + length]):
                    continue
                if start <= own < end:
                    continue
                last = None
                for offset in range(-1, length):
                    behind = -1 if place + offset < 0 else aligned[place + offset]
                    if behind == last:
                        continue
                    last = behind
                    if behind < start:
                        yield start, length, behind + 1, behind
                    elif behind >= end:
                        yield start, length, behind + 1 - length, behind
                    elif not convention.tercom:
                        yield start, length, min(behind + 1, len(hypothesis) - length), behind
                    elif behind > start:
                        yield start, length, min(behind, len(hypothesis) - length), behind


def moved(words: Words, start: int, length: int, target: int) -> list[str]:
    rest = [*words[:start], *words[start + length :]]
    return [*rest[:target], *words[start : start + length], *rest[target:]]


def best_shift(
    words: Words, reference: Words, convention: Convention, tried: int
) -> tuple[list[str] | None, int]:
    """The words after the shift that gains most; of equals the longest, the first, the nearest start."""
    before, way = trace(words, reference, convention.tercom)
    ranked = []
    for start, length, target, behind in phrases(words, reference, way, convention):
        tried += 1
        if not convention.tercom and tried >= 1000:
            return None, tried
        after = moved(words, start, length, target)
        gain = before - cells(after, reference, convention.tercom)[-1][-1]
        ranked.append((gain, length, -start, -behind, after))
    if convention.tercom:
        ranked = list(_worth_a_look(ranked))
    best = max(ranked, key=lambda one: one[:4], default=None)
    return (best[4] if best is not None and best[0] > 0 else None), tried


def _worth_a_look(
    ranked: list[tuple[float, int, int, int, list[str]]],
) -> Iterator[tuple[float, int, int, int, list[str]]]:
    # No phrase of n words is expected to gain more than 2 n, so shorter ones are not looked at.
    gained = 0.0
    for one in sorted(ranked, key=lambda one: (-one[1], -one[2], -one[3])):
        if gained > 2 * one[1]:
            return
        gained = max(gained, one[0])
        yield one


def edits(
    hypothesis: Words, reference: Words, convention: Convention
) -> tuple[list[list[str]], str]:
    """The words after each shift, and the trace from the last of them; what moves is the hypothesis."""
    if convention.from_reference:
        if not hypothesis:
            return [], ""
        hypothesis, reference = reference, hypothesis
    words, after, tried = list(hypothesis), [], 0
    if reference:
        while True:
            shifted, tried = best_shift(words, reference, convention, tried)
            if shifted is None:
                break
            words = shifted
            after.append(words)
    way = trace(words, reference, convention.tercom)[1] if reference else "d" * len(words)
    return after, way.translate(str.maketrans("di", "id")) if convention.from_reference else way


def row(hypothesis: Words, references: Sequence[Words], convention: Convention) -> list[float]:
    """Edits, mean reference length, insertions, deletions, substitutions, shifts, length."""
    found = []
    for reference in references:
        after, way = edits(hypothesis, reference, convention)
        kinds = [way.count(kind) for kind in "ids"] + [len(after)]
        found.append([sum(kinds), *kinds])
    best = min(found, key=lambda one: one[0])
    mean = sum(map(len, references)) / len(references)
    return [best[0], mean, *best[1:], len(hypothesis)]
