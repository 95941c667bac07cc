"""``cocarde tune``: METEOR's parameters fitted to human judgements."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from pathlib import PurePath
from typing import TYPE_CHECKING, Annotated, Any

from cocarde.cli import console
from cocarde.cli import options as shared
from cocarde.cli.console import UsageError
from cocarde.cli.formats import choose_format
from cocarde.cli.parameters import Argument, Option
from cocarde.cli.records import FIRST_SEGMENT
from cocarde.errors import InputError, OptionError

if TYPE_CHECKING:
    from cocarde.corpus import Source
    from cocarde.tuning.meteor import TuningProgress

__all__ = ["tune"]

_SHOWN_NAMES = 5


class Format(str, Enum):
    """How the result is written."""

    text = "text"
    json = "json"


class Objective(str, Enum):
    """What is as high as possible."""

    kendall = "kendall"
    weighted_pearson = "weighted-pearson"
    pearson = "pearson"
    spearman = "spearman"


class Search(str, Enum):
    """How the best point is found."""

    coordinate = "coordinate"
    exhaustive = "exhaustive"


@shared.with_metric_options
def tune(
    *,
    hypotheses: Annotated[
        list[str],
        Argument(metavar="HYP...", help="Files of hypotheses, one for each system."),
    ],
    references: Annotated[
        list[str],
        Option("--references", "-r", metavar="REF", help="A file of references; may be repeated."),
    ],
    rankings: Annotated[
        list[str] | None,
        Option(
            "--rankings",
            metavar="FILE",
            help="Rankings, as METEOR's Trainer reads them; may be repeated.",
        ),
    ] = None,
    scores: Annotated[
        list[str] | None,
        Option(
            "--scores",
            metavar="FILE",
            help="A number for each segment, one a line, or a column or field; once for each HYP.",
        ),
    ] = None,
    objective: Annotated[
        Objective | None,
        Option(
            "--objective",
            help="What is to be high. (default: kendall of rankings, weighted-pearson of scores)",
        ),
    ] = None,
    lower_is_better: Annotated[
        bool, Option("--lower-is-better", help="Low judgements are good, as of HTER.")
    ] = False,
    minimum_difference: Annotated[
        float,
        Option(
            "--minimum-difference",
            metavar="NUMBER",
            help="Scores that differ by more make a pair, for kendall.",
        ),
    ] = 0.0,
    epsilon: Annotated[
        float,
        Option(
            "--epsilon",
            metavar="NUMBER",
            help="METEOR scores, 0 to 100, must differ by more, for kendall.",
        ),
    ] = 0.0,
    grid: Annotated[
        list[str] | None,
        Option(
            "--grid",
            metavar="NAME=VALUES",
            help="What to try of alpha, beta, gamma, delta or a stage: FIRST:LAST:STEP, V1,V2,... "
            "or one value to keep; may be repeated. (default: steps of 0.05)",
        ),
    ] = None,
    search: Annotated[
        Search, Option("--search", help="Plane by plane, or every point as the Trainer does.")
    ] = Search.coordinate,
    starts: Annotated[
        int, Option("--starts", metavar="N", minimum=1, help="Where coordinate begins.")
    ] = 4,
    folds: Annotated[
        int, Option("--folds", metavar="N", minimum=0, help="Of the cross-validation; 0 for none.")
    ] = 5,
    seed: Annotated[int, Option("--seed", metavar="N", minimum=0, help="Of starts and folds.")] = 0,
    preset: Annotated[
        str | None,
        Option("--preset", metavar="NAME", help="METEOR's preset to start from."),
    ] = None,
    form: Annotated[
        Format | None,
        Option(
            "--format",
            "-f",
            help="How it is written. (default: by the name of the output, else text)",
        ),
    ] = None,
    output: shared.Output = None,
    input_format: shared.InputFormatOption = None,
    threads: shared.Threads = None,
    progress: Annotated[
        bool | None,
        Option("--progress/--no-progress", help="Show progress. (default: on a terminal)"),
    ] = None,
    quiet: shared.Quiet = False,
    metric_options: dict[str, Any],
) -> None:
    """Fit METEOR's parameters and stage weights to human judgements.

    Rankings: a line for each judgement, `SEGMENT PAIR BETTER PAIR WORSE`, with tabs. A system is named by
    its file: `fr-en.online-A.txt` is `online-A`. Segments are counted from 1; in markup they have ids.
    """
    form = choose_format(form, output, Format.text)
    (metric,) = shared.build_metrics(
        ["meteor"], None if preset is None else [preset], metric_options
    ).values()
    if bool(rankings) == bool(scores):
        raise UsageError(
            "give --rankings FILE or --scores FILE, one of the two",
            "scores are numbers, one a segment; rankings say which system is better",
        )
    shared.set_threads(threads)
    from cocarde.cli.inputs import read_sources, require_one_stdin

    chosen = None if input_format is None else input_format.value
    systems = read_sources(hypotheses, chosen)  # type: ignore[arg-type]
    streams = read_sources(references, chosen)  # type: ignore[arg-type]
    judged = read_sources(rankings or scores or [], None)
    require_one_stdin([*systems, *streams, *judged])
    console.require_writable(output, [one.path for one in (*systems, *streams, *judged)])
    values = _read_grid(grid or [])

    from cocarde.corpus import read_parallel

    corpus = read_parallel(systems, streams).decoded()
    texts = dict(zip(_distinct_names(systems), corpus.hypotheses, strict=True))
    judgements: Any
    notes: list[str] = []
    if rankings:
        judgements, notes = _read_rankings(judged, systems, streams, len(corpus.references))
    else:
        judgements = _read_all_scores(judged, systems, len(corpus.references))

    from cocarde.tuning.meteor import tune_meteor

    with console.collect_warnings() as warnings, _Progress(False if quiet else progress) as shown:
        tuning = tune_meteor(
            metric,
            texts,
            corpus.references,
            judgements,
            objective=None if objective is None else objective.value,
            lower_is_better=lower_is_better,
            minimum_difference=minimum_difference,
            epsilon=epsilon,
            grid=values,
            search=search.value,
            starts=starts,
            folds=folds,
            seed=seed,
            progress=shown,
        )
    if not quiet:
        console.print_warnings([*notes, *warnings])
    if form is Format.json:
        from cocarde.core.renderers.data import to_json

        console.emit([to_json(tuning.to_dict(), indent=2).rstrip("\n") + "\n"], output)
    else:
        console.emit([f"{tuning}\n"], output)


class _Progress:
    """A line on standard error about once a second; on a terminal always the same one."""

    def __init__(self, shown: bool | None) -> None:
        self._terminal = sys.stderr.isatty()
        self._shown = self._terminal if shown is None else shown
        self._last = time.monotonic()
        self._wrote = False

    def __enter__(self) -> Callable[[TuningProgress], None] | None:
        return self._show if self._shown else None

    def __exit__(self, *error: object) -> None:
        if self._wrote and self._terminal:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def _show(self, state: TuningProgress) -> None:
        now = time.monotonic()
        if now - self._last < 1:
            return
        self._last, self._wrote = now, True
        part = f"fold {state.fold} of {state.folds}" if state.fold else "all data"
        line = f"tuning, {part}: {state.evaluated:,} points, best {state.best:.4f}"
        if self._terminal:
            print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)
        else:
            print(line, file=sys.stderr)


def _read_grid(entries: Iterable[str]) -> dict[str, Sequence[float]]:
    result: dict[str, Sequence[float]] = {}
    for entry in entries:
        name, equals, text = entry.partition("=")
        way = "write it as alpha=0:1:0.1, alpha=0.2,0.5 or alpha=0.85"
        if not equals or not name:
            raise UsageError(f"--grid {entry}: there is no NAME=VALUES", way)
        if name in result:
            raise UsageError(f"--grid: {name} stands twice", "give all its values at once")
        try:
            result[name] = _read_values(text)
        except OptionError as error:
            raise UsageError(f"--grid {entry}: {error}", way) from None
        except ValueError:
            raise UsageError(f"--grid {entry}: {text!r} are not numbers", way) from None
    return result


def _read_values(text: str) -> Sequence[float]:
    from cocarde.tuning.meteor import grid_values

    if ":" in text:
        first, last, step = map(float, text.split(":"))
        return grid_values(first, last, step)
    return [float(part) for part in text.split(",")]


# --------------------------------------------------------------------------------------------------
# Scores


def _read_all_scores(
    judged: Sequence[Source], systems: Sequence[Source], count: int
) -> dict[str, list[float | None]]:
    if len(judged) != len(systems):
        raise UsageError(
            f"there are {len(systems)} systems but {len(judged)} files of scores",
            "give --scores once for each HYP, in the same order",
        )
    result = {}
    for source, system in zip(judged, systems, strict=True):
        numbers = _read_numbers(source)
        if len(numbers) != count:
            raise InputError(
                f"has {len(numbers)} scores, but {system.shown} has {count} segments; give one for "
                "each, an empty line where nobody judged",
                path=source.shown,
            )
        result[system.shown] = numbers
    return result


def _read_numbers(source: Source) -> list[float | None]:
    """Read a number from each line; None where there is nothing."""
    listed: Iterable[tuple[int, Any]]
    if source.resolved_format == "jsonl" and source.field is not None:
        from cocarde.corpus.tables import iterate_jsonl

        listed = iterate_jsonl(source.path, source.field)
    else:
        # A column that is named has its name in line 1.
        first = 2 if isinstance(source.column, str) and not source.column.isdigit() else 1
        listed = enumerate(source.read(), start=first)
    numbers: list[float | None] = []
    for line, value in listed:
        if value is None or (isinstance(value, str) and not value.strip()):
            numbers.append(None)
            continue
        try:
            number = math.nan if isinstance(value, bool) else float(value)
        except (TypeError, ValueError, OverflowError):
            number = math.nan
        if not math.isfinite(number):
            raise InputError(
                f"a score must be a number; found {value!r}", path=source.path, line=line
            )
        numbers.append(number)
    return numbers


# --------------------------------------------------------------------------------------------------
# Rankings


def _distinct_names(systems: Sequence[Source]) -> list[str]:
    names = [source.shown for source in systems]
    doubled = [name for index, name in enumerate(names) if name in names[:index]]
    if doubled:
        raise UsageError(f"the system {doubled[0]} is given twice", "give each system once")
    return names


def _names_of(source: Source) -> set[str]:
    """Return what rankings may call a system."""
    if source.column is not None or source.field is not None:
        part = str(source.column if source.column is not None else source.field)
        return {source.shown, part, part.rpartition(":")[2]}
    name = PurePath(source.path).name
    if PurePath(name).suffix in (".gz", ".bz2", ".xz", ".zst"):
        name = PurePath(name).stem
    names = {source.shown, name, PurePath(name).stem}
    # As the Trainer has it: between the first period and the last, or what follows the only one.
    _, _, rest = name.partition(".")
    if rest:
        names |= {rest, rest.rpartition(".")[0] or rest}
    return names


def _read_rankings(
    files: Sequence[Source], systems: Sequence[Source], streams: Sequence[Source], count: int
) -> tuple[list[tuple[int, str, str]], list[str]]:
    """Return rankings by the systems' names as shown; and warnings."""
    segments = _segment_numbers(systems, streams)
    known = {source.shown: _names_of(source) for source in systems}
    resolved: dict[str, str] = {}

    def resolve(name: str) -> str:
        if name not in resolved:
            meant = [shown for shown, names in known.items() if name in names]
            if len(meant) > 1:
                raise UsageError(
                    f"rankings name the system {name!r}, which may be {' or '.join(meant)}",
                    "rename the files, or write their names in the rankings",
                )
            resolved[name] = meant[0] if meant else name
        return resolved[name]

    result = []
    pairs: dict[str, tuple[str, int]] = {}
    for source in files:
        for line, text in enumerate(source.read(), start=1):
            cells = [cell for cell in str(text).split("\t") if cell]
            if len(cells) != 5:
                raise InputError(
                    "a ranking has 5 cells with tabs between them: SEGMENT PAIR BETTER PAIR WORSE; "
                    f"found {len(cells)}",
                    path=source.shown,
                    line=line,
                )
            key, pair, better, other, worse = cells
            for one in (pair, other):
                pairs.setdefault(one, (source.shown, line))
            if segments is None:
                index = int(key) - FIRST_SEGMENT if key.isascii() and key.isdigit() else -1
            else:
                index = segments.get(key, -1)
            if not 0 <= index < count:
                span = (
                    f"they go from 1 to {count}"
                    if segments is None
                    else "see the ids in the markup"
                )
                raise InputError(
                    f"there is no segment {key!r}; {span}", path=source.shown, line=line
                )
            names = resolve(better), resolve(worse)
            if names[0] == names[1]:
                raise InputError(
                    f"{better!r} cannot be better than itself", path=source.shown, line=line
                )
            result.append((index, *names))
    if len(pairs) > 1:
        (_, second), *_ = list(pairs.items())[1:]
        raise InputError(
            f"there are rankings of several pairs of languages or test sets, {', '.join(pairs)}, which "
            "have different references; give those of one",
            path=second[0],
            line=second[1],
        )
    unknown = [name for name, shown in resolved.items() if shown not in known]
    if len(unknown) == len(resolved) and result:
        raise UsageError(
            f"rankings name none of the systems; they name {_listed(unknown)}",
            f"a system is named by its file; yours are {_listed([*known])}",
        )
    missing = [one for one in result if one[1] not in known or one[2] not in known]
    notes = []
    if missing:
        notes.append(
            f"{len(missing)} of {len(result)} rankings are left out: there are no hypotheses of "
            f"{_listed(unknown)}"
        )
    return result, notes


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN_NAMES} more" if len(names) > _SHOWN_NAMES else ""
    return ", ".join(map(repr, names[:_SHOWN_NAMES])) + more


def _segment_numbers(systems: Sequence[Source], streams: Sequence[Source]) -> dict[str, int] | None:
    """Return the index of each segment's id; None without markup, where lines are counted."""
    for number, source in enumerate([*systems, *streams]):
        if source.resolved_format not in ("sgml", "xml"):
            continue
        hypothesis = number < len(systems)
        markup = source.markup(prefer="hypothesis" if hypothesis else "reference")
        _, system = source.selection()
        keys = list(markup.segments(system)) if hypothesis else list(markup.order)
        result = {segment: index for index, (_, segment) in enumerate(keys)}
        if len(result) < len(keys):
            raise InputError(
                "segments of different documents have the same id, so rankings do not say which they "
                "mean; number them through",
                path=source.shown,
            )
        return result
    return None
