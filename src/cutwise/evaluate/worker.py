"""A process that measures: it takes tasks one at a time and hands over each result at once."""

from __future__ import annotations

import os
import signal
import threading
from multiprocessing import connection, parent_process
from typing import TYPE_CHECKING, Any

from cutwise.errors import JournalError
from cutwise.evaluate.cells import Cell, Result, Task
from cutwise.evaluate.journal_lines import one_line, result_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

READY = "ready"
"""What a worker says once, when it has loaded its work."""


def serve(pipe: connection.Connection[Any, Any], work: Callable[[Task], Iterable[Result]]) -> None:
    """Measure tasks until there is none: what a worker's process does.

    Each result is answered by the other side when it is kept, and only then the next cell is
    begun. None follows the last result of a task.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _use_one_thread()
    try:
        pipe.send(READY)
        while (task := pipe.recv()) is not None:
            for result in results_of(task, work):
                pipe.send(result)
                pipe.recv()
            pipe.send(None)
    except (EOFError, OSError):
        return


def results_of(task: Task, work: Callable[[Task], Iterable[Result]]) -> Iterator[Result]:
    """Yield one result for each cell of a task, whatever the work does.

    An exception that the work does not catch is the error of all cells that are still open.
    """
    left = dict.fromkeys(task.cells())
    try:
        for result in work(task):
            yield _checked(result, left)
            del left[result.cell]
        reason = "no result was given"
    except Exception as error:  # noqa: BLE001  # the run goes on, whatever a cell does
        reason = f"{type(error).__name__}: {error}"
    yield from (Result(cell, error=one_line(reason)) for cell in left)


def _checked(result: Any, left: dict[Cell, None]) -> Result:
    """Return a result that a journal takes."""
    if not isinstance(result, Result) or result.cell not in left:
        message = f"the work gave {result!r}, which is no result of an open cell"
        raise TypeError(message)
    try:
        result_line(result, 0)
    except JournalError as error:
        return Result(result.cell, error=one_line(str(error)))
    return result


def _end_with_parent() -> None:
    """End this process when the one that started it has ended."""
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


def _use_one_thread() -> None:
    """Let libraries that are loaded already use one thread."""
    from threadpoolctl import threadpool_limits  # noqa: PLC0415  # only workers need it

    threadpool_limits(limits=1)
