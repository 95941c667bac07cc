"""Makes input and hands it to the targets: ``python -m tests.fuzz.run [--seconds N] [target …]``.

What is tried is written to a file first: where the process dies, that file is the input that killed it.
Keep such an input as tests/fuzz/corpus/TARGET/NAME and mend the fault: every run of the tests tries it.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import sys
import time
import traceback
import warnings
from pathlib import Path

from tests.fuzz.targets import SEEDS, TARGETS

CORPUS = Path(__file__).with_name("corpus")
SLOW = 20.0
"""Seconds that no input of these sizes takes, not even under sanitizers."""

_LONGEST = 4000
_PIECES = [
    b"\0", b"\n", b"\r\n", b"\t", b" ", b"\xff", b"\xc3\xa9", b"\xe4\xbd\xa0", b"\xf0\xa0\x80\x80",
    b"\xed\xa0\x80", b"\xf4\x8f\xbf\xbf", b"\xc2\xa0", b"\xe2\x80\xa8", b"\xcc\x81", b"&amp;", b"&#x41;",
    b"<", b">", b"</seg>", b"<seg id=\"1\">", b"\"", b"'", b"-", b".", b",", b"1", b"{", b"}", b"[", b"\\u",
    b"]]>", b"<![CDATA[", b"<!--", b"\xef\xbb\xbf", b"\xfe\xff",
]  # fmt: skip


def mutated(seed: bytes, others: list[bytes], source: random.Random) -> bytes:
    """Change some bytes, or pieces, of an input."""
    data = bytearray(seed)
    for _ in range(source.choice((1, 1, 2, 4, 8, 30))):
        at = source.randrange(len(data) + 1)
        end = min(len(data), at + source.choice((1, 1, 2, 5, 20, 200)))
        way = source.randrange(7)
        if way == 0:
            data[at:end] = b""
        elif way == 1:
            data[at:at] = data[at:end] * source.choice((1, 2, 10, 60))
        elif way == 2:
            data[at:at] = source.choice(_PIECES)
        elif way == 3:
            data[at:end] = source.randbytes(end - at)
        elif way == 4:
            data[at:at] = source.choice(others)
        elif way == 5:
            data[at : at + 1] = bytes(
                [source.choice((0, 1, 0x7F, 0x80, 0xFF, source.randrange(256)))]
            )
        else:
            del data[at:]
    return bytes(data[:_LONGEST])


def inputs_of(name: str) -> list[bytes]:
    """What a target is always tried with: its seeds, and what was found."""
    found = sorted((CORPUS / name).glob("*")) if (CORPUS / name).is_dir() else []
    return [*SEEDS[name], *(path.read_bytes() for path in found)]


def try_target(name: str, data: bytes) -> None:
    """Hand an input to a target.

    Raises
    ------
    AssertionError
        If it takes far too long; whatever the target lets through.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        start = time.process_time()
        TARGETS[name](data)
        assert time.process_time() - start < SLOW, "the input takes far too long"


def fuzz(name: str, source: random.Random, *, seconds: float, count: int = sys.maxsize) -> int:
    """Try one target for some time, or some inputs; return how many there were."""
    seeds = inputs_of(name)
    end = time.monotonic() + seconds
    tried = 0
    while tried < count and time.monotonic() < end:
        data = mutated(source.choice(seeds), seeds, source)
        CURRENT.write_bytes(data)
        try_target(name, data)
        tried += 1
    return tried


CURRENT = Path("build/fuzz/current-input")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("targets", nargs="*", metavar="target", help=f"of {', '.join(TARGETS)}")
    parser.add_argument("--seconds", type=float, default=10, help="for each target")
    parser.add_argument("--seed", type=int, default=None)
    arguments = parser.parse_args()
    CURRENT.parent.mkdir(parents=True, exist_ok=True)
    seed = time.time_ns() % 2**32 if arguments.seed is None else arguments.seed
    failures = 0
    for name in arguments.targets or TARGETS:
        print(f"{name} (--seed {seed}): ", end="", flush=True)
        try:
            tried = fuzz(name, random.Random(seed), seconds=arguments.seconds)
        except Exception:
            failures += 1
            data = CURRENT.read_bytes()
            kept = CURRENT.with_name(f"{name}-{hashlib.sha256(data).hexdigest()[:12]}")
            CURRENT.replace(kept)
            print(f"FAILED on {kept}")
            traceback.print_exc()
        else:
            print(f"{tried} inputs")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
