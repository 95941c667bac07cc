"""One record a score: what every output format prints."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Literal

from cocarde._display import part_labels

__all__ = ["FIRST_SEGMENT", "Level", "Record", "finite", "part_labels"]

# The command line counts segments as editors count lines, in what it reads and in what it prints;
# Python counts from 0.
FIRST_SEGMENT = 1

Level = Literal["corpus", "document", "segment"]


@dataclass(frozen=True)
class Record:
    """A score with its place.

    Attributes
    ----------
    system : str
        The hypotheses, as they were named.
    metric : str
        ``bleu``, or ``bleu:nltk`` for a preset; of a metric of several scores the part, ``rougeL``.
    score : float
    signature : str
    level : {"corpus", "document", "segment"}
    segments : int
        How many the score is made of.
    document : str or None
    segment : int or None
        From 1 on, like the numbers of lines.
    line : str
        The score's verbose line; empty for segments.
    details : dict
        What the score was made of.
    warnings : tuple of str
    low, high : float or None
        The ends of the bootstrap interval, where one was asked for.
    name : str
        What papers call the score, such as "BLEU".
    report : str
        The score's report of several lines, where its metric has one.
    lower_is_better : bool
        Whether it is an error rate.
    """

    system: str
    metric: str
    score: float
    signature: str
    level: Level
    segments: int = 1
    document: str | None = None
    segment: int | None = None
    line: str = ""
    details: dict[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    name: str = ""
    report: str = ""
    lower_is_better: bool = False

    @property
    def place(self) -> str:
        """The score in words, for messages."""
        where = f"{self.metric} of {self.system}"
        if self.document is not None:
            where += f", document {self.document}"
        if self.segment is not None:
            where += f", segment {self.segment}"
        return where

    def to_dict(self) -> dict[str, Any]:
        """Return the object of the JSON formats; see docs/cli.md for its schema."""
        result: dict[str, Any] = {
            "system": self.system,
            "metric": self.metric,
            "score": finite(self.score),
            **({} if self.low is None else {"low": finite(self.low), "high": finite(self.high)}),
            "signature": self.signature,
            "level": self.level,
            "segments": self.segments,
        }
        if self.document is not None:
            result["document"] = self.document
        if self.segment is not None:
            result["segment"] = self.segment
        result["details"] = {key: finite(value) for key, value in self.details.items()}
        result["warnings"] = list(self.warnings)
        return result


def finite(value: Any) -> Any:
    """JSON has no infinity and no NaN; null says that there is no number."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, list):
        return [finite(item) for item in value]
    if isinstance(value, dict):
        return {key: finite(item) for key, item in value.items()}
    return value
