"""The joint cells of a table: the rows that agree in all codes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cutwise import kernels
from cutwise.kernels.inputs import Grouped, Groups

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Classes and parts enter the keys as columns that no table has.
CLASS_COLUMN = 1 << 40
PART_COLUMN = CLASS_COLUMN + 1


class Grouping:
    """Some rows in cells, and in entries: the cells taken apart by class."""

    def __init__(self, n_rows: int, rows_by_part: NDArray[np.int64]) -> None:
        self.arrays = Grouped(
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
        group_rows, arrays = kernels.joint.group_rows, self.arrays
        self.n_cells = group_rows(keys, counts, arrays.cells, arrays.cell_of_row)
        self.n_entries = group_rows(keys + class_keys, counts, arrays.entries, arrays.entry_of_row)
        if parts.size:
            kernels.joint.count_parts(arrays.cell_of_row, counts, parts, arrays.by_part)


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
            kernels.joint.add_codes(self._keys, column, codes[column])
        self._class_keys = np.zeros(classes.size, dtype=np.uint64)
        kernels.joint.add_codes(self._class_keys, CLASS_COLUMN, classes)
        self.now = Grouping(classes.size, rows_by_part)
        self._spare: Grouping | None = None
        self._fill(self.now, self._keys)

    @property
    def n_rows(self) -> int:
        """The number of rows, equal ones counted once if they were joined."""
        return self.classes.size

    def replace(self, column: int, codes: NDArray[np.int32]) -> None:
        """Give one column other codes."""
        kernels.joint.take_codes(self._keys, column, self.codes[column])
        self.codes[column] = codes
        kernels.joint.add_codes(self._keys, column, self.codes[column])
        self._fill(self.now, self._keys)

    def without(self, column: int) -> Grouping:
        """Return the cells that the other columns make; they last until the next call."""
        if self._spare is None:
            self._spare = Grouping(self.n_rows, self.rows_by_part)
        keys = self._keys.copy()
        kernels.joint.take_codes(keys, column, self.codes[column])
        self._fill(self._spare, keys)
        return self._spare

    def joined(self) -> JointCells:
        """Return the same cells with equal rows joined into one that counts more often."""
        keys = self._keys + self._class_keys
        if self.parts.size:
            kernels.joint.add_codes(keys, PART_COLUMN, self.parts)
        groups = make_groups(keys.size)
        size = kernels.joint.group_rows(keys, self.counts, groups, np.empty(keys.size, dtype=np.int32))
        rows = groups.rows[:size]
        parts = self.parts[rows] if self.parts.size else self.parts
        codes = np.ascontiguousarray(self.codes[:, rows])
        return JointCells(codes, self.classes[rows], groups.counts[:size].copy(), parts, self.rows_by_part)

    def _fill(self, grouping: Grouping, keys: NDArray[np.uint64]) -> None:
        grouping.fill(keys, self._class_keys, self.counts, self.parts)


def make_groups(n_rows: int) -> Groups:
    """Return room for the groups of n_rows rows."""
    n_slots = 1 << max(2 * n_rows - 1, 1).bit_length()
    return Groups(
        np.empty(n_slots, dtype=np.int32),
        np.empty(n_rows, dtype=np.uint64),
        np.empty(n_rows, dtype=np.int32),
        np.empty(n_rows, dtype=np.int64),
    )
