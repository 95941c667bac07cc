"""ROUGE-1.5.5 as a metric: what `ROUGE.preset("rouge-1.5.5")` returns.

The counting is in `rouge155`; here it becomes statistics that add up, like those of every metric.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from cocarde import tokenizers
from cocarde.core.columns import ColumnOptions
from cocarde.core.diagnostics import Diagnostics
from cocarde.core.options import Key
from cocarde.core.own_metrics import SeveralScores, TextMetric
from cocarde.core.statistics import Floats, Statistics
from cocarde.errors import OptionError
from cocarde.metrics.rouge.aggregation import RougeInterval, check_segment_rows
from cocarde.metrics.rouge.perl.program import (
    NAMED_BY_TYPES,
    Rouge155Options,
    rouge155_averages,
    rouge155_bootstrap,
    rouge155_fields,
    rouge155_rows,
)
from cocarde.metrics.rouge.score import OTHER_NAMES, ROUGEScore, rouge_score

__all__ = ["ROUGE155"]


def _read_formula(text: str) -> dict[str, Any]:
    if text != "rouge-1.5.5":
        raise ValueError("rouge-1.5.5 is needed")
    return {}


@dataclass(frozen=True, kw_only=True)
class ROUGE155(Rouge155Options, TextMetric[ROUGEScore], SeveralScores[ROUGEScore]):
    """ROUGE as the Perl program ROUGE-1.5.5 computes it.

    Parameters
    ----------
    options : Rouge155Options
        The program's options; `ROUGE.preset("rouge-1.5.5", ...)` takes them as keywords.

    Examples
    --------
    >>> from cocarde import ROUGE
    >>> rouge = ROUGE.preset("rouge-1.5.5", orders=(1, 2), stemming=True)
    >>> score = rouge.corpus_score(["police killed the gunman"], ["police kill the gunman"])
    >>> round(score["rouge2"].fmeasure, 3)
    100.0

    References
    ----------
    Lin (2004): ROUGE: a package for automatic evaluation of summaries.
    """

    name: ClassVar[str] = "ROUGE"
    has_intervals: ClassVar[bool] = True

    title: ClassVar[str] = "rouge-1.5.5"
    preset_of: ClassVar[str] = "rouge-1.5.5"
    OTHER_NAMES: ClassVar[Mapping[str, str]] = OTHER_NAMES
    IMPLIED: ClassVar[frozenset[str]] = NAMED_BY_TYPES - {"weight"}

    @property
    def options(self) -> Rouge155Options:
        """The program's options: its own."""
        return self

    formula = Key("formula", lambda *_: "rouge-1.5.5", _read_formula)

    def reproduces(self, *, tokens: bool = False) -> str:
        """Return the version of the program."""
        return "1.5.5"

    @property
    def part_names(self) -> tuple[str, ...]:
        """The types."""
        return self.options.types

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """Names of the statistics: the count of segments, then those of each type."""
        return ("count", *rouge155_fields(self.options))

    @cached_property
    def column_options(self) -> ColumnOptions:
        """How its texts are tokenized; the program's limits are not in them."""
        name = "rouge-1.5.5"
        if self.options.stemming:
            name = "rouge-1.5.5-wordnet" if self.options.exceptions else "rouge-1.5.5-stem"
        return ColumnOptions(tokenizers.get(name))

    def rows(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> Floats:
        """Return the count of segments, then the program's numbers of each type."""
        out = np.ones((len(hypotheses), len(self.fields)))
        out[:, 1:] = rouge155_rows(hypotheses, references, self)
        return out

    @cached_property
    def _diagnostics(self) -> Diagnostics:
        # F, or the matches, is the last of three fields.
        return Diagnostics(
            self.column_options.tokenizer.name,
            fields=tuple(range(3, len(self.fields), 3)),
            matches=True,
        )

    def _remedy(self, kind: str, scripts: Sequence[str]) -> str:
        return (
            "the program knows no others; take another formula, such as ROUGE(tokenize='auto'), or "
            "write words as numbers, as is done for this program"
        )

    def _means(self, values: Floats) -> Floats:
        """Precision, recall and F of each type in the last two axes, from 0 to 1."""
        totals = values[..., 1:]
        if self.options.counting_unit == "segment":
            totals = totals / values[..., :1]
        return rouge155_averages(totals, 1, self.options)

    def part_scores(
        self, statistics: Statistics, *, level: str = "corpus"
    ) -> Mapping[str, npt.NDArray[np.float64]]:
        """Return the F (0 to 100) of each type, of rows over any leading axes."""
        means = 100 * self._means(statistics.values)
        return {name: means[..., index, 2] for index, name in enumerate(self.options.types)}

    def intervals(
        self,
        statistics: Statistics,
        *,
        confidence: float = 95,
        resamples: int = 1000,
        seed: int | None = None,
    ) -> dict[str, RougeInterval]:
        """Return the intervals that the program prints, by type; `mid` is its "Average".

        Parameters
        ----------
        statistics : Statistics, shape (n, k)
            Of `statistics`.
        confidence : float
            Percentage of the resamples inside, from 1 to 100 (``-c``).
        resamples : int
            1 or more (``-r``).
        seed : None
            The program has its own seeds, one a resample.

        Returns
        -------
        dict of str to RougeInterval

        Raises
        ------
        OptionError
            If an option is out of its range, or a seed is given.
        InputError
            If these are not this metric's statistics, one row a segment: sums cannot be resampled.

        Examples
        --------
        >>> from cocarde import ROUGE
        >>> rouge = ROUGE.preset("rouge-1.5.5", rouge_types=["rouge1"])
        >>> rows = rouge.statistics(["a b", "a c", "b"], ["a b", "a b", "a"])
        >>> interval = rouge.intervals(rows)["rouge1"]
        >>> interval.low[2] <= interval.mid[2] <= interval.high[2]
        True
        """
        if seed is not None:
            raise OptionError("ROUGE-1.5.5 has its own seeds; a seed is of the other formulas")
        check_segment_rows(statistics, self.fields)
        found = rouge155_bootstrap(
            statistics.values[:, 1:], self.options, resamples=resamples, confidence=confidence
        )
        ends = [part.tolist() for part in (found.lower, found.mean, found.upper)]
        return {
            name: RougeInterval(*(tuple(part[row]) for part in ends))
            for row, name in enumerate(found.types)
        }

    def _score(self, totals: Statistics, *, level: str) -> ROUGEScore:
        signature = self._signature_text(totals, level)
        means = (100 * self._means(totals.values)).tolist()
        nothing = totals.notes and not any(fmeasure for _, _, fmeasure in means)
        reason = "; ".join(totals.notes if nothing else ("nothing matches",))
        reasons = [f"the score is 0 because {reason}"] * len(means)
        return rouge_score(self.options.types, means, signature, reasons)
