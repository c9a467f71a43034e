"""What every classifier on codes promises, whatever the rows are."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone

from tests.bayes.fixture import X as FIXTURE_X
from tests.bayes.fixture import Y as FIXTURE_Y
from tests.bayes.fixture import random_codes
from tests.bayes.test_contract import ESTIMATORS

every = pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
# The published slopes contradict the loss, so where the search ends hangs on the last bit.
exact = pytest.mark.parametrize("estimator", [e for e in ESTIMATORS if "published" not in repr(e)], ids=repr)


def fit(estimator, *data):
    return clone(estimator).fit(*data)


@every
def test_order_of_rows_changes_nothing(estimator):
    codes, y = random_codes(11)
    weights = np.random.default_rng(0).random(80)
    order = np.random.default_rng(1).permutation(80)
    model = fit(estimator, codes, y, weights)
    shuffled = fit(estimator, codes[order], y[order], weights[order])
    np.testing.assert_array_equal(model.predict_log_proba(codes), shuffled.predict_log_proba(codes))


@every
def test_weights_are_repeated_rows(estimator):
    codes, y = random_codes(12)
    weights = np.random.default_rng(0).integers(0, 4, 80)
    model = fit(estimator, codes, y, weights)
    repeated = fit(estimator, np.repeat(codes, weights, axis=0), np.repeat(y, weights))
    np.testing.assert_array_equal(model.predict_log_proba(codes), repeated.predict_log_proba(codes))


@every
def test_classes_without_weight_do_not_exist(estimator):
    codes, y = random_codes(13)
    model = fit(estimator, codes, y, y != 1)
    assert model.classes_.tolist() == [0, 2]


@exact
def test_permuted_classes(estimator):
    codes, y = random_codes(14)
    model = fit(estimator, codes, y)
    renamed = fit(estimator, codes, np.array([2, 0, 1])[y])
    np.testing.assert_allclose(renamed.predict_proba(codes)[:, [2, 0, 1]], model.predict_proba(codes), atol=1e-5)
    if hasattr(model, "class_weights_"):
        np.testing.assert_allclose(renamed.class_weights_[[2, 0, 1]], model.class_weights_, atol=1e-3)


@exact
def test_permuted_attributes(estimator):
    codes, y = random_codes(15)
    order = [2, 0, 3, 1]
    model = fit(estimator, codes, y)
    moved = fit(estimator, codes[:, order], y)
    np.testing.assert_allclose(moved.predict_proba(codes[:, order]), model.predict_proba(codes), atol=1e-5)


@exact
def test_a_column_of_one_bin_changes_nothing(estimator):
    codes, y = random_codes(16)
    wider = np.insert(codes, 2, 0, axis=1)
    model = fit(estimator, codes, y)
    with_it = fit(estimator, wider, y)
    np.testing.assert_allclose(with_it.predict_proba(wider), model.predict_proba(codes), atol=1e-6)


@every
def test_only_one_class(estimator):
    model = fit(estimator, FIXTURE_X, ["only"] * 12)
    assert set(model.predict(FIXTURE_X)) == {"only"}
    np.testing.assert_array_equal(model.predict_proba(FIXTURE_X), 1.0)


@every
def test_unknown_codes_are_left_out(estimator):
    codes, y = random_codes(17)
    model = fit(estimator, codes, y)
    some = codes[:10].copy()
    some[:, 1] = -1
    expected = model.predict_proba(some)
    for unknown in (-7, 2, 99, 2**31 - 1, 2**40, np.nan, -0.0 - 3.5, 1e30):
        other = some.astype(type(unknown) if isinstance(unknown, int) else float)
        other[:, 1] = unknown
        np.testing.assert_array_equal(model.predict_proba(other), expected)


@every
def test_nothing_known_gives_the_prior(estimator):
    codes, y = random_codes(18)
    model = fit(estimator, codes, y)
    p = model.predict_proba(np.full((1, 4), -1))
    if not hasattr(model, "prior_weights_"):
        np.testing.assert_allclose(p, np.exp(model.tables_.log_prior)[None], rtol=1e-12)


@every
def test_all_missing(estimator):
    codes, y = random_codes(19)
    model = fit(estimator, np.full_like(codes, -1), y)
    assert model.n_bins_.tolist() == [1] * 4
    assert np.isfinite(model.predict_log_proba(codes)).all()


@every
def test_one_attribute(estimator):
    codes, y = random_codes(20)
    p = fit(estimator, codes[:, :1], y).predict_proba(codes[:, :1])
    np.testing.assert_allclose(p.sum(axis=1), 1.0)


@every
def test_one_row_for_each_class(estimator):
    model = fit(estimator, FIXTURE_X[:5:2], [0, 1, 2])
    assert model.predict(FIXTURE_X[:5:2]).tolist() == [0, 1, 2]


@every
def test_five_hundred_attributes(estimator):
    rng = np.random.default_rng(0)
    y = np.arange(60) % 3
    codes = (rng.random((60, 500)) < 0.01 + 0.05 * y[:, None]).astype(int)
    queries = rng.integers(0, 2, (30, 500))
    model = fit(estimator, codes, y)
    p = model.predict_proba(queries)
    assert np.isfinite(p).all()
    assert np.isfinite(model.predict_log_proba(queries)).all()
    np.testing.assert_allclose(p.sum(axis=1), 1.0)


@every
@pytest.mark.parametrize("seed", range(3))
def test_weights_lie_between_zero_and_one(estimator, seed):
    codes, y = random_codes(seed, n_classes=4)
    model = fit(estimator, codes, y)
    for name in ("attribute_weights_", "class_weights_", "mixing_"):
        learned = np.asarray(getattr(model, name, 0.5))
        assert ((learned >= 0) & (learned <= 1)).all()


@pytest.mark.parametrize("estimator", [e for e in ESTIMATORS if hasattr(e, "max_iter")], ids=repr)
def test_learning_lowers_the_loss(estimator):
    codes, y = random_codes(21)
    losses = [fit(clone(estimator).set_params(max_iter=steps), codes, y).loss_ for steps in (1, 2, 5, 20, 100)]
    assert (np.diff(losses) <= 1e-12).all()


def test_vectors_do_not_depend_on_labels():
    """The fixture with its classes named by texts in another order."""
    for estimator in ESTIMATORS:
        names = np.array(["c", "a", "b"])
        p = fit(estimator, FIXTURE_X, FIXTURE_Y).predict_proba(FIXTURE_X)
        named = fit(estimator, FIXTURE_X, names[FIXTURE_Y])
        assert named.classes_.tolist() == ["a", "b", "c"]
        if "published" not in repr(estimator):
            np.testing.assert_allclose(named.predict_proba(FIXTURE_X)[:, [2, 0, 1]], p, atol=1e-5)
