"""Mutual information, divergence and Psi on counts."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis.extra import numpy as hnp
from scipy.spatial.distance import jensenshannon
from sklearn.metrics import mutual_info_score

from cutwise.counts import ColumnCounts
from cutwise.criteria import (
    Ameva,
    ExpectedDivergence,
    NoDivergence,
    Psi,
    SplitDivergence,
    expected_share,
    jensen_shannon,
    mutual_information,
)
from tests.strategies import count_tables

TABLES = hnp.arrays(
    np.int64, hnp.array_shapes(min_dims=2, max_dims=2, max_side=5), elements={"min_value": 0, "max_value": 50}
)


@given(TABLES)
def test_mutual_information_agrees_with_scikit_learn(table):
    expected = mutual_info_score(None, None, contingency=table) / np.log(2) if table.sum() else 0.0
    assert mutual_information(table) == pytest.approx(expected, abs=1e-12)


@given(hnp.arrays(np.int64, (2, 6), elements={"min_value": 0, "max_value": 50}))
def test_divergence_agrees_with_scipy(counts):
    if (counts.sum(axis=1) == 0).any():
        assert jensen_shannon(*counts) == 0.0
        return
    assert jensen_shannon(*counts) == pytest.approx(jensenshannon(*counts, base=2) ** 2, abs=1e-9)


EXPECTED = [0, 0.08333333, 0.08318523, 0.07350490, 0.06241899, 0.05183607, 0.04228914, 0.03382915, 0.02626934]
EXPECTED += [0.01932784, 0.01273736, 0.00631369, 0]


def test_expected_shares_of_twelve_rows():
    assert [expected_share(rows, 12, 4) for rows in range(13)] == pytest.approx(EXPECTED, abs=5e-9)


def test_the_expected_divergence_is_the_mean_over_all_splits():
    table = ColumnCounts.from_dense(np.arange(12), np.ones((12, 1)))
    found = ExpectedDivergence(3).of_bins(table, table.bin_ends(np.array([4, 7])))
    bins = np.repeat([0, 1, 2], [5, 3, 4])
    drawn = []
    for valid in combinations(range(12), 4):
        inside = np.isin(np.arange(12), valid)
        drawn.append(jensen_shannon(np.bincount(bins[~inside], minlength=3), np.bincount(bins[inside], minlength=3)))
    assert len(drawn) == 495
    assert found == pytest.approx(np.mean(drawn), abs=1e-12)
    assert found == pytest.approx(0.1877599620, abs=5e-11)


@given(count_tables())
def test_cuts_never_lower_relevance_or_divergence(tables):
    table = ColumnCounts.from_dense(np.arange(len(tables[0])), *tables)
    every = list(range(table.n_values - 1))
    for divergence in (ExpectedDivergence(3), SplitDivergence((0, 1, 2)), SplitDivergence((1,))):
        criterion = Psi(50.0, divergence)
        scores = [criterion.score(table, every[:k]) for k in range(len(every) + 1)]
        assert all(a.relevance <= b.relevance + 1e-12 for a, b in pairwise(scores))
        assert all(a.divergence <= b.divergence + 1e-12 for a, b in pairwise(scores))


def test_psi_without_divergence_and_discount_is_relevance():
    table = ColumnCounts.from_dense([1, 2], [[3, 1], [0, 4]])
    psi, relevance, divergence = Psi().score(table, [0])
    assert psi == relevance > 0
    assert divergence == NoDivergence().of_bins(table, None) == 0.0


def test_given_parts_must_be_counted():
    table = ColumnCounts.from_dense([1, 2], [[3, 1], [0, 4]])
    with pytest.raises(ValueError, match="counts by part"):
        Psi(50.0, SplitDivergence((1,))).inputs(table)


def test_term_tables_are_shared_by_columns_of_the_same_size():
    table = ColumnCounts.from_dense([1, 2], [[3, 1], [0, 4]])
    other = ColumnCounts.from_dense([1, 2], [[3, 1], [0, 5]])
    criterion = Psi(50.0, ExpectedDivergence())
    first = criterion.inputs(table)[2]
    assert criterion.inputs(table)[2] is first
    assert criterion.inputs(other)[2].n_rows == 9


def test_ameva_of_a_single_class_is_zero():
    table = ColumnCounts.from_dense([1, 2], [[3], [1]])
    assert Ameva().score(table, [0]).value == 0.0
