"""chrF from Python, against sacreBLEU, NLTK, fastchrf and itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

import cocarde
from benchmarks.case import Case, Side, Skipped, Work
from benchmarks.data import Data, Parallel

__all__ = ["cases"]

GROUP = "chrF, text"


def cases(data: Data) -> Iterator[Work]:
    yield from _sacrebleu(data)
    yield from _nltk(data)
    yield from _pairwise(data)
    yield from _two_threads(data)
    yield from _growth(data)
    yield from _long(data)


# ---- sides


def _cocarde(
    run: Callable[[Parallel], Any], texts: Parallel, units: float | None = None, threads: int = 1
) -> Side:
    def prepare() -> Parallel:
        cocarde.set_num_threads(threads)
        return texts.fresh()

    name = "cocarde" if threads == 1 else f"cocarde, {threads} threads"
    return Side(name, run, prepare, len(texts) if units is None else units)


def _rows(metric: cocarde.CHRF) -> Callable[[Parallel], Any]:
    return lambda texts: metric.statistics(*texts.pair).values


def _apart(ours: Any, peer: Any) -> float:
    """Return how far two tables are apart, in the rows that the peer has."""
    theirs = np.asarray(peer, dtype=float)
    return float(np.max(np.abs(np.asarray(ours)[: len(theirs)] - theirs)))


# ---- cases


def _sacrebleu(data: Data) -> Iterator[Work]:
    from sacrebleu import metrics as peers

    for texts, language in ((data.english, ""), (data.chinese, ", Chinese")):
        few = texts.first(100 if data.quick else 500)
        for name, word_order in (("chrF", 0), ("chrF++", 2)):
            peer = peers.CHRF(word_order=word_order)

            def peer_rows(found: Parallel, peer: Any = peer) -> Any:
                extract = peer._extract_corpus_statistics  # noqa: SLF001  (its scores hide its counts)
                return extract(found.hypotheses, [found.references])

            yield Case(
                GROUP,
                f"{name}, list of str{language}",
                "segment",
                _cocarde(_rows(cocarde.CHRF(word_order=word_order)), texts),
                Side(f"sacreBLEU {version('sacrebleu')}", peer_rows, few.fresh, len(few)),
                _apart,
                goal=None if language else 100,
                memory=True,
                note=f"sacreBLEU scores the first {len(few)}; all counts are compared",
            )
    metric = cocarde.CHRF()
    few = data.english.first(100 if data.quick else 500)
    alone = peers.CHRF()

    def ours(found: Parallel) -> list[float]:
        score = metric.sentence_score
        return found.each(lambda h, r: score(h, r).score)

    def theirs(found: Parallel) -> list[float]:
        score = alone.sentence_score
        return found.each(lambda h, r: score(h, [r]).score)

    yield Case(
        GROUP,
        "chrF, one call a segment",
        "call",
        _cocarde(ours, few),
        Side(f"sacreBLEU {version('sacrebleu')}", theirs, few.fresh, len(few)),
        _apart,
        note="one Python call for each segment on both sides; segment_scores needs one for all",
    )


def _nltk(data: Data) -> Iterator[Work]:
    from nltk.translate.chrf_score import sentence_chrf

    few = data.english.first(50 if data.quick else 200)
    metric = cocarde.CHRF.preset("nltk")
    yield Case(
        GROUP,
        "preset nltk, segment scores",
        "segment",
        _cocarde(lambda x: metric.segment_scores(*x.pair), data.english),
        Side(
            f"NLTK {version('nltk')}",
            lambda x: [100 * sentence_chrf(r, h) for h, r in zip(*x.pair, strict=True)],
            few.fresh,
            len(few),
        ),
        _apart,
        goal=100,
        note=f"NLTK scores the first {len(few)}",
    )


def _pairwise(data: Data) -> Iterator[Work]:
    texts = data.english.first(64)
    metric = cocarde.CHRF()
    try:
        import fastchrf

        release = version("fastchrf")
    except (ImportError, PackageNotFoundError):
        yield Skipped(GROUP, "pairwise, 64 × 64", "fastchrf is not installed")
        return

    yield Case(
        GROUP,
        "pairwise, 64 × 64",
        "pair",
        _cocarde(lambda x: metric.pairwise(*x.pair), texts, len(texts) ** 2),
        Side(
            f"fastchrf {release}",
            lambda x: fastchrf.pairwise_chrf([x.hypotheses], [x.references])[0],
            texts.fresh,
            len(texts) ** 2,
        ),
        _apart,
        goal=5,
    )


def _two_threads(data: Data) -> Iterator[Work]:
    texts = data.english.times(2 if data.quick else 10)
    for name, word_order in (("chrF", 0), ("chrF++", 2)):
        run = _rows(cocarde.CHRF(word_order=word_order))
        yield Case(
            GROUP,
            f"{name}, two threads against one",
            "segment",
            _cocarde(run, texts, threads=2),
            _cocarde(run, texts),
            _apart,
            goal=1.8,
        )


def _growth(data: Data) -> Iterator[Work]:
    metric = cocarde.CHRF(word_order=2)
    many = data.english.times(data.copies)
    yield Case(
        GROUP,
        f"chrF++, {data.copies} times the text",
        "segment",
        _cocarde(lambda x: metric.corpus_score(*x.pair).score, many),
        _cocarde(lambda x: metric.corpus_score(*x.pair).score, data.english),
        lambda ours, peer: abs(ours - peer),
        goal=0.8,
        note="the peer is cocarde with the text once: cost must grow linearly",
    )


def _long(data: Data) -> Iterator[Work]:
    size = 10_000 if data.quick else 100_000
    for name, text in (("equal characters", "a" * size), ("words", "the cat " * (size // 8))):
        pair = Parallel([text], [text], "")
        yield Case(
            GROUP,
            f"chrF++, one pair of {size:,} characters, {name}",
            "pair",
            _cocarde(_rows(cocarde.CHRF(word_order=1)), pair),
            None,
            lambda ours, _: float(np.max(np.abs(ours[:, 0::3] - ours[:, 2::3]))),
            limit=0.1,
            memory=True,
            note="scored against itself: all must match",
        )
