"""The table: on the terminal, as Markdown, as JSON."""

from __future__ import annotations

import datetime as dt
import json
import os
import platform
import statistics
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from itertools import groupby
from pathlib import Path

from rich.console import Console
from rich.table import Table

import cocarde
from benchmarks.data import Data
from benchmarks.runner import Memory, Row

__all__ = ["Circumstances", "print_table", "to_json", "to_markdown"]

COLUMNS = ("work", "cocarde", "peer", "ratio", "of medians", "goal", "peak memory")
ON_TERMINAL = ("work", "cocarde", "peer", "ratio", "goal")


@dataclass(frozen=True)
class Circumstances:
    """Where, when and on what a run was made."""

    date: str
    machine: str
    system: str
    python: str
    versions: dict[str, str]
    texts: list[str]
    repetitions: int
    quick: bool
    load: float

    @property
    def busy(self) -> bool:
        """Whether other programs leave less than one free processor."""
        return self.load > max(0.5, (os.cpu_count() or 1) - 1)

    @staticmethod
    def now(data: Data, repetitions: int, versions: Sequence[str]) -> Circumstances:
        return Circumstances(
            date=dt.datetime.now(dt.timezone.utc).strftime("%Y-%m-%d"),
            machine=_machine(),
            system=platform.system() + " " + platform.release().split("-")[0],
            python=f"{platform.python_implementation()} {platform.python_version()}",
            versions={name: _version(name) for name in versions},
            texts=[data.english.source, data.chinese.source],
            repetitions=repetitions,
            quick=data.quick,
            load=os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0,
        )


def _version(name: str) -> str:
    if name == "cocarde":
        return cocarde.__version__
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def _machine() -> str:
    processor = platform.processor() or platform.machine()
    facts = Path("/proc/cpuinfo")
    if facts.exists():
        models = [x for x in facts.read_text().splitlines() if x.startswith("model name")]
        if models:
            processor = models[0].partition(":")[2].strip()
    return f"{processor}, {os.cpu_count()} processors"


# ---- cells


def duration(seconds: float) -> str:
    """Write a time with three digits.

    Examples
    --------
    >>> duration(0.00512), duration(12.34), duration(2.5e-7)
    ('5.12 ms', '12.3 s', '0.25 µs')
    """
    for size, unit in ((1, "s"), (1e-3, "ms")):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e6:.3g} µs"


def _time(times: list[float], units: float, unit: str) -> str:
    if not times:
        return ""
    best = min(times)
    if unit == "MB":
        return f"{duration(best)} ({units / best:.0f} MB/s)"
    return duration(best) + ("" if units == 1 else f" ({duration(best / units)} a {unit})")


def _ratio(value: float | None) -> str:
    return "" if value is None else f"{value:.3g}×" if value < 100 else f"{value:.0f}×"


def _goal(row: Row) -> str:
    wishes = []
    if row.goal is not None:
        wishes.append(f"≥ {row.goal:g}×")
    if row.limit is not None:
        wishes.append(f"≤ {duration(row.limit)}")
    if row.megabytes is not None:
        wishes.append(f"≤ {row.megabytes:.0f} MB")
    mark = {True: " ✓", False: " ✗", None: ""}[row.met]
    return ", ".join(wishes) + mark if wishes else ""


def _megabytes(memory: Memory | None) -> str:
    if memory is None:
        return ""
    before = f" (of which {memory.before:.0f} before)" if memory.before else ""
    return f"{memory.peak:.0f} MB{before}"


def _memory(row: Row) -> str:
    ours, peer = _megabytes(row.our_memory), _megabytes(row.peer_memory)
    return f"{ours}; peer {peer}" if peer else ours


def _cells(row: Row) -> tuple[str, ...]:
    work = row.work
    if row.skipped:
        return (work, f"not measured: {row.skipped}", "", "", "", "", "")
    peer = f"{row.peer_name}: {_time(row.peer, row.peer_units, row.unit)}" if row.peer_name else ""
    if row.void:
        void = f"VOID: the results differ by {row.difference:.3g}"
        return (work, void, row.peer_name, "", "", _goal(row), _memory(row))
    return (
        work,
        _time(row.ours, row.our_units, row.unit),
        peer,
        _ratio(row.ratio()),
        _ratio(row.ratio(statistics.median)),
        _goal(row),
        _memory(row),
    )


def _groups(rows: Sequence[Row]) -> list[tuple[str, list[Row]]]:
    order = list(dict.fromkeys(row.group for row in rows))
    by_order = sorted(rows, key=lambda row: order.index(row.group))
    return [(name, list(found)) for name, found in groupby(by_order, lambda row: row.group)]


# ---- tables


def print_table(rows: Sequence[Row], console: Console) -> None:
    """Print the table in colours: a goal that is met in green, one that is not in red."""
    table = Table(*ON_TERMINAL, title="cocarde beside its peers", title_justify="left")
    kept = [COLUMNS.index(name) for name in ON_TERMINAL]
    for group, found in _groups(rows):
        table.add_section()
        table.add_row(f"[bold]{group}[/bold]")
        for row in found:
            style = "bold red" if row.void else {True: "green", False: "red", None: ""}[row.met]
            cells = _cells(row)
            table.add_row(*(cells[i] for i in kept), style="dim" if row.skipped else style)
    console.print(table)


def to_json(rows: Sequence[Row], circumstances: Circumstances) -> str:
    """Return the run as JSON: `circumstances`, and `rows` with the seconds of every repetition."""
    run = {"circumstances": asdict(circumstances), "rows": [row.to_dict() for row in rows]}
    return json.dumps(run, indent=2, ensure_ascii=False) + "\n"


_INTRODUCTION = """\
# Benchmarks

`make bench` writes this page; its numbers are those of the one run described here. Both programs
of a line work by turns in that run, after a warm-up: {repetitions} turns each, of at least 0.05 s,
in which short work is done several times, each time on strings made anew.
Times are the shortest; "ratio" is the peer's shortest time over
cocarde's, "of medians" the same of the medians. One thread on both sides unless the line says
otherwise. Each line's results were compared in the same run: if the two sides differ by more than
1e-9 on the scale from 0 to 100, the line is void and says so.

sacreBLEU's tokenizers remember texts they have seen. They are made to forget before each
repetition, since a text is seldom scored twice; lines with "texts known to sacreBLEU" show the
other case. bleuscore is held to one thread by `RAYON_NUM_THREADS=1`. Peaks of memory are those of
a process that does this one thing, texts, interpreter and peer included.

| | |
|---|---|
| date | {date} |
| machine | {machine}; load at the start {load:.1f} |
| system | {system}, {python} |
| versions | {versions} |
| English | {english} |
| Chinese | {chinese} |
"""

_AGAIN = """
## Run it again

```
make bench                                            # everything, then this page
python -m benchmarks --quick                          # a tenth of the text, in a minute, no page
python -m benchmarks --only 'sentence|pairwise'       # lines by a regular expression
python -m benchmarks --repetitions 15 --output my.md  # another page
python -m benchmarks --json run.json                  # every repetition's seconds
```

The English text is looked for in the folder `COCARDE_TEST_DATA`, then in `../shared/data`; without
either, bundled examples or generated text take its place and the table above says so.
"""


def to_markdown(rows: Sequence[Row], circumstances: Circumstances) -> str:
    """Return the page docs/benchmarks.md."""
    named = ", ".join(f"{name} {found}" for name, found in circumstances.versions.items())
    parts = [
        _INTRODUCTION.format(
            repetitions=circumstances.repetitions,
            date=circumstances.date,
            machine=circumstances.machine,
            load=circumstances.load,
            system=circumstances.system,
            python=circumstances.python,
            versions=named,
            english=circumstances.texts[0],
            chinese=circumstances.texts[1],
        )
    ]
    if circumstances.quick:
        parts.append("\nThis was a quick run, on a tenth of the text: good for a look only.\n")
    for group, found in _groups(rows):
        parts.append(f"\n## {group}\n\n" + _markdown_table(COLUMNS, map(_cells, found)))
        parts += [f"\n{row.work}: {row.note}.\n" for row in found if row.note and not row.skipped]
    return "".join([*parts, _AGAIN])


def _markdown_table(head: Sequence[str], body: object) -> str:
    escape: Callable[[str], str] = lambda cell: cell.replace("|", "\\|")  # noqa: E731
    lines = [head, ["---"] * len(head), *body]  # type: ignore[misc]
    return "".join("| " + " | ".join(map(escape, line)) + " |\n" for line in lines)
