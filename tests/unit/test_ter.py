"""TER without a peer: the definition, options, signatures, explanations, long texts."""

from __future__ import annotations

import json
import pickle
import sys
import time
from typing import Any

import numpy as np
import pytest

import cocarde
from cocarde import TER, CocardeWarning, InputError, OptionError
from cocarde.metrics.ter.explanation import TERExplanation
from tests.cli.runner import run
from tests.processes import run_interruptible

HYPOTHESES = ["on the mat the cat sat", "a b c d", "", "x"]
REFERENCES = [["the cat sat on a mat", "sat"], ["a c b d", "a b c d e"], ["y z"], ["x"]]


def explain(hypothesis: object, references: object, **options: Any) -> TERExplanation:
    found = cocarde.explain(TER(**options), hypothesis, references)
    assert isinstance(found, TERExplanation)
    return found


def test_statistics() -> None:
    found = TER().statistics(HYPOTHESES, REFERENCES)
    assert found.values.tolist() == [
        [2, 3.5, 0, 0, 1, 1, 6],
        [1, 4.5, 0, 0, 0, 1, 4],
        [2, 2, 2, 0, 0, 0, 0],
        [0, 1, 0, 0, 0, 0, 1],
    ]
    score = TER().corpus_score(HYPOTHESES, REFERENCES)
    assert score.score == 100 * 5 / 11
    assert (score.edits, score.insertions, score.substitutions, score.shifts) == (5, 2, 1, 2)
    assert str(score) == "TER = 45.45 (5 edits: ins = 2 del = 0 sub = 1 shift = 2; ref_len = 11.0)"


def test_no_reference_word() -> None:
    with pytest.warns(CocardeWarning, match="the reference of 1 of 1 segments is empty"):
        score = TER().sentence_score("a b", "")
    assert (score.score, score.deletions, score.reference_length) == (100, 2, 0)
    assert "100 by convention" in score.warnings[0]
    with pytest.warns(CocardeWarning):
        score = TER().sentence_score("", "")
    assert score.score == 0
    assert "neither" in score.warnings[0]
    assert TER().compute(np.array([[3.0, 0, 0, 3, 0, 0, 3], [0.0] * 7])).tolist() == [100, 0]


def test_it_may_exceed_100() -> None:
    assert TER().sentence_score("a b c d", "e").score == 400


def test_options() -> None:
    pair = "The cat's mat,“1,5”.", "the cat 's mat , “1,5” ."
    assert TER().sentence_score(*pair).score > 0
    assert TER(normalized=True).sentence_score(*pair).score == 0
    assert TER(normalized=True, case_sensitive=True).sentence_score(*pair).edits == 1
    assert TER(no_punct=True).sentence_score("a. b!", "a b").score == 0
    chinese = "我们今天去。", "我们去今天"
    assert TER().sentence_score(*chinese).edits == 1
    asian = TER(normalized=True, no_punct=True, asian_support=True).sentence_score(*chinese)
    assert (asian.edits, asian.shifts, asian.reference_length) == (1, 1, 5)


@pytest.mark.parametrize("option", ["normalized", "no_punct", "asian_support", "case_sensitive"])
def test_flags_are_checked(option: str) -> None:
    with pytest.raises(OptionError, match=f"{option} must be True or False, found 'yes'"):
        TER(**{option: "yes"})  # type: ignore[arg-type]


def test_presets() -> None:
    assert TER.preset("sacrebleu") == TER()
    assert list(TER.presets()) == ["sacrebleu", "torch", "tercom"]
    with pytest.raises(OptionError, match="no TER preset 'mteval'; there are sacrebleu, torch"):
        TER.preset("mteval")
    with pytest.raises(
        OptionError, match=r"asian_support=True belongs to .* Tercom 0\.8\.0 does not"
    ):
        TER.preset("tercom", asian_support=True)
    with pytest.raises(OptionError, match="formula"):
        TER(formula="moses")


def test_signatures_read_back() -> None:
    for metric in (TER.preset("torch", asian_support=True), TER.preset("tercom", no_punct=True),
                   TER(), TER(normalized=True), TER(no_punct=True, asian_support=True),
                   TER(case_sensitive=True, ignore_ids=[0, 1])):  # fmt: skip
        assert TER.from_signature(metric.signature) == metric
        assert pickle.loads(pickle.dumps(metric)) == metric
    score = TER(normalized=True).sentence_score([1, 2], [2, 1])
    assert score.signature.startswith("nrefs:1|case:mixed|tok:none|norm:no|punct:yes|asian:no|")
    again = TER.from_signature(score.signature)
    assert again.sentence_score([1, 2], [2, 1]) == score
    with pytest.raises(OptionError, match=r"cannot read tok:13a .*: tercom or none is needed"):
        TER.from_signature("nrefs:1|case:lc|tok:13a|norm:no|punct:yes|asian:no|version:2.6.0")


def test_tokens_of_every_kind() -> None:
    text = TER().statistics(["b a c"], ["a b c"]).values
    for hypothesis, reference in (
        (["b", "a", "c"], ["a", "b", "c"]),
        ([5, 4, 6], [4, 5, 6]),
        (np.array([5, 4, 6]), np.array([4, 5, 6])),
    ):
        np.testing.assert_array_equal(TER().statistics([hypothesis], [reference]).values, text)
    padded = TER(ignore_ids=[0]).statistics([[5, 4, 6, 0, 0]], [[4, 5, 6, 0]]).values
    np.testing.assert_array_equal(padded, text)


def test_pairwise_and_prepared() -> None:
    single = [group[0] for group in REFERENCES]
    matrix = TER().pairwise(HYPOTHESES, single)
    for i, hypothesis in enumerate(HYPOTHESES):
        for j, reference in enumerate(single):
            assert matrix[i, j] == TER().sentence_score(hypothesis, reference).score
    prepared = TER().prepare(REFERENCES)
    assert TER().corpus_score(HYPOTHESES, prepared) == TER().corpus_score(HYPOTHESES, REFERENCES)


def test_threads_change_nothing() -> None:
    many = [[str((i * j * j) % 17) for j in range(30)] for i in range(3000)]
    rows = []
    for threads in (1, 2):
        cocarde.set_num_threads(threads)
        rows.append(TER().statistics(many, many[::-1]).values)
    cocarde.set_num_threads(None)
    np.testing.assert_array_equal(rows[0], rows[1])


def test_no_reference_at_all() -> None:
    with pytest.raises(InputError):
        TER().corpus_score(["a"], [[]])


# -- explanations


def test_a_segment_is_explained() -> None:
    found = explain(HYPOTHESES[0], REFERENCES[0])
    assert found.score == TER().sentence_score(HYPOTHESES[0], REFERENCES[0]).score
    assert (found.chosen, found.reference_edits) == (1, (2, 5))
    (step,) = found.shift_steps
    assert (step.phrase, step.start, step.target) == (("the", "cat", "sat"), 3, 0)
    assert step.words == ("the", "cat", "sat", "on", "the", "mat")
    assert [edit.kind for edit in found.word_edits].count("kept") == 5
    text = found.to_text()
    assert "Shift 1: “the cat sat” goes from place 4 to place 1." in text
    assert "edits = 0 insertions + 0 deletions + 1 substitutions + 1 shifts = 2" in text
    assert "TER = 100 · 2 / 3.500000 = 57.142857" in text
    assert json.loads(found.to_json())["shift_steps"][0]["target"] == 0
    assert "<" in found._repr_html_()


@pytest.mark.filterwarnings("ignore::cocarde.errors.CocardeWarning")
def test_every_explanation_agrees() -> None:
    generator = np.random.default_rng(3)
    for _ in range(300):
        words = [generator.integers(0, 4, generator.integers(0, 12)).tolist() for _ in range(3)]
        found = cocarde.explain(TER(), [words[0]], [words[1:]], segment=0)
        assert found.score == TER().sentence_score(words[0], words[1:]).score


def test_a_corpus_is_explained() -> None:
    found = cocarde.explain("ter", HYPOTHESES, REFERENCES, top=1)
    assert found.score == TER().corpus_score(HYPOTHESES, REFERENCES).score
    text = found.to_text()
    assert "The 1 worst and the 1 best of 4 segments; 2 are not shown, but count." in text
    assert "TER = 100 · 5 / 11 = 45.454545" in text


def test_what_is_normalized_twice_is_said() -> None:
    pair = "the king's.", "the king's."
    twice = "References are normalized twice, hypotheses once"
    found = cocarde.explain(TER(normalized=True), *pair)
    assert isinstance(found, TERExplanation)
    assert (len(found.hypothesis), len(found.references[0])) == (3, 4)
    assert twice in found.to_text()
    assert twice not in cocarde.explain(TER(), *pair).to_text()
    assert twice not in cocarde.explain(TER(normalized=True), [["a"]], [["a"]]).to_text()  # tokens


# -- the command line


def test_options_of_the_command_line() -> None:
    pair = ["--hypothesis", "The cat's mat!", "--reference", "the cat 's mat"]
    shown = run("explain", "-m", "ter", *pair, "--normalized", "--no-punct", "-f", "json")
    assert shown.code == 0, shown.errors
    assert json.loads(shown.output)["score"] == 0
    refused = run("explain", "-m", "bleu", *pair, "--normalized")
    assert refused.code == 2
    assert "--normalized is not an option of bleu" in refused.errors


# -- long texts


def seconds(hypothesis: list[str], reference: list[str]) -> float:
    began = time.process_time()
    TER().statistics([hypothesis], [reference])
    return time.process_time() - began


def test_long_texts_take_bounded_time() -> None:
    """A hundredth of this is usual; without bounds it would be hours."""
    assert seconds(["a"] * 2000, ["a"] * 1900) < 2
    assert seconds(["a"] * 100_000, ["a"] * 99_990) < 5
    assert seconds(["a", "b"] * 50_000, ["b", "a"] * 49_000) < 5
    assert seconds(["a", "b"] * 50_000, ["b", "a", "c"]) < 5
    assert seconds(["a", "b", "c"], ["b", "a"] * 50_000) < 5
    words = [str(number) for number in range(100_000)]
    for place in range(0, 100_000, 5000):
        words[place], words[place + 1] = words[place + 1], words[place]
    assert seconds(words, [str(number) for number in range(100_000)]) < 10


INTERRUPTED = """
import os, signal, threading, time
import cocarde
cocarde.set_num_threads(1)
text = [[(i * j) % 977 for i in range(400)] for j in range(1, 4000)]
ter = cocarde.TER()  # its modules are read by now, however long that takes
def interrupt():
    time.sleep(0.3)
    global sent
    sent = time.perf_counter()
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt).start()
try:
    while True:
        ter.statistics(text, text[::-1])
except KeyboardInterrupt:
    print(time.perf_counter() - sent)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="not POSIX: SIGINT cannot be sent")
def test_a_long_call_answers_control_c() -> None:
    done = run_interruptible([sys.executable, "-c", INTERRUPTED], timeout=120)
    assert done.returncode == 0, done.stderr
    # 0.2 s is the promise; a busy machine gets some more.
    assert float(done.stdout) < 0.6


# -- conventions


def test_pairs_normalise_references_twice_as_segments_do() -> None:
    metric = TER(normalized=True)
    alone = metric.segment_scores(["the king's."], ["the king's."])
    assert alone[0] > 0
    assert metric.pairwise(["the king's."], ["the king's."])[0].tolist() == alone.tolist()


@pytest.mark.filterwarnings("ignore::cocarde.errors.CocardeWarning")
def test_a_hypothesis_without_words_takes_no_edits_of_torchmetrics() -> None:
    metric = TER.preset("torch")
    assert metric.statistics([""], ["a b"]).values.tolist() == [[0, 2, 0, 0, 0, 0, 0]]
    assert explain("", ["a b"], formula="torch").word_edits == ()
    assert metric.sentence_score("a b", "").deletions == 2


def test_the_phrases_of_the_reference_move_for_torchmetrics() -> None:
    found = explain("a b c d e", ["d e a b c x"], formula="torch")
    (step,) = found.shift_steps
    assert found.moved == "reference"
    assert sorted(step.words) == sorted("deabcx")
    assert "Phrases of the reference move" in found.to_text()
    assert json.loads(found.to_json())["moved"] == "reference"


def test_presets_on_the_command_line() -> None:
    pair = ["--hypothesis", "b c b d a", "--reference", "a b b c c"]
    for name, score in (("sacrebleu", 80), ("tercom", 60), ("torch", 60)):
        shown = run("explain", "-m", "ter", *pair, "--preset", name, "-f", "json")
        assert shown.code == 0, shown.errors
        assert json.loads(shown.output)["score"] == score
    listed = run("presets", "-m", "ter")
    assert "Tercom 0.8.0" in listed.output


def test_references_prepared_for_tercom() -> None:
    hypotheses, references = ["... a b", "b\u3000a"], [["a. b", "..."], ["b a"]]
    metric = TER.preset("tercom", no_punct=True)
    ready = metric.prepare(references)
    assert metric.corpus_score(hypotheses, ready) == metric.corpus_score(hypotheses, references)
    # An empty word before "a", and a word with white space that is not of ASCII.
    rows = metric.statistics(hypotheses, references)
    assert rows["hypothesis_length"].tolist() == [3, 1]
    assert rows["reference_length"].tolist() == [1.5, 2]


def test_white_space_at_the_end_that_is_no_white_space_for_java_is_of_the_word() -> None:
    for end in ("\u3000", "\u2003"):
        for pair in (("a b" + end, "a b"), ("a b", "a b" + end)):
            assert TER().sentence_score(*pair).edits == 0
            assert TER.preset("tercom").sentence_score(*pair).edits == 1
    for end in (" ", "\t\n", "\x1c"):
        assert TER.preset("tercom").sentence_score("a b" + end, "a b").edits == 0
