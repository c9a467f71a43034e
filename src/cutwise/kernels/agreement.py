"""Training rows counted as often as they agree with a row that is to be classified.

A training row agrees with a query on s attributes. For each query: the sum of s over the
rows of each class, over those that have the query's bin of an attribute, and over those
of which the attribute is known. A missing value agrees with nothing.
"""

from __future__ import annotations

import numpy as np

from cutwise.kernels.compile import kernel
from cutwise.kernels.pairs import rows_in_bin


@kernel
def agree_at_all(x, cells, everyone):
    """Add up, over the attributes, the rows of each class that agree with a query."""
    for j in range(x.size):
        if x[j] >= 0:
            for label in range(everyone.size):
                everyone[label] += cells.counts[cells.offsets[j] + x[j], label]


@kernel
def add_pair(u, k, queries, cells, pairs, known, alike):
    """Add the rows that agree with the queries on both u and k, and take off those that lack one of the two."""
    counts = pairs.counts
    start, width = pairs.starts[u, k], cells.widths[k]
    lacks_u = cells.widths[u] > cells.n_bins[u]
    lacks_k = width > cells.n_bins[k]
    u, k = np.uint64(u), np.uint64(k)
    for query in range(np.uint64(queries.shape[0])):
        bin_of_u, bin_of_k = queries[query, u], queries[query, k]
        if bin_of_u < 0 or bin_of_k < 0:
            continue
        both = np.uint64(start + bin_of_u * width + bin_of_k)
        without_k = np.uint64(start + bin_of_u * width + width - 1)
        without_u = np.uint64(start + (cells.widths[u] - 1) * width + bin_of_k)
        for label in range(np.uint64(counts.shape[1])):
            alike[query, u, label] += counts[both, label]
            alike[query, k, label] += counts[both, label]
            if lacks_u:
                known[query, u, label] -= counts[without_u, label]
            if lacks_k:
                known[query, k, label] -= counts[without_k, label]


@kernel
def agree_by_pairs(queries, cells, pairs, everyone, known, alike):
    """Fill everyone[query, class], known[query, attribute, class] and alike[query, attribute, class].

    The rows with the same bins of two attributes agree on both: sums over the table of
    pairs are sums of s, and no training row is looked at. All three are zeros before.
    """
    n_attributes = queries.shape[1]
    for query in range(queries.shape[0]):
        x = queries[query]
        agree_at_all(x, cells, everyone[query])
        for j in range(n_attributes):
            if x[j] >= 0:
                for label in range(everyone.shape[1]):
                    alike[query, j, label] = cells.counts[cells.offsets[j] + x[j], label]
                    known[query, j, label] = everyone[query, label]
    for u in range(n_attributes):
        for k in range(u + 1, n_attributes):
            add_pair(u, k, queries, cells, pairs, known, alike)


@kernel
def add_agreeing(rows, j, code, agreed, sign, sums):
    """Add to sums[class] the weight of each row in a bin, as often as the row agrees."""
    first, stop = rows_in_bin(rows, j, code)
    for i in range(first, stop):
        row = np.uint64(rows.order[j, i])
        sums[rows.labels[row]] += sign * agreed[row] * rows.weights[row]


@kernel
def note_agreeing(x, rows, step, agreed):
    """Add a step to agreed[row] for every attribute on which the row agrees with a query."""
    for j in range(x.size):
        if x[j] >= 0:
            first, stop = rows_in_bin(rows, j, x[j])
            for i in range(first, stop):
                agreed[np.uint64(rows.order[j, i])] += step


@kernel
def agree_by_rows(queries, cells, rows, everyone, known, alike):
    """Fill the same three arrays from the rows in the query's bins."""
    agreed = np.zeros(rows.labels.size)
    for query in range(queries.shape[0]):
        x = queries[query]
        agree_at_all(x, cells, everyone[query])
        note_agreeing(x, rows, 1.0, agreed)
        for j in range(x.size):
            if x[j] < 0:
                continue
            for label in range(everyone.shape[1]):
                known[query, j, label] = everyone[query, label]
            add_agreeing(rows, j, x[j], agreed, 1.0, alike[query, j])
            if cells.widths[j] > cells.n_bins[j]:
                add_agreeing(rows, j, cells.n_bins[j], agreed, -1.0, known[query, j])
        note_agreeing(x, rows, -1.0, agreed)
