"""Options about tokens, for every metric that has them: the tokenizer, ignored ids, the vocabulary."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from cocarde import tokenizers
from cocarde.core.options import Key, Kind, option
from cocarde.errors import OptionError

__all__ = ["TOKENIZER", "ignored_ids_option", "vocabulary_option"]


def _read_tokenizer(name: str, value: object) -> Any:
    found = tokenizers.get(value)  # type: ignore[arg-type]
    return found.name if isinstance(value, str) else found


TOKENIZER = Kind(
    _read_tokenizer,
    lambda value: tokenizers.get(value).signature,
    tokenizers.name_from_signature,
    parse=str,
    form=lambda value: value if isinstance(value, str) else value.name,
    described="a name, a Tokenizer or a function from a text to its tokens",
    values=tokenizers.names,
)
"""How texts become tokens: its name, where it was given by name; else the `Tokenizer`."""


def ignored_ids_option() -> Any:
    """Declare `ignore_ids`: once the options are read, a frozenset of ids."""
    return option(
        Kind(
            lambda name, value: value,
            lambda value: ",".join(map(str, sorted(value))),
            _read_ids,
            described="ids with commas between, or a predicate on the words of the vocabulary",
        ),
        (),
        "Integer tokens that are dropped, such as padding.",
        key=Key("ignore", _write_ignored, lambda text: {"ignore_ids": _read_ids(text)}),
        settle=_settle_ignored,
        flag="",
    )


def vocabulary_option() -> Any:
    """Declare `vocabulary`: a tuple of words or None; a signature has no more than their number."""
    return option(
        Kind(
            lambda name, value: read_vocabulary(value),
            described="a list of words in the order of their ids",
        ),
        None,
        "The word behind each id.",
        shown=False,
        key=Key("vocabulary", _write_vocabulary, lambda text: {}),
        flag="",
    )


def _settle_ignored(metric: Any, value: Any) -> frozenset[int]:
    words = metric.vocabulary
    return resolve_ignored(value, None if words is None else read_vocabulary(words))


def _write_ignored(metric: Any, level: str, tokens: bool) -> str | None:
    return ",".join(map(str, sorted(metric.ignore_ids))) or None


def _write_vocabulary(metric: Any, level: str, tokens: bool) -> str | None:
    return None if metric.vocabulary is None else str(len(metric.vocabulary))


def _read_ids(text: str) -> list[int]:
    if not text:
        return []
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise ValueError("ids with commas between are needed") from None


def read_vocabulary(vocabulary: object) -> tuple[str, ...]:
    """Read `vocabulary`: the word behind each id, in the order of the ids.

    Raises
    ------
    OptionError
        If it is a mapping, or holds something that is not a str.
    """
    if isinstance(vocabulary, (str, bytes, Mapping, AbstractSet)) or not isinstance(
        vocabulary, Iterable
    ):
        raise OptionError(
            f"vocabulary must be a list of words in the order of their ids, found a "
            f"{type(vocabulary).__name__}; of a dictionary of ids: sorted(ids, key=ids.get)"
        )
    words = tuple(vocabulary)
    for number, word in enumerate(words):
        if not isinstance(word, str):
            raise OptionError(f"vocabulary[{number}] is {word!r}, not a str")
    return words


def resolve_ignored(
    ignore_ids: Iterable[int] | Callable[[str], bool], vocabulary: Sequence[str] | None
) -> frozenset[int]:
    """Read `ignore_ids`: ids, or a predicate on the words of the vocabulary.

    Raises
    ------
    OptionError
        If it is a predicate without a vocabulary, or holds something that is not an int.
    """
    if callable(ignore_ids):
        if vocabulary is None:
            raise OptionError(
                "ignore_ids as a predicate needs vocabulary=, the word behind each id"
            )
        return frozenset(number for number, word in enumerate(vocabulary) if ignore_ids(word))
    if not isinstance(ignore_ids, Iterable):
        raise OptionError(
            f"ignore_ids is a collection of ids or a predicate on words, found {ignore_ids!r}"
        )
    ids = []
    for item in ignore_ids:
        index = getattr(item, "__index__", None)
        if index is None or isinstance(item, bool):
            raise OptionError(
                f"ignore_ids holds {item!r}; it takes ids (int) or a predicate on words"
            )
        ids.append(int(index()))
    outside = [
        number for number in ids if vocabulary is not None and not 0 <= number < len(vocabulary)
    ]
    if outside and vocabulary is not None:
        raise OptionError(
            f"ignore_ids holds {outside[0]}, outside the vocabulary of {len(vocabulary)}"
        )
    return frozenset(ids)
