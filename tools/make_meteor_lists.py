"""Write METEOR's word lists into src/cocarde/resources: function_words/ and prefixes/.

They are read from METEOR's jar, in the installed ``pycocoevalcap``, as METEOR reads them: every line is
a function word; of a line with a prefix the first word counts, and whether ``#NUMERIC_ONLY#`` follows.
Comments and empty lines are left out, the order stays. A language whose list is empty gets no file of
function words. The Spanish prefixes hold words that were encoded twice ("nÃºm"); they stay, for they
are what METEOR looks up.

Usage: python tools/make_meteor_lists.py [--check] [--jar FILE]
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path

TOOLS = Path(__file__).resolve().parent
FOLDER = TOOLS.parent / "src" / "cocarde" / "resources"
NUMERIC_ONLY = "#NUMERIC_ONLY#"


def default_jar() -> Path:
    """Return METEOR's jar in the installed ``pycocoevalcap``."""
    spec = find_spec("pycocoevalcap")
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit("pycocoevalcap, which brings METEOR's jar, is not installed; or use --jar")
    return Path(spec.submodule_search_locations[0], "meteor", "meteor-1.5.jar")


def lines_of(text: str) -> list[str]:
    """Return the lines as Java's BufferedReader does."""
    lines = re.split(r"\r\n|\r|\n", text)
    return lines if lines[-1] else lines[:-1]


def prefixes_of(text: str) -> list[str]:
    """Return the prefixes, each with its mark where it has one."""
    kept = []
    for line in lines_of(text):
        # What Java's StringTokenizer cuts at.
        words = re.findall(r"[^ \t\n\r\f]+", line)
        if words and not words[0].startswith("#"):
            kept.append(" ".join([words[0], *(w for w in words[1:2] if w == NUMERIC_ONLY)]))
    return kept


def read_lists(jar: Path) -> dict[Path, bytes]:
    """Return the content of each file."""
    found: dict[Path, bytes] = {}
    with zipfile.ZipFile(jar) as archive:
        for name in sorted(archive.namelist()):
            folder, _, file = name.partition("/")
            language = file.partition(".")[0]
            if folder == "function" and language:
                lines = lines_of(archive.read(name).decode("utf-8"))
                if not lines:
                    continue
                target = FOLDER / "function_words" / f"{language}.txt"
            elif folder == "nonbreaking" and language:
                lines = prefixes_of(archive.read(name).decode("utf-8"))
                target = FOLDER / "prefixes" / f"{language}.txt"
            else:
                continue
            found[target] = "".join(f"{line}\n" for line in lines).encode()
    return found


def main() -> int:
    """Write the lists, or with --check say whether they are up to date."""
    assert __doc__ is not None
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if one differs")
    parser.add_argument("--jar", type=Path, metavar="FILE")
    arguments = parser.parse_args()
    lists = read_lists(arguments.jar or default_jar())
    present = {
        path for name in ("function_words", "prefixes") for path in FOLDER.glob(f"{name}/*.txt")
    }
    if arguments.check:
        same = present == set(lists) and all(
            path.read_bytes() == content for path, content in lists.items()
        )
        return 0 if same else 1
    for path in present - set(lists):
        path.unlink()
    for path, content in lists.items():
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
    return subprocess.run(
        [sys.executable, TOOLS / "make_resource_checksums.py"], check=False
    ).returncode


if __name__ == "__main__":
    sys.exit(main())
