"""NLTK's reader of WordNet over the files of Debian's package ``wordnet-base``."""

from __future__ import annotations

import shutil
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

DEBIAN = Path("/usr/share/wordnet")


@contextmanager
def wordnet_reader(folder: Path) -> Iterator[Any]:
    """Yield a reader whose files are copied into an empty folder; skip where there are none."""
    module = pytest.importorskip("nltk.corpus.reader.wordnet", reason="needs the extra test")
    if not (DEBIAN / "data.noun").is_file():
        pytest.skip("WordNet's files are not there: apt-get install wordnet-base")
    for path in DEBIAN.iterdir():
        shutil.copyfile(path, folder / path.name)  # NLTK follows no links out of its folder
    # Debian leaves this list out; the reader counts its lines and hands the names on.
    (folder / "lexnames").write_text("".join(f"{i:02d}\tname{i}\t1\n" for i in range(45)))

    class Reader(module.WordNetCorpusReader):  # type: ignore[misc,name-defined]
        """Without the map between releases, for which it wants a second WordNet."""

        def map_wn(self, version: str = "wordnet") -> None:
            return None

    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it has no other languages, and says so
        # NLTK opens what lies in the folders of this list alone.
        patch.setattr("nltk.data.path", [str(folder)])
        yield Reader(str(folder), None)
