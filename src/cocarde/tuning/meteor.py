"""METEOR's parameters fitted to human judgements.

An alignment depends on neither the parameters nor the stage weights, so texts are aligned once and
every point is scored from the statistics. A segment's score is a product,

    Fmean(alpha, delta, stage weights) · order(beta, gamma),   order = 1 − fragmentation penalty,

so that the scores at all points of a grid are products of two small tables, and their weighted
Pearson correlations with the judgements three products of matrices.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, combinations, cycle, pairwise, product, repeat, takewhile
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from cocarde._util.checks import read_choice
from cocarde.core.documents import Document, Notes, Table, TableRow
from cocarde.core.printed import Printed
from cocarde.core.renderers import render
from cocarde.core.statistics import Floats
from cocarde.corpus.segments import References, Segments
from cocarde.errors import InputError, OptionError, numbering
from cocarde.metrics.meteor.metric import METEOR

__all__ = [
    "METEORTuning",
    "Ranking",
    "TuningFold",
    "TuningProgress",
    "grid_values",
    "tune_meteor",
]

Integers = npt.NDArray[np.int64]

_PARAMETERS = ("alpha", "beta", "gamma", "delta")
_ORDER_PARAMETERS = ("beta", "gamma")
OBJECTIVES = {
    "kendall": "Kendall's tau over pairs",
    "weighted-pearson": "Pearson's r, weighted by reference length",
    "pearson": "Pearson's r",
    "spearman": "Spearman's rho",
}
SEARCHES = ("coordinate", "exhaustive")
# How many scores are held at once: half a megabyte, which caches hold; also soon done, for Ctrl-C.
_SCORES_AT_ONCE = 1 << 16
# What two ways of computing the same correlation may differ by.
_SAME = 1e-12


class Ranking(NamedTuple):
    """A judgement that one system's segment is better than another's.

    Attributes
    ----------
    segment : int
        From 0.
    better, worse : str
        Systems, by name.
    times : float
        How often it was said, more than 0.
    """

    segment: int
    better: str
    worse: str
    times: float = 1.0


@dataclass(frozen=True)
class TuningProgress:
    """How far the search is.

    Attributes
    ----------
    fold : int
        0 for all data, from 1 for the folds of the cross-validation.
    folds : int
        How many folds there are.
    evaluated : int
        Points scored so far in this part.
    best : float
        The best objective so far in this part.
    """

    fold: int
    folds: int
    evaluated: int
    best: float


@dataclass(frozen=True)
class TuningFold:
    """One fold of the cross-validation: tuned on the others, tried on this one.

    Attributes
    ----------
    parameters : dict of str to float
        Tuned without this fold.
    training_before, training_after : float
        The objective on the other folds.
    held_out_before, held_out_after : float
        The objective on this fold.
    segments : int
        How many segments are held out.
    """

    parameters: dict[str, float]
    training_before: float
    training_after: float
    held_out_before: float
    held_out_after: float
    segments: int


@dataclass(frozen=True)
class METEORTuning(Printed):
    """What tuning found.

    Attributes
    ----------
    metric : METEOR
        With the best parameters, ready to use.
    baseline : METEOR
        As it was before.
    objective : str
        "kendall", "weighted-pearson", "pearson" or "spearman".
    before, after : float
        The objective at both, from −1 to 1, on the data it was tuned to.
    judgements : float
        Rankings, or judged segments.
    points : int
        How many points the search scored.
    search : str
        "coordinate" or "exhaustive".
    seed : int
    folds : tuple of TuningFold
        The cross-validation; empty without.
    skipped : int
        Rankings of systems that were not given.
    """

    metric: METEOR
    baseline: METEOR
    objective: str
    before: float
    after: float
    judgements: float
    points: int
    search: str
    seed: int
    folds: tuple[TuningFold, ...] = ()
    skipped: int = 0

    @property
    def parameters(self) -> dict[str, float]:
        """The best parameters; those of the stages are their weights."""
        return _parameters_of(self.metric)

    @property
    def held_out_before(self) -> float:
        """The mean objective of the untuned metric over the folds; NaN without folds."""
        return _mean(fold.held_out_before for fold in self.folds)

    @property
    def held_out_after(self) -> float:
        """The mean objective over the folds, each with what was tuned on the others."""
        return _mean(fold.held_out_after for fold in self.folds)

    @property
    def overfitting(self) -> float:
        """How much of the gain on tuned data is not there on held-out data; NaN without folds."""
        gain = _mean(fold.training_after - fold.training_before for fold in self.folds)
        return gain - (self.held_out_after - self.held_out_before)

    def to_dict(self) -> dict[str, Any]:
        """Return everything by name, ready for JSON."""
        values: dict[str, Any] = {
            "metric": "meteor",
            "objective": self.objective,
            "before": self.before,
            "after": self.after,
            "judgements": self.judgements,
            "skipped": self.skipped,
            "points": self.points,
            "search": self.search,
            "seed": self.seed,
            "parameters_before": _parameters_of(self.baseline),
            "parameters": self.parameters,
            "signature_before": self.baseline.signature,
            "signature": self.metric.signature,
            "folds": [dict(vars(fold)) for fold in self.folds],
        }
        if self.folds:
            values["held_out_before"] = self.held_out_before
            values["held_out_after"] = self.held_out_after
            values["overfitting"] = self.overfitting
        return values

    def rows(self) -> list[tuple[str, str, str]]:
        """Return what changed: a name, the value before and the value after."""
        before, after = _parameters_of(self.baseline), self.parameters
        listed = [(name, f"{before[name]:g}", f"{after[name]:g}") for name in after]
        listed.append((OBJECTIVES[self.objective], f"{self.before:.4f}", f"{self.after:.4f}"))
        if self.folds:
            name = f"  held out, mean of {len(self.folds)} folds"
            listed.append((name, f"{self.held_out_before:.4f}", f"{self.held_out_after:.4f}"))
        return listed

    def document(self) -> Document:
        """Return what changed, and the signature of the tuned metric."""
        kind = "rankings" if self.objective == "kendall" else "judged segments"
        title = f"METEOR tuned to {self.judgements:g} {kind}, {self.points:,} points tried"
        table = Table(("", "before", "after"), tuple(map(TableRow, self.rows())), plain=True)
        return Document(title, (table, Notes((self.metric.signature,))))

    def __str__(self) -> str:
        return str(render(self.document(), "text")).rstrip("\n")


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return math.fsum(listed) / len(listed) if listed else math.nan


def _parameters_of(metric: METEOR) -> dict[str, float]:
    values = {name: float(getattr(metric, name)) for name in _PARAMETERS}
    stages: Any = zip(metric.stages or (), metric.stage_weights or (), strict=True)
    return {**values, **{stage: float(weight) for stage, weight in stages}}


def _with_parameters(metric: METEOR, values: Mapping[str, float]) -> METEOR:
    weights = [values[stage] for stage in metric.stages or ()]
    parameters = {name: values[name] for name in _PARAMETERS}
    return metric.with_options(task=None, stage_weights=weights, **parameters)


# --------------------------------------------------------------------------------------------------
# The grid


def grid_values(
    first: float, last: float, step: float, *, accumulated: bool = False
) -> tuple[float, ...]:
    """Return the values of a parameter from `first` to `last`.

    Parameters
    ----------
    first, last : float
        Both belong to it, `last` if the steps meet it.
    step : float
        More than 0.
    accumulated : bool, default False
        Add step to step and round nothing, as METEOR's Trainer does. Where scores tie but for their
        last digit, rank correlations at 0.15000000000000002, which it calls 0.15, are others than at
        0.15.

    Returns
    -------
    tuple of float
        Rounded to 10 digits, unless they are accumulated.

    Raises
    ------
    OptionError
        If the step is not positive, a number is not finite or `last` is below `first`.

    Examples
    --------
    >>> grid_values(0, 0.2, 0.05)
    (0.0, 0.05, 0.1, 0.15, 0.2)
    """
    if not all(map(math.isfinite, (first, last, step))) or step <= 0 or last < first:
        raise OptionError(
            f"a range goes from a number up to another in steps above 0; found {first!r} to {last!r} "
            f"by {step!r}"
        )
    if accumulated:
        # The Trainer goes a thousandth beyond the end, to reach it.
        sums = accumulate(repeat(step), initial=first)
        return tuple(takewhile(lambda value: value <= last + 0.001, sums))
    count = math.floor((last - first) / step + 1e-6) + 1
    return tuple(round(first + step * index, 10) for index in range(count))


def _default_grid(metric: METEOR) -> dict[str, tuple[float, ...]]:
    unit = grid_values(0, 1, 0.05)
    first, *others = metric.stages or ()
    # A factor common to all weights changes no correlation and no ranking, so the first stays.
    return {
        "alpha": unit,
        "beta": grid_values(0, 2, 0.05),
        "gamma": unit,
        "delta": unit,
        first: (1.0,),
        **dict.fromkeys(others, unit),
    }


def _read_grid(metric: METEOR, grid: Mapping[str, Any] | None) -> dict[str, tuple[float, ...]]:
    result = _default_grid(metric)
    for name, given in (grid or {}).items():
        if name not in result:
            raise OptionError(
                f"grid: there is no parameter {name!r} in this metric; there are {', '.join(result)}",
                option="grid",
                value=name,
                choices=result,
            )
        listed = [given] if isinstance(given, (int, float)) else list(given)
        highest = 1 if name in ("alpha", "delta") else math.inf
        for value in listed:
            number = isinstance(value, (int, float, np.integer, np.floating))
            if not number or not 0 <= value <= highest or math.isinf(value):
                bounds = "from 0 to 1" if highest == 1 else "0 or more"
                raise OptionError(f"grid: {name} must be {bounds}; found {value!r}")
        if not listed:
            raise OptionError(f"grid: {name} has no values; give at least one, or leave it out")
        result[name] = tuple(sorted({float(value) for value in listed}))
    return result


# --------------------------------------------------------------------------------------------------
# The formula, over many points at once


def _fmeans(rows: Floats, points: Sequence[Mapping[str, float]], stages: Sequence[str]) -> Floats:
    """Return Fmean of each row at each point, 0 where it is undefined.

    The steps are those of `METEOR`, in the same order, so that scores tie where they tie there.
    """
    # Neither precision nor recall depends on alpha.
    distinct: dict[tuple[float, ...], int] = {}
    shared = [
        distinct.setdefault((point["delta"], *(point[stage] for stage in stages)), len(distinct))
        for point in points
    ]
    delta, *weights = np.array(list(distinct)).T[:, :, None]
    means = []
    with np.errstate(divide="ignore", invalid="ignore"):
        for side in (0, 1):
            matched = np.zeros((len(distinct), len(rows)))
            for first, share in ((4, delta), (6, 1 - delta)):
                for stage, weight in enumerate(weights):
                    count = rows[:, first + 4 * stage + side]
                    if count.any():
                        part = count * weight
                        part *= share
                        matched += part
            length, function_words = rows[:, side], rows[:, 2 + side]
            matched /= delta * (length - function_words) + (1 - delta) * function_words
            means.append(matched)
        precision, recall = means if len(distinct) == len(points) else (m[shared] for m in means)
        alpha = np.array([[point["alpha"]] for point in points])
        # 1 / ((1 - alpha) / precision + alpha / recall)
        fmean = np.asarray((1 - alpha) / precision)
        fmean += alpha / recall
        np.divide(1, fmean, out=fmean)
    fmean[np.isnan(fmean)] = 0
    return fmean


class _Order:
    """What is left after the fragmentation penalty, from few distinct fragmentations."""

    def __init__(self, rows: Floats) -> None:
        chunks, whole, hypothesis, reference = rows[:, -4:].T
        with np.errstate(invalid="ignore", divide="ignore"):
            found = (chunks - whole) / ((hypothesis + reference) / 2)
        # Without a match there is none, and Fmean is 0.
        self._distinct, self._of_row = np.unique(np.nan_to_num(found), return_inverse=True)
        self._of_row = self._of_row.reshape(-1)

    def at(self, points: Sequence[Mapping[str, float]]) -> Floats:
        """Return a value from 0 for each point and row."""
        beta, gamma = (np.array([[point[name]] for point in points]) for name in _ORDER_PARAMETERS)
        left = 1 - gamma * np.power(self._distinct, beta)
        return np.ascontiguousarray(np.maximum(left, 0)[:, self._of_row])


# --------------------------------------------------------------------------------------------------
# Objectives


@dataclass(frozen=True, eq=False)
class _Scores:
    """Correlation of scores with a judgement of each hypothesis."""

    judged: Floats
    weights: Floats
    ranked: bool = False

    def of(self, scores: Floats) -> Floats:
        """Return the correlation of each row of scores; 0 where scores are all the same."""
        if self.ranked:
            return _correlations(_ranks(scores), _ranks(self.judged[None])[0], self.weights)
        return _correlations(scores, self.judged, self.weights)

    def of_products(self, left: Floats, right: Floats) -> Floats | None:
        """Return the same for all products of rows; None where there is no faster way."""
        if self.ranked:
            return None
        total = self.weights.sum()
        centred = self.weights * (self.judged - (self.weights @ self.judged) / total)
        sums = (left * self.weights) @ right.T
        variance = ((left * left) * self.weights) @ (right * right).T - sums * sums / total
        # Here rounding would decide.
        variance[variance <= 1e-11 * sums * sums / total] = np.inf
        spread = float(centred @ self.judged)
        return np.asarray(((left * centred) @ right.T) / np.sqrt(variance * spread))

    def varies(self) -> bool:
        """Tell whether there is anything to correlate with."""
        return len(self.judged) > 1 and bool(np.ptp(self.judged) > 0)


def _correlations(x: Floats, y: Floats, weights: Floats) -> Floats:
    total = weights.sum()
    y = y - (weights * y).sum() / total
    x = x - ((weights * x).sum(axis=1) / total)[:, None]
    covariance = (weights * x * y).sum(axis=1) / total
    x_variance = (weights * x * x).sum(axis=1) / total
    y_variance = (weights * y * y).sum() / total
    with np.errstate(invalid="ignore", divide="ignore"):
        found = covariance / np.sqrt(x_variance * y_variance)
    return np.asarray(np.nan_to_num(found, nan=0.0, posinf=0.0, neginf=0.0))


def _ranks(values: Floats) -> Floats:
    """Rank each row; those that tie share the mean of their ranks."""
    order = np.argsort(values, axis=1, kind="stable")
    placed = np.take_along_axis(values, order, axis=1)
    places = np.arange(values.shape[1])
    new = np.ones(values.shape, dtype=bool)
    new[:, 1:] = placed[:, 1:] != placed[:, :-1]
    first = np.maximum.accumulate(np.where(new, places, 0), axis=1)
    ends = np.ones(values.shape, dtype=bool)
    ends[:, :-1] = new[:, 1:]
    backwards = np.where(ends, places, values.shape[1])[:, ::-1]
    last = np.minimum.accumulate(backwards, axis=1)[:, ::-1]
    ranks = np.empty(values.shape)
    np.put_along_axis(ranks, order, (first + last) / 2 + 1, axis=1)
    return ranks


@dataclass(frozen=True, eq=False)
class _Pairs:
    """How often the better hypothesis has the higher score; a tie is an error, as in the Trainer."""

    better: Integers
    worse: Integers
    counts: Floats
    epsilon: float

    def of(self, scores: Floats) -> Floats:
        """Return (right − wrong) / all for each row of scores."""
        higher = scores[:, self.better] - scores[:, self.worse] > self.epsilon
        right = np.where(higher, self.counts, 0.0).sum(axis=1)
        total = self.counts.sum()
        return np.asarray((right - (total - right)) / total)

    def of_products(self, left: Floats, right: Floats) -> Floats | None:
        """There is no faster way."""
        return None

    def varies(self) -> bool:
        """Tell whether there is a pair."""
        return len(self.counts) > 0


@dataclass(frozen=True, eq=False)
class _Sample:
    """Judged hypotheses: their rows, one for each reference, and what people said.

    Attributes
    ----------
    rows : ndarray, shape (r, k)
    starts : ndarray of int, shape (h,)
        Where the rows of each hypothesis begin.
    segments : ndarray of int, shape (h,)
        The segment of each hypothesis.
    objective : _Scores or _Pairs
    stages : tuple of str
    """

    rows: Floats
    starts: Integers
    segments: Integers
    objective: _Scores | _Pairs
    stages: tuple[str, ...]
    _order: _Order = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_order", _Order(self.rows))

    def restricted(self, kept: Integers) -> _Sample:
        """Return what belongs to these segments."""
        chosen = np.isin(self.segments, kept)
        numbers = np.cumsum(chosen) - 1
        ends = np.append(self.starts[1:], len(self.rows))
        lengths = ends - self.starts
        rows = self.rows[np.repeat(chosen, lengths)]
        starts = np.cumsum(lengths[chosen]) - lengths[chosen]
        objective = self.objective
        if isinstance(objective, _Pairs):
            pairs = chosen[objective.better]
            objective = _Pairs(
                numbers[objective.better[pairs]],
                numbers[objective.worse[pairs]],
                objective.counts[pairs],
                objective.epsilon,
            )
        else:
            objective = _Scores(
                objective.judged[chosen], objective.weights[chosen], objective.ranked
            )
        return _Sample(rows, starts, self.segments[chosen], objective, self.stages)

    def at(self, point: Mapping[str, float]) -> float:
        """Return the objective at one point."""
        fmean, order = _fmeans(self.rows, [point], self.stages), self._order.at([point])
        return float(self.objective.of(self._best(fmean * order))[0])

    def over(
        self, means: Sequence[Mapping[str, float]], orders: Sequence[Mapping[str, float]]
    ) -> Iterator[tuple[int, Floats]]:
        """Yield the objective at all points that pair one of `means` with one of `orders`.

        Yields
        ------
        first : int
            The index in `means`.
        values : ndarray, shape (some means, len(orders))
        """
        order = self._order.at(orders)
        single = len(self.starts) == len(self.rows)
        count = max(1, len(self.rows))
        fast = single and isinstance(self.objective, _Scores) and not self.objective.ranked
        step = max(1, _SCORES_AT_ONCE // (count if fast else count * len(orders)))
        inner = max(1, _SCORES_AT_ONCE // count)
        for first in range(0, len(means), step):
            fmean = _fmeans(self.rows, means[first : first + step], self.stages)
            values = self.objective.of_products(fmean, order) if single else None
            if values is None:
                parts = []
                for start in range(0, len(orders), inner):
                    scores = fmean[:, None, :] * order[None, start : start + inner]
                    found = self.objective.of(self._best(scores.reshape(-1, count)))
                    parts.append(found.reshape(len(fmean), -1))
                values = np.concatenate(parts, axis=1)
            yield first, values

    def _best(self, scores: Floats) -> Floats:
        """Choose the best reference of each hypothesis."""
        if len(self.starts) == len(self.rows):
            return scores
        return np.asarray(np.maximum.reduceat(scores, self.starts, axis=1))


# --------------------------------------------------------------------------------------------------
# Searches


class _Search:
    """Looks for the best point of a grid on one sample."""

    def __init__(
        self,
        sample: _Sample,
        grid: Mapping[str, tuple[float, ...]],
        report: Callable[[int, float], None],
    ) -> None:
        self._sample = sample
        self._grid = grid
        self._report = report
        self.points = 0

    def _scan(
        self, fixed: Mapping[str, float], free: Sequence[str], *, near: bool
    ) -> tuple[float, dict[str, float]]:
        """Return the best value over the free parameters, and the point that has it.

        Of several that have it, the one nearest to `fixed`, or the first in the Trainer's order.
        """
        mean_free = [name for name in free if name not in _ORDER_PARAMETERS]
        order_free = [name for name in free if name in _ORDER_PARAMETERS]
        means, orders = (
            [
                {**fixed, **dict(zip(names, values, strict=True))}
                for values in product(*(self._grid[name] for name in names))
            ]
            for names in (mean_free, order_free)
        )
        if near:
            mean_costs, order_costs = (
                np.array([sum(abs(one[name] - fixed[name]) for name in free) for one in points])
                for points in (means, orders)
            )
        else:
            # Alpha changes most slowly, then beta and gamma, then the others.
            below = len(means) // (len(self._grid["alpha"]) if "alpha" in free else 1)
            places = np.arange(len(means))
            mean_costs = (places // below) * float(len(orders) * below) + places % below
            order_costs = np.arange(len(orders)) * float(below)
        best, cost, found = -math.inf, math.inf, (0, 0)
        for first, values in self._sample.over(means, orders):
            self.points += values.size
            highest = float(values.max())
            if highest > best + _SAME:
                cost = math.inf
            best = max(best, highest)
            rows, columns = np.nonzero(values >= best - _SAME)
            if len(rows):
                costs = mean_costs[first + rows] + order_costs[columns]
                least = int(np.argmin(costs))
                if costs[least] < cost:
                    cost, found = costs[least], (first + int(rows[least]), int(columns[least]))
            self._report(self.points, best)
        mean, order = found
        chosen = {name: orders[order][name] for name in order_free}
        return best, {**means[mean], **chosen}

    def exhaustive(self, start: Mapping[str, float]) -> tuple[dict[str, float], float]:
        """Try every point; of several that are best take the first in the Trainer's order."""
        _, point = self._scan(start, list(self._grid), near=False)
        return point, self._sample.at(point)

    def coordinate(self, starts: Iterable[Mapping[str, float]]) -> tuple[dict[str, float], float]:
        """Improve two parameters at a time, and in the end some three, until nothing improves."""
        free = [name for name, values in self._grid.items() if len(values) > 1]
        blocks: list[tuple[str, ...]] = list(combinations(free, 2)) or [tuple(free)]
        winner, highest = dict[str, float](), -math.inf
        for start in starts:
            point, value = self._climb(dict(start), blocks)
            if value > highest + _SAME:
                winner, highest = point, value
        # Beta and gamma make up for one another and for a third, and cost little together.
        order = [name for name in free if name in _ORDER_PARAMETERS]
        if len(order) > 1:
            blocks += [(*order, name) for name in free if name not in order]
            winner, highest = self._climb(winner, blocks[::-1])
        return winner, highest

    def _climb(
        self, point: dict[str, float], blocks: Sequence[tuple[str, ...]]
    ) -> tuple[dict[str, float], float]:
        value = self._sample.at(point)
        without_gain = 0
        for block in cycle(blocks):
            best, found = self._scan(point, block, near=True)
            if best > value + _SAME:
                point, value, without_gain = found, best, 0
            without_gain += 1
            if without_gain >= len(blocks):
                break
        return point, self._sample.at(point)


def _starts(
    metric: METEOR, grid: Mapping[str, tuple[float, ...]], count: int, seed: int
) -> list[dict[str, float]]:
    """Return the point of the grid that is nearest to the metric's own, and random ones."""
    own = _parameters_of(metric)
    first = {
        name: min(values, key=lambda value: abs(value - own[name])) for name, values in grid.items()
    }
    generator = np.random.default_rng(seed)
    others = [
        {name: values[int(generator.integers(len(values)))] for name, values in grid.items()}
        for _ in range(count - 1)
    ]
    return [first, *others]


# --------------------------------------------------------------------------------------------------
# Reading what was given


def _systems_of(hypotheses: Any) -> dict[str, Segments]:
    if isinstance(hypotheses, Mapping):
        if not hypotheses:
            raise InputError("hypotheses has no systems; give at least one")
        return {
            str(name): Segments.coerce(value, f"hypotheses[{name!r}]")
            for name, value in hypotheses.items()
        }
    return {"": Segments.coerce(hypotheses)}


def _items(segments: Segments) -> list[Any]:
    if segments.kind == "block":
        raise InputError(f"{segments.argument}: tuning takes texts, not blocks of bytes")
    if segments.items is not None:
        return segments.items
    values, offsets = segments.values, segments.offsets
    assert values is not None and offsets is not None  # what a ragged batch of ids has
    return [values[a:b] for a, b in pairwise(offsets)]


def _rows_of(metric: METEOR, segments: Segments, references: Any) -> tuple[Floats, Integers]:
    """Return the statistics of each hypothesis with each of its references, and how many it has."""
    read = References.coerce(references, segments)
    counts = np.diff(read.offsets)
    if (counts == 1).all():
        return metric.statistics(segments, read).values, counts
    items = _items(segments)
    owners = np.repeat(np.arange(len(items)), counts).tolist()
    repeated = [items[i] for i in owners]
    singles = References(read.segments, np.arange(len(repeated) + 1, dtype=np.int64))
    with numbering(owners.__getitem__):
        return metric.statistics(repeated, singles).values, counts


def _read_scores(judgements: Any, systems: Mapping[str, Segments]) -> dict[str, Floats]:
    if not isinstance(judgements, Mapping):
        judgements = {next(iter(systems)): judgements}
    result = {}
    for name, values in judgements.items():
        where = f"judgements[{name!r}]" if name != "" else "judgements"
        if str(name) not in systems:
            raise InputError(
                f"judgements: there is no system {name!r}; there are {', '.join(systems)}"
            )
        listed = list(values)
        if len(listed) != len(systems[str(name)]):
            raise InputError(
                f"{where} has {len(listed)} numbers, but there are {len(systems[str(name)])} "
                "segments; give one for each, None where nobody judged"
            )
        numbers = np.full(len(listed), np.nan)
        for index, value in enumerate(listed):
            if value is None:
                continue
            known = isinstance(value, (int, float, np.integer, np.floating))
            if not known or isinstance(value, bool) or math.isinf(value):
                raise InputError(f"{where}[{index}] must be a number or None; found {value!r}")
            numbers[index] = value
        result[str(name)] = numbers
    missing = [name for name in systems if name not in result]
    if missing:
        raise InputError(f"judgements has nothing for the system {missing[0]!r}; leave it out")
    return result


def _is_ranking(value: object) -> bool:
    return isinstance(value, tuple) or (isinstance(value, list) and len(value) > 2)


def _read_rankings(
    judgements: Sequence[Any], systems: Mapping[str, Segments], count: int
) -> tuple[Counter[tuple[int, str, str]], int]:
    result: Counter[tuple[int, str, str]] = Counter()
    skipped = 0
    for index, entry in enumerate(judgements):
        if not _is_ranking(entry) or len(entry) not in (3, 4):
            raise InputError(
                f"judgements[{index}] must be (segment, better, worse) or (segment, better, worse, "
                f"times); found {entry!r}"
            )
        ranking = Ranking(*entry)
        segment = ranking.segment
        if isinstance(segment, bool) or not isinstance(segment, (int, np.integer)):
            raise InputError(f"judgements[{index}]: a segment is a number; found {segment!r}")
        if not 0 <= segment < count:
            raise InputError(
                f"judgements[{index}]: there is no segment {segment}; there are {count}, from 0"
            )
        if not isinstance(ranking.times, (int, float)) or not 0 < ranking.times < math.inf:
            raise InputError(
                f"judgements[{index}]: `times` is a number above 0; found {ranking.times!r}"
            )
        if ranking.better == ranking.worse:
            raise InputError(
                f"judgements[{index}]: {ranking.better!r} cannot be better than itself"
            )
        if ranking.better in systems and ranking.worse in systems:
            result[int(segment), ranking.better, ranking.worse] += ranking.times  # type: ignore[assignment]
        else:
            skipped += 1
    if not result:
        raise InputError(
            f"judgements: none of {len(judgements)} rankings compares two of the systems "
            f"{', '.join(map(repr, systems))}"
        )
    return result, skipped


def _rankings_from(
    scores: Mapping[str, Floats], minimum_difference: float
) -> Counter[tuple[int, str, str]]:
    result: Counter[tuple[int, str, str]] = Counter()
    for (one, first), (other, second) in combinations(scores.items(), 2):
        difference = first - second
        for segment in np.flatnonzero(np.abs(difference) > minimum_difference):
            better, worse = (one, other) if difference[segment] > 0 else (other, one)
            result[int(segment), better, worse] += 1
    return result


# --------------------------------------------------------------------------------------------------
# The front door


def tune_meteor(
    metric: METEOR,
    hypotheses: Any,
    references: Any,
    judgements: Any,
    *,
    objective: str | None = None,
    lower_is_better: bool = False,
    minimum_difference: float = 0.0,
    epsilon: float = 0.0,
    grid: Mapping[str, Any] | None = None,
    search: str = "coordinate",
    starts: int = 4,
    folds: int = 5,
    seed: int = 0,
    progress: Callable[[TuningProgress], None] | None = None,
) -> METEORTuning:
    """Fit METEOR's parameters and stage weights to human judgements.

    Texts are aligned once. Of several references the best is chosen anew at every point.

    Parameters
    ----------
    metric : METEOR
        Language, stages and everything else that is not tuned; its parameters are the baseline and
        where the search begins.
    hypotheses : sequence, or mapping of str to sequence
        The segments of one system, or of several by name; shapes as in `METEOR.statistics`.
    references : sequence
        For the segments of every system, as in `METEOR.statistics`.
    judgements : sequence of numbers, mapping of str to sequence of numbers, or sequence of rankings
        Scores: a number for each segment (of each system), None where nobody judged; the higher the
        better. Or rankings: ``(segment, better, worse)`` or ``(segment, better, worse, times)``,
        with segments from 0 and systems by name, as in `Ranking`. Rankings of systems that are not
        given are left out and counted.
    objective : {"kendall", "weighted-pearson", "pearson", "spearman"}, optional
        What is as high as possible. "kendall" is (right − wrong) / all over pairs of systems, where
        equal METEOR scores count as wrong; it is the default, and the only one, for rankings; scores
        become pairs within each segment. "weighted-pearson", the default for scores, weighs each
        segment by its (mean) reference length. These and "spearman" are METEOR's Trainer's
        ``rank``, ``segcor`` and ``spearman``.
    lower_is_better : bool, default False
        For judgements such as HTER, where low numbers are good.
    minimum_difference : float, default 0
        For "kendall" from scores: pairs must differ by more than this.
    epsilon : float, default 0
        For "kendall": METEOR scores, 0 to 100, must differ by more than this to be right.
    grid : mapping of str to number or sequence of numbers, optional
        The values to try, or the one to keep, of "alpha", "beta", "gamma", "delta" and, as weights,
        of each stage by its name; see `grid_values`. The result is one of these points. By
        default 0 to 1 (beta: to 2) in steps of 0.05, with the first stage's weight kept at 1.
    search : {"coordinate", "exhaustive"}
        "coordinate" goes to the best point in every plane of two parameters until none of them holds
        a better one, from several starts; then also beta and gamma with each other one.
        "exhaustive" tries every point, as the Trainer does: for Pearson and one reference some
        100,000 points a second (of 10,000 segments), elsewhere far fewer, so use a coarse grid there.
    starts : int, default 4
        For "coordinate": the metric's own parameters and random ones.
    folds : int, default 5
        Of the cross-validation over segments; 0 for none, otherwise 2 or more.
    seed : int, default 0
        For random starts and folds. Equal seeds give equal results.
    progress : callable, optional
        Called with a `TuningProgress` every now and then. What it raises, ends the search.

    Returns
    -------
    METEORTuning

    Raises
    ------
    OptionError
        If an option is out of its range.
    InputError
        If judgements do not fit the hypotheses, are too few or all the same; and as
        `METEOR.statistics`.

    Examples
    --------
    >>> from cocarde import METEOR, tune_meteor
    >>> tuning = tune_meteor(
    ...     METEOR(stages=("exact",)),
    ...     {"a": ["the cat sat", "it rains a lot"], "b": ["cat the sat the on", "it rains"]},
    ...     ["the cat sat down", "it rains much"],
    ...     [(0, "b", "a"), (1, "a", "b")],
    ...     folds=0,
    ... )
    >>> tuning.after >= tuning.before, tuning.metric.task is None
    (True, True)

    References
    ----------
    Denkowski and Lavie (2014), section 4: parameters tuned to rankings by an exhaustive search.
    """
    if type(metric) is not METEOR:
        raise OptionError(
            f"only METEOR 1.5 can be tuned, as METEOR(...) or its presets meteor-1.5 and coco; found a "
            f"{type(metric).__name__}"
        )
    for name, least, value in (("starts", 1, starts), ("folds", 0, folds), ("seed", 0, seed)):
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
            raise OptionError(f"{name} must be a whole number, {least} or more; found {value!r}")
    for name, number in (("epsilon", epsilon), ("minimum_difference", minimum_difference)):
        if not 0 <= number < math.inf:
            raise OptionError(f"{name} must be 0 or more; found {number!r}")
    read_choice("search", search, SEARCHES)
    if objective is not None:
        read_choice("objective", objective, OBJECTIVES)
    values = _read_grid(metric, grid)
    sample, objective, skipped = _sample_of(
        metric,
        _systems_of(hypotheses),
        references,
        judgements,
        objective,
        lower_is_better=lower_is_better,
        minimum_difference=minimum_difference,
        epsilon=epsilon,
    )
    parts = _split(sample, folds, seed)

    def tuned(part: _Sample, fold: int) -> tuple[dict[str, float], float, int]:
        def report(evaluated: int, best: float) -> None:
            if progress is not None:
                progress(TuningProgress(fold, len(parts), evaluated, best))

        found = _Search(part, values, report)
        begin = _starts(metric, values, starts, seed)
        point, best = (
            found.exhaustive(begin[0]) if search == "exhaustive" else found.coordinate(begin)
        )
        return point, best, found.points

    own = _parameters_of(metric)
    point, after, points = tuned(sample, 0)
    tried = []
    for number, (training, held_out) in enumerate(parts, start=1):
        theirs, best, _ = tuned(training, number)
        tried.append(
            TuningFold(
                theirs,
                training.at(own),
                best,
                held_out.at(own),
                held_out.at(theirs),
                len(np.unique(held_out.segments)),
            )
        )
    kept = sample.objective
    return METEORTuning(
        metric=_with_parameters(metric, point),
        baseline=metric,
        objective=objective,
        before=sample.at(own),
        after=after,
        judgements=float(kept.counts.sum()) if isinstance(kept, _Pairs) else len(kept.judged),
        points=points,
        search=search,
        seed=int(seed),
        folds=tuple(tried),
        skipped=skipped,
    )


def _sample_of(
    metric: METEOR,
    systems: Mapping[str, Segments],
    references: Any,
    judgements: Any,
    objective: str | None,
    *,
    lower_is_better: bool,
    minimum_difference: float,
    epsilon: float,
) -> tuple[_Sample, str, int]:
    """Align what was judged, once; return it with the objective's name and the rankings left out."""
    if isinstance(judgements, (str, bytes)) or not isinstance(judgements, Iterable):
        raise InputError(f"judgements must be numbers or rankings; found {judgements!r}")
    if not isinstance(judgements, Mapping):
        judgements = list(judgements)
    rankings: Counter[tuple[int, str, str]] | None = None
    scores: dict[str, Floats] = {}
    skipped = 0
    if not isinstance(judgements, Mapping) and any(map(_is_ranking, judgements)):
        if objective not in (None, "kendall"):
            raise OptionError(f"objective: rankings have Kendall's tau alone, not {objective!r}")
        objective = "kendall"
        count = len(next(iter(systems.values())))
        rankings, skipped = _read_rankings(judgements, systems, count)
    else:
        if not isinstance(judgements, Mapping) and len(systems) > 1:
            raise InputError(
                "judgements: with several systems give a mapping of names to numbers, or rankings"
            )
        objective = objective or "weighted-pearson"
        scores = _read_scores(judgements, systems)
        if objective == "kendall":
            rankings = _rankings_from(scores, minimum_difference)
            if not rankings:
                raise InputError(
                    "judgements: no two systems differ on a segment, so there are no pairs"
                )
    if rankings is not None and lower_is_better:
        rankings = Counter({(s, w, b): count for (s, b, w), count in rankings.items()})

    rows, starts, segments, judged, lengths = [], [], [], [], []
    place: dict[tuple[int, str], int] = {}
    before = 0
    for name, texts in systems.items():
        found, counts = _rows_of(metric, texts, references)
        if rankings is not None:
            used = {s for s, better, worse in rankings if name in (better, worse)}
            chosen = np.zeros(len(texts), dtype=bool)
            chosen[list(used)] = True
        else:
            chosen = ~np.isnan(scores[name])
            judged.append(scores[name][chosen])
        firsts = np.cumsum(counts) - counts
        if len(found):
            lengths.append((np.add.reduceat(found[:, 1], firsts) / counts)[chosen])
        found, counts = found[np.repeat(chosen, counts)], counts[chosen]
        for segment in np.flatnonzero(chosen):
            place[int(segment), name] = len(place)
        rows.append(found)
        starts.append(before + np.cumsum(counts) - counts)
        segments.append(np.flatnonzero(chosen))
        before += len(found)
    what: _Scores | _Pairs
    if rankings is not None:
        what = _Pairs(
            np.array([place[s, better] for s, better, _ in rankings], dtype=np.int64),
            np.array([place[s, worse] for s, _, worse in rankings], dtype=np.int64),
            np.array(list(rankings.values()), dtype=np.float64),
            epsilon / 100,
        )
    else:
        numbers = np.concatenate(judged)
        weights = np.concatenate(lengths)
        if objective != "weighted-pearson":
            weights = np.ones(len(weights))
        what = _Scores(-numbers if lower_is_better else numbers, weights, objective == "spearman")
    if not what.varies():
        raise InputError("judgements: there must be at least two that differ")
    sample = _Sample(
        np.concatenate(rows),
        np.concatenate(starts),
        np.concatenate(segments),
        what,
        tuple(metric.stages or ()),
    )
    return sample, objective, skipped


def _split(sample: _Sample, folds: int, seed: int) -> list[tuple[_Sample, _Sample]]:
    """Return what is trained on and what is held out, by segments, for each fold."""
    if folds == 0:
        return []
    segments = np.unique(sample.segments)
    if folds == 1 or folds > len(segments):
        raise OptionError(
            f"folds must be 0, or from 2 to the number of judged segments, {len(segments)}; "
            f"found {folds}"
        )
    # Not the stream that draws the starts.
    shuffled = np.random.default_rng([int(seed), 1]).permutation(segments)
    result = []
    for held in np.array_split(shuffled, folds):
        parts = (sample.restricted(np.setdiff1d(segments, held)), sample.restricted(held))
        if not all(part.objective.varies() for part in parts):
            raise InputError(
                f"{folds} folds are too many: in one of them there are no two judgements that differ; "
                "take fewer, or folds=0"
            )
        result.append(parts)
    return result
