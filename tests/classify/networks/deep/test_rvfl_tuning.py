"""The benchmark's tuning of RVFL on a device against the library's own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_iris

from cutwise import RVFLClassifier
from cutwise.classify.networks import tuning

BENCHMARKS = Path(__file__).parents[4] / "benchmarks"


@pytest.fixture
def rvfl_tuning(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return pytest.importorskip("rvfl_tuning", reason="the benchmarks are not beside the tests")


@pytest.mark.parametrize("weighting", ["confidence", None])
def test_same_accuracies_and_same_choice(rvfl_tuning, monkeypatch, weighting):
    monkeypatch.setattr(tuning, "FIRST_C", (0.01, 100.0))
    monkeypatch.setattr(tuning, "HIDDEN_FACTORS", (0.8, 1.0))
    monkeypatch.setattr(tuning, "MAX_LAYERS", 3)
    monkeypatch.setattr(rvfl_tuning, "AT_ONCE", 5_000)
    X, y = load_iris(return_X_y=True)
    model = RVFLClassifier(tune=True, weighting=weighting, random_state=0)
    seen = []

    def both(candidates, folds, seed, **named):
        expected = [tuning.accuracy_by_layers(candidate, folds, seed) for candidate in candidates]
        np.testing.assert_allclose(rvfl_tuning.accuracies(candidates, folds, seed, "cpu"), expected, atol=1e-12)
        seen.append(len(candidates))
        return usual(candidates, folds, seed, **named)

    usual = tuning.best_of
    monkeypatch.setattr(tuning, "best_of", both)
    numpy_choice = model.fit(X, y).best_params_
    assert len(seen) == 2
    monkeypatch.setattr(tuning, "best_of", usual)
    with rvfl_tuning.tune_on("cpu"):
        assert model.fit(X, y).best_params_ == numpy_choice
    assert tuning.best_of is usual
