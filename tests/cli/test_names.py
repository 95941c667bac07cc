"""Names of systems: given as NAME=FILE, sorted by a score, and never read as markup."""

from __future__ import annotations

import gzip
import os
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import cocarde
from cocarde import BLEU
from cocarde.core.documents import Document, Notes, Table, TableRow
from cocarde.core.renderers import html, latex, markdown, render
from tests.cli.conftest import HYPOTHESES, OTHER, REFERENCES, write
from tests.cli.runner import refuse, run, succeed

MARKUP = "a|`<img src=x onerror=alert(1)>`"
TERMINAL = "\x1b[2J\x9b31mred\r\u202e"


# -- NAME=FILE


def test_systems_get_names(folder: Path) -> None:
    files = ["Ours=hyp.txt", "The other one=other.txt", "-r", "ref.txt"]
    found = succeed("score", *files, "-f", "json", folder=folder).records
    assert [one["system"] for one in found] == ["Ours", "The other one"]
    assert found[0]["score"] == BLEU().corpus_score(HYPOTHESES, REFERENCES).score
    found = succeed("compare", *files, "--baseline", "The other one", "--samples", "50", "-f",
                    "json", "-q", folder=folder).records  # fmt: skip
    assert {(one["system"], one["baseline"]) for one in found} == {
        ("Ours", "The other one"), ("The other one", "The other one"),
    }  # fmt: skip
    plain = succeed("explain", "hyp.txt", "-r", "ref.txt", folder=folder).output
    assert succeed("explain", "Ours=hyp.txt", "-r", "ref.txt", folder=folder).output == plain


def test_names_of_columns_runs_and_standard_input(folder: Path) -> None:
    write(folder / "t.tsv", [f"{a}\t{b}" for a, b in zip(HYPOTHESES, OTHER, strict=True)])
    found = succeed("score", "x=t.tsv:1,2", "y=-", "-r", "ref.txt", "-f", "json", folder=folder,
                    stdin="\n".join(OTHER) + "\n").records  # fmt: skip
    assert [one["system"] for one in found] == ["x:1", "x:2", "y"]
    found = succeed("compare", "x=hyp.txt", "other.txt", "y=t.tsv:1", "y=t.tsv:2", "--runs", "2",
                    "-r", "ref.txt", "-q", "-f", "json", "--samples", "20",
                    folder=folder).records  # fmt: skip
    assert [one["system"] for one in found] == ["x", "y"]
    assert found[0]["run_names"] == ["hyp.txt", "other.txt"]


def test_an_existing_file_wins(folder: Path) -> None:
    for name in ("lr=0.1.txt", "lr=0.1.tsv"):
        write(folder / name, HYPOTHESES)
    found = succeed("score", "lr=0.1.txt", "lr=0.1.tsv:1", "best=lr=0.1.txt", "-r", "ref.txt",
                    "-f", "json", folder=folder).records  # fmt: skip
    assert [one["system"] for one in found] == ["lr=0.1.txt", "lr=0.1.tsv:1", "best"]
    assert "write it as NAME=FILE" in refuse("score", "=hyp.txt", "-r", "ref.txt", folder=folder)
    message = refuse("score", "x=missing.txt", "-r", "ref.txt", folder=folder)
    assert "error: missing.txt: cannot be opened" in message


# -- --sort


def test_the_best_system_comes_first(folder: Path) -> None:
    files = ["other.txt", "hyp.txt", "-r", "ref.txt", "-m", "bleu", "-m", "ter", "-m", "rouge"]
    for sort in ("bleu", "TER", "rougel"):
        found = succeed("score", *files, "--sort", sort, "-f", "json", folder=folder).records
        assert [one["system"] for one in found[:1]] == ["hyp.txt"], sort
    found = succeed("compare", *files[:-2], "--sort", "bleu", "--samples", "50", "-f", "json",
                    "-q", folder=folder).records  # fmt: skip
    unsorted = succeed("compare", *files[:-2], "--samples", "50", "-f", "json", "-q",
                       folder=folder).records  # fmt: skip
    # The baseline stays the first that was given, and no number depends on the order.
    assert found[0]["system"] == "hyp.txt" and found[0]["baseline"] == "other.txt"
    assert sorted(map(repr, found)) == sorted(map(repr, unsorted))
    assert "did you mean 'bleu'?" in refuse("score", *files, "--sort", "blue", folder=folder)


# -- formats by name


@pytest.mark.parametrize(
    ("name", "form"),
    [("s.csv", "csv"), ("s.JSON", "json"), ("s.jsonl", "jsonl"), ("s.md", "markdown"),
     ("s.tex", "latex"), ("s.tsv", "tsv"), ("s.html", "html"), ("s.txt", "table")],
)  # fmt: skip
def test_the_name_of_the_output_chooses_the_format(folder: Path, name: str, form: str) -> None:
    for command in (
        ["score", "hyp.txt", "-r", "ref.txt"],
        ["compare", "hyp.txt", "other.txt", "-r", "ref.txt", "--samples", "20", "-q"],
    ):
        succeed(*command, "-o", name, folder=folder)
        expected = succeed(*command, "-f", form, folder=folder).output
        assert (folder / name).read_text("utf-8") == expected
        succeed(*command, "-o", f"{name}.gz", folder=folder)
        assert gzip.decompress((folder / f"{name}.gz").read_bytes()).decode() == expected
    succeed(*command, "-o", name, "-f", "jsonl", folder=folder)
    assert (folder / name).read_text("utf-8").startswith('{"system"')


def test_explanations_choose_theirs_and_refuse_what_they_have_not(folder: Path) -> None:
    arguments = ["explain", "hyp.txt", "-r", "ref.txt", "-n", "1"]
    for name, form in (("e.md", "markdown"), ("e.json", "json"), ("e.html", "html")):
        succeed(*arguments, "-o", name, folder=folder)
        assert (folder / name).read_text("utf-8") == succeed(
            *arguments, "-f", form, folder=folder
        ).output
    message = refuse(*arguments, "-o", "e.csv", folder=folder)
    assert "this command writes no csv" in message
    assert not (folder / "e.csv").exists()


def test_bare_scores_are_bare_whatever_the_output_is_called(folder: Path) -> None:
    succeed("score", "hyp.txt", "-r", "ref.txt", "-b", "-o", "s.csv", folder=folder)
    score = BLEU().corpus_score(HYPOTHESES, REFERENCES).score
    assert (folder / "s.csv").read_text() == f"{score:.2f}\n"


# -- names as markup


def _live_markdown(text: str) -> str:
    """What of a text Markdown acts on: outside of code, and not escaped."""
    return re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", re.sub(r"\\[!-/:-@\[-`{-~]", "", text))


def test_names_are_no_markdown_and_no_html(folder: Path) -> None:
    files = [f"{MARKUP}=hyp.txt", "other.txt", "-r", "ref.txt", "-m", "bleu", "-m", "ter"]
    for command in (["score"], ["compare", "--samples", "20", "-q"]):
        markdown = succeed(*command, *files, "-f", "markdown", folder=folder).output
        live = _live_markdown(markdown)
        assert "<" not in live
        rows = [line for line in live.splitlines() if line.startswith("|")]
        assert {row.count("|") for row in rows} == {rows[0].count("|")}
        page = succeed(*command, *files, "-f", "html", folder=folder).output
        assert "<img" not in page
        body = page[page.index("<body>") :].replace("</html>", "").replace("<br>", "<br/>")
        texts = [cell.text for cell in ET.fromstring(body).iter() if cell.text]
        assert MARKUP in texts


def test_names_of_systems_in_the_api_are_no_markup() -> None:
    found = cocarde.compare({MARKUP: HYPOTHESES, TERMINAL: OTHER}, REFERENCES, ["bleu"], samples=20)
    assert "<" not in _live_markdown(found.to_markdown())
    assert "<img" not in found._repr_html_()
    for text in (str(found), found.to_markdown(), found.to_latex(), found._repr_html_()):
        assert not set(text) & {"\x1b", "\x9b", "\r", "\u202e"}
    scores = cocarde.evaluate(["a"], ["a"], {MARKUP: BLEU()})
    assert "<img" not in scores._repr_html_()


def test_names_are_no_latex(folder: Path) -> None:
    for name in ("[2em]", "*x", r"\input{x}", "50%_a&b~^"):
        for command in (["score"], ["compare", "--samples", "20", "-q"]):
            found = succeed(*command, "other.txt", f"{name}=hyp.txt", "-r", "ref.txt", "-f",
                            "latex", folder=folder).output  # fmt: skip
            assert not re.search(r"\\\\\s*[\[*]", found)
            assert f"\n{latex.escape(name)} & " in found
    assert latex.escape("[2em]") == "{[}2em{]}"


@pytest.mark.skipif(os.name != "posix", reason="platform: such names are not allowed here")
def test_names_do_not_act_on_a_terminal(folder: Path) -> None:
    write(folder / TERMINAL, HYPOTHESES)
    write(folder / "short.txt", HYPOTHESES[:2])
    found = [
        run("score", TERMINAL, "-r", "ref.txt", "-f", form, folder=folder)
        for form in ("table", "csv", "tsv", "markdown", "latex", "html", "json")
    ]
    found += [
        run("score", TERMINAL, "-r", "short.txt", folder=folder),
        run("score", f"{TERMINAL}x", "-r", "ref.txt", folder=folder),
        run("compare", TERMINAL, "other.txt", "-r", "ref.txt", "--samples", "20", folder=folder),
        run("explain", TERMINAL, "-r", "short.txt", folder=folder),
        run("tokenize", f"{TERMINAL}x", folder=folder),
    ]
    for finished in found:
        # Quoted, a carriage return is a part of a cell of CSV and TSV.
        outside = re.sub(r'"[^"]*"', "", finished.output)
        for text in (outside, finished.errors):
            assert not set(text) & {"\x1b", "\x9b", "\r", "\u202e"}, finished
        assert "\x1b" not in finished.output


def test_tags_of_sgml_do_not_act_on_a_terminal(folder: Path) -> None:
    for element, system in (("tstset", "a\x1b[2Jb"), ("refset", "r")):
        start = f'<{element} setid="t" srclang="de" trglang="en">'
        document = f'<doc docid="d\x1b[1m" sysid="{system}"><seg id="1">a b c d</seg></doc>'
        write(folder / f"{element}.sgm", [f"{start}{document}</{element}>"])
    finished = run("score", "tstset.sgm", "-r", "refset.sgm", "--level", "document", folder=folder)
    assert "\x1b" not in finished.output + finished.errors
    finished = run("score", "tstset.sgm:none", "-r", "refset.sgm", folder=folder)
    assert finished.code == 2
    assert "\x1b" not in finished.output + finished.errors


def test_each_format_escapes_in_one_place() -> None:
    assert markdown.escape("a|b`c<d>&_*[x]~\x1b") == r"a\|b\`c&lt;d&gt;&amp;\_\*\[x\]\~\\x1b"
    assert html.escape("<a&b>\x1b") == r"&lt;a&amp;b&gt;\x1b"
    table = Table(("n", "s"), (TableRow(("a\n\x1bb", "1.0")),), plain=True)
    assert render(Document("", (table, Notes((("n\r", "x"),)))), "text") == (
        "n           s\na\\n\\x1bb  1.0\n\nn\\r: x\n"
    )


# -- lines that stay whole


def test_a_printed_comparison_keeps_its_lines_whole() -> None:
    found = cocarde.compare(
        {"a" * 120: HYPOTHESES, "b": OTHER}, REFERENCES, ["bleu", "chrf"], samples=20
    )
    assert any(line.startswith("a" * 120 + "  ") for line in str(found).splitlines())
    lines = found.to_text(details=True).splitlines()
    assert f"bleu: {found.signatures['bleu']}" in lines
    assert any(line.startswith("a" * 120) and "baseline" in line for line in lines)
