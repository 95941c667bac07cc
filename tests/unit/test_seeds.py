"""The worked examples of the five write-ups that cocarde has to cover, with the right values."""

from __future__ import annotations

import math
from typing import ClassVar

import pytest

from cocarde import BLEU
from tests.data_access import read_lines, require_real_data


def close(ours: float, printed: float, digits: int) -> bool:
    """Whether a score equals a value that was printed with so many decimals."""
    return abs(ours - printed) <= 0.5 * 10.0**-digits * (1 + 1e-9)


class TestMachineTranslation:
    """A: one reference, tokens, BLEU-1 to BLEU-4."""

    reference: ClassVar = ["this", "is", "a", "test"]
    candidate: ClassVar = ["this", "is", "a", "test", "too"]

    def test_precisions_and_scores(self) -> None:
        score = BLEU(smooth_method="none").corpus_score([self.candidate], [self.reference])
        assert list(score.matches) == [4, 3, 2, 1]
        assert list(score.totals) == [5, 4, 3, 2]
        for ours, exact in zip(score.precisions, (4 / 5, 3 / 4, 2 / 3, 1 / 2), strict=True):
            assert abs(ours / 100 - exact) < 1e-12
        assert score.brevity_penalty == 1
        printed = (0.8, 0.774596669, 0.736806300, 0.668740305)
        for ours, value in zip(score.scores, printed, strict=True):
            assert close(ours / 100, value, 9)
        assert score.score == score.scores[-1]

    @pytest.mark.parametrize("formula", ["sacrebleu", "mteval", "nltk", "nmt", "torch"])
    def test_every_convention_agrees_where_no_count_is_zero(self, formula: str) -> None:
        smoothing = "method0" if formula == "nltk" else "none"
        bleu = BLEU(formula=formula, smooth_method=smoothing)
        score = bleu.corpus_score([self.candidate], [self.reference])
        assert close(score.fraction, 0.668740305, 9)

    def test_weights_that_do_not_add_up_to_one(self) -> None:
        bleu = BLEU(smooth_method="none", weights=(1, 1 / 2, 1 / 3, 1 / 4))
        score = bleu.corpus_score([self.candidate], [self.reference])
        assert close(score.fraction, 0.508939353, 9)
        assert close(score.scores[-1] / 100, 0.668740305, 9)

    def test_single_orders_by_weight(self) -> None:
        sets = [(1.0,), (0.5, 0.5), (1 / 3,) * 3, (0.25,) * 4]
        score = BLEU(smooth_method="none", weights=sets).corpus_score(
            [self.candidate], [self.reference]
        )
        for ours, value in zip(
            score.weight_scores, (0.8, 0.774596669, 0.736806300, 0.668740305), strict=True
        ):
            assert close(ours / 100, value, 9)

    @pytest.mark.parametrize("candidate", [[], ["this"], ["this", "is"], ["x", "y", "z", "w"]])
    def test_short_or_unmatched_candidates_do_not_crash(self, candidate: list[str]) -> None:
        bleu = BLEU(smooth_method="none", effective_order=False)
        assert bleu.sentence_score(candidate, self.reference).score == 0
        assert bleu.corpus_score([candidate], [self.reference]).score == 0


class TestScorePackage:
    """B: corpus BLEU with several references, weights and N."""

    candidates: ClassVar = [
        "eating chicken chicken is a eating a eating chicken",
        "eating chicken chicken is not good",
    ]
    references_list: ClassVar = [
        ["a chicken is eating chicken", "there is a chicken eating chicken"]
    ] * 2

    def test_statistics(self) -> None:
        statistics = BLEU(tokenize="none").statistics(self.candidates, self.references_list)
        assert statistics["reference_length"].tolist() == [6, 6]
        totals = statistics.sum()
        assert (totals["hypothesis_length"], totals["reference_length"]) == (15, 12)
        assert [totals[f"matches_{n}"] for n in (1, 2, 3, 4)] == [9, 5, 0, 0]
        assert [totals[f"total_{n}"] for n in (1, 2, 3, 4)] == [15, 13, 11, 9]

    @pytest.mark.parametrize(
        ("smoothing", "value", "bleu_4"),
        [
            ("none", None, 0.0),
            ("floor", 0.1, 6.948414),
            ("add-k", 1, 21.515345),
            ("exp", None, 13.065113),
        ],
    )
    def test_scores(self, smoothing: str, value: float | None, bleu_4: float) -> None:
        bleu = BLEU(tokenize="none", smooth_method=smoothing, smooth_value=value)
        score = bleu.corpus_score(self.candidates, self.references_list)
        assert score.brevity_penalty == 1
        assert close(score.score, bleu_4, 6)
        assert close(score.scores[0], 60.0, 9)
        if smoothing != "add-k":
            assert close(score.scores[1], 48.038446, 6)
        if smoothing == "none":
            assert any("3, 4" in warning for warning in score.warnings)

    def test_free_weights_and_order(self) -> None:
        bleu = BLEU(tokenize="none", smooth_method="none", weights=(0.5, 0.5))
        score = bleu.corpus_score(self.candidates, self.references_list)
        assert close(score.score, 48.038446, 6)
        bleu = BLEU(tokenize="none", smooth_method="none", max_ngram_order=2)
        score = bleu.corpus_score(self.candidates, self.references_list)
        assert close(score.score, 48.038446, 6)


def test_image_and_video_description() -> None:
    """C: the values that nlg-eval publishes for its two segments with two references."""
    folder = require_real_data() / "nlg-eval"
    hypotheses = read_lines(folder / "hyp.txt")
    references = [
        list(group)
        for group in zip(
            read_lines(folder / "ref1.txt"), read_lines(folder / "ref2.txt"), strict=True
        )
    ]
    score = BLEU.preset("coco").corpus_score(hypotheses, references)
    for ours, value in zip(score.scores, (0.550000, 0.428174, 0.284043, 0.201143), strict=True):
        assert close(ours / 100, value, 6)


class TestTrainingLoop:
    """D: ids straight from a model."""

    hypothesis: ClassVar = [1, 2, 3, 4]
    reference: ClassVar = [1, 2, 4, 5]

    def test_only_one_bigram_is_shared(self) -> None:
        totals = BLEU.preset("transformer").statistics([self.hypothesis], [self.reference]).sum()
        assert [totals[f"matches_{n}"] for n in (1, 2, 3, 4)] == [3, 1, 0, 0]
        assert [totals[f"total_{n}"] for n in (1, 2, 3, 4)] == [4, 3, 2, 1]
        assert len(totals.fields) == 10

    def test_unsmoothed_score_is_zero(self) -> None:
        assert (
            BLEU.preset("transformer").corpus_score([self.hypothesis], [self.reference]).score == 0
        )
        score = BLEU(smooth_method="none").corpus_score([self.hypothesis], [self.reference])
        assert score.score == 0

    def test_what_the_write_up_asks_for(self) -> None:
        """Several references, free weights and smoothing, on ids."""
        references = [[self.reference, [1, 2, 3, 5]]]
        score = BLEU(smooth_method="none", weights=(0.5, 0.5)).corpus_score(
            [self.hypothesis], references
        )
        assert list(score.matches) == [4, 2]
        assert close(score.fraction, math.sqrt(1 * 2 / 3), 12)
        assert BLEU().corpus_score([self.hypothesis], [self.reference]).score > 0

    def test_padding_and_special_symbols(self) -> None:
        vocabulary = ["<pad>", "<sos>", "<eos>", "the", "cat", "sat", "down"]
        hypotheses = [[1, 3, 4, 5, 6, 2, 0, 0], [1, 3, 4, 2, 0, 0, 0, 0]]
        references = [[1, 3, 4, 5, 6, 2], [1, 3, 4, 5, 2]]
        words = [["the", "cat", "sat", "down"], ["the", "cat"]]
        reference_words = [["the", "cat", "sat", "down"], ["the", "cat", "sat"]]
        expected = BLEU.preset("transformer").corpus_score(words, reference_words)
        assert expected.score > 0
        by_id = BLEU.preset("transformer", ignore_ids={0, 1, 2})
        by_word = BLEU.preset(
            "transformer", ignore_ids=lambda word: "<" in word, vocabulary=vocabulary
        )
        for bleu in (by_id, by_word):
            score = bleu.corpus_score(hypotheses, references)
            assert score.score == expected.score
            assert score.matches == expected.matches


class TestNumPy:
    """E: n-gram precision with and without clipping, BLEU with a floor."""

    generated: ClassVar = ["the", "cat", "eats", "the", "cat", "food"]
    reference: ClassVar = ["the", "cat", "eats", "food"]

    def test_as_coded(self) -> None:
        score = BLEU.preset("numpy").sentence_score(self.generated, self.reference)
        assert list(score.matches) == [6, 3, 1, 0]
        for ours, exact in zip(score.precisions, (1.0, 0.6, 0.25, 0.0), strict=True):
            assert abs(ours / 100 - exact) < 1e-12
        assert close(score.fraction, 0.001967990, 9)

    def test_clipped(self) -> None:
        score = BLEU.preset("numpy", clip=True).sentence_score(self.generated, self.reference)
        assert list(score.matches) == [4, 2, 1, 0]
        assert list(score.totals) == [6, 5, 4, 3]
        for ours, exact in zip(score.precisions, (2 / 3, 2 / 5, 1 / 4, 0.0), strict=True):
            assert abs(ours / 100 - exact) < 1e-12
        assert close(score.fraction, 0.001606857, 9)
