"""ROUGE-1.5.5 explained: the derivation in plain Python gives the metric's own numbers, bit for bit."""

from __future__ import annotations

import dataclasses
import json
import random
from typing import Any

import pytest

import cocarde
from cocarde import ROUGE
from cocarde.core.documents import Mark
from cocarde.metrics.rouge.perl import explanation as rouge155
from cocarde.metrics.rouge.perl.explanation import ROUGE155Explanation
from cocarde.metrics.rouge.perl.metric import ROUGE155
from cocarde.metrics.rouge.perl.program import Rouge155Options, rouge155_sentences
from cocarde.metrics.rouge.score import MEASURES

pytestmark = pytest.mark.filterwarnings("ignore::cocarde.errors.CocardeWarning")

ALL: dict[str, Any] = {
    "orders": (1, 2, 3),
    "weight": 1.2,
    "skip_bigrams": True,
    "skip_bigrams_with_unigrams": True,
    "maximum_skip": 4,
}
# Each option, by itself and with others that it meets.
OPTIONS: list[dict[str, Any]] = [
    {},
    {"maximum_skip": 0},
    {"maximum_skip": None},
    {"stemming": True},
    {"stemming": True, "exceptions": False},
    {"stop_words": ("the", "of", "mice")},
    {"stop_words": ("the", "a"), "stemming": True, "multiple_references": "best"},
    {"multiple_references": "best"},
    {"multiple_references": "best", "rounded": False},
    {"alpha": 0.0},
    {"alpha": 1.0},
    {"alpha": 0.8},
    {"word_limit": 3},
    {"word_limit": 10, "jackknife": True},
    {"byte_limit": 10},
    {"byte_limit": 40, "multiple_references": "best"},
    {"weight": 2.0},
    {"weight": 0.7, "multiple_references": "best"},
    {"weight": 5.0},
    {"rounded": False},
    {"jackknife": True},
    {"jackknife": True, "multiple_references": "best"},
    {"jackknife": True, "rounded": False},
    {"counting_unit": "token"},
    {"counting_unit": "token", "jackknife": True, "alpha": 0.3},
    {"counting_unit": "token", "multiple_references": "best", "jackknife": True},
]
WORDS = ["a", "b", "The", "the", "well-known", "mice", "running", "x1", "-", "'s", "été", "of"]


def random_text(rng: random.Random) -> str:
    """Few words, so that ties, repetitions and used-up words abound."""
    lines = []
    for _ in range(rng.randrange(4)):
        line = rng.choice(["", "", " "])
        for _ in range(rng.randrange(12)):
            line += rng.choice(WORDS) + rng.choice([" ", "  ", "\t", "\r", "\x1c", " "])
        lines.append(line)
    return "\n".join(lines)


def explain(metric: ROUGE155, hypotheses: Any, references: Any, **more: Any) -> ROUGE155Explanation:
    found = cocarde.explain(metric, hypotheses, references, **more)
    assert isinstance(found, ROUGE155Explanation)
    return found


def assert_explained(metric: ROUGE155, found: ROUGE155Explanation, score: Any) -> None:
    assert (found.result, found.signature) == (score, score.signature)
    for result in found.results:
        for measure in MEASURES:
            assert 100 * getattr(result, measure) == getattr(score[result.type], measure), (
                metric,
                result.type,
                measure,
            )


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_every_option_is_derived_bit_for_bit(options: dict[str, Any]) -> None:
    metric = ROUGE.preset("rouge-1.5.5", **{**ALL, **options})
    rng = random.Random(str(options))
    for _ in range(40):
        hypothesis = random_text(rng)
        references = [random_text(rng) for _ in range(rng.randrange(1, 5))]
        found = explain(metric, hypothesis, references)
        assert_explained(metric, found, metric.sentence_score(hypothesis, references))
        assert [result.type for result in found.results] == list(metric.options.types)
        expected = {name: part.score for name, part in found.result.parts().items()}
        printed = json.loads(found.to_json())
        assert {name: one["fmeasure"] for name, one in printed["types"].items()} == expected
        assert ("score" in printed) is (len(expected) == 1)
        assert found.to_text() and found.to_markdown() and found._repr_html_()


def random_options(rng: random.Random) -> dict[str, Any]:
    limit = rng.choice(
        [{}, {"word_limit": rng.randrange(1, 20)}, {"byte_limit": rng.randrange(1, 60)}]
    )
    flags = ("longest_common_subsequence", "skip_bigrams", "skip_bigrams_with_unigrams", "stemming",
             "exceptions", "jackknife", "rounded")  # fmt: skip
    chosen = {flag: rng.random() < 0.5 for flag in flags}
    skips = chosen["skip_bigrams"] or chosen["skip_bigrams_with_unigrams"]
    return {
        "orders": tuple(rng.sample(range(1, 6), rng.randrange(1, 4))),
        "weight": rng.choice([None, 1.2, round(rng.uniform(0.5, 3), 3)]),
        "maximum_skip": rng.choice([None, 0, 1, 4, 9]) if skips else None,
        "stop_words": tuple(rng.sample(["the", "a", "mice", "running"], rng.randrange(3))),
        "alpha": rng.choice([0, 0.5, 1, rng.random()]),
        "multiple_references": rng.choice(["average", "best"]),
        "counting_unit": rng.choice(["segment", "token"]),
        **chosen,
        **limit,
    }


def test_options_together_are_derived_bit_for_bit() -> None:
    rng = random.Random(155)
    for _ in range(600):
        metric = ROUGE.preset("rouge-1.5.5", **random_options(rng))
        hypothesis = random_text(rng)
        references = [random_text(rng) for _ in range(rng.randrange(1, 5))]
        found = explain(metric, hypothesis, references)
        assert_explained(metric, found, metric.sentence_score(hypothesis, references))


@pytest.mark.parametrize("unit", ["segment", "token"])
@pytest.mark.parametrize("jackknife", [False, True])
def test_corpora_and_segments_of_them(unit: str, jackknife: bool) -> None:
    metric = ROUGE.preset("rouge-1.5.5", **ALL, counting_unit=unit, jackknife=jackknife)
    rng = random.Random(unit)
    hypotheses = [random_text(rng) for _ in range(30)]
    references = [[random_text(rng) for _ in range(rng.randrange(1, 4))] for _ in range(30)]
    corpus = explain(metric, hypotheses, references, top=4)
    assert_explained(metric, corpus, metric.corpus_score(hypotheses, references))
    assert len(corpus.segments) == 30
    text = corpus.to_text()
    assert ("mean of all" if unit == "segment" else "counts of all") in text
    assert "22 are not shown" in text
    assert bool(corpus.results) == (unit == "token")
    for index in (0, 17):
        one = explain(metric, hypotheses, references, segment=index)
        assert_explained(metric, one, metric.sentence_score(hypotheses[index], references[index]))
        assert one.segment == index
        scores = [part.score for part in one.result.parts().values()]
        assert scores == pytest.approx(list(corpus.segments[index].scores))


def test_texts_are_read_as_the_core_reads_them() -> None:
    rng = random.Random(5)
    for options in OPTIONS:
        read = Rouge155Options(**{**ALL, **options})
        for _ in range(50):
            text = random_text(rng)
            flat = [word for words in rouge155_sentences(text, read) for word in words]
            assert list(rouge155.read_text(text, read).words) == flat


def test_the_union_of_subsequences_is_marked() -> None:
    """Lin's (2004) example: w1 w2 w3 w4 w5 against w1 w2 w6 w7 w8 and w1 w3 w8 w9 w5."""
    metric = ROUGE.preset("rouge-1.5.5", rouge_types=["rougeL", "rougeW"])
    found = explain(metric, "w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5", "w1 w2 w3 w4 w5")
    for result in found.results:
        (one,) = result.comparisons
        (sentence,) = one.sentences
        assert sentence.subsequences == ((0, 1), (0, 2, 4))
        assert [mark is Mark.MATCHED for mark in sentence.marks] == [True, True, True, False, True]
    assert found.results[0].comparisons[0].matches == 4
    assert found.results[1].comparisons[0].sentences[0].runs == (3, 1)
    text = found.to_text()
    assert "with sentence 2 of the hypothesis: w1 w3 w5" in text
    assert "matches = 3^1.2 + 1^1.2 = 4.737193" in text
    assert "P = (4.737193 / 15.848932)^(1 / 1.2) = 0.36554" in text
    assert "4 words match, of 5 in the reference and 10 in the hypothesis" in text


def test_words_that_are_used_up_are_marked() -> None:
    metric = ROUGE.preset("rouge-1.5.5", rouge_types=["rougeL"])
    (result,) = explain(metric, "a b", "a\na b").results
    marks = [sentence.marks for sentence in result.comparisons[0].sentences]
    assert marks == [(Mark.MATCHED,), (Mark.CLIPPED, Mark.MATCHED)]


def test_ngrams_are_counted_and_clipped_for_each_reference() -> None:
    metric = ROUGE.preset("rouge-1.5.5", rouge_types=["rouge2", "rougeS0"])
    found = explain(metric, "a b a b c", ["a b x", "b a b a"])
    first, second = found.results[0].comparisons
    counted = {row.ngram: (row.hypothesis, row.reference, row.matched) for row in second.ngrams}
    assert counted[("b", "a")] == (1, 2, 1)
    assert counted[("b", "c")] == (1, 0, 0)
    assert (first.matches, second.matches) == (1, 2)
    text = found.to_text()
    assert "matches = 1 + 2 = 3" in text
    assert "in the hypothesis, once a reference = 4 + 4 = 8" in text
    assert "P = 3 / 8 = 0.37500" in text
    assert "F = 0.37500 · 0.60000 / ((1 − 0.5) · 0.37500 + 0.5 · 0.60000) = 0.46154" in text


def test_the_best_reference_is_named_and_jackknifing_shown() -> None:
    references = ["a x y z", "a b c x", "b a x y"]
    best = ROUGE.preset("rouge-1.5.5", rouge_types=["rouge1"], multiple_references="best")
    text = explain(best, "a b c", references).to_text()
    assert "0.750000 (reference 2), 0.500000 (reference 3): reference 2 is the first" in text
    left = explain(best.with_options(jackknife=True), "a b c", references)
    (result,) = left.results
    assert [one.references for one in result.sets] == [(2, 3), (1, 3), (1, 2)]
    assert [one.counted for one in result.sets] == [(2,), (3,), (2,)]
    assert "mean of R = (0.75000 + 0.50000 + 0.75000) / 3 = 0.666667" in left.to_text()
    # A single reference cannot be left out.
    assert "mean of P" not in explain(best.with_options(jackknife=True), "a", "a").to_text()


def test_long_texts_are_explained_without_their_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    """What plain Python would count too slowly comes from the core; the steps are the same."""
    metric = ROUGE.preset("rouge-1.5.5", **{**ALL, "maximum_skip": None})
    rng = random.Random(8)
    hypothesis, references = random_text(rng), [random_text(rng) for _ in range(3)]
    shown = explain(metric, hypothesis, references)
    monkeypatch.setattr(rouge155, "MARKED_CELLS", 0)
    monkeypatch.setattr(rouge155, "_COUNTED_PAIRS", 0)
    hidden = explain(metric, hypothesis, references)
    for one, other in zip(shown.results, hidden.results, strict=True):
        for mine, theirs in zip(one.comparisons, other.comparisons, strict=True):
            bare = dataclasses.replace(
                mine,
                ngrams=theirs.ngrams,
                sentences=theirs.sentences,
                hypothesis_marks=theirs.hypothesis_marks,
                is_shown=theirs.is_shown,
            )
            assert bare == theirs
        assert one.sets == other.sets
    assert "too long for their matches to be listed" in hidden.to_text()
    assert not hidden.results[-1].comparisons[0].is_shown


def test_a_ratio_over_nothing_is_said_to_be_0() -> None:
    metric = ROUGE.preset("rouge-1.5.5", **ALL)
    text = explain(metric, "...", "是").to_text()
    assert "P = 0 / 0: a ratio over nothing is 0" in text
    assert "F = 0.00000 · 0.00000" in text


def test_what_is_wrong_with_the_derivation_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rouge155, "five", lambda value: round(value, 3))
    metric = ROUGE.preset("rouge-1.5.5", rouge_types=["rouge1"])
    with pytest.raises(cocarde.CocardeError, match="the precision of rouge1"):
        explain(metric, "a b c", "a x y")
