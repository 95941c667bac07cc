"""The commands, by name, and the exit codes that all have."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from cocarde.cli.metric_options import for_line
from cocarde.cli.parameters import Command

__all__ = ["BAD_INPUT", "BUG", "COMMANDS", "PROGRAM", "load"]

PROGRAM = "cocarde"
BAD_INPUT = 2
BUG = 70  # EX_SOFTWARE of sysexits.h: never to be taken for a failed gate

# In the order of the help; each is a function of that name in the module of that name.
COMMANDS = ("score", "compare", "explain", "tune", "tokenize", "metrics", "presets", "resources")


def load(name: str, arguments: Sequence[str] = ()) -> Command:
    """Import a command, with the options of the metrics that its arguments name."""
    command: Command = getattr(import_module(f"cocarde.cli.{name}"), name)
    return for_line(command, arguments)
