"""Codes are those of the library: in DuckDB, SQLite, polars and ONNX (promise: identical codes)."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given

from cutwise.categories import BLANKS
from cutwise.encode import encode_columns
from cutwise.errors import ColumnWarning
from tests.export.engines import ROW, polars_frame, run_duckdb, run_onnx, run_sqlite, typed
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

CUTS = [-1e300, -0.1, 0.0, 5e-324, 0.1, 1 / 3, 2.0**53, 1e22, 1.7976931348623157e308]
VALUES = [*EXTREMES, *around(CUTS), *range(-3, 4)]
DATABASES = {"duckdb": run_duckdb, "sqlite": run_sqlite}


def in_database(name, scheme, columns):
    return DATABASES[name](scheme.to_sql(name, keep=[ROW]), typed(scheme, columns))


@MAY_BE_UNSEEN
@pytest.mark.parametrize("name", DATABASES)
@given(case=cases())
def test_sql(name, case):
    scheme, columns = case
    assert in_database(name, scheme, columns) == codes_of(scheme, columns)


@MAY_BE_UNSEEN
@given(case=cases())
def test_polars(case):
    scheme, columns = case
    frame = polars_frame(scheme, columns)
    found = frame.select(scheme.to_polars())
    assert [list(row) for row in found.rows()] == codes_of(scheme, columns)
    assert found.columns == list(scheme.names)
    assert set(found.dtypes) == {pl.Int32}
    assert frame.lazy().select(scheme.to_polars()).collect().equals(found)


@MAY_BE_UNSEEN
@given(case=cases())
def test_onnx(case):
    scheme, columns = case
    (found,) = run_onnx(scheme.to_onnx(), scheme, columns)
    assert found.tolist() == codes_of(scheme, columns)
    assert found.dtype == np.int32


def every_engine(scheme, columns):
    yield "polars", [list(row) for row in polars_frame(scheme, columns).select(scheme.to_polars()).rows()]
    yield "onnx", run_onnx(scheme.to_onnx(), scheme, columns)[0].tolist()
    for name in DATABASES:
        yield name, in_database(name, scheme, columns)


@pytest.mark.parametrize("missing", ["code", "bin"])
@pytest.mark.parametrize(
    "attribute",
    [
        numeric("x", []),
        numeric("x", [0.0]),
        numeric("x", [-0.0], special=[0.0]),
        numeric("x", CUTS, special=[-999.0, 0.3, 1.0]),
        numeric("x", [0.25], special=[-0.0, 5e-324]),
        numeric("x", np.linspace(-3, 3, 400).tolist()),
    ],
    ids=lambda attribute: f"{len(attribute.cuts)} cuts, {len(attribute.special_values)} special values",
)
def test_numbers(attribute, missing):
    scheme = scheme_of(attribute, missing=missing)
    expected = codes_of(scheme, [VALUES])
    for name, found in every_engine(scheme, [VALUES]):
        assert found == expected, name


@pytest.mark.parametrize("missing", ["code", "bin"])
def test_hostile_texts(missing):
    scheme = scheme_of(nominal("x", HOSTILE[::2]), missing=missing)
    values = [*HOSTILE, *WITH_BLANKS, None, "unseen", "NUL", "nul"]
    expected = codes_of(scheme, [values])
    for name, found in every_engine(scheme, [values]):
        assert found == expected, name


def test_polars_takes_off_every_blank():
    scheme = scheme_of(nominal("x", ["a", "b c"]), missing="bin")
    values = [f"{blank}{text}{blank}" for blank in BLANKS for text in ("a", "b c", "")]
    expected = [[0], [1], [2]] * len(BLANKS)
    assert codes_of(scheme, [values]) == expected
    assert [list(row) for row in polars_frame(scheme, [values]).select(scheme.to_polars()).rows()] == expected


def test_a_half_character_is_in_no_column():
    scheme = scheme_of(nominal("x", ["a", "\ud800", "b"]))
    for name, found in every_engine(scheme, [["b", "a", "?"]]):
        assert found == [[2], [0], [-1]], name


@pytest.mark.parametrize("missing", ["code", "bin"])
def test_columns_without_any_category(missing):
    scheme = scheme_of(nominal("x", []), missing=missing)
    code = 0 if missing == "bin" else -1
    for name, found in every_engine(scheme, [["a", None, "", "?"]]):
        assert found == [[-1], [code], [code], [code]], name


@pytest.mark.parametrize(
    ("categories", "values"),
    [
        ([True], [True, False, None]),
        ([False, True], [True, False, None]),
        ([1, 2, 2**53], [0, 1, 2, 3, 2**53, 2**53 - 1, None]),
        ([-0.5, 0.1, 1e300], [0.1, math.nextafter(0.1, 1), -0.5, 1e300, math.nan, math.inf, -math.inf, None]),
        ([0.0], [0.0, -0.0, 5e-324]),
    ],
)
def test_categories_that_are_no_texts(categories, values):
    scheme = scheme_of(nominal("x", categories), missing="bin")
    expected = codes_of(scheme, [values])
    for name, found in every_engine(scheme, [values]):
        assert found == expected, name


INTEGERS = [2**53 + 1, 2**53 + 2, 2**53 + 3, 2**63 - 1, -(2**63), 0, -1]


def test_large_integers_are_rounded_to_doubles():
    cuts = [-(2.0**62), 2.0**53, 2.0**53 + 2, math.nextafter(2.0**63, 0)]
    scheme = scheme_of(numeric("x", cuts, special=[2.0**63]))
    with pytest.warns(ColumnWarning, match="'x' holds whole numbers beyond 2"):
        expected = encode_columns(scheme, np.array(INTEGERS)[:, None]).tolist()
    columns = [(ROW, "integer", list(range(len(INTEGERS)))), ("x", "integer", INTEGERS)]
    for name, run in DATABASES.items():
        assert run(scheme.to_sql(name, keep=[ROW]), columns) == expected, name
    frame = pl.DataFrame({"x": pl.Series(INTEGERS, dtype=pl.Int64)})
    assert [list(row) for row in frame.select(scheme.to_polars()).rows()] == expected
    with pytest.warns(ColumnWarning, match="'x' holds whole numbers beyond 2"):
        assert encode_columns(scheme, frame).tolist() == expected


def test_single_precision_is_read_as_it_is():
    import duckdb

    values = np.array([0.1, 0.2, 0.3, np.nan, np.inf, -0.0], dtype=np.float32)
    scheme = scheme_of(numeric("x", [0.1, float(np.float32(0.2)), 0.3]))
    expected = encode_columns(scheme, values[:, None]).tolist()
    frame = pl.DataFrame({"x": values})
    assert [list(row) for row in frame.select(scheme.to_polars()).rows()] == expected
    with duckdb.connect() as connection:
        connection.register("data", frame.to_arrow())
        assert connection.execute(scheme.to_sql()).fetchall() == [tuple(row) for row in expected]


def test_other_column_types_of_polars():
    scheme = scheme_of(nominal("x", ["a", "b"]))
    for dtype in (pl.Categorical, pl.Enum(["b", "a", "c"])):
        frame = pl.DataFrame({"x": pl.Series(["a", "c", None, "b"], dtype=dtype)})
        assert frame.select(scheme.to_polars())["x"].to_list() == [0, -1, -1, 1]


def test_many_cuts_and_attributes():
    attributes = [numeric(f"x{j}", np.arange(j % 7, dtype=float).tolist()) for j in range(100)]
    scheme = scheme_of(numeric("long", np.arange(500.0).tolist()), *attributes)
    columns = [[-1.0, 0.5, 499.0, 1e9, None]] * 101
    expected = codes_of(scheme, columns)
    for name, found in every_engine(scheme, columns):
        assert found == expected, name
