"""The one model of what is printed: blocks below a title.

Scores, comparisons, explanations, results of tuning and the lists of the command line say what they have
to say once, as a `Document`. How a block looks in a format, and what must be escaped there, is the
matter of that format's module in `cocarde.core.renderers`, imported when it is asked for.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from enum import Enum
from typing import Any, NamedTuple, Protocol

from cocarde._display import shown_token

__all__ = [
    "Block",
    "Bullets",
    "Cell",
    "Document",
    "Estimate",
    "Heading",
    "Mark",
    "MarkedTokens",
    "Notes",
    "Paragraph",
    "Picture",
    "Steps",
    "Table",
    "TableRow",
    "exact",
    "number",
    "shown_ngram",
    "shown_token",
]


class Mark(Enum):
    """What became of a token or an n-gram of the hypothesis; how a system stands among others."""

    MATCHED = "matched"
    CLIPPED = "clipped"
    UNMATCHED = "unmatched"
    BEST = "best"
    TIED = "tied with best"


# --------------------------------------------------------------------------------------------------
# Numbers and tokens


def number(value: float | None) -> str:
    """Return a number as it is written in a derivation.

    Parameters
    ----------
    value : float or None
        None stands for a number that does not exist.

    Returns
    -------
    str
        A whole number without a point; else six digits after the point, or six significant ones
        where those would lose too much.

    Examples
    --------
    >>> number(9.0), number(0.6), number(0.000123456789), number(float("-inf")), number(None)
    ('9', '0.600000', '0.000123457', '−∞', '–')
    """
    if value is None:
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if float(value).is_integer() and abs(value) < 1e15:
        return f"{value:.0f}".replace("-", "−")
    text = f"{value:.6f}" if 0.01 <= abs(value) < 1e9 else f"{value:.6g}"
    return text.replace("-", "−") if "e" not in text else text


def exact(value: float) -> str:
    """Return a configured number, such as a weight, as short as it can be without losing anything.

    Examples
    --------
    >>> exact(0.25), exact(5.0), exact(1 / 3)
    ('0.25', '5', '0.333333')
    """
    short = f"{value:.9g}"
    return short if float(short) == value else number(value)


def shown_ngram(ngram: Iterable[str | int]) -> str:
    """Return the tokens of an n-gram, `shown_token` each, with spaces between."""
    return " ".join(map(shown_token, ngram))


# --------------------------------------------------------------------------------------------------
# Blocks


class Heading(NamedTuple):
    """A heading."""

    text: str


class Paragraph(NamedTuple):
    """Running text."""

    text: str


class Bullets(NamedTuple):
    """A list of short texts."""

    items: tuple[str, ...]


class Steps(NamedTuple):
    """Lines of a calculation, kept as they are."""

    lines: tuple[str, ...]


class Estimate(NamedTuple):
    """A score in a table, with the half width of its interval.

    Attributes
    ----------
    value, margin : str
    sign : {"+", "-", ""}
        Whether it is significantly better or worse than the baseline's.
    mark : Mark or None
        Whether it is the best, or not told from it.
    """

    value: str
    margin: str
    sign: str = ""
    mark: Mark | None = None


Cell = str | Estimate


class TableRow(NamedTuple):
    """Cells, and what became of the n-gram, or of the system, they tell of."""

    cells: tuple[Cell, ...]
    mark: Mark | None = None


class Table(NamedTuple):
    """A table: the first column is text, the others are numbers unless `texts` counts more.

    Attributes
    ----------
    header : tuple of str
        Empty for a table without one.
    rows : tuple of TableRow
    footer : tuple of tuple of str
        Rows of sums below a rule.
    texts : tuple of int
        Indices of the columns that hold text.
    plain : bool
        Whether it is a list or a table of results, which has neither an indentation nor rules in text.
    whole : bool
        Whether a row stays one line on a terminal, however narrow.
    """

    header: tuple[str, ...]
    rows: tuple[TableRow, ...]
    footer: tuple[tuple[str, ...], ...] = ()
    texts: tuple[int, ...] = (0,)
    plain: bool = False
    whole: bool = False

    @classmethod
    def listing(cls, header: Iterable[str], rows: Iterable[Iterable[str]]) -> Table:
        """Return a plain table of texts."""
        names = tuple(header)
        body = tuple(TableRow(tuple(cells)) for cells in rows)
        return cls(names, body, texts=tuple(range(len(names))), plain=True)


class Notes(NamedTuple):
    """Lines below a table: a remark, or a name with its signature. None is broken."""

    items: tuple[str | tuple[str, str], ...]

    @property
    def lines(self) -> list[str]:
        """The notes as plain text."""
        return [item if isinstance(item, str) else ": ".join(item) for item in self.items]


class MarkedTokens(NamedTuple):
    """The tokens of a text, each with what became of it."""

    label: str
    tokens: tuple[tuple[str, Mark | None], ...]


class Drawing(Protocol):
    """Something that draws itself."""

    def to_text(self, width: int = ...) -> str:
        """Return lines of at most so many cells, as far as its words allow."""

    def to_svg(self) -> str:
        """Return an SVG element."""

    def __rich__(self) -> Any:
        """Return a renderable of the library rich."""


class Picture(NamedTuple):
    """A drawing: lines in a text, SVG in HTML, colours in a terminal."""

    drawing: Drawing


Block = Heading | Paragraph | Bullets | Steps | Table | Notes | MarkedTokens | Picture


class Document(NamedTuple):
    """Blocks under a title, which may be empty."""

    title: str
    blocks: tuple[Block, ...]
