"""Walk rows down C4.5's tree."""

from __future__ import annotations

import numpy as np

from cutwise.kernels.compile import kernel, plain_kernel
from cutwise.kernels.inputs import TIE_RELATIVE
from cutwise.kernels.joint.genetic import ERROR_UNITS


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
def sum_of_nodes(weights):
    """Return the weight of each node, all classes together."""
    totals = np.empty(weights.shape[0])
    for node in range(weights.shape[0]):
        totals[node] = 0.0
        for label in range(weights.shape[1]):
            totals[node] += weights[node, label]
    return totals


@kernel
def spread_classes(table, attributes, thresholds, first, n_children, weights, out):
    """Write the share of each class [row, class] where a row ends, out being zero."""
    n_nodes, n_classes = weights.shape
    totals = sum_of_nodes(weights)
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
def pick_classes(table, attributes, thresholds, first, n_children, weights, out):
    """Write the class with the largest share where a row ends, of equals the first."""
    n_nodes, n_classes = weights.shape
    totals = sum_of_nodes(weights)
    nodes = np.empty(n_nodes, dtype=np.int64)
    shares = np.empty(n_nodes)
    is_end = np.empty(n_nodes, dtype=np.bool_)
    of_class = np.empty(n_classes)
    # The class of rows that end in one node as a whole; -1 until it is asked for.
    winners = np.full(n_nodes, -1, dtype=np.int64)
    for row in range(table.shape[1]):
        n_visited = walk(table, row, attributes, thresholds, first, n_children, totals, nodes, shares, is_end)
        last = nodes[n_visited - 1]
        is_whole = shares[n_visited - 1] == 1.0
        if is_whole and winners[last] >= 0:
            out[row] = winners[last]
            continue
        for label in range(n_classes):
            of_class[label] = 0.0
        for at in range(n_visited):
            if is_end[at]:
                for label in range(n_classes):
                    of_class[label] += shares[at] * weights[nodes[at], label] / totals[nodes[at]]
        out[row] = first_of_largest(of_class)
        if is_whole:
            winners[last] = out[row]


@kernel
def first_of_largest(shares):
    """Return the first class whose share is not smaller than another's by more than rounding."""
    most = shares.max()
    for label in range(shares.size):
        if shares[label] >= most - TIE_RELATIVE:
            return label
    return 0


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


@plain_kernel
def code_rows(rows, starts, ends, code_of, codes, sizes):
    """Write the bin of each row [column, row], -1 where it is missing, and the number of bins.

    Columns with one bin are left out. Returns how many there are. code_of [cell] is working space.
    """
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


@plain_kernel
def count_wrong(shares, classes, weights):
    """Return the weight of the wrong rows, in units of an error; shares [row, class] tell the winners."""
    wrong = 0
    for row in range(classes.size):
        best = 0.0
        for label in range(shares.shape[1]):
            best = max(best, shares[row, label])
        n_winners = 0
        for label in range(shares.shape[1]):
            n_winners += shares[row, label] >= best - TIE_RELATIVE
        is_winner = shares[row, classes[row]] >= best - TIE_RELATIVE
        wrong += weights[row] * (ERROR_UNITS - is_winner * (ERROR_UNITS // n_winners))
    return wrong
