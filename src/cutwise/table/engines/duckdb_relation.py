"""DuckDB relations."""

from __future__ import annotations

import glob
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from cutwise.errors import TableError
from cutwise.table.engines.arrow import one_line
from cutwise.table.engines.files import CSV, find_files, format_of_files
from cutwise.table.engines.opening import engine_of
from cutwise.table.engines.parquet_files import open_parquet
from cutwise.table.engines.stream import BATCH_ROWS, StreamSource, single_pieces

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


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


def relation_of_arrow(table: Any) -> Any:
    """Return a relation that reads an Arrow dataset or stream, in DuckDB's default connection.

    Another connection would be closed as soon as nobody holds it, and a relation does not.
    """
    import duckdb  # noqa: PLC0415

    known = engine_of(table) is not None
    return duckdb.from_arrow(table if known else pa.RecordBatchReader.from_stream(table))


def relation_of_files(paths: Any) -> Any:
    """Return a relation that reads files, in DuckDB's default connection.

    That their columns agree is checked here, because DuckDB turns one type into another in silence.
    """
    import duckdb  # noqa: PLC0415

    files = find_files(paths)
    if format_of_files(files) == CSV:
        from cutwise.table.engines.csv_files import csv_query  # noqa: PLC0415

        return duckdb.sql(csv_query(files))
    open_parquet(files)
    return duckdb.read_parquet([glob.escape(file) for file in files], union_by_name=True)


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
