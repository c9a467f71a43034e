"""Files that are there as a whole or not at all, and a lock that the system takes back when its holder ends."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import sys
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


if sys.platform == "win32":
    import msvcrt

    # Locked bytes cannot be read by others, so a byte far behind the number of the process is taken.
    _FAR = 1 << 20

    def _take(descriptor: int) -> None:
        os.lseek(descriptor, _FAR, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _take(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


class LockHeldError(Exception):
    """Somebody else has the lock.

    Parameters
    ----------
    holder : str
        The number of the process, or "unknown".
    """

    def __init__(self, holder: str) -> None:
        super().__init__(holder)
        self.holder = holder


class FileLock:
    """A lock file: held from the call until `release` or the end of the process, however it ends.

    Parameters
    ----------
    path : path
        The file; it is made, holds the number of the process and goes with the lock.

    Raises
    ------
    LockHeldError
        If another process, or this one, holds it.
    OSError
        If the file cannot be made.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        while True:
            self._descriptor = _open_and_take(path)
            if _is_same(self._descriptor, path):
                break
            os.close(self._descriptor)
        os.ftruncate(self._descriptor, 0)
        os.lseek(self._descriptor, 0, os.SEEK_SET)
        with contextlib.suppress(OSError):
            os.write(self._descriptor, str(os.getpid()).encode())

    def release(self) -> None:
        """Let others have it."""
        with contextlib.suppress(OSError):
            self._path.unlink()
        os.close(self._descriptor)


def _open_and_take(path: Path) -> int:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        _take(descriptor)
    except (BlockingIOError, PermissionError) as error:
        os.lseek(descriptor, 0, os.SEEK_SET)
        holder = os.read(descriptor, 20).decode("ascii", "replace")
        os.close(descriptor)
        raise LockHeldError(holder if holder.isdigit() else "unknown") from error
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def _is_same(descriptor: int, path: Path) -> bool:
    """Return whether the file was not replaced between opening and locking."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False
