"""The checklist of the definitions for C4.5, line by line.

A tree has no slopes, no loss and no weights, so those lines say nothing about it; nor is there a
class without rows: the classes are those of the training rows.
"""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone

from cutwise import C45Classifier

MODELS = [C45Classifier(), C45Classifier(nominal="all"), C45Classifier(nominal="all", prune=False, collapse=False)]


@pytest.fixture(params=MODELS, ids=repr)
def model(request):
    return clone(request.param)


def codes_and_classes(seed=0, n_rows=120):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n_rows)
    codes = np.column_stack(
        [(y + (rng.random(n_rows) < noise)) % size for noise, size in ((0.2, 3), (0.4, 4), (0.6, 5))]
    )
    codes = codes.astype(float)
    codes[rng.random(codes.shape) < 0.05] = -1 if seed % 2 else np.nan
    return codes, y


def test_five_hundred_attributes(model):
    rng = np.random.default_rng(0)
    y = np.arange(90) % 3
    codes = (rng.random((90, 500)) < 0.1 + 0.4 * y[:, None]).astype(float)
    p = model.fit(codes, y).predict_proba(rng.integers(0, 2, (40, 500)))
    assert np.isfinite(p).all()
    np.testing.assert_allclose(p.sum(axis=1), 1.0)


def test_permuted_classes_permute_the_weights(model):
    codes, y = codes_and_classes()
    moved = [2, 0, 1]
    renamed = clone(model).fit(codes, np.array(moved)[y]).tree_
    tree = model.fit(codes, y).tree_
    assert renamed.attribute.tolist() == tree.attribute.tolist()
    np.testing.assert_array_equal(renamed.threshold, tree.threshold)
    np.testing.assert_array_equal(renamed.weights[:, moved], tree.weights)


def test_permuted_attributes_permute_the_questions(model):
    codes, y = codes_and_classes()
    order = [2, 0, 1]
    moved = clone(model).fit(codes[:, order], y).tree_
    tree = model.fit(codes, y).tree_
    asked = [-1 if column < 0 else order[column] for column in moved.attribute]
    assert asked == tree.attribute.tolist()
    assert len(set(asked)) > 2
    np.testing.assert_array_equal(moved.threshold, tree.threshold)
    np.testing.assert_array_equal(moved.weights, tree.weights)


def test_a_column_of_one_bin_changes_nothing(model):
    codes, y = codes_and_classes()
    wider = clone(model).fit(np.insert(codes, 0, 0, axis=1), y)
    text = wider.export_text()
    for j in range(3):
        text = text.replace(f"x{j + 1} ", f"x{j} ")
    assert text == model.fit(codes, y).export_text()


def test_a_single_class_is_a_leaf(model):
    codes, y = codes_and_classes()
    model.fit(codes, np.full(y.size, "only"))
    assert model.tree_.n_nodes == 1
    assert model.predict_proba([[np.nan, 99, -1]]).tolist() == [[1.0]]


def test_unseen_bins_and_missing_ones(model):
    codes, y = codes_and_classes()
    model.fit(codes, y)
    for unseen in (-1, 99, np.nan):
        p = model.predict_proba(np.full((1, 3), unseen))
        assert np.isfinite(p).all()
        np.testing.assert_allclose(p.sum(), 1.0)
    if model.nominal == "all":
        # A row that ends at the root, or goes on in all branches, has the classes of all rows.
        np.testing.assert_allclose(model.predict_proba(np.full((1, 3), 99)), [np.bincount(y) / y.size])
        np.testing.assert_allclose(model.predict_proba(np.full((1, 3), -1)), [np.bincount(y) / y.size])


def test_one_attribute(model):
    codes, y = codes_and_classes()
    model.fit(codes[:, :1], y)
    assert model.predict([[0], [1], [2]]).tolist() == [0, 1, 2]


def test_one_row_for_each_class(model):
    """Two leaves of two rows would be needed for a question: there are none."""
    model.fit([[0.0], [1.0], [2.0]], ["c", "a", "b"])
    assert model.tree_.n_nodes == 1
    np.testing.assert_allclose(model.predict_proba([[0.0]]), [[1 / 3] * 3])
    finer = clone(model).set_params(min_leaf=1, mdl_correction=False, collapse=False, prune=False)
    assert finer.fit([[0.0], [1.0], [2.0]], ["c", "a", "b"]).predict([[0.0], [1.0], [2.0]]).tolist() == ["c", "a", "b"]


def test_the_order_of_rows_does_not_matter(model):
    codes, y = codes_and_classes(1)
    weights = np.random.default_rng(0).random(y.size)
    order = np.random.default_rng(1).permutation(y.size)
    shuffled = clone(model).fit(codes[order], y[order], weights[order])
    model.fit(codes, y, weights)
    assert shuffled.export_text() == model.export_text()
    np.testing.assert_array_equal(shuffled.predict_proba(codes), model.predict_proba(codes))
