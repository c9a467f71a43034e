"""From rows of codes to the scores of all bins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cutwise.classify.additive.bases import ColumnBins, column_basis
from cutwise.classify.additive.constrained import descend_within, jump_bounds
from cutwise.classify.additive.newton import descend
from cutwise.classify.additive.problem import Problem, invert
from cutwise.classify.additive.strength import choose_strength
from cutwise.classify.bayes.tables import count_sample

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cutwise.classify.additive.strength import Trial
    from cutwise.classify.bayes.sample import CodedRows
    from cutwise.classify.bayes.tables import CellCounts

# The slopes per row at which the search ends, and those that count as none.
TOL, CONVERGED = 1e-11, 1e-8
# Directions of a column: its scores may only rise, only fall, or do either but not both.
RISING, FALLING, EITHER = 1, -1, 2


@dataclass(frozen=True, eq=False)
class LearnedShapes:
    """What a fit has learned.

    Parameters
    ----------
    start : ndarray of shape (n_classes,)
    scores : ndarray of shape (n_cells, n_classes)
    errors : ndarray of shape (n_cells,)
        The standard error of each score.
    alpha : float
    tried : tuple of Trial
        The strengths that were compared.
    loss, steepness : float
        The penalised log loss of all rows, and its largest slope per row.
    n_iter : int
    """

    start: NDArray[np.float64]
    scores: NDArray[np.float64]
    errors: NDArray[np.float64]
    alpha: float
    tried: tuple[Trial, ...]
    loss: float
    steepness: float
    n_iter: int

    @property
    def converged(self) -> bool:
        """Whether no slope is left."""
        return self.steepness <= CONVERGED


def learn_shapes(
    sample: CodedRows, n_ordered: Sequence[int], alpha: float | None, directions: Sequence[int]
) -> LearnedShapes:
    """Learn the scores of all bins at once; without `alpha`, its strength too."""
    counts = count_sample(sample)
    if counts.of_class.size == 1:
        zeros = np.zeros(counts.of_cell.shape)
        return LearnedShapes(np.zeros(1), zeros, zeros[:, 0], 1.0 if alpha is None else alpha, (), 0.0, 0.0, 0)
    problem = main_problem(sample, counts, n_ordered)
    if alpha is None:
        tried = choose_strength(problem)
        best = min(tried, key=lambda trial: trial.loss)
        strength, start = best.alpha, best.weights
    else:
        tried, strength, start = [], float(alpha), np.zeros((problem.n_weights, problem.n_scores))
    bottom = descend(problem, strength, start, TOL)
    place, steepness, n_iter = bottom.place, bottom.place.steepness, bottom.n_iter
    if any(directions):
        bounds = jump_bounds(problem, place.weights, n_ordered, directions)
        found = descend_within(problem, strength, place, bounds, TOL)
        place, steepness, n_iter = found.place, found.steepness, n_iter + found.n_iter
    table = problem.tables(place.weights)[:-1]
    spread = invert(problem, place.bends, strength).cell_spread()
    return LearnedShapes(
        start=_by_class(table[:1])[0],
        scores=_by_class(table[1:]),
        errors=np.sqrt(np.maximum(spread[1:], 0.0) * _share_of_spread(problem)),
        alpha=strength,
        tried=tuple(tried),
        loss=place.value,
        steepness=steepness / problem.total,
        n_iter=n_iter,
    )


def main_problem(sample: CodedRows, counts: CellCounts, n_ordered: Sequence[int]) -> Problem:
    """Return the problem of one shape for each column."""
    rows = counts.of_cell.sum(axis=1)
    spans = [slice(*span) for span in zip(counts.offsets[:-1], counts.offsets[1:], strict=True)]
    bases = [column_basis(ColumnBins(rows[span], n)) for span, n in zip(spans, n_ordered, strict=True)]
    return Problem(sample.distinct(), bases)


def _by_class(table: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a score for each class, their sum 0, from one for each class or from log-odds."""
    if table.shape[1] == 1:
        return np.hstack([-0.5 * table, 0.5 * table])
    return np.asarray(table - table.mean(axis=1, keepdims=True))


def _share_of_spread(problem: Problem) -> float:
    """Return the share of the curvature's inverse that is the spread of one class's scores."""
    return 0.25 if problem.n_scores == 1 else 1.0 - 1.0 / problem.n_classes
