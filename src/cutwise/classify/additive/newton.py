"""The way down: steps to the lowest points of quadratic models, until the slopes are as small as rounding lets them be.

The loss is convex, so where the search ends depends neither on its start nor on its way. A step is solved by conjugate
gradients that inverses of the curvature guide: with two classes the inverse itself, with more one for each class, as if
the scores of the others stood still. Those are costly, so they guide as many steps as they are good for.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cutwise.classify.additive.curvature import ByClass, invert
from cutwise.threads import check_stop

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.classify.additive.curvature import Inverse
    from cutwise.classify.additive.on_disk import ProblemOnDisk
    from cutwise.classify.additive.problem import Place, Problem

# Steps of the search, and of the conjugate gradients in each.
MOST_STEPS, MOST_INNER = 100, 200
# A guide with which more steps of conjugate gradients were needed is made anew if the curvatures of the rows have
# changed by more than this share.
MOST_GUIDED, CHANGED = 12, 0.1
MOST_HALVINGS = 40
# So many steps before correct a guide.
MOST_MOVES = 12
LEAST_GAIN = 1e-4
# A promised fall below this share of the loss drowns in rounding.
ROUNDING = 1e-14


@dataclass(eq=False)
class Guide:
    """An inverse of the curvature at some place near.

    Parameters
    ----------
    inverse : Inverse
    bends : ndarray of shape (n_rows,)
        The curvatures of the rows that it was made of.
    spent : int
        The steps of conjugate gradients that it took last.
    """

    inverse: Inverse
    bends: NDArray[np.float64]
    spent: int = 0

    def is_old(self, bends: NDArray[np.float64]) -> bool:
        """Whether it guides badly, and was made of other rows or of other curvatures of them."""
        if self.spent <= MOST_GUIDED:
            return False
        other = bends.size != self.bends.size
        return other or float(np.abs(bends - self.bends).sum()) > CHANGED * float(bends.sum())


class Bottom(NamedTuple):
    """Where a search ended: the place, the last guide on the way, and the number of steps."""

    place: Place
    guide: Guide
    n_iter: int


def descend(
    problem: Problem, alpha: float, start: NDArray[np.float64], tol: float, guide: Guide | None = None
) -> Bottom:
    """Go down until no slope, divided by the weight of all rows, exceeds `tol`, or nothing more is to be gained.

    At least one step is tried, so that each strength has weights of its own.

    Parameters
    ----------
    problem : Problem
    alpha : float
    start : ndarray of shape (n_weights, n_scores)
    tol : float
    guide : Guide, optional
        That of a search near by, for more than two classes.
    """
    place = problem.at(start, alpha)
    if guide is None:
        guide = guide_at(problem, place, alpha)
    n_iter = 0
    while n_iter < MOST_STEPS and (not n_iter or place.steepness > tol * problem.total):
        check_stop()
        if guide.is_old(place.bends) if problem.n_scores > 1 else guide.spent:
            guide = guide_at(problem, place, alpha)
        step = _step(problem, place, guide, alpha, tol)
        there = _halved(problem, place, step, alpha)
        if there is None:
            break
        place = there
        n_iter += 1
    return Bottom(place, guide, n_iter)


def descend_guided(
    problem: ProblemOnDisk, alpha: float, start: NDArray[np.float64], tol: float, guide: Guide
) -> tuple[Place, int]:
    """Go down as `descend` does where slopes are costly; return the place and the number of steps.

    One guide serves all the way. What the slopes did on the steps before corrects it, as the quasi-Newton method of
    limited memory does (Nocedal 1980).
    """
    place, n_iter = problem.at(start, alpha), 0
    moves: list[tuple[NDArray[np.float64], NDArray[np.float64]]] = []
    while n_iter < MOST_STEPS and place.steepness > tol * problem.total:
        check_stop()
        there = _halved(problem, place, _corrected(guide, place.slopes, moves), alpha)
        if there is None:
            break
        moves = [*moves[1 - MOST_MOVES :], (there.weights - place.weights, there.slopes - place.slopes)]
        place, n_iter = there, n_iter + 1
    return place, n_iter


def _corrected(
    guide: Guide, slopes: NDArray[np.float64], moves: list[tuple[NDArray[np.float64], NDArray[np.float64]]]
) -> NDArray[np.float64]:
    """Return the step that a guide says, corrected by moves of the weights and what they did to the slopes."""
    rest = -slopes
    lengths = []
    for move, change in reversed(moves):
        lengths.append(float((move * rest).sum()) / float((move * change).sum()))
        rest = rest - lengths[-1] * change
    step = guide.inverse.solve(rest)
    for (move, change), length in zip(moves, reversed(lengths), strict=True):
        step = step + (length - float((change * step).sum()) / float((move * change).sum())) * move
    return step


def guide_at(problem: Problem, place: Place, alpha: float) -> Guide:
    """Return a guide that is made for a place."""
    if problem.n_scores > 1:
        return Guide(ByClass(problem, place, alpha), place.bends)
    return Guide(invert(problem, place.bends, alpha, near=True), place.bends)


def _step(problem: Problem, place: Place, guide: Guide, alpha: float, tol: float) -> NDArray[np.float64]:
    """Solve the quadratic model at a place by conjugate gradients."""
    rest = -place.slopes
    step = np.zeros_like(rest)
    guided = guide.inverse.solve(rest)
    way = guided
    product = float((rest * guided).sum())
    # The nearer the bottom, the more exact.
    near = min(0.1, math.sqrt(place.steepness / problem.total))
    enough = max(near * place.steepness, 0.1 * tol * problem.total)
    guide.spent = 0
    for _ in range(MOST_INNER):
        guide.spent += 1
        bent = problem.bent(place, way, alpha)
        curved = float((way * bent).sum())
        if not curved > 0.0:
            break
        length = product / curved
        step = step + length * way
        rest = rest - length * bent
        if float(np.abs(rest).max()) <= enough:
            break
        guided = guide.inverse.solve(rest)
        product, before = float((rest * guided).sum()), product
        way = guided + (product / before) * way
    return step


def _halved(problem: Problem | ProblemOnDisk, place: Place, step: NDArray[np.float64], alpha: float) -> Place | None:
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
