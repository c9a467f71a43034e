"""Count the rows of a table slice by slice: by distinct value while there are few, else by cells of a grid.

Arrays of counts have one row more than there are values or cells: the last one is for
missing values (NaN). Slices come tidied (see `tidy`), together with their bits.
"""

from __future__ import annotations

import sys

import numpy as np

from cutwise.kernels.compile import kernel

LARGEST = sys.float_info.max
FIRST_FACTOR = np.uint64(0xBF58476D1CE4E5B9)
SECOND_FACTOR = np.uint64(0x94D049BB133111EB)
FIRST_SHIFT, SECOND_SHIFT = np.uint64(30), np.uint64(27)
SIGN = np.uint64(1 << 63)
TOP = np.uint64(63)
ONE, FEW = np.uint32(1), np.uint32(8)


@kernel
def tidy(values, doubles):
    """Write doubles without negative zero and without infinities; every NaN gets the same bits."""
    for i in range(values.size):
        value = values[i]
        doubles[i] = np.nan if np.isnan(value) else min(max(value + 0.0, -LARGEST), LARGEST)


@kernel
def mix(number):
    """Return 64 bits that look random, always the same for the same 64 bits."""
    number = (number ^ (number >> FIRST_SHIFT)) * FIRST_FACTOR
    number = (number ^ (number >> SECOND_SHIFT)) * SECOND_FACTOR
    return number ^ (number >> FIRST_SHIFT)


@kernel
def mix_rows(bits, hashes):
    """Mix the bits of one more column into the hash of each row."""
    for i in range(bits.size):
        hashes[i] = mix((hashes[i] * SECOND_FACTOR) ^ bits[i])


@kernel
def count_distinct(values, bits, classes, parts, weights, slots, distinct, n_distinct, by_class, by_part):
    """Count rows by distinct value in a hash table.

    slots[hash] is the place of a value in `distinct` plus 1, or 0. Without parts the array
    `parts` is empty; without weights `weights` is None, and no time is lost on them.

    Returns
    -------
    n_rows : int
        The rows that were counted: less than all if `distinct` is full.
    n_distinct : int
        The distinct values that there are now.
    """
    mask = np.uint64(slots.size - 1)
    one = np.uint64(1)
    for i in range(values.size):
        value = values[i]
        place = distinct.size
        if not np.isnan(value):
            slot = mix(bits[i]) & mask
            while slots[slot] > 0 and distinct[slots[slot] - 1] != value:
                slot = (slot + one) & mask
            if slots[slot] == 0:
                if n_distinct == distinct.size:
                    return i, n_distinct
                distinct[n_distinct] = value
                n_distinct += 1
                slots[slot] = n_distinct
            place = slots[slot] - 1
        weight = 1 if weights is None else weights[i]
        by_class[place, classes[i]] += weight
        if parts.size > 0:
            by_part[place, parts[i]] += weight
    return values.size, n_distinct


@kernel
def fill_slots(bits, slots):
    """Write a hash table for values that all differ, see `count_distinct`."""
    mask = np.uint64(slots.size - 1)
    one = np.uint64(1)
    for i in range(bits.size):
        slot = mix(bits[i]) & mask
        while slots[slot] > 0:
            slot = (slot + one) & mask
        slots[slot] = i + 1


@kernel
def order_key(bits):
    """Return a whole number from the bits of a double; the keys of doubles ascend as they do."""
    return ~bits if bits >> TOP else bits | SIGN


@kernel
def find_cells(values, bits, edges, lookup, cells):
    """Write the number of edges below each value; for NaN, the number of cells."""
    starts, linear, crowded = lookup.starts, lookup.linear, lookup.crowded
    origin, scale, low_key, shift = lookup.origin, lookup.scale, lookup.low_key, lookup.shift
    n_edges = edges.size
    last = edges[n_edges - 1] if n_edges > 0 else -np.inf
    for i in range(values.size):
        value = values[i]
        if not value <= last:
            cells[i] = n_edges + 1 if np.isnan(value) else n_edges
            continue
        if linear:
            bucket = np.uint32((max(value, origin) - origin) * scale)
        else:
            bucket = np.uint32((max(order_key(bits[i]), low_key) - low_key) >> shift)
        low = np.uint32(starts[bucket])
        if crowded:
            high = np.uint32(starts[bucket + ONE])
            while low + FEW < high:
                middle = (low + high) >> ONE
                if edges[middle] < value:
                    low = middle + ONE
                else:
                    high = middle
        # Most buckets hold one edge or none; the last edge is not below the value.
        low += np.uint32(edges[low] < value)
        while edges[low] < value:
            low += ONE
        cells[i] = low


@kernel
def count_cells(values, cells, classes, parts, weights, lows, highs, by_class, by_part):
    """Count rows by cell of a grid, and note the smallest and the largest value of each cell."""
    for i in range(values.size):
        cell = cells[i]
        value = values[i]
        if cell < lows.size:
            if value < lows[cell]:  # noqa: PLR1730  # a store is rarely needed
                lows[cell] = value
            if value > highs[cell]:  # noqa: PLR1730
                highs[cell] = value
        weight = 1 if weights is None else weights[i]
        by_class[cell, classes[i]] += weight
        if parts.size > 0:
            by_part[cell, parts[i]] += weight
