"""Options that several commands share, and metrics made of them."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cocarde._util.threads import MOST_THREADS
from cocarde.cli.console import UsageError, listed, print_note, several_scores
from cocarde.cli.metric_options import read_values, with_metric_options
from cocarde.cli.parameters import Option
from cocarde.errors import OptionError

if TYPE_CHECKING:
    from cocarde.core.specification import Specification
    from cocarde.core.suggestions import Suggestion

__all__ = [
    "InputFormat",
    "InputFormatOption",
    "Maximum",
    "MetricNames",
    "Minimum",
    "Output",
    "Presets",
    "Quiet",
    "Sort",
    "Threads",
    "build_metrics",
    "complete_metrics",
    "complete_presets",
    "complete_tokenizers",
    "read_sort",
    "set_threads",
    "with_metric_options",
]


# --------------------------------------------------------------------------------------------------
# Completion: the values that there are. Each imports what it needs when the shell asks.


def _starting_with(names: Iterable[str], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]


def complete_tokenizers(incomplete: str) -> list[str]:
    """Return the names of tokenizers that start so."""
    from cocarde import tokenizers

    return _starting_with(tokenizers.names(), incomplete)


def complete_metrics(incomplete: str) -> list[str]:
    """Return the metrics, after a colon their presets, that start so."""
    from cocarde.core import registry

    names = registry.names()
    if ":" in incomplete:
        names = [
            f"{name}:{preset}"
            for name, found in registry.classes().items()
            for preset in found.presets()
        ]
    return _starting_with(names, incomplete)


def complete_presets(incomplete: str) -> list[str]:
    """Return the presets of all metrics that start so."""
    from cocarde.core import registry

    names = (preset for found in registry.classes().values() for preset in found.presets())
    return _starting_with(dict.fromkeys(names), incomplete)


# --------------------------------------------------------------------------------------------------
# Options


class InputFormat(str, Enum):
    """How files are read."""

    text = "text"
    tsv = "tsv"
    jsonl = "jsonl"
    sgml = "sgml"
    xml = "xml"


MetricNames = Annotated[
    list[str] | None,
    Option(
        "--metric",
        "-m",
        metavar="NAME[:PRESET][,OPTION=VALUE]",
        help="A metric, or several with commas between; may be repeated. `-m NAME --help` lists its "
        "options. (default: bleu)",
        complete=complete_metrics,
    ),
]
Presets = Annotated[
    list[str] | None,
    Option(
        "--preset",
        metavar="NAME",
        help="The convention of a reference implementation; may be repeated. "
        "`cocarde presets` lists them.",
        complete=complete_presets,
    ),
]
InputFormatOption = Annotated[
    InputFormat | None,
    Option("--input-format", help="Read every file so, whatever its name says. (default: by name)"),
]
Output = Annotated[
    Path | None,
    Option(
        "--output", "-o", metavar="FILE", help="Write to a file, which appears only when complete."
    ),
]
Minimum = Annotated[
    list[str] | None,
    Option(
        "--min",
        metavar="SCORE|METRIC=SCORE",
        help="Exit with 1 when a score is lower; may be repeated.",
    ),
]
Maximum = Annotated[
    list[str] | None,
    Option(
        "--max",
        metavar="SCORE|METRIC=SCORE",
        help="Exit with 1 when an error rate, such as TER, is higher; may be repeated.",
    ),
]
Sort = Annotated[
    str | None,
    Option(
        "--sort",
        metavar="METRIC",
        help="List the best system by this metric first. (default: as they are given)",
        complete=complete_metrics,
    ),
]
Threads = Annotated[
    int | None,
    Option(
        "--threads",
        metavar="N",
        minimum=1,
        maximum=MOST_THREADS,
        help="How many threads to use. (default: all processors)",
    ),
]
Quiet = Annotated[bool, Option("--quiet", "-q", help="No warnings, no progress.")]


def build_metrics(
    names: Sequence[str] | None,
    presets: Sequence[str] | None,
    options: Mapping[str, Any],
    *,
    quiet: bool = False,
) -> dict[str, Any]:
    """Make the metrics that a command line asks for.

    Each option goes to those of the metrics that have it; a note on standard error says which do not.

    Parameters
    ----------
    names : sequence of str or None
        ``bleu`` or ``bleu:nltk``; BLEU if there is none.
    presets : sequence of str or None
        For every metric that does not name its own.
    options : mapping
        Keywords of the metrics.
    quiet : bool
        Whether the note is left out.

    Returns
    -------
    dict of str to Metric
        By the name that stands in the output.

    Raises
    ------
    UsageError
        When a metric or preset does not exist or stands twice, or none of the metrics has an option.
    OptionError
        When a metric refuses a value.
    """
    from cocarde.core.options import options_of
    from cocarde.core.specification import Specification, read_options, split_specifications

    wanted: dict[str, tuple[Any, Specification]] = {}
    for entry in (one for text in names or ["bleu"] for one in split_specifications(text)):
        written = Specification.parse(entry)
        if written.preset is not None and presets:
            raise UsageError(
                f"--preset {presets[0]} and --metric {entry} both name a preset",
                f"drop --preset and repeat the metric: -m {entry} -m {written.name}:{presets[0]}",
            )
        chosen: list[str | None] = [*presets] if presets else [written.preset]
        for preset in chosen:
            one = replace(written, name=written.name.lower(), preset=preset)
            if str(one) in wanted:
                raise UsageError(f"the metric {one} is asked for twice", "name it once")
            wanted[str(one)] = (_class_of(entry, one), one)
    known = {label: options_of(kind.class_of(one.preset)) for label, (kind, one) in wanted.items()}
    for keyword in options:
        without = [label for label, keywords in known.items() if keyword not in keywords]
        if len(without) == len(wanted):
            raise _no_such_option(keyword, known, wanted[without[0]][0])
        if without and not quiet:
            takers = [label for label in known if label not in without]
            print_note(
                f"--{keyword.replace('_', '-')} is for {listed(takers, 'and')}; "
                f"{listed(without, 'and')} {'has' if len(without) == 1 else 'have'} no such option"
            )
    result: dict[str, Any] = {}
    for label, (kind, one) in wanted.items():
        own = kind.class_of(one.preset)
        try:
            values = {**read_values(own, options), **read_options(own, one.options)}
            result[label] = (
                kind.made(values) if one.preset is None else kind.preset(one.preset, **values)
            )
        except OptionError as error:
            said = str(error)
            if error.option is not None and said.startswith(f"{error.option}: "):
                said = f"--{error.option.replace('_', '-')}{said[len(error.option) :]}"
            raise OptionError(
                f"{label}: {said}", option=error.option, value=error.value, choices=error.choices
            ) from None
    return result


def _class_of(entry: str, written: Specification) -> Any:
    """Return the class of a metric that the command line names."""
    from cocarde.core import registry

    if not registry.is_known(written.name):
        raise _no_such_metric(entry)
    kind = registry.metric_class(written.name)
    if written.preset is not None and written.preset not in kind.presets():
        raise _no_such_preset(written.name, written.preset, kind.presets())
    return kind


def _no_such_option(keyword: str, known: Mapping[str, Container[str]], kind: Any) -> UsageError:
    """Say that no metric has an option, and which preset of this one has it."""
    flag = f"--{keyword.replace('_', '-')}"
    others = [preset for preset in kind.presets() if keyword in options_of_preset(kind, preset)]
    labels = listed(known, "or")
    if not others:
        return UsageError(
            f"{flag} is not an option of {labels}",
            "`cocarde metrics` lists the options of each metric",
        )
    name = kind.name.lower()
    where = f"{name}:{others[0]}" if len(others) == 1 else f"other presets of {name}"
    return UsageError(
        f"{flag} is not an option of {labels} but of {where}",
        f"drop it, or take -m {name}:{others[0]}; `cocarde metrics` lists what each has",
    )


def options_of_preset(kind: Any, preset: str) -> Mapping[str, Any]:
    """Return the options of a preset, by name."""
    from cocarde.core.options import options_of

    return options_of(kind.class_of(preset))


def _no_such_metric(entry: str) -> UsageError:
    from cocarde.core import registry

    name = entry.partition(",")[0].partition(":")[0]
    return UsageError(
        f"there is no metric {name!r}; there are {', '.join(registry.names())}",
        _hint(registry.meant(name), "`cocarde metrics` describes them"),
    )


def _no_such_preset(metric: str, preset: str, presets: Iterable[str]) -> UsageError:
    from cocarde.core import registry
    from cocarde.core.suggestions import closest

    presets = list(presets)
    there = f"there {'is' if len(presets) == 1 else 'are'} {', '.join(presets)}"
    more = f"`cocarde presets {metric}` describes them"
    # What another metric has by just this name is meant before what is near it here.
    elsewhere = [one for one in registry.meant(preset) if one.name.endswith(f":{preset.lower()}")]
    near = closest(preset, presets)
    if near and (near == preset.lower() or not elsewhere):
        hint = f"did you mean {near!r}? {more}"
    else:
        hint = _hint(elsewhere, more)
    return UsageError(f"there is no {metric} preset {preset!r}; {there}", hint)


def _hint(meant: Sequence[Suggestion], more: str) -> str:
    """Say what was meant as options of the command line."""
    if not meant:
        return more
    if any(one.options for one in meant):
        said = " or ".join(
            " ".join(
                [
                    f"-m {one.name}",
                    *(
                        f"--{key.replace('_', '-')} {','.join(value)}"
                        for key, value in one.options.items()
                    ),
                ]
            )
            for one in meant
        )
        return f"did you mean {said}?"
    return f"did you mean {' or '.join(repr(one.name) for one in meant)}? {more}"


def read_sort(given: str | None, metrics: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return the metric and the part of it that systems are sorted by.

    Raises
    ------
    UsageError
        When it is none of those that were asked for, or has no better and worse.
    """
    if given is None:
        return None
    from cocarde._display import part_labels
    from cocarde.core.suggestions import closest

    known: dict[str, tuple[str, str]] = {}
    groups = {label: part_labels(label, metric.part_names) for label, metric in metrics.items()}
    for label, names in groups.items():
        known.update({shown: (label, part) for part, shown in names.items()})
    for label, names in groups.items():
        if label not in known and label.casefold() == given.casefold():
            shown, *others = names.values()
            if others:
                raise several_scores(f"--sort {given}", label, names.values(), f"--sort {shown}")
            given = shown
    folded = {shown.casefold(): shown for shown in known}
    named = folded.get(given.casefold())
    if named is None:
        meant = closest(given, known)
        raise UsageError(
            f"--sort {given}: it is not among the scores asked for: {', '.join(known)}",
            f"did you mean {meant!r}?" if meant else f"name one of them, or add -m {given}",
        )
    if metrics[known[named][0]].higher_is_better is None:
        raise UsageError(f"--sort {given}: neither more nor less of it is better", "name another")
    return known[named]


def set_threads(count: int | None) -> None:
    """Set the number of threads, where one was given."""
    if count is not None:
        from cocarde._util.threads import set_num_threads

        set_num_threads(count)
