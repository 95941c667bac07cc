"""Words by Unicode's default rules, for every script; the rules are in native code.

The segments of Unicode Standard Annex 29, rules WB1 to WB999, without those that hold no letter and
no number: punctuation, symbols, emoji and white space are dropped. "can't", "3.14" and "user_name"
stay whole; a run of katakana is one word. Scripts that write no spaces have no words by these rules:
each ideograph, each hiragana and each letter of Thai, Lao, Khmer or Burmese (with its marks) stands
alone. The properties of the characters are pinned (see ``tools/make_word_tables.py``), so that a
score does not depend on the Python that computes it. The case is kept.
"""

from __future__ import annotations

from cocarde.tokenizers.base import NativeTokenizer

__all__ = ["WORDS"]

WORDS = NativeTokenizer("words", "words")
