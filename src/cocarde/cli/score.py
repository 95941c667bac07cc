"""``cocarde score``: the scores of systems."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any

from cocarde._util.checks import read_percentage
from cocarde.cli import console
from cocarde.cli import options as shared
from cocarde.cli.console import UsageError
from cocarde.cli.formats import Format, choose_format, print_records, write_records
from cocarde.cli.gates import Failures, read_gates
from cocarde.cli.parameters import Argument, Option
from cocarde.cli.paraphrases import prepare_paraphrases
from cocarde.cli.records import FIRST_SEGMENT, Level, Record, part_labels

if TYPE_CHECKING:
    from cocarde.cli.inputs import System
    from cocarde.core.metric import Metric
    from cocarde.core.score import Score
    from cocarde.core.statistics import Statistics
    from cocarde.corpus import Source

__all__ = ["score"]


class LevelName(str, Enum):
    """What a score is of."""

    corpus = "corpus"
    document = "document"
    segment = "segment"


@shared.with_metric_options
def score(
    *,
    hypotheses: Annotated[
        list[str],
        Argument(
            metavar="HYP",
            help="Files of hypotheses, one system each: text, FILE.tsv:COLUMN, FILE.jsonl:FIELD, "
            "SGML, XML; compressed or not; - is standard input. NAME=FILE gives a system its name.",
        ),
    ],
    references: Annotated[
        list[str],
        Option(
            "--references",
            "-r",
            metavar="REF",
            help="A file of references, line by line those of the hypotheses; may be repeated.",
        ),
    ],
    metric: shared.MetricNames = None,
    preset: shared.Presets = None,
    level: Annotated[LevelName, Option("--level", help="What is scored.")] = LevelName.corpus,
    documents: Annotated[
        str | None,
        Option("--documents", metavar="FILE", help="The document of each segment, one a line."),
    ] = None,
    form: Annotated[
        Format | None,
        Option(
            "--format",
            "-f",
            help="How scores are written. (default: by the name of the output, else table)",
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
            help="Digits after the point. (default: 2; all of them in csv, tsv and JSON)",
        ),
    ] = None,
    score_only: Annotated[
        bool, Option("--score-only", "-b", help="Print bare numbers, one a line.")
    ] = False,
    signature: Annotated[
        bool, Option("--signature", help="Print the signatures alone, one a line.")
    ] = False,
    details: Annotated[
        bool,
        Option(
            "--details",
            help="Say what stands behind each score below a table of several metrics too.",
        ),
    ] = False,
    sort: shared.Sort = None,
    minimum: shared.Minimum = None,
    maximum: shared.Maximum = None,
    confidence: Annotated[
        float | None,
        Option(
            "--confidence",
            metavar="PERCENT",
            help="Add the bootstrap interval that a metric's convention has: ROUGE-1.5.5's own, or "
            "rouge-score's. The usual one is 95.",
        ),
    ] = None,
    resamples: Annotated[
        int | None,
        Option(
            "--resamples", metavar="N", minimum=1, help="Of how many resamples. (default: 1000)"
        ),
    ] = None,
    seed: Annotated[
        int | None,
        Option(
            "--seed", metavar="N", minimum=0, help="Of rouge-score's resamples. (default: 12345)"
        ),
    ] = None,
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
    """Score hypotheses against references.

    Plain text files of any size are scored in constant memory at corpus level.
    """
    if score_only or signature:
        form = form or Format.table  # bare lines, whatever the output is called
    form = choose_format(form, output, Format.table)
    _check_output_options(form, width, score_only, signature)
    if documents is not None and level is LevelName.corpus:
        raise UsageError(
            "--documents needs --level document or --level segment", "add --level document"
        )
    intervals = _read_intervals(confidence, resamples, seed, level)
    details = details or intervals is not None  # which stand there
    metrics = shared.build_metrics(metric, preset, metric_options, quiet=quiet)
    if intervals is not None:
        for label, one in metrics.items():
            if not one.has_intervals:
                raise UsageError(
                    f"--confidence: {label} has no bootstrap interval of its own; ROUGE has",
                    f"`cocarde compare HYP -r REF -m {label}` gives that of any metric, of one system too",
                )
    if form is Format.report:
        _require_reports(metrics, level)
    gates = read_gates(minimum or [], maximum or [], metrics)
    order = shared.read_sort(sort, metrics)
    shared.set_threads(threads)
    from cocarde.cli.inputs import read_sources, read_systems, require_one_stdin

    chosen = None if input_format is None else input_format.value
    systems = read_systems(hypotheses, chosen)  # type: ignore[arg-type]
    streams = read_sources(references, chosen)  # type: ignore[arg-type]
    labels = read_sources([documents], None) if documents is not None else []
    require_one_stdin([*systems, *streams, *labels])
    output = console.require_writable(output, [one.path for one in (*systems, *streams, *labels)])

    metrics = _settle(metrics, systems, streams)
    prepare_paraphrases(metrics.values(), False if quiet else progress)
    scored = _score_all(
        metrics,
        systems,
        streams,
        labels=labels,
        level=level,
        progress=False if quiet else progress,
        whole=intervals is not None,
    )
    if order is not None:
        scored = _sorted(scored, metrics, *order)
    failures = Failures(gates)
    found = _records(scored, metrics, level.value, intervals)
    if intervals is not None:  # what is wrong with them is told before anything is printed
        found = iter(list(found))
    records = failures.watch(found)
    if not quiet:
        console.print_warnings(_warnings_of(scored, metrics, level.value))
    if signature:
        listed = list(records)
        console.emit(dict.fromkeys(f"{record.signature}\n" for record in listed), output)
    elif score_only:
        digits = 2 if width is None else width
        console.emit((f"{record.score:.{digits}f}\n" for record in records), output)
    elif form is Format.table and output is None:
        print_records(list(records), width, details=details)
    else:
        console.emit(write_records(records, form, width, details=details), output)
    sys.stdout.flush()
    return 1 if failures.report() else 0


def _check_output_options(
    form: Format, width: int | None, score_only: bool, signature: bool
) -> None:
    if score_only and signature:
        raise UsageError("--score-only and --signature exclude each other", "drop one of them")
    for given, name in ((score_only, "--score-only"), (signature, "--signature")):
        if given and form is not Format.table:
            raise UsageError(
                f"{name} prints bare lines and does not go with --format {form.value}",
                "drop one of them",
            )
    if width is not None and (signature or form in (Format.json, Format.jsonl, Format.report)):
        name = "--signature" if signature else f"--format {form.value}"
        raise UsageError(
            f"--width does not go with {name}", "it always holds the whole number; drop --width"
        )


@dataclass(frozen=True)
class _Intervals:
    """What bootstrap intervals are asked for."""

    confidence: float
    resamples: int
    seed: int | None

    def of(self, metric: Metric[Any], rows: Statistics) -> Mapping[str, Any]:
        """Return those of each part of a metric."""
        return metric.intervals(
            rows, confidence=self.confidence, resamples=self.resamples, seed=self.seed
        )

    def added(self, record: Record, found: Any) -> Record:
        """Return the record with an interval."""
        ends = {
            name: dict(zip(("precision", "recall", "fmeasure"), getattr(found, name), strict=True))
            for name in ("low", "mid", "high")
        }
        low, high = ends["low"]["fmeasure"], ends["high"]["fmeasure"]
        about = {"confidence": self.confidence, "resamples": self.resamples}
        return replace(
            record,
            low=low,
            high=high,
            line=f"{record.line} {self.confidence:g}% from {low:.2f} to {high:.2f}",
            details={**record.details, "interval": {**about, **ends}},
        )


def _read_intervals(
    confidence: float | None, resamples: int | None, seed: int | None, level: LevelName
) -> _Intervals | None:
    if confidence is None:
        for value, name in ((resamples, "--resamples"), (seed, "--seed")):
            if value is not None:
                raise UsageError(f"{name} needs --confidence", "add --confidence 95")
        return None
    if level is LevelName.segment:
        raise UsageError(
            "--confidence: a single segment has no bootstrap interval",
            "drop it, or take --level corpus or --level document",
        )
    return _Intervals(
        read_percentage("--confidence", confidence), 1000 if resamples is None else resamples, seed
    )


def _require_reports(metrics: Mapping[str, Metric[Any]], level: LevelName) -> None:
    if level is LevelName.segment:
        raise UsageError(
            "--format report does not go with --level segment",
            "`cocarde explain HYP -r REF -m meteor --segment N` takes one apart",
        )
    for name, metric in metrics.items():
        if not metric.has_report:
            raise UsageError(
                f"--format report: {name} has none; METEOR 1.5 has",
                "take -m meteor, or another format",
            )


def _settle(
    metrics: Mapping[str, Metric[Any]], systems: Sequence[System], streams: Sequence[Source]
) -> dict[str, Metric[Any]]:
    """Settle options such as the tokenizer "auto" by the references, which are read for it first."""
    picking = {
        name: metric
        for name, metric in metrics.items()
        if metric.needs_references and not metric.fits_on_corpus
    }
    if not picking:
        return dict(metrics)
    from cocarde.corpus import read_parallel
    from cocarde.corpus.segments import References, Segments

    if any(source.path == "-" for source in (*systems, *streams)):
        raise UsageError(
            "--tokenize auto reads the files twice, which standard input cannot be",
            "give files, or name a tokenizer",
        )
    corpus = read_parallel(systems[:1], streams)
    read = References.coerce(corpus.references, Segments.coerce(corpus.hypotheses[0]))
    return {**metrics, **{name: metric.fit(read) for name, metric in picking.items()}}


# --------------------------------------------------------------------------------------------------
# Scoring


@dataclass
class _System:
    """A system's statistics by metric: totals, or a row a segment."""

    name: str
    segments: int = 0
    totals: dict[str, Statistics] = field(default_factory=dict)
    rows: dict[str, Statistics] = field(default_factory=dict)
    documents: list[str] | None = None
    warnings: list[str] = field(default_factory=list)


def _score_all(
    metrics: dict[str, Metric[Any]],
    systems: Sequence[System],
    references: Sequence[Source],
    *,
    labels: Sequence[Source],
    level: LevelName,
    progress: bool | None,
    whole: bool = False,
) -> list[_System]:
    """Score all systems; metrics that are fitted on a corpus are so in `metrics` afterwards."""
    from cocarde.cli.inputs import can_stream
    from cocarde.cli.progress import Progress
    from cocarde.engines.streaming import fit_files

    with Progress(progress) as shown:
        streamed = can_stream(systems, references, metrics.values())
        if level is LevelName.corpus and not whole and streamed:
            metrics.update(fit_files(metrics, [one.path for one in references]))
            return [_stream(metrics, system, references, shown) for system in systems]
        return _score_whole(metrics, systems, references, labels=labels, level=level, shown=shown)


def _stream(
    metrics: Mapping[str, Metric[Any]], system: System, references: Sequence[Source], shown: Any
) -> _System:
    from cocarde.cli.inputs import expected_segments
    from cocarde.engines.streaming import accumulate_files

    shown.begin(system.shown, expected_segments(system.path))
    with console.collect_warnings() as warnings:
        accumulators = accumulate_files(
            metrics, system.path, [one.path for one in references], progress=shown.advance
        )
    result = _System(system.name, warnings=warnings)
    for name, accumulator in accumulators.items():
        assert accumulator.totals is not None
        result.totals[name] = accumulator.totals
        result.segments = accumulator.count
    return result


def _score_whole(
    metrics: dict[str, Metric[Any]],
    systems: Sequence[System],
    references: Sequence[Source],
    *,
    labels: Sequence[Source],
    level: LevelName,
    shown: Any,
) -> list[_System]:
    from cocarde.cli.inputs import by_encoding, read_documents
    from cocarde.core.evaluation import evaluate
    from cocarde.corpus import read_parallel
    from cocarde.corpus.segments import References, Segments

    corpus = read_parallel(systems, references)
    documents = read_documents(corpus, systems[0].shown, labels, needed=level is LevelName.document)
    parts = []
    for chosen, read in by_encoding(corpus, metrics):
        coerced = References.coerce(read.references, Segments.coerce(read.hypotheses[0]))
        fitted = {name: metric.fit(coerced) for name, metric in chosen.items()}
        metrics.update(fitted)
        parts.append((fitted, read.hypotheses, coerced))
    result = []
    for number, (source, hypotheses) in enumerate(zip(systems, corpus.hypotheses, strict=True)):
        shown.begin(source.shown, len(hypotheses))
        found: dict[str, Statistics] = {}
        with console.collect_warnings() as warnings:
            for chosen, texts, coerced in parts:
                found.update(evaluate(texts[number], coerced, chosen).statistics)
        statistics = {name: found[name] for name in metrics}
        shown.advance(len(hypotheses))
        result.append(
            _System(
                source.name,
                len(hypotheses),
                {name: rows.sum() for name, rows in statistics.items()},
                statistics,
                documents,
                warnings,
            )
        )
    return result


def _sorted(
    systems: Sequence[_System], metrics: Mapping[str, Metric[Any]], label: str, part: str
) -> list[_System]:
    """Return the systems, the best by a score first; equal ones stay as they were given."""
    metric = metrics[label]
    sign = 1 if metric.higher_is_better is False else -1
    return sorted(
        systems, key=lambda one: sign * metric.compute(one.totals[label]).parts()[part].score
    )


# --------------------------------------------------------------------------------------------------
# Records


_NOT_DETAILS = ("name", "score", "signature", "warnings")


def _records(
    systems: Iterable[_System],
    metrics: Mapping[str, Metric[Any]],
    level: Level,
    intervals: _Intervals | None = None,
) -> Iterator[Record]:
    for system in systems:
        for name, metric in metrics.items():
            if level == "segment":
                yield from _segment_records(system, name, metric)
            elif level == "document":
                yield from _document_records(system, name, metric, intervals)
            else:
                found = metric.compute(system.totals[name])
                ends = None if intervals is None else intervals.of(metric, system.rows[name])
                for part, record in _parts(
                    system, name, metric, found, level, segments=system.segments
                ):
                    yield _with_interval(record, part, intervals, ends)


def _with_interval(
    record: Record, part: str, intervals: _Intervals | None, ends: Mapping[str, Any] | None
) -> Record:
    if intervals is None or ends is None:
        return record
    return intervals.added(record, ends[part])


def _parts(
    system: _System,
    name: str,
    metric: Metric[Any],
    found: Score,
    level: Level,
    *,
    segments: int,
    document: str | None = None,
) -> Iterator[tuple[str, Record]]:
    parts = found.parts()
    for part, label in part_labels(name, list(parts)).items():
        score = parts[part]
        values = score.to_dict().items()
        yield (
            part,
            Record(
                system=system.name,
                metric=label,
                score=score.score,
                signature=score.signature,
                level=level,
                segments=segments,
                document=document,
                line=score.details(),
                details={key: value for key, value in values if key not in _NOT_DETAILS},
                warnings=score.warnings,
                name=score.name,
                report=score.report(),
                lower_is_better=metric.higher_is_better is False,
            ),
        )


def _document_records(
    system: _System, name: str, metric: Metric[Any], intervals: _Intervals | None
) -> Iterator[Record]:
    places: dict[str, list[int]] = {}
    for index, label in enumerate(system.documents or []):
        places.setdefault(label, []).append(index)
    rows = system.rows[name]
    for label, indices in places.items():
        # The sum of just these rows, not group_sum: one convention reads the last segment too.
        found = metric.compute(rows[indices].sum())
        ends = None if intervals is None else intervals.of(metric, rows[indices])
        for part, record in _parts(
            system, name, metric, found, "document", segments=len(indices), document=label
        ):
            yield _with_interval(record, part, intervals, ends)


def _segment_records(system: _System, name: str, metric: Metric[Any]) -> Iterator[Record]:
    rows = system.rows[name]
    signature = str(metric.signature_for(rows.references_per_segment, level="segment"))
    columns = rows.to_dict()
    labels = part_labels(name, metric.part_names)
    lower = metric.higher_is_better is False
    parts = [
        (part, values.tolist(), _part_columns(columns, part, metric.part_names))
        for part, values in metric.part_scores(rows, level="segment").items()
    ]
    for index in range(len(rows)):
        for part, scores, details in parts:
            yield Record(
                system=system.name,
                metric=labels[part],
                score=scores[index],
                signature=signature,
                level="segment",
                document=None if system.documents is None else system.documents[index],
                segment=index + FIRST_SEGMENT,
                details={key: column[index] for key, column in details.items()},
                name=part,
                lower_is_better=lower,
            )


def _part_columns(
    columns: Mapping[str, list[float]], part: str, parts: Sequence[str]
) -> dict[str, list[float]]:
    """Return a part's own statistics, without its name before theirs."""
    if len(parts) == 1 and not any(name.startswith(f"{part}_") for name in columns):
        return dict(columns)
    return {
        name.removeprefix(f"{part}_"): column
        for name, column in columns.items()
        if name.startswith(f"{part}_")
    }


def _warnings_of(
    systems: Sequence[_System], metrics: Mapping[str, Metric[Any]], level: Level
) -> list[str]:
    """Return what standard error shows: of which system, where there are several."""
    found: list[tuple[str, str]] = []
    for system in systems:
        found += [(system.name, message) for message in system.warnings]
        if level == "segment":
            continue
        for record in _records([system], metrics, level):
            place = "" if record.document is None else f"document {record.document}: "
            found += [
                (system.name, f"{record.metric}: {place}{message}") for message in record.warnings
            ]
    if len(systems) == 1:
        return [message for _, message in found]
    return [f"{name}: {message}" for name, message in found]
