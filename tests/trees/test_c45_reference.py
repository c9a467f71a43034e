"""The tree against the blackboard's, on random tables; and what must not matter."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutwise import C45Classifier, WeightsWarning
from tests.trees import reference_c45 as reference


@st.composite
def mixed_tables(draw, max_rows=40):
    """Columns of numbers and of codes with gaps; the class depends on one of them, more or less."""
    n_rows = draw(st.integers(1, max_rows))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    n_classes = draw(st.integers(1, 3))
    sizes = draw(st.lists(st.sampled_from([None, 2, 3, 5]), min_size=1, max_size=4))
    y = rng.integers(n_classes, size=n_rows)
    noise = draw(st.sampled_from([0.1, 0.5, 1.0]))
    columns = []
    for size in sizes:
        hidden = y + noise * rng.normal(size=n_rows)
        columns.append(np.round(2 * hidden) if size is None else np.clip(np.floor(hidden + 0.5), 0, size - 1))
    X = np.column_stack(columns)
    X[rng.random(X.shape) < draw(st.sampled_from([0.0, 0.0, 0.1, 0.4]))] = np.nan
    return X, y, sizes


def rows_of(X, y, sizes, weights=None):
    """Return the rows as the reference reads them, codes numbered from 0 on, and the sizes."""
    columns, numbers = [], []
    for column, size in zip(X.T, sizes, strict=True):
        seen = np.unique(column[~np.isnan(column)]).tolist()
        columns.append([None if np.isnan(v) else v if size is None else seen.index(v) for v in column.tolist()])
        numbers.append(None if size is None else max(len(seen), 1))
    classes = np.unique(y).tolist()
    weights = [1.0] * len(y) if weights is None else weights
    cells = list(zip(*columns, strict=True))
    return [(c, classes.index(label), w) for c, label, w in zip(cells, y, weights, strict=True)], numbers, len(classes)


def shape_of(tree, node=0):
    """Return a tree as nested tuples."""
    children = tuple(shape_of(tree, child) for child in tree.children(node))
    threshold = tree.threshold[node]
    return int(tree.attribute[node]), None if np.isnan(threshold) else float(threshold), children


def shape_of_reference(node):
    if not node["children"]:
        return -1, None, ()
    threshold = None if node["threshold"] is None else float(node["threshold"])
    return node["attribute"], threshold, tuple(map(shape_of_reference, node["children"]))


NAMES = {"mdl": "mdl_correction", "raising": "raise_subtrees"}
SETTINGS = st.fixed_dictionaries(
    {
        "confidence": st.sampled_from([0.1, 0.25, 0.5]),
        "min_leaf": st.sampled_from([1, 2, 3]),
        "mdl": st.booleans(),
        "collapse": st.booleans(),
        "prune": st.sampled_from([True, True, False]),
        "raising": st.booleans(),
    }
)


@settings(max_examples=150)
@given(mixed_tables(), SETTINGS)
def test_trees_are_those_of_the_blackboard(table, options):
    X, y, sizes = table
    rows, numbers, n_classes = rows_of(X, y, sizes)
    expected = reference.C45(rows, numbers, n_classes, **options)
    nominal = [j for j, size in enumerate(sizes) if size]
    fitted = C45Classifier(nominal=nominal, **{NAMES.get(key, key): v for key, v in options.items()}).fit(X, y)
    assert shape_of(fitted.tree_) == shape_of_reference(expected.root)
    shares = np.array([expected.shares(cells) for cells, *_ in rows])
    np.testing.assert_allclose(fitted.predict_proba(X), shares, atol=1e-7)
    found = fitted.predict_proba(X)
    first = [next(c for c, share in enumerate(row) if share >= max(row) - 1e-9) for row in found.tolist()]
    assert fitted.predict(X).tolist() == fitted.classes_[first].tolist()


@given(mixed_tables(), st.randoms(use_true_random=False))
def test_neither_the_order_of_rows_nor_the_names_of_classes_matter(table, random):
    X, y, sizes = table
    nominal = [j for j, size in enumerate(sizes) if size]
    rows, names = list(range(len(y))), list("abc")
    random.shuffle(rows)
    random.shuffle(names)
    first = C45Classifier(nominal=nominal).fit(X, y)
    second = C45Classifier(nominal=nominal).fit(X[rows], np.array(names)[y[rows]])
    assert shape_of(first.tree_) == shape_of(second.tree_)
    order = [second.classes_.tolist().index(names[label]) for label in first.classes_]
    np.testing.assert_array_equal(first.tree_.weights, second.tree_.weights[:, order])
    np.testing.assert_array_equal(first.predict_proba(X), second.predict_proba(X)[:, order])


@given(mixed_tables(), st.data())
def test_a_weight_is_a_repeated_row(table, data):
    X, y, sizes = table
    nominal = [j for j, size in enumerate(sizes) if size]
    weights = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(y), max_size=len(y)).filter(any)))
    weighted = C45Classifier(nominal=nominal).fit(X, y, sample_weight=weights)
    repeated = C45Classifier(nominal=nominal).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    assert shape_of(weighted.tree_) == shape_of(repeated.tree_)
    assert weighted.classes_.tolist() == repeated.classes_.tolist()
    np.testing.assert_allclose(weighted.tree_.weights, repeated.tree_.weights, atol=1e-9)


@pytest.mark.parametrize("factor", [2.0**-40, 1.0, 2.0**40])
def test_units_do_not_matter(factor):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    y = (X[:, 0] + 0.3 * rng.normal(size=200) > 0).astype(int)
    plain, scaled = C45Classifier().fit(X, y), C45Classifier().fit(factor * X, y)
    assert plain.tree_.attribute.tolist() == scaled.tree_.attribute.tolist()
    assert (plain.tree_.weights == scaled.tree_.weights).all()


def test_fractional_weights():
    """Ten rows of weight 0.2 are two rows."""
    X, y = np.repeat([[0.0], [1.0]], 20, axis=0), np.repeat([0, 1], 20)
    fitted = C45Classifier().fit(X, y, sample_weight=np.full(40, 0.2))
    np.testing.assert_allclose(fitted.tree_.weights.sum(axis=1), [8, 4, 4])
    with pytest.warns(WeightsWarning, match="add up to 2"):
        assert C45Classifier().fit(X, y, sample_weight=np.full(40, 0.05)).n_leaves_ == 1
