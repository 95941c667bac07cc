"""ROUGE on the command line: a record for each type, at every level, and its options."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from cocarde import ROUGE
from tests.cli.conftest import HYPOTHESES, REFERENCES, write
from tests.cli.runner import refuse, run, succeed

FILES = ["hyp.txt", "-r", "ref.txt", "-m", "rouge"]


def test_a_record_for_each_type(folder: Path) -> None:
    found = succeed("score", *FILES, "-m", "rouge:coco", "-f", "json", folder=folder).records
    expected = ROUGE().corpus_score(HYPOTHESES, REFERENCES)
    assert [one["metric"] for one in found] == [*expected, "rougeL:coco"]
    for record, part in zip(found, expected.values(), strict=False):
        assert math.isclose(record["score"], part.score, rel_tol=1e-12)
        assert math.isclose(record["details"]["precision"], part.precision, rel_tol=1e-12)
        assert record["signature"] == expected.signature


def test_segments_and_documents(folder: Path) -> None:
    options = ["--rouge-types", "rouge1,rougeL", "--use-stemmer", "-f", "json"]
    found = succeed("score", *FILES, *options, "--level", "segment", folder=folder).records
    rows = ROUGE(rouge_types=["rouge1", "rougeL"], use_stemmer=True).statistics(
        HYPOTHESES, REFERENCES
    )
    assert len(found) == 2 * len(HYPOTHESES)
    for place, record in enumerate(found):
        name = ["rouge1", "rougeL"][place % 2]
        assert (record["metric"], record["segment"]) == (name, place // 2 + 1)
        assert record["details"]["recall"] == rows[f"{name}_recall"][place // 2]
        assert set(record["details"]) == {"precision", "recall", "fmeasure"}
    write(folder / "docs.txt", [f"d{i % 2}" for i in range(len(HYPOTHESES))])
    documents = ["--level", "document", "--documents", "docs.txt"]
    found = succeed("score", *FILES, *options, *documents, folder=folder).records
    assert [(one["document"], one["metric"]) for one in found] == [
        ("d0", "rouge1"), ("d0", "rougeL"), ("d1", "rouge1"), ("d1", "rougeL")
    ]  # fmt: skip


def test_every_format_has_every_type(folder: Path) -> None:
    for form in ("table", "csv", "tsv", "markdown", "latex", "jsonl"):
        output = succeed("score", *FILES, "-f", form, folder=folder).output
        assert all(name in output for name in ("rouge1", "rouge2", "rougeL", "rougeLsum")), form


def test_gates_of_types_go_before_those_of_the_metric(folder: Path) -> None:
    assert run("score", *FILES, "--min", "rouge=0", folder=folder).code == 0
    failed = run("score", *FILES, "--min", "rouge=0", "--min", "rougeL=100", folder=folder)
    assert failed.code == 1 and "rougeL of hyp.txt" in failed.errors
    assert "rouge1 of" not in failed.errors
    assert run("score", *FILES, "--min", "100", "--min", "rouge=0", folder=folder).code == 0
    refuse("score", *FILES, "--min", "rouge3=1", folder=folder)


def test_summaries_in_jsonl_from_columns_to_scores(folder: Path) -> None:
    pairs = [{"prediction": "It rains.\nStay in.", "target": "Rain today.\nStay in."},
             {"prediction": "今天下雨", "target": "今天有雨"}]  # fmt: skip
    write(folder / "sum.jsonl", [json.dumps(one) for one in pairs])
    files = ["sum.jsonl:prediction", "-r", "sum.jsonl:target", "-m", "rouge", "-f", "json"]
    finished = run("score", *files, folder=folder)
    assert finished.code == 0
    assert "leaves nothing of the text of 1 of 2 segments" in finished.errors
    expected = ROUGE().statistics(
        *([one[key] for one in pairs] for key in ("prediction", "target"))
    )
    for record in finished.records:
        name = record["metric"]
        assert math.isclose(record["score"], 100 * expected[f"{name}_fmeasure"].mean())
    words = succeed("score", *files, "--tokenize", "words", folder=folder).records
    assert words[0]["score"] > finished.records[0]["score"]


def test_the_tokenizer_that_fits(folder: Path) -> None:
    write(folder / "zh.txt", ["猫坐在垫子上。", "今天下雨。"])
    files = ["zh.txt", "-r", "zh.txt", "-m", "rouge"]
    auto = succeed("score", *files, "--tokenize", "auto", "-f", "json", folder=folder).records
    assert auto[0]["score"] == 100 and "tok:zh" in auto[0]["signature"]
    refuse("score", "-", "-r", "zh.txt", "-m", "rouge", "--tokenize", "auto", folder=folder)
    text = ["--hypothesis", "猫坐在垫子上。", "--reference", "猫在垫子上。"]
    explained = succeed("explain", "-m", "rouge", "--tokenize", "auto", *text).output
    assert "tok:zh" in explained and "common subsequence" in explained


@pytest.mark.parametrize("preset", list(ROUGE.presets()))
def test_presets_are_listed_and_run(folder: Path, preset: str) -> None:
    listed = succeed("presets", "rouge", "-f", "json").records
    assert preset in [one["preset"] for one in listed]
    found = succeed("score", *FILES[:-1], f"rouge:{preset}", "-f", "json", folder=folder).records
    expected = ROUGE.preset(preset).corpus_score(HYPOTHESES, REFERENCES)
    for record, part in zip(found, expected.values(), strict=True):
        assert math.isclose(record["score"], part.score, rel_tol=1e-12)
