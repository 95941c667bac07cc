"""Files of any size in constant memory: statistics are added batch by batch."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from cocarde._util.threads import get_num_threads
from cocarde.core.accumulator import Accumulator
from cocarde.core.metric import Metric
from cocarde.corpus import iterate_aligned
from cocarde.corpus.segments import References, Segments
from cocarde.errors import InputError, numbering

__all__ = ["accumulate_files"]

_Batch = TypeVar("_Batch")

# Small enough for constant memory with many references, large enough that Python's share is nothing.
BATCH_BYTES = 4 << 20


def accumulate_files(
    metrics: Mapping[str, Metric[Any]],
    hypotheses: str | os.PathLike[str],
    references: Sequence[str | os.PathLike[str]],
    *,
    progress: Callable[[int], None] | None = None,
    batch_bytes: int = BATCH_BYTES,
) -> dict[str, Accumulator[Any]]:
    r"""Add up the statistics of line-aligned text files, in constant memory.

    Parameters
    ----------
    metrics : mapping of names to metrics
        A tokenizer "auto" is picked by the first batch of references.
    hypotheses : path
        One segment a line; compressed or not; ``"-"`` is standard input.
    references : sequence of paths
        At least one, each with as many lines.
    progress : callable, optional
        Called with the number of segments after each batch.
    batch_bytes : int
        About how much of each file is held at a time.

    Returns
    -------
    dict of str to Accumulator
        One for each metric; ``compute()`` gives its score.

    Raises
    ------
    InputError
        If the files differ in length, are empty, or hold bad UTF-8; see `cocarde.corpus`.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from cocarde import BLEU
    >>> with TemporaryDirectory() as folder:
    ...     texts = [Path(folder, name) for name in ("hypotheses", "references")]
    ...     for path in texts:
    ...         _ = path.write_text("a b c d\n")
    ...     result = accumulate_files({"bleu": BLEU()}, texts[0], texts[1:])
    >>> round(result["bleu"].compute().score, 6)
    100.0
    """
    accumulators = {name: metric.accumulator() for name, metric in metrics.items()}
    settled = dict(metrics)  # by the first batch, where an option asks the references
    findings = {name: Counter[str]() for name in metrics}
    batches = iterate_aligned([hypotheses, *references], batch_bytes=batch_bytes)
    if get_num_threads() > 1:
        batches = _read_ahead(batches)
    for batch, *streams in batches:
        segments = Segments.coerce(batch)
        read = References.from_streams(*streams)
        for name, given in settled.items():
            metric = settled[name] = given.fit(read)
            with numbering(accumulators[name].count.__add__):
                statistics, found = metric.observe(metric.batch(segments, read))
            accumulators[name].add(statistics)
            findings[name].update(found)
        if progress is not None:
            progress(len(segments))
    if any(accumulator.count == 0 for accumulator in accumulators.values()):
        raise InputError("there are no segments to score", path=os.fspath(hypotheses))
    for name, metric in settled.items():
        metric.report(findings[name], accumulators[name].count)
    return accumulators


def _read_ahead(batches: Iterator[_Batch]) -> Iterator[_Batch]:
    """Read the next batch on another thread while this one is scored."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1, thread_name_prefix="cocarde-reader") as reader:
        coming = reader.submit(next, batches, None)
        while (batch := coming.result()) is not None:
            coming = reader.submit(next, batches, None)
            yield batch
