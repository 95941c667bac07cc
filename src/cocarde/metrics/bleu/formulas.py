"""From the totals of BLEU to a score: one function a convention.

All agree on the idea of Papineni et al. (2002): the geometric mean of clipped n-gram precisions times
a brevity penalty. They differ where a count is zero, and that is where reported scores differ. Every
function takes totals by n-gram order, numbers or arrays of any shape, and returns precisions, brevity
penalty and score as fractions.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cocarde.core.arithmetic import Arithmetic, Condition, Value
from cocarde.errors import InputError

__all__ = ["FORMULAS", "Formula", "FormulaResult", "Totals"]

Floats = npt.NDArray[np.float64]


class Totals(NamedTuple):
    """Sufficient statistics of BLEU, summed: of one text, or of many in arrays.

    Attributes
    ----------
    arithmetic : Arithmetic
        That of the values.
    matches, totals : list of float, or of ndarray
        By n-gram order.
    hypothesis_length, reference_length : float, or ndarray
    next_matches, next_totals : float, ndarray or None
        Of order 5, which NLTK's smoothing methods 5 and 7 read; of the last segment alone over a
        corpus.
    last_hypothesis_length : float, ndarray or None
        Of the last segment alone over a corpus, which NLTK's smoothing method 6 reads.
    """

    arithmetic: Arithmetic
    matches: list[Value]
    totals: list[Value]
    hypothesis_length: Value
    reference_length: Value
    next_matches: Value = None
    next_totals: Value = None
    last_hypothesis_length: Value = None

    @property
    def order(self) -> int:
        """The highest n-gram order."""
        return len(self.matches)

    def first(self, order: int) -> Totals:
        """Return the totals of the first `order` orders."""
        return Totals(
            self.arithmetic,
            self.matches[:order],
            self.totals[:order],
            self.hypothesis_length,
            self.reference_length,
            self.next_matches,
            self.next_totals,
            self.last_hypothesis_length,
        )

    def precisions(self) -> list[Value]:
        """Matches by totals, order by order; 0 where there are no n-grams."""
        return list(map(self.arithmetic.ratio, self.matches, self.totals))


class FormulaResult(NamedTuple):
    """Precisions by order, brevity penalty and score, as fractions.

    Attributes
    ----------
    precisions : list of float, or of ndarray
    brevity_penalty : float, or ndarray
    score : ndarray
        With a further axis at the end where there were several rows of weights.
    quotients : (list, list) or None
        Numerators and denominators of the precisions, where the reference implementation multiplies
        by 100 before it divides.
    """

    precisions: list[Value]
    brevity_penalty: Value
    score: Value
    quotients: tuple[list[Value], list[Value]] | None = None

    def percentages(self, of: Arithmetic) -> list[Value]:
        """Return the precisions from 0 to 100, to the last bit as the reference implementation has them.

        Halves round otherwise: 100 · (23/80) is a bit less than 100 · 23 / 80 = 28.75.
        """
        if self.quotients is None:
            return [100 * precision for precision in self.precisions]
        numerators, denominators = self.quotients
        return [of.ratio(100 * a, b) for a, b in zip(numerators, denominators, strict=True)]


@dataclass(frozen=True)
class Formula:
    """A convention: its arithmetic and the smoothing methods it knows.

    Attributes
    ----------
    compute : callable
        ``compute(totals, weights, smooth_method, smooth_value, flag)``; `flag` is the convention's
        own switch (`effective_order`, `auto_reweigh`). The weights have the orders in the last axis;
        for one text they may be several rows.
    smooth_methods : dict
        Name to default value (None: it takes no value); the first is the convention's default.
    coupled : bool
        Whether an order without weight still has a say, so that BLEU-1 is not BLEU-4 with all the
        weight on order 1.
    """

    compute: Callable[[Totals, Floats, str, float, bool], FormulaResult]
    smooth_methods: dict[str, float | None]
    coupled: bool = False


def brevity_penalty(totals: Totals) -> Value:
    """1 unless the hypothesis is shorter than the reference; then e^(1 - r/c), and 0 if it is empty."""
    of, c, r = totals.arithmetic, totals.hypothesis_length, totals.reference_length
    # r/0 is infinite, and e to minus infinity 0.
    return of.where(c >= r, 1.0, of.exp(1 - of.divide(r, c)))


def geometric_mean(of: Arithmetic, precisions: list[Value], weights: Floats) -> Floats:
    """Weighted geometric mean over the orders; 0 where a precision with a weight is 0."""
    values = of.join(precisions)
    if np.count_nonzero(values) == values.size:
        logs = np.log(values)
    else:
        with np.errstate(divide="ignore"):
            # An order without weight has no say: 0 · log 0 counts as 0.
            logs = np.where(weights != 0, np.log(values), 0.0)
    # np.sum is slow over an axis as short as this one.
    mean: Floats = np.exp(np.einsum("...n,...n->...", weights, logs))
    return mean


def sacrebleu(
    totals: Totals, weights: Floats, method: str, value: float, effective: bool
) -> FormulaResult:
    """Score as sacreBLEU 2.6.0 does (Chen and Cherry, 2014, name the smoothing methods)."""
    of, matches, counts = totals.arithmetic, list(totals.matches), list(totals.totals)
    where, ratio, smoothed = of.where, of.ratio, method in ("exp", "floor")
    # A longer match holds a match of order 1.
    some = matches[0] != 0
    counted: list[Condition] = []
    precisions = []
    so_far: Condition = True
    credit: Value = 1.0
    for n, (matched, count) in enumerate(zip(totals.matches, totals.totals, strict=True)):
        if method == "add-k" and n > 0:
            matched, count = matched + value, count + value
        # From the first order without n-grams on, none counts.
        so_far = so_far & (count > 0)
        scored = so_far & some
        matched = where(scored, matched, 0.0)
        if smoothed:
            unmatched = scored & (matched == 0)
            credit = where(unmatched, credit / 2, credit) if method == "exp" else value
            matched = where(unmatched, credit, matched)
        counted.append(so_far)
        precisions.append(ratio(matched, count))
        matches[n], counts[n] = matched, count
    if effective and of.any(counted[-1] ^ True):  # `not`, for arrays too
        weights = _rescaled(weights, of.join(counted))
    penalty = brevity_penalty(totals)
    score = where(some, penalty, 0.0) * geometric_mean(of, precisions, weights)
    return FormulaResult(precisions, penalty, score, (matches, counts))


def _rescaled(weights: Floats, counted: npt.NDArray[np.bool_]) -> Floats:
    """Return the weights of the orders that count, rescaled to the sum of all."""
    used = np.where(counted, weights, 0.0)
    below = used.sum(axis=-1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = np.where(below != 0, used / below, 0.0)
    return np.asarray(shares * weights.sum(-1, keepdims=True))


def mteval(totals: Totals, weights: Floats, method: str, value: float, flag: bool) -> FormulaResult:
    """Score as NIST's mteval-v13a.pl and mteval-v14.pl do.

    An order without any n-gram counts as a precision of 1; smoothing halves from order to order.
    """
    of = totals.arithmetic
    precisions = totals.precisions()
    if method == "exp":
        halvings: Value = 1.0
        for n, (matched, count) in enumerate(zip(totals.matches, totals.totals, strict=True)):
            unmatched = (count > 0) & (matched == 0)
            halvings = of.where(unmatched, 2 * halvings, halvings)
            precisions[n] = of.where(unmatched, of.ratio(1 / halvings, count), precisions[n])
            precisions[n] = of.where(count == 0, 1.0, precisions[n])
    penalty = of.where(totals.hypothesis_length > 0, brevity_penalty(totals), 0.0)
    return FormulaResult(precisions, penalty, penalty * geometric_mean(of, precisions, weights))


def multi_bleu(
    totals: Totals, weights: Floats, method: str, value: float, flag: bool
) -> FormulaResult:
    """Score as Moses' multi-bleu.perl does: 0 as soon as an order has no match."""
    of = totals.arithmetic
    precisions = totals.precisions()
    penalty = brevity_penalty(totals)
    scale = of.where(totals.reference_length == 0, 0.0, penalty)
    return FormulaResult(precisions, penalty, scale * geometric_mean(of, precisions, weights))


def nltk(
    totals: Totals, weights: Floats, method: str, value: float, reweigh: bool
) -> FormulaResult:
    """Score as NLTK 3.10 does, with its smoothing methods 0 to 7."""
    of = totals.arithmetic
    precisions = _NLTK_SMOOTHING[method](totals, totals.precisions(), value)
    if reweigh and np.array_equal(weights, np.full(4, 0.25)):
        c = np.asarray(totals.hypothesis_length)[..., None]
        short = (c > 0) & (c < 4)
        uniform = np.where(np.arange(totals.order) < c, 1 / np.where(c > 0, c, 1.0), 0.0)
        weights = np.where(short, uniform, weights)
    # An order whose precision is still 0 is left out of the mean, not taken as 0.
    logs = [of.log(of.where(precision > 0, precision, 1.0)) for precision in precisions]
    penalty = brevity_penalty(totals)
    score = penalty * np.exp(np.add.reduce(weights * of.join(logs), axis=-1))
    score = of.where(totals.matches[0] == 0, np.zeros_like(score), score)
    return FormulaResult(precisions, penalty, score)


def _method0(totals: Totals, precisions: list[Value], value: float) -> list[Value]:
    # The smallest normal number stands for 0, so that the logarithm exists.
    where = totals.arithmetic.where
    return [
        where(matched == 0, sys.float_info.min, precision)
        for matched, precision in zip(totals.matches, precisions, strict=True)
    ]


def _method1(totals: Totals, precisions: list[Value], epsilon: float) -> list[Value]:
    of = totals.arithmetic
    return [
        of.where(matched == 0, of.ratio(matched + epsilon, count), precision)
        for matched, count, precision in zip(totals.matches, totals.totals, precisions, strict=True)
    ]


def _add_one(totals: Totals, precisions: list[Value]) -> list[Value]:
    """Add 1 to matches and totals of every order but the first."""
    later = zip(totals.matches[1:], totals.totals[1:], strict=True)
    return [precisions[0], *((matched + 1) / (count + 1) for matched, count in later)]


def _method2(totals: Totals, precisions: list[Value], value: float) -> list[Value]:
    return _add_one(totals, precisions)


def _method3(totals: Totals, precisions: list[Value], value: float) -> list[Value]:
    of = totals.arithmetic
    smoothed = []
    halvings: Value = 1.0
    for matched, count, precision in zip(totals.matches, totals.totals, precisions, strict=True):
        halvings = of.where(matched == 0, 2 * halvings, halvings)
        smoothed.append(of.where(matched == 0, of.ratio(1 / halvings, count), precision))
    return smoothed


def _method4(totals: Totals, precisions: list[Value], k: float) -> list[Value]:
    of, length = totals.arithmetic, totals.hypothesis_length
    logarithm = of.log(of.maximum(length, 2.0))
    smoothed = []
    halvings: Value = 1.0
    for matched, count, precision in zip(totals.matches, totals.totals, precisions, strict=True):
        unmatched = (matched == 0) & (length > 1)
        halvings = of.where(unmatched, 2 * halvings, halvings)
        credit = of.ratio(of.divide(logarithm, halvings * k), count)
        smoothed.append(of.where(unmatched, credit, precision))
    return smoothed


def _method5(totals: Totals, precisions: list[Value], value: float) -> list[Value]:
    beyond = totals.arithmetic.ratio(totals.next_matches, totals.next_totals)
    smoothed = []
    before = precisions[0] + 1
    for precision, after in zip(precisions, [*precisions[1:], beyond], strict=True):
        before = (before + precision + after) / 3
        smoothed.append(before)
    return smoothed


def _method6(totals: Totals, precisions: list[Value], alpha: float) -> list[Value]:
    if totals.order < 3:
        return precisions
    of = totals.arithmetic
    refused = (totals.matches[2] == 0) & (totals.matches[0] > 0)
    if of.any(refused):
        where = "this text"
        if isinstance(refused, np.ndarray):
            where = f"row {int(np.flatnonzero(refused)[0])} (from 0) of the totals"
        raise InputError(
            f"smoothing method6 needs a match of order 3, without which NLTK fails; {where} has "
            f"none: use another method"
        )
    smoothed = list(precisions)
    for n in range(2, totals.order):
        prior = of.ratio(smoothed[n - 1] * smoothed[n - 1], smoothed[n - 2])
        total = of.maximum(totals.last_hypothesis_length - n, 0.0)
        smoothed[n] = of.divide(totals.matches[n] + alpha * prior, total + alpha)
    return smoothed


def _method7(totals: Totals, precisions: list[Value], k: float) -> list[Value]:
    return _method5(totals, _method4(totals, precisions, k), k)


_NLTK_SMOOTHING: dict[str, Callable[[Totals, list[Value], float], list[Value]]] = {
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
    of = totals.arithmetic
    tiny, small = 1e-15, 1e-9
    precisions = [
        (matched + tiny) / (count + small)
        for matched, count in zip(totals.matches, totals.totals, strict=True)
    ]
    ratio = (totals.hypothesis_length + tiny) / (totals.reference_length + small)
    penalty = of.exp(of.minimum(0.0, 1 - 1 / ratio))
    return FormulaResult(precisions, penalty, penalty * geometric_mean(of, precisions, weights))


def nmt(totals: Totals, weights: Floats, method: str, value: float, flag: bool) -> FormulaResult:
    """Score as compute_bleu of TensorFlow NMT and Hugging Face does: 0 if any precision is 0."""
    of = totals.arithmetic
    added = 1.0 if method == "add-one" else 0.0
    precisions = [
        of.ratio(matched + added, count + added)
        for matched, count in zip(totals.matches, totals.totals, strict=True)
    ]
    penalty = brevity_penalty(totals)
    return FormulaResult(precisions, penalty, penalty * geometric_mean(of, precisions, weights))


def torch(totals: Totals, weights: Floats, method: str, value: float, flag: bool) -> FormulaResult:
    """Score as torchmetrics and torchtext do: 0 if any order has no match, even with smoothing."""
    of = totals.arithmetic
    precisions = totals.precisions()
    if method == "add-one":
        precisions = _add_one(totals, precisions)
    penalty = brevity_penalty(totals)
    scale = penalty
    for matched in totals.matches:
        scale = of.where(matched == 0, 0.0, scale)
    return FormulaResult(precisions, penalty, scale * geometric_mean(of, precisions, weights))


def transformer(
    totals: Totals, weights: Floats, method: str, value: float, flag: bool
) -> FormulaResult:
    """Score as training loops of Transformer tutorials do: 0 if any statistic is 0."""
    of = totals.arithmetic
    precisions = totals.precisions()
    penalty = brevity_penalty(totals)
    scale = penalty
    for number in (*totals.matches, *totals.totals, totals.reference_length):
        scale = of.where(number == 0, 0.0, scale)
    return FormulaResult(precisions, penalty, scale * geometric_mean(of, precisions, weights))


def floored(
    totals: Totals, weights: Floats, method: str, value: float, flag: bool
) -> FormulaResult:
    """Score as NumPy tutorials do: no precision is taken as less than a floor."""
    of = totals.arithmetic
    precisions = totals.precisions()
    penalty = brevity_penalty(totals)
    raised = [of.maximum(precision, value) for precision in precisions]
    return FormulaResult(precisions, penalty, penalty * geometric_mean(of, raised, weights))


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
