"""Which tokenizer fits a text, by its script: what ``tokenize="auto"`` asks.

The choice depends on nothing but the texts, not on what is installed, so that the same references
give the same tokenizer everywhere. Ask with the references and use the answer for the hypotheses
too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cocarde import _native

__all__ = ["WordCounts", "count_words", "pick"]

# What is looked at of a large corpus: at most so many texts, evenly spaced, and of each so many
# characters. That is a few milliseconds' work.
SAMPLE_TEXTS = 1000
SAMPLE_CHARACTERS = 1000

# The default tokenizer of rouge-score erases letters outside ASCII. English has a word with one now
# and then (names, "café"): fewer than one in 50. French, German, Spanish, Italian have far more.
FOREIGN_WORDS_PER_WORD = 0.02
# Japanese is a third to two thirds kana, in headlines too; Chinese quotes some now and then.
KANA_PER_CHARACTER = 0.1


class WordCounts(NamedTuple):
    """Words by the script of their first letter; a character is a word where there are no spaces.

    Attributes
    ----------
    ascii : int
        Words of ASCII letters and digits alone.
    other : int
        Words with other letters, of any script that parts its words: é, Greek, Arabic, Korean.
    han : int
        Ideographs.
    kana : int
        Hiragana by character, katakana by run.
    unspaced : int
        Characters of other scripts without spaces between words: Thai, Lao, Khmer, Burmese.
    """

    ascii: int
    other: int
    han: int
    kana: int
    unspaced: int


def sample(texts: Sequence[str]) -> list[str]:
    """Return what is looked at of the texts: all of them unless there are many or long ones."""
    count = len(texts)
    if count > SAMPLE_TEXTS:
        chosen = [texts[index * count // SAMPLE_TEXTS] for index in range(SAMPLE_TEXTS)]
    else:
        chosen = list(texts)
    return [text[:SAMPLE_CHARACTERS] for text in chosen]


def count_words(texts: Sequence[str]) -> WordCounts:
    """Count the words of a sample of the texts by their script.

    Parameters
    ----------
    texts : sequence of str
        Of more than 1,000 texts, 1,000 evenly spaced ones are looked at; of each text, its first
        1,000 characters.

    Examples
    --------
    >>> count_words(["Naïve users said 你好."])
    WordCounts(ascii=2, other=1, han=2, kana=0, unspaced=0)
    """
    return WordCounts(*_native.count_words(sample(texts)))


def pick(texts: Sequence[str]) -> str:
    """Return the name of the tokenizer that fits the script of most words of the texts.

    Parameters
    ----------
    texts : sequence of str
        The references. See `count_words` for how much of them is looked at.

    Returns
    -------
    str
        ``"rouge"`` for text in ASCII letters, English above all; ``"words"`` for other text whose
        words are parted by spaces (French, Russian, Arabic, Hindi, Korean); ``"zh-unicode"`` for
        Chinese; ``"char"`` for Japanese, Thai, Lao, Khmer and Burmese. ``"rouge"`` if there are no words.

    Examples
    --------
    >>> pick(["The cat sat on the mat."]), pick(["Кошка сидела на коврике."])
    ('rouge', 'words')
    >>> pick(["猫坐在垫子上。"]), pick(["猫はマットの上に座った。"]), pick(["แมวนั่งบนเสื่อ"])
    ('zh-unicode', 'char', 'char')
    """
    counts = count_words(texts)
    spaced = counts.ascii + counts.other
    east_asian = counts.han + counts.kana
    if east_asian + counts.unspaced > spaced:
        if counts.unspaced > east_asian or counts.kana > KANA_PER_CHARACTER * east_asian:
            return "char"
        return "zh-unicode"
    return "words" if counts.other > FOREIGN_WORDS_PER_WORD * spaced else "rouge"
