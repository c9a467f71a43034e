"""Limits on bins hold for every method that looks at the class."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from tests.methods import JOINT, SUPERVISED
from tests.strategies import columns

# Each test runs for every method, so a quarter of the usual examples for each is plenty.
per_method = settings(max_examples=max(10, settings.default.max_examples // 4))
limited = pytest.mark.parametrize("method", [*SUPERVISED, *JOINT], ids=repr)
supervised = pytest.mark.parametrize("method", SUPERVISED, ids=repr)
SMALL = columns(values=st.integers(0, 20).map(float), max_rows=60, max_classes=3)
TWO_CLASSES = columns(values=st.integers(0, 20).map(float), max_rows=60, max_classes=2)


def fit(method, column, **options):
    x, y = column
    return clone(method).set_params(**options).fit(x[:, None], y)


@limited
@per_method
@given(column=SMALL, size=st.integers(1, 20))
def test_bins_have_the_least_number_of_rows(method, column, size):
    rows = fit(method, column, min_bin_size=size).scheme_["x0"].rows
    assert len(rows) == 1 or min(rows) >= size


@limited
@per_method
@given(column=SMALL, share=st.floats(0.01, 0.5))
def test_bins_have_the_least_share_of_rows(method, column, share):
    rows = fit(method, column, min_bin_size=share).scheme_["x0"].rows
    assert len(rows) == 1 or min(rows) >= share * column[0].size * (1 - 1e-12)


@limited
@per_method
@given(column=SMALL, most=st.integers(1, 5))
def test_there_are_at_most_so_many_bins(method, column, most):
    assert fit(method, column, max_bins=most).n_bins_[0] <= most


@limited
@per_method
@given(column=SMALL)
def test_loose_limits_change_nothing(method, column):
    free = fit(method, column).scheme_["x0"]
    loose = fit(method, column, max_bins=1000, min_bin_size=1).scheme_["x0"]
    assert loose.cuts == free.cuts


def rates_of(attribute, event=1):
    return [(counts[event], sum(counts)) for counts in attribute.class_counts]


def rises(rates):
    return all(a * n <= b * m for (a, m), (b, n) in itertools.pairwise(rates))


@supervised
@per_method
@given(column=TWO_CLASSES, direction=st.sampled_from(["increasing", "decreasing", "auto"]))
def test_the_class_rate_is_monotonic(method, column, direction):
    fitted = fit(method, column, monotonic=direction)
    if fitted.classes_.size < 2:
        return
    rates = rates_of(fitted.scheme_["x0"], fitted.scheme_.event_place)
    assert (direction != "decreasing" and rises(rates)) or (direction != "increasing" and rises(rates[::-1]))


@supervised
@per_method
@given(column=TWO_CLASSES)
def test_auto_is_the_better_direction(method, column):
    values = {
        way: fit(method, column, monotonic=way).scheme_["x0"].score for way in ("increasing", "decreasing", "auto")
    }
    assert values["auto"] == max(values["increasing"], values["decreasing"])


@supervised
@per_method
@given(column=TWO_CLASSES, size=st.integers(1, 10), most=st.integers(1, 4))
def test_limits_hold_together(method, column, size, most):
    attribute = fit(method, column, min_bin_size=size, max_bins=most, monotonic="auto").scheme_["x0"]
    assert attribute.n_bins <= most
    assert attribute.n_bins == 1 or min(attribute.rows) >= size


@supervised
def test_more_than_two_classes_have_no_rate(method):
    with pytest.raises(ValueError, match="the target y has 3 classes"):
        fit(method, (np.arange(6.0), np.array([0, 1, 2, 0, 1, 2])), monotonic="auto")


@limited
@pytest.mark.parametrize("bad", [{"min_bin_size": 0}, {"min_bin_size": 0.7}, {"max_bins": 0}])
def test_wrong_limits(method, bad):
    with pytest.raises(ValueError, match=next(iter(bad))):
        fit(method, (np.arange(4.0), np.array([0, 1, 0, 1])), **bad)


@limited
def test_a_monotonic_trend_is_found(method):
    """With much data and a clear trend, limits leave a useful scheme."""
    rng = np.random.default_rng(0)
    x = rng.random(3000).round(2)
    y = (rng.random(3000) < x).astype(int)
    attribute = fit(method, (x, y), min_bin_size=0.05, max_bins=6).scheme_["x0"]
    assert 1 < attribute.n_bins <= 6
    assert min(attribute.rows) >= 150


@supervised
def test_a_share_is_one_of_the_weight(method):
    rng = np.random.default_rng(3)
    x = rng.integers(0, 30, 300).astype(float)
    y = (x + 3 * rng.normal(size=300) > 15).astype(int)
    weights = np.where(x < 15, 5, 1)
    weighted = clone(method).set_params(min_bin_size=0.2).fit(x[:, None], y, sample_weight=weights)
    rows = weighted.scheme_["x0"].rows
    assert len(rows) == 1 or min(rows) >= 0.2 * weights.sum()
