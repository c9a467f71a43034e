"""Weights mean one thing, whatever their size: numbers of rows, or nothing but their ratios."""

from __future__ import annotations

import subprocess
import sys
import warnings

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris

from cutwise import (
    MDLPDiscretizer,
    NaiveBayesClassifier,
    Scheme,
    registry,
)
from cutwise.counts import relative_weights
from cutwise.errors import WeightsWarning
from cutwise.persist import model_from_json
from tests.methods import EVERY, ONE_BY_ONE, for_two_classes, instances

X, Y = load_iris(return_X_y=True)
X, Y = X[::3, 2:], Y[::3]
WEIGHTS = np.random.default_rng(0).random(Y.size) + 0.5
SYSTEMS = instances(
    registry.CLASSIFIERS,
    # Its weights are always numbers of rows.
    RVFLClassifier=[],
    DiscretizedClassifier=[{"discretizer": MDLPDiscretizer(), "classifier": NaiveBayesClassifier()}],
)


def named(estimator):
    return type(estimator).__name__


def fitted(estimator, scale, meaning):
    """Fit with scaled weights; return what was learned, and the error or warning if there was one."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            made = clone(estimator).set_params(weights=meaning).fit(X, Y, sample_weight=WEIGHTS * scale)
        except ValueError as error:
            return None, error
    told = [item.message for item in caught if item.category is WeightsWarning]
    others = [item for item in caught if item.category is not WeightsWarning]
    assert not [item for item in others if issubclass(item.category, RuntimeWarning)], others
    return made, told[0] if told else None


@pytest.mark.parametrize("method", EVERY, ids=named)
@pytest.mark.parametrize("power", [-1000, -60, 3, 900])
def test_relative_weights_give_the_same_bytes_at_every_power_of_two(method, power):
    expected, told = fitted(method, 1.0, "relative")
    assert told is None
    made, told = fitted(method, 2.0**power, "relative")
    assert told is None
    assert made.scheme_.to_json() == expected.scheme_.to_json()
    assert expected.scheme_.parameters["weights"] == "relative"
    assert Scheme.from_json(made.scheme_.to_json()) == made.scheme_


@pytest.mark.parametrize("method", EVERY, ids=named)
@pytest.mark.parametrize("scale", [1e-300, 1 / WEIGHTS.sum(), 1e7, 1e300])
def test_relative_weights_give_the_same_cuts_at_every_scale(method, scale):
    expected, made = fitted(method, 1.0, "relative")[0], fitted(method, scale, "relative")[0]
    for left, right in zip(made.cuts_, expected.cuts_, strict=True):
        np.testing.assert_array_equal(left, right)


@pytest.mark.parametrize("method", EVERY, ids=named)
@pytest.mark.parametrize("scale", [5e-324, 1e-300, 1e-10, 1 / WEIGHTS.sum(), 0.05, 0.5, 1e6, 1e12, 1e15, 1e17, 1e300])
def test_counts_of_any_size_are_counted_told_or_refused(method, scale):
    made, told = fitted(method, scale, "count")
    total = float((WEIGHTS * scale).sum())
    if not 1e-9 <= total < 2.0**62:
        assert "weights='relative'" in str(told)
        return
    assert (told is not None) == (total < 0.1 * Y.size or total > 2.0**53)
    assert "weights" not in made.scheme_.parameters
    assert Scheme.from_json(made.scheme_.to_json()) == made.scheme_
    rows = sum(made.scheme_.attributes[0].rows)
    assert rows == pytest.approx(total, rel=1e-8)


@pytest.mark.parametrize("system", SYSTEMS, ids=named)
@pytest.mark.parametrize("scale", [1e-300, 1 / WEIGHTS.sum(), 2.0**40, 1e300])
def test_classifiers_with_relative_weights(system, scale):
    codes = X.astype(int) if hasattr(system, "n_bins") else X
    y = Y > 1 if for_two_classes(system) else Y
    rescaled = relative_weights(WEIGHTS)
    plain = clone(system).fit(codes, y, sample_weight=rescaled)
    made = clone(system).set_params(weights="relative").fit(codes, y, sample_weight=WEIGHTS * scale)
    np.testing.assert_allclose(made.predict_proba(codes), plain.predict_proba(codes), rtol=1e-6, atol=1e-9)
    again = model_from_json(made.to_json())
    assert again.weights == "relative"
    np.testing.assert_array_equal(again.predict_proba(codes), made.predict_proba(codes))
    with pytest.raises(ValueError, match="weights='relative'"):
        clone(system).fit(codes, y, sample_weight=WEIGHTS * 1e300)
    with pytest.warns(WeightsWarning, match="set weights='relative' if only the ratios"):
        clone(system).fit(codes, y, sample_weight=WEIGHTS / WEIGHTS.sum())


def test_naive_bayes_cannot_rescale_chunks():
    model = NaiveBayesClassifier(weights="relative").partial_fit(X.astype(int), Y, classes=[0, 1, 2])
    with pytest.raises(ValueError, match="later chunks are not known"):
        model.partial_fit(X.astype(int), Y, sample_weight=WEIGHTS)


def test_a_bin_of_less_than_two_rows_is_not_cut_for_nothing():
    table, classes = load_breast_cancer(return_X_y=True)
    weights = np.full(classes.size, 1 / classes.size)
    with pytest.warns(WeightsWarning, match="weights of 569 rows add up to 1, "):
        made = MDLPDiscretizer().fit(table[:, :3], classes, sample_weight=weights)
    assert made.n_bins_.tolist() == [1, 1, 1]
    relative = MDLPDiscretizer(weights="relative").fit(table[:, :3], classes, sample_weight=weights)
    plain = MDLPDiscretizer().fit(table[:, :3], classes)
    assert relative.n_bins_.tolist() == plain.n_bins_.tolist() == [4, 2, 4]
    assert relative.scheme_.attributes == plain.scheme_.attributes


@given(
    st.lists(st.floats(min_value=0, exclude_min=True, allow_infinity=False), min_size=1, max_size=20),
    st.integers(-500, 500),
)
@example([5e-324, 1.7e308], 0)
@example([5e-324, 1e-323], 0)
def test_relative_weights_sum_to_their_number(weights, power):
    array = np.array(weights)
    relative = relative_weights(array)
    assert (relative > 0).all()
    assert np.isfinite(relative).all()
    assert relative.sum() == pytest.approx(len(weights))
    with np.errstate(over="ignore"):
        scaled = np.ldexp(array, power)
        is_exact = np.array_equal(np.ldexp(scaled, -power), array)
    if is_exact:
        np.testing.assert_array_equal(relative_weights(scaled), relative)


@pytest.mark.parametrize("method", ONE_BY_ONE, ids=named)
def test_relative_weights_of_tables_and_streams(method):
    weights = np.random.default_rng(1).integers(0, 9, Y.size) * 1000
    table = pa.table({"a": X[:, 0], "b": X[:, 1], "w": weights, "y": Y})
    relative = clone(method).set_params(weights="relative")
    expected = clone(relative).fit(table.select(["a", "b"]), Y, sample_weight=weights)
    counted = clone(relative).fit_table(table, "y", weight="w")
    streamed = clone(relative)
    for half in (slice(0, 20), slice(20, None)):
        streamed.partial_fit(table.select(["a", "b"])[half], Y[half], sample_weight=weights[half])
    streamed.finalize()
    for made in (counted, streamed):
        assert made.scheme_.parameters == expected.scheme_.parameters
        for left, right in zip(made.scheme_.attributes, expected.scheme_.attributes, strict=True):
            assert left.cuts == right.cuts
            np.testing.assert_allclose(left.class_counts, right.class_counts, rtol=1e-9)
    assert sum(counted.scheme_["a"].rows) == pytest.approx(np.count_nonzero(weights))


MEMORY = """
import resource, sys, warnings
import numpy as np
sys.path.insert(0, ".")
from sklearn.base import clone
from cutwise import C45Classifier, AODEClassifier, MRmDRNBClassifier
from tests.methods import EVERY
warnings.simplefilter("ignore")
random = np.random.default_rng(0)
X, y = random.normal(size=(300, 2)).round(2), random.integers(0, 2, 300)
estimators = [*EVERY, C45Classifier(), MRmDRNBClassifier()]
for estimator in estimators:
    clone(estimator).fit(X, y, sample_weight=random.random(300) + 0.5)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for estimator in estimators:
    for weights in (np.full(300, 1e12), random.random(300) * 1e12 + 1.5, np.full(300, 1e6), np.full(300, 1e15)):
        clone(estimator).fit(X, y, sample_weight=weights)
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        assert grown < 256 << 10, (estimator, weights[0], grown)  # some tables of at most 2**22 terms
"""


def test_memory_does_not_follow_the_weights():
    done = subprocess.run([sys.executable, "-c", MEMORY], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
