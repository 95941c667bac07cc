"""p-values of several tests at once: the more are made, the more are small by chance."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cocarde._util.checks import read_choice
from cocarde.errors import OptionError

__all__ = ["CORRECTIONS", "benjamini_hochberg", "correct", "holm"]


def _read(p_values: Sequence[float]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    values = np.asarray(p_values, dtype=np.float64)
    if values.ndim != 1 or not ((values >= 0) & (values <= 1)).all():
        raise OptionError(f"p-values are a list of numbers from 0 to 1, found {p_values!r:.60}")
    return values


def holm(p_values: Sequence[float]) -> list[float]:
    """Correct p-values so that any false finding at all is as unlikely as each p says (Holm, 1979).

    Parameters
    ----------
    p_values : sequence of float

    Returns
    -------
    list of float
        In the same order.

    Raises
    ------
    OptionError
        If one is not from 0 to 1.

    Examples
    --------
    >>> from cocarde.significance import holm
    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    values = _read(p_values)
    order = np.argsort(values, kind="stable")
    factors = np.arange(len(values), 0, -1)
    corrected = np.empty_like(values)
    corrected[order] = np.minimum(np.maximum.accumulate(values[order] * factors), 1)
    return [float(value) for value in corrected]


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """Correct p-values so that they bound the share of false findings (Benjamini and Hochberg, 1995).

    Parameters
    ----------
    p_values : sequence of float

    Returns
    -------
    list of float
        In the same order.

    Raises
    ------
    OptionError
        If one is not from 0 to 1.

    Examples
    --------
    >>> from cocarde.significance import benjamini_hochberg
    >>> [round(p, 3) for p in benjamini_hochberg([0.01, 0.04, 0.03])]
    [0.03, 0.04, 0.04]
    """
    values = _read(p_values)
    order = np.argsort(values, kind="stable")[::-1]
    factors = len(values) / np.arange(len(values), 0, -1)
    corrected = np.empty_like(values)
    corrected[order] = np.minimum(np.minimum.accumulate(values[order] * factors), 1)
    return [float(value) for value in corrected]


CORRECTIONS = {"holm": holm, "benjamini-hochberg": benjamini_hochberg}


def correct(p_values: Sequence[float], correction: str | None) -> list[float]:
    """Correct p-values in a named way; None leaves them.

    Raises
    ------
    OptionError
        If there is no such correction.
    """
    if correction is None:
        return [float(value) for value in _read(p_values)]
    read_choice("correction", correction, CORRECTIONS)
    return CORRECTIONS[correction](p_values)
