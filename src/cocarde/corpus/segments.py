"""Every accepted shape of hypotheses and references, made one.

The hypotheses decide what a segment is: a text, a sequence of tokens, or a stretch of a ragged
array of integers. The references then follow: one or any number for each hypothesis.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, MappingView, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import chain, pairwise
from numbers import Integral
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from cocarde import _native
from cocarde.errors import InputError

__all__ = ["References", "Segments", "holds_ids", "require_order"]

Kind = Literal["text", "tokens", "ids", "block"]
Integers = npt.NDArray[np.int64]

_SHAPES = (
    "references has one entry for each hypothesis: a str (one reference), a list of str (several), "
    "or None where one is missing"
)


def _is_array(value: object) -> bool:
    # NumPy arrays, torch tensors and the like, without importing any of them.
    try:
        array = hasattr(value, "__array__") and hasattr(value, "shape")
    except RuntimeError:  # a nested tensor has no one shape
        return True
    return array and not hasattr(value, "columns")  # a data frame is none


def _as_array(value: Any, argument: str) -> npt.NDArray[Any]:
    if isinstance(value, np.ma.MaskedArray):
        raise InputError(
            f"{argument}: a masked array has holes; give one sequence of tokens for each segment"
        )
    detach = getattr(value, "detach", None)
    if detach is None:
        return np.asarray(value)
    try:
        return np.asarray(detach().cpu())
    except (TypeError, RuntimeError, NotImplementedError) as error:
        what = "nested" if getattr(value, "is_nested", False) else f"of {value.dtype}"
        raise InputError(
            f"{argument} is a tensor {what} on the device {value.device}, which NumPy cannot read "
            f"({str(error).splitlines()[0]:.80}); give a tensor of integers that holds data, or a list "
            f"of one for each segment"
        ) from None


def require_order(value: object, argument: str) -> None:
    """Refuse sets, dictionaries and their views: their order says nothing, or changes from run to run.

    Raises
    ------
    InputError
    """
    # Most are lists, which is known at once.
    if not isinstance(value, (list, tuple)) and isinstance(
        value, (AbstractSet, Mapping, MappingView)
    ):
        raise InputError(
            f"{argument} is a {type(value).__name__}, which has no order to go by; give a list"
        )


def _as_list(value: Any, argument: str) -> list[Any]:
    """Make a list of a column of a data frame, an array or any iterable that has an order."""
    if isinstance(value, list):
        return value
    require_order(value, argument)
    if hasattr(value, "columns"):
        raise InputError(
            f"{argument} is a {type(value).__name__}, which has no one order of segments; give one "
            f"column"
        )
    for method in ("to_pylist", "to_list", "tolist"):
        convert = getattr(value, method, None)
        if convert is not None:
            return list(convert())
    return list(value)


def _rows_of_frame(value: Any) -> Any:
    """Read a data frame as one list for each of its rows, without what is missing; else nothing changes."""
    columns = getattr(value, "columns", None)
    if columns is None or isinstance(value, Mapping):
        return value
    if hasattr(value, "iloc"):  # pandas: NaN and its like stand for what is missing
        frame = value.astype(object).where(value.notna(), None)
        lists = [frame.iloc[:, number].tolist() for number in range(frame.shape[1])]
    else:
        read = getattr(value, "get_columns", lambda: columns)()  # polars, or pyarrow
        if not all(hasattr(column, "to_list") or hasattr(column, "to_pylist") for column in read):
            return value
        lists = [_as_list(column, "references") for column in read]
    return [[entry for entry in row if entry is not None] for row in zip(*lists, strict=True)]


def holds_ids(value: Any) -> bool:
    """Tell whether references, of any accepted shape, are of integers: by the first that there is."""
    while not _is_array(value):
        if isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
            return isinstance(value, Integral)
        value = next((entry for entry in value if entry is not None), "")
    return "int" in str(value.dtype)


def _describe(value: object) -> str:
    return f"{type(value).__name__} {value!r:.60}"


def _ragged(value: object, argument: str) -> tuple[Integers, Integers] | None:
    """Read (values, offsets) or a matrix of ids; None where it is neither."""
    if isinstance(value, tuple) and len(value) == 2 and all(_is_array(part) for part in value):
        values, offsets = (_as_array(part, argument) for part in value)
        if values.ndim != 1 or offsets.ndim != 1:
            return None
        for name, part in (("values", values), ("offsets", offsets)):
            if part.dtype.kind not in "iu":
                raise InputError(
                    f"{argument}: the {name} of a ragged (values, offsets) batch must be integers, "
                    f"found {part.dtype}"
                )
        return _ids(values), _ids(offsets)
    if _is_array(value):
        matrix = _as_array(value, argument)
        if matrix.ndim == 2 and matrix.dtype.kind in "iu":
            rows, columns = matrix.shape
            return _ids(matrix.reshape(-1)), np.arange(rows + 1, dtype=np.int64) * columns
        if matrix.ndim != 1 or matrix.dtype.kind not in "OUT":
            raise InputError(
                f"{argument}: an array must be one of texts or a matrix of integer ids; found "
                f"{matrix.ndim} dimension(s) of {matrix.dtype}"
            )
    return None


def _ids(array: npt.NDArray[Any]) -> Integers:
    return np.ascontiguousarray(array, dtype=np.int64)


def _check_offsets(values: Integers, offsets: Integers, argument: str) -> None:
    if len(offsets) == 0 or offsets[0] != 0 or offsets[-1] != len(values):
        raise InputError(
            f"{argument}: the offsets of a ragged batch start at 0 and end at the number of values, "
            f"{len(values)}; found {offsets.tolist()[:1]} … {offsets.tolist()[-1:]}"
        )
    falls = np.flatnonzero(np.diff(offsets) < 0)
    if len(falls):
        index = int(falls[0]) + 1
        raise InputError(
            f"{argument}: the offsets of a ragged batch never descend, but offset {index} is "
            f"{offsets[index]} after {offsets[index - 1]}"
        )


@dataclass(frozen=True, eq=False)
class Segments:
    """A flat sequence of segments of one kind.

    Attributes
    ----------
    kind : {"text", "tokens", "ids", "block"}
        What a segment is: a str; a sequence of str or int tokens; a stretch of `values`; or a line
        of blocks of UTF-8.
    items : list
        The segments of kind "text" and "tokens".
    values, offsets : ndarray of int64
        The segments of kind "ids": segment i is ``values[offsets[i]:offsets[i + 1]]``.
    blocks : tuple of Lines
        Of kind "block": the first line of each, then the second line of each, and so on.
    count : int
        The number of segments.
    argument : str
        What the caller calls them, for messages.
    """

    kind: Kind
    count: int
    argument: str
    items: list[Any] | None = None
    values: Integers | None = None
    offsets: Integers | None = None
    blocks: tuple[_native.Lines, ...] = ()

    def __len__(self) -> int:
        return self.count

    def sequences(self) -> Iterator[Any]:
        """Yield each segment as a str or a tuple of tokens, to be compared with others."""
        if self.kind == "text":
            return iter(self.items or ())
        if self.kind == "tokens":
            return map(tuple, self.items or ())
        if self.kind == "ids":
            assert self.values is not None and self.offsets is not None
            values, offsets = self.values.tolist(), self.offsets.tolist()
            return (tuple(values[start:end]) for start, end in pairwise(offsets))
        lines = [_native.split_lines(block) for block in self.blocks]
        return (line for together in zip(*lines, strict=True) for line in together)

    @property
    def is_tokens(self) -> bool:
        """Whether segments are sequences of tokens, not texts."""
        return self.kind in ("tokens", "ids")

    @staticmethod
    def of_items(kind: Kind, items: list[Any], argument: str) -> Segments:
        """Wrap texts or token sequences."""
        return Segments(kind, len(items), argument, items=items)

    @staticmethod
    def of_ids(values: Integers, offsets: Integers, argument: str) -> Segments:
        """Wrap a ragged batch of ids, after checking its offsets."""
        _check_offsets(values, offsets, argument)
        return Segments("ids", len(offsets) - 1, argument, values=values, offsets=offsets)

    @staticmethod
    def coerce(value: Any, argument: str = "hypotheses") -> Segments:
        """Read hypotheses of any accepted shape.

        Parameters
        ----------
        value : sequence of str, sequence of token sequences, integer matrix, or (values, offsets)
            The hypotheses.
        argument : str
            What the caller calls them, for messages.

        Returns
        -------
        segments : Segments

        Raises
        ------
        InputError
            If the shape is none of these; the message names the index and the fix.
        """
        if isinstance(value, Segments):
            return value
        if type(value) is list and value and type(value[0]) is str:  # the common shape first
            return Segments("text", len(value), argument, value)
        if isinstance(value, (str, bytes)):
            raise InputError(
                f"{argument} is one {type(value).__name__}, not a sequence of segments; use "
                f"sentence_score for a single segment, or put it into a list"
            )
        block = getattr(value, "checked_block", None)
        if isinstance(block, _native.Lines):
            return Segments("block", len(value), argument, blocks=(block,))
        ragged = _ragged(value, argument)
        if ragged is not None:
            return Segments.of_ids(*ragged, argument)
        if not isinstance(value, Iterable):
            raise InputError(f"{argument} must be a sequence of segments, found {_describe(value)}")
        items = _as_list(value, argument)
        if not items:
            return Segments.of_items("text", items, argument)
        first = items[0]
        if isinstance(first, str):
            return Segments.of_items("text", items, argument)
        require_order(first, f"{argument}[0]")
        if isinstance(first, bytes) or not isinstance(first, Iterable):
            raise InputError(
                f"{argument}[0] is {_describe(first)}; a segment is a str or a sequence of tokens"
            )
        return _token_segments(items, argument)


def _token_segments(items: list[Any], argument: str) -> Segments:
    if _is_array(items[0]) and all(map(_is_array, items)):
        arrays = [_as_array(item, f"{argument}[{index}]") for index, item in enumerate(items)]
        for index, array in enumerate(arrays):
            if array.ndim != 1 or array.dtype.kind not in "iu":
                raise InputError(
                    f"{argument}[{index}]: an array of tokens must be one dimension of integers, "
                    f"found {array.ndim} dimension(s) of {array.dtype}"
                )
        offsets = np.zeros(len(arrays) + 1, dtype=np.int64)
        np.cumsum([len(array) for array in arrays], out=offsets[1:])
        return Segments.of_ids(_ids(np.concatenate(arrays)), offsets, argument)
    if set(map(type, items)) <= {list, tuple}:
        return Segments.of_items("tokens", items, argument)
    for index, item in enumerate(items):
        if isinstance(item, str) or item is None or not isinstance(item, Iterable):
            raise InputError(
                f"{argument}[{index}] is {_describe(item)}, but {argument}[0] is a sequence of "
                f"tokens; give texts or tokens throughout, not a mixture"
            )
    sequences = [
        item if isinstance(item, (list, tuple)) else _as_list(item, f"{argument}[{index}]")
        for index, item in enumerate(items)
    ]
    return Segments.of_items("tokens", sequences, argument)


@dataclass(frozen=True, eq=False)
class References:
    """References of a corpus: any number for each segment.

    Attributes
    ----------
    segments : Segments
        All references, one after the other.
    offsets : ndarray of int64, shape (segments + 1,)
        Segment i has the references ``offsets[i]:offsets[i + 1]`` of `segments`.

    Examples
    --------
    >>> from cocarde import References
    >>> len(References.from_streams(["a", "b"], ["c", None]))
    2
    >>> References.from_streams(["a", "b"], ["c", None]).per_segment is None   # it varies
    True
    """

    segments: Segments
    offsets: Integers

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def per_segment(self) -> int | None:
        """How many references each segment has; None where that varies."""
        offsets = self.offsets
        if len(offsets) < 2:
            return None
        first = int(offsets[1])
        if len(offsets) == 2:
            return first
        return first if (offsets[1:] - offsets[:-1] == first).all() else None

    @staticmethod
    def from_streams(*streams: Sequence[str | None]) -> References:
        """Read references in sacreBLEU's layout: one sequence for each set of references.

        Parameters
        ----------
        *streams : sequences of str or None
            Each as long as the hypotheses; None where that set has no reference for the segment.

        Returns
        -------
        references : References

        Raises
        ------
        InputError
            If the streams differ in length, or a segment has no reference in any.

        Examples
        --------
        >>> from cocarde import BLEU, References
        >>> references = References.from_streams(["a b c d"], ["a b c e"])
        >>> round(BLEU().corpus_score(["a b c d"], references).score, 1)
        100.0
        """
        if not streams:
            raise InputError("References.from_streams needs at least one stream")
        blocks = [getattr(stream, "checked_block", None) for stream in streams]
        if all(isinstance(block, _native.Lines) for block in blocks):
            _check_stream_lengths(list(map(len, streams)))
            count = len(streams[0])
            segments = Segments(
                "block",
                count * len(streams),
                "references",
                blocks=tuple(blocks),  # type: ignore[arg-type]
            )
            return References(segments, np.arange(count + 1, dtype=np.int64) * len(streams))
        lists = []
        for number, stream in enumerate(streams):
            if isinstance(stream, (str, bytes)) or not isinstance(stream, Iterable):
                raise InputError(
                    f"stream {number} is a single {type(stream).__name__}; a stream is a sequence "
                    f"with one reference for each hypothesis"
                )
            lists.append(_as_list(stream, f"stream {number}"))
        _check_stream_lengths(list(map(len, lists)))
        rows = [[text for text in row if text is not None] for row in zip(*lists, strict=True)]
        return _from_rows(rows, "text", "streams")

    @staticmethod
    def coerce(value: Any, hypotheses: Segments) -> References:
        """Read references of any accepted shape for these hypotheses.

        Parameters
        ----------
        value : References, or a sequence with one entry for each hypothesis
            See `Metric.statistics`.
        hypotheses : Segments
            What the references are for; their kind decides how entries are read.

        Returns
        -------
        references : References

        Raises
        ------
        InputError
            If counts differ, the references look transposed, a segment has none, or texts and
            tokens are mixed.
        """
        kind = hypotheses.kind
        value = _rows_of_frame(value)
        if isinstance(value, References):
            references = value
        elif kind == "block" and isinstance(value, list):
            references = _text_references(value, hypotheses)
        elif kind == "block":
            references = one_each(Segments.coerce(value, "references"))
        elif isinstance(value, (str, bytes)):
            raise InputError(f"references is one {type(value).__name__}; {_SHAPES}")
        elif kind == "text":
            references = _text_references(value, hypotheses)
        else:
            references = _token_references(value)
        if len(references) != len(hypotheses):
            raise InputError(
                f"there are {len(hypotheses)} hypotheses but {len(references)} entries in references; "
                f"{_SHAPES}"
            )
        textual = ("text", "block")
        found = references.segments.kind
        if len(references.segments) and (kind in textual) != (found in textual):
            raise InputError(
                f"hypotheses are {_KIND_NAMES[kind]} but references are {_KIND_NAMES[found]}; give both "
                f"as texts or both as tokens"
            )
        return references


_KIND_NAMES = {"text": "texts", "block": "texts", "tokens": "tokens", "ids": "tokens"}


def _check_stream_lengths(lengths: list[int]) -> None:
    if len(set(lengths)) > 1:
        raise InputError(f"the reference streams differ in length: {lengths}")


def one_each(segments: Segments) -> References:
    return References(segments, np.arange(len(segments) + 1, dtype=np.int64))


def _from_rows(rows: Sequence[Sequence[Any]], kind: Kind, argument: str) -> References:
    counts = np.fromiter(map(len, rows), dtype=np.int64, count=len(rows))
    if np.count_nonzero(counts) != len(rows):
        index = int(np.flatnonzero(counts == 0)[0])
        raise InputError(
            f"segment {index} has no reference at all ({argument}); give at least one for each "
            f"segment, or leave the segment out"
        )
    offsets = np.zeros(len(rows) + 1, dtype=np.int64)
    np.add.accumulate(counts, out=offsets[1:])
    flat = list(chain.from_iterable(rows))
    if kind == "text":
        segments = Segments.of_items("text", flat, "references")
    else:
        segments = Segments.of_items("tokens", flat, "references")
        if any(map(_is_array, flat)):
            segments = _token_segments(flat, "references")
    return References(segments, offsets)


def _looks_transposed(rows: list[Any], count: int) -> bool:
    return len(rows) > 0 and all(
        not isinstance(row, str) and hasattr(row, "__len__") and len(row) == count for row in rows
    )


def _text_references(value: Any, hypotheses: Segments) -> References:
    if not isinstance(value, (list, Iterable)):  # a list is known faster
        raise InputError(f"references must be a sequence, found {_describe(value)}; {_SHAPES}")
    rows = _as_list(value, "references")
    if len(rows) != len(hypotheses) and _looks_transposed(rows, len(hypotheses)):
        raise InputError(
            f"references has {len(rows)} entries of {len(hypotheses)} each for {len(hypotheses)} "
            f"hypotheses: they look like sacreBLEU's streams; pass "
            f"References.from_streams(*references), or one entry for each hypothesis"
        )
    # The common shapes first, at the speed of C; types inside are checked where texts are collected.
    if _native.all_texts(rows):
        return one_each(Segments.of_items("text", rows, "references"))
    types = set(map(type, rows))
    if types <= {list, tuple} and set(map(type, chain.from_iterable(rows))) <= {str}:
        return _from_rows(rows, "text", "references")
    lists: list[list[Any]] = []
    for index, row in enumerate(rows):
        if row is None or isinstance(row, str):
            lists.append([] if row is None else [row])
            continue
        if _is_array(row):
            row = np.atleast_1d(_as_array(row, f"references[{index}]")).tolist()
        if isinstance(row, bytes) or not isinstance(row, Iterable):
            raise InputError(f"references[{index}] is {_describe(row)}; {_SHAPES}")
        require_order(row, f"references[{index}]")
        texts = []
        for position, text in enumerate(row):
            if text is not None and not isinstance(text, str):
                raise InputError(
                    f"references[{index}][{position}] is {_describe(text)}, but the hypotheses are "
                    f"texts; {_SHAPES}"
                )
            if text is not None:
                texts.append(text)
        lists.append(texts)
    return _from_rows(lists, "text", "references")


def _token_references(value: Any) -> References:
    ragged = _ragged(value, "references")
    if ragged is not None:
        return one_each(Segments.of_ids(*ragged, "references"))
    if not isinstance(value, Iterable):
        raise InputError(
            f"references must be a sequence, found {_describe(value)}; with token hypotheses it has "
            f"one entry for each: a list of tokens (one reference) or a list of lists (several)"
        )
    lists: list[list[Any]] = []
    for index, row in enumerate(_as_list(value, "references")):
        if row is None:
            lists.append([])
            continue
        if isinstance(row, (str, bytes)):
            raise InputError(
                f"references[{index}] is {_describe(row)}, but the hypotheses are tokens; give both "
                f"as texts or both as tokens"
            )
        if _is_array(row):
            array = _as_array(row, f"references[{index}]")
            lists.append([array] if array.ndim == 1 else list(array))
            continue
        if not isinstance(row, Iterable):
            raise InputError(f"references[{index}] is {_describe(row)}, not a sequence of tokens")
        require_order(row, f"references[{index}]")
        entries = list(row)
        types = set(map(type, entries))
        if types <= {str, int}:  # the common shapes first: one reference, or several
            lists.append([entries])
            continue
        if types <= {list, tuple}:
            lists.append(entries)
            continue
        if entries and all(entry is None for entry in entries):
            lists.append([])
            continue
        nested = [not isinstance(entry, str) and isinstance(entry, Iterable) for entry in entries]
        if any(nested):
            kept = [entry for entry in entries if entry is not None]
            if len(kept) != sum(nested):
                position = next(
                    i for i, entry in enumerate(entries) if entry is not None and not nested[i]
                )
                raise InputError(
                    f"references[{index}] mixes references with single tokens: entry {position} is "
                    f"{_describe(entries[position])}"
                )
            lists.append(
                [
                    entry
                    if _is_array(entry) or isinstance(entry, (list, tuple))
                    else _as_list(entry, f"references[{index}][{position}]")
                    for position, entry in enumerate(entries)
                    if entry is not None
                ]
            )
        else:
            lists.append([entries])
    return _from_rows(lists, "tokens", "references")
