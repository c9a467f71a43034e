"""Make C4.5's tree smaller: collapse it, prune it by estimated errors, raise its branches."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from cutwise.kernels.compile import plain_kernel
from cutwise.kernels.inputs import TIE_RELATIVE
from cutwise.kernels.stopping import check_stop
from cutwise.kernels.trees.splits import (
    AT,
    ATTRIBUTE,
    BEGIN,
    CUT,
    END,
    FIRST,
    HEAD,
    LATER,
    LEAF,
    N_CHILDREN,
    N_NODES,
    NEXT,
    NONE,
    PLACES_NEEDED,
    SMALL,
    START,
    STOP,
    TOP,
    send_rows,
    sum_by_class,
    weigh_leaf,
)

# A subtree is given up if it is better by no more than this many errors.
SLACK = 0.1
SLACK_OF_COLLAPSE = 1e-3
# What is next to be done with a node, in its field AT: prune its children first, try its largest branch in its place,
# and send the rows anew after that branch was put there.
CHILDREN, TRIAL, RAISE = 0, 1, 2


@plain_kernel
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


@plain_kernel
def add_to_many(weight, errors, quantile):
    """Return the same for one error or more: the normal approximation, corrected for continuity."""
    if errors + 0.5 >= weight:
        return max(weight - errors, 0.0)
    rate = (errors + 0.5) / weight
    square = quantile * quantile / weight
    root = math.sqrt(rate / weight - rate * rate / weight + square / (4.0 * weight))
    return weight * (rate + square / 2.0 + quantile * root) / (1.0 + square) - errors


@plain_kernel
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


@plain_kernel
def shrink(nodes, by_class, state, rows, weights, shares, starts, cells, classes, settings, estimates, is_collapsed):
    """Collapse the tree and prune it, then put the nodes that are left in levels; return how many there are.

    If there are too few places, 0 is returned. The last row of `by_class` is working space.
    """
    if is_collapsed:
        collapse(nodes, state[N_NODES], by_class, estimates)
    if not prune(nodes, by_class, state, rows, weights, shares, starts, cells, classes, settings, estimates):
        return 0
    return put_in_levels(nodes)


@plain_kernel
def collapse(nodes, n_nodes, by_class, below):
    """Make leaves of the nodes whose subtrees make no fewer errors on the training rows."""
    for node in range(n_nodes - 1, -1, -1):
        as_leaf = weigh_leaf(by_class, node)[1]
        below[node] = 0.0 if nodes[node, N_CHILDREN] > 0 else as_leaf
        for child in range(nodes[node, FIRST], nodes[node, FIRST] + nodes[node, N_CHILDREN]):
            below[node] += below[child]
        if below[node] >= as_leaf - SLACK_OF_COLLAPSE - TIE_RELATIVE:
            nodes[node, ATTRIBUTE] = LEAF
            nodes[node, N_CHILDREN] = 0


@plain_kernel
def prune(nodes, by_class, state, rows, weights, shares, starts, cells, classes, settings, estimates):
    """Replace subtrees by leaves or by their largest branch where that does not raise the estimated errors.

    Returns whether all is done; if not, there are too few places.
    """
    head, top = state[HEAD], state[TOP]
    while head != NONE:
        check_stop()
        node = head
        as_leaf = estimate(by_class, node, settings)
        first, n_children = nodes[node, FIRST], nodes[node, N_CHILDREN]
        if n_children == 0:
            estimates[node] = as_leaf
            head = nodes[node, NEXT]
            continue
        if nodes[node, AT] == CHILDREN:
            nodes[node, AT] = TRIAL
            for child in range(first, first + n_children):
                nodes[child, AT] = CHILDREN
                nodes[child, NEXT] = head
                head = child
            continue
        is_trial = nodes[node, AT] == TRIAL
        branch = largest_child(by_class, first, n_children) if is_trial else node
        as_branch, end = np.inf, top
        if settings.is_raised and nodes[branch, N_CHILDREN] == 0:
            as_branch = as_leaf
        elif settings.is_raised:
            # There is room for a raise after its trial, which took a copy of the rows besides.
            as_branch, end = send_down(
                *(nodes, by_class, rows, weights, shares, starts, cells, classes, settings),
                *(branch, nodes[node, START], nodes[node, STOP], top, is_trial),
            )
            if not is_trial:
                top = end
                nodes[node, AT] = CHILDREN
                continue
        if end < 0:
            state[HEAD], state[TOP], state[PLACES_NEEDED] = head, top, -end
            return False
        as_tree = 0.0
        for child in range(first, first + n_children):
            as_tree += estimates[child]
        if as_leaf <= as_tree + SLACK + SMALL and as_leaf <= as_branch + SLACK + SMALL:
            nodes[node, ATTRIBUTE] = LEAF
            nodes[node, N_CHILDREN] = 0
            estimates[node] = as_leaf
        elif as_branch <= as_tree + SLACK + SMALL:
            for field in range(START):
                nodes[node, field] = nodes[branch, field]
            nodes[node, AT] = RAISE
            continue
        else:
            estimates[node] = as_tree
        head = nodes[node, NEXT]
    return True


@plain_kernel
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


@plain_kernel
def send_down(
    nodes, by_class, rows, weights, shares, starts, cells, classes, settings, node, start, stop, top, is_trial
):
    """Send rows through the splits of a node and below; return the estimated errors and the end of the places in use.

    On trial a copy of the rows is sent and the nodes do not change; otherwise they learn their new rows. If there are
    too few places, the end is the negative of how many are needed.
    """
    if is_trial:
        end = top + stop - start
        if end > rows.size:
            return np.inf, -end
        for i in range(start, stop):
            rows[top + i - start] = rows[i]
            weights[top + i - start] = weights[i]
        start, stop, top = top, end, end
    nodes[node, LATER], nodes[node, BEGIN], nodes[node, END] = NONE, start, stop
    head = node
    errors = 0.0
    while head != NONE:
        node = head
        head = nodes[node, LATER]
        start, stop, n_children = nodes[node, BEGIN], nodes[node, END], nodes[node, N_CHILDREN]
        place = node
        if is_trial:
            place = by_class.shape[0] - 1
        else:
            nodes[node, START], nodes[node, STOP] = start, stop
        if n_children == 0 or not is_trial:
            sum_by_class(rows, weights, start, stop, classes, by_class, place)
        if n_children == 0:
            errors += estimate(by_class, place, settings)
            continue
        attribute, cut = nodes[node, ATTRIBUTE], nodes[node, CUT]
        top = send_rows(
            cells, attribute, cut, rows, weights, start, stop, top, settings.unit, n_children, shares, starts
        )
        if top < 0:
            break
        for j in range(n_children):
            if starts[j + 1] > starts[j] or not is_trial:
                child = nodes[node, FIRST] + j
                nodes[child, LATER], nodes[child, BEGIN], nodes[child, END] = head, starts[j], starts[j + 1]
                head = child
    return errors, top


@plain_kernel
def put_in_levels(nodes):
    """Write the nodes that are left, level by level, and where the children of each are then; return their number.

    They are written into the fields BEGIN and END, in their new order.
    """
    nodes[0, BEGIN] = 0
    n_left = 1
    at = 0
    while at < n_left:
        node = nodes[at, BEGIN]
        nodes[at, END] = n_left if nodes[node, N_CHILDREN] > 0 else 0
        for child in range(nodes[node, FIRST], nodes[node, FIRST] + nodes[node, N_CHILDREN]):
            nodes[n_left, BEGIN] = child
            n_left += 1
        at += 1
    return n_left


def take_left(nodes, by_class, n_left):
    """Return the nodes that are left, level by level: attribute, cut, first child, children, weights by class."""
    old, first = nodes[:n_left, BEGIN], nodes[:n_left, END].copy()
    attributes = nodes[old, ATTRIBUTE]
    cuts = np.where(attributes != LEAF, nodes[old, CUT], -1)
    return attributes, cuts, first, nodes[old, N_CHILDREN], by_class[old]
