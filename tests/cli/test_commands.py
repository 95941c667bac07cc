"""The other commands, the version, help and completion."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from dataclasses import fields
from pathlib import Path

import pytest

import cocarde
from cocarde import BLEU, metrics, tokenizers
from tests.cli.conftest import HYPOTHESES, REFERENCES
from tests.cli.runner import TIMEOUT, environment, refuse, run, succeed


def test_version_is_quick() -> None:
    times = []
    for _ in range(5):
        start = time.perf_counter()
        finished = succeed("--version")
        times.append(time.perf_counter() - start)
        assert finished.output == f"cocarde {cocarde.__version__}\n"
    assert min(times) < 0.3
    assert succeed("-V", "--debug").output == f"cocarde {cocarde.__version__}\n"


@pytest.mark.parametrize(
    "program",
    ["import cocarde", "import cocarde.cli", "import cocarde.cli as c; c.main(['-V'])"],
)
def test_heavy_modules_wait(program: str) -> None:
    heavy = ("numpy", "typer", "click", "rich", "cocarde._native", "pydantic")
    listing = f"{program}\nimport sys\nprint([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", listing], capture_output=True, env=environment(), timeout=TIMEOUT,
        check=True,
    )  # fmt: skip
    assert done.stdout.decode().splitlines()[-1] == "[]"


def test_a_plain_command_needs_neither_typer_nor_rich(folder: Path) -> None:
    program = (
        "import sys\nfrom cocarde.cli import main\n"
        "assert main(['score', 'hyp.txt', '-r', 'ref.txt', '-f', 'csv']) == 0\n"
        "assert not {'rich', 'typer', 'click'} & set(sys.modules)"
    )
    subprocess.run(
        [sys.executable, "-c", program],
        env=environment(),
        cwd=folder,
        timeout=TIMEOUT,
        check=True,
        stdout=subprocess.DEVNULL,
    )


def test_no_command_prints_the_help() -> None:
    finished = run()
    assert finished.code == 2
    listed = succeed("--help").output
    for name in ("score", "compare", "explain", "tokenize", "metrics", "presets", "resources"):
        assert f"│ {name} " in finished.output
        assert f"│ {name} " in listed
    for name in ("reproduce", "report"):
        assert f"│ {name} " not in listed


@pytest.mark.parametrize(
    "name", ["score", "explain", "tokenize", "metrics", "presets", "resources"]
)
def test_every_command_has_help(name: str) -> None:
    assert f"cocarde {name}" in succeed(name, "--help").output


# -- tokenize


@pytest.mark.parametrize(
    ("options", "keywords"),
    [
        ([], {}),
        (["--tokenize", "zh"], {"tokenize": "zh"}),
        (["-tok", "char", "--lowercase"], {"tokenize": "char", "lowercase": True}),
    ],
)
def test_tokenize(folder: Path, options: list[str], keywords: dict[str, object]) -> None:
    cut = BLEU(**keywords).column_options.tokens  # type: ignore[arg-type]
    tokens = [cut(text) for text in HYPOTHESES]
    finished = succeed("tokenize", "hyp.txt", *options, folder=folder)
    assert finished.lines == [" ".join(segment) for segment in tokens]
    text = (folder / "hyp.txt").read_bytes()
    assert succeed("tokenize", *options, "-f", "json", stdin=text).records == tokens
    lines = succeed("tokenize", "-", *options, "-f", "jsonl", stdin=text).lines
    assert len(lines) == len(tokens)


def test_tokenize_as_a_preset_and_from_tables(folder: Path) -> None:
    cut = BLEU.preset("mteval-v13a").column_options.tokens
    finished = succeed("tokenize", "hyp.txt", "--preset", "mteval-v13a", folder=folder)
    assert finished.lines == [" ".join(cut(text)) for text in HYPOTHESES]
    assert succeed("tokenize", "-:2", stdin="a\tb,c\n").output == "b , c\n"
    assert succeed("tokenize", "-f", "json").records == []


def test_list_of_tokenizers() -> None:
    found = succeed("tokenize", "--list", "--format", "json").records
    assert [one["name"] for one in found] == tokenizers.names()
    assert all(one["summary"] and one["reproduces"] for one in found)
    table = succeed("tokenize", "--list").lines
    assert len(table) == len(found) + 1


# -- metrics and presets


def test_metrics() -> None:
    found = succeed("metrics", "--format", "json").records
    assert [one["metric"] for one in found if ":" not in one["metric"]] == metrics.names()
    (bleu,) = (one for one in found if one["metric"] == "bleu")
    options = {one["name"]: one for one in bleu["options"]}
    assert options["tokenize"]["default"] == "13a"
    assert options["clip"]["default"] is True
    assert options["tokenize"]["flag"] == "--tokenize"
    assert options["vocabulary"]["flag"] is None
    # Every option that the command line has sets something; every keyword is listed.
    assert set(options) == {field.name for field in fields(BLEU) if field.init}
    assert "--smooth-method" not in succeed("score", "--help", COLUMNS="200").output
    help_text = succeed("score", "-m", "bleu", "--help", COLUMNS="200").output
    for option in options.values():
        if option["flag"] is not None:
            assert option["flag"] in help_text
    assert "--smooth-method" in succeed("metrics").output


def test_presets() -> None:
    found = succeed("presets", "bleu", "--format", "json").records
    assert {one["preset"]: one["options"] for one in found} == {
        name: dict(preset.options) for name, preset in BLEU.presets().items()
    }
    table = succeed("presets").output
    for one in found:
        assert one["preset"] in table
        assert one["reproduces"] in table


@pytest.mark.parametrize("command", [[], ["score"], ["explain"], ["tokenize"], ["metrics"]])
def test_help_shows_flags_as_flags(command: list[str]) -> None:
    shown = succeed(*command, "--help", COLUMNS="200").output
    assert re.search(r"--help +-h +Show this", shown)
    assert succeed(*command, "-h", COLUMNS="200").output == shown
    for announced in ("<bool>", "BOOLEAN"):
        assert announced not in shown


# -- explain


def test_explain_a_segment_of_files(folder: Path) -> None:
    files = ["explain", "hyp.txt", "-r", "ref.txt"]
    found = succeed(*files, "--segment", "2", "--format", "json", folder=folder).records
    explanation = cocarde.explain(BLEU(), HYPOTHESES, REFERENCES, segment=1)
    assert found == {**explanation.to_dict(), "segment": 2, "counted_from": 1}
    whole = succeed(*files, "--preset", "nltk", "--format", "json", folder=folder).records
    expected = cocarde.explain("bleu:nltk", HYPOTHESES, REFERENCES).to_dict()
    assert [row.pop("index") for row in whole["segments"]] == [1, 2, 3, 4, 5]
    assert [row.pop("index") for row in expected["segments"]] == [0, 1, 2, 3, 4]
    assert whole == {**expected, "counted_from": 1}


@pytest.mark.parametrize("metric", ["bleu", "rouge"])
def test_explanations_count_segments_as_options_and_scores_do(folder: Path, metric: str) -> None:
    """The number after --segment is the number in the title, the tables, JSON and `score`."""
    files = ["hyp.txt", "-r", "ref.txt", "-m", metric]
    title = succeed("explain", *files, "-n", "2", folder=folder).lines[0]
    assert "segment 2 (counted from 1)" in title
    explained = succeed("explain", *files, "-f", "json", folder=folder).records["segments"]
    scored = succeed("score", *files, "--level", "segment", "-f", "json", folder=folder).records
    numbers = list(dict.fromkeys(one["segment"] for one in scored))
    assert [row["index"] for row in explained] == numbers == [1, 2, 3, 4, 5]
    table = succeed("explain", *files, folder=folder).output
    assert "segment (from 1)" in table
    assert "from 0" not in table


def test_explain_a_sentence() -> None:
    sentence = ["explain", "--hypothesis", "the cat sat", "--reference", "the cat", "--reference",
                "a cat sat"]  # fmt: skip
    explanation = cocarde.explain(BLEU(), "the cat sat", ["the cat", "a cat sat"])
    assert succeed(*sentence).output.rstrip("\n") == explanation.to_text().rstrip("\n")
    markdown = succeed(*sentence, "--format", "markdown").output
    assert markdown.rstrip("\n") == explanation.to_markdown().rstrip("\n")
    assert succeed(*sentence, "--format", "html").output.startswith("<!DOCTYPE html>")


# -- completion


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("cocarde score --preset mt", {"mteval-v13a", "mteval-v14"}),
        ("cocarde score --tokenize z", {"zh"}),
        ("cocarde score -m bleu:nl", {"bleu:nltk"}),
        ("cocarde score --format js", {"json", "jsonl"}),
        ("cocarde score --smooth-method fl", {"floor"}),
        ("cocarde to", {"tokenize"}),
    ],
)
def test_completion(typed: str, expected: set[str]) -> None:
    done = run(
        _COCARDE_COMPLETE="complete_bash",
        COMP_WORDS=typed,
        COMP_CWORD=str(len(typed.split()) - 1),
    )
    assert expected <= set(done.output.split())


def test_show_completion() -> None:
    assert "_COCARDE_COMPLETE" in succeed("--show-completion", "bash").output


def test_unknown_tokenizer_of_tokenize() -> None:
    assert "Did you mean 'zh'?" in refuse("tokenize", "--tokenize", "zhh", stdin="a\n")
