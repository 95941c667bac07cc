"""One call for one segment: a way of its own through columns and formulas, and the same numbers."""

from __future__ import annotations

import math
import pickle
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from cocarde import (
    BLEU,
    CHRF,
    GLEU,
    METEOR,
    ROUGE,
    TER,
    CocardeWarning,
    InputError,
    MissingExtraError,
    References,
)
from cocarde.core.arithmetic import NUMBERS, ROWS, columns_of, total
from tests.texts import ugly_corpus

FAMILIES: dict[str, Any] = {
    "bleu": BLEU,
    "chrf": CHRF,
    "rouge": ROUGE,
    "meteor": METEOR,
    "ter": TER,
    "gleu": GLEU,
}
PRESETS = [f"{family}:{name}" for family, metric in FAMILIES.items() for name in metric.presets()]
OPTIONS: dict[str, Callable[[], Any]] = {
    "floor": lambda: BLEU(smooth_method="floor"),
    "add-k": lambda: BLEU(smooth_method="add-k", effective_order=True),
    "nine orders": lambda: BLEU(max_ngram_order=9, lowercase=True),
    "sets of weights": lambda: BLEU(weights=[(0.5, 0.5), (0.3, 0.0, 0.7)]),
    **{
        f"nltk method{n}": partial(BLEU.preset, "nltk", smooth_method=f"method{n}")
        for n in (1, 2, 3, 4, 5, 7)
    },
    "nltk reweighed": lambda: BLEU.preset("nltk", auto_reweigh=True),
    "torch, add-one": lambda: BLEU.preset("torch", smooth_method="add-one"),
    "mean F": lambda: CHRF(eps_smoothing=True, char_order=7, word_order=3),
    "words from three letters on": lambda: CHRF(min_char_order=3, word_order=1),
    "tokenizer by script": lambda: ROUGE(tokenize="auto"),
    "sentences": lambda: ROUGE(sentences="punctuation", use_stemmer=True, multiple="mean"),
    "normalised": lambda: METEOR(normalize=True),
    "simple lower case": lambda: BLEU(tokenize="mteval-v13a-intl", lowercase=True),
}
CORPUS = ugly_corpus(segments=60)
PAIRS: list[tuple[str, Any]] = [
    *zip(CORPUS.hypotheses, CORPUS.references, strict=True),
    ("", ["", "a"]),
    ("a b", [""]),
    ("a", ["a"]),
    ("the cat sat on the mat", ["the cat sat on the mat"]),
    ("the cat sat on the mat", ["on a mat the cat sat", "the dog"]),
]


@pytest.fixture(params=[*PRESETS, *OPTIONS])
def metric(request: pytest.FixtureRequest) -> Any:
    name: str = request.param
    if name in OPTIONS:
        return OPTIONS[name]()
    family, _, preset = name.partition(":")
    try:
        return FAMILIES[family].preset(preset)
    except MissingExtraError as error:
        pytest.skip(str(error))


def outcome(call: Callable[..., Any], *arguments: Any) -> tuple[Any, list[str]]:
    """What a call returns or raises, and what it warns of."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always", CocardeWarning)
        try:
            result = call(*arguments)
        except InputError as error:
            result = str(error)
    return result, [str(warning.message) for warning in found]


def by_part(metric: Any, scores: Any) -> dict[str, list[float]]:
    """What calls return for several rows, by part."""
    found = scores if metric.has_parts else {metric.name: scores}
    return {name: part.tolist() for name, part in found.items()}


def test_the_same_score_in_every_field_as_by_way_of_a_corpus(metric: Any) -> None:
    def by_corpus(hypothesis: str, references: References) -> Any:
        return metric.compute(metric.statistics([hypothesis], references).sum(), level="segment")

    score = metric.sentence_score
    for hypothesis, references in PAIRS:
        texts = [references] if isinstance(references, str) else list(references)
        alone = outcome(score, hypothesis, texts)
        # References made before, a tuple, and one None: none of these takes the short way.
        ready = References.from_streams(*([text] for text in texts))
        assert outcome(by_corpus, hypothesis, ready) == alone
        assert outcome(score, hypothesis, tuple(texts)) == alone
        assert outcome(score, hypothesis, [None, *texts]) == alone
        if len(texts) == 1:
            assert outcome(score, hypothesis, texts[0]) == alone
        if not isinstance(alone[0], str):
            assert pickle.loads(pickle.dumps(alone[0])) == alone[0]
            rows, _ = outcome(metric.segment_scores, [hypothesis], [texts])
            assert by_part(metric, rows) == {
                name: [part.score] for name, part in alone[0].parts().items()
            }


@pytest.mark.parametrize(
    "metric",
    [
        BLEU(effective_order=False),
        *map(BLEU.preset, ("mteval-v13a", "nltk", "coco", "nmt", "torch", "numpy")),
        CHRF(word_order=2),
        TER(),
        ROUGE(),
        METEOR(),
    ],
    ids=lambda metric: metric.signature,
)
def test_a_corpus_of_one_segment_is_that_segment(metric: Any) -> None:
    for hypothesis, references in PAIRS:
        found = [
            outcome(metric.sentence_score, hypothesis, references),
            outcome(metric.corpus_score, [hypothesis], [references]),
        ]
        # Each says in its own words what is too short.
        alone, corpus = ((replace(score, warnings=()), warned) for score, warned in found)
        assert corpus == alone


def test_one_row_and_many_rows_give_the_same_scores(metric: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rows = metric.statistics(*zip(*PAIRS, strict=True))
    for level in ("corpus", "segment"):
        many = metric.compute(rows.values, level=level)
        for name, scores in by_part(metric, many).items():
            for row, score in zip(rows.values, scores, strict=True):
                alone = metric.compute(row, level=level).parts()[name].score
                assert math.isclose(alone, score, rel_tol=1e-14, abs_tol=1e-300)


SPECIAL = [0.0, 0.5, 1.0, 2.0, 3.7, 1e-300, 1e300, math.inf]


def both_ways(call: Callable[..., Any], *arguments: float) -> Iterator[float]:
    yield call(NUMBERS, *arguments)
    (many,) = call(ROWS, *(np.array([argument]) for argument in arguments))
    yield float(many)


@pytest.mark.parametrize("a", SPECIAL)
@pytest.mark.parametrize("b", SPECIAL)
def test_numbers_and_arrays_have_the_same_arithmetic(a: float, b: float) -> None:
    operations: list[Callable[..., Any]] = [
        lambda of, x, y: of.divide(x, y),
        lambda of, x, y: of.ratio(x, y),
        lambda of, x, y: of.ratio(x, y, 7.0),
        lambda of, x, y: of.minimum(x, y),
        lambda of, x, y: of.maximum(x, y),
        lambda of, x, y: of.where(x > y, x, y),
        lambda of, x, y: of.exp(of.minimum(x, 3.0) - of.minimum(y, 3.0)),
        lambda of, x, y: of.log(of.maximum(x, 0.1)) + of.log(of.maximum(y, 0.1)),
        lambda of, x, y: of.power(of.minimum(x, 1.0), 0.2) + of.power(of.minimum(y, 1.0), 3.0),
        lambda of, x, y: of.join([x, y]).sum(axis=-1),
    ]
    with np.errstate(all="ignore"):
        for operation in operations:
            number, row = both_ways(operation, a, b)
            assert number == row or (math.isnan(number) and math.isnan(row))
    for of, x in ((NUMBERS, a), (ROWS, np.array([a]))):
        assert of.any(x > b) is (a > b)


@pytest.mark.parametrize("count", [1, 2, 7, 8, 9, 15, 16, 17, 127, 128, 129, 200, 1000])
def test_sums_are_those_of_numpy(count: int) -> None:
    rows = np.random.default_rng(count).random((50, count)) ** 9
    assert np.array_equal(total(list(rows.T)), rows.sum(axis=-1))
    assert [total(row.tolist()) for row in rows] == rows.sum(axis=-1).tolist()


def test_columns_are_numbers_for_one_row_and_arrays_for_many() -> None:
    values = np.arange(6.0).reshape(2, 3)
    assert columns_of(values[1]) == (NUMBERS, [3.0, 4.0, 5.0])
    arithmetic, columns = columns_of(values)
    assert arithmetic is ROWS
    assert [column.tolist() for column in columns] == [[0, 3], [1, 4], [2, 5]]
    assert columns_of(values.reshape(1, 2, 3))[1][0].shape == (1, 2)


@pytest.mark.parametrize(
    ("metric", "most"),
    [
        (BLEU(), 190),
        (CHRF(), 180),
        (TER(), 110),
        (ROUGE(rouge_types=["rouge1", "rouge2", "rougeL"]), 150),
        (METEOR(), 270),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_a_call_is_made_of_few_calls(metric: Any, most: int) -> None:
    """Time depends on the machine; what takes it are calls of Python functions, and those do not."""
    hypothesis = "the cat sat on the mat because it was tired"
    references = ["the cat was sitting on the mat since it was tired"]
    metric.sentence_score(hypothesis, references)  # what is made once
    calls = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        metric.sentence_score(hypothesis, references)
    finally:
        sys.setprofile(before)
    assert calls <= most
