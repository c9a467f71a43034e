"""pandas data frames, a slice at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from cutwise.errors import TableError
from cutwise.sources.arrow_types import one_line
from cutwise.sources.stream import BATCH_ROWS, StreamSource

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


def open_frame(frame: Any) -> StreamSource:
    """Open a frame in memory."""
    schema = arrow_schema(frame)

    def pieces(columns: Sequence[str]) -> Iterable[Iterable[pa.RecordBatch]]:
        chosen = pa.schema([schema.field(name) for name in columns])
        return ([batch] for batch in frame_batches(frame, chosen))

    return StreamSource("The pandas frame", schema, pieces)


def arrow_schema(frame: Any) -> pa.Schema:
    """Return the types of the columns; those of columns of objects come from their values."""
    fields = []
    for place, name in enumerate(frame.columns):
        if not isinstance(name, str):
            message = f"A column is named {name!r}; names must be texts. Rename it: table.columns.astype(str)."
            raise TableError(message)
        fields.append(pa.field(name, _arrow_type(frame.iloc[:, place], name)))
    return pa.schema(fields)


def frame_batches(frame: Any, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Yield the columns of a schema in slices."""
    for start in range(0, len(frame), BATCH_ROWS):
        rows = frame.iloc[start : start + BATCH_ROWS]
        arrays = [to_array(rows[field.name], field.name, field.type) for field in schema]
        yield pa.RecordBatch.from_arrays(arrays, schema=schema)


def to_array(series: Any, name: str, kind: pa.DataType | None = None) -> pa.Array:
    """Return a series as an array; NaN becomes null."""
    try:
        array = pa.Array.from_pandas(series, type=kind)
    except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
        message = f"Column {name!r} mixes kinds of values or holds some that Arrow cannot: {one_line(error)}"
        raise TableError(message) from error
    return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array


def _arrow_type(series: Any, name: str) -> pa.DataType:
    sample = series if series.dtype == object else series.iloc[:0]
    return to_array(sample, name).type
