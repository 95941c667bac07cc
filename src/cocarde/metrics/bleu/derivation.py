"""From the totals of BLEU to its score, one step after the other, in plain Python.

This repeats `cocarde.metrics.bleu.formulas` on purpose: there a convention is a vectorised formula,
here it is a sequence of steps with reasons. Explanations compare the two.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from cocarde.core.documents import exact, number
from cocarde.metrics.bleu.metric import BLEU

__all__ = ["BrevityPenalty", "Derivation", "Given", "Precision", "Term", "convention", "derive"]


@dataclass(frozen=True)
class Given:
    """The totals that a derivation starts from.

    Attributes
    ----------
    matches, totals : tuple of float
        By n-gram order.
    hypothesis_length, reference_length : float
    next_matches, next_totals : float
        Of order 5, for two of NLTK's smoothing methods; over a corpus, of the last segment.
    last_hypothesis_length : float
        Over a corpus, of the last segment.
    """

    matches: tuple[float, ...]
    totals: tuple[float, ...]
    hypothesis_length: float
    reference_length: float
    next_matches: float = 0.0
    next_totals: float = 0.0
    last_hypothesis_length: float = 0.0

    @property
    def order(self) -> int:
        """The highest n-gram order."""
        return len(self.matches)

    def first(self, order: int) -> Given:
        """Return the totals of the first `order` orders."""
        return replace(self, matches=self.matches[:order], totals=self.totals[:order])


@dataclass(frozen=True)
class Precision:
    """The precision of one order.

    Attributes
    ----------
    order : int
    matches, total : float
    raw : float or None
        matches / total; None where there is no n-gram of this order.
    value : float
        What enters the mean.
    expression : str
        How `value` comes about, such as "9/15" or "0.5/11".
    reason : str
        Why it differs from matches / total; empty where it does not.
    """

    order: int
    matches: float
    total: float
    raw: float | None
    value: float
    expression: str
    reason: str = ""

    @property
    def smoothed(self) -> bool:
        """Whether the convention changed the precision."""
        return bool(self.reason)


@dataclass(frozen=True)
class BrevityPenalty:
    """The brevity penalty, and how it comes about."""

    value: float
    expression: str
    reason: str


@dataclass(frozen=True)
class Term:
    """One summand of the logarithm of the mean.

    Attributes
    ----------
    order : int
    weight : float
    precision : float
    logarithm : float
        Natural; -inf for a precision of 0.
    product : float
        What is added: weight · logarithm, or 0 where the order has no say.
    reason : str
        Why the order has no say; empty where it has.
    """

    order: int
    weight: float
    precision: float
    logarithm: float
    product: float
    reason: str = ""


@dataclass(frozen=True)
class Derivation:
    """The way from totals to a score for one set of weights.

    Attributes
    ----------
    weights : tuple of float
        As configured.
    weights_reason : str
        Why others are used; empty where they are not.
    precisions : tuple of Precision
    brevity_penalty : BrevityPenalty
    terms : tuple of Term
    log_sum : float
        The sum of the terms; -inf where an order counts with a precision of 0.
    geometric_mean : float
        exp(log_sum).
    zero_reason : str
        The rule of the convention by which the score is 0 whatever the terms say; else empty.
    score : float
        From 0 to 100.
    """

    weights: tuple[float, ...]
    weights_reason: str
    precisions: tuple[Precision, ...]
    brevity_penalty: BrevityPenalty
    terms: tuple[Term, ...]
    log_sum: float
    geometric_mean: float
    zero_reason: str
    score: float


def _ratio(numerator: float, denominator: float) -> float:
    return numerator / denominator if denominator else 0.0


def _raw(given: Given, *, empty: str = "no n-gram of this order: 0") -> list[Precision]:
    steps = []
    for order, (matches, total) in enumerate(zip(given.matches, given.totals, strict=True), 1):
        expression = f"{number(matches)}/{number(total)}"
        if total:
            steps.append(
                Precision(order, matches, total, matches / total, matches / total, expression)
            )
        else:
            steps.append(Precision(order, matches, total, None, 0.0, expression, empty))
    return steps


def _changed(step: Precision, value: float, expression: str, reason: str) -> Precision:
    return replace(step, value=value, expression=expression, reason=reason)


def _halving(times: int) -> float:
    # Beyond that a power of two overflows, and its reciprocal is taken as 0.
    return 2.0**-times if times < 1024 else 0.0


def _ordinal(value: int) -> str:
    tail = "th" if 10 <= value % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th")
    return f"{value}{tail}"


def _halved(step: Precision, times: int, numerator: float = 1.0, what: str = "1") -> Precision:
    part = numerator * _halving(times)
    return _changed(
        step,
        _ratio(part, step.total),
        f"{exact(part)}/{number(step.total)}",
        f"no match; the {_ordinal(times)} order without one counts {what}/2^{times} matches",
    )


def _exp(value: float) -> float:
    try:
        return math.exp(value)
    except OverflowError:
        return math.inf


# -- the precisions of each convention


def _sacrebleu(given: Given, method: str, value: float) -> list[Precision]:
    steps = _raw(given)
    if not any(given.matches):
        return [
            _changed(step, 0.0, step.expression, step.reason or "no order matches: not smoothed")
            for step in steps
        ]
    unmatched, counted = 0, True
    for index, step in enumerate(steps):
        matches, total = step.matches, step.total
        if method == "add-k" and index > 0:
            matches, total = matches + value, total + value
        counted = counted and total > 0
        if not counted:
            steps[index] = _changed(
                step, 0.0, step.expression, "no n-gram of this order, or of an order below it: 0"
            )
        elif method == "exp" and matches == 0:
            unmatched += 1
            steps[index] = _halved(step, unmatched)
        elif method == "floor" and matches == 0:
            steps[index] = _changed(
                step,
                value / total,
                f"{exact(value)}/{number(total)}",
                f"no match; {exact(value)} counts in place of its matches",
            )
        elif method == "add-k" and index > 0:
            steps[index] = _added(step, value)
    return steps


def _added(step: Precision, value: float) -> Precision:
    added = exact(value)
    return _changed(
        step,
        _ratio(step.matches + value, step.total + value),
        f"({number(step.matches)} + {added})/({number(step.total)} + {added})",
        f"{added} is added to matches and total",
    )


def _mteval(given: Given, method: str, _value: float) -> list[Precision]:
    steps = _raw(given)
    if method != "exp":
        return steps
    unmatched = 0
    for index, step in enumerate(steps):
        if step.total == 0:
            steps[index] = _changed(step, 1.0, "1", "no n-gram of this order counts as 1")
        elif step.matches == 0:
            unmatched += 1
            steps[index] = _halved(step, unmatched)
    return steps


def _unsmoothed(given: Given, _method: str, _value: float) -> list[Precision]:
    return _raw(given)


def _nltk_method0(given: Given, _value: float) -> list[Precision]:
    tiny = sys.float_info.min
    return [
        step
        if step.matches
        else _changed(
            step,
            tiny,
            exact(tiny),
            "no match: the smallest normal number keeps the logarithm finite",
        )
        for step in _raw(given)
    ]


def _nltk_method1(given: Given, value: float) -> list[Precision]:
    return [
        step
        if step.matches
        else _changed(
            step,
            _ratio(value, step.total),
            f"{exact(value)}/{number(step.total)}",
            f"no match; ε = {exact(value)} counts in place of its matches",
        )
        for step in _raw(given)
    ]


def _later_add_one(given: Given) -> list[Precision]:
    return [step if step.order == 1 else _added(step, 1.0) for step in _raw(given)]


def _nltk_method2(given: Given, _value: float) -> list[Precision]:
    return _later_add_one(given)


def _nltk_method3(given: Given, _value: float) -> list[Precision]:
    steps, unmatched = _raw(given), 0
    for index, step in enumerate(steps):
        if step.matches == 0:
            unmatched += 1
            steps[index] = _halved(step, unmatched)
    return steps


def _nltk_method4(given: Given, value: float) -> list[Precision]:
    steps, unmatched = _raw(given), 0
    length = given.hypothesis_length
    for index, step in enumerate(steps):
        if step.matches == 0 and length > 1:
            unmatched += 1
            part = math.log(length) / value if value else math.inf
            what = f"(ln {number(length)} / {exact(value)})"
            steps[index] = _halved(step, unmatched, part, what)
    return steps


def _averaged(steps: list[Precision], beyond: float) -> list[Precision]:
    """Average each precision with the smoothed one before it and the plain one after it."""
    averaged = []
    before = (steps[0].value if steps else 0.0) + 1
    for index, step in enumerate(steps):
        after = steps[index + 1].value if index + 1 < len(steps) else beyond
        parts = f"({number(before)} + {number(step.value)} + {number(after)})/3"
        before = (before + step.value + after) / 3
        kind = "p₁ + 1" if index == 0 else "the smoothed precision before"
        following = "5-gram precision" if index + 1 == len(steps) else "precision after"
        averaged.append(
            _changed(step, before, parts, f"the mean of {kind}, its own and the {following}")
        )
    return averaged


def _nltk_method5(given: Given, _value: float) -> list[Precision]:
    return _averaged(_raw(given), _ratio(given.next_matches, given.next_totals))


def _nltk_method7(given: Given, value: float) -> list[Precision]:
    return _averaged(_nltk_method4(given, value), _ratio(given.next_matches, given.next_totals))


def _nltk_method6(given: Given, value: float) -> list[Precision]:
    steps = _raw(given)
    for index in range(2, len(steps)):
        one, two = steps[index - 1].value, steps[index - 2].value
        prior = _ratio(one**2, two)
        total = max(given.last_hypothesis_length - index, 0.0)
        step = steps[index]
        steps[index] = _changed(
            step,
            _ratio(step.matches + value * prior, total + value),
            f"({number(step.matches)} + {exact(value)} · {number(prior)})"
            f"/({number(total)} + {exact(value)})",
            f"drawn towards p′ = {number(one)}²/{number(two)} with the strength α = {exact(value)}",
        )
    return steps


_NLTK: dict[str, Callable[[Given, float], list[Precision]]] = {
    "method0": _nltk_method0,
    "method1": _nltk_method1,
    "method2": _nltk_method2,
    "method3": _nltk_method3,
    "method4": _nltk_method4,
    "method5": _nltk_method5,
    "method6": _nltk_method6,
    "method7": _nltk_method7,
}


def _nltk(given: Given, method: str, value: float) -> list[Precision]:
    return _NLTK[method](given, value)


def _coco(given: Given, _method: str, _value: float) -> list[Precision]:
    steps = []
    for step in _raw(given):
        matches, total = number(step.matches), number(step.total)
        steps.append(
            _changed(
                step,
                (step.matches + 1e-15) / (step.total + 1e-9),
                f"({matches} + 1e-15)/({total} + 1e-9)",
                "small constants keep it defined",
            )
        )
    return steps


def _nmt(given: Given, method: str, _value: float) -> list[Precision]:
    steps = _raw(given)
    return [_added(step, 1.0) for step in steps] if method == "add-one" else steps


def _torch(given: Given, method: str, _value: float) -> list[Precision]:
    return _later_add_one(given) if method == "add-one" else _raw(given)


def _floored(given: Given, _method: str, value: float) -> list[Precision]:
    return [
        step
        if step.value >= value and step.total
        else _changed(step, max(step.value, value), number(value), f"never below {value:g}")
        for step in _raw(given)
    ]


# -- the brevity penalty


def _brevity_penalty(given: Given) -> BrevityPenalty:
    c, r = given.hypothesis_length, given.reference_length
    sides = f"c = {number(c)}, r = {number(r)}"
    if c >= r:
        return BrevityPenalty(1.0, "1", f"c ≥ r ({sides}): not shorter, no penalty")
    if c == 0:
        return BrevityPenalty(0.0, "0", f"the hypothesis is empty ({sides})")
    exponent = 1 - r / c
    return BrevityPenalty(
        math.exp(exponent),
        f"exp(1 − r/c) = exp(1 − {number(r)}/{number(c)}) = exp({number(exponent)})",
        f"c < r ({sides}): shorter than the reference",
    )


def _mteval_penalty(given: Given) -> BrevityPenalty:
    if given.hypothesis_length == 0:
        return BrevityPenalty(0.0, "0", "the hypothesis is empty")
    return _brevity_penalty(given)


def _coco_penalty(given: Given) -> BrevityPenalty:
    c, r = given.hypothesis_length, given.reference_length
    ratio = (c + 1e-15) / (r + 1e-9)
    ratio_text = f"({number(c)} + 1e-15)/({number(r)} + 1e-9) = {number(ratio)}"
    if ratio >= 1:
        return BrevityPenalty(1.0, "1", f"the ratio {ratio_text} is not below 1: no penalty")
    return BrevityPenalty(
        math.exp(1 - 1 / ratio),
        f"exp(1 − 1/{number(ratio)}) = exp({number(1 - 1 / ratio)})",
        f"the ratio {ratio_text} is below 1",
    )


# -- when the score is 0 whatever the terms say


def _never(_given: Given) -> str:
    return ""


def _nothing_matches(given: Given) -> str:
    return "" if any(given.matches) else "no n-gram of any order matches"


def _no_reference(given: Given) -> str:
    return "" if given.reference_length else "the reference length is 0"


def _no_word_matches(given: Given) -> str:
    return "" if given.matches[0] else "no n-gram of order 1 matches"


def _some_order_unmatched(given: Given) -> str:
    missing = [str(order) for order, found in enumerate(given.matches, 1) if not found]
    return f"no n-gram of order {', '.join(missing)} matches" if missing else ""


def _some_statistic_zero(given: Given) -> str:
    if not given.reference_length:
        return "the reference length is 0"
    return _some_order_unmatched(given)


# -- all together


@dataclass(frozen=True)
class Convention:
    """A convention in words and steps.

    Attributes
    ----------
    title : str
    zero_rule : str
        In words; empty where there is none.
    """

    title: str
    precisions: Callable[[Given, str, float], list[Precision]]
    penalty: Callable[[Given], BrevityPenalty] = _brevity_penalty
    zero: Callable[[Given], str] = _never
    zero_rule: str = ""
    penalty_rule: str = "BP is 1 if c ≥ r, else exp(1 − r/c); 0 for an empty hypothesis."


_CONVENTIONS = {
    "sacrebleu": Convention(
        "sacreBLEU 2.6.0",
        _sacrebleu,
        zero=_nothing_matches,
        zero_rule="The score is 0 if no n-gram of any order matches, with any smoothing.",
    ),
    "mteval": Convention(
        "NIST's mteval-v13a.pl and mteval-v14.pl", _mteval, penalty=_mteval_penalty
    ),
    "multi-bleu": Convention(
        "Moses' multi-bleu.perl",
        _unsmoothed,
        zero=_no_reference,
        zero_rule="The score is 0 if the reference length is 0.",
    ),
    "nltk": Convention(
        "NLTK 3.10",
        _nltk,
        zero=_no_word_matches,
        zero_rule="The score is 0 if no single token matches. An order whose precision is still 0 "
        "after smoothing is left out of the mean.",
    ),
    "coco": Convention(
        "pycocoevalcap (COCO captions)",
        _coco,
        penalty=_coco_penalty,
        penalty_rule="BP is exp(1 − 1/ratio) if the ratio (c + 1e-15)/(r + 1e-9) is below 1, "
        "else 1.",
    ),
    "nmt": Convention("compute_bleu of TensorFlow NMT and Hugging Face", _nmt),
    "torch": Convention(
        "torchmetrics and torchtext",
        _torch,
        zero=_some_order_unmatched,
        zero_rule="The score is 0 if any order has no match, even with smoothing.",
    ),
    "transformer": Convention(
        "training loops of Transformer tutorials",
        _unsmoothed,
        zero=_some_statistic_zero,
        zero_rule="The score is 0 if any length, total or number of matches is 0.",
    ),
    "numpy": Convention("NumPy tutorials", _floored),
}


def convention(formula: str) -> Convention:
    """Return the convention of a formula's name."""
    return _CONVENTIONS[formula]


def _used_weights(
    bleu: BLEU, given: Given, weights: Sequence[float], *, effective: bool
) -> tuple[list[float], str]:
    """Return the weights that are used, and why they are not those configured."""
    if effective:
        added = float(bleu.smooth_value or 0.0) if bleu.smooth_method == "add-k" else 0.0
        counted = 0
        while counted < given.order and given.totals[counted] + (added if counted else 0.0) > 0:
            counted += 1
        if counted == given.order:
            return list(weights), ""
        rest = sum(weights[:counted])
        scale = sum(weights) / rest if rest else 0.0
        used = [weight * scale if n < counted else 0.0 for n, weight in enumerate(weights)]
        orders = f"orders 1 to {counted}" if counted > 1 else f"order {counted}"
        return used, (
            f"effective order: the hypothesis has n-grams of {orders} alone, which share the weight"
            if counted
            else "effective order: the hypothesis has no n-gram at all"
        )
    length = given.hypothesis_length
    if bleu.auto_reweigh and 0 < length < 4 and list(weights) == [0.25] * 4:
        used = [1 / length if n < length else 0.0 for n in range(4)]
        return (
            used,
            f"auto_reweigh: with {number(length)} tokens (under 4), 1/{number(length)} each",
        )
    return list(weights), ""


def _term(order: int, weight: float, precision: float, *, skip_zeros: bool) -> Term:
    logarithm = math.log(precision) if precision > 0 else -math.inf
    if weight == 0:
        return Term(order, weight, precision, logarithm, 0.0, "no weight, no say")
    if skip_zeros and precision <= 0:
        return Term(order, weight, precision, logarithm, 0.0, "precision 0: left out by NLTK")
    return Term(order, weight, precision, logarithm, weight * logarithm)


def derive(bleu: BLEU, given: Given, weights: Sequence[float], *, effective: bool) -> Derivation:
    """Derive a score.

    Parameters
    ----------
    bleu : BLEU
        For its formula and smoothing.
    given : Given
    weights : sequence of float
        One for each order of `given`.
    effective : bool
        Whether orders longer than the text are left out.

    Returns
    -------
    Derivation
    """
    rules = _CONVENTIONS[bleu.formula]
    value = 0.0 if bleu.smooth_value is None else float(bleu.smooth_value)
    precisions = rules.precisions(given, str(bleu.smooth_method), value)
    used, weights_reason = _used_weights(bleu, given, weights, effective=effective)
    terms = [
        _term(step.order, weight, step.value, skip_zeros=bleu.formula == "nltk")
        for step, weight in zip(precisions, used, strict=True)
    ]
    log_sum = math.fsum(term.product for term in terms)
    mean = _exp(log_sum)
    penalty = rules.penalty(given)
    zero = rules.zero(given)
    return Derivation(
        weights=tuple(map(float, weights)),
        weights_reason=weights_reason,
        precisions=tuple(precisions),
        brevity_penalty=penalty,
        terms=tuple(terms),
        log_sum=log_sum,
        geometric_mean=mean,
        zero_reason=zero,
        score=0.0 if zero else 100 * penalty.value * mean,
    )
