"""Packages with metrics, installed as far as their metadata go; and corpus-fitted metrics for the tests."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from cocarde import BLEU, ColumnMetric, CorpusFitted, SimpleScores, TextMetric
from cocarde.core.options import flag, option, whole
from cocarde.core.score import Score


def install(folder: Path, package: str, entry_points: str) -> None:
    """Lay the metadata of a package where Python looks for them."""
    found = folder / f"{package.replace('-', '_')}-1.0.dist-info"
    found.mkdir()
    (found / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (found / "entry_points.txt").write_text(f"[cocarde.metrics]\n{entry_points}")


@dataclass(frozen=True, kw_only=True)
class WeightedOverlap(CorpusFitted[Score], TextMetric[Score], SimpleScores):
    """F of the words that hypothesis and first reference share, each weighing its idf."""

    name: ClassVar[str] = "weighted-overlap"
    fields: ClassVar[tuple[str, ...]] = ("shared", "hypothesis", "reference")
    lowercase: bool = option(flag(), False, "Whether case does not matter.", key="low")

    def _words(self, text: str) -> Counter[str]:
        return Counter((text.lower() if self.lowercase else text).split())

    def count(self, references: Sequence[Sequence[str]]) -> Mapping[Hashable, int]:
        found: Counter[Hashable] = Counter()
        for group in references:
            found.update({word for text in group for word in self._words(text)})
        return found

    def _weight(self, words: Counter[str]) -> float:
        counts, segments = self.corpus.counts, self.corpus.segments
        return math.fsum(
            count * math.log((1 + segments) / (1 + counts[word])) for word, count in words.items()
        )

    def rows(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> Any:
        found = []
        for text, (other, *_) in zip(hypotheses, references, strict=True):
            ours, theirs = self._words(text), self._words(other)
            found.append([self._weight(ours & theirs), self._weight(ours), self._weight(theirs)])
        return found

    def formula(self, totals: Any, *, level: str) -> Any:
        length = totals[..., 1] + totals[..., 2]
        return 200 * totals[..., 0] / np.where(length > 0, length, 1)


@dataclass(frozen=True, kw_only=True)
class Information(CorpusFitted[Score], ColumnMetric[Score], SimpleScores):
    """NIST's information of the n-grams that occur in the first reference too, by n-gram."""

    name: ClassVar[str] = "information"
    fields: ClassVar[tuple[str, ...]] = ("information", "total")
    order: int = option(whole(1, 9), 2, "The longest n-grams.", key="order")

    @property
    def column_options(self) -> Any:
        return BLEU().column_options

    def _ngrams(self, tokens: Sequence[Any]) -> Counter[Hashable]:
        return Counter(
            tuple(tokens[i : i + n])
            for n in range(1, self.order + 1)
            for i in range(len(tokens) - n + 1)
        )

    def count(self, references: Sequence[Sequence[Sequence[Any]]]) -> Mapping[Hashable, int]:
        found: Counter[Hashable] = Counter()
        for group in references:
            for tokens in group:
                found.update(self._ngrams(tokens))
        return found

    @cached_property
    def _words(self) -> int:
        counts = self.corpus.counts
        return sum(
            counts[ngram] for ngram in counts if isinstance(ngram, tuple) and len(ngram) == 1
        )

    def _information(self, ngram: Any) -> float:
        counts = self.corpus.counts
        before = counts[ngram[:-1]] if len(ngram) > 1 else self._words
        return math.log2(before / counts[ngram])

    def fill(self, hypotheses: Any, references: Any, offsets: Any, out: Any) -> None:
        for index in range(len(hypotheses)):
            ours = self._ngrams(hypotheses.tokens(index))
            theirs = self._ngrams(references.tokens(int(offsets[index])))
            shared = {
                ngram: n for ngram, n in (ours & theirs).items() if ngram in self.corpus.counts
            }
            out[index, 0] = math.fsum(n * self._information(ngram) for ngram, n in shared.items())
            out[index, 1] = ours.total()

    def formula(self, totals: Any, *, level: str) -> Any:
        return totals[..., 0] / np.maximum(totals[..., 1], 1)


ENTRY_POINTS = "".join(
    f"{kind.name} = tests.plugins:{kind.__name__}\n" for kind in (WeightedOverlap, Information)
)
