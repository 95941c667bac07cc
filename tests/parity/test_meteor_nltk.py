"""NLTK's METEOR against NLTK, both with the same WordNet."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from cocarde.metrics.meteor.nltk import METEORNLTK
from tests.comparison import assert_same_score, assert_same_segments
from tests.data_access import load_multeval, read_lines, require_data_folder
from tests.nltk_wordnet import wordnet_reader
from tests.texts import corpus_in_many_scripts, ugly_corpus

peer = pytest.importorskip("nltk.translate.meteor_score", reason="needs the extra test")


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with wordnet_reader(tmp_path_factory.mktemp("wordnet")) as made:
        yield made


def scores_of_peer(
    hypotheses: Sequence[Sequence[str]],
    references: Sequence[Sequence[Sequence[str]]],
    reader: Any,
    **options: Any,
) -> list[float]:
    return [
        peer.meteor_score(group, hypothesis, wordnet=reader, **options)
        for hypothesis, group in zip(hypotheses, references, strict=True)
    ]


def check_tokens(
    metric: METEORNLTK,
    hypotheses: list[list[str]],
    references: list[list[list[str]]],
    reader: Any,
    **options: Any,
) -> None:
    ours = metric.segment_scores(hypotheses, references) / 100
    theirs = scores_of_peer(hypotheses, references, reader, **options)
    assert_same_segments(ours, theirs, hypotheses, references)
    corpus = metric.corpus_score(hypotheses, references)
    assert_same_score(corpus.fraction, float(np.mean(theirs)))


def split(texts: Sequence[str]) -> list[list[str]]:
    return [text.split() for text in texts]


@pytest.mark.parametrize("system", ["baseline.opt0", "sys1.opt2"])
def test_multeval(reader: Any, system: str) -> None:
    corpus = load_multeval().corpus(system, "sys1.opt0").head(1000)
    hypotheses, references = corpus.hypotheses, corpus.present_references()
    one = [group[:1] for group in references]
    metric = METEORNLTK(wordnet=reader)
    for groups in (one, references):
        theirs = scores_of_peer(split(hypotheses), [split(group) for group in groups], reader)
        ours = metric.segment_scores(hypotheses, groups) / 100
        assert_same_segments(ours, theirs, hypotheses, groups)
    # So that the last stage is known to have been at work.
    scores = metric.segment_scores(hypotheses, one)
    without = metric.with_options(wordnet=None).segment_scores(hypotheses, one)
    assert 40 < scores.mean() < 95
    assert (without < scores).sum() > 20  # several hundred of real data


def test_multeval_with_our_wordnet(reader: Any) -> None:
    corpus = load_multeval().corpus("sys1.opt0")
    references = corpus.present_references()
    ours = METEORNLTK().statistics(corpus.hypotheses, references)
    theirs = METEORNLTK(wordnet=reader).statistics(corpus.hypotheses, references)
    assert np.array_equal(ours.values, theirs.values)


def test_alignments(reader: Any) -> None:
    corpus = load_multeval().corpus("sys1.opt1").head(300)
    rows = METEORNLTK(wordnet=reader).statistics(corpus.hypotheses, corpus.references)
    for row, hypothesis, group in zip(rows, corpus.hypotheses, corpus.references, strict=True):
        assert group[0] is not None
        sides = [text.lower().split() for text in (hypothesis, group[0])]
        pairs, left, right = peer.align_words(*sides, wordnet=reader)
        assert row["matches"] == len(pairs)
        assert row["chunks"] == peer._count_chunks(pairs)
        assert row["hypothesis_length"] == len(pairs) + len(left)
        assert row["reference_length"] == len(pairs) + len(right)


def test_nlg_eval(reader: Any) -> None:
    folder = require_data_folder() / "nlg-eval"
    hypotheses = read_lines(folder / "hyp.txt")
    streams = [read_lines(folder / f"ref{number}.txt") for number in (1, 2)]
    references = [list(group) for group in zip(*streams, strict=True)]
    check_tokens(
        METEORNLTK(wordnet=reader),
        split(hypotheses),
        [split(group) for group in references],
        reader,
    )


@pytest.mark.parametrize("seed", [1, 2])
def test_many_scripts(reader: Any, seed: int) -> None:
    corpus = corpus_in_many_scripts(seed, 300)
    check_tokens(
        METEORNLTK(wordnet=reader),
        split(corpus.hypotheses),
        [split(group) for group in corpus.present_references()],
        reader,
    )


def test_ugly_text(reader: Any) -> None:
    corpus = ugly_corpus()
    check_tokens(
        METEORNLTK(wordnet=reader),
        split(corpus.hypotheses),
        [split(group) for group in corpus.present_references()],
        reader,
    )


_WORDS = (
    "car cars auto automobile Automobiles machine machines motorcar go goes went gone going travel "
    "move run runs running happy happily felicitous glad good well better best commodity big large "
    "great be is was are dog dogs domestic_dog hound chase party Party political_party U.S. us a A as "
    "İstanbul ΟΔΟΣ οδος οδός ﬁn ß ẞ dies dying die news skies x xs '' 's \x00 \ud800 😀 \u212aiwi kiwis"
)
WORDS = [*_WORDS.split(" "), "", " ", "two words", "ice cream", "\n"]


def token_pairs(seed: int, count: int) -> tuple[list[list[str]], list[list[list[str]]]]:
    chance = random.Random(seed)

    def tokens() -> list[str]:
        return chance.choices(WORDS, k=chance.choice((0, 1, 2, 3, 5, 8, 13, 30)))

    hypotheses = [tokens() for _ in range(count)]
    return hypotheses, [[tokens() for _ in range(chance.randint(1, 4))] for _ in range(count)]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"alpha": 0.5, "beta": 1.5, "gamma": 1.0},
        {"alpha": 1.0, "beta": 0.0, "gamma": 0.25},
        {"alpha": 0.0, "beta": 4, "gamma": 0},
    ],
)
def test_related_and_strange_words(reader: Any, options: dict[str, Any]) -> None:
    metric = METEORNLTK(wordnet=reader, **options)
    check_tokens(metric, *token_pairs(3, 600), reader, **options)


def test_case_and_stemmers(reader: Any) -> None:
    from nltk.stem.porter import PorterStemmer

    class Keep(PorterStemmer):  # type: ignore[misc]
        def stem(self, word: str) -> str:
            return str(super().stem(word, to_lowercase=False))

    pairs = token_pairs(4, 400)
    cased = METEORNLTK(wordnet=reader, lowercase=False)
    check_tokens(cased, *pairs, reader, preprocess=str)
    check_tokens(METEORNLTK(wordnet=reader), *pairs, reader, stemmer=Keep())


_GUIDE = """\
It is a guide to action which ensures that the military always obeys the commands of the party
It is a guide to action that ensures that the military will forever heed Party commands
It is the guiding principle which guarantees the military forces always being under the command of the Party
It is the practical guide for the army always to heed the directions of the party"""
GUIDE = _GUIDE.split("\n")


@pytest.mark.parametrize(
    ("hypothesis", "references", "score"),
    [
        # the documentation of NLTK 3.10
        (GUIDE[0], GUIDE[1:2], 0.6944),
        (GUIDE[0], GUIDE[1:], 0.6944),
        ("non matching hypothesis", ["this is a cat"], 0.0),
        # Wikipedia's article on METEOR
        ("on the mat sat the cat", ["the cat sat on the mat"], 0.5),
        ("the cat sat on the mat", ["the cat sat on the mat"], 0.9977),
        ("the cat was sat on the mat", ["the cat sat on the mat"], 0.9654),
    ],
)
def test_published(reader: Any, hypothesis: str, references: list[str], score: float) -> None:
    ours = METEORNLTK(wordnet=reader).sentence_score(hypothesis, references)
    [theirs] = scores_of_peer([hypothesis.split()], [split(references)], reader)
    assert_same_score(ours.fraction, theirs)
    assert round(theirs, 4) == score


def test_word_tokenize(reader: Any) -> None:
    """As Hugging Face evaluate calls it; its Punkt model aside, which needs a download."""
    from nltk.tokenize import NLTKWordTokenizer

    tokenize = NLTKWordTokenizer().tokenize
    corpus = load_multeval().corpus().head(100)
    metric = METEORNLTK(wordnet=reader, tokenize=tokenize)
    ours = metric.segment_scores(corpus.hypotheses, corpus.references) / 100
    theirs = scores_of_peer(
        [tokenize(text) for text in corpus.hypotheses],
        [[tokenize(text) for text in group] for group in corpus.present_references()],
        reader,
    )
    assert_same_segments(ours, theirs, corpus.hypotheses, corpus.references)
