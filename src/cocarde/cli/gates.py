"""Gates: scores that must not be too low, and the exit code that says so."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from cocarde.cli import console
from cocarde.cli.console import UsageError
from cocarde.cli.records import Record, part_labels

__all__ = ["Failures", "read_gates"]

_SHOWN_FAILURES = 10


def read_gates(given: Sequence[str], metrics: Mapping[str, Any]) -> dict[str, float]:
    """Read ``SCORE`` and ``METRIC=SCORE`` as the least score of each record's metric.

    One that names its metric goes before one for all, and one that names a part (``rougeL``) before
    one for the metric.
    """
    groups = {
        label: list(part_labels(label, metric.part_names).values())
        for label, metric in metrics.items()
    }
    parts = [part for group in groups.values() for part in group]
    common: dict[str, float] = {}
    whole: dict[str, float] = {}
    own: dict[str, float] = {}
    for text in given:
        name, equals, number = text.rpartition("=")
        known = [*groups, *(part for part in parts if part not in groups)]
        if equals and name not in known:
            meant = console.closest(name, known)
            raise UsageError(
                f"--min {text}: {name!r} is not among the metrics asked for: {', '.join(known)}",
                f"did you mean {meant!r}?" if meant else f"add -m {name}",
            )
        try:
            least = float(number)
        except ValueError:
            least = math.nan
        if not math.isfinite(least):
            raise UsageError(
                f"--min {text}: {number!r} is not a number", "write --min 25 or --min bleu=25"
            )
        gates = common if not equals else own if name in parts else whole
        for part in parts if not equals else groups.get(name, [name]):
            if part in gates:
                raise UsageError(f"--min {text}: there is another before it", "drop one of them")
            gates[part] = least
    return {**common, **whole, **own}


class Failures:
    """Scores below their gates."""

    def __init__(self, gates: Mapping[str, float]) -> None:
        self._gates = gates
        self._shown: list[str] = []
        self._count = 0

    def watch(self, records: Iterable[Record]) -> Iterator[Record]:
        """Pass records through, and note those that are too low."""
        for record in records:
            least = self._gates.get(record.metric)
            # Not "<": a score that is no number passes no gate.
            if least is not None and not record.score >= least:
                self._count += 1
                if len(self._shown) < _SHOWN_FAILURES:
                    self._shown.append(
                        f"{record.place} is {_apart(record.score, least)}, below --min {least:g}"
                    )
            yield record

    def report(self) -> bool:
        """Print the failures; tell whether there are any."""
        for message in self._shown:
            console.print_failure(message)
        if self._count > len(self._shown):
            console.print_failure(f"and {self._count - len(self._shown)} more scores")
        return self._count > 0


def _apart(value: float, least: float) -> str:
    """Write a score with enough digits to see that it is lower."""
    for digits in range(2, 17):
        text = f"{value:.{digits}f}"
        if float(text) < least:
            return text
    return repr(value)
