"""Counting n-grams in the plain way: readable, and independent of the native counting it checks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from cocarde import tokenizers
from cocarde.core.columns import ColumnOptions
from cocarde.core.documents import (
    Block,
    Document,
    Heading,
    Mark,
    Paragraph,
    Table,
    TableRow,
    number,
    shown_ngram,
)
from cocarde.core.explanation import Printable, check_positive, is_single_segment
from cocarde.corpus.segments import Segments
from cocarde.errors import OptionError
from cocarde.tokenizers.base import Tokenizer

__all__ = [
    "MatchedNgram",
    "Ngram",
    "NgramCounts",
    "count_ngrams",
    "matched_ngrams",
    "ngram_counts",
    "ngram_table",
    "ngrams_to_dict",
]

Ngram = tuple[str | int, ...]


def count_ngrams(tokens: Sequence[str | int], order: int) -> Counter[Ngram]:
    """Count the n-grams of one order.

    Parameters
    ----------
    tokens : sequence of str or int
    order : int
        1 or more.

    Returns
    -------
    Counter
        In order of first appearance.

    Examples
    --------
    >>> count_ngrams("a b a b".split(), 2)
    Counter({('a', 'b'): 2, ('b', 'a'): 1})
    """
    if order > len(tokens):
        return Counter()
    return Counter(zip(*(tokens[start:] for start in range(order)), strict=False))


@dataclass(frozen=True, repr=False)
class NgramCounts(Printable):
    """How often each n-gram stands in each segment.

    Attributes
    ----------
    tokens : tuple of tuple of str or int
        The tokens of each segment.
    counts : tuple of tuple of dict
        ``counts[i][n - 1]`` has the n-grams of order n of segment i, the most frequent first, then
        by first appearance.

    Examples
    --------
    >>> import cocarde
    >>> table = cocarde.ngram_counts("eating chicken chicken is a eating a eating chicken")
    >>> table.counts[0][0]
    {('eating',): 3, ('chicken',): 3, ('a',): 2, ('is',): 1}
    >>> table.counts[0][1][("eating", "chicken")]
    2
    """

    tokens: tuple[Ngram, ...]
    counts: tuple[tuple[dict[Ngram, int], ...], ...]

    @property
    def max_ngram_order(self) -> int:
        """The highest order that was counted."""
        return len(self.counts[0]) if self.counts else 0

    def __len__(self) -> int:
        return len(self.tokens)

    def __repr__(self) -> str:
        return f"NgramCounts of {len(self)} segments up to order {self.max_ngram_order}; print() it"

    def to_dict(self) -> dict[str, Any]:
        """Return every count.

        Returns
        -------
        dict
            ``max_ngram_order`` (int) and ``segments``: for each a dict of ``index``, ``tokens`` and
            ``orders``, whose entries have ``order``, ``total`` and ``ngrams``, each of these a dict
            of ``ngram`` (list of tokens) and ``count``.
        """
        return {
            "max_ngram_order": self.max_ngram_order,
            "segments": [
                {
                    "index": index,
                    "tokens": list(tokens),
                    "orders": [
                        {
                            "order": order,
                            "total": sum(found.values()),
                            "ngrams": [
                                {"ngram": list(ngram), "count": count}
                                for ngram, count in found.items()
                            ],
                        }
                        for order, found in enumerate(orders, 1)
                    ],
                }
                for index, (tokens, orders) in enumerate(zip(self.tokens, self.counts, strict=True))
            ],
        }

    def document(self, *, max_rows: int = 200) -> Document:
        """Return what is printed: one table a segment and order."""
        blocks: list[Block] = []
        for index, (tokens, orders) in enumerate(zip(self.tokens, self.counts, strict=True)):
            blocks.append(Heading(f"Segment {index}: {len(tokens)} tokens"))
            blocks.append(Paragraph(shown_ngram(tokens) if tokens else "(no tokens)"))
            for order, found in enumerate(orders, 1):
                if not found:
                    blocks.append(Paragraph(f"No n-gram of order {order} or more."))
                    break
                rows = [
                    TableRow((shown_ngram(ngram), str(count)))
                    for ngram, count in list(found.items())[:max_rows]
                ]
                footer = [("total", str(sum(found.values())))]
                if len(found) > len(rows):
                    hidden = sum(list(found.values())[max_rows:])
                    footer.insert(0, (f"{len(found) - len(rows)} more, not shown", str(hidden)))
                blocks.append(Table((f"order {order}", "count"), tuple(rows), tuple(footer)))
        return Document(f"n-gram counts up to order {self.max_ngram_order}", tuple(blocks))


def by_count(counts: Counter[Ngram]) -> dict[Ngram, int]:
    """Return the counts, the most frequent first; those equally frequent stay in their order."""
    return dict(sorted(counts.items(), key=lambda item: -item[1]))


def ngram_counts(
    segments: Any,
    max_ngram_order: int = 4,
    tokenize: str | Tokenizer | Callable[[str], list[str]] = "none",
    *,
    lowercase: bool = False,
) -> NgramCounts:
    """Count the n-grams of one segment or several.

    Parameters
    ----------
    segments : str, sequence of int, or as the hypotheses of `Metric.statistics`
        A text or a flat sequence of ids is one segment; a list of texts or of token sequences is
        several. Token sequences skip the tokenizer.
    max_ngram_order : int
        1 or more.
    tokenize : str, Tokenizer or callable
        As in `BLEU`; by default white space parts the tokens.
    lowercase : bool
        In the way of the tokenizer's reference implementation.

    Returns
    -------
    NgramCounts

    Raises
    ------
    OptionError
        If an option is out of its range.
    InputError
        If the segments have a shape that no metric takes.

    Examples
    --------
    >>> import cocarde
    >>> print(cocarde.ngram_counts("a b a", max_ngram_order=2))
    n-gram counts up to order 2
    <BLANKLINE>
    Segment 0: 3 tokens
    -------------------
    <BLANKLINE>
    a b a
    <BLANKLINE>
      order 1  count
      -------  -----
      a            2
      b            1
      -------  -----
      total        3
    <BLANKLINE>
      order 2  count
      -------  -----
      a b          1
      b a          1
      -------  -----
      total        2
    <BLANKLINE>
    """
    check_positive("max_ngram_order", max_ngram_order)
    if not isinstance(lowercase, bool):
        raise OptionError(f"lowercase must be True or False, found {lowercase!r}")
    if is_single_segment(segments):
        segments = [segments]
    column = ColumnOptions(tokenizers.get(tokenize), lowercase).column(
        Segments.coerce(segments, "segments")
    )
    tokens: tuple[Ngram, ...] = tuple(tuple(column.tokens(index)) for index in range(len(column)))
    counts = tuple(
        tuple(by_count(count_ngrams(found, order)) for order in range(1, max_ngram_order + 1))
        for found in tokens
    )
    return NgramCounts(tokens, counts)


@dataclass(frozen=True)
class MatchedNgram:
    """An n-gram of either text with its counts."""

    ngram: Ngram
    hypothesis: int
    reference: int
    matched: int


def ngrams_to_dict(ngrams: Sequence[MatchedNgram]) -> list[dict[str, Any]]:
    """Return n-grams as JSON can hold them."""
    return [
        {
            "ngram": list(row.ngram),
            "hypothesis": row.hypothesis,
            "reference": row.reference,
            "matched": row.matched,
        }
        for row in ngrams
    ]


def ngram_table(
    ngrams: Sequence[MatchedNgram],
    totals: tuple[float, float, float],
    max_rows: int,
    *,
    header: str = "n-gram",
    reference: str = "reference",
) -> Table:
    """Return a table of n-grams with their counts; the totals are hypothesis, reference, matched."""
    rows = [
        TableRow(
            (shown_ngram(row.ngram), str(row.hypothesis), str(row.reference), str(row.matched)),
            Mark.MATCHED if row.matched else Mark.UNMATCHED,
        )
        for row in ngrams[:max_rows]
    ]
    footer = [("sum of all", *map(number, totals))]
    hidden = len(ngrams) - len(rows)
    if hidden > 0:
        footer.insert(0, (f"{hidden} more n-grams are not shown", "", "", ""))
    return Table((header, "hypothesis", reference, "matched"), tuple(rows), tuple(footer))


def matched_ngrams(
    hypothesis: Counter[Ngram], reference: Counter[Ngram]
) -> tuple[MatchedNgram, ...]:
    """Return the n-grams of both texts, those that match most first."""
    found = (
        MatchedNgram(ngram, a := hypothesis[ngram], b := reference[ngram], min(a, b))
        for ngram in hypothesis | reference
    )
    return tuple(sorted(found, key=lambda row: (-row.matched, -row.hypothesis, -row.reference)))
