"""Statistics that are added up batch by batch."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Generic, cast

from cocarde.core.diagnostics import new_messages
from cocarde.core.score import ScoreT
from cocarde.core.statistics import Statistics, require_statistics
from cocarde.errors import InputError, OptionError, warn

if TYPE_CHECKING:
    from cocarde.core.metric import Metric

__all__ = [
    "Accumulator",
]


class Accumulator(Generic[ScoreT]):
    """Adds up statistics batch by batch: training loops, streams, many workers.

    Batches add up to the score of the whole corpus. Where the metric's tokenizer is "auto", the first
    batch of texts picks it, and all later batches are tokenized by the same one. A metric that is fitted on a
    corpus has to be fitted: ``metric.fit(references).accumulator()``.

    Parameters
    ----------
    metric : Metric

    Raises
    ------
    OptionError
        If it is none, or is fitted on a corpus and is not yet.

    Attributes
    ----------
    totals : Statistics or None
        The sum so far; None before the first segment.
    count : int
        Segments so far.

    Examples
    --------
    >>> from cocarde import BLEU
    >>> bleu = BLEU()
    >>> first, second = bleu.accumulator(), bleu.accumulator()
    >>> first.update(["a b c d e"], ["a b c d e"])
    >>> second.update(["a b c x e"], ["a b c d e"])
    >>> first.merge(second)
    >>> first.compute() == bleu.corpus_score(["a b c d e", "a b c x e"], ["a b c d e"] * 2)
    True
    """

    def __init__(self, metric: Metric[ScoreT]) -> None:
        if not hasattr(metric, "fitted_as"):
            raise OptionError(f"an Accumulator needs a Metric, found {metric!r}")
        metric.require_fit("a batch")
        self.metric = metric
        self.totals: Statistics | None = None
        self.count = 0
        self._findings: Counter[str] = Counter()
        self._told: set[str] = set()

    def update(self, hypotheses: Any, references: Any) -> None:
        """Add a batch; arguments and errors are those of `Metric.statistics`.

        What deserves a warning is counted over all batches, and said by `compute`.
        """
        given = self.metric if self.totals is None else self.metric.fitted_as(self.totals)
        metric, segments, read = given._fitted(hypotheses, references)  # noqa: SLF001  (a part of it)
        statistics, findings = metric.observe(metric.batch(segments, read))
        self.add(statistics)
        self._findings.update(findings)

    def add(self, statistics: Statistics) -> None:
        """Add statistics that were computed elsewhere.

        Parameters
        ----------
        statistics : Statistics, shape (n, k) or (k,)
            Rows of segments, or totals (which count as one segment).

        Raises
        ------
        InputError
            If they are another metric's or another fit's, or of another tokenizer.
        """
        require_statistics(statistics)
        if statistics.fields != self.metric.fields:
            raise InputError(
                f"these are not {self.metric.name}'s statistics: {', '.join(statistics.fields)}"
            )
        self.metric._check_fit(statistics)  # noqa: SLF001  (a part of it)
        sums = statistics.sum()
        self.totals = sums if self.totals is None else self.totals + sums
        self.count += len(statistics) if statistics.values.ndim > 1 else 1

    def merge(self, other: Accumulator[ScoreT]) -> None:
        """Add another accumulator of an equal metric.

        Raises
        ------
        InputError
            If the metrics differ, or the tokenizers that "auto" picked: their statistics do not
            add up.
        """
        if not isinstance(other, Accumulator):
            raise InputError(f"an Accumulator is needed, found {type(other).__name__}")
        if other.metric != self.metric:
            if other.totals is not None:
                self.metric._check_fit(other.totals)  # noqa: SLF001  (a part of it)
            raise InputError(f"cannot merge accumulators of {self.metric} and {other.metric}")
        if other.totals is None:
            return
        self.totals = other.totals if self.totals is None else self.totals + other.totals
        self.count += other.count
        self._findings.update(other._findings)

    def compute(self) -> ScoreT:
        """Return the score of all that was added.

        Raises
        ------
        InputError
            If nothing was.
        """
        if self.totals is None:
            raise InputError("the accumulator is empty; update() it first")
        metric = self.metric.fitted_as(self.totals)
        for message in new_messages(metric.messages(self._findings, self.count), self._told):
            warn(message)
        return cast("ScoreT", self.metric.compute(self.totals))

    def reset(self) -> None:
        """Forget all that was added."""
        self.totals = None
        self.count = 0
        self._findings.clear()
        self._told.clear()
