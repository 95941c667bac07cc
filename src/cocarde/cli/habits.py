"""Command lines as users of other programs write them, and the same in the words of this one.

Only lines that this program refuses, or would misunderstand, come here; see `check`.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cocarde.cli.console import UsageError

__all__ = ["check"]

# What sacreBLEU and METEOR call options that have another name here.
_RENAMED = {
    "--ref": "--references",
    "--refs": "--references",
    "--reference": "--references",
    "--tok": "--tokenize",
    "--tokenizer": "--tokenize",
    "--metrics": "--metric",
    "--smooth": "--smooth-method",
    "-s": "--smooth-method",
    "-sv": "--smooth-value",
    "--chrf-char-order": "--char-order",
    "--chrf-word-order": "--word-order",
    "--chrf-beta": "--beta",
    "--chrf-lowercase": "--lowercase",
    "--chrf-eps-smoothing": "--eps-smoothing",
    "--ter-case-sensitive": "--case-sensitive",
    "--ter-asian-support": "--asian-support",
    "--ter-no-punct": "--no-punct",
    "--ter-normalized": "--normalized",
    "-norm": "--normalize",
}
_HYPOTHESES = ("-i", "--input", "--hyp", "--hyps", "--hypothesis", "--hypotheses")
_ONE_REFERENCE = "-r takes one file; it is repeated for more, and hypotheses come before it"
_METEOR_TASKS = ("rank", "adq", "hter", "li", "tune", "util")


@dataclass
class _Line:
    """A command line that is being put into other words."""

    reasons: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)  # what stands alone
    hypotheses: list[str] = field(default_factory=list)  # of other programs' options
    references: list[str] = field(default_factory=list)
    doubtful: list[str] = field(default_factory=list)  # named like the reference before them
    metrics: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)

    def say(self, reason: str) -> None:
        if reason not in self.reasons:
            self.reasons.append(reason)


def check(command: str, options: Mapping[str, bool], arguments: Sequence[str]) -> None:
    """Refuse a command line of another program's habits, with the one that works.

    Parameters
    ----------
    command : str
    options : mapping
        The names of the command's options, and whether each takes a value.
    arguments : sequence of str
        What follows the command's name.

    Raises
    ------
    UsageError
        If it is such a line.
    """
    if "--references" not in options or "--" in arguments or {"--help", "-h"} & {*arguments}:
        return
    line = _read(options, list(arguments))
    if line.doubtful and (line.files or line.hypotheses):
        line.say(_ONE_REFERENCE)
        line.references += line.doubtful
    else:
        line.files += line.doubtful
    if line.hypotheses:  # what stands alone beside them are references
        line.references += line.files
        line.files = line.hypotheses
    elif not line.references and len(line.files) == 2:
        line.say("there are no references; hypotheses stand alone, references after -r")
        line.references = [line.files.pop()]
    if not line.reasons:
        return
    words = ["cocarde", command, *line.files]
    if not line.references and "--reference" not in line.others:
        line.references.append("REF")
    words += [word for one in line.references for word in ("-r", one)]
    words += [word for one in line.metrics for word in ("-m", one)]
    raise UsageError("; ".join(line.reasons), f"say `{shlex.join([*words, *line.others])}`")


def _read(options: Mapping[str, bool], rest: list[str]) -> _Line:
    line = _Line()
    while rest:
        word = rest.pop(0)
        if not word.startswith("-") or word == "-":
            line.files.append(word)
            continue
        name, equals, value = word.partition("=") if word.startswith("--") else (word, "", "")
        values = [value] if equals else []
        meant = name if name in options else _RENAMED.get(name, name)
        if name in options and not options[name]:
            line.others.append(word)
        elif name not in options and _is_text(name, [*values, *rest[:1]], options):
            meant = "--hypothesis" if name in _HYPOTHESES else "--reference"
            line.say(f"{name} is called {meant} here")
            line.others += [meant, *(values or _values(rest, 1))]
        elif meant in ("-r", "--references"):
            if name not in options:
                line.say(f"{name} is called --references, or -r, here")
            _take_references(line, values or _values(rest, 1), rest)
        elif meant in ("-m", "--metric"):
            if name not in options:
                line.say(f"{name} is called --metric, or -m, here")
            _take_metrics(line, values or _values(rest, 1), rest)
        elif name in options:
            line.others += [word, *([] if equals else _values(rest, 1))]
        elif name in _HYPOTHESES:
            line.hypotheses += values or _values(rest, len(rest))
            line.say(f"{name} is not needed: hypotheses stand alone here, references after -r")
        elif meant in options:
            line.say(f"{name} is called {meant} here")
            line.others += [meant, *(values or _values(rest, 1) if options[meant] else [])]
        elif name in ("-l", "--language-pair", "-t", "--test-set"):
            _take_test_set(line, name, (values or _values(rest, 1) or [""])[0])
        else:
            line.others.append(word)
    return line


def _is_text(name: str, values: Sequence[str], options: Mapping[str, bool]) -> bool:
    """Tell whether an option of files is given a text, where the command takes texts too."""
    return (
        "--hypothesis" in options
        and (name in _HYPOTHESES or _RENAMED.get(name) == "--references")
        and not (values and Path(values[0]).exists())
    )


def _values(rest: list[str], most: int) -> list[str]:
    """Take words off the front up to the next option."""
    taken: list[str] = []
    while rest and len(taken) < most and (not rest[0].startswith("-") or rest[0] == "-"):
        taken.append(rest.pop(0))
    return taken


def _take_references(line: _Line, values: list[str], rest: list[str]) -> None:
    line.references += values
    more = _values(rest, len(rest)) if values else []
    if line.files or line.hypotheses:
        line.references += more
        if more:
            line.say(_ONE_REFERENCE)
        return
    for one in more:
        (line.doubtful if _alike(values[0], one) else line.files).append(one)


def _take_metrics(line: _Line, values: list[str], rest: list[str]) -> None:
    line.metrics += values
    while values and rest and _is_metric(rest[0]):
        line.say("-m takes one metric; it is repeated for more")
        line.metrics.append(rest.pop(0))


def _take_test_set(line: _Line, name: str, value: str) -> None:
    if name == "-t" and value in _METEOR_TASKS:
        added = ["--task", value]
    elif name in ("-t", "--test-set"):
        line.say(
            f"{name}: no test set is downloaded here; `sacrebleu {name} {value} -l PAIR --echo ref` "
            "writes its references to a file for -r"
        )
        return
    elif "-" in value:
        line.say(f"{name}: a pair of languages is not needed, since no test set is downloaded")
        return
    else:
        added = ["--language", value]
    line.say(f"{name} is called {added[0]} here, an option of METEOR")
    line.others += added
    if not line.metrics:
        line.metrics.append("meteor")


def _is_metric(word: str) -> bool:
    from cocarde.core import registry

    return word.partition(":")[0].lower() in registry.names() and not Path(word).exists()


def _alike(one: str, other: str) -> bool:
    """Tell whether the names of files differ in their numbers alone, as those of references do.

    Examples
    --------
    >>> _alike("en.ref.txt", "en.ref2.txt"), _alike("ref.txt", "mt.txt")
    (True, False)
    """
    names = [Path(name).name for name in (one, other)]
    without = ["".join(filter(lambda sign: not sign.isdigit(), name)) for name in names]
    return names[0] != names[1] and without[0] == without[1]
