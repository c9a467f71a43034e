"""What the decorator of the estimators makes of a class."""

from __future__ import annotations

import inspect
from dataclasses import field

import pytest
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError

import cutwise
from cutwise.estimator import estimator


@estimator
class Base(BaseEstimator):
    """The base of all."""

    n_jobs: int | None = None
    weights: str = "count"


@estimator
class Family(Base):
    """A base with parameters of its own."""

    max_bins: int | None = None


@estimator
class Method(Family):
    """A method."""

    alpha: float = field(default=0.1, kw_only=False)
    search: str = "greedy"
    weights: str = "relative"


def order(cls):
    return list(inspect.signature(cls).parameters)


def test_own_parameters_come_first_then_those_of_each_base():
    assert order(Method) == ["alpha", "search", "max_bins", "n_jobs", "weights"]
    assert order(Family) == ["max_bins", "n_jobs", "weights"]


def test_a_parameter_with_another_default_keeps_its_place():
    assert inspect.signature(Method).parameters["weights"].default == "relative"
    assert order(Method)[-1] == "weights"


def test_only_what_is_said_so_can_be_given_by_place():
    kinds = {name: parameter.kind for name, parameter in inspect.signature(Method).parameters.items()}
    by_place = [name for name, kind in kinds.items() if kind is not inspect.Parameter.KEYWORD_ONLY]
    assert by_place == ["alpha"]
    assert Method(0.2).alpha == 0.2
    with pytest.raises(TypeError):
        Method(0.2, "exact")


def test_the_order_of_a_method_of_the_library():
    parts = ["n_d", "validation", "n_splits", "search", "max_candidates", "random_state"]
    sizes = ["min_bin_size", "max_bins", "min_bins", "max_bin_size", "min_events", "max_pvalue"]
    limits = ["confirm", "max_categories", *sizes, "monotonic"]
    common = [
        "columns",
        "special_values",
        "event",
        "encode",
        "decode",
        "place",
        "missing",
        "nominal",
        "n_jobs",
        "weights",
    ]
    assert order(cutwise.MRmDDiscretizer) == [*parts, *limits, *common]
    weighted = ["loss", "max_iter", "tol", "smoothing", "alpha", "n_bins", "weights"]
    assert order(cutwise.WANBIAClassifier) == order(cutwise.CAWNBClassifier) == weighted


@pytest.mark.parametrize(("name", "cls"), [*cutwise.all_discretizers(), *cutwise.all_classifiers()])
def test_parameters_are_stored_under_their_names(name, cls):
    names = order(cls)
    made = cls("{}") if name == "FixedSchemeDiscretizer" else cls()
    assert set(made.get_params(deep=False)) == set(names)


@pytest.mark.parametrize(("name", "cls"), cutwise.all_classifiers())
@pytest.mark.parametrize("method", ["predict", "predict_proba", "predict_log_proba"])
def test_a_classifier_that_is_not_fitted_says_so(name, cls, method):
    with pytest.raises(NotFittedError, match=name):
        getattr(cls(), method)([[0, 1]])
