"""Inputs that were found once, and a few new ones, for every native entry point and every reader."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.fuzz import run
from tests.fuzz.targets import TARGETS


@pytest.mark.parametrize("name", TARGETS)
def test_what_was_found_stays_mended(name: str) -> None:
    for data in run.inputs_of(name):
        run.try_target(name, data)


@pytest.mark.parametrize("name", TARGETS)
def test_a_few_new_inputs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "CURRENT", tmp_path / "input")
    assert run.fuzz(name, random.Random(1), seconds=10, count=60) > 0


def test_every_found_input_has_its_target() -> None:
    folders = {path.name for path in run.CORPUS.iterdir() if path.is_dir()}
    assert folders <= TARGETS.keys()
