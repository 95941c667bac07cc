"""Documents as HTML: an element that carries its own styles, or a page of it."""

from __future__ import annotations

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
    TableRow,
)

__all__ = ["escape", "page", "render"]

# Readable on white and, since notebooks may be dark, on their own background.
_STYLES = {
    Mark.MATCHED: "background:#d9f2dd;color:#0b4a1c",
    Mark.CLIPPED: "background:#fff0c2;color:#5a4300",
    Mark.UNMATCHED: "background:#fbdcdc;color:#7a1414",
    Mark.BEST: "font-weight:bold",
    Mark.TIED: "font-style:italic",
}


def escape(text: str) -> str:
    """Return a text as HTML shows it.

    Examples
    --------
    >>> escape("<b> & c")
    '&lt;b&gt; &amp; c'
    """
    from html import escape as standard

    return standard(printable(text))


def page(title: str, document: Document) -> str:
    """Return a whole page of HTML."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8">'
        f"<title>{escape(title)}</title></head>\n<body>\n{render(document)}\n</body>\n</html>\n"
    )


def render(document: Document) -> str:
    """Return one element with the title and the blocks."""
    title = f"<h3>{escape(document.title)}</h3>" if document.title else ""
    return f"<div>{title}{''.join(map(_block, document.blocks))}</div>"


def _attributes(mark: Mark | None) -> str:
    return "" if mark is None else f" style='{_STYLES[mark]}' title='{mark.value}'"


def _block(block: Block) -> str:
    if isinstance(block, Heading):
        return f"<h4>{escape(block.text)}</h4>"
    if isinstance(block, Paragraph):
        return f"<p>{escape(block.text)}</p>"
    if isinstance(block, Bullets):
        return f"<ul>{''.join(f'<li>{escape(item)}</li>' for item in block.items)}</ul>"
    if isinstance(block, Steps):
        return f"<pre>{chr(10).join(map(escape, block.lines))}</pre>"
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Notes):
        return f"<p><small>{'<br>'.join(map(_note, block.items))}</small></p>"
    if isinstance(block, Picture):
        return f"<div style='overflow-x:auto'>{block.drawing.to_svg()}</div>"
    tokens = " ".join(
        f"<span{_attributes(mark)}>{escape(token)}</span>" for token, mark in block.tokens
    )
    return f"<p>{escape(block.label)}: <bdi>{tokens}</bdi></p>"


def _note(item: str | tuple[str, str]) -> str:
    if isinstance(item, str):
        return escape(item)
    return f"{escape(item[0])}: <code>{escape(item[1])}</code>"


def _table(table: Table) -> str:
    def row(tag: str, cells: tuple[Cell, ...], mark: Mark | None = None) -> str:
        inside = "".join(
            f"<{tag} style='text-align:{'left' if column in table.texts else 'right'}'>"
            f"{_cell(cell)}</{tag}>"
            for column, cell in enumerate(cells)
        )
        return f"<tr{_attributes(mark)}>{inside}</tr>"

    def body(one: TableRow) -> str:
        return row("td", *one)

    head = f"<thead>{row('th', table.header)}</thead>" if table.header else ""
    foot = "".join(row("th", cells) for cells in table.footer)
    foot = f"<tfoot>{foot}</tfoot>" if foot else ""
    return f"<table>{head}<tbody>{''.join(map(body, table.rows))}</tbody>{foot}</table>"


def _cell(cell: Cell) -> str:
    if not isinstance(cell, Estimate):
        return escape(cell)
    value = f"<span{_attributes(cell.mark)}>{cell.value}</span>" if cell.mark else cell.value
    sign = f"<sup>{cell.sign}</sup>" if cell.sign else ""
    return f"{value} <small>± {cell.margin}</small>{sign}"
