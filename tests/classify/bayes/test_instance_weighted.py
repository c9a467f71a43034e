"""AIWNB: the vectors of the definitions, the plain formula, and what must not matter."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from cutwise import AIWNBClassifier
from cutwise.classify.bayes import instance_weighted
from cutwise.classify.bayes.instance_weighted import information_of_sample, weights_of_attributes
from cutwise.classify.bayes.sample import CodedRows
from tests.classify.bayes import reference_pairs as reference
from tests.classify.bayes.coded_tables import coded_tables, plain_rows, queries_for
from tests.classify.bayes.fixture import QUERIES, X, Y, random_codes

SETTINGS = [
    {"mode": mode, "smoothing": smoothing, **memory}
    for mode, memory in (("eager", {}), ("lazy", {}), ("lazy", {"max_memory": 0}))
    for smoothing in ("m", "laplace")
]


def sample_of(codes, labels):
    codes = np.asarray(codes, dtype=np.int32)
    return CodedRows(codes, np.asarray(labels), None, np.unique(labels), codes.max(axis=0).astype(np.int64) + 1)


def test_attribute_weights():
    relevance, redundancy = information_of_sample(sample_of(X, Y))
    assert_allclose(relevance, [1.0441104177, 0.0427760485, 0.1258145837], atol=1e-10)
    assert_allclose(
        weights_of_attributes(relevance, redundancy), [0.8281297957, 0.1987412978, 0.4555550093], atol=1e-10
    )


def test_eager_instance_weights():
    weights = instance_weighted.weights_by_frequency(sample_of(X, Y))
    expected = np.full(12, 3.1666666667)
    expected[[0, 2, 4, 6, 7]] = 2.8333333333
    assert_allclose(weights, expected, atol=1e-9)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, [0.0494910819, 0.415647562, 0.5348613561]),
        ({"smoothing": "laplace"}, [0.1036087243, 0.4004040562, 0.4959872195]),
        ({"mode": "lazy"}, [0.0531715778, 0.4019415, 0.5448869222]),
        ({"mode": "lazy", "max_memory": 0}, [0.0531715778, 0.4019415, 0.5448869222]),
    ],
)
def test_vectors(settings, expected):
    assert_allclose(AIWNBClassifier(**settings).fit(X, Y).predict_proba(QUERIES)[0], expected, atol=1e-9)


@pytest.mark.parametrize("settings", SETTINGS)
def test_nothing_told_is_no_division_by_zero(settings):
    """Constant attributes, and a single one, have finite weights; without cuts the prior decides."""
    constant = AIWNBClassifier(**settings).fit(np.zeros((6, 2), dtype=int), [0, 0, 1, 1, 1, 1])
    assert constant.attribute_weights_.tolist() == [0.5, 0.5]
    assert constant.predict([[0, 0]]).tolist() == [1]
    alone = AIWNBClassifier(**settings).fit(X[:, :1], Y)
    assert_allclose(alone.attribute_weights_, 1 / (1 + np.exp(-1)))
    assert np.isfinite(alone.predict_log_proba(QUERIES[:, :1])).all()


@pytest.mark.parametrize("settings", SETTINGS)
@given(coded=coded_tables(), data=st.data())
def test_plain_formula(settings, coded, data):
    queries = queries_for(data.draw, coded.n_bins)
    table, labels, weights = coded.plain
    model = AIWNBClassifier(**settings, n_bins=coded.n_bins).fit(coded.codes, coded.labels, coded.weights)
    factors = reference.attribute_weights(table, labels, weights)
    assert_allclose(model.attribute_weights_, factors, rtol=1e-11)
    found = model.predict_proba(queries)
    for row, query in zip(found, plain_rows(queries), strict=True):
        if settings["mode"] == "eager":
            of_row = reference.eager_weights(table, weights, coded.n_bins)
        else:
            of_row = reference.lazy_weights(table, query)
        in_all = [a * b for a, b in zip(of_row, weights, strict=True)]
        sizes = {"n_bins": coded.n_bins, "n_classes": coded.n_classes, "smoothing": settings["smoothing"]}
        expected = reference.weighted_bayes(table, labels, in_all, query, **sizes, factors=factors)
        assert_allclose(row, expected, rtol=1e-9, atol=1e-12)


def test_offset_counts_every_row():
    codes, labels = random_codes(1)
    near = AIWNBClassifier("lazy", offset=1e-6).fit(codes, labels).predict_proba(codes)
    far = AIWNBClassifier("lazy", offset=1e9).fit(codes, labels).predict_proba(codes)
    assert abs(near - far).max() > 0.05
    table, query = plain_rows(codes), plain_rows(codes[:1])[0]
    model = AIWNBClassifier("lazy", offset=2.5).fit(codes, labels)
    weights = reference.lazy_weights(table, query, 2.5)
    sizes = {"n_bins": model.n_bins_, "n_classes": 3, "smoothing": "m"}
    expected = reference.weighted_bayes(table, labels, weights, query, **sizes, factors=model.attribute_weights_)
    assert_allclose(model.predict_proba(codes[:1])[0], expected, rtol=1e-11)


def test_blocks_of_queries(monkeypatch):
    codes, labels = random_codes(2)
    model = AIWNBClassifier("lazy", max_memory=0).fit(codes, labels)
    whole = model.predict_log_proba(codes)
    monkeypatch.setattr(instance_weighted, "BLOCK_BYTES", 2000)
    assert np.array_equal(model.predict_log_proba(codes), whole)


def test_pairs_and_rows_agree_with_fractional_weights():
    codes, labels = random_codes(3, n_rows=300, n_bins=(5, 4, 3, 6, 7, 2))
    weights = np.random.default_rng(0).random(300)
    models = [AIWNBClassifier("lazy", max_memory=size).fit(codes, labels, weights) for size in (0, 2**20)]
    assert models[0].pair_counts_.pairs is None
    assert models[1].pair_counts_.rows is None
    assert_allclose(models[0].predict_log_proba(codes), models[1].predict_log_proba(codes), rtol=1e-11)
