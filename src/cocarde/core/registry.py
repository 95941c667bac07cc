"""Names of metrics: those that come with cocarde, and those of other packages.

Another package names a metric by the entry point group ``cocarde.metrics``: ``name = "package.module:Class"``
in its ``pyproject.toml``.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from cocarde.core.options import keys_of
from cocarde.core.specification import Specification, read_options
from cocarde.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.metadata import EntryPoint

    from cocarde.core.suggestions import Suggestion

__all__ = [
    "ENTRY_POINTS",
    "broken",
    "classes",
    "get",
    "is_known",
    "meant",
    "metric",
    "metric_class",
    "names",
]

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
def _from_outside() -> dict[str, list[EntryPoint]]:
    """Return the entry points of installed packages by the name that they give, in lower case."""
    from importlib.metadata import entry_points  # takes as long to import as half of NumPy

    found: dict[str, list[EntryPoint]] = {}
    for one in entry_points(group=ENTRY_POINTS):
        found.setdefault(one.name.lower(), []).append(one)
    return found


def names() -> list[str]:
    """Return the names of all metrics, those of other packages last."""
    return [*_HOMES, *sorted(_from_outside().keys() - _HOMES.keys())]


def is_known(name: str) -> bool:
    """Return whether there is a metric of that name, in lower case."""
    return name in _HOMES or name in _from_outside()


def metric_class(name: str) -> Any:
    """Return the class of a metric.

    Raises
    ------
    OptionError
        If there is no metric of that name (case does not matter), or another package's does not work;
        see `broken`.
    """
    home = _HOMES.get(name.lower())
    if home is not None:
        module, _, own = home.partition(":")
        return getattr(import_module(module), own)
    entries = _from_outside().get(name.lower())
    if entries is None:
        others = " or ".join(map(str, meant(name)))
        hint = f"did you mean {others}? There are" if others else "there are"
        raise OptionError(
            f"there is no metric {name!r}; {hint} {', '.join(names())}",
            option="metric",
            value=name,
            choices=names(),
        )
    return _load(entries)


def meant(name: str) -> list[Suggestion]:
    """Return what a name that no metric has was probably meant to be, among metrics, presets and scores."""
    from cocarde.core.suggestions import meant_metrics

    return meant_metrics(name, classes())


def _load(entries: list[EntryPoint]) -> Any:
    """Return the class that the entry points of one name stand for.

    Raises
    ------
    OptionError
        Naming packages and entry points, if there are several, or the one is not of a metric that works.
    """
    entry, *others = entries
    if others:
        raise OptionError(
            f"several packages name a metric {entry.name!r}: {' and '.join(map(_described, entries))}; "
            f"uninstall all but one"
        )
    try:
        found = entry.load()
    except Exception as error:  # whatever another package does when it is imported
        raise OptionError(
            f"the metric {entry.name!r} of {_described(entry)} cannot be imported: "
            f"{type(error).__name__}: {error}; repair or uninstall that package"
        ) from error
    fault = _fault(found, entry.name)
    if fault:
        raise OptionError(
            f"the metric {entry.name!r} of {_described(entry)} {fault}; repair or uninstall that package"
        )
    return found


def _described(entry: EntryPoint) -> str:
    """Return package and entry point, as both stand in its metadata."""
    package = (
        "a package without metadata" if entry.dist is None else f"the package {entry.dist.name}"
    )
    return f"{package} (entry point {entry.name} = {entry.value!r})"


def _fault(found: Any, name: str) -> str:
    """Say what keeps an object from being the metric of that name; nothing if all is well."""
    from cocarde.core.metric import Metric

    if not (isinstance(found, type) and issubclass(found, Metric)):
        what = (
            f"the class {found.__name__}"
            if isinstance(found, type)
            else f"a {type(found).__name__}"
        )
        return f"is no metric but {what}; it has to name a subclass of cocarde.Metric"
    missing = sorted(getattr(found, "__abstractmethods__", ()))
    if missing:
        return f"is no metric yet: {found.__name__} does not define {', '.join(missing)}"
    own = getattr(found, "name", None)
    if not isinstance(own, str) or own.lower() != name.lower():
        return f"is called otherwise by its class: {found.__name__}.name is {own!r}"
    try:
        keys_of(found)
    except TypeError as error:  # no dataclass, or a key that is taken
        return f"does not declare its options as it should: {error}"
    return ""


def classes() -> dict[str, Any]:
    """Return the class of every metric by name; those of other packages as far as they work."""
    return {name: found for name, found in _all() if not isinstance(found, OptionError)}


def broken() -> list[str]:
    """Say of each metric of other packages that cannot be used what is wrong with it."""
    return [str(found) for _, found in _all() if isinstance(found, OptionError)]


def _all() -> Iterator[tuple[str, Any]]:
    """Yield each name with its metric's class, or with what is wrong with the package that gives it."""
    yield from ((name, _class_or_error(name)) for name in names())
    for name, entries in _from_outside().items():
        if name in _HOMES:  # nobody replaces a metric of ours
            packages = " and ".join(map(_described, entries))
            yield (
                name,
                OptionError(
                    f"{packages} gives a metric the name {name!r}, which is cocarde's own metric; another "
                    f"name is needed"
                ),
            )


def _class_or_error(name: str) -> Any:
    try:
        return metric_class(name)
    except OptionError as error:
        return error


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
