"""The same table in every engine that is installed."""

from __future__ import annotations

import datetime as dt
import warnings
from importlib.util import find_spec
from pathlib import Path

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet as pq
import pytest

from tests.versions import needs_batches


class Stream:
    """A table that can do nothing but hand out Arrow streams."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


def in_parquet(table, folder):
    path = Path(folder) / "table.parquet"
    pq.write_table(table, path, row_group_size=3)
    return str(path)


def in_parquet_files(table, folder):
    for start in range(0, max(len(table), 1), 4):
        pq.write_table(table.slice(start, 4), Path(folder) / f"part-{start:04}.parquet")
    return str(Path(folder) / "part-*.parquet")


def in_dataset(table, folder):
    in_parquet_files(table, folder)
    return pyarrow.dataset.dataset(folder, format="parquet")


def in_dask(table, folder):
    import dask.dataframe

    return dask.dataframe.from_pandas(table.to_pandas(types_mapper=pd.ArrowDtype), npartitions=3)


def in_ibis(table, folder):
    import ibis

    return ibis.memtable(table)


def in_ibis_parquet(table, folder):
    import ibis

    # Ibis uses names that DuckDB has given up.
    with warnings.catch_warnings(action="ignore"):
        return ibis.duckdb.connect().read_parquet(in_parquet(table, folder))


def in_duckdb(table, folder):
    return duckdb.from_arrow(table)


ENGINES = {
    "parquet": in_parquet,
    "parquet files": in_parquet_files,
    "dataset": in_dataset,
    "arrow": lambda table, folder: table,
    "arrow reader": lambda table, folder: table.to_reader(max_chunksize=3),
    "arrow stream": lambda table, folder: Stream(table),
    "duckdb": in_duckdb,
    "duckdb on parquet": lambda table, folder: duckdb.read_parquet(in_parquet(table, folder)),
    "polars": lambda table, folder: pl.from_arrow(table),
    "lazy polars": lambda table, folder: pl.from_arrow(table).lazy(),
    "scanned polars": lambda table, folder: pl.scan_parquet(in_parquet(table, folder)),
    "pandas": lambda table, folder: table.to_pandas(types_mapper=pd.ArrowDtype),
}
if find_spec("dask") is not None:
    ENGINES["dask"] = in_dask
if find_spec("ibis") is not None:
    ENGINES["ibis"] = in_ibis

READABLE = [
    pytest.param(name, marks=needs_batches) if name in ("lazy polars", "scanned polars") else name for name in ENGINES
]


def every_kind(n=10):
    """A table with a column of every type."""
    numbers = range(n)
    return pa.table({
        "double": pa.array([None if i % 5 == 3 else i / 3 for i in numbers], pa.float64()),
        "single": pa.array([i / 3 for i in numbers], pa.float32()),
        "integer": pa.array([None if i % 4 == 1 else i * 2**40 for i in numbers], pa.int64()),
        "small": pa.array([i % 100 for i in numbers], pa.int8()),
        "unsigned": pa.array(list(numbers), pa.uint16()),
        "decimal": pa.array([f"{i}.25" for i in numbers], pa.string()).cast(pa.decimal128(12, 2)),
        "boolean": pa.array([None if i % 3 == 2 else i % 2 == 0 for i in numbers], pa.bool_()),
        "text": pa.array([None if i % 4 == 2 else f"t{i % 3}" for i in numbers], pa.string()),
        "category": pa.array([f"c{i % 2}" for i in numbers], pa.string()).dictionary_encode(),
        "nothing": pa.nulls(n),
        "date": pa.array([dt.date(2020, 1, 1 + i % 28) for i in numbers], pa.date32()),
    })  # fmt: skip
