"""One scan, several threads: each takes the next piece when it is done with one."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, Any

from joblib import cpu_count

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import pyarrow as pa

    from cutwise.sources.source import Summarise


class _StopReading(Exception):  # noqa: N818
    """Another thread has failed, or nobody wants the rest."""


class _SharedPieces:
    """Pieces of a table that threads take one after the other."""

    def __init__(self, pieces: Iterable[Iterable[pa.RecordBatch]]) -> None:
        self._pieces = iter(pieces)
        self._lock = threading.Lock()
        self._stopped = False
        self.error: BaseException | None = None

    def summed_up(self, summarise: Summarise) -> Any:
        """Return what is made of the pieces that one thread takes; remember the first error."""
        try:
            return summarise(self._batches())
        except BaseException as error:
            if not isinstance(error, _StopReading):
                with self._lock:
                    self.error = self.error or error
            self.stop()
            raise

    def stop(self) -> None:
        """Let no thread read on."""
        self._stopped = True

    def close(self) -> None:
        """Let go of what the pieces come from."""
        close = getattr(self._pieces, "close", None)
        if close is not None:
            close()

    def _batches(self) -> Iterator[pa.RecordBatch]:
        while (piece := self._next_piece()) is not None:
            for batch in piece:
                if self._stopped:
                    raise _StopReading
                yield batch

    def _next_piece(self) -> Iterable[pa.RecordBatch] | None:
        with self._lock:
            if self._stopped:
                raise _StopReading
            return next(self._pieces, None)


def fold_pieces(
    pieces: Iterable[Iterable[pa.RecordBatch]], summarise: Summarise, n_threads: int | None = None
) -> Iterator[Any]:
    """Yield what each thread makes of the pieces that it took.

    Parameters
    ----------
    pieces : iterable of iterables of RecordBatch
        Advanced by one thread at a time; the batches of different pieces are read side by side.
    summarise : callable
        Called once in each thread, with the batches for it.
    n_threads : int, optional
        By default as many as there are processors.

    Raises
    ------
    Exception
        The first that reading or summing up raises; then no thread reads on.
    """
    shared = _SharedPieces(pieces)
    n_threads = cpu_count() if n_threads is None else n_threads
    try:
        with ThreadPoolExecutor(n_threads, thread_name_prefix="cutwise") as pool:
            futures = [pool.submit(shared.summed_up, summarise) for _ in range(n_threads)]
            try:
                wait(futures)
            finally:
                shared.stop()
    finally:
        shared.close()
    if shared.error is not None:
        raise shared.error
    for future in futures:
        yield future.result()
