"""What is measured: a piece of work that two sides do, and what their results have in common."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

__all__ = ["TOLERANCE", "Case", "Command", "Side", "Skipped", "Work"]

TOLERANCE = 1e-9


@dataclass(frozen=True)
class Command:
    """A process: its arguments, and what it adds to the environment."""

    arguments: tuple[str, ...]
    environment: tuple[tuple[str, str], ...] = ()

    def run(self) -> str:
        """Run it to its end and return what it printed."""
        environment = {**os.environ, **dict(self.environment)}
        done = subprocess.run(
            self.arguments, capture_output=True, env=environment, text=True, check=False
        )
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(self.arguments)} failed: {done.stderr.strip()[-500:]}")
        return done.stdout


@dataclass(frozen=True)
class Side:
    """One program at work.

    Attributes
    ----------
    name : str
        Program and version.
    run : callable
        Does the work on what `prepare` returned; this alone is timed.
    prepare : callable
        Makes the input anew before each repetition: fresh strings, empty caches, so many threads.
    units : float
        How much the work is, in units of its case.
    command : Command or None
        The process that `run` starts, where it starts one: its memory is measured, not ours.
    """

    name: str
    run: Callable[[Any], Any]
    prepare: Callable[[], Any]
    units: float
    command: Command | None = None


@dataclass(frozen=True)
class Case:
    """The same work by cocarde and by a peer.

    Attributes
    ----------
    group, work : str
        Heading and line of the table; together they name the case.
    unit : str
        What the work is counted in: segment, pair, call, MB.
    ours, peer : Side
        The peer may be cocarde itself, with fewer threads or less text; None where only a limit or
        a known result counts.
    difference : callable
        How far apart the two results are (the second is None without a peer); more than 1e-9 and
        the row is void.
    goal : float or None
        The speed, as a multiple of the peer's, that we want at least.
    limit : float or None
        The seconds that we want at most.
    megabytes : float or None
        The peak of memory that we want at most.
    memory : bool
        Whether to measure the peak of memory of both sides.
    note : str
    """

    group: str
    work: str
    unit: str
    ours: Side
    peer: Side | None
    difference: Callable[[Any, Any], float]
    goal: float | None = None
    limit: float | None = None
    megabytes: float | None = None
    memory: bool = False
    note: str = ""

    @property
    def name(self) -> str:
        return f"{self.group}: {self.work}"


@dataclass(frozen=True)
class Skipped:
    """Work that cannot be measured here, and why."""

    group: str
    work: str
    reason: str

    @property
    def name(self) -> str:
        return f"{self.group}: {self.work}"


Work = Case | Skipped
