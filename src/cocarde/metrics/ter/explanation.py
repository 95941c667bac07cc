"""How a TER score came to be: the shifts one by one, then the edit of each word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
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
    number,
    shown_ngram,
    shown_token,
)
from cocarde.core.explanation import Explanation, Material, check_agreement, described, explains
from cocarde.core.metric import Metric
from cocarde.errors import CocardeError
from cocarde.metrics.ter.metric import FORMULAS, TER, TERScore

__all__ = ["ShiftStep", "TERExplanation", "TERSegment", "WordEdit", "explain_ter"]

Token = str | int

KINDS = {"i": "insertion", "d": "deletion", "s": "substitution", " ": "kept"}


@dataclass(frozen=True)
class ShiftStep:
    """One phrase that moves, and the words of its text afterwards.

    Attributes
    ----------
    phrase : tuple of tokens
    start : int
        The place of its first word, from 0.
    target : int
        The place of its first word afterwards.
    words : tuple of tokens
        All of its text afterwards.
    """

    phrase: tuple[Token, ...]
    start: int
    target: int
    words: tuple[Token, ...] = field(repr=False)


@dataclass(frozen=True)
class WordEdit:
    """What becomes of a word after all shifts.

    Attributes
    ----------
    kind : {"kept", "substitution", "deletion", "insertion"}
    hypothesis, reference : token or None
        None where that side has no word.
    """

    kind: str
    hypothesis: Token | None
    reference: Token | None


@dataclass(frozen=True)
class TERSegment:
    """A segment of a corpus: its number, edits, reference length and score."""

    index: int
    edits: float
    reference_length: float
    score: float


@dataclass(frozen=True, kw_only=True, repr=False)
class TERExplanation(Explanation):
    """How a TER score came to be.

    Attributes
    ----------
    edits, reference_length, insertions, deletions, substitutions, shifts, hypothesis_length : float
        As in `TERScore`.
    hypothesis : tuple of tokens
        Of one segment; so are the next five.
    references : tuple of tuples of tokens
    reference_edits : tuple of int
        How many edits each reference takes.
    chosen : int
        Which reference counts, from 1: the first of those with the fewest edits.
    moved : {"hypothesis", "reference"}
        Which text's phrases move.
    shift_steps : tuple of ShiftStep
        In turn.
    word_edits : tuple of WordEdit
        From left to right.
    segments : tuple of TERSegment
        Of a corpus.
    """

    edits: float
    reference_length: float
    insertions: float
    deletions: float
    substitutions: float
    shifts: float
    hypothesis_length: float
    hypothesis: tuple[Token, ...] = ()
    references: tuple[tuple[Token, ...], ...] = ()
    reference_edits: tuple[int, ...] = ()
    chosen: int = 0
    moved: str = "hypothesis"
    shift_steps: tuple[ShiftStep, ...] = ()
    word_edits: tuple[WordEdit, ...] = ()
    segments: tuple[TERSegment, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation as JSON can hold it."""
        return {
            **self._common_parts(),
            "rules": list(self.rules),
            "edits": self.edits,
            "reference_length": self.reference_length,
            "insertions": self.insertions,
            "deletions": self.deletions,
            "substitutions": self.substitutions,
            "shifts": self.shifts,
            "hypothesis_length": self.hypothesis_length,
            "hypothesis": list(self.hypothesis),
            "references": [list(tokens) for tokens in self.references],
            "reference_edits": list(self.reference_edits),
            "chosen": self.chosen,
            "moved": self.moved,
            "shift_steps": [
                {**asdict(step), "phrase": list(step.phrase), "words": list(step.words)}
                for step in self.shift_steps
            ],
            "word_edits": [asdict(edit) for edit in self.word_edits],
            "segments": [asdict(row) for row in self.segments],
        }

    # -- printing

    def document(self, *, max_rows: int = 200) -> Document:
        """Return what is printed."""
        parts: list[tuple[str, list[Block]]] = [("The convention in words", [Bullets(self.rules)])]
        if self.level == "segment":
            parts += [
                ("References", list(self._reference_blocks())),
                ("Shifts", list(self._shift_blocks(max_rows))),
                ("Edits of words", list(self._edit_blocks(max_rows))),
            ]
        else:
            parts.append(("Segments", list(self._segment_blocks())))
        parts.append(("The score", [Steps(self._steps())]))
        return self._arranged(parts)

    def _reference_blocks(self) -> Iterator[Block]:
        if len(self.references) < 2:
            return
        rows = [
            TableRow((f"{place}{' (counts)' if place == self.chosen else ''}", str(edits), str(len(words))))
            for place, (edits, words) in enumerate(
                zip(self.reference_edits, self.references, strict=True), 1
            )
        ]  # fmt: skip
        mean = ("mean", "", number(self.reference_length))
        yield Table(("reference", "edits", "words"), tuple(rows), (mean,))

    def _shift_blocks(self, max_rows: int) -> Iterator[Block]:
        words = self.hypothesis
        if self.moved == "reference":
            words = self.references[self.chosen - 1]
        yield _marked(self.moved, words, range(0), max_rows)
        if not self.shift_steps:
            yield Paragraph("No shift makes the edit distance smaller.")
        for place, step in enumerate(self.shift_steps[:max_rows], 1):
            yield Paragraph(
                f"Shift {place}: “{shown_ngram(step.phrase)}” goes from place {step.start + 1} to "
                f"place {step.target + 1}."
            )
            moved = range(step.target, step.target + len(step.phrase))
            yield _marked(f"after shift {place}", step.words, moved, max_rows)
        if (left_out := len(self.shift_steps) - max_rows) > 0:
            yield Paragraph(f"{left_out} more shifts are not shown, but count.")

    def _edit_blocks(self, max_rows: int) -> Iterator[Block]:
        shown = self.word_edits[:max_rows]
        rows = [
            TableRow(
                (
                    "" if edit.hypothesis is None else shown_token(edit.hypothesis),
                    "" if edit.reference is None else shown_token(edit.reference),
                    edit.kind,
                ),
                Mark.MATCHED if edit.kind == "kept" else Mark.UNMATCHED,
            )
            for edit in shown
        ]
        yield Table(("hypothesis", "reference", "edit"), tuple(rows), texts=(0, 1, 2))
        if (left_out := len(self.word_edits) - len(shown)) > 0:
            yield Paragraph(f"{left_out} more words are not shown, but count.")

    def _segment_blocks(self) -> Iterator[Block]:
        def rank(row: TERSegment) -> tuple[float, int]:
            return -row.score, row.index

        return self._segment_table(
            sorted(self.segments, key=rank),
            rank,
            ("edits", "reference words", "TER"),
            lambda row: (row.edits, row.reference_length, row.score),
            last=(("all", *map(number, (self.edits, self.reference_length, self.score))),),
        )

    def _steps(self) -> tuple[str, ...]:
        kinds = (self.insertions, self.deletions, self.substitutions, self.shifts)
        names = ("insertions", "deletions", "substitutions", "shifts")
        counted = " + ".join(
            f"{number(count)} {name}" for count, name in zip(kinds, names, strict=True)
        )
        lines = [f"edits = {counted} = {number(self.edits)}"]
        if self.reference_length:
            length = number(self.reference_length)
            lines.append(f"TER = 100 · {number(self.edits)} / {length} = {number(self.score)}")
        else:
            lines.append(f"TER = {number(self.score)}: there is no reference length to divide by")
        return tuple(lines)


def _marked(label: str, words: Sequence[Token], moved: range, max_rows: int) -> MarkedTokens:
    shown = tuple(
        (shown_token(word), Mark.MATCHED if place in moved else None)
        for place, word in enumerate(words[:max_rows])
    )
    more = f", the first {max_rows} of them" if len(words) > max_rows else ""
    return MarkedTokens(f"{label} ({len(words)} tokens{more})", shown)


# --------------------------------------------------------------------------------------------------
# The derivation: the way that the native core found, gone step by step


def _move(words: list[Token], start: int, length: int, target: int) -> tuple[list[Token], int]:
    """Return the words after a shift, and where the phrase is then."""
    phrase, rest = words[start : start + length], words[:start] + words[start + length :]
    # Words before the target that the phrase itself takes away do not count; a target within the
    # phrase is that many words behind its start.
    place = target - length if target > start + length else target
    place = min(place, len(rest))
    return rest[:place] + phrase + rest[place:], place


def _shift_steps(
    hypothesis: Sequence[Token], shifts: Sequence[tuple[int, int, int]]
) -> tuple[ShiftStep, ...]:
    words, steps = list(hypothesis), []
    for start, length, target in shifts:
        phrase = tuple(words[start : start + length])
        words, place = _move(words, start, length, target)
        steps.append(ShiftStep(phrase, start, place, tuple(words)))
    return tuple(steps)


def _word_edits(
    words: Sequence[Token], reference: Sequence[Token], edits: str
) -> tuple[WordEdit, ...]:
    mine, theirs = iter(words), iter(reference)
    found = []
    for letter in edits:
        one = WordEdit(
            KINDS[letter],
            None if letter == "i" else next(mine),
            None if letter == "d" else next(theirs),
        )
        if (one.kind == "kept") != (one.hypothesis == one.reference):
            raise CocardeError(
                f"the edits take {one.hypothesis!r} and {one.reference!r} for {one.kind}; this is a "
                f"defect of cocarde: please report it with the segment and the signature"
            )
        found.append(one)
    check_agreement("the number of edited words", len(list(mine)) + len(list(theirs)), 0)
    return tuple(found)


def _rules(ter: TER, tokens: bool) -> tuple[str, ...]:
    formula = FORMULAS[ter.formula]
    texts = ["Case matters." if ter.case_sensitive else "Texts are lower-cased."]
    if ter.normalized:
        apart = (
            " and CJK characters are words of their own"
            if ter.asian_support
            else " is a word of its own"
        )
        texts.append(f"Entities are decoded, and punctuation{apart}.")
        texts.append("References are normalized twice, hypotheses once, as sacreBLEU does it.")
    if ter.no_punct:
        texts.append("Punctuation is dropped.")
    whose = "Phrases of the reference" if formula.from_reference else "Phrases"
    moves = (
        f"{whose} move one after the other, each time the one that makes the edit distance smallest; "
        f"of equals the longest, then the first."
    )
    edits = (
        f"An edit inserts, deletes or replaces one word, or moves a phrase of at most "
        f"{formula.longest_shift} words."
    )
    if formula.from_reference:
        edits += " A hypothesis without words takes no edits."
    return (
        "Tokens are compared as they are." if tokens else " ".join(texts),
        edits,
        moves,
        "Of several references the one with the fewest edits counts, over their mean length.",
        "The score of a corpus is the sum of edits over the sum of reference lengths.",
    )


@explains(TER)
def explain_ter(metric: Metric[Any], material: Material, top: int) -> TERExplanation:
    """Explain a TER score; see `cocarde.explain`."""
    assert isinstance(metric, TER)
    totals = material.statistics.sum()
    score: TERScore = metric.compute(totals, level=material.level)
    parts = dict(zip(totals.fields, totals.values.tolist(), strict=True))
    given: dict[str, Any] = {}
    if material.level == "segment":
        given = _explain_segment(metric, material, parts)
    else:
        rows = zip(
            material.statistics["edits"].tolist(),
            material.statistics["reference_length"].tolist(),
            metric.compute(material.statistics, level="segment").tolist(),
            strict=True,
        )
        given["segments"] = tuple(TERSegment(index, *row) for index, row in enumerate(rows))
    edits, length = parts["edits"], parts["reference_length"]
    derived = 100 * edits / length if length else 100.0 * (edits > 0)
    check_agreement("the score", derived, score.score)
    return TERExplanation(
        **described(material, score, top),
        rules=_rules(metric, material.statistics.tokens),
        **parts,
        **given,
    )


def _explain_segment(metric: TER, material: Material, parts: dict[str, float]) -> dict[str, Any]:
    from_reference = FORMULAS[metric.formula].from_reference
    hypothesis, references = material.hypothesis_tokens(0), material.reference_tokens(0)
    first = int(material.offsets[0])
    paths = [
        metric.kernel.path(material.hypotheses, 0, material.references, first + place)
        for place in range(len(references))
    ]
    edits = [len(shifts) + len(way) - way.count(" ") for shifts, way in paths]
    chosen = edits.index(min(edits))
    shifts, way = paths[chosen]
    steps = _shift_steps(references[chosen] if from_reference else hypothesis, shifts)
    mine: Sequence[Token] = hypothesis
    theirs: Sequence[Token] = references[chosen]
    if steps and from_reference:
        theirs = steps[-1].words
    elif steps:
        mine = steps[-1].words
    # A reference becomes no hypothesis that has no words.
    word_edits = _word_edits(mine, theirs, way) if hypothesis or not from_reference else ()
    kinds = Counter(edit.kind for edit in word_edits)
    derived = {
        "edits": edits[chosen],
        "reference_length": sum(map(len, references)) / len(references),
        **{f"{kind}s": kinds[kind] for kind in ("insertion", "deletion", "substitution")},
        "shifts": len(steps),
        "hypothesis_length": len(hypothesis),
    }
    for name, value in derived.items():
        check_agreement(f"the statistic {name}", value, parts[name])
    return {
        "hypothesis": tuple(hypothesis),
        "references": tuple(map(tuple, references)),
        "reference_edits": tuple(edits),
        "chosen": chosen + 1,
        "moved": "reference" if from_reference else "hypothesis",
        "shift_steps": steps,
        "word_edits": word_edits,
    }
