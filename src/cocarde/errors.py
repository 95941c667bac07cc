"""Exceptions and warnings.

Every error names the argument or the file, the index or the line, what was found, and the fix.
"""

from __future__ import annotations

import sys
import warnings

from cocarde._display import printable

__all__ = [
    "CocardeError",
    "CocardeWarning",
    "InputError",
    "MissingExtraError",
    "OptionError",
    "warn",
]


class CocardeError(Exception):
    """Base class of the errors that cocarde raises on purpose."""

    def __str__(self) -> str:
        # Names of files and words of texts may hold what a terminal obeys.
        return printable(super().__str__())


class OptionError(CocardeError, ValueError):
    """An option of a metric, tokenizer or reader has a value out of its range."""


class InputError(CocardeError, ValueError):
    """Segments, references or files that cannot be scored as they are.

    Attributes
    ----------
    path : str or None
        The file, where the fault lies in one.
    line : int or None
        1-based line number in that file.
    """

    def __init__(self, message: str, *, path: str | None = None, line: int | None = None) -> None:
        where = "" if path is None else f"{path}:{line}: " if line is not None else f"{path}: "
        super().__init__(where + message)
        self.path = path
        self.line = line


class MissingExtraError(CocardeError, ImportError):
    """An optional package or resource is missing; the message names the command that brings it."""


class CocardeWarning(UserWarning):
    """Something a careful reader of the score would want to know."""


def warn(message: str) -> None:
    """Issue a `CocardeWarning` that points at the caller outside this package."""
    level, frame = 2, sys._getframe(1)  # noqa: SLF001
    while frame.f_globals.get("__name__", "").startswith("cocarde.") and frame.f_back is not None:
        level, frame = level + 1, frame.f_back
    warnings.warn(message, CocardeWarning, stacklevel=level)
