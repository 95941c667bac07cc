"""Standard output, errors, hints and warnings, in one voice."""

from __future__ import annotations

import errno
import os
import re
import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

from cocarde._display import printable
from cocarde.cli import streams
from cocarde.errors import CocardeWarning, InputError, OptionError

__all__ = [
    "UsageError",
    "as_utf8",
    "collect_warnings",
    "emit",
    "hint_for",
    "in_words_of_options",
    "listed",
    "print_error",
    "print_failure",
    "print_note",
    "print_warnings",
    "protect",
    "require_writable",
    "several_scores",
    "unprotect",
]


def listed(names: Iterable[str], word: str) -> str:
    """Write names one after the other, with a word before the last."""
    *most, last = names
    return f"{', '.join(most)} {word} {last}" if most else last


class UsageError(OptionError):
    """A command line that asks for something impossible.

    Attributes
    ----------
    hint : str or None
        The way out.
    """

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


def several_scores(given: str, metric: str, parts: Iterable[str], example: str) -> UsageError:
    """Return the error where an option names a metric of several scores and not one of them."""
    return UsageError(
        f"{given}: {metric} has several scores: {', '.join(parts)}", f"name one of them: {example}"
    )


# --------------------------------------------------------------------------------------------------
# Streams


_PROTECTION = "\0"  # no argument can contain it


def protect(argument: str) -> str:
    """Keep a part of standard input, such as ``-:2``, from being read as an option."""
    return _PROTECTION + argument if argument.startswith("-:") else argument


def unprotect(argument: str) -> str:
    """Undo `protect`."""
    return argument.removeprefix(_PROTECTION)


def as_utf8(text: str) -> str:
    """Read an argument as UTF-8, also where the locale made Python take its bytes as they are.

    Names of files are opened as they came and shown as this; bytes that are not UTF-8 stay.
    """
    if text.isascii():
        return text
    try:
        return text.encode("utf-8", "surrogateescape").decode("utf-8")
    except UnicodeError:
        return text


def require_writable(output: Path | None, inputs: Iterable[str] = ()) -> Path | None:
    """Refuse an output file that could not be written, before any work is done.

    Parameters
    ----------
    output : Path or None
    inputs : iterable of str
        Files that are read; the output must not take the place of one.

    Returns
    -------
    Path or None
        The file; None for standard output, which ``-`` stands for too.

    Raises
    ------
    UsageError
        When the output is one of `inputs`.
    InputError
        When its folder is missing or may not be written to.
    """
    if output is None or output == Path("-"):
        return None
    from cocarde.corpus.writers import own_descriptor

    if own_descriptor(output) is not None:
        return output
    for name in inputs:
        with suppress(OSError):
            if output.samefile(name):
                raise UsageError(
                    f"--output {output} is also read; it would be overwritten",
                    "give another name after --output",
                )
    folder = output.resolve().parent
    if not folder.is_dir():
        raise InputError("cannot be written: its folder does not exist", path=str(output))
    if output.is_dir():
        raise InputError("is a folder; give the name of a file", path=str(output))
    if not os.access(output if output.exists() and not output.is_file() else folder, os.W_OK):
        raise InputError("cannot be written: permission denied", path=str(output))
    return output


def emit(chunks: Iterable[str], output: Path | None = None) -> None:
    """Write text to standard output, or to a file that appears only when it is complete.

    Raises
    ------
    InputError
        When the file cannot be written; the old one is then intact.
    """
    if output is None:
        for chunk in chunks:
            sys.stdout.write(chunk)
        sys.stdout.flush()
        return
    from cocarde.corpus import atomic_write

    try:
        with atomic_write(output, binary=True) as stream:
            for chunk in chunks:
                stream.write(chunk.encode("utf-8", streams.ESCAPING))
    except BrokenPipeError:
        raise
    except OSError as error:
        raise InputError(
            f"cannot be written: {error.strerror or error}", path=str(output)
        ) from error


# --------------------------------------------------------------------------------------------------
# Messages


def _styled(label: str, colour: str) -> str:
    # NO_COLOR: see no-color.org.
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" or not sys.stderr.isatty():
        return label
    return f"\x1b[1;{colour}m{label}\x1b[0m"


def _shown(message: str) -> str:
    """Return a message as one line, without what the names in it would do to a terminal."""
    return printable(as_utf8(message))


def print_error(message: str, hint: str | None = None) -> None:
    """Print ``error: …`` and perhaps ``hint: …`` to standard error."""
    streams.say(f"{_styled('error:', '31')} {_shown(message)}")
    if hint:
        streams.say(f"{_styled('hint:', '36')} {_shown(hint)}")


# What only writing gives; files of --output have their name in the error.
_WRITING = frozenset(
    {errno.EBADF, errno.EFBIG, errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)}
)


def report(error: OSError) -> int:
    """Say what could not be read or written, and return the exit code.

    A pipe that lost its reader is nothing to speak of.
    """
    own = error.filename is None and error.errno in _WRITING
    try:
        # What could not be written is mostly still there, to fail again.
        sys.stdout.flush()
    except OSError as fault:
        error, own = fault, True
    if isinstance(error, BrokenPipeError):
        streams.discard(sys.stdout)
        return streams.BROKEN_PIPE
    if own:
        streams.discard(sys.stdout)
        reason = "it is closed" if error.errno == errno.EBADF else error.strerror or str(error)
        print_error(f"standard output cannot be written: {reason}")
    else:
        where = f"{error.filename}: " if error.filename else ""
        print_error(f"{where}{error.strerror or error}")
    return streams.BAD_OUTPUT


def print_failure(message: str) -> None:
    """Print ``failed: …``, of a gate, to standard error."""
    streams.say(f"{_styled('failed:', '31')} {_shown(message)}")


def print_note(message: str) -> None:
    """Print ``note: …`` to standard error."""
    streams.say(f"{_styled('note:', '36')} {_shown(message)}")


def print_warnings(messages: Iterable[str]) -> None:
    """Print ``warning: …`` to standard error, each message once."""
    for message in dict.fromkeys(messages):
        streams.say(f"{_styled('warning:', '33')} {_shown(in_words_of_options(message))}")


@contextmanager
def collect_warnings() -> Iterator[list[str]]:
    """Collect the messages of `CocardeWarning`; others take their usual way.

    Messages that differ in their numbers alone, as those of the batches of a stream do, are
    collected once.
    """
    messages: list[str] = []
    seen: set[str] = set()
    with warnings.catch_warnings():
        warnings.simplefilter("always", CocardeWarning)
        usual = warnings.showwarning

        def show(
            message: Warning | str,
            category: type[Warning],
            filename: str,
            lineno: int,
            file: Any = None,
            line: str | None = None,
        ) -> None:
            if not issubclass(category, CocardeWarning):
                usual(message, category, filename, lineno, file, line)
                return
            text = str(message)
            pattern = re.sub(r"\d+", "#", text)
            if pattern not in seen:
                seen.add(pattern)
                messages.append(text)

        warnings.showwarning = show
        yield messages


_FLAG_VALUES = re.compile(r"\b([a-z]+(?:_[a-z]+)*)=(True|False)\b")
_NAME_VALUES = re.compile(r"\b([a-z]+(?:_[a-z]+)*)='([\w-]+)'")
_OPEN_VALUES = re.compile(r"\b(tokenize|function_words|paraphrases)=(?=[\s,;]|$)")


def in_words_of_options(message: str) -> str:
    """Say the keywords of the API as options of the command line.

    Examples
    --------
    >>> in_words_of_options("detokenize it, or say force=True; smooth_value must be a number")
    'detokenize it, or say --force; --smooth-value must be a number'
    >>> in_words_of_options("tokenize='zh' splits Chinese")
    '--tokenize zh splits Chinese'
    """

    def flag(found: re.Match[str]) -> str:
        return f"--{'no-' if found[2] == 'False' else ''}{found[1].replace('_', '-')}"

    message = _FLAG_VALUES.sub(flag, message)
    message = _NAME_VALUES.sub(lambda found: f"--{found[1].replace('_', '-')} {found[2]}", message)
    message = _OPEN_VALUES.sub(lambda found: f"--{found[1].replace('_', '-')}", message)
    return _keywords().sub(lambda found: f"--{found[0].replace('_', '-')}", message)


@cache
def _keywords() -> re.Pattern[str]:
    """Return what finds the names of options in a message; names of one word may be mere words."""
    from cocarde.core import registry
    from cocarde.core.options import options_of

    kinds = [
        one.class_of(preset) for one in registry.classes().values() for preset in one.presets()
    ]
    names = {name for kind in kinds for name in options_of(kind) if "_" in name}
    longest_first = sorted(names, key=lambda name: (-len(name), name))
    return re.compile(rf"(?<![\w/\\])({'|'.join(longest_first)})(?![\w/\\])")


# --------------------------------------------------------------------------------------------------
# Hints


def hint_for(error: Exception) -> str | None:
    """Return the way out of an error, where one can be told from it."""
    hint = getattr(error, "hint", None)
    if hint is not None:
        return str(hint)
    if isinstance(error, InputError):
        return _similar_file(error.path)
    value, choices = getattr(error, "value", None), getattr(error, "choices", ())
    if not isinstance(value, str) or not choices or "did you mean" in str(error).lower():
        return None
    from cocarde.core.suggestions import closest

    meant = closest(value, choices)
    return f"did you mean {meant!r}?" if meant else None


def _is_near(name: str, other: str) -> bool:
    """Tell whether a file's name is another one misspelt: what both end in does not make them alike.

    Numbers and suffixes tell systems and languages apart; with another one it is another file.

    Examples
    --------
    >>> [_is_near("hyps.txt", name) for name in ("hyp.txt", "Hyps.TXT", "hyps.txt.gz", "refs.txt")]
    [True, True, True, False]
    >>> _is_near("R.txt", "cr.txt"), _is_near("hpy.txt", "hyp.txt"), _is_near("ref.tx", "ref.txt")
    (False, True, True)
    >>> _is_near("sys1.txt", "sys2.txt"), _is_near("newstest.en.txt", "newstest.de.txt")
    (False, False)
    """
    name, other = name.casefold(), other.casefold()
    if other == name or other.startswith(f"{name}."):
        return True
    (stem, _, suffix), (other_stem, _, other_suffix) = name.partition("."), other.partition(".")
    if re.findall(r"\d+", name) != re.findall(r"\d+", other):
        return False
    if stem == other_stem:
        return len(suffix) != len(other_suffix) and _edits(suffix, other_suffix, 1) <= 1
    mistakes = min(2, min(len(stem), len(other_stem)) // 3)
    return (
        suffix == other_suffix and mistakes > 0 and _edits(stem, other_stem, mistakes) <= mistakes
    )


def _edits(one: str, other: str, most: int) -> int:
    """Count the letters typed wrong, left out, added or exchanged with the next; up to `most`."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    last = list(range(len(other) + 1))
    for i, letter in enumerate(one, start=1):
        row = [i]
        for j, there in enumerate(other, start=1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (letter != there))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == there:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        before, last = last, row
    return last[-1]


def _similar_file(path: str | None) -> str | None:
    if path is None or path in ("-", "standard input"):
        return None
    missing = Path(path)
    with suppress(OSError):
        if not missing.exists() and missing.parent.is_dir():
            names = sorted({entry.name for entry in missing.parent.iterdir()} - {missing.name})
            meant = next((name for name in names if _is_near(missing.name, name)), None)
            if meant is not None:
                return f"did you mean {missing.parent / meant}?"
        if not missing.exists() and not missing.parent.exists():
            return f"the folder {missing.parent} does not exist"
    return None
