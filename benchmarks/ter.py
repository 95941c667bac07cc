"""TER from Python, against sacreBLEU and itself."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from importlib.metadata import version
from typing import Any

import numpy as np

import cocarde
from benchmarks.case import Case, Side, Skipped, Work
from benchmarks.data import SEED, Data, Parallel

__all__ = ["cases"]

GROUP = "TER"


def cases(data: Data) -> Iterator[Work]:
    yield from _sacrebleu(data)
    yield from _one_by_one(data)
    yield from _threads(data)
    yield from _growth(data)
    yield from _long(data)


def _cocarde(texts: Parallel, threads: int = 1, **options: Any) -> Side:
    metric = cocarde.TER(**options)

    def prepare() -> Parallel:
        cocarde.set_num_threads(threads)
        return texts.fresh()

    name = "cocarde" if threads == 1 else f"cocarde, {threads} threads"
    return Side(name, lambda x: metric.statistics(*x.pair), prepare, len(texts))


def _sacrebleu(data: Data) -> Iterator[Work]:
    from sacrebleu.metrics import TER

    few = data.english.first(20 if data.quick else 100)

    def difference(ours: Any, peer: Any) -> float:
        return float(np.max(np.abs(ours.values[: len(peer), :2] - peer)))

    for work, options in (
        ("words as they are", {}),
        ("normalized, no punctuation", {"normalized": True, "no_punct": True}),
    ):
        peer = TER(**options)

        def run(texts: Parallel, peer: Any = peer) -> Any:
            # Edits and reference length of each segment: what cocarde's statistics begin with.
            return peer._extract_corpus_statistics(texts.hypotheses, [texts.references])  # noqa: SLF001

        yield Case(
            GROUP,
            work,
            "segment",
            _cocarde(data.english, **options),
            Side(f"sacrebleu {version('sacrebleu')}", run, few.fresh, len(few)),
            difference,
            goal=500,
            note=f"sacreBLEU scores the first {len(few)}; time is by segment",
        )


def _one_by_one(data: Data) -> Iterator[Work]:
    from sacrebleu.metrics import TER

    few = data.english.first(20 if data.quick else 100)
    ours, peer = cocarde.TER().sentence_score, TER().sentence_score

    def prepare() -> Parallel:
        cocarde.set_num_threads(1)
        return few.fresh()

    yield Case(
        GROUP,
        "one call a segment",
        "call",
        Side("cocarde", lambda x: x.each(lambda h, r: ours(h, r).score), prepare, len(few)),
        Side(
            f"sacrebleu {version('sacrebleu')}",
            lambda x: x.each(lambda h, r: peer(h, [r]).score),
            few.fresh,
            len(few),
        ),
        lambda ours, peer: float(np.max(np.abs(np.subtract(ours, peer)))),
        note="one Python call for each segment on both sides; statistics needs one for all",
    )


def _same(ours: Any, peer: Any) -> float:
    return float(np.max(np.abs(ours.values - peer.values)))


def _threads(data: Data) -> Iterator[Work]:
    work = "two threads"
    if (os.cpu_count() or 1) < 2:
        yield Skipped(GROUP, work, "this machine has one processor")
        return
    ours, peer = _cocarde(data.english, threads=2), _cocarde(data.english)
    yield Case(GROUP, work, "segment", ours, peer, _same, goal=1.8)


def _growth(data: Data) -> Iterator[Work]:
    texts = data.english.first(len(data.english) // 10 or 1)

    def difference(ours: Any, peer: Any) -> float:
        return float(np.max(np.abs(ours.values[: len(peer)] - peer.values)))

    yield Case(
        GROUP,
        "ten times the text",
        "segment",
        _cocarde(texts.times(10)),
        _cocarde(texts),
        difference,
        goal=0.8,
        note="the peer is cocarde with a tenth of the text; time is by segment",
    )


def _long(data: Data) -> Iterator[Work]:
    draw = random.Random(SEED)
    size = 10_000 if data.quick else 100_000
    words = [str(draw.randrange(5000)) for _ in range(size)]
    moved = [word for start in range(0, size, 50) for word in words[start + 4 : start + 50]
             + words[start : start + 4]]  # fmt: skip
    for work, hypothesis, reference, edits in (
        (f"one pair of {size:,} words, phrases moved", moved, words, None),
        (f"one pair of {size:,} equal words", ["a"] * size, ["a"] * (size - 7), 7),
        ("one pair of 2,000 equal words", ["a"] * 2000, ["a"] * 1900, 100),
    ):
        pair = Parallel([" ".join(hypothesis)], [" ".join(reference)], "")

        def difference(ours: Any, _: Any, edits: int | None = edits) -> float:
            row = ours.sum()
            kinds = ("insertions", "deletions", "substitutions", "shifts")
            wanted = sum(row[kind] for kind in kinds) if edits is None else edits
            return abs(float(row["edits"]) - wanted)

        yield Case(
            GROUP, work, "pair", _cocarde(pair), None, difference, limit=2.0, memory=True
        )  # fmt: skip
