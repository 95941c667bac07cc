"""Tokenizers that split at white space and nowhere else."""

from __future__ import annotations

from cocarde.tokenizers.base import NativeTokenizer

__all__ = ["MULTI_BLEU", "NONE", "SINGLE_BLANK"]

NONE = NativeTokenizer("none", "none")

# multi-bleu.perl reads bytes: white space and capital letters are those of ASCII.
MULTI_BLEU = NativeTokenizer("multi-bleu", "multi-bleu", lowercase_mode="ascii")

# str.split(" "), as COCO's ROUGE-L does it.
SINGLE_BLANK = NativeTokenizer("single-blank", "single-blank")
