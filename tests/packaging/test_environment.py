"""What the tests have round them: the cocarde under test, and no folder of the user's."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import cocarde
from cocarde._util.cache import cache_folder
from tests.cli import runner


@pytest.mark.parametrize("environment", [None, runner.environment()], ids=["inherited", "cli"])
def test_children_have_the_same_cocarde_and_cache(
    tmp_path: Path, environment: dict[str, str] | None
) -> None:
    code = "import cocarde, cocarde._util.cache as c; print(cocarde.__file__, c.cache_folder(), sep=chr(10))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout.splitlines() == [cocarde.__file__, str(cache_folder())], done.stderr


def test_nothing_is_kept_among_the_user_s_files() -> None:
    assert cache_folder().is_relative_to(tempfile.gettempdir())
    assert not cache_folder().is_relative_to(Path.home() / ".cache")
    assert "COCARDE_CACHE" not in os.environ
