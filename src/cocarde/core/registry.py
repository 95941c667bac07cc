"""Names of metrics: those that come with cocarde, and those of other packages.

Another package names a metric by the entry point group ``cocarde.metrics``: ``name = "package.module:Class"``
in its ``pyproject.toml``.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from cocarde.core.specification import Specification, read_options
from cocarde.errors import OptionError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from cocarde.core.suggestions import Suggestion

__all__ = ["ENTRY_POINTS", "classes", "get", "is_known", "meant", "metric", "metric_class", "names"]

ENTRY_POINTS = "cocarde.metrics"

_HOMES = {
    "bleu": "cocarde.metrics.bleu.metric:BLEU",
    "rouge": "cocarde.metrics.rouge.metric:ROUGE",
    "meteor": "cocarde.metrics.meteor.metric:METEOR",
    "chrf": "cocarde.metrics.chrf.metric:CHRF",
    "ter": "cocarde.metrics.ter.metric:TER",
    "gleu": "cocarde.metrics.gleu.metric:GLEU",
}


@cache
def _from_outside() -> dict[str, EntryPoint]:
    """Return what installed packages name, by lower-case name; nobody replaces a metric of ours."""
    from importlib.metadata import entry_points  # takes as long to import as half of NumPy

    found = entry_points(group=ENTRY_POINTS)
    return {one.name.lower(): one for one in found if one.name.lower() not in _HOMES}


def names() -> list[str]:
    """Return the names of all metrics, those of other packages last."""
    return [*_HOMES, *sorted(_from_outside())]


def is_known(name: str) -> bool:
    """Return whether there is a metric of that name, in lower case."""
    return name in _HOMES or name in _from_outside()


def metric_class(name: str) -> Any:
    """Return the class of a metric.

    Raises
    ------
    OptionError
        If there is no metric of that name (case does not matter), or another package's cannot be
        imported or is no metric.
    """
    home = _HOMES.get(name.lower())
    if home is not None:
        module, _, own = home.partition(":")
        return getattr(import_module(module), own)
    entry = _from_outside().get(name.lower())
    if entry is None:
        others = " or ".join(map(str, meant(name)))
        hint = f"did you mean {others}? There are" if others else "there are"
        raise OptionError(
            f"there is no metric {name!r}; {hint} {', '.join(names())}",
            option="metric",
            value=name,
            choices=names(),
        )
    return _load(entry)


def meant(name: str) -> list[Suggestion]:
    """Return what a name that no metric has was probably meant to be, among metrics, presets and scores."""
    from cocarde.core.suggestions import meant_metrics

    return meant_metrics(name, classes())


def _load(entry: EntryPoint) -> Any:
    try:
        found = entry.load()
    except Exception as error:  # whatever another package does when it is imported
        raise OptionError(
            f"the metric {entry.name!r} of {entry.value} cannot be imported: "
            f"{type(error).__name__}: {error}"
        ) from error
    if not hasattr(found, "from_signature"):
        raise OptionError(f"the metric {entry.name!r} of {entry.value} is not a cocarde.Metric")
    return found


def classes() -> dict[str, Any]:
    """Return the class of every metric by name."""
    return {name: metric_class(name) for name in names()}


def get(given: Any, **options: Any) -> Any:
    """Return a metric by its specification, or the metric itself.

    Parameters
    ----------
    given : str or Metric
        A metric specification, such as ``"bleu"``, ``"bleu:nltk"`` (a preset) or
        ``"bleu,tokenize=zh"``; or a metric, which is returned as it is.
    **options
        Keywords of the metric, with a specification only.

    Returns
    -------
    Metric

    Raises
    ------
    OptionError
        If the metric, the preset or an option is unknown.

    Examples
    --------
    >>> import cocarde
    >>> cocarde.metric("bleu:nltk,lowercase=true").formula
    'nltk'
    """
    if not isinstance(given, str):
        if not hasattr(given, "column_options"):
            raise OptionError(f"a metric is a name or a Metric, found {given!r}")
        if options:
            raise OptionError(
                f"options {sorted(options)} go with a metric's name, not with a metric"
            )
        return given
    written = Specification.parse(given)
    found = metric_class(written.name)
    values = {**read_options(found.class_of(written.preset), written.options), **options}
    return found.made(values) if written.preset is None else found.preset(written.preset, **values)


metric = get
