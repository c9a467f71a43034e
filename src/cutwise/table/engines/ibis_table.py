"""Ibis tables, whatever backend runs them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import pyarrow as pa

from cutwise.errors import TableError
from cutwise.table.engines.arrow import one_line
from cutwise.table.engines.duckdb_relation import arrow_reader
from cutwise.table.engines.stream import BATCH_ROWS, StreamSource, single_pieces

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def open_table(table: Any) -> StreamSource:
    """Open a table; its backend runs it and hands over batches."""
    title = "The Ibis table"
    try:
        schema = pa.schema([(name, _arrow_type(kind)) for name, kind in table.schema().items()])
    except Exception as error:
        message = f"{title} cannot be read: {one_line(error)}"
        raise TableError(message) from error

    def pieces(columns: Sequence[str]) -> Iterable[list[pa.RecordBatch]]:
        return single_pieces(_batches(table.select(*columns)))

    return StreamSource(title, schema, pieces)


def _arrow_type(kind: Any) -> pa.DataType:
    """Return Arrow's type; bytes stand for a type that Ibis does not know."""
    return pa.binary() if kind.is_unknown() else kind.to_pyarrow()


def _batches(table: Any) -> Iterable[pa.RecordBatch]:
    backend = table.get_backend()
    if backend.name != "duckdb":
        return cast("Iterable[pa.RecordBatch]", table.to_pyarrow_batches(chunk_size=BATCH_ROWS))
    # Ibis 12 asks DuckDB for batches by a name that DuckDB 2 no longer has. Asking for no row makes Ibis
    # register its tables in memory with the connection.
    table.limit(0).to_pyarrow()
    return cast("Iterable[pa.RecordBatch]", arrow_reader(backend.con.sql(backend.compile(table))))
