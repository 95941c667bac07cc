"""The length of the hypotheses beside that of the references, which MultEval shows next to its scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from cocarde import _native
from cocarde._version import __version__
from cocarde.core.columns import Batch, ColumnOptions
from cocarde.core.metric import Metric
from cocarde.core.score import Score
from cocarde.core.signature import TOKENS, Signature
from cocarde.core.statistics import Floats, Statistics
from cocarde.metrics.bleu.metric import BLEU

__all__ = ["Length"]

# Splits texts at white space, and counts; of the n-grams nothing is kept.
_COUNTER = BLEU(tokenize="none", max_ngram_order=1)
FIELDS = _COUNTER.fields[:2]


@dataclass(frozen=True)
class Length(Metric[Score]):
    """The length of the hypotheses, in per cent of the references'; neither more nor less is better.

    Words are what stands between white space. Of several references the one whose length is closest
    counts, the shorter on a tie, as in BLEU.

    Examples
    --------
    >>> print(Length().corpus_score(["a b c", "d e f"], ["a b c", "d"]))
    length = 150.00

    References
    ----------
    Clark, Dyer, Lavie and Smith (2011): Better hypothesis testing for statistical machine translation, whose
    program MultEval has this column.
    """

    name: ClassVar[str] = "length"
    higher_is_better: ClassVar[bool | None] = None

    def signature_for(
        self, references_per_segment: int | None, *, level: str = "corpus", tokens: bool = False
    ) -> Signature:
        """Return the signature of a score with so many references."""
        nrefs = "var" if references_per_segment is None else str(references_per_segment)
        pairs = (("nrefs", nrefs), ("tok", TOKENS if tokens else "none"), ("cocarde", __version__))
        return Signature(pairs)

    @property
    def fields(self) -> tuple[str, ...]:
        """Names of the statistics: both lengths."""
        return FIELDS

    @property
    def column_options(self) -> ColumnOptions:
        """How segments become words."""
        return _COUNTER.column_options

    def _fill(self, batch: Batch, out: Floats) -> None:
        values = np.empty((len(out), len(_COUNTER.fields)))
        _COUNTER._fill(batch, values)  # noqa: SLF001
        out[:] = values[:, :2]

    def _fill_pairs(
        self,
        hypotheses: _native.Column,
        first: int,
        last: int,
        references: _native.Column,
        out: Floats,
    ) -> None:
        values = np.empty((*out.shape[:2], len(_COUNTER.fields)))
        _COUNTER._fill_pairs(hypotheses, first, last, references, values)  # noqa: SLF001
        out[:] = values[..., :2]

    def _evaluate(self, values: Floats, *, level: str) -> Floats:
        ours, theirs = values[..., 0], values[..., 1]
        # 0 without a word in the references, as BLEUScore.length_ratio has it.
        return 100 * np.divide(ours, theirs, out=np.zeros(ours.shape), where=theirs > 0)

    def _score(self, totals: Statistics, *, level: str) -> Score:
        return Score(
            name=self.name,
            score=float(self._evaluate(totals.values, level=level)),
            signature=str(self.signature_of(totals, level=level)),
            warnings=()
            if totals.values[1]
            else ("the score is 0 because no reference has a word",),
        )
