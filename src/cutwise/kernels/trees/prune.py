"""Make C4.5's tree smaller: collapse it, prune it by estimated errors, raise its branches."""

from __future__ import annotations

import math

import numpy as np

from cutwise.kernels.compile import kernel
from cutwise.kernels.inputs import TIE_RELATIVE
from cutwise.kernels.stopping import check_stop
from cutwise.kernels.trees.splits import (
    ATTRIBUTE,
    CUT,
    FIRST,
    LEAF,
    N_CHILDREN,
    SMALL,
    START,
    STOP,
    longer,
    send_rows,
    sum_by_class,
)

# A subtree is given up if it is better by no more than this many errors.
SLACK = 0.1
SLACK_OF_COLLAPSE = 1e-3


@kernel
def add_errors(weight, errors, confidence, quantile):
    """Return how many more errors a leaf may make on new rows: the upper limit of its error rate.

    weight is that of its rows, errors of those in another class, quantile that of the normal
    distribution at 1 - confidence.
    """
    if errors < 1.0:
        least = weight * (1.0 - confidence ** (1.0 / weight))
        if errors == 0.0:
            return least
        return least + errors * (add_to_many(weight, 1.0, quantile) - least)
    return add_to_many(weight, errors, quantile)


@kernel
def add_to_many(weight, errors, quantile):
    """Return the same for one error or more: the normal approximation, corrected for continuity."""
    if errors + 0.5 >= weight:
        return max(weight - errors, 0.0)
    rate = (errors + 0.5) / weight
    square = quantile * quantile / weight
    root = math.sqrt(rate / weight - rate * rate / weight + square / (4.0 * weight))
    return weight * (rate + square / 2.0 + quantile * root) / (1.0 + square) - errors


@kernel
def estimate(by_class, confidence, quantile):
    """Return the estimated errors of a leaf on new rows."""
    total, errors = weigh_leaf(by_class)
    if total <= SMALL:
        return 0.0
    return errors + add_errors(total, errors, confidence, quantile)


@kernel
def weigh_leaf(by_class):
    """Return the weight of a leaf and that of its errors."""
    total = 0.0
    largest = 0.0
    for weight in by_class:
        total += weight
        largest = max(largest, weight)
    return total, total - largest


@kernel
def collapse(nodes, by_class):
    """Make leaves of the nodes whose subtrees make no fewer errors on the training rows."""
    n_nodes = nodes.shape[0]
    as_leaf = np.empty(n_nodes)
    below = np.empty(n_nodes)
    for node in range(n_nodes - 1, -1, -1):
        as_leaf[node] = weigh_leaf(by_class[node])[1]
        below[node] = 0.0 if nodes[node, N_CHILDREN] > 0 else as_leaf[node]
        for child in range(nodes[node, FIRST], nodes[node, FIRST] + nodes[node, N_CHILDREN]):
            below[node] += below[child]
    for node in range(n_nodes):
        if below[node] >= as_leaf[node] - SLACK_OF_COLLAPSE - TIE_RELATIVE:
            nodes[node, ATTRIBUTE] = LEAF
            nodes[node, N_CHILDREN] = 0


@kernel
def prune(nodes, by_class, rows, weights, top, cells, classes, confidence, quantile, is_raised, unit):
    """Replace subtrees by leaves or by their largest branch where that does not raise the estimated errors."""
    estimates = np.empty(nodes.shape[0])
    stack = np.empty((nodes.shape[0], 2), dtype=np.int64)
    stack[0, 0] = 0
    stack[0, 1] = 0
    n_stack = 1
    while n_stack > 0:
        check_stop()
        n_stack -= 1
        node = stack[n_stack, 0]
        as_leaf = estimate(by_class[node], confidence, quantile)
        if nodes[node, ATTRIBUTE] == LEAF:
            estimates[node] = as_leaf
            continue
        first, n_children = nodes[node, FIRST], nodes[node, N_CHILDREN]
        if stack[n_stack, 1] == 0:
            # The children first, then this node again.
            stack[n_stack, 1] = 1
            for child in range(first, first + n_children):
                n_stack += 1
                stack[n_stack, 0] = child
                stack[n_stack, 1] = 0
            n_stack += 1
            continue
        as_tree = 0.0
        for child in range(first, first + n_children):
            as_tree += estimates[child]
        as_branch = np.inf
        branch = largest_child(by_class, first, n_children)
        if is_raised:
            as_branch, rows, weights = estimate_branch(
                nodes, by_class, rows, weights, top, node, branch, cells, classes, confidence, quantile, unit
            )
        if as_leaf <= as_tree + SLACK + SMALL and as_leaf <= as_branch + SLACK + SMALL:
            nodes[node, ATTRIBUTE] = LEAF
            nodes[node, N_CHILDREN] = 0
            estimates[node] = as_leaf
        elif as_branch <= as_tree + SLACK + SMALL:
            for field in (ATTRIBUTE, CUT, FIRST, N_CHILDREN):
                nodes[node, field] = nodes[branch, field]
            rows, weights, top = spread_rows(nodes, by_class, rows, weights, top, node, cells, classes, unit)
            stack[n_stack, 1] = 0
            n_stack += 1
        else:
            estimates[node] = as_tree


@kernel
def largest_child(by_class, first, n_children):
    """Return the child with the largest weight; of equals the last."""
    best = 0.0
    largest = first
    for child in range(first, first + n_children):
        weight = weigh_leaf(by_class[child])[0]
        if weight >= best - SMALL:
            best = weight
            largest = child
    return largest


@kernel
def estimate_branch(nodes, by_class, rows, weights, top, node, branch, cells, classes, confidence, quantile, unit):
    """Return the estimated errors of a branch if it had all rows of the node, and the rows and weights."""
    if nodes[branch, ATTRIBUTE] == LEAF:
        return estimate(by_class[node], confidence, quantile), rows, weights
    size = nodes[node, STOP] - nodes[node, START]
    if top + size > rows.size:
        rows = longer(rows, top + size)
        weights = longer(weights, top + size)
    for i in range(size):
        rows[top + i] = rows[nodes[node, START] + i]
        weights[top + i] = weights[nodes[node, START] + i]
    sums = np.empty(by_class.shape[1])
    stack = np.empty((nodes.shape[0], 3), dtype=np.int64)
    stack[0, 0] = branch
    stack[0, 1] = top
    stack[0, 2] = top + size
    top += size
    n_stack = 1
    errors = 0.0
    while n_stack > 0:
        n_stack -= 1
        at, start, stop = stack[n_stack, 0], stack[n_stack, 1], stack[n_stack, 2]
        if nodes[at, ATTRIBUTE] == LEAF:
            sum_by_class(rows, weights, start, stop, classes, sums)
            errors += estimate(sums, confidence, quantile)
            continue
        n_children = nodes[at, N_CHILDREN]
        shares = np.empty(n_children)
        starts = np.empty(n_children + 1, dtype=np.int64)
        cells_here = cells[nodes[at, ATTRIBUTE]]
        rows, weights, top = send_rows(
            cells_here, nodes[at, CUT], rows, weights, start, stop, top, unit, shares, starts
        )
        for j in range(n_children):
            if starts[j + 1] > starts[j]:
                stack[n_stack, 0] = nodes[at, FIRST] + j
                stack[n_stack, 1] = starts[j]
                stack[n_stack, 2] = starts[j + 1]
                n_stack += 1
    return errors, rows, weights


@kernel
def spread_rows(nodes, by_class, rows, weights, top, node, cells, classes, unit):
    """Send the rows of a node anew through the splits below it; return the rows, the weights and their end."""
    stack = np.empty(nodes.shape[0], dtype=np.int64)
    stack[0] = node
    n_stack = 1
    while n_stack > 0:
        n_stack -= 1
        at = stack[n_stack]
        start, stop = nodes[at, START], nodes[at, STOP]
        sum_by_class(rows, weights, start, stop, classes, by_class[at])
        n_children = nodes[at, N_CHILDREN]
        if n_children == 0:
            continue
        shares = np.empty(n_children)
        starts = np.empty(n_children + 1, dtype=np.int64)
        cells_here = cells[nodes[at, ATTRIBUTE]]
        rows, weights, top = send_rows(
            cells_here, nodes[at, CUT], rows, weights, start, stop, top, unit, shares, starts
        )
        for j in range(n_children):
            child = nodes[at, FIRST] + j
            nodes[child, START] = starts[j]
            nodes[child, STOP] = starts[j + 1]
            stack[n_stack] = child
            n_stack += 1
    return rows, weights, top


def renumber(nodes, by_class):
    """Return the nodes that are left, level by level: attribute, cut, first child, children, weights by class."""
    old, first = np.zeros((2, nodes.shape[0]), dtype=np.int64)
    n_left = put_in_levels(nodes, old, first)
    old, first = old[:n_left], first[:n_left]
    attributes = nodes[old, ATTRIBUTE]
    cuts = np.where(attributes != LEAF, nodes[old, CUT], -1)
    return attributes, cuts, first, nodes[old, N_CHILDREN], by_class[old]


@kernel
def put_in_levels(nodes, old, first):
    """Write the nodes that are left, level by level, and where the children of each are then; return their number."""
    n_left = 1
    at = 0
    while at < n_left:
        node = old[at]
        if nodes[node, N_CHILDREN] > 0:
            first[at] = n_left
        for child in range(nodes[node, FIRST], nodes[node, FIRST] + nodes[node, N_CHILDREN]):
            old[n_left] = child
            n_left += 1
        at += 1
    return n_left
