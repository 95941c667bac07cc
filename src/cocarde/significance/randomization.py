"""Approximate randomisation: how often chance makes a difference as large (Noreen, 1989).

With the same seed, p-values are those of sacreBLEU 2.6.0. Over several optimiser runs it is the
stratified test of Clark et al. (2011), as MultEval has it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cocarde._checks import read_whole_number
from cocarde.metrics.base import Metric, Statistics
from cocarde.significance.bootstrap import ROUNDING, PairedResult, smoothed_p_value
from cocarde.significance.resampling import (
    DEFAULT_SEED,
    Floats,
    corpus_scores,
    part_scores,
    read_runs,
    read_seed,
    require_pairs,
    shuffle_masks,
    weighted_sums,
)

__all__ = [
    "DEFAULT_SHUFFLES",
    "ShuffledSystem",
    "paired_randomization",
    "randomization_p_values",
    "shuffle_systems",
]

DEFAULT_SHUFFLES = 10_000


@dataclass(frozen=True, eq=False)
class ShuffledSystem:
    """What a system gives away in each shuffle, with any other.

    Attributes
    ----------
    metric : Metric
    runs : tuple of Statistics
    total : Statistics
        Of all runs together.
    given : ndarray, shape (shuffles, k)
        The sum of the rows that it exchanges.
    keeps_last : ndarray of bool, shape (shuffles,)
        Whether its last row stays.
    """

    metric: Metric[Any]
    runs: tuple[Statistics, ...]
    total: Statistics
    given: Floats
    keeps_last: Any


def shuffle_systems(
    systems: Sequence[tuple[Metric[Any], tuple[Statistics, ...]]],
    generator: np.random.Generator,
    samples: int,
    progress: Callable[[int], None] | None = None,
) -> list[ShuffledSystem]:
    """Sum up the rows that each system gives away, with the same coins for all.

    Parameters
    ----------
    systems : sequence of (Metric, runs)
        All of the same segments and with as many runs.
    generator : numpy.random.Generator
    samples : int
    progress : callable, optional
        Called with how many shuffles have been made since the last time.
    """
    if not systems:
        return []
    pooled = [Statistics.concatenate(runs) for _, runs in systems]
    given = [np.empty((samples, len(rows.fields))) for rows in pooled]
    keeps_last = np.empty(samples, dtype=np.bool_)
    for block, stays in shuffle_masks(generator, len(pooled[0]), samples):
        keeps_last[block] = stays[:, -1] > 0
        leaves = 1 - stays
        for rows, total in zip(pooled, given, strict=True):
            total[block] = weighted_sums(leaves, rows.values)
        if progress is not None:
            progress(len(stays))
    return [
        ShuffledSystem(metric, runs, rows.sum(), total, keeps_last)
        for (metric, runs), rows, total in zip(systems, pooled, given, strict=True)
    ]


def randomization_p_values(
    baseline: ShuffledSystem, system: ShuffledSystem
) -> dict[str, tuple[float, int]]:
    """Return each part's p-value, and how many shuffles had a larger difference.

    The statistic is the difference of the scores of all runs' totals, as in MultEval.
    """
    metric = baseline.metric
    # What one gets is what the other gives, so that equal systems stay equal to the last bit.
    change = system.given - baseline.given
    ends = (baseline.total.last, system.total.last)
    assert ends[0] is not None and ends[1] is not None
    keeps = baseline.keeps_last[:, None]
    first = part_scores(
        metric,
        baseline.total,
        np.maximum(baseline.total.values + change, 0),
        np.where(keeps, ends[0], ends[1]),
    )
    second = part_scores(
        metric,
        system.total,
        np.maximum(system.total.values - change, 0),
        np.where(keeps, ends[1], ends[0]),
    )
    observed = (corpus_scores(metric, baseline.total), corpus_scores(metric, system.total))
    results = {}
    for part in metric.part_names:
        differences = np.abs(first[part] - second[part])
        delta = abs(observed[0][part] - observed[1][part])
        told_apart = bool(delta > ROUNDING or (differences > ROUNDING).any())
        results[part] = smoothed_p_value(differences, delta, told_apart=told_apart)
    return results


def paired_randomization(
    metric: Metric[Any],
    baseline: Statistics | Sequence[Statistics],
    system: Statistics | Sequence[Statistics],
    *,
    samples: int = DEFAULT_SHUFFLES,
    seed: int | None = DEFAULT_SEED,
) -> dict[str, PairedResult]:
    """Test with approximate randomisation whether two systems differ.

    Parameters
    ----------
    metric : Metric
    baseline, system : Statistics, shape (n, k), or a sequence of them
        A row a segment, the same segments; several are optimiser runs, as many of each. Rows of a
        segment are exchanged between the systems run by run, each with probability 1/2.
    samples : int, default 10000
        The number of shuffles.
    seed : int or None, default 12345

    Returns
    -------
    dict of str to PairedResult
        One for each of the metric's parts.

    Raises
    ------
    InputError
        If the segments or runs cannot be paired, or these are not the metric's statistics.
    OptionError
        If an option is out of range.

    Notes
    -----
    MultEval also permutes the runs of each segment. That moves no row to the other system; but with
    three and more runs it makes its two pseudo-systems overlap, which it does not intend. Here each is
    what the other leaves.

    Examples
    --------
    >>> from cocarde import BLEU
    >>> from cocarde.significance import paired_randomization
    >>> bleu = BLEU()
    >>> references = ["a b c d e", "f g h i j", "k l m n o"]
    >>> worse = bleu.statistics(["a b c d x", "f g h i x", "k l m n o"], references)
    >>> better = bleu.statistics(references, references)
    >>> paired_randomization(bleu, worse, better)["BLEU"].p_value > 0
    True
    >>> paired_randomization(bleu, better, better)["BLEU"].p_value
    1.0
    """
    samples = read_whole_number("samples", samples, 1)
    seed = read_seed(seed)
    first, second = read_runs(metric, baseline, "baseline"), read_runs(metric, system, "system")
    require_pairs(first, second, ("baseline", "system"))
    pair = shuffle_systems(
        [(metric, first), (metric, second)], np.random.default_rng(seed), samples
    )
    found = randomization_p_values(pair[0], pair[1])
    old = [corpus_scores(metric, run) for run in first]
    new = [corpus_scores(metric, run) for run in second]
    return {
        part: PairedResult(
            float(np.mean([one[part] for one in new]) - np.mean([one[part] for one in old])),
            *found[part],
            samples,
            seed,
        )
        for part in metric.part_names
    }
