"""Tuning looks at the training rows only, and judges by rows that a candidate did not learn from."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cutwise import RVFLClassifier
from cutwise.classify.networks import tuning
from cutwise.classify.networks.columns import choose_seed, read_training_cells
from cutwise.classify.networks.tuning import accuracy_by_layers, best_of, first_hidden, make_folds
from cutwise.validation import deal_rows


def noisy_rows(n=60, seed=0):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, 3)) * [1, 10, 100]
    return X, (X[:, 0] * X[:, 1] + random.normal(size=n) > 0).astype(int)


def test_sizes_to_try_first():
    assert first_hidden(1229) == [256, 512, 1024]
    assert first_hidden(1228) == [255, 511, 1023]
    assert first_hidden(120) == [25, 50, 100]
    assert first_hidden(3) == [1, 2]


def test_judged_as_by_an_outer_loop():
    """A candidate's accuracy is that of the classifier in a plain cross-validation."""
    X, y = noisy_rows()
    weights = np.random.default_rng(1).uniform(0.5, 2, len(y))
    model = RVFLClassifier(n_hidden=12, c=2.0, weighting="errors", prune=0.2, random_state=5)
    seed = choose_seed(model.random_state)
    folds = make_folds(read_training_cells(X, ["a", "b", "c"]), y, weights, 2, seed)
    found = accuracy_by_layers(model._settings(), folds, seed)
    fold = deal_rows(y, 4, np.random.RandomState(seed))
    for n_layers in range(1, 5):
        model.set_params(n_layers=n_layers)
        right = 0.0
        for number in range(4):
            learn, judge = fold != number, fold == number
            predicted = model.fit(X[learn], y[learn], weights[learn]).predict(X[judge])
            right += weights[judge] @ (predicted == y[judge])
        np.testing.assert_allclose(found[n_layers - 1], right / weights.sum())


@pytest.mark.parametrize("weighting", [None, "confidence"])
def test_the_whole_grid(weighting):
    X, y = noisy_rows()
    model = RVFLClassifier(tune=True, weighting=weighting, random_state=2).fit(X, y)
    best = model.best_params_
    assert 2 <= best["n_layers"] <= 10
    assert len(model.layers_) == best["n_layers"]
    assert model.layers_[0].offsets.size == best["n_hidden"]
    seed = choose_seed(model.random_state)
    folds = make_folds(read_training_cells(X, ["a", "b", "c"]), y, np.ones(len(y)), 2, seed)
    chosen = replace(model._settings(), **best)
    np.testing.assert_allclose(accuracy_by_layers(chosen, folds, seed)[-1], model.best_score_)
    plain = RVFLClassifier(**best, weighting=weighting, random_state=2).fit(X, y)
    assert np.array_equal(plain.predict_proba(X), model.predict_proba(X))
    assert plain.best_score_ is None


def test_of_equal_candidates_the_first_with_the_fewest_layers_wins(monkeypatch):
    settings = RVFLClassifier(n_layers=4)._settings()
    monkeypatch.setattr(tuning, "accuracy_by_layers", lambda *_: np.array([0.9, 0.5, 0.7, 0.7 + 1e-12]))
    best, score = best_of([settings, replace(settings, c=9.0)], [], 0, fewest_layers=2)
    assert (best.n_layers, best.c, score) == (3, settings.c, 0.7)


@pytest.mark.parametrize(("X", "y"), [([[1.0]], [0]), ([[1.0], [2.0]], [0, 0])])
def test_nothing_to_choose_by(X, y):
    model = RVFLClassifier(n_layers=3, n_hidden=7, tune=True, random_state=0).fit(X, y)
    assert model.best_params_ == {"n_layers": 3, "n_hidden": 7, "c": 0.03125, "activation": "selu"}
    assert model.best_score_ is None


@pytest.mark.parametrize("y", [[0, 1], [0, 1, 1], [0, 1, 2, 0, 1]])
def test_a_handful_of_rows(y):
    model = RVFLClassifier(tune=True, random_state=0).fit(np.arange(len(y), dtype=float)[:, None], y)
    assert 0.0 <= model.best_score_ <= 1.0
