"""scikit-learn's contract (promise 1), and its callbacks."""

from __future__ import annotations

import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.utils import estimator_checks
from sklearn.utils.estimator_checks import parametrize_with_checks

from tests.classify.networks.deep.tables import BOTH, RESNET
from tests.versions import needs_callbacks

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


class Recorder:
    """A callback that notes what ended."""

    def __init__(self):
        self.ended = []

    def setup(self, estimator, context):
        pass

    def on_fit_task_begin(self, estimator, context):
        pass

    def on_fit_task_end(self, estimator, context):
        self.ended.append(context.task_name)

    def teardown(self, estimator, context):
        self.ended.append("teardown")


@needs_callbacks
def test_callbacks_see_every_epoch():
    recorder = Recorder()
    model = clone(RESNET).set_params(max_epochs=4)
    model.set_callbacks(recorder).fit(*load_iris(return_X_y=True))
    assert recorder.ended == ["epoch"] * 4 + ["fit", "teardown"]


@needs_callbacks
def test_progress_bar():
    from sklearn.callback import ProgressBar

    clone(RESNET).set_params(max_epochs=2).set_callbacks(ProgressBar()).fit(*load_iris(return_X_y=True))
