"""How often each row counts: a column of whole numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.errors import TableError

if TYPE_CHECKING:
    from numpy.typing import NDArray

# A slice has at most 2**15 rows, so that its weights add up in 64 bits.
MOST = 1 << 47


def weighted_rows(batch: Any, name: str) -> tuple[Any, NDArray[np.int64]]:
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
