"""What every explanation shares: its renderings, the registry, and the tokens it starts from."""

from __future__ import annotations

import json
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.util import find_spec
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from typing_extensions import Self

from cocarde import _native
from cocarde._util.checks import read_whole_number
from cocarde.core import registry
from cocarde.core.columns import PreparedReferences
from cocarde.core.documents import (
    Block,
    Document,
    Heading,
    Paragraph,
    Steps,
    Table,
    TableRow,
    number,
)
from cocarde.core.metric import Metric
from cocarde.core.printed import Printed
from cocarde.core.renderers import render
from cocarde.core.score import Score
from cocarde.core.statistics import Statistics
from cocarde.corpus.segments import References, Segments
from cocarde.errors import CocardeError, InputError, OptionError, numbering

__all__ = [
    "Explainer",
    "Explanation",
    "Material",
    "Printable",
    "ScoredSegment",
    "check_agreement",
    "check_positive",
    "described",
    "explain",
    "explainers",
    "explains",
    "find_explainer",
    "finite",
    "is_single_segment",
    "read_material",
    "worst_and_best",
]

Token = str | int

# Rows of a table of a segment that are printed: every n-gram of any sentence, not those of a book.
_PRINTED_ROWS = 200


def check_positive(name: str, value: object) -> None:
    """Refuse an option that is not a whole number of at least 1.

    Raises
    ------
    OptionError
    """
    read_whole_number(name, value, 1)


class Printable(Printed, ABC):
    """A value that prints itself as text, Markdown, HTML, JSON and in a coloured terminal."""

    @abstractmethod
    def document(self, *, max_rows: int = _PRINTED_ROWS) -> Document:
        """Return what is printed; tables say how many rows beyond `max_rows` they leave out."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Return everything as lists, dictionaries, strings and finite numbers, ready for JSON."""

    def to_json(self, *, indent: int | None = 2) -> str:
        """Return `to_dict` as JSON in ASCII."""
        return json.dumps(self.to_dict(), indent=indent, allow_nan=False)

    def to_text(self, *, max_rows: int = _PRINTED_ROWS) -> str:
        """Return plain text.

        Parameters
        ----------
        max_rows : int
            At least 1. Longer tables say what they leave out.

        Returns
        -------
        str

        Raises
        ------
        OptionError
            If `max_rows` is below 1.
        """
        return self._checked(max_rows, "text")

    def to_markdown(self, *, max_rows: int = _PRINTED_ROWS) -> str:
        """Return Markdown; parameter and error are those of `to_text`."""
        return self._checked(max_rows, "markdown")

    def _checked(self, max_rows: int, form: str) -> str:
        check_positive("max_rows", max_rows)
        return str(render(self.document(max_rows=max_rows), form))

    def __str__(self) -> str:
        return self.to_text()


ExplanationT = TypeVar("ExplanationT", bound="Explanation")
RowT = TypeVar("RowT")


@dataclass(frozen=True)
class ScoredSegment:
    """A segment of a corpus: its number, and its score from 0 to 100."""

    index: int
    score: float


def worst_and_best(
    rows: Sequence[RowT],
    rank: Callable[[RowT], Any],
    top: int,
    *,
    by: str = "",
    still: str = "count",
) -> tuple[Sequence[RowT], str]:
    """Choose the segments that are listed.

    Parameters
    ----------
    rows : sequence
        All segments.
    rank : callable
        From a row to what is smaller for a worse one.
    top : int
        How many of the worst and of the best are listed where there are more.
    by, still : str
        For the sentence about the others: what they are ranked by, what they do although not shown.

    Returns
    -------
    chosen : sequence
        As they are where all are listed, else the worst first.
    sentence : str
        About those that are left out; empty where none is.
    """
    left_out = len(rows) - 2 * top
    if left_out <= 0:
        return rows, ""
    ranked = sorted(rows, key=rank)
    sentence = (
        f"The {top} worst and the {top} best of {len(rows)} segments{by}; {left_out} are not shown, "
        f"but {still}."
    )
    return ranked[:top] + ranked[-top:], sentence


@dataclass(frozen=True, kw_only=True, repr=False)
class Explanation(Printable):
    """How a score came to be, step by step.

    Attributes
    ----------
    metric : str
        The metric's name.
    level : {"segment", "corpus"}
    segment : int or None
        The number of the segment, where one of a corpus is explained.
    result : Score
        What the metric gives; `score` is its number, from 0 to 100.
    signature : str
        The options and versions behind it.
    warnings : tuple of str
        What a careful reader should know, such as why the score is 0.
    counted_from : int
        The number of the first segment: 0 in Python, 1 on the command line; see `numbered_from`.
    rules : tuple of str
        The convention in words.
    segments : tuple
        Of a corpus: a row for each segment, with at least its `index`.
    top : int
        How many of the worst and of the best segments of a corpus are listed.
    """

    metric: str
    level: str
    segment: int | None
    result: Score
    signature: str
    warnings: tuple[str, ...] = ()
    counted_from: int = 0
    rules: tuple[str, ...]
    segments: tuple[Any, ...] = ()
    top: int = 10

    @property
    def score(self) -> float:
        """The number that the metric gives; of several parts there is none, see `ScoresByPart`."""
        return self.result.score

    def numbered_from(self, first: int) -> Self:
        """Return the same explanation with segments counted from another number.

        Parameters
        ----------
        first : int
            The number of the first segment.
        """
        shift = first - self.counted_from
        changes: dict[str, Any] = {"counted_from": first}
        if self.segment is not None:
            changes["segment"] = self.segment + shift
        if self.segments:
            changes["segments"] = tuple(
                replace(row, index=row.index + shift) for row in self.segments
            )
        return replace(self, **changes)

    # -- what subclasses share

    def _common_parts(self) -> dict[str, Any]:
        """Return what `to_dict` begins with."""
        return {
            "metric": self.metric,
            "level": self.level,
            "segment": self.segment,
            "counted_from": self.counted_from,
            **({"score": finite(self.score)} if len(self.result.parts()) == 1 else {}),
            "signature": self.signature,
            "warnings": list(self.warnings),
        }

    def _arranged(self, sections: Iterable[tuple[str, Iterable[Block]]]) -> Document:
        """Return numbered sections below a title; a section without anything in it is left out."""
        if self.level == "corpus":
            what = f"a corpus of {len(self.segments)} segments"
        elif self.segment is None:
            what = "one segment"
        else:
            what = f"segment {self.segment} (counted from {self.counted_from})"
        blocks: list[Block] = [Steps((f"signature  {self.signature}",))]
        blocks += [Paragraph(f"Note: {warning}.") for warning in self.warnings]
        listed = ((heading, list(inside)) for heading, inside in sections)
        filled = ((heading, inside) for heading, inside in listed if inside)
        for position, (heading, inside) in enumerate(filled, 1):
            blocks += [Heading(f"{position}. {heading}"), *inside]
        return Document(self._title(what), tuple(blocks))

    def _title(self, what: str) -> str:
        """Name what is explained."""
        return f"{self.result.headline(6)} of {what}"

    def _segment_table(
        self,
        rows: Sequence[RowT],
        rank: Callable[[RowT], Any],
        columns: Sequence[str],
        numbers: Callable[[RowT], Iterable[float]],
        *,
        last: tuple[tuple[str, ...], ...] = (),
        by: str = "",
        still: str = "count",
    ) -> Iterator[Block]:
        """Return a table of segments, of which `worst_and_best` lists some where they are many."""
        chosen, others = worst_and_best(rows, rank, self.top, by=by, still=still)
        if others:
            yield Paragraph(others)
        yield Table(
            (f"segment (from {self.counted_from})", *columns),
            tuple(
                TableRow((str(row.index), *map(number, numbers(row))))  # type: ignore[attr-defined]
                for row in chosen
            ),
            last,
        )

    def __repr__(self) -> str:
        where = f"a {self.level}" if self.segment is None else f"segment {self.segment}"
        return f"<{type(self).__name__} of {where}: {self.result.headline()}; print() it>"


@dataclass(frozen=True, eq=False)
class Material:
    """What an explanation starts from: tokens as the metric sees them, and the native statistics.

    Attributes
    ----------
    hypotheses, references : Column
    offsets : ndarray of int64
        Segment i has the references ``offsets[i]:offsets[i + 1]``.
    statistics : Statistics, shape (n, k)
    level : {"segment", "corpus"}
    segment : int or None
        The index of the only segment in what the caller gave.
    segments, reference_segments : Segments
        What the columns were made of; None for references that were prepared.
    """

    hypotheses: _native.Column
    references: _native.Column
    offsets: npt.NDArray[np.int64]
    statistics: Statistics
    level: str
    segment: int | None
    segments: Segments
    reference_segments: Segments | None = None

    def __len__(self) -> int:
        return len(self.hypotheses)

    def hypothesis_tokens(self, index: int) -> list[Token]:
        """Return the tokens of a hypothesis."""
        return list(self.hypotheses.tokens(index))

    def reference_tokens(self, index: int) -> list[list[Token]]:
        """Return the tokens of each reference of a segment."""
        first, last = int(self.offsets[index]), int(self.offsets[index + 1])
        return [list(self.references.tokens(number)) for number in range(first, last)]


Explainer = Callable[[Metric[Any], Material, int], Explanation]

explainers: dict[type[Metric[Any]], Explainer] = {}
"""What explains the scores of each class of metrics; `explains` adds to it."""


def explains(metric_class: type[Metric[Any]]) -> Callable[[Explainer], Explainer]:
    """Register the explainer of a class of metrics.

    Parameters
    ----------
    metric_class : type
        A subclass of `Metric`; its own subclasses are covered unless they have theirs.

    Returns
    -------
    callable
        A decorator for ``explainer(metric, material, top)``.
    """

    def register(explainer: Explainer) -> Explainer:
        explainers[metric_class] = explainer
        return explainer

    return register


def find_explainer(metric: Metric[Any]) -> Explainer:
    """Return the explainer of a metric.

    Raises
    ------
    OptionError
        If there is none for its class.
    """
    for candidate in type(metric).__mro__:
        if candidate not in explainers:
            _import_explanation(candidate)
        if candidate in explainers:
            return explainers[candidate]
    known = ", ".join(sorted(found.name for found in explainers))
    raise OptionError(f"{metric.name} has no explanation yet; there are those of {known}")


def _import_explanation(kind: type) -> None:
    """Import the module `explanation` beside a metric's own, which registers itself."""
    package = kind.__module__.rpartition(".")[0]
    name = f"{package}.explanation"
    if package and issubclass(kind, Metric) and kind is not Metric and find_spec(name):
        import_module(name)


def finite(value: float) -> float | None:
    """Return the number, or None where it is infinite or undefined: JSON has no word for those."""
    return value if math.isfinite(value) else None


def described(material: Material, score: Score, top: int) -> dict[str, Any]:
    """Return the arguments of `Explanation` that tell which score is explained."""
    return {
        "metric": score.name,
        "level": material.level,
        "segment": material.segment,
        "result": score,
        "signature": score.signature,
        "warnings": score.warnings,
        "top": top,
    }


def check_agreement(what: str, derived: float, native: float) -> None:
    """Refuse an explanation that differs from the metric.

    Parameters
    ----------
    what : str
        For the message.
    derived, native : float
        By the explanation, by the metric; nan agrees with nan.

    Raises
    ------
    CocardeError
        If they differ by more than 1e-9 (relative, where they are large).
    """
    if not np.isclose(derived, native, rtol=1e-9, atol=1e-9, equal_nan=True):
        raise CocardeError(
            f"the explanation derives {derived!r} for {what} but the metric gives {native!r}; "
            f"this is a defect of cocarde: please report it with the segment and the signature"
        )


# --------------------------------------------------------------------------------------------------
# Reading what the caller gave


def is_single_segment(hypotheses: Any) -> bool:
    """Whether these hypotheses are one segment: a text, or a flat sequence of ids."""
    if isinstance(hypotheses, str):
        return True
    shape = getattr(hypotheses, "shape", None)
    if shape is not None:
        kind = getattr(getattr(hypotheses, "dtype", None), "kind", "i")
        return len(shape) == 1 and kind in "iu"
    if not isinstance(hypotheses, (list, tuple)) or not hypotheses:
        return False
    return all(
        hasattr(token, "__index__") and not hasattr(token, "__len__") for token in hypotheses
    )


def _check_segment(segment: Any, count: int) -> int:
    index = getattr(segment, "__index__", None)
    if index is None or isinstance(segment, bool):
        raise OptionError(
            f"segment must be the index of a segment (int) or None, found {segment!r}"
        )
    number = int(index())
    if not 0 <= number < count:
        raise InputError(
            f"there is no segment {number}: the {count} hypotheses have the indices 0 to "
            f"{count - 1}"
        )
    return number


def _slice(segments: Segments, first: int, last: int) -> Segments:
    if segments.kind == "ids":
        assert segments.values is not None
        assert segments.offsets is not None
        offsets = segments.offsets[first : last + 1]
        values = segments.values[offsets[0] : offsets[-1]]
        return Segments.of_ids(values, offsets - offsets[0], segments.argument)
    if segments.kind == "block":
        blocks: list[list[str]] = [_native.split_lines(block) for block in segments.blocks]
        # Line k of all is in block k modulo their number, since they take turns.
        places = (divmod(k, len(blocks)) for k in range(first, last))
        lines = [blocks[block][line] for line, block in places]
        return Segments.of_items("text", lines, segments.argument)
    assert segments.items is not None
    return Segments.of_items(segments.kind, segments.items[first:last], segments.argument)


def read_material(
    metric: Metric[Any], hypotheses: Any, references: Any, segment: int | None
) -> Material:
    """Read what `cocarde.explain` takes.

    Raises
    ------
    InputError, OptionError
        As `Metric.statistics`; and if there is no such segment.
    """
    level = "corpus"
    if is_single_segment(hypotheses):
        if segment not in (None, 0):
            raise InputError(
                f"hypotheses is a single segment, so there is no segment {segment!r}; leave "
                f"segment= out"
            )
        level, segment = "segment", None
        hypotheses, references = [hypotheses], [references]
    segments = Segments.coerce(hypotheses)
    if segment is not None:
        level, segment = "segment", _check_segment(segment, len(segments))
    options = metric.column_options
    if isinstance(references, PreparedReferences):
        statistics = metric.statistics(segments, references)
        column, offsets, flat = references.column, references.offsets, None
        if segment is not None:
            first, last = int(offsets[segment]), int(offsets[segment + 1])
            column = column.part(first, last)
            offsets = np.array([0, last - first], dtype=np.int64)
            segments = _slice(segments, segment, segment + 1)
            row = statistics.values[segment : segment + 1]
            statistics = replace(statistics, values=row, references_per_segment=last - first)
    else:
        read = References.coerce(references, segments)
        if segment is not None:
            first, last = int(read.offsets[segment]), int(read.offsets[segment + 1])
            part = _slice(read.segments, first, last)
            read = References(part, np.array([0, last - first], dtype=np.int64))
            segments = _slice(segments, segment, segment + 1)
        statistics = metric.statistics(segments, read)
        column = options.of_references.column(read.segments)
        offsets, flat = read.offsets, read.segments
    return Material(
        hypotheses=options.column(segments),
        references=column,
        offsets=offsets,
        statistics=statistics,
        level=level,
        segment=segment,
        segments=segments,
        reference_segments=flat,
    )


def explain(
    metric: Any,
    hypotheses: Any,
    references: Any,
    *,
    segment: int | None = None,
    top: int = 10,
) -> Explanation:
    """Explain a score: every count, length and step from the tokens to the number.

    The derivation is made apart from the native core, in plain Python, and compared with it.

    Parameters
    ----------
    metric : Metric or str
        For example ``BLEU()`` or ``"bleu:nltk"``.
    hypotheses : str, or as in `Metric.statistics`
        A text, or a flat sequence of ids, is one segment and explained as `Metric.sentence_score`
        scores it; several segments are explained as `Metric.corpus_score` scores them.
    references : str, sequence of str, …
        Those of the one segment as in `Metric.sentence_score`, or of all as in `Metric.statistics`.
    segment : int, optional
        The index of the one segment to be explained, from 0.
    top : int
        At least 1: how many n-grams of each order, and how many of the best and the worst segments,
        the explanation of a corpus lists. It says how many it leaves out.

    Returns
    -------
    Explanation
        Print it, or see `to_dict`, `to_json`, `to_text` and `to_markdown`.

    Raises
    ------
    InputError
        As `Metric.statistics`; and if there is no such segment.
    OptionError
        If an option is out of its range, or the metric has no explanation.
    CocardeError
        If the derivation and the metric disagree, which is a defect.

    Examples
    --------
    >>> import cocarde
    >>> explanation = cocarde.explain("bleu", "the cat sat on the mat", "the cat sat on a mat")
    >>> round(explanation.score, 2)
    53.73
    >>> explanation.orders[0].rows[0]
    NgramRow(ngram=('the',), hypothesis=2, references=(1,), maximum_reference=1, clipped=1)
    """
    check_positive("top", top)
    found = registry.get(metric)
    if found.needs_references:
        if is_single_segment(hypotheses):
            found.require_fit("one segment")
            hypotheses, references, segment = [hypotheses], [references], segment or 0
        hypotheses = Segments.coerce(hypotheses)
        if not isinstance(references, PreparedReferences):
            references = References.coerce(references, hypotheses)
        found = found.fit(references)
    explainer = find_explainer(found)
    with numbering(lambda index: index if segment is None else int(segment)):
        return explainer(found, read_material(found, hypotheses, references, segment), top)
