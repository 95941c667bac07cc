"""pltrdy's rouge, rouge-chinese and COCO's ROUGE-L beside their presets, segment by segment."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cocarde import ROUGE
from tests.comparison import assert_same_score, describe
from tests.data_access import Corpus, MultEval, read_lines, require_data_folder

pytestmark = pytest.mark.filterwarnings("ignore::cocarde.errors.CocardeWarning")

NAMES = {"rouge1": "rouge-1", "rouge2": "rouge-2", "rouge3": "rouge-3", "rougeL": "rouge-l"}


def corpus_named(request: pytest.FixtureRequest, name: str) -> Corpus:
    if name == "multeval":
        multeval: MultEval = request.getfixturevalue("multeval")
        return multeval.corpus("sys1.opt0").head(300)
    fixture = {"scripts": "scripts_corpus", "ugly": "ugly_corpus"}.get(name, name)
    corpus: Corpus = request.getfixturevalue(fixture).head(300)
    return corpus


def documents(corpus: Corpus) -> tuple[list[str], list[str]]:
    """Pairs of texts, then pairs of three texts in one."""
    hypotheses, references = corpus.hypotheses, [g[0] for g in corpus.present_references()]
    joined = [
        [". ".join(texts[i : i + 3]) for i in range(0, len(texts), 3)]
        for texts in (hypotheses, references)
    ]
    return hypotheses + joined[0], references + joined[1]


def assert_same_as_package(package: Any, preset: str, corpus: Corpus, exclusive: bool) -> None:
    types = list(NAMES)
    metric = ROUGE.preset(preset, rouge_types=types, exclusive=exclusive)
    peer = package.Rouge(metrics=list(NAMES.values()), exclusive=exclusive)
    hypotheses, references = documents(corpus)
    rows = metric.statistics(hypotheses, references)
    compared = []
    for index, (hypothesis, reference) in enumerate(zip(hypotheses, references, strict=True)):
        try:
            [theirs] = peer.get_scores(hypothesis, reference)
        except (ValueError, ZeroDivisionError):
            # No sentence at all: the peer refuses the pair, ours is a segment without a match.
            assert not rows.values[index, 1:].any(), describe(
                index, hypotheses, [[r] for r in references]
            )
            continue
        compared.append(index)
        for name in types:
            for measure, short in (("precision", "p"), ("recall", "r"), ("fmeasure", "f")):
                ours = float(rows[f"{name}_{measure}"][index])
                assert ours == theirs[NAMES[name]][short], (
                    f"{name} {measure}: ours {ours!r}, the peer's {theirs[NAMES[name]][short]!r}\n"
                    + describe(index, hypotheses, [[r] for r in references])
                )
    assert len(compared) > len(hypotheses) // 2
    kept_hypotheses = [hypotheses[i] for i in compared]
    kept_references = [references[i] for i in compared]
    theirs = peer.get_scores(kept_hypotheses, kept_references, avg=True)
    score = metric.corpus_score(kept_hypotheses, kept_references)
    for name in types:
        assert_same_score(score[name].fmeasure / 100, theirs[NAMES[name]]["f"], name)
        assert_same_score(score[name].recall / 100, theirs[NAMES[name]]["r"], name)


@pytest.mark.parametrize("exclusive", [True, False])
@pytest.mark.parametrize("name", ["multeval", "summaries", "scripts", "ugly"])
def test_rouge(request: pytest.FixtureRequest, name: str, exclusive: bool) -> None:
    package = pytest.importorskip("rouge", reason="rouge is not installed")
    assert_same_as_package(package, "rouge", corpus_named(request, name), exclusive)


@pytest.mark.parametrize("exclusive", [True, False])
@pytest.mark.parametrize("name", ["multeval", "summaries", "scripts", "ugly"])
def test_rouge_chinese(request: pytest.FixtureRequest, name: str, exclusive: bool) -> None:
    package = pytest.importorskip("rouge_chinese", reason="rouge-chinese is not installed")
    assert_same_as_package(package, "rouge-chinese", corpus_named(request, name), exclusive)


def test_rouge_chinese_on_chinese_words() -> None:
    package = pytest.importorskip("rouge_chinese", reason="rouge-chinese is not installed")
    hypotheses = [
        "“ 你 好 吗 ？” 他 问 。 我 说 ： 很 好 ！ ……  再见 ......  好",
        "今天 天气 很 好 。今天 下雨 ？",
        "我们 。 \n\n 我们 去 公园 。",
    ]
    references = [
        "他 问 ： “ 你 好 ？ ” 我 说 很 好 。 再见 。",
        "今天 的 天气 真 好 。 没 下雨 ！ ”",
        "我们 去 公园 玩 。",
    ]
    corpus = Corpus(hypotheses * 2, [[text] for text in references * 2])
    for exclusive in (True, False):
        assert_same_as_package(package, "rouge-chinese", corpus, exclusive)


def coco_scores(hypotheses: list[str], references: list[list[str]]) -> tuple[float, np.ndarray]:
    module = pytest.importorskip(
        "pycocoevalcap.rouge.rouge", reason="pycocoevalcap is not installed"
    )
    mean, scores = module.Rouge().compute_score(
        dict(enumerate(references)), {i: [text] for i, text in enumerate(hypotheses)}
    )
    return mean, scores


@pytest.mark.parametrize("name", ["multeval", "summaries", "scripts", "ugly"])
def test_coco(request: pytest.FixtureRequest, name: str) -> None:
    corpus = corpus_named(request, name)
    references = corpus.present_references()
    mean, scores = coco_scores(corpus.hypotheses, references)
    metric = ROUGE.preset("coco")
    rows = metric.statistics(corpus.hypotheses, corpus.references)
    assert np.array_equal(rows["rougeL_fmeasure"], scores)
    assert_same_score(metric.compute(rows.sum()).fraction, mean)


def test_coco_on_nlg_eval() -> None:
    folder = require_data_folder() / "nlg-eval"
    streams = [read_lines(folder / f"ref{n}.txt") for n in (1, 2)]
    references = [list(group) for group in zip(*streams, strict=True)]
    hypotheses = read_lines(folder / "hyp.txt")
    mean, _ = coco_scores(hypotheses, references)
    assert_same_score(ROUGE.preset("coco").corpus_score(hypotheses, references).fraction, mean)
