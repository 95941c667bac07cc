"""Where a text is split into sentences, for metrics that compare sentence by sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from cocarde.errors import InputError, MissingExtraError, OptionError
from cocarde.tokenizers.base import import_extra

__all__ = ["SENTENCE_SPLITTERS", "SentenceSplitter", "get_sentence_splitter"]


@dataclass(frozen=True)
class SentenceSplitter:
    """A text's way to sentences: an immutable value, hashable, picklable.

    Attributes
    ----------
    name : str
        What `sentences=` takes, and what stands in a signature.
    function : callable
        From a text to its sentences.
    native_end : str or None
        The one character at which the native core can split in its place.
    joined : bool
        Whether the tokens of a text are those of its sentences, one sentence after the other, and
        not those of the text in one piece.
    keep_blank : bool
        Whether a sentence of white space alone is one empty token.
    """

    name: str
    function: Callable[[str], Iterable[str]]
    native_end: str | None = None
    joined: bool = False
    keep_blank: bool = False

    def __call__(self, text: str) -> list[str]:
        """Return the sentences of a text; empty ones are left out.

        Raises
        ------
        InputError
            If a user's function returns anything but strings.
        """
        found = self.function(text)
        if isinstance(found, (str, bytes)) or not isinstance(found, Iterable):
            raise InputError(
                f"the sentence splitter {self.name!r} returned a {type(found).__name__} for "
                f"{text[:40]!r}; it must return a list of strings"
            )
        sentences = []
        for sentence in found:
            if not isinstance(sentence, str):
                raise InputError(
                    f"the sentence splitter {self.name!r} returned {type(sentence).__name__} for "
                    f"{text[:40]!r}; it must return a list of strings"
                )
            if sentence:
                sentences.append(sentence)
        return sentences


def _lines(text: str) -> list[str]:
    return text.split("\n")


def _periods(text: str) -> list[str]:
    return text.split(".")


_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？｡])\s*|\n")


def _punctuation(text: str) -> list[str]:
    return _SENTENCE_END.split(text)


def _nltk(text: str) -> list[str]:
    nltk = import_extra("nltk", extra="nltk", purpose="the sentence splitter 'nltk'")
    try:
        sentences: list[str] = nltk.sent_tokenize(text)
    except LookupError as error:
        raise MissingExtraError(
            "the sentence splitter 'nltk' needs NLTK's punkt model: python -m nltk.downloader punkt_tab"
        ) from error
    return sentences


# rouge-chinese splits after a sentence's last mark, unless a closing quotation mark follows, and then
# after that one, unless a comma or another mark follows. Each expression sees what the one before left.
_CHINESE_CUTS = tuple(
    re.compile(pattern)
    for pattern in (
        r"([。！？?])([^”’])",
        r"(\.{6})([^”’])",
        r"(…{2})([^”’])",
        r"([。！？?][”’])([^，。！？?])",
    )
)


def _chinese(text: str) -> list[str]:
    for cut in _CHINESE_CUTS:
        text = cut.sub(r"\1\n\2", text)
    return text.rstrip().split("\n")


SENTENCE_SPLITTERS = {
    splitter.name: splitter
    for splitter in (
        SentenceSplitter("newline", _lines, "\n"),
        SentenceSplitter("punctuation", _punctuation),
        SentenceSplitter("nltk", _nltk),
        SentenceSplitter("period", _periods, ".", joined=True, keep_blank=True),
        SentenceSplitter("rouge-chinese", _chinese, joined=True, keep_blank=True),
    )
}


def get_sentence_splitter(
    splitter: str | SentenceSplitter | Callable[[str], Iterable[str]],
) -> SentenceSplitter:
    """Return a sentence splitter.

    Parameters
    ----------
    splitter : str, SentenceSplitter or callable
        ``"newline"`` (one sentence a line), ``"punctuation"`` (after ``. ! ? …`` before white space,
        after ``。！？`` anywhere, and at line feeds), ``"nltk"`` (NLTK's punkt, which rouge-score's
        `split_summaries` uses; needs nltk and its model), ``"period"`` (pltrdy's rouge),
        ``"rouge-chinese"``; or a named function from a text to its sentences.

    Raises
    ------
    OptionError
        If it is none of these.

    Examples
    --------
    >>> get_sentence_splitter("punctuation")("It rains. Does it? 下雨了。是吗？")
    ['It rains.', 'Does it?', '下雨了。', '是吗？']
    """
    if isinstance(splitter, SentenceSplitter):
        return splitter
    if isinstance(splitter, str):
        if splitter not in SENTENCE_SPLITTERS:
            raise OptionError(
                f"sentences: there is no splitter {splitter!r}; there are "
                f"{', '.join(SENTENCE_SPLITTERS)}, and any function from a text to its sentences"
            )
        return SENTENCE_SPLITTERS[splitter]
    if not callable(splitter):
        raise OptionError(
            f"sentences: a name or a function is needed, not {type(splitter).__name__}"
        )
    name = getattr(splitter, "__name__", "")
    if not name or name == "<lambda>" or name in SENTENCE_SPLITTERS:
        raise OptionError(
            f"sentences: {splitter!r} has no name of its own for the signature to print; pass a named "
            f"function or SentenceSplitter(name, function)"
        )
    return SentenceSplitter(name, splitter)
