"""Strict comparisons: equal integers, 1e-9 relative on scores, and a report that shows the text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

TOLERANCE = 1e-9


def differs(ours: float, theirs: float, tolerance: float = TOLERANCE) -> bool:
    """Whether two scores are further apart than `tolerance`, relative to the larger one."""
    if ours == theirs:
        return False
    # written so that a NaN on either side counts as different
    return not abs(ours - theirs) <= tolerance * max(abs(ours), abs(theirs))


def assert_same_score(
    ours: float, theirs: float, what: str = "score", tolerance: float = TOLERANCE
) -> None:
    """Fail unless both scores are the same to `tolerance` (relative)."""
    __tracebackhide__ = True
    if differs(float(ours), float(theirs), tolerance):
        raise AssertionError(
            f"{what}: ours {float(ours)!r}, the peer's {float(theirs)!r}, "
            f"difference {float(ours) - float(theirs):.3e}"
        )


def describe(segment: int, hypotheses: Sequence[Any], references: Sequence[Any]) -> str:
    """The text of a segment, escaped so that every odd character shows."""
    return f"segment {segment}\n  hypothesis: {hypotheses[segment]!a}\n" + "".join(
        f"  reference {place}: {text!a}\n" for place, text in enumerate(references[segment])
    )


def assert_same_segments(
    ours: Sequence[float] | npt.NDArray[np.float64],
    theirs: Sequence[float] | npt.NDArray[np.float64],
    hypotheses: Sequence[Any],
    references: Sequence[Any],
    *,
    what: str = "segment score",
    tolerance: float = TOLERANCE,
) -> None:
    """Fail unless every segment's score is the same; show the first one that is not."""
    __tracebackhide__ = True
    assert len(ours) == len(theirs) == len(hypotheses), "numbers of segments"
    wrong = [
        i for i, (a, b) in enumerate(zip(ours, theirs, strict=True)) if differs(a, b, tolerance)
    ]
    if wrong:
        first = wrong[0]
        raise AssertionError(
            f"{what}: {len(wrong)} of {len(ours)} differ, first: ours {float(ours[first])!r}, "
            f"the peer's {float(theirs[first])!r}\n" + describe(first, hypotheses, references)
        )


def assert_same_statistics(
    ours: npt.NDArray[np.float64],
    theirs: npt.ArrayLike,
    fields: Sequence[str],
    hypotheses: Sequence[Any],
    references: Sequence[Any],
) -> None:
    """Fail unless two matrices (segments × fields) are equal; show the first row that is not."""
    __tracebackhide__ = True
    expected = np.asarray(theirs, dtype=np.float64)
    assert ours.shape == expected.shape, f"shapes: ours {ours.shape}, the peer's {expected.shape}"
    wrong = np.flatnonzero((ours != expected).any(axis=1))
    if wrong.size:
        first = int(wrong[0])
        columns = "".join(
            f"  {field}: ours {a:g}, the peer's {b:g}\n"
            for field, a, b in zip(fields, ours[first], expected[first], strict=True)
            if a != b
        )
        raise AssertionError(
            f"statistics: {wrong.size} of {len(ours)} segments differ, first: "
            + describe(first, hypotheses, references)
            + columns
        )


def interleave(
    hypothesis_length: npt.ArrayLike,
    reference_length: npt.ArrayLike,
    matches: npt.ArrayLike,
    totals: npt.ArrayLike,
) -> npt.NDArray[np.float64]:
    """Rows in cocarde's order of fields: lengths, then matches and total of each order.

    `matches` and `totals` have the shape (segments, orders).
    """
    lengths = np.stack([np.asarray(hypothesis_length), np.asarray(reference_length)], axis=1)
    pairs = np.stack([np.asarray(matches), np.asarray(totals)], axis=2)
    return np.concatenate([lengths, pairs.reshape(len(lengths), -1)], axis=1).astype(np.float64)
