"""METEOR: the plain definition, options, signatures, ugly input, bounds."""

from __future__ import annotations

import pickle
import random
import time
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cocarde
from cocarde import METEOR, InputError, OptionError, References
from cocarde.errors import CocardeWarning
from cocarde.metrics.meteor.languages import LANGUAGES
from tests.oracles import meteor as oracle

WORDS = st.lists(st.sampled_from(["the", "cat", "cats", "feline", "of", "x"]), max_size=6)
FRACTION = st.floats(0.01, 0.99)


# --------------------------------------------------------------------------------------------------
# The plain definition


@settings(max_examples=150, deadline=None)
@given(hypothesis=WORDS, reference=WORDS)
def test_the_alignment_is_the_best_of_all(hypothesis: list[str], reference: list[str]) -> None:
    metric = METEOR(stages=["exact"], beam_size=20_000)
    statistics = metric.statistics([hypothesis], [reference])
    matches, chunks = oracle.best(hypothesis, reference)
    assert statistics["hypothesis_matches"] == statistics["reference_matches"] == matches
    assert statistics["chunks"] == chunks
    if hypothesis and reference:
        alignment = metric.align(hypothesis, [reference])
        pairs = tuple((m.hypothesis_start, m.reference_start) for m in alignment.matches)
        assert len(pairs) == matches
        assert oracle.count_chunks(pairs) == chunks
        assert all(hypothesis[i] == reference[j] for i, j in pairs)


@settings(max_examples=150, deadline=None)
@given(
    hypotheses=st.lists(WORDS, min_size=1, max_size=3),
    reference=WORDS,
    parameters=st.tuples(FRACTION, st.floats(0.05, 3), FRACTION, FRACTION),
    weights=st.tuples(FRACTION, FRACTION, FRACTION),
)
def test_the_score_is_that_of_the_paper(
    hypotheses: list[list[str]],
    reference: list[str],
    parameters: tuple[float, float, float, float],
    weights: tuple[float, float, float],
) -> None:
    named = dict(zip(("alpha", "beta", "gamma", "delta"), parameters, strict=True))
    metric = METEOR(stage_weights=weights, **named)  # type: ignore[arg-type]
    totals = metric.statistics(hypotheses, [reference] * len(hypotheses)).sum()
    expected = oracle.score(
        totals.to_dict(), dict(zip(metric.stages or (), weights, strict=True)), **named
    )
    assert metric.compute(totals).fraction == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_each_stage_finds_what_it_is_for() -> None:
    alignment = METEOR().align("the quick boys bought an automobile", "a fast boy buy the car")
    found = {
        (alignment.hypothesis[m.hypothesis_start], alignment.reference[m.reference_start]): m.stage
        for m in alignment.matches
    }
    assert found == {
        ("the", "the"): "exact",
        ("boys", "boy"): "stem",
        ("quick", "fast"): "synonym",
        ("bought", "buy"): "synonym",
        ("automobile", "car"): "synonym",
    }


# --------------------------------------------------------------------------------------------------
# Options and signatures


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"language": "klingon"}, "METEOR has no language 'klingon'"),
        ({"language": None}, "METEOR has no language None"),
        ({"task": "best"}, "there is no task 'best'"),
        ({"language": "fr", "task": "adq"}, "no parameters for 'adq' in french"),
        ({"stages": "exact"}, "stages must be a sequence"),
        ({"stages": []}, "stages is empty"),
        ({"stages": ["exact", "guess"]}, "there is no stage 'guess'"),
        ({"stages": ["exact", "exact"]}, "exact stands twice"),
        ({"language": "de", "stages": ["synonym"]}, "synonyms for English alone"),
        ({"language": "cs", "stages": ["stem"]}, "no stemmer for czech"),
        ({"stage_weights": [1, 2]}, "2 weights for 3 stages"),
        ({"stage_weights": "1,2,3"}, "must be a sequence of numbers"),
        ({"stage_weights": [1, -1, 0]}, "a stage weight must be a number of at least 0"),
        ({"alpha": 1.5}, "alpha must be a number from 0 to 1"),
        ({"delta": float("nan")}, "delta must be a number from 0 to 1"),
        ({"beta": -1}, "beta must be a number of at least 0"),
        ({"gamma": "0.5"}, "gamma must be a number"),
        ({"beam_size": 0}, "beam_size must be a whole number of at least 1"),
        ({"normalize": 1}, "normalize must be True or False"),
        ({"keep_punctuation": False}, "needs normalize=True"),
        ({"normalize": True, "tokenize": "13a"}, "give it or tokenize, not both"),
        ({"language": "it", "normalize": True}, "no normaliser for italian"),
        ({"paraphrases": "x.gz"}, "not among the stages"),
        ({"function_words": "german"}, "function_words must be 'language' or a collection"),
        ({"function_words": [1]}, "function_words holds 1"),
    ],
)
def test_options_out_of_range(options: dict[str, object], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        METEOR(**options)  # type: ignore[arg-type]


@settings(max_examples=100, deadline=None)
@given(
    language=st.sampled_from([code for code in LANGUAGES if code != "ar-bw-red"]),
    task=st.sampled_from([None, "li", "tune", "universal"]),
    numbers=st.tuples(*[st.none() | FRACTION] * 4),
    beam_size=st.integers(1, 100),
    lowercase=st.booleans(),
    normalize=st.booleans(),
    character_based=st.booleans(),
    function_words=st.sampled_from([None, "language"]),
)
def test_a_signature_tells_the_metric(
    language: str, task: str | None, numbers: tuple[float | None, ...], **options: Any
) -> None:
    options["normalize"] &= LANGUAGES[language].normalizes
    options["lowercase"] &= not options["normalize"]
    names = ("alpha", "beta", "gamma", "delta")
    parameters: dict[str, Any] = dict(zip(names, numbers, strict=True))
    metric = METEOR(language=language, task=task, **parameters, **options)
    assert METEOR.from_signature(metric.signature) == metric
    assert pickle.loads(pickle.dumps(metric)) == metric
    assert hash(metric.with_options()) == hash(metric)


# --------------------------------------------------------------------------------------------------
# Input


def test_sides_without_words() -> None:
    scores = METEOR().segment_scores(["", "a", "", "a b"], ["", "", "a", "a b"])
    assert scores.tolist() == [0, 0, 0, 100]
    score = METEOR().sentence_score("", "a")
    assert score.warnings == ("the score is 0 because the hypothesis has no words",)
    assert "no word matches" in METEOR().sentence_score("a", "b").warnings[0]


def test_ids_match_exactly_or_need_words() -> None:
    exact = METEOR(stages=["exact"])
    assert exact.sentence_score([1, 2, 3], [1, 2, 3]).score == 100
    with pytest.raises(InputError, match="the stages stem, synonym look at words"):
        METEOR().sentence_score([1, 2], [1, 3])
    vocabulary = ["<pad>", "boys", "boy", "ate"]
    metric = METEOR(vocabulary=vocabulary, ignore_ids=[0])
    assert (
        metric.sentence_score([1, 3, 0, 0], [2, 3]).score
        == METEOR().sentence_score("boys ate", "boy ate").score
    )


def test_text_that_was_not_tokenised_is_noticed() -> None:
    with pytest.warns(CocardeWarning, match="looks like raw text: 2 of 8 different words"):
        METEOR().corpus_score(["Well, that is good!"], ["well , that is good !"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        METEOR().corpus_score(["well , that is good !"], ["well , that is good !"])
        METEOR(normalize=True).corpus_score(["Well, that is good!"], ["well, that is good!"])


def test_a_rare_slip_of_the_tokenizer_is_no_raw_text() -> None:
    words = [f"word{chr(97 + k // 26)}{chr(97 + k % 26)}" for k in range(49)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        METEOR().corpus_score([" ".join([*words, "end!"])], [" ".join(words)])
    with pytest.warns(CocardeWarning, match="looks like raw text: 1 of 49 different words"):
        METEOR().corpus_score([" ".join([*words[1:], "end!"])], [" ".join(words[1:])])


@pytest.mark.parametrize(
    "text", ["\ud800 a", "a\0b c", "\ufeffa b", "a\u2028b", "😀 𝒳 a", "a" * 100_000]
)
def test_ugly_text_matches_itself(text: str) -> None:
    score = METEOR().sentence_score(text, text)
    assert score.score == 100
    assert METEOR(normalize=True).sentence_score(text, text).score == 100


def test_threads_batches_and_prepared_references_change_nothing() -> None:
    rng = random.Random(5)
    words = "the a of dogs dog runs running car automobile quick fast not is was".split()  # noqa: SIM905
    hypotheses, references = (
        [" ".join(rng.choices(words, k=rng.randint(1, 30))) for _ in range(700)] for _ in range(2)
    )
    metric = METEOR()
    cocarde.set_num_threads(1)
    expected = metric.statistics(hypotheses, references)
    try:
        cocarde.set_num_threads(4)
        np.testing.assert_array_equal(metric.statistics(hypotheses, references), expected)
    finally:
        cocarde.set_num_threads(None)
    prepared = metric.prepare(references)
    np.testing.assert_array_equal(metric.statistics(hypotheses, prepared), expected)
    accumulator = metric.accumulator()
    for start in range(0, 700, 100):
        accumulator.update(hypotheses[start : start + 100], references[start : start + 100])
    assert accumulator.compute() == metric.compute(expected.sum())
    pairs = metric.pairwise(hypotheses[:20], references[:20])
    np.testing.assert_array_equal(
        np.diag(pairs), metric.segment_scores(hypotheses[:20], references[:20])
    )


def test_several_references_in_numbers_that_vary() -> None:
    metric = METEOR()
    references = References.from_streams(["a cat", "the dogs"], ["cats", None])
    scores = metric.segment_scores(["cats", "dogs"], references)
    assert scores.tolist() == [
        metric.sentence_score("cats", "cats").score,
        metric.sentence_score("dogs", "the dogs").score,
    ]
    assert metric.align("cats", ["a cat", "cats"]).reference_index == 1


# --------------------------------------------------------------------------------------------------
# Bounds


def test_a_word_repeated_two_thousand_times_takes_seconds() -> None:
    start = time.process_time()
    statistics = METEOR().statistics(["word " * 2_000], ["word " * 1_999])
    assert statistics["hypothesis_matches"] == 1_999
    assert time.process_time() - start < 20


def test_words_that_repeat_beyond_reason_are_refused() -> None:
    with pytest.raises(InputError, match=r"segment 1: its words repeat so often .* 25 million"):
        METEOR().statistics(["a", "word " * 6_000], ["a", "word " * 5_999])


def test_a_long_segment_of_different_words_is_quick() -> None:
    words = [f"w{number}" for number in range(100_000)]
    start = time.process_time()
    score = METEOR().sentence_score(" ".join(words), " ".join(words[50_000:] + words[:50_000]))
    assert score.chunks == 2
    assert time.process_time() - start < 20
