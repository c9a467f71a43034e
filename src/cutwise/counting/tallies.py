"""Counts of one column that grow while the rows come in."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cutwise import kernels
from cutwise.counting.columns import ExactCounts, GridCounts, NominalCounts
from cutwise.counting.grid import make_lookup

if TYPE_CHECKING:
    from typing import Any, Self

    from numpy.typing import NDArray

    from cutwise.counting.columns import ColumnCounts
    from cutwise.counting.label_codes import LabelCodes
    from cutwise.kernels.inputs import Lookup


# The room for distinct values at first.
FIRST_SIZE = 256


class Slice(NamedTuple):
    """The classes, parts and weights of some rows; without parts `parts` is empty."""

    classes: NDArray[np.int32]
    parts: NDArray[np.int32]
    weights: NDArray[np.int64] | None
    n_classes: int
    n_parts: int

    def after(self, start: int) -> Slice:
        """Return the rows from one on."""
        weights = None if self.weights is None else self.weights[start:]
        return self._replace(classes=self.classes[start:], parts=self.parts[start:], weights=weights)


class Tidied(NamedTuple):
    """The values of some rows as kernels take them, and their bits."""

    values: NDArray[np.float64]
    bits: NDArray[np.uint64]

    @classmethod
    def of(cls, array: Any) -> Self:
        """Read an Arrow array of numbers."""
        numbers = array if str(array.type) == "double" else array.cast("float64", safe=False)
        raw = numbers.to_numpy(zero_copy_only=False)
        values = np.empty(raw.size)
        kernels.tallies.tidy(raw, values)
        return cls(values, values.view(np.uint64))

    def cells(self, edges: NDArray[np.float64], lookup: Lookup) -> NDArray[np.int32]:
        """Return the cell of each value; for a missing one the number of cells."""
        cells = np.empty(self.values.size, dtype=np.int32)
        kernels.tallies.find_cells(*self, edges, lookup, cells)
        return cells

    def after(self, start: int) -> Tidied:
        """Return the rows from one on."""
        return Tidied(self.values[start:], self.bits[start:])


class ExactTally:
    """Counts by distinct value, up to a number of them; the room for them grows as they come."""

    def __init__(self, most: int) -> None:
        size = min(most, FIRST_SIZE)
        self._most = most
        self._distinct = np.empty(size)
        self._slots = np.zeros(1 << (2 * size).bit_length(), dtype=np.int32)
        self._n_distinct = 0
        self._by_class = np.zeros((size + 1, 0), dtype=np.int64)
        self._by_part = np.zeros((size + 1, 0), dtype=np.int64)

    def add(self, column: Tidied, rows: Slice) -> int:
        """Count rows until there are too many values; return how many were counted."""
        self._by_class = _widened(self._by_class, rows.n_classes)
        self._by_part = _widened(self._by_part, rows.n_parts)
        taken = self._fill(column, rows)
        while taken < column.values.size and self._distinct.size < self._most:
            self._grow()
            taken += self._fill(column.after(taken), rows.after(taken))
        return taken

    def _grow(self) -> None:
        """Make room for more values."""
        size = min(self._most, 4 * self._distinct.size)
        more = size - self._distinct.size
        self._distinct = np.pad(self._distinct, (0, more))
        self._slots = np.zeros(1 << (2 * size).bit_length(), dtype=np.int32)
        kernels.tallies.fill_slots(self._distinct[: self._n_distinct].view(np.uint64), self._slots)
        self._by_class, self._by_part = _lengthened(self._by_class, more), _lengthened(self._by_part, more)

    def _fill(self, column: Tidied, rows: Slice) -> int:
        n_rows, self._n_distinct = kernels.tallies.count_distinct(
            *column,
            rows.classes,
            rows.parts,
            rows.weights,
            self._slots,
            self._distinct,
            self._n_distinct,
            self._by_class,
            self._by_part,
        )
        return int(n_rows)

    def counts(self, name: str) -> ExactCounts:
        """Return what was counted."""
        order = np.argsort(self._distinct[: self._n_distinct])
        rows = np.append(order, self._distinct.size)
        return ExactCounts(
            name=name, by_class=self._by_class[rows], by_part=self._by_part[rows], values=self._distinct[order]
        )


class GridTally:
    """Counts by cell of a grid."""

    def __init__(self, edges: NDArray[np.float64], counted: GridCounts | None = None) -> None:
        n_cells = edges.size + 1
        self._edges, self._lookup = edges, make_lookup(edges)
        self._lows, self._highs = np.full(n_cells, np.inf), np.full(n_cells, -np.inf)
        self._by_class = np.zeros((n_cells + 1, 0), dtype=np.int64)
        self._by_part = np.zeros((n_cells + 1, 0), dtype=np.int64)
        if counted is not None:
            self._lows, self._highs = counted.lows.copy(), counted.highs.copy()
            self._by_class, self._by_part = counted.by_class.copy(), counted.by_part.copy()

    def add(self, column: Tidied, rows: Slice) -> None:
        """Count rows."""
        self._by_class = _widened(self._by_class, rows.n_classes)
        self._by_part = _widened(self._by_part, rows.n_parts)
        cells = column.cells(self._edges, self._lookup)
        kernels.tallies.count_cells(
            column.values,
            cells,
            rows.classes,
            rows.parts,
            rows.weights,
            self._lows,
            self._highs,
            self._by_class,
            self._by_part,
        )

    def counts(self, name: str) -> GridCounts:
        """Return what was counted."""
        return GridCounts(
            name=name,
            by_class=self._by_class,
            by_part=self._by_part,
            edges=self._edges,
            lows=self._lows,
            highs=self._highs,
        )


class NumericTally:
    """Counts by distinct value while these are few, then by cell of a grid if there is one.

    Parameters
    ----------
    most : int
        The largest number of distinct values; 0 for a grid from the start.
    edges : ndarray or None
        The edges of the grid.
    """

    def __init__(self, most: int, edges: NDArray[np.float64] | None) -> None:
        self._edges = edges
        self._tally: ExactTally | GridTally | None = ExactTally(most)
        if most == 0:
            self._tally = None if edges is None else GridTally(edges)

    def add(self, column: Tidied, rows: Slice) -> None:
        """Count rows."""
        if isinstance(self._tally, ExactTally):
            taken = self._tally.add(column, rows)
            if taken == column.values.size:
                return
            grid = None if self._edges is None else self._tally.counts("").on_grid(self._edges)
            self._tally = None if grid is None else GridTally(grid.edges, grid)
            column, rows = column.after(taken), rows.after(taken)
        if self._tally is not None:
            self._tally.add(column, rows)

    def counts(self, name: str) -> ColumnCounts | None:
        """Return what was counted; None if there were too many values and no grid."""
        return None if self._tally is None else self._tally.counts(name)


class NominalTally:
    """Counts by category."""

    def __init__(self, codes: LabelCodes) -> None:
        self._codes = codes
        self._by_class = np.zeros((1, 0), dtype=np.int64)
        self._by_part = np.zeros((1, 0), dtype=np.int64)

    def add(self, array: Any, rows: Slice) -> None:
        """Count rows; those without a category stand in the first row."""
        places = self._codes.encode(array).astype(np.int64) + 1
        size = len(self._codes.labels) + 1
        self._by_class = _with_counts(self._by_class, places, rows.classes, rows.weights, (size, rows.n_classes))
        self._by_part = _with_counts(self._by_part, places, rows.parts, rows.weights, (size, rows.n_parts))

    def counts(self, name: str) -> NominalCounts:
        """Return what was counted."""
        labels = self._codes.labels
        order = sorted(range(len(labels)), key=labels.__getitem__)
        rows = np.array([*(place + 1 for place in order), 0])
        return NominalCounts(
            name=name,
            by_class=self._by_class[rows],
            by_part=self._by_part[rows],
            categories=tuple(labels[place] for place in order),
        )


def _widened(counts: NDArray[np.int64], n_labels: int) -> NDArray[np.int64]:
    """Return counts with a column for each label."""
    missing = n_labels - counts.shape[1]
    return counts if missing <= 0 else np.pad(counts, ((0, 0), (0, missing)))


def _lengthened(counts: NDArray[np.int64], more: int) -> NDArray[np.int64]:
    """Return counts with more rows before the last, that of the missing values."""
    longer = np.zeros((counts.shape[0] + more, counts.shape[1]), dtype=np.int64)
    longer[: counts.shape[0] - 1], longer[-1] = counts[:-1], counts[-1]
    return longer


def _with_counts(
    counts: NDArray[np.int64],
    places: NDArray[np.int64],
    labels: NDArray[np.int32],
    weights: NDArray[np.int64] | None,
    shape: tuple[int, int],
) -> NDArray[np.int64]:
    """Return counts with those of more rows; without labels they stay empty."""
    result = np.pad(counts, [(0, new - old) for new, old in zip(shape, counts.shape, strict=True)])
    if labels.size and weights is not None:
        np.add.at(result, (places, labels), weights)
    elif labels.size:
        result += np.bincount(places * shape[1] + labels, minlength=result.size).reshape(shape)
    return result
