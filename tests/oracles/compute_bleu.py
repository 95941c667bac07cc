"""``compute_bleu`` of TensorFlow's NMT tutorial, also behind Hugging Face ``evaluate`` "bleu".

Written from its behaviour. What sets it apart: the **shortest** reference of each segment counts
for the length, and its smoothing (Lin and Och, COLING 2004) adds one to matches and totals of
*every* order, the first one too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from tests.oracles import bleu
from tests.oracles.bleu import Tokens


class Result(NamedTuple):
    """What ``compute_bleu`` returns, in its order; the score is 0 to 1."""

    score: float
    precisions: list[float]
    brevity_penalty: float
    ratio: float
    translation_length: int
    reference_length: int


def compute_bleu(
    references: Sequence[Sequence[Tokens]],
    hypotheses: Sequence[Tokens],
    max_order: int = 4,
    smooth: bool = False,
) -> Result:
    """Corpus BLEU; ``ZeroDivisionError`` where the hypotheses or references hold no token."""
    rows = [
        bleu.statistics(hypothesis, group, max_order, "shortest")
        for hypothesis, group in zip(hypotheses, references, strict=True)
    ]
    totals = bleu.add_up(rows)
    precisions = []
    for matched, total in zip(totals[2::2], totals[3::2], strict=True):
        if smooth:
            precisions.append((matched + 1) / (total + 1))
        else:
            precisions.append(matched / total if total else 0.0)
    mean = 0.0
    if min(precisions) > 0:
        mean = math.exp(sum(math.log(precision) for precision in precisions) / max_order)
    ratio = totals[0] / totals[1]
    penalty = 1.0 if ratio > 1 else math.exp(1 - 1 / ratio)
    return Result(mean * penalty, precisions, penalty, ratio, totals[0], totals[1])
