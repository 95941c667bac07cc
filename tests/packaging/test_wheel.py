"""The wheel on its own: built from a copy of the sources, installed where the sources are not."""

from __future__ import annotations

import importlib
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
FAST_SETTINGS = ["--config-settings=cmake.define.COCARDE_WARNINGS_AS_ERRORS=ON"]

# One worker runs them all, so that the wheel is built once.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(900), pytest.mark.xdist_group("wheel")]


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


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a wheel as `pip install .` would, in an environment of its own."""
    sources = tmp_path_factory.mktemp("sources")
    ignored = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, sources / name, ignore=ignored)
        else:
            shutil.copy2(ROOT / name, sources / name)
    built = tmp_path_factory.mktemp("built")
    pip = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", *FAST_SETTINGS]
    run(*pip, "-w", built, sources, cwd=built)
    (path,) = built.glob("cocarde-*.whl")
    return path


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel with its dependencies into a new environment and give its interpreter."""
    folder = tmp_path_factory.mktemp("environment")
    # --without-pip works where ensurepip is missing; the pip at hand fills the environment.
    run(sys.executable, "-m", "venv", "--without-pip", folder / "venv", cwd=folder)
    scripts = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
    interpreter = scripts / ("python.exe" if os.name == "nt" else "python")
    pip = [sys.executable, "-m", "pip", "--python", str(interpreter), "install", "-q"]
    run(*pip, wheel, cwd=folder)
    return interpreter


def test_what_the_wheel_holds(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert "cocarde/py.typed" in names
    assert "cocarde/_native.pyi" in names
    assert sum(name.startswith("cocarde/_native.") and "py" not in name[-3:] for name in names) == 1
    assert any(name.endswith("/licenses/LICENSE") for name in names)
    strays = [name for name in names if not name.startswith(("cocarde/", "cocarde-"))]
    assert not strays
    # The stable ABI: one wheel for Python 3.12 and every later one.
    if sys.version_info >= (3, 12):
        assert "-cp312-abi3-" in wheel.name


def test_import_and_score(python: Path) -> None:
    where = run(python, "-c", "import cocarde; print(cocarde.__file__)", cwd=python.parent)
    assert Path(where.strip()).is_relative_to(python.parent.parent)
    if not hasattr(cocarde, "BLEU"):
        pytest.skip("platform: no metric is merged yet")
    run(python, ROOT / "tests" / "packaging" / "smoke.py", cwd=python.parent)


def test_command_line(python: Path) -> None:
    if not hasattr(importlib.import_module("cocarde.cli"), "main"):
        pytest.skip("platform: the command line is not merged yet")
    output = run(python.parent / "cocarde", "--version", cwd=python.parent)
    assert cocarde.__version__ in output
