"""Work in threads that Ctrl-C ends at once.

Python looks for signals only in the main thread, and only between two of its instructions. So long work is
done in other threads while the main thread waits. When it is interrupted, or when one task fails, it raises a flag
that the compiled loops look at (``kernels/stopping.py``): they end with :class:`Interrupted`.

There is one flag for the process. Tasks of somebody else that it hits are run again once it is down.
"""

from __future__ import annotations

import ctypes
import threading
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextvars import copy_context
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

    Results = Generator[Any, None, None]

# While this is not 0, compiled loops end.
FLAG = ctypes.c_int64(0)
# Windows does not interrupt a thread that waits; so none waits longer than this, in seconds.
_PATIENCE = 0.25
# A task in one long step of another library is not waited for longer than this, in seconds; it ends by itself.
_FAREWELL = 1.0

_change = threading.Condition()
_here = threading.local()
_n_at_work = 0


class Interrupted(Exception):  # noqa: N818
    """A compiled loop was told to end before it was done."""


def check_stop() -> None:
    """End a task between two long steps if it was told to end; compiled loops have a function of the same name."""
    if FLAG.value:
        raise Interrupted


def thread_count(n_jobs: int | None) -> int:
    """Return the number of threads that `n_jobs` stands for, in joblib's sense."""
    from joblib import effective_n_jobs  # noqa: PLC0415

    if n_jobs == 0:
        message = "'n_jobs' is 0, but at least one thread must work. Use None or 1 for one, -1 for all processors."
        raise ValueError(message)
    return int(effective_n_jobs(n_jobs))


class TaskThreads:
    """Threads for tasks; at the end of the ``with`` block, however it is left, what still runs is told to end."""

    def __init__(self, n_threads: int) -> None:
        self._pool = ThreadPoolExecutor(n_threads, thread_name_prefix="cutwise")
        self._stopped = False
        self._n_at_work = 0
        self._futures: set[Future[Any]] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Begin no task any more and tell those at work to end."""
        with _change:
            self._stopped = True
            if self._n_at_work:
                FLAG.value = 1
            _change.notify_all()
        self._pool.shutdown(wait=False, cancel_futures=True)
        wait(self._futures, timeout=_FAREWELL)

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Have a task done."""
        future = self._pool.submit(copy_context().run, self.run, function, *arguments)
        self._futures.add(future)
        future.add_done_callback(self._futures.discard)
        return future

    def run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Do a task in this thread, again if the flag was raised for others."""
        while True:
            self._begin()
            try:
                return function(*arguments)
            except Interrupted:
                if self._stopped:
                    raise
            finally:
                self._end()

    def _begin(self) -> None:
        global _n_at_work  # noqa: PLW0603
        with _change:
            _change.wait_for(lambda: self._stopped or FLAG.value == 0)
            if self._stopped:
                raise Interrupted
            self._n_at_work += 1
            _n_at_work += 1
        _here.is_task = True

    def _end(self) -> None:
        global _n_at_work  # noqa: PLW0603
        _here.is_task = False
        with _change:
            self._n_at_work -= 1
            _n_at_work -= 1
            if _n_at_work == 0:
                FLAG.value = 0
            _change.notify_all()


def result_of(future: Future[Any]) -> Any:
    """Wait for the result of a task; Ctrl-C ends the waiting."""
    while not future.done():
        wait([future], timeout=_PATIENCE)
    return future.result()


def in_threads(function: Callable[..., Any], tasks: Iterable[tuple[Any, ...]], n_jobs: int | None) -> Results:
    """Yield the result of each task, given as arguments, in order.

    Threads share the table; the compiled loops run without the interpreter lock. Close the iterator if it may not
    be used up: that ends the threads.
    """
    n_threads = thread_count(n_jobs)
    # No signal comes to other threads than the main one.
    is_alone = n_threads == 1 and threading.current_thread() is not threading.main_thread()
    if is_alone or getattr(_here, "is_task", False):
        return in_this_thread(function, tasks)
    return _each_result(function, tasks, n_threads)


def in_this_thread(function: Callable[..., Any], tasks: Iterable[tuple[Any, ...]]) -> Results:
    """Yield the result of each task, in order: for tasks that are too quick for threads of their own."""
    if getattr(_here, "is_task", False):
        yield from (function(*arguments) for arguments in tasks)
        return
    with TaskThreads(1) as threads:
        for arguments in tasks:
            yield threads.run(function, *arguments)


def interruptible(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function that may take long, so that Ctrl-C ends it."""
    (result,) = in_threads(function, [arguments], 1)
    return result


def _each_result(function: Callable[..., Any], tasks: Iterable[tuple[Any, ...]], n_threads: int) -> Results:
    with TaskThreads(n_threads) as threads:
        waiting: deque[Future[Any]] = deque()
        for arguments in tasks:
            waiting.append(threads.submit(function, *arguments))
            if len(waiting) > 2 * n_threads:
                yield result_of(waiting.popleft())
        while waiting:
            yield result_of(waiting.popleft())
