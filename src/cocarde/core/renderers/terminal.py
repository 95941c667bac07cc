"""Documents as the library rich prints them: coloured, as wide as the terminal."""

from __future__ import annotations

from typing import Any

from rich import box
from rich.console import Console, Group
from rich.padding import Padding
from rich.table import Table as RichTable
from rich.text import Text

from cocarde._display import printable
from cocarde.core.documents import (
    Block,
    Bullets,
    Cell,
    Document,
    Estimate,
    Heading,
    Mark,
    Notes,
    Paragraph,
    Picture,
    Steps,
    Table,
)
from cocarde.core.renderers.text import cell_text, table_width

__all__ = ["GAP", "print_to", "render"]

# The blanks that rich puts between the columns of a plain table.
GAP = 3

_STYLES = {
    Mark.MATCHED: "green",
    Mark.CLIPPED: "yellow",
    Mark.UNMATCHED: "red",
    Mark.BEST: "bold",
    Mark.TIED: "italic",
    None: "",
}


def render(document: Document) -> Any:
    """Return a renderable."""
    return Group(*_parts(document))


def print_to(console: Console, document: Document) -> None:
    """Print a document; rows of whole tables and notes stay one line each."""
    tables = [one for one in document.blocks if isinstance(one, Table) and one.whole]
    console.width = max(console.width, *(table_width(table, GAP) for table in tables), 0)
    for part in _parts(document):
        console.print(part, soft_wrap=isinstance(part, Text) and part.overflow == "fold")


def _parts(document: Document) -> list[Any]:
    parts: list[Any] = [Text(document.title, style="bold")] if document.title else []
    after_plain = False  # which has a blank line below
    for block in document.blocks:
        plain = isinstance(block, Table) and block.plain
        if parts and not (plain or after_plain):
            parts.append(Text(""))
        parts.append(_block(block))
        after_plain = plain
    return parts


def _block(block: Block) -> Any:
    if isinstance(block, Heading):
        return Text(block.text, style="bold underline")
    if isinstance(block, Paragraph):
        return Text(block.text)
    if isinstance(block, Bullets):
        return Text("\n".join(f"  • {item}" for item in block.items))
    if isinstance(block, Steps):
        return Padding(Text("\n".join(block.lines)), (0, 0, 0, 2))
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Notes):
        return Text("\n".join(map(printable, block.lines)), style="dim", overflow="fold")
    if isinstance(block, Picture):
        return Padding(block.drawing.__rich__(), (0, 0, 0, 2))
    text = Text(f"{block.label}\n", style="")
    for index, (token, mark) in enumerate(block.tokens):
        text.append(" " if index else "  ")
        text.append(token, style=_STYLES[mark])
    return text


def _table(block: Table) -> RichTable:
    table = RichTable(
        box=box.SIMPLE_HEAD if block.plain else box.HEAVY_HEAD,
        pad_edge=False,
        show_header=bool(block.header),
    )
    names = block.header or ("",) * len(block.rows[0].cells)
    for column, name in enumerate(names):
        number = column not in block.texts
        table.add_column(
            Text(printable(name)),
            justify="right" if number else "left",
            no_wrap=block.whole or (block.plain and number),
            overflow="fold",
        )
    for row in block.rows:
        table.add_row(*map(_cell, row.cells), style=_STYLES[row.mark])
    if block.footer:
        table.add_section()
        for cells in block.footer:
            table.add_row(*map(_cell, cells), style="bold")
    return table


def _cell(cell: Cell) -> Text:
    # Text: a file name such as [b].txt is no markup.
    text = Text(cell_text(cell))
    if isinstance(cell, Estimate):
        text.stylize(_STYLES[cell.mark], 0, len(cell.value))
        if not cell.sign:
            text.append("\u2060")  # rich would take away the blank in place of the sign
    return text
