"""Texts in place of the real data: the bundled examples, varied, in files of the same names.

What a test compares is then as real as a newcomer's machine allows. The same text for the same
version of the examples, on every Python; no number that was published of a data set holds for it.
"""

from __future__ import annotations

import atexit
import functools
import random
import re
import shutil
import tempfile
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
SEGMENTS = 1200
DOCUMENT = 20  # segments


def _lines(name: str) -> list[str]:
    return (EXAMPLES / name).read_text(encoding="utf-8").splitlines()


def _tokenized(text: str) -> str:
    return " ".join(re.findall(r"\w+(?:['’-]\w+)*|[^\w\s]", text.lower()))


def _spliced(first: str, second: str, draw: random.Random) -> str:
    """The beginning of one text and the end of another, or one of them whole."""
    one, other = first.split(" "), second.split(" ")
    if draw.random() < 0.25:
        return first
    return " ".join(one[: draw.randrange(1, len(one) + 1)] + other[draw.randrange(len(other)) :])


def _edited(text: str, words: Sequence[str], rate: float, draw: random.Random) -> str:
    """Some words left out, replaced, doubled or moved."""
    kept: list[str] = []
    for word in text.split(" "):
        chance = draw.random() / rate
        if chance < 0.25:
            continue
        kept.append(draw.choice(words) if chance < 0.6 else word)
        if 0.6 <= chance < 0.7:
            kept.append(word)
        elif 0.7 <= chance < 1 and len(kept) > 1:
            kept.insert(draw.randrange(len(kept)), kept.pop())
    return " ".join(kept or [text])


def _parallel(
    language: str, count: int, seed: int, change: Callable[[str], str]
) -> tuple[list[str], Callable[[float, int], list[str]]]:
    """Sentences made of the examples' own, and a function that makes a system's output of them."""
    draw = random.Random(seed)
    sources = {
        name: _lines(f"{language}/{name}.txt") for name in ("reference", "system1", "system2")
    }
    words = [word for line in sources["reference"] for word in change(line).split(" ")]
    places = [
        (draw.randrange(24), draw.randrange(24), draw.randrange(1 << 30)) for _ in range(count)
    ]

    def spliced(name: str, first: int, second: int, seed: int) -> str:
        lines = sources[name]
        return _spliced(change(lines[first]), change(lines[second]), random.Random(seed))

    def system(rate: float, seed: int) -> list[str]:
        chance = random.Random(seed)
        name = "system1" if rate < 0.3 else "system2"
        return [
            _edited(
                spliced(name if chance.random() < 0.3 else "reference", *place),
                words,
                rate,
                chance,
            )
            for place in places
        ]

    return [spliced("reference", *place) for place in places], system


def _write(path: Path, lines: Sequence[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes("".join(f"{line}\n" for line in lines).encode())


def _sgml(kind: str, system: str, texts: Sequence[str]) -> list[str]:
    lines = [f'<{kind} trglang="en" setid="examples" srclang="any">']
    for start in range(0, len(texts), DOCUMENT):
        lines.append(f'<doc sysid="{system}" docid="news/{start}" genre="news" origlang="de">')
        part = enumerate(texts[start : start + DOCUMENT], start=1)
        lines += [f'<seg id="{n}"> {escape(text)} </seg>' for n, text in part]
        lines.append("</doc>")
    return [*lines, f"</{kind}>"]


@functools.cache
def folder() -> Path:
    """A folder laid out as the real data are, made once in each process."""
    made = Path(tempfile.mkdtemp(prefix="cocarde-texts-"))
    atexit.register(shutil.rmtree, made, ignore_errors=True)

    reference, system = _parallel("en", SEGMENTS, 1, _tokenized)
    _write(made / "multeval" / "refs.test2010.lc.tok.en.0", reference)
    for run in range(3):
        for name, rate in (("baseline", 0.45), ("sys1", 0.25)):
            texts = system(rate, 10 * run + len(name))
            _write(made / "multeval" / f"hyps.lc.tok.en.{name}.opt{run}", texts)

    _write(made / "meteor-xray" / "reference", reference)
    for number in (1, 2):
        _write(made / "meteor-xray" / f"system{number}.hyp", system(0.2 * number, number))

    reference, system = _parallel("en", SEGMENTS, 2, lambda text: f"{text} & “so on”")
    german, system_german = _parallel("de", DOCUMENT, 3, str)
    _write(made / "sgml" / "ref.sgm", _sgml("refset", "ref", [*reference, *german]))
    found = [*system(0.3, 5), *system_german(0.3, 6)]
    _write(made / "sgml" / "test.sgm", _sgml("tstset", "system", found))

    reference, system = _parallel(
        "en", SEGMENTS, 4, lambda text: " ".join(_tokenized(text).split(" ")[:7])
    )
    _write(made / "summaries" / "sum.ref.eng", reference)
    for number in (1, 2):
        _write(made / "summaries" / f"sum.sys{number}.eng", system(0.25 * number, number))

    for name, file in (("system1", "hyp"), ("reference", "ref1"), ("reference2", "ref2")):
        texts = [_tokenized(line) for line in _lines(f"en/{name}.txt")]
        _write(made / "nlg-eval" / f"{file}.txt", texts)
    return made
