"""Segments out of tab-separated tables and JSON Lines."""

from __future__ import annotations

import numbers
import os
import re
from collections.abc import Iterator
from typing import Any

from cocarde.corpus.text import iterate_line_batches, shown_path
from cocarde.errors import InputError, OptionError

__all__ = ["iterate_jsonl", "read_jsonl", "read_table"]

_JSON_OBJECT = re.compile(r'\s*\{\s*"')


def read_table(
    path: str | os.PathLike[str],
    column: int | str,
    *,
    header: bool | None = None,
    max_line_bytes: int | None = None,
) -> list[str]:
    r"""One column of a tab-separated file.

    Cells are separated by tabs and nothing is quoted: a quotation mark is part of the text, as in
    the tables that machine translation uses.

    Parameters
    ----------
    path : str or path-like
        A file, compressed or not, or ``"-"`` for standard input.
    column : int or str
        The number of the column, counted from 1 as ``cut -f`` does, or its name in the first row.
        A `str` of digits is a number.
    header : bool, optional
        Whether the first row holds names. By default it does when `column` is a name.
    max_line_bytes : int, optional
        As of `read_lines`.

    Returns
    -------
    list of str
        One segment a row, without the header.

    Raises
    ------
    InputError
        When a row has too few columns, no column or more than one has that name, or as
        `read_lines`.
    OptionError
        When `column` is below 1, or a name while `header` is False.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "scores.tsv")
    ...     _ = file.write_text("id\thypothesis\n1\tthe cat\n")
    ...     read_table(file, "hypothesis")
    ['the cat']
    """
    number: int | None = None
    if isinstance(column, numbers.Integral):  # of NumPy too
        column = int(column) if not isinstance(column, bool) else column
    elif not isinstance(column, str):
        raise OptionError(f"column must be a name or a number from 1 on, not {column!r}")
    if isinstance(column, int) or (column.isascii() and column.isdigit()):
        number = int(column)
        if number < 1 or isinstance(column, bool):
            raise OptionError(f"column must be a name or a number from 1 on, not {column!r}")
    elif not column:
        raise OptionError("column is empty; give a name or a number from 1 on")
    elif header is False:
        raise OptionError(f"column {column!r} is a name, but header=False says there are none")
    has_header = header if header is not None else number is None
    name = shown_path(path)
    cells: list[str] = []
    for batch in iterate_line_batches(path, max_line_bytes=max_line_bytes):
        for line_number, line in enumerate(batch, start=batch.first_line):
            row = line.split("\t")
            if has_header and line_number == 1:
                if number is None:
                    number = _column_of_name(str(column), row, name)
                continue
            assert number is not None  # a name was found in line 1
            if number > len(row):
                raise InputError(
                    f"column {column!r} is number {number}, but this row has {len(row)}"
                    if str(number) != str(column)
                    else f"column {number} is missing: this row has {len(row)}",
                    path=name,
                    line=line_number,
                )
            cells.append(row[number - 1])
    if number is None:
        raise InputError(f"is empty, so there is no column named {column!r}", path=name)
    return cells


def _column_of_name(column: str, names: list[str], path: str) -> int:
    found = [number for number, name in enumerate(names, start=1) if name == column]
    if len(found) == 1:
        return found[0]
    if not found and _JSON_OBJECT.match(names[0]):
        raise InputError(
            f"no column is named {column!r}, and the file looks like JSON Lines, not like a table; "
            f"say so: jsonl:FILE:{column} on the command line, format='jsonl' in Python",
            path=path,
            line=1,
        )
    listed = ", ".join(repr(name) for name in names)
    fault = "no column is" if not found else f"columns {', '.join(map(str, found))} are all"
    raise InputError(
        f"{fault} named {column!r}; the header has: {listed}. "
        "A column can also be given by its number, counted from 1",
        path=path,
        line=1,
    )


def read_jsonl(
    path: str | os.PathLike[str],
    field: str,
    *,
    references: bool = False,
    max_line_bytes: int | None = None,
) -> list[str] | list[list[str | None]]:
    r"""One field of every line of a JSON Lines file.

    Parameters
    ----------
    path : str or path-like
        A file, compressed or not, or ``"-"`` for standard input.
    field : str
        A key, or keys and list positions from 0 on separated by dots: ``"output.translations.0"``.
        A key that itself contains dots is found too.
    references : bool
        Whether the field may also hold a list of strings and nulls (several references, some
        missing) or null (no reference).
    max_line_bytes : int, optional
        As of `read_lines`.

    Returns
    -------
    list of str, or list of list
        One text a line. With `references`, and as soon as any line holds a list or null, a list a
        line, in which None is a missing reference.

    Raises
    ------
    InputError
        With file and line: for malformed JSON (also the column), a key that is twice in an
        object, a blank line, a missing field, a value of another type; and as `read_lines`.
    OptionError
        When `field` is empty.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "predictions.jsonl")
    ...     _ = file.write_text('{"prediction": {"text": "the cat"}}\n')
    ...     read_jsonl(file, "prediction.text")
    ['the cat']
    """
    values: list[Any] = []
    for line, value in iterate_jsonl(path, field, max_line_bytes):
        _require_text(value, field, references, shown_path(path), line)
        values.append(value)
    if all(isinstance(value, str) for value in values):
        return values
    return [value if isinstance(value, list) else [value] for value in values]


def iterate_jsonl(
    path: str | os.PathLike[str], field: str, max_line_bytes: int | None = None
) -> Iterator[tuple[int, Any]]:
    """One field of every line of a JSON Lines file, of whatever type.

    Parameters and errors are those of `read_jsonl`.

    Yields
    ------
    line : int
        From 1.
    value : object
    """
    import json

    if not field or not isinstance(field, str):
        raise OptionError("field is empty; name the field of each JSON object that holds the text")
    name = shown_path(path)
    decoder = json.JSONDecoder(object_pairs_hook=_without_duplicates)
    for batch in iterate_line_batches(path, max_line_bytes=max_line_bytes):
        for line_number, line in enumerate(batch, start=batch.first_line):
            if not line.strip():
                raise InputError(
                    "the line is blank; every line must hold one JSON value",
                    path=name,
                    line=line_number,
                )
            try:
                record = decoder.decode(line)
            except json.JSONDecodeError as error:
                raise InputError(
                    f"malformed JSON at column {error.pos + 1}: {error.msg}",
                    path=name,
                    line=line_number,
                ) from None
            except RecursionError:
                raise InputError("JSON is nested too deeply", path=name, line=line_number) from None
            except _DuplicateKeyError as error:
                raise InputError(
                    f"the key {error.args[0]!r} is twice in one JSON object; which of its values is "
                    "meant is not known",
                    path=name,
                    line=line_number,
                ) from None
            except ValueError as error:  # a number with thousands of digits
                raise InputError(f"JSON: {error}", path=name, line=line_number) from None
            yield line_number, _value_of_field(record, field, name, line_number)


class _DuplicateKeyError(Exception):
    """A key that a JSON object holds more than once."""


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _DuplicateKeyError(key)
            seen.add(key)
    return found


def _value_of_field(record: Any, field: str, path: str, line: int) -> Any:
    value, rest = record, field
    while True:
        where = field[: len(field) - len(rest)].rstrip(".") or "the line"
        if isinstance(value, dict):
            if rest in value:
                return value[rest]
            key, _, rest = rest.partition(".")
            if key not in value:
                listed = ", ".join(repr(known) for known in value) or "no keys"
                raise InputError(
                    f"field {field!r}: {where} has no {key!r}; it has {listed}",
                    path=path,
                    line=line,
                )
            value = value[key]
        elif isinstance(value, list):
            key, _, rest = rest.partition(".")
            if not (key.isascii() and key.isdigit()):
                raise InputError(
                    f"field {field!r}: {where} is a list, so {key!r} must be a position from 0 on",
                    path=path,
                    line=line,
                )
            if int(key) >= len(value):
                raise InputError(
                    f"field {field!r}: {where} has {len(value)} items, so there is no item {key}",
                    path=path,
                    line=line,
                )
            value = value[int(key)]
        else:
            raise InputError(
                f"field {field!r}: {where} is {_described(value)}, not an object with {rest!r}",
                path=path,
                line=line,
            )
        if not rest:
            return value


def _require_text(value: Any, field: str, references: bool, path: str, line: int) -> None:
    if isinstance(value, str):
        return
    wanted = "a string"
    found = _described(value)
    if references:
        wanted = "a string, a list of strings, or null"
        if value is None:
            return
        if isinstance(value, list):
            odd = [
                (index, item)
                for index, item in enumerate(value)
                if item is not None and not isinstance(item, str)
            ]
            if not odd:
                return
            found = f"a list whose item {odd[0][0]} is {_described(odd[0][1])}"
    raise InputError(f"field {field!r} must be {wanted}, but is {found}", path=path, line=line)


def _described(value: Any) -> str:
    """A JSON value in words, short enough for a message."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return f"the number {value!r:.40}"
    if isinstance(value, str):
        return f"the string {value!r:.60}"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    return f"an object with {', '.join(map(repr, value)) or 'no keys'}"
