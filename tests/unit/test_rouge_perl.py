"""ROUGE-1.5.5 as a metric like the others; its numbers are tested in tests/parity."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import cocarde
from cocarde import ROUGE, InputError, OptionError
from cocarde.engines.streaming import accumulate_files
from cocarde.metrics.rouge155 import Rouge155Options, rouge155_averages, rouge155_rows

H = ["police killed the gunman", "the gunman police killed\nand more", ""]
R = [["police kill the gunman", "the gunman was shot"], ["gunman the killed police"], ["a b c"]]


@pytest.mark.parametrize("unit", ["segment", "token"])
def test_statistics_are_the_rows_of_the_program(unit: str) -> None:
    rouge = ROUGE.preset("rouge-1.5.5", orders=(1, 2), weight=1.2, counting_unit=unit)
    options = Rouge155Options(orders=(1, 2), weight=1.2, counting_unit=unit)  # type: ignore[arg-type]
    statistics = rouge.statistics(H, R)
    rows = rouge155_rows(H, R, options)
    assert statistics["count"].tolist() == [1, 1, 1]
    assert np.array_equal(statistics.values[:, 1:], rows)
    expected = 100 * rouge155_averages(rows.sum(axis=0), 3, options)
    score = rouge.corpus_score(H, R)
    for row, name in zip(expected, ("rouge1", "rouge2", "rougeL", "rougeW"), strict=True):
        found = score[name]
        assert [found.precision, found.recall, found.fmeasure] == pytest.approx(row.tolist())
    segments = rouge.segment_scores(H, R)
    assert segments[2] == 0
    assert segments[0] == pytest.approx(rouge.sentence_score(H[0], R[0]).score)
    assert rouge.compute(statistics.sum()) == score


def test_it_goes_where_other_metrics_go(tmp_path: Path) -> None:
    rouge = ROUGE.preset("rouge-1.5.5", stemming=True)
    texts, references = ["the cats sat", "a dog"], ["the cat sits", "the dogs"]
    expected = rouge.corpus_score(texts, references)
    result = cocarde.evaluate(texts, references, {"perl": rouge, "bleu": "bleu"})
    assert result["perl"] == expected
    accumulator = rouge.accumulator()
    for text, reference in zip(texts, references, strict=True):
        accumulator.update([text], [reference])
    assert accumulator.compute() == expected
    for name, lines in (("h", texts), ("r", references)):
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    found = accumulate_files({"perl": rouge}, tmp_path / "h", [tmp_path / "r"])["perl"]
    assert found.compute() == expected
    assert rouge.pairwise(texts, references).shape == (2, 2)
    assert rouge.pairwise(texts, references)[1, 1] == rouge.segment_scores(texts, references)[1]
    assert "stem:wordnet" in expected.signature


def test_what_it_refuses() -> None:
    rouge = ROUGE.preset("rouge-1.5.5")
    with pytest.raises(InputError, match=r"ROUGE-1.5.5 cuts texts itself"):
        rouge.corpus_score([["a"]], [["a"]])
    with pytest.raises(OptionError, match="nothing to prepare"):
        rouge.prepare(["a"])
    with pytest.raises(InputError, match="give the references as they are"):
        rouge.corpus_score(["a"], ROUGE().prepare(["a"]))
    with pytest.raises(InputError, match="no segments"):
        rouge.corpus_score([], [])
    with pytest.raises(OptionError, match=r"rouge-1.5.5: .*ordres"):
        ROUGE.preset("rouge-1.5.5", ordres=(1,))
    with pytest.raises(OptionError, match="alpha must be from 0 to 1"):
        ROUGE.preset("rouge-1.5.5", alpha=2)
    with pytest.raises(OptionError, match="not read from a signature"):
        ROUGE.from_signature(rouge.signature)
