"""The bottom of the loss is the one that other programs find."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize
from scipy.special import expit, log_softmax
from sklearn.linear_model import LogisticRegression

from cutwise.classify.additive import problem as problem_module
from cutwise.classify.additive import strength as strength_module
from cutwise.classify.additive.bases import TREND
from cutwise.classify.additive.constrained import descend_within, jump_bounds
from cutwise.classify.additive.curvature import RowCurvature, WeightCurvature
from cutwise.classify.additive.newton import descend
from cutwise.classify.additive.strength import LeftOut, choose_strength, deal_in_order
from tests.classify.additive.made import N_BINS, N_ORDERED, coded, problem_of


def thermometer(codes):
    """One 0/1 column for each cut of an ordered column and one for its trend; one for each category."""
    columns = []
    for j, (n_bins, n_ordered) in enumerate(zip(N_BINS, N_ORDERED, strict=True)):
        if n_ordered:
            columns += [codes[:, j] > cut for cut in range(n_bins - 1)]
            columns.append(TREND * codes[:, j] / (n_bins - 1))
        else:
            columns += [codes[:, j] == code for code in range(n_bins)]
    return np.column_stack(columns).astype(float)


def scores_of(problem, alpha, start=None):
    start = np.zeros((problem.n_weights, problem.n_scores)) if start is None else start
    bottom = descend(problem, alpha, start, 1e-11)
    assert bottom.place.steepness <= 1e-8 * problem.total
    return bottom.place.scores


@pytest.mark.parametrize("n_classes", [2, 3, 4])
@pytest.mark.parametrize("alpha", [0.1, 3.0])
@pytest.mark.parametrize("n_rows", [14, 200])
def test_logistic_regression_on_thermometers(n_classes, alpha, n_rows):
    codes, labels = coded(n_classes, n_classes, n_rows)
    found = scores_of(problem_of(codes, labels, n_classes), alpha)
    strength = alpha / 2.0 if n_classes == 2 else alpha
    other = LogisticRegression(C=1.0 / strength, tol=1e-12, max_iter=10_000, solver="newton-cg")
    expected = other.fit(thermometer(codes), labels).predict_log_proba(thermometer(codes))
    if n_classes == 2:
        found = np.hstack([-0.5 * found, 0.5 * found])
    assert log_softmax(found, axis=1) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_weights_are_rows_and_the_start_does_not_matter(n_classes):
    codes, labels = coded(5, n_classes, gaps=True)
    weights = np.random.default_rng(0).integers(1, 4, labels.size)
    one = scores_of(problem_of(codes, labels, n_classes, weights.astype(float)), 0.7)
    repeated = problem_of(np.repeat(codes, weights, axis=0), np.repeat(labels, weights), n_classes)
    far = np.random.default_rng(1).normal(size=(repeated.n_weights, repeated.n_scores)) * 3.0
    far -= far.mean(axis=1, keepdims=True) if n_classes > 2 else 0.0
    assert scores_of(repeated, 0.7, far) == pytest.approx(np.repeat(one, weights, axis=0), abs=1e-8)


@pytest.mark.parametrize(("n_rows", "scale"), [(14, 1.0), (200, 1.0), (200, 1e-100), (200, 1e100)])
def test_a_guide_from_elsewhere_leads_to_the_same_bottom(n_rows, scale):
    codes, labels = coded(9, 3, n_rows, gaps=True)
    problem = problem_of(codes, labels, 3, np.full(labels.size, scale))
    start = np.zeros((problem.n_weights, problem.n_scores))
    bottom = descend(problem, scale, start, 1e-11)
    assert bottom.place.steepness <= 1e-8 * problem.total
    other = descend(problem.some(np.arange(labels.size) % 3 > 0), 4.0 * scale, start, 1e-4)
    again = descend(problem, scale, start, 1e-11, other.guide)
    assert again.place.scores == pytest.approx(bottom.place.scores, abs=1e-7)


def test_each_strength_has_weights_of_its_own():
    problem = problem_of(*coded(8, 3, 200), 3)
    near = descend(problem, 1.0, np.zeros((problem.n_weights, problem.n_scores)), 1e-9).place
    assert descend(problem, 1.0 + 1e-6, near.weights, 1e-4).place.value < problem.at(near.weights, 1.0 + 1e-6).value


@pytest.mark.parametrize("n_classes", [2, 4])
def test_slopes_and_bends_are_those_of_the_loss(n_classes):
    codes, labels = coded(1, n_classes, gaps=True)
    problem = problem_of(codes, labels, n_classes, np.linspace(0.5, 2.0, labels.size))
    rng = np.random.default_rng(2)
    weights, step = rng.normal(size=(2, problem.n_weights, problem.n_scores))
    tiny = 1e-6
    before, here, after = (problem.at(weights + size * step, 0.3) for size in (-tiny, 0.0, tiny))
    assert (after.value - before.value) / (2 * tiny) == pytest.approx(float((here.slopes * step).sum()), rel=1e-6)
    bent = problem.bent(here, step, 0.3)
    assert (after.slopes - before.slopes) / (2 * tiny) == pytest.approx(bent, abs=1e-6)
    if n_classes == 2:
        matrix = problem.curvature(here.bends) + np.diag(problem.pull(0.3))
        full = np.triu(matrix) + np.triu(matrix, 1).T
        assert full @ step == pytest.approx(bent, abs=1e-9)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_rows_and_weights_have_one_curvature(n_classes):
    codes, labels = coded(3, n_classes, gaps=True)
    problem = problem_of(codes, labels, n_classes)
    bends = problem.at(np.zeros((problem.n_weights, problem.n_scores)), 2.0).bends
    by_weights, by_rows = (kind(problem, bends, 2.0) for kind in (WeightCurvature, RowCurvature))
    slopes = np.random.default_rng(4).normal(size=(problem.n_weights, problem.n_scores))
    assert by_rows.solve(slopes) == pytest.approx(by_weights.solve(slopes), rel=1e-2, abs=1e-3)
    assert by_rows.leverages() == pytest.approx(by_weights.leverages(), rel=1e-3)
    assert by_rows.cell_spread()[1:] == pytest.approx(by_weights.cell_spread()[1:], rel=1e-3)


@pytest.mark.parametrize(("is_noisy", "near"), [(True, 0.02), (False, 0.005)])
def test_leaving_out_one_row_at_a_time(is_noisy, near):
    """The loss of rows that are left out is near that of as many fits."""
    codes, labels = coded(7, n_rows=60)
    if not is_noisy:
        labels = (codes[:, 0] + codes[:, 1] > 4).astype(np.int64)
    problem = problem_of(codes, labels, 2)
    for alpha in (0.1, 0.5, 4.0):
        quick, _ = LeftOut(problem).judge(alpha, LeftOut(problem).start(alpha))
        losses = []
        for row in range(labels.size):
            others = np.arange(labels.size) != row
            part, own = problem.some(others), problem.some(~others)
            weights = descend(part, alpha, np.zeros((problem.n_weights, 1)), 1e-9).place.weights
            losses.append(own.at(weights, alpha, pulled=False).value)
        assert quick == pytest.approx(np.mean(losses), rel=near)


def test_some_of_many_rows_tell_what_all_of_them_do(monkeypatch):
    codes, labels = coded(7, n_rows=3000)
    problem = problem_of(codes, labels, 2)
    zeros = np.zeros((problem.n_weights, 1))
    strengths = (0.5, 4.0, 32.0, 256.0)
    exact = np.array([LeftOut(problem).judge(alpha, [zeros])[0] for alpha in strengths])
    alone = scores_of(problem, 0.5)
    for module in (problem_module, strength_module):
        monkeypatch.setattr(module, "MANY_ROWS", 500)
    judge = LeftOut(problem)
    assert judge.part.labels.size == 500
    quick = np.array([judge.judge(alpha, judge.start(alpha))[0] for alpha in strengths])
    assert quick - quick[0] == pytest.approx(exact - exact[0], rel=0.1, abs=2e-4)
    assert scores_of(problem, 0.5, judge.start(0.5)[0]) == pytest.approx(alone, abs=1e-7)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_strength_with_the_least_loss_is_between_worse_ones(n_classes):
    tried = choose_strength(problem_of(*coded(8, n_classes, 200), n_classes))
    losses = [trial.loss for trial in tried]
    best = int(np.argmin(losses))
    assert 0 < best < len(losses) - 1
    assert losses[:best] == sorted(losses[:best], reverse=True)
    assert losses[best:] == sorted(losses[best:])


def test_folds_have_all_classes_and_no_fold_all_rows():
    held = deal_in_order(np.array([1, 0, 1, 1, 0, 2]), np.ones(6), 2)
    assert np.argmax(held, axis=0).tolist() == [0, 0, 1, 0, 1, 1]
    assert np.argmax(deal_in_order(np.arange(3), np.ones(3), 5), axis=0).tolist() == [0, 1, 2]


def test_equal_rows_go_to_folds_like_any_others():
    rng = np.random.default_rng(0)
    labels, copies = np.sort(rng.integers(0, 3, 40)), rng.integers(1, 9, 40)
    held = deal_in_order(labels, copies.astype(float), 5)
    one_by_one = deal_in_order(np.repeat(labels, copies), np.ones(copies.sum()), 5)
    starts = np.cumsum(copies) - copies
    np.testing.assert_array_equal(held, [np.add.reduceat(own, starts) for own in one_by_one])
    np.testing.assert_array_equal(np.sum(held, axis=0), copies)
    parts = deal_in_order(labels, rng.uniform(0.2, 1.4, 40), 5)
    assert (np.count_nonzero(parts, axis=0) == 1).all(), "a row of about one unit is not divided"


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_strength_for_equal_rows_is_that_for_rows_one_by_one(n_classes):
    codes, labels = coded(9, n_classes, 60)
    copies = np.random.default_rng(0).integers(1, 9, labels.size)
    counted = choose_strength(problem_of(codes, labels, n_classes, copies.astype(float)))
    single = choose_strength(problem_of(np.repeat(codes, copies, axis=0), np.repeat(labels, copies), n_classes))
    assert [trial.alpha for trial in counted] == [trial.alpha for trial in single]
    assert [trial.loss for trial in counted] == pytest.approx([trial.loss for trial in single], rel=1e-6)


def taken(direction, jumps):
    """The direction that a shape has where it may have either."""
    return direction if direction != 2 else 1 if jumps.sum() >= 0 else -1


@pytest.mark.parametrize("directions", [[1, 0, 0], [-1, 2, 0], [0, -1, 1]])
def test_jumps_with_a_sign(directions):
    """Another program finds the same bottom within the bounds, over the weights of thermometers and trends."""
    codes, labels = coded(11, n_rows=150)
    problem = problem_of(codes, labels, 2)
    alpha = 0.4
    free = descend(problem, alpha, np.zeros((problem.n_weights, 1)), 1e-11).place
    bounds = jump_bounds(problem, free.weights, N_ORDERED, directions)
    found = descend_within(problem, alpha, free, bounds, 1e-11)
    assert found.steepness <= 1e-8 * problem.total
    table = problem.tables(found.place.weights)[1:-1, 0]
    shapes = [table[:7], table[7:11]]
    for shape, direction in zip(shapes, directions, strict=False):
        jumps = np.diff(shape)
        assert (taken(direction, jumps) * jumps >= -1e-12).all()
    columns = thermometer(codes)
    signs = np.where(labels == 1, 1.0, -1.0)
    firsts = [(0, 6), (7, 3)]

    def loss(at):
        scores = signs * (at[0] + columns @ at[1:])
        slopes = -signs * expit(-scores)
        value = np.logaddexp(0.0, -scores).sum() + 0.25 * alpha * (at[1:] ** 2).sum()
        return value, np.concatenate([[slopes.sum()], columns.T @ slopes + 0.5 * alpha * at[1:]])

    limits = []
    for (first, size), n_bins, shape, direction in zip(firsts, N_BINS, shapes, directions, strict=False):
        way = taken(direction, np.diff(shape))
        for jump in range(size) if way else ():
            row = np.zeros(columns.shape[1] + 1)
            row[1 + first + jump], row[1 + first + size] = 1.0, TREND / (n_bins - 1)
            limits.append(way * row)
    limits = np.array(limits)
    bounds = {"type": "ineq", "fun": lambda at: limits @ at, "jac": lambda _: limits}
    start = np.zeros(columns.shape[1] + 1)
    other = optimize.minimize(
        loss, start, jac=True, method="SLSQP", constraints=[bounds], options={"ftol": 1e-13, "maxiter": 2000}
    )
    assert found.place.value == pytest.approx(other.fun, rel=1e-7)
    assert found.place.scores[:, 0] == pytest.approx(other.x[0] + columns @ other.x[1:], abs=2e-3)
