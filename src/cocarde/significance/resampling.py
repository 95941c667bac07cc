"""Resamples of a test set as weights of its segments, and sums of statistics under such weights.

A resample never touches text: it is a row of weights, how often each segment counts, and its totals are
that row times the statistics matrix.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Any

import numpy as np
import numpy.typing as npt

from cocarde._util.checks import read_whole_number
from cocarde.core.metric import Metric
from cocarde.core.statistics import Statistics
from cocarde.errors import InputError

__all__ = [
    "DEFAULT_SEED",
    "MOST_PERMUTED_RUNS",
    "MOST_SAMPLES",
    "Floats",
    "bootstrap_weights",
    "check_statistics",
    "corpus_scores",
    "document_totals",
    "last_rows",
    "mean_of_runs",
    "overlapping_masks",
    "part_scores",
    "pool",
    "read_pair",
    "read_runs",
    "read_samples",
    "read_seed",
    "shuffle_masks",
    "total",
    "weighted_sums",
]

Floats = npt.NDArray[np.float64]

DEFAULT_SEED = 12345  # sacreBLEU's

# The scores of resamples are held, eight bytes each for every system and score: 8 MB. With so many
# samples a p-value of 0.05 has a standard error of 0.0002.
MOST_SAMPLES = 1_000_000

# Weights that are held at once: 8 MB.
_BLOCK_VALUES = 1 << 20
# Generator.integers takes 32 truth values from each random number, and drops what is left of the last
# one: blocks of such a number of rows give the same values as all rows at once.
_ALIGNED_ROWS = 32


def read_seed(seed: int | None) -> int:
    """Return the seed itself, or for None one from the operating system, so that it can be recorded.

    Raises
    ------
    OptionError
        If it is no whole number of at least 0.
    """
    if seed is None:
        entropy = np.random.SeedSequence().entropy
        assert isinstance(entropy, int)
        return entropy
    return read_whole_number("seed", seed, 0)


def read_samples(option: str, value: object) -> int:
    """Read a number of resamples or shuffles.

    Raises
    ------
    OptionError
        If it is none, or more than `MOST_SAMPLES`.
    """
    return read_whole_number(option, value, 1, MOST_SAMPLES)


def bootstrap_weights(
    generator: np.random.Generator, segments: int, samples: int
) -> Iterator[tuple[slice, Floats, npt.NDArray[np.int64]]]:
    """Draw resamples of the segments with replacement, block by block.

    The draws are those of ``generator.choice(segments, size=(samples, segments))``, as sacreBLEU makes
    them.

    Yields
    ------
    rows : slice
        Which of the resamples these are.
    weights : ndarray, shape (rows, segments)
        How often each segment was drawn.
    last : ndarray of int, shape (rows,)
        The segment that was drawn last.
    """
    size = max(1, min(samples, _BLOCK_VALUES // segments))
    for first in range(0, samples, size):
        count = min(size, samples - first)
        # What `choice` does inside, without its copy.
        drawn = generator.integers(segments, size=(count, segments))
        weights = np.empty((count, segments))
        for row, chosen in zip(weights, drawn, strict=True):
            row[:] = np.bincount(chosen, minlength=segments)
        yield slice(first, first + count), weights, drawn[:, -1]


def shuffle_masks(
    generator: np.random.Generator, rows: int, samples: int
) -> Iterator[tuple[slice, Floats]]:
    """Toss a coin for each row of statistics in each shuffle, block by block.

    The tosses are those of ``generator.integers(2, size=(samples, rows), dtype=bool)``, as sacreBLEU
    makes them.

    Yields
    ------
    shuffles : slice
    leaves : ndarray, shape (shuffles, rows)
        1 where both systems exchange their row, 0 where they keep it.
    """
    size = max(1, _BLOCK_VALUES // (rows * _ALIGNED_ROWS)) * _ALIGNED_ROWS
    step = max(1, _BLOCK_VALUES // rows)
    for first in range(0, samples, size):
        count = min(size, samples - first)
        tossed = _toss(generator, count * rows).reshape(count, rows)
        for start in range(0, count, step):
            part = tossed[start : start + step]
            yield slice(first + start, first + start + len(part)), (~part).astype(np.float64)


def _toss(generator: np.random.Generator, count: int) -> npt.NDArray[np.bool_]:
    """Return ``generator.integers(2, size=count, dtype=bool)``, many times as fast.

    The truth values are the bits of 32-bit numbers, the lowest first.
    """
    numbers = generator.integers(1 << 32, size=-(-count // 32), dtype=np.uint32)
    octets = numbers.astype("<u4", copy=False).view(np.uint8)
    return np.unpackbits(octets, count=count, bitorder="little").view(np.bool_)


# Permutations are looked up in a table of all of them.
MOST_PERMUTED_RUNS = 7


def overlapping_masks(
    generator: np.random.Generator, segments: int, runs: int, samples: int
) -> Iterator[tuple[slice, Floats, Floats]]:
    """Shuffle as MultEval does, block by block.

    Each row of each run is exchanged or not, and the runs of each segment are permuted. The rows that
    one pseudo-system takes are told by the coin at the place where the permutation puts them, those of
    the other by the coin where its inverse does.

    Yields
    ------
    shuffles : slice
    first, second : ndarray, shape (shuffles, runs · segments)
        1 where the system's row goes to the other pseudo-system, in the first and in the second one.
    """
    table = np.array(list(permutations(range(runs))))
    inverse = np.argsort(table, axis=1)
    step = max(1, _BLOCK_VALUES // (runs * segments))
    for start in range(0, samples, step):
        count = min(step, samples - start)
        coins = _toss(generator, count * runs * segments).reshape(count, runs, segments)
        drawn = generator.integers(len(table), size=(count, segments))
        first, second = (
            np.take_along_axis(coins, orders[drawn].transpose(0, 2, 1), axis=1)
            for orders in (inverse, table)
        )
        yield (
            slice(start, start + count),
            first.reshape(count, -1).astype(np.float64),
            second.reshape(count, -1).astype(np.float64),
        )


# OpenBLAS computes products of no more multiplications than this on the calling thread.
_SMALL_PRODUCT = 1 << 18
_ROWS_AT_ONCE = 64


def weighted_sums(weights: Floats, rows: Floats) -> Floats:
    """Return the totals of resamples: ``weights @ rows``.

    As many small products: a large one would start BLAS's own threads, which go on spinning beside
    ours, and whose number could change the last bit. These are added in one fixed order.

    Parameters
    ----------
    weights : ndarray, shape (samples, n)
    rows : ndarray, shape (n, k)

    Returns
    -------
    ndarray, shape (samples, k)
    """
    samples, segments = weights.shape
    width = rows.shape[1]
    length = max(16, _SMALL_PRODUCT // (_ROWS_AT_ONCE * width))
    whole = segments // length * length
    rows = np.ascontiguousarray(rows)
    pieces = rows[:whole].reshape(-1, length, width)
    sums = np.empty((samples, width))
    for first in range(0, samples, _ROWS_AT_ONCE):
        part = weights[first : first + _ROWS_AT_ONCE]
        cut = part[:, :whole].reshape(len(part), -1, length).transpose(1, 0, 2)
        total = part[:, whole:] @ rows[whole:]
        if whole:
            total += np.matmul(cut, pieces).sum(axis=0)
        sums[first : first + len(part)] = total
    return sums


def document_totals(statistics: Statistics, documents: Sequence[Hashable]) -> Statistics:
    """Sum up the rows of each document: what is drawn instead of segments.

    Parameters
    ----------
    statistics : Statistics, shape (n, k)
    documents : sequence, one for each segment

    Returns
    -------
    Statistics, shape (documents, k)
        By the last segment of each, so that the test set's last one stays in the last row; `last`
        holds the last segment's row of each.
    """
    labels, totals = statistics.group_sum(documents)
    ends = {label: index for index, label in enumerate(documents)}
    order = sorted(range(len(labels)), key=lambda number: ends[labels[number]])
    last = statistics.values[[ends[labels[number]] for number in order]]
    return replace(totals, values=totals.values[order], last=last)


def last_rows(rows: Statistics) -> Floats:
    """Return the row of each unit's last segment: of a segment its own."""
    return rows.values if rows.last is None else rows.last


def pool(runs: Sequence[Statistics]) -> Statistics:
    """Return the units of all runs as one matrix."""
    pooled = Statistics.concatenate(runs)
    if runs[0].last is None:
        return pooled
    return replace(pooled, last=np.concatenate([last_rows(run) for run in runs]))


def total(rows: Statistics) -> Statistics:
    """Return the totals of all units."""
    return replace(rows.sum(), last=last_rows(rows)[-1])


def part_scores(
    metric: Metric[Any], like: Statistics, sums: Floats, last: Floats | None = None
) -> Mapping[str, Floats]:
    """Return the scores of totals over any leading axes, by the metric's parts.

    Parameters
    ----------
    metric : Metric
    like : Statistics
        Statistics of the same texts, for what is known of them beside their values.
    sums : ndarray, shape (..., k)
    last : ndarray, shape (..., k), optional
        The last segment's row in each, for conventions that read it.
    """
    return metric.part_scores(replace(like, values=sums, last=last))


def corpus_scores(metric: Metric[Any], statistics: Statistics) -> dict[str, float]:
    """Return the corpus score of each of the metric's parts."""
    totals = statistics if statistics.values.ndim == 1 else total(statistics)
    parts = metric.compute(totals).parts()
    return {name: float(parts[name].score) for name in metric.part_names}


def mean_of_runs(scores: Sequence[Mapping[str, Any]], part: str) -> Any:
    """Return the mean of one part's scores, numbers or arrays, over the runs of a system."""
    return np.mean([run[part] for run in scores], axis=0)


def check_statistics(metric: Metric[Any], statistics: Statistics, what: str) -> None:
    """Refuse what is no matrix of this metric's statistics.

    Raises
    ------
    InputError
    """
    if not isinstance(statistics, Statistics):
        raise InputError(
            f"{what}: Statistics are needed, found {type(statistics).__name__}; those of texts: "
            f"metric.statistics(hypotheses, references)"
        )
    if statistics.fields != metric.fields:
        raise InputError(
            f"{what}: these are not {metric.name}'s statistics: {', '.join(statistics.fields)}"
        )
    if statistics.values.ndim != 2 or not len(statistics):
        raise InputError(
            f"{what}: a row for each segment is needed, found an array of shape "
            f"{statistics.values.shape}"
        )


def read_runs(
    metric: Metric[Any], given: Statistics | Sequence[Statistics], what: str
) -> tuple[Statistics, ...]:
    """Read the statistics of a system: one matrix, or one for each of its optimiser runs.

    Raises
    ------
    InputError
        If there is none, they are another metric's, or differ in the number of segments.
    """
    runs = (given,) if isinstance(given, Statistics) else tuple(given)
    if not runs:
        raise InputError(f"{what}: there are no statistics")
    for number, run in enumerate(runs, 1):
        check_statistics(metric, run, what if len(runs) == 1 else f"{what}, run {number}")
        if len(run) != len(runs[0]):
            raise InputError(
                f"{what}: run {number} has {len(run)} segments, but run 1 has {len(runs[0])}"
            )
    return runs


def read_pair(
    metric: Metric[Any],
    baseline: Statistics | Sequence[Statistics],
    system: Statistics | Sequence[Statistics],
) -> tuple[tuple[Statistics, ...], tuple[Statistics, ...]]:
    """Read the statistics of two systems whose segments and runs are to be paired.

    Raises
    ------
    InputError
        As `read_runs`; and if they differ in the number of segments or runs.
    """
    first, second = read_runs(metric, baseline, "baseline"), read_runs(metric, system, "system")
    if len(first[0]) != len(second[0]):
        raise InputError(
            f"baseline has {len(first[0])} segments, but system has {len(second[0])}; a paired test "
            f"needs the same segments of both"
        )
    if len(first) != len(second):
        raise InputError(
            f"baseline has {len(first)} runs, but system has {len(second)}; a test over several "
            f"optimiser runs needs as many of each"
        )
    return first, second
