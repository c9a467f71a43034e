"""Merging for CADD: join neighbouring bins that do not differ significantly.

Twice the mutual information between two neighbouring bins and the class, in nats and times
their rows, is distributed as chi-square if the classes are the same in both. The pair
where it is smallest is joined first. Pairs that the limits forbid come before all
others: a bin that is too small, or a rate that falls where it must rise.
"""

from __future__ import annotations

import numpy as np

from cutwise.kernels.bins.terms import look_up_count
from cutwise.kernels.compile import kernel
from cutwise.kernels.stopping import check_stop


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


NEVER = np.int64(1) << 61
FIRST = np.int64(1) << 60


@kernel
def information(left, right, by_label, rows, terms, scale):
    """Return the rows of two bins times the bits that they tell of the class, in units."""
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
        right = after[left]
        is_left[right - 1] = False
        for label in range(by_label.shape[1]):
            by_label[left, label] += by_label[right, label]
        rows[left] += rows[right]
        after[left] = after[right]
        if after[left] < rows.size:
            before[after[left]] = left
            set_leaf(tree, right, NEVER)
            set_leaf(tree, left, key_of(left, after[left], by_label, rows, terms, scale, bounds))
        else:
            set_leaf(tree, left, NEVER)
        if before[left] >= 0:
            set_leaf(tree, before[left], key_of(before[left], left, by_label, rows, terms, scale, bounds))
        n_bins -= 1
    return is_left
