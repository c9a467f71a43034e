"""Weighted ridge regression, solved by the smaller of its two systems of equations."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import linalg

if TYPE_CHECKING:
    from numpy.typing import NDArray


def ridge(
    design: NDArray[np.float64], targets: NDArray[np.float64], weights: NDArray[np.float64], c: float
) -> NDArray[np.float64]:
    """Return the coefficients that minimise weighted squared errors plus their own squares / c.

    With D the design, Y the targets, Ω the weights on a diagonal, they are

        (I/c + DᵀΩD)⁻¹ DᵀΩY  =  √Ω-scaled  Dᵀ (I/c + DDᵀ)⁻¹ Y.

    The left form has an equation for each column, the right one for each row; the one with fewer
    equations is solved.
    """
    roots = np.sqrt(weights)[:, np.newaxis]
    scaled, goal = design * roots, targets * roots
    n_rows, n_columns = design.shape
    solve = solve_by_columns if n_columns <= n_rows else solve_by_rows
    try:
        return solve(scaled, goal, c)
    except linalg.LinAlgError:
        # The penalty is lost in the rounding of large sums: solve without forming them.
        return solve_without_squares(scaled, goal, c)


def solve_by_columns(design: NDArray[np.float64], targets: NDArray[np.float64], c: float) -> NDArray[np.float64]:
    """Solve the equations of the columns: (I/c + DᵀD) β = DᵀY."""
    return _solve_positive(design.T @ design, design.T @ targets, c)


def solve_by_rows(design: NDArray[np.float64], targets: NDArray[np.float64], c: float) -> NDArray[np.float64]:
    """Solve the equations of the rows: β = Dᵀ (I/c + DDᵀ)⁻¹ Y."""
    coefficients: NDArray[np.float64] = design.T @ _solve_positive(design @ design.T, targets, c)
    return coefficients


def solve_without_squares(design: NDArray[np.float64], targets: NDArray[np.float64], c: float) -> NDArray[np.float64]:
    """Solve the same problem as least squares with a row more for each column; slower and more exact."""
    n_columns = design.shape[1]
    rows = np.vstack([design, np.eye(n_columns) / np.sqrt(c)])
    goal = np.vstack([targets, np.zeros((n_columns, targets.shape[1]))])
    coefficients: NDArray[np.float64] = linalg.lstsq(rows, goal, check_finite=False)[0]
    return coefficients


def _solve_positive(square: NDArray[np.float64], goal: NDArray[np.float64], c: float) -> NDArray[np.float64]:
    """Solve (I/c + square) x = goal by Cholesky's method, in place."""
    square.flat[:: len(square) + 1] += 1.0 / c
    factor = linalg.cho_factor(square, lower=True, overwrite_a=True, check_finite=False)
    solution: NDArray[np.float64] = linalg.cho_solve(factor, goal, check_finite=False)
    return solution
