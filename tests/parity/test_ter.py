"""sacreBLEU 2.6.0, which is Tercom 0.7.25 in Python, beside `cocarde.TER`: edits, lengths, ways, texts."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cocarde
from cocarde import TER, References, _native, tokenizers
from cocarde.tokenizers.tercom import tercom_tokenizer
from tests.comparison import assert_same_score, assert_same_segments, assert_same_statistics
from tests.data_access import Corpus, MultEval
from tests.texts import corpus_in_many_scripts

pytest.importorskip("sacrebleu", reason="sacreBLEU is not installed")
from sacrebleu.metrics import TER as SacreTER
from sacrebleu.metrics.lib_ter import BeamEditDistance, _shift, translation_edit_rate
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

pytestmark = pytest.mark.filterwarnings("ignore::cocarde.errors.CocardeWarning")

OPTIONS = ("normalized", "no_punct", "asian_support", "case_sensitive")
ALL_OPTIONS: list[dict[str, Any]] = [
    dict(zip(OPTIONS, values, strict=True)) for values in product((False, True), repeat=4)
]


def named(options: dict[str, Any]) -> str:
    return "+".join(name for name, value in options.items() if value) or "defaults"


# --------------------------------------------------------------------------------------------------
# One pair of word lists: the way from one to the other


def peer_way(hypothesis: list[str], reference: list[str]) -> tuple[list[list[str]], str]:
    """The words after each of the peer's shifts, and its last trace."""
    if not reference:
        return [], "d" * len(hypothesis)
    distance = BeamEditDistance(reference)
    words, checked = hypothesis, 0
    after: list[list[str]] = []
    while True:
        gain, shifted, checked = _shift(words, reference, distance, checked)
        if checked >= 1000 or gain <= 0:
            return after, distance(words)[1]
        words = shifted
        after.append(words)


def our_way(hypothesis: list[str], reference: list[str]) -> tuple[list[list[str]], str]:
    columns = [_native.Column.of_tokens([words]) for words in (hypothesis, reference)]
    shifts, trace = TER().kernel.path(columns[0], 0, columns[1], 0)
    words, after = list(hypothesis), []
    for start, length, target in shifts:
        phrase = words[start : start + length]
        if target < start:
            words = words[:target] + phrase + words[target:start] + words[start + length :]
        else:
            # within the phrase: so many words behind it come before it
            end = target if target > start + length else target + length
            words = words[:start] + words[start + length : end] + phrase + words[end:]
        after.append(words)
    return after, trace


def check_pair(hypothesis: list[str], reference: list[str]) -> None:
    __tracebackhide__ = True
    edits, length = translation_edit_rate(hypothesis, reference)
    after, trace = peer_way(hypothesis, reference)
    assert edits == len(after) + len(trace) - trace.count(" ")
    assert our_way(hypothesis, reference) == (after, trace)
    row = TER().statistics([hypothesis], [reference]).values[0]
    kinds = [trace.count(kind) for kind in "ids"]
    assert row.tolist() == [edits, length, *kinds, len(after), len(hypothesis)]


def words_of(letters: str, most: int) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(letters), max_size=most)


@given(words_of("ab", 10), words_of("ab", 10))
@settings(max_examples=250, deadline=None)
def test_two_words(hypothesis: list[str], reference: list[str]) -> None:
    check_pair(hypothesis, reference)


@given(words_of("abcd", 12), words_of("abcd", 12))
@settings(max_examples=250, deadline=None)
def test_four_words(hypothesis: list[str], reference: list[str]) -> None:
    check_pair(hypothesis, reference)


@given(st.permutations("abcdefghijk"), st.permutations("abcdefghijk"))
@settings(max_examples=60, deadline=None)
def test_permutations(hypothesis: list[str], reference: list[str]) -> None:
    check_pair(hypothesis, reference)


def shuffled_phrases(rng: random.Random, words: Sequence[str], moves: int) -> list[str]:
    """The words with some phrases moved, some words replaced, dropped and doubled."""
    result = list(words)
    for _ in range(moves):
        start = rng.randrange(len(result))
        phrase = result[start : start + rng.randrange(1, 13)]
        del result[start : start + len(phrase)]
        place = rng.randrange(len(result) + 1)
        result[place:place] = phrase
        at = rng.randrange(len(result))
        result[at : at + 1] = rng.choice([["new"], [], [result[at]] * 2])
        if not result:
            return ["new"]
    return result


def long_pairs() -> Iterator[Any]:
    """Pairs for which the band and the limits matter."""
    rng = random.Random(20)
    for size, distinct, moves in ((30, 8, 4), (60, 100, 3), (90, 300, 3), (110, 12, 1)):
        reference = [str(rng.randrange(distinct)) for _ in range(size)]
        yield pytest.param(
            shuffled_phrases(rng, reference, moves), reference, id=f"moved-{size}-{distinct}"
        )
    for mine, theirs in ((70, 70), (40, 120), (120, 40), (90, 45), (13, 300), (14, 60)):
        pair = [[str(rng.randrange(40)) for _ in range(size)] for size in (mine, theirs)]
        yield pytest.param(*pair, id=f"unlike-{mine}-{theirs}")
    # So much longer that the band is wider than a machine word.
    for mine, theirs in ((1, 40), (2, 90), (3, 200), (5, 150)):
        reference = [str(rng.randrange(30)) for _ in range(theirs)]
        yield pytest.param(reference[:mine][::-1], reference, id=f"longer-{mine}-{theirs}")
    yield pytest.param(["a"] * 60, ["a"] * 45, id="equal-words")
    yield pytest.param(["a", "b"] * 40, ["b", "a"] * 35, id="candidates-run-out")
    # Too long for a table of all places of each word. The phrases are at the end, since the peer keeps
    # a row of the table for each word behind a shift.
    many = [str(number) for number in range(1000)]
    moved = [*many[3:990], *many[994:], *many[990:994]]
    yield pytest.param(moved, many, id="long")
    yield pytest.param([*many[60:100], *many[:60]], many[:100], id="farther-than-50")
    yield pytest.param([*many[12:26], *many[:12]], many[:26], id="longer-than-10")


@pytest.mark.parametrize(("hypothesis", "reference"), list(long_pairs()))
def test_long_pairs(hypothesis: list[str], reference: list[str]) -> None:
    check_pair(hypothesis, reference)


# --------------------------------------------------------------------------------------------------
# Corpora


def compare(corpus: Corpus, options: dict[str, Any]) -> None:
    __tracebackhide__ = True
    peer = SacreTER(**options)
    rows = peer._extract_corpus_statistics(corpus.hypotheses, corpus.streams())
    metric = TER(**options)
    references = corpus.present_references()
    found = metric.statistics(corpus.hypotheses, references)
    texts = corpus.hypotheses, references
    assert_same_statistics(found.values[:, :2], rows, found.fields, *texts)
    np.testing.assert_array_equal(found.values[:, 2:6].sum(axis=1), found["edits"])
    words = [
        len(peer._preprocess_segment(text).split())
        for text in corpus.hypotheses
    ]  # fmt: skip
    assert found["hypothesis_length"].tolist() == words
    theirs = peer._aggregate_and_compute(rows)
    score = metric.corpus_score(*texts)
    assert_same_score(score.score, theirs.score)
    assert_same_score(score.reference_length, theirs.ref_length)
    assert int(score.edits) == theirs.num_edits
    segments = [peer._compute_score_from_stats(row).score for row in rows]
    assert_same_segments(metric.segment_scores(*texts), segments, *texts)
    assert score.signature.removesuffix(f"|cocarde:{score.signature.rpartition(':')[2]}") == str(
        peer.get_signature()
    )
    assert TER.from_signature(str(peer.get_signature())) == metric


def test_a_system_of_multeval(multeval: MultEval) -> None:
    compare(multeval.corpus().head(250), {})


def test_several_references(multeval: MultEval) -> None:
    names = ("baseline.opt0", "sys1.opt0", "sys1.opt1", "baseline.opt1")
    compare(multeval.corpus(*names).head(30), {})
    compare(multeval.corpus(*names).head(12), {"normalized": True, "no_punct": True})


@pytest.mark.parametrize("options", ALL_OPTIONS, ids=named)
def test_options_in_many_scripts(options: dict[str, Any]) -> None:
    compare(corpus_in_many_scripts(5, 45), options)


@pytest.mark.parametrize(
    "options", [ALL_OPTIONS[0], ALL_OPTIONS[-2], {"normalized": True}], ids=named
)
def test_ugly_texts(ugly_corpus: Corpus, options: dict[str, Any]) -> None:
    compare(ugly_corpus.head(60), options)


def test_streams_with_missing_references() -> None:
    hypotheses = ["a b c", "b a"]
    streams: list[list[str | None]] = [["a c b", "a b"], [None, "b a c"]]
    theirs = SacreTER().corpus_score(hypotheses, streams)
    ours = TER().corpus_score(hypotheses, References.from_streams(*streams))
    assert_same_score(ours.score, theirs.score)
    assert ours.reference_length == theirs.ref_length == 5.5
    assert ours.signature.startswith("nrefs:var|")


# --------------------------------------------------------------------------------------------------
# Texts

_PIECES = [
    *".,?:;!\"()-/'[]{}~`@&<>+*",
    *"0159asSté中。、，！（）「」ー・かナㇰ㈱㍿⺀㇀丽︰｡･\uff02㿢𠮷",
    "'s",
    "'S ",
    "it's",
    "\n-",
    "\n",
    "&quot;",
    "&amp;",
    "&lt;",
    "&gt;",
    "&amp;lt;",
    " ",
    "  ",
    "\t",
    "\xa0",
    "\u3000",
    "\x1f",
    "\ud800",
    "\x00",
    "ΟΔΟΣ",
    "İ",
]


@given(st.lists(st.sampled_from(_PIECES), max_size=14).map("".join))
@settings(max_examples=500, deadline=None)
def test_tokens_of_any_text(text: str) -> None:
    for normalized, no_punct, asian, sensitive in product((False, True), repeat=4):
        peer = TercomTokenizer(normalized, no_punct, asian, sensitive)
        ours = tercom_tokenizer(normalized, no_punct, asian)
        assert (ours(text) if sensitive else ours.lowercased(text)) == peer(text).split()


# Pieces around which normalising for a second time may matter.
_POSSESSIVES = [
    "'s",
    "'",
    "s",
    " ",
    ".",
    ",",
    "a",
    "1",
    "&amp;",
    "&",
    "lt;",
    "\n",
    "-",
    "\t",
    "中",
    "。",
    "(",
    '"',
]


@given(
    st.lists(
        st.lists(st.sampled_from(_POSSESSIVES), max_size=12).map("".join), min_size=2, max_size=4
    )
)
@settings(max_examples=200, deadline=None)
def test_references_are_normalised_twice(texts: list[str]) -> None:
    """As sacreBLEU does it, unlike hypotheses; by whatever way they come."""
    hypothesis, *references = texts
    for options in ALL_OPTIONS:
        peer = SacreTER(**options).sentence_score(hypothesis, references)
        metric = TER(**options)
        ways: list[Any] = [
            metric.sentence_score(hypothesis, references),
            metric.corpus_score([hypothesis], [references]),
            metric.corpus_score([hypothesis], metric.prepare([references])),
            cocarde.evaluate([hypothesis], [references], metrics={"ter": metric})["ter"],
        ]
        for way in ways:
            assert (way.score, way.edits, way.reference_length) == (
                pytest.approx(peer.score, rel=1e-12),
                peer.num_edits,
                pytest.approx(peer.ref_length, rel=1e-12),
            )
        explained: Any = cocarde.explain(metric, [hypothesis], [references])
        assert explained.score == pytest.approx(peer.score, rel=1e-12)
    if len(references) == 1:
        metric = TER(normalized=True)
        alone = metric.sentence_score(hypothesis, references).score
        assert metric.pairwise([hypothesis], references)[0, 0] == alone


@pytest.mark.parametrize("name", [name for name in tokenizers.names() if "tercom" in name])
def test_every_code_point(name: str) -> None:
    """Between letters, digits and marks; a thousand in one text."""
    peer = TercomTokenizer("norm" in name, "nopunct" in name, "asian" in name, True)
    ours = tokenizers.get(name)
    # Of the third plane on all are alike: words.
    for first in range(0, 0x20000, 1000):
        points = map(chr, range(first, first + 1000))
        text = "".join(f"a{point}5.{point}'s{point}," for point in points)
        assert ours(text) == peer(text).split(), f"U+{first:04X}"
