"""Check that each generated header is what its generator writes.

A generator whose inputs are not there, or are of another release than the header's, says so and is
skipped: which packages a machine can have differs, and a header is no worse for that.

Usage: python tools/check_tables.py
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

TOOLS = Path(__file__).resolve().parent
GENERATORS = (
    "make_unicode_tables.py",
    "make_word_tables.py",
    "make_wordnet_exceptions.py",
    "make_meteor_prefixes.py",
    "make_resource_checksums.py",
)
SKIPPED = 77  # as the test drivers of automake and CTest have it


def main() -> int:
    """Run every generator with --check; return 1 if a header is not up to date."""
    failed = False
    for name in GENERATORS:
        done = subprocess.run(
            [sys.executable, TOOLS / name, "--check"], capture_output=True, text=True, check=False
        )
        if done.returncode == 0:
            print(f"{name}: up to date")
        elif done.returncode == SKIPPED:
            print(f"{name}: skipped: {done.stderr.strip()}")
        elif done.returncode == 1 and not done.stderr:
            print(f"{name}: what it writes differs; run python tools/{name}")
            failed = True
        else:
            print(f"{name}: {done.stderr.strip()}")
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
