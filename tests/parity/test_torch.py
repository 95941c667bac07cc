"""torchmetrics' two BLEU scores and torchtext's beside ``torch`` and ``torch-sacrebleu``.

torchmetrics counts in the default floating type. With float64 the scores agree to 1e-9; with its
usual float32 to what that can hold.
"""

from __future__ import annotations

import importlib.util
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cocarde import BLEU
from tests.comparison import TOLERANCE, assert_same_score, assert_same_segments
from tests.data_access import Corpus, MultEval
from tests.oracles import torchtext_bleu

pytestmark = [
    pytest.mark.torch,
    pytest.mark.filterwarnings("ignore::cocarde.errors.CocardeWarning"),
]

SINGLE = 1e-5


@pytest.fixture(params=["float64", "float32"])
def tolerance(request: pytest.FixtureRequest) -> Iterator[float]:
    """Set torch's default type for one test; gives the tolerance that goes with it."""
    torch = pytest.importorskip("torch", reason="torch is not installed")
    before = torch.get_default_dtype()
    torch.set_default_dtype(getattr(torch, request.param))
    try:
        yield TOLERANCE if request.param == "float64" else SINGLE
    finally:
        torch.set_default_dtype(before)


@pytest.fixture(scope="session")
def torchmetrics_text() -> Any:
    """`torchmetrics.functional.text`."""
    return pytest.importorskip(
        "torchmetrics.functional.text", reason="torchmetrics is not installed"
    )


def corpus_named(request: pytest.FixtureRequest, name: str) -> Corpus:
    """300 segments of one of the session's corpora."""
    if name == "multeval":
        multeval: MultEval = request.getfixturevalue("multeval")
        return multeval.corpus("baseline.opt0", "sys1.opt0", "sys1.opt2").head(300)
    fixture = {"scripts": "scripts_corpus", "ugly": "ugly_corpus"}.get(name, name)
    corpus: Corpus = request.getfixturevalue(fixture)
    return corpus.head(300)


@pytest.mark.parametrize("smooth", [False, True], ids=["plain", "smooth"])
@pytest.mark.parametrize("order", [1, 2, 4])
@pytest.mark.parametrize("name", ["multeval", "summaries", "scripts", "ugly"])
def test_bleu_score(
    request: pytest.FixtureRequest,
    *,
    torchmetrics_text: Any,
    tolerance: float,
    name: str,
    order: int,
    smooth: bool,
) -> None:
    corpus = corpus_named(request, name)
    references = corpus.present_references()
    bleu = BLEU.preset(
        "torch", max_ngram_order=order, smooth_method="add-one" if smooth else "none"
    )
    theirs = torchmetrics_text.bleu_score(
        corpus.hypotheses, references, n_gram=order, smooth=smooth
    )
    ours = bleu.corpus_score(corpus.hypotheses, references)
    assert_same_score(ours.fraction, theirs.item(), tolerance=tolerance)
    if tolerance == TOLERANCE:
        hypotheses, groups = corpus.hypotheses[:60], references[:60]
        segments = [
            torchmetrics_text.bleu_score([text], [group], n_gram=order, smooth=smooth).item()
            for text, group in zip(hypotheses, groups, strict=True)
        ]
        assert_same_segments(
            bleu.segment_scores(hypotheses, groups) / 100, segments, hypotheses, groups
        )


def test_weights(request: pytest.FixtureRequest, torchmetrics_text: Any, tolerance: float) -> None:
    corpus = corpus_named(request, "multeval")
    for weights in ([0.4, 0.3, 0.2, 0.1], [0.7, 0.3]):
        theirs = torchmetrics_text.bleu_score(
            corpus.hypotheses, corpus.references, n_gram=len(weights), weights=weights
        )
        bleu = BLEU.preset("torch", max_ngram_order=len(weights), weights=tuple(weights))
        ours = bleu.corpus_score(corpus.hypotheses, corpus.references)
        assert_same_score(ours.fraction, theirs.item(), tolerance=tolerance)


@pytest.mark.parametrize("lowercase", [False, True], ids=["mixed", "lowercase"])
@pytest.mark.parametrize("tokenizer", ["none", "13a", "zh", "intl", "char"])
@pytest.mark.parametrize("name", ["sgml", "scripts", "ugly"])
def test_sacre_bleu_score(
    request: pytest.FixtureRequest,
    *,
    torchmetrics_text: Any,
    tolerance: float,
    name: str,
    tokenizer: str,
    lowercase: bool,
) -> None:
    corpus = corpus_named(request, name).head(150)
    references = corpus.present_references()
    bleu = BLEU.preset("torch-sacrebleu", tokenize=tokenizer, lowercase=lowercase)
    theirs = torchmetrics_text.sacre_bleu_score(
        corpus.hypotheses, references, tokenize=tokenizer, lowercase=lowercase
    )
    ours = bleu.corpus_score(corpus.hypotheses, references)
    assert_same_score(ours.fraction, theirs.item(), tolerance=tolerance)


def test_the_first_of_two_equally_close_references_counts(
    torchmetrics_text: Any, tolerance: float
) -> None:
    hypothesis, longer, shorter = "a b c d e", "a b c d e f g", "a b c"
    bleu = BLEU.preset("torch")
    scores = []
    for group in ([longer, shorter], [shorter, longer]):
        theirs = torchmetrics_text.bleu_score([hypothesis], [group]).item()
        ours = bleu.corpus_score([hypothesis], [group])
        assert ours.reference_length == len(group[0].split())
        assert_same_score(ours.fraction, theirs, tolerance=tolerance)
        scores.append(theirs)
    assert scores[0] < scores[1]


def load_torchtext() -> Callable[..., float] | None:
    """torchtext's function from its file: the package itself no longer loads beside new torch."""
    try:
        import torch  # noqa: F401

        spec = importlib.util.find_spec("torchtext")
    except ImportError:
        return None
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent / "data"
    names = ["torchtext", "torchtext.data", "torchtext.data.utils", "torchtext.data.metrics"]
    before = {name: sys.modules.get(name) for name in names}
    try:
        for name in names[:2]:
            package = types.ModuleType(name)
            package.__path__ = []
            sys.modules[name] = package
        for name in names[2:]:
            file = folder / (name.rsplit(".", 1)[1] + ".py")
            module_spec = importlib.util.spec_from_file_location(name, file)
            assert module_spec is not None
            assert module_spec.loader is not None
            module = importlib.util.module_from_spec(module_spec)
            sys.modules[name] = module
            module_spec.loader.exec_module(module)
        function: Callable[..., float] = module.bleu_score
        return function
    finally:
        for name, module_before in before.items():
            if module_before is None:
                sys.modules.pop(name, None)
            else:
                sys.modules[name] = module_before


@pytest.mark.parametrize("name", ["multeval", "summaries", "scripts"])
def test_torchtext(request: pytest.FixtureRequest, tolerance: float, name: str) -> None:
    bleu_score = load_torchtext()
    if bleu_score is None:
        pytest.skip("platform: torchtext is archived and has no release for each Python and torch")
    corpus = corpus_named(request, name)
    hypotheses = [text.split() for text in corpus.hypotheses]
    references = [[text.split() for text in group] for group in corpus.present_references()]
    for weights in ([0.25] * 4, [0.5, 0.5], [0.1, 0.2, 0.3, 0.2, 0.2]):
        theirs = bleu_score(hypotheses, references, max_n=len(weights), weights=weights)
        bleu = BLEU.preset("torch", max_ngram_order=len(weights), weights=tuple(weights))
        ours = bleu.corpus_score(hypotheses, references)
        assert_same_score(ours.fraction, theirs, tolerance=tolerance)
        definition = torchtext_bleu.bleu_score(hypotheses, references, weights)
        assert_same_score(definition, theirs, "the oracle", tolerance=tolerance)
