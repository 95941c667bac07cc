"""What every metric says of segments whose score misleads."""

from __future__ import annotations

import pickle
import unicodedata
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import cocarde
from cocarde import (
    BLEU,
    CHRF,
    METEOR,
    ROUGE,
    TER,
    Accumulator,
    CocardeWarning,
    InputError,
    tokenizers,
)
from cocarde.engines.streaming import accumulate_files

EXAMPLES = Path(__file__).parents[2] / "examples"
CHINESE = ("今天天气很好", "今天天气不好")
JAPANESE = ("猫はマットの上に座っていた。", "猫がマットの上で寝ていた。")
THAI = ("แมวนั่งอยู่บนเสื่อในบ้าน", "แมวนอนอยู่บนเสื่อในบ้าน")
ENGLISH = ("the cat sat on the mat", "a cat sat on the mat")
UNDIVIDED = "no blanks between its words"


def warned(call: Callable[[], Any]) -> list[str]:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always", CocardeWarning)
        call()
    assert all(one.filename == __file__ for one in found)
    return [str(one.message) for one in found]


def of_corpus(metric: Any, hypotheses: Any, references: Any) -> list[str]:
    return warned(lambda: metric.corpus_score(hypotheses, references))


# -- texts that the tokenizer does not divide


@pytest.mark.parametrize(
    ("metric", "remedy"),
    [
        (BLEU(), "tokenize='zh'"),
        (BLEU(tokenize="intl"), "tokenize='zh'"),
        (BLEU.preset("mteval-v13a"), "tokenize='zh'"),
        (TER(), "normalized=True, asian_support=True"),
        (TER(asian_support=True), "normalized=True, asian_support=True"),
        (METEOR(), "English, Czech, French, Spanish, German and Russian alone"),
        (METEOR.preset("nltk"), "tokenize='zh'"),
        (CHRF(word_order=2), "word_order=0"),
        (ROUGE(tokenize="none"), "tokenize='auto'"),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_undivided_text_is_counted_whatever_the_score(metric: Any, remedy: str) -> None:
    hypothesis, reference = CHINESE
    (alone,) = of_corpus(metric, [hypothesis], [reference])
    assert f"the text of 1 of 1 segments has {UNDIVIDED} (Chinese)" in alone and remedy in alone
    (equal,) = of_corpus(metric, [hypothesis], [hypothesis])
    assert equal == alone
    # Others lift the score, and hide nothing.
    (most,) = of_corpus(
        metric, [hypothesis] * 50 + [ENGLISH[0]] * 3, [reference] * 50 + [ENGLISH[0]] * 3
    )
    assert "the text of 50 of 53 segments" in most
    (few,) = of_corpus(metric, [ENGLISH[0]] * 500 + [hypothesis], [ENGLISH[0]] * 500 + [reference])
    assert "the text of 1 of 501 segments" in few
    assert len(warned(lambda: metric.sentence_score(hypothesis, reference))) == 1


@pytest.mark.parametrize(
    ("texts", "language", "remedy"),
    [
        (JAPANESE, "(Japanese)", "tokenize='ja-mecab'"),
        (THAI, "(Thai, Lao, Khmer or Burmese)", "tokenize='char'"),
    ],
)
def test_other_scripts_have_their_own_remedy(
    texts: tuple[str, str], language: str, remedy: str
) -> None:
    (message,) = of_corpus(BLEU(), [texts[0]], [texts[1]])
    assert language in message and remedy in message
    assert not of_corpus(BLEU(tokenize="char"), [texts[0]], [texts[1]])
    assert not of_corpus(ROUGE(tokenize="auto"), [texts[0]], [texts[1]])


def test_zh_divides_no_kana_and_no_thai() -> None:
    for text in ("コンピューターのプログラムをつくりました", THAI[0]):
        (message,) = of_corpus(BLEU(tokenize="zh"), [text], [text])
        assert "'zh' does not divide it" in message


def halves(text: str) -> list[str]:
    return [text[: len(text) // 2], text[len(text) // 2 :]]


def test_what_divides_the_text_is_not_blamed() -> None:
    for metric in (
        BLEU(tokenize="zh"),
        BLEU(tokenize="char"),
        TER(normalized=True, asian_support=True),
        METEOR(tokenize="zh"),
        CHRF(),
        ROUGE(tokenize="words"),
        ROUGE(tokenize="auto"),
    ):
        assert not of_corpus(metric, [CHINESE[0]], [CHINESE[1]]), metric
    # A user's function is judged by its tokens.
    assert not of_corpus(BLEU(tokenize=halves), ["今天天气"], ["今天天气"])
    assert UNDIVIDED in of_corpus(BLEU(tokenize=str.split), [CHINESE[0]], [CHINESE[1]])[0]
    words = "今天 天气 很 好"
    names = "He met 习近平 in the 人民大会堂 of Beijing and コンピューター means computer"
    for metric in (BLEU(), TER(), METEOR(), CHRF(word_order=2)):
        assert not of_corpus(metric, [words, names], [words, names]), metric


def test_rare_ideographs_are_undivided_by_zh() -> None:
    text = "𠀀𠀁𠀂𠀃𠀄"
    (message,) = of_corpus(BLEU(tokenize="zh"), [text], [text])
    assert "'zh' does not divide it" in message


# -- texts of which nothing is left


@pytest.mark.parametrize(
    "metric",
    [
        ROUGE(),
        ROUGE(tokenize="auto"),
        ROUGE(tokenize="words"),
        ROUGE(use_stemmer=True),
        ROUGE(rouge_types=["rougeL"], sentences="punctuation"),
        ROUGE.preset("rouge-1.5.5"),
        TER(no_punct=True),
        METEOR(normalize=True, keep_punctuation=False),
    ],
    ids=lambda metric: metric.signature,
)
def test_erased_text_is_counted_whatever_the_others_are(metric: Any) -> None:
    text = "!!!"
    assert metric.sentence_score(text, text) is not None
    for count in (0, 1, 200):
        texts = [*["the cat sat"] * count, text]
        (message,) = of_corpus(metric, texts, texts)
        assert f"leaves nothing of the text of 1 of {count + 1} segments" in message
    (message,) = of_corpus(metric, ["the cat", "the dog"], ["the cat", text])
    assert "leaves nothing of the text of 1 of 2 segments" in message


def test_erased_emoji_are_the_reason_of_a_0() -> None:
    with pytest.warns(CocardeWarning, match="leaves nothing of the text of 1 of 1 segments"):
        score = ROUGE(tokenize="auto").sentence_score("👍🎉", "👍🎉")
    assert "leaves nothing of the text" in score["rouge1"].warnings[0]
    with pytest.warns(CocardeWarning, match="leaves nothing of the text of 1 of 1 segments"):
        found = BLEU().corpus_score(["<skipped>"], ["<skipped>"])
    assert found.warnings == (
        "the score is 0 because the tokenizer '13a' leaves nothing of the text",
    )
    assert not of_corpus(BLEU(), ["👍🎉", "!!!"], ["👍🎉", "!!!"])


def test_empty_text_is_not_erased() -> None:
    for blank in ("", " \t "):
        for metric in (BLEU(), TER(), ROUGE(), METEOR()):
            assert not of_corpus(metric, [blank, "the cat"], ["the cat", "the cat"]), metric
            (message,) = of_corpus(metric, ["the cat", "the cat"], [blank, "the cat"])
            assert message == "the reference of 1 of 2 segments is empty"


# -- ideographs


@pytest.mark.parametrize(
    "first",
    [
        *(0x3400, 0x4DB6, 0x9FBC, 0xF900, 0x20000, 0x2A700, 0x2B740, 0x2B820, 0x2CEB0, 0x2EBF0),
        *(0x2F800, 0x30000, 0x31350, 0x323B0, 0x33480),
    ],
    ids=hex,
)
def test_auto_knows_every_ideograph(first: int) -> None:
    letters = [chr(first + number) for number in range(4)]
    score = ROUGE(tokenize="auto").sentence_score(
        "".join(letters[:3]), "".join([*letters[:2], letters[3]])
    )
    assert score["rouge1"].score == pytest.approx(200 / 3)
    assert "tok:zh-unicode" in score.signature


def test_zh_unicode_is_zh_for_other_text() -> None:
    lines = (EXAMPLES / "zh/reference.txt").read_text(encoding="utf-8").splitlines()
    lines += ["$5.00 &lt;b&gt; ䷀䷁ ａＢ３ don't 1,000-2", " \u3000今天\u00a0x ", ""]
    known, extended = tokenizers.get("zh"), tokenizers.get("zh-unicode")
    assert [known(line) for line in lines] == [extended(line) for line in lines]


# -- lists as texts


@pytest.mark.parametrize("metric", [BLEU(), TER(), METEOR(), ROUGE()], ids=lambda one: one.name)
def test_lists_in_the_place_of_texts(metric: Any) -> None:
    hypothesis, reference = ENGLISH
    expected = "every token of the hypotheses and the references holds blanks"
    (message,) = warned(lambda: metric.sentence_score([hypothesis], [reference]))
    assert f"in 1 of 1 segments {expected}" in message
    (message,) = of_corpus(metric, [[hypothesis], ["Yes."]] * 100, [[reference], ["Yes."]] * 100)
    assert f"in 100 of 200 segments {expected}" in message
    (message,) = of_corpus(metric, [hypothesis.split()], [[reference]])
    assert "every token of the references holds blanks" in message
    (message,) = warned(lambda: metric.sentence_score([hypothesis, hypothesis], [reference]))
    assert "for a text give the str itself" in message
    for tokens in (["New York", "is", "big"], ["Yes."], [""]):
        assert not of_corpus(metric, [tokens, ["a", "b"]], [tokens, ["a", "b"]])
    # An id tells that tokens are meant, even one alone.
    for ids in ([1, 2, 3], [5]):
        assert not of_corpus(BLEU(), [ids], [ids])
        assert not of_corpus(BLEU(), [["New York"], ids], [["New York"], ids])


# -- sentences


SUMMARY = "The cat sat on the mat. The dog barked at it."


def test_sentences_without_line_feeds() -> None:
    lines = SUMMARY.replace(". ", ".\n")
    for text in (
        SUMMARY,
        "the cat sat . the dog barked .",
        "猫坐在垫子上。狗叫了。",
        "Did it? Yes!",
        "Это кот. Там пёс.",
    ):
        messages = of_corpus(ROUGE(tokenize="words"), [text], [text])
        assert ["sentences='punctuation'" in one for one in messages] == [True], text
    for metric in (
        ROUGE(rouge_types=["rouge1", "rougeL"]),
        ROUGE(sentences="punctuation"),
        ROUGE.preset("rouge"),
        BLEU(),
    ):
        assert not of_corpus(metric, [SUMMARY], [SUMMARY])
    for text in (
        lines,
        "The cat sat.",
        "Mr. Smith met Dr. J. Doe of the U.S. Senate, Inc. and so on.",
        "It cost 3.5 million. ",
        "It was shown earlier, cf. Smith vs. Jones",
        "Yes...",
        "“天气好。”",
    ):
        assert not of_corpus(ROUGE(tokenize="char"), [text], [text]), text
    # A few of many segments are no documents, and a third of them is not more than a third.
    assert not of_corpus(ROUGE(), [SUMMARY, *["the cat sat"] * 9], [SUMMARY, *["a cat sat"] * 9])
    assert not of_corpus(ROUGE(), [SUMMARY, "a", "b"], [SUMMARY, "a", "b"])
    (message,) = of_corpus(ROUGE(), [SUMMARY, SUMMARY, "b"], [SUMMARY, "a", "b"])
    assert message.startswith("2 of 3 segments have several sentences")
    (message,) = of_corpus(ROUGE(), [SUMMARY] * 150, [SUMMARY] * 150)
    assert message.startswith("150 of 150 segments have several sentences")


@pytest.mark.parametrize(("sampled", "messages"), [(16, 0), (17, 1)])
def test_documents_are_more_than_a_quarter_of_a_sample(sampled: int, messages: int) -> None:
    """Of 128 segments, those with an even index are looked at first."""
    texts = ["the cat sat", SUMMARY] * 64
    texts[: 2 * sampled : 2] = [SUMMARY] * sampled
    found = of_corpus(ROUGE(), texts, texts)
    assert len(found) == messages
    assert all(one.startswith(f"{64 + sampled} of 128 segments have") for one in found)


def test_samples_are_taken_from_everywhere() -> None:
    for metric, other, text, message in (
        (ROUGE(), "the cat", "the cat<n>the dog", "holds line ends"),
        (BLEU(), "Köln", CHINESE[0], UNDIVIDED),
    ):
        for texts in ([other] * 100 + [text] * 20, [text] * 20 + [other] * 100):
            (found,) = of_corpus(metric, texts, texts)
            assert "the text of 20 of 120 segments" in found and message in found


@pytest.mark.parametrize("end", ["\\n", "<n>"])
def test_line_ends_that_are_written_out(end: str) -> None:
    text = f"the cat sat{end}the dog barked"
    (message,) = of_corpus(ROUGE(), [text, "a"], ["the cat", "a"])
    assert "the text of 1 of 2 segments holds line ends that are written out" in message
    assert not of_corpus(ROUGE(rouge_types=["rouge1"]), [text], [text])


# -- forms of characters

PAIRS = {
    "decomposed": (unicodedata.normalize("NFD", "déjà vu à Zürich"), "déjà vu à Zürich"),
    "zero width": ("the zero\u200bwidth joi\u200dner", "the zerowidth joiner"),
    "soft hyphen": ("an inter\u00adnational agree\u00adment", "an international agreement"),
    "wide": ("ＮＡＴＯ 2024", "NATO 2024"),
    "jamo": (unicodedata.normalize("NFD", "한국어 문장"), "한국어 문장"),
    "nukta": ("\u0958लम ले लो", "\u0915\u093cलम ले लो"),
}


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize(
    "metric", [BLEU(), TER(), METEOR(), CHRF(), ROUGE(tokenize="words")], ids=lambda one: one.name
)
def test_forms_that_look_alike(metric: Any, name: str) -> None:
    hypothesis, reference = PAIRS[name]
    other = ("the café à la carte", "a café in the house")
    for pair in ((hypothesis, reference), (reference, hypothesis)):
        for count in (1, 200):
            texts = [[pair[side], other[side]] * count for side in (0, 1)]
            (message,) = of_corpus(metric, *texts)
            assert f"in {count} of {2 * count} segments characters that look alike" in message
    for text in (hypothesis, reference):
        assert not of_corpus(metric, [text, other[0]], [text, other[1]])


def test_forms_count_where_they_are_half_of_what_does_not_match() -> None:
    composed, decomposed = "é", unicodedata.normalize("NFD", "é")
    for others, messages in ((0, 1), (1, 1), (2, 0)):
        texts = [" ".join([word, *"xyz"[:others]]) for word in (composed, decomposed)]
        texts[1] = texts[1].translate(str.maketrans("xyz", "uvw"))
        assert len(of_corpus(TER(), texts[:1], texts[1:])) == messages, texts


def test_forms_of_many_segments_are_counted_in_some() -> None:
    hypothesis, reference = PAIRS["decomposed"]
    for count, counted in ((256, "256"), (300, "at least 150")):
        (message,) = of_corpus(TER(), [hypothesis] * count, [reference] * count)
        assert f"in {counted} of {count} segments" in message


def test_no_break_spaces_matter_where_the_tokenizer_keeps_them() -> None:
    texts = ["environ 10\u00a0000\u00a0euros"], ["environ 10 000 euros"]
    assert "look alike" in of_corpus(METEOR(language="fr"), *texts)[0]
    assert "look alike" in of_corpus(BLEU.preset("multi-bleu"), *texts)[0]
    # Python splits at them.
    assert not of_corpus(BLEU(), *texts)
    assert not of_corpus(CHRF(), *texts)


# -- words beside ids


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize(
    "metric",
    [BLEU(), TER(), METEOR(), METEOR.preset("nltk"), ROUGE()],
    ids=lambda one: one.signature,
)
def test_words_beside_ids_are_refused_everywhere(metric: Any, reverse: bool) -> None:
    hypotheses: Any = [["x"], ["the", "cat"]]
    references: Any = [["x"], [5, 6]]
    if reverse:
        hypotheses, references = references, hypotheses
    calls: list[Callable[[], Any]] = [
        lambda: metric.corpus_score(hypotheses, references),
        lambda: metric.segment_scores(hypotheses, references),
        lambda: metric.accumulator().update(hypotheses, references),
        lambda: metric.corpus_score(hypotheses, metric.prepare(references, kind="tokens")),
        lambda: cocarde.evaluate(hypotheses, references, {"one": metric, "two": metric}),
        lambda: cocarde.compare({"a": hypotheses, "b": hypotheses}, references, {"m": metric}),
    ]
    for call in calls:
        with pytest.raises(InputError, match=r"hypotheses\[1\] holds .* references\[1\] holds"):
            call()
    with pytest.raises(InputError, match=r"hypotheses\[0\] holds .* references\[0\] holds"):
        metric.sentence_score(hypotheses[1], references[1])
    with pytest.raises(InputError, match=r"hypotheses\[1\].*references\[1\]\[2\]"):
        metric.corpus_score(hypotheses, [[["x"]], [hypotheses[1], hypotheses[1], references[1]]])
    with pytest.raises(InputError, match=r"hypotheses\[0\].*references\[1\] holds"):
        metric.pairwise([hypotheses[1]], [hypotheses[1], references[1]])


def test_ids_beside_words_of_other_hypotheses_are_found() -> None:
    for first in (["the"], [], ["the", 5]):
        with pytest.raises(InputError, match=r"hypotheses\[1\] holds .* references\[0\] holds"):
            BLEU().pairwise([first, [5]], [["the"]])


def test_a_vocabulary_and_mixtures_are_no_words_beside_ids() -> None:
    bleu = BLEU(vocabulary=["the", "cat"], max_ngram_order=1)
    assert bleu.corpus_score([[0, 1]], [["the", "cat"]]).score == pytest.approx(100)
    mixed = BLEU(max_ngram_order=1)
    assert mixed.corpus_score([["<s>", 5]], [[5, 6]]).score == pytest.approx(50)
    assert mixed.corpus_score([[], ["a"]], [[1], ["a"]]).score < 100


# -- once, with the sum


def test_batches_warn_once_of_their_sum(tmp_path: Path) -> None:
    hypotheses, references = [CHINESE[0]] * 6, [CHINESE[1]] * 6
    for name, lines in (("h", hypotheses), ("r", references)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    metrics: dict[str, Any] = {"bleu": BLEU(), "ter": TER()}
    expected = [
        f"the text of {{}} segments has {UNDIVIDED} (Chinese), and {name} does not divide it"
        for name in ("the tokenizer '13a'", "Tercom's tokenizer")
    ]

    def check(call: Callable[[], Any], count: str) -> None:
        found = [one.split(", so that")[0] for one in warned(call) if UNDIVIDED in one]
        assert found == [one.format(count) for one in expected]

    check(
        lambda: accumulate_files(metrics, tmp_path / "h", [tmp_path / "r"], batch_bytes=20),
        "6 of 6",
    )
    check(lambda: cocarde.evaluate(hypotheses, references, metrics), "6 of 6")
    systems = {"a": hypotheses, "b": references}
    check(lambda: cocarde.compare(systems, references, metrics), "12 of 12")
    prepared = BLEU().prepare(references)
    alone = warned(lambda: cocarde.compare(systems, prepared, {"bleu": BLEU()}))
    assert sum("12 of 12 segments" in one for one in alone) == 1


def test_an_accumulator_warns_where_it_computes() -> None:
    first, second = BLEU().accumulator(), BLEU().accumulator()

    def update(accumulator: Accumulator[Any]) -> None:
        accumulator.update([CHINESE[0]] * 2, [CHINESE[1]] * 2)

    def update_and_merge() -> None:
        update(first)
        update(second)
        first.merge(second)

    assert not warned(update_and_merge)
    (message,) = warned(first.compute)
    assert "the text of 4 of 4 segments" in message
    update(first)
    assert not warned(first.compute)  # it was said
    first.reset()
    update(first)
    assert len(warned(first.compute)) == 1


def test_metrics_that_have_looked_can_be_pickled() -> None:
    for metric in (BLEU(), CHRF(word_order=2), TER(), ROUGE(), METEOR()):
        assert len(of_corpus(metric, [CHINESE[0]], [CHINESE[1]])) == 1
        again = pickle.loads(pickle.dumps(metric))
        assert again == metric
        assert len(of_corpus(again, [CHINESE[0]], [CHINESE[1]])) == 1


# -- no false alarms


@pytest.mark.parametrize(
    ("language", "metrics"),
    [
        (
            "en",
            [
                BLEU(),
                BLEU(tokenize="intl"),
                TER(),
                CHRF(word_order=2),
                ROUGE(),
                METEOR(normalize=True),
            ],
        ),
        ("de", [BLEU(), TER(), CHRF(word_order=2), METEOR(language="de", normalize=True)]),
        ("zh", [BLEU(tokenize="zh"), TER(normalized=True, asian_support=True), CHRF()]),
        ("ja", [BLEU(tokenize="char"), CHRF()]),
    ],
)
def test_the_examples_are_scored_without_a_word(language: str, metrics: list[Any]) -> None:
    folder = EXAMPLES / language
    reference = (folder / "reference.txt").read_text(encoding="utf-8").splitlines()
    for name in ("system1.txt", "system2.txt"):
        system = (folder / name).read_text(encoding="utf-8").splitlines()
        for metric in [*metrics, ROUGE(tokenize="auto")]:
            assert not of_corpus(metric, system, reference), metric
