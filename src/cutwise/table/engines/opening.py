"""Which engine holds a table: told from its type, so that no engine is loaded to find out."""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from cutwise.errors import TableError
from cutwise.table.engines.files import is_path

if TYPE_CHECKING:
    from cutwise.table.engines.source import Source

# The library and the class that a type is or descends from: where it is opened.
_ENGINES = {
    ("duckdb", "DuckDBPyRelation"): ("duckdb_relation", "open_relation"),
    ("polars", "LazyFrame"): ("polars_frame", "open_lazy_frame"),
    ("polars", "DataFrame"): ("polars_frame", "open_frame"),
    ("pandas", "DataFrame"): ("pandas_frame", "open_frame"),
    ("pyarrow", "Dataset"): ("arrow_table", "open_dataset"),
    ("pyarrow", "Table"): ("arrow_table", "open_table"),
    ("pyarrow", "RecordBatch"): ("arrow_table", "open_table"),
    ("pyarrow", "RecordBatchReader"): ("arrow_table", "open_reader"),
    ("pyspark", "DataFrame"): ("spark_frame", "SparkSource"),
    ("dask", "DataFrame"): ("dask_frame", "DaskSource"),
    ("ibis", "Table"): ("ibis_table", "open_table"),
}
KNOWN = (
    "the path of Parquet or CSV files, an Arrow dataset or table, a DuckDB relation, a polars, pandas, Spark or Dask "
    "data frame, or an Ibis table"
)


def open_source(table: Any) -> Source:
    """Return the source behind a table.

    Parameters
    ----------
    table : path or table
        A path, a pattern such as ``"sales/*.parquet"``, a folder or a list of paths; or a table of Arrow, DuckDB,
        polars, pandas, Spark, Dask or Ibis.

    Raises
    ------
    TableError
        If it is none of them, or cannot be opened.

    Examples
    --------
    >>> import pyarrow as pa
    >>> source = open_source(pa.table({"age": [31, 52, None], "town": ["Bern", None, "Rome"]}))
    >>> source.kinds
    {'age': 'numeric', 'town': 'nominal'}
    >>> sum(source.fold(["age"], lambda batches: sum(batch.num_rows for batch in batches)))
    3
    """
    require("pyarrow", "engines")
    engine = engine_of(table)
    if engine is not None:
        return _opened(table, *_ENGINES[engine])
    if is_path(table):
        return _opened(table, "files", "open_files")
    if hasattr(table, "__arrow_c_stream__"):
        return _opened(table, "arrow_table", "open_stream")
    message = f"Expected {KNOWN}, got {type(table).__name__}."
    raise TableError(message)


def engine_of(table: Any) -> tuple[str, str] | None:
    """Return the library and the class of a table; None if it is of none of the engines.

    Examples
    --------
    >>> import pandas as pd
    >>> engine_of(pd.DataFrame({"age": [31]}))
    ('pandas', 'DataFrame')
    """
    for cls in type(table).__mro__:
        # Before its version 2, DuckDB's classes are in _duckdb.
        key = cls.__module__.split(".")[0].removeprefix("_"), cls.__name__
        if key in _ENGINES:
            return key
    return None


def require(library: str, extra: str) -> None:
    """Raise ImportError unless a library is installed."""
    if find_spec(library) is None:
        message = f"This needs the library {library}, which is not installed; try: pip install 'cutwise[{extra}]'."
        raise ImportError(message)


def _opened(table: Any, module: str, function: str) -> Source:
    source: Source = getattr(importlib.import_module(f"cutwise.table.engines.{module}"), function)(table)
    return source
