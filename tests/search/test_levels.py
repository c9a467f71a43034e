"""The search by levels: known cuts, its plain twin, and the consistency that it keeps."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutwise.counts import place_cuts
from cutwise.criteria import (
    BoundedInconsistency,
    ColumnFreedom,
    Consistency,
    KeptMajorities,
    KeptPurity,
    PairFreedom,
    RowGrouping,
    ScaledPairFreedom,
)
from cutwise.search import BinLimits, LevelSearch
from tests.search import reference_levels
from tests.search.chi_tables import joint_table

ALIKENESS = (ColumnFreedom(), PairFreedom(), ScaledPairFreedom())
TESTS = (BoundedInconsistency(0.0), BoundedInconsistency(0.1), KeptPurity(), KeptMajorities())
X = [(1, 5), (2, 1), (3, 4), (4, 2), (5, 6), (6, 3), (7, 9), (8, 7), (9, 8), (10, 10)]
Y = [0, 0, 0, 1, 1, 0, 1, 1, 1, 1]


def cuts_of(joint, found):
    return [place_cuts(table, one.gaps).tolist() for table, one in zip(joint.tables, found, strict=True)]


def grouping_of(joint, found):
    rows = RowGrouping(joint)
    for column, (table, one) in enumerate(zip(joint.tables, found, strict=True)):
        if table.n_values:
            rows = rows.with_bins(column, table.bin_ends(one.gaps) - 1)
    return rows


@st.composite
def joint_tables(draw, max_rows=25):
    n_rows = draw(st.integers(1, max_rows))
    numbers = st.one_of(st.integers(0, 8).map(float), st.just(np.nan))

    def rows_of(items):
        return draw(st.lists(items, min_size=n_rows, max_size=n_rows))

    x = np.array([rows_of(numbers) for _ in range(draw(st.integers(1, 3)))]).T
    nominal = [rows_of(st.integers(-1, 2)) for _ in range(draw(st.integers(0, 1)))]
    weights = draw(st.one_of(st.none(), st.just(rows_of(st.integers(1, 3)))))
    return joint_table(x, rows_of(st.integers(0, 2)), 3, nominal, weights)


@pytest.mark.parametrize("alikeness", ALIKENESS[1:])
def test_known_cuts(alikeness):
    joint = joint_table(X, Y, 2)
    found = LevelSearch(alikeness, KeptPurity()).run(joint)
    assert cuts_of(joint, found) == [[3.5, 5.5, 6.5], []]
    assert [one.stop for one in found] == ["consistency", "all_merged"]
    assert grouping_of(joint, found).consistency().purity == 1.0


@settings(max_examples=40)
@given(joint_tables(), st.sampled_from(ALIKENESS), st.sampled_from(TESTS))
def test_equals_the_plain_search(joint, alikeness, test):
    levels = [0.5]
    while levels[-1] * 0.6 >= 1e-4:
        levels.append(levels[-1] * 0.6)

    def holds(now, at_first):
        return test.holds(Consistency(*now), Consistency(*at_first))

    found = LevelSearch(alikeness, test, factor=0.6, last_level=1e-4).run(joint)
    columns = reference_levels.search(joint, alikeness, holds, levels)
    for table, one, bins in zip(joint.tables, found, columns, strict=True):
        if one.stop in ("one_value", "one_class", "no_values"):
            assert one.gaps.size == 0
        else:
            assert one.gaps.tolist() == [last for last, _ in bins[:-1]]
        assert table.n_values == 0 or bins[-1][0] == table.n_values - 1


@given(joint_tables(60), st.sampled_from(ALIKENESS), st.sampled_from(TESTS))
def test_the_consistency_is_kept(joint, alikeness, test):
    found = LevelSearch(alikeness, test).run(joint)
    at_first = RowGrouping(joint).consistency()
    assert test.holds(grouping_of(joint, found).consistency(), at_first)


@given(joint_tables(40), st.sampled_from(ALIKENESS), st.integers(1, 3), st.sampled_from([0.0, 4.0]))
def test_limits_are_met(joint, alikeness, max_bins, min_rows):
    free = LevelSearch(alikeness).run(joint)
    found = LevelSearch(alikeness).run(joint, BinLimits(max_bins, min_rows))
    for table, one, other in zip(joint.tables, found, free, strict=True):
        assert set(one.gaps.tolist()) <= set(other.gaps.tolist())
        if one.gaps.size:
            assert one.gaps.size < max_bins
            assert table.by_class.by_bin(table.bin_ends(one.gaps)).sum(axis=1).min() >= min_rows


def test_rates_in_one_direction():
    rng = np.random.default_rng(0)
    x = rng.integers(0, 40, (400, 2)).astype(float)
    joint = joint_table(x, rng.random(400) < 0.3 + x[:, 0] / 100, 2)
    for direction in (-1, 1):
        for table, one in zip(joint.tables, LevelSearch().run(joint, BinLimits(direction=direction)), strict=True):
            counts = table.by_class.by_bin(table.bin_ends(one.gaps))
            rates = counts[:, 1] / counts.sum(axis=1)
            assert (direction * np.diff(rates) >= -1e-12).all()


def test_reasons_to_stop():
    y = np.repeat([0, 1], 50)
    joint = joint_table(np.arange(100.0)[:, None], y, 2)
    assert LevelSearch().run(joint)[0].stop == "last_level"
    assert LevelSearch().run(joint, BinLimits(min_rows=60))[0].stop == "all_merged"
    waves = joint_table(np.arange(100.0)[:, None], np.arange(100) // 10 % 2, 2)
    assert LevelSearch().run(waves)[0].stop == "consistency"
    assert LevelSearch().run(waves, BinLimits(max_bins=3))[0].stop == "limit"


def test_columns_without_anything_to_cut():
    x = np.array(
        [[1.0, np.nan, 5.0, 1.0], [2.0, np.nan, 5.0, np.nan], [3.0, np.nan, 5.0, 2.0], [4.0, np.nan, 5.0, np.nan]]
    )
    found = LevelSearch().run(joint_table(x, [0, 1, 0, 1], 2))
    assert [one.stop for one in found[1:]] == ["no_values", "one_value", "one_class"]
    assert LevelSearch().run(joint_table(np.empty((4, 0)), [0, 1, 0, 1], 2)) == []


def test_weights_count_as_rows():
    rng = np.random.default_rng(1)
    x, y = rng.integers(0, 15, (80, 3)).astype(float), rng.integers(0, 3, 80)
    weights = rng.integers(1, 4, 80)
    for alikeness in ALIKENESS:
        for test in TESTS:
            search = LevelSearch(alikeness, test)
            one = search.run(joint_table(x, y, 3, weights=weights))
            other = search.run(joint_table(np.repeat(x, weights, axis=0), np.repeat(y, weights), 3))
            assert [found.gaps.tolist() for found in one] == [found.gaps.tolist() for found in other]


def test_a_nominal_column_can_make_cuts_needless():
    y = np.array([0, 1] * 20)
    x = np.arange(40.0)[:, None]
    assert LevelSearch().run(joint_table(x, y, 2))[0].gaps.size == 39
    assert LevelSearch().run(joint_table(x, y, 2, nominal=[y]))[0].gaps.size == 0
