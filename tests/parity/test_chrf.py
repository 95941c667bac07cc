"""sacreBLEU's and NLTK's chrF beside `cocarde.CHRF`: every statistic, every option, every score."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cocarde import CHRF
from tests.comparison import assert_same_score, assert_same_segments
from tests.data_access import Corpus

sacrebleu = pytest.importorskip("sacrebleu", reason="sacreBLEU is not installed")
from sacrebleu.metrics import CHRF as SacreCHRF  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::cocarde.errors.CocardeWarning")

CORPORA = ["multeval", "multeval-references", "summaries", "scripts", "ugly"]
OPTIONS: list[dict[str, Any]] = [
    {},
    {"word_order": 1},
    {"word_order": 2},
    {"word_order": 3, "lowercase": True},
    {"char_order": 0, "word_order": 2},
    {"char_order": 1, "beta": 1},
    {"char_order": 3, "whitespace": True, "beta": 3},
    {"char_order": 8, "eps_smoothing": True},
    {"char_order": 10, "word_order": 3, "eps_smoothing": True, "beta": 0},
    {"char_order": 16, "word_order": 9, "whitespace": True, "lowercase": True},
    {"beta": 2.5, "word_order": 2, "eps_smoothing": True, "lowercase": True},
]


def corpus_named(name: str, request: pytest.FixtureRequest) -> Corpus:
    if name == "multeval":
        found: Corpus = request.getfixturevalue("multeval").corpus().head(500)
    elif name == "multeval-references":
        multeval = request.getfixturevalue("multeval")
        found = multeval.corpus("baseline.opt0", "sys1.opt0", "sys1.opt1").head(200)
    else:
        fixture = {"scripts": "scripts_corpus", "ugly": "ugly_corpus"}.get(name, name)
        found = request.getfixturevalue(fixture).head(120)
    return found


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("name", CORPORA)
def test_sacrebleu(name: str, options: dict[str, Any], request: pytest.FixtureRequest) -> None:
    corpus = corpus_named(name, request)
    peer, ours = SacreCHRF(**options), CHRF(**options)
    rows = peer._extract_corpus_statistics(corpus.hypotheses, corpus.streams())
    found = ours.statistics(corpus.hypotheses, corpus.references)
    np.testing.assert_array_equal(found.values, np.array(rows))
    scores = [peer._compute_f_score(row) for row in rows]
    assert_same_segments(
        ours.segment_scores(corpus.hypotheses, corpus.references),
        scores,
        corpus.hypotheses,
        corpus.references,
    )
    theirs = peer.corpus_score(corpus.hypotheses, corpus.streams())
    score = ours.corpus_score(corpus.hypotheses, corpus.references)
    assert_same_score(score.score, theirs.score)
    assert score.name == theirs.name
    pairs = ours.pairwise(
        corpus.hypotheses[:7], [group[0] or "" for group in corpus.references[:9]]
    )
    for i, hypothesis in enumerate(corpus.hypotheses[:7]):
        for j, group in enumerate(corpus.references[:9]):
            one = peer.sentence_score(hypothesis, [group[0] or ""]).score
            assert_same_score(pairs[i, j], one, f"pair {i}, {j}")


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_signatures(options: dict[str, Any]) -> None:
    """sacreBLEU's signature, with the name in front, brings back the metric; ours begins like it."""
    peer, ours = SacreCHRF(**options), CHRF(**options)
    score = peer.corpus_score(["a b"], [["a c"]])
    theirs = str(peer.get_signature())
    assert CHRF.from_signature(f"{score.name}|{theirs}") == ours
    assert CHRF.from_signature(ours.signature) == ours
    keys = dict(pair.split(":") for pair in ours.signature.split("|"))
    assert {key: keys[key] for key, _ in (x.split(":") for x in theirs.split("|"))} == dict(
        x.split(":") for x in theirs.split("|")
    )


def test_references_that_tie_count_by_the_first() -> None:
    hypotheses, references = ["ab cd"], [["abcx", "xbcd", "ab", "zz", ""]]
    for options in ({}, {"eps_smoothing": True}, {"word_order": 2}):
        peer = SacreCHRF(**options)
        for group in (references[0], references[0][::-1], ["zz", "", "q"], ["", "zz"]):
            rows = peer._extract_corpus_statistics(hypotheses, [[text] for text in group])
            found = CHRF(**options).statistics(hypotheses, [group])
            np.testing.assert_array_equal(found.values, np.array(rows))


def test_every_space_and_every_mark() -> None:
    """White space as str.split() has it, punctuation as string.punctuation has it."""
    everything = [chr(c) for c in range(0x3100) if not 0xD800 <= c < 0xE000]
    hypotheses = [f"a{c}b {c}c c{c} {c} {c}{c}" for c in everything]
    references = [f"ab {c}c d{c}" for c in everything]
    chosen: list[dict[str, Any]] = [{"word_order": 2}, {"word_order": 1, "whitespace": True}]
    for options in chosen:
        rows = SacreCHRF(**options)._extract_corpus_statistics(hypotheses, [references])
        found = CHRF(**options).statistics(hypotheses, references)
        np.testing.assert_array_equal(found.values, np.array(rows))


NLTK_OPTIONS: list[dict[str, Any]] = [
    {},
    {"min_len": 2, "max_len": 3},
    {"max_len": 9, "beta": 1.0},
    {"ignore_whitespace": False, "beta": 0.5},
]


@pytest.mark.parametrize("options", NLTK_OPTIONS, ids=str)
@pytest.mark.parametrize("name", ["multeval", "scripts", "ugly"])
def test_nltk(name: str, options: dict[str, Any], request: pytest.FixtureRequest) -> None:
    peer = pytest.importorskip("nltk.translate.chrf_score", reason="NLTK is not installed")
    corpus = corpus_named(name, request).head(100)
    names = {"min_len": "min_char_order", "max_len": "char_order", "beta": "beta"}
    ours = {names[key]: value for key, value in options.items() if key in names}
    ours["whitespace"] = not options.get("ignore_whitespace", True)
    metric = CHRF.preset("nltk", **ours)
    references = [next(text for text in group if text is not None) for group in corpus.references]
    theirs = 100 * peer.corpus_chrf(references, corpus.hypotheses, **options)
    # Where nothing matches, NLTK's score is 1e-16.
    assert metric.corpus_score(corpus.hypotheses, references).score == pytest.approx(
        theirs, rel=1e-9, abs=1e-12
    )
    scores = [
        100 * peer.sentence_chrf(reference, hypothesis, **options)
        for hypothesis, reference in zip(corpus.hypotheses, references, strict=True)
    ]
    np.testing.assert_allclose(
        metric.segment_scores(corpus.hypotheses, references), scores, rtol=1e-9, atol=1e-12
    )
