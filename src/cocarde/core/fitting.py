"""Counts over references, on which corpus-fitted metrics are fitted: document frequencies, n-gram counts.

They add up over segments, so that files are counted batch by batch, and machines add up theirs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping
from functools import cached_property
from hashlib import blake2b

from cocarde.errors import InputError

__all__ = ["ReferenceCounts"]


class ReferenceCounts:
    """Counts over the references of a corpus, on which a metric is fitted; they add up over segments.

    Parameters
    ----------
    segments : int
        How many segments were counted.
    counts : mapping
        From what is counted (a str, an int, or a tuple of those, such as an n-gram) to how often.

    Attributes
    ----------
    segments : int
    counts : Counter

    Examples
    --------
    >>> first = ReferenceCounts(2, {("the",): 2, ("cat",): 1})
    >>> second = ReferenceCounts(1, {("the",): 1})
    >>> both = first + second
    >>> both.segments, both.counts[("the",)]
    (3, 3)
    >>> both == second + first, both.label
    (True, '3[6fd353d9]')
    """

    def __init__(self, segments: int = 0, counts: Mapping[Hashable, int] | None = None) -> None:
        self.segments = segments
        self.counts: Counter[Hashable] = Counter(counts)
        self._frozen = False

    def update(self, other: ReferenceCounts) -> None:
        """Add other counts to these, in place.

        Raises
        ------
        InputError
            If a metric is fitted on these or they have a label: both would change.
        """
        if self._frozen:
            raise InputError(
                "a metric is fitted on these counts, or they have a label; make new ones: counts + others"
            )
        self.segments += other.segments
        self.counts.update(other.counts)

    def freeze(self) -> None:
        """Refuse `update` from now on, as a metric is fitted on these."""
        self._frozen = True

    def __add__(self, other: ReferenceCounts) -> ReferenceCounts:
        total = ReferenceCounts(self.segments, self.counts)
        total.update(other)
        return total

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ReferenceCounts):
            return NotImplemented
        return self.segments == other.segments and self.counts == other.counts

    def __hash__(self) -> int:
        return hash((self.segments, self.checksum))

    @cached_property
    def checksum(self) -> str:
        """Sixteen hexadecimal digits, the same for the same counts in any order and on any machine."""
        self.freeze()  # it would no longer be true
        total = sum(
            int.from_bytes(blake2b(ascii(item).encode(), digest_size=8).digest(), "little")
            for item in self.counts.items()
            if item[1]
        )
        return f"{total % (1 << 64):016x}"

    @property
    def label(self) -> str:
        """What a signature says of them: the number of segments and the checksum's first digits."""
        return f"{self.segments}[{self.checksum[:8]}]"

    def __repr__(self) -> str:
        return f"<ReferenceCounts of {self.segments} segments, {len(self.counts)} counts>"
