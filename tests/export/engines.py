"""Run a query or a model on columns of values, whatever engine it is for."""

from __future__ import annotations

import math
import sqlite3

import duckdb
import numpy as np
import onnxruntime
import polars as pl
import pyarrow as pa

from cutwise.categories import NO_VALUE, category_text
from tests.export.schemes import type_of

ARROW = {"double": pa.float64(), "text": pa.string(), "boolean": pa.bool_(), "integer": pa.int64()}
POLARS = {"double": pl.Float64, "text": pl.String, "boolean": pl.Boolean, "integer": pl.Int64}
SQLITE = {"double": "REAL", "text": "TEXT", "boolean": "INTEGER", "integer": "INTEGER"}
ROW = "row number"


def typed(scheme, columns):
    """The name, type and values of each column, with the number of the row first."""
    rows = (ROW, "integer", list(range(len(columns[0]))))
    return [rows, *((a.name, type_of(a), column) for a, column in zip(scheme.attributes, columns, strict=True))]


def in_order(rows):
    """Rows in the order of their number, without it."""
    return [list(row[1:]) for row in sorted(rows, key=lambda row: row[0])]


def run_duckdb(sql, columns):
    arrays = {name: pa.array(values, type=ARROW[kind], from_pandas=False) for name, kind, values in columns}
    with duckdb.connect(config={"threads": 1}) as connection:
        connection.register("data", pa.table(arrays))
        return in_order(connection.execute(sql).fetchall())


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def run_sqlite(sql, columns):
    connection = sqlite3.connect(":memory:")
    fields = ", ".join(f"{quoted(name)} {SQLITE[kind]}" for name, kind, _ in columns)
    marks = ", ".join("?" * len(columns))
    connection.execute(f"CREATE TABLE data ({fields})")
    rows = zip(*(values for _, _, values in columns), strict=True)
    connection.executemany(f"INSERT INTO data VALUES ({marks})", rows)  # noqa: S608
    found = in_order(connection.execute(sql).fetchall())
    connection.close()
    return found


def polars_frame(scheme, columns):
    return pl.DataFrame([pl.Series(name, values, dtype=POLARS[kind]) for name, kind, values in typed(scheme, columns)])


def feeds(scheme, columns):
    """The inputs of a model, as it asks for them: texts without blanks around them, and one for what is missing."""
    found = {}
    for attribute, column in zip(scheme.attributes, columns, strict=True):
        if type_of(attribute) == "text":
            known = set(map(category_text, attribute.categories))
            no_value = next(text for text in NO_VALUE if text not in known)
            items = [no_value if item is None else item.strip() for item in column]
            found[attribute.name] = np.array(items, dtype=object)[:, None]
        else:
            items = [math.nan if item is None else item for item in column]
            found[attribute.name] = np.array(items, dtype=np.float64)[:, None]
    return found


def run_onnx(model, scheme, columns):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return session.run(None, feeds(scheme, columns))


def rows_of(table):
    """The rows of a table of any engine, in the order of their number."""
    kind = type(table).__name__
    if type(table).__module__.startswith("pyspark."):
        return in_order([tuple(row) for row in table.collect()])
    if kind == "LazyFrame":
        table = table.collect()
    if isinstance(table, pl.DataFrame):
        return in_order(table.rows())
    if isinstance(table, duckdb.DuckDBPyRelation):
        return in_order(table.fetchall())
    if kind == "Table" and not isinstance(table, pa.Table):
        table = table.to_pyarrow()
    if isinstance(table, pa.Table):
        return in_order([tuple(row.values()) for row in table.to_pylist()])
    frame = table.compute() if hasattr(table, "compute") else table
    return in_order(frame.itertuples(index=False, name=None))
