"""What the kernels of cells do, in plain Python."""

from __future__ import annotations


def cells_of(codes, offsets):
    """Return the known cells of one row."""
    return [offsets[j] + code for j, code in enumerate(codes) if 0 <= code < offsets[j + 1] - offsets[j]]


def count_cells(codes, offsets, labels, weights, counts):
    for row, label in enumerate(labels):
        for cell in cells_of(codes[row], offsets):
            counts[cell, label] += weights[row] if len(weights) else 1


def sum_cells(codes, offsets, table, sums):
    for row in range(len(codes)):
        for cell in cells_of(codes[row], offsets):
            sums[row] += table[cell]


def add_to_cells(codes, offsets, values, sums):
    for row in range(len(codes)):
        for cell in cells_of(codes[row], offsets):
            sums[cell] += values[row]
