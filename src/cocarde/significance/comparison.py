"""Which system is better: scores, intervals and tests of several systems by several metrics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from cocarde._display import part_labels
from cocarde._util.checks import read_choice, read_confidence
from cocarde.core import registry
from cocarde.core.columns import PreparedReferences
from cocarde.core.evaluation import named_metrics, observe, report
from cocarde.core.metric import Metric
from cocarde.core.printed import Printed
from cocarde.core.renderers import render
from cocarde.core.score import Score
from cocarde.core.signature import Signature
from cocarde.core.statistics import Statistics, read_labels
from cocarde.corpus.segments import References, Segments
from cocarde.errors import InputError, MissingExtraError, OptionError, warn
from cocarde.significance.bootstrap import (
    DEFAULT_RESAMPLES,
    Interval,
    bootstrap_p_value,
    estimate,
    resampled_scores,
)
from cocarde.significance.correction import CORRECTIONS, correct
from cocarde.significance.randomization import DEFAULT_SHUFFLES, randomization_p_values
from cocarde.significance.resampling import (
    DEFAULT_SEED,
    MOST_SAMPLES,
    Floats,
    document_totals,
    mean_of_runs,
    read_runs,
    read_samples,
    read_seed,
)

if TYPE_CHECKING:
    from cocarde.core.documents import Document

__all__ = [
    "Comparison",
    "Runs",
    "SystemResult",
    "compare",
    "compare_statistics",
    "score_systems",
]

TESTS = ("bootstrap", "randomization", "multeval")
LEVELS = ("segment", "document")

# Scores of segments or documents, from 0 to 100, that differ by less are tied.
_TIE = 1e-9

_Key = tuple[str, str]  # a system and a metric
ProgressCallback = Callable[[str, int, int], None]


class Runs(tuple[Any, ...]):
    """The outputs of several optimiser runs of one system, each what `compare` takes as hypotheses.

    Parameters
    ----------
    *runs
        The hypotheses of each.
    names : iterable of str, optional
        What the runs are called, such as their files; the comparison prints it.

    Raises
    ------
    InputError
        If a run is a single text.
    OptionError
        If there is not one name for each.

    Examples
    --------
    >>> from cocarde import Runs
    >>> len(Runs(["a b", "c d"], ["a b", "c e"]))
    2
    """

    names: tuple[str, ...]

    def __new__(cls, *runs: Any, names: Iterable[str] = ()) -> Runs:  # noqa: PYI034  (Self is not in Python 3.10)
        """Take one argument for each run."""
        for number, run in enumerate(runs, 1):
            if isinstance(run, (str, bytes)):
                raise InputError(
                    f"run {number} is one text, {run!r:.60}; a run is the list of a system's outputs, "
                    f"one for each segment: Runs([text, ...], [text, ...])"
                )
        self = super().__new__(cls, runs)
        self.names = tuple(map(str, names))
        if self.names and len(self.names) != len(runs):
            raise OptionError(f"names has {len(self.names)} names for {len(runs)} runs")
        return self

    def __getnewargs_ex__(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        return tuple(self), {"names": self.names}


@dataclass(frozen=True, kw_only=True)
class SystemResult:
    """A system's result by one metric.

    Attributes
    ----------
    system, metric : str
        The metric as it was asked for; of one with several scores, such as ROUGE, the part.
    score : float
        Of the test set; the mean of several runs.
    interval : Interval
        From bootstrap resamples; of several runs the mean score of each resample.
    delta : float or None
        The score less the baseline's; None for the baseline itself, as what follows.
    p_value, corrected_p_value : float or None
        Of the test against the baseline; corrected over the systems compared by this metric.
    verdict : {"better", "worse", "different", "same"} or None
        Whether the difference is significant (p below ``1 - confidence``), and to whose favour;
        "different" where neither more nor less is better, as of lengths. "same" says that the test found
        no difference, not that there is none; so it is, whatever p, where the statistics differ in too
        few segments to tell (`differing`), or there are too few samples (`least_p_value`).
    least_p_value : float or None
        The smallest corrected p-value that so many samples can give; where it is not below the level of
        significance, the verdict is "same" whatever the outputs are.
    decidable : bool or None
        Whether that is below the level of significance.
    differing : int or None
        In how many segments (documents) the metric's statistics differ from the baseline's: outputs that
        it cannot tell apart do not count. A shuffle of several runs exchanges each run's segments, which
        then count one by one.
    differing_outputs : int or None
        In how many the outputs themselves differ; None where only statistics were given.
    best : bool
        Whether no system has a better score; this and what follows is only of scores of which one can
        be better.
    tied_with_best : bool
        Whether the test finds no difference from the best one.
    p_value_to_best : float or None
        Of that test, corrected in the same way; None for the best one.
    wins, ties, losses : int or None
        Segments (documents) whose score is better than, equal to and worse than the baseline's; None
        where the convention scores no single segments.
    runs : tuple of float
        The score of each run.
    run_names : tuple of str
        What the runs are called, where they have names; see `Runs`.
    selection_deviation : float
        How much the score varies with the choice of the test set: the standard deviation over resamples,
        averaged over the runs (MultEval's s_sel).
    optimizer_deviation : float or None
        How much it varies from run to run (MultEval's s_opt); None of a single one.
    higher_is_better : bool or None
        Whether a higher score is a better one: not of error rates, and None of lengths.
    signature : str
        Of the score, with resamples and seed.
    name : str
        What papers call the score, such as "BLEU"; by one's own name for a metric, that.
    warnings : tuple of str
        What a careful reader should know, such as why the score is 0, or that the outputs differ in
        too few segments to tell.
    """

    system: str
    metric: str
    score: float
    interval: Interval
    delta: float | None = None
    p_value: float | None = None
    corrected_p_value: float | None = None
    verdict: str | None = None
    least_p_value: float | None = None
    decidable: bool | None = None
    differing: int | None = None
    differing_outputs: int | None = None
    best: bool = False
    tied_with_best: bool = False
    p_value_to_best: float | None = None
    wins: int | None = None
    ties: int | None = None
    losses: int | None = None
    runs: tuple[float, ...] = ()
    run_names: tuple[str, ...] = ()
    selection_deviation: float = 0.0
    optimizer_deviation: float | None = None
    higher_is_better: bool | None = True
    signature: str = ""
    warnings: tuple[str, ...] = ()
    name: str = ""

    @property
    def scores_worse(self) -> bool:
        """Whether the score is worse than the baseline's, significantly or not."""
        if self.delta is None or self.higher_is_better is None:
            return False
        return self.delta < 0 if self.higher_is_better else self.delta > 0

    def to_dict(self) -> dict[str, Any]:
        """Return every attribute by name, the interval's among them, ready for JSON."""
        values = asdict(self)
        interval = values.pop("interval")
        del values["name"]
        values.update({name: list(values[name]) for name in ("runs", "run_names", "warnings")})
        return {
            "system": values.pop("system"),
            "metric": values.pop("metric"),
            "score": values.pop("score"),
            "low": interval["low"],
            "high": interval["high"],
            "half_width": self.interval.half_width,
            "mean": interval["mean"],
            **values,
        }


_ABOUT = (
    *("baseline", "test", "samples", "interval_samples", "seed", "confidence"),
    *("correction", "segments", "level", "documents"),
)


@dataclass(frozen=True, kw_only=True)
class Comparison(Printed, Mapping[tuple[str, str], SystemResult]):
    """Systems compared by metrics; a mapping from (system, metric) to `SystemResult`.

    Attributes
    ----------
    results : tuple of SystemResult
        Metric by metric, in each the systems as they were given.
    baseline : str
    test : {"bootstrap", "randomization", "multeval"}
    samples : int
        Resamples or shuffles of the test.
    interval_samples : int
        Resamples of the intervals.
    seed : int
    confidence : float
        In per cent.
    correction : {None, "holm", "benjamini-hochberg"}
    segments : int
    level : {"segment", "document"}
        What is drawn or exchanged, and counted as wins, ties and losses.
    documents : int or None
        How many there are, at that level.
    runs : int
        Of each system.
    warnings : tuple of str
        Those of all results, with their places.
    """

    results: tuple[SystemResult, ...]
    baseline: str
    test: str
    samples: int
    interval_samples: int
    seed: int
    confidence: float
    correction: str | None
    segments: int
    level: str = "segment"
    documents: int | None = None
    runs: int = 1
    warnings: tuple[str, ...] = ()
    _places: Mapping[tuple[str, str], int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        places = {(one.system, one.metric): index for index, one in enumerate(self.results)}
        object.__setattr__(self, "_places", places)

    def __getitem__(self, key: tuple[str, str]) -> SystemResult:
        if key not in self._places:
            raise KeyError(
                f"no result {key!r}; there are the systems {', '.join(self.systems)} and the metrics "
                f"{', '.join(self.metrics)}"
            )
        return self.results[self._places[key]]

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self.results)

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, in the order in which they were given."""
        return tuple(dict.fromkeys(one.system for one in self.results))

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics, or their parts, in the order in which they were asked for."""
        return tuple(dict.fromkeys(one.metric for one in self.results))

    @property
    def signatures(self) -> dict[str, str]:
        """The signature of each metric."""
        return {one.metric: one.signature for one in self.results}

    def to_dict(self) -> dict[str, Any]:
        """Return everything, ready for JSON."""
        results = [one.to_dict() for one in self.results]
        return {**self._about(), "warnings": list(self.warnings), "results": results}

    def to_records(self) -> list[dict[str, Any]]:
        """Return a flat dictionary for each result, with how it was tested."""
        about = self._about()
        return [{**one.to_dict(), **about} for one in self.results]

    def _about(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in _ABOUT}

    def to_pandas(self) -> Any:
        """Return a pandas DataFrame, a row for each result.

        Raises
        ------
        MissingExtraError
            If pandas is not installed.
        """
        return _optional("pandas").DataFrame(self._columns())

    def to_polars(self) -> Any:
        """Return a polars DataFrame, a row for each result.

        Raises
        ------
        MissingExtraError
            If polars is not installed.
        """
        columns = self._columns()
        if self.seed >= 1 << 63:  # one from the operating system has 128 bits
            columns["seed"] = list(map(str, columns["seed"]))
        return _optional("polars").DataFrame(columns)

    def _columns(self) -> dict[str, list[Any]]:
        records = self.to_records()
        return {name: [record[name] for record in records] for name in records[0]}

    def to_markdown(self, width: int = 2) -> str:
        """Return a Markdown table: a row a system, a column a metric.

        Parameters
        ----------
        width : int, default 2
            Digits after the point.
        """
        return self._written("markdown", width)

    def to_latex(self, width: int = 2) -> str:
        """Return a LaTeX table (package booktabs): a row a system, a column a metric.

        Parameters
        ----------
        width : int, default 2
            Digits after the point.
        """
        return self._written("latex", width)

    def _written(self, form: str, width: int) -> str:
        return str(render(self.document(width, details=False), form))

    def document(self, width: int = 2, *, details: bool | None = None) -> Document:
        """Return what is printed: tables and notes.

        Parameters
        ----------
        width : int, default 2
            Digits after the point.
        details : bool or None
            Whether the table has a row a result, with everything about its test, or a row a system, with
            a column a metric. By default the former where there is one metric.
        """
        from cocarde.significance.rendering import document

        return document(self, width, details=details)

    def to_text(self, width: int = 2, *, details: bool | None = None) -> str:
        """Return the table as `print` shows it; the parameters are those of `document`."""
        return str(render(self.document(width, details=details), "text"))

    def __str__(self) -> str:
        return self.to_text().rstrip("\n")


def _optional(module: str) -> Any:
    try:
        return import_module(module)
    except ImportError:
        raise MissingExtraError(
            f"to_{module} needs {module}, which is not installed: pip install {module}"
        ) from None


# --------------------------------------------------------------------------------------------------


def compare(
    systems: Mapping[str, Any] | Iterable[tuple[str, Any]],
    references: Any,
    metrics: Mapping[str, Metric[Any] | str] | Iterable[Metric[Any] | str] | str = ("bleu",),
    *,
    baseline: str | None = None,
    test: str = "bootstrap",
    samples: int | None = None,
    seed: int | None = DEFAULT_SEED,
    confidence: float = 95,
    correction: str | None = None,
    interval_samples: int | None = None,
    level: str = "segment",
    documents: Sequence[Hashable] | None = None,
    progress: ProgressCallback | None = None,
) -> Comparison:
    """Compare systems on one test set: scores, confidence intervals, tests against a baseline.

    Parameters
    ----------
    systems : mapping of names to hypotheses, or iterable of (name, hypotheses)
        Hypotheses are what `Metric.statistics` takes, or `Runs` of them: the outputs of several optimiser
        runs. A list of lists of texts, each as long as the references, is read as runs too.
    references
        As in `Metric.statistics`; prepared ones for metrics with that tokenization alone.
    metrics
        As in `evaluate`.
    baseline : str, optional
        The system that the others are tested against; the first by default.
    test : {"bootstrap", "randomization", "multeval"}
        Paired bootstrap resampling, or approximate randomisation, over several runs the stratified one of
        Clark et al. (2011); "multeval" makes its shuffles as that program does, see
        `paired_randomization`.
    samples : int, optional
        Resamples or shuffles of the test, at most a million; 1000 and 10000 by default.
    seed : int or None, default 12345
        None takes one from the operating system; `Comparison.seed` has it.
    confidence : float, default 95
        Of the intervals, in per cent, from 50 up and below 100; what is left of 100 is the level of
        significance.
    correction : {None, "holm", "benjamini-hochberg"}
        Of p-values, over the systems that one metric compares.
    interval_samples : int, optional
        Resamples of the intervals: those of the bootstrap test, else 1000 by default.
    level : {"segment", "document"}
        What is drawn or exchanged. Segments of one document are seldom independent; where they are not,
        a test of segments finds differences that are none.
    documents : sequence, optional
        The document of each segment, for ``level="document"``.
    progress : callable, optional
        Called with ``(stage, done, total)``: "scoring" counts systems, "resampling" samples.

    Returns
    -------
    Comparison

    Raises
    ------
    InputError
        As `Metric.statistics`; or if systems differ in the number of segments or runs, or there is not
        one document for each segment.
    OptionError
        If an option is out of range, or a name unknown.

    Warns
    -----
    CocardeWarning
        If the statistics of two systems differ in too few segments for any test to tell them apart, or
        there are too few samples for a p-value below the level of significance.

    Examples
    --------
    >>> import cocarde
    >>> references = [f"the {noun} sat on the {place}" for noun in ("cat", "dog") for place in "abcd"]
    >>> old = [text.replace("sat", "sits") for text in references]
    >>> result = cocarde.compare({"old": old, "new": references}, references, samples=100)
    >>> found = result["new", "bleu"]
    >>> found.score, found.best, found.verdict, (found.wins, found.ties, found.losses)
    (100.0, True, 'better', (8, 0, 0))
    """
    given = _read_systems(systems)
    if not isinstance(references, PreparedReferences) and not hasattr(references, "__len__"):
        if not isinstance(references, Iterable):
            raise InputError(f"references must be a sequence, found {type(references).__name__}")
        references = list(references)
    runs = {name: _read_runs(name, hypotheses, references) for name, hypotheses in given.items()}
    options = _Options.read(
        tuple(runs),
        baseline=baseline,
        test=test,
        samples=samples,
        seed=seed,
        confidence=confidence,
        correction=correction,
        interval_samples=interval_samples,
        level=level,
        documents=documents,
    )
    named = named_metrics(metrics)
    outputs = _read_outputs(runs)
    if isinstance(references, PreparedReferences):
        read: Any = references
    else:
        first, hypotheses = next((name, group[0]) for name, group in outputs.items())
        with _naming(f"system {first!r}"):
            read = References.coerce(references, hypotheses)
    named = {name: metric.fit(read) for name, metric in named.items()}
    statistics = score_systems(outputs, read, named, progress)
    return _compare(statistics, named, options, progress, _run_names(runs), outputs)


def _read_systems(systems: Any) -> dict[str, Any]:
    """Read a mapping of names to outputs, or pairs of both."""
    if isinstance(systems, Mapping):
        pairs = list(systems.items())
    else:
        pairs = [] if isinstance(systems, (str, bytes)) else list(systems or ())
        if isinstance(systems, (str, bytes)) or not all(
            isinstance(pair, tuple) and len(pair) == 2 and isinstance(pair[0], str)
            for pair in pairs
        ):
            raise InputError(
                f"systems is a dictionary of names to hypotheses, or a list of (name, hypotheses); "
                f"found a {type(systems).__name__}"
            )
    read = {str(name): hypotheses for name, hypotheses in pairs}
    if not read:
        raise InputError("systems is empty; name at least one")
    if len(read) < len(pairs):
        names = [str(name) for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"the system {twice!r} is given twice; of several runs make Runs")
    return read


def _run_names(systems: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    return {name: runs.names for name, runs in systems.items() if isinstance(runs, Runs)}


@contextmanager
def _naming(place: str) -> Iterator[None]:
    """Name the system or metric in what is wrong with its outputs."""
    try:
        yield
    except InputError as error:
        error.add_place(place)
        raise


def _read_outputs(runs: Mapping[str, Sequence[Any]]) -> dict[str, list[Segments]]:
    """Read the hypotheses of each system's runs."""
    outputs: dict[str, list[Segments]] = {}
    for name, group in runs.items():
        with _naming(f"system {name!r}"):
            outputs[name] = list(map(Segments.coerce, group))
    return outputs


def score_systems(
    systems: Mapping[str, Sequence[Any]],
    references: References | PreparedReferences,
    metrics: Mapping[str, Metric[Any]],
    progress: ProgressCallback | None = None,
) -> dict[str, dict[str, list[Statistics]]]:
    """Score the runs of each system: what `compare_statistics` takes.

    Parameters
    ----------
    systems : mapping of names to sequences
        The hypotheses of each run.
    references : References or PreparedReferences
    metrics : mapping of names to metrics
        Settled.
    progress : callable, optional
        As in `compare`.

    Raises
    ------
    InputError
        As `Metric.statistics`, with the name of the system.
    """
    total, done = sum(map(len, systems.values())), 0
    statistics: dict[str, dict[str, list[Statistics]]] = {}
    findings = {label: Counter[str]() for label in metrics}
    segments = Counter[str]()
    for name, runs in systems.items():
        scored = statistics.setdefault(name, {label: [] for label in metrics})
        for hypotheses in runs:
            with _naming(f"system {name!r}"):
                if isinstance(references, PreparedReferences):
                    read = Segments.coerce(hypotheses)
                    found = {}
                    for label, metric in metrics.items():
                        with _naming(label):
                            batch = metric.batch(read, references)
                            found[label], seen = metric.observe(batch)
                            findings[label].update(seen)
                else:
                    evaluation, by_metric, _ = observe(hypotheses, references, metrics)
                    found = evaluation.statistics
                    for label, seen in by_metric.items():
                        findings[label].update(seen)
            for label, rows in found.items():
                scored[label].append(rows)
                segments[label] += len(rows)
            done += 1
            if progress is not None:
                progress("scoring", done, total)
    report(metrics, findings, segments)
    return statistics


def compare_statistics(
    systems: Mapping[str, Mapping[str, Statistics | Sequence[Statistics]]],
    metrics: Mapping[str, Metric[Any]],
    *,
    baseline: str | None = None,
    test: str = "bootstrap",
    samples: int | None = None,
    seed: int | None = DEFAULT_SEED,
    confidence: float = 95,
    correction: str | None = None,
    interval_samples: int | None = None,
    level: str = "segment",
    documents: Sequence[Hashable] | None = None,
    run_names: Mapping[str, Sequence[str]] | None = None,
    outputs: Mapping[str, Sequence[Any]] | None = None,
    progress: ProgressCallback | None = None,
) -> Comparison:
    """Compare systems whose statistics are at hand.

    Parameters
    ----------
    systems : mapping of names to mappings
        From each metric's name to `Statistics`, a row a segment, or to a list of them, one a run.
    metrics : mapping of names to metrics
    baseline, test, samples, seed, confidence, correction, interval_samples, level, documents, progress
        As in `compare`.
    run_names : mapping of names to names, optional
        What the runs of each system are called.
    outputs : mapping of names to sequences, optional
        The hypotheses of each run, to count those that differ.

    Returns
    -------
    Comparison

    Raises
    ------
    InputError
        If statistics are missing, or systems differ in the number of segments or runs.
    OptionError
        If an option is out of range.

    Examples
    --------
    >>> from cocarde import BLEU
    >>> from cocarde.significance import compare_statistics
    >>> bleu, references = BLEU(), [f"{word} b c d e" for word in "abcdefgh"]
    >>> systems = {"one": [f"{text} x" for text in references], "two": references}
    >>> rows = {name: {"bleu": bleu.statistics(texts, references)} for name, texts in systems.items()}
    >>> compare_statistics(rows, {"bleu": bleu})["two", "bleu"].score
    100.0
    """
    named = named_metrics(metrics)
    options = _Options.read(
        tuple(systems),
        baseline=baseline,
        test=test,
        samples=samples,
        seed=seed,
        confidence=confidence,
        correction=correction,
        interval_samples=interval_samples,
        level=level,
        documents=documents,
    )
    listed: dict[str, dict[str, list[Statistics]]] = {}
    for name, given in systems.items():
        for label in named:
            if label not in given:
                raise InputError(f"system {name!r} has no statistics of {label}")
        listed[name] = {
            label: list(read_runs(metric, given[label], f"system {name!r}, {label}"))
            for label, metric in named.items()
        }
    names = {name: tuple(given) for name, given in (run_names or {}).items()}
    read = None if outputs is None else _read_outputs(outputs)
    for name, by_metric in listed.items():
        wanted = [len(rows) for rows in next(iter(by_metric.values()))]
        if read is not None and list(map(len, read.get(name, ()))) != wanted:
            raise InputError(
                f"outputs of system {name!r} must be of {len(wanted)} runs, each of as many segments as "
                f"its statistics"
            )
    return _compare(listed, named, options, progress, names, read)


def _read_runs(name: str, given: Any, references: Any) -> tuple[Any, ...]:
    if isinstance(given, Runs):
        if not given:
            raise InputError(f"system {name!r} has no runs")
        return given
    if isinstance(given, (str, bytes)):
        raise InputError(
            f"system {name!r} is one text, {given!r:.60}; give the list of its outputs, one for each "
            f"segment"
        )
    # A pair of references may be a ragged batch, (values, offsets).
    sized = not isinstance(references, tuple)
    listed = isinstance(given, (list, tuple)) and len(given) > 0
    if listed and sized and all(isinstance(run, (list, tuple)) for run in given):
        count = len(references)
        if all(len(run) == count for run in given):
            if len(given) == count:
                raise InputError(
                    f"system {name!r} has {count} lists of {count}: they may be runs or tokens; "
                    f"write Runs(first, second, ...) for runs, Runs(hypotheses) for one of tokens"
                )
            return tuple(given)
    return (given,)


def _read_documents(
    level: str, documents: Sequence[Hashable] | None
) -> tuple[Hashable, ...] | None:
    read_choice("level", level, LEVELS)
    if level == "segment":
        if documents is not None:
            raise OptionError("documents goes with level='document', found level='segment'")
        return None
    if documents is None:
        raise OptionError("level='document' needs documents, the document of each segment")
    if isinstance(documents, (str, bytes)) or not isinstance(documents, Iterable):
        raise InputError(f"documents is one label for each segment, found {documents!r:.60}")
    return read_labels(documents, "documents")


@dataclass(frozen=True)
class _Options:
    """The options of a comparison, read."""

    baseline: str
    test: str
    samples: int
    seed: int
    confidence: float
    correction: str | None
    interval_samples: int
    documents: tuple[Hashable, ...] | None

    @staticmethod
    def read(
        systems: tuple[str, ...],
        *,
        baseline: str | None,
        test: str,
        samples: int | None,
        seed: int | None,
        confidence: float,
        correction: str | None,
        interval_samples: int | None,
        level: str,
        documents: Sequence[Hashable] | None,
    ) -> _Options:
        if not systems:
            raise InputError("systems is empty; name at least one")
        read_choice("test", test, TESTS)
        if baseline is None:
            baseline = systems[0]
        else:
            read_choice("baseline", baseline, systems)
        if correction is not None:
            read_choice("correction", correction, CORRECTIONS)
        bootstrap = test == "bootstrap"
        if samples is None:
            samples = DEFAULT_RESAMPLES if bootstrap else DEFAULT_SHUFFLES
        samples = read_samples("samples", samples)
        if interval_samples is None:
            interval_samples = samples if bootstrap else DEFAULT_RESAMPLES
        interval_samples = read_samples("interval_samples", interval_samples)
        if bootstrap and interval_samples != samples:
            raise OptionError(
                f"interval_samples is {interval_samples} but samples {samples}: with the bootstrap "
                f"test both are the same resamples; give samples alone"
            )
        return _Options(
            baseline,
            test,
            samples,
            read_seed(seed),
            read_confidence("confidence", confidence),
            correction,
            interval_samples,
            _read_documents(level, documents),
        )

    @property
    def unit(self) -> str:
        """What is drawn or exchanged."""
        return "segment" if self.documents is None else "document"

    @property
    def level(self) -> float:
        """The level of significance."""
        return (100 - self.confidence) / 100

    def least_p(self, p_values: Mapping[str, float], name: str) -> float:
        """Return the smallest corrected p-value that the samples can give this one of several tests."""
        least = {**p_values, name: 1 / (self.samples + 1)}
        return correct(list(least.values()), self.correction)[list(least).index(name)]

    def too_few_samples(self, least: float, tests: int) -> str:
        """Say that no p-value of so many tests can be below the level of significance."""
        tests = 1 if self.correction is None else tests
        needed = int(tests / self.level)
        samples = "resamples" if self.test == "bootstrap" else "shuffles"
        corrected = f", corrected for {tests} systems" if self.correction is not None else ""
        fix = (
            f"take at least {needed:,}"
            if needed <= MOST_SAMPLES
            else "ask for less confidence, or compare fewer systems"
        )
        return (
            f"{self.samples:,} {samples} can give no p-value below {least:.2g}{corrected}: at the level "
            f"{self.level:g} no system can be found better or worse, whatever its outputs; {fix}"
        )

    def signature(self, plain: Signature) -> str:
        """Add resamples and seed where sacreBLEU has them, after the number of references."""
        added = [("bs", str(self.interval_samples)), ("seed", str(self.seed))]
        if self.test != "bootstrap":
            added.insert(0, ("ar", str(self.samples)))
        if self.documents is not None:
            added.append(("level", self.unit))
        place = 1 if plain.pairs[0][0] == "nrefs" else 0
        return str(Signature((*plain.pairs[:place], *added, *plain.pairs[place:])))


def _compare(
    statistics: Mapping[str, Mapping[str, Sequence[Statistics]]],
    metrics: Mapping[str, Metric[Any]],
    options: _Options,
    progress: ProgressCallback | None,
    run_names: Mapping[str, tuple[str, ...]],
    outputs: Mapping[str, Sequence[Segments]] | None,
) -> Comparison:
    first_name = next(iter(statistics))
    first = next(iter(statistics[first_name].values()))
    segments, runs = len(first[0]), len(first)
    for name, by_metric in statistics.items():
        for rows in by_metric.values():
            if len(rows) != runs:
                raise InputError(
                    f"system {name!r} has {len(rows)} runs, but {first_name!r} has {runs}; give as "
                    f"many of each"
                )
            if len(rows[0]) != segments:
                raise InputError(
                    f"system {name!r} has {len(rows[0])} segments, but {first_name!r} has {segments}"
                )
    documents = options.documents
    if documents is not None and len(documents) != segments:
        raise InputError(
            f"documents has {len(documents)} labels, but the systems have {segments} segments; give "
            f"one for each"
        )
    samples = _Samples(statistics, metrics, options, progress, outputs)
    results = [
        replace(result, run_names=run_names.get(result.system, ()))
        for (label, part), shown in _part_labels(metrics).items()
        for result in _results(samples, label, part, shown)
    ]
    few = samples.too_few.messages()
    for message in few:
        warn(message)
    return Comparison(
        results=tuple(results),
        baseline=options.baseline,
        test=options.test,
        samples=options.samples,
        interval_samples=options.interval_samples,
        seed=options.seed,
        confidence=options.confidence,
        correction=options.correction,
        segments=segments,
        level=options.unit,
        documents=None if documents is None else len(set(documents)),
        runs=runs,
        warnings=tuple(dict.fromkeys([*few, *samples.reasons])),
    )


class _TooFew:
    """Pairs of systems whose statistics differ in too few places for any test to tell them apart.

    Were both systems equally good, every one of the k rows that differ could as well be the other's:
    2^k outcomes of one chance. Two of them are at least as extreme as what was observed, itself and
    the one with all rows exchanged, so that no valid test gives less than 2^(1-k).
    """

    def __init__(
        self,
        units: Mapping[tuple[str, str], Sequence[Statistics]],
        options: _Options,
        outputs: Mapping[str, Sequence[Segments]] | None,
    ) -> None:
        self._units = units
        self._options = options
        self._outputs = outputs
        self._output_counts: dict[tuple[str, str], int] = {}
        self._notes: dict[str, None] = {}
        self._runs = len(next(iter(units.values())))
        self._found: dict[tuple[str, str, int], dict[str, None]] = {}
        self._counts: dict[tuple[str, str, str], int] = {}
        self._needed = 1
        while self.least_p(self._needed) >= options.level:
            self._needed += 1

    @staticmethod
    def least_p(differing: int) -> float:
        """Return the least p-value of systems that differ in so many places; 1 where in none."""
        return min(1.0, 2.0 ** (1 - differing))

    def differing(self, one: str, other: str, label: str) -> int:
        """Count the segments or documents in which two systems differ, of several runs each."""
        key = (one, other, label)
        if key not in self._counts:
            pairs = zip(self._units[one, label], self._units[other, label], strict=True)
            self._counts[key] = self._count([(a.values != b.values).any(axis=-1) for a, b in pairs])
        return self._counts[key]

    def _count(self, different: Sequence[npt.NDArray[np.bool_]]) -> int:
        """Count the units that differ, of which each array tells for one run."""
        # A resample draws all runs of a segment at once; shuffles exchange them one by one.
        bootstrap = self._options.test == "bootstrap"
        told = np.any(different, axis=0) if bootstrap else np.concatenate(different)
        return int(np.count_nonzero(told))

    def differing_outputs(self, one: str, other: str) -> int | None:
        """Count the segments or documents whose outputs differ; None where there are none."""
        if self._outputs is None:
            return None
        key = (min(one, other), max(one, other))
        if key not in self._output_counts:
            pairs = zip(self._outputs[one], self._outputs[other], strict=True)
            self._output_counts[key] = self._count([self._differ(a, b) for a, b in pairs])
        return self._output_counts[key]

    def _differ(self, one: Segments, other: Segments) -> npt.NDArray[np.bool_]:
        pairs = zip(one.sequences(), other.sequences(), strict=True)
        different = [a != b for a, b in pairs]
        documents = self._options.documents
        if documents is None:
            return np.array(different)
        found = dict.fromkeys(documents, False)
        for label, differs in zip(documents, different, strict=True):
            found[label] = found[label] or differs
        return np.array(list(found.values()))

    def holds(self, one: str, other: str, label: str) -> bool:
        """Tell whether they differ in too few, and note it."""
        count = self.differing(one, other, label)
        if count >= self._needed:
            return False
        if count:
            first, second = sorted((one, other), key=lambda name: name != self._options.baseline)
            self._found.setdefault((first, second, count), {})[label] = None
        return True

    def message(self, one: str, other: str, count: int, labels: Iterable[str]) -> str:
        """Say what holds of two systems."""
        units = len(next(iter(self._units.values()))[0])
        where = f"{units} {self._options.unit}s"
        if self._runs > 1:
            where += f" of {self._runs} runs"
            if self._options.test != "bootstrap":
                where = f"{units * self._runs} outputs: {where}"
        outputs = self.differing_outputs(one, other)
        beside = "" if outputs is None else f", the outputs in {outputs}"
        return (
            f"the statistics of {one} and {other} differ in {count} of {where} ({', '.join(labels)})"
            f"{beside}: no test can tell systems apart at the level {self._options.level:g} whose "
            f"statistics differ in fewer than {self._needed}, so none is found better, whatever p says"
        )

    def note(self, message: str) -> None:
        """Note what holds of several systems, to be said once."""
        self._notes[message] = None

    def messages(self) -> list[str]:
        """Return what was noted: of each pair once, with its metrics."""
        pairs = [self.message(*key, labels) for key, labels in self._found.items()]
        return [*self._notes, *pairs]


class _Samples:
    """Scores of all systems and metrics on the same resamples, and the p-values of their shuffles."""

    def __init__(
        self,
        statistics: Mapping[str, Mapping[str, Sequence[Statistics]]],
        metrics: Mapping[str, Metric[Any]],
        options: _Options,
        progress: ProgressCallback | None,
        outputs: Mapping[str, Sequence[Segments]] | None,
    ) -> None:
        self.statistics = statistics
        self.metrics = metrics
        self.options = options
        self.systems = tuple(statistics)
        self.reasons: list[str] = []
        self._progress = progress
        self._done = 0
        self._tested: dict[tuple[_Key, _Key], dict[str, tuple[float, int]]] = {}
        self._unit_scores: dict[_Key, Mapping[str, Floats] | None] = {}
        # The score of the test set is that of its segments, whatever is drawn.
        self.scored: dict[_Key, list[Mapping[str, Score]]] = {
            (name, label): [
                metrics[label].compute(rows.sum()).parts() for rows in statistics[name][label]
            ]
            for name, label in self._keys(self.systems)
        }
        documents = options.documents
        self._units: dict[_Key, Sequence[Statistics]] = {
            (name, label): statistics[name][label]
            if documents is None
            else [document_totals(rows, documents) for rows in statistics[name][label]]
            for name, label in self._keys(self.systems)
        }
        self.too_few = _TooFew(self._units, options, outputs)
        generator = np.random.default_rng(options.seed)
        self._resampled: dict[_Key, list[dict[str, Floats]]] = {}
        if options.test == "bootstrap":
            self._resample(self.systems, generator)
        else:
            # As sacreBLEU: the baseline's resamples begin a sequence, those of the others go on where
            # the shuffles end.
            others = tuple(name for name in self.systems if name != options.baseline)
            self._resample((options.baseline,), np.random.default_rng(options.seed))
            if others:
                self._shuffle(generator)
                self._resample(others, generator)

    def _advance(self, count: int) -> None:
        self._done += count
        if self._progress is not None:
            options = self.options
            total = options.samples
            if options.test != "bootstrap":
                # The baseline's resamples; then shuffles and the others' resamples, if there are any.
                total = options.interval_samples
                if len(self.systems) > 1:
                    total += options.samples + options.interval_samples
            self._progress("resampling", self._done, total)

    def _keys(self, names: Iterable[str]) -> list[_Key]:
        """Return each of these systems with each metric."""
        return [(name, label) for name in names for label in self.metrics]

    def _resample(self, names: Sequence[str], generator: np.random.Generator) -> None:
        keys = self._keys(names)
        jobs = [
            (self.metrics[label], rows) for name, label in keys for rows in self._units[name, label]
        ]
        scored = iter(
            resampled_scores(jobs, generator, self.options.interval_samples, self._advance)
        )
        for key in keys:
            self._resampled[key] = [next(scored) for _ in self._units[key]]

    def _shuffle(self, generator: np.random.Generator) -> None:
        keys = self._keys(self.systems)
        pairs = {
            ((against, label), (name, label)): None
            for label, metric in self.metrics.items()
            for against in (
                self.options.baseline,
                *(self.best(label, part) for part in metric.part_names),
            )
            for name in self.systems
            if name != against
        }
        self._tested = randomization_p_values(
            {key: (self.metrics[key[1]], self._units[key]) for key in keys},
            pairs,
            generator,
            self.options.samples,
            self._advance,
            overlapping=self.options.test == "multeval",
        )

    def sign(self, label: str) -> int:
        """Return -1 where less is better."""
        return -1 if self.metrics[label].higher_is_better is False else 1

    def score(self, name: str, label: str, part: str) -> float:
        """Return the score of the test set, of several runs the mean."""
        return float(np.mean(self.runs(name, label, part)))

    def best(self, label: str, part: str) -> str:
        """Return the first of the systems with the best score."""
        sign = self.sign(label)
        return max(self.systems, key=lambda name: sign * self.score(name, label, part))

    def run_scores(self, name: str, label: str, part: str) -> list[Floats]:
        """Return the scores of the resamples for each run."""
        return [scores[part] for scores in self._resampled[name, label]]

    def runs(self, name: str, label: str, part: str) -> tuple[float, ...]:
        """Return the score of each run on the test set."""
        return tuple(float(scores[part].score) for scores in self.scored[name, label])

    def warnings(self, name: str, label: str, part: str, shown: str) -> tuple[str, ...]:
        """Return what is to be known of a system's scores, and note it with its place."""
        scores = [scores[part] for scores in self.scored[name, label]]
        found = []
        for number, score in enumerate(scores, 1):
            run = f"run {number}: " if len(scores) > 1 else ""
            found += [f"{run}{message}" for message in score.warnings]
        place = f"{name}: {shown}" if len(self.systems) > 1 else shown
        self.reasons += [f"{place}: {message}" for message in found]
        return tuple(found)

    def p_value(self, baseline: str, system: str, label: str, part: str) -> float:
        """Return the p-value of two systems."""
        if self.options.test == "bootstrap":
            old, new = (
                mean_of_runs(self._resampled[name, label], part) for name in (baseline, system)
            )
            delta = self.score(system, label, part) - self.score(baseline, label, part)
            return bootstrap_p_value(old, new, delta)[0]
        return self._tested[(baseline, label), (system, label)][part][0]

    def unit_scores(self, name: str, label: str) -> Mapping[str, Floats] | None:
        """Return the scores of the segments or documents by part, averaged over runs."""
        key = (name, label)
        if key not in self._unit_scores:
            metric = self.metrics[label]
            level = "segment" if self.options.documents is None else "corpus"
            try:
                scored = [metric.part_scores(rows, level=level) for rows in self._units[key]]
                self._unit_scores[key] = {part: mean_of_runs(scored, part) for part in scored[0]}
            except InputError:  # one of NLTK's smoothing methods has no score for some segments
                self._unit_scores[key] = None
        return self._unit_scores[key]


def _results(samples: _Samples, label: str, part: str, shown: str) -> Iterator[SystemResult]:
    options, systems, metric = samples.options, samples.systems, samples.metrics[label]
    directed = metric.higher_is_better is not None
    sign, best, too_few = samples.sign(label), samples.best(label, part), samples.too_few
    scores = {name: samples.score(name, label, part) for name in systems}
    deltas = {name: scores[name] - scores[options.baseline] for name in systems}

    def tested(against: str) -> tuple[dict[str, float], dict[str, float]]:
        others = [name for name in systems if name != against]
        p_values = [samples.p_value(against, name, label, part) for name in others]
        corrected = correct(p_values, options.correction)
        return (
            dict(zip(others, p_values, strict=True)),
            dict(zip(others, corrected, strict=True)),
        )

    def differs(name: str, against: str, p_value: float) -> bool:
        return p_value < options.level and not too_few.holds(against, name, label)

    plain, corrected = tested(options.baseline)
    to_best = corrected if best == options.baseline else tested(best)[1]
    for name in systems:
        rows = samples.statistics[name][label]
        resampled = samples.run_scores(name, label, part)
        warnings = samples.warnings(name, label, part, shown)
        verdict, differing, differing_outputs, least = None, None, None, None
        if name in corrected:
            differing = too_few.differing(options.baseline, name, label)
            differing_outputs = too_few.differing_outputs(options.baseline, name)
            least = options.least_p(plain, name)
            if least >= options.level and differing:
                message = options.too_few_samples(least, len(plain))
                too_few.note(message)
                warnings += (message,)
            better = sign * deltas[name] > 0
            verdict = "better" if better else "worse"
            if not directed:
                verdict = "different"
            if too_few.holds(options.baseline, name, label) and differing:
                warnings += (too_few.message(options.baseline, name, differing, [label]),)
            if not differs(name, options.baseline, corrected[name]):
                verdict = "same"
        same_score = scores[name] == scores[best]
        tied = same_score or (directed and not differs(name, best, to_best[name]))
        wins, ties, losses = None, None, None
        if directed:
            wins, ties, losses = _count_units(samples, name, label, part)
        yield SystemResult(
            system=name,
            metric=shown,
            score=scores[name],
            interval=estimate(np.mean(resampled, axis=0), options.confidence),
            delta=deltas[name] if name in plain else None,
            p_value=plain.get(name),
            corrected_p_value=corrected.get(name),
            verdict=verdict,
            least_p_value=least,
            decidable=None if least is None else least < options.level,
            differing=differing,
            differing_outputs=differing_outputs,
            best=directed and same_score,
            tied_with_best=directed and tied,
            p_value_to_best=to_best.get(name) if directed else None,
            wins=wins,
            ties=ties,
            losses=losses,
            runs=samples.runs(name, label, part),
            selection_deviation=float(
                np.mean([estimate(one, options.confidence).deviation for one in resampled])
            ),
            optimizer_deviation=(
                float(np.std(samples.runs(name, label, part), ddof=1)) if len(rows) > 1 else None
            ),
            higher_is_better=metric.higher_is_better,
            signature=options.signature(metric.signature_of(rows[0])),
            warnings=warnings,
            name=samples.scored[name, label][0][part].name if _is_known(label) else shown,
        )


def _is_known(label: str) -> bool:
    """Tell whether a metric is called as `cocarde.metrics` calls it."""
    return label.partition(":")[0] in registry.names()


def _part_labels(metrics: Mapping[str, Metric[Any]]) -> dict[tuple[str, str], str]:
    """Name each score of each metric as the command line does; by one's own name for it, after that."""
    found = {}
    for label, metric in metrics.items():
        parts = metric.part_names
        if _is_known(label):
            names = part_labels(label, parts)
        else:
            names = {part: label if len(parts) == 1 else f"{label} {part}" for part in parts}
        found.update({(label, part): name for part, name in names.items()})
    return found


def _count_units(
    samples: _Samples, name: str, label: str, part: str
) -> tuple[int | None, int | None, int | None]:
    if name == samples.options.baseline:
        return None, None, None
    found = samples.unit_scores(name, label)
    base = samples.unit_scores(samples.options.baseline, label)
    if found is None or base is None:
        return None, None, None
    gained = samples.sign(label) * (found[part] - base[part])
    wins = int(np.count_nonzero(gained > _TIE))
    losses = int(np.count_nonzero(gained < -_TIE))
    return wins, len(gained) - wins - losses, losses
