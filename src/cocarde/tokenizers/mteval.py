"""The tokenizers that descend from NIST's mteval scripts; the rules are in native code."""

from __future__ import annotations

from cocarde.tokenizers.base import NativeTokenizer

__all__ = ["INTERNATIONAL", "MTEVAL", "MULTI_BLEU_DETOK", "TOKENIZER_13A"]

TOKENIZER_13A = NativeTokenizer("13a", "13a")
INTERNATIONAL = NativeTokenizer("intl", "intl")

# multi-bleu-detok.perl has mteval's default rules but decodes its input, so that Perl's lc is
# applied to characters, and before them.
MULTI_BLEU_DETOK = NativeTokenizer("multi-bleu-detok", "mteval-v13a", lowercase_mode="simple")

# The scripts lower-case (by default!) after they decode entities, so each has a native tokenizer
# that does so in the same place. "-split" is their option -e. Version 14 no longer joins lines at a
# hyphen before U+2028; that is the whole difference between mteval-intl and mteval-v13a-intl.
MTEVAL = {
    tokenizer.name: tokenizer
    for tokenizer in (
        NativeTokenizer(
            "mteval-v13a", "mteval-v13a", "mteval-v13a-lowercase", lowercase_mode="ascii"
        ),
        *(
            NativeTokenizer(name, name, f"{name}-lowercase", lowercase_mode="simple")
            for name in (
                "mteval-intl",
                "mteval-intl-split",
                "mteval-v13a-intl",
                "mteval-v13a-intl-split",
            )
        ),
    )
}
