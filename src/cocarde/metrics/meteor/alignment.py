"""Which words of a hypothesis and a reference METEOR matches, and pictures of it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from cocarde._util.checks import read_whole_number
from cocarde.core.score import Score
from cocarde.errors import OptionError

__all__ = ["Alignment", "WordMatch"]


@dataclass(frozen=True)
class WordMatch:
    """Words of the hypothesis that are matched with words of the reference.

    Attributes
    ----------
    stage : str
        What matched them.
    hypothesis_start, hypothesis_end, reference_start, reference_end : int
        Half-open ranges of words, from 0. Only paraphrases are longer than one word.
    """

    stage: str
    hypothesis_start: int
    hypothesis_end: int
    reference_start: int
    reference_end: int


@dataclass(frozen=True)
class Alignment:
    """The alignment behind the score of one hypothesis and one reference.

    It prints as a matrix, hypothesis words down and reference words across; a notebook shows SVG.

    Attributes
    ----------
    hypothesis, reference : tuple of str
        The words, as METEOR sees them.
    matches : tuple of WordMatch
        In the order of the reference.
    chunks : tuple of tuple of WordMatch
        The matches, grouped into runs that are in one order and without gap on both sides.
    reference_index : int
        Which of the references this is, from 0: the one with the best score.
    score : METEORScore or METEORNLTKScore
        The score of this pair.

    Examples
    --------
    >>> from cocarde import METEOR
    >>> print(METEOR().align("today the cats sat", "the cat sat today"))
                t
                o
          t c s d
          h a a a
          e t t y
    today · · · ●  2
    the   ● · · ·  1
    cats  · ◐ · ·  1
    sat   · · ● ·  1
    <BLANKLINE>
    ● exact  ◐ stem; on the right the number of the chunk
    """

    hypothesis: tuple[str, ...]
    reference: tuple[str, ...]
    matches: tuple[WordMatch, ...]
    reference_index: int
    score: Any

    @property
    def chunks(self) -> tuple[tuple[WordMatch, ...], ...]:
        """The matches by chunk."""
        runs: list[list[WordMatch]] = []
        for match in self.matches:
            last = runs[-1][-1] if runs else None
            if (
                last is None
                or match.reference_start != last.reference_end
                or match.hypothesis_start != last.hypothesis_end
            ):
                runs.append([])
            runs[-1].append(match)
        return tuple(map(tuple, runs))

    def to_dict(self) -> dict[str, Any]:
        """Return everything, ready for JSON."""
        assert isinstance(self.score, Score)
        return {
            "hypothesis": list(self.hypothesis),
            "reference": list(self.reference),
            "reference_index": self.reference_index,
            "matches": [asdict(match) for match in self.matches],
            "chunks": [[self.matches.index(match) for match in run] for run in self.chunks],
            "score": self.score.to_dict(),
        }

    def to_text(self, width: int = 88) -> str:
        """Return the matrix in plain text.

        Parameters
        ----------
        width : int
            Cells of a line. Where the matrix is wider, the matches are listed by chunk instead.

        Raises
        ------
        OptionError
            If `width` is below 1.
        """
        from cocarde.metrics.meteor.pictures import plain_text

        return plain_text(self, read_whole_number("width", width, 1))

    def to_svg(self, other: Alignment | None = None) -> str:
        """Return the matrix as one SVG element that needs nothing else.

        Parameters
        ----------
        other : Alignment, optional
            That of another hypothesis with the same reference: its words come on the right, its
            matches as circles, its score beside this one's.

        Raises
        ------
        OptionError
            If the references differ.

        Examples
        --------
        >>> from cocarde import METEOR
        >>> meteor = METEOR()
        >>> first, second = (meteor.align(text, "the cat sat") for text in ("a cat sat", "cats sat"))
        >>> first.to_svg().startswith("<svg"), "circle" in first.to_svg(second)
        (True, True)
        """
        from cocarde.metrics.meteor.pictures import draw_svg

        if other is not None and other.reference != self.reference:
            raise OptionError(
                "other is an alignment with another reference; both need the same one"
            )
        return draw_svg(self, other)

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        from cocarde.core.renderers.html import escape

        return (
            f"<div style='overflow-x:auto' title='{escape(str(self.score))}'>{self.to_svg()}</div>"
        )

    def __rich__(self) -> Any:
        from cocarde.metrics.meteor.pictures import RichAlignment

        return RichAlignment(self)
