"""Pieces by a SentencePiece model: FLORES's, spBLEU-1K's, or a model file of the user's."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from cocarde._util.cache import cache_folder
from cocarde.errors import InputError, MissingExtraError, OptionError
from cocarde.tokenizers.base import Tokenizer, import_extra, require_text

__all__ = ["SentencePieceTokenizer"]


class _Model(NamedTuple):
    signature: str
    file: str  # as sacreBLEU names it in its cache
    url: str


_FLORES_101 = _Model(
    "flores101",
    "sacrebleu_tokenizer_spm.model",
    "https://dl.fbaipublicfiles.com/fairseq/models/flores/sacrebleu_tokenizer_spm.model",
)
_MODELS = {
    "spm": _FLORES_101,  # the older name
    "flores101": _FLORES_101,
    "flores200": _Model(
        "flores200", "flores200sacrebleuspm", "https://tinyurl.com/flores200sacrebleuspm"
    ),
    "spBLEU-1K": _Model(
        "spBLEU-1K",
        "spbleu-1k_tokenizer_spm.model",
        "https://www.dlnlp.ai/spBLEU-1K/spbleu-1k_tokenizer_spm.model",
    ),
}


def _folders() -> list[Path]:
    """Return the folders where models are looked for, the first to be preferred."""
    named = os.environ.get("COCARDE_MODELS", "")
    sacrebleu = os.environ.get("SACREBLEU")
    return [
        *(Path(folder).expanduser() for folder in named.split(os.pathsep) if folder),
        _cache_folder(),
        (Path(sacrebleu) if sacrebleu else Path.home() / ".sacrebleu") / "models",
    ]


def _cache_folder() -> Path:
    return cache_folder() / "models"


def _locate(name: str) -> Path:
    """Return the file of a model with a name of its own."""
    model = _MODELS[name]
    folders = _folders()
    for folder in folders:
        path = folder / model.file
        if path.is_file():
            return path
    searched = ", ".join(map(str, folders))
    target = _cache_folder() / model.file
    raise MissingExtraError(
        f"the tokenizer {name!r} needs the SentencePiece model {model.file}, which is in none of "
        f"{searched} (COCARDE_MODELS names further folders): "
        f"curl --create-dirs -L -o '{target}' {model.url}"
    )


@lru_cache(maxsize=16)
def _processor(path: str, _modified: int) -> Any:
    """Return the model of that file, loaded once for all threads: encoding does not change it."""
    module = import_extra("sentencepiece", extra="spm", purpose=f"the SentencePiece model {path}")
    try:
        return module.SentencePieceProcessor(model_file=path)
    except (OSError, RuntimeError) as error:
        raise OptionError(f"tokenize: {path} is not a SentencePiece model: {error}") from error


@dataclass(frozen=True)
class SentencePieceTokenizer(Tokenizer):
    """Pieces of a SentencePiece model.

    Parameters
    ----------
    name : str
        ``"flores101"`` (or ``"spm"``, its older name), ``"flores200"``, ``"spBLEU-1K"``, or
        ``"spm:"`` and the path of a model file. The named models are looked for in the folders of
        the environment variable ``COCARDE_MODELS``, in ``models`` within the cache folder
        (``COCARDE_CACHE``, by default ``~/.cache/cocarde``) and where sacreBLEU keeps them; nothing
        is downloaded.

    Raises
    ------
    MissingExtraError
        If sentencepiece is not installed, or a named model is in none of those folders.
    OptionError
        If the name is another, or the file does not exist or is no model.

    Examples
    --------
    >>> SentencePieceTokenizer("flores200")("Hello world")  # doctest: +SKIP
    ['▁Hello', '▁world']
    """

    name: str
    _signature: str = field(init=False, repr=False)
    _processor: Any = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.name in _MODELS:
            path = _locate(self.name)
            signature = _MODELS[self.name].signature
        elif self.name.startswith("spm:"):
            path = Path(self.name.removeprefix("spm:")).expanduser()
            if not path.is_file():
                raise OptionError(f"tokenize: there is no SentencePiece model file {path}")
            # The name of a file says little: the digest tells one model from another.
            digest = hashlib.sha256(path.read_bytes()).hexdigest()[:12]
            safe_stem = "".join(c if c.isalnum() or c in "._-" else "_" for c in path.stem)
            signature = f"spm-{safe_stem}-{digest}"
        else:
            listed = ", ".join(_MODELS)
            raise OptionError(
                f"name: {self.name!r} is none of {listed} and not 'spm:PATH'",
                option="name",
                value=self.name,
                choices=_MODELS,
            )
        processor = _processor(str(path), path.stat().st_mtime_ns)
        object.__setattr__(self, "_signature", signature)
        object.__setattr__(self, "_processor", processor)

    @property
    def signature(self) -> str:
        """The word of sacreBLEU for a published model; for a file its name and a digest."""
        return self._signature

    def __reduce__(self) -> tuple[type[SentencePieceTokenizer], tuple[str]]:
        # The model is found and loaded again where it arrives.
        return (type(self), (self.name,))

    def __call__(self, text: str) -> list[str]:
        """Return the tokens of a text.

        Raises
        ------
        InputError
            If the text has a lone surrogate, which SentencePiece cannot take.
        """
        require_text(text)
        try:
            pieces = self._processor.encode(text, out_type=str)
        except UnicodeError:
            raise InputError(
                f"SentencePiece cannot read {text[:40]!r}: it has a lone surrogate, which UTF-8 "
                "does not allow; mend the text"
            ) from None
        # A piece may hold white space, at which the reference implementation splits once more.
        return " ".join(pieces).split()
