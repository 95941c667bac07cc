"""What a stemmer is."""

from __future__ import annotations

from abc import ABC, abstractmethod

__all__ = ["Stemmer"]


class Stemmer(ABC):
    """A word's way to its stem: an immutable value, hashable, picklable, safe to share by threads.

    Attributes
    ----------
    name : str
        What options take, and what stands for it in a metric's signature.
    native : str or None
        Its name among the native stemmers; None if it runs in Python.
    """

    name: str
    native: str | None = None

    @abstractmethod
    def __call__(self, word: str) -> str:
        """Return the stem of a word."""
