"""What a careful reader should know of the segments behind a score: one diagnosis for all metrics.

A metric says what it looks at (`Diagnostics`). The native core counts, once for each batch; counts add up
over batches. What they mean, and what to do about it with this metric, is said here.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from cocarde import _native
from cocarde._util.threads import threads_for

__all__ = [
    "NOTHING",
    "Diagnostics",
    "Findings",
    "new_messages",
    "tokenizers_for",
]

Findings = Mapping[str, int]
NOTHING: Findings = Counter()

# Tokenizers that keep the letters a-z and digits.
_LATIN_ONLY = frozenset(
    {"rouge", "rouge-stem", "rouge-1.5.5", "rouge-1.5.5-stem", "rouge-1.5.5-wordnet"}
)
_SCRIPTS = ("han", "rare-han", "kana", "unspaced")
# Scripts without blanks between words that a tokenizer leaves undivided all the same; all of them where it is
# not listed.
_UNDIVIDED: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(_LATIN_ONLY, ()),
    **dict.fromkeys(("char", "words", "ja-mecab", "ko-mecab"), ()),
    **dict.fromkeys(("flores101", "flores200", "spBLEU-1K", "spm"), ()),
    **dict.fromkeys(("mteval-intl-split", "mteval-v13a-intl-split"), ()),
    **dict.fromkeys(("zh", "tercom-norm-asian", "tercom-norm-nopunct-asian"), _SCRIPTS[1:]),
    **dict.fromkeys(("zh-unicode", "jieba"), _SCRIPTS[2:]),
}
_LANGUAGES = {
    "undivided_han": "Chinese",
    "undivided_kana": "Japanese",
    "undivided_unspaced": "Thai, Lao, Khmer or Burmese",
}
# Of many segments, the share with several sentences from which they are taken to be documents.
_SHARE_OF_DOCUMENTS = 1 / 3
# Segments of a batch of which the forms of characters are compared: first a few, and only where some of them
# match otherwise, more; the others are counted as unseen.
_FIRST_COMPARED = 16
_MOST_COMPARED = 256


# From "erased", "dropped" or "undivided", and the findings of that kind, to what to do with a metric.
Remedy = Callable[[str, Sequence[str]], str]
# From a text, and whether it is a reference, to what a metric compares.
TokensOf = Callable[[str, bool], Sequence[str]]


def tokenizers_for(scripts: Sequence[str]) -> str:
    """Say which tokenizers divide texts of these scripts."""
    fitting = {
        "undivided_han": "tokenize='zh' takes every Chinese character as a token, tokenize='jieba' "
        "Chinese words",
        "undivided_kana": "tokenize='ja-mecab' divides Japanese into words, tokenize='char' "
        "into characters",
        "undivided_unspaced": "tokenize='char' takes every character as a token",
    }
    return "; ".join(fitting[script] for script in scripts)


@dataclass(frozen=True)
class Diagnostics:
    """What a metric looks at, and its words for what is found.

    Attributes
    ----------
    tokenizer : str
        Its name.
    fields : tuple of int
        Fields of a row that are 0 where one side has no token, that of the reference last.
    matches : bool
        Whether `fields` are 0, all of them, where nothing matches, instead.
    at_blanks : bool
        Whether words stand between blanks, whatever the tokenizer does.
    undivided : tuple of str, optional
        Scripts that are left undivided; by default those of the tokenizer.
    sentences : bool
        Whether line feeds are what ends a sentence.
    tokenized : bool
        Whether texts should not be tokenized before.
    divider : str, optional
        What divides texts, for messages; by default the tokenizer.
    """

    tokenizer: str
    fields: tuple[int, ...] = ()
    matches: bool = False
    at_blanks: bool = False
    undivided: tuple[str, ...] | None = None
    sentences: bool = False
    tokenized: bool = False
    divider: str = ""

    @cached_property
    def _options(self) -> _native.DiagnosticOptions:
        undivided = self.undivided
        if undivided is None:
            undivided = (
                ()
                if self.tokenizer.startswith("spm:")
                else _UNDIVIDED.get(self.tokenizer, _SCRIPTS)
            )
        return _native.DiagnosticOptions(
            list(self.fields),
            self.matches,
            self.tokenizer in _LATIN_ONLY,
            self.at_blanks,
            list(undivided),
            self.sentences,
            self.tokenized,
        )

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_options"}

    @property
    def _divider(self) -> str:
        return self.divider or f"the tokenizer {self.tokenizer!r}"

    def look(
        self,
        hypotheses: _native.Column,
        references: _native.Column,
        offsets: npt.NDArray[np.int64],
        rows: npt.NDArray[np.float64],
        tokens_of: TokensOf,
    ) -> Findings:
        """Count the segments of a batch of which something should be said.

        What the rows tell is counted in all segments. What the texts alone tell is looked for in 64 of
        them, evenly spaced (of those that are not in ASCII, where it is a matter of scripts), and counted in
        all where the sample has it.

        Parameters
        ----------
        hypotheses, references : Column
        offsets : ndarray of int64
            Segment i has the references from offsets[i] to offsets[i + 1].
        rows : ndarray, shape (segments, k)
            Their statistics.
        tokens_of : callable
        """
        found = _native.diagnose(
            hypotheses, references, offsets, rows, self._options, threads_for(len(rows))
        )
        if found is None:
            return NOTHING
        counts, suspects = found
        if suspects:
            counts |= _compare_forms(hypotheses, references, offsets, suspects, tokens_of)
        return counts

    def notes(self, findings: Findings, segments: int, remedy: Remedy) -> tuple[str, ...]:
        """Say why nothing matches in these segments, where their texts tell it."""
        if not findings:
            return ()
        one = segments == 1
        if findings.get("no_hypothesis") == segments:
            return ("the hypothesis has no tokens" if one else "no hypothesis has tokens",)
        if findings.get("no_reference") == segments:
            return ("the reference has no tokens" if one else "no reference has tokens",)
        if findings.get("erased"):
            return (f"{self._divider} leaves nothing of the text",)
        if findings.get("dropped"):
            return (f"{self._divider} drops most letters of the text",)
        if scripts := [script for script in _LANGUAGES if findings.get(script)]:
            note = (
                f"the text has no blanks between its words, and {self._divider} does not divide it: "
                f"{remedy('undivided', scripts)}"
            )
            return (note,)
        if findings.get("texts_as_hypotheses") or findings.get("texts_as_references"):
            return ("the tokens are texts with blanks, which match only as a whole",)
        if findings.get("forms"):
            return ("the texts differ in the Unicode form of their characters",)
        return ()

    def messages(self, findings: Findings, segments: int, remedy: Remedy) -> list[str]:
        """Say what these counts mean, of so many segments."""
        if not findings:
            return []
        if len(findings) == 1 and findings.get("tokenized", _TOKENIZED_LIMIT) < _TOKENIZED_LIMIT:
            return []  # single segments of tokenized text are frequent
        count = Counter(findings)
        found = []
        kept = "; it keeps letters a-z and digits" if self.tokenizer in _LATIN_ONLY else ""
        if erased := count["erased"]:
            found.append(
                f"{self._divider} leaves nothing of the text of {erased} of {segments} segments, so that "
                f"there is nothing to compare{kept}: {remedy('erased', ())}"
            )
        if dropped := count["dropped"]:
            found.append(
                f"{self._divider} drops most letters of the text of {dropped} of {segments} segments, so "
                f"that the rest alone is compared{kept}: {remedy('dropped', ())}"
            )
        if scripts := [script for script in _LANGUAGES if count[script]]:
            languages = ", ".join(_LANGUAGES[script] for script in scripts)
            found.append(
                f"the text of {sum(count[script] for script in scripts)} of {segments} segments has no "
                f"blanks between its words ({languages}), and {self._divider} does not divide it, so that "
                f"a whole clause counts as one word: {remedy('undivided', scripts)}"
            )
        if count["unmarked_sentences"] > _SHARE_OF_DOCUMENTS * segments:
            found.append(
                f"{count['unmarked_sentences']} of {segments} segments have several sentences but no line "
                f"feeds, which are what ends a sentence here, so that the sentences of a text are compared "
                f"as one: put each on a line of its own, or take sentences='punctuation' or 'nltk'"
            )
        if written := count["written_line_feeds"]:
            found.append(
                f"the text of {written} of {segments} segments holds line ends that are written out, a "
                f"backslash with an n or <n>, which are text and end no sentence: replace them by line "
                f"feeds"
            )
        if sides := [side for side in ("hypotheses", "references") if count[f"texts_as_{side}"]]:
            lists = max(count[f"texts_as_{side}"] for side in sides)
            found.append(
                f"in {lists} of {segments} segments every token of the {' and the '.join(sides)} holds "
                f"blanks: a list in the place of a text is read as its tokens, which match as a whole or not "
                f"at all; for a text give the str itself, not a list with it"
            )
        if forms := count["forms"]:
            least = "at least " if count["unseen_forms"] else ""
            found.append(
                f"in {least}{forms} of {segments} segments characters that look alike do not match, such "
                f"as composed and decomposed letters, or words with zero-width characters, soft hyphens or "
                f"no-break spaces in them: bring hypotheses and references to one form, by "
                f"unicodedata.normalize('NFC', text) and without such characters"
            )
        if (tokenized := count["tokenized"]) >= _TOKENIZED_LIMIT:
            found.append(
                f"{tokenized} hypotheses end in a tokenized period (' .'): it looks as if the text was not "
                f"detokenized, which may hurt the score; detokenize it, or say force=True"
            )
        if empty := count["no_reference"]:
            found.append(f"the reference of {empty} of {segments} segments is empty")
        return found


# sacreBLEU warns of tokenized text from 100 segments on.
_TOKENIZED_LIMIT = 100


def new_messages(messages: Sequence[str], told: set[str]) -> list[str]:
    """Return the messages that differ from those told before by more than numbers, and note them."""
    found = []
    for message in messages:
        pattern = re.sub(r"\d+", "#", message)
        if pattern not in told:
            told.add(pattern)
            found.append(message)
    return found


# --------------------------------------------------------------------------------------------------
# Forms of characters


# Presentation forms of Arabic and Hebrew, ligatures, wide letters and digits, narrow katakana.
_COMPATIBLE = re.compile(
    "[\ufb00-\ufdff\ufe70-\ufefc\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff66-\uff9f]"
)
# Soft hyphen, zero-width characters, marks of direction, variation selectors, the byte order mark, tags.
_INVISIBLE = re.compile(
    "[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e01ef]"
)
_NO_BREAK_SPACE = re.compile("[\u00a0\u2007\u202f]")


def _normalized(text: str) -> str:
    text = _NO_BREAK_SPACE.sub(" ", _INVISIBLE.sub("", text))
    text = _COMPATIBLE.sub(lambda found: unicodedata.normalize("NFKC", found[0]), text)
    return unicodedata.normalize("NFC", text)


def _compare_forms(
    hypotheses: _native.Column,
    references: _native.Column,
    offsets: npt.NDArray[np.int64],
    suspects: Sequence[int],
    tokens_of: TokensOf,
) -> dict[str, int]:
    """Count the segments of which at least half of what does not match is a matter of forms."""

    def count(chosen: Sequence[int]) -> int:
        return sum(
            any(
                _match_when_normalized(hypotheses.text(index), references.text(number), tokens_of)
                for number in range(*offsets[index : index + 2].tolist())
            )
            for index in chosen
        )

    if not count(_spaced(suspects, _FIRST_COMPARED)):
        return {}
    everywhere = _native.find_forms(hypotheses, references, offsets, threads_for(len(offsets) - 1))
    compared = _spaced(everywhere, _MOST_COMPARED)
    return {"forms": count(compared), "unseen_forms": len(everywhere) - len(compared)}


def _spaced(items: Sequence[int], most: int) -> Sequence[int]:
    """Return at most so many of the items, evenly spaced."""
    return items[:: -(-len(items) // most)]


def _match_when_normalized(hypothesis: str, reference: str, tokens_of: TokensOf) -> bool:
    unmatched = []
    for texts in ((hypothesis, reference), (_normalized(hypothesis), _normalized(reference))):
        ours, theirs = (Counter(tokens_of(text, bool(side))) for side, text in enumerate(texts))
        unmatched.append((ours - theirs).total() + (theirs - ours).total())
    before, after = unmatched
    return before > 0 and 2 * after <= before
