"""torchtext's BLEU by its definition beside the preset ``torch``: needs no torch.

torchtext's own code runs in `test_torch.py`, where it can be loaded.
"""

from __future__ import annotations

import pytest

from cocarde import BLEU
from tests.comparison import assert_same_score, assert_same_segments
from tests.data_access import MultEval
from tests.oracles import torchtext_bleu

pytestmark = pytest.mark.filterwarnings("ignore::cocarde.errors.CocardeWarning")


@pytest.mark.parametrize("name", ["multeval", "summaries", "scripts", "ugly"])
def test_torchtext_by_definition(request: pytest.FixtureRequest, name: str) -> None:
    if name == "multeval":
        multeval: MultEval = request.getfixturevalue("multeval")
        corpus = multeval.corpus("baseline.opt0", "sys1.opt0", "sys1.opt2").head(300)
    else:
        fixture = {"scripts": "scripts_corpus", "ugly": "ugly_corpus"}.get(name, name)
        corpus = request.getfixturevalue(fixture).head(300)
    hypotheses = [text.split() for text in corpus.hypotheses]
    references = [[text.split() for text in group] for group in corpus.present_references()]
    for weights in ([0.25] * 4, [0.5, 0.5], [0.1, 0.2, 0.3, 0.2, 0.2]):
        theirs = torchtext_bleu.bleu_score(hypotheses, references, weights)
        bleu = BLEU.preset("torch", max_ngram_order=len(weights), weights=tuple(weights))
        assert_same_score(bleu.corpus_score(hypotheses, references).fraction, theirs)
        scores = [
            torchtext_bleu.bleu_score([hypothesis], [group], weights)
            for hypothesis, group in zip(hypotheses, references, strict=True)
        ]
        ours = bleu.segment_scores(hypotheses, references) / 100
        assert_same_segments(ours, scores, hypotheses, references)
