"""Print what has to be installed before `pip wheel --no-build-isolation`.

Without an option: the requirements of [build-system] in pyproject.toml. With --hook: what the build
backend asks for besides, such as CMake where the machine has none.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any


def _read_toml(path: Path) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        from pip._vendor import tomli as tomllib
    return tomllib.loads(path.read_text(encoding="utf-8"))


def main() -> None:
    """Print one requirement a line."""
    if sys.argv[1:] == ["--hook"]:
        from scikit_build_core.build import get_requires_for_build_wheel

        requirements = get_requires_for_build_wheel()
    else:
        project = Path(__file__).resolve().parent.parent / "pyproject.toml"
        requirements = _read_toml(project)["build-system"]["requires"]
    for requirement in requirements:
        print(requirement.replace(" ", ""))


if __name__ == "__main__":
    main()
