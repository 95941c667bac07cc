"""Loops of cocarde. Not a public interface: use the package."""

from collections.abc import Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray


def tokenizer_names() -> list[str]:
    """Names of the native tokenizers."""

def tokenize(name: str, text: str) -> list[str]:
    """Tokens of a text."""

class Column:
    """Segments that yield tokens."""

    @staticmethod
    def of_texts(texts: list, tokenizer: str, lowercase: str, strip_right: bool) -> Column:
        """Texts, cut by a native tokenizer when they are read."""

    @staticmethod
    def of_lines(blocks: list, tokenizer: str, lowercase: str, strip_right: bool) -> Column:
        """
        Lines of blocks of UTF-8, in turn, cut by a native tokenizer when they are read.
        """

    @staticmethod
    def of_ids(values: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], vocabulary: list = []) -> Column:
        """
        Integer tokens; segment i is values[offsets[i]:offsets[i + 1]]. With a vocabulary, its words.
        """

    @staticmethod
    def of_tokens(segments: list) -> Column:
        """Sequences of str or int tokens."""

    def prepare(self, threads: int) -> Column:
        """The same segments with their tokens already cut."""

    def tokens(self, index: int) -> list[str] | list[int]:
        """Tokens of one segment."""

    def count_ending(self, ending: str) -> int:
        """How many texts end so."""

    def __len__(self) -> int: ...

def count_line_feeds(block: bytes) -> int:
    """How many line feeds there are."""

def after_line_feeds(block: bytes, start: int, count: int) -> int:
    """The position after so many line feeds."""

def split_lines(block: bytes) -> list[str]:
    """Lines of a block of UTF-8."""

def bleu_statistics(hypotheses: Column, references: Column, reference_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], order: int, reference_length: str, clip: bool, minimum_total: int, out: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu')], threads: int) -> None:
    """
    Rows of lengths, matches and totals, one a hypothesis, written into out.
    """

def bleu_pairwise(hypotheses: Column, first: int, last: int, references: Column, order: int, clip: bool, minimum_total: int, out: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu')], threads: int) -> None:
    """
    Rows for every hypothesis in [first, last) against every single reference.
    """

class Rouge155:
    """ROUGE as ROUGE-1.5.5 counts it."""

    def __init__(self, orders: Sequence[int], lcs: bool, weight: float, skip: bool, skip_unigrams: bool, maximum_skip: int, alpha: float, best: bool, jackknife: bool, rounded: bool, word_limit: int, byte_limit: int, stop_words: Sequence[str], stemmer: str) -> None:
        """
        A weight of 0: no ROUGE-W. A negative maximum_skip, limits of 0, no name of a stemmer: none.
        """

    def rows(self, hypotheses: list, references: list, reference_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu')], threads: int) -> None:
        """
        For each type precision, recall, F and the counts of the references, the hypothesis and both.
        """

    def sentences(self, text: str) -> list[list[str]]:
        """The words that count, sentence by sentence."""
