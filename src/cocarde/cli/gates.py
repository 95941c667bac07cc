"""Gates: scores that must not be too low, error rates not too high, and the exit code that says so."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cocarde.cli import console
from cocarde.cli.console import UsageError, several_scores
from cocarde.cli.records import Record, part_labels

__all__ = ["Failures", "Gate", "read_gates"]

_SHOWN_FAILURES = 10


@dataclass(frozen=True)
class Gate:
    """The worst score that passes.

    Attributes
    ----------
    option : {"--min", "--max"}
    bound : float
    """

    option: str
    bound: float

    def passes(self, score: float) -> bool:
        """Tell whether a score does; one that is no number passes no gate."""
        return score >= self.bound if self.option == "--min" else score <= self.bound

    def describe(self, score: float) -> str:
        """Write a score that fails, with enough digits to see it, beside the bound."""
        texts = (f"{score:.{digits}f}" for digits in range(2, 17))
        shown = next((text for text in texts if not self.passes(float(text))), repr(score))
        side = "below" if self.option == "--min" else "above"
        return f"{shown}, {side} {self.option} {self.bound:g}"


def read_gates(
    minimum: Sequence[str], maximum: Sequence[str], metrics: Mapping[str, Any]
) -> dict[str, Gate]:
    """Read ``SCORE`` and ``METRIC=SCORE`` as the gate of each record's metric.

    One that names its metric goes before one for all. Of a metric of several parts it names the part:
    ``rougeL=40``.

    Raises
    ------
    UsageError
        If one is not a number, names no metric, or one of several parts, stands twice, or would let bad
        scores pass and not good ones: a least error rate, or a greatest score of those of which more is
        better.
    """
    return {
        **_read("--min", minimum, metrics),
        **_read("--max", maximum, metrics),
    }


def _read(option: str, given: Sequence[str], metrics: Mapping[str, Any]) -> dict[str, Gate]:
    groups = {
        label: list(part_labels(label, metric.part_names).values())
        for label, metric in metrics.items()
    }
    parts = [part for group in groups.values() for part in group]
    metric_of = {part: label for label, group in groups.items() for part in group}
    common: dict[str, Gate] = {}
    own: dict[str, Gate] = {}
    for text in given:
        name, equals, number = text.rpartition("=")
        known = [*groups, *(part for part in parts if part not in groups)]
        if equals and name not in known:
            from cocarde.core.suggestions import closest

            meant = closest(name, known)
            raise UsageError(
                f"{option} {text}: {name!r} is not among the metrics asked for: {', '.join(known)}",
                f"did you mean {meant!r}?" if meant else _hint(name, known),
            )
        try:
            bound = float(number)
        except ValueError:
            bound = math.nan
        if not math.isfinite(bound):
            example = "--min bleu=25" if option == "--min" else "--max ter=50"
            raise UsageError(
                f"{option} {text}: {number!r} is not a number",
                f"write {option} {example[-2:]} or {example}",
            )
        chosen = parts if not equals else groups.get(name, [name])
        if equals and len(chosen) > 1:
            raise several_scores(f"{option} {text}", name, chosen, f"{option} {chosen[0]}={number}")
        for part in chosen:
            _require_direction(option, text, part, metric_of[part], number, metrics)
        gates = own if equals else common
        for part in chosen:
            if part in gates:
                raise UsageError(f"{option} {text}: there is another before it", "drop one of them")
            gates[part] = Gate(option, bound)
    return {**common, **own}


def _hint(name: str, known: Sequence[str]) -> str:
    """Say what to do about a gate of something that is not scored."""
    from cocarde.core import registry

    if name == "length":
        return "of lengths neither more nor less is better, so that there is no gate for them"
    if name.partition(":")[0] in registry.names():
        return f"add -m {name}"
    return f"name one of {', '.join(known)}"


def _require_direction(
    option: str, text: str, part: str, label: str, number: str, metrics: Mapping[str, Any]
) -> None:
    """Refuse a gate that good scores would fail and bad ones pass."""
    higher = metrics[label].higher_is_better
    if higher is not (option == "--max"):
        return
    better, other = ("higher", "--min") if higher else ("lower", "--max")
    others = [
        name for name, metric in metrics.items() if metric.higher_is_better is (option == "--min")
    ]
    hint = f"say {other} {part}={number}"
    if "=" not in text and others:
        hint += f", and {option} {others[0]}=SCORE for {', '.join(others)}"
    raise UsageError(
        f"{option} {text}: of {part} a {better} score is better, so that good systems would fail it "
        f"and bad ones pass",
        hint,
    )


class Failures:
    """Scores that their gates stop."""

    def __init__(self, gates: Mapping[str, Gate]) -> None:
        self._gates = gates
        self._shown: list[str] = []
        self._count = 0

    def watch(self, records: Iterable[Record]) -> Iterator[Record]:
        """Pass records through, and note those that are too low, or too high."""
        for record in records:
            gate = self._gates.get(record.metric)
            if gate is not None and not gate.passes(record.score):
                self._count += 1
                if len(self._shown) < _SHOWN_FAILURES:
                    self._shown.append(f"{record.place} is {gate.describe(record.score)}")
            yield record

    def report(self) -> bool:
        """Print the failures; tell whether there are any."""
        for message in self._shown:
            console.print_failure(message)
        if self._count > len(self._shown):
            console.print_failure(f"and {self._count - len(self._shown)} more scores")
        return self._count > 0
