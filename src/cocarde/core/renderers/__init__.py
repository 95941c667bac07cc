"""One module a format: how each block of a document looks, and what must be escaped there.

What is written may come from anyone: names of files, of systems in SGML, of documents. Each format
has its one function, in its module, that lets none of it be read as markup.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cocarde.core.documents import Document

__all__ = ["render"]


def render(document: Document, form: str) -> Any:
    """Return a document as text, or as what the library rich prints.

    Parameters
    ----------
    document : Document
    form : {"text", "markdown", "latex", "html", "terminal"}
        A module of this package, which is imported only now.
    """
    return import_module(f"{__name__}.{form}").render(document)
