"""torchtext's ``bleu_score`` by its behaviour, for machines where torchtext cannot be loaded.

Of two reference lengths that are equally close the **first** counts; a score is 0 as soon as an
order has no match.
"""

from __future__ import annotations

from collections.abc import Sequence

from tests.oracles import bleu
from tests.oracles.bleu import Tokens


def bleu_score(
    hypotheses: Sequence[Tokens],
    references: Sequence[Sequence[Tokens]],
    weights: Sequence[float] = (0.25, 0.25, 0.25, 0.25),
) -> float:
    """Corpus BLEU, 0 to 1; the number of weights is the highest order."""
    rows = [
        bleu.statistics(hypothesis, group, len(weights), "closest-first")
        for hypothesis, group in zip(hypotheses, references, strict=True)
    ]
    return bleu.score(bleu.add_up(rows), weights)
