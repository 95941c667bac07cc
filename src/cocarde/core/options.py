"""Options of metrics, each declared once.

An option is one field of its metric's class, made by `option`: which values it takes, its default, what
it means, and how a signature writes it. From that one declaration come the constructor's checks, the
signature and its reader, the flag of the command line with its completion, the list of
``cocarde metrics`` and the tables of the documentation.

A metric is a dataclass on top of `Declared`. Its options stand in the order in which a signature prints
their keys; what one of them is by default may follow from those before it (`derive`); what
holds between several is said in one method, `check_together`.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

from cocarde._util.checks import (
    read_choice,
    read_flag,
    read_number,
    read_whole_number,
)
from cocarde.core.signature import DATA_KEYS, RUN_KEYS, Signature
from cocarde.errors import CocardeError, OptionError

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = [
    "Declared",
    "Key",
    "Kind",
    "Option",
    "choice",
    "default_of",
    "flag",
    "is_release",
    "keys_of",
    "number",
    "option",
    "options_of",
    "read_whole",
    "short",
    "split_names",
    "whole",
]


# --------------------------------------------------------------------------------------------------
# Kinds of values


@dataclass(frozen=True)
class Kind:
    """The values that an option takes.

    Attributes
    ----------
    check : callable
        ``check(name, value)`` returns the value in its one form, or raises `OptionError`.
    write, read : callable
        To and from the text of a signature; `read` raises ValueError where it cannot.
    parse, form : callable or None
        From the text of a command line or of a metric specification, and to it; by default `read`
        and `write`.
    described : str
        For lists of options, such as "a whole number from 1 to 9".
    values : callable or None
        Returns the names that there are, for completion.
    several : bool
        Whether a flag of the command line may be repeated, or its value has commas.
    is_flag : bool
        Whether the command line takes it without a value.
    """

    check: Callable[[str, Any], Any]
    write: Callable[[Any], str] = str
    read: Callable[[str], Any] = str
    parse: Callable[[str], Any] | None = None
    form: Callable[[Any], str] | None = None
    described: str = ""
    values: Callable[[], Iterable[str]] | None = None
    several: bool = False
    is_flag: bool = False


def short(value: float) -> str:
    """Write a number so that it reads back, and a whole one without a point."""
    return str(int(value)) if value == int(value) else repr(value)


def split_names(text: str) -> tuple[str, ...]:
    """Read names with commas between."""
    return tuple(name.strip() for name in text.split(","))


def is_release(version: str) -> bool:
    """Whether a version is made of numbers, as sacreBLEU's are."""
    return re.fullmatch(r"[0-9]+(\.[0-9]+)*", version) is not None


def read_whole(text: str) -> int:
    """Read a whole number as a signature prints it; raises ValueError."""
    if re.fullmatch("[0-9]+", text) is None:
        raise ValueError("a whole number is needed")
    return int(text)


def _read_float(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError("a number is needed") from None


def whole(least: int, most: int | None = None) -> Kind:
    """A whole number from `least` to `most`."""
    bounds = f"of at least {least}" if most is None else f"from {least} to {most}"
    return Kind(
        lambda name, value: read_whole_number(name, value, least, most),
        read=read_whole,
        parse=int,
        described=f"a whole number {bounds}",
    )


def number(
    least: float, most: float | None = None, *, write: Callable[[float], str] = short
) -> Kind:
    """A finite number from `least` to `most`."""
    bounds = f"of at least {least:g}" if most is None else f"from {least:g} to {most:g}"
    return Kind(
        lambda name, value: read_number(name, value, least, most),
        write,
        _read_float,
        described=f"a number {bounds}",
    )


def choice(values: Iterable[str] | Callable[[], Iterable[str]]) -> Kind:
    """One of several names."""
    found = values if callable(values) else lambda: values
    return Kind(
        lambda name, value: read_choice(name, value, found()),
        described="one of " + ", ".join(found()) if not callable(values) else "a name",
        values=found,
    )


def flag(yes: str = "yes", no: str = "no") -> Kind:
    """True or False; `yes` and `no` are what a signature says for them."""

    def read(text: str) -> bool:
        if text not in (yes, no):
            raise ValueError(f"{yes} or {no} is needed")
        return text == yes

    def parse(text: str) -> bool:
        if text.lower() not in ("true", "yes", "false", "no"):
            raise ValueError("true or false")
        return text.lower() in ("true", "yes")

    return Kind(
        read_flag,
        lambda value: yes if value else no,
        read,
        parse,
        lambda value: "true" if value else "false",
        "true or false",
        is_flag=True,
    )


# --------------------------------------------------------------------------------------------------
# Declarations


@dataclass(frozen=True)
class Key:
    """What a signature prints under one key, where that is not one option's own value.

    It is the `key` of an option, or stands between the options as an attribute of the class.

    Attributes
    ----------
    name : str
    write : callable
        ``write(metric, level, tokens)`` returns the text, or None where nothing is printed.
    read : callable
        From the text to options by name; raises ValueError where it cannot.
    """

    name: str
    write: Callable[[Any, str, bool], str | None]
    read: Callable[[str], dict[str, Any]]


@dataclass(frozen=True)
class Option:
    """The declaration of an option.

    Attributes
    ----------
    kind : Kind
    help : str
        What it is, in a sentence.
    key : str or Key
        Its key in a signature; empty where another option's key prints it, or where it cannot
        change a score.
    always : bool
        Whether the key is printed even where the value is the default.
    derive : callable or None
        ``derive(metric)`` is the default where None is given; it may look at the options before.
    settle : callable or None
        ``settle(metric, value)`` is the checked value's form beside the other options, of which those
        after it are as they were given.
    of_tokens : str or None
        What is printed for tokens, which no tokenizer touched; by default what is printed for texts.
        Empty: nothing.
    flag : str or None
        The flag of the command line; by default the name with dashes. Empty: there is none.
    short_flag : str
        Another, short flag.
    metavar : str
        What the command line calls its value.
    joined : str
        What stands between the values of a flag that is given several times.
    """

    kind: Kind
    help: str
    key: str | Key = ""
    always: bool = False
    derive: Callable[[Any], Any] | None = None
    settle: Callable[[Any, Any], Any] | None = None
    of_tokens: str | None = None
    flag: str | None = None
    short_flag: str = ""
    metavar: str = ""
    joined: str = ","

    def parse(self, name: str, text: str) -> Any:
        """Read the option's value from a command line or a metric specification.

        Raises
        ------
        OptionError
            If the text is none.
        """
        try:
            return (self.kind.parse or self.kind.read)(text)
        except CocardeError:
            raise
        except ValueError:
            wanted = self.kind.described or "what it takes"
            raise OptionError(
                f"{name}: {text!r} is not {wanted}", option=name, value=text
            ) from None

    def form(self, value: Any) -> str:
        """Write a value so that `parse` reads it."""
        return "none" if value is None else (self.kind.form or self.kind.write)(value)


def option(
    kind: Kind,
    default: Any,
    help: str,  # noqa: A002
    *,
    shown: bool = True,
    **rest: Any,
) -> Any:
    """Declare an option: a field of a metric's class; `rest` are attributes of `Option`.

    Where it is not `shown`, the metric's repr leaves it out.
    """
    declared = Option(kind, help, **rest)
    return dataclasses.field(default=default, repr=shown, metadata={"option": declared})


def _options_of(kind: Any) -> Mapping[str, Option]:
    """Return the declarations of a metric's class by name, in their order."""
    return {
        found.name: found.metadata["option"]
        for found in dataclasses.fields(kind)
        if "option" in found.metadata
    }


options_of: Callable[[Any], Mapping[str, Option]] = cache(_options_of)


def default_of(kind: Any, name: str) -> Any:
    """Return the default in the declaration of an option."""
    return kind.__dataclass_fields__[name].default


def _find_keys(kind: Any) -> Mapping[str, tuple[str, Option | Key]]:
    """Return what prints each key of a signature: options, and keys that stand between them."""
    declared = options_of(kind)
    keys: dict[str, tuple[str, Option | Key]] = {}
    for home in reversed(kind.__mro__):
        for name, value in vars(home).items():
            one: Option | Key | None = value if isinstance(value, Key) else declared.get(name)
            if isinstance(one, Option) and isinstance(one.key, Key):
                one = one.key
            if one is None:
                continue
            key = one.name if isinstance(one, Key) else str(one.key)
            if not key:
                continue
            if key in RUN_KEYS or (key in keys and keys[key][0] != name):
                raise TypeError(f"{kind.__name__}.{name}: the key {key!r} is taken")
            keys[key] = (name, one)
    return keys


keys_of: Callable[[Any], Mapping[str, tuple[str, Option | Key]]] = cache(_find_keys)


class Declared:
    """A metric whose options are declared; a frozen, keyword-only dataclass derives from it."""

    title: ClassVar[str] = ""
    """What messages call it, where that is not the name of its class."""
    OTHER_NAMES: ClassVar[Mapping[str, str]] = {}
    """What other conventions of the metric call an option, and what it is called here."""
    IMPLIED: ClassVar[frozenset[str]] = frozenset()
    """Options that follow from others, so that a specification does not say them."""

    def __new__(cls, *values: Any, **options: Any) -> Self:
        """Refuse keywords that there are not before the dataclass does, with the nearest that there is."""
        if not options.keys() <= getattr(cls, "__dataclass_fields__", {}).keys():
            cls.check_names(options)
        return super().__new__(cls)

    def __post_init__(self) -> None:
        """Bring each option to its one form, and check what holds between several."""
        for name, one in options_of(type(self)).items():
            value = getattr(self, name)
            if value is None and one.derive is not None:
                value = one.derive(self)
            # Where the default is None, that is a value too.
            if value is not None or default_of(type(self), name) is not None:
                try:
                    value = one.kind.check(name, value)
                except OptionError as error:
                    if error.option is None:
                        error.option, error.value = name, value
                    raise
                if one.settle is not None:
                    value = one.settle(self, value)
            object.__setattr__(self, name, value)
        self.check_together()

    def check_together(self) -> None:
        """Refuse what options are not together; nothing by default.

        Raises
        ------
        OptionError
        """

    def default_of(self, name: str) -> Any:
        """Return what an option is here if it is not given."""
        one = options_of(type(self))[name]
        default = default_of(type(self), name) if one.derive is None else one.derive(self)
        return None if default is None else one.kind.check(name, default)

    @classmethod
    def check_names(cls, given: Iterable[str]) -> None:
        """Refuse options that there are not, with the nearest that there is.

        Raises
        ------
        OptionError
        """
        known = options_of(cls)
        for name in given:
            if name not in known:
                raise OptionError(cls.unknown_option(name), option=name, choices=tuple(known))

    @classmethod
    def unknown_option(cls, name: str) -> str:
        """Say that there is no such option, and what may be meant."""
        known = list(options_of(cls))
        said = f"{cls.title or cls.__name__} has no option {name!r}"
        if name in cls.OTHER_NAMES:
            return f"{said}; say {cls.OTHER_NAMES[name]!r}, which is like it"
        from difflib import get_close_matches

        meant = get_close_matches(name, known, 1)
        hint = f"did you mean {meant[0]!r}? " if meant else ""
        return f"{said}; {hint}there are {', '.join(known)}"

    @classmethod
    def made(cls, options: Mapping[str, Any]) -> Self:
        """Return the metric with these options, after a check of their names."""
        cls.check_names(options)
        return cls(**options)

    # -- signatures

    def option_pairs(
        self, *, level: str = "corpus", tokens: bool = False
    ) -> Iterator[tuple[str, str]]:
        """Yield what a signature prints of the options, in order."""
        for key, (name, one) in keys_of(type(self)).items():
            if isinstance(one, Key):
                text = one.write(self, level, tokens)
            elif tokens and one.of_tokens is not None:
                text = one.of_tokens or None
            else:
                value = getattr(self, name)
                printed = one.always or value != self.default_of(name)
                text = one.kind.write(value) if printed else None
            if text is not None:
                yield key, text

    @classmethod
    def read_pairs(cls, signature: Signature, known: Iterable[str] = ()) -> dict[str, Any]:
        """Return the options that a signature prints.

        Parameters
        ----------
        signature : Signature
        known : iterable of str
            Options that are given beside it, so that what it says of them is not read.

        Raises
        ------
        OptionError
            If a key is neither an option's nor a run's, or a value cannot be read.
        """
        keys = keys_of(cls)
        options: dict[str, Any] = {}
        for key, text in signature.pairs:
            if key in keys:
                name, one = keys[key]
                if name in known:
                    continue
                try:
                    if isinstance(one, Key):
                        options.update(one.read(text))
                    else:
                        options[name] = one.kind.read(text)
                except OptionError:
                    raise
                except ValueError as error:
                    raise OptionError(
                        f"cannot read {key}:{text} of the signature {str(signature)!r}: {error}",
                        option=name,
                        value=text,
                    ) from None
            elif key not in RUN_KEYS | DATA_KEYS:
                raise OptionError(f"unknown key {key!r} in the signature {str(signature)!r}")
        return options

    def check_against(self, signature: Signature, known: Iterable[str]) -> None:
        """Check that options given beside a signature are those that it names.

        Raises
        ------
        OptionError
        """
        printed = dict(self.option_pairs())
        for key, text in signature.pairs:
            name, _ = keys_of(type(self)).get(key, ("", None))
            if name in known and printed.get(key, "") != text:
                raise OptionError(
                    f"{name} is not that of the signature, which has {key}:{text}; found "
                    f"{printed.get(key, 'nothing')}",
                    option=name,
                )
