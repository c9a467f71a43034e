"""Grouping by hashing equals grouping by a dictionary."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from cutwise.kernels.joint import grouping
from tests.kernels import reference_grouping as reference

SYMBOLS = hnp.arrays(np.int32, st.tuples(st.integers(1, 4), st.integers(0, 60)), elements=st.integers(-3, 3))


def keys_of(symbols):
    keys = np.zeros(symbols.shape[1], dtype=np.uint64)
    for column, row_symbols in enumerate(symbols):
        grouping.add_symbols(keys, column, row_symbols)
    return keys


@given(SYMBOLS, st.data())
def test_counting_groups(symbols, data):
    n_rows = symbols.shape[1]
    classes = data.draw(hnp.arrays(np.int64, n_rows, elements=st.integers(0, 3)))
    weights = data.draw(hnp.arrays(np.int64, n_rows, elements=st.integers(0, 5)))
    keys, rows = keys_of(symbols), list(map(tuple, symbols.T.tolist()))
    assert len(set(keys.tolist())) == len(set(rows))
    none = np.empty(0, dtype=np.int64)
    assert grouping.count_groups(keys, classes, none) == reference.count_groups(rows, classes.tolist(), [1] * n_rows)
    if n_rows:
        expected = reference.count_groups(rows, classes.tolist(), weights.tolist())
        assert grouping.count_groups(keys, classes, weights) == expected


@given(SYMBOLS, st.data())
def test_changing_bins(symbols, data):
    """Replacing the summand of a column gives the keys that one would have begun with."""
    column = data.draw(st.integers(0, len(symbols) - 1))
    n_values = 4
    old = sorted({*data.draw(st.sets(st.integers(0, n_values - 1))), n_values - 1})
    new = sorted({*data.draw(st.sets(st.sampled_from(old))), n_values - 1})
    ranks = symbols[column].copy()

    def with_bins(lasts):
        starts = np.array(reference.bin_starts(lasts), dtype=np.int32)
        binned = symbols.copy()
        binned[column] = np.where(ranks < 0, ranks, starts[np.maximum(ranks, 0)])
        return keys_of(binned)

    before = with_bins(old)
    after = grouping.change_bins(before, column, ranks, np.array(old), np.array(new))
    assert after.tolist() == with_bins(new).tolist()


def test_keys_of_many_rows_differ():
    symbols = np.stack([np.arange(200_000) // 500, np.arange(200_000) % 500]).astype(np.int32)
    assert np.unique(keys_of(symbols)).size == 200_000
    # Only pairs of symbols below 400 are also there with the columns swapped.
    swapped = keys_of(symbols[::-1].copy())
    assert np.intersect1d(keys_of(symbols), swapped).size == 400 * 400
