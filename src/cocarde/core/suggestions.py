"""What a metric or a preset that does not exist was probably meant to be."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Suggestion", "closest", "meant_metrics"]


@dataclass(frozen=True)
class Suggestion:
    """A metric that there is.

    Attributes
    ----------
    name : str
        As `cocarde.metrics.get` takes it: ``"chrf:chrf++"``.
    options : mapping
        Keywords of the metric that go with it.
    """

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        given = "".join(f", {keyword}={value!r}" for keyword, value in self.options.items())
        return f"cocarde.metrics.get({self.name!r}{given})" if given else repr(self.name)


def closest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that a mistyped one probably means.

    Examples
    --------
    >>> closest("sacreBLEU", ["sacrebleu", "nltk"])
    'sacrebleu'
    """
    import difflib

    folded = {one.casefold(): one for one in known}
    found = difflib.get_close_matches(name.casefold(), list(folded), n=1, cutoff=0.6)
    return folded[found[0]] if found else None


def meant_metrics(name: str, classes: Mapping[str, Any]) -> list[Suggestion]:
    """Return what a name that is no metric probably means: a metric, a preset or a score of one.

    Names that differ in case and hyphens alone come before those that are close; presets of several
    metrics come all.

    Examples
    --------
    >>> from cocarde.core.registry import meant
    >>> [one.name for one in meant("chrf++")], [one.name for one in meant("blue")]
    (['chrf:chrf++'], ['bleu'])
    >>> print(*meant("ROUGE-L"))
    cocarde.metrics.get('rouge', rouge_types=['rougeL'])
    """
    known: dict[str, list[Suggestion]] = {}
    for spoken, suggestion in _suggestions(classes):
        known.setdefault(_folded(spoken), []).append(suggestion)
    name = name.rpartition(":")[2]
    exact = known.get(_folded(name))
    if exact:
        return exact
    found = closest(_folded(name), known)
    return known[found] if found else []


def _folded(name: str) -> str:
    return re.sub(r"[\s_-]", "", name).casefold()


def _suggestions(classes: Mapping[str, Any]) -> Iterable[tuple[str, Suggestion]]:
    """Return every name of a metric, a preset and a score, with what is written for it."""
    for name in classes:
        yield name, Suggestion(name)
    for name, found in classes.items():
        for preset in found.presets():
            if preset not in classes:  # rouge's convention "rouge"
                yield preset, Suggestion(f"{name}:{preset}")
    for name, found in classes.items():
        for score, (preset, options) in found.score_options().items():
            yield score, Suggestion(name if preset is None else f"{name}:{preset}", options)
