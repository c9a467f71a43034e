"""Files that are there as a whole or not at all."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

# No write takes that long, in seconds; what is older was left by a process that was killed.
STALE = 3600.0


def write_whole(path: Path, content: bytes) -> Path:
    """Write a file beside its place and then move it there.

    Parameters
    ----------
    path : Path
        An older file of that name stays as it is until the new one is complete.
    content : bytes

    Returns
    -------
    Path
        The same path.
    """
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}.tmp")
    _sweep(path)
    try:
        with draft.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
        raise
    return path


def _sweep(path: Path) -> None:
    """Remove the drafts of this file that killed processes have left."""
    names = re.compile(rf"\.{re.escape(path.name)}\.[0-9a-f]{{16}}\.tmp")
    with contextlib.suppress(OSError):
        for draft in path.parent.iterdir():
            if names.fullmatch(draft.name) and draft.stat().st_mtime < time.time() - STALE:
                draft.unlink()
