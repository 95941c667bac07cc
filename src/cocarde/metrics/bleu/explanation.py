"""How a BLEU score came to be: n-gram tables, lengths, and the formula with its numbers put in."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cocarde.core.documents import (
    Block,
    Bullets,
    Document,
    Mark,
    MarkedTokens,
    Paragraph,
    Steps,
    Table,
    TableRow,
    exact,
    number,
    shown_ngram,
    shown_token,
)
from cocarde.core.explanation import (
    Explanation,
    Material,
    check_agreement,
    described,
    explains,
    finite,
    worst_and_best,
)
from cocarde.core.metric import Metric
from cocarde.core.ngrams import Ngram, count_ngrams
from cocarde.errors import InputError
from cocarde.metrics.bleu.derivation import Derivation, Given, convention, derive
from cocarde.metrics.bleu.metric import BLEU, BLEUScore

__all__ = [
    "BLEUExplanation",
    "CorpusNgramRow",
    "Lengths",
    "NgramRow",
    "NgramTable",
    "SegmentRow",
    "explain_bleu",
]


# --------------------------------------------------------------------------------------------------
# The value


@dataclass(frozen=True)
class NgramRow:
    """An n-gram of a segment.

    Attributes
    ----------
    ngram : tuple of str or int
    hypothesis : int
        Its count in the hypothesis.
    references : tuple of int
        Its count in each reference.
    maximum_reference : int
        The largest of those.
    clipped : int
        What counts as matched: the smaller of `hypothesis` and `maximum_reference`; without
        clipping, all of `hypothesis` if any reference has it.
    """

    ngram: Ngram
    hypothesis: int
    references: tuple[int, ...]
    maximum_reference: int
    clipped: int

    @property
    def lost(self) -> int:
        """How many occurrences match nothing."""
        return self.hypothesis - self.clipped


@dataclass(frozen=True)
class CorpusNgramRow:
    """An n-gram of a corpus; every count is a sum over the segments whose hypothesis has it.

    Attributes
    ----------
    ngram : tuple of str or int
    hypothesis, maximum_reference, clipped : int
        As in `NgramRow`, summed.
    segments : int
        How many hypotheses have it.
    """

    ngram: Ngram
    hypothesis: int
    maximum_reference: int
    clipped: int
    segments: int

    @property
    def lost(self) -> int:
        """How many occurrences match nothing."""
        return self.hypothesis - self.clipped


@dataclass(frozen=True)
class NgramTable:
    """The n-grams of one order.

    Attributes
    ----------
    order : int
    rows : tuple of NgramRow or CorpusNgramRow
        Of a segment all, by count and then first appearance; of a corpus those that lost the most
        matches.
    matches, total : float
        What enters the formula, over all n-grams.
    distinct : int
        How many n-grams there are; more than there are rows, where a corpus has many.
    count : int
        Occurrences of n-grams; `total` is larger where a convention counts at least one a segment.
    """

    order: int
    rows: tuple[NgramRow, ...] | tuple[CorpusNgramRow, ...]
    matches: float
    total: float
    distinct: int
    count: int


@dataclass(frozen=True)
class Lengths:
    """Lengths in tokens.

    Attributes
    ----------
    hypothesis : float
    references : tuple of int
        Of each reference; of a corpus empty.
    reference : float
        The one that stands for the references (of a corpus: the sum of those).
    rule : str
        The option `reference_length`.
    reason : str
    """

    hypothesis: float
    references: tuple[int, ...]
    reference: float
    rule: str
    reason: str


@dataclass(frozen=True)
class SegmentRow:
    """What one segment adds to a corpus.

    Attributes
    ----------
    index : int
    hypothesis_length : int
    reference_lengths : tuple of int
    reference_length : float
        The one that was chosen.
    matches, totals : tuple of float
        By order.
    score : float or None
        Of this segment alone, from 0 to 100; None where the convention defines none.
    """

    index: int
    hypothesis_length: int
    reference_lengths: tuple[int, ...]
    reference_length: float
    matches: tuple[float, ...]
    totals: tuple[float, ...]
    score: float | None


@dataclass(frozen=True, kw_only=True, repr=False)
class BLEUExplanation(Explanation):
    """How a BLEU score came to be.

    Attributes
    ----------
    formula : str
        The convention's name, as the option of `BLEU`.
    clip : bool
    hypothesis : tuple of str or int, or None
        The tokens, as the tokenizer left them; of a corpus None.
    references : tuple of tuple of str or int
        Likewise; of a corpus empty.
    orders : tuple of NgramTable
    lengths : Lengths
    derivations : tuple of Derivation
        For each set of weights; the first gives the score.
    scores : tuple of float
        BLEU-1 to BLEU-N with uniform weights, from 0 to 100.
    segments : tuple of SegmentRow
        Of a corpus.
    top : int
        How many n-grams and segments of a corpus are listed.
    """

    formula: str
    clip: bool
    hypothesis: Ngram | None
    references: tuple[Ngram, ...]
    orders: tuple[NgramTable, ...]
    lengths: Lengths
    derivations: tuple[Derivation, ...]
    scores: tuple[float, ...]
    segments: tuple[SegmentRow, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation as JSON can hold it.

        Returns
        -------
        dict
            ``metric``, ``level``, ``segment``, ``counted_from`` (the number of the first segment),
            ``score``, ``signature``, ``warnings``; ``formula`` and ``rules``; ``hypothesis`` and
            ``references`` (tokens; None and [] for a corpus); ``orders``: ``order``, ``matches``,
            ``total``, ``distinct``, ``ngrams``, ``not_shown``; ``lengths``; ``precisions``;
            ``brevity_penalty``; ``derivations``, one a set of weights; ``scores``; ``segments``
            (every segment of a corpus). The logarithm of 0 is null.
        """
        first = self.derivations[0]
        return {
            **self._common_parts(),
            "formula": self.formula,
            "rules": list(self.rules),
            "hypothesis": None if self.hypothesis is None else list(self.hypothesis),
            "references": [list(tokens) for tokens in self.references],
            "orders": [_table_dict(table) for table in self.orders],
            "lengths": {
                "hypothesis": self.lengths.hypothesis,
                "references": list(self.lengths.references),
                "reference": self.lengths.reference,
                "rule": self.lengths.rule,
                "reason": self.lengths.reason,
            },
            "precisions": [
                {
                    "order": step.order,
                    "matches": step.matches,
                    "total": step.total,
                    "raw": step.raw,
                    "precision": finite(step.value),
                    "expression": step.expression,
                    "reason": step.reason,
                }
                for step in first.precisions
            ],
            "brevity_penalty": {
                "value": first.brevity_penalty.value,
                "expression": first.brevity_penalty.expression,
                "reason": first.brevity_penalty.reason,
            },
            "derivations": [_derivation_dict(derivation) for derivation in self.derivations],
            "scores": list(map(finite, self.scores)),
            "segments": [
                {
                    "index": row.index,
                    "hypothesis_length": row.hypothesis_length,
                    "reference_lengths": list(row.reference_lengths),
                    "reference_length": row.reference_length,
                    "matches": list(row.matches),
                    "totals": list(row.totals),
                    "score": row.score,
                }
                for row in self.segments
            ],
        }

    # -- printing

    def document(self, *, max_rows: int = 200) -> Document:
        """Return what is printed."""
        sections = [("The convention in words", self._convention_blocks())]
        if self.level == "corpus":
            sections.append(("Segments", list(self._segment_blocks())))
        else:
            sections.append(("Tokens", list(self._token_blocks())))
        sections += [
            ("n-grams", list(self._ngram_blocks(max_rows))),
            ("Lengths", self._length_blocks()),
            ("Precisions", list(self._precision_blocks())),
            ("Brevity penalty", self._penalty_blocks()),
            ("Weighted mean and score", list(self._score_blocks())),
        ]
        return self._arranged(sections)

    def _convention_blocks(self) -> list[Block]:
        return [Steps(("BLEU = 100 · BP · exp(Σ wₙ · ln pₙ)",)), Bullets(self.rules)]

    @property
    def _sign(self) -> str:
        return "clipped" if self.clip else "matched (not clipped)"

    def _token_blocks(self) -> Iterator[Block]:
        assert self.hypothesis is not None
        yield Paragraph(
            "Below each token: = matched, ~ occurs more often than in any reference (clipped), "
            "nothing: not in the references."
            if self.clip
            else "Below each token: = matched, nothing: not in the references."
        )
        left = {row.ngram: row.clipped for row in self.orders[0].rows}
        found = {row.ngram: row.maximum_reference for row in _segment_rows(self.orders[0])}
        tokens = []
        for token in self.hypothesis:
            if left.get((token,), 0) > 0:
                left[(token,)] -= 1
                mark = Mark.MATCHED
            else:
                mark = Mark.CLIPPED if found.get((token,), 0) else Mark.UNMATCHED
            tokens.append((shown_token(token), mark))
        yield MarkedTokens(_counted("hypothesis", len(tokens)), tuple(tokens))
        for position, reference in enumerate(self.references, 1):
            have: Counter[str | int] = Counter(self.hypothesis)
            marked: list[tuple[str, Mark | None]] = []
            for token in reference:
                marked.append((shown_token(token), Mark.MATCHED if have[token] > 0 else None))
                have[token] -= 1
            yield MarkedTokens(_counted(f"reference {position}", len(marked)), tuple(marked))

    def _segment_blocks(self) -> Iterator[Block]:
        chosen, others = worst_and_best(
            self.segments,
            lambda row: (row.score is None, row.score or 0.0, row.index),
            self.top,
            by=" by their own score",
            still="are in the sums",
        )
        yield Paragraph(others or f"All {len(self.segments)} segments.")
        orders = [f"{table.order}-grams" for table in self.orders]
        rows = [
            TableRow(
                (
                    str(row.index),
                    str(row.hypothesis_length),
                    ", ".join(map(str, row.reference_lengths)),
                    number(row.reference_length),
                    *map(_fraction, row.matches, row.totals),
                    number(row.score),
                )
            )
            for row in chosen
        ]
        sums = [_fraction(table.matches, table.total) for table in self.orders]
        lengths = self.lengths
        yield Table(
            (
                f"segment (from {self.counted_from})",
                "length",
                "references",
                "chosen",
                *orders,
                "own score",
            ),
            tuple(rows),
            (("sum of all", number(lengths.hypothesis), "", number(lengths.reference), *sums, ""),),
            texts=(0,),
        )
        scores = [row.score for row in self.segments if row.score is not None]
        if scores:
            mean = sum(scores) / len(scores)
            yield Paragraph(
                f"The score of the corpus comes from the sums; it is not the mean of the segments' "
                f"own scores, which is {mean:.6f}."
            )

    def _ngram_blocks(self, max_rows: int) -> Iterator[Block]:
        if self.level == "corpus":
            yield Paragraph(
                "Counts are summed over the segments whose hypothesis has the n-gram; the n-grams "
                "that lost the most matches come first."
            )
        elif self.clip:
            yield Paragraph(
                "clipped = the smaller of the count in the hypothesis and the maximum reference "
                "count."
            )
        else:
            yield Paragraph(
                "Not clipped: every occurrence counts as matched if any reference has the n-gram."
            )
        for table in self.orders:
            if not table.distinct:
                yield Paragraph(_no_ngrams(table.order, self.orders[-1].order, table.total))
                break
            yield self._ngram_table(table, max_rows)
            if table.total != table.count:
                yield Paragraph(
                    f"n-grams of order {table.order}: {table.count}; NLTK counts at least "
                    f"one in each segment, which makes {number(table.total)}."
                )

    def _ngram_table(self, table: NgramTable, max_rows: int) -> Table:
        rows = table.rows[:max_rows]
        clipped = sum(row.clipped for row in rows)
        counted = sum(row.hypothesis for row in rows)
        hidden = table.distinct - len(rows)
        name = f"order {table.order}"
        if self.level == "corpus":
            counts = ("maximum reference", self._sign, "lost", "segments")
            header: tuple[str, ...] = (name, "hypotheses", *counts)
            body: list[tuple[Any, ...]] = [
                (
                    shown_ngram(row.ngram),
                    row.hypothesis,
                    row.maximum_reference,
                    row.clipped,
                    row.lost,
                    row.segments,
                )
                for row in _corpus_rows(table)[:max_rows]
            ]
            blank: tuple[str, ...] = ("",)
        else:
            references = [f"reference {n}" for n in range(1, len(self.references) + 1)]
            if len(references) > 1:
                references.append("maximum reference")
            header = (name, "hypothesis", *references, self._sign)
            body = [
                (
                    shown_ngram(row.ngram),
                    row.hypothesis,
                    *row.references,
                    *([row.maximum_reference] if len(row.references) > 1 else []),
                    row.clipped,
                )
                for row in _segment_rows(table)[:max_rows]
            ]
            blank = ("",) * len(references)
        marks = [_mark(row) for row in rows]

        def sums(label: str, hypothesis: float, matched: float) -> tuple[str, ...]:
            cells = (label, number(hypothesis), *blank, number(matched))
            if self.level == "corpus":
                return (*cells, number(hypothesis - matched), "")
            return cells

        footer = [sums("total", table.count, table.matches)]
        if hidden:
            footer.insert(
                0,
                sums(f"{hidden} more, not shown", table.count - counted, table.matches - clipped),
            )
        return Table(
            header,
            tuple(
                TableRow(tuple(map(str, cells)), mark)
                for cells, mark in zip(body, marks, strict=True)
            ),
            tuple(footer),
        )

    def _length_blocks(self) -> list[Block]:
        lengths = self.lengths
        lines = [f"c = {number(lengths.hypothesis)}, the length of the hypothesis"]
        if self.level == "corpus":
            total = number(lengths.reference)
            lines = [
                f"c = {number(lengths.hypothesis)}, the sum of the hypothesis lengths",
                f"r = {total}, the sum of the chosen reference lengths: {lengths.reason}",
            ]
        else:
            lines += [
                f"reference {position}: {length} tokens, "
                f"{abs(length - lengths.hypothesis):.0f} away from c"
                for position, length in enumerate(lengths.references, 1)
            ]
            lines.append(f"r = {number(lengths.reference)}, {lengths.reason}")
        return [Steps(tuple(lines))]

    def _precision_blocks(self) -> Iterator[Block]:
        steps = self.derivations[0].precisions
        anything = any(step.smoothed for step in steps)
        header = ("order", "matches/total", "decimal")
        if anything:
            header = (*header, "used", "pₙ", "why")  # type: ignore[assignment]
        rows = []
        for step in steps:
            cells = (str(step.order), _fraction(step.matches, step.total), number(step.raw))
            if anything:
                cells = (*cells, step.expression, number(step.value), step.reason)  # type: ignore[assignment]
            rows.append(TableRow(cells))
        yield Table(header, tuple(rows), texts=(0, 5))

    def _penalty_blocks(self) -> list[Block]:
        penalty = self.derivations[0].brevity_penalty
        value = number(penalty.value)
        line = "BP = " + (
            value if penalty.expression == value else f"{penalty.expression} = {value}"
        )
        return [Steps((penalty.reason, line))]

    def _score_blocks(self) -> Iterator[Block]:
        several = len(self.derivations) > 1
        for position, derivation in enumerate(self.derivations, 1):
            lines = []
            if several:
                weights = ", ".join(exact(weight) for weight in derivation.weights)
                lines.append(f"weights {position} of {len(self.derivations)}: {weights}")
            lines += _mean_lines(derivation)
            yield Steps(tuple(lines))
        if len(self.scores) > 1:
            yield Paragraph("With uniform weights over the first orders:")
            yield Table(
                ("", "score"),
                tuple(
                    TableRow((f"BLEU-{order}", f"{score:.6f}"))
                    for order, score in enumerate(self.scores, 1)
                ),
            )
        call = "corpus_score" if self.level == "corpus" else "sentence_score"
        yield Paragraph(
            f"Checked: {self.metric}.{call} gives the same statistics and the same score."
        )


def _counted(label: str, count: int) -> str:
    return f"{label}: {count} token{'' if count == 1 else 's'}"


def _fraction(matches: float, total: float) -> str:
    return f"{number(matches)}/{number(total)}"


def _mark(row: NgramRow | CorpusNgramRow) -> Mark:
    if row.clipped == 0:
        return Mark.UNMATCHED
    return Mark.MATCHED if row.lost == 0 else Mark.CLIPPED


def _segment_rows(table: NgramTable) -> list[NgramRow]:
    return [row for row in table.rows if isinstance(row, NgramRow)]


def _corpus_rows(table: NgramTable) -> list[CorpusNgramRow]:
    return [row for row in table.rows if isinstance(row, CorpusNgramRow)]


def _no_ngrams(order: int, last: int, total: float) -> str:
    orders = f"order {order}" if order == last else f"the orders {order} to {last}"
    text = f"The text is too short: it has no n-gram of {orders}"
    return f"{text} (NLTK counts at least one in each segment)." if total else f"{text}."


def _mean_lines(derivation: Derivation) -> list[str]:
    lines = [derivation.weights_reason] if derivation.weights_reason else []
    for term in derivation.terms:
        weight = exact(term.weight)
        if term.reason:
            lines.append(f"order {term.order}: weight {weight}: 0 ({term.reason})")
        else:
            lines.append(
                f"order {term.order}: {weight} · ln {number(term.precision)} = "
                f"{weight} · {number(term.logarithm)} = {number(term.product)}"
            )
    lines.append(f"sum = {number(derivation.log_sum)}")
    lines.append(f"exp(sum) = {number(derivation.geometric_mean)}")
    penalty, mean = number(derivation.brevity_penalty.value), number(derivation.geometric_mean)
    if derivation.zero_reason:
        lines.append(f"BLEU = 0, since {derivation.zero_reason}: a rule of this convention")
    else:
        lines.append(
            f"BLEU = 100 · BP · exp(sum) = 100 · {penalty} · {mean} = {derivation.score:.6f}"
        )
    return lines


def _table_dict(table: NgramTable) -> dict[str, Any]:
    rows: list[dict[str, Any]] = []
    for row in table.rows:
        entry: dict[str, Any] = {"ngram": list(row.ngram), "hypothesis": row.hypothesis}
        if isinstance(row, NgramRow):
            entry["references"] = list(row.references)
        entry |= {"maximum_reference": row.maximum_reference, "clipped": row.clipped}
        if isinstance(row, CorpusNgramRow):
            entry["segments"] = row.segments
        rows.append(entry)
    return {
        "order": table.order,
        "matches": table.matches,
        "total": table.total,
        "distinct": table.distinct,
        "ngrams": rows,
        "not_shown": {
            "ngrams": table.distinct - len(rows),
            "hypothesis": table.count - sum(row.hypothesis for row in table.rows),
            "clipped": table.matches - sum(row.clipped for row in table.rows),
        },
    }


def _derivation_dict(derivation: Derivation) -> dict[str, Any]:
    return {
        "weights": list(derivation.weights),
        "weights_reason": derivation.weights_reason,
        "terms": [
            {
                "order": term.order,
                "weight": term.weight,
                "precision": finite(term.precision),
                "logarithm": finite(term.logarithm),
                "product": finite(term.product),
                "reason": term.reason,
            }
            for term in derivation.terms
        ],
        "log_sum": finite(derivation.log_sum),
        "geometric_mean": finite(derivation.geometric_mean),
        "zero_reason": derivation.zero_reason,
        "score": finite(derivation.score),
    }


# --------------------------------------------------------------------------------------------------
# Counting


def _choose_length(length: int, references: Sequence[int], rule: str) -> tuple[float, str]:
    """Return the reference length by this rule, and why it is the one."""
    if rule == "shortest":
        return float(min(references)), "the shortest"
    if rule == "longest":
        return float(max(references)), "the longest"
    if rule == "average":
        return sum(references) / len(references), "the mean of all"
    if rule == "closest":
        best = min(references, key=lambda found: (abs(found - length), found))
        tie = "the shorter"
    else:
        best = min(references, key=lambda found: abs(found - length))
        tie = "the first"
    equal = len({found for found in references if abs(found - length) == abs(best - length)})
    if len(references) == 1:
        return float(best), "the only reference"
    if equal > 1:
        return float(best), f"{tie} of {equal} lengths equally close to c"
    return float(best), "the closest to c"


_LENGTH_RULES = {
    "closest": "of each segment the one closest to its hypothesis, the shorter on a tie",
    "closest-first": "of each segment the one closest to its hypothesis, the first on a tie",
    "shortest": "of each segment the shortest",
    "longest": "of each segment the longest",
    "average": "of each segment the mean",
}


def _clipped(count: int, maximum: int, *, clip: bool) -> int:
    if clip:
        return min(count, maximum)
    return count if maximum else 0


def _segment_tables(material: Material, orders: int, *, clip: bool) -> list[NgramTable]:
    hypothesis = material.hypothesis_tokens(0)
    references = material.reference_tokens(0)
    row = material.statistics.values[0]
    tables = []
    for order in range(1, orders + 1):
        counts = count_ngrams(hypothesis, order)
        others = [count_ngrams(tokens, order) for tokens in references] if counts else []
        rows = []
        for ngram, count in sorted(counts.items(), key=lambda item: -item[1]):
            found = tuple(other.get(ngram, 0) for other in others)
            maximum = max(found)
            rows.append(
                NgramRow(
                    ngram,
                    count,
                    found,
                    maximum,
                    _clipped(count, maximum, clip=clip),
                )
            )
        tables.append(
            NgramTable(
                order,
                tuple(rows),
                float(sum(entry.clipped for entry in rows)),
                float(row[2 * order + 1]),
                len(rows),
                sum(entry.hypothesis for entry in rows),
            )
        )
    return tables


class _CorpusCounts:
    """What one order adds up to over a corpus."""

    def __init__(self) -> None:
        self.hypothesis: Counter[Ngram] = Counter()
        self.segments: Counter[Ngram] = Counter()
        # Of the few n-grams that match anything.
        self.maximum: Counter[Ngram] = Counter()
        self.clipped: Counter[Ngram] = Counter()
        # Of the segment that was added last.
        self.matches = 0
        self.total = 0

    def add(
        self, hypothesis: Counter[Ngram], references: Sequence[Counter[Ngram]], *, clip: bool
    ) -> None:
        """Add a segment."""
        best: dict[Ngram, int] = {}
        for reference in references:
            for ngram in hypothesis.keys() & reference.keys():
                best[ngram] = max(best.get(ngram, 0), reference[ngram])
        self.matches = 0
        for ngram, maximum in best.items():
            clipped = _clipped(hypothesis[ngram], maximum, clip=clip)
            self.matches += clipped
            self.maximum[ngram] += maximum
            self.clipped[ngram] += clipped
        self.total = sum(hypothesis.values())
        self.hypothesis.update(hypothesis.elements())
        self.segments.update(hypothesis.keys())

    def table(self, order: int, total: float, top: int) -> NgramTable:
        """Return the n-grams that lost the most matches."""
        clipped = self.clipped
        ranked = heapq.nsmallest(
            top,
            self.hypothesis.items(),
            key=lambda item: (clipped.get(item[0], 0) - item[1], -item[1]),
        )
        rows = tuple(
            CorpusNgramRow(
                ngram,
                count,
                self.maximum[ngram],
                clipped[ngram],
                self.segments[ngram],
            )
            for ngram, count in ranked
        )
        return NgramTable(
            order,
            rows,
            float(sum(clipped.values())),
            total,
            len(self.hypothesis),
            sum(self.hypothesis.values()),
        )


# --------------------------------------------------------------------------------------------------
# From the metric to the explanation


_SMOOTHING = {
    ("sacrebleu", "exp"): "the k-th order without a match counts 1/2ᵏ matches",
    ("sacrebleu", "floor"): "an order without a match counts {value} matches",
    ("sacrebleu", "add-k"): "{value} is added to matches and total of every order from 2 on",
    ("mteval", "exp"): "the k-th order without a match counts 1/2ᵏ matches, and an order without "
    "any n-gram a precision of 1",
    ("nltk", "method0"): "an order without a match counts as the smallest normal number",
    ("nltk", "method1"): "an order without a match counts ε = {value} matches",
    ("nltk", "method2"): "1 is added to matches and total of every order from 2 on",
    ("nltk", "method3"): "the k-th order without a match counts 1/2ᵏ matches",
    ("nltk", "method4"): "the k-th order without a match counts (ln c / {value})/2ᵏ matches",
    ("nltk", "method5"): "each precision is averaged with the smoothed one of the order before and "
    "the plain one of the order after",
    ("nltk", "method6"): "from order 3 on, precisions are drawn towards what the two orders before "
    "foretell, with the strength α = {value}",
    ("nltk", "method7"): "method 4 with k = {value}, then method 5's averages",
    ("nmt", "add-one"): "1 is added to matches and total of every order",
    ("torch", "add-one"): "1 is added to matches and total of every order from 2 on",
    ("numpy", "precision-floor"): "no precision counts as less than {value}",
    ("coco", "none"): "none, but 1e-15 is added to every number of matches and 1e-9 to every total",
}


def _rules(bleu: BLEU, *, level: str, effective: bool) -> tuple[str, ...]:
    options = bleu.column_options
    rules = convention(bleu.formula)
    value = "" if bleu.smooth_value is None else f"{bleu.smooth_value:g}"
    smoothing = _SMOOTHING.get((bleu.formula, str(bleu.smooth_method)), "none")
    case = ", in lower case" if bleu.lowercase else ""
    clipping = (
        "an n-gram counts at most as often as in the reference that has it most often (clipping)"
        if bleu.clip
        else "counts are not clipped: an n-gram counts each time it occurs, if any reference has it"
    )
    texts = [
        f"Convention: {rules.title} (formula {bleu.formula!r}).",
        f"Tokenizer: {options.tokenizer.name!r}{case}; input of tokens stays as it is.",
        f"pₙ: matched n-grams over n-grams of the hypothesis; {clipping}.",
        f"Smoothing ({bleu.smooth_method}): {smoothing.format(value=value)}.",
        f"r, the effective reference length, is {_LENGTH_RULES[bleu.reference_length]}.",
        rules.penalty_rule,
    ]
    if bleu.formula == "nltk":
        texts.append("Every segment counts at least one n-gram of each order.")
    if effective:
        texts.append("Effective order: orders that the hypothesis is too short for do not count.")
    elif bleu.formula == "sacrebleu" and level == "segment":
        texts.append(
            "No effective order: an order that the hypothesis is too short for makes it 0."
        )
    if rules.zero_rule:
        texts.append(rules.zero_rule)
    sets = _weight_sets(bleu)
    if bleu.weights is None:
        texts.append(f"Weights: wₙ = 1/{bleu.order} for the orders 1 to {bleu.order}.")
    else:
        shown = "; ".join(", ".join(exact(weight) for weight in weights) for weights in sets)
        texts.append(f"Weights: {shown}.")
    if bleu.auto_reweigh:
        texts.append("auto_reweigh: a text of under 4 tokens has uniform weights over its orders.")
    if options.ignore_ids:
        count = len(options.ignore_ids)
        texts.append(
            f"Dropped before counting: {count} id{'' if count == 1 else 's'} (ignore_ids)."
        )
    return tuple(texts)


def _weight_sets(bleu: BLEU) -> list[list[float]]:
    if bleu.weights is None:
        return [[1 / bleu.order] * bleu.order]
    sets: list[Any] = list(bleu.weights)
    if isinstance(sets[0], float):
        sets = [sets]
    return [[*row, *[0.0] * (bleu.order - len(row))] for row in sets]


def _given(bleu: BLEU, totals: np.ndarray[Any, Any], last: np.ndarray[Any, Any]) -> Given:
    order = bleu.order
    wide = len(last) >= 12
    return Given(
        matches=tuple(map(float, totals[2 : 2 + 2 * order : 2])),
        totals=tuple(map(float, totals[3 : 3 + 2 * order : 2])),
        hypothesis_length=float(totals[0]),
        reference_length=float(totals[1]),
        next_matches=float(last[10]) if wide else 0.0,
        next_totals=float(last[11]) if wide else 0.0,
        last_hypothesis_length=float(last[0]),
    )


def _least_total(bleu: BLEU) -> int:
    return 1 if bleu.formula == "nltk" else 0


def _check_row(
    bleu: BLEU, material: Material, index: int, derived: Sequence[float], where: str
) -> None:
    """Compare a row of statistics, made in plain Python, with the native one."""
    native = material.statistics.values[index]
    if derived == native.tolist():
        return
    for name, mine, theirs in zip(bleu.fields, derived, native, strict=True):
        check_agreement(f"{name} of {where}", mine, float(theirs))


@explains(BLEU)
def explain_bleu(metric: Metric[Any], material: Material, top: int) -> BLEUExplanation:
    """Explain a BLEU score; see `cocarde.explain`."""
    assert isinstance(metric, BLEU)
    orders = (len(metric.fields) - 2) // 2
    signature = metric.signature_of(material.statistics, level=material.level)
    effective = signature["eff"] == "yes"
    if material.level == "segment":
        totals = material.statistics[0]
        tables = _segment_tables(material, orders, clip=metric.clip)
        lengths = _segment_lengths(metric, material, tables)
        rows: tuple[SegmentRow, ...] = ()
        hypothesis: Ngram | None = tuple(material.hypothesis_tokens(0))
        references = tuple(map(tuple, material.reference_tokens(0)))
    else:
        totals = material.statistics.sum()
        tables, rows = _corpus_tables(metric, material, orders, top)
        lengths = Lengths(
            float(totals.values[0]),
            (),
            float(totals.values[1]),
            metric.reference_length,
            _LENGTH_RULES[metric.reference_length],
        )
        hypothesis, references = None, ()
    given = _given(metric, totals.values, material.statistics.values[-1])
    derivations = tuple(
        derive(metric, given, weights, effective=effective) for weights in _weight_sets(metric)
    )
    score: BLEUScore = metric.compute(totals, level=material.level)
    scores = [
        derive(metric, given.first(n), [1 / n] * n, effective=effective).score
        for n in range(1, metric.order + 1)
    ]
    check_agreement("the score", derivations[0].score, score.score)
    for derivation, theirs in zip(derivations, score.weight_scores, strict=True):
        check_agreement(f"the score with weights {derivation.weights}", derivation.score, theirs)
    for order, (mine, theirs) in enumerate(zip(scores, score.scores, strict=True), 1):
        check_agreement(f"BLEU-{order}", mine, theirs)
    check_agreement(
        "the brevity penalty", derivations[0].brevity_penalty.value, score.brevity_penalty
    )
    return BLEUExplanation(
        **{**described(material, score, top), "signature": str(signature)},
        formula=metric.formula,
        rules=_rules(metric, level=material.level, effective=effective),
        clip=metric.clip,
        hypothesis=hypothesis,
        references=references,
        orders=tuple(tables),
        lengths=lengths,
        derivations=derivations,
        scores=score.scores,
        segments=rows,
    )


def _segment_lengths(bleu: BLEU, material: Material, tables: Sequence[NgramTable]) -> Lengths:
    length = len(material.hypothesis_tokens(0))
    found = tuple(len(tokens) for tokens in material.reference_tokens(0))
    chosen, reason = _choose_length(length, found, bleu.reference_length)
    derived = [float(length), chosen]
    for table in tables:
        derived += [table.matches, float(max(table.count, _least_total(bleu)))]
    where = "the segment" if material.segment is None else f"segment {material.segment}"
    _check_row(bleu, material, 0, derived, where)
    return Lengths(float(length), found, chosen, bleu.reference_length, reason)


def _corpus_tables(
    bleu: BLEU, material: Material, orders: int, top: int
) -> tuple[list[NgramTable], tuple[SegmentRow, ...]]:
    counts = [_CorpusCounts() for _ in range(orders)]
    scores = _segment_scores(bleu, material)
    rows = []
    for index in range(len(material)):
        hypothesis = material.hypothesis_tokens(index)
        references = material.reference_tokens(index)
        for order, found in enumerate(counts, 1):
            mine = count_ngrams(hypothesis, order)
            others = [count_ngrams(tokens, order) for tokens in references] if mine else []
            found.add(mine, others, clip=bleu.clip)
        lengths = tuple(map(len, references))
        chosen, _ = _choose_length(len(hypothesis), lengths, bleu.reference_length)
        matches = tuple(float(found.matches) for found in counts)
        totals = tuple(float(max(found.total, _least_total(bleu))) for found in counts)
        derived = [float(len(hypothesis)), chosen]
        for pair in zip(matches, totals, strict=True):
            derived += pair
        _check_row(bleu, material, index, derived, f"segment {index}")
        rows.append(
            SegmentRow(index, len(hypothesis), lengths, chosen, matches, totals, scores[index])
        )
    sums = material.statistics.sum().values
    tables = [
        found.table(order, float(sums[2 * order + 1]), top) for order, found in enumerate(counts, 1)
    ]
    return tables, tuple(rows)


def _segment_scores(bleu: BLEU, material: Material) -> list[float | None]:
    try:
        return list(map(finite, bleu.compute(material.statistics, level="segment").tolist()))
    except InputError:
        # NLTK's method 6 has no score for some segments.
        return [_segment_score(bleu, material, index) for index in range(len(material))]


def _segment_score(bleu: BLEU, material: Material, index: int) -> float | None:
    try:
        return finite(float(bleu.compute(material.statistics[index], level="segment")))
    except InputError:
        return None
