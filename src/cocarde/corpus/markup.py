"""NIST SGML, NIST XML and WMT XML test sets.

Three forms are read into one value, `MarkupSet`:

* **NIST SGML** (``<srcset>``, ``<refset>``, ``<tstset>`` with ``<doc>`` and ``<seg>``), as the
  mteval scripts read it: tags in any case, the white space inside a document collapsed to single
  blanks, everything between ``<seg>`` and ``</seg>`` kept as it is. Entities such as ``&amp;``
  stay undecoded, because the mteval tokenization decodes them.
* **NIST XML**, the same elements in a real XML file with the name of the system or reference on
  the set (``sysid=``, ``refid=``). XML entities are decoded by the parser and white space stays.
* **WMT XML**, one ``<dataset>`` with sources, references and hypotheses in each ``<doc>``.

A truncated or misspelt file is an error, not a shorter test set. XML is parsed by the standard
library's expat with everything switched off that reaches outside the file or grows inside it: no
internal document type, no entity declarations, no external entities, no network. A document type
that merely names a file, as NIST's own files have, is accepted and that file is never read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from cocarde.corpus.text import path_name, read_bytes, read_text, require_utf8, shown_path
from cocarde.errors import InputError, OptionError

if TYPE_CHECKING:
    from pyexpat import XMLParserType

__all__ = [
    "AlignedMarkup",
    "MarkupKind",
    "MarkupSet",
    "SegmentKey",
    "align_markup",
    "decode_entities",
    "read_markup",
    "read_sgml",
    "read_xml",
]

MarkupKind = Literal["source", "reference", "hypothesis"]

SegmentKey = tuple[str, str]
"""The identifiers of a document and of a segment in it."""

_KIND_OF_ELEMENT: Mapping[str, MarkupKind] = {
    "srcset": "source",
    "refset": "reference",
    "tstset": "hypothesis",
    "src": "source",
    "ref": "reference",
    "hyp": "hypothesis",
}

# White space as Perl counts it in a decoded string. Python's \s has the separators U+001C to
# U+001F besides, which belong to the text here.
_SPACE = r"[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]"


@dataclass(frozen=True)
class MarkupSet:
    """One side of a test set: the source, the references, or the outputs of systems.

    Attributes
    ----------
    kind : {"source", "reference", "hypothesis"}
        Which side.
    set_id : str or None
        The name of the test set.
    source_language, target_language : str or None
        As the file spells them; the target of a source is None.
    systems : mapping of str to mapping of (document, segment) to str
        For each system, reference or source in the file, its segments in the order of the file.
    path : str
        The file.
    order : tuple of (document, segment)
        The segments of all systems together, in the order of the file.
    partial : bool
        Whether a system may lack some of the segments, as translators in WMT XML do.
    encoded : bool
        Whether entities stand in the texts as they are; see `decode_entities`.
    """

    kind: MarkupKind
    set_id: str | None
    source_language: str | None
    target_language: str | None
    systems: Mapping[str, Mapping[SegmentKey, str]]
    path: str
    order: tuple[SegmentKey, ...] = ()
    partial: bool = False
    encoded: bool = False

    def segments(self, system: str | None = None) -> Mapping[SegmentKey, str]:
        """The segments of one system; without a name, of the only one.

        Raises
        ------
        InputError
            When there is no such system, or several and none was named.
        """
        if system is None:
            if len(self.systems) == 1:
                return next(iter(self.systems.values()))
            raise InputError(
                f"has {len(self.systems)} of kind {self.kind}; name one of: {self._listed()}",
                path=self.path,
            )
        if system not in self.systems:
            raise InputError(
                f"has no {self.kind} named {system!r}; it has: {self._listed()}", path=self.path
            )
        return self.systems[system]

    def keys(self, system: str | None = None) -> list[SegmentKey]:
        """The (document, segment) identifiers of one system, in the order of the file."""
        return list(self.segments(system))

    def _listed(self) -> str:
        return ", ".join(map(repr, self.systems))


@dataclass(frozen=True)
class AlignedMarkup:
    """Hypotheses and references of the same segments, in the same order.

    Attributes
    ----------
    hypotheses : list of str, length n
    references : list of list, n × number of references
        None where a reference does not have that segment (only if that was allowed).
    documents : list of str, length n
        The document that each segment belongs to.
    segment_ids : list of str, length n
        Its identifier in that document.
    reference_names : list of str
        What the references are called, in the order of the inner lists.
    """

    hypotheses: list[str]
    references: list[list[str | None]]
    documents: list[str]
    segment_ids: list[str]
    reference_names: list[str]


def align_markup(
    hypotheses: MarkupSet,
    references: MarkupSet | Iterable[MarkupSet],
    *,
    system: str | None = None,
    source: MarkupSet | None = None,
) -> AlignedMarkup:
    """Bring a system's segments and the references together by document and segment.

    Parameters
    ----------
    hypotheses : MarkupSet
        The outputs; their order in the file is the order of the result.
    references : MarkupSet or iterable of MarkupSet
        One or more files of references. Every reference in them is used.
    system : str, optional
        Which system of `hypotheses`, when there are several.
    source : MarkupSet, optional
        The source side. If given, its documents are the ones that are scored, as in mteval, and
        further documents of the other files are left out.

    Raises
    ------
    InputError
        When a document or a segment is missing on one side, or the files are of different sets.
        References that may be `partial` need not have every segment, but each segment needs one.

    Examples
    --------
    >>> output = MarkupSet("hypothesis", "t", "de", "en", {"sys": {("d", "1"): "the cat"}}, "o")
    >>> human = MarkupSet("reference", "t", "de", "en", {"ref": {("d", "1"): "a cat"}}, "r")
    >>> align_markup(output, human).references
    [['a cat']]
    """
    reference_sets = [references] if isinstance(references, MarkupSet) else list(references)
    if not reference_sets:
        raise OptionError("references is empty; give at least one MarkupSet")
    for other in [*reference_sets, *([] if source is None else [source])]:
        require_same_set(hypotheses, other)
    found = hypotheses.segments(system)
    scored: set[str] | None = None
    if source is not None:
        wanted = source.segments()
        scored = {document for document, _ in wanted}
        found = {key: text for key, text in found.items() if key[0] in scored}
        require_keys(found, wanted, hypotheses.path, source.path)
        require_keys(wanted, found, source.path, hypotheses.path)
    sides: list[Mapping[SegmentKey, str]] = []
    for one in reference_sets:
        for name, segments in one.systems.items():
            sides.append(segments)
            if not one.partial:
                holder = f"{one.kind} {name!r}"
                require_keys(segments, found, holder, hypotheses.path, path=one.path)
            needed = [key for key in segments if scored is None or key[0] in scored]
            require_keys(found, needed, hypotheses.path, one.path)
    rows = [[segments.get(key) for segments in sides] for key in found]
    for (document, segment), row in zip(found, rows, strict=True):
        if all(text is None for text in row):
            raise InputError(
                f"segment {segment!r} of document {document!r} is in {hypotheses.path} "
                "but no reference has it",
                path=reference_sets[0].path,
            )
    return AlignedMarkup(
        hypotheses=list(found.values()),
        references=rows,
        documents=[document for document, _ in found],
        segment_ids=[segment for _, segment in found],
        reference_names=[name for one in reference_sets for name in one.systems],
    )


def require_same_set(one: MarkupSet, other: MarkupSet) -> None:
    """Raise unless two files are of one test set, so far as they say."""
    for what, ours, theirs in (
        ("setid", one.set_id, other.set_id),
        ("srclang", one.source_language, other.source_language),
        ("trglang", one.target_language, other.target_language),
    ):
        if ours is not None and theirs is not None and ours != theirs:
            raise InputError(
                f"is of {what} {theirs!r}, but {one.path} is of {ours!r}; "
                "give files of the same test set",
                path=other.path,
            )


def require_keys(
    held: Mapping[SegmentKey, object],
    wanted: Iterable[SegmentKey],
    holder: str,
    other: str,
    *,
    path: str | None = None,
) -> None:
    """Raise unless `holder` has every segment that `other` has; `path` is the holder's file."""
    missing = [key for key in wanted if key not in held]
    if not missing:
        return
    document, segment = missing[0]
    if any(document == known for known, _ in held):
        what = f"segment {segment!r} of document {document!r} is"
    else:
        what = f"document {document!r} is"
    more = "" if len(missing) == 1 else f" ({len(missing)} segments are missing in all)"
    raise InputError(f"{what} missing in {holder}, but {other} has it{more}", path=path or holder)


class _Collector:
    """Gathers the segments of one file, side by side, and refuses duplicates."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.systems: dict[MarkupKind, dict[str, dict[SegmentKey, str]]] = {}
        self.attributes: dict[MarkupKind, dict[str, str | None]] = {}
        self.order: dict[SegmentKey, None] = {}
        self.partial = False
        self._documents: set[tuple[MarkupKind, str, str]] = set()

    def describe(self, kind: MarkupKind, line: int, **attributes: str | None) -> None:
        """Note the attributes of a set, which must be the same in all sets of one kind."""
        known = self.attributes.setdefault(kind, {})
        for name, value in attributes.items():
            if known.setdefault(name, value) != value:
                raise InputError(
                    f"this set has {name} {value!r}, an earlier one has {known[name]!r}; "
                    "split the file by test set",
                    path=self.path,
                    line=line,
                )

    def open_document(self, kind: MarkupKind, system: str, document: str, line: int) -> None:
        if (kind, system, document) in self._documents:
            raise InputError(
                f"document {document!r} of {kind} {system!r} is there twice",
                path=self.path,
                line=line,
            )
        self._documents.add((kind, system, document))
        self.systems.setdefault(kind, {}).setdefault(system, {})

    def add(
        self, kind: MarkupKind, system: str, document: str, segment: str, text: str, line: int
    ) -> None:
        segments = self.systems[kind][system]
        if (document, segment) in segments:
            raise InputError(
                f"segment {segment!r} is twice in document {document!r} of {kind} {system!r}",
                path=self.path,
                line=line,
            )
        segments[document, segment] = text
        self.order[document, segment] = None

    def finish(self, kind: MarkupKind | None, prefer: MarkupKind | None) -> MarkupSet:
        if not self.systems:
            raise InputError(
                "has no segments: no <srcset>, <refset>, <tstset> or <dataset> with documents",
                path=self.path,
            )
        if kind is None and prefer in self.systems:
            kind = prefer
        if kind is None:
            if len(self.systems) > 1:
                listed = ", ".join(map(repr, self.systems))
                raise InputError(f"holds several kinds; choose one of: {listed}", path=self.path)
            kind = next(iter(self.systems))
        if kind not in self.systems:
            listed = ", ".join(map(repr, self.systems))
            raise InputError(f"holds no {kind}; it holds: {listed}", path=self.path)
        attributes = self.attributes.get(kind, {})
        return MarkupSet(
            kind=kind,
            set_id=attributes.get("setid"),
            source_language=attributes.get("srclang"),
            target_language=attributes.get("trglang"),
            systems=self.systems[kind],
            path=self.path,
            order=tuple(
                key
                for key in self.order
                if any(key in segments for segments in self.systems[kind].values())
            ),
            partial=self.partial,
        )


def read_markup(
    path: str | os.PathLike[str],
    kind: MarkupKind | None = None,
    *,
    prefer: MarkupKind | None = None,
) -> MarkupSet:
    """Read a test set in NIST SGML, NIST XML or WMT XML.

    As in mteval, the name decides: ``.xml`` (also before ``.gz`` and the like) is parsed as XML,
    anything else as SGML.

    Parameters
    ----------
    path : str or path-like
        The file, compressed or not, or ``"-"`` for SGML on standard input.
    kind : {"source", "reference", "hypothesis"}, optional
        Which side, for a file that holds several.
    prefer : {"source", "reference", "hypothesis"}, optional
        Which side if `kind` is not given and the file holds it.

    Raises
    ------
    InputError
        With the line, for everything that is not such a file: no documents, no segments, missing
        or duplicate identifiers, tags without an end, malformed or dangerous XML, bad UTF-8.
    """
    name = path_name(path).lower()
    for suffix in (".gz", ".bz2", ".xz", ".zst"):
        name = name.removesuffix(suffix)
    read = read_xml if name.endswith(".xml") else read_sgml
    return read(path, kind, prefer=prefer)


# --- SGML -----------------------------------------------------------------------------------------

_SETS = re.compile(r"<(srcset|refset|tstset)(?=[\s>/])([^>]*)>", re.IGNORECASE)
_SPACES = re.compile(_SPACE + "+")
_ATTRIBUTE = re.compile(
    rf"""([^\s=<>"']+){_SPACE}*={_SPACE}*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))""",
)


def _element(name: str) -> re.Pattern[str]:
    """Opening tag, content and closing tag of the next element of that name."""
    return re.compile(
        rf"<{name}(?=[\s>/])([^>]*)>(.*?)</{name}{_SPACE}*>", re.IGNORECASE | re.DOTALL
    )


def _opening(name: str) -> re.Pattern[str]:
    return re.compile(rf"<{name}(?=[\s>/])", re.IGNORECASE)


_DOCUMENT, _DOCUMENT_OPENING = _element("doc"), _opening("doc")
_SEGMENT, _SEGMENT_OPENING = _element("seg"), _opening("seg")


def read_sgml(
    path: str | os.PathLike[str],
    kind: MarkupKind | None = None,
    *,
    prefer: MarkupKind | None = None,
) -> MarkupSet:
    """Read a NIST SGML file as the mteval scripts do.

    Parameters
    ----------
    path : str or path-like
        The file, compressed or not, or ``"-"`` for standard input.
    kind : {"source", "reference", "hypothesis"}, optional
        Which side, for a file that holds several.
    prefer : {"source", "reference", "hypothesis"}, optional
        Which side if `kind` is not given and the file holds it.

    Raises
    ------
    InputError
        See `read_markup`.
    """
    name = shown_path(path)
    text = read_text(path)
    collector = _Collector(name)
    line = _LineNumbers(text)
    position = 0
    while opened := _SETS.search(text, position):
        element = opened[1].lower()
        closed = re.compile(f"</{element}{_SPACE}*>", re.IGNORECASE).search(text, opened.end())
        if closed is None:
            raise InputError(
                f"<{element}> has no </{element}>; the file may be cut short",
                path=name,
                line=line(opened.start()),
            )
        set_kind = _KIND_OF_ELEMENT[element]
        attributes = _attributes(opened[2])
        for required in ("setid", "srclang", "trglang"):
            if required not in attributes and not (required == "trglang" and set_kind == "source"):
                raise InputError(
                    f"<{element}> has no attribute {required}",
                    path=name,
                    line=line(opened.start()),
                )
        collector.describe(
            set_kind,
            line(opened.start()),
            setid=attributes["setid"],
            srclang=attributes["srclang"],
            trglang=attributes.get("trglang") if set_kind != "source" else None,
        )
        documents = 0
        for document in _elements(
            text, opened.end(), closed.start(), _DOCUMENT, _DOCUMENT_OPENING, "doc", name
        ):
            _read_sgml_document(text, document, set_kind, collector, line)
            documents += 1
        if not documents:
            raise InputError(f"<{element}> has no documents", path=name, line=line(opened.start()))
        position = closed.end()
    return replace(collector.finish(kind, prefer), encoded=True)


# In the order in which they are decoded: "&amp;lt;" ends as "&lt;".
_ENTITIES = tuple(
    (re.compile(f"&{name};", re.IGNORECASE), character)
    for name, character in (("quot", '"'), ("apos", "'"), ("lt", "<"), ("gt", ">"), ("amp", "&"))
)


def decode_entities(text: str) -> str:
    """Decode the entities of SGML that METEOR decodes: XML's five names, in either case.

    Examples
    --------
    >>> decode_entities("R&amp;D &LT;1 &eacute; &amp;lt;")
    'R&D <1 &eacute; &lt;'
    """
    if "&" not in text:
        return text
    for pattern, character in _ENTITIES:
        text = pattern.sub(character, text)
    return text


class _LineNumbers:
    """The line of a position in a text; counts on from the position before where it can."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._position = 0
        self._line = 1

    def __call__(self, position: int) -> int:
        if position < self._position:
            self._position, self._line = 0, 1
        self._line += self._text.count("\n", self._position, position)
        self._position = position
        return self._line


def _read_sgml_document(
    text: str,
    document: re.Match[str],
    kind: MarkupKind,
    collector: _Collector,
    line: _LineNumbers,
) -> None:
    attributes = _attributes(document[1])
    start = document.start()
    if not attributes.get("docid"):
        raise InputError("<doc> has no attribute docid", path=collector.path, line=line(start))
    # A source has no system; it may still carry the attribute.
    system = attributes.get("sysid") or ("source" if kind == "source" else None)
    if system is None and kind == "reference":  # as METEOR's own example has it
        system = attributes.get("refid")
    if system is None:
        raise InputError(
            f"<doc> of document {attributes['docid']!r} has no attribute sysid",
            path=collector.path,
            line=line(start),
        )
    if kind == "source":
        system = "source"
    collector.open_document(kind, system, attributes["docid"], line(start))
    segments = 0
    for segment in _elements(
        text, document.start(2), document.end(2), _SEGMENT, _SEGMENT_OPENING, "seg", collector.path
    ):
        identifier = _attributes(segment[1]).get("id")
        if not identifier:
            raise InputError(
                f"<seg> in document {attributes['docid']!r} has no attribute id",
                path=collector.path,
                line=line(segment.start()),
            )
        content = _SPACES.sub(" ", segment[2])
        collector.add(kind, system, attributes["docid"], identifier, content, line(segment.start()))
        segments += 1
    if not segments:
        raise InputError(
            f"document {attributes['docid']!r} has no segments",
            path=collector.path,
            line=line(start),
        )


def _elements(
    text: str,
    start: int,
    end: int,
    element: re.Pattern[str],
    opening: re.Pattern[str],
    tag: str,
    path: str,
) -> Iterator[re.Match[str]]:
    """The elements between two positions, each with its own closing tag."""
    position = start
    while opened := opening.search(text, position, end):
        found = element.match(text, opened.start(), end)
        inner = None if found is None else opening.search(text, found.start(2), found.end(2))
        if found is None or inner is not None:
            # Reading on to the closing tag of a later element would merge the two.
            before = "the end of what contains it" if inner is None else f"the next <{tag}>"
            raise InputError(
                f"<{tag}{_tag_rest(text, opened)} has no </{tag}> before {before}",
                path=path,
                line=text.count("\n", 0, opened.start()) + 1,
            )
        yield found
        position = found.end()


def _tag_rest(text: str, opened: re.Match[str]) -> str:
    """What follows the name in an opening tag, for messages."""
    end = text.find(">", opened.end())
    rest = text[opened.end() : end + 1] if end >= 0 else text[opened.end() :]
    return rest if len(rest) <= 80 else rest[:80] + "…"


def _attributes(tag: str) -> dict[str, str]:
    """The attributes of an opening tag, with names in lower case; the first of a name counts."""
    found: dict[str, str] = {}
    for match in _ATTRIBUTE.finditer(tag):
        quoted, single, bare = match[2], match[3], match[4]
        value = quoted if quoted is not None else single if single is not None else bare
        found.setdefault(match[1].lower(), value)
    return found


# --- XML ------------------------------------------------------------------------------------------


_OTHER_ENCODING = re.compile(
    rb"\xfe\xff|\xff\xfe|\s*<\?xml[^>]*\sencoding\s*=\s*[\"'](?!utf-?8[\"'])", re.IGNORECASE
)


def read_xml(
    path: str | os.PathLike[str],
    kind: MarkupKind | None = None,
    *,
    prefer: MarkupKind | None = None,
) -> MarkupSet:
    """Read a NIST XML or WMT XML file.

    In WMT XML, documents of test suites (``<doc testsuite=...>``) and segments that no translator
    translated are left out on every side, as sacreBLEU leaves them out of its test sets. A
    reference or system without a name is called ``ref`` or ``hyp``.

    Parameters
    ----------
    path : str or path-like
        The file, compressed or not, or ``"-"`` for standard input.
    kind : {"source", "reference", "hypothesis"}, optional
        Which side, for a file that holds several.
    prefer : {"source", "reference", "hypothesis"}, optional
        Which side if `kind` is not given and the file holds it.

    Raises
    ------
    InputError
        With line and column for malformed XML, and for an internal document type, entity
        declarations and entities that are not built in; see `read_markup` for the rest.
    """
    from xml.parsers import expat

    name = shown_path(path)
    data = read_bytes(path)
    if not _OTHER_ENCODING.match(data):
        require_utf8(data, name)  # says more about the fault than the parser does
    handler = _XMLHandler(name)
    parser = expat.ParserCreate()
    handler.attach(parser)
    try:
        parser.Parse(data, True)
    except InputError:
        raise
    except (LookupError, ValueError) as error:  # from the codec that expat asks Python for
        raise InputError(
            f"the encoding that it names cannot be read ({error}); convert the file to UTF-8",
            path=name,
            line=1,
        ) from None
    except expat.ExpatError as error:
        raise InputError(
            f"malformed XML at column {error.offset + 1}: {expat.ErrorString(error.code)}",
            path=name,
            line=error.lineno,
        ) from None
    handler.finish()
    return handler.collector.finish(kind, prefer)


@dataclass(frozen=True)
class _Set:
    """The element around documents (NIST) or inside one (WMT) that says whose text follows."""

    kind: MarkupKind
    system: str | None


class _XMLHandler:
    """Turns expat's events into segments; one for both forms, told apart by the root's content."""

    def __init__(self, path: str) -> None:
        self.collector = _Collector(path)
        self._path = path
        self._parser: XMLParserType
        self._set: _Set | None = None
        self._dataset: str | None = None
        self._document: str | None = None
        self._current_system = ""
        self._documents_in_set = 0
        self._is_wmt = False
        self._skipping = False
        self._segment: str | None = None
        self._segment_line = 0
        self._text: list[str] = []
        self._segments_in_document = 0

    def attach(self, parser: XMLParserType) -> None:
        self._parser = parser
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.StartDoctypeDeclHandler = self._document_type
        parser.EntityDeclHandler = self._entity_declaration
        parser.UnparsedEntityDeclHandler = self._entity_declaration
        parser.ExternalEntityRefHandler = self._external_entity
        parser.SkippedEntityHandler = self._skipped_entity

    def finish(self) -> None:
        """Leave out, in a WMT set, the segments without any reference."""
        systems = self.collector.systems
        if not self._is_wmt or "reference" not in systems:
            return
        translated = {
            key
            for segments in systems["reference"].values()
            for key, text in segments.items()
            if text
        }
        for side in systems.values():
            for system, segments in side.items():
                side[system] = {key: text for key, text in segments.items() if key in translated}

    # Refusals

    def _error(self, message: str) -> InputError:
        column = self._parser.CurrentColumnNumber + 1
        return InputError(
            f"column {column}: {message}", path=self._path, line=self._parser.CurrentLineNumber
        )

    def _document_type(
        self, name: str, system_id: str | None, public_id: str | None, internal: bool
    ) -> None:
        if internal:
            raise self._error(
                f"the document type of <{name}> has declarations inside the file, which are "
                "refused because entities can grow without bound; delete the [...] part"
            )

    def _entity_declaration(self, name: str, *details: object) -> None:
        raise self._error(f"entity declarations are refused: {name!r}")

    def _external_entity(self, *details: object) -> int:
        raise self._error("external entities are refused")

    def _skipped_entity(self, name: str, is_parameter: bool) -> None:
        raise self._error(
            f"the entity &{name}; is not one of XML's own (&amp; &lt; &gt; &quot; &apos;); "
            "write the character itself"
        )

    # Elements

    def _start(self, element: str, attributes: dict[str, str]) -> None:
        if element in ("srcset", "refset", "tstset"):
            self._start_nist_set(element, attributes)
        elif element == "dataset":
            self.collector.partial = True
            self._dataset = attributes.get("id")
            self._is_wmt = True
        elif element == "doc":
            self._start_document(attributes)
        elif element in ("src", "ref", "hyp") and self._is_wmt and self._document is not None:
            self._start_wmt_side(element, attributes)
        elif element == "seg":
            self._start_segment(attributes)

    def _start_nist_set(self, element: str, attributes: dict[str, str]) -> None:
        if self._set is not None:
            raise self._error(f"<{element}> inside another set")
        kind = _KIND_OF_ELEMENT[element]
        system = {
            "source": "source",
            "reference": attributes.get("refid"),
            "hypothesis": attributes.get("sysid"),
        }[kind]
        for required in ("setid", "srclang", *(() if kind == "source" else ("trglang",))):
            if not attributes.get(required):
                raise self._error(f"<{element}> has no attribute {required}")
        self.collector.describe(
            kind,
            self._parser.CurrentLineNumber,
            setid=attributes["setid"],
            srclang=attributes["srclang"],
            trglang=attributes.get("trglang") if kind != "source" else None,
        )
        self._set = _Set(kind, system)
        self._documents_in_set = 0

    def _start_document(self, attributes: dict[str, str]) -> None:
        if self._document is not None:
            raise self._error("<doc> inside another <doc>")
        name = "id" if self._is_wmt else "docid"
        if not attributes.get(name):
            raise self._error(f"<doc> has no attribute {name}")
        self._document = attributes[name]
        line = self._parser.CurrentLineNumber
        self._segments_in_document = 0
        if self._is_wmt:
            self._skipping = "testsuite" in attributes
            return
        if self._set is None:
            raise self._error("<doc> outside <srcset>, <refset> and <tstset>")
        if self._set.system is None:
            # NIST's files name the system on the set; converted SGML has it here.
            if not attributes.get("sysid"):
                which = "refid" if self._set.kind == "reference" else "sysid"
                raise self._error(f"neither the set has an attribute {which} nor <doc> a sysid")
            system = attributes["sysid"]
        else:
            system = self._set.system
        self._current_system = system
        self._documents_in_set += 1
        self.collector.open_document(self._set.kind, system, self._document, line)

    def _start_wmt_side(self, element: str, attributes: dict[str, str]) -> None:
        if self._set is not None:
            raise self._error(f"<{element}> inside another of <src>, <ref> and <hyp>")
        kind = _KIND_OF_ELEMENT[element]
        attribute = {"source": "lang", "reference": "translator", "hypothesis": "system"}[kind]
        system = "source" if kind == "source" else attributes.get(attribute) or element
        self._set = _Set(kind, system)
        self._current_system = system
        if self._skipping:
            return
        language = attributes.get("lang")
        line = self._parser.CurrentLineNumber
        if kind == "source":
            self.collector.describe(kind, line, setid=self._dataset, srclang=language)
        else:
            self.collector.describe(kind, line, setid=self._dataset, trglang=language)
        assert self._document is not None
        self.collector.open_document(kind, system, self._document, line)

    def _start_segment(self, attributes: dict[str, str]) -> None:
        if self._segment is not None:
            raise self._error("<seg> inside another <seg>")
        if self._document is None or self._set is None:
            raise self._error("<seg> outside a document or outside one of its sides")
        identifier = attributes.get("id")
        if not identifier:
            raise self._error(f"<seg> in document {self._document!r} has no attribute id")
        self._segment = identifier
        self._segment_line = self._parser.CurrentLineNumber
        self._text = []
        self._segments_in_document += 1

    def _characters(self, text: str) -> None:
        if self._segment is not None:
            self._text.append(text)

    def _end(self, element: str) -> None:
        if element == "seg" and self._segment is not None:
            self._end_segment()
        elif element == "doc":
            if not self._segments_in_document:
                raise self._error(f"document {self._document!r} has no segments")
            self._document = None
            self._skipping = False
        elif element in _KIND_OF_ELEMENT and self._set is not None:
            if not self._is_wmt and not self._documents_in_set:
                raise self._error(f"<{element}> has no documents")
            self._set = None

    def _end_segment(self) -> None:
        assert self._segment is not None
        assert self._set is not None
        assert self._document is not None
        if not self._skipping:
            self.collector.add(
                self._set.kind,
                self._current_system,
                self._document,
                self._segment,
                "".join(self._text),
                self._segment_line,
            )
        self._segment = None
