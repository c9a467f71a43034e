"""transform_table: the codes of transform, from the engine that holds the table."""

from __future__ import annotations

import math
import sqlite3
from contextlib import closing, nullcontext
from importlib.util import find_spec
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings

from cutwise import EqualWidthDiscretizer, FixedSchemeDiscretizer, MDLPDiscretizer
from cutwise.errors import ColumnWarning, ExportError, TableError
from tests.export.engines import ARROW, ROW, rows_of, typed
from tests.export.schemes import (
    EXTREMES,
    HOSTILE,
    MAY_BE_UNSEEN,
    WITH_BLANKS,
    around,
    cases,
    codes_of,
    nominal,
    numeric,
    scheme_of,
)
from tests.table.engines.tables import ENGINES, in_ibis_parquet, in_parquet
from tests.versions import skip_names_like_patterns

CUTS = [-1e300, -0.1, 0.0, 5e-324, 0.1, 0.1 + 0.2, 1 / 3, 2.0**53, 1e22, 1.7976931348623157e308]
VALUES = [*EXTREMES, *around(CUTS)]


def arrow_table(scheme, columns):
    return pa.table({
        name: pa.array(values, ARROW[kind], from_pandas=False) for name, kind, values in typed(scheme, columns)
    })  # fmt: skip


def check(engine, scheme, columns, folder):
    table = ENGINES[engine](arrow_table(scheme, columns), folder)
    assert rows_of(scheme.transform_table(table, keep=[ROW])) == codes_of(scheme, columns)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("missing", ["code", "bin"])
def test_extremes(engine, missing, tmp_path):
    attributes = [
        numeric("none", []),
        numeric("zero", [-0.0], special=[0.0]),
        numeric("many", CUTS, special=[-999.0, 0.3, 1.0]),
        numeric("tiny", [0.25], special=[-0.0, 5e-324]),
    ]
    check(engine, scheme_of(*attributes, missing=missing), [VALUES] * len(attributes), tmp_path)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("missing", ["code", "bin"])
def test_categories(engine, missing, tmp_path):
    texts = [text for text in HOSTILE if "\0" not in text and len(text) < 1000]
    values = [*texts, *WITH_BLANKS, None, "unseen"]
    n = len(values)
    pairs = {
        nominal("text", texts[::2]): values,
        nominal("no category", []): ["a", None] * (n // 2) + ["b"] * (n % 2),
        nominal("boolean", [False, True]): [True, False, None] * n,
        nominal("true", [True]): [True, False, None] * n,
        nominal("integer", [1, 2, 2**53]): [1, 2, 3, None, 2**53, 2**53 - 1] * n,
        nominal("double", [-0.5, 0.0, 0.1]): [-0.0, 0.1, None, math.inf, math.nextafter(0.1, 1), -0.5] * n,
    }
    check(engine, scheme_of(*pairs, missing=missing), [values[:n] for values in pairs.values()], tmp_path)


@pytest.mark.parametrize("engine", [name for name in ENGINES if name not in ("dask", "ibis", "parquet files")])
@MAY_BE_UNSEEN
@given(case=cases())
@settings(max_examples=10)
def test_any_scheme(engine, case, tmp_path_factory):
    check(engine, *case, tmp_path_factory.mktemp("tables"))


@pytest.mark.parametrize("engine", ENGINES)
def test_nan_beyond_what_parquet_states(engine, tmp_path):
    """Parquet files state the largest value without NaN; who believes them finds no NaN."""
    check(engine, scheme_of(numeric("x", [], special=[0.0]), missing="bin"), [[0.0, math.nan, 0.0, None]], tmp_path)
    check(engine, scheme_of(numeric("x", [1.0])), [[2.0, math.nan, 3.0, 0.5]], tmp_path)
    check(engine, scheme_of(numeric("x", [-1.0])), [[-2.0, math.nan, -3.0, -2.5]], tmp_path)


@pytest.mark.parametrize("engine", ENGINES)
def test_hostile_names(engine, tmp_path):
    if "polars" in engine:
        skip_names_like_patterns()
    names = ['"', "a b", "a.b", "a", "ä", "x'; DROP TABLE t; --", "self", "*", "^a.*$", "select", "{x}", "c0", "v0"]
    scheme = scheme_of(*(numeric(name, [float(j)]) for j, name in enumerate(names)))
    check(engine, scheme, [[j - 0.5, j + 0.5, None] for j in range(len(names))], tmp_path)


@pytest.mark.parametrize("engine", ENGINES)
def test_types_and_names(engine, tmp_path):
    table = pa.table({
        "other": pa.array([1, 2, 3], pa.int64()),
        "integer": pa.array([5, None, 2**53 + 1], pa.int64()),
        "single": pa.array([0.1, 0.2, None], pa.float32()),
        "boolean": pa.array([True, None, False]),
        "category": pa.array(["a", "b", None]).dictionary_encode(),
        "nothing": pa.nulls(3),
    })  # fmt: skip
    scheme = scheme_of(
        numeric("boolean", [0.5]),
        numeric("nothing", [0.5]),
        nominal("category", ["b"]),
        numeric("single", [0.1]),
        numeric("integer", [2.0**53]),
    )
    is_read_here = engine in ("arrow", "dask", "pandas")
    with pytest.warns(ColumnWarning, match="'integer' holds whole") if is_read_here else nullcontext():
        found = scheme.transform_table(ENGINES[engine](table, tmp_path), keep=["other"])
        assert names_of(found) == ["other", *scheme.names]
        assert rows_of(found) == [[1, -1, -1, 1, 0], [-1, -1, 0, 1, -1], [0, -1, -1, -1, 0]]
    assert set(types_of(found)[1:]) <= {"int32", "Int32", "INTEGER"}


def names_of(table):
    if isinstance(table, pl.LazyFrame):
        return table.collect_schema().names()
    return list(table.column_names if isinstance(table, pa.Table) else table.columns)


def types_of(table):
    if isinstance(table, pl.LazyFrame):
        table = table.collect()
    if isinstance(table, pa.Table):
        return [str(kind) for kind in table.schema.types]
    if type(table).__name__ == "Table":
        return [str(kind) for kind in table.schema().types]
    return [str(kind) for kind in table.dtypes]


@pytest.mark.parametrize("engine", ENGINES)
def test_kinds_that_differ_from_fit(engine, tmp_path):
    def codes(attribute, values):
        table = ENGINES[engine](pa.table({ROW: [0, 1], "x": values}), tmp_path)
        return rows_of(scheme_of(attribute).transform_table(table, keep=[ROW]))

    with pytest.raises(TableError, match="Column 'x'"):
        codes(numeric("x", [1.0]), ["1", "two"])
    for attribute, expected in ((numeric("x", [1.0]), [[0], [1]]), (nominal("x", [1, 3]), [[0], [-1]])):
        if engine in ("pandas", "dask"):
            assert codes(attribute, ["1", "2"]) == expected
        else:
            with pytest.raises(TableError, match=r"Column 'x' has the type .* in fit it held numbers"):
                codes(attribute, ["1", "2"])
    assert codes(nominal("x", ["a", "2.0"]), [1.0, 2.0]) == [[-1], [1]]
    assert codes(nominal("x", ["a", "2"]), [1, 2]) == [[-1], [1]]
    assert codes(nominal("x", ["a", "TRUE"]), [True, False]) == [[1], [-1]]


def test_what_cannot_be_kept():
    table = pl.LazyFrame({"x": [1.0], "id": [1]})
    scheme = scheme_of(numeric("x", [1.0]))
    with pytest.raises(ExportError, match="'x' is replaced by its codes"):
        scheme.transform_table(table, keep=["x"])
    with pytest.raises(ExportError, match="must be a list of names, not the string 'id'"):
        scheme.transform_table(table, keep="id")
    with pytest.raises(TableError, match=r"no column 'idd'\. Did you mean 'id'"):
        scheme.transform_table(table, keep=["idd"])
    with pytest.raises(TableError, match="no column 'z'"):
        scheme_of(numeric("z", [1.0])).transform_table(table)
    with pytest.raises(ExportError, match="no attribute"):
        scheme_of().transform_table(table)


def test_discretizers():
    frame = pl.DataFrame({"a": [1.0, 2.0, 3.0, 4.0] * 5, "b": ["x", "y", None, "x"] * 5})
    y = [0, 0, 1, 1] * 5
    fitted = MDLPDiscretizer(missing="bin").fit(frame, y)
    expected = fitted.set_output(transform="polars").transform(frame)
    assert fitted.transform_table(frame.lazy()).collect().equals(expected)
    assert FixedSchemeDiscretizer(fitted.scheme_.to_json()).transform_table(frame.lazy()).collect().equals(expected)
    with pytest.raises(ExportError, match="'encode' is 'onehot'"):
        MDLPDiscretizer(encode="onehot").fit(frame, y).transform_table(frame.lazy())


def test_not_fitted():
    from sklearn.exceptions import NotFittedError

    with pytest.raises(NotFittedError):
        EqualWidthDiscretizer().transform_table(pl.LazyFrame({"a": [1]}))


def test_nothing_is_read_before_it_is_asked_for(tmp_path):
    """Rows that cannot be read do not matter until they are read."""
    frame = pl.LazyFrame({"x": ["1", "abc"]}).select(pl.col("x").cast(pl.Float64))
    codes = scheme_of(numeric("x", [1.0])).transform_table(frame)
    with pytest.raises(pl.exceptions.PolarsError):
        codes.collect()
    relation = duckdb.sql("SELECT CAST(x AS DOUBLE) AS x FROM (VALUES ('1'), ('abc')) t(x)")
    codes = scheme_of(numeric("x", [1.0])).transform_table(relation)
    with pytest.raises(duckdb.ConversionException):
        codes.fetchall()


def test_files_of_different_types(tmp_path):
    """DuckDB alone would read the doubles of the second file as whole numbers."""
    pq.write_table(pa.table({"x": [1, 2]}), tmp_path / "a.parquet")
    pq.write_table(pa.table({"x": [2.5, 0.5]}), tmp_path / "b.parquet")
    codes = scheme_of(numeric("x", [1.0, 2.25])).transform_table(tmp_path)
    assert codes.fetchall() == [(0,), (1,), (2,), (0,)]


def test_files_that_do_not_agree(tmp_path):
    pq.write_table(pa.table({"x": [1.0]}), tmp_path / "a.parquet")
    pq.write_table(pa.table({"x": ["2"]}), tmp_path / "b.parquet")
    with pytest.raises(TableError, match=r"Column 'x' has the type double .* and string in the file '.*b\.parquet'"):
        scheme_of(numeric("x", [1.0])).transform_table(tmp_path)
    with pytest.raises(TableError, match=r"There is no file '.*c\.parquet'"):
        scheme_of(numeric("x", [1.0])).transform_table(tmp_path / "c.parquet")


def test_csv(tmp_path):
    file = tmp_path / "people[1].csv"
    file.write_text("age;town\n37,5; Bern\n?;Rome\nNA;\ninf;' DROP\n")
    (tmp_path / "people1.csv").write_text("another;file\n1;2\n")
    scheme = scheme_of(numeric("age", [37.25]), nominal("town", ["Bern", "' DROP"]))
    assert scheme.transform_table(file).fetchall() == [(1, 0), (-1, -1), (-1, -1), (1, 1)]


def test_parquet_names_that_look_like_patterns(tmp_path):
    pq.write_table(pa.table({"x": [5.0]}), tmp_path / "x[1].parquet")
    pq.write_table(pa.table({"x": [0.0]}), tmp_path / "x1.parquet")
    assert scheme_of(numeric("x", [1.0])).transform_table(str(tmp_path / "x[1].parquet")).fetchall() == [(1,)]


def test_results_can_go_on(tmp_path):
    """The relation of a file lives on without the connection that made it, and can be written."""
    import gc

    path = in_parquet(pa.table({"id": [1, 2], "x": [0.0, 2.0]}), tmp_path)
    codes = scheme_of(numeric("x", [1.0])).transform_table(path, keep=["id"])
    gc.collect()
    codes.filter("x = 1").write_parquet(str(tmp_path / "codes.parquet"))
    assert pq.read_table(Path(tmp_path) / "codes.parquet").to_pylist() == [{"id": 2, "x": 1}]


@pytest.mark.skipif(find_spec("ibis") is None, reason="ibis-framework is not installed")
def test_ibis_on_parquet(tmp_path):
    scheme = scheme_of(numeric("x", CUTS, special=[0.3]), missing="bin")
    table = in_ibis_parquet(arrow_table(scheme, [VALUES]), tmp_path)
    assert rows_of(scheme.transform_table(table, keep=[ROW])) == codes_of(scheme, [VALUES])
    scheme = scheme_of(numeric("x", [1.0]))
    table = in_ibis_parquet(arrow_table(scheme, [[2.0, math.nan, 0.5]]), tmp_path)
    assert rows_of(scheme.transform_table(table, keep=[ROW])) == [[1], [-1], [0]]


@pytest.mark.filterwarnings("ignore:The .future.infer_string. option")  # Ibis asks pandas for it
@pytest.mark.skipif(find_spec("ibis") is None, reason="ibis-framework is not installed")
def test_ibis_on_sqlite(tmp_path):
    import ibis

    with closing(sqlite3.connect(tmp_path / "data.db")) as database:
        database.execute("CREATE TABLE data (x REAL, s TEXT)")
        database.executemany("INSERT INTO data VALUES (?, ?)", [(0.1, "a"), (None, "b"), (3.0, None)])
        database.commit()
    connection = ibis.sqlite.connect(tmp_path / "data.db")
    scheme = scheme_of(numeric("x", [0.1], special=[3.0]), nominal("s", ["b"]), missing="bin")
    found = scheme.transform_table(connection.table("data")).to_pyarrow()
    assert [list(row.values()) for row in found.to_pylist()] == [[0, -1], [3, 0], [2, 1]]
    connection.disconnect()


def test_frames_keep_their_row_labels():
    frame = pd.DataFrame({"x": [0.0, 2.0]}, index=["a", "b"])
    assert scheme_of(numeric("x", [1.0])).transform_table(frame).to_dict() == {"x": {"a": 0, "b": 1}}
    assert np.array_equal(frame["x"], [0.0, 2.0])
