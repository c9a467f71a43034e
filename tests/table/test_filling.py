"""Missing values are replaced by the mean or the commonest category of other rows."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from cutwise.table import typical_values, with_filled

COLUMNS = {"a": [1.0, None, 4.0, 4.0], "b": ["y", "x", None, None], "whole": [1, 2, 3, None]}


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_means_and_modes(make):
    table = make(COLUMNS)
    values = typical_values(table)
    assert values == {"a": 3.0, "b": "x", "whole": 2.0}
    filled = with_filled(table, values)
    assert type(filled) is type(table)
    plain = filled.to_pydict() if isinstance(filled, pa.Table) else {name: list(filled[name]) for name in COLUMNS}
    assert plain["a"] == [1.0, 3.0, 4.0, 4.0]
    assert plain["b"] == ["y", "x", "x", "x"]
    assert plain["whole"] == [1, 2, 3, 2]


def test_nan_is_missing_in_polars_too():
    assert with_filled(pl.DataFrame({"a": [1.0, np.nan, None]}), {"a": 7.0})["a"].to_list() == [1.0, 7.0, 7.0]


def test_a_column_without_values_is_left_alone():
    table = pd.DataFrame({"a": [np.nan, np.nan], "b": pd.Series([None, None], dtype=object)})
    assert typical_values(table) == {}
    pd.testing.assert_frame_equal(with_filled(table, {}), table)
