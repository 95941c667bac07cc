"""The native loops: threads, signals, forks, odd text and odd sizes."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import cocarde
from cocarde import BLEU, METEOR, InputError, OptionError, _native
from tests.processes import run_interruptible

WORDS = np.array([f"w{number}" for number in range(50)] + ["the", "of", "internationalisation"])


def generated(seed: int, segments: int, length: int = 25) -> list[str]:
    random = np.random.default_rng(seed)
    return [" ".join(row) for row in WORDS[random.integers(len(WORDS), size=(segments, length))]]


@pytest.fixture(autouse=True)
def _restore_threads() -> object:
    yield
    cocarde.set_num_threads(None)


def test_results_do_not_depend_on_the_number_of_threads() -> None:
    hypotheses, references = generated(1, 5000), generated(2, 5000)
    results = []
    for threads in (1, 2, 3, 8):
        cocarde.set_num_threads(threads)
        results.append(BLEU().statistics(hypotheses, references).values)
    for other in results[1:]:
        assert np.array_equal(results[0], other)


def test_number_of_threads_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    for wrong in (0, -1, 1.5, True, "2", 10**30):
        with pytest.raises(OptionError, match="whole number of threads"):
            cocarde.set_num_threads(wrong)  # type: ignore[arg-type]
    monkeypatch.setenv("COCARDE_NUM_THREADS", "3")
    assert cocarde.get_num_threads() == 3
    cocarde.set_num_threads(2)
    assert cocarde.get_num_threads() == 2
    cocarde.set_num_threads(None)
    monkeypatch.setenv("COCARDE_NUM_THREADS", "many")
    with pytest.raises(OptionError, match=r"COCARDE_NUM_THREADS must be .* found 'many'"):
        cocarde.get_num_threads()


def test_a_segment_that_cannot_be_scored_ends_the_work_on_the_others() -> None:
    refused = ("word " * 6_000, "word " * 5_999)
    slow = ("word " * 600, "word " * 599)

    def time_of(*pairs: tuple[str, str], fails: bool) -> float:
        start = time.process_time()
        hypotheses, references = zip(*pairs, strict=True)
        if fails:
            with pytest.raises(InputError, match="segment 0: its words repeat so often"):
                METEOR().statistics(hypotheses, references)
        else:
            METEOR().statistics(hypotheses, references)
        return time.process_time() - start

    cocarde.set_num_threads(1)
    alone, one = time_of(refused, fails=True), time_of(slow, fails=False)
    cocarde.set_num_threads(2)
    # While one thread finds out that it fails, the other works as long.
    assert time_of(refused, *[slow] * 80, fails=True) < 3 * alone + 30 * one


@pytest.mark.skipif(not hasattr(os, "fork"), reason="not POSIX: there is no fork")
def test_scoring_works_after_a_fork() -> None:
    cocarde.set_num_threads(2)
    hypotheses = generated(3, 3000)
    expected = BLEU().corpus_score(hypotheses, hypotheses[::-1]).score
    child = os.fork()
    if child == 0:
        same = BLEU().corpus_score(hypotheses, hypotheses[::-1]).score == expected
        os._exit(0 if same else 1)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0


INTERRUPTED = """
import sys, threading, time, signal, os
import cocarde
from cocarde import BLEU
cocarde.set_num_threads(int(sys.argv[1]))
text = [" ".join(f"w{(i * j) % 977}" for i in range(400)) for j in range(1, 3000)]
text = text * 200
bleu = BLEU(tokenize="none")
def interrupt():
    time.sleep(0.3)
    global sent
    sent = time.perf_counter()
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt).start()
try:
    while True:
        bleu.corpus_score(text, text)
except KeyboardInterrupt:
    print(time.perf_counter() - sent)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="not POSIX: SIGINT cannot be sent")
@pytest.mark.parametrize("threads", ["1", "2"])
def test_a_long_call_answers_control_c(threads: str) -> None:
    result = run_interruptible([sys.executable, "-c", INTERRUPTED, threads], timeout=120)
    assert result.returncode == 0, result.stderr
    # 0.2 s is the promise; a busy machine gets some more.
    assert float(result.stdout) < 0.6


def test_other_threads_run_while_a_long_call_runs() -> None:
    hypotheses = generated(4, 40_000)
    ticks = []
    stop = threading.Event()

    def tick() -> None:
        while not stop.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    started = time.perf_counter()
    BLEU(tokenize="none").statistics(hypotheses, hypotheses)
    ended = time.perf_counter()
    stop.set()
    thread.join()
    assert sum(started < moment < ended for moment in ticks) >= 3


@pytest.mark.parametrize(
    "text",
    [
        "\ud800 lone \udfff",
        "nul \0 inside \0",
        "\ufeffbom",
        "line\u2028separator para\u2029graph",
        "tab\tvertical\x0bform\x0c",
        "separators \x1c\x1d\x1e\x1f",
        "next\x85line no-break\u00a0space",
        "carriage\r\nreturn",
        "",
        " ",
        "\U0010ffff astral \U0001f600",
    ],
)
def test_odd_text_is_scored_exactly(text: str) -> None:
    statistics = BLEU(tokenize="none").statistics([text], [text + " x"])
    words = text.split()
    assert statistics["hypothesis_length"][0] == len(words)
    assert statistics["reference_length"][0] == len(words) + 1
    assert statistics["matches_1"][0] == len(words)


def test_cost_of_odd_segments_is_bounded() -> None:
    bleu = BLEU(tokenize="none")
    cases = {
        "100,000 equal tokens": "a " * 100_000,
        "100,000 different tokens": " ".join(map(str, range(100_000))),
        "one token of 10 MB": "x" * 10_000_000,
        "10 MB of words": "word " * 2_000_000,
    }
    for name, text in cases.items():
        started = time.perf_counter()
        score = bleu.corpus_score([text], [text])
        # Linear cost: all take well under a second; the bound allows for sanitizers and busy machines.
        assert time.perf_counter() - started < 20, name
        assert score.matches[0] == len(text.split()), name


def test_orders_up_to_the_length_and_beyond() -> None:
    text = " ".join(str(number % 7) for number in range(300))
    score = BLEU(tokenize="none", max_ngram_order=310).corpus_score([text], [text])
    assert score.matches[299] == 1 and score.matches[300] == 0
    assert score.totals[:3] == (300, 299, 298) and score.totals[300] == 0


@pytest.mark.parametrize("distinct", [3, 95, 96, 97, 500])
def test_short_and_long_segments_use_the_same_arithmetic(distinct: int) -> None:
    # Around the size at which the matrix of pairs gives way to a hash table.
    random = np.random.default_rng(distinct)
    hypothesis = random.integers(distinct, size=3 * distinct).tolist()
    reference = random.integers(distinct, size=3 * distinct).tolist()
    found = BLEU(max_ngram_order=3).statistics([hypothesis], [reference])
    for order in (1, 2, 3):
        left, right = (
            [tuple(row[i : i + order]) for i in range(len(row) - order + 1)]
            for row in (hypothesis, reference)
        )
        expected = sum(min(left.count(gram), right.count(gram)) for gram in set(left))
        assert found[f"matches_{order}"][0] == expected


def test_native_functions_refuse_what_would_reach_outside() -> None:
    column = _native.Column.of_tokens([["a"], ["b"]])
    out = np.zeros((2, 10))
    offsets = np.array([0, 1, 2])
    kernel = BLEU().kernel
    with pytest.raises(ValueError, match="out has the wrong size"):
        kernel.rows(column, column, offsets, np.zeros(3), 1)
    for wrong in ([0, 1], [0, 1, 3], [1, 1, 2]):
        with pytest.raises(ValueError, match="offsets do not fit"):
            kernel.rows(column, column, np.array(wrong), out, 1)
    with pytest.raises(ValueError, match="offsets do not fit"):
        kernel.rows(column, column, np.array([0, 3, 2]), out, 1)
    with pytest.raises(ValueError, match="unknown reference length"):
        _native.Bleu(4, "longish", True, 0)
    with pytest.raises(ValueError, match="offsets reach outside"):
        _native.Column.of_ids(np.array([1]), np.array([0, 2]))
    with pytest.raises(ValueError, match="offsets descend"):
        _native.Column.of_ids(np.array([1, 2]), np.array([0, 2, 1, 2]))
    with pytest.raises(ValueError, match="no native tokenizer"):
        _native.tokenize("nothing", "a")
    with pytest.raises(IndexError, match="no such segment"):
        column.tokens(2)
    with pytest.raises(ValueError, match="blocks differ"):
        _native.Column.of_lines(
            [_native.Lines(b"a\n"), _native.Lines(b"a\nb\n")], "none", "no", False
        )


def test_columns_give_back_their_tokens() -> None:
    texts = ["The cat, sat.", "", "短い internationalisation \ud800"]
    column = _native.Column.of_texts(texts, "none", "no", False)
    expected = [text.split() for text in texts]
    assert [column.tokens(i) for i in range(3)] == expected
    prepared = column.prepare(2)
    del column
    assert [prepared.tokens(i) for i in range(3)] == expected
    assert _native.Column.of_tokens(expected).tokens(2) == expected[2]
    ids = _native.Column.of_ids(np.array([5, -1, 7]), np.array([0, 2, 3]))
    assert [ids.tokens(0), ids.tokens(1)] == [[5, -1], [7]]
    lines = _native.Column.of_lines(
        [_native.Lines(b"a b\r\nc"), _native.Lines(b"d\n\n")], "none", "no", False
    )
    assert [lines.tokens(i) for i in range(4)] == [["a", "b"], ["d"], ["c"], []]


def test_lowercase_follows_python() -> None:
    texts = ["ABC ΑΣ Σ İX ẞ", "Ǆ ΣΣ."]
    column = _native.Column.of_texts(texts, "none", "unicode", False)
    assert [column.tokens(i) for i in range(2)] == [text.lower().split() for text in texts]
    block = "\n".join(texts).encode()
    lines = _native.Column.of_lines([_native.Lines(block)], "none", "unicode", False)
    assert [lines.tokens(i) for i in range(2)] == [text.lower().split() for text in texts]


def test_integers_equal_no_text() -> None:
    bleu = BLEU()
    for word in ("abcdefgh", "", "7"):
        number = int.from_bytes(word.encode(), "little", signed=True) if word else 0
        # Words alone beside ids alone are refused.
        assert bleu.corpus_score([[word, 1]], [[number, 1]]).matches[0] == 1
    assert bleu.corpus_score([["7", 1]], [[7, 1]]).matches[0] == 1
    assert bleu.corpus_score([[-7, 2**63 - 1]], [[2**63 - 1, -7]]).matches[0] == 2


def test_ngrams_do_not_reach_from_one_reference_into_the_next() -> None:
    row = BLEU(max_ngram_order=2).statistics([["b", "c"]], [[["a", "b"], ["c", "d"]]])
    assert (row["matches_1"].tolist(), row["matches_2"].tolist()) == ([2], [0])


def test_words_that_share_part_of_their_hash() -> None:
    """Of 60 words, two share 16 bits of it in a few segments of a hundred."""
    rng = random.Random(8)
    for _ in range(1500):
        words = [f"{rng.randrange(10**9)}" for _ in range(90)]
        hypothesis, reference = words[:60], words[30:]
        rng.shuffle(reference)
        row = BLEU(max_ngram_order=2).statistics([hypothesis], [[reference]])
        assert row["matches_1"].tolist() == [30]


def test_a_metric_that_outlives_the_interpreter_is_nobodys_concern() -> None:
    """A thread that runs on to the end keeps what it holds, and nothing is printed about that."""
    code = """
import threading, time, cocarde
metric, ready = cocarde.BLEU(), threading.Event()
def work(metric=metric):
    metric.sentence_score("a b c d", "a b c d")
    ready.set()
    time.sleep(60)
threading.Thread(target=work, daemon=True).start()
ready.wait()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")
