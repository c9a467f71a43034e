"""Grow C4.5's tree.

A tree is an array of nodes; a node's children stand together and after it. ``nodes[node]``
holds its attribute or LEAF, the last rank of the lower branch or NOMINAL, the first child, the
number of children, and where its rows begin and end.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cutwise.errors import TableError
from cutwise.kernels.compile import kernel
from cutwise.kernels.stopping import check_stop
from cutwise.kernels.trees.prune import PruneSettings, make_prune_space, shrink, take_left
from cutwise.kernels.trees.splits import (
    ATTRIBUTE,
    CUT,
    FIRST,
    LEAF,
    N_CHILDREN,
    N_NODES,
    N_STACK,
    NODES_NEEDED,
    NOMINAL,
    PLACES_NEEDED,
    SMALL,
    START,
    STOP,
    TOP,
    WIDTH_NEEDED,
    fill_terms,
    make_places,
    make_tree,
    pick_attribute,
    place_cut,
    score_counts,
    score_nominal,
    score_numeric,
    send_order,
    send_rows,
    sum_by_class,
    weigh_leaf,
    with_more_nodes,
    with_more_places,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

# A tree has room for so many nodes at first.
FIRST_NODES = 64
# The table of terms has at most so many entries.
MAX_TERMS = 1 << 20
# A table by class, of nodes or of codes, has at most so many entries.
MAX_BY_CLASS = 1 << 27


class GrowSettings(NamedTuple):
    """What decides the splits, and the table of terms w log2 w with its grid."""

    min_leaf: float
    min_gap: float
    use_mdl: bool
    terms: NDArray[np.float64]
    grid: float


class NodeSpace(NamedTuple):
    """Working space: by attribute, by code, by class, by row."""

    gains: NDArray[np.float64]
    ratios: NDArray[np.float64]
    cuts: NDArray[np.int64]
    counts: NDArray[np.float64]
    is_seen: NDArray[np.bool_]
    seen: NDArray[np.int64]
    left: NDArray[np.float64]
    right: NDArray[np.float64]
    weight_of: NDArray[np.float64]
    labels: NDArray[np.int32]


def learn_tree(
    cells, classes, weights, n_classes, sizes, values, orders, *, min_leaf, min_gap, use_mdl, is_collapsed, pruning
):
    """Return the tree: attribute, cut, first child and number of children of each node, and the weights by class.

    Parameters
    ----------
    cells : ndarray of int32 [attribute, row]
        Ranks or codes, -1 where a value is missing.
    classes : ndarray of int32 [row]
    weights : ndarray of float64 [row]
        Positive, multiples of a power of two whose sum is below 2**46 of it.
    sizes : ndarray of int64 [attribute]
        The number of codes of a nominal attribute. Numeric ones have 0, -1, -2, …: their places
        in `values` and `orders`.
    values : ndarray of float64 [numeric attribute, rank] or None
        The different values. None stands for no numeric attribute: what they need is not compiled.
    orders : ndarray of int32 [numeric attribute, row] or None
        The rows by rising value, those without one last. They are changed.
    pruning : tuple of (float, float, bool) or None
        The confidence, its quantile of the normal distribution, and whether to raise subtrees.
    """
    most = int(sizes.max(initial=1))
    check_by_class(f"{most:,} categories of a column", most, n_classes)
    total = float(weights.sum())
    exponent = math.frexp(total)[1]
    grid = math.ldexp(1.0, 50 - exponent - max(exponent, 1).bit_length())
    unit = math.ldexp(1.0, exponent - 50)
    terms = np.empty(min(int(total) + 2, MAX_TERMS))
    fill_terms(terms, grid)
    settings = GrowSettings(float(min_leaf), float(min_gap), bool(use_mdl), terms, grid)
    tree, places = grow_tree(cells, classes, weights, n_classes, sizes, values, orders, settings, unit)
    confidence, quantile, is_raised = pruning or (0.0, 0.0, False)
    prune_settings = PruneSettings(float(confidence), float(quantile), bool(is_raised), unit)
    tree.stack[0, :2] = 0
    tree.state[N_STACK] = 0 if pruning is None else 1
    space = make_prune_space(len(tree.nodes))
    n_left = shrink(tree, space, places, cells, classes, prune_settings, is_collapsed)
    while n_left == 0:
        places = with_more_places(places, tree.state[PLACES_NEEDED])
        n_left = shrink(tree, space, places, cells, classes, prune_settings, False)
    return take_left(tree, n_left)


def grow_tree(cells, classes, weights, n_classes, sizes, values, orders, settings, unit):
    """Return the whole tree, and the places of its rows."""
    max_nodes = MAX_BY_CLASS // n_classes
    is_narrow = sizes < 0.3 * weights.sum() - SMALL
    in_average = is_narrow if is_narrow.any() else ~is_narrow
    space = make_space(sizes, n_classes, classes.size)
    by_row = make_by_row(cells, sizes, n_classes)
    tree = make_tree(max(min(FIRST_NODES, max_nodes), 1), n_classes, classes.size)
    places = make_places(weights, int(sizes.max(initial=2)))
    while not grow(cells, by_row, classes, sizes, values, orders, in_average, settings, unit, space, tree, places):
        check_by_class(f"more than {max_nodes:,} nodes", int(tree.state[NODES_NEEDED]), n_classes)
        tree = with_more_nodes(tree, max_nodes)
        places = with_more_places(places, tree.state[PLACES_NEEDED])
        if orders is not None and tree.state[WIDTH_NEEDED] > orders.shape[1]:
            added = max(tree.state[WIDTH_NEEDED] - orders.shape[1], orders.shape[1])
            orders = np.append(orders, np.empty((len(orders), added), orders.dtype), axis=1)
    return tree, places


def check_by_class(what, number, n_classes):
    """Refuse a table by class that would take too much memory."""
    if number * n_classes > MAX_BY_CLASS:
        message = (
            "C4.5 counts the rows of each class in all nodes of the tree and in all categories of a column, "
            f"and {what} with {n_classes:,} classes are too many. Join classes, or ask for fewer nodes with a "
            "larger 'min_leaf'."
        )
        raise TableError(message)


@kernel
def grow(cells, by_row, classes, sizes, values, orders, in_average, settings, unit, space, tree, places):
    """Split nodes until none is left to be looked at; return whether that is so.

    If not, there is too little room: the state of the tree tells how much is needed.
    """
    nodes, by_class, stack, state = tree
    rows, weights, starts = places.rows, places.weights, places.starts
    cuts, weight_of, labels = space.cuts, space.weight_of, space.labels
    n_nodes, n_stack, top = state[N_NODES], state[N_STACK], state[TOP]
    while n_stack > 0:
        check_stop()
        n_stack -= 1
        # A node, where its rows are in the orders, and where the place in use there ends.
        node, at, limit = stack[n_stack, 0], stack[n_stack, 1], stack[n_stack, 2]
        start, stop = nodes[node, START], nodes[node, STOP]
        nodes[node, ATTRIBUTE] = LEAF
        nodes[node, N_CHILDREN] = 0
        sum_by_class(places, start, stop, classes, by_class, node)
        total, errors = weigh_leaf(by_class, node)
        if total < 2.0 * settings.min_leaf - SMALL or errors <= SMALL:
            continue
        for i in range(start, stop):
            weight_of[rows[i]] = weights[i]
            labels[i - start] = classes[rows[i]]
        own = rows[start:stop], weights[start:stop], total
        score_attributes(cells, by_row, classes, sizes, values, own, orders, at, settings, space)
        attribute = pick_attribute(space.gains, space.ratios, in_average)
        if attribute < 0:
            continue
        n_children = max(sizes[attribute], 2)
        end = send_rows(cells, attribute, cuts[attribute], start, stop, top, unit, n_children, places)
        to = at if starts[0] == start else limit
        limit = max(limit, to + starts[n_children] - starts[0])
        is_enough = end >= 0 and n_nodes + n_children <= nodes.shape[0]
        if orders is not None:
            is_enough = is_enough and limit <= orders.shape[1]
        if not is_enough:
            # Rows that were sent within the node's own place do no harm there.
            state[N_NODES], state[N_STACK], state[TOP] = n_nodes, n_stack + 1, top
            state[PLACES_NEEDED], state[NODES_NEEDED], state[WIDTH_NEEDED] = -end, n_nodes + n_children, limit
            return False
        top = end
        if orders is not None:
            for column in range(orders.shape[0]):
                send_order(cells, attribute, cuts[attribute], orders, column, at, stop - start, to, n_children, places)
        nodes[node, ATTRIBUTE] = attribute
        nodes[node, CUT] = cuts[attribute]
        nodes[node, FIRST] = n_nodes
        nodes[node, N_CHILDREN] = n_children
        for branch in range(n_children):
            nodes[n_nodes, START] = starts[branch]
            nodes[n_nodes, STOP] = starts[branch + 1]
            stack[n_stack, 0] = n_nodes
            stack[n_stack, 1] = to + starts[branch] - starts[0]
            stack[n_stack, 2] = limit
            n_nodes += 1
            n_stack += 1
    state[N_NODES], state[N_STACK], state[TOP] = n_nodes, 0, top
    return True


def make_space(sizes, n_classes, n_rows):
    """Return working space."""
    most = int(sizes.max(initial=2))
    return NodeSpace(
        np.empty(sizes.size),
        np.empty(sizes.size),
        np.empty(sizes.size, dtype=np.int64),
        np.zeros((most, n_classes)),
        np.zeros(most, dtype=np.bool_),
        np.empty(most, dtype=np.int64),
        np.empty(n_classes),
        np.empty(n_classes),
        np.empty(n_rows),
        np.empty(n_rows, dtype=np.int32),
    )


@kernel
def score_attributes(cells, by_row, classes, sizes, values, own, orders, at, settings, space):
    """Write the gain, the gain ratio and the cut of each attribute's best split of a node.

    own are the node's rows, their weights and the sum of these.
    """
    rows, weights, total = own
    min_leaf, min_gap, use_mdl, terms, grid = settings
    gains, ratios, cuts, counts, is_seen, seen, left, right, weight_of, labels = space
    if pays(by_row, rows.size):
        score_by_row(by_row, rows, labels, weights, total, settings, gains, ratios, cuts)
        return
    for attribute in range(sizes.size):
        if orders is None or sizes[attribute] > 0:
            gain, ratio = score_nominal(
                *(cells[attribute], rows, labels, weights, sizes[attribute], total, min_leaf, terms, grid),
                *(counts, is_seen, seen, left),
            )
            cuts[attribute] = NOMINAL
        else:
            numeric = -sizes[attribute]
            order = orders[numeric, at : at + rows.size]
            gain, ratio, below, above = score_numeric(
                *(cells[attribute], order, values[numeric], classes, weight_of, total),
                *(min_leaf, min_gap, use_mdl, terms, grid, left, right),
            )
            if gain >= 0.0:
                cuts[attribute] = place_cut(values[numeric], below, above)
        gains[attribute] = gain
        ratios[attribute] = ratio


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
