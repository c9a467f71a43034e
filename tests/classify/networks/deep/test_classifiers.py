"""The networks as classifiers: tables, edge cases, seeds, folds side by side."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
import torch
from sklearn.base import clone
from sklearn.datasets import load_iris

from cutwise import ResNetClassifier, TableError
from cutwise.classify.networks.deep import fit_many
from tests.classify.networks.deep.tables import BOTH, FTT, RESNET, TINY, mixed_table

both = pytest.mark.parametrize("model", BOTH, ids=["resnet", "ftt"])


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True)


@both
def test_iris(model, iris):
    X, y = iris
    fitted = clone(model).set_params(max_epochs=60).fit(X[::2], y[::2])
    assert fitted.score(X[1::2], y[1::2]) > 0.9
    assert fitted.best_epoch_ == pytest.approx(fitted.validation_losses_.argmin() + 1, abs=5)


@both
def test_frames_with_nominal_and_missing_values(model):
    table, y = mixed_table()
    fitted = clone(model).set_params(max_epochs=60).fit(table, y)
    assert fitted.score(table, y) > 0.8
    expected = fitted.predict_proba(table)
    frame = pl.from_pandas(table)
    assert np.array_equal(fitted.predict_proba(frame), expected)
    other = clone(fitted).fit(frame, pl.Series(y))
    np.testing.assert_allclose(other.predict_proba(frame), expected, atol=1e-6)


@both
def test_anything_can_be_predicted(model):
    table, y = mixed_table()
    fitted = clone(model).fit(table, y)
    rows = pd.DataFrame(
        {"x": [np.inf, -np.inf, 1e300, np.nan], "colour": ["violet", None, "red", "red"], "flag": None, "count": 3}
    )
    assert np.isfinite(fitted.predict_log_proba(rows)).all()
    np.testing.assert_allclose(fitted.predict_proba(rows).sum(axis=1), 1.0)
    unseen, missing = fitted.predict_proba(table.head(2).assign(x=1.0, colour=["violet", None], flag=True, count=3))
    np.testing.assert_allclose(unseen, missing, atol=1e-6)


@both
def test_few_rows_and_odd_columns(model):
    cases = [
        ([[1.0]], ["a"]),
        ([[1.0], [2.0]], ["a", "b"]),
        ([[1.0, "u"], [2.0, "v"], [3.0, None]], ["a", "b", "c"]),
        ([[np.nan]] * 4, [0, 1, 0, 1]),
        ([[None, "u"], [None, "v"]] * 3, [0, 1] * 3),
        ([["u"], ["v"]] * 10, [0, 1] * 10),
        (np.ones((12, 1)), [0] * 11 + [1]),
        (pd.DataFrame({"c": pd.Series([None] * 6, dtype="object")}), [0, 1] * 3),
    ]
    for X, y in cases:
        fitted = clone(model).set_params(max_epochs=3).fit(X, y)
        probabilities = fitted.predict_proba(X)
        assert probabilities.shape == (len(y), len(set(y)))
        assert np.isfinite(probabilities).all()


@both
def test_a_single_class_needs_no_training(model):
    fitted = clone(model).fit([[1.0], [2.0]], ["a", "a"])
    assert fitted.predict([[3.0]]).tolist() == ["a"]
    assert fitted.validation_losses_.size == 0
    assert fitted.best_epoch_ == 0


@both
def test_seeds_and_global_random_numbers(model, iris):
    X, y = iris
    before = torch.random.get_rng_state()
    first = clone(model).set_params(max_epochs=3).fit(X, y).predict_proba(X)
    assert torch.equal(torch.random.get_rng_state(), before)
    assert np.array_equal(clone(model).set_params(max_epochs=3).fit(X, y).predict_proba(X), first)
    other = clone(model).set_params(max_epochs=3, random_state=1).fit(X, y)
    assert not np.array_equal(other.predict_proba(X), first)
    clone(model).set_params(max_epochs=1, random_state=None).fit(X, y)


def test_the_default_type_of_numbers_does_not_matter(iris):
    X, y = iris
    expected = clone(RESNET).set_params(max_epochs=2).fit(X, y).predict_proba(X)
    torch.set_default_dtype(torch.float64)
    try:
        found = clone(RESNET).set_params(max_epochs=2).fit(X, y).predict_proba(X)
    finally:
        torch.set_default_dtype(torch.float32)
    assert found.shape == expected.shape


def test_weights_move_the_border():
    random = np.random.default_rng(0)
    X = random.normal(size=(200, 1))
    y = (X[:, 0] + random.normal(size=200) > 0).astype(int)
    heavy = clone(RESNET).fit(X, y, sample_weight=np.where(y == 1, 20.0, 1.0)).predict_proba(X)[:, 1].mean()
    assert heavy > clone(RESNET).fit(X, y).predict_proba(X)[:, 1].mean() + 0.2
    assert clone(RESNET).fit(X, y, sample_weight=np.where(y == 1, 0.0, 1.0)).classes_.tolist() == [0]


@both
def test_saved_and_loaded(model, iris):
    X, y = iris
    fitted = clone(model).set_params(max_epochs=2).fit(X, y)
    again = pickle.loads(pickle.dumps(fitted))  # noqa: S301
    assert np.array_equal(again.predict_proba(X), fitted.predict_proba(X))


def test_what_is_refused(iris):
    X, y = iris
    with pytest.raises(ValueError, match="device='gpu' is unknown to PyTorch"):
        clone(RESNET).set_params(device="gpu").fit(X, y)
    if not torch.cuda.is_available():
        with pytest.raises(ValueError, match="PyTorch finds no GPU here"):
            clone(RESNET).set_params(device="cuda").fit(X, y)
    with pytest.raises(ValueError, match="d_block=12 is no multiple of 8"):
        clone(FTT).set_params(d_block=12).fit(X, y)
    with pytest.raises(TableError, match="values are infinite"):
        clone(RESNET).fit([[np.inf], [1.0]], [0, 1])


def test_a_failing_fit_leaves_the_old_state(iris):
    X, y = iris
    fitted = clone(RESNET).set_params(max_epochs=2).fit(X, y)
    before = fitted.predict_proba(X)
    with pytest.raises(TableError):
        fitted.fit([[np.inf], [1.0]], [0, 1])
    assert np.array_equal(fitted.predict_proba(X), before)


def test_rates_that_destroy_a_network_leave_numbers(iris):
    X, y = iris
    fitted = clone(RESNET).set_params(learning_rate=1e30, max_epochs=3).fit(X, y)
    assert np.isfinite(fitted.predict_proba(X)).all()


def folds(X, y, n=3):
    return [(X[np.arange(len(y)) % n != fold], y[np.arange(len(y)) % n != fold]) for fold in range(n)]


@both
def test_many_as_one_after_the_other(model, iris):
    X, y = iris
    still = {"dropout1": 0.0} if model is RESNET else {"attention_dropout": 0.0}
    model = clone(model).set_params(max_epochs=3, learning_rate=1e-3, **still)
    tables = folds(X, y)
    together = fit_many(model, tables, [5, 6, 7])
    assert not hasattr(model, "net_")
    for fitted, seed, table in zip(together, [5, 6, 7], tables, strict=True):
        alone = clone(model).set_params(random_state=seed).fit(*table)
        assert fitted.random_state == seed
        np.testing.assert_allclose(fitted.validation_losses_, alone.validation_losses_, atol=2e-3)
        np.testing.assert_allclose(fitted.predict_proba(X), alone.predict_proba(X), atol=1e-2)


def test_many_of_several_shapes():
    table, y = mixed_table()
    fewer = table["colour"] != "blue"
    three = np.where(table["count"] > 7, "perhaps", y)
    tables = [(table, y), (table[fewer], y[fewer]), (table, three), (table, y)]
    fitted = fit_many(clone(RESNET).set_params(max_epochs=2), tables, [0, 1, 2, 0])
    assert [model.classes_.size for model in fitted] == [2, 2, 3, 2]
    first, *_, last = (model.predict_proba(table) for model in fitted)
    assert first.shape == last.shape == (len(table), 2)


def test_many_checks_parameters():
    with pytest.raises(ValueError, match="max_epochs"):
        fit_many(ResNetClassifier(max_epochs=0, **TINY), [([[0.0], [1.0]], [0, 1])])
