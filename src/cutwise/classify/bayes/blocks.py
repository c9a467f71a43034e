"""Rows in blocks: losses and their slopes without a table of rows, classes and attributes.

A row's scores are sums of entries of a table [cell, class], one cell for each attribute. So
the slopes of a loss by the table's entries are sums over rows too, and the weights that
made the table get their slopes from these few entries. Nothing larger than a block of rows
by classes is ever held.

The formulas of the losses are in `kernels.bayes.losses`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cutwise import kernels
from cutwise.classify.bayes.tables import find_cells
from cutwise.kernels.inputs import LOG, SQUARED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.classify.bayes.sample import CodedRows

# Scores in a block: few enough to stay in the processor's cache.
BLOCK_SIZE = 1 << 15
# Rows in a block at least, however many classes there are.
SMALLEST_BLOCK = 64


class Loss(NamedTuple):
    """A loss, and what it is made of.

    Parameters
    ----------
    kind : int
        LOG, the negative log-probability of the rows' own classes; SQUARED, half the squared errors of the
        probabilities; MIXED, those of two halves of scores whose probabilities are mixed.
    mixing : float
        The share of the second half of the scores.
    published : bool
        Whether the slopes of the second half lack the other classes' share.
    """

    kind: int
    mixing: float = 0.0
    published: bool = False


@dataclass(frozen=True, eq=False)
class LossAndSlopes:
    """A loss added up over all rows.

    Parameters
    ----------
    total : float
        The loss.
    by_mixing : float
        Its derivative by the mixing.
    of_cells : ndarray of shape (n_cells, n_scores)
        Its derivative by the entries of the table.
    of_start : ndarray of shape (n_scores,)
        Its derivative by the entries of the start.
    """

    total: float
    by_mixing: float
    of_cells: NDArray[np.float64]
    of_start: NDArray[np.float64]


class Bends(NamedTuple):
    """Which second derivatives to add up.

    Parameters
    ----------
    logs : ndarray of shape (n_cells, n_classes)
        The log-likelihoods that the weights multiply.
    attributes : ndarray of int
        The attribute of each weight.
    first, last : ndarray of int, one for each score
        The weights of which a score is made: from `first` to the one before `last`.
    kind : int
        The loss: LOG, SQUARED or MIXED.
    mixing : float
        The share of the second half of the scores.
    with_mixing : bool
        Whether the mixing follows the weights.
    """

    logs: NDArray[np.float64]
    attributes: NDArray[np.int64]
    first: NDArray[np.int64]
    last: NDArray[np.int64]
    kind: int
    mixing: float = 0.0
    with_mixing: bool = False


class RowBlocks:
    """The different rows of a sample, in order, in blocks."""

    def __init__(self, sample: CodedRows, n_scores: int) -> None:
        rows = sample.distinct()
        self.offsets = rows.offsets
        self.codes, self.labels = rows.codes, rows.labels
        self.weights = np.empty(0) if rows.weights is None else rows.weights
        self.cells = find_cells(rows.codes, rows.offsets)
        size = max(BLOCK_SIZE // n_scores, SMALLEST_BLOCK)
        self._parts = [slice(first, first + size) for first in range(0, rows.labels.size, size)]
        self._n_classes = sample.classes.size

    def evaluate(self, table: NDArray[np.float64], start: NDArray[np.float64], loss: Loss) -> LossAndSlopes:
        """Add up a loss and its slopes where a row's scores are the start plus the entries of its cells."""
        total = by_mixing = 0.0
        of_cells, of_start = np.zeros(table.shape), np.zeros(table.shape[1])
        for part in self._parts:
            scores = self._shifted(part, table, start)
            powers = kernels.elementary.exp_of(scores)
            more, more_by_mixing = _add_up(loss, scores, powers, self.labels[part], self.weights[part])
            kernels.bayes.losses.add_to_cells(self.cells[part], powers, of_cells)
            kernels.bayes.losses.add_rows(powers, of_start)
            total, by_mixing = total + more, by_mixing + more_by_mixing
        return LossAndSlopes(total, by_mixing, of_cells, of_start)

    def curvature(self, table: NDArray[np.float64], start: NDArray[np.float64], bends: Bends) -> NDArray[np.float64]:
        """Add up the second derivatives of a loss by weights; the upper half of the matrix is filled."""
        size = bends.attributes.size + bends.with_mixing
        matrix = np.zeros((size, size))
        for part in self._parts:
            powers = kernels.elementary.exp_of(self._shifted(part, table, start))
            rows = (self.codes[part], self.offsets, bends.logs, powers, self.labels[part], self.weights[part])
            spans = (bends.attributes, bends.first, bends.last)
            kernels.bayes.boxed.add_curvature(*rows, bends.kind, bends.mixing, *spans, matrix)
        return matrix

    def _shifted(self, part: slice, table: NDArray[np.float64], start: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the scores of some rows, less the largest of each row, or of each half of it."""
        cells = self.cells[part]
        scores = np.empty((cells.shape[0], table.shape[1]))
        scores[:] = start
        kernels.bayes.losses.sum_cells(cells, table, scores)
        kernels.bayes.losses.shift_rows(scores.reshape(-1, self._n_classes))
        return scores


def _add_up(
    loss: Loss,
    scores: NDArray[np.float64],
    powers: NDArray[np.float64],
    labels: NDArray[np.int64],
    weights: NDArray[np.float64],
) -> tuple[float, float]:
    """Return the loss of some rows and its slope by the mixing; the powers become the slopes by the scores."""
    if loss.kind == LOG:
        return kernels.bayes.losses.log_rows(scores, powers, labels, weights), 0.0
    if loss.kind == SQUARED:
        return kernels.bayes.losses.squared_rows(powers, labels, weights), 0.0
    totals: tuple[float, float] = kernels.bayes.losses.mixed_rows(powers, labels, weights, loss.mixing, loss.published)
    return totals


LOG_LOSS, SQUARED_LOSS = Loss(LOG), Loss(SQUARED)
LOSSES: dict[str, Loss] = {"mse": SQUARED_LOSS, "cll": LOG_LOSS}
