"""Bad usage and bad input: one clean message with the way out, exit code 2, no output."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import HYPOTHESES, write
from tests.cli.runner import TIMEOUT, command, environment, refuse, run

FILES = ["score", "hyp.txt", "-r", "ref.txt"]


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["scor", "hyp.txt"], ["scor", "score"]),
        ([*FILES, "--formt", "json"], ["--formt", "--format"]),
        ([*FILES, "--format", "jsn"], ["jsn", "hint: did you mean 'json'?"]),
        ([*FILES, "-m", "blue"], ["no metric 'blue'", "hint: did you mean 'bleu'?"]),
        ([*FILES, "--preset", "nlkt"], ["no bleu preset 'nlkt'", "hint: did you mean 'nltk'?"]),
        ([*FILES, "-m", "bleu:mult-bleu"], ["hint: did you mean 'multi-bleu'?"]),
        ([*FILES, "--tokenize", "intll"], ["intll", "Did you mean 'intl'?"]),
        ([*FILES, "--formula", "ntlk"], ["ntlk", "hint: did you mean 'nltk'?"]),
        ([*FILES, "--smooth-method", "flor"], ["--smooth-method 'flor'", "did you mean 'floor'?"]),
        ([*FILES, "--smooth-value", "1"], ["'exp' takes no --smooth-value"]),
        ([*FILES, "--max-ngram-order", "0"], ["--max-ngram-order", "from 1 to 1000"]),
        ([*FILES, "--max-ngram-order", "two"], ["--max-ngram-order"]),
        ([*FILES, "--auto-reweigh"], ["--auto-reweigh belongs to the formula 'nltk'"]),
        ([*FILES, "--weights", "a,b"], ["--weights: 'a,b' is not numbers with commas between"]),
        ([*FILES, "--threads", "0"], ["--threads"]),
        ([*FILES, "-m", "bleu", "-m", "bleu"], ["asked for twice"]),
        ([*FILES, "-m", "bleu:nltk", "--preset", "coco"], ["both name a preset", "-m bleu:coco"]),
        ([*FILES, "--level", "document"], ["--documents FILE"]),
        ([*FILES, "--documents", "documents.txt"], ["--level document"]),
        (["score", "hyp.txt"], ["--references"]),
        (["score"], ["HYP"]),
        (["presets", "bluе"], ["no metric"]),
        (["explain"], ["nothing to explain"]),
        (["explain", "hyp.txt"], ["no references"]),
        (["explain", "--hypothesis", "a"], ["without --reference"]),
        (["explain", "--reference", "a"], ["without --hypothesis"]),
        (["explain", "hyp.txt", "-r", "ref.txt", "--hypothesis", "a"], ["a sentence and files"]),
        (["explain", "hyp.txt", "-r", "ref.txt", "--segment", "6"], ["has 5 segments"]),
        (["explain", "hyp.txt", "-r", "ref.txt", "--segment", "0"], ["--segment"]),
    ],
)  # fmt: skip
def test_usage(folder: Path, arguments: list[str], parts: list[str]) -> None:
    message = refuse(*arguments, folder=folder)
    for part in parts:
        assert part in message


@pytest.mark.parametrize(
    "options",
    [
        ["--smooth-method", "formul"],
        ["--reference-length", "mus"],
        ["--formula", "formule"],
        ["--level", "on"],
        ["--tokenize", "tokenized"],
        ["--min", "metric=3"],
        ["--smooth-method", "floor", "--smooth-value", "nunber"],
    ],
)
def test_words_of_a_message_are_no_hints(folder: Path, options: list[str]) -> None:
    """Only what may be given is proposed, not what the message happens to say."""
    message = refuse(*FILES, *options, folder=folder)
    assert "did you mean" not in message.lower()


def test_counts_differ(folder: Path) -> None:
    write(folder / "short.txt", HYPOTHESES[:3])
    message = refuse("score", "hyp.txt", "-r", "ref.txt", "-r", "short.txt", folder=folder)
    assert "short.txt:3: the numbers of lines differ: hyp.txt has 5" in message
    message = refuse("score", "hyp.txt", "-r", "short.txt", "--level", "segment", folder=folder)
    assert "hyp.txt has 5, short.txt has 3" in message
    message = refuse("score", "hyp.txt", "short.txt", "-r", "ref.txt", folder=folder)
    assert "short.txt has 3" in message
    message = refuse("score", "hyp.txt", "-r", "ref.txt", "--level", "document", "--documents",
                     "short.txt", folder=folder)  # fmt: skip
    assert "short.txt: has 3 labels, but hyp.txt has 5 segments" in message


@pytest.mark.parametrize("level", ["corpus", "segment"])
def test_bad_utf8_says_where(folder: Path, level: str) -> None:
    (folder / "bad.txt").write_bytes(b"one\ntwo\ncaf\xe9 x\nfour\nfive\n")
    message = refuse("score", "hyp.txt", "-r", "bad.txt", "--level", level, folder=folder)
    assert "error: bad.txt:3: not UTF-8: byte 0xe9 at byte offset 11" in message


def test_damaged_files(folder: Path) -> None:
    (folder / "cut.gz").write_bytes(gzip.compress((folder / "ref.txt").read_bytes())[:-12])
    assert "cut.gz" in refuse("score", "hyp.txt", "-r", "cut.gz", folder=folder)
    lines = ['{"r": "a"}', '{"r": "b"}', '{"r": oops}', '{"r": "d"}', '{"r": "e"}']
    write(folder / "bad.jsonl", lines)
    message = refuse("score", "hyp.txt", "-r", "bad.jsonl:r", folder=folder)
    assert "bad.jsonl:3: malformed JSON at column 7" in message
    message = refuse("score", "hyp.txt", "-r", "bad.jsonl", folder=folder)
    assert "bad.jsonl:NAME" in message
    (folder / "bad.xml").write_text("<?xml version='1.0'?>\n<dataset>\n<doc id='a'>\n", "utf-8")
    assert "bad.xml" in refuse("score", "hyp.txt", "-r", "bad.xml", folder=folder)


def test_missing_and_empty_files(folder: Path) -> None:
    message = refuse("score", "hyps.txt", "-r", "ref.txt", folder=folder)
    assert "error: hyps.txt: cannot be opened: No such file" in message
    assert "hint: did you mean hyp.txt?" in message
    message = refuse("score", "hyp.txt", "-r", "nowhere/ref.txt", folder=folder)
    assert "hint: the folder nowhere does not exist" in message
    (folder / "empty.txt").write_bytes(b"")
    assert "empty.txt" in refuse("score", "empty.txt", "-r", "empty.txt", folder=folder)
    assert "has 0" in refuse("score", "hyp.txt", "-r", "empty.txt", folder=folder)
    assert refuse("score", ".", "-r", "ref.txt", folder=folder)


def test_standard_input_twice(folder: Path) -> None:
    for arguments in (["-", "-r", "-"], ["-", "-", "-r", "ref.txt"], ["-:1", "-r", "-:2"]):
        message = refuse("score", *arguments, folder=folder, stdin="a\tb\n")
        assert "standard input: given more than once" in message


def test_an_output_that_cannot_be_written_leaves_all_as_it_was(folder: Path) -> None:
    before = (folder / "ref.txt").read_bytes()
    assert "also read" in refuse(*FILES, "-o", "ref.txt", folder=folder)
    assert (folder / "ref.txt").read_bytes() == before
    assert "folder does not exist" in refuse(*FILES, "-o", "no/out.txt", folder=folder)
    assert "is a folder" in refuse(*FILES, "-o", ".", folder=folder)


def test_a_failure_keeps_the_old_output(folder: Path) -> None:
    old = folder / "out.json"
    old.write_text("old")
    write(folder / "short.txt", HYPOTHESES[:3])
    refuse("score", "hyp.txt", "-r", "short.txt", "-f", "json", "-o", "out.json", folder=folder)
    refuse("tokenize", "missing.txt", "-o", "out.json", folder=folder)
    (folder / "bad.txt").write_bytes(b"one\n\xff\n")
    refuse("tokenize", "bad.txt", "-o", "out.json", folder=folder)
    assert old.read_text() == "old"
    assert sorted(path.name for path in folder.iterdir() if "out" in path.name) == ["out.json"]


@pytest.mark.skipif(
    os.name != "posix" or os.getuid() == 0, reason="platform: permissions do not bind here"
)
def test_a_folder_without_permission(folder: Path) -> None:
    locked = folder / "locked"
    locked.mkdir(mode=0o500)
    assert "permission denied" in refuse(*FILES, "-o", "locked/out.txt", folder=folder)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_disk(folder: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            command(*FILES), stdout=full, stderr=subprocess.PIPE, cwd=folder, env=environment(),
            timeout=TIMEOUT, check=False,
        )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.decode().splitlines() == [
        "error: standard output cannot be written: No space left on device"
    ]
    message = refuse(*FILES, "-o", "/dev/full", folder=folder)
    assert "/dev/full" in message


def test_debug_shows_the_traceback(folder: Path) -> None:
    finished = run("--debug", "score", "missing.txt", "-r", "ref.txt", folder=folder)
    assert finished.code == 2
    assert "Traceback" in finished.errors
    assert "InputError" in finished.errors
    assert run("score", "missing.txt", "-r", "ref.txt", "--debug", folder=folder).code == 2


def test_a_bug_is_not_a_failed_gate(folder: Path) -> None:
    program = (
        "import sys, cocarde.metrics.bleu.formulas as f\n"
        "def broken(*given): raise ZeroDivisionError('oops')\n"
        "f.FORMULAS['sacrebleu'] = f.Formula(broken, f.FORMULAS['sacrebleu'].smooth_methods)\n"
        "from cocarde.cli import main\n"
        "sys.exit(main(['score', 'hyp.txt', '-r', 'ref.txt']))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, cwd=folder, env=environment(),
        timeout=TIMEOUT, check=False,
    )  # fmt: skip
    assert done.returncode == 70
    assert b"unexpected ZeroDivisionError: oops" in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_null_reference_is_named_by_file_and_line(folder: Path) -> None:
    write(
        folder / "r.jsonl", ['{"r": "x"}', '{"r": null}', '{"r": "y"}', '{"r": "z"}', '{"r": ""}']
    )
    for command_line in (
        ["score", "hyp.txt", "-r", "r.jsonl:r"],
        ["explain", "hyp.txt", "-r", "r.jsonl:r"],
    ):
        assert "error: r.jsonl:2: field 'r': this segment has no" in refuse(
            *command_line, folder=folder
        )


def test_markup_on_the_wrong_side(folder: Path) -> None:
    for element, system in (("tstset", "s"), ("refset", "A")):
        write(
            folder / f"{element}.sgm",
            [
                f'<{element} setid="t" srclang="de" trglang="en">',
                f'<doc docid="d" sysid="{system}"><seg id="1">a b c d</seg></doc></{element}>',
            ],
        )
    message = refuse("score", "refset.sgm", "-r", "tstset.sgm", folder=folder)
    assert "refset.sgm: holds references (refset) but is given as hypotheses" in message
    assert "with tstset.sgm as references" in message
    # The right way round, one of them from standard input.
    text = (folder / "tstset.sgm").read_bytes()
    found = run("score", "-", "-r", "refset.sgm", "-b", folder=folder, stdin=text)
    assert (found.code, found.output) == (0, "100.00\n")
    found = run("tokenize", folder=folder, stdin=text)
    assert found.output == "a b c d\n"


@pytest.mark.parametrize(
    ("missing", "there", "near"),
    [
        ("R.txt", "cr.txt", False),
        ("out.en", "out.de", False),
        ("sys1.txt", "sys2.txt", False),
        ("first.txt", "last.txt", False),
        ("Hyp1.txt", "hyp1.txt", True),
        ("refernce.txt", "reference.txt", True),
        ("talk.de", "talk.de.gz", True),
    ],
)
def test_only_near_names_are_proposed(tmp_path: Path, missing: str, there: str, near: bool) -> None:
    write(tmp_path / "given.txt", HYPOTHESES)
    write(tmp_path / there, HYPOTHESES)
    message = refuse("score", missing, "-r", "given.txt", folder=tmp_path)
    assert (f"hint: did you mean {there}?" in message) is near


def test_what_explains_different_lengths(folder: Path) -> None:
    write(folder / "more.txt", [*HYPOTHESES[:2], "", *HYPOTHESES[2:]])
    for options in ([], ["--level", "segment"]):
        message = refuse("score", "hyp.txt", "-r", "more.txt", *options, folder=folder)
        assert "line 3 of more.txt is empty and not so in hyp.txt" in message
    write(folder / "more.txt", [*HYPOTHESES, ""])
    message = refuse("score", "hyp.txt", "-r", "more.txt", folder=folder)
    assert "line 6 of more.txt is empty, at the end" in message


def test_names_of_files_do_not_reach_the_terminal_raw(folder: Path) -> None:
    name = "x\x1b[31m\u202egnp.txt\nforged"
    for arguments in ([name, "-r", "ref.txt"], ["hyp.txt", "-r", name]):
        message = refuse("score", *arguments, folder=folder)
        assert r"error: x\x1b[31m\u202egnp.txt\nforged: cannot be opened" in message
        assert "\x1b" not in message
        assert "\nforged" not in message
    write(folder / name, HYPOTHESES[:2])
    assert r"ref.txt has 5, x\x1b[31m" in refuse("score", "ref.txt", "-r", name, folder=folder)
    write(
        folder / "tag.sgm", ["<refset setid='s' srclang='x' trglang='y'>", "<doc \x1b[2J></refset>"]
    )
    message = refuse("score", "hyp.txt", "-r", "tag.sgm", folder=folder)
    assert r"<doc \x1b[2J> has no </doc>" in message


def test_a_format_for_one_file_and_json_lines_on_a_pipe(folder: Path) -> None:
    import json

    lines = "".join(json.dumps({"out": text}) + "\n" for text in HYPOTHESES)
    plain = run("score", "hyp.txt", "-r", "ref.txt", "-b", folder=folder).output
    for name in ("-:out", "jsonl:-:out"):
        found = run("score", name, "-r", "ref.txt", "-b", folder=folder, stdin=lines)
        assert (found.code, found.output) == (0, plain)
    (folder / "ref.json").write_bytes((folder / "ref.txt").read_bytes())
    found = run("score", "-:out", "-r", "text:ref.json", "-b", folder=folder, stdin=lines)
    assert (found.code, found.output) == (0, plain)


def test_limits_are_set_by_the_environment(folder: Path) -> None:
    message = refuse(*FILES, folder=folder, COCARDE_MAX_LINE_BYTES="20")
    assert "hyp.txt:1: the line has more than 20 bytes" in message
    assert "COCARDE_MAX_LINE_BYTES" in message
    message = refuse(*FILES, folder=folder, COCARDE_MAX_LINE_BYTES="much")
    assert "COCARDE_MAX_LINE_BYTES must be a whole number of bytes" in message
