"""METEOR's own table: real sentences against the definition, over the entries that concern them."""

from __future__ import annotations

import gzip
import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cocarde.errors import MissingExtraError
from cocarde.resources import paraphrases
from tests.oracles import paraphrases as oracle

if TYPE_CHECKING:
    from cocarde import _native
    from tests.data_access import MultEval

pytestmark = pytest.mark.slow

_SENTENCES = 250


@pytest.fixture(scope="module")
def source() -> Path:
    try:
        return paraphrases.locate()
    except MissingExtraError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def table(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[_native.Paraphrases]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COCARDE_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield paraphrases.open(source)


@pytest.fixture(scope="module")
def pairs(multeval: MultEval) -> list[tuple[list[str], list[str]]]:
    whole = multeval.corpus("sys1.opt0")
    chosen = random.Random(15).sample(range(len(whole.hypotheses)), _SENTENCES)
    return [
        (whole.hypotheses[i].split(), str(whole.references[i][0]).split()) for i in sorted(chosen)
    ]


def test_real_sentences(
    source: Path, table: _native.Paraphrases, pairs: list[tuple[list[str], list[str]]]
) -> None:
    # An entry can match only where both its phrases stand in some sentence.
    present = {
        tuple(words[start : start + length])
        for pair in pairs
        for words in pair
        for length in range(1, 8)
        for start in range(len(words) - length + 1)
    }
    lines = {" ".join(phrase) + "\n" for phrase in present}
    entries = []
    with gzip.open(source, "rt", encoding="utf-8", newline="\n") as file:
        known = False
        for number, line in enumerate(file):
            part = number % 3
            if part == 1:
                known = (reference := line) in lines
            elif part == 2 and known and line in lines:
                entries.append((oracle.phrase(reference), oracle.phrase(line)))
    assert len(entries) > 250  # over a thousand of real data
    found = 0
    for hypothesis, reference_words in pairs:
        wanted = oracle.match(entries, hypothesis, reference_words)
        assert table.match(hypothesis, reference_words) == wanted
        found += len(wanted)
    assert found > _SENTENCES  # over ten times as many of real data


def test_entries_of_the_file(source: Path, table: _native.Paraphrases) -> None:
    with gzip.open(source, "rt", encoding="utf-8", newline="\n") as file:
        entries = oracle.entries(islice(file, 300_000))
    for known, paraphrase in entries[::17]:
        assert (0, len(known), 0, len(paraphrase)) in table.match(list(paraphrase), list(known))
