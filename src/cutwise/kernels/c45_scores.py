"""How good C4.5's splits are.

A row of a node has a weight, which may be a fraction: a row whose value is missing goes to
every branch with a share. Cells are what a column holds: ``cells[row]`` is the rank of a
number among the column's different values or the code of a category, -1 where it is missing.

All scores are sums of terms w log2 w. A term is rounded to a grid so that such a sum is exact:
neither the order of rows nor that of classes can change it.
"""

from __future__ import annotations

import numpy as np

from cutwise.kernels.compile import kernel
from cutwise.kernels.elementary import log2

# What differs by less is equal.
SMALL = 1e-6
# An attribute's gain may be so much below the average.
SLACK_OF_AVERAGE = 1e-3
# No branch of a numeric split must be larger than this because of the number of classes.
LARGEST_MIN_SIDE = 25.0


@kernel
def weigh(weight, terms, grid):
    """Return w log2 w, a multiple of 1 / grid; terms[w] holds it for small whole numbers, at least for 0."""
    whole = np.int64(weight)
    if whole < terms.size and whole == weight:
        return terms[np.uint64(whole)]
    return np.rint(weight * log2(weight) * grid) / grid


@kernel
def fill_terms(terms, grid):
    """Write w log2 w for the whole numbers w from 0 on."""
    terms[0] = 0.0
    for whole in range(1, terms.size):
        terms[whole] = np.rint(whole * log2(whole) * grid) / grid


@kernel
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


@kernel
def score_nominal(cells, rows, labels, weights, n_codes, total, min_leaf, terms, grid, counts, is_seen, seen, of_class):
    """Return the gain and the gain ratio of a split into one branch for each code; a gain of -1 for none.

    rows are the node's, with their classes and weights. counts [code, class] and is_seen must be
    zero; they are left so. seen and of_class are working space.
    """
    n_seen = count_codes(cells, rows, labels, weights, n_codes, counts, is_seen, seen)
    return score_counts(counts, seen, n_seen, total, min_leaf, terms, grid, of_class)


@kernel
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


@kernel
def ratio_of(gain, between, known, total, terms, grid):
    """Divide a gain by the information of the split, in which the missing values are one more branch."""
    spread = weigh(total, terms, grid) - between - weigh(total - known, terms, grid)
    if spread <= SMALL:
        return 0.0
    return gain / (spread / total)


@kernel
def score_numeric(
    cells, order, values, classes, weight_of, total, min_leaf, min_gap, use_mdl, terms, grid, left, right
):
    """Return the gain and the gain ratio of the best split into two, and the ranks around it; a gain of -1 for none.

    order are the node's rows by rising value, those without a value last; values are the
    column's different values. left and right are working space by class.
    """
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
    left_terms = np.zeros(left.size)
    right_terms = np.empty(left.size)
    right_sum = 0.0
    for label in range(left.size):
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


@kernel
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


@kernel
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
        if gains[attribute] >= max(least - 1e-9, 0.0) and ratios[attribute] > best + SMALL:
            picked = attribute
            best = ratios[attribute]
    return picked
