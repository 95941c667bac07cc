"""Tuning METEOR: objectives against their definitions, searches against each other."""

from __future__ import annotations

import itertools
import json
import math
from typing import Any

import numpy as np
import pytest

from cocarde import METEOR, InputError, OptionError, tune_meteor
from cocarde.tuning.meteor import Ranking, TuningProgress, grid_values
from tests.tuning_data import judged

DATA = judged()
COARSE = {
    "alpha": [0.2, 0.6, 1.0],
    "beta": [0.0, 0.5, 1.5],
    "gamma": [0.1, 0.5, 1.0],
    "delta": [0.0, 0.5, 1.0],
    "stem": [0.0, 1.0],
    "synonym": [0.5],
}
POINTS = [
    {"alpha": 0.0, "beta": 0.0, "gamma": 0.3, "delta": 1.0, "weights": (1, 0.2, 0.9)},
    {"alpha": 1.0, "beta": 2.0, "gamma": 1.0, "delta": 0.0, "weights": (0.5, 1, 0)},
    {"alpha": 0.37, "beta": 0.81, "gamma": 0.66, "delta": 0.41, "weights": (1, 0.33, 0.71)},
]


def pearson(x: list[float], y: list[float], weights: list[float]) -> float:
    total = math.fsum(weights)
    mean_x = math.fsum(w * a for w, a in zip(weights, x, strict=True)) / total
    mean_y = math.fsum(w * b for w, b in zip(weights, y, strict=True)) / total
    terms = [(w, a - mean_x, b - mean_y) for w, a, b in zip(weights, x, y, strict=True)]
    spread = math.fsum(w * a * a for w, a, b in terms) * math.fsum(w * b * b for w, a, b in terms)
    return math.fsum(w * a * b for w, a, b in terms) / math.sqrt(spread) if spread else 0.0


def ranks(x: list[float]) -> list[float]:
    return [sum(b < a for b in x) + (sum(b == a for b in x) + 1) / 2 for a in x]


def tau(scores: dict[str, list[float]], rankings: Any, epsilon: float = 0) -> float:
    right = sum(scores[a][s] - scores[b][s] > epsilon for s, a, b in rankings)
    return float((2 * right - len(rankings)) / len(rankings))


def at(metric: METEOR, point: dict[str, Any], *given: Any, **options: Any) -> float:
    """The objective at a point, as the baseline of a search that has nowhere to go."""
    changes = {name: value for name, value in point.items() if name != "weights"}
    moved = metric.with_options(task=None, stage_weights=point["weights"], **changes)
    weights = dict(zip(metric.stages or (), point["weights"], strict=True))
    tuning = tune_meteor(moved, *given, grid={**changes, **weights}, folds=0, **options)
    assert tuning.before == tuning.after and tuning.metric == moved
    return tuning.before


@pytest.mark.parametrize("characters", [False, True])
@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("several", [False, True])
def test_objectives_are_their_definitions(
    several: bool, point: dict[str, Any], characters: bool
) -> None:
    base = METEOR(character_based=characters)
    references: Any = DATA.references
    if several:
        other = judged(2).references
        references = [
            [a, b] if i % 3 else [a] for i, (a, b) in enumerate(zip(references, other, strict=True))
        ]
    changes = {name: value for name, value in point.items() if name != "weights"}
    metric = base.with_options(task=None, stage_weights=point["weights"], **changes)
    scores = {
        name: metric.segment_scores(lines, references).tolist()
        for name, lines in DATA.systems.items()
    }
    given = (DATA.systems, references)
    x = [value for lines in scores.values() for value in lines]
    y = [value for lines in DATA.scores.values() for value in lines]
    lengths = [
        float(
            np.mean(
                [len(text.replace(" ", "")) if characters else len(text.split()) for text in texts]
            )
        )
        for texts in ([one] if isinstance(one, str) else one for one in references)
    ] * 3
    ones = [1.0] * len(x)
    expected = {
        "weighted-pearson": pearson(x, y, lengths),
        "pearson": pearson(x, y, ones),
        "spearman": pearson(ranks(x), ranks(y), ones),
    }
    for objective, value in expected.items():
        found = at(base, point, *given, DATA.scores, objective=objective)
        assert math.isclose(found, value, abs_tol=1e-9), objective
    assert at(base, point, *given, DATA.rankings) == pytest.approx(tau(scores, DATA.rankings))
    strict = at(base, point, *given, DATA.rankings, epsilon=5)
    assert strict == pytest.approx(tau(scores, DATA.rankings, 5))
    assert strict < tau(scores, DATA.rankings)


def test_ties_count_as_wrong() -> None:
    same = {"a": ["the cat"], "b": ["the cat"]}
    tuning = tune_meteor(METEOR(), same, ["the cat"], [(0, "a", "b")], folds=0)
    assert (tuning.before, tuning.after) == (-1, -1)
    assert tuning.metric.alpha == METEOR().alpha  # nothing moves without a reason


@pytest.mark.parametrize("objective", ["kendall", "weighted-pearson", "pearson", "spearman"])
def test_every_search_finds_the_best_point(objective: str) -> None:
    best = -2.0
    names = list(COARSE)
    for values in itertools.product(*COARSE.values()):
        point: dict[str, Any] = dict(zip(names, values, strict=True))
        weights = (1.0, point.pop("stem"), point.pop("synonym"))
        value = at(
            METEOR(), {**point, "weights": weights}, DATA.systems, DATA.references, DATA.scores,
            objective=objective,
        )  # fmt: skip
        if value > best + 1e-12:
            best, first = value, {**point, "exact": 1.0, "stem": weights[1], "synonym": weights[2]}
    options: Any = {"objective": objective, "grid": COARSE, "folds": 0}
    given = (METEOR(), DATA.systems, DATA.references, DATA.scores)
    all_points = tune_meteor(*given, search="exhaustive", **options)
    assert all_points.after == pytest.approx(best, abs=1e-12)
    assert all_points.points == 162
    # The first in the Trainer's order.
    assert all_points.parameters == pytest.approx(first)
    planes = tune_meteor(*given, **options)
    assert planes.after == pytest.approx(best, abs=1e-12)


def test_what_is_known_is_found_again() -> None:
    data = judged(3, 60)
    truth = METEOR(
        alpha=0.35, beta=1.1, gamma=0.4, delta=0.6, stage_weights=(1, 0.25, 0.7), task=None
    )
    wanted = {
        name: truth.segment_scores(lines, data.references) for name, lines in data.systems.items()
    }
    tuning = tune_meteor(METEOR(), data.systems, data.references, wanted)
    assert tuning.after == pytest.approx(1)
    assert tuning.metric == truth
    assert tuning.held_out_after > 0.999 > tuning.held_out_before
    rankings = [
        Ranking(index, a, b)
        for a, b in itertools.permutations(data.systems, 2)
        for index in range(60)
        if wanted[a][index] > wanted[b][index]
    ]
    assert tune_meteor(METEOR(), data.systems, data.references, rankings).after == 1
    as_pairs = tune_meteor(METEOR(), data.systems, data.references, wanted, objective="kendall")
    assert (as_pairs.after, as_pairs.judgements) == (1, len(rankings))


def test_low_numbers_may_be_good_and_nobody_may_have_judged() -> None:
    given = (METEOR(), DATA.systems, DATA.references)
    turned = {name: [-value for value in values] for name, values in DATA.scores.items()}
    options: Any = {"grid": COARSE, "folds": 0}
    for objective in ("weighted-pearson", "kendall"):
        one = tune_meteor(*given, DATA.scores, objective=objective, **options)
        other = tune_meteor(*given, turned, objective=objective, lower_is_better=True, **options)
        assert one.to_dict() == other.to_dict()
    some = {name: [*values[:9], None, math.nan, None] for name, values in DATA.scores.items()}
    shorter = (
        METEOR(), {name: lines[:9] for name, lines in DATA.systems.items()}, DATA.references[:9],
        {name: values[:9] for name, values in DATA.scores.items()},
    )  # fmt: skip
    found = tune_meteor(*given, some, **options)
    assert found.judgements == 27
    assert found.after == tune_meteor(*shorter, **options).after


def test_times_are_repetitions() -> None:
    given = (METEOR(), DATA.systems, DATA.references)
    repeated = [*DATA.rankings, DATA.rankings[0], DATA.rankings[0]]
    counted = [(*DATA.rankings[0], 3), *DATA.rankings[1:]]
    one, other = (
        tune_meteor(*given, rankings, grid=COARSE, folds=0) for rankings in (repeated, counted)
    )
    assert one == other and one.judgements == len(repeated)


def test_ids_and_tokens_with_several_references() -> None:
    exact = METEOR(stages=("exact",))
    # None of these is a function word, which ids cannot be.
    texts = ["p q r x", "p r y", "q p"]
    references = [["p q r", "x r q p"], ["p r y z"], ["p q", "q", "r p"]]
    numbers = {letter: place for place, letter in enumerate("pqrxyz")}
    options: Any = {
        "grid": {"alpha": [0.3, 0.8], "beta": 1, "gamma": 0.5, "delta": 0.5},
        "folds": 0,
    }

    def ids(text: str) -> list[int]:
        return [numbers[word] for word in text.split()]

    y = [0.2, 0.9, 0.4]
    found = tune_meteor(exact, texts, references, y, **options)
    as_tokens = tune_meteor(
        exact, [text.split() for text in texts],
        [[text.split() for text in row] for row in references], y, **options,
    )  # fmt: skip
    as_ids = tune_meteor(
        exact, list(map(ids, texts)), [list(map(ids, row)) for row in references], y, **options
    )
    assert found == as_tokens == as_ids


def test_cross_validation_keeps_segments_apart() -> None:
    # Judgements without sense are learned, but not held out.
    generator = np.random.default_rng(0)
    noise = {name: generator.normal(size=12) for name in DATA.systems}
    tuning = tune_meteor(METEOR(), DATA.systems, DATA.references, noise, folds=4)
    assert sum(fold.segments for fold in tuning.folds) == 12 and len(tuning.folds) == 4
    assert all(fold.training_after >= fold.training_before for fold in tuning.folds)
    assert tuning.overfitting > 0
    # What a fold reports of itself.
    fold = tuning.folds[0]
    assert set(fold.parameters) == {"alpha", "beta", "gamma", "delta", "exact", "stem", "synonym"}
    again = tune_meteor(METEOR(), DATA.systems, DATA.references, noise, folds=4)
    assert again == tuning
    assert tune_meteor(METEOR(), DATA.systems, DATA.references, noise, folds=4, seed=1) != tuning


def test_the_result_prints_and_is_json() -> None:
    tuning = tune_meteor(
        METEOR(), DATA.systems, DATA.references, DATA.rankings, grid=COARSE, folds=3
    )
    text = str(tuning)
    assert "48 rankings" in text and "held out, mean of 3 folds" in text
    assert text.endswith(tuning.metric.signature) and "task:custom" in text
    assert METEOR.from_signature(tuning.metric.signature) == tuning.metric
    values = json.loads(json.dumps(tuning.to_dict()))
    assert values["parameters"] == tuning.parameters and len(values["folds"]) == 3
    assert "Kendall&#x27;s tau" in tuning._repr_html_()


def test_progress_is_told_and_may_end_the_search() -> None:
    told: list[TuningProgress] = []
    tune_meteor(
        METEOR(), DATA.systems, DATA.references, DATA.rankings, folds=2, progress=told.append
    )
    assert {state.fold for state in told} == {0, 1, 2}
    assert all(-1 <= state.best <= 1 and state.folds == 2 for state in told)

    def stop(state: TuningProgress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tune_meteor(METEOR(), DATA.systems, DATA.references, DATA.rankings, progress=stop)


def test_grid_values() -> None:
    assert grid_values(0, 1, 0.25) == (0, 0.25, 0.5, 0.75, 1)
    assert grid_values(0.5, 0.5, 1) == (0.5,)
    assert len(grid_values(0, 1, 0.05)) == 21 == len(grid_values(0, 1, 0.05, accumulated=True))
    assert grid_values(0, 0.3, 0.1, accumulated=True)[3] == 0.1 + 0.1 + 0.1
    for wrong in ((0, 1, 0), (1, 0, 0.1), (0, math.inf, 1), (0, 1, -1)):
        with pytest.raises(OptionError, match="a range goes from"):
            grid_values(*wrong)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"grid": {"omega": 1}}, "no parameter 'omega'.*exact, stem, synonym"),
        ({"grid": {"alpha": [0.5, 1.5]}}, "alpha must be from 0 to 1; found 1.5"),
        ({"grid": {"beta": []}}, "beta has no values"),
        ({"search": "random"}, "search must be one of coordinate, exhaustive"),
        ({"objective": "bleu"}, "objective must be one of"),
        ({"objective": "pearson"}, "rankings have Kendall's tau alone"),
        ({"starts": 0}, "starts must be a whole number, 1 or more"),
        ({"folds": 1}, "folds must be 0, or from 2"),
        ({"folds": 100}, "number of judged segments, 12"),
        ({"epsilon": -1}, "epsilon must be 0 or more"),
    ],
)
def test_wrong_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        tune_meteor(METEOR(), DATA.systems, DATA.references, DATA.rankings, **options)


@pytest.mark.parametrize(
    ("judgements", "message"),
    [
        ([(0, "one", "two"), (12, "one", "two")], r"judgements\[1\]: there is no segment 12"),
        ([(0, "one", "one")], "cannot be better than itself"),
        ([(0, "one", "two", 0)], "`times` is a number above 0"),
        ([("0", "one", "two")], "a segment is a number; found '0'"),
        ([(0, "one")], r"judgements\[0\] must be \(segment, better, worse\)"),
        (
            [(0, "one", "four")],
            "none of 1 rankings compares two of the systems 'one', 'two', 'three'",
        ),
        ([1.0] * 12, "with several systems give a mapping"),
        ({"four": [1] * 12}, "no system 'four'; there are one, two, three"),
        ({"one": [1] * 12}, "nothing for the system 'two'"),
        ({**DATA.scores, "two": [1] * 11}, r"judgements\['two'\] has 11 numbers.*12 segments"),
        ({**DATA.scores, "two": ["x"] * 12}, r"judgements\['two'\]\[0\] must be a number or None"),
        (dict.fromkeys(DATA.systems, [1] * 12), "at least two that differ"),
        ("kendall", "judgements must be numbers or rankings"),
        ([], "with several systems|at least two"),
    ],
)
def test_wrong_judgements(judgements: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        tune_meteor(METEOR(), DATA.systems, DATA.references, judgements)


def test_other_metrics_are_refused() -> None:
    nltk: Any = METEOR.preset("nltk")
    with pytest.raises(OptionError, match=r"only METEOR 1\.5 can be tuned"):
        tune_meteor(nltk, DATA.systems, DATA.references, DATA.rankings)
