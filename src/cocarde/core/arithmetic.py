"""The arithmetic of formulas: each formula is written once, for one row of statistics and for many.

NumPy takes about a microsecond for a step, however few numbers it is about, and a formula has dozens of
steps: for one segment they would cost far more than counting its n-grams. So a formula takes the fields
of a row one by one, each a plain number (one row) or an array (any number of rows), and leaves to their
arithmetic what plain numbers and arrays do in different ways. Both give the same bits: logarithms,
exponentials and powers are NumPy's either way.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["NUMBERS", "ROWS", "Arithmetic", "Value", "columns_of", "total"]

Floats = npt.NDArray[np.float64]
# A float, or an array of them; a bool, or an array of them.
Value = Any
Condition = Any


class Arithmetic(ABC):
    """What plain numbers and arrays of numbers do in different ways."""

    @abstractmethod
    def where(self, condition: Condition, value: Value, otherwise: Value) -> Value:
        """`value` where the condition holds, else `otherwise`."""

    @abstractmethod
    def any(self, condition: Condition) -> bool:
        """Whether the condition holds anywhere."""

    @abstractmethod
    def ratio(self, numerator: Value, denominator: Value, otherwise: float = 0.0) -> Value:
        """The quotient; `otherwise` where the denominator is 0."""

    @abstractmethod
    def divide(self, numerator: Value, denominator: Value) -> Value:
        """The quotient; infinite or NaN where the denominator is 0."""

    @abstractmethod
    def minimum(self, value: Value, other: Value) -> Value:
        """The smaller one."""

    @abstractmethod
    def maximum(self, value: Value, other: Value) -> Value:
        """The larger one."""

    @abstractmethod
    def log(self, value: Value) -> Value:
        """The natural logarithm of what is above 0."""

    @abstractmethod
    def exp(self, value: Value) -> Value:
        """The exponential."""

    @abstractmethod
    def power(self, value: Value, exponent: float) -> Value:
        """`value` to the power of the exponent; NaN where there is none."""

    @abstractmethod
    def join(self, values: Sequence[Value]) -> npt.NDArray[Any]:
        """An array with several fields in its last axis."""


class _Numbers(Arithmetic):
    def where(self, condition: Condition, value: Value, otherwise: Value) -> Value:
        return value if condition else otherwise

    def any(self, condition: Condition) -> bool:
        return bool(condition)

    def ratio(self, numerator: Value, denominator: Value, otherwise: float = 0.0) -> Value:
        return numerator / denominator if denominator else otherwise

    def divide(self, numerator: Value, denominator: Value) -> Value:
        if denominator:
            return numerator / denominator
        return numerator * math.inf  # 0 and NaN give NaN

    def minimum(self, value: Value, other: Value) -> Value:
        return min(other, value)

    def maximum(self, value: Value, other: Value) -> Value:
        return max(other, value)

    def log(self, value: Value) -> Value:
        return float(np.log(value))

    def exp(self, value: Value) -> Value:
        return float(np.exp(value))

    def power(self, value: Value, exponent: float) -> Value:
        if value < 0:
            return math.nan if exponent % 1 else float(np.power(value, exponent))
        return float(np.power(value, exponent))

    def join(self, values: Sequence[Value]) -> npt.NDArray[Any]:
        return np.array(values)


class _Rows(Arithmetic):
    def where(self, condition: Condition, value: Value, otherwise: Value) -> Value:
        return np.where(condition, value, otherwise)

    def any(self, condition: Condition) -> bool:
        return bool(np.any(condition))

    def ratio(self, numerator: Value, denominator: Value, otherwise: float = 0.0) -> Value:
        quotients = np.full(np.shape(denominator), otherwise)
        return np.divide(numerator, denominator, out=quotients, where=denominator != 0)

    def divide(self, numerator: Value, denominator: Value) -> Value:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.divide(numerator, denominator)

    def minimum(self, value: Value, other: Value) -> Value:
        return np.minimum(value, other)

    def maximum(self, value: Value, other: Value) -> Value:
        return np.maximum(value, other)

    def log(self, value: Value) -> Value:
        return np.log(value)

    def exp(self, value: Value) -> Value:
        return np.exp(value)

    def power(self, value: Value, exponent: float) -> Value:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.power(value, exponent)

    def join(self, values: Sequence[Value]) -> npt.NDArray[Any]:
        return np.stack(values, axis=-1)


NUMBERS = _Numbers()
"""Of one row, whose fields are plain numbers."""
ROWS = _Rows()
"""Of many rows, whose fields are arrays."""


def total(values: Sequence[Value]) -> Value:
    """Return the sum of several fields, added up in the order in which NumPy does it along an axis."""
    count = len(values)
    if count > 128:
        half = count // 2 - count // 2 % 8
        return total(values[:half]) + total(values[half:])
    if count < 8:
        result: Value = 0.0
        rest = values
    else:
        whole = count - count % 8
        parts = list(values[:8])
        for number in range(8, whole):
            parts[number % 8] = parts[number % 8] + values[number]
        a, b, c, d, e, f, g, h = parts
        result = ((a + b) + (c + d)) + ((e + f) + (g + h))
        rest = values[whole:]
    for value in rest:
        result = result + value
    return result


def columns_of(values: Floats) -> tuple[Arithmetic, list[Value]]:
    """Return the fields of rows one by one, and their arithmetic.

    Parameters
    ----------
    values : ndarray, shape (k,) or (..., k)
        One row, or any number of them.

    Returns
    -------
    arithmetic : Arithmetic
    columns : list of k floats, or of k arrays of shape (...)
    """
    if values.ndim == 1:
        return NUMBERS, values.tolist()
    return ROWS, list(np.ascontiguousarray(np.moveaxis(values, -1, 0)))
