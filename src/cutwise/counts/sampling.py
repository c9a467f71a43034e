"""A sample of rows that depends on the rows alone, not on their order or on who read them.

Each row has a hash, made from the bits of its numbers. The sample holds the rows with the
smallest hashes; rows that are alike have the same hash and count as one with a weight. So
samples of pieces of a table join to the sample of the whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise import kernels
from cutwise.counts.grid import edges_between, joined_edges, make_lookup
from cutwise.counts.mergeable import GridCounts
from cutwise.counts.tallies import TidiedValues, slices

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from cutwise.counts.table_counts import TableCounts
    from cutwise.table.engines import Source


HIGHEST = np.uint64((1 << 64) - 1)


@dataclass(frozen=True, eq=False)
class HashedSample:
    """Rows with the smallest hashes, in the order of these.

    Parameters
    ----------
    hashes : ndarray of uint64
    weights : ndarray of int
        How many rows are like each of these.
    values : ndarray [row, column]
    """

    hashes: NDArray[np.uint64]
    weights: NDArray[np.int64]
    values: NDArray[np.float64]

    def joined(self, other: HashedSample, size: int) -> HashedSample:
        """Return the sample of the rows of both."""
        return _smallest([self, other], size)

    def column(self, place: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return the values of a column in ascending order, each once, and their weights."""
        column = self.values[:, place]
        present = ~np.isnan(column)
        values, places = np.unique(column[present], return_inverse=True)
        weights = np.zeros(values.size, dtype=np.int64)
        np.add.at(weights, places, self.weights[present])
        return values, weights


class HashSampler:
    """A sample that grows while the rows come in.

    Parameters
    ----------
    size : int
        The largest number of different rows.
    n_columns : int
    """

    def __init__(self, size: int, n_columns: int) -> None:
        self._size, self._n_columns = size, n_columns
        self._parts: list[HashedSample] = []
        self._n_waiting = 0
        self._threshold = HIGHEST

    def add(
        self,
        columns: Sequence[TidiedValues],
        marks: NDArray[np.bool_] | None = None,
        weights: NDArray[np.int64] | None = None,
    ) -> None:
        """Look at rows: all of them, or those that are marked; without weights each counts once."""
        hashes = np.zeros(columns[0].values.size, dtype=np.uint64)
        for column in columns:
            kernels.bins.counting.mix_rows(column.bits, hashes)
        low = hashes < self._threshold
        picked = np.flatnonzero(low if marks is None else low & marks)
        if picked.size > self._size:
            # No more than these can stay; what is copied for each row is large.
            smallest = np.unique(hashes[picked])[: self._size]
            picked = picked[hashes[picked] <= smallest[-1]]
        if picked.size == 0:
            return
        values = np.column_stack([column.values[picked] for column in columns])
        counts = np.ones(picked.size, dtype=np.int64) if weights is None else weights[picked]
        self._parts.append(HashedSample(hashes[picked], counts, values))
        self._n_waiting += picked.size
        if self._n_waiting >= self._size:
            self._settle()

    def sample(self) -> HashedSample:
        """Return the sample so far."""
        self._settle()
        return self._parts[0]

    def _settle(self) -> None:
        """Keep the smallest hashes; from then on only smaller ones count."""
        sample = _smallest([*self._parts, _no_rows(self._n_columns)], self._size)
        self._parts, self._n_waiting = [sample], 0
        if sample.hashes.size == self._size:
            self._threshold = sample.hashes[-1] + np.uint64(1)


def _no_rows(n_columns: int) -> HashedSample:
    return HashedSample(np.empty(0, dtype=np.uint64), np.empty(0, dtype=np.int64), np.empty((0, n_columns)))


def _smallest(samples: Sequence[HashedSample], size: int) -> HashedSample:
    """Return the rows with the smallest hashes, those that are alike as one."""
    hashes = np.concatenate([sample.hashes for sample in samples])
    weights = np.concatenate([sample.weights for sample in samples])
    values = np.concatenate([sample.values for sample in samples])
    order = np.argsort(hashes, kind="stable")
    hashes = hashes[order]
    firsts = np.flatnonzero(np.append(True, hashes[1:] != hashes[:-1])) if hashes.size else order
    sums = np.add.reduceat(weights[order], firsts) if firsts.size else weights
    kept = firsts[:size]
    return HashedSample(hashes[kept], sums[:size], values[order[kept]])


# A cell with more than this many times its due share of the rows is refined.
HEAVY = 4.0


def too_coarse(counts: TableCounts, n_cells: int) -> list[GridCounts]:
    """Return the columns of which a cell has far more rows than one of n_cells should have."""
    columns = [column for column in counts.columns if isinstance(column, GridCounts)]
    return [column for column in columns if column.rank_error > HEAVY / n_cells]


def refined_edges(
    source: Source, columns: Sequence[GridCounts], n_cells: int, size: int, weight: str | None
) -> dict[str, NDArray[np.float64]]:
    """Return grids with more edges in the cells that have far more rows than one of n_cells should have.

    The edges come from the distinct values in these cells and from the rows of each, in
    another scan of the columns: a frequent value gets a cell of its own.
    """
    wanted = {column.name: column.shares > HEAVY / n_cells for column in columns}
    edges = {column.name: column.edges for column in columns}
    read = [*edges] if weight is None else [*edges, weight]
    found = source.fold(read, SamplePiece(edges, wanted, size, weight))
    samples: dict[str, HashedSample] = reduce(lambda left, right: _joined(left, right, size), found)
    finer = {}
    for column in columns:
        rows = float(column.shares[wanted[column.name]].sum())
        values, weights = samples[column.name].column(0)
        due = max(2, int(np.ceil(rows * n_cells)))
        finer[column.name] = joined_edges(column.edges, edges_between(values, weights, due))
    return finer


class SamplePiece:
    """Samples the distinct values in some cells of columns; may be sent to other processes."""

    def __init__(
        self,
        edges: dict[str, NDArray[np.float64]],
        wanted: dict[str, NDArray[np.bool_]],
        size: int,
        weight: str | None,
    ) -> None:
        self.edges, self.wanted, self.size, self.weight = edges, wanted, size, weight

    def __call__(self, batches: Iterable[Any]) -> dict[str, HashedSample]:
        """Sample record batches with these columns."""
        samplers = {name: HashSampler(self.size, 1) for name in self.edges}
        lookups = {name: make_lookup(edges) for name, edges in self.edges.items()}
        for rows, weights in slices(batches, self.weight):
            for name, edges in self.edges.items():
                column = TidiedValues.of(rows.column(name))
                wanted = np.append(self.wanted[name], False)
                samplers[name].add([column], wanted[column.cells(edges, lookups[name])], weights)
        return {name: sampler.sample() for name, sampler in samplers.items()}


def _joined(left: dict[str, HashedSample], right: dict[str, HashedSample], size: int) -> dict[str, HashedSample]:
    return {name: sample.joined(right[name], size) for name, sample in left.items()}
