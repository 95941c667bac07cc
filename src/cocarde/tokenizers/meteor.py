"""METEOR's own tokenizers; the rules are in native code.

METEOR 1.5 splits text that is already tokenized at blanks and line ends (``meteor-plain``). With
``-norm`` it runs a normaliser first, which knows six languages (``meteor-en`` and so on); with
``-noPunct`` too, punctuation is dropped (``meteor-en-nopunct``). It lower-cases what the normaliser
made, so each of these has a native tokenizer that does so in the same place.

Their lower case is that of Java 17: Unicode 13, whatever the Python. The 40 letters that have a lower
case since Unicode 14 (Vithkuqi, four of Latin and one of Glagolitic) are left alone. A capital sigma
never ends a word there: the normaliser takes Greek for symbols and puts each letter apart.

``meteor-plain`` lower-cases as ``str.lower()`` does, by the Unicode version of the Python that runs.
Where Unicode's rule looks at the word around a capital sigma, Java asks its own word breaks, so that
beside some punctuation the two differ: "ΑΣ-Β" and "ΑΣ·Β" are such words, "ΟΔΟΣ" is not.
"""

from __future__ import annotations

from cocarde.tokenizers.base import NativeTokenizer

__all__ = ["METEOR", "METEOR_LANGUAGES"]

METEOR_LANGUAGES = {
    "en": "English",
    "fr": "French",
    "es": "Spanish",
    "de": "German",
    "cz": "Czech",
    "ru": "Russian",
}

METEOR = {
    tokenizer.name: tokenizer
    for tokenizer in (
        NativeTokenizer("meteor-plain", "meteor-plain"),
        *(
            NativeTokenizer(name, name, f"{name}-lowercase")
            for language in METEOR_LANGUAGES
            for name in (f"meteor-{language}", f"meteor-{language}-nopunct")
        ),
    )
}
