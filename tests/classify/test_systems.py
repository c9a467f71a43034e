"""Systems on tables as they come."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.naive_bayes import CategoricalNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer

from cutwise import (
    DiscretizedClassifier,
    EMDDiscretizer,
    MDLPDiscretizer,
    MRmDDiscretizer,
    MRmDRNBClassifier,
    NaiveBayesClassifier,
    RNBClassifier,
    TableError,
)
from tests.classify.tables import FRAMES, GROUP, NAMES, ROWS, YES

EXPECTED = MRmDRNBClassifier().fit(FRAMES["pandas"](), GROUP)
STRANGE_ROWS = [
    [None, None, None, None],
    [float("nan"), float("inf"), "purple", None],
    [-np.inf, 1e308, "", True],
    [0.0, -0.0, "blue", False],
]


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
def test_it_is_the_pipeline_of_its_parts(load):
    X, y = load(return_X_y=True)
    model = MRmDRNBClassifier().fit(X, y)
    discretizer = MRmDDiscretizer().fit(X, y)
    parts = make_pipeline(discretizer, RNBClassifier(n_bins=discretizer.n_bins_)).fit(X, y)
    assert model.scheme_.to_json() == discretizer.scheme_.to_json()
    assert np.array_equal(model.predict_proba(X), parts.predict_proba(X))
    assert np.array_equal(model.predict_log_proba(X), parts.predict_log_proba(X))
    assert np.array_equal(model.predict(X), parts.predict(X))
    assert model.score(X, y) > 0.95
    generic = DiscretizedClassifier(MRmDDiscretizer(), RNBClassifier()).fit(X, y)
    assert np.array_equal(model.predict_proba(X), generic.predict_proba(X))


def test_cuts_are_confirmed_and_the_choice_is_remembered():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 3)), rng.integers(0, 2, 200)
    X[:, 0] += 2 * y
    model = MRmDRNBClassifier(confirm=0.01).fit(X, y)
    assert model.scheme_ == MRmDDiscretizer(confirm=0.01).fit(X, y).scheme_
    assert [bool(attribute.cuts) for attribute in model.scheme_.attributes] == [True, False, False]
    assert MRmDRNBClassifier.from_json(model.to_json()).confirm == 0.01
    with pytest.raises(ValueError, match="'confirm' parameter"):
        MRmDRNBClassifier(confirm=0).fit(X, y)


@pytest.mark.parametrize("name", FRAMES)
def test_containers(name):
    X = FRAMES[name]()
    target = pl.Series(GROUP.tolist()) if name == "polars" else pd.Series(GROUP) if "pandas" in name else GROUP
    model = MRmDRNBClassifier().fit(X, target)
    assert np.array_equal(model.predict_proba(X), EXPECTED.predict_proba(FRAMES["pandas"]()))
    assert model.predict(X).tolist() == EXPECTED.predict(FRAMES["pandas"]()).tolist()
    assert model.classes_.tolist() == ["other", "red door", "tall"]
    named = name not in ("object", "list")
    assert hasattr(model, "feature_names_in_") == named
    assert model.n_features_in_ == 4


@pytest.mark.parametrize("missing", ["code", "bin"])
@pytest.mark.parametrize("name", FRAMES)
def test_missing_and_unseen_values_are_never_an_error(name, missing):
    model = MRmDRNBClassifier(missing=missing).fit(FRAMES[name](), YES)
    proba = model.predict_proba(FRAMES[name](STRANGE_ROWS))
    assert np.isfinite(proba).all()
    assert np.allclose(proba.sum(axis=1), 1.0)
    if missing == "code":
        prior = np.exp(model.classifier_.tables_.log_prior)
        assert np.allclose(proba[0], prior / prior.sum())


def test_columns_without_any_value():
    X = pd.DataFrame({"a": [None] * 6, "b": pd.Series([None] * 6, dtype="string"), "c": [1.0, 1, 1, 2, 2, 2]})
    model = MRmDRNBClassifier().fit(X, [0, 0, 0, 1, 1, 1])
    assert model.predict(X).tolist() == [0, 0, 0, 1, 1, 1]
    assert model.predict(X.assign(b="new")).tolist() == [0, 0, 0, 1, 1, 1]


def test_a_single_class_is_predicted():
    model = MRmDRNBClassifier().fit([[1.0], [2.0]], ["a", "a"])
    assert model.predict([[5.0]]).tolist() == ["a"]
    assert model.predict_proba([[5.0]]).tolist() == [[1.0]]


def test_special_values_have_a_bin():
    X = np.array([[-999.0], [1.0], [2.0], [3.0], [4.0]] * 6)
    y = [1, 0, 0, 1, 1] * 6
    model = MRmDRNBClassifier(special_values={"x0": [-999]}).fit(X, y)
    assert model.explain([-999.0]).attributes[0].bin == "-999"
    assert model.predict([[-999.0]]).tolist() == [1]


def test_a_weight_of_two_is_the_row_twice():
    X = FRAMES["object"]()
    weights = np.arange(len(ROWS)) % 3
    repeated = np.repeat(np.arange(len(ROWS)), weights)
    for model in (MRmDRNBClassifier(), DiscretizedClassifier(MDLPDiscretizer(), NaiveBayesClassifier())):
        weighted = clone(model).fit(X, YES, sample_weight=weights)
        again = clone(model).fit(X[repeated], YES[repeated])
        assert weighted.scheme_.to_json() == again.scheme_.to_json()
        assert np.allclose(weighted.predict_proba(X), again.predict_proba(X), atol=1e-6)


def test_a_failed_fit_leaves_the_old_state():
    model = MRmDRNBClassifier().fit(FRAMES["pandas"](), GROUP)
    before = model.to_json()
    with pytest.raises(TableError):
        model.fit(pd.DataFrame({"height": [1.0, 2.0], "when": pd.to_datetime(["2020-01-01"] * 2)}), [0, 1])
    assert model.to_json() == before
    assert list(model.feature_names_in_) == NAMES


def test_a_second_fit_forgets_the_names():
    model = MRmDRNBClassifier().fit(FRAMES["pandas"](), GROUP).fit(FRAMES["object"](), GROUP)
    assert not hasattr(model, "feature_names_in_")


def test_parameters_of_the_steps_are_not_fitted():
    model = DiscretizedClassifier(MDLPDiscretizer(), NaiveBayesClassifier()).fit(FRAMES["object"](), YES)
    assert not hasattr(model.discretizer, "scheme_")
    assert not hasattr(model.classifier, "classes_")
    assert model.classifier.n_bins is None


def test_global_output_settings_do_not_matter():
    with config_context(transform_output="pandas"):
        model = MRmDRNBClassifier().fit(FRAMES["pandas"](), GROUP)
        assert np.array_equal(model.predict_proba(FRAMES["pandas"]()), EXPECTED.predict_proba(FRAMES["pandas"]()))


def test_other_estimators():
    X, y = load_iris(return_X_y=True)
    model = DiscretizedClassifier(MDLPDiscretizer(), CategoricalNB()).fit(X, y)
    assert model.score(X, y) > 0.9
    with pytest.raises(TypeError, match="CategoricalNB does not say what each attribute adds"):
        model.explain(X[0])
    with pytest.raises(TypeError, match="must be a discretizer of this library, not KBinsDiscretizer"):
        DiscretizedClassifier(KBinsDiscretizer()).fit(X, y)


def test_a_joint_discretizer():
    X, y = load_iris(return_X_y=True)
    search = EMDDiscretizer(population=6, max_evaluations=60, random_state=0)
    model = DiscretizedClassifier(search, NaiveBayesClassifier()).fit(X, y)
    assert model.score(X, y) > 0.8


def test_the_order_of_rows_does_not_matter():
    X = FRAMES["object"]()
    order = np.random.default_rng(0).permutation(len(X))
    turned = MRmDRNBClassifier().fit(X[order], GROUP[order])
    straight = MRmDRNBClassifier().fit(X, GROUP)
    assert np.allclose(turned.predict_proba(X), straight.predict_proba(X), atol=1e-7)
