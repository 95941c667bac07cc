"""Errors say in attributes what their messages say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pytest

import cocarde
from cocarde.errors import OptionError


@pytest.mark.parametrize(
    ("make", "option", "value", "choices"),
    [
        (lambda: cocarde.BLEU(max_ngram_order=0), "max_ngram_order", 0, False),
        (lambda: cocarde.BLEU(smooth_method="flor"), "smooth_method", "flor", True),
        (lambda: cocarde.metrics.get("chrf", whitespace="no"), "whitespace", "no", False),
        (lambda: cocarde.METEOR(language="zz"), "language", "zz", True),
        (lambda: cocarde.METEOR(task="rnk"), "task", "rnk", True),
        (lambda: cast("Any", cocarde.BLEU)(tokenise="zh"), "tokenise", None, True),
        (
            lambda: cocarde.compare({"a": ["x"], "b": ["y"]}, ["x"], ["bleu"], baseline="c"),
            "baseline",
            "c",
            True,
        ),
        (lambda: cocarde.compare({"a": ["x"]}, ["x"], ["bleu"], test="boot"), "test", "boot", True),
    ],
)
def test_an_error_of_an_option_says_which_and_what_was_found(
    make: Callable[[], object], option: str, value: object, choices: bool
) -> None:
    with pytest.raises(OptionError) as caught:
        make()
    assert (caught.value.option, caught.value.value) == (option, value)
    assert bool(caught.value.choices) is choices
