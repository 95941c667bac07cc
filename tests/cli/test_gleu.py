"""GLEU on the command line, which names no metric: its options, presets and explanation."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from cocarde import GLEU
from tests.cli.conftest import HYPOTHESES, REFERENCES
from tests.cli.runner import refuse, succeed

FILES = ["hyp.txt", "-r", "ref.txt", "-m"]

pytestmark = pytest.mark.filterwarnings("ignore::cocarde.errors.CocardeWarning")


def test_scores(folder: Path) -> None:
    given = [*FILES, "gleu", "-m", "gleu:huggingface,lowercase=true", "-f", "json"]
    found = succeed("score", *given, folder=folder).records
    metrics = (GLEU(), GLEU.preset("huggingface", lowercase=True))
    for record, metric in zip(found, metrics, strict=True):
        expected = metric.corpus_score(HYPOTHESES, REFERENCES)
        assert math.isclose(record["score"], expected.score, rel_tol=1e-12)
        assert record["signature"] == expected.signature
        assert record["details"]["matches"] == expected.matches


def test_options(folder: Path) -> None:
    options = ["--tokenize", "13a", "-lc", "--min-ngram-order", "2", "--max-ngram-order", "3"]
    given = [*FILES, "gleu", *options, "--level", "segment", "-f", "json"]
    found = succeed("score", *given, folder=folder).records
    metric = GLEU(tokenize="13a", lowercase=True, min_ngram_order=2, max_ngram_order=3)
    expected = metric.segment_scores(HYPOTHESES, REFERENCES).tolist()
    assert [one["score"] for one in found] == expected
    shown = refuse("score", *FILES, "gleu", "--min-ngram-order", "5", folder=folder)
    assert "--min-ngram-order 5 is above --max-ngram-order 4" in shown


def test_explain_and_compare(folder: Path) -> None:
    shown = succeed("explain", *FILES, "gleu", "--segment", "1", folder=folder).output
    assert "N-grams of order 4" in shown
    table = succeed("compare", "hyp.txt", "other.txt", *FILES[1:], "gleu", folder=folder).output
    assert "gleu" in table
