"""Input that changes, dies or deceives while native code reads it; `make sanitize` watches."""

from __future__ import annotations

import gzip
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from cocarde import BLEU, CHRF, METEOR, ROUGE, TER, _native
from cocarde.corpus import LineBatch, References
from cocarde.errors import InputError
from cocarde.metrics.meteor.nltk import FIELDS as METEOR_NLTK_FIELDS
from cocarde.resources import paraphrases
from cocarde.resources.base import data_file

pytestmark = pytest.mark.filterwarnings("ignore::cocarde.errors.CocardeWarning")

SANITIZED = "COCARDE_SANITIZED" in os.environ


def integers(*values: int) -> Any:
    return np.array(values, dtype=np.int64)


# --- buffers that move -----------------------------------------------------------------------------

# Short enough for the bytes of what they are rewritten to to lie within a std::string.
SENTENCES = ["a&amp;b", "Don't.", "Dr. İx", "K&lt;k", "U.S. x", "“ça”", "12,5%"]


@pytest.mark.parametrize("name", _native.tokenizer_names())
def test_tokens_of_several_short_sentences(name: str) -> None:
    column = _native.Column.of_texts(["\n".join(SENTENCES)], name, "no", False)
    alone = [_native.tokenize(name, sentence) for sentence in SENTENCES]
    assert column.with_sentences("\n", False).sentences(0) == alone


def test_rewritten_sentences_match_what_they_are_rewritten_to() -> None:
    rouge = ROUGE.preset("rouge", tokenize="13a")
    score = rouge.corpus_score(["Committee&amp;.Parliament&amp;"], ["Committee &.Parliament &"])
    for name in rouge.rouge_types:
        assert float(score[name]) == pytest.approx(100, abs=1e-5)  # its formula adds an epsilon


# --- blocks of bytes -------------------------------------------------------------------------------

ILL_FORMED = [
    b"\xf7\xbf\xbf\xbf" * 9,  # beyond the last code point: an index into a table of code points
    b"ok\n\xe4\xbd",  # cut short at the very end
    b"\xc0\xaf",  # a longer form than needed
    b"\xed\xa0\x80",  # a surrogate
    b"\xf4\x90\x80\x80",
    b"\xf0\x80\x80\x80",
    b"\xe0\x80\x80",
    b"\x80",
    b"a" * 200 + b"\xff",
    b"\xe4\xbd\xa0" * 90 + b"\xf1\x80\x80",
]


@pytest.mark.parametrize("block", ILL_FORMED, ids=lambda block: block[-4:].hex())
def test_a_batch_is_utf8(block: bytes) -> None:
    with pytest.raises(ValueError, match="not UTF-8"):
        _native.Lines(block)
    line = 7 + block.count(b"\n")
    with pytest.raises(InputError, match=rf"LineBatch:{line}: not UTF-8: byte 0x.. at byte offset"):
        LineBatch(block, 7)


def test_utf8_is_what_python_takes_for_it() -> None:
    random = np.random.default_rng(5)
    leads = [*"a£ß你𠀀\U0010ffff\ue000\ud7ff".encode(), 0xC1, 0xE0, 0xED, 0xF4, 0xF5, 0x90]
    taken = 0
    for _ in range(20_000):
        block = bytes(random.choice(leads, random.integers(1, 6)).tolist())
        try:
            block.decode()
        except UnicodeDecodeError:
            with pytest.raises(ValueError, match="not UTF-8"):
                _native.Lines(block)
        else:
            taken += _native.Lines(block).block == block
    assert taken > 100
    every = "".join(map(chr, [*range(0xD800), *range(0xE000, 0x110000)])).encode()
    assert _native.Lines(every).block is every


@pytest.mark.parametrize("count", [0, 1, 3, 10**9])
def test_a_batch_has_the_lines_that_it_has(count: int) -> None:
    with pytest.raises(InputError, match=f"has 2 lines, not count={count}"):
        LineBatch(b"one\ntwo", count=count)
    assert list(LineBatch(b"one\ntwo", count=2)) == ["one", "two"]


def test_only_checked_blocks_become_columns() -> None:
    with pytest.raises(InputError, match="made of bytes, found bytearray"):
        LineBatch(bytearray(b"one"))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a block is of type bytes"):
        _native.Column.of_lines([b"one"], "whole", "no", False)
    with pytest.raises(ValueError, match="no block"):
        _native.Column.of_lines([], "whole", "no", False)
    # What merely looks like a batch is none.
    pretended = SimpleNamespace(block=ILL_FORMED[0], __len__=lambda: 1)
    with pytest.raises(InputError):
        CHRF().corpus_score(pretended, pretended)
    batch = LineBatch(b"one\ntwo", 3)
    assert pickle.loads(pickle.dumps(batch)) == batch
    forged = (LineBatch, (ILL_FORMED[0], 1))
    with pytest.raises(InputError):
        forged[0](*forged[1])


# --- lists that user code changes ------------------------------------------------------------------


class Saboteur:
    """A number that does something when it is asked for its value."""

    def __init__(self, act: Callable[[], object]) -> None:
        self.act = act

    def __index__(self) -> int:
        self.act()
        return 1


@pytest.mark.parametrize("metric", [BLEU(), TER(), ROUGE(tokenize="none")], ids=lambda m: m.name)
@pytest.mark.parametrize("act", ["clear", "extend"])
def test_a_token_that_changes_the_list_of_segments(metric: Any, act: str) -> None:
    segments: list[Any] = []

    def change() -> None:
        if act == "clear":
            segments.clear()
        else:
            segments.extend([[2]] * 2000)

    segments += [[Saboteur(change), 2], [3, 4], [5]]
    wanted = [[1, 2], [3, 4], [5]]
    column = _native.Column.of_tokens(segments)
    assert [column.tokens(i) for i in range(3)] == wanted
    segments[:] = [[Saboteur(change), 2], [3, 4], [5]]
    assert len(metric.statistics(segments, wanted)) == 3


def test_a_token_that_changes_its_own_segment() -> None:
    segment: list[Any] = []
    segment += [Saboteur(segment.clear), 2, 3]
    assert _native.Column.of_tokens([segment]).tokens(0) == [1]


def test_options_that_change_their_list() -> None:
    column = _native.Column.of_tokens([["a"]])
    out = np.zeros((1, 7))
    types: list[Any] = []
    types += [Saboteur(types.clear), 1]
    kernel = _native.Rouge(types, "best", "whole", False, 1, 0, False)
    kernel.rows(column, column, integers(0, 1), out, 1)
    assert out[0].tolist() == [1] * 7
    orders: list[Any] = []
    orders += [Saboteur(orders.clear), 2]
    arguments: Any = (True, 0, False, False, 4, 0.5, True, False, False, 0, 0, [], "")
    assert _native.Rouge155(orders, *arguments) is not None
    stages: list[Any] = []
    stages += [Saboteur(stages.clear), 0]
    with pytest.raises(ValueError, match="one weight a stage"):
        _native.MeteorOptions(stages, [1.0], 0, 0, 0, 0, 1, False)
    with pytest.raises(TypeError, match="wrong type"):
        _native.Rouge155(["one"], *arguments)  # type: ignore[list-item]


def test_control_c_in_user_code_is_no_wrong_type() -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        BLEU().corpus_score([[Saboteur(interrupt)]], [[1]])


class Odd(str):
    """A str that lower-cases to what is none."""

    def lower(self) -> Any:
        return 7


def test_what_is_no_str_is_refused() -> None:
    column = _native.Column.of_texts([Odd("É")], "none", "unicode", False)
    assert column.tokens(0) == ["é"]
    with pytest.raises(TypeError, match="word 1 is of type int, not str"):
        _native.Column.of_ids(integers(0), integers(0, 1), ["a", 7])
    texts = _native.Column.of_tokens([["a", "b"]])
    words = _native.DistinctWords(texts, texts, 1)
    with pytest.raises(TypeError, match="stem 1 is of type int, not str"):
        _native.MeteorLexicon(words, ["a", 7], None, None, None, 1)  # type: ignore[list-item]


# --- arrays that change ----------------------------------------------------------------------------


def test_what_was_checked_is_a_copy() -> None:
    values, offsets = integers(0, 1, 0), integers(0, 2, 3)
    column = _native.Column.of_ids(values, offsets, ["a", "b"])
    plain = _native.Column.of_ids(values, offsets)
    offsets[:] = 2**40
    assert [plain.tokens(0), plain.tokens(1)] == [[0, 1], [0]]
    values[:] = 2**40
    assert [column.tokens(0), column.tokens(1)] == [["a", "b"], ["a"]]


def test_offsets_that_another_thread_changes() -> None:
    hypotheses = [["a", "b", "c"]] * 500
    references = References.from_streams(["a b", "c d"] * 250)
    offsets = references.offsets
    own = integers(*range(0, 1501, 3))
    values = np.zeros(1500, dtype=np.int64)
    stop = False

    def change() -> None:
        while not stop:
            offsets[250] = own[250] = 2**40
            offsets[250], own[250] = 250, 750

    thread = threading.Thread(target=change)
    thread.start()
    try:
        column = _native.Column.of_tokens(hypotheses)
        out = np.empty((500, 10))
        for _ in range(300):
            with suppress(ValueError):  # changed while it was checked
                BLEU().corpus_score((values, own), (values, own))
                BLEU().kernel.rows(column, column, offsets, out, 2)
    finally:
        stop = True
        thread.join()


def test_the_numbers_of_nltk_are_a_copy() -> None:
    def numbers(*values: int) -> Any:
        return np.array(values, dtype=np.uint32)

    given: list[Any] = [numbers(0, 1), numbers(0, 1), integers(0, 1, 1), numbers(1)]
    arguments: list[Any] = [*given, 0.9, 3, 0.5]
    matcher = _native.MeteorNltk(*arguments)
    for array in given:
        array[:] = 2**31
    column = _native.Column.of_tokens([["a", "b"]])
    words = _native.DistinctWords(column, column, 1)
    out = np.zeros((1, len(METEOR_NLTK_FIELDS)))
    matcher.statistics(words, integers(0, 1), out, 1)
    assert out[0, 6] == 2
    with pytest.raises(ValueError, match="out of range"):
        _native.MeteorNltk(
            numbers(2**31), numbers(0), integers(0, 0), numbers(), 0.9, 3, 0.5
        )  # a table of 2^31 places would be made


def test_a_wordnet_table_that_changes() -> None:
    whole = np.frombuffer(data_file("wordnet.bin").read_bytes(), dtype=np.uint8)
    table = whole.copy()
    view = _native.WordNet(table)
    assert view.meteor_synsets("dog")
    words = ["dog", "ran", "better", "geese", "houses", "x" * 500, "Ran"]
    random = np.random.default_rng(7)
    refused = 0
    for round_number in range(20):
        table[:] = whole
        places = random.integers(96, len(table), len(table) // 3)
        table[places] = 255 if round_number % 2 else random.integers(0, 256, len(places))
        for word in words:
            for query in (view.meteor_synsets, view.nltk_related):
                try:
                    query(word)
                except ValueError:  # noqa: PERF203
                    refused += 1
    assert refused > 20


# --- native objects that do not belong together ----------------------------------------------------


def test_a_lexicon_of_other_words() -> None:
    mine = _native.Column.of_tokens([["a", "b", "c"]])
    other = _native.Column.of_tokens([["d"]])
    words, others = (_native.DistinctWords(column, column, 1) for column in (mine, other))
    lexicon = _native.MeteorLexicon(others, None, None, None, None, 1)
    options = _native.MeteorOptions([0], [1.0], 0.85, 0.2, 0.6, 0.75, 40, False)
    out = np.zeros((1, 12))
    with pytest.raises(ValueError, match="the lexicon is of other words"):
        _native.meteor_statistics(words, integers(0, 1), lexicon, options, out, 1)
    with pytest.raises(ValueError, match="the lexicon is of other words"):
        _native.meteor_pairwise(words, 0, 1, lexicon, options, out, 1)
    with pytest.raises(ValueError, match="the lexicon is of other words"):
        _native.meteor_alignment(words, 0, 0, lexicon, options)
    _native.meteor_statistics(others, integers(0, 1), lexicon, options, out, 1)
    assert out[0, :2].tolist() == [1, 1]


def test_sentences_of_tokens() -> None:
    column = _native.Column.of_tokens([["a long word that is kept", "b"]])
    with pytest.raises(ValueError, match="tokens cannot be cut into sentences"):
        column.with_sentences("\n", False)
    texts = _native.Column.of_texts(["a\nb"], "none", "no", False)
    sentences = texts.with_sentences("\n", False)
    prepared = sentences.prepare(1)
    del texts, sentences
    assert prepared.sentences(0) == [["a"], ["b"]]
    with pytest.raises(ValueError, match="tokens cannot be cut into sentences"):
        prepared.with_sentences("\n", False)


def test_texts_of_other_segments() -> None:
    texts = _native.Column.of_texts(["a b", "c"], "none", "no", False)
    with pytest.raises(ValueError, match="not one text a segment"):
        _native.join_sentences(texts, integers(0, 2), None, texts, False, 1)
    one = _native.Column.of_texts(["a b"], "none", "no", False)
    joined = _native.join_sentences(texts, integers(0, 2), None, one, False, 1)
    del one
    assert joined.sentences(0) == [["a", "b"], ["c"]]
    assert joined.text(0) == "a b"


def test_sizes_that_overflow() -> None:
    column = _native.Column.of_tokens([["a"]] * 4)
    offsets = integers(0, 1, 2, 3, 4)
    # 2 + 2 * order is 2^62 + 2; four times that is 8 in 64 bits.
    with pytest.raises(ValueError, match="out has the wrong size"):
        _native.Bleu(2**61, "closest", True, 0).rows(column, column, offsets, np.empty(8), 1)


# --- paraphrase tables -----------------------------------------------------------------------------


def test_a_finished_table_takes_nothing_more() -> None:
    builder = _native.ParaphraseBuilder()
    builder.add(b"0.5\na b\nc d\n")
    builder.finish("test")
    with pytest.raises(RuntimeError, match="finished already"):
        builder.add(b"0.5\ne f\ng h\n" * 10)
    with pytest.raises(RuntimeError, match="finished already"):
        builder.finish("test")


def test_threads_that_share_a_builder() -> None:
    builder = _native.ParaphraseBuilder()
    entry = b"0.5\nsome phrase\nanother phrase of more words\n"

    def add() -> None:
        for _ in range(200):
            builder.add(entry * 20)

    threads = [threading.Thread(target=add) for _ in range(3)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        assert builder.lines % 3 in range(3)
    assert builder.entries == 3 * 200 * 20
    _native.Paraphrases(np.frombuffer(builder.finish("test"), dtype=np.uint8))


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COCARDE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(paraphrases, "_opened", {})
    path = tmp_path / "paraphrase-en.gz"
    path.write_bytes(gzip.compress(b"0.5\n??\n???\n"))
    return path


def meteor_with(table: Path) -> METEOR:
    return METEOR(stages=("exact", "paraphrase"), paraphrases=str(table))


def test_too_many_paraphrases_are_refused_with_their_segment(table: Path) -> None:
    texts = ["a b", "?? " * 4000], ["a b", "??? " * 7000]
    with pytest.raises(InputError, match=r"segment 1: its words repeat so often.*25 million"):
        meteor_with(table).corpus_score(*texts)


INTERRUPTED = """
import os, signal, sys, threading, time
import cocarde
signal.signal(signal.SIGINT, signal.default_int_handler)
cocarde.set_num_threads(1)
meteor = cocarde.METEOR(stages=("exact", "paraphrase"), paraphrases=sys.argv[1])
meteor.statistics(["a"], ["a"])
texts = ["?? " * int(sys.argv[2])], ["??? " * int(sys.argv[3])]
def interrupt():
    time.sleep(0.4)
    global sent
    sent = time.process_time()
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt).start()
try:
    while True:
        if sys.argv[4] == "statistics":
            meteor.statistics(*texts)
        else:
            meteor.align(texts[0][0], texts[1][0])
except KeyboardInterrupt:
    print(time.process_time() - sent)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="not POSIX: SIGINT cannot be sent")
@pytest.mark.parametrize(
    ("words", "call"),
    [((2000, 2000), "statistics"), ((8, 100_000), "statistics"), ((2000, 2000), "align")],
)
def test_paraphrases_answer_control_c(table: Path, words: tuple[int, int], call: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, str(table), *map(str, words), call],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    # 0.2 s is the promise; processor time, since another's work on the machine is not ours.
    assert float(done.stdout) < (4 if SANITIZED else 0.4)
