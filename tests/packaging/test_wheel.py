"""The wheel on its own: built from a copy of the sources, installed where the sources are not."""

from __future__ import annotations

import importlib
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import cocarde

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ["pyproject.toml", "CMakeLists.txt", "README.md", "LICENSE", "src"]
LICENCES = ["WORDNET-LICENSE.txt", "METEOR-LISTS-LICENSE.txt", "LGPL-2.1.txt"]
STRICT = ["--config-settings=cmake.define.COCARDE_WARNINGS_AS_ERRORS=ON"]

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


def run(*command: str | Path, cwd: Path) -> str:
    """Run a program away from the sources and give its output; its errors where it fails."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    result = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert result.returncode == 0, f"{command}: {result.stdout}{result.stderr}"
    return result.stdout


def build(folder: Path) -> Path:
    """Build a wheel as `pip install .` would, in an environment of its own."""
    sources = folder / "sources"
    ignored = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, sources / name, ignore=ignored)
        else:
            sources.mkdir(exist_ok=True)
            shutil.copy2(ROOT / name, sources / name)
    built = folder / "built"
    pip = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", *STRICT]
    run(*pip, "-w", built, sources, cwd=folder)
    (path,) = built.glob("cocarde-*.whl")
    return path


def install(wheel: Path, folder: Path) -> Path:
    """Install the wheel with its dependencies into a new environment and give its interpreter."""
    # --without-pip works where ensurepip is missing; the pip at hand fills the environment.
    run(sys.executable, "-m", "venv", "--without-pip", folder / "venv", cwd=folder)
    scripts = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
    python = scripts / ("python.exe" if os.name == "nt" else "python")
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "-q"]
    run(*pip, wheel, cwd=folder)
    return python


def check_contents(wheel: Path) -> None:
    """Look for what must be in the wheel, and for what must not."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert {"cocarde/py.typed", "cocarde/_native.pyi"} <= set(names)
    data = {"wordnet.bin", "SHA256SUMS", "function_words/english.txt", "prefixes/czech.txt"}
    assert {f"cocarde/resources/{name}" for name in data} <= set(names)
    licences = {name.partition("/licenses/")[2] for name in names}
    assert {f"src/cocarde/resources/{name}" for name in LICENCES} <= licences
    modules = [name for name in names if name.endswith((".so", ".pyd"))]
    assert len(modules) == 1
    assert modules[0].startswith("cocarde/_native.")
    assert any(name.endswith("/licenses/LICENSE") for name in names)
    assert not [name for name in names if not name.startswith(("cocarde/", "cocarde-"))]
    # The stable ABI: one wheel for Python 3.12 and every later one.
    if sys.version_info >= (3, 12):
        assert "-cp312-abi3-" in wheel.name


CHECKS = """
import cocarde
from cocarde.testing import check_metric

for text in ("word-f1", "word-f1,lowercase=true"):
    metric = cocarde.metric(text)
    assert str(metric) == text
    check_metric(metric)
found = cocarde.evaluate(["The cat sat"], ["the cat ran"], ["bleu", "word-f1,lowercase=true"])
print(found["word-f1,lowercase=true"].score)
"""


def check_plugin(python: Path, folder: Path) -> None:
    """Install the example of a metric of one's own beside the wheel, and use it everywhere."""
    sources = folder / "plugin"
    shutil.copytree(ROOT / "examples" / "plugin", sources)
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "-q", "--no-deps"]
    run(*pip, sources, cwd=folder)
    assert float(run(python, "-c", CHECKS, cwd=folder)) == pytest.approx(200 * 2 / 6)
    program = python.parent / "cocarde"
    for name, text in (
        ("one", "The cat sat\n"),
        ("two", "the cat ran\n"),
        ("ref", "the cat ran\n"),
    ):
        (folder / name).write_text(text)
    for named, score in (("word-f1", 100 / 3), ("word-f1,lowercase=true", 200 / 3)):
        files = ["one", "-r", "ref", "-m", named, "-f", "json"]
        (record,) = json.loads(run(program, "score", *files, cwd=folder))
        assert record["score"] == pytest.approx(score)
        table = json.loads(run(program, "compare", "two", *files, cwd=folder))
        assert [one["score"] for one in table] == pytest.approx([100, score])
    lines = run(
        program, "score", "one", "-r", "ref", "-m", "word-f1", "--lowercase", "-b", cwd=folder
    )
    assert lines == "66.67\n"
    listed = {
        one["metric"]: one for one in json.loads(run(program, "metrics", "-f", "json", cwd=folder))
    }
    assert [one["flag"] for one in listed["word-f1"]["options"]] == ["--lowercase"]


# One test, since building and installing take far longer than all that is looked at.
def test_wheel(tmp_path: Path) -> None:
    wheel = build(tmp_path)
    check_contents(wheel)
    python = install(wheel, tmp_path)
    where = run(python, "-c", "import cocarde; print(cocarde.__file__)", cwd=tmp_path)
    assert Path(where.strip()).is_relative_to(tmp_path / "venv")
    if hasattr(cocarde, "BLEU"):
        run(python, ROOT / "tests" / "packaging" / "smoke.py", cwd=tmp_path)
    if hasattr(importlib.import_module("cocarde.cli"), "main"):
        version = run(python.parent / "cocarde", "--version", cwd=tmp_path)
        assert cocarde.__version__ in version
    check_plugin(python, tmp_path)
