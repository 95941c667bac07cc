"""Lines of text files: exact, checked, and in constant memory where the corpus is large.

A line ends at a line feed and nowhere else; a carriage return directly before it belongs to the
line end. Everything that other tools take for a line end (U+2028, U+0085, form feed, a lone
carriage return) may occur inside a segment, and cutting there would shift every segment after it
against the references.
"""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, BinaryIO, overload

from cocarde import _native
from cocarde._util.checks import read_whole_number
from cocarde.corpus.compression import MAGIC_LENGTH, DecompressedStream, detect_compression
from cocarde.corpus.limits import LineLimit
from cocarde.errors import InputError, OptionError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

__all__ = [
    "DEFAULT_BATCH_BYTES",
    "STANDARD_INPUT",
    "LineBatch",
    "iterate_aligned",
    "iterate_line_batches",
    "open_bytes",
    "path_name",
    "read_bytes",
    "read_lines",
    "read_text",
]

STANDARD_INPUT = "-"
"""The path that means standard input."""

DEFAULT_BATCH_BYTES = 16 << 20

_BYTE_ORDER_MARK = codecs.BOM_UTF8
_EMPTY_LINE = re.compile(rb"(?:\A|\n)\r?\n")
_READ_BYTES = 1 << 20
_START_BYTES = 1 << 16  # what is looked at to see that a file is not UTF-8 at all


class _Continued(io.RawIOBase):
    """A stream whose first bytes were already read, put together again."""

    def __init__(self, head: bytes, rest: BinaryIO, *, close_rest: bool) -> None:
        super().__init__()
        self._head = head
        self._rest = rest
        self._close_rest = close_rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        target = memoryview(buffer).cast("B")
        data = self._head[: len(target)] or self._rest.read(len(target))
        self._head = self._head[len(data) :]
        target[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if not self.closed and self._close_rest:
            self._rest.close()
        super().close()


def path_name(path: str | os.PathLike[str]) -> str:
    """Read the name of a file.

    Raises
    ------
    OptionError
        If it is no path.
    """
    found: object = path
    if not isinstance(found, (str, bytes, os.PathLike)):
        raise OptionError(f"a path (str or path-like) is needed, found {found!r}")
    return os.fsdecode(found)


def shown_path(path: str | os.PathLike[str]) -> str:
    """What a file is called in messages."""
    name = path_name(path)
    return "standard input" if name == STANDARD_INPUT else name


def open_bytes(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a file, or standard input, as a stream of uncompressed bytes.

    gz, bz2, xz and zst archives are recognised by their first bytes, whatever the file is called;
    several archives one after the other are read as one.

    Parameters
    ----------
    path : str or path-like
        A file, a pipe, or ``"-"`` for standard input (which closing the stream leaves open).

    Returns
    -------
    BinaryIO
        A buffered stream; use it in a ``with`` statement.

    Raises
    ------
    InputError
        When the file cannot be opened; while reading, when an archive is corrupt or cut short.
    MissingExtraError
        When a zst archive needs a package that is not installed.

    Examples
    --------
    >>> with open_bytes("corpus.en.gz") as stream:  # doctest: +SKIP
    ...     first = stream.readline()
    """
    name = path_name(path)
    shown = shown_path(name)
    source: BinaryIO
    if name == STANDARD_INPUT:
        standard_input = getattr(sys.stdin, "buffer", None)
        if standard_input is None:
            raise InputError("there is none in this process", path=shown)
        source = standard_input
        owned = False
    else:
        try:
            source = open(name, "rb")  # noqa: SIM115  (closed by the stream that is returned)
        except OSError as error:
            raise InputError(f"cannot be opened: {error.strerror or error}", path=shown) from error
        owned = True
    try:
        try:
            head = source.read(MAGIC_LENGTH)
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror or error}", path=shown) from error
        compression = detect_compression(head)
        if owned and source.seekable():
            source.seek(0)
        else:
            source = io.BufferedReader(_Continued(head, source, close_rest=owned), _READ_BYTES)
            owned = True
        if compression is None:
            return source
        stream = DecompressedStream(source, compression, shown, close_source=owned)
    except BaseException:
        if owned:
            source.close()
        raise
    return io.BufferedReader(stream, _READ_BYTES)


def _bad_utf8(
    error: UnicodeDecodeError, data: bytes, start: int, path: str, line: int, offset: int
) -> InputError:
    """Say where `data` (at `line` and byte `offset` of the file) stops being UTF-8."""
    line += data.count(b"\n", 0, start)
    return InputError(
        f"not UTF-8: byte 0x{data[start]:02x} at byte offset {offset + start} of the file "
        f"({error.reason}); convert the file to UTF-8",
        path=path,
        line=line,
    )


def require_utf8(data: bytes, path: str, line: int = 1, offset: int = 0) -> _native.Lines:
    """Raise unless `data` is UTF-8, without holding all of it decoded."""
    try:
        return _native.Lines(data)
    except ValueError:
        pass
    view = memoryview(data)
    position = 0
    while position < len(data):
        piece = view[position : position + _READ_BYTES]
        final = position + len(piece) == len(data)
        try:
            _, consumed = codecs.utf_8_decode(piece, "strict", final)
        except UnicodeDecodeError as error:
            start = position + error.start
            raise _bad_utf8(error, data, start, path, line, offset) from None
        position += consumed
    raise AssertionError("the codec takes what the native check refuses")


def _wide_encoding(start: bytes) -> str | None:
    """Name UTF-16 or UTF-32 by the first bytes of a file; None for all else, such as text with NULs.

    Without a byte order mark, many texts in them are valid UTF-8, full of NULs that are scored.
    """
    for encoding, mark in (
        ("UTF-32", codecs.BOM_UTF32_LE),
        ("UTF-32", codecs.BOM_UTF32_BE),
        ("UTF-16", codecs.BOM_UTF16_LE),
        ("UTF-16", codecs.BOM_UTF16_BE),
    ):
        if start.startswith(mark):
            return encoding
    if start.count(0) < 2:
        return None
    if len(start) >= 8:
        for encoding in ("UTF-32LE", "UTF-32BE"):
            with contextlib.suppress(UnicodeDecodeError):
                (start + bytes(-len(start) % 4)).decode(encoding)  # it may end inside a line feed
                return encoding
    units = start[: len(start) // 2 * 2]
    line_feeds = units.count(b"\n")
    for encoding, high, low in (
        ("UTF-16LE", units[1::2], units[::2]),
        ("UTF-16BE", units[::2], units[1::2]),
    ):
        # All NULs are on one side, and so are the line feeds with theirs; of a text without line
        # feeds most characters have one.
        if 0 in low or 0 not in high:
            continue
        whole = sum(not upper for upper, lower in zip(high, low, strict=True) if lower == 0x0A)
        if 2 * whole > line_feeds or (not line_feeds and 2 * high.count(0) > len(high)):
            return encoding
    return None


def _require_narrow(start: bytes, path: str) -> None:
    """Raise if a file that starts like this is UTF-16 or UTF-32."""
    encoding = _wide_encoding(start[:_START_BYTES])
    if encoding is not None:
        raise InputError(
            f"not UTF-8: the text looks like {encoding}; convert the file to UTF-8, as with  "
            f"iconv -f {encoding} -t UTF-8",
            path=path,
            line=1,
        )


def _require_line_feed(text: str, path: str) -> None:
    """Raise if `text`, a whole file without a line feed, has carriage returns instead."""
    count = text.count("\r")
    if count:
        raise InputError(
            f"has {count} carriage returns but no line feed, so that all of it would be one segment; "
            r"convert the line ends, as with  tr '\r' '\n' , or end the line with a line feed if it "
            "is one segment",
            path=path,
            line=1,
        )


def read_bytes(
    path: str | os.PathLike[str], check: Callable[[bytes], None], size: int = DEFAULT_BATCH_BYTES
) -> bytes:
    """All uncompressed bytes of a file; see `open_bytes` for what it reads and raises.

    Parameters
    ----------
    path : str or path-like
    check : callable
        Called with the bytes piece by piece, to refuse what is too much.
    size : int
        The most bytes of a piece.
    """
    with open_bytes(path) as stream:
        pieces = []
        while piece := stream.read(min(size, DEFAULT_BATCH_BYTES)):
            check(piece)
            pieces.append(piece)
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def read_text(
    path: str | os.PathLike[str],
    check: Callable[[bytes], None] = lambda _: None,
    size: int = DEFAULT_BATCH_BYTES,
) -> str:
    """All text of a UTF-8 file, without a byte order mark at its start and otherwise unchanged.

    Parameters are those of `read_bytes`.

    Raises
    ------
    InputError
        When the file cannot be read, or is not UTF-8: the message gives the line, the offset in
        the (uncompressed) file and the byte.
    """
    data = read_bytes(path, check, size)
    _require_narrow(data, shown_path(path))
    start = len(_BYTE_ORDER_MARK) if data.startswith(_BYTE_ORDER_MARK) else 0
    try:
        return str(memoryview(data)[start:], "utf-8")
    except UnicodeDecodeError as error:
        raise _bad_utf8(error, data, start + error.start, shown_path(path), 1, 0) from None


def read_lines(path: str | os.PathLike[str], *, max_line_bytes: int | None = None) -> list[str]:
    r"""All lines of a UTF-8 file, without their line ends.

    Lines end at ``\n`` or ``\r\n`` only; a last line without either counts; a byte order mark at
    the start of the file is dropped. An empty file has no lines.

    Parameters
    ----------
    path : str or path-like
        A file, compressed or not, or ``"-"`` for standard input.
    max_line_bytes : int, optional
        A line with more bytes is refused. By default the environment variable
        ``COCARDE_MAX_LINE_BYTES`` or, without it, 256 MiB.

    Raises
    ------
    InputError
        When the file cannot be read, is a damaged archive, has a line that is too long, or is not
        UTF-8 with lines that end with line feeds.
    MissingExtraError
        When a zst archive needs a package that is not installed.
    OptionError
        When `max_line_bytes` is out of range.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "hypotheses.txt")
    ...     _ = file.write_bytes("one\r\n\nthree\u2028still three".encode())
    ...     read_lines(file)
    ['one', '', 'three\u2028still three']
    """
    limit = LineLimit(shown_path(path), max_line_bytes)
    text = read_text(
        path, lambda piece: limit.check(piece, _native.count_line_feeds(piece)), limit.bytes
    )
    lines = _split_lines(text)
    if len(lines) == 1 and "\n" not in text:
        _require_line_feed(text, shown_path(path))
    return lines


def _split_lines(text: str) -> list[str]:
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


class LineBatch(Sequence[str]):
    r"""Some consecutive lines of a file: an immutable sequence of `str` over the file's bytes.

    Decoding waits until a line is asked for, so native code can read `block` at full speed.

    Parameters
    ----------
    block : bytes
        Whole lines of valid UTF-8, each with its line end, except perhaps the last one.
    first_line : int
        The 1-based number of the first line in its file.
    count : int, optional
        The number of lines, where it is known: it is compared with the block.

    Raises
    ------
    InputError
        If the block is not UTF-8 (the message names the line and the byte), or has another number of lines.

    Examples
    --------
    >>> batch = LineBatch(b"one\ntwo\r\nthree", 11)
    >>> len(batch), batch[1], list(batch)
    (3, 'two', ['one', 'two', 'three'])
    """

    __slots__ = ("_checked", "_count", "_first_line", "_lines")

    def __init__(self, block: bytes, first_line: int = 1, *, count: int | None = None) -> None:
        if not isinstance(block, bytes):
            raise InputError(f"a LineBatch is made of bytes, found {type(block).__name__}")
        found = _count_lines(block)
        if count is not None and count != found:
            raise InputError(f"the block of a LineBatch has {found} lines, not count={count}")
        self._set(require_utf8(block, "the block of a LineBatch", first_line), first_line, found)

    def _set(self, checked: _native.Lines, first_line: int, count: int) -> None:
        self._checked = checked
        self._first_line = first_line
        self._count = count
        self._lines: list[str] | None = None

    @classmethod
    def _of_checked(cls, checked: _native.Lines, first_line: int, count: int) -> LineBatch:
        batch = cls.__new__(cls)
        batch._set(checked, first_line, count)  # noqa: SLF001
        return batch

    @property
    def block(self) -> bytes:
        """The lines as they are in the file, line ends included."""
        return self._checked.block

    @property
    def checked_block(self) -> _native.Lines:
        """The same, as native code takes it."""
        return self._checked

    @property
    def first_line(self) -> int:
        """The 1-based number of the first line in its file."""
        return self._first_line

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> list[str]: ...

    def __getitem__(self, index: int | slice) -> str | list[str]:
        return self._decoded()[index]

    def __iter__(self) -> Iterator[str]:
        return iter(self._decoded())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LineBatch):
            return NotImplemented
        return self.block == other.block and self._first_line == other._first_line

    def __hash__(self) -> int:
        return hash((self.block, self._first_line))

    def __repr__(self) -> str:
        last = self._first_line + self._count - 1
        return f"LineBatch(lines {self._first_line} to {last}, {len(self.block)} bytes)"

    def __reduce__(self) -> tuple[type[LineBatch], tuple[bytes, int]]:
        return LineBatch, (self.block, self._first_line)

    def _decoded(self) -> list[str]:
        if self._lines is None:
            self._lines = _native.split_lines(self._checked)
        return self._lines


def _count_lines(data: bytes) -> int:
    open_line = bool(data) and not data.endswith(b"\n")
    return _native.count_line_feeds(data) + open_line


class _LineReader:
    """Reads a file ahead and gives out whole lines of it."""

    def __init__(
        self, path: str | os.PathLike[str], batch_bytes: int, max_line_bytes: int | None
    ) -> None:
        self.path = shown_path(path)
        self._batch_bytes = batch_bytes
        self._limit = LineLimit(self.path, max_line_bytes)
        self._stream = open_bytes(path)
        self._ended = False
        self._line = 1  # the line, and below the place in the file, of the first pending byte
        self._offset = 0
        try:
            self._data = self._stream.read(len(_BYTE_ORDER_MARK))
        except BaseException:
            self._stream.close()
            raise
        if self._data == _BYTE_ORDER_MARK:
            self._data = b""
            self._offset = len(_BYTE_ORDER_MARK)
        self._start = 0  # pending are the bytes of _data from here on
        self._line_feeds = _native.count_line_feeds(self._data)
        self._limit.check(self._data, self._line_feeds)

    def close(self) -> None:
        self._stream.close()

    def fill(self) -> int:
        """Read until about a batch, and at least one whole line, is pending; count the lines."""
        size = len(self._data) - self._start
        # Half a batch is enough to go on with: what is pending is not copied for every few lines.
        if not self._ended and (not self._line_feeds or size < (self._batch_bytes + 1) // 2):
            chunks = [self._data[self._start :]]
            while size < self._batch_bytes or not self._line_feeds:
                # A line longer than a batch is fetched in steps that double.
                wanted = self._batch_bytes - size if size < self._batch_bytes else size
                chunk = self._stream.read(min(wanted, self._limit.bytes))
                if not chunk:
                    self._ended = True
                    break
                line_feeds = _native.count_line_feeds(chunk)
                self._limit.check(chunk, line_feeds)
                self._line_feeds += line_feeds
                size += len(chunk)
                chunks.append(chunk)
            self._data, self._start = b"".join(chunks), 0
        open_line = self._ended and size > 0 and not self._data.endswith(b"\n")
        return self._line_feeds + (1 if open_line else 0)

    def take(self, count: int) -> LineBatch:
        """Give out the first `count` of the whole lines that `fill` announced."""
        if count > self._line_feeds:
            end = len(self._data)
        elif count == self._line_feeds:
            end = self._data.rindex(b"\n") + 1
        else:
            end = _native.after_line_feeds(self._data, self._start, count)
        block = self._data[self._start : end]
        if self._line == 1:
            start = self._data[:_START_BYTES]
            # The last line feed of a small batch may lack the other half of its character.
            _require_narrow(start if len(start) > 4096 else start + self._peek(), self.path)
        checked = require_utf8(block, self.path, self._line, self._offset)
        if self._line == 1 and not self._line_feeds:
            _require_line_feed(block.decode("utf-8"), self.path)
        batch = LineBatch._of_checked(checked, self._line, count)  # noqa: SLF001
        self._offset += len(block)
        self._line += count
        self._start = end
        self._line_feeds -= min(count, self._line_feeds)
        return batch

    def _peek(self) -> bytes:
        return self._stream.peek()  # type: ignore[attr-defined, no-any-return]

    def count_all(self) -> int:
        """Read to the end and return the number of lines of the whole file."""
        lines = self._line - 1
        while available := self.fill():
            # Only counted: what is in these lines no longer matters.
            lines += available
            self._start = len(self._data) if self._ended else self._data.rindex(b"\n") + 1
            self._line_feeds = 0
        return lines


def iterate_line_batches(
    path: str | os.PathLike[str],
    batch_bytes: int = DEFAULT_BATCH_BYTES,
    *,
    max_line_bytes: int | None = None,
) -> Iterator[LineBatch]:
    """Read the lines of a file in batches, in constant memory.

    Parameters
    ----------
    path : str or path-like
        A file, compressed or not, or ``"-"`` for standard input.
    batch_bytes : int
        About how many bytes of text make a batch, at least 1. A line that is longer comes whole.
    max_line_bytes : int, optional
        As of `read_lines`.

    Yields
    ------
    LineBatch
        At least one line each; together, exactly the lines of `read_lines`.

    Raises
    ------
    InputError
        As `read_lines`; the batch with the fault in it is not given out.
    OptionError
        When `batch_bytes` or `max_line_bytes` is out of range.
    """
    read_whole_number("batch_bytes", batch_bytes, 1)
    reader = _LineReader(path, batch_bytes, max_line_bytes)
    try:
        while available := reader.fill():
            yield reader.take(available)
    finally:
        reader.close()


def iterate_aligned(
    paths: Sequence[str | os.PathLike[str]],
    *,
    batch_bytes: int = DEFAULT_BATCH_BYTES,
    batch_lines: int | None = None,
    max_line_bytes: int | None = None,
) -> Iterator[tuple[LineBatch, ...]]:
    """Read several files in step, so many lines of each at a time, in constant memory.

    Parameters
    ----------
    paths : sequence of str or path-like
        Files whose line *i* belong together: hypotheses and references. ``"-"`` at most once.
    batch_bytes : int
        About how many bytes of each file make a batch, at least 1.
    batch_lines : int, optional
        At most so many lines in a batch, at least 1.
    max_line_bytes : int, optional
        As of `read_lines`.

    Yields
    ------
    tuple of LineBatch
        One for each path, all of the same length.

    Raises
    ------
    InputError
        When the files do not have the same number of lines (the message gives every count, where
        the first file ended, and empty lines that explain the difference), or as `read_lines`.
    OptionError
        When an option is out of range.
    """
    read_whole_number("batch_bytes", batch_bytes, 1)
    if batch_lines is not None:
        read_whole_number("batch_lines", batch_lines, 1)
    if not paths:
        raise OptionError("paths is empty; give at least one file")
    if sum(path_name(path) == STANDARD_INPUT for path in paths) > 1:
        raise InputError("given more than once, but can be read only once", path="standard input")
    readers: list[_LineReader] = []
    try:
        for path in paths:
            readers.append(_LineReader(path, batch_bytes, max_line_bytes))  # noqa: PERF401 - the ones opened get closed
        while True:
            available = [reader.fill() for reader in readers]
            count = min(available)
            if count == 0:
                if any(available):
                    raise _different_lengths(paths, readers)
                return
            if batch_lines is not None:
                count = min(count, batch_lines)
            yield tuple(reader.take(count) for reader in readers)
    finally:
        for reader in readers:
            reader.close()


def _different_lengths(
    paths: Sequence[str | os.PathLike[str]], readers: Sequence[_LineReader]
) -> InputError:
    names = [reader.path for reader in readers]
    counts = [reader.count_all() for reader in readers]

    def batches(number: int) -> Iterator[Sequence[str]] | None:
        # What has gone through a pipe cannot be looked at again.
        path = path_name(paths[number])
        return iterate_line_batches(path) if os.path.isfile(path) else None

    return different_counts(names, counts, "lines", batches)


def different_counts(
    names: Sequence[str],
    counts: Sequence[int],
    unit: str,
    batches: Callable[[int], Iterator[Sequence[str]] | None],
    place: Callable[[int, int], str] = lambda _, index: f"line {index + 1}",
) -> InputError:
    """The error for inputs that should be parallel and are not.

    Parameters
    ----------
    names, counts : sequences of the same length
        What each input is called and how many units it has; at least two counts differ.
    unit : str
        What is counted, in the plural.
    batches : callable
        The units of an input, by its number, or None where they cannot be looked at.
    place : callable
        What a unit is called in messages, by the number of its input and its index, both from 0.
    """
    shortest = min(range(len(counts)), key=counts.__getitem__)
    longer = next(i for i, count in enumerate(counts) if count > counts[shortest])
    table = ", ".join(f"{name} has {count}" for name, count in zip(names, counts, strict=True))
    why = ""
    with contextlib.suppress(InputError):
        why = _explanation(names, counts, shortest, longer, batches, place)
    return InputError(
        f"the numbers of {unit} differ: {table}. {names[shortest]} ends after "
        f"{counts[shortest]} {unit}, where {names[longer]} goes on{why}; every file must have one "
        f"line for each segment, empty lines included",
        path=names[shortest],
        line=counts[shortest],
    )


def _explanation(
    names: Sequence[str],
    counts: Sequence[int],
    shortest: int,
    longer: int,
    batches: Callable[[int], Iterator[Sequence[str]] | None],
    place: Callable[[int, int], str],
) -> str:
    """Say which empty lines one input has too many, or else how it goes on."""
    long, short = batches(longer), batches(shortest)
    if long is None or short is None:
        return ""
    count, surplus = counts[shortest], counts[longer] - counts[shortest]
    empty, next_text = _empty_units(long, count)
    also, _ = _empty_units(short, count)
    known = set(also)
    added: list[int] = []
    for index in empty:
        if index - len(added) not in known:
            added.append(index)
    name = names[longer]
    if len(added) != surplus:
        return f" with {place(longer, count)}, {next_text[:60]!r}{'…' * (len(next_text) > 60)}"
    first = place(longer, added[0])
    which = f"{first} of {name} is"
    if surplus > 1:
        which = f"{first} and {surplus - 1} more of {name} are"
    if added[0] == count:
        return f": {which} empty, at the end; delete what is empty there"
    return f": {which} empty and not so in {names[shortest]}, which may explain the difference"


def _empty_units(batches: Iterator[Sequence[str]], wanted: int) -> tuple[list[int], str]:
    """Return the indices of the empty units, and the text of one."""
    empty: list[int] = []
    text = ""
    start = 0
    for batch in batches:
        if start <= wanted < start + len(batch):
            text = batch[wanted - start]
        block = getattr(batch, "block", None)
        if not isinstance(block, bytes) or _EMPTY_LINE.search(block):
            empty += [start + index for index, unit in enumerate(batch) if not unit]
        start += len(batch)
    return empty, text
