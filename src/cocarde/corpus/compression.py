"""Compressed streams: recognised by their first bytes, read in constant memory, checked to the end.

The readers of the standard library accept some broken archives: bytes after the end of an xz or
bz2 stream are ignored, and the usual zstd reader takes a frame that was cut short for a whole one.
A score over half a file looks like any other score, so one reader here serves every format and
refuses whatever does not end as the format says.
"""

from __future__ import annotations

import importlib
import io
import sys
from typing import TYPE_CHECKING, Any, BinaryIO

from cocarde.errors import InputError, MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Callable

    from _typeshed import WriteableBuffer

__all__ = ["MAGIC_LENGTH", "DecompressedStream", "compressor_for_name", "detect_compression"]

MAGIC_LENGTH = 10
"""Number of leading bytes that `detect_compression` wants to see."""

_OUTPUT_BYTES = 1 << 20
_INPUT_BYTES = 1 << 16
_LEAST_INPUT_BYTES = 1 << 8


def detect_compression(head: bytes) -> str | None:
    r"""Name the compression of a file by its first bytes.

    Parameters
    ----------
    head : bytes
        The first `MAGIC_LENGTH` bytes of the file, or all of them if it is shorter.

    Returns
    -------
    str or None
        ``"gz"``, ``"bz2"``, ``"xz"``, ``"zst"``, or None for a file that is not compressed.

    Examples
    --------
    >>> detect_compression(b"\x1f\x8b\x08\x00")
    'gz'
    >>> detect_compression(b"The cat") is None
    True
    """
    if head.startswith(b"\x1f\x8b"):
        return "gz"
    if head.startswith(b"\xfd7zXZ\x00"):
        return "xz"
    if head.startswith(b"\x28\xb5\x2f\xfd"):
        return "zst"
    # "BZh9" alone could begin a sentence; the block or end marker that follows could not.
    if (
        head.startswith(b"BZh")
        and head[3:4] in b"123456789"
        and head[4:10] in (b"1AY&SY", b"\x17\x72\x45\x38\x50\x90")
    ):
        return "bz2"
    return None


def _standard_zstd() -> Any | None:
    """The zstd module of Python 3.14 and later."""
    if sys.version_info < (3, 14):
        return None
    try:
        return importlib.import_module("compression.zstd")
    except ImportError:  # a Python that was built without it
        return None


def _zstandard_package() -> Any:
    try:
        return importlib.import_module("zstandard")
    except ImportError:
        raise MissingExtraError(
            'zst files need the package zstandard: run  pip install "cocarde[zstd]"'
        ) from None


class _Codec:
    """What `DecompressedStream` needs to know about one format."""

    def __init__(self, name: str) -> None:
        self.name = name
        # The zstandard package cannot bound the output of one call. It is given little input at a
        # time, by what the input before it grew to: None where the output can be bounded.
        self.portion: int | None = None
        # Zero bytes between and after streams are padding in gz and xz, an error elsewhere.
        self.padded = name in ("gz", "xz")
        self.errors: tuple[type[Exception], ...]
        self.new: Callable[[], Any]
        if name == "gz":
            import zlib

            # 16 + 15: a gzip header and trailer around the largest window.
            self.errors, self.new = (zlib.error,), lambda: zlib.decompressobj(31)
        elif name == "bz2":
            import bz2

            self.errors, self.new = (OSError,), bz2.BZ2Decompressor
        elif name == "xz":
            import lzma

            self.errors = (lzma.LZMAError,)
            self.new = lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ)
        else:
            zstd = _standard_zstd()
            if zstd is not None:
                self.errors, self.new = (zstd.ZstdError,), zstd.ZstdDecompressor
            else:
                package = _zstandard_package()
                self.errors = (package.ZstdError,)
                self.new = lambda: package.ZstdDecompressor().decompressobj()
                self.portion = _LEAST_INPUT_BYTES

    def feed(self, decompressor: Any, data: bytes) -> tuple[bytes, bytes, bool]:
        """Give `data`; return (output, input not yet taken, whether more output waits inside)."""
        if self.name == "gz":
            output = decompressor.decompress(data, _OUTPUT_BYTES)
            return output, decompressor.unconsumed_tail, len(output) == _OUTPUT_BYTES
        if self.portion is not None:
            output = decompressor.decompress(data[: self.portion])
            rest = data[self.portion :]
            wanted = self.portion * _OUTPUT_BYTES // max(len(output), 1)
            self.portion = max(_LEAST_INPUT_BYTES, min(wanted, 2 * self.portion, _INPUT_BYTES))
            return output, rest, False
        output = decompressor.decompress(data, _OUTPUT_BYTES)
        return output, b"", not decompressor.eof and not decompressor.needs_input


class DecompressedStream(io.RawIOBase):
    """The content of a compressed stream, as a raw stream that can only be read forwards.

    Parameters
    ----------
    source : BinaryIO
        The compressed bytes, from the first one on.
    compression : str
        What `detect_compression` said.
    path : str
        The name to use in errors.
    close_source : bool
        Whether closing this stream closes `source`.

    Raises
    ------
    InputError
        While reading, when the archive is corrupt, cut short, or followed by other bytes. The
        message says how many lines and bytes came out before.
    MissingExtraError
        For zst, when neither Python nor a package can read it.
    """

    def __init__(
        self, source: BinaryIO, compression: str, path: str, *, close_source: bool = True
    ) -> None:
        super().__init__()
        self._source = source
        self._path = path
        self._close_source = close_source
        self._codec = _Codec(compression)
        self._decompressor: Any = self._codec.new()
        self._input = b""
        self._output = memoryview(b"")
        self._more_inside = False
        self._between_streams = False
        self._finished = False
        self._lines = 0
        self._bytes = 0

    def readable(self) -> bool:  # noqa: D102
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:  # noqa: D102
        target = memoryview(buffer).cast("B")
        while not self._output and not self._finished:
            data = self._decompress_some()
            self._lines += data.count(b"\n")
            self._bytes += len(data)
            self._output = memoryview(data)
        count = min(len(target), len(self._output))
        target[:count] = self._output[:count]
        self._output = self._output[count:]
        return count

    def close(self) -> None:  # noqa: D102
        if not self.closed and self._close_source:
            self._source.close()
        super().close()

    def _decompress_some(self) -> bytes:
        if not self._input and not self._more_inside:
            self._input = self._source.read(_INPUT_BYTES)
            if not self._input:
                if not self._between_streams:
                    raise self._error("is cut short")
                self._finished = True
                return b""
        if self._between_streams:
            if self._codec.padded:
                self._input = self._input.lstrip(b"\0")
                if not self._input:
                    return b""
            self._decompressor = self._codec.new()
            self._between_streams = False
        data, self._input = self._input, b""
        try:
            output, self._input, self._more_inside = self._codec.feed(self._decompressor, data)
        except self._codec.errors as error:
            raise self._error(f"is corrupt ({error})") from error
        if self._decompressor.eof:
            unused = self._decompressor.unused_data
            # zlib repeats what it did not use in its unconsumed tail; others were given a portion.
            self._input = unused if self._codec.portion is None else unused + self._input
            self._more_inside = False
            self._between_streams = True
        return output

    def _error(self, fault: str) -> InputError:
        return InputError(
            f"the {self._codec.name} archive {fault}: only {self._lines} whole lines "
            f"({self._bytes} bytes) could be decompressed; copy or compress the file again",
            path=self._path,
            line=self._lines + 1,
        )


def compressor_for_name(path: str, target: BinaryIO) -> Any | None:
    """A binary stream that compresses into `target` as the suffix of `path` says.

    Parameters
    ----------
    path : str
        A file name; ``.gz``, ``.bz2``, ``.xz`` and ``.zst`` are understood.
    target : BinaryIO
        Where the compressed bytes go; closing the result leaves it open.

    Returns
    -------
    object or None
        A stream with `write` and `close`, or None when the suffix asks for no compression.

    Raises
    ------
    MissingExtraError
        For zst, when neither Python nor a package can write it.
    """
    lowered = path.lower()
    if lowered.endswith(".gz"):
        import gzip

        # No name and no time in the header: equal content gives equal files.
        return gzip.GzipFile(filename="", mode="wb", fileobj=target, mtime=0)
    if lowered.endswith(".bz2"):
        import bz2

        return bz2.BZ2File(target, "wb")
    if lowered.endswith(".xz"):
        import lzma

        return lzma.LZMAFile(target, "wb")
    if lowered.endswith(".zst"):
        zstd = _standard_zstd()
        if zstd is not None:
            return zstd.ZstdFile(target, "wb")
        return _zstandard_package().ZstdCompressor().stream_writer(target, closefd=False)
    return None
