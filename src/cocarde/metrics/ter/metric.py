"""TER (Snover et al., 2006): edits of words and shifts of phrases, as Tercom counts them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, ClassVar

import numpy as np

from cocarde import _native
from cocarde._util.checks import read_choice, read_flag
from cocarde._util.threads import get_num_threads, threads_for
from cocarde._version import __version__
from cocarde.core.arithmetic import Arithmetic, Value, columns_of
from cocarde.core.columns import Batch, ColumnOptions
from cocarde.core.diagnostics import Diagnostics
from cocarde.core.metric import Metric
from cocarde.core.presets import Preset, find_preset
from cocarde.core.score import Score
from cocarde.core.signature import TOKENS, Signature
from cocarde.core.signature_options import options_of, read_case, read_ignored, read_yes
from cocarde.core.statistics import Floats, Statistics
from cocarde.errors import OptionError
from cocarde.tokenizers.tercom import java_tokenizer, tercom_tokenizer

__all__ = ["TER", "TERScore"]


@dataclass(frozen=True)
class _Formula:
    """What sets a convention's search for edits apart, and its way from texts to words."""

    reproduces: str
    tercom: bool = False  # the Java program's beam, targets and distances; no limit on candidates
    from_reference: bool = False  # the reference becomes the hypothesis
    longest_shift: int = 10
    java: bool = False  # texts are tokenized as the Java program does it
    twice: bool = False  # references are normalised twice


FORMULAS = {
    "sacrebleu": _Formula("2.6.0", twice=True),
    "torch": _Formula("torchmetrics-1.9", from_reference=True, longest_shift=9),
    "tercom": _Formula("tercom-0.8.0", tercom=True, java=True),
}

FIELDS = (
    "edits",
    "reference_length",
    "insertions",
    "deletions",
    "substitutions",
    "shifts",
    "hypothesis_length",
)
PRESETS = {
    preset.name: preset
    for preset in (
        Preset("sacrebleu", "sacreBLEU 2.6.0 TER, its defaults", {}),
        Preset(
            "torch",
            "torchmetrics 1.9 TranslationEditRate: phrases of the reference move, up to 9 words",
            {"formula": "torch"},
        ),
        Preset(
            "tercom",
            "the Java program Tercom 0.8.0, its defaults",
            {"formula": "tercom"},
        ),
    )
}


@dataclass(frozen=True, kw_only=True)
class TERScore(Score):
    """A TER score with the edits behind it; lower is better, and it may exceed 100.

    Attributes
    ----------
    edits : float
        Insertions, deletions, substitutions and shifts together.
    reference_length : float
        In words; of several references of a segment the mean length.
    insertions, deletions, substitutions : float
        Words to be added to the hypothesis, taken out of it, and replaced in it.
    shifts : float
        Phrases to be moved; one is one edit, however long it is and however far it goes.
    hypothesis_length : float
        In words.
    """

    edits: float = 0.0
    reference_length: float = 0.0
    insertions: float = 0.0
    deletions: float = 0.0
    substitutions: float = 0.0
    shifts: float = 0.0
    hypothesis_length: float = 0.0

    def details(self) -> str:
        """Return the edits by kind and the reference length."""
        return (
            f"({self.edits:.0f} edits: ins = {self.insertions:.0f} del = {self.deletions:.0f} "
            f"sub = {self.substitutions:.0f} shift = {self.shifts:.0f}; "
            f"ref_len = {self.reference_length:.1f})"
        )


@dataclass(frozen=True, kw_only=True)
class TER(Metric[TERScore]):
    """TER: the edits that turn a hypothesis into its reference, over the reference's length.

    An edit inserts, deletes or replaces a word, or moves a phrase. TER stands for Translation Edit
    Rate; it is an error rate, so lower is better.

    Parameters
    ----------
    normalized : bool, default False
        Whether lines are joined, XML entities decoded and punctuation parted from words before words
        are compared. References are normalised twice, as sacreBLEU does it: see Notes.
    no_punct : bool, default False
        Whether ``. , ? : ; ! " ( )`` are dropped.
    asian_support : bool, default False
        Whether `normalized` also puts every CJK character apart, and `no_punct` also drops CJK and
        full-width punctuation. By itself it changes nothing.
    case_sensitive : bool, default False
        Whether case matters.
    ignore_ids : collection of int, or callable
        Integer tokens to drop, such as padding; or a predicate on the words of `vocabulary`.
    vocabulary : sequence of str, optional
        The word behind each id; ids of equal words are equal.
    formula : str, default "sacrebleu"
        Whose search for edits it is, and whose way from texts to words: "sacrebleu", "torch" or
        "tercom".

    Raises
    ------
    OptionError
        If an option is out of its range.

    Notes
    -----
    The best order of shifts cannot be found in reasonable time. sacreBLEU moves, one after the other, the
    phrase that makes the edit distance smallest: of at most 10 words, which stand in the reference at
    most 50 words away; and the edit distance looks at 25 words on both sides of the diagonal. After
    1,000 phrases that it tried in one segment it gives up. All that is done here as it does it.

    The Java program ("tercom") measures how far a phrase goes from the word that its counterpart is
    aligned with; puts fewer words before a phrase that goes to a place within itself, and never one that
    is aligned with the phrase's first; gives up ways that cost 20 more than the cheapest instead of those
    outside a band; and has no limit on phrases. torchmetrics ("torch") is sacreBLEU with the two texts
    exchanged: phrases of the reference move, of at most 9 words, and a hypothesis without words takes no
    edits.

    Normalising puts a possessive ``'s`` apart where a space comes next; before a full stop one comes
    only when that is apart already. sacreBLEU normalises references twice and hypotheses once, so that
    ``the king's.`` is three words as a hypothesis and four as a reference. Its numbers are kept.

    The time for a segment is at most proportional to 1,000 times its length, the memory to its length,
    except with "tercom": without a limit, long texts of few distinct words take as long as they do there.

    Examples
    --------
    >>> from cocarde import TER
    >>> score = TER().sentence_score("on the mat the cat sat", "the cat sat on a mat")
    >>> print(score)
    TER = 33.33 (2 edits: ins = 0 del = 0 sub = 1 shift = 1; ref_len = 6.0)

    References
    ----------
    Snover, Dorr, Schwartz, Micciulla and Makhoul (2006): A study of translation edit rate with targeted
    human annotation.
    """

    name: ClassVar[str] = "TER"
    higher_is_better: ClassVar[bool] = False

    normalized: bool = False
    no_punct: bool = False
    asian_support: bool = False
    case_sensitive: bool = False
    ignore_ids: Iterable[int] | Callable[[str], bool] = ()
    vocabulary: Sequence[str] | None = None
    formula: str = "sacrebleu"
    _ignored: frozenset[int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Check the options and bring each to one form."""
        read_choice("formula", self.formula, FORMULAS)
        for option in ("normalized", "no_punct", "asian_support", "case_sensitive"):
            self._set(option, read_flag(option, getattr(self, option)))
        if self.asian_support and FORMULAS[self.formula].java:
            raise OptionError(
                "asian_support=True belongs to the formulas 'sacrebleu' and 'torch'; Tercom 0.8.0 does "
                "not have it"
            )
        self._settle_token_options()

    # -- presets and signatures

    @classmethod
    def preset(cls, name: str, **overrides: Any) -> TER:
        """Return the metric that reproduces a reference implementation.

        Parameters
        ----------
        name : str
            One of `presets()`.
        **overrides
            Options of `TER` that replace the preset's.

        Returns
        -------
        TER

        Raises
        ------
        OptionError
            If there is no such preset.

        Examples
        --------
        >>> from cocarde import TER
        >>> TER.preset("sacrebleu", case_sensitive=True).case_sensitive
        True
        """
        preset = find_preset("TER", PRESETS, name)
        return cls(**{**preset.options, **overrides})

    @classmethod
    def presets(cls) -> dict[str, Preset]:
        """Return every preset by name."""
        return dict(PRESETS)

    @classmethod
    def from_signature(cls, text: str) -> TER:
        """Return the metric that a signature describes: cocarde's own or sacreBLEU's, of 1.x too.

        Parameters
        ----------
        text : str
            For example ``"nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:2.6.0"``.

        Returns
        -------
        TER

        Raises
        ------
        OptionError
            If a key or value is unknown.

        Examples
        --------
        >>> from cocarde import TER
        >>> signature = "nrefs:1|case:lc|tok:tercom|norm:no|punct:no|asian:no|version:2.6.0"
        >>> TER.from_signature(signature) == TER(no_punct=True)
        True
        """
        return cls(**options_of(text, _SIGNATURE_READERS, _SIGNATURE_NOTES))

    def signature_for(
        self, references_per_segment: int | None, *, level: str = "corpus", tokens: bool = False
    ) -> Signature:
        """Return the signature of a score at this level with so many references.

        Tokens are neither cut nor lower-cased: theirs says so, whatever the options are for texts.
        """

        def yes(flag: bool) -> str:
            return "yes" if flag else "no"

        pairs = [
            ("nrefs", "var" if references_per_segment is None else str(references_per_segment)),
            ("case", "mixed" if self.case_sensitive or tokens else "lc"),
            ("tok", TOKENS if tokens else "tercom"),
            ("norm", yes(self.normalized and not tokens)),
            ("punct", yes(not self.no_punct or tokens)),
            ("asian", yes(self.asian_support and not tokens)),
            *self._token_option_pairs(),
            *([("formula", self.formula)] if self.formula != "sacrebleu" else []),
            ("version", FORMULAS[self.formula].reproduces),
            ("cocarde", __version__),
        ]
        return Signature(tuple(pairs))

    # -- what Metric asks for

    @property
    def fields(self) -> tuple[str, ...]:
        """Names of the statistics: of several references, the edits are those of the closest."""
        return FIELDS

    @cached_property
    def column_options(self) -> ColumnOptions:
        """How segments become tokens."""
        steps = self.normalized, self.no_punct, self.asian_support
        formula = FORMULAS[self.formula]
        twice = formula.twice and self.normalized
        return ColumnOptions(
            java_tokenizer(*steps[:2]) if formula.java else tercom_tokenizer(*steps),
            reference_tokenizer=tercom_tokenizer(*steps, twice=True) if twice else None,
            lowercase=not self.case_sensitive,
            strip_right=not formula.java,
            ignore_ids=self._ignored,
            vocabulary=self.vocabulary,  # type: ignore[arg-type]
        )

    @property
    def rules(self) -> _native.TerRules:
        """How the native core searches."""
        return _rules(self.formula)

    def _fill(self, batch: Batch, out: Floats) -> None:
        _native.ter_statistics(
            batch.hypotheses,
            batch.references,
            batch.offsets,
            self.rules,
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
        _native.ter_pairwise(
            hypotheses, first, last, references, self.rules, out, get_num_threads()
        )

    def _evaluate(self, values: Floats, *, level: str, last: Floats | None = None) -> Floats:
        of, (edits, lengths, *_) = columns_of(values)
        return np.asarray(_rate(of, edits, lengths))

    def _score(self, totals: Statistics, *, level: str) -> TERScore:
        of, columns = columns_of(totals.values)
        parts: dict[str, float] = dict(zip(FIELDS, columns, strict=True))
        return TERScore._of(  # noqa: SLF001  (a part of Score)
            name=self.name,
            score=_rate(of, parts["edits"], parts["reference_length"]),
            signature=self._signature_text(totals, level),
            warnings=_warnings(parts),
            **parts,
        )

    @cached_property
    def _diagnostics(self) -> Diagnostics:
        name = self.column_options.tokenizer.name
        return Diagnostics(name, fields=self._length_fields, divider="Tercom's tokenizer")

    def _remedy(self, kind: str, scripts: Sequence[str]) -> str:
        if kind != "undivided":
            return "no_punct=False keeps punctuation"
        if "undivided_unspaced" in scripts or (self.normalized and self.asian_support):
            return "divide the texts into words beforehand, and join these by blanks"
        return "normalized=True, asian_support=True takes every Chinese character as a word"


@lru_cache(maxsize=len(FORMULAS))
def _rules(formula: str) -> _native.TerRules:
    found = FORMULAS[formula]
    return _native.TerRules(found.tercom, found.from_reference, found.longest_shift)


def _rate(of: Arithmetic, edits: Value, length: Value) -> Value:
    # Without a word in any reference: nothing is wrong, or all of it.
    return 100 * of.where(length > 0, of.ratio(edits, length), of.where(edits > 0, 1.0, 0.0))


def _warnings(parts: dict[str, float]) -> tuple[str, ...]:
    if parts["reference_length"]:
        return ()
    if parts["edits"]:
        return ("the score is 100 by convention, because no reference has a word",)
    return ("the score is 0 because neither hypothesis nor reference has a word",)


# --------------------------------------------------------------------------------------------------
# Signatures


def _read_tokenizer(value: str) -> dict[str, Any]:
    # Of tokens; then the other keys are those of the defaults.
    if value not in ("tercom", TOKENS):
        raise OptionError(f"tok is tercom or {TOKENS} in a signature of TER, found {value!r}")
    return {}


_SIGNATURE_READERS: dict[str, Callable[[str], dict[str, Any]]] = {
    "case": lambda value: {"case_sensitive": not read_case(value)["lowercase"]},
    "tok": _read_tokenizer,
    "norm": lambda value: {"normalized": read_yes("norm", value)},
    "punct": lambda value: {"no_punct": not read_yes("punct", value)},
    "asian": lambda value: {"asian_support": read_yes("asian", value)},
    "ignore": read_ignored,
    "formula": lambda value: {"formula": value},
}
# What a signature tells about the data or the run, not about the metric.
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
