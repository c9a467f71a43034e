"""CADD: move one cut by one value, always where CAIR rises most; then join bins that do not differ.

With ``t(n) = n log n``, A the sum of t over the rows of each bin and class and B over those of
each bin, CAIR of N rows is ``(A - B + c) / (t(N) - A)``, c a constant of the column. A move
changes A by a and B by b, and it leads to a CAIR of r or more where

    a (1 + r) - b >= r (t(N) - A) - (A - B + c).

The right side is the same for all moves, so the best move is the one whose line
``a (1 + r) - b`` is highest at the r that it leads to. CAIR only rises, and so does r: a
tournament of lines, in which each node knows up to which r its winner stays ahead, gives the
best move without looking at all of them. Lines of equal height are ranked from left to right.
The lines of cut c are 2 c for the move to the left and 2 c + 1 for that to the right.

Twice the mutual information between two neighbouring bins and the class, in nats and times
their rows, is distributed as chi-square if the classes are the same in both. The pair
where it is smallest is joined first. Pairs that the limits forbid come before all
others: a bin that is too small, or a rate that falls where it must rise.
"""

from __future__ import annotations

import numpy as np

from cutwise.kernels.bins.splitting import margin_of
from cutwise.kernels.bins.terms import look_up_count
from cutwise.kernels.compile import kernel
from cutwise.kernels.stopping import check_stop

# The b of a move that is not possible.
IMPOSSIBLE = np.int64(1) << 60


@kernel
def height(line, lines, r):
    """Return the height of a line at r."""
    return lines[line, 0] * (1.0 + r) - lines[line, 1]


@kernel
def play(node, winners, expiries, lines, r):
    """Decide which of a node's two lines is ahead at r, and up to where this holds below it."""
    left, right = winners[2 * node], winners[2 * node + 1]
    winner, loser = left, right
    if height(right, lines, r) > height(left, lines, r):
        winner, loser = right, left
    expiry = min(expiries[2 * node], expiries[2 * node + 1])
    rise = lines[loser, 0] - lines[winner, 0]
    if rise > 0:
        expiry = min(expiry, (lines[loser, 1] - lines[winner, 1]) / rise - 1.0)
    winners[node] = winner
    expiries[node] = expiry


@kernel
def play_again(winners, expiries, lines, r, room):
    """Decide once more where a winner may no longer be ahead at r."""
    n_open = 0
    if expiries[1] < r:
        room[0] = 1
        n_open = 1
    done = 0
    while done < n_open:
        for child in range(2 * room[done], 2 * room[done] + 2):
            if expiries[child] < r:
                room[n_open] = child
                n_open += 1
        done += 1
    for i in range(n_open - 1, -1, -1):
        play(room[i], winners, expiries, lines, r)


@kernel
def move_line(value, source, target, starts, labels, counts, by_label, rows, terms, scale):
    """Return by how much A and B change when a value moves from one bin to another."""
    moved = np.int64(0)
    a = np.int64(0)
    for entry in range(starts[value], starts[value + 1]):
        label, count = labels[entry], counts[entry]
        here, there = by_label[source, label], by_label[target, label]
        a += look_up_count(here - count, terms, scale) - look_up_count(here, terms, scale)
        a += look_up_count(there + count, terms, scale) - look_up_count(there, terms, scale)
        moved += count
    here, there = rows[source], rows[target]
    b = look_up_count(here - moved, terms, scale) - look_up_count(here, terms, scale)
    b += look_up_count(there + moved, terms, scale) - look_up_count(there, terms, scale)
    return a, b


@kernel
def draw_lines(cut, ends, starts, labels, counts, by_label, rows, terms, scale, lines):
    """Work out the two moves of a cut; bin i ends before the value ends[i]."""
    first = ends[cut - 1] if cut > 0 else 0
    for way in range(2):
        line = 2 * cut + way
        lines[line, 0], lines[line, 1] = 0, IMPOSSIBLE
        source = cut + way
        n_values = ends[cut + 1] - ends[cut] if way else ends[cut] - first
        if n_values > 1:
            value = ends[cut] - 1 + way
            line_of_move = move_line(value, source, cut + 1 - way, starts, labels, counts, by_label, rows, terms, scale)
            lines[line, 0], lines[line, 1] = line_of_move


@kernel
def move_cut(line, ends, starts, labels, counts, by_label, rows):
    """Make a move: change the bins on both sides of a cut."""
    cut, way = line // 2, line % 2
    value = ends[cut] - 1 + way
    source, target = cut + way, cut + 1 - way
    for entry in range(starts[value], starts[value + 1]):
        by_label[source, labels[entry]] -= counts[entry]
        by_label[target, labels[entry]] += counts[entry]
        rows[source] -= counts[entry]
        rows[target] += counts[entry]
    ends[cut] += 2 * way - 1


@kernel
def best_move(sums, winners, expiries, lines, r, room):
    """Return the move that leads to the highest CAIR, and that CAIR."""
    a, b, constant, whole = sums
    best = np.int64(-1)
    while True:
        play_again(winners, expiries, lines, r, room)
        line = winners[1]
        if line == best or lines[line, 1] == IMPOSSIBLE:
            return line, r
        after = a + lines[line, 0]
        reached = (after - b - lines[line, 1] + constant) / (whole - after)
        if reached <= r:
            return line, r
        best, r = line, reached


@kernel
def climb(table, ends, by_label, rows, terms, scale):
    """Move cuts as long as CAIR rises; ends, by_label and rows are changed in place.

    Returns the number of moves. by_label[bin, class] and rows[bin] are the counts of the
    bins, of which there are two or more.
    """
    starts, labels, counts = table.starts, table.labels, table.counts
    n_cuts = ends.size - 1
    n_leaves = 2
    while n_leaves < 2 * n_cuts:
        n_leaves *= 2
    lines = np.zeros((n_leaves, 2), dtype=np.int64)
    for line in range(n_leaves):
        lines[line, 1] = IMPOSSIBLE
    winners = np.zeros(2 * n_leaves, dtype=np.int64)
    expiries = np.full(2 * n_leaves, np.inf)
    room = np.empty(n_leaves, dtype=np.int64)
    a, b, constant, whole = sums_of(by_label, rows, terms, scale)
    r = (a - b + constant) / (whole - a)
    for cut in range(n_cuts):
        draw_lines(cut, ends, starts, labels, counts, by_label, rows, terms, scale, lines)
    for line in range(n_leaves):
        winners[n_leaves + line] = line
    for node in range(n_leaves - 1, 0, -1):
        play(node, winners, expiries, lines, r)
    n_moves = 0
    while True:
        check_stop()
        line, reached = best_move((a, b, constant, whole), winners, expiries, lines, r, room)
        if reached - r <= margin_of(reached):
            return n_moves
        n_moves += 1
        r = reached
        a += lines[line, 0]
        b += lines[line, 1]
        move_cut(line, ends, starts, labels, counts, by_label, rows)
        for cut in range(max(line // 2 - 1, 0), min(line // 2 + 2, n_cuts)):
            draw_lines(cut, ends, starts, labels, counts, by_label, rows, terms, scale, lines)
            node = (n_leaves + 2 * cut) // 2
            while node > 0:
                play(node, winners, expiries, lines, r)
                node //= 2


@kernel
def sums_of(by_label, rows, terms, scale):
    """Return A, B, the constant and t(N) of the bins."""
    a = np.int64(0)
    b = np.int64(0)
    classes = np.int64(0)
    total = np.int64(0)
    for label in range(by_label.shape[1]):
        in_class = np.int64(0)
        for i in range(rows.size):
            a += look_up_count(by_label[i, label], terms, scale)
            in_class += by_label[i, label]
        classes += look_up_count(in_class, terms, scale)
        total += in_class
    for i in range(rows.size):
        b += look_up_count(rows[i], terms, scale)
    whole = look_up_count(total, terms, scale)
    return a, b, whole - classes, whole


@kernel
def plant(keys, empty):
    """Return the tree of some keys; leaves without one have the key `empty`."""
    n_leaves = 1
    while n_leaves < keys.size:
        n_leaves *= 2
    tree = np.full(2 * n_leaves, empty)
    for leaf in range(keys.size):
        tree[n_leaves + leaf] = keys[leaf]
    for node in range(n_leaves - 1, 0, -1):
        tree[node] = min(tree[2 * node], tree[2 * node + 1])
    return tree


@kernel
def set_leaf(tree, leaf, key):
    """Change a key."""
    node = leaf + tree.size // 2
    tree[node] = key
    while node > 1:
        node //= 2
        tree[node] = min(tree[2 * node], tree[2 * node + 1])


@kernel
def first_leaf(tree):
    """Return the leftmost leaf of the smallest key."""
    node = 1
    while node < tree.size // 2:
        node *= 2
        if tree[node] > tree[node // 2]:
            node += 1
    return node - tree.size // 2


@kernel
def absorb(left, by_label, rows, before, after):
    """Join a bin with the one to its right, which is returned; the numbers of bins that are gone stay unused."""
    right = after[left]
    for label in range(by_label.shape[1]):
        by_label[left, label] += by_label[right, label]
    rows[left] += rows[right]
    after[left] = after[right]
    if after[left] < rows.size:
        before[after[left]] = left
    return right


# Larger than any key; a pair that the limits forbid comes before all others.
NEVER = np.int64(1) << 61
FIRST = np.int64(1) << 60


@kernel
def information(left, right, by_label, rows, terms, scale):
    """Return the rows of two bins times the mutual information with the class, in units."""
    total = look_up_count(rows[left] + rows[right], terms, scale)
    total -= look_up_count(rows[left], terms, scale) + look_up_count(rows[right], terms, scale)
    for label in range(by_label.shape[1]):
        here, there = by_label[left, label], by_label[right, label]
        if here > 0 and there > 0:
            total += look_up_count(here, terms, scale) + look_up_count(there, terms, scale)
            total -= look_up_count(here + there, terms, scale)
    return total


@kernel
def falls(left, right, by_label, riser):
    """Tell whether the rate of the class `riser` is lower in the right one of two bins."""
    here, there = by_label[left, riser], by_label[right, riser]
    others, other = by_label[left, 1 - riser], by_label[right, 1 - riser]
    by_left, by_right = float(here) * float(other), float(there) * float(others)
    if by_left != by_right:
        return by_left > by_right
    # Products that are equal as doubles are so close that int64 keeps their difference.
    return here * other - there * others > 0


@kernel
def key_of(left, right, by_label, rows, terms, scale, bounds):
    """Return the key of a pair; the pair with the smallest is joined first."""
    key = information(left, right, by_label, rows, terms, scale)
    forbidden = rows[left] < bounds.min_count or rows[right] < bounds.min_count
    if bounds.riser >= 0 and falls(left, right, by_label, bounds.riser):
        forbidden = True
    return key - FIRST if forbidden else key


@kernel
def merge_alike(by_label, rows, terms, scale, bounds, threshold):
    """Join pairs whose information is below the threshold, or that the limits do not allow.

    by_label and rows are used up. Returns for each gap between two bins whether it is left.
    """
    n_bins = rows.size
    is_left = np.ones(n_bins - 1, dtype=np.bool_)
    after = np.arange(1, n_bins + 1)
    before = np.arange(-1, n_bins - 1)
    keys = np.empty(n_bins - 1, dtype=np.int64)
    for pair in range(n_bins - 1):
        keys[pair] = key_of(pair, pair + 1, by_label, rows, terms, scale, bounds)
    tree = plant(keys, NEVER)
    while n_bins > 1 and (tree[1] < threshold or n_bins > bounds.max_cuts + 1):
        check_stop()
        left = first_leaf(tree)
        right = absorb(left, by_label, rows, before, after)
        is_left[right - 1] = False
        if after[left] < rows.size:
            set_leaf(tree, right, NEVER)
            set_leaf(tree, left, key_of(left, after[left], by_label, rows, terms, scale, bounds))
        else:
            set_leaf(tree, left, NEVER)
        if before[left] >= 0:
            set_leaf(tree, before[left], key_of(before[left], left, by_label, rows, terms, scale, bounds))
        n_bins -= 1
    return is_left
