"""The metrics, one folder each; `get` finds them by name.

A metric is named as on the command line: ``bleu``, or ``bleu:multi-bleu`` for a preset of it.
"""

from cocarde.core.registry import classes, get, names

__all__ = ["classes", "get", "names"]
