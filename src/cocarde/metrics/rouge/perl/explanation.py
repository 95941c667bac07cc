"""How a score of ROUGE-1.5.5 came to be: what is counted, and what several references make of it.

Everything is derived from the texts in plain Python: reading, counting, and the program's rounding.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from cocarde import stemmers
from cocarde.core.documents import Block, Mark, Paragraph, Steps, exact, number
from cocarde.core.explanation import (
    Explanation,
    Material,
    check_agreement,
    described,
    explains,
    finite,
)
from cocarde.core.metric import Metric
from cocarde.core.ngrams import (
    MatchedNgram,
    Ngram,
    count_ngrams,
    matched_ngrams,
    ngram_table,
    ngrams_to_dict,
)
from cocarde.core.own_metrics import texts_of
from cocarde.core.statistics import Statistics
from cocarde.metrics.rouge.explanation import (
    MARKED_CELLS,
    TypesExplanation,
    common_subsequence,
    marked_tokens,
    segments_of,
    walk_back,
)
from cocarde.metrics.rouge.perl.metric import ROUGE155
from cocarde.metrics.rouge.perl.program import Rouge155Options, rouge155_rows
from cocarde.metrics.rouge.score import MEASURES, ROUGEScore

__all__ = [
    "Comparison",
    "MarkedSentence",
    "ROUGE155Explanation",
    "SetOfReferences",
    "TypeResult",
    "explain_rouge155",
]

Words = tuple[str, ...]
Triple = tuple[float, float, float]

# Pairs of words that plain Python counts: a second's work.
_COUNTED_PAIRS = 1_000_000


# --------------------------------------------------------------------------------------------------
# The value


@dataclass(frozen=True)
class Reading:
    """A text as the program reads it.

    Attributes
    ----------
    words : tuple of str
        Of the whole text.
    sentences : tuple of tuples of str
        The words of each sentence, as ROUGE-L and ROUGE-W read them: under a limit in bytes these
        are other words than those of the whole text.
    """

    words: Words
    sentences: tuple[Words, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the reading as JSON can hold it."""
        return {"words": list(self.words), "sentences": [list(one) for one in self.sentences]}


@dataclass(frozen=True)
class MarkedSentence:
    """A sentence of a reference, in ROUGE-L or ROUGE-W.

    Attributes
    ----------
    words : tuple of str
    marks : tuple of Mark
        MATCHED: on the common subsequence with any sentence of the hypothesis, and counted; CLIPPED:
        on one, but used up, since one of the texts does not have the word once more.
    subsequences : tuple of tuples of int
        For each sentence of the hypothesis, the places in `words` of their common subsequence; the
        marks are their union.
    runs : tuple of int
        Of ROUGE-W: how many marks in a row were weighted together.
    """

    words: Words
    marks: tuple[Mark, ...]
    subsequences: tuple[tuple[int, ...], ...]
    runs: tuple[int, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the sentence as JSON can hold it."""
        return {
            "words": list(self.words),
            "marks": [mark.value for mark in self.marks],
            "subsequences": [list(places) for places in self.subsequences],
            "runs": list(self.runs),
        }


@dataclass(frozen=True)
class Comparison:
    """One type of ROUGE of a hypothesis and one reference.

    Attributes
    ----------
    reference : int
        Which, from 1.
    matches, hypothesis_total, reference_total : float
        What matches, and of how many.
    rank : float
        The recall by which the best reference is chosen.
    ngrams : tuple of MatchedNgram
        N-grams of either text; of skip-bigrams (and single words, in "SU") those that match.
    sentences : tuple of MarkedSentence
        The reference's, for ROUGE-L and ROUGE-W.
    hypothesis_marks : tuple of tuples of Mark
        For each sentence of the hypothesis, which words lie on any common subsequence.
    is_shown : bool
        False where the texts are too long for their matches to be listed.
    """

    reference: int
    matches: float
    hypothesis_total: float
    reference_total: float
    rank: float
    ngrams: tuple[MatchedNgram, ...] = ()
    sentences: tuple[MarkedSentence, ...] = ()
    hypothesis_marks: tuple[tuple[Mark, ...], ...] = ()
    is_shown: bool = True

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as JSON can hold it."""
        return {
            "reference": self.reference,
            "matches": finite(self.matches),
            "hypothesis_total": finite(self.hypothesis_total),
            "reference_total": finite(self.reference_total),
            "rank": finite(self.rank),
            "ngrams": ngrams_to_dict(self.ngrams),
            "sentences": [one.to_dict() for one in self.sentences],
            "hypothesis_marks": [[mark.value for mark in one] for one in self.hypothesis_marks],
            "is_shown": self.is_shown,
        }


def _numbers_of(found: SetOfReferences | TypeResult) -> dict[str, float | None]:
    counts = ("matches", "hypothesis_total", "reference_total")
    return {name: finite(getattr(found, name)) for name in (*counts, *MEASURES)}


@dataclass(frozen=True)
class SetOfReferences:
    """What references come to together: all of them, or all but one where jackknifing.

    Attributes
    ----------
    references : tuple of int
        Which, from 1.
    counted : tuple of int
        Those whose counts stand below: all of the set, or the best.
    matches, hypothesis_total, reference_total : float
    precision, recall, fmeasure : float
        From 0 to 1.
    """

    references: tuple[int, ...]
    counted: tuple[int, ...]
    matches: float
    hypothesis_total: float
    reference_total: float
    precision: float
    recall: float
    fmeasure: float

    def to_dict(self) -> dict[str, Any]:
        """Return the set as JSON can hold it."""
        return {
            "references": list(self.references),
            "counted": list(self.counted),
            **_numbers_of(self),
        }


@dataclass(frozen=True)
class TypeResult:
    """One type of ROUGE of a segment; of a corpus where the counts of segments are added up.

    Attributes
    ----------
    type : str
    comparisons : tuple of Comparison
        One a reference; none of a corpus.
    sets : tuple of SetOfReferences
        One, or with jackknifing one for each reference left out.
    matches, hypothesis_total, reference_total : float
        Sums over the sets.
    precision, recall, fmeasure : float
        From 0 to 1.
    """

    type: str
    comparisons: tuple[Comparison, ...]
    sets: tuple[SetOfReferences, ...]
    matches: float
    hypothesis_total: float
    reference_total: float
    precision: float
    recall: float
    fmeasure: float

    def to_dict(self) -> dict[str, Any]:
        """Return the result as JSON can hold it."""
        return {
            "type": self.type,
            "comparisons": [one.to_dict() for one in self.comparisons],
            "sets": [one.to_dict() for one in self.sets],
            **_numbers_of(self),
        }


@dataclass(frozen=True, kw_only=True, repr=False)
class ROUGE155Explanation(TypesExplanation):
    """How a score of ROUGE-1.5.5 came to be; also what `TypesExplanation` holds.

    Attributes
    ----------
    options : Rouge155Options
    hypothesis : Reading or None
        Of one segment.
    references : tuple of Reading
    results : tuple of TypeResult
        Of each type; none of a corpus whose segments' scores are averaged.
    """

    options: Rouge155Options
    hypothesis: Reading | None = None
    references: tuple[Reading, ...] = ()
    results: tuple[TypeResult, ...] = ()

    def _own_parts(self) -> dict[str, Any]:
        return {
            "hypothesis": None if self.hypothesis is None else self.hypothesis.to_dict(),
            "references": [one.to_dict() for one in self.references],
            "results": [one.to_dict() for one in self.results],
        }

    # -- printing

    def _all_segments(self) -> str:
        return "mean of all" if self.options.counting_unit == "segment" else "counts of all"

    def _type_blocks(self, name: str, max_rows: int) -> Iterator[Block]:
        for result in self.results:
            if result.type == name:
                for one in result.comparisons:
                    yield from self._comparison_blocks(name, one, len(result.comparisons), max_rows)
                yield from self._set_blocks(result)
                yield Steps(tuple(self._final_steps(result)))

    def _comparison_blocks(
        self, name: str, one: Comparison, count: int, max_rows: int
    ) -> Iterator[Block]:
        several = count > 1
        if name in ("rougeL", "rougeW"):
            if one.is_shown:
                yield from self._sentence_blocks(one, several)
        elif one.ngrams:
            totals = one.hypothesis_total, one.reference_total, one.matches
            label = f"reference {one.reference}" if several else "reference"
            header = "skip-bigram that matches" if name.startswith("rougeS") else "n-gram"
            yield ngram_table(one.ngrams, totals, max_rows, header=header, reference=label)
        where = f"reference {one.reference}: " if several else ""
        yield Steps(tuple(self._count_steps(name, one, where)))

    def _sentence_blocks(self, one: Comparison, several: bool) -> Iterator[Block]:
        assert self.hypothesis is not None
        if one.reference == 1:
            yield Paragraph(
                "Below each word: = on a longest common subsequence, ~ on one, but used up, since one "
                "of the texts does not have the word once more, nothing: on none."
            )
        sentences = self.hypothesis.sentences
        beside = f"hypothesis beside reference {one.reference}" if several else "hypothesis"
        for place, sentence in enumerate(sentences):
            label = f"{beside}, sentence {place + 1}" if len(sentences) > 1 else beside
            yield marked_tokens(label, sentence, one.hypothesis_marks[place])
        beside = f"reference {one.reference}" if several else "reference"
        for place, marked in enumerate(one.sentences, 1):
            label = f"{beside}, sentence {place}" if len(one.sentences) > 1 else beside
            yield marked_tokens(label, marked.words, marked.marks)
            if len(sentences) > 1 and any(marked.subsequences):
                yield Steps(
                    tuple(
                        f"with sentence {position} of the hypothesis: "
                        + " ".join(marked.words[place] for place in places)
                        for position, places in enumerate(marked.subsequences, 1)
                        if places
                    )
                )

    def _count_steps(self, name: str, one: Comparison, where: str) -> Iterator[str]:
        what = {"rougeL": "words", "rougeW": "weighted words"}.get(name, "n-grams")
        if name.startswith("rougeS"):
            what = "skip-bigrams and words" if name.startswith("rougeSU") else "skip-bigrams"
        if not one.is_shown:
            yield f"{where}the texts are too long for their matches to be listed here"
        if name == "rougeW":
            yield from self._weight_steps(one, where)
            return
        yield (
            f"{where}{number(one.matches)} {what} match, of {number(one.reference_total)} in the "
            f"reference and {number(one.hypothesis_total)} in the hypothesis"
        )

    def _weight_steps(self, one: Comparison, where: str) -> Iterator[str]:
        assert self.options.weight is not None
        assert self.hypothesis is not None
        weight = exact(self.options.weight)
        runs = [run for sentence in one.sentences for run in sentence.runs]
        terms = " + ".join(f"{run}^{weight}" for run in runs) or "0"
        matches = f" = {terms}" if one.is_shown else ""
        yield f"{where}matches{matches} = {number(one.matches)}, a term a run of words that count"
        sentences = self.references[one.reference - 1].sentences
        lengths = " + ".join(f"{len(words)}^{weight}" for words in sentences) or "0"
        yield f"{where}reference: ({lengths})^{weight} = {number(one.reference_total)}"
        length = len(self.hypothesis.words)
        yield f"{where}hypothesis: {length}^{weight} = {number(one.hypothesis_total)}"

    def _set_blocks(self, result: TypeResult) -> Iterator[Block]:
        by_place = {one.reference: one for one in result.comparisons}
        for one in result.sets:
            lines = []
            left_out = sorted(by_place.keys() - set(one.references))
            where = f"without reference {left_out[0]}: " if left_out else ""
            if len(one.references) > 1 and self.options.multiple_references == "best":
                ranks = ", ".join(
                    f"{number(by_place[place].rank)} (reference {place})"
                    for place in one.references
                )
                (best,) = one.counted
                lines.append(f"{where}recall {ranks}: reference {best} is the first of the best")
            elif len(one.counted) > 1:
                for label, field in (
                    ("matches", "matches"),
                    ("in the references", "reference_total"),
                    ("in the hypothesis, once a reference", "hypothesis_total"),
                ):
                    terms = " + ".join(
                        number(getattr(by_place[place], field)) for place in one.counted
                    )
                    lines.append(f"{where}{label} = {terms} = {number(getattr(one, field))}")
            if self.options.counting_unit == "segment":
                lines += self._formula_steps(result.type, one, where, self.options.rounded)
            if lines:
                yield Steps(tuple(lines))

    def _formula_steps(
        self, name: str, one: SetOfReferences | TypeResult, where: str, rounded: bool
    ) -> Iterator[str]:
        weighted = name == "rougeW" and self.options.counting_unit == "segment"
        for letter, total, value in (
            ("P", one.hypothesis_total, one.precision),
            ("R", one.reference_total, one.recall),
        ):
            ratio = f"{number(one.matches)} / {number(total)}"
            if total == 0:
                yield f"{where}{letter} = {ratio}: a ratio over nothing is 0"
                continue
            if weighted:
                assert self.options.weight is not None
                ratio = f"({ratio})^(1 / {exact(self.options.weight)})"
            yield f"{where}{letter} = {ratio} = {_shown(value, rounded)}"
        p, r = _shown(one.precision, rounded), _shown(one.recall, rounded)
        a = exact(self.options.alpha)
        below = f"((1 − {a}) · {p} + {a} · {r})"
        if (1 - self.options.alpha) * one.precision + self.options.alpha * one.recall > 0:
            yield f"{where}F = {p} · {r} / {below} = {_shown(one.fmeasure, rounded)}"
        else:
            yield f"{where}F = {p} · {r} / {below}: a ratio over nothing is 0"

    def _final_steps(self, result: TypeResult) -> Iterator[str]:
        if self.options.counting_unit == "token":
            if len(result.sets) > 1:
                for field in ("matches", "reference_total", "hypothesis_total"):
                    terms = " + ".join(number(getattr(one, field)) for one in result.sets)
                    label = field.replace("_", " ")
                    yield f"{label}, of all sets = {terms} = {number(getattr(result, field))}"
            yield from self._formula_steps(result.type, result, "", False)
        elif len(result.sets) > 1:
            for letter, measure in zip("PRF", MEASURES, strict=True):
                terms = " + ".join(
                    _shown(getattr(one, measure), self.options.rounded) for one in result.sets
                )
                value = number(getattr(result, measure))
                yield f"mean of {letter} = ({terms}) / {len(result.sets)} = {value}"
        yield (
            f"{result.type} = 100 · F = {number(100 * result.fmeasure)}   "
            f"(P {number(100 * result.precision)}, R {number(100 * result.recall)})"
        )


def _shown(value: float, rounded: bool) -> str:
    return f"{value:.5f}" if rounded else number(value)


# --------------------------------------------------------------------------------------------------
# Reading


_WORD = re.compile(rb"[a-z0-9]+")


def _fields(line: bytes) -> list[bytes]:
    """What white space parts; in front of the first word it makes an empty one."""
    found = line.split()
    return [b"", *found] if found and line[:1].isspace() else found


def _lines(text: str, options: Rouge155Options, *, each: bool) -> list[bytes]:
    """The lines within the limits; where `each`, a limit in bytes holds for every line anew."""
    lines = [line for line in text.encode("utf-8", "surrogatepass").split(b"\n") if line]
    left = options.word_limit or options.byte_limit
    if left is None:
        return lines
    kept = []
    for line in lines:
        parts = _fields(line)
        size = len(line) if options.word_limit is None else len(parts)
        if size >= left:
            kept.append(line[:left] if options.word_limit is None else b" ".join(parts[:left]))
            break
        kept.append(line)
        if not (each and options.word_limit is None):
            left -= size
    return kept


def read_text(text: str, options: Rouge155Options) -> Reading:
    r"""Tokenize a text as the program does.

    Examples
    --------
    >>> read_text("Well-known mice!\nOK", Rouge155Options(stemming=True)).sentences
    (('well', 'know', 'mouse'), ('ok',))
    """
    dropped = frozenset(options.stop_words)
    stem = stemmers.get("rouge-1.5.5" if options.exceptions else "porter")

    def words_of(line: bytes) -> Words:
        # Bytes have no letters outside ASCII, so that A to Z alone are lowered.
        found = (word.decode("ascii") for word in _WORD.findall(line.lower()))
        kept = (word for word in found if word not in dropped)
        if not options.stemming:
            return tuple(kept)
        return tuple(stem(word) if len(word) > 3 else word for word in kept)

    sentences = tuple(words_of(line) for line in _lines(text, options, each=True))
    whole = sentences
    if options.byte_limit is not None:
        whole = tuple(words_of(line) for line in _lines(text, options, each=False))
    return Reading(tuple(word for words in whole for word in words), sentences)


# --------------------------------------------------------------------------------------------------
# Counting


def five(value: float) -> float:
    """Round as printing with five decimals does."""
    return float(f"{value:.5f}")


def power(base: float, exponent: float) -> float:
    """Raise a number; infinity where that is beyond the numbers that there are."""
    try:
        return base**exponent  # type: ignore[no-any-return]
    except OverflowError:
        return math.inf


def weighted_subsequence(
    rows: Sequence[str], columns: Sequence[str], weight: float
) -> list[tuple[int, int]]:
    """Places of the common subsequence in which k matches in a row weigh k to the power of `weight`.

    Examples
    --------
    >>> weighted_subsequence("a b x c".split(), "a c a b".split(), 2)
    [(0, 2), (1, 3)]
    """
    table = [[0.0] * (len(columns) + 1)]
    runs = [0] * (len(columns) + 1)
    for word in rows:
        above, row, here = table[-1], [0.0], [0]
        for j, other in enumerate(columns):
            if word == other:
                run = runs[j]
                row.append(above[j] + power(run + 1, weight) - power(run, weight))
                here.append(run + 1)
            else:
                row.append(max(above[j + 1], row[j]))
                here.append(0)
        table.append(row)
        runs = here
    return walk_back(rows, columns, table)


def _compare_sentences(
    hypothesis: Reading, reference: Reading, weight: float | None
) -> tuple[float, tuple[MarkedSentence, ...], tuple[tuple[Mark, ...], ...]]:
    """The matches of ROUGE-L, or of ROUGE-W with a weight, and what was marked."""
    left = Counter(hypothesis.words) & Counter(reference.words)
    own = [[Mark.UNMATCHED] * len(words) for words in hypothesis.sentences]
    matches = 0.0
    marked = []
    for words in reference.sentences:
        subsequences = []
        for place, others in enumerate(hypothesis.sentences):
            pairs = (
                common_subsequence(words, others)
                if weight is None
                else weighted_subsequence(words, others, weight)
            )
            for _, column in pairs:
                own[place][column] = Mark.MATCHED
            subsequences.append(tuple(row for row, _ in pairs))
        union = {row for places in subsequences for row in places}
        marks = [Mark.UNMATCHED] * len(words)
        runs: list[int] = []
        run = 0
        for row in sorted(union):
            marks[row] = Mark.MATCHED if left[words[row]] > 0 else Mark.CLIPPED
            if marks[row] is Mark.CLIPPED:
                continue
            left[words[row]] -= 1
            run += 1
            # A run counts where it ends; one that ends at a word that is used up does not.
            if weight is not None and row + 1 not in union:
                runs.append(run)
                matches += power(run, weight)
                run = 0
            elif weight is None:
                matches += 1
        marked.append(MarkedSentence(words, tuple(marks), tuple(subsequences), tuple(runs)))
    return matches, tuple(marked), tuple(map(tuple, own))


def skip_bigrams(words: Words, gap: int | None, *, unigrams: bool) -> Counter[Ngram]:
    """Count pairs of words with at most so many between; with unigrams also the first of each.

    Examples
    --------
    >>> skip_bigrams(("a", "b", "c"), 0, unigrams=True)
    Counter({('a', 'b'): 1, ('b', 'c'): 1, ('a',): 1, ('b',): 1})
    """
    found: Counter[Ngram] = Counter()
    if gap is None:
        found.update(combinations(words, 2))
    else:
        for place, word in enumerate(words):
            found.update((word, other) for other in words[place + 1 : place + gap + 2])
    if unigrams:
        found.update((word,) for word in words[:-1])
    return found


def _pairs(length: int, gap: int | None) -> int:
    """How many pairs of words have at most so many between."""
    if gap is None or gap >= length:
        return length * (length - 1) // 2
    return sum(min(gap + 1, length - 1 - place) for place in range(length))


def _order(name: str) -> int:
    return int(name.removeprefix("rouge"))


class _Deriver:
    """Derives every type of one segment."""

    def __init__(
        self, options: Rouge155Options, hypothesis: str, references: Sequence[str]
    ) -> None:
        self.options = options
        self.texts = hypothesis, list(references)
        self.hypothesis = read_text(hypothesis, options)
        self.references = tuple(read_text(text, options) for text in references)

    def derive(self, name: str) -> TypeResult:
        """Return one type of the segment, from its comparisons to its score."""
        compare: Callable[[str, int], Comparison] = self._overlap
        if name in ("rougeL", "rougeW"):
            compare = self._subsequence
        comparisons = tuple(compare(name, place) for place in range(1, len(self.references) + 1))
        places = tuple(one.reference for one in comparisons)
        groups = [places]
        if self.options.jackknife and len(places) > 1:
            groups = [tuple(other for other in places if other != place) for place in places]
        sets = tuple(self._set(name, group, comparisons) for group in groups)
        sums = _sums(sets)
        if self.options.counting_unit == "token":
            values = _scores(self.options, *sums)
        else:
            precision, recall, fmeasure = (
                sum(getattr(one, measure) for one in sets) / len(sets) for measure in MEASURES
            )
            values = precision, recall, fmeasure
        return TypeResult(name, comparisons, sets, *sums, *values)

    def _native_matches(self, name: str, place: int) -> float:
        """What the core counts, for texts that are too long for plain Python."""
        alone = replace(self.options, counting_unit="token", jackknife=False)
        (row,) = rouge155_rows([self.texts[0]], [[self.texts[1][place - 1]]], alone)
        return float(row[3 * alone.types.index(name) + 2])

    def _subsequence(self, name: str, place: int) -> Comparison:
        weight = self.options.weight if name == "rougeW" else None
        reference = self.references[place - 1]
        mine = sum(map(len, self.hypothesis.sentences))
        lengths = [len(words) for words in reference.sentences]
        shown = mine * sum(lengths) <= MARKED_CELLS
        if weight is not None:
            shown = shown and math.isfinite(power(sum(lengths), weight))
        sentences: tuple[MarkedSentence, ...] = ()
        marks: tuple[tuple[Mark, ...], ...] = ()
        if shown:
            matches, sentences, marks = _compare_sentences(self.hypothesis, reference, weight)
        else:
            matches = self._native_matches(name, place)
        if weight is None:
            total, length = float(sum(lengths)), float(len(self.hypothesis.words))
            rank = matches / total if total else 0.0
        else:
            base = 0.0
            for one in lengths:
                base += power(one, weight)
            total, length = power(base, weight), power(len(self.hypothesis.words), weight)
            rank = power(matches / base, 1 / weight) if base else 0.0
        return Comparison(place, matches, length, total, rank, (), sentences, marks, shown)

    def _overlap(self, name: str, place: int) -> Comparison:
        pair = self.hypothesis.words, self.references[place - 1].words
        ngrams: tuple[MatchedNgram, ...] = ()
        if name.startswith("rougeS"):
            gap, unigrams = self.options.maximum_skip, name.startswith("rougeSU")
            totals = [
                _pairs(len(words), gap) + (max(len(words) - 1, 0) if unigrams else 0)
                for words in pair
            ]
            shown = sum(totals) <= _COUNTED_PAIRS
            if shown:
                both = [skip_bigrams(words, gap, unigrams=unigrams) for words in pair]
                ngrams = tuple(row for row in matched_ngrams(*both) if row.matched)
        else:
            order, shown = _order(name), True
            totals = [max(len(words) - order + 1, 0) for words in pair]
            ngrams = matched_ngrams(*(count_ngrams(words, order) for words in pair))
        matches = (
            float(sum(row.matched for row in ngrams))
            if shown
            else self._native_matches(name, place)
        )
        mine, theirs = map(float, totals)
        rank = five(matches / theirs) if theirs else 0.0
        return Comparison(place, matches, mine, theirs, rank, ngrams, is_shown=shown)

    def _set(
        self, name: str, group: tuple[int, ...], comparisons: Sequence[Comparison]
    ) -> SetOfReferences:
        members = [comparisons[place - 1] for place in group]
        if self.options.multiple_references == "best":
            members = [max(members, key=lambda one: one.rank)]
        sums = _sums(members)
        exponent = 1.0
        if name == "rougeW":
            assert self.options.weight is not None
            exponent = 1 / self.options.weight
        values = _scores(self.options, *sums, exponent=exponent, rounded=self.options.rounded)
        return SetOfReferences(group, tuple(one.reference for one in members), *sums, *values)


def _sums(counts: Sequence[Comparison | SetOfReferences]) -> Triple:
    """Matches, and the totals of the hypothesis and of the references."""
    matches, mine, theirs = (
        sum(getattr(one, name) for one in counts)
        for name in ("matches", "hypothesis_total", "reference_total")
    )
    return matches, mine, theirs


def _scores(
    options: Rouge155Options,
    matches: float,
    hypothesis_total: float,
    reference_total: float,
    *,
    exponent: float = 1.0,
    rounded: bool = False,
) -> Triple:
    """Precision, recall and F of counts; a ratio over nothing is 0."""
    values = []
    for total in (hypothesis_total, reference_total):
        value = matches / total if total > 0 else 0.0
        value = value if exponent == 1.0 else power(value, exponent)
        values.append(five(value) if rounded else value)
    precision, recall = values
    below = (1 - options.alpha) * precision + options.alpha * recall
    fmeasure = precision * recall / below if below > 0 else 0.0
    return precision, recall, five(fmeasure) if rounded else fmeasure


# --------------------------------------------------------------------------------------------------
# The explanation


def _rules(options: Rouge155Options) -> tuple[str, ...]:
    rules = ["Words are the runs of a to z and 0 to 9 in the text with A to Z lowered."]
    for limit, what in ((options.word_limit, "words"), (options.byte_limit, "bytes")):
        if limit is not None:
            rules.append(f"The first {limit} {what} of each text are read.")
    if options.byte_limit is not None and {"rougeL", "rougeW"} & set(options.types):
        rules.append("rougeL and rougeW apply that limit to each sentence by itself.")
    if options.stop_words:
        rules.append(f"{len(options.stop_words)} stop words are dropped.")
    if options.stemming:
        first = "irregular forms by WordNet 2.0, the rest " if options.exceptions else ""
        rules.append(f"Words of more than three letters are stemmed: {first}by Porter's algorithm.")
    if options.orders:
        rules.append("An n-gram matches as often as both texts have it.")
    if options.longest_common_subsequence:
        rules.append(
            "rougeL joins, for each reference sentence, its longest common subsequences with all "
            "hypothesis sentences; a word counts at most as often as both texts have it."
        )
    if options.weight is not None:
        rules.append(
            f"rougeW does so with subsequences in which k words in a row weigh k^{options.weight:g}."
        )
    if options.skip_bigrams or options.skip_bigrams_with_unigrams:
        gap = "any number of" if options.maximum_skip is None else f"at most {options.maximum_skip}"
        rules.append(f"Skip-bigrams are pairs of words in their order, with {gap} words between.")
    if options.skip_bigrams_with_unigrams:
        rules.append("rougeSU counts single words too, but the last of a text.")
    rules.append(
        "Of several references the counts are added up; the hypothesis counts once for each."
        if options.multiple_references == "average"
        else "Of several references the first of those with the best recall counts."
    )
    if options.jackknife:
        rules.append("The score is the mean over all sets of references with one left out.")
    rules.append(
        f"F = P · R / ((1 − α) · P + α · R) with α = {options.alpha:g}; "
        + (
            "P, R and F of a segment are rounded to five decimals."
            if options.rounded and options.counting_unit == "segment"
            else "nothing is rounded."
        )
    )
    rules.append(
        "The score of a corpus is the mean over its segments; what the program prints as Average is the "
        "mean of 1,000 resamples of them."
        if options.counting_unit == "segment"
        else "The score of a corpus is that of the counts of all its segments."
    )
    return tuple(rules)


def _totals(options: Rouge155Options, sums: Statistics) -> tuple[TypeResult, ...]:
    """The counts of a corpus, and what they come to."""
    results = []
    for name in options.types:
        theirs, mine, matches = (
            float(sums[f"{name}_{field}"])
            for field in ("reference_count", "hypothesis_count", "matches")
        )
        values = _scores(options, matches, mine, theirs)
        results.append(TypeResult(name, (), (), matches, mine, theirs, *values))
    return tuple(results)


@explains(ROUGE155)
def explain_rouge155(metric: Metric[Any], material: Material, top: int) -> Explanation:
    """Explain a score of ROUGE-1.5.5; see `cocarde.explain`."""
    assert isinstance(metric, ROUGE155)
    options = metric.options
    sums = material.statistics.sum()
    score: ROUGEScore = metric.compute(sums, level=material.level)
    common: dict[str, Any] = {}
    if material.level == "segment":
        assert material.reference_segments is not None  # prepared references were refused
        (hypothesis,) = texts_of(material.segments, metric.name)
        deriver = _Deriver(options, hypothesis, texts_of(material.reference_segments, metric.name))
        common["hypothesis"], common["references"] = deriver.hypothesis, deriver.references
        common["results"] = tuple(deriver.derive(name) for name in options.types)
    else:
        by_type = metric.part_scores(material.statistics, level="segment")
        common["segments"] = segments_of(by_type)
        if options.counting_unit == "token":
            common["results"] = _totals(options, sums)
        else:
            for name, values in by_type.items():
                check_agreement(f"the mean of {name}", float(values.mean()), score[name].fmeasure)
    for result in common.get("results", ()):
        for measure in MEASURES:
            native = getattr(score[result.type], measure)
            derived = 100 * getattr(result, measure)
            check_agreement(f"the {measure} of {result.type}", derived, native)
    return ROUGE155Explanation(
        **described(material, score, top),
        rules=_rules(options),
        types=options.types,
        values=tuple((one.precision, one.recall, one.fmeasure) for one in score.values()),
        options=options,
        **common,
    )
