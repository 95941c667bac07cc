"""Every tokenizer against the live implementation that it reproduces."""

from __future__ import annotations

import importlib
import os
import random
import re
import shutil
import subprocess
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cocarde import tokenizers
from tests.data_access import require_data_folder
from tests.oracles import mteval_tokenization as mteval

sacrebleu = pytest.importorskip("sacrebleu", reason="sacrebleu is the peer: extra test")

NATIVE_PEERS = {
    "13a": "tokenizer_13a.Tokenizer13a",
    "intl": "tokenizer_intl.TokenizerV14International",
    "zh": "tokenizer_zh.TokenizerZh",
    "char": "tokenizer_char.TokenizerChar",
    "none": "tokenizer_none.NoneTokenizer",
}

MTEVAL_ORACLES: dict[str, Callable[..., list[str]]] = {
    "mteval-v13a": mteval.default_rules,
    **{
        f"mteval-{version}intl{split}": (
            lambda text, lowercase=False, version=version, split=split: mteval.international_rules(
                text,
                join_lines=bool(version),
                split_non_ascii=bool(split),
                lowercase=lowercase,
            )
        )
        for version in ("", "v13a-")
        for split in ("", "-split")
    },
}


def peer_tokenizer(path: str) -> Callable[[str], list[str]]:
    module, name = path.split(".")
    made = getattr(importlib.import_module(f"sacrebleu.tokenizers.{module}"), name)()
    # Beneath its cache, which would hold every text of these tests.
    plain = getattr(type(made).__call__, "__wrapped__", type(made).__call__)
    return lambda text: str(plain(made, text)).split()


def assert_same(name: str, peer: Callable[[str], list[str]], text: str, parts: list[str]) -> None:
    """Compare on the whole text; where it differs, name the first part that does."""
    ours = tokenizers.get(name)
    if ours(text) == peer(text):
        return
    for part in parts:
        assert ours(part) == peer(part), (name, [f"{ord(c):04X}" for c in part])
    assert ours(text) == peer(text)


# Between letters, between digits, beside marks and hyphens, doubled, and alone.
RICH = "a{0}b 1{0}2 .{0}. -{0}- 3{0}{0}4 5.{0}6 7{0},8 x{0}-9 {0}"
SPARSE = "1{0}.a"


def code_point_batches() -> Iterator[list[str]]:
    """Yield every code point in context; those of planes 2 to 13 and 15, 16 in one context."""
    for start in range(0, 0x110000, 256):
        template = RICH if start < 0x20000 or start >> 16 == 0xE else SPARSE
        yield [template.format(chr(point)) for point in range(start, start + 256)]


EDGE_POINTS = [
    point
    for point in range(0x110000)
    if point < 0x3100 or (point < 0x20000 and not chr(point).isalpha() and chr(point).isprintable())
]


def edges(character: str) -> list[str]:
    """The character where the ends of the text decide: nothing is added there but by 13a."""
    return [
        character,
        character * 2,
        f"{character}5",
        f"5{character}",
        f".{character}",
        f"{character}.",
    ]


PIECES = [
    *"aZé中文，。、ЖßאΣσİK가あｱ０٣²½Ⅷ①𐄀𝟘 0123456789",
    *".,.,--'\"!?;:()[]{}<>&/\\|@#$%^*_+=~`",
    *"€£°§«»“”…–—・¿।؟、™©😀🇫\u0301\u200b\u200d\ufeff",
    *" \t\n\r\v\f\x00\x01\x1c\x1d\x1e\x1f\x7f\x85\xa0\u1680\u2003\u2028\u2029\u202f\u3000",
    *["\u2001", "\u2a6d", "\u2f81", "\u2fa1", "\u4db6", "\U00020000", "\ud800", "\udfff"],
    *["&quot;", "&amp;", "&lt;", "&gt;", "&apos;", "&LT;", "&amp;lt;", "&#39;", "&amp", "quot;"],
    *["<skipped>", "<skip", "-\n", "-\u2028", "1,000.5", "e.g.", "3-4", "...", ",.", ".5", "5."],
    *["word", "Internationalisation", "ninechars", "seventeenletters!"],
]
MIXED_TEXT = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=60).map("".join),
    st.lists(st.one_of(st.sampled_from(PIECES), st.characters(codec=None)), max_size=12).map(
        "".join
    ),
)


@pytest.fixture(scope="module", params=NATIVE_PEERS)
def native_peer(request: pytest.FixtureRequest) -> tuple[str, Callable[[str], list[str]]]:
    return request.param, peer_tokenizer(NATIVE_PEERS[request.param])


def test_every_code_point(native_peer: tuple[str, Callable[[str], list[str]]]) -> None:
    name, peer = native_peer
    for parts in code_point_batches():
        assert_same(name, peer, " ".join(parts), parts)


def test_ends_of_the_text(native_peer: tuple[str, Callable[[str], list[str]]]) -> None:
    name, peer = native_peer
    ours = tokenizers.get(name)
    for point in EDGE_POINTS:
        for text in edges(chr(point)):
            assert ours(text) == peer(text), f"{name}: {point:04X} in {text!r}"


@pytest.mark.parametrize("name", NATIVE_PEERS)
@settings(max_examples=1500)
@given(text=MIXED_TEXT)
def test_mixed_text(name: str, text: str) -> None:
    assert tokenizers.get(name)(text) == peer_tokenizer(NATIVE_PEERS[name])(text)


@pytest.mark.parametrize("name", NATIVE_PEERS)
@pytest.mark.parametrize("lowercase", [False, True])
@settings(max_examples=300)
@given(text=MIXED_TEXT)
def test_as_bleu_prepares_segments(name: str, lowercase: bool, text: str) -> None:
    bleu = sacrebleu.BLEU(tokenize=name, lowercase=lowercase)
    ours = tokenizers.get(name)
    stripped = text.rstrip()
    tokens = ours.lowercased(stripped) if lowercase else ours(stripped)
    assert tokens == bleu._preprocess_segment(text).split()


def test_real_text(native_peer: tuple[str, Callable[[str], list[str]]]) -> None:
    name, peer = native_peer
    files = [path for path in sorted(require_data_folder().rglob("*")) if path.is_file()]
    lines = []
    for path in files:
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # an archive
        lines += text.split("\n")[:600]
    assert len(lines) > 1000
    for line in lines:
        assert_same(name, peer, line, [])


@pytest.mark.parametrize("name", NATIVE_PEERS)
def test_signature(name: str) -> None:
    assert tokenizers.get(name).signature == sacrebleu.BLEU(tokenize=name).tokenizer_signature


# The scripts of NIST ------------------------------------------------------------------------------


# The others differ from these only in what they rewrite first.
@pytest.mark.parametrize("name", ["mteval-v13a", "mteval-intl", "mteval-intl-split"])
def test_mteval_every_code_point(name: str) -> None:
    for parts in code_point_batches():
        assert_same(name, MTEVAL_ORACLES[name], " ".join(parts), parts)


@pytest.mark.parametrize("name", ["mteval-v13a", "mteval-intl", "mteval-intl-split"])
def test_mteval_ends_of_the_text(name: str) -> None:
    ours = tokenizers.get(name)
    for point in EDGE_POINTS:
        for text in edges(chr(point)):
            assert ours(text) == MTEVAL_ORACLES[name](text), f"{name}: {point:04X} in {text!r}"


@pytest.mark.parametrize("name", MTEVAL_ORACLES)
@pytest.mark.parametrize("lowercase", [False, True])
@settings(max_examples=1000)
@given(text=MIXED_TEXT)
def test_mteval_mixed_text(name: str, lowercase: bool, text: str) -> None:
    ours = tokenizers.get(name)
    tokens = ours.lowercased(text) if lowercase else ours(text)
    assert tokens == MTEVAL_ORACLES[name](text, lowercase=lowercase)


@pytest.mark.parametrize("name", MTEVAL_ORACLES)
def test_lower_case_of_every_code_point(name: str) -> None:
    """Python's newer Unicode may know more capitals; those of the pinned table must be the same."""
    for point in range(0x110000):
        if chr(point).lower() != chr(point):
            text = f"a{chr(point)} B"
            ours = tokenizers.get(name).lowercased(text)
            assert ours == MTEVAL_ORACLES[name](text, lowercase=True), f"{point:04X}"


# Reads lines of three columns: a flag for -e, a flag for lower-casing, the code points; writes the
# code points of each token.
PERL_HARNESS = r"""
use strict; use warnings; no warnings 'utf8'; no warnings 'once';
my ($path, $name) = @ARGV;
open(my $script, '<:utf8', $path) or die "cannot open $path";
my $source = join('', <$script>);
$source =~ /^(sub \Q$name\E\s*\{.*?^\})/ms or die "no sub $name";
our ($preserve_case, $split_non_ASCII);
eval "use utf8; no warnings; $1; 1" or die $@;
while (my $line = <STDIN>) {
  chomp $line;
  my ($split, $lower, $points) = split /\t/, $line, -1;
  $split_non_ASCII = $split; $preserve_case = !$lower;
  my $text = join('', map { chr hex } split(/ /, $points));
  utf8::upgrade($text);
  no strict 'refs';
  my @words = split /\s+/, &{$name}($text);
  print join("\t", map { join(' ', map { sprintf '%x', ord } split //, $_) } @words), "\n";
}
"""


def perl_tokens(script: Path, name: str, texts: list[str], split: bool, lower: bool) -> list[Any]:
    lines = [
        f"{int(split)}\t{int(lower)}\t{' '.join(f'{ord(c):x}' for c in text)}" for text in texts
    ]
    done = subprocess.run(
        ["perl", "-e", PERL_HARNESS, str(script), name],
        input="\n".join(lines) + "\n",
        capture_output=True,
        text=True,
        check=True,
    )
    return [
        [
            "".join(chr(int(point, 16)) for point in word.split())
            for word in (line.split("\t") if line else [])
        ]
        for line in done.stdout.split("\n")[:-1]
    ]


def moses_script(name: str) -> Path:
    folder = os.environ.get("COCARDE_MOSES_SCRIPTS")
    if not folder or not (Path(folder) / name).is_file():
        pytest.skip(f"not redistributable: no {name}; COCARDE_MOSES_SCRIPTS names its folder")
    if shutil.which("perl") is None:
        pytest.skip("perl is not installed")
    return Path(folder) / name


def known_to_perl(text: str) -> bool:
    """Whether Perl's Unicode, older than the pinned table, knows the characters."""
    return all(unicodedata.category(c) != "Cn" for c in text)


PERL_CASES = [
    ("mteval-v13a.pl", "tokenization", "mteval-v13a", False),
    ("mteval-v14.pl", "tokenization", "mteval-v13a", False),
    ("multi-bleu-detok.perl", "tokenization", "multi-bleu-detok", False),
    ("mteval-v13a.pl", "tokenization_international", "mteval-v13a-intl", False),
    ("mteval-v13a.pl", "tokenization_international", "mteval-v13a-intl-split", True),
    ("mteval-v14.pl", "tokenization_international", "mteval-intl", False),
    ("mteval-v14.pl", "tokenization_international", "mteval-intl-split", True),
]


@pytest.mark.parametrize(
    ("script", "sub", "name", "split", "lower"),
    [
        (*case, lower)
        for case in PERL_CASES
        for lower in (False, True)
        if not (lower and case[0] == "multi-bleu-detok.perl")  # it lower-cases elsewhere
    ],
)
def test_mteval_live(script: str, sub: str, name: str, split: bool, lower: bool) -> None:
    draw = random.Random(20020706)
    texts = ["".join(draw.choices(PIECES, k=draw.randint(0, 30))) for _ in range(2500)]
    texts += ["", " ", "\t", "\t a", " \ta", "\x85", "\x85.", "\u2028-\u2028a", "-\u2028.", "\t."]
    # Blocks with digits, marks and symbols; the oracle covers all code points.
    blocks = [
        (0, 0x3100),
        (0xA600, 0xAB00),
        (0xD7C0, 0xD840),
        (0xFD00, 0x10200),
        (0x1D7C0, 0x1D800),
    ]
    for start in (start for first, last in blocks for start in range(first, last, 64)):
        points = [chr(p) for p in range(start, start + 64) if known_to_perl(chr(p))]
        texts.append(" ".join(RICH.format(c) for c in points))
        texts += [character + "5" for character in points if not character.isalpha()]
    theirs = perl_tokens(moses_script(script), sub, texts, split, lower)
    assert len(theirs) == len(texts)
    ours = tokenizers.get(name)
    for text, tokens in zip(texts, theirs, strict=True):
        if known_to_perl(text):
            assert (ours.lowercased(text) if lower else ours(text)) == tokens, repr(text)


def test_multi_bleu_live() -> None:
    """multi-bleu.perl cuts by a bare split of bytes."""
    if shutil.which("perl") is None:
        pytest.skip("perl is not installed")
    for point in [*range(1, 0x10), *range(0x1A, 0x100), 0x1680, 0x2003, 0x2028, 0x3000]:
        if point == 0x0A:
            continue
        text = f"a{chr(point)}B {chr(point)} c"
        done = subprocess.run(
            ["perl", "-ne", r'chomp; print join("\n", split), "\n"'],
            input=text.encode() + b"\n",
            capture_output=True,
            check=True,
        )
        theirs = done.stdout.decode().split("\n")[:-1]
        assert tokenizers.get("multi-bleu")(text) == theirs, f"{point:04X}"


# Those that need packages -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "module", "peer", "samples"),
    [
        (
            "ja-mecab",
            "MeCab",
            "tokenizer_ja_mecab.TokenizerJaMecab",
            [
                "これはテストです。",
                " 今日は晴れです\n明日は雨 ",
                "ABC 123,000円",
                "",
                "　全角　空白　",
                "\t",
            ],
        ),
        (
            "ko-mecab",
            "mecab_ko",
            "tokenizer_ko_mecab.TokenizerKoMecab",
            ["안녕하세요, 세계!", " NLP를 공부합니다.\n좋아요 ", "", "한국어 123", "\u3000"],
        ),
    ],
)
def test_mecab(name: str, module: str, peer: str, samples: list[str]) -> None:
    pytest.importorskip(module, reason=f"{name} needs {module}")
    theirs = peer_tokenizer(peer)
    ours = tokenizers.get(name)
    for text in samples:
        assert ours(text) == theirs(text)
        assert ours("\n".join(samples) + text) == theirs("\n".join(samples) + text)
    assert ours.signature == sacrebleu.BLEU(tokenize=name).tokenizer_signature


def test_jieba() -> None:
    jieba = pytest.importorskip("jieba", reason="jieba is the peer: extra chinese")
    ours = tokenizers.get("jieba")
    for text in ["我来到北京清华大学", "小明硕士 毕业于\t中国科学院，\n后在 Kyoto 3.5 年", "", " "]:
        assert ours(text) == [word for word in jieba.lcut(text) if word.strip()]


@pytest.fixture(scope="module")
def model_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    sentencepiece = pytest.importorskip("sentencepiece", reason="spm needs sentencepiece")
    folder = tmp_path_factory.mktemp("models")
    sentences = [
        f"the {noun} number {i} costs {i * 37}.50 euros in {town}, 中文 {town}"
        for i, (noun, town) in enumerate(
            zip(
                ["cat", "dog", "house", "tree", "book"] * 40,
                ["Paris", "Kyoto", "Zürich"] * 67,
                strict=False,
            )
        )
    ]
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(sentences),
        model_prefix=str(folder / "small"),
        vocab_size=120,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    return folder / "small.model"


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("flores101", "sacrebleu_tokenizer_spm.model"),
        ("spm", "sacrebleu_tokenizer_spm.model"),
        ("flores200", "flores200sacrebleuspm"),
        ("spBLEU-1K", "spbleu-1k_tokenizer_spm.model"),
    ],
)
@pytest.mark.filterwarnings("ignore:The 'warn' method:DeprecationWarning")
def test_sentencepiece(
    name: str, file: str, model_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """sacreBLEU and we find the same small model under the name of the published one."""
    tokenizer_spm: Any = importlib.import_module("sacrebleu.tokenizers.tokenizer_spm")

    (tmp_path / "models").mkdir()
    shutil.copy(model_file, tmp_path / "models" / file)
    monkeypatch.setattr(tokenizer_spm, "SACREBLEU_DIR", str(tmp_path))
    monkeypatch.setenv("SACREBLEU", str(tmp_path))
    monkeypatch.delenv("COCARDE_MODELS", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))  # an empty cache
    theirs = tokenizer_spm.TokenizerSPM(name)
    ours = tokenizers.SentencePieceTokenizer(name)
    assert ours.signature == theirs.signature()
    for text in [
        "the cat costs 37.50 euros",
        " 中文  Zürich ",
        "",
        "unseen ☃ text\u3000x",
        "a\nb\x00c",
    ]:
        assert ours(text) == theirs(text).split()
    by_path = tokenizers.get(f"spm:{model_file}")
    assert by_path("the dog") == theirs("the dog").split()
    assert re.fullmatch(r"spm-small-[0-9a-f]{12}", by_path.signature)
