"""``cocarde compare``: which system is better, and whether that is more than chance."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from enum import Enum
from pathlib import PurePath
from typing import TYPE_CHECKING, Annotated, Any

from cocarde._util.checks import read_confidence
from cocarde.cli import console
from cocarde.cli import options as shared
from cocarde.cli.console import UsageError
from cocarde.cli.formats import choose_format, page, print_document, write_data
from cocarde.cli.gates import Failures, read_gates
from cocarde.cli.parameters import Argument, Option
from cocarde.cli.paraphrases import prepare_paraphrases
from cocarde.cli.records import Record, finite

if TYPE_CHECKING:
    from cocarde.cli.inputs import System
    from cocarde.significance import Comparison

__all__ = ["compare"]


class Format(str, Enum):
    """How a comparison is written."""

    table = "table"
    json = "json"
    jsonl = "jsonl"
    csv = "csv"
    tsv = "tsv"
    markdown = "markdown"
    latex = "latex"
    html = "html"


class Unit(str, Enum):
    """What is drawn or exchanged."""

    segment = "segment"
    document = "document"


class Test(str, Enum):
    """How it is tested."""

    bootstrap = "bootstrap"
    randomization = "randomization"
    multeval = "multeval"


class Correction(str, Enum):
    """How p-values of several systems are corrected."""

    holm = "holm"
    benjamini_hochberg = "benjamini-hochberg"


@shared.with_metric_options
def compare(
    *,
    hypotheses: Annotated[
        list[str],
        Argument(
            metavar="SYSTEM",
            help="Files of hypotheses, one for each system (or run); the first is the baseline. "
            "NAME=FILE gives a system its name.",
        ),
    ],
    references: Annotated[
        list[str],
        Option("--references", "-r", metavar="REF", help="A file of references; may be repeated."),
    ],
    metric: shared.MetricNames = None,
    preset: shared.Presets = None,
    baseline: Annotated[
        str | None,
        Option("--baseline", metavar="SYSTEM", help="The baseline. (default: the first system)"),
    ] = None,
    test: Annotated[
        Test,
        Option(
            "--test", help="Paired bootstrap, approximate randomisation, or MultEval's form of it."
        ),
    ] = Test.bootstrap,
    level: Annotated[
        Unit, Option("--level", help="What is drawn or exchanged, and counted as wins and losses.")
    ] = Unit.segment,
    documents: Annotated[
        str | None,
        Option("--documents", metavar="FILE", help="The document of each segment, one a line."),
    ] = None,
    samples: Annotated[
        int | None,
        Option(
            "--samples",
            metavar="N",
            help="Resamples or shuffles, at most a million. (default: 1000 and 10000)",
        ),
    ] = None,
    interval_samples: Annotated[
        int | None,
        Option(
            "--interval-samples",
            metavar="N",
            help="Resamples of intervals and s_sel beside a randomisation test. (default: 1000)",
        ),
    ] = None,
    seed: Annotated[
        int | None,
        Option("--seed", metavar="N", minimum=0, help="Of the samples. (default: 12345)"),
    ] = None,
    confidence: Annotated[
        float,
        Option(
            "--confidence",
            metavar="PERCENT",
            help="Of the intervals; what is left of 100 is the level of significance.",
        ),
    ] = 95.0,
    correction: Annotated[
        Correction | None,
        Option("--correction", help="Correct p-values for the number of systems. (default: none)"),
    ] = None,
    runs: Annotated[
        int,
        Option(
            "--runs",
            metavar="N",
            minimum=1,
            help="Every N files in a row are the optimiser runs of one system.",
        ),
    ] = 1,
    length: Annotated[
        bool,
        Option(
            "--length",
            help="Compare lengths too: in words, in per cent of the references', as MultEval does.",
        ),
    ] = False,
    form: Annotated[
        Format | None,
        Option(
            "--format",
            "-f",
            help="How it is written. (default: by the name of the output, else table)",
        ),
    ] = None,
    width: Annotated[
        int | None,
        Option(
            "--width",
            "-w",
            metavar="DIGITS",
            minimum=0,
            maximum=17,
            help="Digits after the point of table, markdown, latex and html. (default: 2)",
        ),
    ] = None,
    details: Annotated[
        bool,
        Option(
            "--details",
            help="One row a result, with its interval and test, where there are several metrics too.",
        ),
    ] = False,
    sort: shared.Sort = None,
    minimum: shared.Minimum = None,
    maximum: shared.Maximum = None,
    fail_if_worse: Annotated[
        bool,
        Option(
            "--fail-if-worse",
            help="Exit with 1 when a system is significantly worse than the baseline, or scores worse "
            "and there are too few samples to tell.",
        ),
    ] = False,
    output: shared.Output = None,
    input_format: shared.InputFormatOption = None,
    threads: shared.Threads = None,
    progress: Annotated[
        bool | None,
        Option(
            "--progress/--no-progress",
            help="Show progress. (default: on a terminal, after a second)",
        ),
    ] = None,
    quiet: shared.Quiet = False,
    metric_options: dict[str, Any],
) -> int:
    """Compare systems: scores with confidence intervals, and tests against the baseline.

    With the same seed, intervals and p-values are sacreBLEU's.
    """
    form = choose_format(form, output, Format.table)
    read_confidence("--confidence", confidence)
    _check_samples(samples, interval_samples)
    if documents is not None and level is Unit.segment:
        raise UsageError("--documents needs --level document", "add --level document")
    if width is not None and form not in (
        *(Format.table, Format.markdown, Format.latex, Format.html),
    ):
        raise UsageError(
            f"--width does not go with --format {form.value}",
            "it always holds the whole number; drop --width",
        )
    if interval_samples is not None and test is Test.bootstrap:
        raise UsageError(
            "--interval-samples does not go with --test bootstrap",
            "its intervals are those of its own resamples; give --samples",
        )
    metrics = shared.build_metrics(metric, preset, metric_options, quiet=quiet)
    gates = read_gates(minimum or [], maximum or [], metrics)
    order = shared.read_sort(sort, metrics)
    if length:
        from cocarde.significance.length import Length

        metrics["length"] = Length()
    shared.set_threads(threads)
    from cocarde.cli.inputs import (
        by_encoding,
        read_documents,
        read_sources,
        read_systems,
        require_one_stdin,
    )

    chosen = None if input_format is None else input_format.value
    sources = read_systems(hypotheses, chosen)  # type: ignore[arg-type]
    streams = read_sources(references, chosen)  # type: ignore[arg-type]
    labels = read_sources([documents], None) if documents is not None else []
    require_one_stdin([*sources, *streams, *labels])
    _require_different(sources)
    groups = _group(sources, runs)
    base = None if baseline is None else _find(baseline, groups)
    if fail_if_worse and len(groups) == 1:
        raise UsageError("--fail-if-worse needs a system beside the baseline", "name two files")
    read = [one.path for one in (*sources, *streams, *labels)]
    output = console.require_writable(output, read)

    from cocarde.corpus import read_parallel
    from cocarde.corpus.segments import References, Segments
    from cocarde.significance import compare_statistics
    from cocarde.significance.comparison import score_systems
    from cocarde.significance.resampling import DEFAULT_SEED

    corpus = read_parallel(sources, streams)
    units = None
    if level is Unit.document:
        units = read_documents(corpus, sources[0].shown, labels, needed=True)
    prepare_paraphrases(metrics.values(), False if quiet else progress)
    with (
        console.collect_warnings() as warnings,
        _Progress(False if quiet else progress) as shown,
    ):
        statistics: dict[str, dict[str, Any]] = {name: {} for name in groups}
        for alike, texts in by_encoding(corpus, metrics):
            systems = _outputs(groups, texts.hypotheses)
            coerced = References.coerce(texts.references, Segments.coerce(texts.hypotheses[0]))
            fitted = {label: one.fit(coerced) for label, one in alike.items()}
            metrics.update(fitted)
            for name, rows in score_systems(systems, coerced, fitted, shown).items():
                statistics[name].update(rows)
        if order is not None:
            base = base or next(iter(groups))
            statistics = _sorted(statistics, metrics, *order)
        comparison = compare_statistics(
            statistics,
            metrics,
            baseline=base,
            test=test.value,
            samples=samples,
            seed=DEFAULT_SEED if seed is None else seed,
            confidence=confidence,
            correction=None if correction is None else correction.value,
            interval_samples=interval_samples,
            level=level.value,
            documents=units,
            run_names=_run_names(groups),
            outputs=_outputs(groups, corpus.hypotheses),
            progress=shown,
        )
    if not quiet:
        # What `compare_statistics` warned of is among the comparison's own.
        console.print_warnings([*warnings, *comparison.warnings])
    _print(comparison, form, width, output, details=details)
    sys.stdout.flush()
    failures = Failures(gates)
    for _ in failures.watch(_records(comparison)):
        pass
    failed = failures.report()
    if fail_if_worse:
        failed = _report_worse(comparison) or failed
    return 1 if failed else 0


def _sorted(
    statistics: Mapping[str, Mapping[str, Any]], metrics: Mapping[str, Any], label: str, part: str
) -> dict[str, Any]:
    """Return the systems, the best by a score (of several runs the mean) first."""
    metric = metrics[label]

    def score(system: str) -> float:
        runs = statistics[system][label]
        scores = [metric.compute(rows.sum()).parts()[part].score for rows in runs]
        return float(sum(scores)) / len(runs)

    names = sorted(statistics, key=score, reverse=metric.higher_is_better is not False)
    return {name: dict(statistics[name]) for name in names}


def _check_samples(samples: int | None, interval_samples: int | None) -> None:
    if samples is None and interval_samples is None:
        return
    from cocarde.significance.resampling import read_samples

    for option, given in (("--samples", samples), ("--interval-samples", interval_samples)):
        if given is not None:
            read_samples(option, given)


# --------------------------------------------------------------------------------------------------
# Systems


def _require_different(sources: Sequence[System]) -> None:
    """Refuse a file that is given twice, by whatever name."""
    seen: dict[tuple[Any, ...], str] = {}
    for source in sources:
        file: Any = source.path
        with suppress(OSError):  # missing: the reader says so
            status = os.stat(source.path)
            file = (status.st_dev, status.st_ino) if status.st_ino else os.path.realpath(file)
        shown = source.name
        key = (file, source.column, source.field)
        if key in seen:
            names = shown if seen[key] == shown else f"{seen[key]} and {shown} are one file, which"
            raise UsageError(f"{names} is given twice", "give each file once")
        seen[key] = shown


def _run_names(groups: Mapping[str, Sequence[System]]) -> dict[str, tuple[str, ...]]:
    """Return the files of systems that have several."""
    return {
        name: tuple(console.as_utf8(one.shown) for one in group)
        for name, group in groups.items()
        if len(group) > 1
    }


def _group(sources: Sequence[System], runs: int) -> dict[str, list[System]]:
    """Name the systems: each by its file, or by what the files of its runs begin with."""
    if len(sources) % runs:
        raise UsageError(
            f"there are {len(sources)} files, which cannot be {runs} runs of each system",
            "give the runs of one system after another: a.run1 a.run2 b.run1 b.run2 --runs 2",
        )
    groups: dict[str, list[System]] = {}
    for first in range(0, len(sources), runs):
        group = list(sources[first : first + runs])
        labels = {one.label: None for one in group if one.label is not None}
        name = next(iter(labels)) if len(labels) == 1 else _common_name([one.name for one in group])
        if name in groups:
            raise UsageError(
                f"the system {name} is given twice",
                "give each system once" if runs == 1 else "give names of files that begin apart",
            )
        groups[name] = group
    return groups


def _outputs(groups: Mapping[str, Sequence[System]], texts: Iterable[Any]) -> dict[str, list[Any]]:
    """Return the outputs of each system's runs, which come file by file."""
    following = iter(texts)
    return {name: [next(following) for _ in group] for name, group in groups.items()}


def _common_name(names: Sequence[str]) -> str:
    if len(names) == 1:
        return names[0]
    alike = 0
    for characters in zip(*names, strict=False):  # as far as the shortest goes
        if len(set(characters)) > 1:
            break
        alike += 1
    common = names[0][:alike]
    return PurePath(common).name.rstrip("._-") or common or names[0]


def _find(baseline: str, groups: Mapping[str, Sequence[System]]) -> str:
    if baseline in groups:
        return baseline
    from cocarde.core.suggestions import closest

    meant = closest(baseline, groups)
    raise UsageError(
        f"--baseline {baseline}: it is not among the systems {', '.join(groups)}",
        f"did you mean {meant!r}?" if meant else "name one of them",
    )


# --------------------------------------------------------------------------------------------------
# Output


class _Progress:
    """Progress of a comparison: systems that are scored, then samples."""

    def __init__(self, shown: bool | None) -> None:
        from cocarde.cli.progress import Progress

        self._bar = Progress(shown, "steps")
        self._stage = ""
        self._done = 0

    def __enter__(self) -> _Progress:  # noqa: PYI034  (Self is not in Python 3.10)
        self._bar.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:  # noqa: PYI036  (handed on)
        self._bar.__exit__(*error)

    def __call__(self, stage: str, done: int, total: int) -> None:
        if stage != self._stage:
            self._stage, self._done = stage, 0
            self._bar.begin(stage, total)
        self._bar.advance(done - self._done)
        self._done = done


def _print(
    comparison: Comparison, form: Format, width: int | None, output: Any, *, details: bool
) -> None:
    digits = 2 if width is None else width
    document = comparison.document(digits, details=details or None)
    if form is Format.table and output is None:
        print_document(document)
    elif form is Format.table:
        console.emit([comparison.to_text(digits, details=details or None)], output)
    elif form is Format.markdown:
        console.emit([comparison.to_markdown(digits)], output)
    elif form is Format.latex:
        console.emit([comparison.to_latex(digits)], output)
    elif form is Format.html:
        console.emit([page("cocarde compare", document)], output)
    else:
        console.emit(_for_machines(comparison.to_records(), form), output)


def _for_machines(records: Sequence[dict[str, Any]], form: Format) -> Iterator[str]:
    records = [finite(record) for record in records]
    if form in (Format.json, Format.jsonl):
        return write_data(records, form.value)
    rows = ([_field(value) for value in record.values()] for record in records)
    from cocarde.core.renderers.data import separated

    return separated(form.value, [[*records[0]], *rows])


def _field(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        if all(isinstance(item, str) for item in value):
            return "; ".join(value)
        return " ".join(map(repr, value))
    return repr(value) if isinstance(value, float) else str(value)


def _records(comparison: Comparison) -> Iterable[Record]:
    for one in comparison.results:
        yield Record(
            system=one.system,
            metric=one.metric,
            score=one.score,
            signature=one.signature,
            level="corpus",
            segments=comparison.segments,
        )


def _report_worse(comparison: Comparison) -> bool:
    worse = [one for one in comparison.results if one.verdict == "worse"]
    for one in worse:
        console.print_failure(
            f"{one.metric} of {one.system} is worse than that of {comparison.baseline}: "
            f"{one.delta:+.2f}, p = {one.corrected_p_value:.4f}"
        )
    undecidable = [one for one in comparison.results if one.scores_worse and not one.decidable]
    for one in undecidable:
        console.print_failure(
            f"whether {one.metric} of {one.system} is worse than that of {comparison.baseline} is "
            f"undecidable: {one.delta:+.2f}, but {comparison.samples:,} samples can give no p below "
            f"{one.least_p_value:.2g}, and the level is {1 - comparison.confidence / 100:g}; take "
            f"more --samples"
        )
    return bool(worse or undecidable)
