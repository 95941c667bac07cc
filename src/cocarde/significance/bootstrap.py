"""Bootstrap resampling: how far a score depends on the choice of the test set (Koehn, 2004).

With the same seed, resamples, intervals and p-values are those of sacreBLEU 2.6.0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from cocarde._util.checks import read_confidence, read_number
from cocarde.core.metric import Metric
from cocarde.core.statistics import Statistics
from cocarde.significance.resampling import (
    DEFAULT_SEED,
    Floats,
    bootstrap_weights,
    corpus_scores,
    last_rows,
    mean_of_runs,
    part_scores,
    read_pair,
    read_runs,
    read_samples,
    read_seed,
    weighted_sums,
)

__all__ = [
    "DEFAULT_RESAMPLES",
    "Interval",
    "PairedResult",
    "bootstrap_intervals",
    "bootstrap_p_value",
    "estimate",
    "paired_bootstrap",
    "resampled_scores",
]

DEFAULT_RESAMPLES = 1000

# How far rounding can move a score, as a share of the scale or of the score if that is larger; the
# sums behind it are exact to some 1e-15.
_ROUNDING = 1e-12


def rounding_of(*scores: float) -> float:
    """Return the difference of such scores below which they differ by rounding alone."""
    return _ROUNDING * max(100.0, *map(abs, scores))


@dataclass(frozen=True)
class Interval:
    """What resamples say about a score.

    Attributes
    ----------
    mean : float
        Of the resamples' scores; sacreBLEU's "true mean".
    low, high : float
        The ends of the percentile interval.
    deviation : float
        Standard deviation of the resamples' scores; MultEval's s_sel.
    confidence : float
        In per cent.
    samples : int
        The number of resamples.
    """

    mean: float
    low: float
    high: float
    deviation: float
    confidence: float
    samples: int

    @property
    def half_width(self) -> float:
        """Half the distance of the ends: what sacreBLEU prints after ±."""
        return 0.5 * (self.high - self.low)


@dataclass(frozen=True)
class PairedResult:
    """What a paired test says about two systems.

    Attributes
    ----------
    delta : float
        The system's score less the baseline's; over several runs, of the means.
    p_value : float
        Two-sided: how often chance alone makes a difference as large.
    exceeding : int
        How many samples had a larger difference. ``(exceeding + 1) / (samples + 1)`` is the p-value,
        unless no sample told the systems apart.
    samples, seed : int
    """

    delta: float
    p_value: float
    exceeding: int
    samples: int
    seed: int


def smoothed_p_value(exceeding: int, samples: int, *, told_apart: bool) -> float:
    """Return ``(exceeding + 1) / (samples + 1)``; Noreen (1989) adds the ones.

    Where no sample tells the systems apart there is nothing to test, and p is 1; sacreBLEU and
    MultEval print the smallest p there is for a system against itself.
    """
    return (exceeding + 1) / (samples + 1) if told_apart else 1.0


def estimate(scores: Floats, confidence: float = 95) -> Interval:
    """Return mean and percentile interval of resamples' scores.

    Parameters
    ----------
    scores : ndarray, shape (samples,)
    confidence : float, default 95
        From 0 to 100.

    Returns
    -------
    Interval
        Its ends are the scores that have ``floor(samples · (100 - confidence) / 200)`` others beyond
        them, as in sacreBLEU (which knows 95 per cent alone).

    Raises
    ------
    OptionError
        If the confidence is out of range.

    Examples
    --------
    >>> import numpy as np
    >>> from cocarde.significance import estimate
    >>> interval = estimate(np.arange(1000.0))
    >>> interval.low, interval.high, interval.half_width
    (25.0, 974.0, 474.5)
    """
    confidence = read_number("confidence", confidence, 0, 100)
    ordered = np.sort(scores)
    count = len(ordered)
    beyond = min(int(count * (100 - Fraction(repr(confidence))) / 200), (count - 1) // 2)
    return Interval(
        mean=float(ordered.mean()),
        low=float(ordered[beyond]),
        high=float(ordered[count - 1 - beyond]),
        deviation=float(ordered.std(ddof=1)) if count > 1 else 0.0,
        confidence=confidence,
        samples=count,
    )


def resampled_scores(
    systems: Sequence[tuple[Metric[Any], Statistics]],
    generator: np.random.Generator,
    samples: int,
    progress: Callable[[int], None] | None = None,
) -> list[dict[str, Floats]]:
    """Score the same resamples with several systems and metrics.

    Parameters
    ----------
    systems : sequence of (Metric, Statistics)
        All of the same segments, or documents (`document_totals`).
    generator : numpy.random.Generator
    samples : int
    progress : callable, optional
        Called with how many resamples have been drawn since the last time.

    Returns
    -------
    list of dict
        For each pair the scores, shape (samples,), of each of the metric's parts.
    """
    if not systems:
        return []
    scores = [{part: np.empty(samples) for part in metric.part_names} for metric, _ in systems]
    for block, weights, last in bootstrap_weights(generator, len(systems[0][1]), samples):
        for (metric, rows), found in zip(systems, scores, strict=True):
            sums = weighted_sums(weights, rows.values)
            for part, values in part_scores(metric, rows, sums, last_rows(rows)[last]).items():
                found[part][block] = values
        if progress is not None:
            progress(len(weights))
    return scores


def bootstrap_intervals(
    metric: Metric[Any],
    statistics: Statistics,
    *,
    samples: int = DEFAULT_RESAMPLES,
    seed: int | None = DEFAULT_SEED,
    confidence: float = 95,
) -> dict[str, Interval]:
    """Return the bootstrap interval of a corpus score.

    Parameters
    ----------
    metric : Metric
    statistics : Statistics, shape (n, k)
        A row a segment.
    samples : int, default 1000
        At most a million.
    seed : int or None, default 12345
        None takes one from the operating system.
    confidence : float, default 95
        A percentage from 50 up, below 100.

    Returns
    -------
    dict of str to Interval
        One for each of the metric's parts.

    Raises
    ------
    InputError
        If these are not the metric's statistics.
    OptionError
        If an option is out of range.

    Examples
    --------
    >>> from cocarde import BLEU
    >>> from cocarde.significance import bootstrap_intervals
    >>> bleu = BLEU()
    >>> rows = bleu.statistics(["a b c d e", "a b c d f"], ["a b c d e", "a b c d e"])
    >>> interval = bootstrap_intervals(bleu, rows)["BLEU"]
    >>> round(interval.low, 2), round(interval.high, 2)
    (66.87, 100.0)
    """
    samples = read_samples("samples", samples)
    confidence = read_confidence("confidence", confidence)
    (rows,) = read_runs(metric, statistics, "statistics")
    generator = np.random.default_rng(read_seed(seed))
    (scores,) = resampled_scores([(metric, rows)], generator, samples)
    return {part: estimate(values, confidence) for part, values in scores.items()}


def bootstrap_p_value(baseline: Floats, system: Floats, delta: float) -> tuple[float, int]:
    """Return the p-value of two systems' scores on the same resamples, and how many exceed it.

    The differences are centred on their mean, and those larger than the observed one counted: Moses'
    and sacreBLEU's test (Riezler and Maxwell, 2005, discuss it).

    Parameters
    ----------
    baseline, system : ndarray, shape (samples,)
    delta : float
        The difference on the test set itself.
    """
    differences = np.abs(system - baseline)
    rounding = rounding_of(baseline.max(), system.max())
    told_apart = bool(abs(delta) > rounding or (differences > rounding).any())
    differences -= differences.mean()
    exceeding = int(np.count_nonzero(differences > abs(delta) + rounding))
    return smoothed_p_value(exceeding, len(differences), told_apart=told_apart), exceeding


def paired_bootstrap(
    metric: Metric[Any],
    baseline: Statistics | Sequence[Statistics],
    system: Statistics | Sequence[Statistics],
    *,
    samples: int = DEFAULT_RESAMPLES,
    seed: int | None = DEFAULT_SEED,
) -> dict[str, PairedResult]:
    """Test with paired bootstrap resampling whether two systems differ.

    Parameters
    ----------
    metric : Metric
    baseline, system : Statistics, shape (n, k), or a sequence of them
        A row a segment, the same segments; several are runs, whose scores are averaged.
    samples : int, default 1000
        At most a million.
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

    Examples
    --------
    >>> from cocarde import BLEU
    >>> from cocarde.significance import paired_bootstrap
    >>> bleu = BLEU()
    >>> references = ["a b c d e", "f g h i j", "k l m n o"]
    >>> worse = bleu.statistics(["a b c d x", "f g h i x", "k l m n o"], references)
    >>> better = bleu.statistics(references, references)
    >>> round(paired_bootstrap(bleu, worse, better)["BLEU"].delta, 2)
    21.77
    >>> paired_bootstrap(bleu, better, better)["BLEU"].p_value
    1.0
    """
    samples = read_samples("samples", samples)
    seed = read_seed(seed)
    first, second = read_pair(metric, baseline, system)
    scored = resampled_scores(
        [(metric, run) for run in (*first, *second)], np.random.default_rng(seed), samples
    )
    observed = [corpus_scores(metric, run) for run in (*first, *second)]
    results = {}
    for part in metric.part_names:
        old, new = (
            [mean_of_runs(scores, part) for scores in (scored[runs], observed[runs])]
            for runs in (slice(len(first)), slice(len(first), None))
        )
        delta = float(new[1] - old[1])
        p_value, exceeding = bootstrap_p_value(old[0], new[0], delta)
        results[part] = PairedResult(delta, p_value, exceeding, samples, seed)
    return results
