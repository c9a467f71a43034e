"""ChiMerge's search: known cuts, limits, and what must not matter."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutwise.counts import RowGroups, count_column, place_cuts
from cutwise.criteria import ChiSquare, ColumnFreedom, PairFreedom, ScaledPairFreedom, chi_square, critical_values
from cutwise.search import BinLimits, MergeSearch
from tests.search.chi_tables import column_table, dense
from tests.strategies import columns, count_tables, tied_columns

ALIKENESS = st.sampled_from([ColumnFreedom(), PairFreedom(), ScaledPairFreedom()])
CUTS = {
    ("D1", 0.1): [5.5],
    ("D2", 0.1): [4.5, 8.5],
    ("D3", 0.1): [1.5],
    ("D4", 0.1): [5.5],
    ("D5", 0.1): [0.5],
    ("D6", 0.1): [0.5, 4.5],
    ("D1", 0.5): [3.5, 4.5, 5.5, 8.5, 10.5, 11.5],
    ("D2", 0.5): [4.5, 8.5],
    ("D3", 0.5): [1.5, 2.5, 3.5, 4.5],
    ("D4", 0.5): [3.5, 4.5, 5.5, 8.5, 10.5, 11.5],
    ("D5", 0.5): [0.5, 4.5, 5.5],
    ("D6", 0.5): [0.5, 4.5],
}


def bins_of(table, gaps):
    return table.by_class.by_bin(table.bin_ends(gaps))


@pytest.mark.parametrize(("name", "alpha"), list(CUTS))
def test_known_cuts(name, alpha):
    table = column_table(name)
    found = MergeSearch(alpha).run(ChiSquare(), table)
    assert place_cuts(table, found.gaps).tolist() == CUTS[name, alpha]
    assert found.stop == "significant"
    assert found.score == ChiSquare().score(table, found.gaps)


@given(count_tables(max_values=20, max_classes=4), st.sampled_from([0.5, 0.1, 0.01]))
def test_neighbours_that_are_left_differ(tables, alpha):
    table = dense(tables[0])
    found = MergeSearch(alpha).run(ChiSquare(), table)
    n_classes = np.count_nonzero(tables[0].sum(axis=0))
    counts = bins_of(table, found.gaps)
    for pair in itertools.pairwise(counts):
        assert chi_square(pair) >= critical_values(alpha, n_classes)[-1] - 1e-8


LIMITS = st.builds(
    BinLimits,
    st.one_of(st.none(), st.integers(1, 6)),
    st.sampled_from([0.0, 1.0, 3.5, 10.0, 1000.0]),
    st.sampled_from([-1, 0, 1]),
)


@given(count_tables(max_values=25, max_classes=2), ALIKENESS, st.sampled_from([0.9, 0.1]), LIMITS)
def test_limits_are_met(tables, alikeness, alpha, limits):
    table = dense(tables[0])
    found = MergeSearch(alpha, alikeness).run(ChiSquare(), table, limits)
    counts = bins_of(table, found.gaps).tolist()
    if limits.max_bins is not None:
        assert len(counts) <= limits.max_bins
    if len(counts) > 1:
        assert min(map(sum, counts)) >= limits.min_rows
    for left, right in itertools.pairwise(counts):
        assert limits.direction * (right[1] * sum(left) - left[1] * sum(right)) >= 0


def test_limits_in_weights():
    table = dense([[5, 0], [3, 2], [0, 5], [2, 3]], unit=0.5)
    search = MergeSearch(0.5)
    assert search.run(ChiSquare(), table, BinLimits(min_rows=2.5)).gaps.tolist() == [0, 1, 2]
    assert search.run(ChiSquare(), table, BinLimits(min_rows=2.6)).gaps.tolist() == [1]


def test_reasons_to_stop():
    table = dense([[9, 0], [0, 9], [9, 0]])
    assert MergeSearch().run(ChiSquare(), table, BinLimits(max_bins=2)).stop == "limit"
    assert MergeSearch().run(ChiSquare(), table, BinLimits(max_bins=9)).stop == "significant"
    assert MergeSearch().run(ChiSquare(), dense([[2, 1], [1, 2]])).stop == "all_merged"


@pytest.mark.parametrize(
    ("counts", "stop"),
    [([[3, 4]], "one_value"), ([[3, 0], [4, 0]], "one_class"), (np.zeros((0, 2), dtype=int), "no_values")],
)
def test_nothing_to_merge(counts, stop):
    for limits in (BinLimits(), BinLimits(1, 5.0, 1)):
        found = MergeSearch().run(ChiSquare(), dense(counts), limits)
        assert found.gaps.size == 0
        assert found.stop == stop


@given(columns(max_classes=4), st.randoms(use_true_random=False), ALIKENESS)
def test_rows_and_names_of_classes_do_not_matter(column, random, alikeness):
    x, y = column
    names = np.array(random.sample(range(4), 4))
    order = np.array(random.sample(range(y.size), y.size))
    search = MergeSearch(0.3, alikeness)
    one = search.run(ChiSquare(), count_column(x, RowGroups(y, 4)))
    other = search.run(ChiSquare(), count_column(x[order], RowGroups(names[y[order]], 4)))
    assert one.gaps.tolist() == other.gaps.tolist()


@given(tied_columns(), st.permutations(range(3)), ALIKENESS)
def test_names_of_classes_do_not_decide_ties(column, names, alikeness):
    x, y = column
    search = MergeSearch(0.3, alikeness)
    one = search.run(ChiSquare(), count_column(x, RowGroups(y, 3)))
    other = search.run(ChiSquare(), count_column(x, RowGroups(np.array(names)[y], 3)))
    assert one.gaps.tolist() == other.gaps.tolist()


@given(count_tables(max_values=20), ALIKENESS, st.sampled_from([1.0, 2.0**-20, 1024.0]))
def test_the_unit_of_counts_does_not_matter(tables, alikeness, unit):
    """Four counts of half the weight weigh twice as much."""
    search = MergeSearch(0.2, alikeness)
    one = search.run(ChiSquare(), dense(tables[0], unit))
    other = search.run(ChiSquare(), dense(tables[0] * 4, unit / 4))
    assert one.gaps.tolist() == other.gaps.tolist()


def test_classes_that_are_absent_do_not_matter():
    x, y = np.arange(40.0), np.repeat([0, 1, 0, 1], 10)
    one = MergeSearch().run(ChiSquare(), count_column(x, RowGroups(y, 2)))
    other = MergeSearch().run(ChiSquare(), count_column(x, RowGroups(y + 3, 50)))
    assert one.gaps.tolist() == other.gaps.tolist() == [9, 19, 29]


def test_many_values_of_many_classes():
    """The room that is taken does not grow with values times classes."""
    n = 200_000
    y = np.random.default_rng(0).integers(0, 5000, n)
    table = count_column(np.arange(n, dtype=float), RowGroups(y, 5000))
    found = MergeSearch(0.5).run(ChiSquare(), table, BinLimits(max_bins=10))
    assert found.gaps.size < 10


def test_heavy_columns():
    """Counts beyond 2**40 neither overflow nor lose their order."""
    counts = np.array([[2**41, 2**40], [2**40, 2**41], [2**41, 2**40 + 1], [1, 2**41]])
    assert MergeSearch().run(ChiSquare(), dense(counts)).gaps.tolist() == [0, 1, 2]
    assert MergeSearch().run(ChiSquare(), dense(counts, unit=2.0**20), BinLimits(max_bins=2)).gaps.tolist() == [2]
    assert MergeSearch().run(ChiSquare(), dense(counts, unit=2.0**-41)).gaps.tolist() == []
