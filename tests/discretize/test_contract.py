"""scikit-learn's contract (promise 1), with an empty list of expected failures."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import CategoricalNB
from sklearn.pipeline import make_pipeline
from sklearn.utils import estimator_checks
from sklearn.utils.estimator_checks import parametrize_with_checks

from cutwise import (
    AmevaDiscretizer,
    CACCDiscretizer,
    CADDDiscretizer,
    Chi2Discretizer,
    ChiMergeDiscretizer,
    EMDDiscretizer,
    EqualFrequencyDiscretizer,
    ExtendedChi2Discretizer,
    FixedCutsDiscretizer,
    FixedFrequencyDiscretizer,
    JointDiscretizer,
    MaxRelevanceDiscretizer,
    MDmDDiscretizer,
    MODLDiscretizer,
    MRmDDiscretizer,
)
from cutwise.registry import DISCRETIZERS
from tests.methods import instances
from tests.versions import SKLEARN, needs_callbacks, needs_sparse_arrays

# encode="label" is left out: scikit-learn's checks subtract outputs from each other.
ESTIMATORS = [
    *instances(DISCRETIZERS, FixedSchemeDiscretizer=[]),
    MRmDDiscretizer(10, validation="crossfit", n_splits=3, encode="onehot", n_jobs=2),
    MRmDDiscretizer(validation="holdout", encode="onehot-dense", place="readable"),
    MRmDDiscretizer(search="exact", max_candidates=20, missing="bin", place="value"),
    MRmDDiscretizer(min_bin_size=0.1, max_bins=4, special_values=[-999]),
    CACCDiscretizer(log_offset=1, min_bin_size=5, encode="onehot-dense"),
    AmevaDiscretizer(all_classes=True, missing="bin"),
    EqualFrequencyDiscretizer(4, encode="onehot"),
    FixedFrequencyDiscretizer(5, n_jobs=2),
    FixedCutsDiscretizer([-0.5, 0.0, 1], encode="onehot", missing="bin", special_values=[-999]),
    ChiMergeDiscretizer(0.5, max_bins=4, min_bin_size=0.05, encode="onehot", n_jobs=2),
    Chi2Discretizer(0.0, max_bins=5, special_values=[-999], missing="bin"),
    ExtendedChi2Discretizer(min_bin_size=3),
    EMDDiscretizer(0.5, population=6, max_evaluations=60, max_bins=4, min_bin_size=3, n_jobs=2),
    MDmDDiscretizer(5, validation="crossfit", n_splits=3, grid_bins=4, max_attributes=2, n_jobs=2, max_bins=4),
    MDmDDiscretizer(validation="holdout", encode="onehot-dense", missing="bin"),
    JointDiscretizer(3, max_bins=3, special_values=[-999], n_jobs=2, encode="onehot"),
    JointDiscretizer(choice="min", grid_bins=6, n_folds=3, min_bin_size=0.1, missing="bin"),
    JointDiscretizer(prune_for="naive_bayes", n_folds=2, max_bins=4, missing="bin", special_values=[-999]),
    MODLDiscretizer(5, max_bins=4, encode="onehot", missing="bin"),
    CADDDiscretizer(0.2, min_bin_size=0.1, place="readable", n_jobs=2),
    MaxRelevanceDiscretizer("classes", encode="onehot-dense", missing="bin"),
]
NOT_YIELDED = [
    "check_set_output_transform",
    "check_set_output_transform_pandas",
    "check_global_output_transform_pandas",
    "check_set_output_transform_polars",
    "check_global_set_output_transform_polars",
    "check_transformer_get_feature_names_out",
    "check_transformer_get_feature_names_out_pandas",
    "check_get_feature_names_out_error",
    "check_param_validation",
    "check_dataframe_column_names_consistency",
]


@pytest.fixture(autouse=True)
def _leaves_no_trace():
    """Switch the check of the global state off: random_state=None draws from it by scikit-learn's convention."""


# The checks pass a table with names after one without, and the like, on purpose.
MIXED_NAMES = "ignore:X (has|does not have valid) feature names:UserWarning"


def not_for_random_splits(estimator):
    """Weights equal repeated rows only where no row is dealt into a part at random."""
    if getattr(estimator, "validation", "expected") == "expected":
        return {}
    return {"check_sample_weight_equivalence_on_dense_data": "copies of a row may be dealt into different parts"}


@pytest.mark.filterwarnings(MIXED_NAMES)
@parametrize_with_checks(ESTIMATORS, expected_failed_checks=not_for_random_splits)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.filterwarnings(MIXED_NAMES)
@pytest.mark.parametrize("name", NOT_YIELDED)
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
def test_checks_that_are_not_yielded(estimator, name):
    getattr(estimator_checks, name)(type(estimator).__name__, clone(estimator))


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True, as_frame=True)


def test_pipeline_and_grid_search(iris):
    X, y = iris
    model = make_pipeline(MRmDDiscretizer(encode="onehot"), LogisticRegression())
    search = GridSearchCV(model, {"mrmddiscretizer__n_d": [5.0, 50.0]}, cv=3).fit(X, y)
    assert search.best_score_ > 0.9
    bayes = make_pipeline(MRmDDiscretizer(), CategoricalNB(min_categories=30))
    assert cross_val_score(bayes, X, y, cv=5).mean() > 0.9


def test_column_transformer(iris):
    X, y = iris
    some = ColumnTransformer([("bins", MRmDDiscretizer(), X.columns[:2])], remainder="passthrough")
    out = some.set_output(transform="pandas").fit_transform(X, y)
    assert list(out.columns[:2]) == [f"bins__{name}" for name in X.columns[:2]]
    assert out.dtypes.iloc[0] == np.int32


def test_parts_are_routed(iris):
    X, y = iris
    parts = np.arange(len(y)) % 4
    alone = MRmDDiscretizer(validation="crossfit").fit(X, y, parts=parts)
    with config_context(enable_metadata_routing=True):
        step = MRmDDiscretizer(validation="crossfit").set_fit_request(parts=True)
        model = make_pipeline(step, CategoricalNB(min_categories=30)).fit(X, y, parts=parts)
    assert model[0].scheme_.to_json() == alone.scheme_.to_json()
    fitted = MRmDDiscretizer(validation="crossfit")
    fitted.fit_transform(X, y, parts=parts)
    assert fitted.scheme_.to_json() == alone.scheme_.to_json()


def test_parts_are_routed_through_a_grid_search(iris):
    X, y = iris
    with config_context(enable_metadata_routing=True):
        step = MRmDDiscretizer(validation="holdout").set_fit_request(parts=True)
        model = make_pipeline(step, CategoricalNB(min_categories=30))
        search = GridSearchCV(model, {"mrmddiscretizer__n_d": [5.0, 50.0]}, cv=3)
        search.fit(X, y, parts=np.arange(len(y)) % 4 == 0)
    assert search.best_score_ > 0.9


@pytest.mark.parametrize("container", ["pandas", "polars"])
def test_cross_validation_of_tables(iris, container):
    X, y = iris
    table = X if container == "pandas" else pl.from_pandas(X)
    model = make_pipeline(MRmDDiscretizer(), CategoricalNB(min_categories=30))
    assert cross_val_score(model, table, y, cv=3).mean() > 0.9


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
def test_clone_and_repr(estimator, iris):
    copy = clone(estimator)
    assert copy.get_params() == estimator.get_params()
    fitted = copy.fit(*iris)
    page = fitted._repr_html_()
    assert type(estimator).__name__ in page
    assert "n_bins_" in page or SKLEARN < (1, 9)  # older ones show no fitted attributes
    assert type(estimator).__name__ in repr(fitted)


class Recorder:
    """A callback that notes what it sees."""

    def __init__(self):
        self.seen = []

    def setup(self, estimator, context):
        self.seen.append("setup")

    def on_fit_task_begin(self, estimator, context):
        self.seen.append(("begin", context.task_name))

    def on_fit_task_end(self, estimator, context):
        self.seen.append(("end", context.task_name))

    def teardown(self, estimator, context):
        self.seen.append("teardown")


@needs_callbacks
@pytest.mark.parametrize("n_jobs", [None, 2])
def test_callbacks_see_every_column(iris, n_jobs):
    recorder = Recorder()
    MRmDDiscretizer(n_jobs=n_jobs).set_callbacks(recorder).fit(*iris)
    column = [("begin", "column"), ("end", "column")]
    assert recorder.seen == ["setup", ("begin", "fit"), *column * 4, ("end", "fit"), "teardown"]


@needs_callbacks
def test_callbacks_are_torn_down_after_a_failure(iris):
    recorder = Recorder()
    X, y = iris
    bad = X.assign(when=pd.Timestamp("2026-01-01"))
    estimator = MRmDDiscretizer().set_callbacks(recorder)
    with pytest.raises(ValueError, match="when"):
        estimator.fit(bad, y)
    assert recorder.seen[-1] == "teardown"
    assert not hasattr(estimator, "_callback_fit_ctx")


@needs_callbacks
def test_progress_bar(iris, capsys):
    from sklearn.callback import ProgressBar

    MRmDDiscretizer().set_callbacks(ProgressBar()).fit(*iris)


@needs_sparse_arrays
def test_sparse_interface_is_followed(iris):
    from scipy import sparse

    X, y = iris
    fitted = MRmDDiscretizer(encode="onehot").fit(X, y)
    with config_context(sparse_interface="sparray"):
        assert isinstance(fitted.transform(X), sparse.csr_array)
    with config_context(sparse_interface="spmatrix"):
        assert isinstance(fitted.transform(X), sparse.csr_matrix)
