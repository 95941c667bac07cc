"""How a ROUGE score came to be: matched n-grams, the common subsequence marked in both texts."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cocarde.core.documents import (
    Block,
    Bullets,
    Document,
    Mark,
    MarkedTokens,
    Paragraph,
    Steps,
    Table,
    TableRow,
    exact,
    number,
    shown_token,
)
from cocarde.core.explanation import Explanation, Material, check_agreement, described, explains
from cocarde.core.metric import Metric
from cocarde.core.ngrams import (
    MatchedNgram,
    count_ngrams,
    matched_ngrams,
    ngram_table,
    ngrams_to_dict,
)
from cocarde.core.statistics import Floats
from cocarde.metrics.rouge.metric import FORMULAS, ROUGE
from cocarde.metrics.rouge.score import MEASURES, ROUGEScore

__all__ = [
    "MARKED_CELLS",
    "ROUGEExplanation",
    "ROUGESegment",
    "Sentences",
    "Token",
    "TypeDerivation",
    "TypesExplanation",
    "common_subsequence",
    "explain_rouge",
    "marked_tokens",
    "segments_of",
    "walk_back",
]


Token = str | int

Sentences = Sequence[Sequence[Token]]

# Cells of the table of a longest common subsequence that plain Python fills: some seconds' work.
MARKED_CELLS = 4_000_000


@dataclass(frozen=True)
class TypeDerivation:
    """One type of ROUGE of a segment against one reference.

    Attributes
    ----------
    type : str
    reference : int
        Which reference, from 1.
    hits, hypothesis_total, reference_total : int
        What matches, and of how many.
    precision, recall, fmeasure : float
        From 0 to 1.
    ngrams : tuple of MatchedNgram
        Of a type that counts n-grams.
    hypothesis_tokens, reference_tokens : tuple of tokens
        Those that were aligned, for types of common subsequences.
    hypothesis_marks, reference_marks : tuple of Mark
        What became of each of them.
    """

    type: str
    reference: int
    hits: int
    hypothesis_total: int
    reference_total: int
    precision: float
    recall: float
    fmeasure: float
    ngrams: tuple[MatchedNgram, ...] = ()
    hypothesis_tokens: tuple[Token, ...] = field(default=(), repr=False)
    reference_tokens: tuple[Token, ...] = field(default=(), repr=False)
    hypothesis_marks: tuple[Mark, ...] = field(default=(), repr=False)
    reference_marks: tuple[Mark, ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class ROUGESegment:
    """A segment of a corpus: its number, and its F by type, from 0 to 100."""

    index: int
    scores: tuple[float, ...]


@dataclass(frozen=True, kw_only=True, repr=False)
class TypesExplanation(Explanation):
    """What explanations of every formula of ROUGE share: a part for each type.

    Attributes
    ----------
    types : tuple of str
    values : tuple of (precision, recall, fmeasure)
        Of each type, from 0 to 100.
    segments : tuple of ROUGESegment
        Of a corpus.
    """

    types: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]
    segments: tuple[ROUGESegment, ...] = ()

    @abstractmethod
    def _own_parts(self) -> dict[str, Any]:
        """Return what `to_dict` has of this formula alone."""

    @abstractmethod
    def _type_blocks(self, name: str, max_rows: int) -> Iterator[Block]:
        """Return what is printed of one type; nothing where there is nothing to tell."""

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation as JSON can hold it."""
        return {
            **self._common_parts(),
            "rules": list(self.rules),
            "types": {
                name: dict(zip(MEASURES, values, strict=True))
                for name, values in zip(self.types, self.values, strict=True)
            },
            **self._own_parts(),
            "segments": [
                {"index": row.index, "scores": dict(zip(self.types, row.scores, strict=True))}
                for row in self.segments
            ],
        }

    # -- printing

    def document(self, *, max_rows: int = 200) -> Document:
        """Return what is printed."""
        parts: list[tuple[str, list[Block]]] = [
            ("The convention in words", [Bullets(self.rules)]),
            ("Scores", [self._score_table()]),
        ]
        if self.level == "corpus":
            parts.append(("Segments", list(self._segment_blocks())))
        parts += [(name, list(self._type_blocks(name, max_rows))) for name in self.types]
        return self._arranged(parts)

    def _title(self, what: str) -> str:
        return f"{self.metric} of {what}: {', '.join(self.types)}"

    def _score_table(self) -> Table:
        rows = [
            TableRow((name, *map(number, values)))
            for name, values in zip(self.types, self.values, strict=True)
        ]
        return Table(("type", "P", "R", "F"), tuple(rows))

    def _all_segments(self) -> str:
        """What the last row of the table of segments is called."""
        return "mean of all"

    def _segment_blocks(self) -> Iterator[Block]:
        last = [number(values[2]) for values in self.values]
        return self._segment_table(
            self.segments,
            lambda row: (row.scores[0], row.index),
            self.types,
            lambda row: row.scores,
            last=((self._all_segments(), *last),),
            by=f" by {self.types[0]}",
        )


@dataclass(frozen=True, kw_only=True, repr=False)
class ROUGEExplanation(TypesExplanation):
    """How a ROUGE score came to be; also what `TypesExplanation` holds.

    Attributes
    ----------
    beta, epsilon : float
        Of the formula of F.
    hypothesis : tuple of tokens
        Of one segment; empty for a corpus.
    references : tuple of tuples of tokens
    derivations : tuple of TypeDerivation
        Of one segment: of each type, one a reference.
    """

    beta: float
    epsilon: float
    hypothesis: tuple[Token, ...] = ()
    references: tuple[tuple[Token, ...], ...] = ()
    derivations: tuple[TypeDerivation, ...] = ()

    def _own_parts(self) -> dict[str, Any]:
        return {
            "hypothesis": list(self.hypothesis),
            "references": [list(tokens) for tokens in self.references],
            "derivations": [
                {
                    "type": one.type,
                    "reference": one.reference,
                    "hits": one.hits,
                    "hypothesis_total": one.hypothesis_total,
                    "reference_total": one.reference_total,
                    "precision": one.precision,
                    "recall": one.recall,
                    "fmeasure": one.fmeasure,
                    "ngrams": ngrams_to_dict(one.ngrams),
                    "hypothesis_tokens": list(one.hypothesis_tokens),
                    "reference_tokens": list(one.reference_tokens),
                    "hypothesis_marks": [mark.value for mark in one.hypothesis_marks],
                    "reference_marks": [mark.value for mark in one.reference_marks],
                }
                for one in self.derivations
            ],
        }

    def _type_blocks(self, name: str, max_rows: int) -> Iterator[Block]:
        found = [one for one in self.derivations if one.type == name]
        for one in found:
            where = "" if len(found) == 1 else f"reference {one.reference}: "
            if one.ngrams:
                totals = one.hypothesis_total, one.reference_total, one.hits
                yield ngram_table(one.ngrams, totals, max_rows)
            if one.hypothesis_marks:
                yield Paragraph(
                    f"{where}Below each token: = in the common subsequence, ~ in it, but counted as "
                    f"often as the hypothesis has it, nothing: not in it."
                )
                yield marked_tokens("hypothesis", one.hypothesis_tokens, one.hypothesis_marks)
                label = "reference" if len(found) == 1 else f"reference {one.reference}"
                yield marked_tokens(label, one.reference_tokens, one.reference_marks)
            yield Steps(self._steps(one, where))

    def _steps(self, one: TypeDerivation, where: str) -> tuple[str, ...]:
        weight = "" if self.beta == 1 else f"{exact(self.beta)}² · "
        factor = "2" if self.beta == 1 else f"(1 + {exact(self.beta)}²)"
        epsilon = f" + {self.epsilon:g}" if self.epsilon else ""
        p, r, f = number(one.precision), number(one.recall), number(one.fmeasure)
        below = f"{r} + {weight}{p}{epsilon}"
        end = f" = {f}" if one.precision or one.recall or self.epsilon else _OVER_NOTHING
        return (
            f"{where}P = {_ratio(one.hits, one.hypothesis_total, p)}",
            f"{where}R = {_ratio(one.hits, one.reference_total, r)}",
            f"{where}F = {factor} · {p} · {r} / ({below}){end}",
        )


def _ratio(part: float, whole: float, value: str) -> str:
    """Print a ratio, or say that it is one over nothing."""
    return f"{part} / {whole}" + (f" = {value}" if whole else _OVER_NOTHING)


_OVER_NOTHING = ": a ratio over nothing is 0"


def marked_tokens(label: str, tokens: Sequence[Token], marks: Sequence[Mark]) -> MarkedTokens:
    """Return tokens with what became of each."""
    shown = tuple((shown_token(t), mark) for t, mark in zip(tokens, marks, strict=True))
    return MarkedTokens(f"{label} ({len(shown)} tokens)", shown)


def common_subsequence(rows: Sequence[Token], columns: Sequence[Token]) -> list[tuple[int, int]]:
    """Places, in rows and columns, of one longest common subsequence.

    Among several, the one that walks back from the last cell of the table: equal tokens are taken;
    else a column back, where that cell is larger than the one above; else a row back.

    Examples
    --------
    >>> common_subsequence("a b c".split(), "b x c".split())
    [(1, 0), (2, 2)]
    """
    table = [[0] * (len(columns) + 1)]
    for token in rows:
        above, row = table[-1], [0]
        for j, other in enumerate(columns):
            row.append(above[j] + 1 if token == other else max(above[j + 1], row[j]))
        table.append(row)
    return walk_back(rows, columns, table)


def walk_back(
    rows: Sequence[Token], columns: Sequence[Token], table: Sequence[Sequence[float]]
) -> list[tuple[int, int]]:
    """Return the places of equal tokens on the way back through the table of a subsequence."""
    places = []
    i, j = len(rows), len(columns)
    while i and j:
        if rows[i - 1] == columns[j - 1]:
            i, j = i - 1, j - 1
            places.append((i, j))
        elif table[i][j - 1] > table[i - 1][j]:
            j -= 1
        else:
            i -= 1
    return places[::-1]


def _flat(sentences: Sentences) -> list[Token]:
    return [token for sentence in sentences for token in sentence]


def _starts(sentences: Sentences) -> list[int]:
    starts = [0]
    for sentence in sentences:
        starts.append(starts[-1] + len(sentence))
    return starts


@dataclass
class _Alignment:
    """What common subsequences come to: hits of totals, and what became of each token."""

    hits: int
    hypothesis_total: int
    reference_total: int
    hypothesis: list[Mark]
    reference: list[Mark]


def _blank(hypothesis: Sequence[Token], reference: Sequence[Token]) -> _Alignment:
    sizes = len(hypothesis), len(reference)
    return _Alignment(0, *sizes, [Mark.UNMATCHED] * sizes[0], [Mark.UNMATCHED] * sizes[1])


def _align_whole(hypothesis: Sentences, reference: Sentences) -> _Alignment:
    mine, theirs = _flat(hypothesis), _flat(reference)
    found = _blank(mine, theirs)
    for row, column in common_subsequence(theirs, mine):
        found.reference[row] = found.hypothesis[column] = Mark.MATCHED
        found.hits += 1
    return found


def _align_summary(hypothesis: Sentences, reference: Sentences) -> _Alignment:
    """Union over the hypothesis's sentences, of each reference sentence; see rouge-score."""
    mine, theirs = _flat(hypothesis), _flat(reference)
    found = _blank(mine, theirs)
    left = Counter(mine)
    own, other = _starts(hypothesis), _starts(reference)
    for number_of_row, rows in enumerate(reference):
        union = set()
        for number_of_column, columns in enumerate(hypothesis):
            for row, column in common_subsequence(rows, columns):
                union.add(row)
                found.hypothesis[own[number_of_column] + column] = Mark.MATCHED
        for row in sorted(union):
            counted = left[rows[row]] > 0
            left[rows[row]] -= counted
            found.hits += counted
            place = other[number_of_row] + row
            found.reference[place] = Mark.MATCHED if counted else Mark.CLIPPED
    return found


def _align_pairs(hypothesis: Sentences, reference: Sentences, *, distinct: bool) -> _Alignment:
    """Over all pairs of sentences: distinct words, or lengths added; see pltrdy's rouge."""
    mine, theirs = _flat(hypothesis), _flat(reference)
    found = _blank(mine, theirs)
    own, other = _starts(hypothesis), _starts(reference)
    words: set[Token] = set()
    for i, rows in enumerate(hypothesis):
        for j, columns in enumerate(reference):
            for row, column in common_subsequence(rows, columns):
                words.add(rows[row])
                found.hits += 1
                found.hypothesis[own[i] + row] = Mark.MATCHED
                found.reference[other[j] + column] = Mark.MATCHED
    if distinct:
        found.hits = len(words)
        found.hypothesis_total, found.reference_total = len(set(mine)), len(set(theirs))
    return found


def _f(rouge: ROUGE, precision: float, recall: float) -> float:
    assert rouge.beta is not None
    weight = rouge.beta**2
    below = recall + weight * precision + FORMULAS[rouge.formula].epsilon
    return (1 + weight) * precision * recall / below if below > 0 else 0.0


def _derive(
    rouge: ROUGE, name: str, place: int, hypothesis: Sentences, reference: Sentences
) -> TypeDerivation:
    ngrams: tuple[MatchedNgram, ...] = ()
    marks: tuple[Sequence[Mark], Sequence[Mark]] = ((), ())
    tokens: tuple[Sequence[Token], Sequence[Token]] = ((), ())
    if name in ("rougeL", "rougeLsum"):
        union = FORMULAS[rouge.formula].union
        if name == "rougeLsum":
            aligned = _align_summary(hypothesis, reference)
        elif union:
            aligned = _align_pairs(hypothesis, reference, distinct=bool(rouge.exclusive))
        else:
            aligned = _align_whole(hypothesis, reference)
        hits, mine, theirs = aligned.hits, aligned.hypothesis_total, aligned.reference_total
        marks = aligned.hypothesis, aligned.reference
        tokens = _flat(hypothesis), _flat(reference)
    else:
        order = int(name[5:])
        counts = [count_ngrams(_flat(text), order) for text in (hypothesis, reference)]
        if rouge.exclusive:
            # A set would put them in another order in every process.
            counts = [Counter(dict.fromkeys(count, 1)) for count in counts]
        ngrams = matched_ngrams(*counts)
        hits = sum(row.matched for row in ngrams)
        mine, theirs = (sum(count.values()) for count in counts)
    precision, recall = hits / max(mine, 1), hits / max(theirs, 1)
    return TypeDerivation(
        type=name,
        reference=place,
        hits=hits,
        hypothesis_total=mine,
        reference_total=theirs,
        precision=precision,
        recall=recall,
        fmeasure=_f(rouge, precision, recall),
        ngrams=ngrams,
        hypothesis_tokens=tuple(tokens[0]),
        reference_tokens=tuple(tokens[1]),
        hypothesis_marks=tuple(marks[0]),
        reference_marks=tuple(marks[1]),
    )


def _combine(rouge: ROUGE, found: Sequence[TypeDerivation]) -> tuple[float, float, float]:
    triples = [(one.precision, one.recall, one.fmeasure) for one in found]
    if rouge.multiple == "best":
        return max(triples, key=lambda triple: triple[2])
    if rouge.multiple == "maxima":
        precision, recall = (max(values) for values in list(zip(*triples, strict=True))[:2])
        return precision, recall, _f(rouge, precision, recall)
    precision, recall, fmeasure = (sum(x) / len(triples) for x in zip(*triples, strict=True))
    return precision, recall, fmeasure


_MULTIPLE_RULES = {
    "best": "Of several references the one with the best F counts, for each type its own.",
    "maxima": "Of several references the best precision and the best recall count, even of two.",
    "mean": "Of several references the means of precision, recall and F count.",
}


def _rules(rouge: ROUGE) -> tuple[str, ...]:
    formula = FORMULAS[rouge.formula]
    counted = (
        "Distinct n-grams are compared: how often one occurs does not matter."
        if rouge.exclusive
        else "An n-gram matches as often as both texts have it."
    )
    rules = [counted, _MULTIPLE_RULES[str(rouge.multiple)]]
    if formula.union:
        rules.append(
            "rougeL looks for the longest common subsequence of every pair of sentences; "
            + (
                "their distinct words count together."
                if rouge.exclusive
                else "their lengths are added."
            )
        )
    elif "rougeL" in rouge.part_names:
        rules.append("rougeL is the longest common subsequence of the whole texts.")
    if "rougeLsum" in rouge.part_names:
        rules.append(
            "rougeLsum joins, for each reference sentence, its longest common subsequences with all "
            "hypothesis sentences; a word counts at most as often as the hypothesis has it."
        )
    rules.append("The score of a corpus is the mean over its segments.")
    return tuple(rules)


def segments_of(by_type: Mapping[str, Floats]) -> tuple[ROUGESegment, ...]:
    """Return the scores of each segment, given those of each type."""
    rows = zip(*(values.tolist() for values in by_type.values()), strict=True)
    return tuple(ROUGESegment(index, scores) for index, scores in enumerate(rows))


def _is_too_long(material: Material) -> bool:
    longest = max(map(len, material.reference_tokens(0)), default=0)
    return len(material.hypothesis_tokens(0)) * longest > MARKED_CELLS


@explains(ROUGE)
def explain_rouge(metric: Metric[Any], material: Material, top: int) -> ROUGEExplanation:
    """Explain a ROUGE score; see `cocarde.explain`."""
    assert isinstance(metric, ROUGE)
    score: ROUGEScore = metric.compute(material.statistics.sum(), level=material.level)
    notes = list(score.warnings)
    derivations: list[TypeDerivation] = []
    tokens: list[Token] = []
    references: list[list[Token]] = []
    segments: tuple[ROUGESegment, ...] = ()
    if material.level == "segment":
        first, last = int(material.offsets[0]), int(material.offsets[1])
        tokens, references = material.hypothesis_tokens(0), material.reference_tokens(0)
        mine = material.hypotheses.sentences(0)
        theirs = [material.references.sentences(index) for index in range(first, last)]
        too_long = _is_too_long(material)
        if too_long:
            notes.append("the texts are too long for their common subsequences to be shown here")
        for name in metric.part_names:
            if too_long and name in ("rougeL", "rougeLsum"):
                continue
            found = []
            by_sentence = name == "rougeLsum" or FORMULAS[metric.formula].joined
            for place, reference in enumerate(references, 1):
                pair: tuple[Sentences, Sentences] = (
                    (mine, theirs[place - 1]) if by_sentence else ([tokens], [reference])
                )
                found.append(_derive(metric, name, place, *pair))
            derivations += found
            for measure, value in zip(MEASURES, _combine(metric, found), strict=True):
                native = getattr(score[name], measure)
                check_agreement(f"the {measure} of {name}", 100 * value, native)
    else:
        by_type = metric.part_scores(material.statistics, level="segment")
        segments = segments_of(by_type)
        for name, values in by_type.items():
            check_agreement(f"the mean of {name}", float(values.mean()), score[name].fmeasure)
    assert metric.beta is not None
    return ROUGEExplanation(
        **{**described(material, score, top), "warnings": tuple(notes)},
        rules=_rules(metric),
        types=metric.part_names,
        values=tuple((one.precision, one.recall, one.fmeasure) for one in score.values()),
        beta=metric.beta,
        epsilon=FORMULAS[metric.formula].epsilon,
        hypothesis=tuple(tokens),
        references=tuple(map(tuple, references)),
        derivations=tuple(derivations),
        segments=segments,
    )
