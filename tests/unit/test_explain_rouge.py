"""ROUGE explained: what is marked, and that the derivation gives the metric's own numbers."""

from __future__ import annotations

import json
import random

import pytest

import cocarde
from cocarde import ROUGE
from cocarde.core.documents import Mark
from cocarde.metrics.rouge.explanation import ROUGEExplanation, common_subsequence

pytestmark = pytest.mark.filterwarnings("ignore::cocarde.errors.CocardeWarning")


def explain(
    metric: ROUGE, hypothesis: object, references: object, segment: int | None = None
) -> ROUGEExplanation:
    found = cocarde.explain(metric, hypothesis, references, segment=segment)
    assert isinstance(found, ROUGEExplanation)
    return found


def test_the_subsequence_is_marked_in_both_texts() -> None:
    found = explain(ROUGE(rouge_types=["rougeL"]), "the cat eats the cat food", "the cat eats food")
    (one,) = found.derivations
    assert (one.hits, one.hypothesis_total, one.reference_total) == (4, 6, 4)
    marked = [t for t, m in zip(one.hypothesis_tokens, one.hypothesis_marks, strict=True)
              if m is Mark.MATCHED]  # fmt: skip
    assert marked == ["the", "cat", "eats", "food"]
    assert set(one.reference_marks) == {Mark.MATCHED}
    text = found.to_text()
    assert (
        "P = 4 / 6 = 0.666667" in text
        and "F = 2 · 0.666667 · 1 / (1 + 0.666667) = 0.800000" in text
    )
    assert "===" in text


def test_matched_ngrams_come_first() -> None:
    found = explain(ROUGE(rouge_types=["rouge2"]), "a b a b c", "a b x")
    (one,) = found.derivations
    assert one.ngrams[0].ngram == ("a", "b")
    assert (one.ngrams[0].hypothesis, one.ngrams[0].reference, one.ngrams[0].matched) == (2, 1, 1)
    assert "sum of all" in found.to_markdown()


@pytest.mark.parametrize("exclusive", [False, True])
def test_equal_ngrams_stand_as_in_the_text(exclusive: bool) -> None:
    """Not as a set has them, which is another order in every process."""
    words = list("zyxwvutsrq")
    metric = ROUGE(rouge_types=["rouge1"], exclusive=exclusive)
    (one,) = explain(metric, " ".join(words), " ".join(words[::-1])).derivations
    assert [row.ngram for row in one.ngrams] == [(word,) for word in words]


def test_a_word_is_not_counted_more_often_than_the_hypothesis_has_it() -> None:
    found = explain(ROUGE(rouge_types=["rougeLsum"]), "a b", "a\na b")
    (one,) = found.derivations
    assert one.hits == 2
    assert one.reference_marks == (Mark.MATCHED, Mark.CLIPPED, Mark.MATCHED)


def test_every_convention_is_derived_anew() -> None:
    """`explain` compares its own arithmetic with the native one, and fails where they differ."""
    rng = random.Random(2)

    def text() -> str:
        return "".join(
            rng.choice("abcde") + rng.choice([" ", " ", " ", ". ", "\n"])
            for _ in range(rng.randrange(30))
        )

    metrics = [ROUGE.preset(name) for name in ROUGE.presets() if name != "rouge-1.5.5"]
    metrics += [
        ROUGE.preset("rouge", exclusive=False),
        ROUGE(tokenize="auto"),
        ROUGE(multiple="mean", beta=2, exclusive=True),
        ROUGE(sentences="punctuation", tokenize="intl"),
    ]
    for metric in metrics:
        for _ in range(25):
            hypothesis, references = text(), [text() for _ in range(rng.randrange(1, 4))]
            found = explain(metric, hypothesis, references)
            assert found.result == metric.sentence_score(hypothesis, references)
            json.loads(found.to_json())
            assert found.to_text() and found._repr_html_()
        texts = [text() for _ in range(8)], [text() for _ in range(8)]
        corpus = explain(metric, *texts)
        assert corpus.result == metric.corpus_score(*texts)
        assert "mean of all" in corpus.to_text()
        for given in (texts[1], metric.prepare(texts[1])):
            one = explain(metric, texts[0], given, segment=3)
            alone = metric.sentence_score(texts[0][3], texts[1][3])
            assert one.values == tuple((x.precision, x.recall, x.fmeasure) for x in alone.values())


def test_texts_too_long_to_mark_say_so() -> None:
    words = " ".join(["a b c"] * 1000)
    found = explain(ROUGE(rouge_types=["rougeL"]), words, words)
    assert found.score == 100
    assert any("too long" in warning for warning in found.warnings)


def test_the_walk_back_breaks_ties_as_documented() -> None:
    assert common_subsequence(list("ab"), list("ba")) == [(0, 1)]
    assert common_subsequence([], list("ba")) == []


def test_a_ratio_over_nothing_is_said_to_be_one() -> None:
    printed = str(cocarde.explain(cocarde.ROUGE(rouge_types=["rouge1"]), "", "a b"))
    assert "P = 0 / 0: a ratio over nothing is 0" in printed
    assert "R = 0 / 2 = 0" in printed
    assert "/ (0 + 0): a ratio over nothing is 0" in printed
    printed = str(cocarde.explain(cocarde.ROUGE.preset("rouge", rouge_types=["rouge1"]), "a", "b"))
    assert "P = 0 / 1 = 0" in printed and "over nothing" not in printed
