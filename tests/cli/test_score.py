"""`cocarde score`: numbers, formats, levels and inputs."""

from __future__ import annotations

import csv
import gzip
import io
import json
import lzma
import re
from pathlib import Path
from typing import Any

import pytest

from cocarde import BLEU, TER, CocardeWarning
from cocarde.core.registry import names as metric_names
from tests.cli.conftest import DOCUMENTS, HYPOTHESES, OTHER, REFERENCES, SECOND, write
from tests.cli.runner import refuse, run, succeed
from tests.data_access import read_sgml, require_data_folder

pytestmark = pytest.mark.filterwarnings("ignore::cocarde.errors.CocardeWarning")

BOTH = [list(pair) for pair in zip(REFERENCES, SECOND, strict=True)]
REQUIRED = ["system", "metric", "score", "signature"]


def records(*arguments: str | Path, folder: Path, **options: Any) -> list[dict[str, Any]]:
    found = succeed("score", *arguments, "--format", "json", folder=folder, **options).records
    assert isinstance(found, list)
    return found


# -- numbers


def test_json_holds_what_the_api_gives(folder: Path) -> None:
    (found,) = records("hyp.txt", "-r", "ref.txt", "-r", "ref2.txt", folder=folder)
    expected = BLEU().corpus_score(HYPOTHESES, BOTH)
    assert list(found)[:4] == REQUIRED
    assert found["system"] == "hyp.txt"
    assert found["metric"] == "bleu"
    assert found["score"] == expected.score
    assert found["signature"] == expected.signature
    assert "nrefs:2" in found["signature"]
    assert found["level"] == "corpus"
    assert found["segments"] == len(HYPOTHESES)
    assert found["warnings"] == []
    rest = expected.to_dict()
    for key in ("name", "score", "signature", "warnings"):
        del rest[key]
    assert found["details"] == rest


@pytest.mark.parametrize(
    ("options", "keywords"),
    [
        (["--tokenize", "zh", "-lc"], {"tokenize": "zh", "lowercase": True}),
        (["--smooth-method", "floor", "--smooth-value", "0.25"],
         {"smooth_method": "floor", "smooth_value": 0.25}),
        (["--max-ngram-order", "2", "--no-clip"], {"max_ngram_order": 2, "clip": False}),
        (["--weights", "1/3, 1/3,1/3"], {"weights": (1 / 3,) * 3}),
        (["--weights", "0.5,0.5", "--weights", "1"], {"weights": [(0.5, 0.5), (1.0,)]}),
        (["--effective-order"], {"effective_order": True}),
        (["--reference-length", "longest"], {"reference_length": "longest"}),
        (["--formula", "multi-bleu", "--smooth-method", "none", "--no-strip-right"],
         {"formula": "multi-bleu", "smooth_method": "none", "strip_right": False}),
        (["--force", "--threads", "1"], {"force": True}),
    ],
)  # fmt: skip
def test_every_option_reaches_the_metric(
    folder: Path, options: list[str], keywords: dict[str, Any]
) -> None:
    (found,) = records("hyp.txt", "-r", "ref.txt", "-r", "ref2.txt", *options, folder=folder)
    expected = BLEU(**keywords).corpus_score(HYPOTHESES, BOTH)
    assert (found["score"], found["signature"]) == (expected.score, expected.signature)


def test_presets_metrics_and_systems(folder: Path) -> None:
    files = ["hyp.txt", "other.txt", "-r", "ref.txt"]
    asked = records(*files, "-m", "bleu", "-m", "BLEU:nltk", "-m", "bleu:coco", folder=folder)
    names = ["bleu", "bleu:nltk", "bleu:coco"]
    assert [(one["system"], one["metric"]) for one in asked] == [
        (system, name) for system in ("hyp.txt", "other.txt") for name in names
    ]
    metrics = [BLEU(), BLEU.preset("nltk"), BLEU.preset("coco")]
    assert [one["score"] for one in asked] == [
        metric.corpus_score(texts, REFERENCES).score
        for texts in (HYPOTHESES, OTHER)
        for metric in metrics
    ]
    by_preset = records(*files, "--preset", "nltk", "--preset", "coco", folder=folder)
    assert by_preset == [one for one in asked if one["metric"] != "bleu"]
    lowered = records(
        *files, "--preset", "mteval-v13a", "--no-lowercase", "--format", "json", folder=folder
    )
    expected = BLEU.preset("mteval-v13a", lowercase=False).corpus_score(HYPOTHESES, REFERENCES)
    assert lowered[0]["score"] == expected.score


def test_numbers_on_real_data(data_folder: Path) -> None:
    texts = data_folder / "multeval"
    finished = succeed(
        "score", texts / "hyps.lc.tok.en.baseline.opt0", "-r", texts / "refs.test2010.lc.tok.en.0",
        "--preset", "multi-bleu",
    )  # fmt: skip
    assert "18.54  55.4/25.1/12.7/6.7 (BP = 1.000 ratio = 1.075" in finished.output
    assert "hyp_len = 67461 ref_len = 62774" in finished.output


# -- levels


def test_segments(folder: Path) -> None:
    found = records("hyp.txt", "-r", "ref.txt", "--level", "segment", folder=folder)
    metric = BLEU()
    rows = metric.statistics(HYPOTHESES, REFERENCES)
    assert [one["segment"] for one in found] == [1, 2, 3, 4, 5]
    assert [one["score"] for one in found] == metric.segment_scores(HYPOTHESES, REFERENCES).tolist()
    assert all("eff:yes" in one["signature"] for one in found)
    assert [one["details"]["matches_1"] for one in found] == rows["matches_1"].tolist()
    assert all("document" not in one for one in found)
    only = succeed("score", "hyp.txt", "-r", "ref.txt", "--level", "segment", "--score-only",
                   "--width", "4", folder=folder)  # fmt: skip
    assert only.lines == [f"{one['score']:.4f}" for one in found]


@pytest.mark.parametrize(
    ("preset", "smoothing"),
    # NLTK's methods 5 to 7 read the last segment of what they score, here of the document.
    [("sacrebleu", "exp"), ("nltk", "method0"), *(("nltk", f"method{n}") for n in (5, 6, 7))],
)
def test_documents(folder: Path, preset: str, smoothing: str) -> None:
    found = records(
        "hyp.txt", "-r", "ref.txt", "--level", "document", "--documents", "documents.txt",
        "--preset", preset, "--smooth-method", smoothing, folder=folder,
    )  # fmt: skip
    assert [(one["document"], one["segments"]) for one in found] == [("news", 3), ("talk", 2)]
    for one in found:
        chosen = [i for i, label in enumerate(DOCUMENTS) if label == one["document"]]
        expected = BLEU.preset(preset, smooth_method=smoothing).corpus_score(
            [HYPOTHESES[i] for i in chosen], [REFERENCES[i] for i in chosen]
        )
        assert one["score"] == expected.score
        assert one["level"] == "document"
    segments = records("hyp.txt", "-r", "ref.txt", "--level", "segment", "--documents",
                       "documents.txt", folder=folder)  # fmt: skip
    assert [one["document"] for one in segments] == DOCUMENTS


def test_documents_of_markup() -> None:
    files = require_data_folder() / "sgml"
    texts, documents = read_sgml(files / "test.sgm")
    found = succeed(
        "score", files / "test.sgm", "-r", files / "ref.sgm", "--level", "document", "--preset",
        "mteval-v13a", "-f", "jsonl",
    )  # fmt: skip
    rows = [json.loads(line) for line in found.lines]
    assert [row["document"] for row in rows] == list(dict.fromkeys(documents))
    assert len(rows) > 50
    assert sum(row["segments"] for row in rows) == len(texts)


# -- formats


def test_jsonl_is_the_same_objects(folder: Path) -> None:
    files = ["hyp.txt", "other.txt", "-r", "ref.txt", "--level", "segment"]
    lines = succeed("score", *files, "-f", "jsonl", folder=folder).lines
    assert [json.loads(line) for line in lines] == records(*files, folder=folder)


@pytest.mark.parametrize(("form", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_separated_values_read_back(folder: Path, form: str, delimiter: str) -> None:
    odd = write(folder / 'a,"b"\tc\rd.txt', HYPOTHESES)
    files = [odd.name, "-r", "ref.txt", "--level", "document", "--documents", "documents.txt"]
    text = succeed("score", *files, "-f", form, folder=folder).output
    rows = list(csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter))
    assert list(rows[0]) == ["system", "document", "metric", "score", "signature"]
    expected = records(*files, folder=folder)
    assert [
        {**row, "score": float(row["score"])} for row in rows
    ] == [{key: one[key] for key in rows[0]} for one in expected]  # fmt: skip
    rounded = succeed("score", *files, "-f", form, "--width", "1", folder=folder).output
    scores = [row["score"] for row in csv.DictReader(io.StringIO(rounded), delimiter=delimiter)]
    assert scores == [f"{one['score']:.1f}" for one in expected]


def test_table_in_a_pipe_is_plain(folder: Path) -> None:
    finished = succeed("score", "hyp.txt", "other.txt", "-r", "ref.txt", "-w", "3", folder=folder)
    score, other = (BLEU().corpus_score(texts, REFERENCES) for texts in (HYPOTHESES, OTHER))
    assert finished.lines == [
        "system       BLEU  details",
        f"hyp.txt    {score.score:6.3f}  {score.details()}",
        f"other.txt  {other.score:6.3f}  {other.details()}",
        "",
        f"bleu: {score.signature}",
    ]
    assert "\x1b" not in finished.output


def test_a_table_of_several_metrics_has_a_row_a_system_and_a_column_a_metric(folder: Path) -> None:
    files = ["score", "hyp.txt", "other.txt", "-r", "ref.txt", "-m", "bleu,ter,bleu:nltk"]
    lines = succeed(*files, folder=folder).lines
    assert re.split(" {2,}", lines[0]) == ["system", "BLEU", "TER ↓", "BLEU (nltk)"]
    metrics = (BLEU(), TER(), BLEU.preset("nltk"))
    scores = {
        name: [metric.corpus_score(texts, REFERENCES) for metric in metrics]
        for name, texts in (("hyp.txt", HYPOTHESES), ("other.txt", OTHER))
    }
    assert [line.split() for line in lines[1:3]] == [
        [name, *(f"{one.score:.2f}" for one in found)] for name, found in scores.items()
    ]
    assert lines[3:5] == ["", "↓ ter: lower is better"]
    assert lines[5:] == [
        f"{name}: {one.signature}"
        for name, one in zip(("bleu", "ter", "bleu:nltk"), scores["hyp.txt"], strict=True)
    ]
    detailed = succeed(*files, "--details", folder=folder).lines
    assert [*detailed[:4], *detailed[-4:]] == lines
    assert f"ter of other.txt: {scores['other.txt'][1].details()}" in detailed
    page = succeed(*files, "-f", "html", folder=folder).output
    assert ">TER ↓</th>" in page
    by_segment = succeed(*files, "--level", "segment", "-f", "markdown", folder=folder).lines
    assert by_segment[0] == "| system | segment | BLEU | TER | BLEU (nltk) |"
    found = succeed("compare", *files[1:], "--samples", "20", "-q", folder=folder).lines
    assert re.split(" {2,}", found[0]) == ["system", "BLEU", "TER ↓", "BLEU (nltk)"]
    assert re.match(r"other.txt +\d+\.\d\d ± \d+\.\d\d [-+ ]  ", found[2])
    options = [*files[1:], "--samples", "20", "-q", "--details"]
    detailed = succeed("compare", *options, folder=folder).lines
    assert detailed[0].startswith("system     metric     score  95% interval")
    assert [line.split()[1] for line in detailed[1:7:2]] == ["bleu", "ter", "bleu:nltk"]


def test_markdown(folder: Path) -> None:
    write(folder / "a|b_1.txt", OTHER)
    finished = succeed(
        "score", "hyp.txt", "a|b_1.txt", "-r", "ref.txt", "-m", "bleu", "-m", "bleu:nltk",
        "-f", "markdown", folder=folder,
    )  # fmt: skip
    scores = [
        f"{metric.corpus_score(texts, REFERENCES).score:.2f}"
        for texts in (HYPOTHESES, OTHER)
        for metric in (BLEU(), BLEU.preset("nltk"))
    ]
    assert finished.lines[:4] == [
        "| system | BLEU | BLEU (nltk) |",
        "| --- | ---: | ---: |",
        f"| hyp.txt | {scores[0]} | {scores[1]} |",
        rf"| a\|b\_1.txt | {scores[2]} | {scores[3]} |",
    ]
    assert finished.lines[5].startswith("- bleu: `nrefs:1|")


def test_latex(folder: Path) -> None:
    write(folder / "50%_a&b.txt", OTHER)
    finished = succeed("score", "50%_a&b.txt", "-r", "ref.txt", "-f", "latex", folder=folder)
    score = BLEU().corpus_score(OTHER, REFERENCES).score
    assert finished.lines[2:] == [
        r"\begin{tabular}{lr}",
        r"\toprule",
        r"system & BLEU \\",
        r"\midrule",
        rf"50\%\_a\&b.txt & {score:.2f} \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]
    assert all(line.startswith("% ") for line in finished.lines[:2])


def test_bare_scores_and_signatures(folder: Path) -> None:
    files = ["score", "hyp.txt", "-r", "ref.txt", "-m", "bleu", "-m", "bleu:nltk"]
    scores = [
        metric.corpus_score(HYPOTHESES, REFERENCES) for metric in (BLEU(), BLEU.preset("nltk"))
    ]
    assert succeed(*files, "-b", folder=folder).lines == [f"{one.score:.2f}" for one in scores]
    assert succeed(*files, "--signature", folder=folder).lines == [one.signature for one in scores]
    assert "exclude" in refuse(*files, "-b", "--signature", folder=folder)
    assert "--format json" in refuse(*files, "-b", "-f", "json", folder=folder)
    assert "--width" in refuse(*files, "-w", "2", "-f", "jsonl", folder=folder)


def test_output_file(folder: Path) -> None:
    files = ["score", "hyp.txt", "-r", "ref.txt"]
    for form in ("table", "json", "csv"):
        printed = succeed(*files, "-f", form, folder=folder)
        written = succeed(*files, "-f", form, "-o", "out.gz", folder=folder)
        assert written.output == ""
        assert gzip.decompress((folder / "out.gz").read_bytes()).decode() == printed.output


# -- inputs


def test_formats_of_input_give_the_same_numbers(folder: Path) -> None:
    expected = BLEU().corpus_score(HYPOTHESES, BOTH)
    rows = list(zip(HYPOTHESES, REFERENCES, SECOND, strict=True))
    write(folder / "all.tsv", ["hyp\tref1\tref2", *("\t".join(row) for row in rows)])
    write(folder / "bare.tsv", ["\t".join(row) for row in rows])
    write(
        folder / "all.jsonl",
        [json.dumps({"h": h, "r": [a, b], "a": a, "b": b}) for h, a, b in rows],
    )
    (folder / "hyp.txt.gz").write_bytes(gzip.compress((folder / "hyp.txt").read_bytes()))
    (folder / "ref.renamed").write_bytes(lzma.compress((folder / "ref.txt").read_bytes()))
    (folder / "crlf.txt").write_bytes((folder / "ref2.txt").read_bytes().replace(b"\n", b"\r\n"))
    text = (folder / "hyp.txt").read_text(encoding="utf-8")
    for arguments in (
        ["all.tsv:hyp", "-r", "all.tsv:ref1,ref2"],
        ["bare.tsv:1", "-r", "bare.tsv:2", "-r", "bare.tsv:3"],
        ["bare.tsv:1", "-r", "bare.tsv:2,3", "--input-format", "tsv"],
        ["all.jsonl:h", "-r", "all.jsonl:r"],
        ["all.jsonl:h", "-r", "all.jsonl:a,b"],
        ["hyp.txt.gz", "-r", "ref.renamed", "-r", "crlf.txt"],
        ["-", "-r", "ref.txt", "-r", "all.tsv:ref2"],
        ["-", "-r", "ref.txt", "-r", "ref2.txt"],
    ):
        (found,) = records(*arguments, folder=folder, stdin=text)
        got = (found["score"], found["signature"])
        assert got == (expected.score, expected.signature), arguments


def test_references_from_a_pipe_serve_several_systems(folder: Path) -> None:
    text = (folder / "ref.txt").read_text(encoding="utf-8")
    found = records("hyp.txt", "other.txt", "-r", "-", folder=folder, stdin=text)
    assert [one["score"] for one in found] == [
        BLEU().corpus_score(texts, REFERENCES).score for texts in (HYPOTHESES, OTHER)
    ]


def test_odd_line_ends_stay_inside_segments(folder: Path) -> None:
    odd = ["a b c d\u2028e", "f g\x0ch i\x85j", "k\rl m n o", "\ufeffp q r s"]
    write(folder / "odd.txt", odd)
    (found,) = records("odd.txt", "-r", "odd.txt", folder=folder)
    assert found["segments"] == len(odd)
    assert found["score"] == BLEU().corpus_score(odd, odd).score


# -- warnings and gates


def test_warnings_come_once_and_not_when_quiet(folder: Path) -> None:
    write(folder / "h.txt", ["a b c d ."] * 150)
    write(folder / "r.txt", ["a b c d ."] * 149 + [""])
    arguments = ["score", "h.txt", "-r", "r.txt", "-m", "bleu", "-m", "bleu:huggingface"]
    with pytest.warns(CocardeWarning):
        BLEU().corpus_score(["a ."] * 150, ["a ."] * 150)
    finished = succeed(*arguments, folder=folder)
    assert finished.errors.count("warning: 150 hypotheses end in a tokenized period") == 1
    assert finished.errors.count("warning: the reference of 1 of 150 segments is empty") == 1
    assert "--force" in finished.errors
    assert "warning" not in finished.output
    assert succeed(*arguments, "--quiet", folder=folder).errors == ""


def test_a_score_of_zero_says_why(folder: Path) -> None:
    files = ["score", "other.txt", "-r", "ref.txt"]
    finished = succeed(*files, "--preset", "multi-bleu", "-f", "json", folder=folder)
    (found,) = finished.records
    assert found["score"] == 0
    assert "no n-gram" in found["warnings"][0]
    assert "warning: bleu:multi-bleu: the score is 0 because no n-gram" in finished.errors


def test_gates(folder: Path) -> None:
    files = ["score", "hyp.txt", "-r", "ref.txt", "-m", "bleu", "-m", "bleu:nltk", "-f", "json"]
    score = BLEU().corpus_score(HYPOTHESES, REFERENCES).score
    assert run(*files, "--min", f"bleu={score - 1e-9!r}", folder=folder).code == 0
    above = repr(score + 1e-9)
    failed = run(*files, "--min", f"bleu={above}", folder=folder)
    assert failed.code == 1
    assert len(failed.records) == 2  # the scores are printed all the same
    assert failed.errors.startswith("failed: bleu of hyp.txt is ")
    nltk = BLEU.preset("nltk").corpus_score(HYPOTHESES, REFERENCES).score
    assert run(*files, "--min", "0", "--min", f"bleu:nltk={nltk!r}", folder=folder).code == 0
    assert run(*files, "--min", "0", "--min", "bleu:nltk=100.5", folder=folder).code == 1
    segments = run("score", "hyp.txt", "-r", "ref.txt", "--level", "segment", "--min", "1", "-q",
                   folder=folder)  # fmt: skip
    assert segments.code == 1
    assert "segment 4 is 0.00, below --min 1" in segments.errors
    assert "not among the metrics" in refuse(*files, "--min", "blue=3", folder=folder)
    assert "did you mean 'bleu'?" in refuse(*files, "--min", "blue=3", folder=folder)
    for bad in ("high", "bleu=", "nan"):
        assert "is not a number" in refuse(*files, "--min", bad, folder=folder)


def test_gates_of_error_rates(folder: Path) -> None:
    """Of TER less is better: a least score would stop the good systems."""
    files = ["score", "hyp.txt", "other.txt", "-r", "ref.txt", "-f", "json"]
    rates = {
        one["system"]: one["score"] for one in succeed(*files, "-m", "ter", folder=folder).records
    }
    bound = rates["hyp.txt"]
    assert bound < rates["other.txt"]
    failed = run(*files, "-m", "ter", "--max", repr(bound), folder=folder)
    assert failed.code == 1
    assert "\nfailed: ter of other.txt is " in f"\n{failed.errors}"
    assert f", above --max {bound:g}" in failed.errors and "ter of hyp.txt" not in failed.errors
    both = [*files, "-m", "bleu", "-m", "ter"]
    assert run(*both, "--max", f"ter={rates['other.txt']!r}", folder=folder).code == 0
    assert run(*both, "--max", "ter=200", "--min", "bleu=99.9", folder=folder).code == 1
    for options, message in (
        (["-m", "ter", "--min", "ter=50"], "say --max ter=50"),
        (["-m", "ter", "--min", "50"], "say --max ter=50"),
        (["-m", "bleu", "-m", "ter", "--min", "50"], "--max ter=50, and --min bleu=SCORE for bleu"),
        (["-m", "bleu", "--max", "50"], "say --min bleu=50"),
        (["-m", "bleu", "-m", "ter", "--max", "50"], "--min bleu=50, and --max ter=SCORE for ter"),
        (["-m", "ter", "--max", "ter=high"], "'high' is not a number"),
        (["-m", "ter", "--max", "tre=3"], "did you mean 'ter'?"),
    ):
        assert message in refuse(*files, *options, folder=folder)


def test_confidence_of_a_metric_without_intervals_names_the_command_that_has_them(
    folder: Path,
) -> None:
    files = ["score", "hyp.txt", "-r", "ref.txt", "-m", "chrf", "--confidence", "95"]
    assert "`cocarde compare HYP -r REF -m chrf`" in refuse(*files, folder=folder)
    succeed("compare", "hyp.txt", "-r", "ref.txt", "-m", "chrf", folder=folder)


@pytest.mark.parametrize("suffix", [".sgm", ".xml"])
def test_the_order_of_markup_changes_no_score(tmp_path: Path, suffix: str) -> None:
    """Entities are decoded in whatever order the segments of a reference stand."""
    texts = [
        "R&amp;D is a &lt;new&gt; thing here",
        "she said &quot;so&quot; to him",
        "It's late now",
    ]
    segments = [f'<seg id="{i}">{text}</seg>' for i, text in enumerate(texts)]
    for name, element, order in (
        ("hyp", "tstset", segments),
        ("same", "refset", segments),
        ("other", "refset", segments[::-1]),
    ):
        (tmp_path / f"{name}{suffix}").write_text(
            f'<{element} setid="s" srclang="de" trglang="en"><doc docid="d" sysid="{name}">'
            f"{''.join(order)}</doc></{element}>"
        )
    metrics = [part for name in metric_names() for part in ("-m", name)]
    by_order = []
    for name in ("same", "other"):
        found = records(f"hyp{suffix}", "-r", f"{name}{suffix}", *metrics, folder=tmp_path)
        by_order.append({record["metric"]: record["score"] for record in found})
    assert by_order[0] == by_order[1]
    assert by_order[0].pop("ter") == 0
    meteor = by_order[0].pop("meteor")
    assert meteor > 99
    assert all(score == pytest.approx(100) for score in by_order[0].values()), by_order[0]
