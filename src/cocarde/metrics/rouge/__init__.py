"""ROUGE as the Python packages and the Perl program compute it."""

from cocarde.metrics.rouge.metric import ROUGE
from cocarde.metrics.rouge.score import ROUGEScore

__all__ = ["ROUGE", "ROUGEScore"]
