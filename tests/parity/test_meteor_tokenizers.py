"""METEOR's tokenizers against the live jar, on real text, generated text and every code point."""

from __future__ import annotations

import functools
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cocarde import _native, tokenizers
from tests import meteor_peer
from tests.data_access import require_data_folder
from tests.oracles import meteor_normalisation as oracle

ROOT = Path(__file__).resolve().parents[2]
VARIANTS = [(language, kept) for language in oracle.LANGUAGES for kept in (True, False)]

# Does to a line, its characters written as numbers, what METEOR does: normalise, lower-case, cut.
JAVA = """
import edu.cmu.meteor.util.Constants;
import edu.cmu.meteor.util.Normalizer;
import java.io.*;
import java.util.*;

public class Lines {
    public static void main(String[] args) throws Exception {
        int language = args[0].equals("plain") ? -1
            : Constants.getLanguageID(Constants.normLanguageName(args[0]));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        StringBuilder out = new StringBuilder();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            StringBuilder text = new StringBuilder();
            for (String unit : line.split(" "))
                if (!unit.isEmpty()) text.append((char) Integer.parseInt(unit));
            String result = text.toString();
            if (language >= 0)
                result = Normalizer.normalizeLine(result, language, args[1].equals("true"));
            if (args[2].equals("true")) result = result.toLowerCase(Locale.ROOT);
            StringTokenizer words = new StringTokenizer(result);
            while (words.hasMoreTokens()) {
                for (char unit : words.nextToken().toCharArray()) out.append((int) unit).append(' ');
                out.append(';');
            }
            out.append('\\n');
        }
        System.out.print(out);
    }
}
"""


def name_of(language: str, kept: bool) -> str:
    return f"meteor-{language}" if kept else f"meteor-{language}-nopunct"


def units(text: str) -> list[int]:
    data = text.encode("utf-16-le", "surrogatepass")
    return [data[i] | data[i + 1] << 8 for i in range(0, len(data), 2)]


def characters(numbers: str) -> str:
    data = b"".join(int(unit).to_bytes(2, "little") for unit in numbers.split())
    return data.decode("utf-16-le", "surrogatepass")


class Java:
    """METEOR's own classes, called by a class compiled here: for text that has no place in a line."""

    def __init__(self, folder: Path) -> None:
        if shutil.which("javac") is None:
            pytest.skip(
                "there is no Java compiler (Debian, Ubuntu: apt install default-jdk-headless)"
            )
        self.classes = f"{meteor_peer.jar()}{';' if sys.platform == 'win32' else ':'}{folder}"
        source = folder / "Lines.java"
        source.write_text(JAVA, encoding="ascii")
        command = ["javac", "-cp", self.classes, "-d", str(folder), str(source)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

    def tokens(
        self, texts: Sequence[str], language: str, *, kept: bool = True, lowercase: bool = False
    ) -> list[list[str]]:
        flags = [str(flag).lower() for flag in (kept, lowercase)]
        done = subprocess.run(
            ["java", "-Xmx2G", "-cp", self.classes, "Lines", language, *flags],
            input="".join(" ".join(map(str, units(text))) + "\n" for text in texts),
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        found = done.stdout.split("\n")[:-1]
        assert len(found) == len(texts)
        return [[characters(word) for word in line.split(";")[:-1]] for line in found]


@pytest.fixture(scope="module")
def java(tmp_path_factory: pytest.TempPathFactory) -> Java:
    return Java(tmp_path_factory.mktemp("java"))


def peer_lines(texts: Sequence[str], language: str, kept: bool) -> list[str]:
    """Lines of the jar's own command."""
    flag = str(kept).lower()
    text = "".join(line + "\n" for line in texts)
    out = meteor_peer.run("edu.cmu.meteor.util.Normalizer", language, flag, text=text)
    found = out.split("\n")[:-1]
    assert len(found) == len(texts)
    return found


def assert_same(texts: Sequence[str], language: str, kept: bool) -> None:
    ours = tokenizers.get(name_of(language, kept))
    for text, line in zip(texts, peer_lines(texts, language, kept), strict=True):
        assert ours(text) == oracle.split(line), (language, kept, ascii(text))


PIECES = [
    *"abszABSZ0019éÉßžřČ ñıİЖдёЁїԥԨΣσςאع中あ한अ😀𝒜𐐀",
    *"    ..,,--''`‘’“”‟–—―…·;:!?()[]{}<>«»„‚@#$%&*_+=/\\|~^\"",
    *"\t\v\f\x00\x01\x08\x1b\x1c\x1f\x7f\x85\xa0\xad\u1680\u180e\u2003\u200b\u200d\u2028\u2029\u202f",
    *"\u205f\u2060\u3000\ufeff\u0301\ufffd\uffff",
    *["DOTMULTI", "DOTMULTI.", "DOTDOTMULTI", "DOT", "D.OTMULTI.", "dotmulti.", "MULTI", "DOTMULTI.a"],
    *["...", "....", "..", "--", "---", "''", "'''", "’’", "‘'", ",,", ",,,", "1,000.50", "a,b,c", "1,2,3,a"],
    *["x'y'z", "a-b-c-d", "l'eau", "don't", "1990's", "'tis", "5'a", "rock'n'roll", "é'é'é", "д'д'д"],
    *["U.S.", "U.S.-based", "e.g.", "i.e.", "3.5.", "a.b", ".a", "Mr.", "etc.", "No. 7", "No. x", "pp."],
    *["Nr.", "bzw.", "núm.", "nÃºm.", "pág.", "гг.", "тыс.", "c.-à-d.", "fém.", "Sr.", "Inc."], "M.", "Art.",
]  # fmt: skip


def generated(count: int, seed: int) -> list[str]:
    generator = random.Random(seed)
    texts = []
    for _ in range(count):
        few = generator.sample(PIECES, 6) if generator.random() < 0.3 else PIECES
        texts.append("".join(generator.choices(few, k=generator.randrange(1, 30))))
    return texts


@functools.cache
def real_texts(folder: Path) -> list[str]:
    texts = []
    for path in sorted((ROOT / "examples").rglob("*")):
        if path.suffix in {".txt", ".tsv", ".sgm", ".xml"}:
            texts += path.read_text(encoding="utf-8").split("\n")
    for part in ("multeval", "nlg-eval", "sgml", "summaries"):
        for path in sorted((folder / part).rglob("*")):
            if path.is_file() and path.suffix not in {".gz", ".zip", ".npz"}:
                texts += path.read_bytes().decode("utf-8", "replace").split("\n")
    distinct = list(dict.fromkeys(text.replace("\r", " ") for text in texts))
    assert len(distinct) > 5_000
    return distinct


@pytest.mark.parametrize(("language", "kept"), VARIANTS)
def test_real_text(language: str, kept: bool) -> None:
    # The jar needs seconds for all; one language gets them.
    texts = real_texts(require_data_folder())
    assert_same(texts if language == "en" else texts[::8], language, kept)


@pytest.mark.parametrize(("language", "kept"), VARIANTS)
def test_generated_text(language: str, kept: bool) -> None:
    count = 20_000 if kept else 4_000
    assert_same(generated(count, seed=VARIANTS.index((language, kept))), language, kept)


def points_in_context() -> Iterator[str]:
    """Every code point that UTF-8 can hold, but line ends: alone and between what rules look at."""
    for point in range(0x110000):
        if 0xD800 <= point < 0xE000 or chr(point) in "\n\r":
            continue
        if point < 0x10000:
            yield "{0} a{0}b 1{0}2 {0}'s x'{0} ,{0}, 3{0},{0}4 a-{0}-b .{0}. Mr. {0} etc.{0}".format(
                chr(point)
            )
        elif point % 16 == 0 or point < 0x1F000:
            yield f"a{chr(point)}b"


@pytest.mark.parametrize(("language", "kept"), [("en", True), ("fr", False)])
def test_every_code_point(language: str, kept: bool) -> None:
    assert_same(list(points_in_context()), language, kept)


def test_every_code_point_alone_and_at_the_ends() -> None:
    points = [chr(p) for p in range(0x10000) if not 0xD800 <= p < 0xE000 and chr(p) not in "\n\r"]
    assert_same(points, "de", True)
    assert_same([f"{c}a{c}" for c in points], "ru", True)


@pytest.mark.parametrize(("language", "kept"), VARIANTS)
def test_text_that_is_no_line(java: Java, language: str, kept: bool) -> None:
    """Line ends within, half surrogates, and then the lower case."""
    generator = random.Random(5)
    texts = [
        text.replace("DOT", generator.choice(["\n", "\r", "\ud800", "\udfff,", "DOT"]))
        for text in generated(3_000, seed=99)
    ]
    name = name_of(language, kept)
    expected = java.tokens(texts, language, kept=kept)
    lowered = java.tokens(texts, language, kept=kept, lowercase=True)
    for text, tokens, lower in zip(texts, expected, lowered, strict=True):
        assert tokenizers.get(name)(text) == tokens, ascii(text)
        assert tokenizers.get(name).lowercased(text) == lower, ascii(text)


def test_lower_case_of_every_code_point(java: Java) -> None:
    # No letter lies beyond, but for ideographs.
    points = [chr(p) for p in range(0x20000)]
    ours = tokenizers.get("meteor-en").lowercased
    for point, tokens in zip(points, java.tokens(points, "en", lowercase=True), strict=True):
        assert ours(point) == tokens, ascii(point)
    # Letters stay within words, where others stand alone.
    texts = [f"a{c}b" for c in points[:0x3000]] + [f"ΑΣ{c}Σ ΑΣ" for c in points[:0x3000]]
    for text, tokens in zip(texts, java.tokens(texts, "en", lowercase=True), strict=True):
        assert ours(text) == tokens, ascii(text)


def test_plain_cuts_as_java(java: Java) -> None:
    texts = generated(5_000, seed=7) + [f"a{chr(p)}b" for p in range(0x10000)] + ["", " ", "\r\n"]
    ours = tokenizers.get("meteor-plain")
    for text, tokens in zip(texts, java.tokens(texts, "plain"), strict=True):
        assert ours(text) == tokens, ascii(text)


def test_plain_lowers_as_java(java: Java) -> None:
    """In words of letters alone; beside marks Java has a rule of its own for a capital sigma."""
    texts = [
        *(chr(p) for p in range(0x2C00)),
        *["ΟΔΟΣ", "ΟΔΟΣ, Σ ΣΑΣ. ΑΣΣ", "ΣΣ", "İZMİR", "IŞIK ĞÜÇ", "ẞ ΑΣ1 1ΑΣ", "Σ́", "ΑΣ́ ΑΣ́Α", "ǅ ᾈ"],
    ]
    ours = tokenizers.get("meteor-plain")
    for text, tokens in zip(texts, java.tokens(texts, "plain", lowercase=True), strict=True):
        assert ours.lowercased(text) == tokens, ascii(text)


def test_other_languages_have_no_normaliser() -> None:
    """So there is no tokenizer of theirs: the jar raises."""
    for language in ("pt", "da", "it", "ar-bw-red", "other"):
        command = ["java", "-cp", str(meteor_peer.jar()), "edu.cmu.meteor.util.Normalizer"]
        done = subprocess.run([*command, language, "true"], input="a\n", capture_output=True, text=True,
                              check=False)  # fmt: skip
        assert "No normalizer for language" in done.stderr, language
        assert f"meteor-{language}" not in tokenizers.names()


MIXED_TEXT = st.one_of(
    st.lists(st.sampled_from([*PIECES, "\n", "\r", "\ud800"]), max_size=30).map("".join),
    st.text("aD1.,-' ", max_size=30),
    st.text(st.characters(codec=None), max_size=20),
)


@pytest.mark.parametrize(("language", "kept"), VARIANTS)
@settings(max_examples=300)
@given(text=MIXED_TEXT)
def test_plain_definition(language: str, kept: bool, text: str) -> None:
    line = oracle.normalise(text, language, punctuation=kept)
    assert tokenizers.get(name_of(language, kept))(text) == oracle.split(line)


@pytest.mark.parametrize("language", ["en", "fr", "de"])
def test_every_short_text_of_the_marks(language: str) -> None:
    """Repeated marks and neighbours that a match takes: all texts of up to six of them."""
    marks = ["a1,", "a,-", "a'1", "a' ", "a-.", "'-,", "a.'"]
    for alphabet in marks:
        for length in range(1, 8):
            for number in range(3**length):
                text = "".join(alphabet[number // 3**k % 3] for k in range(length))
                line = oracle.normalise(text, language)
                assert tokenizers.get(f"meteor-{language}")(text) == oracle.split(line), text


def test_hidden_dots_end() -> None:
    """The jar's loops shorten the text each time; here each is one pass, however often they repeat."""
    ours = tokenizers.get("meteor-en")
    many = 200_000
    assert ours("." * many) == ["." * many]
    assert ours("DOT" * many + "MULTI") == ["." * many]
    assert ours("DOTMULTI" * many) == ["." * many]
    assert ours("DOTMULTI." * many) == ["..", *["...."] * (many // 2 - 1), ".."]


def test_prefixes_are_those_of_the_jar() -> None:
    meteor_peer.jar()  # from which the lists come that the header is made of
    for name in ("make_meteor_lists.py", "make_meteor_prefixes.py"):
        command = [sys.executable, str(ROOT / "tools" / name), "--check"]
        assert subprocess.run(command, check=False).returncode == 0


def test_names() -> None:
    names = {name for name in _native.tokenizer_names() if name.startswith("meteor-")}
    normalising = {name_of(language, kept) for language, kept in VARIANTS}
    assert names == {"meteor-plain", *normalising, *(f"{name}-lowercase" for name in normalising)}
    assert {name for name in tokenizers.names() if name.startswith("meteor-")} == {
        "meteor-plain", *normalising
    }  # fmt: skip
    assert all(tokenizers.get(name).signature == name for name in normalising)
