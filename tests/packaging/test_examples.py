"""The bundled texts: parallel, plain UTF-8, and ordered as examples/README.md says."""

from __future__ import annotations

from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
FILES = sorted(path.relative_to(EXAMPLES).as_posix() for path in EXAMPLES.rglob("*.txt"))


@pytest.mark.parametrize("name", FILES)
def test_one_segment_a_line(name: str) -> None:
    text = (EXAMPLES / name).read_bytes().decode("utf-8")
    assert text.endswith("\n")
    assert not {"\r", "\ufeff", "\ufffd", "\t"} & set(text)
    segments = text.split("\n")[:-1]
    assert len(segments) == 24
    assert all(segment and segment == segment.strip() for segment in segments)


def test_every_language_has_its_files() -> None:
    folders = {name.partition("/")[0] for name in FILES if "/" in name}
    assert folders == {"de", "en", "ja", "zh"}
    for folder in folders:
        assert {f"{folder}/reference.txt", f"{folder}/system1.txt", f"{folder}/system2.txt"} <= set(
            FILES
        )
