"""Rows in blocks: losses and their slopes without a table of rows, classes and attributes.

A row's scores are sums of entries of a table [cell, class], one cell for each attribute. So
the slopes of a loss by the table's entries are sums over rows too, and the weights that
made the table get their slopes from these few entries. Nothing larger than a block of rows
by classes is ever held.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cutwise import kernels
from cutwise.bayes.tables import sum_scores

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.bayes.losses import Loss
    from cutwise.bayes.sample import Sample

# Scores in a block: few enough to stay in the processor's cache.
BLOCK_SIZE = 1 << 15
# Rows in a block at least, however many classes there are.
SMALLEST_BLOCK = 64


@dataclass(frozen=True, eq=False)
class Block:
    """Some rows.

    Parameters
    ----------
    codes : ndarray of int32, of shape (n_rows, n_attributes)
    own : ndarray of int
        The place of each row's own class in an array [row, class] laid out flat.
    weights : ndarray of shape (n_rows, 1) or None
    """

    codes: NDArray[np.int32]
    own: NDArray[np.int64]
    weights: NDArray[np.float64] | None

    def errors(self, p: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return 1 less the probability for a row's own class, 0 less it for the others."""
        errors = np.negative(p)
        errors.ravel()[self.own] += 1.0
        return errors

    def weighted(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return values by row times the rows' weights."""
        return values if self.weights is None else values * self.weights


@dataclass(frozen=True, eq=False)
class Slopes:
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


class RowBlocks:
    """The different rows of a sample, in order, in blocks."""

    def __init__(self, sample: Sample, n_scores: int) -> None:
        distinct = sample.distinct()
        n_classes = sample.classes.size
        size = max(BLOCK_SIZE // n_scores, SMALLEST_BLOCK)
        self.offsets = sample.offsets
        self.blocks = []
        for first in range(0, distinct.labels.size, size):
            here = slice(first, first + size)
            labels = distinct.labels[here]
            weights = None if distinct.weights is None else distinct.weights[here, None]
            own = np.arange(labels.size) * n_classes + labels
            self.blocks.append(Block(distinct.codes[here], own, weights))

    def evaluate(self, table: NDArray[np.float64], start: NDArray[np.float64], loss: Loss) -> Slopes:
        """Add up a loss and its slopes where a row's scores are the start plus the entries of its cells."""
        totals: NDArray[np.float64] | None = None
        of_cells = np.zeros(table.shape)
        of_start = np.zeros(table.shape[1])
        for block in self.blocks:
            scores = sum_scores(block.codes, self.offsets, table, start)
            figures, slopes = loss(scores, block)
            kernels.cells.add_to_cells(block.codes, self.offsets, slopes, of_cells)
            of_start += slopes.sum(axis=0)
            totals = figures if totals is None else totals + figures
        return Slopes(np.zeros(1) if totals is None else totals, of_cells, of_start)
