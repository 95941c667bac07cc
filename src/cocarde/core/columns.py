"""How segments become native columns of tokens, and references that are tokenized once."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from cocarde import _native
from cocarde._util.threads import get_num_threads
from cocarde.core.statistics import Ids
from cocarde.corpus.segments import References, Segments
from cocarde.errors import InputError
from cocarde.tokenizers.base import Tokenizer, lowercase
from cocarde.tokenizers.sentences import SentenceSplitter

__all__ = [
    "Batch",
    "ColumnOptions",
    "PreparedReferences",
    "refuse_prepared",
    "refuse_words_beside_ids",
]


@dataclass(frozen=True)
class ColumnOptions:
    """How segments become native tokens; metrics with equal options can share columns.

    Attributes
    ----------
    tokenizer : Tokenizer
        Tokenizes texts; token input skips it.
    lowercase : bool
        In the way of the tokenizer's reference implementation.
    strip_right : bool
        Whether trailing white space goes before the tokenizer sees the text.
    lowercase_tokens : bool
        Whether lower-casing comes after the tokenizer instead of before it.
    ignore_ids : frozenset of int
        Integer tokens that are dropped, such as padding.
    vocabulary : tuple of str or None
        The word behind each id.
    sentences : SentenceSplitter or None
        Where texts are split into sentences; marks between tokens tell kernels where they end. A token
        sequence is one sentence.
    reference_tokenizer : Tokenizer or None
        Tokenizes references, where a convention treats them otherwise than hypotheses.
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
        """Name, lower-casing and stripping for the native column; None where Python has to tokenize."""
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


@dataclass(frozen=True, eq=False)
class PreparedReferences:
    """References tokenized once, for many systems or epochs; see `Metric.prepare`.

    Attributes
    ----------
    references_per_segment : int or None
        None where it varies.
    fitted : Metric or None
        The corpus-fitted metric that prepared them, as these references fitted it.
    """

    column: _native.Column
    offsets: npt.NDArray[np.int64]
    options: ColumnOptions
    kind: str
    references_per_segment: int | None
    fitted: Any = None

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
    """Refuse prepared references where they cannot stand.

    Raises
    ------
    InputError
    """
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
            refuse_words_beside_ids(hypotheses, references, offsets)
        return Batch(hypotheses, references, offsets, references_per_segment, tokens)


def one_each(segments: Segments) -> References:
    return References(segments, np.arange(len(segments) + 1, dtype=np.int64))


def refuse_words_beside_ids(
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
