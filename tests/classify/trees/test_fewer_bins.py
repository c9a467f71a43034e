"""The N_D of a tree: smaller than that of the bins where a tree predicts more held-out rows right with it."""

from __future__ import annotations

import numpy as np
import pytest

from cutwise import C45Classifier, DiscretizedClassifier, MRmDDiscretizer, NaiveBayesClassifier
from cutwise.classify.trees.fewer_bins import JudgedRows, _held_out, _joined
from cutwise.scheme import encode_columns

TREE = C45Classifier(nominal="all")


def clouds(n_rows=600, n_classes=8, n_columns=6):
    rng = np.random.default_rng(0)
    centres = 1.5 * rng.normal(size=(n_classes, n_columns))
    y = rng.integers(0, n_classes, n_rows)
    return centres[y] + rng.normal(size=(n_rows, n_columns)), y


def system(classifier=TREE, **settings):
    return DiscretizedClassifier(MRmDDiscretizer(n_d="auto", **settings), classifier)


def test_a_tree_of_many_classes_takes_fewer_bins():
    X, y = clouds(1600)
    bins = MRmDDiscretizer(n_d="auto").fit(X[:800], y[:800])
    model = system().fit(X[:800], y[:800])
    assert model.discretizer_.n_d_ < bins.n_d_
    as_it_was = DiscretizedClassifier(MRmDDiscretizer(n_d=bins.n_d_), TREE).fit(X[:800], y[:800])
    assert model.score(X[800:], y[800:]) > as_it_was.score(X[800:], y[800:])
    same = DiscretizedClassifier(MRmDDiscretizer(n_d=model.discretizer_.n_d_), TREE).fit(X[:800], y[:800])
    np.testing.assert_array_equal(model.predict(X), same.predict(X))


def test_other_classifiers_and_other_searches_keep_the_choice_of_the_bins():
    X, y = clouds()
    bins = MRmDDiscretizer(n_d="auto").fit(X, y)
    assert system(NaiveBayesClassifier()).fit(X, y).discretizer_.n_d_ == bins.n_d_
    exact = MRmDDiscretizer(n_d="auto", search="exact", max_candidates=30).fit(X[:, :2], y)
    model = system(search="exact", max_candidates=30).fit(X[:, :2], y)
    assert model.discretizer_.n_d_ == exact.n_d_


@pytest.mark.parametrize("missing", ["code", "bin"])
@pytest.mark.parametrize("n_d", [2, 5, 10])
def test_the_path_of_a_large_n_d_gives_the_codes_of_a_small_one(n_d, missing):
    X, y = clouds()
    X[::7, 0], X[::5, 1] = np.nan, -999.0
    settings = {"special_values": [-999.0], "missing": missing, "confirm": None}
    large = MRmDDiscretizer(n_d=200, **settings).fit(X, y).scheme_
    small = MRmDDiscretizer(n_d=n_d, **settings).fit(X, y).scheme_
    joined = _joined(large.attributes, encode_columns(large, X), n_d)
    np.testing.assert_array_equal(joined, encode_columns(small, X))


def test_a_fifth_of_each_class_is_held_out():
    codes = np.arange(100, dtype=np.int32).reshape(50, 2)
    held = _held_out(codes, JudgedRows(codes, np.repeat([0, 1], [30, 20]), None))
    assert [held[:30].sum(), held[30:].sum()] == [6, 4]


def test_weights_are_rows_and_their_order_does_not_matter():
    X, y = clouds(300)
    weights = np.random.default_rng(1).integers(0, 4, y.size)
    order = np.random.default_rng(2).permutation(y.size)
    weighted = system().fit(X, y, sample_weight=weights)
    shuffled = system().fit(X[order], y[order], sample_weight=weights[order])
    repeated = system().fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    assert weighted.discretizer_.n_d_ == shuffled.discretizer_.n_d_ == repeated.discretizer_.n_d_
    np.testing.assert_array_equal(weighted.predict_proba(X), repeated.predict_proba(X))


def test_few_rows_and_json():
    X, y = [[1.0], [2.0], [3.0], [4.0]], ["a", "a", "b", "b"]
    model = system().fit(X, y)
    assert type(model)._read_model(model._write_model()).predict(X).tolist() == model.predict(X).tolist()
