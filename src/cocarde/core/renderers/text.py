"""Documents as plain text."""

from __future__ import annotations

import textwrap

from cocarde._display import cell_width, printable
from cocarde.core.documents import (
    Block,
    Bullets,
    Cell,
    Document,
    Estimate,
    Heading,
    Mark,
    MarkedTokens,
    Notes,
    Paragraph,
    Picture,
    Steps,
    Table,
)

__all__ = ["WIDTH", "block_text", "cell_text", "render", "table_width"]

WIDTH = 88

_UNDERLINES: dict[Mark | None, str] = {Mark.MATCHED: "=", Mark.CLIPPED: "~"}


def render(document: Document) -> str:
    """Return the title and the blocks, with a blank line between."""
    title = [printable(document.title)] if document.title else []
    return "\n\n".join([*title, *map(block_text, document.blocks)]) + "\n"


def cell_text(cell: Cell) -> str:
    """Return a cell on one line, without what a terminal acts on."""
    if isinstance(cell, Estimate):
        # A blank in place of a sign: the numbers stay below one another.
        return f"{cell.value} ± {cell.margin} {cell.sign or ' '}"
    return printable(cell)


def table_width(table: Table, gap: int = 2) -> int:
    """Return how many cells of a terminal a row takes."""
    return sum(width + gap for width in _widths(_lines(table)))


def block_text(block: Block) -> str:
    """Return the lines of a block."""
    if isinstance(block, Heading):
        return f"{block.text}\n{'-' * cell_width(block.text)}"
    if isinstance(block, Paragraph):
        return _filled(block.text)
    if isinstance(block, Bullets):
        return "\n".join(_filled(item, "  * ", "    ") for item in block.items)
    if isinstance(block, Steps):
        return "\n".join(f"  {line}".rstrip() for line in block.lines)
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Notes):
        return "\n".join(map(printable, block.lines))
    if isinstance(block, Picture):
        return textwrap.indent(block.drawing.to_text(WIDTH), "  ")
    return _marked(block)


def _filled(text: str, first: str = "", following: str = "") -> str:
    return textwrap.fill(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=following,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _lines(table: Table) -> list[list[str]]:
    header = [table.header] if table.header else []
    rows = [*header, *(row.cells for row in table.rows), *table.footer]
    return [list(map(cell_text, cells)) for cells in rows]


def _widths(lines: list[list[str]]) -> list[int]:
    return [max(map(cell_width, column)) for column in zip(*lines, strict=True)]


def _table(table: Table) -> str:
    lines = _lines(table)
    widths = _widths(lines)
    margin = "" if table.plain else "  "

    def printed(cells: list[str]) -> str:
        padded = []
        for column, (cell, width) in enumerate(zip(cells, widths, strict=True)):
            space = " " * (width - cell_width(cell))
            padded.append(cell + space if column in table.texts else space + cell)
        return (margin + "  ".join(padded)).rstrip()

    parts = list(map(printed, lines))
    rule = margin + "  ".join("-" * width for width in widths)
    if table.footer:
        parts.insert(len(parts) - len(table.footer), rule)
    if table.header and not table.plain:
        parts.insert(1, rule)
    return "\n".join(parts)


def _marked(block: MarkedTokens) -> str:
    lines = [block.label]
    words, signs, filled = "  ", "  ", 0
    for token, mark in block.tokens:
        width = cell_width(token)
        if filled and filled + 1 + width > WIDTH:
            lines += [words.rstrip(), signs.rstrip()]
            words, signs, filled = "  ", "  ", 0
        gap = " " if filled else ""
        words += gap + token
        signs += gap + _UNDERLINES.get(mark, " ") * width
        filled += len(gap) + width
    lines += [words.rstrip(), signs.rstrip()]
    return "\n".join(line for line in lines if line)
