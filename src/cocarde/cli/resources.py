"""``cocarde resources``: the data that metrics need, where they come from, and what is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from cocarde.cli import console
from cocarde.cli.parameters import Option
from cocarde.cli.presets import ListFormat
from cocarde.errors import InputError

if TYPE_CHECKING:
    from cocarde.resources import Resource

__all__ = ["resources"]


def resources(
    verify: Annotated[
        bool, Option("--verify", help="Read them all and compare their checksums.")
    ] = False,
    form: Annotated[ListFormat, Option("--format", "-f", help="How they are written.")] = (
        ListFormat.table
    ),
) -> None:
    """List the data that metrics need: where from, under which licence, and whether they are there."""
    from cocarde.cli.formats import print_document, write_data
    from cocarde.core.documents import Document, Notes, Table
    from cocarde.resources import describe

    records = [_record(resource, verify) for resource in describe()]
    damaged = [record for record in records if record["intact"] is False]
    if damaged:
        raise InputError(
            "; ".join(
                f"{record['name']} ({record['path']}) is not what was published: {record['command']}"
                for record in damaged
            )
        )
    if form is ListFormat.json:
        console.emit(write_data(records, form.value))
        return
    missing = tuple(
        f"{record['name']} is missing: {record['command']}"
        for record in records
        if not record["present"]
    )
    table = Table.listing(
        ["resource", "state", "bytes", "sha256", "licence", "purpose", "origin"],
        (
            [
                record["name"],
                _state(record),
                str(record["size"]),
                record["sha256"][:12],
                record["licence"],
                record["purpose"],
                record["origin"],
            ]
            for record in records
        ),
    )
    print_document(Document("", (table, Notes(missing)) if missing else (table,)))


def _record(resource: Resource, verify: bool) -> dict[str, Any]:
    intact = None
    if verify and resource.present:
        intact = resource.compute_sha256() == resource.sha256
    return {
        "name": resource.name,
        "purpose": resource.purpose,
        "origin": resource.origin,
        "licence": resource.licence,
        "present": resource.present,
        "path": None if resource.path is None else str(resource.path),
        "member": resource.member,
        "size": resource.size,
        "sha256": resource.sha256,
        "intact": intact,
        "command": resource.command,
    }


def _state(record: dict[str, Any]) -> str:
    if not record["present"]:
        return "missing"
    return "intact" if record["intact"] else "there"
