"""How many threads the native loops may use."""

from __future__ import annotations

import os

from cocarde._util.checks import read_whole_number

__all__ = ["MOST_THREADS", "get_num_threads", "set_num_threads", "threads_for"]

MOST_THREADS = 4096
_chosen: int | None = None


def set_num_threads(count: int | None) -> None:
    """Set how many threads scoring uses from now on, in this process.

    Parameters
    ----------
    count : int or None
        1 or more; None goes back to ``COCARDE_NUM_THREADS`` or, without it, to the number of
        processors this process may run on. Scores never depend on it.

    Raises
    ------
    OptionError
        If `count` is not a whole number of at least 1.

    Examples
    --------
    >>> import cocarde
    >>> cocarde.set_num_threads(1)
    >>> cocarde.get_num_threads()
    1
    >>> cocarde.set_num_threads(None)
    """
    global _chosen
    _chosen = (
        None if count is None else read_whole_number("count", count, 1, MOST_THREADS, of="threads")
    )


def get_num_threads() -> int:
    """Return how many threads scoring uses.

    Returns
    -------
    int
        What `set_num_threads` set; else the environment variable ``COCARDE_NUM_THREADS``; else
        the number of processors this process may run on.

    Raises
    ------
    OptionError
        If ``COCARDE_NUM_THREADS`` is not a whole number of at least 1.

    Examples
    --------
    >>> import cocarde
    >>> cocarde.get_num_threads() >= 1
    True
    """
    if _chosen is not None:
        return _chosen
    text = os.environ.get("COCARDE_NUM_THREADS")
    if text:
        value: object = int(text) if text.strip().isdecimal() else text
        return read_whole_number(
            "the environment variable COCARDE_NUM_THREADS", value, 1, MOST_THREADS, of="threads"
        )
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def threads_for(count: int) -> int:
    """Return how many threads can share so many pieces of work: for one piece nobody is counted."""
    if count == 1 and _chosen is None and not os.environ.get("COCARDE_NUM_THREADS"):
        return 1
    return get_num_threads()
