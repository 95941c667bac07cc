"""chrF on the command line: its scores, its options, and what it refuses."""

from __future__ import annotations

import math
from pathlib import Path

from cocarde import CHRF
from tests.cli.conftest import HYPOTHESES, REFERENCES
from tests.cli.runner import refuse, succeed

FILES = ["hyp.txt", "-r", "ref.txt", "-m", "chrf"]


def test_scores(folder: Path) -> None:
    found = succeed("score", *FILES, "-m", "chrf:popovic", "-f", "json", folder=folder).records
    assert [one["metric"] for one in found] == ["chrf", "chrf:popovic"]
    for record, metric in zip(found, (CHRF(), CHRF.preset("popovic")), strict=True):
        expected = metric.corpus_score(HYPOTHESES, REFERENCES)
        assert math.isclose(record["score"], expected.score, rel_tol=1e-12)
        assert record["signature"] == expected.signature
        assert record["details"]["matches"] == list(expected.matches)


def test_options(folder: Path) -> None:
    options = ["--char-order", "4", "--word-order", "2", "--min-char-order", "2", "--beta", "0.5",
               "--whitespace", "--lowercase", "--eps-smoothing", "--average", "segments"]  # fmt: skip
    (record,) = succeed("score", *FILES, *options, "-f", "json", folder=folder).records
    metric = CHRF(
        char_order=4,
        word_order=2,
        min_char_order=2,
        beta=0.5,
        whitespace=True,
        lowercase=True,
        eps_smoothing=True,
        average="segments",
    )
    expected = metric.corpus_score(HYPOTHESES, REFERENCES)
    assert math.isclose(record["score"], expected.score, rel_tol=1e-12)
    assert record["signature"] == expected.signature


def test_segments(folder: Path) -> None:
    found = succeed("score", *FILES, "--level", "segment", "-f", "json", folder=folder).records
    scores = CHRF().segment_scores(HYPOTHESES, REFERENCES).tolist()
    assert [one["score"] for one in found] == scores


def test_explain(folder: Path) -> None:
    shown = succeed("explain", *FILES, "--segment", "1", folder=folder).output
    assert "Characters of order 6" in shown


def test_what_it_refuses(folder: Path) -> None:
    shown = refuse("score", *FILES, "--char-order", "0", folder=folder)
    assert "--char-order and --word-order are both 0" in shown
    shown = refuse("score", *FILES, "--tokenize", "13a", folder=folder)
    assert "--tokenize is not an option of chrf" in shown


def test_options_go_to_the_metrics_that_have_them(folder: Path) -> None:
    """With a note, and with an error where none has it."""
    metrics = ("-m", "bleu", "-m", "ter", "-m", "chrf")
    found = succeed(
        "score",
        *FILES[:-2],
        *metrics,
        "--tokenize",
        "char",
        "--lowercase",
        "-f",
        "json",
        folder=folder,
    )
    bleu, ter, chrf = (one["signature"] for one in found.records)
    assert "|tok:char|" in bleu and "|case:lc|" in bleu
    assert "|tok:tercom|" in ter
    assert "|case:lc|" in chrf
    assert sorted(found.errors.splitlines()[:2]) == [
        "note: --lowercase is for bleu and chrf; ter has no such option",
        "note: --tokenize is for bleu; ter and chrf have no such option",
    ]
    quiet = succeed("score", *FILES[:-2], *metrics, "--lowercase", "-q", folder=folder)
    assert quiet.errors == ""
    shown = refuse("score", *FILES[:-2], *metrics, "--beam-size", "3", folder=folder)
    assert "--beam-size is not an option of bleu, ter or chrf" in shown
