"""Systems keep scikit-learn's contract (promise 1)."""

from __future__ import annotations

import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.utils import estimator_checks, get_tags
from sklearn.utils.estimator_checks import parametrize_with_checks

from cutwise import (
    CAWNBClassifier,
    CutwiseClassifier,
    DiscretizedClassifier,
    EqualFrequencyDiscretizer,
    MDLPDiscretizer,
    MRmDDiscretizer,
    MRmDRNBClassifier,
    PreconditionedLogisticClassifier,
    RNBClassifier,
    ScorecardClassifier,
    WANBIAClassifier,
)
from cutwise.classify.base import BaseSystem
from tests.classify.tables import FRAMES, GROUP
from tests.methods import instances
from tests.versions import SKLEARN

SYSTEMS = [
    *(model for model in instances(["tables"]) if isinstance(model, BaseSystem)),
    CutwiseClassifier(),
    MRmDRNBClassifier(10, missing="bin", smoothing="laplace", gradient="published", special_values=[-999], n_jobs=2),
    MRmDRNBClassifier(search="exact", min_bin_size=0.1, max_bins=4, place="readable"),
    MRmDRNBClassifier(validation="holdout", n_splits=4),
    DiscretizedClassifier(MDLPDiscretizer(), CAWNBClassifier()),
    DiscretizedClassifier(EqualFrequencyDiscretizer(4, encode="onehot"), PreconditionedLogisticClassifier()),
    DiscretizedClassifier(MRmDDiscretizer(missing="bin"), WANBIAClassifier(loss="cll")),
    ScorecardClassifier(MDLPDiscretizer(), selection="forward", min_iv=0.0, rounding=None),
    ScorecardClassifier(EqualFrequencyDiscretizer(4), model="additive", monotonic="auto", min_iv=0.0),
]
NOT_YIELDED = ["check_param_validation", "check_dataframe_column_names_consistency"]
MIXED_NAMES = "ignore:X (has|does not have valid) feature names:UserWarning"


@pytest.fixture(autouse=True)
def _leaves_no_trace():
    """Switch the check of the global state off: scikit-learn's checks draw from it."""


WEIGHTS = "check_sample_weight_equivalence_on_dense_data"


def not_for_random_splits(estimator):
    """Weights equal repeated rows only where no row is dealt into a part at random."""
    if SKLEARN < (1, 7) and not get_tags(estimator).classifier_tags.multi_class:
        return {WEIGHTS: "scikit-learn before 1.7 names the two classes by the first row, and shuffles the rows first"}
    if getattr(estimator, "validation", "expected") == "expected":
        return {}
    return {WEIGHTS: "copies of a row may be dealt into different parts"}


@pytest.mark.filterwarnings(MIXED_NAMES)
@parametrize_with_checks(SYSTEMS, expected_failed_checks=not_for_random_splits)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.filterwarnings(MIXED_NAMES)
@pytest.mark.parametrize("name", NOT_YIELDED)
@pytest.mark.parametrize("estimator", SYSTEMS, ids=repr)
def test_checks_that_are_not_yielded(estimator, name):
    getattr(estimator_checks, name)(type(estimator).__name__, clone(estimator))


@pytest.mark.parametrize("container", ["pandas", "polars"])
def test_cross_validation_of_tables(container):
    scores = cross_val_score(MRmDRNBClassifier(), FRAMES[container](), GROUP, cv=3)
    assert scores.mean() > 0.6


def test_grid_search_reaches_the_steps():
    model = DiscretizedClassifier(MRmDDiscretizer(), RNBClassifier())
    grid = {"discretizer__n_d": [5.0, 50.0], "classifier__smoothing": ["m", "laplace"]}
    search = GridSearchCV(model, grid, cv=2).fit(FRAMES["pandas"](), GROUP)
    assert set(search.best_params_) == set(grid)
    assert clone(search.best_estimator_).get_params()["discretizer__n_d"] in (5.0, 50.0)
