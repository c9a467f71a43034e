"""DuckDB relations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cutwise.errors import TableError
from cutwise.sources.arrow_types import one_line
from cutwise.sources.stream import BATCH_ROWS, StreamSource, single_pieces

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import pyarrow as pa


def open_relation(relation: Any) -> StreamSource:
    """Open a relation; DuckDB runs it with its own threads and hands over batches."""
    title = "The DuckDB relation"
    try:
        schema = arrow_reader(relation.limit(0)).schema
    except Exception as error:
        message = f"{title} cannot be run: {one_line(error)}"
        raise TableError(message) from error

    def pieces(columns: Sequence[str]) -> Iterable[list[pa.RecordBatch]]:
        return single_pieces(arrow_reader(relation.project(", ".join(map(quoted, columns)))))

    return StreamSource(title, schema, pieces)


def arrow_reader(relation: Any) -> pa.RecordBatchReader:
    """Return the rows of a relation as a stream."""
    read = getattr(relation, "to_arrow_reader", None) or relation.fetch_record_batch
    return read(BATCH_ROWS)


def quoted(name: str) -> str:
    """Return a name as DuckDB reads it, whatever it holds.

    Examples
    --------
    >>> quoted('3" pipe')
    '"3"" pipe"'
    """
    return '"' + name.replace('"', '""') + '"'
