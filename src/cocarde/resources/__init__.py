"""Data that metrics need: what the package holds of it, where the rest is found, what it is and whose.

What is in the package lies in this folder, with licences beside it (README.md). `describe` lists all
there is; ``cocarde resources`` prints it.
"""

from __future__ import annotations

from cocarde.resources.base import Resource
from cocarde.resources.embedded import (
    LANGUAGES,
    NonbreakingPrefixes,
    describe_embedded,
    function_words,
    language_name,
    nonbreaking_prefixes,
    wordnet,
)
from cocarde.resources.jar import arabic_stems, describe_arabic_stems, java_hash, meteor_folder
from cocarde.resources.paraphrases import describe as describe_paraphrases

__all__ = [
    "LANGUAGES",
    "NonbreakingPrefixes",
    "Resource",
    "arabic_stems",
    "describe",
    "function_words",
    "java_hash",
    "language_name",
    "meteor_folder",
    "nonbreaking_prefixes",
    "wordnet",
]


def describe() -> list[Resource]:
    """Describe all resources, those that are missing too.

    Examples
    --------
    >>> from cocarde.resources import describe
    >>> [resource.name for resource in describe() if resource.licence == "WordNet 3.0"]
    ['wordnet']
    """
    return [*describe_embedded(), describe_arabic_stems(), describe_paraphrases()]
