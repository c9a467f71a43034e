"""Rows in blocks: losses and their slopes without a table of rows, classes and attributes.

A row's scores are sums of entries of a table [cell, class], one cell for each attribute. So
the slopes of a loss by the table's entries are sums over rows too, and the weights that
made the table get their slopes from these few entries. Nothing larger than a block of rows
by classes is ever held.

A loss gets the scores of a block, which it may overwrite. It returns its total, and what
else it adds up, and its slopes: the derivative by each score. The formulas are in
`kernels.bayes.losses`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cutwise import kernels
from cutwise.classify.bayes.tables import sum_scores
from cutwise.kernels.inputs import LOG, SQUARED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.classify.bayes.sample import CodedRows

# Scores in a block: few enough to stay in the processor's cache.
BLOCK_SIZE = 1 << 15
# Rows in a block at least, however many classes there are.
SMALLEST_BLOCK = 64


class RowBlock(NamedTuple):
    """Some rows: their codes [row, attribute], the places of their classes, their weights (none: all 1)."""

    codes: NDArray[np.int32]
    labels: NDArray[np.int64]
    weights: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LossAndSlopes:
    """A loss added up over all rows.

    Parameters
    ----------
    totals : ndarray
        The loss, and what else it adds up.
    of_cells : ndarray of shape (n_cells, n_scores)
        Its derivative by the entries of the table.
    of_start : ndarray of shape (n_scores,)
        Its derivative by the entries of the start.
    """

    totals: NDArray[np.float64]
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
        weights = np.empty(0) if rows.weights is None else rows.weights
        size = max(BLOCK_SIZE // n_scores, SMALLEST_BLOCK)
        parts = [slice(first, first + size) for first in range(0, rows.labels.size, size)]
        self.offsets = rows.offsets
        self.blocks = [RowBlock(rows.codes[part], rows.labels[part], weights[part]) for part in parts]

    def evaluate(self, table: NDArray[np.float64], start: NDArray[np.float64], loss: Loss) -> LossAndSlopes:
        """Add up a loss and its slopes where a row's scores are the start plus the entries of its cells."""
        totals: NDArray[np.float64] | None = None
        of_cells = np.zeros(table.shape)
        of_start = np.zeros(table.shape[1])
        for block in self.blocks:
            scores = sum_scores(block.codes, self.offsets, table, start)
            figures, slopes = loss(scores, block)
            kernels.bayes.losses.add_to_cells(block.codes, self.offsets, slopes, of_cells)
            kernels.bayes.losses.add_rows(slopes, of_start)
            totals = figures if totals is None else totals + figures
        return LossAndSlopes(np.zeros(1) if totals is None else totals, of_cells, of_start)

    def curvature(self, table: NDArray[np.float64], start: NDArray[np.float64], bends: Bends) -> NDArray[np.float64]:
        """Add up the second derivatives of a loss by weights; the upper half of the matrix is filled."""
        size = bends.attributes.size + bends.with_mixing
        matrix = np.zeros((size, size))
        for block in self.blocks:
            scores = sum_scores(block.codes, self.offsets, table, start)
            kernels.bayes.losses.shift_rows(scores.reshape(-1, bends.logs.shape[1]))
            powers = kernels.elementary.exp_of(scores)
            rows = (block.codes, self.offsets, bends.logs, powers, block.labels, block.weights)
            spans = (bends.attributes, bends.first, bends.last)
            kernels.bayes.boxed.add_curvature(*rows, bends.kind, bends.mixing, *spans, matrix)
        return matrix


Loss = Callable[["NDArray[np.float64]", "RowBlock"], "tuple[NDArray[np.float64], NDArray[np.float64]]"]


def log_loss(scores: NDArray[np.float64], block: RowBlock) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the negative log-probability of the rows' own classes, and its slopes."""
    kernels.bayes.losses.shift_rows(scores)
    powers = kernels.elementary.exp_of(scores)
    total = kernels.bayes.losses.log_rows(scores, powers, block.labels, block.weights)
    return np.array([total]), powers


def squared_loss(scores: NDArray[np.float64], block: RowBlock) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return half the squared errors of the probabilities, and their slopes."""
    kernels.bayes.losses.shift_rows(scores)
    powers = kernels.elementary.exp_of(scores)
    return np.array([kernels.bayes.losses.squared_rows(powers, block.labels, block.weights)]), powers


def mixture_loss(mixing: float, *, published: bool) -> Loss:
    """Return the loss of two halves of scores whose probabilities are mixed.

    It adds up half the squared errors, and their derivative by the mixing.
    """

    def loss(scores: NDArray[np.float64], block: RowBlock) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        kernels.bayes.losses.shift_rows(scores.reshape(2 * scores.shape[0], -1))
        powers = kernels.elementary.exp_of(scores)
        totals = kernels.bayes.losses.mixed_rows(powers, block.labels, block.weights, mixing, published)
        return np.array(totals), powers

    return loss


LOSSES: dict[str, Loss] = {"mse": squared_loss, "cll": log_loss}
KINDS: dict[Loss, int] = {log_loss: LOG, squared_loss: SQUARED}
