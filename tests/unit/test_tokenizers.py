"""The registry of tokenizers: names, values, errors, threads."""

from __future__ import annotations

import copy
import functools
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from cocarde import _native, tokenizers
from cocarde.errors import CocardeWarning, InputError, MissingExtraError, OptionError
from cocarde.tokenizers import base
from cocarde.tokenizers.meteor import METEOR_LANGUAGES

NATIVE = [
    "13a",
    "intl",
    "zh",
    "zh-unicode",
    "char",
    "none",
    "multi-bleu",
    "multi-bleu-detok",
    "single-blank",
    "mteval-v13a",
    "mteval-intl",
    "mteval-intl-split",
    "mteval-v13a-intl",
    "mteval-v13a-intl-split",
    "rouge",
    "rouge-stem",
    "rouge-1.5.5",
    "rouge-1.5.5-stem",
    "rouge-1.5.5-wordnet",
    "words",
    "tercom-norm",
    "tercom-norm-asian",
    "tercom-norm-nopunct",
    "tercom-norm-nopunct-asian",
    "tercom-nopunct",
    "tercom-nopunct-asian",
    "meteor-plain",
    *(f"meteor-{code}{end}" for code in METEOR_LANGUAGES for end in ("", "-nopunct")),
]


def words_of_test(text: str) -> list[str]:
    return text.split()


@pytest.mark.parametrize("name", NATIVE)
def test_native_names_exist_natively(name: str) -> None:
    tokenizer = tokenizers.get(name)
    assert tokenizer.name == name
    assert tokenizer.native in _native.tokenizer_names()
    if tokenizer.native_lowercase is not None:
        assert tokenizer.native_lowercase in _native.tokenizer_names()


def test_names_and_descriptions_agree() -> None:
    assert tokenizers.names()[0] == "13a"
    assert list(tokenizers.describe()) == tokenizers.names()
    assert set(NATIVE) < set(tokenizers.names())
    for name, description in tokenizers.describe().items():
        assert description.summary
        assert "\n" not in description.summary
        assert description.reproduces
        assert (description.extra is None) == (name in NATIVE)


def test_describing_imports_no_optional_package() -> None:
    code = (
        "import sys; from cocarde import tokenizers; tokenizers.describe(); tokenizers.get('13a');"
        "print([m for m in ('jieba', 'MeCab', 'mecab_ko', 'sentencepiece', 'regex')"
        " if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("name", NATIVE)
def test_tokenizers_are_values(name: str) -> None:
    tokenizer = tokenizers.get(name)
    assert tokenizers.get(name) is tokenizer
    assert tokenizers.get(tokenizer) is tokenizer
    again = pickle.loads(pickle.dumps(tokenizer))
    assert again == tokenizer == copy.deepcopy(tokenizer)
    assert hash(again) == hash(tokenizer)
    with pytest.raises(AttributeError):
        tokenizer.name = "other"


def test_different_tokenizers_differ() -> None:
    assert len({tokenizers.get(name) for name in NATIVE}) == len(NATIVE)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [("13A", "13a"), ("itnl", "intl"), ("ja_mecab", "ja-mecab"), ("jeiba", "jieba")],
)
def test_unknown_name_suggests_the_right_one(wrong: str, right: str) -> None:
    with pytest.raises(OptionError, match=f"Did you mean '{right}'"):
        tokenizers.get(wrong)


def test_unknown_name_lists_the_names() -> None:
    with pytest.raises(OptionError) as caught:
        tokenizers.get("qqqqqq")
    assert "Did you mean" not in str(caught.value)
    assert all(name in str(caught.value) for name in tokenizers.names())


@pytest.mark.parametrize("wrong", [None, 13, ["13a"]])
def test_neither_name_nor_function(wrong: Any) -> None:
    with pytest.raises(OptionError, match=type(wrong).__name__):
        tokenizers.get(wrong)


@pytest.mark.parametrize(
    ("name", "text", "tokens"),
    [
        ("13a", "It's 1,000.5-2 &lt; e.g.", ["It's", "1,000.5", "-", "2", "<", "e", ".", "g", "."]),
        ("13a", "x..5 1..2 5.", ["x", ".", ".5", "1", ".", ".", "2", "5", "."]),
        ("13a", "line-\nbreak\nnew <skipped>&amp;lt;", ["linebreak", "new", "<"]),
        ("intl", "5,000€ «Да».", ["5,000", "€", "«", "Да", "»", "."]),
        ("intl", "in 2019.", ["in", "2019."]),
        ("zh-unicode", "𠀀\u9fff-\ufa6b𲎰\U00033480a", [*"𠀀\u9fff-\ufa6b𲎰\U00033480", "a"]),
        ("zh", " .5 &lt;中文a\u2100 5.", [".5", "&", "lt", ";", "中", "文", "a", "\u2100", "5."]),
        ("char", "a b\U0001f600", ["a", "b", "\U0001f600"]),
        ("none", " a.\u3000b\x1cc ", ["a.", "b", "c"]),
        ("multi-bleu", "a\u3000b\x1cc\x0bd", ["a\u3000b\x1cc", "d"]),
        ("mteval-v13a", "a\x1cb\x85c", ["a\x1cb", "c"]),
        ("mteval-intl", "a-\u2028b&apos;", ["a", "-", "b", "'"]),
        ("mteval-v13a-intl", "a-\u2028b&apos;", ["ab", "'"]),
        ("mteval-intl", "\ta", ["", "a"]),
        ("mteval-intl", "\t", []),
        ("mteval-intl-split", "né5.é", ["n", "é", "5", ".", "é"]),
    ],
)  # fmt: skip
def test_examples(name: str, text: str, tokens: list[str]) -> None:
    assert tokenizers.get(name)(text) == tokens


@pytest.mark.parametrize(
    ("name", "tokens"),
    [
        ("13a", ["όδος", "<", "é"]),
        ("multi-bleu", ["ΌΔΟΣ", "&lt;", "É"]),
        ("multi-bleu-detok", ["όδοσ", "<", "é"]),
        # The scripts decode entities before they lower-case.
        ("mteval-v13a", ["ΌΔΟΣ", "&", "lt", ";", "É"]),
        ("mteval-intl", ["όδοσ", "&", "lt", ";", "é"]),
    ],
)
def test_lower_case_as_the_peer(name: str, tokens: list[str]) -> None:
    assert tokenizers.get(name).lowercased("ΌΔΟΣ &LT; É") == tokens


def test_lowercase_modes() -> None:
    text = "ΑΣ İK É"
    assert base.lowercase(text, "unicode") == text.lower()
    assert base.lowercase(text, "simple") == "ασ i\u0307k é"
    assert base.lowercase(text, "ascii") == "ΑΣ İk É"
    with pytest.raises(OptionError, match="'upper'"):
        base.lowercase(text, "upper")  # type: ignore[arg-type]


# Functions --------------------------------------------------------------------------------------


def test_function_is_wrapped_under_its_name() -> None:
    tokenizer = tokenizers.get(words_of_test)
    assert tokenizer.name == tokenizer.signature == "words_of_test"
    assert tokenizer.native is None
    assert tokenizer("a  b") == ["a", "b"]
    assert tokenizer == tokenizers.get(words_of_test)
    named = tokenizers.CallableTokenizer(str.split, name="my-split")
    assert named.signature == "my-split"
    assert pickle.loads(pickle.dumps(named)) == named
    assert named.lowercased("A B") == ["a", "b"]


@pytest.mark.parametrize("function", [lambda text: [text], functools.partial(str.split, sep=",")])
def test_function_without_a_name(function: Any) -> None:
    with pytest.raises(OptionError, match=r"CallableTokenizer\(function, name=\.\.\.\)"):
        tokenizers.get(function)
    assert tokenizers.CallableTokenizer(function, name="fine")("a") == ["a"]


@pytest.mark.parametrize("name", ["a|b", "a:b", "a b", "13a"])
def test_name_that_a_signature_cannot_hold(name: str) -> None:
    with pytest.raises(OptionError, match="name"):
        tokenizers.CallableTokenizer(str.split, name=name)


def test_not_a_function() -> None:
    with pytest.raises(OptionError, match="int"):
        tokenizers.CallableTokenizer(3, name="three")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("returned", "found"), [("a b", "str"), (b"a", "bytes"), (None, "NoneType"), (["a", 3], "int")]
)
def test_function_that_returns_no_tokens(returned: Any, found: str) -> None:
    tokenizer = tokenizers.CallableTokenizer(lambda text: returned, name="wrong")
    with pytest.raises(InputError, match=f"'wrong' returned {found}"):
        tokenizer("text")


# Extras -----------------------------------------------------------------------------------------


def test_missing_module_names_the_extra() -> None:
    with pytest.raises(MissingExtraError, match=r"pip install 'cocarde\[chinese\]'"):
        base.import_extra("no_such_module_at_all", extra="chinese", purpose="a test")


def test_missing_model_names_the_file_and_the_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COCARDE_MODELS", str(tmp_path / "mine"))
    monkeypatch.setenv("SACREBLEU", str(tmp_path / "theirs"))
    with pytest.raises(MissingExtraError) as caught:
        tokenizers.SentencePieceTokenizer("flores200")
    message = str(caught.value)
    assert "flores200sacrebleuspm" in message
    assert "curl" in message
    for folder in (tmp_path / "mine", tmp_path / "theirs" / "models"):
        assert str(folder) in message
    assert not (tmp_path / "home").exists()  # nothing was made or downloaded


def test_model_path_that_does_not_exist(tmp_path: Path) -> None:
    for name in (f"spm:{tmp_path}/none.model", f"{tmp_path}/none.model"):
        with pytest.raises(OptionError, match=r"none\.model"):
            tokenizers.get(name)


def test_file_that_is_no_model(tmp_path: Path) -> None:
    pytest.importorskip("sentencepiece", reason="needs the extra spm")
    path = tmp_path / "bad.model"
    path.write_text("not a model")
    with pytest.raises(OptionError, match="not a SentencePiece model"):
        tokenizers.get(str(path))


def test_mecab_in_threads_and_pickles() -> None:
    pytest.importorskip("MeCab", reason="needs the extra japanese")
    pytest.importorskip("ipadic", reason="needs the extra japanese")
    tokenizer = tokenizers.get("ja-mecab")
    assert pickle.loads(pickle.dumps(tokenizer)) == tokenizer
    texts = [f"今日は{i}番目の晴れです。" * 5 for i in range(200)]
    expected = [tokenizer(text) for text in texts]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(tokenizer, texts)) == expected


def test_mecab_says_what_it_cannot_read() -> None:
    pytest.importorskip("MeCab", reason="needs the extra japanese")
    pytest.importorskip("ipadic", reason="needs the extra japanese")
    tokenizer = tokenizers.get("ja-mecab")
    with pytest.raises(InputError, match="lone surrogate"):
        tokenizer("今日\ud800")
    with pytest.warns(CocardeWarning, match="NUL"):
        assert tokenizer("今日\0は") == ["今日"]


def test_mecab_with_another_dictionary(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("MeCab", reason="needs the extra japanese")
    pytest.importorskip("ipadic", reason="needs the extra japanese")
    from cocarde.tokenizers import mecab

    monkeypatch.setattr(
        mecab, "_LANGUAGES", {"ja-mecab": mecab._LANGUAGES["ja-mecab"]._replace(entries=5)}
    )
    with ThreadPoolExecutor(1) as pool, pytest.raises(OptionError, match="entries"):
        pool.submit(tokenizers.MecabTokenizer, "ja-mecab").result()


def test_jieba_prints_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("jieba", reason="needs the extra chinese")
    tokenizer = tokenizers.get("jieba")
    assert tokenizer("我来到北京") == ["我", "来到", "北京"]
    assert tokenizer.signature.startswith("jieba-")
    assert capfd.readouterr().err == ""


def test_unicode_tables_are_those_of_the_installed_regex() -> None:
    """When regex brings a newer Unicode: run tools/make_unicode_tables.py and say so."""
    regex = pytest.importorskip("regex", reason="regex is where the tables come from")
    for point in range(0x110000):
        character = chr(point)
        if character.isalpha() or 0x20000 <= point < 0xE0000:
            continue
        # A symbol is cut out everywhere; a mark between letters too.
        cut_out = len(_native.tokenize("intl", f"a{character}b")) == 3
        assert cut_out == bool(regex.match(r"[\p{P}\p{S}]", character)), f"{point:04X}"
