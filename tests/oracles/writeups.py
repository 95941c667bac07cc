"""Two BLEU codes that people copy from write-ups, by their behaviour.

``transformer_*`` is the code of a Transformer training loop: a vector of ten statistics a segment,
added up over the validation set; BLEU is 0 as soon as any of the ten is 0.

``numpy_bleu`` counts an n-gram of the hypothesis as matched each time it occurs, however rare it is
in the reference (no clipping), and lifts every precision to at least 1e-10.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from tests.oracles import bleu
from tests.oracles.bleu import Tokens


def transformer_statistics(hypothesis: Tokens, reference: Tokens) -> list[int]:
    """``[c, r, matches_1, total_1, ..., matches_4, total_4]`` against the one reference."""
    return bleu.statistics(hypothesis, [reference])


def transformer_bleu(totals: Sequence[int]) -> float:
    """0 to 1."""
    if any(value == 0 for value in totals):
        return 0.0
    hypothesis_length, reference_length = totals[:2]
    log_precision = (
        sum(math.log(m / t) for m, t in zip(totals[2::2], totals[3::2], strict=True)) / 4
    )
    return math.exp(min(0.0, 1 - reference_length / hypothesis_length) + log_precision)


def transformer_words(ids: Sequence[int], vocabulary: Sequence[str]) -> list[str]:
    """Words of a model's output; special symbols are those whose word holds a ``<``."""
    return [vocabulary[number] for number in ids if "<" not in vocabulary[number]]


def numpy_precisions(hypothesis: Tokens, reference: Tokens, clip: bool = False) -> list[float]:
    """Precisions of the orders 1 to 4, without clipping unless asked for."""
    row = bleu.statistics(hypothesis, [reference], clip=clip)
    return [m / t if t else 0.0 for m, t in zip(row[2::2], row[3::2], strict=True)]


def numpy_bleu(
    hypothesis: Tokens, reference: Tokens, clip: bool = False, floor: float = 1e-10
) -> float:
    """0 to 1."""
    logs = [math.log(max(p, floor)) for p in numpy_precisions(hypothesis, reference, clip)]
    return bleu.brevity_penalty(len(hypothesis), len(reference)) * math.exp(sum(logs) / 4)
