"""GLEU from Python, against NLTK."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version

import cocarde
from benchmarks.case import Case, Side, Skipped, Work
from benchmarks.data import Data, Parallel

__all__ = ["cases"]

GROUP = "GLEU, text"


def cases(data: Data) -> Iterator[Work]:
    work = "split at white space, list of str"
    try:
        name = f"NLTK {version('nltk')}"
    except PackageNotFoundError:
        yield Skipped(GROUP, work, "NLTK is not installed")
        return
    from nltk.translate.gleu_score import corpus_gleu

    texts, metric = data.english, cocarde.GLEU()

    def prepare() -> Parallel:
        cocarde.set_num_threads(1)
        return texts.fresh()

    def peer(found: Parallel) -> float:
        references = [[text.split()] for text in found.references]
        return 100 * float(corpus_gleu(references, [text.split() for text in found.hypotheses]))

    yield Case(
        GROUP,
        work,
        "segment",
        Side("cocarde", lambda found: metric.corpus_score(*found.pair).score, prepare, len(texts)),
        Side(name, peer, texts.fresh, len(texts)),
        lambda ours, theirs: abs(ours - theirs),
        goal=50,
        memory=True,
        note="NLTK takes tokens: splitting the texts is part of its time",
    )
