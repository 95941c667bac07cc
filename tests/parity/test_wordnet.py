"""The WordNet table against METEOR's own files, read plainly, and against NLTK on WordNet's files."""

from __future__ import annotations

import random
import shutil
import sys
import unicodedata
import warnings
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from cocarde.resources import meteor_folder, wordnet

DEBIAN = Path("/usr/share/wordnet")
NOUN_ENDINGS = "s: ses:s xes:x zes:z ches:ch shes:sh men:man ies:y"
VERB_ENDINGS = "s: ies:y es:e es: ed:e ed: ing:e ing:"
ADJECTIVE_ENDINGS = "er: est: er:e est:e"
ENDINGS = [
    tuple(rule.split(":")) for rule in f"{NOUN_ENDINGS} {VERB_ENDINGS} {ADJECTIVE_ENDINGS}".split()
]


class PlainMeteor:
    """The synonym dictionary of METEOR 1.5, by its definition."""

    def __init__(self, synsets: str, exceptions: str) -> None:
        lines = synsets.split("\n")
        self.synsets = {
            word: set(map(int, numbers.split()))
            for word, numbers in zip(lines[:-1:2], lines[1::2], strict=True)
        }
        lines = exceptions.split("\n")
        self.bases: dict[str, list[str]] = {}
        for base, forms in zip(lines[:-1:2], lines[1::2], strict=True):
            for form in forms.split():
                self.bases.setdefault(form, []).append(base)

    def base_of(self, word: str) -> str:
        units = len(word.encode("utf-16-le", "surrogatepass")) // 2
        ful = "ful" if word.endswith("ful") else ""
        if word.endswith("ss") or units <= 2:
            return word
        for ending, instead in ENDINGS:
            if word.endswith(ending):
                base = word[: len(word) - len(ending)] + instead
                if base in self.synsets:
                    return base + ful
        return ""

    def __call__(self, word: str) -> list[int]:
        bases = self.bases[word] if word in self.bases else [self.base_of(word)]
        return sorted(set().union(*(self.synsets.get(form, ()) for form in [word, *bases])))


@pytest.fixture(scope="module")
def plain() -> PlainMeteor:
    folder = meteor_folder()
    if folder is None:
        pytest.skip("pycocoevalcap, which brings METEOR's jar, is not installed")
    with zipfile.ZipFile(folder / "meteor-1.5.jar") as archive:
        return PlainMeteor(
            archive.read("synonym/english.synsets").decode("ascii"),
            archive.read("synonym/english.exceptions").decode("ascii"),
        )


def strange_words(words: list[str], count: int, seed: int) -> Iterator[str]:
    """Words with endings, cut, doubled, in capitals, of few letters, of other scripts."""
    chance = random.Random(seed)
    endings = ["", *(ending for ending, _ in ENDINGS), "ves", "ss", "ful", "fuls", "'s", "é", "s̄"]
    letters = "abcdefgimnsz"
    for _ in range(count):
        word = chance.choice(words)
        ending = chance.choice(endings)
        kind = chance.randrange(10)
        if kind < 5:
            yield word + ending
        elif kind == 5:
            yield word[: chance.randrange(len(word) + 1)] + ending
        elif kind == 6:
            yield "".join(chance.choices(letters, k=chance.randrange(5))) + ending
        elif kind == 7:
            yield chance.choice([str.upper, str.title, str.swapcase])(word + ending)
        elif kind == 8:
            at = chance.randrange(len(word) + 1)
            yield word[:at] + chance.choice("éßΣİKſ\ud800\U0001d51e\x00 _") + word[at:] + ending
        else:
            yield chance.choice(["é", "\U0001d51e", "😀", "\udc00", ""]) + ending


def test_every_word_of_meteor(plain: PlainMeteor) -> None:
    table = wordnet()
    assert len(plain.synsets) == 147_306
    for word in plain.synsets:
        assert table.meteor_synsets(word) == plain(word), word


def test_every_exception_of_meteor(plain: PlainMeteor) -> None:
    table = wordnet()
    assert len(plain.bases) == 5_940
    for form, bases in plain.bases.items():
        assert table.meteor_synsets(form) == plain(form), form
        for base in bases:
            assert table.meteor_synsets(base) == plain(base), base
    # An exception whose base forms are unknown is not cut either.
    unknown = [
        form
        for form, bases in plain.bases.items()
        if form not in plain.synsets and not any(base in plain.synsets for base in bases)
    ]
    assert unknown
    assert [table.meteor_synsets(form) for form in unknown] == [[]] * len(unknown)


def test_inflected_and_strange_words_of_meteor(plain: PlainMeteor) -> None:
    table = wordnet()
    found = 0
    for word in strange_words(list(plain.synsets), 50_000, seed=1):
        expected = plain(word)
        assert table.meteor_synsets(word) == expected, word
        found += bool(expected)
    assert 10_000 < found < 40_000


def test_the_ending_ful_never_matters(plain: PlainMeteor) -> None:
    """METEOR puts "ful" back after what it cut; but no ending that it cuts is that of such a word."""
    table = wordnet()
    words = [word for word in plain.synsets if "_" not in word]
    known = [word for word in words if word.endswith("ful")]
    made = [f"{word}{ending}ful" for word in words[::11] for ending in ("", "s", "ing")]
    assert len(known) > 100
    for word in [*known, *(f"{word}s" for word in known), *made, "handsful"]:
        assert table.meteor_synsets(word) == plain(word), word
        if word not in plain.synsets and word.endswith("ful") and word not in plain.bases:
            assert table.meteor_synsets(word) == [], word


def test_what_is_short_to_meteor_changes_nothing(plain: PlainMeteor) -> None:
    """It counts UTF-16 units, the table bytes; the words it knows are ASCII, so both are the same."""
    for word in ["as", "es", "xs", "és", "😀", "😀s", "es\u0301", "s", "", "a", "ss", "sss", "ing"]:
        assert wordnet().meteor_synsets(word) == plain(word), word
    assert wordnet().meteor_synsets("as") != wordnet().meteor_synsets("a")


def test_words_as_meteor_matches_them() -> None:
    synsets = {
        word: set(wordnet().meteor_synsets(word)) for word in ["cars", "autos", "went", "travelled"]
    }
    assert synsets["cars"] & synsets["autos"]
    assert synsets["went"] & synsets["travelled"]
    assert not synsets["cars"] & synsets["went"]


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """NLTK's own reader over the files of Debian's package."""
    nltk_wordnet = pytest.importorskip("nltk.corpus.reader.wordnet", reason="needs the extra test")
    if not (DEBIAN / "data.noun").is_file():
        pytest.skip("WordNet's files are not there: apt-get install wordnet-base")
    folder = tmp_path_factory.mktemp("wordnet")
    for path in DEBIAN.iterdir():
        shutil.copyfile(path, folder / path.name)  # NLTK follows no links out of its folder
    # Debian leaves this list of files out; its numbers matter, its names do not.
    (folder / "lexnames").write_text("".join(f"{i:02d}\tname{i}\t1\n" for i in range(45)))

    class Reader(nltk_wordnet.WordNetCorpusReader):  # type: ignore[misc,name-defined]
        """Without the map between releases, for which it would want another copy of WordNet."""

        def map_wn(self, version: str = "wordnet") -> None:
            return None

    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it says that it has no other languages
        # NLTK opens files in the folders of this list alone.
        patch.setattr("nltk.data.path", [str(folder)])
        yield Reader(str(folder), None)


def nltk_names(reader: Any, word: str) -> set[str]:
    """What NLTK's meteor takes as related words."""
    return {
        name for synset in reader.synsets(word) for name in synset.lemma_names() if "_" not in name
    }


@pytest.mark.slow
def test_every_word_of_nltk(reader: Any) -> None:
    table = wordnet()
    words = sorted(reader.all_lemma_names())
    assert len(words) == 147_306
    for word in words:
        found = table.nltk_related(word)
        assert set(found) == nltk_names(reader, word), word
        assert len(set(found)) == len(found), word


def test_inflected_and_strange_words_of_nltk(reader: Any) -> None:
    table = wordnet()
    words = sorted(reader.all_lemma_names())
    forms = [form for part in "nvar" for form in reader._exception_map[part]]
    assert len(forms) > 5_900
    found = 0
    for word in [*forms, *strange_words(words, 50_000, seed=2)]:
        expected = nltk_names(reader, word)
        assert set(table.nltk_related(word)) == expected, word
        found += bool(expected)
    assert found > 10_000


def test_lower_case_of_any_letter() -> None:
    """One letter beyond ASCII becomes one of ASCII; no other can make a word of the table."""
    letters = [chr(point) for point in range(0x80, sys.maxunicode + 1)]
    assert [letter for letter in letters if letter.lower().isascii()] == ["\u212a"]
    assert unicodedata.name("\u212a") == "KELVIN SIGN"
    assert set(wordnet().nltk_related("\u212aIWI")) == set(wordnet().nltk_related("kiwi")) != set()


def test_queries_at_once(plain: PlainMeteor) -> None:
    words = list(plain.synsets)[::37]
    expected = [plain(word) for word in words]
    related = [sorted(wordnet().nltk_related(word)) for word in words]

    def ask(_: int) -> bool:
        return [wordnet().meteor_synsets(word) for word in words] == expected and [
            sorted(wordnet().nltk_related(word)) for word in words
        ] == related

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(ask, range(16)))
