"""A pytest plugin that refuses to run unless the module under test is the sanitized one.

tools/sanitize.sh loads it with `-p tests.sanitized_plugin`: without it, a path that is wrong would
make a run that cannot fail.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def pytest_configure() -> None:
    """Stop the run where `cocarde._native` is another build."""
    import cocarde._native

    package = Path(os.environ["COCARDE_SANITIZED"])
    module = Path(cocarde._native.__file__)
    if package not in module.parents:
        pytest.exit(f"the sanitized module is under {package}, but {module} was imported", 3)
    maps = Path("/proc/self/maps")
    if maps.exists() and "libasan" not in maps.read_text(encoding="utf-8"):
        pytest.exit("libasan is not loaded into this process", 3)
