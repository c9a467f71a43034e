"""A fit that fails at any of its stages leaves the old state, or all of the new one (promise 2)."""

from __future__ import annotations

import copy
import inspect
import sys
import threading
from pathlib import Path

import joblib
import numpy as np
import pyarrow as pa
import pytest
from sklearn.base import clone

import cutwise
from cutwise import (
    AODEClassifier,
    FixedSchemeDiscretizer,
    MDLPDiscretizer,
    MRmDDiscretizer,
    NaiveBayesClassifier,
    count_table,
    registry,
)
from tests.methods import EVERY, for_two_classes, instances

SOURCE = str(Path(cutwise.__file__).parent)
OLD = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [0.0, 0.0]] * 4), np.array([0, 1, 1, 0] * 4)
NEW = np.array([[0.0], [1.0], [1.0], [0.0], [2.0], [2.0]] * 3), np.array(["a", "b", "c", "a", "b", "c"] * 3)
NEW_OF_TWO = NEW[0], np.array(["a", "b", "b", "a", "b", "a"] * 3)
SCHEME = MRmDDiscretizer().fit(*NEW).scheme_
CLASSIFIERS = instances(
    registry.CLASSIFIERS,
    RVFLClassifier=[{"n_hidden": 3, "n_layers": 2, "random_state": 0}],
    DiscretizedClassifier=[{"discretizer": MDLPDiscretizer(), "classifier": AODEClassifier()}],
)


class InjectedError(BaseException):
    """What no code of the library catches by its kind."""


def by_fit(estimator, table):
    estimator.fit(*table)


def by_counts(estimator, table):
    columns = {f"x{j}": column for j, column in enumerate(table[0].T)}
    estimator.fit_counts(count_table(pa.table({**columns, "y": table[1]}), "y"))


def by_stream(estimator, table):
    estimator.partial_fit(*table)


def by_end_of_stream(estimator, table):
    estimator.finalize()


def in_the_library(frame):
    """Name a function of the library; None for one of others, for parts of one, and for what keeps threads in order."""
    code = frame.f_code
    if code.co_flags & inspect.CO_GENERATOR:
        return None  # it may be closed by the garbage collector, where an error is only told
    if not code.co_filename.startswith(SOURCE) or code.co_name.startswith("<") or "threads.py" in code.co_filename:
        return None
    return f"{code.co_filename[len(SOURCE) + 1 :]}:{code.co_name}"


def run_with(watch, learn, estimator, table):
    threading.setprofile(watch)
    sys.setprofile(watch)
    try:
        learn(estimator, table)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def stages_of(learn, estimator, table):
    """Return every function of the library that a fit calls, on its first way in and on its first way out."""
    seen = {}

    def watch(frame, event, _argument):
        if event in {"call", "return"} and (name := in_the_library(frame)):
            seen[name, event] = None

    run_with(watch, learn, estimator, table)
    return list(seen)


def fail_at(stage, learn, estimator, table):
    def watch(frame, event, _argument):
        if (in_the_library(frame), event) == stage:
            raise InjectedError(stage)

    with pytest.raises(InjectedError):
        run_with(watch, learn, estimator, table)


def state_of(estimator):
    """Return what an estimator holds, to the last bit."""
    return {name: joblib.hash(value) for name, value in vars(estimator).items()}


def is_same(estimator, other):
    """Whether two estimators hold the very same objects."""
    return vars(estimator).keys() == vars(other).keys() and all(
        value is vars(other)[name] for name, value in vars(estimator).items()
    )


def check_every_stage(old, learn, table):
    """Fail once at each stage of a second fit: the object is the old one, or wholly the new one."""
    before, new = state_of(old), copy.copy(old)
    learn(new, table)
    after = state_of(new)
    assert before != after
    stages = stages_of(learn, copy.copy(old), table)
    assert len(stages) > 8
    n_old = 0
    for stage in stages:
        estimator = copy.copy(old)
        fail_at(stage, learn, estimator, table)
        if is_same(estimator, old):
            n_old += 1
        else:
            assert state_of(estimator) == after, stage
    assert n_old > len(stages) // 2
    assert state_of(old) == before


def of_old(method, *ways):
    estimator = clone(method)
    for learn in ways:
        learn(estimator, OLD)
    return estimator


@pytest.mark.parametrize("method", [*EVERY, *CLASSIFIERS], ids=repr)
def test_a_fit_that_fails_leaves_no_half_new_object(method):
    check_every_stage(of_old(method, by_fit), by_fit, NEW_OF_TWO if for_two_classes(method) else NEW)


@pytest.mark.parametrize("method", [MRmDDiscretizer(), NaiveBayesClassifier()], ids=repr)
def test_a_first_fit_that_fails_leaves_no_half_fitted_object(method):
    check_every_stage(of_old(method), by_fit, NEW)


WAYS = [
    ([by_fit], by_counts, NEW),
    ([by_counts], by_fit, NEW),
    ([by_fit], by_stream, NEW),
    ([by_stream], by_stream, OLD),
    ([by_stream], by_end_of_stream, None),
    ([by_stream, by_end_of_stream], by_counts, NEW),
]


# A generator that is left behind is closed by the garbage collector, where an error can only be told.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(("ways", "learn", "table"), WAYS, ids=lambda way: getattr(way, "__name__", None))
def test_every_way_to_learn(ways, learn, table):
    check_every_stage(of_old(MRmDDiscretizer(), *ways), learn, table)


def test_more_rows_for_naive_bayes():
    def more(estimator, table):
        estimator.partial_fit(*table)

    check_every_stage(of_old(NaiveBayesClassifier(), by_fit), more, (OLD[0] + 1.0, OLD[1]))


def test_a_fixed_scheme_holds_nothing_that_was_learned():
    estimator = FixedSchemeDiscretizer(SCHEME)
    before = state_of(estimator)
    estimator.fit(*NEW)
    assert state_of(estimator) == before
