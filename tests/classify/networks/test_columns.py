"""Tables as matrices: standardised numbers, 0/1 categories, missing values."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutwise import TableError
from cutwise.classify.networks.columns import (
    OneHot,
    Standardised,
    as_matrix,
    learn_columns,
    read_cells,
    read_training_cells,
)


def standardised(values, weights=None):
    values = np.asarray(values, dtype=float)
    return Standardised.learn(values, np.ones(values.size) if weights is None else np.asarray(weights, dtype=float))


def test_plain_formula():
    x = np.array([3.0, 1.0, 4.0, 1.0, 5.0])
    np.testing.assert_allclose(standardised(x).apply(x)[:, 0], (x - x.mean()) / x.std(ddof=1))


def test_missing_numbers_are_the_mean_before_the_deviation_is_taken():
    x = np.array([3.0, np.nan, 4.0, np.nan, 5.0])
    filled = np.where(np.isnan(x), 4.0, x)
    np.testing.assert_allclose(standardised(x).apply(x)[:, 0], (filled - 4.0) / filled.std(ddof=1), atol=1e-15)


@given(st.lists(st.tuples(st.integers(-5, 5), st.integers(1, 4)), min_size=2, max_size=10))
def test_weights_are_repeated_rows(pairs):
    x, counts = np.array(pairs, dtype=float).T
    merged = standardised(x, counts).apply(x)
    again = standardised(np.repeat(x, counts.astype(int))).apply(x)
    np.testing.assert_allclose(merged, again, atol=1e-12)


@given(
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=8),
    st.lists(st.floats(allow_nan=True, allow_infinity=True), min_size=1, max_size=8),
)
def test_any_double_becomes_a_finite_number(seen, new):
    column = standardised(seen)
    assert np.isfinite(column.apply(np.array(seen))).all()
    assert np.isfinite(column.apply(np.array(new))).all()


@pytest.mark.parametrize("values", [[7.0], [0.1, 0.1, 0.1], [np.nan, np.nan], [2.5, np.nan]])
def test_columns_that_tell_nothing(values):
    assert standardised(values).apply(np.array([1.0, np.nan, 1e300])).tolist() == [[0], [0], [0]]


def test_categories():
    codes = np.array([1, 0, 1, -1, 2], dtype=np.int32)
    column = OneHot.learn(codes, ("a", "b", "c"), np.ones(5))
    assert column.most_frequent == 1
    assert column.apply(codes).tolist() == [[0, 1, 0], [1, 0, 0], [0, 1, 0], [0, 1, 0], [0, 0, 1]]
    assert OneHot.learn(codes, ("a", "b", "c"), np.array([1, 4, 1, 9, 1.0])).most_frequent == 0


def test_table_to_matrix_and_unseen_categories():
    table = pd.DataFrame({"n": [1, 2, None], "t": ["a", "b", None], "f": [True, True, False], "e": [np.nan] * 3})
    cells = read_training_cells(table, list(table.columns))
    maps = learn_columns(cells, np.ones(3))
    assert as_matrix(cells, maps).shape == (3, 1 + 2 + 2 + 1)
    new = pd.DataFrame({"n": [None], "t": ["z"], "f": [None], "e": [5.0]})
    assert as_matrix(read_cells(new, list(new.columns), maps), maps).tolist() == [[0, 1, 0, 0, 1, 0]]


def test_infinite_training_values_are_refused():
    with pytest.raises(TableError, match=r"Column 'x0': 1 values are infinite \(first in row 1\)"):
        read_training_cells(np.array([[1.0], [np.inf]]), ["x0"])
