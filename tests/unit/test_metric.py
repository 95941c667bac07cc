"""What every metric shares: statistics, scores, signatures, accumulators, prepared references."""

from __future__ import annotations

import io
import json
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import cocarde
from cocarde import (
    BLEU,
    CHRF,
    METEOR,
    ROUGE,
    TER,
    CocardeWarning,
    InputError,
    OptionError,
    Signature,
    Statistics,
)

H = ["the cat sat on the mat today", "a dog barks at night", "birds sing"]
R = ["the cat sat on a mat today", "the dog barks at night", "the birds sing"]


def test_compute_of_the_sum_is_the_corpus_score() -> None:
    bleu = BLEU()
    assert bleu.compute(bleu.statistics(H, R).sum()) == bleu.corpus_score(H, R)


def test_statistics_have_named_fields() -> None:
    m = BLEU(max_ngram_order=2).statistics(H, R)
    assert m.fields == (
        "hypothesis_length",
        "reference_length",
        "matches_1",
        "total_1",
        "matches_2",
        "total_2",
    )
    assert m["hypothesis_length"].tolist() == [7, 5, 2]
    assert m["total_2"].tolist() == [6, 4, 1]
    assert m.sum().to_dict() == {
        "hypothesis_length": 14,
        "reference_length": 15,
        "matches_1": 12,
        "total_1": 14,
        "matches_2": 8,
        "total_2": 11,
    }
    assert len(m) == 3 and np.asarray(m).shape == (3, 6)
    assert m[1:].values.tolist() == m.values[1:].tolist()
    with pytest.raises(KeyError, match="no field 'matches_9'; there are hypothesis_length"):
        m["matches_9"]


def test_statistics_add_up_in_any_order() -> None:
    bleu = BLEU()
    m = bleu.statistics(H, R)
    total = m[2:].sum() + m[:1].sum() + m[1:2].sum()
    assert total.values.tolist() == m.sum().values.tolist()
    joined = Statistics.concatenate([m[:1], m[1:]])
    assert joined.values.tolist() == m.values.tolist()
    with pytest.raises(InputError, match="cannot be added"):
        m + m.sum()
    with pytest.raises(InputError, match="different fields"):
        m + BLEU(max_ngram_order=2).statistics(H, R)


def test_group_sums_score_documents() -> None:
    bleu = BLEU()
    labels, groups = bleu.statistics(H, R).group_sum(["b", "a", "b"])
    assert labels == ["b", "a"]
    expected = [
        bleu.corpus_score([H[0], H[2]], [R[0], R[2]]).score,
        bleu.corpus_score([H[1]], [R[1]]).score,
    ]
    assert bleu.compute(groups).tolist() == pytest.approx(expected, rel=1e-14)
    with pytest.raises(InputError, match="2 labels"):
        bleu.statistics(H, R).group_sum(["a", "b"])


def test_compute_works_over_any_leading_axes() -> None:
    bleu = BLEU()
    values = bleu.statistics(H, R).values
    stacked = np.stack([values, values[::-1]])
    scores = bleu.compute(stacked)
    assert scores.shape == (2, 3)
    assert scores[0].tolist() == scores[1][::-1].tolist()
    assert [bleu.compute(row).score for row in values] == pytest.approx(
        scores[0].tolist(), rel=1e-14
    )


def test_compute_refuses_what_is_not_its_own() -> None:
    with pytest.raises(InputError, match=r"BLEU has 10 statistics .* shape \(3,\)"):
        BLEU().compute([1, 2, 3])
    with pytest.raises(InputError, match="not BLEU's statistics"):
        BLEU().compute(Statistics(tuple("abcdefghij"), np.zeros(10)))
    with pytest.raises(OptionError, match="level must be"):
        BLEU().compute(np.zeros(10), level="document")


def test_accumulators_merge_in_any_order() -> None:
    bleu = BLEU()
    parts = []
    for h, r in zip(H, R, strict=True):
        parts.append(bleu.accumulator())
        parts[-1].update([h], [r])
    total = bleu.accumulator()
    for part in reversed(parts):
        total.merge(pickle.loads(pickle.dumps(part)))
    assert total.count == 3
    assert total.compute() == bleu.corpus_score(H, R)
    total.reset()
    with pytest.raises(InputError, match="accumulator is empty"):
        total.compute()
    with pytest.raises(InputError, match="cannot merge"):
        total.merge(BLEU(lowercase=True).accumulator())
    with pytest.raises(InputError, match="not BLEU's statistics"):
        total.add(BLEU(max_ngram_order=2).statistics(H, R))


def test_accumulator_knows_varying_references() -> None:
    accumulator = BLEU().accumulator()
    accumulator.update([H[0]], [R[0]])
    accumulator.update([H[1]], [[R[1], R[2]]])
    assert accumulator.compute().signature.startswith("nrefs:var|")


def test_prepared_references_take_the_place_of_references() -> None:
    bleu = BLEU(lowercase=True)
    prepared = bleu.prepare(R)
    assert len(prepared) == 3
    assert bleu.corpus_score(H, prepared) == bleu.corpus_score(H, R)
    several = bleu.prepare([[a, b] for a, b in zip(R, H, strict=True)])
    assert bleu.corpus_score(H, several).score == pytest.approx(100)
    token = bleu.prepare([[1, 2, 3]], kind="tokens")
    assert bleu.corpus_score([[1, 2, 3]], token).matches == (3, 2, 1, 0)
    # Options that do not touch the tokens do not matter.
    assert BLEU(lowercase=True, max_ngram_order=2).corpus_score(H, prepared).score > 0
    with pytest.raises(InputError, match="another tokenization: lowercase True instead of False;"):
        BLEU().corpus_score(H, prepared)
    with pytest.raises(InputError, match="tokenizer '13a' instead of 'intl', lowercase True"):
        BLEU(tokenize="intl").corpus_score(H, prepared)
    with pytest.raises(InputError, match="prepared for 3 segments"):
        bleu.corpus_score(H[:2], prepared)
    with pytest.raises(InputError, match="prepared for text hypotheses"):
        bleu.corpus_score([[1], [2], [3]], prepared)
    with pytest.raises(OptionError, match="kind must be"):
        bleu.prepare(R, kind="words")
    with pytest.raises(InputError, match="no segments"):
        bleu.prepare([])


def test_pairwise_is_every_sentence_score() -> None:
    bleu = BLEU()
    scores = bleu.pairwise(H, R[:2])
    assert scores.shape == (3, 2)
    expected = [[bleu.sentence_score(h, r).score for r in R[:2]] for h in H]
    np.testing.assert_allclose(scores, expected, rtol=1e-13)
    with pytest.raises(InputError, match="references has no segments"):
        bleu.pairwise(H, [])


def test_pairwise_in_slabs_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = BLEU().pairwise(H, R)
    monkeypatch.setattr("cocarde.core.metric._PAIRWISE_VALUES", 1)
    assert BLEU().pairwise(H, R).tolist() == whole.tolist()


def test_scores_print_and_convert() -> None:
    score = BLEU().corpus_score(H, R)
    assert float(score) == score.score == 100 * score.fraction
    assert str(score).startswith("BLEU = ") and "hyp_len = 14 ref_len = 15" in str(score)
    assert score.format(width=4).split()[2] == f"{score.score:.4f}"
    assert json.loads(json.dumps(score.to_dict()))["brevity_penalty"] == score.brevity_penalty
    assert "<table>" in score._repr_html_()
    from rich.console import Console

    console = Console(record=True, width=100, file=io.StringIO())
    console.print(score)
    assert "brevity_penalty" in console.export_text()


def test_scores_compare_as_numbers_do() -> None:
    chrf = CHRF()
    low, high = (chrf.sentence_score(text, "the cat sat") for text in ("a cat sits", "the cat sat"))
    for other in (low, low.score, np.float64(low.score), 30, Fraction(30)):
        assert high > other and high >= other and not high < other and not high <= other
        assert other < high and other <= high and not other > high and not other >= high
    assert low <= low.score <= low and low >= low.score
    assert [low, high] == sorted([high, low]) and max(low, high) is high
    assert round(low, 2) == round(low.score, 2) and type(round(low)) is int
    for other in ("30", None, [30]):
        with pytest.raises(TypeError, match="not supported between"):
            low < other  # noqa: B015
    # Equality is of all attributes, and equal scores have one hash.
    assert low == chrf.sentence_score("a cat sits", "the cat sat") != high
    number: Any = low.score
    assert low != number and len({low, chrf.sentence_score("a cat sits", "the cat sat")}) == 1


def test_the_last_batch_may_be_one_segment() -> None:
    """NLTK's methods 5 to 7 read the last segment, of an accumulator too."""
    for method in ("method5", "method6", "method7"):
        metric = BLEU(formula="nltk", smooth_method=method)
        texts = ["a b c d e f x y z", "a b c d x", "a x c y e z"]
        references = ["a b c d e f g", "a b c d y", "a b c d e f"]
        accumulator, merged, last = metric.accumulator(), metric.accumulator(), metric.accumulator()
        accumulator.update(texts[:2], references[:2])
        accumulator.update(texts[2:], references[2:])
        merged.update(texts[:2], references[:2])
        last.update(texts[2:], references[2:])
        merged.merge(last)
        wanted = metric.corpus_score(texts, references)
        assert accumulator.compute() == merged.compute() == wanted
        turned = metric.corpus_score(texts[::-1], references[::-1])
        assert turned.score != wanted.score < 100
        # Which is said, and of one segment need not be.
        assert [method in message for message in wanted.warnings] == [True]
        assert "depends on the order of the segments" in wanted.warnings[0]
        assert not metric.corpus_score(texts[:1], references[:1]).warnings


def test_references_of_pairs_are_cut_as_references() -> None:
    """Tercom's normalisation treats them otherwise than hypotheses."""
    ter = TER(normalized=True)
    pairs = ter.pairwise(["the king's."], ["the king's.", "the king"])
    alone = [ter.segment_scores(["the king's."], [text])[0] for text in ("the king's.", "the king")]
    assert pairs.tolist() == [alone]


@pytest.mark.parametrize("formula", ["nltk", "coco", "numpy"])
def test_scores_that_stand_for_zero_are_no_zero(formula: str) -> None:
    score = BLEU.preset(formula).corpus_score(["v w x y z"], ["a b c d e"])
    if formula == "nltk":
        score = BLEU.preset(formula).sentence_score(
            "John loves Mary", "John loves Mary who loves Mike"
        )
    assert 0 < score.score < 1e-6
    assert score.warnings[0].startswith(f"the score is practically 0 ({score.score:.2g}) because ")


def test_zero_scores_say_why() -> None:
    plain = BLEU(smooth_method="none")
    score = plain.corpus_score(["a b c d"], ["a b c e"])
    assert score.score == 0
    assert "because no n-gram of order 4 matches; a smoothing method" in score.warnings[0]
    assert "no tokens" in BLEU().corpus_score([""], ["a"]).warnings[0]
    assert BLEU().corpus_score(H, R).warnings == ()
    (nothing,) = plain.corpus_score(["a b c d"], ["e f g h"]).warnings
    assert nothing == "the score is 0 because no n-gram of order 1, 2, 3, 4 matches"


@pytest.mark.parametrize("preset", ["multi-bleu", "nltk", "transformer", "torch", "nmt"])
def test_orders_that_a_text_cannot_have_are_not_called_unmatched(preset: str) -> None:
    metric = BLEU.preset(preset)
    (sentence,) = metric.sentence_score("a b", "a b").warnings
    assert "because the hypothesis is too short for n-grams of order 3, 4;" in sentence
    (sentence,) = metric.sentence_score("a b c", "a b d").warnings
    assert (
        "no n-gram of order 3 matches; the hypothesis is too short for any of order 4;" in sentence
    )
    if preset == "nltk":  # it counts an n-gram of each order a segment
        return
    (corpus,) = metric.corpus_score(["a b", "c"], ["a b", "c"]).warnings
    assert "because no hypothesis is long enough for n-grams of order 3, 4;" in corpus


@pytest.mark.parametrize(
    ("hypothesis", "reference", "suggested"),
    [
        ("今天天气很好", "天气今天好", "tokenize='zh'"),
        ("猫はマットの上に座った", "猫は上に座った", "tokenize='ja-mecab'"),
        ("แมวนั่งบนเสื่อ", "แมวนั่ง", "tokenize='char'"),
    ],
)
def test_a_zero_of_text_without_spaces_names_a_tokenizer(
    hypothesis: str, reference: str, suggested: str
) -> None:
    for name in ("13a", "intl", "none", "mteval-v13a"):
        metric = BLEU(tokenize=name)
        assert suggested in metric.sentence_score(hypothesis, reference).warnings[1]
        accumulator = metric.accumulator()
        for _ in range(2):
            accumulator.update([hypothesis] * 1500, [reference] * 1500)
        assert suggested in accumulator.compute().warnings[1]
    pytest.importorskip("MeCab")
    fitting = BLEU(tokenize=suggested[10:-1])
    assert len(fitting.sentence_score(hypothesis, reference).warnings) < 2
    # Tokens, texts that are cut already, other scripts: nothing to suggest.
    for texts in (
        ["今天 天气 很 好", "你 我 他 们"],
        ["кошка", "собака"],
        [["今天天气很好"], ["天气今天好"]],
    ):
        assert len(BLEU(tokenize="none").corpus_score(texts[:1], texts[1:]).warnings) == 1


def test_scores_above_100_are_pointed_out() -> None:
    """NLTK's methods 5 and 7 average precisions with one that is 1 too large."""
    text = "a b c d e f"
    for method in ("method5", "method7"):
        score = BLEU.preset("nltk", smooth_method=method).sentence_score(text, text)
        assert score.score > 100
        assert "above 100" in score.warnings[0]
        assert method in score.warnings[0]
    assert BLEU.preset("nltk", smooth_method="method6").sentence_score(text, text).warnings == ()


def test_signatures_of_tokens_say_what_was_done() -> None:
    metric = BLEU(tokenize="intl", lowercase=True, strip_right=False)
    texts, tokens = (["A b c d"], ["a b c d"]), ([["A", "b", "c", "d"]], [["a", "b", "c", "d"]])
    assert "case:lc|eff:no|tok:intl|" in metric.corpus_score(*texts).signature
    score = metric.corpus_score(*tokens)
    assert "case:mixed|eff:no|tok:none|" in score.signature
    assert "strip" not in score.signature
    assert "tok:intl" in metric.signature
    # The signature brings back a metric of the same score, of the tokens and of them as text.
    again = BLEU.from_signature(score.signature)
    assert again.corpus_score(*tokens) == score
    assert again.corpus_score(*texts).score == score.score
    assert "tok:none" in metric.corpus_score([[1, 2]], [[1, 2]]).signature
    assert "tok:none" in metric.compute(metric.statistics(*tokens).sum()).signature
    assert "tok:none" in cocarde.evaluate(*tokens, {"a": "bleu", "b": metric})["a"].signature
    accumulator = metric.accumulator()
    accumulator.update(*tokens)
    assert accumulator.compute().signature == score.signature
    assert cocarde.explain(metric, *tokens).signature == score.signature
    accumulator.update(*texts)  # a mixture: what the options say
    assert "tok:intl" in accumulator.compute().signature


def test_metrics_are_values() -> None:
    assert BLEU() == BLEU(tokenize="13a") and hash(BLEU()) == hash(BLEU(tokenize="13a"))
    assert BLEU() != BLEU(lowercase=True)
    metric = BLEU(weights=[0.5, 0.5], ignore_ids=[3, 1])
    assert pickle.loads(pickle.dumps(metric)) == metric
    assert metric.with_options(lowercase=True).lowercase
    with pytest.raises(AttributeError):
        metric.lowercase = True  # type: ignore[misc]


@pytest.mark.parametrize(
    ("name", "version"),
    [
        ("mteval-v13a", "v13a,v14"),  # one metric: both print the same numbers
        ("mteval-v14", "v13a,v14"),
        ("mteval-v13a-intl", "v13a"),
        ("mteval-v14-intl", "v14"),
    ],
)
def test_signatures_name_the_version_of_mteval(name: str, version: str) -> None:
    assert Signature.parse(BLEU.preset(name).signature)["version"] == version


@pytest.mark.parametrize("name", list(BLEU.presets()))
def test_signatures_can_be_read_back(name: str) -> None:
    metric = BLEU.preset(name)
    assert BLEU.from_signature(metric.signature) == metric
    assert BLEU.from_signature("BLEU|" + metric.signature) == metric


@pytest.mark.parametrize(
    "options",
    [
        {"lowercase": True, "tokenize": "intl"},
        {"smooth_method": "floor", "smooth_value": 0.123456},
        {"smooth_method": "add-k", "smooth_value": 2},
        {"weights": [0.1, 0.9]},
        {"weights": [[1.0], [0.5, 0.5], [1 / 3, 1 / 3, 1 / 3]]},
        {"max_ngram_order": 7, "effective_order": True},
        {"reference_length": "average", "clip": False, "strip_right": False},
        {"formula": "nltk", "auto_reweigh": True},
        {"ignore_ids": [2, 0, 1]},
    ],
)
def test_every_option_that_can_change_the_score_is_in_the_signature(
    options: dict[str, object],
) -> None:
    metric = BLEU(**options)  # type: ignore[arg-type]
    assert metric.signature != BLEU().signature
    assert BLEU.from_signature(metric.signature) == metric


def test_sacrebleu_signatures_are_read() -> None:
    text = (
        "BLEU|nrefs:var|bs:1000|seed:12345|case:lc|eff:yes|tok:zh|smooth:floor[0.10]|version:2.6.0"
    )
    metric = BLEU.from_signature(text)
    assert metric == BLEU(
        lowercase=True, effective_order=True, tokenize="zh", smooth_method="floor", smooth_value=0.1
    )


INTERNATIONAL = BLEU(lowercase=True, smooth_method="none", tokenize="intl")


@pytest.mark.parametrize(
    ("text", "metric"),
    [
        ("BLEU+case.mixed+lang.en-de+numrefs.1+smooth.exp+tok.13a+version.1.4.14", BLEU()),
        (
            "BLEU+case.lc+numrefs.2+origlang.fi+smooth.floor[0.20]+tok.ja-mecab-0.996-IPA+version.1.5.1",
            BLEU(lowercase=True, smooth_method="floor", smooth_value=0.2, tokenize="ja-mecab"),
        ),
        ("BLEU+c.lc+#.1+l.de-en+s.none+t.wmt18+tok.intl+S.x+v.1.5.1", INTERNATIONAL),
        ("case.mixed+numrefs.1+smooth.exp+tok.zh+version.1.4.3", BLEU(tokenize="zh")),
        ("chrF2+lang.en-de+numchars.6+space.false+test.wmt17+version.1.4.14", CHRF()),
        ("chrF3+n.4+s.true+v.1.5.1", CHRF(beta=3, char_order=4, whitespace=True)),
        ("TER+tok.tercom-nonorm-punct-noasian-uncased+version.1.4.14", TER()),
        (
            "TER+lang.ja-en+tok.tercom-norm-nopunct-asian-cased+version.1.5.1",
            TER(normalized=True, no_punct=True, asian_support=True, case_sensitive=True),
        ),
    ],
)  # fmt: skip
def test_signatures_of_sacrebleu_1_are_read(text: str, metric: Any) -> None:
    assert type(metric).from_signature(text) == metric
    assert Signature.parse(text)["version"].startswith("1.")
    with pytest.raises(OptionError, match="unknown key 'nonsense'"):
        type(metric).from_signature(f"{text}+nonsense.1")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nonsense:1", "unknown key 'nonsense'"),
        ("case:upper", "cannot read case:upper .*: lc or mixed"),
        ("eff:maybe", "cannot read eff:maybe .*: yes or no"),
        ("smooth:floor[x]", r"cannot read smooth:floor\[x\]"),
        ("order:four", "cannot read order:four .*: a whole number"),
        ("weights:1,x", "cannot read weights:1,x"),
        ("ignore:a", "cannot read ignore:a .*: ids with commas"),
        ("case:lc|case:lc", "stands twice"),
        ("case:lc|eff", "key:value pairs"),
        ("", "key:value pairs"),
    ],
)
def test_unreadable_signatures_are_errors(text: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        BLEU.from_signature(text)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tokenize": "13b"}, "13a"),
        ({"formula": "sacre"}, "formula must be one of .*; found 'sacre'"),
        ({"smooth_method": "method1"}, "not one of the formula 'sacrebleu'"),
        ({"smooth_method": "exp", "smooth_value": 1}, "takes no smooth_value"),
        ({"smooth_method": "floor", "smooth_value": -1}, "at least 0"),
        ({"smooth_method": "floor", "smooth_value": float("nan")}, "at least 0"),
        ({"smooth_method": "floor", "smooth_value": "1"}, "at least 0"),
        ({"max_ngram_order": 0}, "from 1 to"),
        ({"max_ngram_order": 2.0}, "from 1 to"),
        ({"weights": []}, "weights is empty"),
        ({"weights": [1, -1]}, "at least 0"),
        ({"weights": [0.5, [1]]}, "mixes numbers"),
        ({"weights": [0.5, 0.5], "max_ngram_order": 4}, "2 weights but max_ngram_order is 4"),
        ({"reference_length": "nearest"}, "reference_length must be one of"),
        ({"lowercase": 1}, "lowercase must be True or False"),
        ({"effective_order": "yes"}, "effective_order must be True or False"),
        ({"formula": "nmt", "effective_order": True}, "effective_order belongs to"),
        ({"auto_reweigh": True}, "auto_reweigh belongs to"),
        ({"ignore_ids": ["a"]}, "ignore_ids holds 'a'"),
        ({"ignore_ids": str.isupper}, "needs vocabulary="),
        ({"vocabulary": {"the": 1, "a": 0}}, "in the order of their ids, found a dict"),
        ({"vocabulary": [1, 2]}, r"vocabulary\[0\] is 1, not a str"),
        ({"weights": {1: 2}}, "weights is one number for each n-gram order"),
        ({"weights": 0.25}, "weights is one number for each n-gram order"),
        ({"max_ngram_order": 2**63}, "to 1000"),
        ({"formula": "nltk", "smooth_method": "method6", "max_ngram_order": 2}, "order 3 or more"),
    ],
)
def test_options_are_checked_when_a_metric_is_made(
    options: dict[str, object], message: str
) -> None:
    with pytest.raises(OptionError, match=message):
        BLEU(**options)  # type: ignore[arg-type]


def test_unknown_presets_and_metrics_are_errors() -> None:
    with pytest.raises(OptionError, match="no BLEU preset 'moses'; there are sacrebleu"):
        BLEU.preset("moses")
    with pytest.raises(OptionError, match="no metric 'blue'"):
        cocarde.evaluate(H, R, metrics=["blue"])
    with pytest.raises(OptionError, match="stands twice"):
        cocarde.evaluate(H, R, metrics=["bleu", "bleu"])
    with pytest.raises(OptionError, match="name at least one"):
        cocarde.evaluate(H, R, metrics=[])
    with pytest.raises(OptionError, match="a metric is a name or a Metric"):
        cocarde.evaluate(H, R, metrics=[7])  # type: ignore[list-item]


def test_evaluate_is_each_metric_alone() -> None:
    metrics = {"default": BLEU(), "lower": "bleu:mteval-v13a", "two": BLEU(max_ngram_order=2)}
    result = cocarde.evaluate(H, R, metrics=metrics)
    assert list(result) == ["default", "lower", "two"]
    assert result["default"] == BLEU().corpus_score(H, R)
    assert result["lower"] == BLEU.preset("mteval-v13a").corpus_score(H, R)
    assert result["two"] == BLEU(max_ngram_order=2).corpus_score(H, R)
    assert result.statistics["two"].values.shape == (3, 6)
    assert "BLEU" in str(result) and "<table>" in result._repr_html_()


def test_tokenized_text_is_warned_of_once() -> None:
    hypotheses = ["a b ."] * 100
    with pytest.warns(CocardeWarning, match="100 hypotheses end in a tokenized period") as caught:
        BLEU().corpus_score(hypotheses, hypotheses)
    assert len(caught) == 1
    assert caught[0].filename == __file__


@pytest.mark.filterwarnings("error")
def test_no_warning_where_there_is_nothing_to_say() -> None:
    hypotheses = ["a b ."] * 100
    BLEU(force=True).corpus_score(hypotheses, hypotheses)
    BLEU(tokenize="none").corpus_score(hypotheses, hypotheses)
    BLEU().corpus_score(hypotheses[:99], hypotheses[:99])
    BLEU().corpus_score(["", "a"], ["b", "a"])


def test_empty_references_are_counted() -> None:
    with pytest.warns(CocardeWarning, match="the reference of 1 of 2 segments is empty"):
        score = BLEU().corpus_score(["a", "b c d e"], ["", "b c d e"])
    assert score.reference_length == 4


def test_threads_share_a_metric() -> None:
    bleu = BLEU()
    expected = bleu.corpus_score(H * 50, R * 50)
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda _: bleu.corpus_score(H * 50, R * 50), range(64)))
    assert all(result == expected for result in results)


def test_public_names_can_all_be_imported() -> None:
    for name in cocarde.__all__:
        assert getattr(cocarde, name) is not None
    assert set(cocarde.__all__) <= set(dir(cocarde))
    with pytest.raises(AttributeError, match="no attribute 'blue'"):
        cocarde.blue  # noqa: B018


def test_modules_are_reachable_and_nothing_else_is_public() -> None:
    code = (
        "import cocarde; print(cocarde.errors.InputError.__name__, cocarde.tokenizers.names()[0]);"
        "print(*[name for name in dir(cocarde) if not name.startswith('_')], hasattr(cocarde, 'Any'))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    first, second = done.stdout.splitlines()
    assert first.startswith("InputError ")
    *public, any_is_there = second.split()
    modules = {"corpus", "errors", "metrics", "significance", "testing", "tokenizers", "tuning"}
    assert set(public) == {*cocarde.__all__, *modules} - {"__version__"}
    assert any_is_there == "False"


def test_signature_values() -> None:
    signature = Signature.parse("a:1|b:x:y")
    assert signature["b"] == "x:y" and "a" in signature and "c" not in signature
    assert signature.to_dict() == {"a": "1", "b": "x:y"}


@pytest.mark.parametrize("metric", [BLEU(), CHRF(), TER(), ROUGE(), METEOR()], ids=lambda m: m.name)
def test_pairwise_takes_single_references_of_the_kind_of_the_hypotheses(metric: Any) -> None:
    """A list beside texts would be taken for tokens, and nothing would match."""
    with pytest.raises(InputError, match="hypotheses are texts but references are sequences of"):
        metric.pairwise(["the cat sat"], [["the cat sat", "the cat"]])
    with pytest.raises(InputError, match="hypotheses are sequences of tokens but references are t"):
        metric.pairwise([["the", "cat"]], ["the cat"])
