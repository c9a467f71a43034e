"""Grow C4.5's tree.

A tree is an array of nodes; a node's children stand together and after it. ``nodes[node]``
holds its attribute or LEAF, the last rank of the lower branch or NOMINAL, the first child, the
number of children, and where its rows begin and end.
"""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cutwise.errors import TableError
from cutwise.kernels.compile import plain_kernel
from cutwise.kernels.stopping import check_stop
from cutwise.kernels.trees.prune import CHILDREN, PruneSettings, shrink, take_left
from cutwise.kernels.trees.splits import (
    AT,
    ATTRIBUTE,
    CUT,
    FIRST,
    HEAD,
    LEAF,
    LIMIT,
    N_CHILDREN,
    N_FIELDS,
    N_NODES,
    NEXT,
    NODES_NEEDED,
    NOMINAL,
    NONE,
    PLACES_NEEDED,
    SMALL,
    START,
    STOP,
    TOP,
    WIDTH_NEEDED,
    fill_terms,
    pick_attribute,
    place_cut,
    score_counts,
    score_nominal,
    score_numeric,
    send_order,
    send_rows,
    sum_by_class,
    weigh_leaf,
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
    """Working space: by attribute, by code, by class, by row of a node, by branch."""

    gains: NDArray[np.float64]
    ratios: NDArray[np.float64]
    is_seen: NDArray[np.bool_]
    seen: NDArray[np.int64]
    of_class: NDArray[np.float64]
    labels: NDArray[np.int32]
    shares: NDArray[np.float64]
    starts: NDArray[np.int64]


class NumericSpace(NamedTuple):
    """What numeric attributes need: see `learn_tree`; the cut of each attribute, sums by class, space by row."""

    values: NDArray[np.float64]
    orders: NDArray[np.int32]
    cuts: NDArray[np.int64]
    by_class: NDArray[np.float64]
    weight_of: NDArray[np.float64]
    buffer: NDArray[np.int32]


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
    nodes, by_class, state, rows, row_weights, space = grow_tree(
        cells, classes, weights, n_classes, sizes, values, orders, settings, unit
    )
    confidence, quantile, is_raised = pruning or (0.0, 0.0, False)
    of_prune = PruneSettings(float(confidence), float(quantile), bool(is_raised), unit)
    nodes[0, AT] = CHILDREN
    state[HEAD] = NONE if pruning is None else 0
    estimates = np.empty(len(nodes))
    n_left = 0
    while n_left == 0:
        n_left = shrink(
            *(nodes, by_class, state, rows, row_weights, space.shares, space.starts, cells, classes, of_prune),
            *(estimates, is_collapsed),
        )
        rows, row_weights = (longer(array, state[PLACES_NEEDED]) for array in (rows, row_weights))
        is_collapsed = False
    return take_left(nodes, by_class, n_left)


def grow_tree(cells, classes, weights, n_classes, sizes, values, orders, settings, unit):
    """Return the nodes, their weights by class and a row of space, the state, the rows with their weights, and space.

    The nodes point to the rows.
    """
    n_rows = classes.size
    max_nodes = MAX_BY_CLASS // n_classes
    is_narrow = sizes < 0.3 * weights.sum() - SMALL
    in_average = is_narrow if is_narrow.any() else ~is_narrow
    space = make_space(sizes, n_classes, n_rows)
    numeric = make_numeric_space(values, orders, sizes, n_classes, n_rows)
    by_row = make_by_row(cells, sizes, n_classes)
    nodes = np.zeros((max(min(FIRST_NODES, max_nodes), 1), N_FIELDS), dtype=np.int64)
    nodes[0, STOP] = nodes[0, LIMIT] = n_rows
    nodes[0, NEXT] = NONE
    by_class = np.empty((len(nodes) + 1, n_classes))
    state = np.array([1, 0, n_rows, 0, 0, 0])
    rows, weights = longer(np.arange(n_rows, dtype=np.int32), 2 * n_rows), longer(weights, 2 * n_rows)
    while not grow(
        cells, by_row, classes, sizes, in_average, settings, unit, space, numeric, nodes, by_class, state, rows, weights
    ):
        needed = int(state[NODES_NEEDED])
        check_by_class(f"more than {max_nodes:,} nodes", needed, n_classes)
        nodes = longer(nodes, needed, max_nodes)
        by_class = longer(by_class, len(nodes) + 1, len(nodes) + 1)
        rows, weights = (longer(array, state[PLACES_NEEDED]) for array in (rows, weights))
        if numeric is not None:
            orders = np.ascontiguousarray(longer(numeric.orders.T, state[WIDTH_NEEDED]).T)
            numeric = numeric._replace(orders=orders, buffer=np.empty(orders.shape[1], dtype=np.int32))
    return nodes, by_class, state, rows, weights, space


def longer(array, size, limit=None):
    """Return an array that is at least so long, twice as long as before unless there is a limit."""
    if size <= len(array):
        return array
    out = np.empty((min(max(size, 2 * len(array)), limit or sys.maxsize), *array.shape[1:]), dtype=array.dtype)
    out[: len(array)] = array
    return out


def check_by_class(what, number, n_classes):
    """Refuse a table by class that would take too much memory."""
    if number * n_classes > MAX_BY_CLASS:
        message = (
            "C4.5 counts the rows of each class in all nodes of the tree and in all categories of a column, "
            f"and {what} with {n_classes:,} classes are too many. Join classes, or ask for fewer nodes with a "
            "larger 'min_leaf'."
        )
        raise TableError(message)


@plain_kernel
def grow(
    cells, by_row, classes, sizes, in_average, settings, unit, space, numeric, nodes, by_class, state, rows, weights
):
    """Split nodes until none is left to be looked at; return whether that is so.

    If not, there is too little room: the state tells how much is needed.
    """
    shares, starts, labels = space.shares, space.starts, space.labels
    n_nodes, head, top = state[N_NODES], state[HEAD], state[TOP]
    while head != NONE:
        check_stop()
        node = head
        start, stop, at, limit = nodes[node, START], nodes[node, STOP], nodes[node, AT], nodes[node, LIMIT]
        nodes[node, ATTRIBUTE] = LEAF
        nodes[node, N_CHILDREN] = 0
        sum_by_class(rows, weights, start, stop, classes, by_class, node)
        total, errors = weigh_leaf(by_class, node)
        attribute = LEAF
        if total >= 2.0 * settings.min_leaf - SMALL and errors > SMALL:
            for i in range(start, stop):
                labels[i - start] = classes[rows[i]]
            own = rows[start:stop], weights[start:stop], total
            score_attributes(cells, by_row, classes, sizes, own, at, settings, space, numeric)
            attribute = pick_attribute(space.gains, space.ratios, in_average)
        if attribute < 0:
            head = nodes[node, NEXT]
            continue
        cut = NOMINAL if numeric is None else numeric.cuts[attribute]
        n_children = max(sizes[attribute], 2)
        end = send_rows(cells, attribute, cut, rows, weights, start, stop, top, unit, n_children, shares, starts)
        to = at if starts[0] == start else limit
        limit = max(limit, to + starts[n_children] - starts[0])
        is_enough = end >= 0 and n_nodes + n_children <= nodes.shape[0]
        if numeric is not None:
            is_enough = is_enough and limit <= numeric.orders.shape[1]
        if not is_enough:
            # Rows that were sent within the node's own place do no harm there.
            state[N_NODES], state[HEAD], state[TOP] = n_nodes, head, top
            state[NODES_NEEDED], state[PLACES_NEEDED], state[WIDTH_NEEDED] = n_nodes + n_children, -end, limit
            return False
        top = end
        if numeric is not None:
            send_orders(cells, attribute, cut, at, stop - start, to, n_children, shares, starts, numeric)
        nodes[node, ATTRIBUTE], nodes[node, CUT] = attribute, cut
        nodes[node, FIRST], nodes[node, N_CHILDREN] = n_nodes, n_children
        head = nodes[node, NEXT]
        for branch in range(n_children):
            nodes[n_nodes, START], nodes[n_nodes, STOP] = starts[branch], starts[branch + 1]
            nodes[n_nodes, AT], nodes[n_nodes, LIMIT] = to + starts[branch] - starts[0], limit
            nodes[n_nodes, NEXT] = head
            head = n_nodes
            n_nodes += 1
    state[N_NODES], state[TOP] = n_nodes, top
    return True


def make_space(sizes, n_classes, n_rows):
    """Return working space."""
    most = int(sizes.max(initial=2))
    return NodeSpace(
        np.empty(sizes.size),
        np.empty(sizes.size),
        np.zeros(most, dtype=np.bool_),
        np.empty(most, dtype=np.int64),
        np.empty(n_classes),
        np.empty(n_rows, dtype=np.int32),
        np.empty(most),
        np.empty(most + 1, dtype=np.int64),
    )


def make_numeric_space(values, orders, sizes, n_classes, n_rows):
    """Return the values and the orders with working space; None without."""
    if orders is None:
        return None
    by_class = np.empty((4, n_classes))
    buffer = np.empty(orders.shape[1], dtype=np.int32)
    return NumericSpace(values, orders, np.full(sizes.size, NOMINAL), by_class, np.empty(n_rows), buffer)


@plain_kernel
def score_attributes(cells, by_row, classes, sizes, own, at, settings, space, numeric):
    """Write the gain, the gain ratio and the cut of each attribute's best split of a node.

    own are the node's rows, their weights and the sum of these.
    """
    rows, weights, total = own
    min_leaf, terms, grid = settings.min_leaf, settings.terms, settings.grid
    gains, ratios, is_seen, seen, of_class, labels, _, _ = space
    if pays(by_row, rows.size):
        score_by_row(by_row, rows, labels, weights, total, min_leaf, terms, grid, of_class, gains, ratios)
        return
    if numeric is not None:
        for i in range(rows.size):
            numeric.weight_of[rows[i]] = weights[i]
    for attribute in range(sizes.size):
        if numeric is None or sizes[attribute] > 0:
            gains[attribute], ratios[attribute] = score_nominal(
                *(cells[attribute], rows, labels, weights, sizes[attribute], total, min_leaf, terms, grid),
                *(by_row[2], is_seen, seen, of_class),
            )
        else:
            gains[attribute], ratios[attribute] = score_order(
                cells[attribute], attribute, -sizes[attribute], at, rows.size, classes, total, settings, numeric
            )


@plain_kernel
def score_order(cells, attribute, column, at, size, classes, total, settings, numeric):
    """Return the gain and the gain ratio of a numeric attribute's best split, and write its cut."""
    values = numeric.values[column]
    gain, ratio, below, above = score_numeric(
        *(cells, numeric.orders[column, at : at + size], values, classes, numeric.weight_of, total),
        *(settings.min_leaf, settings.min_gap, settings.use_mdl, settings.terms, settings.grid, numeric.by_class),
    )
    if gain >= 0.0:
        numeric.cuts[attribute] = place_cut(values, below, above)
    return gain, ratio


@plain_kernel
def send_orders(cells, attribute, cut, at, size, to, n_branches, shares, starts, numeric):
    """Bring the rows of a node in every order to the places of its branches."""
    for column in range(numeric.orders.shape[0]):
        send_order(
            *(cells, attribute, cut, numeric.orders, column, at, size, to, n_branches, shares, starts),
            numeric.buffer,
        )


# A table of counts with more entries than this does not stay near the processor.
MAX_COUNTS = 1 << 14
# A node whose rows have fewer values than this share of the counts is counted column by column.
MIN_FILL = 0.25


def make_by_row(cells, sizes, n_classes):
    """Return the cells [row, attribute], where the counts of each attribute begin, counts, and the codes.

    There are no cells if counting row by row would not pay; the counts are then for one attribute.
    """
    starts = np.concatenate([[0], np.cumsum(np.maximum(sizes, 0), dtype=np.int64)])
    n_codes = int(starts[-1])
    is_small = n_codes * n_classes <= MAX_COUNTS
    if not is_small or not (sizes > 0).all():
        cells, n_codes = cells[:0, :0], int(sizes.max(initial=1))
    return cells.T.astype(np.int16, order="C"), starts, np.zeros((n_codes, n_classes)), np.arange(n_codes)


@plain_kernel
def pays(by_row, n_rows):
    """Return whether a node with so many rows is counted row by row."""
    table, _, counts, _ = by_row
    return table.shape[0] > 0 and n_rows * table.shape[1] >= MIN_FILL * counts.size


@plain_kernel
def score_by_row(by_row, rows, labels, weights, total, min_leaf, terms, grid, of_class, gains, ratios):
    """Write the gain and the gain ratio of a split by each attribute; a gain of -1 for none.

    by_row is what `make_by_row` returns; the counts in it must be zero and are left so. of_class is working space.
    """
    table, starts, counts, every = by_row
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
