"""What NIST's mteval scripts do to a segment before they count, step by step.

Written from the behaviour of mteval-v13a.pl and mteval-v14.pl: one regular expression a step, so
that it shares nothing with the single pass of the native tokenizers.
"""

from __future__ import annotations

import importlib
import re
from typing import Any

regex: Any = importlib.import_module("regex")

# White space of Perl's \s: Python's without the four separators U+001C to U+001F.
PERL_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_SPACES = re.compile(f"[{PERL_SPACE}]+")
_SEPARATORS_AT_ENDS = regex.compile(r"^\p{Z}+|\p{Z}+\Z")
_ENTITIES = [("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")]


def perl_split(text: str) -> list[str]:
    r"""Return the fields of Perl's ``split /\s+/``: a leading empty one stays, trailing ones go."""
    fields = _SPACES.split(text)
    while fields and fields[-1] == "":
        fields.pop()
    return fields


def default_rules(text: str, *, lowercase: bool = False) -> list[str]:
    """Return the tokens that both scripts make by default."""
    text = text.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for entity, character in _ENTITIES:
        text = text.replace(entity, character)
    text = f" {text} "
    if lowercase:
        text = re.sub(r"[A-Z]", lambda found: chr(ord(found[0]) + 32), text)  # Perl's tr/A-Z/a-z/
    # ASCII punctuation other than the apostrophe, comma, hyphen and period.
    text = re.sub(r"""[!"#$%&()*+/:;<=>?@[\\\]^_`{|}~]""", lambda found: f" {found[0]} ", text)
    text = re.sub(r"([^0-9])([.,])", r"\1 \2 ", text)
    text = re.sub(r"([.,])([^0-9])", r" \1 \2", text)
    text = re.sub(r"(?<=[0-9])-", " - ", text)
    return [token for token in _SPACES.split(text) if token]


def international_rules(
    text: str, *, join_lines: bool, split_non_ascii: bool, lowercase: bool = False
) -> list[str]:
    """Return the tokens of the option --international-tokenization.

    `join_lines` is version 13a's treatment of a hyphen before U+2028; `split_non_ascii` is -e.
    """
    text = text.replace("<skipped>", "")
    if join_lines:
        text = text.replace("-\u2028", "")
    text = text.replace("\u2028", " ")
    for entity, character in [*_ENTITIES, ("&apos;", "'")]:
        text = text.replace(entity, character)
    if lowercase:
        text = "".join(character.lower() for character in text)  # Perl's lc knows no final sigma
    if split_non_ascii:
        text = "".join(c if c.isascii() else f" {c} " for c in text)
    text = regex.sub(r"(\P{N})(\p{P})", r"\1 \2 ", text)
    text = regex.sub(r"(\p{P})(\P{N})", r" \1 \2", text)
    text = regex.sub(r"(\p{S})", r" \1 ", text)
    text = regex.sub(r"\p{Z}+", " ", text)
    text = _SEPARATORS_AT_ENDS.sub("", text)
    return perl_split(text)
