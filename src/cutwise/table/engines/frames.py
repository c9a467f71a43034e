"""Frames of pandas and polars, Dask frames and Ibis tables."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import pyarrow as pa

from cutwise.errors import CutwiseError, TableError
from cutwise.table.engines.arrow import (
    BATCH_ROWS,
    ArrowColumns,
    StreamSource,
    one_line,
    plain_batches,
    plain_schema,
    single_pieces,
)
from cutwise.table.engines.duckdb_relation import arrow_reader
from cutwise.table.engines.source import check_columns, check_distinct

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import pandas as pd
    import polars as pl

    from cutwise.table.engines.source import Summarise


def open_pandas_frame(frame: Any) -> StreamSource:
    """Open a frame in memory."""
    schema = pa.schema([pa.field(name, _type_of_series(frame[name])) for name in text_names(frame)])

    def pieces(columns: Sequence[str]) -> Iterable[list[pa.RecordBatch]]:
        return single_pieces(frame_batches(frame, columns, {name: schema.field(name).type for name in columns}))

    return StreamSource("The pandas frame", schema, pieces)


def text_names(frame: Any) -> list[str]:
    """Return the names of the columns; raise TableError unless they are different strings."""
    names = list(frame.columns)
    for name in names:
        if not isinstance(name, str):
            raise TableError(
                f"A column is named {name!r}; names must be strings. Rename it: table.columns.astype(str)."
            )
    check_distinct(names)
    return names


def frame_batches(
    frame: Any, columns: Sequence[str], types: Mapping[str, pa.DataType] | None = None
) -> Iterator[pa.RecordBatch]:
    """Yield some columns of a frame in slices."""
    types = {} if types is None else types
    for start in range(0, len(frame), BATCH_ROWS):
        rows = frame.iloc[start : start + BATCH_ROWS]
        yield pa.RecordBatch.from_arrays([_to_array(rows[name], types.get(name)) for name in columns], names=columns)


def _to_array(series: Any, kind: pa.DataType | None = None) -> pa.Array:
    """Return a series as an array; NaN becomes null."""
    try:
        array = pa.Array.from_pandas(series, type=kind)
    except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
        message = f"Column {series.name!r} mixes kinds of values or holds some that Arrow cannot: {one_line(error)}"
        raise TableError(message) from error
    return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array


def _type_of_series(series: Any) -> pa.DataType:
    """Return the type of a column; that of a column of objects comes from its values."""
    return _to_array(series if series.dtype == object else series.iloc[:0]).type


def open_polars_frame(frame: pl.DataFrame) -> StreamSource:
    """Open a frame in memory."""

    def pieces(columns: Sequence[str]) -> Iterable[list[pa.RecordBatch]]:
        slices = frame[list(columns)].iter_slices(BATCH_ROWS)
        return (part.to_arrow().to_batches() for part in slices)

    return StreamSource("The polars frame", _arrow_schema(frame.schema), pieces)


def open_lazy_frame(frame: pl.LazyFrame) -> StreamSource:
    """Open a lazy frame; polars reads only the columns asked for."""
    import polars as pl  # noqa: PLC0415
    from polars import selectors  # noqa: PLC0415

    title = "The lazy frame of polars"
    try:
        schema = _arrow_schema(frame.collect_schema())
    except (pl.exceptions.PolarsError, OSError) as error:
        raise TableError(f"{title} cannot be run: {one_line(error)}") from error

    def pieces(columns: Sequence[str]) -> Iterator[list[pa.RecordBatch]]:
        if not hasattr(frame, "collect_batches"):
            needed = "a polars that hands over batches, 1.34 or later"
            raise TableError(f"{title} needs {needed}; this is {pl.__version__}. Upgrade it, or collect the frame.")
        chosen = frame.select(selectors.by_name(*columns))
        for part in chosen.collect_batches(chunk_size=BATCH_ROWS, maintain_order=False, engine="streaming"):
            yield part.to_arrow().to_batches(max_chunksize=BATCH_ROWS)

    return StreamSource(title, schema, pieces)


def _arrow_schema(schema: pl.Schema) -> pa.Schema:
    import polars as pl  # noqa: PLC0415

    return pl.DataFrame(schema=schema).to_arrow().schema


# Partitions whose summaries are held at a time.
_GROUP = 64


@dataclass(frozen=True, eq=False)
class DaskSource(ArrowColumns):
    """A data frame of Dask, with partitions of pandas."""

    frame: Any

    @cached_property
    def schema(self) -> pa.Schema:
        """The columns as Arrow sees them; a column of objects is taken for one of strings."""
        names = text_names(self.frame)
        return pa.schema([(name, _type_of_dask(self.frame.dtypes[name])) for name in names])

    @property
    def types(self) -> dict[str, str]:
        """The type of each column, for messages."""
        return {name: str(self.frame.dtypes[name]) for name in self.names}

    def fold(self, columns: Sequence[str], summarise: Summarise) -> Iterator[Any]:
        """Sum up the partitions with Dask's scheduler, see `Source.fold`."""
        import dask  # noqa: PLC0415

        check_columns(self.names, columns)
        schema = plain_schema(self.schema, columns)
        parts = self.frame[list(columns)].to_delayed()
        return _results([dask.delayed(_summary)(part, schema, summarise) for part in parts])


def _summary(part: pd.DataFrame, schema: pa.Schema, summarise: Summarise) -> Any:
    return summarise(plain_batches(frame_batches(part, schema.names), schema))


def _results(tasks: Sequence[Any]) -> Iterator[Any]:
    import dask  # noqa: PLC0415

    for start in range(0, len(tasks), _GROUP):
        try:
            results = dask.compute(*tasks[start : start + _GROUP])
        except (CutwiseError, MemoryError):
            raise
        except Exception as error:
            raise TableError(f"The Dask frame cannot be read: {one_line(error)}") from error
        yield from results


def _type_of_dask(dtype: Any) -> pa.DataType:
    import pandas as pd  # noqa: PLC0415

    if str(dtype) == "object":
        return pa.string()
    return pa.Array.from_pandas(pd.Series([], dtype=dtype)).type


def open_ibis_table(table: Any) -> StreamSource:
    """Open a table; its backend runs it and hands over batches."""
    title = "The Ibis table"
    try:
        schema = pa.schema([(name, _type_of_ibis(kind)) for name, kind in table.schema().items()])
    except Exception as error:
        raise TableError(f"{title} cannot be read: {one_line(error)}") from error

    def pieces(columns: Sequence[str]) -> Iterable[list[pa.RecordBatch]]:
        return single_pieces(_batches(table.select(*columns)))

    return StreamSource(title, schema, pieces)


def _type_of_ibis(kind: Any) -> pa.DataType:
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
