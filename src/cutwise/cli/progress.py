"""How far a run is: a bar on a terminal, nothing elsewhere."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from cutwise.paper.evaluate import RunProgress


@contextlib.contextmanager
def shown_progress() -> Iterator[Callable[[RunProgress], None]]:
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
    with Progress(*columns, console=console) as bar:
        task = bar.add_task("", total=None, failed="", left="")

        def show(now: RunProgress) -> None:
            bar.update(
                task, completed=now.n_before + now.n_done, total=now.n_cells, failed=_failed(now), left=_left(now)
            )

        yield show


def _nothing(_: RunProgress) -> None:
    """Show nothing."""


def _failed(now: RunProgress) -> str:
    return f"{now.n_failed} failed" if now.n_failed else ""


def _left(now: RunProgress) -> str:
    return "" if now.seconds_left is None else f"about {duration(now.seconds_left)} left"


def duration(seconds: float) -> str:
    """Return a readable duration.

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


COMPILING = "Compiling once, about 5 s …"


def watch(method: Any) -> Any:
    """Return a discretizer whose fit, on a terminal, tells if it compiles and, if scikit-learn can, shows a bar."""
    from cutwise.scikit_learn import HAS_CALLBACKS

    console = Console(stderr=True)
    if not console.is_terminal:
        return method
    from cutwise.kernels.compile import tell_of_compiling

    tell_of_compiling(lambda: console.print(COMPILING, highlight=False))
    return method.set_callbacks(FitBar(console)) if HAS_CALLBACKS else method


@contextlib.contextmanager
def shown_steps(n_steps: int) -> Iterator[Callable[[str], None]]:
    """Give a function that shows the name of a step when it begins."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _: None
        return
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}", markup=False))
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=n_steps, completed=-1)
        yield lambda name: bar.update(task, advance=1, description=name)


class FitBar:
    """A callback of scikit-learn that shows the share of the columns, or of the search, that is done.

    Parameters
    ----------
    console : Console
        Where the bar is shown; it is wiped off at the end.
    """

    def __init__(self, console: Console) -> None:
        columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
        self._bar = Progress(*columns, console=console, transient=True)
        self._task: Any = None

    def setup(self, estimator: Any, context: Any) -> None:
        """Show the bar."""
        self._task = self._bar.add_task(f"{estimator.method_name} …", total=context.max_subtasks)
        self._bar.start()

    def on_fit_task_begin(self, estimator: Any, context: Any, **_: Any) -> None:
        """Do nothing: only what is done counts."""

    def on_fit_task_end(self, estimator: Any, context: Any, **_: Any) -> None:  # noqa: ARG002  # scikit-learn calls it so
        """Go on by one step."""
        if context.parent is not None:
            self._bar.advance(self._task)

    def teardown(self, estimator: Any, context: Any) -> None:  # noqa: ARG002  # scikit-learn calls it so
        """Wipe the bar off."""
        self._bar.stop()


LARGE = 1 << 23
"""Smaller files are read in less than a second."""


@contextlib.contextmanager
def shown_reading(path: Path) -> Iterator[None]:
    """Show what is read, for how long already, until it is done."""
    words = _words(path) if sys.stderr.isatty() else None
    if words is None:
        yield
        return
    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        bar.add_task(words, total=None)
        yield


def _words(path: Path) -> str | None:
    """Return what to say of a file; None if it is small, or if a person types it."""
    from cutwise.scheme.text import shown

    if str(path) == "-":
        return None if sys.stdin.isatty() else "Reading the standard input …"
    with contextlib.suppress(OSError, ValueError):
        size = path.stat().st_size
        if size >= LARGE:
            return f"Reading {shown(path.name)}, {size / (1 << 20):,.0f} MiB …"
    return None
