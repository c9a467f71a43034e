"""Weights of evidence: what holds for any counts of two classes."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutwise.criteria import weight_of_evidence

pairs = st.tuples(st.integers(0, 10**6), st.integers(0, 10**6))
tables = st.lists(pairs, min_size=1, max_size=8)


@given(tables, st.integers(0, 8))
def test_an_empty_bin_says_nothing_and_changes_nothing(counts, place):
    found, without = weight_of_evidence([*counts[:place], (0, 0), *counts[place:]]), weight_of_evidence(counts)
    weights = list(found.weights)
    assert weights.pop(min(place, len(counts))) == 0.0
    assert tuple(weights) == without.weights
    assert found.information_value == without.information_value


@given(tables)
def test_the_classes_trade_places(counts):
    found, turned = weight_of_evidence(counts), weight_of_evidence([pair[::-1] for pair in counts])
    assert found.weights == pytest.approx([-weight for weight in turned.weights], abs=1e-12)
    assert found.information_value == pytest.approx(turned.information_value, abs=1e-12)
    assert found.information_value >= 0.0
    assert all(map(math.isfinite, found.weights))


def test_uneven_classes_by_hand():
    # (90.5, 10.5) and (5.5, 20.5) of (96, 31); the bin between them has no rows.
    found = weight_of_evidence([(90, 10), (0, 0), (5, 20)])
    expected = [math.log(10.5 / 31 / (90.5 / 96)), 0.0, math.log(20.5 / 31 / (5.5 / 96))]
    assert found.weights == pytest.approx(expected)
