"""The way down: steps to the lowest points of quadratic models, until the slopes are as small as rounding lets them be.

The loss is convex, so where the search ends depends neither on its start nor on its way. With two classes a step is
solved from the factor of the curvature; with more, that of the mean over the classes guides conjugate gradients.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cutwise.classify.additive.problem import invert
from cutwise.threads import check_stop

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.classify.additive.problem import Place, Problem, RowCurvature, WeightCurvature

# Steps of the search, and of the conjugate gradients in each.
MOST_STEPS, MOST_INNER = 100, 200
MOST_HALVINGS = 40
LEAST_GAIN = 1e-4
# A promised fall below this share of the loss drowns in rounding.
ROUNDING = 1e-14


class Bottom(NamedTuple):
    """Where a search ended: the place, the last inverse curvature on the way, and the number of steps."""

    place: Place
    inverse: WeightCurvature | RowCurvature
    n_iter: int


def descend(problem: Problem, alpha: float, start: NDArray[np.float64], tol: float) -> Bottom:
    """Go down until no slope, divided by the weight of all rows, exceeds `tol`, or nothing more is to be gained."""
    place = problem.at(start, alpha)
    inverse = invert(problem, place.bends, alpha)
    n_iter = 0
    while n_iter < MOST_STEPS and place.steepness > tol * problem.total:
        check_stop()
        if n_iter:
            inverse = invert(problem, place.bends, alpha)
        step = _step(problem, place, inverse, alpha, tol)
        there = _halved(problem, place, step, alpha)
        if there is None:
            break
        place = there
        n_iter += 1
    return Bottom(place, inverse, n_iter)


def _step(
    problem: Problem, place: Place, inverse: WeightCurvature | RowCurvature, alpha: float, tol: float
) -> NDArray[np.float64]:
    """Solve the quadratic model at a place by conjugate gradients."""
    rest = -place.slopes
    step = np.zeros_like(rest)
    guided = inverse.solve(rest)
    way = guided
    product = float((rest * guided).sum())
    # The nearer the bottom, the more exact.
    near = min(0.1, math.sqrt(place.steepness / problem.total))
    enough = max(near * place.steepness, 0.1 * tol * problem.total)
    for _ in range(MOST_INNER):
        bent = problem.bent(place, way, alpha)
        curved = float((way * bent).sum())
        if not curved > 0.0:
            break
        length = product / curved
        step = step + length * way
        rest = rest - length * bent
        if float(np.abs(rest).max()) <= enough:
            break
        guided = inverse.solve(rest)
        product, before = float((rest * guided).sum()), product
        way = guided + (product / before) * way
    return step


def _halved(problem: Problem, place: Place, step: NDArray[np.float64], alpha: float) -> Place | None:
    """Return the place a step away, the step halved until it pays; None if it never does."""
    promised = -float((place.slopes * step).sum())
    if not promised > 0.0:
        return None
    size = 1.0
    for _ in range(MOST_HALVINGS):
        there = problem.at(place.weights + size * step, alpha)
        if place.value - there.value >= LEAST_GAIN * size * promised:
            return there
        if size * promised <= ROUNDING * max(abs(place.value), 1.0):
            return there if there.steepness < place.steepness else None
        size *= 0.5
    return None
