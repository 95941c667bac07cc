"""Options read from what a caller passed: each returns the plain value, or says what is wrong.

Numbers and truth values of NumPy are as good as Python's.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable

from cocarde.errors import OptionError

__all__ = ["read_choice", "read_flag", "read_number", "read_whole_number"]


def _is_flag(value: object) -> bool:
    # numpy.bool_ without importing NumPy; its name is "bool" from 2.0 on.
    kind = type(value)
    return isinstance(value, bool) or (
        kind.__module__ == "numpy" and kind.__name__ in ("bool", "bool_")
    )


def read_flag(option: str, value: object) -> bool:
    """Read True or False.

    Raises
    ------
    OptionError
        If it is neither.
    """
    if not _is_flag(value):
        raise OptionError(f"{option} must be True or False, found {value!r}")
    return bool(value)


def read_whole_number(
    option: str, value: object, least: int, most: int | None = None, *, of: str = ""
) -> int:
    """Read a whole number from `least` to `most`.

    Parameters
    ----------
    of : str
        What it counts, for the message.

    Raises
    ------
    OptionError
        If it is none, or out of that range.
    """
    if (
        not isinstance(value, numbers.Integral)
        or _is_flag(value)
        or int(value) < least
        or (most is not None and int(value) > most)
    ):
        bounds = f"of at least {least}" if most is None else f"from {least} to {most}"
        raise OptionError(
            f"{option} must be a whole number{f' of {of}' if of else ''} {bounds}, found {value!r}"
        )
    return int(value)


def read_number(option: str, value: object, least: float = 0, most: float | None = None) -> float:
    """Read a finite number from `least` to `most`.

    Raises
    ------
    OptionError
        If it is none, or out of that range.
    """
    if (
        not isinstance(value, numbers.Real)
        or _is_flag(value)
        or not least <= float(value) < math.inf
        or (most is not None and float(value) > most)
    ):
        bounds = f"of at least {least:g}" if most is None else f"from {least:g} to {most:g}"
        raise OptionError(f"{option} must be a number {bounds}, found {value!r}")
    return float(value)


def read_choice(option: str, value: object, choices: Iterable[str]) -> str:
    """Read one of several names.

    Raises
    ------
    OptionError
        If it is none of them.
    """
    known = list(choices)
    if not isinstance(value, str) or value not in known:
        raise OptionError(f"{option} must be one of {', '.join(known)}; found {value!r}")
    return value
