"""What Moses' and NIST's Perl scripts print, beside the presets named after them.

The numbers are in ``tests/golden``; its README says how they were made. No Perl is run here.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from cocarde import BLEU
from tests.comparison import (
    assert_same_score,
    assert_same_segments,
    assert_same_statistics,
    interleave,
)
from tests.data_access import (
    GOLDEN,
    Corpus,
    MultEval,
    load_summaries,
    one_reference_each,
    read_lines,
    require_real_data,
)

pytestmark = pytest.mark.filterwarnings("ignore::cocarde.errors.CocardeWarning")

FIELDS = ["hypothesis_length", "reference_length"]
FIELDS += [f"{kind}_{order}" for order in range(1, 5) for kind in ("matches", "total")]


def table(path: Path) -> list[dict[str, str]]:
    """Rows of a tab-separated file with a header."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def rows_of(stored: npt.NDArray[np.int16]) -> npt.NDArray[np.float64]:
    """Rows in cocarde's order of fields; the totals follow from the length."""
    lengths, reference_lengths, matches = stored[0], stored[1], stored[2:].T
    totals = np.maximum(lengths[:, None].astype(int) - np.arange(4), 0)
    return interleave(lengths, reference_lengths, matches, totals)


@pytest.fixture(scope="session")
def multi_bleu_rows() -> Mapping[str, Any]:
    with np.load(GOLDEN / "multi_bleu.npz") as arrays:
        return dict(arrays)


@pytest.fixture(scope="session")
def mteval_arrays() -> Mapping[str, Any]:
    with np.load(GOLDEN / "mteval.npz") as arrays:
        return dict(arrays)


def without_each_fourth_word(text: str) -> str:
    """The second reference of the SGML data."""
    return " ".join(word for place, word in enumerate(text.split(" ")) if place % 4 != 3)


def ugly() -> Corpus:
    """The committed ugly text."""
    return one_reference_each(
        read_lines(GOLDEN / "ugly.hyp.txt"), read_lines(GOLDEN / "ugly.ref.txt")
    )


def corpus_named(request: pytest.FixtureRequest, name: str) -> Corpus:
    """The data of one run, by the name in the tables."""
    data, _, system = name.partition(":")
    if not data.startswith("ugly"):
        require_real_data()  # what the scripts gave is known of no other
    if data == "summaries":
        return load_summaries(system)
    if data.startswith("multeval"):
        multeval: MultEval = request.getfixturevalue("multeval")
        return multeval.corpus(system, *(["sys1.opt0"] if "2refs" in data else []))
    corpus = ugly() if data.startswith("ugly") else request.getfixturevalue("sgml")
    if not data.endswith("-2refs"):
        return corpus
    first = [group[0] for group in corpus.references]
    if data == "ugly-2refs":
        second = [*first[1:], first[0]]
    else:
        second = [without_each_fourth_word(text) for text in corpus.hypotheses]
    references: list[list[str | None]] = [list(pair) for pair in zip(first, second, strict=True)]
    return Corpus(corpus.hypotheses, references, corpus.documents)


@pytest.mark.parametrize(
    "row",
    table(GOLDEN / "multi_bleu.tsv"),
    ids=lambda row: f"{row['script']}-{row['option']}-{row['data']}",
)
def test_multi_bleu(
    request: pytest.FixtureRequest, multi_bleu_rows: Mapping[str, Any], row: dict[str, str]
) -> None:
    corpus = corpus_named(request, row["data"])
    preset = row["script"].removesuffix(".perl")
    bleu = BLEU.preset(preset, lowercase=row["option"] == "-lc")
    statistics = bleu.statistics(corpus.hypotheses, corpus.references)
    stored = multi_bleu_rows.get(f"{row['script']}.{row['option']}.{row['data']}")
    if stored is not None:
        assert_same_statistics(
            statistics.values, rows_of(stored), FIELDS, corpus.hypotheses, corpus.references
        )
    score = bleu.compute(statistics.sum())
    assert_same_score(score.score, float(row["score"]))
    printed = (
        f"BLEU = {score.score:.2f}, "
        + "/".join(f"{precision:.1f}" for precision in score.precisions)
        + f" (BP={score.brevity_penalty:.3f}, "
        f"ratio={score.hypothesis_length / score.reference_length:.3f}, "
        f"hyp_len={score.hypothesis_length:.0f}, ref_len={score.reference_length:.0f})"
    )
    assert printed == row["printed"]


@pytest.mark.parametrize(
    "row",
    table(GOLDEN / "mteval_systems.tsv"),
    ids=lambda row: f"{row['script']}-{row['condition']}",
)
def test_mteval(
    request: pytest.FixtureRequest, mteval_arrays: Mapping[str, Any], row: dict[str, str]
) -> None:
    condition = row["condition"]
    data, references, case, tokens, variant = condition.split(".")
    corpus = corpus_named(request, data + ("-2refs" if references == "refs2" else ""))
    preset = row["script"].removesuffix(".pl") + ("-intl" if tokens == "intl" else "")
    options: dict[str, Any] = {"lowercase": case == "lower"}
    if variant == "nosmoothing":
        options["smooth_method"] = "none"
    elif variant == "shortest":
        options["reference_length"] = "shortest"
    bleu = BLEU.preset(preset, **options)

    statistics = bleu.statistics(corpus.hypotheses, corpus.references)
    stored = mteval_arrays.get(condition.replace("nosmoothing", "closest") + ".statistics")
    assert stored is not None
    assert_same_statistics(
        statistics.values, rows_of(stored), FIELDS, corpus.hypotheses, corpus.references
    )
    assert_same_score(bleu.compute(statistics.sum()).fraction, float(row["score"]), "system score")

    segments = mteval_arrays.get(condition + ".segments")
    if segments is not None:
        assert_same_segments(
            bleu.segment_scores(corpus.hypotheses, corpus.references) / 100,
            segments,
            corpus.hypotheses,
            corpus.references,
        )
    labels = corpus.documents or ["ugly"] * len(corpus.hypotheses)
    names, sums = statistics.group_sum(labels)
    documents = bleu.compute(sums)
    assert_same_segments(
        documents / 100,
        mteval_arrays[condition + ".documents"],
        names,
        [[]] * len(names),
        what="document score",
    )


def test_mteval_lowercases_by_default(data_folder: Path, sgml: Corpus) -> None:
    """The scripts do unless told ``-c``; so do the presets."""
    golden = {
        (row["script"], row["condition"]): row["score"]
        for row in table(GOLDEN / "mteval_systems.tsv")
    }
    for version in ("13a", "14"):
        bleu = BLEU.preset(f"mteval-v{version}")
        ours = bleu.corpus_score(sgml.hypotheses, sgml.references).fraction
        condition = "sgml.refs1.lower.13a.closest"
        assert_same_score(ours, float(golden[f"mteval-v{version}.pl", condition]))
