"""pandas data frames, a slice at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from cutwise.errors import TableError
from cutwise.table.engines.arrow import one_line
from cutwise.table.engines.source import check_distinct
from cutwise.table.engines.stream import BATCH_ROWS, StreamSource, single_pieces

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence


def open_frame(frame: Any) -> StreamSource:
    """Open a frame in memory."""
    schema = pa.schema([pa.field(name, _arrow_type(frame[name])) for name in text_names(frame)])

    def pieces(columns: Sequence[str]) -> Iterable[list[pa.RecordBatch]]:
        return single_pieces(frame_batches(frame, columns, {name: schema.field(name).type for name in columns}))

    return StreamSource("The pandas frame", schema, pieces)


def text_names(frame: Any) -> list[str]:
    """Return the names of the columns; raise TableError unless they are different texts."""
    names = list(frame.columns)
    for name in names:
        if not isinstance(name, str):
            message = f"A column is named {name!r}; names must be texts. Rename it: table.columns.astype(str)."
            raise TableError(message)
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


def _arrow_type(series: Any) -> pa.DataType:
    """Return the type of a column; that of a column of objects comes from its values."""
    return _to_array(series if series.dtype == object else series.iloc[:0]).type
