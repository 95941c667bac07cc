"""Where files that are made once and used again are kept."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["cache_folder"]


def cache_folder() -> Path:
    """Return the folder that the environment variable ``COCARDE_CACHE`` names.

    Without it, ``cocarde`` in the user's cache folder: ``XDG_CACHE_HOME``, else ``~/.cache``. The
    folder need not exist.
    """
    named = os.environ.get("COCARDE_CACHE")
    if named:
        return Path(named).expanduser()
    user = os.environ.get("XDG_CACHE_HOME", "")
    # As the XDG specification wants it, a relative path counts as none.
    parent = Path(user) if os.path.isabs(user) else Path.home() / ".cache"
    return parent / "cocarde"
