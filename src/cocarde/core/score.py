"""A score with what it was made of."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from numbers import Real
from typing import TYPE_CHECKING, Any, TypeVar, cast

from cocarde._util.checks import read_whole_number
from cocarde.core.printed import Printed
from cocarde.errors import SeveralScoresError

if TYPE_CHECKING:
    from typing_extensions import Self

    from cocarde.core.documents import Document

__all__ = [
    "Score",
    "ScoresByPart",
]


ScoreT = TypeVar("ScoreT", bound="Score")

PartT = TypeVar("PartT", bound="Score")


@dataclass(frozen=True, kw_only=True)
class Score(Printed):
    """A score with what it was made of.

    Attributes
    ----------
    name : str
        The metric.
    score : float
        From 0 to 100 (error rates may exceed 100).
    signature : str
        The options and versions behind it; see `Signature`.
    warnings : tuple of str
        What a careful reader should know, such as why the score is 0.

    Notes
    -----
    ``<``, ``<=``, ``>``, ``>=``, sorting and ``round`` go by the number, and take other scores and plain
    numbers alike. ``==`` compares every attribute, so that it holds only for scores of the same texts and
    options, and never for a plain number: two numbers are compared with ``float(score) == other``.

    Examples
    --------
    >>> from cocarde import CHRF
    >>> chrf = CHRF()
    >>> scores = [chrf.sentence_score(text, "the cat sat") for text in ("a cat sits", "the cat sat")]
    >>> scores[0] > 20, round(scores[0], 1), max(scores).score
    (True, 25.6, 100.0)
    """

    name: str
    score: float
    signature: str = ""
    warnings: tuple[str, ...] = ()

    @classmethod
    def _of(cls, **attributes: Any) -> Self:
        """Make a score as the constructor does, faster; attributes that are not given are the defaults."""
        made = object.__new__(cls)
        made.__dict__.update(attributes)
        return made

    @property
    def fraction(self) -> float:
        """The score on the scale from 0 to 1."""
        return self.score / 100

    def __float__(self) -> float:
        return self.score

    def __round__(self, digits: int | None = None) -> float:
        return round(float(self), digits)

    def __lt__(self, other: object) -> bool:
        return self._ordered(other, operator.lt)

    def __le__(self, other: object) -> bool:
        return self._ordered(other, operator.le)

    def __gt__(self, other: object) -> bool:
        return self._ordered(other, operator.gt)

    def __ge__(self, other: object) -> bool:
        return self._ordered(other, operator.ge)

    def _ordered(self, other: object, compare: Callable[[Any, Any], bool]) -> bool:
        if not isinstance(other, (Score, Real)):
            return cast("bool", NotImplemented)
        return compare(float(self), other if isinstance(other, Real) else float(other))

    def parts(self) -> Mapping[str, Score]:
        """Return the scores that it holds, by name: its own alone, where it is one score.

        A metric of several scores, such as ROUGE with its types, has one for each.
        """
        return {self.name: self}

    def headline(self, width: int = 2) -> str:
        """Return name and number, which the printed line begins with."""
        return f"{self.name} = {self.score:.{width}f}"

    def details(self) -> str:
        """Return what stands behind the number in the printed line; empty where there is nothing."""
        return ""

    def report(self) -> str:
        """Return all numbers on several lines, for metrics whose reference program prints such a report."""
        return ""

    def format(self, width: int = 2) -> str:
        """Return the printed line with `width` digits after the point.

        Parameters
        ----------
        width : int
            0 or more.

        Returns
        -------
        str

        Raises
        ------
        OptionError
            If `width` is no such number.
        """
        width = read_whole_number("width", width, 0)
        details = self.details()
        return self.headline(width) + (f" {details}" if details else "")

    def __str__(self) -> str:
        return self.format()

    def __format__(self, specification: str) -> str:
        """Format the number as a float where there is something to go by: ``f"{score:.2f}"``."""
        return format(self.score, specification) if specification else str(self)

    def to_dict(self) -> dict[str, Any]:
        """Return every attribute by name, ready for JSON."""
        values = {item.name: getattr(self, item.name) for item in fields(self)}
        return {
            key: list(value) if isinstance(value, tuple) else value for key, value in values.items()
        }

    def document(self) -> Document:
        """Return every attribute, below the printed line."""
        from cocarde.core.documents import Document, Table, TableRow

        rows = tuple(TableRow((key, value)) for key, value in self._rows())
        return Document(self.format(), (Table((), rows, texts=(0, 1)),))

    def _rows(self) -> Iterator[tuple[str, str]]:
        """Yield what tables show: names and values."""
        for key, value in self.to_dict().items():
            yield key, _shown(value)


@dataclass(frozen=True, kw_only=True)
class ScoresByPart(Score, Mapping[str, PartT]):
    """The scores of a metric of several parts, such as the types of ROUGE: a mapping from their names.

    No convention makes one number of them. Where there is one part alone, its number is the number of all.

    Attributes
    ----------
    scores : tuple of Score
        Of each part, in the order of the metric's `part_names`.

    Raises
    ------
    SeveralScoresError
        By whatever asks for one number, where there are several: `score`, `fraction`, ``float``,
        ``round``, ``<`` and a format such as ``f"{scores:.2f}"``.

    Examples
    --------
    >>> from cocarde import ROUGE
    >>> scores = ROUGE(rouge_types=["rouge1", "rougeL"]).sentence_score("a b c", "a c b")
    >>> print(scores)
    ROUGE: rouge1 100.00 rougeL 66.67
    >>> print(scores["rougeL"])
    rougeL = 66.67 (P = 66.67 R = 66.67)
    >>> float(scores)
    Traceback (most recent call last):
    ...
    cocarde.errors.SeveralScoresError: ROUGE has several scores: rouge1, rougeL; take one of them, such \
as score['rouge1']
    """

    # A score of several parts has none: `__getattr__` finds that of the only part.
    score: float = field(init=False, repr=False, compare=False)
    scores: tuple[PartT, ...]

    def __getattr__(self, name: str) -> Any:
        if name == "score":
            return self.only.score
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    @property
    def only(self) -> PartT:
        """The score of the only part.

        Raises
        ------
        SeveralScoresError
            If there are several.
        """
        if len(self.scores) != 1:
            raise SeveralScoresError(self.name, tuple(self))
        return self.scores[0]

    def __getitem__(self, name: str) -> PartT:
        for score in self.scores:
            if score.name == name:
                return score
        raise KeyError(f"{self.name} has no score {name!r}; there are {', '.join(self)}")

    def __iter__(self) -> Iterator[str]:
        return (score.name for score in self.scores)

    def __len__(self) -> int:
        return len(self.scores)

    def parts(self) -> Mapping[str, Score]:
        """Return the score of each part."""
        return dict(self)

    def headline(self, width: int = 2) -> str:
        """Return the score of every part."""
        found = (f"{score.name} {score.score:.{width}f}" for score in self.scores)
        return f"{self.name}: {' '.join(found)}"

    def to_dict(self) -> dict[str, Any]:
        """Return name, signature and warnings, and the attributes of each part below `parts`."""
        shared = {"name", "signature"}
        return {
            "name": self.name,
            "signature": self.signature,
            "warnings": list(self.warnings),
            "parts": {
                part: {key: value for key, value in score.to_dict().items() if key not in shared}
                for part, score in self.items()
            },
        }

    def _rows(self) -> Iterator[tuple[str, str]]:
        for key, value in self.to_dict().items():
            if key != "parts":
                yield key, _shown(value)
        for part, score in self.items():
            yield part, " ".join(filter(None, (_shown(score.score), score.details())))


def _shown(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list):
        return ", ".join(map(_shown, value))
    return str(value)
