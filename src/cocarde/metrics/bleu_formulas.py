"""From the totals of BLEU to a score: one function a convention.

All agree on the idea of Papineni et al. (2002): the geometric mean of clipped n-gram precisions times
a brevity penalty. They differ where a count is zero, and that is where reported scores differ. Every
function takes totals over any leading axes, and returns precisions, brevity penalty and score as
fractions.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cocarde.errors import InputError

__all__ = ["FORMULAS", "Formula", "FormulaResult", "Totals"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Totals:
    """Sufficient statistics of BLEU, summed.

    Attributes
    ----------
    matches, totals : ndarray, shape (..., N)
        By n-gram order.
    hypothesis_length, reference_length : ndarray, shape (...)
    next_matches, next_totals : ndarray, shape (...), or None
        Of order 5, which NLTK's smoothing methods 5 and 7 read; of the last segment alone over a
        corpus.
    last_hypothesis_length : ndarray, shape (...)
        Of the last segment alone over a corpus, which NLTK's smoothing method 6 reads.
    """

    matches: Floats
    totals: Floats
    hypothesis_length: Floats
    reference_length: Floats
    next_matches: Floats | None = None
    next_totals: Floats | None = None
    last_hypothesis_length: Floats | None = None

    @property
    def order(self) -> int:
        """The highest n-gram order."""
        return int(self.matches.shape[-1])

    def first(self, order: int) -> Totals:
        """Return the totals of the first `order` orders."""
        return Totals(
            self.matches[..., :order],
            self.totals[..., :order],
            self.hypothesis_length,
            self.reference_length,
            self.next_matches,
            self.next_totals,
            self.last_hypothesis_length,
        )


@dataclass(frozen=True)
class FormulaResult:
    """Precisions by order, brevity penalty and score, as fractions.

    Attributes
    ----------
    quotients : (ndarray, ndarray) or None
        Numerators and denominators of the precisions, where the reference implementation multiplies
        by 100 before it divides.
    """

    precisions: Floats
    brevity_penalty: Floats
    score: Floats
    quotients: tuple[Floats, Floats] | None = None

    @property
    def percentages(self) -> Floats:
        """The precisions from 0 to 100, to the last bit as the reference implementation has them.

        Halves round otherwise: 100 · (23/80) is a bit less than 100 · 23 / 80 = 28.75.
        """
        if self.quotients is None:
            return 100 * self.precisions
        numerators, denominators = self.quotients
        return np.where(self.precisions > 0, _ratio(100 * numerators, denominators), 0.0)


@dataclass(frozen=True)
class Formula:
    """A convention: its arithmetic and the smoothing methods it knows.

    Attributes
    ----------
    compute : callable
        ``compute(totals, weights, smooth_method, smooth_value, flag)``; `flag` is the convention's
        own switch (`effective_order`, `auto_reweigh`).
    smooth_methods : dict
        Name to default value (None: it takes no value); the first is the convention's default.
    coupled : bool
        Whether an order without weight still has a say, so that BLEU-1 is not BLEU-4 with all the
        weight on order 1.
    """

    compute: Callable[[Totals, Floats, str, float, bool], FormulaResult]
    smooth_methods: dict[str, float | None]
    coupled: bool = False


def _ratio(numerator: Floats | float, denominator: Floats) -> Floats:
    """Divide; 0 where the denominator is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(denominator != 0, numerator / denominator, 0.0)


def brevity_penalty(totals: Totals) -> Floats:
    """1 unless the hypothesis is shorter than the reference; then e^(1 - r/c), and 0 if it is empty."""
    c, r = totals.hypothesis_length, totals.reference_length
    with np.errstate(divide="ignore", invalid="ignore"):
        # r/0 is infinite, and e to minus infinity 0.
        return np.where(c >= r, 1.0, np.exp(1 - r / c))


def geometric_mean(precisions: Floats, weights: Floats) -> Floats:
    """Weighted geometric mean over the last axis; 0 where a precision with a weight is 0."""
    with np.errstate(divide="ignore"):
        # An order without weight has no say: 0 · log 0 counts as 0.
        logs = np.where(weights != 0, np.log(precisions), 0.0)
    # np.sum is slow over an axis as short as this one.
    return np.asarray(np.exp(np.einsum("...n,...n->...", weights, logs)))


def sacrebleu(
    totals: Totals, weights: Floats, method: str, value: float, effective: bool
) -> FormulaResult:
    """Score as sacreBLEU 2.6.0 does (Chen and Cherry, 2014, name the smoothing methods)."""
    matches, counts = totals.matches, totals.totals
    # A longer match holds a match of order 1.
    nothing = matches[..., 0] == 0
    if method == "add-k":
        added = np.where(np.arange(totals.order) > 0, value, 0.0)
        matches, counts = matches + added, counts + added
    # From the first order without n-grams on, none counts.
    counted = counts > 0
    every = bool(counted.all())
    if not every:
        counted = np.logical_and.accumulate(counted, axis=-1)
        matches = np.where(counted, matches, 0.0)
    unmatched = counted & (matches == 0)
    if method in ("exp", "floor") and unmatched.any():
        credit = np.exp2(-np.cumsum(unmatched, axis=-1)) if method == "exp" else value
        matches = np.where(unmatched, credit, matches)
    precisions = _ratio(matches, counts)
    precisions = np.where(nothing[..., None], 0.0, precisions)
    if effective and not every:
        # The weights of the orders that count, rescaled to their sum.
        used = np.where(counted, weights, 0.0)
        weights = _ratio(used, used.sum(axis=-1, keepdims=True)) * weights.sum(-1, keepdims=True)
    penalty = brevity_penalty(totals)
    score = np.where(nothing, 0.0, penalty * geometric_mean(precisions, weights))
    return FormulaResult(precisions, penalty, score, (matches, counts))


def mteval(totals: Totals, weights: Floats, method: str, value: float, flag: bool) -> FormulaResult:
    """Score as NIST's mteval-v13a.pl and mteval-v14.pl do.

    An order without any n-gram counts as a precision of 1; smoothing halves from order to order.
    """
    matches, counts = totals.matches, totals.totals
    precisions = _ratio(matches, counts)
    if method == "exp":
        unmatched = (counts > 0) & (matches == 0)
        halvings = 2.0 ** np.cumsum(unmatched, axis=-1)
        precisions = np.where(unmatched, _ratio(1 / halvings, counts), precisions)
        precisions = np.where(counts == 0, 1.0, precisions)
    penalty = np.where(totals.hypothesis_length > 0, brevity_penalty(totals), 0.0)
    return FormulaResult(precisions, penalty, penalty * geometric_mean(precisions, weights))


def multi_bleu(
    totals: Totals, weights: Floats, method: str, value: float, flag: bool
) -> FormulaResult:
    """Score as Moses' multi-bleu.perl does: 0 as soon as an order has no match."""
    precisions = _ratio(totals.matches, totals.totals)
    penalty = brevity_penalty(totals)
    score = penalty * geometric_mean(precisions, weights)
    return FormulaResult(precisions, penalty, np.where(totals.reference_length == 0, 0.0, score))


def nltk(
    totals: Totals, weights: Floats, method: str, value: float, reweigh: bool
) -> FormulaResult:
    """Score as NLTK 3.10 does, with its smoothing methods 0 to 7."""
    c = totals.hypothesis_length
    precisions = _ratio(totals.matches, totals.totals)
    precisions = _NLTK_SMOOTHING[method](totals, precisions, value)
    if reweigh:
        short = (c > 0) & (c < 4) & np.array_equal(weights, np.full(4, 0.25))
        uniform = np.where(
            np.arange(totals.order) < c[..., None], _ratio(np.ones_like(c), c)[..., None], 0.0
        )
        weights = np.where(short[..., None], uniform, weights)
    # An order whose precision is still 0 is left out of the mean, not taken as 0.
    positive = precisions > 0
    logs = np.log(np.where(positive, precisions, 1.0))
    penalty = brevity_penalty(totals)
    score = penalty * np.exp(np.sum(weights * logs, axis=-1))
    return FormulaResult(precisions, penalty, np.where(totals.matches[..., 0] == 0, 0.0, score))


def _method0(totals: Totals, precisions: Floats, value: float) -> Floats:
    # The smallest normal number stands for 0, so that the logarithm exists.
    return np.where(totals.matches == 0, sys.float_info.min, precisions)


def _method1(totals: Totals, precisions: Floats, epsilon: float) -> Floats:
    return np.where(
        totals.matches == 0, _ratio(totals.matches + epsilon, totals.totals), precisions
    )


def _method2(totals: Totals, precisions: Floats, value: float) -> Floats:
    later = np.arange(totals.order) > 0
    return np.where(later, (totals.matches + 1) / (totals.totals + 1), precisions)


def _method3(totals: Totals, precisions: Floats, value: float) -> Floats:
    unmatched = totals.matches == 0
    halvings = 2.0 ** np.cumsum(unmatched, axis=-1)
    return np.where(unmatched, _ratio(1 / halvings, totals.totals), precisions)


def _method4(totals: Totals, precisions: Floats, k: float) -> Floats:
    length = totals.hypothesis_length[..., None]
    unmatched = (totals.matches == 0) & (length > 1)
    halvings = 2.0 ** np.cumsum(unmatched, axis=-1)
    logarithm = np.log(np.maximum(length, 2))
    return np.where(unmatched, _ratio(logarithm / (halvings * k), totals.totals), precisions)


def _method5(totals: Totals, precisions: Floats, value: float) -> Floats:
    assert totals.next_matches is not None and totals.next_totals is not None
    beyond = _ratio(totals.next_matches, totals.next_totals)
    smoothed = np.empty_like(precisions)
    before = precisions[..., 0] + 1
    for n in range(totals.order):
        after = precisions[..., n + 1] if n + 1 < totals.order else beyond
        smoothed[..., n] = before = (before + precisions[..., n] + after) / 3
    return smoothed


def _method6(totals: Totals, precisions: Floats, alpha: float) -> Floats:
    if totals.order < 3:
        return precisions
    refused = np.flatnonzero(
        np.atleast_1d((totals.matches[..., 2] == 0) & (totals.matches[..., 0] > 0))
    )
    if len(refused):
        where = (
            f"row {int(refused[0])} (from 0) of the totals"
            if totals.matches.ndim > 1
            else "this text"
        )
        raise InputError(
            f"smoothing method6 needs a match of order 3, without which NLTK fails; {where} has "
            f"none: use another method"
        )
    assert totals.last_hypothesis_length is not None
    smoothed: Floats = precisions.copy()
    for n in range(2, totals.order):
        prior = _ratio(smoothed[..., n - 1] ** 2, smoothed[..., n - 2])
        total = np.maximum(totals.last_hypothesis_length - n, 0)
        smoothed[..., n] = (totals.matches[..., n] + alpha * prior) / (total + alpha)
    return smoothed


def _method7(totals: Totals, precisions: Floats, k: float) -> Floats:
    return _method5(totals, _method4(totals, precisions, k), k)


_NLTK_SMOOTHING: dict[str, Callable[[Totals, Floats, float], Floats]] = {
    "method0": _method0,
    "method1": _method1,
    "method2": _method2,
    "method3": _method3,
    "method4": _method4,
    "method5": _method5,
    "method6": _method6,
    "method7": _method7,
}


def coco(totals: Totals, weights: Floats, method: str, value: float, flag: bool) -> FormulaResult:
    """Score as pycocoevalcap does: small constants keep every logarithm and division defined."""
    tiny, small = 1e-15, 1e-9
    precisions = (totals.matches + tiny) / (totals.totals + small)
    ratio = (totals.hypothesis_length + tiny) / (totals.reference_length + small)
    penalty = np.exp(np.minimum(0.0, 1 - 1 / ratio))
    return FormulaResult(precisions, penalty, penalty * geometric_mean(precisions, weights))


def nmt(totals: Totals, weights: Floats, method: str, value: float, flag: bool) -> FormulaResult:
    """Score as compute_bleu of TensorFlow NMT and Hugging Face does: 0 if any precision is 0."""
    added = 1.0 if method == "add-one" else 0.0
    precisions = _ratio(totals.matches + added, totals.totals + added)
    penalty = brevity_penalty(totals)
    return FormulaResult(precisions, penalty, penalty * geometric_mean(precisions, weights))


def torch(totals: Totals, weights: Floats, method: str, value: float, flag: bool) -> FormulaResult:
    """Score as torchmetrics and torchtext do: 0 if any order has no match, even with smoothing."""
    precisions = _ratio(totals.matches, totals.totals)
    if method == "add-one":
        later = np.arange(totals.order) > 0
        precisions = np.where(later, (totals.matches + 1) / (totals.totals + 1), precisions)
    penalty = brevity_penalty(totals)
    score = penalty * geometric_mean(precisions, weights)
    return FormulaResult(precisions, penalty, np.where(totals.matches.all(axis=-1), score, 0.0))


def transformer(
    totals: Totals, weights: Floats, method: str, value: float, flag: bool
) -> FormulaResult:
    """Score as training loops of Transformer tutorials do: 0 if any statistic is 0."""
    precisions = _ratio(totals.matches, totals.totals)
    penalty = brevity_penalty(totals)
    some = totals.matches.all(axis=-1) & totals.totals.all(axis=-1) & (totals.reference_length > 0)
    return FormulaResult(
        precisions, penalty, np.where(some, penalty * geometric_mean(precisions, weights), 0.0)
    )


def floored(
    totals: Totals, weights: Floats, method: str, value: float, flag: bool
) -> FormulaResult:
    """Score as NumPy tutorials do: no precision is taken as less than a floor."""
    precisions = _ratio(totals.matches, totals.totals)
    penalty = brevity_penalty(totals)
    score = penalty * geometric_mean(np.maximum(precisions, value), weights)
    return FormulaResult(precisions, penalty, score)


FORMULAS: dict[str, Formula] = {
    "sacrebleu": Formula(sacrebleu, {"exp": None, "floor": 0.1, "add-k": 1.0, "none": None}),
    "mteval": Formula(mteval, {"exp": None, "none": None}),
    "multi-bleu": Formula(multi_bleu, {"none": None}),
    "nltk": Formula(
        nltk,
        {
            "method0": None,
            "method1": 0.1,
            "method2": None,
            "method3": None,
            "method4": 5.0,
            "method5": None,
            "method6": 5.0,
            "method7": 5.0,
        },
        coupled=True,
    ),
    "coco": Formula(coco, {"none": None}),
    "nmt": Formula(nmt, {"none": None, "add-one": None}),
    "torch": Formula(torch, {"none": None, "add-one": None}, coupled=True),
    "transformer": Formula(transformer, {"none": None}, coupled=True),
    "numpy": Formula(floored, {"precision-floor": 1e-10}),
}
