"""Parquet, through pyarrow or polars."""

from __future__ import annotations

import importlib
import io
import re
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from cutwise.errors import TableError
from cutwise.table.reading import limits

if TYPE_CHECKING:
    from cutwise.table.reading.settings import ReadSettings

# pandas writes its row labels as such a column.
_ROW_LABELS = re.compile(r"__index_level_\d+__")


def read_parquet(content: bytes, settings: ReadSettings, name: str) -> Any:  # noqa: ARG001  # as every reader
    """Return the frame that a Parquet file holds, of pyarrow or else of polars."""
    if not content.startswith(b"PAR1"):
        message = f"The {name} is no Parquet file. Name its format with --format."
        raise TableError(message)
    for library, read in (("pyarrow", with_pyarrow), ("polars", with_polars)):
        if find_spec(library) is not None:
            return read(content, name)
    message = "Parquet files need pyarrow or polars. Install one: pip install 'cutwise[tables]'."
    raise TableError(message)


def with_pyarrow(content: bytes, name: str) -> Any:
    """Return a table of pyarrow."""
    arrow: Any = importlib.import_module("pyarrow")
    parquet: Any = importlib.import_module("pyarrow.parquet")
    try:
        file = parquet.ParquetFile(io.BytesIO(content))
        about = file.metadata
        n_bytes = sum(about.row_group(i).total_byte_size for i in range(about.num_row_groups))
        _check_size(about.num_rows, about.num_columns, n_bytes, name)
        names = [column for column in file.schema_arrow.names if not _ROW_LABELS.fullmatch(column)]
        return file.read(columns=names).replace_schema_metadata(None)
    except (arrow.ArrowException, OSError, ValueError) as error:
        raise TableError(_problem(error, name)) from None


def with_polars(content: bytes, name: str) -> Any:
    """Return a table of polars."""
    polars: Any = importlib.import_module("polars")
    try:
        schema = polars.read_parquet_schema(io.BytesIO(content))
        n_rows = polars.scan_parquet(io.BytesIO(content)).select(polars.len()).collect().item()
        _check_size(n_rows, len(schema), 0, name)
        names = [column for column in schema if not _ROW_LABELS.fullmatch(column)]
        return polars.read_parquet(io.BytesIO(content), columns=names)
    except (polars.exceptions.PolarsError, OSError, ValueError) as error:
        raise TableError(_problem(error, name)) from None


def _check_size(n_rows: int, n_columns: int, n_bytes: int, name: str) -> None:
    if n_columns > limits.MAX_COLUMNS or n_rows * n_columns > limits.MAX_CELLS or n_bytes > 4 * limits.MAX_BYTES:
        message = (
            f"The {name} has {n_rows:,} rows and {n_columns:,} columns, which is more than is read. "
            "Take part of them, or read it in Python."
        )
        raise TableError(message)


def _problem(error: Exception, name: str) -> str:
    if isinstance(error, TableError):
        return str(error)
    return f"The {name} is no Parquet file that can be read: {' '.join(str(error).split())[:200]}"
