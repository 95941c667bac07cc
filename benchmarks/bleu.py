"""BLEU from Python, against sacreBLEU, bleuscore, NLTK and itself."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from importlib.metadata import version
from typing import Any

import numpy as np

import cocarde
from benchmarks.case import Case, Side, Skipped, Work
from benchmarks.data import Data, Parallel

__all__ = ["cases"]


def cases(data: Data) -> Iterator[Work]:
    yield from _corpus(data)
    yield from _sentences(data)
    yield from _tokens(data)
    yield from _chinese(data)
    yield from _pairwise(data)
    yield from _threads(data)
    yield from _growth(data)
    yield from _pathological(data)


# ---- sides


def _named(distribution: str) -> str:
    name = {"sacrebleu": "sacreBLEU", "nltk": "NLTK"}.get(distribution, distribution)
    return f"{name} {version(distribution)}"


def _cocarde(
    run: Callable[[Any], Any], make: Callable[[], Any], units: float, threads: int = 1
) -> Side:
    def prepare() -> Any:
        cocarde.set_num_threads(threads)
        return make()

    name = "cocarde" if threads == 1 else f"cocarde, {threads} threads"
    return Side(name, run, prepare, units)


def _sacrebleu(
    run: Callable[[Any], Any], make: Callable[[], Any], units: float, *, remember: bool = False
) -> Side:
    """Make sacreBLEU's side; its tokenizers remember 65,536 texts unless told to forget."""
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
    from sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp
    from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh

    def prepare() -> Any:
        if not remember:
            for tokenizer in (Tokenizer13a, TokenizerRegexp, TokenizerZh):
                tokenizer.__call__.cache_clear()
        return make()

    return Side(_named("sacrebleu"), run, prepare, units)


# The text is tokenized already, and both programs would say so at every repetition.


def _bleu(**options: Any) -> cocarde.BLEU:
    return cocarde.BLEU(force=True, **options)


def _sacrebleu_metric(**options: Any) -> Any:
    from sacrebleu.metrics import BLEU

    return BLEU(force=True, **options)


# ---- agreement


def _scores(ours: Any, peer: Any) -> float:
    """Return how far two corpus scores are apart, on the scale from 0 to 100."""
    return abs(float(ours.score) - float(getattr(peer, "score", peer)))


def _values(ours: Any, peer: Any) -> float:
    return float(np.max(np.abs(np.asarray(ours) - np.asarray(peer))))


# ---- cases


def _corpus(data: Data) -> Iterator[Work]:
    group = "Corpus BLEU, text"
    n = len(data.english)
    metric = _bleu()
    ours = _cocarde(lambda x: metric.corpus_score(*x.pair), data.english.fresh, n)
    peer_metric = _sacrebleu_metric()

    def peer_run(texts: Parallel) -> Any:
        return peer_metric.corpus_score(texts.hypotheses, [texts.references])

    yield Case(
        group,
        "13a, list of str",
        "segment",
        ours,
        _sacrebleu(peer_run, data.english.fresh, n),
        _scores,
        goal=100,
        memory=True,
    )
    yield Case(
        group,
        "13a, list of str, texts known to sacreBLEU",
        "segment",
        ours,
        _sacrebleu(peer_run, data.english.fresh, n, remember=True),
        _scores,
        note="sacreBLEU's tokenizer still has these texts in its cache",
    )

    import bleuscore

    hugging_face = cocarde.BLEU.preset("huggingface", force=True)
    yield Case(
        group,
        "13a, list of str, compute_bleu",
        "segment",
        _cocarde(lambda x: hugging_face.corpus_score(*x.pair), data.english.fresh, n),
        Side(
            _named("bleuscore"),
            lambda x: 100 * bleuscore.compute([[r] for r in x.references], x.hypotheses)["bleu"],
            data.english.fresh,
            n,
        ),
        _scores,
        goal=6,
        memory=True,
    )

    ready = metric.prepare(data.english.references)
    peer_ready = _sacrebleu_metric(references=[data.english.references])
    yield Case(
        group,
        "13a, prepared references",
        "segment",
        _cocarde(lambda x: metric.corpus_score(x.hypotheses, ready), data.english.fresh, n),
        _sacrebleu(lambda x: peer_ready.corpus_score(x.hypotheses, None), data.english.fresh, n),
        _scores,
        note="both sides keep the references ready",
    )


def _sentences(data: Data) -> Iterator[Work]:
    group = "Sentence BLEU, text"
    n = len(data.english)
    metric = _bleu()
    peer_metric = _sacrebleu_metric(effective_order=True)

    def peer_run(texts: Parallel) -> list[float]:
        score = peer_metric.sentence_score
        return texts.each(lambda hypothesis, reference: score(hypothesis, [reference]).score)

    def our_calls(texts: Parallel) -> list[float]:
        score = metric.sentence_score
        return texts.each(lambda hypothesis, reference: score(hypothesis, reference).score)

    ours = _cocarde(lambda x: metric.segment_scores(*x.pair), data.english.fresh, n)
    yield Case(
        group,
        "all segments in one call",
        "segment",
        ours,
        _sacrebleu(peer_run, data.english.fresh, n),
        _values,
        goal=100,
    )
    yield Case(
        group,
        "all segments in one call, texts known to sacreBLEU",
        "segment",
        ours,
        _sacrebleu(peer_run, data.english.fresh, n, remember=True),
        _values,
    )
    yield Case(
        group,
        "one call a segment",
        "call",
        _cocarde(our_calls, data.english.fresh, n),
        _sacrebleu(peer_run, data.english.fresh, n),
        _values,
        note="one Python call for each segment on both sides; segment_scores needs one for all",
    )


def _ragged(numbers: list[list[int]]) -> tuple[Any, Any]:
    offsets = np.zeros(len(numbers) + 1, dtype=np.int64)
    np.cumsum([len(row) for row in numbers], out=offsets[1:])
    return np.concatenate([np.asarray(row, dtype=np.int64) for row in numbers]), offsets


def _tokens(data: Data) -> Iterator[Work]:
    from nltk.translate.bleu_score import corpus_bleu

    group = "Corpus BLEU, tokens"
    n = len(data.english)
    metric = cocarde.BLEU.preset("nltk")

    def cut() -> tuple[list[list[str]], list[list[str]]]:
        texts = data.english.fresh()
        return [x.split() for x in texts.hypotheses], [x.split() for x in texts.references]

    def nltk_run(tokens: Any) -> float:
        return 100 * float(corpus_bleu([[reference] for reference in tokens[1]], tokens[0]))

    yield Case(
        group,
        "lists of str",
        "segment",
        _cocarde(lambda x: metric.corpus_score(*x), cut, n),
        Side(_named("nltk"), nltk_run, cut, n),
        _scores,
    )

    numbers: dict[str, int] = {}
    ids = [[[numbers.setdefault(t, len(numbers)) for t in x] for x in side] for side in cut()]
    ragged = tuple(map(_ragged, ids))
    yield Case(
        group,
        "ids, (values, offsets)",
        "segment",
        _cocarde(lambda x: metric.corpus_score(*x), lambda: ragged, n),
        Side(_named("nltk"), nltk_run, lambda: ids, n),
        _scores,
        note="NLTK gets the same ids as lists of int",
    )


def _chinese(data: Data) -> Iterator[Work]:
    n = len(data.chinese)
    metric = _bleu(tokenize="zh")
    peer_metric = _sacrebleu_metric(tokenize="zh")
    yield Case(
        "Corpus BLEU, text",
        "zh, Chinese",
        "segment",
        _cocarde(lambda x: metric.corpus_score(*x.pair), data.chinese.fresh, n),
        _sacrebleu(
            lambda x: peer_metric.corpus_score(x.hypotheses, [x.references]), data.chinese.fresh, n
        ),
        _scores,
        goal=100,
        note=data.chinese.source,
    )


def _pairwise(data: Data) -> Iterator[Work]:
    texts = data.english.first(64)
    few = 2 if data.quick else 8
    metric = _bleu()
    peer_metric = _sacrebleu_metric(effective_order=True)

    def peer_run(texts: Parallel) -> list[list[float]]:
        score = peer_metric.sentence_score
        return [[score(h, [r]).score for r in texts.references[:few]] for h in texts.hypotheses]

    yield Case(
        "Sentence BLEU, text",
        "pairwise, 64 × 64",
        "pair",
        _cocarde(lambda x: metric.pairwise(*x.pair), texts.fresh, len(texts) ** 2),
        _sacrebleu(peer_run, texts.fresh, len(texts) * few),
        lambda ours, peer: _values(ours[:, :few], peer),
        note=f"sacreBLEU scores 64 × {few} of the pairs; time is by pair",
    )


def _threads(data: Data) -> Iterator[Work]:
    group = "Two threads against one"
    english = _bleu()
    chinese = _bleu(tokenize="zh")
    tokens = cocarde.BLEU.preset("nltk")
    copies = 2 if data.quick else 10

    def ids() -> Any:
        return [_ragged([[hash(t) for t in x.split()] for x in side]) for side in data.english.pair]

    n = len(data.english)
    works: list[tuple[str, Callable[[Any], Any], Callable[[], Any], int, Any]] = [
        (
            "corpus BLEU, list of str",
            lambda x: english.corpus_score(*x.pair),
            data.english.fresh,
            n,
            _scores,
        ),
        (
            f"corpus BLEU, list of str, {copies}×",
            lambda x: english.corpus_score(*x.pair),
            lambda: data.english.times(copies).fresh(),
            n * copies,
            _scores,
        ),
        (
            "segment scores",
            lambda x: english.segment_scores(*x.pair),
            data.english.fresh,
            n,
            _values,
        ),
        (
            "corpus BLEU, zh",
            lambda x: chinese.corpus_score(*x.pair),
            data.chinese.fresh,
            len(data.chinese),
            _scores,
        ),
        ("corpus BLEU, ids", lambda x: tokens.corpus_score(*x), ids, n, _scores),
        (
            "pairwise, 256 × 256",
            lambda x: english.pairwise(*x.pair),
            data.english.first(256).fresh,
            len(data.english.first(256)) ** 2,
            _values,
        ),
    ]
    for work, run, make, units, difference in works:
        if (os.cpu_count() or 1) < 2:
            yield Skipped(group, work, "this machine has one processor")
            continue
        yield Case(
            group,
            work,
            "pair" if "pairwise" in work else "segment",
            _cocarde(run, make, units, threads=2),
            _cocarde(run, make, units),
            difference,
            goal=1.8,
        )


def _growth(data: Data) -> Iterator[Work]:
    metric = _bleu()

    def side(copies: int) -> Side:
        def make() -> Parallel:
            return data.english.times(copies).fresh()

        return _cocarde(lambda x: metric.corpus_score(*x.pair), make, len(data.english) * copies)

    for copies in (1, 10, 100)[: 2 if data.quick else 3]:
        yield Case(
            "Growth",
            f"{copies}× the text, corpus BLEU",
            "segment",
            side(copies),
            side(1),
            _scores,
            goal=0.67,
            memory=True,
            note="the ratio is of times by segment: 1 is linear; repeating a text keeps its score",
        )


def _pathological(data: Data) -> Iterator[Work]:
    group = "Pathological"
    metric = _bleu()
    peer_metric = _sacrebleu_metric()
    tokens = 10_000 if data.quick else 100_000
    shapes = {
        "all equal": (["a"] * tokens, ["a"] * (tokens - 1)),
        "all different": (
            [f"w{i}" for i in range(tokens)],
            [f"w{i}" for i in range(0, tokens, 2)],
        ),
        "two by turns": (["a", "b"] * (tokens // 2), ["a", "b", "b"] * (tokens // 3)),
    }
    for shape, (hypothesis, reference) in shapes.items():
        texts = Parallel([" ".join(hypothesis)], [" ".join(reference)], "")
        yield Case(
            group,
            f"one segment of {tokens:,} tokens, {shape}",
            "token",
            _cocarde(lambda x: metric.corpus_score(*x.pair), texts.fresh, tokens),
            _sacrebleu(
                lambda x: peer_metric.corpus_score(x.hypotheses, [x.references]),
                texts.fresh,
                tokens,
            ),
            _scores,
            limit=0.1,
            memory=True,
        )

    # sacreBLEU's answer to a line that long is known without it: the line is its own reference.
    size = 1.0 if data.quick else 10.0
    line = " ".join(data.english.hypotheses)
    line = " ".join([line] * int(1 + size * 1e6 / len(line)))[: int(size * 1e6)]
    long = Parallel([line], [line], "")
    yield Case(
        group,
        f"one line of {size:.0f} MB",
        "MB",
        _cocarde(lambda x: metric.corpus_score(*x.pair), long.fresh, 2 * size),
        None,
        lambda ours, _: abs(float(ours.score) - 100),
        limit=2.0,
        memory=True,
        note="scored against itself: must be 100",
    )
