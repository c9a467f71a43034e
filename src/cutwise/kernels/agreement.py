"""Training rows counted as often as they agree with a row that is to be classified.

A training row agrees with a query on s attributes. For each query: the sum of s over the
rows of each class, over those that have the query's bin of an attribute, and over those
of which the attribute is known. A missing value agrees with nothing.
"""

from __future__ import annotations

from cutwise.kernels.compile import kernel
from cutwise.kernels.pairs import pair_cell


@kernel
def agree_by_pairs(queries, cells, pairs, everyone, known, alike):
    """Fill everyone[query, class], known[query, attribute, class] and alike[query, attribute, class].

    The rows with the same bins of two attributes agree on both: sums over the table of
    pairs are sums of s, and no training row is looked at. All three are zeros before.
    """
    n_attributes = queries.shape[1]
    n_classes = cells.counts.shape[1]
    for query in range(queries.shape[0]):
        x = queries[query]
        for j in range(n_attributes):
            if x[j] >= 0:
                for label in range(n_classes):
                    everyone[query, label] += cells.counts[cells.offsets[j] + x[j], label]
        for j in range(n_attributes):
            if x[j] < 0:
                continue
            has_missing = cells.widths[j] > cells.n_bins[j]
            for label in range(n_classes):
                alike[query, j, label] = cells.counts[cells.offsets[j] + x[j], label]
                known[query, j, label] = everyone[query, label]
            for k in range(n_attributes):
                if k == j or x[k] < 0:
                    continue
                both = pair_cell(j, x[j], k, x[k], cells.widths, pairs.starts)
                for label in range(n_classes):
                    alike[query, j, label] += pairs.counts[both, label]
                if has_missing:
                    lost = pair_cell(j, cells.n_bins[j], k, x[k], cells.widths, pairs.starts)
                    for label in range(n_classes):
                        known[query, j, label] -= pairs.counts[lost, label]


@kernel
def agree_by_rows(queries, rows, n_bins, everyone, known, alike):
    """Fill the same three arrays by going through the training rows, query by query."""
    n_attributes = queries.shape[1]
    for query in range(queries.shape[0]):
        x = queries[query]
        for row in range(rows.labels.size):
            row_bins = rows.bins[row]
            agreed = 0
            for j in range(n_attributes):
                agreed += row_bins[j] == x[j]
            if agreed == 0:
                continue
            label = rows.labels[row]
            weight = agreed * rows.weights[row]
            everyone[query, label] += weight
            for j in range(n_attributes):
                if row_bins[j] == x[j]:
                    alike[query, j, label] += weight
                if x[j] >= 0 and row_bins[j] < n_bins[j]:
                    known[query, j, label] += weight
