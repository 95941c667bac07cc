"""Word F1: the harmonic mean of precision and recall over words, whatever their order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from cocarde import SimpleScores, TextMetric
from cocarde.core.options import flag, option
from cocarde.core.score import Score


@dataclass(frozen=True, kw_only=True)
class WordF1(TextMetric[Score], SimpleScores):
    """Word F1 of each hypothesis with the reference that shares most of its words."""

    name: ClassVar[str] = "word-f1"
    fields: ClassVar[tuple[str, ...]] = ("shared", "hypothesis_length", "reference_length")

    lowercase: bool = option(
        flag("lc", "mixed"), False, "Whether case does not matter.", key="case", always=True
    )

    def rows(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> npt.ArrayLike:
        """Count words: shared ones, those of the hypothesis, those of the best reference."""
        return [
            max((self._row(text, other) for other in others), key=lambda row: row[0])
            for text, others in zip(hypotheses, references, strict=True)
        ]

    def _row(self, text: str, other: str) -> tuple[int, int, int]:
        if self.lowercase:
            text, other = text.lower(), other.lower()
        ours, theirs = Counter(text.split()), Counter(other.split())
        return (ours & theirs).total(), ours.total(), theirs.total()

    def formula(self, totals: npt.NDArray[np.float64], *, level: str) -> npt.ArrayLike:
        """F1 = 2 · shared / (words of the hypothesis + words of the reference), from 0 to 100."""
        shared, ours, theirs = totals[..., 0], totals[..., 1], totals[..., 2]
        return 200 * shared / np.maximum(ours + theirs, 1)
