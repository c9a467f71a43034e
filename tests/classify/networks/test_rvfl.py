"""RVFLClassifier: tables, edge cases, invariance."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import cross_val_score

from cutwise import RVFLClassifier, TableError
from cutwise.classify.networks import rvfl
from cutwise.classify.networks.layers import SCHEMES


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True)


def test_iris(iris):
    assert cross_val_score(RVFLClassifier(random_state=0), *iris, cv=5).mean() > 0.94


# Tables


def mixed_table(n=80, seed=0):
    random = np.random.default_rng(seed)
    x, colour = random.normal(size=n), random.choice(["red", "green", "blue"], n)
    y = np.where((x > 0) ^ (colour == "red"), "yes", "no")
    x[::9] = np.nan
    table = pd.DataFrame({"x": x, "colour": colour, "flag": random.random(n) > 0.5, "count": random.integers(0, 9, n)})
    table.loc[::11, "colour"] = None
    return table, y


def test_frames_with_nominal_and_missing_values():
    table, y = mixed_table()
    model = RVFLClassifier(n_hidden=40, random_state=0).fit(table, y)
    assert model.feature_names_in_.tolist() == ["x", "colour", "flag", "count"]
    assert model.score(table, y) > 0.8
    expected = model.predict_proba(table)
    frame = pl.from_pandas(table)
    other = RVFLClassifier(n_hidden=40, random_state=0).fit(frame, pl.Series(y))
    assert np.array_equal(other.predict_proba(frame), expected)
    assert np.array_equal(model.predict_proba(frame), expected)
    objects = RVFLClassifier(n_hidden=40, random_state=0).fit(table.to_numpy(dtype=object), y)
    assert np.array_equal(objects.predict_proba(table.to_numpy(dtype=object)), expected)


def test_what_was_never_seen_is_the_most_frequent_or_the_mean():
    table, y = mixed_table()
    model = RVFLClassifier(n_hidden=40, random_state=0).fit(table, y)
    usual = table["colour"].mode()[0]
    rows = pd.DataFrame({"x": [None, table["x"].mean()], "colour": ["violet", usual], "flag": True, "count": 3})
    first, second = model.predict_proba(rows)
    np.testing.assert_allclose(first, second, atol=1e-9)
    far = pd.DataFrame({"x": [np.inf, -np.inf, 1e300], "colour": None, "flag": None, "count": [3, 4, 5]})
    assert np.isfinite(model.predict_log_proba(far)).all()


def test_a_wrong_kind_of_column_is_named():
    table, y = mixed_table()
    model = RVFLClassifier(n_hidden=5, random_state=0).fit(table, y)
    with pytest.raises(TableError, match="Column 'x': expected a number"):
        model.predict(table.assign(x="much"))


def test_blocks_of_rows(iris, monkeypatch):
    X, y = iris
    model = RVFLClassifier(random_state=0).fit(X, y)
    whole = model.predict_proba(X)
    monkeypatch.setattr(rvfl, "BLOCK", 7)
    np.testing.assert_allclose(model.predict_proba(X), whole, atol=1e-12)


# Edge cases


@pytest.mark.parametrize("weighting", [None, *SCHEMES])
@pytest.mark.parametrize("activation", ["selu", "relu", "sigmoid"])
@pytest.mark.parametrize(
    ("X", "y"),
    [
        ([[1.0]], ["a"]),
        ([[1.0], [2.0], [3.0]], ["a", "a", "a"]),
        ([[1.0], [2.0], [3.0]], ["a", "b", "c"]),
        ([[1.0, 5.0], [1.0, 5.0], [1.0, 5.0]], ["a", "b", "b"]),
        ([[np.nan], [np.nan], [np.nan]], ["a", "b", "b"]),
        ([[1.7e308], [-1.7e308], [0.0]], ["a", "b", "b"]),
        ([["u"], ["v"], [None]], ["a", "b", "b"]),
    ],
    ids=["one row", "one class", "one row a class", "constant", "missing", "extreme", "nominal"],
)
def test_degenerate_tables(X, y, activation, weighting):
    model = RVFLClassifier(n_hidden=9, activation=activation, weighting=weighting, prune=0.5, random_state=0)
    p = model.fit(X, y).predict_proba(X)
    assert np.isfinite(p).all()
    np.testing.assert_allclose(p.sum(axis=1), 1.0)
    if len(set(y)) == 1:
        assert model.predict(X).tolist() == y
    if y == ["a", "b", "b"] and X[0] == X[1]:
        assert model.predict(X).tolist() == ["b", "b", "b"]


def test_many_features_and_more_neurons_than_rows():
    random = np.random.default_rng(0)
    X, y = random.integers(0, 2, (20, 500)).astype(float), np.arange(20) % 4
    model = RVFLClassifier(n_layers=10, n_hidden=200, c=4096.0, random_state=0).fit(X, y)
    assert np.isfinite(model.predict_log_proba(1e6 * X)).all()
    assert model.score(X, y) == 1.0


def test_a_failed_fit_leaves_the_old_state(iris):
    model = RVFLClassifier(n_hidden=5, random_state=0).fit(*iris)
    before = dict(vars(model))
    with pytest.raises(TableError, match="infinite"):
        model.fit([[np.inf], [1.0]], [0, 1])
    with pytest.raises(TableError, match="no label in 1 of 2 rows, first in row 1"):
        model.fit([[2.0], [1.0]], np.array(["a", None], dtype=object))
    with pytest.raises(ValueError, match="weight is zero"):
        model.fit([[2.0], [1.0]], [0, 1], sample_weight=[0, 0])
    assert vars(model) == before


# Invariance


def test_the_seed_decides(iris):
    first, second, other = (RVFLClassifier(n_hidden=9, random_state=seed).fit(*iris) for seed in (3, 3, 4))
    assert np.array_equal(first.predict_proba(iris[0]), second.predict_proba(iris[0]))
    assert not np.array_equal(first.predict_proba(iris[0]), other.predict_proba(iris[0]))
    assert clone(first).fit(*iris).best_params_ == {"n_layers": 4, "n_hidden": 9, "c": 0.03125, "activation": "selu"}


@pytest.mark.parametrize("weighting", [None, *SCHEMES])
def test_classes_may_be_renamed_and_rows_reordered(iris, weighting):
    X, y = iris
    model = RVFLClassifier(n_hidden=20, weighting=weighting, prune=0.3, random_state=0)
    p = model.fit(X, y).predict_proba(X)
    renamed = np.array(["c", "a", "b"])[y]
    np.testing.assert_allclose(model.fit(X, renamed).predict_proba(X), p[:, [1, 2, 0]], atol=1e-9)
    order = np.random.default_rng(0).permutation(len(y))
    np.testing.assert_allclose(model.fit(X[order], y[order]).predict_proba(X), p, atol=1e-9)


@pytest.mark.parametrize("weighting", [None, *SCHEMES])
def test_weights_are_repeated_rows(weighting):
    table, y = mixed_table()
    counts = np.random.default_rng(1).integers(0, 4, len(y))
    again = np.repeat(np.arange(len(y)), counts)
    model = RVFLClassifier(n_hidden=60, weighting=weighting, prune=0.2, random_state=0)
    merged = model.fit(table, y, sample_weight=counts).predict_proba(table)
    apart = model.fit(table.iloc[again], y[again]).predict_proba(table)
    np.testing.assert_allclose(merged, apart, atol=1e-8)
