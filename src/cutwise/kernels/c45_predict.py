"""Walk rows down C4.5's tree."""

from __future__ import annotations

import numpy as np

from cutwise.kernels.compile import kernel


@kernel
def walk(table, row, attributes, thresholds, first, n_children, totals, nodes, shares, is_end):
    """Write the nodes that a row visits, with what share of the row, and whether that share ends there.

    table [attribute, row] holds numbers and codes of categories, NaN where a value is missing.
    A row with a missing value goes to all children in proportion to their weights. One whose
    branch has no rows, or that has a code without a branch, ends where it is. A number goes to the
    first child if it is not above the threshold; the threshold of a split by code is NaN. Returns
    how many nodes were visited.
    """
    nodes[0] = 0
    shares[0] = 1.0
    n_visited = 1
    at = 0
    while at < n_visited:
        node = nodes[at]
        is_end[at] = True
        if n_children[node] > 0:
            value = table[attributes[node], row]
            begin = first[node]
            end = begin + n_children[node]
            if not np.isnan(value):
                child = end
                if not np.isnan(thresholds[node]):
                    child = begin if value <= thresholds[node] else begin + 1
                elif value < n_children[node]:
                    child = begin + np.int64(value)
                begin = child
                end = min(end, child + 1)
            whole = 0.0
            for child in range(begin, end):
                whole += totals[child]
            if whole > 0.0:
                is_end[at] = False
                for child in range(begin, end):
                    if totals[child] > 0.0:
                        nodes[n_visited] = child
                        shares[n_visited] = shares[at] * (totals[child] / whole)
                        n_visited += 1
        at += 1
    return n_visited


@kernel
def spread_classes(table, attributes, thresholds, first, n_children, weights, out):
    """Write the share of each class [row, class] where a row ends, out being zero."""
    n_nodes, n_classes = weights.shape
    totals = np.empty(n_nodes)
    for node in range(n_nodes):
        totals[node] = 0.0
        for label in range(n_classes):
            totals[node] += weights[node, label]
    nodes = np.empty(n_nodes, dtype=np.int64)
    shares = np.empty(n_nodes)
    is_end = np.empty(n_nodes, dtype=np.bool_)
    for row in range(table.shape[1]):
        n_visited = walk(table, row, attributes, thresholds, first, n_children, totals, nodes, shares, is_end)
        for at in range(n_visited):
            if is_end[at]:
                for label in range(n_classes):
                    out[row, label] += shares[at] * weights[nodes[at], label] / totals[nodes[at]]


@kernel
def find_paths(table, attributes, thresholds, first, n_children, totals, starts, nodes_out, shares_out):
    """Write where each row's path starts and, if there is room for all, the nodes with their shares.

    Returns the length of all paths.
    """
    nodes = np.empty(totals.size, dtype=np.int64)
    shares = np.empty(totals.size)
    is_end = np.empty(totals.size, dtype=np.bool_)
    length = 0
    for row in range(table.shape[1]):
        n_visited = walk(table, row, attributes, thresholds, first, n_children, totals, nodes, shares, is_end)
        starts[row] = length
        if length + n_visited <= nodes_out.size:
            for at in range(n_visited):
                nodes_out[length + at] = nodes[at]
                shares_out[length + at] = shares[at]
        length += n_visited
    starts[table.shape[1]] = length
    return length
