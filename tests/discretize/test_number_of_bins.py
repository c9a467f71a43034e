"""How many bins the methods make that are told a number, in every way to learn."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

from cutwise import (
    AdditiveClassifier,
    DiscretizedClassifier,
    EqualFrequencyDiscretizer,
    EqualWidthDiscretizer,
    NaiveBayesClassifier,
    Scheme,
    count_table,
)
from cutwise.errors import ColumnWarning
from cutwise.persist import model_from_json

METHODS = [EqualWidthDiscretizer, EqualFrequencyDiscretizer]


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    return pd.DataFrame(rng.normal(size=(400, 3)), columns=["age", "income", "debt"])


@pytest.mark.parametrize("method", METHODS)
def test_one_number_for_each_column(method, table):
    listed = method([2, 5, 3]).fit(table)
    assert listed.n_bins_.tolist() == [2, 5, 3]
    for name, n_bins in zip(table, (2, 5, 3), strict=True):
        assert listed.scheme_[name] == method(n_bins).fit(table[[name]]).scheme_[name]
    assert listed.scheme_.parameters["n_bins"] == {"age": 2, "income": 5, "debt": 3}
    for same in ((2, 5, 3), np.array([2, 5, 3]), np.array([2.0, 5.0, 3.0]), pd.Series([2, 5, 3])):
        assert method(same).fit(table).scheme_ == listed.scheme_
    assert method(np.int64(4)).fit(table).scheme_ == method(4).fit(table).scheme_
    named = method({"income": 5, "age": 2}).fit(table)
    assert named.n_bins_.tolist() == [2, 5, 10]
    assert named.scheme_.parameters["n_bins"] == {"age": 2, "income": 5}
    assert method({1: 5, 0: 2}).fit(table.to_numpy()).n_bins_.tolist() == [2, 5, 10]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("n_bins", [[2, 5, 3], {"income": 4}], ids=str)
def test_every_way_to_learn(method, n_bins, table):
    fitted = method(n_bins).fit(table).scheme_
    assert method(n_bins).fit_table(table).scheme_ == fitted
    assert method(n_bins).fit_counts(count_table(table, None)).scheme_ == fitted
    assert method(n_bins).partial_fit(table[:100]).partial_fit(table[100:]).scheme_ == fitted
    assert Scheme.from_json(fitted.to_json()) == fitted


def test_a_model_is_written_with_its_numbers(table):
    y = np.where(table["age"] > 0, "a", "b")
    for n_bins in ([2, 5, 3], np.array([2, 5, 3]), {"income": 4}):
        model = DiscretizedClassifier(EqualWidthDiscretizer(n_bins), NaiveBayesClassifier()).fit(table, y)
        again = model_from_json(model.to_json())
        np.testing.assert_array_equal(again.predict_proba(table), model.predict_proba(table))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("n_bins", "words"),
    [
        ([2, 3], r"'n_bins' has the shape \(2,\) for 3 columns. Give one value for all of them, one for each"),
        (np.full((2, 3), 2), r"'n_bins' has the shape \(2, 3\) for 3 columns"),
        ([2, 1, 2], r"must be an int in the range \[2, inf\). Got 1 for the column 'income' instead"),
        ([2.1, 2, 2], "Got 2.1 for the column 'age' instead"),
        (["two", 2, 2], "Got 'two' for the column 'age' instead"),
        ({"age": 1}, "Got 1 for the column 'age' instead"),
        ({"agee": 2}, r"'n_bins' names the column 'agee', but the table has .*Did you mean 'age'\?"),
        (1, r"must be an int in the range \[2, inf\), an array-like or an instance of 'dict'. Got 1 instead"),
    ],
)
def test_wrong_numbers(method, n_bins, words, table):
    with pytest.raises(ValueError, match=words):
        method(n_bins).fit(table)


@pytest.mark.parametrize("method", METHODS)
def test_a_constant_column_is_told(method, table):
    constant = table.assign(income=7.5)
    with pytest.warns(
        ColumnWarning, match=r"^Column 'income' has the value 7.5 only, so that all rows are in one bin\."
    ):
        fitted = method(4).fit(constant)
    assert fitted.n_bins_.tolist() == [4, 1, 4]
    assert not fitted.transform(constant)[:, 1].any()
    with pytest.warns(ColumnWarning, match=r"Column 'income' .* in one bin \(so it is with 1 more\)\. Leave it out"):
        method(4).fit(constant.assign(debt=1.0))
    with pytest.warns(ColumnWarning, match="Column 'income' has no values"):
        method(4).fit(table.assign(income=np.nan))


def test_special_values_alone_are_no_constant():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fitted = EqualWidthDiscretizer(3, special_values=[-9]).fit([[-9.0], [-9.0], [4.0]])
    assert fitted.scheme_["x0"].rows == (1, 2)
    with pytest.warns(ColumnWarning, match="Column 'x0' has the value 4 only"):
        EqualWidthDiscretizer(3, special_values=[-9]).fit([[4.0], [4.0]])


def test_fewer_bins_than_asked_for_are_told():
    tied = np.array([[0.0], [0.0], [0.0], [0.0], [3.0], [3.0]])
    words = "Column 'x0' has 2 bins, not 3: its values allow no more. Ask for fewer, such as n_bins={'x0': 2}."
    with pytest.warns(ColumnWarning, match=words.replace("{", r"\{")):
        fitted = EqualFrequencyDiscretizer(3).fit(tied)
    assert fitted.bin_edges_[0].tolist() == [0.0, 1.5, 3.0]
    assert EqualWidthDiscretizer(3).fit(tied).n_bins_.tolist() == [3]
    neighbours = np.array([[1.0], [np.nextafter(1.0, 2.0)]])
    with pytest.warns(ColumnWarning, match="its values allow no more"):
        EqualWidthDiscretizer(5).fit(neighbours)


def test_a_nominal_column_has_no_number_of_bins(table):
    mixed = table.assign(debt=np.where(table["debt"] > 0, "high", "low"))
    with pytest.warns(ColumnWarning, match="'n_bins' names the column 'debt', which holds categories"):
        EqualWidthDiscretizer({"debt": 4}).fit(mixed)
    assert EqualWidthDiscretizer([4, 4, 4]).fit(mixed).n_bins_.tolist() == [4, 4, 2]


def test_grids_inside_of_classifiers_are_not_told():
    X = np.repeat([[0.0, 1.0], [1.0, 1.0], [2.0, 1.0]], 20, axis=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        AdditiveClassifier().fit(X, np.tile([0, 1, 1], 20))
