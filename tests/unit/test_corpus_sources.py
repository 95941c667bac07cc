"""The front door: what is a file, what a part of it, and how files are brought together."""

from __future__ import annotations

import gzip
import io
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cocarde.corpus import Source, detect_format, read_parallel
from cocarde.corpus.sources import Format
from cocarde.errors import InputError, OptionError

SGML = """<{0} setid="t" srclang="de" trglang="en">
<doc sysid="{1}" docid="e"><seg id="1">{1} e1</seg></doc>
<doc sysid="{1}" docid="d"><seg id="1">{1} d1</seg><seg id="2">{1} d2</seg></doc>
</{0}>
"""

WMT = """<dataset id="t"><collection>
<doc id="d"><src lang="de"><seg id="1">q1</seg><seg id="2">q2</seg></src>
<ref lang="en" translator="A"><seg id="2">A d2</seg></ref>
<ref lang="en" translator="B"><seg id="1">B d1</seg><seg id="2">B d2</seg></ref>
<hyp lang="en" system="s"><seg id="1">s d1</seg><seg id="2">s d2</seg></hyp>
<hyp lang="en" system="u"><seg id="1">u d1</seg><seg id="2">u d2</seg></hyp></doc>
<doc id="e"><src lang="de"><seg id="1">q3</seg></src>
<ref lang="en" translator="A"><seg id="1">A e1</seg></ref>
<hyp lang="en" system="s"><seg id="1">s e1</seg></hyp>
<hyp lang="en" system="u"><seg id="1">u e1</seg></hyp></doc>
</collection></dataset>
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Files of every format, and the current folder."""
    monkeypatch.chdir(tmp_path)
    files = {
        "hyp.txt": "one\ntwo\nthree\n",
        "t.tsv": "id\thyp\n1\tone\n2\ttwo\n3\tthree\n",
        "d.jsonl": "".join(
            json.dumps({"p": text, "r": [text, None]}) + "\n" for text in ("one", "two", "three")
        ),
        "sys.sgm": SGML.format("tstset", "s"),
        "ref.sgm": SGML.format("refset", "A"),
        "wmt.xml": WMT,
        "with:colon.txt": "a\n",
        "empty": "",
    }
    for name, text in files.items():
        (tmp_path / name).write_bytes(text.encode())
    (tmp_path / "hyp.en.gz").write_bytes(gzip.compress(b"one\ntwo\nthree\n"))
    return tmp_path


@pytest.mark.parametrize(
    ("name", "content", "form"),
    [
        ("a.tsv", "", "tsv"),
        ("a.TSV.gz", "", "tsv"),
        ("a.jsonl.zst", "", "jsonl"),
        ("a.ndjson", "", "jsonl"),
        ("a.sgm", "", "sgml"),
        ("a.sgml.xz", "", "sgml"),
        ("a.xml.bz2", "", "xml"),
        ("a.de", "", "text"),
        ("a.txt", "<refset setid='t'>", "sgml"),
        ("a", "\ufeff\n <TSTSET ", "sgml"),
        ("a", '<!DOCTYPE srcset SYSTEM "x">', "sgml"),
        ("a", "<?xml version='1.0'?>", "xml"),
        ("a", "<dataset id='t'>", "xml"),
        ("a", "< 5 % of the people", "text"),
        ("a", '{"looks": "like JSON"}', "text"),
        ("a.json.txt", "x\ty", "text"),
    ],
)
def test_formats_are_detected(tmp_path: Path, name: str, content: str, form: str) -> None:
    file = tmp_path / name
    file.write_bytes(content.encode())
    assert detect_format(file) == form


@pytest.mark.parametrize("name", ["a.csv", "a.json", "a.parquet", "a.json.gz", "a.zip"])
def test_formats_that_are_not_read_say_what_to_do(folder: Path, name: str) -> None:
    Path(name).write_bytes(b"x\n")
    with pytest.raises(InputError, match=r"files are not read: (convert|read|unpack)"):
        Source(name).read()
    if not name.endswith(".gz"):
        assert Source(name, "text").read() == ["x"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("hyp.txt", Source("hyp.txt")),
        ("hyp.txt:1", Source("hyp.txt", "tsv", column=1)),
        ("t.tsv:2", Source("t.tsv", column=2)),
        ("t.tsv:hyp", Source("t.tsv", column="hyp")),
        ("d.jsonl:p.q", Source("d.jsonl", field="p.q")),
        ("wmt.xml:ref:A", Source("wmt.xml", field="ref:A")),
        ("sys.sgm:s", Source("sys.sgm", field="s")),
        ("with:colon.txt", Source("with:colon.txt")),
        ("with:colon.txt:2", Source("with:colon.txt", "tsv", column=2)),
        ("-", Source("-")),
        ("-:2", Source("-", "tsv", column=2)),
        ("C:\\data\\hyp.txt", Source("C:\\data\\hyp.txt")),
        ("missing.tsv:2", Source("missing.tsv:2")),
    ],
)
def test_parsing(folder: Path, text: str, wanted: Source) -> None:
    assert Source.parse(text) == wanted


def test_parsing_with_a_format(folder: Path) -> None:
    assert Source.parse("-:p", format="jsonl") == Source("-", "jsonl", field="p")
    assert Source.parse("hyp.txt:hyp", format="tsv") == Source("hyp.txt", "tsv", column="hyp")
    with pytest.raises(OptionError, match="text files have none"):
        Source.parse("hyp.txt:2", format="text")
    with pytest.raises(OptionError, match="nothing follows the colon"):
        Source.parse("hyp.txt:")
    with pytest.raises(OptionError, match="format must be one of text, tsv"):
        Source("hyp.txt", "csv")  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["hyp.txt", "hyp.en.gz", "t.tsv:hyp", "d.jsonl:p", "d.jsonl:r.0"])
def test_every_format_gives_the_same_segments(folder: Path, text: str) -> None:
    assert Source.parse(text).read() == ["one", "two", "three"]
    assert Source.parse(text).documents() is None


def test_references_of_every_format(folder: Path) -> None:
    rows = [["one", None], ["two", None], ["three", None]]
    assert Source.parse("d.jsonl:r").read(references=True) == rows
    assert Source.parse("hyp.txt").read(references=True) == ["one", "two", "three"]
    assert Source.parse("ref.sgm").read(references=True) == ["A e1", "A d1", "A d2"]
    assert Source.parse("wmt.xml").read(references=True) == [
        [None, "B d1"], ["A d2", "B d2"], ["A e1", None],
    ]  # fmt: skip
    assert Source.parse("wmt.xml:ref:A").read(references=True) == [[None], ["A d2"], ["A e1"]]


def test_parts_of_markup(folder: Path) -> None:
    assert Source.parse("wmt.xml:hyp:s").read() == ["s d1", "s d2", "s e1"]
    assert Source.parse("wmt.xml:u").read() == ["u d1", "u d2", "u e1"]
    assert Source.parse("wmt.xml:src").read() == ["q1", "q2", "q3"]
    assert Source.parse("wmt.xml").documents() == ["d", "d", "e"]
    assert Source.parse("sys.sgm").documents() == ["e", "d", "d"]
    with pytest.raises(InputError, match="2 of kind hypothesis; name one of: 's', 'u'"):
        Source.parse("wmt.xml").read()
    with pytest.raises(InputError, match="no hypothesis named 'v'"):
        Source.parse("wmt.xml:hyp:v").read()
    with pytest.raises(OptionError, match="is text, not sgml or xml"):
        Source("hyp.txt").markup()


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (Source("t.tsv"), r"is a table; name the column, as in t\.tsv:2"),
        (Source("d.jsonl"), r"is JSON Lines; name the field, as in d\.jsonl:NAME"),
        (Source("d.jsonl", column=2), "a column was given, but the format is jsonl"),
        (Source("hyp.txt", field="p"), "a field was given, but the format is text"),
        (Source("hyp.txt", "text", column=1), "a column was given, but the format is text"),
    ],
)
def test_parts_that_do_not_fit_the_format(folder: Path, source: Source, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        source.read()


def test_a_missing_file_is_named(folder: Path) -> None:
    with pytest.raises(InputError, match=r"missing\.txt: cannot be opened"):
        Source.parse("missing.txt").read()


# --- several files ---------------------------------------------------------------------------------


def parallel(hypotheses: list[str], references: list[str]) -> tuple[object, object, object]:
    corpus = read_parallel(
        [Source.parse(text) for text in hypotheses], [Source.parse(text) for text in references]
    )
    return corpus.hypotheses, corpus.references, corpus.documents


def test_plain_files(folder: Path) -> None:
    texts = ["one", "two", "three"]
    assert parallel(["hyp.txt", "t.tsv:2"][:1], ["hyp.en.gz", "d.jsonl:r"]) == (
        [texts], [[text, text, None] for text in texts], None,
    )  # fmt: skip


def test_markup_is_aligned_by_document(folder: Path) -> None:
    # wmt.xml has the documents in the order d, e; the SGML files e, d.
    assert parallel(["sys.sgm", "wmt.xml:hyp:u"], ["wmt.xml", "ref.sgm", "hyp.txt"]) == (
        [["s e1", "s d1", "s d2"], ["u e1", "u d1", "u d2"]],
        [
            ["A e1", None, "A e1", "one"],
            [None, "B d1", "A d1", "two"],
            ["A d2", "B d2", "A d2", "three"],
        ],
        ["e", "d", "d"],
    )
    assert parallel(["hyp.txt"], ["wmt.xml:ref:B", "ref.sgm"]) == (
        [["one", "two", "three"]],
        [["B d1", "A d1"], ["B d2", "A d2"], [None, "A e1"]],
        ["d", "d", "e"],
    )


def test_files_that_do_not_fit(folder: Path) -> None:
    Path("short").write_text("one\n")
    with pytest.raises(InputError, match=r"hyp\.txt has 3, short has 1\. short ends after 1 seg"):
        parallel(["hyp.txt"], ["short"])
    with pytest.raises(InputError, match=r"hyp\.txt has 3, t\.tsv:1 has 4"):
        parallel(["hyp.txt"], ["t.tsv:1"])
    with pytest.raises(InputError, match="empty: there are no segments to score"):
        parallel(["empty"], ["empty"])
    with pytest.raises(InputError, match="more than once"):
        parallel(["-"], ["-:2"])
    with pytest.raises(OptionError, match="references is empty"):
        parallel(["hyp.txt"], [])
    other = SGML.format("refset", "A").replace('docid="d"', 'docid="f"')
    Path("other.sgm").write_text(other)
    with pytest.raises(InputError, match=r"document 'd' is missing in other\.sgm, but sys\.sgm"):
        parallel(["sys.sgm"], ["other.sgm"])


def test_standard_input_as_a_table(folder: Path) -> None:
    code = (
        "from cocarde.corpus import Source\n"
        "print(Source.parse('-:2').read(), Source.parse('-').resolved_format)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=b"a\tb\nc\td\n", capture_output=True, check=False
    )
    assert done.stdout.strip() == b"['b', 'd'] text", done.stderr.decode()


def test_the_formats_are_the_documented_ones() -> None:
    assert Format.__args__ == ("text", "tsv", "jsonl", "sgml", "xml")  # type: ignore[attr-defined]


# -- what belongs together


def test_sides_that_are_swapped_are_refused(folder: Path) -> None:
    right = Source.parse("sys.sgm"), Source.parse("ref.sgm")
    assert read_parallel([right[0]], [right[1]]).hypotheses
    with pytest.raises(InputError, match=r"ref\.sgm: holds references .* with sys\.sgm as ref"):
        read_parallel([right[1]], [right[0]])
    with pytest.raises(InputError, match=r"sys\.sgm: holds outputs .* given as references, with"):
        read_parallel([Source.parse("hyp.txt")], [Source.parse("sys.sgm")])
    with pytest.raises(InputError, match=r"ref\.sgm: .* given as hypotheses"):
        read_parallel([right[1]], [right[1]])
    # Unless that is asked for: a human translation may well be scored.
    human = read_parallel([Source.parse("ref.sgm:ref")], [right[1]])
    assert human.hypotheses[0] == [row[0] for row in human.references]


def test_files_of_different_test_sets_are_refused(folder: Path) -> None:
    for attribute, other in (("setid", "u"), ("srclang", "fr"), ("trglang", "it")):
        old = re.search(f'{attribute}="[^"]*"', SGML)
        assert old is not None
        text = SGML.replace(old[0], f'{attribute}="{other}"').format("refset", "A")
        (folder / "other.sgm").write_text(text)
        with pytest.raises(
            InputError, match=f"other.sgm: is of {attribute} '{other}', but sys.sgm"
        ):
            read_parallel([Source.parse("sys.sgm")], [Source.parse("other.sgm")])


def test_a_segment_without_a_reference_is_named(folder: Path) -> None:
    lines = ['{"r": "x"}', '{"r": null}', '{"r": [null, "y"]}']
    (folder / "null.jsonl").write_text("".join(f"{line}\n" for line in lines))
    hypotheses = [Source.parse("hyp.txt")]
    with pytest.raises(InputError, match=r"^null\.jsonl:2: field 'r': this segment has no ref"):
        read_parallel(hypotheses, [Source.parse("null.jsonl:r")])
    nulls = [Source.parse("null.jsonl:r")] * 2
    with pytest.raises(InputError, match=r"^null\.jsonl:2: .* here nor in null\.jsonl:r"):
        read_parallel(hypotheses, nulls)
    both = [Source.parse("null.jsonl:r"), Source.parse("hyp.txt")]
    assert read_parallel(hypotheses, both).references[1] == [None, "two"]


def test_markup_on_standard_input_is_recognised(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, form in (("sys.sgm", "sgml"), ("wmt.xml", "xml"), ("hyp.txt", "text")):
        data = (folder / name).read_bytes()
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(data))))
        assert detect_format("-") == form
        assert detect_format("-") == form  # nothing was taken away
        source = Source.parse("-:s" if form == "xml" else "-")
        read = source.read()
        again = Source.parse(f"{name}:s" if form == "xml" else name).read()
        assert read == again


MARKUP_FORMS = {
    "sgml": ".sgm",
    "xml": ".xml",
}


def reordered_set(element: str, system: str, texts: dict[tuple[str, str], str]) -> str:
    """A test set whose documents come in the order of their first segments, as SGML and as XML."""
    documents: dict[str, str] = {}
    for (document, segment), text in texts.items():
        documents.setdefault(document, "")
        documents[document] += f'<seg id="{segment}">{text}</seg>'
    body = "".join(
        f'<doc docid="{name}" sysid="{system}">{segments}</doc>'
        for name, segments in documents.items()
    )
    return f'<{element} setid="t" srclang="de" trglang="en">{body}</{element}>'


@pytest.mark.parametrize("form", MARKUP_FORMS)
def test_another_order_changes_nothing_but_the_order(folder: Path, form: str) -> None:
    texts = {
        ("d", "1"): "R&amp;D is &lt;new&gt;",
        ("d", "2"): "so &quot;it&quot; is",
        ("e", "1"): "x",
    }
    suffix = MARKUP_FORMS[form]
    for name, element, given in (
        ("h", "tstset", texts),
        ("same", "refset", texts),
        ("other", "refset", dict(reversed(texts.items()))),
    ):
        (folder / f"{name}{suffix}").write_text(reordered_set(element, name, given))
    given_sources = [Source.parse(f"h{suffix}")]
    same, other = (
        read_parallel(given_sources, [Source.parse(f"{name}{suffix}")])
        for name in ("same", "other")
    )
    assert other == same
    assert other.decoded() == same.decoded()
    assert same.decoded().references[0] == ["R&D is <new>"]
    # Several systems in another order, too.
    pair = [Source.parse(f"other{suffix}:ref"), *given_sources]
    decoded = read_parallel(pair, [Source.parse(f"same{suffix}")]).decoded()
    assert decoded.hypotheses[0] == decoded.hypotheses[1]
    assert "R&D is <new>" in decoded.hypotheses[0]


def test_lists_of_references_beside_markup_may_differ_in_length(folder: Path) -> None:
    texts = {("d", "1"): "R&amp;D", ("d", "2"): "x"}
    (folder / "h.sgm").write_text(reordered_set("tstset", "h", texts))
    (folder / "r.jsonl").write_text('{"r": ["R&D", "&amp;"]}\n{"r": ["x"]}\n')
    corpus = read_parallel([Source.parse("h.sgm")], [Source.parse("r.jsonl:r")]).decoded()
    assert corpus.hypotheses == [["R&D", "x"]]
    assert corpus.references == [["R&D", "&amp;"], ["x", None]]


@pytest.mark.parametrize("form", MARKUP_FORMS)
def test_a_segment_that_only_one_side_has_is_named(folder: Path, form: str) -> None:
    suffix = MARKUP_FORMS[form]
    texts = {("d", "1"): "a", ("d", "2"): "b"}
    more = {**texts, ("d", "3"): "c"}
    (folder / f"h{suffix}").write_text(reordered_set("tstset", "h", texts))
    (folder / f"r{suffix}").write_text(reordered_set("refset", "A", more))
    here, there = [Source.parse(f"h{suffix}")], [Source.parse(f"r{suffix}")]
    wanted = (
        rf"^h{suffix}: segment '3' of document 'd' is missing in h{suffix}, but r{suffix} has it"
    )
    with pytest.raises(InputError, match=wanted):
        read_parallel(here, there)
    (folder / f"h{suffix}").write_text(reordered_set("tstset", "h", more))
    (folder / f"r{suffix}").write_text(reordered_set("refset", "A", texts))
    wanted = (
        rf"^r{suffix}: segment '3' of document 'd' is missing in r{suffix}, but h{suffix} has it"
    )
    with pytest.raises(InputError, match=wanted):
        read_parallel(here, there)


def test_each_of_several_references_in_sgml_has_every_segment(folder: Path) -> None:
    # In WMT XML a translator may lack some, in NIST's forms none does.
    texts = {("d", "1"): "a", ("d", "2"): "b"}
    first, second = (
        reordered_set("refset", name, given)
        for name, given in (("A", texts), ("B", {("d", "1"): "c"}))
    )
    (folder / "r.sgm").write_text(first + second)
    with pytest.raises(
        InputError, match=r"^r\.sgm: segment '2' .* missing in reference 'B', but an"
    ):
        Source.parse("r.sgm").read(references=True)


def on_standard_input(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(data))))


@pytest.mark.parametrize("compress", [bytes, gzip.compress])
def test_json_lines_on_a_pipe_are_not_taken_for_a_table(
    folder: Path, monkeypatch: pytest.MonkeyPatch, compress: Callable[[bytes], bytes]
) -> None:
    data = compress((folder / "d.jsonl").read_bytes())
    on_standard_input(monkeypatch, data)
    source = Source.parse("-:p")
    assert source == Source("-", "jsonl", field="p")
    assert source.read() == ["one", "two", "three"]
    (folder / "named otherwise").write_bytes(data)
    assert Source.parse("named otherwise:p").read() == ["one", "two", "three"]
    # Tables are read as before, whatever their cells look like.
    table = compress(b'id\thyp\n{"p": 1}\tone\n')
    on_standard_input(monkeypatch, table)
    assert Source.parse("-:hyp").read() == ["one"]
    on_standard_input(monkeypatch, data)
    assert Source.parse("-:1") == Source("-", "tsv", column=1)


def test_compressed_markup_on_standard_input_is_recognised(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_standard_input(monkeypatch, gzip.compress((folder / "sys.sgm").read_bytes()))
    assert Source.parse("-").read() == ["s e1", "s d1", "s d2"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("jsonl:-:p", Source("-", "jsonl", field="p")),
        ("tsv:-:p", Source("-", "tsv", column="p")),
        ("text:t.tsv", Source("t.tsv", "text")),
        ("jsonl:d.jsonl:p", Source("d.jsonl", "jsonl", field="p")),
        ("xml:wmt.xml:ref:A", Source("wmt.xml", "xml", field="ref:A")),
        ("sgml:-", Source("-", "sgml")),
        ("text:with:colon.txt", Source("with:colon.txt", "text")),
        ("csv:t.tsv", Source("csv:t.tsv")),
    ],
)
def test_a_format_before_the_name(folder: Path, text: str, wanted: Source) -> None:
    assert Source.parse(text) == wanted
    assert Source.parse(text, "tsv" if wanted.format is None else "sgml").format in (
        wanted.format,
        "tsv",
    )


def test_a_file_whose_name_begins_like_a_format_wins(folder: Path) -> None:
    with pytest.raises(OptionError, match="text files have none"):
        Source.parse("text:hyp.txt:2")
    (folder / "text").write_text("a\tb\n")
    assert Source.parse("text:2") == Source("text", "tsv", column=2)
    (folder / "tsv:hyp.txt").write_text("a\n")
    assert Source.parse("tsv:hyp.txt") == Source("tsv:hyp.txt")
