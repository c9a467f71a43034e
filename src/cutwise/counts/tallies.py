"""Counts of one column that grow while the rows come in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cutwise import kernels
from cutwise.counts.grid import make_lookup
from cutwise.counts.mergeable import ExactCounts, GridCounts, NominalCounts
from cutwise.errors import TableError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Self

    from numpy.typing import NDArray

    from cutwise.counts.mergeable import LabelCodes, MergeableCounts
    from cutwise.kernels.inputs import EdgeBuckets


# The room for distinct values at first.
FIRST_SIZE = 256


class RowSlice(NamedTuple):
    """The classes, parts and weights of some rows; without parts `parts` is empty."""

    classes: NDArray[np.int32]
    parts: NDArray[np.int32]
    weights: NDArray[np.int64] | None
    n_classes: int
    n_parts: int

    def after(self, start: int) -> RowSlice:
        """Return the rows from one on."""
        weights = None if self.weights is None else self.weights[start:]
        return self._replace(classes=self.classes[start:], parts=self.parts[start:], weights=weights)


class TidiedValues(NamedTuple):
    """The values of some rows as kernels take them, and their bits."""

    values: NDArray[np.float64]
    bits: NDArray[np.uint64]

    @classmethod
    def of(cls, array: Any) -> Self:
        """Read an Arrow array of numbers."""
        numbers = array if str(array.type) == "double" else array.cast("float64", safe=False)
        raw = numbers.to_numpy(zero_copy_only=False)
        values = np.empty(raw.size)
        kernels.bins.counting.tidy(raw, values)
        return cls(values, values.view(np.uint64))

    def cells(self, edges: NDArray[np.float64], lookup: EdgeBuckets) -> NDArray[np.int32]:
        """Return the cell of each value; for a missing one the number of cells."""
        cells = np.empty(self.values.size, dtype=np.int32)
        kernels.bins.counting.find_cells(*self, edges, lookup, cells)
        return cells

    def after(self, start: int) -> TidiedValues:
        """Return the rows from one on."""
        return TidiedValues(self.values[start:], self.bits[start:])


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

    def add(self, column: TidiedValues, rows: RowSlice) -> int:
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
        kernels.bins.counting.fill_slots(self._distinct[: self._n_distinct].view(np.uint64), self._slots)
        self._by_class, self._by_part = _lengthened(self._by_class, more), _lengthened(self._by_part, more)

    def _fill(self, column: TidiedValues, rows: RowSlice) -> int:
        n_rows, self._n_distinct = kernels.bins.counting.count_distinct(
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

    def add(self, column: TidiedValues, rows: RowSlice) -> None:
        """Count rows."""
        self._by_class = _widened(self._by_class, rows.n_classes)
        self._by_part = _widened(self._by_part, rows.n_parts)
        cells = column.cells(self._edges, self._lookup)
        kernels.bins.counting.count_cells(
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

    def add(self, column: TidiedValues, rows: RowSlice) -> None:
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

    def counts(self, name: str) -> MergeableCounts | None:
        """Return what was counted; None if there were too many values and no grid."""
        return None if self._tally is None else self._tally.counts(name)


class NominalTally:
    """Counts by category."""

    def __init__(self, codes: LabelCodes) -> None:
        self._codes = codes
        self._by_class = np.zeros((1, 0), dtype=np.int64)
        self._by_part = np.zeros((1, 0), dtype=np.int64)

    def add(self, array: Any, rows: RowSlice) -> None:
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


# Rows that are worked on at a time, so that they stay near the processor.
SLICE_ROWS = 1 << 15
# The weights of a slice add up in 64 bits.
MOST = 1 << 47


def slices(batches: Iterable[Any], weight: str | None) -> Iterator[tuple[Any, NDArray[np.int64] | None]]:
    """Yield the rows of record batches that count, some at a time, and how often each does.

    Parameters
    ----------
    batches : iterable of RecordBatch
    weight : str or None
        The column of weights. Without it all rows count, and None stands for their weights.
    """
    for batch in batches:
        for start in range(0, batch.num_rows, SLICE_ROWS):
            rows = batch.slice(start, SLICE_ROWS)
            yield (rows, None) if weight is None else _weighted_rows(rows, weight)


def _weighted_rows(batch: Any, name: str) -> tuple[Any, NDArray[np.int64]]:
    """Return the rows of a record batch that count, and how often each does."""
    array = batch.column(name)
    if array.null_count:
        raise TableError(
            f"The column of weights {name!r} has no value in {array.null_count} of {len(array)} rows that were read "
            "together. Remove such rows before, or give them the weight 0."
        )
    numbers = array.cast("float64", safe=False).to_numpy(zero_copy_only=False)
    bad = np.flatnonzero(~((numbers >= 0) & (numbers < MOST) & (numbers == np.rint(numbers))))
    if bad.size:
        raise TableError(
            f"The column of weights {name!r} holds {float(numbers[bad[0]])!r}. It tells how often a row counts: use "
            "whole numbers from 0 on. Weights with fractions are taken by fit(X, y, sample_weight=…)."
        )
    weights = numbers.astype(np.int64)
    if weights.all():
        return batch, weights
    kept = np.flatnonzero(weights)
    return batch.take(kept), weights[kept]
