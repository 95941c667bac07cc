"""Metrics of other packages: found by entry points, checked by the kit, used everywhere."""

from __future__ import annotations

import copy
import dataclasses
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import cocarde
from cocarde.cli import main
from cocarde.core import registry
from cocarde.core.options import Kind, flag, number, option, options_of, split_names, whole
from cocarde.core.score import Score
from cocarde.testing import check_metric
from tests.plugins import install

PLUGIN = Path(__file__).resolve().parents[2] / "examples" / "plugin"
CASES = [
    pytest.param(kind, preset, id=f"{name}-{preset}")
    for name, kind in registry.classes().items()
    for preset in kind.presets()
]


@pytest.mark.parametrize(("kind", "preset"), CASES)
def test_every_preset_of_every_metric_keeps_the_rules(kind: Any, preset: str) -> None:
    check_metric(kind.preset(preset))


BROKEN = """
import dataclasses
from word_f1 import WordF1
from cocarde import SimpleScores, TextMetric
from cocarde.core.options import flag, option

@dataclasses.dataclass(frozen=True, kw_only=True)
class Reserved(WordF1):
    name = "reserved"
    other: bool = option(flag(), False, "Nothing.", key="seed")

@dataclasses.dataclass(frozen=True, kw_only=True)
class Doubled(WordF1):
    name = "doubled"
    other: bool = option(flag(), False, "Nothing.", key="case")

class Abstract(TextMetric):
    name = "abstract"

class Undeclared(TextMetric, SimpleScores):
    name = "undeclared"
    fields = ("a",)
    def rows(self, hypotheses, references): ...
    def formula(self, totals, *, level): ...

instance = WordF1()
"""
FAULTS = {
    "absent": ("no_such_module:X", "cannot be imported: ModuleNotFoundError: No module named"),
    "missing": ("broken_metrics:Nothing", "cannot be imported: AttributeError: "),
    "raising": ("raising_metrics:X", "cannot be imported: RuntimeError: no GPU here"),
    "function": ("json:dumps", "is no metric but a function; it has to name a subclass"),
    "other-class": ("json:JSONDecoder", "is no metric but the class JSONDecoder"),
    "instance": ("broken_metrics:instance", "is no metric but a WordF1"),
    "abstract": ("broken_metrics:Abstract", "is no metric yet: Abstract does not define .*, rows"),
    "undeclared": ("broken_metrics:Undeclared", "does not declare its options as it should: .*"),
    "reserved": (
        "broken_metrics:Reserved",
        "does not declare its options as it should: Reserved.other: the key 'seed' is taken",
    ),
    "doubled": (
        "broken_metrics:Doubled",
        "does not declare its options as it should: Doubled.other: the key 'case' is taken",
    ),
    "alias": ("word_f1:WordF1", "is called otherwise by its class: WordF1.name is 'word-f1'"),
}


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The example package, installed as far as its metadata go."""
    if not PLUGIN.is_dir():
        pytest.skip("platform: the examples are not beside the tests")
    install(tmp_path, "word-f1", "word-f1 = word_f1:WordF1\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.syspath_prepend(str(PLUGIN / "src"))
    registry._from_outside.cache_clear()
    yield tmp_path
    registry._from_outside.cache_clear()


@pytest.fixture
def broken(plugin: Path) -> Path:
    """Beside it a package of metrics that do not work, and two with names that are taken."""
    (plugin / "broken_metrics.py").write_text(BROKEN)
    (plugin / "raising_metrics.py").write_text("raise RuntimeError('no GPU here')")
    points = "".join(f"{name} = {value}\n" for name, (value, _) in FAULTS.items())
    install(plugin, "broken-metrics", points)
    install(plugin, "greedy", "bleu = word_f1:WordF1\nTwice = word_f1:WordF1\n")
    install(plugin, "also-greedy", "twice = broken_metrics:Doubled\n")
    registry._from_outside.cache_clear()
    return plugin


HYPOTHESES = ["the cat sat", "a dog", "The end"] * 7
REFERENCES = ["the cat sat down", "a cat", "the end"] * 7


def test_the_example_keeps_the_rules(plugin: Path) -> None:
    check_metric(cocarde.metric("word-f1"))
    check_metric(cocarde.metric("word-f1,lowercase=true"))


def test_the_example_is_a_metric_like_any_other(plugin: Path) -> None:
    metric = cocarde.metric("word-f1,lowercase=true")
    assert str(metric) == "word-f1,lowercase=true"
    score = metric.corpus_score(HYPOTHESES, REFERENCES)
    assert score.score == pytest.approx(200 * 6 / (7 + 8))
    assert score.signature.startswith("nrefs:1|case:lc|cocarde:")
    both = cocarde.evaluate(HYPOTHESES, REFERENCES, ["bleu", "word-f1"])
    assert both["word-f1"].score == pytest.approx(200 * 5 / (7 + 8))
    systems = {"one": HYPOTHESES, "two": REFERENCES}
    found = cocarde.compare(systems, REFERENCES, ["word-f1"])
    assert found["two", "word-f1"].verdict == "better"


@pytest.mark.parametrize("name", FAULTS)
def test_a_metric_that_does_not_work(broken: Path, name: str) -> None:
    value, fault = FAULTS[name]
    where = rf"the package broken-metrics \(entry point {name} = '{value}'\)"
    with pytest.raises(cocarde.OptionError, match=f"the metric '{name}' of {where} {fault}"):
        cocarde.metric(name)
    assert name in registry.names() and name not in registry.classes()


def test_names_that_are_taken(broken: Path) -> None:
    assert type(cocarde.metric("bleu")) is cocarde.BLEU
    assert registry.names().count("bleu") == 1
    message = r"several packages name .*greedy .*'word_f1:WordF1'.* and .*greedy .*; uninstall all but one"
    with pytest.raises(cocarde.OptionError, match=message):
        cocarde.metric("twice")


def test_what_works_goes_on_beside_what_does_not(broken: Path) -> None:
    found = cocarde.evaluate(HYPOTHESES, REFERENCES, ["chrf", "word-f1"])
    assert found["word-f1"].score == pytest.approx(200 * 5 / (7 + 8))
    with pytest.raises(cocarde.OptionError, match="did you mean 'word-f1'"):
        cocarde.metric("wordf1")
    assert len(registry.broken()) == len(FAULTS) + 2


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    package = Path(cocarde.__file__).resolve().parents[1]
    paths = [str(folder), str(PLUGIN / "src"), str(package)]
    return subprocess.run(
        [sys.executable, "-m", "cocarde", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_command_line_beside_broken_packages(broken: Path) -> None:
    for name, texts in (("h", HYPOTHESES), ("r", REFERENCES)):
        (broken / name).write_text("".join(f"{text}\n" for text in texts))
    done = run(broken, "score", "h", "-r", "r", "-m", "bleu", "-m", "word-f1")
    assert (done.returncode, "entry point" in done.stderr) == (0, False), done.stderr
    done = run(broken, "score", "h", "-r", "r", "-m", "raising")
    assert done.returncode == 2
    assert "of the package broken-metrics (entry point raising = " in done.stderr
    assert "Traceback" not in done.stderr
    done = run(broken, "metrics", "-f", "json")
    assert done.returncode == 0
    listed = [one["metric"] for one in json.loads(done.stdout)]
    assert {"bleu", "word-f1"} <= {*listed} and not {*FAULTS} & {*listed}
    told = " ".join(done.stderr.split())
    assert told.count("warning: ") == len(FAULTS) + 2
    for value, _ in FAULTS.values():
        assert value in told
    assert "(entry point bleu = 'word_f1:WordF1') gives a metric the name 'bleu'" in told


@dataclasses.dataclass(frozen=True, kw_only=True)
class Lengths(cocarde.ColumnMetric[Any], cocarde.SimpleScores):
    """Tokens of the hypotheses in per cent of those of the references."""

    name: ClassVar[str] = "lengths"
    fields: ClassVar[tuple[str, ...]] = ("hypothesis", "reference")
    order: int = option(whole(1, 9), 2, "Nothing.", key="order")

    @property
    def column_options(self) -> Any:
        return cocarde.BLEU().column_options

    def fill(self, hypotheses: Any, references: Any, offsets: Any, out: Any) -> None:
        for index in range(len(hypotheses)):
            out[index, 0] = len(hypotheses.tokens(index))
            out[index, 1] = len(references.tokens(int(offsets[index])))

    def formula(self, totals: Any, *, level: str) -> Any:
        return 100 * totals[..., 0] / np.maximum(totals[..., 1], 1)


def test_rows_from_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._HOMES, "lengths", f"{__name__}:Lengths")
    monkeypatch.setitem(sys.modules, __name__, sys.modules.get(__name__) or _this_module())
    check_metric(Lengths(order=3))
    for values in (1 << 22, 1):  # all pairs at once, and one hypothesis after the other
        monkeypatch.setattr("cocarde.core.metric._PAIRWISE_VALUES", values)
        found = Lengths().pairwise(["a b.", "a"], ["a", "a b c d"])
        assert found.tolist() == [[300, 75], [100, 25]]


@dataclasses.dataclass(frozen=True, kw_only=True)
class WordShares(
    cocarde.TextMetric[cocarde.ScoresByPart[Score]],
    cocarde.SeveralScores[cocarde.ScoresByPart[Score]],
):
    """Shares of words that the other text has too, of both texts: two scores, and none of both."""

    name: ClassVar[str] = "shares"
    fields: ClassVar[tuple[str, ...]] = ("shared", "words", "wanted")
    sides: tuple[str, ...] = option(
        Kind(lambda _, value: tuple(value), ",".join, split_names, described="names", several=True),
        ("ours", "theirs"),
        "Which.",
        key="sides",
        always=True,
    )

    @property
    def part_names(self) -> tuple[str, ...]:
        return self.sides

    def rows(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> Any:
        pairs = [
            (set(a.split()), set(b[0].split())) for a, b in zip(hypotheses, references, strict=True)
        ]
        return [(len(a & b), len(a), len(b)) for a, b in pairs]

    def part_scores(self, statistics: Any, *, level: str = "corpus") -> Any:
        places = {"ours": 1, "theirs": 2}
        values = statistics.values
        return {
            name: 100 * values[..., 0] / np.maximum(values[..., places[name]], 1)
            for name in self.sides
        }


@pytest.mark.parametrize(
    ("rows", "shape"),
    [
        ([[1, 2, 2]], r"\(1, 3\)"),
        ([1, 2, 2], r"\(3,\)"),
        ([[1], [1], [1]], r"\(3, 1\)"),
        ([[1, 2, 2]] * 2, r"\(2, 3\)"),
        ([[[1, 2, 2]] * 3], r"\(1, 3, 3\)"),
        (1, r"\(\)"),
        ([], r"\(0,\)"),
    ],
)
def test_there_is_one_row_of_every_field_a_segment(rows: Any, shape: str) -> None:
    @dataclasses.dataclass(frozen=True, kw_only=True)
    class Fixed(WordShares):
        def rows(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> Any:
            return rows

    fixed = Fixed()
    for count in (1, 4):
        texts = ["a b"] * count
        if np.shape(rows) == (count, 3):
            assert len(fixed.statistics(texts, texts)) == count
            continue
        message = rf"shares.rows returned .* {shape} for {count} segments and 3 fields"
        with pytest.raises(cocarde.InputError, match=message):
            fixed.statistics(texts, texts)
        with pytest.raises(cocarde.InputError, match=message):
            fixed.pairwise(texts, ["a"])


def test_a_formula_gives_one_score_for_each_row() -> None:
    class Carefree(Lengths):
        """Forgets that there may be many rows."""

        def formula(self, totals: Any, *, level: str) -> Any:
            return totals.reshape(-1)[0]

    texts = ["a b", "c", "d"]
    assert Carefree().corpus_score(texts, texts).score == 4
    for ask in (Carefree().segment_scores, Carefree().pairwise):
        message = r"lengths.formula returned an array of shape \(\) for rows of shape \(3,"
        with pytest.raises(cocarde.InputError, match=message):
            ask(texts, texts)


@pytest.fixture
def shares(monkeypatch: pytest.MonkeyPatch) -> WordShares:
    """A metric of two parts, under its name."""
    monkeypatch.setitem(registry._HOMES, "shares", f"{__name__}:WordShares")
    monkeypatch.setitem(sys.modules, __name__, sys.modules.get(__name__) or _this_module())
    return WordShares()


def test_a_metric_of_several_parts_keeps_the_rules(shares: WordShares) -> None:
    check_metric(shares)
    check_metric(WordShares(sides=("theirs",)))


def test_no_number_is_made_of_several_parts(shares: WordShares) -> None:
    texts = ["a b", "a"], ["a c d", "a"]
    score = shares.corpus_score(*texts)
    assert {name: part.score for name, part in score.items()} == {
        "ours": pytest.approx(200 / 3),
        "theirs": 50,
    }
    assert str(score) == "shares: ours 66.67 theirs 50.00"
    for ask in (
        float, round, "{:.2f}".format, lambda x: x < 50, lambda x: x >= 50, lambda x: x.score,
        lambda x: x.fraction, lambda x: max([x, x]),
    ):  # fmt: skip
        with pytest.raises(
            cocarde.SeveralScoresError, match=r"ours, theirs; take .*score\['ours'\]"
        ):
            ask(score)
    with pytest.raises(KeyError, match="no score 'both'; there are ours, theirs"):
        score["both"]
    assert pickle.loads(pickle.dumps(score)) == score == copy.deepcopy(score)
    assert "theirs" in score._repr_html_() and "mean" not in score._repr_html_()
    one = WordShares(sides=("theirs",)).corpus_score(*texts)
    assert float(one) == one.score == one["theirs"].score == round(one) == 50 and one >= 50
    assert one.fraction == 0.5 and f"{one:.1f}" == "50.0"


def test_several_parts_are_rows_and_tests_of_their_own(
    shares: WordShares, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pairs = shares.pairwise(["a b", "a"], ["a", "c", "a b"])
    assert {name: part.tolist() for name, part in pairs.items()} == {
        "ours": [[50, 0, 100], [100, 0, 100]],
        "theirs": [[100, 0, 100], [100, 0, 50]],
    }
    systems = {"one": ["a b", "a", "x"] * 7, "two": ["a c", "a q", "c d"] * 7}
    references = ["a c", "a", "c d"] * 7
    compared = cocarde.compare(systems, references, ["shares"], samples=20)
    assert {metric for _, metric in compared} == {"ours", "theirs"}
    for name, texts in (*systems.items(), ("ref", references)):
        (tmp_path / name).write_text("\n".join(texts) + "\n", encoding="utf-8")
    files = [
        str(tmp_path / "one"),
        str(tmp_path / "two"),
        "-r",
        str(tmp_path / "ref"),
        "-m",
        "shares",
    ]
    assert main(["score", *files, "-f", "json", "--sort", "theirs", "--min", "ours=1"]) == 0
    printed = json.loads(capsys.readouterr().out)
    expected = shares.corpus_score(systems["two"], references)
    assert [(one["metric"], one["score"]) for one in printed[:2]] == [
        (name, part.score) for name, part in expected.items()
    ]
    assert [Path(one["system"]).name for one in printed] == ["two", "two", "one", "one"]
    for flags, value in (("--min", "shares=1"), ("--sort", "shares")):
        assert main(["score", *files, flags, value]) == 2
        assert f"{flags} ours" in capsys.readouterr().err


def _this_module() -> Any:
    import types

    module = types.ModuleType(__name__)
    module.__dict__.update(globals())
    return module


class _Broken(Lengths):
    """Depends on the order of segments."""

    def fill(self, hypotheses: Any, references: Any, offsets: Any, out: Any) -> None:
        out[:] = np.arange(len(hypotheses))[:, None]


class _Careless(Lengths):
    """Scores nothing at all as something."""

    def _check_count(self, segments: Any) -> None:
        return None


@pytest.mark.parametrize(
    ("kind", "message"),
    [(_Broken, "depends on the order of segments"), (_Careless, "no segment at all")],
)
def test_the_kit_finds_what_is_broken(
    kind: Any, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(registry._HOMES, "lengths", f"{__name__}:Lengths")
    if kind is _Careless:
        monkeypatch.setattr("cocarde.testing._check_value", lambda *_: None)
    with pytest.raises(AssertionError, match=message):
        check_metric(kind())


def test_a_key_of_a_run_is_no_key_of_an_option() -> None:
    @dataclasses.dataclass(frozen=True, kw_only=True)
    class Taken(Lengths):
        seed: float = option(number(0), 1, "Nothing.", key="seed")

    with pytest.raises(TypeError, match="the key 'seed' is taken"):
        _ = Taken().signature


def test_two_options_share_no_key() -> None:
    @dataclasses.dataclass(frozen=True, kw_only=True)
    class Doubled(Lengths):
        other: bool = option(flag(), False, "Nothing.", key="order")

    with pytest.raises(TypeError, match="the key 'order' is taken"):
        _ = Doubled().signature


def test_the_command_line_has_it_too(plugin: Path) -> None:
    for name, texts in (("h", HYPOTHESES), ("r", REFERENCES)):
        (plugin / name).write_text("".join(f"{text}\n" for text in texts))
    done = run(plugin, "score", "h", "-r", "r", "-m", "word-f1", "-f", "json")
    (record,) = json.loads(done.stdout)
    assert record["metric"] == "word-f1"
    assert record["score"] == pytest.approx(200 * 5 / 15)


def names_of(kind: Any) -> Sequence[str]:
    return list(options_of(kind))


def test_options_are_those_of_the_class() -> None:
    assert names_of(Lengths) == ["order"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Windows(Lengths):
    """With an option that follows from another."""

    width: int | None = option(
        whole(0), None, "Nothing.", key="width", derive=lambda metric: 2 * metric.order
    )


def keys_in(metric: cocarde.Metric[Any]) -> list[str]:
    return [key for key, _ in metric.option_pairs()]


def test_signatures_print_what_does_not_follow_from_other_options() -> None:
    assert keys_in(Windows()) == keys_in(Windows(width=4)) == []
    assert keys_in(Windows(order=5)) == keys_in(Windows(order=5, width=10)) == ["order"]
    assert keys_in(Windows(order=5, width=4)) == ["order", "width"]
    for metric in (Windows(order=5), Windows(order=5, width=4), Windows(width=10**25)):
        assert Windows.from_signature(metric.signature) == metric


def test_options_beside_a_signature_are_those_that_it_names() -> None:
    signature = Windows(order=5).signature
    assert Windows.from_signature(signature, order=5) == Windows(order=5)
    # The default is not printed.
    for order, found in ((2, "nothing"), (3, "3")):
        message = f"order is not that of the signature, which has order:5; found {found}"
        with pytest.raises(cocarde.OptionError, match=message):
            Windows.from_signature(signature, order=order)


def test_flags_of_a_specification_are_read_in_any_case() -> None:
    for text in ("true", "TRUE", "Yes"):
        assert cocarde.metric(f"bleu,lowercase={text}") == cocarde.BLEU(lowercase=True)
    assert cocarde.metric("bleu,lowercase=NO") == cocarde.BLEU()
