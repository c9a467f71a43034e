"""Greedy and exact search."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutwise.counts import ColumnCounts, RowGroups, count_column
from cutwise.criteria import ExpectedDivergence, NoDivergence, Psi, SplitDivergence
from cutwise.search import ExactSearch, GreedySearch
from cutwise.search.unsupervised import equal_frequency_gaps
from tests.strategies import count_tables

CRITERIA = st.builds(
    Psi,
    st.sampled_from([1.0, 5.0, 50.0]),
    st.sampled_from([NoDivergence(), ExpectedDivergence(4), SplitDivergence((1,)), SplitDivergence((0, 1, 2))]),
)


def sample(n_rows, n_values, seed, noise=1.0):
    rng = np.random.default_rng(seed)
    x = rng.integers(0, n_values, n_rows).astype(float)
    y = (np.sin(x * 9 / n_values) + noise * rng.normal(size=n_rows) > 0).astype(int)
    return count_column(x, RowGroups(y, 2, np.arange(n_rows) % 3, 3))


@given(count_tables(max_values=30, max_classes=4), CRITERIA)
def test_greedy_never_scores_better_than_exact(tables, criterion):
    table = ColumnCounts.from_dense(np.arange(len(tables[0])), *tables)
    greedy, exact = GreedySearch().run(criterion, table), ExactSearch().run(criterion, table)
    if exact.score is None:
        assert greedy.gaps.size == exact.gaps.size == 0
        return
    assert greedy.score.value <= exact.score.value * (1 + 1e-9) + 1e-12
    for found in (greedy, exact):
        assert found.score == pytest.approx(criterion.score(table, found.gaps), abs=1e-10)


@pytest.mark.parametrize("divergence", [ExpectedDivergence(), SplitDivergence((0, 1, 2)), NoDivergence()])
@pytest.mark.parametrize("n_d", [5.0, 50.0])
@pytest.mark.parametrize("noise", [0.3, 3.0])
def test_no_single_change_improves_the_exact_scheme(divergence, n_d, noise):
    table = sample(3000, 150, seed=3, noise=noise)
    criterion = Psi(n_d, divergence)
    found = ExactSearch().run(criterion, table)
    gaps = set(found.gaps.tolist())
    best = found.score.value + 1e-9
    for gap in range(table.n_values - 1):
        assert criterion.score(table, sorted(gaps ^ {gap})).value <= best
    for old in gaps:
        for shift in (-1, 1, -5, 5):
            moved = (gaps - {old}) | {min(max(old + shift, 0), table.n_values - 2)}
            assert criterion.score(table, sorted(moved)).value <= best


def test_the_steps_tell_the_whole_story():
    table = sample(2000, 80, seed=1)
    criterion = Psi(50.0, ExpectedDivergence())
    found = GreedySearch().run(criterion, table)
    assert len(found.steps) == found.gaps.size > 2
    for k, step in enumerate(found.steps, start=1):
        so_far = sorted(s.gap for s in found.steps[:k])
        assert step.score == pytest.approx(criterion.score(table, so_far), abs=1e-10)
    psis = [step.score.value for step in found.steps]
    assert psis == sorted(psis)
    assert found.refused.score.value <= psis[-1]


def test_each_step_takes_the_best_gap():
    table = sample(800, 60, seed=2)
    for divergence in (ExpectedDivergence(), SplitDivergence((0, 1, 2))):
        criterion = Psi(20.0, divergence)
        found = GreedySearch().run(criterion, table)
        taken = []
        for step in (*found.steps, found.refused):
            others = [criterion.score(table, [*taken, gap]).value for gap in range(59) if gap not in taken]
            assert step.score.value == pytest.approx(max(others), rel=2e-9)
            taken.append(step.gap)


def test_many_cuts_outgrow_the_first_room():
    table = count_column(np.arange(400.0), RowGroups(np.arange(400) % 2, 2))
    found = GreedySearch().run(Psi(), table)
    assert found.gaps.size == 399
    assert found.stop == "all_cut"
    assert GreedySearch(20).run(Psi(), table).gaps.size == 20


@pytest.mark.parametrize("divergence", [NoDivergence(), ExpectedDivergence()])
def test_counts_beyond_the_tables_are_computed(divergence):
    million = 10**6
    table = ColumnCounts.from_dense([1, 2, 3, 4], [[3 * million, 1], [2 * million, 9], [5, million], [0, 4 * million]])
    criterion = Psi(n_d=10.0, divergence=divergence)
    assert criterion.inputs(table)[2].beyond is not None
    found = GreedySearch().run(criterion, table)
    best = max(([gap] for gap in range(3)), key=lambda gaps: criterion.score(table, gaps).value)
    assert found.steps[0].gap == best[0] == 1
    assert found.score.value == pytest.approx(criterion.score(table, found.gaps).value, rel=1e-12)


def test_a_large_column_is_thinned_for_the_exact_search():
    table = sample(5000, 1000, seed=4)
    whole = ExactSearch(2000).run(Psi(50.0, ExpectedDivergence()), table)
    grid = ExactSearch(100).run(Psi(50.0, ExpectedDivergence()), table)
    assert whole.n_candidates is None
    assert grid.n_candidates == 99
    assert grid.score.value <= whole.score.value
    assert grid.score.value > 0.9 * whole.score.value
    assert grid.score == pytest.approx(Psi(50.0, ExpectedDivergence()).score(table, grid.gaps), abs=1e-10)


@given(st.lists(st.integers(1, 9), min_size=2, max_size=12), st.integers(2, 15))
def test_equal_frequencies_are_the_nearest_gaps(counts, n_bins):
    table = ColumnCounts.from_dense(np.arange(len(counts)), np.array(counts)[:, None])
    below = np.cumsum(counts).tolist()
    targets = [Fraction(below[-1] * part, n_bins) for part in range(1, n_bins)]
    gaps = range(len(counts) - 1)
    expected = {min(gaps, key=lambda gap: (abs(target - below[gap]), gap)) for target in targets}
    assert equal_frequency_gaps(table, n_bins).tolist() == sorted(expected)


@given(st.lists(st.integers(1, 6), min_size=2, max_size=9), st.integers(2, 60))
def test_more_parts_than_values(counts, n_bins):
    """Gap by gap gives what part by part gives, in memory that does not follow the parts."""
    table = ColumnCounts.from_dense(np.arange(len(counts)), np.array(counts)[:, None])
    below = table.rows_up_to
    nearest = set()
    for part in range(1, n_bins):
        wanted = Fraction(part * int(below[-1]), n_bins)
        nearest.add(min(range(len(counts) - 1), key=lambda gap: (abs(int(below[gap]) - wanted), gap)))
    assert equal_frequency_gaps(table, n_bins).tolist() == sorted(nearest)
    assert equal_frequency_gaps(table, 10**15).tolist() == list(range(len(counts) - 1))
