"""Every example in a docstring runs; those of the guides are run by tests/test_documentation.py."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import cocarde

OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS

WITHOUT_EXAMPLES = {"__main__", "_native"}
SUBMODULES = [module.name for module in pkgutil.walk_packages(cocarde.__path__, "cocarde.")]
MODULES = [
    "cocarde",
    *sorted(name for name in SUBMODULES if name.rpartition(".")[2] not in WITHOUT_EXAMPLES),
]


def failures(tests: list[doctest.DocTest]) -> str:
    """Run doctests and give their report, empty where all is well."""
    report: list[str] = []
    for test in tests:
        doctest.DocTestRunner(optionflags=OPTIONS).run(test, out=report.append, clear_globs=False)
    return "".join(report)


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # an example may write a file
    module = importlib.import_module(name)
    assert not failures(doctest.DocTestFinder(exclude_empty=True).find(module))
