"""scikit-learn's contract (promise 1)."""

from __future__ import annotations

import pytest
from sklearn.base import clone
from sklearn.utils import estimator_checks
from sklearn.utils.estimator_checks import parametrize_with_checks

from cutwise import RVFLClassifier
from cutwise.classify.networks import tuning

MIXED_NAMES = "ignore:X (has|does not have valid) feature names:UserWarning"
ESTIMATORS = [
    RVFLClassifier(),
    RVFLClassifier(n_layers=2, n_hidden=5, weighting=None, prune=0.0, activation="sigmoid"),
    # SAMME with a strong penalty may end below the training accuracy that the checks ask for.
    RVFLClassifier(n_layers=3, n_hidden=30, weighting="samme", prune=0.5, activation="selu", renormalise=False, c=1.0),
    RVFLClassifier(n_layers=3, n_hidden=30, weighting="errors", c=100.0),
    RVFLClassifier(n_layers=3, n_hidden=30, weighting="margin", c=0.01),
    RVFLClassifier(tune=True),
]
NOT_YIELDED = ["check_param_validation", "check_dataframe_column_names_consistency"]


@pytest.fixture(autouse=True)
def _leaves_no_trace():
    """Switch the check of the global state off: some of scikit-learn's checks draw from it."""


@pytest.fixture
def small_grid(monkeypatch):
    """A few candidates only, so that tuning takes no time."""
    monkeypatch.setattr(tuning, "FIRST_HIDDEN", (10, 20))
    monkeypatch.setattr(tuning, "FIRST_C", (0.5, 8.0))
    monkeypatch.setattr(tuning, "HIDDEN_FACTORS", (1.0, 1.2))
    monkeypatch.setattr(tuning, "C_FACTORS", (0.5, 1.0))
    monkeypatch.setattr(tuning, "MAX_LAYERS", 3)


def dealt_by_row(estimator):
    """Weights equal repeated rows only where no row is dealt into a fold."""
    if not estimator.tune:
        return {}
    return {"check_sample_weight_equivalence_on_dense_data": "copies of a row may be dealt into different folds"}


@pytest.mark.filterwarnings(MIXED_NAMES)
@pytest.mark.usefixtures("small_grid")
@parametrize_with_checks(ESTIMATORS, expected_failed_checks=dealt_by_row)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.filterwarnings(MIXED_NAMES)
@pytest.mark.usefixtures("small_grid")
@pytest.mark.parametrize("name", NOT_YIELDED)
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
def test_checks_that_are_not_yielded(estimator, name):
    getattr(estimator_checks, name)(type(estimator).__name__, clone(estimator))
