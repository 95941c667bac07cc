"""Made-up translations with judgements of them, the same for every seed."""

from __future__ import annotations

import random
from typing import NamedTuple

_WORDS = [
    *(
        "the",
        "a",
        "of",
        "to",
        "in",
        "and",
        "with",
        "over",
        "under",
        "old",
        "new",
        "cat",
        "dog",
        "house",
    ),
    *(
        "houses",
        "runs",
        "running",
        "quickly",
        "big",
        "large",
        "small",
        "little",
        "car",
        "automobile",
    ),
    *("buys", "purchased", "river", "walk", "walked", "happily", "city", "town"),
]


class Judged(NamedTuple):
    """Systems, references, a number for each segment of each system, and rankings from 0."""

    systems: dict[str, list[str]]
    references: list[str]
    scores: dict[str, list[float]]
    rankings: list[tuple[int, str, str]]


def judged(seed: int = 1, count: int = 12) -> Judged:
    """Make three systems, each worse than the one before, and judgements that roughly say so."""
    source = random.Random(seed)
    references = [
        [source.choice(_WORDS) for _ in range(source.randint(4, 14))] for _ in range(count)
    ]
    systems, scores = {}, {}
    for noise, name in enumerate(("one", "two", "three"), start=1):
        lines, numbers = [], []
        for words in references:
            kept = [
                word if source.random() > 0.15 * noise else source.choice(_WORDS)
                for word in words
                if source.random() > 0.1
            ]
            if source.random() < 0.4 and len(kept) > 2:
                place = source.randrange(len(kept) - 1)
                kept[place : place + 2] = kept[place + 1], kept[place]
            same = len(set(kept) & set(words)) / len(set(words))
            lines.append(" ".join(kept))
            numbers.append(round(same + source.gauss(0, 0.2), 2))
        systems[name], scores[name] = lines, numbers
    rankings = []
    for _ in range(4 * count):
        better, worse = source.sample(list(systems), 2)
        rankings.append((source.randrange(count), better, worse))
    return Judged(systems, [" ".join(words) for words in references], scores, rankings)
