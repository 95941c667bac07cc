"""Arguments and options of commands, declared once and read in two ways.

A command line that is plain and right is read here, because importing typer and describing a
command to it takes longer than scoring a corpus. Everything else (help, completion, abbreviated or
wrong options) is left to typer, which gets the same declarations; see `read`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

__all__ = ["Argument", "Command", "Option", "flag_names", "for_typer", "read"]

Command = Callable[..., int | None]
Complete = Callable[[str], list[str]]


class Argument:
    """A positional argument.

    Parameters
    ----------
    metavar, help : str
        For the help.
    complete : callable, optional
        From the beginning of a value to the values that there are.
    """

    def __init__(self, metavar: str, help: str, complete: Complete | None = None) -> None:  # noqa: A002
        self.metavar = metavar
        self.help = help
        self.complete = complete


class Option:
    """An option.

    Parameters
    ----------
    *names : str
        ``"--name"``, ``"-n"`` or, for a flag that can be undone, ``"--name/--no-name"``.
    help : str
    metavar : str, optional
        What its value is called.
    minimum, maximum : int, optional
        The range of a number.
    complete : callable, optional
        From the beginning of a value to the values that there are.
    panel : str, optional
        The part of the help that it stands in.
    hidden : bool
        Whether the help leaves it out.
    """

    def __init__(
        self,
        *names: str,
        help: str,  # noqa: A002
        metavar: str | None = None,
        minimum: int | None = None,
        maximum: int | None = None,
        complete: Complete | None = None,
        panel: str | None = None,
        hidden: bool = False,
    ) -> None:
        self.names = names
        self.help = help
        self.metavar = metavar
        self.minimum = minimum
        self.maximum = maximum
        self.complete = complete
        self.panel = panel
        self.hidden = hidden


def _parameters(command: Command) -> list[tuple[Parameter, Any, Argument | Option]]:
    """Return each parameter with its type and its declaration."""
    hints = get_type_hints(command, include_extras=True)
    result = []
    for name, parameter in signature(command).parameters.items():
        hint = hints[name]
        if get_origin(hint) is not Annotated:
            # Python 3.10 makes Optional of whatever has the default None.
            hint = next(part for part in get_args(hint) if get_origin(part) is Annotated)
        kind, declaration = get_args(hint)[:2]
        result.append((parameter, kind, declaration))
    return result


# --------------------------------------------------------------------------------------------------
# For typer


def for_typer(command: Command) -> Command:
    """Return the command with a signature that typer understands."""
    import typer

    parameters = []
    for parameter, kind, declaration in _parameters(command):
        if isinstance(declaration, Argument):
            found = typer.Argument(
                metavar=declaration.metavar,
                help=declaration.help,
                autocompletion=declaration.complete,
                show_default=False,
            )
        else:
            found = typer.Option(
                *declaration.names,
                metavar=declaration.metavar,
                help=declaration.help,
                min=declaration.minimum,
                max=declaration.maximum,
                autocompletion=declaration.complete,
                rich_help_panel=declaration.panel,
                hidden=declaration.hidden,
            )
        parameters.append(parameter.replace(annotation=Annotated[kind, found]))

    def described(**given: Any) -> int | None:
        return command(**given)

    described.__name__ = command.__name__
    described.__doc__ = command.__doc__
    described.__annotations__ = {one.name: one.annotation for one in parameters}
    described.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    return described


# --------------------------------------------------------------------------------------------------
# Plain command lines


class _UnusualError(Exception):
    """Typer shall read this."""


def read(
    command: Command,
    arguments: Sequence[str],
    others: Callable[[], Mapping[str, bool]] = dict,
) -> dict[str, Any] | None:
    """Read a plain command line.

    Parameters
    ----------
    command : callable
    arguments : sequence of str
        What follows its name.
    others : callable
        Returns the names of options that it would have for another line, and whether each takes a value.

    Returns
    -------
    dict or None
        The command's keyword arguments; None where typer has to read the line, which it is also
        if anything in it is wrong.

    Raises
    ------
    UsageError
        If it is written as for another program.
    """
    parameters = _parameters(command)
    flags = _flags(parameters)
    try:
        found, doubtful = _read(parameters, flags, list(arguments))
    except _UnusualError:
        found, doubtful = None, True
    if doubtful:
        from cocarde.cli.habits import check

        own = {name: _single(kind)[0] is not bool for name, (_, kind, *_) in flags.items()}
        check(command.__name__, {**others(), **own}, arguments)
    return found


def flag_names(command: Command) -> set[str]:
    """Return the names of a command's options."""
    return set(_flags(_parameters(command)))


_Flags = dict[str, tuple[Parameter, Any, Option, bool]]


def _flags(parameters: list[tuple[Parameter, Any, Argument | Option]]) -> _Flags:
    """Return the options by each of their names; of those that can be undone, which it is."""
    flags: _Flags = {}
    for parameter, kind, declaration in parameters:
        if isinstance(declaration, Option):
            for name in declaration.names:
                yes, _, no = name.partition("/")
                flags[yes] = (parameter, kind, declaration, True)
                if no:
                    flags[no] = (parameter, kind, declaration, False)
    return flags


def _read(
    parameters: list[tuple[Parameter, Any, Argument | Option]], flags: _Flags, rest: list[str]
) -> tuple[dict[str, Any], bool]:
    """Read a line; and tell whether an option that may be repeated seems to get two values."""
    found: dict[str, Any] = {}
    positional: list[str] = []
    repeatable, doubtful = False, False  # whether the last word was a value of such an option
    while rest:
        word = rest.pop(0)
        if not word.startswith("-") or word == "-":
            positional.append(word)
            doubtful = doubtful or repeatable
            continue
        repeatable = False
        name, equals, value = word.partition("=") if word.startswith("--") else (word, "", "")
        if name not in flags:
            raise _UnusualError
        parameter, kind, option, side = flags[name]
        kind, several = _single(kind)
        if kind is bool:
            if equals or parameter.name in found:
                raise _UnusualError
            found[parameter.name] = side
            continue
        if not equals:
            if not rest or (rest[0].startswith("-") and rest[0] != "-"):
                raise _UnusualError
            value = rest.pop(0)
        converted = _convert(value, kind, option)
        if several:
            repeatable = not equals
            found.setdefault(parameter.name, []).append(converted)
        elif parameter.name in found:
            raise _UnusualError
        else:
            found[parameter.name] = converted
    for parameter, kind, declaration in parameters:
        if isinstance(declaration, Argument):
            _, several = _single(kind)
            if positional:
                found[parameter.name] = positional if several else positional.pop(0)
                if several:
                    positional = []
        if parameter.name not in found:
            if parameter.default is Parameter.empty:
                raise _UnusualError
            found[parameter.name] = parameter.default
    if positional:
        raise _UnusualError
    return found, doubtful


def _single(kind: Any) -> tuple[Any, bool]:
    """Return the type of one value, without None and list; and whether there may be several."""
    if get_origin(kind) is not list and get_args(kind):
        (kind,) = (one for one in get_args(kind) if one is not type(None))
    if get_origin(kind) is list:
        return get_args(kind)[0], True
    return kind, False


_INTEGER = re.compile(r"[0-9]{1,9}")
_NUMBER = re.compile(r"[0-9]{1,15}(?:\.[0-9]{1,15})?")


def _convert(text: str, kind: Any, option: Option) -> Any:
    if kind is str:
        return text
    if kind is Path:
        return Path(text)
    if isinstance(kind, type) and issubclass(kind, Enum):
        for member in kind:
            if member.value == text:
                return member
    elif kind is int and _INTEGER.fullmatch(text):
        number = int(text)
        low = option.minimum is not None and number < option.minimum
        high = option.maximum is not None and number > option.maximum
        if not low and not high:
            return number
    elif kind is float and _NUMBER.fullmatch(text):
        return float(text)
    raise _UnusualError
