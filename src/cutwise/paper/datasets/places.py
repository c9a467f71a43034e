"""Where the data sets are kept."""

from __future__ import annotations

import os
import sys
from pathlib import Path

VARIABLE = "CUTWISE_DATA"


def folder() -> Path:
    """Return the folder of the data sets.

    It is the one that the environment variable ``CUTWISE_DATA`` names, else a folder in the
    user's cache. It need not exist.

    Returns
    -------
    Path
    """
    named = os.environ.get(VARIABLE)
    return Path(named) if named else user_cache(sys.platform) / "cutwise" / "datasets"


def user_cache(platform: str) -> Path:
    """Return the folder where the platform wants caches: ``sys.platform`` names it."""
    if platform == "win32":
        return _from_environment("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    if platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return _from_environment("XDG_CACHE_HOME") or Path.home() / ".cache"


def _from_environment(variable: str) -> Path | None:
    """Return the folder that a variable names; relative ones do not count, as XDG demands."""
    path = Path(os.environ.get(variable, ""))
    return path if path.is_absolute() else None
