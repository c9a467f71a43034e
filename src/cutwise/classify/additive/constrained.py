"""Shapes that only rise or only fall: the way down where jumps have a sign.

The loss stays convex, so the bottom within the bounds is one, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy import linalg

from cutwise import kernels
from cutwise.classify.additive.bases import jump_spread
from cutwise.threads import check_stop

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cutwise.classify.additive.problem import Place, Problem

MOST_STEPS, MOST_HALVINGS = 200, 40
LEAST_GAIN = 1e-4
ROUNDING = 1e-14
EITHER = 2


class BoundedBottom(NamedTuple):
    """Where a search ended: the place, the largest slope that no bound holds, and the number of steps."""

    place: Place
    steepness: float
    n_iter: int


class Bounds(NamedTuple):
    """How weights become jumps, and between which bounds these lie."""

    to_weights: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]

    def steepness(self, jumps: NDArray[np.float64], slopes: NDArray[np.float64]) -> float:
        """Return the largest coordinate of a step against the slopes, cut off at the bounds."""
        return float(np.abs(jumps - np.clip(jumps - slopes, self.low, self.high)).max(initial=0.0))


def jump_bounds(
    problem: Problem, weights: NDArray[np.float64], n_ordered: Sequence[int], directions: Sequence[int]
) -> Bounds:
    """Return the bounds of the jumps; a column with either direction takes that of its free shape."""
    size = problem.n_weights
    to_weights = np.eye(size)
    low, high = np.full(size, -np.inf), np.full(size, np.inf)
    for j, (n_bins, direction) in enumerate(zip(n_ordered, directions, strict=True), start=1):
        if direction == 0 or n_bins < 2:
            continue
        first = problem.first_weights[j]
        jumps = slice(first, first + n_bins - 1)
        root = np.linalg.cholesky(jump_spread(n_bins - 1))
        to_weights[jumps, jumps] = np.linalg.inv(root)
        rises = direction > 0 if direction != EITHER else float((root @ weights[jumps, 0]).sum()) >= 0.0
        (low if rises else high)[jumps] = 0.0
    return Bounds(to_weights, low, high)


def descend_within(
    problem: Problem, alpha: float, free: Place, n_ordered: Sequence[int], directions: Sequence[int], tol: float
) -> BoundedBottom:
    """Go down from the free bottom, moved into the bounds, to the bottom within them; for two classes."""
    bounds = jump_bounds(problem, free.weights, n_ordered, directions)
    turn = bounds.to_weights
    jumps = np.clip(linalg.solve(turn, free.weights[:, 0]), bounds.low, bounds.high)
    place = problem.at(turn @ jumps[:, None], alpha)
    slopes = turn.T @ place.slopes[:, 0]
    n_iter = 0
    while n_iter < MOST_STEPS and bounds.steepness(jumps, slopes) > tol * problem.total:
        check_stop()
        held = ((jumps <= bounds.low) & (slopes >= 0.0)) | ((jumps >= bounds.high) & (slopes <= 0.0))
        inside = np.flatnonzero(~held)
        matrix = problem.curvature(place.bends)
        matrix = np.triu(matrix) + np.triu(matrix, 1).T + np.diag(problem.pull(alpha))
        turned = (turn.T @ matrix @ turn)[np.ix_(inside, inside)]
        walls = bounds.low[inside] - jumps[inside], bounds.high[inside] - jumps[inside]
        damping = np.full(inside.size, 1e-12 * float(turned.diagonal().max(initial=1e-300)))
        step, _, is_bowl = kernels.bayes.boxed.step_in_box(turned, slopes[inside], *walls, damping)
        if not is_bowl:
            break
        whole = np.zeros_like(jumps)
        whole[inside] = step
        there = _halved(problem, place, jumps, slopes, whole, bounds, alpha)
        if there is None:
            break
        jumps, place = there
        slopes = turn.T @ place.slopes[:, 0]
        n_iter += 1
    return BoundedBottom(place, bounds.steepness(jumps, slopes), n_iter)


def _halved(
    problem: Problem,
    place: Place,
    jumps: NDArray[np.float64],
    slopes: NDArray[np.float64],
    step: NDArray[np.float64],
    bounds: Bounds,
    alpha: float,
) -> tuple[NDArray[np.float64], Place] | None:
    """Return jumps a step away within the bounds, halved until it pays, and their place; None if it never does."""
    for _ in range(MOST_HALVINGS):
        moved = np.clip(jumps + step, bounds.low, bounds.high)
        promised = -float(slopes @ (moved - jumps))
        if not promised > 0.0:
            return None
        there = problem.at(bounds.to_weights @ moved[:, None], alpha)
        if place.value - there.value >= LEAST_GAIN * promised:
            return moved, there
        if promised <= ROUNDING * max(abs(place.value), 1.0):
            lower = bounds.steepness(moved, bounds.to_weights.T @ there.slopes[:, 0]) < bounds.steepness(jumps, slopes)
            return (moved, there) if lower else None
        step = step * 0.5
    return None
