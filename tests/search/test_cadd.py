"""CADD from the table to the cuts."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutwise.counts import ColumnCounts, RowGroups, count_column, place_cuts
from cutwise.criteria import CairCriterion, critical_values, pair_statistic
from cutwise.scheme import STOP_REASONS
from cutwise.search import BinLimits, CaddSearch
from tests.strategies import count_tables

LIMITS = st.builds(
    BinLimits,
    max_bins=st.one_of(st.none(), st.integers(1, 5)),
    min_rows=st.sampled_from([0.0, 1.0, 3.0, 7.5]),
    direction=st.sampled_from([-1, 0, 1]),
)


def run(counts, alpha=0.05, limits=None, unit=1.0):
    table = replace(ColumnCounts.from_dense(np.arange(len(counts)), counts), unit=unit)
    found = CaddSearch(alpha).run(CairCriterion(), table, limits or BinLimits())
    return found, table.by_class.by_bin(table.bin_ends(found.gaps))


@pytest.mark.parametrize(("pair", "n_cuts"), [([[4, 0], [1, 3]], 1), ([[4, 1], [3, 2]], 0)])
def test_pair_vectors(pair, n_cuts):
    found, _ = run(np.array(pair) * 2, alpha=0.005)
    assert found.gaps.size == n_cuts


def test_separated_classes():
    x = np.repeat(np.arange(12.0), 3)
    table = count_column(x, RowGroups(np.repeat([0, 1, 2], 12), 3))
    found = CaddSearch().run(CairCriterion(), table)
    assert place_cuts(table, found.gaps).tolist() == [3.5, 7.5]
    assert found.stop == "significant"
    assert found.score.value == 1.0


@given(count_tables(max_values=20, max_classes=3), st.sampled_from([0.3, 0.05]), st.sampled_from([1.0, 0.5]))
def test_neighbours_differ_significantly(tables, alpha, unit):
    counts = tables[0]
    _, bins = run(counts, alpha, unit=unit)
    n_classes = int(np.count_nonzero(counts.sum(axis=0)))
    for pair in pairwise(bins):
        assert pair_statistic(pair, unit) >= critical_values(alpha, n_classes)[-1] - 1e-9


@given(count_tables(max_values=20), LIMITS, st.sampled_from([1.0, 0.4]))
def test_limits_are_kept(tables, limits, unit):
    counts = tables[0]
    if counts.shape[1] > 2:
        limits = replace(limits, direction=0)
    found, bins = run(counts, 0.5, limits, unit)
    assert found.stop in STOP_REASONS
    assert limits.max_bins is None or len(bins) <= limits.max_bins
    if len(bins) == 1:
        return
    assert (bins.sum(axis=1) * unit >= limits.min_rows).all()
    for left, right in pairwise(bins[:, :: limits.direction or 1]):
        assert limits.direction == 0 or left[1] * right[0] <= right[1] * left[0]


@given(count_tables(max_values=12, max_classes=3), st.permutations([0, 1, 2]))
def test_the_order_of_classes_does_not_matter(tables, order):
    counts = tables[0]
    other = counts[:, [label for label in order if label < counts.shape[1]]]
    assert run(counts)[0].gaps.tolist() == run(other)[0].gaps.tolist()


def test_few_rows_are_not_cut():
    """Two bins need three rows for each class in both."""
    assert run([[5, 0], [0, 6]])[0].stop == "few_rows"
    assert run([[6, 0], [0, 6]])[0].gaps.tolist() == [0]
    assert run([[60, 0], [0, 60]], unit=0.05)[0].stop == "few_rows"


def test_one_value_with_almost_all_rows():
    found, _ = run([[500, 500], [1, 0]])
    assert found.stop == "all_merged"


def test_reasons_to_stop():
    rng = np.random.default_rng(1)
    counts = rng.integers(0, 9, (60, 2))
    assert run(counts, 0.2, BinLimits(max_bins=2))[0].stop == "limit"
    assert run(counts, 1e-9)[0].stop == "all_merged"


@pytest.mark.parametrize(
    ("counts", "stop"),
    [(np.zeros((0, 2), dtype=int), "no_values"), ([[30, 40]], "one_value"), ([[30, 0], [20, 0]], "one_class")],
)
def test_degenerate_tables(counts, stop):
    found, _ = run(np.array(counts))
    assert found.stop == stop
    assert found.gaps.size == 0
