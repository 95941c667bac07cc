"""Options of chrF on the command line."""

from __future__ import annotations

from typing import Annotated, Any

from cocarde.cli.parameters import Option

__all__ = ["CHRF_OPTIONS"]

_PANEL = "Options of chrF (-m chrf)"


def _complete_averages(incomplete: str) -> list[str]:
    from cocarde.metrics.chrf.metric import AVERAGES

    return [name for name in AVERAGES if name.startswith(incomplete)]


CHRF_OPTIONS: dict[str, Any] = {
    "char_order": Annotated[
        int | None,
        Option(
            "--char-order",
            metavar="N",
            help="The longest n-grams of characters. (default: 6)",
            panel=_PANEL,
        ),
    ],
    "word_order": Annotated[
        int | None,
        Option(
            "--word-order",
            metavar="N",
            help="The longest n-grams of words: 1 is chrF+, 2 is chrF++. (default: 0)",
            panel=_PANEL,
        ),
    ],
    "min_char_order": Annotated[
        int | None,
        Option(
            "--min-char-order",
            metavar="N",
            help="The shortest n-grams of characters. (default: 1)",
            panel=_PANEL,
        ),
    ],
    "whitespace": Annotated[
        bool | None,
        Option(
            "--whitespace/--no-whitespace",
            help="Whether white space counts as characters.",
            panel=_PANEL,
        ),
    ],
    "eps_smoothing": Annotated[
        bool | None,
        Option(
            "--eps-smoothing/--no-eps-smoothing",
            help="Whether the score is the mean F of all orders, as in chrF++.py, NLTK and Moses.",
            panel=_PANEL,
        ),
    ],
    "average": Annotated[
        str | None,
        Option(
            "--average",
            metavar="NAME",
            help="What a corpus score is: corpus (of the summed counts) or segments (their mean).",
            complete=_complete_averages,
            panel=_PANEL,
        ),
    ],
}
