"""How good the splits of a node of C4.5's tree are, and where its rows go.

A row of a node has a weight, which may be a fraction: a row whose value is missing goes to
every branch with a share. Cells are what a column holds: ``cells[row]`` is the rank of a
number among the column's different values or the code of a category, -1 where it is missing.

All scores are sums of terms w log2 w. A term is rounded to a grid so that such a sum is exact:
neither the order of rows nor that of classes can change it.

The rows of a node are ``rows[start:stop]`` with their ``weights``. If no value is missing, the
branches share the node's place. Otherwise they get a new place at ``top``, because a row whose
value is missing goes to all branches, with a weight in proportion to theirs.

Kernels make no arrays. One that finds too few nodes or places returns, and called again with more it goes on with the
node that it was at.
"""

from __future__ import annotations

import numpy as np

from cutwise.kernels.compile import plain_kernel
from cutwise.kernels.elementary import log2, log2_of
from cutwise.kernels.inputs import TIE_RELATIVE

# What differs by less is equal.
SMALL = 1e-6
# An attribute's gain may be so much below the average.
SLACK_OF_AVERAGE = 1e-3
# No branch of a numeric split must be larger than this because of the number of classes.
LARGEST_MIN_SIDE = 25.0


@plain_kernel
def weigh(weight, terms, grid):
    """Return w log2 w, a multiple of 1 / grid; terms[w] holds it for small whole numbers, at least for 0."""
    whole = np.int64(weight)
    if whole < terms.size and whole == weight:
        return terms[np.uint64(whole)]
    return np.rint(weight * log2(weight) * grid) / grid


def fill_terms(terms, grid):
    """Write w log2 w for the whole numbers w from 0 on."""
    terms[0] = 0.0
    whole = np.arange(1.0, terms.size)
    terms[1:] = np.rint(whole * log2_of(whole) * grid) / grid


@plain_kernel
def count_codes(cells, rows, labels, weights, n_codes, counts, is_seen, seen):
    """Add the weights of a node's rows to counts [code, class]; write the codes that may have rows, return how many."""
    n_seen = 0
    if rows.size >= n_codes:
        for i in range(rows.size):
            cell = cells[np.uint64(rows[i])]
            if cell >= 0:
                counts[np.uint64(cell), np.uint64(labels[i])] += weights[i]
        for code in range(n_codes):
            seen[code] = code
        return n_codes
    for i in range(rows.size):
        cell = cells[np.uint64(rows[i])]
        if cell < 0:
            continue
        counts[np.uint64(cell), np.uint64(labels[i])] += weights[i]
        if not is_seen[np.uint64(cell)]:
            is_seen[np.uint64(cell)] = True
            seen[n_seen] = cell
            n_seen += 1
    for j in range(n_seen):
        is_seen[seen[j]] = False
    return n_seen


@plain_kernel
def score_nominal(cells, rows, labels, weights, n_codes, total, min_leaf, terms, grid, counts, is_seen, seen, of_class):
    """Return the gain and the gain ratio of a split into one branch for each code; a gain of -1 for none.

    rows are the node's, with their classes and weights. counts [code, class] and is_seen must be
    zero; they are left so. seen and of_class are working space.
    """
    n_seen = count_codes(cells, rows, labels, weights, n_codes, counts, is_seen, seen)
    return score_counts(counts, seen, n_seen, total, min_leaf, terms, grid, of_class)


@plain_kernel
def score_counts(counts, seen, n_seen, total, min_leaf, terms, grid, of_class):
    """Return the gain and the gain ratio of a split by counts [code, class]; a gain of -1 for none.

    seen[:n_seen] are the codes that may have rows. The counts are set to zero.
    """
    for label in range(of_class.size):
        of_class[label] = 0.0
    n_large = 0
    inside = 0.0
    between = 0.0
    known = 0.0
    for j in range(n_seen):
        cell = seen[j]
        size = 0.0
        for label in range(of_class.size):
            weight = counts[cell, label]
            if weight > 0.0:
                size += weight
                of_class[label] += weight
                inside += weigh(weight, terms, grid)
                counts[cell, label] = 0.0
        n_large += size >= min_leaf - SMALL
        known += size
        between += weigh(size, terms, grid)
    if n_large < 2:
        return -1.0, 0.0
    whole = weigh(known, terms, grid)
    for label in range(of_class.size):
        whole -= weigh(of_class[label], terms, grid)
    saved = whole - between + inside
    gain = saved / total if saved > SMALL else 0.0
    return gain, ratio_of(gain, between, known, total, terms, grid)


@plain_kernel
def ratio_of(gain, between, known, total, terms, grid):
    """Divide a gain by the information of the split, in which the missing values are one more branch."""
    spread = weigh(total, terms, grid) - between - weigh(total - known, terms, grid)
    if spread <= SMALL:
        return 0.0
    return gain / (spread / total)


@plain_kernel
def score_numeric(cells, order, values, classes, weight_of, total, min_leaf, min_gap, use_mdl, terms, grid, space):
    """Return the gain and the gain ratio of the best split into two, and the ranks around it; a gain of -1 for none.

    order are the node's rows by rising value, those without a value last; values are the
    column's different values. space [4, class] is working space.
    """
    left, right, left_terms, right_terms = space[0], space[1], space[2], space[3]
    for label in range(left.size):
        left[label] = 0.0
        right[label] = 0.0
    known = 0.0
    last = 0
    while last < order.size and cells[order[last]] >= 0:
        row = order[last]
        right[classes[row]] += weight_of[row]
        known += weight_of[row]
        last += 1
    min_side = max(min(0.1 * known / left.size, LARGEST_MIN_SIDE), min_leaf) - SMALL
    if known < 2.0 * min_side:
        return -1.0, 0.0, 0, 0
    right_sum = 0.0
    for label in range(left.size):
        left_terms[label] = 0.0
        right_terms[label] = weigh(right[label], terms, grid)
        right_sum += right_terms[label]
    whole = weigh(known, terms, grid) - right_sum
    left_sum = 0.0
    weight = 0.0
    n_cuts = 0
    best = 0.0
    best_at = -1
    best_sizes = 0.0
    for i in range(last - 1):
        row = order[i]
        label = classes[row]
        left_sum -= left_terms[label]
        right_sum -= right_terms[label]
        left[label] += weight_of[row]
        right[label] -= weight_of[row]
        left_terms[label] = weigh(left[label], terms, grid)
        right_terms[label] = weigh(right[label], terms, grid)
        left_sum += left_terms[label]
        right_sum += right_terms[label]
        weight += weight_of[row]
        below = cells[row]
        above = cells[order[i + 1]]
        if below == above or weight < min_side or not values[below] + min_gap < values[above]:
            continue
        if known - weight < min_side:
            break
        n_cuts += 1
        between = weigh(weight, terms, grid) + weigh(known - weight, terms, grid)
        gain = (whole - between + left_sum + right_sum) / total
        if gain > best + SMALL:
            best = gain
            best_at = i
            best_sizes = between
    if use_mdl and n_cuts > 0:
        best -= log2(n_cuts) / total
    if best_at < 0 or best <= SMALL:
        return -1.0, 0.0, 0, 0
    ratio = ratio_of(best, best_sizes, known, total, terms, grid)
    return best, ratio, cells[order[best_at]], cells[order[best_at + 1]]


@plain_kernel
def place_cut(values, below, above):
    """Return the rank of the largest value of the whole column that is not above the middle of two values."""
    middle = 0.5 * values[below] + 0.5 * values[above]
    low = below
    high = above
    while high - low > 1:
        rank = (low + high) // 2
        if values[rank] <= middle:
            low = rank
        else:
            high = rank
    return low


@plain_kernel
def pick_attribute(gains, ratios, in_average):
    """Return the attribute with the highest gain ratio among those with about the average gain; -1 for none.

    Attributes without a valid split have a negative gain. Of equals the first is taken.
    """
    total = 0.0
    n_valid = 0
    for attribute in range(gains.size):
        if gains[attribute] >= 0.0 and in_average[attribute]:
            total += gains[attribute]
            n_valid += 1
    picked = -1
    if n_valid == 0:
        return picked
    least = total / n_valid - SLACK_OF_AVERAGE
    best = 0.0
    for attribute in range(gains.size):
        if gains[attribute] >= max(least - TIE_RELATIVE, 0.0) and ratios[attribute] > best + SMALL:
            picked = attribute
            best = ratios[attribute]
    return picked


# A branch with a smaller share of the known rows gets none of the others.
MIN_SHARE = 1e-6
# What a node holds: see `c45.py`. The last fields are working space: chains of nodes to be looked at, where a node's
# rows are in the orders and where the place in use there ends, and the places of rows that are sent on trial.
ATTRIBUTE, CUT, FIRST, N_CHILDREN, START, STOP = 0, 1, 2, 3, 4, 5
NEXT, AT, LIMIT, LATER, BEGIN, END = 6, 7, 8, 9, 10, 11
N_FIELDS = 12
LEAF = -1
NOMINAL = -1
# The end of a chain.
NONE = -1
# How far a tree is: its nodes, the first one to be looked at, the end of the places in use, and how many nodes and
# places are needed to go on, the latter in the orders too.
N_NODES, HEAD, TOP, NODES_NEEDED, PLACES_NEEDED, WIDTH_NEEDED = 0, 1, 2, 3, 4, 5


@plain_kernel
def branch_of(cell, cut):
    """Return the branch of a value, -1 if it is missing; cut is the last rank of the lower branch, or NOMINAL."""
    if cut == NOMINAL or cell < 0:
        return cell
    return 0 if cell <= cut else 1


@plain_kernel
def sum_by_class(rows, weights, start, stop, classes, by_class, node):
    """Write the weight of each class of a node whose rows are at start to stop."""
    for label in range(by_class.shape[1]):
        by_class[node, label] = 0.0
    for i in range(start, stop):
        by_class[node, classes[rows[i]]] += weights[i]


@plain_kernel
def weigh_leaf(by_class, node):
    """Return the weight of a node and that of its errors, were it a leaf."""
    total = 0.0
    largest = 0.0
    for label in range(by_class.shape[1]):
        total += by_class[node, label]
        largest = max(largest, by_class[node, label])
    return total, total - largest


@plain_kernel
def find_shares(cells, attribute, cut, rows, weights, start, stop, n_branches, shares, starts):
    """Write each branch's share of the rows with missing values, and how many rows it gets.

    starts[b + 1] is the number of rows of branch b. Returns the number of missing values; if
    there is none, no shares are needed and they are zero.
    """
    for branch in range(n_branches):
        shares[branch] = 0.0
        starts[branch + 1] = 0
    n_missing = 0
    known = 0.0
    for i in range(start, stop):
        branch = branch_of(cells[attribute, rows[i]], cut)
        if branch < 0:
            n_missing += 1
        else:
            shares[branch] += weights[i]
            known += weights[i]
            starts[branch + 1] += 1
    for branch in range(n_branches):
        if n_missing == 0:
            shares[branch] = 0.0
        elif known > 0.0:
            shares[branch] /= known
        else:
            shares[branch] = 1.0 / n_branches
        if shares[branch] > MIN_SHARE:
            starts[branch + 1] += n_missing
        else:
            shares[branch] = 0.0
    return n_missing


@plain_kernel
def send_rows(cells, attribute, cut, rows, weights, start, stop, top, unit, n_branches, shares, starts):
    """Put the rows of each branch together; branch b gets the places starts[b] to starts[b + 1].

    Returns the end of the places in use; if there are too few, nothing is sent, and the negative of how many are
    needed is returned. Weights are whole multiples of the unit.
    """
    n_missing = find_shares(cells, attribute, cut, rows, weights, start, stop, n_branches, shares, starts)
    starts[0] = at = start if n_missing == 0 else top
    # While rows are sent, starts[b + 1] is where the next one of branch b goes.
    for branch in range(n_branches):
        size = starts[branch + 1]
        starts[branch + 1] = at
        at += size
    end = at if n_missing > 0 else top + stop - start
    if end > rows.size:
        return -end
    if n_missing == 0:
        # The branches take the place of the node, of which a copy is sent.
        for i in range(start, stop):
            rows[top + i - start] = rows[i]
            weights[top + i - start] = weights[i]
        start, stop, end = top, end, top
    for i in range(start, stop):
        branch = branch_of(cells[attribute, rows[i]], cut)
        if branch >= 0:
            rows[starts[branch + 1]] = rows[i]
            weights[starts[branch + 1]] = weights[i]
            starts[branch + 1] += 1
            continue
        for other in range(n_branches):
            if shares[other] > 0.0:
                rows[starts[other + 1]] = rows[i]
                weights[starts[other + 1]] = max(np.rint(weights[i] * shares[other] / unit), 1.0) * unit
                starts[other + 1] += 1
    return end


@plain_kernel
def send_order(cells, attribute, cut, orders, column, at, size, to, n_branches, shares, starts, buffer):
    """Bring a node's rows in the order of a column into the places of the branches, order kept.

    The node's rows are at orders[column, at : at + size]; the branches begin at `to`.
    """
    first = starts[0]
    for branch in range(n_branches, 0, -1):
        starts[branch] = starts[branch - 1]
    for i in range(size):
        row = orders[column, at + i]
        branch = branch_of(cells[attribute, row], cut)
        if branch >= 0:
            buffer[starts[branch + 1] - first] = row
            starts[branch + 1] += 1
            continue
        for other in range(n_branches):
            if shares[other] > 0.0:
                buffer[starts[other + 1] - first] = row
                starts[other + 1] += 1
    for i in range(starts[n_branches] - first):
        orders[column, to + i] = buffer[i]
