"""GLEU (Wu et al., 2016), also called Google-BLEU, as NLTK computes it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from cocarde import _native, tokenizers
from cocarde.core.arithmetic import columns_of
from cocarde.core.columns import ColumnOptions
from cocarde.core.metric import KernelMetric
from cocarde.core.options import choice, flag, option, whole
from cocarde.core.presets import Preset
from cocarde.core.score import Score
from cocarde.core.signature import TOKENS
from cocarde.core.statistics import Floats, Statistics
from cocarde.core.token_options import TOKENIZER, ignored_ids_option, vocabulary_option
from cocarde.errors import OptionError
from cocarde.tokenizers.base import Tokenizer

__all__ = ["GLEU", "GLEUScore"]

_ORDER = whole(1, 1000)


@dataclass(frozen=True, kw_only=True)
class GLEUScore(Score):
    """A GLEU score with the counts behind it.

    Attributes
    ----------
    matches : float
        N-grams of all orders that both texts have, each at most as often as either has it.
    total : float
        N-grams of the text that has more of them, summed over the segments.
    hypothesis_total, reference_total : float
        N-grams of the hypotheses, and of the references that count.
    """

    matches: float = 0.0
    total: float = 0.0
    hypothesis_total: float = 0.0
    reference_total: float = 0.0

    @property
    def precision(self) -> float:
        """Matches over the n-grams of the hypothesis, from 0 to 100."""
        return 100 * self.matches / self.hypothesis_total if self.hypothesis_total else 0.0

    @property
    def recall(self) -> float:
        """Matches over the n-grams of the reference, from 0 to 100."""
        return 100 * self.matches / self.reference_total if self.reference_total else 0.0

    def details(self) -> str:
        """Return precision and recall."""
        return f"(P = {self.precision:.2f} R = {self.recall:.2f})"


@dataclass(frozen=True, kw_only=True)
class GLEU(KernelMetric[GLEUScore]):
    """GLEU: the smaller one of precision and recall over the n-grams of all orders together.

    Parameters
    ----------
    tokenize : str, Tokenizer or callable, default "none"
        How texts are tokenized; see `cocarde.tokenizers`. Token input skips it.
    lowercase : bool, default False
        Whether case does not matter.
    min_ngram_order, max_ngram_order : int, default 1 and 4
        The shortest and the longest n-grams that count.
    ignore_ids : collection of int, or callable
        Integer tokens to drop, such as padding; or a predicate on the words of `vocabulary`.
    vocabulary : sequence of str, optional
        The word behind each id; ids of equal words are equal.
    formula : {"nltk"}
        The convention's arithmetic.

    Raises
    ------
    OptionError
        If an option is out of its range.

    Notes
    -----
    A segment's score is matches / max(n-grams of the hypothesis, n-grams of the reference): the minimum of
    precision and recall, as Wu et al. define it. A corpus score is the sum of matches over the sum of those
    maxima. Of several references, the one with the best score counts, the first of those.

    Examples
    --------
    >>> from cocarde import GLEU
    >>> print(GLEU().sentence_score("the cat sat on a mat", "the cat sat on the mat"))
    GLEU = 61.11 (P = 61.11 R = 61.11)

    References
    ----------
    Wu et al. (2016): Google's neural machine translation system: bridging the gap between human and
    machine translation.
    """

    name: ClassVar[str] = "GLEU"
    fields: ClassVar[tuple[str, ...]] = ("matches", "total", "hypothesis_total", "reference_total")
    _length_fields: ClassVar[tuple[int, ...]] = (2, 3)
    PRESETS: ClassVar[Mapping[str, Preset]] = {
        "nltk": Preset("nltk", "NLTK 3.10 corpus_gleu and sentence_gleu on str.split()", {}),
        "huggingface": Preset(
            "huggingface", 'Hugging Face evaluate "google_bleu": on 13a tokens', {"tokenize": "13a"}
        ),
    }

    lowercase: bool = option(
        flag("lc", "mixed"),
        False,
        "Whether case does not matter.",
        key="case",
        always=True,
        of_tokens="mixed",
        short_flag="-lc",
    )
    tokenize: str | Tokenizer | Callable[[str], list[str]] = option(
        TOKENIZER,
        "none",
        "How texts are tokenized; `cocarde tokenize --list` lists the ways.",
        key="tok",
        always=True,
        of_tokens=TOKENS,
        short_flag="-tok",
        metavar="NAME",
    )
    min_ngram_order: int = option(_ORDER, 1, "The shortest n-grams that count.", key="minorder")
    max_ngram_order: int = option(_ORDER, 4, "The longest n-grams that count.", key="order")
    ignore_ids: Iterable[int] | Callable[[str], bool] = ignored_ids_option()
    vocabulary: Sequence[str] | None = vocabulary_option()
    formula: str = option(
        choice(("nltk",)), "nltk", "The convention's arithmetic.", key="formula", always=True
    )

    def check_together(self) -> None:
        """Check what holds between several options."""
        least, most = self.min_ngram_order, self.max_ngram_order
        if least > most:
            raise OptionError(f"min_ngram_order {least} is above max_ngram_order {most}")

    def reproduces(self, *, tokens: bool = False) -> str:
        """Return the version of the reference implementation."""
        return "3.10"

    @cached_property
    def column_options(self) -> ColumnOptions:
        """How segments become tokens."""
        tokens: Any = {"ignore_ids": self.ignore_ids, "vocabulary": self.vocabulary}
        return ColumnOptions(tokenizers.get(self.tokenize), self.lowercase, **tokens)

    @cached_property
    def kernel(self) -> _native.Gleu:
        """What fills its rows."""
        return _native.Gleu(self.min_ngram_order, self.max_ngram_order)

    def _check_values(self, values: Floats) -> None:
        super()._check_values(values)
        # Weighted sums of rows may differ by rounding.
        wrong = values > values.min(axis=-1, keepdims=True) * (1 + 1e-9)
        wrong[..., 1:] = False
        if wrong.any():
            self._refuse(values, wrong, "is more than there are n-grams")

    def _evaluate(self, values: Floats, *, level: str) -> Floats:
        of, (matches, total, *_) = columns_of(values)
        return np.asarray(100 * of.ratio(matches, total))

    def _score(self, totals: Statistics, *, level: str) -> GLEUScore:
        parts: dict[str, float] = dict(zip(self.fields, totals.values.tolist(), strict=True))
        warnings: tuple[str, ...] = ()
        if not parts["matches"]:
            empty = [side for side in ("hypothesis", "reference") if not parts[f"{side}_total"]]
            reason = (
                f"the {empty[0]} has no n-gram of these orders" if empty else "no n-gram matches"
            )
            warnings = (f"the score is 0 because {reason}", *totals.notes)
        return GLEUScore._of(  # noqa: SLF001  (a part of Score)
            name=self.name,
            score=float(self._evaluate(totals.values, level=level)),
            signature=self._signature_text(totals, level),
            warnings=warnings,
            **parts,
        )
