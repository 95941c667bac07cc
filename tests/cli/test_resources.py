"""`cocarde resources`, in processes."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import cocarde
from cocarde.resources import describe
from tests.cli.runner import refuse, run, succeed


def test_json() -> None:
    records = succeed("resources", "--format", "json").records
    assert [record["name"] for record in records] == [resource.name for resource in describe()]
    wordnet = records[0]
    assert wordnet["licence"] == "WordNet 3.0"
    assert Path(wordnet["path"]).stat().st_size == wordnet["size"]
    assert all(record["intact"] is None for record in records)


def test_table() -> None:
    table = succeed("resources").lines
    assert table[0].split() == [
        "resource",
        "state",
        "bytes",
        "sha256",
        "licence",
        "purpose",
        "origin",
    ]
    (row,) = [line for line in table if line.startswith("wordnet ")]
    assert row.split()[1] == "there"
    assert "Princeton" in row


def test_verify() -> None:
    records = succeed("resources", "--verify", "-f", "json").records
    assert [record["intact"] for record in records] == [
        True if record["present"] else None for record in records
    ]
    assert records[0]["intact"] is True
    assert "intact" in succeed("resources", "--verify").output


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of the package whose data may be spoiled."""
    source = Path(cocarde.__file__).parent
    shutil.copytree(source, tmp_path / "cocarde", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def in_copy(copied: Path) -> dict[str, str]:
    return {"PYTHONPATH": str(copied)}


def test_damaged(copied: Path) -> None:
    path = copied / "cocarde" / "resources" / "function_words" / "english.txt"
    path.write_bytes(path.read_bytes() + b"x\n")
    errors = refuse("resources", "--verify", folder=copied, **in_copy(copied))
    assert f"function-words/english ({path}) is not what was published" in errors
    assert "pip install --force-reinstall cocarde" in errors
    # Unless asked, nothing is read.
    assert run("resources", folder=copied, **in_copy(copied)).code == 0


def test_missing(copied: Path) -> None:
    (copied / "cocarde" / "resources" / "wordnet.bin").unlink()
    finished = run("resources", "--verify", folder=copied, **in_copy(copied))
    assert finished.code == 0, finished.errors
    assert "wordnet is missing: pip install --force-reinstall cocarde" in finished.lines
