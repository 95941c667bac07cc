"""Records as tables, JSON, CSV, Markdown and LaTeX."""

from __future__ import annotations

import io
import json
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from typing import Any

from cocarde._display import escape_latex, escape_markdown
from cocarde.cli.records import Record

__all__ = [
    "DEFAULT_WIDTH",
    "Format",
    "aligned",
    "print_records",
    "print_table",
    "render",
    "to_json",
]

DEFAULT_WIDTH = 2


class Format(str, Enum):
    """How scores are written."""

    table = "table"
    json = "json"
    jsonl = "jsonl"
    csv = "csv"
    tsv = "tsv"
    markdown = "markdown"
    latex = "latex"
    report = "report"


def to_json(value: Any, *, indent: int | None = None) -> str:
    """Write JSON with every script as it is, and lone surrogates (odd file names) escaped."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, ensure_ascii=True, allow_nan=False, indent=indent)
    return text


def render(records: Iterable[Record], form: Format, width: int | None) -> Iterator[str]:
    """Write records.

    Parameters
    ----------
    records : iterable of Record
    form : Format
    width : int or None
        Digits after the point; by default `DEFAULT_WIDTH` for people, all of them for machines.

    Yields
    ------
    str
        Pieces of the text.
    """
    yield from _RENDERERS[form](records, width)


def _score(record: Record, width: int | None) -> str:
    return f"{record.score:.{DEFAULT_WIDTH if width is None else width}f}"


# --------------------------------------------------------------------------------------------------
# For machines


def _json(records: Iterable[Record], _width: int | None) -> Iterator[str]:
    # Written record by record: a corpus may have millions of segments.
    lead = "[\n"
    for record in records:
        body = to_json(record.to_dict(), indent=2).replace("\n", "\n  ")
        yield f"{lead}  {body}"
        lead = ",\n"
    yield "\n]\n"


def _jsonl(records: Iterable[Record], _width: int | None) -> Iterator[str]:
    for record in records:
        yield to_json(record.to_dict()) + "\n"


def _separated(dialect: str) -> Callable[[Iterable[Record], int | None], Iterator[str]]:
    def write(records: Iterable[Record], width: int | None) -> Iterator[str]:
        import csv

        buffer = io.StringIO()
        writer = csv.writer(buffer, dialect, lineterminator="\n")
        header = True
        for record in records:
            places = _places([record])
            if header:
                writer.writerow(["system", *places, "metric", "score", "signature"])
                header = False
            score = repr(record.score) if width is None else _score(record, width)
            cells = [_place(record, place) for place in places]
            writer.writerow([record.system, *cells, record.metric, score, record.signature])
            yield buffer.getvalue()
            buffer.seek(0)
            buffer.truncate()

    return write


# --------------------------------------------------------------------------------------------------
# For people


def _places(records: Sequence[Record]) -> list[str]:
    """Name the columns that say which part of a system a record is about."""
    first = records[0]
    return [name for name in ("document", "segment") if getattr(first, name) is not None]


def _place(record: Record, name: str) -> str:
    return str(getattr(record, name))


def _signatures(records: Iterable[Record]) -> list[tuple[str, str]]:
    """Return metrics with their signature; those of one signature, such as ROUGE's types, together."""
    metrics: dict[str, dict[str, None]] = {}
    for record in records:
        metrics.setdefault(record.signature, {})[record.metric] = None
    return [(", ".join(names), signature) for signature, names in metrics.items()]


def _cells(records: Sequence[Record], width: int | None) -> tuple[list[str], list[list[str]]]:
    places = _places(records)
    header = ["system", *places, "metric", "score"]
    rows = [
        [
            record.system,
            *(_place(record, place) for place in places),
            record.metric,
            _score(record, width),
        ]
        for record in records
    ]
    if any(record.line for record in records):
        header.append("details")
        for row, record in zip(rows, records, strict=True):
            row.append(record.line)
    return header, rows


_RIGHT = frozenset({"score", "segment", "difference", "s_sel", "s_opt"})


def _cell_width(text: str) -> int:
    """How many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return len(text) + wide - sum(map(bool, map(unicodedata.combining, text)))


def aligned(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a plain table: columns aligned by blanks, numbers to the right."""
    table = [list(header), *map(list, rows)]
    widths = [max(map(_cell_width, column)) for column in zip(*table, strict=True)]
    for row in table:
        padded = []
        for name, cell, room in zip(header, row, widths, strict=True):
            blanks = " " * (room - _cell_width(cell))
            padded.append(blanks + cell if name in _RIGHT else cell + blanks)
        yield "  ".join(padded).rstrip() + "\n"


def print_table(header: Sequence[str], rows: Sequence[Sequence[str]], notes: str = "") -> None:
    """Print a table to a terminal with rich, to anything else plain.

    Parameters
    ----------
    header : sequence of str
    rows : sequence of sequences of str
    notes : str
        Text below the table.
    """
    if not sys.stdout.isatty():
        # Line by line: a reader that has gone is noticed at the next write only.
        sys.stdout.writelines(aligned(header, rows))
        sys.stdout.write(f"\n{notes}" if notes else "")
        return
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in header:
        number = name in _RIGHT
        table.add_column(
            name,
            justify="right" if number else "left",
            no_wrap=number or name == "metric",
            overflow="fold",
            style="bold" if name == "score" else "",
        )
    for row in rows:
        # Text: a file name such as [b].txt is no markup.
        table.add_row(*map(Text, row))
    console = Console(file=sys.stdout, highlight=False)
    console.print(table)
    if notes:
        console.print(Text(notes.rstrip("\n"), style="dim"), soft_wrap=True)


def print_records(records: Sequence[Record], width: int | None) -> None:
    """Print records as a table to standard output."""
    header, rows = _cells(records, width)
    print_table(header, rows, _notes(records))


def _notes(records: Iterable[Record]) -> str:
    return "".join(f"{metric}: {signature}\n" for metric, signature in _signatures(records))


def _table(records: Iterable[Record], width: int | None) -> Iterator[str]:
    listed = list(records)
    yield from aligned(*_cells(listed, width))
    yield f"\n{_notes(listed)}"


def _pivot(
    records: Sequence[Record], width: int | None
) -> tuple[list[str], list[str], list[list[str]]]:
    """Lay out one row a system (and document or segment), one column a metric."""
    places = _places(records)
    metrics = list(dict.fromkeys(record.metric for record in records))
    # A system may be named twice; then its scores stay apart.
    table: dict[tuple[str, ...], dict[str, list[str]]] = {}
    for record in records:
        key = (record.system, *(_place(record, place) for place in places))
        table.setdefault(key, {}).setdefault(record.metric, []).append(_score(record, width))
    rows = [
        [*key, *(scores[metric][index] for metric in metrics)]
        for key, scores in table.items()
        for index in range(len(scores[metrics[0]]))
    ]
    return ["system", *places], metrics, rows


def _markdown(records: Iterable[Record], width: int | None) -> Iterator[str]:
    listed = list(records)
    names, metrics, rows = _pivot(listed, width)
    yield _markdown_row([*names, *metrics])
    yield _markdown_row([*("---" for _ in names), *("---:" for _ in metrics)])
    for row in rows:
        yield _markdown_row([escape_markdown(cell) for cell in row])
    yield "\n"
    for metric, signature in _signatures(listed):
        yield f"- {metric}: `{signature}`\n"


def _markdown_row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


def _latex(records: Iterable[Record], width: int | None) -> Iterator[str]:
    listed = list(records)
    names, metrics, rows = _pivot(listed, width)
    yield "% \\usepackage{booktabs}\n"
    for metric, signature in _signatures(listed):
        yield f"% {metric}: {signature}\n"
    yield f"\\begin{{tabular}}{{{'l' * len(names)}{'r' * len(metrics)}}}\n\\toprule\n"
    yield " & ".join(map(escape_latex, [*names, *metrics])) + " \\\\\n\\midrule\n"
    for row in rows:
        yield " & ".join(map(escape_latex, row)) + " \\\\\n"
    yield "\\bottomrule\n\\end{tabular}\n"


def _report(records: Iterable[Record], _width: int | None) -> Iterator[str]:
    lead = ""
    for record in records:
        yield f"{lead}{record.place} ({record.signature})\n\n{record.report}\n"
        lead = "\n\n"


_RENDERERS: dict[Format, Callable[[Iterable[Record], int | None], Iterator[str]]] = {
    Format.table: _table,
    Format.json: _json,
    Format.jsonl: _jsonl,
    Format.csv: _separated("excel"),
    Format.tsv: _separated("excel-tab"),
    Format.markdown: _markdown,
    Format.latex: _latex,
    Format.report: _report,
}
