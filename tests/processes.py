"""Child processes that signals are sent to."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any


def _default_interrupt() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def interruptible(command: Sequence[str], **options: Any) -> Iterator[subprocess.Popen[Any]]:
    """Start a child that Ctrl-C interrupts, and see to it that it is gone after the block.

    A process that is started in the background, under nohup or by many a CI system ignores SIGINT,
    and so do the children it starts; this one has the default handler whatever the parent has.
    `options` are those of `subprocess.Popen`.
    """
    with subprocess.Popen(command, preexec_fn=_default_interrupt, **options) as process:  # noqa: PLW1509
        try:
            yield process
        finally:
            process.kill()  # nothing happens to one that has ended


def run_interruptible(
    command: Sequence[str], *, timeout: float
) -> subprocess.CompletedProcess[str]:
    """Run a child that interrupts itself, and return its text output."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with interruptible(command, text=True, **pipes) as process:
        output, errors = process.communicate(timeout=timeout)
    return subprocess.CompletedProcess(command, process.returncode, output, errors)
