"""The learned weights against another search on the plain formulas.

Probabilities and losses are written down here once more, row by row, class by class and attribute by
attribute, without a line of the library. scipy's SLSQP then looks for the minimum with slopes by
differences.
"""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from scipy import optimize

from cutwise import CAWNBClassifier, PreconditionedLogisticClassifier, RNBClassifier, WANBIAClassifier
from cutwise.bayes.minimize import minimize

# Fine steps: what the default number of them leaves to do is not asked here.
FINE = {"max_iter": 20_000, "tol": 1e-9}


class Problem:
    """A random table whose codes tell something of the class; some of them are missing."""

    def __init__(self, seed, n_classes=3, n_rows=36):
        rng = np.random.default_rng(seed)
        sizes = (3, 2, 3)
        self.y = [i % n_classes for i in range(n_rows)]
        rows = [[int((label + rng.integers(0, 2)) * (j + 1)) % s for j, s in enumerate(sizes)] for label in self.y]
        for row in rows:
            row[int(rng.integers(0, 3))] = -1 if rng.random() < 0.2 else row[0] % 2
        self.rows = rows
        self.n_bins = [max(row[j] for row in rows) + 1 for j in range(3)]
        self.classes, self.attributes = range(n_classes), range(3)
        self.prior = [math.log((self.y.count(c) + 1 / n_classes) / (n_rows + 1)) for c in self.classes]
        self.likelihood = {
            (j, code, c): self.log_likelihood(j, code, c)
            for j in self.attributes
            for code in range(self.n_bins[j])
            for c in self.classes
        }

    def log_likelihood(self, j, code, c):
        own = [row[j] for row, label in zip(self.rows, self.y, strict=True) if label == c and row[j] >= 0]
        return math.log((own.count(code) + 1 / self.n_bins[j]) / (len(own) + 1))

    def probabilities(self, row, weight_of, prior_weight=lambda c: 1.0):
        """Return P(class | row), where weight_of(class, attribute, code) is an exponent."""
        scores = []
        for c in self.classes:
            score = prior_weight(c) * self.prior[c]
            for j in self.attributes:
                if row[j] >= 0:
                    score += weight_of(c, j, row[j]) * self.likelihood[j, row[j], c]
            scores.append(score)
        top = max(scores)
        powers = [math.exp(score - top) for score in scores]
        return [power / sum(powers) for power in powers]

    def loss(self, kind, probabilities):
        """Add up half the squared errors ("mse"), or the negative log-probabilities of the rows' classes ("cll")."""
        total = 0.0
        for row, label in zip(self.rows, self.y, strict=True):
            p = probabilities(row)
            if kind == "cll":
                total -= math.log(p[label])
            else:
                total += sum(((c == label) - p[c]) ** 2 for c in self.classes) / 2
        return total

    # The losses as functions of one list of numbers.

    def of_attributes(self, kind):
        return lambda z: self.loss(kind, lambda row: self.probabilities(row, lambda c, j, code: z[j]))

    def of_classes(self, kind):
        return lambda z: self.loss(kind, lambda row: self.probabilities(row, lambda c, j, code: z[3 * c + j]))

    def of_mixture(self):
        def mixed(row, z):
            by_attribute = self.probabilities(row, lambda c, j, code: z[j])
            by_class = self.probabilities(row, lambda c, j, code: z[3 + 3 * c + j])
            return [(1 - z[-1]) * p + z[-1] * q for p, q in zip(by_attribute, by_class, strict=True)]

        return lambda z: self.loss("mse", lambda row: mixed(row, z))

    def of_cells(self, l2):
        """One number for each class, then for each bin and class."""
        n_classes = len(self.classes)
        places = {key: n_classes + i for i, key in enumerate(self.likelihood)}

        def penalised(z):
            own = lambda row: self.probabilities(row, lambda c, j, code: z[places[j, code, c]], lambda c: z[c])  # noqa: E731
            return self.loss("cll", own) + l2 / 2 * sum((x - 1) ** 2 for x in z)

        return penalised

    def fit(self, model):
        return model.fit(self.rows, self.y)


def search(formula, start, bounds=(0.0, 1.0)):
    """Return where another search ends, and the loss there."""
    start = np.asarray(start, dtype=float)
    options = {"ftol": 1e-15, "maxiter": 500}
    found = optimize.minimize(
        formula, start, method="SLSQP", jac="3-point", bounds=[bounds] * start.size, options=options
    )
    return found.x, found.fun


def check(formula, at, value, start, *, bounds=(0.0, 1.0), compared=slice(None)):
    """The other search begins where ours did and ends where ours did; from there it finds no way down."""
    at = np.asarray(at)
    assert value == pytest.approx(formula(at), rel=1e-11)
    for begin in (start, at):
        weights, lowest = search(formula, begin, bounds)
        assert value == pytest.approx(lowest, rel=1e-7)
        np.testing.assert_allclose(at[compared], weights[compared], atol=2e-3)


def test_steps_are_counted_not_evaluations():
    """Rosenbrock's valley needs more than one look for a step."""
    looks = []

    def valley(z):
        looks.append(z)
        return optimize.rosen(z), optimize.rosen_der(z)

    found = minimize(valley, np.array([-1.2, 1.0]), bounds=None, max_iter=20, tol=1e-9)
    assert (found.n_iter, found.converged) == (20, False)
    assert len(looks) > 20
    assert minimize(valley, np.array([-1.2, 1.0]), bounds=None, max_iter=1000, tol=1e-5).converged


TABLES = list(product(range(3), (2, 3)))
# The best mixing is 1 on the first two tables and lies between 0 and 1 on the others.
MIXED_TABLES = [(1, 3), (2, 2), (4, 2), (9, 2), (12, 2)]


@pytest.mark.parametrize("loss", ["mse", "cll"])
@pytest.mark.parametrize(("seed", "n_classes"), TABLES)
def test_attribute_weights(seed, n_classes, loss):
    problem = Problem(seed, n_classes)
    model = problem.fit(WANBIAClassifier(loss, **FINE))
    check(problem.of_attributes(loss), model.attribute_weights_, model.loss_, np.ones(3))


@pytest.mark.parametrize("loss", ["mse", "cll"])
@pytest.mark.parametrize(("seed", "n_classes"), TABLES)
def test_class_weights(seed, n_classes, loss):
    problem = Problem(seed, n_classes)
    model = problem.fit(CAWNBClassifier(loss, **FINE))
    check(problem.of_classes(loss), model.class_weights_.ravel(), model.loss_, np.ones(3 * n_classes))


@pytest.mark.parametrize(("seed", "n_classes"), MIXED_TABLES)
def test_mixture(seed, n_classes):
    """Where all of the mixture comes from one of its halves, the weights of the other one do not matter."""
    problem = Problem(seed, n_classes)
    model = problem.fit(RNBClassifier(**FINE))
    at = np.concatenate([model.attribute_weights_, model.class_weights_.ravel(), [model.mixing_]])
    start = np.append(np.ones(at.size - 1), 0.5)
    matters = np.ones(at.size, dtype=bool)
    matters[:3], matters[3:-1] = model.mixing_ < 1 - 1e-6, model.mixing_ > 1e-6
    check(problem.of_mixture(), at, model.loss_, start, compared=matters)
    assert (0.1 < model.mixing_ < 0.9) == (seed > 2)


@pytest.mark.parametrize(("seed", "n_classes", "l2"), [(0, 2, 0.1), (1, 3, 1.0)])
def test_cell_weights(seed, n_classes, l2):
    problem = Problem(seed, n_classes)
    model = problem.fit(PreconditionedLogisticClassifier(l2, **FINE))
    at = np.concatenate([model.prior_weights_, model.cell_weights_.ravel()])
    check(problem.of_cells(l2), at, model.loss_, np.ones(at.size), bounds=(None, None))


@pytest.mark.parametrize("seed", range(4))
def test_heavy_rows_do_not_make_the_search_longer(seed):
    """Where the search ends depends on the slope of a row, not on the unit of the weights."""
    problem = Problem(seed)
    light, heavy = (
        PreconditionedLogisticClassifier(l2=weight, alpha=weight).fit(problem.rows, problem.y, np.full(36, weight))
        for weight in (1.0, 1024.0)
    )
    assert light.converged_
    assert heavy.n_iter_ == light.n_iter_
    np.testing.assert_allclose(heavy.cell_weights_, light.cell_weights_, rtol=1e-9)


@pytest.mark.parametrize("model", [WANBIAClassifier(), WANBIAClassifier("cll"), CAWNBClassifier(), RNBClassifier()])
@pytest.mark.parametrize(("seed", "n_classes"), TABLES)
def test_the_default_search_ends_at_a_minimum(seed, n_classes, model):
    """Finer steps from there find nothing lower."""
    problem = Problem(seed, n_classes)
    found = problem.fit(model)
    assert found.converged_
    fine = problem.fit(type(model)(**model.get_params() | FINE | {"tol": 1e-14}))
    assert found.loss_ == pytest.approx(fine.loss_, rel=1e-12)


@pytest.mark.parametrize("model", [CAWNBClassifier(), RNBClassifier()])
def test_a_search_with_many_weights_ends_at_a_minimum(model):
    """700 weights by class: at first too many for a matrix of all pairs, until most are at their bounds."""
    rng = np.random.default_rng(2)
    y = np.arange(300) % 10
    X = (y[:, None] * np.arange(1, 71) // 3 + rng.integers(0, 3, (300, 70))) % 3
    model.fit(X, y)
    assert model.converged_
    assert model.n_iter_ < 500
