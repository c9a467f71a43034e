"""The rows of a column, dealt into folds from its counts alone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from cutwise.counts.column_counts import SparseCounts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.counts.column_counts import ColumnCounts

# Of more rows than this, those of one value and class are dealt several at a time.
MOST_DEALT = 1 << 20


def deal_counts(table: ColumnCounts, n_folds: int) -> NDArray[np.int64]:
    """Return the counts [fold, entry] of the table's entries, dealt into folds.

    The rows of each class, in the order of their values, are dealt by a permutation that depends on their number
    only. So the folds depend neither on the order of the rows nor on the names of the classes, and a column that
    was counted elsewhere is dealt as one in memory. A fraction of a row is dealt as one row.

    Examples
    --------
    >>> from cutwise.counts import ColumnCounts
    >>> table = ColumnCounts.from_dense([1, 2, 3], [[4, 0], [2, 2], [0, 4]])
    >>> deal_counts(table, 2).sum(axis=0).tolist()
    [4, 2, 2, 4]
    """
    entries = table.by_class
    size = max(1, round(1.0 / table.unit), -(-table.n_rows // MOST_DEALT))
    dealt = np.zeros((n_folds, entries.counts.size), dtype=np.int64)
    random = np.random.RandomState(0)
    for label in range(entries.n_labels):
        places = np.flatnonzero(entries.labels == label)
        counts = entries.counts[places]
        n_pieces = -(-counts // size)
        ends = np.cumsum(n_pieces)
        if ends.size == 0:
            continue
        pieces = np.full(ends[-1], size, dtype=np.int64)
        pieces[ends - 1] = counts - size * (n_pieces - 1)
        random.seed(0)
        folds = random.permutation(ends[-1]) % n_folds
        np.add.at(dealt, (folds, np.repeat(places, n_pieces)), pieces)
    return dealt


def with_counts(table: ColumnCounts, counts: NDArray[np.int64]) -> tuple[ColumnCounts, NDArray[np.int64]]:
    """Return the table with other counts of its entries, without values that have none, and the places of the rest."""
    entries, kept = table.by_class, counts > 0
    sizes = np.diff(np.append(0, np.cumsum(kept))[entries.starts])
    places = np.flatnonzero(sizes)
    by_class = SparseCounts(
        np.append(0, np.cumsum(sizes[places])), entries.labels[kept], counts[kept], entries.n_labels
    )
    lows = None if table.lows is None else table.lows[places]
    no_parts = np.zeros(0, dtype=np.int64)
    values = table.values[places]
    return replace(table, values=values, by_class=by_class, by_part=None, missing_by_part=no_parts, lows=lows), places
