"""METEOR explained: the derivation gives the metric's own numbers; pictures show every match."""

from __future__ import annotations

import io
import json
import math
import random
import re
from xml.etree import ElementTree as ET

import pytest
from rich.cells import cell_len
from rich.console import Console

import cocarde
from cocarde import METEOR, OptionError
from cocarde.metrics.meteor.alignment import Alignment, WordMatch
from cocarde.metrics.meteor.explanation import METEORExplanation
from cocarde.metrics.meteor.nltk import METEORNLTK
from cocarde.metrics.meteor.pictures import SIGNS

pytestmark = pytest.mark.filterwarnings("ignore::cocarde.errors.CocardeWarning")

SVG = "{http://www.w3.org/2000/svg}"
WORDS = [
    "the",
    "a",
    "of",
    "boy",
    "boys",
    "boy's",
    "ate",
    "eats",
    "eaten",
    "apple",
    "apples",
    "fruit",
    "car",
    "automobile",
    ",",
    "big",
    "中文",
    "Straße",
]


def explain(metric: object, hypotheses: object, references: object) -> METEORExplanation:
    found = cocarde.explain(metric, hypotheses, references)
    assert isinstance(found, METEORExplanation)
    return found


def text(rng: random.Random, most: int = 14) -> str:
    return " ".join(rng.choices(WORDS, k=rng.randrange(most)))


METRICS = {
    "default": METEOR(),
    "tasks": METEOR(task="adq", lowercase=True),
    "characters": METEOR(character_based=True),
    "own weights": METEOR(
        stages=["stem", "exact"], stage_weights=[0.3, 0.9], alpha=0.2, beta=3, gamma=0.9, delta=0.1
    ),
    "content words alone": METEOR(delta=1, gamma=1, beta=0),
    "recall alone": METEOR(alpha=1, delta=0),
    "a penalty above 1": METEOR(gamma=5),
    "no weight": METEOR(stage_weights=[0, 0, 0]),
    "normalised": METEOR(normalize=True, keep_punctuation=False),
    "German": METEOR(language="de", function_words="language"),
    "own function words": METEOR(function_words=["boy", "中文"]),
    "other": METEOR(language="other", beam_size=1),
    "nltk": METEOR.preset("nltk"),
    "nltk, own": METEOR.preset("nltk", wordnet=None, alpha=0.5, beta=1, gamma=1, lowercase=False),
}


@pytest.mark.parametrize("name", METRICS)
def test_the_derivation_gives_the_metrics_own_numbers(name: str) -> None:
    """`explain` compares its own arithmetic with the metric, and fails where they differ."""
    metric = METRICS[name]
    rng = random.Random(name)
    for _ in range(60):
        hypothesis, references = text(rng), [text(rng) for _ in range(rng.randrange(1, 4))]
        found = explain(metric, hypothesis, references)
        score = metric.sentence_score(hypothesis, references)
        assert found.score == score.score
        assert found.alignment is not None
        assert (
            found.alignment.score.score == score.score == max(one.score for one in found.references)
        )
        assert found.alignment == metric.align(hypothesis, references)
        assert found.numbered_from(1).to_dict()["counted_from"] == 1
        assert found.alignment.reference_index == next(
            place for place, one in enumerate(found.references) if one.score == score.score
        )
        assert [one.score for one in found.references] == [
            metric.sentence_score(hypothesis, reference).score for reference in references
        ]
        assert found.chunks == score.chunks
        json.loads(found.to_json())
        assert found.to_text() and found.to_markdown()
    texts = [text(rng) for _ in range(30)], [text(rng) for _ in range(30)]
    corpus = explain(metric, *texts)
    assert corpus.score == metric.corpus_score(*texts).score
    assert [row.score for row in corpus.segments] == metric.segment_scores(*texts).tolist()
    assert "10 worst and the 10 best of 30 segments" in corpus.to_text().replace("\n", " ")
    one = cocarde.explain(metric, *texts, segment=7)
    assert one.score == metric.sentence_score(texts[0][7], texts[1][7]).score
    prepared = cocarde.explain(metric, texts[0], metric.prepare(texts[1]), segment=7)
    assert prepared.score == one.score


def test_a_score_by_hand() -> None:
    """m = 1·(0.75·1 + 0.25·1) + 0.8·0.75; the numbers on paper are those in the text."""
    found = explain("meteor", "the boys ate", "the boys had eaten it")
    assert found.parts is not None
    assert math.isclose(found.parts.hypothesis_weight, 1 + 0.6)
    assert math.isclose(found.parts.hypothesis_total, 0.75 * 2 + 0.25)
    precision = 1.6 / 1.75
    recall = 1.6 / found.parts.reference_total
    fmean = 1 / (0.15 / precision + 0.85 / recall)
    score = 100 * fmean * (1 - 0.6 * (2 / 3) ** 0.2)
    assert math.isclose(found.score, score, rel_tol=1e-12)
    text = found.to_text()
    assert "P = mh / lh = 1.600000 / 1.750000 = 0.914286" in text
    assert f"= {score:.6f}" in text


def test_whole_segments_count_no_chunk() -> None:
    found = explain("meteor", ["a b c", "x y z"], ["a b c", "x z"])
    assert (found.whole_segments, found.chunks) == (1, 2)
    text = " ".join(found.to_text().split())
    assert "1 segment matches entirely and added no chunk" in text
    one = explain("meteor", "a b c", "a b c")
    assert (one.score, one.chunks, one.whole_segments) == (100, 0, 1)


def test_the_best_reference_is_named() -> None:
    found = explain("meteor", "a cat sat", ["no match here", "a cat sat down", "a cat sat down"])
    assert found.alignment is not None and found.alignment.reference_index == 1
    text = found.to_text()
    assert "2 (counts)" in text and "3 (counts)" not in text
    assert [one.reference for one in found.references] == [1, 2, 3]


def test_nothing_matches() -> None:
    for pair in (("x", "y"), ("", "y"), ("x", ""), ("", "")):
        for metric in (METEOR(), METEOR.preset("nltk")):
            found = explain(metric, *pair)
            assert found.score == 0
            assert found.warnings
            assert "score = 0" in found.to_text()
            assert found.alignment is not None and found.alignment.matches == ()
            ET.fromstring(found.alignment.to_svg())


def test_ids_and_tokens() -> None:
    ids = METEOR(stages=["exact"], ignore_ids={0})
    found = cocarde.explain(ids, [5, 6, 0, 7], [5, 7])
    assert found.score == ids.sentence_score([5, 6, 0, 7], [5, 7]).score
    assert isinstance(found, METEORExplanation) and found.alignment is not None
    assert found.alignment.hypothesis == ("5", "6", "7")
    assert found.alignment.score == ids.sentence_score([5, 6, 0, 7], [5, 7])
    words = METEOR(vocabulary=["<pad>", "cats", "cat", "sat"], ignore_ids={0})
    found = cocarde.explain(words, [1, 3, 0], [2, 3])
    assert isinstance(found, METEORExplanation) and found.alignment is not None
    assert [match.stage for match in found.alignment.matches] == ["stem", "exact"]


# -- pictures


def pictured(
    hypothesis: str, reference: str, *matches: tuple[str, int, int, int, int]
) -> Alignment:
    """An alignment of words, with matches by stage and half-open ranges."""
    return Alignment(
        tuple(hypothesis.split()),
        tuple(reference.split()),
        tuple(WordMatch(*match) for match in matches),
        0,
        METEOR().sentence_score(hypothesis, reference),
    )


PARAPHRASE = pictured(
    "a large amount of money", "big sum money", ("paraphrase", 1, 4, 0, 2), ("exact", 4, 5, 2, 3)
)


def marks(picture: str, words: int) -> list[str]:
    """The rows of signs of a matrix, without labels and numbers of chunks."""
    found = re.findall(r"((?:[●◐◇▭·] ?)+)(?:  \d+)?$", picture, flags=re.MULTILINE)
    return [row.replace(" ", "") for row in found if len(row.replace(" ", "")) == words]


def test_the_matrix_in_text() -> None:
    picture = PARAPHRASE.to_text()
    assert marks(picture, 3) == ["···", "▭▭·", "▭▭·", "▭▭·", "··●"]
    assert picture.endswith("● exact  ▭ paraphrase; on the right the number of the chunk")
    lines = [line for line in picture.splitlines() if re.search(r"[●▭]", line)][:4]
    assert [line.split()[-1] for line in lines] == ["1", "1", "1", "1"]
    # The words of the reference stand over their columns.
    columns = [line[7::2] for line in picture.splitlines()[:5]]
    assert ["".join(column).strip() for column in zip(*(c.ljust(3) for c in columns), strict=True)] == [
        "big", "sum", "money"
    ]  # fmt: skip


def test_wide_characters_keep_the_columns() -> None:
    alignment = METEOR(tokenize="zh").align("今天 天气cafe\u0301 ok", "天气 今天 cafe\u0301 ok")
    lines = alignment.to_text().splitlines()
    rows = [line for line in lines if re.search(r"[●·] ", line) and "exact" not in line]
    assert len(rows) == len(alignment.hypothesis)
    starts = {cell_len(line[: re.search(r"[●·] ", line).start()]) for line in rows}  # type: ignore[union-attr]
    assert len(starts) == 1


@pytest.mark.parametrize("width", [1, 8, 20, 40, 88, 200])
def test_nothing_is_cut_off(width: int) -> None:
    """Whatever the width: every word, every match; no line wider unless a word is."""
    rng = random.Random(width)
    for size in (5, 40, 400):
        hypothesis = [f"w{rng.randrange(size)}" for _ in range(size)]
        reference = [f"w{rng.randrange(size)}" for _ in range(size)]
        alignment = METEOR(stages=["exact"]).align(hypothesis, reference)
        picture = alignment.to_text(width)
        file = io.StringIO()
        Console(file=file, width=max(width, 12)).print(alignment)
        for shown in (picture, file.getvalue()):
            if "right the number" in " ".join(shown.split()):  # a matrix
                assert sum(map(len, marks(shown, size))) == size * size
                assert sum(row.count("●") for row in marks(shown, size)) == len(alignment.matches)
            else:
                assert shown.count("●") == len(alignment.matches) + 1  # and the legend
                words = re.findall(r"w\d+", shown)
                expected = hypothesis + reference
                assert len(words) == len(expected) - len(alignment.matches)
                assert set(words) == set(expected)
        if width >= 20:
            assert max(map(cell_len, picture.splitlines())) <= width


def test_words_too_long_for_a_header_are_listed() -> None:
    url = "https://example.org/" + "x" * 100
    picture = METEOR().align(f"see {url}", f"{url} here").to_text(60)
    assert f"● {url}" in picture and "not matched in the reference:\n  here" in picture


def test_the_width_is_checked() -> None:
    with pytest.raises(OptionError, match="width must be a whole number"):
        PARAPHRASE.to_text(0)


def test_colours_in_a_terminal() -> None:
    file = io.StringIO()
    Console(file=file, force_terminal=True, color_system="standard", width=80).print(PARAPHRASE)
    assert "\x1b[35m▭ " in file.getvalue() and "\x1b[32m● " in file.getvalue()
    file = io.StringIO()
    found = explain("meteor", "two cats sat", "the cat sat")
    Console(file=file, width=80).print(found)
    assert "◐" in file.getvalue() and "From the counts to the score" in file.getvalue()


def parsed(svg: str) -> ET.Element:
    root = ET.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    return root


def test_svg_has_a_cell_for_each_match_and_a_box_for_each_chunk() -> None:
    root = parsed(PARAPHRASE.to_svg())
    cells = root.findall(f"{SVG}rect[@class='match']")
    assert [cell.get("data-stage") for cell in cells] == ["paraphrase", "exact"]
    assert [(float(c.get("width", 0)), float(c.get("height", 0))) for c in cells] == [
        (40, 60), (20, 20)
    ]  # fmt: skip
    (box,) = root.findall(f"{SVG}rect[@class='chunk']")
    assert (box.get("width"), box.get("height")) == ("60", "80")
    assert box.get("x") == cells[0].get("x")
    assert [cell.findtext(f"{SVG}title") for cell in cells] == [
        "paraphrase: large amount of – big sum", "exact: money – money"
    ]  # fmt: skip
    texts = [element.text for element in root.iter(f"{SVG}text")]
    for word in (*PARAPHRASE.hypothesis, *PARAPHRASE.reference, "exact", "paraphrase"):
        assert word in texts
    assert f"METEOR = {PARAPHRASE.score.score:.2f}" in texts
    # Everything is on the sheet.
    width, height = (float(root.get(name, 0)) for name in ("width", "height"))
    for element in [*cells, box]:
        assert float(element.get("x", 0)) + float(element.get("width", 0)) <= width
        assert float(element.get("y", 0)) + float(element.get("height", 0)) <= height


def test_svg_of_random_pairs() -> None:
    rng = random.Random(4)
    for metric in (METEOR(), METEOR.preset("nltk")):
        for _ in range(40):
            alignment = metric.align(text(rng), text(rng))
            root = parsed(alignment.to_svg())
            cells = root.findall(f"{SVG}rect[@class='match']")
            assert [cell.get("data-stage") for cell in cells] == [
                match.stage for match in alignment.matches
            ]
            assert len(root.findall(f"{SVG}rect[@class='chunk']")) == len(alignment.chunks)


def test_svg_escapes_and_loads_nothing() -> None:
    evil = "<script>alert('x')</script> & \x00 \ud800 \"quoted\" \u202e"
    alignment = METEOR().align(evil.split(" "), [evil.split(" ")])
    for page in (alignment.to_svg(), alignment._repr_html_()):
        assert "<script" not in page
        assert "http://www.w3.org/2000/svg" in page
        assert not re.search(r"(href|src|url\(|@import)", page)
    parsed(alignment.to_svg())
    html = cocarde.explain("meteor", evil.replace("\ud800", ""), "x")._repr_html_()
    assert "<script" not in html and html.count("<svg") == 1


def test_two_systems_against_one_reference() -> None:
    meteor = METEOR()
    first, second = (meteor.align(one, "the cat sat") for one in ("cats sat", "a the cat slept"))
    root = parsed(first.to_svg(second))
    assert len(root.findall(f"{SVG}rect[@class='match']")) == len(first.matches)
    circles = root.findall(f"{SVG}circle[@class='match']")
    assert [circle.get("data-stage") for circle in circles] == [m.stage for m in second.matches]
    texts = [element.text or "" for element in root.iter(f"{SVG}text")]
    assert "slept" in texts and "cats" in texts
    difference = second.score.score - first.score.score
    assert any(line.endswith(f"({difference:+.2f})") for line in texts)
    with pytest.raises(OptionError, match="another reference"):
        first.to_svg(meteor.align("a", "b"))


def test_html_explanation_holds_the_picture() -> None:
    html = explain("meteor", "two cats sat", "the cat sat")._repr_html_()
    (svg,) = re.findall(r"<svg.*?</svg>", html)
    parsed(svg)
    assert html.index("The alignment") < html.index("<svg") < html.index("Matches by stage")


def test_signs_are_one_cell_wide() -> None:
    assert all(cell_len(sign) == 1 for sign in SIGNS.values())


# -- alignments of NLTK's METEOR


def test_nltks_alignment_is_greedy_from_the_end() -> None:
    alignment = METEORNLTK().align("the the cats", "the cat the")
    assert [(m.stage, m.hypothesis_start, m.reference_start) for m in alignment.matches] == [
        ("exact", 0, 0), ("stem", 2, 1), ("exact", 1, 2)
    ]  # fmt: skip
    assert len(alignment.chunks) == alignment.score.chunks == 3


def test_alignments_in_json() -> None:
    found = json.loads(json.dumps(PARAPHRASE.to_dict()))
    assert found["matches"][0] == {
        "stage": "paraphrase", "hypothesis_start": 1, "hypothesis_end": 4,
        "reference_start": 0, "reference_end": 2,
    }  # fmt: skip
    assert found["chunks"] == [[0, 1]]
