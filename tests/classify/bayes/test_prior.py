"""Naive Bayes with the classes' probabilities given, and with more bins than were seen."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import logsumexp
from sklearn.naive_bayes import CategoricalNB

from cutwise import DiscretizedClassifier, EqualWidthDiscretizer, NaiveBayesClassifier
from cutwise.persist import model_from_json

RNG = np.random.default_rng(0)
X = RNG.integers(0, 4, (300, 3))
Y = np.where(RNG.random(300) < 0.2 + 0.2 * X[:, 0], "late", np.where(X[:, 1] > 2, "never", "paid"))


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"fit_prior": False},
        {"class_prior": [0.2, 0.5, 0.3]},
        {"class_prior": np.array([0.2, 0.5, 0.3]), "fit_prior": False},
        {"min_categories": 6},
        {"min_categories": [4, 7, 2], "fit_prior": False},
    ],
    ids=str,
)
def test_the_same_as_categorical_nb(settings):
    there = CategoricalNB(**settings).fit(X, Y)
    ours = NaiveBayesClassifier(**settings).fit(X, Y)
    np.testing.assert_allclose(ours.class_log_prior_, there.class_log_prior_, rtol=1e-12)
    np.testing.assert_allclose(ours.predict_joint_log_proba(X), there.predict_joint_log_proba(X), rtol=1e-12)
    np.testing.assert_allclose(ours.predict_proba(X), there.predict_proba(X), rtol=1e-10)
    assert ours.n_bins_.tolist() == there.n_categories_.tolist()
    halves = NaiveBayesClassifier(**settings).partial_fit(X[:150], Y[:150], classes=np.unique(Y))
    halves.partial_fit(X[150:], Y[150:])
    np.testing.assert_array_equal(halves.predict_joint_log_proba(X), ours.predict_joint_log_proba(X))
    again = model_from_json(ours.to_json())
    np.testing.assert_array_equal(again.predict_joint_log_proba(X), ours.predict_joint_log_proba(X))
    assert again.to_json() == ours.to_json()


def test_joint_probabilities_divided_by_their_sum():
    model = NaiveBayesClassifier("m", class_prior=[0.1, 0.1, 0.8]).fit(X, Y)
    rows = np.vstack([X[:20], [[-1, 9, 0]]])
    joint = model.predict_joint_log_proba(rows)
    np.testing.assert_allclose(
        joint - logsumexp(joint, axis=1, keepdims=True), model.predict_log_proba(rows), rtol=1e-9, atol=1e-12
    )
    np.testing.assert_allclose(model.predict_joint_log_proba([[-1, -1, -1]])[0], np.log([0.1, 0.1, 0.8]))


def test_bins_that_are_announced_tell_nothing():
    model = NaiveBayesClassifier(min_categories=6).fit(X, Y)
    np.testing.assert_array_equal(model.predict_proba([[1, 5, 2]]), model.predict_proba([[1, -1, 2]]))


@pytest.mark.parametrize(
    ("prior", "words"),
    [
        ([0.5, 0.5], r"'class_prior' has the shape \(2,\) for 3 classes. Give one probability for each class"),
        ([[0.2, 0.3, 0.5]], r"the shape \(1, 3\) for 3 classes"),
        ([0.5, 0.6, -0.1], r"must be probabilities, not negative and 1 in all; got \[0.5, 0.6, -0.1\]"),
        ([0.5, 0.2, 0.1], "not negative and 1 in all"),
        ([np.nan, 0.5, 0.5], "not negative and 1 in all"),
        (["a", "b", "c"], "must be probabilities"),
    ],
)
def test_wrong_priors(prior, words):
    with pytest.raises(ValueError, match=words):
        NaiveBayesClassifier(class_prior=prior).fit(X, Y)
    model = NaiveBayesClassifier().partial_fit(X, Y, classes=np.unique(Y))
    before = model.predict_proba(X)
    with pytest.raises(ValueError, match=words):
        model.set_params(class_prior=prior).partial_fit(X, Y)
    np.testing.assert_array_equal(model.predict_proba(X), before)


@pytest.mark.parametrize(
    ("least", "words"),
    [
        ([[3, 2], [2, 4]], "'min_categories' must be a whole number above 0, or one for each of the 3 columns"),
        ([2, 3], "or one for each of the 3 columns"),
        ([2.5, 3, 4], "must be a whole number above 0"),
        (0, "must be None, an int in the range"),
    ],
)
def test_wrong_least_numbers(least, words):
    with pytest.raises(ValueError, match=words):
        NaiveBayesClassifier(min_categories=least).fit(X, Y)


def test_least_and_declared_numbers():
    assert NaiveBayesClassifier(n_bins=6, min_categories=5).fit(X, Y).n_bins_.tolist() == [6, 6, 6]
    words = "'min_categories' asks for 7 bins of the column x1, but 'n_bins' gives it 6. Leave 'min_categories' out"
    with pytest.raises(ValueError, match=words):
        NaiveBayesClassifier(n_bins=6, min_categories=[4, 7, 4]).fit(X, Y)


def test_a_given_prior_in_a_system():
    system = DiscretizedClassifier(EqualWidthDiscretizer(3), NaiveBayesClassifier(class_prior=[0.6, 0.2, 0.2]))
    system.fit(X.astype(float), Y)
    np.testing.assert_allclose(system.classifier_.class_log_prior_, np.log([0.6, 0.2, 0.2]))
    again = model_from_json(system.to_json())
    np.testing.assert_array_equal(again.predict_proba(X.astype(float)), system.predict_proba(X.astype(float)))
