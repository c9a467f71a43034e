"""Naive Bayes: the vectors, scikit-learn's CategoricalNB, learning in parts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sklearn.naive_bayes import CategoricalNB

from cutwise import NaiveBayesClassifier
from tests.classify.bayes import plain
from tests.classify.bayes.fixture import QUERIES, X, Y, random_codes


def test_vector_of_the_m_estimate():
    model = NaiveBayesClassifier(smoothing="m").fit(X, Y)
    np.testing.assert_allclose(np.exp(model.tables_.log_prior), [1 / 3] * 3)
    expected = [[0.8666667, 0.0666667, 0.0666667], [0.0666667, 0.6666667, 0.2666667], [0.0666667, 0.2666667, 0.6666667]]
    np.testing.assert_allclose(np.exp(model.tables_.log_likelihood[:3]).T, expected, atol=1e-7)
    posterior = [
        [0.0980392157, 0.5490196078, 0.3529411765],
        [0.8530183727, 0.0918635171, 0.0551181102],
        [0.0673854447, 0.4043126685, 0.5283018868],
    ]
    np.testing.assert_allclose(model.predict_proba(QUERIES), posterior, atol=1e-10)


def test_vector_of_laplace():
    model = NaiveBayesClassifier().fit(X, Y)
    np.testing.assert_allclose(
        model.predict_proba(QUERIES[:1]), [[0.1836734694, 0.4897959184, 0.3265306122]], atol=1e-10
    )


@given(
    st.integers(0, 1000),
    st.integers(1, 6),
    st.integers(1, 5),
    st.sampled_from([1e-6, 0.5, 1.0, 3.7]),
    st.booleans(),
)
@example(86, 5, 3, 1e-06, True)
def test_agrees_with_scikit_learn(seed, n_classes, n_attributes, alpha, weighted):
    rng = np.random.default_rng(seed)
    n_bins = rng.integers(1, 6, n_attributes)
    codes, y = random_codes(seed, 60, n_bins, n_classes, missing=0.0)
    weights = rng.random(60) if weighted else None
    ours = NaiveBayesClassifier(alpha=alpha, n_bins=n_bins).fit(codes, y, weights)
    theirs = CategoricalNB(alpha=alpha, min_categories=n_bins).fit(codes, y, weights)
    for logs, counts in zip(theirs.feature_log_prob_, theirs.category_count_, strict=True):
        logs[:, counts.sum(axis=0) == 0] = 0.0  # the one difference: a bin without rows tells nothing
    queries = rng.integers(0, n_bins, (40, n_attributes))
    np.testing.assert_allclose(ours.predict_proba(queries), theirs.predict_proba(queries), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(
        ours.predict_log_proba(queries), theirs.predict_log_proba(queries), rtol=1e-12, atol=1e-12
    )
    best = np.sort(theirs.predict_proba(queries), axis=1)
    clear = best[:, -1] - best[:, -2:].min(axis=1) > 1e-9 if n_classes > 1 else slice(None)
    np.testing.assert_array_equal(ours.predict(queries)[clear], theirs.predict(queries)[clear])


@pytest.mark.parametrize("smoothing", ["laplace", "m"])
def test_missing_values_are_left_out(smoothing):
    codes, y = random_codes(3)
    model = NaiveBayesClassifier(smoothing, 0.7).fit(codes, y)
    prior, likelihood = plain.estimate(codes, y, model.n_bins_, 3, smoothing=smoothing, alpha=0.7)
    p = plain.by_attribute(prior, plain.gather(codes, likelihood), np.ones(4))
    np.testing.assert_allclose(model.predict_proba(codes), p, rtol=1e-12)


@pytest.mark.parametrize("smoothing", ["laplace", "m"])
@pytest.mark.parametrize("alpha", [0.3, 1.0, 5.0])
def test_the_tables_hold_probabilities(smoothing, alpha):
    codes, y = random_codes(4)
    tables = NaiveBayesClassifier(smoothing, alpha).fit(codes[5:], y[5:]).tables_
    assert np.exp(tables.log_prior).sum() == pytest.approx(1.0, rel=1e-12)
    sums = np.add.reduceat(np.exp(tables.log_likelihood), tables.offsets[:-1])
    np.testing.assert_allclose(sums, 1.0, rtol=1e-12)


@pytest.mark.parametrize("smoothing", ["laplace", "m"])
@pytest.mark.parametrize("n_bins", [None, 4])
def test_learning_in_parts_is_learning_at_once(smoothing, n_bins):
    codes, y = random_codes(5)
    weights = np.arange(80) % 5 / 4
    order = np.argsort(codes[:, 2], kind="stable")  # so that later parts have more bins
    model = NaiveBayesClassifier(smoothing, n_bins=n_bins)
    for part in np.array_split(order, 4):
        model.partial_fit(codes[part], y[part], classes=[0, 1, 2], sample_weight=weights[part])
    whole = NaiveBayesClassifier(smoothing, n_bins=n_bins).fit(codes, y, weights)
    np.testing.assert_array_equal(model.n_bins_, whole.n_bins_)
    np.testing.assert_array_equal(model.tables_.counts.of_cell, whole.tables_.counts.of_cell)
    np.testing.assert_array_equal(model.predict_proba(codes), whole.predict_proba(codes))


def test_fit_forgets_the_parts():
    codes, y = random_codes(6)
    model = NaiveBayesClassifier().partial_fit(codes[:40], y[:40], classes=[0, 1, 2, 9]).fit(codes, y)
    assert model.classes_.tolist() == [0, 1, 2]
    np.testing.assert_array_equal(model.predict_proba(codes), NaiveBayesClassifier().fit(codes, y).predict_proba(codes))


def test_an_announced_class_without_rows():
    codes, y = random_codes(7)
    seen = NaiveBayesClassifier("m").partial_fit(codes, y, classes=[0, 1, 2, 7])
    p = seen.predict_proba(codes)
    assert ((p > 0) & (p < 1)).all()
    unseen = NaiveBayesClassifier().partial_fit(codes, y, classes=[0, 1, 2, 7])
    p = unseen.predict_proba(codes)
    assert (p[:, 3] == 0).all()
    np.testing.assert_allclose(p.sum(axis=1), 1.0)


def test_messages_of_partial_fit():
    codes, y = random_codes(8)
    model = NaiveBayesClassifier()
    with pytest.raises(ValueError, match="first call"):
        model.partial_fit(codes, y)
    with pytest.raises(ValueError, match="label 2, which is not among"):
        model.partial_fit(codes, y, classes=[0, 1])
    assert not hasattr(model, "tables_")
    model.partial_fit(codes, y, classes=[0, 1, 2])
    with pytest.raises(ValueError, match="first call"):
        model.partial_fit(codes, y, classes=[0, 1])
