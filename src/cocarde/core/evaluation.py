"""Several metrics over the same text, which every tokenizer among them reads once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from cocarde._util.threads import get_num_threads
from cocarde.core import registry
from cocarde.core.columns import Batch, ColumnOptions, refuse_prepared
from cocarde.core.diagnostics import Findings
from cocarde.core.metric import Metric
from cocarde.core.printed import Printed
from cocarde.core.score import Score
from cocarde.core.statistics import Statistics
from cocarde.corpus.segments import References, Segments
from cocarde.errors import InputError, OptionError, warn

if TYPE_CHECKING:
    from cocarde.core.documents import Document

__all__ = ["Evaluation", "evaluate", "named_metrics"]


class Evaluation(Printed, Mapping[str, Score]):
    """Scores by metric name, in the order in which they were asked for.

    Attributes
    ----------
    statistics : dict of str to Statistics
        The rows behind each score.
    """

    def __init__(self, scores: dict[str, Score], statistics: dict[str, Statistics]) -> None:
        self._scores = scores
        self.statistics = statistics

    def __getitem__(self, name: str) -> Score:
        return self._scores[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._scores)

    def __len__(self) -> int:
        return len(self._scores)

    def __str__(self) -> str:
        return "\n".join(map(str, self._scores.values()))

    def __repr__(self) -> str:
        return f"Evaluation({self._scores!r})"

    def to_dict(self) -> dict[str, Any]:
        """Return every score as a dictionary, by metric name."""
        return {name: score.to_dict() for name, score in self._scores.items()}

    def document(self) -> Document:
        """Return a table: a row a score."""
        from cocarde.core.documents import Document, Table

        rows = [
            (name if len(parts) == 1 else f"{name} {part}", f"{score.score:.2f}", score.signature)
            for name, parts in ((name, found.parts()) for name, found in self._scores.items())
            for part, score in parts.items()
        ]
        return Document("", (Table.listing(("metric", "score", "signature"), rows),))


def named_metrics(metrics: Any) -> dict[str, Metric[Any]]:
    """Read metrics as `evaluate` takes them.

    Raises
    ------
    OptionError
        If there is none, or two would have the same name.
    """
    if isinstance(metrics, (str, Metric)):
        metrics = [metrics]
    if isinstance(metrics, Mapping):
        named = {str(name): registry.get(metric) for name, metric in metrics.items()}
    else:
        if not isinstance(metrics, Iterable):
            raise OptionError(f"metrics is a list of names and metrics, found {metrics!r}")
        named = {}
        for entry in metrics:
            metric = registry.get(entry)
            name = entry if isinstance(entry, str) else metric.name.lower()
            if name in named:
                raise OptionError(
                    f"the metric {name!r} stands twice; give a dictionary of names to metrics"
                )
            named[name] = metric
    if not named:
        raise OptionError("metrics is empty; name at least one")
    return named


def evaluate(
    hypotheses: Any,
    references: Any,
    metrics: Mapping[str, Metric[Any] | str] | Iterable[Metric[Any] | str] | str = ("bleu",),
) -> Evaluation:
    """Score a corpus with several metrics at once.

    Parameters
    ----------
    hypotheses, references
        As in `Metric.statistics`.
    metrics : iterable of names and metrics, or mapping of names to metrics
        For example ``["bleu", "bleu:nltk", BLEU(tokenize="char")]``.

    Returns
    -------
    Evaluation
        A mapping from each metric's name to its `Score`.

    Raises
    ------
    InputError
        As `Metric.statistics`.
    OptionError
        If a metric is unknown or stands twice.

    Examples
    --------
    >>> import cocarde
    >>> result = cocarde.evaluate(["a b c d e"], ["a b c d f"], metrics=["bleu", "bleu:nmt"])
    >>> {name: round(score.score, 2) for name, score in result.items()}
    {'bleu': 66.87, 'bleu:nmt': 66.87}
    """
    refuse_prepared(references, "evaluate")
    evaluation, findings, fitted = observe(hypotheses, references, named_metrics(metrics))
    segments = len(next(iter(evaluation.statistics.values())))
    report(fitted, findings, dict.fromkeys(fitted, segments))
    return evaluation


def report(
    metrics: Mapping[str, Metric[Any]],
    findings: Mapping[str, Findings],
    segments: Mapping[str, int],
) -> None:
    """Warn once of what several metrics found in so many segments each."""
    found = [
        message
        for name, metric in metrics.items()
        for message in metric.messages(findings[name], segments[name])
    ]
    for message in dict.fromkeys(found):
        warn(message)


def observe(
    hypotheses: Any, references: Any, named: Mapping[str, Metric[Any]]
) -> tuple[Evaluation, dict[str, Findings], dict[str, Metric[Any]]]:
    """Do what `evaluate` does, without a warning.

    Returns
    -------
    evaluation : Evaluation
    findings : dict of str to Findings
        What each metric would warn of.
    fitted : dict of str to Metric
        The metrics, as fitted to these references.
    """
    segments = Segments.coerce(hypotheses)
    if len(segments) == 0:
        raise InputError("hypotheses has no segments; there is nothing to score")
    read = References.coerce(references, segments)
    fitted = {name: metric.fit(read) for name, metric in named.items()}
    options = [metric.column_options for metric in fitted.values()]
    columns: dict[ColumnOptions, Batch] = {}
    scores: dict[str, Score] = {}
    statistics: dict[str, Statistics] = {}
    findings: dict[str, Findings] = {}
    for name, metric in fitted.items():
        key = metric.column_options
        if metric.reads_texts:
            columns[key] = metric.batch(segments, read)
        elif key not in columns:
            columns[key] = _columns(key, segments, read, shared=options.count(key) > 1)
        statistics[name], findings[name] = metric.observe(columns[key])
        scores[name] = metric.compute(statistics[name].sum())
    return Evaluation(scores, statistics), findings, fitted


def _columns(
    options: ColumnOptions, segments: Segments, references: References, *, shared: bool
) -> Batch:
    hypotheses = options.column(segments)
    flat = options.of_references.column(references.segments)
    if shared:
        threads = get_num_threads()
        hypotheses, flat = hypotheses.prepare(threads), flat.prepare(threads)
    return Batch.of(
        hypotheses,
        flat,
        np.asarray(references.offsets),
        references.per_segment,
        segments.is_tokens,
    )
