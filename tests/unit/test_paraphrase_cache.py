"""Finding, compiling and caching METEOR's paraphrase table."""

from __future__ import annotations

import errno
import gzip
import json
import logging
import os
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cocarde import _native
from cocarde._util.cache import cache_folder
from cocarde.errors import CocardeWarning, InputError, MissingExtraError, OptionError
from cocarde.resources import paraphrases

TEXT = "0.5\na big\na large\n0.25\na large\na big\n0.1\nbig\nlarge\n"
MATCHES = [(0, 2, 0, 2), (1, 1, 1, 1), (0, 2, 0, 2)]


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("COCARDE_CACHE", str(folder))
    monkeypatch.delenv("COCARDE_PARAPHRASES", raising=False)
    monkeypatch.setattr(paraphrases, "_opened", {})
    return folder


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "paraphrase-en.gz"
    path.write_bytes(gzip.compress(TEXT.encode()))
    return path


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a new process."""
    monkeypatch.setattr(paraphrases, "_opened", {})


def compiled_file(cache: Path) -> Path:
    (path,) = cache.glob("paraphrases-*.bin")
    return path


def works(table: _native.Paraphrases) -> bool:
    return table.match(["a", "large"], ["a", "big"]) == MATCHES


def test_compiled_once_then_opened(
    cache: Path, source: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    seen: list[tuple[int, int]] = []
    with caplog.at_level(logging.INFO, "cocarde"):
        table = paraphrases.open(source, progress=lambda done, total: seen.append((done, total)))
    assert works(table)
    assert seen[-1] == (source.stat().st_size,) * 2
    assert "compiling the paraphrase table" in caplog.text
    assert paraphrases.open(source) is table
    forget(monkeypatch)
    monkeypatch.setattr(paraphrases, "compile_table", lambda *_: pytest.fail("compiled again"))
    assert works(paraphrases.open(source))
    assert not list(cache.glob("*.partial"))


def test_the_name_has_the_format_and_the_checksum_of_the_source(cache: Path, source: Path) -> None:
    table = paraphrases.open(source)
    name = f"paraphrases-{_native.PARAPHRASE_FORMAT}-{table.source}.bin"
    assert compiled_file(cache).name == name
    assert len(table.source) == 64


def test_a_changed_source_is_compiled_anew(cache: Path, source: Path) -> None:
    first = paraphrases.open(source)
    changed = TEXT.replace("large", "great")
    status = source.stat()
    source.write_bytes(gzip.compress(changed.encode()))
    os.utime(source, ns=(status.st_atime_ns, status.st_mtime_ns))
    second = paraphrases.open(source)
    assert second is not first
    assert second.match(["a", "great"], ["a", "big"]) == MATCHES
    assert works(first)
    assert len(list(cache.glob("paraphrases-*.bin"))) == 2


def test_the_checksum_of_the_source_is_remembered_while_it_is_the_same(
    cache: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paraphrases.open(source)
    assert not list(cache.glob("source-*.json"))  # it was written a moment ago
    later = time.time_ns() + 10_000_000_000
    monkeypatch.setattr(time, "time_ns", lambda: later)
    forget(monkeypatch)
    paraphrases.open(source)
    (index,) = cache.glob("source-*.json")
    content = json.loads(index.read_text())
    # Who trusts the file does not read the source.
    index.write_text(json.dumps({**content, "sha256": "0" * 64}))
    assert paraphrases._checksum(source, cache) == "0" * 64
    for broken in ("", "[]", "{", json.dumps({**content, "sha256": "../x"})):
        index.write_text(broken)
        assert paraphrases._checksum(source, cache) == content["sha256"]
    index.write_text(json.dumps({**content, "size": 1, "sha256": "0" * 64}))
    assert paraphrases._checksum(source, cache) == content["sha256"]


@pytest.mark.parametrize("damage", ["cut", "bit", "empty", "longer", "other", "version", "text"])
def test_a_damaged_cache_is_made_anew(
    cache: Path, source: Path, damage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    paraphrases.open(source)
    forget(monkeypatch)
    path = compiled_file(cache)
    whole = path.read_bytes()
    broken = {
        "cut": whole[:-9],
        "bit": whole[:200] + bytes([whole[200] ^ 1]) + whole[201:],
        "empty": b"",
        "longer": whole + b"\0" * 64,
        "version": whole[:16] + b"\x63" + whole[17:],
        "text": TEXT.encode() * 20,
    }
    if damage == "other":
        other = source.with_name("other")
        other.write_text(TEXT.replace("big", "small"))
        paraphrases.compile_table(other, path)
    else:
        path.write_bytes(broken[damage])
    with pytest.warns(CocardeWarning, match=r"cannot be used: .*compiled again"):
        table = paraphrases.open(source)
    assert works(table)
    assert path.read_bytes() == whole
    assert list(cache.glob("paraphrases-*.bin")) == [path]


_CHILD = """
import sys
from cocarde.resources import paraphrases
print(paraphrases.open(sys.argv[1]).match(["a", "large"], ["a", "big"]))
"""


def child(source: Path, code: str = _CHILD) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code, str(source)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_four_processes_at_first_use(cache: Path, source: Path) -> None:
    # Enough text for the others to come while the first is at work.
    lines = "".join(f"0.5\nword {i}\nother {i} {i // 3}\n" for i in range(150_000))
    source.write_bytes(gzip.compress((TEXT + lines).encode(), 1))
    children = [child(source) for _ in range(4)]
    for process in children:
        out, err = process.communicate(timeout=120)
        assert (process.returncode, out.strip(), err) == (0, str(MATCHES), "")
    assert not list(cache.glob("*.partial"))
    _native.Paraphrases(compiled_file(cache).read_bytes())  # type: ignore[arg-type]


def test_a_killed_process_leaves_nothing_that_is_trusted(cache: Path, source: Path) -> None:
    killed = child(
        source,
        "import os, sys\n"
        "from cocarde.resources import paraphrases\n"
        "os.fsync = lambda number: os._exit(9)\n"
        "paraphrases.open(sys.argv[1])\n",
    )
    assert killed.wait(60) == 9
    assert not list(cache.glob("paraphrases-*.bin"))
    assert len(list(cache.glob("paraphrases-*.partial"))) == 1
    assert works(paraphrases.open(source))
    assert not list(cache.glob("*.partial"))


def test_an_interrupted_compilation_leaves_nothing(
    cache: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        paraphrases.open(source, progress=interrupt)
    monkeypatch.setattr(os, "replace", lambda *_: interrupt(0, 0))
    with pytest.raises(KeyboardInterrupt):
        paraphrases.open(source)
    assert [path.suffix for path in cache.iterdir()] == [".lock"]


def test_a_folder_that_cannot_be_written(
    tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch, cache: Path
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("COCARDE_CACHE", str(blocked))
    with pytest.raises(OptionError, match=r"cannot be kept in .*file.*: set COCARDE_CACHE"):
        paraphrases.open(source)


def test_a_read_only_folder(source: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def read_only(path: Any, mode: str) -> Any:
        if set(mode) & set("awx+"):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS))
        return open(path, mode)

    # Permissions would not stop root.
    with monkeypatch.context() as patch:
        patch.setattr(paraphrases, "builtins", SimpleNamespace(open=read_only))
        with pytest.raises(OptionError, match=r"Read-only file system.*set COCARDE_CACHE"):
            paraphrases.open(source)
    paraphrases.open(source)
    # What is there already can be used.
    forget(monkeypatch)
    monkeypatch.setattr(paraphrases, "builtins", SimpleNamespace(open=read_only))
    assert works(paraphrases.open(source))


def test_a_full_folder(cache: Path, source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(number: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OptionError, match=r"No space left on device; .*80 MB.*set COCARDE_CACHE"):
        paraphrases.open(source)
    assert [path.suffix for path in cache.iterdir()] == [".lock"]


@pytest.mark.parametrize(
    ("content", "line", "said"),
    [
        (gzip.compress(TEXT.encode(), mtime=0)[:-9], None, "cut short|corrupt"),
        (gzip.compress(TEXT.encode(), mtime=0) + b"more", None, "corrupt"),
        (TEXT.encode()[:-6], 8, "ends within an entry"),
        (TEXT.replace("0.25\n", "").encode(), 4, "'a large' in place of a probability"),
        (gzip.compress(b"0.5\na\n\xff\n", mtime=0), 3, "not UTF-8"),
        (b"", None, "no paraphrase table"),
    ],
)
def test_a_source_that_is_no_table(
    cache: Path, source: Path, content: bytes, line: int | None, said: str
) -> None:
    source.write_bytes(content)
    with pytest.raises(InputError, match=said) as caught:
        paraphrases.open(source)
    assert caught.value.path == str(source)
    if line is not None:
        assert caught.value.line == line
    assert not list(cache.glob("paraphrases-*.bin"))


def test_where_the_table_is_looked_for(
    tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COCARDE_PARAPHRASES", raising=False)
    monkeypatch.setattr(paraphrases, "meteor_folder", lambda: None)
    with pytest.raises(MissingExtraError, match=r'pip install "cocarde\[paraphrase\]"$'):
        paraphrases.locate()
    with pytest.raises(MissingExtraError, match=r"paraphrase-cz\.gz.*--paraphrases PATH"):
        paraphrases.locate(language="cz")
    assert paraphrases.describe().path is None
    with pytest.raises(OptionError, match="there is no file"):
        paraphrases.locate(tmp_path / "none")
    assert paraphrases.locate(source, "cz") == source
    monkeypatch.setenv("COCARDE_PARAPHRASES", str(tmp_path / "none"))
    with pytest.raises(OptionError, match="COCARDE_PARAPHRASES: there is no file or folder"):
        paraphrases.locate()
    for named in (source, tmp_path):
        monkeypatch.setenv("COCARDE_PARAPHRASES", str(named))
        assert paraphrases.locate() == source
        with pytest.raises(MissingExtraError, match="'cz'"):  # English words for Czech
            paraphrases.locate(language="cz")
    unnamed = tmp_path / "table"
    unnamed.write_text(TEXT)
    monkeypatch.setenv("COCARDE_PARAPHRASES", str(unnamed))
    assert paraphrases.locate(language="cz") == unnamed


def test_the_installed_table_is_found_without_importing(tmp_path: Path) -> None:
    pytest.importorskip("pycocoevalcap")
    code = (
        "import sys\n"
        "from cocarde.resources import paraphrases\n"
        "found = paraphrases.describe()\n"
        "assert found.path.stat().st_size == found.size, found\n"
        "assert 'pycocoevalcap' not in sys.modules\n"
    )
    environment = {k: v for k, v in os.environ.items() if k != "COCARDE_PARAPHRASES"}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment)


def test_the_cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COCARDE_CACHE", str(tmp_path))
    assert cache_folder() == tmp_path
    monkeypatch.delenv("COCARDE_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "cocarde"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert cache_folder() == Path.home() / ".cache" / "cocarde"
