"""The flags of metrics' options, made from the declarations of the metrics that a command line names."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

from cocarde.cli.console import UsageError, listed
from cocarde.cli.parameters import Command, Option, flag_names

if TYPE_CHECKING:
    from cocarde.core.options import Option as Declaration

__all__ = [
    "flag_of",
    "for_line",
    "read_values",
    "refuse_others",
    "with_metric_options",
]

_MARK = "takes_metric_options"


def with_metric_options(command: Command) -> Command:
    """Mark a command that takes options of metrics, as `metric_options`; see `for_line`."""
    setattr(command, _MARK, True)
    return command


def for_line(command: Command, arguments: Sequence[str]) -> Command:
    """Return the command with the flags of the metrics that its line names.

    The keyword arguments of the result are those of `command` and one for each flag, which is
    how parsers learn of them; `command` gets those that were given as `metric_options`.
    """
    if not getattr(command, _MARK, False):
        return command
    line = _completed() or list(arguments)
    named = list(_named(line))
    flags = _flags_of(named or ["bleu"], hidden=not named)

    @wraps(command)
    def with_options(**given: Any) -> int | None:
        found = {keyword: given.pop(keyword) for keyword in flags}
        # A list that was not given is None or empty, as the version of typer has it.
        options = {name: value for name, value in found.items() if value not in (None, [], ())}
        return command(metric_options=options, **given)

    hints = get_type_hints(command, include_extras=True)
    parameters = [
        parameter.replace(annotation=hints[name])
        for name, parameter in signature(command).parameters.items()
        if name != "metric_options"
    ]
    parameters += [
        Parameter(keyword, Parameter.KEYWORD_ONLY, default=None, annotation=annotation)
        for keyword, annotation in flags.items()
    ]
    annotations = {parameter.name: parameter.annotation for parameter in parameters}
    with_options.__annotations__ = {**annotations, "return": int | None}
    with_options.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    del with_options.__wrapped__
    setattr(with_options, _MARK, False)
    return with_options


def _completed() -> list[str]:
    """Return the line that a shell wants to be completed, if it does."""
    if not any(name.endswith("_COMPLETE") and name.startswith("_COCARDE") for name in os.environ):
        return []
    import shlex

    text = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS", "")
    try:
        return shlex.split(text)
    except ValueError:  # a quotation that is not closed yet
        return text.split()


_TAKING = ("-m", "--metric")


def _named(words: Sequence[str]) -> Iterator[str]:
    """Yield the specifications and presets after ``-m`` and ``--preset``, metrics with each preset."""
    metrics, presets = [], []
    for word, value in zip(words, [*words[1:], ""][: len(words)], strict=True):
        name, equals, joined = word.partition("=")
        if name in _TAKING:
            metrics.append(joined if equals else value)
        elif word.startswith("-m") and not word.startswith("--"):
            metrics.append(word[2:])
        elif name == "--preset":
            presets.append(joined if equals else value)
    for metric in metrics or (["bleu"] if presets else []):
        yield metric
        yield from (f"{metric.partition(',')[0]}:{preset}" for preset in presets)


def _classes(specifications: Sequence[str]) -> Iterator[tuple[str, Any]]:
    """Yield name and class of the metrics of specifications, as far as there are such."""
    for label, kind in _labelled(specifications):
        yield label.partition(":")[0], kind


def _labelled(specifications: Sequence[str]) -> Iterator[tuple[str, Any]]:
    """Yield name with preset, and class, of the metrics of specifications, as far as there are such."""
    from cocarde.core.specification import split_specifications

    for text in specifications:
        for one in split_specifications(text):
            found = _class(one)
            if found is not None:
                yield found


def _class(specification: str) -> tuple[str, Any] | None:
    from cocarde.core import registry
    from cocarde.core.specification import Specification
    from cocarde.errors import CocardeError

    try:
        written = Specification.parse(specification)
        kind = registry.metric_class(written.name)
        label = written.name.lower() + (f":{written.preset}" if written.preset else "")
        return label, kind.class_of(written.preset)
    except CocardeError:  # said when the metric is made
        return None


def _flags_of(specifications: Sequence[str], *, hidden: bool) -> dict[str, Any]:
    from cocarde.core.options import options_of

    found: dict[str, Any] = {}
    for name, kind in _classes(specifications):
        for keyword, one in options_of(kind).items():
            if flag_of(keyword, one) and keyword not in found:
                found[keyword] = _annotation(name, keyword, one, hidden)
    return found


def flag_of(keyword: str, one: Declaration) -> str:
    """Return the flag that sets an option; empty where there is none."""
    if one.flag is not None:
        return one.flag.partition("/")[0]
    return f"--{keyword.replace('_', '-')}"


def _annotation(metric: str, keyword: str, one: Declaration, hidden: bool) -> Any:
    names = [one.flag or flag_of(keyword, one)]
    is_flag = one.kind.is_flag
    if is_flag and one.flag is None:
        names = [f"{names[0]}/--no-{names[0].removeprefix('--')}"]
    if one.short_flag:
        names.append(one.short_flag)
    kind: Any = bool if is_flag else list[str] if one.kind.several else str
    return Annotated[
        kind | None,
        Option(
            *names,
            help=one.help,
            metavar=None if is_flag else one.metavar or "VALUE",
            complete=None if one.kind.values is None else _completing(one.kind.values),
            panel=f"Options of {metric}",
            hidden=hidden,
        ),
    ]


def _completing(values: Callable[[], Iterable[str]]) -> Callable[[str], list[str]]:
    def complete(incomplete: str) -> list[str]:
        return [name for name in values() if name.startswith(incomplete)]

    return complete


def read_values(kind: Any, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of the flags that a class of metrics has.

    Raises
    ------
    OptionError
        If a text is no value of its option.
    """
    from cocarde.core.options import options_of
    from cocarde.core.specification import read_option

    declared = options_of(kind)
    found: dict[str, Any] = {}
    for name, value in given.items():
        if name not in declared:
            continue
        if isinstance(value, bool):
            found[name] = value
        else:
            text = value if isinstance(value, str) else declared[name].joined.join(value)
            found[name] = read_option(kind, declared[name], name, text)
    return found


def refuse_others(command: Command, arguments: Sequence[str]) -> None:
    """Refuse flags of metrics that a line does not name, and say whose they are.

    Parameters
    ----------
    command : callable
        With the flags of the metrics that are named.
    arguments : sequence of str
        What follows the command's name.

    Raises
    ------
    UsageError
        If there is such a flag.
    """
    if not hasattr(command, _MARK) or {"--help", "-h"} & {*arguments}:
        return
    known = flag_names(command)
    words = [word.partition("=")[0] for word in arguments if word.startswith("-")]
    unknown = [word for word in words if word not in known and not word.startswith("-m")]
    if not unknown:
        return
    named = dict(_labelled(list(_named(arguments)) or ["bleu"]))
    for label, names in _flags_of_all():
        for word in unknown:
            if word in names:
                keyword = word.removeprefix("--").replace("-", "_")
                alike = [
                    kind.OTHER_NAMES[keyword]
                    for kind in named.values()
                    if keyword in kind.OTHER_NAMES
                ]
                raise UsageError(
                    f"{word} is not an option of {listed(named, 'or')} but of {label}",
                    f"say --{alike[0].replace('_', '-')}, which is like it"
                    if alike
                    else f"add -m {label}, or drop it; `cocarde metrics` lists what each has",
                )


def all_flags() -> dict[str, bool]:
    """Return the flags of all metrics, and whether each takes a value."""
    return {flag: takes for _, names in _flags_of_all() for flag, takes in names.items()}


def _flags_of_all() -> Iterator[tuple[str, dict[str, bool]]]:
    """Yield each metric, and each preset with a class of its own, with its flags."""
    from cocarde.core import registry
    from cocarde.core.options import options_of

    for name, kind in registry.classes().items():
        presets = [preset.name for preset in kind.presets().values() if preset.home]
        for label in [name, *(f"{name}:{preset}" for preset in presets)]:
            own = kind.class_of(label.partition(":")[2] or None)
            found: dict[str, bool] = {}
            for keyword, one in options_of(own).items():
                if flag_of(keyword, one):
                    negative = (one.flag or "").partition("/")[
                        2
                    ] or f"--no-{keyword.replace('_', '-')}"
                    flags = [flag_of(keyword, one), one.short_flag]
                    flags += [negative] if one.kind.is_flag else []
                    found |= {flag: not one.kind.is_flag for flag in flags if flag}
            yield label, found
