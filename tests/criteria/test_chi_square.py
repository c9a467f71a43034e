"""Chi-square, when neighbours are alike, and the consistency of bins."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2, chi2_contingency

from cutwise.counts import ColumnCounts, JointTable
from cutwise.criteria import (
    BoundedInconsistency,
    ChiSquare,
    ColumnFreedom,
    Consistency,
    KeptMajorities,
    KeptPurity,
    PairFreedom,
    RowGrouping,
    ScaledPairFreedom,
    chi_square,
    critical_values,
    mutual_information,
)
from tests.strategies import count_tables


def test_a_known_table():
    assert chi_square([[4, 0, 0], [1, 3, 1], [0, 1, 2]]) == pytest.approx(10.613333, abs=1e-6)


@given(count_tables())
def test_chi_square_equals_scipy(tables):
    counts = tables[0]
    seen = counts[:, counts.sum(axis=0) > 0]
    expected = chi2_contingency(seen, correction=False).statistic if seen.shape[1] > 1 else 0.0
    assert chi_square(counts) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_nothing_is_no_chi_square():
    assert chi_square(np.zeros((2, 2))) == 0.0
    assert chi_square([[3, 1]]) == 0.0


@given(count_tables(), st.data())
def test_the_score_falls_with_every_merge(tables, data):
    table = ColumnCounts.from_dense(np.arange(len(tables[0])), tables[0])
    gaps = data.draw(st.permutations(range(table.n_values - 1)))
    scores = [ChiSquare().score(table, sorted(gaps[:k])) for k in range(len(gaps) + 1)]
    assert scores[0].value == 0.0
    values = [score.value for score in scores]
    assert all(after >= before - 1e-9 for before, after in itertools.pairwise(values))
    assert scores[-1].relevance == pytest.approx(mutual_information(tables[0]))


def test_the_score_counts_weights():
    counts = [[4, 0], [0, 4]]
    table = ColumnCounts.from_dense([1, 2], counts)
    light = ColumnCounts(table.values, table.by_class, None, table.missing_by_class, table.missing_by_part, unit=0.5)
    assert ChiSquare().score(light, [0]).value == ChiSquare().score(table, [0]).value / 2


def test_critical_values():
    assert critical_values(0.1, 3).tolist() == pytest.approx([np.inf, 2.7055, 4.6052], abs=1e-4)
    assert critical_values(0.5, 3)[2] == pytest.approx(1.3863, abs=1e-4)
    freedoms = np.arange(1, 200)
    for level in (0.5, 0.01, 1e-7):
        np.testing.assert_allclose(critical_values(level, 200)[1:], chi2.isf(level, freedoms), rtol=1e-9)


def test_tables_of_the_methods():
    column, pair, scaled = (kind.tables(0.1, 4) for kind in (ColumnFreedom(), PairFreedom(), ScaledPairFreedom()))
    assert column.thresholds.tolist() == [critical_values(0.1, 4)[3]] * 4
    assert pair.thresholds.tolist() == scaled.thresholds.tolist() == critical_values(0.1, 4).tolist()
    assert column.factors.tolist() == pair.factors.tolist() == [1.0] * 4
    np.testing.assert_allclose(scaled.factors[1:], 1 / np.sqrt([2, 4, 6]))


def test_consistency_of_bins():
    table = ColumnCounts.from_dense([1, 2, 3], [[2, 0], [1, 1], [0, 2]])
    ranks = np.array([[0, 0, 1, 1, 2, 2, -1]], dtype=np.int32)
    classes = np.array([0, 0, 0, 1, 1, 1, 1])
    joint = JointTable((table,), ranks, np.zeros((1, 7), dtype=np.int32), classes, 2)
    rows = RowGrouping(joint)
    assert rows.consistency() == Consistency(7, 1, 5, 0.0)
    joined = rows.with_bins(0, np.array([0, 2]))
    assert joined.consistency() == Consistency(7, 1, 3, 0.25)
    assert joined.with_bins(0, np.array([2])).consistency() == Consistency(7, 3, 1, 0.0)
    assert rows.consistency().inconsistency == 1 / 7
    assert rows.consistency().purity == 5 / 7


def test_tests_of_consistency():
    first, worse = Consistency(100, 2, 90, 0.1), Consistency(100, 29, 80, 0.2)
    assert BoundedInconsistency(0.29).holds(worse, first)
    assert not BoundedInconsistency(0.28).holds(worse, first)
    assert BoundedInconsistency(0.0).holds(first, first)
    for test in (KeptPurity(), KeptMajorities()):
        assert test.holds(first, first)
        assert not test.holds(worse, first)
        assert test.holds(first, worse)


def test_no_rows_are_consistent():
    empty = Consistency(0, 0, 0, 0.0)
    assert empty.inconsistency == 0.0
    assert empty.purity == 1.0
