"""How much of a file may have to be held at once: a few megabytes of an archive can hold gigabytes."""

from __future__ import annotations

import os

from cocarde._util.checks import read_whole_number
from cocarde.errors import InputError

__all__ = ["LineLimit", "MarkupLimit"]

_LINE_BYTES = 256 << 20
_MARKUP_BYTES = 1 << 30


def _limit(keyword: str, given: int | None, variable: str, default: int) -> int:
    """Return a limit: as it was given, else as the environment says it, else the default."""
    if given is not None:
        return read_whole_number(keyword, given, 1)
    text = os.environ.get(variable)
    if not text:
        return default
    value: object = int(text) if text.strip().isdecimal() else text
    return read_whole_number(f"the environment variable {variable}", value, 1, of="bytes")


class LineLimit:
    """Refuses a file with a line that is too long, before that line is read whole.

    Parameters
    ----------
    path : str
        What the file is called in messages.
    given : int, optional
        The most bytes of a line, at least 1. By default the environment variable
        ``COCARDE_MAX_LINE_BYTES`` or, without it, 256 MiB.
    """

    def __init__(self, path: str, given: int | None = None) -> None:
        self.bytes = _limit("max_line_bytes", given, "COCARDE_MAX_LINE_BYTES", _LINE_BYTES)
        self._path = path
        self._line = 1
        self._open = 0  # bytes of it that were seen

    def check(self, chunk: bytes, line_feeds: int) -> None:
        """Look at the next bytes of the file, at most `bytes`, and how many line feeds they hold.

        Raises
        ------
        InputError
            With the number of the line that is too long.
        """
        # A line that lies within one chunk cannot be too long.
        length = self._open + (chunk.find(b"\n") if line_feeds else len(chunk))
        if length > self.bytes:
            raise InputError(
                f"the line has more than {self.bytes} bytes, which is refused because it would have "
                "to be held in memory whole; set the environment variable COCARDE_MAX_LINE_BYTES, or "
                "max_line_bytes in Python, to a higher number if the line is meant to be so long",
                path=self._path,
                line=self._line,
            )
        self._open = len(chunk) - 1 - chunk.rfind(b"\n") if line_feeds else length
        self._line += line_feeds


class MarkupLimit:
    """Refuses a file of markup that is too large, before it is read whole.

    Parameters
    ----------
    path : str
        What the file is called in messages.
    given : int, optional
        The most (uncompressed) bytes, at least 1. By default the environment variable
        ``COCARDE_MAX_MARKUP_BYTES`` or, without it, 1 GiB.
    """

    def __init__(self, path: str, given: int | None = None) -> None:
        self._bytes = _limit("max_bytes", given, "COCARDE_MAX_MARKUP_BYTES", _MARKUP_BYTES)
        self._path = path
        self._seen = 0

    def check(self, chunk: bytes) -> None:
        """Look at the next bytes of the file.

        Raises
        ------
        InputError
            When there are too many.
        """
        self._seen += len(chunk)
        if self._seen > self._bytes:
            raise InputError(
                f"has more than {self._bytes} bytes of markup, which are refused because they would "
                "have to be held in memory whole; set the environment variable "
                "COCARDE_MAX_MARKUP_BYTES, or max_bytes in Python, to a higher number if the file is "
                "meant to be so large",
                path=self._path,
            )
