"""BLEU (Papineni et al., 2002) in every convention that is in use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, ClassVar

import numpy as np

from cocarde import _native, tokenizers
from cocarde._util.checks import read_choice, read_flag, read_number, read_whole_number
from cocarde._util.threads import get_num_threads, threads_for
from cocarde._version import __version__
from cocarde.core.arithmetic import columns_of
from cocarde.core.columns import Batch, ColumnOptions
from cocarde.core.diagnostics import Diagnostics
from cocarde.core.metric import Metric
from cocarde.core.presets import Preset, find_preset
from cocarde.core.score import Score
from cocarde.core.signature import TOKENS, Signature
from cocarde.core.signature_options import options_of, read_case, read_ignored, read_yes
from cocarde.core.statistics import Floats, Statistics
from cocarde.errors import OptionError
from cocarde.metrics.bleu.formulas import FORMULAS, FormulaResult, Totals
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
# Tokenizers whose input may well be tokenised already.
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
        "Moses multi-bleu.perl, on text that is tokenised already",
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


@dataclass(frozen=True, kw_only=True)
class BLEU(Metric[BLEUScore]):
    """BLEU: clipped n-gram precision with a brevity penalty.

    Parameters
    ----------
    tokenize : str, Tokenizer or callable, default "13a"
        How texts are cut; see `cocarde.tokenizers`. Token input skips it.
    lowercase : bool, default False
        Whether case is ignored, lower-casing as the tokenizer's peer does.
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
        Whether to keep quiet about text that looks tokenised already.
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

    tokenize: str | Tokenizer | Callable[[str], list[str]] = "13a"
    lowercase: bool = False
    smooth_method: str | None = None
    smooth_value: float | None = None
    max_ngram_order: int | None = None
    effective_order: bool | None = None
    weights: Sequence[float] | Sequence[Sequence[float]] | None = None
    formula: str = "sacrebleu"
    reference_length: str = "closest"
    clip: bool = True
    auto_reweigh: bool = False
    strip_right: bool | None = None
    force: bool = False
    ignore_ids: Iterable[int] | Callable[[str], bool] = ()
    vocabulary: Sequence[str] | None = None
    # The same as tokenize, weights and ignore_ids, in the form that the code below works with.
    _tokenizer: Tokenizer = field(init=False, repr=False, compare=False)
    _weight_sets: tuple[tuple[float, ...], ...] | None = field(
        init=False, repr=False, compare=False
    )
    _ignored: frozenset[int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Check the options and bring each to one form."""
        if not isinstance(self.formula, str) or self.formula not in FORMULAS:
            raise OptionError(f"unknown formula {self.formula!r}; there are {', '.join(FORMULAS)}")
        formula = FORMULAS[self.formula]
        self._set("_tokenizer", tokenizers.get(self.tokenize))
        self._set(
            "tokenize", self._tokenizer.name if isinstance(self.tokenize, str) else self._tokenizer
        )
        for option in ("lowercase", "clip", "auto_reweigh", "force"):
            self._set(option, read_flag(option, getattr(self, option)))
        self._check_smoothing(formula.smooth_methods)
        self._check_orders()
        read_choice("reference_length", self.reference_length, REFERENCE_LENGTHS)
        for option in ("effective_order", "strip_right"):
            if getattr(self, option) is not None:
                self._set(option, read_flag(option, getattr(self, option)))
        for option, owner in (("effective_order", "sacrebleu"), ("auto_reweigh", "nltk")):
            if getattr(self, option) and self.formula != owner:
                raise OptionError(
                    f"{option} belongs to the formula {owner!r}, not to {self.formula!r}"
                )
        if self.strip_right is None:
            self._set("strip_right", self.formula == "sacrebleu")
        self._settle_token_options()

    def _check_smoothing(self, methods: Mapping[str, float | None]) -> None:
        if self.smooth_method is None:
            self._set("smooth_method", next(iter(methods)))
        assert self.smooth_method is not None
        if not isinstance(self.smooth_method, str) or self.smooth_method not in methods:
            raise OptionError(
                f"smooth_method {self.smooth_method!r} is not one of the formula {self.formula!r}: "
                f"{', '.join(methods)}"
            )
        default = methods[self.smooth_method]
        if default is None:
            if self.smooth_value is not None:
                raise OptionError(f"smooth_method {self.smooth_method!r} takes no smooth_value")
            return
        value = default if self.smooth_value is None else self.smooth_value
        self._set("smooth_value", read_number("smooth_value", value))

    def _check_orders(self) -> None:
        order = self.max_ngram_order
        if order is not None:
            order = read_whole_number("max_ngram_order", order, 1, _HIGHEST_ORDER)
        self._set("_weight_sets", None)
        if self.weights is not None:
            sets = _read_weights(self.weights)
            self._set("_weight_sets", sets)
            longest = max(map(len, sets))
            if order is not None and order != longest:
                raise OptionError(f"there are {longest} weights but max_ngram_order is {order}")
            order = longest
            self._set("weights", sets if len(sets) > 1 else sets[0])
        self._set("max_ngram_order", 4 if order is None else order)
        if self.smooth_method == "method6" and self.order < 3:
            raise OptionError("smooth_method 'method6' needs n-grams of order 3 or more")

    # -- presets and signatures

    @classmethod
    def preset(cls, name: str, **overrides: Any) -> BLEU:
        """Return the metric that reproduces a reference implementation.

        Parameters
        ----------
        name : str
            One of `presets()`.
        **overrides
            Options of `BLEU` that replace the preset's.

        Returns
        -------
        BLEU

        Raises
        ------
        OptionError
            If there is no such preset.

        Examples
        --------
        >>> from cocarde import BLEU
        >>> BLEU.preset("nltk", smooth_method="method1").smooth_value
        0.1
        """
        preset = find_preset("BLEU", PRESETS, name)
        return cls(**{**preset.options, **overrides})

    @classmethod
    def presets(cls) -> dict[str, Preset]:
        """Return every preset by name."""
        return dict(PRESETS)

    @classmethod
    def from_signature(cls, text: str) -> BLEU:
        """Return the metric that a signature describes: cocarde's own or sacreBLEU's, of 1.x too.

        Parameters
        ----------
        text : str
            For example ``"nrefs:1|case:lc|eff:no|tok:intl|smooth:exp|version:2.6.0"``.

        Returns
        -------
        BLEU

        Raises
        ------
        OptionError
            If a key or value is unknown.

        Examples
        --------
        >>> from cocarde import BLEU
        >>> BLEU.from_signature("nrefs:1|case:lc|eff:no|tok:intl|smooth:exp|version:2.6.0").lowercase
        True
        """
        return cls(**options_of(text, _SIGNATURE_READERS, _SIGNATURE_NOTES))

    def signature_for(
        self, references_per_segment: int | None, *, level: str = "corpus", tokens: bool = False
    ) -> Signature:
        """Return the signature of a score at this level with so many references.

        Tokens are neither cut nor lower-cased: theirs says so, whatever the options are for texts.
        """
        smooth = str(self.smooth_method)
        if self.smooth_value is not None:
            # Two digits, as sacreBLEU prints, unless they would lose something.
            short = f"{self.smooth_value:.2f}"
            smooth += f"[{short if float(short) == self.smooth_value else repr(self.smooth_value)}]"
        pairs = [
            ("nrefs", "var" if references_per_segment is None else str(references_per_segment)),
            ("case", "lc" if self.lowercase and not tokens else "mixed"),
            ("eff", "yes" if self._effective(level) else "no"),
            ("tok", TOKENS if tokens else self._tokenizer.signature),
            ("smooth", smooth),
        ]
        default = BLEU.__dataclass_fields__
        if self.order != 4:
            pairs.append(("order", str(self.order)))
        if self._weight_sets is not None:
            rows = (",".join(map(repr, row)) for row in self._weight_sets)
            pairs.append(("weights", ";".join(rows)))
        if self.reference_length != default["reference_length"].default:
            pairs.append(("reflen", self.reference_length))
        if not self.clip:
            pairs.append(("clip", "no"))
        if self.auto_reweigh:
            pairs.append(("reweigh", "yes"))
        if self.strip_right != (self.formula == "sacrebleu") and not tokens:
            pairs.append(("strip", "yes" if self.strip_right else "no"))
        pairs += self._token_option_pairs()
        if self.formula != "sacrebleu":
            pairs.append(("formula", self.formula))
        version = _REPRODUCED[self.formula]
        if self.formula == "mteval" and not tokens:
            version = _VERSION_OF_TOKENIZER.get(self._tokenizer.name, version)
        pairs.append(("version", version))
        pairs.append(("cocarde", __version__))
        return Signature(tuple(pairs))

    # -- what Metric asks for

    @cached_property
    def order(self) -> int:
        """N, the highest n-gram order of the score."""
        assert self.max_ngram_order is not None
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
            bool(self.strip_right),
            self.formula == "torch",  # torchmetrics lowercases tokens
            self._ignored,
            self.vocabulary,  # type: ignore[arg-type]
        )

    @property
    def _minimum_total(self) -> int:
        return 1 if self.formula == "nltk" else 0

    def _fill(self, batch: Batch, out: Floats) -> None:
        _native.bleu_statistics(
            batch.hypotheses,
            batch.references,
            batch.offsets,
            self._counted_order,
            self.reference_length,
            self.clip,
            self._minimum_total,
            out,
            threads_for(len(out)),
        )

    def _fill_pairs(
        self,
        hypotheses: _native.Column,
        first: int,
        last: int,
        references: _native.Column,
        out: Floats,
    ) -> None:
        _native.bleu_pairwise(
            hypotheses,
            first,
            last,
            references,
            self._counted_order,
            self.clip,
            self._minimum_total,
            out,
            get_num_threads(),
        )

    def _check_values(self, values: Floats) -> None:
        super()._check_values(values)
        matches, totals = values[..., 2::2], values[..., 3::2]
        # Weighted sums of rows may differ by rounding.
        if (matches > totals).any() and (matches > totals * (1 + 1e-9)).any():
            wrong = np.zeros(values.shape, dtype=np.bool_)
            wrong[..., 2::2] = matches > totals * (1 + 1e-9)
            self._refuse(values, wrong, "is more than there are n-grams of that order")

    def _effective(self, level: str) -> bool:
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
        flag = self.auto_reweigh if self.formula == "nltk" else self._effective(level)
        value = 0.0 if self.smooth_value is None else self.smooth_value
        return FORMULAS[self.formula].compute(totals, weights, str(self.smooth_method), value, flag)

    def _evaluate(self, values: Floats, *, level: str, last: Floats | None = None) -> Floats:
        score = self._apply(self._totals(values, last), self._weight_rows[0], level).score
        return np.asarray(100 * score)

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


def _read_smooth(value: str) -> dict[str, Any]:
    method, bracket, rest = value.partition("[")
    if not bracket:
        return {"smooth_method": method}
    try:
        return {"smooth_method": method, "smooth_value": float(rest.removesuffix("]"))}
    except ValueError:
        raise OptionError(f"cannot read the smoothing {value!r} of a signature") from None


def _read_weight_text(value: str) -> dict[str, Any]:
    try:
        sets = [tuple(map(float, row.split(","))) for row in value.split(";")]
    except ValueError:
        raise OptionError(f"cannot read the weights {value!r} of a signature") from None
    return {"weights": sets if len(sets) > 1 else sets[0]}


def _read_int(option: str, value: str) -> dict[str, Any]:
    if not value.isdecimal():
        raise OptionError(f"{option} is a whole number in a signature, found {value!r}")
    return {option: int(value)}


def _effective_from(value: str) -> dict[str, Any]:
    # "no" is what every formula prints; it is an option of its own only for sacreBLEU's.
    return {"effective_order": True} if read_yes("eff", value) else {}


_SIGNATURE_READERS: dict[str, Callable[[str], dict[str, Any]]] = {
    "case": read_case,
    "eff": _effective_from,
    "tok": lambda value: {"tokenize": tokenizers.name_from_signature(value)},
    "smooth": _read_smooth,
    "order": lambda value: _read_int("max_ngram_order", value),
    "weights": _read_weight_text,
    "reflen": lambda value: {"reference_length": value},
    "clip": lambda value: {"clip": read_yes("clip", value)},
    "reweigh": lambda value: {"auto_reweigh": read_yes("reweigh", value)},
    "strip": lambda value: {"strip_right": read_yes("strip", value)},
    "ignore": read_ignored,
    "formula": lambda value: {"formula": value},
}
# What a signature tells about the data or the run, not about the metric. sacreBLEU's abbreviations
# are not read: they are ambiguous.
_SIGNATURE_NOTES = frozenset(
    {
        "nrefs",
        "version",
        "cocarde",
        "bs",
        "ar",
        "seed",
        "test",
        "lang",
        "origlang",
        "subset",
        "vocabulary",
    }
)
