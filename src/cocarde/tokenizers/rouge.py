"""The tokenizers of ROUGE's implementations; the rules are in native code.

A word is a run of a-z and 0-9, after lower-casing; everything else parts words, the letters of every
other script too. Stemming, where it is asked for, is of words of more than three characters.

``rouge`` 1.0.1 (pltrdy's) and ``rouge-chinese`` split at white space instead: that is ``none``.
"""

from __future__ import annotations

from cocarde.tokenizers.base import NativeTokenizer

__all__ = ["ROUGE", "ROUGE_155", "ROUGE_155_STEM", "ROUGE_155_WORDNET", "ROUGE_STEM"]

# rouge-score, without and with use_stemmer=True.
ROUGE = NativeTokenizer("rouge", "rouge")
ROUGE_STEM = NativeTokenizer("rouge-stem", "rouge-stem")

# The Perl program reads bytes, so that no letter outside ASCII becomes one inside. With -m it stems;
# what it does with irregular forms depends on its database (see cocarde.stemmers.porter).
ROUGE_155 = NativeTokenizer("rouge-1.5.5", "rouge-1.5.5", lowercase_mode="ascii")
ROUGE_155_STEM = NativeTokenizer("rouge-1.5.5-stem", "rouge-1.5.5-stem", lowercase_mode="ascii")
ROUGE_155_WORDNET = NativeTokenizer(
    "rouge-1.5.5-wordnet", "rouge-1.5.5-wordnet", lowercase_mode="ascii"
)
