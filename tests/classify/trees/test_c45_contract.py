"""scikit-learn's contract, with an empty list of expected failures."""

from __future__ import annotations

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from cutwise import C45Classifier

ESTIMATORS = [
    C45Classifier(),
    C45Classifier(0.1, min_leaf=1, collapse=False, raise_subtrees=False, mdl_correction=False),
    C45Classifier(prune=False, nominal="all"),
]
MIXED_NAMES = "ignore:X (has|does not have valid) feature names:UserWarning"


@pytest.fixture(autouse=True)
def _leaves_no_trace():
    """Switch the check of the global state off: one of scikit-learn's checks draws from it."""


@pytest.mark.filterwarnings(MIXED_NAMES)
@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
