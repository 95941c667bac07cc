"""METEOR 1.5 against its jar: every statistic of every segment, and the scores."""

from __future__ import annotations

import random
import warnings
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from cocarde import METEOR, resources
from cocarde.errors import CocardeWarning
from cocarde.metrics.meteor.languages import LANGUAGES, STAGES
from tests import meteor_peer
from tests.data_access import load_multeval, read_lines, require_data_folder
from tests.texts import corpus_in_many_scripts, ugly_corpus

Texts = list[str]


@pytest.fixture(autouse=True)
def _raw_text_is_meant() -> None:
    warnings.simplefilter("ignore", CocardeWarning)


# --------------------------------------------------------------------------------------------------
# Both sides


def jar_statistics(
    folder: Path, hypotheses: Texts, references: Sequence[Sequence[str]], *arguments: str
) -> np.ndarray:
    """The jar's 23 statistics of each segment: lengths, four counts for each of four stages, chunks."""
    return np.array(
        [
            list(map(float, line.split()))
            for line in _jar(folder, hypotheses, references, "-ssOut", *arguments)
        ]
    )


def jar_scores(
    folder: Path, hypotheses: Texts, references: Sequence[Sequence[str]], *arguments: str
) -> tuple[np.ndarray, float]:
    """The jar's scores of the segments and of all."""
    output = _jar(folder, hypotheses, references, *arguments)
    segments = [float(line.split("\t")[1]) for line in output if line.startswith("Segment ")]
    (final,) = [float(line.split()[-1]) for line in output if line.startswith("Final score")]
    return np.array(segments), final


def _jar(
    folder: Path, hypotheses: Texts, references: Sequence[Sequence[str]], *arguments: str
) -> list[str]:
    count = len(references[0])
    files = (
        meteor_peer.lines(folder, "hypotheses", hypotheses),
        meteor_peer.lines(folder, "references", [text for group in references for text in group]),
    )
    several = ("-r", str(count)) if count > 1 else ()
    return meteor_peer.run("Meteor", *files, *several, *arguments).splitlines()


def our_statistics(metric: METEOR, hypotheses: Texts, references: object) -> np.ndarray:
    """Our statistics in the jar's order and number."""
    statistics = metric.statistics(hypotheses, references)
    values = statistics.values
    row = np.zeros((len(values), 23))
    stages = 4 * len(metric.stages or ())
    row[:, : 4 + stages] = values[:, : 4 + stages]
    row[:, 20] = statistics["chunks"]
    row[:, 21] = statistics["hypothesis_matches"]
    row[:, 22] = statistics["reference_matches"]
    return row


def assert_equal_rows(
    ours: np.ndarray, theirs: np.ndarray, hypotheses: Texts, references: object
) -> None:
    assert ours.shape == theirs.shape
    different = np.flatnonzero((ours != theirs).any(axis=1))
    if len(different):
        first = different[0]
        pytest.fail(
            f"{len(different)} of {len(ours)} segments differ, the first is {first}:\n"
            f"{hypotheses[first]!r}\n{references[first]!r}\nours {ours[first]}\ntheirs {theirs[first]}"  # type: ignore[index]
        )


def assert_equal_scores(
    metric: METEOR, hypotheses: Texts, references: object, theirs: tuple[np.ndarray, float]
) -> None:
    segments, final = theirs
    np.testing.assert_allclose(
        metric.segment_scores(hypotheses, references) / 100, segments, rtol=1e-9, atol=1e-12
    )
    assert metric.corpus_score(hypotheses, references).fraction == pytest.approx(final, rel=1e-9)


# --------------------------------------------------------------------------------------------------
# Real data


@lru_cache(maxsize=1)
def real_pairs(folder: Path) -> tuple[Texts, Texts]:
    """MultEval's six systems, METEOR X-ray's two and the SGML set: of real data, 22,437 segments."""
    data = load_multeval()
    hypotheses, references = [], []
    for texts in data.systems.values():
        hypotheses += texts
        references += data.reference
    for system in ("system1.hyp", "system2.hyp"):
        hypotheses += read_lines(folder / "meteor-xray" / system)
        references += read_lines(folder / "meteor-xray" / "reference")
    for name, texts in (("test.sgm", hypotheses), ("ref.sgm", references)):
        lines = (folder / "sgml" / name).read_bytes().decode().split("\n")
        found = [line for line in lines if line.lstrip().startswith("<seg")]
        texts += [line.partition(">")[2].rpartition("</seg>")[0].strip() for line in found]
    assert len(hypotheses) == len(references) > 9 * 1000
    return hypotheses, references


@pytest.mark.parametrize("normalize", [False, True], ids=["raw", "norm"])
@pytest.mark.parametrize("stages", [1, 2, 3, pytest.param(4, marks=pytest.mark.slow)])
@pytest.mark.timeout(600)
def test_every_statistic_of_every_real_segment(
    stages: int, normalize: bool, tmp_path: Path
) -> None:
    hypotheses, references = real_pairs(require_data_folder())
    names = STAGES[:stages]
    theirs = jar_statistics(
        tmp_path,
        hypotheses,
        [[text] for text in references],
        *("-l", "en", "-m", " ".join(names)),
        *(("-norm",) if normalize else ()),
    )
    metric = METEOR(stages=names, normalize=normalize)
    assert_equal_rows(
        our_statistics(metric, hypotheses, references), theirs, hypotheses, references
    )


@pytest.mark.parametrize("task", ["rank", "adq", "hter", "li", "tune", "util", "universal"])
def test_scores_of_each_task(task: str, tmp_path: Path) -> None:
    data = load_multeval()
    hypotheses, references = data.systems["sys1.opt0"][:400], data.reference[:400]
    stages = ("exact",) if task == "universal" else STAGES[:3]
    theirs = jar_scores(
        tmp_path,
        hypotheses,
        [[text] for text in references],
        *("-l", "en", "-t", task, "-m", " ".join(stages)),
    )
    assert_equal_scores(METEOR(task=task, stages=stages), hypotheses, references, theirs)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_official_scores(data_folder: Path, tmp_path: Path) -> None:
    data = load_multeval()
    hypotheses, references = data.systems["baseline.opt0"], data.reference
    theirs = jar_scores(tmp_path, hypotheses, [[text] for text in references], "-l", "en")
    metric = METEOR.preset("meteor-1.5")
    assert_equal_scores(metric, hypotheses, references, theirs)
    score = metric.corpus_score(hypotheses, references)
    # What was known of this text before: the jar's own report.
    assert score.fraction == pytest.approx(0.2933003574185723, rel=1e-12)
    assert score.chunks == 22598
    assert score.precision / 100 == pytest.approx(0.6046314969826747, rel=1e-12)
    assert score.recall / 100 == pytest.approx(0.6184849305898666, rel=1e-12)


def test_without_paraphrases(data_folder: Path) -> None:
    data = load_multeval()
    score = METEOR().corpus_score(data.systems["baseline.opt0"], data.reference)
    assert score.fraction == pytest.approx(0.2720290597347351, rel=1e-12)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_coco_is_the_wrapper() -> None:
    from pycocoevalcap.meteor.meteor import Meteor

    meteor_peer.jar()
    folder = require_data_folder() / "nlg-eval"
    hypotheses = read_lines(folder / "hyp.txt")
    references = [
        list(group)
        for group in zip(
            read_lines(folder / "ref1.txt"), read_lines(folder / "ref2.txt"), strict=True
        )
    ]
    data = load_multeval()
    hypotheses += [*data.systems["baseline.opt0"][:300], "", "Don't  do that!", "|||", "a ||| b"]
    references += [
        *([a, b] for a, b in zip(data.reference[:300], data.systems["sys1.opt0"], strict=False)),
        *[["a b", "c"], ["Do not do that .", "do n't"], ["x", "y"], ["a b", "b"]],
    ]
    peer = Meteor()
    final, scores = peer.compute_score(
        dict(enumerate(references)),
        {i: [text] for i, text in enumerate(hypotheses)},
    )
    # The wrapper takes its own separator out of hypotheses.
    ours = [text.replace("|||", "").replace("  ", " ") for text in hypotheses]
    assert_equal_scores(METEOR.preset("coco"), ours, references, (np.array(scores), final))


# --------------------------------------------------------------------------------------------------
# Options


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        ({"beam_size": 1}, ["-x", "1"]),
        ({"beam_size": 3}, ["-x", "3"]),
        ({"beam_size": 200}, ["-x", "200"]),
        ({"stages": ("synonym", "exact", "stem")}, ["-m", "synonym exact stem"]),
        ({"stages": ("stem",)}, ["-m", "stem"]),
        ({"stages": ("synonym", "stem")}, ["-m", "synonym stem"]),
        ({"lowercase": True}, ["-lower"]),
        ({"normalize": True, "keep_punctuation": False}, ["-norm", "-noPunct"]),
        ({"character_based": True}, ["-ch"]),
        ({"character_based": True, "task": "util"}, ["-ch", "-t", "util"]),
        (
            {
                "alpha": 0.3,
                "beta": 2.5,
                "gamma": 0.9,
                "delta": 0.1,
                "stage_weights": (0.9, 0.1, 0.5),
            },
            ["-p", "0.3 2.5 0.9 0.1", "-w", "0.9 0.1 0.5"],
        ),
        # With -p and no -w, the jar takes the weights of the task "adq".
        (
            {"task": "adq", "alpha": 1.0, "beta": 0.0, "gamma": 1.0, "delta": 1.0},
            ["-p", "1.0 0.0 1.0 1.0"],
        ),
        (
            {"task": "adq", "alpha": 0.0, "beta": 1.0, "gamma": 0.0, "delta": 0.0},
            ["-p", "0.0 1.0 0.0 0.0"],
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_options(options: dict[str, object], arguments: list[str], tmp_path: Path) -> None:
    folder = require_data_folder()
    data = load_multeval()
    hypotheses = [
        *data.systems["baseline.opt1"][:250],
        *read_lines(folder / "meteor-xray" / "system2.hyp")[:100],
    ]
    references = [*data.reference[:250], *read_lines(folder / "meteor-xray" / "reference")[:100]]
    hypotheses += [text.title() for text in hypotheses[:50]] + ["Don't stop-now, U.S. people!"]
    references += [*references[:50], "do n't stop now U.S.A. people ."]
    if "-m" not in arguments:
        arguments = [*arguments, "-m", "exact stem synonym"]
    groups = [[text] for text in references]
    metric = METEOR(**options)  # type: ignore[arg-type]
    theirs = jar_statistics(tmp_path, hypotheses, groups, "-l", "en", *arguments)
    assert_equal_rows(
        our_statistics(metric, hypotheses, references), theirs, hypotheses, references
    )
    assert_equal_scores(
        metric,
        hypotheses,
        references,
        jar_scores(tmp_path, hypotheses, groups, "-l", "en", *arguments),
    )


def test_the_best_of_several_references(tmp_path: Path) -> None:
    data = load_multeval()
    hypotheses = data.systems["baseline.opt0"][:600]
    references = [
        list(group)
        for group in zip(
            data.reference[:600], data.systems["sys1.opt0"], data.systems["sys1.opt1"], strict=False
        )
    ]
    arguments = ("-l", "en", "-m", "exact stem synonym")
    metric = METEOR()
    theirs = jar_statistics(tmp_path, hypotheses, references, *arguments)
    assert_equal_rows(
        our_statistics(metric, hypotheses, references), theirs, hypotheses, references
    )
    assert_equal_scores(
        metric, hypotheses, references, jar_scores(tmp_path, hypotheses, references, *arguments)
    )


# --------------------------------------------------------------------------------------------------
# Other languages, other scripts, ugly text


def _words_of(language: str) -> list[str]:
    stems = {
        "fr": "petit maison chant grand cheval œil français nation naturel mang finir aim",
        "de": "klein haus sing groß pferd auge übersetz land natur ess beend lieb schön",
        "es": "pequeño casa cant grande caballo ojo nación natural com acab am niñ",
        "ru": "маленьк дом пе больш лошад глаз перевод стран природ ед конец любл",
        "cz": "malý dům zpív velký kůň oko překlad země přírod jíst konec láska",
    }.get(language, "klok hus sang stor hest øye talo lovak ház kitap göz cavallo mangi åker parl")
    endings = {
        "fr": " e es s ment ement ations ons ez aient é ée eux euse",
        "de": " e en er es em heit ung ungen lich isch st te ten",
        "es": " s es mente ción ciones ando iendo ar ado ados ía",
        "ru": " ый ая ое ого ому ами ость ения ать ила ут",
    }.get(language, " e en ene er et a ar i ek ler lar zione mente ing ssa ista")
    return [stem + ending for stem in stems.split() for ending in ["", *endings.split()]]


def _edited_pairs(words: Sequence[str], count: int, seed: int) -> tuple[Texts, Texts]:
    rng = random.Random(seed)
    hypotheses, references = [], []
    for _ in range(count):
        reference = [rng.choice(words) for _ in range(rng.randint(1, 25))]
        hypothesis = list(reference)
        for _ in range(rng.randint(0, 8)):
            place = rng.randrange(len(hypothesis))
            action = rng.random()
            if action < 0.3:
                hypothesis[place] = rng.choice(words)
            elif action < 0.6:
                hypothesis.insert(place, hypothesis.pop(rng.randrange(len(hypothesis))))
            elif action < 0.8 and len(hypothesis) > 1:
                del hypothesis[place]
            else:
                hypothesis.insert(place, rng.choice(hypothesis))
        hypotheses.append(" ".join(hypothesis))
        references.append(" ".join(reference))
    return hypotheses, references


@pytest.mark.parametrize(
    "language", [code for code in LANGUAGES if code not in ("en", "ar-bw-red")]
)
def test_other_languages(language: str, tmp_path: Path) -> None:
    hypotheses, references = _edited_pairs(_words_of(language), 300, seed=len(language))
    hypotheses += ["L'été, c'est-à-dire: 3,5 %.", "Große Straßen z.B. 1.000 Häuser!"]
    references += ["l' été c'est à dire 3,5", "große Straße z.B. 1.000 Haus"]
    metric = METEOR(language=language)
    groups = [[text] for text in references]
    for normalize in (False, True) if LANGUAGES[language].normalizes else (False,):
        arguments = ["-l", language, "-m", " ".join(metric.stages or ())]
        arguments += ["-norm"] if normalize else []
        if language == "other":
            arguments[1] = "xx"
        ours = metric.with_options(normalize=normalize)
        theirs = jar_statistics(tmp_path, hypotheses, groups, *arguments)
        assert_equal_rows(
            our_statistics(ours, hypotheses, references), theirs, hypotheses, references
        )
        assert_equal_scores(
            ours, hypotheses, references, jar_scores(tmp_path, hypotheses, groups, *arguments)
        )


def test_a_language_with_its_own_function_words(tmp_path: Path) -> None:
    words = resources.function_words("fr")
    hypotheses, references = _edited_pairs([*_words_of("fr"), *sorted(words)], 200, seed=3)
    listed = meteor_peer.lines(tmp_path, "words", sorted(words))
    arguments = ("-l", "fr", "-m", "exact stem", "-s", str(listed))
    groups = [[text] for text in references]
    theirs = jar_statistics(tmp_path, hypotheses, groups, *arguments)
    for function_words in ("language", words):
        metric = METEOR(language="fr", function_words=function_words)
        ours = our_statistics(metric, hypotheses, references)
        assert_equal_rows(ours, theirs, hypotheses, references)


def test_arabic_stems_come_from_the_jar(tmp_path: Path) -> None:
    words = ["wAl", "ktAb", "fy", "Albyt", "mn", "ktb", "yktbwn", "mdrsp", "AlmdArs", "qAl", "byt"]
    hypotheses, references = _edited_pairs(words, 100, seed=8)
    metric = METEOR(language="ar-bw-red")
    arguments = ("-l", "ar-bw-red", "-m", "exact stem")
    groups = [[text] for text in references]
    theirs = jar_statistics(tmp_path, hypotheses, groups, *arguments)
    assert_equal_rows(
        our_statistics(metric, hypotheses, references), theirs, hypotheses, references
    )


def _one_line(text: str) -> str:
    """A text as a line of a file that the jar reads: no ends of lines, no lone surrogates."""
    return "".join(c for c in text if c not in "\r\n" and not 0xD800 <= ord(c) < 0xE000)


@pytest.mark.parametrize("normalize", [False, True], ids=["raw", "norm"])
def test_many_scripts_and_ugly_text(normalize: bool, tmp_path: Path) -> None:
    hypotheses: Texts = []
    references: Texts = []
    for corpus in (corpus_in_many_scripts(seed=41, segments=600), ugly_corpus()):
        for text, group in zip(corpus.hypotheses, corpus.present_references(), strict=True):
            hypotheses += [_one_line(text)] * len(group)
            references += map(_one_line, group)
    # Words that are one to Java's hash, repetitions, nothing at all.
    more = [
        ("Aa BB Aa c", "BB Aa BB d"),
        ("a " * 30, "a " * 27),
        ("a b " * 12, "b a " * 12),
        ("", ""),
        ("", "a"),
        ("a", ""),
        ("a b c", "a b c"),
        ("the of the", "of the of"),
        ("𝒳 😀😀 x", "😀😀 𝒳 y"),
    ]
    hypotheses += [left for left, _ in more]
    references += [right for _, right in more]
    arguments = ["-l", "en", "-m", "exact stem synonym", *(["-norm"] if normalize else [])]
    metric = METEOR(normalize=normalize)
    theirs = jar_statistics(tmp_path, hypotheses, [[text] for text in references], *arguments)
    assert_equal_rows(
        our_statistics(metric, hypotheses, references), theirs, hypotheses, references
    )


def test_words_that_repeat_beyond_the_beam(tmp_path: Path) -> None:
    """Where more paths tie than the beam holds, the order of the ties decides."""
    rng = random.Random(12)
    pool = ["the", "a", "of", "dog", "dogs", "run", "runs", "car", "auto", "big", "large"]
    hypotheses, references = [], []
    for _ in range(400):
        words = rng.choices(pool, k=rng.randint(8, 30))
        hypotheses.append(" ".join(words))
        references.append(" ".join(rng.sample(words, len(words))))
    arguments = ("-l", "en", "-m", "exact stem synonym")
    theirs = jar_statistics(tmp_path, hypotheses, [[text] for text in references], *arguments)
    assert_equal_rows(
        our_statistics(METEOR(), hypotheses, references), theirs, hypotheses, references
    )
