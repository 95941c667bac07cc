"""Files of any size in constant memory: statistics are added batch by batch."""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from cocarde._util.threads import get_num_threads
from cocarde.core.accumulator import Accumulator
from cocarde.core.fitting import ReferenceCounts
from cocarde.core.metric import Metric
from cocarde.corpus import iterate_aligned
from cocarde.corpus.segments import References, Segments
from cocarde.corpus.text import path_name, shown_path
from cocarde.errors import InputError, numbering

__all__ = ["accumulate_files", "fit_files"]

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
        A tokenizer "auto" is picked by the first batch of references. A metric that is fitted on a
        corpus is fitted on all references before, in a pass of its own; see `fit_files`.
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
        If the files differ in length, are empty, or hold bad UTF-8; see `cocarde.corpus`. And as
        `fit_files`.

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
    # What an option asks of the references, such as their script, the first batch tells.
    fitted = fit_files(metrics, references, batch_bytes=batch_bytes)
    accumulators = {name: metric.accumulator() for name, metric in fitted.items()}
    findings = {name: Counter[str]() for name in fitted}
    for batch, *streams in _batches([hypotheses, *references], batch_bytes):
        segments = Segments.coerce(batch)
        read = References.from_streams(*streams)
        for name, given in fitted.items():
            metric = fitted[name] = given.fit(read)
            with numbering(accumulators[name].count.__add__):
                statistics, found = metric.observe(metric.batch(segments, read))
            accumulators[name].add(statistics)
            findings[name].update(found)
        if progress is not None:
            progress(len(segments))
    if any(accumulator.count == 0 for accumulator in accumulators.values()):
        raise InputError("there are no segments to score", path=os.fspath(hypotheses))
    for name, metric in fitted.items():
        metric.report(findings[name], accumulators[name].count)
    return accumulators


def fit_files(
    metrics: Mapping[str, Metric[Any]],
    references: Sequence[str | os.PathLike[str]],
    *,
    batch_bytes: int = BATCH_BYTES,
) -> dict[str, Metric[Any]]:
    r"""Fit metrics on all of line-aligned text files of references, batch by batch.

    Parameters
    ----------
    metrics : mapping of names to metrics
        Those that are not fitted on a corpus, or are already, stay as they are, and then no file is read.
    references : sequence of paths
    batch_bytes : int
        About how much of each file is held at a time.

    Returns
    -------
    dict of str to Metric

    Raises
    ------
    InputError
        If a file can be read only once, as standard input and pipes can: they are read again to score.
        And as `accumulate_files`.
    """
    waiting = {
        name: metric
        for name, metric in metrics.items()
        if metric.fits_on_corpus and metric.needs_references
    }
    if not waiting:
        return dict(metrics)
    for path in references:
        _require_file(path, waiting)
    counts = {name: ReferenceCounts() for name in waiting}
    done = 0
    for streams in _batches(references, batch_bytes):
        read = References.from_streams(*streams)
        with numbering(done.__add__):
            for name, metric in waiting.items():
                counts[name].update(metric.count_references(read))
        done += len(read)
    if not done:
        raise InputError("there are no segments to score", path=os.fspath(references[0]))
    return {
        name: waiting[name].fit_counts(counts[name]) if name in waiting else metric
        for name, metric in metrics.items()
    }


def _require_file(path: str | os.PathLike[str], waiting: Mapping[str, Metric[Any]]) -> None:
    """Refuse what cannot be read twice; of what is missing the reader tells."""
    try:
        again = path_name(path) != "-" and stat.S_ISREG(os.stat(path).st_mode)
    except OSError:
        return
    if not again:
        names = " and ".join(waiting)
        raise InputError(
            f"can be read only once, but {names} is fitted on all references before anything is scored; "
            f"save it to a file and give that",
            path=shown_path(path),
        )


def _batches(
    paths: Sequence[str | os.PathLike[str]], batch_bytes: int
) -> Iterator[tuple[Sequence[str], ...]]:
    """Read files in step, the next batch while this one is worked on."""
    batches = iterate_aligned(paths, batch_bytes=batch_bytes)
    return _read_ahead(batches) if get_num_threads() > 1 else batches


def _read_ahead(batches: Iterator[_Batch]) -> Iterator[_Batch]:
    """Read the next batch on another thread while this one is scored."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1, thread_name_prefix="cocarde-reader") as reader:
        coming = reader.submit(next, batches, None)
        while (batch := coming.result()) is not None:
            coming = reader.submit(next, batches, None)
            yield batch
