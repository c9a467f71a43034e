"""Arrow datasets, tables and streams."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.dataset as ds
from pyarrow import fs

from cutwise.errors import TableError
from cutwise.table.engines.arrow import one_line
from cutwise.table.engines.parquet_files import read_through
from cutwise.table.engines.stream import BATCH_ROWS, StreamSource, single_pieces

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


def open_table(table: Any) -> StreamSource:
    """Open a table or a batch in memory."""

    def pieces(columns: Sequence[str]) -> Iterable[list[pa.RecordBatch]]:
        chosen = table.select(list(columns))
        whole = pa.Table.from_batches([chosen]) if isinstance(chosen, pa.RecordBatch) else chosen
        return single_pieces(whole.to_batches(max_chunksize=BATCH_ROWS))

    return StreamSource("The Arrow table", table.schema, pieces)


def open_dataset(dataset: Any) -> StreamSource:
    """Open a dataset, whose files are read by Arrow's own threads."""

    def pieces(columns: Sequence[str]) -> Iterator[list[pa.RecordBatch]]:
        # The defaults read so far ahead that memory is not bounded by the size of a batch.
        scanner = dataset.scanner(columns=list(columns), batch_size=BATCH_ROWS, batch_readahead=4, fragment_readahead=2)
        try:
            yield from single_pieces(scanner.to_batches())
        except (pa.ArrowException, OSError):
            _find_fault(dataset, columns)
            raise

    return StreamSource("The Arrow dataset", dataset.schema, pieces)


def _find_fault(dataset: Any, columns: Sequence[str]) -> None:
    """Raise TableError with the place of a fault in local Parquet files, if it is found there."""
    if isinstance(dataset, ds.FileSystemDataset) and isinstance(dataset.format, ds.ParquetFileFormat):
        for path in dataset.files if isinstance(dataset.filesystem, fs.LocalFileSystem) else ():
            read_through(path, columns)


def open_stream(table: Any) -> StreamSource:
    """Open anything that hands out Arrow streams, a new one each time it is asked."""
    title = f"The table ({type(table).__name__})"
    try:
        schema = pa.RecordBatchReader.from_stream(table).schema
    except pa.ArrowException as error:
        message = f"{title} cannot be read: {one_line(error)}"
        raise TableError(message) from error

    def pieces(columns: Sequence[str]) -> Iterable[list[pa.RecordBatch]]:  # noqa: ARG001
        return single_pieces(pa.RecordBatchReader.from_stream(table))

    return StreamSource(title, schema, pieces)


def open_reader(reader: Any) -> StreamSource:
    """Open a stream that can be read once."""
    unread = [reader]

    def pieces(columns: Sequence[str]) -> Iterable[list[pa.RecordBatch]]:  # noqa: ARG001
        if not unread:
            message = (
                "An Arrow reader can be read only once, and this needs the rows again. "
                "Pass a dataset, a table or files instead."
            )
            raise TableError(message)
        return single_pieces(unread.pop())

    return StreamSource("The Arrow reader", reader.schema, pieces)
