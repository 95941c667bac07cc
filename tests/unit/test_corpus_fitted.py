"""Metrics that are fitted on the references of a whole corpus, and never on a part of it."""

from __future__ import annotations

import gzip
import math
import os
import pickle
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cocarde
from cocarde import BLEU, InputError, OptionError, References, Statistics
from cocarde.core import registry
from cocarde.core.fitting import ReferenceCounts
from cocarde.engines.streaming import accumulate_files, fit_files
from cocarde.testing import check_metric
from tests.plugins import Information, WeightedOverlap

METRICS = [WeightedOverlap(), WeightedOverlap(lowercase=True), Information(), Information(order=3)]
# The first half knows nothing of the second, so that a fit on a part of them is another one.
RANDOM = np.random.default_rng(5)
WORDS = [f"W{k}" for k in range(40)]
REFERENCES = [" ".join(RANDOM.choice(WORDS[:20] if i < 30 else WORDS[15:], 8)) for i in range(60)]
SECOND = [" ".join(RANDOM.choice(WORDS, 7)) for _ in REFERENCES]
HYPOTHESES = [" ".join([*text.split()[:5], *RANDOM.choice(WORDS, 3)]) for text in REFERENCES]
BOTH = [list(pair) for pair in zip(REFERENCES, SECOND, strict=True)]


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in (WeightedOverlap, Information):
        monkeypatch.setitem(registry._HOMES, kind.name, f"tests.plugins:{kind.__name__}")


@pytest.fixture
def threads() -> Iterator[Any]:
    yield cocarde.set_num_threads
    cocarde.set_num_threads(None)


def write(folder: Path, **texts: list[str]) -> list[Path]:
    paths = []
    for name, lines in texts.items():
        (folder / name).write_text("".join(f"{line}\n" for line in lines))
        paths.append(folder / name)
    return paths


def by_hand(hypotheses: list[str], references: list[list[str]]) -> float:
    """The weighted overlap, written down once more."""
    n = len(references)
    words = {word for group in references for text in group for word in text.split()}
    documents = {
        word: sum(any(word in text.split() for text in group) for group in references)
        for word in words
    }

    def weight(word: str) -> float:
        return math.log((1 + n) / (1 + documents.get(word, 0)))

    shared = total = 0.0
    for text, (other, *_) in zip(hypotheses, references, strict=True):
        ours, theirs = text.split(), other.split()
        total += sum(map(weight, ours)) + sum(map(weight, theirs))
        shared += sum(min(ours.count(w), theirs.count(w)) * weight(w) for w in {*ours})
    return 200 * shared / total


@pytest.mark.parametrize("metric", METRICS, ids=str)
def test_the_kit_checks_the_fit_too(metric: Any) -> None:
    check_metric(metric)
    check_metric(metric, HYPOTHESES, BOTH)
    check_metric(metric.fit(REFERENCES), HYPOTHESES, BOTH)


def test_tokens_are_fitted_on_as_well() -> None:
    hypotheses = [text.split() for text in HYPOTHESES]
    references = [[text.split() for text in row] for row in BOTH]
    check_metric(Information(), hypotheses, references)
    fitted = Information().fit(references, kind="tokens")
    assert fitted.corpus == Information().fit(BOTH).corpus


class _OfTheBatch(WeightedOverlap):
    """Counts what does not add up."""

    def count(self, references: Any) -> Any:
        return {"batches": 1}


class _FitsAnything(WeightedOverlap):
    """Is fitted on whatever batch comes first."""

    def require_fit(self, what: str) -> None:
        return None


class _Nameless(WeightedOverlap):
    """Does not tell what it was fitted on."""

    def signature_of(self, statistics: Statistics, *, level: str = "corpus") -> Any:
        return BLEU().signature_of(statistics)


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (_OfTheBatch, "counts of batches of 1 do not add up"),
        (_FitsAnything, "an accumulator of a metric that is not fitted is not refused"),
        (_Nameless, "the signature does not say"),
    ],
)
def test_the_kit_finds_what_is_broken(kind: Any, message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        check_metric(kind())


def test_the_whole_corpus_counts() -> None:
    found = WeightedOverlap().corpus_score(HYPOTHESES, BOTH)
    assert found.score == pytest.approx(by_hand(HYPOTHESES, BOTH), rel=1e-12)
    half = WeightedOverlap().corpus_score(HYPOTHESES[:30], BOTH[:30])
    assert half.score != WeightedOverlap().fit(BOTH).corpus_score(HYPOTHESES[:30], BOTH[:30]).score


@pytest.mark.parametrize("batch_bytes", [1, 50, 700, 1 << 20])
@pytest.mark.parametrize("count", [1, 2, 5])
@pytest.mark.parametrize("metric", METRICS, ids=str)
def test_streams_equal_lists(
    metric: Any, count: int, batch_bytes: int, tmp_path: Path, threads: Any
) -> None:
    threads(count)
    paths = write(tmp_path, h=HYPOTHESES, r=REFERENCES, s=SECOND)
    metrics = {"bleu": BLEU(), "m": metric}
    found = accumulate_files(metrics, paths[0], paths[1:], batch_bytes=batch_bytes)
    expected = metric.corpus_score(HYPOTHESES, BOTH)
    assert found["m"].compute().score == pytest.approx(expected.score, rel=1e-12)
    assert found["m"].compute().signature == expected.signature
    assert found["bleu"].compute() == BLEU().corpus_score(HYPOTHESES, BOTH)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are a POSIX thing")
def test_references_are_read_again(tmp_path: Path) -> None:
    paths = write(tmp_path, h=HYPOTHESES, r=REFERENCES)
    packed = tmp_path / "r.gz"
    packed.write_bytes(gzip.compress(paths[1].read_bytes()))
    metrics = {"overlap": WeightedOverlap()}
    expected = accumulate_files(metrics, paths[0], paths[1:])["overlap"].compute()
    assert accumulate_files(metrics, paths[0], [packed])["overlap"].compute() == expected
    message = "overlap is fitted on all references before anything is scored; save it to a file"
    with pytest.raises(InputError, match=f"standard input: can be read only once, but {message}"):
        accumulate_files(metrics, paths[0], ["-"])
    # What is fitted already needs no second reading, nor does the other side.
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(InputError, match=f"pipe: can be read only once, but {message}"):
        accumulate_files(metrics, paths[0], [pipe])
    for fitted, files in (
        (fit_files(metrics, paths[1:]), (paths[0], [pipe])),
        (metrics, (pipe, paths[1:])),
    ):
        content = REFERENCES if files[0] == paths[0] else HYPOTHESES
        text = "".join(f"{line}\n" for line in content)
        writer = threading.Thread(target=pipe.write_text, args=[text])
        writer.start()
        assert accumulate_files(fitted, *files)["overlap"].compute() == expected
        writer.join()
    (empty,) = write(tmp_path, empty=[])
    with pytest.raises(InputError, match="empty: there are no segments to score"):
        accumulate_files(metrics, empty, [empty])
    with pytest.raises(InputError, match="r has 60"):
        accumulate_files(metrics, paths[0], [*paths[1:], *write(tmp_path, few=SECOND[:59])])


@pytest.mark.parametrize("metric", METRICS, ids=str)
def test_a_part_is_no_corpus(metric: Any) -> None:
    fix = r"whole corpus, which {} is not; take metric\.fit\(references\)"
    with pytest.raises(OptionError, match=fix.format("a batch")):
        metric.accumulator()
    with pytest.raises(OptionError, match=fix.format("one segment")):
        metric.sentence_score(HYPOTHESES[0], BOTH[0])
    with pytest.raises(OptionError, match=fix.format("one segment")):
        cocarde.explain(metric, HYPOTHESES[0], BOTH[0])
    fitted = metric.fit(BOTH)
    whole = metric.corpus_score(HYPOTHESES, BOTH)
    first, second = fitted.accumulator(), pickle.loads(pickle.dumps(fitted)).accumulator()
    for i in range(0, 60, 7):
        (first if i < 30 else second).update(HYPOTHESES[i : i + 7], BOTH[i : i + 7])
    first.merge(second)
    assert first.compute().score == pytest.approx(whole.score, rel=1e-12)
    assert first.compute().signature == whole.signature
    segments = metric.segment_scores(HYPOTHESES, BOTH)
    alone = [fitted.sentence_score(h, r).score for h, r in zip(HYPOTHESES, BOTH, strict=True)]
    assert segments.tolist() == pytest.approx(alone)


@pytest.mark.parametrize("metric", METRICS, ids=str)
def test_two_fits_do_not_mix(metric: Any) -> None:
    one, other = metric.fit(REFERENCES), metric.fit(SECOND)
    assert one != other and one == metric.fit(list(REFERENCES)) and hash(one) != hash(other)
    rows = [fitted.statistics(HYPOTHESES, REFERENCES) for fitted in (one, other)]
    for add in (lambda: rows[0] + rows[1], lambda: Statistics.concatenate(rows)):
        with pytest.raises(InputError, match="fitted on different references"):
            add()
    sums = one.accumulator()
    wrong = f"fitted on other references: {other.corpus.label} instead of {one.corpus.label}"
    wrong = wrong.replace("[", r"\[")
    with pytest.raises(InputError, match=wrong):
        sums.add(rows[1])
    more = other.accumulator()
    more.add(rows[1])
    with pytest.raises(InputError, match=wrong):
        sums.merge(more)
    with pytest.raises(InputError, match=wrong):
        one.compute(rows[1].sum())
    # The formula asks for no fit, and the signature tells the right one.
    assert metric.compute(rows[1].sum()) == other.compute(rows[1].sum())


def test_signatures_tell_the_fit() -> None:
    fitted = WeightedOverlap().fit(BOTH)
    pairs = dict(pair.split(":") for pair in fitted.signature.split("|"))
    assert list(pairs)[:2] == ["nrefs", "fit"]
    assert pairs["fit"] == fitted.corpus.label and pairs["fit"].startswith("60[")
    assert "fit:" not in WeightedOverlap().signature
    again = WeightedOverlap.from_signature(fitted.signature)
    assert again == WeightedOverlap() and again.needs_references
    assert str(fitted) == "weighted-overlap"
    changed = fitted.with_options(lowercase=True)
    assert changed == WeightedOverlap(lowercase=True)
    with pytest.raises(OptionError, match="has no option 'fitted_on'"):
        cocarde.metric("weighted-overlap", fitted_on=fitted.corpus)


def test_prepared_references_fit() -> None:
    metric = Information()
    prepared = metric.prepare(BOTH)
    expected = metric.corpus_score(HYPOTHESES, BOTH)
    assert metric.corpus_score(HYPOTHESES, prepared) == expected
    assert metric.fit(prepared) is prepared.fitted
    # Of other options, or of another metric: the counts are other ones.
    wide = Information(order=3)
    for given in (prepared, BLEU().prepare(BOTH)):
        assert wide.corpus_score(HYPOTHESES, given) == wide.corpus_score(HYPOTHESES, BOTH)
    with pytest.raises(OptionError, match="nothing to prepare"):
        WeightedOverlap().prepare(BOTH)
    # A fitted metric stays as it is.
    fitted = metric.fit(SECOND)
    same = fitted.corpus_score(HYPOTHESES, fitted.prepare(BOTH))
    assert same == fitted.corpus_score(HYPOTHESES, BOTH)


@pytest.mark.parametrize("metric", METRICS, ids=str)
def test_pairs_are_of_one_fit(metric: Any) -> None:
    found = metric.pairwise(HYPOTHESES[:4], REFERENCES)
    fitted = metric.fit(REFERENCES)
    for i in range(4):
        expected = [fitted.sentence_score(HYPOTHESES[i], [text]).score for text in REFERENCES]
        assert found[i].tolist() == pytest.approx(expected)


@pytest.mark.parametrize("metric", METRICS, ids=str)
def test_systems_share_the_fit(metric: Any) -> None:
    systems = {"one": HYPOTHESES, "two": SECOND}
    for level in ("segment", "document"):
        documents = [f"d{i // 6}" for i in range(60)] if level == "document" else None
        found = cocarde.compare(systems, BOTH, {"m": metric}, level=level, documents=documents)
        for name, texts in systems.items():
            expected = metric.corpus_score(texts, BOTH)
            assert found[name, "m"].score == pytest.approx(expected.score, rel=1e-12)
            assert f"|fit:{metric.fit(BOTH).corpus.label}|" in found[name, "m"].signature
    evaluated = cocarde.evaluate(HYPOTHESES, BOTH, {"bleu": "bleu", "m": metric})
    assert evaluated["m"] == metric.corpus_score(HYPOTHESES, BOTH)
    labels, rows = metric.statistics(HYPOTHESES, BOTH).group_sum(["a", "b"] * 30)
    scores = metric.compute(rows)
    for label, score in zip(labels, scores, strict=True):
        part = slice(labels.index(label), None, 2)
        own = metric.fit(BOTH).corpus_score(HYPOTHESES[part], BOTH[part])
        assert score == pytest.approx(own.score, rel=1e-12)


def test_missing_references_and_iterators() -> None:
    streams = References.from_streams(REFERENCES, [*SECOND[:59], None])
    rows = [*BOTH[:59], [REFERENCES[59]]]
    expected = WeightedOverlap().corpus_score(HYPOTHESES, rows)
    assert WeightedOverlap().corpus_score(HYPOTHESES, streams) == expected
    fitted = WeightedOverlap().fit(iter(rows))
    assert fitted == WeightedOverlap().fit(streams)
    assert WeightedOverlap().corpus_score(iter(HYPOTHESES), iter(rows)) == expected


def test_counts() -> None:
    first, second = ReferenceCounts(2, {"a": 2, ("b", 1): 1}), ReferenceCounts(1, {"a": 1, "c": 1})
    total = first + second
    assert (total.segments, dict(total.counts)) == (3, {"a": 3, ("b", 1): 1, "c": 1})
    assert total == second + first and total.label == (second + first).label
    assert total != ReferenceCounts(4, total.counts)
    others = [first, second, ReferenceCounts(3, first.counts)]
    assert len({one.label for one in (total, *others)}) == 4
    fitted = WeightedOverlap().fit_counts(first + second)
    with pytest.raises(InputError, match="a metric is fitted on these counts"):
        fitted.corpus.update(second)
    assert fitted.corpus == total
    with pytest.raises(InputError, match="no references to fit weighted-overlap on"):
        WeightedOverlap().fit_counts(ReferenceCounts())
    with pytest.raises(OptionError, match="weighted-overlap is not fitted yet"):
        _ = WeightedOverlap().corpus
