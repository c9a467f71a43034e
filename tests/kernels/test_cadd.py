"""The kernels of CADD equal their plain-Python twins."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cutwise import kernels
from cutwise.counts import ColumnCounts
from cutwise.kernels.inputs import LabelledRows, SearchBounds
from tests.kernels import reference_cadd as reference
from tests.strategies import count_tables


def tables_of_terms(counts):
    n_rows = int(counts.sum())
    scale = kernels.bins.terms.choose_scale(n_rows)
    return kernels.bins.terms.fill_count_terms(n_rows, scale), scale


@given(count_tables(max_values=14, max_classes=3), st.data())
def test_climbing(tables, data):
    counts = tables[0]
    n_values = len(counts)
    if np.count_nonzero(counts.sum(axis=0)) < 2:
        return
    gaps = sorted(data.draw(st.sets(st.integers(0, n_values - 2), min_size=1)))
    terms, scale = tables_of_terms(counts)
    table = ColumnCounts.from_dense(np.arange(n_values), counts)
    entries = table.by_class
    ends = table.bin_ends(np.array(gaps))
    by_label = entries.by_bin(ends)
    rows = by_label.sum(axis=1)
    labelled = LabelledRows(entries.starts, entries.labels, entries.counts, entries.n_labels)
    n_moves = kernels.bins.cadd.climb(labelled, ends, by_label, rows, terms, scale)
    assert ((ends[:-1] - 1).tolist(), n_moves) == reference.climb(counts.tolist(), gaps, scale)
    assert np.array_equal(by_label, entries.by_bin(ends))
    assert np.array_equal(rows, by_label.sum(axis=1))


def test_a_long_climb_takes_the_best_move_each_time():
    """Many cuts and many moves: winners change while CAIR rises."""
    rng = np.random.default_rng(0)
    counts = rng.integers(0, 3, (80, 3))
    counts[np.arange(80), (np.arange(80) // 7) % 3] += 3
    gaps = list(range(3, 79, 5))
    terms, scale = tables_of_terms(counts)
    table = ColumnCounts.from_dense(np.arange(80), counts)
    ends = table.bin_ends(np.array(gaps))
    by_label = table.by_class.by_bin(ends)
    entries = table.by_class
    labelled = LabelledRows(entries.starts, entries.labels, entries.counts, entries.n_labels)
    n_moves = kernels.bins.cadd.climb(labelled, ends, by_label, by_label.sum(axis=1), terms, scale)
    expected, n_expected = reference.climb(counts.tolist(), gaps, scale)
    assert (ends[:-1] - 1).tolist() == expected
    assert n_moves == n_expected > 20


BOUNDS = st.builds(SearchBounds, st.integers(0, 12), st.integers(0, 8), st.sampled_from([-1, 0, 1]))


@given(count_tables(max_values=12), BOUNDS, st.sampled_from([0.0, 0.5, 2.0, 5.0]))
def test_merging(tables, bounds, threshold):
    counts = tables[0]
    if counts.shape[1] > 2:
        bounds = bounds._replace(riser=-1)
    terms, scale = tables_of_terms(counts)
    found = kernels.bins.cadd.merge_alike(counts.copy(), counts.sum(axis=1), terms, scale, bounds, threshold * scale)
    assert found.tolist() == reference.merge_alike(counts.tolist(), scale, bounds, threshold * scale)


@given(st.lists(st.integers(0, 1 << 45), min_size=4, max_size=4))
def test_rates_of_huge_counts(numbers):
    table = np.array(numbers, dtype=np.int64).reshape(2, 2)
    (a, b), (c, d) = table.tolist()
    assert kernels.bins.cadd.falls(0, 1, table, 1) == (b * c > d * a)


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=20), st.data())
def test_the_tree_of_minima(keys, data):
    tree = kernels.bins.cadd.plant(np.array(keys), np.int64(1 << 61))
    for _ in range(5):
        assert kernels.bins.cadd.first_leaf(tree) == keys.index(min(keys))
        leaf = data.draw(st.integers(0, len(keys) - 1))
        keys[leaf] = data.draw(st.integers(-9, 9))
        kernels.bins.cadd.set_leaf(tree, leaf, keys[leaf])
