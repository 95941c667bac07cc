"""Whole processes: the command line beside sacreBLEU's, and big files beside `wc -w`."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import version
from itertools import product
from pathlib import Path
from typing import Any

import cocarde
import cocarde.cli
from benchmarks.case import Case, Command, Side, Skipped, Work
from benchmarks.data import Data, Parallel
from cocarde.engines.streaming import accumulate_files

__all__ = ["NO_COMMAND", "Files", "cases", "json_score", "our_command", "process"]

NO_COMMAND = "this version has no command line"


def cases(data: Data) -> Iterator[Work]:
    yield from _command_line(data)
    yield from _files(data)


# ---- programs


def _script(name: str) -> str | None:
    beside = Path(sys.executable).with_name(name)
    return str(beside) if beside.is_file() else shutil.which(name)


def our_command() -> tuple[str, ...] | None:
    """Return how to start cocarde: its script, or its module where it is not installed."""
    if not hasattr(cocarde.cli, "main"):
        return None
    script = _script("cocarde")
    if script is not None:
        return (script,)
    return sys.executable, "-c", "import sys; from cocarde.cli import main; sys.exit(main())"


def process(
    name: str,
    command: Command,
    read: Callable[[str], Any],
    units: float,
    prepare: Callable[[], Any] = lambda: None,
) -> Side:
    return Side(name, lambda _: read(command.run()), prepare, units, command)


def json_score(printed: str) -> float:
    read = json.loads(printed)
    return float((read[0] if isinstance(read, list) else read)["score"])


# ---- files


class Files:
    """Two files of a text, written when they are first needed."""

    def __init__(self, folder: Path, name: str, texts: Parallel, copies: int) -> None:
        self.hypotheses = folder / f"{name}.hypotheses.txt"
        self.references = folder / f"{name}.references.txt"
        self.megabytes = texts.megabytes() * copies
        self._texts = texts
        self._copies = copies

    @property
    def paths(self) -> tuple[Path, Path]:
        return self.hypotheses, self.references

    def write(self) -> None:
        for path, texts in zip(self.paths, self._texts.pair, strict=True):
            if path.exists():
                continue
            block = "".join(f"{text}\n" for text in texts).encode()
            with path.open("wb") as file:
                file.writelines(block for _ in range(self._copies))


def _scoring(ours: tuple[str, ...], files: Files, threads: int) -> Command:
    return Command(
        (*ours, "score", str(files.hypotheses), "-r", str(files.references), "--format", "json"),
        (("COCARDE_NUM_THREADS", str(threads)),),
    )


# ---- cases


def _command_line(data: Data) -> Iterator[Work]:
    group = "Command line, whole process"
    ours = our_command()
    if ours is None:
        yield Skipped(group, "score and --version", NO_COMMAND)
        return
    texts = data.english
    files = Files(data.folder, "once", texts, 1)
    paths = str(files.references), "-i", str(files.hypotheses)
    yield Case(
        group,
        f"score {len(texts):,} segments",
        "process",
        process("cocarde score", _scoring(ours, files, 1), json_score, 1, files.write),
        process(
            f"sacrebleu {version('sacrebleu')}",
            Command((_script("sacrebleu") or "sacrebleu", *paths, "--format", "json", "-w", "12")),
            json_score,
            1,
            files.write,
        ),
        lambda x, y: abs(x - y),
        goal=2.5,
        memory=True,
    )
    yield Case(
        group,
        "--version",
        "process",
        process("cocarde --version", Command((*ours, "--version")), str.strip, 1),
        process("python -c pass", Command((sys.executable, "-c", "pass")), str.strip, 1),
        lambda x, _: 0.0 if cocarde.__version__ in x else 1.0,
        limit=0.1,
        note="beside an interpreter that does nothing",
    )


def _files(data: Data) -> Iterator[Work]:
    group = "Files beside wc -w"
    counter = shutil.which("wc")
    if counter is None:
        yield Skipped(group, "corpus BLEU", "there is no wc here")
        return
    metric = cocarde.BLEU(force=True)
    # Large enough that a process is measured by what it reads, not by how it starts.
    files = Files(data.folder, "many", data.english, 3 * data.copies)
    size = files.megabytes
    # Repeating a text keeps its score.
    expected = metric.corpus_score(*data.english.pair).score
    counting = process(
        "wc -w, UTF-8",
        Command((counter, "-w", *map(str, files.paths)), (("LC_ALL", "C.UTF-8"),)),
        str.split,
        size,
        files.write,
    )

    def from_python(threads: int) -> Side:
        def prepare() -> None:
            files.write()
            cocarde.set_num_threads(threads)

        def run(_: Any) -> float:
            added = accumulate_files({"bleu": metric}, files.hypotheses, [files.references])
            return float(added["bleu"].compute().score)

        return Side("cocarde", run, prepare, size)

    def from_command_line(threads: int) -> Side | None:
        ours = our_command()
        if ours is None:
            return None
        command = _scoring(ours, files, threads)
        return process("cocarde score", command, json_score, size, files.write)

    ways = {"from Python": from_python, "whole process": from_command_line}
    for (way, make), (threads, goal) in product(ways.items(), ((1, 0.5), (2, 1.0))):
        work = f"{size:.0f} MB, {way}, {threads} thread{'s' * (threads > 1)}"
        side = make(threads)
        if side is None:
            yield Skipped(group, work, NO_COMMAND)
        elif (os.cpu_count() or 1) < threads:
            yield Skipped(group, work, "this machine has one processor")
        else:
            yield Case(
                group,
                work,
                "MB",
                side,
                counting,
                lambda x, _: abs(x - expected),
                goal=goal,
                megabytes=500,
                memory=True,
            )
