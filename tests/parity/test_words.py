"""Unicode's words against the rules as they are written, and against other implementations."""

from __future__ import annotations

import itertools
import random
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cocarde import tokenizers

regex = pytest.importorskip("regex", reason="the source of the properties: extra test")

from tests.oracles import word_segmentation as oracle  # noqa: E402 - it needs regex

words = tokenizers.get("words")

# One or more characters of each class; the second Hebrew, pictographic and ASCII ones differ in more
# than the class.
ONE_OF_EACH = [
    *(
        "\r",
        "\n",
        "\x0b",
        "\u0308",
        "\u200d",
        "\u00ad",
        "\U0001f1e9",
        "ア",
        "א",
        "A",
        "'",
        '"',
        ".",
    ),
    *(":", ",", "0", "_", " ", "世", "!", "\U0001f600", "Ⓜ", "²"),
]
REPRESENTATIVES = [
    *(
        "\r",
        "\n",
        "\x0b",
        "\u2028",
        "\u0308",
        "\u200d",
        "\u00ad",
        "\U0001f1e9",
        "ア",
        "א",
        "A",
        "é",
    ),
    *(
        "'",
        '"',
        ".",
        "\u2019",
        ":",
        "\u00b7",
        ",",
        ";",
        "0",
        "\u0664",
        "_",
        "\u203f",
        " ",
        "\u3000",
    ),
    *("世", "か", "ก", "!", "\U0001f600", "Ⓜ", "²", "한", "\U0001f3fd", "-", "々", "\ud800"),
]
CODE_POINTS = [chr(point) for point in range(sys.maxunicode + 1)]


def test_every_pair_and_triple_of_classes() -> None:
    for alphabet, length in ((REPRESENTATIVES, 1), (REPRESENTATIVES, 2), (ONE_OF_EACH, 3)):
        for characters in itertools.product(alphabet, repeat=length):
            text = "".join(characters)
            assert words(text) == oracle.words(text), ascii(text)


def test_longer_mixtures_of_classes() -> None:
    random_number = random.Random(29)
    for _ in range(3000):
        text = "".join(random_number.choices(REPRESENTATIVES, k=random_number.randint(4, 9)))
        assert words(text) == oracle.words(text), ascii(text)


BOUNDARY = regex.compile(r"(?w)\b")
HELD = regex.compile(r"[\p{L}\p{N}]")


def words_of_regex(text: str) -> list[str]:
    r"""The pieces between the boundaries of the regex module's flag WORD."""
    cuts = [0, *(found.start() for found in BOUNDARY.finditer(text)), len(text)]
    pieces = (text[a:b] for a, b in itertools.pairwise(cuts))
    return [piece for piece in pieces if HELD.search(piece)]


def test_every_code_point() -> None:
    """Between letters, between digits and alone."""
    for start in range(0, len(CODE_POINTS), 512):
        texts = [f"a{c}b 1{c}2 {c}\n" for c in CODE_POINTS[start : start + 512]]
        whole = "".join(texts)
        if words(whole) == words_of_regex(whole):
            continue
        for text in texts:
            assert words(text) == words_of_regex(text), ascii(text)


@settings(max_examples=500, deadline=None)
@given(
    st.one_of(
        st.text(st.characters(codec=None), max_size=60),
        st.text(st.sampled_from(REPRESENTATIVES), max_size=40),
        st.text(st.sampled_from("aB1_'.:,;\"! -\r\n"), max_size=150),
    )
)
def test_any_text(text: str) -> None:
    assert words(text) == oracle.words(text)


def test_regex_module() -> None:
    r"""The word boundaries of the regex module's flag WORD."""
    random_number = random.Random(30)
    for _ in range(3000):
        text = "".join(random_number.choices(REPRESENTATIVES, k=random_number.randint(1, 12)))
        assert words(text) == words_of_regex(text), ascii(text)


def test_uniseg() -> None:
    """The segments of uniseg, which knows an older Unicode, on characters that have not changed."""
    wordbreak = pytest.importorskip("uniseg.wordbreak", reason="uniseg is a peer: extra test")
    random_number = random.Random(31)
    for _ in range(3000):
        text = "".join(random_number.choices(REPRESENTATIVES, k=random_number.randint(1, 12)))
        pieces = list(wordbreak.words(text))
        assert words(text) == [piece for piece in pieces if HELD.search(piece)], ascii(text)


def test_examples_of_the_annex() -> None:
    text = "The quick (“brown”) fox can’t jump 32.3 feet, right?"
    expected = ["The", "quick", "brown", "fox", "can’t", "jump", "32.3", "feet", "right"]
    assert words(text) == expected
    assert words(text.replace("“", '"').replace("”", '"').replace("’", "'")) == [
        word.replace("’", "'") for word in expected
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("L'été à l'école, 3,14 €", ["L'été", "à", "l'école", "3,14"]),
        ("Привет, мир!", ["Привет", "мир"]),
        ("السَّلَام عليكم", ["السَّلَام", "عليكم"]),
        ("צה\"ל ג'ירפה", ['צה"ל', "ג'ירפה"]),
        ("한국어 문장입니다.", ["한국어", "문장입니다"]),
        ("हिन्दी में लिखा", ["हिन्दी", "में", "लिखा"]),
        ("世界カタカナひら。", ["世", "界", "カタカナ", "ひ", "ら"]),
        ("วัน", ["วั", "น"]),
        ("a_b __ _c", ["a_b", "_c"]),
        ("👍🏽 🇩🇪 …", []),
        ("", []),
    ],
)
def test_scripts(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_the_place_in_the_text_does_not_matter() -> None:
    """Text in ASCII is read in blocks of 64 bytes; what falls where must not show."""
    text = "a'b 1.2 c:d _e __ f,g 3;4 h.i's 5'6 j_7 k..l"
    expected = ["a'b", "1.2", "c:d", "_e", "f", "g", "3;4", "h.i's", "5'6", "j_7", "k", "l"]
    for shift in range(140):
        assert words(f"{'- ' * (shift // 2)}{' ' * (shift % 2)}{text}") == expected
        long = "x" * (shift + 1)
        assert words(f"{long}{text}") == [f"{long}a'b", *expected[1:]]
        assert words(f"{text} {long}é") == [*expected, f"{long}é"]
        assert words(long) == [long]
        assert words("_" * shift) == []
