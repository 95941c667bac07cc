"""rouge-score's confidence intervals: a bootstrap over segments with a seed of one's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cocarde._util.checks import read_percentage, read_whole_number
from cocarde.core.statistics import Statistics
from cocarde.errors import InputError

__all__ = ["RougeInterval", "bootstrap_aggregate", "check_segment_rows"]

Triple = tuple[float, float, float]
_MEASURES = ("precision", "recall", "fmeasure")


@dataclass(frozen=True)
class RougeInterval:
    """Low, middle and high values of one type of ROUGE.

    Attributes
    ----------
    low, mid, high : tuple of (precision, recall, fmeasure)
        The ends of the interval, and between them the median of the resampled means (rouge-score) or
        their mean (ROUGE-1.5.5), from 0 to 100.
    low_fraction, mid_fraction, high_fraction : tuple of (precision, recall, fmeasure)
        The same from 0 to 1, as the programs have them: what is printed of them is digit for digit
        what they print. A hundred times a fraction, divided by 100 again, may be another number.
    """

    low_fraction: Triple
    mid_fraction: Triple
    high_fraction: Triple

    @property
    def low(self) -> Triple:
        """The lower end, from 0 to 100."""
        return _percent(self.low_fraction)

    @property
    def mid(self) -> Triple:
        """The middle, from 0 to 100."""
        return _percent(self.mid_fraction)

    @property
    def high(self) -> Triple:
        """The upper end, from 0 to 100."""
        return _percent(self.high_fraction)


def _percent(values: Triple) -> Triple:
    precision, recall, fmeasure = values
    return 100 * precision, 100 * recall, 100 * fmeasure


# More than a machine's memory holds is a slip of the hand.
_MOST_RESAMPLES = 2**31


def check_segment_rows(statistics: Statistics, wanted: Sequence[str]) -> None:
    """Refuse what cannot be resampled: all but one row a segment, of these fields.

    Raises
    ------
    InputError
        If these are no statistics, another metric's, none at all, or sums of several segments.
    """
    if not isinstance(statistics, Statistics):
        raise InputError(
            f"intervals are of what ROUGE.statistics returns, found {type(statistics).__name__}"
        )
    if statistics.fields != tuple(wanted):
        raise InputError(
            f"intervals need this metric's statistics ({', '.join(wanted)}); these have the fields "
            f"{', '.join(statistics.fields)}"
        )
    if statistics.values.ndim != 2 or not len(statistics):
        raise InputError(
            f"intervals need one row a segment, found an array of shape {statistics.values.shape}"
        )
    summed = np.flatnonzero(statistics["count"] != 1)
    if len(summed):
        row = int(summed[0])
        raise InputError(
            f"intervals need one row a segment, but row {row} is the sum of "
            f"{statistics['count'][row]:g} segments; give the rows of statistics() as they are: "
            f"segments are what is resampled"
        )


def bootstrap_aggregate(
    statistics: Statistics,
    *,
    confidence: float = 95,
    resamples: int = 1000,
    seed: int | np.random.RandomState = 12345,
) -> dict[str, RougeInterval]:
    """Resample segments as rouge-score's `BootstrapAggregator` does.

    With ``np.random.seed(seed)`` before it, rouge-score gives the same numbers. Hugging Face's `evaluate`
    prints the F of `mid`, without a seed: it differs from run to run, around the mean that
    `ROUGE.corpus_score` gives.

    Parameters
    ----------
    statistics : Statistics, shape (n, k)
        Of `ROUGE.statistics`.
    confidence : float
        Percentage of the resamples inside, 1 to 100.
    resamples : int
        1 or more.
    seed : int or RandomState
        Of NumPy's older generator, which rouge-score uses.

    Returns
    -------
    dict of str to RougeInterval
        By type.

    Raises
    ------
    OptionError
        If an option is out of its range.
    InputError
        If these are not ROUGE's statistics of at least one segment.

    Examples
    --------
    >>> from cocarde import ROUGE
    >>> rows = ROUGE(rouge_types=["rouge1"]).statistics(["a b", "a c"], ["a b", "a b"])
    >>> interval = bootstrap_aggregate(rows, resamples=200)["rouge1"]
    >>> interval.low[2] <= interval.mid[2] <= interval.high[2]
    True
    """
    confidence = read_percentage("confidence", confidence)
    if not isinstance(seed, np.random.RandomState):
        seed = read_whole_number("seed", seed, 0, 2**32 - 1)
    resamples = read_whole_number("resamples", resamples, 1, _MOST_RESAMPLES)
    fields = getattr(statistics, "fields", ())
    names = [name[: -len("_fmeasure")] for name in fields if name.endswith("_fmeasure")]
    wanted = ("count", *(f"{name}_{measure}" for name in names for measure in _MEASURES))
    check_segment_rows(statistics, wanted)
    random = seed if isinstance(seed, np.random.RandomState) else np.random.RandomState(seed)
    count = len(statistics)
    rest = (1 - confidence / 100) / 2
    percents = 100 * np.array([rest, 0.5, 1 - rest])
    result = {}
    for name in names:
        rows = np.stack([statistics[f"{name}_{measure}"] for measure in _MEASURES], axis=1)
        means = np.empty((resamples, len(_MEASURES)))
        for sample in range(resamples):
            means[sample] = rows[random.choice(count, size=count)].mean(axis=0)
        low, mid, high = np.percentile(means, percents, axis=0)
        result[name] = RougeInterval(_triple(low), _triple(mid), _triple(high))
    return result


def _triple(values: np.ndarray) -> Triple:
    precision, recall, fmeasure = values.tolist()
    return precision, recall, fmeasure
