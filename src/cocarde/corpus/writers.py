"""Files written whole or not at all."""

from __future__ import annotations

import contextlib
import io
import os
import re
import stat
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from typing import BinaryIO, Literal, TextIO, cast, overload

from cocarde.corpus.compression import compressor_for_name
from cocarde.corpus.text import path_name
from cocarde.errors import InputError

__all__ = ["atomic_write", "own_descriptor", "write_lines"]

_BYTE_ORDER_MARK = "\ufeff"


@overload
def atomic_write(
    path: str | os.PathLike[str], *, binary: Literal[False] = False
) -> AbstractContextManager[TextIO]: ...


@overload
def atomic_write(
    path: str | os.PathLike[str], *, binary: Literal[True]
) -> AbstractContextManager[BinaryIO]: ...


def atomic_write(
    path: str | os.PathLike[str], *, binary: bool = False
) -> AbstractContextManager[TextIO] | AbstractContextManager[BinaryIO]:
    r"""Write a file that appears under its name only when it is complete and on the disk.

    The text goes to a temporary file in the same folder, which takes the name at the end of the
    ``with`` block. After an exception, Ctrl-C, a full disk or a killed process the old file is as
    it was. The permissions of an existing file stay, and are never wider while it is written. A
    symbolic link keeps pointing to the file it names. ``.gz``, ``.bz2``, ``.xz`` and ``.zst`` names
    are compressed. Devices and pipes are written to directly, and so is whatever ``/dev/stdout`` and
    other names of open descriptors stand for, from where its last writer left off.

    Parameters
    ----------
    path : str or path-like
        The file to write.
    binary : bool
        Give a stream of bytes instead of one of UTF-8 text. Text is written as it is: line ends
        are not translated.

    Returns
    -------
    context manager
        Its value is the stream to write to.

    Raises
    ------
    InputError
        When `path` is a folder, or a link that another user has put into a folder such as ``/tmp``,
        or the file cannot be created.
    MissingExtraError
        When a ``.zst`` name needs a package that is not installed.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "scores.txt")
    ...     with atomic_write(file) as stream:
    ...         _ = stream.write("27.31\n")
    ...     file.read_text()
    '27.31\n'
    """
    return _atomic_text(path) if not binary else _atomic_bytes(path)


@contextlib.contextmanager
def _atomic_text(path: str | os.PathLike[str]) -> Iterator[TextIO]:
    with _atomic_bytes(path) as stream:
        text = io.TextIOWrapper(stream, encoding="utf-8", newline="", write_through=False)
        try:
            yield text
            text.flush()
        finally:
            # The stream below is closed by its owner, in the right order.
            with contextlib.suppress(ValueError, OSError):
                text.detach()


@contextlib.contextmanager
def _atomic_bytes(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    name = path_name(path)
    descriptor = own_descriptor(name)
    if descriptor is not None:
        try:
            # A copy, which shares the position; opened by its name a file would start anew.
            stream = open(os.dup(descriptor), "wb")  # noqa: SIM115  (closed just below)
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror or error}", path=name) from error
        with stream:
            yield stream
        return
    # The file itself is replaced, never a link to it.
    target = _followed(name)
    status: os.stat_result | None = None
    try:
        status = os.stat(target)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", path=name) from error
    else:
        if stat.S_ISDIR(status.st_mode):
            raise InputError("is a folder; give the name of a file", path=name)
        if not stat.S_ISREG(status.st_mode):
            with open(name, "wb") as device:
                yield device
            return
    folder, base = os.path.split(target)
    # Shortened, because the name of a file may be as long as the file system allows.
    temporary = os.path.join(folder, f".{base[:40]}.{os.urandom(6).hex()}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        # What takes the place of a file is, until it does, for its owner alone.
        descriptor = os.open(temporary, flags, 0o666 if status is None else 0o600)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", path=name) from error
    try:
        with open(descriptor, "wb") as plain:
            compressed = compressor_for_name(target, plain)
            if compressed is None:
                yield plain
            else:
                yield cast(BinaryIO, compressed)
                compressed.close()
            plain.flush()
            if status is not None:
                _take_permissions(temporary, plain.fileno(), status)
            os.fsync(plain.fileno())
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    _synchronise_folder(folder)


def _take_permissions(path: str, descriptor: int, old: os.stat_result) -> None:
    """Give a new file the permissions of the one that it replaces, and never wider ones."""
    mode = stat.S_IMODE(old.st_mode)
    if os.name == "posix" and os.fstat(descriptor).st_gid != old.st_gid:
        try:
            os.chown(descriptor, -1, old.st_gid)
        except OSError:
            mode &= ~stat.S_IRWXG  # they were another group's
    os.chmod(path, mode)


def _followed(name: str) -> str:
    """Return where links lead, as `os.path.realpath`, without following those that may be traps.

    Raises
    ------
    InputError
        For a link that another user has put into a folder where everyone may, such as ``/tmp``:
        Linux itself follows none (``fs.protected_symlinks``).
    """
    if os.name != "posix":
        return os.path.realpath(name)
    ahead = os.path.join(os.getcwd(), name).split("/")[::-1]
    current, links = "/", 0
    while ahead:
        part = ahead.pop()
        if part in ("", os.curdir):
            continue
        if part == os.pardir:
            current = os.path.dirname(current)
            continue
        path = os.path.join(current, part)
        try:
            target = os.readlink(path)
            owner, folder = os.lstat(path).st_uid, os.stat(current)
        except OSError:  # no link, or nothing yet
            current = path
            continue
        shared = folder.st_mode & stat.S_ISVTX and folder.st_mode & stat.S_IWOTH
        if shared and owner not in (os.geteuid(), folder.st_uid):
            raise InputError(
                f"is not written to: {path} is a link to {target} that another user (number {owner}) "
                f"has put into a folder that all share; give the name of the file itself",
                path=name,
            )
        links += 1
        if links > _MOST_LINKS:
            raise InputError("cannot be written: too many levels of symbolic links", path=name)
        if target.startswith("/"):
            current = "/"
        ahead += target.split("/")[::-1]
    return current


_DESCRIPTOR_FOLDER = re.compile(r"/dev/fd|/proc/(\d+)(?:/task/\d+)?/fd")
_MOST_LINKS = 40  # as many as Linux follows


def own_descriptor(path: str | os.PathLike[str]) -> int | None:
    """Return the open descriptor of this process that a name such as ``/dev/stdout`` stands for.

    Returns
    -------
    int or None
        None for names of files.
    """
    name = path_name(path)
    if os.name != "posix":
        return None
    for _ in range(_MOST_LINKS):
        folder, base = os.path.split(name)
        folder = os.path.realpath(folder)
        found = _DESCRIPTOR_FOLDER.fullmatch(folder)
        if found and base.isdecimal() and found[1] in (None, str(os.getpid())):
            return int(base)
        try:
            name = os.path.join(folder, os.readlink(os.path.join(folder, base)))
        except OSError:
            return None  # no link
    return None


def _synchronise_folder(folder: str) -> None:
    """Bring the new name to the disk, where the system can."""
    if os.name != "posix":
        return
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def write_lines(path: str | os.PathLike[str], lines: Iterable[str]) -> None:
    r"""Write one segment a line, so that `read_lines` gives back exactly the same segments.

    Parameters
    ----------
    path : str or path-like
        The file; see `atomic_write`.
    lines : iterable of str
        Segments without line feeds. One that ends with a carriage return is written with the line
        end ``\r\n``, and a byte order mark at the very start is written twice, because readers
        take one of them off.

    Raises
    ------
    InputError
        When a segment contains a line feed or cannot be written as UTF-8 (a lone surrogate); the
        old file is intact.
    """
    name = path_name(path)
    if isinstance(lines, (str, bytes)) or not isinstance(lines, Iterable):
        raise InputError(f"lines is a list of segments, found {type(lines).__name__}", path=name)
    with atomic_write(path) as stream:
        for number, line in enumerate(lines, start=1):
            if not isinstance(line, str):
                raise InputError(
                    f"segment {number} is of type {type(line).__name__}, not str", path=name
                )
            if "\n" in line:
                raise InputError(
                    f"segment {number} contains a line feed at character {line.index(chr(10))}; "
                    "one segment must be one line",
                    path=name,
                    line=number,
                )
            if number == 1 and line.startswith(_BYTE_ORDER_MARK):
                stream.write(_BYTE_ORDER_MARK)
            try:
                stream.write(line + ("\r\n" if line.endswith("\r") else "\n"))
            except UnicodeEncodeError as error:
                raise InputError(
                    f"segment {number} has no UTF-8 form: lone surrogate "
                    f"U+{ord(line[error.start]):04X} at character {error.start}",
                    path=name,
                    line=number,
                ) from None
