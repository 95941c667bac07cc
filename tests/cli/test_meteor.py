"""METEOR on the command line: options, levels, formats, explanations, the paraphrase table."""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
from pathlib import Path

import pytest

from cocarde import METEOR, evaluate
from tests import meteor_peer
from tests.cli.conftest import DOCUMENTS, HYPOTHESES, OTHER, REFERENCES, SECOND, write
from tests.cli.runner import command, environment, refuse, run, succeed
from tests.data_access import require_data_folder

pytestmark = pytest.mark.filterwarnings("ignore:this looks like raw text")

FILES = ["hyp.txt", "-r", "ref.txt", "-m", "meteor"]
TABLE = ["0.5", "sat on", "was lying on", "0.4", "the mat", "the rug"]


# -- scores


def test_a_record_has_every_number_of_the_score(folder: Path) -> None:
    (found,) = succeed("score", *FILES, "-r", "ref2.txt", "-f", "json", folder=folder).records
    references = [list(pair) for pair in zip(REFERENCES, SECOND, strict=True)]
    expected = METEOR().corpus_score(HYPOTHESES, references)
    assert (found["metric"], found["score"]) == ("meteor", expected.score)
    assert found["signature"] == expected.signature
    wanted = expected.to_dict()
    for key in ("name", "score", "signature", "warnings"):
        del wanted[key]
    assert found["details"] == json.loads(json.dumps(wanted))
    assert set(found["details"]["stages"]) == {"exact", "stem", "synonym"}


def test_documents_and_segments(folder: Path) -> None:
    metric = METEOR()
    rows = metric.statistics(HYPOTHESES, REFERENCES)
    options = ["-f", "jsonl", "--documents", "documents.txt"]
    found = succeed("score", *FILES, *options, "--level", "document", folder=folder).lines
    for line in found:
        record = json.loads(line)
        places = [k for k, name in enumerate(DOCUMENTS) if name == record["document"]]
        assert record["score"] == metric.compute(rows[places].sum()).score
    assert len(found) == len(set(DOCUMENTS))
    found = succeed("score", *FILES, *options, "--level", "segment", folder=folder).lines
    scores = metric.segment_scores(HYPOTHESES, REFERENCES)
    for place, line in enumerate(found):
        record = json.loads(line)
        assert record["score"] == scores[place]
        assert record["details"] == {name: rows[name][place] for name in metric.fields}


@pytest.mark.parametrize("form", ["table", "csv", "tsv", "markdown", "latex"])
def test_formats(folder: Path, form: str) -> None:
    arguments = ["hyp.txt", "other.txt", "-r", "ref.txt", "-m", "meteor", "-m", "bleu", "-f", form]
    output = succeed("score", *arguments, "-w", "3", folder=folder).output
    for system in (HYPOTHESES, OTHER):
        assert f"{METEOR().corpus_score(system, REFERENCES).score:.3f}" in output
    assert "meteor" in output and "bleu" in output


def test_a_gate(folder: Path) -> None:
    assert run("score", *FILES, "--min", "meteor=1", folder=folder).code == 0
    failed = run("score", *FILES, "--min", "meteor=100", folder=folder)
    assert failed.code == 1 and "meteor of hyp.txt" in failed.errors


OPTIONS = {
    "--language de --function-words language": METEOR(language="de", function_words="language"),
    "--language other": METEOR(language="other"),
    "--task adq": METEOR(task="adq"),
    "--stages exact,stem --stage-weights 1,.5": METEOR(
        stages=["exact", "stem"], stage_weights=[1, 0.5]
    ),
    "--stages exact --stages synonym": METEOR(stages=["exact", "synonym"]),
    "--alpha 0.3 --beta 2 --gamma 0.9 --delta 0.1": METEOR(alpha=0.3, beta=2, gamma=0.9, delta=0.1),
    "--beam-size 3": METEOR(beam_size=3),
    "--oversized zero": METEOR(oversized="zero"),
    "--normalize": METEOR(normalize=True),
    "--normalize --no-keep-punctuation": METEOR(normalize=True, keep_punctuation=False),
    "--lowercase --character-based": METEOR(lowercase=True, character_based=True),
    "--tokenize 13a": METEOR(tokenize="13a"),
    "--function-words words.txt": METEOR(function_words=["the", "on"]),
    "--preset nltk": METEOR.preset("nltk"),
    "--preset nltk --alpha 0.5 --beta 1 --gamma 0.2": METEOR.preset(
        "nltk", alpha=0.5, beta=1, gamma=0.2
    ),
    "--preset nltk --wordnet none --stemmer porter": METEOR.preset(
        "nltk", wordnet=None, stemmer="porter"
    ),
    "--preset nltk --wordnet embedded --no-lowercase": METEOR.preset("nltk", lowercase=False),
}


@pytest.mark.parametrize("options", OPTIONS)
def test_each_option_is_that_of_the_api(folder: Path, options: str) -> None:
    write(folder / "words.txt", ["the", "", " on "])
    (found,) = succeed("score", *FILES, *options.split(), "-f", "json", folder=folder).records
    expected = OPTIONS[options].corpus_score(HYPOTHESES, REFERENCES)
    assert found["signature"] == expected.signature
    assert found["score"] == expected.score


def test_an_oversized_segment_need_not_fail_the_others(tmp_path: Path) -> None:
    write(tmp_path / "h.txt", ["a cat", "the cat " + "walk " * 5_001])
    write(tmp_path / "r.txt", ["cats", "the cat " + "walks " * 5_001])
    files = ["h.txt", "-r", "r.txt", "-m", "meteor"]
    message = refuse("score", *files, folder=tmp_path)
    assert "leave it out, or say --oversized exact" in message
    done = succeed("score", *files, "--oversized", "exact", folder=tmp_path)
    assert "more than 25 million possible matches in 1 of 2 segments" in done.errors


def test_every_keyword_has_an_option() -> None:
    found = {one["metric"]: one for one in succeed("metrics", "-f", "json").records}
    for name in ("meteor", "meteor:nltk"):
        missing = [one["name"] for one in found[name]["options"] if one["flag"] is None]
        assert missing == ["ignore_ids", "vocabulary"], name
    both = ["-m", "meteor", "-m", "meteor:nltk"]
    shown = succeed("score", *both, "--help", COLUMNS="200").output
    for option in found["meteor"]["options"] + found["meteor:nltk"]["options"]:
        if option["flag"] is not None:
            assert option["flag"] in shown


@pytest.mark.parametrize("preset", list(METEOR.presets()))
def test_presets_are_listed_and_run(folder: Path, preset: str) -> None:
    if preset != "nltk":
        pytest.importorskip("pycocoevalcap", reason="the paraphrase table comes with pycocoevalcap")
    listed = succeed("presets", "meteor", "-f", "json").records
    assert preset in [one["preset"] for one in listed]
    files = ["hyp.txt", "-r", "ref.txt", "-m", f"meteor:{preset}"]
    (found,) = succeed("score", *files, "-f", "json", folder=folder).records
    assert found["score"] == METEOR.preset(preset).corpus_score(HYPOTHESES, REFERENCES).score


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--language xyz", "METEOR has no language 'xyz'"),
        ("--language cz --stages stem", "METEOR has no stemmer for czech"),
        ("--language fr --task adq", "no parameters for 'adq' in french"),
        ("--stages exact,exact", "exact stands twice"),
        ("--stage-weights 1,x,1", "--stage-weights: '1,x,1' is not numbers with commas between"),
        ("--stage-weights 1", "--stage-weights has 1 weights for 3 stages"),
        ("--no-keep-punctuation", "--no-keep-punctuation needs --normalize"),
        ("--paraphrases none.gz", "add it, or --stages official"),
        ("--paraphrases none.gz --stages official", "there is no file none.gz"),
        ("--function-words none.txt", "none.txt: "),
        ("--stemmer porter-nltk", "--stemmer is not an option of meteor but of meteor:nltk"),
        ("--preset nltk --delta 1", "--delta is not an option of meteor:nltk"),
        ("--preset nltk --wordnet x", "wordnet must be 'embedded'"),
        ("--smooth-method exp", "--smooth-method is not an option of meteor"),
        ("--format report --level segment", "--format report does not go with --level segment"),
        ("--format report --width 3", "--width does not go with --format report"),
        ("--format report --preset nltk", "--format report: meteor:nltk has none"),
    ],
)
def test_refusals(folder: Path, options: str, message: str) -> None:
    assert message in refuse("score", *FILES, *options.split(), folder=folder)


def test_standard_input_and_compressed_files_stream(folder: Path) -> None:
    text = "".join(f"{line}\n" for line in HYPOTHESES)
    found = succeed("score", "-", "-r", "ref.txt", "-m", "meteor", "-f", "json", stdin=text,
                    folder=folder).records  # fmt: skip
    assert found[0]["score"] == METEOR().corpus_score(HYPOTHESES, REFERENCES).score


def test_evaluate_knows_it() -> None:
    found = evaluate(HYPOTHESES, REFERENCES, ["bleu", "meteor", "meteor:nltk"])
    assert found["meteor"] == METEOR().corpus_score(HYPOTHESES, REFERENCES)
    assert found["meteor:nltk"] == METEOR.preset("nltk").corpus_score(HYPOTHESES, REFERENCES)


# -- the report


def numbers_of(report: str) -> list[float]:
    """The numbers of a report by line: of stages six each, then one a line."""
    found: list[float] = []
    for line in report.splitlines():
        row = re.fullmatch(r"\S+((?:\s+\d+){6})", line)
        value = re.fullmatch(
            r"[A-Za-z][A-Za-z0-9 ]*?:?\s+([\d.]+(?:E-\d+)?)(?: \(function.*)?", line
        )
        if row:
            found += map(float, row[1].split())
        elif value:
            found.append(float(value[1]))
    return found


@pytest.mark.parametrize("options", [["-norm"], ["-norm", "-noPunct", "-t", "adq"], ["-ch"]])
def test_the_report_and_sgml_against_the_jar(tmp_path: Path, options: list[str]) -> None:
    """Every number of the jar's own report, and its scores of system, documents and segments."""
    pytest.importorskip("pycocoevalcap", reason="the paraphrase table comes with pycocoevalcap")
    sets = [require_data_folder() / "sgml" / name for name in ("test.sgm", "ref.sgm")]
    jar = str(meteor_peer.jar())
    done = subprocess.run(
        ["java", "-Xmx2G", "-Dfile.encoding=UTF-8", "-jar", jar, *map(str, sets), "-sgml", "-l", "en",
         *options],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    flags = {"-norm": "--normalize", "-noPunct": "--no-keep-punctuation", "-t": "--task",
             "-ch": "--character-based"}  # fmt: skip
    own: list[str | Path] = [
        sets[0],
        "-r",
        sets[1],
        "-m",
        "meteor:meteor-1.5",
        *(flags.get(x, x) for x in options),
    ]
    report = succeed("score", *own, "-f", "report").output
    theirs = numbers_of(done.stdout[done.stdout.index("Stage ") :])
    mine = numbers_of(report)
    # Ratios are from 0 to 1 there; penalties are here too.
    percent = [len(mine) - 1, *range(len(mine) - 6, len(mine) - 2)]
    assert len(mine) == len(theirs) == 6 * 5 + 2 + 1 + 6
    for place, (one, other) in enumerate(zip(mine, theirs, strict=True)):
        assert math.isclose(one, other * (100 if place in percent else 1), rel_tol=1e-9)
    for level in ("document", "segment"):
        lines = (tmp_path / f"meteor-{level[:3]}.scr").read_text().splitlines()
        expected = {tuple(line.split("\t")[2:-1]): float(line.split("\t")[-1]) for line in lines}
        found = succeed("score", *own, "--level", level, "-f", "jsonl").lines
        assert len(found) == len(expected)
        counts: dict[str, int] = {}
        for line in found:
            record = json.loads(line)
            document = record["document"]
            counts[document] = counts.get(document, 0) + 1
            key = (document,) if level == "document" else (document, str(counts[document]))
            assert math.isclose(record["score"], 100 * expected[key], rel_tol=1e-9, abs_tol=1e-9)


def test_reports_of_documents_and_systems(folder: Path) -> None:
    arguments = ["hyp.txt", "other.txt", "-r", "ref.txt", "-m", "meteor", "-f", "report"]
    documents = ["--level", "document", "--documents", "documents.txt"]
    output = succeed("score", *arguments, *documents, folder=folder).output
    titles = [line.partition(" (")[0] for line in output.splitlines() if "version:1.5" in line]
    assert titles == [
        f"meteor of {system}, document {name}"
        for system in ("hyp.txt", "other.txt")
        for name in ("news", "talk")
    ]
    assert output.count("fragmentation penalty") == 4


# -- explanations


@pytest.mark.parametrize("preset", ["meteor", "meteor:nltk"])
def test_explain(folder: Path, preset: str) -> None:
    files = ["explain", "hyp.txt", "-r", "ref.txt", "-r", "ref2.txt", "-m", preset]
    text = succeed(*files, "-n", "1", folder=folder).output
    assert "The alignment" in text and "● · · · · ·" in text
    found = succeed(*files, "-n", "1", "-f", "json", folder=folder).records
    assert found["score"] == succeed(
        "score", *files[1:], "--level", "segment", "-f", "json", folder=folder
    ).records[0]["score"]  # fmt: skip
    assert len(found["references"]) == 2
    assert "● · · · · ·" in succeed(*files, "-n", "1", "-f", "markdown", folder=folder).output
    whole = succeed(*files, "-f", "json", folder=folder).records
    assert (
        whole["score"]
        == succeed("score", *files[1:], "-f", "json", folder=folder).records[0]["score"]
    )


def test_explain_as_a_page(folder: Path) -> None:
    done = succeed(
        "explain", "hyp.txt", "-r", "ref.txt", "-m", "meteor", "-n", "1", "--normalize",
        "--format", "html", "-o", "x.html", folder=folder,
    )  # fmt: skip
    assert done.output == ""
    page = (folder / "x.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>") and page.count("<svg") == 1
    assert page.count('class="match"') == 7  # "." is a word


def test_explain_options_and_a_sentence() -> None:
    sentence = ["--hypothesis", "two cats sat", "--reference", "a cat sat"]
    output = succeed(
        "explain", *sentence, "-m", "meteor", "--stages", "exact", "--delta", "1"
    ).output
    assert "δ = 1" in output and "stem" not in output.partition("2. ")[2]


# -- the paraphrase table


@pytest.fixture
def table(folder: Path) -> Path:
    return write(folder / "table", TABLE)


def test_a_table_of_ones_own(folder: Path, table: Path) -> None:
    write(folder / "a.txt", ["a cat sat on the mat"])
    write(folder / "b.txt", ["a cat was lying on the rug"])
    files = ["a.txt", "-r", "b.txt", "-m", "meteor", "--stages", "official"]
    changes = {"COCARDE_CACHE": str(folder / "cache")}
    for _ in range(2):  # compiled, then read
        found = run("score", *files, "--paraphrases", table, "-f", "json", folder=folder, **changes)
        assert (found.code, found.errors) == (0, "")  # no progress without a terminal
        stages = found.records[0]["details"]["stages"]
        assert stages["paraphrase"]["hypothesis_content"] > 0
    assert list((folder / "cache").glob("paraphrases-*.bin"))
    explained = succeed(
        "explain", "-n", "1", *files, "--paraphrases", table, folder=folder, **changes
    )
    assert re.search(r"paraphrase +sat on +was lying on\n", explained.output)


def test_without_a_table(folder: Path) -> None:
    """One command brings it; nothing is printed or half done."""
    empty = folder / "modules" / "pycocoevalcap"
    empty.mkdir(parents=True)
    (empty / "__init__.py").touch()
    path = os.pathsep.join([str(folder / "modules"), environment()["PYTHONPATH"]])
    for arguments in (
        ["score", *FILES[:-1], "meteor:meteor-1.5"],
        ["explain", *FILES[:-1], "meteor:coco"],
    ):
        errors = refuse(*arguments, folder=folder, PYTHONPATH=path)
        assert errors.count('pip install "cocarde[paraphrase]"') == 1
    listed = {
        one["name"]: one for one in succeed("resources", "-f", "json", PYTHONPATH=path).records
    }
    assert listed["paraphrases-en"]["present"] is False
    assert listed["paraphrases-en"]["command"] == 'pip install "cocarde[paraphrase]"'
    errors = refuse("score", *FILES, "--language", "de", "--stages", "official", folder=folder)
    assert "--paraphrases PATH" in errors


def test_a_damaged_table(folder: Path) -> None:
    write(folder / "bad", ["0.5", "only one side"])
    errors = refuse("score", *FILES, "--stages", "official", "--paraphrases", "bad", folder=folder,
                    COCARDE_CACHE=str(folder / "cache"))  # fmt: skip
    assert "bad" in errors


@pytest.mark.skipif(os.name != "posix", reason="platform: pseudo-terminals")
def test_compiling_shows_a_bar_on_a_terminal(folder: Path) -> None:
    pytest.importorskip("pycocoevalcap", reason="the paraphrase table comes with pycocoevalcap")
    import pty

    main, side = pty.openpty()
    process = subprocess.Popen(
        command("score", *FILES[:-1], "meteor:meteor-1.5", "-b", "--progress"),
        stdout=subprocess.PIPE, stderr=side, cwd=folder,
        env=environment(COCARDE_CACHE=str(folder / "cache"), TERM="xterm"),
    )  # fmt: skip
    os.close(side)
    shown = b""
    while True:
        try:
            chunk = os.read(main, 1 << 16)
        except OSError:  # how Linux says that the other side is closed
            break
        if not chunk:
            break
        shown += chunk
    output = process.communicate()[0]
    os.close(main)
    assert process.returncode == 0
    assert "compiling the paraphrase table" in shown.decode()
    assert re.search(r"6[12] MB", shown.decode())
    assert re.fullmatch(rb"\d+\.\d\d\n", output)
