"""The data files of the package: whole, described, and what becomes of damaged or missing ones."""

from __future__ import annotations

import gzip
import hashlib
import importlib.util
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from cocarde import InputError, MissingExtraError, OptionError, resources
from cocarde._native import WordNet
from cocarde.resources import base, embedded, jar

FOLDER = Path(resources.__file__).parent
ROOT = Path(__file__).resolve().parents[2]
WHOLE = (FOLDER / "wordnet.bin").read_bytes()
WITH_LISTS = ["czech", "english", "french", "german", "russian", "spanish"]


def load(data: bytes) -> WordNet:
    return WordNet(np.frombuffer(data, dtype=np.uint8))


def refusal(data: bytes) -> str:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the caller looks at the message
        load(data)
    return str(caught.value)


# -- the WordNet table


def test_empty_and_cut_tables() -> None:
    assert "cut short: 0 bytes" in refusal(b"")
    for size in (1, 50, 103):
        assert f"cut short: {size} bytes, less than a header" in refusal(WHOLE[:size])
    for size in (104, 105, 100_000, len(WHOLE) - 1):
        assert f"cut short: {size} bytes instead of {len(WHOLE)}" in refusal(WHOLE[:size])
    assert f"too long: {len(WHOLE) + 1} bytes" in refusal(WHOLE + b"\0")


def test_other_files_and_versions() -> None:
    assert "no WordNet table" in refusal(b"PK\3\4" + WHOLE[4:])
    assert "format version 2, where this build reads version 1" in refusal(
        WHOLE[:8] + b"\2" + WHOLE[9:]
    )


def test_a_changed_byte_is_noticed() -> None:
    names = ["buckets of words", "words", "synsets", "buckets of exceptions", "exceptions"]
    sizes = [int.from_bytes(WHOLE[16 + 16 * i : 20 + 16 * i], "little") for i in range(len(names))]
    header = len(WHOLE) - sum(sizes)
    places = {12: "header", 16: "header", header - 1: "header"}
    start = header
    for name, size in zip(names, sizes, strict=True):
        places |= dict.fromkeys([start, start + size // 2, start + size - 1], name)
        start += size
    damaged = bytearray(WHOLE)
    for place, name in places.items():
        for bit in (0, 4, 7):
            damaged[place] = WHOLE[place] ^ (1 << bit)
            assert refusal(bytes(damaged)) == f"damaged: the checksum of its {name} is another"
        damaged[place] = WHOLE[place]


def test_an_installation_with_a_damaged_table(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "wordnet.bin"
    monkeypatch.setattr(embedded, "data_file", lambda name: path)
    for data, reason in [(b"", "cut short"), (WHOLE[:-5], "cut short"), (b"x" * 200, "no WordNet")]:
        path.write_bytes(data)
        with pytest.raises(
            InputError, match=rf"{reason}.*; pip install --force-reinstall"
        ) as caught:
            embedded.wordnet.__wrapped__()
        assert caught.value.path == str(path)


def test_the_table_outlives_its_maker() -> None:
    table = load(bytes(WHOLE))
    assert table.meteor_synsets("cars") == resources.wordnet().meteor_synsets("cars") != []


# -- lists


def test_function_words() -> None:
    for code, name in resources.LANGUAGES.items():
        words = resources.function_words(code)
        assert words == resources.function_words(name.upper())
        assert bool(words) == (name in WITH_LISTS)
        assert all(word == word.lower() == word.strip() != "" for word in words)
    assert {"the", "of", "'t", "—"} <= resources.function_words("en")
    with pytest.raises(OptionError, match="no language 'klingon'; it knows ar-bw-red, cs, "):
        resources.function_words("klingon")


def test_nonbreaking_prefixes() -> None:
    english = resources.nonbreaking_prefixes("en")
    assert {"Mr", "A", "e.g"} <= english.always
    # "No" stands there twice; METEOR takes the later line.
    assert english.before_numbers == {"No", "Art", "pp"}
    assert "nÃºm" in resources.nonbreaking_prefixes("es").always
    assert "проф" not in english.always
    for code in ("cs", "it", "xx"):
        assert resources.nonbreaking_prefixes(code) == (frozenset(), frozenset())
    for code in ("de", "fr", "ru"):
        prefixes = resources.nonbreaking_prefixes(code)
        assert len(prefixes.always) > 50
        assert not any(set(prefix) & set(" \t\r#") for prefix in prefixes.always)


def test_lists_are_those_of_the_jar() -> None:
    """Read here once more, plainly."""
    folder = resources.meteor_folder()
    if folder is None:
        pytest.skip("pycocoevalcap, which brings METEOR's jar, is not installed")
    with zipfile.ZipFile(folder / "meteor-1.5.jar") as archive:
        for name in set(resources.LANGUAGES.values()):
            words = archive.read(f"function/{name}.words").decode().split("\n")
            assert resources.function_words(name) == set(words[:-1])
        for name in WITH_LISTS:
            kinds = {}
            for line in archive.read(f"nonbreaking/{name}.prefixes").decode().splitlines():
                if line.strip() and not line.startswith("#"):
                    kinds[line.split()[0]] = "#NUMERIC_ONLY#" in line
            found = resources.nonbreaking_prefixes(name)
            assert found.always == {word for word, numeric in kinds.items() if not numeric}
            assert found.before_numbers == {word for word, numeric in kinds.items() if numeric}


# -- the jar


def test_java_hash() -> None:
    """As Java's documentation defines it, over UTF-16 units."""
    for word in ["", "a", "Aa", "polygenelubricants", "é", "😀", "ktAb", "\ud800"]:
        units = np.frombuffer(word.encode("utf-16-le", "surrogatepass"), dtype="<u2").tolist()
        expected = sum(unit * 31 ** (len(units) - 1 - i) for i, unit in enumerate(units)) % 2**32
        assert resources.java_hash(word) == expected
    assert resources.java_hash("polygenelubricants") == 0x80000000


def test_arabic_stems() -> None:
    if resources.meteor_folder() is None:
        pytest.skip("pycocoevalcap, which brings METEOR's jar, is not installed")
    stems = resources.arabic_stems()
    with zipfile.ZipFile(str(jar.describe_arabic_stems().path)) as archive:
        text = gzip.decompress(archive.read("stem/arabic-buckwalter-reduced.gz")).decode()
        # A word, then stems by falling frequency, of which METEOR takes the first.
        lines = re.findall(r"^([^ \n]+) [0-9]+ ([^ \n]+)", text, re.MULTILINE)
    assert len(lines) > 590_000
    last = dict(lines)
    # Of words with one number, the later line stands: METEOR knows no word but by its number.
    shared: dict[int, list[str]] = {}
    for word in last:
        shared.setdefault(resources.java_hash(word), []).append(word)
    assert set(shared) <= set(stems)
    assert all(stems[number] == last[words[-1]] for number, words in shared.items())
    assert sum(len(words) > 1 for words in shared.values()) > 1_000
    assert sum(last[word] != word for word in last) > 100_000
    assert resources.arabic_stems() is stems


def test_without_the_jar(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(jar, "find_spec", lambda name: None)
    assert resources.meteor_folder() is None
    with pytest.raises(MissingExtraError, match=r'pip install "cocarde\[paraphrase\]"'):
        jar.arabic_stems.__wrapped__()
    monkeypatch.delenv("COCARDE_PARAPHRASES", raising=False)
    missing, table = resources.describe()[-2:]
    assert (missing.name, missing.present, missing.path) == ("arabic-stems", False, None)
    assert (table.name, table.present, table.path) == ("paraphrases-en", False, None)
    with pytest.raises(MissingExtraError, match=r'arabic-stems is missing: pip install "cocarde'):
        missing.compute_sha256()


@pytest.mark.parametrize("kind", ["no zip", "no member", "no gzip", "cut"])
def test_damaged_jars(kind: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "meteor-1.5.jar"
    if kind == "no zip":
        path.write_bytes(b"not a jar")
    else:
        with zipfile.ZipFile(path, "w") as archive:
            content = {"no gzip": b"text", "cut": b"\x1f\x8b\x08\0\0\0\0\0\0\3K"}.get(kind)
            archive.writestr(
                "other" if content is None else "stem/arabic-buckwalter-reduced.gz", content or b""
            )
    monkeypatch.setattr(jar, "meteor_folder", lambda: tmp_path)
    with pytest.raises(InputError, match="no stems of Arabic can be read") as caught:
        jar.arabic_stems.__wrapped__()
    assert caught.value.path == str(path)


# -- descriptions


def test_describe() -> None:
    described = resources.describe()
    names = [resource.name for resource in described]
    assert len(set(names)) == len(names)
    assert {
        "wordnet",
        "function-words/english",
        "prefixes/russian",
        "arabic-stems",
        "paraphrases-en",
    } <= set(names)
    for resource in described:
        assert resource.origin and resource.purpose and resource.licence and resource.command
        if resource.present:
            assert resource.compute_sha256() == resource.sha256, resource.name
    (table,) = [resource for resource in described if resource.name == "wordnet"]
    assert (table.path, table.size) == (FOLDER / "wordnet.bin", len(WHOLE))


def test_every_data_file_is_described_and_has_a_licence() -> None:
    text = {".py", ".md", ".pyc"}
    here = {
        path.relative_to(FOLDER).as_posix()
        for path in FOLDER.rglob("*")
        if path.is_file() and path.suffix not in text and "LICENSE" not in path.name
    } - {"SHA256SUMS", "LGPL-2.1.txt"}
    assert here == set(base.checksums())
    for name, digest in base.checksums().items():
        assert hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() == digest, name
    assert "WordNet 3.0 Copyright 2006" in (FOLDER / "WORDNET-LICENSE.txt").read_text()
    assert "Version 2.1, February 1999" in (FOLDER / "LGPL-2.1.txt").read_text()


def test_a_lost_data_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    base.checksums()  # remembered
    monkeypatch.setattr(base, "files", lambda package: tmp_path)
    with pytest.raises(MissingExtraError, match=r"wordnet\.bin is missing: .*pip install"):
        base.data_file("wordnet.bin")
    assert not any(
        resource.present for resource in resources.describe() if resource.name == "wordnet"
    )


# -- the makers


def check(tool: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "tools" / tool), "--check"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_lists_and_checksums_are_made_by_the_tools() -> None:
    if importlib.util.find_spec("pycocoevalcap") is None:
        pytest.skip("pycocoevalcap, which brings METEOR's jar, is not installed")
    assert check("make_meteor_lists.py").returncode == 0
    assert check("make_resource_checksums.py").returncode == 0


@pytest.mark.slow
def test_the_table_is_made_by_the_tool() -> None:
    if importlib.util.find_spec("pycocoevalcap") is None:
        pytest.skip("pycocoevalcap, which brings METEOR's jar, is not installed")
    if not Path("/usr/share/wordnet/data.noun").is_file():
        pytest.skip("WordNet's files are not there: apt-get install wordnet-base")
    done = check("make_wordnet_table.py")
    assert done.returncode == 0, done.stderr
