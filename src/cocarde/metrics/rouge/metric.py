"""ROUGE (Lin, 2004) as the Python packages for it compute it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from cocarde import _native, tokenizers
from cocarde._util.checks import read_choice
from cocarde.core.columns import ColumnOptions, PreparedReferences
from cocarde.core.diagnostics import Diagnostics, tokenizers_for
from cocarde.core.metric import KernelMetric, SeveralScores
from cocarde.core.options import Key, Kind, choice, flag, number, option, split_names
from cocarde.core.presets import Preset
from cocarde.core.signature import TOKENS, Signature
from cocarde.core.statistics import Floats, Statistics
from cocarde.core.token_options import TOKENIZER, ignored_ids_option, vocabulary_option
from cocarde.corpus.segments import Segments
from cocarde.errors import OptionError
from cocarde.metrics.rouge.aggregation import RougeInterval, bootstrap_aggregate, check_segment_rows
from cocarde.metrics.rouge.score import MEASURES, OTHER_NAMES, ROUGEScore, rouge_score
from cocarde.tokenizers.base import Tokenizer
from cocarde.tokenizers.sentences import SENTENCE_SPLITTERS, SentenceSplitter, get_sentence_splitter

__all__ = [
    "DEFAULT_TYPES",
    "FORMULAS",
    "MULTIPLE",
    "PERL",
    "PRESETS",
    "ROUGE",
]


DEFAULT_TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")

MULTIPLE = ("best", "maxima", "mean")


@dataclass(frozen=True)
class _Formula:
    """What sets a convention's arithmetic apart, and the options it comes with."""

    reproduces: str
    tokenize: str
    sentences: str
    types: tuple[str, ...]
    multiple: str = "best"
    beta: float = 1.0
    epsilon: float = 0.0  # added to the denominator of F
    exclusive: bool = False
    union: bool = False  # rougeL is a union over pairs of sentences
    joined: bool = False  # the tokens of a text are those of its sentences


FORMULAS = {
    "rouge-score": _Formula("rouge-score-0.1.2", "rouge", "newline", DEFAULT_TYPES),
    "rouge": _Formula(
        "rouge-1.0.1",
        "none",
        "period",
        ("rouge1", "rouge2", "rougeL"),
        epsilon=1e-8,
        exclusive=True,
        union=True,
        joined=True,
    ),
    "rouge-chinese": _Formula(
        "rouge-chinese-1.0.3",
        "none",
        "rouge-chinese",
        ("rouge1", "rouge2", "rougeL"),
        epsilon=1e-8,
        exclusive=True,
        joined=True,
    ),
    "coco": _Formula(
        "pycocoevalcap-1.2",
        "single-blank",
        "newline",
        ("rougeL",),
        multiple="maxima",
        beta=1.2,
    ),
}

PERL = "rouge-1.5.5"

PRESETS = {
    preset.name: preset
    for preset in (
        Preset("rouge-score", "Google's rouge-score 0.1.2: RougeScorer.score and score_multi", {}),
        Preset(
            "huggingface",
            'Hugging Face evaluate "rouge": rouge-score by segment; the mean in place of the median '
            "of unseeded resamples",
            {"rouge_types": DEFAULT_TYPES},
        ),
        Preset(
            "rouge",
            "rouge 1.0.1 (pltrdy), get_scores and avg=True: distinct n-grams, sentences end at '.'",
            {"formula": "rouge"},
        ),
        Preset(
            "rouge-chinese",
            "rouge-chinese 1.0.3 on words joined by blanks: distinct n-grams, plain rougeL",
            {"formula": "rouge-chinese"},
        ),
        Preset(
            "coco",
            "pycocoevalcap 1.2 Rouge: beta 1.2, best precision and best recall over references",
            {"formula": "coco"},
        ),
        Preset(
            PERL,
            "the Perl program ROUGE-1.5.5: rouge1, rouge2 and rougeL, means of rounded segment scores",
            {},
            home="cocarde.metrics.rouge.perl.metric:ROUGE155",
        ),
    )
}

# Its square is a finite number with room to be multiplied.
_MOST_BETA = 1e100

_NGRAM_TYPE = re.compile(r"rouge([1-9])")


def _read_types(option: str, types: object) -> tuple[str, ...]:
    if isinstance(types, str):
        types = (types,)
    if not isinstance(types, Iterable):
        raise OptionError(f"rouge_types must be a list of names, found {types!r}")
    names = tuple(types)
    if not names:
        raise OptionError("rouge_types is empty; name at least one, such as 'rouge1' or 'rougeL'")
    for name in names:
        if name in ("rougeL", "rougeLsum"):
            continue
        if not isinstance(name, str) or _NGRAM_TYPE.fullmatch(name) is None:
            raise OptionError(
                f"rouge_types: there is no type {name!r}; there are rouge1 to rouge9, rougeL and "
                f"rougeLsum"
            )
    doubled = [name for name, count in Counter(names).items() if count > 1]
    if doubled:
        raise OptionError(f"rouge_types: {doubled[0]} stands twice")
    return names


def _number(name: str) -> int:
    """How the native core calls a type: its order, 0 for rougeL, -1 for rougeLsum."""
    if name == "rougeL":
        return 0
    return -1 if name == "rougeLsum" else int(name[5:])


def _check_tokenizer(name: str, value: object) -> Any:
    if isinstance(value, str) and value == "auto":
        return value
    found = tokenizers.get(value)  # type: ignore[arg-type]
    return value if isinstance(value, str) else found


def _write_tokenizer(metric: ROUGE, level: str, tokens: bool) -> str:
    if tokens:
        return TOKENS
    if metric.tokenize == "auto":
        return "auto"
    return "rouge" if metric.use_stemmer else tokenizers.get(metric.tokenize).signature


def _read_tokenizer(text: str) -> dict[str, Any]:
    return {"tokenize": text if text == "auto" else tokenizers.name_from_signature(text)}


def _check_sentences(name: str, value: Any) -> Any:
    found = get_sentence_splitter(value)
    return found if callable(value) else found.name


def _write_sentences(metric: ROUGE, level: str, tokens: bool) -> str | None:
    return get_sentence_splitter(metric.sentences).name if metric.marked and not tokens else None


@dataclass(frozen=True, kw_only=True)
class ROUGE(KernelMetric[ROUGEScore], SeveralScores[ROUGEScore]):
    """ROUGE: overlap of n-grams and longest common subsequences, for summaries.

    ROUGE stands for Recall-Oriented Understudy for Gisting Evaluation. The score of a corpus is the
    mean over its segments.

    Parameters
    ----------
    rouge_types : sequence of str, optional
        "rouge1" to "rouge9" (n-grams), "rougeL" (longest common subsequence) and "rougeLsum" (the
        union of those of each reference sentence with all hypothesis sentences). By default
        rouge1, rouge2, rougeL and rougeLsum, or those of the convention.
    use_stemmer : bool, default False
        Whether words of more than 3 letters are stemmed as rouge-score does it: Porter's algorithm
        in NLTK's variant. Of the tokenizer "rouge" alone.
    tokenize : str, Tokenizer or callable, optional
        How texts are tokenized; see `cocarde.tokenizers`. By default the convention's; rouge-score's keeps
        nothing but the letters a-z and digits, in lower case. "auto" picks one by the script of the
        references of a call and prints it in the score's signature: `sentence_score` asks those of
        its one segment, `corpus_score` and `segment_scores` those of all, an `Accumulator` those of
        its first batch. Token input skips it.
    lowercase : bool, default False
        Whether case is ignored where the tokenizer keeps it.
    sentences : str, SentenceSplitter or callable, optional
        Where a sentence ends, for rougeLsum and the convention "rouge": "newline" (the default),
        "punctuation", "nltk" (rouge-score's split_summaries), "period", "rouge-chinese", or a
        function from a text to its sentences. A token sequence is one sentence. Where no type asks
        for sentences it is the default, whatever was given.
    formula : str, default "rouge-score"
        The convention's arithmetic: "rouge-score", "rouge", "rouge-chinese" or "coco".
    beta : float, optional
        Weight of recall in F, 0 to 1e100: (1 + beta²) P R / (R + beta² P). By default 1; 1.2 in
        "coco".
    exclusive : bool, optional
        Whether an n-gram counts once, however often it occurs. By default only in "rouge" and
        "rouge-chinese".
    multiple : str, optional
        What several references come to: "best" (of each type the reference with the best F; the
        default), "maxima" (the best precision and the best recall, even of two references; the
        default of "coco"), or "mean".
    ignore_ids : collection of int, or callable
        Integer tokens to drop, such as padding; or a predicate on the words of `vocabulary`.
    vocabulary : sequence of str, optional
        The word behind each id; ids of equal words are equal.

    Raises
    ------
    OptionError
        If an option is out of its range.

    Examples
    --------
    >>> from cocarde import ROUGE
    >>> rouge = ROUGE(rouge_types=["rouge1", "rougeL"], use_stemmer=True)
    >>> score = rouge.corpus_score(["The cats sat on a mat."], ["The cat sat on the mat."])
    >>> round(score["rouge1"].fmeasure, 2), round(score["rougeL"].recall, 2)
    (83.33, 83.33)

    References
    ----------
    Lin (2004): ROUGE: a package for automatic evaluation of summaries.
    """

    name: ClassVar[str] = "ROUGE"
    has_intervals: ClassVar[bool] = True

    rouge_types: Sequence[str] = option(
        Kind(
            _read_types,
            ",".join,
            split_names,
            described="names of scores with commas between",
            several=True,
        ),
        None,
        "rouge1 to rouge9, rougeL or rougeLsum.",
        key="types",
        always=True,
        derive=lambda metric: metric.convention.types,
        metavar="TYPE",
    )
    lowercase: bool = option(
        flag("lc", "mixed"),
        False,
        "Whether case does not matter where the tokenizer keeps it.",
        key="case",
        always=True,
        of_tokens="mixed",
    )
    tokenize: str | Tokenizer | Callable[[str], list[str]] = option(
        replace(TOKENIZER, check=_check_tokenizer),
        None,
        "How texts are tokenized; auto picks one by the script of the references.",
        key=Key("tok", _write_tokenizer, _read_tokenizer),
        derive=lambda metric: metric.convention.tokenize,
        metavar="NAME",
    )
    use_stemmer: bool = option(
        flag(),
        False,
        "Whether stems of words are compared, as rouge-score does it.",
        key="stem",
        always=True,
        of_tokens="no",
    )
    sentences: str | SentenceSplitter | Callable[[str], Iterable[str]] = option(
        Kind(_check_sentences, values=lambda: SENTENCE_SPLITTERS, described="a name"),
        None,
        "Where a sentence ends for rougeLsum: newline, punctuation, nltk.",
        key=Key(
            "sent", _write_sentences, lambda text: {"sentences": get_sentence_splitter(text).name}
        ),
        derive=lambda metric: metric.convention.sentences,
        # Where sentences do not matter, whatever was given has no effect and is not in the signature.
        settle=lambda metric, value: value if metric.marked else metric.convention.sentences,
        metavar="NAME",
    )
    beta: float = option(
        number(0, _MOST_BETA, write=repr),
        None,
        "Weight of recall in F: it counts so many times as much as precision.",
        key="beta",
        derive=lambda metric: metric.convention.beta,
    )
    exclusive: bool = option(
        flag(),
        None,
        "Whether an n-gram counts once, however often it occurs.",
        key="exclusive",
        derive=lambda metric: metric.convention.exclusive,
    )
    multiple: str = option(
        choice(MULTIPLE),
        None,
        "How several references are aggregated: best, maxima or mean.",
        key="multiple",
        derive=lambda metric: metric.convention.multiple,
        metavar="NAME",
    )
    ignore_ids: Iterable[int] | Callable[[str], bool] = ignored_ids_option()
    vocabulary: Sequence[str] | None = vocabulary_option()
    formula: str = option(
        choice(FORMULAS),
        "rouge-score",
        "The arithmetic of a convention alone; a preset brings its other options too.",
        key="formula",
        metavar="NAME",
    )
    _automatic: bool = field(init=False, repr=False, compare=False, default=False)

    OTHER_NAMES: ClassVar[Mapping[str, str]] = {there: here for here, there in OTHER_NAMES.items()}

    @property
    def convention(self) -> _Formula:
        """What sets the formula apart."""
        return FORMULAS[read_choice("formula", self.formula, FORMULAS)]

    def check_together(self) -> None:
        """Check what holds between several options."""
        if self.use_stemmer and self.tokenize not in ("rouge", "auto"):
            name = getattr(self.tokenize, "name", self.tokenize)
            raise OptionError(
                f"use_stemmer belongs to the tokenizer 'rouge', not to {name!r}; let a tokenizer of "
                f"your own return stems"
            )

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        if self.tokenize == "auto":
            # What stands in until there are references; nothing is scored with it.
            return tokenizers.get("rouge")
        return tokenizers.get("rouge-stem" if self.use_stemmer else self.tokenize)

    @cached_property
    def _splitter(self) -> SentenceSplitter:
        return replace(get_sentence_splitter(self.sentences), joined=self.convention.joined)

    @property
    def _types(self) -> tuple[str, ...]:
        return self.rouge_types  # type: ignore[return-value]

    # -- presets and signatures

    PRESETS: ClassVar[Mapping[str, Preset]] = PRESETS

    def reproduces(self, *, tokens: bool = False) -> str:
        """Return the version of the reference implementation."""
        return self.convention.reproduces

    @classmethod
    def score_options(cls) -> dict[str, tuple[str | None, dict[str, Any]]]:
        """Return the types, each with the preset and the option that give it."""
        usual = [*(f"rouge{order}" for order in range(1, 10)), "rougeL", "rougeLsum"]
        perl = ["rougeW", "rougeS*", "rougeSU*", "rougeS4", "rougeSU4"]
        return {
            name: (None if name in usual else PERL, {"rouge_types": [name]})
            for name in (*usual, *perl)
        }

    def intervals(
        self,
        statistics: Statistics,
        *,
        confidence: float = 95,
        resamples: int = 1000,
        seed: int | None = None,
    ) -> dict[str, RougeInterval]:
        """Return the intervals of rouge-score's aggregator, by type; `mid` is the median.

        Parameters
        ----------
        statistics : Statistics, shape (n, k)
            Of `statistics`.
        confidence : float
            In percent, from 1 to 100.
        resamples : int
            1 or more.
        seed : int, optional
            By default 12345; see `bootstrap_aggregate`.

        Returns
        -------
        dict of str to RougeInterval

        Raises
        ------
        OptionError
            If an option is out of its range.
        InputError
            If these are not this metric's statistics, one row a segment: sums cannot be resampled.
        """
        check_segment_rows(statistics, self.fields)
        return bootstrap_aggregate(
            statistics,
            confidence=confidence,
            resamples=resamples,
            seed=12345 if seed is None else seed,
        )

    # -- what Metric asks for

    @property
    def needs_references(self) -> bool:
        """Whether the tokenizer is picked by the references."""
        return self.tokenize == "auto"

    def fit(self, references: Any) -> ROUGE:
        """Return the metric with the tokenizer that fits the references.

        Only words of the tokenizer "rouge" are stemmed: there is no stemmer for other scripts.
        """
        if not self.needs_references:
            return self
        if isinstance(references, PreparedReferences):
            picked = references.options.tokenizer.name.removesuffix("-stem")
        else:
            from cocarde.tokenizers import automatic

            read = self._read_references(references, "text")
            picked = automatic.pick(_texts(read.segments))
        metric = self._with_pick(picked)
        object.__setattr__(metric, "_automatic", True)
        return metric

    def fitted_as(self, statistics: Statistics) -> ROUGE:
        """Return the metric with the tokenizer of the texts behind these statistics."""
        if not self.needs_references or not statistics.tokenizer:
            return self
        return self._with_pick(statistics.tokenizer.removesuffix("-stem"))

    def _with_pick(self, picked: str) -> ROUGE:
        return self.with_options(
            tokenize=picked, use_stemmer=self.use_stemmer and picked == "rouge"
        )

    def signature_of(self, statistics: Statistics, *, level: str = "corpus") -> Signature:
        """Return the signature of the score of these statistics, with the tokenizer of their texts."""
        metric = self.fitted_as(statistics)
        if metric is self:
            return super().signature_of(statistics, level=level)
        return metric.signature_of(statistics, level=level)

    @property
    def part_names(self) -> tuple[str, ...]:
        """The types."""
        return self._types

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """Names of the statistics: the count of segments, then the sums of P, R and F of each type."""
        return ("count", *(f"{name}_{measure}" for name in self._types for measure in MEASURES))

    @property
    def marked(self) -> bool:
        """Whether sentences matter."""
        return "rougeLsum" in self._types or self.convention.joined

    @cached_property
    def column_options(self) -> ColumnOptions:
        """How segments become tokens."""
        return ColumnOptions(
            self._tokenizer,
            self.lowercase,
            ignore_ids=self.ignore_ids,  # type: ignore[arg-type]
            vocabulary=self.vocabulary,  # type: ignore[arg-type]
            sentences=self._splitter if self.marked else None,
        )

    @cached_property
    def _numbers(self) -> list[int]:
        return list(map(_number, self._types))

    @cached_property
    def kernel(self) -> _native.Rouge:
        """What fills its rows."""
        convention = self.convention
        subsequence = "whole"
        if convention.union:
            subsequence = "union" if self.exclusive else "summed"
        return _native.Rouge(
            self._numbers,
            self.multiple,
            subsequence,
            self.exclusive,
            self.beta,
            convention.epsilon,
            self.marked,
        )

    def _means(self, values: Floats) -> Floats:
        """Precision, recall and F of each type in the last two axes, from 0 to 1."""
        sums = values[..., 1:].reshape((*values.shape[:-1], len(self._types), len(MEASURES)))
        return np.asarray(sums / values[..., 0][..., None, None])

    def part_scores(self, statistics: Statistics, *, level: str = "corpus") -> Mapping[str, Floats]:
        """Return the F (0 to 100) of each type, of rows over any leading axes."""
        means = 100 * self._means(statistics.values)
        return {name: means[..., index, 2] for index, name in enumerate(self._types)}

    def _score(self, totals: Statistics, *, level: str) -> ROUGEScore:
        signature = self._signature_text(totals, level)
        means = (100 * self._means(totals.values)).tolist()
        reasons = [_ZERO[number > 0] for number in self._numbers]
        if totals.notes and not totals.values[1:].any():
            reasons = [f"the score is 0 because {'; '.join(totals.notes)}"] * len(reasons)
        return rouge_score(self._types, means, signature, reasons)

    @cached_property
    def _diagnostics(self) -> Diagnostics:
        return Diagnostics(
            self._tokenizer.name,
            fields=tuple(range(1, len(self.fields))),
            matches=True,
            sentences="rougeLsum" in self._types and self._splitter.name == "newline",
        )

    def _remedy(self, kind: str, scripts: Sequence[str]) -> str:
        if kind == "undivided":
            return f"tokenize='auto' picks a tokenizer by script; {tokenizers_for(scripts)}"
        return _advice_for(self._automatic)


def _advice_for(automatic: bool) -> str:
    """Say what to do where a tokenizer leaves little or nothing, which may have been picked."""
    others = (
        "'words' compares words of every script, 'char' characters, 'zh' Chinese characters, 'jieba' "
        "Chinese words"
    )
    if automatic:
        return (
            f"tokenize='auto' picked it by the script of the references; if the hypotheses are in "
            f"another one, name a tokenizer: {others}"
        )
    return f"tokenize='auto' picks a tokenizer by script; {others}"


def _texts(segments: Segments) -> list[str]:
    """Texts of references; none where they are tokens."""
    if segments.kind == "block":
        return [line for block in segments.blocks for line in _native.split_lines(block)]
    return list(segments.items or ()) if segments.kind == "text" else []


_ZERO = {
    True: "the score is 0 because no n-gram of that order matches",
    False: "the score is 0 because no token matches",
}
