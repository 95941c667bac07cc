"""What a careful reader should know of texts that ROUGE scored: scripts that a tokenizer does not know.

Both kinds of ROUGE ask here: what is odd about a batch, how it is said, and why a score is 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from cocarde import _native

__all__ = ["advice_for", "count_oddities", "messages", "notes", "reason_of"]

# Tokenizers that keep the letters a-z and digits.
_OF_ASCII = frozenset(
    {"rouge", "rouge-stem", "rouge-1.5.5", "rouge-1.5.5-stem", "rouge-1.5.5-wordnet"}
)
# Tokenizers to which a text without blanks is one word.
_AT_BLANKS = frozenset({"none", "single-blank"})
_TOKENIZERS = (
    "'words' compares words of every script, 'char' characters, 'zh' Chinese characters, 'jieba' "
    "Chinese words"
)


def _segments(
    hypotheses: list[int], references: list[int], offsets: npt.NDArray[np.int64]
) -> set[int]:
    """The segments of which the hypothesis or any reference is listed."""
    if not references:
        return set(hypotheses)
    of_references = np.searchsorted(offsets, references, side="right") - 1
    return {*hypotheses, *of_references.tolist()}


def count_oddities(
    tokenizer: str,
    hypotheses: _native.Column,
    references: _native.Column,
    offsets: npt.NDArray[np.int64],
    matches: npt.NDArray[np.float64],
) -> Counter[str]:
    """Count the segments of a batch that deserve a warning.

    Parameters
    ----------
    tokenizer : str
        The name of what cuts the texts; empty where nothing does.
    hypotheses, references : Column
        Cut by it.
    offsets : ndarray of int64
        Segment i has the references from offsets[i] to offsets[i + 1].
    matches : ndarray, shape (segments, k)
        Zeros where nothing matches in a segment.
    """
    counts: Counter[str] = Counter()
    counts["empty"] = 0
    if found := references.empty():
        empty = np.zeros(len(references), dtype=np.int64)
        empty[found] = 1
        counts["empty"] = int(
            np.count_nonzero(np.add.reduceat(empty, offsets[:-1]) == np.diff(offsets))
        )
    if not tokenizer:
        return counts
    # Only a segment without any match can be one of which nothing is left.
    dropped: set[int] = set()
    if tokenizer in _OF_ASCII:
        dropped = _segments(hypotheses.of_other_letters(), references.of_other_letters(), offsets)
        suspects = [index for index in dropped if not matches[index].any()]
    else:
        suspects = np.flatnonzero(~matches.any(axis=1)).tolist()
    erased = {
        index
        for index in suspects
        if hypotheses.erased(index)
        or any(references.erased(number) for number in range(*offsets[index : index + 2].tolist()))
    }
    counts["erased"] = len(erased)
    counts["dropped"] = len(dropped - erased)
    if tokenizer in _AT_BLANKS:
        counts["unspaced"] = len(
            _segments(hypotheses.lacking_spaces(), references.lacking_spaces(), offsets)
        )
    return counts


def messages(oddities: Counter[str], segments: int, tokenizer: str, advice: str) -> list[str]:
    """Say what the counts mean, of so many segments.

    Parameters
    ----------
    advice : str
        What else to do where the tokenizer knows the letters a-z alone.
    """
    found = []
    erased, dropped = oddities["erased"], oddities["dropped"]
    kept = "; it keeps letters a-z and digits" if tokenizer in _OF_ASCII else ""
    if erased:
        found.append(
            f"the tokenizer {tokenizer!r} leaves nothing of the text of {erased} of {segments} "
            f"segments, which score 0{kept}: {advice}"
        )
    if dropped:
        found.append(
            f"the tokenizer {tokenizer!r} drops most letters of the text of {dropped} of {segments} "
            f"segments, so that the rest alone is compared{kept}: {advice}"
        )
    if count := oddities["unspaced"]:
        found.append(
            f"the text of {count} of {segments} segments has no blanks between its words, at which the "
            f"tokenizer {tokenizer!r} cuts, so that a sentence is one word: join words by blanks, or "
            f"take tokenize='jieba' (Chinese words) or tokenize='char' (characters of any script)"
        )
    if count := oddities["empty"]:
        found.append(f"the reference of {count} of {segments} segments is empty")
    return found


def advice_for(tokenizer: str, *, automatic: bool) -> str:
    """Say what to do where a tokenizer leaves little or nothing."""
    if tokenizer.startswith("rouge-1.5.5"):
        return (
            "the program knows no others; take another dialect, such as ROUGE(tokenize='auto'), or "
            "write words as numbers, as is done for this program"
        )
    if automatic:
        return (
            f"tokenize='auto' picked it by the script of the references; if the hypotheses are in "
            f"another one, name a tokenizer: {_TOKENIZERS}"
        )
    return f"tokenize='auto' picks a tokenizer by script; {_TOKENIZERS}"


def reason_of(notes: Sequence[str]) -> str:
    """Say why a score is 0 where nothing at all matches."""
    return f"the score is 0 because {'; '.join(notes)}"


def notes(tokenizer: str, oddities: Counter[str], hypotheses: _native.Column) -> tuple[str, ...]:
    """Say why nothing at all matches in these segments, where their texts tell it."""
    segments = len(hypotheses)
    if len(hypotheses.empty()) == segments:
        return ("the hypothesis has no tokens" if segments == 1 else "no hypothesis has tokens",)
    if oddities["empty"] == segments:
        return ("the reference has no tokens" if segments == 1 else "no reference has tokens",)
    if oddities["erased"]:
        return (f"the tokenizer {tokenizer!r} leaves nothing of the text",)
    if oddities["dropped"]:
        return (f"the tokenizer {tokenizer!r} drops most letters of the text",)
    if oddities["unspaced"]:
        return (
            f"the tokenizer {tokenizer!r} cuts at blanks, and this text has none between its words",
        )
    return ()
