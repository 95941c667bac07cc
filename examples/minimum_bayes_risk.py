"""Minimum-Bayes-risk decoding: of many translations of one source, take the one that the others agree with.

A translation model gives a probability to every translation y of a source x. The single most probable
translation is often a poor one (Eikema and Aziz, 2020). Minimum-Bayes-risk (MBR) decoding asks for the one
with the highest *expected utility* instead,

    choice = argmax over h of  E[u(h, y)],  y drawn from the model,

where the utility u(h, y) says how good h would be if y were what a human wrote: here chrF or sentence
BLEU. The expectation has no closed form; the mean over translations sampled from the model estimates it:

    E[u(h, y)]  ~  (u(h, y1) + ... + u(h, yn)) / n.

The samples serve twice: as the candidates h, and as the pseudo-references y. So n samples make n x n scores
for each source, which one call of `pairwise` computes, each text's n-grams counted once.

    python examples/minimum_bayes_risk.py samples.jsonl -o chosen.txt    # one source a line: ["...", "..."]
    python examples/minimum_bayes_risk.py                                # makes samples, to see that it works

References
----------
Eikema and Aziz (2020): Is MAP decoding all you need? The inadequacy of the mode in neural machine
translation. Eikema and Aziz (2022): Sampling-based approximations to minimum Bayes risk decoding for neural
machine translation. Freitag, Grangier, Tan and Liang (2022): High quality rather than high model
probability: minimum Bayes risk decoding with neural metrics.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

import cocarde
from cocarde import BLEU, CHRF
from cocarde.core.metric import Metric

BROKEN_PIPE = 141  # what a shell reports of a program that SIGPIPE ended, and `cocarde` returns too
ENGLISH = Path(__file__).resolve().parent / "en"

# BLEU of single sentences needs smoothing, else a pair without a common 4-gram scores 0 however many words
# it shares. "add-k" counts one n-gram more, and one more that matches, in each order above words (Lin and
# Och, 2004): a first match is then worth no more than a second.
UTILITIES: dict[str, Metric[Any]] = {
    "chrf": CHRF(),
    "bleu": BLEU(smooth_method="add-k", smooth_value=1),
}


# ---- decoding


@dataclass(frozen=True)
class Choice:
    """The sample that was chosen: its place among the source's samples, and its expected utility."""

    index: int
    utility: float
    text: str


def choose(metric: Metric[Any], samples: Sequence[str]) -> Choice:
    """Choose the sample with the highest expected utility, the first of equals.

    A text that was sampled five times is one candidate, but five pseudo-references: how often it was
    sampled is what the model thinks of it.
    """
    counts = Counter(samples)
    texts = list(counts)
    probabilities = np.array(list(counts.values())) / len(samples)
    # A row for each candidate, a column for each pseudo-reference. The direction matters: chrF's F2 weighs
    # recall above precision and BLEU's brevity penalty looks at the candidate alone, so that the mean over
    # columns, which would take the candidate for the reference, is another number.
    scores = metric.pairwise(texts, texts)
    # Each candidate meets itself among the pseudo-references. That adds the same 100 / n to all of them (but
    # to an empty text, which scores 0): the utility is higher for it, the choice the same.
    utilities = scores @ probabilities
    # Rounded, since a sum in another order, as another machine may take it, has other last digits.
    best = int(np.argmax(utilities.round(9)))
    return Choice(samples.index(texts[best]), float(utilities[best]), texts[best])


def choose_all(metric: Metric[Any], sources: Sequence[Sequence[str]], threads: int) -> list[Choice]:
    """Choose a sample for each source, several sources at a time.

    `pairwise` lets other Python threads run while it counts. Whole sources keep the processors busier than
    the rows of one source would, so each call of `pairwise` has one thread for itself.
    """
    cocarde.set_num_threads(1)
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(lambda samples: choose(metric, samples), sources))


# ---- input and output


def fail(message: str) -> NoReturn:
    """End with a message, as a command does that was used wrongly."""
    print(f"error: {message}", file=sys.stderr)
    raise SystemExit(2)


def read_lines(path: Path) -> list[str]:
    """Read the lines of a UTF-8 file."""
    try:
        text = path.read_bytes().decode("utf-8")
    except OSError as error:
        fail(f"{path}: {error.strerror}")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        fail(f"{path}, line {line}: not UTF-8; convert the file first")
    # At line feeds alone: splitlines() would cut at U+2028 and other characters too.
    return text.removesuffix("\n").split("\n") if text else []


def read_samples(path: Path, most: int | None) -> list[list[str]]:
    """Read samples: each line a JSON list of one source's, any number of them."""
    sources = []
    for number, line in enumerate(read_lines(path), 1):
        where = f"{path}, line {number}"
        try:
            samples = json.loads(line)
        except (json.JSONDecodeError, RecursionError) as error:
            fail(f'{where}: not JSON ({error}); write the samples as ["...", "..."]')
        if not isinstance(samples, list) or not all(isinstance(one, str) for one in samples):
            fail(f'{where}: not a list of texts; write the samples as ["...", "..."]')
        if not samples:
            fail(f"{where}: this source has no samples; there must be at least one to choose")
        sources.append(samples[:most])
    if not sources:
        fail(f"{path} is empty; there is nothing to choose from")
    return sources


def write(choices: Sequence[Choice], path: Path | None, *, as_json: bool) -> None:
    """Write one line for each source: the text, or all that is known as JSON."""
    lines = []
    for number, choice in enumerate(choices, 1):
        if as_json:
            lines.append(json.dumps(asdict(choice)))
        elif "\n" in choice.text or "\r" in choice.text:
            fail(f"the choice for source {number} has a line break in it; use --json")
        else:
            lines.append(choice.text)
    try:
        data = "".join(f"{line}\n" for line in lines).encode("utf-8")
        if path is None:
            sys.stdout.buffer.write(data)
            sys.stdout.flush()
        else:
            path.write_bytes(data)
    except UnicodeEncodeError:
        fail("a choice holds half of a surrogate pair, which UTF-8 cannot; use --json")
    except BrokenPipeError:
        # Whoever read it wants no more, as `head` does. Nothing is left to say, also at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(BROKEN_PIPE) from None
    except OSError as error:
        fail(f"{'standard output' if path is None else path}: {error.strerror}")


# ---- samples that are made, where no model is at hand


def disturb(text: str, words: Sequence[str], draw: random.Random) -> str:
    """Drop one word in ten, put another word for one in ten, and swap one in twenty with the next."""
    changed = []
    for word in text.split():
        chance = draw.random()
        if chance >= 0.1:
            changed.append(draw.choice(words) if chance < 0.2 else word)
    for place in range(len(changed) - 1):
        if draw.random() < 0.05:
            changed[place : place + 2] = changed[place + 1], changed[place]
    return " ".join(changed)


def make_samples(
    translations: Sequence[Sequence[str]], sources: int, samples: int, seed: int
) -> list[list[str]]:
    """Make samples: a translation of the source by one of the systems, with faults of its own.

    No model wrote them. But they have what MBR decoding lives on: what is right in them is what they have
    in common, and the faults of each are another's merits.
    """
    draw = random.Random(seed)
    words = [word for system in translations for text in system for word in text.split()]
    available = len(translations[0])
    return [
        [disturb(draw.choice(translations)[n % available], words, draw) for _ in range(samples)]
        for n in range(sources)
    ]


def read_parallel(paths: Sequence[Path]) -> list[list[str]]:
    """Read files that belong line to line."""
    files = [read_lines(path) for path in paths]
    for path, lines in zip(paths, files, strict=True):
        if len(lines) != len(files[0]):
            fail(f"{path} has {len(lines)} lines, but {paths[0]} has {len(files[0])}")
        if not lines:
            fail(f"{path} is empty")
    return files


# ---- does it help?


def corpus_scores(
    metric: Metric[Any],
    sources: Sequence[Sequence[str]],
    choices: Sequence[Choice],
    references: Sequence[str],
) -> dict[str, float]:
    """Score the first samples, the average sample and the choices against human references.

    The average sample's score is that of the mean of all samples' statistics, source by source: what
    taking any sample gives, whatever their number.
    """
    flat = [text for samples in sources for text in samples]
    repeated = [
        reference for samples, reference in zip(sources, references, strict=True) for _ in samples
    ]
    weights = np.array([1 / len(samples) for samples in sources for _ in samples])
    average = weights @ metric.statistics(flat, repeated).values
    firsts = [samples[0] for samples in sources]
    return {
        "first sample": metric.corpus_score(firsts, references).score,
        "average sample": metric.compute(average).score,
        "MBR": metric.corpus_score([one.text for one in choices], references).score,
    }


def report(
    sources: Sequence[Sequence[str]], choices: Sequence[Choice], references: Sequence[str]
) -> None:
    """Print scores against the references, by the metric that chose and by the other one.

    Decoding for a metric raises that metric most; what another one says is the better evidence.
    """
    metrics: dict[str, Metric[Any]] = {"chrF": CHRF(), "BLEU": BLEU(force=True)}
    found = {
        name: corpus_scores(metric, sources, choices, references)
        for name, metric in metrics.items()
    }
    print(
        f"{'against the references':24}{''.join(f'{name:>8}' for name in found)}", file=sys.stderr
    )
    for kind in found["chrF"]:
        scores = "".join(f"{by_kind[kind]:8.2f}" for by_kind in found.values())
        print(f"{kind:24}{scores}", file=sys.stderr)


# ---- the program


def positive(text: str) -> int:
    """Read a number of at least 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"needs a whole number of at least 1, found {text!r}")
    return int(text)


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Minimum-Bayes-risk decoding over samples.")
    add = parser.add_argument
    add("file", metavar="SAMPLES", nargs="?", type=Path, help="JSONL: a list of texts a line")
    add("--metric", choices=UTILITIES, default="chrf", help="the utility (default: chrf)")
    add("--samples", metavar="N", type=positive, help="so many of each source (made: 64)")
    add("--sources", metavar="N", type=positive, help="so many sources (made: 1000)")
    add("--threads", metavar="N", type=positive, help="(default: all processors)")
    add("-r", "--reference", metavar="FILE", type=Path, help="score the choices against it")
    add("-o", "--output", metavar="FILE", type=Path, help="where the choices go")
    add("--json", action="store_true", help="write index, utility and text of each choice")
    made = parser.add_argument_group("without SAMPLES, they are made")
    made.add_argument(
        "--translations",
        metavar="FILE",
        type=Path,
        action="append",
        help="make them from these, with -r their reference (default: the texts in examples/en)",
    )
    made.add_argument("--seed", metavar="N", type=int, default=1, help="(default: 1)")
    options = parser.parse_args(arguments)
    if options.file is not None and options.translations:
        parser.error("SAMPLES are given, so none are made from --translations; drop one of them")
    return options


def read_input(options: argparse.Namespace) -> tuple[list[list[str]], list[str] | None]:
    """Read or make the samples of each source; and the references, if there are any."""
    if options.file is not None:
        sources = read_samples(options.file, options.samples)[: options.sources]
        if options.reference is None:
            return sources, None
        references = read_lines(options.reference)[: options.sources]
        if len(references) != len(sources):
            fail(
                f"{options.reference} has {len(references)} lines, but {options.file} has the samples "
                f"of {len(sources)} sources"
            )
        return sources, references
    paths = options.translations or [ENGLISH / "system1.txt", ENGLISH / "reference2.txt"]
    reference = options.reference
    if reference is None and not options.translations:
        reference = ENGLISH / "reference.txt"
    translations = read_parallel([*paths, *([reference] if reference else [])])
    known = translations.pop() if reference else None
    count, samples = options.sources or 1000, options.samples or 64
    print(
        f"making {samples} samples for each of {count:,} sources; no model wrote them",
        file=sys.stderr,
    )
    made = make_samples(translations, count, samples, options.seed)
    return made, None if known is None else [known[n % len(known)] for n in range(count)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Choose a sample for each source."""
    options = parse(arguments)
    sources, references = read_input(options)
    metric = UTILITIES[options.metric]
    start = time.perf_counter()
    threads = options.threads or cocarde.get_num_threads()
    choices = choose_all(metric, sources, threads)
    seconds = time.perf_counter() - start
    cocarde.set_num_threads(threads)
    pairs = sum(len(samples) ** 2 for samples in sources)
    print(
        f"{len(sources):,} sources, {pairs:,} pairs by {metric.name}: {seconds:.2f} s, "
        f"{1e6 * seconds / pairs:.2f} µs a pair, threads: {threads}",
        file=sys.stderr,
    )
    write(choices, options.output, as_json=options.json)
    if references is not None:
        report(sources, choices, references)
    return 0


if __name__ == "__main__":
    sys.exit(main())
