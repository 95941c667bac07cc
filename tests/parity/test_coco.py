"""pycocoevalcap's `Bleu(4)` beside the preset ``coco``: of the corpus and of each segment."""

from __future__ import annotations

import pytest

from cocarde import BLEU
from tests.comparison import assert_same_score, assert_same_segments
from tests.data_access import Corpus, MultEval, read_lines

pytest.importorskip("pycocoevalcap", reason="pycocoevalcap is not installed")
from pycocoevalcap.bleu.bleu import Bleu

pytestmark = pytest.mark.filterwarnings("ignore::cocarde.errors.CocardeWarning")


def peer_scores(
    hypotheses: list[str], references: list[list[str]], order: int = 4
) -> tuple[list[float], list[list[float]]]:
    """BLEU-1 to BLEU-n of the corpus, and for each order the list over segments."""
    corpus, segments = Bleu(order).compute_score(
        dict(enumerate(references)), {i: [text] for i, text in enumerate(hypotheses)}, verbose=0
    )
    return corpus, segments


@pytest.mark.parametrize("order", [4, 3, 1])
@pytest.mark.parametrize(
    "name", ["multeval", "multeval-2-references", "sgml", "summaries", "scripts", "ugly"]
)
def test_corpus_and_segments(request: pytest.FixtureRequest, name: str, order: int) -> None:
    if name.startswith("multeval"):
        multeval: MultEval = request.getfixturevalue("multeval")
        corpus = multeval.corpus("sys1.opt0", *(["baseline.opt0"] if "2" in name else []))
    else:
        fixture = {"scripts": "scripts_corpus", "ugly": "ugly_corpus"}.get(name, name)
        corpus = request.getfixturevalue(fixture)
    if order != 4:
        corpus = corpus.head(400)
    hypotheses, references = corpus.hypotheses, corpus.present_references()
    theirs, segments = peer_scores(hypotheses, references, order)
    score = BLEU.preset("coco", max_ngram_order=order).corpus_score(hypotheses, corpus.references)
    assert len(score.scores) == order
    for n, (a, b) in enumerate(zip(score.scores, theirs, strict=True), start=1):
        assert_same_score(a / 100, b, f"BLEU-{n}")
    assert_same_score(score.fraction, theirs[-1])
    for n, values in enumerate(segments, start=1):
        bleu = BLEU.preset("coco", max_ngram_order=n)
        assert_same_segments(
            bleu.segment_scores(hypotheses, corpus.references) / 100,
            values,
            hypotheses,
            references,
            what=f"BLEU-{n} of a segment",
        )


def test_all_orders_of_single_segments(scripts_corpus: Corpus) -> None:
    hypotheses, references = scripts_corpus.hypotheses, scripts_corpus.present_references()
    _, segments = peer_scores(hypotheses, references)
    bleu = BLEU.preset("coco")
    for i, (hypothesis, group) in enumerate(zip(hypotheses, references, strict=True)):
        for n, value in enumerate(bleu.sentence_score(hypothesis, group).scores):
            assert_same_score(value / 100, segments[n][i], f"BLEU-{n + 1} of {hypothesis!r}")


def test_nlg_eval() -> None:
    """The peer on nlg-eval's two segments; its published values are in `unit/test_seeds.py`."""
    from tests.data_access import require_data_folder

    folder = require_data_folder() / "nlg-eval"
    hypotheses = read_lines(folder / "hyp.txt")
    references = [
        list(group)
        for group in zip(
            read_lines(folder / "ref1.txt"), read_lines(folder / "ref2.txt"), strict=True
        )
    ]
    theirs, _ = peer_scores(hypotheses, references)
    score = BLEU.preset("coco").corpus_score(hypotheses, references)
    for a, b in zip(score.scores, theirs, strict=True):
        assert_same_score(a / 100, b)
