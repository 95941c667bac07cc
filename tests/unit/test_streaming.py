"""Files in constant memory give what they give in memory."""

from __future__ import annotations

import gzip
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from cocarde import BLEU, CocardeWarning, InputError
from cocarde.corpus import read_lines
from cocarde.engines.streaming import accumulate_files

WORDS = ["the", "cat", "sat", "on", "mat", "猫", "ÉTÉ", "internationalisation", ",", "1,000.5"]


def write(path: Path, seed: int, lines: int) -> Path:
    random = np.random.default_rng(seed)
    picked = random.integers(len(WORDS), size=(lines, 12))
    text = "".join(" ".join(WORDS[k] for k in row) + "\n" for row in picked)
    path.write_text(text, encoding="utf-8", newline="")
    return path


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    return [write(tmp_path / f"{seed}.txt", seed, 500) for seed in range(3)]


@pytest.mark.parametrize("batch_bytes", [1, 100, 5000, 1 << 20])
@pytest.mark.parametrize(
    "metric",
    [
        BLEU(),
        BLEU(lowercase=True),
        BLEU.preset("mteval-v13a"),
        BLEU.preset("multi-bleu-detok", lowercase=True),
        BLEU(tokenize=str.split),
    ],
    ids=lambda metric: metric.signature,
)
def test_streams_equal_lists(files: list[Path], metric: BLEU, batch_bytes: int) -> None:
    hypotheses, *references = files
    texts = [read_lines(path) for path in files]
    expected = metric.corpus_score(texts[0], [list(row) for row in zip(*texts[1:], strict=True)])
    seen: list[int] = []
    found = accumulate_files(
        {"m": metric}, hypotheses, references, batch_bytes=batch_bytes, progress=seen.append
    )["m"]
    assert found.compute() == expected
    assert found.count == sum(seen) == 500
    # A batch is of about so many bytes of a file, but of one line at least.
    sizes = [path.stat().st_size for path in files]
    assert min(500, min(sizes) // batch_bytes) <= len(seen)
    assert (len(seen) == 1) == (batch_bytes > max(sizes))


def test_several_metrics_read_the_files_once(files: list[Path]) -> None:
    metrics = {"one": BLEU(), "two": BLEU.preset("nltk", smooth_method="method5")}
    result = accumulate_files(metrics, files[0], files[1:2], batch_bytes=1000)
    texts = [read_lines(path) for path in files[:2]]
    for name, metric in metrics.items():
        assert result[name].compute() == metric.corpus_score(*texts)


def test_warnings_count_the_whole_corpus(tmp_path: Path) -> None:
    (tmp_path / "h").write_text("a b .\n" * 250)
    (tmp_path / "r").write_text("a b .\n\n" * 125)
    with pytest.warns(CocardeWarning) as caught:
        accumulate_files({"bleu": BLEU()}, tmp_path / "h", [tmp_path / "r"], batch_bytes=64)
    assert [str(item.message).split(":")[0] for item in caught] == [
        "250 hypotheses end in a tokenized period (' .')",
        "the reference of 125 of 250 segments is empty",
    ]
    assert {item.filename for item in caught} == {__file__}


def test_archives_and_unequal_files(files: list[Path], tmp_path: Path) -> None:
    packed = tmp_path / "packed.gz"
    packed.write_bytes(gzip.compress(files[0].read_bytes()))
    plain = accumulate_files({"b": BLEU()}, files[0], files[1:])["b"].compute()
    assert accumulate_files({"b": BLEU()}, packed, files[1:])["b"].compute() == plain
    short = write(tmp_path / "short", 0, 499)
    with pytest.raises(InputError, match=r"has 500, .*short has 499"):
        accumulate_files({"b": BLEU()}, files[0], [short], batch_bytes=100)
    (tmp_path / "empty").touch()
    with pytest.raises(InputError, match="there are no segments to score"):
        accumulate_files({"b": BLEU()}, tmp_path / "empty", [tmp_path / "empty"])


@pytest.mark.slow
def test_memory_does_not_grow_with_the_files(tmp_path: Path) -> None:
    peaks = []
    for lines in (20_000, 200_000):
        hypotheses, reference = (write(tmp_path / f"{lines}-{n}", n, lines) for n in (1, 2))
        tracemalloc.start()
        accumulate_files({"b": BLEU()}, hypotheses, [reference], batch_bytes=1 << 18)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.5 * peaks[0]


def test_auto_is_settled_by_the_first_batch(tmp_path: Path) -> None:
    from cocarde import ROUGE

    lines = ["猫坐在垫子上。", "the cat sat"]
    for name in ("h", "r"):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    auto = {"rouge": ROUGE(tokenize="auto")}
    found = accumulate_files(auto, tmp_path / "h", [tmp_path / "r"], batch_bytes=1)[
        "rouge"
    ].compute()
    assert found == ROUGE(tokenize="zh-unicode").corpus_score(lines, lines)
