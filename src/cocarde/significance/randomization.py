"""Approximate randomisation: how often chance makes a difference as large (Noreen, 1989).

With the same seed, p-values are those of sacreBLEU 2.6.0. Over several optimiser runs it is the
stratified test of Clark et al. (2011).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from cocarde._util.checks import read_flag
from cocarde.core.metric import Metric
from cocarde.core.statistics import Statistics
from cocarde.errors import OptionError
from cocarde.significance.bootstrap import PairedResult, rounding_of, smoothed_p_value
from cocarde.significance.resampling import (
    DEFAULT_SEED,
    MOST_PERMUTED_RUNS,
    Floats,
    corpus_scores,
    mean_of_runs,
    overlapping_masks,
    part_scores,
    pool,
    read_pair,
    read_samples,
    read_seed,
    shuffle_masks,
    total,
    weighted_sums,
)

__all__ = [
    "DEFAULT_SHUFFLES",
    "paired_randomization",
    "randomization_p_values",
]

DEFAULT_SHUFFLES = 10_000

Name = TypeVar("Name", bound=Hashable)


@dataclass(frozen=True, eq=False)
class _Exchange:
    """What a system exchanges with any other in each shuffle of a block.

    Attributes
    ----------
    given : ndarray, shape (shuffles, k)
        The sum of its rows that go.
    keeps_last : ndarray of bool, shape (shuffles,)
        Whether its last row stays.
    """

    given: Floats
    keeps_last: npt.NDArray[np.bool_]


@dataclass(eq=False)
class _Tally:
    """The observed difference of two systems by one part, and how many shuffles had a larger one."""

    observed: float
    rounding: float
    told_apart: bool
    exceeding: int = 0

    @staticmethod
    def of(first: float, second: float) -> _Tally:
        observed, rounding = abs(first - second), rounding_of(first, second)
        return _Tally(observed, rounding, observed > rounding)

    def add(self, differences: Floats) -> None:
        self.told_apart = self.told_apart or bool((differences > self.rounding).any())
        # One that ties with the observed difference is none that is larger, whatever the last bits
        # of their sums.
        self.exceeding += int(np.count_nonzero(differences > self.observed + self.rounding))


def _masks(
    generator: np.random.Generator, segments: int, runs: int, samples: int, overlapping: bool
) -> Iterator[tuple[slice, Floats, Floats]]:
    if overlapping:
        yield from overlapping_masks(generator, segments, runs, samples)
    else:
        for block, leaves in shuffle_masks(generator, segments * runs, samples):
            yield block, leaves, leaves


def randomization_p_values(
    systems: Mapping[Name, tuple[Metric[Any], Sequence[Statistics]]],
    pairs: Iterable[tuple[Name, Name]],
    generator: np.random.Generator,
    samples: int,
    progress: Callable[[int], None] | None = None,
    *,
    overlapping: bool = False,
) -> dict[tuple[Name, Name], dict[str, tuple[float, int]]]:
    """Test pairs of systems, all with the same coins.

    The statistic is the difference of the scores of all runs' totals, as in MultEval. Shuffles are
    made and scored block by block, so that any number of them takes the same memory.

    Parameters
    ----------
    systems : mapping of names to (Metric, runs)
        All of the same segments, or documents, and with as many runs.
    pairs : iterable of (name, name)
        Of systems with one metric.
    generator : numpy.random.Generator
    samples : int
    progress : callable, optional
        Called with how many shuffles have been made since the last time.
    overlapping : bool
        Whether pseudo-systems overlap as in MultEval.

    Returns
    -------
    dict of pairs to dict
        Each part's p-value, and how many shuffles had a larger difference.

    Raises
    ------
    OptionError
        If they shall overlap, and there are more than 7 runs.
    """
    pairs = list(pairs)
    _, first_runs = next(iter(systems.values()))
    units, runs = len(first_runs[0]), len(first_runs)
    if overlapping and runs > MOST_PERMUTED_RUNS:
        raise OptionError(
            f"the test 'multeval' takes at most {MOST_PERMUTED_RUNS} runs of a system, found {runs}; "
            f"the test 'randomization' takes any number"
        )
    overlapping = overlapping and runs > 1
    metrics = {name: metric for name, (metric, _) in systems.items()}
    pooled = {name: pool(group) for name, (_, group) in systems.items()}
    totals = {name: total(rows) for name, rows in pooled.items()}
    observed = {name: corpus_scores(metrics[name], sums) for name, sums in totals.items()}
    tallies = {
        (one, other): {
            part: _Tally.of(observed[one][part], observed[other][part])
            for part in metrics[one].part_names
        }
        for one, other in pairs
    }
    for block, *masks in _masks(generator, units, runs, samples, overlapping):
        # Where they do not overlap, one of them is enough.
        exchanged = [
            {
                name: _Exchange(weighted_sums(leaves, rows.values), leaves[:, -1] == 0)
                for name, rows in pooled.items()
            }
            for leaves in masks[: 1 + overlapping]
        ]
        first, second = exchanged[0], exchanged[-1]
        for (one, other), parts in tallies.items():
            metric = metrics[one]
            forth = _pseudo_scores(totals[one], first[one], first[other], totals[other], metric)
            back = _pseudo_scores(totals[other], second[other], second[one], totals[one], metric)
            for part, tally in parts.items():
                tally.add(np.abs(forth[part] - back[part]))
        if progress is not None:
            progress(block.stop - block.start)
    return {
        pair: {
            part: (
                smoothed_p_value(tally.exceeding, samples, told_apart=tally.told_apart),
                tally.exceeding,
            )
            for part, tally in parts.items()
        }
        for pair, parts in tallies.items()
    }


def _pseudo_scores(
    own: Statistics, gives: _Exchange, takes: _Exchange, other: Statistics, metric: Metric[Any]
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
        The number of shuffles, at most a million.
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
    samples = read_samples("samples", samples)
    seed = read_seed(seed)
    first, second = read_pair(metric, baseline, system)
    pair = ("baseline", "system")
    found = randomization_p_values(
        {pair[0]: (metric, first), pair[1]: (metric, second)},
        [pair],
        np.random.default_rng(seed),
        samples,
        overlapping=read_flag("overlapping", overlapping),
    )[pair]
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
