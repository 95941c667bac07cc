"""NLTK's `corpus_bleu` and `sentence_bleu` beside the preset ``nltk``, all smoothing methods.

NLTK's corpus BLEU hands its smoothing methods the variables that its loop leaves behind: methods 5
to 7 read the **last** segment's text. The preset does the same. Where NLTK stops with an
`AssertionError` (method 6 without a trigram match) cocarde raises an error that says why.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from cocarde import BLEU
from cocarde.errors import CocardeError
from tests.comparison import (
    assert_same_score,
    assert_same_segments,
    assert_same_statistics,
    interleave,
)
from tests.data_access import Corpus, MultEval, find_data_folder

pytest.importorskip("nltk", reason="NLTK is not installed")
from nltk.translate.bleu_score import (
    SmoothingFunction,
    closest_ref_length,
    corpus_bleu,
    modified_precision,
    sentence_bleu,
)

pytestmark = pytest.mark.filterwarnings("ignore::cocarde.errors.CocardeWarning")

METHODS = [f"method{number}" for number in range(8)]
VALUES: dict[str, list[float]] = {
    "method1": [0.1, 0.5],
    "method4": [5, 2],
    "method6": [5, 1],
    "method7": [5, 3],
}
WEIGHTS: list[tuple[float, ...]] = [
    (1.0,),
    (0.5, 0.5),
    (1 / 3, 1 / 3, 1 / 3),
    (0.25, 0.25, 0.25, 0.25),
    (0.1, 0.2, 0.3, 0.4),
    (0.2, 0.2, 0.2, 0.2, 0.2),
    (1.0, 0.0, 0.0, 0.0),
]

Tokens = list[str]


def method(name: str, value: float | None) -> Any:
    """NLTK's smoothing function; `value` is the constant that this method reads."""
    constants = {"method1": "epsilon", "method4": "k", "method6": "alpha", "method7": "k"}
    if value is None:
        return getattr(SmoothingFunction(), name)
    return getattr(SmoothingFunction(**{constants[name]: value}), name)


def corpus_or_none(*arguments: Any, **options: Any) -> float | None:
    """NLTK's corpus score; None where its method 6 stops for want of a trigram match."""
    try:
        return float(corpus_bleu(*arguments, **options))
    except AssertionError:
        return None


def sentence_or_none(references: Any, hypothesis: Any, **options: Any) -> float | None:
    """NLTK's sentence score, or None likewise."""
    try:
        return float(sentence_bleu(references, hypothesis, **options))
    except AssertionError:
        return None


def cases() -> list[tuple[str, float | None]]:
    """Each method with its default and with another value."""
    return [(name, value) for name in METHODS for value in (None, *VALUES.get(name, []))]


@pytest.fixture(autouse=True)
def quiet_peer() -> Iterator[None]:
    """NLTK warns of each order without a match."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield


def tokens_of(corpus: Corpus) -> tuple[list[Tokens], list[list[Tokens]]]:
    """Split at white space, as users of NLTK do."""
    return (
        [text.split() for text in corpus.hypotheses],
        [[text.split() for text in group] for group in corpus.present_references()],
    )


@pytest.fixture(scope="session")
def small(multeval: MultEval) -> tuple[list[Tokens], list[list[Tokens]]]:
    """300 segments with two references each."""
    return tokens_of(multeval.corpus("baseline.opt0", "sys1.opt0").head(300))


@pytest.fixture(scope="session")
def scripts(scripts_corpus: Corpus) -> tuple[list[Tokens], list[list[Tokens]]]:
    """Short segments in many scripts, 1 to 4 references."""
    return tokens_of(scripts_corpus)


@pytest.mark.parametrize("name", ["multeval", "summaries"])
def test_corpus_of_texts(request: pytest.FixtureRequest, name: str) -> None:
    """Text is cut at white space; the same as cutting it beforehand."""
    found = request.getfixturevalue(name)
    corpus: Corpus = found.corpus() if isinstance(found, MultEval) else found
    hypotheses, references = tokens_of(corpus)
    theirs = corpus_bleu(references, hypotheses)
    bleu = BLEU.preset("nltk")
    assert_same_score(bleu.corpus_score(corpus.hypotheses, corpus.references).fraction, theirs)
    assert_same_score(bleu.corpus_score(hypotheses, references).fraction, theirs)


def test_statistics_of_every_segment(scripts: Any) -> None:
    """NLTK's denominators are at least 1, segment by segment."""
    hypotheses, references = scripts
    matches, totals, lengths = [], [], []
    for hypothesis, group in zip(hypotheses, references, strict=True):
        fractions = [modified_precision(group, hypothesis, order) for order in range(1, 5)]
        matches.append([fraction.numerator for fraction in fractions])
        totals.append([fraction.denominator for fraction in fractions])
        lengths.append(closest_ref_length(group, len(hypothesis)))
    theirs = interleave([len(tokens) for tokens in hypotheses], lengths, matches, totals)
    bleu = BLEU.preset("nltk")
    ours = bleu.statistics(hypotheses, references)
    names = ["hypothesis_length", "reference_length"]
    names += [f"{kind}_{order}" for order in range(1, 5) for kind in ("matches", "total")]
    columns = np.stack([ours[name] for name in names], axis=1)
    assert_same_statistics(columns, theirs, names, hypotheses, references)


@pytest.mark.parametrize(
    ("name", "value", "weights"),
    [
        (name, value, weights)
        for name, value in cases()
        for weights in WEIGHTS
        # method 6 reads the trigram precision and fails without one
        if name != "method6" or len(weights) >= 3
    ],
)
def test_corpus_score(
    small: Any, name: str, value: float | None, weights: tuple[float, ...]
) -> None:
    hypotheses, references = small
    options: dict[str, Any] = {"smooth_method": name, "weights": weights}
    if value is not None:
        options["smooth_value"] = value
    bleu = BLEU.preset("nltk", **options)
    theirs = corpus_bleu(
        references, hypotheses, weights=weights, smoothing_function=method(name, value)
    )
    assert_same_score(bleu.corpus_score(hypotheses, references).fraction, theirs)


@pytest.mark.parametrize(("name", "value"), cases())
def test_small_corpora(scripts: Any, name: str, value: float | None) -> None:
    """Two to four short segments, where orders have no match or no n-gram at all."""
    hypotheses, references = scripts
    options: dict[str, Any] = {"smooth_method": name}
    if value is not None:
        options["smooth_value"] = value
    bleu = BLEU.preset("nltk", **options)
    compared = 0
    for first in range(0, len(hypotheses) - 4, 4):
        last = first + 2 + first // 4 % 3
        part, group = hypotheses[first:last], references[first:last]
        theirs = corpus_or_none(group, part, smoothing_function=method(name, value))
        if theirs is None:
            with pytest.raises(CocardeError, match="method6"):
                bleu.corpus_score(part, group)
            continue
        assert_same_score(
            bleu.corpus_score(part, group).fraction, theirs, f"segments {first} to {last - 1}"
        )
        compared += 1
    assert compared > 20


@pytest.mark.parametrize(("name", "value"), cases())
@pytest.mark.parametrize("which", ["small", "scripts"])
def test_segment_scores(
    request: pytest.FixtureRequest, which: str, name: str, value: float | None
) -> None:
    hypotheses, references = request.getfixturevalue(which)
    options: dict[str, Any] = {"smooth_method": name}
    if value is not None:
        options["smooth_value"] = value
    bleu = BLEU.preset("nltk", **options)
    kept, theirs = [], []
    for index, (hypothesis, group) in enumerate(zip(hypotheses, references, strict=True)):
        theirs_one = sentence_or_none(group, hypothesis, smoothing_function=method(name, value))
        if theirs_one is None:
            with pytest.raises(CocardeError, match="method6"):
                bleu.sentence_score(hypothesis, group)
        else:
            theirs.append(theirs_one)
            kept.append(index)
    part = [hypotheses[index] for index in kept]
    groups = [references[index] for index in kept]
    assert len(part) > 50
    assert_same_segments(bleu.segment_scores(part, groups) / 100, theirs, part, groups)
    for hypothesis, group, score in list(zip(part, groups, theirs, strict=True))[:50]:
        assert_same_score(bleu.sentence_score(hypothesis, group).fraction, score)


def test_several_weight_sets_at_once(small: Any) -> None:
    hypotheses, references = small
    sets = [weights for weights in WEIGHTS if len(weights) != 1]
    for name in METHODS:
        theirs = corpus_bleu(
            references, hypotheses, weights=sets, smoothing_function=method(name, None)
        )
        score = BLEU.preset("nltk", weights=sets, smooth_method=name).corpus_score(
            hypotheses, references
        )
        for weights, a, b in zip(sets, score.weight_scores, theirs, strict=True):
            assert_same_score(a / 100, b, f"{name}, weights {weights}")


@pytest.mark.parametrize("name", METHODS)
def test_auto_reweigh(scripts: Any, name: str) -> None:
    hypotheses, references = scripts
    short = [index for index, tokens in enumerate(hypotheses) if 0 < len(tokens) < 6]
    assert any(len(hypotheses[index]) < 4 for index in short)
    bleu = BLEU.preset("nltk", smooth_method=name, auto_reweigh=True)
    for index in short:
        hypothesis, group = hypotheses[index], references[index]
        theirs = sentence_or_none(
            group, hypothesis, smoothing_function=method(name, None), auto_reweigh=True
        )
        if theirs is None:
            with pytest.raises(CocardeError, match="method6"):
                bleu.sentence_score(hypothesis, group)
            continue
        assert_same_score(
            bleu.sentence_score(hypothesis, group).fraction, theirs, f"{hypothesis!r} {group!r}"
        )


def test_methods_5_to_7_read_the_last_segment(small: Any) -> None:
    """The order of segments matters to NLTK's corpus score; ours follows it."""
    hypotheses, references = small
    turned = [*hypotheses[1:], hypotheses[0]], [*references[1:], references[0]]
    for name in ("method5", "method6", "method7"):
        bleu = BLEU.preset("nltk", smooth_method=name)
        function = method(name, None)
        before = corpus_bleu(references, hypotheses, smoothing_function=function)
        after = corpus_bleu(turned[1], turned[0], smoothing_function=function)
        if find_data_folder() is not None:  # the bundled texts may end alike
            assert before != after, "the data no longer show what this test is for"
        assert_same_score(bleu.corpus_score(hypotheses, references).fraction, before, name)
        assert_same_score(bleu.corpus_score(*turned).fraction, after, name)


def test_no_match_at_all() -> None:
    for name in METHODS:
        bleu = BLEU.preset("nltk", smooth_method=name)
        assert corpus_bleu([[["x"]]], [["a"]], smoothing_function=method(name, None)) == 0
        assert bleu.corpus_score([["a"]], [["x"]]).score == 0
        assert bleu.sentence_score([], ["x"]).score == 0
