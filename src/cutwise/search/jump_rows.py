"""The rows of a table as cells of a grid of candidate cuts, and their deal into folds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cutwise.counts import MISSING
from cutwise.kernels.inputs import JumpGrid
from cutwise.search.jump_model import JumpRows
from cutwise.search.result import nothing_to_cut
from cutwise.search.unsupervised import equal_frequency_gaps

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cutwise.counts import ColumnCounts, JointTable
    from cutwise.search.result import BinLimits

# Keys of rows stay below this number.
KEY_LIMIT = 1 << 62


class GridColumn(NamedTuple):
    """One column in cells: those in order first, then those without neighbours.

    Parameters
    ----------
    gaps : ndarray of int64
        The candidate cuts between the ordered cells; empty for a nominal column.
    codes : ndarray of int64
        The cell of each row.
    n_ordered, n_cells : int
    missing : int
        The cell of missing values; -1 if there are none.
    """

    gaps: NDArray[np.int64]
    codes: NDArray[np.int64]
    n_ordered: int
    n_cells: int
    missing: int


@dataclass(frozen=True, eq=False)
class JumpTable:
    """The different rows of a table in an order that does not depend on the order of the rows or the names of classes.

    Parameters
    ----------
    columns : tuple of GridColumn
        Numeric ones first.
    grid : JumpGrid
    cells : ndarray of int32, of shape (n_columns, n_rows)
    counts : ndarray of int64, of shape (n_rows, n_classes)
        How often each row and class is there, in units of weight; classes without rows are left out.
    per_row : int
        How many units make a row of weight 1.
    classes : ndarray of int64
        The number of each class of `counts` in the table.
    """

    columns: tuple[GridColumn, ...]
    grid: JumpGrid
    cells: NDArray[np.int32]
    counts: NDArray[np.int64]
    per_row: int
    classes: NDArray[np.int64]

    @property
    def is_cut(self) -> NDArray[np.bool_]:
        """Which jumps are at a cut; the others belong to cells without neighbours."""
        parts = [(column.gaps.size, column.n_cells - column.n_ordered) for column in self.columns]
        return np.repeat(np.tile([True, False], len(parts)), np.ravel(parts).astype(np.int64))

    def rows(self, counts: NDArray[np.int64], signs: NDArray[np.float64] | None = None) -> JumpRows:
        """Return the rows with other counts."""
        total = float(counts.sum())
        weights = counts.sum(axis=1) / total
        shares = (counts[:, 1:] if counts.shape[1] == 2 else counts) / total
        signs = np.zeros(self.grid.means.size) if signs is None else signs
        return JumpRows(self.grid, self.cells, np.ascontiguousarray(shares), weights, signs)

    def held_out(self, fold: int, n_folds: int) -> NDArray[np.int64]:
        """Return the counts of one fold: whole rows are dealt in turn, class by class.

        Classes with fewer rows than folds are never held out, so that each fold learns all classes.
        """
        totals = self.counts.sum(axis=0)
        ends = np.cumsum(self.counts.T).reshape(self.counts.T.shape).T
        held = _units_in_fold(ends, fold, n_folds, self.per_row)
        held -= _units_in_fold(ends - self.counts, fold, n_folds, self.per_row)
        held[:, totals < n_folds * self.per_row] = 0
        return held


def _units_in_fold(before: NDArray[np.int64], fold: int, n_folds: int, per_row: int) -> NDArray[np.int64]:
    """Return how many of the units before each place belong to a fold."""
    rounds, rest = np.divmod(before, per_row * n_folds)
    return np.asarray(rounds * per_row + np.clip(rest - fold * per_row, 0, per_row))


def make_jump_table(joint: JointTable, n_candidates: int, limits: Sequence[BinLimits]) -> JumpTable:
    """Find the candidate cuts and join equal rows."""
    columns = [
        *(
            _number_column(counts, ranks, n_candidates, own)
            for counts, ranks, own in zip(joint.tables, joint.ranks, limits, strict=True)
        ),
        *(_category_column(codes) for codes in joint.nominal),
    ]
    order, firsts = _equal_rows(columns, joint.n_rows)
    groups = np.cumsum(firsts) - 1
    n_groups = int(groups[-1]) + 1 if groups.size else 0
    places = groups * joint.n_classes + joint.classes[order]
    weights = None if joint.weights is None else joint.weights[order]
    # Sums of whole numbers below 2**53 are exact in doubles.
    counts = np.bincount(places, weights, n_groups * joint.n_classes).astype(np.int64).reshape(n_groups, -1)
    present = np.flatnonzero(counts.any(axis=0))
    classes = present[_order_of_classes(counts[:, present])]
    heads = order[firsts]
    starts = np.cumsum([0, *(column.n_cells for column in columns)])
    cells = np.empty((len(columns), n_groups), dtype=np.int32)
    for j, column in enumerate(columns):
        cells[j] = column.codes[heads] + starts[j]
    counts = np.ascontiguousarray(counts[:, classes])
    grid = _grid(columns, starts, cells, counts.sum(axis=1))
    unit = joint.tables[0].unit if joint.tables else 1.0
    return JumpTable(tuple(columns), grid, cells, counts, max(1, round(1.0 / unit)), classes)


def _number_column(table: ColumnCounts, ranks: NDArray[np.int32], n_candidates: int, limits: BinLimits) -> GridColumn:
    gaps = candidate_gaps(table, n_candidates, limits)
    n_ordered = gaps.size + 1 if table.n_values else 0
    apart = np.unique(ranks[ranks < 0])[::-1]
    codes = np.searchsorted(gaps, np.maximum(ranks, 0))
    for place, symbol in enumerate(apart):
        codes[ranks == symbol] = n_ordered + place
    # Of the symbols, that of missing values comes first.
    missing = n_ordered if MISSING in apart else -1
    return GridColumn(gaps, codes, n_ordered, n_ordered + apart.size, missing)


def _category_column(codes: NDArray[np.int32]) -> GridColumn:
    """Return the cells of a nominal column; a missing value is the last."""
    n_categories = int(codes.max(initial=MISSING)) + 1
    has_missing = bool((codes < 0).any())
    cells = np.where(codes < 0, n_categories, codes).astype(np.int64)
    missing = n_categories if has_missing else -1
    return GridColumn(np.empty(0, dtype=np.int64), cells, 0, n_categories + has_missing, missing)


def candidate_gaps(table: ColumnCounts, n_candidates: int, limits: BinLimits) -> NDArray[np.int64]:
    """Return the gaps between about n_candidates + 1 bins of equal size, none of them smaller than the limits allow."""
    if nothing_to_cut(table) is not None or limits.max_cuts(table) == 0:
        return np.empty(0, dtype=np.int64)
    gaps = equal_frequency_gaps(table, n_candidates + 1)
    least = limits.min_count(table)
    if least <= 1:
        return gaps
    below = table.rows_up_to
    start, kept = 0, []
    for gap in gaps.tolist():
        if below[gap] - start >= least and below[-1] - below[gap] >= least:
            kept.append(gap)
            start = int(below[gap])
    return np.array(kept, dtype=np.int64)


def _equal_rows(columns: Sequence[GridColumn], n_rows: int) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return an order of the rows by their cells, and where in it a row differs from the one before."""
    keys = [np.zeros(n_rows, dtype=np.int64)]
    size = 1
    for column in columns:
        if size * column.n_cells >= KEY_LIMIT:
            keys.append(np.zeros(n_rows, dtype=np.int64))
            size = 1
        keys[-1] = keys[-1] * column.n_cells + column.codes
        size *= max(column.n_cells, 1)
    order = np.lexsort(keys[::-1])
    firsts = np.zeros(n_rows, dtype=np.bool_)
    firsts[:1] = True
    for key in keys:
        firsts[1:] |= np.diff(key[order]) != 0
    return order, firsts


def _order_of_classes(counts: NDArray[np.int64]) -> list[int]:
    """Return the classes, those with more of the first rows first."""
    # As bytes, whole numbers compare from the first one on.
    fewer_first = (np.iinfo(np.int64).max - counts).astype(">i8")
    return sorted(range(counts.shape[1]), key=lambda label: fewer_first[:, label].tobytes())


def _grid(
    columns: Sequence[GridColumn], starts: NDArray[np.int64], cells: NDArray[np.int32], weights: NDArray[np.int64]
) -> JumpGrid:
    n_ordered = np.array([column.n_ordered for column in columns], dtype=np.int64)
    means = [np.empty(0)]
    for j, column in enumerate(columns):
        rows = np.bincount(cells[j] - starts[j], weights, column.n_cells)
        ordered = rows[: column.n_ordered]
        beyond = ordered[::-1].cumsum()[::-1][1:] / max(float(ordered.sum()), 1.0)
        means += [beyond, np.zeros(column.n_cells - column.n_ordered)]
    jump_starts = np.cumsum([0, *(c.n_cells - min(c.n_ordered, 1) for c in columns)])
    return JumpGrid(starts, n_ordered, jump_starts, np.concatenate(means))
