"""Metrics of other packages: found by entry points, checked by the kit, used everywhere."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import cocarde
from cocarde.core import registry
from cocarde.core.options import flag, number, option, options_of, whole
from cocarde.testing import check_metric

PLUGIN = Path(__file__).resolve().parents[2] / "examples" / "plugin"
CASES = [
    pytest.param(kind, preset, id=f"{name}-{preset}")
    for name, kind in registry.classes().items()
    for preset in kind.presets()
]


@pytest.mark.parametrize(("kind", "preset"), CASES)
def test_every_preset_of_every_metric_keeps_the_rules(kind: Any, preset: str) -> None:
    check_metric(kind.preset(preset))


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The example package, installed as far as its metadata go."""
    pytest.importorskip("cocarde")
    if not PLUGIN.is_dir():
        pytest.skip("platform: the examples are not beside the tests")
    found = tmp_path / "word_f1-1.0.dist-info"
    found.mkdir()
    (found / "METADATA").write_text("Metadata-Version: 2.1\nName: word-f1\nVersion: 1.0\n")
    (found / "entry_points.txt").write_text(
        "[cocarde.metrics]\nword-f1 = word_f1:WordF1\nbleu = word_f1:WordF1\n"
        "broken = no_such_module:X\nnothing = json:dumps\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.syspath_prepend(str(PLUGIN / "src"))
    registry._from_outside.cache_clear()
    yield tmp_path
    registry._from_outside.cache_clear()


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


def test_nobody_replaces_a_metric_of_ours(plugin: Path) -> None:
    assert type(cocarde.metric("bleu")) is cocarde.BLEU
    assert registry.names()[-3:] == ["broken", "nothing", "word-f1"]
    assert registry.names().count("bleu") == 1


@pytest.mark.parametrize(
    ("name", "message"),
    [("broken", "cannot be imported: ModuleNotFoundError"), ("nothing", "is not a cocarde.Metric")],
)
def test_a_package_that_does_not_work(plugin: Path, name: str, message: str) -> None:
    with pytest.raises(cocarde.OptionError, match=message):
        cocarde.metric(name)


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
    found = Lengths().pairwise(["a b.", "a"], ["a", "a b c d"])
    assert found.tolist() == [[300, 75], [100, 25]]


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


def test_the_command_line_has_it_too(plugin: Path, tmp_path: Path) -> None:
    for name, texts in (("h", HYPOTHESES), ("r", REFERENCES)):
        (tmp_path / name).write_text("".join(f"{text}\n" for text in texts))
    package = Path(cocarde.__file__).resolve().parents[1]
    paths = [str(plugin), str(PLUGIN / "src"), str(package)]
    done = subprocess.run(
        [sys.executable, "-m", "cocarde", "score", "h", "-r", "r", "-m", "word-f1", "-f", "json"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=True,
    )
    (record,) = json.loads(done.stdout)
    assert record["metric"] == "word-f1"
    assert record["score"] == pytest.approx(200 * 5 / 15)


def names_of(kind: Any) -> Sequence[str]:
    return list(options_of(kind))


def test_options_are_those_of_the_class() -> None:
    assert names_of(Lengths) == ["order"]


def test_flags_of_a_specification_are_read_in_any_case() -> None:
    for text in ("true", "TRUE", "Yes"):
        assert cocarde.metric(f"bleu,lowercase={text}") == cocarde.BLEU(lowercase=True)
    assert cocarde.metric("bleu,lowercase=NO") == cocarde.BLEU()
