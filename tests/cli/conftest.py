"""Small files for the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

HYPOTHESES = [
    "The cat sat on the mat.",
    "It costs 1,000.50 euros, he said & left.",
    "A completely different sentence",
    "",
    "你好，世界！ The end.",
]
OTHER = [
    "A cat was sitting on a mat.",
    "He said it cost 1,000.50 euros.",
    "Something else",
    "x",
    "世界你好。",
]
REFERENCES = [
    "The cat sat on the mat.",
    "It costs 1,000.50 euros, she said & left.",
    "Another sentence that shares nothing here",
    "an empty hypothesis",
    "你好，世界！ The end.",
]
SECOND = [
    "A cat was on the mat.",
    "The price is 1,000.50 euros.",
    "A different sentence",
    "nothing was said",
    "Hello, world! The end.",
]
DOCUMENTS = ["news", "talk", "news", "talk", "news"]


def write(path: Path, lines: list[str]) -> Path:
    path.write_bytes("".join(f"{line}\n" for line in lines).encode())
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with hyp.txt, other.txt, ref.txt, ref2.txt and documents.txt."""
    write(tmp_path / "hyp.txt", HYPOTHESES)
    write(tmp_path / "other.txt", OTHER)
    write(tmp_path / "ref.txt", REFERENCES)
    write(tmp_path / "ref2.txt", SECOND)
    write(tmp_path / "documents.txt", DOCUMENTS)
    return tmp_path
