"""examples/minimum_bayes_risk.py as a process, beside the definition of expected utility."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import cocarde
from cocarde import BLEU, CHRF
from cocarde.core.metric import Metric

PROGRAM = Path(__file__).resolve().parents[2] / "examples" / "minimum_bayes_risk.py"
SAMPLES = [
    ["the cat sat on the mat", "a cat sat on the mat", "the cat is sat on a mat", "dogs"],
    ["one sample alone"],
    ["b b b b", "a b c d e f", "b b b b", "a b c d e", "b b b b"],
    ["", "so it is", "so is it"],
    ["", ""],
]


def run(
    folder: Path, *arguments: str, stdout: int = subprocess.PIPE
) -> subprocess.CompletedProcess[str]:
    package = Path(cocarde.__file__).resolve().parent.parent
    path = f"{package}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    return subprocess.run(
        [sys.executable, str(PROGRAM), *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path, "PYTHONUTF8": "1"},
        stdout=stdout,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


@pytest.fixture
def samples(tmp_path: Path) -> Path:
    path = tmp_path / "samples.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in SAMPLES), encoding="utf-8")
    return path


@pytest.mark.filterwarnings("ignore::cocarde.errors.CocardeWarning")
@pytest.mark.parametrize("name", ["chrf", "bleu"])
def test_choices_are_those_of_the_definition(name: str, samples: Path) -> None:
    """The mean of single scores, each candidate against each sample, equals and itself among them."""
    metrics: dict[str, Metric[Any]] = {
        "chrf": CHRF(),
        "bleu": BLEU(smooth_method="add-k", smooth_value=1),
    }
    metric = metrics[name]
    done = run(samples.parent, samples.name, "--metric", name, "--json")
    assert done.returncode == 0, done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(found) == len(SAMPLES)
    for texts, choice in zip(SAMPLES, found, strict=True):
        means = [
            sum(metric.sentence_score(h, [r]).score for r in texts) / len(texts) for h in texts
        ]
        assert choice["utility"] == pytest.approx(max(means), abs=1e-9)
        assert means[choice["index"]] == pytest.approx(max(means), abs=1e-9)
        assert texts[choice["index"]] == choice["text"]
    assert [one["index"] for one in found][1:3] == [0, 0]  # alone; and sampled most often
    assert re.search(r"5 sources, 55 pairs by (chrF|BLEU): [\d.]+ s", done.stderr)


def test_plain_text_and_its_references(samples: Path) -> None:
    (samples.parent / "ref.txt").write_text("the cat sat on the mat\nb\nc\nso it is\n\n")
    done = run(samples.parent, samples.name, "-r", "ref.txt", "-o", "out.txt")
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    chosen = (samples.parent / "out.txt").read_text(encoding="utf-8").split("\n")
    assert len(chosen) == len(SAMPLES) + 1
    assert chosen[1] == "one sample alone"
    assert "average sample" in done.stderr
    few = run(samples.parent, samples.name, "--samples", "1", "--sources", "3")
    assert few.stdout.splitlines() == [texts[0] for texts in SAMPLES[:3]]


def scores(report: str, kind: str) -> list[float]:
    found = re.search(rf"^{kind} +([\d.]+) +([\d.]+)$", report, re.MULTILINE)
    assert found, report
    return [float(number) for number in found.groups()]


@pytest.mark.parametrize("name", ["chrf", "bleu"])
def test_made_samples_show_that_it_works(name: str, tmp_path: Path) -> None:
    given = ["--sources", "24", "--samples", "16", "--metric", name]
    done = run(tmp_path, *given, "--threads", "2")
    assert done.returncode == 0, done.stderr
    assert "no model wrote them" in done.stderr
    by_chance = zip(scores(done.stderr, "average sample"), scores(done.stderr, "MBR"), strict=True)
    assert all(chosen > average + 5 for average, chosen in by_chance)
    assert len(done.stdout.splitlines()) == 24
    assert run(tmp_path, *given, "--threads", "1").stdout == done.stdout
    assert run(tmp_path, *given, "--seed", "2").stdout != done.stdout


def test_made_of_given_translations(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / name).write_text(f"{name} one two three four five\n{name} six seven\n")
    given = ["--translations", "a", "--translations", "b", "--sources", "3", "--samples", "4"]
    done = run(tmp_path, *given)
    assert done.returncode == 0 and len(done.stdout.splitlines()) == 3
    assert "against the references" not in done.stderr
    assert "against the references" in run(tmp_path, *given, "-r", "c").stderr


@pytest.mark.parametrize(
    ("content", "arguments", "message"),
    [
        (b'["a"]\n["b"\n', [], "s.jsonl, line 2: not JSON"),
        (b'["a"]\n\n', [], "s.jsonl, line 2: not JSON"),
        (b'["a"]\n[]\n', [], "s.jsonl, line 2: this source has no samples"),
        (b'["a", 1]\n', [], "s.jsonl, line 1: not a list of texts"),
        (b'{"samples": ["a"]}\n', [], "s.jsonl, line 1: not a list of texts"),
        (b'["a"]\n["\xff"]\n', [], "s.jsonl, line 2: not UTF-8"),
        (b"", [], "s.jsonl is empty"),
        (b'["a\\nb"]\n', [], "source 1 has a line break in it; use --json"),
        (b'["\\ud800"]\n', [], "half of a surrogate pair"),
        (b'["a"]\n', ["-r", "s.jsonl", "--sources", "0"], "at least 1, found '0'"),
        (b'["a"]\n["b"]\n', ["-r", "one.txt"], "one.txt has 1 lines, but s.jsonl has the samples"),
        (b'["a"]\n', ["-r", "none.txt"], "none.txt: No such file"),
        (b'["a"]\n', ["-o", "none/out.txt"], "none/out.txt: No such file"),
        (b'["a"]\n', ["--translations", "one.txt"], "drop one of them"),
        (b'["a"]\n', ["--metric", "ter"], "invalid choice: 'ter'"),
    ],
)
def test_bad_input(content: bytes, arguments: list[str], message: str, tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_bytes(content)
    (tmp_path / "one.txt").write_text("a\n")
    done = run(tmp_path, "s.jsonl", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_json_holds_any_text(tmp_path: Path) -> None:
    texts = ["a\nb", "\ud800"]
    (tmp_path / "s.jsonl").write_text("".join(json.dumps([text]) + "\n" for text in texts))
    done = run(tmp_path, "s.jsonl", "--json")
    assert [json.loads(line)["text"] for line in done.stdout.splitlines()] == texts


def test_a_closed_pipe_ends_it_quietly(samples: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = run(samples.parent, samples.name, stdout=writer)
    finally:
        os.close(writer)
    assert done.returncode == 141
    assert "pipe" not in done.stderr.lower() and "error" not in done.stderr.lower()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is full")
def test_a_full_disk_is_an_error(samples: Path) -> None:
    with open("/dev/full", "wb") as full:
        done = run(samples.parent, samples.name, stdout=full.fileno())
    assert done.returncode == 2
    assert "error: standard output: No space left" in done.stderr
    assert "Traceback" not in done.stderr


def test_translations_that_do_not_belong_together(tmp_path: Path) -> None:
    (tmp_path / "two.txt").write_text("a\nb\n")
    (tmp_path / "one.txt").write_text("a\n")
    done = run(tmp_path, "--translations", "two.txt", "-r", "one.txt")
    assert done.returncode == 2
    assert "one.txt has 1 lines, but two.txt has 2" in done.stderr
