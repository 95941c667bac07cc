"""ROUGE as the Python packages and the Perl program compute it."""

from cocarde.metrics.rouge.metric import ROUGE, ROUGEScore

__all__ = ["ROUGE", "ROUGEScore"]
