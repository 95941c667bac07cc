"""The command line: the same words as the API, one file a command.

Nothing heavy is imported here: ``cocarde --version`` must cost no more than starting Python.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

__all__ = ["main"]

_INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments : sequence of str, optional
        What follows the program's name; by default ``sys.argv[1:]``.

    Returns
    -------
    int
        The exit code: 0 success, 1 a failed gate, 2 bad usage, input or output, 70 a bug, 130 interrupted,
        141 a reader that closed the pipe.

    Examples
    --------
    >>> from cocarde.cli import main
    >>> main(["--version"])  # doctest: +ELLIPSIS
    cocarde ...
    0
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    from cocarde.cli import streams

    try:
        streams.prepare()
        code = _run(given)
        sys.stdout.flush()
    except OSError as error:
        from cocarde.cli.console import report

        return report(error)
    except KeyboardInterrupt:
        streams.say("interrupted")
        return _INTERRUPTED
    return code


def _run(given: list[str]) -> int:
    if given in (["--version"], ["-V"]):
        from cocarde._version import __version__

        print(f"cocarde {__version__}")
        return 0
    from cocarde.cli.running import run

    return run(given)
