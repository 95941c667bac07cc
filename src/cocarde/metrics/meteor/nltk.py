"""METEOR as NLTK computes it: what `METEOR.preset("nltk")` returns.

NLTK matches greedily, where METEOR 1.5 searches for the alignment with the fewest chunks: each
hypothesis word, from the last to the first, takes the last reference word that is free and equal;
then what is left is matched by stem, then by WordNet. The last stage looks up and compares *stems*,
since the one before hands on stems ("happi" is in no synset). There are no paraphrases, no function
words, and one score a segment; Hugging Face ``evaluate`` takes their mean.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from cocarde import _native, resources, stemmers, tokenizers
from cocarde._util.threads import get_num_threads
from cocarde.core.columns import Batch, ColumnOptions
from cocarde.core.metric import Metric
from cocarde.core.options import Key, Kind, flag, number, option
from cocarde.core.score import Score
from cocarde.core.signature import TOKENS
from cocarde.core.statistics import Floats, Ids, Statistics
from cocarde.core.token_options import TOKENIZER, ignored_ids_option, vocabulary_option
from cocarde.corpus.segments import References, Segments
from cocarde.errors import InputError, MissingExtraError, OptionError
from cocarde.metrics.meteor.alignment import Alignment, WordMatch
from cocarde.stemmers import Stemmer
from cocarde.tokenizers.base import Tokenizer

__all__ = ["METEORNLTK", "METEORNLTKScore"]

Related = Callable[[str], Iterable[str]]
Numbers = npt.NDArray[np.uint32]

# As the native rows have them.
FIELDS = (
    "count",
    "score",
    "precision",
    "recall",
    "fmean",
    "fragmentation_penalty",
    "matches",
    "chunks",
    "hypothesis_length",
    "reference_length",
)

# --------------------------------------------------------------------------------------------------
# Scores


@dataclass(frozen=True, kw_only=True)
class METEORNLTKScore(Score):
    """The mean of NLTK's METEOR over segments.

    Attributes
    ----------
    precision, recall, fmean : float
        Means over the segments, from 0 to 100.
    fragmentation_penalty : float
        The mean of the penalties, from 0 to 1. Of one segment, score = (1 - penalty) · fmean.
    matches, chunks, hypothesis_length, reference_length : int
        Sums over the segments; of several references the best-scoring one counts.
    """

    precision: float = 0.0
    recall: float = 0.0
    fmean: float = 0.0
    fragmentation_penalty: float = 0.0
    matches: int = 0
    chunks: int = 0
    hypothesis_length: int = 0
    reference_length: int = 0

    def details(self) -> str:
        """Return precision, recall, penalty and the counts behind them."""
        return (
            f"(P = {self.precision:.2f} R = {self.recall:.2f} "
            f"penalty = {self.fragmentation_penalty:.3f} matches = {self.matches} "
            f"chunks = {self.chunks})"
        )


# --------------------------------------------------------------------------------------------------
# WordNet


def _related_of(wordnet: object) -> Related:
    """Return what finds the names in a stem's synsets."""
    if wordnet is None:
        return _nothing
    if wordnet == "embedded":
        related: Related = resources.wordnet().nltk_related
        return related
    reader = _nltk_reader() if wordnet == "nltk" else wordnet
    synsets = getattr(reader, "synsets", None)
    if not callable(synsets):
        assert callable(wordnet)
        return wordnet

    def names(word: str) -> set[str]:
        every = (lemma.name() for synset in synsets(word) for lemma in synset.lemmas())
        return {name for name in every if "_" not in name}

    return names


def _relations(wordnet: object, stems: Mapping[str, int]) -> tuple[Ids, Numbers]:
    """Return the stems that each stem may be matched with, as numbers; those of one after the other."""
    if wordnet == "embedded":
        bounds, numbers = resources.wordnet().nltk_relations(list(stems))
        return np.array(bounds, dtype=np.int64), np.array(numbers, dtype=np.uint32)
    find = _related_of(wordnet)
    offsets = np.zeros(len(stems) + 1, dtype=np.int64)
    related: list[int] = []
    for index, stem in enumerate(stems):
        # Equal stems have been matched before.
        related += {stems[word] for word in find(stem) if word in stems} - {index}
        offsets[index + 1] = len(related)
    return offsets, np.array(related, dtype=np.uint32)


def _nothing(word: str) -> Iterable[str]:
    return ()


def _nltk_reader() -> Any:
    try:
        reader = importlib.import_module("nltk.corpus").wordnet
    except ImportError as error:
        raise MissingExtraError(
            f"wordnet='nltk' needs NLTK, which cannot be imported ({error}): pip install nltk; "
            f"or leave wordnet='embedded'"
        ) from error
    try:
        reader.ensure_loaded()
    except LookupError as error:
        raise MissingExtraError(
            "wordnet='nltk' needs NLTK's data, which are not found: python -m nltk.downloader wordnet; "
            "or leave wordnet='embedded'"
        ) from error
    return reader


# --------------------------------------------------------------------------------------------------
# Words


def _distinct_words(
    hypotheses: _native.Column, references: _native.Column
) -> tuple[_native.DistinctWords, list[str]]:
    distinct = _native.DistinctWords(hypotheses, references, get_num_threads())
    words = distinct.words()
    if distinct.has_ids():
        number = next(word for word in words if not isinstance(word, str))
        raise InputError(
            f"METEOR compares words, but the tokens are ids ({number} is one): give words, or "
            f"vocabulary=, the word behind each id"
        )
    return distinct, words


def _numbered(items: Iterable[str]) -> tuple[Numbers, dict[str, int]]:
    """Number strings in order of first appearance."""
    numbers: dict[str, int] = {}
    given = [numbers.setdefault(item, len(numbers)) for item in items]
    return np.array(given, dtype=np.uint32), numbers


# --------------------------------------------------------------------------------------------------
# How options are read and written


def _check_stemmer(name: str, value: Any) -> Any:
    stemmers.get(value)
    return value


def _check_wordnet(name: str, wordnet: Any) -> Any:
    if wordnet is None:
        return None
    named = isinstance(wordnet, str) and wordnet in ("embedded", "nltk")
    if not named and not callable(getattr(wordnet, "synsets", wordnet)):
        raise OptionError(
            f"wordnet must be 'embedded', 'nltk', a corpus reader of NLTK, a function from a word "
            f"to its synonyms, or None; found {wordnet!r}"
        )
    if getattr(wordnet, "__name__", "") == "<lambda>":
        raise OptionError(
            "wordnet: a function without a name cannot be told in the signature; use def"
        )
    return wordnet


def _write_synonyms(metric: METEORNLTK, level: str, tokens: bool) -> str:
    if metric.wordnet is None:
        return "no"
    if isinstance(metric.wordnet, str):
        return metric.wordnet
    kind = getattr(metric.wordnet, "__name__", type(metric.wordnet).__name__)
    return f"own-{kind}"


def _read_synonyms(text: str) -> dict[str, Any]:
    if text not in ("no", "embedded", "nltk"):
        raise OptionError(
            f"the synonyms of {text!r} are not in a signature; use with_options(wordnet=...)"
        )
    return {"wordnet": None if text == "no" else text}


def _read_formula(text: str) -> dict[str, Any]:
    if text != "nltk":
        raise OptionError(f"this is the signature of another METEOR: formula:{text}")
    return {}


# --------------------------------------------------------------------------------------------------
# The metric


@dataclass(frozen=True, kw_only=True)
class METEORNLTK(Metric[METEORNLTKScore]):
    """METEOR as NLTK 3.10 computes it (``nltk.translate.meteor_score``).

    NLTK has no score of a corpus; here it is the mean of the segments' scores, as in Hugging Face
    ``evaluate``. Of several references the best-scoring one counts.

    Parameters
    ----------
    tokenize : str, Tokenizer or callable, default "none"
        How texts are tokenized; NLTK itself takes tokens alone. Hugging Face ``evaluate`` gives it those of
        ``nltk.word_tokenize``, which can stand here. Token input skips it.
    lowercase : bool, default True
        Whether tokens are lower-cased before anything is compared (NLTK's ``preprocess``). Stems are
        in lower case either way.
    stemmer : str or Stemmer, default "porter-nltk"
        See `cocarde.stemmers`.
    wordnet : {"embedded", "nltk"}, corpus reader, callable or None, default "embedded"
        Where synonyms come from: WordNet 3.0 in this package; NLTK's own data, which have to be
        installed; an NLTK corpus reader; a function from a stem to the words that it matches; or
        nowhere.
    alpha : float, default 0.9
        Weight of precision against recall in the mean, from 0 to 1: P R / (α P + (1 - α) R).
    beta : float, default 3.0
        Exponent of the fragmentation, 0 or more.
    gamma : float, default 0.5
        Largest penalty, from 0 to 1: γ (chunks / matches)^β.
    ignore_ids : collection of int, or callable
        Integer tokens to drop, such as padding; or a predicate on the words of `vocabulary`.
    vocabulary : sequence of str, optional
        The word behind each id; needed where tokens are integers.

    Raises
    ------
    OptionError
        If an option is out of its range.
    MissingExtraError
        If ``wordnet="nltk"`` and NLTK or its data are missing.

    Examples
    --------
    >>> meteor = METEORNLTK(wordnet=None)
    >>> score = meteor.sentence_score("It is a guide to action", "It is the guide to actions")
    >>> score.matches, score.chunks, round(score.score, 2)
    (5, 2, 80.67)

    References
    ----------
    Banerjee and Lavie (2005): METEOR: an automatic metric for MT evaluation with improved correlation
    with human judgments.
    """

    name: ClassVar[str] = "METEOR"

    lowercase: bool = option(
        flag("lc", "mixed"), True, "Whether case does not matter.", key="case", always=True
    )
    tokenize: str | Tokenizer | Callable[[str], list[str]] = option(
        TOKENIZER,
        "none",
        "How texts are tokenized; NLTK itself takes tokens alone.",
        key="tok",
        always=True,
        of_tokens=TOKENS,
        metavar="NAME",
    )
    stemmer: str | Stemmer = option(
        Kind(
            _check_stemmer,
            lambda value: stemmers.get(value).name,
            lambda text: stemmers.get(text).name,
            described="a name",
        ),
        "porter-nltk",
        "The stemmer of the second stage.",
        key="stem",
        always=True,
        metavar="NAME",
    )
    wordnet: Any = option(
        Kind(
            _check_wordnet,
            parse=lambda text: None if text == "none" else text,
            form=lambda value: "none" if value is None else str(value),
            values=lambda: ("embedded", "nltk", "none"),
            described="a name, or None",
        ),
        "embedded",
        "Where synonyms come from: embedded, nltk (its data), or none.",
        key=Key("syn", _write_synonyms, _read_synonyms),
        metavar="embedded|nltk|none",
    )
    alpha: float = option(
        number(0, 1, write=repr), 0.9, "Weight of precision in the mean.", key="alpha"
    )
    beta: float = option(number(0, write=repr), 3.0, "Exponent of the fragmentation.", key="beta")
    gamma: float = option(number(0, 1, write=repr), 0.5, "Largest penalty.", key="gamma")
    ignore_ids: Iterable[int] | Callable[[str], bool] = ignored_ids_option()
    vocabulary: Sequence[str] | None = vocabulary_option()
    formula = Key("formula", lambda *_: "nltk", _read_formula)
    title: ClassVar[str] = "METEOR of NLTK"
    preset_of: ClassVar[str] = "nltk"

    def check_together(self) -> None:
        """Check that what synonyms need is there."""
        _related_of(self.wordnet)

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        return tokenizers.get(self.tokenize)

    @cached_property
    def _stemmer(self) -> Stemmer:
        return stemmers.get(self.stemmer)

    def reproduces(self, *, tokens: bool = False) -> str:
        """Return the version of the reference implementation."""
        return "nltk-3.10"

    # -- what Metric asks for

    @property
    def fields(self) -> tuple[str, ...]:
        """Names of the statistics: the count of segments and sums over them."""
        return FIELDS

    @cached_property
    def column_options(self) -> ColumnOptions:
        """How segments become tokens, whose case is seen to later, token by token as in NLTK."""
        return ColumnOptions(
            self._tokenizer,
            ignore_ids=self.ignore_ids,  # type: ignore[arg-type]
            vocabulary=self.vocabulary,  # type: ignore[arg-type]
        )

    def _matcher(self, words: Sequence[str]) -> _native.MeteorNltk:
        """Look up what matters of each distinct word, once."""
        lowered = [word.lower() for word in words] if self.lowercase else words
        forms, distinct = _numbered(lowered)
        stem_of, stems = _numbered(map(self._stemmer, distinct))
        offsets, related = _relations(self.wordnet, stems)
        return _native.MeteorNltk(
            forms,
            stem_of[forms],
            offsets,
            related,
            self.alpha,
            self.beta,
            self.gamma,
        )

    def _fill(self, batch: Batch, out: Floats) -> None:
        distinct, words = _distinct_words(batch.hypotheses, batch.references)
        self._matcher(words).statistics(distinct, batch.offsets, out, get_num_threads())

    def _fill_pairs(
        self,
        hypotheses: _native.Column,
        first: int,
        last: int,
        references: _native.Column,
        out: Floats,
    ) -> None:
        distinct, words = _distinct_words(hypotheses.part(first, last), references)
        self._matcher(words).pairwise(distinct, out, get_num_threads())

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
            Its stages are "exact", "stem" and "synonym".

        Raises
        ------
        InputError
            As `statistics`.

        Examples
        --------
        >>> from cocarde import METEOR
        >>> METEOR.preset("nltk").align("the cats sat", "the cat sat").matches[1].stage
        'stem'
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
            As `statistics`.
        """
        count = len(batch.references)
        rows = np.empty((1, count, len(self.fields)))
        self._fill_pairs(batch.hypotheses, 0, 1, batch.references, rows)
        find = _related_of(self.wordnet)
        hypothesis = [str(token) for token in batch.hypotheses.tokens(0)]
        found = []
        for index in range(count):
            reference = [str(token) for token in batch.references.tokens(index)]
            found.append(
                Alignment(
                    tuple(hypothesis),
                    tuple(reference),
                    tuple(self._match(hypothesis, reference, find)),
                    index,
                    self._score(
                        Statistics(self.fields, rows[0, index], 1, tokens=batch.tokens),
                        level="segment",
                    ),
                )
            )
        # The first of the best, as the native code chooses.
        return found, int(np.argmax(rows[0, :, 1]))

    def _match(
        self, hypothesis: Sequence[str], reference: Sequence[str], find: Related
    ) -> list[WordMatch]:
        """Match words as NLTK's code does, one after the other; in the order of the reference."""
        texts = [
            [word.lower() if self.lowercase else word for word in side]
            for side in (hypothesis, reference)
        ]
        stems = [[self._stemmer(word) for word in side] for side in texts]
        free = [list(range(len(side)))[::-1] for side in texts]
        found: list[WordMatch] = []
        for stage, forms in (("exact", texts), ("stem", stems), ("synonym", stems)):
            for i in list(free[0]):
                wanted = {forms[0][i]} if stage != "synonym" else {*find(forms[0][i]), forms[0][i]}
                place = next((j for j in free[1] if forms[1][j] in wanted), None)
                if place is not None:
                    free[0].remove(i)
                    free[1].remove(place)
                    found.append(WordMatch(stage, i, i + 1, place, place + 1))
        return sorted(found, key=lambda match: match.reference_start)

    def _evaluate(self, values: Floats, *, level: str) -> Floats:
        return np.asarray(100 * (values[..., 1] / values[..., 0]))

    def _score(self, totals: Statistics, *, level: str) -> METEORNLTKScore:
        named = dict(zip(FIELDS, totals.values.tolist(), strict=True))
        value = float(self._evaluate(totals.values, level=level))
        count = named["count"]
        return METEORNLTKScore._of(  # noqa: SLF001  (a part of Score)
            name=self.name,
            score=value,
            signature=self._signature_text(totals, level),
            warnings=()
            if value
            else (f"the score is 0 because {'; '.join(totals.notes or ('no word matches',))}",),
            precision=100 * named["precision"] / count,
            recall=100 * named["recall"] / count,
            fmean=100 * named["fmean"] / count,
            fragmentation_penalty=named["fragmentation_penalty"] / count,
            matches=round(named["matches"]),
            chunks=round(named["chunks"]),
            hypothesis_length=round(named["hypothesis_length"]),
            reference_length=round(named["reference_length"]),
        )
