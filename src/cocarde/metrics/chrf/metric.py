"""chrF (Popović, 2015), chrF+ and chrF++ (Popović, 2017) in every convention that is in use."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, ClassVar, NamedTuple

import numpy as np

from cocarde import _native
from cocarde._util.checks import read_choice
from cocarde.core.arithmetic import Arithmetic, Value, columns_of, total
from cocarde.core.columns import Batch, ColumnOptions, PreparedReferences
from cocarde.core.diagnostics import Diagnostics, Findings
from cocarde.core.metric import KernelMetric
from cocarde.core.options import choice, flag, is_release, number, option, short, whole
from cocarde.core.presets import Preset
from cocarde.core.score import Score
from cocarde.core.signature import Signature
from cocarde.core.statistics import Floats, Statistics
from cocarde.corpus.segments import Segments
from cocarde.errors import InputError, OptionError
from cocarde.tokenizers.base import NativeTokenizer

__all__ = ["CHRF", "CHRFScore"]

AVERAGES = ("corpus", "segments")
EPSILON = 1e-16  # of the reference implementations: stands for a number that would be divided by 0

# Far beyond any use; each order takes three numbers a segment.
_HIGHEST_ORDER = 1000
_ORDER = whole(0, _HIGHEST_ORDER)
_WHOLE = NativeTokenizer("whole", "whole")


@dataclass(frozen=True)
class _Formula:
    """What sets a convention's arithmetic apart, and the options it comes with."""

    reproduces: str
    beta: float = 2
    word_order: int = 0
    average: str = "corpus"
    # What becomes of white space unless it counts: that of str.split(), that of Unicode (without
    # U+001C to U+001F), or only that at both ends and blanks.
    spaces: str = "dropped"
    matched: bool = False  # an order without a match counts as 0 in a segment
    nothing: float = EPSILON  # what stands for a number that would be divided by 0
    # N-grams of the hypothesis count even where the reference is too short for that order, and a reference
    # with which nothing matches counts as one without n-grams.
    all_counted: bool = False


FORMULAS = {
    "sacrebleu": _Formula("2.6.0"),
    "popovic": _Formula("chrF++.py-0.1", word_order=2, spaces="blanks", matched=True),
    "nltk": _Formula("nltk-3.10", beta=3, average="segments", spaces="unicode"),
    "torch": _Formula(
        "torchmetrics-1.9", word_order=2, spaces="blanks", nothing=0.0, all_counted=True
    ),
}

PRESETS = {
    preset.name: preset
    for preset in (
        Preset("sacrebleu", "sacreBLEU 2.6.0, its defaults: chrF2, characters alone", {}),
        Preset("chrf+", "sacreBLEU 2.6.0 with word_order=1: chrF2+", {"word_order": 1}),
        Preset("chrf++", "sacreBLEU 2.6.0 with word_order=2: chrF2++", {"word_order": 2}),
        Preset(
            "popovic",
            "Popović's chrF++.py: the mean F of the orders; the line c6+w2-F2",
            {"formula": "popovic"},
        ),
        Preset(
            "nltk",
            "NLTK 3.10 corpus_chrf and sentence_chrf: chrF3, the mean over the segments",
            {"formula": "nltk"},
        ),
        Preset(
            "torch",
            "torchmetrics 1.9 CHRFScore, its defaults: chrF2++, the mean F of the orders",
            {"formula": "torch"},
        ),
    )
}


@dataclass(frozen=True, kw_only=True)
class CHRFScore(Score):
    """A chrF score with all that it was made of.

    Attributes
    ----------
    precision, recall : float
        Means over the orders that count, from 0 to 100.
    precisions, recalls, fmeasures : tuple of float
        Of each order, those of characters first, from 0 to 100.
    matches, hypothesis_totals, reference_totals : tuple of float
        N-grams of each order.
    char_order, word_order : int
        How many of the orders are of characters, and how many of words.
    beta : float

    Examples
    --------
    >>> from cocarde import CHRF
    >>> score = CHRF(word_order=2).sentence_score("the cats sat", "the cat sat")
    >>> print(score)
    chrF2++ = 64.44 (P = 58.46 R = 66.13)
    >>> score.matches[:2], score.matches[-2:]
    ((9.0, 8.0), (2.0, 0.0))
    """

    precision: float = 0.0
    recall: float = 0.0
    precisions: tuple[float, ...] = ()
    recalls: tuple[float, ...] = ()
    fmeasures: tuple[float, ...] = ()
    matches: tuple[float, ...] = ()
    hypothesis_totals: tuple[float, ...] = ()
    reference_totals: tuple[float, ...] = ()
    char_order: int = 6
    word_order: int = 0
    beta: float = 2.0

    def parts(self) -> Mapping[str, Score]:
        """Return the score by the metric's name, which its own name tells more exactly."""
        return {CHRF.name: self}

    def details(self) -> str:
        """Return mean precision and recall."""
        return f"(P = {self.precision:.2f} R = {self.recall:.2f})"


class OrderValues(NamedTuple):
    """Precision, recall and F (0 to 1) of each order, and which orders both texts have."""

    arithmetic: Arithmetic
    precisions: list[Value]
    recalls: list[Value]
    fmeasures: list[Value]
    present: list[Value]


def f_measure(
    of: Arithmetic, precision: Value, recall: Value, beta: float, otherwise: float
) -> Value:
    """Return (1 + beta²) P R / (beta² P + R); `otherwise` where that divides by 0."""
    factor = beta**2
    return of.ratio((1 + factor) * precision * recall, factor * precision + recall, otherwise)


def f_of_means(orders: OrderValues, beta: float) -> tuple[Value, Value, Value]:
    """Return the mean precision and recall of the orders that both texts have, and their F."""
    of, present = orders.arithmetic, orders.present
    count = of.maximum(sum(present), 1)
    precision, recall = (
        total([value * there for value, there in zip(values, present, strict=True)]) / count
        for values in (orders.precisions, orders.recalls)
    )
    return precision, recall, f_measure(of, precision, recall, beta, 0.0)


class _Read(NamedTuple):
    """Numbers of n-grams, order by order; `rest` holds the other fields."""

    arithmetic: Arithmetic
    hypothesis: list[Value]
    reference: list[Value]
    matches: list[Value]
    rest: list[Value]


@dataclass(frozen=True, kw_only=True)
class CHRF(KernelMetric[CHRFScore]):
    """chrF: F of n-grams of characters, and in chrF+ and chrF++ of words too.

    Parameters
    ----------
    char_order : int, default 6
        The longest n-grams of characters, 0 or more; 0 counts words alone.
    word_order : int, optional
        The longest n-grams of words, 0 or more: 1 is chrF+, 2 is chrF++. By default 0; 2 in the
        formulas "popovic" and "torch".
    beta : float, optional
        Weight of recall, 0 or more: recall counts beta times as much as precision. By default 2; 3
        in the formula "nltk".
    lowercase : bool, default False
        Whether case does not matter.
    whitespace : bool, default False
        Whether white space counts as characters.
    eps_smoothing : bool, optional
        Whether the score is the mean of the F of all orders, instead of the F of mean precision and
        mean recall over the orders that both texts have. By default only in the formulas "popovic",
        "nltk" and "torch", which know nothing else.
    min_char_order : int, default 1
        The shortest n-grams of characters.
    average : str, optional
        What a corpus score is: "corpus", the formula of the summed counts, or "segments", the mean of
        the segments' scores. By default "corpus"; "segments" in the formula "nltk".
    formula : str, default "sacrebleu"
        The convention's arithmetic: "sacrebleu", "popovic", "nltk" or "torch".

    Raises
    ------
    OptionError
        If an option is out of its range.

    Notes
    -----
    Of several references, the one with the best segment score counts; the first of those. A
    character is a Unicode code point. Texts are needed: characters of tokens are not defined.

    Examples
    --------
    >>> from cocarde import CHRF
    >>> chrf = CHRF()
    >>> round(chrf.corpus_score(["the cats sat"], ["the cat sat"]).score, 2)
    74.78
    >>> CHRF.preset("chrf++").signature.rpartition("|")[0]
    'nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no|version:2.6.0'

    References
    ----------
    Popović (2015): chrF: character n-gram F-score for automatic MT evaluation.
    Popović (2017): chrF++: words helping character n-grams.
    """

    name: ClassVar[str] = "chrF"
    reads_texts: ClassVar[bool] = True

    lowercase: bool = option(
        flag("lc", "mixed"), False, "Whether case does not matter.", key="case", always=True
    )
    eps_smoothing: bool = option(
        flag("no", "yes"),
        None,
        "Whether the score is the mean of the F of all orders.",
        key="eff",
        always=True,
        derive=lambda metric: metric.formula != "sacrebleu",
    )
    char_order: int = option(
        _ORDER, 6, "The longest n-grams of characters; 0: words alone.", key="nc", always=True
    )
    word_order: int = option(
        _ORDER,
        None,
        "The longest n-grams of words: 1 is chrF+, 2 is chrF++.",
        key="nw",
        always=True,
        derive=lambda metric: metric.convention.word_order,
    )
    whitespace: bool = option(
        flag(), False, "Whether white space counts as characters.", key="space", always=True
    )
    min_char_order: int = option(
        whole(1, _HIGHEST_ORDER), 1, "The shortest n-grams of characters.", key="ncmin"
    )
    beta: float = option(
        number(0, 1e6),
        None,
        "Weight of recall: it counts so many times as much as precision.",
        key="beta",
        derive=lambda metric: metric.convention.beta,
    )
    average: str = option(
        choice(AVERAGES),
        None,
        "What a corpus score is: the formula of the summed counts, or the mean of the segments' scores.",
        key="average",
        derive=lambda metric: metric.convention.average,
    )
    formula: str = option(
        choice(FORMULAS), "sacrebleu", "The convention's arithmetic.", key="formula"
    )

    @property
    def convention(self) -> _Formula:
        """What sets the formula apart."""
        return FORMULAS[read_choice("formula", self.formula, FORMULAS)]

    def check_together(self) -> None:
        """Check what holds between several options."""
        if self.char_order == 0 == self.word_order:
            raise OptionError("char_order and word_order are both 0, so nothing counts; raise one")
        if 0 < self.char_order < self.min_char_order:
            raise OptionError(
                f"min_char_order {self.min_char_order} is above char_order {self.char_order}, so no "
                f"n-gram of characters counts; say char_order=0 for words alone"
            )
        if self.formula != "sacrebleu" and not self.eps_smoothing:
            raise OptionError(
                f"eps_smoothing=False belongs to the formula 'sacrebleu'; {self.formula!r} always "
                f"takes the mean of the F of all orders"
            )

    # -- presets and signatures

    PRESETS: ClassVar[Mapping[str, Preset]] = PRESETS

    @classmethod
    def read_pairs(cls, signature: Signature, known: Iterable[str] = ()) -> dict[str, Any]:
        """Return the options that a signature prints; sacreBLEU tells beta in the score's name alone."""
        options = super().read_pairs(signature, known)
        if signature.name:
            match = _SCORE_NAME.fullmatch(signature.name)
            if match is None:
                raise OptionError(
                    f"{signature.name!r} is no name of a chrF score, such as chrF2 or chrF2++"
                )
            options.setdefault("beta", float(match[1]))
        return options

    def reproduces(self, *, tokens: bool = False) -> str:
        """Return the version of the reference implementation."""
        return self.convention.reproduces

    def accepts_version(self, version: str) -> bool:
        """Return whether a signature of this version means what is computed here: of any sacreBLEU."""
        return (
            is_release(version) if self.formula == "sacrebleu" else super().accepts_version(version)
        )

    @cached_property
    def score_name(self) -> str:
        """What sacreBLEU calls its score: chrF2, chrF2++ and so on."""
        return f"{self.name}{short(self.beta)}{'+' * self.word_order}"

    # -- what Metric asks for

    @cached_property
    def orders(self) -> tuple[tuple[str, int], ...]:
        """What is counted, ``("char", 1)`` to ``("word", 2)``, in the order of the statistics."""
        return _orders(self.min_char_order, self.char_order, self.word_order)

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """Names of the statistics: three counts of each order; a sum of scores where those count."""
        return _fields(self.orders, self._averages_segments)

    @property
    def _averages_segments(self) -> bool:
        return self.average == "segments"

    @cached_property
    def column_options(self) -> ColumnOptions:
        """How segments become tokens: each text is one."""
        return ColumnOptions(_WHOLE, self.lowercase)

    def _check_count(self, segments: Segments) -> None:
        super()._check_count(segments)
        if segments.is_tokens:
            raise InputError(
                f"{segments.argument}: chrF compares the characters of texts, and these are "
                f"sequences of tokens; give each segment as a str, such as ' '.join(tokens)"
            )

    def prepare(self, references: Any, *, kind: str = "text") -> PreparedReferences:
        """Read references once, to score many systems against them.

        Parameters
        ----------
        references : as in `statistics`
        kind : {"text"}
            chrF has no tokens.

        Returns
        -------
        PreparedReferences

        Raises
        ------
        InputError, OptionError
        """
        if kind == "tokens":
            raise OptionError("chrF compares the characters of texts: kind must be 'text'")
        return super().prepare(references, kind=kind)

    @cached_property
    def kernel(self) -> _native.Chrf:
        """What fills its rows."""
        formula = FORMULAS[self.formula]
        smoothed = "matched" if formula.matched else "smoothed"
        if formula.all_counted:
            smoothed = "single"
        return _native.Chrf(
            self.min_char_order,
            self.char_order,
            self.word_order,
            "counted" if self.whitespace else formula.spaces,
            smoothed if self.eps_smoothing else "effective",
            self.beta**2,
            self._averages_segments,
        )

    def _counts(self, values: Floats) -> Floats:
        """N-grams of the hypothesis, of the reference and in both, in the last axis, by order."""
        orders = len(self.orders)
        return values[..., : 3 * orders].reshape((*values.shape[:-1], orders, 3))

    def _check_values(self, values: Floats) -> None:
        super()._check_values(values)
        counts = self._counts(values)
        # Weighted sums of rows may differ by rounding.
        above = counts[..., 2] > counts[..., :2].min(axis=-1) * (1 + 1e-9)
        if above.any():
            wrong = np.zeros(values.shape, dtype=np.bool_)
            wrong[..., 2 : 3 * len(self.orders) : 3] = above
            self._refuse(values, wrong, "is more than there are n-grams of that order")
        if self._averages_segments and (values[..., -2] > 100 * (1 + 1e-9) * values[..., -1]).any():
            wrong = np.zeros(values.shape, dtype=np.bool_)
            wrong[..., -2] = values[..., -2] > 100 * (1 + 1e-9) * values[..., -1]
            self._refuse(values, wrong, "is more than 100 for each segment")

    def _read(self, values: Floats) -> _Read:
        """Return the fields of rows: n-grams of hypothesis, reference and both, order by order."""
        of, columns = columns_of(values)
        end = 3 * len(self.orders)
        return _Read(of, columns[0:end:3], columns[1:end:3], columns[2:end:3], columns[end:])

    def _order_values(self, read: _Read) -> OrderValues:
        """Apply the formulas of one order to each: P = matches / hypothesis, R = matches / reference.

        Where there is nothing to divide by, each is the formula's number for that.
        """
        of, beta, ratio = read.arithmetic, self.beta, read.arithmetic.ratio
        nothing = FORMULAS[self.formula].nothing
        precisions = [
            ratio(m, h, nothing) for m, h in zip(read.matches, read.hypothesis, strict=True)
        ]
        recalls = [ratio(m, r, nothing) for m, r in zip(read.matches, read.reference, strict=True)]
        fmeasures = [
            f_measure(of, precision, recall, beta, nothing)
            for precision, recall in zip(precisions, recalls, strict=True)
        ]
        present = [(h > 0) & (r > 0) for h, r in zip(read.hypothesis, read.reference, strict=True)]
        return OrderValues(of, precisions, recalls, fmeasures, present)

    def _means(self, read: _Read, orders: OrderValues, level: str) -> tuple[Value, Value, Value]:
        """Return mean precision and recall and the F that the corpus formula gives."""
        if not self.eps_smoothing:
            return f_of_means(orders, self.beta)
        fmeasures = orders.fmeasures
        if FORMULAS[self.formula].matched and level == "segment":
            fmeasures = [
                value * (matched > 0)
                for value, matched in zip(fmeasures, read.matches, strict=True)
            ]
        count = len(self.orders)
        return (
            total(orders.precisions) / count,
            total(orders.recalls) / count,
            total(fmeasures) / count,
        )

    def _average(self, read: _Read) -> Value:
        """Return the mean score of the segments."""
        scores, segments = read.rest
        return scores / read.arithmetic.maximum(segments, 1.0)

    def _evaluate(self, values: Floats, *, level: str) -> Floats:
        read = self._read(values)
        if self._averages_segments:
            return np.asarray(self._average(read))
        return np.asarray(100 * self._means(read, self._order_values(read), level)[2])

    def _score(self, totals: Statistics, *, level: str) -> CHRFScore:
        read = self._read(totals.values)
        orders = self._order_values(read)
        precision, recall, fmeasure = self._means(read, orders, level)
        score = self._average(read) if self._averages_segments else 100 * fmeasure
        return CHRFScore._of(  # noqa: SLF001  (a part of Score)
            name=self.score_name,
            score=score,
            signature=self._signature_text(totals, level),
            warnings=self._warnings(score, read),
            precision=100 * precision,
            recall=100 * recall,
            precisions=_percent(orders.precisions),
            recalls=_percent(orders.recalls),
            fmeasures=_percent(orders.fmeasures),
            matches=tuple(read.matches),
            hypothesis_totals=tuple(read.hypothesis),
            reference_totals=tuple(read.reference),
            char_order=self.char_order,
            word_order=self.word_order,
            beta=self.beta,
        )

    def _warnings(self, score: float, read: _Read) -> tuple[str, ...]:
        if score > 1e-12:  # that of their epsilon is of the order of 1e-14
            return ()
        # Where nothing matches, the row of "torch" does not tell what the reference has.
        if not any(read.reference) and not FORMULAS[self.formula].all_counted:
            return ("the score is 0 because the reference has no n-gram of these orders",)
        if not any(read.hypothesis):
            return ("the score is 0 because the hypothesis has no n-gram of these orders",)
        return ("the score is 0 because no n-gram matches",)

    @cached_property
    def _diagnostics(self) -> Diagnostics:
        # Characters need no blanks between words; the words of chrF++ do.
        undivided = None if self.word_order else ()
        return Diagnostics(
            _WHOLE.name, at_blanks=True, undivided=undivided, divider=self.score_name
        )

    def _look(self, batch: Batch, values: Floats) -> Findings:
        findings = super()._look(batch, values)
        filled = int(np.count_nonzero(values[:, 1]))
        if filled < len(values):  # perhaps there are n-grams of another order
            filled = int(self._counts(values)[..., 1].any(axis=-1).sum())
        if filled == len(values) and "no_reference" not in findings:
            return findings
        if FORMULAS[
            self.formula
        ].all_counted:  # where nothing matches, the row is as of no reference
            filled = len(values) - self._count_blank(batch, np.flatnonzero(values[:, 1] == 0))
        # Also one that is too short for n-grams of these orders.
        return {**findings, "short": len(values) - filled, "no_reference": 0}

    @staticmethod
    def _count_blank(batch: Batch, segments: Iterable[int]) -> int:
        """Count those of the segments whose references are nothing but white space."""
        bounds = batch.offsets.tolist()
        text = batch.references.text
        return sum(
            not any(text(index).strip() for index in range(bounds[one], bounds[one + 1]))
            for one in segments
        )

    def _tokens_of(self, text: str, is_reference: bool) -> Sequence[str]:
        return "".join(text.split())

    def _remedy(self, kind: str, scripts: Sequence[str]) -> str:
        return "word_order=0 compares characters alone"

    def messages(self, findings: Findings, segments: int) -> list[str]:
        """Say what these counts of `observe`, among so many segments, mean."""
        messages = super().messages(findings, segments)
        if short := findings.get("short"):
            messages.append(
                f"the reference of {short} of {segments} segments is empty, or too short for n-grams of "
                f"these orders"
            )
        return messages


@lru_cache(maxsize=32)
def _orders(least: int, characters: int, words: int) -> tuple[tuple[str, int], ...]:
    return (
        *(("char", n) for n in range(least, characters + 1)),
        *(("word", n) for n in range(1, words + 1)),
    )


@lru_cache(maxsize=32)
def _fields(orders: tuple[tuple[str, int], ...], averages_segments: bool) -> tuple[str, ...]:
    counts = (
        f"{kind}_{n}_{what}"
        for kind, n in orders
        for what in ("hypothesis", "reference", "matches")
    )
    return (*counts, *(("scores", "segments") if averages_segments else ()))


def _percent(values: list[float]) -> tuple[float, ...]:
    return tuple([100 * value for value in values])


# --------------------------------------------------------------------------------------------------
# Signatures

_SCORE_NAME = re.compile(r"chrF([0-9]+(?:\.[0-9]+)?)\+*")
