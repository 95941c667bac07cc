"""Exceptions and warnings.

Every error names the argument or the file, the index or the line, what was found, and the fix.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from cocarde._display import printable

__all__ = [
    "CocardeError",
    "CocardeWarning",
    "InputError",
    "MissingExtraError",
    "OptionError",
    "SeveralScoresError",
    "warn",
]


class CocardeError(Exception):
    """Base class of the errors that cocarde raises on purpose."""

    def __str__(self) -> str:
        # Names of files and words of texts may hold what a terminal obeys.
        return printable(super().__str__())


class OptionError(CocardeError, ValueError):
    """An option of a metric, tokenizer or reader has a value out of its range.

    Attributes
    ----------
    option : str or None
        Its name, where the error is about one.
    value : object
        What was found.
    choices : tuple of str
        What there is, where it is one of several names.
    """

    def __init__(
        self,
        message: str,
        *,
        option: str | None = None,
        value: object = None,
        choices: Iterable[str] = (),
    ) -> None:
        super().__init__(message)
        self.option = option
        self.value = value
        self.choices = tuple(choices)


class InputError(CocardeError, ValueError):
    """Segments, references or files that cannot be scored as they are.

    Attributes
    ----------
    path : str or None
        The file, where the fault lies in one.
    line : int or None
        1-based line number in that file.
    segment : int or None
        Which of the segments that were given, from 0, where the fault lies in one; the command line,
        which counts like lines, prints it from 1.
    """

    def __init__(
        self,
        message: str,
        *,
        path: str | None = None,
        line: int | None = None,
        segment: int | None = None,
    ) -> None:
        super().__init__(message)
        self.path = path
        self.line = line
        self.segment = segment
        self._places: list[str] = []

    def add_place(self, place: str) -> None:
        """Say first where it is, such as in which system."""
        self._places.insert(0, place)

    def __str__(self) -> str:
        places = list(self._places)
        if self.path is not None:
            places.append(self.path if self.line is None else f"{self.path}:{self.line}")
        if self.segment is not None:
            places.append(f"segment {self.segment}")
        return printable(": ".join([*places, Exception.__str__(self)]))


@contextmanager
def numbering(segment_of: Callable[[int], int]) -> Iterator[None]:
    """Number the segment of an `InputError` as the caller's caller counts it.

    Parameters
    ----------
    segment_of : callable
        From its index among those at hand, such as a batch of a stream, to that among all.
    """
    try:
        yield
    except InputError as error:
        if error.segment is not None:
            error.segment = segment_of(error.segment)
        raise


class SeveralScoresError(CocardeError, TypeError):
    """One number was asked of a metric's scores, but it has several; no convention makes one of them.

    Attributes
    ----------
    parts : tuple of str
        Their names.
    """

    def __init__(self, metric: str, parts: Iterable[str]) -> None:
        self.metric = metric
        self.parts = tuple(parts)
        super().__init__(
            f"{metric} has several scores: {', '.join(self.parts)}; take one of them, such as "
            f"score[{self.parts[0]!r}]"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.metric, self.parts)


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
