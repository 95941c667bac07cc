"""How an alignment looks: a matrix of signs for terminals and texts, SVG for pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from cocarde._display import cell_width, graphemes, shown_token
from cocarde.core.renderers.html import escape

if TYPE_CHECKING:
    from cocarde.metrics.meteor.alignment import Alignment, WordMatch

__all__ = ["SIGNS", "RichAlignment", "draw_svg", "plain_text"]

SIGNS = {"exact": "●", "stem": "◐", "synonym": "◇", "paraphrase": "▭"}
_NO_MATCH = "·"
_TERMINAL_STYLES = {
    "exact": "green",
    "stem": "cyan",
    "synonym": "yellow",
    "paraphrase": "magenta",
    "": "",
    "none": "dim",
}
# A column of longer words is hard to read downwards.
_TALLEST_HEADER = 24

# A line in pieces, each with the stage (or "none", or "") that its colour tells of.
Line = list[tuple[str, str]]


def _padded(text: str, width: int) -> str:
    return text + " " * (width - cell_width(text))


def _stages_of(alignment: Alignment) -> dict[int, str]:
    """The stage that matched each word of the hypothesis, by place."""
    return {
        place: match.stage
        for match in alignment.matches
        for place in range(match.hypothesis_start, match.hypothesis_end)
    }


def _chunk_of(alignment: Alignment) -> dict[int, int]:
    """The number of the chunk, from 1, of each matched word of the hypothesis."""
    return {
        place: number
        for number, run in enumerate(alignment.chunks, 1)
        for match in run
        for place in range(match.hypothesis_start, match.hypothesis_end)
    }


def _legend(alignments: Iterable[Alignment]) -> list[str]:
    found = {match.stage for alignment in alignments for match in alignment.matches}
    return [stage for stage in SIGNS if stage in found]


def _lines(alignment: Alignment, width: int) -> list[Line]:
    if not alignment.hypothesis or not alignment.reference:
        side = "hypothesis" if not alignment.hypothesis else "reference"
        return [[(f"the {side} has no words", "")]]
    matrix = _matrix(alignment, width)
    return list(_list(alignment, width)) if matrix is None else matrix


def _matrix(alignment: Alignment, width: int) -> list[Line] | None:
    """Return the matrix, or None if it has no room."""
    rows = [shown_token(word) for word in alignment.hypothesis]
    columns = [graphemes(shown_token(word)) for word in alignment.reference]
    label = max(map(cell_width, rows))
    height = max(map(len, columns))
    chunks = _chunk_of(alignment)
    room = label + 2 * len(columns) + 2 + len(str(len(alignment.chunks)))
    if room > width or height > _TALLEST_HEADER:
        return None
    lines: list[Line] = []
    for level in range(-height, 0):
        letters = (word[level] if -level <= len(word) else " " for word in columns)
        lines.append([(" " * (label + 1) + "".join(_padded(one, 2) for one in letters), "")])
    stages = _stages_of(alignment)
    marks: dict[int, dict[int, str]] = {}
    for match in alignment.matches:
        for row in range(match.hypothesis_start, match.hypothesis_end):
            for column in range(match.reference_start, match.reference_end):
                marks.setdefault(row, {})[column] = match.stage
    for row, word in enumerate(rows):
        line: Line = [(_padded(word, label) + " ", stages.get(row, "none"))]
        for column in range(len(columns)):
            stage = marks.get(row, {}).get(column)
            line.append((f"{_NO_MATCH} ", "none") if stage is None else (f"{SIGNS[stage]} ", stage))
        if row in chunks:
            line.append((f" {chunks[row]}", ""))
        lines.append(line)
    lines.append([])
    legend = [(f"{SIGNS[stage]} {stage}", stage) for stage in _legend([alignment])]
    if not legend:
        return [*lines, [("nothing matches", "")]]
    lines += _folded(legend, width, "  ", "")
    note = "; on the right the number of the chunk"
    if sum(cell_width(text) for text, _ in lines[-1]) + len(note) <= width:
        lines[-1].append((note, ""))
    else:
        lines += _folded([(word, "") for word in note[2:].split()], width, " ", "")
    return lines


def _list(alignment: Alignment, width: int) -> Iterator[Line]:
    """Yield the matches by chunk, then what is not matched."""
    for number, run in enumerate(alignment.chunks, 1):
        places = (
            _range(run[0].hypothesis_start, run[-1].hypothesis_end),
            _range(run[0].reference_start, run[-1].reference_end),
        )
        title = f"chunk {number}: hypothesis {places[0]}, reference {places[1]}"
        yield from _folded([(word, "") for word in title.split()], width, " ", "")
        pieces = [(_pair(alignment, match), match.stage) for match in run]
        yield from _folded(pieces, width, "  ", "  ")
    for name, words, taken in (
        ("hypothesis", alignment.hypothesis, set(_stages_of(alignment))),
        (
            "reference",
            alignment.reference,
            {k for m in alignment.matches for k in range(m.reference_start, m.reference_end)},
        ),
    ):
        left = [(shown_token(word), "none") for k, word in enumerate(words) if k not in taken]
        if left:
            heading = f"not matched in the {name}:"
            yield from _folded([(word, "") for word in heading.split()], width, " ", "")
            yield from _folded(left, width, " ", "  ")
    legend = [(f"{SIGNS[stage]} {stage}", stage) for stage in _legend([alignment])]
    if legend:
        yield []
        yield from _folded(legend, width, "  ", "")


def _range(start: int, end: int) -> str:
    return f"word {start + 1}" if end == start + 1 else f"words {start + 1}–{end}"


def _words_of(alignment: Alignment, match: WordMatch) -> tuple[str, str]:
    """Both sides of a match."""
    hypothesis = alignment.hypothesis[match.hypothesis_start : match.hypothesis_end]
    reference = alignment.reference[match.reference_start : match.reference_end]
    return " ".join(map(shown_token, hypothesis)), " ".join(map(shown_token, reference))


def _pair(alignment: Alignment, match: WordMatch) -> str:
    hypothesis, reference = _words_of(alignment, match)
    same = match.stage == "exact" and hypothesis == reference
    return f"{SIGNS[match.stage]} {hypothesis}" + ("" if same else f" – {reference}")


def _folded(
    pieces: Sequence[tuple[str, str]], width: int, gap: str, indentation: str
) -> Iterator[Line]:
    """Yield lines of pieces; a piece that is wider than a line has one to itself."""
    line: Line = []
    filled = 0
    for text, style in pieces:
        room = cell_width(text)
        if line and filled + len(gap) + room > width:
            yield line
            line, filled = [], 0
        lead = gap if line else indentation
        line += [(lead, ""), (text, style)]
        filled += len(lead) + room
    if line:
        yield line


def plain_text(alignment: Alignment, width: int) -> str:
    """Return the picture in plain text."""
    lines = _lines(alignment, width)
    return "\n".join("".join(text for text, _ in line).rstrip() for line in lines)


class RichAlignment:
    """An alignment as the library rich prints it: coloured, as wide as the terminal."""

    def __init__(self, alignment: Alignment) -> None:
        self.alignment = alignment

    def __rich_console__(self, console: Any, options: Any) -> Iterator[Any]:
        """Yield the lines."""
        from rich.text import Text

        for line in _lines(self.alignment, options.max_width):
            text = Text(overflow="fold")
            for piece, stage in line:
                text.append(piece, style=_TERMINAL_STYLES[stage])
            text.rstrip()
            yield text


# --------------------------------------------------------------------------------------------------
# SVG

_CELL = 20
_LETTER = 7.6  # pixels of a cell of text; a wide font has some reserve
_LINE = 18
_PANEL = 250
_FILLS = {"exact": "#8fd19e", "stem": "#8ec7e8", "synonym": "#f5d67b", "paraphrase": "#d9b3ea"}
_STROKES = {"exact": "#1b5e20", "stem": "#0d4f7a", "synonym": "#7a5900", "paraphrase": "#5e1a78"}
_INK, _GRID, _CHUNK = "#222222", "#dddddd", "#b71c1c"
_NUMBERS = (
    ("score", "METEOR", 2),
    ("precision", "P", 2),
    ("recall", "R", 2),
    ("fmean", "Fmean", 2),
    ("fragmentation_penalty", "penalty", 4),
    ("chunks", "chunks", 0),
)


def _room(words: Sequence[str]) -> float:
    return 12 + _LETTER * max((cell_width(shown_token(word)) for word in words), default=0)


def _text(x: float, y: float, text: str, more: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}"{more}>{escape(text)}</text>'


def draw_svg(alignment: Alignment, other: Alignment | None) -> str:
    """Return the matrix of one or two alignments as an SVG element."""
    columns = len(alignment.reference)
    rows = max(len(alignment.hypothesis), 0 if other is None else len(other.hypothesis))
    left, top = _room(alignment.hypothesis), _room(alignment.reference)
    right = 12 if other is None else _room(other.hypothesis)
    edge, floor = left + columns * _CELL, top + rows * _CELL
    panel = list(_panel(alignment, other))
    legend = _legend([alignment] if other is None else [alignment, other])
    width = edge + right + _PANEL
    height = max(floor, (len(panel) + 1) * _LINE) + 2 * _LINE + 12
    size = f'width="{width:g}" height="{height:g}"'
    style = f'role="img" font-family="sans-serif" font-size="13" fill="{_INK}"'
    view = f'viewBox="0 0 {width:g} {height:g}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {view} {style}>',
        "<title>METEOR: hypothesis words down, reference words across</title>",
        f'<rect {size} fill="#ffffff"/>',
    ]
    parts += _grid(left, top, columns, rows)
    for place, word in enumerate(alignment.reference):
        x = left + place * _CELL + 14
        turned = f' transform="rotate(-90 {x:g} {top - 6:g})"'
        parts.append(_text(x, top - 6, shown_token(word), turned))
    for place, word in enumerate(alignment.hypothesis):
        parts.append(
            _text(left - 6, top + place * _CELL + 14, shown_token(word), ' text-anchor="end"')
        )
    parts += _cells(alignment, left, top)
    parts += _chunk_boxes(alignment, left, top)
    if other is not None:
        for place, word in enumerate(other.hypothesis):
            parts.append(_text(edge + 6, top + place * _CELL + 14, shown_token(word)))
        parts += _circles(other, left, top)
    for number, line in enumerate(panel, 1):
        parts.append(_text(edge + right + 12, number * _LINE, line, ' xml:space="preserve"'))
    x, y = 12.0, height - 14
    for stage in legend:
        parts.append(
            f'<rect x="{x:g}" y="{y - 11:g}" width="12" height="12" fill="{_FILLS[stage]}"/>'
        )
        parts.append(_text(x + 16, y, stage))
        x += 30 + _LETTER * len(stage)
    return "".join([*parts, "</svg>"])


def _panel(alignment: Alignment, other: Alignment | None) -> Iterator[str]:
    """Yield the lines beside the matrix."""
    for name, label, digits in _NUMBERS:
        value = getattr(alignment.score, name)
        if other is None:
            yield f"{label} = {value:.{digits}f}"
        else:
            second = getattr(other.score, name)
            yield (
                f"{label} = {value:.{digits}f}, {second:.{digits}f} ({second - value:+.{digits}f})"
            )
    if other is not None:
        yield "words on the left: filled cells"
        yield "words on the right: circles"


def _grid(left: float, top: float, columns: int, rows: int) -> Iterator[str]:
    edge, floor = left + columns * _CELL, top + rows * _CELL
    path = [f"M{left + k * _CELL:g} {top:g}V{floor:g}" for k in range(columns + 1)]
    path += [f"M{left:g} {top + k * _CELL:g}H{edge:g}" for k in range(rows + 1)]
    yield f'<path d="{"".join(path)}" stroke="{_GRID}" fill="none"/>'


def _cells(alignment: Alignment, left: float, top: float) -> Iterator[str]:
    for match in alignment.matches:
        hypothesis, reference = _words_of(alignment, match)
        x, y, width, height = _box((match,), left, top)
        yield (
            f'<rect class="match" data-stage="{match.stage}" x="{x:g}" y="{y:g}" width="{width:g}" '
            f'height="{height:g}" fill="{_FILLS[match.stage]}">'
            f"<title>{escape(f'{match.stage}: {hypothesis} – {reference}')}</title></rect>"
        )


def _chunk_boxes(alignment: Alignment, left: float, top: float) -> Iterator[str]:
    for run in alignment.chunks:
        x, y, width, height = _box(run, left, top)
        yield (
            f'<rect class="chunk" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" '
            f'fill="none" stroke="{_CHUNK}" stroke-width="1.5"/>'
        )


def _box(run: Sequence[WordMatch], left: float, top: float) -> tuple[float, float, float, float]:
    """Place and size of the rectangle around matches of one chunk."""
    first, last = run[0], run[-1]
    return (
        left + first.reference_start * _CELL,
        top + first.hypothesis_start * _CELL,
        (last.reference_end - first.reference_start) * _CELL,
        (last.hypothesis_end - first.hypothesis_start) * _CELL,
    )


def _circles(alignment: Alignment, left: float, top: float) -> Iterator[str]:
    for match in alignment.matches:
        hypothesis, reference = _words_of(alignment, match)
        colour = _STROKES[match.stage]
        fill = colour if match.stage == "exact" else "none"
        title = f"<title>{escape(f'{match.stage}: {hypothesis} – {reference}')}</title>"
        for row in range(match.hypothesis_start, match.hypothesis_end):
            for column in range(match.reference_start, match.reference_end):
                x, y = left + (column + 0.5) * _CELL, top + (row + 0.5) * _CELL
                yield (
                    f'<circle class="match" data-stage="{match.stage}" cx="{x:g}" cy="{y:g}" r="5" '
                    f'fill="{fill}" stroke="{colour}" stroke-width="2">{title}</circle>'
                )
