"""Comparisons as documents: a table of systems and metrics, or one with all details."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocarde._display import column_heads
from cocarde._util.checks import read_whole_number
from cocarde.core.documents import Document, Estimate, Mark, Notes, Table, TableRow

if TYPE_CHECKING:
    from cocarde.significance.comparison import Comparison, SystemResult

__all__ = ["document"]

_NUMBERS = frozenset({"score", "difference", "s_sel", "s_opt"})

_SMALLEST_P = 5e-5  # smaller ones would show as 0.0000


def document(comparison: Comparison, width: int = 2, *, details: bool | None = None) -> Document:
    """Return a comparison as tables and notes.

    Parameters
    ----------
    comparison : Comparison
    width : int, default 2
        Digits after the point.
    details : bool or None
        Whether every result has a row, with its test, or every system, with a column a metric. By
        default the former where there is one metric.

    Raises
    ------
    OptionError
        If `width` is no whole number of at least 0.
    """
    width = read_whole_number("width", width, 0)
    if details is None:
        details = len(comparison.metrics) == 1
    table = _results(comparison, width) if details else _pivot(comparison, width)
    notes = _remarks(comparison) if details else _legend(comparison)
    return Document("", (table, Notes((*notes, *_signatures(comparison)))))


# --------------------------------------------------------------------------------------------------
# One row a result


def _results(comparison: Comparison, width: int) -> Table:
    header = tuple(_header(comparison))
    several = len(comparison.systems) > 1
    rows = tuple(
        TableRow(tuple(_cells(comparison, one, width)), Mark.BEST if one.best and several else None)
        for one in comparison.results
    )
    texts = tuple(index for index, name in enumerate(header) if name not in _NUMBERS)
    return Table(header, rows, texts=texts, plain=True, whole=True)


def _header(comparison: Comparison) -> list[str]:
    """Name the columns of the long table."""
    names = ["system", "metric", "score", f"{comparison.confidence:g}% interval"]
    if comparison.runs > 1:
        names += ["s_sel", "s_opt"]
    if len(comparison.systems) > 1:
        p = "p" if comparison.correction is None else f"p ({comparison.correction})"
        names += ["difference", p, "wins/ties/losses", "verdict"]
    return names


def _cells(comparison: Comparison, result: SystemResult, width: int) -> list[str]:
    """Write a row of the long table."""
    interval = result.interval
    row = [
        result.system,
        _marked(result.metric, result),
        f"{result.score:.{width}f}",
        f"{interval.low:.{width}f} to {interval.high:.{width}f}",
    ]
    if comparison.runs > 1:
        varies = result.optimizer_deviation
        row += [f"{result.selection_deviation:.{width}f}", f"{varies or 0:.{width}f}"]
    if len(comparison.systems) > 1:
        row += _against_baseline(result, width)
    return row


def _marked(name: str, result: SystemResult) -> str:
    """Name the metric, with an arrow where less is better."""
    return f"{name} ↓" if result.higher_is_better is False else name


def _against_baseline(result: SystemResult, width: int) -> list[str]:
    best = "best" if result.best else "tied with best" if result.tied_with_best else ""
    if result.delta is None or result.corrected_p_value is None:
        return ["", "", "", ", ".join(filter(None, ["baseline", best]))]
    counts = ""
    if result.wins is not None:
        counts = f"{result.wins}/{result.ties}/{result.losses}"
    verdict = "no difference found" if result.verdict == "same" else str(result.verdict)
    return [
        f"{result.delta:+.{width}f}",
        _p(result.corrected_p_value),
        counts,
        ", ".join(filter(None, [verdict, best])),
    ]


def _p(value: float) -> str:
    """Write a p-value with four digits, as sacreBLEU does."""
    return f"{value:.4f}" if value >= _SMALLEST_P else "<0.0001"


# --------------------------------------------------------------------------------------------------
# One row a system, one column a metric


def _pivot(comparison: Comparison, width: int) -> Table:
    results = [comparison[comparison.systems[0], metric] for metric in comparison.metrics]
    heads = column_heads({one.metric: one.name or one.metric for one in results})
    rows = (
        (comparison[system, metric] for metric in comparison.metrics)
        for system in comparison.systems
    )
    return Table(
        ("system", *(_marked(heads[one.metric], one) for one in results)),
        tuple(
            TableRow((system, *(_estimate(comparison, one, width) for one in row)))
            for system, row in zip(comparison.systems, rows, strict=True)
        ),
        plain=True,
        whole=True,
    )


def _estimate(comparison: Comparison, result: SystemResult, width: int) -> Estimate:
    mark = None
    if len(comparison.systems) > 1:
        mark = Mark.BEST if result.best else Mark.TIED if result.tied_with_best else None
    return Estimate(
        f"{result.score:.{width}f}",
        f"{result.interval.half_width:.{width}f}",
        {"better": "+", "worse": "-"}.get(result.verdict or "", ""),
        mark,
    )


# --------------------------------------------------------------------------------------------------
# Notes


def _legend(comparison: Comparison) -> list[str]:
    if len(comparison.systems) == 1:
        return _remarks(comparison)
    meaning = (
        f"score and half width of the {comparison.confidence:g}% interval; + and -: significantly "
        f"better and worse than {comparison.baseline}"
    )
    return [meaning, *_remarks(comparison)]


def _signatures(comparison: Comparison) -> list[tuple[str, str]]:
    """Return metrics with their signature; those of one signature together."""
    metrics: dict[str, list[str]] = {}
    for metric, signature in comparison.signatures.items():
        metrics.setdefault(signature, []).append(metric)
    return [(", ".join(names), signature) for signature, names in metrics.items()]


def _remarks(comparison: Comparison) -> list[str]:
    """Say how it was tested, of what runs, and which scores are errors."""
    units = ""
    if comparison.documents is not None:
        documents, segments = (
            _counted(count, unit)
            for count, unit in (
                (comparison.documents, "document"),
                (comparison.segments, "segment"),
            )
        )
        units = f"{documents} ({segments})"
    of_units = units and f" of {units}"
    resamples = _counted(comparison.interval_samples, "resample")
    if comparison.test == "bootstrap":
        how = f"paired bootstrap{of_units}, {resamples}"
    else:
        kind = "MultEval's " if comparison.test == "multeval" else ""
        kind += "stratified " if comparison.runs > 1 else ""
        how = (
            f"{kind}approximate randomisation{of_units}, "
            f"{_counted(comparison.samples, 'shuffle')}; intervals of {resamples}"
        )
    lines = []
    if len(comparison.systems) > 1:
        level = f"{1 - comparison.confidence / 100:g}"
        lines.append(f"against {comparison.baseline}: {how}, seed {comparison.seed}; level {level}")
        if units:
            lines.append("wins, ties and losses are those of documents")
    elif units:
        lines.append(f"the interval is of resamples of {units}")
    named = {one.system: one.run_names for one in comparison.results if one.run_names}
    lines += [f"runs of {system}: {', '.join(names)}" for system, names in named.items()]
    errors = dict.fromkeys(
        one.metric for one in comparison.results if one.higher_is_better is False
    )
    if errors:
        lines.append(f"↓ {', '.join(errors)}: lower is better")
    return lines


def _counted(count: int, unit: str) -> str:
    return f"{count:,} {unit}{'' if count == 1 else 's'}"
