"""Cuts that a classifier does better without: naive Bayes counts the evidence of related columns several times."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from cutwise import kernels

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from cutwise.search.jump_rows import JumpTable

    Floats = NDArray[np.float64]


class LeftOutRows:
    """How well naive Bayes predicts the class of each row when that row is left out of its counts.

    P(bin | class) is smoothed by one row for each bin of the column. Missing values say nothing, nor do bins that have
    no other row; special values and categories are bins of their own.

    Parameters
    ----------
    table : JumpTable
    is_cut : ndarray of bool
        Which jumps are at a cut.

    Attributes
    ----------
    losses : ndarray
        The log loss of each row and class that there is.
    weights : ndarray
        How often each of them counts. Of rows that count more than once, one is left out at a time.

    Notes
    -----
    Rows of a class that has no others cannot be predicted and are not judged.
    """

    def __init__(self, table: JumpTable, is_cut: NDArray[np.bool_]) -> None:
        self._table, self._is_cut = table, is_cut.copy()
        counts = table.counts / table.per_row
        of_class = counts.sum(axis=0)
        rows, labels = np.nonzero(counts)
        left = np.minimum(counts[rows, labels], 1.0)
        judged = of_class[labels] > left
        rows, self._labels, self._left = rows[judged], labels[judged], left[judged]
        self.weights = counts[rows, self._labels]
        self._cells = table.cells[:, rows]
        self._places = np.arange(rows.size)
        self._by_cell = [
            np.stack([np.bincount(cells - start, own, column.n_cells) for own in counts.T], axis=1)
            for cells, start, column in zip(table.cells, table.grid.cell_starts, table.columns, strict=False)
        ]
        self._scores = np.tile(kernels.elementary.log_of(of_class), (rows.size, 1))
        self._scores[self._places, self._labels] = kernels.elementary.log_of(of_class[self._labels] - self._left)
        for j in range(len(table.columns)):
            self._scores += self._evidence(j)
        self.losses = self._losses_of(self._scores)

    def drop(self, cut: int) -> bool:
        """Take a cut away if the loss falls by more than one standard error of the difference; return whether."""
        j = int(np.searchsorted(self._table.grid.jump_starts, cut, side="right")) - 1
        others = self._scores - self._evidence(j)
        self._is_cut[cut] = False
        scores = others + self._evidence(j)
        losses = self._losses_of(scores)
        gains = self.losses - losses
        gain = math.fsum((self.weights * gains).tolist())
        if gain <= math.sqrt(math.fsum((self.weights * gains**2).tolist())):
            self._is_cut[cut] = True
            return False
        self._scores, self.losses = scores, losses
        return True

    def _evidence(self, j: int) -> Floats:
        """Return the logarithm of P(bin | class) of a column, for each row and class."""
        bins, n_bins = self._bins(j)
        counts = np.zeros((n_bins + 1, self._scores.shape[1]))
        np.add.at(counts, bins, self._by_cell[j])
        # The last is that of missing values.
        counts[n_bins] = 0.0
        known = counts.sum(axis=0)
        log, labels, left = kernels.elementary.log_of, self._labels, self._left
        codes = bins[self._cells[j] - self._table.grid.cell_starts[j]]
        evidence = (log(counts + 1.0) - log(known + n_bins))[codes]
        own = counts[codes, labels] - left
        is_known = counts.sum(axis=1)[codes] > left
        own_evidence = log(np.maximum(own, 0.0) + 1.0) - log(np.maximum(known[labels] - left, 0.0) + n_bins)
        evidence[self._places, labels] = own_evidence
        evidence[~is_known] = 0.0
        return np.asarray(evidence)

    def _bins(self, j: int) -> tuple[NDArray[np.int64], int]:
        """Return the bin of each cell of a column, and the number of bins; missing values have the one after them."""
        column, start = self._table.columns[j], int(self._table.grid.jump_starts[j])
        is_first = np.ones(column.n_cells, dtype=np.bool_)
        is_first[1 : column.n_ordered] = self._is_cut[start : start + column.gaps.size]
        if column.missing >= 0:
            is_first[column.missing] = False
        bins = np.cumsum(is_first) - 1
        n_bins = int(is_first.sum())
        if column.missing >= 0:
            bins[column.missing] = n_bins
        return bins, n_bins

    def _losses_of(self, scores: Floats) -> Floats:
        logs = scores.copy()
        kernels.bayes.losses.shift_rows(logs)
        kernels.bayes.losses.to_log_shares(logs)
        return np.asarray(-logs[self._places, self._labels])


def without_harm(table: JumpTable, is_cut: NDArray[np.bool_], order: Iterable[int]) -> NDArray[np.bool_]:
    """Return which cuts are left when those are dropped without which naive Bayes predicts rows left out better.

    Parameters
    ----------
    table : JumpTable
    is_cut : ndarray of bool
        Which jumps are at a cut.
    order : iterable of int
        The cuts in the order in which they are tried, again and again until none is dropped.
    """
    rows = LeftOutRows(table, is_cut)
    left = list(order)
    n_before = len(left) + 1
    while len(left) < n_before:
        n_before = len(left)
        left = [cut for cut in left if not rows.drop(cut)]
    kept = np.zeros_like(is_cut)
    kept[left] = True
    return kept
