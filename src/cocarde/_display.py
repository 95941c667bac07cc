"""Text as a terminal shows it: tokens that can be read on one line, and how wide they are."""

from __future__ import annotations

import unicodedata

__all__ = ["cell_width", "graphemes", "shown_token"]


def shown_token(token: str | int) -> str:
    r"""Return a token so that it can be read on one line.

    White space, control characters and lone surrogates come as escapes, an empty token as ``""``.

    Examples
    --------
    >>> from cocarde._display import shown_token
    >>> shown_token("word"), shown_token(7), shown_token("")
    ('word', '7', '""')
    >>> print(shown_token("a b"), shown_token("x\u2028"))
    a\x20b x\u2028
    """
    if not isinstance(token, str):
        return str(token)
    if token == "":
        return '""'
    if token.isprintable() and " " not in token:
        return token
    return "".join(map(_shown_character, token))


def _shown_character(character: str) -> str:
    if character == " ":
        return "\\x20"
    if character.isprintable():
        return character
    return character.encode("unicode_escape").decode("ascii")


def cell_width(text: str) -> int:
    """Return how many cells of a terminal the text fills: two for Chinese, none for accents."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def graphemes(text: str) -> list[str]:
    r"""Return the characters of a text, each with the marks that stand on it.

    Examples
    --------
    >>> len(graphemes("e\u0301a"))
    2
    """
    found: list[str] = []
    for character in text:
        if found and (unicodedata.combining(character) or not cell_width(character)):
            found[-1] += character
        else:
            found.append(character)
    return found
