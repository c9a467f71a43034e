"""The rows of a table coded once for the genetic search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cutwise import kernels
from cutwise.counts import MISSING
from cutwise.errors import TableError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.counts import ColumnCounts, JointTable


NO_CELL = 0
MAX_COUNTS = 1 << 28


@dataclass(frozen=True, eq=False)
class CandidateCells:
    """Every row as one cell of each column.

    A cell is what lies between two neighbouring candidate cuts; a special value and a
    category are cells too. Cells are numbered through all columns, numeric ones first, from
    1 on; NO_CELL stands for a missing value.

    Parameters
    ----------
    gaps : tuple of ndarray of int64
        The candidates of each numeric column; a candidate's number is its place among all.
    rows : ndarray of int32, of shape (n_columns, n_rows)
        The cell of each row.
    starts : ndarray of int64
        The first cell of each column, and the number of cells.
    counts : ndarray of int64, of shape (n_classes, n_cells)
        Counts of the classes that have rows.
    cell_of_candidate : ndarray of int64
        The cell to the left of each candidate.
    always_ends : ndarray of bool
        Whether a bin ends with this cell whatever cuts are chosen.
    classes : ndarray of int64
        The class of each row, among those that have rows.
    weights : ndarray of int64
        How often each row counts, in units of ``unit``.
    unit : float
    """

    gaps: tuple[NDArray[np.int64], ...]
    rows: NDArray[np.int32]
    starts: NDArray[np.int64]
    counts: NDArray[np.int64]
    cell_of_candidate: NDArray[np.int64]
    always_ends: NDArray[np.bool_]
    classes: NDArray[np.int64]
    weights: NDArray[np.int64]
    unit: float

    @property
    def n_candidates(self) -> int:
        """The number of candidates of all columns."""
        return self.cell_of_candidate.size

    @property
    def first_candidates(self) -> NDArray[np.int64]:
        """The number of each numeric column's first candidate, and the number of candidates."""
        return np.cumsum([0, *(gaps.size for gaps in self.gaps)], dtype=np.int64)

    @property
    def rows_before(self) -> NDArray[np.int64]:
        """The count of the rows to the left of each candidate, in its column."""
        totals = np.cumsum(self.counts.sum(axis=0))
        first_cells = np.repeat(self.starts[: len(self.gaps)], np.diff(self.first_candidates))
        rows: NDArray[np.int64] = totals[self.cell_of_candidate] - totals[first_cells - 1]
        return rows

    def ends(self, chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return which cells end a bin when these candidates are chosen."""
        ends = self.always_ends.copy()
        ends[self.cell_of_candidate[chosen]] = True
        return ends


def make_cells(joint: JointTable) -> CandidateCells:
    """Find the candidates and code the rows.

    Raises
    ------
    TableError
        If the counts by candidate and class do not fit into memory.
    """
    weights = np.ones(joint.n_rows, dtype=np.int64) if joint.weights is None else joint.weights
    classes, n_classes = _present_classes(joint, weights)
    gaps = tuple(class_changes(table) for table in joint.tables)
    columns = [
        *(_code_numbers(*column) for column in zip(joint.ranks, joint.tables, gaps, strict=True)),
        *((codes, int(codes.max(initial=-1)) + 1) for codes in joint.nominal),
    ]
    starts = np.cumsum([1, *(n_cells for _, n_cells in columns)], dtype=np.int64)
    _check_size(int(starts[-1]), n_classes)
    rows = np.empty((len(columns), joint.n_rows), dtype=np.int32)
    counts = np.zeros((n_classes, starts[-1]), dtype=np.int64)
    for j, (cells, _) in enumerate(columns):
        rows[j] = np.where(cells < 0, NO_CELL, cells + starts[j])
        valid = cells >= 0
        np.add.at(counts, (classes[valid], rows[j, valid]), weights[valid])
    firsts = zip(starts, gaps, strict=False)
    cell_of_candidate = np.concatenate([np.empty(0, np.int64), *(start + np.arange(own.size) for start, own in firsts)])
    always_ends = np.ones(starts[-1], dtype=np.bool_)
    always_ends[cell_of_candidate] = False
    unit = joint.tables[0].unit if joint.tables else 1.0
    return CandidateCells(gaps, rows, starts, counts, cell_of_candidate, always_ends, classes, weights, unit)


def _check_size(n_cells: int, n_classes: int) -> None:
    if n_cells * n_classes > MAX_COUNTS:
        message = (
            f"The genetic search counts all candidate cuts by class, and {n_cells:,} candidate cuts and {n_classes:,} "
            "classes are too many. Join classes, or round the numbers so that fewer of them differ."
        )
        raise TableError(message)


def _present_classes(joint: JointTable, weights: NDArray[np.int64]) -> tuple[NDArray[np.int64], int]:
    """Return each row's class among those that have rows, and how many these are."""
    present = np.bincount(joint.classes, weights=weights, minlength=joint.n_classes) > 0
    # A row of another class weighs nothing: what class it gets does not matter.
    places = np.maximum(np.cumsum(present) - 1, 0)
    return places[joint.classes], int(present.sum())


def _code_numbers(
    ranks: NDArray[np.int32], table: ColumnCounts, gaps: NDArray[np.int64]
) -> tuple[NDArray[np.int32], int]:
    """Return each row's cell, -1 for missing, and the number of cells of a numeric column."""
    n_bins = gaps.size + 1 if table.n_values else 0
    specials = np.unique(ranks[ranks < MISSING])
    # Negative places count from the end: MISSING is the last, the special values are before it.
    cell_of_rank = np.full(table.n_values - int(ranks.min(initial=MISSING)), -1, dtype=np.int32)
    cell_of_rank[: table.n_values] = np.searchsorted(gaps, np.arange(table.n_values))
    cell_of_rank[specials] = n_bins + np.arange(specials.size)
    return cell_of_rank[ranks], n_bins + specials.size


def class_changes(table: ColumnCounts) -> NDArray[np.int64]:
    """Return the gaps of a walk from the smallest value to the largest.

    The walk remembers the class of its last border, at first that of the smallest value. A
    value with another class is the next border, and the gap before it is a candidate. Of
    several classes at one value the walk takes the first that differs from the last border.

    Which class is first must not depend on names: it is the one with more rows at the
    smallest value at which two classes differ in rows.

    Examples
    --------
    >>> from cutwise.counts import ColumnCounts
    >>> from cutwise.search.genetic_cells import class_changes
    >>> class_changes(ColumnCounts.from_dense([1, 2, 3, 4], [[3, 0], [2, 0], [0, 1], [1, 0]]))
    array([1, 2])
    """
    place_of_class = np.empty(table.n_classes, dtype=np.int64)
    place_of_class[_order_of_classes(table)] = np.arange(table.n_classes)
    gaps = np.empty(max(table.n_values - 1, 0), dtype=np.int64)
    by_class = table.by_class
    n_gaps = kernels.joint.genetic.find_changes(by_class.starts, by_class.labels, place_of_class, gaps)
    return gaps[:n_gaps]


def _order_of_classes(table: ColumnCounts) -> list[int]:
    """Return the classes, those with more rows at smaller values first."""
    entries = table.by_class
    order = np.argsort(entries.labels, kind="stable")
    values = np.repeat(np.arange(table.n_values), np.diff(entries.starts))
    pairs = np.stack([values, -entries.counts], axis=1)[order]
    firsts = np.searchsorted(entries.labels[order], np.arange(1, table.n_classes))
    # Of two classes that are alike up to the end of one, the other comes first.
    keys = [[*own.ravel().tolist(), table.n_values] for own in np.split(pairs, firsts)]
    return sorted(range(table.n_classes), key=keys.__getitem__)
