"""Rows in slices, and how often each row counts: a column of whole numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.errors import TableError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

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
        message = (
            f"The column of weights {name!r} has no value in {array.null_count} of {len(array)} rows that were read "
            "together. Remove such rows before, or give them the weight 0."
        )
        raise TableError(message)
    numbers = array.cast("float64", safe=False).to_numpy(zero_copy_only=False)
    bad = np.flatnonzero(~((numbers >= 0) & (numbers < MOST) & (numbers == np.rint(numbers))))
    if bad.size:
        message = (
            f"The column of weights {name!r} holds {float(numbers[bad[0]])!r}. It tells how often a row counts: use "
            "whole numbers from 0 on. Weights with fractions are taken by fit(X, y, sample_weight=…)."
        )
        raise TableError(message)
    weights = numbers.astype(np.int64)
    if weights.all():
        return batch, weights
    kept = np.flatnonzero(weights)
    return batch.take(kept), weights[kept]
