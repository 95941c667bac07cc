"""GLEU's native kernel and its explanation beside the plain definition."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cocarde
from cocarde import GLEU
from tests.oracles import gleu as definition

pytestmark = pytest.mark.filterwarnings("ignore::cocarde.errors.CocardeWarning")

few = st.lists(st.sampled_from("ab"), max_size=90)
many = st.lists(st.sampled_from(["the", "(the", "cat", "中文", "é", "a longer token"]), max_size=20)
# The lower order, and how many orders there are.
orders = st.tuples(st.integers(1, 9), st.integers(0, 12))


@given(few | many, st.lists(few | many, min_size=1, max_size=4), orders)
@settings(max_examples=200, deadline=None)
def test_definition(hypothesis: list[str], references: list[list[str]], given: Any) -> None:
    least, most = given[0], given[0] + given[1]
    metric = GLEU(min_ngram_order=least, max_ngram_order=most)
    row = metric.statistics([hypothesis], [references]).values[0]
    assert row.tolist() == definition.row(hypothesis, references, least, most)
    score = metric.sentence_score(hypothesis, references)
    matches, _, mine, theirs = map(int, row)
    assert score.fraction == pytest.approx(definition.score(matches, mine, theirs), rel=1e-12)
    assert score.score == pytest.approx(min(score.precision, score.recall), rel=1e-12)
    explained: Any = cocarde.explain(metric, [hypothesis], [references], segment=0)
    assert explained.references[explained.chosen - 1].matches == matches
    pairs = metric.pairwise([hypothesis], references)[0]
    alone = [definition.counts(hypothesis, one, least, most) for one in references]
    expected = [100 * definition.score(one[0], *one[2:]) for one in alone]
    assert pairs.tolist() == pytest.approx(expected, rel=1e-12)


@given(few | many, few | many)
@settings(max_examples=100, deadline=None)
def test_it_is_symmetrical(one: list[str], other: list[str]) -> None:
    """As Wu et al. say of it: when output and target are exchanged, the score stays."""
    metric = GLEU()
    assert metric.sentence_score(one, [other]).score == metric.sentence_score(other, [one]).score
    assert metric.sentence_score(one, [one]).score == (100 if one else 0)
