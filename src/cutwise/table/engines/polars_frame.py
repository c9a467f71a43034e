"""polars frames, lazy ones with the streaming engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl
from polars import selectors

from cutwise.errors import TableError
from cutwise.table.engines.arrow import one_line
from cutwise.table.engines.stream import BATCH_ROWS, StreamSource

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import pyarrow as pa


def open_frame(frame: pl.DataFrame) -> StreamSource:
    """Open a frame in memory."""

    def pieces(columns: Sequence[str]) -> Iterable[list[pa.RecordBatch]]:
        slices = frame.select(selectors.by_name(*columns)).iter_slices(BATCH_ROWS)
        return (part.to_arrow().to_batches() for part in slices)

    return StreamSource("The polars frame", _arrow_schema(frame.schema), pieces)


def open_lazy_frame(frame: pl.LazyFrame) -> StreamSource:
    """Open a lazy frame; polars reads only the columns asked for."""
    title = "The lazy frame of polars"
    if not hasattr(frame, "collect_batches"):
        message = f"{title} needs a polars that hands over batches, 1.34 or later; this is {pl.__version__}."
        raise TableError(message)
    try:
        schema = _arrow_schema(frame.collect_schema())
    except (pl.exceptions.PolarsError, OSError) as error:
        message = f"{title} cannot be run: {one_line(error)}"
        raise TableError(message) from error

    def pieces(columns: Sequence[str]) -> Iterator[list[pa.RecordBatch]]:
        chosen = frame.select(selectors.by_name(*columns))
        for part in chosen.collect_batches(chunk_size=BATCH_ROWS, maintain_order=False, engine="streaming"):
            yield part.to_arrow().to_batches(max_chunksize=BATCH_ROWS)

    return StreamSource(title, schema, pieces)


def _arrow_schema(schema: pl.Schema) -> pa.Schema:
    return pl.DataFrame(schema=schema).to_arrow().schema
