"""Shared by all tests: the session's data."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import data_access, texts

try:
    from hypothesis import settings
except ImportError:  # property tests then fail to collect; the other tests need no Hypothesis
    pass
else:
    settings.register_profile("cocarde", deadline=None, print_blob=True)
    settings.load_profile("cocarde")


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder of shared test data; the test is skipped where it is absent."""
    return data_access.require_data_folder()


@pytest.fixture(scope="session")
def multeval() -> data_access.MultEval:
    """TED test2010: two systems, three optimiser runs each, and one reference (2,489 segments)."""
    return data_access.load_multeval()


@pytest.fixture(scope="session")
def sgml() -> data_access.Corpus:
    """newstest2009, one system and one reference, raw spans of the SGML segments (2,525)."""
    return data_access.load_sgml()


@pytest.fixture(scope="session")
def summaries() -> data_access.Corpus:
    """2,000 headlines of one system with one reference each."""
    return data_access.load_summaries()


@pytest.fixture(scope="session")
def scripts_corpus() -> data_access.Corpus:
    """Generated text in many scripts, one to four references a segment, some missing."""
    return texts.corpus_in_many_scripts(seed=20020706, segments=400)


@pytest.fixture(scope="session")
def ugly_corpus() -> data_access.Corpus:
    """Ugly text: odd white space, control characters, entities, empty segments, surrogates."""
    return texts.ugly_corpus()
