"""What every metric shares: statistics that add up, scores that explain themselves, signatures.

A metric has three things: a configuration, `statistics` (one row of numbers a segment, native and
parallel) and `compute` (the formula from summed rows to a score). Everything else follows from them
and is written here once.
"""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import (
    Callable,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from collections.abc import (
    Set as AbstractSet,
)
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, cast

import numpy as np
import numpy.typing as npt

from cocarde import _native
from cocarde._checks import read_whole_number
from cocarde._threads import get_num_threads
from cocarde.corpus.segments import References, Segments, holds_ids, require_order
from cocarde.errors import InputError, OptionError, warn
from cocarde.metrics.diagnostics import (
    Diagnostics,
    Findings,
    new_messages,
    tokenizers_for,
)
from cocarde.tokenizers.base import Tokenizer, lowercase
from cocarde.tokenizers.sentences import SentenceSplitter

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = [
    "Accumulator",
    "ColumnOptions",
    "Metric",
    "PreparedReferences",
    "Score",
    "Signature",
    "Statistics",
]

Floats = npt.NDArray[np.float64]
Ids = npt.NDArray[np.int64]
ScoreT = TypeVar("ScoreT", bound="Score")
MadeT = TypeVar("MadeT")

# The tokenizer that signatures name for tokens that came as they are.
TOKENS = "none"


def _made(kind: type[MadeT], attributes: dict[str, Any]) -> MadeT:
    """Make a frozen dataclass of its attributes: its constructor takes longer than many a kernel."""
    made = object.__new__(kind)
    made.__dict__.update(attributes)
    return made


# --------------------------------------------------------------------------------------------------
# Signatures


@dataclass(frozen=True)
class Signature:
    """The options and versions behind a score, as ``key:value`` pairs joined by ``|``.

    Attributes
    ----------
    pairs : tuple of (str, str)
        In printing order.

    Examples
    --------
    >>> from cocarde import Signature
    >>> signature = Signature.parse("nrefs:1|case:lc|eff:no|tok:intl|smooth:exp|version:2.6.0")
    >>> signature["tok"]
    'intl'
    >>> str(signature)
    'nrefs:1|case:lc|eff:no|tok:intl|smooth:exp|version:2.6.0'
    """

    pairs: tuple[tuple[str, str], ...]

    @staticmethod
    def parse(text: str) -> Signature:
        """Read a printed signature, sacreBLEU's included.

        Parameters
        ----------
        text : str
            ``key:value`` pairs joined by ``|``; a leading metric name (``BLEU|nrefs:1|…``) is skipped.
            Those of sacreBLEU 1.x (``BLEU+case.mixed+numrefs.1+…``) come with today's keys and values.

        Returns
        -------
        Signature

        Raises
        ------
        OptionError
            If a part is not ``key:value``, or a key stands twice.
        """
        if not isinstance(text, str):
            raise OptionError(f"a signature is a str, found a {type(text).__name__}")
        if "|" not in text and ":" not in text and "+" in text:
            text = _of_today(text)
        parts = text.strip().split("|")
        if len(parts) > 1 and ":" not in parts[0] and parts[0].strip():
            parts = parts[1:]
        pairs: list[tuple[str, str]] = []
        for part in parts:
            key, colon, value = part.partition(":")
            if not colon or not key:
                raise OptionError(
                    f"a signature is key:value pairs joined by '|'; found the part {part!r} in {text!r}"
                )
            if any(key == other for other, _ in pairs):
                raise OptionError(f"the key {key!r} stands twice in the signature {text!r}")
            pairs.append((key, value))
        return Signature(tuple(pairs))

    def __getitem__(self, key: str) -> str:
        return dict(self.pairs)[key]

    def __contains__(self, key: object) -> bool:
        return key in dict(self.pairs)

    def to_dict(self) -> dict[str, str]:
        """Return the pairs as a dictionary."""
        return dict(self.pairs)

    def __str__(self) -> str:
        return "|".join(f"{key}:{value}" for key, value in self.pairs)


# What sacreBLEU 1.x prints, in full and with --short, beside what is printed today.
_OLD_KEYS = {
    "numrefs": "nrefs",
    "numchars": "nc",
    "#": "nrefs",
    "c": "case",
    "l": "lang",
    "s": "smooth",
    "t": "test",
    "v": "version",
    "o": "origlang",
    "S": "subset",
    "n": "nc",
}
# One key holds all options of TER.
_OLD_TER = {
    "norm": "norm:yes",
    "nonorm": "norm:no",
    "punct": "punct:yes",
    "nopunct": "punct:no",
    "asian": "asian:yes",
    "noasian": "asian:no",
    "cased": "case:mixed",
    "uncased": "case:lc",
}


def _of_today(text: str) -> str:
    """Return a signature of sacreBLEU 1.x in the form of today's."""
    first, *rest = text.strip().split("+")
    parts = [first] if "." not in first else [_part_of_today(first, "")]
    return "|".join([*parts, *(_part_of_today(part, first) for part in rest)])


def _part_of_today(part: str, name: str) -> str:
    key, _, value = part.partition(".")
    if key == "s" and name.startswith("chrF"):
        key = "space"
    key = _OLD_KEYS.get(key, key)
    if key == "space":
        value = {"true": "yes", "false": "no"}.get(value.lower(), value)
    if key == "tok" and value.startswith("tercom-"):
        words = value.split("-")[1:]
        return "|".join(["tok:tercom", *(_OLD_TER.get(word, word) for word in words)])
    return f"{key}:{value}" if value else part


# --------------------------------------------------------------------------------------------------
# Statistics


@dataclass(frozen=True, eq=False)
class Statistics:
    """Rows of sufficient statistics with named fields; they add up over segments.

    Attributes
    ----------
    fields : tuple of str, length k
        Names of the columns.
    values : ndarray of float64, shape (k,) or (n, k) or more leading axes
        One row a segment, or one row of totals.
    references_per_segment : int or None
        How many references each segment had; None where that varied.
    last : ndarray of float64, shape (k,), or None
        Of totals: the last segment's row, which one convention (NLTK's smoothing methods 5 to 7 over
        a corpus) reads.
    tokens : bool
        Whether the segments came as tokens, which no tokenizer and no lower-casing touched.
    notes : tuple of str
        What the texts say about a score of 0, such as a script that the tokenizer does not cut.
    tokenizer : str
        What cut the texts; empty where nothing did, or where it is not known. Rows of two tokenizers
        do not add up.

    Examples
    --------
    >>> from cocarde import BLEU
    >>> m = BLEU().statistics(["a b c d", "a b"], ["a b c d", "a c"])
    >>> m["matches_1"]
    array([4., 1.])
    >>> m.sum()["matches_1"]
    5.0
    >>> labels, groups = m.group_sum(["news", "talk"])
    >>> labels, groups["total_1"]
    (['news', 'talk'], array([4., 2.]))
    """

    fields: tuple[str, ...]
    values: Floats
    references_per_segment: int | None = 1
    last: Floats | None = field(default=None, repr=False)
    tokens: bool = False
    notes: tuple[str, ...] = ()
    tokenizer: str = ""

    # An array on the left leaves + to __radd__, instead of adding to values whose names are lost.
    __array_priority__: ClassVar[float] = 1.0

    def __len__(self) -> int:
        return len(self.values)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        return np.array(self.values, dtype=dtype) if copy else np.asarray(self.values, dtype=dtype)

    def __getitem__(self, key: Any) -> Any:
        """Return a named column (str), or the rows that an index, slice or mask selects."""
        if isinstance(key, str):
            if key not in self.fields:
                raise KeyError(f"no field {key!r}; there are {', '.join(self.fields)}")
            column = self.values[..., self.fields.index(key)]
            return float(column) if column.ndim == 0 else column
        return self._with(self.values[key])

    def __iter__(self) -> Iterator[Statistics]:
        return (self._with(row) for row in self.values)

    def __add__(self, other: Statistics) -> Statistics:
        _require_statistics(other)
        self.check_fields(other)
        if self.values.shape != other.values.shape:
            raise InputError(
                f"statistics of shapes {self.values.shape} and {other.values.shape} cannot be added; "
                f"sum() each first, or use Statistics.concatenate"
            )
        return replace(
            self,
            values=self.values + other.values,
            last=self.last if other.last is None else other.last,
            **_common((self, other)),
        )

    def __radd__(self, other: object) -> Statistics:
        # sum() starts from 0.
        if isinstance(other, int) and other == 0:
            return self
        _require_statistics(other)
        return NotImplemented

    def sum(self) -> Statistics:
        """Return the totals over the segments: one row."""
        if self.values.ndim == 1:
            return self
        if len(self.values) == 1 and self.values.ndim == 2:
            alone = self.values[0].copy()  # also the last segment's
            return self._with(alone, alone)
        rows = self.values.reshape(-1, len(self.fields))
        last = rows[-1].copy() if len(rows) else None
        # Three times as fast as sum(axis=0), and unlike a product with ones it starts no BLAS threads,
        # which would go on spinning beside our own.
        return self._with(np.einsum("ij->j", rows), last)

    def group_sum(self, labels: Sequence[Hashable]) -> tuple[list[Any], Statistics]:
        """Return totals for each label: documents, domains, length buckets.

        Parameters
        ----------
        labels : sequence, one for each segment

        Returns
        -------
        labels : list
            The distinct labels in order of first appearance.
        totals : Statistics, shape (len(labels), k)

        Raises
        ------
        InputError
            If there is not one label for each segment.
        """
        given = read_labels(labels, "labels")
        if self.values.ndim != 2 or len(given) != len(self.values):
            raise InputError(f"{len(given)} labels for statistics of shape {self.values.shape}")
        numbers: dict[Hashable, int] = {}
        indices = np.fromiter(
            (numbers.setdefault(x, len(numbers)) for x in given), np.int64, len(given)
        )
        totals = np.zeros((len(numbers), len(self.fields)))
        np.add.at(totals, indices, self.values)
        return list(numbers), self._with(totals)

    @staticmethod
    def concatenate(parts: Sequence[Statistics]) -> Statistics:
        """Return the rows of several matrices as one matrix."""
        if not parts:
            raise InputError("there are no statistics to concatenate")
        for part in parts:
            _require_statistics(part)
            parts[0].check_fields(part)
        values = np.concatenate([part.values for part in parts])
        return replace(parts[0], values=values, last=None, **_common(parts))

    def to_numpy(self) -> Floats:
        """Return the values."""
        return self.values

    def to_dict(self) -> dict[str, Any]:
        """Return the columns as lists (of totals: numbers) by name."""
        return {
            name: self[name] if self.values.ndim == 1 else self[name].tolist()
            for name in self.fields
        }

    def _with(self, values: Floats, last: Floats | None = None) -> Statistics:
        return _made(Statistics, {**self.__dict__, "values": values, "last": last})

    def check_fields(self, other: Statistics) -> None:
        """Raise `InputError` if the other's fields are not these."""
        if self.fields != other.fields:
            raise InputError(f"statistics with different fields: {self.fields} and {other.fields}")


def read_labels(labels: Any, argument: str) -> tuple[Hashable, ...]:
    """Read the label of each segment.

    Raises
    ------
    InputError
        If they have no order, or one of them cannot be a label.
    """
    if not isinstance(labels, Iterable):
        raise InputError(f"{argument} is one label for each segment, found {labels!r}")
    require_order(labels, argument)
    given = tuple(labels)
    try:
        hash(given)
    except TypeError:
        index = next(i for i, label in enumerate(given) if not _is_hashable(label))
        raise InputError(
            f"{argument}[{index}] is {given[index]!r:.60}, which cannot be a label; give a str or a "
            f"number, or a tuple of them"
        ) from None
    return given


def _is_hashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _require_statistics(value: object) -> None:
    if not isinstance(value, Statistics):
        raise InputError(
            f"Statistics are needed, found {type(value).__name__}; those of an array: "
            f"Statistics(metric.fields, array)"
        )


def _common(parts: Sequence[Statistics]) -> dict[str, Any]:
    """Return what is known of several statistics together, beside their values.

    Raises
    ------
    InputError
        If two tokenizers cut their texts.
    """
    tokenizers = sorted({part.tokenizer for part in parts} - {""})
    if len(tokenizers) > 1:
        raise InputError(
            f"statistics of the tokenizers {' and '.join(map(repr, tokenizers))} do not add up; "
            f"where tokenize='auto' picked them, name one tokenizer for all texts, or update() one "
            f"accumulator, which keeps to the pick of its first batch"
        )
    references = {part.references_per_segment for part in parts}
    return {
        "references_per_segment": references.pop() if len(references) == 1 else None,
        "tokens": all(part.tokens for part in parts),
        "notes": tuple(dict.fromkeys(note for part in parts for note in part.notes)),
        "tokenizer": tokenizers[0] if tokenizers else "",
    }


# --------------------------------------------------------------------------------------------------
# Scores


@dataclass(frozen=True, kw_only=True)
class Score:
    """A score with what it was made of.

    Attributes
    ----------
    name : str
        The metric.
    score : float
        From 0 to 100 (error rates may exceed 100).
    signature : str
        The options and versions behind it; see `Signature`.
    warnings : tuple of str
        What a careful reader should know, such as why the score is 0.

    Notes
    -----
    ``<``, ``<=``, ``>``, ``>=``, sorting and ``round`` go by the number, and take other scores and plain
    numbers alike. ``==`` compares every attribute, so that it holds only for scores of the same texts and
    options, and never for a plain number: two numbers are compared with ``float(score) == other``.

    Examples
    --------
    >>> from cocarde import CHRF
    >>> chrf = CHRF()
    >>> scores = [chrf.sentence_score(text, "the cat sat") for text in ("a cat sits", "the cat sat")]
    >>> scores[0] > 20, round(scores[0], 1), max(scores).score
    (True, 25.6, 100.0)
    """

    name: str
    score: float
    signature: str = ""
    warnings: tuple[str, ...] = ()

    @classmethod
    def _of(cls, **attributes: Any) -> Self:
        """Make a score as the constructor does, sooner; attributes that are not given are the defaults."""
        made = object.__new__(cls)
        made.__dict__.update(attributes)
        return made

    @property
    def fraction(self) -> float:
        """The score on the scale from 0 to 1."""
        return self.score / 100

    def __float__(self) -> float:
        return self.score

    def __round__(self, digits: int | None = None) -> float:
        return round(float(self), digits)

    def __lt__(self, other: object) -> bool:
        return self._ordered(other, operator.lt)

    def __le__(self, other: object) -> bool:
        return self._ordered(other, operator.le)

    def __gt__(self, other: object) -> bool:
        return self._ordered(other, operator.gt)

    def __ge__(self, other: object) -> bool:
        return self._ordered(other, operator.ge)

    def _ordered(self, other: object, compare: Callable[[Any, Any], bool]) -> bool:
        if not isinstance(other, (Score, Real)):
            return cast("bool", NotImplemented)
        return compare(float(self), other if isinstance(other, Real) else float(other))

    def parts(self) -> Mapping[str, Score]:
        """Return the scores that it holds, by name: its own alone, where it is one score.

        A metric of several scores, such as ROUGE with its types, has one for each.
        """
        return {self.name: self}

    def details(self) -> str:
        """Return what stands behind the number in the printed line; empty where there is nothing."""
        return ""

    def report(self) -> str:
        """Return all numbers on several lines, for metrics whose reference program prints such a report."""
        return ""

    def format(self, width: int = 2) -> str:
        """Return the printed line with `width` digits after the point.

        Parameters
        ----------
        width : int
            0 or more.

        Returns
        -------
        str

        Raises
        ------
        OptionError
            If `width` is no such number.
        """
        width = read_whole_number("width", width, 0)
        details = self.details()
        return f"{self.name} = {self.score:.{width}f}" + (f" {details}" if details else "")

    def __str__(self) -> str:
        return self.format()

    def __format__(self, specification: str) -> str:
        """Format the number as a float where there is something to go by: ``f"{score:.2f}"``."""
        return format(self.score, specification) if specification else str(self)

    def to_dict(self) -> dict[str, Any]:
        """Return every attribute by name, ready for JSON."""
        values = {item.name: getattr(self, item.name) for item in fields(self)}
        return {
            key: list(value) if isinstance(value, tuple) else value for key, value in values.items()
        }

    def _repr_html_(self) -> str:
        from cocarde._display import escape_html

        rows = "".join(
            f"<tr><th style='text-align:left'>{escape_html(key)}</th>"
            f"<td>{escape_html(_shown(value))}</td></tr>"
            for key, value in self.to_dict().items()
        )
        return f"<table>{rows}</table>"

    def __rich__(self) -> Any:
        from rich.table import Table

        table = Table(title=self.format(), show_header=False, title_justify="left")
        for key, value in self.to_dict().items():
            table.add_row(key, _shown(value))
        return table


def _shown(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list):
        return ", ".join(map(_shown, value))
    return str(value)


# --------------------------------------------------------------------------------------------------
# Columns


@dataclass(frozen=True)
class ColumnOptions:
    """How segments become native tokens; metrics with equal options can share columns.

    Attributes
    ----------
    tokenizer : Tokenizer
        Cuts texts; token input skips it.
    lowercase : bool
        In the way of the tokenizer's peer.
    strip_right : bool
        Whether trailing white space goes before the tokenizer sees the text.
    lowercase_tokens : bool
        Whether lower-casing comes after the tokenizer instead of before it.
    ignore_ids : frozenset of int
        Integer tokens that are dropped, such as padding.
    vocabulary : tuple of str or None
        The word behind each id.
    sentences : SentenceSplitter or None
        Where texts are cut into sentences; marks between tokens tell kernels where they end. A token
        sequence is one sentence.
    reference_tokenizer : Tokenizer or None
        Cuts references, where a convention treats them otherwise than hypotheses.
    """

    tokenizer: Tokenizer
    lowercase: bool = False
    strip_right: bool = False
    lowercase_tokens: bool = False
    ignore_ids: frozenset[int] = frozenset()
    vocabulary: tuple[str, ...] | None = None
    sentences: SentenceSplitter | None = None
    reference_tokenizer: Tokenizer | None = None

    @cached_property
    def of_references(self) -> ColumnOptions:
        """The same for references."""
        if self.reference_tokenizer is None:
            return self
        return replace(self, tokenizer=self.reference_tokenizer, reference_tokenizer=None)

    def differences(self, other: ColumnOptions) -> str:
        """Say in which options this differs from another one, for messages."""
        found = []
        for item in fields(self):
            mine, theirs = getattr(self, item.name), getattr(other, item.name)
            if mine != theirs:
                here, there = (getattr(value, "name", value) for value in (mine, theirs))
                found.append(f"{item.name} {here!r} instead of {there!r}")
        return ", ".join(found)

    def column(self, segments: Segments) -> _native.Column:
        """Make the native column of these segments.

        Raises
        ------
        InputError
            If a segment or token has the wrong type; the message names its index.
        """
        try:
            if self.sentences is not None and not segments.is_tokens:
                return self._sentence_column(segments, self.sentences)
            if segments.kind == "text":
                return self._text_column(segments)
            if segments.kind == "block":
                return self._block_column(segments)
            if segments.kind == "ids" or self.ignore_ids or self.vocabulary is not None:
                return self._id_column(segments)
            return _native.Column.of_tokens(segments.items or [])
        except TypeError as error:
            raise InputError(f"{segments.argument}: {error}") from None

    @cached_property
    def _native_options(self) -> tuple[str, str, bool] | None:
        """Name, lower-casing and stripping for the native column; None where Python has to cut."""
        tokenizer = self.tokenizer
        if tokenizer.native is None or (self.lowercase and self.lowercase_tokens):
            return None
        if not self.lowercase:
            return tokenizer.native, "no", self.strip_right
        if tokenizer.native_lowercase is not None:
            return tokenizer.native_lowercase, "no", self.strip_right
        return tokenizer.native, tokenizer.lowercase_mode, self.strip_right

    @cached_property
    def _plain(self) -> ColumnOptions:
        """The same without sentences."""
        return replace(self, sentences=None)

    def column_of(self, texts: list[str], argument: str) -> _native.Column:
        """Make the native column of what is known to be `str`."""
        native = self._native_options
        if self.sentences is None and native is not None and native[1] != "simple":
            return _native.Column.of_texts(texts, *native)
        return self.column(Segments("text", len(texts), argument, texts))

    def _text_column(self, segments: Segments) -> _native.Column:
        texts = segments.items or []
        native = self._native_options
        if native is not None and native[1] != "simple":
            return _native.Column.of_texts(texts, *native)
        for index, text in enumerate(texts):
            if not isinstance(text, str):
                raise InputError(
                    f"{segments.argument}: segment {index} is of type {type(text).__name__}, "
                    f"not str"
                )
        if native is not None:
            lowered = [lowercase(text, "simple") for text in texts]
            return _native.Column.of_texts(lowered, native[0], "no", self.strip_right)
        column = _native.Column.of_tokens([self.tokens(text) for text in texts])
        # What the texts were like is asked later.
        column.keep_texts_of(_native.Column.of_texts(texts, "whole", "no", False))
        return column

    def _sentence_column(self, segments: Segments, splitter: SentenceSplitter) -> _native.Column:
        """Make a column with marks between sentences."""
        plain = self._plain
        native = self._native_options
        if splitter.native_end is not None and native is not None:
            # Cutting the text first changes no token of theirs.
            same = splitter.native_end == "\n" and self.tokenizer.name in _CUT_AT_LINE_FEEDS
            if splitter.joined or same:
                column = plain.column(segments)
                return column.with_sentences(splitter.native_end, splitter.keep_blank)
        if segments.kind == "block":
            lines = [_native.split_lines(block) for block in segments.blocks]
            texts = [line for together in zip(*lines, strict=True) for line in together]
            segments = Segments.of_items("text", texts, segments.argument)
        whole = None if splitter.joined else plain.column(segments)
        parts = []
        for index, text in enumerate(segments.items or []):
            if not isinstance(text, str):
                raise TypeError(f"segment {index} is of type {type(text).__name__}, not str")
            parts.append(splitter(text))
        offsets = np.zeros(len(parts) + 1, dtype=np.int64)
        np.cumsum([len(part) for part in parts], out=offsets[1:])
        flat = Segments.of_items("text", [x for part in parts for x in part], segments.argument)
        # What the texts were like is asked later.
        uncut = plain.column(segments) if whole is None else whole
        return _native.join_sentences(
            plain.column(flat), offsets, whole, uncut, splitter.keep_blank, get_num_threads()
        )

    def _block_column(self, segments: Segments) -> _native.Column:
        native = self._native_options
        if native is not None and native[1] != "simple":
            return _native.Column.of_lines(list(segments.blocks), *native)
        lines = [_native.split_lines(block) for block in segments.blocks]
        texts = [line for together in zip(*lines, strict=True) for line in together]
        return self._text_column(Segments.of_items("text", texts, segments.argument))

    def tokens(self, text: str) -> list[str]:
        """Return the tokens of one text, as the metric sees them."""
        native = self._native_options
        if native is not None and native[1] == "no":
            return _native.tokenize(native[0], text.rstrip() if self.strip_right else text)
        if self.lowercase and not self.lowercase_tokens:
            text = lowercase(text, self.tokenizer.lowercase_mode)
        tokens = self.tokenizer(text.rstrip() if self.strip_right else text)
        if self.lowercase and self.lowercase_tokens:
            # Lower-casing looks at neighbours: it is the whole line that goes through it.
            return lowercase(" ".join(tokens), self.tokenizer.lowercase_mode).split()
        return tokens

    def _id_column(self, segments: Segments) -> _native.Column:
        """Make a column of ids, or of tokens where words are dropped or looked up."""
        if segments.kind == "tokens":
            return _native.Column.of_tokens(self._kept_tokens(segments))
        assert segments.values is not None and segments.offsets is not None
        values, offsets = segments.values, segments.offsets
        if self.vocabulary is not None:
            self._check_ids(values, offsets, segments.argument)
        if self.ignore_ids:
            ignored = np.fromiter(self.ignore_ids, np.int64, len(self.ignore_ids))
            keep = ~np.isin(values, ignored)
            kept_before = np.zeros(len(values) + 1, dtype=np.int64)
            np.cumsum(keep, out=kept_before[1:])
            values, offsets = values[keep], kept_before[offsets]
        return _native.Column.of_ids(
            np.ascontiguousarray(values), np.ascontiguousarray(offsets), list(self.vocabulary or ())
        )

    def _check_ids(self, values: Ids, offsets: Ids, argument: str) -> None:
        assert self.vocabulary is not None
        outside = np.flatnonzero((values < 0) | (values >= len(self.vocabulary)))
        if len(outside):
            position = int(outside[0])
            segment = int(np.searchsorted(offsets, position, side="right")) - 1
            self._refuse_id(
                argument, segment, position - int(offsets[segment]), int(values[position])
            )

    def _refuse_id(self, argument: str, segment: int, position: int, number: int) -> None:
        raise InputError(
            f"{argument}: token {position} of segment {segment} is the id {number}, outside the "
            f"vocabulary of {len(self.vocabulary or ())}"
        )

    def _kept_tokens(self, segments: Segments) -> list[list[Any]]:
        """Drop ignored ids (or, with a vocabulary, their words), and put words for ids."""
        words = self.vocabulary
        ignored_words = (
            {words[number] for number in self.ignore_ids} if words is not None else set()
        )
        kept: list[list[Any]] = []
        for index, sequence in enumerate(segments.items or ()):
            row: list[Any] = []
            for position, token in enumerate(sequence):
                if isinstance(token, str):
                    if words is None:
                        raise InputError(
                            f"{segments.argument}: token {position} of segment {index} is a str; "
                            f"ignore_ids works on ids: give ids, or a vocabulary="
                        )
                    if token not in ignored_words:
                        row.append(token)
                    continue
                if token in self.ignore_ids:
                    continue
                if words is not None and hasattr(token, "__index__"):
                    number = token.__index__()
                    if not 0 <= number < len(words):
                        self._refuse_id(segments.argument, index, position, number)
                    token = words[number]
                row.append(token)
            kept.append(row)
        return kept


# Tokenizers to which a line feed is a blank like any other, whatever stands around it.
_CUT_AT_LINE_FEEDS = frozenset({"rouge", "rouge-stem", "none", "char"})


def read_vocabulary(vocabulary: object) -> tuple[str, ...]:
    """Read `vocabulary`: the word behind each id, in the order of the ids.

    Raises
    ------
    OptionError
        If it is a mapping, or holds something that is not a str.
    """
    if isinstance(vocabulary, (str, bytes, Mapping, AbstractSet)) or not isinstance(
        vocabulary, Iterable
    ):
        raise OptionError(
            f"vocabulary must be a list of words in the order of their ids, found a "
            f"{type(vocabulary).__name__}; of a dictionary of ids: sorted(ids, key=ids.get)"
        )
    words = tuple(vocabulary)
    for number, word in enumerate(words):
        if not isinstance(word, str):
            raise OptionError(f"vocabulary[{number}] is {word!r}, not a str")
    return words


def resolve_ignored(
    ignore_ids: Iterable[int] | Callable[[str], bool], vocabulary: Sequence[str] | None
) -> frozenset[int]:
    """Read `ignore_ids`: ids, or a predicate on the words of the vocabulary.

    Raises
    ------
    OptionError
        If it is a predicate without a vocabulary, or holds something that is not an int.
    """
    if callable(ignore_ids):
        if vocabulary is None:
            raise OptionError(
                "ignore_ids as a predicate needs vocabulary=, the word behind each id"
            )
        return frozenset(number for number, word in enumerate(vocabulary) if ignore_ids(word))
    if not isinstance(ignore_ids, Iterable):
        raise OptionError(
            f"ignore_ids is a collection of ids or a predicate on words, found {ignore_ids!r}"
        )
    ids = []
    for item in ignore_ids:
        index = getattr(item, "__index__", None)
        if index is None or isinstance(item, bool):
            raise OptionError(
                f"ignore_ids holds {item!r}; it takes ids (int) or a predicate on words"
            )
        ids.append(int(index()))
    outside = [
        number for number in ids if vocabulary is not None and not 0 <= number < len(vocabulary)
    ]
    if outside and vocabulary is not None:
        raise OptionError(
            f"ignore_ids holds {outside[0]}, outside the vocabulary of {len(vocabulary)}"
        )
    return frozenset(ids)


@dataclass(frozen=True, eq=False)
class PreparedReferences:
    """References whose tokens are cut once, for many systems or epochs; see `Metric.prepare`.

    Attributes
    ----------
    references_per_segment : int or None
        None where it varies.
    """

    column: _native.Column
    offsets: npt.NDArray[np.int64]
    options: ColumnOptions
    kind: str
    references_per_segment: int | None

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __copy__(self) -> PreparedReferences:
        return self

    def __deepcopy__(self, _: Any) -> PreparedReferences:
        return self  # nothing changes it

    def __reduce__(self) -> Any:
        raise InputError(
            "prepared references are tied to the memory of their process and cannot be pickled; send "
            "the references themselves and prepare() them there"
        )


def refuse_prepared(references: object, where: str) -> None:
    if isinstance(references, PreparedReferences):
        raise InputError(
            f"{where} takes no prepared references, but the references themselves; prepared ones are "
            f"for corpus_score, segment_scores, statistics, accumulators and compare"
        )


@dataclass(frozen=True, eq=False)
class Batch:
    """Hypotheses and references as native columns."""

    hypotheses: _native.Column
    references: _native.Column
    offsets: npt.NDArray[np.int64]
    references_per_segment: int | None
    tokens: bool = False
    """Whether the segments came as tokens."""

    def __len__(self) -> int:
        return len(self.hypotheses)

    @staticmethod
    def of(
        hypotheses: _native.Column,
        references: _native.Column,
        offsets: npt.NDArray[np.int64],
        references_per_segment: int | None,
        tokens: bool,
    ) -> Batch:
        """Make a batch.

        Raises
        ------
        InputError
            If a segment compares words with ids.
        """
        if tokens:
            _refuse_words_beside_ids(hypotheses, references, offsets)
        return Batch(hypotheses, references, offsets, references_per_segment, tokens)


def _refuse_words_beside_ids(
    hypotheses: _native.Column,
    references: _native.Column,
    offsets: npt.NDArray[np.int64] | None = None,
) -> None:
    """Refuse words where the other side has ids, which never match; without offsets, in any pair."""
    found = _native.find_words_beside_ids(hypotheses, references, offsets)
    if found is None:
        return
    segment, reference = found
    first, other = hypotheses.tokens(segment)[0], references.tokens(reference)[0]
    number = reference if offsets is None else reference - int(offsets[segment])
    place = f"references[{number if offsets is None else segment}]"
    if offsets is not None and offsets[segment + 1] - offsets[segment] > 1:
        place += f"[{number}]"
    kinds = ("words", "ids") if isinstance(first, str) else ("ids", "words")
    raise InputError(
        f"hypotheses[{segment}] holds {kinds[0]} ({first!r}) but {place} holds {kinds[1]} ({other!r}), "
        f"so that nothing can match; give words or ids on both sides, or vocabulary=, the word behind "
        f"each id"
    )


# --------------------------------------------------------------------------------------------------
# Metrics


class Metric(ABC, Generic[ScoreT]):
    """Base of the metrics: immutable values, safe to share between threads and processes.

    A metric defines `name`, `fields`, `column_options`, `signature_for`, `_fill` and `_evaluate`;
    what a user calls is written here.
    """

    name: ClassVar[str]
    reads_texts: ClassVar[bool] = False
    """Whether it cuts texts by itself, so that no columns are made for it."""
    decodes_entities: ClassVar[bool] = False
    """Whether its tokenizers decode the entities of SGML, as NIST's scripts do."""
    has_intervals: ClassVar[bool] = False
    """Whether its convention has bootstrap intervals of its own; see `intervals`."""
    has_report: ClassVar[bool] = False
    """Whether its scores have a `report`."""
    higher_is_better: ClassVar[bool | None] = True
    """Whether a higher score is a better one; of error rates it is not, and None where neither is."""

    # -- what a metric defines

    @property
    @abstractmethod
    def fields(self) -> tuple[str, ...]:
        """Names of the statistics of a segment."""

    @property
    @abstractmethod
    def column_options(self) -> ColumnOptions:
        """How its segments become tokens."""

    @abstractmethod
    def signature_for(
        self, references_per_segment: int | None, *, level: str = "corpus", tokens: bool = False
    ) -> Signature:
        """Return the signature of a score at this level with so many references.

        Tokens are neither cut nor lower-cased: theirs says so, whatever the options are for texts.
        """

    @abstractmethod
    def _fill(self, batch: Batch, out: Floats) -> None:
        """Write one row a hypothesis into `out`."""

    @abstractmethod
    def _fill_pairs(
        self,
        hypotheses: _native.Column,
        first: int,
        last: int,
        references: _native.Column,
        out: Floats,
    ) -> Counter[str] | None:
        """Write rows for hypotheses [first, last) against every single reference into `out`.

        What deserves a warning is returned as by `observe`, where there is anything.
        """

    @abstractmethod
    def _evaluate(self, values: Floats, *, level: str, last: Floats | None = None) -> Floats:
        """Return scores (0 to 100) of rows over any leading axes."""

    @abstractmethod
    def _score(self, totals: Statistics, *, level: str) -> ScoreT:
        """Return the `Score` of one row of totals."""

    @property
    def part_names(self) -> tuple[str, ...]:
        """Names of the scores that it gives; one alone is its own."""
        return (self.name,)

    def part_scores(self, statistics: Statistics, *, level: str = "corpus") -> Mapping[str, Floats]:
        """Return the scores (0 to 100) of rows over any leading axes, by `part_names`."""
        scores = self._evaluate(statistics.values, level=level, last=statistics.last)
        return {self.name: scores}

    @property
    def asks_references(self) -> bool:
        """Whether an option is settled by the references; see `settled`."""
        return False

    def settled(self, references: References | PreparedReferences) -> Metric[ScoreT]:
        """Return the metric that scores these references: itself, unless it `asks_references`."""
        return self

    def settled_as(self, statistics: Statistics) -> Metric[ScoreT]:
        """Return the metric as it was settled when it made these statistics; see `settled`."""
        return self

    @classmethod
    def options_class(cls, preset: str | None = None) -> type:
        """Return the class whose keywords are the options of a preset: as a rule the metric's own."""
        return cls

    @classmethod
    def score_options(cls) -> Mapping[str, tuple[str | None, Mapping[str, Any]]]:
        """Return the scores that are asked for by name: the preset and the options that give each."""
        return {}

    def intervals(
        self,
        statistics: Statistics,
        *,
        confidence: float = 95,
        resamples: int = 1000,
        seed: int | None = None,
    ) -> Mapping[str, Any]:
        """Return the bootstrap interval of each part that the metric's convention has of its own.

        Raises
        ------
        OptionError
            If it has none.
        """
        raise OptionError(f"{self.name} has no interval of its own; ROUGE has")

    # -- what metrics of tokens share: the options `ignore_ids` and `vocabulary`

    def _set(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    def _settle_token_options(self) -> None:
        """Bring both options to one form, and `_ignored` to what is dropped."""
        given: Any = self
        if given.vocabulary is not None:
            self._set("vocabulary", read_vocabulary(given.vocabulary))
        self._set("_ignored", resolve_ignored(given.ignore_ids, given.vocabulary))
        self._set("ignore_ids", given._ignored)  # noqa: SLF001

    def _token_option_pairs(self) -> list[tuple[str, str]]:
        """Return what a signature says of both options."""
        given: Any = self
        pairs = []
        if given.ignore_ids:
            pairs.append(("ignore", ",".join(map(str, sorted(given.ignore_ids)))))
        if given.vocabulary is not None:
            pairs.append(("vocabulary", str(len(given.vocabulary))))
        return pairs

    def with_options(self, **changes: Any) -> Self:
        """Return the same metric with some options changed.

        Raises
        ------
        OptionError
            As the constructor.
        """
        return cast("Self", replace(cast("Any", self), **changes))

    def signature_of(self, statistics: Statistics, *, level: str = "corpus") -> Signature:
        """Return the signature of the score of these statistics: of tokens, what applies to them."""
        return self.signature_for(
            statistics.references_per_segment, level=level, tokens=statistics.tokens
        )

    @cached_property
    def _signature_texts(self) -> dict[tuple[object, ...], str]:
        return {}

    def _signature_text(self, statistics: Statistics, level: str) -> str:
        """Return `signature_of` these statistics as text, made once for all that have it."""
        key = (
            statistics.references_per_segment,
            level,
            statistics.tokens,
            statistics.tokenizer,
        )
        known = self._signature_texts
        if key not in known:
            known[key] = str(self.signature_of(statistics, level=level))
        return known[key]

    # -- what a user calls

    @property
    def signature(self) -> str:
        """The signature, with one reference a segment assumed; a score's own has the true number."""
        return str(self.signature_for(1))

    def statistics(self, hypotheses: Any, references: Any) -> Statistics:
        """Return the sufficient statistics of each segment.

        Parameters
        ----------
        hypotheses : sequence of str, or of token sequences, or an integer matrix, or (values, offsets)
            n segments. Token sequences (str or int) skip the tokenizer; ``(values, offsets)`` is a
            whole ragged batch of ids.
        references : sequence, References or PreparedReferences
            One entry for each hypothesis: a str is one reference, a list of str any number, None
            inside is a missing one and "" a real empty one. With token hypotheses a list of tokens
            is one reference and a list of lists several.

        Returns
        -------
        Statistics, shape (n, k)

        Raises
        ------
        InputError
            If there is no segment, counts differ, the references look transposed, a segment has no
            reference, or texts and tokens are mixed.
        """
        metric, segments, read = self._settled(hypotheses, references)
        return metric.statistics_of(metric.batch(segments, read))

    def corpus_score(self, hypotheses: Any, references: Any) -> ScoreT:
        """Return the score of a corpus: the formula of the summed statistics.

        Parameters and errors are those of `statistics`.
        """
        metric, segments, read = self._settled(hypotheses, references)
        totals = metric.statistics(segments, read).sum()
        return metric._score(totals, level="corpus")  # noqa: SLF001  (a Metric too)

    def sentence_score(self, hypothesis: Any, references: Any) -> ScoreT:
        """Return the score of one segment.

        Parameters
        ----------
        hypothesis : str or sequence of tokens
        references : str, sequence of str, or (for tokens) a sequence of tokens or of token sequences

        Returns
        -------
        Score

        Raises
        ------
        InputError
            As `statistics`.
        """
        if self.asks_references:
            metric, segments, read = self._settled([hypothesis], [references])
            batch = metric.batch(segments, read)
        else:
            metric, batch = self, self._batch_of_one(hypothesis, references)
        totals = metric.statistics_of(batch).sum()
        return metric._score(totals, level="segment")

    def segment_scores(self, hypotheses: Any, references: Any) -> Floats:
        """Return the score of each segment.

        Parameters and errors are those of `statistics`.

        Returns
        -------
        ndarray of float64, shape (n,)
            Each from 0 to 100.
        """
        metric, segments, read = self._settled(hypotheses, references)
        values = metric.statistics(segments, read).values
        if len(values) == 1:  # one row is sooner evaluated as such
            return np.reshape(metric._evaluate(values[0], level="segment"), 1)  # noqa: SLF001
        return np.asarray(metric._evaluate(values, level="segment"))  # noqa: SLF001  (a Metric too)

    def compute(self, statistics: Statistics | npt.ArrayLike, *, level: str = "corpus") -> Any:
        """Apply the formula to summed statistics.

        Parameters
        ----------
        statistics : Statistics or array_like, shape (k,) or (..., k)
            Totals with this metric's fields.
        level : {"corpus", "segment"}
            "segment" where each row is one segment and the convention treats those differently.

        Returns
        -------
        Score, or ndarray of float64, shape (...)
            A `Score` for one row; for more axes the scores from 0 to 100.

        Raises
        ------
        InputError
            If the number of fields is not this metric's, or a number is negative, not finite, or
            larger than another one allows.
        """
        if level not in ("corpus", "segment"):
            raise OptionError(f"level must be 'corpus' or 'segment', found {level!r}")
        if not isinstance(statistics, Statistics):
            try:
                values = np.asarray(statistics, dtype=np.float64)
            except (TypeError, ValueError):
                raise InputError(
                    f"statistics are numbers in rows of one length; found {statistics!r:.60}"
                ) from None
            statistics = Statistics(self.fields, values)
        if statistics.values.ndim == 0 or statistics.values.shape[-1] != len(self.fields):
            raise InputError(
                f"{self.name} has {len(self.fields)} statistics ({', '.join(self.fields)}); found an "
                f"array of shape {statistics.values.shape}"
            )
        if statistics.fields != self.fields:
            raise InputError(
                f"these are not {self.name}'s statistics: {', '.join(statistics.fields)}"
            )
        self._check_values(statistics.values)
        if statistics.values.ndim == 1:
            return self._score(statistics, level=level)
        return self._evaluate(statistics.values, level=level)

    def _check_values(self, values: Floats) -> None:
        """Refuse what no segments can have."""
        # Two passes, and no memory: these may be the rows of many resamples. NaN spoils both.
        if values.size and not (values.min() >= 0 and values.max() < np.inf):
            self._refuse(values, ~((values >= 0) & (values < np.inf)), "is no count or length")

    def _refuse(self, values: Floats, wrong: npt.NDArray[np.bool_], fault: str) -> None:
        place = tuple(map(int, np.argwhere(wrong)[0]))
        where = f" of row {', '.join(map(str, place[:-1]))}" if len(place) > 1 else ""
        name = self.fields[place[-1]]
        raise InputError(f"{name}{where} is {float(values[place])!r}, which {fault}")

    def pairwise(self, hypotheses: Any, references: Any) -> Floats:
        """Score every hypothesis against every single reference.

        For minimum-Bayes-risk decoding and for measuring diversity.

        Parameters
        ----------
        hypotheses : n segments, of any shape that `statistics` takes
        references : m segments, of any shape that `statistics` takes for hypotheses

        Returns
        -------
        ndarray of float64, shape (n, m)
            Segment scores from 0 to 100.

        Raises
        ------
        InputError
            As `statistics`.
        """
        refuse_prepared(references, "pairwise")
        left = Segments.coerce(hypotheses)
        right = Segments.coerce(references, "references")
        if len(left) and len(right) and left.is_tokens != right.is_tokens:
            kinds = [
                "sequences of tokens" if segments.is_tokens else "texts"
                for segments in (left, right)
            ]
            raise InputError(
                f"hypotheses are {kinds[0]} but references are {kinds[1]}; `pairwise` takes single "
                f"references, in one flat sequence of the same kind as the hypotheses"
            )
        for segments in (left, right):
            self._check_count(segments)
        if self.asks_references:
            return self.settled(_one_each(right)).pairwise(left, right)
        threads = get_num_threads()
        options = self.column_options
        rows = options.column(left).prepare(threads)
        columns = options.of_references.column(right).prepare(threads)
        if left.is_tokens:
            _refuse_words_beside_ids(rows, columns)
        n, m, k = len(rows), len(columns), len(self.fields)
        scores = np.empty((n, m))
        oddities: Counter[str] = Counter()
        step = max(1, _PAIRWISE_VALUES // (m * k))
        for first in range(0, n, step):
            last = min(n, first + step)
            values = np.empty((last - first, m, k))
            oddities.update(self._fill_pairs(rows, first, last, columns, values) or ())
            scores[first:last] = self._evaluate(values, level="segment")
        if oddities:
            self.report(oddities, n * m)
        return scores

    def prepare(self, references: Any, *, kind: str = "text") -> PreparedReferences:
        """Cut references into tokens once, to score many systems against them.

        Parameters
        ----------
        references : as in `statistics`
        kind : {"text", "tokens"}
            What the hypotheses will be, since they decide how lists inside `references` are read.

        Returns
        -------
        PreparedReferences
            Takes the place of `references` in `corpus_score`, `segment_scores`, `statistics`, an
            accumulator and `cocarde.compare`, for metrics with the same tokenisation.

        Raises
        ------
        InputError, OptionError
        """
        if kind not in ("text", "tokens"):
            raise OptionError(f"kind must be 'text' or 'tokens', found {kind!r}")
        refuse_prepared(references, "prepare")
        if not isinstance(references, References):
            if not hasattr(references, "__len__"):
                if not isinstance(references, Iterable):
                    raise InputError(
                        f"references must be a sequence, found {type(references).__name__}"
                    )
                references = list(references)
            if kind == "text" and holds_ids(references):
                raise InputError(
                    "references holds ids, but was to be prepared for hypotheses that are texts; for "
                    "tokens or ids say prepare(references, kind='tokens')"
                )
            count = len(references)
            if kind == "tokens" and isinstance(references, tuple) and count == 2:
                count = len(Segments.coerce(references, "references"))
            probe = Segments("text" if kind == "text" else "tokens", count, "hypotheses")
            references = References.coerce(references, probe)
        if len(references) == 0:
            raise InputError("references has no segments; there is nothing to score")
        if self.asks_references:
            return self.settled(references).prepare(references, kind=kind)
        column = self.column_options.of_references.column(references.segments)
        column = column.prepare(get_num_threads())
        return PreparedReferences(
            column, references.offsets, self.column_options, kind, references.per_segment
        )

    def accumulator(self) -> Accumulator[ScoreT]:
        """Return an empty `Accumulator` of this metric's statistics."""
        return Accumulator(self)

    def batch(self, hypotheses: Any, references: Any) -> Batch:
        """Make the native columns of hypotheses and references.

        Parameters and errors are those of `statistics`.
        """
        segments = Segments.coerce(hypotheses)
        self._check_count(segments)
        options = self.column_options
        if isinstance(references, PreparedReferences):
            self._check_prepared(references, segments)
            column, offsets = references.column, references.offsets
            per_segment = references.references_per_segment
        else:
            read = References.coerce(references, segments)
            column = options.of_references.column(read.segments)
            offsets, per_segment = read.offsets, read.per_segment
        return Batch.of(options.column(segments), column, offsets, per_segment, segments.is_tokens)

    def _batch_of_one(self, hypothesis: Any, references: Any) -> Batch:
        """Make the native columns of one segment.

        As `batch` does, and sooner where it is a `str` with a `str` or a list of them: then there is
        nothing to find out.
        """
        if type(hypothesis) is str:
            if type(references) is str:
                references = [references]
            if type(references) is list and set(map(type, references)) == _ONLY_TEXTS:
                count = len(references)
                options = self.column_options
                return Batch(
                    options.column_of([hypothesis], "hypotheses"),
                    options.of_references.column_of(references, "references"),
                    np.array((0, count), np.int64),
                    count,
                )
        refuse_prepared(references, "sentence_score")
        return self.batch([hypothesis], [references])

    def statistics_of(self, batch: Batch) -> Statistics:
        """Return the statistics of a batch of columns made with this metric's `column_options`."""
        statistics, findings = self.observe(batch)
        self.report(findings, len(statistics))
        return statistics

    def observe(self, batch: Batch) -> tuple[Statistics, Findings]:
        """Return the statistics of a batch, and how often what deserves a warning was found.

        The counts add up like the statistics: whoever reads a corpus in pieces gives their sum to
        `report` once, at the end.
        """
        values = np.empty((len(batch), len(self.fields)))
        self._fill(batch, values)
        findings = self._look(batch, values)
        return self._rows(batch, values, findings), findings

    def _rows(self, batch: Batch, values: Floats, findings: Findings) -> Statistics:
        """Give the rows of a batch their names."""
        # Metrics that cut texts by themselves take no tokens.
        tokens = not self.reads_texts and batch.tokens
        notes: tuple[str, ...] = ()
        if findings:
            notes = self._diagnostics.notes(findings, len(values), self._remedy)
        return _made(
            Statistics,
            {
                "fields": self.fields,
                "values": values,
                "references_per_segment": batch.references_per_segment,
                "last": None,
                "tokens": tokens,
                "notes": notes,
                "tokenizer": "" if tokens else self.column_options.tokenizer.name,
            },
        )

    def report(self, findings: Findings, segments: int) -> None:
        """Warn of what was found so often among so many segments."""
        if findings:
            for message in self.messages(findings, segments):
                warn(message)

    def messages(self, findings: Findings, segments: int) -> list[str]:
        """Say what these counts of `observe`, among so many segments, mean."""
        return self._diagnostics.messages(findings, segments, self._remedy)

    # -- inside

    def _settled(self, hypotheses: Any, references: Any) -> tuple[Metric[ScoreT], Any, Any]:
        """Return the metric for these references, with hypotheses and references as far as read."""
        if not self.asks_references:
            return self, hypotheses, references
        segments = Segments.coerce(hypotheses)
        self._check_count(segments)
        if not isinstance(references, PreparedReferences):
            references = References.coerce(references, segments)
        return self.settled(references), segments, references

    def _check_count(self, segments: Segments) -> None:
        if len(segments) == 0:
            raise InputError(f"{segments.argument} has no segments; there is nothing to score")

    def _check_prepared(self, references: PreparedReferences, segments: Segments) -> None:
        options = self.column_options
        if references.options != options:
            raise InputError(
                "these references were prepared for a metric with another tokenisation: "
                f"{references.options.differences(options)}; prepare them with this metric"
            )
        if len(references) != len(segments):
            raise InputError(
                f"there are {len(segments)} hypotheses but references were prepared for "
                f"{len(references)} segments"
            )
        if (references.kind == "tokens") != segments.is_tokens:
            raise InputError(
                f"the references were prepared for {references.kind} hypotheses; found {segments.kind}"
            )

    @cached_property
    def _diagnostics(self) -> Diagnostics:
        """What is looked for in segments."""
        return Diagnostics(self.column_options.tokenizer.name, fields=self._length_fields)

    @property
    def _length_fields(self) -> tuple[int, ...]:
        """The fields that are 0 where the hypothesis or the reference has no token."""
        names = ("hypothesis_length", "reference_length")
        return tuple(self.fields.index(name) for name in names if name in self.fields)

    def _look(self, batch: Batch, values: Floats) -> Findings:
        """Count what deserves a warning."""
        return self._diagnostics.look(
            batch.hypotheses, batch.references, batch.offsets, values, self._tokens_of
        )

    def _tokens_of(self, text: str, is_reference: bool) -> Sequence[str]:
        """Return what is compared of a text."""
        options = self.column_options
        return (options.of_references if is_reference else options).tokens(text)

    def _remedy(self, kind: str, scripts: Sequence[str]) -> str:
        """Say what to do where the tokenizer leaves nothing, or scripts undivided.

        Parameters
        ----------
        kind : {"erased", "dropped", "undivided"}
        scripts : sequence of str
            The findings, where texts are undivided.
        """
        if kind == "undivided":
            return tokenizers_for(scripts)
        return "name a tokenizer that keeps such text, such as tokenize='char'"


def _one_each(segments: Segments) -> References:
    return References(segments, np.arange(len(segments) + 1, dtype=np.int64))


_ONLY_TEXTS = {str}

# Values of one slab of pairwise statistics: 32 MB.
_PAIRWISE_VALUES = 1 << 22


class Accumulator(Generic[ScoreT]):
    """Adds up statistics batch by batch: training loops, streams, many workers.

    Batches add up to the score of the whole corpus. Where the metric's tokenizer is "auto", the first
    batch of texts picks it, and all later batches are cut by the same one.

    Parameters
    ----------
    metric : Metric

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
        if not isinstance(metric, Metric):
            raise OptionError(f"an Accumulator needs a Metric, found {metric!r}")
        self.metric = metric
        self.totals: Statistics | None = None
        self.count = 0
        self._findings: Counter[str] = Counter()
        self._told: set[str] = set()

    def update(self, hypotheses: Any, references: Any) -> None:
        """Add a batch; arguments and errors are those of `Metric.statistics`.

        What deserves a warning is counted over all batches, and said by `compute`.
        """
        given = self.metric if self.totals is None else self.metric.settled_as(self.totals)
        metric, segments, read = given._settled(hypotheses, references)  # noqa: SLF001  (a part of it)
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
            If they are another metric's, or of texts that another tokenizer cut.
        """
        _require_statistics(statistics)
        if statistics.fields != self.metric.fields:
            raise InputError(
                f"these are not {self.metric.name}'s statistics: {', '.join(statistics.fields)}"
            )
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
        metric = self.metric.settled_as(self.totals)
        for message in new_messages(metric.messages(self._findings, self.count), self._told):
            warn(message)
        return cast("ScoreT", self.metric.compute(self.totals))

    def reset(self) -> None:
        """Forget all that was added."""
        self.totals = None
        self.count = 0
        self._findings.clear()
        self._told.clear()
