"""The application as typer knows it: help, completion, and whatever is not a plain command line."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Annotated, Any

import typer
from typer.main import get_command

from cocarde._version import __version__
from cocarde.cli import commands as known
from cocarde.cli.parameters import for_typer

__all__ = ["build", "invoke"]


def build(commands: Iterable[str] = known.COMMANDS, arguments: Sequence[str] = ()) -> typer.Typer:
    """Return the application with some of its commands; each costs time to import and describe."""
    app = typer.Typer(
        name=known.PROGRAM,
        no_args_is_help=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["--help", "-h"]},
    )
    app.callback(invoke_without_command=True)(_root)
    for name in commands:
        app.command(name)(for_typer(known.load(name, arguments)))
    return app


def _print_version(asked: bool) -> None:
    if asked:
        print(f"{known.PROGRAM} {__version__}")
        raise typer.Exit


def _root(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version", "-V", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show the traceback of an error; goes anywhere.")
    ] = False,
) -> None:
    """Exact, fast and explained scores for machine-translated and generated text.

    Data goes to standard output, everything else to standard error; `-` is standard input.
    Exit codes: 0 success, 1 a failed gate, 2 bad usage or input.
    """
    if context.invoked_subcommand is None:
        text = context.get_help()
        if text:
            print(text)
        raise typer.Exit(known.BAD_INPUT)


def _show_flags_as_flags(command: Any) -> None:
    """Keep the help from announcing a value, ``<bool>``, after options that take none."""
    root = command.context_class(command, **command.context_settings)
    # The names of --help are inherited.
    contexts = [
        root,
        *(
            one.context_class(one, parent=root, **one.context_settings)
            for one in getattr(command, "commands", {}).values()
        ),
    ]
    for context in contexts:
        for option in context.command.get_params(context):
            if getattr(option, "is_flag", False) and option.metavar is None:
                option.metavar = ""


def invoke(arguments: Sequence[str]) -> int:
    """Read a command line, run its command and return the exit code.

    Raises
    ------
    Exception
        A usage error of the parser, which has `format_message`; and what commands raise.
    """
    completing = f"_{known.PROGRAM.upper()}_COMPLETE" in os.environ
    alone = not completing and arguments[:1] != [] and arguments[0] in known.COMMANDS
    command = get_command(build(arguments[:1] if alone else known.COMMANDS, arguments[1:]))
    _show_flags_as_flags(command)
    try:
        if completing:
            # The shell asks for completions; typer answers and exits.
            command.main(args=[*arguments], prog_name=known.PROGRAM, standalone_mode=False)
        # Not command.main(): it makes a closed pipe exit code 1, which means a failed gate here.
        with command.make_context(known.PROGRAM, [*arguments]) as context:
            return int(command.invoke(context) or 0)
    except typer.Exit as finished:
        return finished.exit_code
    except typer.Abort:
        raise KeyboardInterrupt from None
