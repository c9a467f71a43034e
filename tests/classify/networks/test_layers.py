"""The layers against the vectors of the specification and against plain formulas."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutwise.classify.networks import layers as layers_module
from cutwise.classify.networks.layers import (
    SCHEMES,
    LayerRows,
    RVFLSettings,
    column_moments,
    ensemble_log_probabilities,
    layer_log_probabilities,
    next_weights,
    random_draw,
    ridge,
    selu,
    sigmoid,
    solve_by_columns,
    solve_by_rows,
    solve_without_squares,
    strongest,
    train_layers,
)

from .reference_rvfl import network, weighted_ridge

X = np.array(
    [
        [0, 0, 0], [0, 1, 0], [1, 0, 1], [1, 1, 1], [2, 0, 0], [2, 1, 1],
        [0, 0, 1], [1, 0, 0], [2, 1, 0], [2, 1, 1], [0, 1, 1], [1, 1, 0],
    ],
    dtype=float,
)  # fmt: skip
Y = np.array([0, 0, 1, 1, 2, 2, 0, 1, 2, 1, 0, 2])
STANDARD = (X - X.mean(axis=0)) / X.std(axis=0, ddof=1)
N_HIDDEN = 4
ONES = np.ones(len(Y))


def wave(place, n_inputs):
    """The weights of the specification, in place of random ones."""
    i, j = np.arange(n_inputs)[:, None], np.arange(N_HIDDEN)
    return np.sin(1.7 * (i + 1) + 0.9 * (j + 1) * (place + 1) + 0.3 * place), (np.cos(j + place) + 1) / 2


def settings(**changes):
    plain = {"n_layers": 2, "n_hidden": N_HIDDEN, "c": 1.0, "activation": "relu"}
    return RVFLSettings(**{**plain, "weighting": None, "prune": 0.0, "renormalise": True, **changes})


def learned(weights=ONES, **changes):
    return train_layers(LayerRows(STANDARD, Y, weights, 3), settings(**changes), wave)


def probabilities(layers, features=STANDARD):
    return np.exp(ensemble_log_probabilities(layers, features))


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, [0.4721158957, 0.2835303355, 0.2443537687]),
        ({"weighting": "confidence"}, [0.4694644445, 0.2872788849, 0.2432566706]),
        ({"weighting": "confidence", "prune": 0.25}, [0.4689241039, 0.294921591, 0.2361543051]),
    ],
)
def test_vectors(changes, expected):
    np.testing.assert_allclose(probabilities(learned(**changes))[0], expected, atol=1e-9)


def test_vector_of_norms():
    first = learned(prune=0.25)[0]
    norms = np.linalg.norm(first.outputs[3:-1], axis=1)
    np.testing.assert_allclose(norms, [0.1050835, 0.1588604, 0.3278053, 0.1404705], atol=1e-7)
    assert first.kept.tolist() == [1, 2, 3]
    assert first.outputs.shape == (3 + 4 + 1, 3)  # the layer's own classifier keeps all neurons


@pytest.mark.parametrize("confidence", [False, True])
@pytest.mark.parametrize("prune", [0.0, 0.25, 0.5])
def test_blackboard(confidence, prune):
    draws = [lambda n, place=place: wave(place, n) for place in range(5)]
    expected, norms = network(STANDARD, Y, 3, draws, 8.0, confidence=confidence, prune=prune)
    layers = learned(n_layers=5, c=8.0, weighting="confidence" if confidence else None, prune=prune)
    np.testing.assert_allclose(probabilities(layers), expected, atol=1e-10)
    for layer, norm in zip(layers, norms, strict=True):
        np.testing.assert_allclose(np.linalg.norm(layer.outputs[3:-1], axis=1), norm, atol=1e-10)


def test_fewer_layers_are_the_first_ones():
    many, few = learned(n_layers=4, weighting="samme"), learned(n_layers=2, weighting="samme")
    assert np.array_equal(layer_log_probabilities(many, STANDARD)[:2], layer_log_probabilities(few, STANDARD))


# Ridge


@given(st.integers(1, 12), st.integers(1, 12), st.sampled_from([0.01, 1.0, 64.0]), st.integers(0, 1000))
def test_both_systems_and_the_plain_formula_agree(n_rows, n_columns, c, seed):
    random = np.random.default_rng(seed)
    D, targets = random.normal(size=(n_rows, n_columns)), random.normal(size=(n_rows, 2))
    weights = random.uniform(0, 3, n_rows)
    roots = np.sqrt(weights)[:, None]
    expected = weighted_ridge(D, targets, weights, c)
    for solve in (solve_by_columns, solve_by_rows, solve_without_squares):
        np.testing.assert_allclose(solve(D * roots, targets * roots, c), expected, atol=1e-8)
    np.testing.assert_allclose(ridge(D, targets, weights, c), expected, atol=1e-8)


def test_ridge_against_an_independent_solver():
    from sklearn.linear_model import Ridge

    random = np.random.default_rng(0)
    for n_rows, n_columns in ((40, 7), (7, 40)):
        D, targets = random.normal(size=(n_rows, n_columns)), random.normal(size=(n_rows, 3))
        weights = random.uniform(0.1, 3, n_rows)
        model = Ridge(alpha=1 / 4, fit_intercept=False, solver="svd").fit(D, targets, sample_weight=weights)
        np.testing.assert_allclose(ridge(D, targets, weights, 4.0), model.coef_.T, atol=1e-10)


def test_ridge_without_a_penalty_worth_the_name():
    D = np.array([[1.0, 1.0, 1e8], [1.0, 1.0, 1e8], [1.0, 1.0, -1e8]])
    found = ridge(D, np.array([[1.0], [1.0], [0.0]]), np.ones(3), 1e300)
    np.testing.assert_allclose(D @ found, [[1.0], [1.0], [0.0]], atol=1e-6)


# Weights of rows

P = np.array([[0.7, 0.2, 0.1], [0.3, 0.5, 0.2], [0.2, 0.2, 0.6], [0.4, 0.4, 0.2]])
CODES = np.array([0, 0, 2, 1])


@pytest.mark.parametrize(
    ("scheme", "raw"),
    [
        ("confidence", [0.3, 0.7, 0.4, 0.6]),
        ("errors", [1, 2, 1, 1]),  # a draw is no error
        ("margin", np.exp([-0.5, 0.2, -0.4, 0.0])),
        ("samme", [1, 3 * 2, 1, 1]),  # error 1/4 of 3 classes: (1 - e) / e * (3 - 1)
    ],
)
def test_weighting_formulas(scheme, raw):
    found = next_weights(scheme, P, CODES, np.ones(4), np.ones(4))
    np.testing.assert_allclose(found, np.asarray(raw) / np.mean(raw))


def test_samme_goes_on_from_the_last_weights():
    before = np.array([0.5, 1.5, 1.0, 1.0])
    raw = before * [1, (1 - 0.375) / 0.375 * 2, 1, 1]
    np.testing.assert_allclose(next_weights("samme", P, CODES, before, np.ones(4)), raw / raw.mean())


@pytest.mark.parametrize("codes", [[0, 1, 2, 0], [2, 2, 1, 2]])
def test_samme_rests_without_errors_and_without_skill(codes):
    before = np.array([0.5, 1.5, 1.0, 1.0])
    np.testing.assert_allclose(next_weights("samme", P, np.array(codes), before, np.ones(4)), before)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_weights_count_rows_as_often_as_they_are_there(scheme):
    counts = np.array([2, 1, 3, 1])
    again = np.repeat(np.arange(4), counts)
    merged = next_weights(scheme, P, CODES, np.ones(4), counts.astype(float))
    apart = next_weights(scheme, P[again], CODES[again], np.ones(7), np.ones(7))
    np.testing.assert_allclose(merged[again], apart)
    np.testing.assert_allclose(np.average(merged, weights=counts), 1.0)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_weights_of_a_single_class(scheme):
    assert next_weights(scheme, np.ones((3, 1)), np.zeros(3, int), np.ones(3), np.ones(3)).tolist() == [1, 1, 1]


# Neurons


def test_dead_and_constant_neurons():
    columns = np.column_stack([np.zeros(5), np.full(5, 0.1), np.arange(5.0)])
    mean, std = column_moments(columns, np.ones(5))
    np.testing.assert_allclose(mean, [0, 0.1, 2])
    np.testing.assert_allclose(std, [1, 1, np.std(np.arange(5), ddof=1)])


def test_a_network_of_dead_neurons_is_a_ridge_on_the_features():
    def dead(place, n_inputs):
        return np.zeros((n_inputs, N_HIDDEN)), np.zeros(N_HIDDEN)

    layers = train_layers(LayerRows(STANDARD, Y, ONES, 3), settings(), dead)
    assert np.isfinite(probabilities(layers)).all()
    D = np.column_stack([STANDARD, np.ones(12)])
    expected = weighted_ridge(D, np.eye(3)[Y], ONES, 1.0)
    np.testing.assert_allclose(layers[0].outputs[[0, 1, 2, -1]], expected, atol=1e-12)
    assert not layers[0].outputs[3:-1].any()


def test_without_renormalisation_the_neurons_stay_as_they_are():
    layer = learned(renormalise=False)[0]
    W, b = wave(0, 3)
    np.testing.assert_allclose(layer.hidden(STANDARD), np.maximum(STANDARD @ W + b, 0))


def test_activations():
    x = np.array([-800.0, -1.0, 0.0, 2.0])
    np.testing.assert_allclose(selu(x), [-1.7580993408473766, -1.1113307378125625, 0, 2.101401974710961])
    np.testing.assert_allclose(sigmoid(x), [0, 1 / (1 + np.e), 0.5, 1 / (1 + np.exp(-2))])
    assert set(layers_module.ACTIVATIONS) == {"selu", "relu", "sigmoid"}


def test_pruning_drops_the_first_of_equals():
    assert strongest(np.array([[1.0], [1.0 + 1e-13], [1.0 - 1e-13], [2.0]]), 0.5).tolist() == [2, 3]
    assert strongest(np.zeros((3, 2)), 0.4).tolist() == [1, 2]
    assert strongest(np.ones((3, 2)), 0.0).tolist() == [0, 1, 2]
    assert strongest(np.ones((1, 2)), 0.99).tolist() == [0]


def test_random_numbers():
    W, b = random_draw(500, 1)(0, 3)
    assert W.shape == (3, 500)
    assert -1 <= W.min() < -0.98
    assert 0.98 < W.max() <= 1
    assert 0 <= b.min() < 0.02
    assert 0.98 < b.max() <= 1
    assert np.array_equal(W, random_draw(500, 1)(7, 3)[0])
