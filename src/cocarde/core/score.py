"""A score with what it was made of."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from numbers import Real
from typing import TYPE_CHECKING, Any, TypeVar, cast

from cocarde._util.checks import read_whole_number
from cocarde.core.printed import Printed

if TYPE_CHECKING:
    from typing_extensions import Self

    from cocarde.core.documents import Document

__all__ = [
    "Score",
]


ScoreT = TypeVar("ScoreT", bound="Score")


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
        """Make a score as the constructor does, sooner; attributes that are not given are the defaults."""
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
        return f"{self.name} = {self.score:.{width}f}" + (f" {details}" if details else "")

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

        rows = tuple(TableRow((key, _shown(value))) for key, value in self.to_dict().items())
        return Document(self.format(), (Table((), rows, texts=(0, 1)),))


def _shown(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list):
        return ", ".join(map(_shown, value))
    return str(value)
