"""``cocarde metrics``: the metrics and their options."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Annotated, Any

from cocarde.cli import console
from cocarde.cli.options import flag_of
from cocarde.cli.parameters import Option
from cocarde.cli.presets import ListFormat

__all__ = ["metrics"]


def metrics(
    form: Annotated[ListFormat, Option("--format", "-f", help="How they are written.")] = (
        ListFormat.table
    ),
) -> None:
    """List the metrics: what each is, and its options with their defaults."""
    from cocarde.cli.formats import print_table, to_json
    from cocarde.core import registry

    described = [
        one for name, found in registry.classes().items() for one in _describe_all(name, found)
    ]
    if form is ListFormat.json:
        console.emit([to_json(described, indent=2) + "\n"])
        return
    for index, one in enumerate(described):
        console.emit([f"{'' if index == 0 else chr(10)}{one['metric']}: {one['summary']}\n\n"])
        print_table(
            ["option", "default", "what it is"],
            [
                [option["flag"] or f"{option['name']}= (API)", _shown(option), option["help"]]
                for option in one["options"]
            ],
        )


def _describe_all(name: str, found: Any) -> Iterator[dict[str, Any]]:
    """Describe a metric, then those of its presets that have options of their own."""
    yield _describe(name, found, list(found.presets()))
    for preset in found.presets():
        options = found.options_class(preset)
        if options is not found:
            yield _describe(f"{name}:{preset}", options, [])


def _describe(name: str, found: Any, presets: list[str]) -> dict[str, Any]:
    documentation = inspect.getdoc(found) or ""
    summary = documentation.partition("\n")[0]
    described = _parameters(documentation)
    options = []
    for option in inspect.signature(found).parameters.values():
        if option.kind not in (option.KEYWORD_ONLY, option.POSITIONAL_OR_KEYWORD):
            continue
        kind, text = described.get(option.name, ("", ""))
        default = option.default
        if isinstance(default, tuple):
            default = list(default)
        options.append(
            {
                "name": option.name,
                "flag": flag_of(option.name),
                "type": kind,
                "default": default,
                "help": text,
            }
        )
    return {
        "metric": name,
        "summary": summary,
        "presets": presets,
        "options": options,
    }


def _shown(option: dict[str, Any]) -> str:
    default = option["default"]
    if isinstance(default, bool):
        return "yes" if default else "no"
    return "" if default is None or default == [] else str(default)


_SECTION = re.compile(
    r"^Parameters\n-+\n(.*?)(?:\n\n?\w[\w ]*\n-{3,}\n|\Z)", re.DOTALL | re.MULTILINE
)
_PARAMETER = re.compile(r"^(\w+) : (.*)$")


def _parameters(documentation: str) -> dict[str, tuple[str, str]]:
    """Read types and descriptions out of the Parameters section of a docstring (numpydoc).

    The docstring is the one place where options are described; it is empty under ``python -OO``.
    """
    section = _SECTION.search(documentation)
    found: dict[str, tuple[str, list[str]]] = {}
    current: list[str] = []
    for line in (section[1] if section else "").splitlines():
        start = _PARAMETER.match(line)
        if start:
            current = []
            kind = re.sub(r", (optional|default .*)$", "", start[2])
            found[start[1]] = (kind, current)
        elif line.strip():
            current.append(line.strip())
    return {
        name: (kind, re.sub(r"`([\w.]+)`", r"\1", " ".join(lines).replace("``", "")))
        for name, (kind, lines) in found.items()
    }
