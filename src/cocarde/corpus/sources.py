"""One front door to every kind of file: `Source` names what to read, `read_parallel` reads it."""

from __future__ import annotations

import contextlib
import io
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, cast, get_args

from cocarde._util.checks import read_choice
from cocarde.corpus.compression import DecompressedStream, detect_compression
from cocarde.corpus.text import (
    STANDARD_INPUT,
    different_counts,
    open_bytes,
    path_name,
    read_lines,
    shown_path,
)
from cocarde.errors import CocardeError, InputError, OptionError

if TYPE_CHECKING:
    from cocarde.corpus.markup import MarkupKind, MarkupSet, SegmentKey

__all__ = ["Format", "ParallelCorpus", "Source", "detect_format", "read_parallel"]

Format = Literal["text", "tsv", "jsonl", "sgml", "xml"]

_START_BYTES = 256
_JSON_OBJECT = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*"')

_FORMATS: tuple[Format, ...] = get_args(Format)

COMPRESSION_SUFFIXES = (".gz", ".bz2", ".xz", ".zst")

_FORMAT_OF_SUFFIX: dict[str, Format] = {
    ".tsv": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".sgm": "sgml",
    ".sgml": "sgml",
    ".xml": "xml",
}

# Names that promise something else than one segment a line; scored as text they would give a
# number that means nothing.
_UNREADABLE_SUFFIXES = {
    ".csv": "convert it to TSV",
    ".json": "convert it to JSON Lines (one JSON object a line)",
    ".parquet": "read it with pyarrow and pass the column from Python",
    ".arrow": "read it with pyarrow and pass the column from Python",
    ".xlsx": "save it as TSV",
    ".zip": "unpack it",
    ".tar": "unpack it",
    ".tgz": "unpack it",
}

_SGML_STARTS = tuple(
    start + name for start in (b"<", b"<!doctype ") for name in (b"srcset", b"refset", b"tstset")
)
_XML_STARTS = (b"<?xml", b"<mteval", b"<dataset", b"<!doctype mteval")

_KIND_OF_SELECTOR: dict[str, MarkupKind] = {
    "src": "source",
    "ref": "reference",
    "hyp": "hypothesis",
}

_SELECTOR_OF_KIND = {kind: selector for selector, kind in _KIND_OF_SELECTOR.items()}


def detect_format(path: str | os.PathLike[str]) -> Format:
    """The format of a file, by its name and, if that says nothing, by its first bytes.

    Parameters
    ----------
    path : str or path-like
        The file. Of standard input (``"-"``) the bytes that are there already are looked at; they
        stay to be read.

    Returns
    -------
    {"text", "tsv", "jsonl", "sgml", "xml"}

    Raises
    ------
    InputError
        When the name promises a format that is not read here, or the file cannot be read.

    Examples
    --------
    >>> detect_format("newstest.en-de.sgm.gz"), detect_format("scores.tsv")
    ('sgml', 'tsv')
    """
    name = path_name(path)
    if name == STANDARD_INPUT:
        return _format_of_start(_start(name))
    lowered = name.lower()
    for suffix in COMPRESSION_SUFFIXES:
        lowered = lowered.removesuffix(suffix)
    extension = os.path.splitext(lowered)[1]
    if extension in _FORMAT_OF_SUFFIX:
        return _FORMAT_OF_SUFFIX[extension]
    if extension in _UNREADABLE_SUFFIXES:
        raise InputError(
            f"{extension} files are not read: {_UNREADABLE_SUFFIXES[extension]}, or give the "
            f"format if it is one of {', '.join(_FORMATS)}",
            path=name,
        )
    return _format_of_start(_start(name))


def _start(path: str) -> bytes:
    """Return the first bytes of a file, or of standard input without taking them."""
    if path != STANDARD_INPUT:
        if not os.path.isfile(path):
            return b""  # a pipe gives its bytes once, so looking at them here would lose them
        with open_bytes(path) as stream:
            return stream.read(_START_BYTES)
    try:
        # What is no BufferedReader cannot give them back.
        waiting = bytes(getattr(sys.stdin, "buffer", None).peek(_START_BYTES))  # type: ignore[union-attr]
    except (AttributeError, OSError, ValueError):
        return b""  # the reader says what is wrong
    compression = detect_compression(waiting)
    if compression is None:
        return waiting
    with contextlib.suppress(CocardeError):  # what waits is only the beginning
        return DecompressedStream(io.BytesIO(waiting), compression, path).read(_START_BYTES)
    return b""


def _format_of_start(start: bytes) -> Format:
    start = start.removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    if start.startswith(_XML_STARTS):
        return "xml"
    return "sgml" if start.startswith(_SGML_STARTS) else "text"


@dataclass(frozen=True)
class Source:
    """Where segments come from: a file, how to read it, and which part of it.

    Attributes
    ----------
    path : str
        The file, or ``"-"`` for standard input.
    format : {"text", "tsv", "jsonl", "sgml", "xml"}, optional
        How to read it; `detect_format` decides if it is not given.
    column : int or str, optional
        For tsv, the number (from 1) or the name of the column.
    field : str, optional
        For jsonl, the field. For sgml and xml, the side and the system: ``src``, ``ref``, ``hyp``,
        ``ref:TRANSLATOR``, ``hyp:SYSTEM``, or the bare name of a system.

    Raises
    ------
    OptionError
        When `format` is none of these.

    Examples
    --------
    >>> Source("scores.tsv", column="hypothesis").resolved_format
    'tsv'
    """

    path: str
    format: Format | None = None
    column: int | str | None = None
    field: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "path", path_name(self.path))
        if self.format is not None:
            read_choice("format", self.format, _FORMATS)

    @classmethod
    def parse(cls, text: str, format: Format | None = None) -> Source:  # noqa: A002
        """Read ``FILE``, ``FILE:PART`` or ``FORMAT:FILE:PART`` as on the command line.

        The longest beginning that is an existing file (or ``-``) is the file, so names with
        colons and drive letters need no escape: an existing file of the full name always wins.
        A part of a file whose name says nothing is a field if its first line begins as JSON does,
        and else a column.

        Parameters
        ----------
        text : str
            ``hyp.txt``, ``scores.tsv:3``, ``scores.tsv:hypothesis``, ``data.jsonl:prediction``,
            ``wmt.xml:ref:A``, ``-:2``, ``jsonl:-:prediction``, ``text:data.json``.
        format : {"text", "tsv", "jsonl", "sgml", "xml"}, optional
            Wins over what the name of the file says; one before the name wins over this.

        Raises
        ------
        OptionError
            When the part after the colon is empty, or the format is plain text by choice.
        """
        rest, own = _split_format(path_name(text))
        chosen = format if own is None else own
        path, part = _split_part(rest)
        source = cls(path, chosen)
        if part is None:
            return source
        if not part:
            raise OptionError(f"{text!r}: nothing follows the colon; name a column or field")
        resolved = source.resolved_format
        if resolved == "text":
            if chosen == "text":
                raise OptionError(f"{text!r} names the part {part!r}, but text files have none")
            column = _column(part)
            if isinstance(column, str) and _JSON_OBJECT.match(_start(path)):
                return replace(source, format="jsonl", field=part)
            # Only a table can have been meant; what the columns are called does not matter.
            return replace(source, format="tsv", column=column)
        if resolved == "tsv":
            return replace(source, column=_column(part))
        return replace(source, field=part)

    @property
    def resolved_format(self) -> Format:
        """The format that was given, or else the one that the file seems to have."""
        if self.format is not None:
            return self.format
        found = detect_format(self.path)
        return "tsv" if found == "text" and self.column is not None else found

    @property
    def shown(self) -> str:
        """The file with its part, for messages and tables."""
        part = self.column if self.column is not None else self.field
        return shown_path(self.path) + ("" if part is None else f":{part}")

    def read(self, *, references: bool = False) -> list[str] | list[list[str | None]]:
        """Read the segments.

        Parameters
        ----------
        references : bool
            Whether the segments serve as references: there may then be several texts a segment,
            and None for a missing one.

        Returns
        -------
        list of str, or list of list
            One text a segment; with `references`, where the file has more, a list a segment.

        Raises
        ------
        InputError
            See the reader of each format.
        OptionError
            When the format needs a column or field that was not given, or the other way round.
        """
        loaded = _load(self, references=references)
        if loaded.lists is not None:
            return loaded.lists
        assert loaded.texts is not None
        return loaded.texts

    def documents(self) -> list[str] | None:
        """The document of every segment, in the order of `read`; None for formats without."""
        if self.resolved_format not in ("sgml", "xml"):
            return None
        keys = _load(self, references=True).keys
        assert keys is not None
        return [document for document, _ in keys]

    def markup(self, *, prefer: MarkupKind | None = None) -> MarkupSet:
        """The whole `MarkupSet` of an sgml or xml file.

        Parameters
        ----------
        prefer : {"source", "reference", "hypothesis"}, optional
            Which side, if the file holds several and `field` does not say.

        Raises
        ------
        OptionError
            When the file has another format.
        """
        from cocarde.corpus.markup import read_sgml, read_xml

        form = self.resolved_format
        if form not in ("sgml", "xml"):
            raise OptionError(f"{self.shown} is {form}, not sgml or xml")
        kind, _ = self.selection()
        read = read_xml if form == "xml" else read_sgml
        return read(self.path, kind, prefer=prefer)

    def selection(self) -> tuple[MarkupKind | None, str | None]:
        """The side and the system that `field` names."""
        if self.field is None:
            return None, None
        side, _, system = self.field.partition(":")
        if side in _KIND_OF_SELECTOR:
            return _KIND_OF_SELECTOR[side], system or None
        return None, self.field


def _split_format(text: str) -> tuple[str, Format | None]:
    """Take a format off that stands before the name of a file."""
    word, colon, rest = text.partition(":")
    if word in _FORMATS and colon and not os.path.exists(text) and not os.path.exists(word):
        return rest, word
    return text, None


def _split_part(text: str) -> tuple[str, str | None]:
    if text == STANDARD_INPUT or os.path.exists(text):
        return text, None
    colon = text.rfind(":")
    while colon > 0:
        path = text[:colon]
        if path == STANDARD_INPUT or os.path.exists(path):
            return path, text[colon + 1 :]
        colon = text.rfind(":", 0, colon)
    return text, None


def _column(part: str) -> int | str:
    return int(part) if part.isascii() and part.isdigit() else part


@dataclass(frozen=True)
class _Loaded:
    """The segments of one source: one text each or a list each, and their keys in markup."""

    texts: list[str] | None
    lists: list[list[str | None]] | None = None
    keys: list[SegmentKey] | None = None
    markup: MarkupSet | None = None

    def __len__(self) -> int:
        return len(self.texts if self.texts is not None else self.lists or [])

    @property
    def encoded(self) -> bool:
        """Whether entities of SGML are in the texts."""
        return self.markup is not None and self.markup.encoded

    def rows(self, *, equal: bool = False) -> list[list[str | None]]:
        """The texts of each segment; if `equal`, as many of each, with None for the missing ones."""
        if self.lists is None:
            return [[text] for text in self.texts or []]
        if not equal:
            return self.lists
        width = max(map(len, self.lists), default=0)
        return [row + [None] * (width - len(row)) for row in self.lists]


def _load(source: Source, *, references: bool) -> _Loaded:
    form = source.resolved_format
    if source.column is not None and form != "tsv":
        raise OptionError(f"{source.shown}: a column was given, but the format is {form}")
    if source.field is not None and form in ("text", "tsv"):
        raise OptionError(f"{source.shown}: a field was given, but the format is {form}")
    if form == "text":
        return _Loaded(read_lines(source.path))
    if form == "tsv":
        from cocarde.corpus.tables import read_table

        if source.column is None:
            raise OptionError(
                f"{source.shown} is a table; name the column, as in {source.path}:2 "
                f"or {source.path}:NAME, or read it as format text"
            )
        return _Loaded(read_table(source.path, source.column))
    if form == "jsonl":
        from cocarde.corpus.tables import read_jsonl

        if source.field is None:
            raise OptionError(
                f"{source.shown} is JSON Lines; name the field, as in {source.path}:NAME"
            )
        values = read_jsonl(source.path, source.field, references=references)
        if values and isinstance(values[0], list):
            return _Loaded(None, values)
        return _Loaded(cast("list[str]", values))
    markup = source.markup(prefer="reference" if references else "hypothesis")
    _, system = source.selection()
    if system is None and references and (len(markup.systems) > 1 or markup.partial):
        systems = markup.systems
        if not markup.partial:
            from cocarde.corpus.markup import require_keys

            for name, segments in systems.items():
                holder = f"{markup.kind} {name!r}"
                require_keys(segments, markup.order, holder, "another", path=source.shown)
        lists = [[segments.get(key) for segments in systems.values()] for key in markup.order]
        return _Loaded(None, lists, list(markup.order), markup)
    if system is not None and references and markup.partial:
        segments = markup.segments(system)
        lists = [[segments.get(key)] for key in markup.order]
        return _Loaded(None, lists, list(markup.order), markup)
    segments = markup.segments(system)
    return _Loaded(list(segments.values()), None, list(segments), markup)


@dataclass(frozen=True)
class ParallelCorpus:
    """Systems and references of the same segments.

    Attributes
    ----------
    hypotheses : list of list of str, number of systems × n
        The outputs of each system.
    references : list of list, n × number of references
        The references of each segment; None where one is missing.
    documents : list of str or None, length n
        The document of each segment, if a file says so.
    encoded : pair of tuples of bool
        Which systems, and which references of a segment, come from SGML, whose entities stay as they are.
    """

    hypotheses: list[list[str]]
    references: list[list[str | None]]
    documents: list[str] | None
    encoded: tuple[tuple[bool, ...], tuple[bool, ...]] = ((), ())

    def decoded(self) -> ParallelCorpus:
        """Return the corpus with the entities of SGML decoded: those of XML's five names.

        For metrics whose tokenizers do not decode them; see `Metric.decodes_entities`.
        """
        systems, columns = self.encoded
        if not any((*systems, *columns)):
            return self
        from cocarde.corpus.markup import decode_entities

        return replace(
            self,
            hypotheses=[
                [decode_entities(text) for text in texts] if is_encoded else texts
                for texts, is_encoded in zip(self.hypotheses, systems, strict=True)
            ],
            references=[
                [
                    decode_entities(text) if is_encoded and text is not None else text
                    for text, is_encoded in zip(row, columns, strict=True)
                ]
                for row in self.references
            ],
            encoded=((), ()),
        )


def read_parallel(hypotheses: Sequence[Source], references: Sequence[Source]) -> ParallelCorpus:
    """Read the outputs of systems and their references, in whatever formats, and align them.

    Markup files are aligned by document and segment, in the order of the first of them; all other
    files by their line number.

    Parameters
    ----------
    hypotheses, references : sequence of Source
        At least one each.

    Raises
    ------
    InputError
        When the numbers of segments differ, markup files are of different test sets or on the wrong
        side (references given as hypotheses), one lacks a segment of another, a segment has no
        reference, there are no segments, or as the readers.
    OptionError
        When `hypotheses` or `references` is empty.
    """
    for name, sources in (("hypotheses", hypotheses), ("references", references)):
        if not sources:
            raise OptionError(f"{name} is empty; give at least one file")
        for number, source in enumerate(sources):
            if not isinstance(source, Source):
                raise OptionError(
                    f"{name}[{number}] is {source!r}, not a Source; Source.parse({source!r}) makes one"
                )
    everything = [*hypotheses, *references]
    if sum(source.path == STANDARD_INPUT for source in everything) > 1:
        raise InputError("given more than once, but can be read only once", path="standard input")
    loaded = [_load(source, references=False) for source in hypotheses]
    loaded += [_load(source, references=True) for source in references]
    names = [source.shown for source in everything]
    _require_sides(everything, loaded, len(hypotheses))
    keys, loaded = _in_one_order(names, loaded)
    counts = [len(one) for one in loaded]
    if len(set(counts)) > 1:

        def place(number: int, index: int) -> str:
            source = everything[number]
            if loaded[number].keys is not None:
                return f"segment {index + 1}"
            names_first = source.resolved_format == "tsv" and isinstance(source.column, str)
            return f"line {index + 1 + names_first}"

        raise different_counts(
            names,
            counts,
            "segments",
            lambda number: None if (texts := loaded[number].texts) is None else iter([texts]),
            place,
        )
    if counts[0] == 0:
        raise InputError("there are no segments to score", path=names[0])
    systems, reference_columns = loaded[: len(hypotheses)], loaded[len(hypotheses) :]
    _require_references(references, reference_columns)
    # `decoded` has to know from which file a reference is, by its place in the row.
    equal = any(one.encoded for one in loaded)
    columns = [one.rows(equal=equal) for one in reference_columns]
    return ParallelCorpus(
        hypotheses=[list(one.texts or []) for one in systems],
        references=[[text for row in rows for text in row] for rows in zip(*columns, strict=True)],
        documents=None if keys is None else [document for document, _ in keys],
        encoded=(
            tuple(one.encoded for one in systems),
            tuple(
                one.encoded
                for one, rows in zip(reference_columns, columns, strict=True)
                for _ in rows[0]
            ),
        ),
    )


_SETS: dict[MarkupKind, str] = {
    "source": "a source (srcset)",
    "reference": "references (refset)",
    "hypothesis": "outputs of systems (tstset)",
}


def _require_sides(sources: Sequence[Source], loaded: list[_Loaded], systems: int) -> None:
    """Refuse markup files of different test sets, or on the wrong side without being asked for."""
    from cocarde.corpus.markup import require_same_set

    first: MarkupSet | None = None
    for number, (source, one) in enumerate(zip(sources, loaded, strict=True)):
        if one.markup is None:
            continue
        wanted, other = (
            ("hypotheses", "references") if number < systems else ("references", "hypotheses")
        )
        kind = one.markup.kind
        named, _ = source.selection()  # ":ref" after the name says that it is meant
        if named is None and kind != ("hypothesis" if number < systems else "reference"):
            opposite = sources[systems] if number < systems else sources[0]
            raise InputError(
                f"holds {_SETS[kind]} but is given as {wanted}, with {opposite.shown} as {other}; are "
                f"they the wrong way round? ({source.path}:{_SELECTOR_OF_KIND[kind]} takes it as it is)",
                path=source.shown,
            )
        if first is None:
            first = one.markup
        require_same_set(first, one.markup)


def _require_references(sources: Sequence[Source], loaded: list[_Loaded]) -> None:
    """Refuse a segment that has no reference in any file."""
    if not all(one.lists is not None for one in loaded):
        return
    for index, rows in enumerate(zip(*(one.rows() for one in loaded), strict=True)):
        if all(text is None for row in rows for text in row):
            path, line = sources[0].shown, None
            what = f"segment {index + 1} (from 1)"
            if loaded[0].keys is not None:
                document, segment = loaded[0].keys[index]
                what = f"segment {segment!r} of document {document!r}"
            elif sources[0].resolved_format == "jsonl":  # one a line
                path, line = shown_path(sources[0].path), index + 1
                what = f"field {sources[0].field!r}: this segment"
            others = [source.shown for source in sources[1:]]
            also = f" here nor in {', '.join(others)}" if others else ""
            raise InputError(
                f"{what} has no reference{also}; give one, or leave the segment out of every file",
                path=path,
                line=line,
            )


def _in_one_order(
    names: list[str], loaded: list[_Loaded]
) -> tuple[list[SegmentKey] | None, list[_Loaded]]:
    """Bring every markup source into the order of the first one."""
    first = next((i for i, one in enumerate(loaded) if one.keys is not None), None)
    if first is None:
        return None, loaded
    from cocarde.corpus.markup import require_keys

    order = loaded[first].keys
    assert order is not None
    wanted = dict.fromkeys(order)
    result = []
    for name, one in zip(names, loaded, strict=True):
        if one.keys is not None and one.keys != order:
            places = {key: index for index, key in enumerate(one.keys)}
            require_keys(places, order, name, names[first])
            require_keys(wanted, places, names[first], name)
            picked = [places[key] for key in order]
            one = replace(
                one,
                texts=None if one.texts is None else [one.texts[index] for index in picked],
                lists=None if one.lists is None else [one.lists[index] for index in picked],
                keys=order,
            )
        result.append(one)
    return order, result
