"""A small model of a printed page, and its four renderings.

An explanation says what it has to say once, in blocks; how a block looks as plain text, Markdown,
HTML or in a coloured terminal is settled here for all metrics.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Protocol

from cocarde._display import cell_width, escape_html, escape_markdown, shown_token

__all__ = [
    "Block",
    "Bullets",
    "Document",
    "Heading",
    "Mark",
    "MarkedTokens",
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

_WIDTH = 88


class Mark(Enum):
    """What became of a token or an n-gram of the hypothesis."""

    MATCHED = "matched"
    CLIPPED = "clipped"
    UNMATCHED = "unmatched"


_UNDERLINES = {Mark.MATCHED: "=", Mark.CLIPPED: "~", Mark.UNMATCHED: " ", None: " "}
_TERMINAL_STYLES = {Mark.MATCHED: "green", Mark.CLIPPED: "yellow", Mark.UNMATCHED: "red"}
# Readable on white and, since notebooks may be dark, on their own background.
_HTML_STYLES = {
    Mark.MATCHED: "background:#d9f2dd;color:#0b4a1c",
    Mark.CLIPPED: "background:#fff0c2;color:#5a4300",
    Mark.UNMATCHED: "background:#fbdcdc;color:#7a1414",
}


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


@dataclass(frozen=True)
class Heading:
    """A heading."""

    text: str


@dataclass(frozen=True)
class Paragraph:
    """Running text."""

    text: str


@dataclass(frozen=True)
class Bullets:
    """A list of short texts."""

    items: tuple[str, ...]


@dataclass(frozen=True)
class Steps:
    """Lines of a calculation, kept as they are."""

    lines: tuple[str, ...]


@dataclass(frozen=True)
class TableRow:
    """Cells, and what became of the n-gram they tell of."""

    cells: tuple[str, ...]
    mark: Mark | None = None


@dataclass(frozen=True)
class Table:
    """A table: the first column is text, the others are numbers unless `texts` counts more.

    Attributes
    ----------
    header : tuple of str
    rows : tuple of TableRow
    footer : tuple of tuple of str
        Rows of sums below a rule.
    texts : tuple of int
        Indices of the columns that hold text.
    """

    header: tuple[str, ...]
    rows: tuple[TableRow, ...]
    footer: tuple[tuple[str, ...], ...] = ()
    texts: tuple[int, ...] = (0,)


@dataclass(frozen=True)
class MarkedTokens:
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


@dataclass(frozen=True)
class Picture:
    """A drawing: lines in a text, SVG in HTML, colours in a terminal."""

    drawing: Drawing


Block = Heading | Paragraph | Bullets | Steps | Table | MarkedTokens | Picture


# --------------------------------------------------------------------------------------------------
# Renderings


@dataclass(frozen=True)
class Document:
    """Blocks under a title."""

    title: str
    blocks: tuple[Block, ...]

    def to_text(self) -> str:
        """Return plain text; marked tokens have a line of signs below them."""
        parts = [self.title, *map(_block_text, self.blocks)]
        return "\n\n".join(parts) + "\n"

    def to_markdown(self) -> str:
        """Return Markdown with tables as GitHub and most other renderers read them."""
        parts = [f"# {escape_markdown(self.title)}", *map(_block_markdown, self.blocks)]
        return "\n\n".join(parts) + "\n"

    def to_html(self) -> str:
        """Return one HTML element that carries its own styles."""
        parts = "".join(map(_block_html, self.blocks))
        return f"<div><h3>{escape_html(self.title)}</h3>{parts}</div>"

    def to_rich(self) -> Any:
        """Return a renderable of the library rich, for a terminal."""
        from rich.console import Group
        from rich.text import Text

        parts: list[Any] = [Text(self.title, style="bold")]
        for block in self.blocks:
            parts += [Text(""), _block_rich(block)]
        return Group(*parts)


def _padded(text: str, width: int, *, left: bool) -> str:
    space = " " * (width - cell_width(text))
    return text + space if left else space + text


def _block_text(block: Block) -> str:
    if isinstance(block, Heading):
        return f"{block.text}\n{'-' * cell_width(block.text)}"
    if isinstance(block, Paragraph):
        return textwrap.fill(block.text, _WIDTH, break_long_words=False, break_on_hyphens=False)
    if isinstance(block, Bullets):
        return "\n".join(
            textwrap.fill(
                item,
                _WIDTH,
                initial_indent="  * ",
                subsequent_indent="    ",
                break_long_words=False,
                break_on_hyphens=False,
            )
            for item in block.items
        )
    if isinstance(block, Steps):
        return "\n".join(f"  {line}".rstrip() for line in block.lines)
    if isinstance(block, Table):
        return _table_text(block)
    if isinstance(block, Picture):
        return textwrap.indent(block.drawing.to_text(_WIDTH), "  ")
    return _marked_text(block)


def _table_text(table: Table) -> str:
    body = [row.cells for row in table.rows]
    lines = [table.header, *body, *table.footer]
    widths = [
        max(cell_width(line[column]) for line in lines) for column in range(len(table.header))
    ]

    def printed(cells: Sequence[str]) -> str:
        padded = (
            _padded(cell, widths[column], left=column in table.texts)
            for column, cell in enumerate(cells)
        )
        return ("  " + "  ".join(padded)).rstrip()

    rule = "  " + "  ".join("-" * width for width in widths)
    parts = [printed(table.header), rule, *map(printed, body)]
    if table.footer:
        parts += [rule, *map(printed, table.footer)]
    return "\n".join(parts)


def _marked_text(block: MarkedTokens) -> str:
    lines = [block.label]
    words, signs, filled = "  ", "  ", 0
    for token, mark in block.tokens:
        width = cell_width(token)
        if filled and filled + 1 + width > _WIDTH:
            lines += [words.rstrip(), signs.rstrip()]
            words, signs, filled = "  ", "  ", 0
        gap = " " if filled else ""
        words += gap + token
        signs += gap + _UNDERLINES[mark] * width
        filled += len(gap) + width
    lines += [words.rstrip(), signs.rstrip()]
    return "\n".join(line for line in lines if line)


def _block_markdown(block: Block) -> str:
    if isinstance(block, Heading):
        return f"## {escape_markdown(block.text)}"
    if isinstance(block, Paragraph):
        return escape_markdown(block.text)
    if isinstance(block, Bullets):
        return "\n".join(f"- {escape_markdown(item)}" for item in block.items)
    if isinstance(block, Steps):
        return "\n".join(f"    {line}".rstrip() for line in block.lines)
    if isinstance(block, Table):
        rules = [":--" if column in block.texts else "--:" for column in range(len(block.header))]
        lines = [tuple(map(escape_markdown, block.header)), rules]
        lines += [tuple(map(escape_markdown, row.cells)) for row in block.rows]
        lines += [
            tuple(f"**{escape_markdown(cell)}**" if cell else "" for cell in row)
            for row in block.footer
        ]
        return "\n".join(f"| {' | '.join(line)} |" for line in lines)
    if isinstance(block, Picture):
        return textwrap.indent(block.drawing.to_text(_WIDTH), "    ")
    tokens = " ".join(_markdown_token(token, mark) for token, mark in block.tokens)
    return f"{escape_markdown(block.label)}: {tokens}"


def _markdown_token(token: str, mark: Mark | None) -> str:
    text = escape_markdown(token)
    if mark is Mark.MATCHED:
        return f"**{text}**"
    return f"~~{text}~~" if mark is Mark.CLIPPED else text


def _block_html(block: Block) -> str:
    if isinstance(block, Heading):
        return f"<h4>{escape_html(block.text)}</h4>"
    if isinstance(block, Paragraph):
        return f"<p>{escape_html(block.text)}</p>"
    if isinstance(block, Bullets):
        return f"<ul>{''.join(f'<li>{escape_html(item)}</li>' for item in block.items)}</ul>"
    if isinstance(block, Steps):
        return f"<pre>{chr(10).join(map(escape_html, block.lines))}</pre>"
    if isinstance(block, Table):
        return _table_html(block)
    if isinstance(block, Picture):
        return f"<div style='overflow-x:auto'>{block.drawing.to_svg()}</div>"
    tokens = " ".join(
        f"<span style='{_HTML_STYLES[mark]}' title='{mark.value}'>{escape_html(token)}</span>"
        if mark is not None
        else f"<span>{escape_html(token)}</span>"
        for token, mark in block.tokens
    )
    return f"<p>{escape_html(block.label)}: <bdi>{tokens}</bdi></p>"


def _table_html(table: Table) -> str:
    def cells(tag: str, row: Sequence[str]) -> str:
        return "".join(
            f"<{tag} style='text-align:{'left' if column in table.texts else 'right'}'>"
            f"{escape_html(cell)}</{tag}>"
            for column, cell in enumerate(row)
        )

    head = f"<thead><tr>{cells('th', table.header)}</tr></thead>"

    def attributes(mark: Mark | None) -> str:
        return "" if mark is None else f" style='{_HTML_STYLES[mark]}' title='{mark.value}'"

    body = "".join(f"<tr{attributes(row.mark)}>{cells('td', row.cells)}</tr>" for row in table.rows)
    foot = "".join(f"<tr>{cells('th', row)}</tr>" for row in table.footer)
    foot = f"<tfoot>{foot}</tfoot>" if foot else ""
    return f"<table>{head}<tbody>{body}</tbody>{foot}</table>"


def _block_rich(block: Block) -> Any:
    from rich.padding import Padding
    from rich.table import Table as RichTable
    from rich.text import Text

    if isinstance(block, Heading):
        return Text(block.text, style="bold underline")
    if isinstance(block, Paragraph):
        return Text(block.text)
    if isinstance(block, Bullets):
        return Text("\n".join(f"  • {item}" for item in block.items))
    if isinstance(block, Steps):
        return Padding(Text("\n".join(block.lines)), (0, 0, 0, 2))
    if isinstance(block, Table):
        table = RichTable(show_footer=False, pad_edge=False)
        for column, name in enumerate(block.header):
            table.add_column(
                Text(name), justify="left" if column in block.texts else "right", overflow="fold"
            )
        for row in block.rows:
            style = _TERMINAL_STYLES[row.mark] if row.mark is not None else ""
            table.add_row(*map(Text, row.cells), style=style)
        if block.footer:
            table.add_section()
            for cells in block.footer:
                table.add_row(*map(Text, cells), style="bold")
        return table
    if isinstance(block, Picture):
        return Padding(block.drawing.__rich__(), (0, 0, 0, 2))
    text = Text(f"{block.label}\n", style="")
    for index, (token, mark) in enumerate(block.tokens):
        text.append(" " if index else "  ")
        text.append(token, style=_TERMINAL_STYLES[mark] if mark is not None else "")
    return text
