"""Columns of every kind."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest

from cutwise import TableError
from cutwise.errors import UnseenWarning
from cutwise.table import NominalColumn, NumericColumn, read_column, read_columns
from cutwise.table.columns import MISSING, UNSEEN, is_missing, numbers_of


def objects(*items):
    array = np.empty(len(items), dtype=object)
    array[:] = items
    return array


@pytest.mark.parametrize(
    "items",
    [(1, 2.5, None), (Decimal("1.5"), 2), (Fraction(1, 2), np.float32(0.5)), (None, np.nan), (10**400, -(10**400))],
)
def test_numbers_make_a_numeric_column(items):
    column = read_column(objects(*items), "n")
    assert isinstance(column, NumericColumn)
    assert column.values.dtype == np.float64


def test_whole_numbers_beyond_doubles_are_infinite():
    assert numbers_of([10**400, -(10**400)], "n").tolist() == [np.inf, -np.inf]


@pytest.mark.parametrize(
    ("items", "categories"),
    [
        (("b", "a", None, "b"), ("a", "b")),
        ((True, False, None), (False, True)),
        ((b"x", b"y"), ("x", "y")),
        ((np.str_("q"),), ("q",)),
    ],
)
def test_words_make_a_nominal_column(items, categories):
    column = read_column(objects(*items), "n")
    assert isinstance(column, NominalColumn)
    assert column.categories == categories


def test_codes_of_things_that_cannot_be_looked_up():
    column = NominalColumn("n", [["a"], "a", {}, (1, [2]), object(), float("nan"), None, pd.NA], ("a",))
    with pytest.warns(UnseenWarning, match=r"4 of 5 values .* such as \['a'\], where 'a' was known"):
        codes = column.codes(("a",))
    assert codes.tolist() == [UNSEEN, 0, UNSEEN, UNSEEN, UNSEEN, MISSING, MISSING, MISSING]


@pytest.mark.parametrize(
    "items",
    [
        np.array([b"x", b"y", b"x"]),
        np.array(["x", "y", "x"]),
        objects(b"x", b"y", b"x"),
        objects(np.str_("x"), "y", "x"),
        objects(np.True_, False, True),
        objects(b"x", "y", "x"),
    ],
)
def test_every_category_is_found_again(items):
    column = read_column(items, "n")
    first, second = column.codes(column.categories)[:2]
    assert column.codes(column.categories).tolist() == [first, second, first]
    assert {first, second} == {0, 1}


def test_decimals_as_categories():
    frame = pd.DataFrame({"n": pd.Categorical([Decimal("0.1"), Decimal("0.2"), Decimal("0.1")])})
    column = read_columns(frame, ["n"])[0]()
    assert column.categories == (0.1, 0.2)
    assert column.codes(column.categories).tolist() == [0, 1, 0]


@pytest.mark.parametrize("item", [object(), {"a": 1}, [1], 1j, pd.Timestamp("2026-01-01")])
def test_other_things_are_refused(item):
    with pytest.raises(TableError, match="Column 'odd'"):
        read_column(objects(item), "odd")


@pytest.mark.parametrize("item", [None, np.nan, float("nan"), np.float32("nan"), pd.NA, pd.NaT])
def test_missing_items(item):
    assert is_missing(item)


@pytest.mark.parametrize("item", [0, 0.0, "", False, "nan", np.inf])
def test_items_that_are_not_missing(item):
    assert not is_missing(item)


def test_types_of_polars():
    frame = pl.DataFrame(
        {
            "small": pl.Series([1, None, 3], dtype=pl.Int8),
            "money": pl.Series(["1.50", None, "2.25"]).cast(pl.Decimal(10, 2)),
            "nothing": pl.Series([None, None, None]),
            "enum": pl.Series(["a", "b", None], dtype=pl.Enum(["b", "a"])),
        }
    )
    small, money, nothing, enum = (read() for read in read_columns(frame, frame.columns))
    assert np.array_equal(small.values, [1, np.nan, 3], equal_nan=True)
    assert np.array_equal(money.values, [1.5, np.nan, 2.25], equal_nan=True)
    assert np.isnan(nothing.values).all()
    assert enum.categories == ("b", "a")


def test_dates_are_refused_with_advice():
    (read,) = read_columns(pl.DataFrame({"day": [pd.Timestamp("2026-01-01").date()]}), ["day"])
    with pytest.raises(TableError, match=r"'day' has the type Date.*days since"):
        read()
