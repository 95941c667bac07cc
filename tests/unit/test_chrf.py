"""chrF's options, errors, presets, signatures and extremes."""

from __future__ import annotations

import pickle
import time
import warnings
from typing import Any

import numpy as np
import pytest

import cocarde
from cocarde import CHRF, CHRFScore, CocardeWarning, InputError, OptionError


def test_names_and_registry() -> None:
    assert cocarde.evaluate(["a b"], ["a c"], ["chrf", "chrf:chrf++"])["chrf"].name == "chrF2"
    assert [CHRF.preset(name).score_name for name in CHRF.presets()] == [
        "chrF2", "chrF2+", "chrF2++", "chrF2++", "chrF3", "chrF2++",
    ]  # fmt: skip
    assert CHRF(beta=2.5, word_order=1).score_name == "chrF2.5+"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"char_order": -1}, "char_order must be a whole number"),
        ({"word_order": True}, "word_order must be a whole number"),
        ({"char_order": 0}, "char_order and word_order are both 0"),
        ({"min_char_order": 7}, "min_char_order 7 is above char_order 6"),
        ({"beta": -1}, "beta must be a number"),
        ({"lowercase": 1}, "lowercase must be True or False"),
        ({"average": "mean"}, "average must be one of corpus, segments"),
        ({"formula": "moses"}, "formula must be one of sacrebleu, popovic, nltk"),
        ({"formula": "nltk", "eps_smoothing": False}, "belongs to the formula 'sacrebleu'"),
    ],
)
def test_wrong_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        CHRF(**options)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: CHRF().corpus_score([["a", "b"]], [["a"]]), "hypotheses: chrF compares"),
        (lambda: CHRF().pairwise(["a"], [["a", "b"]]), "references are sequences of tokens"),
        (lambda: cocarde.evaluate([[1, 2]], [[1]], ["chrf"]), "sequences of tokens"),
        (lambda: CHRF().corpus_score([], []), "nothing to score"),
        (lambda: CHRF().corpus_score(["a", "b"], ["a"]), "2"),
        (lambda: CHRF().compute([1.0] * 17), "18"),
        (lambda: CHRF(char_order=1).compute([1, 2, 2]), "char_1_matches is 2.0"),
    ],
)
def test_wrong_input(call: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        call()
    with pytest.raises(OptionError, match="kind must be 'text'"):
        CHRF().prepare(["a"], kind="tokens")


@pytest.mark.parametrize(
    "chrf",
    [
        *map(CHRF.preset, CHRF.presets()),
        CHRF(beta=0.5, average="segments", min_char_order=2, whitespace=True, lowercase=True),
        CHRF(formula="popovic", beta=1, word_order=0),
    ],
)
def test_signatures_come_back(chrf: CHRF) -> None:
    assert CHRF.from_signature(chrf.signature) == chrf
    assert pickle.loads(pickle.dumps(chrf)) == chrf
    assert hash(chrf) == hash(CHRF.from_signature(chrf.signature))


@pytest.mark.parametrize("text", ["BLEU|nrefs:1", "chrF|nrefs:1", "nc:x", "space:maybe", "tok:13a"])
def test_wrong_signatures(text: str) -> None:
    with pytest.raises(OptionError):
        CHRF.from_signature(text)


def test_what_is_empty() -> None:
    chrf = CHRF()
    with pytest.warns(cocarde.CocardeWarning, match="the reference of 1 of 2 segments is empty"):
        rows = chrf.statistics(["abc", "abc"], ["", "abc"])
    assert not rows.values[0].any()
    assert chrf.compute(rows.sum()).score == 100
    with pytest.warns(cocarde.CocardeWarning):
        (message,) = chrf.sentence_score("abc", " ").warnings
    assert "reference has no n-gram" in message
    assert "no n-gram matches" in chrf.sentence_score("abc", "xyz").warnings[0]
    assert "hypothesis has no n-gram" in CHRF(char_order=1).sentence_score("", "x").warnings[0]


def test_score_tells_what_it_was_made_of() -> None:
    score = CHRF.preset("chrf++").corpus_score(["the cat", "a dog"], ["the cats", "a dog"])
    assert isinstance(score, CHRFScore)
    assert (score.char_order, score.word_order, score.beta) == (6, 2, 2.0)
    assert score.matches == (10, 8, 6, 4, 2, 1, 3, 1)
    assert score.hypothesis_totals[0] == 10 and score.reference_totals[0] == 11
    assert score.precisions[0] == 100 and score.recalls[0] == pytest.approx(1000 / 11)
    assert set(score.parts()) == {"chrF"}
    assert score.to_dict()["fmeasures"] == list(score.fmeasures)


def test_prepared_references_and_accumulators() -> None:
    hypotheses, references = ["the cat sat", "on a mat"], [["The cat sat", "a cat"], ["on the mat"]]
    for chrf in (CHRF(lowercase=True), CHRF.preset("nltk")):
        whole = chrf.corpus_score(hypotheses, references)
        assert chrf.corpus_score(hypotheses, chrf.prepare(references)) == whole
        accumulator = chrf.accumulator()
        for pair in zip(hypotheses, references, strict=True):
            accumulator.update([pair[0]], [pair[1]])
        assert accumulator.compute().score == pytest.approx(whole.score, rel=1e-12)


def test_threads_do_not_matter() -> None:
    words = ["the", "cat", "sat", "on", "a", "mat", "–", "día", "中文", "."]
    draw = np.random.default_rng(1)
    hypotheses, references = (
        [" ".join(draw.choice(words, 60)) for _ in range(900)] for _ in range(2)
    )
    before = cocarde.get_num_threads()
    found = []
    for threads in (1, 3):
        cocarde.set_num_threads(threads)
        rows = CHRF(word_order=2).statistics(hypotheses, references).values
        found.append((rows, CHRF().pairwise(hypotheses[:40], references[:50])))
    cocarde.set_num_threads(before)
    np.testing.assert_array_equal(found[0][0], found[1][0])
    np.testing.assert_array_equal(found[0][1], found[1][1])


@pytest.mark.parametrize("text", ["a", "ab", "aé中 ", "the cat ", "\x00"])
@pytest.mark.parametrize("order", [6, 20])
def test_long_texts_take_no_long_time(text: str, order: int) -> None:
    """The bound is linear: 100,000 characters, all alike or in short circles, are a fraction of a second."""
    long = text * (100_000 // len(text))
    chrf = CHRF(char_order=order, word_order=2)
    start = time.process_time()
    score = chrf.sentence_score(long, long + "x")
    scores = chrf.pairwise([long], [long, long[1:]])
    assert time.process_time() - start < 2
    assert score.score > 80
    assert scores[0, 0] == pytest.approx(100)


def test_more_characters_than_a_key_has_room_for() -> None:
    """Beyond 512 distinct characters at order 6, n-grams are counted by the matcher of tokens."""
    many = "".join(map(chr, range(0x4E00, 0x4E00 + 3000)))
    score = CHRF().sentence_score(many + many[:10], many)
    assert score.matches[:2] == (3000, 2999)
    assert score.hypothesis_totals[0] == 3010
    assert CHRF().pairwise([many], [many[:40], many])[0, 1] == pytest.approx(100)


def test_an_order_without_a_match_is_left_out_in_segments_alone() -> None:
    """chrF++.py takes the peers' tiny number for it in the corpus, and skips it in a segment."""
    metric = CHRF.preset("popovic")
    totals = metric.statistics(["a"], ["b"]).sum()
    assert metric.compute(totals, level="corpus").score == pytest.approx(1e-14, rel=1e-6, abs=0)
    assert metric.compute(totals, level="segment").score == 0


def test_the_torch_formula_keeps_all_ngrams_of_the_hypothesis() -> None:
    metric = CHRF.preset("torch", char_order=2, word_order=0)
    assert metric.statistics(["abc"], ["a"]).values.tolist() == [[3, 1, 1, 2, 0, 0]]
    # A reference with which nothing matches counts as one without n-grams, and is not empty.
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rows = metric.statistics(["abc"], [["xy", "z"]])
    assert rows.values.tolist() == [[3, 0, 0, 2, 0, 0]]
    score = metric.compute(rows.sum())
    assert score.score == 0
    assert score.warnings == ("the score is 0 because no n-gram matches",)
    with pytest.warns(CocardeWarning, match="the reference of 1 of 2 segments is empty"):
        metric.statistics(["abc", "d"], [["", " "], ["e"]])


def test_the_torch_formula_is_explained() -> None:
    metric = CHRF.preset("torch")
    assert CHRF.from_signature(metric.signature) == metric
    for hypothesis, references in (("abc de.", ["x", "abd de"]), ("abc", ["xy"]), ("", ["a", ""])):
        found = cocarde.explain(metric, [hypothesis], [references], segment=0)
        assert found.score == metric.sentence_score(hypothesis, references).score
        pairs = metric.pairwise([hypothesis], references)[0]
        for reference, score in zip(references, pairs, strict=True):
            assert score == metric.sentence_score(hypothesis, reference).score
