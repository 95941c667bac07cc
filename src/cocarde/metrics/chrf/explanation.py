"""How a chrF score came to be: n-grams of characters and of words, order by order."""

from __future__ import annotations

import string
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cocarde.core.documents import Block, Bullets, Document, Steps, Table, TableRow, exact, number
from cocarde.core.explanation import (
    Explanation,
    Material,
    ScoredSegment,
    check_agreement,
    described,
    explains,
)
from cocarde.core.metric import Metric
from cocarde.core.ngrams import (
    MatchedNgram,
    count_ngrams,
    matched_ngrams,
    ngram_table,
    ngrams_to_dict,
)
from cocarde.metrics.chrf.metric import CHRF, FORMULAS

__all__ = ["CHRFExplanation", "CHRFSegment", "OrderDerivation", "explain_chrf"]


@dataclass(frozen=True)
class OrderDerivation:
    """One order of n-grams.

    Attributes
    ----------
    kind : {"char", "word"}
    order : int
    hypothesis_total, reference_total, matches : float
        N-grams of the hypothesis, of the reference, and in both.
    precision, recall, fmeasure : float
        From 0 to 1; 1e-16 where there is nothing to divide by.
    counts : bool
        Whether it is one of those of which the mean is taken.
    ngrams : tuple of MatchedNgram
        Of one segment.
    """

    kind: str
    order: int
    hypothesis_total: float
    reference_total: float
    matches: float
    precision: float
    recall: float
    fmeasure: float
    counts: bool
    ngrams: tuple[MatchedNgram, ...] = ()


class CHRFSegment(ScoredSegment):
    """A segment of a corpus: its number, and its score from 0 to 100."""


@dataclass(frozen=True, kw_only=True, repr=False)
class CHRFExplanation(Explanation):
    """How a chrF score came to be.

    Attributes
    ----------
    beta : float
    eps_smoothing : bool
        Whether the score is a mean of F, or else the F of means.
    average : {"corpus", "segments"}
    orders : tuple of OrderDerivation
    precision, recall : float
        Means over the orders that count, from 0 to 1.
    reference_scores : tuple of float
        Of one segment: the score with each reference.
    chosen : int or None
        Of one segment: the reference that counts, from 1.
    segments : tuple of CHRFSegment
        Of a corpus.
    """

    beta: float
    eps_smoothing: bool
    average: str
    orders: tuple[OrderDerivation, ...]
    precision: float
    recall: float
    reference_scores: tuple[float, ...] = ()
    chosen: int | None = None
    segments: tuple[CHRFSegment, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation as JSON can hold it."""
        return {
            **self._common_parts(),
            "rules": list(self.rules),
            "beta": self.beta,
            "eps_smoothing": self.eps_smoothing,
            "average": self.average,
            "precision": self.precision,
            "recall": self.recall,
            "orders": [
                {
                    "kind": one.kind,
                    "order": one.order,
                    "hypothesis_total": one.hypothesis_total,
                    "reference_total": one.reference_total,
                    "matches": one.matches,
                    "precision": one.precision,
                    "recall": one.recall,
                    "fmeasure": one.fmeasure,
                    "counts": one.counts,
                    "ngrams": ngrams_to_dict(one.ngrams),
                }
                for one in self.orders
            ],
            "reference_scores": list(self.reference_scores),
            "chosen": self.chosen,
            "segments": [{"index": row.index, "score": row.score} for row in self.segments],
        }

    # -- printing

    def document(self, *, max_rows: int = 200) -> Document:
        """Return what is printed."""
        parts: list[tuple[str, list[Block]]] = [
            ("The convention in words", [Bullets(self.rules)]),
            ("References", list(self._reference_blocks())),
            ("Orders", [self._order_table()]),
            ("The score", [Steps(tuple(self._steps()))]),
            ("Segments", list(self._segment_blocks())),
        ]
        parts += [
            (
                f"{_KINDS[one.kind]} of order {one.order}",
                [
                    ngram_table(
                        one.ngrams,
                        (one.hypothesis_total, one.reference_total, one.matches),
                        max_rows,
                    )
                ],
            )
            for one in self.orders
            if one.ngrams
        ]
        return self._arranged(parts)

    def _reference_blocks(self) -> Iterator[Block]:
        if len(self.reference_scores) > 1:
            rows = (
                TableRow((str(place), number(score), "counts" if place == self.chosen else ""))
                for place, score in enumerate(self.reference_scores, 1)
            )
            yield Table(("reference", "score", ""), tuple(rows))

    def _order_table(self) -> Table:
        rows = [
            TableRow(
                (
                    f"{one.kind} {one.order}",
                    *map(number, (one.matches, one.hypothesis_total, one.reference_total)),
                    *map(number, (one.precision, one.recall, one.fmeasure)),
                    "" if one.counts else "left out",
                )
            )
            for one in self.orders
        ]
        header = ("order", "matches", "hypothesis", "reference", "P", "R", "F", "")
        return Table(header, tuple(rows))

    def _steps(self) -> Iterator[str]:
        if self.level == "corpus" and self.average == "segments":
            yield f"score = mean of the scores of {len(self.segments)} segments = {number(self.score)}"
            return
        counted = [one for one in self.orders if one.counts]
        if self.eps_smoothing:
            sum_of_f = " + ".join(number(one.fmeasure) for one in counted) or "0"
            yield f"score = 100 · ({sum_of_f}) / {len(self.orders)} = {number(self.score)}"
            return
        if not counted:
            yield "score = 0: there is no order of which both texts have n-grams"
            return
        for name, mean in (("precision", self.precision), ("recall", self.recall)):
            values = " + ".join(number(getattr(one, name)) for one in counted)
            yield f"{name[0].upper()} = ({values}) / {len(counted)} = {number(mean)}"
        weight = f"{exact(self.beta)}²"
        p, r = number(self.precision), number(self.recall)
        if not self.precision + self.recall:
            yield "score = 0: nothing matches"
            return
        yield (
            f"score = 100 · (1 + {weight}) · {p} · {r} / ({weight} · {p} + {r}) = "
            f"{number(self.score)}"
        )

    def _segment_blocks(self) -> Iterator[Block]:
        if not self.segments:
            return
        yield from self._segment_table(
            self.segments, lambda row: (row.score, row.index), ("score",), lambda row: (row.score,)
        )


_KINDS = {"char": "Characters", "word": "Words"}


# --------------------------------------------------------------------------------------------------
# The derivation


def _characters(text: str, metric: CHRF) -> str:
    if metric.whitespace:
        return text
    if FORMULAS[metric.formula].spaces == "blanks":
        return text.strip().replace(" ", "")
    if FORMULAS[metric.formula].spaces == "unicode":
        return "".join(c for c in text if not c.isspace() or c in "\x1c\x1d\x1e\x1f")
    return "".join(text.split())


def _words(text: str) -> list[str]:
    """Split one mark of punctuation off the end of each word, or else off its beginning."""
    words = []
    for word in text.split():
        if len(word) == 1:
            words.append(word)
        elif word[-1] in string.punctuation:
            words += [word[:-1], word[-1]]
        elif word[0] in string.punctuation:
            words += [word[0], word[1:]]
        else:
            words.append(word)
    return words


def _order(
    metric: CHRF,
    level: str,
    place: tuple[str, int],
    counts: tuple[float, float, float],
    ngrams: tuple[MatchedNgram, ...] = (),
) -> OrderDerivation:
    kind, order = place
    mine, theirs, matches = counts
    assert metric.beta is not None
    factor = metric.beta**2
    nothing = FORMULAS[metric.formula].nothing
    precision = matches / mine if mine else nothing
    recall = matches / theirs if theirs else nothing
    below = factor * precision + recall
    fmeasure = (1 + factor) * precision * recall / below if below else nothing
    counted = True
    if not metric.eps_smoothing:
        counted = mine > 0 and theirs > 0
    elif FORMULAS[metric.formula].matched and level == "segment":
        counted = matches > 0
    return OrderDerivation(
        kind, order, mine, theirs, matches, precision, recall, fmeasure, counted, ngrams
    )


def _compare(metric: CHRF, hypothesis: str, reference: str) -> tuple[OrderDerivation, ...]:
    cut = {
        "char": (_characters(hypothesis, metric), _characters(reference, metric)),
        "word": (_words(hypothesis), _words(reference)),
    }
    all_counted = FORMULAS[metric.formula].all_counted
    counted = [
        (count_ngrams(list(cut[kind][0]), n), count_ngrams(list(cut[kind][1]), n))
        for kind, n in metric.orders
    ]
    nothing_matches = not any((mine & theirs).total() for mine, theirs in counted)
    orders = []
    for (kind, n), (mine, theirs) in zip(metric.orders, counted, strict=True):
        if all_counted and nothing_matches:
            theirs.clear()
        ngrams = matched_ngrams(mine, theirs)
        total = theirs.total()
        counts = (
            mine.total() if total or all_counted else 0,
            total,
            sum(row.matched for row in ngrams),
        )
        if kind == "char":
            ngrams = tuple(
                MatchedNgram(
                    ("".join(map(str, row.ngram)),), row.hypothesis, row.reference, row.matched
                )
                for row in ngrams
            )
        orders.append(_order(metric, "segment", (kind, n), counts, ngrams))
    return tuple(orders)


def _means(metric: CHRF, orders: Sequence[OrderDerivation]) -> tuple[float, float]:
    counted = orders if metric.eps_smoothing else [one for one in orders if one.counts]
    if not counted:
        return 0.0, 0.0
    return (
        sum(one.precision for one in counted) / len(counted),
        sum(one.recall for one in counted) / len(counted),
    )


def _score_of(metric: CHRF, orders: Sequence[OrderDerivation]) -> float:
    if metric.eps_smoothing:
        return 100 * sum(one.fmeasure for one in orders if one.counts) / len(orders)
    precision, recall = _means(metric, orders)
    assert metric.beta is not None
    factor = metric.beta**2
    below = factor * precision + recall
    return 100 * (1 + factor) * precision * recall / below if below else 0.0


def _rules(metric: CHRF) -> tuple[str, ...]:
    spaces = FORMULAS[metric.formula].spaces
    if metric.whitespace:
        kept = "Every character of a text counts, white space too."
    elif spaces == "blanks":
        kept = "White space at both ends of a text and blanks in it are no characters."
    elif spaces == "unicode":
        kept = "White space is no character, but the separators U+001C to U+001F are."
    else:
        kept = "White space is no character."
    rules = [kept]
    if metric.word_order:
        rules.append(
            "Words end at white space; one mark of punctuation is split off the end of a word, or else "
            "off its beginning."
        )
    matching = "An n-gram matches as often as both texts have it"
    rules.append(
        f"{matching}; a reference with which nothing matches counts as one without n-grams."
        if FORMULAS[metric.formula].all_counted
        else f"{matching}; n-grams longer than the reference do not count against the hypothesis."
    )
    rules.append("Of several references the one with the best score counts; the first of those.")
    if metric.eps_smoothing:
        rules.append("The score is the mean of the F of all orders.")
    else:
        rules.append(
            "The score is the F of mean precision and mean recall, over the orders of which both "
            "texts have n-grams."
        )
    rules.append(
        "The score of a corpus is the mean over its segments."
        if metric.average == "segments"
        else "The score of a corpus is that of the counts of all segments together."
    )
    return tuple(rules)


@explains(CHRF)
def explain_chrf(metric: Metric[Any], material: Material, top: int) -> CHRFExplanation:
    """Explain a chrF score; see `cocarde.explain`."""
    assert isinstance(metric, CHRF)
    score = metric.compute(material.statistics.sum(), level=material.level)
    reference_scores: tuple[float, ...] = ()
    chosen: int | None = None
    segments: tuple[CHRFSegment, ...] = ()
    if material.level == "segment":
        (hypothesis,) = map(str, material.hypothesis_tokens(0))
        by_reference = [
            _compare(metric, hypothesis, "".join(map(str, tokens)))
            for tokens in material.reference_tokens(0)
        ]
        reference_scores = tuple(_score_of(metric, orders) for orders in by_reference)
        row = material.statistics.values[0, : 3 * len(metric.orders)].tolist()
        # Where two scores differ by no more than rounding, of torchmetrics in single precision, the
        # metric's choice is the one to explain.
        rounding = 1e-6 if FORMULAS[metric.formula].all_counted else 1e-9
        near = [
            place
            for place, value in enumerate(reference_scores)
            if np.isclose(value, max(reference_scores), rtol=rounding, atol=rounding)
        ]
        counts = [
            [
                float(x)
                for one in orders
                for x in (one.hypothesis_total, one.reference_total, one.matches)
            ]
            for orders in by_reference
        ]
        place = next((place for place in near if counts[place] == row), near[0])
        orders = by_reference[place]
        chosen = place + 1
        for field, derived, native in zip(metric.fields, counts[place], row, strict=False):
            check_agreement(field, derived, native)
        check_agreement("the score", reference_scores[place], score.score)
    else:
        totals = material.statistics.sum().values.tolist()
        orders = tuple(
            _order(metric, "corpus", one, tuple(totals[3 * k : 3 * k + 3]))
            for k, one in enumerate(metric.orders)
        )
        values = metric._evaluate(material.statistics.values, level="segment")  # noqa: SLF001
        segments = tuple(CHRFSegment(i, value) for i, value in enumerate(values.tolist()))
        derived = (
            float(np.mean(values)) if metric.average == "segments" else _score_of(metric, orders)
        )
        check_agreement("the score", derived, score.score)
    precision, recall = _means(metric, orders)
    assert metric.beta is not None
    return CHRFExplanation(
        **described(material, score, top),
        rules=_rules(metric),
        beta=metric.beta,
        eps_smoothing=bool(metric.eps_smoothing),
        average=str(metric.average),
        orders=orders,
        precision=precision,
        recall=recall,
        reference_scores=reference_scores,
        chosen=chosen,
        segments=segments,
    )
