"""Work for the runner that costs nothing; the names of classifiers say what happens."""

from __future__ import annotations

import math
import os
import signal
import time
import zlib
from dataclasses import replace
from pathlib import Path

from cutwise.paper.evaluate import CellResult, CellTask


def figures(cell):
    """Return the result that a cell always has."""
    chance = zlib.crc32(str(cell).encode())
    return CellResult(
        cell, n_rows=100, n_correct=chance % 101, log_loss=chance / 2**32, n_cuts=chance % 7, seconds=0.25
    )


def work(task):
    for cell in task.cells():
        yield measured(cell)


def slow_work(task):
    """Take a little time, so that a kill comes in the midst."""
    for cell in task.cells():
        time.sleep(0.002)
        yield figures(cell)


def measured(cell):
    match cell.classifier:
        case "raises":
            message = "a table\nwithout rows"
            raise ZeroDivisionError(message)
        case "fails":
            return CellResult(cell, error="not enough rows")
        case "dies":
            os.kill(os.getpid(), signal.SIGKILL)
        case "exits":
            os._exit(3)
        case "nan":
            return replace(figures(cell), log_loss=math.nan)
        case "foreign":
            return figures(replace(cell, fold=cell.fold + 1))
        case "text":
            return "text"
        case "sleeps":
            time.sleep(600)
        case "threads":
            return replace(figures(cell), n_cuts=_most_threads())
    return figures(cell)


def told_work(task):
    """Leave a file for each cell that is begun, in the folder that the data set names."""
    for cell in task.cells():
        Path(cell.dataset, f"{cell.fold} {cell.classifier}").touch()
        yield figures(cell)


def short_work(task):
    """Leave out the last cell."""
    for cell in task.cells()[:-1]:
        yield figures(cell)


def flaky_work(task):
    """Fail until a file is there whose path is the name of the data set."""
    for cell in task.cells():
        yield figures(cell) if os.path.exists(cell.dataset) else CellResult(cell, error="too early")  # noqa: PTH110


def _most_threads():
    import numba
    import numpy as np
    from threadpoolctl import threadpool_info

    np.linalg.inv(np.eye(3))
    return max([numba.get_num_threads(), *(library["num_threads"] for library in threadpool_info())])


def tasks_of(n_folds, *classifiers, dataset="iris"):
    return [CellTask(dataset, "mrmd", 0, fold, classifiers or ("nb", "c45")) for fold in range(n_folds)]


def cells_of(tasks):
    return [cell for task in tasks for cell in task.cells()]
