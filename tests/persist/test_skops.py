"""Every estimator survives skops with the types that the library names; `make test-mlflow` gets skops."""

from __future__ import annotations

import importlib

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline

from cutwise import FixedSchemeDiscretizer, MRmDDiscretizer, NaiveBayesClassifier
from cutwise.persist import trusted_types
from cutwise.registry import CLASSIFIERS, DISCRETIZERS, entries, load
from tests import methods
from tests.classify.bayes.fixture import X as CODES
from tests.classify.tables import FRAMES

IRIS, SPECIES = load_iris(return_X_y=True)
NAMES = trusted_types()


def named(kind):
    return f"{kind.__module__}.{kind.__qualname__}"


def test_every_name_is_a_type():
    assert len(set(NAMES)) == len(NAMES)
    for name in NAMES:
        module, _, kind = name.rpartition(".")
        assert isinstance(getattr(importlib.import_module(module), kind), type)
    for entry in entries([*DISCRETIZERS, *CLASSIFIERS]):
        assert named(load(entry)) in NAMES


@pytest.fixture
def again():
    """What writes an estimator, and reads it with the trusted types; the types that it held are kept."""
    skops = pytest.importorskip("skops.io", reason="skops is not installed; make test-mlflow gets it")

    def written_and_read(estimator):
        data = skops.dumps(estimator)
        written_and_read.seen |= set(skops.get_untrusted_types(data=data))
        return skops.loads(data, trusted=NAMES)

    written_and_read.seen = set()
    return written_and_read


def discretizers():
    found = [method.fit(IRIS[:, :2], SPECIES) for method in methods.EVERY]
    return [*found, FixedSchemeDiscretizer(found[0].scheme_).fit(IRIS[:, :2], SPECIES)]


def answers(model):
    """What a classifier says of tables that it takes."""
    if type(model).__name__ in {entry.name for entry in entries(["codes"])}:
        return [model.predict_proba(CODES)]
    tables = [FRAMES["pandas"](), FRAMES["object"]()]
    return [model.predict_proba(table) for table in tables if _takes(model, table)]


def _takes(model, table):
    return isinstance(table, pd.DataFrame) == hasattr(model, "feature_names_in_")


@pytest.mark.filterwarnings("ignore")
def test_every_estimator(again):
    from tests.persist.examples import EVERY

    made = discretizers()
    for one in made:
        read = again(one)
        assert read.scheme_ == one.scheme_
        assert np.array_equal(read.transform(IRIS[:, :2]), one.transform(IRIS[:, :2]))
    for model in EVERY:
        expected = answers(model)
        assert expected
        for found, own in zip(answers(again(model)), expected, strict=True):
            assert np.array_equal(found, own)
    kinds = {named(type(one)) for one in [*made, *EVERY]}
    assert kinds == {named(load(entry)) for entry in entries([*DISCRETIZERS, *CLASSIFIERS])}
    assert again.seen == set(NAMES)


def test_pipelines(again):
    model = make_pipeline(MRmDDiscretizer(), NaiveBayesClassifier()).fit(IRIS, SPECIES)
    assert np.array_equal(again(model).predict_proba(IRIS), model.predict_proba(IRIS))


def test_other_types_are_not_trusted(again):
    from skops.io.exceptions import UntrustedTypesFoundException

    model = MRmDDiscretizer().fit(IRIS, SPECIES)
    model.stranger_ = StrangerHolder()
    with pytest.raises(UntrustedTypesFoundException):
        again(model)


class StrangerHolder:
    """A type that the library does not know."""
