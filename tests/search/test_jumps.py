"""The search for the jumps of an additive model, against plain models and other programs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression

from cutwise import kernels
from cutwise.search import NO_LIMITS, BinLimits, JumpSearch
from cutwise.search.jump_model import JumpSolver
from cutwise.search.jump_rows import make_jump_table
from tests.joint_tables import from_numbers, joint_tables, make_joint
from tests.versions import SKLEARN

few = settings(max_examples=max(10, settings.default.max_examples // 2))


def wavy(n_rows=300, n_columns=4, n_classes=2, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_columns))
    signal = X[:, 0] + np.sin(2 * X[:, 1]) + rng.normal(size=n_rows)
    return X, np.searchsorted(np.quantile(signal, np.arange(1, n_classes) / n_classes), signal)


def table_of(X, y, grid_bins=12):
    return free_table(from_numbers(X, y), grid_bins - 1)


def free_table(joint, n_candidates):
    return make_jump_table(joint, n_candidates, [NO_LIMITS] * len(joint.tables))


def values_of_jumps(table):
    """The value of each jump in each row, by the definition."""
    columns = []
    rows = table.counts.sum(axis=1)
    for column, cells, start in zip(table.columns, table.cells, table.grid.cell_starts, strict=False):
        codes = cells - start
        ordered = codes < column.n_ordered
        for k in range(column.gaps.size):
            beyond = ordered & (codes > k)
            columns.append(beyond - ordered * (rows[beyond].sum() / rows[ordered].sum()))
        columns += [(codes == k).astype(float) for k in range(column.n_ordered, column.n_cells)]
    return np.array(columns).reshape(-1, rows.size).T


def probabilities_of(table, jumps, intercept):
    scores = values_of_jumps(table) @ jumps + intercept
    if scores.shape[1] == 1:
        scores = np.hstack([np.zeros_like(scores), scores])
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    return shares / shares.sum(axis=1, keepdims=True)


def plain_loss(table, jumps, intercept):
    return -(table.counts * np.log(probabilities_of(table, jumps, intercept))).sum() / table.counts.sum()


def plain_slopes(table, jumps, intercept):
    rest = table.counts.sum(axis=1, keepdims=True) * probabilities_of(table, jumps, intercept) - table.counts
    slopes = values_of_jumps(table).T @ rest / table.counts.sum()
    return slopes[:, 1:] if table.counts.shape[1] == 2 else slopes


def solved(table, share, tolerance=1e-8, signs=None):
    solver = JumpSolver(table.rows(table.counts, signs), tolerance)
    return solver.solve(share * solver.begin())


@pytest.mark.parametrize("share", [0.8, 0.3, 0.1, 0.03])
def test_two_classes_have_the_minimum_that_scikit_learn_finds(share):
    X, y = wavy()
    table = table_of(X, y)
    solver = JumpSolver(table.rows(table.counts), 1e-10)
    penalty = share * solver.begin()
    fit = solver.solve(penalty)
    # Without the means, which belong to the intercept.
    thermometer = (values_of_jumps(table) > 0).astype(float)
    weights = table.counts.sum(axis=1)
    codes = np.repeat([0, 1], len(weights))
    strength = 1 / penalty / weights.sum()
    lasso = {"l1_ratio": 1.0} if SKLEARN >= (1, 8) else {"penalty": "l1"}
    model = LogisticRegression(C=strength, solver="saga", tol=1e-9, max_iter=50_000, random_state=0, **lasso).fit(
        np.vstack([thermometer, thermometer]), codes, sample_weight=table.counts.T.ravel()
    )
    assert fit.jumps[:, 0] == pytest.approx(model.coef_[0], abs=2e-5)
    assert fit.chosen.sum() == np.count_nonzero(np.abs(model.coef_[0]) > 1e-5)


@pytest.mark.parametrize("n_classes", [2, 3, 6])
@pytest.mark.parametrize("share", [0.7, 0.2, 0.05])
def test_the_conditions_of_the_minimum_hold(n_classes, share):
    table = table_of(*wavy(n_classes=n_classes))
    solver = JumpSolver(table.rows(table.counts), 1e-8)
    penalty = share * solver.begin()
    fit = solver.solve(penalty)
    slopes = plain_slopes(table, fit.jumps, fit.intercept)
    lengths = np.linalg.norm(fit.jumps, axis=1)
    zero = lengths == 0
    assert np.linalg.norm(slopes[zero], axis=1).max() <= penalty + 1e-7
    assert slopes[~zero] == pytest.approx(-penalty * fit.jumps[~zero] / lengths[~zero, None], abs=1e-7)
    assert fit.miss <= 1e-8
    rows = probabilities_of(table, fit.jumps, fit.intercept) * table.counts.sum(axis=1, keepdims=True)
    assert rows.sum(axis=0) == pytest.approx(table.counts.sum(axis=0), rel=1e-5)


@few
@given(drawn=joint_tables(max_rows=14), seed=st.integers(0, 99))
def test_kernels_are_the_plain_sums(drawn, seed):
    table = free_table(drawn[0], 5)
    if table.counts.shape[1] < 2 or not table.grid.means.size:
        return
    rng = np.random.default_rng(seed)
    rows = table.rows(table.counts)
    solver = JumpSolver(rows, 1e-6)
    shape = (rows.n_jumps, rows.n_scores)
    fit = solver.fit._replace(jumps=rng.normal(size=shape), intercept=rng.normal(size=rows.n_scores))
    solver.fit = fit
    solver._look(rows.scores(fit), 0.1)
    assert solver.fit.loss == pytest.approx(plain_loss(table, fit.jumps, fit.intercept), rel=1e-10)
    assert rows.loss(fit) == pytest.approx(solver.fit.loss, rel=1e-12)
    assert solver.fit.slopes == pytest.approx(plain_slopes(table, fit.jumps, fit.intercept), abs=1e-12)
    working = rng.random(rows.n_jumps) < 0.6
    values = np.column_stack([np.ones(rows.weights.size), values_of_jumps(table)[:, working]])
    hessian = solver.bends(working).hessian
    for c in range(rows.n_scores):
        assert hessian[c] == pytest.approx(values.T @ (solver._bends[:, c, None] * values), abs=1e-12)


@few
@given(
    point=st.lists(st.floats(-3, 3), min_size=2, max_size=6),
    penalty=st.floats(0.01, 2.0),
    data=st.data(),
)
def test_a_block_is_brought_to_its_minimum(point, penalty, data):
    point = np.array(point)
    bends = np.array(data.draw(st.lists(st.floats(0.01, 3.0), min_size=point.size, max_size=point.size)))
    found = np.empty(point.size)
    kernels.joint.jumps.shrunk(point, bends, penalty, 0.0, found)
    length = np.linalg.norm(found)
    if length == 0:
        assert np.linalg.norm(point) <= penalty
    else:
        assert bends * found + penalty * found / length == pytest.approx(point, abs=1e-8)


def test_signs_bound_the_jumps():
    table = table_of(*wavy())
    signs = np.where(table.is_cut, 1.0, 0.0)
    rising = solved(table, 0.1, signs=signs)
    assert rising.chosen.any()
    assert (rising.jumps >= 0).all()
    free = solved(table, 0.1)
    assert (free.jumps < 0).any()
    assert plain_loss(table, free.jumps, free.intercept) < plain_loss(table, rising.jumps, rising.intercept)


def test_rows_that_count_twice_are_two_rows():
    X, y = wavy(n_rows=120)
    ranks = [np.unique(column, return_inverse=True)[1] for column in X.T]
    weights = np.arange(120) % 3 + 1
    weighted = JumpSearch(grid_bins=10).run(make_joint(ranks, y, weights=weights))
    repeated = JumpSearch(grid_bins=10).run(make_joint(np.repeat(ranks, weights, axis=1), np.repeat(y, weights)))
    for one, other in zip(weighted.columns, repeated.columns, strict=True):
        assert one.steps == other.steps
        assert one.refused == other.refused


@few
@given(drawn=joint_tables(max_rows=14), n_folds=st.integers(2, 5))
def test_each_row_is_held_out_once(drawn, n_folds):
    table = free_table(drawn[0], 5)
    held = [table.held_out(fold, n_folds) for fold in range(n_folds)]
    often = table.counts.sum(axis=0) >= n_folds * table.per_row
    assert np.array_equal(sum(held), table.counts * often)
    totals = np.array([out.sum(axis=0) for out in held])
    assert (totals.max(axis=0) - totals.min(axis=0) <= table.per_row).all()


@pytest.mark.parametrize("n_classes", [2, 4])
def test_more_cuts_and_less_loss_as_the_penalty_falls(n_classes):
    table = table_of(*wavy(n_classes=n_classes))
    solver = JumpSolver(table.rows(table.counts), 1e-7)
    largest = solver.begin()
    assert not solver.solve(largest * 1.001).chosen.any()
    fits = [solver.solve(largest * 0.8**k) for k in range(1, 15)]
    assert fits[0].chosen.any()
    losses = [fit.loss for fit in fits]
    lengths = [np.linalg.norm(fit.jumps, axis=1).sum() for fit in fits]
    assert losses == sorted(losses, reverse=True)
    assert lengths == sorted(lengths)


def test_a_path_from_afar_and_one_step_by_step_meet():
    table = table_of(*wavy(n_classes=3))
    solver = JumpSolver(table.rows(table.counts), 1e-8)
    largest = solver.begin()
    for k in range(1, 10):
        slowly = solver.solve(largest * 0.8**k)
    at_once = solved(table, 0.8**9)
    assert slowly.jumps == pytest.approx(at_once.jumps, abs=1e-4)
    assert slowly.loss == pytest.approx(at_once.loss, abs=1e-6)


def test_steps_tell_when_each_cut_enters():
    found = JumpSearch(grid_bins=16).run(from_numbers(*wavy(n_rows=600)))
    path = found.path
    assert path.penalties.tolist() == sorted(path.penalties, reverse=True)
    assert path.n_cuts[0] == 0
    assert path.losses.size == path.errors.size == path.penalties.size
    best = int(np.argmin(path.losses))
    assert path.losses[path.chosen] <= path.losses[best] + path.errors[best]
    assert path.chosen <= best
    for column in found.columns:
        entries = [step.score.value for step in column.steps]
        assert entries == sorted(entries, reverse=True)
        assert set(entries) <= set(path.penalties[1 : path.chosen + 1])
        assert sorted(step.gap for step in column.steps) == column.gaps.tolist()
        assert column.refused.score.value <= path.penalties[path.chosen] * (1 + 1e-3)
        assert column.refused.gap not in column.gaps
    assert found.columns[0].gaps.size
    assert sum(column.gaps.size for column in found.columns) == path.n_cuts[path.chosen]


@pytest.mark.parametrize("n_cuts", [0, 1, 3, 8])
def test_a_number_of_cuts(n_cuts):
    found = JumpSearch(n_cuts, grid_bins=16).run(from_numbers(*wavy(n_rows=400)))
    assert sum(column.gaps.size for column in found.columns) == n_cuts
    assert found.path.losses.size == 0


def test_the_smallest_loss_has_no_fewer_cuts_than_the_rule_of_one_standard_error():
    joint = from_numbers(*wavy(n_rows=400, n_classes=3))
    least, within = (JumpSearch(rule=rule, grid_bins=16).run(joint).path for rule in ("min", "one_se"))
    assert least.penalties.tolist() == within.penalties.tolist()
    assert least.chosen == np.argmin(least.losses)
    assert within.chosen <= least.chosen


def test_of_too_many_cuts_the_first_to_enter_stay():
    joint = from_numbers(*wavy(n_rows=400))
    free = JumpSearch(grid_bins=16).run(joint)
    limited = JumpSearch(grid_bins=16).run(joint, BinLimits(max_bins=3))
    for one, other in zip(free.columns, limited.columns, strict=True):
        assert [step.gap for step in other.steps] == [step.gap for step in one.steps[:2]]


@pytest.mark.parametrize(("monotonic", "directions"), [("increasing", {1}), ("decreasing", {-1}), ("auto", {1, -1})])
def test_class_rates_do_not_turn(monotonic, directions):
    X, y = wavy(n_rows=500)
    X[:, 2] = -X[:, 0] + 0.3 * X[:, 2]
    joint = from_numbers(X, y)
    found = JumpSearch(grid_bins=16, monotonic=monotonic).run(joint)
    assert any(column.gaps.size for column in found.columns)
    for table, column in zip(joint.tables, found.columns, strict=True):
        counts = table.by_class.by_bin(table.bin_ends(column.gaps))
        changes = np.diff(counts[:, 1] / counts.sum(axis=1))
        assert any((direction * changes >= 0).all() for direction in directions)
