"""A fitted object is only read, by one thread or by many (promise 8)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import joblib
import numpy as np
import polars as pl
import pytest
from sklearn.base import clone

from cutwise import (
    C45Classifier,
    CutwiseClassifier,
    MRmDDiscretizer,
    NaiveBayesClassifier,
    RNBClassifier,
    RVFLClassifier,
    Scheme,
)
from cutwise.classify.base import BaseSystem
from cutwise.persist import model_from_json
from tests.classify.tables import FRAMES, GROUP
from tests.methods import EVERY
from tests.persist import examples

N_THREADS = 16
FRAME = FRAMES["pandas"]()
NUMBERS = FRAME[["height", "weight"]].to_numpy()


def discretizers():
    return [clone(method).fit(NUMBERS, GROUP) for method in EVERY]


def table_of(model):
    """Return a table that a model of the examples can predict."""
    if not isinstance(model, BaseSystem | C45Classifier | CutwiseClassifier | RVFLClassifier):
        return examples.GAPS
    return FRAME if hasattr(model, "feature_names_in_") else FRAMES["object"]()


def uses_of_discretizer(fitted):
    codes, scheme = fitted.transform(NUMBERS), fitted.scheme_
    yield codes.tobytes()
    yield repr(fitted.inverse_transform(codes).tolist())
    yield fitted.get_feature_names_out().tolist()
    yield scheme.to_json()
    yield scheme.to_sql()
    yield pl.DataFrame(NUMBERS, ["x0", "x1"]).select(scheme.to_polars()).rows()
    yield scheme.to_onnx().SerializeToString()
    yield str(scheme.evaluate(NUMBERS, GROUP))
    yield repr(fitted)


def uses_of_model(model):
    table = table_of(model)
    yield model.predict(table).tolist()
    yield model.predict_proba(table).tobytes()
    yield model.predict_log_proba(table).tobytes()
    yield model.to_json()
    yield repr(model)
    if isinstance(model, BaseSystem) and isinstance(model.classifier_, NaiveBayesClassifier | RNBClassifier):
        yield str(model.explain(table[:1]))
        yield model.to_sql()
        yield model.to_onnx().SerializeToString()


def uses_of(fitted):
    return list(uses_of_discretizer(fitted) if hasattr(fitted, "transform") else uses_of_model(fitted))


EVERY_OBJECT = [*discretizers(), *examples.EVERY]
every_object = pytest.mark.parametrize("fitted", EVERY_OBJECT, ids=lambda fitted: " ".join(repr(fitted).split()))


def frozen(fitted):
    """Return the same object, of a class that refuses to be written to."""

    def refuse(self, name, *value):
        raise AttributeError(name)

    kind = type(type(fitted).__name__, (type(fitted),), {"__setattr__": refuse, "__delattr__": refuse})
    other = object.__new__(kind)
    other.__dict__.update(vars(fitted))
    return other


@every_object
def test_a_fitted_object_is_only_read(fitted):
    before, other = joblib.hash(vars(fitted)), frozen(fitted)
    with pytest.raises(AttributeError):
        other.more = 1
    assert uses_of(other) == uses_of(fitted)
    assert joblib.hash(vars(fitted)) == before
    assert joblib.hash(vars(other)) == before


@every_object
def test_many_threads_read_one_object(fitted):
    expected, barrier = uses_of(fitted), Barrier(N_THREADS)

    def use(_):
        barrier.wait()
        return uses_of(fitted)

    with ThreadPoolExecutor(N_THREADS) as threads:
        assert all(found == expected for found in threads.map(use, range(N_THREADS)))


def test_many_threads_fit_and_read_objects_of_their_own():
    def use(seed):
        random = np.random.default_rng(seed % 4)
        X = random.normal(size=(60, 2)).round(1)
        scheme = MRmDDiscretizer().fit(X, X[:, 0] > random.normal(size=60)).scheme_
        return Scheme.from_json(scheme.to_json()).to_json()

    with ThreadPoolExecutor(N_THREADS) as threads:
        found = list(threads.map(use, range(64)))
    assert found == [use(seed) for seed in range(4)] * 16


def test_many_threads_read_files_at_once():
    texts = [model.to_json() for model in examples.EVERY] * 3
    with ThreadPoolExecutor(N_THREADS) as threads:
        assert list(threads.map(lambda text: model_from_json(text).to_json(), texts)) == texts
