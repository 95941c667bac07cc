"""Every example with a prompt (>>>) runs: those in docstrings and those in the guides."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import cocarde

DOCS = Path(__file__).resolve().parents[2] / "docs"
OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
FENCE = re.compile(r"^```(?:python|pycon)\n(.*?)^```", re.MULTILINE | re.DOTALL)

WITHOUT_EXAMPLES = {"__main__", "_native"}
SUBMODULES = [module.name for module in pkgutil.walk_packages(cocarde.__path__, "cocarde.")]
MODULES = [
    "cocarde",
    *sorted(name for name in SUBMODULES if name.rpartition(".")[2] not in WITHOUT_EXAMPLES),
]
GUIDES = sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))


def failures(tests: list[doctest.DocTest]) -> str:
    """Run doctests and give their report, empty where all is well."""
    report: list[str] = []
    for test in tests:
        doctest.DocTestRunner(optionflags=OPTIONS).run(test, out=report.append, clear_globs=False)
    return "".join(report)


def guide_examples(path: Path) -> list[doctest.DocTest]:
    """Give the fenced blocks with prompts, in order; they share their names, as a reader would."""
    text = path.read_text(encoding="utf-8")
    parser = doctest.DocTestParser()
    names: dict[str, object] = {}
    tests = []
    for block in FENCE.finditer(text):
        if ">>>" in block[1]:
            line = text.count("\n", 0, block.start(1))
            test = parser.get_doctest(block[1], names, path.name, str(path), line)
            test.globs = names  # get_doctest copies them
            tests.append(test)
    return tests


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # an example may write a file
    module = importlib.import_module(name)
    assert not failures(doctest.DocTestFinder(exclude_empty=True).find(module))


@pytest.mark.parametrize("name", GUIDES)
def test_guides(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(
        DOCS.parent / "examples"
    )  # as a reader in the repository has it
    assert not failures(guide_examples(DOCS / name))


def test_a_wrong_example_is_found(tmp_path: Path) -> None:
    guide = tmp_path / "guide.md"
    guide.write_text("```python\n>>> a = 1\n```\n\n```pycon\n>>> a\n2\n```\n", encoding="utf-8")
    report = failures(guide_examples(guide))
    assert "Expected:\n    2\nGot:\n    1" in report
    assert "line 6" in report
