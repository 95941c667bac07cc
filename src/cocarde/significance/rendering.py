"""Comparisons as tables: for a terminal, a notebook, Markdown and LaTeX."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from cocarde._display import (
    aligned,
    column_heads,
    escape_html,
    escape_latex,
    escape_markdown,
    markdown_code,
    printable,
)
from cocarde._util.checks import read_whole_number

if TYPE_CHECKING:
    from cocarde.significance.comparison import Comparison, SystemResult

__all__ = [
    "RIGHT",
    "cells",
    "header",
    "html",
    "latex",
    "markdown",
    "notes",
    "plain",
    "rich_table",
]

RIGHT = frozenset({"score", "difference", "s_sel", "s_opt"})  # columns whose cells end in line

_SMALLEST_P = 5e-5  # smaller ones would show as 0.0000


def header(comparison: Comparison) -> list[str]:
    """Name the columns of the long table."""
    names = ["system", "metric", "score", f"{comparison.confidence:g}% interval"]
    if comparison.runs > 1:
        names += ["s_sel", "s_opt"]
    if len(comparison.systems) > 1:
        p = "p" if comparison.correction is None else f"p ({comparison.correction})"
        names += ["difference", p, "wins/ties/losses", "verdict"]
    return names


def cells(comparison: Comparison, result: SystemResult, width: int = 2) -> list[str]:
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


def _marked(name: str, result: SystemResult, arrow: str = "↓") -> str:
    """Name the metric, with an arrow where less is better."""
    return f"{name} {arrow}" if result.higher_is_better is False else name


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


def notes(comparison: Comparison) -> list[str]:
    """Say how it was tested, of what runs, and which scores are errors; then each signature."""
    signed = (f"{names}: {signature}" for names, signature in _signatures(comparison))
    return [*_remarks(comparison), *signed]


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


def rich_table(comparison: Comparison, width: int = 2) -> Any:
    """Return what rich prints: a table, and below it the notes."""
    from rich import box
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    names = header(comparison)
    for name in names:
        left = name in ("system", "metric", "verdict")
        table.add_column(name, justify="left" if left else "right", no_wrap=name != "system")
    for metric in comparison.metrics:
        for system in comparison.systems:
            result = comparison[system, metric]
            style = "bold" if result.best and len(comparison.systems) > 1 else ""
            shown = map(printable, cells(comparison, result, width))
            table.add_row(*(Text(cell, style=style) for cell in shown))
        table.add_section()
    below = "\n".join(map(printable, notes(comparison)))
    return Group(table, Text(below, style="dim", overflow="fold"))


def plain(comparison: Comparison) -> str:
    """Return the table as text, one line a row and a note."""
    rows = [
        cells(comparison, comparison[system, metric])
        for metric in comparison.metrics
        for system in comparison.systems
    ]
    table = "".join(aligned(header(comparison), rows, RIGHT))
    return "\n".join([table, *map(printable, notes(comparison))])


def html(comparison: Comparison, width: int = 2) -> str:
    """Return the table as HTML."""
    head = "".join(f"<th>{escape_html(name)}</th>" for name in header(comparison))
    rows = []
    for result in comparison.results:
        tag = "th" if result.best and len(comparison.systems) > 1 else "td"
        shown = cells(comparison, result, width)
        rows.append(f"<tr>{''.join(f'<{tag}>{escape_html(cell)}</{tag}>' for cell in shown)}</tr>")
    below = "<br>".join(map(escape_html, notes(comparison)))
    return f"<table><tr>{head}</tr>{''.join(rows)}</table><p><small>{below}</small></p>"


# --------------------------------------------------------------------------------------------------
# One row a system, one column a metric


def _pivot(comparison: Comparison, cell: Callable[[SystemResult], str]) -> list[list[str]]:
    return [
        [cell(comparison[system, metric]) for metric in comparison.metrics]
        for system in comparison.systems
    ]


def _heads(comparison: Comparison, arrow: str) -> list[str]:
    """Name the metrics of the columns."""
    results = [comparison[comparison.systems[0], metric] for metric in comparison.metrics]
    heads = column_heads({one.metric: one.name or one.metric for one in results})
    return [_marked(heads[one.metric], one, arrow) for one in results]


def _mark(result: SystemResult) -> str:
    return {"better": "+", "worse": "-"}.get(result.verdict or "", "")


def _legend(comparison: Comparison) -> list[str]:
    if len(comparison.systems) == 1:
        return _remarks(comparison)
    meaning = (
        f"score and half width of the {comparison.confidence:g}% interval; + and -: significantly "
        f"better and worse than {comparison.baseline}"
    )
    return [meaning, *_remarks(comparison)]


def markdown(comparison: Comparison, width: int = 2) -> str:
    """Return a Markdown table; the best score is bold, what the test finds no worse is italic."""
    width = read_whole_number("width", width, 0)

    def cell(result: SystemResult) -> str:
        score = f"{result.score:.{width}f}"
        if len(comparison.systems) > 1:
            score = (
                f"**{score}**" if result.best else f"*{score}*" if result.tied_with_best else score
            )
        mark = _mark(result)
        return f"{score} ± {result.interval.half_width:.{width}f}" + (f" {mark}" if mark else "")

    lines = [["system", *map(escape_markdown, _heads(comparison, "↓"))]]
    lines.append(["---", *("---:" for _ in comparison.metrics)])
    rows = _pivot(comparison, cell)
    for system, row in zip(comparison.systems, rows, strict=True):
        lines.append([escape_markdown(system), *row])
    table = "".join(f"| {' | '.join(line)} |\n" for line in lines)
    below = [f"- {escape_markdown(note)}\n" for note in _legend(comparison)]
    below += [
        f"- {escape_markdown(names)}: {markdown_code(signature)}\n"
        for names, signature in _signatures(comparison)
    ]
    return f"{table}\n{''.join(below)}"


def latex(comparison: Comparison, width: int = 2) -> str:
    r"""Return a LaTeX table; the best score is bold, what the test finds no worse is underlined."""
    width = read_whole_number("width", width, 0)

    def cell(result: SystemResult) -> str:
        score = f"{result.score:.{width}f}"
        if len(comparison.systems) > 1:
            if result.best:
                score = rf"\textbf{{{score}}}"
            elif result.tied_with_best:
                score = rf"\underline{{{score}}}"
        mark = _mark(result)
        half = rf" {{\scriptsize$\pm${result.interval.half_width:.{width}f}}}"
        return score + half + (f"$^{{{mark}}}$" if mark else "")

    lines = ["% \\usepackage{booktabs}\n"]
    signed = [f"{names}: {signature}" for names, signature in _signatures(comparison)]
    lines += [f"% {printable(note)}\n" for note in (*_legend(comparison), *signed)]
    lines.append(f"\\begin{{tabular}}{{l{'r' * len(comparison.metrics)}}}\n\\toprule\n")
    # The arrow is put in after escaping.
    heads = [escape_latex(name) for name in _heads(comparison, "↓")]
    names = ["system", *(name.replace("↓", r"$\downarrow$") for name in heads)]
    lines.append(" & ".join(names) + " \\\\\n\\midrule\n")
    rows = _pivot(comparison, cell)
    for system, row in zip(comparison.systems, rows, strict=True):
        lines.append(" & ".join([escape_latex(system), *row]) + " \\\\\n")
    lines.append("\\bottomrule\n\\end{tabular}\n")
    return "".join(lines)
