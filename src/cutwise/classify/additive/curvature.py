"""Inverses of the curvature of an additive model's loss: over weights or over rows, whichever are fewer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import linalg

from cutwise import kernels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.classify.additive.problem import Place, Problem

# The spread of the constants in the curvature over rows, which has no room for one without any pull.
FREE = 1e4


class WeightCurvature:
    """The inverse of the curvature by weights, from its factor: for more rows than weights."""

    def __init__(self, problem: Problem, bends: NDArray[np.float64], alpha: float, *, near: bool = False) -> None:
        matrix = problem.curvature_near(bends) if near else problem.curvature(bends)
        diagonal = np.arange(problem.n_weights)
        matrix[diagonal, diagonal] += problem.pull(alpha)
        # A weight that no row and no pull bends stays where it is.
        matrix[diagonal, diagonal] += 1e-12 * max(float(matrix.diagonal().max()), 1e-300)
        self.problem, self.scale = problem, 1.0
        self.factor = linalg.cholesky(matrix, lower=False, overwrite_a=True, check_finite=False)

    def solve(self, slopes: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the step whose bend is given."""
        return np.asarray(linalg.cho_solve((self.factor, False), slopes, check_finite=False))

    def shortened(self) -> WeightCurvature:
        """Return a multiple of the same with a factor in short numbers, which is read in half the time."""
        self.scale = float(self.factor.diagonal().max())
        self.factor = (self.factor / self.scale).astype(np.float32)
        return self

    @staticmethod
    def solve_each(inverses: list[Any], slopes: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the steps whose bends are given, of each class by its own inverse, or of all by one."""
        # What is beyond the range of short numbers is brought into it.
        largest = max(float(np.abs(slopes).max(initial=0.0)), 1e-300)
        short = (slopes / largest).astype(np.float32)
        if len(inverses) == 1:
            scale = inverses[0].scale
            return np.asarray(inverses[0].solve(short) * np.float64(largest / scale / scale))
        found = np.empty_like(slopes)
        for c, own in enumerate(inverses):
            found[:, c] = own.solve(short[:, c]) * np.float64(largest / own.scale / own.scale)
        return found

    def inverse(self) -> NDArray[np.float64]:
        """Return the inverse."""
        found, _ = linalg.lapack.dpotri(self.factor, lower=False)
        upper = np.triu(found)
        return np.asarray(upper + np.triu(upper, 1).T)

    def cell_spread(self) -> NDArray[np.float64]:
        """Return the variance of the score of each cell."""
        found = self.inverse()
        spans = [self.problem.spans(j) for j in range(len(self.problem.bases))]
        bases = zip(self.problem.bases, spans, strict=True)
        return np.concatenate([np.einsum("br,rs,bs->b", basis, found[own, own], basis) for basis, (_, own) in bases])

    def leverages(self, rows: slice = slice(None)) -> NDArray[np.float64]:
        """Return how much the score of each of some rows moves with its own slope."""
        table = self.problem.cell_table(self.inverse())
        return np.asarray(kernels.additive.cells.sum_pairs(np.ascontiguousarray(self.problem.cells[rows]), table))


class RowCurvature:
    """The same from the rows' likeness: for fewer rows than weights."""

    def __init__(self, problem: Problem, bends: NDArray[np.float64], alpha: float) -> None:
        self.problem = problem
        pull = problem.pull(alpha)
        self.spread = np.divide(1.0, pull, out=np.full(pull.size, FREE), where=pull > 0.0)
        self.roots = np.sqrt(bends)
        scale = 2.0 if problem.n_scores == 1 else 1.0
        self.together = problem.likeness * (scale / alpha) + FREE
        matrix = self.together * (self.roots[:, None] * self.roots)
        matrix[np.diag_indices_from(matrix)] += 1.0
        self.factor = linalg.cholesky(matrix, lower=True, overwrite_a=True, check_finite=False)

    def solve(self, slopes: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the step whose bend is given."""
        spread = self.spread[:, None]
        seen = self.problem.scores(spread * slopes) * self.roots[:, None]
        inner = linalg.cho_solve((self.factor, True), seen, check_finite=False) * self.roots[:, None]
        return np.asarray(spread * (slopes - self.problem.gathered(inner)))

    def shortened(self) -> RowCurvature:
        """Return the same without what only leverages need."""
        self.together = np.empty((0, 0))
        return self

    @staticmethod
    def solve_each(inverses: list[Any], slopes: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the steps whose bends are given, of each class by its own inverse, or of all by one."""
        one = inverses[0]
        if len(inverses) == 1:
            return np.asarray(one.solve(slopes))
        spread = one.spread[:, None]
        seen = one.problem.scores(spread * slopes)
        for c, own in enumerate(inverses):
            inner = linalg.cho_solve((own.factor, True), seen[:, c] * own.roots, check_finite=False)
            seen[:, c] = inner * own.roots
        return np.asarray(spread * (slopes - one.problem.gathered(seen)))

    def cell_spread(self) -> NDArray[np.float64]:
        """Return the variance of the score of each cell."""
        found = []
        for j, basis in enumerate(self.problem.bases):
            cells, own = self.problem.spans(j)
            table = np.zeros((len(basis) + 1, len(basis)))
            table[:-1] = (basis * self.spread[own]) @ basis.T
            codes = np.minimum(self.problem.cells[:, j] - cells.start, len(basis))
            seen = table[codes] * self.roots[:, None]
            half = linalg.solve_triangular(self.factor, seen, lower=True, check_finite=False)
            found.append(table[:-1].diagonal() - (half * half).sum(axis=0))
        return np.concatenate(found)

    def leverages(self, rows: slice = slice(None)) -> NDArray[np.float64]:
        """Return how much the score of each of some rows moves with its own slope."""
        full = np.tril(self.together)
        full += np.tril(full, -1).T
        half = linalg.solve_triangular(self.factor, full * self.roots[:, None], lower=True, check_finite=False)
        return np.asarray(full.diagonal() - (half * half).sum(axis=0))[rows]


def invert(
    problem: Problem, bends: NDArray[np.float64], alpha: float, *, near: bool = False
) -> WeightCurvature | RowCurvature:
    """Return the inverse of the curvature for one score, over whichever are fewer, rows or weights.

    With `near`, that of many rows may be made of curvatures near those given.
    """
    if problem.labels.size < problem.n_weights:
        return RowCurvature(problem, bends, alpha)
    return WeightCurvature(problem, bends, alpha, near=near)


class ByClass:
    """An inverse near that of the curvature for many classes: each class and each pair of columns by itself.

    The weights of the columns are taken together, class by class; `main` has their inverses where these are known.
    """

    def __init__(self, problem: Problem, place: Place, alpha: float, main: ByClass | None = None) -> None:
        bends = np.asfortranarray(place.shares * (1.0 - place.shares) * problem.weights[:, None])
        self.columns: list[WeightCurvature | RowCurvature]
        self.columns = self._of_columns(problem.without_pairs(), bends, alpha) if main is None else main.columns
        self.pairs = problem.pair_blocks(bends, alpha)

    @staticmethod
    def _of_columns(problem: Problem, bends: NDArray[np.float64], alpha: float) -> list[WeightCurvature | RowCurvature]:
        n_different = 1 if (bends == bends[:, :1]).all() else problem.n_scores
        return [invert(problem, bends[:, c], alpha).shortened() for c in range(n_different)]

    def solve(self, slopes: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return a step whose bend is near the given one; its sum over the classes is 0."""
        found = np.empty_like(slopes)
        first = len(slopes) - sum(block.shape[1] for block in self.pairs)
        found[:first] = type(self.columns[0]).solve_each(self.columns, slopes[:first])
        for block in self.pairs:
            own = slice(first, first + block.shape[1])
            found[own] = np.matmul(block, slopes[own].T[:, :, None])[:, :, 0].T
            first = own.stop
        return np.asarray(found - found.mean(axis=1, keepdims=True))


Inverse = WeightCurvature | RowCurvature | ByClass
