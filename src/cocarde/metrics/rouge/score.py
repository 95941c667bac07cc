"""The scores of ROUGE: one for each of its types."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, KeysView, Mapping, Sequence, ValuesView
from dataclasses import dataclass
from typing import Any

from cocarde.core.score import Score

__all__ = [
    "MEASURES",
    "OTHER_NAMES",
    "ROUGEScore",
    "ROUGETypeScore",
    "rouge_score",
]


MEASURES = ("precision", "recall", "fmeasure")

# What ROUGE-1.5.5 calls otherwise than the other dialects.
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
class ROUGEScore(Score):
    """A mapping from each type of ROUGE to its score; `score` is the F of the first type.

    Attributes
    ----------
    types : tuple of ROUGETypeScore
        In the order in which they were asked for.

    Examples
    --------
    >>> from cocarde import ROUGE
    >>> score = ROUGE().sentence_score("the cat eats the cat food", "the cat eats food")
    >>> round(score["rougeL"].precision, 2), score["rougeL"].recall
    (66.67, 100.0)
    """

    types: tuple[ROUGETypeScore, ...] = ()

    def __getitem__(self, name: str) -> ROUGETypeScore:
        return self._by_name()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name())

    def __len__(self) -> int:
        return len(self.types)

    def __contains__(self, name: object) -> bool:
        return name in self._by_name()

    def keys(self) -> KeysView[str]:
        """Return the names of the types."""
        return self._by_name().keys()

    def values(self) -> ValuesView[ROUGETypeScore]:
        """Return the scores of the types."""
        return self._by_name().values()

    def items(self) -> ItemsView[str, ROUGETypeScore]:
        """Return names and scores of the types."""
        return self._by_name().items()

    def parts(self) -> Mapping[str, Score]:
        """Return the score of each type."""
        return self._by_name()

    def _by_name(self) -> dict[str, ROUGETypeScore]:
        return {score.name: score for score in self.types}

    def details(self) -> str:
        """Return the F of every type."""
        return " ".join(f"{score.name} {score.score:.2f}" for score in self.types)

    def to_dict(self) -> dict[str, Any]:
        """Return every attribute by name; of the types precision, recall and F."""
        values = super().to_dict()
        values["types"] = {
            score.name: {measure: getattr(score, measure) for measure in MEASURES}
            for score in self.types
        }
        return values


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
        score=scores[0].score,
        signature=signature,
        warnings=tuple(
            f"{score.name}: {message}" for score in scores for message in score.warnings
        ),
        types=scores,
    )
