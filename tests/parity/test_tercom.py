"""The Java program Tercom 0.8.0 beside ``TER.preset("tercom")``: edits by kind and reference lengths."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cocarde import TER
from tests import tercom_peer
from tests.comparison import assert_same_statistics
from tests.data_access import Corpus, MultEval, read_lines, require_real_data
from tests.texts import corpus_in_many_scripts

pytestmark = pytest.mark.filterwarnings("ignore::cocarde.errors.CocardeWarning")

# Tercom's columns after edits and length: its insertions are words that the hypothesis has too many.
FIELDS = ("edits", "reference_length", "deletions", "insertions", "substitutions", "shifts")
FLAGS = {"normalized": "-N", "no_punct": "-P", "case_sensitive": "-s"}
OPTIONS: list[dict[str, Any]] = [
    dict(zip(FLAGS, values, strict=True)) for values in product((False, True), repeat=3)
]


def check(corpus: Corpus, folder: Path, **options: bool) -> None:
    __tracebackhide__ = True
    texts = corpus.hypotheses, corpus.present_references()
    flags = [FLAGS[name] for name, value in options.items() if value]
    theirs = tercom_peer.score(*texts, *flags, folder=folder)
    found = TER.preset("tercom", **options).statistics(*texts)
    ours = np.stack([found[name] for name in FIELDS], axis=1)
    assert_same_statistics(ours, theirs, FIELDS, *texts)


def generated(seed: int, segments: int) -> Corpus:
    """Few distinct words, which provoke shifts; and long texts, for which beams and limits matter."""
    rng = random.Random(seed)

    def text(distinct: int, most: int) -> str:
        return " ".join(str(rng.randrange(distinct)) for _ in range(rng.randrange(most)))

    hypotheses: list[str] = []
    groups: list[list[str | None]] = []
    for _ in range(segments):
        kind = rng.choice([2, 3, 4, 6, 12, 40]), rng.choice([5, 10, 20, 40, 80])
        hypotheses.append(text(*kind))
        groups.append([text(*kind) for _ in range(rng.choice([1, 1, 2, 3]))])
    return Corpus(hypotheses, groups)


def lines_of(corpus: Corpus) -> Corpus:
    """The same without what ends a line for Java, which is how the program gets its texts."""
    ends = str.maketrans(dict.fromkeys("\n\r\x85\u2028\u2029", " "))

    def line(text: str) -> str:
        # What files cannot hold, and what Java lower-cases by its own rules at the end of a word.
        return text.translate(ends).encode("utf-8", "replace").decode().replace("Σ", "σ")

    groups: list[list[str | None]] = [
        [line(text) for text in group] for group in corpus.present_references()
    ]
    return Corpus([*map(line, corpus.hypotheses)], groups)


@pytest.mark.parametrize("system", ["baseline.opt0", "sys1.opt2"])
def test_a_system_of_multeval(multeval: MultEval, tmp_path: Path, system: str) -> None:
    check(multeval.corpus(system), tmp_path)


def test_the_corpus_of_the_guide(multeval: MultEval) -> None:
    """sacreBLEU and Tercom differ by one edit on it, and in the ways of ten segments."""
    require_real_data()
    corpus = multeval.corpus("baseline.opt0")
    rows = [
        TER.preset(name).statistics(corpus.hypotheses, corpus.references)
        for name in ("sacrebleu", "tercom")
    ]
    assert [row["edits"].sum() for row in rows] == [41_130, 41_129]
    differing = (rows[0]["edits"] != rows[1]["edits"]).nonzero()[0].tolist()
    assert differing == [1722, 1787, 1838]
    assert rows[0]["edits"][differing].tolist() == [13, 23, 21]
    assert rows[1]["edits"][differing].tolist() == [12, 24, 20]


def test_several_references(multeval: MultEval, tmp_path: Path) -> None:
    check(multeval.corpus("baseline.opt0", "sys1.opt0", "sys1.opt1").head(300), tmp_path)


@pytest.mark.parametrize("seed", range(2))
def test_generated_texts(tmp_path: Path, seed: int) -> None:
    check(generated(seed, 1500), tmp_path)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_options(tmp_path: Path, ugly_corpus: Corpus, options: dict[str, bool]) -> None:
    check(lines_of(corpus_in_many_scripts(9, 120)), tmp_path, **options)
    check(lines_of(ugly_corpus), tmp_path, **options)
    check(punctuated(3, 400), tmp_path, **options)


def punctuated(seed: int, segments: int) -> Corpus:
    """Texts around which words become empty, possessives are parted, and lines joined."""
    rng = random.Random(seed)
    pieces = [*".,?:;!\"()-/'sS1a<>&", " ", "  ", "\t", "\xa0", "\u3000", "\x1f", "'s", "&amp;",
              "&lt;", "&quot;", "<skipped>", "b", "the", "é", "中"]  # fmt: skip

    def text() -> str:
        return "".join(rng.choice(pieces) for _ in range(rng.randrange(8)))

    groups: list[list[str | None]] = [
        [text() for _ in range(rng.randrange(1, 3))] for _ in range(segments)
    ]
    return Corpus([text() for _ in groups], groups)


@pytest.mark.parametrize("system", ["system1", "system2"])
def test_the_texts_of_meteor_xray(data_folder: Path, tmp_path: Path, system: str) -> None:
    folder = data_folder / "meteor-xray"
    references: list[list[str | None]] = [[text] for text in read_lines(folder / "reference")]
    check(Corpus(read_lines(folder / f"{system}.hyp"), references), tmp_path)
