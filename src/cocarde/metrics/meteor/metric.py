"""METEOR: an alignment of words by form, stem, synonym and paraphrase, and how far it is in order.

The alignment and the statistics are those of METEOR 1.5 (Denkowski and Lavie, 2014); the formulas are
in `METEOR._parts`, a few lines that read like the paper.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache
from typing import Any, ClassVar

import numpy as np

from cocarde import _native, resources, tokenizers
from cocarde._util.checks import read_number
from cocarde._util.threads import get_num_threads
from cocarde.core.arithmetic import Arithmetic, Value, columns_of
from cocarde.core.columns import Batch, ColumnOptions
from cocarde.core.diagnostics import Findings, tokenizers_for
from cocarde.core.metric import Metric
from cocarde.core.options import Key, Kind, choice, flag, number, option, split_names, whole
from cocarde.core.presets import Preset
from cocarde.core.score import Score
from cocarde.core.signature import TOKENS
from cocarde.core.statistics import Floats, Ids, Statistics
from cocarde.core.token_options import TOKENIZER, ignored_ids_option, vocabulary_option
from cocarde.corpus import read_lines
from cocarde.corpus.segments import References, Segments
from cocarde.errors import InputError, OptionError
from cocarde.metrics.meteor.alignment import Alignment, WordMatch
from cocarde.metrics.meteor.languages import (
    LANGUAGES,
    STAGES,
    TASKS,
    Parameters,
    parameters_of,
    resolve_language,
)
from cocarde.resources import paraphrases as paraphrase_table
from cocarde.stemmers import snowball
from cocarde.tokenizers.base import Tokenizer

__all__ = ["METEOR", "Alignment", "METEORScore", "StageMatches", "WordMatch"]

_NLTK = "nltk"
OVERSIZED = ("error", "exact", "zero")
PRESETS = {
    preset.name: preset
    for preset in (
        Preset(
            "meteor-1.5",
            "METEOR 1.5 (the jar), its defaults: all four stages, text as it is",
            {"stages": "official"},
        ),
        Preset(
            "coco",
            "pycocoevalcap 1.2 Meteor: the jar with -l en -norm",
            {"stages": "official", "normalize": True},
        ),
        Preset(
            _NLTK,
            "NLTK 3.10 meteor_score: greedy matching of exact forms, Porter stems and WordNet synonyms",
            {},
            home="cocarde.metrics.meteor.nltk:METEORNLTK",
        ),
    )
}


# --------------------------------------------------------------------------------------------------
# Scores and alignments


@dataclass(frozen=True)
class StageMatches:
    """How many words one stage matched.

    Attributes
    ----------
    stage : str
    weight : float
        What a match of this stage counts, from 0 to 1.
    hypothesis_content, hypothesis_function, reference_content, reference_function : float
        Matched content and function words on both sides (characters, if those are counted).
    """

    stage: str
    weight: float
    hypothesis_content: float
    hypothesis_function: float
    reference_content: float
    reference_function: float


@dataclass(frozen=True, kw_only=True)
class METEORScore(Score):
    """A METEOR score with every number that led to it.

    Attributes
    ----------
    precision, recall : float
        Weighted matches over weighted lengths, from 0 to 100.
    f1, fmean : float
        Their harmonic mean, and that with weight `alpha`, from 0 to 100. The score is
        fmean · (1 − fragmentation_penalty).
    fragmentation_penalty : float
        gamma · (chunks / matches) ** beta, from 0 to 1.
    chunks : float
        Runs of matches that are in one order and without gap on both sides. Segments that match as a
        whole, in one chunk, count none.
    hypothesis_length, reference_length : float
        Words (characters, if those are counted).
    hypothesis_function_words, reference_function_words : float
        How many of them are function words.
    hypothesis_matches, reference_matches : float
        Matched words.
    stages : tuple of StageMatches
        The matches of each stage.
    """

    precision: float = 0.0
    recall: float = 0.0
    f1: float = 0.0
    fmean: float = 0.0
    fragmentation_penalty: float = 0.0
    chunks: float = 0.0
    hypothesis_length: float = 0.0
    reference_length: float = 0.0
    hypothesis_function_words: float = 0.0
    reference_function_words: float = 0.0
    hypothesis_matches: float = 0.0
    reference_matches: float = 0.0
    stages: tuple[StageMatches, ...] = ()

    def details(self) -> str:
        """Return precision, recall, fmean and penalty."""
        return (
            f"(P = {self.precision:.2f} R = {self.recall:.2f} Fmean = {self.fmean:.2f} "
            f"penalty = {self.fragmentation_penalty:.3f} chunks = {self.chunks:.0f})"
        )

    def report(self) -> str:
        """Return every number on lines of their own: those of METEOR 1.5's system statistics.

        Examples
        --------
        >>> from cocarde import METEOR
        >>> print(METEOR().sentence_score("the boys ate", "boys eat").report())
        matches    hypothesis                   reference
        stage      content  function     total  content  function     total
        exact            1         0         1        1         0         1
        stem             0         0         0        0         0         0
        synonym          1         0         1        1         0         1
        all              2         0         2        2         0         2
        <BLANKLINE>
        hypothesis length      3 (function words 1)
        reference length       2 (function words 0)
        chunks                 1
        precision              77.1428571428572
        recall                 90
        f1                     83.0769230769231
        fmean                  87.8048780487805
        fragmentation penalty  0.522330337977674
        score                  41.9417264214725
        """
        kinds = (
            "hypothesis_content",
            "hypothesis_function",
            "reference_content",
            "reference_function",
        )
        counts = {one.stage: [getattr(one, kind) for kind in kinds] for one in self.stages}
        counts["all"] = [sum(column) for column in zip(*counts.values(), strict=True)]
        lines = [
            f"{'matches':11}{'hypothesis':29}reference",
            f"{'stage':11}content  function     total  content  function     total",
        ]
        lines += [
            f"{stage:11}{a:7.0f}  {b:8.0f}  {a + b:8.0f}  {c:7.0f}  {d:8.0f}  {c + d:8.0f}"
            for stage, (a, b, c, d) in counts.items()
        ]
        lines.append("")
        rows = {
            "hypothesis length": f"{self.hypothesis_length:.15g} "
            f"(function words {self.hypothesis_function_words:.15g})",
            "reference length": f"{self.reference_length:.15g} "
            f"(function words {self.reference_function_words:.15g})",
            **{
                name.replace("_", " "): f"{getattr(self, name):.15g}"
                for name in (
                    "chunks",
                    "precision",
                    "recall",
                    "f1",
                    "fmean",
                    "fragmentation_penalty",
                )
            },
            "score": f"{self.score:.15g}",
        }
        lines += [f"{name:21}  {value}" for name, value in rows.items()]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return every attribute by name; of the stages their counts."""
        values = super().to_dict()
        values["stages"] = {
            matches.stage: {
                item.name: getattr(matches, item.name)
                for item in fields(matches)
                if item.name != "stage"
            }
            for matches in self.stages
        }
        return values


# --------------------------------------------------------------------------------------------------
# How options are read and written


def _default_task(metric: METEOR) -> str | None:
    """The language's own task, unless every parameter is given."""
    given = (*(getattr(metric, name) for name in _PARAMETERS), metric.stage_weights)
    if all(value is not None for value in given):
        return None
    return parameters_of(resolve_language(metric.language), None)[0]


def _read_task(text: str) -> dict[str, Any]:
    return {"task": None if text == "custom" else text}


def _official(metric: METEOR) -> tuple[str, ...]:
    language = resolve_language(metric.language)
    return ("exact", "paraphrase") if metric.task == "universal" else language.stages


def _read_stages(option: str, stages: object) -> Any:
    if isinstance(stages, str) and stages == "official":
        return stages
    if isinstance(stages, str) or not isinstance(stages, Iterable):
        raise OptionError(
            f"stages must be a sequence of {', '.join(STAGES)}, or 'official'; found {stages!r}"
        )
    names = tuple(stages)
    if not names:
        raise OptionError(f"stages is empty; name at least one of {', '.join(STAGES)}")
    for name in names:
        if name not in STAGES:
            raise OptionError(
                f"stages: there is no stage {name!r}; there are {', '.join(STAGES)}",
                option="stages",
                value=name,
                choices=STAGES,
            )
    doubled = [name for name, count in Counter(names).items() if count > 1]
    if doubled:
        raise OptionError(f"stages: {doubled[0]} stands twice")
    return names


def _fitting_stages(metric: METEOR, stages: Any) -> tuple[str, ...]:
    """The stages, which the language has to have."""
    if stages == "official":
        return _official(metric)
    language = resolve_language(metric.language)
    if "synonym" in stages and language.code != "en":
        raise OptionError(
            f"stages: there are synonyms for English alone, not for {language.name}; leave out 'synonym'"
        )
    if "stem" in stages and language.code in ("cz", "other"):
        raise OptionError(f"stages: METEOR has no stemmer for {language.name}; leave out 'stem'")
    return tuple(stages)


def _check_weights(option: str, weights: Any) -> tuple[float, ...]:
    if isinstance(weights, str) or not isinstance(weights, (Sequence, np.ndarray)):
        raise OptionError(f"stage_weights must be a sequence of numbers, found {weights!r}")
    return tuple(read_number("a stage weight", weight) for weight in weights)


def _write_weights(weights: Sequence[float]) -> str:
    return ",".join(map(repr, weights))


def _read_weights(text: str) -> tuple[float, ...]:
    try:
        return tuple(map(float, text.split(",")))
    except ValueError:
        raise ValueError("numbers with commas between are needed") from None


def _write_case(metric: METEOR, level: str, tokens: bool) -> str:
    return "lc" if (metric.lowercase or metric.normalize) and not tokens else "mixed"


def _write_normalization(metric: METEOR, level: str, tokens: bool) -> str:
    return "no" if tokens else metric.normalization


def _read_normalization(text: str) -> dict[str, Any]:
    options = {
        "no": {},
        "yes": {"normalize": True},
        "nopunct": {"normalize": True, "keep_punctuation": False},
    }
    if text not in options:
        raise ValueError("yes, no or nopunct is needed")
    return options[text]


def _write_tokenizer(metric: METEOR, level: str, tokens: bool) -> str:
    return TOKENS if tokens else metric._tokenizer.signature  # noqa: SLF001


def _read_tokenizer(text: str) -> dict[str, Any]:
    # METEOR's own follow from other options.
    if text.startswith("meteor-"):
        return {}
    return {"tokenize": tokenizers.name_from_signature(text)}


def _write_paraphrases(metric: METEOR, level: str, tokens: bool) -> str | None:
    if "paraphrase" not in metric.stages:
        return None
    return paraphrase_table.identity(metric.paraphrases, metric.language)


def _read_function_words(name: str, words: object) -> str | frozenset[str]:
    if isinstance(words, str) and words == "language":
        return words
    if isinstance(words, str) or not isinstance(words, Iterable):
        raise OptionError(
            f"function_words must be 'language' or a collection of str, found {words!r}"
        )
    listed = frozenset(words)
    for word in listed:
        if not isinstance(word, str):
            raise OptionError(f"function_words holds {word!r}, which is not a str")
    return listed


def _function_words_signature(words: str | Iterable[str]) -> str:
    if isinstance(words, str):
        return words
    listed = sorted(words)
    digest = hashlib.sha256("\n".join(listed).encode("utf-8", "surrogatepass")).hexdigest()
    return f"{len(listed)}-{digest[:8]}"


def _parse_stages(text: str) -> Any:
    return text if text == "official" else split_names(text)


def _words_of_file(path: str) -> list[str]:
    return [word for line in read_lines(path) if (word := line.strip())]


def _read_function_words_word(text: str) -> str:
    if text != "language":
        raise OptionError(
            f"the function words {text} are a list of somebody's, which a signature does not hold; "
            "give function_words="
        )
    return text


# --------------------------------------------------------------------------------------------------
# The metric


@dataclass(frozen=True, kw_only=True)
class METEOR(Metric[METEORScore]):
    """METEOR: words matched by form, stem, synonym and paraphrase, with a penalty for disorder.

    By default it has METEOR 1.5's parameters for the language and all its stages but paraphrases,
    which need a large table: `METEOR.preset("meteor-1.5")` has them too.

    Parameters
    ----------
    language : str, default "en"
        A code or name that METEOR 1.5 knows: en, cz (cs), fr, es, de, ru, ar-bw-red, pt, da, ro, hu,
        tr, fi, nl, it, no, se (sv), or "other".
    task : str, optional
        Whose parameters: "rank", "adq", "hter", "util" (as far as the language has them), "li",
        "tune", "universal". By default "rank", or "li" where METEOR has nothing better.
    stages : sequence of str, or "official", optional
        From "exact", "stem", "synonym" (English) and "paraphrase", in any order; by default the
        language's without "paraphrase". "official" are METEOR's own, with paraphrases where the
        language has a table.
    stage_weights : sequence of float, optional
        What a match of each stage counts, 0 or more. By default the task's, by position: the second
        stage has the second weight, whichever it is, as in METEOR.
    alpha : float, optional
        Weight of recall in Fmean, from 0 to 1.
    beta : float, optional
        Exponent of the fragmentation penalty, 0 or more.
    gamma : float, optional
        Factor of the fragmentation penalty, 0 or more.
    delta : float, optional
        Weight of content words against function words, from 0 to 1.
    beam_size : int, default 40
        How many partial alignments are kept, 1 or more.
    normalize : bool, default False
        Tokenize and lower-case raw text as METEOR's ``-norm`` does it (en, cz, fr, es, de, ru).
    keep_punctuation : bool, default True
        Without, `normalize` drops punctuation (``-noPunct``).
    lowercase : bool, default False
        Ignore case (``-lower``).
    character_based : bool, default False
        Count characters instead of words in precision and recall (``-ch``).
    tokenize : str, Tokenizer or callable, optional
        Another tokenizer, for languages that METEOR does not normalise; by default at blanks.
    function_words : "language", collection of str, or None, default None
        The words that weigh 1 − delta. By default METEOR's English ones, whatever the language, as
        METEOR 1.5 itself takes them; "language" is the language's own list (en, cz, fr, es, de, ru).
    paraphrases : str or path, optional
        A paraphrase table (``paraphrase-en.gz``); by default the installed one of the language.
    ignore_ids : collection of int, or callable
        Integer tokens to drop; or a predicate on the words of `vocabulary`.
    vocabulary : sequence of str, optional
        The word behind each id. Ids without words match exactly or not at all.
    oversized : {"error", "exact", "zero"}, default "error"
        What becomes of a segment whose words repeat so often that there are more than 25 million
        possible matches, as in two texts of 5,000 equal words: an `InputError`; a score by the stage
        "exact" alone; or statistics of 0, so that a corpus score leaves it out. The latter two warn.

    Raises
    ------
    OptionError
        If an option is out of its range, or the language lacks a stage, a task or the normaliser.
    MissingExtraError
        If there is the stage "paraphrase" but no table; the message names the command that brings it.

    Examples
    --------
    >>> from cocarde import METEOR
    >>> score = METEOR().sentence_score("the boys ate an apple", "a boy eats the apple")
    >>> round(score.score, 2), score.chunks
    (32.32, 3.0)

    References
    ----------
    Denkowski and Lavie (2014): Meteor Universal: language specific translation evaluation for any
    target language.
    """

    name: ClassVar[str] = "METEOR"
    has_report: ClassVar[bool] = True

    language: str = option(
        Kind(
            lambda name, value: resolve_language(value).code,
            values=lambda: LANGUAGES,
            described="a language",
        ),
        "en",
        "The language; `cocarde resources` lists what there is of each.",
        key="lang",
        always=True,
        metavar="CODE",
    )
    task: str | None = option(
        choice(TASKS),
        None,
        "Whose parameters: rank, adq, hter, util, li, tune, universal.",
        key=Key("task", lambda metric, *_: metric.task or "custom", _read_task),
        derive=_default_task,
        metavar="NAME",
    )
    stages: Sequence[str] = option(
        Kind(
            _read_stages,
            ",".join,
            split_names,
            _parse_stages,
            described="names of stages with commas between",
            several=True,
        ),
        None,
        "exact, stem, synonym (English) and paraphrase in any order, or official.",
        key="stages",
        always=True,
        derive=lambda metric: tuple(x for x in _official(metric) if x != "paraphrase"),
        settle=_fitting_stages,
        metavar="STAGES",
    )
    stage_weights: Sequence[float] = option(
        Kind(
            _check_weights,
            _write_weights,
            _read_weights,
            described="numbers with commas between, one for each stage",
            several=True,
        ),
        None,
        "What a match of each stage counts.",
        key="weights",
        always=True,
        derive=lambda metric: metric.tuned.weights[: len(metric.stages)],
        metavar="W1,W2,...",
    )
    alpha: float = option(
        number(0, 1, write=repr),
        None,
        "Weight of recall in Fmean.",
        key="alpha",
        always=True,
        derive=lambda metric: metric.tuned.alpha,
    )
    beta: float = option(
        number(0, write=repr),
        None,
        "Exponent of the fragmentation penalty.",
        key="beta",
        always=True,
        derive=lambda metric: metric.tuned.beta,
    )
    gamma: float = option(
        number(0, write=repr),
        None,
        "Factor of the fragmentation penalty.",
        key="gamma",
        always=True,
        derive=lambda metric: metric.tuned.gamma,
    )
    delta: float = option(
        number(0, 1, write=repr),
        None,
        "Weight of content words against function words.",
        key="delta",
        always=True,
        derive=lambda metric: metric.tuned.delta,
    )
    lowercase: bool = option(
        flag("lc", "mixed"),
        False,
        "Whether case does not matter.",
        key=Key("case", _write_case, lambda text: {"lowercase": flag("lc", "mixed").read(text)}),
        settle=lambda metric, value: value and not metric.normalize,  # which ignores case anyway
    )
    normalize: bool = option(
        flag(),
        False,
        "Whether raw text is tokenized and lower-cased as METEOR's -norm does it.",
        key=Key("norm", _write_normalization, _read_normalization),
    )
    keep_punctuation: bool = option(
        flag(), True, "Without, normalizing drops punctuation (-noPunct)."
    )
    tokenize: str | Tokenizer | Callable[[str], Iterable[str]] | None = option(
        TOKENIZER,
        None,
        "Another tokenizer, for languages that METEOR does not normalize.",
        key=Key("tok", _write_tokenizer, _read_tokenizer),
        metavar="NAME",
    )
    beam_size: int = option(
        whole(1, 2**31 - 1), 40, "How many partial alignments are kept.", key="beam"
    )
    character_based: bool = option(
        flag(), False, "Whether characters count instead of words (-ch).", key="chars"
    )
    function_words: str | Iterable[str] | None = option(
        Kind(
            _read_function_words,
            _function_words_signature,
            _read_function_words_word,
            lambda text: text if text == "language" else _words_of_file(text),
            described="words, or language for those of the language's own list",
        ),
        None,
        "language: those of the language's own list; or a file with one a line.",
        key="func",
        metavar="FILE|language",
    )
    paraphrases: Any = option(
        Kind(lambda name, value: str(value), described="a file"),
        None,
        "A table of paraphrases; by default the installed one of the language.",
        key=Key("para", _write_paraphrases, lambda text: {}),
        metavar="FILE",
    )
    ignore_ids: Iterable[int] | Callable[[str], bool] = ignored_ids_option()
    vocabulary: Sequence[str] | None = vocabulary_option()

    oversized: str = option(
        choice(OVERSIZED),
        "error",
        "A segment with more than 25 million possible matches is an error, or scored by the stage exact "
        "alone (exact), or left out of a corpus score, with statistics of 0 (zero).",
        key="oversized",
        metavar="NAME",
    )

    @property
    def tuned(self) -> Parameters:
        """The parameters of the language for the task."""
        return parameters_of(resolve_language(self.language), self.task)[1]

    def check_together(self) -> None:
        """Check what holds between several options, and that what they need is there."""
        if len(self._weights) != len(self._stages):
            raise OptionError(
                f"stage_weights has {len(self._weights)} weights for {len(self._stages)} stages "
                f"({', '.join(self._stages)})"
            )
        if self.oversized == "exact" and "exact" not in self._stages:
            raise OptionError(
                "oversized='exact' needs the stage 'exact', which is not among the stages "
                f"{', '.join(self._stages)}; add it, or say oversized='zero'"
            )
        if self.task is not None:
            parameters_of(resolve_language(self.language), self.task)
        self._tokenizer  # noqa: B018  (says now what does not fit)
        if self.paraphrases is not None and "paraphrase" not in self._stages:
            raise OptionError(
                "paraphrases is a table for the stage 'paraphrase', which is not among the stages "
                f"{', '.join(self._stages)}; add it, or stages='official'"
            )
        if "paraphrase" in self._stages:
            paraphrase_table.locate(self.paraphrases, self.language)

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        language = resolve_language(self.language)
        if not self.normalize:
            if not self.keep_punctuation:
                raise OptionError("keep_punctuation=False needs normalize=True")
            return tokenizers.get("meteor-plain" if self.tokenize is None else self.tokenize)
        if self.tokenize is not None:
            raise OptionError("normalize is METEOR's own tokenizer: give it or tokenize, not both")
        if not language.normalizes:
            raise OptionError(
                f"normalize: METEOR has no normaliser for {language.name}; tokenize the texts first, or "
                "give tokenize="
            )
        ending = "" if self.keep_punctuation else "-nopunct"
        return tokenizers.get(f"meteor-{language.code}{ending}")

    @property
    def _stages(self) -> tuple[str, ...]:
        return self.stages  # type: ignore[return-value]

    @property
    def _weights(self) -> tuple[float, ...]:
        return self.stage_weights  # type: ignore[return-value]

    @property
    def _parameters(self) -> tuple[float, float, float, float]:
        return self.alpha, self.beta, self.gamma, self.delta

    # -- presets and signatures

    PRESETS: ClassVar[Mapping[str, Preset]] = PRESETS

    def reproduces(self, *, tokens: bool = False) -> str:
        """Return the version of the reference implementation."""
        return "1.5"

    @property
    def normalization(self) -> str:
        """What the signature says of METEOR's normaliser: no, yes, or nopunct."""
        if not self.normalize:
            return "no"
        return "yes" if self.keep_punctuation else "nopunct"

    @property
    def evaluation_id(self) -> str:
        """The configuration in METEOR's own notation.

        Examples
        --------
        >>> from cocarde import METEOR
        >>> METEOR().evaluation_id
        'meteor-1.5-wo-en-no_norm-0.85_0.2_0.6_0.75-ex_st_sy-1.0_0.6_0.8'
        """
        norm = {"yes": "norm", "nopunct": "norm_nopunct"}.get(self.normalization)
        return "-".join(
            (
                "meteor-1.5",
                "ch" if self.character_based else "wo",
                self.language,
                norm or ("lc_only" if self.lowercase else "no_norm"),
                "_".join(map(repr, self._parameters)),
                "_".join(stage[:2] for stage in self._stages),
                "_".join(map(repr, self._weights)),
            )
        )

    # -- what Metric asks for

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """Names of the statistics: lengths, matches of each stage, chunks, matched words."""
        return (
            *_LENGTHS,
            *(f"{stage}_{count}" for stage in self._stages for count in _COUNTS),
            *_TAIL,
        )

    @cached_property
    def column_options(self) -> ColumnOptions:
        """How segments become tokens."""
        return ColumnOptions(
            self._tokenizer,
            self.lowercase or self.normalize,
            ignore_ids=self.ignore_ids,  # type: ignore[arg-type]
            vocabulary=self.vocabulary,  # type: ignore[arg-type]
        )

    @property
    def _options(self) -> _native.MeteorOptions:
        return _native_options(
            self._stages, self._weights, self._parameters, self.beam_size, self.character_based
        )

    def _lexicon(self, words: _native.DistinctWords) -> _native.MeteorLexicon:
        """Find what matters of each distinct word."""
        threads = get_num_threads()
        if words.has_ids():
            others = [stage for stage in self._stages if stage != "exact"]
            if others:
                raise InputError(
                    f"the stages {', '.join(others)} look at words, but the hypotheses are ids; give "
                    "vocabulary=, the word behind each id, or stages=('exact',)"
                )
            return _native.MeteorLexicon(words, None, None, None, None, threads)
        texts = words.words()
        stems = self._stems(texts) if "stem" in self._stages else None
        listed = self.weighed_as_function_words
        functions = bytes(text.lower() in listed for text in texts) if listed else None
        wordnet = resources.wordnet() if "synonym" in self._stages else None
        table = None
        if "paraphrase" in self._stages:
            table = paraphrase_table.open(self.paraphrases, self.language)
        return _native.MeteorLexicon(words, stems, functions, wordnet, table, threads)

    def _stems(self, words: list[str]) -> list[str]:
        if self.language != "ar-bw-red":
            return snowball.stem_words(self.language, words)
        table = resources.arabic_stems()
        return [table.get(resources.java_hash(word), word) for word in words]

    @property
    def weighed_as_function_words(self) -> frozenset[str]:
        """The words that weigh 1 − delta, in lower case."""
        if isinstance(self.function_words, frozenset):
            return self.function_words
        return resources.function_words("en" if self.function_words is None else self.language)

    def _fill(self, batch: Batch, out: Floats) -> None:
        self._fill_from(self._words(batch.hypotheses, batch.references), batch, out)

    def _words(
        self, hypotheses: _native.Column, references: _native.Column
    ) -> _native.DistinctWords:
        return _native.DistinctWords(hypotheses, references, get_num_threads())

    def _fill_from(self, words: _native.DistinctWords, batch: Batch, out: Floats) -> int:
        """Write the rows of a batch; return how many segments are oversized."""
        refused = self._count(words, batch.offsets, self._options, out)
        return 0 if refused is None else self._fill_around(refused, batch, out)

    def _fill_around(self, refused: tuple[int, str] | None, batch: Batch, out: Floats) -> int:
        """Write the rows of a batch of which a segment was refused; return how many are oversized."""
        count, first, last = 0, 0, len(batch)
        ranges: list[tuple[int, int]] = []
        while True:
            if refused is not None:
                place, reason = refused
                number = first + place
                self._fill_oversized(_part(batch, number, number + 1), out[number], number, reason)
                count += 1
                ranges += (*_blocks(first, number), *_blocks(number + 1, last))
            if not ranges:
                return count
            first, last = ranges.pop()
            part = _part(batch, first, last)
            words = self._words(part.hypotheses, part.references)
            refused = self._count(words, part.offsets, self._options, out[first:last])

    def _count(
        self,
        words: _native.DistinctWords,
        offsets: Ids,
        options: _native.MeteorOptions,
        out: Floats,
    ) -> tuple[int, str] | None:
        """Write the rows of all segments, or return which one is refused and why."""
        lexicon = self._lexicon(words)
        try:
            _native.meteor_statistics(words, offsets, lexicon, options, out, get_num_threads())
        except ValueError as error:
            return _read_refusal(error)
        return None

    def _fill_oversized(self, segment: Batch, row: Floats, number: int, reason: str) -> None:
        """Write the row of a segment that was refused for that reason."""
        if self.oversized == "error":
            raise self._refused(number, reason)
        row[:] = 0
        if self.oversized == "exact":
            words = self._words(segment.hypotheses, segment.references)
            counted = np.empty(len(_EXACT_FIELDS))
            if self._count(words, segment.offsets, self._exact_options, counted) is not None:
                raise self._refused(number, reason)
            row[:] = self._widened(counted)

    def _refused(self, number: int, reason: str) -> InputError:
        return InputError(f"{reason}{_OVERSIZED_FIXES[self.oversized]}", segment=number)

    @property
    def _exact_options(self) -> _native.MeteorOptions:
        """The stage "exact" alone."""
        weight = self._weights[self._stages.index("exact")]
        return _native_options(
            ("exact",), (weight,), self._parameters, self.beam_size, self.character_based
        )

    def _widened(self, exact: Floats) -> Floats:
        """Return rows of the stage "exact" alone as rows of all stages."""
        rows = np.zeros((*exact.shape[:-1], len(self.fields)))
        rows[..., [self.fields.index(name) for name in _EXACT_FIELDS]] = exact
        return rows

    def _fill_pairs(
        self,
        hypotheses: _native.Column,
        first: int,
        last: int,
        references: _native.Column,
        out: Floats,
    ) -> Counter[str] | None:
        words = self._words(hypotheses, references)
        lexicon = self._lexicon(words)
        count = 0
        ranges = [(first, last)]
        while ranges:
            begin, end = ranges.pop()
            rows = out[begin - first : end - first]
            refused = self._count_pairs(words, begin, end, lexicon, self._options, rows)
            if refused is not None:
                number, reason = refused
                row = out[number - first]
                count += self._fill_singly(hypotheses, number, references, row, reason)
                ranges += [(a, b) for a, b in ((begin, number), (number + 1, end)) if a < b]
        return Counter(oversized_pairs=count) if count else None

    def _count_pairs(
        self,
        words: _native.DistinctWords,
        first: int,
        last: int,
        lexicon: _native.MeteorLexicon,
        options: _native.MeteorOptions,
        out: Floats,
    ) -> tuple[int, str] | None:
        """Write the rows of all pairs, or return which hypothesis is refused and why."""
        try:
            _native.meteor_pairwise(words, first, last, lexicon, options, out, get_num_threads())
        except ValueError as error:
            return _read_refusal(error)
        return None

    def _fill_singly(
        self,
        hypotheses: _native.Column,
        number: int,
        references: _native.Column,
        out: Floats,
        reason: str,
    ) -> int:
        """Write the rows of one hypothesis, reference by reference; return how many are oversized."""
        if self.oversized == "error":
            raise self._refused(number, reason)
        hypothesis = hypotheses.part(number, number + 1)
        count = 0
        for place in range(len(references)):
            reference = references.part(place, place + 1)
            pair = Batch(hypothesis, reference, np.array((0, 1), np.int64), 1)
            words = self._words(hypothesis, reference)
            if self._count(words, pair.offsets, self._options, out[place]) is not None:
                self._fill_oversized(pair, out[place], number, reason)
                count += 1
        return count

    def _parts(self, of: Arithmetic, columns: list[Value]) -> dict[str, Value]:
        """Return precision, recall, f1, fmean, penalty and score of rows, from 0 to 1."""
        alpha, beta, gamma, delta = self._parameters
        weights = self._weights
        stages = range(len(weights))
        sides = []
        for side in (0, 1):
            matched: Value = 0.0
            for stage in stages:
                matched = matched + columns[4 + 4 * stage + side] * weights[stage] * delta
            for stage in stages:
                matched = matched + columns[6 + 4 * stage + side] * weights[stage] * (1 - delta)
            length, function_words = columns[side], columns[2 + side]
            weight = delta * (length - function_words) + (1 - delta) * function_words
            sides.append(of.divide(matched, weight))
        precision, recall = sides
        chunks, whole, hypothesis_matches, reference_matches = columns[-4:]
        f1 = of.divide(2 * precision * recall, precision + recall)
        fmean = of.divide(1.0, of.divide(1 - alpha, precision) + of.divide(alpha, recall))
        # What matches as a whole is not fragmented.
        fragmentation = of.divide(chunks - whole, (hypothesis_matches + reference_matches) / 2)
        penalty = gamma * of.power(fragmentation, beta)
        score = fmean * (1 - penalty)
        return {
            "precision": precision,
            "recall": recall,
            "f1": f1,
            "fmean": fmean,
            "fragmentation_penalty": penalty,
            # Where nothing matches, there is no fragmentation to speak of, and the score is 0.
            "score": of.where(score > 0, score, 0.0),
        }

    def _evaluate(self, values: Floats, *, level: str) -> Floats:
        return np.asarray(100 * self._parts(*columns_of(values))["score"])

    def _score(self, totals: Statistics, *, level: str) -> METEORScore:
        arithmetic, columns = columns_of(totals.values)
        parts = {
            name: x if math.isfinite(x) else float(np.nan_to_num(x))
            for name, x in self._parts(arithmetic, columns).items()
        }
        penalty = parts.pop("fragmentation_penalty")
        stages = []
        for index, (stage, weight) in enumerate(zip(self._stages, self._weights, strict=True)):
            content_h, content_r, function_h, function_r = columns[4 + 4 * index : 8 + 4 * index]
            stages.append(StageMatches(stage, weight, content_h, function_h, content_r, function_r))
        named = dict(zip(self.fields, columns, strict=True))
        return METEORScore._of(  # noqa: SLF001  (a part of Score)
            name=self.name,
            signature=self._signature_text(totals, level),
            warnings=() if parts["score"] else (self._reason(named, totals.notes),),
            fragmentation_penalty=penalty,
            chunks=named["chunks"] - named["whole_segments"],
            stages=tuple(stages),
            **{name: 100 * value for name, value in parts.items()},
            **{name: named[name] for name in (*_LENGTHS, *_TAIL[2:])},
        )

    def _signature_text(self, statistics: Statistics, level: str) -> str:
        if "paraphrase" in self._stages:  # the table may be replaced, and its checksum is in it
            return str(self.signature_of(statistics, level=level))
        return super()._signature_text(statistics, level)

    def _reason(self, totals: Mapping[str, float], notes: tuple[str, ...]) -> str:
        if self.oversized == "zero" and not any(totals.values()):
            return (
                "the score is 0 because the texts have no words, or more than 25 million possible matches "
                "(oversized='zero')"
            )
        for side in ("hypothesis", "reference"):
            if not totals[f"{side}_length"]:
                return f"the score is 0 because the {side} has no words"
        if notes and not totals["hypothesis_matches"]:
            return f"the score is 0 because {'; '.join(notes)}"
        if not totals["hypothesis_matches"]:
            return (
                "the score is 0 because no word matches; METEOR 1.5 takes another form or a synonym of a "
                "word only where that continues a run of matches"
            )
        return "the score is 0 because what matches has no weight, or the penalty takes all"

    def observe(self, batch: Batch) -> tuple[Statistics, Findings]:
        """Return the statistics of a batch, and how often what deserves a warning was found."""
        words = self._words(batch.hypotheses, batch.references)
        values = np.empty((len(batch), len(self.fields)))
        oversized = self._fill_from(words, batch, values)
        findings = self._look(batch, values)
        if oversized:
            findings = {**findings, "oversized": oversized}
        if self._tokenizer.name == "meteor-plain" and not words.has_ids():
            texts = words.words()
            ending = [text for text in texts if text.endswith(_MARKS)]
            glued = sum(map(bool, map(_GLUED.search, ending)))
            findings = {**findings, "words": len(texts), "glued": glued}
        return self._rows(batch, values, findings), findings

    def messages(self, findings: Findings, segments: int) -> list[str]:
        """Say what these counts of `observe`, among so many segments, mean."""
        messages = super().messages(findings, segments)
        for key, what in (("oversized", "segments"), ("oversized_pairs", "pairs")):
            if count := findings.get(key):
                messages.append(
                    f"METEOR has more than 25 million possible matches in {count} of {segments} {what}; "
                    f"{_OVERSIZED_MEANS[self.oversized]}"
                )
        glued, words = findings.get("glued", 0), findings.get("words", 0)
        if glued > _MOST_GLUED * words:
            fix = "normalize=True tokenizes and lower-cases"
            if not resolve_language(self.language).normalizes:
                fix = "tokenize it first, or give tokenize="
            messages.append(
                f"this looks like raw text: {glued} of {words} different words have punctuation on them, "
                f"and match only words with the same; {fix}"
            )
        return messages

    def _remedy(self, kind: str, scripts: Sequence[str]) -> str:
        if kind == "undivided":
            return (
                f"METEOR 1.5 can tokenize English, Czech, French, Spanish, German and Russian alone; divide "
                f"the texts into words beforehand, or give a tokenizer: {tokenizers_for(scripts)}"
            )
        return (
            "keep_punctuation=True keeps punctuation"
            if self.normalize
            else super()._remedy(kind, ())
        )

    # -- alignments

    def align(self, hypothesis: Any, references: Any) -> Alignment:
        """Return the alignment behind the score of one segment.

        Parameters
        ----------
        hypothesis : str or sequence of tokens
        references : str, sequence of str, or (for tokens) a sequence of tokens or of token sequences
            Of several references the alignment is that with the best-scoring one.

        Returns
        -------
        Alignment

        Raises
        ------
        InputError
            As `statistics`.

        Examples
        --------
        >>> from cocarde import METEOR
        >>> alignment = METEOR().align("two boys ate", "boys eat")
        >>> [(match.stage, match.hypothesis_start, match.reference_start) for match in alignment.matches]
        [('exact', 1, 0), ('synonym', 2, 1)]
        """
        segments = Segments.coerce([hypothesis])
        batch = self.batch(segments, References.coerce([references], segments))
        alignments, best = self.alignments(batch)
        return alignments[best]

    def alignments(self, batch: Batch) -> tuple[list[Alignment], int]:
        """Return the alignment of a batch of one segment with each reference, and which one counts.

        Raises
        ------
        InputError
            As `statistics`; and of an oversized segment, unless oversized is "exact".
        """
        words = self._words(batch.hypotheses, batch.references)
        lexicon = self._lexicon(words)
        count = len(batch.references)
        stages, options = self._stages, self._options
        rows = np.empty((count, len(self.fields)))
        refused = self._count_pairs(words, 0, 1, lexicon, options, rows)
        if refused is not None and self.oversized == "exact":
            stages, options = ("exact",), self._exact_options
            rows = np.empty((count, len(_EXACT_FIELDS)))
            refused = self._count_pairs(words, 0, 1, lexicon, options, rows)
        if refused is not None:
            raise self._refused(*refused)
        best = np.empty(rows.shape[1])
        _native.meteor_statistics(words, batch.offsets, lexicon, options, best, 1)
        found = [
            _native.meteor_alignment(words, 0, index, lexicon, options) for index in range(count)
        ]
        chosen = next(index for index in range(count) if (rows[index] == best).all())
        if len(best) != len(self.fields):
            rows = self._widened(rows)
        return [
            Alignment(
                tuple(map(str, batch.hypotheses.tokens(0))),
                tuple(map(str, batch.references.tokens(index))),
                tuple(
                    WordMatch(
                        stages[stage],
                        hypothesis_start,
                        hypothesis_start + hypothesis_length,
                        start,
                        start + length,
                    )
                    for start, length, hypothesis_start, hypothesis_length, stage in matches
                ),
                index,
                self._score(
                    Statistics(self.fields, rows[index], 1, tokens=batch.tokens), level="segment"
                ),
            )
            for index, matches in enumerate(found)
        ], chosen


@lru_cache(maxsize=32)
def _native_options(
    stages: tuple[str, ...],
    weights: tuple[float, ...],
    parameters: tuple[float, float, float, float],
    beam_size: int,
    character_based: bool,
) -> _native.MeteorOptions:
    numbers = [STAGES.index(stage) for stage in stages]
    return _native.MeteorOptions(numbers, list(weights), *parameters, beam_size, character_based)


_OVERSIZED_MEANS = {
    "exact": "the stage exact alone scores them",
    "zero": "their statistics are 0, so that a corpus score leaves them out",
}
_OVERSIZED_FIXES = {
    "error": "; leave it out, or say oversized='exact' (equal words alone) or oversized='zero'",
    "exact": ", even of equal words alone; leave it out, or say oversized='zero'",
    "zero": ", so that it has no alignment; say oversized='exact' for one of equal words alone",
}
_BLOCK = 256
_PARAMETERS = ("alpha", "beta", "gamma", "delta")
_LENGTHS = (
    "hypothesis_length",
    "reference_length",
    "hypothesis_function_words",
    "reference_function_words",
)
_COUNTS = ("hypothesis_content", "reference_content", "hypothesis_function", "reference_function")
_TAIL = ("chunks", "whole_segments", "hypothesis_matches", "reference_matches")
_EXACT_FIELDS = (*_LENGTHS, *(f"exact_{count}" for count in _COUNTS), *_TAIL)
# Punctuation behind a letter; a share of different words that no tokenized text has.
_MARKS = (",", ";", ":", "!", "?")
_GLUED = re.compile(r"[^\W\d_][,;:!?]+$")
_MOST_GLUED = 0.02


_REFUSAL = re.compile(r"segment (\d+): (.*)", re.DOTALL)


def _read_refusal(error: ValueError) -> tuple[int, str]:
    """Return which segment a native kernel refused and why; raise again what is no refusal."""
    refused = _REFUSAL.match(str(error))
    if refused is None:
        raise error
    return int(refused[1]), refused[2]


def _part(batch: Batch, first: int, last: int) -> Batch:
    """Return some segments of a batch."""
    offsets = batch.offsets[first : last + 1]
    return replace(
        batch,
        hypotheses=batch.hypotheses.part(first, last),
        references=batch.references.part(int(offsets[0]), int(offsets[-1])),
        offsets=offsets - offsets[0],
    )


def _blocks(first: int, last: int) -> Iterator[tuple[int, int]]:
    """Divide a range, so that each refusal costs no more than another look at a block."""
    return ((start, min(start + _BLOCK, last)) for start in range(first, last, _BLOCK))
