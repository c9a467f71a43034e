"""Shapes that only rise or only fall: the way down where jumps have a sign.

The loss stays convex, so the bottom within the bounds is one, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy import linalg

from cutwise import kernels
from cutwise.classify.additive.bases import jump_spread
from cutwise.errors import TableError
from cutwise.threads import check_stop

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cutwise.classify.additive.problem import Place, Problem

MOST_STEPS, MOST_HALVINGS = 200, 40
LEAST_GAIN = 1e-4
ROUNDING = 1e-14
# Directions of a column: its scores may only rise, only fall, or do either but not both.
RISING, FALLING, EITHER = 1, -1, 2
DIRECTIONS = {None: 0, "increasing": RISING, "decreasing": FALLING, "auto": EITHER}


def directions_of(monotonic: Any, names: Sequence[str], n_classes: int) -> list[int]:
    """Return the direction of each column's shape, 0 if it has none."""
    if monotonic is None:
        return [0] * len(names)
    if n_classes > 2:
        message = (
            f"'monotonic' is about the scores of one of two classes, but the target y has {n_classes} classes. "
            "Join classes, or leave 'monotonic' out."
        )
        raise ValueError(message)
    if not isinstance(monotonic, Mapping):
        return [DIRECTIONS[monotonic]] * len(names)
    unknown = [name for name in monotonic if name not in names]
    if unknown:
        message = f"'monotonic' names the column {unknown[0]!r}, but the columns are {', '.join(map(repr, names))}."
        raise TableError(message)
    wrong = [name for name, word in monotonic.items() if word not in DIRECTIONS]
    if wrong:
        message = (
            f"'monotonic' has {monotonic[wrong[0]]!r} for the column {wrong[0]!r}; "
            "give 'increasing', 'decreasing' or 'auto'."
        )
        raise ValueError(message)
    return [DIRECTIONS[monotonic.get(name)] for name in names]


def check_order(monotonic: Any, names: Sequence[str], n_ordered: Sequence[int]) -> None:
    """Raise TableError if a direction is given to a column whose bins have none."""
    wanted = monotonic if isinstance(monotonic, Mapping) else {}
    for name, n_bins in zip(names, n_ordered, strict=True):
        if wanted.get(name) is not None and not n_bins:
            message = (
                f"'monotonic' has {wanted[name]!r} for the column {name!r}, but its categories have no order. "
                "Make it a number or an ordered type, such as pandas' ordered categories, or leave it out."
            )
            raise TableError(message)


def turned(directions: Sequence[int]) -> list[int]:
    """Return directions that are about the first class: its scores rise where those of the second fall."""
    return [{RISING: FALLING, FALLING: RISING}.get(direction, direction) for direction in directions]


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


class BoundedPoint(NamedTuple):
    """Jumps, the slopes of the loss by them, and the place that their weights have."""

    jumps: NDArray[np.float64]
    slopes: NDArray[np.float64]
    place: Place


class BoundedProblem:
    """A problem of two classes over jumps instead of weights."""

    def __init__(self, problem: Problem, alpha: float, bounds: Bounds) -> None:
        self.problem, self.alpha, self.bounds = problem, alpha, bounds

    def at(self, jumps: NDArray[np.float64]) -> BoundedPoint:
        """Return the loss at some jumps, moved into the bounds."""
        inside = np.clip(jumps, self.bounds.low, self.bounds.high)
        place = self.problem.at(self.bounds.to_weights @ inside[:, None], self.alpha)
        return BoundedPoint(inside, self.bounds.to_weights.T @ place.slopes[:, 0], place)

    def steepness(self, point: BoundedPoint) -> float:
        """Return the largest slope that no bound holds."""
        return self.bounds.steepness(point.jumps, point.slopes)

    def step(self, point: BoundedPoint) -> NDArray[np.float64] | None:
        """Return the step to the lowest point of the quadratic model among the jumps that no bound holds."""
        jumps, slopes, place = point
        low, high = self.bounds.low, self.bounds.high
        inside = np.flatnonzero(~(((jumps <= low) & (slopes >= 0.0)) | ((jumps >= high) & (slopes <= 0.0))))
        half = self.problem.curvature(place.bends)
        matrix = np.triu(half) + np.triu(half, 1).T + np.diag(self.problem.pull(self.alpha))
        turn = self.bounds.to_weights[:, inside]
        turned = turn.T @ matrix @ turn
        damping = np.full(inside.size, 1e-12 * float(turned.diagonal().max(initial=1e-300)))
        walls = low[inside] - jumps[inside], high[inside] - jumps[inside]
        step, _, is_bowl = kernels.bayes.boxed.step_in_box(turned, slopes[inside], *walls, damping)
        if not is_bowl:
            return None
        whole = np.zeros_like(jumps)
        whole[inside] = step
        return whole

    def halved(self, point: BoundedPoint, step: NDArray[np.float64]) -> BoundedPoint | None:
        """Return the point a step away, the step halved until it pays; None if it never does."""
        for _ in range(MOST_HALVINGS):
            there = self.at(point.jumps + step)
            promised = -float(point.slopes @ (there.jumps - point.jumps))
            if not promised > 0.0:
                return None
            if point.place.value - there.place.value >= LEAST_GAIN * promised:
                return there
            if promised <= ROUNDING * max(abs(point.place.value), 1.0):
                return there if self.steepness(there) < self.steepness(point) else None
            step = step * 0.5
        return None


def descend_within(problem: Problem, alpha: float, free: Place, bounds: Bounds, tol: float) -> BoundedBottom:
    """Go down from the free bottom, moved into the bounds, to the bottom within them; for two classes."""
    search = BoundedProblem(problem, alpha, bounds)
    point = search.at(linalg.solve(bounds.to_weights, free.weights[:, 0]))
    n_iter = 0
    while n_iter < MOST_STEPS and search.steepness(point) > tol * problem.total:
        check_stop()
        step = search.step(point)
        there = None if step is None else search.halved(point, step)
        if there is None:
            break
        point = there
        n_iter += 1
    return BoundedBottom(point.place, search.steepness(point), n_iter)
