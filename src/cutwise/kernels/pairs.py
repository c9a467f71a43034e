"""Count rows by class for each two bins of two attributes, and find the rows that are in a bin."""

from __future__ import annotations

from cutwise.kernels.compile import kernel
from cutwise.kernels.stopping import check_stop


@kernel
def count_pairs(columns, labels, weights, widths, starts, counts):
    """Add the rows of columns[attribute, row] to counts[cell, class], where a cell is two bins."""
    for u in range(columns.shape[0]):
        first = columns[u]
        for k in range(u + 1, columns.shape[0]):
            check_stop()
            second = columns[k]
            for row in range(first.size):
                cell = starts[u, k] + first[row] * widths[k] + second[row]
                counts[cell, labels[row]] += weights[row]


@kernel
def rows_in_bin(rows, j, code):
    """Return the part of rows.order[j] that holds the rows in a bin, as first and stop."""
    cell = rows.places[j] + code
    return (rows.stops[cell - 1] if code > 0 else 0), rows.stops[cell]
