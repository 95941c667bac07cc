"""What every metric shares: a configuration, statistics that add up, and a formula.

A metric has three things: a configuration, `statistics` (one row of numbers a segment, native and
parallel) and `compute` (the formula from summed rows to a score). Everything else follows from them
and is written here once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, cast

import numpy as np
import numpy.typing as npt

from cocarde import _native
from cocarde._util.threads import get_num_threads, threads_for
from cocarde._version import __version__
from cocarde.core.accumulator import Accumulator
from cocarde.core.columns import (
    Batch,
    ColumnOptions,
    PreparedReferences,
    one_each,
    refuse_prepared,
    refuse_words_beside_ids,
)
from cocarde.core.diagnostics import Diagnostics, Findings, tokenizers_for
from cocarde.core.options import Declared
from cocarde.core.presets import Preset, find_preset
from cocarde.core.score import Score, ScoresByPart, ScoreT
from cocarde.core.signature import Signature
from cocarde.core.specification import write_specification
from cocarde.core.statistics import Floats, Statistics, made
from cocarde.corpus.segments import References, Segments, holds_ids
from cocarde.errors import InputError, OptionError, warn

if TYPE_CHECKING:
    from typing_extensions import Self

    from cocarde.core.fitting import ReferenceCounts

__all__ = [
    "Kernel",
    "KernelMetric",
    "Metric",
    "SeveralScores",
]


class Metric(Declared, ABC, Generic[ScoreT]):
    """Base of the metrics: immutable values, safe to share between threads and processes.

    A metric defines `name`, its options, `reproduces`, `fields`, `column_options`, `_fill`, `_evaluate`
    and `_score`; what a user calls is written here.
    """

    name: ClassVar[str]
    PRESETS: ClassVar[Mapping[str, Preset]] = {}
    preset_of: ClassVar[str] = ""
    """The preset that names this class, where a metric's preset has a class of its own."""
    reads_texts: ClassVar[bool] = False
    """Whether it tokenizes texts by itself, so that no columns are made for it."""
    decodes_entities: ClassVar[bool] = False
    """Whether its tokenizers decode the entities of SGML, as NIST's scripts do."""
    has_intervals: ClassVar[bool] = False
    """Whether its convention has bootstrap intervals of its own; see `intervals`."""
    has_report: ClassVar[bool] = False
    """Whether its scores have a `report`."""
    has_parts: ClassVar[bool] = False
    """Whether its scores are a mapping, even of one part alone; see `SeveralScores`."""
    higher_is_better: ClassVar[bool | None] = True
    """Whether a higher score is a better one; of error rates it is not, and None where neither is."""
    fits_on_corpus: ClassVar[bool] = False
    """Whether it is fitted on the references of a whole corpus; see `cocarde.CorpusFitted`."""

    # -- what a metric defines

    @property
    @abstractmethod
    def fields(self) -> tuple[str, ...]:
        """Names of the statistics of a segment."""

    @property
    @abstractmethod
    def column_options(self) -> ColumnOptions:
        """How its segments become tokens."""

    def reproduces(self, *, tokens: bool = False) -> str:
        """Return the version of the reference implementation; empty where there is none."""
        return ""

    def accepts_version(self, version: str) -> bool:
        """Return whether a signature of this version means what is computed here."""
        return version == self.reproduces()

    @abstractmethod
    def _fill(self, batch: Batch, out: Floats) -> None:
        """Write one row a hypothesis into `out`."""

    @abstractmethod
    def _fill_pairs(
        self,
        hypotheses: _native.Column,
        first: int,
        last: int,
        references: _native.Column,
        out: Floats,
    ) -> Counter[str] | None:
        """Write rows for hypotheses [first, last) against every single reference into `out`.

        What deserves a warning is returned as by `observe`, where there is anything.
        """

    def _evaluate(self, values: Floats, *, level: str) -> Floats:
        """Return scores (0 to 100) of rows over any leading axes; `part_scores` gives them a name."""
        raise NotImplementedError

    @abstractmethod
    def _score(self, totals: Statistics, *, level: str) -> ScoreT:
        """Return the `Score` of one row of totals."""

    @property
    def part_names(self) -> tuple[str, ...]:
        """Names of the scores that it gives: its own, unless it `has_parts`."""
        return (self.name,)

    def part_scores(self, statistics: Statistics, *, level: str = "corpus") -> Mapping[str, Floats]:
        """Return the scores (0 to 100) of rows over any leading axes, by `part_names`."""
        return {self.name: self._evaluate(statistics.values, level=level)}

    def _returned(self, scores: Mapping[str, Floats]) -> Floats:
        """Return scores by part as calls do: the array of the only one, unless the metric has parts."""
        # What `SeveralScores` return has its own type there.
        return cast("Floats", dict(scores)) if self.has_parts else np.asarray(scores[self.name])

    @property
    def needs_references(self) -> bool:
        """Whether the references have a say in how it scores, and have not had it yet; see `fit`."""
        return False

    def fit(self, references: Any) -> Metric[ScoreT]:
        """Return the metric that scores these references: itself, unless it `needs_references`.

        References are given as `prepare` takes and gives them.
        """
        return self

    def fitted_as(self, statistics: Statistics) -> Metric[ScoreT]:
        """Return the metric as it was fitted when it made these statistics; see `fit`."""
        return self

    def count_references(self, references: Any, *, kind: str = "text") -> ReferenceCounts:
        """Return the counts that `fit_counts` takes, which add up over segments.

        Of metrics that are fitted on a corpus (`fits_on_corpus`) alone.
        """
        raise NotImplementedError(f"{self.name} is not fitted on a corpus")

    def fit_counts(self, counts: ReferenceCounts) -> Metric[ScoreT]:
        """Return the metric fitted on counts of `count_references`, of one corpus or summed batches."""
        return self

    def require_fit(self, what: str) -> None:
        """Refuse to be fitted on less than a corpus.

        Raises
        ------
        OptionError
            If it is fitted on a corpus, and is not yet.
        """
        if self.fits_on_corpus and self.needs_references:
            raise OptionError(
                f"{self.name} is fitted on the references of a whole corpus, which {what} is not; take "
                f"metric.fit(references), with those of all segments"
            )

    # -- presets and signatures

    @classmethod
    def preset(cls, name: str, **overrides: Any) -> Any:
        """Return the metric that reproduces a reference implementation.

        Parameters
        ----------
        name : str
            One of `presets()`.
        **overrides
            Options that replace the preset's.

        Returns
        -------
        Metric
            Of this class, or of the preset's own; see `class_of`.

        Raises
        ------
        OptionError
            If there is no such preset, or an option is unknown or out of its range.
        MissingExtraError
            If it needs a package or resource that is not there.

        Examples
        --------
        >>> from cocarde import CHRF
        >>> CHRF.preset("nltk").beta
        3.0
        """
        preset = find_preset(cls.name, cls.PRESETS, name)
        return preset.class_of(cls).made({**preset.options, **overrides})

    @classmethod
    def presets(cls) -> dict[str, Preset]:
        """Return every preset by name."""
        return dict(cls.PRESETS)

    @classmethod
    def class_of(cls, preset: str | None = None) -> Any:
        """Return the class of a preset, whose keywords are its options: as a rule the metric's own."""
        return cls if preset is None else find_preset(cls.name, cls.PRESETS, preset).class_of(cls)

    @classmethod
    def from_signature(cls, text: str, **known: Any) -> Any:
        """Return the metric that a signature describes: cocarde's own or the reference implementation's.

        Parameters
        ----------
        text : str
            For example ``"nrefs:1|case:lc|eff:no|tok:intl|smooth:exp|version:2.6.0"``.
        **known
            Options that a signature does not hold, such as a function or a long list of words.

        Returns
        -------
        Metric

        Raises
        ------
        OptionError
            If a key or value is unknown, the version is another than the one that is reproduced, or an
            option cannot be told by a signature and is not in `known`.

        Examples
        --------
        >>> from cocarde import TER
        >>> signature = "nrefs:1|case:lc|tok:tercom|norm:no|punct:no|asian:no|version:2.6.0"
        >>> TER.from_signature(signature) == TER(no_punct=True)
        True
        """
        signature = Signature.parse(text)
        named = cls.PRESETS.get(signature.to_dict().get("formula", ""))
        found = cls if named is None else named.class_of(cls)
        known = {name: value for name, value in known.items() if value is not None}
        metric = found.made({**found.read_pairs(signature, known), **known})
        metric.check_against(signature, known)
        version = signature.to_dict().get("version", metric.reproduces())
        if not metric.accepts_version(version):
            raise OptionError(
                f"the signature is of version {version}, but what is computed here is "
                f"{metric.reproduces()}; drop 'version:{version}' from it to score with this one"
            )
        return metric

    def signature_for(
        self, references_per_segment: int | None, *, level: str = "corpus", tokens: bool = False
    ) -> Signature:
        """Return the signature of a score at this level with so many references.

        Tokens are neither tokenized nor lower-cased: theirs says so, whatever the options are for texts.
        """
        version = self.reproduces(tokens=tokens)
        return Signature(
            (
                ("nrefs", "var" if references_per_segment is None else str(references_per_segment)),
                *self.option_pairs(level=level, tokens=tokens),
                *((("version", version),) if version else ()),
                ("cocarde", __version__),
            )
        )

    @classmethod
    def score_options(cls) -> Mapping[str, tuple[str | None, Mapping[str, Any]]]:
        """Return the scores that are asked for by name: the preset and the options that give each."""
        return {}

    def intervals(
        self,
        statistics: Statistics,
        *,
        confidence: float = 95,
        resamples: int = 1000,
        seed: int | None = None,
    ) -> Mapping[str, Any]:
        """Return the bootstrap interval of each part that the metric's convention has of its own.

        Raises
        ------
        OptionError
            If it has none.
        """
        raise OptionError(f"{self.name} has no interval of its own; ROUGE has")

    def _set(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    @property
    def specification(self) -> str:
        """The metric in one line of text, from which `cocarde.metric` makes it again.

        Functions and vocabularies are not in it.

        Examples
        --------
        >>> from cocarde import BLEU
        >>> BLEU.preset("nltk", lowercase=True).specification
        'bleu:nltk,lowercase=true'
        """
        return write_specification(
            self.name.lower(), self, type(self).PRESETS.values(), self.preset_of
        )

    def __str__(self) -> str:
        return self.specification

    def with_options(self, **changes: Any) -> Self:
        """Return the same metric with some options changed.

        Raises
        ------
        OptionError
            As the constructor.
        """
        self.check_names(changes)
        return cast("Self", replace(cast("Any", self), **changes))

    def signature_of(self, statistics: Statistics, *, level: str = "corpus") -> Signature:
        """Return the signature of the score of these statistics: of tokens, what applies to them."""
        return self.signature_for(
            statistics.references_per_segment, level=level, tokens=statistics.tokens
        )

    @cached_property
    def _signature_texts(self) -> dict[tuple[object, ...], str]:
        return {}

    def _signature_text(self, statistics: Statistics, level: str) -> str:
        """Return `signature_of` these statistics as text, made once for all that have it."""
        key = (
            statistics.references_per_segment,
            level,
            statistics.tokens,
            statistics.tokenizer,
            statistics.fit,
        )
        known = self._signature_texts
        if key not in known:
            known[key] = str(self.signature_of(statistics, level=level))
        return known[key]

    # -- what a user calls

    @property
    def signature(self) -> str:
        """The signature, with one reference a segment assumed; a score's own has the true number."""
        return str(self.signature_for(1))

    def statistics(self, hypotheses: Any, references: Any) -> Statistics:
        """Return the sufficient statistics of each segment.

        Parameters
        ----------
        hypotheses : sequence of str, or of token sequences, or an integer matrix, or (values, offsets)
            n segments. Token sequences (str or int) skip the tokenizer; ``(values, offsets)`` is a
            whole ragged batch of ids.
        references : sequence, References or PreparedReferences
            One entry for each hypothesis: a str is one reference, a list of str any number, None
            inside is a missing one and "" a real empty one. With token hypotheses a list of tokens
            is one reference and a list of lists several.

        Returns
        -------
        Statistics, shape (n, k)

        Raises
        ------
        InputError
            If there is no segment, counts differ, the references look transposed, a segment has no
            reference, or texts and tokens are mixed.
        """
        metric, segments, read = self._fitted(hypotheses, references)
        return metric.statistics_of(metric.batch(segments, read))

    def corpus_score(self, hypotheses: Any, references: Any) -> ScoreT:
        """Return the score of a corpus: the formula of the summed statistics.

        Parameters and errors are those of `statistics`.
        """
        metric, segments, read = self._fitted(hypotheses, references)
        totals = metric.statistics(segments, read).sum()
        return metric._score(totals, level="corpus")  # noqa: SLF001  (a Metric too)

    def sentence_score(self, hypothesis: Any, references: Any) -> ScoreT:
        """Return the score of one segment.

        Parameters
        ----------
        hypothesis : str or sequence of tokens
        references : str, sequence of str, or (for tokens) a sequence of tokens or of token sequences

        Returns
        -------
        Score

        Raises
        ------
        InputError
            As `statistics`.
        """
        if self.needs_references:
            self.require_fit("one segment")
            metric, segments, read = self._fitted([hypothesis], [references])
            batch = metric.batch(segments, read)
        else:
            metric, batch = self, self._batch_of_one(hypothesis, references)
        totals = metric.statistics_of(batch).sum()
        return metric._score(totals, level="segment")

    def segment_scores(self, hypotheses: Any, references: Any) -> Floats:
        """Return the score of each segment.

        Parameters and errors are those of `statistics`.

        Returns
        -------
        ndarray of float64, shape (n,), or dict of str to ndarray
            Each from 0 to 100; of a metric of several parts, such as ROUGE, by part.
        """
        metric, segments, read = self._fitted(hypotheses, references)
        rows = metric.statistics(segments, read)
        if len(rows) == 1:  # one row is faster evaluated as such
            alone = metric.part_scores(rows[0], level="segment")
            return self._returned({name: np.reshape(score, 1) for name, score in alone.items()})
        return self._returned(metric.part_scores(rows, level="segment"))

    def compute(self, statistics: Statistics | npt.ArrayLike, *, level: str = "corpus") -> Any:
        """Apply the formula to summed statistics.

        Parameters
        ----------
        statistics : Statistics or array_like, shape (k,) or (..., k)
            Totals with this metric's fields.
        level : {"corpus", "segment"}
            "segment" where each row is one segment and the convention treats those differently.

        Returns
        -------
        Score, or ndarray of float64, shape (...), or dict of str to ndarray
            A `Score` for one row; for more axes the scores from 0 to 100, of a metric of several parts
            by part.

        Raises
        ------
        InputError
            If the number of fields is not this metric's, or a number is negative, not finite, or
            larger than another one allows.
        """
        if level not in ("corpus", "segment"):
            raise OptionError(f"level must be 'corpus' or 'segment', found {level!r}")
        if not isinstance(statistics, Statistics):
            try:
                values = np.asarray(statistics, dtype=np.float64)
            except (TypeError, ValueError):
                raise InputError(
                    f"statistics are numbers in rows of one length; found {statistics!r:.60}"
                ) from None
            statistics = Statistics(self.fields, values)
        if statistics.values.ndim == 0 or statistics.values.shape[-1] != len(self.fields):
            raise InputError(
                f"{self.name} has {len(self.fields)} statistics ({', '.join(self.fields)}); found an "
                f"array of shape {statistics.values.shape}"
            )
        if statistics.fields != self.fields:
            raise InputError(
                f"these are not {self.name}'s statistics: {', '.join(statistics.fields)}"
            )
        if statistics.fit:
            self._check_fit(statistics)
        self._check_values(statistics.values)
        if statistics.values.ndim == 1:
            return self._score(statistics, level=level)
        return self._returned(self.part_scores(statistics, level=level))

    def _check_fit(self, statistics: Statistics) -> None:
        """Refuse what was made by the same metric, fitted on other references."""

    def _check_values(self, values: Floats) -> None:
        """Refuse what no segments can have."""
        # Two passes, and no memory: these may be the rows of many resamples. NaN spoils both.
        if values.size and not (values.min() >= 0 and values.max() < np.inf):
            self._refuse(values, ~((values >= 0) & (values < np.inf)), "is no count or length")

    def _refuse(self, values: Floats, wrong: npt.NDArray[np.bool_], fault: str) -> None:
        place = tuple(map(int, np.argwhere(wrong)[0]))
        where = f" of row {', '.join(map(str, place[:-1]))}" if len(place) > 1 else ""
        name = self.fields[place[-1]]
        raise InputError(f"{name}{where} is {float(values[place])!r}, which {fault}")

    def pairwise(self, hypotheses: Any, references: Any) -> Floats:
        """Score every hypothesis against every single reference.

        For minimum-Bayes-risk decoding and for measuring diversity.

        Parameters
        ----------
        hypotheses : n segments, of any shape that `statistics` takes
        references : m segments, of any shape that `statistics` takes for hypotheses

        Returns
        -------
        ndarray of float64, shape (n, m), or dict of str to ndarray
            Segment scores from 0 to 100; of a metric of several parts, such as ROUGE, by part.

        Raises
        ------
        InputError
            As `statistics`.
        """
        refuse_prepared(references, "pairwise")
        left = Segments.coerce(hypotheses)
        right = Segments.coerce(references, "references")
        if len(left) and len(right) and left.is_tokens != right.is_tokens:
            kinds = [
                "sequences of tokens" if segments.is_tokens else "texts"
                for segments in (left, right)
            ]
            raise InputError(
                f"hypotheses are {kinds[0]} but references are {kinds[1]}; `pairwise` takes single "
                f"references, in one flat sequence of the same kind as the hypotheses"
            )
        for segments in (left, right):
            self._check_count(segments)
        if self.needs_references:
            return self.fit(one_each(right)).pairwise(left, right)
        return self._returned(self._pairs(left, right))

    def _pairs(self, left: Segments, right: Segments) -> dict[str, Floats]:
        """Return the scores of every hypothesis against every single reference, by part."""
        threads = get_num_threads()
        options = self.column_options
        rows = options.column(left).prepare(threads)
        columns = options.of_references.column(right).prepare(threads)
        if left.is_tokens:
            refuse_words_beside_ids(rows, columns)
        n, m, k = len(rows), len(columns), len(self.fields)
        scores = {name: np.empty((n, m)) for name in self.part_names}
        findings: Counter[str] = Counter()
        step = max(1, _PAIRWISE_VALUES // (m * k))
        for first in range(0, n, step):
            last = min(n, first + step)
            values = np.empty((last - first, m, k))
            findings.update(self._fill_pairs(rows, first, last, columns, values) or ())
            pairs = Statistics(self.fields, values)
            for name, found in self.part_scores(pairs, level="segment").items():
                scores[name][first:last] = found
        if findings:
            self.report(findings, n * m)
        return scores

    def prepare(self, references: Any, *, kind: str = "text") -> PreparedReferences:
        """Tokenize references once, to score many systems against them.

        Parameters
        ----------
        references : as in `statistics`
        kind : {"text", "tokens"}
            What the hypotheses will be, since they decide how lists inside `references` are read.

        Returns
        -------
        PreparedReferences
            Takes the place of `references` in `corpus_score`, `segment_scores`, `statistics`, an
            accumulator and `cocarde.compare`, for metrics with the same tokenization.

        Raises
        ------
        InputError, OptionError
        """
        refuse_prepared(references, "prepare")
        references = self._read_references(references, kind)
        if self.needs_references:
            return self.fit(references).prepare(references, kind=kind)
        column = self.column_options.of_references.column(references.segments)
        column = column.prepare(get_num_threads())
        fitted = self if self.fits_on_corpus else None
        return PreparedReferences(
            column, references.offsets, self.column_options, kind, references.per_segment, fitted
        )

    def _read_references(self, references: Any, kind: str) -> References:
        """Read references without hypotheses, for such as are texts or tokens."""
        if kind not in ("text", "tokens"):
            raise OptionError(f"kind must be 'text' or 'tokens', found {kind!r}")
        if not isinstance(references, References):
            if not hasattr(references, "__len__"):
                if not isinstance(references, Iterable):
                    raise InputError(
                        f"references must be a sequence, found {type(references).__name__}"
                    )
                references = list(references)
            if kind == "text" and holds_ids(references):
                raise InputError(
                    "references holds ids, but was to be prepared for hypotheses that are texts; for "
                    "tokens or ids say prepare(references, kind='tokens')"
                )
            count = len(references)
            if kind == "tokens" and isinstance(references, tuple) and count == 2:
                count = len(Segments.coerce(references, "references"))
            probe = Segments("text" if kind == "text" else "tokens", count, "hypotheses")
            references = References.coerce(references, probe)
        if len(references) == 0:
            raise InputError("references has no segments; there is nothing to score")
        return cast("References", references)

    def accumulator(self) -> Accumulator[ScoreT]:
        """Return an empty `Accumulator` of this metric's statistics."""
        return Accumulator(self)

    def batch(self, hypotheses: Any, references: Any) -> Batch:
        """Make the native columns of hypotheses and references.

        Parameters and errors are those of `statistics`.
        """
        segments = Segments.coerce(hypotheses)
        self._check_count(segments)
        options = self.column_options
        if isinstance(references, PreparedReferences):
            self._check_prepared(references, segments)
            column, offsets = references.column, references.offsets
            per_segment = references.references_per_segment
        else:
            read = References.coerce(references, segments)
            column = options.of_references.column(read.segments)
            offsets, per_segment = read.offsets, read.per_segment
        return Batch.of(options.column(segments), column, offsets, per_segment, segments.is_tokens)

    def _batch_of_one(self, hypothesis: Any, references: Any) -> Batch:
        """Make the native columns of one segment.

        As `batch` does, and faster where it is a `str` with a `str` or a list of them: then there is
        nothing to find out.
        """
        if type(hypothesis) is str:
            if type(references) is str:
                references = [references]
            if type(references) is list and set(map(type, references)) == _ONLY_TEXTS:
                count = len(references)
                options = self.column_options
                return Batch(
                    options.column_of([hypothesis], "hypotheses"),
                    options.of_references.column_of(references, "references"),
                    np.array((0, count), np.int64),
                    count,
                )
        refuse_prepared(references, "sentence_score")
        return self.batch([hypothesis], [references])

    def statistics_of(self, batch: Batch) -> Statistics:
        """Return the statistics of a batch of columns made with this metric's `column_options`."""
        statistics, findings = self.observe(batch)
        self.report(findings, len(statistics))
        return statistics

    def observe(self, batch: Batch) -> tuple[Statistics, Findings]:
        """Return the statistics of a batch, and how often what deserves a warning was found.

        The counts add up like the statistics: whoever reads a corpus in pieces gives their sum to
        `report` once, at the end.
        """
        values = np.empty((len(batch), len(self.fields)))
        self._fill(batch, values)
        findings = self._look(batch, values)
        return self._rows(batch, values, findings), findings

    def _rows(self, batch: Batch, values: Floats, findings: Findings) -> Statistics:
        """Give the rows of a batch their names."""
        # Metrics that tokenize texts by themselves take no tokens.
        tokens = not self.reads_texts and batch.tokens
        notes: tuple[str, ...] = ()
        if findings:
            notes = self._diagnostics.notes(findings, len(values), self._remedy)
        return made(
            Statistics,
            {
                "fields": self.fields,
                "values": values,
                "references_per_segment": batch.references_per_segment,
                "last": None,
                "tokens": tokens,
                "notes": notes,
                "tokenizer": "" if tokens else self.column_options.tokenizer.name,
            },
        )

    def report(self, findings: Findings, segments: int) -> None:
        """Warn of what was found so often among so many segments."""
        if findings:
            for message in self.messages(findings, segments):
                warn(message)

    def messages(self, findings: Findings, segments: int) -> list[str]:
        """Say what these counts of `observe`, among so many segments, mean."""
        return self._diagnostics.messages(findings, segments, self._remedy)

    # -- inside

    def _fitted(self, hypotheses: Any, references: Any) -> tuple[Metric[ScoreT], Any, Any]:
        """Return the metric for these references, with hypotheses and references as far as read."""
        if not self.needs_references:
            return self, hypotheses, references
        segments = Segments.coerce(hypotheses)
        self._check_count(segments)
        if not isinstance(references, PreparedReferences):
            references = References.coerce(references, segments)
        return self.fit(references), segments, references

    def _check_count(self, segments: Segments) -> None:
        if len(segments) == 0:
            raise InputError(f"{segments.argument} has no segments; there is nothing to score")

    def _check_prepared(self, references: PreparedReferences, segments: Segments) -> None:
        options = self.column_options
        if references.options != options:
            raise InputError(
                "these references were prepared for a metric with another tokenization: "
                f"{references.options.differences(options)}; prepare them with this metric"
            )
        if len(references) != len(segments):
            raise InputError(
                f"there are {len(segments)} hypotheses but references were prepared for "
                f"{len(references)} segments"
            )
        if (references.kind == "tokens") != segments.is_tokens:
            raise InputError(
                f"the references were prepared for {references.kind} hypotheses; found {segments.kind}"
            )

    @cached_property
    def _diagnostics(self) -> Diagnostics:
        """What is looked for in segments."""
        return Diagnostics(self.column_options.tokenizer.name, fields=self._length_fields)

    @property
    def _length_fields(self) -> tuple[int, ...]:
        """The fields that are 0 where the hypothesis or the reference has no token."""
        names = ("hypothesis_length", "reference_length")
        return tuple(self.fields.index(name) for name in names if name in self.fields)

    def _look(self, batch: Batch, values: Floats) -> Findings:
        """Count what deserves a warning."""
        return self._diagnostics.look(
            batch.hypotheses, batch.references, batch.offsets, values, self._tokens_of
        )

    def _tokens_of(self, text: str, is_reference: bool) -> Sequence[str]:
        """Return what is compared of a text."""
        options = self.column_options
        return (options.of_references if is_reference else options).tokens(text)

    def _remedy(self, kind: str, scripts: Sequence[str]) -> str:
        """Say what to do where the tokenizer leaves nothing, or scripts undivided.

        Parameters
        ----------
        kind : {"erased", "dropped", "undivided"}
        scripts : sequence of str
            The findings, where texts are undivided.
        """
        if kind == "undivided":
            return tokenizers_for(scripts)
        return "name a tokenizer that keeps such text, such as tokenize='char'"


class SeveralScores(Metric[ScoreT]):
    """For metrics of several parts, such as ROUGE with its types: no number without the name of its part.

    A subclass defines `part_names` and `part_scores`. Its `corpus_score` and `sentence_score` are
    `ScoresByPart`; `segment_scores`, `pairwise` and `compute` of several rows are dictionaries by part, also
    where there is one part alone.
    """

    has_parts: ClassVar[bool] = True

    if TYPE_CHECKING:

        def segment_scores(  # type: ignore[override]
            self, hypotheses: Any, references: Any
        ) -> dict[str, Floats]:
            """Return the scores of each segment, by part."""

        def pairwise(  # type: ignore[override]
            self, hypotheses: Any, references: Any
        ) -> dict[str, Floats]:
            """Score every hypothesis against every single reference, by part."""

    @property
    @abstractmethod
    def part_names(self) -> tuple[str, ...]:
        """Names of the scores that it gives."""

    @abstractmethod
    def part_scores(self, statistics: Statistics, *, level: str = "corpus") -> Mapping[str, Floats]:
        """Return the scores (0 to 100) of rows over any leading axes, by `part_names`."""

    def _score(self, totals: Statistics, *, level: str) -> ScoreT:
        signature = self._signature_text(totals, level)
        found = ScoresByPart(
            name=self.name,
            signature=signature,
            warnings=totals.notes,
            scores=tuple(
                Score(name=name, score=float(score), signature=signature)
                for name, score in self.part_scores(totals, level=level).items()
            ),
        )
        return cast("ScoreT", found)


_ONLY_TEXTS = {str}

# Values of one slab of pairwise statistics: 32 MB.
_PAIRWISE_VALUES = 1 << 22


class Kernel(Protocol):
    """A native loop with its options, which writes rows of two columns."""

    def rows(
        self,
        hypotheses: _native.Column,
        references: _native.Column,
        reference_offsets: npt.NDArray[np.int64],
        out: Floats,
        threads: int,
    ) -> None:
        """Write one row a hypothesis, with its references, into `out`."""

    def pairs(
        self,
        hypotheses: _native.Column,
        first: int,
        last: int,
        references: _native.Column,
        out: Floats,
        threads: int,
    ) -> None:
        """Write rows of hypotheses [first, last) with every single reference into `out`."""


class KernelMetric(Metric[ScoreT]):
    """Base of the metrics whose rows come from one native kernel: `kernel` stands for `_fill`."""

    @property
    @abstractmethod
    def kernel(self) -> Kernel:
        """What fills its rows."""

    def __getstate__(self) -> dict[str, Any]:
        # Made anew where it is needed: it cannot be pickled.
        return {name: value for name, value in self.__dict__.items() if name != "kernel"}

    def _fill(self, batch: Batch, out: Floats) -> None:
        columns = batch.hypotheses, batch.references, batch.offsets
        self.kernel.rows(*columns, out, threads_for(len(out)))

    def _fill_pairs(
        self,
        hypotheses: _native.Column,
        first: int,
        last: int,
        references: _native.Column,
        out: Floats,
    ) -> None:
        self.kernel.pairs(hypotheses, first, last, references, out, get_num_threads())
