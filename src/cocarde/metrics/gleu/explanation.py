"""How a GLEU score came to be: which n-grams match, which reference counts, precision and recall."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from operator import attrgetter
from typing import Any

from cocarde.core.documents import Block, Bullets, Document, Steps, Table, TableRow, number
from cocarde.core.explanation import Explanation, Material, check_agreement, described, explains
from cocarde.core.metric import Metric
from cocarde.core.ngrams import (
    MatchedNgram,
    count_ngrams,
    matched_ngrams,
    ngram_table,
    ngrams_to_dict,
)
from cocarde.metrics.gleu.metric import GLEU

__all__ = ["GLEUCounts", "GLEUExplanation", "explain_gleu"]

_rank, _numbers = attrgetter("score", "index"), attrgetter(*GLEU.fields, "score")
_COLUMNS = ("matches", "larger total", "hypothesis n-grams", "reference n-grams", "GLEU")


@dataclass(frozen=True)
class GLEUCounts:
    """The counts of a segment beside a reference, and the score (0 to 100) that they give."""

    index: int
    matches: float
    total: float
    hypothesis_total: float
    reference_total: float
    score: float


@dataclass(frozen=True, kw_only=True, repr=False)
class GLEUExplanation(Explanation):
    """How a GLEU score came to be.

    Attributes
    ----------
    matches, total, hypothesis_total, reference_total : float
        As in `GLEUScore`.
    references : tuple of GLEUCounts
        Of one segment: what each reference gives, counted from 1.
    chosen : int
        The reference that counts, from 1.
    ngrams : tuple of MatchedNgram
        Of one segment and that reference, by order.
    segments : tuple of GLEUCounts
        Of a corpus.
    """

    matches: float
    total: float
    hypothesis_total: float
    reference_total: float
    references: tuple[GLEUCounts, ...] = ()
    chosen: int = 0
    ngrams: tuple[MatchedNgram, ...] = ()
    segments: tuple[GLEUCounts, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation as JSON can hold it."""
        return {
            **self._common_parts(),
            "rules": list(self.rules),
            **{name: getattr(self, name) for name in (*GLEU.fields, "chosen")},
            **{name: list(map(asdict, getattr(self, name))) for name in ("references", "segments")},
            "ngrams": ngrams_to_dict(self.ngrams),
        }

    def document(self, *, max_rows: int = 200) -> Document:
        """Return what is printed."""
        parts: list[tuple[str, list[Block]]] = [("The convention in words", [Bullets(self.rules)])]
        if len(self.references) > 1:
            rows = [
                TableRow((str(row.index), *map(number, _numbers(row)))) for row in self.references
            ]
            counts = (f"{self.chosen} counts", *map(number, _numbers(self)))
            parts.append(("References", [Table(("reference", *_COLUMNS), tuple(rows), (counts,))]))
        for order in dict.fromkeys(len(row.ngram) for row in self.ngrams):
            ngrams = [row for row in self.ngrams if len(row.ngram) == order]
            matches, _, mine, theirs, _ = _numbers(_counts(0, ngrams))
            table = ngram_table(ngrams, (mine, theirs, matches), max_rows)
            parts.append((f"N-grams of order {order}", [table]))
        if self.segments:
            ranked, last = sorted(self.segments, key=_rank), ("all", *map(number, _numbers(self)))
            blocks = self._segment_table(ranked, _rank, _COLUMNS, _numbers, last=(last,))
            parts.append(("Segments", list(blocks)))
        totals = (("P", self.hypothesis_total), ("R", self.reference_total), ("GLEU", self.total))
        steps = tuple(_step(name, self.matches, total) for name, total in totals)
        return self._arranged([*parts, ("The score", [Steps(steps)])])


def _step(name: str, matches: float, total: float) -> str:
    value = number(100 * matches / total) if total else "0: there is nothing to divide by"
    return f"{name} = 100 · {number(matches)} / {number(total)} = {value}"


def _counts(index: int, ngrams: Sequence[MatchedNgram]) -> GLEUCounts:
    matches = sum(row.matched for row in ngrams)
    mine, theirs = sum(row.hypothesis for row in ngrams), sum(row.reference for row in ngrams)
    total = max(mine, theirs)
    return GLEUCounts(index, matches, total, mine, theirs, 100 * matches / max(total, 1))


def _explain_segment(metric: GLEU, material: Material, index: int) -> dict[str, Any]:
    hypothesis, found = material.hypothesis_tokens(index), []
    for reference in material.reference_tokens(index):
        longest = min(metric.max_ngram_order, max(len(hypothesis), len(reference)))
        orders = range(metric.min_ngram_order, longest + 1)
        pairs = ((count_ngrams(hypothesis, n), count_ngrams(reference, n)) for n in orders)
        found.append(tuple(row for pair in pairs for row in matched_ngrams(*pair)))
    rows = tuple(_counts(place, ngrams) for place, ngrams in enumerate(found, 1))
    best = max((row for row in rows if row.total), key=lambda row: row.score, default=rows[0])
    return {"references": rows, "chosen": best.index, "ngrams": found[best.index - 1]}


@explains(GLEU)
def explain_gleu(metric: Metric[Any], material: Material, top: int) -> GLEUExplanation:
    """Explain a GLEU score; see `cocarde.explain`."""
    assert isinstance(metric, GLEU)
    score = metric.compute(material.statistics.sum(), level=material.level)
    segments, rest = [], dict[str, Any]()
    for index in range(len(material)):
        rest = _explain_segment(metric, material, index)
        segments.append(replace(rest["references"][rest["chosen"] - 1], index=index))
    if material.level == "corpus":
        rest = {"segments": tuple(segments)}
    for name in GLEU.fields:
        rest[name] = sum(getattr(row, name) for row in segments)
        check_agreement(f"the statistic {name}", rest[name], getattr(score, name))
    check_agreement("the score", 100 * rest["matches"] / max(rest["total"], 1), score.score)
    lower = " and lower-cased" if metric.lowercase else ""
    texts = f"Texts are tokenized by {metric.column_options.tokenizer.name!r}{lower}."
    rules = (
        "Tokens are compared as they are." if material.statistics.tokens else texts,
        f"N-grams of {metric.min_ngram_order} to {metric.max_ngram_order} tokens count together.",
        "An n-gram matches as often as both texts have it.",
        "A segment's score is matches over the larger total: the smaller of precision and recall.",
        "Of several references the one with the best score counts, the first of those.",
        "The score of a corpus is the sum of matches over the sum of larger totals.",
    )
    return GLEUExplanation(**described(material, score, top), rules=rules, **rest)
