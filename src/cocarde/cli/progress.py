"""Progress on standard error, once the work has taken long enough to wonder."""

from __future__ import annotations

import sys
import threading
import time
from types import TracebackType
from typing import Any

from cocarde._display import printable
from cocarde.cli import streams

__all__ = ["Progress"]

_PATIENCE = 1.0  # seconds


class Progress:
    """Shows how far scoring is: a bar on a terminal, a line a second elsewhere.

    Parameters
    ----------
    shown : bool or None
        True from the start, False never, None on a terminal after a second.
    unit : str
        What is counted.

    Notes
    -----
    The bar belongs to a timer's thread, since a native call may keep the main thread for long, and
    because most runs end before they would need to import it.
    """

    def __init__(self, shown: bool | None, unit: str = "segments") -> None:
        terminal = sys.stderr.isatty()
        self._unit = unit
        self._lines = bool(shown) and not terminal
        self._wants_bar = terminal and shown is not False
        self._delay = 0.0 if shown else _PATIENCE
        self._lock = threading.Lock()
        self._closed = False
        self._bar: Any = None
        self._timer: threading.Timer | None = None
        self._label = "scoring"
        self._total: float | None = None
        self._done: float = 0
        self._printed = time.monotonic()

    def __enter__(self) -> Progress:  # noqa: PYI034  (Self is not in Python 3.10)
        if self._wants_bar:
            self._timer = threading.Timer(self._delay, self._start)
            self._timer.daemon = True
            self._timer.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._timer is not None:
            self._timer.cancel()
        with self._lock:
            self._closed = True
            if self._bar is not None:
                self._bar.stop()

    def begin(self, label: str, total: float | None) -> None:
        """Go on to another file of about so many segments in `total`, if that is known."""
        with self._lock:
            self._label, self._total, self._done = printable(label), total, 0
            self._show()

    def advance(self, count: float) -> None:
        """Say that `count` more segments are done."""
        with self._lock:
            self._done += count
            self._show()

    def _show(self) -> None:
        if self._bar is not None:
            total = None if self._total is None else max(self._total, self._done)
            self._bar.update(self._task, description=self._label, total=total, completed=self._done)
        elif self._lines and time.monotonic() - self._printed >= _PATIENCE:
            self._printed = time.monotonic()
            streams.say(f"{self._label}: {self._done:,.0f} {self._unit}")

    def _start(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as Bar

        with self._lock:
            if self._closed:
                return
            self._bar = Bar(
                SpinnerColumn(),
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                TextColumn(f"{{task.completed:,.0f}} {self._unit}"),
                TimeElapsedColumn(),
                console=Console(file=sys.stderr),
                transient=True,
            )
            self._task = self._bar.add_task(self._label, total=self._total)
            self._show()
            self._bar.start()
