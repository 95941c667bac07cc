"""Files named on the command line: what to read from each, and whether they can be streamed."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cocarde.cli.console import UsageError, as_utf8, unprotect
from cocarde.corpus.sources import Format, Source
from cocarde.errors import InputError

if TYPE_CHECKING:
    from cocarde.core.metric import Metric
    from cocarde.corpus import ParallelCorpus

__all__ = [
    "System",
    "by_encoding",
    "can_stream",
    "read_documents",
    "read_labels",
    "read_sources",
    "read_systems",
    "require_one_stdin",
]

_STANDARD_INPUT = "-"


@dataclass(frozen=True)
class System(Source):
    """The hypotheses of a system.

    Attributes
    ----------
    label : str or None
        What it is called, where that is not its file.
    """

    label: str | None = None

    @property
    def name(self) -> str:
        """What tables call it; messages about the file name that."""
        if self.label is None:
            return as_utf8(self.shown)
        return self.label


def read_systems(names: Iterable[str], form: Format | None) -> list[System]:
    """Read systems as they are named on the command line: ``FILE`` as below, or ``NAME=FILE``.

    An existing file of the whole name wins, then one behind any ``=``, so that names may have some
    too. Of ``NAME=FILE:2,3`` the second system is ``NAME:3``.

    Raises
    ------
    UsageError
        When the name or the file is missing beside ``=``.
    OptionError, InputError
        As `Source.parse`.
    """
    systems = []
    for given in names:
        name, equals, file = _split_name(given)
        if equals:
            if not name.strip() or not file:
                raise UsageError(f"{given!r}: one side of = is missing", "write it as NAME=FILE")
            sources = read_sources([file], form)
        else:
            sources = read_sources([given], form)
        for source in sources:
            part = source.column if source.column is not None else source.field
            label = as_utf8(name) if len(sources) == 1 else f"{as_utf8(name)}:{part}"
            systems.append(System(**vars(source), label=label if name else None))
    return systems


def _split_name(given: str) -> tuple[str, str, str]:
    """Return name, ``=`` and file; the first two are empty where there is a file alone."""
    if "=" not in given or _exists(given):
        return "", "", given
    splits = [
        (given[:place], "=", given[place + 1 :]) for place, sign in enumerate(given) if sign == "="
    ]
    return next((one for one in splits if _exists(one[2])), splits[0])


def _exists(name: str) -> bool:
    """Tell whether there is a file of this name, with a part behind it or without."""
    try:
        return os.path.lexists(name) or os.path.lexists(name.rpartition(":")[0])
    except ValueError:  # a NUL
        return False


def read_sources(names: Iterable[str], form: Format | None) -> list[Source]:
    """Read files as they are named on the command line.

    Parameters
    ----------
    names : iterable of str
        ``FILE``, ``FILE:PART`` or, for several columns or fields, ``FILE:PART,PART``; each perhaps
        with its format before it, ``FORMAT:FILE:PART``.
    form : str or None
        A format that wins over the names, for all that do not say their own.

    Returns
    -------
    list of Source
        One for each file and each of its parts.

    Raises
    ------
    OptionError, InputError
        As `Source.parse`.
    """
    result = []
    for name in map(unprotect, names):
        source = Source.parse(name, form)
        if isinstance(source.column, str):
            source = replace(source, column=as_utf8(source.column))
        if source.field is not None:
            source = replace(source, field=as_utf8(source.field))
        if isinstance(source.column, str) and "," in source.column:
            parts = [part.strip() for part in source.column.split(",")]
            _require_parts(name, parts)
            result += [
                replace(source, column=int(part) if part.isdecimal() else part) for part in parts
            ]
        elif source.field is not None and "," in source.field:
            parts = [part.strip() for part in source.field.split(",")]
            _require_parts(name, parts)
            result += [replace(source, field=part) for part in parts]
        else:
            result.append(source)
    return result


def _require_parts(name: str, parts: Sequence[str]) -> None:
    if not all(parts):
        raise UsageError(
            f"{name!r}: a column or field is missing beside a comma", "write it as FILE:2,3"
        )


def require_one_stdin(sources: Iterable[Source]) -> None:
    """Refuse standard input given twice.

    Raises
    ------
    InputError
        It can be read only once.
    """
    if sum(source.path == _STANDARD_INPUT for source in sources) > 1:
        raise InputError(
            "given more than once, but can be read only once; save it to a file first",
            path="standard input",
        )


def can_stream(
    hypotheses: Sequence[Source], references: Sequence[Source], metrics: Iterable[Metric[Any]]
) -> bool:
    """Tell whether the files can be scored batch by batch: all of them plain text.

    Several systems, and metrics that are fitted on all references before they score, read the
    references again and again, which pipes do not allow.
    """
    if any(source.resolved_format != "text" for source in (*hypotheses, *references)):
        return False
    once = len(hypotheses) == 1 and not any(one.fits_on_corpus for one in metrics)
    return once or all(_is_regular(source.path) for source in references)


def _is_regular(path: str) -> bool:
    try:
        return path != _STANDARD_INPUT and stat.S_ISREG(Path(path).stat().st_mode)
    except OSError:
        return True  # missing: the reader says so


def read_labels(source: Source, count: int, of_what: str) -> list[str]:
    """Read the document of each segment, one a line.

    Raises
    ------
    InputError
        When there are not `count` of them.
    """
    labels = source.read()
    if len(labels) != count:
        raise InputError(
            f"has {len(labels)} labels, but {of_what} has {count} segments; give one for each",
            path=source.shown,
        )
    return [str(label) for label in labels]


def read_documents(
    corpus: ParallelCorpus, of_what: str, labels: Sequence[Source], *, needed: bool
) -> list[str] | None:
    """Return the document of each segment: from a file of labels, or from SGML and XML files.

    Parameters
    ----------
    corpus : ParallelCorpus
    of_what : str
        The hypotheses as they were named.
    labels : sequence of Source
        The file of labels, if there is one.
    needed : bool
        Whether they have to be known.

    Raises
    ------
    UsageError
        If they are needed, and the files do not say them.
    InputError
        As `read_labels`.
    """
    if labels:
        return read_labels(labels[0], len(corpus.references), of_what)
    if needed and corpus.documents is None:
        raise UsageError(
            "--level document: these files do not say which document a segment belongs to",
            "give --documents FILE, one a line for each segment; SGML and XML files say it",
        )
    return corpus.documents


def by_encoding(
    corpus: ParallelCorpus, metrics: Mapping[str, Metric[Any]]
) -> list[tuple[dict[str, Metric[Any]], ParallelCorpus]]:
    """Return the corpus for metrics that decode the entities of SGML, and decoded for the others."""
    parts = []
    for decodes in (True, False):
        chosen = {
            name: metric for name, metric in metrics.items() if metric.decodes_entities is decodes
        }
        if chosen:
            parts.append((chosen, corpus if decodes else corpus.decoded()))
    return parts


def expected_segments(path: str) -> int | None:
    """Guess from its first lines how many segments a file has; None where there is no telling."""
    if not _is_regular(path):
        return None
    try:
        size = Path(path).stat().st_size
        with Path(path).open("rb") as stream:
            start = stream.read(1 << 16)
    except OSError:
        return None
    lines = start.count(b"\n")
    if not lines or b"\0" in start[:64]:  # an archive
        return None
    return max(1, round(size / (start.rindex(b"\n") + 1) * lines))
