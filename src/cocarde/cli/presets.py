"""``cocarde presets``: the conventions, and what each reproduces."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

from cocarde.cli import console
from cocarde.cli.console import UsageError
from cocarde.cli.options import complete_metrics
from cocarde.cli.parameters import Argument, Option

__all__ = ["ListFormat", "presets"]


class ListFormat(str, Enum):
    """How a list is written."""

    table = "table"
    json = "json"


def presets(
    metric: Annotated[
        str | None,
        Argument(
            metavar="METRIC",
            help="Of this metric alone.",
            complete=complete_metrics,
        ),
    ] = None,
    named: Annotated[
        str | None,
        Option("--metric", "-m", metavar="METRIC", help="The same.", complete=complete_metrics),
    ] = None,
    form: Annotated[ListFormat, Option("--format", "-f", help="How they are written.")] = (
        ListFormat.table
    ),
) -> None:
    """List the presets: named options that reproduce a reference implementation."""
    from cocarde.cli.formats import print_document, write_data
    from cocarde.cli.options import build_metrics
    from cocarde.core import registry
    from cocarde.core.documents import Document, Table

    if metric is not None and named is not None and metric != named:
        raise UsageError(f"presets of {metric} or of {named}?", "name one metric")
    metric = metric or named
    if metric is not None:
        build_metrics([metric.partition(":")[0]], None, {})  # says which there are
    records = [
        {
            "metric": name,
            "preset": preset.name,
            "reproduces": preset.reproduces,
            "options": dict(preset.options),
        }
        for name, found in registry.classes().items()
        if metric is None or name == metric.lower().partition(":")[0]
        for preset in found.presets().values()
    ]
    if form is ListFormat.json:
        console.emit(write_data(records, form.value))
        return
    table = Table.listing(
        ["metric", "preset", "what it reproduces", "options"],
        (
            [
                record["metric"],
                record["preset"],
                record["reproduces"],
                " ".join(f"{key}={value}" for key, value in record["options"].items()),
            ]
            for record in records
        ),
    )
    print_document(Document("", (table,)))
