"""Minimize: the search that the weighted classifiers share, with the same bits on every processor.

The search begins with steps that learn the curvature of the loss from the slopes they meet (L-BFGS).
As soon as no more than some hundred weights lie inside their bounds, it goes on with the curvature itself
and ends at the bottom, where slopes are as small as rounding lets them be. All sums are made in
one order, so that neither the steps nor their end depend on the processor.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from scipy import optimize

from cutwise import kernels
from cutwise.persist import LearnedField

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Objective = Callable[[NDArray[np.float64]], tuple[float, NDArray[np.float64]]]

# How these attributes are written to JSON.
SEARCH_FIELDS = {
    "loss_": LearnedField(),
    "n_iter_": LearnedField(kind="count"),
    "converged_": LearnedField(kind="boolean"),
}

# With more weights than these inside the bounds, a matrix of all pairs costs more than it saves.
LARGEST_MATRIX = 400
# Steps by the slopes alone come first: they are cheaper, and far from the bottom as good.
MOST_FIRST_STEPS, FIRST_STEPS_PER_WEIGHT = 100, 2
# The steps that L-BFGS remembers.
MEMORY = 10
# The damping to begin with, and the one that ends the search, both as shares of each weight's own curvature,
# of which the least counted is a share of the largest.
FIRST_DAMPING, LAST_DAMPING, LEAST_OWN = 1e-3, 1e12, 1e-6
# A promised fall below this share of the loss drowns in rounding.
ROUNDING = 1e-13
# A step must bring this share of what its model or its slope promises.
LEAST_GAIN = 1e-4
# Halvings of a step along the slopes before the search gives up.
MAX_HALVINGS = 60


class Curvature(NamedTuple):
    """A quadratic model's matrix, of which the upper half is filled, and the weights that its rows stand for."""

    matrix: NDArray[np.float64]
    places: NDArray[np.int64]


@runtime_checkable
class CurvedObjective(Protocol):
    """An objective that knows its second derivatives."""

    def __call__(self, flat: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        """Return the loss and its slopes."""

    def curvature(self, flat: NDArray[np.float64], free: NDArray[np.bool_]) -> Curvature:
        """Return the second derivatives by the free weights."""


@dataclass(frozen=True, eq=False)
class Minimum:
    """Where a search ended.

    Parameters
    ----------
    at : ndarray
    value : float
    n_iter : int
    converged : bool
        Whether the slopes are as small as asked for.
    """

    at: NDArray[np.float64]
    value: float
    n_iter: int
    converged: bool

    def as_attributes(self) -> dict[str, float | int | bool]:
        """Return how the search ended, by the names of its attributes."""
        return {"loss_": self.value, "n_iter_": self.n_iter, "converged_": self.converged}


@dataclass(frozen=True, eq=False)
class Point:
    """A place of the search with its loss, slopes and bounds."""

    at: NDArray[np.float64]
    value: float
    slopes: NDArray[np.float64]
    low: float
    high: float

    @property
    def steepness(self) -> float:
        """The largest coordinate of a step against the slopes, cut off at the bounds."""
        return float(np.abs(self.at - np.clip(self.at - self.slopes, self.low, self.high)).max(initial=0.0))

    @property
    def free(self) -> NDArray[np.bool_]:
        """The weights that the bounds do not hold back."""
        held = ((self.at <= self.low) & (self.slopes >= 0.0)) | ((self.at >= self.high) & (self.slopes <= 0.0))
        return np.asarray(~held)

    def moved(self, objective: Objective, step: NDArray[np.float64], places: NDArray[np.int64]) -> Point:
        """Return the point a step away, within the bounds."""
        at = self.at.copy()
        at[places] = np.clip(at[places] + step, self.low, self.high)
        value, slopes = objective(at)
        return replace(self, at=at, value=value, slopes=slopes)


def minimize(
    objective: Objective,
    start: NDArray[np.float64],
    *,
    bounds: tuple[float, float] | None,
    max_iter: int,
    tol: float,
) -> Minimum:
    """Go downhill from the start until no slope inside the bounds exceeds `tol`."""
    value, slopes = objective(start)
    point = Point(start, value, slopes, *(bounds or (-np.inf, np.inf)))
    if not isinstance(objective, CurvedObjective):
        point, n_iter = _by_slopes(objective, point, max_iter, tol)
    else:
        first_steps = min(max_iter, MOST_FIRST_STEPS, FIRST_STEPS_PER_WEIGHT * int(np.count_nonzero(point.free)))
        point, n_iter = _by_slopes(objective, point, max_iter, tol, first_steps)
        point, n_more = _by_curvature(objective, point, max_iter - n_iter, tol)
        n_iter += n_more
    return Minimum(point.at, point.value, n_iter, point.steepness <= tol)


def _by_curvature(objective: Any, point: Point, max_iter: int, tol: float) -> tuple[Point, int]:
    """Take steps to the lowest points of quadratic models, with a damping that follows how well they foretell."""
    damping, n_iter = FIRST_DAMPING, 0
    model: Curvature | None = None
    while n_iter < max_iter and point.steepness > tol and damping < LAST_DAMPING:
        if model is None:
            model = objective.curvature(point.at, point.free)
        matrix, places = model
        at, slopes = point.at[places], point.slopes[places]
        own = np.abs(matrix.diagonal())
        added = damping * np.maximum(own, max(LEAST_OWN * float(own.max()), 1e-100))
        step, promised, is_bowl = kernels.bayes.boxed.step_in_box(
            matrix, slopes, point.low - at, point.high - at, added
        )
        if not (is_bowl and promised > 0.0):
            damping *= 4.0
            continue
        there = point.moved(objective, step, places)
        n_iter += 1
        if promised <= ROUNDING * abs(point.value):
            if not there.steepness < point.steepness:
                break
            gain = 1.0
        else:
            gain = (point.value - there.value) / promised
        if gain > LEAST_GAIN:
            point, model = there, None
        damping *= 0.1 if gain > 0.75 else 1.0 if gain > 0.25 else 4.0
    return point, n_iter


def _by_slopes(
    objective: Objective, point: Point, max_iter: int, tol: float, enough: int | None = None
) -> tuple[Point, int]:
    """Take steps of L-BFGS among the weights that are free, cut off at the bounds.

    With `enough` steps the search ends as soon as a matrix of the free weights is not too large.
    """
    memory = _Memory(point.at.size)
    n_iter = 0
    while n_iter < max_iter and point.steepness > tol:
        if enough is not None and n_iter >= enough and np.count_nonzero(point.free) <= LARGEST_MATRIX:
            break
        free = np.flatnonzero(point.free)
        there = _halved_until_lower(objective, point, -memory.inverse_times(point.slopes, free), free)
        if there is None:
            if not memory.order.size:
                break
            memory = _Memory(point.at.size)
            continue
        n_iter += 1
        memory.add(there.at - point.at, there.slopes - point.slopes)
        point = there
    return point, n_iter


class _Memory:
    """The last steps and the changes of slopes that they brought."""

    def __init__(self, n_weights: int) -> None:
        self._moved, self._turned = np.empty((2, MEMORY, n_weights))
        self.order = np.empty(0, dtype=np.int64)

    def add(self, moved: NDArray[np.float64], turned: NDArray[np.float64]) -> None:
        """Remember a step, unless the loss curves downwards along it; the oldest is forgotten."""
        if not kernels.bayes.boxed.dot(moved, turned) > 0.0:
            return
        place = self.order.size if self.order.size < MEMORY else int(self.order[0])
        self._moved[place], self._turned[place] = moved, turned
        self.order = np.append(self.order[-(MEMORY - 1) :], place)

    def inverse_times(self, slopes: NDArray[np.float64], free: NDArray[np.int64]) -> NDArray[np.float64]:
        """Multiply the free slopes by the inverse curvature estimated from the steps."""
        found: NDArray[np.float64] = kernels.bayes.boxed.inverse_times(
            self._moved, self._turned, self.order, slopes, free
        )
        return found


def _halved_until_lower(
    objective: Objective, point: Point, step: NDArray[np.float64], places: NDArray[np.int64]
) -> Point | None:
    """Return the point a step away, the step halved until it pays; None if it never does."""
    for _ in range(MAX_HALVINGS):
        there = point.moved(objective, step, places)
        promised = -kernels.bayes.boxed.dot(point.slopes, there.at - point.at)
        if promised <= 0.0:
            return None
        if point.value - there.value >= LEAST_GAIN * promised:
            return there
        if promised <= ROUNDING * abs(point.value):
            return there if there.steepness < point.steepness else None
        step = step * 0.5
    return None


def follow_published_slopes(objective: Objective, start: NDArray[np.float64], max_iter: int, tol: float) -> Minimum:
    """Follow slopes that are not those of the loss, between 0 and 1, as the published program of RNB does.

    Where such a search ends, and whether it does, may depend on rounding.
    """
    found = optimize.minimize(
        objective,
        start,
        jac=True,
        method="L-BFGS-B",
        bounds=optimize.Bounds(0.0, 1.0),
        options={"maxcor": 5, "ftol": 0.0, "gtol": tol, "maxiter": max_iter, "maxfun": 50 * max_iter},
    )
    steepness = Point(found.x, float(found.fun), found.jac, 0.0, 1.0).steepness
    return Minimum(found.x, float(found.fun), int(found.nit), bool(steepness <= tol))
