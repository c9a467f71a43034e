"""Workers: processes that are started once, fed with tasks, and replaced when they die."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections import deque
from dataclasses import replace
from multiprocessing import connection, parent_process, resource_tracker
from typing import TYPE_CHECKING, Any

from cutwise.errors import JournalError, RunError
from cutwise.paper.evaluate.cells import CellResult, CellTask, ResultCell
from cutwise.paper.evaluate.journal_lines import one_line, result_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import TracebackType
    from typing import Self


# Many small problems are solved 20 times slower when each is spread over several threads.
ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1"
)
SECONDS_BETWEEN_QUESTIONS = 0.2
# A process without a pipe ends by itself, on a busy machine not at once.
PATIENCE = 10.0


class WorkerCrew:
    """Some workers; leaving the ``with`` block ends them.

    Parameters
    ----------
    work : callable
        Takes a CellTask and yields its CellResults; it can be pickled.
    n_workers : int
    """

    def __init__(self, work: Callable[[CellTask], Iterable[CellResult]], n_workers: int) -> None:
        self._work = work
        self._n_workers = n_workers
        self._workers: list[_Worker] = []
        self._queue: deque[CellTask] = deque()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for worker in self._workers:
            worker.pipe.close()
        for worker in self._workers:
            worker.end(PATIENCE if worker.is_free else 0)

    def results(self, tasks: Iterable[CellTask], stop: Callable[[], bool] | None = None) -> Iterator[CellResult]:
        """Yield results as they come, while their workers go on; the next one of a worker is heard after this one.

        Parameters
        ----------
        tasks : iterable of CellTask
            They are begun in this order.
        stop : callable, optional
            Asked after each result and several times in a second; True ends the iteration.

        Raises
        ------
        RunError
            If a worker cannot be started.
        """
        self._queue.extend(tasks)
        seconds = None if stop is None else SECONDS_BETWEEN_QUESTIONS
        while self._employ():
            for pipe in connection.wait([worker.pipe for worker in self._workers], seconds):
                worker = next(worker for worker in self._workers if worker.pipe is pipe)
                yield from self._hear(worker)
                if stop is not None and stop():
                    return
            if stop is not None and stop():
                return

    def _employ(self) -> bool:
        """Give tasks to those who have none; return whether anybody has one."""
        while len(self._workers) < min(self._n_workers, len(self._queue) + self._n_busy()):
            self._workers.append(_Worker(self._work))
        for worker in self._workers:
            self._employ_one(worker)
        return bool(self._queue) or self._n_busy() > 0

    def _employ_one(self, worker: _Worker) -> None:
        if worker.is_free and self._queue:
            worker.begin(self._queue.popleft())

    def _n_busy(self) -> int:
        return sum(worker.task is not None for worker in self._workers)

    def _hear(self, worker: _Worker) -> Iterator[CellResult]:
        """Yield the result that a worker has sent, if it is one."""
        try:
            message = worker.pipe.recv()
        except (EOFError, OSError):
            yield from self._replace(worker)
            return
        if not isinstance(message, CellResult):
            worker.is_ready = True
            return
        worker.go_on(message.cell)
        # While the result is kept, the worker is not idle.
        self._employ_one(worker)
        yield message

    def _replace(self, worker: _Worker) -> Iterator[CellResult]:
        """Yield the failure of the cell that a worker died of; others get the rest of its task."""
        self._workers.remove(worker)
        reason = worker.end(PATIENCE)
        if not worker.is_ready:
            raise RunError(f"A worker process {reason} before it was ready. Its own message is above, if it had one.")
        if worker.task is None or not worker.open_cells:
            return
        cell, *rest = worker.open_cells
        if rest:
            self._queue.appendleft(replace(worker.task, classifiers=tuple(cell.classifier for cell in rest)))
        yield CellResult(cell, error=f"the worker process {reason}")


class _Worker:
    """One process as the parent sees it."""

    def __init__(self, work: Callable[[CellTask], Iterable[CellResult]]) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe: connection.Connection[Any, Any]
        self.pipe, other_end = context.Pipe()
        self.is_ready = False
        self.task: CellTask | None = None
        self.open_cells: list[ResultCell] = []
        self._process = context.Process(target=serve, args=(other_end, work), daemon=True)
        try:
            with _environment(ONE_THREAD), _no_interrupts():
                self._process.start()
        except Exception as error:
            self.pipe.close()
            message = f"A worker process cannot be started: {error}. The work must be a function of a module."
            raise RunError(message) from error
        except BaseException:
            self.end()
            raise
        finally:
            other_end.close()

    @property
    def is_free(self) -> bool:
        """Whether the worker waits for a task."""
        return self.is_ready and self.task is None

    def begin(self, task: CellTask) -> None:
        """Give the worker a task."""
        self.task = task
        self.open_cells = task.cells()
        self._send(task)

    def go_on(self, cell: ResultCell) -> None:
        """Tell the worker that the result of a cell is heard, so that it begins the next one."""
        self.open_cells.remove(cell)
        if not self.open_cells:
            self.task = None
        self._send(READY)

    def end(self, patience: float = 0) -> str:
        """End the process, after some seconds if need be by force, and return how it ended."""
        self.pipe.close()
        if self._process.pid is None:
            return "was not started"
        self._process.join(patience)
        self._process.kill()
        self._process.join()
        code = self._process.exitcode or 0
        self._process.close()
        return f"was killed by {_signal_name(-code)}" if code < 0 else f"ended with code {code}"

    def _send(self, message: CellTask | str) -> None:
        # That a worker is dead is noticed when it is heard.
        with contextlib.suppress(OSError):
            self.pipe.send(message)


def _signal_name(number: int) -> str:
    try:
        name = signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
    return f"{name} (often: out of memory)" if name == "SIGKILL" else name


@contextlib.contextmanager
def _environment(variables: dict[str, str]) -> Iterator[None]:
    """Set variables for processes that are started meanwhile."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextlib.contextmanager
def _no_interrupts() -> Iterator[None]:
    """Let Ctrl-C reach this process a little later, and those that are started meanwhile never."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # Its start lets interrupts through again, so it must not fall into the block.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


READY = "ready"
"""What a worker says once, when it has loaded its work."""


def serve(pipe: connection.Connection[Any, Any], work: Callable[[CellTask], Iterable[CellResult]]) -> None:
    """Measure tasks until there is none: what a worker's process does.

    Each result is answered by the other side when it is heard, and only then the next cell is begun.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _use_one_thread()
    try:
        pipe.send(READY)
        while True:
            for result in results_of(pipe.recv(), work):
                pipe.send(result)
                pipe.recv()
    except (EOFError, OSError):
        return


def results_of(task: CellTask, work: Callable[[CellTask], Iterable[CellResult]]) -> Iterator[CellResult]:
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
    yield from (CellResult(cell, error=one_line(reason)) for cell in left)


def _checked(result: Any, left: dict[ResultCell, None]) -> CellResult:
    """Return a result that a journal takes."""
    if not isinstance(result, CellResult) or result.cell not in left:
        raise TypeError(f"the work gave {result!r}, which is no result of an open cell")
    try:
        result_line(result, 0)
    except JournalError as error:
        return CellResult(result.cell, error=one_line(str(error)))
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
