"""A table that is read here: record batches, shared among threads."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cutwise.errors import TableError
from cutwise.sources.arrow_types import ArrowColumns, one_line, plain_batches, plain_schema
from cutwise.sources.source import check_columns, check_distinct
from cutwise.sources.threads import fold_pieces

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    import pyarrow as pa

    from cutwise.sources.source import Summarise

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
            message = f"{self.title} cannot be read: {one_line(error)}"
            raise TableError(message) from error


def single_pieces(batches: Iterable[pa.RecordBatch]) -> Iterator[list[pa.RecordBatch]]:
    """Yield each batch as a piece of its own."""
    for batch in batches:
        yield [batch]
