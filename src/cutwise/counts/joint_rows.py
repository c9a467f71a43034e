"""A joint table made ready for a search: columns that can be cut, equal rows joined."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from cutwise.counts.joint_cells import JointCells

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cutwise.counts.joint_table import JointTable

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

    @property
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
