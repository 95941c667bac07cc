"""What `cocarde.metrics.rouge.perl.program` refuses, and small facts that can be checked by hand."""

from __future__ import annotations

import dataclasses
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cocarde.errors import InputError, OptionError
from cocarde.metrics.rouge.perl.program import (
    Rouge155Options,
    load_stop_words,
    rouge155_averages,
    rouge155_bootstrap,
    rouge155_fields,
    rouge155_rows,
    rouge155_sentences,
)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"orders": (0,)}, "an order must be a whole number from 1"),
        ({"orders": (1, 1)}, "orders must differ"),
        ({"orders": "1"}, "orders must be a tuple"),
        ({"orders": (True,)}, "an order must be a whole number"),
        ({"orders": (), "longest_common_subsequence": False}, "nothing to compute"),
        ({"weight": 0}, "weight must be a number from 0.1 to 5, found 0"),
        ({"weight": 500}, "weight must be a number from 0.1 to 5, found 500"),
        (
            {"weight": 10**400},
            "weight must be a number from 0.1 to 5, found an integer of 1329 bits",
        ),
        ({"word_limit": 10**5000}, "word_limit must be a whole .* found an integer of 16610 bits"),
        ({"weight": float("nan")}, "weight must be a number"),
        ({"weight": "1.2"}, "weight must be a number"),
        ({"alpha": 1.5}, "alpha must be a number from 0 to 1"),
        ({"alpha": float("nan")}, "alpha must be a number from 0 to 1"),
        ({"maximum_skip": -1}, "maximum_skip must be a whole number from 0"),
        ({"word_limit": 0}, "word_limit must be a whole number from 1"),
        ({"word_limit": 5, "byte_limit": 5}, "exclude each other"),
        ({"multiple_references": "worst"}, "multiple_references must be one of average, best"),
        ({"counting_unit": "word"}, "counting_unit must be one of segment, token"),
        ({"stop_words": "the"}, "stop_words must be a tuple"),
        ({"stop_words": (1,)}, "stop_words must be str"),
    ],
)
def test_wrong_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        Rouge155Options(**options)


def test_options_are_values() -> None:
    options = Rouge155Options(orders=[1, 2], stop_words=["the"])  # type: ignore[arg-type]
    assert options == Rouge155Options(stop_words=("the",))
    assert hash(options) == hash(pickle.loads(pickle.dumps(options)))


@pytest.mark.parametrize(
    ("hypotheses", "references", "message"),
    [
        (["a"], [], "there are 1 hypotheses but references for 0 segments"),
        (["a", "b"], [["a"], []], "segment 1 has no reference"),
        (["a"], ["a"], "the references of segment 0 are of type str"),
        (["a"], [[None]], "reference 0 of segment 0 is of type NoneType"),
        ([["a", 1]], [["a"]], "sentence 1 of hypothesis 0 is of type int"),
    ],
)
def test_wrong_input(hypotheses: Any, references: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        rouge155_rows(hypotheses, references)


def test_no_segments() -> None:
    assert rouge155_rows([], []).shape == (0, len(rouge155_fields(Rouge155Options())))
    with pytest.raises(InputError, match="one or more segments"):
        rouge155_bootstrap(np.empty((0, 9)), Rouge155Options())


@pytest.mark.parametrize(
    ("resamples", "confidence", "message"),
    [(0, 95, "resamples"), (10, 101, "confidence"), (10, float("nan"), "confidence")],
)
def test_wrong_bootstrap(resamples: int, confidence: float, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        rouge155_bootstrap(
            [[0.5] * 9], Rouge155Options(), resamples=resamples, confidence=confidence
        )


def test_sentences_or_lines() -> None:
    sentences = ["Police killed the gunman.", "", "They left."]
    reference = ["The gunman was killed.", "Police left"]
    as_lists = rouge155_rows([sentences], [[reference]])
    as_text = rouge155_rows(["\n".join(sentences)], [["\n".join(reference)]])
    np.testing.assert_array_equal(as_lists, as_text)
    assert rouge155_sentences(sentences) == [
        ["police", "killed", "the", "gunman"],
        ["they", "left"],
    ]


def test_limits_cut_inside_sentences() -> None:
    text = " One two-three four\nfive six"
    # White space in front counts as a word.
    assert rouge155_sentences(text, Rouge155Options(word_limit=3)) == [["one", "two", "three"]]
    assert rouge155_sentences(text, Rouge155Options(word_limit=5)) == [
        ["one", "two", "three", "four"],
        ["five"],
    ]
    assert rouge155_sentences("été1 x", Rouge155Options(byte_limit=3)) == [["t"]]


def test_ratios_of_texts_without_words_are_zero() -> None:
    options = Rouge155Options(orders=(1,), longest_common_subsequence=False, counting_unit="token")
    for hypothesis, reference in (("", "the cat"), ("the cat", ""), ("", "")):
        [row] = rouge155_rows([hypothesis], [[reference]], options)
        np.testing.assert_array_equal(rouge155_averages(row, 1, options), [[0, 0, 0]])


def test_bounds_of_a_single_resample_lie_beyond_it() -> None:
    """Perl reads 0 behind the only sample, and goes a quarter of the way from there."""
    options = Rouge155Options(orders=(1,), longest_common_subsequence=False)
    found = rouge155_bootstrap([[0.5, 0.4, 0.3]], options, resamples=1, confidence=50)
    np.testing.assert_allclose(found.mean, [[0.5, 0.4, 0.3]], rtol=1e-15)
    for bound in (found.lower, found.upper):
        np.testing.assert_allclose(bound, 1.25 * found.mean, rtol=1e-15)


def test_a_sentence_that_fills_the_limit_is_the_last() -> None:
    options = Rouge155Options(orders=(), byte_limit=3)
    rows = rouge155_rows(["abc"], [["abc\ndef"]], options)
    np.testing.assert_array_equal(rows, [[1, 1, 1]])


def test_a_limit_in_bytes_holds_for_each_sentence_of_the_lcs() -> None:
    options = Rouge155Options(orders=(), byte_limit=5)
    rows = rouge155_rows(["ab"], [["ab\ncd ef"]], options)
    np.testing.assert_array_equal(rows, [[1, 0.33333, 0.5]])


def test_of_equally_good_references_the_first_counts() -> None:
    options = Rouge155Options(
        orders=(1,), longest_common_subsequence=False, multiple_references="best"
    )
    rows = rouge155_rows(["a b x y"], [["a q", "a b q r"]], options)
    np.testing.assert_array_equal(rows[0, :2], [0.25, 0.5])


def test_unrounded() -> None:
    options = Rouge155Options(orders=(1,), longest_common_subsequence=False, rounded=False)
    rows = rouge155_rows(["a b c"], [["a x"]], options)
    np.testing.assert_allclose(rows, [[1 / 3, 1 / 2, 2 / 5]], rtol=1e-15)
    rounded = rouge155_rows(["a b c"], [["a x"]], dataclasses.replace(options, rounded=True))
    np.testing.assert_array_equal(rounded, [[0.33333, 0.5, 0.4]])


def test_rounding_as_printed() -> None:
    """Each ratio of small whole numbers, ties such as 1/32 among them."""
    options = Rouge155Options(orders=(1,), longest_common_subsequence=False)
    for total in (*range(1, 70), 128, 160, 320, 640, 1600, 3200):
        matches = range(0, total + 1, max(1, total // 20))
        hypotheses = ["x " * hits + "y " * (total - hits) for hits in matches]
        rows = rouge155_rows(hypotheses, [["x " * total]] * len(hypotheses), options)
        assert rows[:, 0].tolist() == [float(f"{hits / total:.5f}") for hits in matches]


def test_stop_words_that_are_not_text(tmp_path: Path) -> None:
    path = tmp_path / "stop.txt"
    path.write_bytes(b"the\n\xff\n")
    with pytest.raises(InputError, match=r"stop\.txt:2: the stop words are not UTF-8: byte 4"):
        load_stop_words(path)


@pytest.mark.parametrize("weight", [0.1, 5])
@pytest.mark.parametrize("unit", ["segment", "token"])
def test_the_outermost_weights_give_numbers(weight: float, unit: Any) -> None:
    options = Rouge155Options(rouge_types=["rougeW"], weight=weight, counting_unit=unit)
    words = [f"w{number % 97}" for number in range(2_000)]
    texts = [" ".join(words), "\n".join(words), " ".join(words[::-1])]
    rows = rouge155_rows(texts, [texts[1:], texts[:1], texts[:2]], options)
    assert np.isfinite(rows).all()
    assert np.isfinite(rouge155_averages(rows.sum(axis=0), 3, options)).all()


def test_types_and_what_they_decide_do_not_contradict_each_other() -> None:
    options = Rouge155Options(orders=(1, 2), weight=1.5)
    assert options.with_options(weight=None).types == ("rouge1", "rouge2", "rougeL")
    with pytest.raises(OptionError, match=r"rouge_types says that orders is \(1, 2\)"):
        dataclasses.replace(options, orders=(1, 2, 3))
    with pytest.raises(OptionError, match="rouge_types says that weight is None"):
        Rouge155Options(rouge_types=("rouge1",), weight=1.5)
