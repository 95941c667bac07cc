"""What users of other programs type works, or is answered with the line that works."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

import cocarde
from cocarde import OptionError
from tests.cli.conftest import DOCUMENTS, HYPOTHESES, write
from tests.cli.runner import refuse, run, succeed


@pytest.mark.parametrize(
    ("written", "works"),
    [
        ("score hyp.txt -r ref.txt -m bleu chrf", "score hyp.txt -r ref.txt -m bleu -m chrf"),
        ("score -m bleu ter -r ref.txt hyp.txt", "score hyp.txt -r ref.txt -m bleu -m ter"),
        ("score ref.txt -i hyp.txt", "score hyp.txt -r ref.txt"),
        (
            "score ref.txt ref2.txt -i hyp.txt -m bleu chrf -b",
            "score hyp.txt -r ref.txt -r ref2.txt -m bleu -m chrf -b",
        ),
        ("score hyp.txt ref.txt", "score hyp.txt -r ref.txt"),
        ("explain hyp.txt ref.txt -n 1", "explain hyp.txt -r ref.txt -n 1"),
        ("score hyp.txt -r ref.txt -t wmt17 -l en-de", "score hyp.txt -r ref.txt"),
        ("score hyp.txt ref.txt -l de -norm",
         "score hyp.txt -r ref.txt -m meteor --language de --normalize"),
        ("score --hyp hyp.txt --ref ref.txt", "score hyp.txt -r ref.txt"),
        ("score hyp.txt -r ref.txt --tokenizer zh", "score hyp.txt -r ref.txt --tokenize zh"),
        ("score hyp.txt -r ref.txt --tok=zh", "score hyp.txt -r ref.txt --tokenize zh"),
        ("score hyp.txt -r ref.txt ref2.txt", "score hyp.txt -r ref.txt -r ref2.txt"),
        ("score -r ref.txt ref2.txt hyp.txt", "score hyp.txt -r ref.txt -r ref2.txt"),
        ("compare hyp.txt other.txt -r ref.txt ref2.txt",
         "compare hyp.txt other.txt -r ref.txt -r ref2.txt"),
        ("score hyp.txt -r ref.txt -m chrf --chrf-word-order 2",
         "score hyp.txt -r ref.txt -m chrf --word-order 2"),
        ("explain --hyp 'a b' --ref 'a c'", "explain --hypothesis 'a b' --reference 'a c'"),
        ("explain --hyp hyp.txt --ref ref.txt", "explain hyp.txt -r ref.txt"),
        ("score - ref.txt", "score - -r ref.txt"),
    ],
)  # fmt: skip
def test_the_line_that_works_is_said(folder: Path, written: str, works: str) -> None:
    message = refuse(*shlex.split(written), folder=folder)
    said = re.search(r"hint: say `cocarde (.*)`", message)
    assert said is not None
    assert said[1] == works
    succeed(*shlex.split(works), folder=folder, stdin="\n".join(HYPOTHESES))


@pytest.mark.parametrize(
    "written",
    ["score -r ref.txt hyp.txt", "score -r 1.txt 2.txt", "score -m bleu -r ref.txt other.txt hyp.txt",
     "score -r=ref.txt hyp.txt --references=ref2.txt", "score -r ref.txt out/ref.txt hyp.txt"],
)  # fmt: skip
def test_own_habits_are_left_alone(folder: Path, written: str) -> None:
    (folder / "out").mkdir()
    for name in ("1.txt", "2.txt", "=ref.txt", "out/ref.txt"):
        write(folder / name, DOCUMENTS)
    assert "hint: say" not in run(*shlex.split(written), folder=folder).errors


def test_a_file_named_like_a_metric_is_a_file(folder: Path) -> None:
    write(folder / "chrf", DOCUMENTS)
    output = succeed("score", "-r", "ref.txt", "-m", "bleu", "chrf", folder=folder).output
    assert output.splitlines()[1].startswith("chrf")


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        ("-m chrf++", "did you mean 'chrf:chrf++'?"),
        ("-m chrF++", "did you mean 'chrf:chrf++'?"),
        ("-m rougeL", "did you mean -m rouge --rouge-types rougeL?"),
        ("-m ROUGE-2", "did you mean -m rouge --rouge-types rouge2?"),
        ("-m rougeSU4", "did you mean -m rouge:rouge-1.5.5 --rouge-types rougeSU4?"),
        ("-m nltk", "did you mean 'bleu:nltk' or 'meteor:nltk' or 'chrf:nltk' or 'gleu:nltk'?"),
        ("-m bleu:chrf++", "did you mean 'chrf:chrf++'?"),
        ("--preset sacreBLEU", "did you mean 'sacrebleu'?"),
    ],
)
def test_metrics_and_presets_are_found_among_all(folder: Path, options: str, hint: str) -> None:
    arguments = ["score", "hyp.txt", "-r", "ref.txt", *options.split()]
    assert f"hint: {hint}" in refuse(*arguments, folder=folder)


def test_the_api_names_metric_and_preset() -> None:
    with pytest.raises(OptionError, match=r"did you mean 'chrf:chrf\+\+'\?"):
        cocarde.evaluate(["a"], ["a"], ["chrf++"])
    with pytest.raises(OptionError, match=r"get\('rouge', rouge_types=\['rougeL'\]\)"):
        cocarde.evaluate(["a"], ["a"], ["rougeL"])
    for metric in (cocarde.BLEU, cocarde.CHRF, cocarde.TER):
        with pytest.raises(OptionError, match="did you mean 'sacrebleu'"):
            metric.preset("sacreBLEU")


def test_every_preset_and_score_is_found_by_its_name() -> None:
    from cocarde import metrics
    from cocarde.core.registry import meant as meant_metrics

    for name, found in metrics.classes().items():
        for preset in found.presets():
            if preset not in metrics.names():
                assert f"{name}:{preset}" in [one.name for one in meant_metrics(preset.upper())]
        for score, (preset, options) in found.score_options().items():
            (meant,) = meant_metrics(score)
            assert metrics.get(meant.name, **meant.options).part_names == (score,)
            assert (preset is None) == (":" not in meant.name)
            assert meant.options == options


def test_threads_are_called_as_they_were_given(folder: Path) -> None:
    message = refuse("score", "hyp.txt", "-r", "ref.txt", "--threads", "100000", folder=folder)
    assert "'--threads'" in message
    assert "count" not in message
