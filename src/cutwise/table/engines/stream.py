"""A table that is read here: record batches, shared among threads."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from joblib import cpu_count

from cutwise.errors import TableError
from cutwise.table.engines.arrow import ArrowColumns, one_line, plain_batches, plain_schema
from cutwise.table.engines.source import check_columns, check_distinct

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    import pyarrow as pa

    Summarise = Callable[[Iterator[pa.RecordBatch]], Any]
    Pieces = Callable[[Sequence[str]], Iterable[Iterable[pa.RecordBatch]]]


# Rows of a batch. A thread holds one batch of the columns asked for at a time.
BATCH_ROWS = 1 << 17


@dataclass(frozen=True, eq=False)
class StreamSource(ArrowColumns):
    """A source whose batches come to this process.

    Parameters
    ----------
    title : str
        What to call the table in messages.
    schema : pyarrow.Schema
    pieces : callable
        Takes the names of columns and returns pieces of the table with at least these columns, each an
        iterable of batches.
    """

    title: str
    schema: pa.Schema
    pieces: Pieces

    def __post_init__(self) -> None:
        check_distinct(self.schema.names)

    @property
    def types(self) -> dict[str, str]:
        """The type of each column, for messages."""
        return {field.name: str(field.type) for field in self.schema}

    def fold(self, columns: Sequence[str], summarise: Summarise) -> Iterator[Any]:
        """Sum up the table in threads, see `Source.fold`."""
        check_columns(self.names, columns)
        schema = plain_schema(self.schema, columns)
        with self._guard():
            pieces = self.pieces(columns)
        guarded = (plain_batches(self._guarded(piece), schema) for piece in self._guarded(pieces))
        return fold_pieces(guarded, summarise)

    def _guarded(self, items: Iterable[Any]) -> Iterator[Any]:
        with self._guard():
            iterator = iter(items)
            while (item := next(iterator, None)) is not None:
                yield item

    @contextmanager
    def _guard(self) -> Iterator[None]:
        """Turn whatever an engine raises into a TableError."""
        try:
            yield
        except (TableError, MemoryError):
            raise
        except Exception as error:
            raise TableError(f"{self.title} cannot be read: {one_line(error)}") from error


def single_pieces(batches: Iterable[pa.RecordBatch]) -> Iterator[list[pa.RecordBatch]]:
    """Yield each batch as a piece of its own."""
    for batch in batches:
        yield [batch]


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
