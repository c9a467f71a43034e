"""The additive model of bins whose jumps between neighbours are penalised, fitted to its minimum."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cutwise import kernels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.kernels.inputs import JumpGrid

    Floats = NDArray[np.float64]

MAX_STEPS = 500
MAX_SWEEPS = 1000
# How well the quadratic model is solved, as a share of what the model itself misses.
SHARE = 0.2
# Jumps of zero are worked on if their slope is at least this share of the penalty; at most so many more than there are
# others, the steepest.
NEAR = 0.9
MORE = 50
# After so many steps second derivatives are computed anew: exact ones, approximate ones, those of other rows.
FRESH, STALE, BORROWED = 1, 4, 12
# A step is halved until the loss does not rise, but not below this share of it.
LEAST_SHARE = 1e-6
ROUNDING = 1e-14


@dataclass(frozen=True, eq=False)
class JumpRows:
    """Rows of an additive model.

    Parameters
    ----------
    grid : JumpGrid
    cells : ndarray of int32, of shape (n_columns, n_rows)
        The cell of each row in each column.
    counts : ndarray of shape (n_rows, n_scores)
        The share of a row and class in all rows; of two classes, only that of the second.
    weights : ndarray of shape (n_rows,)
        The share of a row in all rows.
    signs : ndarray
        For each jump 1 or -1 if it may not fall or rise, else 0; only for two classes.
    """

    grid: JumpGrid
    cells: NDArray[np.int32]
    counts: Floats
    weights: Floats
    signs: Floats

    @property
    def n_scores(self) -> int:
        """The number of scores of a row."""
        return int(self.counts.shape[1])

    @property
    def n_jumps(self) -> int:
        """The number of jumps of all columns."""
        return self.grid.means.size

    def columns_of(self, jumps: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the column of each of these jumps."""
        return np.searchsorted(self.grid.jump_starts, jumps, side="right") - 1

    def scores(self, fit: JumpFit) -> Floats:
        """Return the scores of all rows."""
        loops = kernels.joint.jumps
        tables = np.empty((int(self.grid.cell_starts[-1]), self.n_scores))
        loops.tables_of_jumps(self.grid, fit.jumps, tables)
        columns = np.unique(self.columns_of(np.flatnonzero(fit.chosen)))
        scores = np.tile(fit.intercept, (self.weights.size, 1))
        loops.add_scores(self.cells, columns, tables, scores)
        return scores

    def loss(self, fit: JumpFit) -> float:
        """Return the mean log loss."""
        return float(kernels.joint.jumps.loss_of(self.scores(fit), self.weights, self.counts))


class JumpFit(NamedTuple):
    """A model: its jumps [jump, score] and intercepts, and what is known of its minimum.

    `slopes` are the derivatives of the loss by the jumps, `miss` is the largest amount by which a jump or an intercept
    misses the conditions of the minimum.
    """

    jumps: Floats
    intercept: Floats
    slopes: Floats
    loss: float = np.inf
    miss: float = np.inf

    @property
    def chosen(self) -> NDArray[np.bool_]:
        """Which jumps are not zero."""
        return np.asarray(self.jumps.any(axis=1))


class JumpBends(NamedTuple):
    """The second derivatives [score, jump, jump] by the intercept and some jumps."""

    working: NDArray[np.bool_]
    hessian: Floats


class JumpSolver:
    """Fits a model for one penalty after the other, each from the one before.

    A step minimises a quadratic model by coordinate descent, over the jumps that are not zero or may become so; then
    the conditions of the minimum are checked for all jumps.

    Parameters
    ----------
    rows : JumpRows
    tolerance : float
        A fit ends when no jump misses the conditions of the minimum by more; per row.
    """

    def __init__(self, rows: JumpRows, tolerance: float) -> None:
        self.rows = rows
        self.tolerance = tolerance
        shape = rows.counts.shape
        self._slopes, self._bends = np.empty(shape), np.empty(shape)
        self._sums = np.empty((int(rows.grid.cell_starts[-1]), rows.n_scores))
        nothing = np.zeros((rows.n_jumps, rows.n_scores))
        self.fit = JumpFit(nothing, np.zeros(rows.n_scores), nothing)

    def begin(self) -> float:
        """Fit the intercepts alone; return the smallest penalty that leaves all jumps at zero."""
        self.solve(np.finfo(float).max)
        free = kernels.joint.jumps.misses(self.fit.slopes, self.fit.jumps, self.rows.signs, 0.0)
        return float(free.max(initial=0.0))

    def near(self, penalty: float) -> NDArray[np.bool_]:
        """Return which jumps are not zero, or nearly have the slope not to be."""
        near = self.fit.chosen
        lengths = np.where(near, 0.0, kernels.joint.jumps.lengths_of(self.fit.slopes))
        steepest = np.argsort(-lengths, kind="stable")[: np.count_nonzero(near) + MORE]
        near[steepest] |= lengths[steepest] > NEAR * penalty
        return near

    def bends(self, working: NDArray[np.bool_]) -> JumpBends:
        """Return the second derivatives at the present fit."""
        loops, rows, chosen = kernels.joint.jumps, self.rows, np.flatnonzero(working)
        columns, firsts = np.unique(rows.columns_of(chosen), return_index=True)
        starts = np.append(firsts, chosen.size) + 1
        most = int(np.diff(starts).max(initial=0)) + 2
        values = np.zeros((chosen.size + 1, most))
        group_of_cell = np.zeros(int(rows.grid.cell_starts[-1]), dtype=np.int32)
        groups = np.empty((columns.size, rows.weights.size), dtype=np.int32)
        n_groups = np.zeros(columns.size, dtype=np.int64)
        for i, j in enumerate(columns.tolist()):
            own = slice(starts[i], starts[i + 1])
            n_groups[i] = loops.join_cells(
                rows.grid, j, chosen[starts[i] - 1 : starts[i + 1] - 1], group_of_cell, values[own]
            )
            groups[i] = group_of_cell[rows.cells[j]]
        hessian = np.empty((rows.n_scores, chosen.size + 1, chosen.size + 1))
        room = np.empty((most, most, rows.n_scores)), np.empty((most, rows.n_scores))
        loops.fill_bends(groups, self._bends, *room, n_groups, starts, values, hessian)
        return JumpBends(working, hessian)

    def solve(self, penalty: float, borrowed: JumpBends | None = None) -> JumpFit:
        """Fit the model.

        Parameters
        ----------
        penalty : float
        borrowed : JumpBends, optional
            The second derivatives of similar rows, which save the time to compute those of these rows.
        """
        working = self.near(penalty)
        scores = self.rows.scores(self.fit)
        bends, lasts = None, 0
        for _ in range(MAX_STEPS):
            totals, misses = self._look(scores, penalty)
            if self.fit.miss <= self.tolerance:
                break
            if (misses[~working] > self.tolerance).any():
                working, bends = self.near(penalty) | working, None
            if bends is None and borrowed is not None and not (working & ~borrowed.working).any():
                working, bends, lasts = borrowed.working, borrowed, BORROWED
            if bends is None or lasts == 0:
                borrowed, bends, lasts = None, self.bends(working), FRESH if self.rows.n_scores == 1 else STALE
            scores = self._step(scores, bends, totals, penalty)
            lasts -= 1
        return self.fit

    def _look(self, scores: Floats, penalty: float) -> tuple[Floats, Floats]:
        """Bring loss and slopes of the fit up to date; return the intercepts' slopes and what each jump misses."""
        loops, rows, fit = kernels.joint.jumps, self.rows, self.fit
        totals = np.empty(rows.n_scores)
        loss = loops.slopes_of(scores, rows.weights, rows.counts, self._slopes, self._bends, totals)
        loops.sum_by_cell(rows.cells, self._slopes, self._sums)
        slopes = np.empty_like(fit.jumps)
        loops.slopes_of_jumps(rows.grid, self._sums, slopes)
        misses = loops.misses(slopes, fit.jumps, rows.signs, penalty)
        miss = max(float(misses.max(initial=0.0)), float(np.abs(totals).max()))
        self.fit = fit._replace(slopes=slopes, loss=loss, miss=miss)
        return totals, misses

    def _step(self, scores: Floats, bends: JumpBends, totals: Floats, penalty: float) -> Floats:
        """Take a step to the minimum of the quadratic model, a shorter one if the loss rises; return the scores."""
        loops, rows, fit = kernels.joint.jumps, self.rows, self.fit
        chosen = np.flatnonzero(bends.working)
        jumps = np.concatenate([np.zeros((1, rows.n_scores)), fit.jumps[chosen]]).T.copy()
        slopes = np.concatenate([totals[np.newaxis], fit.slopes[chosen]]).T.copy()
        signs = np.append(0.0, rows.signs[chosen])
        loops.descend(bends.hessian, slopes, jumps, signs, penalty, SHARE * fit.miss, MAX_SWEEPS)
        if rows.n_scores > 1:
            loops.center(jumps)
        moved = fit.jumps.copy()
        moved[chosen] = jumps.T[1:]
        new = fit._replace(jumps=moved, intercept=fit.intercept + jumps[:, 0])
        new_scores = rows.scores(new)
        before = fit.loss + _penalty(fit, penalty)
        share = 1.0
        while share > LEAST_SHARE:
            value = loops.loss_of(new_scores, rows.weights, rows.counts) + _penalty(new, penalty)
            if value <= before + ROUNDING * abs(before):
                break
            share /= 2
            new = new._replace(jumps=(fit.jumps + new.jumps) / 2, intercept=(fit.intercept + new.intercept) / 2)
            new_scores = (scores + new_scores) / 2
        self.fit = new
        return new_scores


def _penalty(fit: JumpFit, penalty: float) -> float:
    loops = kernels.joint.jumps
    length = loops.sum_of(loops.lengths_of(fit.jumps))
    return float(penalty * length) if length else 0.0
