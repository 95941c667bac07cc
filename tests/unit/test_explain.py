"""`cocarde.explain` and `cocarde.ngram_counts`."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import time
from dataclasses import FrozenInstanceError, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cocarde
from cocarde import BLEU, CocardeError, InputError, OptionError, References
from cocarde.core import explanation as explanation_base
from cocarde.core.documents import number, shown_token
from cocarde.metrics.bleu.derivation import derive
from cocarde.metrics.bleu.explanation import BLEUExplanation

PRESETS = sorted(BLEU.presets())
SMOOTHINGS: list[tuple[str, dict[str, Any]]] = [
    ("sacrebleu", {}),
    ("sacrebleu", {"smooth_method": "floor"}),
    ("sacrebleu", {"smooth_method": "floor", "smooth_value": 0.0}),
    ("sacrebleu", {"smooth_method": "add-k"}),
    ("sacrebleu", {"smooth_method": "add-k", "smooth_value": 0.0}),
    ("sacrebleu", {"smooth_method": "none"}),
    ("sacrebleu", {"effective_order": True}),
    ("sacrebleu", {"effective_order": True, "smooth_method": "add-k"}),
    ("sacrebleu", {"effective_order": False, "max_ngram_order": 7}),
    ("sacrebleu", {"max_ngram_order": 1}),
    ("sacrebleu", {"weights": [1, 1 / 2, 1 / 3, 1 / 4]}),
    ("sacrebleu", {"weights": [(1,), (0.5, 0.5), (0.1, 0, 0.9)]}),
    *(
        ("sacrebleu", {"reference_length": rule, "tokenize": "none"})
        for rule in ("closest", "closest-first", "shortest", "longest", "average")
    ),
    ("mteval-v13a", {"smooth_method": "none"}),
    *(("nltk", {"smooth_method": f"method{n}"}) for n in range(8)),
    *(("nltk", {"smooth_method": f"method{n}", "max_ngram_order": 2}) for n in (4, 5, 7)),
    ("nltk", {"smooth_method": "method7", "max_ngram_order": 6}),
    ("nltk", {"smooth_method": "method4", "smooth_value": 0.5}),
    ("nltk", {"auto_reweigh": True, "smooth_method": "method1"}),
    ("nmt", {"smooth_method": "add-one"}),
    ("torch", {"smooth_method": "add-one"}),
    ("numpy", {"smooth_value": 0.0}),
    ("numpy", {"clip": True}),
]
METRICS: list[tuple[str, dict[str, Any]]] = [(name, {}) for name in PRESETS] + SMOOTHINGS

EATING = [
    "eating chicken chicken is a eating a eating chicken",
    "eating chicken chicken is not good",
]
EATING_REFERENCES = [["a chicken is eating chicken", "there is a chicken eating chicken"]] * 2


def plain_bleu(**options: Any) -> BLEU:
    return BLEU(tokenize="none", **options)


def cells(text: str) -> list[list[str]]:
    """The cells of every line, which stand two spaces or more apart."""
    return [re.split(r" {2,}", line.strip()) for line in text.splitlines()]


# --------------------------------------------------------------------------------------------------
# The name


@pytest.mark.parametrize(
    "imports",
    [
        "import cocarde",
        "import cocarde, cocarde.core.explanation",
        "import cocarde.metrics.bleu.explanation, cocarde",
        "from cocarde.core.ngrams import ngram_counts; import cocarde; cocarde.ngram_counts",
        "import cocarde; cocarde.explain; import cocarde.core.ngrams",
    ],
)
def test_explain_is_callable_whatever_was_imported(imports: str) -> None:
    code = f"{imports}\nprint(round(cocarde.explain('bleu', 'a b c d', 'a b c d').score))"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert result.stdout == "100\n"


# --------------------------------------------------------------------------------------------------
# The worked examples of the write-ups


def test_write_up_a() -> None:
    text = cocarde.explain(plain_bleu(), "this is a test too", "this is a test").to_text()
    for fraction, decimal in [("4/5", 0.8), ("3/4", 0.75), ("2/3", 2 / 3), ("1/2", 0.5)]:
        assert [fraction, f"{decimal:.6f}"] in [line[1:] for line in cells(text)]
    assert "BP = 1\n" in text
    for line in (
        ["BLEU-1", "80.000000"],
        ["BLEU-2", "77.459667"],
        ["BLEU-3", "73.680630"],
        ["BLEU-4", "66.874030"],
    ):
        assert line in cells(text)
    assert "order 2: 0.25 · ln 0.750000 = 0.25 · −0.287682 = −0.071921" in text


def test_write_up_a_with_its_own_weights() -> None:
    bleu = plain_bleu(weights=(1, 1 / 2, 1 / 3, 1 / 4))
    explanation = cocarde.explain(bleu, "this is a test too", "this is a test")
    assert "= 50.893935" in explanation.to_text()
    assert "order 3: 0.333333 · ln 0.666667" in explanation.to_text()


def test_write_up_b_corpus() -> None:
    explanation = cocarde.explain(plain_bleu(smooth_method="none"), EATING, EATING_REFERENCES)
    text = explanation.to_text()
    assert ["sum of all", "15", "12", "9/15", "5/13", "0/11", "0/9"] in cells(text)
    assert ["1", "9/15", "0.600000"] in cells(text)
    assert ["2", "5/13", "0.384615"] in cells(text)
    assert ["BLEU-1", "60.000000"] in cells(text)
    assert ["BLEU-2", "48.038446"] in cells(text)
    assert "c ≥ r (c = 15, r = 12)" in text
    assert "sum = −∞" in text
    assert explanation.score == 0
    assert any("no n-gram of order 3, 4 matches" in warning for warning in explanation.warnings)
    assert ["eating", "4", "2", "2", "2", "2"] in cells(text)


@pytest.mark.parametrize(
    ("smoothing", "score"),
    [("exp", "13.065113"), ("floor", "6.948414"), ("add-k", "21.515345")],
)
def test_write_up_b_smoothed(smoothing: str, score: str) -> None:
    text = cocarde.explain(plain_bleu(smooth_method=smoothing), EATING, EATING_REFERENCES).to_text()
    assert text.startswith(f"BLEU = {score} ")
    assert f"= {score}\n" in text


def test_write_up_b_segment() -> None:
    explanation = cocarde.explain(plain_bleu(), EATING, EATING_REFERENCES, segment=0)
    text = explanation.to_text()
    assert ["eating", "3", "1", "1", "1", "1"] in cells(text)
    assert ["chicken", "3", "2", "2", "2", "2"] in cells(text)
    assert ["is", "1", "1", "1", "1", "1"] in cells(text)
    assert ["a", "2", "1", "1", "1", "1"] in cells(text)
    assert "reference 2: 6 tokens, 3 away from c" in text
    assert "r = 6, the closest to c" in text
    assert explanation.segment == 0
    assert explanation.score == plain_bleu().sentence_score(EATING[0], EATING_REFERENCES[0]).score


def test_write_up_b_counts() -> None:
    table = cocarde.ngram_counts(EATING, max_ngram_order=2)
    assert list(table.counts[0][0].items()) == [
        (("eating",), 3),
        (("chicken",), 3),
        (("a",), 2),
        (("is",), 1),
    ]
    assert table.counts[1][1] == {
        ("eating", "chicken"): 1,
        ("chicken", "chicken"): 1,
        ("chicken", "is"): 1,
        ("is", "not"): 1,
        ("not", "good"): 1,
    }
    assert ["eating", "3"] in cells(table.to_text())
    assert json.loads(table.to_json())["segments"][0]["orders"][0] == {
        "order": 1,
        "total": 9,
        "ngrams": [
            {"ngram": ["eating"], "count": 3},
            {"ngram": ["chicken"], "count": 3},
            {"ngram": ["a"], "count": 2},
            {"ngram": ["is"], "count": 1},
        ],
    }


def test_write_up_d() -> None:
    bleu = BLEU.preset("transformer")
    explanation = cocarde.explain(bleu, [1, 2, 3, 4], [1, 2, 4, 5])
    assert [table.matches for table in explanation.orders] == [3, 1, 0, 0]  # type: ignore[attr-defined]
    text = explanation.to_text()
    for order, fraction in enumerate(("3/4", "1/3", "0/2", "0/1"), 1):
        assert [str(order), fraction] in [line[:2] for line in cells(text)]
    assert ["1 2", "1", "1", "1"] in cells(text)
    assert "BLEU = 0, since no n-gram of order 3, 4 matches: a rule of this convention" in text


def test_write_up_e() -> None:
    generated, reference = "the cat eats the cat food", "the cat eats food"
    text = cocarde.explain(BLEU.preset("numpy"), generated, reference).to_text()
    assert "matched (not clipped)" in text
    for order, fraction in enumerate(("6/6", "3/5", "1/4", "0/3"), 1):
        assert [str(order), fraction] in [line[:2] for line in cells(text)]
    assert cocarde.explain(BLEU.preset("numpy"), generated, reference).score == pytest.approx(
        0.1967990, abs=1e-6
    )
    clipped = cocarde.explain(BLEU.preset("numpy", clip=True), generated, reference)
    assert clipped.score == pytest.approx(0.1606857, abs=1e-6)
    for order, fraction in enumerate(("4/6", "2/5", "1/4", "0/3"), 1):
        assert [str(order), fraction] in [line[:2] for line in cells(clipped.to_text())]


# --------------------------------------------------------------------------------------------------
# Equality with the metric

WORDS = st.sampled_from(["a", "b", "c", "A", "the", "cat", "猫", ".", "&quot;", "x-1", "long" * 4])
TEXTS = st.lists(WORDS, max_size=12).map(" ".join)
CORPORA = st.lists(
    st.tuples(TEXTS, st.lists(TEXTS, min_size=1, max_size=3)), min_size=1, max_size=4
)


def metric_of(name: str, options: dict[str, Any]) -> Any:
    return BLEU.preset(name, **options)


def scored(call: Any) -> Any:
    """The result, or the refusal where a convention has no score (NLTK's method 6)."""
    try:
        return call()
    except InputError as error:
        return str(error)


@pytest.mark.filterwarnings("ignore::cocarde.CocardeWarning")
@pytest.mark.parametrize(("name", "options"), METRICS)
@settings(max_examples=12, deadline=None)
@given(corpus=CORPORA)
def test_equals_the_metric(name: str, options: dict[str, Any], corpus: Any) -> None:
    metric = metric_of(name, options)
    hypotheses = [hypothesis for hypothesis, _ in corpus]
    references = [texts for _, texts in corpus]
    expected = scored(lambda: metric.corpus_score(hypotheses, references))
    explanation = scored(lambda: cocarde.explain(metric, hypotheses, references))
    if isinstance(expected, str):
        assert explanation == expected
    else:
        check_equal(explanation, expected)
        rows = metric.statistics(hypotheses, references)
        assert [row.matches[0] for row in explanation.segments] == rows["matches_1"].tolist()
        assert [row.reference_length for row in explanation.segments] == (
            rows["reference_length"].tolist()
        )
    for index in range(len(corpus)):
        single = scored(lambda i=index: metric.sentence_score(hypotheses[i], references[i]))
        of_corpus = scored(
            lambda i=index: cocarde.explain(metric, hypotheses, references, segment=i)
        )
        alone = scored(lambda i=index: cocarde.explain(metric, hypotheses[i], references[i]))
        if isinstance(single, str):
            assert of_corpus == alone == single
            continue
        check_equal(of_corpus, single)
        assert replace(of_corpus, segment=None) == alone


def check_equal(explanation: BLEUExplanation, expected: Any) -> None:
    assert explanation.score == expected.score
    assert explanation.signature == expected.signature
    derived = explanation.derivations
    assert derived[0].score == pytest.approx(expected.score, rel=1e-9, abs=1e-9)
    assert [d.score for d in derived] == pytest.approx(
        list(expected.weight_scores), rel=1e-9, abs=1e-9
    )
    order = len(expected.matches)
    assert [table.matches for table in explanation.orders[:order]] == list(expected.matches)
    assert [table.total for table in explanation.orders[:order]] == list(expected.totals)
    for table in explanation.orders:
        if explanation.level == "segment":
            assert sum(row.clipped for row in table.rows) == table.matches
    data = explanation.to_dict()
    assert json.loads(explanation.to_json()) == data
    for rendering in (explanation.to_text(), explanation.to_markdown(), explanation._repr_html_()):
        assert f"{expected.score:.6f}" in rendering


@settings(max_examples=30, deadline=None)
@given(
    hypothesis=st.lists(st.sampled_from("abc"), max_size=10),
    references=st.lists(st.lists(st.sampled_from("abc"), max_size=10), min_size=1, max_size=3),
    clip=st.booleans(),
)
def test_rows_against_the_definition(
    hypothesis: list[str], references: list[list[str]], clip: bool
) -> None:
    bleu = plain_bleu(clip=clip)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cocarde.core.metric.warn", lambda *_, **__: None)
        explanation = cocarde.explain(bleu, [hypothesis], [references], segment=0)

    def occurrences(tokens: list[str], ngram: tuple[Any, ...]) -> int:
        return sum(
            tuple(tokens[start : start + len(ngram)]) == ngram for start in range(len(tokens))
        )

    for table in explanation.orders:  # type: ignore[attr-defined]
        starts = range(len(hypothesis) - table.order + 1)
        ngrams = [tuple(hypothesis[start : start + table.order]) for start in starts]
        assert {row.ngram for row in table.rows} == set(ngrams)
        assert [row.hypothesis for row in table.rows] == sorted(
            (row.hypothesis for row in table.rows), reverse=True
        )
        for before, after in zip(table.rows, table.rows[1:], strict=False):
            if before.hypothesis == after.hypothesis:
                assert ngrams.index(before.ngram) < ngrams.index(after.ngram)
        for row in table.rows:
            assert row.hypothesis == occurrences(hypothesis, row.ngram)
            assert row.references == tuple(occurrences(r, row.ngram) for r in references)
            assert row.maximum_reference == max(row.references)
            limit = row.maximum_reference if clip else row.hypothesis * (max(row.references) > 0)
            assert row.clipped == min(row.hypothesis, limit)


def test_a_disagreement_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(*arguments: Any, **keywords: Any) -> Any:
        derivation = derive(*arguments, **keywords)
        return replace(derivation, score=derivation.score + 1e-6)

    monkeypatch.setattr("cocarde.metrics.bleu.explanation.derive", wrong)
    with pytest.raises(CocardeError, match=r"derives .* for the score but the metric gives"):
        cocarde.explain("bleu", "a b c d e", "a b c d f")


@pytest.mark.parametrize("segment", [None, 1])
def test_a_wrong_count_is_refused(monkeypatch: pytest.MonkeyPatch, segment: int | None) -> None:
    monkeypatch.setattr(
        "cocarde.metrics.bleu.explanation._clipped", lambda count, maximum, clip: count
    )
    with pytest.raises(CocardeError, match=r"for matches_1 of segment 1 but the metric gives"):
        cocarde.explain("bleu", ["a b", "a a"], ["a b", "a d"], segment=segment)


# --------------------------------------------------------------------------------------------------
# Shapes of input


def test_tokens_ids_and_texts_agree() -> None:
    text = cocarde.explain(plain_bleu(), "a b c a", ["a b a", "c"])
    tokens = cocarde.explain(plain_bleu(), [list("abca")], [[list("aba"), ["c"]]], segment=0)
    assert replace(tokens, segment=None) == text
    ids = cocarde.explain(plain_bleu(), [1, 2, 3, 1], [[1, 2, 1], [3]])
    array = cocarde.explain(plain_bleu(), np.array([1, 2, 3, 1]), [[1, 2, 1], [3]])
    ragged = (np.array([9, 1, 2, 3, 1]), np.array([0, 1, 5]))
    in_batch = cocarde.explain(plain_bleu(), ragged, [[9], [[1, 2, 1], [3]]], segment=1)
    assert ids == array == replace(in_batch, segment=None)
    assert ids.score == text.score
    assert ids.hypothesis == (1, 2, 3, 1)  # type: ignore[attr-defined]


def test_ids_show_the_words_of_the_vocabulary() -> None:
    bleu = plain_bleu(vocabulary=["<pad>", "the", "cat"], ignore_ids=[0])
    explanation = cocarde.explain(bleu, [[1, 2, 0, 0]], [[1, 2, 2]], segment=0)
    assert explanation.hypothesis == ("the", "cat")  # type: ignore[attr-defined]
    assert ["the cat", "1", "1", "1"] in cells(explanation.to_text())
    assert "1 id (ignore_ids)" in explanation.to_text()


@pytest.mark.parametrize("segment", [None, 0, 1])
def test_prepared_references(segment: int | None) -> None:
    bleu = BLEU()
    hypotheses, references = ["A cat.", "a dog sat"], [["A cat!"], ["a dog", "the dog sat"]]
    prepared = bleu.prepare(references)
    assert cocarde.explain(bleu, hypotheses, prepared, segment=segment) == cocarde.explain(
        bleu, hypotheses, references, segment=segment
    )


@pytest.mark.parametrize("segment", [None, 0, 1])
@pytest.mark.parametrize("streams", [1, 2])
def test_lines_of_files(segment: int | None, streams: int) -> None:
    from cocarde.corpus import LineBatch

    columns = [["a b", "c d e"], ["a b", "c d"], ["a", "x d e"]][: streams + 1]
    system, *others = (LineBatch("\n".join(lines).encode()) for lines in columns)
    reference_lines: Any = others[0] if streams == 1 else References.from_streams(*others)
    expected = [list(texts) for texts in zip(*columns[1:], strict=True)]
    assert cocarde.explain("bleu", system, reference_lines, segment=segment) == cocarde.explain(
        "bleu", columns[0], expected, segment=segment
    )


def test_generators_and_streams_and_holes() -> None:
    explanation = cocarde.explain(
        "bleu", (text for text in ["a b", "c d"]), iter([["a b", None], [None, "c e"]])
    )
    streams = References.from_streams(["a b", None], [None, "c e"])
    assert explanation == cocarde.explain("bleu", ["a b", "c d"], streams)
    assert [row.reference_lengths for row in explanation.segments] == [(2,), (2,)]
    with pytest.raises(InputError, match="segment 1 has no reference at all"):
        cocarde.explain("bleu", ["a b", "c d"], [["a b"], [None]])


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((["a"], ["a"], {"segment": 1}), InputError, "no segment 1: the 1 hypotheses"),
        ((["a"], ["a"], {"segment": -1}), InputError, "no segment -1"),
        ((["a"], ["a"], {"segment": True}), OptionError, "segment must be the index"),
        ((["a"], ["a"], {"segment": "0"}), OptionError, "segment must be the index"),
        (("a", "a", {"segment": 3}), InputError, "hypotheses is a single segment"),
        ((["a"], ["a"], {"top": 0}), OptionError, "top must be a whole number"),
        ((["a", "b"], ["a"], {}), InputError, "2 hypotheses but 1 entries"),
        ((["a", "b"], ["a"], {"segment": 0}), InputError, "2 hypotheses but 1 entries"),
        (([], [], {}), InputError, "no segments"),
        (([], [], {"segment": 0}), InputError, "no segment"),
    ],
)
def test_refusals(arguments: Any, error: type[Exception], message: str) -> None:
    hypotheses, references, options = arguments
    with pytest.raises(error, match=message):
        cocarde.explain("bleu", hypotheses, references, **options)


def test_metrics_without_an_explanation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explanation_base, "explainers", {})
    with pytest.raises(OptionError, match="BLEU has no explanation yet"):
        cocarde.explain("bleu", "a", "a")
    with pytest.raises(OptionError, match="there is no metric"):
        cocarde.explain("blue", "a", "a")


def test_ngram_counts_refusals() -> None:
    with pytest.raises(OptionError, match="max_ngram_order must be"):
        cocarde.ngram_counts("a", max_ngram_order=0)
    with pytest.raises(OptionError, match="max_ngram_order must be"):
        cocarde.ngram_counts("a", max_ngram_order=True)
    with pytest.raises(OptionError, match="lowercase must be"):
        cocarde.ngram_counts("a", lowercase="yes")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="segments"):
        cocarde.ngram_counts(3)


def test_ngram_counts_of_ids_chinese_and_nothing() -> None:
    assert cocarde.ngram_counts([1, 2, 1], 2).counts[0][1] == {(1, 2): 1, (2, 1): 1}
    assert cocarde.ngram_counts("猫 坐 猫", 1).counts == (({("猫",): 2, ("坐",): 1},),)
    assert cocarde.ngram_counts("The the", 1, lowercase=True).counts == (({("the",): 2},),)
    empty = cocarde.ngram_counts(["", "a"], 2)
    assert empty.counts == (({}, {}), ({("a",): 1}, {}))
    assert "No n-gram of order 1 or more." in empty.to_text()
    assert "1 more, not shown" in cocarde.ngram_counts("a b", 1).to_text(max_rows=1)


# --------------------------------------------------------------------------------------------------
# Ugly input


UGLY = [
    "",
    " ",
    "\ud800 lone \udfff",
    "nul\x00byte a",
    "\ufeffbom a",
    "line\u2028separator a\r\nb",
    "tab\tand\x85next",
    "עברית وعربي 混合 text 🎉👩‍👩‍👧",
    "a\u0301 e\u0301",
    "<b>&amp;|*_`~ \\",
    "word " * 3000,
]


@pytest.mark.filterwarnings("ignore::cocarde.CocardeWarning")
@pytest.mark.parametrize("name", ["sacrebleu", "nltk", "coco", "mteval-v13a", "multi-bleu"])
def test_ugly_input(name: str) -> None:
    from rich.console import Console

    bleu = BLEU.preset(name)
    for hypothesis in UGLY:
        for reference in (hypothesis, "a", ""):
            explanation = cocarde.explain(bleu, hypothesis, [reference])
            assert explanation.score == bleu.sentence_score(hypothesis, [reference]).score
            for rendering in (
                explanation.to_text(),
                explanation.to_markdown(),
                explanation._repr_html_(),
                explanation.to_json(),
            ):
                rendering.encode("utf-8")
                assert "\x00" not in rendering
            # Nothing that a text holds can break a line of the page.
            assert "\u2028" not in explanation.to_text()
            Console(file=io.StringIO(), width=100).print(explanation)
    corpus = cocarde.explain(bleu, UGLY, UGLY)
    assert corpus.score == bleu.corpus_score(UGLY, UGLY).score
    corpus.to_text().encode("utf-8")


def test_an_empty_reference_is_warned_of_once() -> None:
    with pytest.warns(cocarde.CocardeWarning, match="reference of 1 of 2 segments") as caught:
        cocarde.explain("bleu", ["a", "b"], ["", "b"])
    assert len(caught) == 1
    assert caught[0].filename == __file__


def test_tokens_of_markup_and_white_space_are_shown_as_text() -> None:
    explanation = cocarde.explain(plain_bleu(), [["<b>", "a b", ""]], [["<b>"]], segment=0)
    assert "<b>" in explanation.to_text()
    assert r"a\x20b" in explanation.to_text()
    assert "<b>" not in explanation._repr_html_()
    assert "<b>" not in explanation.to_markdown()
    assert explanation.hypothesis == ("<b>", "a b", "")  # type: ignore[attr-defined]


def test_shown_numbers() -> None:
    assert number(-0.5) == "−0.500000"
    assert number(sys.float_info.min) == "2.22507e-308"
    assert number(1e16) == "1e+16"
    assert shown_token("\ud800") == r"\ud800"


# --------------------------------------------------------------------------------------------------
# Renderings

GOLDEN = """\
BLEU = 40.824829 of one segment

  signature  nrefs:1|case:mixed|eff:yes|tok:none|smooth:exp|order:2|version:2.6.0|cocarde:VERSION

1. The convention in words
--------------------------

  BLEU = 100 · BP · exp(Σ wₙ · ln pₙ)

  * Convention: sacreBLEU 2.6.0 (formula 'sacrebleu').
  * Tokenizer: 'none'; input of tokens stays as it is.
  * pₙ: matched n-grams over n-grams of the hypothesis; an n-gram counts at most as
    often as in the reference that has it most often (clipping).
  * Smoothing (exp): the k-th order without a match counts 1/2ᵏ matches.
  * r, the effective reference length, is of each segment the one closest to its
    hypothesis, the shorter on a tie.
  * BP is 1 if c ≥ r, else exp(1 − r/c); 0 for an empty hypothesis.
  * Effective order: orders that the hypothesis is too short for do not count.
  * The score is 0 if no n-gram of any order matches, with any smoothing.
  * Weights: wₙ = 1/2 for the orders 1 to 2.

2. Tokens
---------

Below each token: = matched, ~ occurs more often than in any reference (clipped),
nothing: not in the references.

hypothesis: 4 tokens
  猫 the the dog
  == === ~~~

reference 1: 3 tokens
  猫 the cat
  == ===

3. n-grams
----------

clipped = the smaller of the count in the hypothesis and the maximum reference count.

  order 1  hypothesis  reference 1  clipped
  -------  ----------  -----------  -------
  the               2            1        1
  猫                1            1        1
  dog               1            0        0
  -------  ----------  -----------  -------
  total             4                     2

  order 2  hypothesis  reference 1  clipped
  -------  ----------  -----------  -------
  猫 the            1            1        1
  the the           1            0        0
  the dog           1            0        0
  -------  ----------  -----------  -------
  total             3                     1

4. Lengths
----------

  c = 4, the length of the hypothesis
  reference 1: 3 tokens, 1 away from c
  r = 3, the only reference

5. Precisions
-------------

  order  matches/total   decimal
  -----  -------------  --------
  1                2/4  0.500000
  2                1/3  0.333333

6. Brevity penalty
------------------

  c ≥ r (c = 4, r = 3): not shorter, no penalty
  BP = 1

7. Weighted mean and score
--------------------------

  order 1: 0.5 · ln 0.500000 = 0.5 · −0.693147 = −0.346574
  order 2: 0.5 · ln 0.333333 = 0.5 · −1.098612 = −0.549306
  sum = −0.895880
  exp(sum) = 0.408248
  BLEU = 100 · BP · exp(sum) = 100 · 1 · 0.408248 = 40.824829

With uniform weights over the first orders:

              score
  ------  ---------
  BLEU-1  50.000000
  BLEU-2  40.824829

Checked: BLEU.sentence_score gives the same statistics and the same score.
"""


def test_text_of_a_small_example() -> None:
    text = cocarde.explain(plain_bleu(max_ngram_order=2), "猫 the the dog", "猫 the cat").to_text()
    golden = GOLDEN.replace("VERSION", cocarde.__version__)
    assert text == golden


def test_brevity_penalty_and_smoothing_have_their_numbers_put_in() -> None:
    text = cocarde.explain(plain_bleu(smooth_method="floor"), "a b x c", "a b c d e f").to_text()
    assert "BP = exp(1 − r/c) = exp(1 − 6/4) = exp(−0.500000) = 0.606531" in text
    assert [
        "3",
        "0/2",
        "0",
        "0.1/2",
        "0.050000",
        "no match; 0.1 counts in place of its matches",
    ] in cells(text)


def test_effective_order_says_how_weights_change() -> None:
    text = cocarde.explain(plain_bleu(), "a b", "a b").to_text()
    assert "The text is too short: it has no n-gram of the orders 3 to 4." in text
    assert "effective order: the hypothesis has n-grams of orders 1 to 2 alone" in text
    assert "order 1: 0.5 · ln 1 = 0.5 · 0 = 0" in text


def test_several_sets_of_weights() -> None:
    bleu = plain_bleu(weights=[(1.0,), (0.5, 0.5)])
    text = cocarde.explain(bleu, "a b c", "a b d").to_text()
    assert "weights 1 of 2: 1, 0" in text
    assert "order 2: weight 0: 0 (no weight, no say)" in text
    assert "weights 2 of 2: 0.5, 0.5" in text


def test_long_tables_say_what_they_leave_out() -> None:
    words = [f"w{n}" for n in range(50)]
    explanation = cocarde.explain(plain_bleu(), " ".join(words), " ".join(words[:30]))
    assert ["44 more, not shown", "44", "24"] in cells(explanation.to_text(max_rows=6))
    assert ["total", "50", "30"] in cells(explanation.to_text(max_rows=6))
    assert "not shown" not in explanation.to_text()
    with pytest.raises(OptionError, match="max_rows"):
        explanation.to_text(max_rows=0)


def test_a_corpus_lists_the_worst_and_counts_the_rest() -> None:
    hypotheses = [f"same w{n} v{n % 3}" for n in range(12)]
    references = [f"same w{n} u" for n in range(12)]
    explanation = cocarde.explain(plain_bleu(), hypotheses, references, top=2)
    data = explanation.to_dict()
    first = data["orders"][0]
    assert [row["ngram"] for row in first["ngrams"]] == [["v0"], ["v1"]]
    assert first["distinct"] == 16
    assert first["not_shown"] == {"ngrams": 14, "hypothesis": 28, "clipped": 24}
    assert len(data["segments"]) == 12
    text = explanation.to_text()
    assert "The 2 worst and the 2 best of 12 segments" in text
    assert "8 are not shown" in text
    assert ["14 more, not shown", "28", "24", "4"] in cells(text)
    rows = [row for table in data["orders"] for row in table["ngrams"]]
    assert all(row["hypothesis"] >= row["clipped"] for row in rows)


def test_json_schema() -> None:
    segment = cocarde.explain("bleu", "a b", "c d").to_dict()
    corpus = cocarde.explain("bleu", ["a b"], ["c d"]).to_dict()
    assert (
        list(segment)
        == list(corpus)
        == [
            "metric",
            "level",
            "segment",
            "counted_from",
            "score",
            "signature",
            "warnings",
            "formula",
            "rules",
            "hypothesis",
            "references",
            "orders",
            "lengths",
            "precisions",
            "brevity_penalty",
            "derivations",
            "scores",
            "segments",
        ]
    )
    assert (segment["level"], corpus["level"]) == ("segment", "corpus")
    assert segment["derivations"][0]["log_sum"] is None  # the logarithm of 0
    assert segment["orders"][0]["ngrams"][0] == {
        "ngram": ["a"],
        "hypothesis": 1,
        "references": [0],
        "maximum_reference": 0,
        "clipped": 0,
    }
    json.dumps(segment, allow_nan=False)


def test_html_and_terminal_are_coloured() -> None:
    from rich.console import Console

    explanation = cocarde.explain(plain_bleu(), "the the dog", "the cat")
    html = explanation._repr_html_()
    for mark in ("matched", "clipped", "unmatched"):
        assert f"title='{mark}'>" in html
    stream = io.StringIO()
    Console(file=stream, force_terminal=True, color_system="standard", width=100).print(explanation)
    shown = stream.getvalue()
    for colour in (32, 33, 31):
        assert f"\x1b[{colour}m" in shown
    markdown = explanation.to_markdown()
    assert "**the** ~~the~~ dog" in markdown
    assert "| order 1 | hypothesis | reference 1 | clipped |" in markdown


def test_explanations_are_values() -> None:
    explanation = cocarde.explain("bleu", "a b", "a b")
    with pytest.raises(FrozenInstanceError):
        explanation.score = 1.0  # type: ignore[misc]
    assert explanation == cocarde.explain("bleu", "a b", "a b")
    assert hash(explanation) == hash(cocarde.explain("bleu", "a b", "a b"))
    assert repr(explanation) == "<BLEUExplanation of a segment: BLEU = 100.00; print() it>"
    assert str(explanation) == explanation.to_text()


@pytest.mark.slow
def test_a_corpus_of_wmt_size_takes_under_two_seconds() -> None:
    random = np.random.default_rng(1)
    words = [f"w{n}" for n in range(5000)]
    lengths = random.integers(5, 50, 2489)
    references = [" ".join(random.choice(words, n)) for n in lengths]
    hypotheses = [
        " ".join(word if random.random() < 0.6 else "x" for word in text.split())
        for text in references
    ]
    start = time.process_time()
    explanation = cocarde.explain("bleu", hypotheses, references)
    explanation.to_text()
    assert time.process_time() - start < 2
    assert len(explanation.segments) == 2489
