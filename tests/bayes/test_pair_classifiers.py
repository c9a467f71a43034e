"""What holds for AIWNB and AODE alike: the checklist of all classifiers."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from cutwise import AIWNBClassifier, AODEClassifier
from tests.bayes.fixture import random_codes

MODELS = [
    AIWNBClassifier(),
    AIWNBClassifier("lazy"),
    AIWNBClassifier("lazy", max_memory=0, smoothing="laplace"),
    AODEClassifier(),
    AODEClassifier(max_memory=0, smoothing="laplace"),
]


@pytest.fixture(params=MODELS, ids=repr)
def model(request):
    from sklearn.base import clone

    return clone(request.param)


def test_row_order_does_not_matter(model):
    codes, labels = random_codes(0, n_rows=200, n_bins=(3, 2, 4, 5, 6))
    weights = np.random.default_rng(0).random(200)
    order = np.random.default_rng(1).permutation(200)
    expected = model.fit(codes, labels, weights).predict_log_proba(codes)
    shuffled = model.fit(codes[order], labels[order], weights[order]).predict_log_proba(codes)
    assert np.array_equal(shuffled, expected)


def test_weights_are_repetitions(model):
    codes, labels = random_codes(1)
    weights = np.random.default_rng(0).integers(0, 4, labels.size)
    weights[:3] = 1
    expected = model.fit(np.repeat(codes, weights, axis=0), np.repeat(labels, weights)).predict_log_proba(codes)
    assert np.array_equal(model.fit(codes, labels, weights).predict_log_proba(codes), expected)


def test_classes_can_be_renamed(model):
    codes, labels = random_codes(2)
    expected = model.fit(codes, labels).predict_proba(codes)
    names = np.array(["z", "y", "x"])
    found = model.fit(codes, names[labels])
    assert_allclose(found.predict_proba(codes), expected[:, ::-1], rtol=1e-12)
    assert set(found.predict(codes)) <= set(names)


def test_attributes_can_be_moved(model):
    codes, labels = random_codes(3)
    order = [2, 0, 3, 1]
    expected = model.fit(codes, labels).predict_proba(codes)
    assert_allclose(model.fit(codes[:, order], labels).predict_proba(codes[:, order]), expected, rtol=1e-12)


def test_missing_everywhere(model):
    """Without any code the classes' shares decide."""
    labels = np.array([0, 1, 1])
    probabilities = model.fit(np.full((3, 2), np.nan), labels).predict_proba([[0, 1], [np.nan, 3]])
    assert np.isfinite(probabilities).all()
    assert (probabilities[:, 1] > 0.5).all()


def test_unseen_codes_are_missing_ones(model):
    codes, labels = random_codes(4)
    model.fit(codes, labels)
    unseen, missing = codes.copy(), codes.copy()
    unseen[:, 1], missing[:, 1] = 10**9, -1
    assert np.array_equal(model.predict_log_proba(unseen), model.predict_log_proba(missing))


def test_one_class_and_one_row_a_class(model):
    assert model.fit([[0, 1], [1, 0]], ["a", "a"]).predict_proba([[0, 0], [5, -1]]).tolist() == [[1.0], [1.0]]
    assert model.fit([[0, 0], [1, 1], [2, 2]], [0, 1, 2]).predict([[0, 0], [1, 1], [2, 2]]).tolist() == [0, 1, 2]


def test_many_attributes_do_not_underflow(model):
    rng = np.random.default_rng(0)
    codes = (rng.random((60, 500)) < 0.02).astype(int)
    labels = np.arange(60) % 3
    logs = model.fit(codes, labels).predict_log_proba(codes)
    assert np.isfinite(logs).all()
    assert_allclose(np.exp(logs).sum(axis=1), 1.0)
    many_bins = rng.integers(0, 50, size=(60, 300))
    assert np.isfinite(model.fit(many_bins, labels).predict_log_proba(many_bins)).all()


def test_a_failed_fit_leaves_the_old_state(model):
    codes, labels = random_codes(5)
    before = model.fit(codes, labels).predict_log_proba(codes)
    with pytest.raises(ValueError, match="n_bins"):
        model.set_params(n_bins=2).fit(codes, labels)
    assert np.array_equal(model.predict_log_proba(codes), before)


def test_one_bin_attributes_tell_nothing():
    """A model whose parent has one bin is naive Bayes; the others do not change."""
    codes, labels = random_codes(6, missing=0.0)
    one_bin = np.column_stack([np.zeros(len(codes), dtype=int)] * 2)
    model = AODEClassifier().fit(one_bin, labels)
    assert_allclose(model.predict_proba(one_bin[:1])[0], np.bincount(labels) / labels.size, atol=0.01)
    eager = AIWNBClassifier().fit(np.column_stack([codes, one_bin]), labels)
    cells = eager.tables_.offsets[-3:-1]
    assert_allclose(eager.tables_.log_likelihood[cells], 0.0, atol=1e-15)
