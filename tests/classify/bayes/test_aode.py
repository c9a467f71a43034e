"""AODE: the vector of the definitions, the plain formula, and the bound on the memory."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from cutwise import AODEClassifier, NaiveBayesClassifier
from cutwise.classify.bayes import aode
from tests.classify.bayes import reference_pairs as reference
from tests.classify.bayes.coded_tables import coded_tables, plain_rows, queries_for
from tests.classify.bayes.fixture import QUERIES, X, Y, random_codes


@pytest.mark.parametrize("max_memory", [0, 2**20])
def test_vector(max_memory):
    model = AODEClassifier(max_memory=max_memory).fit(X, Y)
    assert (model.pair_counts_.pairs is None) == (max_memory == 0)
    assert_allclose(model.predict_proba(QUERIES)[0], [0.1475826972, 0.3982188295, 0.4541984733], atol=1e-9)


@pytest.mark.parametrize("max_memory", [0, 2**20])
@pytest.mark.parametrize("smoothing", ["m", "laplace"])
@given(coded=coded_tables(), data=st.data())
def test_plain_formula(max_memory, smoothing, coded, data):
    queries = queries_for(data.draw, coded.n_bins)
    min_count = data.draw(st.sampled_from([0, 1, 3, 10]))
    alpha = data.draw(st.sampled_from([1.0, 0.3]))
    model = AODEClassifier(min_count, max_memory=max_memory, smoothing=smoothing, alpha=alpha, n_bins=coded.n_bins)
    model.fit(coded.codes, coded.labels, coded.weights)
    sizes = {"n_bins": coded.n_bins, "n_classes": coded.n_classes, "smoothing": smoothing, "alpha": alpha}
    for query, found in zip(plain_rows(queries), model.predict_proba(queries), strict=True):
        expected = reference.aode(*coded.plain, query, **sizes, min_count=min_count)
        if expected is None:
            expected = reference.weighted_bayes(*coded.plain, query, **sizes, factors=[1.0] * len(query))
        assert_allclose(found, expected, rtol=1e-10, atol=1e-14)


def test_one_attribute_is_the_joint_share():
    model = AODEClassifier().fit(X[:, :1], Y)
    joint = (np.array([4, 0, 0]) + 1 / 9) / 13
    assert_allclose(model.predict_proba([[0]])[0], joint / joint.sum())


def test_rare_codes_are_no_parents():
    """With a bound that no code reaches, AODE is naive Bayes."""
    naive = NaiveBayesClassifier("m").fit(X, Y)
    assert np.array_equal(AODEClassifier(100).fit(X, Y).predict_proba(QUERIES), naive.predict_proba(QUERIES))
    assert abs(AODEClassifier(4).fit(X, Y).predict_proba(QUERIES) - naive.predict_proba(QUERIES)).max() > 0.01


def test_weights_that_add_up_to_the_bound_are_enough():
    weights = np.full(12, 0.1)
    few = AODEClassifier(0.4).fit(X[:, :1], Y, weights).predict_proba([[0]])
    assert_allclose(few, AODEClassifier(0).fit(X[:, :1], Y, weights).predict_proba([[0]]))


def test_many_bins_do_not_take_much_memory():
    """A table of pairs of 100,000 bins would take 160 GB; the rows are kept."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 100_000, size=(50, 2))
    labels = codes[:, 0] % 2
    model = AODEClassifier().fit(codes, labels)
    assert model.pair_counts_.pairs is None
    assert model.predict(codes).tolist() == labels.tolist()


@pytest.mark.parametrize("max_memory", [0, 2**20])
def test_blocks_of_queries(monkeypatch, max_memory):
    codes, labels = random_codes(2)
    model = AODEClassifier(max_memory=max_memory).fit(codes, labels)
    whole = model.predict_log_proba(codes)
    monkeypatch.setattr(aode, "BLOCK_BYTES", 2000)
    assert np.array_equal(model.predict_log_proba(codes), whole)


def log_odds_of(codes, labels, n_bins, query):
    """The log-odds of two classes by sums of logarithms: P(c, bin) = (n + 1 / (2 B)) / (rows + 1), and so on."""
    terms = np.empty((query.size, 2))
    for u, code in enumerate(query):
        same = codes[codes[:, u] == code]
        for label in range(2):
            rows = same[labels[codes[:, u] == code] == label]
            shares = ((rows == query).sum(axis=0) + 1 / n_bins) / (len(rows) + 1)
            shares[u] = (len(rows) + 1 / (2 * n_bins)) / (len(codes) + 1)
            terms[u, label] = np.log(shares).sum()
    first, second = np.logaddexp.reduce(terms)
    return first - second


@pytest.mark.parametrize("max_memory", [0, 2**28])
def test_products_below_the_smallest_double(max_memory):
    """Those of so many attributes are around 1e-180, and around 1e-360, where they are taken times 2**600 once more."""
    rng = np.random.default_rng(4)
    labels = np.arange(30) % 2
    # The second class has other codes, so that the products of the two become small at different places.
    codes = rng.integers(0, 4, (30, 640)) * ((labels[:, None] == 0) | (rng.random((30, 640)) < 0.5))
    codes[:4] = np.arange(4)[:, None]
    model = AODEClassifier(max_memory=max_memory).fit(codes, labels)
    assert (model.pair_counts_.pairs is None) == (max_memory == 0)
    sizes = [*range(270, 330, 2), *range(570, 640, 2)]
    queries = rng.integers(0, 4, (len(sizes), 640)) * (rng.random((len(sizes), 640)) < 0.75)
    for query, size in zip(queries, sizes, strict=True):
        query[size:] = -1
    found = model.predict_log_proba(queries)
    expected = [log_odds_of(codes[:, :n], labels, 4, own[:n]) for own, n in zip(queries, sizes, strict=True)]
    assert_allclose(found[:, 0] - found[:, 1], expected, rtol=1e-9, atol=1e-9)
