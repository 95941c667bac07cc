"""GLEU: the smaller one of n-gram precision and recall."""

from cocarde.metrics.gleu.metric import GLEU, GLEUScore

__all__ = ["GLEU", "GLEUScore"]
