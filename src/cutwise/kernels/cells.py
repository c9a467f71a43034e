"""Sums over cells: a cell is one bin of one attribute.

Cells are numbered attribute by attribute: the cell of attribute j and code v is
offsets[j] + v, and offsets has one entry more than there are attributes. A code below
zero, or one beyond the attribute's last cell, is unknown and adds nothing.
"""

from __future__ import annotations

import numpy as np

from cutwise.kernels.compile import kernel


@kernel
def count_cells(codes, offsets, labels, weights, counts):
    """Add each row to counts[cell, label]; with no weights (an empty array) it counts once."""
    n_rows, n_attributes = codes.shape
    for row in range(n_rows):
        label = np.uint64(labels[row])
        weight = 1.0 if weights.size == 0 else weights[row]
        for j in range(n_attributes):
            code = codes[row, j]
            cell = offsets[j] + code
            if code >= 0 and cell < offsets[j + 1]:
                counts[np.uint64(cell), label] += weight


@kernel
def sum_cells(codes, offsets, table, sums):
    """Add to each row of sums the rows of table[cell] that belong to its codes."""
    n_rows, n_attributes = codes.shape
    width = np.uint64(table.shape[1])
    for row in range(n_rows):
        for j in range(n_attributes):
            code = codes[row, j]
            cell = offsets[j] + code
            if code >= 0 and cell < offsets[j + 1]:
                at = np.uint64(cell)
                for k in range(width):
                    sums[row, k] += table[at, k]


@kernel
def add_rows(values, sums):
    """Add each row of values to sums."""
    for row in range(values.shape[0]):
        for k in range(values.shape[1]):
            sums[k] += values[row, k]


@kernel
def add_to_cells(codes, offsets, values, sums):
    """Add values[row] to sums[cell] for every cell of the row."""
    n_rows, n_attributes = codes.shape
    width = np.uint64(values.shape[1])
    for row in range(n_rows):
        for j in range(n_attributes):
            code = codes[row, j]
            cell = offsets[j] + code
            if code >= 0 and cell < offsets[j + 1]:
                at = np.uint64(cell)
                for k in range(width):
                    sums[at, k] += values[row, k]
