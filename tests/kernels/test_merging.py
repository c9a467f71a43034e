"""Bottom-up merging equals its plain-Python twin, bit for bit."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from cutwise.counts import SparseCounts
from cutwise.criteria import ColumnFreedom, PairFreedom, ScaledPairFreedom
from cutwise.kernels.bins import merging
from tests.kernels import reference_merging as reference
from tests.strategies import count_tables, tied_columns

ALIKENESS = st.sampled_from([ColumnFreedom(), PairFreedom(), ScaledPairFreedom()])
LEVELS = st.sampled_from([0.9, 0.5, 0.1, 1e-3])
LIMITS = st.tuples(st.integers(0, 12), st.sampled_from([-1, 0, 1]), st.integers(1, 30))
FREE = (0, 0, 1 << 40)


def rule_of(alikeness, level, n_classes, unit=1.0, bits=30):
    """Return (grid, thresholds, factors) in units of 2**-bits."""
    thresholds, factors = alikeness.tables(level, n_classes)
    units = np.minimum(np.rint(thresholds * 2.0**bits), 2.0**60).astype(np.int64)
    return unit * 2.0**bits, units, factors


def run(entries, rule, alikeness, limits=FREE, limit=0):
    alike = merging.PROPORTIONAL if alikeness.shares_decide else merging.PURE
    lasts, starts, labels, counts = merging.merge_values(
        entries.starts, entries.labels, entries.counts, rule, alike, limit, limits
    )
    merged = SparseCounts(starts, labels, counts, entries.n_labels)
    return merged, list(zip(lasts.tolist(), merged.to_dense().tolist(), strict=True))


def twin(counts, rule, limits=FREE):
    grid, thresholds, factors = rule
    return reference.merge_values(counts.tolist(), (grid, thresholds.tolist(), factors.tolist()), 0, limits)


def check(counts, alikeness, level, limits):
    rule = rule_of(alikeness, level, counts.shape[1])
    _, bins = run(SparseCounts.from_dense(counts), rule, alikeness, limits)
    assert bins == twin(counts, rule, limits)


@given(count_tables(max_values=25, max_classes=5), ALIKENESS, LEVELS)
def test_free_merging(tables, alikeness, level):
    check(tables[0], alikeness, level, FREE)


@given(count_tables(max_values=25, max_classes=2), ALIKENESS, LEVELS, LIMITS)
def test_merging_within_limits(tables, alikeness, level, limits):
    check(tables[0], alikeness, level, limits)


@given(count_tables(max_values=25, max_classes=5, max_count=1), ALIKENESS, LEVELS, st.integers(1, 30))
def test_single_rows_of_many_classes(tables, alikeness, level, max_bins):
    check(tables[0], alikeness, level, (0, 0, max_bins))


@given(tied_columns(), ALIKENESS, LEVELS)
def test_ties(column, alikeness, level):
    x, y = column
    counts = np.zeros((int(x.max()) + 1, 3), dtype=np.int64)
    np.add.at(counts, (x.astype(int), y), 1)
    check(counts, alikeness, level, FREE)


@given(count_tables(max_values=25, max_classes=4), ALIKENESS)
def test_merging_goes_on_from_bins(tables, alikeness):
    counts, _ = tables
    entries = SparseCounts.from_dense(counts)
    for level in (0.7, 0.5, 0.2, 0.01):
        rule = rule_of(alikeness, level, counts.shape[1])
        entries, bins = run(entries, rule, alikeness)
        assert bins == twin(counts, rule)
        counts = entries.to_dense()


@given(
    hnp.arrays(np.int64, st.tuples(st.integers(2, 8), st.just(2)), elements=st.integers(1, 2**41)),
    ALIKENESS,
    st.sampled_from([(0, 1, 50), (0, -1, 50), (2**41, 0, 50), (0, 0, 2)]),
)
def test_counts_in_small_units_of_weight(counts, alikeness, limits):
    rule = rule_of(alikeness, 0.1, 2, unit=1e-9)
    _, bins = run(SparseCounts.from_dense(counts), rule, alikeness, limits)
    assert bins == twin(counts, rule, limits)


@pytest.mark.parametrize("direction", [-1, 1])
def test_rates_that_differ_by_less_than_a_double_can_tell(direction):
    """The products of counts are equal as doubles and differ as whole numbers."""
    size = 2**42
    counts = np.array([[size, size + 1], [size, size], [size, size + 1]], dtype=np.int64)
    # The rate falls, then rises, by one part in 2**43.
    alikeness = ColumnFreedom()
    rule = (2.0**-40, np.zeros(2, dtype=np.int64), np.ones(2))
    _, bins = run(SparseCounts.from_dense(counts), rule, alikeness, (0, direction, 50), limit=-merging.NEVER)
    assert [last for last, _ in bins] == ([1, 2] if direction > 0 else [0, 2])


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 5)), min_size=1, max_size=40))
def test_heap(entries):
    keys, items = np.empty(len(entries), dtype=np.int64), np.empty(len(entries), dtype=np.int32)
    for size, (key, item) in enumerate(entries):
        merging.push(keys, items, size, key, item)
    drawn = []
    for size in range(len(entries), 0, -1):
        drawn.append((int(keys[0]), int(items[0])))
        merging.drop_first(keys, items, size)
    assert drawn == sorted(entries)


@given(count_tables(max_values=2, max_classes=5, max_count=30))
def test_units_are_chi_square(tables):
    from scipy.stats import chi2_contingency

    counts = tables[0][:, tables[0].sum(axis=0) > 0]
    units, freedom = reference.pair_chi(*counts.tolist(), 2.0**30)
    assert freedom == counts.shape[1] - 1
    if freedom:
        expected = chi2_contingency(counts, correction=False).statistic
        assert math.isclose(units / 2.0**30, expected, rel_tol=1e-8, abs_tol=1e-8)


@pytest.mark.parametrize("n_values", [60, 5000])
def test_joins_that_leave_the_key_as_it_was(n_values):
    """Neighbours that stay equally alike fill the heap as far as it can be filled."""
    counts = np.tile([3, 2], (n_values, 1))
    counts[0] = [0, 500]
    entries = SparseCounts.from_dense(counts)
    lasts, *_ = merging.merge_values(
        entries.starts,
        entries.labels,
        entries.counts,
        rule_of(PairFreedom(), 0.5, 2),
        merging.NOTHING,
        -merging.NEVER,
        (0, 0, 2),
    )
    assert lasts.tolist() == [0, n_values - 1]
