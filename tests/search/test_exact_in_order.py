"""The exact search with a class rate that never falls equals trying every scheme."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutwise.counts import ColumnCounts
from cutwise.criteria import ExpectedDivergence, ModlCriterion, NoDivergence, Psi, SplitDivergence
from cutwise.kernels import reference
from cutwise.search import BinLimits, ExactSearch, GreedySearch, ModlSearch, in_order, modl
from tests.kernels.test_against_reference import divergence_term
from tests.kernels.test_hard_cases import uneven_table
from tests.strategies import count_tables

CRITERIA = st.builds(
    Psi,
    st.sampled_from([0.5, 5.0, 50.0]),
    st.sampled_from([NoDivergence(), ExpectedDivergence(4), SplitDivergence((1,)), SplitDivergence((0, 1, 2))]),
)
LIMITS = st.builds(
    BinLimits, st.one_of(st.none(), st.integers(1, 6)), st.integers(0, 10).map(float), st.sampled_from([-1, 1])
)


@given(count_tables(max_values=9, max_classes=2, max_count=7), CRITERIA, LIMITS)
def test_every_scheme_is_tried(tables, criterion, limits):
    table = ColumnCounts.from_dense(np.arange(len(tables[0])), *tables)
    found = ExactSearch().run(criterion, table, limits)
    if found.score is None:
        return
    _, _, terms = criterion.inputs(table)
    term = divergence_term(criterion.divergence, table, terms)
    bounds = limits.bounds(table)
    counts = table.class_counts.tolist()
    best = reference.best_psi(counts, term, terms.n_rows, terms.scale, criterion.n_d, bounds)
    assert found.score.value == pytest.approx(best, rel=2e-9, abs=2e-12)
    assert found.gaps.size <= bounds.max_cuts
    assert reference.fits(counts, found.gaps.tolist(), bounds.min_count, bounds.riser)


def trend(n_values, seed=0):
    rng = np.random.default_rng(seed)
    rows = rng.integers(5, 60, n_values)
    rate = np.clip(np.linspace(0.1, 0.9, n_values) + 0.2 * rng.normal(size=n_values), 0, 1)
    ones = rng.binomial(rows, rate)
    return ColumnCounts.from_dense(np.arange(n_values), np.column_stack([rows - ones, ones]))


def test_greedy_never_scores_better():
    for seed in range(10):
        table, criterion = trend(80, seed), Psi(50.0, ExpectedDivergence())
        limits = BinLimits(direction=1)
        greedy, exact = (search.run(criterion, table, limits) for search in (GreedySearch(), ExactSearch()))
        free = ExactSearch().run(criterion, table)
        assert greedy.score.value <= exact.score.value + 1e-12 <= free.score.value + 1e-9


def test_many_values_are_searched_on_a_grid():
    found = ExactSearch().run(Psi(50.0, ExpectedDivergence()), trend(3000), BinLimits(direction=1))
    assert found.n_candidates == 499
    assert found.gaps.size > 3


@pytest.mark.parametrize("n_d", [1.0, 4.0])
@pytest.mark.parametrize("divergence", [SplitDivergence((1,)), SplitDivergence((0, 1)), ExpectedDivergence(2)])
def test_each_number_of_cuts_is_judged_with_its_own_weight(divergence, n_d):
    for seed in range(40):
        table, criterion = uneven_table(seed, max_values=10), Psi(n_d, divergence)
        for direction in (-1, 1):
            limits = BinLimits(direction=direction)
            found = ExactSearch().run(criterion, table, limits)
            if found.score is None:
                continue
            _, _, terms = criterion.inputs(table)
            term = divergence_term(divergence, table, terms)
            counts, bounds = table.class_counts.tolist(), limits.bounds(table)
            best = reference.best_psi(counts, term, terms.n_rows, terms.scale, n_d, bounds)
            assert found.score.value == pytest.approx(best, rel=2e-9, abs=2e-12)


@given(
    count_tables(max_values=40, max_classes=2, max_count=7),
    CRITERIA,
    st.one_of(st.none(), st.integers(2, 6)),
    st.sampled_from([-1, 1]),
)
def test_gaps_that_are_sorted_out_change_nothing(tables, criterion, max_bins, direction):
    table = ColumnCounts.from_dense(np.arange(len(tables[0])), *tables)
    limits = BinLimits(max_bins, direction=direction)
    found = ExactSearch().run(criterion, table, limits)
    if found.score is None:
        return
    every = in_order._search(
        criterion, criterion.inputs(table), limits.bounds(table), np.arange(table.n_values - 1), 0.0
    )
    assert found.gaps.tolist() == every.best.tolist()


@given(count_tables(max_values=40, max_classes=2, max_count=7), st.sampled_from([-1, 1]))
def test_gaps_that_are_sorted_out_change_nothing_under_modl(tables, direction):
    table = ColumnCounts.from_dense(np.arange(len(tables[0])), tables[0])
    criterion, limits = ModlCriterion(), BinLimits(direction=direction)
    found = ModlSearch().run(criterion, table, limits)
    if found.stop != "optimum":
        return
    with patch.object(modl, "_near_gaps", lambda zeros, *_: np.arange(zeros.size - 2)):
        every = ModlSearch().run(criterion, table, limits)
    assert found.gaps.tolist() == every.gaps.tolist()
