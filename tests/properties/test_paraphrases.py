"""The compiled paraphrase table against its definition by dictionaries."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, cast

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cocarde import _native
from tests.oracles import paraphrases as oracle

WORDS = ["a", "b", "c", "aa", "été", "猫", "𝔘", "a" * 40]
PHRASES = st.lists(st.sampled_from(WORDS[:6]), min_size=0, max_size=4).map(tuple)
TABLES = st.lists(st.tuples(PHRASES, PHRASES), max_size=25)
TEXTS = st.lists(st.sampled_from([*WORDS, "unknown"]), max_size=9)


def text_of(entries: list[oracle.Entry]) -> bytes:
    return "".join(f"0.5\n{' '.join(a)}\n{' '.join(b)}\n" for a, b in entries).encode()


def compiled(text: bytes, *, piece: int = 1 << 20) -> _native.Paraphrases:
    builder = _native.ParaphraseBuilder()
    for start in range(0, len(text), piece):
        builder.add(text[start : start + piece])
    return _native.Paraphrases(cast("Any", builder.finish("a test")))


@given(TABLES, TEXTS, TEXTS)
@example([(("a",), ()), ((), ("a",))], ["a", "b"], ["a", "c"])
@example([(("a",), ("b",))] * 3, ["b", "a"], ["a", "b"])
@example([(("a",), ("a", "a")), (("a", "a"), ("a",))], ["a"] * 5, ["a"] * 4)
@example(
    [(("a", "b", "c"), ("c",)), (("a",), ("c",)), (("a", "b"), ("c",))], ["c", "c"], list("abc")
)
def test_matches_are_those_of_the_definition(
    entries: list[oracle.Entry], hypothesis: list[str], reference: list[str]
) -> None:
    table = compiled(text_of(entries))
    assert table.match(hypothesis, reference) == oracle.match(entries, hypothesis, reference)


@given(
    st.lists(st.text(alphabet="ab é\t\f", max_size=6), min_size=3, max_size=18),
    st.lists(st.sampled_from(["\n", "\r\n", "\r"]), min_size=18, max_size=18),
    st.integers(1, 7),
    st.booleans(),
)
def test_lines_and_words_end_as_for_java(
    lines: list[str], ends: list[str], piece: int, last_ends: bool
) -> None:
    lines = lines[: len(lines) // 3 * 3]
    lines[::3] = ["1e-05"] * (len(lines) // 3)
    # A carriage return before an empty line that ends with a line feed would be one end.
    ends = [
        "\r\n" if end == "\r" and not line else end
        for end, line in zip(ends, lines[1:], strict=False)
    ]
    ends.append("\n")
    text = "".join(line + end for line, end in zip(lines, ends, strict=False))
    if not last_ends and lines[-1]:
        text = text.rstrip("\r\n")
    table = compiled(text.encode(), piece=piece)
    hypothesis, reference = ["a", "b", "é", "ab", "ba"], ["b", "a", "ab", "é", "aa"]
    assert table.match(hypothesis, reference) == oracle.match(
        oracle.entries(lines), hypothesis, reference
    )


@given(st.lists(st.text(min_size=1, max_size=12), max_size=30), st.text(max_size=12))
def test_words_have_numbers_of_their_own(words: list[str], other: str) -> None:
    words = [word for word in words if oracle.phrase(word) == (word,)]
    entries: list[oracle.Entry] = [((word,), ("x",)) for word in words]
    texts = [*words, "x", other, "\udc80"]
    assert compiled(text_of(entries)).match(["x"], texts) == oracle.match(entries, ["x"], texts)
    assert compiled(text_of(entries)).match(texts, texts) == oracle.match(entries, texts, texts)


def test_a_large_table() -> None:
    """The tables inside grow, and groups of the compiled table run over."""
    words = [f"w{i}" for i in range(6000)]
    entries: list[oracle.Entry] = [
        ((words[i], words[i * 7 % 6000]), (words[i * 13 % 6000], words[i], words[i // 2]))
        for i in range(6000)
    ]
    entries += [((words[i % 50],), (words[i],)) for i in range(6000)]
    table = compiled(text_of(entries))
    # Each entry is found where its two phrases face one another.
    for known, paraphrase in entries[::7]:
        whole = (0, len(known), 0, len(paraphrase))
        assert whole in table.match(list(paraphrase), list(known))
    text = [word for known, paraphrase in entries[3000:3100] for word in known + paraphrase]
    other = text[250:] + words[:60]
    assert table.match(text, other) == oracle.match(entries, text, other)


def test_equal_words_give_every_pair_of_places() -> None:
    table = compiled(text_of([(("a",), ("b",)), (("b",), ("a",))]))
    matches = table.match(["a"] * 300, ["b"] * 200)
    assert len(matches) == 2 * 300 * 200
    assert matches[:2] == [(0, 1, 0, 1), (0, 1, 1, 1)]
    assert matches[60_000:60_002] == [(0, 1, 0, 1), (1, 1, 0, 1)]


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (b"0.5\na\nb\n0.5\n", 4, "ends within an entry"),
        (b"0.5\na\nb\n0.5\na", 5, "ends within an entry"),
        (b"0.5\na\nb\n\n", 4, "in place of a probability"),
        (b"0.5\na\nthe\ncat\n", 4, r"found 'cat' in place"),
        (b"0.5\na\nb \xff\xfe\n", 3, r"'\\xff\\xfe' is not UTF-8"),
        (b"0.5\n\xed\xa0\x80\nb\n", 2, "is not UTF-8"),
        (b"0.5\nb\n\xc0\xaf\n", 3, "is not UTF-8"),
    ],
)
def test_what_is_no_table(text: bytes, line: int, said: str) -> None:
    builder = _native.ParaphraseBuilder()
    with pytest.raises(_native.BadParaphraseText, match=said):
        for byte in text:
            builder.add(bytes([byte]))
        builder.finish("")
    assert builder.lines == line


def test_every_changed_byte_and_every_cut_is_found() -> None:
    builder = _native.ParaphraseBuilder()
    builder.add(text_of([(("a", "b"), ("c", "d")), (("a",), ("c",))]))
    image = builder.finish("a test")
    table = _native.Paraphrases(cast("Any", image))
    assert table.source == "a test"
    for place in range(len(image)):
        for bit in (1, 0x80):
            broken = bytearray(image)
            broken[place] ^= bit
            with pytest.raises(_native.BadParaphraseImage):
                _native.Paraphrases(cast("Any", broken))
        with pytest.raises(_native.BadParaphraseImage):
            _native.Paraphrases(cast("Any", image[:place]))
    with pytest.raises(_native.BadParaphraseImage):
        _native.Paraphrases(cast("Any", image + b"\0"))


def test_a_table_changed_under_a_reader() -> None:
    builder = _native.ParaphraseBuilder()
    builder.add(text_of([(("a", "b"), ("c", "d"))]))
    image = bytearray(builder.finish(""))
    table = _native.Paraphrases(cast("Any", image))
    image[200] ^= 4
    with pytest.raises(_native.BadParaphraseImage, match="checksum"):
        _native.Paraphrases(cast("Any", image))
    # Whatever the bytes are, nothing beyond them is read.
    for place in range(128, len(image)):
        image[place] ^= 0xFF
    with suppress(_native.BadParaphraseImage):
        table.match(["a", "b", "c"], ["c", "d"])
