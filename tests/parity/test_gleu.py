"""NLTK's `corpus_gleu` and `sentence_gleu` beside `cocarde.GLEU`: texts, tokens, references, orders."""

from __future__ import annotations

import doctest
import random
from typing import Any

import numpy as np
import pytest

from cocarde import GLEU
from tests.comparison import assert_same_score, assert_same_segments
from tests.data_access import Corpus

nltk_gleu = pytest.importorskip("nltk.translate.gleu_score", reason="NLTK is not installed")
corpus_gleu, sentence_gleu = nltk_gleu.corpus_gleu, nltk_gleu.sentence_gleu

pytestmark = pytest.mark.filterwarnings("ignore::cocarde.errors.CocardeWarning")

ORDERS = [(1, 4), (1, 1), (2, 2), (2, 5), (3, 9), (1, 12), (7, 30)]
NAMES = ["multeval", "multeval-references", "sgml", "summaries", "scripts", "ugly"]


def corpus_named(name: str, request: pytest.FixtureRequest) -> Corpus:
    if name == "multeval":
        found: Corpus = request.getfixturevalue("multeval").corpus().head(500)
    elif name == "multeval-references":
        multeval = request.getfixturevalue("multeval")
        found = multeval.corpus("baseline.opt0", "sys1.opt0", "sys1.opt1").head(200)
    else:
        fixture = {"scripts": "scripts_corpus", "ugly": "ugly_corpus"}.get(name, name)
        found = request.getfixturevalue(fixture).head(200)
    return found


def compare(
    metric: GLEU, texts: Any, references: Any, tokens: Any, answers: Any, orders: tuple[int, int]
) -> None:
    """Ours of the texts beside NLTK's of the tokens: the corpus, and every segment."""
    __tracebackhide__ = True
    least, most = orders
    theirs = corpus_gleu(answers, tokens, min_len=least, max_len=most)
    assert_same_score(metric.corpus_score(texts, references).fraction, theirs)
    assert_same_segments(
        metric.segment_scores(texts, references) / 100,
        [
            sentence_gleu(group, hypothesis, min_len=least, max_len=most)
            for group, hypothesis in zip(answers, tokens, strict=True)
        ],
        texts,
        references,
    )


@pytest.mark.parametrize("orders", ORDERS, ids=str)
@pytest.mark.parametrize("name", NAMES)
def test_texts_and_tokens(
    name: str, orders: tuple[int, int], request: pytest.FixtureRequest
) -> None:
    corpus = corpus_named(name, request)
    hypotheses = [text.split() for text in corpus.hypotheses]
    references = [[text.split() for text in group] for group in corpus.present_references()]
    metric = GLEU(min_ngram_order=orders[0], max_ngram_order=orders[1])
    compare(metric, corpus.hypotheses, corpus.references, hypotheses, references, orders)
    compare(metric, hypotheses, references, hypotheses, references, orders)


@pytest.mark.parametrize("orders", ORDERS[:3], ids=str)
@pytest.mark.parametrize("name", NAMES)
def test_huggingface_is_nltk_on_13a_tokens(
    name: str, orders: tuple[int, int], request: pytest.FixtureRequest
) -> None:
    """The tokens of Hugging Face's metric are those of sacreBLEU's 13a."""
    tokenizers = pytest.importorskip(
        "sacrebleu.tokenizers.tokenizer_13a", reason="sacreBLEU is not installed"
    )
    tokenize = tokenizers.Tokenizer13a()
    corpus = corpus_named(name, request)
    hypotheses = [tokenize(text).split() for text in corpus.hypotheses]
    references = [
        [tokenize(text).split() for text in group] for group in corpus.present_references()
    ]
    metric = GLEU.preset("huggingface", min_ngram_order=orders[0], max_ngram_order=orders[1])
    compare(metric, corpus.hypotheses, corpus.references, hypotheses, references, orders)


def test_ids_of_few_kinds_with_many_references() -> None:
    """References tie often, and some are empty."""
    draw = random.Random(7)
    hypotheses = [draw.choices(range(3), k=draw.randint(0, 9)) for _ in range(600)]
    references = [
        [draw.choices(range(3), k=draw.randint(0, 9)) for _ in range(draw.randint(1, 5))]
        for _ in hypotheses
    ]
    for orders in ORDERS:
        metric = GLEU(min_ngram_order=orders[0], max_ngram_order=orders[1])
        compare(metric, hypotheses, references, hypotheses, references, orders)


@pytest.mark.parametrize("size", [63, 64, 65, 97, 2000])
def test_long_segments(size: int) -> None:
    """Lengths at which the native core counts in another way."""
    draw = random.Random(size)
    for kinds in (2, 60, 5000):
        hypothesis = draw.choices(range(kinds), k=size)
        references = [
            hypothesis[size // 3 :] + draw.choices(range(kinds), k=other) for other in (1, size)
        ]
        for orders in ORDERS[:5]:
            metric = GLEU(min_ngram_order=orders[0], max_ngram_order=orders[1])
            compare(metric, [hypothesis], [references], [hypothesis], [references], orders)


def test_pairwise(multeval: Any) -> None:
    corpus = multeval.corpus().head(12)
    pairs = GLEU().pairwise(corpus.hypotheses, [group[0] for group in corpus.references])
    theirs = [
        [100 * sentence_gleu([group[0].split()], text.split()) for group in corpus.references]
        for text in corpus.hypotheses
    ]
    np.testing.assert_allclose(pairs, theirs, rtol=1e-9)


@pytest.mark.parametrize("function", [sentence_gleu, corpus_gleu], ids=lambda one: one.__name__)
def test_examples_of_its_documentation(function: Any) -> None:
    """The calls in NLTK's docstring, with ours in the place of its functions."""

    def ours_of_corpus(references: Any, hypotheses: Any) -> float:
        return GLEU().corpus_score(hypotheses, references).fraction

    def ours_of_sentence(references: Any, hypothesis: Any) -> float:
        return GLEU().sentence_score(hypothesis, references).fraction

    names = {"corpus_gleu": ours_of_corpus, "sentence_gleu": ours_of_sentence}
    test = doctest.DocTestParser().get_doctest(function.__doc__, names, "NLTK", None, 0)
    found = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
    assert found.attempted > 5 and not found.failed
