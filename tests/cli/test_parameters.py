"""Plain command lines are read without typer, and exactly as typer reads them."""

from __future__ import annotations

from inspect import signature
from typing import Any, get_type_hints

import pytest
import typer
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.main import get_command

from cocarde.cli import commands as running
from cocarde.cli.console import UsageError
from cocarde.cli.parameters import for_typer, read


def by_typer(name: str, arguments: list[str]) -> dict[str, Any] | None:
    """What typer gives to a command; None if it refuses the command line."""
    command = running.load(name, arguments)
    calls: list[dict[str, Any]] = []

    def recorder(**given: Any) -> None:
        calls.append(given)

    recorder.__annotations__ = get_type_hints(command, include_extras=True)
    recorder.__signature__ = signature(command)  # type: ignore[attr-defined]
    app = typer.Typer()
    app.command(name)(for_typer(recorder))
    try:
        get_command(app).main(args=arguments, prog_name=name, standalone_mode=False)
    except Exception as error:
        if hasattr(error, "format_message"):
            return None
        raise
    if not calls:  # the help was asked for
        return None
    # Lists that were not given are None or empty, as the version of typer has it.
    return {key: None if value in ([], ()) else value for key, value in calls[0].items()}


LINES = [
    ("score", "hyp -r ref"),
    ("score", "a b - --references=r -r s -m bleu -m bleu:nltk --preset=coco"),
    ("score", "a -r b --level segment -f jsonl --width 3 -b --min 25 --min bleu=3 -o out"),
    ("score", "a -r b --no-lowercase --effective-order --no-clip --force -q --no-progress"),
    ("score", "a -r b -lc -tok zh --weights 1/2,1/2 --smooth-value 0.25 --max-ngram-order 2"),
    ("score", "-r b a --threads 2 --input-format tsv --documents d --signature --progress"),
    ("score", "a -r b -m rouge:rouge-1.5.5 --orders 1,2 --weight 1.2 --no-exceptions --jackknife"),
    ("score", "a -r b -m rouge --confidence 95 --resamples 10 --seed 3 --rouge-types rouge1"),
    ("tokenize", ""),
    ("tokenize", "file --tokenize zh --lowercase --format json -o out"),
    ("tokenize", "--list"),
    ("metrics", "--format json"),
    ("presets", "bleu -f json"),
    ("presets", ""),
    ("explain", "hyp -r ref -n 3 --preset nltk --format html --top 3"),
    ("explain", "--hypothesis text --reference a --reference b"),
]


@pytest.mark.parametrize(("name", "line"), LINES)
def test_plain_lines_are_read_as_typer_reads_them(name: str, line: str) -> None:
    found = read(running.load(name, line.split()), line.split())
    assert found is not None
    assert found == by_typer(name, line.split())


@pytest.mark.parametrize(
    "line",
    [
        "", "hyp", "-r ref", "hyp -r", "hyp -r ref --help", "hyp -r ref -h", "hyp -r ref --widht 3",
        "hyp -r ref --width three", "hyp -r ref --width -1", "hyp -r ref --width 18",
        "hyp -r ref --threads 0", "hyp -r ref --format jsn", "hyp -r ref --force=yes",
        "hyp -rref", "hyp -r ref -- other", "hyp -r -x",
        "hyp -r ref --level corpus --level segment", "hyp -r ref -qb",
    ],
)  # fmt: skip
def test_anything_else_is_left_to_typer(line: str) -> None:
    assert read(running.load("score"), line.split()) is None


WORDS = sorted({word for _, line in LINES for word in line.split()} | {"--", "--help", "-x", "0"})


@settings(max_examples=300)
@given(st.lists(st.sampled_from(WORDS), max_size=6).map(lambda words: ["h", "-r", "r", *words]))
def test_what_is_read_is_what_typer_reads(words: list[str]) -> None:
    try:
        found = read(running.load("score", words), words)
    except UsageError:  # written as for another program: refused before either reads it
        return
    if found is not None:
        assert found == by_typer("score", words)
