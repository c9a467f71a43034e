"""Every engine gives the same names, kinds and rows."""

from __future__ import annotations

import math
from importlib.util import find_spec
from itertools import chain

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutwise.errors import TableError
from cutwise.table import NumericColumn, read_columns
from cutwise.table.engines import open_source
from cutwise.table.engines.arrow import plain_schema
from tests.table.engines.summaries import count_of, refuse, rows_of
from tests.table.engines.tables import ENGINES, READABLE, every_kind
from tests.versions import POLARS, needs_batches

KINDS = {
    **dict.fromkeys(["double", "single", "integer", "small", "unsigned", "decimal"], "numeric"),
    **dict.fromkeys(["boolean", "text", "category"], "nominal"),
    "nothing": "numeric",
    "date": "other",
}


def folded(source, columns):
    """All rows, in an order that does not depend on the engine; missing values are None."""
    rows = chain.from_iterable(source.fold(columns, rows_of))
    return sorted((tuple(map(plain, row)) for row in rows), key=repr)


def plain(value):
    return None if isinstance(value, float) and math.isnan(value) else value


@pytest.mark.parametrize("engine", READABLE)
@pytest.mark.parametrize("n", [0, 1, 10])
def test_rows_and_kinds(engine, n, tmp_path):
    table = every_kind(n)
    source = open_source(ENGINES[engine](table, tmp_path))
    assert source.names == tuple(table.column_names)
    assert source.kinds == KINDS
    assert all(source.types.values())
    columns = [name for name in table.column_names if name != "date"]
    expected = table.select(columns).cast(plain_schema(table.schema, columns))
    assert folded(source, columns[::-1]) == sorted(
        (tuple(map(plain, row.values()))[::-1] for row in expected.to_pylist()), key=repr
    )


@pytest.mark.parametrize("engine", READABLE)
def test_kinds_are_those_of_memory(engine, tmp_path):
    """What the frames of the table stage call numeric is numeric."""
    table = every_kind().drop_columns("date")
    source = open_source(ENGINES[engine](table, tmp_path))
    for column in (read() for read in read_columns(table, table.column_names)):
        assert source.kinds[column.name] == ("numeric" if isinstance(column, NumericColumn) else "nominal")


@pytest.mark.parametrize("engine", READABLE)
def test_types_of_batches(engine, tmp_path):
    table = every_kind().drop_columns("date")
    source = open_source(ENGINES[engine](table, tmp_path))
    known = {pa.float64(), pa.string(), pa.bool_(), pa.int8(), pa.int32(), pa.int64(), pa.uint16()}
    types = chain.from_iterable(source.fold(list(source.names), types_of))
    assert set(chain.from_iterable(types)) <= known


def types_of(batches):
    return [batch.schema.types for batch in batches]


@pytest.mark.parametrize("engine", READABLE)
def test_hostile_names(engine, tmp_path):
    names = ['"', "a b", "a.b", "a", "ä", "x'; DROP TABLE t; --", "self", "*", "^a.*$", "select", "{x}"]
    table = pa.table({name: [float(j), None, 0.5] for j, name in enumerate(names)})
    source = open_source(ENGINES[engine](table, tmp_path))
    for name in names:
        assert folded(source_again(source, engine, table, tmp_path), [name]) == sorted(
            [(float(names.index(name)),), (None,), (0.5,)], key=repr
        )


def source_again(source, engine, table, folder):
    return open_source(ENGINES[engine](table, folder)) if engine == "arrow reader" else source


@pytest.mark.parametrize("engine", READABLE)
def test_unknown_columns(engine, tmp_path):
    source = open_source(ENGINES[engine](pa.table({"age": [1.0]}), tmp_path))
    with pytest.raises(TableError, match=r"no column 'agee'. Did you mean 'age'\?"):
        source.fold(["agee"], rows_of)
    with pytest.raises(TableError, match="'age' appears more than once"):
        source.fold(["age", "age"], rows_of)


@pytest.mark.parametrize("engine", READABLE)
def test_errors_of_summaries_come_through(engine, tmp_path):
    source = open_source(ENGINES[engine](every_kind(), tmp_path))
    with pytest.raises(TableError, match="Column 'x': no good"):
        list(source.fold(["text"], refuse))


def test_columns_in_the_names_of_folders(tmp_path):
    for year in (2020, 2021):
        (tmp_path / f"year={year}").mkdir()
        pq.write_table(pa.table({"x": [0.5]}), tmp_path / f"year={year}" / "a.parquet")
    source = open_source(pyarrow.dataset.dataset(tmp_path, partitioning="hive"))
    assert source.kinds == {"x": "numeric", "year": "numeric"}
    assert folded(source, ["year", "x"]) == [(2020, 0.5), (2021, 0.5)]


@pytest.mark.skipif(find_spec("dask") is None, reason="dask is not installed")
def test_dask_in_other_processes(tmp_path, monkeypatch):
    """What is sent to workers can be sent, and errors come back as they are."""
    import dask

    monkeypatch.setenv("PYTHONHASHSEED", "0")  # Dask sets it
    source = open_source(ENGINES["dask"](every_kind(), tmp_path))
    with dask.config.set(scheduler="processes", num_workers=1):
        assert sum(source.fold(["double", "text"], count_of)) == 10
        with pytest.raises(TableError, match="Column 'x': no good"):
            list(source.fold(["text"], refuse))


def test_a_reader_is_read_once():
    source = open_source(pa.table({"a": [1]}).to_reader())
    assert folded(source, ["a"]) == [(1,)]
    with pytest.raises(TableError, match="read only once"):
        source.fold(["a"], rows_of)


@pytest.mark.parametrize("thing", [None, 3, np.zeros((2, 2)), {"a": [1]}])
def test_what_is_no_table(thing):
    with pytest.raises(TableError, match="Expected the path of Parquet or CSV files"):
        open_source(thing)


def test_a_stream_of_something_else():
    with pytest.raises(TableError, match=r"The table \(Series\) cannot be read"):
        open_source(pl.Series([1]))


def test_repeated_names():
    with pytest.raises(TableError, match="'a' appears more than once"):
        open_source(pa.table([[1], [2]], names=["a", "a"]))
    with pytest.raises(TableError, match="'a' appears more than once"):
        open_source(pd.DataFrame([[1, 2]], columns=["a", "a"]))


def test_pandas_objects():
    frame = pd.DataFrame({
        "text": pd.Series(["a", None, "b"], dtype=object),
        "number": pd.Series([1, None, 2.5], dtype=object),
        "boolean": pd.Series([True, None, False], dtype=object),
        "category": pd.Categorical([3, None, 4]),
    })  # fmt: skip
    source = open_source(frame)
    assert source.kinds == {"text": "nominal", "number": "numeric", "boolean": "nominal", "category": "nominal"}
    expected = [("a", 1.0, True, 3), ("b", 2.5, False, 4), (None, None, None, None)]
    assert folded(source, list(source.names)) == sorted(expected, key=repr)


def test_pandas_objects_of_mixed_kinds():
    with pytest.raises(TableError, match="Column 'x' mixes kinds of values"):
        open_source(pd.DataFrame({"x": pd.Series(["a", 1], dtype=object)}))


def test_pandas_names_must_be_texts():
    with pytest.raises(TableError, match="A column is named 0"):
        open_source(pd.DataFrame([[1]]))


def test_duckdb_types():
    relation = duckdb.sql("SELECT 1::HUGEINT AS h, 'a'::ENUM('a') AS e, 1.5::DECIMAL(4, 2) AS d, [1] AS l, now() AS t")
    source = open_source(relation)
    assert source.kinds == {"h": "numeric", "e": "nominal", "d": "numeric", "l": "other", "t": "other"}
    assert folded(source, ["h", "e", "d"]) == [(1.0, "a", 1.5)]


def test_a_relation_that_cannot_be_run():
    connection = duckdb.connect()
    connection.execute("CREATE TABLE t AS SELECT '1' AS x")
    relation = connection.sql("SELECT CAST(x AS INTEGER) AS x FROM t")
    connection.execute("UPDATE t SET x = 'abc'")
    with pytest.raises(TableError, match=r"The DuckDB relation cannot be read: .*abc"):
        list(open_source(relation).fold(["x"], rows_of))


@needs_batches
def test_a_lazy_frame_that_cannot_be_run():
    frame = pl.LazyFrame({"x": ["1", "abc"]}).select(pl.col("x").cast(pl.Int64))
    with pytest.raises(TableError, match=r"The lazy frame of polars cannot be read: .*abc"):
        list(open_source(frame).fold(["x"], rows_of))
    with pytest.raises(TableError, match=r"cannot be run: .*unknown"):
        open_source(pl.LazyFrame({"x": [1]}).select("unknown"))


@pytest.mark.skipif(POLARS >= (1, 34), reason="lazy frames of polars hand over batches from 1.34 on")
def test_a_lazy_frame_of_an_old_polars():
    with pytest.raises(TableError, match=r"1\.34 or later; this is 1\..*collect the frame"):
        list(open_source(pl.LazyFrame({"x": [1.0]})).fold(["x"], rows_of))


VALUES = st.one_of(st.none(), st.floats())


@given(values=st.lists(VALUES, max_size=20))
def test_every_double_arrives(values, tmp_path_factory):
    folder = tmp_path_factory.mktemp("doubles")
    table = pa.table({"x": pa.array(values, pa.float64(), from_pandas=False)})
    expected = bits(values)
    for engine in ("parquet", "duckdb", "polars" if POLARS < (1, 34) else "lazy polars", "pandas", "arrow"):
        source = open_source(ENGINES[engine](table, folder))
        found = [value for row in chain.from_iterable(source.fold(["x"], rows_of)) for value in row]
        assert bits(found) == expected, engine


def bits(values):
    return sorted("missing" if value is None or math.isnan(value) else value.hex() for value in values)


def test_large_tables_come_in_batches(tmp_path):
    n = 400_000
    table = pa.table({"x": np.arange(n, dtype=np.float64)})
    pq.write_table(table, tmp_path / "x.parquet", row_group_size=n)
    scanned = pl.scan_parquet(tmp_path / "x.parquet")
    for thing in (table, tmp_path / "x.parquet", duckdb.from_arrow(table), *([scanned] if POLARS >= (1, 34) else [])):
        sizes = list(chain.from_iterable(open_source(thing).fold(["x"], sizes_of)))
        assert sum(size for size, _ in sizes) == n
        assert sum(total for _, total in sizes) == n * (n - 1) / 2
        assert max(size for size, _ in sizes) <= 1 << 17


def sizes_of(batches):
    return [(batch.num_rows, float(batch.column(0).to_numpy().sum())) for batch in batches]
