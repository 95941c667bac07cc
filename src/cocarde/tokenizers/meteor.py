"""METEOR's own tokenizers; the rules are in native code.

METEOR 1.5 cuts text that is already tokenized at white space (``meteor-plain``), or with ``-norm``
runs a normaliser first, which knows six languages; with ``-noPunct`` too, punctuation is dropped. It
lower-cases what the normaliser made, so each has a native tokenizer that does so in the same place.

Lower case is that of Java 17, the mappings of Unicode 13 whatever the Python: the 40 letters that
have a lower case since Unicode 14 (Vithkuqi and a few of Latin and Glagolitic) keep theirs.
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
        NativeTokenizer(name, name, f"{name}-lowercase")
        for name in (
            "meteor-plain",
            *(
                f"meteor-{language}{suffix}"
                for language in METEOR_LANGUAGES
                for suffix in ("", "-nopunct")
            ),
        )
    )
}
