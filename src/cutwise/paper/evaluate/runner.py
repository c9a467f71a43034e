"""Measure what a journal does not hold yet, in several processes."""

from __future__ import annotations

import os
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cutwise.errors import RunError
from cutwise.paper.evaluate.crew import WorkerCrew

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from cutwise.paper.evaluate.cells import CellResult, CellTask, ResultCell
    from cutwise.paper.evaluate.journal import Journal


def seconds_by(results: Iterable[CellResult], what: str) -> dict[str, float]:
    """Return the seconds of all results with the same name, most first.

    Parameters
    ----------
    results : iterable of CellResult
    what : {"dataset", "discretizer", "classifier"}
        Which name of the cell.
    """
    seconds: defaultdict[str, float] = defaultdict(float)
    for result in results:
        seconds[getattr(result.cell, what)] += result.seconds
    return dict(sorted(seconds.items(), key=lambda item: (-item[1], item[0])))


class RunPace:
    """What cells cost, learned from results, and what open cells will cost.

    A cell is taken to cost what the cells of the same data set, discretizer and classifier did on
    average; if there is none, the seconds for each row of the same discretizer and classifier;
    if there is none either, those of all. Failed cells tell nothing.

    Parameters
    ----------
    cells : iterable of ResultCell
        What is to be measured.
    """

    def __init__(self, cells: Iterable[ResultCell]) -> None:
        self._open = Counter(_key(cell) for cell in cells)
        self._same: defaultdict[tuple[str, ...], _Sum] = defaultdict(_Sum)
        self._rows: defaultdict[str, _Sum] = defaultdict(_Sum)

    def add(self, result: CellResult) -> None:
        """Learn from the result of a cell that was open."""
        self._open[_key(result.cell)] -= 1
        self.learn(result)

    def learn(self, result: CellResult) -> None:
        """Learn from the result of any cell."""
        if result.error:
            return
        key = _key(result.cell)
        self._rows[key[0]].add(result.n_rows, 1)
        for name in (key, key[1:], ()):
            self._same[name].add(result.seconds, 1 if name == key else result.n_rows)

    def seconds_left(self, n_workers: int) -> float | None:
        """Return what the open cells will take; None before the first result."""
        if () not in self._same:
            return None
        usual = _Sum()
        for rows in self._rows.values():
            usual.add(rows.mean, 1)
        seconds = 0.0
        for key, n_cells in self._open.items():
            if key in self._same:
                seconds += n_cells * self._same[key].mean
            elif n_cells:
                rate = self._same[key[1:] if key[1:] in self._same else ()].mean
                seconds += n_cells * rate * (self._rows[key[0]].mean if key[0] in self._rows else usual.mean)
        return seconds / n_workers


class _Sum:
    """A running mean."""

    def __init__(self) -> None:
        self._total = 0.0
        self._n = 0

    def add(self, amount: float, n: int) -> None:
        self._total += amount
        self._n += n

    @property
    def mean(self) -> float:
        return self._total / self._n


def _key(cell: ResultCell) -> tuple[str, ...]:
    return cell.dataset, cell.discretizer, cell.classifier


SECONDS_BETWEEN_ESTIMATES = 1.0


@dataclass(frozen=True)
class RunProgress:
    """How far a run is.

    Parameters
    ----------
    n_cells : int
        All cells of the run.
    n_before : int
        How many of them the journal held at the start.
    n_done, n_failed : int
        How many were measured since, failed ones included, and how many of these failed.
    seconds_left : float or None
        An estimate; None before the first result.
    last : CellResult or None
        The result that has just come.
    """

    n_cells: int
    n_before: int
    n_done: int = 0
    n_failed: int = 0
    seconds_left: float | None = None
    last: CellResult | None = None


@dataclass(frozen=True)
class RunSummary:
    """What a run did.

    Parameters
    ----------
    n_cells, n_before, n_done, n_failed : int
        As in RunProgress.
    seconds : float
        How long it took.
    is_complete : bool
        False if it was asked to stop before the end.
    """

    n_cells: int
    n_before: int
    n_done: int
    n_failed: int
    seconds: float
    is_complete: bool


def run(
    tasks: Iterable[CellTask],
    work: Callable[[CellTask], Iterable[CellResult]],
    journal: Journal,
    *,
    n_jobs: int | None = None,
    retry_failed: bool = False,
    progress: Callable[[RunProgress], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> RunSummary:
    """Measure the cells of tasks that a journal does not hold yet.

    Each result is in the journal before the next one of its worker is heard: a break loses no more than the cells
    in progress and, of each worker, one result that was being written; running again resumes there. Failed or crashed
    cells are recorded with the reason, and the run goes on.

    Parameters
    ----------
    tasks : iterable of CellTask
        They are begun in this order.
    work : callable
        Takes a CellTask and yields a CellResult for each of its cells, one at a time. A function of a
        module, as other processes have to load it; they use one thread each.
    journal : Journal
        An open journal.
    n_jobs : int, optional
        How many processes; as many as there are processors by default, or for -1.
    retry_failed : bool, default=False
        Whether cells that failed in an earlier run are measured again.
    progress : callable, optional
        Called with a RunProgress at the start and after each result.
    stop : callable, optional
        Asked again and again; the run ends when it returns True.

    Returns
    -------
    RunSummary

    Raises
    ------
    RunError
        If the processes cannot be started.
    JournalError
        If a result cannot be written.
    """
    start = time.monotonic()
    every = list(tasks)
    n_workers = _n_workers(n_jobs)
    todo = remaining(every, journal.results, retry_failed=retry_failed)
    open_cells = [cell for task in todo for cell in task.cells()]
    n_cells = sum(len(task.classifiers) for task in every)
    watch = _Watch(RunProgress(n_cells, n_cells - len(open_cells)), open_cells, n_workers, journal, progress)
    with WorkerCrew(work, n_workers) as crew:
        for result in crew.results(todo, stop):
            journal.append(result)
            watch.see(result)
    now = watch.now
    return RunSummary(
        n_cells=n_cells,
        n_before=now.n_before,
        n_done=now.n_done,
        n_failed=now.n_failed,
        seconds=time.monotonic() - start,
        is_complete=now.n_done == len(open_cells),
    )


def remaining(
    tasks: Iterable[CellTask], results: Mapping[ResultCell, CellResult], *, retry_failed: bool = False
) -> list[CellTask]:
    """Return what is left of tasks: those with cells that have no result, reduced to these.

    Parameters
    ----------
    tasks : iterable of CellTask
    results : dict
        The results so far by cell.
    retry_failed : bool, default=False
        Whether a failed cell counts as one without a result.
    """
    left = []
    for task in tasks:
        names = [cell.classifier for cell in task.cells() if _is_open(results.get(cell), retry_failed=retry_failed)]
        if names:
            left.append(replace(task, classifiers=tuple(names)))
    return left


def _is_open(result: CellResult | None, *, retry_failed: bool) -> bool:
    return result is None or (retry_failed and bool(result.error))


def _n_workers(n_jobs: int | None) -> int:
    if n_jobs is None or n_jobs == -1:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if n_jobs < 1:
        raise RunError(f"The number of processes is {n_jobs}. Use 1 or more, or -1 for all processors.")
    return n_jobs


class _Watch:
    """Counts results and tells the caller; the time left is estimated once in a second and at the end."""

    def __init__(
        self,
        now: RunProgress,
        open_cells: Collection[ResultCell],
        n_workers: int,
        journal: Journal,
        tell: Callable[[RunProgress], None] | None,
    ) -> None:
        self.now = now
        self._pace = RunPace(open_cells)
        for result in journal.results.values():
            self._pace.learn(result)
        self._n_workers = n_workers
        self._tell = tell
        self._estimated_at = -SECONDS_BETWEEN_ESTIMATES
        self._say()

    def see(self, result: CellResult) -> None:
        """Count a result."""
        self._pace.add(result)
        self.now = replace(
            self.now, n_done=self.now.n_done + 1, n_failed=self.now.n_failed + bool(result.error), last=result
        )
        self._say()

    def _say(self) -> None:
        if self._tell is None:
            return
        is_last = self.now.n_before + self.now.n_done == self.now.n_cells
        if is_last or time.monotonic() - self._estimated_at >= SECONDS_BETWEEN_ESTIMATES:
            self.now = replace(self.now, seconds_left=self._pace.seconds_left(self._n_workers))
            self._estimated_at = time.monotonic()
        self._tell(self.now)
