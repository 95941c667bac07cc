"""``cocarde metrics``: the metrics and their options."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Annotated, Any

from cocarde.cli import console
from cocarde.cli.metric_options import flag_of
from cocarde.cli.parameters import Option
from cocarde.cli.presets import ListFormat
from cocarde.core.options import default_of, options_of

__all__ = ["metrics"]


def metrics(
    form: Annotated[ListFormat, Option("--format", "-f", help="How they are written.")] = (
        ListFormat.table
    ),
) -> None:
    """List the metrics: what each is, and its options with their defaults."""
    from cocarde.cli.formats import print_document, write_data
    from cocarde.core import registry
    from cocarde.core.documents import Document, Table

    console.print_warnings(registry.broken())
    described = [
        one for name, found in registry.classes().items() for one in _describe_all(name, found)
    ]
    if form is ListFormat.json:
        console.emit(write_data(described, form.value))
        return
    for index, one in enumerate(described):
        if index:
            console.emit("\n")
        table = Table.listing(
            ["option", "default", "what it is"],
            (
                [option["flag"] or f"{option['name']}= (API)", _shown(option), option["help"]]
                for option in one["options"]
            ),
        )
        print_document(Document(f"{one['metric']}: {one['summary']}", (table,)))


def _describe_all(name: str, found: Any) -> Iterator[dict[str, Any]]:
    """Describe a metric, then those of its presets that have a class of their own."""
    yield _describe(name, found, list(found.presets()))
    for preset in found.presets().values():
        if preset.home:
            yield _describe(f"{name}:{preset.name}", found.class_of(preset.name), [])


def _describe(name: str, kind: Any, presets: list[str]) -> dict[str, Any]:
    documentation = inspect.getdoc(kind) or ""
    return {
        "metric": name,
        "summary": documentation.partition("\n")[0],
        "presets": presets,
        "options": [
            {
                "name": option,
                "flag": flag_of(option, one) or None,
                "values": one.kind.described,
                "default": _ready(default_of(kind, option)),
                "key": one.key if isinstance(one.key, str) else one.key.name,
                "help": one.help.replace("`", ""),
            }
            for option, one in options_of(kind).items()
        ],
    }


def _ready(default: Any) -> Any:
    return list(default) if isinstance(default, tuple) else default


def _shown(option: dict[str, Any]) -> str:
    default = option["default"]
    if isinstance(default, bool):
        return "yes" if default else "no"
    return "" if default is None or default == [] else str(default)
