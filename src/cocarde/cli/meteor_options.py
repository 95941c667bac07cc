"""METEOR's options on the command line: METEOR 1.5's, and those that only NLTK's has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from cocarde.cli.console import UsageError
from cocarde.cli.parameters import Option

__all__ = ["METEOR_OPTIONS", "prepare_paraphrases", "read_meteor_options"]

_PANEL = "Options of METEOR (-m meteor)"
_NLTK_PANEL = "Options of NLTK's METEOR (-m meteor:nltk)"


def _starting_with(names: Iterable[str], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]


def complete_languages(incomplete: str) -> list[str]:
    """Return the languages of METEOR that start so."""
    from cocarde.metrics.meteor_languages import LANGUAGES

    return _starting_with(LANGUAGES, incomplete)


def complete_tasks(incomplete: str) -> list[str]:
    """Return the tasks of METEOR that start so."""
    from cocarde.metrics.meteor_languages import TASKS

    return _starting_with(TASKS, incomplete)


def complete_stages(incomplete: str) -> list[str]:
    """Return the stages of METEOR that start so; after a comma the next one."""
    from cocarde.metrics.meteor_languages import STAGES

    before, comma, last = incomplete.rpartition(",")
    names = STAGES if comma else ("official", *STAGES)
    return [f"{before}{comma}{name}" for name in _starting_with(names, last)]


def complete_oversized(incomplete: str) -> list[str]:
    """Return the ways to take oversized segments that start so."""
    from cocarde.metrics.meteor import OVERSIZED

    return _starting_with(OVERSIZED, incomplete)


def complete_stemmers(incomplete: str) -> list[str]:
    """Return the stemmers that start so."""
    from cocarde import stemmers

    return _starting_with(stemmers.names(), incomplete)


Language = Annotated[
    str | None,
    Option(
        "--language",
        metavar="CODE",
        help="Whose stems, words and parameters: en, cz, fr, es, de, ru, ...; 'other' for every other "
        "one.",
        complete=complete_languages,
        panel=_PANEL,
    ),
]
Task = Annotated[
    str | None,
    Option(
        "--task",
        metavar="NAME",
        help="Whose parameters: rank, adq, hter, util, li, tune, universal.",
        complete=complete_tasks,
        panel=_PANEL,
    ),
]
Stages = Annotated[
    list[str] | None,
    Option(
        "--stages",
        metavar="NAME,...",
        help="exact, stem, synonym, paraphrase; or official: METEOR's own for the language.",
        complete=complete_stages,
        panel=_PANEL,
    ),
]
StageWeights = Annotated[
    list[str] | None,
    Option(
        "--stage-weights",
        metavar="W1,W2,...",
        help="What a match of each stage counts, in the order of the stages.",
        panel=_PANEL,
    ),
]
Alpha = Annotated[
    float | None,
    Option(
        "--alpha",
        metavar="NUMBER",
        help="Of METEOR the weight of recall in Fmean (NLTK's: of precision); of ROUGE-1.5.5 the weight "
        "of precision in F (-p).",
        panel=_PANEL,
    ),
]
Gamma = Annotated[
    float | None,
    Option("--gamma", metavar="NUMBER", help="Factor of the fragmentation penalty.", panel=_PANEL),
]
Delta = Annotated[
    float | None,
    Option(
        "--delta",
        metavar="NUMBER",
        help="Weight of content words against function words.",
        panel=_PANEL,
    ),
]
BeamSize = Annotated[
    int | None,
    Option("--beam-size", metavar="N", help="How many partial alignments are kept.", panel=_PANEL),
]
Normalize = Annotated[
    bool | None,
    Option(
        "--normalize/--no-normalize",
        help="Whether raw text is cut and lower-cased as METEOR does it (-norm).",
        panel=_PANEL,
    ),
]
KeepPunctuation = Annotated[
    bool | None,
    Option(
        "--keep-punctuation/--no-keep-punctuation",
        help="Whether --normalize keeps punctuation (--no-...: METEOR's -noPunct).",
        panel=_PANEL,
    ),
]
CharacterBased = Annotated[
    bool | None,
    Option(
        "--character-based/--no-character-based",
        help="Whether precision and recall count characters instead of words (-ch).",
        panel=_PANEL,
    ),
]
FunctionWords = Annotated[
    str | None,
    Option(
        "--function-words",
        metavar="FILE|language",
        help="Words that weigh 1 - delta, one a line; language: METEOR's list for the language. "
        "(default: the English ones, as METEOR has it)",
        panel=_PANEL,
    ),
]
Paraphrases = Annotated[
    str | None,
    Option(
        "--paraphrases",
        metavar="FILE",
        help="A paraphrase table, such as paraphrase-de.gz, for the stage paraphrase. "
        "(default: the installed one)",
        panel=_PANEL,
    ),
]
Oversized = Annotated[
    str | None,
    Option(
        "--oversized",
        metavar="NAME",
        help="A segment with more than 25 million possible matches is an error, or scored by the stage "
        "exact alone (exact), or left out of a corpus score, with statistics of 0 (zero).",
        complete=complete_oversized,
        panel=_PANEL,
    ),
]
Stemmer = Annotated[
    str | None,
    Option(
        "--stemmer",
        metavar="NAME",
        help="What stems are, such as porter-nltk.",
        complete=complete_stemmers,
        panel=_NLTK_PANEL,
    ),
]
WordNet = Annotated[
    str | None,
    Option(
        "--wordnet",
        metavar="NAME",
        help="Where synonyms come from: embedded, nltk (NLTK's data), or none.",
        complete=lambda incomplete: _starting_with(("embedded", "nltk", "none"), incomplete),
        panel=_NLTK_PANEL,
    ),
]

METEOR_OPTIONS: dict[str, Any] = {
    "language": Language,
    "task": Task,
    "stages": Stages,
    "stage_weights": StageWeights,
    "alpha": Alpha,
    "gamma": Gamma,
    "delta": Delta,
    "beam_size": BeamSize,
    "normalize": Normalize,
    "keep_punctuation": KeepPunctuation,
    "character_based": CharacterBased,
    "function_words": FunctionWords,
    "paraphrases": Paraphrases,
    "oversized": Oversized,
    "stemmer": Stemmer,
    "wordnet": WordNet,
}


def read_meteor_options(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options with those of METEOR read: lists, weights, files.

    Raises
    ------
    UsageError
        When a weight is no number.
    InputError
        When a file of function words cannot be read.
    """
    options = dict(given)
    if "stages" in options:
        names = [name.strip() for text in options["stages"] for name in text.split(",")]
        options["stages"] = "official" if names == ["official"] else names
    if "stage_weights" in options:
        weights = [one for text in options["stage_weights"] for one in text.split(",")]
        options["stage_weights"] = tuple(map(_read_weight, weights))
    if options.get("function_words", "language") != "language":
        options["function_words"] = _read_words(options["function_words"])
    if options.get("wordnet") == "none":
        options["wordnet"] = None
    return options


def _read_weight(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise UsageError(
            f"--stage-weights: {text!r} is not a number",
            "separate them by commas, one for each stage: --stage-weights 1,0.6,0.8",
        ) from None


def _read_words(path: str) -> list[str]:
    from cocarde.corpus import read_lines

    return [word for line in read_lines(path) if (word := line.strip())]


def prepare_paraphrases(metrics: Iterable[Any], progress: bool | None) -> None:
    """Open the paraphrase tables that metrics need, with a progress bar where one is compiled.

    The first time takes seconds. Where there is no table, the metric itself has said so before.

    Parameters
    ----------
    metrics : iterable of Metric
    progress : bool or None
        As `Progress` has it.
    """
    for metric in metrics:
        if "paraphrase" in (getattr(metric, "stages", None) or ()):
            _open_paraphrases(metric, progress)


def _open_paraphrases(metric: Any, progress: bool | None) -> None:
    from cocarde.cli.progress import Progress
    from cocarde.resources import paraphrases

    with Progress(progress, "MB") as shown:
        before = 0

        def show(done: int, total: int) -> None:
            nonlocal before
            if not before:
                shown.begin("compiling the paraphrase table, once", total / 1e6)
            shown.advance((done - before) / 1e6)
            before = done

        paraphrases.open(metric.paraphrases, metric.language, progress=show)
