"""CAIR and the test of two bins."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from cutwise.counts import ColumnCounts
from cutwise.criteria import CairCriterion, cair, critical_values, mutual_information, pair_statistic
from tests.strategies import count_tables

Q = [[4, 0, 0], [1, 3, 1], [0, 1, 2]]


def test_vectors():
    assert mutual_information(Q) == pytest.approx(0.753782, abs=5e-7)
    assert cair(Q) == pytest.approx(0.320024, abs=5e-7)
    threshold = critical_values(0.05, 2)[-1]
    assert threshold == pytest.approx(3.841459, abs=5e-7)
    assert pair_statistic([[4, 0], [1, 3]]) == pytest.approx(6.086331, abs=5e-7)
    assert cair([[4, 0], [1, 3]]) == pytest.approx(0.390424, abs=5e-7)
    assert pair_statistic([[4, 1], [3, 2]]) < threshold
    assert cair([[4, 1], [3, 2]]) == pytest.approx(0.018875, abs=5e-7)


@pytest.mark.parametrize(("pair", "least"), [([[4, 0], [1, 3]], 0.246421), ([[4, 1], [3, 2]], 0.150074)])
def test_the_two_forms_of_the_test(pair, least):
    """2 N I below the critical value is CAIR below it over 2 N H."""
    entropy = mutual_information(pair) / cair(pair) * np.log(2)
    assert critical_values(0.05, 2)[-1] / (2 * np.sum(pair) * entropy) == pytest.approx(least, abs=5e-7)


@given(count_tables())
def test_range(tables):
    counts = tables[0]
    assert -1e-12 <= cair(counts) <= 1 + 1e-12
    assert cair(counts * 3) == pytest.approx(cair(counts), abs=1e-12)


def test_extremes():
    assert cair([[5, 0], [0, 5]]) == 1.0
    assert cair([[7]]) == 0.0
    assert cair(np.zeros((1, 2))) == 0.0


def test_score():
    table = ColumnCounts.from_dense([1, 2, 3], Q)
    score = CairCriterion().score(table, [0, 1])
    assert score == (cair(Q), mutual_information(Q), 0.0)
    assert CairCriterion().score(table, []) == (0.0, 0.0, 0.0)
