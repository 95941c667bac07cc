"""Tables and notes of documents as LaTeX."""

from __future__ import annotations

from cocarde._display import printable
from cocarde.core.documents import Cell, Document, Estimate, Mark, Notes, Table

__all__ = ["escape", "render"]

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "|": r"\textbar{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "↓": r"$\downarrow$",
    **{character: f"\\{character}" for character in "&%$#_{}"},
    # After the \\ of a row they would be its own argument and star.
    **{character: f"{{{character}}}" for character in "[]*"},
}
_COMMANDS = {Mark.BEST: r"\textbf", Mark.TIED: r"\underline"}


def escape(text: str) -> str:
    r"""Return a text as LaTeX prints it.

    Examples
    --------
    >>> print(escape("a_b & 5%"))
    a\_b \& 5\%
    """
    text = printable(text.replace("\n", " "))
    return "".join(_ESCAPES.get(character, character) for character in text)


def render(document: Document) -> str:
    """Return the notes as comments, and below them the tables; other blocks are left out."""
    blocks = document.blocks
    notes = [line for block in blocks if isinstance(block, Notes) for line in block.lines]
    lines = [r"% \usepackage{booktabs}", *(f"% {printable(note)}" for note in notes)]
    for table in blocks:
        if isinstance(table, Table):
            lines += _table(table)
    return "\n".join(lines) + "\n"


def _table(table: Table) -> list[str]:
    sides = "".join("l" if column in table.texts else "r" for column in range(len(table.header)))
    lines = [f"\\begin{{tabular}}{{{sides}}}", r"\toprule", _row(table.header), r"\midrule"]
    lines += [_row(row.cells) for row in table.rows]
    if table.footer:
        lines += [r"\midrule", *map(_row, table.footer)]
    return [*lines, r"\bottomrule", r"\end{tabular}"]


def _row(cells: tuple[Cell, ...]) -> str:
    return f"{' & '.join(map(_cell, cells))} \\\\"


def _cell(cell: Cell) -> str:
    if not isinstance(cell, Estimate):
        return escape(cell)
    value = cell.value if cell.mark is None else f"{_COMMANDS[cell.mark]}{{{cell.value}}}"
    sign = f"$^{{{cell.sign}}}$" if cell.sign else ""
    return rf"{value} {{\scriptsize$\pm${cell.margin}}}{sign}"
