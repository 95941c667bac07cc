"""Records as tables, JSON, CSV, Markdown, LaTeX and HTML; which format a file's name asks for."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from pathlib import Path
from typing import Any, TypeVar

from cocarde._display import (
    aligned,
    cell_width,
    column_heads,
    escape_html,
    escape_latex,
    escape_markdown,
    markdown_code,
    printable,
)
from cocarde.cli.console import UsageError
from cocarde.cli.records import Record

__all__ = [
    "DEFAULT_WIDTH",
    "Format",
    "choose_format",
    "print_records",
    "print_table",
    "render",
    "separated",
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
    html = "html"
    report = "report"


_FORMAT_OF_SUFFIX = {
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".tsv": "tsv",
    ".md": "markdown",
    ".markdown": "markdown",
    ".tex": "latex",
    ".html": "html",
    ".htm": "html",
}

_FormatT = TypeVar("_FormatT", bound=Enum)


def choose_format(given: _FormatT | None, output: Path | None, default: _FormatT) -> _FormatT:
    """Return the format that was given, or that the name of the output asks for, or the default.

    Raises
    ------
    UsageError
        When the name asks for a format that the command does not write.
    """
    if given is not None or output is None:
        return given or default
    from cocarde.corpus.sources import COMPRESSION_SUFFIXES

    name = output.name.lower()
    for compressed in COMPRESSION_SUFFIXES:
        name = name.removesuffix(compressed)
    wanted = _FORMAT_OF_SUFFIX.get(Path(name).suffix)
    if wanted is None:
        return default
    formats = {str(form.value): form for form in type(default)}
    if wanted not in formats:
        raise UsageError(
            f"--output {output}: this command writes no {wanted}; it writes {', '.join(formats)}",
            f"give --format too, such as --format {default.value}, or another name",
        )
    return formats[wanted]


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


def separated(form: str, rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of CSV or TSV; what parts cells and lines is quoted, other controls escaped."""
    import csv

    buffer = io.StringIO()
    # With this end of a line a carriage return in a name is quoted, not with a line feed alone.
    writer = csv.writer(buffer, "excel" if form == "csv" else "excel-tab", lineterminator="\r\n")
    for row in rows:
        writer.writerow(
            re.sub(r"[^\t\r\n]+", lambda part: printable(part[0]), cell) for cell in row
        )
        yield buffer.getvalue().removesuffix("\r\n") + "\n"
        buffer.seek(0)
        buffer.truncate()


def _separated(form: str) -> Callable[[Iterable[Record], int | None], Iterator[str]]:
    def rows(records: Iterable[Record], width: int | None) -> Iterator[list[str]]:
        header = True
        for record in records:
            places = _places([record])
            if header:
                yield ["system", *places, "metric", "score", "signature"]
                header = False
            score = repr(record.score) if width is None else _score(record, width)
            cells = [_place(record, place) for place in places]
            yield [record.system, *cells, record.metric, score, record.signature]

    return lambda records, width: separated(form, rows(records, width))


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


def print_table(
    header: Sequence[str], rows: Sequence[Sequence[str]], notes: str = "", *, whole: bool = False
) -> None:
    """Print a table to a terminal with rich, to anything else plain.

    Parameters
    ----------
    header : sequence of str
    rows : sequence of sequences of str
    notes : str
        Text below the table.
    whole : bool
        Whether a row stays one line, however narrow the terminal is.
    """
    if not sys.stdout.isatty():
        # Line by line: a reader that has gone is noticed at the next write only.
        sys.stdout.writelines(aligned(header, rows, _RIGHT))
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
            no_wrap=whole or number or name == "metric",
            overflow="fold",
            style="bold" if name == "score" else "",
        )
    for row in rows:
        # Text: a file name such as [b].txt is no markup.
        table.add_row(*map(Text, map(printable, row)))
    console = Console(file=sys.stdout, highlight=False)
    if whole:
        console.width = max(console.width, _table_width(header, rows))
    console.print(table)
    if notes:
        console.print(Text(notes.rstrip("\n"), style="dim"), soft_wrap=True)


def _table_width(header: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
    """Return how many cells of a terminal a row takes, with the blanks that rich puts between."""
    columns = zip(header, *rows, strict=True)
    return sum(max(cell_width(printable(cell)) for cell in column) + 3 for column in columns)


def print_records(records: Sequence[Record], width: int | None) -> None:
    """Print records as a table to standard output.

    Details that do not fit beside the scores on a terminal stand below them.
    """
    header, rows = _cells(records, width)
    notes = _notes(records)
    if sys.stdout.isatty() and header[-1] == "details":
        from shutil import get_terminal_size

        if _table_width(header, rows) > get_terminal_size().columns:
            header = header[:-1]
            details = "".join(
                printable(f"{record.place}: {record.line}") + "\n" for record in records
            )
            rows, notes = [row[:-1] for row in rows], f"{details}\n{notes}"
    print_table(header, rows, notes, whole=True)


def _notes(records: Iterable[Record]) -> str:
    return "".join(
        printable(f"{metric}: {signature}") + "\n" for metric, signature in _signatures(records)
    )


def _table(records: Iterable[Record], width: int | None) -> Iterator[str]:
    listed = list(records)
    yield from aligned(*_cells(listed, width), _RIGHT)
    yield f"\n{_notes(listed)}"


def _pivot(
    records: Sequence[Record], width: int | None
) -> tuple[list[str], list[str], list[list[str]]]:
    """Lay out one row a system (and document or segment), one column a metric, named as in papers."""
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
    names = {record.metric: record.name for record in records}
    return ["system", *places], [*column_heads(names).values()], rows


def _markdown(records: Iterable[Record], width: int | None) -> Iterator[str]:
    listed = list(records)
    names, metrics, rows = _pivot(listed, width)
    yield _markdown_row(map(escape_markdown, [*names, *metrics]))
    yield _markdown_row([*("---" for _ in names), *("---:" for _ in metrics)])
    for row in rows:
        yield _markdown_row([escape_markdown(cell) for cell in row])
    yield "\n"
    for metric, signature in _signatures(listed):
        yield f"- {escape_markdown(metric)}: {markdown_code(signature)}\n"


def _markdown_row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


def _latex(records: Iterable[Record], width: int | None) -> Iterator[str]:
    listed = list(records)
    names, metrics, rows = _pivot(listed, width)
    yield "% \\usepackage{booktabs}\n"
    for metric, signature in _signatures(listed):
        yield f"% {printable(f'{metric}: {signature}')}\n"
    yield f"\\begin{{tabular}}{{{'l' * len(names)}{'r' * len(metrics)}}}\n\\toprule\n"
    yield " & ".join(map(escape_latex, [*names, *metrics])) + " \\\\\n\\midrule\n"
    for row in rows:
        yield " & ".join(map(escape_latex, row)) + " \\\\\n"
    yield "\\bottomrule\n\\end{tabular}\n"


def _html(records: Iterable[Record], width: int | None) -> Iterator[str]:
    listed = list(records)
    names, metrics, rows = _pivot(listed, width)
    yield html_page_start("cocarde score")
    head = "".join(f"<th>{escape_html(name)}</th>" for name in [*names, *metrics])
    yield f"<table>\n<tr>{head}</tr>\n"
    for row in rows:
        yield f"<tr>{''.join(f'<td>{escape_html(cell)}</td>' for cell in row)}</tr>\n"
    yield "</table>\n<ul>\n"
    for metric, signature in _signatures(listed):
        yield f"<li>{escape_html(metric)}: <code>{escape_html(signature)}</code></li>\n"
    yield f"</ul>\n{HTML_PAGE_END}"


def html_page_start(title: str) -> str:
    """Return the beginning of a page of HTML; `HTML_PAGE_END` is its end."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8">'
        f"<title>{escape_html(title)}</title></head>\n<body>\n"
    )


HTML_PAGE_END = "</body>\n</html>\n"


def _report(records: Iterable[Record], _width: int | None) -> Iterator[str]:
    lead = ""
    for record in records:
        yield f"{lead}{printable(record.place)} ({record.signature})\n\n{record.report}\n"
        lead = "\n\n"


_RENDERERS: dict[Format, Callable[[Iterable[Record], int | None], Iterator[str]]] = {
    Format.table: _table,
    Format.json: _json,
    Format.jsonl: _jsonl,
    Format.csv: _separated("csv"),
    Format.tsv: _separated("tsv"),
    Format.markdown: _markdown,
    Format.latex: _latex,
    Format.html: _html,
    Format.report: _report,
}
