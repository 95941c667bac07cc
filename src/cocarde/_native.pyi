"""Loops of cocarde. Not a public interface: use the package."""

from collections.abc import Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray


def tokenizer_names() -> list[str]:
    """Names of the native tokenizers."""

def tokenize(name: str, text: str) -> list[str]:
    """Tokens of a text."""

def stemmer_names() -> list[str]:
    """Names of the native stemmers."""

def stem(name: str, word: str) -> str:
    """The stem of a word in lower case."""

def all_texts(items: list) -> bool:
    """Whether every item is a str."""

def count_words(texts: list[str]) -> tuple[int, int, int, int, int]:
    """
    How many words there are: of ASCII, with other letters, Han, kana, of other scripts without spaces.
    """

class Lines:
    """A block of text that is known to be well-formed UTF-8."""

    def __init__(self, block: bytes) -> None:
        """Raises ValueError unless the block is UTF-8."""

    @property
    def block(self) -> bytes: ...

def count_line_feeds(block: bytes) -> int:
    """How many line feeds there are."""

def after_line_feeds(block: bytes, start: int, count: int) -> int:
    """The position after so many line feeds."""

def split_lines(block: Lines) -> list[str]:
    """The lines of a block."""

class Column:
    """Segments that yield tokens."""

    @staticmethod
    def of_texts(texts: list, tokenizer: str, lowercase: str, strip_right: bool) -> Column:
        """Texts, cut by a native tokenizer when they are read."""

    @staticmethod
    def of_lines(blocks: list, tokenizer: str, lowercase: str, strip_right: bool) -> Column:
        """
        Lines of blocks, in turn, cut by a native tokenizer when they are read.
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

    def __len__(self) -> int: ...

    def with_sentences(self, end: str, keep_blank: bool) -> Column:
        """The same texts, with marks between the tokens of their sentences."""

    def sentences(self, index: int) -> list[list[str]] | list[list[int]]:
        """
        Tokens of the sentences of one segment; a segment without marks is one sentence.
        """

    def part(self, first: int, last: int) -> Column:
        """Some of the segments, with their tokens already cut."""

    def text(self, index: int) -> str:
        """The text of one segment, before its tokens."""

    def keep_texts_of(self, other: Column) -> None:
        """Keeps the texts behind tokens that were cut from them."""

def join_sentences(sentences: Column, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], whole: Column | None, texts: Column | None, keep_blank: bool, threads: int) -> Column:
    """
    Segments with the tokens of their sentences, which were cut on their own, and of the whole text; the texts of `texts` are kept.
    """

class Bleu:
    """Rows of lengths, matches and totals."""

    def __init__(self, order: int, reference_length: str, clip: bool, minimum_total: int) -> None: ...

    def rows(self, hypotheses: Column, references: Column, reference_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu')], threads: int) -> None:
        """Writes rows of every hypothesis with its references into out."""

    def pairs(self, hypotheses: Column, first: int, last: int, references: Column, out: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu')], threads: int) -> None:
        """
        Writes rows of the hypotheses in [first, last) with every single reference into out.
        """

class Rouge:
    """Rows of 1, then precision, recall and F of each type."""

    def __init__(self, types: Sequence[int], several: str, subsequence: str, distinct: bool, beta: float, epsilon: float, marked: bool) -> None: ...

    def rows(self, hypotheses: Column, references: Column, reference_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu')], threads: int) -> None:
        """Writes rows of every hypothesis with its references into out."""

    def pairs(self, hypotheses: Column, first: int, last: int, references: Column, out: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu')], threads: int) -> None:
        """
        Writes rows of the hypotheses in [first, last) with every single reference into out.
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

class DistinctWords:
    """The distinct words of two columns."""

    def __init__(self, hypotheses: Column, references: Column, threads: int) -> None: ...

    def words(self) -> list[str]:
        """The words, each once; ids as int."""

    def has_ids(self) -> bool:
        """Whether there are ids among them."""

class MeteorOptions:
    """Options of METEOR."""

    def __init__(self, stages: Sequence[int], weights: Sequence[float], alpha: float, beta: float, gamma: float, delta: float, beam: int, characters: bool) -> None:
        """Stages: 0 exact, 1 stem, 2 synonym, 3 paraphrase."""

class MeteorLexicon:
    """What METEOR knows of each distinct word."""

    def __init__(self, words: DistinctWords, stems: list[str] | None, functions: bytes | None, wordnet: WordNet | None, paraphrases: Paraphrases | None, threads: int) -> None: ...

def meteor_statistics(words: DistinctWords, reference_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], lexicon: MeteorLexicon, options: MeteorOptions, out: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu')], threads: int) -> None:
    """
    Rows of lengths, matches by stage, chunks and matched words, one a hypothesis, written into out.
    """

def meteor_pairwise(words: DistinctWords, first: int, last: int, lexicon: MeteorLexicon, options: MeteorOptions, out: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu')], threads: int) -> None:
    """
    Rows for every hypothesis in [first, last) against every single reference.
    """

def meteor_alignment(words: DistinctWords, hypothesis: int, reference: int, lexicon: MeteorLexicon, options: MeteorOptions) -> list[tuple[int, int, int, int, int]]:
    """
    Matches by place: start and length in the reference, start and length in the hypothesis, stage.
    """

class WordNet:
    """WordNet 3.0 in a table in memory."""

    def __init__(self, table: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """
        Raises ValueError, which says what is wrong, unless the bytes are a whole table.
        """

    def meteor_synsets(self, word: str) -> list[int]:
        """The sorted numbers of the synsets that METEOR 1.5 finds for a word."""

    def nltk_related(self, word: str) -> list[str]:
        """
        The distinct names of a single word in all synsets that NLTK finds for a word.
        """

    def nltk_relations(self, words: list) -> tuple[list[int], list[int]]:
        """
        Which of these distinct words each is related to: offsets, and numbers of words.
        """

PARAPHRASE_FORMAT: int = 1

class BadParaphraseImage(ValueError):
    pass

class BadParaphraseText(ValueError):
    pass

class ParaphraseBuilder:
    """Compiles the text of METEOR's paraphrase table."""

    def __init__(self) -> None: ...

    def add(self, piece: bytes) -> None:
        """The next bytes of the text."""

    def finish(self, source: str) -> bytes:
        """The compiled table, marked as made from `source` (64 bytes at most)."""

    @property
    def lines(self) -> int:
        """The number of the last line read, from 1."""

    @property
    def entries(self) -> int: ...

class Paraphrases:
    """A compiled paraphrase table where it lies in memory."""

    def __init__(self, image: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Raises BadParaphraseImage unless every byte is what the builder wrote."""

    def match(self, hypothesis: list[str], reference: list[str]) -> list[tuple[int, int, int, int]]:
        """
        (reference start, length, hypothesis start, length) of each match, in METEOR's order.
        """

    @property
    def source(self) -> str:
        """What the table was made from, as the builder was told."""

class MeteorNltk:
    """METEOR as NLTK matches words, given as numbers of distinct words."""

    def __init__(self, forms: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], stems: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], related_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], related: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], alpha: float, beta: float, gamma: float) -> None:
        """
        The forms and the stems of words, by number; the stems that are related to each stem.
        """

    def statistics(self, words: DistinctWords, reference_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu')], threads: int) -> None:
        """Rows of the best reference of each hypothesis."""

    def pairwise(self, words: DistinctWords, out: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu')], threads: int) -> None:
        """Rows of every hypothesis against every single reference."""

class Chrf:
    """
    Rows of n-grams of the hypothesis, of the reference and in both, of each order.
    """

    def __init__(self, least_characters: int, characters: int, words: int, spaces: str, formula: str, beta_squared: float, scored: bool) -> None: ...

    def rows(self, hypotheses: Column, references: Column, reference_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu')], threads: int) -> None:
        """Writes rows of every hypothesis with its references into out."""

    def pairs(self, hypotheses: Column, first: int, last: int, references: Column, out: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu')], threads: int) -> None:
        """
        Writes rows of the hypotheses in [first, last) with every single reference into out.
        """

class Gleu:
    """
    Rows of matches and of n-grams of the longer text, the hypothesis and the reference.
    """

    def __init__(self, least: int, most: int) -> None: ...

    def rows(self, hypotheses: Column, references: Column, reference_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu')], threads: int) -> None:
        """Writes rows of every hypothesis with its references into out."""

    def pairs(self, hypotheses: Column, first: int, last: int, references: Column, out: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu')], threads: int) -> None:
        """
        Writes rows of the hypotheses in [first, last) with every single reference into out.
        """

class Ter:
    """
    Rows of edits, the mean length of references, insertions, deletions, substitutions, shifts and the length of the hypothesis.
    """

    def __init__(self, tercom: bool, from_reference: bool, longest_shift: int) -> None: ...

    def rows(self, hypotheses: Column, references: Column, reference_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu')], threads: int) -> None:
        """Writes rows of every hypothesis with its references into out."""

    def pairs(self, hypotheses: Column, first: int, last: int, references: Column, out: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu')], threads: int) -> None:
        """
        Writes rows of the hypotheses in [first, last) with every single reference into out.
        """

    def path(self, hypotheses: Column, hypothesis: int, references: Column, reference: int) -> tuple[list[tuple[int, int, int]], str]:
        """
        Shifts (start, length, target), then for each word ' ' (kept), s(ubstituted), d(eleted) or i(nserted).
        """

class DiagnosticOptions:
    """What is looked for in segments."""

    def __init__(self, fields: Sequence[int], all_zero: bool, latin_only: bool, at_blanks: bool, undivided: Sequence[str], sentences: bool, tokenized: bool) -> None:
        """
        Fields: those of a row that are 0 where a side has no token (any of them) or nothing matches (all).
        """

def diagnose(hypotheses: Column, references: Column, reference_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], rows: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu')], options: DiagnosticOptions, threads: int) -> tuple[dict[str, int], list[int]] | None:
    """
    How many segments each finding is of, and those (of a sample, if there are many) whose texts differ in forms of characters; None if none.
    """

def find_forms(hypotheses: Column, references: Column, reference_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int) -> list[int]:
    """The segments whose texts differ in forms of characters."""

def find_words_beside_ids(hypotheses: Column, references: Column, reference_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> tuple[int, int] | None:
    """
    The first hypothesis and reference of which one is words and the other ids.
    """
