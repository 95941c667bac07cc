"""Scores as documents and as data; which format a file's name asks for."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from pathlib import Path
from typing import Any, TypeVar

from cocarde._display import column_heads, printable
from cocarde.cli.console import UsageError, emit
from cocarde.cli.records import Record
from cocarde.core.documents import Document, Notes, Table, TableRow
from cocarde.core.renderers import data, render

__all__ = [
    "DEFAULT_WIDTH",
    "Format",
    "choose_format",
    "page",
    "print_document",
    "print_records",
    "write_data",
    "write_records",
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


def page(title: str, document: Document) -> str:
    """Return a page of HTML."""
    from cocarde.core.renderers import html

    return html.page(title, document)


def print_document(document: Document) -> None:
    """Print a document to standard output: to a terminal with rich, to anything else plain."""
    if not sys.stdout.isatty():
        # Line by line: a reader that has gone is noticed at the next write only.
        emit(str(render(document, "text")).splitlines(keepends=True))
        return
    from rich.console import Console

    from cocarde.core.renderers import terminal

    terminal.print_to(Console(file=sys.stdout, highlight=False), document)


def write_data(values: Iterable[Any], form: str) -> Iterator[str]:
    """Yield a list of values as JSON, or as JSON lines."""
    return data.json_items(values) if form == "json" else data.json_lines(values)


# --------------------------------------------------------------------------------------------------
# Scores


def write_records(
    records: Iterable[Record], form: Format, width: int | None, *, details: bool = False
) -> Iterator[str]:
    """Write records.

    Parameters
    ----------
    records : iterable of Record
    form : Format
    width : int or None
        Digits after the point; by default `DEFAULT_WIDTH` for people, all of them for machines.
    details : bool
        Whether a table says what stands behind each score where there are several metrics, too.

    Yields
    ------
    str
        Pieces of the text.
    """
    if form in (Format.json, Format.jsonl):
        yield from write_data((record.to_dict() for record in records), form.value)
    elif form in (Format.csv, Format.tsv):
        yield from data.separated(form.value, _rows(records, width))
    elif form is Format.report:
        yield from _report(records)
    elif form is Format.html:
        yield page("cocarde score", _document(list(records), width, details=details))
    elif form is Format.table:
        yield str(render(_document(list(records), width, details=details), "text"))
    else:
        document = _document(list(records), width, details=None)
        yield str(render(document, form.value))


def print_records(records: Sequence[Record], width: int | None, *, details: bool = False) -> None:
    """Print records as a table to standard output.

    Details that do not fit beside the scores on a terminal stand below them.
    """
    document = _document(records, width, details=details)
    if sys.stdout.isatty():
        from shutil import get_terminal_size

        from cocarde.core.renderers.terminal import GAP
        from cocarde.core.renderers.text import table_width

        table = document.blocks[0]
        if isinstance(table, Table) and table_width(table, GAP) > get_terminal_size().columns:
            document = _document(records, width, details=details, beside=False)
    print_document(document)


def _score(record: Record, width: int | None) -> str:
    return f"{record.score:.{DEFAULT_WIDTH if width is None else width}f}"


def _rows(records: Iterable[Record], width: int | None) -> Iterator[list[str]]:
    header = True
    for record in records:
        places = _places([record])
        if header:
            yield ["system", *places, "metric", "score", "signature"]
            header = False
        score = repr(record.score) if width is None else _score(record, width)
        cells = [_place(record, place) for place in places]
        yield [record.system, *cells, record.metric, score, record.signature]


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


def _document(
    records: Sequence[Record], width: int | None, *, details: bool | None, beside: bool = True
) -> Document:
    """Lay out one row a system (and document or segment), one column a metric, named as in papers.

    Parameters
    ----------
    records : sequence of Record
    width : int or None
    details : bool or None
        Whether to say what stands behind each score; of one metric it is always said. With None there
        is no word of it, and no mark of the metrics of which less is better.
    beside : bool
        Whether the details of one metric stand beside its scores.
    """
    places = _places(records)
    metrics = {record.metric: record for record in records}
    # A system may be named twice; then its scores stay apart.
    found: dict[tuple[str, ...], dict[str, list[Record]]] = {}
    for record in records:
        key = (record.system, *(_place(record, place) for place in places))
        found.setdefault(key, {}).setdefault(record.metric, []).append(record)
    rows = [
        ([*key], [scores[metric][index] for metric in metrics])
        for key, scores in found.items()
        for index in range(len(scores[next(iter(metrics))]))
    ]
    heads = column_heads({label: record.name for label, record in metrics.items()})
    lower = [label for label, record in metrics.items() if record.lower_is_better]
    if details is not None:
        heads.update({label: f"{heads[label]} ↓" for label in lower})
    header = ("system", *places, *heads.values())
    texts = tuple(range(len(places) + 1))
    explained = details is not None and any(record.line for record in records)
    beside = beside and len(metrics) == 1
    cells = [(*key, *(_score(record, width) for record in row)) for key, row in rows]
    if explained and beside:
        texts = (*texts, len(header))
        header = (*header, "details")
        cells = [(*line, row[0].line) for line, (_, row) in zip(cells, rows, strict=True)]
    table = Table(header, tuple(map(TableRow, cells)), texts=texts, plain=True, whole=True)
    below = []
    if explained and not beside and (details or len(metrics) == 1):
        below.append(Notes(tuple(f"{record.place}: {record.line}" for record in records)))
    remarks = [f"↓ {', '.join(lower)}: lower is better"] if lower and details is not None else []
    return Document("", (table, *below, Notes((*remarks, *_signatures(records)))))


def _report(records: Iterable[Record]) -> Iterator[str]:
    lead = ""
    for record in records:
        yield f"{lead}{printable(record.place)} ({record.signature})\n\n{record.report}\n"
        lead = "\n\n"
