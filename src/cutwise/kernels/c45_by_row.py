"""Count all columns of a node of C4.5's tree row by row, where every column is nominal.

Counting column by column adds to the same few numbers again and again, and each addition waits
for the one before. Row by row, neighbouring additions go to different columns.
"""

from __future__ import annotations

import numpy as np

from cutwise.kernels.c45_rows import NOMINAL
from cutwise.kernels.c45_scores import score_counts
from cutwise.kernels.compile import kernel

# A table of counts with more entries than this does not stay near the processor.
MAX_COUNTS = 1 << 14
# A node whose rows have fewer values than this share of the counts is counted column by column.
MIN_FILL = 0.25


def make_by_row(cells, sizes, n_classes):
    """Return the cells [row, attribute], where the counts of each attribute begin, and working space.

    There are no cells if counting row by row would not pay.
    """
    starts = np.concatenate([[0], np.cumsum(np.maximum(sizes, 0), dtype=np.int64)])
    n_codes = int(starts[-1])
    is_small = n_codes * n_classes <= MAX_COUNTS
    if not is_small or not (sizes > 0).all():
        cells, n_codes = cells[:0, :0], 0
    space = np.zeros((n_codes, n_classes)), np.arange(n_codes), np.empty(n_classes)
    return cells.T.astype(np.int16, order="C"), starts, *space


@kernel
def pays(by_row, n_rows):
    """Return whether a node with so many rows is counted row by row."""
    table, _, counts, _, _ = by_row
    return table.shape[0] > 0 and n_rows * table.shape[1] >= MIN_FILL * counts.size


@kernel
def score_by_row(by_row, rows, labels, weights, total, settings, gains, ratios, cuts):
    """Write the gain and the gain ratio of a split by each attribute; a gain of -1 for none.

    by_row is what `make_by_row` returns; the counts in it must be zero and are left so.
    """
    table, starts, counts, every, of_class = by_row
    min_leaf, _, _, terms, grid = settings
    n_attributes = table.shape[1]
    for i in range(rows.size):
        cells = table[np.uint64(rows[i])]
        label = np.uint64(labels[i])
        weight = weights[i]
        for attribute in range(n_attributes):
            cell = cells[attribute]
            if cell >= 0:
                counts[np.uint64(starts[attribute] + cell), label] += weight
    for attribute in range(n_attributes):
        own = counts[starts[attribute] : starts[attribute + 1]]
        gains[attribute], ratios[attribute] = score_counts(
            own, every, own.shape[0], total, min_leaf, terms, grid, of_class
        )
        cuts[attribute] = NOMINAL
