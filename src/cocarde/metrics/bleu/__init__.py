"""BLEU in every convention that is in use."""

from cocarde.metrics.bleu.metric import BLEU, BLEUScore

__all__ = ["BLEU", "BLEUScore"]
