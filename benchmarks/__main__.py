"""Run the benchmarks: `python -m benchmarks --help`."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

from rich.console import Console

import benchmarks
import cocarde
from benchmarks import bleu, chrf, gleu, meteor, processes, rouge, significance, ter
from benchmarks.case import Case, Work
from benchmarks.data import ROOT, Data
from benchmarks.report import Circumstances, print_table, to_json, to_markdown
from benchmarks.runner import Row, measure, measure_memory, peak_of_run, select
from cocarde.corpus.writers import atomic_write

PAGE = ROOT / "docs" / "benchmarks.md"
VERSIONS = (
    "cocarde",
    "sacrebleu",
    "bleuscore",
    "nltk",
    "rouge-score",
    "rouge-score-rs",
    "rouge-rust",
    "rouge",
    "pycocoevalcap",
    "fastchrf",
    "numpy",
)


def works(data: Data) -> Iterator[Work]:
    """Yield everything there is to measure, in the order of the table."""
    yield from bleu.cases(data)
    yield from rouge.cases(data)
    yield from meteor.cases(data)
    yield from chrf.cases(data)
    yield from ter.cases(data)
    yield from gleu.cases(data)
    yield from significance.cases(data)
    yield from processes.cases(data)


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"needs a whole number of at least 1, found {text!r}")
    return int(text)


def parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m benchmarks", description=benchmarks.__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the text, 3 repetitions")
    parser.add_argument("--only", metavar="PATTERN", help="lines whose name matches, any case")
    parser.add_argument("--repetitions", metavar="N", type=_positive, help="7; with --quick 3")
    parser.add_argument(
        "--output",
        metavar="FILE",
        type=Path,
        help="where the page goes; docs/benchmarks.md for a full run, nowhere for a part of one",
    )
    parser.add_argument("--json", metavar="FILE", type=Path, help="every repetition's seconds")
    parser.add_argument("--generated", action="store_true", help="generated text, no files")
    parser.add_argument("--list", action="store_true", help="name the lines and measure nothing")
    # Inside: one side of one line in a process of its own, for its memory.
    parser.add_argument("--peak", nargs=2, metavar=("SIDE", "NAME"), help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


def run(options: argparse.Namespace, data: Data, console: Console) -> list[Row]:
    repetitions = options.repetitions
    same_data = [f"--{name}" for name in ("quick", "generated") if getattr(options, name)]
    rows = []
    for work in select(works(data), options.only):
        with console.status(work.name):
            row = measure(work, repetitions)
            if isinstance(work, Case) and work.memory and not row.void:
                ours, peer = measure_memory(work, same_data)
                row = replace(row, our_memory=ours, peer_memory=peer)
        rows.append(row)
    return rows


def main(arguments: list[str] | None = None) -> int:
    options = parse(arguments)
    # Rust's thread pool reads it once, when bleuscore is first used.
    os.environ.setdefault("RAYON_NUM_THREADS", "1")
    if options.repetitions is None:
        options.repetitions = 3 if options.quick else 7
    whole = not (options.quick or options.only or options.generated)
    output = options.output or (PAGE if whole else None)
    data = Data(quick=options.quick, generated=options.generated)
    try:
        if options.peak:
            side, name = options.peak
            case = next(work for work in works(data) if work.name == name)
            assert isinstance(case, Case)
            chosen = case.ours if side == "ours" else case.peer
            assert chosen is not None
            print(json.dumps(asdict(peak_of_run(chosen))))
            return 0
        if options.list:
            print("\n".join(work.name for work in select(works(data), options.only)))
            return 0
        circumstances = Circumstances.now(data, options.repetitions, VERSIONS)
        if circumstances.busy:
            print(
                f"the load of this machine is {circumstances.load:.1f}: other programs share its "
                f"processors, and times will be rough",
                file=sys.stderr,
            )
        rows = run(options, data, Console(stderr=True))
    finally:
        data.close()
        cocarde.set_num_threads(None)
    if not rows:
        print(f"no line matches {options.only!r}; --list names them", file=sys.stderr)
        return 2
    print_table(rows, Console())
    if output is not None:
        with atomic_write(output) as file:
            file.write(to_markdown(rows, circumstances))
    if options.json is not None:
        with atomic_write(options.json) as file:
            file.write(to_json(rows, circumstances))
    # A void line is a wrong score, which no time makes up for.
    return 1 if any(row.void for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
