"""What programs read: JSON, JSON lines, CSV and TSV."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from cocarde._display import printable

__all__ = ["json_items", "json_lines", "separated", "to_json"]


def to_json(value: Any, *, indent: int | None = None) -> str:
    """Write JSON with every script as it is, and lone surrogates (odd file names) escaped."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, ensure_ascii=True, allow_nan=False, indent=indent)
    return text


def json_items(values: Iterable[Any]) -> Iterator[str]:
    """Yield a list value by value: a corpus may have millions of segments."""
    lead = "[\n"
    for value in values:
        body = to_json(value, indent=2).replace("\n", "\n  ")
        yield f"{lead}  {body}"
        lead = ",\n"
    yield "[]\n" if lead == "[\n" else "\n]\n"


def json_lines(values: Iterable[Any]) -> Iterator[str]:
    """Yield one line a value."""
    return (to_json(value) + "\n" for value in values)


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
