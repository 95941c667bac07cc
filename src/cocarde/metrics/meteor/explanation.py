"""How a METEOR score came to be: the alignment, what its matches weigh, and the formula."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from cocarde.core.columns import Batch
from cocarde.core.documents import (
    Block,
    Bullets,
    Document,
    Paragraph,
    Picture,
    Steps,
    Table,
    TableRow,
    exact,
    number,
    shown_token,
)
from cocarde.core.explanation import (
    Explanation,
    Material,
    ScoredSegment,
    check_agreement,
    described,
    explains,
    finite,
)
from cocarde.core.metric import Metric
from cocarde.metrics.meteor.alignment import Alignment
from cocarde.metrics.meteor.metric import METEOR, METEORScore, StageMatches
from cocarde.metrics.meteor.nltk import METEORNLTK, METEORNLTKScore

__all__ = [
    "METEORExplanation",
    "METEORParts",
    "METEORReference",
    "METEORSegment",
    "explain_meteor",
    "explain_meteor_nltk",
]

_NAN = math.nan


# --------------------------------------------------------------------------------------------------
# The value


@dataclass(frozen=True)
class METEORParts:
    """The numbers between the counts and the score; nan where a formula gives none.

    Attributes
    ----------
    hypothesis_weight, reference_weight : float
        The weighted matches of each side.
    hypothesis_total, reference_total : float
        The weighted lengths.
    precision, recall, fmean, fragmentation, penalty, score : float
        From 0 to 1.
    """

    hypothesis_weight: float
    reference_weight: float
    hypothesis_total: float
    reference_total: float
    precision: float
    recall: float
    fmean: float
    fragmentation: float
    penalty: float
    score: float


@dataclass(frozen=True)
class METEORReference:
    """What a hypothesis scores with one reference: its number, from 1, and the score, 0 to 100."""

    reference: int
    score: float
    precision: float
    recall: float
    fmean: float
    fragmentation_penalty: float
    chunks: float


class METEORSegment(ScoredSegment):
    """A segment of a corpus: its number, from 0, and its score, 0 to 100."""


@dataclass(frozen=True, kw_only=True, repr=False)
class METEORExplanation(Explanation):
    """How a METEOR score came to be.

    Attributes
    ----------
    parameters : tuple of (str, float)
    stages : tuple of StageMatches
        Matched words by stage; those of all segments, of a corpus. Of NLTK's METEOR for a segment.
    lengths : tuple of float
        Words of hypothesis and reference, function words of both.
    matches : tuple of float
        Matched words of hypothesis and reference.
    chunks : float
        Of a corpus of METEOR 1.5 without those of the whole segments.
    whole_segments : int
        How many segments match entirely, in one chunk.
    parts : METEORParts or None
        None for a corpus of NLTK's METEOR, which is a mean.
    alignment : Alignment or None
        Of one segment, with the reference that counts.
    references : tuple of METEORReference
        Of one segment.
    segments : tuple of METEORSegment
        Of a corpus.
    steps : tuple of str
        The calculation, with the numbers put in.
    """

    parameters: tuple[tuple[str, float], ...]
    stages: tuple[StageMatches, ...]
    lengths: tuple[float, float, float, float]
    matches: tuple[float, float]
    chunks: float
    whole_segments: int
    parts: METEORParts | None
    steps: tuple[str, ...]
    alignment: Alignment | None = None
    references: tuple[METEORReference, ...] = ()
    segments: tuple[METEORSegment, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation as JSON can hold it."""
        lengths = (
            "hypothesis_length",
            "reference_length",
            "hypothesis_function_words",
            "reference_function_words",
        )
        return {
            **self._common_parts(),
            "rules": list(self.rules),
            "parameters": dict(self.parameters),
            "stages": [asdict(one) for one in self.stages],
            **dict(zip(lengths, self.lengths, strict=True)),
            "hypothesis_matches": self.matches[0],
            "reference_matches": self.matches[1],
            "chunks": self.chunks,
            "whole_segments": self.whole_segments,
            "parts": None
            if self.parts is None
            else {name: finite(value) for name, value in asdict(self.parts).items()},
            "steps": list(self.steps),
            "alignment": None if self.alignment is None else self.alignment.to_dict(),
            "references": [asdict(one) for one in self.references],
            "segments": [asdict(one) for one in self.segments],
        }

    # -- printing

    def document(self, *, max_rows: int = 200) -> Document:
        """Return what is printed."""
        return self._arranged(
            (
                ("The convention in words", [Bullets(self.rules)]),
                ("Segments", self._segment_blocks() if self.level == "corpus" else ()),
                ("References", self._reference_blocks()),
                ("The alignment", self._alignment_blocks(max_rows)),
                ("Matches by stage", self._stage_blocks()),
                ("From the counts to the score", [Steps(self.steps)]),
            )
        )

    def _segment_blocks(self) -> Iterator[Block]:
        return self._segment_table(
            self.segments,
            lambda row: (row.score, row.index),
            ("score",),
            lambda row: (row.score,),
            still="are in the sums",
        )

    def _reference_blocks(self) -> Iterator[Block]:
        if len(self.references) < 2 or self.alignment is None:
            return
        best = self.alignment.reference_index + 1
        header = ("reference", "P", "R", "Fmean", "chunks", "penalty", "score")
        rows = [
            TableRow(
                (
                    f"{one.reference}{' (counts)' if one.reference == best else ''}",
                    *map(number, (one.precision, one.recall, one.fmean, one.chunks)),
                    number(one.fragmentation_penalty),
                    number(one.score),
                )
            )
            for one in self.references
        ]
        yield Table(header, tuple(rows))
        yield Paragraph(
            f"Reference {best} has the highest score (the first of them, if several have it); all "
            "that follows is about it."
        )

    def _alignment_blocks(self, max_rows: int) -> Iterator[Block]:
        if self.alignment is None:
            return
        yield Picture(self.alignment)
        rows = []
        for chunk, run in enumerate(self.alignment.chunks, 1):
            for match in run:
                words = (
                    self.alignment.hypothesis[match.hypothesis_start : match.hypothesis_end],
                    self.alignment.reference[match.reference_start : match.reference_end],
                )
                sides = (" ".join(map(shown_token, side)) for side in words)
                rows.append(TableRow((str(chunk), match.stage, *sides)))
        hidden = len(rows) - max_rows
        footer = ((f"{hidden} more matches are not shown", "", "", ""),) if hidden > 0 else ()
        if rows:
            header = ("chunk", "stage", "hypothesis", "reference")
            yield Table(header, tuple(rows[:max_rows]), footer, texts=(0, 1, 2, 3))

    def _stage_blocks(self) -> Iterator[Block]:
        if not self.stages:
            return
        header = ("stage", "weight", "hypothesis", "of it function", "reference", "of it function")
        rows = [
            TableRow(
                (
                    one.stage,
                    exact(one.weight),
                    number(one.hypothesis_content + one.hypothesis_function),
                    number(one.hypothesis_function),
                    number(one.reference_content + one.reference_function),
                    number(one.reference_function),
                )
            )
            for one in self.stages
        ]
        sums = (
            sum(one.hypothesis_content + one.hypothesis_function for one in self.stages),
            sum(one.hypothesis_function for one in self.stages),
            sum(one.reference_content + one.reference_function for one in self.stages),
            sum(one.reference_function for one in self.stages),
        )
        yield Table(
            header,
            tuple(rows),
            (
                ("matched", "", *map(number, sums)),
                (
                    "all",
                    "",
                    number(self.lengths[0]),
                    number(self.lengths[2]),
                    number(self.lengths[1]),
                    number(self.lengths[3]),
                ),
            ),
        )


# --------------------------------------------------------------------------------------------------
# The derivation


def _divide(above: float, below: float) -> float:
    if below:
        return above / below
    return math.copysign(math.inf, above) if above else _NAN


def _weigh(
    content: Sequence[float], function: Sequence[float], weights: Sequence[float], delta: float
) -> float:
    return sum(
        weight * (delta * of_content + (1 - delta) * of_function)
        for weight, of_content, of_function in zip(weights, content, function, strict=True)
    )


def _derive(
    metric: METEOR,
    stages: Sequence[StageMatches],
    lengths: Sequence[float],
    matches: Sequence[float],
    chunks: float,
) -> METEORParts:
    assert metric.alpha is not None
    assert metric.beta is not None
    assert metric.gamma is not None
    assert metric.delta is not None
    weights, delta = [one.weight for one in stages], metric.delta
    hypothesis_weight = _weigh(
        [one.hypothesis_content for one in stages],
        [one.hypothesis_function for one in stages],
        weights,
        delta,
    )
    reference_weight = _weigh(
        [one.reference_content for one in stages],
        [one.reference_function for one in stages],
        weights,
        delta,
    )
    totals = [
        delta * (lengths[side] - lengths[2 + side]) + (1 - delta) * lengths[2 + side]
        for side in (0, 1)
    ]
    precision = _divide(hypothesis_weight, totals[0])
    recall = _divide(reference_weight, totals[1])
    fmean = _divide(1, _divide(1 - metric.alpha, precision) + _divide(metric.alpha, recall))
    fragmentation = _divide(chunks, (matches[0] + matches[1]) / 2)
    penalty = metric.gamma * fragmentation**metric.beta
    score = fmean * (1 - penalty)
    return METEORParts(
        hypothesis_weight,
        reference_weight,
        totals[0],
        totals[1],
        precision,
        recall,
        fmean,
        fragmentation,
        penalty,
        0.0 if math.isnan(score) else max(score, 0.0),
    )


def _weight_step(
    name: str, counts: Sequence[tuple[float, float, float]], delta: float, value: float
) -> str:
    terms = [
        f"{exact(weight)} · ({exact(delta)} · {number(content)} + {exact(_rest(delta))} · {number(function)})"
        for weight, content, function in counts
        if content or function
    ]
    return f"{name} = {' + '.join(terms) if terms else '0'} = {number(value)}"


def _steps(
    metric: METEOR,
    stages: Sequence[StageMatches],
    lengths: Sequence[float],
    matches: Sequence[float],
    chunks: float,
    parts: METEORParts,
) -> tuple[str, ...]:
    alpha, beta, gamma, delta = (float(x) for x in _parameter_values(metric))
    sides = []
    for name, letter, side, value, total in (
        ("hypothesis", "h", 0, parts.hypothesis_weight, parts.hypothesis_total),
        ("reference", "r", 1, parts.reference_weight, parts.reference_total),
    ):
        counts = [
            (
                one.weight,
                (one.hypothesis_content, one.reference_content)[side],
                (one.hypothesis_function, one.reference_function)[side],
            )
            for one in stages
        ]
        content = lengths[side] - lengths[2 + side]
        sides += [
            _weight_step(f"weighted matches of the {name}, m{letter}", counts, delta, value),
            (
                f"weighted length of the {name}, l{letter} = {exact(delta)} · {number(content)} + "
                f"{exact(_rest(delta))} · {number(lengths[2 + side])} = {number(total)}"
            ),
        ]
    p, r, f = _shown(parts.precision), _shown(parts.recall), _shown(parts.fmean)
    steps = [
        *sides,
        f"P = mh / lh = {number(parts.hypothesis_weight)} / {number(parts.hypothesis_total)} = {p}",
        f"R = mr / lr = {number(parts.reference_weight)} / {number(parts.reference_total)} = {r}",
        f"Fmean = 1 / ((1 − α) / P + α / R) = 1 / ({exact(_rest(alpha))} / {p} + {exact(alpha)} / {r}) = {f}",
        (
            f"fragmentation = chunks / mean of matched words = {number(chunks)} / "
            f"(({number(matches[0])} + {number(matches[1])}) / 2) = {_shown(parts.fragmentation)}"
        ),
        (
            f"penalty = γ · fragmentation^β = {exact(gamma)} · {_shown(parts.fragmentation)}^{exact(beta)} "
            f"= {_shown(parts.penalty)}"
        ),
    ]
    score = number(100 * parts.score)
    if math.isnan(parts.fmean * (1 - parts.penalty)):
        steps.append("score = 0, since without a match there is nothing to divide by")
    elif parts.penalty > 1:
        steps.append("score = 0, since the penalty is more than all")
    else:
        steps.append(
            f"score = 100 · Fmean · (1 − penalty) = 100 · {f} · (1 − {_shown(parts.penalty)}) = {score}"
        )
    return tuple(steps)


def _rest(share: float) -> float:
    """Return what is left of 1, without the last digit's error: 0.15, not 0.15000000000000002."""
    return round(1 - share, 12)


def _shown(value: float) -> str:
    return "undefined" if math.isnan(value) else number(value)


def _parameter_values(metric: METEOR) -> tuple[Any, Any, Any, Any]:
    return metric.alpha, metric.beta, metric.gamma, metric.delta


_STAGE_RULES = {
    "exact": "exact: the same word",
    "stem": "stem: words with the same stem",
    "synonym": "synonym: words that share a synset of WordNet",
    "paraphrase": "paraphrase: phrases of the paraphrase table",
}


def _rules(metric: METEOR, level: str, whole: int) -> tuple[str, ...]:
    assert metric.stages is not None
    assert metric.stage_weights is not None
    alpha, beta, gamma, delta = _parameter_values(metric)
    unit = "characters" if metric.character_based else "words"
    listed = "; ".join(
        f"{_STAGE_RULES[stage]} (weight {exact(weight)})"
        for stage, weight in zip(metric.stages, metric.stage_weights, strict=True)
    )
    rules = [
        (
            f"Language {metric.language}, task {metric.task or 'of one’s own parameters'}: "
            f"α = {exact(alpha)}, β = {exact(beta)}, γ = {exact(gamma)}, δ = {exact(delta)}."
        ),
        f"Words match by {listed}.",
        (
            "Of all ways to match each word at most once, the alignment is the one with the most matched "
            "words, then the fewest chunks, then the shortest distances, as far as a beam of "
            f"{metric.beam_size} finds it. In that, a match that is not exact counts half its words, "
            "rounded down on each side: a pair of single words counts nothing."
        ),
        f"Content words weigh δ, function words 1 − δ; matches and lengths are {unit}.",
        (
            "A chunk is a run of matches in the same order and without gap on both sides. A segment that "
            "matches entirely, in one chunk, is not fragmented and counts none."
        ),
        "Of several references the one with the highest score counts.",
    ]
    if level == "corpus":
        kind = "segment matches" if whole == 1 else "segments match"
        rules.append(
            "A corpus is scored from the sums over its segments, not as a mean of their scores; "
            f"{whole} {kind} entirely and added no chunk."
        )
    return tuple(rules)


def _count_again(metric: METEOR, alignment: Alignment) -> dict[str, float]:
    """Count a row's numbers from the words of an alignment."""
    assert metric.stages is not None
    functions = metric.weighed_as_function_words

    def size(word: str) -> int:
        # METEOR's characters are those of UTF-16.
        return len(word.encode("utf-16-le", "surrogatepass")) // 2 if metric.character_based else 1

    def count(words: Sequence[str], *, function: bool) -> int:
        return sum(size(word) for word in words if (word.lower() in functions) == function)

    row: dict[str, float] = {}
    for side in ("hypothesis", "reference"):
        words = getattr(alignment, side)
        row[f"{side}_length"] = sum(map(size, words))
        row[f"{side}_function_words"] = count(words, function=True)
        row[f"{side}_matches"] = 0
        for stage in metric.stages:
            row[f"{stage}_{side}_content"] = row[f"{stage}_{side}_function"] = 0
        for match in alignment.matches:
            start = getattr(match, f"{side}_start")
            end = getattr(match, f"{side}_end")
            row[f"{match.stage}_{side}_content"] += count(words[start:end], function=False)
            row[f"{match.stage}_{side}_function"] += count(words[start:end], function=True)
            row[f"{side}_matches"] += end - start
    row["chunks"] = len(alignment.chunks)
    whole = len(alignment.chunks) == 1 and all(
        sum(
            row[f"{stage}_{side}_{kind}"]
            for stage in metric.stages
            for kind in ("content", "function")
        )
        == row[f"{side}_length"]
        for side in ("hypothesis", "reference")
    )
    row["whole_segments"] = int(whole)
    return row


def _align(metric: METEOR | METEORNLTK, material: Material) -> tuple[list[Alignment], int]:
    batch = Batch(
        material.hypotheses,
        material.references,
        material.offsets,
        material.statistics.references_per_segment,
        material.statistics.tokens,
    )
    return metric.alignments(batch)


def _reference_rows(alignments: Sequence[Alignment]) -> tuple[METEORReference, ...]:
    return tuple(
        METEORReference(
            one.reference_index + 1,
            one.score.score,
            one.score.precision,
            one.score.recall,
            one.score.fmean,
            one.score.fragmentation_penalty,
            float(one.score.chunks),
        )
        for one in alignments
    )


@explains(METEOR)
def explain_meteor(metric: Metric[Any], material: Material, top: int) -> METEORExplanation:
    """Explain a METEOR score; see `cocarde.explain`."""
    assert isinstance(metric, METEOR)
    totals = material.statistics.sum()
    score: METEORScore = metric.compute(totals, level=material.level)
    row = dict(zip(totals.fields, totals.values.tolist(), strict=True))
    alignment = None
    references: tuple[METEORReference, ...] = ()
    segments: tuple[METEORSegment, ...] = ()
    if material.level == "segment":
        alignments, best = _align(metric, material)
        alignment, references = alignments[best], _reference_rows(alignments)
        for name, value in _count_again(metric, alignment).items():
            check_agreement(name, value, row[name])
        row |= _count_again(metric, alignment)
    else:
        scores = metric.compute(material.statistics.values, level="segment")
        segments = tuple(METEORSegment(*pair) for pair in enumerate(scores.tolist()))
    chunks = row["chunks"] - row["whole_segments"]
    lengths = (
        row["hypothesis_length"],
        row["reference_length"],
        row["hypothesis_function_words"],
        row["reference_function_words"],
    )
    matches = row["hypothesis_matches"], row["reference_matches"]
    parts = _derive(metric, score.stages, lengths, matches, chunks)
    for name, value in (
        ("precision", 100 * parts.precision),
        ("recall", 100 * parts.recall),
        ("fmean", 100 * parts.fmean),
        ("fragmentation_penalty", parts.penalty),
        ("score", 100 * parts.score),
    ):
        derived = 0.0 if math.isnan(value) else value
        check_agreement(f"the {name} of METEOR", derived, getattr(score, name))
    whole = round(row["whole_segments"])
    return METEORExplanation(
        **described(material, score, top),
        rules=_rules(metric, material.level, whole),
        parameters=tuple(
            zip(("alpha", "beta", "gamma", "delta"), _parameter_values(metric), strict=True)
        ),
        stages=score.stages,
        lengths=lengths,
        matches=matches,
        chunks=chunks,
        whole_segments=whole,
        parts=parts,
        steps=_steps(metric, score.stages, lengths, matches, chunks, parts),
        alignment=alignment,
        references=references,
        segments=segments,
    )


# --------------------------------------------------------------------------------------------------
# NLTK's METEOR


def _nltk_rules(metric: METEORNLTK, level: str) -> tuple[str, ...]:
    rules = [
        (
            f"NLTK's METEOR: α = {exact(metric.alpha)}, β = {exact(metric.beta)}, "
            f"γ = {exact(metric.gamma)}; "
            f"{'words in lower case' if metric.lowercase else 'words as they are'}."
        ),
        (
            "Words match greedily: each hypothesis word, from the last to the first, takes the last free "
            "reference word that is the same; what is left is matched by stem, then by WordNet, which is "
            "asked for the stems. Nothing is undone for the sake of fewer chunks."
        ),
        "All words and all matches weigh the same.",
        (
            "A chunk is a run of matches in the same order and without gap on both sides; a segment that "
            "matches entirely has one chunk, and pays for it."
        ),
        "Of several references the one with the highest score counts.",
    ]
    if level == "corpus":
        rules.append("The score of a corpus is the mean of its segments' scores.")
    return tuple(rules)


def _derive_nltk(metric: METEORNLTK, alignment: Alignment) -> METEORParts:
    matched, chunks = len(alignment.matches), len(alignment.chunks)
    sizes = len(alignment.hypothesis), len(alignment.reference)
    if not matched:
        return METEORParts(0, 0, *sizes, 0, 0, 0, 0, 0, 0)
    precision, recall = matched / sizes[0], matched / sizes[1]
    fmean = precision * recall / (metric.alpha * precision + (1 - metric.alpha) * recall)
    fragmentation = chunks / matched
    penalty = metric.gamma * fragmentation**metric.beta
    score = (1 - penalty) * fmean
    return METEORParts(
        matched, matched, *sizes, precision, recall, fmean, fragmentation, penalty, score
    )


def _nltk_steps(metric: METEORNLTK, parts: METEORParts, chunks: int) -> tuple[str, ...]:
    if not parts.hypothesis_weight:
        return ("no word matches: score = 0",)
    p, r, f = number(parts.precision), number(parts.recall), number(parts.fmean)
    alpha, matched = metric.alpha, number(parts.hypothesis_weight)
    return (
        f"P = matches / hypothesis words = {matched} / {number(parts.hypothesis_total)} = {p}",
        f"R = matches / reference words = {matched} / {number(parts.reference_total)} = {r}",
        (
            f"Fmean = P · R / (α · P + (1 − α) · R) = {p} · {r} / ({exact(alpha)} · {p} + "
            f"{exact(_rest(alpha))} · {r}) = {f}"
        ),
        f"fragmentation = chunks / matches = {chunks} / {matched} = {number(parts.fragmentation)}",
        (
            f"penalty = γ · fragmentation^β = {exact(metric.gamma)} · {number(parts.fragmentation)}"
            f"^{exact(metric.beta)} = {number(parts.penalty)}"
        ),
        (
            f"score = 100 · Fmean · (1 − penalty) = 100 · {f} · (1 − {number(parts.penalty)}) = "
            f"{number(100 * parts.score)}"
        ),
    )


def _nltk_stages(alignment: Alignment) -> tuple[StageMatches, ...]:
    counts = {
        stage: float(sum(match.stage == stage for match in alignment.matches))
        for stage in ("exact", "stem", "synonym")
    }
    return tuple(StageMatches(stage, 1.0, n, 0.0, n, 0.0) for stage, n in counts.items())


@explains(METEORNLTK)
def explain_meteor_nltk(metric: Metric[Any], material: Material, top: int) -> METEORExplanation:
    """Explain a score of NLTK's METEOR; see `cocarde.explain`."""
    assert isinstance(metric, METEORNLTK)
    score: METEORNLTKScore = metric.compute(material.statistics.sum(), level=material.level)
    alignment, parts = None, None
    stages: tuple[StageMatches, ...] = ()
    references: tuple[METEORReference, ...] = ()
    segments: tuple[METEORSegment, ...] = ()
    if material.level == "segment":
        alignments, best = _align(metric, material)
        alignment, references = alignments[best], _reference_rows(alignments)
        parts, stages = _derive_nltk(metric, alignment), _nltk_stages(alignment)
        steps = _nltk_steps(metric, parts, len(alignment.chunks))
        for name, value in (
            ("score", 100 * parts.score),
            ("precision", 100 * parts.precision),
            ("recall", 100 * parts.recall),
            ("fmean", 100 * parts.fmean),
            ("fragmentation_penalty", parts.penalty),
            ("matches", len(alignment.matches)),
            ("chunks", len(alignment.chunks)),
        ):
            check_agreement(f"the {name} of NLTK's METEOR", value, getattr(score, name))
    else:
        scores = metric.compute(material.statistics.values, level="segment").tolist()
        segments = tuple(METEORSegment(*pair) for pair in enumerate(scores))
        mean = math.fsum(scores) / len(scores)
        check_agreement("the mean of NLTK's METEOR", mean, score.score)
        steps = (
            (
                f"score = sum of the segments' scores / segments = {number(math.fsum(scores))} / "
                f"{len(scores)} = {number(score.score)}"
            ),
        )
    return METEORExplanation(
        **described(material, score, top),
        rules=_nltk_rules(metric, material.level),
        parameters=(("alpha", metric.alpha), ("beta", metric.beta), ("gamma", metric.gamma)),
        stages=stages,
        lengths=(float(score.hypothesis_length), float(score.reference_length), 0.0, 0.0),
        matches=(float(score.matches), float(score.matches)),
        chunks=float(score.chunks),
        whole_segments=0,
        parts=parts,
        steps=steps,
        alignment=alignment,
        references=references,
        segments=segments,
    )
