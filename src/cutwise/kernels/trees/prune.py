"""Make C4.5's tree smaller: collapse it, prune it by estimated errors, raise its branches."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

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
    N_NODES,
    N_STACK,
    PLACES_NEEDED,
    SMALL,
    START,
    STOP,
    TOP,
    send_rows,
    sum_by_class,
    weigh_leaf,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

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
def estimate(by_class, node, settings):
    """Return the estimated errors of a node on new rows, were it a leaf."""
    total, errors = weigh_leaf(by_class, node)
    if total <= SMALL:
        return 0.0
    return errors + add_errors(total, errors, settings.confidence, settings.quantile)


class PruneSettings(NamedTuple):
    """The confidence, its quantile of the normal distribution, whether to raise branches, and the unit of weights."""

    confidence: float
    quantile: float
    is_raised: bool
    unit: float


class PruneSpace(NamedTuple):
    """Working space by node: the estimated errors, other sums of errors, and nodes that rows are sent to."""

    estimates: NDArray[np.float64]
    below: NDArray[np.float64]
    down: NDArray[np.int64]


def make_prune_space(n_nodes):
    """Return working space."""
    return PruneSpace(np.empty(n_nodes), np.empty(n_nodes), np.empty((n_nodes, 3), dtype=np.int64))


@kernel
def shrink(tree, space, places, cells, classes, settings, is_collapsed):
    """Collapse the tree and prune it, then put the nodes that are left in levels; return how many there are.

    The nodes to be looked at are pruned with all that is below them. If there are too few places, 0 is returned.
    """
    if is_collapsed:
        collapse(tree, space.estimates, space.below)
    if not prune(tree, space, places, cells, classes, settings):
        return 0
    return put_in_levels(tree)


@kernel
def collapse(tree, as_leaf, below):
    """Make leaves of the nodes whose subtrees make no fewer errors on the training rows."""
    nodes, by_class, _, state = tree
    n_nodes = state[N_NODES]
    for node in range(n_nodes - 1, -1, -1):
        as_leaf[node] = weigh_leaf(by_class, node)[1]
        below[node] = 0.0 if nodes[node, N_CHILDREN] > 0 else as_leaf[node]
        for child in range(nodes[node, FIRST], nodes[node, FIRST] + nodes[node, N_CHILDREN]):
            below[node] += below[child]
    for node in range(n_nodes):
        if below[node] >= as_leaf[node] - SLACK_OF_COLLAPSE - TIE_RELATIVE:
            nodes[node, ATTRIBUTE] = LEAF
            nodes[node, N_CHILDREN] = 0


@kernel
def prune(tree, space, places, cells, classes, settings):
    """Replace subtrees by leaves or by their largest branch where that does not raise the estimated errors.

    Returns whether all is done; if not, there are too few places.
    """
    nodes, by_class, stack, state = tree
    estimates = space.estimates
    n_stack, top = state[N_STACK], state[TOP]
    while n_stack > 0:
        check_stop()
        n_stack -= 1
        node = stack[n_stack, 0]
        as_leaf = estimate(by_class, node, settings)
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
        branch = largest_child(by_class, first, n_children)
        as_branch, end = np.inf, top
        if settings.is_raised:
            as_branch, end = estimate_branch(tree, space, places, top, node, branch, cells, classes, settings)
        if end < 0:
            state[N_STACK], state[TOP], state[PLACES_NEEDED] = n_stack + 1, top, -end
            return False
        if as_leaf <= as_tree + SLACK + SMALL and as_leaf <= as_branch + SLACK + SMALL:
            nodes[node, ATTRIBUTE] = LEAF
            nodes[node, N_CHILDREN] = 0
            estimates[node] = as_leaf
        elif as_branch <= as_tree + SLACK + SMALL:
            for field in range(START):
                nodes[node, field] = nodes[branch, field]
            # The estimate has found room for this, and for a copy of the rows besides.
            top = send_down(tree, space, places, top, node, -1, cells, classes, settings)[1]
            stack[n_stack, 1] = 0
            n_stack += 1
        else:
            estimates[node] = as_tree
    return True


@kernel
def largest_child(by_class, first, n_children):
    """Return the child with the largest weight; of equals the last."""
    best = 0.0
    largest = first
    for child in range(first, first + n_children):
        weight = weigh_leaf(by_class, child)[0]
        if weight >= best - SMALL:
            best = weight
            largest = child
    return largest


@kernel
def estimate_branch(tree, space, places, top, node, branch, cells, classes, settings):
    """Return the estimated errors of a branch if it had all rows of the node, and the end of the places taken.

    If there are too few places, the end is the negative of how many are needed.
    """
    nodes = tree.nodes
    if nodes[branch, ATTRIBUTE] == LEAF:
        return estimate(tree.by_class, node, settings), top
    start, size = nodes[node, START], nodes[node, STOP] - nodes[node, START]
    if top + size > places.rows.size:
        return np.inf, -(top + size)
    for i in range(size):
        places.rows[top + i] = places.rows[start + i]
        places.weights[top + i] = places.weights[start + i]
    return send_down(tree, space, places, top + size, branch, top, cells, classes, settings)


@kernel
def send_down(tree, space, places, top, node, copy, cells, classes, settings):
    """Send the rows of a node through the splits below it; return the estimated errors and the end of the places.

    From `copy` to `top` are the rows; without a copy (-1) they are the node's own, and the nodes below learn theirs.
    If there are too few places, the end is the negative of how many are needed.
    """
    nodes, by_class = tree.nodes, tree.by_class
    stack, starts = space.down, places.starts
    stack[0, 0] = node
    stack[0, 1] = nodes[node, START] if copy < 0 else copy
    stack[0, 2] = nodes[node, STOP] if copy < 0 else top
    n_stack = 1
    errors = 0.0
    while n_stack > 0:
        n_stack -= 1
        at, start, stop = stack[n_stack, 0], stack[n_stack, 1], stack[n_stack, 2]
        attribute, n_children = nodes[at, ATTRIBUTE], nodes[at, N_CHILDREN]
        if copy < 0:
            nodes[at, START] = start
            nodes[at, STOP] = stop
        if copy < 0 or attribute == LEAF:
            learnt = at if copy < 0 else by_class.shape[0] - 1
            sum_by_class(places, start, stop, classes, by_class, learnt)
            if attribute == LEAF:
                errors += estimate(by_class, learnt, settings)
                continue
        top = send_rows(cells, attribute, nodes[at, CUT], start, stop, top, settings.unit, n_children, places)
        if top < 0:
            break
        for j in range(n_children):
            if copy < 0 or starts[j + 1] > starts[j]:
                stack[n_stack, 0] = nodes[at, FIRST] + j
                stack[n_stack, 1] = starts[j]
                stack[n_stack, 2] = starts[j + 1]
                n_stack += 1
    return errors, top


def take_left(tree, n_left):
    """Return the nodes that are left, level by level: attribute, cut, first child, children, weights by class."""
    old, first = tree.stack[:n_left, 0], tree.stack[:n_left, 1].copy()
    attributes = tree.nodes[old, ATTRIBUTE]
    cuts = np.where(attributes != LEAF, tree.nodes[old, CUT], -1)
    return attributes, cuts, first, tree.nodes[old, N_CHILDREN], tree.by_class[old]


@kernel
def put_in_levels(tree):
    """Write the nodes that are left, level by level, and where the children of each are then; return their number.

    They take the place of the nodes to be looked at.
    """
    nodes, _, stack, _ = tree
    stack[0, 0] = 0
    n_left = 1
    at = 0
    while at < n_left:
        node = stack[at, 0]
        stack[at, 1] = n_left if nodes[node, N_CHILDREN] > 0 else 0
        for child in range(nodes[node, FIRST], nodes[node, FIRST] + nodes[node, N_CHILDREN]):
            stack[n_left, 0] = child
            n_left += 1
        at += 1
    return n_left
