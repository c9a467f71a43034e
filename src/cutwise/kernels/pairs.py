"""Count rows by class for each two bins of two attributes."""

from __future__ import annotations

from cutwise.kernels.compile import kernel


@kernel
def count_pairs(columns, labels, weights, widths, starts, counts):
    """Add the rows of columns[attribute, row] to counts[cell, class], where a cell is two bins."""
    for u in range(columns.shape[0]):
        first = columns[u]
        for k in range(u + 1, columns.shape[0]):
            second = columns[k]
            for row in range(first.size):
                cell = starts[u, k] + first[row] * widths[k] + second[row]
                counts[cell, labels[row]] += weights[row]


@kernel
def pair_cell(u, bin_of_u, k, bin_of_k, widths, starts):
    """Return the row of the table of pairs for two bins; u and k may come in any order."""
    if u < k:
        return starts[u, k] + bin_of_u * widths[k] + bin_of_k
    return starts[k, u] + bin_of_k * widths[u] + bin_of_u
