"""GLEU: options, signatures, scores worked out by hand, warnings, explanations."""

from __future__ import annotations

import json
from typing import Any

import pytest

import cocarde
from cocarde import GLEU, CocardeWarning, InputError, OptionError
from cocarde.metrics.gleu.explanation import GLEUExplanation


def test_one_pair_by_hand() -> None:
    """Of 5 + 4 + 3 + 2 n-grams of "a b c x d", "a b c d" has 4 + 2 + 1 in common; it has 10 itself."""
    score = GLEU().sentence_score("a b c x d", "a b c d")
    assert (score.matches, score.total) == (7, 14)
    assert (score.hypothesis_total, score.reference_total) == (14, 10)
    assert (score.score, score.precision, score.recall) == (50, 50, 70)
    assert str(score) == "GLEU = 50.00 (P = 50.00 R = 70.00)"


def test_a_corpus_score_sums_matches_and_larger_totals() -> None:
    hypotheses, references = ["a b", "c"], ["a b", "c d e"]
    score = GLEU().corpus_score(hypotheses, references)
    assert score.score == pytest.approx(100 * (3 + 1) / (3 + 6))
    assert score.precision == 100 and score.recall == pytest.approx(score.score)
    rows = GLEU().statistics(hypotheses, references)
    assert rows.values.tolist() == [[3, 3, 3, 3], [1, 6, 1, 6]]


@pytest.mark.filterwarnings("ignore::cocarde.errors.CocardeWarning")
@pytest.mark.parametrize(
    ("references", "row"),
    [
        (["a x", "a y z"], [1, 3, 3, 3]),  # the best ratio
        (["x a", "a x"], [1, 3, 3, 3]),  # the first of those
        (["", "a b"], [3, 3, 3, 3]),
        (["", "x"], [0, 3, 3, 0]),  # nothing matches: the first
        (["x y z", ""], [0, 6, 3, 6]),
    ],
)
def test_several_references(references: list[str], row: list[float]) -> None:
    assert GLEU().statistics(["a b"], [references]).values[0].tolist() == row


@pytest.mark.filterwarnings("ignore::cocarde.errors.CocardeWarning")
def test_a_reference_without_ngrams_beside_such_a_hypothesis_is_none() -> None:
    rows = GLEU().statistics(["", ""], [["", "a b"], ["", ""]])
    assert rows.values.tolist() == [[0, 3, 0, 3], [0, 0, 0, 0]]
    bigrams = GLEU(min_ngram_order=2).statistics(["a"], [["b", "a b c"]])
    assert bigrams.values.tolist() == [[0, 3, 0, 3]]


def test_options() -> None:
    pair = "The cat.", "the cat ."
    assert GLEU().sentence_score(*pair).score == 0
    assert GLEU(lowercase=True).sentence_score(*pair).matches == 1
    assert GLEU.preset("huggingface", lowercase=True).sentence_score(*pair).score == 100
    ids = GLEU(ignore_ids=[0]).sentence_score([5, 6, 0, 0], [[5, 6, 0]])
    assert ids.score == 100
    words = GLEU(vocabulary=["<pad>", "a", "b"], ignore_ids=lambda word: word == "<pad>")
    assert words.sentence_score([1, 2, 0], [[1, 2]]).score == 100


@pytest.mark.parametrize(
    ("metric", "signature"),
    [
        (GLEU(), "nrefs:1|case:mixed|tok:none|formula:nltk|version:3.10"),
        (
            GLEU.preset("huggingface", lowercase=True, max_ngram_order=6, min_ngram_order=2),
            "nrefs:1|case:lc|tok:13a|minorder:2|order:6|formula:nltk|version:3.10",
        ),
        (
            GLEU(ignore_ids=[3, 1]),
            "nrefs:1|case:mixed|tok:none|ignore:1,3|formula:nltk|version:3.10",
        ),
    ],
    ids=str,
)
def test_signatures(metric: GLEU, signature: str) -> None:
    assert metric.signature.rpartition("|cocarde:")[0] == signature
    assert GLEU.from_signature(metric.signature) == metric == GLEU.from_signature(signature)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_ngram_order": 0}, "max_ngram_order must be a whole number from 1 to 1000"),
        ({"min_ngram_order": 5}, "min_ngram_order 5 is above max_ngram_order 4"),
        ({"formula": "bleu"}, "formula"),
        ({"tokenize": "13b"}, "13a"),
    ],
)
def test_refusals(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        GLEU(**options)


def test_other_versions_and_keys_are_refused() -> None:
    with pytest.raises(OptionError, match=r"of version 3\.9"):
        GLEU.from_signature("nrefs:1|case:mixed|tok:none|formula:nltk|version:3.9")
    with pytest.raises(OptionError, match="smooth"):
        GLEU.from_signature("nrefs:1|case:mixed|tok:none|smooth:exp|version:3.10")


def test_counts_that_no_text_has_are_refused() -> None:
    rows = GLEU().statistics(["a b"], ["a b"])
    rows.values[0, 0] = 4
    with pytest.raises(InputError, match=r"matches of row 0 is 4\.0, which is more than there are"):
        GLEU().compute(rows, level="segment")


@pytest.mark.parametrize(
    ("hypothesis", "reference", "reason"),
    [
        ("", "a", "the hypothesis has no n-gram of these orders"),
        ("a", "", "the reference has no n-gram of these orders"),
        ("a", "b", "no n-gram matches"),
    ],
)
@pytest.mark.filterwarnings("ignore::cocarde.errors.CocardeWarning")
def test_zero_says_why(hypothesis: str, reference: str, reason: str) -> None:
    score = GLEU().sentence_score(hypothesis, reference)
    assert score.score == score.precision == score.recall == 0
    assert score.warnings[0] == f"the score is 0 because {reason}"


def test_diagnostics() -> None:
    with pytest.warns(CocardeWarning, match="tokenizer 'none' does not divide it.*tokenize='zh'"):
        GLEU().corpus_score(["今天天气很好我们去公园"], ["今天天气不好我们不去公园"])
    with pytest.warns(CocardeWarning, match="the reference of 1 of 2 segments is empty"):
        GLEU().corpus_score(["a", "b"], ["a", ""])


def test_prepared_references_and_accumulators() -> None:
    metric = GLEU(lowercase=True)
    hypotheses, references = ["A b c", "d", "e f"], [["a b"], ["d", "x d"], ["e"]]
    whole = metric.corpus_score(hypotheses, references)
    ready = metric.prepare(references)
    assert metric.corpus_score(hypotheses, ready).score == whole.score
    found = metric.accumulator()
    for one, group in zip(hypotheses, references, strict=True):
        found.update([one], [group])
    assert found.compute().score == whole.score


def test_significance() -> None:
    good, bad, references = ["a b c d"] * 20, ["a b x y"] * 20, ["a b c d"] * 20
    found = cocarde.compare({"bad": bad, "good": good}, references, ["gleu"], samples=100)
    assert found["good", "gleu"].verdict == "better"


def test_explanation_of_a_segment() -> None:
    found = cocarde.explain("gleu", "the cat sat", ["a dog", "the cat slept"])
    assert isinstance(found, GLEUExplanation)
    assert found.chosen == 2 and found.score == 50
    assert [row.matches for row in found.references] == [0, 3]
    assert [row.ngram for row in found.ngrams if row.matched] == [
        ("the",),
        ("cat",),
        ("the", "cat"),
    ]
    text = found.to_text()
    assert "N-grams of order 3" in text and "N-grams of order 4" not in text
    assert "GLEU = 100 · 3 / 6 = 50" in text
    assert json.loads(found.to_json()) == found.to_dict()


@pytest.mark.filterwarnings("ignore::cocarde.errors.CocardeWarning")
def test_explanation_of_a_corpus() -> None:
    hypotheses, references = ["a b c", "d", ""] * 10, ["a b", "e", ""] * 10
    for metric in (GLEU(), GLEU(min_ngram_order=2, lowercase=True)):
        found = cocarde.explain(metric, hypotheses, references, top=2)
        assert found.score == metric.corpus_score(hypotheses, references).score
        assert len(found.segments) == 30
        assert "26 are not shown, but count" in found.to_markdown()
        one = cocarde.explain(metric, hypotheses, references, segment=3)
        assert one.score == metric.sentence_score("a b c", "a b").score
