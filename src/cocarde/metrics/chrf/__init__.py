"""chrF, chrF+ and chrF++."""

from cocarde.metrics.chrf.metric import CHRF, CHRFScore

__all__ = ["CHRF", "CHRFScore"]
