"""The texts that are scored: real ones where they are to be had, else the bundled or generated."""

from __future__ import annotations

import os
import random
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

__all__ = ["Data", "Parallel"]

ROOT = Path(__file__).resolve().parent.parent
SEED = 20240229


@dataclass(frozen=True)
class Parallel:
    """Hypotheses with one reference each, and where they are from."""

    hypotheses: list[str]
    references: list[str]
    source: str

    def __len__(self) -> int:
        return len(self.hypotheses)

    def fresh(self) -> Parallel:
        """Return the same texts as new strings, for which Python remembers no hash and no UTF-8."""
        return replace(self, hypotheses=_fresh(self.hypotheses), references=_fresh(self.references))

    def first(self, count: int) -> Parallel:
        return replace(self, hypotheses=self.hypotheses[:count], references=self.references[:count])

    def times(self, count: int) -> Parallel:
        return replace(self, hypotheses=self.hypotheses * count, references=self.references * count)

    def megabytes(self) -> float:
        """Return the size of the two files that hold the texts, one a line."""
        return sum(len(f"{x}\n{y}\n".encode()) for x, y in zip(*self.pair, strict=True)) / 1e6

    @property
    def pair(self) -> tuple[list[str], list[str]]:
        return self.hypotheses, self.references

    def each(self, score: Callable[[str, str], Any]) -> list[Any]:
        """Return what a function makes of each hypothesis and its reference, one call a segment."""
        return list(map(score, self.hypotheses, self.references))


def _fresh(texts: list[str]) -> list[str]:
    return [text[:1] + text[1:] for text in texts]


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def shared_folder() -> Path | None:
    """Return the folder of test data: COCARDE_TEST_DATA, or shared/data beside the repository."""
    named = os.environ.get("COCARDE_TEST_DATA")
    folder = Path(named) if named else ROOT.parent / "shared" / "data"
    return folder if folder.is_dir() else None


def _recombined(language: str, count: int) -> Parallel | None:
    """Join two bundled examples for each segment, chosen by chance, so that few are alike."""
    folder = ROOT / "examples" / language
    paths = folder / "system1.txt", folder / "reference.txt"
    if not all(path.is_file() for path in paths):
        return None
    hypotheses, references = map(_lines, paths)
    draw = random.Random(SEED)
    glue = "" if language == "zh" else " "
    pairs = [draw.choices(range(len(hypotheses)), k=2) for _ in range(count)]
    return Parallel(
        [glue.join(hypotheses[i] for i in pair) for pair in pairs],
        [glue.join(references[i] for i in pair) for pair in pairs],
        f"{count:,} segments, each two of `examples/{language}` joined by chance",
    )


def _generated(words: list[str], glue: str, count: int, source: str) -> Parallel:
    """Draw words by Zipf's law; the hypothesis changes one in four."""
    draw = random.Random(SEED)
    weights = [1 / rank for rank in range(1, len(words) + 1)]
    hypotheses, references = [], []
    for _ in range(count):
        reference = draw.choices(words, weights, k=draw.randint(10, 40))
        hypothesis = [
            draw.choices(words, weights)[0] if draw.random() < 0.25 else word for word in reference
        ]
        references.append(glue.join(reference))
        hypotheses.append(glue.join(hypothesis))
    return Parallel(hypotheses, references, f"{count:,} segments of {source}, generated")


def _latin_words(count: int) -> list[str]:
    draw = random.Random(SEED)
    letters = "etaoinshrdlucmfwypvbgkjqxz"
    made = ["".join(draw.choices(letters, k=draw.randint(1, 9))) for _ in range(count - 40)]
    return [",", ".", *made, *(f"{draw.randint(0, 9999):,}" for _ in range(38))]


def _chinese_words(count: int) -> list[str]:
    draw = random.Random(SEED)
    made = [
        "".join(chr(draw.randint(0x4E00, 0x9FA5)) for _ in range(draw.randint(1, 3)))
        for _ in range(count - 2)
    ]
    return ["，", "。", *made]


class Data:
    """Everything the cases score; each text is read or made when it is first asked for.

    Parameters
    ----------
    quick : bool
        Whether a tenth is enough.
    generated : bool
        Whether to look at no files.
    """

    def __init__(self, *, quick: bool, generated: bool = False) -> None:
        self.quick = quick
        self.generated = generated
        self.copies = 10 if quick else 100
        self._scratch: tempfile.TemporaryDirectory[str] | None = None

    @property
    def folder(self) -> Path:
        """A temporary folder for files, until `close`."""
        if self._scratch is None:
            self._scratch = tempfile.TemporaryDirectory(prefix="cocarde-benchmarks-")
        return Path(self._scratch.name)

    def close(self) -> None:
        if self._scratch is not None:
            self._scratch.cleanup()
            self._scratch = None

    @cached_property
    def english(self) -> Parallel:
        count = 250 if self.quick else 2489
        folder = None if self.generated else shared_folder()
        if folder is not None and (folder / "multeval").is_dir():
            texts = Parallel(
                _lines(folder / "multeval" / "hyps.lc.tok.en.baseline.opt0"),
                _lines(folder / "multeval" / "refs.test2010.lc.tok.en.0"),
                "",
            ).first(count)
            return replace(texts, source=f"{len(texts):,} segments of `multeval` (TED test2010)")
        bundled = None if self.generated else _recombined("en", count)
        return bundled or _generated(_latin_words(5000), " ", count, "words in Latin letters")

    @cached_property
    def chinese(self) -> Parallel:
        count = 200 if self.quick else 2000
        bundled = None if self.generated else _recombined("zh", count)
        return bundled or _generated(_chinese_words(5000), "", count, "Chinese characters")
