"""torchmetrics' BLEU, chrF and TER and torchtext's BLEU beside the presets that reproduce them.

torchmetrics counts in the default floating type. With float64 the scores agree to 1e-9; with its
usual float32 to what that can hold.
"""

from __future__ import annotations

import importlib.util
import random
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cocarde import BLEU, CHRF, TER
from tests.comparison import (
    TOLERANCE,
    assert_same_score,
    assert_same_segments,
    assert_same_statistics,
)
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


# --------------------------------------------------------------------------------------------------
# chrF and TER, whose sums are in single precision: the counts themselves are compared too


def few_words(seed: int, segments: int, letters: str, most: int) -> Corpus:
    """Texts of few distinct characters or words, with one to four references."""
    rng = random.Random(seed)

    def text() -> str:
        return "".join(rng.choice(letters) for _ in range(rng.randrange(most)))

    groups: list[list[str | None]] = [
        [text() for _ in range(rng.randrange(1, 5))] for _ in range(segments)
    ]
    return Corpus([text() for _ in groups], groups)


def chrf_rows(corpus: Corpus, **options: Any) -> tuple[list[list[float]], list[float]]:
    """The peer's counts and score of each segment."""
    from torchmetrics.functional.text import chrf

    characters, words = options.pop("n_char_order"), options.pop("n_word_order")
    given = {"beta": 2.0, "lowercase": False, "whitespace": False, **options}
    rows, scores = [], []
    for text, group in zip(corpus.hypotheses, corpus.present_references(), strict=True):
        *counts, found = chrf._chrf_score_update(
            [text],
            [group],
            *chrf._prepare_n_grams_dicts(characters, words),
            characters,
            words,
            float(characters + words),
            *given.values(),
            [],
        )
        # hypothesis, reference and matches, each of characters and of words
        kinds = [(counts[k], counts[k + 2], counts[k + 4]) for k in (0, 1)]
        rows.append([float(one[n]) for kind in kinds for n in sorted(kind[0]) for one in kind])
        scores.append(found[0].item())
    return rows, scores


CHRF_OPTIONS: list[dict[str, Any]] = [
    {"n_char_order": 6, "n_word_order": 2},
    {"n_char_order": 6, "n_word_order": 0, "lowercase": True},
    {"n_char_order": 2, "n_word_order": 1, "beta": 1.0},
    {"n_char_order": 3, "n_word_order": 2, "beta": 0.5, "whitespace": True},
]


@pytest.mark.parametrize("options", CHRF_OPTIONS, ids=str)
@pytest.mark.parametrize("name", ["multeval", "scripts", "ugly", "few"])
def test_chrf_score(
    request: pytest.FixtureRequest, torchmetrics_text: Any, name: str, options: dict[str, Any]
) -> None:
    corpus = few_words(1, 400, "abc .", 9) if name == "few" else corpus_named(request, name)
    corpus = corpus.head(400 if name == "few" else 60)
    references = corpus.present_references()
    rest = dict(options)
    metric = CHRF.preset(
        "torch", char_order=rest.pop("n_char_order"), word_order=rest.pop("n_word_order"), **rest
    )
    rows, scores = chrf_rows(corpus, **options)
    found = metric.statistics(corpus.hypotheses, references)
    assert_same_statistics(found.values, rows, found.fields, corpus.hypotheses, references)
    ours = metric.segment_scores(corpus.hypotheses, references) / 100
    assert_same_segments(ours, scores, corpus.hypotheses, references, tolerance=SINGLE)
    theirs = torchmetrics_text.chrf_score(corpus.hypotheses, references, **options).item()
    assert_same_score(
        metric.corpus_score(corpus.hypotheses, references).fraction, theirs, tolerance=SINGLE
    )


def test_chrf_in_double_precision(
    request: pytest.FixtureRequest, torchmetrics_text: Any, tolerance: float
) -> None:
    corpus = corpus_named(request, "multeval").head(40)
    references = [group[:1] for group in corpus.present_references()]
    theirs = torchmetrics_text.chrf_score(corpus.hypotheses, references).item()
    ours = CHRF.preset("torch").corpus_score(corpus.hypotheses, references)
    assert_same_score(ours.fraction, theirs, tolerance=tolerance)


TER_OPTIONS: list[dict[str, bool]] = [
    {},
    {"normalize": True},
    {"no_punctuation": True, "lowercase": False},
    {"normalize": True, "no_punctuation": True, "asian_support": True},
]


@pytest.mark.parametrize("options", TER_OPTIONS, ids=str)
@pytest.mark.parametrize("name", ["multeval", "scripts", "ugly", "few"])
def test_translation_edit_rate(
    request: pytest.FixtureRequest, torchmetrics_text: Any, name: str, options: dict[str, bool]
) -> None:
    from torchmetrics.functional.text import ter

    corpus = few_words(2, 300, "a b c d ", 40) if name == "few" else corpus_named(request, name)
    corpus = corpus.head(300 if name == "few" else 100)
    references = corpus.present_references()
    metric = TER.preset(
        "torch",
        normalized=options.get("normalize", False),
        no_punct=options.get("no_punctuation", False),
        asian_support=options.get("asian_support", False),
        case_sensitive=not options.get("lowercase", True),
    )
    given = {"normalize": False, "no_punctuation": False, "lowercase": True, "asian_support": False}
    tokenizer = ter._TercomTokenizer(**{**given, **options})

    def words(text: str) -> list[str]:
        return ter._preprocess_sentence(text, tokenizer).split()  # type: ignore[no-any-return]

    rows = [
        [float(x) for x in ter._compute_sentence_statistics(words(text), [*map(words, group)])]
        for text, group in zip(corpus.hypotheses, references, strict=True)
    ]
    found = metric.statistics(corpus.hypotheses, references)
    texts = corpus.hypotheses, references
    assert_same_statistics(found.values[:, :1], [row[:1] for row in rows], ("edits",), *texts)
    # the mean of lengths is theirs in single precision
    lengths = [[len(words(text)) for text in group] for group in references]
    means = [sum(group) / len(group) for group in lengths]
    assert found["reference_length"].tolist() == pytest.approx(means, rel=1e-15)
    assert means == pytest.approx([row[1] for row in rows], rel=SINGLE)
    assert (found.values[:, 2:6].sum(axis=1) == found["edits"]).all()
    theirs, segments = torchmetrics_text.translation_edit_rate(
        corpus.hypotheses, references, return_sentence_level_score=True, **options
    )
    assert_same_score(metric.corpus_score(*texts).fraction, theirs.item(), tolerance=SINGLE)
    ours = metric.segment_scores(*texts) / 100
    assert_same_segments(ours, [one.item() for one in segments], *texts, tolerance=SINGLE)


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
