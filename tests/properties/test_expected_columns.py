"""What users expect of columns and targets, or one sentence why not."""

from __future__ import annotations

import warnings
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone

from cutwise import (
    ColumnWarning,
    DiscretizedClassifier,
    EqualWidthDiscretizer,
    MDLPDiscretizer,
    MDmDDiscretizer,
    MRmDDiscretizer,
    NaiveBayesClassifier,
    TableError,
)
from cutwise.counts import cut_between
from tests.methods import EVERY

NUMBERS = np.arange(40.0)
CLASSES = NUMBERS > 19
TOWNS = pd.DataFrame({"town": [f"t{i:02}" for i in range(8)] * 5, "x": NUMBERS})


def named(method):
    return type(method).__name__


def test_limits_hold_for_numeric_columns_only():
    with pytest.warns(ColumnWarning, match=r"max_bins=4 holds for numeric columns only; .* 'town' with 8 categories"):
        assert MRmDDiscretizer(max_bins=4).fit(TOWNS, CLASSES).n_bins_[0] == 8
    with pytest.warns(ColumnWarning, match=r"min_bin_size=6 .* 'town' with a category of 5 rows"):
        MDmDDiscretizer(min_bin_size=6).fit(TOWNS, CLASSES)
    with pytest.warns(ColumnWarning, match=r"min_bin_size=0.2 "):
        MDLPDiscretizer(min_bin_size=0.2).fit_table(pa.Table.from_pandas(TOWNS.assign(y=CLASSES)), "y")
    MRmDDiscretizer(max_bins=8, min_bin_size=5).fit(TOWNS, CLASSES)


def test_special_values_of_a_nominal_column_are_refused():
    with pytest.raises(ValueError, match="names the column 'town', which holds categories, such as 't00', 't01'"):
        MRmDDiscretizer(special_values={"town": [-1]}).fit(TOWNS, CLASSES)
    MRmDDiscretizer(special_values={"town": [], "x": [-1]}).fit(TOWNS, CLASSES)


SIZES = ["small", "middle", "large"]
ORDERED = [
    pd.DataFrame({"size": pd.Categorical([*SIZES, None], categories=[*SIZES, "huge"], ordered=True)}),
    pl.DataFrame({"size": [*SIZES, None]}, schema={"size": pl.Enum([*SIZES, "huge"])}),
    pa.table(
        {"size": pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, None]), pa.array([*SIZES, "huge"]), ordered=True)}
    ),
]


@pytest.mark.parametrize("table", ORDERED, ids=["pandas", "polars", "arrow"])
def test_ordered_categories_keep_their_order(table):
    for method in (MRmDDiscretizer(), MDmDDiscretizer()):
        fitted = method.fit(table, [0, 0, 1, 1])
        assert fitted.scheme_["size"].categories == ("small", "middle", "large")
        assert fitted.transform(table)[:, 0].tolist() == [0, 1, 2, -1]
    stream = MRmDDiscretizer().partial_fit(table, [0, 0, 1, 1]).finalize()
    assert stream.scheme_["size"].categories == ("large", "middle", "small")
    assert stream.scheme_["size"].class_counts == ((0, 1), (1, 0), (1, 0))


LARGE = [2**53, 2**53 + 1, 2**53 + 2, 2**53 + 3]
TABLES_OF_LARGE = [
    np.array(LARGE)[:, None],
    np.array(LARGE, dtype=np.uint64)[:, None] + np.uint64(2**62),
    -np.array(LARGE)[:, None],
    np.array(LARGE, dtype=object)[:, None],
    np.array(list(map(Decimal, LARGE)), dtype=object)[:, None],
    pd.DataFrame({"x0": pd.array([*LARGE[:3], None], dtype="Int64")}),
    pl.DataFrame({"x0": [*LARGE[:3], None]}),
    pa.table({"x0": pa.array([*LARGE[:3], None])}),
]


@pytest.mark.parametrize("table", TABLES_OF_LARGE, ids=[type(table).__module__ for table in TABLES_OF_LARGE])
def test_whole_numbers_that_doubles_cannot_hold_are_told(table):
    with pytest.warns(ColumnWarning, match=r"Column 'x0' holds whole numbers beyond 2\*\*53, such as -?\d+, which is"):
        fitted = MRmDDiscretizer().fit(table, [0, 1, 0, 1])
    with pytest.warns(ColumnWarning, match="Column 'x0'"):
        fitted.transform(table)


def test_large_whole_numbers_that_are_doubles_are_silent():
    table = np.array([[2**53], [2**60], [-(2**63)], [-5]])
    MRmDDiscretizer().fit(table, [0, 1, 0, 1])
    MRmDDiscretizer().fit(table.astype(object), [0, 1, 0, 1])


@pytest.mark.parametrize("method", EVERY, ids=named)
def test_infinities_do_not_make_absurd_cuts(method):
    values = np.array([-np.inf, *range(1, 11), *[np.inf] * 5] * 3)
    classes = (values > 5).astype(int) + np.isinf(values)
    fitted = clone(method).fit(values[:, None], classes)
    assert all(abs(cut) <= 100 for cut in fitted.cuts_[0])


def test_cuts_beside_infinities():
    assert cut_between(10.0, np.inf) == cut_between(10.0, np.finfo(float).max, "readable") == 21.0
    assert cut_between(-10.0, np.inf) == 0.0
    assert cut_between(1.7e308, np.inf) == 1.7e308
    assert cut_between(-np.inf, -1.7e308) == -np.finfo(float).max
    assert cut_between(10.0, np.inf, "value") == 10.0
    assert cut_between(-np.inf, 3.2) == 0.0
    assert cut_between(-np.inf, 0.0) == -1.0
    assert cut_between(-np.inf, -5.0) == -11.0
    assert EqualWidthDiscretizer(2).fit([[-np.inf], [0.0], [10.0], [np.inf]]).cuts_[0].tolist() == [5.0]


@pytest.mark.parametrize("estimator", [MRmDDiscretizer(), NaiveBayesClassifier(), DiscretizedClassifier()], ids=named)
@pytest.mark.parametrize("kind", [int, float])
def test_a_target_of_very_many_numbers_is_no_class(estimator, kind):
    x = np.arange(1200)[:, None]
    y = (np.arange(1200) % 550).astype(kind)
    with pytest.raises(TableError, match=r"holds 550 different numbers, such as .*: measurements, not classes"):
        estimator.fit(x, y)
    with pytest.raises(TableError, match="'y' holds 550 different numbers"):
        MDLPDiscretizer().fit_table(pa.table({"x": x[:, 0], "y": y}), "y")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        clone(estimator).fit(x[:300], (y[:300] % 90))
