"""METEOR 1.5 and NLTK's METEOR."""

from cocarde.metrics.meteor.metric import METEOR, METEORScore

__all__ = ["METEOR", "METEORScore"]
