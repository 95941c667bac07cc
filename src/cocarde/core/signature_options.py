"""What a printed signature says of a metric's options: the parts that metrics have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from cocarde.core.signature import Signature
from cocarde.errors import OptionError

__all__ = ["Readers", "options_of", "read_case", "read_ignored", "read_yes"]

Readers = Mapping[str, Callable[[str], dict[str, Any]]]

# What a comparison adds to the signature of any metric: resamples, shuffles, seed, what is drawn.
_OF_COMPARISONS = frozenset({"bs", "ar", "seed", "unit"})


def options_of(text: str, readers: Readers, notes: frozenset[str]) -> dict[str, Any]:
    """Return the options that a signature prints.

    Parameters
    ----------
    text : str
        The signature.
    readers : mapping
        For each key, what turns its value into options.
    notes : frozenset of str
        Keys that tell about the data or the run, not about the metric.

    Raises
    ------
    OptionError
        If a key or value is unknown.
    """
    options: dict[str, Any] = {}
    for key, value in Signature.parse(text).pairs:
        if key in readers:
            options.update(readers[key](value))
        elif key not in notes and key not in _OF_COMPARISONS:
            raise OptionError(f"unknown key {key!r} in the signature {text!r}")
    return options


def check_version(text: str, reproduces: str) -> None:
    """Refuse a signature of another version than the one that is reproduced.

    Raises
    ------
    OptionError
        If the signature names one.
    """
    named = dict(Signature.parse(text).pairs).get("version", reproduces)
    if named != reproduces:
        raise OptionError(
            f"the signature is of version {named}, but what is computed here is {reproduces}; drop "
            f"'version:{named}' from it to score with this one"
        )


def read_yes(key: str, value: str) -> bool:
    """Read yes or no."""
    if value not in ("yes", "no"):
        raise OptionError(f"{key} is yes or no in a signature, found {value!r}")
    return value == "yes"


def read_case(value: str) -> dict[str, Any]:
    """Read `lowercase`."""
    if value not in ("lc", "mixed"):
        raise OptionError(f"case is lc or mixed in a signature, found {value!r}")
    return {"lowercase": value == "lc"}


def read_ignored(value: str) -> dict[str, Any]:
    """Read `ignore_ids`."""
    try:
        return {"ignore_ids": [int(part) for part in value.split(",")]}
    except ValueError:
        raise OptionError(f"cannot read the ids {value!r} of a signature") from None
