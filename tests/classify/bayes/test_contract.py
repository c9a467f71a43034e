"""scikit-learn's contract for the classifiers on codes, with an empty list of expected failures."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils import estimator_checks
from sklearn.utils.estimator_checks import parametrize_with_checks

from cutwise import (
    AIWNBClassifier,
    AODEClassifier,
    CAWNBClassifier,
    MDLPDiscretizer,
    MRmDDiscretizer,
    NaiveBayesClassifier,
    RNBClassifier,
    WANBIAClassifier,
)
from tests.classify.bayes.fixture import random_codes
from tests.methods import instances

ESTIMATORS = [
    *instances(["codes"]),
    NaiveBayesClassifier("m", 0.5),
    WANBIAClassifier("cll", smoothing="laplace"),
    CAWNBClassifier("cll"),
    RNBClassifier("published"),
    AIWNBClassifier("lazy"),
    AIWNBClassifier("lazy", max_memory=0, smoothing="laplace"),
    AODEClassifier(3, max_memory=0),
    AODEClassifier(smoothing="laplace"),
]
NOT_YIELDED = ["check_param_validation", "check_dataframe_column_names_consistency"]
# The checks pass a table with names after one without, and the like, on purpose.
MIXED_NAMES = "ignore:X (has|does not have valid) feature names:UserWarning"


@pytest.fixture(autouse=True)
def _leaves_no_trace():
    """Switch the check of the global state off: scikit-learn's checks set seeds."""


@pytest.mark.filterwarnings(MIXED_NAMES)
@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.filterwarnings(MIXED_NAMES)
@pytest.mark.parametrize("name", NOT_YIELDED)
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
def test_checks_that_are_not_yielded(estimator, name):
    getattr(estimator_checks, name)(type(estimator).__name__, clone(estimator))


def test_behind_a_discretizer():
    X, y = load_iris(return_X_y=True, as_frame=True)
    model = make_pipeline(MRmDDiscretizer().set_output(transform="pandas"), RNBClassifier())
    search = GridSearchCV(model, {"rnbclassifier__alpha": [0.5, 1.0]}, cv=3).fit(X, y)
    assert search.best_score_ > 0.9


def test_number_of_bins_of_a_discretizer():
    X, y = load_iris(return_X_y=True)
    bins = MDLPDiscretizer().fit(X, y)
    model = NaiveBayesClassifier(n_bins=bins.n_bins_).fit(bins.transform(X)[:60], y[:60])
    np.testing.assert_array_equal(model.n_bins_, bins.n_bins_)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
def test_tables_are_arrays(estimator):
    codes, labels = random_codes(1)
    y = np.array(["ash", "birch", "cedar"])[labels]
    frame = pd.DataFrame(codes, columns=list("abcd"))
    expected = clone(estimator).fit(codes, y).predict_proba(codes)
    gaps = frame.astype("float64").mask(frame < 0)
    nullable = frame.astype("Int64").mask(frame < 0)
    columns = {name: [None if code < 0 else code for code in frame[name]] for name in frame}
    for table, target in [
        (frame, pd.Series(y)),
        (gaps, pd.Series(y, dtype="category")),
        (nullable, y.tolist()),
        (pl.DataFrame(frame), pl.Series(y)),
        (pl.DataFrame(columns), y.astype(object)),
        (gaps.to_numpy(), y),
        (codes.astype(np.float32) + np.float32(0.25) * (codes >= 0), y),
        (np.asfortranarray(codes).astype(np.int8), y),
        (codes.astype(object), y),
    ]:
        model = clone(estimator).fit(table, target)
        np.testing.assert_array_equal(model.predict_proba(table), expected)
        assert model.classes_.tolist() == ["ash", "birch", "cedar"]
        if hasattr(table, "columns"):
            assert model.feature_names_in_.tolist() == list("abcd")
    assert set(model.predict(codes)) <= set(y)


def test_messages():
    codes, y = random_codes(2)
    wrong = codes.copy()
    wrong[3, 1] = 20000000
    with pytest.raises(ValueError, match="Column x1 has the code 20000000 in row 3"):
        NaiveBayesClassifier().fit(wrong, y)
    frame = pd.DataFrame(codes, columns=list("abcd"))
    with pytest.raises(ValueError, match="Column 'c' has the code 3, but 'n_bins' gives it 3 bins"):
        NaiveBayesClassifier(n_bins=3).fit(frame, y)
    for wrong in ([3, 4], [0, 4, 4, 4], [3.0, 4.0, 4.0, 4.0]):
        with pytest.raises(ValueError, match="'n_bins' must be"):
            NaiveBayesClassifier(n_bins=wrong).fit(codes, y)


def test_a_failed_fit_leaves_the_old_state():
    codes, y = random_codes(2)
    model = NaiveBayesClassifier().fit(codes, y)
    before = dict(vars(model))
    with pytest.raises(ValueError, match="n_bins"):
        model.set_params(n_bins=1).fit(codes, y)
    with pytest.raises(ValueError, match="numeric"):
        model.fit([["a"], ["b"]], [0, 1])
    assert vars(model) == {**before, "n_bins": 1}
