"""The metrics, one file each; `get` finds them by name.

A metric is named as on the command line: ``bleu``, or ``bleu:multi-bleu`` for a preset of it.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from cocarde.errors import OptionError

__all__ = [
    "classes",
    "get",
    "metric_class",
    "names",
]


_HOMES = {
    "bleu": ("cocarde.metrics.bleu.metric", "BLEU"),
    "rouge": ("cocarde.metrics.rouge.metric", "ROUGE"),
    "meteor": ("cocarde.metrics.meteor.metric", "METEOR"),
    "chrf": ("cocarde.metrics.chrf.metric", "CHRF"),
    "ter": ("cocarde.metrics.ter.metric", "TER"),
}


def names() -> list[str]:
    """Return the names of all metrics."""
    return list(_HOMES)


def metric_class(name: str) -> Any:
    """Return the class of a metric.

    Raises
    ------
    OptionError
        If there is no metric of that name; case does not matter.
    """
    home = _HOMES.get(name.lower())
    if home is None:
        from cocarde.core.suggestions import meant_metrics

        meant = " or ".join(map(str, meant_metrics(name)))
        hint = f"did you mean {meant}? There are" if meant else "there are"
        raise OptionError(f"there is no metric {name!r}; {hint} {', '.join(_HOMES)}")
    return getattr(import_module(home[0]), home[1])


def classes() -> dict[str, Any]:
    """Return the class of every metric by name."""
    return {name: metric_class(name) for name in _HOMES}


def get(metric: Any, **options: Any) -> Any:
    """Return a metric by name, or the metric itself.

    Parameters
    ----------
    metric : str or Metric
        ``"bleu"``, ``"bleu:nltk"`` (a preset), or a metric, which is returned as it is.
    **options
        Keywords of the metric, with a name only.

    Returns
    -------
    Metric

    Raises
    ------
    OptionError
        If the metric, the preset or an option is unknown.

    Examples
    --------
    >>> from cocarde.core import registry
    >>> registry.get("bleu:nltk").formula
    'nltk'
    """
    from cocarde.core.metric import Metric

    if isinstance(metric, Metric):
        if options:
            raise OptionError(
                f"options {sorted(options)} go with a metric's name, not with a metric"
            )
        return metric
    if not isinstance(metric, str):
        raise OptionError(f"a metric is a name or a Metric, found {metric!r}")
    name, _, preset = metric.partition(":")
    found = metric_class(name)
    try:
        return found.preset(preset, **options) if preset else found(**options)
    except TypeError as error:
        raise OptionError(f"{name}: {error}") from None
