"""``cocarde explain``: how a score came to be."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any

from cocarde.cli import console
from cocarde.cli import options as shared
from cocarde.cli.console import UsageError
from cocarde.cli.formats import choose_format, page, print_document
from cocarde.cli.parameters import Argument, Option
from cocarde.cli.paraphrases import prepare_paraphrases
from cocarde.cli.records import FIRST_SEGMENT

if TYPE_CHECKING:
    from cocarde.corpus import ParallelCorpus

__all__ = ["explain"]


class Format(str, Enum):
    """How an explanation is written."""

    text = "text"
    json = "json"
    markdown = "markdown"
    html = "html"


@shared.with_metric_options
def explain(
    *,
    hypotheses: Annotated[
        str | None,
        Argument(metavar="HYP", help="A file of hypotheses; - is standard input."),
    ] = None,
    references: Annotated[
        list[str] | None,
        Option("--references", "-r", metavar="REF", help="A file of references; may be repeated."),
    ] = None,
    hypothesis: Annotated[
        str | None,
        Option("--hypothesis", metavar="TEXT", help="One hypothesis, instead of a file."),
    ] = None,
    reference: Annotated[
        list[str] | None,
        Option("--reference", metavar="TEXT", help="A reference of it; may be repeated."),
    ] = None,
    segment: Annotated[
        int | None,
        Option(
            "--segment",
            "-n",
            metavar="N",
            minimum=FIRST_SEGMENT,
            help="Explain one segment; they are counted from 1 like lines, in what is printed too. "
            "(default: the corpus)",
        ),
    ] = None,
    metric: Annotated[
        str | None,
        Option(
            "--metric",
            "-m",
            metavar="NAME[:PRESET]",
            help="The metric. (default: bleu)",
            complete=shared.complete_metrics,
        ),
    ] = None,
    preset: Annotated[
        str | None,
        Option(
            "--preset",
            metavar="NAME",
            help="The convention of a reference implementation.",
            complete=shared.complete_presets,
        ),
    ] = None,
    form: Annotated[
        Format | None,
        Option(
            "--format",
            "-f",
            help="How it is written. (default: by the name of the output, else text)",
        ),
    ] = None,
    top: Annotated[
        int,
        Option(
            "--top", metavar="N", minimum=1, help="How many n-grams and segments a corpus lists."
        ),
    ] = 10,
    output: shared.Output = None,
    input_format: shared.InputFormatOption = None,
    threads: shared.Threads = None,
    quiet: shared.Quiet = False,
    metric_options: dict[str, Any],
) -> None:
    """Explain a score: every count, length and step from the tokens to the number.

    Give files, `cocarde explain HYP -r REF`, or one sentence,
    `cocarde explain --hypothesis TEXT --reference TEXT`.
    """
    form = choose_format(form, output, Format.text)
    metrics = shared.build_metrics(
        None if metric is None else [metric],
        None if preset is None else [preset],
        metric_options,
    )
    (found,) = metrics.values()
    shared.set_threads(threads)
    prepare_paraphrases([found], False if quiet else None)
    with console.collect_warnings() as warnings:
        if hypothesis is not None or reference:
            _require_sentence(hypotheses, hypothesis, references, reference, segment)
            output = console.require_writable(output)
            assert hypothesis is not None  # both were required
            text = console.as_utf8(console.unprotect(hypothesis))
            texts = [console.as_utf8(console.unprotect(one)) for one in reference or []]
            explanation = _explain(found, text, texts, top=top)
        else:
            corpus, paths = _read(hypotheses, references, input_format, segment)
            output = console.require_writable(output, paths)
            if not found.decodes_entities:
                corpus = corpus.decoded()
            index = None if segment is None else segment - FIRST_SEGMENT
            explanation = _explain(
                found, corpus.hypotheses[0], corpus.references, segment=index, top=top
            )
    if not quiet:
        console.print_warnings(warnings)
    if form is Format.text and output is None:
        print_document(explanation.document())
        return
    console.emit([_written(explanation, form)], output)


def _explain(metric: Any, hypotheses: Any, references: Any, **options: Any) -> Any:
    import cocarde

    # As --segment counts, and as score --level segment does.
    return cocarde.explain(metric, hypotheses, references, **options).numbered_from(FIRST_SEGMENT)


def _require_sentence(
    hypotheses: str | None,
    hypothesis: str | None,
    references: Sequence[str] | None,
    reference: Sequence[str] | None,
    segment: int | None,
) -> None:
    if hypotheses is not None or references:
        raise UsageError(
            "a sentence and files are given; one score is explained at a time",
            "give HYP -r REF (files), or --hypothesis TEXT --reference TEXT",
        )
    if hypothesis is None:
        raise UsageError("--reference is given without --hypothesis", "add --hypothesis TEXT")
    if not reference:
        raise UsageError("--hypothesis is given without --reference", "add --reference TEXT")
    if segment is not None:
        raise UsageError(
            "--segment picks a line of a file, but the sentence is given itself", "drop --segment"
        )


def _read(
    hypotheses: str | None,
    references: Sequence[str] | None,
    input_format: shared.InputFormat | None,
    segment: int | None,
) -> tuple[ParallelCorpus, list[str]]:
    """Read the files, make sure that the segment is there, and return the files' names too."""
    if hypotheses is None:
        raise UsageError(
            "there is nothing to explain",
            "give HYP -r REF (files), or --hypothesis TEXT --reference TEXT",
        )
    if not references:
        raise UsageError("there are no references", "add -r REF")
    from cocarde.cli.inputs import read_sources, read_systems, require_one_stdin
    from cocarde.corpus import read_parallel

    chosen = None if input_format is None else input_format.value
    systems = read_systems([hypotheses], chosen)  # type: ignore[arg-type]
    streams = read_sources(references, chosen)  # type: ignore[arg-type]
    if len(systems) > 1:
        raise UsageError(
            f"{hypotheses!r} names {len(systems)} systems; one is explained at a time",
            "name one column or field",
        )
    require_one_stdin([*systems, *streams])
    corpus = read_parallel(systems, streams)
    count = len(corpus.references)
    if segment is not None and segment > count:
        raise UsageError(
            f"--segment {segment}: {systems[0].shown} has {count} segments",
            "segments are counted from 1, like lines",
        )
    return corpus, [one.path for one in (*systems, *streams)]


def _written(explanation: Any, form: Format) -> str:
    if form is Format.json:
        from cocarde.core.renderers.data import to_json

        text = to_json(explanation.to_dict(), indent=2)
    elif form is Format.markdown:
        text = explanation.to_markdown()
    elif form is Format.html:
        text = page("cocarde explain", explanation.document())
    else:
        text = explanation.to_text()
    return str(text).rstrip("\n") + "\n"
