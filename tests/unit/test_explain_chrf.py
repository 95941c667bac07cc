"""chrF explained: the derivation gives the metric's own numbers, in every convention."""

from __future__ import annotations

import json
import random

import pytest

import cocarde
from cocarde import CHRF
from cocarde.metrics.chrf.explanation import CHRFExplanation

pytestmark = pytest.mark.filterwarnings("ignore::cocarde.errors.CocardeWarning")


def test_one_segment() -> None:
    found = cocarde.explain(CHRF(char_order=2, word_order=1), "the cats", ["a cat", "the cat"])
    assert isinstance(found, CHRFExplanation)
    assert found.metric == "chrF2+"
    assert found.chosen == 2 and found.reference_scores[1] == pytest.approx(found.score)
    char, pair, word = found.orders
    assert (char.hypothesis_total, char.reference_total, char.matches) == (7, 6, 6)
    assert pair.ngrams[0].ngram == ("th",)
    assert (word.kind, word.matches) == ("word", 1)
    text = found.to_text()
    assert "P = (0.857143 + 0.833333 + 0.500000) / 3 = 0.730159" in text
    assert f"= {found.score:.6f}" in text
    assert json.loads(found.to_json())["orders"][0]["matches"] == 6


def test_a_corpus() -> None:
    hypotheses, references = ["the cats", "a dog"] * 30, ["the cat", "a fog"] * 30
    for name in CHRF.presets():
        metric = CHRF.preset(name)
        found = cocarde.explain(metric, hypotheses, references, top=3)
        assert found.score == metric.corpus_score(hypotheses, references).score
        assert isinstance(found, CHRFExplanation) and len(found.segments) == 60
        assert "54 are not shown, but count" in found.to_markdown()
        one = cocarde.explain(metric, hypotheses, references, segment=1)
        assert one.score == metric.sentence_score("a dog", "a fog").score


def test_every_convention_is_derived_anew() -> None:
    """`explain` compares its own counts and arithmetic with the metric's, and fails where they differ."""
    draw = random.Random(3)
    metrics = [
        *map(CHRF.preset, CHRF.presets()),
        CHRF(char_order=0, word_order=3),
        CHRF(whitespace=True, lowercase=True, beta=0.5, min_char_order=2),
        CHRF(eps_smoothing=True, average="segments"),
    ]
    for _ in range(150):
        texts = ["".join(draw.choices("abÉ .,\t(中", k=draw.randint(0, 14))) for _ in range(4)]
        for metric in metrics:
            for level in (texts[0], texts[:2]):
                references = texts[1:] if level is texts[0] else [texts[2:], texts[1:]]
                found = cocarde.explain(metric, level, references)
                json.dumps(found.to_dict(), allow_nan=False)
                assert found.to_text()
