"""sacreBLEU 2.6.0 beside `cocarde.BLEU`: every statistic, smoothing, tokenizer and order."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any

import numpy as np
import pytest

from cocarde import BLEU, References
from tests.comparison import (
    assert_same_score,
    assert_same_segments,
    assert_same_statistics,
    interleave,
)
from tests.data_access import Corpus, load_multeval, load_sgml, load_summaries

sacrebleu = pytest.importorskip("sacrebleu", reason="sacreBLEU is not installed")
from sacrebleu.metrics import BLEU as SacreBLEU  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::cocarde.errors.CocardeWarning")

CORPORA = ["multeval", "multeval-4-references", "sgml", "summaries", "scripts", "ugly"]
TOKENIZERS = ["13a", "intl", "zh", "none", "char"]
SMOOTHINGS: list[tuple[str, float | None]] = [
    ("exp", None),
    ("none", None),
    ("floor", None),
    ("floor", 0.01),
    ("floor", 0.0),
    ("add-k", None),
    ("add-k", 0.5),
    ("add-k", 3),
]


class Peer:
    """sacreBLEU's statistics of one corpus, kept, and its formula."""

    def __init__(self, corpus: Corpus, tokenizer: str, lowercase: bool, order: int) -> None:
        self.corpus = corpus
        self.order = order
        self.metric = SacreBLEU(
            tokenize=tokenizer, lowercase=lowercase, max_ngram_order=order, force=True
        )

    @cached_property
    def rows(self) -> list[list[int]]:
        """``[hypothesis length, reference length, matches..., totals...]`` of each segment."""
        rows: list[list[int]] = self.metric._extract_corpus_statistics(
            self.corpus.hypotheses, self.corpus.streams()
        )
        return rows

    @property
    def statistics(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """The rows in cocarde's order of fields."""
        rows = np.array(self.rows)
        return interleave(
            rows[:, 0], rows[:, 1], rows[:, 2 : 2 + self.order], rows[:, 2 + self.order :]
        )

    def score(self, row: list[int], method: str, value: float | None, effective: bool) -> Any:
        """sacreBLEU's formula; it writes into its arguments, hence the copies."""
        return SacreBLEU.compute_bleu(
            correct=list(row[2 : 2 + self.order]),
            total=list(row[2 + self.order :]),
            sys_len=row[0],
            ref_len=row[1],
            smooth_method=method,
            smooth_value=value,
            effective_order=effective,
            max_ngram_order=self.order,
        )

    @property
    def totals(self) -> list[int]:
        """The rows added up."""
        return [sum(column) for column in zip(*self.rows, strict=True)]


@pytest.fixture(scope="session")
def peers(request: pytest.FixtureRequest) -> Any:
    """A function from (corpus name, tokenizer, lowercase, order) to its `Peer`, made once each."""
    cache: dict[tuple[str, str, bool, int], Peer] = {}

    def corpus_named(name: str) -> Corpus:
        if name.startswith("multeval"):
            multeval = load_multeval()
            if name == "multeval":
                return multeval.corpus()
            return multeval.corpus("baseline.opt0", "sys1.opt0", "sys1.opt1", "baseline.opt1").head(
                500
            )
        loaders = {"sgml": load_sgml, "summaries": load_summaries}
        if name in loaders:
            return loaders[name]()
        corpus: Corpus = request.getfixturevalue(f"{name}_corpus")
        return corpus

    def peer(name: str, tokenizer: str = "13a", lowercase: bool = False, order: int = 4) -> Peer:
        key = (name, tokenizer, lowercase, order)
        corpus = corpus_named(name)  # asked for each time: a test tells which data it had
        if key not in cache:
            # characters are many: a part of the corpus is enough
            cache[key] = Peer(
                corpus.head(250) if tokenizer == "char" else corpus, tokenizer, lowercase, order
            )
        return cache[key]

    return peer


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
@pytest.mark.parametrize(
    ("name", "lowercase"),
    [(name, False) for name in CORPORA] + [(name, True) for name in ("sgml", "scripts", "ugly")],
)
def test_statistics_of_every_segment(
    peers: Any, name: str, lowercase: bool, tokenizer: str
) -> None:
    peer = peers(name, tokenizer, lowercase)
    corpus = peer.corpus
    bleu = BLEU(tokenize=tokenizer, lowercase=lowercase, force=True)
    ours = bleu.statistics(corpus.hypotheses, corpus.references)
    assert_same_statistics(
        ours.values, peer.statistics, ours.fields, corpus.hypotheses, corpus.references
    )


@pytest.mark.parametrize("order", [1, 2, 3, 5, 6])
@pytest.mark.parametrize("name", ["summaries", "scripts", "ugly"])
def test_other_maximum_orders(peers: Any, name: str, order: int) -> None:
    peer = peers(name, order=order)
    corpus = peer.corpus
    bleu = BLEU(max_ngram_order=order, force=True)
    ours = bleu.statistics(corpus.hypotheses, corpus.references)
    assert_same_statistics(
        ours.values, peer.statistics, ours.fields, corpus.hypotheses, corpus.references
    )
    for effective in (False, True):
        metric = BLEU(max_ngram_order=order, effective_order=effective, force=True)
        theirs = peer.score(peer.totals, "exp", None, effective)
        assert_same_score(metric.compute(ours.sum()).score, theirs.score)


@pytest.mark.parametrize("effective", [False, True], ids=["all-orders", "effective-order"])
@pytest.mark.parametrize(("method", "value"), SMOOTHINGS)
@pytest.mark.parametrize("name", CORPORA)
def test_corpus_score(
    peers: Any, name: str, method: str, value: float | None, effective: bool
) -> None:
    peer = peers(name)
    corpus = peer.corpus
    bleu = BLEU(smooth_method=method, smooth_value=value, effective_order=effective, force=True)
    ours = bleu.corpus_score(corpus.hypotheses, corpus.references)
    theirs = peer.score(peer.totals, method, value, effective)
    assert_same_score(ours.score, theirs.score)
    assert_same_score(ours.fraction * 100, theirs.score)
    assert_same_score(ours.brevity_penalty, theirs.bp, "brevity penalty")
    for order, (a, b) in enumerate(zip(ours.precisions, theirs.precisions, strict=True), start=1):
        assert_same_score(a, b, f"precision {order}")
    assert (ours.hypothesis_length, ours.reference_length) == (theirs.sys_len, theirs.ref_len)
    assert [*ours.matches, *ours.totals] == peer.totals[2:]


@pytest.mark.parametrize("effective", [False, True], ids=["all-orders", "effective-order"])
@pytest.mark.parametrize(("method", "value"), SMOOTHINGS)
@pytest.mark.parametrize("name", CORPORA)
def test_segment_scores(
    peers: Any, name: str, method: str, value: float | None, effective: bool
) -> None:
    peer = peers(name)
    corpus = peer.corpus
    bleu = BLEU(smooth_method=method, smooth_value=value, effective_order=effective, force=True)
    theirs = [peer.score(row, method, value, effective).score for row in peer.rows]
    assert_same_segments(
        bleu.segment_scores(corpus.hypotheses, corpus.references),
        theirs,
        corpus.hypotheses,
        corpus.references,
    )


@pytest.mark.parametrize("order", [1, 2, 3, 5, 6])
@pytest.mark.parametrize(("method", "value"), SMOOTHINGS)
def test_short_documents_of_other_orders(
    peers: Any, order: int, method: str, value: float | None
) -> None:
    """Corpora of a few short segments, where orders run out of n-grams or matches."""
    peer = peers("scripts", order=order)
    for first in range(0, 200, 3):
        rows = peer.rows[first : first + 3]
        row = [sum(column) for column in zip(*rows, strict=True)]
        for effective in (False, True):
            bleu = BLEU(
                smooth_method=method,
                smooth_value=value,
                max_ngram_order=order,
                effective_order=effective,
                force=True,
            )
            totals = peer.statistics[first : first + 3].sum(axis=0)
            assert_same_score(
                bleu.compute(totals).score,
                peer.score(row, method, value, effective).score,
                f"segments {first} to {first + 2}, effective_order={effective}",
            )


def test_public_functions(sgml: Corpus) -> None:
    """sacreBLEU's own front doors, not its parts."""
    corpus = sgml.head(150)
    streams = corpus.streams()
    bleu = BLEU()
    theirs = sacrebleu.corpus_bleu(corpus.hypotheses, streams)
    assert_same_score(bleu.corpus_score(corpus.hypotheses, corpus.references).score, theirs.score)
    references = References.from_streams(*streams)
    assert_same_score(bleu.corpus_score(corpus.hypotheses, references).score, theirs.score)

    sentence, all_orders = BLEU(effective_order=True), BLEU(effective_order=False)
    every_order = SacreBLEU()
    for hypothesis, group in zip(corpus.hypotheses, corpus.references, strict=True):
        theirs = sacrebleu.sentence_bleu(hypothesis, group)
        assert_same_score(sentence.sentence_score(hypothesis, group).score, theirs.score)
        # without the option, effective order is on for single sentences alone
        assert (
            bleu.sentence_score(hypothesis, group).score
            == sentence.sentence_score(hypothesis, group).score
        )
        theirs = every_order.sentence_score(hypothesis, group)
        assert_same_score(all_orders.sentence_score(hypothesis, group).score, theirs.score)


def without_own_version(signature: str) -> str:
    """A signature less the one key that sacreBLEU's lacks."""
    pairs = signature.split("|")
    kept = [pair for pair in pairs if not pair.startswith("cocarde:")]
    assert len(kept) == len(pairs) - 1
    return "|".join(kept)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"lowercase": True},
        {"tokenize": "intl"},
        {"tokenize": "none", "smooth_method": "none"},
        {"tokenize": "zh", "smooth_method": "floor"},
        {"smooth_method": "floor", "smooth_value": 0.25},
        {"smooth_method": "add-k", "smooth_value": 2},
        {"tokenize": "char", "effective_order": True},
    ],
    ids=str,
)
def test_signature(options: dict[str, Any]) -> None:
    hypotheses, references = ["a b c d e"] * 2, [["a b c d f", "a b"], ["x y", "a b c d e"]]
    peer = SacreBLEU(**options)
    peer.corpus_score(hypotheses, [list(stream) for stream in zip(*references, strict=True)])
    score = BLEU(**options).corpus_score(hypotheses, references)
    assert without_own_version(score.signature) == str(peer.get_signature())

    varying = [["a b c d f", None], ["x y", "a b c d e"]]
    peer.corpus_score(hypotheses, [list(stream) for stream in zip(*varying, strict=True)])
    score = BLEU(**options).corpus_score(hypotheses, varying)
    assert "nrefs:var" in str(peer.get_signature())
    assert without_own_version(score.signature) == str(peer.get_signature())


def test_printed_score(sgml: Corpus) -> None:
    """The numbers of sacreBLEU's one-line print-out follow from the fields of the score."""
    corpus = sgml.head(100)
    ours = BLEU().corpus_score(corpus.hypotheses, corpus.references)
    printed = str(sacrebleu.corpus_bleu(corpus.hypotheses, corpus.streams()))
    numbers = re.findall(r"\d+(?:\.\d+)?", printed)
    expected = [
        f"{ours.score:.2f}",
        *(f"{precision:.1f}" for precision in ours.precisions),
        f"{ours.brevity_penalty:.3f}",
        f"{ours.hypothesis_length / ours.reference_length:.3f}",
        f"{ours.hypothesis_length:.0f}",
        f"{ours.reference_length:.0f}",
    ]
    assert numbers == expected


@pytest.mark.parametrize("method", ["exp", "floor", "add-k", "none"])
def test_precisions_are_the_peers_to_the_last_bit(method: str) -> None:
    """Ties of the printed digit (23/80 = 28.75 %) fall as sacreBLEU's do."""
    ours, peer = BLEU(smooth_method=method), SacreBLEU(smooth_method=method)
    generator = np.random.default_rng(5)
    for _ in range(3000):
        totals = np.maximum(int(generator.integers(1, 400)) - np.arange(4), 0)
        matches = np.minimum.accumulate(generator.integers(0, totals + 1))
        if generator.random() < 0.3:
            matches[int(generator.integers(4)) :] = 0
        lengths = [int(totals[0]), int(generator.integers(1, 400))]
        row = [*lengths, *np.stack([matches, totals], axis=1).reshape(-1).tolist()]
        found = ours.compute(row)
        expected = peer._compute_score_from_stats([*lengths, *matches.tolist(), *totals.tolist()])
        assert found.precisions == tuple(expected.precisions), row
        printed = str(expected).partition(" = ")[2].partition(" ")[2]
        assert found.details() == printed, row
