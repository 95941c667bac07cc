"""Metric specifications: a metric named in one line of text, the same everywhere a metric is named.

    name[:preset][,option=value]...

such as ``bleu``, ``chrf:chrf++`` or ``bleu,tokenize=zh,lowercase=true``. A value may hold commas, as in
``rouge,rouge_types=rouge1,rougeL``. Names alone, with commas between, are several metrics.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from cocarde.core.options import Declared, Option, default_of, options_of
from cocarde.core.presets import Preset
from cocarde.errors import OptionError

__all__ = [
    "Specification",
    "read_option",
    "read_options",
    "split_specifications",
    "write_specification",
]


@dataclass(frozen=True)
class Specification:
    """A specification as it was written.

    Attributes
    ----------
    name : str
        The metric's.
    preset : str or None
    options : mapping of str to str
        The texts of the values.
    """

    name: str
    preset: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        named = self.name if self.preset is None else f"{self.name}:{self.preset}"
        return ",".join([named, *(f"{name}={value}" for name, value in self.options.items())])

    @staticmethod
    def parse(text: str) -> Specification:
        """Read a specification of one metric.

        Raises
        ------
        OptionError
            If there is no name, or an option stands twice.

        Examples
        --------
        >>> Specification.parse("rouge:coco,rouge_types=rouge1,rougeL,beta=2").options
        {'rouge_types': 'rouge1,rougeL', 'beta': '2'}
        """
        named, *parts = text.split(",")
        name, colon, preset = named.partition(":")
        if not name.strip() or "=" in name:
            raise OptionError(
                f"a metric is named as name[:preset][,option=value]..., found {text!r}"
            )
        if colon and not preset.strip():
            raise OptionError(f"{text!r} names no preset after the colon; leave the colon out")
        options: dict[str, str] = {}
        last = ""
        for part in parts:
            option, equals, value = part.partition("=")
            if equals:
                last = option.strip().replace("-", "_")
                if last in options:
                    raise OptionError(f"the option {last!r} stands twice in {text!r}", option=last)
                options[last] = value
            elif last:
                options[last] += f",{part}"
            else:
                raise OptionError(f"{part!r} is no option=value in the metric {text!r}")
        return Specification(name.strip(), preset.strip() or None, options)


def split_specifications(text: str) -> list[str]:
    """Split a list of specifications at the commas between metrics.

    Examples
    --------
    >>> split_specifications("bleu,chrf:chrf++,bleu,weights=0.5,0.5")
    ['bleu', 'chrf:chrf++', 'bleu,weights=0.5,0.5']
    """
    found: list[str] = []
    for part in text.split(","):
        if found and ("=" in part or "=" in found[-1]):
            found[-1] += f",{part}"
        else:
            found.append(part)
    return found


def read_options(kind: type[Declared], texts: Mapping[str, str]) -> dict[str, Any]:
    """Return the values of options that a specification or a command line has as texts.

    Raises
    ------
    OptionError
        If there is no such option, or a text is no value of it.
    """
    kind.check_names(texts)
    declared = options_of(kind)
    return {name: read_option(kind, declared[name], name, text) for name, text in texts.items()}


def read_option(kind: type[Declared], one: Option, name: str, text: str) -> Any:
    """Return the value of one option; see `read_options`."""
    try:
        return one.parse(name, text)
    except OptionError:
        # Where nothing is a value too, and no name is called so.
        if text.lower() != "none" or default_of(kind, name) is not None:
            raise
        return None


def write_specification(
    name: str, metric: Declared, presets: Iterable[Preset] = (), preset_of: str = ""
) -> str:
    """Return the specification of a metric, by the preset that leaves the fewest options to say.

    Parameters
    ----------
    name : str
        The metric's.
    metric : Declared
    presets : iterable of Preset
        Those of its class.
    preset_of : str
        The preset that alone names its class, if there is one.
    """
    if preset_of:
        return ",".join([f"{name}:{preset_of}", *_differences(metric, {})])
    found: list[list[str]] = [[name, *_differences(metric, {})]]
    found += [
        [f"{name}:{preset.name}", *_differences(metric, preset.options)]
        for preset in presets
        if not preset.home
    ]
    return ",".join(min(found, key=lambda parts: len(list(parts))))


def _differences(metric: Declared, options: Mapping[str, Any]) -> list[str]:
    """Return ``option=value`` for each option that has to be said beside these."""
    kind = type(metric)
    declared = {name: one for name, one in options_of(kind).items() if name not in kind.IMPLIED}
    said: dict[str, Any] = {}
    while True:
        try:
            base = kind(**{**options, **said})
        except OptionError:  # the preset's options go with others alone
            missing = [
                name
                for name in declared
                if name not in said and getattr(metric, name) != metric.default_of(name)
            ]
            missing = missing or [name for name in declared if name not in said]
            if not missing:
                raise
        else:
            missing = [
                name
                for name in declared
                if name not in said and getattr(metric, name) != getattr(base, name)
            ]
        # What others follow from comes first: then they may need no words.
        first = [name for name in missing if declared[name].derive is None]
        if not missing:
            return [
                f"{name}={declared[name].form(said[name])}" for name in declared if name in said
            ]
        said |= {name: getattr(metric, name) for name in first or missing}
