"""ROUGE-1.5.5 as a metric: what `ROUGE.preset("rouge-1.5.5")` returns.

The counting is in `rouge155`; here it becomes statistics that add up, like those of every metric.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from cocarde import _native, tokenizers
from cocarde._version import __version__
from cocarde.corpus.segments import References, Segments
from cocarde.errors import InputError, OptionError
from cocarde.metrics.base import (
    Batch,
    ColumnOptions,
    Floats,
    Metric,
    PreparedReferences,
    Signature,
    Statistics,
)
from cocarde.metrics.rouge import ROUGEScore, rouge_score
from cocarde.metrics.rouge155 import (
    Rouge155Options,
    rouge155_averages,
    rouge155_fields,
    rouge155_rows,
)

__all__ = ["ROUGE155"]


@dataclass(frozen=True, eq=False)
class _Texts:
    """Hypotheses and references as the program reads them: texts, whose lines are sentences."""

    hypotheses: list[str]
    references: list[list[str]]
    references_per_segment: int | None

    def __len__(self) -> int:
        return len(self.hypotheses)


def _texts(segments: Segments) -> list[str]:
    if segments.kind == "block":
        lines = [_native.split_lines(block) for block in segments.blocks]
        return [line for together in zip(*lines, strict=True) for line in together]
    if segments.kind != "text":
        raise InputError(
            f"{segments.argument} are tokens, but ROUGE-1.5.5 cuts texts itself; give texts"
        )
    return segments.items or []


@dataclass(frozen=True, kw_only=True)
class ROUGE155(Metric[ROUGEScore]):
    """ROUGE as the Perl program ROUGE-1.5.5 computes it.

    Parameters
    ----------
    options : Rouge155Options
        The program's options; `ROUGE.preset("rouge-1.5.5", ...)` takes them as keywords.

    Examples
    --------
    >>> from cocarde import ROUGE
    >>> rouge = ROUGE.preset("rouge-1.5.5", orders=(1, 2), stemming=True)
    >>> score = rouge.corpus_score(["police killed the gunman"], ["police kill the gunman"])
    >>> round(score["rouge2"].fmeasure, 3)
    100.0

    References
    ----------
    Lin (2004): ROUGE: a package for automatic evaluation of summaries.
    """

    name: ClassVar[str] = "ROUGE"
    reads_texts: ClassVar[bool] = True

    options: Rouge155Options = field(default_factory=Rouge155Options)

    def with_options(self, **changes: Any) -> ROUGE155:
        """Return the same metric with some options changed.

        Raises
        ------
        OptionError
            If an option is out of its range or unknown.
        """
        try:
            return ROUGE155(options=replace(self.options, **changes))
        except TypeError as error:
            raise OptionError(f"rouge-1.5.5: {error}") from None

    @property
    def part_names(self) -> tuple[str, ...]:
        """The types."""
        return self.options.types

    @property
    def fields(self) -> tuple[str, ...]:
        """Names of the statistics: the count of segments, then those of each type."""
        return ("count", *rouge155_fields(self.options))

    @property
    def column_options(self) -> ColumnOptions:
        """How its texts look when they are cut; the program's limits are not in them."""
        name = "rouge-1.5.5"
        if self.options.stemming:
            name = "rouge-1.5.5-wordnet" if self.options.exceptions else "rouge-1.5.5-stem"
        return ColumnOptions(tokenizers.get(name))

    def signature_for(
        self, references_per_segment: int | None, *, level: str = "corpus"
    ) -> Signature:
        """Return the signature of a score at this level with so many references."""
        options = self.options
        pairs = [
            ("nrefs", "var" if references_per_segment is None else str(references_per_segment)),
            ("types", ",".join(options.types)),
            ("stem", self._stem_word()),
            ("stop", str(len(options.stop_words)) if options.stop_words else "no"),
            ("alpha", repr(options.alpha)),
            ("multiple", options.multiple_references),
        ]
        if options.weight is not None:
            pairs.append(("weight", repr(options.weight)))
        if options.jackknife:
            pairs.append(("jackknife", "yes"))
        for key, limit in (("words", options.word_limit), ("bytes", options.byte_limit)):
            if limit is not None:
                pairs.append((key, str(limit)))
        if options.counting_unit != "segment":
            pairs.append(("unit", options.counting_unit))
        if not options.rounded:
            pairs.append(("rounded", "no"))
        pairs += [("formula", "rouge-1.5.5"), ("version", "1.5.5"), ("cocarde", __version__)]
        return Signature(tuple(pairs))

    def _stem_word(self) -> str:
        if not self.options.stemming:
            return "no"
        return "wordnet" if self.options.exceptions else "yes"

    def batch(self, hypotheses: Any, references: Any) -> Batch:
        """Read hypotheses and references; parameters and errors are those of `statistics`."""
        segments = Segments.coerce(hypotheses)
        self._check_count(segments)
        if isinstance(references, PreparedReferences):
            raise InputError("ROUGE-1.5.5 reads texts; give the references as they are")
        read = References.coerce(references, segments)
        flat = _texts(read.segments)
        bounds = read.offsets.tolist()
        rows = [flat[first:last] for first, last in pairwise(bounds)]
        # What `_fill` below gets is never a column.
        return _Texts(_texts(segments), rows, read.per_segment)  # type: ignore[return-value]

    def prepare(self, references: Any, *, kind: str = "text") -> PreparedReferences:
        """Refuse: texts are read anew for each system, since limits and sentences are in them.

        Raises
        ------
        OptionError
            Always.
        """
        raise OptionError("ROUGE-1.5.5 reads texts; there is nothing to prepare")

    def pairwise(self, hypotheses: Any, references: Any) -> Floats:
        """Score every hypothesis against every single reference; see `Metric.pairwise`."""
        left, right = Segments.coerce(hypotheses), Segments.coerce(references, "references")
        for segments in (left, right):
            self._check_count(segments)
        texts = _texts(left)
        columns = [self.segment_scores(texts, [one] * len(texts)) for one in _texts(right)]
        return np.stack(columns, axis=1)

    def _fill(self, batch: Batch, out: Floats) -> None:
        out[:, 0] = 1
        out[:, 1:] = rouge155_rows(batch.hypotheses, batch.references, self.options)  # type: ignore[arg-type]

    def _fill_pairs(
        self,
        hypotheses: _native.Column,
        first: int,
        last: int,
        references: _native.Column,
        out: Floats,
    ) -> None:
        raise NotImplementedError  # pairwise is its own

    def _means(self, values: Floats) -> Floats:
        """Precision, recall and F of each type in the last two axes, from 0 to 1."""
        totals = values[..., 1:]
        if self.options.counting_unit == "segment":
            totals = totals / values[..., :1]
        return rouge155_averages(totals, 1, self.options)

    def _evaluate(self, values: Floats, *, level: str, last: Floats | None = None) -> Floats:
        return np.asarray(100 * self._means(values)[..., 0, 2])

    def part_scores(
        self, statistics: Statistics, *, level: str = "corpus"
    ) -> Mapping[str, npt.NDArray[np.float64]]:
        """Return the F (0 to 100) of each type, of rows over any leading axes."""
        means = 100 * self._means(statistics.values)
        return {name: means[..., index, 2] for index, name in enumerate(self.options.types)}

    def _score(self, totals: Statistics, *, level: str) -> ROUGEScore:
        signature = str(self.signature_for(totals.references_per_segment, level=level))
        means = (100 * self._means(totals.values)).tolist()
        reasons = ["the score is 0 because nothing matches"] * len(means)
        return rouge_score(self.options.types, means, signature, reasons)
