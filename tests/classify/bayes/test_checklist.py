"""The checklist of the definitions, line by line, for every classifier on codes.

Where a line does not hold for a classifier by its definition, the list that the test runs on says why.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone

from cutwise import (
    AIWNBClassifier,
    AODEClassifier,
    CAWNBClassifier,
    NaiveBayesClassifier,
    PreconditionedLogisticClassifier,
    RNBClassifier,
    WANBIAClassifier,
)
from cutwise.classify.bayes.blocks import LOSSES
from cutwise.classify.bayes.pairs import PairModel
from cutwise.classify.bayes.regularised import MixtureObjective
from cutwise.classify.bayes.sample import CodedRows
from cutwise.classify.bayes.weighted import AttributeObjective, CellObjective, ClassObjective
from tests.classify.bayes import plain
from tests.classify.bayes.fixture import X as FIXTURE_X
from tests.classify.bayes.fixture import Y as FIXTURE_Y
from tests.classify.bayes.fixture import random_codes
from tests.methods import instances, is_additive

PUBLISHED = RNBClassifier("published")
# The published slopes contradict the loss, so where their search ends hangs on the last bit.
STEADY = [
    *instances(["codes"]),
    NaiveBayesClassifier("m", 0.5),
    AIWNBClassifier(smoothing="laplace"),
    AIWNBClassifier("lazy"),
    AIWNBClassifier("lazy", max_memory=0, smoothing="laplace"),
    AODEClassifier(max_memory=0, smoothing="laplace"),
    WANBIAClassifier("cll", smoothing="laplace"),
    CAWNBClassifier("cll"),
    PreconditionedLogisticClassifier(0.1, smoothing="laplace"),
]
MODELS = [*STEADY, PUBLISHED]
COUNTED = [model for model in STEADY if isinstance(model, NaiveBayesClassifier)]
PAIRS = [model for model in STEADY if isinstance(model, PairModel)]
EXACT_SEARCH = [
    model
    for model in STEADY
    if isinstance(model, WANBIAClassifier | CAWNBClassifier | RNBClassifier | PreconditionedLogisticClassifier)
]
SEARCHED = [*EXACT_SEARCH, PUBLISHED]
# Learned numbers that have an axis of classes, one of attributes, or one of the cells of attributes.
BY_CLASS = {"class_weights_": 0, "prior_weights_": 0, "cell_weights_": 1}
BY_ATTRIBUTE = {"attribute_weights_": 0, "class_weights_": 1}


def each(models):
    return pytest.mark.parametrize("model", models, ids=repr, indirect=True)


@pytest.fixture
def model(request):
    return clone(request.param)


def objective_of(model, sample):
    """Return the function that a classifier makes small, and where it begins."""
    tables = model._estimate(sample)
    m, n_classes = sample.n_bins.size, sample.classes.size
    if isinstance(model, WANBIAClassifier):
        return AttributeObjective(sample, tables, LOSSES[model.loss]), np.ones(m)
    if isinstance(model, CAWNBClassifier):
        return ClassObjective(sample, tables, LOSSES[model.loss]), np.ones(m * n_classes)
    if isinstance(model, RNBClassifier):
        objective = MixtureObjective(sample, tables, published=model.gradient == "published")
        return objective, np.append(np.ones(m * (1 + n_classes)), 0.5)
    return CellObjective(sample, tables, model.l2), np.ones((1 + tables.offsets[-1]) * n_classes)


@each(EXACT_SEARCH)  # the others search nothing, or follow slopes that are not those of the loss
@pytest.mark.parametrize("n_classes", [2, 4])
def test_slopes_are_central_differences(model, n_classes):
    codes, y = random_codes(1, n_classes=n_classes)
    objective, start = objective_of(model, model._read(codes, y, None))
    at = np.random.default_rng(2).uniform(0.05, 0.95, start.size)
    assert_allclose(objective(at)[1], plain.slopes(lambda z: objective(z)[0], at), atol=1e-7, rtol=1e-7)


@each(SEARCHED)  # the others search nothing
@pytest.mark.parametrize("seed", range(3))
def test_the_loss_never_rises(model, seed):
    codes, y = random_codes(seed, n_classes=4)
    objective, start = objective_of(model, model._read(codes, y, None))
    losses = [objective(start)[0] / (2 if getattr(model, "gradient", "") == "published" else 1)]
    losses += [model.set_params(max_iter=steps).fit(codes, y).loss_ for steps in (1, 2, 5, 20, 100)]
    assert (np.diff(losses) <= 1e-12).all()


@each(MODELS)
def test_five_hundred_attributes_do_not_underflow(model):
    rng = np.random.default_rng(0)
    y = np.arange(60) % 3
    codes = (rng.random((60, 500)) < 0.01 + 0.05 * y[:, None]).astype(int)
    queries = np.vstack([rng.integers(0, 2, (5, 500)), codes[:5]])
    logs = model.fit(codes, y).predict_log_proba(queries)
    assert np.isfinite(logs).all()
    assert_allclose(np.exp(logs).sum(axis=1), 1.0)
    assert_allclose(model.predict_proba(queries), np.exp(logs))


@each(MODELS)
def test_thin_bins_do_not_underflow(model):
    codes = np.random.default_rng(0).integers(0, 50, size=(60, 200))
    assert np.isfinite(model.fit(codes, np.arange(60) % 3).predict_log_proba(codes)).all()


@each(STEADY)
def test_permuted_classes_permute_the_parameters(model):
    codes, y = random_codes(14)
    moved = [2, 0, 1]
    renamed = clone(model).fit(codes, np.array(moved)[y])
    model.fit(codes, y)
    assert_allclose(renamed.predict_proba(codes)[:, moved], model.predict_proba(codes), atol=1e-5)
    assert_allclose(renamed.tables_.log_likelihood[:, moved], model.tables_.log_likelihood, atol=1e-12)
    assert_allclose(renamed.tables_.log_prior[moved], model.tables_.log_prior, atol=1e-12)
    for name, axis in BY_CLASS.items():
        if hasattr(model, name):
            found = np.take(getattr(renamed, name), moved, axis=axis)
            assert_allclose(found, getattr(model, name), atol=1e-3)
    for name in ("attribute_weights_", "mixing_"):
        assert_allclose(getattr(renamed, name, 0.0), getattr(model, name, 0.0), atol=1e-3)


@each(STEADY)
def test_permuted_attributes_permute_the_parameters(model):
    codes, y = random_codes(15)
    order = [2, 0, 3, 1]
    moved = clone(model).fit(codes[:, order], y)
    model.fit(codes, y)
    assert_allclose(moved.predict_proba(codes[:, order]), model.predict_proba(codes), atol=1e-5)
    offsets = model.tables_.offsets
    cells = np.concatenate([np.arange(offsets[j], offsets[j + 1]) for j in order])
    assert_allclose(moved.tables_.log_likelihood, model.tables_.log_likelihood[cells], atol=1e-12)
    for name, axis in BY_ATTRIBUTE.items():
        if hasattr(model, name):
            assert_allclose(getattr(moved, name), np.take(getattr(model, name), order, axis=axis), atol=1e-3)
    assert_allclose(getattr(moved, "mixing_", 0.0), getattr(model, "mixing_", 0.0), atol=1e-3)
    if hasattr(model, "cell_weights_"):
        assert_allclose(moved.cell_weights_, model.cell_weights_[cells], atol=1e-3)


@each([model for model in STEADY if is_additive(model)])
def test_a_column_of_one_bin_changes_nothing(model):
    codes, y = random_codes(16)
    wider = np.insert(codes, 2, 0, axis=1)
    with_it = clone(model).fit(wider, y)
    model.fit(codes, y)
    assert_allclose(with_it.predict_proba(wider), model.predict_proba(codes), atol=1e-6)
    for name in ("attribute_weights_", "class_weights_"):
        if hasattr(model, name):
            assert_allclose(np.delete(getattr(with_it, name), 2, axis=-1), getattr(model, name), atol=1e-3)
            if hasattr(model, "max_iter"):  # the search begins at 1 and has no reason to leave it
                assert (getattr(with_it, name)[..., 2] == 1.0).all()


@each(PAIRS)
def test_a_column_of_one_bin_is_certain(model):
    """In the mean over attributes (AIWNB) or over parents (AODE) it counts, but its own factor is 1."""
    codes, y = random_codes(16)
    model.fit(np.insert(codes, 2, 0, axis=1), y)
    cell = model.tables_.offsets[2]
    assert model.n_bins_[2] == 1
    assert_allclose(model.tables_.log_likelihood[cell], 0.0, atol=1e-15)


@each(MODELS)
def test_only_columns_of_one_bin_leave_the_prior(model):
    """Two classifiers have a prior of their own: one weighs it, one counts rows that are like the row to predict."""
    y = np.repeat([0, 1, 2], [3, 4, 5])
    p = model.fit(np.zeros((12, 3), dtype=int), y).predict_proba(np.zeros((1, 3), dtype=int))
    has_own = hasattr(model, "prior_weights_") or getattr(model, "mode", "") == "lazy"
    assert_allclose(p, np.exp(model.tables_.log_prior)[None], atol=0.03 if has_own else 1e-12)
    assert getattr(model, "mixing_", 0.5) == 0.5


@each(MODELS)
def test_a_single_class_is_certain(model):
    model.fit(FIXTURE_X, ["only"] * 12)
    queries = [*FIXTURE_X.tolist(), [-1, 7, 0]]
    assert set(model.predict(queries)) == {"only"}
    assert_array_equal(model.predict_proba(queries), 1.0)


# "laplace" leaves the shares of the classes as they are where the article's "m" does not, so that the log-probability
# of a class without rows is minus infinity: no number to begin a search of weights with.
@each([model for model in MODELS if model.smoothing == "m" or isinstance(model, NaiveBayesClassifier)])
def test_a_class_without_rows_has_a_finite_probability(model):
    """A fold may lack a class: the tables and the weights are learned for it all the same."""
    codes, y = random_codes(17)
    read = model._read(codes, y, None)
    labels = np.array([0, 2, 3])[read.labels]
    sample = CodedRows(read.codes, labels, read.weights, np.arange(5), read.n_bins)
    tables = model._estimate(sample)
    p = model._finish(sample, tables, model._learn(sample, tables)).predict_proba(codes)
    assert p.shape == (80, 5)
    assert np.isfinite(p).all()
    assert (p[:, [1, 4]] < 0.2).all()
    assert_allclose(p.sum(axis=1), 1.0)
    # Its bins are equally probable, unless instance weights are estimated for each row to predict.
    by_bin = np.exp(tables.log_likelihood[:3, 1])
    assert_allclose(by_bin, 1 / 3)
    if model.smoothing == "m":
        assert (p > 0).all()


@each(MODELS)
def test_unseen_bins_are_left_out(model):
    codes, y = random_codes(18)
    model.fit(codes, y)
    some = codes[:10].copy()
    some[:, 1] = -1
    expected = model.predict_log_proba(some)
    assert np.isfinite(expected).all()
    for unseen in (-7, 2, 99, 2**31 - 1, 2**40, np.nan, -3.5, 1e30):
        other = some.astype(type(unseen) if isinstance(unseen, int) else float)
        other[:, 1] = unseen
        assert_array_equal(model.predict_log_proba(other), expected)


@each(MODELS)
def test_a_declared_bin_without_rows(model):
    codes, y = random_codes(19, missing=0.0)
    model.set_params(n_bins=6).fit(codes, y)
    p = model.predict_proba(np.full((1, 4), 5))
    assert np.isfinite(p).all()
    assert_allclose(p.sum(), 1.0)


@each(MODELS)
def test_one_attribute(model):
    p = model.fit(FIXTURE_X[:, :1], FIXTURE_Y).predict_proba([[0], [1], [2], [-1], [3]])
    assert np.isfinite(p).all()
    assert_allclose(p.sum(axis=1), 1.0)
    # Four of four rows, then three of four and three of four.
    assert p[:3].argmax(axis=1).tolist() == [0, 1, 2]


@each(MODELS)
def test_one_row_for_each_class(model):
    codes = np.array([[0, 0], [1, 1], [2, 2]])
    model.fit(codes, ["c", "a", "b"])
    assert model.predict(codes).tolist() == ["c", "a", "b"]
    assert np.isfinite(model.predict_log_proba(codes)).all()


@each(MODELS)
def test_the_order_of_rows_does_not_matter(model):
    codes, y = random_codes(21, n_rows=200, n_bins=(3, 2, 4, 5, 1))
    weights = np.random.default_rng(0).random(200)
    order = np.random.default_rng(1).permutation(200)
    shuffled = clone(model).fit(codes[order], y[order], weights[order]).predict_log_proba(codes)
    assert_array_equal(model.fit(codes, y, weights).predict_log_proba(codes), shuffled)


@each([model for model in MODELS if not isinstance(model, NaiveBayesClassifier | AODEClassifier)])
@pytest.mark.parametrize("seed", range(3))
def test_weights_lie_between_zero_and_one(model, seed):
    """All but those of single bins, which have no bounds: they pull towards 1 instead."""
    codes, y = random_codes(seed, n_classes=4)
    model.fit(codes, y)
    names = [n for n in ("attribute_weights_", "class_weights_", "mixing_") if hasattr(model, n)]
    assert bool(names) != hasattr(model, "cell_weights_")
    for name in names:
        learned = np.asarray(getattr(model, name))
        assert ((learned >= 0) & (learned <= 1)).all()


@each([RNBClassifier(), PUBLISHED])
def test_the_mixing_begins_in_the_middle_and_stays_inside(model):
    codes, y = random_codes(2)
    objective, start = objective_of(model, model._read(codes, y, None))
    assert objective(start)[1][-1] == 0.0
    mixings = [model.set_params(max_iter=steps).fit(codes, y).mixing_ for steps in (1, 2, 10, 1000)]
    assert all(0.0 <= mixing <= 1.0 for mixing in mixings)
    assert len(set(mixings)) > 1


@each([AIWNBClassifier(), AIWNBClassifier("lazy"), *EXACT_SEARCH])  # the others learn no weights
def test_repeated_attributes_have_the_same_weights(model):
    model.fit(FIXTURE_X[:, [0, 0, 0]], FIXTURE_Y)
    for name in ("attribute_weights_", "class_weights_"):
        if hasattr(model, name):
            by_attribute = np.atleast_2d(getattr(model, name))
            assert_allclose(by_attribute, np.repeat(by_attribute[:, :1], 3, axis=1), atol=1e-9)
    if hasattr(model, "cell_weights_"):
        blocks = model.cell_weights_.reshape(3, 3, 3)
        assert_allclose(blocks, np.repeat(blocks[:1], 3, axis=0), atol=1e-9)


@pytest.mark.parametrize(
    ("loss", "weight", "value"), [("cll", 0.5630633591, 4.8760057911), ("mse", 0.4650011811, 1.5184207724)]
)
def test_vectors_of_repeated_attributes(loss, weight, value):
    model = WANBIAClassifier(loss, tol=1e-9).fit(FIXTURE_X[:, [0, 0, 0]], FIXTURE_Y)
    assert_allclose(model.attribute_weights_, weight, atol=1e-7)
    assert model.loss_ == pytest.approx(value, abs=1e-9)


@each(COUNTED)
def test_repeated_attributes_count_twice_in_naive_bayes(model):
    once = clone(model).fit(FIXTURE_X[:, :1], FIXTURE_Y)
    twice = model.fit(FIXTURE_X[:, [0, 0]], FIXTURE_Y)
    expected = np.exp(2 * once.predict_log_proba(FIXTURE_X[:, :1]) - once.tables_.log_prior)
    assert_allclose(twice.predict_proba(FIXTURE_X[:, [0, 0]]), expected / expected.sum(axis=1, keepdims=True))
