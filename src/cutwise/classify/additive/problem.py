"""The penalised log loss of an additive model, with its slopes and its curvature, over cells instead of 0/1 columns."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cutwise import kernels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cutwise.classify.bayes.sample import CodedRows

# With more rows than these, a sample of them tells as much of means over them, and a matrix of curvatures is kept until
# the rows' curvatures have changed by more than a share of their sum.
MANY_ROWS, NEAR = 20_000, 0.03


class RowLosses(NamedTuple):
    """The loss of rows, and what it changes with.

    Parameters
    ----------
    loss : float
    scores, row_slopes : ndarray of shape (n_rows, n_scores)
        The scores of the rows and the slopes of the loss by them.
    shares : ndarray of shape (n_rows, n_classes) or of no size
        The probabilities, where there are more than two classes.
    bends : ndarray of shape (n_rows,)
        The curvature by a row's scores, or its mean over the classes.
    """

    loss: float
    scores: NDArray[np.float64]
    row_slopes: NDArray[np.float64]
    shares: NDArray[np.float64]
    bends: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Place:
    """The loss at some weights; what is told of the rows is that of `RowLosses`.

    Parameters
    ----------
    weights : ndarray of shape (n_weights, n_scores)
    value : float
        The loss with its penalty.
    slopes : ndarray of shape (n_weights, n_scores)
    """

    scores: NDArray[np.float64]
    row_slopes: NDArray[np.float64]
    shares: NDArray[np.float64]
    bends: NDArray[np.float64]
    weights: NDArray[np.float64]
    value: float
    slopes: NDArray[np.float64]

    @property
    def steepness(self) -> float:
        """The largest slope."""
        return float(np.abs(self.slopes).max(initial=0.0))


class EqualBases(NamedTuple):
    """Columns with bases of the same shape.

    Parameters
    ----------
    cells : ndarray of int, of shape (n_columns, n_bins)
    own : ndarray of int, of shape (n_columns, n_weights)
        The places of their weights.
    bases : ndarray of shape (n_columns, n_bins, n_weights)
    """

    cells: NDArray[np.int64]
    own: NDArray[np.int64]
    bases: NDArray[np.float64]


class Problem:
    """Rows, their classes, and the bases of their columns.

    Two classes have one score, the log-odds of the second; more have one each. The first column is the constant.

    Parameters
    ----------
    sample : CodedRows
        Codes, classes and weights; -1, or any number that is no bin, stands for no value.
    bases : sequence of ndarray of shape (n_bins, n_weights of the column)
    pulls : sequence of float
        The strength of the pull on the weights of each column, beside `alpha`.
    n_pairs : int
        How many of the columns, the last ones, are cells of pairs.
    """

    def __init__(
        self,
        sample: CodedRows,
        bases: Sequence[NDArray[np.float64]],
        pulls: Sequence[float] | None = None,
        n_pairs: int = 0,
    ) -> None:
        self.labels, self.weights, self.n_classes = sample.labels, sample.row_weights, sample.classes.size
        self.n_scores = 1 if self.n_classes == 2 else self.n_classes
        self.bases = [np.ones((1, 1)), *bases]
        self.n_bins = np.array([len(basis) for basis in self.bases], dtype=np.int64)
        self.first_cells = np.concatenate(([0], np.cumsum(self.n_bins)))
        sizes = [basis.shape[1] for basis in self.bases]
        self.first_weights = np.concatenate(([0], np.cumsum(sizes)))
        ends = zip(pairwise(self.first_cells.tolist()), pairwise(self.first_weights.tolist()), strict=True)
        self._spans = [(slice(*cells), slice(*own)) for cells, own in ends]
        strengths = [1.0] * len(bases) if pulls is None else pulls
        self.pulls = np.repeat([0.0, *strengths], sizes)
        self.alike = self._bases_alike()
        self.cells = self._cells_of(sample.codes)
        self.total = float(self.weights.sum())
        self.n_pairs = n_pairs
        # The problem of which this has some rows and, but for pairs, all columns; and which rows.
        self.source: tuple[Problem, NDArray[np.int64]] | None = None
        self.kept_likeness: NDArray[np.float64] | None = None
        self.kept_curvature: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None

    @property
    def n_cells(self) -> int:
        """The number of cells; the cell behind them stands for no value."""
        return int(self.first_cells[-1])

    @property
    def n_weights(self) -> int:
        """The number of weights for each score."""
        return int(self.first_weights[-1])

    def _cells_of(self, codes: NDArray[np.int32]) -> NDArray[np.int32]:
        cells = np.empty((codes.shape[0], codes.shape[1] + 1), dtype=np.int32)
        rows = np.ascontiguousarray(codes, dtype=np.int32)
        kernels.additive.cells.place_codes(rows, self.first_cells[1:-1], self.n_bins[1:], self.n_cells, cells)
        return cells

    def _bases_alike(self) -> list[EqualBases]:
        """Return the columns by the shape of their bases: those of one are multiplied in one go."""
        places: dict[tuple[int, ...], list[int]] = {}
        for j, basis in enumerate(self.bases):
            places.setdefault(basis.shape, []).append(j)
        found = []
        for (n_bins, n_weights), columns in places.items():
            cells = self.first_cells[columns][:, None] + np.arange(n_bins)
            own = self.first_weights[columns][:, None] + np.arange(n_weights)
            found.append(EqualBases(cells, own, np.stack([self.bases[j] for j in columns])))
        return found

    def tables(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the scores of all cells, the last of them 0."""
        table = np.zeros((self.n_cells + 1, weights.shape[1]))
        for cells, own, bases in self.alike:
            table[cells] = bases @ weights[own]
        return table

    def spans(self, j: int) -> tuple[slice, slice]:
        """Return the cells and the weights of a column."""
        return self._spans[j]

    def column_moves(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return how much each column but the constant moves the scores of the rows, in sum."""
        rows = np.zeros((self.n_cells + 1, 1))
        kernels.additive.cells.add_rows(self.cells, self.weights[:, None], rows)
        moved = np.abs(self.tables(weights)).mean(axis=1) * rows[:, 0]
        return np.asarray(np.add.reduceat(moved, self.first_cells[1:-1]))

    def to_weights(self, table: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the sums of cells by weight: the transpose of `tables`."""
        out = np.empty((self.n_weights, table.shape[1]))
        for cells, own, bases in self.alike:
            out[own] = bases.transpose(0, 2, 1) @ table[cells]
        return out

    def scores(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the scores of the rows."""
        found = np.zeros((self.labels.size, weights.shape[1]))
        kernels.additive.cells.add_tables(self.cells, self.tables(weights), found)
        return found

    def gathered(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return sums over rows by weight: the transpose of `scores`."""
        table = np.zeros((self.n_cells + 1, values.shape[1]))
        kernels.additive.cells.add_rows(self.cells, values, table)
        return self.to_weights(table)

    def pull(self, alpha: float) -> NDArray[np.float64]:
        """Return the curvature of the penalty by each weight."""
        return self.pulls * self.pull_of(alpha)

    def pull_of(self, alpha: float) -> float:
        """Return the curvature of the penalty of a strength; log-odds are the difference of two classes' scores."""
        return alpha / 2.0 if self.n_scores == 1 else alpha

    def some(self, rows: NDArray[np.bool_ | np.int64], weights: NDArray[np.float64] | None = None) -> Problem:
        """Return the same columns with some of the rows, with their weights or others."""
        part = copy.copy(self)
        part.cells, part.labels = self.cells[rows], self.labels[rows]
        part.weights = self.weights[rows] if weights is None else weights
        part.total = float(part.weights.sum())
        part.source = part.kept_likeness = part.kept_curvature = None
        return part

    def weighing(self, weights: NDArray[np.float64]) -> Problem:
        """Return the same columns with the rows that have a weight, with these weights."""
        rows = np.flatnonzero(weights > 0.0)
        part = self.some(rows, weights[rows])
        if self.source is not None:
            part.source = self.source[0], self.source[1][rows]
        elif not self.n_pairs:
            part.source = self, rows
        return part

    def of_rows(self, sample: CodedRows) -> Problem:
        """Return the same columns with other rows."""
        other = copy.copy(self)
        other.labels, other.weights = sample.labels, sample.row_weights
        other.cells, other.total = self._cells_of(sample.codes), float(sample.row_weights.sum())
        other.source = other.kept_likeness = other.kept_curvature = None
        return other

    def without_pairs(self) -> Problem:
        """Return the same rows with the columns alone."""
        if not self.n_pairs:
            return self
        part = copy.copy(self)
        n_columns = len(self.bases) - self.n_pairs
        part.bases, part.n_bins, part.n_pairs = self.bases[:n_columns], self.n_bins[:n_columns], 0
        part.first_cells, part.first_weights = self.first_cells[: n_columns + 1], self.first_weights[: n_columns + 1]
        part.pulls = self.pulls[: part.n_weights]
        part.alike = part._bases_alike() if self.source is None else self.source[0].alike  # noqa: SLF001
        part.cells = np.minimum(self.cells[:, :n_columns], part.n_cells)
        part.kept_likeness = part.kept_curvature = None
        return part

    def pair_blocks(self, bends: NDArray[np.float64], alpha: float) -> list[NDArray[np.float64]]:
        """Return the inverse curvature [class, weight, weight] of each pair by itself, for rows with these bends."""
        table = np.zeros((self.n_cells + 1, bends.shape[1]))
        if self.n_pairs:
            kernels.additive.cells.add_rows(self.cells, bends, table)
        found = []
        for j in range(len(self.bases) - self.n_pairs, len(self.bases)):
            cells, own = self.spans(j)
            basis = self.bases[j]
            curved = np.matmul(basis.T, table[cells].T[:, :, None] * basis)
            found.append(np.linalg.inv(curved + np.diag(self.pull(alpha)[own])))
        return found

    def at(self, weights: NDArray[np.float64], alpha: float, *, pulled: bool = True) -> Place:
        """Return the loss and its slopes at some weights, with or without the penalty."""
        rows = self.at_scores(self.scores(weights))
        pull = self.pull(alpha)[:, None] * weights if pulled else np.zeros_like(weights)
        value = rows.loss + 0.5 * float((pull * weights).sum())
        return Place(*rows[1:], weights, value, self.gathered(rows.row_slopes) + pull)

    def at_scores(self, scores: NDArray[np.float64]) -> RowLosses:
        """Return the loss of the rows with some scores, its slopes and its curvatures by them."""
        slopes, bends = np.empty(scores.shape), np.empty(self.labels.size)
        if self.n_scores == 1:
            shares = np.empty((0, 0))
            rows = (scores.reshape(-1), self.labels, self.weights, slopes.reshape(-1))
            loss = kernels.additive.cells.two_classes(*rows, bends)
        else:
            shares = np.empty(scores.shape)
            loss = kernels.additive.cells.many_classes(scores, self.labels, self.weights, slopes, shares, bends)
        return RowLosses(float(loss), scores, slopes, shares, bends)

    def bent(self, place: Place, step: NDArray[np.float64], alpha: float) -> NDArray[np.float64]:
        """Return the curvature at a place times a step of the weights."""
        moved = self.scores(step)
        if self.n_scores == 1:
            moved *= place.bends[:, None]
        else:
            kernels.additive.cells.bend_rows(place.shares, self.weights, moved)
        return self.gathered(moved) + self.pull(alpha)[:, None] * step

    def curvature(self, bends: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the matrix of the second derivatives by the weights, for one score with these curvatures of rows."""
        size = self.n_cells + 1
        together = np.zeros((size, size))
        kernels.additive.cells.add_together(self.cells, bends, together)
        half = np.empty((self.n_weights, size))
        for j, basis in enumerate(self.bases):
            cells, own = self.spans(j)
            half[own] = basis.T @ together[cells]
        matrix = np.zeros((self.n_weights, self.n_weights))
        for j, basis in enumerate(self.bases):
            cells, own = self.spans(j)
            matrix[: own.stop, own] = half[: own.stop, cells] @ basis
        return matrix

    def curvature_near(self, bends: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return that matrix for these curvatures of rows or, of many rows, for some near them."""
        if self.labels.size <= MANY_ROWS:
            return self.curvature(bends)
        kept = self.kept_curvature
        if kept is None or float(np.abs(bends - kept[0]).sum()) > NEAR * float(bends.sum()):
            kept = self.kept_curvature = bends, self.curvature(bends)
        return kept[1].copy()

    def cell_table(self, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the basis times a symmetric matrix times the basis, by cells."""
        half = np.zeros((self.n_cells + 1, self.n_weights))
        for j, basis in enumerate(self.bases):
            cells, own = self.spans(j)
            half[cells] = basis @ matrix[own]
        table = np.zeros((self.n_cells + 1, self.n_cells + 1))
        for j, basis in enumerate(self.bases):
            cells, own = self.spans(j)
            table[:, cells] = half[:, own] @ basis.T
        return table

    @property
    def likeness(self) -> NDArray[np.float64]:
        """How the scores of two rows vary together, the constant left out, with a pull of 1; the lower half."""
        if self.kept_likeness is None:
            if self.source is None:
                found, n_known = np.zeros((self.labels.size, self.labels.size)), 1
            else:
                whole, rows = self.source
                found, n_known = whole.likeness[np.ix_(rows, rows)], len(whole.bases)
            self._add_likeness(n_known, found)
            self.kept_likeness = found
        return self.kept_likeness

    def _add_likeness(self, first: int, found: NDArray[np.float64]) -> None:
        """Add how the scores of two rows vary together with the columns from a first one on."""
        if first == len(self.bases):
            return
        tables, codes = [], np.empty((self.labels.size, len(self.bases) - first), dtype=np.int64)
        for j, basis in enumerate(self.bases[first:], start=first):
            cells, own = self.spans(j)
            table = np.zeros((len(basis) + 1, len(basis) + 1))
            table[:-1, :-1] = (basis / self.pulls[own]) @ basis.T
            tables.append(table)
            codes[:, j - first] = np.minimum(self.cells[:, j] - cells.start, len(basis))
        widths = self.n_bins[first:] + 1
        firsts = np.concatenate(([0], np.cumsum(widths**2)))[:-1]
        entries = np.concatenate([table.ravel() for table in tables])
        kernels.additive.cells.add_likeness(codes, firsts, widths, entries, found)
