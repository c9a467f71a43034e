"""The kernels of MODL equal their plain-Python twins."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutwise import kernels
from cutwise.counts import CountTable
from cutwise.criteria import ModlCriterion
from cutwise.kernels.inputs import FactorialTerms
from cutwise.kernels.reference import bins_of
from tests.kernels import reference_modl as reference
from tests.strategies import count_tables

UNITS = st.sampled_from([1.0, 1.0, 0.3, 2.0**-30])


def prepare(counts, unit, *, unlabelled=False):
    """Return a table's entries and terms."""
    factor = 1 if unit > 0.1 else 1 << 30
    table = CountTable.from_dense(np.arange(len(counts)), counts * factor)
    table = replace(table, unit=unit)
    return counts * factor, table.by_class.labelled, ModlCriterion(unlabelled=unlabelled).terms(table)


@given(st.integers(1, 10**9), st.integers(2, 50), UNITS, st.integers(0, 10**9))
def test_rounded_log_factorials(count, n_classes, unit, n_cuts):
    """They are those of the standard library, up to the last bits and one rounding."""
    terms = FactorialTerms(np.empty(0, dtype=np.int64), unit, 2.0**10, n_classes, math.lgamma(n_classes), count * unit)
    rows = count * unit

    def close(found, *gammas):
        expected = math.fsum(sign * math.lgamma(number) for sign, number in gammas)
        largest = max(abs(math.lgamma(number)) for _, number in gammas)
        assert abs(found / terms.scale - expected) <= 1e-3 + 1e-14 * largest

    close(kernels.modl.log_factorial(rows, terms.scale), (1, rows + 1))
    close(kernels.modl.bin_term(count, terms), (1, rows + n_classes), (-1, n_classes))
    close(kernels.modl.prior(n_cuts, terms), (1, rows + n_cuts + 1), (-1, n_cuts + 1), (-1, rows + 1))
    table = kernels.modl.fill_log_factorials(100, unit, terms.scale)
    assert table.tolist() == [kernels.modl.log_factorial(n * unit, terms.scale) for n in range(101)]


@given(st.floats(0.1, 1e12), st.integers(1, 1000))
def test_the_scale_leaves_room(weight, n_classes):
    """The terms of all bins together are at most those of a row each."""
    scale = kernels.modl.choose_scale(weight, n_classes)
    assert math.log2(scale).is_integer()
    assert weight * math.log(weight + n_classes) * scale <= 2**40


@given(count_tables(max_classes=4), UNITS, st.integers(0, 12))
def test_scores_of_all_bins(tables, unit, min_count):
    counts, labelled, terms = prepare(tables[0], unit)
    n_values = len(counts)
    scores = kernels.modl.fill_scores(labelled, terms, min_count)
    for stop in range(1, n_values + 1):
        for start in range(stop):
            row = counts[start:stop].sum(axis=0).tolist()
            expected = -reference.term(row, terms)
            if sum(row) < min_count and stop - start < n_values:
                expected = -math.inf
            assert scores[stop * (stop - 1) // 2 + start] == expected
    offsets = kernels.modl.fill_offsets(n_values - 1, terms)
    assert offsets.tolist() == [-kernels.modl.prior(cut, terms) for cut in range(n_values)]


@given(st.lists(st.integers(0, 9), min_size=1, max_size=6).filter(any), st.integers(0, 40))
def test_sharing_out_equals_one_row_at_a_time(labelled, rest):
    """The closed form gives the same cost as the rule that is known to be optimal."""
    rows = sum(labelled) + rest
    shares = np.empty(len(labelled), dtype=np.int64)
    kernels.modl.share_out(np.array(labelled, dtype=np.int64), rows, sum(labelled), shares)
    expected = reference.share_out(labelled, rows)
    assert shares.sum() == rows

    def ways(parts):
        return math.prod(math.perm(int(n), m) for n, m in zip(parts, labelled, strict=True))

    assert ways(shares) == ways(expected)


@given(st.lists(st.integers(0, 9), min_size=1, max_size=4).filter(any), st.integers(0, 9), st.randoms())
def test_the_order_of_classes_does_not_change_the_shared_term(labelled, rest, random):
    row = np.array([[*labelled, rest]])
    _, _, terms = prepare(np.vstack([row, row]), 1.0, unlabelled=True)
    order = list(range(len(labelled)))
    random.shuffle(order)
    room = np.empty(len(labelled), dtype=np.int64)
    one = kernels.modl.unlabelled_term(row[0], row.sum(), terms, room)
    other = kernels.modl.unlabelled_term(row[0][[*order, -1]], row.sum(), terms, room)
    assert one == other


def test_huge_counts_are_shared_out():
    shares = np.empty(3, dtype=np.int64)
    labelled = np.array([1 << 40, 1 << 41, 0])
    kernels.modl.share_out(labelled, 1 << 42, 3 << 40, shares)
    assert shares.sum() == 1 << 42
    assert shares[1] / shares[0] == pytest.approx(2)


@given(count_tables(max_classes=3))
def test_joining_pure_runs(tables):
    counts, labelled, _ = prepare(tables[0], 1.0)
    lasts, starts, labels, run_counts = kernels.modl_merge.join_pure_runs(
        labelled.starts, labelled.labels, labelled.counts
    )
    expected_lasts, expected = reference.join_pure_runs(counts.tolist())
    dense = np.zeros((lasts.size, counts.shape[1]), dtype=np.int64)
    for run in range(lasts.size):
        for entry in range(starts[run], starts[run + 1]):
            dense[run, labels[entry]] += run_counts[entry]
    assert lasts.tolist() == expected_lasts
    assert dense.tolist() == expected


@given(count_tables(max_values=14), UNITS, st.integers(0, 8), st.integers(1, 14))
def test_merging(tables, unit, min_count, max_bins):
    counts, _, terms = prepare(tables[0], unit)
    expected = reference.merge_bins(counts.tolist(), terms, min_count, max_bins)
    n_left, best = kernels.modl_merge.merge_bins(counts.copy(), counts.sum(axis=1), terms, min_count, max_bins)
    assert (n_left.tolist(), best) == expected


@given(count_tables(max_values=10), UNITS, st.integers(0, 8), st.integers(1, 10), st.data())
def test_small_changes(tables, unit, min_count, max_bins, data):
    counts, labelled, terms = prepare(tables[0], unit)
    gaps = sorted(data.draw(st.sets(st.integers(0, len(counts) - 2), max_size=max_bins - 1)))
    if min(map(sum, bins_of(counts.tolist(), gaps))) < min_count:
        gaps = []
    args = (terms, min_count, max_bins, 0)
    expected = reference.polish(gaps, counts.tolist(), *args)
    found = kernels.modl_polish.polish(np.array(gaps, dtype=np.int64), labelled, *args)
    assert found.tolist() == expected


def test_small_changes_with_more_classes_than_values():
    rng = np.random.default_rng(5)
    counts = np.zeros((9, 60), dtype=np.int64)
    counts[np.arange(9), rng.integers(0, 60, 9)] = rng.integers(1, 50, 9)
    counts[:, 3] += rng.integers(0, 3, 9)
    counts, labelled, terms = prepare(counts, 1.0)
    args = (terms, 0, 9, 0)
    found = kernels.modl_polish.polish(np.array([2, 5]), labelled, *args)
    assert found.tolist() == reference.polish([2, 5], counts.tolist(), *args)
