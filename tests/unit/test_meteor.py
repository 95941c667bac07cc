"""METEOR: the plain definition, options, signatures, ugly input, bounds."""

from __future__ import annotations

import pickle
import random
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cocarde
from cocarde import METEOR, InputError, OptionError, References
from cocarde.engines.streaming import accumulate_files
from cocarde.errors import CocardeWarning
from cocarde.metrics.meteor.explanation import METEORExplanation
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
        ({"task": "best"}, "task must be one of .*; found 'best'"),
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
        ({"beam_size": 0}, "beam_size must be a whole number from 1 to 2147483647"),
        ({"beam_size": 10**30}, "beam_size must be a whole number from 1 to 2147483647"),
        ({"normalize": 1}, "normalize must be True or False"),
        ({"keep_punctuation": False}, "needs normalize=True"),
        ({"normalize": True, "tokenize": "13a"}, "give it or tokenize, not both"),
        ({"language": "it", "normalize": True}, "no normaliser for italian"),
        ({"paraphrases": "x.gz"}, "not among the stages"),
        ({"function_words": "german"}, "function_words must be 'language' or a collection"),
        ({"function_words": [1]}, "function_words holds 1"),
        ({"oversized": "skip"}, "oversized must be one of error, exact, zero; found 'skip'"),
        (
            {"stages": ["stem"], "oversized": "exact"},
            "needs the stage 'exact', .* oversized='zero'",
        ),
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
    oversized=st.sampled_from(["error", "exact", "zero"]),
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
    assert ("|oversized:" in metric.signature) == (metric.oversized != "error")
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


def test_text_that_was_not_tokenized_is_noticed() -> None:
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


# Too many matches of stems; the three words before them match exactly.
OVERSIZED = ("the cat sat " + "walk " * 5_001, "the cat sat " + "walks " * 5_001)
# Too many even of equal words.
EQUAL_WORDS = ("word " * 5_002, "word " * 5_001)
# Behind oversized segments there are others, some in another block of those that are scored again.
MIXED = [("two boys ate", "boys eat"), OVERSIZED, ("a cat", "cats"), OVERSIZED]
MIXED += [("the cat sat", "the cats sit")] * 300


def exact_row(metric: METEOR, hypothesis: str, references: list[str]) -> list[float]:
    """The statistics of the stage exact alone, by the metric that has no other stage."""
    alone = METEOR(stages=["exact"], stage_weights=[1.0])
    row = alone.statistics([hypothesis], [references])
    return [row[name][0] if name in alone.fields else 0 for name in metric.fields]


@pytest.mark.parametrize("threads", [1, 2])
def test_an_oversized_segment_is_scored_by_the_stage_exact_alone(threads: int) -> None:
    metric = METEOR(oversized="exact")
    hypotheses, references = zip(*MIXED, strict=True)
    cocarde.set_num_threads(threads)
    try:
        with pytest.warns(
            CocardeWarning, match=r"25 million possible matches in 2 of 304 segments"
        ):
            found = metric.statistics(hypotheses, references)
    finally:
        cocarde.set_num_threads(None)
    others = [index for index in range(len(MIXED)) if MIXED[index] is not OVERSIZED]
    wanted = METEOR().statistics(*zip(*(MIXED[index] for index in others), strict=True))
    assert found.values[others].tolist() == wanted.values.tolist()
    row = exact_row(metric, OVERSIZED[0], [OVERSIZED[1]])
    assert found.values[[1, 3]].tolist() == [row, row]
    assert found["hypothesis_matches"][1] == 3


def test_an_oversized_segment_may_have_statistics_of_0() -> None:
    metric = METEOR(oversized="zero")
    hypotheses, references = zip(*MIXED[:3], EQUAL_WORDS, strict=True)
    with pytest.warns(CocardeWarning, match=r"in 2 of 4 segments; their statistics are 0"):
        found = metric.corpus_score(hypotheses, references)
    wanted = METEOR().corpus_score([hypotheses[0], hypotheses[2]], [references[0], references[2]])
    assert (found.score, found.chunks) == (wanted.score, wanted.chunks)
    assert found.hypothesis_length == 5
    with pytest.warns(CocardeWarning, match="in 1 of 1 segments"):
        alone = metric.sentence_score(*EQUAL_WORDS)
    assert alone.score == 0 and "25 million possible matches" in alone.warnings[0]


def test_of_several_references_the_stage_exact_alone_chooses() -> None:
    metric = METEOR(oversized="exact")
    references = ["walk", OVERSIZED[1], "the cat sat down"]
    with pytest.warns(CocardeWarning, match="in 1 of 1 segments; the stage exact alone"):
        found = metric.statistics([OVERSIZED[0]], [references])
    assert found.values[0].tolist() == exact_row(metric, OVERSIZED[0], references)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # an alignment is looked at, not reported
        alignment = metric.align(OVERSIZED[0], references)
    score = metric.compute(found.sum(), level="segment")
    assert alignment.score.to_dict() == {**score.to_dict(), "signature": alignment.score.signature}
    assert {match.stage for match in alignment.matches} == {"exact"}


def test_oversized_pairs() -> None:
    hypotheses = ["two boys ate", OVERSIZED[0], "a cat"]
    references = ["boys eat", OVERSIZED[1], "the cat sat", "cats"]
    for option, cell in (("exact", None), ("zero", 0.0)):
        metric = METEOR(oversized=option)
        with pytest.warns(CocardeWarning, match=r"in 1 of 12 pairs") as caught:
            found = metric.pairwise(hypotheses, references)
        assert len(caught) == 1
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            wanted = [[metric.sentence_score(h, r).score for r in references] for h in hypotheses]
        assert found.tolist() == wanted
        assert found[1, 1] == cell if cell is not None else found[1, 1] > 0


def test_what_even_the_stage_exact_cannot_score_is_an_error() -> None:
    metric = METEOR(oversized="exact")
    hypotheses, references = zip(("a", "a"), OVERSIZED, EQUAL_WORDS, strict=True)
    wanted = r"^segment 2: .* even of equal words alone; leave it out, or say oversized='zero'"
    with pytest.raises(InputError, match=wanted):
        metric.statistics(hypotheses, references)
    with pytest.raises(InputError, match=wanted):
        metric.pairwise(hypotheses, references)


def test_refusals_name_the_option() -> None:
    wanted = r"^segment 1: .* leave it out, or say oversized='exact' .* or oversized='zero'"
    hypotheses, references = zip(("a", "a"), OVERSIZED, strict=True)
    with pytest.raises(InputError, match=wanted):
        METEOR().segment_scores(hypotheses, references)
    with pytest.raises(InputError, match=wanted):
        METEOR().pairwise(hypotheses, references)
    with pytest.raises(InputError, match=r"no alignment; say oversized='exact'"):
        METEOR(oversized="zero").align(*OVERSIZED)


def test_oversized_segments_are_counted_over_the_batches_of_a_stream(tmp_path: Path) -> None:
    hypotheses, references = zip(*MIXED[:5], strict=True)
    for name, lines in (("h", hypotheses), ("r", references)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    metric = METEOR(oversized="exact")
    with pytest.warns(CocardeWarning, match="possible matches in 2 of 5 segments") as caught:
        found = accumulate_files(
            {"m": metric}, tmp_path / "h", [tmp_path / "r"], batch_bytes=1 << 14
        )
    assert len(caught) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert found["m"].compute() == metric.corpus_score(hypotheses, references)
        by_batch = metric.accumulator()
        for pair in MIXED[:5]:
            by_batch.update(*([one] for one in pair))
        assert by_batch.compute() == found["m"].compute()


@pytest.mark.filterwarnings("ignore:METEOR has more than 25 million")
def test_an_oversized_segment_explained() -> None:
    metric = METEOR(oversized="exact")
    explained = cocarde.explain(metric, *OVERSIZED)
    assert isinstance(explained, METEORExplanation)
    assert explained.alignment is not None
    assert explained.score == metric.sentence_score(*OVERSIZED).score
    assert [match.stage for match in explained.alignment.matches] == ["exact"] * 3


def test_a_long_segment_of_different_words_is_quick() -> None:
    words = [f"w{number}" for number in range(100_000)]
    start = time.process_time()
    score = METEOR().sentence_score(" ".join(words), " ".join(words[50_000:] + words[:50_000]))
    assert score.chunks == 2
    assert time.process_time() - start < 20
