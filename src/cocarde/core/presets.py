"""Named conventions: what a metric's `preset(name)` looks up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from cocarde.errors import OptionError

__all__ = ["Preset", "find_preset"]


@dataclass(frozen=True)
class Preset:
    """A named set of options that reproduces one reference implementation.

    Attributes
    ----------
    name : str
    reproduces : str
        The implementation and its version.
    options : mapping
        Keywords of the metric.
    home : str
        Where its class is, as ``module:name``, if it is another one than the metric's own.
    """

    name: str
    reproduces: str
    options: Mapping[str, Any]
    home: str = ""

    def class_of(self, metric_class: type) -> Any:
        """Return the class of which it is a set of options."""
        if not self.home:
            return metric_class
        module, _, name = self.home.partition(":")
        return getattr(import_module(module), name)


def find_preset(metric: str, presets: Mapping[str, Preset], name: object) -> Preset:
    """Return a preset by its name.

    Raises
    ------
    OptionError
        If there is none; the message names those that there are.
    """
    if not isinstance(name, str) or name not in presets:
        from cocarde.core.suggestions import closest

        meant = closest(name, presets) if isinstance(name, str) else None
        hint = f"did you mean {meant!r}? There are" if meant else "there are"
        raise OptionError(f"there is no {metric} preset {name!r}; {hint} {', '.join(presets)}")
    return presets[name]
