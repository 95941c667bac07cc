"""Lengths: the ratio, its signature, and comparisons of what has no better and worse."""

from __future__ import annotations

import numpy as np
import pytest

import cocarde
from cocarde import BLEU
from cocarde.core.signature import TOKENS
from cocarde.significance.length import Length

REFERENCES = [["a b c d", "a b"], ["x y"], [""]]
HYPOTHESES = ["a b c", " x  y z\n", "w"]


@pytest.mark.filterwarnings("ignore::cocarde.errors.CocardeWarning")
def test_lengths_are_those_that_bleu_counts() -> None:
    bleu = BLEU(tokenize="none").corpus_score(HYPOTHESES, REFERENCES)
    score = Length().corpus_score(HYPOTHESES, REFERENCES)
    assert score.score == 100 * bleu.length_ratio == 175
    assert score.signature.startswith("nrefs:var|tok:none|cocarde:")
    assert Length().segment_scores(HYPOTHESES, REFERENCES).tolist() == [150, 150, 0]
    tokens = Length().corpus_score([[1, 2, 3]], [[1, 2]])
    assert tokens.score == 150
    assert f"|tok:{TOKENS}|" in tokens.signature


def test_pairs() -> None:
    found = Length().pairwise(["a", "a b", ""], ["a b", "a b c d"])
    assert np.array_equal(found, [[50, 25], [100, 50], [0, 0]])


def test_nothing_to_compare_with_is_said() -> None:
    score = Length().sentence_score("a b", "")
    assert score.score == 0
    assert score.warnings == ("the score is 0 because no reference has a word",)
    assert Length().sentence_score("a b", "a").warnings == ()


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
def test_neither_more_nor_less_is_better(test: str) -> None:
    references = [f"the {n} sat on the mat" for n in range(30)]
    systems = {
        "same": references,
        "long": [f"{text} today" for text in references],
        # Two texts are shorter, one is longer.
        "varied": ["sat", "sat", f"{references[2]} today", *references[3:]],
    }
    found = cocarde.compare(systems, references, {"length": Length()}, test=test, samples=200)
    long, varied = found["long", "length"], found["varied", "length"]
    assert (long.verdict, varied.verdict) == ("different", "same")
    assert long.delta == pytest.approx(100 / 6)
    for one in found.values():
        assert not one.best and not one.tied_with_best and one.p_value_to_best is None
        assert one.wins is one.ties is one.losses is None
    assert "different" in str(found)
    assert "**" not in found.to_markdown() and "textbf" not in found.to_latex()
    assert " + " not in found.to_markdown().partition("\n\n")[0]
