"""Shared by all tests: the session's data."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests import data_access, texts
from tests.ci_plugin import WITHOUT

try:
    from hypothesis import settings
except ImportError:  # property tests then fail to collect; the other tests need no Hypothesis
    pass
else:
    settings.register_profile("cocarde", deadline=None, print_blob=True)
    settings.load_profile("cocarde")


def pytest_configure(config: pytest.Config) -> None:
    """Set the environment of all tests and of the processes that they start."""
    if hasattr(config, "workerinput"):  # inherited
        return
    # What is made once and kept, such as the compiled table of paraphrases, is kept until the end.
    os.environ.pop("COCARDE_CACHE", None)
    caches = TemporaryDirectory(prefix="cocarde-cache-")
    os.environ["XDG_CACHE_HOME"] = caches.name
    config.add_cleanup(caches.cleanup)
    # PYTHONPATH=src holds in whatever folder a process starts.
    given = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    if absolute := os.pathsep.join(map(os.path.abspath, given)):
        os.environ["PYTHONPATH"] = absolute


DATA_FIXTURES = {"multeval", "sgml", "summaries"}


@pytest.fixture(autouse=True)
def _tell_of_bundled_texts(
    request: pytest.FixtureRequest, record_property: Callable[[str, object], None]
) -> Iterator[None]:
    """Leave word in the report where a test had the bundled texts in place of real data."""
    before = data_access.substitutions.count
    yield
    # What a fixture of the session holds was read in an earlier test.
    held = data_access.find_data_folder() is None and DATA_FIXTURES & set(request.fixturenames)
    if held or data_access.substitutions.count > before:
        record_property(WITHOUT, "real text: the bundled texts took its place")


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder of real data; the test is skipped where it is absent."""
    return data_access.require_real_data()


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
