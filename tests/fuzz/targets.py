"""What is done with some bytes. A target passes by returning, or by raising an error that users may see."""

from __future__ import annotations

import struct
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from cocarde import BLEU, CHRF, GLEU, METEOR, ROUGE, TER, _native
from cocarde.corpus import (
    LineBatch,
    detect_format,
    iterate_line_batches,
    read_jsonl,
    read_lines,
    read_sgml,
    read_table,
    read_xml,
)
from cocarde.errors import CocardeError
from cocarde.metrics.meteor.nltk import FIELDS as METEOR_NLTK_FIELDS
from cocarde.resources.base import data_file

Target = Callable[[bytes], None]

TARGETS: dict[str, Target] = {}
SEEDS: dict[str, list[bytes]] = {}

_TEXT = [
    b"The cat&amp;dog sat, on 1,000.5 mats - don't.\nU.S. \xe2\x80\x9cquoted\xe2\x80\x9d text...",
    "\x0013a\x00猫坐在垫子上。 \U00020000 İx Ⱥ\u2028ΑΣ \ud7ff".encode(),
    b"<skipped> &quot;a&lt;b&gt; x-\n y' `DOTMULTI. \xc2\xa0 \xff\xf7\xbf\xbf\xbf \xed\xa0\x80",
]


def target(*seeds: bytes) -> Callable[[Target], Target]:
    """Enter a target, and what its input is made from."""

    def enter(function: Target) -> Target:
        name = function.__name__
        TARGETS[name] = function
        SEEDS[name] = list(seeds)
        return function

    return enter


def texts_of(data: bytes) -> list[str]:
    """Read texts, lone surrogates included."""
    return [part.decode("utf-8", "surrogateescape") for part in data.split(b"\0")]


def numbers_of(data: bytes) -> list[int]:
    """Read small numbers, and some that no place has."""
    large = {250: 2**31, 251: -1, 252: 2**62, 253: -(2**63), 254: 2**40, 255: 2**63 - 1}
    return [large.get(byte, byte) for byte in data]


def array_of(data: bytes) -> Any:
    """The same as an array."""
    return np.array(numbers_of(data), dtype=np.int64)


# --- native entry points ---------------------------------------------------------------------------


@target(*(bytes([n]) + text for n in (0, 2, 4, 9, 18, 23, 30, 40, 50) for text in _TEXT))
def tokenizers(data: bytes) -> None:
    """Cut texts, and their sentences, in every way."""
    names = _native.tokenizer_names()
    name = names[data[0] % len(names)] if data else names[0]
    texts = texts_of(data[1:])
    lowercase = ("no", "ascii", "unicode")[len(data) % 3]
    column = _native.Column.of_texts(texts, name, lowercase, bool(len(data) & 4))
    for cut in (column, column.prepare(2), column.part(0, len(texts))):
        assert cut.tokens(len(texts) - 1) == column.tokens(len(texts) - 1)
    for end in ("\n", "."):
        sentences = column.with_sentences(end, bool(len(data) & 8))
        prepared = sentences.prepare(1)
        for index in range(len(texts)):
            assert prepared.sentences(index) == sentences.sentences(index)
    if texts:
        offsets = np.arange(len(texts) + 1, dtype=np.int64)
        rows = np.zeros((len(texts), 2))
        options = _native.DiagnosticOptions(
            [0, 1], True, True, True, ["han", "kana", "unspaced"], True, True
        )
        _native.diagnose(column, column, offsets, rows, options, 2)
        _native.find_forms(column, column, offsets, 1)
        assert lowercase != "no" or column.text(len(texts) - 1).strip() == texts[-1].strip()
    _native.count_words(texts)


@target(*_TEXT, b"a\r\n\r\rb\n")
def lines(data: bytes) -> None:
    """Read blocks of bytes."""
    start = data[0] if data else 0
    feeds = _native.count_line_feeds(data)
    assert feeds == data.count(b"\n")
    if start <= len(data):
        assert _native.after_line_feeds(data, start, 3) <= len(data)
    text = None
    with suppress(UnicodeDecodeError):
        text = data.decode()
    checked = batch = None
    with suppress(ValueError):
        checked = _native.Lines(data)
    with suppress(CocardeError):
        batch = LineBatch(data)
    assert (text is None) == (checked is None) == (batch is None)
    if text is None or checked is None or batch is None:
        return
    assert len(_native.split_lines(checked)) == feeds + (text[-1:] not in ("", "\n"))
    for metric in (BLEU(tokenize="zh"), CHRF(word_order=2)):
        if len(batch):
            metric.statistics(batch, batch)


@cache
def _metrics() -> tuple[Any, ...]:
    return (
        BLEU(),
        BLEU(tokenize="intl", lowercase=True),
        CHRF(),
        CHRF.preset("chrf++", whitespace=True),
        CHRF(char_order=15, word_order=20),
        TER(),
        TER(normalized=True, asian_support=True, no_punct=True),
        ROUGE(),
        ROUGE.preset("rouge", tokenize="13a"),
        ROUGE.preset("rouge-chinese"),
        METEOR(normalize=True),
        METEOR.preset("nltk"),
        GLEU(max_ngram_order=9),
        CHRF.preset("torch"),
        TER.preset("tercom"),
        ROUGE.preset("coco"),
        BLEU.preset("nltk", max_ngram_order=20),
    )


@target(*(bytes([n]) + b"\0".join(_TEXT) for n in range(17)))
def metrics(data: bytes) -> None:
    """Score pairs of texts."""
    metric = _metrics()[(data[0] if data else 0) % len(_metrics())]
    texts = texts_of(data[1:])
    with suppress(CocardeError):
        rows = metric.statistics(texts, [[text, texts[0]] for text in reversed(texts)])
        assert len(rows) == len(texts)
        if metric.name != "METEOR":
            metric.pairwise(texts[:3], texts[:4])
        metric.pairwise(texts[:3], texts[-3:])


@target(*_TEXT)
def rouge_155(data: bytes) -> None:
    """Score pairs of texts as ROUGE-1.5.5 does."""
    texts = texts_of(data)
    arguments = ([1, 2], True, 1.2, True, True, 4, 0.5, True, True, True, 0, len(data) % 40)
    scorer = _native.Rouge155(*arguments, ["the", "a"], "rouge-1.5.5" if len(data) % 2 else "")
    offsets = np.arange(len(texts) + 1, dtype=np.int64)
    out = np.zeros((len(texts), 6 * 6))
    with suppress(ValueError):
        scorer.rows(texts, texts[::-1], offsets, out, 1)
    scorer.sentences(texts[0])


@target(b"\x00\x01\x02\x03\xff\x01\x02\x03", b"\x00\x02\x04\xfe\x01\x01\x02", b"\x00\xfb\xfc\x02")
def ids(data: bytes) -> None:
    """Columns and kernels of numbers, most of which do not fit."""
    half = len(data) // 2
    offsets, values = array_of(data[:half]), array_of(data[half:])
    for vocabulary in ([], ["a", "bc", "a word that is long"]):
        with suppress(ValueError):
            column = _native.Column.of_ids(values, offsets, vocabulary)
            out = np.zeros((len(column), 10))
            for index in range(len(column)):
                column.tokens(index)
            kernel = BLEU().kernel
            kernel.rows(column, column, offsets, out, 1)
            kernel.pairs(column, 0, 1, column, np.zeros((len(column), 10)), 1)
    tokens = _native.Column.of_tokens([numbers_of(data), [str(number) for number in data]])
    for bounds in (offsets, np.array([0, half % 3, 2])):
        _kernels(tokens, bounds, half)


def _kernels(tokens: _native.Column, offsets: Any, half: int) -> None:
    with suppress(ValueError):
        joined = _native.join_sentences(tokens, offsets, None, None, bool(half % 2), 1)
        rouge = _native.Rouge([1, 2, 0, -1], "best", "union", False, 1, 0, True)
        rouge.rows(joined, joined, np.arange(len(joined) + 1), np.zeros((len(joined), 13)), 1)
    ter = TER(formula=("sacrebleu", "tercom", "torch")[half % 3]).kernel
    with suppress(ValueError):
        ter.rows(tokens, tokens, offsets, np.zeros((2, 7)), 1)
    with suppress(ValueError, IndexError):
        ter.path(tokens, half // 3 % 3, tokens, half % 3)
    with suppress(ValueError):
        CHRF(word_order=2).kernel.rows(tokens, tokens, offsets, np.zeros((2, 24)), 1)
    with suppress(ValueError):
        _native.Gleu(half % 3, 2**40).rows(tokens, tokens, offsets, np.zeros((2, 4)), 1)
    with suppress(ValueError):
        _native.Gleu(1, half % 9).pairs(tokens, half % 3, 2, tokens, np.zeros((4, 4)), 1)


@target(b"\x00\x01\x02\x03\x00\x01\x02\x03\x00\x01\x02", b"\x00\x00\x00\xff\x01\x02")
def nltk_numbers(data: bytes) -> None:
    """METEOR as NLTK matches words, given numbers that may not fit."""
    third = len(data) // 3
    parts = [array_of(data[i * third : (i + 1) * third]) for i in range(3)]
    forms, stems, related = (part.astype(np.uint32) for part in parts)
    column = _native.Column.of_tokens([[str(number) for number in range(len(forms))]])
    words = _native.DistinctWords(column, column, 1)
    for offsets in (parts[2], np.zeros(len(stems) + 1, dtype=np.int64)):
        with suppress(ValueError):
            matcher = _native.MeteorNltk(forms, stems, offsets, related[:0], 0.9, 3, 0.5)
            matcher.pairwise(words, np.zeros((1, len(METEOR_NLTK_FIELDS))), 1)
        with suppress(ValueError):
            _native.MeteorNltk(forms, stems, offsets, related, 0.9, 3, 0.5)


@target(
    *(
        bytes([n]) + word
        for n in range(4)
        for word in (b"relational", b"skies", b"\xc3\xa9t\xc3\xa9s")
    )
)
def stemmers(data: bytes) -> None:
    """Stem words."""
    names = _native.stemmer_names()
    for word in texts_of(data[1:]):
        _native.stem(names[(data[0] if data else 0) % len(names)], word.lower())


_TABLE = b"0.5\na big\na large\n0.25\na large\na big\n0.1\nbig\n\n0.1\nbig\nlarge dog house\n"


@target(_TABLE, _TABLE.replace(b"\n", b"\r\n"), b"0.5\n??\n???\n" * 3, b"x\n")
def paraphrase_text(data: bytes) -> None:
    """Compile a table and look into it."""
    builder = _native.ParaphraseBuilder()
    with suppress(_native.BadParaphraseText):
        builder.add(data[: len(data) // 2])
        builder.add(data[len(data) // 2 :])
        image = builder.finish("fuzz")
        table = _native.Paraphrases(np.frombuffer(image, dtype=np.uint8))
        words = data.decode("utf-8", "replace").split()[:40]
        table.match(words, words[::-1])


def checksum(data: bytes) -> int:
    """The checksum of a compiled paraphrase table."""
    factor, every = 0x9E3779B97F4A7C15, 2**64 - 1
    lanes = [1, 2, 3, 4]
    for start in range(0, len(data), 8):
        (value,) = struct.unpack("<Q", data[start : start + 8].ljust(8, b"\0"))
        lane = start // 8 % 4
        mixed = (lanes[lane] ^ value) * factor & every
        lanes[lane] = (mixed << 29 | mixed >> 35) & every
    result = len(data)
    for lane_value in lanes:
        result = (result ^ lane_value) * factor & every
        result ^= result >> 32
    return result


@cache
def _image() -> bytes:
    builder = _native.ParaphraseBuilder()
    builder.add(_TABLE)
    return builder.finish("fuzz")


@target(b"", b"\x00\x00\x00\x05", b"\x80\x00\xff\xff\x81\x00\xff\xff", b"\x90\x00\x01\x02" * 9)
def paraphrase_image(data: bytes) -> None:
    """A compiled table made to deceive: its places are changed, its checksum fits."""
    image = bytearray(_image())
    for i in range(0, len(data) - 3, 4):
        place = 8 + int.from_bytes(data[i : i + 2], "little") % (len(image) - 16)
        image[place : place + 1] = data[i + 3 : i + 4]
    image[-8:] = struct.pack("<Q", checksum(bytes(image[:-8])))
    words = ["a", "big", "large", "dog", "house", "?"]
    with suppress(_native.BadParaphraseImage, IndexError):
        table = _native.Paraphrases(np.frombuffer(bytes(image), dtype=np.uint8))
        table.match(words * 3, words[::-1] * 2)


@target(b"\x00\x01\x02\x03dog", b"\x10\x20\x30\xffran")
def wordnet_table(data: bytes) -> None:
    """A table of WordNet that changes after it was checked."""
    table = np.frombuffer(data_file("wordnet.bin").read_bytes(), dtype=np.uint8).copy()
    view = _native.WordNet(table)
    random = np.random.default_rng(list(data[:4]))
    table[random.integers(0, len(table), len(table) // 4)] = data[3] if len(data) > 3 else 0
    for word in [*texts_of(data[4:]), "dog", "geese", "better"]:
        for query in (view.meteor_synsets, view.nltk_related):
            with suppress(ValueError):
                query(word)


# --- readers ---------------------------------------------------------------------------------------


def _read(data: bytes, name: str, *readers: Callable[[Path], Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        for reader in readers:
            with suppress(CocardeError):
                reader(path)


@target(
    *_TEXT,
    b"\xef\xbb\xbfone\r\ntwo",
    b"\xff\xfeo\0n\0e\0\n\0",
    b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03+I-.\xe1\x02\x00\xc75\xb9;\x05\x00\x00\x00",
    b"BZh91AY&SY", b"\xfd7zXZ\x00\x00\x04", b"(\xb5/\xfd\x04\x00",
)  # fmt: skip
def text_files(data: bytes) -> None:
    """Plain text, compressed or not."""
    _read(
        data, "x.txt", read_lines, lambda path: list(iterate_line_batches(path, 3)), detect_format
    )


@target(b"a\tb\nc\td\n", b"hyp\tref\nx\ty\r\n\t\n", *_TEXT)
def tables(data: bytes) -> None:
    """Columns separated by tabs."""
    _read(data, "x.tsv", lambda path: read_table(path, 2), lambda path: read_table(path, "ref"))


@target(
    b'{"a": "x", "b": ["y", null]}\n{"a": "\\ud800", "b": []}\n', b'{"a":' * 30, b"[1]\n", *_TEXT
)
def json_lines(data: bytes) -> None:
    """Objects, one a line."""
    _read(
        data,
        "x.jsonl",
        lambda path: read_jsonl(path, "a"),
        lambda path: read_jsonl(path, "b", references=True),
        detect_format,
    )


_SGML = (
    b'<refset setid="s" srclang="a" trglang="b" refid="r"><doc docid="d" sysid="x">'
    b'<seg id="1"> a &amp; b </seg>\n<seg id=2>c</seg></doc></refset>'
)


@target(
    _SGML,
    _SGML.replace(b"refset", b"tstset"),
    b"<DOC docid=a><hl><seg id=1>x</seg>",
    b"<refset " * 9,
)
def sgml(data: bytes) -> None:
    """SGML as mteval reads it."""
    _read(data, "x.sgm", read_sgml, detect_format)


@target(
    b'<?xml version="1.0" encoding="UTF-8"?>\n<dataset id="t"><doc origlang="en" id="d">'
    b'<src lang="en"><p><seg id="1">a</seg></p></src><ref lang="de" translator="A"><p><seg id="1">b'
    b'</seg></p></ref><hyp system="s" lang="de"><p><seg id="1">c</seg></p></hyp></doc></dataset>',
    b'<?xml version="1.0" encoding="utf-7"?><mteval>' + _SGML + b"</mteval>",
    b'<!DOCTYPE a [<!ENTITY b "c"><!ENTITY d "&b;&b;">]><mteval>&d;</mteval>',
)
def xml(data: bytes) -> None:
    """XML, of WMT and of mteval."""
    _read(data, "x.xml", read_xml, detect_format)
