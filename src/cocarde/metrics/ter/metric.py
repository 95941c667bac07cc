"""TER (Snover et al., 2006): edits of words and shifts of phrases, as Tercom counts them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from cocarde import _native
from cocarde._util.checks import read_choice
from cocarde.core.arithmetic import Arithmetic, Value, columns_of
from cocarde.core.columns import ColumnOptions
from cocarde.core.diagnostics import Diagnostics
from cocarde.core.metric import KernelMetric
from cocarde.core.options import Key, choice, flag, is_release, option
from cocarde.core.presets import Preset
from cocarde.core.score import Score
from cocarde.core.signature import TOKENS
from cocarde.core.statistics import Floats, Statistics
from cocarde.core.token_options import ignored_ids_option, vocabulary_option
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


def _read_tokenizer(text: str) -> dict[str, Any]:
    # Of tokens; then the other keys are those of the defaults.
    if text not in ("tercom", TOKENS):
        raise ValueError(f"tercom or {TOKENS} is needed")
    return {}


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
class TER(KernelMetric[TERScore]):
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

    case_sensitive: bool = option(
        flag("mixed", "lc"),
        False,
        "Whether case matters.",
        key="case",
        always=True,
        of_tokens="mixed",
    )
    tokenizer = Key(
        "tok", lambda metric, level, tokens: TOKENS if tokens else "tercom", _read_tokenizer
    )
    normalized: bool = option(
        flag(),
        False,
        "Whether entities are decoded and punctuation is parted from words.",
        key="norm",
        always=True,
        of_tokens="no",
    )
    no_punct: bool = option(
        flag("no", "yes"),
        False,
        "Whether punctuation is dropped.",
        key="punct",
        always=True,
        of_tokens="yes",
        flag="--no-punct/--punct",
    )
    asian_support: bool = option(
        flag(),
        False,
        "Whether both options above know CJK characters and punctuation.",
        key="asian",
        always=True,
        of_tokens="no",
    )
    ignore_ids: Iterable[int] | Callable[[str], bool] = ignored_ids_option()
    vocabulary: Sequence[str] | None = vocabulary_option()
    formula: str = option(
        choice(FORMULAS), "sacrebleu", "The convention's arithmetic.", key="formula", metavar="NAME"
    )

    @property
    def convention(self) -> _Formula:
        """What sets the formula apart."""
        return FORMULAS[read_choice("formula", self.formula, FORMULAS)]

    def check_together(self) -> None:
        """Check what holds between several options."""
        if self.asian_support and self.convention.java:
            raise OptionError(
                "asian_support=True belongs to the formulas 'sacrebleu' and 'torch'; Tercom 0.8.0 does "
                "not have it"
            )

    # -- presets and signatures

    PRESETS: ClassVar[Mapping[str, Preset]] = PRESETS

    def reproduces(self, *, tokens: bool = False) -> str:
        """Return the version of the reference implementation."""
        return self.convention.reproduces

    def accepts_version(self, version: str) -> bool:
        """Return whether a signature of this version means what is computed here: of any sacreBLEU."""
        return (
            is_release(version) if self.formula == "sacrebleu" else super().accepts_version(version)
        )

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
            ignore_ids=self.ignore_ids,  # type: ignore[arg-type]
            vocabulary=self.vocabulary,  # type: ignore[arg-type]
        )

    @cached_property
    def kernel(self) -> _native.Ter:
        """What fills its rows, and finds the edits and shifts."""
        found = FORMULAS[self.formula]
        return _native.Ter(found.tercom, found.from_reference, found.longest_shift)

    def _evaluate(self, values: Floats, *, level: str) -> Floats:
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


def _rate(of: Arithmetic, edits: Value, length: Value) -> Value:
    # Without a word in any reference: nothing is wrong, or all of it.
    return 100 * of.where(length > 0, of.ratio(edits, length), of.where(edits > 0, 1.0, 0.0))


def _warnings(parts: dict[str, float]) -> tuple[str, ...]:
    if parts["reference_length"]:
        return ()
    if parts["edits"]:
        return ("the score is 100 by convention, because no reference has a word",)
    return ("the score is 0 because neither hypothesis nor reference has a word",)
