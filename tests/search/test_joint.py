"""The joint search (MDmD)."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutwise.counts import place_cuts
from cutwise.counts.joint import NO_GAPS
from cutwise.criteria import ExpectedDivergence, JointPsi, NoDivergence, Psi, SplitDivergence
from cutwise.criteria.joint_psi import JointScale
from cutwise.search import BinLimits, GreedySearch, JointSearch
from cutwise.search.joint import usefulness
from cutwise.search.joint_task import JointTask, best_on_path, refined
from cutwise.search.result import first_of_best, is_better
from tests.joint_tables import exclusive_or, from_numbers, joint_tables, make_joint

DIVERGENCES = [NoDivergence(), ExpectedDivergence(4), SplitDivergence((1,)), SplitDivergence((0, 1, 2))]
SEARCHES = st.builds(
    JointSearch, st.sampled_from([1.0, 5.0, 50.0]), st.sampled_from(DIVERGENCES), grid_bins=st.sampled_from([2, 8])
)


def task_of(joint, search, parts=None, max_cuts=None, min_count=0):
    """Return the task of a search without choosing or ordering columns."""
    criterion = JointPsi(search.n_d, search.divergence)
    rows = criterion.rows(joint, parts)
    cuts = tuple(max_cuts or column.n_values for column in rows.columns)
    return JointTask(rows, JointScale.of(criterion, rows), cuts, (min_count,) * len(cuts))


def cuts_of(joint, found):
    return [place_cuts(table, column.gaps).round(3).tolist() for table, column in zip(joint.tables, found, strict=True)]


def gaps_of(found):
    return [column.gaps.tolist() for column in found]


def crossfit(n_rows, n_parts=9):
    return np.random.default_rng(1).permutation(np.arange(n_rows) % n_parts)


@given(joint_tables(), SEARCHES)
def test_never_worse_than_a_start_and_as_good_as_it_says(drawn, search):
    joint, parts = drawn
    found = search.find(joint, parts=parts)
    criterion = JointPsi(search.n_d, search.divergence)
    score = criterion.score(joint, gaps_of(found.columns), list(found.nominal), parts)
    assert found.score == pytest.approx(score, abs=1e-9)
    assert found.score.value >= -1e-12
    everything = range(joint.nominal.shape[0])
    alone = [GreedySearch().run(Psi(search.n_d, search.divergence), table).gaps for table in joint.tables]
    assert score.value >= criterion.score(joint, alone, everything, parts).value - 1e-9
    if all(table.n_values <= search.grid_bins for table in joint.tables):
        every = [np.arange(table.n_values - 1) if column.stop == "joint_optimum" else []
                 for table, column in zip(joint.tables, found.columns, strict=True)]  # fmt: skip
        assert score.value >= criterion.score(joint, every, everything, parts).value - 1e-9


@given(joint_tables(max_rows=12, max_columns=2, nominal=False), SEARCHES)
def test_no_single_change_makes_it_better(drawn, search):
    joint, parts = drawn
    found = search.find(joint, parts=parts)
    criterion = JointPsi(search.n_d, search.divergence)
    gaps = [set(chosen) for chosen in gaps_of(found.columns)]
    best = found.score.value + 1e-8
    for j, column in enumerate(found.columns):
        if column.stop != "joint_optimum":
            continue
        for gap in range(joint.tables[j].n_values - 1):
            changed = [chosen ^ {gap} if i == j else chosen for i, chosen in enumerate(gaps)]
            assert criterion.score(joint, list(map(list, changed)), parts=parts).value <= best
            for old in gaps[j]:
                changed = [(chosen - {old}) | {gap} if i == j else chosen for i, chosen in enumerate(gaps)]
                assert criterion.score(joint, list(map(list, changed)), parts=parts).value <= best


@given(joint_tables(max_rows=10, max_columns=2), SEARCHES)
def test_never_better_than_the_best_of_all(drawn, search):
    joint, parts = drawn
    criterion = JointPsi(search.n_d, search.divergence)
    task = task_of(joint, search, parts)
    choices = []
    for column in task.rows.columns:
        subsets = [NO_GAPS, column.every_gap]
        if not column.whole:
            sizes = range(column.n_values)
            subsets = [np.array(s, np.int64) for k in sizes for s in itertools.combinations(column.every_gap, k)]
        choices.append(subsets)
    best = max(task.judge(list(scheme)).value for scheme in itertools.product(*choices))
    assert search.find(joint, parts=parts).score.value <= best + 1e-9
    assert criterion.score(joint, [[] for _ in joint.tables], (), parts).value <= best + 1e-9


@given(joint_tables(), SEARCHES, st.data())
def test_the_path_keeps_its_best_scheme(drawn, search, data):
    joint, parts = drawn
    task = task_of(joint, search, parts)
    gaps = [
        column.every_gap
        if column.whole
        else np.array(sorted(data.draw(st.sets(st.sampled_from(column.every_gap.tolist())))), np.int64)
        for column in task.rows.columns
    ]
    # The path by hand: remove what leaves the highest value, recounting everything.
    scheme, values = list(gaps), [task.judge(gaps).value]
    while any(chosen.size for chosen in scheme):
        tried = []
        for j, column in enumerate(task.rows.columns):
            for gap in [None][: scheme[j].size] if column.whole else scheme[j]:
                rest = NO_GAPS if gap is None else scheme[j][scheme[j] != gap]
                tried.append([rest if i == j else chosen for i, chosen in enumerate(scheme)])
        judged = [task.judge(option).value for option in tried]
        top = max(judged)
        scheme = tried[next(i for i, value in enumerate(judged) if value >= top - 1e-9 * abs(top) - 1e-12)]
        values.append(task.judge(scheme).value)
    best = best_on_path(task, gaps)
    assert best.value == pytest.approx(max(values), abs=1e-9)
    assert refined(task, best).value >= best.value


@pytest.mark.parametrize("n_noise", [0, 2])
def test_exclusive_or(n_noise):
    """The spec's table: 2,000 rows and two noise columns."""
    X, y = exclusive_or(2000, n_noise, seed=0)
    joint = from_numbers(X, y)
    found = JointSearch().find(joint)
    assert [column.gaps.size for column in found.columns] == [1, 1] + [0] * n_noise
    for j in range(2):
        values = np.sort(X[:, j])
        assert values[found.columns[j].gaps[0]] == pytest.approx(0.5, abs=0.004)
    assert found.score.value > 0.95
    assert found.n_cells == 4
    assert all(column.stop == "joint_optimum" for column in found.columns)
    # What a column tells alone is nothing; what the scheme would lose without it is nearly all.
    assert all(column.score.relevance < 0.01 for column in found.columns)
    assert all(column.score.value > 0.9 for column in found.columns[:2])


@pytest.mark.parametrize("validation", ["expected", "crossfit", "holdout"])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_exclusive_or_with_four_noise_columns(validation, seed):
    X, y = exclusive_or(2000, 4, seed=seed, second=0.3)
    parts = None if validation == "expected" else crossfit(2000)
    judged = {"expected": None, "crossfit": range(9), "holdout": (0,)}[validation]
    divergence = ExpectedDivergence() if judged is None else SplitDivergence(tuple(judged))
    found = JointSearch(50.0, divergence).find(from_numbers(X, y, parts=parts), parts=parts)
    assert [column.gaps.size for column in found.columns] == [1, 1, 0, 0, 0, 0]
    cuts = [np.sort(X[:, j])[found.columns[j].gaps[0]] for j in range(2)]
    assert cuts == pytest.approx([0.5, 0.3], abs=0.005)


def test_exclusive_or_among_many_columns():
    """Cells of one row each say nothing of single cuts: the order of the columns must come from pairs."""
    X, y = exclusive_or(5000, 14, seed=0)
    for columns in (range(16), range(15, -1, -1)):
        found = JointSearch().run(from_numbers(X[:, list(columns)], y))
        sizes = dict(zip(columns, (column.gaps.size for column in found), strict=True))
        assert sizes == {0: 1, 1: 1} | dict.fromkeys(range(2, 16), 0)


def test_three_columns_of_which_no_pair_tells_anything():
    X = np.random.default_rng(0).random((2000, 6))
    found = JointSearch().run(from_numbers(X, (X[:, :3] > 0.5).sum(axis=1) % 2))
    assert [column.gaps.size for column in found] == [1, 1, 1, 0, 0, 0]


def test_the_useful_columns_enter():
    X, y = exclusive_or(1000, 6, seed=3)
    joint = from_numbers(X[:, [2, 0, 3, 4, 1, 5, 6, 7]], y)
    found = JointSearch(max_attributes=2).run(joint)
    assert [column.stop for column in found] == [
        "left_out", "joint_optimum", "left_out", "left_out", "joint_optimum", "left_out", "left_out", "left_out"
    ]  # fmt: skip
    assert [column.gaps.size for column in found] == [0, 1, 0, 0, 1, 0, 0, 0]
    unlimited = JointSearch(max_attributes=None).run(joint)
    assert gaps_of(unlimited) == gaps_of(found)


def test_usefulness_is_what_a_column_adds_to_the_best_partner():
    x = np.array([[0, 0, 1, 1, 0, 0, 1, 1], [0, 1, 0, 1, 0, 1, 0, 1], [0, 0, 0, 0, 1, 1, 1, 1]])
    rows_of = from_numbers(x.T, x[0] ^ x[1])
    task = task_of(rows_of, JointSearch(divergence=NoDivergence()))
    added = usefulness(task.rows, task.scale, [np.array([0])] * 3)
    assert (added / task.scale.unit).tolist() == [1.0, 1.0, 0.0]


@pytest.mark.parametrize("divergence", [ExpectedDivergence(), SplitDivergence((0, 1, 2))])
def test_on_one_column_it_judges_as_mrmd_does(divergence):
    rng = np.random.default_rng(4)
    x = rng.integers(0, 60, 800)
    y = (np.sin(x / 7) + rng.normal(size=800) > 0).astype(int)
    parts = np.arange(800) % 3
    joint = make_joint(x, y, parts=parts)
    alone = GreedySearch().run(Psi(50.0, divergence), joint.tables[0])
    found = JointSearch(50.0, divergence).find(joint, parts=parts)
    assert found.score.value >= alone.score.value
    assert found.columns[0].score == pytest.approx(found.score, abs=1e-9)
    score = JointPsi(50.0, divergence).score(joint, [alone.gaps], parts=parts)
    assert score == pytest.approx(alone.score, abs=1e-9)


@given(joint_tables(max_rows=25), st.integers(1, 4), st.integers(0, 5), SEARCHES)
def test_limits_are_kept(drawn, max_bins, min_rows, search):
    joint, parts = drawn
    found = search.find(joint, BinLimits(max_bins=max_bins, min_rows=min_rows), parts)
    for table, column in zip(joint.tables, found.columns, strict=True):
        assert column.gaps.size < max_bins
        counts = table.by_class.by_bin(table.bin_ends(column.gaps)).sum(axis=1)
        assert column.gaps.size == 0 or counts.min() * table.unit >= min_rows
    assert found.score.value >= -1e-12


def test_limits_do_not_stop_the_search():
    X, y = exclusive_or(2000, 3, seed=5)
    found = JointSearch().run(from_numbers(X, y), BinLimits(max_bins=2, min_rows=400))
    assert [column.gaps.size for column in found] == [1, 1, 0, 0, 0]


@given(joint_tables(max_rows=30), SEARCHES, st.randoms(use_true_random=False))
def test_the_order_of_rows_and_classes_does_not_matter(drawn, search, random):
    joint, parts = drawn
    order = np.array(random.sample(range(joint.n_rows), joint.n_rows))
    names = np.array(random.sample(range(3), 3))
    weights = None if joint.weights is None else joint.weights[order]
    x = np.array([
        np.where(ranks < 0, ranks, np.append(table.values, -1)[np.maximum(ranks, 0)])
        for ranks, table in zip(joint.ranks, joint.tables, strict=True)
    ])  # fmt: skip
    other = make_joint(
        x[:, order], names[joint.classes[order]], nominal=joint.nominal[:, order], parts=parts[order],
        weights=weights, unit=joint.tables[0].unit,
    )  # fmt: skip
    first, second = search.find(joint, parts=parts), search.find(other, parts=parts[order])
    assert gaps_of(first.columns) == gaps_of(second.columns)
    assert (first.score, first.nominal) == (second.score, second.nominal)


def test_weights_are_repeated_rows():
    rng = np.random.default_rng(6)
    x, y = rng.integers(0, 9, (3, 60)), rng.integers(0, 2, 60)
    weights = rng.integers(0, 4, 60)
    weighted = JointSearch(5.0).find(make_joint(x, y, weights=weights))
    repeated = JointSearch(5.0).find(make_joint(np.repeat(x, weights, axis=1), np.repeat(y, weights)))
    assert gaps_of(weighted.columns) == gaps_of(repeated.columns)
    assert weighted.score == repeated.score
    halves = JointSearch(5.0).find(make_joint(x, y, weights=2 * weights, unit=0.5))
    assert gaps_of(halves.columns) == gaps_of(repeated.columns)
    assert halves.score == pytest.approx(repeated.score, abs=1e-9)


def test_a_nominal_column_joins_where_it_helps():
    """The direction of x turns with the category; a second nominal column is noise."""
    rng = np.random.default_rng(7)
    x, kind, noise = rng.integers(0, 50, 600), rng.integers(0, 2, 600), rng.integers(0, 30, 600)
    joint = make_joint(x, (x > 24) ^ (kind == 1), nominal=[noise, kind])
    found = JointSearch().find(joint)
    assert list(found.nominal) == [1]
    assert gaps_of(found.columns) == [[24]]


def test_missing_values_are_a_symbol():
    """Where x is missing, the class is that of y; a column without a cut stays out altogether."""
    rng = np.random.default_rng(8)
    x, other = rng.integers(0, 20, 500), rng.integers(0, 20, 500)
    y = x > 9
    x[:100] = -1
    y[:100] = True
    noise = np.where(rng.random(500) < 0.5, -1, other)
    found = JointSearch().find(make_joint([x, noise], y))
    assert gaps_of(found.columns) == [[9], []]
    assert found.n_cells == 3
    assert found.score.relevance == pytest.approx(JointPsi().score(make_joint([x], y), [[9]]).relevance)


@pytest.mark.parametrize(
    ("x", "y", "stops"),
    [
        ([[1, 1, 1], [0, 1, 2]], [0, 1, 1], ["one_value", "joint_optimum"]),
        ([[0, 1, 2]], [1, 1, 1], ["one_class"]),
        ([[-1, -1, -1], [0, 1, 1]], [0, 1, 1], ["no_values", "joint_optimum"]),
        ([[0, 1, -1], [0, 1, 1]], [0, 0, 1], ["one_class", "joint_optimum"]),
        ([[-1], [3]], [0], ["no_values", "one_value"]),
    ],
)
def test_degenerate_tables(x, y, stops):
    found = JointSearch().find(make_joint(x, y))
    assert [column.stop for column in found.columns] == stops
    assert all(column.gaps.size == 0 for column in found.columns if column.stop != "joint_optimum")


def test_no_numeric_column():
    joint = make_joint(np.empty((0, 4), dtype=int), [0, 1, 0, 1], nominal=[[0, 1, 0, 1]])
    found = JointSearch().find(joint)
    assert (found.columns, list(found.nominal)) == ((), [0])
    assert JointSearch().run(make_joint(np.empty((0, 4), dtype=int), [0, 1, 0, 1])) == []


def test_columns_with_too_many_cuts_lose_theirs_first():
    """Otherwise the second column, which is worth less than any cut of the first, would go before the limit is kept."""
    x = np.array([np.repeat(np.arange(4), 100), np.tile([0, 1], 200)])
    told = np.arange(400) % 10 < 2
    joint = make_joint(x, 2 * x[0] + (x[1] & told))
    task = task_of(joint, JointSearch(math.inf, NoDivergence()))
    limited = replace(task, max_cuts=(1, 1))
    scheme = [np.arange(3), np.array([0])]
    assert [chosen.size for chosen in best_on_path(task, scheme).gaps] == [3, 1]
    assert [chosen.size for chosen in best_on_path(limited, scheme).gaps] == [1, 1]


def test_of_equal_schemes_on_the_path_the_smallest_is_kept():
    joint = make_joint([0, 1, 2, 3], [0, 0, 1, 1])
    task = task_of(joint, JointSearch(math.inf, NoDivergence()))
    assert best_on_path(task, [np.arange(3)]).gaps[0].tolist() == [1]


def test_refining_adds_moves_and_removes():
    x, kind = np.repeat(np.arange(6), 40), np.tile([0, 1], 120)
    noise = np.random.default_rng(10).integers(0, 9, 240)
    joint = make_joint(x, 2 * (x > 2) + kind, nominal=[kind, noise])
    task = task_of(joint, JointSearch())
    every = [column.every_gap for column in task.rows.columns]
    for start in ([NO_GAPS, NO_GAPS, NO_GAPS], [np.array([4]), NO_GAPS, every[2]], every):
        best = refined(task, task.judge(start))
        assert [chosen.tolist() for chosen in best.gaps] == [[2], [0], []]


def test_the_starts():
    X, y = exclusive_or(200, 1, seed=11, flipped=0.2)
    joint = from_numbers(X, y)
    starts = []

    def note(improve, given):
        starts.extend(given)
        return map(improve, starts)

    found = JointSearch(grid_bins=9).find(joint, each=note)
    grids, alone = starts[:-1], starts[-1]
    assert [[gaps.size for gaps in grid] for grid in grids] == [[8] * 3, [3] * 3, [1] * 3]
    greedy = [GreedySearch().run(Psi(50.0, ExpectedDivergence()), table).gaps.tolist() for table in joint.tables]
    assert sorted(gaps.tolist() for gaps in alone) == sorted(greedy)
    assert gaps_of(found.columns) == gaps_of(JointSearch(grid_bins=9).run(joint))


def test_scores_equal_up_to_rounding_are_ties():
    assert first_of_best(np.array([0.1, 0.5, 0.5 + 4e-10, 0.3])) == 1
    assert first_of_best(np.array([0.1, 0.5, 0.5 + 4e-9, 0.3])) == 2
    assert not is_better(0.5 + 4e-10, 0.5)
    assert is_better(0.5 + 4e-9, 0.5)
