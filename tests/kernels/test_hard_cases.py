"""Tables made to catch the shortcuts of the greedy search: windows, bounds and near ties."""

from __future__ import annotations

import math

import numpy as np
import pytest

from cutwise import kernels
from cutwise.counts import ColumnCounts
from cutwise.criteria import ExpectedDivergence, Psi, SplitDivergence
from cutwise.kernels import reference
from cutwise.kernels.inputs import RowsBeside
from cutwise.search import GreedySearch
from tests.kernels.test_against_reference import FREE, check_exact, check_greedy

DIVERGENCES = [SplitDivergence((1,)), SplitDivergence((0, 1)), ExpectedDivergence(2)]


def uneven_table(seed, max_values=22):
    """Return a table whose gaps differ much in divergence, so that their order changes with the weight."""
    rng = np.random.default_rng(seed)
    n_values = int(rng.integers(8, max_values))
    rows = rng.choice([1, 1, 2, 5, 20, 60], size=n_values)
    rate = rng.random(n_values) if seed % 2 else (np.arange(n_values) // 3 % 2) * 0.6 + 0.2
    ones = rng.binomial(rows, rate)
    drift = rng.random(n_values) if seed % 3 else np.where(rng.random(n_values) < 0.3, 0.9, 0.1)
    valid = rng.binomial(rows, drift)
    counts = np.column_stack([rows - ones, ones])
    return ColumnCounts.from_dense(np.arange(n_values), counts, np.column_stack([rows - valid, valid]))


@pytest.mark.parametrize("n_d", [3.0, 10.0, 30.0])
@pytest.mark.parametrize(
    "divergence", [SplitDivergence((1,)), SplitDivergence((0, 1)), ExpectedDivergence(2)], ids=repr
)
def test_the_best_gap_changes_with_the_weight(n_d, divergence):
    for seed in range(120):
        check_greedy(uneven_table(seed), Psi(n_d, divergence), FREE)


@pytest.mark.parametrize("n_d", [1.0, 4.0])
@pytest.mark.parametrize("divergence", DIVERGENCES[:2], ids=repr)
def test_the_exact_search_judges_each_number_of_cuts_with_its_own_weight(n_d, divergence):
    for seed in range(120):
        check_exact(uneven_table(seed, max_values=10), Psi(n_d, divergence))


def test_such_gaps_are_in_the_tables():
    """The tables above do hold bins whose best gap changes inside a window."""
    changed = 0
    for seed in range(120):
        table = uneven_table(seed)
        criterion = Psi(10.0, SplitDivergence((1,)))
        labelled, parts, terms = criterion.inputs(table)
        room = kernels.bins.splitting.first_room(labelled, parts, terms, 10.0)
        early, late = room.weights[[1, 1 + kernels.bins.splitting.WINDOW]].tolist()
        beside = RowsBeside(0, 0, 0, 0)
        leader = kernels.bins.splitting.scan(
            0, table.n_values, labelled, parts, terms, room, early, late, math.inf, None, beside, None
        )
        changed += not leader.lasting
    assert changed > 20


# The first of two equally good gaps is a rounding error behind the second.
NEAR_TIES = [
    [[10, 5], [5, 10], [0, 5]],
    [[3, 9], [6, 0], [0, 3]],
    [[12, 3], [6, 3], [0, 12], [6, 0]],
    [[3, 3], [3, 0], [3, 6], [0, 3]],
    [[0, 3], [1, 3], [1, 0], [1, 1]],
    [[5, 10, 5], [10, 0, 0], [0, 5, 0]],
    [[2, 2, 0], [4, 6, 2], [2, 6, 4]],
]


@pytest.mark.parametrize("counts", NEAR_TIES, ids=repr)
def test_scores_that_differ_by_rounding_alone_are_ties(counts):
    table = ColumnCounts.from_dense(np.arange(len(counts)), counts)
    check_greedy(table, Psi(), FREE)
    _, _, terms = Psi().inputs(table)
    gains = [reference.sums_of([gap], counts, lambda *_: 0, terms.scale)[0] for gap in range(len(counts) - 1)]
    whole, _ = reference.sums_of([], counts, lambda *_: 0, terms.scale)
    scores = [(gain - whole) / (terms.n_rows * terms.scale) for gain in gains]
    found = GreedySearch().run(Psi(), table).steps[0].gap
    assert scores[found] < max(scores)
    assert scores[found] == pytest.approx(max(scores), rel=1e-9)
    assert all(score < scores[found] - 1e-6 for score in scores[:found])
