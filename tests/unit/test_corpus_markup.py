"""NIST SGML, NIST XML and WMT XML."""

from __future__ import annotations

import contextlib
import gzip
import os
import random
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from cocarde.corpus import (
    MarkupSet,
    Source,
    align_markup,
    read_markup,
    read_parallel,
    read_sgml,
    read_xml,
)
from cocarde.errors import InputError, OptionError


def written(folder: Path, text: str | bytes, name: str = "set.sgm") -> Path:
    file = folder / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def refset(*documents: str, element: str = "refset", attributes: str | None = None) -> str:
    if attributes is None:
        attributes = 'setid="t" srclang="de" trglang="en"'
    return f"<{element} {attributes}>\n" + "\n".join(documents) + f"\n</{element}>\n"


def doc(name: str, *segments: str, system: str = "ref") -> str:
    body = "\n".join(f'<seg id="{i}">{text}</seg>' for i, text in enumerate(segments, start=1))
    return f'<doc sysid="{system}" docid="{name}">\n{body}\n</doc>'


# --- SGML ------------------------------------------------------------------------------------------


def test_newstest2009(data_folder: Path) -> None:
    hypotheses = read_markup(data_folder / "sgml" / "test.sgm")
    references = read_markup(data_folder / "sgml" / "ref.sgm")
    assert (hypotheses.kind, references.kind) == ("hypothesis", "reference")
    assert list(hypotheses.systems) == ["cmu-combo"]
    assert (references.set_id, references.source_language, references.target_language) == (
        "newstest2009", "any", "en",
    )  # fmt: skip
    aligned = align_markup(hypotheses, references)
    assert len(aligned.hypotheses) == len(aligned.references) == 2525
    # The files hold one segment a line, so a plain reading of the lines must agree.
    line = re.compile(r'<seg id="(\d+)">(.*)</seg>')
    for name, texts in (
        ("test.sgm", aligned.hypotheses),
        ("ref.sgm", [row[0] for row in aligned.references]),
    ):
        found = line.findall((data_folder / "sgml" / name).read_text(encoding="utf-8"))
        # Six references hold several blanks in a row, which the scripts collapse.
        assert [re.sub(" +", " ", text) for _, text in found] == texts
        assert [identifier for identifier, _ in found] == aligned.segment_ids
    assert aligned.hypotheses[0] == (
        " Prague Stock Exchange to the end of trading, fell into the minus "
    )
    assert aligned.documents[0] == "ihned.cz/2008/09/30/36776"


def test_what_mteval_reads(tmp_path: Path) -> None:
    text = (
        '<!DOCTYPE refset SYSTEM "nist.dtd">\n'
        'before <REFSET SrcLang="de" TRGLANG="en" SetID="t set">\n'
        '<DOC  DocID="d > 1" genre="news"\n sysid="A">\n'.replace("d > 1", "d 1")
        + "<hl>\n<SEG\nid=1> a\n\t b\u00a0\u3000c &amp; &lt;x&gt; <b>d</b> </Seg >\n</hl>\n"
        "<p><seg id='2'></seg></p><seg id=\"x-3\"> \x1c e\x1f </seg>\n</Doc>\n</refset> after"
    )
    found = read_sgml(written(tmp_path, text))
    assert (found.set_id, found.source_language, found.target_language) == ("t set", "de", "en")
    assert found.systems == {
        "A": {
            ("d 1", "1"): " a b c &amp; &lt;x&gt; <b>d</b> ",
            ("d 1", "2"): "",
            ("d 1", "x-3"): " \x1c e\x1f ",
        }
    }
    assert found.order == (("d 1", "1"), ("d 1", "2"), ("d 1", "x-3"))
    assert read_markup(written(tmp_path, gzip.compress(text.encode()))) == found


def mteval() -> str | None:
    folder = os.environ.get("COCARDE_MOSES_SCRIPTS")
    return None if folder is None else str(Path(folder, "mteval-v13a.pl"))


@pytest.mark.skipif(
    shutil.which("perl") is None or mteval() is None,
    reason="not redistributable: needs Perl and COCARDE_MOSES_SCRIPTS, the folder of mteval-v13a.pl",
)
def test_mteval_reads_the_same_segments(tmp_path: Path) -> None:
    # Words that its tokenization leaves alone, so that what it prints is what it read.
    rng = random.Random(7)
    spaces = [" ", "\n", "\t", "\r\n", "  ", "\u2028", "\u3000", "\u00a0", "\x85", "\x0b", "\x0c"]
    words = ["cat", "über", "中文", "e\x1cf", "x\u200by", "dog"]

    def tag(name: str, attributes: str = "") -> str:
        spelt = rng.choice([name, name.upper(), name.capitalize()])
        return f"<{spelt}{rng.choice([' ', chr(10)]) + attributes if attributes else ''}>"

    documents = []
    for number in range(6):
        body = ""
        for segment in range(1, 5):
            text = "".join(
                rng.choice(words) + rng.choice(spaces) for _ in range(rng.randrange(1, 6))
            )
            body += rng.choice(["", "<hl>", "\n<p>\n"]) + tag("seg", f'id="{segment}"')
            body += rng.choice(spaces) + text + rng.choice(["</seg>", "</SEG >\n"])
        documents.append((f"doc{number}", body))
    files = {}
    for element in ("srcset", "refset", "tstset"):
        body = "".join(
            tag("doc", f'origlang="x" docid="{name}" sysid="s"') + text + "</doc>\n"
            for name, text in documents
        )
        opening = tag(element, 'setid="t" srclang="a" trglang="b"')
        files[element] = written(tmp_path, f"{opening}{body}</{element}>", element + ".sgm")
    script = mteval()
    assert script is not None
    done = subprocess.run(
        ["perl", script, "-b", "-c", "-d", "3",
         "-s", files["srcset"], "-r", files["refset"], "-t", files["tstset"]],
        capture_output=True, check=True, encoding="utf-8",
    )  # fmt: skip
    # Perl prints each segment followed by a line feed; the text itself has none left.
    printed = [
        line.split(": ", 1)[1]
        for line in done.stdout.split("\n")
        if line.startswith("sys 's', seg ")
    ]
    ours = read_sgml(files["tstset"]).segments()
    assert [text.strip(" ") for text in ours.values()] == printed
    assert len(printed) == 24


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", None, "has no segments"),
        ("plain text\n", None, "has no segments"),
        ("x\n<refset setid='t' srclang='a' trglang='b'>\n<doc", 2, "has no </refset>"),
        (refset(doc("d", "a"), attributes='srclang="a" trglang="b"'), 1, "no attribute setid"),
        (refset(doc("d", "a"), attributes='setid="a" trglang="b"'), 1, "no attribute srclang"),
        (refset(doc("d", "a"), attributes='setid="a" srclang="b"'), 1, "no attribute trglang"),
        (refset("nothing"), 1, "<refset> has no documents"),
        (refset("\n" + doc("d")), 3, "document 'd' has no segments"),
        (refset(doc("d", "a"), "<doc sysid='x'><seg id='1'>a</seg></doc>"), 5, "attribute docid"),
        (refset("<doc docid='d'><seg id='1'>a</seg></doc>"), 2, "'d' has no attribute sysid"),
        (refset(doc("d", "a").replace('id="1"', 'key="1"')), 3, "'d' has no attribute id"),
        (refset("<doc docid='d' sysid='s'>\n<seg>a</seg></doc>"), 3, "'d' has no attribute id"),
        (refset(doc("d", "a"), doc("d", "b")), 5, "document 'd' of reference 'ref' is there twice"),
        (refset(doc("d", "a").replace("</doc>", '<seg id="1">b</seg></doc>')), 4, "'1' is twice"),
        (refset(doc("d", "a", "b").replace("</seg>", "", 1)), 3, 'id="1"> has no </seg> before'),
        (refset(doc("d", "a", "b")[:-14] + "</doc>"), 4, 'id="2"> has no </seg> before'),
        (refset(doc("d", "a").replace("</doc>", "")), 2, "has no </doc> before the end"),
        (refset(doc("d", "a").replace("</doc>", ""), doc("e", "b")), 2, "has no </doc> before"),
        (refset(doc("d", "a")) + refset(doc("e", "a"), attributes='setid="u" srclang="de" '
            'trglang="en"'), 6, "setid 'u', an earlier one has 't'"),
    ],
)  # fmt: skip
def test_sgml_faults(tmp_path: Path, text: str, line: int | None, message: str) -> None:
    file = written(tmp_path, text)
    with pytest.raises(InputError, match=message) as caught:
        read_markup(file)
    assert caught.value.path == str(file)
    assert caught.value.line == line


def test_bad_utf8_in_sgml(tmp_path: Path) -> None:
    data = refset(doc("d", "a", "b")).encode().replace(b">b<", b">\xe9<")
    with pytest.raises(InputError, match=r"set\.sgm:4: not UTF-8: byte 0xe9"):
        read_markup(written(tmp_path, data))


def test_several_references_and_kinds_in_a_file(tmp_path: Path) -> None:
    text = refset(doc("d", "a", "b", system="A"), doc("d", "c", "e", system="B"))
    text += refset(doc("d", "x", "y", system="s"), element="tstset")
    text += refset(doc("d", "q", "r"), element="srcset", attributes='setid="t" srclang="de"')
    file = written(tmp_path, text)
    with pytest.raises(InputError, match="several kinds; choose one of: 'reference', 'hypothesis'"):
        read_markup(file)
    references = read_markup(file, "reference")
    with pytest.raises(InputError, match="2 of kind reference; name one of: 'A', 'B'"):
        references.segments()
    with pytest.raises(InputError, match="no reference named 'C'; it has: 'A', 'B'"):
        references.segments("C")
    assert read_markup(file, prefer="source").kind == "source"
    aligned = align_markup(
        read_markup(file, "hypothesis"), references, source=read_markup(file, "source")
    )
    assert aligned.hypotheses == ["x", "y"]
    assert aligned.references == [["a", "c"], ["b", "e"]]
    assert aligned.reference_names == ["A", "B"]
    with pytest.raises(InputError, match="holds no source"):
        read_markup(written(tmp_path, refset(doc("d", "a"))), "source")


def test_quadratic_input_is_read_in_linear_time(tmp_path: Path) -> None:
    segments = "\n".join(f'<seg id="{i}">some words here</seg>' for i in range(60_000))
    file = written(tmp_path, refset(f'<doc docid="d" sysid="s">{segments}</doc>'))
    assert len(read_markup(file).segments()) == 60_000
    file = written(tmp_path, refset("<doc docid='d' sysid='s'>" + "<seg " * 20_000 + "</doc>"))
    with pytest.raises(InputError, match="has no </seg>"):
        read_markup(file)


# --- aligning --------------------------------------------------------------------------------------


def markup(
    kind: str, path: str, systems: dict[str, dict[str, list[str]]], **more: str
) -> MarkupSet:
    return MarkupSet(
        kind,  # type: ignore[arg-type]
        more.get("set_id", "t"),
        more.get("source_language", "de"),
        more.get("target_language"),
        {
            system: {
                (document, str(number)): text
                for document, texts in documents.items()
                for number, text in enumerate(texts, start=1)
            }
            for system, documents in systems.items()
        },
        path,
    )


def test_documents_in_another_order_are_aligned() -> None:
    output = markup("hypothesis", "h", {"s": {"e": ["3"], "d": ["1", "2"]}})
    human = markup("reference", "r", {"A": {"d": ["a1", "a2"], "e": ["a3"]}})
    other = markup("reference", "q", {"B": {"e": ["b3"], "d": ["b1", "b2"]}})
    aligned = align_markup(output, [human, other])
    assert aligned.hypotheses == ["3", "1", "2"]
    assert aligned.references == [["a3", "b3"], ["a1", "b1"], ["a2", "b2"]]
    assert aligned.documents == ["e", "d", "d"]
    assert aligned.segment_ids == ["1", "1", "2"]


@pytest.mark.parametrize(
    ("output", "human", "message"),
    [
        ({"d": ["1"]}, {"d": ["1", "2"]}, "h: segment '2' of document 'd' is missing in h, but r"),
        ({"d": ["1", "2"]}, {"d": ["1"]}, "r: segment '2' of document 'd' is missing in reference"),
        ({"d": ["1"]}, {"d": ["1"], "e": ["1"]}, "h: document 'e' is missing in h, but r has it"),
        ({"d": ["1"], "e": ["1", "2", "3"]}, {"d": ["1"]}, "document 'e' .*3 segments are missing"),
    ],
)
def test_missing_segments(
    output: dict[str, list[str]], human: dict[str, list[str]], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        align_markup(
            markup("hypothesis", "h", {"s": output}), markup("reference", "r", {"A": human})
        )


def test_the_source_says_what_is_scored() -> None:
    source = markup("source", "s", {"source": {"d": ["1", "2"]}})
    human = markup("reference", "r", {"A": {"d": ["a", "b"], "f": ["z"]}})
    output = markup("hypothesis", "h", {"s": {"e": ["x"], "d": ["1", "2"]}})
    assert align_markup(output, human, source=source).hypotheses == ["1", "2"]
    with pytest.raises(InputError, match="h: document 'd' is missing in h, but s has it"):
        align_markup(markup("hypothesis", "h", {"s": {"e": ["x"]}}), human, source=source)
    longer = markup("hypothesis", "h", {"s": {"d": ["1", "2", "3"]}})
    with pytest.raises(InputError, match="s: segment '3' of document 'd' is missing in s"):
        align_markup(longer, human, source=source)


def test_files_of_different_sets_are_refused() -> None:
    output = markup("hypothesis", "h", {"s": {"d": ["1"]}}, target_language="en")
    for name, value in (("set_id", "u"), ("source_language", "fr"), ("target_language", "cs")):
        human = markup("reference", "r", {"A": {"d": ["1"]}}, **{name: value})
        with pytest.raises(InputError, match=f"r: is of \\w+ '{value}', but h is of"):
            align_markup(output, human)
    with pytest.raises(OptionError, match="references is empty"):
        align_markup(output, [])


# --- XML -------------------------------------------------------------------------------------------

NIST_XML = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE mteval SYSTEM "http://invalid.invalid/mteval-xml.dtd">
<mteval>
<srcset setid="t" srclang="de"><doc docid="d"><seg id="1">q</seg></doc></srcset>
<refset setid="t" srclang="de" trglang="en" refid="A"><doc docid="d" genre="nw">
<hl><seg id="1"> a &amp; &#x4e2d; &amp;quot;<i>b</i>
c<![CDATA[<x>]]></seg></hl></doc></refset>
<refset setid="t" srclang="de" trglang="en" refid="B"><doc docid="d"><seg id="1"/></doc></refset>
<tstset setid="t" srclang="de" trglang="en" sysid="s"><doc docid="d"><p><seg id="1">h</seg></p>
</doc></tstset>
</mteval>
"""


def test_nist_xml(tmp_path: Path) -> None:
    file = written(tmp_path, NIST_XML, "set.xml")
    references = read_markup(file, "reference")
    assert references.systems == {
        "A": {("d", "1"): ' a & 中 &quot;b\nc<x>'},
        "B": {("d", "1"): ""},
    }  # fmt: skip
    assert (references.set_id, references.target_language) == ("t", "en")
    assert read_markup(file, "source").segments() == {("d", "1"): "q"}
    aligned = align_markup(read_markup(file, "hypothesis"), references)
    assert (aligned.hypotheses, aligned.reference_names) == (["h"], ["A", "B"])
    assert not references.partial


WMT_XML = """<?xml version='1.0' encoding='utf-8'?>
<dataset id="wmttest2022"><collection id="general">
<doc id="d1" origlang="de" domain="news">
  <src lang="de"><p><seg id="1">q1</seg><seg id="2">q2</seg></p><p><seg id="3">q3</seg></p></src>
  <ref lang="en" translator="A"><p><seg id="1">a1</seg><seg id="2"></seg></p></ref>
  <ref lang="en" translator="B"><p><seg id="1">b1</seg><seg id="2">b2</seg></p></ref>
  <hyp lang="en" system="s"><p><seg id="1">h1</seg><seg id="2">h2</seg><seg id="3">h3</seg></p></hyp>
</doc>
<doc id="t1" origlang="de" testsuite="x"><src lang="de"><seg id="1">t</seg></src></doc>
<doc id="d2" origlang="en">
  <src lang="de"><seg id="1">q4</seg></src>
  <ref lang="en" translator="B"><seg id="1">b4</seg></ref>
  <hyp lang="en" system="s"><seg id="1">h4</seg></hyp>
</doc>
</collection></dataset>
"""


def test_wmt_xml(tmp_path: Path) -> None:
    file = written(tmp_path, WMT_XML, "wmt.xml")
    source, references, output = (
        read_markup(file, "source"), read_markup(file, "reference"), read_markup(file, "hypothesis")
    )  # fmt: skip
    # The segment that nobody translated and the test suite are left out on every side.
    keys = (("d1", "1"), ("d1", "2"), ("d2", "1"))
    assert source.order == references.order == output.order == keys
    assert list(source.segments().values()) == ["q1", "q2", "q4"]
    assert (source.source_language, references.target_language) == ("de", "en")
    aligned = align_markup(output, references)
    assert aligned.hypotheses == ["h1", "h2", "h4"]
    assert aligned.references == [["a1", "b1"], ["", "b2"], [None, "b4"]]
    assert aligned.reference_names == ["A", "B"]


def test_wmt_xml_as_sacrebleu_reads_it(tmp_path: Path) -> None:
    wmt_xml = pytest.importorskip("sacrebleu.dataset.wmt_xml")
    pytest.importorskip("lxml")
    file = written(tmp_path, WMT_XML.replace("encoding='utf-8'", ""), "wmt.xml")
    with open(file, encoding="utf-8") as stream:
        theirs = wmt_xml.WMTXMLDataset._unwrap_wmt21_or_later(stream)
    assert theirs["src"] == list(read_markup(file, "source").segments().values())
    assert theirs["s"] == list(read_markup(file, "hypothesis").segments().values())
    assert theirs["docid"] == [document for document, _ in read_markup(file, "source").order]
    references = read_markup(file, "reference")
    for name in ("A", "B"):
        ours = [references.segments(name).get(key, "") for key in references.order]
        assert theirs[f"ref:{name}"] == ours


def test_wmt_xml_without_references_keeps_everything(tmp_path: Path) -> None:
    text = re.sub(r"  <ref.*?</ref>\n", "", WMT_XML)
    found = read_markup(written(tmp_path, text, "wmt.xml"), "hypothesis")
    assert list(found.segments().values()) == ["h1", "h2", "h3", "h4"]


def test_other_encodings_of_xml(tmp_path: Path) -> None:
    text = NIST_XML.replace("中", "é").replace('encoding="UTF-8"', 'encoding="{}"')
    text = text.replace(">h<", ">é<")
    for encoding in ("iso-8859-1", "utf-16", "UTF-8"):
        file = written(tmp_path, text.format(encoding).encode(encoding), "set.xml")
        assert read_markup(file, "hypothesis").segments() == {("d", "1"): "é"}
    marked = b"\xef\xbb\xbf" + NIST_XML.encode()
    assert read_markup(written(tmp_path, marked, "set.xml"), "source").kind == "source"


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("</tstset>", "", 11, "malformed XML at column 3: mismatched tag"),
        ("</mteval>\n", "", 11, "malformed XML at column 1: no element found"),
        ("&amp; &", "& &", 6, "malformed XML at column 21: not well-formed"),
        (' refid="A"', "", 5, "neither the set has an attribute refid nor <doc> a sysid"),
        (' sysid="s"', "", 9, "neither the set has an attribute sysid nor <doc> a sysid"),
        (' docid="d" genre', " genre", 5, "column 55: <doc> has no attribute docid"),
        ('<p><seg id="1">', "<p><seg>", 9, "<seg> in document 'd' has no attribute id"),
        ('<seg id="1"/>', "", 8, "document 'd' has no segments"),
        ('<seg id="1"/>', '<seg id="1"/>\n<seg id="1"/>', 9, "segment '1' is twice"),
        ('<doc docid="d"><seg id="1"/></doc>', "", 8, "<refset> has no documents"),
        ('refid="B"', 'refid="A"', 8, "document 'd' of reference 'A' is there twice"),
        ('trglang="en" refid="B"', 'trglang="fr" refid="B"', 8, "trglang 'fr', an earlier one"),
        ("<p><seg", '<seg id="5"><p><seg', 9, "<seg> inside another <seg>"),
        ("&#x4e2d;", "&eacute;", 6, "entity &eacute; is not one of XML's own"),
        ("</mteval>", "<seg id='1'/></mteval>", 11, "<seg> outside a document"),
        ("</mteval>", "<doc docid='1'/></mteval>", 11, "<doc> outside <srcset>"),
    ],
)
def test_xml_faults(tmp_path: Path, old: str, new: str, line: int, message: str) -> None:
    assert old in NIST_XML
    file = written(tmp_path, NIST_XML.replace(old, new, 1), "set.xml")
    with pytest.raises(InputError, match=message) as caught:
        read_markup(file, "reference")
    assert (caught.value.path, caught.value.line) == (str(file), line)


BOMB = """<?xml version="1.0"?>
<!DOCTYPE mteval [
<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;">
]>
"""


@pytest.mark.parametrize(
    "prologue",
    [
        BOMB,
        '<!DOCTYPE mteval [<!ENTITY secret SYSTEM "{secret}">]>\n',
        '<!DOCTYPE mteval [<!ENTITY % remote SYSTEM "{secret}"> %remote;]>\n',
        '<!DOCTYPE mteval SYSTEM "{secret}" [<!ENTITY c "x">]>\n',
        "<!DOCTYPE mteval [<!ATTLIST seg id CDATA '1'>]>\n",
        "<!DOCTYPE mteval [ ]>\n",
    ],
)
def test_entities_and_internal_document_types_are_refused(tmp_path: Path, prologue: str) -> None:
    secret = written(tmp_path, '<!ENTITY c "secret">', "secret")
    body = NIST_XML[NIST_XML.index("<mteval>") :].replace("q</seg>", "&c;</seg>")
    file = written(tmp_path, prologue.replace("{secret}", secret.as_uri()) + body, "set.xml")
    with pytest.raises(InputError, match=r"set\.xml:\d+: column \d+: .*refused") as caught:
        read_xml(file, "source")
    assert caught.value.line in (1, 2)


def test_an_external_document_type_is_never_read(tmp_path: Path) -> None:
    # The file that it names would define the entity; it must stay unknown.
    entity = written(tmp_path, '<!ENTITY c "secret">', "set.dtd")
    text = NIST_XML.replace("http://invalid.invalid/mteval-xml.dtd", entity.as_uri())
    assert read_xml(written(tmp_path, text, "set.xml"), "source").segments() == {("d", "1"): "q"}
    for attribute in ("", 'x="&c;"'):
        used = text.replace('<seg id="1">q', f'<seg id="1" {attribute}>&c;q')
        with pytest.raises(InputError, match="entity"):
            read_xml(written(tmp_path, used, "set.xml"), "source")


def test_bad_utf8_in_xml(tmp_path: Path) -> None:
    data = NIST_XML.encode().replace(b">h<", b">\xff<")
    with pytest.raises(InputError, match=r"set\.xml:9: not UTF-8: byte 0xff"):
        read_xml(written(tmp_path, data, "set.xml"))


def test_deep_nesting_does_no_harm(tmp_path: Path) -> None:
    deep = "<b>" * 100_000 + "x" + "</b>" * 100_000
    file = written(tmp_path, NIST_XML.replace(">q<", f">{deep}<"), "set.xml")
    assert read_xml(file, "source").segments() == {("d", "1"): "x"}


def test_entities_are_decoded_for_metrics_that_do_not(tmp_path: Path) -> None:
    """As METEOR's jar decodes them; BLEU's own tokenizers do it themselves."""
    lines = {"tst": "I don't &amp; won't &LT;b&gt; &quot;x&APOS;", "ref": "&amp;lt; &eacute; &#39;"}
    for kind, text in lines.items():
        attributes = 'setid="s" srclang="any" trglang="en"'
        (tmp_path / f"{kind}.sgm").write_text(
            f'<{kind}set {attributes}><doc docid="d" sysid="one">'
            f'<seg id="1">{text}</seg></doc></{kind}set>',
            encoding="utf-8",
        )
    corpus = read_parallel(
        [Source.parse(str(tmp_path / "tst.sgm"))], [Source.parse(str(tmp_path / "ref.sgm"))]
    )
    assert corpus.hypotheses == [[lines["tst"]]]
    decoded = corpus.decoded()
    assert decoded.hypotheses == [["I don't & won't <b> \"x'"]]
    assert decoded.references == [["&lt; &eacute; &#39;"]]


HOSTILE = {
    "sets without an end": "<refset " * 12_000,
    "sets in a set": refset("<refset " * 12_000),
    "closing tags of sets without an end": refset()[:-11] + "</refset " * 12_000,
    "an attribute without a value": refset(f"<doc {'a' * 100_000}></doc>"),
    "attributes without values": refset(f"<doc {'a ' * 50_000}></doc>"),
    "values that are not closed": refset("<doc " + "a=\"'" * 25_000 + "></doc>"),
    "blanks after an attribute": refset(f"<doc a{' ' * 100_000}></doc>"),
    "documents without an end": refset("<doc " * 20_000),
    "documents that are not closed": refset("<doc>" * 20_000),
    "closing tags of documents without an end": refset("<doc>" + "</doc " * 20_000),
    "segments without an end": refset("<doc docid='d' sysid='s'>" + "<seg " * 20_000 + "</doc>"),
    "segments that are not closed": refset(
        "<doc docid='d' sysid='s'>" + "<seg id='1'>" * 9_000 + "</doc>"
    ),
    "a reference for each document": refset(
        *(doc(str(i), "x", system=str(i)) for i in range(4000))
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_sgml_takes_no_quadratic_time(tmp_path: Path, name: str) -> None:
    # Each has about 100 kB, for which time that grows with the square was from six seconds to minutes.
    file = written(tmp_path, HOSTILE[name])
    start = time.process_time()
    with pytest.raises(InputError):
        Source.parse(str(file)).read(references=True)
    assert time.process_time() - start < 3


@pytest.mark.parametrize("encoding", ["no-such-encoding", "hex", "undefined", "utf-7", "shift_jis"])
def test_xml_in_an_encoding_that_cannot_be_read(tmp_path: Path, encoding: str) -> None:
    text = NIST_XML.replace("UTF-8", encoding).replace("中", "x")
    with pytest.raises(InputError, match=r"set\.xml:1: .*encoding"):
        read_xml(written(tmp_path, text, "set.xml"), "source")


def test_xml_in_other_encodings(tmp_path: Path) -> None:
    for encoding in ("utf-16", "iso-8859-15"):
        text = NIST_XML.replace("UTF-8", encoding).replace(">q<", ">€<")
        file = written(tmp_path, text.encode(encoding), "set.xml")
        assert read_xml(file, "source").segments() == {("d", "1"): "€"}


def test_elements_of_the_other_form_inside_a_segment_are_markup(tmp_path: Path) -> None:
    for element in ("ref", "src", "hyp", "set", "b"):
        text = NIST_XML.replace(">h<", f">h<{element}/> <{element}>i</{element}><")
        file = written(tmp_path, text, "set.xml")
        assert read_xml(file, "hypothesis").segments() == {("d", "1"): "h i"}


def test_mixed_up_xml_is_an_input_error_or_read(tmp_path: Path) -> None:
    rng = random.Random(3)
    for text in (NIST_XML, WMT_XML):
        pieces = re.findall(r"<[^>]*>|[^<]+", text[text.index(">") + 1 :])
        tags = [piece for piece in pieces if piece.startswith("<") and piece[1] not in "!?"]
        names = ["ref", "src", "hyp", "seg", "doc", "refset", "tstset", "srcset", "dataset", "x"]
        for _ in range(400):
            mixed = list(pieces)
            for _ in range(rng.randint(1, 3)):
                place = rng.randrange(len(mixed))
                kind = rng.randrange(4)
                if kind == 0:
                    mixed.insert(place, f"<{rng.choice(names)} id='{rng.randint(1, 3)}'/>")
                elif kind == 1:  # an element of another name, closed where it was
                    name, other = (
                        re.sub(r"\W.*", "", rng.choice(tags).strip("</>")),
                        rng.choice(names),
                    )
                    mixed = [re.sub(rf"^(</?){name}\b", rf"\g<1>{other}", piece) for piece in mixed]
                elif kind == 2:
                    mixed.insert(place, mixed[rng.randrange(len(mixed))])
                else:
                    del mixed[place]
            file = written(tmp_path, "".join(mixed), "set.xml")
            for side in ("source", "reference", "hypothesis"):
                with contextlib.suppress(InputError):
                    read_xml(file, side)


def test_markup_that_is_too_large_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = refset(doc("d", "x" * 100_000))
    for name, read in (("set.sgm", read_sgml), ("set.xml", read_xml)):
        for data in (text.encode(), gzip.compress(text.encode())):
            file = written(tmp_path, data, name)
            assert read(file).segments() == {("d", "1"): "x" * 100_000}
            assert read(file, max_bytes=len(text)) == read(file)
            wanted = (
                rf"{name}: has more than {len(text) - 1} bytes .*COCARDE_MAX_MARKUP_BYTES.*max_b"
            )
            with pytest.raises(InputError, match=wanted):
                read(file, max_bytes=len(text) - 1)
            monkeypatch.setenv("COCARDE_MAX_MARKUP_BYTES", "100000")
            with pytest.raises(InputError, match="has more than 100000 bytes"):
                read_markup(file)
            monkeypatch.delenv("COCARDE_MAX_MARKUP_BYTES")
    monkeypatch.setenv("COCARDE_MAX_MARKUP_BYTES", "1 GB")
    with pytest.raises(
        OptionError, match="COCARDE_MAX_MARKUP_BYTES must be a whole number of bytes"
    ):
        read_markup(file)
