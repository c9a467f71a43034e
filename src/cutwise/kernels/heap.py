"""A binary heap of whole-numbered keys: the smallest first, of equal ones the leftmost.

The keys and the items stand in two arrays side by side; the caller counts how many are
in use. Items are not moved or removed inside the heap: a caller that changes an item's
key pushes it once more and passes over entries whose key is no longer the item's.
"""

from __future__ import annotations

import numpy as np

from cutwise.kernels.compile import kernel


@kernel
def push(keys, items, size, key, item):
    """Add an item to a heap of `size` entries."""
    at = np.uint64(size)
    while at > 0:
        parent = (at - np.uint64(1)) >> np.uint64(1)
        if keys[parent] < key or (keys[parent] == key and items[parent] <= item):
            break
        keys[at] = keys[parent]
        items[at] = items[parent]
        at = parent
    keys[at] = key
    items[at] = item


@kernel
def drop_first(keys, items, size):
    """Remove the first entry of a heap of `size` entries."""
    last = np.uint64(size - 1)
    key = keys[last]
    item = items[last]
    at = np.uint64(0)
    child = np.uint64(1)
    while child < last:
        other = child + np.uint64(1)
        if other < last and (keys[other] < keys[child] or (keys[other] == keys[child] and items[other] < items[child])):
            child = other
        if key < keys[child] or (key == keys[child] and item <= items[child]):
            break
        keys[at] = keys[child]
        items[at] = items[child]
        at = child
        child = (at << np.uint64(1)) + np.uint64(1)
    keys[at] = key
    items[at] = item
