"""What each attribute adds: the prior and the contributions are the score."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import softmax

from cutwise.classify.bayes import (
    CAWNBClassifier,
    NaiveBayesClassifier,
    PreconditionedLogisticClassifier,
    RNBClassifier,
    WANBIAClassifier,
)
from cutwise.classify.bayes.contributions import AdditivePart, _log_odds
from tests.classify.bayes.fixture import QUERIES, X, Y

ADDITIVE = [NaiveBayesClassifier, WANBIAClassifier, CAWNBClassifier, PreconditionedLogisticClassifier]
SHARES = st.sampled_from([0.0, 1e-300, 1e-12, 0.3, 0.5, 1.0 - 2**-53, 1.0]) | st.floats(0.0, 1.0)


@st.composite
def samples(draw):
    """Codes, classes, and codes to predict, some of them missing or never seen."""
    n_classes, n_attributes = draw(st.integers(2, 4)), draw(st.integers(1, 4))
    n_rows = draw(st.integers(n_classes, 20))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    labels = np.concatenate([np.arange(n_classes), rng.integers(0, n_classes, n_rows - n_classes)])
    codes = rng.integers(-1, 4, (n_rows, n_attributes))
    return codes, labels, rng.integers(-1, 6, (5, n_attributes))


@st.composite
def mixtures(draw):
    """A fitted RNB with other weights than those learned, and codes to predict."""
    codes, labels, queries = draw(samples())
    model = RNBClassifier(max_iter=1, alpha=draw(st.sampled_from([1e-3, 1.0]))).fit(codes, labels)
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    model.attribute_weights_ = rng.uniform(size=model.attribute_weights_.shape)
    model.class_weights_ = rng.uniform(size=model.class_weights_.shape)
    if draw(st.booleans()):  # the same weights twice, and nearly so
        model.class_weights_[:] = model.attribute_weights_
        model.class_weights_ *= draw(st.sampled_from([1.0, 1.0 - 1e-9, 1.0 - 1e-15]))
    model.mixing_ = draw(SHARES)
    return model, queries


def check_sums(model, queries):
    log_proba = model.predict_log_proba(queries)
    places = range(model.classes_.size)
    for first in places:
        for second in places:
            if first == second:
                continue
            prior, terms = model.log_odds(queries, first, second)
            assert terms.shape == queries.shape
            score = log_proba[:, first] - log_proba[:, second]
            assert np.allclose(prior + terms.sum(axis=1), score, rtol=0, atol=1e-9)
    contributions = model.contributions(queries)
    assert contributions.shape == (len(queries), model.classes_.size, queries.shape[1])
    prior = model.tables_.log_prior * getattr(model, "prior_weights_", 1.0)
    sums = prior + contributions.sum(axis=2)
    assert np.allclose(softmax(sums, axis=1), np.exp(log_proba), rtol=0, atol=1e-9)
    unknown = (queries < 0) | (queries >= model.n_bins_)
    assert not contributions.transpose(0, 2, 1)[unknown].any()


@pytest.mark.parametrize("kind", ADDITIVE)
@given(sample=samples())
def test_additive_models(kind, sample):
    codes, labels, queries = sample
    model = kind().fit(codes, labels)
    check_sums(model, queries)
    terms = model.log_odds(queries, 1, 0).terms
    differences = model.contributions(queries)[:, 1] - model.contributions(queries)[:, 0]
    assert np.allclose(terms, differences, rtol=0, atol=1e-12)


@given(samples())
def test_a_learned_mixture(sample):
    codes, labels, queries = sample
    check_sums(RNBClassifier().fit(codes, labels), queries)


@given(mixtures())
def test_any_mixture(drawn):
    check_sums(*drawn)


@given(mixtures())
def test_what_a_mixture_takes_from_its_parts(drawn):
    model, queries = drawn
    mixed = model.log_odds(queries, 0, 1)
    model.mixing_ = 0.0
    by_attribute = model.log_odds(queries, 0, 1)
    model.mixing_ = 1.0
    by_class = model.log_odds(queries, 0, 1)
    # The prior is that of the classes, and every attribute adds something between the two.
    assert np.allclose(mixed.prior, model.tables_.log_prior[0] - model.tables_.log_prior[1], rtol=0, atol=1e-12)
    low = np.minimum(by_attribute.terms, by_class.terms) - 1e-12
    high = np.maximum(by_attribute.terms, by_class.terms) + 1e-12
    assert ((low <= mixed.terms) & (mixed.terms <= high)).all()


@given(mixtures())
def test_swapping_the_classes_turns_the_signs(drawn):
    model, queries = drawn
    there, back = model.log_odds(queries, 0, 1), model.log_odds(queries, 1, 0)
    assert np.allclose(there.terms, -back.terms, rtol=0, atol=1e-7)
    assert np.allclose(there.prior, -back.prior, rtol=0, atol=1e-12)


def test_two_parts_by_hand():
    """One attribute, the parts say 3:1 and 1:3, half and half: even odds, so nothing is added."""
    log = np.log([[0.75, 0.25]])
    prior = np.zeros(2)
    parts = (AdditivePart(prior, log, share=0.5), AdditivePart(prior, log[:, ::-1].copy(), share=0.5))
    odds = _log_odds(parts, np.array([[0]]), 0, 1)
    assert odds.prior.tolist() == [0.0]
    assert abs(odds.terms[0, 0]) < 1e-15


def test_an_attribute_that_says_nothing_adds_nothing():
    codes = np.column_stack([X, np.zeros(len(X), dtype=int)])
    model = RNBClassifier().fit(codes, Y)
    assert np.abs(model.log_odds(codes, 0, 2).terms[:, 3]).max() < 1e-15


def test_a_hundred_attributes_of_great_weight():
    codes = np.tile(np.arange(2)[:, None], (20, 300))
    model = RNBClassifier(max_iter=1).fit(codes, [0, 1] * 20)
    model.mixing_ = 0.4
    model.class_weights_[0] = 0.1
    check_sums(model, codes[:2])


def test_weights_have_names():
    model = RNBClassifier().fit(X, Y)
    weights = model.weights_of(QUERIES, (0, 2))
    assert list(weights) == ["u", "v (0)", "v (2)"]
    assert weights["u"][0].tolist() == model.attribute_weights_.tolist()
    assert weights["v (2)"][0].tolist() == model.class_weights_[2].tolist()
    assert np.isnan(model.weights_of([[-1, 0, 9]], (0,))["u"]).tolist() == [[True, False, True]]
    assert NaiveBayesClassifier().fit(X, Y).weights_of(QUERIES, (0, 1)) == {}
    assert list(WANBIAClassifier().fit(X, Y).weights_of(QUERIES, (0, 1))) == ["weight"]
    logistic = PreconditionedLogisticClassifier().fit(X, Y)
    cell = logistic.weights_of(QUERIES, (1,))["weight (1)"]
    assert cell[0, 0] == logistic.cell_weights_[2, 1]


def test_a_model_that_is_no_sum_says_so():
    class Other(NaiveBayesClassifier):
        _parts = NaiveBayesClassifier.__mro__[1]._parts

    with pytest.raises(TypeError, match="Other has no score that is a sum over attributes"):
        Other().fit(X, Y).contributions(X)
