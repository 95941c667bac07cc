"""The benchmark's arithmetic, and a run of it that takes seconds."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("benchmarks", reason="the benchmarks come with the repository alone")
from benchmarks import __main__ as program
from benchmarks.case import Case, Command, Side, Skipped
from benchmarks.data import Data
from benchmarks.report import Circumstances, duration, to_markdown
from benchmarks.runner import Memory, Row, measure, measure_memory, peak_of_run, select


def side(name: str, result: float, log: list[str], units: float = 1.0) -> Side:
    def run(given: str) -> float:
        log.append(f"run {given}")
        return result

    def prepare() -> str:
        log.append(f"prepare {name}")
        return name

    return Side(name, run, prepare, units)


def case(ours: float, peer: float, log: list[str]) -> Case:
    sides = side("ours", ours, log), side("peer", peer, log)
    return Case("group", "work", "segment", *sides, lambda x, y: abs(x - y), goal=2)


def row(**changes: Any) -> Row:
    given: dict[str, Any] = {
        "ours": [2.0, 1.0],
        "peer": [9.0, 6.0],
        "our_units": 2.0,
        "peer_units": 3.0,
        "difference": 0.0,
    }
    return Row("group", "work", **{**given, **changes})


def test_sides_work_by_turns_after_a_warm_up_on_input_made_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("benchmarks.runner._TURN_SECONDS", 1e-9)
    log: list[str] = []
    measured = measure(case(1.0, 1.0, log), 2)
    assert log == ["prepare ours", "run ours", "prepare peer", "run peer"] * 3
    assert (len(measured.ours), len(measured.peer)) == (2, 2)
    assert all(seconds > 0 for seconds in measured.ours + measured.peer)


def test_results_that_differ_make_the_row_void_and_are_not_timed() -> None:
    measured = measure(case(1.0, 1.0 + 1e-8, []), 2)
    assert measured.void
    assert measured.ours == []
    assert measured.ratio() is None
    assert measured.met is None


def test_a_difference_that_is_not_a_number_is_void() -> None:
    assert measure(case(float("nan"), 1.0, []), 1).void


def test_ratio_is_of_times_by_unit() -> None:
    assert row().ratio() == pytest.approx((6 / 3) / (1 / 2))
    assert row().ratio(max) == pytest.approx((9 / 3) / (2 / 2))


@pytest.mark.parametrize(
    ("changes", "met"),
    [
        ({}, None),
        ({"goal": 4.0}, True),
        ({"goal": 4.1}, False),
        ({"limit": 1.0}, True),
        ({"goal": 4.0, "limit": 0.9}, False),
        ({"megabytes": 500.0, "our_memory": Memory(10.0, 501.0)}, False),
        ({"megabytes": 500.0, "our_memory": Memory(10.0, 499.0)}, True),
        ({"goal": 1.0, "difference": 1e-3}, None),
        ({"goal": 1.0, "skipped": "no such program"}, None),
    ],
)
def test_goals(changes: dict[str, Any], met: bool | None) -> None:
    assert row(**changes).met is met


def test_select_is_by_regular_expression_and_any_case() -> None:
    works = [Skipped("Corpus BLEU", "zh", ""), Skipped("Files", "big", "")]
    assert list(select(works, "BIG|none")) == works[1:]
    assert list(select(works, None)) == works


@pytest.mark.parametrize(
    ("seconds", "text"), [(12.34, "12.3 s"), (0.00512, "5.12 ms"), (2.5e-7, "0.25 µs")]
)
def test_duration(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_generated_text_is_the_same_each_time() -> None:
    first, second = (Data(quick=True, generated=True) for _ in range(2))
    assert first.english == second.english
    assert first.chinese == second.chinese
    assert len(set(first.english.hypotheses)) == len(first.english) == 250


def test_fresh_texts_are_equal_but_other_strings() -> None:
    texts = Data(quick=True, generated=True).english
    fresh = texts.fresh()
    assert fresh == texts
    assert not any(x is y for x, y in zip(fresh.hypotheses, texts.hypotheses, strict=True))


def test_peak_of_a_run_sees_what_it_holds() -> None:
    memory = peak_of_run(Side("", lambda _: bytes(b"x" * 300_000_000), lambda: None, 1))
    assert memory.peak >= memory.before
    assert memory.peak > 300


def test_memory_of_a_command_is_its_own() -> None:
    python = sys.executable
    big = Command((python, "-c", "held = b'x' * 200_000_000"))
    small = Command((python, "-S", "-c", "pass"))
    first, second = (Side("", lambda _: None, lambda: None, 1, x) for x in (big, small))
    ours, peer = measure_memory(Case("", "", "", first, second, lambda _x, _y: 0.0), [])
    assert peer is not None
    assert 200 < ours.peak < 300
    assert peer.peak < 100


def test_a_failing_command_is_an_error_with_its_message() -> None:
    python = sys.executable
    with pytest.raises(RuntimeError, match="no such thing"):
        Command((python, "-c", "raise SystemExit('no such thing')")).run()


def test_quick_run_on_generated_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for peer in ("sacrebleu", "bleuscore", "nltk"):
        pytest.importorskip(peer)
    monkeypatch.setenv("RAYON_NUM_THREADS", "1")
    monkeypatch.setattr(program, "PAGE", tmp_path / "committed.md")
    page, run = tmp_path / "page.md", tmp_path / "run.json"
    pattern = "prepared|compute_bleu|in one call|tokens: |zh, Chinese|64 × 64|segment scores"
    arguments = ["--quick", "--generated", "--repetitions", "1", "--only", pattern]
    assert program.main([*arguments, "--output", str(page), "--json", str(run)]) == 0

    read = json.loads(run.read_text(encoding="utf-8"))
    assert len(read["rows"]) >= 8
    for entry in read["rows"]:
        assert not entry["skipped"], entry
        assert entry["difference"] <= 1e-9
        assert entry["ratio"] > 0
        assert all(len(entry[side]) >= 1 for side in ("ours", "peer"))
    text = page.read_text(encoding="utf-8")
    assert all(f"| {entry['work']} |" in text for entry in read["rows"])
    assert "generated" in read["circumstances"]["texts"][0]
    assert "This was a quick run" in text
    assert "sacreBLEU 2.6.0" in text
    assert "ratio" in capsys.readouterr().out
    assert not (tmp_path / "committed.md").exists()


def test_significance_and_minimum_bayes_risk_on_generated_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every line of that group is right: none is void."""
    for peer in ("sacrebleu", "bleuscore", "nltk", "fastchrf"):
        pytest.importorskip(peer)
    monkeypatch.setenv("RAYON_NUM_THREADS", "1")
    run = tmp_path / "run.json"
    arguments = ["--quick", "--generated", "--repetitions", "1", "--only", "^significance and"]
    assert program.main([*arguments, "--json", str(run)]) == 0
    rows = json.loads(run.read_text(encoding="utf-8"))["rows"]
    assert len(rows) == 4
    for row in rows:
        assert not row["skipped"], row
        assert row["difference"] <= 1e-9 and row["ours"], row


def test_a_void_row_is_said_and_fails_the_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(program, "works", lambda _: iter([case(1.0, 2.0, [])]))
    assert program.main(["--quick", "--generated"]) == 1
    assert "VOID: the results differ by 1" in " ".join(capsys.readouterr().out.split())


def test_no_match_is_an_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(program, "works", lambda _: iter([case(1.0, 1.0, [])]))
    assert program.main(["--quick", "--generated", "--only", "nothing"]) == 2
    assert "--list" in capsys.readouterr().err


def test_the_page_escapes_cells_and_names_what_was_not_measured(tmp_path: Path) -> None:
    data = Data(quick=True, generated=True)
    circumstances = Circumstances.now(data, 1, ["numpy", "no-such-package"])
    rows = [row(note="a note"), Row("group", "a|b", skipped="no wc here")]
    text = to_markdown(rows, circumstances)
    assert "| a\\|b | not measured: no wc here |" in text
    assert "work: a note." in text
    assert "no-such-package not installed" in text
