"""The application: its commands, and what becomes of errors."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from importlib import import_module
from typing import Annotated

import typer
from typer.main import get_command

from cocarde._version import __version__
from cocarde.cli import console
from cocarde.errors import CocardeError

__all__ = ["build", "run"]

_PROGRAM = "cocarde"
_BAD_INPUT = 2
_BUG = 70  # EX_SOFTWARE of sysexits.h: never to be taken for a failed gate
_BROKEN_PIPE = 141  # what a shell reports of a program that SIGPIPE ended

# In the order of the help; each is a function of that name in the module of that name.
COMMANDS = ("score", "explain", "tokenize", "metrics", "presets")


def build(commands: Iterable[str] = COMMANDS) -> typer.Typer:
    """Return the application with some of its commands; each costs time to import and describe."""
    app = typer.Typer(
        name=_PROGRAM,
        no_args_is_help=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["--help", "-h"]},
    )
    app.callback(invoke_without_command=True)(_root)
    for name in commands:
        app.command(name)(getattr(import_module(f"cocarde.cli.{name}"), name))
    return app


def _print_version(asked: bool) -> None:
    if asked:
        print(f"{_PROGRAM} {__version__}")
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
    Exit codes: 0 success, 1 a score below --min, 2 bad usage or input.
    """
    if context.invoked_subcommand is None:
        text = context.get_help()
        if text:
            print(text)
        raise typer.Exit(_BAD_INPUT)


def run(arguments: list[str]) -> int:
    """Run a command and return its exit code; errors become one message on standard error.

    Parameters
    ----------
    arguments : list of str
        What follows the program's name.
    """
    arguments, debug = _take_debug(arguments)
    arguments = [console.protect(argument) for argument in arguments]
    console.prepare_streams()
    try:
        completing = f"_{_PROGRAM.upper()}_COMPLETE" in os.environ
        alone = not completing and arguments[:1] != [] and arguments[0] in COMMANDS
        command = get_command(build(arguments[:1] if alone else COMMANDS))
        if completing:
            # The shell asks for completions; typer answers and exits.
            command.main(args=arguments, prog_name=_PROGRAM, standalone_mode=False)
        # Not command.main(): it makes a closed pipe exit code 1, which means a failed gate here.
        with command.make_context(_PROGRAM, arguments) as context:
            command.invoke(context)
        sys.stdout.flush()
    except typer.Exit as finished:
        return finished.exit_code
    except typer.Abort:
        raise KeyboardInterrupt from None
    except BrokenPipeError:
        console.discard_stdout()
        return _BROKEN_PIPE
    except CocardeError as error:
        _raise_if(debug, error)
        console.print_error(
            console.in_words_of_options(str(error)), console.hint_for(error, arguments)
        )
        return _BAD_INPUT
    except MemoryError as error:
        _raise_if(debug, error)
        console.print_error("out of memory", "plain text files at corpus level need hardly any")
        return _BAD_INPUT
    except OSError as error:
        _raise_if(debug, error)
        console.discard_stdout()
        where = f"{error.filename}: " if error.filename else ""
        console.print_error(f"{where}{error.strerror or error}")
        return _BAD_INPUT
    except Exception as error:
        # The usage errors of the parser; where their class lives depends on typer's version.
        format_message = getattr(error, "format_message", None)
        _raise_if(debug, error)
        if format_message is not None:
            return _usage_error(error, format_message(), arguments)
        console.print_error(
            f"unexpected {type(error).__name__}: {error}",
            "this is a bug in cocarde; please report it with what --debug prints",
        )
        return _BUG
    return 0


def _take_debug(arguments: list[str]) -> tuple[list[str], bool]:
    """Take ``--debug`` off, wherever it stands before ``--``."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    before = [argument for argument in arguments[:end] if argument != "--debug"]
    return before + arguments[end:], len(before) < end


def _raise_if(debug: bool, error: BaseException) -> None:
    if debug:
        import traceback

        traceback.print_exception(error)


def _usage_error(error: Exception, message: str, arguments: list[str]) -> int:
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else _PROGRAM
    hint = console.hint_for(error, arguments) or f"`{path} --help` lists what there is"
    message = message.replace("Value error, ", "")
    message = message[:1].lower() + message[1:] if message else "bad usage"
    console.print_error(message, hint)
    return _BAD_INPUT
