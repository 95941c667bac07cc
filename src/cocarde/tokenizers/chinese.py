"""Tokenizers for Chinese: characters, or words by jieba."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from cocarde.tokenizers.base import NativeTokenizer, Tokenizer, import_extra, require_text

__all__ = ["CHARACTERS", "CHINESE", "UNICODE_CHINESE", "JiebaTokenizer"]

CHINESE = NativeTokenizer("zh", "zh")
UNICODE_CHINESE = NativeTokenizer("zh-unicode", "zh-unicode")
CHARACTERS = NativeTokenizer("char", "char")


@lru_cache(maxsize=1)
def _jieba() -> Any:
    """Return the module with its dictionary loaded, without the lines that loading it prints."""
    jieba = import_extra("jieba", extra="chinese", purpose="the tokenizer 'jieba'")
    logger = logging.getLogger("jieba")
    level = logger.level
    logger.setLevel(logging.WARNING)
    try:
        jieba.initialize()
    finally:
        logger.setLevel(level)
    return jieba


@dataclass(frozen=True)
class JiebaTokenizer(Tokenizer):
    """Words as ``jieba.lcut`` finds them, without those that are white space.

    Uses jieba's own default dictionary object, so that ``jieba.load_userdict`` has its effect; such
    a dictionary is not part of the signature.

    Raises
    ------
    MissingExtraError
        If jieba is not installed.

    Examples
    --------
    >>> JiebaTokenizer()("我来到北京清华大学")
    ['我', '来到', '北京', '清华大学']
    """

    name: str = field(default="jieba", init=False)

    def __post_init__(self) -> None:
        _jieba()

    @property
    def signature(self) -> str:
        """The name and jieba's version."""
        return f"jieba-{_jieba().__version__}"

    def __call__(self, text: str) -> list[str]:
        """Return the tokens of a text."""
        require_text(text)
        return [word for word in _jieba().lcut(text) if not word.isspace()]
