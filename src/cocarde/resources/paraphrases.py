"""METEOR's table of paraphrases: found, compiled once into the cache, then mapped into memory.

The compiled table is named after its format and the checksum of its source. It is written beside its
place and renamed, so that readers see a whole file or none, by one process at a time; whoever opens it
compares all of it with its checksum, which takes a few milliseconds, and makes it anew if it differs.
"""

from __future__ import annotations

import builtins
import contextlib
import errno
import hashlib
import io
import json
import logging
import mmap
import os
import re
import secrets
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, cast

from cocarde import _native
from cocarde._util.cache import cache_folder
from cocarde.corpus.compression import MAGIC_LENGTH, DecompressedStream, detect_compression
from cocarde.errors import InputError, MissingExtraError, OptionError, warn
from cocarde.resources.base import Resource
from cocarde.resources.jar import meteor_folder

__all__ = ["Progress", "compile_table", "describe", "locate", "open"]

Progress = Callable[[int, int], None]
"""Is told how many bytes of the source were read, and of how many."""

_COMMAND = 'pip install "cocarde[paraphrase]"'
_ENGLISH_SIZE = 61_813_011
_ENGLISH_SHA256 = "c147ac7d2c91f2fbb3ad31e4b352235061eb83145e0434daf217ee9ca5975f48"
_BLOCK = 1 << 20
# How coarse the clock of a file system may be, in nanoseconds.
_COARSE = 2_000_000_000

_log = logging.getLogger(__name__)
_lock = threading.Lock()
_opened: dict[str, tuple[dict[str, Any], _native.Paraphrases]] = {}


def _file_name(language: str) -> str:
    return f"paraphrase-{language}.gz"


def _is_for(path: Path, language: str) -> bool:
    """Whether the name of a table, as METEOR gives them, allows for a language."""
    named = re.fullmatch(r"paraphrase-(.+)\.gz", path.name)
    return named is None or named[1] == language


def _installed(language: str) -> Path | None:
    """The table of a language in an installed ``pycocoevalcap``, which is not imported."""
    folder = meteor_folder()
    path = None if folder is None else folder / "data" / _file_name(language)
    return path if path is not None and path.is_file() else None


def locate(path: str | os.PathLike[str] | None = None, language: str = "en") -> Path:
    """Return the file of a language's paraphrase table, as METEOR distributes it.

    Parameters
    ----------
    path : str or path-like, optional
        The file. By default what the environment variable ``COCARDE_PARAPHRASES`` names, a table or
        a folder of tables called ``paraphrase-XX.gz`` (a table so called serves its language alone);
        else the table in an installed ``pycocoevalcap``, which has English.
    language : str
        METEOR's code of the language, such as ``"en"``.

    Raises
    ------
    OptionError
        If there is no such file.
    MissingExtraError
        If no table of the language is found.

    Examples
    --------
    >>> locate(language="en").name
    'paraphrase-en.gz'
    """
    if path is not None:
        chosen = Path(path).expanduser()
        if not chosen.is_file():
            raise OptionError(f"paraphrases: there is no file {chosen}")
        return chosen
    named = os.environ.get("COCARDE_PARAPHRASES")
    if named:
        chosen = Path(named).expanduser()
        if not chosen.exists():
            raise OptionError(f"COCARDE_PARAPHRASES: there is no file or folder {chosen}")
        if chosen.is_dir():
            chosen /= _file_name(language)
        if chosen.is_file() and _is_for(chosen, language):
            return chosen
    installed = _installed(language)
    if installed is not None:
        return installed
    if language == "en":
        raise MissingExtraError(f"METEOR's table of English paraphrases is missing: {_COMMAND}")
    raise MissingExtraError(
        f"there is no paraphrase table for {language!r} in any package; METEOR's own distribution "
        f"brings tables of more languages (its data folder, {_file_name(language)}): "
        "give its path as paraphrases=PATH, on the command line as --paraphrases PATH, or leave out the "
        "stage 'paraphrase'"
    )


def describe() -> Resource:
    """Describe the table for English: what it is, whose, and where it is if it is there."""
    try:
        path = _installed("en") or locate()
    except (MissingExtraError, OptionError):
        path = None
    return Resource(
        "paraphrases-en",
        "METEOR: the paraphrase stage for English",
        "METEOR 1.5 (Carnegie Mellon University), its data in pycocoevalcap",
        "LGPL-2.1",
        path,
        _ENGLISH_SIZE,
        _ENGLISH_SHA256,
        _COMMAND,
    )


def open(  # noqa: A001  (to be called as paraphrases.open)
    path: str | os.PathLike[str] | None = None,
    language: str = "en",
    *,
    progress: Progress | None = None,
) -> _native.Paraphrases:
    """Return the compiled table of a language, the same object each time in one process.

    The first time ever it is compiled, which takes some seconds, and kept in the folder that the
    environment variable ``COCARDE_CACHE`` names (by default ``cocarde`` in the user's cache folder).

    Parameters
    ----------
    path, language
        See `locate`.
    progress : callable, optional
        While the table is compiled, it is called with the bytes of the source read so far and all.

    Raises
    ------
    MissingExtraError, OptionError
        If there is no table, see `locate`; if the cache folder cannot be written.
    InputError
        If the source is corrupt, cut short or no paraphrase table.

    Warns
    -----
    CocardeWarning
        When a damaged file in the cache is made anew.

    Examples
    --------
    >>> from cocarde.resources import paraphrases
    >>> table = paraphrases.open()  # doctest: +SKIP
    >>> table.match(["a", "large", "house"], ["a", "big", "house"])  # doctest: +SKIP
    [(1, 1, 1, 1), (1, 1, 1, 1)]
    """
    source = locate(path, language)
    with _lock:
        state = _state(source)
        known = _opened.get(state["path"])
        if known is not None and known[0] == state:
            return known[1]
        table = _open(source, progress)
        _opened[state["path"]] = (state, table)
        return table


def _open(source: Path, progress: Progress | None) -> _native.Paraphrases:
    folder = cache_folder()
    checksum = _checksum(source, folder)
    target = folder / f"paraphrases-{_native.PARAPHRASE_FORMAT}-{checksum}.bin"
    table, _ = _load(target, checksum)
    if table is not None:
        return table
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = builtins.open(folder / f"{target.name}.lock", "ab")  # noqa: SIM115  (closed below)
    except OSError as error:
        raise _unwritable(folder, error) from error
    with lock, _exclusive(lock):
        table, fault = _load(target, checksum)  # another process may just have made it
        if table is not None:
            return table
        if fault is not None:
            warn(f"{target} cannot be used: {fault}; it is compiled again from {source}")
        # Left by a process that was killed: this is the only one at work.
        for stale in folder.glob(f"{target.name}.*.partial"):
            with contextlib.suppress(OSError):
                stale.unlink()
        if compile_table(source, target, progress) != checksum:
            raise InputError("changed while it was read; try again", path=str(source))
        table, fault = _load(target, checksum)
    if table is None:
        raise OptionError(
            f"{target} was written and cannot be read back ({fault}): check the disk, or set "
            "COCARDE_CACHE to another folder"
        )
    return table


def _load(target: Path, checksum: str) -> tuple[_native.Paraphrases | None, str | None]:
    """The table in a compiled file, or None with what is wrong with the file, if there is one."""
    try:
        with builtins.open(target, "rb") as file:
            if os.fstat(file.fileno()).st_size == 0:
                return None, "it is empty"
            image = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (FileNotFoundError, NotADirectoryError):
        return None, None
    except OSError as error:
        raise OptionError(
            f"{target} cannot be read ({error.strerror or error}): mend that, or set COCARDE_CACHE "
            "to another folder"
        ) from error
    try:
        table = _native.Paraphrases(cast("Any", image))  # any buffer of bytes
    except _native.BadParaphraseImage as error:
        return None, str(error)
    if table.source != checksum:
        return None, "it was made from another table"
    return table, None


def compile_table(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    progress: Progress | None = None,
) -> str:
    """Compile the text of a paraphrase table into a file to be mapped.

    Parameters
    ----------
    source : str or path-like
        Three lines an entry, a probability, a phrase and its paraphrase; plain or compressed.
    target : str or path-like
        The file to make or to replace: it is there as a whole or not at all.
    progress : callable, optional
        It is called with the bytes of the source read so far and all.

    Returns
    -------
    str
        The SHA-256 of the source, which the file is marked with.

    Raises
    ------
    InputError
        If the source cannot be read, is corrupt, cut short or no paraphrase table.
    OptionError
        If the target cannot be written.
    """
    source, target = Path(source), Path(target)
    _log.info("compiling the paraphrase table %s into %s", source, target)
    started = time.monotonic()
    image, checksum = _compile(source, progress)
    try:
        _replace(target, image)
    except OSError as error:
        raise _unwritable(target.parent, error) from error
    _log.info("compiled %s in %.1f seconds", target, time.monotonic() - started)
    return checksum


class _Hashed:
    """A file that is read once from its beginning, with the checksum of what was read."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.digest = hashlib.sha256()
        self.count = 0

    def read(self, size: int) -> bytes:
        data = self._file.read(size)
        self.digest.update(data)
        self.count += len(data)
        return data


def _compile(source: Path, progress: Progress | None) -> tuple[bytes, str]:
    """Return a compiled table and the checksum of its source."""
    builder = _native.ParaphraseBuilder()
    try:
        with builtins.open(source, "rb") as file:
            total = os.fstat(file.fileno()).st_size
            compression = detect_compression(file.read(MAGIC_LENGTH))
            file.seek(0)
            hashed = _Hashed(file)
            stream: Any = hashed
            if compression is not None:
                raw = DecompressedStream(
                    cast("BinaryIO", hashed), compression, str(source), close_source=False
                )
                stream = io.BufferedReader(raw, _BLOCK)
            while block := stream.read(_BLOCK):
                builder.add(block)
                if progress is not None:
                    progress(hashed.count, total)
        checksum = hashed.digest.hexdigest()
        image = builder.finish(checksum)
    except _native.BadParaphraseText as error:
        raise InputError(str(error), path=str(source), line=builder.lines) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", path=str(source)) from error
    if builder.entries == 0:
        raise InputError("is empty and no paraphrase table", path=str(source))
    return image, checksum


def _unwritable(folder: Path, error: OSError) -> OptionError:
    need = "; a compiled table takes 80 MB" if error.errno == errno.ENOSPC else ""
    return OptionError(
        f"the paraphrase table cannot be kept in {folder} ({error.strerror or error}{need}): set "
        "COCARDE_CACHE to a folder that can be written"
    )


@contextlib.contextmanager
def _exclusive(file: BinaryIO) -> Iterator[None]:
    """Hold the lock of an open file, which its system lets go when the process ends in any way.

    Where the file system has no locks, go on without: work may be done twice, and no harm.
    """
    with contextlib.suppress(OSError):
        if sys.platform == "win32":
            import msvcrt

            while True:
                try:
                    msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
                    break
                except PermissionError:  # another process has it
                    time.sleep(0.1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
    # Closing the file lets go.
    yield


def _state(source: Path) -> dict[str, Any]:
    """What tells whether a file is still the one it was: all that a change of it changes."""
    try:
        status = source.stat()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", path=str(source)) from error
    return {
        "path": str(source.resolve()),
        "size": status.st_size,
        "modified": status.st_mtime_ns,
        "changed": status.st_ctime_ns,
        "inode": status.st_ino,
    }


def _checksum(source: Path, folder: Path) -> str:
    """Return the SHA-256 of a file, remembered in `folder` for as long as the file is the same."""
    state = _state(source)
    path_digest = hashlib.sha256(os.fsencode(state["path"])).hexdigest()
    index = folder / f"source-{path_digest[:32]}.json"
    with contextlib.suppress(OSError, ValueError):
        remembered = json.loads(index.read_text(encoding="utf-8"))
        if isinstance(remembered, dict):
            checksum = remembered.pop("sha256", None)
            if remembered == state and re.fullmatch(r"[0-9a-f]{64}", str(checksum)):
                return str(checksum)
    digest = hashlib.sha256()
    now = time.time_ns()
    try:
        with builtins.open(source, "rb") as file:
            while block := file.read(_BLOCK):
                digest.update(block)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", path=str(source)) from error
    checksum = digest.hexdigest()
    # A file that was written a moment ago may be written again without its times showing it.
    settled = now - max(state["modified"], state["changed"]) > _COARSE
    if settled and _state(source) == state:
        content = json.dumps({**state, "sha256": checksum}).encode()
        with contextlib.suppress(OSError):  # it only saves time
            folder.mkdir(parents=True, exist_ok=True)
            _replace(index, content)
    return checksum


def _replace(target: Path, content: bytes) -> None:
    """Write a file so that it is there as a whole or, after any failure, as it was."""
    partial = target.with_name(f"{target.name}.{secrets.token_hex(8)}.partial")
    try:
        with builtins.open(partial, "xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, target)
    except BaseException:
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)
        raise


def identity(path: str | os.PathLike[str] | None = None, language: str = "en") -> str:
    """Return what tells one table from another in a signature: the start of its checksum.

    Raises
    ------
    MissingExtraError, InputError, OptionError
        As `locate`.
    """
    return _checksum(locate(path, language), cache_folder())[:12]
