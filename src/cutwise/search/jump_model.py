"""The additive model of bins whose jumps between neighbours are penalised, fitted to its minimum."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from cutwise import kernels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.kernels.inputs import JumpGrid

    Floats = NDArray[np.float64]

MAX_STEPS = 200
MAX_SWEEPS = 1000
# How far the quadratic model is solved, against what the loss itself misses.
SHARE = 0.2
NEAR = 0.9
STATS = dict(steps=0, sweeps=0, hess=0, solves=0, halved=0, hit=0, A=0)


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
        For each jump 1 or -1 if it may not fall or rise, else 0.
    """

    grid: JumpGrid
    cells: NDArray[np.int32]
    counts: Floats
    weights: Floats
    signs: Floats

    @property
    def n_scores(self) -> int:
        return self.counts.shape[1]

    @property
    def n_jumps(self) -> int:
        return self.grid.means.size

    def columns_of(self, jumps: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.searchsorted(self.grid.jump_starts, jumps, side="right") - 1

    def scores(self, fit: JumpFit) -> Floats:
        """Return the scores of all rows."""
        loops = kernels.joint.jumps
        tables = np.empty((int(self.grid.cell_starts[-1]), self.n_scores))
        loops.tables_of_jumps(self.grid, fit.jumps, tables)
        columns = np.unique(self.columns_of(np.flatnonzero(fit.chosen)))
        scores = np.tile(fit.intercept, (self.cells.shape[1], 1))
        loops.add_scores(self.cells, columns, tables, scores)
        return scores


@dataclass(frozen=True, eq=False)
class JumpFit:
    """The jumps and the intercepts of a model, and the derivatives of its loss by the jumps."""

    jumps: Floats
    intercept: Floats
    slopes: Floats
    loss: float = np.inf
    miss: float = np.inf

    @property
    def chosen(self):
        return (self.jumps != 0.0).any(axis=1)


class JumpSolver:
    """Fit a model for one penalty after the other, each from the one before."""

    def __init__(self, rows: JumpRows, tolerance: float = 1e-6) -> None:
        self.rows = rows
        self.tolerance = tolerance
        n_rows, n_scores = rows.counts.shape
        self._slopes = np.empty((n_rows, n_scores))
        self._bends = np.empty((n_rows, n_scores))
        self._sums = np.empty((int(rows.grid.cell_starts[-1]), n_scores))
        self._miss = np.empty(rows.n_jumps)
        self.fit = JumpFit(np.zeros((rows.n_jumps, n_scores)), np.zeros(n_scores), np.zeros((rows.n_jumps, n_scores)))
        self.penalty = np.inf
        self._chosen = None

    def start(self):
        self.solve(1e300)
        return float(np.sqrt((self.fit.slopes**2).sum(axis=1)).max(initial=0.0))

    def _look(self, fit, scores):
        """Return a fit with its loss and slopes; also the slope by the intercept."""
        loops, rows = kernels.joint.jumps, self.rows
        loss = loops.slopes_of(scores, rows.weights, rows.counts, self._slopes, self._bends)
        loops.sum_by_cell(rows.cells, self._slopes, self._sums)
        slopes = np.empty_like(fit.jumps)
        loops.slopes_of_jumps(rows.grid, self._sums, slopes)
        total = np.zeros(rows.n_scores)
        for c in range(rows.n_scores):
            total[c] = self._slopes[:, c].sum()
        return replace(fit, slopes=slopes, loss=loss), total

    def working(self, penalty: float) -> NDArray[np.bool_]:
        """Return the jumps that are not zero, and those that may become so with this penalty."""
        lengths = np.sqrt((self.fit.slopes**2).sum(axis=1))
        return self.fit.chosen | (lengths > NEAR * penalty)

    def solve(self, penalty: float, shared=None) -> JumpFit:
        """Fit the model."""
        loops, rows, fit = kernels.joint.jumps, self.rows, self.fit
        working = self.working(penalty) if penalty < 1e299 else fit.chosen
        scores = rows.scores(fit)
        age = 0
        STATS["solves"] += 1
        hessian = None
        for step in range(MAX_STEPS):
            fit, total = self._look(fit, scores)
            miss = loops.violations(fit.slopes, fit.jumps, rows.signs, penalty, self._miss)
            miss = max(miss, float(np.abs(total).max()))
            if miss <= self.tolerance:
                break
            missed = self._miss > self.tolerance
            if (missed & ~working).any():
                working = working | (np.sqrt((fit.slopes**2).sum(axis=1)) > 0.95 * penalty)
                hessian = None
            chosen = np.flatnonzero(working)
            if hessian is None and shared is not None and step < 12:
                if not (working & ~shared.working).any():
                    working, hessian, age = shared.working, shared.hessian, -8
                    chosen = np.flatnonzero(working)
            if hessian is None or age >= (1 if rows.n_scores == 1 else 4):
                hessian = self._hessian(chosen)
                age = 0
            age += 1
            fit, scores = self._step(fit, scores, chosen, hessian, total, penalty, miss)
            STATS["steps"] += 1
        else:
            STATS["hit"] += 1
        self.fit, self.penalty = replace(fit, miss=miss), penalty
        return self.fit

    def share(self, working):
        return SharedBends(working, self._hessian(np.flatnonzero(working)))

    def _hessian(self, chosen):
        loops, rows = kernels.joint.jumps, self.rows
        STATS["hess"] += 1
        STATS["A"] = max(STATS["A"], chosen.size)
        hessian = np.zeros((rows.n_scores, chosen.size + 1, chosen.size + 1))
        columns, firsts = np.unique(rows.columns_of(chosen), return_index=True)
        starts = np.append(firsts, chosen.size) + 1
        n_groups = np.zeros(columns.size, dtype=np.int64)
        most = int(np.diff(starts).max(initial=0)) + 2
        values = np.zeros((chosen.size + 1, most))
        group_of_cell = np.zeros(int(rows.grid.cell_starts[-1]), dtype=np.int16)
        cells = np.empty((columns.size, rows.weights.size), dtype=np.int16)
        for i, j in enumerate(columns):
            own = chosen[starts[i] - 1 : starts[i + 1] - 1]
            n_groups[i] = loops.join_cells(rows.grid, j, own, group_of_cell, values[starts[i] : starts[i + 1]])
            cells[i] = group_of_cell[rows.cells[j]]
        room = np.empty((most, most, rows.n_scores))
        loops.fill_bends(cells, self._bends, room, n_groups, starts, values, hessian)
        return hessian

    def _step(self, fit, scores, chosen, hessian, total, penalty, miss):
        loops, rows = kernels.joint.jumps, self.rows
        jumps = np.concatenate([np.zeros((1, rows.n_scores)), fit.jumps[chosen]]).T.copy()
        slopes = np.concatenate([total[None], fit.slopes[chosen]]).T.copy()
        signs = np.append(0.0, rows.signs[chosen])
        STATS["sweeps"] += loops.descend(hessian, slopes, jumps, signs, penalty, SHARE * miss, MAX_SWEEPS)
        jumps = jumps.T
        if rows.n_scores > 1:
            jumps = jumps - jumps.mean(axis=1, keepdims=True)
        moved = fit.jumps.copy()
        moved[chosen] = jumps[1:]
        new = replace(fit, jumps=moved, intercept=fit.intercept + jumps[0])
        new_scores = rows.scores(new)
        old = fit.loss + penalty * float(np.sqrt((fit.jumps**2).sum(axis=1)).sum()) if penalty < 1e299 else fit.loss
        share = 1.0
        while True:
            loss = loops.loss_of(new_scores, rows.weights, rows.counts)
            value = loss + penalty * float(np.sqrt((new.jumps**2).sum(axis=1)).sum()) if penalty < 1e299 else loss
            if value <= old + 1e-14 * abs(old) or share < 1e-6:
                return new, new_scores
            STATS["halved"] += 1
            share /= 2
            new = replace(fit, jumps=(fit.jumps + new.jumps) / 2, intercept=(fit.intercept + new.intercept) / 2)
            new_scores = (scores + new_scores) / 2


class SharedBends:
    def __init__(self, working, hessian):
        self.working, self.hessian = working, hessian
