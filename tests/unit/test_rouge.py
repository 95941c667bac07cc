"""ROUGE as users meet it: scores by type, options, signatures, warnings, ugly input."""

from __future__ import annotations

import math
import os
import pickle
import re
import sys
import time
import warnings
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import cocarde
from cocarde import ROUGE, CocardeWarning, InputError, OptionError, ROUGEScore
from cocarde.tokenizers.sentences import get_sentence_splitter
from tests.processes import run_interruptible

H = ["The cat sat on the mat.", "Dogs bark.\nBirds sing.", "x"]
R = ["A cat sat on a mat.", "The dogs barked.\nThe birds sang.", "y"]


class TestWriteUp:
    """E: precision, recall and F of ROUGE-L by longest common subsequence."""

    generated = "the cat eats the cat food"
    reference = "the cat eats food"

    @pytest.mark.parametrize("form", [str, str.split])
    def test_rouge_l(self, form: type) -> None:
        score = ROUGE().sentence_score(form(self.generated), form(self.reference))["rougeL"]
        assert math.isclose(score.precision, 100 * 4 / 6, rel_tol=1e-12)
        assert score.recall == 100
        assert math.isclose(score.fmeasure, 80, rel_tol=1e-12)
        assert score.score == score.fmeasure

    def test_precision_by_order_is_clipped(self) -> None:
        types = ["rouge1", "rouge2", "rouge3", "rouge4"]
        score = ROUGE(rouge_types=types).sentence_score(self.generated, self.reference)
        for name, exact in zip(types, (2 / 3, 2 / 5, 1 / 4, 0), strict=True):
            assert math.isclose(score[name].precision, 100 * exact, rel_tol=1e-12), name

    def test_the_name_is_gisting_evaluation(self) -> None:
        assert "Gisting Evaluation" in (ROUGE.__doc__ or "")


def test_a_corpus_score_maps_types_to_means_of_segments() -> None:
    rouge = ROUGE()
    score = rouge.corpus_score(H, R)
    assert isinstance(score, ROUGEScore)
    assert list(score) == ["rouge1", "rouge2", "rougeL", "rougeLsum"] == list(score.keys())
    assert len(score) == 4 and "rougeL" in score and "rouge3" not in score
    rows = rouge.statistics(H, R)
    for name, part in score.items():
        assert part.name == name
        assert math.isclose(part.recall, 100 * rows[f"{name}_recall"].mean(), rel_tol=1e-12)
        segments = rouge.segment_scores(H, R)[name]
        assert np.allclose(segments, 100 * rows[f"{name}_fmeasure"], rtol=1e-12)
    assert score.to_dict()["parts"]["rougeL"]["recall"] == score["rougeL"].recall
    assert "rougeLsum" in str(score) and "rouge2" in score._repr_html_()
    with pytest.raises(KeyError):
        score["rouge3"]


def test_accumulators_and_groups_are_means_too() -> None:
    rouge = ROUGE()
    accumulator = rouge.accumulator()
    accumulator.update(H[:1], R[:1])
    accumulator.update(H[1:], R[1:])
    whole = rouge.corpus_score(H, R)
    for name, part in accumulator.compute().items():
        assert math.isclose(part.fmeasure, whole[name].fmeasure, rel_tol=1e-12)
    labels, totals = rouge.statistics(H, R).group_sum(["a", "b", "b"])
    assert labels == ["a", "b"]
    alone = rouge.corpus_score(H[1:], R[1:])
    found = rouge.compute(totals)
    assert list(found) == list(alone)
    for name, part in alone.items():
        assert math.isclose(found[name][1], part.score, rel_tol=1e-12)


def test_prepared_references_tokens_ids_and_evaluate() -> None:
    for rouge in (ROUGE(), ROUGE.preset("rouge"), ROUGE(sentences="punctuation", tokenize="intl")):
        expected = rouge.statistics(H, R).values
        assert np.array_equal(rouge.statistics(H, rouge.prepare(R)).values, expected)
        together = cocarde.evaluate(H, R, metrics={"rouge": rouge, "again": rouge, "bleu": "bleu"})
        assert together["rouge"] == rouge.corpus_score(H, R) == together["again"]
    ids = np.array([[1, 2, 3], [4, 4, 5]])
    words = [list(map(str, row)) for row in ids.tolist()]
    assert ROUGE().corpus_score(ids, ids[::-1]) == ROUGE().corpus_score(words, words[::-1])
    # Marks between sentences are no tokens: an id of 0 stays one.
    zeros = ROUGE().corpus_score([[0, 0, 1]], [[0, 0, 0]])
    assert math.isclose(zeros["rougeLsum"].recall, 100 * 2 / 3, rel_tol=1e-12)


def test_results_do_not_depend_on_threads() -> None:
    rng = np.random.default_rng(0)
    texts = [[" ".join(row) for row in rng.choice(list("abcd"), (3000, 30))] for _ in range(2)]
    rows = []
    for count in (1, 2, 3):
        cocarde.set_num_threads(count)
        rows.append(ROUGE().statistics(*texts).values)
    cocarde.set_num_threads(None)
    assert np.array_equal(rows[0], rows[1]) and np.array_equal(rows[0], rows[2])


@pytest.mark.parametrize("name", [name for name in ROUGE.presets() if name != "rouge-1.5.5"])
def test_signatures_bring_back_presets(name: str) -> None:
    rouge = ROUGE.preset(name)
    assert ROUGE.from_signature(rouge.signature) == rouge
    assert pickle.loads(pickle.dumps(rouge)) == rouge
    assert hash(rouge) == hash(ROUGE.preset(name))


def test_every_option_is_in_the_signature() -> None:
    default = ROUGE()
    for options in (
        {"rouge_types": ["rougeL"]},
        {"use_stemmer": True},
        {"tokenize": "char"},
        {"lowercase": True},
        {"sentences": "punctuation"},
        {"formula": "rouge"},
        {"beta": 2.0},
        {"exclusive": True},
        {"multiple": "mean"},
        {"ignore_ids": [0]},
    ):
        changed = default.with_options(**options)
        assert changed.signature != default.signature, options
        assert changed != default
        assert ROUGE.from_signature(changed.signature) == changed, options


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rouge_types": []}, "rouge_types is empty"),
        ({"rouge_types": 1}, "rouge_types must be a list of names, found 1"),
        ({"rouge_types": ["rouge0"]}, "no type 'rouge0'; there are rouge1 to rouge9"),
        ({"rouge_types": ["rouge10"]}, "no type 'rouge10'"),
        ({"rouge_types": ["rougeL", "rougeL"]}, "stands twice"),
        ({"use_stemmer": 1}, "use_stemmer must be True or False"),
        ({"use_stemmer": True, "tokenize": "char"}, "belongs to the tokenizer 'rouge'"),
        ({"beta": -1}, r"beta must be a number from 0 to 1e\+100, found -1"),
        ({"beta": math.nan}, "beta must be a number from 0 to"),
        ({"beta": 1e200}, "beta must be a number from 0 to"),
        ({"beta": 10**400}, "beta must be a number from 0 to .* found an integer of 1329 bits"),
        ({"beta": Fraction(10**400)}, "beta must be a number from 0 to"),
        ({"multiple": "worst"}, "multiple must be one of best, maxima, mean"),
        ({"formula": "rogue"}, "formula must be one of rouge-score, .*; found 'rogue'"),
        ({"sentences": "commas"}, "there is no splitter 'commas'; there are newline"),
        ({"sentences": lambda text: [text]}, "has no name of its own"),
        ({"sentences": 3}, "a name or a function is needed"),
        ({"exclusive": "yes"}, "exclusive must be True or False"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        ROUGE(**options)  # type: ignore[arg-type]


def test_unknown_presets_and_signatures() -> None:
    with pytest.raises(OptionError, match="no ROUGE preset 'perl'; there are rouge-score"):
        ROUGE.preset("perl")
    with pytest.raises(OptionError, match="unknown key 'smooth'"):
        ROUGE.from_signature("nrefs:1|smooth:exp")


def pairs(text: str) -> list[str]:
    return [text[i : i + 4] for i in range(0, len(text), 4)]


def not_texts(_text: str) -> list[Any]:
    return [1]


def whole(text: str) -> Any:
    return text


def nothing(_text: str) -> Any:
    return None


def test_sentence_splitters_of_users() -> None:
    for splitter, kind in ((whole, "str"), (nothing, "NoneType")):
        with pytest.raises(InputError, match=f"splitter '{splitter.__name__}' returned a {kind}"):
            ROUGE(sentences=splitter).corpus_score(["ab"], ["ab"])
    assert ROUGE(sentences=pairs).signature_for(1)["sent"] == "pairs"
    with pytest.raises(InputError, match="'not_texts' returned int"):
        ROUGE(sentences=not_texts).corpus_score(["a"], ["a"])
    with pytest.raises(InputError, match="hypotheses: segment 1 is of type int"):
        ROUGE(sentences=pairs).corpus_score(["a", 3], ["a", "b"])


def test_splitters() -> None:
    cut = get_sentence_splitter("punctuation")
    assert cut("One. Two? 三。四！\n\nfive… six") == [
        "One.",
        "Two?",
        "三。",
        "四！",
        "five…",
        "six",
    ]
    assert get_sentence_splitter("newline")("a\n\nb\n") == ["a", "b"]


def test_text_that_the_tokenizer_erases_is_named() -> None:
    rouge = ROUGE()
    with pytest.warns(CocardeWarning, match=r"leaves nothing of the text of 2 of 3 .*'auto'"):
        score = rouge.corpus_score(["今天天气", "a b", "c"], ["今天天气", "a b", "ой"])
    assert score["rougeLsum"].fmeasure == pytest.approx(100 / 3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rouge.corpus_score(["a", "", " ", "café"], ["b", "x", "b", "café naïve"])
        assert (
            ROUGE(tokenize="char").corpus_score(["今天天气"], ["今天天气"])["rouge2"].score == 100
        )


def test_a_score_of_0_says_why() -> None:
    score = ROUGE().sentence_score("a b", "b a")
    assert score["rouge2"].score == 0
    assert any("rouge2: the score is 0" in message for message in score.warnings)


@pytest.mark.filterwarnings("ignore::cocarde.errors.CocardeWarning")
def test_ugly_input() -> None:
    with pytest.raises(InputError, match="no segments"):
        ROUGE().corpus_score([], [])
    with pytest.raises(InputError, match="2 hypotheses but 1"):
        ROUGE().corpus_score(["a", "b"], ["a"])
    for text in ("", "\n", "\n\n \n", "\ud800 a", "a\x00b", "\ufeffa", "a\u2028b", "a\r\nb", "."):
        for name in ROUGE.presets():
            score = ROUGE.preset(name).sentence_score(text, text)
            for part in score.values():
                assert part.score == 0 or math.isclose(part.score, 100, abs_tol=1e-5), (text, name)


@pytest.mark.parametrize("words", [1, 260])
@pytest.mark.parametrize("name", ["rougeL", "rougeLsum"])
def test_fifty_thousand_tokens_take_under_a_second(name: str, words: int) -> None:
    rng = np.random.default_rng(1)
    first, second = (rng.integers(0, words, 50_000) for _ in range(2))
    rouge = ROUGE(rouge_types=[name])
    rouge.statistics([first], [second])
    start = time.perf_counter()
    rows = rouge.statistics([first], [second])
    assert time.perf_counter() - start < 1
    assert rows[f"{name}_recall"][0] > 0.1


AUTOMATIC = {
    "rouge": (["The cat sat.", "It rains."], ["A cat sat.", "It rained."]),
    "words": (["Кошка сидела на коврике."], ["Кошка лежит на коврике."]),
    "zh-unicode": (["猫坐在垫子上。"], ["一只猫坐在垫子上。"]),
    "char": (["猫はマットの上に座った。"], ["猫がマットの上にいる。"]),
}


@pytest.mark.parametrize("name", list(AUTOMATIC))
def test_the_tokenizer_that_fits_the_references(name: str) -> None:
    auto, named = ROUGE(tokenize="auto"), ROUGE(tokenize=name)
    hypotheses, references = AUTOMATIC[name]
    score = auto.corpus_score(hypotheses, references)
    assert score == named.corpus_score(hypotheses, references)
    assert score["rouge1"].score > 0 and f"tok:{name}" in score.signature
    assert auto.sentence_score(hypotheses[0], references[0]) == named.sentence_score(
        hypotheses[0], references[0]
    )
    expected = named.segment_scores(hypotheses, references)
    for given in (references, auto.prepare(references)):
        np.testing.assert_equal(auto.segment_scores(hypotheses, given), expected)
    rows = auto.statistics(hypotheses, (text for text in references))
    assert np.array_equal(rows.values, named.statistics(hypotheses, references).values)
    np.testing.assert_equal(
        auto.pairwise(hypotheses, references), named.pairwise(hypotheses, references)
    )
    assert cocarde.evaluate(hypotheses, references, {"rouge": auto})["rouge"] == score


def test_stems_where_the_tokenizer_makes_them() -> None:
    auto = ROUGE(tokenize="auto", use_stemmer=True)
    assert "tok:rouge|stem:yes" in auto.corpus_score(["cats run"], ["cat runs"]).signature
    assert "tok:words|stem:no" in auto.corpus_score(["Кошка"], ["Кошка"]).signature
    assert ROUGE.from_signature(auto.signature) == auto


ENGLISH = (["The cat sat.", "It rains."], ["A cat sat.", "It rained."])
CHINESE = (["猫坐在垫子上。"], ["一只猫坐在垫子上。"])


@pytest.mark.filterwarnings("ignore::cocarde.errors.CocardeWarning")
@pytest.mark.parametrize("first", [CHINESE, ENGLISH])
def test_an_accumulator_keeps_to_the_tokenizer_of_its_first_batch(first: Any) -> None:
    auto = ROUGE(tokenize="auto")
    second = ENGLISH if first is CHINESE else CHINESE
    picked = "zh-unicode" if first is CHINESE else "rouge"
    accumulator = auto.accumulator()
    for batch in (first, second):
        accumulator.update(*batch)
    named = ROUGE(tokenize=picked)
    whole = named.corpus_score(first[0] + second[0], first[1] + second[1])
    found = accumulator.compute()
    assert found.signature == whole.signature and f"tok:{picked}" in found.signature
    for name, part in found.items():
        assert math.isclose(part.fmeasure, whole[name].fmeasure, rel_tol=1e-12)
    accumulator.reset()
    accumulator.update(*second)
    assert accumulator.compute() == auto.corpus_score(*second)


def test_what_two_tokenizers_cut_does_not_add_up() -> None:
    auto = ROUGE(tokenize="auto")
    accumulators = []
    for batch in (ENGLISH, CHINESE):
        accumulators.append(auto.accumulator())
        accumulators[-1].update(*batch)
    match = "of the tokenizers 'rouge' and 'zh-unicode' do not add up"
    with pytest.raises(InputError, match=match):
        accumulators[0].merge(accumulators[1])
    rows = [auto.statistics(*batch) for batch in (ENGLISH, CHINESE)]
    for add in (
        lambda: cocarde.Statistics.concatenate(rows),
        lambda: rows[0].sum() + rows[1].sum(),
        lambda: accumulators[0].add(rows[1]),
    ):
        with pytest.raises(InputError, match=match):
            add()
    before = accumulators[0].compute()
    accumulators[0].add(rows[0])
    assert accumulators[0].compute() == before
    # Totals say what cut their texts, so that the score does.
    assert "tok:zh-unicode" in auto.compute(rows[1].sum()).signature
    tokens = auto.accumulator()
    tokens.update([["a", "b"]], [["a"]])
    tokens.update(*CHINESE)
    assert "tok:zh-unicode" in tokens.compute().signature


@pytest.mark.parametrize("formula", ["rouge-score", "rouge", "coco"])
def test_the_largest_weight_of_recall_gives_numbers(formula: str) -> None:
    rouge = ROUGE(formula=formula, beta=1e100)
    score = rouge.corpus_score(["a b c", "x"], ["a b d e", "y"])
    for part in score.values():
        assert math.isfinite(part.fmeasure)
        assert part.fmeasure == pytest.approx(part.recall, abs=1e-4)


LATE = """
import os, signal, sys, threading, time
import numpy as np
import cocarde
preset, words, sentence, moments = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
random = np.random.default_rng(0)
marks = ["" if (i + 1) % sentence else "." for i in range(words)]
texts = [
    " ".join(f"w{n}{mark}" for n, mark in zip(random.integers(0, 5000, words).tolist(), marks))
    for _ in range(2)
]
metric = cocarde.ROUGE.preset(preset)
for moment in map(float, moments):
    def interrupt():
        global sent
        time.sleep(moment)
        sent = time.perf_counter()
        os.kill(os.getpid(), signal.SIGINT)
    thread = threading.Thread(target=interrupt)
    thread.start()
    try:
        metric.statistics(texts[:1], texts[1:])
        sys.exit(f"scored before {moment} s were over")
    except KeyboardInterrupt:
        print(time.perf_counter() - sent)
    thread.join()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="not POSIX: SIGINT cannot be sent")
@pytest.mark.parametrize(
    ("preset", "words", "sentence", "moments"),
    [
        ("rouge", 1_500_000, 10**9, ["0.3", "1", "1.6"]),
        ("rouge", 600_000, 3, ["0.5", "1"]),
        ("rouge-score", 1_500_000, 10**9, ["0.4", "1"]),
        ("rouge-1.5.5", 300_000, 10**9, ["0.3", "1"]),
    ],
)
def test_one_long_segment_answers_control_c(
    preset: str, words: int, sentence: int, moments: list[str]
) -> None:
    given = [preset, str(words), str(sentence), *moments]
    result = run_interruptible([sys.executable, "-c", LATE, *given], timeout=180)
    assert result.returncode == 0, result.stderr
    late = [float(line) for line in result.stdout.split()]
    assert len(late) == len(moments)
    # On a machine that does nothing else it is 0.2 s; under sanitizers everything takes ten times as long.
    assert max(late) < (15 if "COCARDE_SANITIZED" in os.environ else 1.5)


CHINESE_TEXTS = ["猫坐在垫子上。", "2024年,我们赢了", "the cat sat on the mat"]


@pytest.mark.parametrize(
    ("preset", "expected"),
    [
        (
            "rouge-score",
            ["leaves nothing of the text of 1 of 3", "drops most letters of the text of 1"],
        ),
        (
            "rouge-1.5.5",
            ["leaves nothing of the text of 1 of 3", "drops most letters of the text of 1"],
        ),
        ("rouge", ["text of 2 of 3 segments has no blanks between its words.*tokenize='jieba'"]),
        ("rouge-chinese", ["text of 2 of 3 segments has no blanks between its words"]),
        (
            "coco",
            [
                "text of 2 of 3 segments has no blanks between its words.*'single-blank' does not divide"
            ],
        ),
    ],
)
def test_every_preset_warns_of_text_that_it_cannot_cut(preset: str, expected: list[str]) -> None:
    rouge = ROUGE.preset(preset)
    with pytest.warns(CocardeWarning) as caught:
        rouge.corpus_score(CHINESE_TEXTS, [*CHINESE_TEXTS[:2], "a cat sat on a mat"])
    messages = [str(one.message) for one in caught]
    assert len(messages) == len(expected)
    for message, pattern in zip(messages, expected, strict=True):
        assert re.search(pattern, message), message
    if preset == "rouge-1.5.5":
        assert "take another formula" in messages[0]
    with pytest.warns(CocardeWarning, match=expected[0].replace("1 of 3", "1 of 1")):
        cocarde.evaluate(
            CHINESE_TEXTS[:1] if len(expected) == 2 else CHINESE_TEXTS,
            ["一只猫坐在垫子上。"] if len(expected) == 2 else CHINESE_TEXTS,
            {"one": rouge, "again": rouge},
        )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        words = ["猫 坐在 垫子 上 。", "机器 学习"]
        if len(expected) == 1:
            rouge.corpus_score(words, words)
        if preset != "rouge-1.5.5":
            rouge.corpus_score([["猫坐在垫子上。"]], [["猫坐在垫子上。"]])


def test_sentences_of_a_python_splitter_are_looked_at_too() -> None:
    for metric in (ROUGE(sentences="punctuation"), ROUGE(sentences=pairs)):
        with pytest.warns(CocardeWarning, match="leaves nothing of the text of 1 of 1"):
            metric.corpus_score(CHINESE_TEXTS[:1], CHINESE_TEXTS[:1])


def test_advice_is_of_use_where_the_tokenizer_was_picked() -> None:
    with pytest.warns(CocardeWarning, match="'auto' picked it by the script of the references"):
        ROUGE(tokenize="auto").corpus_score(CHINESE_TEXTS[:1], ["the cat"])


@pytest.mark.filterwarnings("ignore::cocarde.errors.CocardeWarning")
@pytest.mark.parametrize(
    ("preset", "hypothesis", "reference", "reason"),
    [
        ("rouge-score", "", "a", "the hypothesis has no tokens"),
        ("rouge-1.5.5", "", "a", "the hypothesis has no tokens"),
        ("rouge-score", "a", " ", "the reference has no tokens"),
        ("rouge-score", "猫", "猫", "the tokenizer 'rouge' leaves nothing of the text"),
        ("rouge-1.5.5", "猫", "猫", "the tokenizer 'rouge-1.5.5' leaves nothing of the text"),
        ("rouge-score", "猫坐 1", "猫坐 2", "the tokenizer 'rouge' drops most letters of the text"),
        (
            "coco",
            "猫坐在垫子上",
            "猫坐在垫子",
            "the text has no blanks between its words, and the tokenizer 'single-blank'",
        ),
        ("rouge-score", "a", "b", "no token matches"),
        ("rouge-1.5.5", "a", "b", "nothing matches"),
    ],
)
def test_the_reason_of_a_0_is_in_the_text(
    preset: str, hypothesis: str, reference: str, reason: str
) -> None:
    rouge = ROUGE.preset(preset)
    for score in (
        rouge.sentence_score(hypothesis, reference),
        rouge.corpus_score([hypothesis], [reference]),
    ):
        assert f"rougeL: the score is 0 because {reason}" in " ".join(score.warnings)


@pytest.mark.parametrize("preset", list(ROUGE.presets()))
def test_empty_references_are_counted(preset: str) -> None:
    with pytest.warns(CocardeWarning, match="^the reference of 2 of 4 segments is empty$"):
        ROUGE.preset(preset).corpus_score(
            ["a b", "a", "a", "a"], [["a"], ["", "a"], [""], [" ", ""]]
        )
    if preset != "rouge-1.5.5":
        with pytest.warns(CocardeWarning, match="^the reference of 1 of 2 segments is empty$"):
            ROUGE.preset(preset).corpus_score([["a"], ["b"]], [["a"], []])
