"""Options read from what a caller passed: each returns the plain value, or says what is wrong.

Numbers and truth values of NumPy are as good as Python's.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable

from cocarde.errors import OptionError

__all__ = [
    "read_choice",
    "read_confidence",
    "read_flag",
    "read_number",
    "read_percentage",
    "read_whole_number",
]

# What a message prints of an integer that has so many bits is their number: Python may refuse to
# write it out.
_LONG_INTEGER = 256


def _shown(value: object) -> str:
    if isinstance(value, int) and value.bit_length() > _LONG_INTEGER:
        return f"an integer of {value.bit_length()} bits"
    return repr(value)


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
        raise OptionError(
            f"{option} must be True or False, found {value!r}", option=option, value=value
        )
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
            f"{option} must be a whole number{f' of {of}' if of else ''} {bounds}, found {_shown(value)}",
            option=option,
            value=value,
        )
    return int(value)


def _as_float(value: object) -> float | None:
    """The number, or None where it is no finite one."""
    if not isinstance(value, numbers.Real) or _is_flag(value):
        return None
    try:
        number = float(value)
    except OverflowError:  # an integer or a fraction too large for a float
        return None
    return number if math.isfinite(number) else None


def read_number(option: str, value: object, least: float = 0, most: float | None = None) -> float:
    """Read a finite number from `least` to `most`.

    Raises
    ------
    OptionError
        If it is none, or out of that range.
    """
    number = _as_float(value)
    if number is None or number < least or (most is not None and number > most):
        bounds = f"of at least {least:g}" if most is None else f"from {least:g} to {most:g}"
        raise OptionError(
            f"{option} must be a number {bounds}, found {_shown(value)}", option=option, value=value
        )
    return number


def read_percentage(option: str, value: object) -> float:
    """Read a percentage above 0, up to 100; nobody means less than 1 in a hundred.

    Raises
    ------
    OptionError
        If it is none, or looks like a fraction of 1.
    """
    number = _as_float(value)
    if number is not None and 0 < number < 1:
        raise OptionError(
            f"{option} is a percentage: say {100 * number:g}, not {number:g}",
            option=option,
            value=value,
        )
    if number is None or not 1 <= number <= 100:
        raise OptionError(
            f"{option} must be a percentage from 1 to 100, found {_shown(value)}",
            option=option,
            value=value,
        )
    return number


def read_confidence(option: str, value: object) -> float:
    """Read the confidence of a test: a percentage from 50 up, below 100.

    At less than 50 a difference would be found significant that chance makes as often as not; at
    100 none ever is.

    Raises
    ------
    OptionError
        If it is none, or looks like a fraction of 1.
    """
    number = _as_float(value)
    if number is not None and 50 <= number < 100:
        return number
    meant = ""
    if number is not None and 0 < number < 1:
        # 0.05 is a level of significance.
        percent = 100 * (number if number >= 0.5 else 1 - number)
        meant = f"; did you mean {percent:g}?"
    shown = _shown(value) if number is None else f"{number:g}"
    raise OptionError(
        f"{option} is a percentage of at least 50 and below 100, found {shown}{meant}",
        option=option,
        value=value,
    )


def read_choice(option: str, value: object, choices: Iterable[str]) -> str:
    """Read one of several names.

    Raises
    ------
    OptionError
        If it is none of them.
    """
    known = list(choices)
    if not isinstance(value, str) or value not in known:
        raise OptionError(
            f"{option} must be one of {', '.join(known)}; found {value!r}",
            option=option,
            value=value,
            choices=known,
        )
    return value
