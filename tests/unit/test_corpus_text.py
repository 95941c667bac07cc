"""Lines and archives, through real files and a real standard input."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import pickle
import random
import subprocess
import sys
import threading
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from cocarde import BLEU, CHRF, TER
from cocarde.corpus import (
    LineBatch,
    Source,
    iterate_aligned,
    iterate_line_batches,
    open_bytes,
    read_jsonl,
    read_lines,
    read_parallel,
    read_table,
)
from cocarde.engines.streaming import accumulate_files
from cocarde.errors import InputError, MissingExtraError, OptionError

zstandard = pytest.importorskip("zstandard")

COMPRESSORS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": lambda data: zstandard.ZstdCompressor().compress(data),
}


def written(folder: Path, data: bytes, name: str = "text.txt") -> Path:
    file = folder / name
    file.write_bytes(data)
    return file


ONE_LINE = "a\u2028b\u2029c\x85d\x0be\x0cf\x1cg\x1dh\x1ei"


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"\n", [""]),
        (b"a", ["a"]),
        (b"a\n", ["a"]),
        (b"a\n\n", ["a", ""]),
        (b"a\r\nb\r\n", ["a", "b"]),
        (b"a\r\r\nb\r", ["a\r", "b\r"]),
        (b"a\rb\n", ["a\rb"]),
        (b"\xef\xbb\xbfa\n\xef\xbb\xbfb\n", ["a", "\ufeffb"]),
        (b"\xef\xbb\xbf", []),
        (b"\xef\xbb\xbf\xef\xbb\xbfa", ["\ufeffa"]),
        (b"\xef\xbb", None),
        (b"a\x00b\n", ["a\x00b"]),
        (f"{ONE_LINE}\n".encode(), [ONE_LINE]),
    ],
)  # fmt: skip
def test_lines_end_at_line_feeds_only(tmp_path: Path, data: bytes, lines: list[str] | None) -> None:
    file = written(tmp_path, data)
    if lines is None:
        with pytest.raises(InputError, match="0xef at byte offset 0"):
            read_lines(file)
        with pytest.raises(InputError, match="0xef at byte offset 0"):
            list(iterate_line_batches(file))
        return
    assert read_lines(file) == lines
    for size in (1, 2, 3, 1 << 20):
        batches = list(iterate_line_batches(file, size))
        assert [line for batch in batches for line in batch] == lines
        assert all(len(batch) == len(list(batch)) > 0 for batch in batches)


def test_a_long_line_is_one_line(tmp_path: Path) -> None:
    long = "é" * 5_000_000
    file = written(tmp_path, f"a\n{long}\nb\n".encode())
    assert read_lines(file) == ["a", long, "b"]
    assert [line for batch in iterate_line_batches(file, 1) for line in batch] == ["a", long, "b"]


@pytest.mark.parametrize("batch_bytes", [1, 7, 100, 1 << 20])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize(
    ("bad", "byte"),
    [(b"\xff", "0xff"), (b"\xe2\x82\n", "0xe2"), (b"\xed\xa0\x80", "0xed"), (b"\xc0\xaf", "0xc0")],
)
def test_bad_utf8_names_line_offset_and_byte(
    tmp_path: Path, batch_bytes: int, mark: bytes, bad: bytes, byte: str
) -> None:
    before = mark + "één\n".encode() * 50 + b"x"
    file = written(tmp_path, before + bad + b"\nlast\n")
    wanted = rf"text\.txt:51: not UTF-8: byte {byte} at byte offset {len(before)} "
    with pytest.raises(InputError, match=wanted) as caught:
        read_lines(file)
    assert (caught.value.path, caught.value.line) == (str(file), 51)
    good: list[str] = []
    with pytest.raises(InputError, match=wanted):
        for batch in iterate_line_batches(file, batch_bytes):
            good += batch
    assert good == ["één"] * len(good)


def test_bad_utf8_across_the_pieces_that_are_checked(tmp_path: Path) -> None:
    # A four-byte character that straddles each megabyte must not be taken for a fault.
    block = "😀".encode() * (3 << 18)
    for shift in range(4):
        data = b"x" * shift + block
        assert read_lines(written(tmp_path, data)) == [data.decode()]
        assert sum(map(len, iterate_line_batches(tmp_path / "text.txt"))) == 1
        file = written(tmp_path, data + b"\x80")
        with pytest.raises(InputError, match=f"0x80 at byte offset {len(data)} "):
            list(iterate_line_batches(file))


@pytest.mark.parametrize("batch_bytes", [0, -1, 2.5, True, "8"])
def test_batch_bytes_is_checked(tmp_path: Path, batch_bytes: int) -> None:
    file = written(tmp_path, b"a\n")
    with pytest.raises(OptionError, match="batch_bytes must be"):
        next(iterate_line_batches(file, batch_bytes))


@pytest.mark.parametrize("opened", ["missing.txt", "."])
def test_what_cannot_be_opened_is_named(tmp_path: Path, opened: str) -> None:
    with pytest.raises(InputError, match=r"cannot be opened: (No such file|Is a directory)"):
        read_lines(tmp_path / opened)


# --- batches ---------------------------------------------------------------------------------------


def test_a_batch_is_a_sequence() -> None:
    batch = LineBatch("één\r\ntwee\ndrie".encode(), 5)
    assert (len(batch), batch.first_line, batch[0], batch[-1]) == (3, 5, "één", "drie")
    assert batch[1:] == ["twee", "drie"]
    assert "twee" in batch
    assert batch.index("drie") == 2
    assert pickle.loads(pickle.dumps(batch)) == batch
    assert hash(batch) == hash(LineBatch(batch.block, 5))
    assert batch != LineBatch(batch.block, 6)
    with pytest.raises(IndexError):
        batch[3]
    with pytest.raises(AttributeError):
        batch.block = b""  # type: ignore[misc]


def test_batches_carry_line_numbers_and_whole_lines(tmp_path: Path) -> None:
    data = b"".join(b"line %d\n" % i for i in range(1000))
    batches = list(iterate_line_batches(written(tmp_path, data), 100))
    assert len(batches) > 50
    assert b"".join(batch.block for batch in batches) == data
    number = 1
    for batch in batches:
        assert batch.first_line == number
        assert batch.block.endswith(b"\n")
        assert len(batch.block) <= 110
        number += len(batch)


def test_memory_stays_constant(tmp_path: Path) -> None:
    file = tmp_path / "large.txt"
    line = ("wörter " * 10 + "\n").encode()
    with open(file, "wb") as stream:
        stream.writelines(line * ((1 << 20) // len(line)) for _ in range(50))
    assert file.stat().st_size > 49_000_000
    tracemalloc.start()
    try:
        lines = sum(len(batch) for batch in iterate_line_batches(file, 1 << 16))
        aligned = sum(len(a) for a, _ in iterate_aligned([file, file], batch_bytes=1 << 16))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert lines == aligned == 50 * ((1 << 20) // len(line))
    assert peak < 6_000_000  # the buffers of two files, not fifty megabytes


# --- files in step ---------------------------------------------------------------------------------


def test_files_of_very_different_width_stay_in_step(tmp_path: Path) -> None:
    wide = [f"{i} " + "w" * 997 for i in range(300)]
    narrow = [str(i) for i in range(300)]
    a = written(tmp_path, "\n".join(wide).encode(), "a")
    b = written(tmp_path, "\r\n".join(narrow).encode() + b"\r\n", "b")
    for options in ({"batch_bytes": 5000}, {"batch_lines": 7}, {"batch_bytes": 1}):
        seen_a: list[str] = []
        seen_b: list[str] = []
        for left, right in iterate_aligned([a, b], **options):
            assert len(left) == len(right) > 0
            assert left.first_line == right.first_line == len(seen_a) + 1
            assert len(left) <= options.get("batch_lines", 300)
            seen_a += left
            seen_b += right
        assert (seen_a, seen_b) == (wide, narrow)


@pytest.mark.parametrize("batch_bytes", [1, 64, 1 << 20])
def test_different_lengths_give_every_count(tmp_path: Path, batch_bytes: int) -> None:
    a = written(tmp_path, b"x\n" * 30, "a.txt")
    b = written(tmp_path, b"x\n" * 41 + b"x", "b.txt")
    c = written(tmp_path, b"xxxxxxxx\n" * 35, "c.txt")
    with pytest.raises(InputError) as caught:
        for _ in iterate_aligned([b, a, c], batch_bytes=batch_bytes):
            pass
    message = str(caught.value)
    assert f"{b} has 42, {a} has 30, {c} has 35" in message
    assert f"{a} ends after 30 lines, where {b} goes on" in message
    assert (caught.value.path, caught.value.line) == (str(a), 30)


def test_an_empty_file_beside_a_full_one(tmp_path: Path) -> None:
    a, b = written(tmp_path, b"", "a.txt"), written(tmp_path, b"x", "b.txt")
    with pytest.raises(InputError, match=r"a\.txt has 0, .*b\.txt has 1"):
        list(iterate_aligned([a, b]))
    assert list(iterate_aligned([a, a])) == []


def test_options_of_aligned_reading(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="paths is empty"):
        list(iterate_aligned([]))
    with pytest.raises(OptionError, match="batch_lines"):
        list(iterate_aligned([written(tmp_path, b"a")], batch_lines=0))
    with pytest.raises(InputError, match="more than once"):
        list(iterate_aligned(["-", "-"]))


def test_stopping_early_closes_the_files(tmp_path: Path) -> None:
    if not os.path.isdir("/proc/self/fd"):
        pytest.skip("needs /proc to count open files")
    file = written(tmp_path, b"x\n" * 1000)
    before = len(os.listdir("/proc/self/fd"))
    reading = iterate_aligned([file, file], batch_bytes=10)
    next(reading)
    assert len(os.listdir("/proc/self/fd")) > before
    reading.close()  # type: ignore[attr-defined]
    with pytest.raises(InputError):
        list(iterate_aligned([file, tmp_path / "missing"]))
    assert len(os.listdir("/proc/self/fd")) == before


# --- compression -----------------------------------------------------------------------------------

TEXT = "".join(f"{i} één {i * i}\n" for i in range(20_000)).encode()


@pytest.mark.parametrize("kind", COMPRESSORS)
def test_archives_are_known_by_content(tmp_path: Path, kind: str) -> None:
    file = written(tmp_path, COMPRESSORS[kind](TEXT), "no-suffix")
    assert read_lines(file) == TEXT.decode().split("\n")[:-1]
    with open_bytes(file) as stream:
        assert stream.read() == TEXT
    plain = written(tmp_path, TEXT, f"plain.{kind}")
    assert read_lines(plain) == TEXT.decode().split("\n")[:-1]


@pytest.mark.parametrize("kind", COMPRESSORS)
def test_empty_archive_and_several_in_a_row(tmp_path: Path, kind: str) -> None:
    compress = COMPRESSORS[kind]
    assert read_lines(written(tmp_path, compress(b""))) == []
    several = compress(b"one\ntw") + compress(b"") + compress(b"o\nthree")
    assert read_lines(written(tmp_path, several)) == ["one", "two", "three"]


@pytest.mark.parametrize("kind", COMPRESSORS)
def test_output_of_any_size_comes_whole(tmp_path: Path, kind: str) -> None:
    # Sizes at and around the steps in which decompressors give their output.
    for size in (1 << 16, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 5 << 20):
        data = b"a" * size
        file = written(tmp_path, COMPRESSORS[kind](data) + COMPRESSORS[kind](b"end"))
        assert read_lines(file) == [data.decode() + "end"]


@pytest.mark.parametrize("kind", COMPRESSORS)
def test_every_truncation_is_refused(tmp_path: Path, kind: str) -> None:
    whole = COMPRESSORS[kind](b"one\ntwo\nthree\n" * 5)
    for length in range(12, len(whole)):
        file = written(tmp_path, whole[:length])
        with pytest.raises(InputError, match=r"archive is (cut short|corrupt)"):
            read_lines(file)
        with pytest.raises(InputError, match=r"archive is (cut short|corrupt)"):
            list(iterate_line_batches(file, 4))


@pytest.mark.parametrize("kind", COMPRESSORS)
def test_truncation_in_the_middle_says_how_far_it_came(tmp_path: Path, kind: str) -> None:
    rng = random.Random(5)
    data = b"".join(b"%d\n" % rng.getrandbits(200) for _ in range(40_000))
    whole = COMPRESSORS[kind](data)
    file = written(tmp_path, whole[: len(whole) // 2], f"cut.{kind}")
    with pytest.raises(InputError, match=rf"cut\.{kind}:\d+: the {kind} archive") as caught:
        read_lines(file)
    assert caught.value.line is not None
    assert 1 <= caught.value.line < 40_000
    assert f"only {caught.value.line - 1} whole lines" in str(caught.value)


@pytest.mark.parametrize("kind", COMPRESSORS)
def test_damage_and_trailing_bytes_are_refused(tmp_path: Path, kind: str) -> None:
    whole = bytearray(COMPRESSORS[kind](TEXT))
    with pytest.raises(InputError, match="is corrupt"):
        read_lines(written(tmp_path, bytes(whole) + b"not an archive"))
    if kind == "zst":
        whole = bytearray(zstandard.ZstdCompressor(write_checksum=True).compress(TEXT))
    whole[len(whole) // 2] ^= 0x55
    with pytest.raises(InputError, match=r"is (corrupt|cut short)"):
        read_lines(written(tmp_path, bytes(whole)))


@pytest.mark.parametrize("kind", ["gz", "xz"])
def test_padding_after_an_archive_is_allowed(tmp_path: Path, kind: str) -> None:
    padded = COMPRESSORS[kind](b"one\n") + bytes(8) + COMPRESSORS[kind](b"two\n") + bytes(4)
    assert read_lines(written(tmp_path, padded)) == ["one", "two"]


def test_bad_utf8_offset_counts_uncompressed_bytes(tmp_path: Path) -> None:
    file = written(tmp_path, gzip.compress(b"\xef\xbb\xbfone\ntw\xfe\n"))
    with pytest.raises(InputError, match=r"text\.txt:2: .*0xfe at byte offset 9 "):
        read_lines(file)


@pytest.mark.parametrize("kind", ["gz", "bz2", "xz", "zst"])
def test_bombs_are_read_in_constant_memory(tmp_path: Path, kind: str) -> None:
    file = written(tmp_path, COMPRESSORS[kind]((b"a" * 1023 + b"\n") * (64 << 10)))
    assert file.stat().st_size < 200_000
    tracemalloc.start()
    try:
        assert sum(map(len, iterate_line_batches(file, 1 << 16))) == 64 << 10
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 20_000_000


def test_zst_without_a_package_names_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if sys.version_info >= (3, 14):
        pytest.skip("this Python reads zst itself")
    file = written(tmp_path, COMPRESSORS["zst"](b"one\n"))
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(MissingExtraError, match=r'pip install "cocarde\[zstd\]"'):
        read_lines(file)


# --- standard input and pipes ----------------------------------------------------------------------


def in_subprocess(code: str, data: bytes) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-c", code], input=data, capture_output=True, timeout=60, check=False
    )


@pytest.mark.parametrize("kind", [None, *COMPRESSORS])
def test_standard_input(kind: str | None) -> None:
    text = "één\u2028x\r\ntwo".encode()
    data = text if kind is None else COMPRESSORS[kind](text)
    code = "from cocarde.corpus import read_lines; print(ascii(read_lines('-')))"
    done = in_subprocess(code, data)
    assert done.stdout.decode().strip() == ascii(["één\u2028x", "two"]), done.stderr.decode()


def test_standard_input_in_batches_and_beside_a_file(tmp_path: Path) -> None:
    file = written(tmp_path, b"a\nb\nc\n")
    code = (
        "from cocarde.corpus import iterate_aligned\n"
        f"for a, b in iterate_aligned([{str(file)!r}, '-'], batch_bytes=1): print(*a, *b)"
    )
    done = in_subprocess(code, b"1\n2\n3\n")
    assert done.stdout.split() == b"a 1 b 2 c 3".split(), done.stderr.decode()
    done = in_subprocess(code, b"1\n2\n")
    assert b"standard input has 2" in done.stderr


def test_bad_bytes_and_nothing_on_standard_input() -> None:
    code = "from cocarde.corpus import read_lines; print(read_lines('-'))"
    assert b"standard input:1: not UTF-8: byte 0xff" in in_subprocess(code, b"\xff").stderr
    assert in_subprocess(code, b"").stdout.strip() == b"[]"
    closed = "import sys; sys.stdin = None\n" + code
    assert b"standard input: there is none" in in_subprocess(closed, b"").stderr


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are a POSIX thing")
@pytest.mark.parametrize("kind", [None, "gz"])
def test_named_pipes(tmp_path: Path, kind: str | None) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    data = TEXT if kind is None else COMPRESSORS[kind](TEXT)

    def slowly() -> None:
        with open(pipe, "wb", buffering=0) as stream:
            stream.write(data[:1])
            stream.write(data[1:5])
            stream.write(data[5:])

    writer = threading.Thread(target=slowly)
    writer.start()
    try:
        assert read_lines(pipe) == TEXT.decode().split("\n")[:-1]
    finally:
        writer.join()


def test_importing_the_package_loads_no_rare_module() -> None:
    code = (
        "import sys, cocarde.corpus\n"
        "from cocarde.corpus import read_lines, Source\n"
        "rare = {'xml', 'json', 'lzma', 'bz2', 'gzip', 'zstandard', 'tempfile', 'pyexpat'}\n"
        "print(sorted(rare & set(sys.modules)))"
    )
    done = in_subprocess(code, b"")
    assert done.stdout.strip() == b"[]", done.stderr.decode()


# --- what is no text of lines in UTF-8 --------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    ["The cat sat.\nIt rained.\n", "Кот сидел на коврике.\nШёл дождь\n", "one line without an end",
     "a\r\nb c\r\n", "ねこがいる。\nあめがふった。\n" * 9],
)  # fmt: skip
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("batch_bytes", [1, 1 << 20])
def test_utf16_and_utf32_are_named(
    tmp_path: Path, text: str, encoding: str, mark: str, batch_bytes: int
) -> None:
    file = written(tmp_path, (mark + text).encode(encoding))
    name = (
        encoding[:6].upper()
        if mark
        else encoding.upper().replace("-", "", 2).replace("UTF", "UTF-")
    )
    wanted = (
        rf"text\.txt:1: not UTF-8: the text looks like {name}; convert .*iconv -f {name} -t UTF-8"
    )
    with pytest.raises(InputError, match=wanted):
        read_lines(file)
    with pytest.raises(InputError, match=wanted):
        list(iterate_line_batches(file, batch_bytes))


@pytest.mark.parametrize(
    "data",
    [b"a\0b\n", b"a\0\nb\0\nc\0\n", b"a\0b\0c d e f\n", b"\n\0", b"x\0\n\0y\n",
     b"field\0" * 1000 + b"\n", b"a\0b\0\nc d\0e f\0\n" * 99],
)  # fmt: skip
def test_nuls_in_text_are_text(tmp_path: Path, data: bytes) -> None:
    file = written(tmp_path, data)
    assert read_lines(file) == data.decode().removesuffix("\n").split("\n")
    assert [line for batch in iterate_line_batches(file) for line in batch] == read_lines(file)


@pytest.mark.parametrize("data", [b"a\rb\rc\r", b"a\rb", b"a\r", b"\xef\xbb\xbf" + "é\r".encode()])
def test_carriage_returns_alone_are_no_line_ends(tmp_path: Path, data: bytes) -> None:
    file = written(tmp_path, data)
    count = data.count(b"\r")
    wanted = rf"text\.txt:1: has {count} carriage returns but no line feed, .*tr '\\r' '\\n'"
    with pytest.raises(InputError, match=wanted):
        read_lines(file)
    for size in (1, 1 << 20):
        with pytest.raises(InputError, match=wanted):
            list(iterate_line_batches(file, size))
    # With a line feed somewhere they are text.
    file = written(tmp_path, data + b"\n")
    assert len(read_lines(file)) == sum(map(len, iterate_line_batches(file, 1))) == 1


# --- limits ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("batch_bytes", [1, 7, 1 << 20])
def test_lines_that_are_too_long_are_refused(tmp_path: Path, batch_bytes: int) -> None:
    for length in range(1, 40):
        lines = ["ab", "c" * length, "", "d" * 20, "e"]
        file = written(tmp_path, "\n".join(lines).encode())
        for limit in (20, 21, 25):
            if length <= limit:
                assert read_lines(file, max_line_bytes=limit) == lines
                batches = iterate_line_batches(file, batch_bytes, max_line_bytes=limit)
                assert [line for batch in batches for line in batch] == lines
                continue
            wanted = rf"text\.txt:2: the line has more than {limit} bytes.*COCARDE_MAX_LINE_BYTES"
            with pytest.raises(InputError, match=wanted):
                read_lines(file, max_line_bytes=limit)
            with pytest.raises(InputError, match=wanted):
                list(iterate_line_batches(file, batch_bytes, max_line_bytes=limit))
            with pytest.raises(InputError, match=wanted):
                list(iterate_aligned([file, file], max_line_bytes=limit))


@pytest.mark.parametrize("kind", COMPRESSORS)
def test_archives_of_one_endless_line_are_refused_early(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = written(tmp_path, COMPRESSORS[kind](b"a" * (64 << 20)))
    monkeypatch.setenv("COCARDE_MAX_LINE_BYTES", str(4 << 20))
    for read in (
        lambda: read_lines(file),
        lambda: list(iterate_line_batches(file)),
        lambda: read_table(file, 1),
        lambda: read_jsonl(file, "a"),
    ):
        tracemalloc.start()
        try:
            with pytest.raises(InputError, match="has more than 4194304 bytes"):
                read()
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert peak < 40 << 20  # not the 64 MB that are in it
    monkeypatch.delenv("COCARDE_MAX_LINE_BYTES")
    assert list(map(len, read_lines(file))) == [64 << 20]


@pytest.mark.parametrize("limit", [0, -1, 2.5, True, "8"])
def test_limits_are_checked(tmp_path: Path, limit: int) -> None:
    with pytest.raises(OptionError, match="max_line_bytes must be a whole number"):
        read_lines(written(tmp_path, b"a\n"), max_line_bytes=limit)


# --- what explains different lengths ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("longer", "shorter", "wanted"),
    [
        ("a|b||c", "a|b|c", "line 3 of {long} is empty and not so in {short}"),
        ("a||b||c", "a||b|c", "line 4 of {long} is empty and not so in {short}"),
        ("a|b||", "a|b|", "line 4 of {long} is empty, at the end; delete"),
        ("a|b|||", "a|b|", "line 4 and 1 more of {long} are empty, at the end"),
        ("|a||b", "a|b", "line 1 and 1 more of {long} are empty and not so"),
        ("a|b|more", "a|b", "{long} goes on with line 3, 'more';"),
        ("a|b||more", "a|b", "{long} goes on with line 3, '';"),
        ("a||b|more", "a||b", "{long} goes on with line 4, 'more';"),
    ],
)
def test_empty_and_surplus_lines_explain_different_lengths(
    tmp_path: Path, longer: str, shorter: str, wanted: str
) -> None:
    files = {
        name: written(tmp_path, "".join(f"{line}{end}" for line in text.split("|")).encode(), name)
        for name, text, end in (("long", longer, "\r\n"), ("short", shorter, "\n"))
    }
    message = wanted.format(**files)
    for size in (1, 1 << 20):
        with pytest.raises(InputError) as caught:
            list(iterate_aligned([files["long"], files["short"]], batch_bytes=size))
        assert message in str(caught.value)
    sources = [[Source(str(file))] for file in files.values()]
    for given in (sources, sources[::-1]):
        with pytest.raises(InputError) as caught:
            read_parallel(*given)
        assert message in str(caught.value)


def test_lines_of_tables_are_those_of_the_file(tmp_path: Path) -> None:
    table = written(tmp_path, b"id\thyp\n1\ta\n2\t\n3\tb\n", "t.tsv")
    short = written(tmp_path, b"a\nb\n", "short")
    with pytest.raises(
        InputError, match=r"line 3 of \S*t\.tsv:hyp is empty and not so in \S*short"
    ):
        read_parallel([Source.parse(f"{table}:hyp")], [Source(str(short))])


# --- what mutations of the readers left alive -------------------------------------------------------


def test_line_feeds_with_and_without_a_carriage_return_are_scored_alike(tmp_path: Path) -> None:
    """A carriage return before a line feed is no character of the segment."""
    hypotheses = ["ab c", "x", "", "the cat", "y z"]
    references = ["ab d", "x\r", "q", "a cat", "y z"]
    mixed = "".join(text + end for text, end in zip(hypotheses, ["\r\n", "\n"] * 3, strict=False))
    for tail in ("", "\r\n"):
        file = written(tmp_path, (mixed.removesuffix("\r\n") + tail).encode(), "mixed")
        other = written(tmp_path, "".join(f"{text}\r\n" for text in references).encode(), "ref")
        for metric in (CHRF(whitespace=True, word_order=0), CHRF(), BLEU(tokenize="char"), TER()):
            expected = metric.corpus_score(hypotheses, references)
            for size in (1, 5, 1 << 20):
                streamed = accumulate_files({"m": metric}, file, [other], batch_bytes=size)["m"]
                assert streamed.compute().score == expected.score


def test_many_frames_of_zst_after_one_another(tmp_path: Path) -> None:
    rng = random.Random(11)
    texts = [b"".join(b"%d\n" % rng.getrandbits(60) for _ in range(1100)) for _ in range(30)]
    assert all(len(text) > 20_000 for text in texts)
    file = written(tmp_path, b"".join(map(COMPRESSORS["zst"], texts)))
    assert read_lines(file) == b"".join(texts).decode().split("\n")[:-1]
    assert b"".join(batch.block for batch in iterate_line_batches(file)) == b"".join(texts)
