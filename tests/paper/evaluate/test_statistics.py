"""Ranks, wins and the tests over many methods: against scipy and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import f, friedmanchisquare

from cutwise.paper.evaluate import (
    average_ranks,
    best_counts,
    complete_block,
    friedman_test,
    holm_adjusted,
    holm_test,
    nemenyi_difference,
    pairwise_outcomes,
)

# Ranks 1 2 3, 1 3 2, 1 2 3, 2 1 3.
SMALL = np.array([[9.0, 5.0, 1.0], [9.0, 1.0, 5.0], [9.0, 5.0, 1.0], [5.0, 9.0, 1.0]])

tables = st.integers(3, 6).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 8).map(float), min_size=k, max_size=k), min_size=2, max_size=12)
)


def test_a_table_worked_by_hand():
    assert average_ranks(SMALL).tolist() == [1.25, 2.0, 2.75]
    assert best_counts(SMALL).tolist() == [3, 1, 0]
    found = friedman_test(SMALL)
    # 12 n / (k (k + 1)) times the sum of the squared mean ranks less k (k + 1)² / 4.
    assert found.chi_square == pytest.approx(4 * (1.25**2 + 2**2 + 2.75**2 - 12))
    assert found.f == pytest.approx(3 * 4.5 / (4 * 2 - 4.5))
    assert found.f_p_value == pytest.approx(f.sf(found.f, 2, 6))
    # The standard error of a difference is sqrt(3 * 4 / 24): z = 1.0607 and 2.1213.
    assert holm_test(SMALL) == pytest.approx([np.nan, 0.28884, 2 * 0.03389], abs=1e-4, nan_ok=True)
    assert holm_test(SMALL, control=1) == pytest.approx([2 * 0.28884, np.nan, 2 * 0.28884], abs=1e-4, nan_ok=True)


@given(tables)
def test_friedman_equals_scipy(accuracies):
    table = np.array(accuracies)
    found = friedman_test(table)
    if (table == table[:, :1]).all():
        assert found == (0.0, 1.0, 0.0, 1.0)
        return
    peer = friedmanchisquare(*table.T)
    assert found.chi_square == pytest.approx(peer.statistic, abs=1e-9)
    assert found.p_value == pytest.approx(peer.pvalue, rel=1e-9)
    assert found.f >= 0.0
    assert 0.0 <= found.f_p_value <= 1.0


def test_friedman_of_methods_in_the_same_order_everywhere():
    found = friedman_test([[3.0, 2.0, 1.0]] * 5)
    assert found.chi_square == pytest.approx(10.0)
    assert found.f == np.inf
    assert found.f_p_value == 0.0


@given(tables)
def test_ranks_and_wins(accuracies):
    table = np.array(accuracies)
    n, k = table.shape
    ranks = average_ranks(table)
    assert ranks.sum() == pytest.approx(k * (k + 1) / 2)
    outcomes = pairwise_outcomes(table)
    assert (outcomes.wins + outcomes.ties + outcomes.losses == n).all()
    assert np.array_equal(outcomes.wins, outcomes.losses.T)
    # A method's rank is one more than the methods that beat it, ties counted half.
    assert ranks == pytest.approx(0.5 + (outcomes.losses + outcomes.ties / 2).sum(axis=1) / n)
    best = best_counts(table)
    assert best.sum() >= n
    assert best.max() <= n


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_by_its_definition(p_values):
    adjusted = holm_adjusted(p_values)
    order = np.argsort(p_values, kind="stable")
    for place, index in enumerate(order):
        steps = [(len(p_values) - step) * p_values[order[step]] for step in range(place + 1)]
        assert adjusted[index] == min(1.0, max(steps))


@given(tables)
def test_holm_compares_with_the_best_or_a_named_method(accuracies):
    best = int(average_ranks(accuracies).argmin())
    assert np.array_equal(holm_test(accuracies), holm_test(accuracies, best), equal_nan=True)
    assert np.isnan(holm_test(accuracies, 1)).tolist() == [k == 1 for k in range(len(accuracies[0]))]


def test_the_critical_difference_grows_with_methods_and_falls_with_data_sets():
    assert nemenyi_difference(5, 45) < nemenyi_difference(20, 45) < nemenyi_difference(20, 10)
    # Demsar 2006: 1.25 for four methods on 14 data sets, 1.12 for alpha = 0.1; q of ten methods is 3.164.
    assert nemenyi_difference(4, 14) == pytest.approx(1.25, abs=0.005)
    assert nemenyi_difference(4, 14, alpha=0.1) == pytest.approx(1.12, abs=0.005)
    assert nemenyi_difference(10, 45) / np.sqrt(110 / 270) == pytest.approx(3.164, abs=5e-4)


@given(st.lists(st.lists(st.sampled_from([1.0, 2.0, np.nan]), min_size=4, max_size=4), min_size=1, max_size=6))
def test_the_block_has_no_gaps(accuracies):
    table = np.array(accuracies)
    rows, columns = complete_block(table)
    assert not np.isnan(table[np.ix_(rows, columns)]).any()
    if not np.isnan(table).any():
        assert rows.all()
        assert columns.all()
    if not np.isnan(table).all():
        assert rows.any()
        assert columns.any()


def test_the_block_leaves_out_what_lacks_most():
    table = np.ones((10, 5))
    table[:9, 4] = np.nan  # a method that has hardly begun
    table[3, 0] = np.nan  # one data set that failed
    rows, columns = complete_block(table)
    assert columns.tolist() == [True] * 4 + [False]
    assert np.flatnonzero(~rows).tolist() == [3]


def test_the_block_rather_leaves_out_a_data_set():
    rows, columns = complete_block([[1.0, np.nan], [1.0, 1.0]])
    assert (rows.tolist(), columns.tolist()) == ([False, True], [True, True])


@pytest.mark.parametrize("test", [average_ranks, best_counts, pairwise_outcomes, friedman_test, holm_test])
def test_bad_tables_are_named(test):
    with pytest.raises(ValueError, match=r"shape \(3,\)"):
        test([1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match=r"shape \(1, 1\)"):
        test([[1.0]])
    with pytest.raises(ValueError, match="method 1 on data set 0 is nan"):
        test([[1.0, np.nan]])


def test_bad_choices_are_named():
    with pytest.raises(ValueError, match="control=2 is no column"):
        holm_test([[1.0, 2.0]], control=2)
    with pytest.raises(ValueError, match="No critical difference for 1 methods"):
        nemenyi_difference(1, 45)
