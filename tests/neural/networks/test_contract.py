"""scikit-learn's contract (promise 1), and its callbacks."""

from __future__ import annotations

import pytest
from sklearn.base import clone
from sklearn.callback import ProgressBar
from sklearn.datasets import load_iris
from sklearn.utils import estimator_checks
from sklearn.utils.estimator_checks import parametrize_with_checks

from tests.neural.networks.tables import BOTH, RESNET

MIXED_NAMES = "ignore:X (has|does not have valid) feature names:UserWarning"
NOT_YIELDED = ["check_param_validation", "check_dataframe_column_names_consistency"]
BY_ROW = {"check_sample_weight_equivalence_on_dense_data": "copies of a row may be dealt into different batches"}


@pytest.fixture(autouse=True)
def _leaves_no_trace():
    """Switch the check of the global state off: some of scikit-learn's checks draw from it."""


@pytest.mark.filterwarnings(MIXED_NAMES)
@parametrize_with_checks(BOTH, expected_failed_checks=lambda _estimator: BY_ROW)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.filterwarnings(MIXED_NAMES)
@pytest.mark.parametrize("name", NOT_YIELDED)
@pytest.mark.parametrize("estimator", BOTH, ids=["resnet", "ftt"])
def test_checks_that_are_not_yielded(estimator, name):
    getattr(estimator_checks, name)(type(estimator).__name__, clone(estimator))
