"""METEOR's paraphrase stage by its definition: dictionaries, one comparison after the other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

Phrase = tuple[str, ...]
Entry = tuple[Phrase, Phrase]
Match = tuple[int, int, int, int]


def phrase(line: str) -> Phrase:
    """The words of a line, as Java's StringTokenizer cuts them."""
    return tuple(re.findall(r"[^ \t\n\r\f]+", line))


def entries(lines: Iterable[str]) -> list[Entry]:
    """The entries of a table: of three lines, the second and the third."""
    kept = list(lines)
    assert len(kept) % 3 == 0
    return [
        (phrase(reference), phrase(paraphrase))
        for reference, paraphrase in zip(kept[1::3], kept[2::3], strict=True)
    ]


def _one_way(table: dict[Phrase, list[Phrase]], source: Phrase, other: Phrase) -> list[Match]:
    return [
        (start, length, place, len(paraphrase))
        for start in range(len(source))
        for length in range(1, len(source) - start + 1)
        for paraphrase in table.get(source[start : start + length], ())
        for place in range(len(other))
        if other[place : place + len(paraphrase)] == paraphrase
    ]


def match(
    table: Iterable[Entry], hypothesis: Sequence[str], reference: Sequence[str]
) -> list[Match]:
    """(reference start, length, hypothesis start, length): first the phrases of the reference."""
    paraphrases: dict[Phrase, list[Phrase]] = {}
    for known, paraphrase in table:
        paraphrases.setdefault(known, []).append(paraphrase)
    texts = tuple(reference), tuple(hypothesis)
    return _one_way(paraphrases, *texts) + [
        (start, length, place, size)
        for place, size, start, length in _one_way(paraphrases, *reversed(texts))
    ]
