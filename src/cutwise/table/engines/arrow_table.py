"""Arrow datasets, tables and streams; Parquet files by row group, so that an error names file, group and column."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
from pyarrow import fs

from cutwise.errors import TableError
from cutwise.table.engines.arrow import (
    BATCH_ROWS,
    StreamSource,
    is_text,
    join_schemas,
    one_line,
    single_pieces,
    title_of,
)
from cutwise.table.engines.source import check_columns

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

# What pyarrow raises when a file is not what it should be.
_FAULTS = (pa.ArrowException, OSError, ValueError, LookupError)


def open_parquet(files: Sequence[str]) -> StreamSource:
    """Open Parquet files; their row groups are read side by side."""
    n_groups: dict[str, int] = {}

    def schemas() -> Iterator[tuple[str, pa.Schema]]:
        for path in files:
            with _opened(path) as file:
                n_groups[path] = file.num_row_groups
                yield path, file.schema_arrow.remove_metadata()

    schema = join_schemas(schemas())

    def pieces(columns: Sequence[str]) -> Iterable[Iterator[pa.RecordBatch]]:
        readers = threading.local()
        return (_group_batches(path, group, columns, readers) for path in files for group in range(n_groups[path]))

    return StreamSource(title_of(files), schema, pieces)


def _opened(path: str, words: Sequence[str] = ()) -> pq.ParquetFile:
    try:
        return pq.ParquetFile(path, page_checksum_verification=True, read_dictionary=list(words))
    except FileNotFoundError:
        raise TableError(f"The file {path!r} is gone.") from None
    except _FAULTS as error:
        raise TableError(f"The file {path!r} is no Parquet file that can be read: {one_line(error)}") from error


def _group_batches(path: str, group: int, columns: Sequence[str], readers: threading.local) -> Iterator[pa.RecordBatch]:
    """Yield the batches of one row group; each thread keeps the file that it read last open."""
    if getattr(readers, "path", None) != path:
        with _opened(path) as file:
            check_columns(file.schema_arrow.names, columns)
            # The words of a column are read once, however many rows have them; see plain_batches for the rest.
            words = [field.name for field in file.schema_arrow if is_text(field.type)]
        readers.file, readers.path = _opened(path, words), path
    try:
        yield from readers.file.iter_batches(BATCH_ROWS, row_groups=[group], columns=list(columns), use_threads=False)
    except _FAULTS as error:
        raise TableError(
            f"The file {path!r}, row group {group}{_bad_column(path, group, columns)} cannot be read: {one_line(error)}"
        ) from error


def read_through(path: str, columns: Sequence[str]) -> None:
    """Read a file for nothing but the TableError if it cannot be read; it may lack some of the columns."""
    with _opened(path) as file:
        n_groups = file.num_row_groups
        known = set(file.schema_arrow.names)
    readers = threading.local()
    for group in range(n_groups):
        for _ in _group_batches(path, group, [name for name in columns if name in known], readers):
            pass


def _bad_column(path: str, group: int, columns: Sequence[str]) -> str:
    """Return which column of a row group cannot be read, as part of a message."""
    for column in columns:
        try:
            with _opened(path) as file:
                file.read_row_group(group, columns=[column], use_threads=False)
        except (TableError, *_FAULTS):
            return f", column {column!r}"
    return ""


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
        raise TableError(f"{title} cannot be read: {one_line(error)}") from error

    def pieces(columns: Sequence[str]) -> Iterable[list[pa.RecordBatch]]:  # noqa: ARG001
        return single_pieces(pa.RecordBatchReader.from_stream(table))

    return StreamSource(title, schema, pieces)


def open_reader(reader: Any) -> StreamSource:
    """Open a stream that can be read once."""
    unread = [reader]

    def pieces(columns: Sequence[str]) -> Iterable[list[pa.RecordBatch]]:  # noqa: ARG001
        if not unread:
            raise TableError(
                "An Arrow reader can be read only once, and this needs the rows again. "
                "Pass a dataset, a table or files instead."
            )
        return single_pieces(unread.pop())

    return StreamSource("The Arrow reader", reader.schema, pieces)
