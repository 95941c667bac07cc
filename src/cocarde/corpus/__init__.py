"""Corpora: files read exactly, aligned by line or by document, and written whole or not at all.

Names are imported when they are first used, so that a command which reads one text file does not
load the readers of every other format.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cocarde.corpus.markup import (
        AlignedMarkup,
        MarkupSet,
        align_markup,
        read_markup,
        read_sgml,
        read_xml,
    )
    from cocarde.corpus.segments import References, Segments
    from cocarde.corpus.sources import ParallelCorpus, Source, detect_format, read_parallel
    from cocarde.corpus.tables import read_jsonl, read_table
    from cocarde.corpus.text import (
        LineBatch,
        iterate_aligned,
        iterate_line_batches,
        open_bytes,
        read_lines,
        read_text,
    )
    from cocarde.corpus.writers import atomic_write, write_lines

__all__ = [
    "AlignedMarkup",
    "LineBatch",
    "MarkupSet",
    "ParallelCorpus",
    "References",
    "Segments",
    "Source",
    "align_markup",
    "atomic_write",
    "detect_format",
    "iterate_aligned",
    "iterate_line_batches",
    "open_bytes",
    "read_jsonl",
    "read_lines",
    "read_markup",
    "read_parallel",
    "read_sgml",
    "read_table",
    "read_text",
    "read_xml",
    "write_lines",
]

_MODULE_OF_NAME = {
    name: module
    for module, names in {
        "markup": "AlignedMarkup MarkupSet align_markup read_markup read_sgml read_xml",
        "segments": "References Segments",
        "sources": "ParallelCorpus Source detect_format read_parallel",
        "tables": "read_jsonl read_table",
        "text": ("LineBatch iterate_aligned iterate_line_batches open_bytes read_lines read_text"),
        "writers": "atomic_write write_lines",
    }.items()
    for name in names.split()
}


def __getattr__(name: str) -> Any:
    module = _MODULE_OF_NAME.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"{__name__}.{module}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
