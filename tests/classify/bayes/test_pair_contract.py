"""scikit-learn's contract for AIWNB and AODE (promise 1), with an empty list of expected failures."""

from __future__ import annotations

import pytest
from sklearn.base import clone
from sklearn.utils import estimator_checks
from sklearn.utils.estimator_checks import parametrize_with_checks

from cutwise import AIWNBClassifier, AODEClassifier

ESTIMATORS = [
    AIWNBClassifier(),
    AIWNBClassifier("lazy"),
    AIWNBClassifier("lazy", max_memory=0, smoothing="laplace"),
    AODEClassifier(),
    AODEClassifier(3, max_memory=0),
    AODEClassifier(smoothing="laplace"),
]
# The checks pass a table with names after one without, and the like, on purpose.
MIXED_NAMES = "ignore:X (has|does not have valid) feature names:UserWarning"


@pytest.fixture(autouse=True)
def _leaves_no_trace():
    """Switch the check of the global state off: some of scikit-learn's checks draw from it."""


@pytest.mark.filterwarnings(MIXED_NAMES)
@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.filterwarnings(MIXED_NAMES)
@pytest.mark.parametrize("name", ["check_param_validation", "check_dataframe_column_names_consistency"])
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
def test_checks_that_are_not_yielded(estimator, name):
    getattr(estimator_checks, name)(type(estimator).__name__, clone(estimator))
