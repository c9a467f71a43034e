"""Logistic regression on a few columns, brought down to the bottom of its loss.

The loss is that of all rows plus half of ``alpha`` times the sum of the squared coefficients; the intercept is free.
It is convex, so where the search ends depends neither on its start nor on the machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cutwise import kernels
from cutwise.threads import check_stop

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_STEPS, MOST_HALVINGS = 100, 40
LEAST_GAIN = 1e-4
# The slopes per row at which the search ends, and those that count as none.
TOL, CONVERGED = 1e-12, 1e-8
# A promised fall below this share of the loss drowns in rounding.
ROUNDING = 1e-15


@dataclass(frozen=True, eq=False)
class Rows:
    """What a regression learns from.

    Parameters
    ----------
    columns : ndarray of shape (n_rows, n_columns)
    wins : ndarray of shape (n_rows,)
        1 for a row of the class whose log-odds are learned, 0 for one of the other.
    weights : ndarray of shape (n_rows,)
        How often each row counts.
    """

    columns: NDArray[np.float64]
    wins: NDArray[np.float64]
    weights: NDArray[np.float64]

    @property
    def design(self) -> NDArray[np.float64]:
        """The columns behind one of ones."""
        return np.column_stack([np.ones(self.wins.size), self.columns])

    def only(self, places: list[int]) -> Rows:
        """Return the same rows with some of the columns."""
        return Rows(self.columns[:, places], self.wins, self.weights)


@dataclass(frozen=True, eq=False)
class Regression:
    """Where a search ended.

    Parameters
    ----------
    weights : ndarray of shape (1 + n_columns,)
        The intercept, then the coefficients.
    loss : float
        The penalised log loss of all rows.
    steepness : float
        Its largest slope, divided by the weight of all rows.
    n_iter : int
    shares : ndarray of shape (n_rows,)
        The probability of the class whose log-odds are learned.
    curvature : ndarray of shape (1 + n_columns, 1 + n_columns)
        The second derivatives of the loss.
    """

    weights: NDArray[np.float64]
    loss: float
    steepness: float
    n_iter: int
    shares: NDArray[np.float64]
    curvature: NDArray[np.float64]

    @property
    def coefficients(self) -> NDArray[np.float64]:
        """The weights of the columns."""
        return self.weights[1:]

    @property
    def converged(self) -> bool:
        """Whether no slope is left."""
        return self.steepness <= CONVERGED


def log_losses(log_odds: NDArray[np.float64], wins: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return minus the logarithm of the probability of what came, for each row."""
    against = np.where(wins > 0.0, -log_odds, log_odds)
    rest = kernels.elementary.log_of(1.0 + kernels.elementary.exp_of(-np.abs(against)))
    return np.asarray(np.maximum(against, 0.0) + rest)


def shares_of(log_odds: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the probabilities that log-odds stand for."""
    power = kernels.elementary.exp_of(-np.abs(log_odds))
    return np.asarray(np.where(log_odds >= 0.0, 1.0, power) / (1.0 + power))


@dataclass(frozen=True, eq=False)
class _Place:
    """Weights and what the loss is like there."""

    weights: NDArray[np.float64]
    loss: float
    shares: NDArray[np.float64]
    slopes: NDArray[np.float64]
    curvature: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class _Problem:
    """The loss of rows as a function of weights."""

    rows: Rows
    design: NDArray[np.float64]
    pull: NDArray[np.float64]

    def loss(self, weights: NDArray[np.float64]) -> float:
        rows = self.rows
        penalty = 0.5 * float((self.pull * weights**2).sum())
        return float((rows.weights * log_losses(self.design @ weights, rows.wins)).sum()) + penalty

    def at(self, weights: NDArray[np.float64]) -> _Place:
        rows, design = self.rows, self.design
        shares = shares_of(design @ weights)
        slopes = design.T @ (rows.weights * (shares - rows.wins)) + self.pull * weights
        bends = rows.weights * shares * (1.0 - shares)
        curvature = (design * bends[:, None]).T @ design + np.diag(self.pull)
        return _Place(weights, self.loss(weights), shares, slopes, curvature)

    def after(self, place: _Place) -> _Place | None:
        """Return the place a step of Newton away, halved until it pays; None if it never does."""
        step = -np.linalg.lstsq(place.curvature, place.slopes, rcond=None)[0]
        promised = -float(place.slopes @ step)
        size = 1.0
        for _ in range(MOST_HALVINGS):
            if not size * promised > ROUNDING * max(abs(place.loss), 1.0):
                break
            there = place.weights + size * step
            if place.loss - self.loss(there) >= LEAST_GAIN * size * promised:
                return self.at(there)
            size *= 0.5
        return None


def regress(rows: Rows, alpha: float) -> Regression:
    """Return the regression with the least penalised loss."""
    design = rows.design
    pull = np.full(design.shape[1], float(alpha))
    pull[0] = 0.0
    problem = _Problem(rows, design, pull)
    total = float(rows.weights.sum())
    place = problem.at(np.zeros(design.shape[1]))
    n_iter = 0
    while n_iter < MOST_STEPS and float(np.abs(place.slopes).max()) > TOL * total:
        check_stop()
        there = problem.after(place)
        if there is None:
            break
        place, n_iter = there, n_iter + 1
    steepness = float(np.abs(place.slopes).max()) / total
    return Regression(place.weights, place.loss, steepness, n_iter, place.shares, place.curvature)


def left_out_loss(rows: Rows, left_out: NDArray[np.float64], found: Regression) -> float:
    """Return the log loss of each row as if it had not been there, in the sum.

    Each row is left out in turn and the regression takes one step of Newton without it; this is close to fitting
    it anew.

    Parameters
    ----------
    rows : Rows
    left_out : ndarray of shape (n_rows, n_columns)
        The columns of each row as the other rows alone make them.
    found : Regression
        Of all rows.
    """
    design = rows.design
    new = np.column_stack([np.ones(rows.wins.size), left_out])
    inverse = np.linalg.pinv(found.curvature, hermitian=True)
    copies = np.minimum(rows.weights, 1.0)
    bends = copies * found.shares * (1.0 - found.shares)
    moved = design @ inverse
    lever = (moved * design).sum(axis=1)
    push = copies * (found.shares - rows.wins) / np.maximum(1.0 - bends * lever, ROUNDING)
    log_odds = new @ found.weights + (moved * new).sum(axis=1) * push
    return float((rows.weights * log_losses(log_odds, rows.wins)).sum())
