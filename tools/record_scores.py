"""Record what every metric gives, and compare two records: nothing may change in a rebuilt house.

    python tools/record_scores.py record OUT.jsonl      with the package that is imported
    python tools/record_scores.py compare OLD.jsonl NEW.jsonl

A record has one line for each metric, preset, set of options and text: the signature, a checksum of
each array of numbers to the last bit, the warnings, or the refusal. Options are drawn with a fixed
seed, valid and invalid ones; texts are those of ``../shared/data`` (where they are there), of
``examples/`` and ugly ones.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("COCARDE_TEST_DATA", ROOT.parent / "shared" / "data"))
DRAWN = 60  # sets of options a preset

UGLY = [
    "",
    " ",
    "a",
    "The cat sat on the mat .",
    "the cat, sat: on (the) mat!",
    "今天天气很好。",
    "我有１２３个苹果 and 4.5 pears",
    "สวัสดีชาวโลก",
    "naïve café",
    "nai\u0308ve cafe\u0301",
    "👍🎉",
    "!!!",
    "it 's the king's. Don't &amp; &quot;x&quot;",
    "x\ty  z\u3000w\u2028v",
    "word " * 40,
    "First sentence. Second one.\nThird line here.",
    "7 7 7 3.14 1,000",
]
ANY: dict[str, list[Any]] = {
    "lowercase": [True, False, 1],
    "tokenize": ["none", "13a", "zh", "char", "intl", "auto", "rouge", "nothing", 3],
    "smooth_method": ["exp", "floor", "add-k", "none", "method3", "method7", "x"],
    "smooth_value": [0.1, 1, -1, "a"],
    "max_ngram_order": [1, 2, 5, 0, 2.5, True],
    "effective_order": [True, False, None],
    "weights": [(0.5, 0.5), ((1,), (0.25,) * 4), (), "a", (0, 0)],
    "reference_length": ["closest", "shortest", "average", "x"],
    "clip": [True, False],
    "auto_reweigh": [True, False],
    "strip_right": [True, False],
    "force": [True],
    "formula": ["sacrebleu", "nltk", "mteval", "coco", "rouge", "popovic", "q", []],
    "rouge_types": [("rouge1",), ("rougeL", "rouge3"), "rouge2", (), ("rougeSU4",), ("x",)],
    "use_stemmer": [True, False],
    "sentences": ["newline", "punctuation", "x"],
    "beta": [1, 2.5, -1, "a", float("nan"), 3],
    "exclusive": [True, False],
    "multiple": ["best", "maxima", "mean", "x"],
    "orders": [(1, 2, 3), (), (1, 1)],
    "longest_common_subsequence": [True, False],
    "weight": [1.2, 9],
    "skip_bigrams": [True],
    "skip_bigrams_with_unigrams": [True],
    "maximum_skip": [4, -1],
    "stemming": [True],
    "exceptions": [False],
    "stop_words": [("the", "on"), ("The",)],
    "alpha": [0, 0.3, 1, 2],
    "multiple_references": ["average", "best", "x"],
    "jackknife": [True],
    "word_limit": [3, 0],
    "byte_limit": [10, 0],
    "counting_unit": ["segment", "token", "x"],
    "rounded": [False],
    "char_order": [0, 1, 4, -1],
    "word_order": [0, 1, 2, "x"],
    "whitespace": [True, 1],
    "eps_smoothing": [True, False],
    "min_char_order": [1, 2, 7],
    "average": ["corpus", "segments", "x"],
    "normalized": [True, False, "x"],
    "no_punct": [True],
    "asian_support": [True],
    "case_sensitive": [True],
    "language": ["en", "de", "cz", "ar-bw-red", "other", "x"],
    "task": ["adq", "hter", "li", "tune", "universal", "x", []],
    "stages": [("exact",), ("exact", "stem"), ("stem", "exact"), ("synonym",), ("x",), ()],
    "stage_weights": [(1.0,), (1.0, 0.5), (1.0, 0.5, 0.2), (-1,)],
    "gamma": [0, 0.4, 2, -1],
    "delta": [0, 0.5, 2],
    "beam_size": [1, 10, 0],
    "normalize": [True, False],
    "keep_punctuation": [False, True],
    "character_based": [True],
    "function_words": ["language", ("the", "on"), None, 3],
    "stemmer": ["porter-nltk", "x"],
    "wordnet": ["embedded", None, "x"],
    "ignore_ids": [(0, 1), (-1,), "a"],
    "vocabulary": [tuple("abcdefgh"), {"a": 1}],
    "no_such_option": [1],
}


def _lines(path: Path, most: int) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")[:-1][:most]


def corpora() -> Iterator[tuple[str, list[Any], list[Any]]]:
    """Yield names, hypotheses and references."""
    for folder in ("en", "de", "zh", "ja"):
        here = ROOT / "examples" / folder
        files = sorted(here.glob("reference*.txt"))
        hypotheses = _lines(here / "system1.txt", 100)
        columns = [_lines(path, 100) for path in files]
        yield folder, hypotheses, [list(row) for row in zip(*columns, strict=True)]
    chance = random.Random(7)
    yield (
        "ugly",
        list(UGLY),
        [[chance.choice(UGLY), text] for text in chance.sample(UGLY, len(UGLY))],
    )
    ids = [[chance.randrange(8) for _ in range(chance.randrange(9))] for _ in range(30)]
    yield "ids", ids, [[list(row[:4]), row[::-1]] for row in ids]
    words = [[chr(97 + number) for number in row] for row in ids]
    yield "words", words, [words[index - 1] for index in range(len(words))]
    if DATA.is_dir():
        at = DATA / "multeval"
        reference = _lines(at / "refs.test2010.lc.tok.en.0", 150)
        yield "multeval", _lines(at / "hyps.lc.tok.en.baseline.opt0", 150), reference
        at = DATA / "meteor-xray"
        yield "xray", _lines(at / "system1.hyp", 150), _lines(at / "reference", 150)


def option_sets(chance: random.Random, known: list[str]) -> Iterator[dict[str, Any]]:
    """Draw options: none, each alone, then mixtures."""
    yield {}
    for name in known:
        for value in ANY.get(name, []):
            yield {name: value}
    yield {"no_such_option": 1}
    for _ in range(DRAWN):
        names = chance.sample(known, min(len(known), chance.randrange(2, 4)))
        yield {name: chance.choice(ANY[name]) for name in names if name in ANY}


def _sum(values: Any) -> str:
    if isinstance(values, Mapping):
        return json.dumps({name: _sum(value) for name, value in values.items()})
    array = np.ascontiguousarray(values, dtype=np.float64) + 0.0  # -0.0 is 0.0
    return f"{array.shape}{hashlib.sha256(array.tobytes()).hexdigest()[:16]}"


def _attempt(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def _again(kind: Any, signature: str) -> str:
    return str(kind.from_signature(signature).signature)


def observe(metric: Any, hypotheses: list[Any], references: list[Any]) -> dict[str, Any]:
    """Return what a metric gives for a corpus."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        rows = _attempt(lambda: metric.statistics(hypotheses, references))
        if isinstance(rows, str):
            return {"refused": rows}
        score = metric.compute(rows.sum())
        found: dict[str, Any] = {
            "signature": score.signature,
            "fields": list(rows.fields),
            "statistics": _sum(rows.values),
            "score": repr({name: part.score for name, part in score.parts().items()}),
            "printed": str(score),
            "score warnings": list(score.warnings),
            "segments": _attempt(lambda: _sum(metric.segment_scores(hypotheses, references))),
            "sentence": _attempt(lambda: str(metric.sentence_score(hypotheses[0], references[0]))),
        }
        if len(hypotheses) < 40 and isinstance(hypotheses[0], str):
            found["pairwise"] = _attempt(
                lambda: _sum(metric.pairwise(hypotheses[:8], hypotheses[:6]))
            )
    found["warnings"] = sorted({str(one.message) for one in caught})
    return found


def record(out: Path) -> None:
    """Write the record of the imported package."""
    from cocarde import metrics

    texts = list(corpora())
    with out.open("w", encoding="utf-8") as file:

        def write(key: str, **found: Any) -> None:
            file.write(json.dumps({"key": key, **found}, sort_keys=True) + "\n")

        for name, kind in metrics.classes().items():
            for preset in kind.presets():
                chance = random.Random(f"{name}:{preset}")
                known = [option for option in ANY if option != "no_such_option"]
                base = kind.preset(preset)
                own = [
                    one
                    for one in known
                    if hasattr(base, one) or hasattr(getattr(base, "options", None), one)
                ]
                for options in option_sets(chance, own):
                    key = f"{name}:{preset} {options!r}"
                    metric = _attempt(partial(kind.preset, preset, **options))
                    if isinstance(metric, str):
                        write(key, refused=metric)
                        continue
                    signature = metric.signature
                    again = _attempt(partial(_again, kind, signature))
                    write(key, signature=signature, again=again)
                    chosen = texts if not options else chance.sample(texts, 2)
                    for corpus, hypotheses, references in chosen:
                        write(f"{key} {corpus}", **observe(metric, hypotheses, references))
        for words in COMMANDS:
            done = subprocess.run(
                [sys.executable, "-m", "cocarde", *words],
                capture_output=True,
                text=True,
                cwd=ROOT,
                check=False,
                env={**os.environ, "COLUMNS": "100", "NO_COLOR": "1"},
            )
            write(f"$ {' '.join(words)}", code=done.returncode, out=done.stdout, err=done.stderr)


_ONE = ["examples/en/system1.txt", "-r", "examples/en/reference.txt"]
_TWO = [*_ONE, "-r", "examples/en/reference2.txt", "examples/en/system2.txt"]
_METRICS = ("bleu", "chrf", "ter", "rouge", "meteor", "rouge:rouge-1.5.5", "meteor:nltk")
_LEVELS = [["segment"], ["document", "--documents", "examples/documents.txt"]]
COMMANDS = [
    command
    for metric in _METRICS
    for command in (
        *(["score", *_TWO, "-m", metric, "-f", x] for x in ("json", "tsv", "markdown", "latex")),
        *(["score", *_TWO, "-m", metric, "-f", "json", "--level", *x] for x in _LEVELS),
        ["score", *_TWO, "-m", metric],
        ["compare", *_TWO, "-m", metric, "-f", "json"],
        *(["explain", *_ONE, "-m", metric, "--segment", "1", "-f", x] for x in ("json", "text")),
        *(
            ["explain", *_ONE, "-m", metric, "--segment", "1", "-f", x]
            for x in ("markdown", "html")
        ),
        ["explain", *_ONE, "-m", metric, "-f", "json"],
    )
] + [
    ["presets", "-f", "json"],
    ["metrics", "-f", "json"],
    ["score", *_TWO, "-m", "bleu", "-m", "chrf", "-m", "ter", "-f", "table"],
    ["score", *_TWO, "--tokenize", "nothing"],
    ["score", *_TWO, "-m", "nothing"],
    ["score", *_TWO, "--no-such-option"],
]


def compare(old: Path, new: Path) -> int:
    """Print what differs, by what it is about; return how many numbers, signatures or refusals do."""
    before, after = (
        {row.pop("key"): row for row in map(json.loads, path.open(encoding="utf-8"))}
        for path in (old, new)
    )
    kinds: dict[str, list[str]] = {}
    for key in sorted(before.keys() | after.keys()):
        one, two = before.get(key), after.get(key)
        if one == two:
            continue
        if one is None or two is None:
            kinds.setdefault("only in one", []).append(key)
            continue
        for what in sorted(one.keys() | two.keys()):
            left, right = one.get(what), two.get(what)
            if left != right:
                both = isinstance(left, str) and isinstance(right, str)
                same = what == "refused" and both and left.split(":")[0] == right.split(":")[0]
                name = "words of a refusal" if same else what
                kinds.setdefault(name, []).append(
                    f"{key}\n    - {left!r:.300}\n    + {right!r:.300}"
                )
    for what, places in kinds.items():
        print(f"== {what}: {len(places)}")
        for place in places[:12]:
            print(f"  {place}")
    print(f"{len(before)} and {len(after)} entries")
    harmless = {"words of a refusal", "warnings", "score warnings", "out", "err", "printed"}
    return sum(len(places) for what, places in kinds.items() if what not in harmless)


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("record").add_argument("out", type=Path)
    two = commands.add_parser("compare")
    two.add_argument("old", type=Path)
    two.add_argument("new", type=Path)
    given = parser.parse_args()
    if given.command == "record":
        record(given.out)
        return 0
    return 1 if compare(given.old, given.new) else 0


if __name__ == "__main__":
    sys.exit(main())
