"""The three streams of a process, whatever state they were handed over in.

A stream may be closed (``>&-``), full (``>/dev/full``) or a pipe without a reader. What that means for
the exit code is decided here; see docs/cli.md.
"""

from __future__ import annotations

import codecs
import io
import os
import sys
from contextlib import suppress
from typing import TextIO

__all__ = ["BAD_OUTPUT", "BROKEN_PIPE", "ESCAPING", "discard", "prepare", "say"]

BAD_OUTPUT = 2  # as of input that cannot be read
BROKEN_PIPE = 141  # what a shell reports of a program that SIGPIPE ended

# The way of `str.encode` with what UTF-8 has no form for; see `_escape`.
ESCAPING = "cocarde-escape"


def _escape(error: UnicodeError) -> tuple[bytes, int]:
    r"""Encode bytes of file names that are not UTF-8 as they were, other lone surrogates as ``\ud800``.

    The former come from Python's own way to decode names and arguments (PEP 383).
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    odd = map(ord, error.object[error.start : error.end])
    pieces = (
        bytes([code - 0xDC00]) if 0xDC80 <= code <= 0xDCFF else b"\\u%04x" % code for code in odd
    )
    return b"".join(pieces), error.end


codecs.register_error(ESCAPING, _escape)


def prepare() -> None:
    """Make the streams usable: open, in UTF-8 with plain line ends, whatever the locale says."""
    # A closed one is not left free for the next file that is opened. Standard output becomes one
    # that cannot be written to, so that only what needs it fails.
    if sys.stdout is None:
        sys.stdout = _reserve(1, os.O_RDONLY)
    if sys.stderr is None:
        sys.stderr = _reserve(2, os.O_WRONLY)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors=ESCAPING, newline="\n")
    if isinstance(sys.stderr, io.TextIOWrapper):
        sys.stderr.reconfigure(encoding="utf-8", errors="backslashreplace")


def _reserve(number: int, mode: int) -> TextIO:
    descriptor = os.open(os.devnull, mode)
    if descriptor != number:
        os.dup2(descriptor, number)
        os.close(descriptor)
    return open(number, "w", encoding="utf-8", closefd=False)


def discard(stream: TextIO) -> None:
    """Let what is still buffered vanish, so that Python does not complain while it exits."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def say(line: str) -> None:
    """Print a line to standard error; where that cannot be done, the exit code has to speak."""
    try:
        print(line, file=sys.stderr, flush=True)
    except (OSError, ValueError):
        discard(sys.stderr)
