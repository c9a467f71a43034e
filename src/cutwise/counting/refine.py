"""Finer cells where too many rows are in one."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.counting.columns import GridCounts
from cutwise.counting.grid import edges_between, joined_edges, make_lookup
from cutwise.counting.sample import Sampler
from cutwise.counting.slices import slices
from cutwise.counting.tallies import Tidied

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from cutwise.counting.sample import Sample
    from cutwise.counting.table_counts import TableCounts
    from cutwise.sources import Source


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
    samples: dict[str, Sample] = reduce(lambda left, right: _joined(left, right, size), found)
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

    def __call__(self, batches: Iterable[Any]) -> dict[str, Sample]:
        """Sample record batches with these columns."""
        samplers = {name: Sampler(self.size, 1) for name in self.edges}
        lookups = {name: make_lookup(edges) for name, edges in self.edges.items()}
        for rows, weights in slices(batches, self.weight):
            for name, edges in self.edges.items():
                column = Tidied.of(rows.column(name))
                wanted = np.append(self.wanted[name], False)
                samplers[name].add([column], wanted[column.cells(edges, lookups[name])], weights)
        return {name: sampler.sample() for name, sampler in samplers.items()}


def _joined(left: dict[str, Sample], right: dict[str, Sample], size: int) -> dict[str, Sample]:
    return {name: sample.joined(right[name], size) for name, sample in left.items()}
