"""The rows of all columns together, for methods that look at columns jointly."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from cutwise import kernels
from cutwise.kernels.inputs import CellGroups, GroupedRows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cutwise.counts.column_counts import ColumnCounts


MISSING = -1


@dataclass(frozen=True, eq=False)
class JointTable:
    """Every row as places among the distinct values of each numeric column.

    Parameters
    ----------
    tables : tuple of ColumnCounts
        The counts of each numeric column.
    ranks : ndarray of int32, of shape (n_numeric, n_rows)
        ``tables[j].values[ranks[j, row]]`` is the value of a row. Negative numbers stay
        out of the cutting, each a symbol of its own: MISSING, and below it the special values.
    nominal : ndarray of int32, of shape (n_nominal, n_rows)
        The codes of the nominal columns; MISSING where there is no value.
    classes : ndarray of int64
        The class of each row, 0 to n_classes - 1.
    n_classes : int
    weights : ndarray of int64 or None
        How often each row counts, in units of ``tables[j].unit``; None for once.
    """

    tables: tuple[ColumnCounts, ...]
    ranks: NDArray[np.int32]
    nominal: NDArray[np.int32]
    classes: NDArray[np.int64]
    n_classes: int
    weights: NDArray[np.int64] | None = None

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return self.classes.size


NO_GAPS = np.empty(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class JointColumn:
    """One column of the rows.

    Parameters
    ----------
    source : int
        Its number among the numeric or among the nominal columns of the joint table.
    whole : bool
        Whether it is nominal: cut everywhere or nowhere, each category a bin.
    ranks : ndarray of int32
        The place of each row's value; negative numbers are symbols outside the cutting.
    n_values : int
    """

    source: int
    whole: bool
    ranks: NDArray[np.int32]
    n_values: int

    @cached_property
    def has_symbols(self) -> bool:
        """Whether some row has no value to cut."""
        return bool((self.ranks < 0).any())

    @property
    def every_gap(self) -> NDArray[np.int64]:
        """All gaps of the column."""
        return np.arange(self.n_values - 1)

    def codes(self, gaps: NDArray[np.int64]) -> NDArray[np.int32]:
        """Return each row's bin; a column without a cut has one code for all rows."""
        if gaps.size == 0:
            return np.zeros(self.ranks.size, dtype=np.int32)
        bins = np.searchsorted(gaps, np.arange(self.n_values)).astype(np.int32)
        if not self.has_symbols:
            return bins[self.ranks]
        codes: NDArray[np.int32] = np.where(self.ranks < 0, self.ranks, bins[np.maximum(self.ranks, 0)])
        return codes

    def symbols(self) -> NDArray[np.int32]:
        """Return the codes of a column that has no cut yet but whose symbols stand apart."""
        return np.minimum(self.ranks, 0)

    def order(self) -> NDArray[np.int64]:
        """Return the rows that have a value, from the lowest to the highest."""
        order = np.argsort(self.ranks, kind="stable")
        return order[np.count_nonzero(self.ranks < 0) :]


@dataclass(frozen=True, eq=False)
class JointRows:
    """The rows that count, as columns of ranks.

    Parameters
    ----------
    columns : tuple of JointColumn
    classes, counts : ndarray of int64
        The class of each row and how often it counts.
    parts : ndarray of int64
        The judged part of each row, -1 for none; empty if no split is given.
    rows_by_part : ndarray of int64
        The count of each judged part.
    n_whole : int
        The weight of all rows, rounded to a whole number of at least 1.
    """

    columns: tuple[JointColumn, ...]
    classes: NDArray[np.int64]
    counts: NDArray[np.int64]
    parts: NDArray[np.int64]
    rows_by_part: NDArray[np.int64]
    n_whole: int

    @classmethod
    def from_table(
        cls, joint: JointTable, parts: NDArray[np.int64] | None = None, judged: Sequence[int] = ()
    ) -> JointRows:
        """Take the columns with at least two values and the rows of some weight.

        Parameters
        ----------
        joint : JointTable
        parts : ndarray of int64, optional
            The part of each row.
        judged : sequence of int
            The parts that are held out, each in turn.
        """
        weights = np.ones(joint.n_rows, dtype=np.int64) if joint.weights is None else joint.weights
        rows = np.flatnonzero(weights > 0)
        columns = [
            JointColumn(source, False, ranks[rows], table.n_values)  # noqa: FBT003
            for source, (table, ranks) in enumerate(zip(joint.tables, joint.ranks, strict=True))
            if table.n_values > 1
        ]
        for source, codes in enumerate(joint.nominal):
            seen, ranks = np.unique(codes[rows], return_inverse=True)
            n_symbols = int(np.count_nonzero(seen < 0))
            if seen.size - n_symbols > 1:
                columns.append(JointColumn(source, True, (ranks - n_symbols).astype(np.int32), seen.size - n_symbols))  # noqa: FBT003
        slots, by_part = np.empty(0, dtype=np.int64), np.zeros(len(judged), dtype=np.int64)
        if parts is not None:
            slot_of_part = np.full(int(max(*judged, parts.max(initial=0))) + 1, -1, dtype=np.int64)
            slot_of_part[list(judged)] = np.arange(len(judged))
            slots = slot_of_part[parts[rows]]
            np.add.at(by_part, slots[slots >= 0], weights[rows][slots >= 0])
        unit = joint.tables[0].unit if joint.tables else 1.0
        n_whole = max(1, round(int(weights.sum()) * unit))
        made = cls(tuple(columns), joint.classes[rows], weights[rows], slots, by_part, n_whole)
        return made._with_equal_rows_joined()

    def cells(self, gaps: Sequence[NDArray[np.int64]]) -> JointCells:
        """Return the cells that the cuts of all columns make."""
        codes = [column.codes(chosen) for column, chosen in zip(self.columns, gaps, strict=True)]
        return self._cells_of(codes)

    def entering(self, chosen: Sequence[int]) -> JointRows:
        """Return the same rows with these columns only, in this order."""
        return replace(self, columns=tuple(self.columns[j] for j in chosen))

    def _cells_of(self, codes: Sequence[NDArray[np.int32]]) -> JointCells:
        matrix = np.empty((len(codes), self.classes.size), dtype=np.int32)
        for column, ranks in enumerate(codes):
            matrix[column] = ranks
        return JointCells(matrix, self.classes, self.counts, self.parts, self.rows_by_part)

    def _with_equal_rows_joined(self) -> JointRows:
        cells = self._cells_of([column.ranks for column in self.columns]).joined()
        columns = zip(self.columns, cells.codes, strict=True)
        joined = tuple(replace(column, ranks=ranks) for column, ranks in columns)
        return replace(self, columns=joined, classes=cells.classes, counts=cells.counts, parts=cells.parts)


# Classes and parts enter the keys as columns that no table has.
CLASS_COLUMN = 1 << 40
PART_COLUMN = CLASS_COLUMN + 1


class CellGrouping:
    """Some rows in cells, and in entries: the cells taken apart by class."""

    def __init__(self, n_rows: int, rows_by_part: NDArray[np.int64]) -> None:
        self.arrays = GroupedRows(
            make_groups(n_rows),
            make_groups(n_rows),
            np.empty(n_rows, dtype=np.int32),
            np.empty(n_rows, dtype=np.int32),
            np.zeros((n_rows, rows_by_part.size), dtype=np.int64),
            rows_by_part,
        )
        self.n_cells = self.n_entries = 0

    def fill(
        self,
        keys: NDArray[np.uint64],
        class_keys: NDArray[np.uint64],
        counts: NDArray[np.int64],
        parts: NDArray[np.int64],
    ) -> None:
        """Group the rows anew."""
        group_rows, arrays = kernels.joint.joint.group_rows, self.arrays
        self.n_cells = group_rows(keys, counts, arrays.cells, arrays.cell_of_row)
        self.n_entries = group_rows(keys + class_keys, counts, arrays.entries, arrays.entry_of_row)
        if parts.size:
            kernels.joint.joint.count_parts(arrays.cell_of_row, counts, parts, arrays.by_part)


class JointCells:
    """Rows in cells; the codes of one column at a time may change.

    Parameters
    ----------
    codes : ndarray of int32, of shape (n_columns, n_rows)
        The bin of each row in each column; negative codes are symbols of their own. The
        array is kept and written to.
    classes, counts : ndarray of int64
        The class of each row and how often it counts.
    parts : ndarray of int64
        The judged part of each row, -1 for none; empty if no split is given.
    rows_by_part : ndarray of int64
        The rows of each judged part.
    """

    def __init__(
        self,
        codes: NDArray[np.int32],
        classes: NDArray[np.int64],
        counts: NDArray[np.int64],
        parts: NDArray[np.int64],
        rows_by_part: NDArray[np.int64],
    ) -> None:
        self.codes = codes
        self.classes = classes
        self.counts = counts
        self.parts = parts
        self.rows_by_part = rows_by_part
        self._keys = np.zeros(classes.size, dtype=np.uint64)
        for column in range(codes.shape[0]):
            kernels.joint.joint.add_codes(self._keys, column, codes[column])
        self._class_keys = np.zeros(classes.size, dtype=np.uint64)
        kernels.joint.joint.add_codes(self._class_keys, CLASS_COLUMN, classes.astype(np.int32))
        self.now = CellGrouping(classes.size, rows_by_part)
        self._spare: CellGrouping | None = None
        self._fill(self.now, self._keys)

    @property
    def n_rows(self) -> int:
        """The number of rows, equal ones counted once if they were joined."""
        return self.classes.size

    def replace(self, column: int, codes: NDArray[np.int32]) -> None:
        """Give one column other codes."""
        kernels.joint.joint.take_codes(self._keys, column, self.codes[column])
        self.codes[column] = codes
        kernels.joint.joint.add_codes(self._keys, column, self.codes[column])
        self._fill(self.now, self._keys)

    def without(self, column: int) -> CellGrouping:
        """Return the cells that the other columns make; they last until the next call."""
        if self._spare is None:
            self._spare = CellGrouping(self.n_rows, self.rows_by_part)
        keys = self._keys.copy()
        kernels.joint.joint.take_codes(keys, column, self.codes[column])
        self._fill(self._spare, keys)
        return self._spare

    def joined(self) -> JointCells:
        """Return the same cells with equal rows joined into one that counts more often."""
        keys = self._keys + self._class_keys
        if self.parts.size:
            kernels.joint.joint.add_codes(keys, PART_COLUMN, self.parts.astype(np.int32))
        groups = make_groups(keys.size)
        size = kernels.joint.joint.group_rows(keys, self.counts, groups, np.empty(keys.size, dtype=np.int32))
        rows = groups.rows[:size]
        parts = self.parts[rows] if self.parts.size else self.parts
        codes = np.ascontiguousarray(self.codes[:, rows])
        return JointCells(codes, self.classes[rows], groups.counts[:size].copy(), parts, self.rows_by_part)

    def _fill(self, grouping: CellGrouping, keys: NDArray[np.uint64]) -> None:
        grouping.fill(keys, self._class_keys, self.counts, self.parts)


def make_groups(n_rows: int) -> CellGroups:
    """Return room for the groups of n_rows rows."""
    n_slots = 1 << max(2 * n_rows - 1, 1).bit_length()
    return CellGroups(
        np.empty(n_slots, dtype=np.int32),
        np.empty(n_rows, dtype=np.uint64),
        np.empty(n_rows, dtype=np.int32),
        np.empty(n_rows, dtype=np.int64),
    )
