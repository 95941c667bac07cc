"""Readers and writers against plain definitions, on any text."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cocarde.corpus import iterate_aligned, iterate_line_batches, read_lines, write_lines
from cocarde.corpus.compression import MAGIC_LENGTH, detect_compression
from cocarde.errors import InputError

# Mostly the characters that other readers cut at or drop.
characters = st.one_of(
    st.sampled_from("\n\r\0\u2028\u2029\x85\x0b\x0c\x1c\x1e\ufeff a.é中😀"),
    st.characters(exclude_categories=["Cs"]),
)
texts = st.text(characters, max_size=60)
sizes = st.integers(1, 20)


def plain_lines(data: bytes) -> list[str]:
    """The definition: cut at line feeds; of each line that had one, drop one carriage return."""
    text = data.decode("utf-8").removeprefix("\ufeff")
    *ended, rest = text.split("\n")
    return [line.removesuffix("\r") for line in ended] + ([rest] if rest else [])


def is_no_text_of_lines(data: bytes) -> bool:
    """Whether a file is, or might be, refused whole: see `test_utf16_and_utf32_are_named` and others."""
    return (
        (b"\r" in data and b"\n" not in data)
        or data.count(0) > 1
        or data.startswith((b"\xff\xfe", b"\xfe\xff"))
    )


@given(texts, sizes)
def test_lines_follow_the_definition(text: str, size: int) -> None:
    data = text.encode()
    assume(not is_no_text_of_lines(data))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "text")
        file.write_bytes(data)
        wanted = plain_lines(data)
        assert read_lines(file) == wanted
        batches = list(iterate_line_batches(file, size))
        assert [line for batch in batches for line in batch] == wanted
        assert b"".join(batch.block for batch in batches) == data.removeprefix(b"\xef\xbb\xbf")
        number = 1
        for batch in batches:
            assert batch.first_line == number
            assert len(batch) == len(list(batch)) > 0
            number += len(batch)


@given(
    st.lists(st.text(characters.filter(lambda c: c != "\n"), max_size=20), max_size=8),
    st.sampled_from(["", ".gz", ".bz2", ".xz"]),
    sizes,
)
def test_what_is_written_is_read_back(lines: list[str], suffix: str, size: int) -> None:
    assume(sum(line.count("\0") for line in lines) < 2)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "text" + suffix)
        write_lines(file, lines)
        assert read_lines(file) == lines
        assert [line for batch in iterate_line_batches(file, size) for line in batch] == lines


damaged = st.builds(
    lambda a, b, c: a.encode() + b + c.encode(), texts, st.binary(min_size=1, max_size=3), texts
)


@given(st.binary(max_size=40) | damaged, sizes)
@settings(max_examples=300)
def test_bytes_are_read_exactly_or_refused_where_they_are_wrong(data: bytes, size: int) -> None:
    if detect_compression(data[:MAGIC_LENGTH]) is not None:
        return  # what an archive begins with is no text
    assume(not is_no_text_of_lines(data))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "text")
        file.write_bytes(data)
        try:
            data.decode("utf-8")
        except UnicodeDecodeError as fault:
            line = data[: fault.start].count(b"\n") + 1
            place = f"text:{line}: not UTF-8: byte 0x{data[fault.start]:02x} at byte offset {fault.start} "
            with pytest.raises(InputError, match=place):
                read_lines(file)
            with pytest.raises(InputError, match=place):
                list(iterate_line_batches(file, size))
        else:
            assert read_lines(file) == plain_lines(data)


@given(
    st.lists(texts, min_size=1, max_size=3),
    sizes,
    st.none() | st.integers(1, 3),
)
def test_files_in_step(contents: list[str], size: int, lines: int | None) -> None:
    assume(not any(is_no_text_of_lines(content.encode()) for content in contents))
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, str(number)) for number in range(len(contents))]
        for file, content in zip(files, contents, strict=True):
            file.write_bytes(content.encode())
        wanted = [plain_lines(content.encode()) for content in contents]
        seen: list[list[str]] = [[] for _ in files]
        counts = [len(one) for one in wanted]

        def read() -> None:
            for batches in iterate_aligned(files, batch_bytes=size, batch_lines=lines):
                assert len({len(batch) for batch in batches}) == 1
                for one, batch in zip(seen, batches, strict=True):
                    one += batch

        if len(set(counts)) == 1:
            read()
            assert seen == wanted
        else:
            with pytest.raises(InputError) as caught:
                read()
            for file, count in zip(files, counts, strict=True):
                assert f"{file} has {count}" in str(caught.value)
            assert caught.value.line == min(counts)
