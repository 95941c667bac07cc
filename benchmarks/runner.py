"""The one loop: warm up, compare the results, then time both sides by turns."""

from __future__ import annotations

import contextlib
import gc
import json
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.case import TOLERANCE, Case, Side, Skipped, Work

__all__ = ["Memory", "Row", "measure", "measure_memory", "peak_of_run", "select"]


@dataclass(frozen=True)
class Memory:
    """Megabytes at the peak of a process, and before the work (0 for commands)."""

    before: float
    peak: float


@dataclass(frozen=True)
class Row:
    """One line of the table.

    Attributes
    ----------
    ours, peer : list of float
        Seconds of each run: every repetition is a turn of one or more.
    difference : float or None
        Between the two results; more than 1e-9 makes the row void.
    skipped : str
        Why there are no times.
    """

    group: str
    work: str
    unit: str = ""
    our_name: str = ""
    peer_name: str = ""
    our_units: float = 1.0
    peer_units: float = 1.0
    ours: list[float] = field(default_factory=list)
    peer: list[float] = field(default_factory=list)
    difference: float | None = None
    goal: float | None = None
    limit: float | None = None
    megabytes: float | None = None
    our_memory: Memory | None = None
    peer_memory: Memory | None = None
    note: str = ""
    skipped: str = ""

    @property
    def void(self) -> bool:
        return not self.skipped and not (
            self.difference is not None and self.difference <= TOLERANCE
        )

    def ratio(self, summary: Callable[[list[float]], float] = min) -> float | None:
        """Return how many times the peer's time, unit by unit, ours goes into."""
        if not self.peer or self.void:
            return None
        return (summary(self.peer) / self.peer_units) / (summary(self.ours) / self.our_units)

    @property
    def met(self) -> bool | None:
        """Whether every goal is met; None where there is none, or nothing was measured."""
        if self.skipped or self.void:
            return None
        ratio, memory = self.ratio(), self.our_memory
        wishes = []
        if self.goal is not None and ratio is not None:
            wishes.append(ratio >= self.goal)
        if self.limit is not None:
            wishes.append(min(self.ours) <= self.limit)
        if self.megabytes is not None and memory is not None:
            wishes.append(memory.peak <= self.megabytes)
        return all(wishes) if wishes else None

    def to_dict(self) -> dict[str, Any]:
        """Return everything, ready for JSON."""
        summaries = {
            "void": self.void,
            "ratio": self.ratio(),
            "ratio_of_medians": self.ratio(statistics.median),
            "met": self.met,
        }
        return {**asdict(self), **summaries}


def select(works: Iterable[Work], pattern: str | None) -> Iterator[Work]:
    """Keep the works whose name has the pattern, a regular expression, in it."""
    found = re.compile(pattern or "", re.IGNORECASE)
    return (work for work in works if found.search(work.name))


# A turn lasts at least so long: what takes a few milliseconds is run several times, as it would be in
# use, not once with the caches full of what the other side left there.
_TURN_SECONDS = 0.05


def _timed(side: Side) -> tuple[float, Any]:
    given = side.prepare()
    start = time.perf_counter()
    result = side.run(given)
    return time.perf_counter() - start, result


def _turn(side: Side) -> list[float]:
    # First, since a collection walks all memory and leaves the caches of the processor cold.
    gc.collect()
    times: list[float] = []
    while sum(times) < _TURN_SECONDS:
        times.append(_timed(side)[0])
    return times


def measure(work: Work, repetitions: int) -> Row:
    """Time a case; the results of the warm-up are compared."""
    if isinstance(work, Skipped):
        return Row(work.group, work.work, skipped=work.reason)
    case, peer = work, work.peer
    ours_result = _timed(case.ours)[1]
    peer_result = None if peer is None else _timed(peer)[1]
    difference = case.difference(ours_result, peer_result)
    del ours_result, peer_result
    ours: list[float] = []
    theirs: list[float] = []
    for _ in range(repetitions if difference <= TOLERANCE else 0):
        ours += _turn(case.ours)
        if peer is not None:
            theirs += _turn(peer)
    return Row(
        group=case.group,
        work=case.work,
        unit=case.unit,
        our_name=case.ours.name,
        peer_name="" if peer is None else peer.name,
        our_units=case.ours.units,
        peer_units=1.0 if peer is None else peer.units,
        ours=ours,
        peer=theirs,
        difference=difference,
        goal=case.goal,
        limit=case.limit,
        megabytes=case.megabytes,
        note=case.note,
    )


# ---- memory: each side in a process of its own


def measure_memory(case: Case, options: list[str]) -> tuple[Memory, Memory | None]:
    """Return the peaks of both sides; `options` make the same data in another process."""
    peer = None if case.peer is None else _memory_of(case, case.peer, "peer", options)
    return _memory_of(case, case.ours, "ours", options), peer


def _memory_of(case: Case, side: Side, which: str, options: list[str]) -> Memory:
    if side.command is not None:
        side.prepare()
        return _memory_of_command(side)
    command = [sys.executable, "-m", "benchmarks", "--peak", which, case.name, *options]
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, cwd=Path(__file__).parent.parent
    )
    return Memory(**json.loads(done.stdout))


# A starter smaller than what it starts: a process's peak counts that of the one it was forked from.
_STARTER = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def _memory_of_command(side: Side) -> Memory:
    import os

    assert side.command is not None
    done = subprocess.run(
        [sys.executable, "-S", "-E", "-c", _STARTER, *side.command.arguments],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **dict(side.command.environment)},
    )
    return Memory(0.0, _megabytes(int(done.stdout)))


def _megabytes(maximum_resident: int) -> float:
    # Kilobytes, but bytes on macOS.
    return maximum_resident / (1e6 if sys.platform == "darwin" else 1e6 / 1024)


def _peak() -> float:
    """Return the peak of this process in megabytes."""
    status = Path("/proc/self/status")
    if status.exists():
        found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text())
        if found:
            return int(found[1]) * 1024 / 1e6
    import resource

    return _megabytes(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


def _forget_peak() -> None:
    # Linux alone can; elsewhere making the input may have set the peak.
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def peak_of_run(side: Side) -> Memory:
    """Run a side once in this process, for its memory."""
    given = side.prepare()
    gc.collect()
    _forget_peak()
    before = _peak()
    side.run(given)
    return Memory(before, _peak())
