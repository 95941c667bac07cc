"""Write src/cocarde/resources/SHA256SUMS: the checksums of the data files of the package.

The other makers of resources run it; ``sha256sum -c SHA256SUMS`` reads it too.

Usage: python tools/make_resource_checksums.py [--check]
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "src" / "cocarde" / "resources"
TARGET = FOLDER / "SHA256SUMS"
PATTERNS = ("*.bin", "function_words/*.txt", "prefixes/*.txt")


def main() -> int:
    """Write the checksums, or with --check say whether they are up to date."""
    assert __doc__ is not None
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if it differs")
    arguments = parser.parse_args()
    paths = sorted(path for pattern in PATTERNS for path in FOLDER.glob(pattern))
    text = "".join(
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(FOLDER).as_posix()}\n"
        for path in paths
    )
    if arguments.check:
        return 0 if TARGET.is_file() and TARGET.read_text(encoding="utf-8") == text else 1
    TARGET.write_text(text, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
