"""The rows that the genetic search codes by cells, as C4.5 reads them.

Cells and ends are those of `genetic.py`.
"""

from __future__ import annotations

import numpy as np

from cutwise.kernels.compile import kernel
from cutwise.kernels.genetic import ERROR_UNITS


@kernel
def code_rows(rows, starts, ends, codes, sizes):
    """Write the bin of each row [column, row], -1 where it is missing, and the number of bins.

    Columns with one bin are left out. Returns how many there are.
    """
    code_of = np.empty(ends.size, dtype=np.int32)
    code_of[0] = -1
    n_columns = 0
    for column in range(starts.size - 1):
        n_bins = 0
        for cell in range(starts[column], starts[column + 1]):
            code_of[cell] = n_bins
            n_bins += ends[cell]
        if n_bins < 2:
            continue
        for row in range(rows.shape[1]):
            codes[n_columns, row] = code_of[np.uint64(rows[column, row])]
        sizes[n_columns] = n_bins
        n_columns += 1
    return n_columns


@kernel
def count_wrong(shares, classes, weights):
    """Return the weight of the wrong rows, in units of an error; shares [row, class] tell the winners."""
    wrong = 0
    for row in range(classes.size):
        best = 0.0
        for label in range(shares.shape[1]):
            best = max(best, shares[row, label])
        n_winners = 0
        for label in range(shares.shape[1]):
            n_winners += shares[row, label] >= best - 1e-9
        is_winner = shares[row, classes[row]] >= best - 1e-9
        wrong += weights[row] * (ERROR_UNITS - is_winner * (ERROR_UNITS // n_winners))
    return wrong
