"""What a tokenizer is, and the two plain kinds: a native one and a user's function."""

from __future__ import annotations

import importlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from cocarde import _native
from cocarde.errors import InputError, MissingExtraError, OptionError

__all__ = [
    "CallableTokenizer",
    "LowercaseMode",
    "NativeTokenizer",
    "Tokenizer",
    "import_extra",
    "lowercase",
    "require_text",
]

LowercaseMode = Literal["unicode", "ascii", "simple"]

_ASCII_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}


def lowercase(text: str, mode: LowercaseMode) -> str:
    """Lower-case a text as one of the reference implementations does.

    Parameters
    ----------
    text : str
        Any text.
    mode : {"unicode", "ascii", "simple"}
        ``"unicode"`` is ``str.lower()``; ``"ascii"`` changes A-Z alone, as Perl does with bytes and
        ``tr``; ``"simple"`` is Perl's ``lc``: character by character, so that a capital sigma has
        the same lower case at the end of a word as elsewhere.

    Raises
    ------
    OptionError
        If the mode is none of these.

    Examples
    --------
    >>> [lowercase("ΟΔΟΣ A", mode) for mode in ("unicode", "ascii", "simple")]
    ['οδος a', 'ΟΔΟΣ a', 'οδοσ a']
    """
    require_text(text)
    if mode == "unicode":
        return text.lower()
    if mode == "ascii":
        return text.translate(_ASCII_LOWER)
    if mode == "simple":
        return "".join(map(str.lower, text))
    raise OptionError(f"lowercase mode {mode!r}: it must be 'unicode', 'ascii' or 'simple'")


def import_extra(module: str, *, extra: str, purpose: str) -> Any:
    """Import an optional module, or say which extra brings it.

    Raises
    ------
    MissingExtraError
        If the module is not installed; the message holds the command that installs it.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingExtraError(
            f"{purpose} needs the module {module!r}, which cannot be imported ({error}): "
            f"pip install 'cocarde[{extra}]'"
        ) from error


def require_text(text: object) -> None:
    """Refuse what is no text.

    Raises
    ------
    InputError
        If it is not a `str`.
    """
    if not isinstance(text, str):
        raise InputError(f"a text (str) is needed, found {type(text).__name__}")


class Tokenizer(ABC):
    """A text's way to tokens: an immutable value, hashable, picklable, safe to share by threads.

    Attributes
    ----------
    name : str
        What ``tokenize=`` takes.
    signature : str
        What stands for it in a metric's signature: sacreBLEU's words where it has them.
    native : str or None
        Its name among the native tokenizers; None if it runs in Python.
    native_lowercase : str or None
        The native tokenizer that also lower-cases where the reference does, amid its steps. None if
        the reference lower-cases before it tokenizes; then `lowercase_mode` says how.
    lowercase_mode : {"unicode", "ascii", "simple"}
        How its reference implementation lower-cases; see `lowercase`.
    """

    name: str
    native: str | None = None
    native_lowercase: str | None = None
    lowercase_mode: LowercaseMode = "unicode"

    @property
    def signature(self) -> str:
        """What stands for it in a metric's signature."""
        return self.name

    @abstractmethod
    def __call__(self, text: str) -> list[str]:
        """Return the tokens of a text."""

    def lowercased(self, text: str) -> list[str]:
        """Return the tokens of a text, lower-cased as and when the reference implementation does.

        Examples
        --------
        >>> from cocarde import tokenizers
        >>> tokenizers.get("mteval-v13a").lowercased("R&amp;D &LT; É")
        ['r', '&', 'd', '&', 'lt', ';', 'É']
        """
        return self(lowercase(text, self.lowercase_mode))


@dataclass(frozen=True)
class NativeTokenizer(Tokenizer):
    """A tokenizer of the native core.

    Parameters
    ----------
    name : str
        What ``tokenize=`` takes.
    native, native_lowercase, lowercase_mode
        See `Tokenizer`.

    Examples
    --------
    >>> NativeTokenizer("13a", "13a")("It cost 1,000.50 euros.")
    ['It', 'cost', '1,000.50', 'euros', '.']
    """

    name: str
    # Without field() the class attribute of Tokenizer would become its default.
    native: str = field()
    native_lowercase: str | None = None
    lowercase_mode: LowercaseMode = "unicode"

    def __call__(self, text: str) -> list[str]:
        """Return the tokens of a text."""
        require_text(text)
        return _native.tokenize(self.native, text)

    def lowercased(self, text: str) -> list[str]:
        """Return the tokens of a text, lower-cased as and when the reference does."""
        if self.native_lowercase is None:
            return super().lowercased(text)
        require_text(text)
        return _native.tokenize(self.native_lowercase, text)


@dataclass(frozen=True)
class CallableTokenizer(Tokenizer):
    """A user's function from a text to its tokens.

    Parameters
    ----------
    function : callable
        Takes a `str`, returns its tokens: an iterable of `str`. Called by one thread at a time. It
        must be hashable, and importable by name for the metric to be pickled.
    name : str, optional
        Stands in the signature. By default the name of the function.

    Raises
    ------
    OptionError
        If the function has no name, or the name cannot stand in a signature or is that of another
        tokenizer.

    Examples
    --------
    >>> CallableTokenizer(str.split, name="plain-words")("a b")
    ['a', 'b']
    """

    function: Callable[[str], Iterable[str]]
    name: str = ""

    def __post_init__(self) -> None:
        function: object = self.function
        if not callable(function):
            found = type(function).__name__
            raise OptionError(f"tokenize: a function from text to tokens is needed, not {found}")
        name = self.name or getattr(self.function, "__name__", "")
        fix = "pass a named function or CallableTokenizer(function, name=...)"
        if not name or name == "<lambda>":
            raise OptionError(
                f"tokenize: {self.function!r} has no name for the signature to print; {fix}"
            )
        if any(c.isspace() or c in "|:" for c in name):
            raise OptionError(
                f"tokenize: the name {name!r} has white space, '|' or ':' in it, which a signature "
                f"cannot hold; {fix}"
            )
        from cocarde.tokenizers import names  # the registry imports this module

        if name in names():
            raise OptionError(
                f"tokenize: {name!r} is the name of another tokenizer, and the signature would "
                "claim that one; give yours another name: CallableTokenizer(function, name=...)"
            )
        object.__setattr__(self, "name", name)

    def __call__(self, text: str) -> list[str]:
        """Return the tokens of a text.

        Raises
        ------
        InputError
            If the function returns anything but strings, or one string.
        """
        require_text(text)
        tokens: object = self.function(text)  # a user's function may return anything
        if isinstance(tokens, (str, bytes)) or not isinstance(tokens, Iterable):
            raise InputError(
                f"the tokenizer {self.name!r} returned {type(tokens).__name__} for {text[:40]!r}; "
                "it must return a list of strings"
            )
        result: list[str] = []
        for index, token in enumerate(tokens):
            if not isinstance(token, str):
                raise InputError(
                    f"the tokenizer {self.name!r} returned {type(token).__name__} as token {index} "
                    f"of {text[:40]!r}; every token must be a string"
                )
            result.append(token)
        return result
