"""The kit that proves that a metric keeps the rules: order, merging, fit, threads, pickling, signatures.

Run it in the tests of a package that brings a metric of its own; cocarde runs it over its own.
"""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from cocarde._util.threads import get_num_threads, set_num_threads
from cocarde.core.metric import Metric
from cocarde.core.registry import get
from cocarde.core.score import ScoresByPart
from cocarde.core.statistics import Statistics
from cocarde.corpus.segments import References, Segments
from cocarde.errors import CocardeWarning, InputError, OptionError, SeveralScoresError

__all__ = ["check_metric"]

_TEXTS = (
    "the cat sat on the mat .",
    "The cats, sat on a mat!",
    "there is a cat on the mat",
    "",
    " ",
    "今天天气很好。",
    "naïve cafés — “quoted” 👍",
    "a\tb\u2028c\x00d",
    "word " * 60,
    "First one. Second one.\nThird line.",
)
_HYPOTHESES = [*_TEXTS, *reversed(_TEXTS)]
_REFERENCES = [[_TEXTS[i % 7], _TEXTS[(3 * i + 1) % len(_TEXTS)]] for i in range(len(_HYPOTHESES))]


def check_metric(
    metric: Metric[Any],
    hypotheses: Sequence[Any] | None = None,
    references: Sequence[Any] | None = None,
) -> None:
    """Check that a metric keeps the rules that the rest of cocarde relies on.

    Parameters
    ----------
    metric : Metric
    hypotheses, references : sequences, optional
        Two segments or more, as `Metric.statistics` takes them; by default short, empty and ugly ones
        in several scripts, with two references each.

    Raises
    ------
    AssertionError
        If a rule is broken; the message says which and where.

    Examples
    --------
    >>> from cocarde import BLEU
    >>> from cocarde.testing import check_metric
    >>> check_metric(BLEU())
    """
    given = list(_HYPOTHESES if hypotheses is None else hypotheses)
    answers = list(_REFERENCES if references is None else references)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CocardeWarning)
        segments = Segments.coerce(given)
        if metric.fits_on_corpus:
            _check_fit(metric, given, answers)
        metric = metric.fit(References.coerce(answers, segments))
        rows = metric.statistics(given, answers)
        _check_rows(metric, rows, given, answers)
        _check_sums(metric, rows, given, answers)
        _check_value(metric, rows, given, answers)
        _check_threads(metric, rows, given, answers)
        _check_refusals(metric)


def _same(one: Any, other: Any, rule: str) -> None:
    left, right = np.asarray(one, dtype=np.float64), np.asarray(other, dtype=np.float64)
    assert left.shape == right.shape, f"{rule}: shapes {left.shape} and {right.shape}"
    assert np.array_equal(left, right, equal_nan=True), f"{rule}: {left} is not {right}"


def _check_rows(metric: Any, rows: Statistics, given: list[Any], answers: list[Any]) -> None:
    n = len(given)
    assert rows.values.shape == (n, len(metric.fields)), (
        f"statistics: shape {rows.values.shape} for {n} segments and the fields {metric.fields}"
    )
    assert np.isfinite(rows.values).all(), "statistics: a number is not finite"
    _same(metric.statistics(given, answers), rows, "statistics: a second call gives other numbers")
    order = np.random.default_rng(0).permutation(n)
    turned = metric.statistics([given[i] for i in order], [answers[i] for i in order])
    _same(turned, rows.values[order], "statistics: a row depends on the order of segments")
    for i in range(n):
        alone = metric.statistics([given[i]], [answers[i]])
        _same(alone.values[0], rows.values[i], f"statistics: segment {i} depends on the others")


def _check_sums(metric: Any, rows: Statistics, given: list[Any], answers: list[Any]) -> None:
    score = metric.corpus_score(given, answers)
    computed = metric.compute(rows.sum())
    assert score == computed, f"corpus_score {score} is not compute(statistics.sum()) {computed}"
    whole = metric.accumulator()
    half = len(given) // 2
    parts = [metric.accumulator(), metric.accumulator()]
    parts[0].update(given[:half], answers[:half])
    parts[1].update(given[half:], answers[half:])
    for part in parts:
        whole.merge(part)
    np.testing.assert_allclose(
        whole.totals.values,
        rows.sum().values,
        rtol=1e-12,
        atol=1e-12,
        err_msg="accumulators do not merge to the totals of the whole",
    )
    _check_parts(metric, rows, given, answers)
    scores = metric.part_scores(rows, level="segment")
    assert tuple(scores) == tuple(metric.part_names), "part_scores has other names than part_names"
    for i in (0, half):
        alone = metric.sentence_score(given[i], answers[i])
        for name, part in alone.parts().items():
            np.testing.assert_allclose(
                scores[name][i],
                part.score,
                rtol=1e-9,
                atol=1e-9,
                err_msg=f"segment {i}: sentence_score and part_scores differ in {name}",
            )


def _check_parts(metric: Any, rows: Statistics, given: list[Any], answers: list[Any]) -> None:
    """One score is a number and arrays; several are mappings, and no number is made of them."""
    score, names = metric.corpus_score(given, answers), metric.part_names
    assert metric.has_parts is isinstance(score, ScoresByPart), (
        "the scores of a metric that has_parts are ScoresByPart, and those of no other"
    )
    assert tuple(score.parts()) == tuple(names), "scores have other parts than part_names"
    by_part = metric.part_scores(rows, level="segment")
    few = given[:2], [group[0] if isinstance(group, list) else group for group in answers[:3]]
    for what, found, expected in (
        ("segment_scores", metric.segment_scores(given, answers), by_part),
        ("compute", metric.compute(rows, level="segment"), by_part),
        ("pairwise", metric.pairwise(*few), None),
    ):
        if not metric.has_parts:
            found = {metric.name: found}
        assert isinstance(found, dict), f"{what} is no dictionary of arrays by part"
        assert tuple(found) == tuple(names), f"{what} has other parts than part_names"
        for name, part in found.items():
            if expected is None:
                assert part.shape == (2, 3), f"{what}: shape {part.shape} for 2 by 3 segments"
            else:
                _same(part, expected[name], f"{what} of {name} is not that of part_scores")
    if len(names) == 1:
        assert float(score) == score.parts()[names[0]].score, "the only part has another score"
        return
    try:
        float(score)
    except SeveralScoresError:
        return
    raise AssertionError("the scores of several parts have a number of their own")


def _check_fit(metric: Any, given: list[Any], answers: list[Any]) -> None:
    """Check that a metric is fitted on batches as on the whole, and on nothing less."""

    def read(first: int, last: int) -> References:
        return References.coerce(answers[first:last], Segments.coerce(given[first:last]))

    n = len(given)
    plain = metric.with_options()
    assert plain.needs_references, "with_options keeps what the metric was fitted on"
    fitted = plain.fit(read(0, n))
    assert not fitted.needs_references, "fit gives a metric that needs references"
    assert fitted.fit(read(0, 1)) is fitted, "a fitted metric is fitted anew"
    for size in (1, 3):
        counts = [plain.count_references(read(i, min(n, i + size))) for i in range(0, n, size)]
        for order in (counts, counts[::-1]):
            total = sum(order[1:], order[0])
            assert plain.fit_counts(total) == fitted, (
                f"fit: counts of batches of {size} do not add up"
            )
    rows = fitted.statistics(given, answers)
    _same(plain.statistics(given, answers), rows, "statistics: not fitted on all references given")
    assert rows.fit and f"|fit:{rows.fit}|" in f"|{fitted.signature_of(rows)}|", (
        "the signature does not say what the metric was fitted on"
    )
    if not metric.reads_texts:
        kind = "tokens" if Segments.coerce(given).is_tokens else "text"
        prepared = plain.statistics(given, plain.prepare(answers, kind=kind))
        _same(prepared, rows, "statistics: prepared references give others")
    try:
        plain.accumulator()
    except OptionError:
        return
    raise AssertionError("an accumulator of a metric that is not fitted is not refused")


def _with_fit_of(metric: Any, other: Any) -> Any:
    """Return a metric as another one was fitted: neither a signature nor a specification holds that."""
    return other.fit_counts(metric.corpus) if metric.fits_on_corpus else other


def _check_value(metric: Any, rows: Statistics, given: list[Any], answers: list[Any]) -> None:
    alike = _with_fit_of(metric, type(metric)(**_options(metric)))
    assert metric == alike, "a metric of equal options is another"
    assert hash(metric) == hash(pickle.loads(pickle.dumps(metric))), "pickling changes the hash"
    assert pickle.loads(pickle.dumps(metric)) == metric, "pickling changes the metric"
    kind = type(metric)
    again = _with_fit_of(metric, kind.from_signature(metric.signature))
    assert again.signature == metric.signature, (
        f"the signature {metric.signature} reads back as {again.signature}"
    )
    _same(again.statistics(given, answers), rows, "the metric of the signature counts otherwise")
    named = _with_fit_of(metric, get(str(metric)))
    assert named == metric, f"the specification {metric} reads back as {named!r}"


def _options(metric: Any) -> dict[str, Any]:
    from cocarde.core.options import options_of

    return {name: getattr(metric, name) for name in options_of(type(metric))}


def _check_threads(metric: Any, rows: Statistics, given: list[Any], answers: list[Any]) -> None:
    before = get_num_threads()
    try:
        for count in (1, 2, 5):
            set_num_threads(count)
            _same(metric.statistics(given, answers), rows, f"{count} threads give other numbers")
    finally:
        set_num_threads(before)
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: metric.statistics(given, answers), range(8)):
            _same(found, rows, "calls from several threads give other numbers")


def _check_refusals(metric: Any) -> None:
    for hypotheses, references, what in (
        ([], [], "no segment at all"),
        (["a", "b"], ["a"], "two hypotheses with one reference"),
        (["a"], [[]], "a segment without a reference"),
    ):
        try:
            metric.statistics(hypotheses, references)
        except InputError:
            continue
        raise AssertionError(f"{what} is not refused with an InputError")
