"""Files appear whole or not at all."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cocarde.corpus import atomic_write, iterate_line_batches, read_lines, write_lines
from cocarde.errors import InputError
from tests.processes import interruptible


def names(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))


def test_text_and_bytes_are_written_as_they_are(tmp_path: Path) -> None:
    file = tmp_path / "out.txt"
    with atomic_write(file) as text:
        text.write("é\r\n\u2028\n")
        assert not file.exists()
    assert file.read_bytes() == "é\r\n\u2028\n".encode()
    with atomic_write(file, binary=True) as stream:
        stream.write(b"\xff\x00")
    assert file.read_bytes() == b"\xff\x00"
    assert names(tmp_path) == ["out.txt"]


@pytest.mark.parametrize("binary", [False, True])
@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
@pytest.mark.parametrize("fault", [ValueError, KeyboardInterrupt, SystemExit])
def test_after_a_fault_the_old_file_is_intact(
    tmp_path: Path, binary: bool, suffix: str, fault: type[BaseException]
) -> None:
    file = tmp_path / f"out{suffix}"
    file.write_bytes(b"old")
    for path in (file, tmp_path / f"new{suffix}"):
        with pytest.raises(fault):
            if binary:
                with atomic_write(path, binary=True) as stream:
                    stream.write(b"half" * 100_000)
                    raise fault
            else:
                with atomic_write(path) as text:
                    text.write("half" * 100_000)
                    raise fault
    assert file.read_bytes() == b"old"
    assert names(tmp_path) == [f"out{suffix}"]


def test_text_without_a_utf8_form_leaves_the_old_file(tmp_path: Path) -> None:
    file = tmp_path / "out"
    file.write_bytes(b"old")
    with pytest.raises(UnicodeEncodeError), atomic_write(file) as text:
        text.write("a\ud800")
    with pytest.raises(InputError, match=r"out:2: segment 2 .*lone surrogate U\+D800 at charac"):
        write_lines(file, ["a", "b\ud800"])
    with pytest.raises(InputError, match="out:2: segment 2 contains a line feed at character 1"):
        write_lines(file, ["a", "b\nc"])
    assert (file.read_bytes(), names(tmp_path)) == (b"old", ["out"])


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is a POSIX signal")
def test_a_killed_process_leaves_the_old_file(tmp_path: Path) -> None:
    file = tmp_path / "out.txt"
    file.write_bytes(b"old")
    code = (
        "import sys, time\n"
        "from cocarde.corpus import atomic_write\n"
        "with atomic_write(sys.argv[1]) as text:\n"
        "    text.write('half' * 1000000); text.flush()\n"
        "    print('writing', flush=True)\n"
        "    time.sleep(60)\n"
    )
    command = [sys.executable, "-c", code, str(file)]
    with interruptible(command, stdout=subprocess.PIPE) as one:
        assert one.stdout is not None
        assert one.stdout.readline() == b"writing\n"
        assert len(names(tmp_path)) == 2
        one.send_signal(signal.SIGKILL)
        one.wait(timeout=60)
    assert file.read_bytes() == b"old"
    with interruptible(command, stdout=subprocess.PIPE) as one:
        assert one.stdout is not None
        one.stdout.readline()
        one.send_signal(signal.SIGINT)
        assert one.wait(timeout=30) != 0
    assert file.read_bytes() == b"old"
    # Only the file of the process that could not clean up is left.
    assert len(names(tmp_path)) == 2


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_is_an_error() -> None:
    with pytest.raises(OSError, match="No space left"), atomic_write("/dev/full") as text:
        text.write("x" * 100_000)


def test_devices_are_written_directly(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    if not os.path.exists("/dev/stdout"):
        pytest.skip("needs /dev/stdout")
    with atomic_write("/dev/null") as text:
        text.write("x")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


@pytest.mark.skipif(os.name != "posix", reason="POSIX permissions")
def test_permissions(tmp_path: Path) -> None:
    file = tmp_path / "out"
    file.write_bytes(b"old")
    file.chmod(0o640)
    write_lines(file, ["new"])
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    mask = os.umask(0o027)
    try:
        write_lines(tmp_path / "fresh", ["new"])
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "fresh").stat().st_mode) == 0o640


@pytest.mark.skipif(os.name != "posix", reason="symbolic links")
def test_a_link_keeps_pointing(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    target, link = tmp_path / "real" / "file", tmp_path / "link"
    target.write_bytes(b"old")
    link.symlink_to(target)
    write_lines(link, ["new"])
    assert link.is_symlink()
    assert target.read_bytes() == b"new\n"


def test_folders_and_missing_folders(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a folder"), atomic_write(tmp_path) as text:
        text.write("x")
    with (
        pytest.raises(InputError, match="cannot be written: No such file"),
        atomic_write(tmp_path / "missing" / "file") as text,
    ):
        text.write("x")
    assert names(tmp_path) == []


def test_the_longest_name_that_a_file_may_have(tmp_path: Path) -> None:
    file = tmp_path / ("n" * 255)
    write_lines(file, ["x"])
    assert names(tmp_path) == [file.name]


def test_a_name_without_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_lines("out", ["x"])
    assert names(tmp_path) == ["out"]


@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".xz", ".zst", ".GZ"])
def test_names_choose_the_compression(tmp_path: Path, suffix: str) -> None:
    zstandard = pytest.importorskip("zstandard")
    file = tmp_path / f"out{suffix}"
    lines = [f"{i} één" for i in range(1000)]
    write_lines(file, lines)
    data = file.read_bytes()
    unpacked: bytes
    if suffix == ".zst":
        unpacked = zstandard.ZstdDecompressor().decompressobj().decompress(data)
    else:
        unpacked = {".gz": gzip, ".bz2": bz2, ".xz": lzma}[suffix.lower()].decompress(data)
    assert unpacked.decode() == "".join(line + "\n" for line in lines)
    assert read_lines(file) == lines
    write_lines(file, lines)
    assert file.read_bytes() == data


@pytest.mark.skipif(os.name != "posix", reason="POSIX permissions")
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o400, 0o444])
def test_permissions_are_never_wider_while_writing(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "out"
    file.write_bytes(b"old")
    file.chmod(mode)
    mask = os.umask(0)
    try:
        with atomic_write(file) as text:
            text.write("new")
            text.flush()
            (temporary,) = set(tmp_path.iterdir()) - {file}
            assert not stat.S_IMODE(temporary.stat().st_mode) & ~(mode | 0o600)
    finally:
        os.umask(mask)
    assert (file.read_bytes(), stat.S_IMODE(file.stat().st_mode)) == (b"new", mode)


@pytest.mark.skipif(os.name != "posix", reason="POSIX permissions")
def test_what_was_another_groups_is_not_for_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "out"
    file.write_bytes(b"old")
    file.chmod(0o664)
    plain_status = os.stat

    def of_another_group(path: Any, **options: Any) -> os.stat_result:
        found = plain_status(path, **options)
        if path != str(file):
            return found
        return os.stat_result([*found[:5], found.st_gid + 1, *found[6:]])

    def refused(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr("os.stat", of_another_group)
    with monkeypatch.context() as patched:
        patched.setattr("os.chown", refused)
        write_lines(file, ["new"])
    monkeypatch.undo()
    assert stat.S_IMODE(file.stat().st_mode) == 0o604


@pytest.mark.skipif(os.name != "posix", reason="symbolic links")
def test_a_link_of_another_user_in_a_shared_folder_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared, target = tmp_path / "shared", tmp_path / "target"
    shared.mkdir()
    target.write_bytes(b"old")
    (shared / "link").symlink_to(target)
    (shared / "folder").symlink_to(tmp_path)
    paths = [shared / "link", shared / "folder" / "target", shared / "folder" / "new"]
    plain_status = os.lstat

    def of_another_user(path: Any) -> os.stat_result:
        found = plain_status(path)
        return os.stat_result([*found[:4], found.st_uid + 1, *found[5:]])

    monkeypatch.setattr("os.lstat", of_another_user)
    shared.chmod(0o1777)
    for path in paths:
        with pytest.raises(InputError, match=f"{path}: is not written to: .* another user"):
            write_lines(path, ["new"])
        assert target.read_bytes() == b"old"
    assert names(shared) == ["folder", "link"]
    # Neither where only its owner may put links, nor of links of one's own.
    shared.chmod(0o755)
    write_lines(paths[0], ["new"])
    assert target.read_bytes() == b"new\n"
    shared.chmod(0o1777)
    monkeypatch.undo()
    for path in paths[:2]:
        write_lines(path, [path.name])
        assert target.read_text() == f"{path.name}\n"


@pytest.mark.skipif(os.name != "posix", reason="symbolic links")
def test_links_are_followed_as_the_system_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "up").symlink_to("a/b")
    (tmp_path / "a" / "b" / "out").symlink_to("../../up/.././real")
    monkeypatch.chdir(tmp_path / "a")
    write_lines("../up/../b//out", ["x"])
    assert (tmp_path / "a" / "real").read_text() == "x\n"
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(InputError, match="loop: cannot be written: too many levels"):
        write_lines(tmp_path / "loop", ["x"])


def test_byte_order_marks_of_later_lines_stay_as_they_are(tmp_path: Path) -> None:
    """Readers take one off at the start of the file alone."""
    file = tmp_path / "out"
    lines = ["\ufeffa", "\ufeffb", "\ufeff", "c"]
    write_lines(file, lines)
    assert file.read_bytes().decode() == "\ufeff" + "".join(f"{line}\n" for line in lines)
    assert read_lines(file) == lines
    write_lines(file, lines[2:])
    assert read_lines(file) == lines[2:]
    write_lines(file, ["c", *lines])
    assert file.read_bytes().decode() == "".join(f"{line}\n" for line in ["c", *lines])
    assert read_lines(file) == ["c", *lines]
    for size in (1, 3, 1 << 20):
        batches = iterate_line_batches(file, size)
        assert [line for batch in batches for line in batch] == ["c", *lines]
