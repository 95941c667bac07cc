"""Arguments that make no sense are errors of cocarde that say so; NumPy's scalars are as good as Python's."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cocarde
from cocarde import (
    BLEU,
    ROUGE,
    InputError,
    OptionError,
    References,
    Signature,
    Statistics,
    corpus,
    tokenizers,
)
from cocarde._util.checks import read_number, read_percentage, read_whole_number

TEXTS = ["a b c d e", "a b"]
# Any: no type checker would let these calls pass.
bleu: Any = BLEU
files: Any = corpus
METRIC: Any = BLEU()
STATISTICS: Any = METRIC.statistics(TEXTS, TEXTS)
SCORE: Any = METRIC.corpus_score(TEXTS, TEXTS)
ARRAY = np.zeros((2, 10))
ANY: Any = METRIC
NOTHING: Any = None


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: METRIC.accumulator().merge(NOTHING), "an Accumulator is needed, found NoneType"),
        (lambda: METRIC.accumulator().add(NOTHING), "Statistics are needed, found NoneType"),
        (lambda: cocarde.Accumulator(NOTHING), "needs a Metric"),
        (lambda: STATISTICS + ARRAY, "Statistics are needed, found ndarray"),
        (lambda: ARRAY + STATISTICS, "Statistics are needed, found ndarray"),
        (lambda: STATISTICS + NOTHING, "Statistics are needed, found NoneType"),
        (lambda: Statistics.concatenate([NOTHING]), "Statistics are needed"),
        (lambda: STATISTICS.group_sum(NOTHING), "one label for each segment"),
        (lambda: SCORE.format(-1), "width must be a whole number of at least 0"),
        (lambda: SCORE.format(ANY), "width must be a whole number"),
        (lambda: SCORE.format(2.0), "width must be a whole number"),
        (lambda: files.read_lines(NOTHING), r"a path \(str or path-like\) is needed, found None"),
        (lambda: files.read_lines(ANY), "a path"),
        (lambda: files.read_table(NOTHING, 1), "a path"),
        (lambda: files.read_table("x", NOTHING), "column must be a name or a number"),
        (lambda: files.read_table("x", 1.5), "column must be a name or a number"),
        (lambda: files.read_jsonl(NOTHING, "a"), "a path"),
        (lambda: files.read_jsonl("x", 3), "field"),
        (lambda: files.read_sgml(NOTHING), "a path"),
        (lambda: files.read_xml(NOTHING), "a path"),
        (lambda: files.detect_format(NOTHING), "a path"),
        (lambda: files.Source(NOTHING), "a path"),
        (lambda: files.Source.parse(NOTHING), "a path"),
        (lambda: files.write_lines(NOTHING, []), "a path"),
        (lambda: files.write_lines("x", NOTHING), "lines is a list of segments"),
        (lambda: files.atomic_write(NOTHING).__enter__(), "a path"),
        (lambda: files.read_parallel(["x"], ["x"]), "not a Source"),
        (lambda: tokenizers.get("13a")(NOTHING), r"a text \(str\) is needed, found NoneType"),
        (lambda: tokenizers.get("13a").lowercased(NOTHING), "a text"),
        (lambda: tokenizers.get("mteval-v13a").lowercased(NOTHING), "a text"),
        (lambda: tokenizers.get(str.split)(NOTHING), "a text"),
        (lambda: BLEU.from_signature(NOTHING), "a signature is a str, found a NoneType"),
        (lambda: BLEU.from_signature("x"), "key:value pairs"),
        (lambda: BLEU.from_signature(""), "key:value pairs"),
        (lambda: ROUGE.from_signature("x"), "key:value pairs"),
        (lambda: Signature.parse("BLEU"), "key:value pairs"),
        (lambda: bleu.preset(ANY), "no BLEU preset"),
        (lambda: bleu.preset([]), "no BLEU preset"),
        (lambda: bleu(formula=[]), "formula must be one of"),
        (lambda: bleu(smooth_method=[]), "smooth_method"),
        (lambda: bleu(reference_length=[]), "reference_length"),
        (lambda: bleu(weights=["a", "b"]), r"weights\[0\] must be a number"),
        (lambda: bleu(weights=[NOTHING]), r"weights\[0\] must be a number"),
        (lambda: bleu(weights=[0.0, 0.0]), "weights are all 0"),
        (lambda: bleu(weights=[(1.0,), (0.0, 0.0)]), "weights are all 0"),
        (lambda: bleu(ignore_ids=5), "ignore_ids is a collection"),
        (lambda: cocarde.evaluate(TEXTS, TEXTS, NOTHING), "metrics is a list"),
        (lambda: METRIC.prepare(NOTHING), "references must be a sequence"),
        (lambda: References.from_streams(NOTHING), "stream 0"),
        (lambda: METRIC.compute("abc"), "statistics are numbers"),
        (lambda: METRIC.compute([[1.0], [2.0, 3.0]]), "statistics are numbers"),
    ],
)
def test_nonsense_is_refused_in_our_own_words(call: Callable[[], object], message: str) -> None:
    with pytest.raises((InputError, OptionError), match=message):
        call()


@pytest.mark.parametrize("name", ["zh", "jieba", "ja-mecab", "ko-mecab", "flores200"])
def test_every_tokenizer_refuses_what_is_no_text(name: str) -> None:
    try:
        tokenizer = tokenizers.get(name)
    except cocarde.MissingExtraError as error:
        pytest.skip(f"not redistributable: {error}")
    with pytest.raises(InputError, match="a text"):
        tokenizer(NOTHING)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([4, 4, 4, 4, 3, 3, 2, 2, 1, np.nan], "total_4 is nan, which is no count"),
        ([4, -4, 4, 4, 3, 3, 2, 2, 1, 1], "reference_length is -4.0"),
        ([4, 4, np.inf, 4, 3, 3, 2, 2, 1, 1], "matches_1 is inf"),
        ([4, 4, 5, 4, 3, 3, 2, 2, 1, 1], "matches_1 is 5.0, which is more than there are n-grams"),
    ],
)
def test_totals_that_no_text_has_are_refused(values: list[float], message: str) -> None:
    with pytest.raises(InputError, match=message):
        METRIC.compute(values)
    good = [4.0, 4, 4, 4, 3, 3, 2, 2, 1, 1]
    assert METRIC.compute(good).score == pytest.approx(100)
    with pytest.raises(InputError, match="of row 0, 1 is"):
        METRIC.compute([[good, values]])
    # Weighted sums of rows round; they are still totals.
    rows = METRIC.statistics(TEXTS, TEXTS).values
    weights = np.random.default_rng(1).random((1000, 2))
    assert METRIC.compute(weights @ rows).shape == (1000,)


def test_numbers_of_numpy_are_options() -> None:
    whole: Any = np.int64(3)
    for kind in (np.int64, np.uint8, np.int16):
        assert bleu(max_ngram_order=kind(3)) == bleu(max_ngram_order=3)
    for flag in ("lowercase", "effective_order", "strip_right", "clip", "force"):
        for truth in (True, False):
            made = bleu(**{flag: np.bool_(truth)})
            assert made == bleu(**{flag: truth})
            assert getattr(made, flag) is truth
    for value in (np.float32(0.5), np.float64(0.5), np.float16(0.5)):
        assert bleu(smooth_method="floor", smooth_value=value) == BLEU(
            smooth_method="floor", smooth_value=0.5
        )
    assert bleu(smooth_method="add-k", smooth_value=np.int64(2)).smooth_value == 2.0
    assert bleu(weights=np.array([0.5, 0.5])) == bleu(weights=(0.5, 0.5))
    assert pickle.loads(pickle.dumps(bleu(max_ngram_order=whole))) == bleu(max_ngram_order=3)
    assert bleu(max_ngram_order=whole).signature == bleu(max_ngram_order=3).signature
    assert SCORE.format(np.int64(1)) == SCORE.format(1)
    explanation = cocarde.explain("bleu", "a", "a", top=whole)
    assert explanation.to_text(max_rows=whole) == explanation.to_text(max_rows=3)
    cocarde.set_num_threads(whole)
    assert cocarde.get_num_threads() == 3
    cocarde.set_num_threads(None)
    wrong: Any
    for wrong in (np.bool_(True), True, 3.0, np.float64(3)):
        with pytest.raises(OptionError, match="max_ngram_order"):
            bleu(max_ngram_order=wrong)
    for wrong in (np.int64(1), 1, "yes"):
        with pytest.raises(OptionError, match="lowercase must be True or False"):
            bleu(lowercase=wrong)


def test_columns_by_numbers_of_numpy(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("a\tb\n")
    assert files.read_table(tmp_path / "a.tsv", np.int64(2)) == ["b"]
    assert files.read_lines(str(tmp_path / "a.tsv").encode()) == ["a\tb"]


def test_statistics_add_up_by_sum() -> None:
    total = sum(iter(STATISTICS))
    assert isinstance(total, Statistics)
    assert METRIC.compute(total) == SCORE


def test_prepared_references_are_not_pickled_but_copied() -> None:
    prepared = METRIC.prepare(TEXTS)
    with pytest.raises(InputError, match="cannot be pickled; send the references themselves"):
        pickle.dumps(prepared)
    for same in (copy.copy(prepared), copy.deepcopy(prepared)):
        assert METRIC.corpus_score(TEXTS, same) == SCORE


def test_scores_format_as_their_number() -> None:
    assert f"{SCORE:.3f}" == f"{SCORE.score:.3f}"
    assert f"{SCORE:>10.1f}" == f"{SCORE.score:>10.1f}"
    assert f"{SCORE}" == str(SCORE)


def test_bounds_of_options_are_inside() -> None:
    assert read_whole_number("n", 4, 4, 4) == 4
    assert read_number("x", 2, 2, 2) == 2
    assert read_percentage("confidence", 1) == 1
    assert read_percentage("confidence", 100) == 100
    for wrong in (3, 5):
        with pytest.raises(OptionError, match="n must be a whole number from 4 to 4"):
            read_whole_number("n", wrong, 4, 4)


def test_an_integer_too_long_to_print_is_named_by_its_bits() -> None:
    with pytest.raises(OptionError, match="found an integer of 20001 bits"):
        read_whole_number("n", 1 << 20_000, 0, 9)


def test_evaluate_takes_one_name() -> None:
    assert list(cocarde.evaluate(["a b"], ["a b"], "chrf")) == ["chrf"]
