"""TER: edits of words and shifts of phrases."""

from cocarde.metrics.ter.metric import TER, TERScore

__all__ = ["TER", "TERScore"]
