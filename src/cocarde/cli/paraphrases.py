"""The table of paraphrases that METEOR may need, compiled with a progress bar."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

__all__ = ["prepare_paraphrases"]


def prepare_paraphrases(metrics: Iterable[Any], progress: bool | None) -> None:
    """Open the paraphrase tables that metrics need, with a progress bar where one is compiled.

    The first time takes seconds. Where there is no table, the metric itself has said so before.

    Parameters
    ----------
    metrics : iterable of Metric
    progress : bool or None
        As `Progress` has it.
    """
    for metric in metrics:
        if "paraphrase" in (getattr(metric, "stages", None) or ()):
            _open_paraphrases(metric, progress)


def _open_paraphrases(metric: Any, progress: bool | None) -> None:
    from cocarde.cli.progress import Progress
    from cocarde.resources import paraphrases

    with Progress(progress, "MB") as shown:
        before = 0

        def show(done: int, total: int) -> None:
            nonlocal before
            if not before:
                shown.begin("compiling the paraphrase table, once", total / 1e6)
            shown.advance((done - before) / 1e6)
            before = done

        paraphrases.open(metric.paraphrases, metric.language, progress=show)
