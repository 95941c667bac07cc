"""Which system is better: intervals and paired tests for every metric, from its statistics alone."""

from __future__ import annotations

from cocarde.significance.bootstrap import (
    Interval,
    PairedResult,
    bootstrap_intervals,
    estimate,
    paired_bootstrap,
)
from cocarde.significance.comparison import (
    Comparison,
    Runs,
    SystemResult,
    compare,
    compare_statistics,
)
from cocarde.significance.correction import benjamini_hochberg, correct, holm
from cocarde.significance.randomization import paired_randomization

__all__ = [
    "Comparison",
    "Interval",
    "PairedResult",
    "Runs",
    "SystemResult",
    "benjamini_hochberg",
    "bootstrap_intervals",
    "compare",
    "compare_statistics",
    "correct",
    "estimate",
    "holm",
    "paired_bootstrap",
    "paired_randomization",
]
