"""Which system is better, and which sample: resamples of statistics, and minimum Bayes risk."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import cache, cached_property
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np
from examples.minimum_bayes_risk import UTILITIES, Choice, choose_all, make_samples

import cocarde
from benchmarks.case import Case, Side, Skipped, Work
from benchmarks.data import SEED, Data, Parallel
from cocarde.significance import Comparison, compare_statistics

__all__ = ["cases"]

GROUP = "Significance and minimum Bayes risk"
SYSTEMS = 10
RESAMPLES = 1000
SAMPLES = 64


def cases(data: Data) -> Iterator[Work]:
    yield _many_systems(data)
    yield _sacrebleu(data)
    yield _fastchrf(data)
    yield _two_threads(data)


# ---- paired bootstrap


def _systems(texts: Parallel, count: int) -> dict[str, list[str]]:
    """Return the hypotheses, and worse ones: each system lacks the last word of more segments."""
    return {
        f"system {number}": [
            text.rpartition(" ")[0] if place % 20 < number else text
            for place, text in enumerate(texts.hypotheses)
        ]
        for number in range(count)
    }


def _many_systems(data: Data) -> Case:
    metrics: dict[str, Any] = {
        "bleu": cocarde.BLEU(force=True),
        "chrf": cocarde.CHRF(),
        "rouge": cocarde.ROUGE(rouge_types=("rougeL",)),
        "ter": cocarde.TER(),
    }

    @cache
    def statistics() -> dict[str, dict[str, Any]]:
        cocarde.set_num_threads(1)
        return {
            name: {
                label: metric.statistics(texts, data.english.references)
                for label, metric in metrics.items()
            }
            for name, texts in _systems(data.english, SYSTEMS).items()
        }

    def difference(found: Comparison, _: None) -> float:
        """Redo the comparison of the last system with the first by its definition."""
        rows = statistics()
        first, *_others, last = rows
        segments = len(data.english)
        drawn = np.random.default_rng(found.seed).choice(segments, (RESAMPLES, segments))
        apart = [0.0]
        for (label, metric), shown in zip(metrics.items(), found.metrics, strict=True):
            scores = np.array(
                [
                    [
                        float(metric.compute(rows[name][label][chosen].sum()))
                        for name in (first, last)
                    ]
                    for chosen in drawn
                ]
            )
            result = found[last, shown]
            assert result.delta is not None and result.p_value is not None
            gaps = np.abs(scores[:, 1] - scores[:, 0])
            beyond = np.count_nonzero(gaps - gaps.mean() > abs(result.delta))
            apart.append(abs(result.p_value - (beyond + 1) / (RESAMPLES + 1)))
            apart.append(abs(result.interval.mean - scores[:, 1].mean()))
        return max(apart)

    return Case(
        GROUP,
        f"{SYSTEMS} systems × {len(metrics)} metrics, {RESAMPLES:,} resamples of their statistics",
        "comparison",
        Side("cocarde", lambda rows: compare_statistics(rows, metrics), statistics, 1),
        None,
        difference,
        limit=1.0,
        note="BLEU, chrF, ROUGE-L and TER after scoring; intervals and p-values of one system are "
        "checked against a loop over resamples",
    )


def _sacrebleu(data: Data) -> Case:
    from sacrebleu import metrics as peers
    from sacrebleu.significance import PairedTest

    texts = data.english

    def prepare() -> tuple[dict[str, list[str]], list[str]]:
        cocarde.set_num_threads(1)
        found = texts.fresh()
        return _systems(found, 2), found.references

    def ours(given: tuple[dict[str, list[str]], list[str]]) -> list[float]:
        found = cocarde.compare(*given, {"bleu": cocarde.BLEU(force=True)}, samples=RESAMPLES)
        return [value for one in found.values() for value in (one.score, one.p_value or 0.0)]

    def theirs(given: tuple[dict[str, list[str]], list[str]]) -> list[float]:
        systems, references = given
        metric = {"BLEU": peers.BLEU(force=True)}
        test = PairedTest(list(systems.items()), metric, [references], "bs", RESAMPLES)
        return [value for one in test()[1]["BLEU"] for value in (one.score, one.p_value or 0.0)]

    return Case(
        GROUP,
        f"two systems scored and tested by BLEU, {RESAMPLES:,} resamples",
        "comparison",
        Side("cocarde", ours, prepare, 1),
        Side(f"sacreBLEU {version('sacrebleu')}", theirs, prepare, 1),
        lambda ours, peer: float(np.max(np.abs(np.subtract(ours, peer)))),
        note="scores and p-values are compared",
    )


# ---- minimum Bayes risk


class _Samples:
    """Samples of the first sources, made when they are first asked for."""

    def __init__(self, data: Data, sources: int) -> None:
        self._data, self.sources = data, sources

    @cached_property
    def _made(self) -> list[list[str]]:
        return make_samples(self._data.english.pair, self.sources, SAMPLES, SEED)

    def fresh(self, count: int | None = None) -> list[list[str]]:
        """Return them as new strings, and take one thread."""
        cocarde.set_num_threads(1)
        return [[text[:1] + text[1:] for text in one] for one in self._made[:count]]

    def side(self, name: str, run: Callable[[list[list[str]]], Any], count: int) -> Side:
        return Side(name, run, lambda: self.fresh(count), count * SAMPLES**2)


def _fastchrf(data: Data) -> Work:
    sources, few = (20, 2) if data.quick else (100, 10)
    work = f"{sources} sources × {SAMPLES} samples, chrF of all pairs"
    try:
        import fastchrf

        release = version("fastchrf")
    except (ImportError, PackageNotFoundError):
        return Skipped(GROUP, work, "fastchrf is not installed")
    metric, samples = cocarde.CHRF(), _Samples(data, sources)
    return Case(
        GROUP,
        work,
        "pair",
        samples.side("cocarde", lambda given: [metric.pairwise(x, x) for x in given], sources),
        samples.side(f"fastchrf {release}", lambda x: fastchrf.pairwise_chrf(x, x), few),
        lambda ours, peer: float(np.max(np.abs(np.array(ours[:few]) - np.array(peer)))),
        goal=5,
        note=f"fastchrf scores the first {few} sources; `examples/minimum_bayes_risk.py` makes "
        "the samples",
    )


def _two_threads(data: Data) -> Work:
    sources = 20 if data.quick else 100
    work = f"{sources} sources × {SAMPLES} samples, chosen by chrF, two threads"
    if (os.cpu_count() or 1) < 2:
        return Skipped(GROUP, work, "this machine has one processor")
    samples, metric = _Samples(data, sources), UTILITIES["chrf"]

    def side(threads: int) -> Side:
        name = "cocarde" if threads == 1 else f"cocarde, {threads} threads"
        return samples.side(name, lambda given: choose_all(metric, given, threads), sources)

    def difference(ours: list[Choice], peer: list[Choice]) -> float:
        return sum(one != other for one, other in zip(ours, peer, strict=True))

    return Case(GROUP, work, "pair", side(2), side(1), difference, goal=1.8)
