"""NLTK's METEOR as a metric: options, input, statistics, signatures."""

from __future__ import annotations

import pickle
import sys
import time
from typing import Any

import numpy as np
import pytest

import cocarde
from cocarde import _native
from cocarde.errors import InputError, MissingExtraError, OptionError
from cocarde.metrics.meteor.nltk import FIELDS, METEORNLTK, METEORNLTKScore

METEOR = METEORNLTK(wordnet=None)
HYPOTHESES = ["It is a guide to action", "the cats sat", "", "nothing fits"]
REFERENCES = [
    ["It is the guide to actions", "guide"],
    ["a cat sat here"],
    ["empty", ""],
    ["xyz"],
]


def synonyms(word: str) -> list[str]:
    """A function from a stem to words, as a user may give it."""
    return {"guid": ["manual", "Handbook", "guid", "manual"]}.get(word, [])


def test_one_segment_by_hand() -> None:
    score = METEOR.sentence_score("It is a guide to action", "it is the guides to action .")
    # it is | guides to action: guides by its stem
    assert isinstance(score, METEORNLTKScore)
    assert (score.matches, score.chunks) == (5, 2)
    assert (score.hypothesis_length, score.reference_length) == (6, 7)
    precision, recall = 5 / 6, 5 / 7
    mean = precision * recall / (0.9 * precision + 0.1 * recall)
    penalty = 0.5 * (2 / 5) ** 3
    assert score.precision == pytest.approx(100 * precision, rel=1e-12)
    assert score.recall == pytest.approx(100 * recall, rel=1e-12)
    assert score.fmean == pytest.approx(100 * mean, rel=1e-12)
    assert score.fragmentation_penalty == pytest.approx(penalty, rel=1e-12)
    assert score.score == pytest.approx(100 * (1 - penalty) * mean, rel=1e-12)
    assert str(score).startswith("METEOR = 70.")
    assert "P = 83.33 R = 71.43 penalty = 0.032 matches = 5 chunks = 2" in str(score)


def test_the_corpus_is_the_mean_of_segments() -> None:
    scores = METEOR.segment_scores(HYPOTHESES, REFERENCES)
    assert scores[2] == scores[3] == 0
    corpus = METEOR.corpus_score(HYPOTHESES, REFERENCES)
    assert corpus.score == pytest.approx(scores.mean(), rel=1e-12)
    rows = METEOR.statistics(HYPOTHESES, REFERENCES)
    assert rows.fields == FIELDS
    assert METEOR.compute(rows.sum()) == corpus
    accumulator = METEOR.accumulator()
    for hypothesis, group in zip(HYPOTHESES, REFERENCES, strict=True):
        accumulator.update([hypothesis], [group])
    assert accumulator.compute().score == pytest.approx(corpus.score, rel=1e-12)
    _, groups = rows.group_sum(["a", "b", "a", "b"])
    assert METEOR.compute(groups) == pytest.approx([scores[::2].mean(), scores[1::2].mean()])


def test_zero_says_why() -> None:
    score = METEOR.sentence_score("nothing fits", "xyz")
    assert (score.score, score.matches, score.chunks) == (0, 0, 0)
    assert score.warnings == ("the score is 0 because no word matches",)
    for pair in (("", "a"), ("a", ""), ("", "")):
        assert METEOR.sentence_score(*pair).score == 0


def test_synonyms_are_looked_up_by_stem_and_by_the_hypothesis() -> None:
    metric = METEORNLTK(wordnet=synonyms)
    assert metric.sentence_score("guides", "manuals").matches == 1
    assert metric.sentence_score("manuals", "guides").matches == 0
    # Stems are in lower case, so that a name with a capital is never found.
    assert metric.sentence_score("guides", "handbook").matches == 0
    assert METEOR.sentence_score("guides", "manuals").matches == 0


def test_the_last_free_synonym_is_taken() -> None:
    def related(word: str) -> list[str]:
        return ["aa", "bb"] if word == "x" else []

    metric = METEORNLTK(wordnet=related)
    score = metric.sentence_score("x x x", "aa bb aa qq")
    assert (score.matches, score.chunks) == (3, 1)


def test_case() -> None:
    cased = METEOR.with_options(lowercase=False)
    # The stem is in lower case, whatever its word is.
    assert cased.sentence_score("Running", "running").matches == 1
    # What takes the last word first: equal words, before equal stems.
    assert METEOR.sentence_score("Cat cat", "cat Cat").chunks == 1
    assert cased.sentence_score("Cat cat", "cat Cat").chunks == 2
    # Lower-casing sees one token at a time, and so its last sigma.
    assert METEOR.sentence_score(["ΟΔΟΣ", "A"], ["οδος", "a"]).matches == 2


def test_texts_and_tokens() -> None:
    texts = METEOR.statistics(HYPOTHESES, REFERENCES)
    tokens = METEOR.statistics(
        [text.split() for text in HYPOTHESES],
        [[text.split() for text in group] for group in REFERENCES],
    )
    assert np.array_equal(texts.values, tokens.values)

    def clauses(text: str) -> list[str]:
        return text.split(" to ")

    own = METEORNLTK(wordnet=None, tokenize=clauses)
    assert own.sentence_score("a to b", "a to c").hypothesis_length == 2


def test_ids_need_a_vocabulary() -> None:
    with pytest.raises(InputError, match=r"METEOR compares words.*ids \(3 is one\).*vocabulary="):
        METEOR.statistics([[3, 1]], [[3, 2]])
    metric = METEOR.with_options(vocabulary=["<pad>", "cat", "cats", "sat"], ignore_ids=[0])
    score = metric.corpus_score(np.array([[1, 3, 0]]), np.array([[2, 3, 0]]))
    assert (score.matches, score.hypothesis_length, score.reference_length) == (2, 2, 2)


def test_prepared_references_pairs_and_threads() -> None:
    ready = METEOR.prepare(REFERENCES)
    scores = METEOR.segment_scores(HYPOTHESES, REFERENCES)
    assert np.array_equal(METEOR.segment_scores(HYPOTHESES, ready), scores)
    references = [text for group in REFERENCES for text in group]
    pairs = METEOR.pairwise(HYPOTHESES, references)
    assert pairs.shape == (4, 6)
    for row, hypothesis in zip(pairs, HYPOTHESES, strict=True):
        single = METEOR.segment_scores([hypothesis] * 6, references)
        assert np.array_equal(row, single)
    many = [f"{text} {number % 7}" for number, text in enumerate(HYPOTHESES * 2000)]
    before = cocarde.get_num_threads()
    try:
        found = []
        for threads in (1, 4):
            cocarde.set_num_threads(threads)
            found.append(METEOR.statistics(many, REFERENCES * 2000).values)
    finally:
        cocarde.set_num_threads(before)
    assert np.array_equal(found[0], found[1])


def test_many_equal_words_are_quick() -> None:
    tokens = ["a"] * 100_000
    started = time.perf_counter()
    score = METEOR.sentence_score(tokens, [tokens])
    assert time.perf_counter() - started < 2
    assert (score.matches, score.chunks) == (100_000, 1)

    def related(word: str) -> tuple[str, str]:
        return ("b", "c")

    score = METEORNLTK(wordnet=related).sentence_score(tokens, [["b", "c"] * 50_000])
    assert (score.matches, score.chunks) == (100_000, 1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alpha": 1.1}, "alpha must be a number from 0 to 1, found 1.1"),
        ({"alpha": "0.9"}, "alpha must be a number from 0 to 1, found '0.9'"),
        ({"beta": -1}, "beta must be a number of at least 0, found -1"),
        ({"beta": float("inf")}, "beta must be a number of at least 0, found inf"),
        ({"gamma": float("nan")}, "gamma must be a number from 0 to 1, found nan"),
        ({"gamma": True}, "gamma must be a number from 0 to 1, found True"),
        ({"lowercase": 1}, "lowercase must be True or False, found 1"),
        ({"wordnet": "wordnet31"}, "wordnet must be 'embedded', 'nltk', a corpus reader"),
        ({"wordnet": lambda word: ()}, "wordnet: a function without a name"),
        ({"wordnet": 3}, "wordnet must be 'embedded', 'nltk', a corpus reader.*found 3"),
        ({"stemmer": "porter-nlkt"}, "Did you mean 'porter-nltk'"),
        ({"tokenize": "nowhere"}, "nowhere"),
    ],
)
def test_options_out_of_range(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        METEOR.with_options(**options)


def test_unknown_options() -> None:
    with pytest.raises(OptionError, match=r"no option 'delta'; did you mean 'beta'\?"):
        METEOR.with_options(delta=1)


@pytest.mark.parametrize(
    "metric",
    [
        METEOR,
        METEOR.with_options(lowercase=False, alpha=0.5, beta=1, gamma=0.25),
        METEOR.with_options(tokenize="mteval-v13a", stemmer="snowball-de", ignore_ids=[3, 1]),
    ],
)
def test_signatures_and_pickles(metric: METEORNLTK) -> None:
    assert METEORNLTK.from_signature(metric.signature) == metric
    copy = pickle.loads(pickle.dumps(metric))
    assert copy == metric
    assert hash(copy) == hash(metric)
    assert copy.segment_scores(["a b"], ["a c"]) == metric.segment_scores(["a b"], ["a c"])


def test_the_signature() -> None:
    assert METEOR.signature == (
        "nrefs:1|case:lc|tok:none|stem:porter-nltk|syn:no|formula:nltk|version:nltk-3.10|"
        f"cocarde:{cocarde.__version__}"
    )
    assert METEOR.sentence_score("a", ["a", "b"]).signature.startswith("nrefs:2|")
    own = METEORNLTK(wordnet=synonyms)
    assert "|syn:own-synonyms|" in own.signature
    with pytest.raises(OptionError, match="not in a signature; use with_options"):
        METEORNLTK.from_signature(own.signature)
    with pytest.raises(OptionError, match=r"another METEOR: formula:meteor-1\.5"):
        METEORNLTK.from_signature("syn:no|formula:meteor-1.5")
    with pytest.raises(OptionError, match=r"cannot read beta:x .*: a number is needed"):
        METEORNLTK.from_signature("syn:no|beta:x")


def test_nltk_or_its_data_are_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("nltk", reason="needs the extra test")
    monkeypatch.setattr("nltk.data.path", [])
    with pytest.raises(MissingExtraError, match=r"python -m nltk\.downloader wordnet"):
        METEORNLTK(wordnet="nltk")
    monkeypatch.setitem(sys.modules, "nltk.corpus", None)
    with pytest.raises(MissingExtraError, match=r"pip install nltk"):
        METEORNLTK(wordnet="nltk")


def test_native_arguments() -> None:
    def numbers(*values: int) -> Any:
        return np.array(values, dtype=np.uint32)

    def offsets(*values: int) -> Any:
        return np.array(values, dtype=np.int64)

    good: list[Any] = [numbers(0, 1), numbers(0, 0), offsets(0, 0), numbers(), 0.9, 3, 0.5]
    matcher = _native.MeteorNltk(*good)
    for place, value in (
        (0, numbers(0)),
        (1, numbers(0, 1)),
        (2, offsets()),
        (2, offsets(0, 1)),
        (3, numbers(0)),
    ):
        with pytest.raises(ValueError, match=r"differ|range|fit"):
            bad = [*good[:place], value, *good[place + 1 :]]
            _native.MeteorNltk(*bad)
    column = _native.Column.of_tokens([["a", "b"]])
    words = _native.DistinctWords(column, column, 1)
    out = np.zeros((1, len(FIELDS)))
    matcher.statistics(words, offsets(0, 1), out, 1)
    assert out[0, 1] > 0
    with pytest.raises(ValueError, match="fit"):
        matcher.statistics(words, offsets(0, 2), out, 1)
    with pytest.raises(ValueError, match="size"):
        matcher.pairwise(words, np.zeros(3), 1)
    other = _native.Column.of_tokens([["c"]])
    with pytest.raises(ValueError, match="one form a word"):
        matcher.pairwise(_native.DistinctWords(column, other, 1), out, 1)
