"""Google's rouge-score beside the preset ``rouge-score``: bit for bit, of each segment."""

from __future__ import annotations

import random

import numpy as np
import pytest

from cocarde import ROUGE
from cocarde.metrics.rouge.aggregation import bootstrap_aggregate
from tests.comparison import assert_same_score, assert_same_statistics
from tests.data_access import Corpus, MultEval, one_reference_each

pytest.importorskip("rouge_score", reason="rouge-score is not installed")
from rouge_score.rouge_scorer import RougeScorer
from rouge_score.scoring import BootstrapAggregator

pytestmark = pytest.mark.filterwarnings("ignore::cocarde.errors.CocardeWarning")

TYPES = ["rouge1", "rouge2", "rouge3", "rouge4", "rouge9", "rougeL", "rougeLsum"]


class SplitAtBlanks:
    """A tokenizer of the peer's kind that keeps every script."""

    def tokenize(self, text: str) -> list[str]:
        return text.split()


def peer_rows(corpus: Corpus, scorer: RougeScorer, types: list[str]) -> np.ndarray:
    rows = []
    for hypothesis, group in zip(corpus.hypotheses, corpus.present_references(), strict=True):
        found = (
            scorer.score(group[0], hypothesis)
            if len(group) == 1
            else scorer.score_multi(group, hypothesis)
        )
        rows.append([1.0, *(value for name in types for value in found[name])])
    return np.array(rows)


def assert_same(rouge: ROUGE, scorer: RougeScorer, corpus: Corpus, types: list[str]) -> None:
    theirs = peer_rows(corpus, scorer, types)
    ours = rouge.statistics(corpus.hypotheses, corpus.references)
    assert_same_statistics(
        ours.values, theirs, rouge.fields, corpus.hypotheses, corpus.present_references()
    )
    score = rouge.compute(ours.sum())
    for place, name in enumerate(types):
        for measure, mean in zip(
            ("precision", "recall", "fmeasure"),
            theirs[:, 1 + 3 * place : 4 + 3 * place].mean(axis=0),
            strict=True,
        ):
            assert_same_score(getattr(score[name], measure) / 100, mean, f"{name} {measure}")


def documents_of(corpus: Corpus, lines: int, count: int) -> Corpus:
    """Documents of so many lines each."""
    starts = range(0, lines * count, lines)
    hypotheses = ["\n".join(corpus.hypotheses[i : i + lines]) for i in starts]
    first = [group[0] or "" for group in corpus.references]
    return one_reference_each(hypotheses, ["\n".join(first[i : i + lines]) for i in starts])


@pytest.mark.parametrize("use_stemmer", [False, True])
@pytest.mark.parametrize("name", ["multeval", "two-references", "summaries", "scripts", "ugly"])
def test_statistics(request: pytest.FixtureRequest, name: str, use_stemmer: bool) -> None:
    if name in ("multeval", "two-references"):
        multeval: MultEval = request.getfixturevalue("multeval")
        second = ["baseline.opt0"] if name == "two-references" else []
        corpus = multeval.corpus("sys1.opt0", *second).head(800)
    else:
        fixture = {"scripts": "scripts_corpus", "ugly": "ugly_corpus"}.get(name, name)
        corpus = request.getfixturevalue(fixture).head(1500)
    assert_same(
        ROUGE(rouge_types=TYPES, use_stemmer=use_stemmer),
        RougeScorer(TYPES, use_stemmer=use_stemmer),
        corpus,
        TYPES,
    )


@pytest.mark.parametrize("use_stemmer", [False, True])
def test_documents_of_twenty_lines(multeval: MultEval, use_stemmer: bool) -> None:
    """Long summaries: subsequences of more than 64 tokens, unions over sentences."""
    assert_same(
        ROUGE(rouge_types=TYPES, use_stemmer=use_stemmer),
        RougeScorer(TYPES, use_stemmer=use_stemmer),
        documents_of(multeval.corpus(), 20, 12),
        TYPES,
    )


def test_sentences_of_many_words() -> None:
    """Unions of subsequences where sentences take several words of bits, few words in all."""
    rng = random.Random(3)

    def text() -> str:
        sentences = (
            " ".join(
                rng.choice(["a", "b", "c", "d", "e", "f"]) for _ in range(rng.randrange(0, 190))
            )
            for _ in range(rng.randrange(1, 4))
        )
        return "\n".join(sentences)

    corpus = one_reference_each([text() for _ in range(40)], [text() for _ in range(40)])
    assert_same(ROUGE(rouge_types=TYPES), RougeScorer(TYPES), corpus, TYPES)


def test_tokenizer_of_the_users(scripts_corpus: Corpus) -> None:
    assert_same(
        ROUGE(rouge_types=TYPES, tokenize="none"),
        RougeScorer(TYPES, tokenizer=SplitAtBlanks()),
        scripts_corpus,
        TYPES,
    )


def shouting(text: str) -> list[str]:
    return text.upper().replace("\n", " | ").split()


class Shouting:
    """The same for the peer; a text's tokens are not those of its lines."""

    def tokenize(self, text: str) -> list[str]:
        return shouting(text)


def test_python_tokenizer_sees_whole_texts_and_sentences(multeval: MultEval) -> None:
    assert_same(
        ROUGE(rouge_types=TYPES, tokenize=shouting),
        RougeScorer(TYPES, tokenizer=Shouting()),
        documents_of(multeval.corpus(), 4, 15),
        TYPES,
    )


def test_split_summaries(multeval: MultEval, monkeypatch: pytest.MonkeyPatch) -> None:
    """The peer cuts with NLTK's punkt; here both cut with the same plain splitter."""
    nltk = pytest.importorskip("nltk")
    from cocarde.tokenizers.sentences import get_sentence_splitter

    monkeypatch.setattr(nltk, "sent_tokenize", get_sentence_splitter("punctuation"))
    texts = documents_of(multeval.corpus(), 3, 40)
    joined = Corpus(
        [text.replace(" .", ".").replace("\n", " ") for text in texts.hypotheses],
        [[(group[0] or "").replace(" .", ".").replace("\n", " ")] for group in texts.references],
    )
    for splitter in ("punctuation", "nltk"):
        assert_same(
            ROUGE(rouge_types=TYPES, sentences=splitter),
            RougeScorer(TYPES, split_summaries=True),
            joined,
            TYPES,
        )


def test_bootstrap_with_the_same_seed(multeval: MultEval) -> None:
    """Also what Hugging Face's `evaluate` aggregates: it prints `mid.fmeasure`."""
    corpus = multeval.corpus().head(60)
    types = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
    scorer = RougeScorer(types)
    aggregator = BootstrapAggregator(n_samples=50)
    for hypothesis, group in zip(corpus.hypotheses, corpus.present_references(), strict=True):
        aggregator.add_scores(scorer.score(group[0], hypothesis))
    np.random.seed(7)
    theirs = aggregator.aggregate()
    rouge = ROUGE.preset("huggingface")
    rows = rouge.statistics(corpus.hypotheses, corpus.references)
    ours = bootstrap_aggregate(rows, resamples=50, seed=7)
    for name in types:
        for end in ("low", "mid", "high"):
            for a, b in zip(getattr(ours[name], end), getattr(theirs[name], end), strict=True):
                assert_same_score(a / 100, b, f"{name} {end}")


def test_one_type_alone_is_the_same(multeval: MultEval) -> None:
    corpus = multeval.corpus().head(100)
    together = ROUGE(rouge_types=TYPES).statistics(corpus.hypotheses, corpus.references)
    for name in TYPES:
        alone = ROUGE(rouge_types=[name]).statistics(corpus.hypotheses, corpus.references)
        for measure in ("precision", "recall", "fmeasure"):
            field = f"{name}_{measure}"
            assert np.array_equal(alone[field], together[field]), field
