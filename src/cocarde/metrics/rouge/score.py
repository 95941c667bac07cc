"""The scores of ROUGE: one for each of its types."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cocarde.core.score import Score, ScoresByPart

__all__ = [
    "MEASURES",
    "OTHER_NAMES",
    "ROUGEScore",
    "ROUGETypeScore",
    "rouge_score",
]


MEASURES = ("precision", "recall", "fmeasure")

# What ROUGE-1.5.5 calls otherwise than the other formulas.
OTHER_NAMES = {
    "use_stemmer": "stemming",
    "beta": "alpha",
    "multiple": "multiple_references",
}


@dataclass(frozen=True, kw_only=True)
class ROUGETypeScore(Score):
    """The score of one type of ROUGE; `score` is its F.

    Attributes
    ----------
    precision, recall, fmeasure : float
        Means over the segments, from 0 to 100. The F is the mean of F, not the F of the means.
    """

    precision: float = 0.0
    recall: float = 0.0
    fmeasure: float = 0.0

    def details(self) -> str:
        """Return precision and recall."""
        return f"(P = {self.precision:.2f} R = {self.recall:.2f})"


@dataclass(frozen=True, kw_only=True)
class ROUGEScore(ScoresByPart[ROUGETypeScore]):
    """A mapping from each type of ROUGE to its score; see `ScoresByPart`.

    Examples
    --------
    >>> from cocarde import ROUGE
    >>> score = ROUGE().sentence_score("the cat eats the cat food", "the cat eats food")
    >>> round(score["rougeL"].precision, 2), score["rougeL"].recall
    (66.67, 100.0)
    """


def rouge_score(
    types: Sequence[str],
    means: Sequence[Sequence[float]],
    signature: str,
    reasons: Sequence[str],
) -> ROUGEScore:
    """Make a score of the precision, recall and F of each type; `reasons` explain a 0."""
    scores = tuple(
        ROUGETypeScore._of(  # noqa: SLF001  (a part of Score)
            name=name,
            score=row[2],
            signature=signature,
            warnings=() if row[2] else (reason,),
            precision=row[0],
            recall=row[1],
            fmeasure=row[2],
        )
        for name, row, reason in zip(types, means, reasons, strict=True)
    )
    return ROUGEScore._of(  # noqa: SLF001  (a part of Score)
        name="ROUGE",
        signature=signature,
        warnings=tuple(
            f"{score.name}: {message}" for score in scores for message in score.warnings
        ),
        scores=scores,
    )
