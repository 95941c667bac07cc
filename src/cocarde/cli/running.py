"""From a command line to an exit code: what becomes of commands and of errors."""

from __future__ import annotations

import re
from collections.abc import Iterable

from cocarde.cli import console, streams
from cocarde.cli.commands import BAD_INPUT, BUG, COMMANDS, PROGRAM, load
from cocarde.cli.metric_options import all_flags, refuse_others
from cocarde.cli.parameters import read
from cocarde.errors import CocardeError, InputError, OptionError

__all__ = ["run"]


def run(arguments: list[str]) -> int:
    """Run a command and return its exit code; errors become one message on standard error.

    Parameters
    ----------
    arguments : list of str
        What follows the program's name.
    """
    arguments, debug = _take_debug(arguments)
    arguments = [console.protect(argument) for argument in arguments]
    try:
        return _run_command(arguments)
    except SystemExit as finished:
        # Rich ends the process with 1 where the reader of a pipe has gone.
        if isinstance(finished.__context__, BrokenPipeError):
            return streams.BROKEN_PIPE
        raise
    except CocardeError as error:
        _raise_if(debug, error)
        if isinstance(error, InputError) and error.segment is not None:
            from cocarde.cli.records import FIRST_SEGMENT

            error.segment += FIRST_SEGMENT
        console.print_error(console.in_words_of_options(str(error)), console.hint_for(error))
        return BAD_INPUT
    except MemoryError as error:
        _raise_if(debug, error)
        console.print_error(
            "out of memory",
            "plain text files at corpus level need hardly any; a single very long line, or --level "
            "segment and --confidence, hold all of it: cut lines into shorter ones, or the file into parts",
        )
        return BAD_INPUT
    except OSError as error:
        if not isinstance(error, BrokenPipeError):
            _raise_if(debug, error)
        return console.report(error)
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
        return BUG


def _run_command(arguments: list[str]) -> int:
    if arguments and arguments[0] in COMMANDS:
        command = load(arguments[0], arguments[1:])
        given = read(command, arguments[1:], all_flags)
        if given is not None:
            return command(**given) or 0
        refuse_others(command, arguments[1:])
    from cocarde.cli.app import invoke

    return invoke(arguments)


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
    path = context.command_path if context is not None else PROGRAM
    parameter = getattr(error, "param", None)
    value = _value_of(getattr(parameter, "opts", ()), arguments)
    # The parser's own message is all that says what there is.
    choices = re.findall("'([^']*)'", message.partition(" is not one of ")[2])
    hint = console.hint_for(OptionError(message, value=value, choices=choices))
    message = message.replace("Value error, ", "")
    message = message[:1].lower() + message[1:] if message else "bad usage"
    if value is not None and repr(value) not in message:
        message += f", found {value!r}"
    console.print_error(message, hint or f"`{path} --help` lists what there is")
    return BAD_INPUT


def _value_of(names: Iterable[str], arguments: list[str]) -> str | None:
    """Return what the command line gives for an option, if it stands there."""
    for index, argument in enumerate(arguments):
        name, equals, value = argument.partition("=")
        if name in names:
            if equals:
                return value
            return arguments[index + 1] if index + 1 < len(arguments) else ""
    return None
