"""METEOR against its jar, as a process and kept running, and against NLTK."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import cocarde
from benchmarks.case import Case, Command, Side, Skipped, Work
from benchmarks.data import Data, Parallel
from benchmarks.processes import NO_COMMAND, Files, json_score, our_command, process
from cocarde.resources.jar import meteor_folder

__all__ = ["cases"]

GROUP = "METEOR"
EMBEDDED = ("exact", "stem", "synonym")
OFFICIAL = (*EMBEDDED, "paraphrase")


def cases(data: Data) -> Iterator[Work]:
    jar = _jar()
    if isinstance(jar, str):
        yield Skipped(GROUP, "against the jar", jar)
    else:
        yield from _whole_process(data, jar)
        yield from _running(data, jar)
    yield from _nltk(data)
    yield from _growth(data)
    yield from _repetition(data)


def _jar() -> Path | str:
    """Return the path of the jar, or why there is none."""
    folder = meteor_folder()
    if folder is None:
        return "pycocoevalcap, which brings METEOR's jar, is not installed"
    return folder / "meteor-1.5.jar" if shutil.which("java") else "there is no Java"


def _metric(stages: Sequence[str]) -> cocarde.METEOR:
    return cocarde.METEOR(stages=stages)


# ---- whole processes


def _whole_process(data: Data, jar: Path) -> Iterator[Work]:
    ours = our_command()
    if ours is None:
        yield Skipped(GROUP, "whole process", NO_COMMAND)
        return
    files = Files(data.folder, "meteor", data.english, 1)

    def prepare() -> None:
        files.write()

    for stages, goal in ((OFFICIAL, 20.0), (EMBEDDED, None)):
        names = " ".join(stages)
        java = ("java", "-Xmx2G", "-jar", str(jar))
        yield Case(
            GROUP,
            f"whole process, {len(stages)} stages",
            "process",
            process(
                "cocarde score",
                Command(
                    (
                        *(*ours, "score", str(files.hypotheses), "-r", str(files.references)),
                        *("-m", "meteor", "--stages", ",".join(stages), "--format", "json"),
                    ),
                    (("COCARDE_NUM_THREADS", "1"),),
                ),
                json_score,
                1,
                prepare,
            ),
            process(
                "METEOR 1.5 (jar)",
                Command((*java, *map(str, files.paths), "-l", "en", "-m", names, "-q")),
                lambda printed: 100 * float(printed),
                1,
                prepare,
            ),
            lambda x, y: abs(x - y),
            goal=goal,
            memory=True,
            note="the compiled paraphrase table is in the cache" if len(stages) == 4 else "",
        )


# ---- the jar kept running


class _Running:
    """The jar in its interactive mode: what is timed is a line each way for each segment."""

    def __init__(self, jar: Path, stages: Sequence[str]) -> None:
        self._command = ["java", "-Xmx2G", "-jar", str(jar), "-", "-", "-stdio", "-l", "en"]
        self._command += ["-m", " ".join(stages)]
        self._process: subprocess.Popen[str] | None = None

    def score(self, texts: Parallel) -> Any:
        if self._process is None:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
        asked, answers = self._process.stdin, self._process.stdout
        assert asked is not None
        assert answers is not None
        rows = []
        for hypothesis, reference in zip(*texts.pair, strict=True):
            asked.write(f"SCORE ||| {reference} ||| {hypothesis}\n")
            asked.flush()
            rows.append(answers.readline())
        return rows


def _statistics_apart(stages: int) -> Any:
    def difference(ours: Any, peer: Any) -> float:
        theirs = np.array([list(map(float, line.split())) for line in peer])
        same = np.r_[: 4 + 4 * stages, 20:23]
        values = np.delete(ours.values, -3, axis=1)  # whole segments, which the jar does not print
        return float(np.max(np.abs(values - theirs[:, same])))

    return difference


def _running(data: Data, jar: Path) -> Iterator[Work]:
    for stages in (OFFICIAL, EMBEDDED, ("exact",)):
        peer = _Running(jar, stages)
        for threads in (1, 2) if stages == OFFICIAL else (1,):
            yield Case(
                GROUP,
                f"segments, {len(stages)} stage{'s' if len(stages) > 1 else ''}"
                + (", two threads" if threads == 2 else ""),
                "segment",
                _cocarde(_metric(stages), data.english, threads),
                Side(
                    "METEOR 1.5 (jar, running)", peer.score, data.english.fresh, len(data.english)
                ),
                _statistics_apart(len(stages)),
                goal=10,
                note="the jar has its tables in memory and is warm",
            )


def _cocarde(metric: Any, texts: Parallel, threads: int = 1) -> Side:
    def prepare() -> Parallel:
        cocarde.set_num_threads(threads)
        return texts.fresh()

    name = "cocarde" if threads == 1 else f"cocarde, {threads} threads"
    return Side(name, lambda x: metric.statistics(*x.pair), prepare, len(texts))


# ---- itself


def _growth(data: Data) -> Iterator[Work]:
    metric = _metric(EMBEDDED)
    once = data.english
    expected = metric.corpus_score(*once.pair).score
    for copies in (1, 10) if data.quick else (1, 10, 100):
        hypotheses, references = (side * copies for side in once.pair)
        texts = Parallel(hypotheses, references, "")
        yield Case(
            "METEOR, growth",
            f"{copies}× the text, 3 stages",
            "segment",
            _cocarde(metric, texts),
            _cocarde(metric, once),
            lambda ours, _: abs(metric.compute(ours.sum()).score - expected),
            goal=0.67,
            memory=True,
            note="the ratio is of times by segment: 1 is linear; repeating a text keeps its score",
        )
    yield Case(
        "Two threads against one",
        "METEOR, 3 stages",
        "segment",
        _cocarde(metric, once, 2),
        _cocarde(metric, once),
        lambda x, y: float(np.max(np.abs(x.values - y.values))),
        goal=1.8,
    )


def _repetition(data: Data) -> Iterator[Work]:
    words = 500 if data.quick else 2_000
    pair = Parallel([" ".join(["word"] * words)], [" ".join(["word"] * (words - 1))], "")
    yield Case(
        GROUP,
        f"one segment of {words:,} equal words",
        "segment",
        _cocarde(_metric(EMBEDDED), pair),
        None,
        lambda ours, _: abs(ours["hypothesis_matches"][0] - (words - 1)),
        limit=10.0,
        memory=True,
        note="against one word less: all but one must match",
    )


def _nltk(data: Data) -> Iterator[Work]:
    """NLTK with the words of the package's own WordNet, since its own is a download."""
    from nltk.translate.meteor_score import single_meteor_score

    from cocarde import resources

    metric = cocarde.METEOR.preset("nltk")
    few = data.english.first(100 if data.quick else 500)
    wordnet = resources.wordnet()

    class Lemma:
        def __init__(self, name: str) -> None:
            self._name = name

        def name(self) -> str:
            return self._name

    class Synset:
        def __init__(self, names: Sequence[str]) -> None:
            self._lemmas = [Lemma(name) for name in names]

        def lemmas(self) -> list[Lemma]:
            return self._lemmas

    class Reader:
        """All synsets of a word as one: NLTK looks at their lemmas together."""

        def synsets(self, word: str) -> list[Synset]:
            return [Synset(wordnet.nltk_related(word))]

    def run(texts: Parallel) -> Any:
        reader = Reader()
        return [
            single_meteor_score(reference.split(), hypothesis.split(), wordnet=reader)
            for hypothesis, reference in zip(*texts.pair, strict=True)
        ]

    yield Case(
        GROUP,
        "preset nltk",
        "segment",
        _cocarde(metric, data.english),
        Side(f"NLTK {_version('nltk')}", run, few.fresh, len(few)),
        lambda ours, peer: float(np.max(np.abs(ours["score"][: len(peer)] - peer))),
        goal=20,
        note=f"NLTK scores the first {len(few)}, with our WordNet table, which is faster than its own",
    )

    def prepare() -> Parallel:
        cocarde.set_num_threads(1)
        return few.fresh()

    score = metric.sentence_score
    yield Case(
        GROUP,
        "preset nltk, one call a segment",
        "call",
        Side("cocarde", lambda x: x.each(lambda h, r: score(h, r).fraction), prepare, len(few)),
        Side(f"NLTK {_version('nltk')}", run, few.fresh, len(few)),
        lambda ours, peer: float(np.max(np.abs(np.subtract(ours, peer)))),
        note="one Python call for each segment on both sides, with our WordNet table",
    )


def _version(distribution: str) -> str:
    from importlib.metadata import version

    return version(distribution)
