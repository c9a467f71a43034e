"""Counting, adding and thinning."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutwise.counts import ColumnCounts, RowGroups, count_column, place_cuts, thin, whole_weights
from tests.strategies import columns


def count(x, y, parts=None):
    return count_column(np.asarray(x), RowGroups(np.asarray(y), 4, parts, 3))


def same(left, right):
    return (
        np.array_equal(left.values, right.values)
        and np.array_equal(left.class_counts, right.class_counts)
        and np.array_equal(left.part_counts, right.part_counts)
        and np.array_equal(left.missing_by_class, right.missing_by_class)
        and np.array_equal(left.missing_by_part, right.missing_by_part)
    )


@given(columns(missing=True), st.data())
def test_counts_of_a_column(column, data):
    x, y = column
    parts = np.array(data.draw(st.lists(st.integers(0, 2), min_size=y.size, max_size=y.size)))
    table = count(x, y, parts)
    present = ~np.isnan(x)
    assert table.values.tolist() == sorted(set((x[present] + 0.0).tolist()))
    for value, by_class, by_part in zip(table.values, table.class_counts, table.part_counts, strict=True):
        rows = x == value
        assert by_class.tolist() == np.bincount(y[rows], minlength=4).tolist()
        assert by_part.tolist() == np.bincount(parts[rows], minlength=3).tolist()
    assert table.missing_by_class.tolist() == np.bincount(y[~present], minlength=4).tolist()
    assert table.missing_by_part.tolist() == np.bincount(parts[~present], minlength=3).tolist()
    assert table.n_rows == present.sum()


@given(columns(missing=True), st.data())
def test_tables_add_up(column, data):
    x, y = column
    parts = np.arange(y.size) % 3
    at = data.draw(st.integers(0, y.size))
    halves = count(x[:at], y[:at], parts[:at]) + count(x[at:], y[at:], parts[at:])
    assert same(halves, count(x, y, parts))


def test_only_like_tables_add_up():
    two = ColumnCounts.from_dense([1.0], [[1, 2]])
    three = ColumnCounts.from_dense([1.0], [[1, 2, 3]])
    with pytest.raises(ValueError, match="2 and 3 classes"):
        two + three
    with pytest.raises(TypeError):
        two + 1


@given(columns(max_rows=40, missing=True), st.integers(2, 12))
def test_thinning_keeps_the_counts(column, size):
    x, y = column
    table = count(x, y, np.arange(y.size) % 3)
    joined, gaps = thin(table, size)
    assert joined.n_values <= max(size, 1)
    assert gaps.size == max(joined.n_values - 1, 0)
    assert joined.class_counts.sum() == table.class_counts.sum()
    ends = table.bin_ends(gaps) if table.n_values else np.empty(0, dtype=int)
    assert np.array_equal(joined.class_counts, table.by_class.by_bin(ends))
    assert np.array_equal(joined.part_counts, table.by_part.by_bin(ends))


def test_thinning_makes_groups_of_about_equal_size():
    table = count(np.arange(10_000.0), np.zeros(10_000, dtype=int))
    joined, _ = thin(table, 100)
    assert joined.n_values == 100
    assert set(joined.class_counts[:, 0]) == {100}


def test_places():
    table = ColumnCounts.from_dense([1.0, 2.3, 2.9], [[1, 0], [0, 1], [1, 0]])
    gaps = np.array([1, 0])
    assert place_cuts(table, gaps).tolist() == [2.5999999999999996, 1.65]
    assert place_cuts(table, gaps, "readable").tolist() == [2.6, 2.0]
    assert place_cuts(table, gaps, "value").tolist() == [2.3, 1.0]


def test_weights_of_any_size_become_whole_numbers():
    units, unit = whole_weights(np.array([1e-300, 1.0, 0.3]))
    assert units.min() == 1
    assert units[1:] * unit == pytest.approx([1.0, 0.3], rel=1e-12)


def test_the_unit_of_weights_does_not_depend_on_their_order():
    """Ten tenths are one; added up one by one they are a little less, and the unit would be half as large."""
    assert np.cumsum(np.full(10, 0.1))[-1] < 1.0
    assert whole_weights(np.full(10, 0.1))[1] == 2.0**-45


def test_counts_that_64_bits_cannot_hold_are_not_added():
    table = ColumnCounts.from_dense([1.0], [[1 << 62, 0]])
    with pytest.raises(ValueError, match="more than 64 bits can hold"):
        table + table
