"""C4.5 as a scikit-learn classifier."""

from __future__ import annotations

import importlib

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

from cutwise import C45Classifier, MDLPDiscretizer, TableError
from tests.versions import needs_sparse_arrays


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True, as_frame=True)


@pytest.fixture(scope="module")
def people():
    """A table of every kind of column, and classes that follow from it."""
    rng = np.random.default_rng(0)
    n_rows = 200
    table = pd.DataFrame(
        {
            "age": rng.integers(18, 80, n_rows),
            "colour": rng.choice(["red", "green", "blue"], n_rows),
            "size": pd.Categorical(rng.choice(["S", "M", "L"], n_rows)),
            "member": rng.random(n_rows) < 0.5,
            "height": rng.normal(1.7, 0.1, n_rows),
        }
    )
    y = np.where(table["colour"] == "red", "a", np.where((table["age"] > 40) & table["member"], "b", "c"))
    return table, y


def test_a_mixed_table(people):
    table, y = people
    fitted = C45Classifier().fit(table, y)
    assert (fitted.predict(table) == y).all()
    assert "colour = red: a" in fitted.export_text()
    assert "member = False: c" in fitted.export_text()
    assert "age <= 40: c" in fitted.export_text()
    assert fitted.feature_names_in_.tolist() == list(table)


def test_containers_give_the_same_tree(people):
    table, y = people
    text = C45Classifier().fit(table, y).export_text()
    assert C45Classifier().fit(pl.from_pandas(table), pl.Series(y)).export_text() == text
    plain = C45Classifier().fit(table.astype(object).to_numpy(), y)
    assert plain.tree_.weights.tolist() == C45Classifier().fit(table, y).tree_.weights.tolist()
    assert plain.export_text().startswith("x1 = blue")
    assert (plain.predict(table.astype(object).to_numpy()) == y).all()


def test_which_columns_are_nominal(people):
    X = np.array([[0, 5], [1, 5], [2, 6], [3, 6]] * 10, dtype=float)
    y = X[:, 0].astype(int) % 2
    assert C45Classifier(nominal="all").fit(X, y).get_n_leaves() == 4
    assert C45Classifier(nominal=[0]).fit(X, y).get_n_leaves() == 4
    assert C45Classifier(nominal=["x0"]).fit(X, y).tree_.threshold.size == 5
    assert not np.isnan(C45Classifier(nominal=[1]).fit(X, y).tree_.threshold[0])
    frame = pd.DataFrame(X, columns=["a", "b"])
    assert C45Classifier(nominal=["a"]).fit(frame, y).get_n_leaves() == 4
    with pytest.raises(ValueError, match="'nominal' names the column 'c'"):
        C45Classifier(nominal=["c"]).fit(frame, y)
    with pytest.raises(ValueError, match="names the column 2"):
        C45Classifier(nominal=[2]).fit(frame, y)


def test_negative_codes_are_missing_and_new_codes_end_at_the_node():
    X = np.repeat([[0.0], [1.0], [2.0]], [6, 6, 4], axis=0)
    y = np.repeat([0, 1, 1], [6, 6, 4])
    fitted = C45Classifier(nominal="all").fit(X, y)
    assert fitted.get_n_leaves() == 3
    np.testing.assert_allclose(fitted.predict_proba([[-1], [np.nan], [7], [0.5]]), [[6 / 16, 10 / 16]] * 4)
    np.testing.assert_allclose(fitted.predict_proba([[0], [2]]), [[1, 0], [0, 1]])


@pytest.mark.parametrize("scale", [1, 3])
def test_codes_of_any_kind(scale):
    """Codes 0, 1, 2 and codes 0, 3, 6: what is no whole code of the training rows ends at the node."""
    codes = np.repeat([0, 1, 2], [6, 5, 4]) * scale
    fitted = C45Classifier(nominal="all").fit(codes[:, None], np.repeat([0, 1, 2], [6, 5, 4]))
    assert fitted.predict(scale * np.array([[0], [1], [2]])).tolist() == [0, 1, 2]
    strange = [[value] for value in (-0.5, 0.5, 1.0 + 1e-9, 3.0 * scale, 1e300, np.inf, -np.inf, np.nan, -1)]
    np.testing.assert_allclose(fitted.predict_proba(strange), [[6 / 15, 5 / 15, 4 / 15]] * 9)
    np.testing.assert_allclose(fitted.predict_proba([[-0.0]]), [[1, 0, 0]])


def test_new_categories_and_missing_ones():
    rng = np.random.default_rng(1)
    first, second = rng.choice(["x", "y"], 60), rng.choice(["p", "q"], 60)
    y = np.where(first == "x", 0, np.where(second == "p", 1, 2))
    fitted = C45Classifier().fit(pd.DataFrame({"first": first, "second": second}), y)
    shares = np.bincount(y) / 60
    new = pd.DataFrame({"first": ["z", None, "y"], "second": ["p", "p", "z"]})
    probabilities = fitted.predict_proba(new)
    # A new category has the classes of the node; a missing one goes on in all branches.
    np.testing.assert_allclose(probabilities[0], shares)
    np.testing.assert_allclose(probabilities[1], [shares[0], 1 - shares[0], 0])
    np.testing.assert_allclose(probabilities[2], [0, *shares[1:] / shares[1:].sum()])


def test_an_empty_branch_predicts_as_the_node():
    """No row with a = 1 has b = 2."""
    X = np.array([[0, 0], [0, 1], [0, 2], [1, 0], [1, 1]] * 8, dtype=float)
    y = np.array([0, 0, 0, 1, 2] * 8)
    fitted = C45Classifier(nominal="all").fit(X, y)
    assert fitted.export_text().splitlines()[-1] == "|   x1 = 2: no rows"
    np.testing.assert_allclose(fitted.predict_proba([[1, 2]]), [[0, 0.5, 0.5]])
    assert fitted.predict([[1, 2]]) == [1]
    assert np.isneginf(fitted.predict_log_proba([[1, 2]])[0, 0])


def test_missing_values_share_the_leaves():
    X = np.array([[0.0]] * 4 + [[1.0]] * 4 + [[np.nan]] * 2)
    y = np.array([0] * 4 + [1] * 4 + [0, 1])
    fitted = C45Classifier(mdl_correction=False).fit(X, y)
    np.testing.assert_allclose(fitted.tree_.weights, [[5, 5], [4.5, 0.5], [0.5, 4.5]])
    np.testing.assert_allclose(fitted.predict_proba([[np.nan]]), [[0.5, 0.5]])


def test_decision_path(iris):
    X, y = iris
    fitted = C45Classifier().fit(X, y)
    path = fitted.decision_path(X).toarray()
    assert path.shape == (150, fitted.tree_.n_nodes)
    assert set(np.unique(path)) == {0.0, 1.0}
    leaves = fitted.tree_.n_children == 0
    assert (path[:, leaves].sum(axis=1) == 1).all()
    np.testing.assert_allclose(path.sum(axis=0), fitted.tree_.weights.sum(axis=1))
    gaps = np.full((1, 4), np.nan)
    with pytest.warns(UserWarning, match="feature names"):
        shares = fitted.decision_path(gaps).toarray()[0]
    np.testing.assert_allclose(shares, fitted.tree_.weights.sum(axis=1) / 150)


@needs_sparse_arrays
def test_paths_are_of_the_sparse_class_that_is_asked_for(iris):
    fitted = C45Classifier().fit(*iris)
    with config_context(sparse_interface="sparray"):
        assert type(fitted.decision_path(iris[0])).__name__ == "csr_array"


def test_the_tree_as_arrays(iris):
    fitted = C45Classifier().fit(*iris)
    tree = fitted.tree_
    assert (fitted.get_n_leaves(), fitted.get_depth(), tree.n_nodes) == (5, 4, 9)
    assert tree.levels.tolist() == [0, 1, 1, 2, 2, 3, 3, 4, 4]
    assert tree.attribute.tolist() == [3, -1, 3, 2, -1, -1, 3, -1, -1]
    assert tree.weights[0].tolist() == [50, 50, 50]


def test_max_depth_of_the_text(iris):
    assert C45Classifier().fit(*iris).export_text(max_depth=1).splitlines() == [
        "petal width (cm) <= 0.6: 0 (50)",
        "petal width (cm) > 0.6: …",
    ]


def test_plot(iris, monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "Agg")
    plt = importlib.import_module("matplotlib.pyplot")
    fitted = C45Classifier().fit(*iris)
    axes = fitted.plot()
    texts = [text.get_text() for text in axes.texts]
    assert texts.count("petal width (cm)") == 3
    assert "0 (50)" in texts
    assert "<= 0.6" in texts
    assert fitted.plot(axes, max_depth=1) is axes
    C45Classifier().fit([[1.0], [2.0]], [0, 0]).plot(plt.figure().add_subplot())
    plt.close("all")


@pytest.mark.parametrize("n_rows", [1, 2, 5])
@pytest.mark.parametrize("fill", [np.nan, 1.0, "x"])
def test_degenerate_tables(n_rows, fill):
    X = pd.DataFrame({"a": [fill] * n_rows})
    y = np.arange(n_rows) % 2
    fitted = C45Classifier().fit(X, y)
    assert (fitted.get_n_leaves(), fitted.get_depth()) == (1, 0)
    assert fitted.predict(X).tolist() == [0] * n_rows
    np.testing.assert_allclose(fitted.predict_proba(X).sum(axis=1), 1.0)
    assert fitted.export_text().startswith("0 (")


@pytest.mark.parametrize("name", ["get_depth", "get_n_leaves", "export_text", "plot"])
def test_an_unfitted_tree_has_no_size(name):
    with pytest.raises(NotFittedError, match="C45Classifier"):
        getattr(C45Classifier(), name)()


def test_one_class_and_infinities():
    assert C45Classifier().fit([[1.0], [2.0], [3.0]], ["a"] * 3).predict([[7.0]]).tolist() == ["a"]
    X = np.repeat([[-np.inf], [0.0], [np.inf]], 5, axis=0)
    fitted = C45Classifier(mdl_correction=False).fit(X, np.repeat([0, 1, 2], 5))
    assert fitted.predict([[-np.inf], [0.0], [np.inf], [1e300]]).tolist() == [0, 1, 2, 2]


def test_deep_trees():
    """A path of hundreds of questions."""
    y = np.arange(3000) % 2
    X = np.arange(3000.0)[:, None]
    fitted = C45Classifier(min_leaf=1, mdl_correction=False, collapse=False, prune=False).fit(X, y)
    assert fitted.get_depth() > 100
    assert C45Classifier(min_leaf=1, mdl_correction=False, collapse=False).fit(X, y).get_n_leaves() >= 1


def test_many_missing_values():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 6))
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    X[rng.random(X.shape) < 0.5] = np.nan
    fitted = C45Classifier().fit(X, y)
    np.testing.assert_allclose(fitted.tree_.weights[fitted.tree_.n_children == 0].sum(), 400)
    assert (fitted.predict(X) == y).mean() > 0.7


def test_after_a_discretizer(iris):
    X, y = iris
    model = make_pipeline(MDLPDiscretizer(), C45Classifier(nominal="all"))
    assert cross_val_score(model, X, y, cv=5).mean() > 0.9
    assert cross_val_score(C45Classifier(), X, y, cv=5).mean() > 0.9


def test_a_failed_fit_leaves_the_old_tree(iris):
    fitted = C45Classifier().fit(*iris)
    before = dict(vars(fitted))
    with pytest.raises(TableError, match="dates"):
        fitted.fit(np.array([["2020-01-01"]], dtype="datetime64[D]"), [0])
    assert vars(fitted) == before


@pytest.mark.parametrize("wrong", [{"confidence": 0.6}, {"min_leaf": 0}, {"nominal": "some"}, {"min_gap": -1.0}])
def test_wrong_parameters(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        C45Classifier(**wrong).fit([[1.0], [2.0]], [0, 1])


@pytest.mark.parametrize(
    ("labels", "message"), [(None, "requires y"), ([0, None], "no label in 1 of 2 rows"), (["a", 1], "mixes labels")]
)
def test_wrong_labels(labels, message):
    y = labels if labels is None else np.array(labels, dtype=object)
    with pytest.raises(ValueError, match=message):
        C45Classifier().fit([[1.0], [2.0]], y)


def test_weights_must_leave_rows():
    with pytest.raises(ValueError, match="weight is zero"):
        C45Classifier().fit([[1.0], [2.0]], [0, 1], sample_weight=[0, 0])
    with pytest.raises(ValueError, match="row"):
        C45Classifier().fit(pd.DataFrame({"a": []}), [])


def test_clone_and_repr():
    estimator = C45Classifier(0.1, nominal=["a"])
    assert clone(estimator).get_params() == estimator.get_params()
    assert "0.1" in repr(estimator)
