"""Where the tests' data come from.

Real data are not part of the repository. They are looked for in the folder that the environment
variable ``COCARDE_TEST_DATA`` names, else in ``../shared/data`` beside the repository. Where neither
exists, bundled texts take their place (`tests/bundled_texts.py`): a comparison is one on these too.
Only tests of numbers that are known of the real data are skipped then, with the reason.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests import bundled_texts

GOLDEN = Path(__file__).resolve().parent / "golden"

_SEGMENT = re.compile(r"<seg\s*[^>]*>(.*?)</seg\s*>", re.DOTALL | re.IGNORECASE)
_DOCUMENT = re.compile(
    r"<doc\s[^>]*docid=\"([^\"]*)\"[^>]*>(.*?)</doc\s*>", re.DOTALL | re.IGNORECASE
)


@dataclass(frozen=True)
class Corpus:
    """Hypotheses, the references of each (``None`` is a missing one) and the document of each."""

    hypotheses: list[str]
    references: list[list[str | None]]
    documents: list[str] | None = None

    def present_references(self) -> list[list[str]]:
        """The references without the missing ones."""
        return [[text for text in group if text is not None] for group in self.references]

    def streams(self) -> list[list[str | None]]:
        """sacreBLEU's transposed layout; short groups are filled with ``None``."""
        width = max(len(group) for group in self.references)
        return [
            [group[stream] if stream < len(group) else None for group in self.references]
            for stream in range(width)
        ]

    def head(self, count: int) -> Corpus:
        """The first `count` segments."""
        documents = None if self.documents is None else self.documents[:count]
        return Corpus(self.hypotheses[:count], self.references[:count], documents)


@dataclass(frozen=True)
class MultEval:
    """The systems of MultEval's example and their one reference."""

    systems: Mapping[str, list[str]]
    reference: list[str]

    def corpus(self, system: str = "baseline.opt0", *second_references: str) -> Corpus:
        """One system; other systems' outputs may serve as further references."""
        streams = [self.reference, *(self.systems[name] for name in second_references)]
        return Corpus(self.systems[system], [list(group) for group in zip(*streams, strict=True)])


# The table in MultEval's README: score, s_sel, s_opt, p (as printed).
MULTEVAL_TABLE: Mapping[str, Mapping[str, tuple[str, str, str, str | None]]] = {
    "bleu": {"baseline": ("18.5", "0.3", "0.1", None), "sys1": ("18.8", "0.3", "0.3", "0.00")},
    "meteor": {"baseline": ("29.3", "0.1", "0.0", None), "sys1": ("30.3", "0.1", "0.1", "0.00")},
    "ter": {"baseline": ("65.7", "0.4", "0.2", None), "sys1": ("64.8", "0.4", "0.6", "0.00")},
    "length": {"baseline": ("107.5", "0.4", "0.1", None), "sys1": ("107.7", "0.3", "0.7", "0.09")},
}


def find_data_folder() -> Path | None:
    """The folder of shared test data, or ``None``."""
    named = os.environ.get("COCARDE_TEST_DATA")
    if named:
        return Path(named)
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    return beside if beside.is_dir() else None


def require_real_data() -> Path:
    """The folder of real data; skips the test where there is none."""
    folder = find_data_folder()
    if folder is None:
        pytest.skip(
            "not redistributable: no test data; set COCARDE_TEST_DATA or put them in ../shared/data"
        )
    if not folder.is_dir():
        pytest.fail(f"COCARDE_TEST_DATA names {folder}, which is not a folder")
    return folder


def require_data_folder() -> Path:
    """The folder of real data, or of the bundled texts that take their place, which is counted."""
    if find_data_folder() is not None:
        return require_real_data()
    substitutions.count += 1
    return bundled_texts.folder()


class _Substitutions:
    """How often the bundled texts took the place of real data (tests/conftest.py reads it)."""

    count = 0


substitutions = _Substitutions()


def read_lines(path: Path) -> list[str]:
    """Lines of a UTF-8 file, cut at line feeds only."""
    text = path.read_bytes().decode("utf-8")
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return lines


def load_multeval() -> MultEval:
    """See `MultEval`."""
    folder = require_data_folder() / "multeval"
    prefix = "hyps.lc.tok.en."
    systems = {
        path.name.removeprefix(prefix): read_lines(path)
        for path in sorted(folder.glob(prefix + "*"))
    }
    return MultEval(systems, read_lines(folder / "refs.test2010.lc.tok.en.0"))


def read_sgml(path: Path) -> tuple[list[str], list[str]]:
    """The raw spans of the segments and the document of each, entities as they stand.

    White space becomes one space each run, as the NIST scripts do on reading.
    """
    texts: list[str] = []
    documents: list[str] = []
    for name, body in _DOCUMENT.findall(path.read_bytes().decode("utf-8")):
        for span in _SEGMENT.findall(body):
            texts.append(re.sub(r"\s+", " ", span))
            documents.append(name)
    return texts, documents


def load_sgml() -> Corpus:
    """newstest2009."""
    folder = require_data_folder() / "sgml"
    hypotheses, documents = read_sgml(folder / "test.sgm")
    references, reference_documents = read_sgml(folder / "ref.sgm")
    assert documents == reference_documents
    return Corpus(hypotheses, [[text] for text in references], documents)


def load_summaries(system: str = "sys1") -> Corpus:
    """Headlines."""
    folder = require_data_folder() / "summaries"
    return one_reference_each(
        read_lines(folder / f"sum.{system}.eng"), read_lines(folder / "sum.ref.eng")
    )


def one_reference_each(hypotheses: Sequence[str], references: Sequence[str]) -> Corpus:
    """A corpus with one reference a segment."""
    assert len(hypotheses) == len(references)
    return Corpus(list(hypotheses), [[text] for text in references])
