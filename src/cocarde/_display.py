"""Text as terminals and tables show it: tokens on one line, control characters, names of scores."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence

__all__ = [
    "cell_width",
    "column_heads",
    "graphemes",
    "part_labels",
    "printable",
    "shown_token",
]


def shown_token(token: str | int) -> str:
    r"""Return a token so that it can be read on one line.

    White space, control characters and lone surrogates come as escapes, an empty token as ``""``.

    Examples
    --------
    >>> shown_token("word"), shown_token(7), shown_token("")
    ('word', '7', '""')
    >>> print(shown_token("a b"), shown_token("x\u2028"))
    a\x20b x\u2028
    """
    if not isinstance(token, str):
        return str(token)
    if token == "":
        return '""'
    if token.isprintable() and " " not in token:
        return token
    return "".join(map(_shown_character, token))


def _shown_character(character: str) -> str:
    if character == " ":
        return "\\x20"
    if character.isprintable():
        return character
    return character.encode("unicode_escape").decode("ascii")


# What moves a terminal's cursor, changes its colours, ends a line or turns the direction of writing.
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    r"""Return a text without what a terminal acts on: control characters come as escapes.

    Examples
    --------
    >>> print(printable("news\x1b[2J.txt"))
    news\x1b[2J.txt
    """
    if text.isprintable():
        return text
    return _CONTROLS.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)


def cell_width(text: str) -> int:
    """Return how many cells of a terminal the text fills: two for Chinese, none for accents."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def graphemes(text: str) -> list[str]:
    r"""Return the characters of a text, each with the marks that stand on it.

    Examples
    --------
    >>> len(graphemes("e\u0301a"))
    2
    """
    found: list[str] = []
    for character in text:
        if found and (unicodedata.combining(character) or not cell_width(character)):
            found[-1] += character
        else:
            found.append(character)
    return found


def part_labels(label: str, parts: Sequence[str]) -> dict[str, str]:
    """Name each score that a metric gives, by part: ``rougeL``, or ``rougeL:coco`` for a preset.

    A metric of one score keeps its own name.

    Examples
    --------
    >>> part_labels("rouge:coco", ["rougeL", "rougeLsum"])
    {'rougeL': 'rougeL:coco', 'rougeLsum': 'rougeLsum:coco'}
    >>> part_labels("bleu", ["BLEU"])
    {'BLEU': 'bleu'}
    """
    name = re.split("[:,]", label, maxsplit=1)[0]
    return {
        part: label if part.lower() == name else f"{part}{label[len(name) :]}" for part in parts
    }


def column_heads(names: Mapping[str, str]) -> dict[str, str]:
    """Name metrics as papers do; where that is not enough to tell them apart, with their presets.

    Parameters
    ----------
    names : mapping
        From each metric, as part_labels names it, to the name of its score.

    Examples
    --------
    >>> column_heads({"bleu": "BLEU", "chrf:chrf++": "chrF2++", "rougeL": "rougeL"})
    {'bleu': 'BLEU', 'chrf:chrf++': 'chrF2++', 'rougeL': 'ROUGE-L'}
    >>> column_heads({"bleu": "BLEU", "bleu:nltk": "BLEU"})
    {'bleu': 'BLEU', 'bleu:nltk': 'BLEU (nltk)'}
    """
    heads = {
        metric: re.sub(r"^rouge(?=[1-9LWS])", "ROUGE-", name) for metric, name in names.items()
    }
    listed = list(heads.values())
    for metric, head in heads.items():
        preset = metric.partition(":")[2]
        if preset and listed.count(head) > 1:
            heads[metric] = f"{head} ({preset})"
    return heads
