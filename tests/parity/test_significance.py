"""sacreBLEU 2.6.0's paired tests and MultEval's published table beside `cocarde.significance`."""

from __future__ import annotations

import random
from functools import cache
from itertools import permutations
from typing import Any

import numpy as np
import pytest

import cocarde
from cocarde import BLEU, CHRF, METEOR, TER, Comparison, MissingExtraError
from cocarde.significance import bootstrap_intervals, paired_bootstrap, paired_randomization
from cocarde.significance.length import Length
from cocarde.significance.resampling import bootstrap_weights, overlapping_masks, shuffle_masks
from tests.data_access import MULTEVAL_TABLE, MultEval

sacrebleu = pytest.importorskip("sacrebleu", reason="sacreBLEU is not installed")
from sacrebleu import metrics as peers  # noqa: E402
from sacrebleu import significance as peer  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::cocarde.errors.CocardeWarning")

SEGMENTS = 1500
SEGMENTS_OF_TER = 100  # 10 ms each in the peer
SYSTEMS = ["baseline.opt0", "sys1.opt0", "sys1.opt1", "baseline.opt2"]


@cache
def _statistics_of_ter(hypotheses: tuple[str, ...], references: tuple[str, ...]) -> Any:
    return peers.TER()._extract_corpus_statistics(hypotheses, [references])


class _PeerTER(peers.TER):  # type: ignore[misc]
    """sacreBLEU's TER, which counts the edits of a system once, not in every test."""

    def _extract_corpus_statistics(self, hypotheses: Any, references: Any) -> Any:
        (only,) = references
        self.num_refs = 1
        return _statistics_of_ter(tuple(hypotheses), tuple(only))


# The metric here, and sacreBLEU's own. A metric that is new here needs one line more.
METRICS: dict[str, tuple[Any, Any]] = {
    "bleu": (BLEU(force=True), lambda: peers.BLEU(force=True)),
    "bleu-none": (
        BLEU(tokenize="none", lowercase=True, smooth_method="floor"),
        lambda: peers.BLEU(tokenize="none", lowercase=True, smooth_method="floor"),
    ),
    "chrf": (CHRF(), peers.CHRF),
    "ter": (TER(), _PeerTER),
}


class _DoublePrecision:
    """NumPy in which the type float32 is float64.

    sacreBLEU keeps the statistics of resamples as float32. Their sums are exact, but from NumPy 2 on
    its formula goes on in single precision, which NumPy 1 did not; so its means differ with NumPy.
    """

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)

    def array(self, values: Any, dtype: Any = None) -> Any:
        return np.array(values, dtype="float64" if dtype == "float32" else dtype)


@pytest.fixture(params=["12345 double", "7 double", "12345 as it is"])
def setting(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> tuple[int, float]:
    """A seed; and sacreBLEU in double precision, which is ours, or as it is, with a tolerance."""
    seed, _, precision = request.param.partition(" ")
    monkeypatch.setenv("SACREBLEU_SEED", seed)
    if precision == "double":
        monkeypatch.setattr(peer, "np", _DoublePrecision())
        return int(seed), 1e-9
    return int(seed), 2e-5


def texts_for(name: str, data: MultEval) -> tuple[dict[str, list[str]], list[str]]:
    """The hypotheses of each system and the references that are compared."""
    count = SEGMENTS_OF_TER if name == "ter" else SEGMENTS
    return {system: data.systems[system][:count] for system in SYSTEMS}, data.reference[:count]


def run_peer(
    name: str, data: MultEval, test: str, samples: int, confidence: int = -1
) -> dict[str, Any]:
    """sacreBLEU's results by system."""
    metric = METRICS[name][1]()
    systems, references = texts_for(name, data)
    paired = peer.PairedTest(
        list(systems.items()),
        {"metric": metric},
        [references],
        test,
        n_samples=samples,
        n_ar_confidence=confidence,
    )
    _, scores = paired()
    (label,) = (key for key in scores if key != "System")
    return dict(zip(scores["System"], scores[label], strict=True))


def run_ours(name: str, data: MultEval, **options: Any) -> Comparison:
    return cocarde.compare(*texts_for(name, data), {name: METRICS[name][0]}, **options)


@pytest.mark.parametrize("name", METRICS)
def test_paired_bootstrap(name: str, multeval: MultEval, setting: tuple[int, float]) -> None:
    seed, tolerance = setting
    wanted = run_peer(name, multeval, "bs", 300)
    found = run_ours(name, multeval, samples=300, seed=seed)
    for system, result in wanted.items():
        ours = found[system, name]
        assert ours.score == pytest.approx(result.score, abs=1e-9)
        assert ours.p_value == result.p_value
        assert ours.interval.mean == pytest.approx(result.mean, abs=tolerance)
        assert ours.interval.half_width == pytest.approx(result.ci, abs=tolerance)
    assert len({one.p_value for one in found.values()}) > 2


@pytest.mark.parametrize("name", METRICS)
def test_approximate_randomisation(
    name: str, multeval: MultEval, setting: tuple[int, float]
) -> None:
    seed, tolerance = setting
    wanted = run_peer(name, multeval, "ar", 1000, confidence=200)
    options: dict[str, Any] = {"test": "randomization", "samples": 1000, "interval_samples": 200}
    found = run_ours(name, multeval, seed=seed, **options)
    for system, result in wanted.items():
        ours = found[system, name]
        assert ours.score == pytest.approx(result.score, abs=1e-9)
        assert ours.p_value == result.p_value
        assert ours.interval.mean == pytest.approx(result.mean, abs=tolerance)
        assert ours.interval.half_width == pytest.approx(result.ci, abs=tolerance)
    assert len({one.p_value for one in found.values()}) > 2


def test_the_functions_for_two_systems(multeval: MultEval, setting: tuple[int, float]) -> None:
    metric = METRICS["bleu"][0]
    rows = {
        name: metric.statistics(lines[:SEGMENTS], multeval.reference[:SEGMENTS])
        for name, lines in multeval.systems.items()
    }
    seed, tolerance = setting
    wanted = run_peer("bleu", multeval, "bs", 300)
    shuffled = run_peer("bleu", multeval, "ar", 1000)
    for name in SYSTEMS[1:]:
        pair = (metric, rows[SYSTEMS[0]], rows[name])
        assert (
            paired_bootstrap(*pair, samples=300, seed=seed)["BLEU"].p_value == wanted[name].p_value
        )
        assert (
            paired_randomization(*pair, samples=1000, seed=seed)["BLEU"].p_value
            == shuffled[name].p_value
        )
        interval = bootstrap_intervals(metric, rows[name], samples=300, seed=seed)["BLEU"]
        assert interval.mean == pytest.approx(wanted[name].mean, abs=tolerance)


def test_interval_of_a_corpus_score(multeval: MultEval, setting: tuple[int, float]) -> None:
    seed, tolerance = setting
    hypotheses = multeval.systems["sys1.opt0"]
    score = peers.BLEU(force=True).corpus_score(hypotheses, [multeval.reference], n_bootstrap=500)
    metric = BLEU(force=True)
    rows = metric.statistics(hypotheses, multeval.reference)
    found = bootstrap_intervals(metric, rows, samples=500, seed=seed)["BLEU"]
    assert found.mean == pytest.approx(score._mean, abs=tolerance)
    assert found.half_width == pytest.approx(score._ci, abs=tolerance)


def test_a_system_against_itself_is_the_one_difference(multeval: MultEval) -> None:
    """sacreBLEU prints the smallest p-value there is, since no sample differs by *more* than 0."""
    lines = multeval.systems["sys1.opt0"][:100]
    references = multeval.reference[:100]
    for test, samples in (("bs", 100), ("ar", 100)):
        _, scores = peer.PairedTest(
            [("a", lines), ("b", lines)],
            {"BLEU": peers.BLEU(force=True)},
            [references],
            test,
            n_samples=samples,
        )()
        assert scores["BLEU"][1].p_value == 1 / (samples + 1)
    for kind in ("bootstrap", "randomization"):
        found = cocarde.compare({"a": lines, "b": lines}, references, test=kind, samples=100)
        assert found["b", "bleu"].p_value == 1
        assert found["b", "bleu"].verdict == "same"


def test_ties_are_the_other_difference() -> None:
    """Shuffles that tie with the observed difference: none is larger here, some are in sacreBLEU.

    With three references the average length is in thirds; which of the ties come out larger in the
    last bit depends on the order in which they are summed up.
    """
    apart = 0
    for seed in range(1, 16):
        generator = random.Random(seed)

        def words(count: int, generator: random.Random = generator) -> str:
            return " ".join(generator.choice("abcdef") for _ in range(count))

        references = [[words(generator.randint(3, 7)) for _ in range(3)] for _ in range(6)]
        old = [words(5) for _ in range(6)]
        new = [*(words(5) for _ in range(3)), *old[3:]]
        edits = [TER().statistics(texts, references)["edits"] for texts in (old, new)]
        gains = edits[1] - edits[0]  # whole numbers, and the lengths of references are the same
        if not gains.sum():
            continue
        tossed = np.random.default_rng(12345).integers(2, size=(1000, 6), dtype=bool)
        shuffled = np.abs(np.where(tossed, gains, -gains).sum(axis=1))
        larger, tied = ((shuffled > abs(gains.sum())).sum(), (shuffled == abs(gains.sum())).sum())
        found = cocarde.compare(
            {"old": old, "new": new}, references, ["ter"], test="randomization", samples=1000
        )["new", "ter"]
        _, scores = peer.PairedTest(
            [("old", old), ("new", new)],
            {"TER": peers.TER()},
            [list(stream) for stream in zip(*references, strict=True)],
            "ar",
            n_samples=1000,
        )()
        assert found.p_value == (larger + 1) / 1001
        assert found.verdict == "same"  # three segments differ
        wanted = scores["TER"][1].p_value
        assert found.p_value <= wanted <= (larger + tied + 1) / 1001
        apart += wanted != found.p_value
    assert apart


def test_draws_are_those_of_one_call() -> None:
    """However many blocks they are drawn in."""
    segments, samples = 3001, 1500  # several blocks of either kind
    drawn = np.random.default_rng(5).choice(segments, size=(samples, segments), replace=True)
    blocks = 0
    for rows, weights, last in bootstrap_weights(np.random.default_rng(5), segments, samples):
        wanted = np.stack([np.bincount(row, minlength=segments) for row in drawn[rows]])
        assert (weights == wanted).all() and (last == drawn[rows, -1]).all()
        blocks += 1
    assert blocks > 2
    tossed = np.random.default_rng(5).integers(2, size=(samples, segments), dtype=bool)
    blocks = 0
    for rows, leaves in shuffle_masks(np.random.default_rng(5), segments, samples):
        assert (leaves == ~tossed[rows]).all()
        blocks += 1
    assert blocks > 2


def _runs(multeval: MultEval, system: str) -> list[list[str]]:
    return [multeval.systems[f"{system}.opt{run}"] for run in range(3)]


@pytest.mark.parametrize("name", MULTEVAL_TABLE)
def test_multeval(name: str, data_folder: object, multeval: MultEval) -> None:
    metrics: dict[str, Any] = {
        "bleu": BLEU(tokenize="none"),
        "meteor": METEOR.preset("meteor-1.5"),
        "ter": TER(),
        "length": Length(),
    }
    try:
        found = cocarde.compare(
            {system: _runs(multeval, system) for system in ("baseline", "sys1")},
            multeval.reference,
            {name: metrics[name]},
            test="multeval",
            interval_samples=10_000,  # MultEval's default: one s_sel is close to 0.35
        )
    except MissingExtraError as error:
        pytest.skip(str(error))
    assert found.runs == 3
    for system, (score, selection, optimizer, p_value) in MULTEVAL_TABLE[name].items():
        result = found[system, name]
        assert f"{result.score:.1f}" == score
        assert f"{result.selection_deviation:.1f}" == selection
        assert f"{result.optimizer_deviation:.1f}" == optimizer
        if p_value is not None:
            assert f"{result.p_value:.2f}" == p_value


def definition_of_multeval(rows: list[Any], coins: Any, orders: Any) -> tuple[float, float]:
    """The two pseudo-systems' sums, place by place as in MultEval's class Shuffling."""
    runs, segments = coins.shape
    first = second = 0.0
    for segment in range(segments):
        order = list(orders[segment])
        for place in range(runs):
            chosen = rows[int(coins[place, segment])]
            first += chosen[order[place]][segment]
            chosen = rows[int(not coins[place, segment])]
            second += chosen[order.index(place)][segment]
    return first, second


def test_shuffles_of_multeval_by_its_definition() -> None:
    runs, segments, samples = 3, 5, 40
    rows = np.random.default_rng(1).random((2, runs, segments))
    table = np.array(list(permutations(range(runs))))
    generator = np.random.default_rng(2)
    coins = generator.integers(2, size=(samples, runs, segments), dtype=bool)
    orders = table[generator.integers(len(table), size=(samples, segments))]
    overlapped = 0
    for block, first, second in overlapping_masks(
        np.random.default_rng(2), segments, runs, samples
    ):
        for sample in range(block.start, block.stop):
            a, b = rows.reshape(2, -1)
            gained = [mask[sample] @ (b - a) for mask in (first, second)]
            wanted = definition_of_multeval(list(rows), coins[sample], orders[sample])
            assert (a.sum() + gained[0], b.sum() - gained[1]) == pytest.approx(wanted)
            overlapped += bool((first[sample] != second[sample]).any())
    assert overlapped
