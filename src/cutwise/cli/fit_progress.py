"""How far a fit is: a bar on a terminal, nothing elsewhere."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn


def watch(method: Any) -> Any:
    """Return a discretizer whose fit shows a bar, if the standard error is a terminal."""
    console = Console(stderr=True)
    return method.set_callbacks(FitBar(console)) if console.is_terminal else method


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
