"""ROUGE from Python, against rouge-score, the two Rust packages and itself."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version
from multiprocessing import get_context
from multiprocessing.connection import Connection
from types import SimpleNamespace
from typing import Any

import numpy as np

import cocarde
from benchmarks.case import Case, Side, Skipped, Work
from benchmarks.data import Data, Parallel

__all__ = ["cases"]

USUAL = ("rouge1", "rouge2", "rougeL")
MEASURES = ("precision", "recall", "fmeasure")
LINES = 20  # of a document


def cases(data: Data) -> Iterator[Work]:
    yield from _rust(data)
    yield from _two_threads(data)
    yield from _python(data)
    yield from _one_by_one(data)
    yield from _others(data)
    yield from _long(data)


# ---- texts


def _documents(texts: Parallel) -> Parallel:
    """Documents of 20 lines each."""
    starts = range(0, len(texts), LINES)
    hypotheses, references = (
        ["\n".join(side[i : i + LINES]) for i in starts] for side in texts.pair
    )
    return Parallel(hypotheses, references, f"{len(starts)} documents of {LINES} lines")


# ---- sides


def _named(distribution: str) -> str:
    return f"{distribution} {version(distribution)}"


def _cocarde(metric: cocarde.ROUGE, texts: Parallel, threads: int = 1) -> Side:
    def prepare() -> Parallel:
        cocarde.set_num_threads(threads)
        return texts.fresh()

    name = "cocarde" if threads == 1 else f"cocarde, {threads} threads"
    return Side(name, lambda x: metric.statistics(*x.pair), prepare, len(texts))


Batch = Callable[[list[str], list[str]], Any]


def _rouge_score_rs(types: Sequence[str], use_stemmer: bool) -> Batch:
    from rouge_score_rs.rouge_scorer import RougeScorer

    score: Batch = RougeScorer(list(types), use_stemmer=use_stemmer).score_batch
    return score


def _rouge_rust(_types: Sequence[str], _use_stemmer: bool) -> Batch:
    import fast_rouge

    score: Batch = fast_rouge.score_batch
    return score


def _rouge_score(types: Sequence[str], use_stemmer: bool) -> Batch:
    from rouge_score.rouge_scorer import RougeScorer

    score = RougeScorer(list(types), use_stemmer=use_stemmer).score
    return lambda references, hypotheses: list(map(score, references, hypotheses))


PEERS = {
    "rouge-score-rs": _rouge_score_rs,
    "rouge-rust": _rouge_rust,
    "rouge-score": _rouge_score,
}


def _peer(name: str, types: Sequence[str], use_stemmer: bool, texts: Parallel) -> Side:
    score = PEERS[name](types, use_stemmer)
    return Side(_named(name), lambda x: score(x.references, x.hypotheses), texts.fresh, len(texts))


def _rows(types: Sequence[str], scores: Sequence[Any]) -> Any:
    """A peer's scores as cocarde's rows."""
    return np.array(
        [
            [1.0, *(getattr(one[name], measure) for name in types for measure in MEASURES)]
            for one in scores
        ]
    )


def _apart(types: Sequence[str]) -> Callable[[Any, Any], float]:
    """Return how far two sets of scores are apart, on every segment and in every number."""

    def difference(ours: Any, peer: Any) -> float:
        rows = _rows(types, peer.results() if isinstance(peer, _Worker) else peer)
        return float(np.max(np.abs(ours.values[: len(rows)] - rows)))

    return difference


# ---- a peer with another number of threads


def _next_order(connection: Connection) -> Any:
    """Wait for the next order; whoever gives none any more has gone."""
    try:
        return connection.recv()
    except EOFError:
        return "end"


def _serve(
    connection: Connection, name: str, types: Sequence[str], use_stemmer: bool, texts: Parallel
) -> None:
    """Score whenever told to, in a process whose thread pool is its own."""
    score = PEERS[name](types, use_stemmer)
    scores: Any = None
    while (order := _next_order(connection)) != "end":
        if order == "fresh":
            texts = texts.fresh()
        elif order == "score":
            scores = score(texts.references, texts.hypotheses)
        connection.send(_rows(types, scores).tolist() if order == "results" else None)


class _Worker:
    """A peer in a process of its own: Rust's thread pool asks for its size once a process.

    What is timed is its work, and one word each way through a pipe.
    """

    def __init__(
        self, name: str, types: Sequence[str], use_stemmer: bool, texts: Parallel, threads: int
    ) -> None:
        self._given = (name, tuple(types), use_stemmer, texts)
        self._types = types
        self._threads = threads
        self._connection: Connection | None = None

    def ask(self, order: str) -> Any:
        """Send an order and wait for its answer."""
        if self._connection is None:
            context = get_context("spawn")
            mine, theirs = context.Pipe()
            before = os.environ.get("RAYON_NUM_THREADS")
            os.environ["RAYON_NUM_THREADS"] = str(self._threads)
            try:
                context.Process(target=_serve, args=(theirs, *self._given), daemon=True).start()
            finally:
                if before is None:
                    del os.environ["RAYON_NUM_THREADS"]
                else:
                    os.environ["RAYON_NUM_THREADS"] = before
            self._connection = mine
        self._connection.send(order)
        return self._connection.recv()

    def prepare(self) -> _Worker:
        """Make the texts anew."""
        self.ask("fresh")
        return self

    def results(self) -> list[dict[str, Any]]:
        """Return the scores in the peer's form."""
        scores = []
        for row in self.ask("results"):
            places = range(1, len(row), 3)
            triples = [
                SimpleNamespace(**dict(zip(MEASURES, row[place : place + 3], strict=True)))
                for place in places
            ]
            scores.append(dict(zip(self._types, triples, strict=True)))
        return scores


def _work(worker: _Worker) -> _Worker:
    worker.ask("score")
    return worker


# ---- cases


def _stemmed(use_stemmer: bool) -> str:
    return ", stemmed" if use_stemmer else ""


def _against_rust(data: Data) -> Iterator[tuple[str, Parallel, str, Sequence[str], bool, str]]:
    """What the Rust packages can do, as (work, texts, unit, types, use_stemmer, peer)."""
    for texts, unit in ((data.english, "segment"), (_documents(data.english), "document")):
        for types in (USUAL, ("rougeLsum",)):
            for use_stemmer in (False, True):
                for peer in ("rouge-score-rs", "rouge-rust"):
                    if peer == "rouge-rust" and (use_stemmer or types != USUAL):
                        continue  # it has neither
                    work = f"{', '.join(types)}{_stemmed(use_stemmer)}, {unit}s, {peer}"
                    yield work, texts, unit, types, use_stemmer, peer


def _rust(data: Data) -> Iterator[Work]:
    for work, texts, unit, types, use_stemmer, peer in _against_rust(data):
        yield Case(
            "ROUGE, text",
            work,
            unit,
            _cocarde(cocarde.ROUGE(rouge_types=types, use_stemmer=use_stemmer), texts),
            _peer(peer, types, use_stemmer, texts),
            _apart(types),
            goal=2,
            note=texts.source if unit == "document" else "",
        )


def _two_threads(data: Data) -> Iterator[Work]:
    group = "ROUGE, text, two threads"
    for work, texts, unit, types, use_stemmer, peer in _against_rust(data):
        if (os.cpu_count() or 1) < 2:
            yield Skipped(group, work, "this machine has one processor")
            continue
        worker = _Worker(peer, types, use_stemmer, texts, threads=2)
        metric = cocarde.ROUGE(rouge_types=types, use_stemmer=use_stemmer)
        yield Case(
            group,
            work,
            unit,
            _cocarde(metric, texts, threads=2),
            Side(f"{_named(peer)}, 2 threads", _work, worker.prepare, len(texts)),
            _apart(types),
            goal=2,
            note="the peer works in a process of its own, which has two threads",
        )


def _python(data: Data) -> Iterator[Work]:
    few = data.english.first(100 if data.quick else 500)
    for use_stemmer in (False, True):
        for types in (USUAL, ("rougeLsum",)):
            metric = cocarde.ROUGE(rouge_types=types, use_stemmer=use_stemmer)
            yield Case(
                "ROUGE, text",
                f"{', '.join(types)}{_stemmed(use_stemmer)}, rouge-score",
                "segment",
                _cocarde(metric, data.english),
                _peer("rouge-score", types, use_stemmer, few),
                _apart(types),
                goal=100,
                note=f"rouge-score scores the first {len(few)}; time is by segment",
            )


def _one_by_one(data: Data) -> Iterator[Work]:
    from rouge_score.rouge_scorer import RougeScorer

    few = data.english.first(100 if data.quick else 500)
    ours, peer = cocarde.ROUGE(rouge_types=USUAL).sentence_score, RougeScorer(list(USUAL)).score

    def prepare() -> Parallel:
        cocarde.set_num_threads(1)
        return few.fresh()

    def difference(ours: Any, peer: Any) -> float:
        differences = (
            one[name].fmeasure / 100 - other[name].fmeasure
            for one, other in zip(ours, peer, strict=True)
            for name in USUAL
        )
        return float(np.max(np.abs(list(differences))))

    yield Case(
        "ROUGE, text",
        f"{', '.join(USUAL)}, one call a segment, rouge-score",
        "call",
        Side("cocarde", lambda x: x.each(ours), prepare, len(few)),
        Side(
            _named("rouge-score"),
            lambda x: x.each(lambda hypothesis, reference: peer(reference, hypothesis)),
            few.fresh,
            len(few),
        ),
        difference,
        note="one Python call for each segment on both sides; statistics needs one for all",
    )


def _others(data: Data) -> Iterator[Work]:
    from pycocoevalcap.rouge.rouge import Rouge as Coco
    from rouge import Rouge as Pltrdy

    few = data.english.first(50 if data.quick else 200)

    def pltrdy_run(texts: Parallel) -> Any:
        return Pltrdy().get_scores(*texts.pair)

    def pltrdy_apart(ours: Any, peer: Any) -> float:
        theirs = [[one[name]["f"] for name in ("rouge-1", "rouge-2", "rouge-l")] for one in peer]
        return float(np.max(np.abs(ours.values[: len(theirs), [3, 6, 9]] - theirs)))

    def coco_run(texts: Parallel) -> Any:
        return Coco().compute_score(
            {i: [text] for i, text in enumerate(texts.references)},
            {i: [text] for i, text in enumerate(texts.hypotheses)},
        )[1]

    def coco_apart(ours: Any, peer: Any) -> float:
        return float(np.max(np.abs(ours["rougeL_fmeasure"][: len(peer)] - peer)))

    for name, run, distribution, difference in (
        ("rouge", pltrdy_run, "rouge", pltrdy_apart),
        ("coco", coco_run, "pycocoevalcap", coco_apart),
    ):
        yield Case(
            "ROUGE, other conventions",
            f"preset {name}",
            "segment",
            _cocarde(cocarde.ROUGE.preset(name), data.english),
            Side(_named(distribution), run, few.fresh, len(few)),
            difference,
            goal=100,
            note=f"the peer scores the first {len(few)}; time is by segment",
        )


def _long(data: Data) -> Iterator[Work]:
    tokens = 5_000 if data.quick else 50_000
    words = " ".join(" ".join(side) for side in data.english.pair).split()
    words *= 1 + 2 * tokens // len(words)
    text = " ".join(words[:tokens])
    pair = Parallel([text], [text], "")
    for types in (("rougeL",), ("rougeLsum",)):
        yield Case(
            "ROUGE, text",
            f"{types[0]}, one pair of {tokens:,} words",
            "pair",
            _cocarde(cocarde.ROUGE(rouge_types=types), pair),
            None,
            lambda ours, _: float(np.max(np.abs(ours.values - 1))),
            limit=1.0,
            memory=True,
            note="scored against itself: must be 1",
        )
