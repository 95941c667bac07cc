"""Signatures: the options and versions behind a score, printed and parsed."""

from __future__ import annotations

from dataclasses import dataclass, field

from cocarde.errors import OptionError

__all__ = [
    "DATA_KEYS",
    "RUN_KEYS",
    "TOKENS",
    "Signature",
]


# The tokenizer that signatures name for tokens that came as they are.
TOKENS = "none"

# Keys of a run: no option of a metric has one of these.
RUN_KEYS = frozenset({"nrefs", "fit", "test", "bs", "ar", "seed", "level", "version", "cocarde"})
# What sacreBLEU says of the data.
DATA_KEYS = frozenset({"lang", "origlang", "subset"})


@dataclass(frozen=True)
class Signature:
    """The options and versions behind a score, as ``key:value`` pairs joined by ``|``.

    Attributes
    ----------
    pairs : tuple of (str, str)
        In printing order.
    name : str
        The score's name, where it stood before the pairs.

    Examples
    --------
    >>> from cocarde import Signature
    >>> signature = Signature.parse("nrefs:1|case:lc|eff:no|tok:intl|smooth:exp|version:2.6.0")
    >>> signature["tok"]
    'intl'
    >>> str(signature)
    'nrefs:1|case:lc|eff:no|tok:intl|smooth:exp|version:2.6.0'
    """

    pairs: tuple[tuple[str, str], ...]
    name: str = field(default="", compare=False)

    @staticmethod
    def parse(text: str) -> Signature:
        """Read a printed signature, sacreBLEU's included.

        Parameters
        ----------
        text : str
            ``key:value`` pairs joined by ``|``; a score's name may stand before them (``BLEU|nrefs:1|…``).
            Those of sacreBLEU 1.x (``BLEU+case.mixed+numrefs.1+…``) come with today's keys and values.

        Returns
        -------
        Signature

        Raises
        ------
        OptionError
            If a part is not ``key:value``, or a key stands twice.
        """
        if not isinstance(text, str):
            raise OptionError(f"a signature is a str, found a {type(text).__name__}")
        if "|" not in text and ":" not in text and "+" in text:
            text = _of_today(text)
        parts = text.strip().split("|")
        name = ""
        if len(parts) > 1 and ":" not in parts[0] and parts[0].strip():
            name, parts = parts[0].strip(), parts[1:]
        pairs: list[tuple[str, str]] = []
        for part in parts:
            key, colon, value = part.partition(":")
            if not colon or not key:
                raise OptionError(
                    f"a signature is key:value pairs joined by '|'; found the part {part!r} in {text!r}"
                )
            if any(key == other for other, _ in pairs):
                raise OptionError(f"the key {key!r} stands twice in the signature {text!r}")
            pairs.append((key, value))
        return Signature(tuple(pairs), name)

    def __getitem__(self, key: str) -> str:
        return dict(self.pairs)[key]

    def __contains__(self, key: object) -> bool:
        return key in dict(self.pairs)

    def to_dict(self) -> dict[str, str]:
        """Return the pairs as a dictionary."""
        return dict(self.pairs)

    def __str__(self) -> str:
        return "|".join(f"{key}:{value}" for key, value in self.pairs)


# What sacreBLEU 1.x prints, in full and with --short, beside what is printed today.
_OLD_KEYS = {
    "numrefs": "nrefs",
    "numchars": "nc",
    "#": "nrefs",
    "c": "case",
    "l": "lang",
    "s": "smooth",
    "t": "test",
    "v": "version",
    "o": "origlang",
    "S": "subset",
    "n": "nc",
}

# One key holds all options of TER.
_OLD_TER = {
    "norm": "norm:yes",
    "nonorm": "norm:no",
    "punct": "punct:yes",
    "nopunct": "punct:no",
    "asian": "asian:yes",
    "noasian": "asian:no",
    "cased": "case:mixed",
    "uncased": "case:lc",
}


def _of_today(text: str) -> str:
    """Return a signature of sacreBLEU 1.x in the form of today's."""
    first, *rest = text.strip().split("+")
    parts = [first] if "." not in first else [_part_of_today(first, "")]
    return "|".join([*parts, *(_part_of_today(part, first) for part in rest)])


def _part_of_today(part: str, name: str) -> str:
    key, _, value = part.partition(".")
    if key == "s" and name.startswith("chrF"):
        key = "space"
    key = _OLD_KEYS.get(key, key)
    if key == "space":
        value = {"true": "yes", "false": "no"}.get(value.lower(), value)
    if key == "tok" and value.startswith("tercom-"):
        words = value.split("-")[1:]
        return "|".join(["tok:tercom", *(_OLD_TER.get(word, word) for word in words)])
    return f"{key}:{value}" if value else part
