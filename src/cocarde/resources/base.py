"""What a resource is, and the data files of the package."""

from __future__ import annotations

import hashlib
import zipfile
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import IO

from cocarde.errors import MissingExtraError

__all__ = ["REINSTALL", "Resource", "checksums", "data_file"]

REINSTALL = "pip install --force-reinstall cocarde"
_BLOCK = 1 << 20


@dataclass(frozen=True)
class Resource:
    """Data that a metric needs, in the package or beside it.

    Attributes
    ----------
    name : str
        What it is called.
    purpose : str
        What it is for.
    origin : str
        Where it comes from.
    licence : str
        Under which licence it is distributed.
    path : pathlib.Path or None
        Where it lies; ``None`` if it is missing.
    size : int
        Its size in bytes, or that of what `command` brings.
    sha256 : str
        Its checksum as published: `compute_sha256` says what it is here.
    command : str
        The command that brings it, or brings it back.
    member : str or None
        Its name inside `path`, where that is an archive.
    """

    name: str
    purpose: str
    origin: str
    licence: str
    path: Path | None
    size: int
    sha256: str
    command: str
    member: str | None = None

    @property
    def present(self) -> bool:
        """Whether it is there."""
        return self.path is not None

    def compute_sha256(self) -> str:
        """Read it all and return its checksum.

        Raises
        ------
        MissingExtraError
            If it is missing.
        OSError
            If it cannot be read.
        """
        if self.path is None:
            raise MissingExtraError(f"{self.name} is missing: {self.command}")
        digest = hashlib.sha256()
        with ExitStack() as opened:
            stream: IO[bytes]
            if self.member is None:
                stream = opened.enter_context(self.path.open("rb"))
            else:
                archive = opened.enter_context(zipfile.ZipFile(self.path))
                stream = opened.enter_context(archive.open(self.member))
            while block := stream.read(_BLOCK):
                digest.update(block)
        return digest.hexdigest()


def data_file(name: str) -> Path:
    """Return the path of a data file of the package.

    Raises
    ------
    MissingExtraError
        If the installation lacks it.
    """
    found = files(__package__)
    for step in name.split("/"):
        found /= step
    if not isinstance(found, Path) or not found.is_file():
        raise MissingExtraError(
            f"the data file {found} is missing: cocarde has to be installed with its data, "
            f"in a folder and not in an archive: {REINSTALL}"
        )
    return found


@cache
def checksums() -> dict[str, str]:
    """Return the SHA-256 of each data file of the package, by its name."""
    lines = data_file("SHA256SUMS").read_text(encoding="utf-8").splitlines()
    return {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
