"""Which system is better: scores, intervals and tests of several systems by several metrics."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib import import_module
from typing import Any

import numpy as np

from cocarde import metrics as registry
from cocarde._checks import read_choice, read_number, read_whole_number
from cocarde._display import part_labels
from cocarde.corpus.segments import References, Segments
from cocarde.errors import InputError, MissingExtraError, OptionError
from cocarde.metrics.base import Metric, Signature, Statistics
from cocarde.metrics.evaluation import evaluate, named_metrics
from cocarde.significance.bootstrap import (
    DEFAULT_RESAMPLES,
    Interval,
    bootstrap_p_value,
    estimate,
    resampled_scores,
)
from cocarde.significance.correction import CORRECTIONS, correct
from cocarde.significance.randomization import (
    DEFAULT_SHUFFLES,
    ShuffledSystem,
    randomization_p_values,
    shuffle_systems,
)
from cocarde.significance.resampling import (
    DEFAULT_SEED,
    Floats,
    corpus_scores,
    mean_of_runs,
    read_runs,
    read_seed,
)

__all__ = ["Comparison", "Runs", "SystemResult", "compare", "compare_statistics"]

TESTS = ("bootstrap", "randomization", "multeval")

# Scores of segments, from 0 to 100, that differ by less are tied.
_TIE = 1e-9

ProgressCallback = Callable[[str, int, int], None]


class Runs(tuple[Any, ...]):
    """The outputs of several optimiser runs of one system, each what `compare` takes as hypotheses.

    Examples
    --------
    >>> from cocarde import Runs
    >>> len(Runs(["a b", "c d"], ["a b", "c e"]))
    2
    """

    __slots__ = ()

    def __new__(cls, *runs: Any) -> Runs:  # noqa: PYI034  (Self is not in Python 3.10)
        """Take one argument for each run."""
        return super().__new__(cls, runs)

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self)


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
        no difference, not that there is none.
    best : bool
        Whether no system has a better score; this and what follows is only of scores of which one can
        be better.
    tied_with_best : bool
        Whether the test finds no difference from the best one.
    p_value_to_best : float or None
        Of that test, corrected in the same way; None for the best one.
    wins, ties, losses : int or None
        Segments whose score is better than, equal to and worse than the baseline's; None where the
        convention scores no single segments.
    runs : tuple of float
        The score of each run.
    selection_deviation : float
        How much the score varies with the choice of the test set: the standard deviation over resamples,
        averaged over the runs (MultEval's s_sel).
    optimizer_deviation : float or None
        How much it varies from run to run (MultEval's s_opt); None of a single one.
    signature : str
        Of the score, with resamples and seed.
    """

    system: str
    metric: str
    score: float
    interval: Interval
    delta: float | None = None
    p_value: float | None = None
    corrected_p_value: float | None = None
    verdict: str | None = None
    best: bool = False
    tied_with_best: bool = False
    p_value_to_best: float | None = None
    wins: int | None = None
    ties: int | None = None
    losses: int | None = None
    runs: tuple[float, ...] = ()
    selection_deviation: float = 0.0
    optimizer_deviation: float | None = None
    signature: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return every attribute by name, the interval's among them, ready for JSON."""
        values = asdict(self)
        interval = values.pop("interval")
        values["runs"] = list(self.runs)
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


@dataclass(frozen=True, kw_only=True)
class Comparison(Mapping[tuple[str, str], SystemResult]):
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
    runs : int
        Of each system.
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
    runs: int = 1
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
        return {**self._about(), "results": [one.to_dict() for one in self.results]}

    def to_records(self) -> list[dict[str, Any]]:
        """Return a flat dictionary for each result, with how it was tested."""
        about = self._about()
        return [{**one.to_dict(), **about} for one in self.results]

    def _about(self) -> dict[str, Any]:
        names = ("baseline", "test", "samples", "interval_samples", "seed", "confidence")
        return {name: getattr(self, name) for name in (*names, "correction", "segments")}

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
        from cocarde.significance.rendering import markdown

        return markdown(self, width)

    def to_latex(self, width: int = 2) -> str:
        """Return a LaTeX table (package booktabs): a row a system, a column a metric.

        Parameters
        ----------
        width : int, default 2
            Digits after the point.
        """
        from cocarde.significance.rendering import latex

        return latex(self, width)

    def __str__(self) -> str:
        from cocarde.significance.rendering import plain

        return plain(self)

    def __rich__(self) -> Any:
        from cocarde.significance.rendering import rich_table

        return rich_table(self)

    def _repr_html_(self) -> str:
        from cocarde.significance.rendering import html

        return html(self)


def _optional(module: str) -> Any:
    try:
        return import_module(module)
    except ImportError:
        raise MissingExtraError(
            f"to_{module} needs {module}, which is not installed: pip install {module}"
        ) from None


# --------------------------------------------------------------------------------------------------


def compare(
    systems: Mapping[str, Any],
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
    progress: ProgressCallback | None = None,
) -> Comparison:
    """Compare systems on one test set: scores, confidence intervals, tests against a baseline.

    Parameters
    ----------
    systems : mapping of names to hypotheses
        Hypotheses are what `Metric.statistics` takes, or `Runs` of them: the outputs of several optimiser
        runs. A list of lists of texts, each as long as the references, is read as runs too.
    references
        As in `Metric.statistics`.
    metrics
        As in `evaluate`.
    baseline : str, optional
        The system that the others are tested against; the first by default.
    test : {"bootstrap", "randomization", "multeval"}
        Paired bootstrap resampling, or approximate randomisation, over several runs the stratified one of
        Clark et al. (2011); "multeval" makes its shuffles as that program does, see
        `paired_randomization`.
    samples : int, optional
        Resamples or shuffles of the test; 1000 and 10000 by default.
    seed : int or None, default 12345
        None takes one from the operating system; `Comparison.seed` has it.
    confidence : float, default 95
        Of the intervals, in per cent; what is left of 100 is the level of significance.
    correction : {None, "holm", "benjamini-hochberg"}
        Of p-values, over the systems that one metric compares.
    interval_samples : int, optional
        Resamples of the intervals: those of the bootstrap test, else 1000 by default.
    progress : callable, optional
        Called with ``(stage, done, total)``: "scoring" counts systems, "resampling" samples.

    Returns
    -------
    Comparison

    Raises
    ------
    InputError
        As `Metric.statistics`; or if systems differ in the number of segments or runs.
    OptionError
        If an option is out of range, or a name unknown.

    Examples
    --------
    >>> import cocarde
    >>> references = ["the cat sat on the mat", "a dog ran in the park", "birds sing in the morning"]
    >>> old = ["the cat sat on a mat", "a dog ran at the park", "birds sing at morning"]
    >>> result = cocarde.compare({"old": old, "new": references}, references, samples=100)
    >>> found = result["new", "bleu"]
    >>> found.score, found.best, (found.wins, found.ties, found.losses)
    (100.0, True, (3, 0, 0))
    """
    if not isinstance(systems, Mapping):
        raise InputError(
            f"systems is a dictionary of names to hypotheses, found a {type(systems).__name__}"
        )
    if not systems:
        raise InputError("systems is empty; name at least one")
    if not hasattr(references, "__len__"):
        if not isinstance(references, Iterable):
            raise InputError(f"references must be a sequence, found {type(references).__name__}")
        references = list(references)
    runs = {str(name): _read_runs(str(name), given, references) for name, given in systems.items()}
    options = _Options.read(
        tuple(runs), baseline, test, samples, seed, confidence, correction, interval_samples
    )
    named = named_metrics(metrics)
    segments = Segments.coerce(next(iter(runs.values()))[0])
    read = References.coerce(references, segments)
    named = {name: metric.settled(read) for name, metric in named.items()}
    total = sum(map(len, runs.values()))
    statistics: dict[str, dict[str, list[Statistics]]] = {}
    for name, group in runs.items():
        scored = statistics.setdefault(name, {label: [] for label in named})
        for hypotheses in group:
            try:
                found = evaluate(hypotheses, read, named).statistics
            except InputError as error:
                raise InputError(f"system {name!r}: {error}") from error
            for label, rows in found.items():
                scored[label].append(rows)
            if progress is not None:
                progress("scoring", sum(len(one[label]) for one in statistics.values()), total)
    return _compare(statistics, named, options, progress)


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
    progress: ProgressCallback | None = None,
) -> Comparison:
    """Compare systems of which only the statistics are at hand.

    Parameters
    ----------
    systems : mapping of names to mappings
        From each metric's name to `Statistics`, a row a segment, or to a list of them, one a run.
    metrics : mapping of names to metrics
    baseline, test, samples, seed, confidence, correction, interval_samples, progress
        As in `compare`.

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
    >>> bleu, references = BLEU(), ["a b c d e", "f g h i j"]
    >>> systems = {"one": ["a b c d e", "f g h i x"], "two": references}
    >>> rows = {name: {"bleu": bleu.statistics(texts, references)} for name, texts in systems.items()}
    >>> compare_statistics(rows, {"bleu": bleu})["two", "bleu"].score
    100.0
    """
    named = named_metrics(metrics)
    options = _Options.read(
        tuple(systems), baseline, test, samples, seed, confidence, correction, interval_samples
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
    return _compare(listed, named, options, progress)


def _read_runs(name: str, given: Any, references: Any) -> tuple[Any, ...]:
    if isinstance(given, Runs):
        if not given:
            raise InputError(f"system {name!r} has no runs")
        return tuple(given)
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

    @staticmethod
    def read(
        systems: tuple[str, ...],
        baseline: str | None,
        test: str,
        samples: int | None,
        seed: int | None,
        confidence: float,
        correction: str | None,
        interval_samples: int | None,
    ) -> _Options:
        if not systems:
            raise InputError("systems is empty; name at least one")
        read_choice("test", test, TESTS)
        if baseline is None:
            baseline = systems[0]
        elif baseline not in systems:
            raise OptionError(f"baseline must be one of {', '.join(systems)}; found {baseline!r}")
        if correction is not None:
            read_choice("correction", correction, CORRECTIONS)
        bootstrap = test == "bootstrap"
        if samples is None:
            samples = DEFAULT_RESAMPLES if bootstrap else DEFAULT_SHUFFLES
        samples = read_whole_number("samples", samples, 1)
        if interval_samples is None:
            interval_samples = samples if bootstrap else DEFAULT_RESAMPLES
        interval_samples = read_whole_number("interval_samples", interval_samples, 1)
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
            read_number("confidence", confidence, 0, 100),
            correction,
            interval_samples,
        )

    @property
    def level(self) -> float:
        """The level of significance."""
        return (100 - self.confidence) / 100

    def signature(self, plain: Signature) -> str:
        """Add resamples and seed where sacreBLEU has them, after the number of references."""
        added = [("bs", str(self.interval_samples)), ("seed", str(self.seed))]
        if self.test != "bootstrap":
            added.insert(0, ("ar", str(self.samples)))
        place = 1 if plain.pairs[0][0] == "nrefs" else 0
        return str(Signature((*plain.pairs[:place], *added, *plain.pairs[place:])))


def _compare(
    statistics: Mapping[str, Mapping[str, Sequence[Statistics]]],
    metrics: Mapping[str, Metric[Any]],
    options: _Options,
    progress: ProgressCallback | None,
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
    samples = _Samples(statistics, metrics, options, progress)
    results = [
        result
        for (label, part), shown in _part_labels(metrics).items()
        for result in _results(samples, label, part, shown)
    ]
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
        runs=runs,
    )


class _Samples:
    """Scores of all systems and metrics on the same resamples, and shuffles where they are needed."""

    def __init__(
        self,
        statistics: Mapping[str, Mapping[str, Sequence[Statistics]]],
        metrics: Mapping[str, Metric[Any]],
        options: _Options,
        progress: ProgressCallback | None,
    ) -> None:
        self.statistics = statistics
        self.metrics = metrics
        self.options = options
        self.systems = tuple(statistics)
        self._progress = progress
        self._done = 0
        self._shuffled: dict[tuple[str, str], ShuffledSystem] = {}
        self._tested: dict[tuple[str, str, str], dict[str, tuple[float, int]]] = {}
        self._segment_scores: dict[tuple[str, str], Mapping[str, Floats] | None] = {}
        generator = np.random.default_rng(options.seed)
        self._resampled: dict[tuple[str, str], list[Mapping[str, Floats]]] = {}
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
        self.observed = {
            (name, label): [corpus_scores(metrics[label], rows) for rows in statistics[name][label]]
            for name, label in self._keys(self.systems)
        }

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

    def _keys(self, names: Iterable[str]) -> list[tuple[str, str]]:
        """Return each of these systems with each metric."""
        return [(name, label) for name in names for label in self.metrics]

    def _resample(self, names: Sequence[str], generator: np.random.Generator) -> None:
        keys = self._keys(names)
        jobs = [
            (self.metrics[label], rows)
            for name, label in keys
            for rows in self.statistics[name][label]
        ]
        scored = iter(
            resampled_scores(jobs, generator, self.options.interval_samples, self._advance)
        )
        for name, label in keys:
            self._resampled[name, label] = [next(scored) for _ in self.statistics[name][label]]

    def _shuffle(self, generator: np.random.Generator) -> None:
        keys = self._keys(self.systems)
        jobs = [(self.metrics[label], self.statistics[name][label]) for name, label in keys]
        shuffled = shuffle_systems(
            jobs,
            generator,
            self.options.samples,
            self._advance,
            overlapping=self.options.test == "multeval",
        )
        self._shuffled = dict(zip(keys, shuffled, strict=True))

    def run_scores(self, name: str, label: str, part: str) -> list[Floats]:
        """Return the scores of the resamples for each run."""
        return [scores[part] for scores in self._resampled[name, label]]

    def runs(self, name: str, label: str, part: str) -> tuple[float, ...]:
        """Return the score of each run on the test set."""
        return tuple(scores[part] for scores in self.observed[name, label])

    def p_value(self, baseline: str, system: str, label: str, part: str) -> float:
        """Return the p-value of two systems."""
        if self.options.test == "bootstrap":
            old, new = (
                [
                    mean_of_runs(scores[name, label], part)
                    for scores in (self._resampled, self.observed)
                ]
                for name in (baseline, system)
            )
            return bootstrap_p_value(old[0], new[0], float(new[1] - old[1]))[0]
        key = (baseline, system, label)
        if key not in self._tested:
            self._tested[key] = randomization_p_values(
                self._shuffled[baseline, label], self._shuffled[system, label]
            )
        return self._tested[key][part][0]

    def segment_scores(self, name: str, label: str) -> Mapping[str, Floats] | None:
        """Return the scores of the segments by part, averaged over runs."""
        key = (name, label)
        if key not in self._segment_scores:
            metric = self.metrics[label]
            try:
                scored = [
                    metric.part_scores(rows, level="segment")
                    for rows in self.statistics[name][label]
                ]
                self._segment_scores[key] = {part: mean_of_runs(scored, part) for part in scored[0]}
            except InputError:  # one of NLTK's smoothing methods has no score for some segments
                self._segment_scores[key] = None
        return self._segment_scores[key]


def _results(samples: _Samples, label: str, part: str, shown: str) -> Iterator[SystemResult]:
    options, systems, metric = samples.options, samples.systems, samples.metrics[label]
    directed = metric.higher_is_better is not None
    sign = -1 if metric.higher_is_better is False else 1
    runs = {name: samples.runs(name, label, part) for name in systems}
    scores = {name: float(np.mean(runs[name])) for name in systems}
    best = max(systems, key=lambda name: sign * scores[name])
    deltas = {name: scores[name] - scores[options.baseline] for name in systems}

    def tested(against: str) -> tuple[dict[str, float], dict[str, float]]:
        others = [name for name in systems if name != against]
        p_values = [samples.p_value(against, name, label, part) for name in others]
        corrected = correct(p_values, options.correction)
        return (
            dict(zip(others, p_values, strict=True)),
            dict(zip(others, corrected, strict=True)),
        )

    plain, corrected = tested(options.baseline)
    to_best = corrected if best == options.baseline else tested(best)[1]
    for name in systems:
        rows = samples.statistics[name][label]
        resampled = samples.run_scores(name, label, part)
        verdict = None
        if name in corrected:
            better = sign * deltas[name] > 0
            significant = corrected[name] < options.level
            verdict = "same" if not significant else "better" if better else "worse"
            if significant and not directed:
                verdict = "different"
        same_score = scores[name] == scores[best]
        wins, ties, losses = None, None, None
        if directed:
            wins, ties, losses = _count_segments(samples, name, label, part, sign)
        yield SystemResult(
            system=name,
            metric=shown,
            score=scores[name],
            interval=estimate(np.mean(resampled, axis=0), options.confidence),
            delta=deltas[name] if name in plain else None,
            p_value=plain.get(name),
            corrected_p_value=corrected.get(name),
            verdict=verdict,
            best=directed and same_score,
            tied_with_best=directed and (same_score or to_best[name] >= options.level),
            p_value_to_best=to_best.get(name) if directed else None,
            wins=wins,
            ties=ties,
            losses=losses,
            runs=runs[name],
            selection_deviation=float(
                np.mean([estimate(one, options.confidence).deviation for one in resampled])
            ),
            optimizer_deviation=float(np.std(runs[name], ddof=1)) if len(rows) > 1 else None,
            signature=options.signature(metric.signature_of(rows[0])),
        )


def _part_labels(metrics: Mapping[str, Metric[Any]]) -> dict[tuple[str, str], str]:
    """Name each score of each metric as the command line does; by one's own name for it, after that."""
    found = {}
    for label, metric in metrics.items():
        parts = metric.part_names
        if label.partition(":")[0] in registry.names():
            names = part_labels(label, parts)
        else:
            names = {part: label if len(parts) == 1 else f"{label} {part}" for part in parts}
        found.update({(label, part): name for part, name in names.items()})
    return found


def _count_segments(
    samples: _Samples, name: str, label: str, part: str, sign: int
) -> tuple[int | None, int | None, int | None]:
    if name == samples.options.baseline:
        return None, None, None
    found = samples.segment_scores(name, label)
    base = samples.segment_scores(samples.options.baseline, label)
    if found is None or base is None:
        return None, None, None
    gained = sign * (found[part] - base[part])
    wins = int(np.count_nonzero(gained > _TIE))
    losses = int(np.count_nonzero(gained < -_TIE))
    return wins, len(gained) - wins - losses, losses
