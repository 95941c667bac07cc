"""Documents as Markdown."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable

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
from cocarde.core.renderers.text import WIDTH

__all__ = ["escape", "render"]

_ESCAPES = str.maketrans(
    {**{sign: f"\\{sign}" for sign in "\\`*_[]|#~"}, "<": "&lt;", ">": "&gt;", "&": "&amp;"}
)
_FENCES = {Mark.MATCHED: "**", Mark.CLIPPED: "~~", Mark.BEST: "**", Mark.TIED: "*"}


def escape(text: str) -> str:
    r"""Return a text as Markdown shows it, in a table too: nothing of it is markup or HTML.

    Examples
    --------
    >>> print(escape("a_b|<c>"))
    a\_b\|&lt;c&gt;
    """
    return printable(text.replace("\n", " ")).translate(_ESCAPES)


def _code(text: str) -> str:
    """Return a text as code in a line of Markdown.

    Examples
    --------
    >>> print(_code("tok:13a"), _code("a`b"))
    `tok:13a` ``a`b``
    """
    text = printable(text.replace("\n", " "))
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    blank = " " if text[:1] == "`" or text[-1:] == "`" else ""
    return f"{fence}{blank}{text}{blank}{fence}"


def render(document: Document) -> str:
    """Return the title and the blocks, with a blank line between."""
    title = [f"# {escape(document.title)}"] if document.title else []
    return "\n\n".join([*title, *map(_block, document.blocks)]) + "\n"


def _marked(text: str, mark: Mark | None) -> str:
    fence = "" if mark is None else _FENCES.get(mark, "")
    return f"{fence}{escape(text)}{fence}"


def _block(block: Block) -> str:
    if isinstance(block, Heading):
        return f"## {escape(block.text)}"
    if isinstance(block, Paragraph):
        return escape(block.text)
    if isinstance(block, Bullets):
        return "\n".join(f"- {escape(item)}" for item in block.items)
    if isinstance(block, Steps):
        return "\n".join(f"    {line}".rstrip() for line in block.lines)
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Notes):
        return "\n".join(
            f"- {escape(item)}"
            if isinstance(item, str)
            else f"- {escape(item[0])}: {_code(item[1])}"
            for item in block.items
        )
    if isinstance(block, Picture):
        return textwrap.indent(block.drawing.to_text(WIDTH), "    ")
    return f"{escape(block.label)}: {' '.join(_marked(*token) for token in block.tokens)}"


def _table(table: Table) -> str:
    left, right = ("---", "---:") if table.plain else (":--", "--:")
    rules = [left if column in table.texts else right for column in range(len(table.header))]
    lines: list[Iterable[str]] = [map(escape, table.header), rules]
    lines += [map(_cell, row.cells) for row in table.rows]
    lines += [(f"**{escape(cell)}**" if cell else "" for cell in row) for row in table.footer]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(cell: Cell) -> str:
    if not isinstance(cell, Estimate):
        return escape(cell)
    return f"{_marked(cell.value, cell.mark)} ± {cell.margin} {cell.sign}".rstrip()
