"""What every engine offers, and which engine holds a table: told from its type, so that no engine is loaded."""

from __future__ import annotations

import glob
import importlib
import os
from collections import Counter
from importlib.util import find_spec
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Protocol

from cutwise.errors import TableError
from cutwise.table.frames import suggestion

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    import pyarrow as pa

    Summarise = Callable[[Iterator[pa.RecordBatch]], Any]


class Source(Protocol):
    """A table, whatever engine holds it."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns in order."""
        ...

    @property
    def kinds(self) -> Mapping[str, str]:
        """What each column is to ``fit``: "numeric", "nominal" or "other".

        Whole numbers, floats and decimals are numeric; strings, categories and booleans are
        nominal. Anything else, such as a date, is refused by ``fit``.
        """
        ...

    @property
    def schema(self) -> pa.Schema:
        """The columns as Arrow sees them."""
        ...

    @property
    def types(self) -> Mapping[str, str]:
        """The type of each column, for messages."""
        ...

    def fold(self, columns: Sequence[str], summarise: Summarise) -> Iterator[Any]:
        """Sum up the table in one scan.

        Parameters
        ----------
        columns : sequence of str
            The columns to read.
        summarise : callable
            Takes an iterator over record batches with just these columns and returns what it
            makes of them. It is called several times, in threads here or on the workers of the
            engine, so that it must be picklable; some iterators may be empty. Columns come as
            whole numbers, float64, bool or string (decimals as float64, categories as what they
            stand for, columns without any value as float64), with null where a value is missing.

        Yields
        ------
        object
            What each call returned, in any order.
        """
        ...


def check_columns(names: Sequence[str], columns: Sequence[str]) -> None:
    """Raise TableError unless a table has these columns and each is asked for once."""
    known = set(names)
    for column in columns:
        if column not in known:
            raise TableError(f"The table has no column {column!r}{suggestion(str(column), list(names))}")
    check_distinct(columns)


def check_distinct(names: Sequence[str]) -> None:
    """Raise TableError if two columns have the same name."""
    repeated = [name for name, count in Counter(names).items() if count > 1]
    if repeated:
        shown = ", ".join(map(repr, repeated[:4]))
        raise TableError(f"Column names must differ; {shown} appears more than once. Rename it.")


# The library and the class that a type is or descends from: where it is opened.
_ENGINES = {
    ("duckdb", "DuckDBPyRelation"): ("duckdb_relation", "open_relation"),
    ("polars", "LazyFrame"): ("frames", "open_lazy_frame"),
    ("polars", "DataFrame"): ("frames", "open_polars_frame"),
    ("pandas", "DataFrame"): ("frames", "open_pandas_frame"),
    ("pyarrow", "Dataset"): ("arrow_table", "open_dataset"),
    ("pyarrow", "Table"): ("arrow_table", "open_table"),
    ("pyarrow", "RecordBatch"): ("arrow_table", "open_table"),
    ("pyarrow", "RecordBatchReader"): ("arrow_table", "open_reader"),
    ("pyspark", "DataFrame"): ("spark_frame", "SparkSource"),
    ("dask", "DataFrame"): ("frames", "DaskSource"),
    ("ibis", "Table"): ("frames", "open_ibis_table"),
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
        return open_files(table)
    if hasattr(table, "__arrow_c_stream__"):
        return _opened(table, "arrow_table", "open_stream")
    raise TableError(f"Expected {KNOWN}, got {type(table).__name__}.")


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


PARQUET, CSV = "Parquet", "CSV"
_ENDS = {".parquet": PARQUET, ".pq": PARQUET, ".csv": CSV, ".tsv": CSV, ".txt": CSV}


def is_path(table: Any) -> bool:
    """Tell whether files are named instead of a table."""
    return isinstance(table, str | os.PathLike | list | tuple)


def open_files(paths: Any) -> Source:
    """Open files of one format, together one table."""
    files = find_files(paths)
    if format_of_files(files) == PARQUET:
        from cutwise.table.engines.arrow_table import open_parquet  # noqa: PLC0415

        return open_parquet(files)
    from cutwise.table.engines.duckdb_relation import open_csv  # noqa: PLC0415

    return open_csv(files)


def find_files(paths: Any) -> list[str]:
    """Return the files that a path, a pattern, a folder or a list of them stands for."""
    items = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    if not items:
        raise TableError("The list of files is empty. Name at least one.")
    files = [file for item in items for file in _files_of(item)]
    seen: set[str] = set()
    for file in files:
        if file in seen:
            raise TableError(f"The file {file!r} is named twice; its rows would count double. Name it once.")
        seen.add(file)
    return files


def _files_of(item: Any) -> list[str]:
    if not isinstance(item, str | os.PathLike):
        raise TableError(f"Expected paths, found {item!r} of type {type(item).__name__} in the list.")
    path = os.fsdecode(item)
    if Path(path).is_file():
        return [path]
    if Path(path).is_dir():
        return _files_below(path)
    if "://" in path:
        message = f"{path!r} is no file of this machine. Open it with DuckDB or as an Arrow dataset, and pass that."
        raise TableError(message)
    found = sorted(file for file in glob.iglob(path, recursive=True) if Path(file).is_file())  # noqa: PTH207
    if not found:
        what = "No file matches the pattern" if glob.has_magic(path) else "There is no file"
        raise TableError(f"{what} {path!r}.")
    return found


def _files_below(folder: str) -> list[str]:
    """Return the files of a folder and its folders, without those that engines hide."""
    found = sorted(path for path in Path(folder).rglob("*") if path.is_file())
    shown = [path for path in found if not any(part[0] in "._" for part in path.relative_to(folder).parts)]
    if not shown:
        raise TableError(f"The folder {folder!r} holds no files.")
    for path in shown:
        if any("=" in part for part in path.relative_to(folder).parts[:-1]):
            raise TableError(
                f"The folder {folder!r} has columns in the names of its folders, such as {path.parent.name!r}. Pass "
                "pyarrow.dataset.dataset(folder, partitioning='hive') instead."
            )
    return list(map(str, shown))


def format_of_files(files: Sequence[str]) -> str:
    """Return the format that all files have, told from the ends of their names."""
    formats = {_format_of(file): file for file in reversed(files)}
    if len(formats) > 1:
        shown = " and ".join(f"{file!r} ({form})" for form, file in sorted(formats.items()))
        raise TableError(f"Files of one table must have one format, but there are {shown}. Pass one kind of them.")
    return next(iter(formats))


def _format_of(file: str) -> str:
    ends = [end.lower() for end in PurePath(file).suffixes]
    if ends and ends[-1] == ".gz":
        ends.pop()
    form = _ENDS.get(ends[-1]) if ends else None
    if form is None:
        message = f"Unknown file extension: {file!r}. The name must end in {', '.join(_ENDS)}."
        raise TableError(message)
    return form
