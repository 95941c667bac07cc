"""How a score came to be, step by step, so that it can be redone by hand."""

from __future__ import annotations

from typing import Any

from cocarde import metrics
from cocarde.corpus.segments import References, Segments
from cocarde.errors import numbering
from cocarde.explanation import bleu as _bleu  # registers itself  # noqa: F401
from cocarde.explanation import chrf as _chrf  # noqa: F401
from cocarde.explanation import meteor as _meteor  # noqa: F401
from cocarde.explanation import rouge as _rouge  # noqa: F401
from cocarde.explanation import rouge155 as _rouge155  # noqa: F401
from cocarde.explanation import ter as _ter  # noqa: F401
from cocarde.explanation.base import (
    Explanation,
    check_positive,
    find_explainer,
    is_single_segment,
    read_material,
)
from cocarde.explanation.ngrams import NgramCounts, ngram_counts
from cocarde.metrics.base import PreparedReferences

__all__ = ["Explanation", "NgramCounts", "explain", "ngram_counts"]


def explain(
    metric: Any,
    hypotheses: Any,
    references: Any,
    *,
    segment: int | None = None,
    top: int = 10,
) -> Explanation:
    """Explain a score: every count, length and step from the tokens to the number.

    The derivation is made apart from the native core, in plain Python, and compared with it.

    Parameters
    ----------
    metric : Metric or str
        For example ``BLEU()`` or ``"bleu:nltk"``.
    hypotheses : str, or as in `Metric.statistics`
        A text, or a flat sequence of ids, is one segment and explained as `Metric.sentence_score`
        scores it; several segments are explained as `Metric.corpus_score` scores them.
    references : str, sequence of str, …
        Those of the one segment as in `Metric.sentence_score`, or of all as in `Metric.statistics`.
    segment : int, optional
        The index of the one segment to be explained, from 0.
    top : int
        At least 1: how many n-grams of each order, and how many of the best and the worst segments,
        the explanation of a corpus lists. It says how many it leaves out.

    Returns
    -------
    Explanation
        Print it, or see `to_dict`, `to_json`, `to_text` and `to_markdown`.

    Raises
    ------
    InputError
        As `Metric.statistics`; and if there is no such segment.
    OptionError
        If an option is out of its range, or the metric has no explanation.
    CocardeError
        If the derivation and the metric disagree, which is a defect.

    Examples
    --------
    >>> import cocarde
    >>> explanation = cocarde.explain("bleu", "the cat sat on the mat", "the cat sat on a mat")
    >>> round(explanation.score, 2)
    53.73
    >>> explanation.orders[0].rows[0]
    NgramRow(ngram=('the',), hypothesis=2, references=(1,), maximum_reference=1, clipped=1)
    """
    check_positive("top", top)
    found = metrics.get(metric)
    if found.asks_references:
        if is_single_segment(hypotheses):
            hypotheses, references, segment = [hypotheses], [references], segment or 0
        hypotheses = Segments.coerce(hypotheses)
        if not isinstance(references, PreparedReferences):
            references = References.coerce(references, hypotheses)
        found = found.settled(references)
    explainer = find_explainer(found)
    with numbering(lambda index: index if segment is None else int(segment)):
        return explainer(found, read_material(found, hypotheses, references, segment), top)
