"""BLEU (Papineni et al., 2002) in every convention that is in use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, ClassVar

import numpy as np

from cocarde import _native, tokenizers
from cocarde._util.checks import read_choice, read_number
from cocarde.core.arithmetic import columns_of
from cocarde.core.columns import ColumnOptions
from cocarde.core.diagnostics import Diagnostics
from cocarde.core.metric import KernelMetric
from cocarde.core.options import (
    Key,
    Kind,
    choice,
    flag,
    is_release,
    number,
    option,
    read_whole,
    whole,
)
from cocarde.core.presets import Preset
from cocarde.core.score import Score
from cocarde.core.signature import TOKENS
from cocarde.core.statistics import Floats, Statistics
from cocarde.core.token_options import TOKENIZER, ignored_ids_option, vocabulary_option
from cocarde.errors import OptionError
from cocarde.metrics.bleu.formulas import FORMULAS, Formula, FormulaResult, Totals
from cocarde.tokenizers.base import Tokenizer

__all__ = ["BLEU", "BLEUScore", "Preset"]

REFERENCE_LENGTHS = ("closest", "closest-first", "shortest", "longest", "average")

# What each formula reproduces, for signatures; sacreBLEU's signature has no `formula` key.
_REPRODUCED = {
    "sacrebleu": "2.6.0",
    "mteval": "v13a,v14",  # the same arithmetic
    "multi-bleu": "moses-4.0",
    "nltk": "3.10",
    "coco": "pycocoevalcap-1.2",
    "nmt": "compute_bleu",
    "torch": "torchmetrics-1.9",
    "transformer": "write-up",
    "numpy": "write-up",
}

# Where the tokenizer is that of one version alone.
_VERSION_OF_TOKENIZER = {
    "mteval-v13a-intl": "v13a",
    "mteval-v13a-intl-split": "v13a",
    "mteval-intl": "v14",
    "mteval-intl-split": "v14",
}

# Far beyond any use; each order takes two numbers a segment.
_HIGHEST_ORDER = 1000
# Tokenizers whose input may well be tokenized already.
_FOR_TOKENIZED_TEXT = frozenset({"none", "multi-bleu"})
_HIGHEST_SCORE = 100 * (1 + 1e-9)  # beyond rounding
_PRACTICALLY_ZERO = 1e-6
_OF_LAST_SEGMENT = frozenset({"method5", "method6", "method7"})  # NLTK's


def _presets(*presets: Preset) -> dict[str, Preset]:
    return {preset.name: preset for preset in presets}


PRESETS = _presets(
    Preset("sacrebleu", "sacreBLEU 2.6.0, its defaults", {}),
    Preset(
        "mteval-v13a",
        "NIST mteval-v13a.pl: case-insensitive unless lowercase=False (its -c)",
        {"formula": "mteval", "tokenize": "mteval-v13a", "lowercase": True},
    ),
    Preset(
        "mteval-v13a-intl",
        "NIST mteval-v13a.pl --international-tokenization",
        {"formula": "mteval", "tokenize": "mteval-v13a-intl", "lowercase": True},
    ),
    Preset(
        "mteval-v14",
        "NIST mteval-v14.pl: the same numbers as v13a",
        {"formula": "mteval", "tokenize": "mteval-v13a", "lowercase": True},
    ),
    Preset(
        "mteval-v14-intl",
        "NIST mteval-v14.pl --international-tokenization",
        {"formula": "mteval", "tokenize": "mteval-intl", "lowercase": True},
    ),
    Preset(
        "multi-bleu",
        "Moses multi-bleu.perl, on text that is tokenized already",
        {"formula": "multi-bleu", "tokenize": "multi-bleu", "smooth_method": "none"},
    ),
    Preset(
        "multi-bleu-detok",
        "Moses multi-bleu-detok.perl",
        {"formula": "multi-bleu", "tokenize": "multi-bleu-detok", "smooth_method": "none"},
    ),
    Preset(
        "nltk",
        "NLTK 3.10 corpus_bleu and sentence_bleu on str.split()",
        {"formula": "nltk", "tokenize": "none", "smooth_method": "method0"},
    ),
    Preset(
        "coco",
        "pycocoevalcap 1.2 Bleu(4), closest reference length",
        {"formula": "coco", "tokenize": "none", "smooth_method": "none"},
    ),
    Preset(
        "nmt",
        "compute_bleu of TensorFlow NMT on str.split(): shortest reference",
        {
            "formula": "nmt",
            "tokenize": "none",
            "smooth_method": "none",
            "reference_length": "shortest",
        },
    ),
    Preset(
        "huggingface",
        'Hugging Face evaluate "bleu": compute_bleu on 13a tokens',
        {
            "formula": "nmt",
            "tokenize": "13a",
            "smooth_method": "none",
            "reference_length": "shortest",
            "strip_right": False,
        },
    ),
    Preset(
        "torch",
        "torchmetrics BLEUScore and torchtext bleu_score: the first closest reference",
        {
            "formula": "torch",
            "tokenize": "none",
            "smooth_method": "none",
            "reference_length": "closest-first",
        },
    ),
    Preset(
        "torch-sacrebleu",
        "torchmetrics SacreBLEUScore: 13a tokens, no smoothing",
        {
            "formula": "torch",
            "tokenize": "13a",
            "smooth_method": "none",
            "reference_length": "closest-first",
            "strip_right": False,
        },
    ),
    Preset(
        "transformer",
        "bleu_stats and get_bleu of Transformer tutorials: 0 if any statistic is 0",
        {"formula": "transformer", "tokenize": "none", "smooth_method": "none"},
    ),
    Preset(
        "numpy",
        "NumPy tutorials: n-grams counted without clipping, precisions floored at 1e-10",
        {"formula": "numpy", "tokenize": "none", "smooth_method": "precision-floor", "clip": False},
    ),
)


@dataclass(frozen=True, kw_only=True)
class BLEUScore(Score):
    """A BLEU score with all that it was made of.

    Attributes
    ----------
    precisions : tuple of float
        By n-gram order, from 0 to 100, smoothed as the convention does.
    matches, totals : tuple of float
        Clipped matches and number of hypothesis n-grams by order, before smoothing.
    brevity_penalty : float
        From 0 to 1.
    hypothesis_length, reference_length : float
        In tokens; the reference length is the sum of those chosen segment by segment.
    scores : tuple of float
        BLEU-1 to BLEU-N with uniform weights, from 0 to 100.
    weight_scores : tuple of float
        With several weight sets, the score of each; else the score alone.
    """

    precisions: tuple[float, ...] = ()
    matches: tuple[float, ...] = ()
    totals: tuple[float, ...] = ()
    brevity_penalty: float = 0.0
    hypothesis_length: float = 0.0
    reference_length: float = 0.0
    scores: tuple[float, ...] = ()
    weight_scores: tuple[float, ...] = ()

    @property
    def length_ratio(self) -> float:
        """Hypothesis length over reference length; 0 where the reference is empty."""
        return self.hypothesis_length / self.reference_length if self.reference_length else 0.0

    def details(self) -> str:
        """Return precisions, brevity penalty and lengths in sacreBLEU's format."""
        precisions = "/".join(f"{precision:.1f}" for precision in self.precisions)
        return (
            f"{precisions} (BP = {self.brevity_penalty:.3f} ratio = {self.length_ratio:.3f} "
            f"hyp_len = {self.hypothesis_length:.0f} ref_len = {self.reference_length:.0f})"
        )


def _read_weights(weights: Any) -> tuple[tuple[float, ...], ...]:
    if isinstance(weights, (str, Mapping)) or not isinstance(weights, Iterable):
        raise OptionError(
            f"weights is one number for each n-gram order, or several sets; found {weights!r}"
        )
    rows = list(weights)
    if not rows:
        raise OptionError("weights is empty; give one weight for each n-gram order")
    nested = [isinstance(row, Iterable) and not isinstance(row, str) for row in rows]
    if not any(nested):
        rows = [rows]
    elif not all(nested):
        raise OptionError(
            "weights mixes numbers and sets of weights; give one set or a list of sets"
        )
    sets = []
    for row in rows:
        values = tuple(read_number(f"weights[{n}]", weight) for n, weight in enumerate(row))
        if not values:
            raise OptionError("weights holds an empty set; give one weight for each n-gram order")
        if not any(values):
            raise OptionError(
                f"weights are all 0, which leaves nothing to score by; found {values}"
            )
        sets.append(values)
    return tuple(sets)


def _check_weights(name: str, value: Any) -> Any:
    sets = _read_weights(value)
    return sets if len(sets) > 1 else sets[0]


def _write_weights(value: Any) -> str:
    return ";".join(",".join(map(repr, row)) for row in _read_weights(value))


def _read_weight_text(text: str) -> Any:
    try:
        return [tuple(map(float, row.split(","))) for row in text.split(";")]
    except ValueError:
        raise ValueError("numbers with commas between are needed") from None


def _parse_weights(text: str) -> Any:
    """Read weights that may be fractions, such as 1/3."""
    from fractions import Fraction

    try:
        return [
            tuple(float(Fraction(x.strip())) for x in row.split(",")) for row in text.split(";")
        ]
    except (ZeroDivisionError, OverflowError):
        raise ValueError("numbers with commas between are needed") from None


def _all_methods() -> Iterable[str]:
    return dict.fromkeys(name for one in FORMULAS.values() for name in one.smooth_methods)


def _check_method(name: str, value: object) -> str:
    # Which there are depends on the formula; see `check_together`.
    return value if isinstance(value, str) else read_choice(name, value, _all_methods())


def _write_smooth(metric: BLEU, level: str, tokens: bool) -> str:
    value = metric.smooth_value
    if value is None:
        return metric.smooth_method
    # Two digits, as sacreBLEU prints, unless they would lose something.
    digits = f"{value:.2f}"
    return f"{metric.smooth_method}[{digits if float(digits) == value else repr(value)}]"


def _read_smooth(text: str) -> dict[str, Any]:
    method, bracket, rest = text.partition("[")
    if not bracket:
        return {"smooth_method": method}
    try:
        return {"smooth_method": method, "smooth_value": float(rest.removesuffix("]"))}
    except ValueError:
        raise ValueError("it is a method, with a number in brackets where it takes one") from None


def _write_effective(metric: BLEU, level: str, tokens: bool) -> str:
    return "yes" if metric.effective_at(level) else "no"


def _read_effective(text: str) -> dict[str, Any]:
    # "no" is what every formula prints; it is an option of its own only for sacreBLEU's.
    return {"effective_order": True} if flag().read(text) else {}


def _write_order(metric: BLEU, level: str, tokens: bool) -> str | None:
    return None if metric.max_ngram_order == 4 else str(metric.max_ngram_order)


@dataclass(frozen=True, kw_only=True)
class BLEU(KernelMetric[BLEUScore]):
    """BLEU: clipped n-gram precision with a brevity penalty.

    Parameters
    ----------
    tokenize : str, Tokenizer or callable, default "13a"
        How texts are tokenized; see `cocarde.tokenizers`. Token input skips it.
    lowercase : bool, default False
        Whether case is ignored, lower-casing as the reference implementation of the tokenizer does.
    smooth_method : str, default "exp"
        What an order without a match counts as. sacreBLEU's are "exp", "floor", "add-k" and "none";
        each `formula` has its own.
    smooth_value : float, optional
        For methods that take one: "floor" (0.1), "add-k" (1), NLTK's "method1" (ε, 0.1), "method4"
        and "method7" (k, 5), "method6" (α, 5), "precision-floor" (1e-10).
    max_ngram_order : int, default 4
        N, 1 or more.
    effective_order : bool, optional
        Whether orders longer than the segment are left out of the mean. By default only where single
        segments are scored, as sacreBLEU's command line does.
    weights : sequence of float, or several, optional
        One for each order; by default 1/N. Several sets give several scores in
        `BLEUScore.weight_scores`.
    formula : str, default "sacrebleu"
        The convention's arithmetic: "sacrebleu", "mteval", "multi-bleu", "nltk", "coco", "nmt",
        "torch", "transformer" or "numpy".
    reference_length : str, default "closest"
        Which length stands for a segment's references: "closest" to the hypothesis (the shorter on
        a tie), "closest-first" (the first on a tie), "shortest", "longest" or "average".
    clip : bool, default True
        Whether an n-gram counts at most as often as in the reference that has it most often.
    auto_reweigh : bool, default False
        NLTK's option: uniform weights over the orders that a text of under 4 tokens has.
    strip_right : bool, optional
        Whether trailing white space goes before the tokenizer sees the text; by default where
        sacreBLEU's formula does it.
    force : bool, default False
        Whether to keep quiet about text that looks tokenized already.
    ignore_ids : collection of int, or callable
        Integer tokens to drop, such as padding; or a predicate on the words of `vocabulary`.
    vocabulary : sequence of str, optional
        The word behind each id; ids of equal words are equal.

    Raises
    ------
    OptionError
        If an option is out of its range, or the formula does not know it.

    Examples
    --------
    >>> from cocarde import BLEU
    >>> score = BLEU().corpus_score(["the cat sat on the mat ."], ["the cat sat on a mat ."])
    >>> print(score)
    BLEU = 48.89 85.7/66.7/40.0/25.0 (BP = 1.000 ratio = 1.000 hyp_len = 7 ref_len = 7)
    >>> [round(value, 2) for value in score.scores]     # BLEU-1 to BLEU-4
    [85.71, 75.59, 61.14, 48.89]

    References
    ----------
    Papineni, Roukos, Ward and Zhu (2002): BLEU: a method for automatic evaluation of machine
    translation. Post (2018): A call for clarity in reporting BLEU scores.
    """

    name: ClassVar[str] = "BLEU"
    decodes_entities: ClassVar[bool] = True

    lowercase: bool = option(
        flag("lc", "mixed"),
        False,
        "Whether case does not matter.",
        key="case",
        always=True,
        of_tokens="mixed",
        short_flag="-lc",
    )
    effective_order: bool | None = option(
        flag(),
        None,
        "Whether orders longer than the segment are left out. (default: at segment level)",
        key=Key("eff", _write_effective, _read_effective),
    )
    tokenize: str | Tokenizer | Callable[[str], list[str]] = option(
        TOKENIZER,
        "13a",
        "How texts are tokenized; `cocarde tokenize --list` lists the ways.",
        key="tok",
        always=True,
        of_tokens=TOKENS,
        short_flag="-tok",
        metavar="NAME",
    )
    smooth_method: str = option(
        Kind(_check_method, values=_all_methods, described="a name"),
        None,
        "What an n-gram order without a match counts as.",
        key=Key("smooth", _write_smooth, _read_smooth),
        derive=lambda metric: next(iter(metric.convention.smooth_methods)),
        metavar="NAME",
    )
    smooth_value: float | None = option(
        number(0),
        None,
        "For smoothing methods that take one.",
        derive=lambda metric: metric.convention.smooth_methods.get(metric.smooth_method),
    )
    max_ngram_order: int = option(
        whole(1, _HIGHEST_ORDER),
        None,
        "The longest n-grams that count.",
        key=Key("order", _write_order, lambda text: {"max_ngram_order": read_whole(text)}),
        derive=lambda metric: (
            4 if metric.weights is None else max(map(len, _read_weights(metric.weights)))
        ),
    )
    weights: Sequence[float] | Sequence[Sequence[float]] | None = option(
        Kind(
            _check_weights,
            _write_weights,
            _read_weight_text,
            _parse_weights,
            described="numbers with commas between, one for each n-gram order",
            several=True,
        ),
        None,
        "One weight for each n-gram order, such as 0.5,0.5 or 1/3,1/3,1/3; repeated for several sets.",
        key="weights",
        metavar="W1,W2,...",
        joined=";",
    )
    reference_length: str = option(
        choice(REFERENCE_LENGTHS),
        "closest",
        "Which length stands for several references.",
        key="reflen",
        metavar="NAME",
    )
    clip: bool = option(
        flag(), True, "Whether an n-gram counts at most as often as in a reference.", key="clip"
    )
    auto_reweigh: bool = option(
        flag(), False, "NLTK's uniform weights for texts of under 4 tokens.", key="reweigh"
    )
    strip_right: bool = option(
        flag(),
        None,
        "Whether white space at the end goes before the tokenizer sees a text.",
        key="strip",
        derive=lambda metric: metric.formula == "sacrebleu",
        of_tokens="",
    )
    force: bool = option(
        flag(), False, "No warning about text that looks tokenized already.", flag="--force"
    )
    ignore_ids: Iterable[int] | Callable[[str], bool] = ignored_ids_option()
    vocabulary: Sequence[str] | None = vocabulary_option()
    formula: str = option(
        choice(FORMULAS),
        "sacrebleu",
        "The arithmetic of a convention alone; a preset brings its other options too.",
        key="formula",
        metavar="NAME",
    )

    @property
    def convention(self) -> Formula:
        """What sets the formula apart."""
        return FORMULAS[read_choice("formula", self.formula, FORMULAS)]

    def check_together(self) -> None:
        """Check what holds between several options."""
        methods = self.convention.smooth_methods
        if self.smooth_method not in methods:
            raise OptionError(
                f"smooth_method {self.smooth_method!r} is not one of the formula {self.formula!r}: "
                f"{', '.join(methods)}",
                option="smooth_method",
                value=self.smooth_method,
                choices=methods,
            )
        if methods[self.smooth_method] is None and self.smooth_value is not None:
            raise OptionError(f"smooth_method {self.smooth_method!r} takes no smooth_value")
        if self._weight_sets is not None:
            longest = max(map(len, self._weight_sets))
            if self.max_ngram_order != longest:
                raise OptionError(
                    f"there are {longest} weights but max_ngram_order is {self.max_ngram_order}"
                )
        if self.smooth_method == "method6" and self.order < 3:
            raise OptionError("smooth_method 'method6' needs n-grams of order 3 or more")
        for name, owner in (("effective_order", "sacrebleu"), ("auto_reweigh", "nltk")):
            if getattr(self, name) and self.formula != owner:
                raise OptionError(
                    f"{name} belongs to the formula {owner!r}, not to {self.formula!r}"
                )

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        return tokenizers.get(self.tokenize)

    @cached_property
    def _weight_sets(self) -> tuple[tuple[float, ...], ...] | None:
        return None if self.weights is None else _read_weights(self.weights)

    # -- presets and signatures

    PRESETS: ClassVar[Mapping[str, Preset]] = PRESETS

    def reproduces(self, *, tokens: bool = False) -> str:
        """Return the version of the reference implementation."""
        version = _REPRODUCED[self.formula]
        if self.formula == "mteval" and not tokens:
            version = _VERSION_OF_TOKENIZER.get(self._tokenizer.name, version)
        return version

    def accepts_version(self, version: str) -> bool:
        """Return whether a signature of this version means what is computed here."""
        if self.formula == "sacrebleu":
            return is_release(version)
        return version in (self.reproduces(), _REPRODUCED[self.formula])

    # -- what Metric asks for

    @cached_property
    def order(self) -> int:
        """N, the highest n-gram order of the score."""
        return self.max_ngram_order

    @cached_property
    def _counted_order(self) -> int:
        # NLTK's methods 5 and 7 look at 5-grams whatever the order of the score.
        return max(self.order, 5) if self.smooth_method in ("method5", "method7") else self.order

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """Names of the statistics: two lengths, then matches and total of each order."""
        return _fields(self._counted_order)

    @cached_property
    def column_options(self) -> ColumnOptions:
        """How segments become tokens."""
        return ColumnOptions(
            self._tokenizer,
            self.lowercase,
            self.strip_right,
            self.formula == "torch",  # torchmetrics lowercases tokens
            self.ignore_ids,  # type: ignore[arg-type]
            self.vocabulary,  # type: ignore[arg-type]
        )

    @cached_property
    def kernel(self) -> _native.Bleu:
        """What fills its rows."""
        minimum_total = 1 if self.formula == "nltk" else 0
        return _native.Bleu(self._counted_order, self.reference_length, self.clip, minimum_total)

    def _check_values(self, values: Floats) -> None:
        super()._check_values(values)
        matches, totals = values[..., 2::2], values[..., 3::2]
        # Weighted sums of rows may differ by rounding.
        if (matches > totals).any() and (matches > totals * (1 + 1e-9)).any():
            wrong = np.zeros(values.shape, dtype=np.bool_)
            wrong[..., 2::2] = matches > totals * (1 + 1e-9)
            self._refuse(values, wrong, "is more than there are n-grams of that order")

    def effective_at(self, level: str) -> bool:
        """Return whether orders longer than the segment are left out at this level."""
        if self.effective_order is None:
            return level == "segment" and self.formula == "sacrebleu"
        return self.effective_order

    @cached_property
    def _weight_rows(self) -> list[Floats]:
        """Weights of each set, padded with zeros to the highest order."""
        if self._weight_sets is None:
            return [np.full(self.order, 1 / self.order)]
        return [np.array(row + (0.0,) * (self.order - len(row))) for row in self._weight_sets]

    @cached_property
    def _all_weight_rows(self) -> Floats:
        """The sets asked for, then uniform ones for BLEU-1 to BLEU-N."""
        by_order = np.tri(self.order) / np.arange(1, self.order + 1)[:, None]
        return np.vstack([*self._weight_rows, by_order])

    def _totals(self, values: Floats, last: Floats | None) -> Totals:
        arithmetic, columns = columns_of(values)
        end = 2 + 2 * self.order
        if self.formula != "nltk":
            return Totals(arithmetic, columns[2:end:2], columns[3:end:2], columns[0], columns[1])
        final = columns if last is None else columns_of(last)[1]
        wide = self._counted_order > 4
        return Totals(
            arithmetic,
            columns[2:end:2],
            columns[3:end:2],
            columns[0],
            columns[1],
            final[10] if wide else None,
            final[11] if wide else None,
            final[0],
        )

    def _apply(self, totals: Totals, weights: Floats, level: str) -> FormulaResult:
        flag = self.auto_reweigh if self.formula == "nltk" else self.effective_at(level)
        value = 0.0 if self.smooth_value is None else self.smooth_value
        return FORMULAS[self.formula].compute(totals, weights, self.smooth_method, value, flag)

    def part_scores(self, statistics: Statistics, *, level: str = "corpus") -> Mapping[str, Floats]:
        """Return the scores (0 to 100) of rows over any leading axes, by name."""
        read = self._totals(statistics.values, statistics.last)
        score = self._apply(read, self._weight_rows[0], level).score
        return {self.name: np.asarray(100 * score)}

    def _score(self, totals: Statistics, *, level: str) -> BLEUScore:
        read = self._totals(totals.values, totals.last)
        sets = self._weight_rows
        scores: list[float]
        if not FORMULAS[self.formula].coupled:
            # One pass over rows of weights.
            result = self._apply(read, self._all_weight_rows, level)
            scores = (100 * result.score).tolist()
        else:
            results = [self._apply(read, weights, level) for weights in sets]
            result = results[0]
            scores = [100 * float(found.score) for found in results]
            for n in range(1, self.order + 1):
                alone = self._apply(read.first(n), np.full(n, 1 / n), level)
                scores.append(100 * float(alone.score))
        return BLEUScore._of(  # noqa: SLF001  (a part of Score)
            name=self.name,
            score=scores[0],
            signature=self._signature_text(totals, level),
            warnings=self._warnings(
                read,
                scores[0],
                totals.notes,
                level,
                # The totals of one segment are its own.
                totals.last is not None and not np.array_equal(totals.last, totals.values),
            ),
            precisions=tuple(result.percentages(read.arithmetic)),
            matches=tuple(read.matches),
            totals=tuple(read.totals),
            brevity_penalty=result.brevity_penalty,
            hypothesis_length=read.hypothesis_length,
            reference_length=read.reference_length,
            scores=tuple(scores[len(sets) :]),
            weight_scores=tuple(scores[: len(sets)]),
        )

    def _warnings(
        self, totals: Totals, score: float, notes: tuple[str, ...], level: str, several: bool
    ) -> tuple[str, ...]:
        found = []
        if self.smooth_method in _OF_LAST_SEGMENT and level == "corpus" and several:
            found.append(
                f"the score depends on the order of the segments: smooth_method "
                f"{self.smooth_method!r} reads the last one alone, as in NLTK"
            )
        if score > _HIGHEST_SCORE:
            found.append(
                f"the score is above 100 because smooth_method {self.smooth_method!r} raises "
                f"precisions, as in NLTK; it does not compare with other scores"
            )
        # What stands for 0 in some conventions gives a number of the order of 1e-77.
        if score > _PRACTICALLY_ZERO:
            return tuple(found)
        zero = "0" if score == 0 else f"practically 0 ({score:.2g})"
        return (*found, *self._zero_reasons(totals, zero, notes, level))

    @staticmethod
    def _zero_reasons(
        totals: Totals, zero: str, notes: tuple[str, ...], level: str
    ) -> tuple[str, ...]:
        if not totals.hypothesis_length:
            reason = notes[0] if notes else "the hypothesis has no tokens"
            return (f"the score is {zero} because {reason}",)
        # NLTK counts one n-gram where a segment has none.
        absent = [
            not total or n > totals.hypothesis_length for n, total in enumerate(totals.totals, 1)
        ]
        unmatched = [
            str(n) for n, found in enumerate(totals.matches, 1) if not found and not absent[n - 1]
        ]
        missing = [str(n) for n, found in enumerate(absent, 1) if found]
        if not unmatched and not missing:
            return ()
        short = (
            "the hypothesis is too short for"
            if level == "segment"
            else "no hypothesis is long enough for"
        )
        if unmatched:
            message = (
                f"the score is {zero} because no n-gram of order {', '.join(unmatched)} matches"
            )
            if missing:
                message += f"; {short} any of order {', '.join(missing)}"
        else:
            message = f"the score is {zero} because {short} n-grams of order {', '.join(missing)}"
        if totals.matches[0]:  # without a common word nothing tells texts apart
            message += "; a smoothing method or a lower max_ngram_order would tell such texts apart"
        return (message, *notes)

    @cached_property
    def _diagnostics(self) -> Diagnostics:
        name = self._tokenizer.name
        tokenized = not self.force and name not in _FOR_TOKENIZED_TEXT
        return Diagnostics(name, fields=self._length_fields, tokenized=tokenized)


@lru_cache(maxsize=32)
def _fields(order: int) -> tuple[str, ...]:
    names = ["hypothesis_length", "reference_length"]
    for n in range(1, order + 1):
        names += [f"matches_{n}", f"total_{n}"]
    return tuple(names)
