"""ROUGE-1.5.5 as its program behaves, in plain Python: lists of lists, nothing clever.

Texts are lists of lines. Everything is counted as its definition says: pairs of words by looking at all
pairs, longest common subsequences by the table of Lin (2004) and the way back through it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Words = list[str]
Marker = Callable[[Words, Words], set[int]]


@dataclass(frozen=True)
class Counts:
    """In the reference, in the hypothesis, in both, and the score by which references are ranked."""

    reference: float
    hypothesis: float
    hits: float
    rank: float


def five(value: float) -> float:
    """As printed with five decimals."""
    return float(f"{value:.5f}")


def fields(line: bytes) -> list[bytes]:
    """Words as white space cuts them; white space in front makes an empty one."""
    words = line.split()
    return [b"", *words] if words and line[:1].isspace() else words


def lines_within(text: str, words: int | None, size: int | None, by_line: bool) -> list[bytes]:
    """The lines that are read; with `by_line`, a limit in bytes does not add up lines."""
    lines = [line for line in text.encode("utf-8", "surrogatepass").split(b"\n") if line]
    if words is None and size is None:
        return lines
    kept: list[bytes] = []
    used = 0
    for line in lines:
        length = len(fields(line)) if words is not None else len(line)
        left = (words if words is not None else size or 0) - used
        if length >= left:
            kept.append(b" ".join(fields(line)[:left]) if words is not None else line[:left])
            break
        kept.append(line)
        if words is not None or not by_line:
            used += length
    return kept


def tokens(line: bytes, stop_words: Sequence[str], stem: Callable[[str], str] | None) -> Words:
    """Runs of letters and digits of ASCII, in lower case."""
    words = re.findall("[a-z0-9]+", line.decode("latin-1").translate(_LOWER))
    words = [word for word in words if word not in stop_words]
    return [stem(word) if stem and len(word) > 3 else word for word in words]


_LOWER = {ord("A") + i: ord("a") + i for i in range(26)}


def lcs_positions(reference: Words, hypothesis: Words) -> set[int]:
    """Positions of the reference on the LCS; where two ways tie, a word of the reference is skipped."""
    rows, columns = len(reference), len(hypothesis)
    length = [[0] * (columns + 1) for _ in range(rows + 1)]
    for i in range(1, rows + 1):
        for j in range(1, columns + 1):
            if reference[i - 1] == hypothesis[j - 1]:
                length[i][j] = length[i - 1][j - 1] + 1
            else:
                length[i][j] = max(length[i - 1][j], length[i][j - 1])
    return _way_back(reference, hypothesis, length)


def weighted_lcs_positions(weight: float) -> Marker:
    """The same for the weighted LCS."""

    def positions(reference: Words, hypothesis: Words) -> set[int]:
        rows, columns = len(reference), len(hypothesis)
        total = [[0.0] * (columns + 1) for _ in range(rows + 1)]
        run = [[0] * (columns + 1) for _ in range(rows + 1)]
        for i in range(1, rows + 1):
            for j in range(1, columns + 1):
                if reference[i - 1] == hypothesis[j - 1]:
                    k = run[i - 1][j - 1]
                    run[i][j] = k + 1
                    total[i][j] = total[i - 1][j - 1] + (k + 1) ** weight - k**weight
                else:
                    total[i][j] = max(total[i - 1][j], total[i][j - 1])
        return _way_back(reference, hypothesis, total)

    return positions


def _way_back(reference: Words, hypothesis: Words, table: Sequence[Sequence[float]]) -> set[int]:
    marked: set[int] = set()
    i, j = len(reference), len(hypothesis)
    while i and j:
        if reference[i - 1] == hypothesis[j - 1]:
            i, j = i - 1, j - 1
            marked.add(i)
        elif table[i - 1][j] >= table[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return marked


def skip_bigrams(words: Words, gap: int | None, unigrams: bool) -> Counter[tuple[str, ...]]:
    """Pairs with at most `gap` words between; with unigrams also each first word of a possible pair."""
    found: Counter[tuple[str, ...]] = Counter()
    for i in range(len(words) - 1):
        if unigrams:
            found[(words[i],)] += 1
        for j in range(i + 1, len(words)):
            if gap is None or j - i - 1 <= gap:
                found[(words[i], words[j])] += 1
    return found


def ngrams(words: Words, order: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[i : i + order]) for i in range(len(words) - order + 1))


def overlap(hypothesis: Counter[tuple[str, ...]], reference: Counter[tuple[str, ...]]) -> Counts:
    total = reference.total()
    hits = (hypothesis & reference).total()
    return Counts(total, hypothesis.total(), hits, five(hits / total) if total else 0.0)


@dataclass(frozen=True)
class Reading:
    """The words of the text, and of its sentences."""

    words: Words
    sentences: list[Words]


def subsequence_counts(
    hypothesis: Reading, reference: Reading, mark: Marker, weight: float | None
) -> Counts:
    """ROUGE-L, or ROUGE-W with a weight."""
    left = Counter(hypothesis.words)
    reference_left = Counter(reference.words)
    hits = 0.0
    for sentence in reference.sentences:
        marked = set().union(*(mark(sentence, other) for other in hypothesis.sentences))
        run = 0
        for position in sorted(marked):
            word = sentence[position]
            if not (left[word] > 0 and reference_left[word] > 0):
                continue
            left[word] -= 1
            reference_left[word] -= 1
            run += 1
            if weight is None:
                hits += 1
            elif position + 1 not in marked:
                hits += run**weight
                run = 0
    if weight is None:
        base: float = sum(map(len, reference.sentences))
        return Counts(base, len(hypothesis.words), hits, hits / base if base else 0.0)
    base = sum(len(sentence) ** weight for sentence in reference.sentences)
    return Counts(
        base**weight,
        len(hypothesis.words) ** weight,
        hits,
        (hits / base) ** (1 / weight) if base else 0.0,
    )


@dataclass(frozen=True)
class Rouge155:
    """One type with its options: ``"3"``, ``"L"``, ``"W"``, ``"S"`` or ``"SU"``."""

    kind: str
    weight: float = 1.2
    gap: int | None = None
    stop_words: Sequence[str] = ()
    stem: Callable[[str], str] | None = None
    alpha: float = 0.5
    best: bool = False
    jackknife: bool = False
    words: int | None = None
    bytes: int | None = None

    def read(self, text: str) -> Reading:
        def all_tokens(by_line: bool) -> list[Words]:
            return [
                tokens(line, self.stop_words, self.stem)
                for line in lines_within(text, self.words, self.bytes, by_line)
            ]

        return Reading([word for line in all_tokens(False) for word in line], all_tokens(True))

    def counts(self, hypothesis: Reading, reference: Reading) -> Counts:
        if self.kind == "L":
            return subsequence_counts(hypothesis, reference, lcs_positions, None)
        if self.kind == "W":
            mark = weighted_lcs_positions(self.weight)
            return subsequence_counts(hypothesis, reference, mark, self.weight)
        if self.kind in ("S", "SU"):
            pair = [
                skip_bigrams(reading.words, self.gap, self.kind == "SU")
                for reading in (hypothesis, reference)
            ]
        else:
            pair = [ngrams(reading.words, int(self.kind)) for reading in (hypothesis, reference)]
        return overlap(*pair)

    def score(self, hypothesis: str, references: Sequence[str]) -> list[float]:
        """Precision, recall, F, then the counts of the references, the hypothesis and both."""
        read = self.read(hypothesis)
        counts = [self.counts(read, self.read(text)) for text in references]
        sets = [counts]
        if self.jackknife and len(counts) > 1:
            sets = [counts[:k] + counts[k + 1 :] for k in range(len(counts))]
        rows = [self._combine(some) for some in sets]
        columns = list(zip(*rows, strict=True))
        return [sum(column) / len(sets) for column in columns[:3]] + [
            sum(column) for column in columns[3:]
        ]

    def _combine(self, counts: Sequence[Counts]) -> list[float]:
        if self.best:
            counts = [max(counts, key=lambda one: one.rank)]
        reference = sum(one.reference for one in counts)
        hypothesis = sum(one.hypothesis for one in counts)
        hits = sum(one.hits for one in counts)
        power = 1 / self.weight if self.kind == "W" else 1.0
        precision = five((hits / hypothesis) ** power) if hypothesis else 0.0
        recall = five((hits / reference) ** power) if reference else 0.0
        weighted = (1 - self.alpha) * precision + self.alpha * recall
        f = five(precision * recall / weighted) if weighted > 0 else 0.0
        return [precision, recall, f, reference, hypothesis, hits]
