"""The BLEU codes of two write-ups beside the presets ``transformer`` and ``numpy``."""

from __future__ import annotations

import random

import pytest

from cocarde import BLEU
from tests.comparison import assert_same_score, assert_same_segments, assert_same_statistics
from tests.data_access import Corpus
from tests.oracles import bleu as definition
from tests.oracles import writeups

pytestmark = pytest.mark.filterwarnings("ignore::cocarde.errors.CocardeWarning")


@pytest.fixture(scope="session")
def tokens(summaries: Corpus, scripts_corpus: Corpus) -> tuple[list[list[str]], list[list[str]]]:
    """Token sequences with one reference each, some empty."""
    hypotheses = [*summaries.hypotheses[:300], *scripts_corpus.hypotheses]
    references = [
        group[0] or "" for group in [*summaries.references[:300], *scripts_corpus.references]
    ]
    return [text.split() for text in hypotheses], [text.split() for text in references]


def test_transformer(tokens: tuple[list[list[str]], list[list[str]]]) -> None:
    hypotheses, references = tokens
    rows = [
        writeups.transformer_statistics(hypothesis, reference)
        for hypothesis, reference in zip(hypotheses, references, strict=True)
    ]
    bleu = BLEU.preset("transformer")
    statistics = bleu.statistics(hypotheses, references)
    assert_same_statistics(
        statistics.values, rows, statistics.fields, hypotheses, [[r] for r in references]
    )
    totals = definition.add_up(rows)
    assert_same_score(bleu.compute(statistics.sum()).fraction, writeups.transformer_bleu(totals))
    assert_same_segments(
        bleu.segment_scores(hypotheses, references) / 100,
        [writeups.transformer_bleu(row) for row in rows],
        hypotheses,
        [[r] for r in references],
    )


def test_transformer_from_the_ids_of_a_batch() -> None:
    """Ids with padding: dropping by predicate on the vocabulary, added up batch by batch."""
    rng = random.Random(4)
    vocabulary = ["<pad>", "<sos>", "<eos>", "<unk>", *(f"w{number}" for number in range(12))]
    special = [number for number, word in enumerate(vocabulary) if "<" in word]
    bleu = BLEU.preset("transformer")
    accumulator = bleu.accumulator()
    rows = []
    for _ in range(8):
        reference_batch = [
            [1, *(rng.randrange(4, 16) for _ in range(rng.randrange(4, 12))), 2] for _ in range(16)
        ]
        hypothesis_batch = [
            [number if rng.random() < 0.8 else rng.randrange(3, 16) for number in ids]
            for ids in reference_batch
        ]
        rows += [
            writeups.transformer_statistics(
                writeups.transformer_words(hypothesis, vocabulary),
                writeups.transformer_words(reference, vocabulary),
            )
            for hypothesis, reference in zip(hypothesis_batch, reference_batch, strict=True)
        ]
        accumulator.update(
            [[number for number in ids if number not in special] for ids in hypothesis_batch],
            [[number for number in ids if number not in special] for ids in reference_batch],
        )
    theirs = writeups.transformer_bleu(definition.add_up(rows))
    assert theirs > 0
    assert_same_score(accumulator.compute().fraction, theirs)


@pytest.mark.parametrize("clip", [False, True], ids=["as-coded", "clipped"])
def test_numpy(tokens: tuple[list[list[str]], list[list[str]]], clip: bool) -> None:
    hypotheses, references = tokens
    bleu = BLEU.preset("numpy", clip=clip)
    scores = [
        writeups.numpy_bleu(hypothesis, reference, clip)
        for hypothesis, reference in zip(hypotheses, references, strict=True)
    ]
    assert_same_segments(
        bleu.segment_scores(hypotheses, references) / 100,
        scores,
        hypotheses,
        [[r] for r in references],
    )
    for hypothesis, reference in zip(hypotheses[:100], references[:100], strict=True):
        ours = bleu.sentence_score(hypothesis, reference)
        precisions = writeups.numpy_precisions(hypothesis, reference, clip)
        for a, b in zip(ours.precisions, precisions, strict=True):
            assert_same_score(a / 100, b, f"precision of {hypothesis!r}")
