"""Write src/cocarde/resources/wordnet.bin: WordNet 3.0 as METEOR 1.5 and NLTK look words up in it.

Two sources are read, and must agree wherever both speak:

- METEOR's jar, in the installed ``pycocoevalcap``: for each word the numbers of its synsets (places
  in WordNet's files, parts of speech left out), and the exceptions of all parts of speech together;
- WordNet's own files (``index.*``, ``data.*``, ``*.exc``): parts of speech and the names in a synset.

Debian's ``wordnet-base`` has such files. Corrected definitions move the places in them, so a synset's
place there is brought to METEOR's number by the words whose synsets are known on both sides.
The format is described in src/native/wordnet.hpp.

Usage: python tools/make_wordnet_table.py [--check] [--wordnet FOLDER] [--jar FILE]
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import zipfile
from bisect import bisect_left
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

TARGET = Path(__file__).resolve().parent.parent / "src" / "cocarde" / "resources" / "wordnet.bin"
DEBIAN = Path("/usr/share/wordnet")
# As in WordNet::kMagic and WordNet::kVersion.
MAGIC, VERSION = b"cocardeW", 1
WORD_BITS, EXCEPTION_BITS = 15, 13
PARTS_OF_SPEECH = ("noun", "verb", "adj", "adv")
NOWHERE = 0xFFFFFF


@dataclass(frozen=True)
class Synset:
    """One set of synonyms."""

    part: int
    number: int
    names: tuple[str, ...]


@dataclass(frozen=True)
class Base:
    """A base form of an exception; `hidden` where NLTK takes a later line of the same word."""

    part: int
    word: str
    hidden: bool


@dataclass(frozen=True)
class Content:
    """What the table holds."""

    words: dict[str, list[Synset]]
    exceptions: dict[str, list[Base]]


def default_jar() -> Path:
    """Return METEOR's jar in the installed ``pycocoevalcap``."""
    spec = find_spec("pycocoevalcap")
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit("pycocoevalcap, which brings METEOR's jar, is not installed; or use --jar")
    return Path(spec.submodule_search_locations[0], "meteor", "meteor-1.5.jar")


def pairs_of_lines(jar: Path, name: str) -> list[tuple[str, list[str]]]:
    """Return a file of the jar in which a word's line is followed by the line of what it has."""
    with zipfile.ZipFile(jar) as archive:
        lines = archive.read(f"synonym/{name}").decode("ascii").split("\n")
    return [(lines[i], lines[i + 1].split()) for i in range(0, len(lines) - 1, 2)]


def data_lines(path: Path) -> list[str]:
    """Return the lines of one of WordNet's files without its licence."""
    lines = path.read_text(encoding="ascii").split("\n")
    return [line for line in lines if line and not line.startswith(" ")]


def numbers_of_places(
    places: list[list[int]],
    senses: list[dict[str, list[int]]],
    numbers: dict[str, set[int]],
) -> list[dict[int, int]]:
    """Return, a part of speech, METEOR's number of each place.

    Both are in the order of one file. So of a word which has one part of speech, the sorted places are
    its sorted numbers; and a place between two that are moved alike is moved as they are.
    """
    known: list[dict[int, int]] = [{} for _ in PARTS_OF_SPEECH]
    for word, found in numbers.items():
        parts = [part for part, words in enumerate(senses) if word in words]
        if len(parts) != 1:
            continue
        theirs = sorted(senses[parts[0]][word])
        if len(theirs) != len(found):
            raise SystemExit(
                f"{word!r} has {len(found)} synsets in the jar, {len(theirs)} in WordNet"
            )
        for place, number in zip(theirs, sorted(found), strict=True):
            if known[parts[0]].setdefault(place, number) != number:
                raise SystemExit(f"{word!r}: the order of its synsets is another in the jar")
    for part, found_places in enumerate(places):
        sure = sorted(known[part])
        for place in found_places:
            after = bisect_left(sure, place)
            if after < len(sure) and sure[after] == place:
                continue
            around = {known[part][near] - near for near in sure[max(after - 1, 0) : after + 1]}
            if len(around) != 1:
                raise SystemExit(f"cannot tell how data.{PARTS_OF_SPEECH[part]} {place} was moved")
            known[part][place] = place + around.pop()
    return known


def read_words(folder: Path, jar: Path) -> dict[str, list[Synset]]:
    """Return the synsets of each word; verify that both sources agree on them."""
    names: list[dict[int, tuple[str, ...]]] = []
    senses: list[dict[str, list[int]]] = []
    for part in PARTS_OF_SPEECH:
        names.append({})
        for line in data_lines(folder / f"data.{part}"):
            fields = line.split(" ")
            all_names = fields[4 : 4 + 2 * int(fields[3], 16) : 2]
            # A mark of where an adjective stands, as in "galore(ip)", is no part of the name.
            plain = [re.sub(r"\([^()]*\)$", "", name) for name in all_names]
            names[-1][int(fields[0])] = tuple(dict.fromkeys(n for n in plain if "_" not in n))
        senses.append({})
        for line in data_lines(folder / f"index.{part}"):
            fields = line.split()
            senses[-1][fields[0]] = [int(place) for place in fields[-int(fields[2]) :]]

    numbers = {word: set(map(int, found)) for word, found in pairs_of_lines(jar, "english.synsets")}
    theirs = {word for words in senses for word in words}
    if theirs != set(numbers):
        raise SystemExit(f"words in one source alone: {sorted(theirs ^ set(numbers))[:10]}")
    known = numbers_of_places([sorted(found) for found in names], senses, numbers)
    for part, moved in zip(PARTS_OF_SPEECH, known, strict=True):
        count = sum(place != number for place, number in moved.items())
        print(
            f"data.{part}: {len(moved)} synsets, {count} of them at another place", file=sys.stderr
        )

    synsets = [
        {place: Synset(part, known[part][place], found) for place, found in names[part].items()}
        for part in range(len(PARTS_OF_SPEECH))
    ]
    words = {
        word: [
            synsets[part][place]
            for part in range(len(PARTS_OF_SPEECH))
            for place in senses[part].get(word, [])
        ]
        for word in sorted(numbers)
    }
    for word, found in words.items():
        if {synset.number for synset in found} != numbers[word]:
            raise SystemExit(f"the synsets of {word!r} are others in the jar")
    return words


def read_exceptions(folder: Path, jar: Path) -> dict[str, list[Base]]:
    """Return the base forms of each exception; verify that both sources agree on them."""
    exceptions: dict[str, list[Base]] = {}
    for part, name in enumerate(PARTS_OF_SPEECH):
        lines = [line.split() for line in data_lines(folder / f"{name}.exc")]
        last = {form: index for index, (form, *_) in enumerate(lines)}
        for index, (form, *bases) in enumerate(lines):
            hidden = last[form] != index
            exceptions.setdefault(form, []).extend(Base(part, base, hidden) for base in bases)
    merged: dict[str, set[str]] = {}
    for base, forms in pairs_of_lines(jar, "english.exceptions"):
        for form in forms:
            merged.setdefault(form, set()).add(base)
    if {form: {base.word for base in bases} for form, bases in exceptions.items()} != merged:
        raise SystemExit("the exceptions of the two sources differ")
    return exceptions


def checksum(data: bytes) -> int:
    """Return what WordNet::checksum() does."""
    padded = data + bytes(8 - len(data) % 8)
    state = len(data)
    for start in range(0, len(padded), 8):
        state ^= int.from_bytes(padded[start : start + 8], "little")
        state = state * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF
        state ^= state >> 32
    return state


def bucket_of(text: str, bits: int) -> int:
    """Return the bucket in which a text is sought."""
    value = 0x811C9DC5
    for byte in text.encode("ascii"):
        value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
    return (value * 0x9E3779B1 & 0xFFFFFFFF) >> (32 - bits)


def entry(text: str, items: list[bytes]) -> bytes:
    """Return a text with its items, as WordNet::Index::at() reads it."""
    data = text.encode("ascii")
    assert 0 < len(data) < 0x80 and 0 < len(items) < 0x100
    count = b"" if len(items) == 1 else bytes([len(items)])
    return bytes([len(data) | (0x80 if len(items) == 1 else 0)]) + count + data + b"".join(items)


def three_bytes(number: int) -> bytes:
    return number.to_bytes(3, "little")


def indexed(texts: dict[str, list[bytes]], bits: int) -> tuple[bytes, bytes, dict[str, int]]:
    """Return buckets, entries, and where each text came to lie."""
    buckets: list[list[str]] = [[] for _ in range(1 << bits)]
    for text in sorted(texts):
        buckets[bucket_of(text, bits)].append(text)
    starts, entries, places = bytearray(), bytearray(), {}
    for bucket in buckets:
        starts += three_bytes(len(entries))
        for text in bucket:
            places[text] = len(entries)
            entries += entry(text, texts[text])
    return bytes(starts + three_bytes(len(entries))), bytes(entries), places


def table(content: Content) -> bytes:
    """Return the bytes of the table."""
    synsets = sorted(
        {synset for found in content.words.values() for synset in found},
        key=lambda synset: (synset.part, synset.number),
    )
    synset_places: dict[Synset, int] = {}
    size = 0
    for synset in synsets:
        synset_places[synset] = size
        size += 3 + 3 * len(synset.names)
    assert size < 1 << 21

    def item(synset: Synset) -> bytes:
        nameless = 0 if synset.names else 1
        return three_bytes(synset_places[synset] | synset.part << 21 | nameless << 23)

    words = {word: [item(synset) for synset in found] for word, found in content.words.items()}
    buckets, entries, places = indexed(words, WORD_BITS)
    names = bytearray(entries)
    for name in sorted({name for synset in synsets for name in synset.names} - places.keys()):
        places[name] = len(names)
        data = name.encode("ascii")
        names += bytes([len(data) | 0x80]) + data
    assert len(names) < 1 << 23
    sets = bytearray()
    for synset in synsets:
        sets += three_bytes(synset.number)
        for name in synset.names:
            last = name == synset.names[-1]
            sets += three_bytes(places[name] | (0x800000 if last else 0))

    exceptions = {
        form: [
            bytes([base.part | (4 if base.hidden else 0)])
            + three_bytes(places[base.word] if base.word in content.words else NOWHERE)
            for base in bases
        ]
        for form, bases in content.exceptions.items()
    }
    exception_buckets, exception_entries, _ = indexed(exceptions, EXCEPTION_BITS)

    parts = [
        (buckets, WORD_BITS),
        (bytes(names), 0),
        (bytes(sets), 0),
        (exception_buckets, EXCEPTION_BITS),
        (exception_entries, 0),
    ]
    described = b"".join(
        len(part).to_bytes(4, "little")
        + bits.to_bytes(4, "little")
        + checksum(part).to_bytes(8, "little")
        for part, bits in parts
    )
    total = len(MAGIC) + 8 + len(described) + 8 + sum(len(part) for part, _ in parts)
    header = MAGIC + VERSION.to_bytes(4, "little") + total.to_bytes(4, "little") + described
    header += checksum(header).to_bytes(8, "little")
    return header + b"".join(part for part, _ in parts)


def main() -> int:
    """Write the table, or with --check say whether it is up to date."""
    assert __doc__ is not None
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if it differs")
    parser.add_argument("--wordnet", type=Path, default=DEBIAN, metavar="FOLDER")
    parser.add_argument("--jar", type=Path, metavar="FILE")
    arguments = parser.parse_args()
    if not (arguments.wordnet / "data.noun").is_file():
        parser.error(
            f"WordNet's files are not in {arguments.wordnet}: apt-get install wordnet-base"
        )
    jar = arguments.jar or default_jar()
    data = table(
        Content(read_words(arguments.wordnet, jar), read_exceptions(arguments.wordnet, jar))
    )
    if arguments.check:
        same = TARGET.is_file() and TARGET.read_bytes() == data
        print(f"{TARGET.name} is {'up to date' if same else 'another'}", file=sys.stderr)
        return 0 if same else 1
    TARGET.write_bytes(data)
    print(f"{TARGET.name}: {len(data)} bytes", file=sys.stderr)
    checksums = Path(__file__).with_name("make_resource_checksums.py")
    return subprocess.run([sys.executable, checksums], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
