"""Approximate randomisation: how often chance makes a difference as large (Noreen, 1989).

With the same seed, p-values are those of sacreBLEU 2.6.0. Over several optimiser runs it is the
stratified test of Clark et al. (2011).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from cocarde._checks import read_flag, read_whole_number
from cocarde.errors import OptionError
from cocarde.metrics.base import Metric, Statistics
from cocarde.significance.bootstrap import ROUNDING, PairedResult, smoothed_p_value
from cocarde.significance.resampling import (
    DEFAULT_SEED,
    MOST_PERMUTED_RUNS,
    Floats,
    corpus_scores,
    mean_of_runs,
    overlapping_masks,
    part_scores,
    read_pair,
    read_seed,
    shuffle_masks,
    weighted_sums,
)

__all__ = [
    "DEFAULT_SHUFFLES",
    "Exchange",
    "ShuffledSystem",
    "paired_randomization",
    "randomization_p_values",
    "shuffle_systems",
]

DEFAULT_SHUFFLES = 10_000


@dataclass(frozen=True, eq=False)
class Exchange:
    """What a system exchanges with any other in each shuffle.

    Attributes
    ----------
    given : ndarray, shape (shuffles, k)
        The sum of its rows that go.
    keeps_last : ndarray of bool, shape (shuffles,)
        Whether its last row stays.
    """

    given: Floats
    keeps_last: npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class ShuffledSystem:
    """A system's totals, and what it exchanges in each shuffle.

    Attributes
    ----------
    metric : Metric
    total : Statistics
        Of all runs together.
    first, second : Exchange
        For either pseudo-system: one and the same, unless they overlap as in MultEval.
    """

    metric: Metric[Any]
    total: Statistics
    first: Exchange
    second: Exchange


def _masks(
    generator: np.random.Generator, segments: int, runs: int, samples: int, overlapping: bool
) -> Iterator[tuple[slice, Floats, Floats]]:
    if overlapping:
        yield from overlapping_masks(generator, segments, runs, samples)
    else:
        for block, leaves in shuffle_masks(generator, segments * runs, samples):
            yield block, leaves, leaves


def shuffle_systems(
    systems: Sequence[tuple[Metric[Any], Sequence[Statistics]]],
    generator: np.random.Generator,
    samples: int,
    progress: Callable[[int], None] | None = None,
    *,
    overlapping: bool = False,
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
    overlapping : bool
        Whether pseudo-systems overlap as in MultEval.

    Raises
    ------
    OptionError
        If they shall overlap, and there are more than 7 runs.
    """
    if not systems:
        return []
    segments, runs = len(systems[0][1][0]), len(systems[0][1])
    if overlapping and runs > MOST_PERMUTED_RUNS:
        raise OptionError(
            f"the test 'multeval' takes at most {MOST_PERMUTED_RUNS} runs of a system, found {runs}; "
            f"the test 'randomization' takes any number"
        )
    overlapping = overlapping and runs > 1
    pooled = [Statistics.concatenate(group) for _, group in systems]

    def empty() -> list[Exchange]:
        keeps = np.empty(samples, dtype=np.bool_)
        return [Exchange(np.empty((samples, len(rows.fields))), keeps) for rows in pooled]

    first = empty()
    second = empty() if overlapping else first
    for block, *masks in _masks(generator, segments, runs, samples, overlapping):
        # Where they do not overlap, one of them is enough.
        for leaves, exchanges in zip(masks, (first, second)[: 1 + overlapping], strict=False):
            exchanges[0].keeps_last[block] = leaves[:, -1] == 0
            for rows, exchange in zip(pooled, exchanges, strict=True):
                exchange.given[block] = weighted_sums(leaves, rows.values)
        if progress is not None:
            progress(block.stop - block.start)
    return [
        ShuffledSystem(metric, rows.sum(), *exchanges)
        for (metric, _), rows, *exchanges in zip(systems, pooled, first, second, strict=True)
    ]


def randomization_p_values(
    baseline: ShuffledSystem, system: ShuffledSystem
) -> dict[str, tuple[float, int]]:
    """Return each part's p-value, and how many shuffles had a larger difference.

    The statistic is the difference of the scores of all runs' totals, as in MultEval.
    """
    metric = baseline.metric
    first = _pseudo_scores(baseline.total, baseline.first, system.first, system.total, metric)
    second = _pseudo_scores(system.total, system.second, baseline.second, baseline.total, metric)
    observed = (corpus_scores(metric, baseline.total), corpus_scores(metric, system.total))
    results = {}
    for part in metric.part_names:
        differences = np.abs(first[part] - second[part])
        delta = abs(observed[0][part] - observed[1][part])
        told_apart = bool(delta > ROUNDING or (differences > ROUNDING).any())
        results[part] = smoothed_p_value(differences, delta, told_apart=told_apart)
    return results


def _pseudo_scores(
    own: Statistics, gives: Exchange, takes: Exchange, other: Statistics, metric: Metric[Any]
) -> Mapping[str, Floats]:
    """Score a system that has exchanged rows."""
    assert own.last is not None and other.last is not None
    # Equal systems exchange nothing, to the last bit; others may come to a negative rounding error.
    sums = np.maximum(own.values + (takes.given - gives.given), 0)
    return part_scores(metric, own, sums, np.where(gives.keeps_last[:, None], own.last, other.last))


def paired_randomization(
    metric: Metric[Any],
    baseline: Statistics | Sequence[Statistics],
    system: Statistics | Sequence[Statistics],
    *,
    samples: int = DEFAULT_SHUFFLES,
    seed: int | None = DEFAULT_SEED,
    overlapping: bool = False,
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
    overlapping : bool, default False
        Whether the pseudo-systems of several runs overlap as in MultEval; see the notes.

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
    MultEval also permutes the runs of each segment, which moves no row to the other system. But it reads
    one pseudo-system by the permutation and the other by its inverse, so that with three runs and more
    some rows are in both, others in neither: differences by chance come out smaller, and so do p-values
    (on its own example 0.09 instead of 0.10 for the length). Here each is what the other leaves, unless
    `overlapping` asks for MultEval's way.

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
    first, second = read_pair(metric, baseline, system)
    pair = shuffle_systems(
        [(metric, first), (metric, second)],
        np.random.default_rng(seed),
        samples,
        overlapping=read_flag("overlapping", overlapping),
    )
    found = randomization_p_values(pair[0], pair[1])
    old = [corpus_scores(metric, run) for run in first]
    new = [corpus_scores(metric, run) for run in second]
    return {
        part: PairedResult(
            float(mean_of_runs(new, part) - mean_of_runs(old, part)),
            *found[part],
            samples,
            seed,
        )
        for part in metric.part_names
    }
