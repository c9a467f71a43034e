"""MLflow logs and loads the estimators; `make test-mlflow` gets it."""

from __future__ import annotations

import os
import random

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.pipeline import make_pipeline

from cutwise import (
    AdditiveClassifier,
    DiscretizedClassifier,
    MDLPDiscretizer,
    MRmDDiscretizer,
    MRmDRNBClassifier,
    NaiveBayesClassifier,
    ScorecardClassifier,
)
from cutwise.persist import trusted_types

pytestmark = pytest.mark.filterwarnings("ignore")
X, Y = load_breast_cancer(return_X_y=True, as_frame=True)
X = X.iloc[:, :5]
MODELS = [
    MRmDRNBClassifier(),
    AdditiveClassifier(5),
    ScorecardClassifier(MDLPDiscretizer()),
    DiscretizedClassifier(MDLPDiscretizer(), NaiveBayesClassifier()),
    make_pipeline(MRmDDiscretizer(), NaiveBayesClassifier()),
]
# Otherwise MLflow finds them out by running the model in another process.
REQUIREMENTS = {"pip_requirements": ["cutwise"]}


@pytest.fixture
def mlflow(tmp_path, monkeypatch):
    found = pytest.importorskip("mlflow", reason="mlflow is not installed; make test-mlflow gets it")
    pytest.importorskip("mlflow.sklearn", reason="mlflow.sklearn needs more than is installed")
    monkeypatch.chdir(tmp_path)
    # MLflow draws the names of runs from Python's own generator, and leaves variables behind.
    state, variables = random.getstate(), set(os.environ)
    yield found
    random.setstate(state)
    monkeypatch.undo()
    for name in set(os.environ) - variables - {"PYTEST_CURRENT_TEST"}:
        del os.environ[name]


@pytest.mark.parametrize("kind", ["skops", "pickle", "cloudpickle"])
@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_saved_models_are_loaded(mlflow, tmp_path, model, kind):
    model.fit(X, Y)
    types = {"skops_trusted_types": trusted_types()} if kind == "skops" else {}
    path = str(tmp_path / "model")
    mlflow.sklearn.save_model(model, path, serialization_format=kind, **types, **REQUIREMENTS)
    assert np.array_equal(mlflow.sklearn.load_model(path).predict_proba(X), model.predict_proba(X))
    assert np.array_equal(mlflow.pyfunc.load_model(path).predict(X), model.predict(X))


def test_runs(mlflow, tmp_path, monkeypatch):
    """A model that is logged to a run with what it takes and gives."""
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    mlflow.set_tracking_uri(f"file://{tmp_path}/runs")
    model = MODELS[0].fit(X, Y)
    signature = mlflow.models.infer_signature(X, model.predict(X))
    with mlflow.start_run():
        mlflow.log_params({key: str(value) for key, value in model.get_params().items()})
        options = {"serialization_format": "skops", "skops_trusted_types": trusted_types(), **REQUIREMENTS}
        logged = mlflow.sklearn.log_model(model, name="model", signature=signature, **options)
    loaded = mlflow.sklearn.load_model(logged.model_uri)
    assert np.array_equal(loaded.predict_proba(X), model.predict_proba(X))
    assert loaded.scheme_ == model.scheme_


def test_a_discretizer_gives_codes(mlflow, tmp_path):
    discretizer = MRmDDiscretizer().set_output(transform="pandas").fit(X, Y)
    path = str(tmp_path / "model")
    types = {"skops_trusted_types": trusted_types()}
    mlflow.sklearn.save_model(discretizer, path, serialization_format="skops", **types, **REQUIREMENTS)
    pd.testing.assert_frame_equal(mlflow.sklearn.load_model(path).transform(X), discretizer.transform(X))
