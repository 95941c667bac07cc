"""``cocarde tokenize``: what a metric makes of a text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum
from typing import Annotated

from cocarde.cli import console
from cocarde.cli import options as shared
from cocarde.cli.console import UsageError
from cocarde.cli.formats import choose_format
from cocarde.cli.parameters import Argument, Option

__all__ = ["tokenize"]


class Format(str, Enum):
    """How tokens are written."""

    text = "text"
    json = "json"
    jsonl = "jsonl"


def tokenize(
    *,
    file: Annotated[
        str,
        Argument(metavar="FILE", help="A text, one segment a line; - is standard input."),
    ] = "-",
    name: Annotated[
        str | None,
        Option(
            "--tokenize",
            "-tok",
            metavar="NAME",
            help="The tokenizer. (default: 13a)",
            complete=shared.complete_tokenizers,
        ),
    ] = None,
    lowercase: Annotated[
        bool | None,
        Option(
            "--lowercase/--no-lowercase",
            "-lc",
            help="Whether to lower-case, as its reference implementation does.",
        ),
    ] = None,
    preset: Annotated[
        str | None,
        Option(
            "--preset",
            metavar="NAME",
            help="Tokenize as this preset of BLEU does.",
            complete=shared.complete_presets,
        ),
    ] = None,
    listed: Annotated[bool, Option("--list", help="List the tokenizers instead.")] = False,
    form: Annotated[
        Format | None,
        Option(
            "--format",
            "-f",
            help="How tokens are written. (default: by the name of the output, else text)",
        ),
    ] = None,
    input_format: shared.InputFormatOption = None,
    output: shared.Output = None,
) -> None:
    """Print the tokens of each segment, joined by blanks, one segment a line."""
    form = choose_format(form, output, Format.text)
    if listed:
        _list(form)
        return
    options = {
        key: value
        for key, value in (("tokenize", name), ("lowercase", lowercase))
        if value is not None
    }
    (metric,) = shared.build_metrics(None, None if preset is None else [preset], options).values()
    from cocarde.cli.inputs import read_sources

    chosen = None if input_format is None else input_format.value
    sources = read_sources([file], chosen)  # type: ignore[arg-type]
    if len(sources) > 1:
        raise UsageError(f"{file!r} names several columns", "name one column or field")
    source = sources[0]
    output = console.require_writable(output, [source.path])

    def segments() -> Iterator[str]:
        if source.resolved_format == "text":
            from cocarde.corpus import iterate_line_batches

            for batch in iterate_line_batches(source.path):
                yield from batch
        else:
            yield from map(str, source.read())

    console.emit(_written(segments(), metric.column_options.tokens, form), output)


def _written(
    segments: Iterator[str], tokens: Callable[[str], list[str]], form: Format
) -> Iterator[str]:
    if form is Format.text:
        for segment in segments:
            yield " ".join(tokens(segment)) + "\n"
        return
    from cocarde.core.renderers.data import json_lines, to_json

    if form is Format.jsonl:
        yield from json_lines(map(tokens, segments))
        return
    lead = "["
    for segment in segments:
        yield f"{lead}\n  {to_json(tokens(segment))}"
        lead = ","
    yield "[]\n" if lead == "[" else "\n]\n"


def _list(form: Format) -> None:
    from cocarde import tokenizers
    from cocarde.cli.formats import print_document, write_data
    from cocarde.core.documents import Document, Table

    found = tokenizers.describe()
    records = [
        {"name": name, "summary": one.summary, "reproduces": one.reproduces, "extra": one.extra}
        for name, one in found.items()
    ]
    if form is not Format.text:
        console.emit(write_data(records, form.value))
        return
    table = Table.listing(
        ["name", "what it does", "reproduces", "needs"],
        (
            [
                name,
                one.summary,
                one.reproduces,
                "" if one.extra is None else f'pip install "cocarde[{one.extra}]"',
            ]
            for name, one in found.items()
        ),
    )
    print_document(Document("", (table,)))
