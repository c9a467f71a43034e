"""That a large file is being read: a line on a terminal, nothing elsewhere."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LARGE = 1 << 23
"""Smaller files are read in less than a second."""


@contextlib.contextmanager
def shown_reading(path: Path) -> Iterator[None]:
    """Show what is read, for how long already, until it is done."""
    words = _words(path) if sys.stderr.isatty() else None
    if words is None:
        yield
        return
    from rich.console import Console  # noqa: PLC0415  # the command line starts without it
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        bar.add_task(words, total=None)
        yield


def _words(path: Path) -> str | None:
    """Return what to say of a file; None if it is small, or if a person types it."""
    from cutwise.scheme.visible import shown  # noqa: PLC0415  # the command line starts without it

    if str(path) == "-":
        return None if sys.stdin.isatty() else "Reading the standard input …"
    with contextlib.suppress(OSError, ValueError):
        size = path.stat().st_size
        if size >= LARGE:
            return f"Reading {shown(path.name)}, {size / (1 << 20):,.0f} MiB …"
    return None
