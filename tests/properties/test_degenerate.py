"""Degenerate tables give a right answer or a named error (promise 13)."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from sklearn.base import clone

from cutwise import EMDDiscretizer, MaxRelevanceDiscretizer, MRmDDiscretizer, TableError
from tests import methods
from tests.strategies import tables

EVERY = pytest.mark.parametrize(
    "estimator",
    [
        MRmDDiscretizer(),
        MRmDDiscretizer(search="exact"),
        MRmDDiscretizer(validation="crossfit", random_state=0),
        MRmDDiscretizer(validation="holdout", random_state=0),
        MaxRelevanceDiscretizer(),
        MaxRelevanceDiscretizer("classes"),
        MaxRelevanceDiscretizer(0),
        EMDDiscretizer(population=6, max_evaluations=40, random_state=0),
    ],
    ids=repr,
)


@EVERY
@pytest.mark.parametrize(
    ("x", "y", "stop"),
    [
        ([1.0], [0], "one_value"),
        ([1.0, 1.0, 1.0], [0, 1, 0], "one_value"),
        ([1.0, 2.0, 3.0], [1, 1, 1], "one_class"),
        ([np.nan, np.nan], [0, 1], "no_values"),
        ([1.0, np.nan, 2.0], [0, 1, 0], "one_class"),
        ([1.0, np.nan], [0, 1], "one_value"),
    ],
)
def test_nothing_to_cut(estimator, x, y, stop):
    fitted = estimator.fit(np.array(x)[:, None], y)
    attribute = fitted.scheme_["x0"]
    assert attribute.stop == stop
    assert fitted.cuts_[0].size == 0
    assert (attribute.score, attribute.relevance, attribute.divergence) == (0.0, 0.0, 0.0)
    assert fitted.transform(np.array(x)[:, None])[:, 0].tolist() == [-1 if np.isnan(v) else 0 for v in x]


@pytest.mark.parametrize("method", methods.EVERY, ids=repr)
@pytest.mark.parametrize("y", [[1, 1, 1, 1], ["a", "b", "a", "b"]])
def test_categories_and_a_single_class(method, y):
    X = pd.DataFrame({"city": ["Bonn", "Rome", None, "Rome"], "one": ["x"] * 4, "age": [1.0, 2.0, 2.0, None]})
    fitted = clone(method).fit(X, y)
    assert [attribute.n_bins for attribute in fitted.scheme_.attributes[:2]] == [2, 1]
    assert fitted.transform(X)[:, 0].tolist() == [0, 1, -1, 1]
    if len(set(y)) == 1:
        assert [attribute.relevance for attribute in fitted.scheme_.attributes] == [0.0] * 3


@given(tables(max_rows=6, missing=True))
def test_small_tables(table):
    X, y = table
    for estimator in (
        MRmDDiscretizer(),
        MRmDDiscretizer(search="exact"),
        MRmDDiscretizer(validation="crossfit", random_state=0),
    ):
        codes = estimator.fit(X, y).transform(X)
        assert ((codes >= 0) == ~np.isnan(X)).all()


def test_two_rows():
    assert MaxRelevanceDiscretizer().fit([[1.0], [2.0]], [0, 1]).cuts_[0].tolist() == [1.5]
    assert MaxRelevanceDiscretizer().fit([[1.0], [2.0]], [0, 1]).scheme_["x0"].stop == "all_cut"


def test_noise_gets_no_cut_from_a_strong_discount():
    x = np.arange(40.0)[:, None]
    fitted = MRmDDiscretizer(0.01).fit(x, np.arange(40) % 2)
    attribute = fitted.scheme_["x0"]
    assert attribute.cuts == ()
    assert attribute.stop == "no_gain"
    assert attribute.refused.score < 0


def test_proportional_classes_get_no_cut():
    x = np.repeat(np.arange(9.0), 9)
    y = np.tile([0, 0, 0, 1, 1, 1, 1, 1, 1], 9)
    assert MaxRelevanceDiscretizer().fit(x[:, None], y).cuts_[0].size == 0


def test_a_class_that_is_only_missing_does_not_matter():
    x = [1.0, 2.0, 3.0, 4.0, np.nan]
    with_absent = MRmDDiscretizer().fit(np.array(x * 3)[:, None], [0, 0, 1, 1, 2] * 3)
    without = MRmDDiscretizer().fit(np.array(x[:4] * 3)[:, None], [0, 0, 1, 1] * 3)
    assert with_absent.cuts_[0].tolist() == without.cuts_[0].tolist()
    assert with_absent.scheme_["x0"].missing_by_class == (0, 0, 3)


def test_very_many_classes():
    rng = np.random.default_rng(0)
    n = 100_000
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The number of unique classes")
        fitted = MRmDDiscretizer().fit(rng.normal(size=(n, 1)), np.arange(n).astype(str))
    assert fitted.classes_.size == n


@EVERY
@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (np.empty((0, 2)), [], "0 sample"),
        (np.empty((3, 0)), [0, 1, 0], "0 feature"),
        (pd.DataFrame({"a": []}), [], "0 rows"),
        (pd.DataFrame(index=range(3)), [0, 1, 0], "0 columns"),
        ([[1.0], [2.0]], [0], "inconsistent"),
        ([[1.0], [2.0]], None, "requires y"),
        ([[1.0], [2.0]], [0.5, 0.7], "continuous"),
        ([[1.0], [2.0]], [0, np.nan], "no label in 1 of 2 rows, first in row 1"),
        ([[1.0], [2.0]], np.array([0, np.nan]), "NaN"),
        ([[1.0], [2.0]], np.array(["a", None], dtype=object), "no label in 1 of 2 rows, first in row 1"),
        ([[1.0], [2.0]], ["a", np.nan], "no label in 1 of 2 rows, first in row 1"),
        ([[1.0], [2.0]], [None, 1], "no label in 1 of 2 rows, first in row 0"),
        ([[1.0], [2.0]], np.array(["a", 1], dtype=object), "mixes labels"),
        ([1.0, 2.0], [0, 1], "1D array"),
        (pd.DataFrame([[1, 2], [3, 4]], columns=["a", "a"]), [0, 1], "'a' appears more than once"),
        (pd.DataFrame({"when": pd.to_datetime(["2026-01-01", "2026-01-02"])}), [0, 1], "Column 'when'"),
        (pd.DataFrame({"odd": ["a", 1]}, dtype=object), [0, 1], "Column 'odd' mixes"),
        (pd.DataFrame({"list": [[1], [2]]}), [0, 1], "Column 'list': cannot use"),
        (np.array([[np.datetime64("2026-01-01")], [np.datetime64("2026-01-02")]]), [0, 1], "Column 'x0'"),
    ],
)
def test_errors_have_names(estimator, X, y, message):
    with pytest.raises(ValueError, match=message):
        estimator.fit(X, y)


def test_lazy_tables_are_refused():
    import polars as pl

    with pytest.raises(TableError, match="collect"):
        MRmDDiscretizer().fit(pl.LazyFrame({"a": [1.0, 2.0]}), [0, 1])


@pytest.mark.parametrize(
    ("options", "parts", "message"),
    [
        ({"validation": "expected"}, [0, 1, 0], "takes no 'parts'"),
        ({"validation": "holdout"}, [0, 2, 0], "got 2"),
        ({"validation": "holdout"}, [0, 1], "2 entries for 3 rows"),
        ({"validation": "crossfit"}, [0.5, 1, 2], "whole numbers"),
        ({"validation": "crossfit"}, ["a", "b", "c"], "whole numbers"),
    ],
)
def test_wrong_parts(options, parts, message):
    with pytest.raises(ValueError, match=message):
        MRmDDiscretizer(**options).fit([[1.0], [2.0], [3.0]], [0, 1, 0], parts=parts)


@pytest.mark.parametrize("limits", [[1, 2], [[1]], [-1], [1.5], ["a"]])
def test_wrong_limits(limits):
    with pytest.raises(ValueError, match="max_cuts"):
        MaxRelevanceDiscretizer(limits).fit([[1.0], [2.0]], [0, 1])


def test_one_part_has_nothing_to_diverge_from():
    X, y = [[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1]
    for validation in ("holdout", "crossfit"):
        fitted = MRmDDiscretizer(validation=validation).fit(X, y, parts=[0, 0, 0, 0])
        assert fitted.scheme_["x0"].divergence == 0.0
        assert fitted.cuts_[0].tolist() == [2.5]
