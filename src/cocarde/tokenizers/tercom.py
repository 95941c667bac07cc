"""What Tercom does to texts before it compares words; the rules are in native code.

It lower-cases unless told not to, then normalises (``-norm``: lines joined, entities decoded,
punctuation and possessive ``'s`` apart), then drops punctuation (``-nopunct``), and splits at white space.
With ``-asian``, normalising puts CJK characters and punctuation apart, and their punctuation is dropped
too. Without any of these it splits at white space alone: that is ``none``.

Those are sacreBLEU's. The Java program itself takes white space of ASCII alone, joins lines at a hyphen
before the line feed instead of after it, and gets an empty word where white space or nothing is left
before the first word (`java_tokenizer`).

Kana stay together as Tercom and sacreBLEU leave them: the rules for them, there, never apply.
"""

from __future__ import annotations

from cocarde.tokenizers.base import NativeTokenizer
from cocarde.tokenizers.whitespace import NONE

__all__ = ["TERCOM", "java_tokenizer", "tercom_tokenizer"]

TERCOM = {
    name: NativeTokenizer(name, name)
    for name in (
        "tercom-norm",
        "tercom-norm-asian",
        "tercom-norm-nopunct",
        "tercom-norm-nopunct-asian",
        "tercom-nopunct",
        "tercom-nopunct-asian",
    )
}


# The Java program's, which has no `-asian`.
_JAVA = {
    name: NativeTokenizer(name, name)
    for name in (
        "tercom-java",
        "tercom-java-norm",
        "tercom-java-nopunct",
        "tercom-java-norm-nopunct",
    )
}
# What sacreBLEU does to references.
_TWICE = {
    name: NativeTokenizer(f"{name}-twice", f"{name}-twice") for name in TERCOM if "norm" in name
}


def tercom_tokenizer(
    normalized: bool, no_punct: bool, asian_support: bool, *, twice: bool = False
) -> NativeTokenizer:
    """Return the tokenizer of these options of Tercom; `twice` sends the outcome through it again.

    Only what `normalized` does a second time can change anything, so that `twice` is for it alone.

    Examples
    --------
    >>> tercom_tokenizer(normalized=True, no_punct=True, asian_support=False)("the cat's mat, 1,5.")
    ['the', 'cat', "'s", 'mat', '15']
    """
    steps = [("norm", normalized), ("nopunct", no_punct)]
    if not any(asked for _, asked in steps):
        return NONE
    steps.append(("asian", asian_support))
    family = _TWICE if twice else TERCOM
    return family["-".join(["tercom", *(step for step, asked in steps if asked)])]


def java_tokenizer(normalized: bool, no_punct: bool) -> NativeTokenizer:
    """Return the tokenizer of the program Tercom 0.8.0 with these options.

    Examples
    --------
    >>> java_tokenizer(normalized=False, no_punct=True)("... a\u3000b, c.")
    ['', 'a\u3000b', 'c']
    """
    steps = [("norm", normalized), ("nopunct", no_punct)]
    return _JAVA["-".join(["tercom-java", *(step for step, asked in steps if asked)])]
