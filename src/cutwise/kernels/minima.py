"""A tree of minima: the smallest of many keys, of equal ones the leftmost, while keys change.

``tree`` has twice as many places as leaves, a power of two. Node i has the children 2 i and
2 i + 1 and holds the smaller of their keys; the root is node 1.
"""

from __future__ import annotations

import numpy as np

from cutwise.kernels.compile import kernel


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
