"""The strength of the pull, chosen by the log loss of rows that are left out.

With two classes the rows are left out one at a time, with more in folds. No row judges a fit that has seen it. Equal
rows, which are kept as one with the weight of all, are left out as if each stood alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cutwise import kernels
from cutwise.classify.additive.curvature import invert
from cutwise.classify.additive.newton import descend
from cutwise.classify.additive.problem import MANY_ROWS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.classify.additive.newton import Guide
    from cutwise.classify.additive.problem import Problem

# The strengths that are tried, in the order of a walk from the middle, each twice the one before.
STRENGTHS = tuple(2.0**k for k in range(-9, 12))
FIRST = 12
# The slopes per row at which a strength is judged.
ROUGH = 1e-5
# How many folds up to so many different rows, and of more: the fewer rows, the more a choice depends on how they fall.
N_FOLDS, FEWEST_FOLDS = ((500, 10), (2000, 5)), 3
# A row stands for no more equal rows than these, whatever its weight.
MOST_COPIES = 1 << 30
# A loss lower by less than this share is not lower.
MARGIN = 1e-9


class Trial(NamedTuple):
    """A strength that was tried: its log loss per row, and weights near those that it leads to."""

    alpha: float
    loss: float
    weights: NDArray[np.float64]


class LeftOut:
    """Judge strengths for two classes by rows that are left out one at a time.

    Leaving a row out moves its score by its leverage times its slope, to first order; so one fit tells what all those
    without one row each would predict (Rad and Maleki 2020).
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.every = max(problem.labels.size // MANY_ROWS, 1)
        self.part = problem.some(np.arange(problem.labels.size) % self.every == 0) if self.every > 1 else problem

    def start(self, alpha: float) -> list[NDArray[np.float64]]:
        """Return where the first search begins: with many rows, at the bottom of some of them."""
        zeros = np.zeros((self.problem.n_weights, self.problem.n_scores))
        return [zeros if self.every == 1 else descend(self.part, alpha / self.every, zeros, ROUGH).place.weights]

    def judge(self, alpha: float, starts: list[NDArray[np.float64]]) -> tuple[float, list[NDArray[np.float64]]]:
        """Return the loss per row of a strength, and the weights found.

        With many rows, some of them tell how much more than that of the rows the loss of rows left out is.
        """
        problem, part = self.problem, self.part
        place = descend(problem, alpha, starts[0], ROUGH).place
        rows = slice(None, None, self.every)
        # Where classes are told apart so well that hardly a row bends the loss, the curvature that guided the last step
        # is far from that of the place it led to.
        leverages = np.maximum(invert(problem, place.bends, alpha, near=True).leverages(rows), 0.0)
        judged = (np.ascontiguousarray(place.scores[rows]), part.labels, part.weights)
        loss = float(kernels.additive.cells.left_out(*judged, leverages)) / part.total
        if self.every > 1:
            loss -= float(kernels.additive.cells.left_out(*judged, np.zeros_like(leverages))) / part.total
            loss += problem.at_scores(place.scores).loss / problem.total
        return loss, [place.weights]


class HeldOut:
    """Judge strengths for any number of classes by folds of rows that are held out.

    Rows are dealt to folds in their order, class by class; that of distinct rows does not depend on chance.
    """

    def __init__(self, problem: Problem) -> None:
        n_folds = folds_for(problem.labels.size)
        dealt = deal_in_order(problem.labels, problem.weights, n_folds)
        self.parts = [(problem.weighing(problem.weights - held), problem.weighing(held)) for held in dealt]
        self.total = problem.total
        self.guide: Guide | None = None

    def start(self, alpha: float) -> list[NDArray[np.float64]]:  # noqa: ARG002
        """Return where the first searches begin."""
        return [np.zeros((part.n_weights, part.n_scores)) for part, _ in self.parts]

    def judge(self, alpha: float, starts: list[NDArray[np.float64]]) -> tuple[float, list[NDArray[np.float64]]]:
        """Return the loss per row of a strength, and the weights found."""
        found = []
        for (part, _), start in zip(self.parts, starts, strict=True):
            bottom = descend(part, alpha, start, ROUGH, self.guide)
            # Folds share most of their rows, and neighbouring strengths most of their shapes.
            self.guide = bottom.guide
            found.append(bottom.place.weights)
        losses = [
            other.at(weights, alpha, pulled=False).value for (_, other), weights in zip(self.parts, found, strict=True)
        ]
        return sum(losses) / self.total, found


def folds_for(n_rows: int) -> int:
    """Return into how many folds so many rows are dealt."""
    return next((n_folds for most, n_folds in N_FOLDS if n_rows <= most), FEWEST_FOLDS)


def deal_in_order(labels: NDArray[np.int64], weights: NDArray[np.float64], n_folds: int) -> list[NDArray[np.float64]]:
    """Return the weight of each row that belongs to each fold.

    A row of weight w stands for as many equal rows as w is nearest to, at least one. They go to the folds one after
    the other, class by class, so that no fold has all of them.

    Examples
    --------
    >>> deal_in_order(np.array([0, 0, 1]), np.array([1.0, 4.0, 1.0]), 2)
    [array([1., 2., 0.]), array([0., 2., 1.])]
    """
    by_class = np.argsort(labels, kind="stable")
    copies = np.clip(np.rint(weights), 1, MOST_COPIES).astype(np.int64)
    ends = np.empty(labels.size, dtype=np.int64)
    ends[by_class] = np.cumsum(copies[by_class])
    starts = ends - copies
    # Of the first n copies, fold f has (n - f) / n_folds, rounded up.
    own = [-((fold - ends) // n_folds) + (fold - starts) // n_folds for fold in range(n_folds)]
    return [weights * (n / copies) for n in own]


def choose_strength(problem: Problem, strengths: tuple[float, ...] = STRENGTHS, first: int = FIRST) -> list[Trial]:
    """Return what was tried on the way from one strength down the loss to either side."""
    judge = LeftOut(problem) if problem.n_scores == 1 else HeldOut(problem)
    losses: dict[int, float] = {}
    found: dict[int, list[NDArray[np.float64]]] = {}
    losses[first], found[first] = judge.judge(strengths[first], judge.start(strengths[first]))
    best = first
    for side in (1, -1):
        while 0 <= best + side < len(strengths):
            after = best + side
            if after not in losses:
                losses[after], found[after] = judge.judge(strengths[after], found[best])
            if not losses[after] < losses[best] * (1.0 - MARGIN):
                break
            best = after
    return [Trial(strengths[k], losses[k], np.mean(found[k], axis=0)) for k in sorted(losses)]
