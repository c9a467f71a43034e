"""How far a run is: a bar on a terminal, nothing elsewhere."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cutwise.evaluate import Progress


@contextlib.contextmanager
def shown_progress() -> Iterator[Callable[[Progress], None]]:
    """Give a function that shows a Progress."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _nothing
        return
    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[failed]}", style="red"),
        TimeElapsedColumn(),
        TextColumn("{task.fields[left]}"),
    )
    with Bar(*columns, console=console) as bar:
        task = bar.add_task("", total=None, failed="", left="")

        def show(now: Progress) -> None:
            bar.update(
                task, completed=now.n_before + now.n_done, total=now.n_cells, failed=_failed(now), left=_left(now)
            )

        yield show


def _nothing(_: Progress) -> None:
    """Show nothing."""


def _failed(now: Progress) -> str:
    return f"{now.n_failed} failed" if now.n_failed else ""


def _left(now: Progress) -> str:
    return "" if now.seconds_left is None else f"about {duration(now.seconds_left)} left"


def counted(n: int, name: str) -> str:
    """Return a number of things for people.

    Examples
    --------
    >>> from cutwise.cli.progress import counted
    >>> counted(1, "cell"), counted(2, "cell")
    ('1 cell', '2 cells')
    """
    return f"{n} {name}" if n == 1 else f"{n} {name}s"


def duration(seconds: float) -> str:
    """Return a time for people.

    Examples
    --------
    >>> from cutwise.cli.progress import duration
    >>> [duration(seconds) for seconds in (0.2, 59, 61, 3600 * 5 + 120, 86400 * 3.5)]
    ['0 s', '59 s', '1 min', '5 h 2 min', '3 d 12 h']
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min"
    if whole < 86400:
        return f"{whole // 3600} h {whole % 3600 // 60} min"
    return f"{whole // 86400} d {whole % 86400 // 3600} h"
