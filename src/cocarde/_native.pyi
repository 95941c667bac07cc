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

    def with_sentences(self, end: str, keep_blank: bool) -> Column:
        """The same texts, with marks between the tokens of their sentences."""

    def sentences(self, index: int) -> list[list[str]] | list[list[int]]:
        """
        Tokens of the sentences of one segment; a segment without marks is one sentence.
        """

    def part(self, first: int, last: int) -> Column:
        """Some of the segments, with their tokens already cut."""

    def erased(self, index: int) -> bool:
        """Whether a text has something to read in it but no token is left."""

    def empty(self) -> list[int]:
        """The segments of nothing but white space, or of no token."""

    def of_other_letters(self) -> list[int]:
        """The texts of which most letters are outside a-z; none of tokens."""

    def lacking_spaces(self) -> list[int]:
        """
        The texts in a script without blanks between words whose words are not joined by blanks either.
        """

    def keep_texts_of(self, other: Column) -> None:
        """Keeps the texts behind tokens that were cut from them."""

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

def stemmer_names() -> list[str]:
    """Names of the native stemmers."""

def stem(name: str, word: str) -> str:
    """The stem of a word in lower case."""

def count_words(texts: list[str]) -> tuple[int, int, int, int, int]:
    """
    How many words there are: of ASCII, with other letters, Han, kana, of other scripts without spaces.
    """

def join_sentences(sentences: Column, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], whole: Column | None, keep_blank: bool, threads: int) -> Column:
    """
    Segments with the tokens of their sentences, which were cut on their own, and of the whole text.
    """

def rouge_statistics(hypotheses: Column, references: Column, reference_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], types: Sequence[int], several: str, subsequence: str, distinct: bool, beta: float, epsilon: float, marked: bool, out: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu')], threads: int) -> None:
    """
    Rows of 1, then precision, recall and F of each type, one a hypothesis, written into out.
    """

def rouge_pairwise(hypotheses: Column, first: int, last: int, references: Column, types: Sequence[int], subsequence: str, distinct: bool, beta: float, epsilon: float, marked: bool, out: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu')], threads: int) -> None:
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
