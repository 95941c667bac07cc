"""Bases for metrics of your own: rows from texts, or from columns of tokens, and a formula.

A package names its metric by the entry point group ``cocarde.metrics``; then it has the command line,
evaluation, comparison, significance, streaming and accumulators like those that come with cocarde.
`cocarde.testing.check_metric` proves that it keeps the rules.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, cast

import numpy as np
import numpy.typing as npt

from cocarde import _native, tokenizers
from cocarde.core.columns import Batch, ColumnOptions, PreparedReferences
from cocarde.core.diagnostics import Findings
from cocarde.core.fitting import ReferenceCounts
from cocarde.core.metric import Metric, SeveralScores
from cocarde.core.score import Score, ScoreT
from cocarde.core.signature import Signature
from cocarde.core.statistics import Floats, Statistics
from cocarde.corpus.segments import References, Segments
from cocarde.errors import InputError, OptionError

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = [
    "ColumnMetric",
    "CorpusFitted",
    "SeveralScores",
    "SimpleScores",
    "TextBatch",
    "TextMetric",
    "texts_of",
]


@dataclass(frozen=True, eq=False)
class TextBatch:
    """Hypotheses and references as texts."""

    hypotheses: list[str]
    references: list[list[str]]
    references_per_segment: int | None
    tokens: bool = False

    def __len__(self) -> int:
        return len(self.hypotheses)


def texts_of(segments: Segments, metric: str) -> list[str]:
    """Return the texts of segments.

    Raises
    ------
    InputError
        If they are tokens.
    """
    if segments.kind == "block":
        lines = [_native.split_lines(block) for block in segments.blocks]
        return [line for together in zip(*lines, strict=True) for line in together]
    if segments.kind != "text":
        raise InputError(f"{segments.argument} are tokens, but {metric} reads texts; give texts")
    return segments.items or []


class TextMetric(Metric[ScoreT]):
    """A metric whose rows are made of texts, in Python: a neural metric on a GPU is one.

    A subclass is a frozen, keyword-only dataclass with a `name`, options made by
    `cocarde.core.options.option`, `fields`, `rows` and `formula` (see `SimpleScores`; of several scores
    `SeveralScores`).
    """

    reads_texts: ClassVar[bool] = True

    @abstractmethod
    def rows(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> npt.ArrayLike:
        """Return one row of numbers a segment, in the order of `fields`; they add up over segments.

        Parameters
        ----------
        hypotheses : sequence of str, length n
        references : sequence of sequence of str, length n
            One or more for each hypothesis.

        Returns
        -------
        array_like, shape (n, k)
        """

    @cached_property
    def column_options(self) -> ColumnOptions:
        """How segments become tokens, for whoever asks; the rows are made without."""
        return ColumnOptions(tokenizers.get("none"))

    def batch(self, hypotheses: Any, references: Any) -> Batch:
        """Read hypotheses and references; parameters and errors are those of `statistics`."""
        segments = Segments.coerce(hypotheses)
        self._check_count(segments)
        if isinstance(references, PreparedReferences):
            raise InputError(f"{self.name} reads texts; give the references as they are")
        read = References.coerce(references, segments)
        flat = texts_of(read.segments, self.name)
        rows = [flat[first:last] for first, last in pairwise(read.offsets.tolist())]
        # What `_fill` gets is never a column.
        return TextBatch(texts_of(segments, self.name), rows, read.per_segment)  # type: ignore[return-value]

    def _batch_of_one(self, hypothesis: Any, references: Any) -> Batch:
        return self.batch([hypothesis], [references])

    def prepare(self, references: Any, *, kind: str = "text") -> PreparedReferences:
        """Refuse: texts are read anew for each system.

        Raises
        ------
        OptionError
            Always.
        """
        raise OptionError(f"{self.name} reads texts; there is nothing to prepare")

    def _pairs(self, left: Segments, right: Segments) -> dict[str, Floats]:
        texts = texts_of(left, self.name)
        columns = [
            self.part_scores(self.statistics(texts, [one] * len(texts)), level="segment")
            for one in texts_of(right, self.name)
        ]
        return {name: np.stack([one[name] for one in columns], axis=1) for name in self.part_names}

    def _fill(self, batch: Batch, out: Floats) -> None:
        texts: Any = batch
        found = np.asarray(self.rows(texts.hypotheses, texts.references), dtype=np.float64)
        if found.shape != out.shape:
            raise InputError(
                f"{self.name}.rows returned an array of shape {found.shape} for {len(out)} segments "
                f"and {out.shape[1]} fields"
            )
        out[:] = found

    def _columns(self, batch: Any) -> tuple[_native.Column, _native.Column, npt.NDArray[np.int64]]:
        """Return the texts as columns, which can tell what is odd about them."""
        options = self.column_options
        flat = [text for group in batch.references for text in group]
        offsets = np.zeros(len(batch) + 1, dtype=np.int64)
        np.cumsum([len(group) for group in batch.references], out=offsets[1:])
        hypotheses, references = (
            options.column(Segments.of_items("text", texts, name))
            for name, texts in (("hypotheses", batch.hypotheses), ("references", flat))
        )
        return hypotheses, references, offsets

    def _look(self, batch: Batch, values: Floats) -> Findings:
        return self._diagnostics.look(*self._columns(batch), values, self._tokens_of)

    def _fill_pairs(self, *_: Any) -> None:
        raise NotImplementedError  # `_pairs` is its own


class ColumnMetric(Metric[ScoreT]):
    """A metric whose rows are made of native columns of tokens, tokenized as `column_options` say.

    A subclass defines `fill` in place of `TextMetric.rows`; ``column.tokens(i)`` are the tokens of
    segment i.
    """

    @abstractmethod
    def fill(
        self,
        hypotheses: _native.Column,
        references: _native.Column,
        offsets: npt.NDArray[np.int64],
        out: Floats,
    ) -> None:
        """Write one row a segment into `out`.

        Parameters
        ----------
        hypotheses : Column, length n
        references : Column
            Those of segment i are ``offsets[i]`` to ``offsets[i + 1]``.
        offsets : ndarray of int64, shape (n + 1,)
        out : ndarray of float64, shape (n, k)
        """

    def _fill(self, batch: Batch, out: Floats) -> None:
        self.fill(batch.hypotheses, batch.references, batch.offsets, out)

    def _fill_pairs(
        self,
        hypotheses: _native.Column,
        first: int,
        last: int,
        references: _native.Column,
        out: Floats,
    ) -> None:
        one_each = np.arange(len(references) + 1, dtype=np.int64)
        for row in range(first, last):
            several = hypotheses.part(row, row + 1)
            for column in range(len(references)):
                single = references.part(column, column + 1)
                self.fill(several, single, one_each[:2], out[row - first, column : column + 1])


@dataclass(frozen=True, kw_only=True)
class CorpusFitted(Metric[ScoreT]):
    """For metrics that weigh by what all references of a corpus hold, as CIDEr and NIST do.

    It stands before the other bases: ``class CIDEr(CorpusFitted, ColumnMetric, SimpleScores)``. A
    subclass defines `count` beside what those ask for, and finds in `corpus` the sum of its counts.

    Attributes
    ----------
    fitted_on : ReferenceCounts or None
        None before it is fitted. It is no option: of another fit it is another metric, and with other
        options it is fitted anew.
    """

    fits_on_corpus: ClassVar[bool] = True

    fitted_on: ReferenceCounts | None = field(default=None, repr=False)

    @abstractmethod
    def count(self, references: Sequence[Sequence[Any]]) -> Mapping[Hashable, int]:
        """Return what is counted over the references of some segments; it adds up over segments.

        Parameters
        ----------
        references : sequence, length n
            The references of each segment, one or more: texts where the metric reads texts, else lists
            of tokens.

        Returns
        -------
        mapping
            Counts by n-gram or the like: a str, an int, or a tuple of those. For document frequencies,
            in how many of these segments; for NIST's information weights, how often.
        """

    @property
    def corpus(self) -> ReferenceCounts:
        """The counts that it was fitted on.

        Raises
        ------
        OptionError
            If it was not.
        """
        if self.fitted_on is None:
            raise OptionError(f"{self.name} is not fitted yet; take metric.fit(references)")
        return self.fitted_on

    @property
    def needs_references(self) -> bool:
        """Whether it is still to be fitted."""
        return self.fitted_on is None

    def count_references(self, references: Any, *, kind: str = "text") -> ReferenceCounts:
        """Return the counts of `count` over references; they add up over segments.

        Parameters
        ----------
        references : as `Metric.prepare` takes and gives them
        kind : {"text", "tokens"}
            See `Metric.prepare`.

        Raises
        ------
        InputError, OptionError
        """
        if isinstance(references, PreparedReferences):
            column, offsets = references.column, references.offsets
            flat: list[Any] = [column.tokens(index) for index in range(len(column))]
        else:
            read = self._read_references(references, kind)
            offsets = read.offsets
            if self.reads_texts:
                flat = texts_of(read.segments, self.name)
            else:
                column = self.column_options.of_references.column(read.segments)
                flat = [column.tokens(index) for index in range(len(column))]
        groups = [flat[first:last] for first, last in pairwise(offsets.tolist())]
        return ReferenceCounts(len(groups), self.count(groups))

    def fit_counts(self, counts: ReferenceCounts) -> Self:
        """Return the metric fitted on counts of `count_references`, of one corpus or summed batches.

        Raises
        ------
        InputError
            If they are of no segment.
        """
        if not counts.segments:
            raise InputError(f"there are no references to fit {self.name} on")
        counts.freeze()
        return replace(self, fitted_on=counts)

    def fit(self, references: Any, *, kind: str = "text") -> Self:
        """Return the metric fitted on these references; itself, if it is fitted.

        Parameters and errors are those of `count_references`.
        """
        if self.fitted_on is not None:
            return self
        if isinstance(references, PreparedReferences) and references.fitted is not None:
            known = references.fitted
            if known.with_options() == self:
                return cast("Self", known)
        return self.fit_counts(self.count_references(references, kind=kind))

    def with_options(self, **changes: Any) -> Self:
        """Return the metric with some options changed, not fitted; errors are those of the constructor."""
        self.check_names(changes)
        return replace(self, **changes, fitted_on=None)

    def signature_for(
        self, references_per_segment: int | None, *, level: str = "corpus", tokens: bool = False
    ) -> Signature:
        """Return the signature; once it is fitted, with the number of segments and a checksum."""
        found = super().signature_for(references_per_segment, level=level, tokens=tokens)
        return found if self.fitted_on is None else _with_fit(found, self.fitted_on.label)

    def signature_of(self, statistics: Statistics, *, level: str = "corpus") -> Signature:
        """Return the signature of the score of these statistics, with what they were fitted on."""
        found = super().signature_of(statistics, level=level)
        return _with_fit(found, statistics.fit) if statistics.fit else found

    def _rows(self, batch: Batch, values: Floats, findings: Findings) -> Statistics:
        return replace(super()._rows(batch, values, findings), fit=self.corpus.label)

    def _check_fit(self, statistics: Statistics) -> None:
        if statistics.fit and self.fitted_on is not None and statistics.fit != self.fitted_on.label:
            raise InputError(
                f"these are statistics of {self.name} fitted on other references: {statistics.fit} "
                f"instead of {self.fitted_on.label}; fit the metric once, on all of them"
            )


def _with_fit(signature: Signature, label: str) -> Signature:
    """Return the signature with what a metric was fitted on, behind the number of references."""
    first, *rest = (pair for pair in signature.pairs if pair[0] != "fit")
    return Signature((first, ("fit", label), *rest), signature.name)


class SimpleScores(Metric[Score]):
    """For metrics whose score is one number: a `Score` made of `formula`."""

    @abstractmethod
    def formula(self, totals: Floats, *, level: str) -> npt.ArrayLike:
        """Return the scores of summed rows.

        Parameters
        ----------
        totals : ndarray of float64, shape (..., k)
        level : {"corpus", "segment"}

        Returns
        -------
        array_like, shape (...)
            From 0 to 100, where the metric has such a scale.
        """

    def _evaluate(self, values: Floats, *, level: str) -> Floats:
        found = np.asarray(self.formula(values, level=level), dtype=np.float64)
        if found.shape != values.shape[:-1]:
            raise InputError(
                f"{self.name}.formula returned an array of shape {found.shape} for rows of shape "
                f"{values.shape}; it has to be {values.shape[:-1]}, one score for each row"
            )
        return found

    def _score(self, totals: Statistics, *, level: str) -> Score:
        return Score(
            name=self.name,
            score=float(self._evaluate(totals.values, level=level)),
            signature=self._signature_text(totals, level),
            warnings=totals.notes,
        )
