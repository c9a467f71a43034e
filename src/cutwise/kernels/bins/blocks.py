"""The best gap of a bin, without a look at every gap: blocks of values are passed over by a bound.

Where each cut takes a few rows off the end of a large bin, as for classes that alternate, scanning what is left again
and again takes the square of the rows. Here a bin is scanned in blocks of `BLOCK` values. A gap leaves the class counts
L of M rows on its left, out of W of N rows in the bin. At the two ends of a block these are known from sums over whole
blocks, and every gap inside has an L between them. A block is scanned only if a bound on its gains reaches the
best gain so far, or the one that is asked for:

* SQUARES: the gain is ``N / (M (N - M)) * sum of d[c]**2 / T[c]`` with ``d[c] = L[c] - M W[c] / N``. The factor is
  convex in M, so it is largest at an end; each d[c] is linear in the rows of the block to the left of the gap, so its
  square is largest where either only the block's rows of class c are there or only those of the other classes;
* ENTROPY: with ``t(n) = n log2 n`` the gain is ``sum of t(L[c]) + t(W[c] - L[c])`` less ``t(M) + t(N - M)``, up to a
  constant. The second part, with its sign, is concave in M: a tangent is above it. With the tangent in its place the
  gain is a sum over classes of functions that are convex in L[c], each of which is largest at an end.

Both bounds exceed the gains by about ``BLOCK**2 / M`` rows' worth, and one row at the end of a bin is worth about one:
of a bin without structure only what is within a few thousand rows of its ends is scanned.
"""

from __future__ import annotations

import math

import numpy as np

from cutwise.kernels.bins.cadd import NEVER, plant, set_leaf
from cutwise.kernels.bins.splitting import ALL_CUT, LIMIT, NO_GAIN, NO_ROOM, load_bin, margin_of
from cutwise.kernels.bins.terms import look_up_count
from cutwise.kernels.compile import kernel
from cutwise.kernels.inputs import SQUARES
from cutwise.kernels.stopping import check_stop

BLOCK = 64
# With more classes the bound of a block costs as much as a look at its gaps.
MOST_CLASSES = BLOCK


def bounding_sums(table):
    """Return the sums over blocks that bounds need, none where they would not pay."""
    if table.n_labels > MOST_CLASSES or table.starts.size <= 2 * BLOCK:
        return np.zeros((0, 0), dtype=np.int64)
    return sum_blocks(table)


@kernel
def sum_blocks(table):
    """Return the counts by class of the values before each block [block, class]."""
    n_values = table.starts.size - 1
    sums = np.zeros((n_values // BLOCK + 1, table.n_labels), dtype=np.int64)
    for block in range(1, sums.shape[0]):
        for label in range(table.n_labels):
            sums[block, label] = sums[block - 1, label]
        load_bin((block - 1) * BLOCK, block * BLOCK, table, sums[block])
    return sums


@kernel
def load_before(value, table, sums, by_label):
    """Write the counts by class of all values before one."""
    block = min(value // BLOCK, sums.shape[0] - 1)
    for label in range(by_label.size):
        by_label[label] = sums[block, label]
    load_bin(block * BLOCK, value, table, by_label)


@kernel
def class_term(count, label, terms):
    """Return the term of the rows of one class in a bin."""
    if terms.kind == SQUARES:
        return float(count) * float(count) / terms.class_rows[label]
    return float(look_up_count(count, terms.by_count, terms.beyond))


@kernel
def joined(total, rows, terms):
    """Return what a bin adds, from the sum of its class terms."""
    if rows == 0:
        return 0.0
    if terms.kind == SQUARES:
        return total / rows
    return total - look_up_count(rows, terms.by_count, terms.beyond)


@kernel
def bound_of_squares(low, high, origin, whole, n_rows, terms):
    """Return a bound on the gains of a block, SQUARES; low and high are the sums of all values before its ends."""
    left_rows = 0
    moved = 0
    for label in range(whole.size):
        left_rows += low[label] - origin[label]
        moved += high[label] - low[label]
    total = 0.0
    for label in range(whole.size):
        if whole[label] > 0:
            share = whole[label] / n_rows
            before = low[label] - origin[label] - left_rows * share
            inside = high[label] - low[label]
            least = before - share * (moved - inside)
            most = before + (1.0 - share) * inside
            total += max(least * least, most * most) / terms.class_rows[label]
    first, last = float(left_rows + 1), float(left_rows + moved)
    return total * n_rows * max(1.0 / (first * (n_rows - first)), 1.0 / (last * (n_rows - last)))


@kernel
def bound_of_entropy(low, high, origin, whole, n_rows, terms):
    """Return a bound on the gains of a block, ENTROPY, but for the terms of the whole bin."""
    left_rows = 0
    moved = 0
    for label in range(whole.size):
        left_rows += low[label] - origin[label]
        moved += high[label] - low[label]
    touched = left_rows + (moved + 1) // 2
    slope = math.log2((n_rows - touched) / touched) * terms.scale
    total = slope * (left_rows - touched)
    total -= look_up_count(touched, terms.by_count, terms.beyond)
    total -= look_up_count(n_rows - touched, terms.by_count, terms.beyond)
    for label in range(whole.size):
        left = low[label] - origin[label]
        inside = high[label] - low[label]
        value = class_term(left, label, terms) + class_term(whole[label] - left, label, terms)
        if inside > 0:
            left += inside
            there = class_term(left, label, terms) + class_term(whole[label] - left, label, terms)
            value = max(value, there + slope * inside)
        total += value
    # Each term is rounded to a whole number, and so is each of those that it bounds.
    return total + 4.0 * whole.size + 16.0


@kernel
def scan_gaps(first, last_gap, table, whole, left, whole_term, n_rows, terms, min_count, threshold):
    """Return the best of the gaps first to last_gap - 1 and its gain, or the first that reaches the threshold.

    `left` holds the counts left of the value `first`, and is moved on.
    """
    starts, labels, counts = table.starts, table.labels, table.counts
    left_total = 0.0
    right_total = 0.0
    left_rows = 0
    for label in range(whole.size):
        left_rows += left[label]
        left_total += class_term(left[label], label, terms)
        right_total += class_term(whole[label] - left[label], label, terms)
    best = -np.inf
    gap = -1
    for value in range(first, last_gap):
        for entry in range(starts[np.uint64(value)], starts[np.uint64(value + 1)]):
            label = np.uint64(labels[np.uint64(entry)])
            moved = counts[np.uint64(entry)]
            here, there = left[label], whole[label] - left[label]
            if terms.kind == SQUARES:
                left_total += moved * (2.0 * here + moved) / terms.class_rows[label]
                right_total -= moved * (2.0 * there - moved) / terms.class_rows[label]
            else:
                left_total += class_term(here + moved, label, terms) - class_term(here, label, terms)
                right_total += class_term(there - moved, label, terms) - class_term(there, label, terms)
            left[label] = here + moved
            left_rows += moved
        right_rows = n_rows - left_rows
        if left_rows < min_count or right_rows < min_count:
            continue
        gain = joined(left_total, left_rows, terms) + joined(right_total, right_rows, terms) - whole_term
        if gain > best:
            best = gain
            gap = value
            if gain >= threshold:
                break
    return gap, best


@kernel
def best_gap(start, stop, table, sums, terms, min_count, threshold, margin, room):
    """Return the best gap of a bin and its gain, -1 and minus infinity for none.

    With a finite threshold the first gap that reaches it is returned. Gaps are passed over whose gain is less than the
    result by more than `margin`. `sums` without a class bounds nothing: every gap is looked at. The
    rows of `room` are filled with the counts by class before the bin, of the bin, and left of some gap.
    """
    origin, whole, left = room
    is_bounded = sums.shape[1] > 0
    if is_bounded:
        load_before(start, table, sums, origin)
        load_before(stop, table, sums, whole)
        whole -= origin
    else:
        whole[:] = 0
        load_bin(start, stop, table, whole)
    n_rows = np.int64(0)
    total = 0.0
    for label in range(whole.size):
        n_rows += whole[label]
        total += class_term(whole[label], label, terms)
    term = joined(total, n_rows, terms)
    best = -np.inf
    gap = -1
    floor = threshold if threshold < np.inf else -np.inf
    value = start
    # What the end of a large bin offers spares many blocks before it.
    is_end = is_bounded and threshold == np.inf and stop - start > 4 * BLOCK
    if is_end:
        value = stop - 1 - BLOCK
    at = -1
    while value < stop - 1:
        last = stop - 1
        if is_bounded and not is_end:
            block = value // BLOCK
            last = min((block + 1) * BLOCK, stop - 1)
            if last - value == BLOCK:
                low, high = sums[block], sums[block + 1]
                if terms.kind == SQUARES:
                    bound = bound_of_squares(low, high, origin, whole, n_rows, terms)
                else:
                    bound = bound_of_entropy(low, high, origin, whole, n_rows, terms) - term
                if bound < max(best, floor) - margin:
                    value = last
                    continue
        if at != value:
            left[:] = 0
            if value != start:
                load_before(value, table, sums, left)
                left -= origin
        found, gain = scan_gaps(value, last, table, whole, left, term, n_rows, terms, min_count, threshold)
        if is_end:
            is_end = False
            floor = gain
            value = start
            continue
        at = value = last
        if gain > best:
            gap, best = found, gain
            if best >= threshold:
                break
    return gap, best


@kernel
def first_at_least(tree, threshold):
    """Return the leftmost leaf whose key, of opposite sign, reaches a threshold that some leaf reaches."""
    node = 1
    while node < tree.size // 2:
        node *= 2
        if -float(tree[node]) < threshold:
            node += 1
    return node - tree.size // 2


@kernel
def grow(table, size):
    """Return the table, twice as long if `size` rows fill it."""
    if size < table.shape[0]:
        return table
    longer = np.empty((2 * table.shape[0], table.shape[1]), dtype=table.dtype)
    for i in range(table.shape[0]):
        for j in range(table.shape[1]):
            longer[i, j] = table[i, j]
    return longer


@kernel
def add_relevant_cuts(table, sums, terms, n_rows, max_cuts, min_count):
    """Search for the cuts of highest relevance, as `splitting.add_cuts` does without divergence and discount.

    Without these the best gap of a bin never changes, and a tree holds the gains of all bins: finding the
    leftmost of the best ones takes the logarithm of their number. The result is that of `add_cuts`.
    """
    n_values = table.starts.size - 1
    unit = n_rows * terms.scale
    room = np.zeros((3, table.n_labels), dtype=np.int64)
    rooms = (room[0], room[1], room[2])
    stops = np.empty(n_values, dtype=np.int64)
    stops[0] = n_values
    tree = plant(np.full(n_values, NEVER), NEVER)
    steps = np.zeros((16, 3), dtype=np.int64)
    n_cuts = 0
    total = np.int64(0)
    psi = 0.0
    # The bins that are new: the first one, then the two halves of one.
    low, high = 0, n_values
    while True:
        check_stop()
        for start in (low, high):
            if start < n_values and stops[start] - start > 1:
                gap, gain = best_gap(start, stops[start], table, sums, terms, min_count, np.inf, 0.0, rooms)
                set_leaf(tree, start, NEVER if gap < 0 else -np.int64(gain))
            elif start < n_values:
                set_leaf(tree, start, NEVER)
        if n_cuts == n_values - 1:
            return steps[:n_cuts], n_cuts, ALL_CUT
        if n_cuts >= max_cuts:
            return steps[:n_cuts], n_cuts, LIMIT
        if tree[1] == NEVER:
            return steps[:n_cuts], n_cuts, NO_ROOM
        best = -float(tree[1])
        threshold = best - margin_of((total + best) / unit) * unit
        low = first_at_least(tree, threshold)
        gap, gain = best_gap(low, stops[low], table, sums, terms, min_count, threshold, 0.0, rooms)
        total += np.int64(gain)
        steps = grow(steps, n_cuts)
        steps[n_cuts, 0] = gap
        steps[n_cuts, 1] = total
        steps[n_cuts, 2] = 0
        new_psi = total / unit
        if new_psi - psi <= margin_of(new_psi):
            return steps[: n_cuts + 1], n_cuts, NO_GAIN
        psi = new_psi
        n_cuts += 1
        high = gap + 1
        stops[high] = stops[low]
        stops[low] = high
