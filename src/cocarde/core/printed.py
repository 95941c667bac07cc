"""Values that notebooks and terminals show as their document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cocarde.core.documents import Document

__all__ = ["Printed"]


class Printed:
    """A value that has a document, in which notebooks and the library rich show it."""

    def document(self) -> Document:
        """Return what is shown."""
        raise NotImplementedError

    def _rendered(self, form: str) -> Any:
        from cocarde.core.renderers import render

        return render(self.document(), form)

    def _repr_html_(self) -> str:
        return str(self._rendered("html"))

    def __rich__(self) -> Any:
        return self._rendered("terminal")
