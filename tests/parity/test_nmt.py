"""`compute_bleu` of TensorFlow NMT and Hugging Face beside the presets ``nmt``, ``huggingface``.

The live peer is the Rust package `bleuscore`; `oracles.compute_bleu` is the definition.
"""

from __future__ import annotations

import pytest

from cocarde import BLEU
from tests.comparison import assert_same_score, assert_same_segments
from tests.data_access import Corpus, MultEval
from tests.oracles.compute_bleu import compute_bleu

pytestmark = pytest.mark.filterwarnings("ignore::cocarde.errors.CocardeWarning")


def smoothing(smooth: bool) -> str:
    """cocarde's name for the peers' switch."""
    return "add-one" if smooth else "none"


@pytest.mark.parametrize("order", [1, 2, 4, 5])
@pytest.mark.parametrize("smooth", [False, True], ids=["plain", "smooth"])
@pytest.mark.parametrize("name", ["multeval", "summaries", "scripts", "ugly"])
def test_against_the_definition(
    request: pytest.FixtureRequest, name: str, smooth: bool, order: int
) -> None:
    if name == "multeval":
        multeval: MultEval = request.getfixturevalue("multeval")
        corpus = multeval.corpus("baseline.opt0", "sys1.opt0", "sys1.opt2").head(300)
    else:
        fixture = {"scripts": "scripts_corpus", "ugly": "ugly_corpus"}.get(name, name)
        corpus = request.getfixturevalue(fixture).head(300)
    hypotheses = [text.split() for text in corpus.hypotheses]
    references = [[text.split() for text in group] for group in corpus.present_references()]
    bleu = BLEU.preset("nmt", max_ngram_order=order, smooth_method=smoothing(smooth))

    theirs = compute_bleu(references, hypotheses, order, smooth)
    ours = bleu.corpus_score(corpus.hypotheses, corpus.references)
    assert_same_score(ours.fraction, theirs.score)
    assert_same_score(ours.brevity_penalty, theirs.brevity_penalty, "brevity penalty")
    for n, (a, b) in enumerate(zip(ours.precisions, theirs.precisions, strict=True), start=1):
        assert_same_score(a / 100, b, f"precision {n}")
    assert ours.hypothesis_length == theirs.translation_length
    assert ours.reference_length == theirs.reference_length
    assert_same_score(bleu.corpus_score(hypotheses, references).fraction, theirs.score)

    scores = []
    for hypothesis, group in zip(hypotheses, references, strict=True):
        if not hypothesis or not min(group, key=len):
            scores.append(0.0)  # the peer divides by zero; see the test below
        else:
            scores.append(compute_bleu([group], [hypothesis], order, smooth).score)
    kept = [i for i, group in enumerate(references) if min(group, key=len)]
    assert len(kept) > 250
    segments = bleu.segment_scores(corpus.hypotheses, corpus.references)
    assert_same_segments(
        [segments[i] / 100 for i in kept],
        [scores[i] for i in kept],
        [corpus.hypotheses[i] for i in kept],
        [corpus.references[i] for i in kept],
    )


@pytest.mark.parametrize("smooth", [False, True], ids=["plain", "smooth"])
def test_where_the_peer_divides_by_zero(smooth: bool) -> None:
    """An empty hypothesis has the score 0."""
    with pytest.raises(ZeroDivisionError):
        compute_bleu([[["a"]]], [[]], 4, smooth)
    bleu = BLEU.preset("nmt", smooth_method=smoothing(smooth))
    assert bleu.corpus_score([""], [["a"]]).score == 0


@pytest.mark.parametrize("order", [1, 3, 4])
@pytest.mark.parametrize("smooth", [False, True], ids=["plain", "smooth"])
@pytest.mark.parametrize("name", ["multeval", "sgml", "summaries"])
def test_bleuscore(request: pytest.FixtureRequest, name: str, smooth: bool, order: int) -> None:
    bleuscore = pytest.importorskip("bleuscore", reason="bleuscore is not installed")
    found = request.getfixturevalue(name)
    corpus: Corpus = (
        found.corpus("sys1.opt0", "baseline.opt2") if isinstance(found, MultEval) else found
    )
    references = corpus.present_references()
    for method, preset in (("shortest", {}), ("closest", {"reference_length": "closest"})):
        theirs = bleuscore.compute(
            references, corpus.hypotheses, max_order=order, smooth=smooth, ref_len_method=method
        )
        bleu = BLEU.preset(
            "huggingface", max_ngram_order=order, smooth_method=smoothing(smooth), **preset
        )
        ours = bleu.corpus_score(corpus.hypotheses, references)
        assert_same_score(ours.fraction, theirs["bleu"])
        assert_same_score(ours.brevity_penalty, theirs["brevity_penalty"])
        assert ours.hypothesis_length == theirs["translation_length"]
        assert ours.reference_length == theirs["reference_length"]
        for a, b in zip(ours.precisions, theirs["precisions"], strict=True):
            assert_same_score(a / 100, b)


def test_huggingface_is_nmt_on_13a_tokens(sgml: Corpus) -> None:
    """The tokens of Hugging Face's metric are those of sacreBLEU's 13a."""
    tokenizers = pytest.importorskip(
        "sacrebleu.tokenizers.tokenizer_13a", reason="sacreBLEU is not installed"
    )
    tokenize = tokenizers.Tokenizer13a()
    corpus = sgml.head(500)
    hypotheses = [tokenize(text).split() for text in corpus.hypotheses]
    references = [[tokenize(text).split() for text in group] for group in corpus.references]
    theirs = compute_bleu(references, hypotheses)
    ours = BLEU.preset("huggingface").corpus_score(corpus.hypotheses, corpus.references)
    assert_same_score(ours.fraction, theirs.score)
