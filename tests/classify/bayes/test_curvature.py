"""Second derivatives against differences of slopes, and steps within a box against scipy's."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize

from cutwise import kernels
from cutwise.classify.bayes.blocks import LOSSES
from cutwise.classify.bayes.minimize import CurvedObjective, minimize
from cutwise.classify.bayes.regularised import MixtureObjective
from cutwise.classify.bayes.weighted import AttributeObjective, ClassObjective
from tests.classify.bayes.test_slopes import Task


def objectives(task):
    for loss in LOSSES:
        yield AttributeObjective(task.sample, task.tables, LOSSES[loss]), task.m
        yield ClassObjective(task.sample, task.tables, LOSSES[loss]), task.m * task.n_classes
    yield MixtureObjective(task.sample, task.tables), task.m * (1 + task.n_classes) + 1


def full(matrix):
    return np.triu(matrix) + np.triu(matrix, 1).T


def by_differences(objective, at, width=1e-6):
    columns = []
    for place in range(at.size):
        step = np.zeros(at.size)
        step[place] = width
        columns.append((objective(at + step)[1] - objective(at - step)[1]) / (2 * width))
    return np.array(columns)


@pytest.mark.parametrize("n_classes", [1, 2, 3, 5])
@pytest.mark.parametrize("seed", range(3))
def test_second_derivatives(seed, n_classes):
    task, rng = Task(seed, n_classes), np.random.default_rng(seed)
    for objective, size in objectives(task):
        at = rng.uniform(0.05, 0.95, size)
        expected = by_differences(objective, at)
        for free in (np.ones(size, dtype=bool), rng.random(size) < 0.6):
            matrix, places = objective.curvature(at, free)
            assert sorted(places) == np.flatnonzero(free).tolist()
            np.testing.assert_allclose(full(matrix), expected[np.ix_(places, places)], atol=2e-7, rtol=2e-6)


@pytest.mark.parametrize("seed", range(20))
def test_a_step_within_a_box(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 7))
    root = rng.normal(size=(n, n + 2))
    matrix, slopes, damping = root @ root.T, rng.normal(size=n), rng.choice([0.0, 0.5]) * rng.uniform(0.5, 2, n)
    low, high = -rng.uniform(0.1, 1, n), rng.uniform(0.1, 1, n)
    step, promised, is_bowl = kernels.bayes.boxed.step_in_box(np.triu(matrix), slopes, low, high, damping)
    assert is_bowl
    assert ((low <= step) & (step <= high)).all()
    assert promised == pytest.approx(-(slopes @ step + step @ matrix @ step / 2), abs=1e-12)
    inside = (low < step) & (step < high)
    bent = slopes + (matrix + np.diag(damping)) @ step
    np.testing.assert_allclose(bent[inside], 0.0, atol=1e-9)


def test_a_model_without_a_lowest_point_is_told():
    matrix = np.array([[1.0, 2.0], [0.0, 1.0]])
    wall = np.ones(2)
    assert not kernels.bayes.boxed.step_in_box(matrix, np.ones(2), -wall, wall, 0.5 * wall)[2]
    assert kernels.bayes.boxed.step_in_box(matrix, np.ones(2), -wall, wall, 1.5 * wall)[2]


class Valley:
    """Rosenbrock's, with its second derivatives."""

    def __call__(self, flat):
        return optimize.rosen(flat), optimize.rosen_der(flat)

    def curvature(self, flat, free):
        places = np.flatnonzero(free)
        return optimize.rosen_hess(flat)[np.ix_(places, places)], places


def test_a_curved_valley():
    assert isinstance(Valley(), CurvedObjective)
    found = minimize(Valley(), np.array([-1.2, 1.0]), bounds=None, max_iter=100, tol=1e-12)
    assert found.converged
    np.testing.assert_allclose(found.at, 1.0, rtol=1e-10)
    held = minimize(Valley(), np.array([-1.2, 0.5]), bounds=(-2.0, 0.5), max_iter=1000, tol=1e-12)
    assert held.converged
    assert held.at[1] <= 0.5
