"""Bring a column into order and count the rows of each distinct value by label.

Rows of one group are sorted by numpy, which sorts plain doubles much faster than pairs; the sorted
runs are then merged. Equal values keep the order of their groups.

Counts are kept as entries: those of value u are starts[u] to starts[u + 1], each with a
label and the number of rows. Labels of one value ascend, and no entry is empty.
"""

from __future__ import annotations

import math
import sys

import numpy as np

from cutwise.kernels.compile import plain_kernel


def pack_runs(values, starts, stops):
    """Move the runs values[starts[g]:stops[g]] together; return where each one starts."""
    packed = np.empty(starts.size + 1, dtype=np.int64)
    move_runs(values, starts, stops, packed)
    return packed


@plain_kernel
def move_runs(values, starts, stops, packed):
    """Move runs together and write where each one starts."""
    at = 0
    for group in range(starts.size):
        packed[group] = at
        for i in range(starts[group], stops[group]):
            values[at] = values[i]
            at += 1
    packed[starts.size] = at


@plain_kernel
def merge_two(values, labels, start, middle, stop, out_values, out_labels):
    """Merge two neighbouring sorted runs; of equal values the left one goes first."""
    i = start
    j = middle
    at = start
    while i < middle and j < stop:
        right = values[j] < values[i]
        source = j if right else i
        out_values[at] = values[source]
        out_labels[at] = labels[source]
        at += 1
        j += right
        i += not right
    while i < middle:
        out_values[at] = values[i]
        out_labels[at] = labels[i]
        i += 1
        at += 1
    while j < stop:
        out_values[at] = values[j]
        out_labels[at] = labels[j]
        j += 1
        at += 1


def merge_runs(values, starts):
    """Return the sorted values and, for each, the number of the run it came from."""
    size = int(starts[-1])
    first, other = values[:size], np.empty(size)
    labels, other_labels = np.empty(size, dtype=np.int32), np.empty(size, dtype=np.int32)
    if merge_all(first, labels, starts, other, other_labels):
        return other, other_labels
    return first, labels


@plain_kernel
def merge_all(values, labels, starts, other_values, other_labels):
    """Merge the runs, after they got their numbers; return whether the result is in the other arrays."""
    n_runs = starts.size - 1
    for run in range(n_runs):
        for i in range(starts[run], starts[run + 1]):
            labels[i] = run
    is_other = False
    width = 1
    while width < n_runs:
        for run in range(0, n_runs, 2 * width):
            middle = starts[min(run + width, n_runs)]
            stop = starts[min(run + 2 * width, n_runs)]
            merge_two(values, labels, starts[run], middle, stop, other_values, other_labels)
        values, other_values = other_values, values
        labels, other_labels = other_labels, labels
        is_other = not is_other
        width *= 2
    return is_other


@plain_kernel
def count_entries(values, runs, label_of_run):
    """Return how many distinct values and how many entries a sorted column has.

    A row's label is label_of_run[its run]; it ascends among equal values.
    """
    if values.size == 0:
        return 0, 0
    n_values = 1
    n_entries = 1
    for i in range(1, values.size):
        if values[i] != values[i - 1]:
            n_values += 1
            n_entries += 1
        elif label_of_run[runs[i]] != label_of_run[runs[i - 1]]:
            n_entries += 1
    return n_values, n_entries


def fill_entries(values, runs, weights, label_of_run, n_values, n_entries):
    """Return the entries of a sorted column; without weights (None) each row counts one."""
    entries = room_for_entries(n_values, n_entries)
    write_entries(values, runs, weights, label_of_run, *entries)
    return entries


def room_for_entries(n_values, n_entries):
    """Return arrays for the starts, labels and counts of entries."""
    starts = np.empty(n_values + 1, dtype=np.int64)
    return starts, np.empty(n_entries, dtype=np.int32), np.empty(n_entries, dtype=np.int64)


@plain_kernel
def write_entries(values, runs, weights, label_of_run, starts, entry_labels, entry_counts):
    """Write the entries of a sorted column."""
    value = -1
    entry = -1
    for i in range(values.size):
        label = label_of_run[runs[i]]
        new_value = i == 0 or values[i] != values[i - 1]
        if new_value:
            value += 1
            starts[value] = entry + 1
        if new_value or entry_labels[entry] != label:
            entry += 1
            entry_labels[entry] = label
            entry_counts[entry] = 0
        if weights is None:
            entry_counts[entry] += 1
        else:
            entry_counts[entry] += weights[i]
    starts[starts.size - 1] = entry_labels.size


def pick_distinct(values, n_values):
    """Return the distinct values of a sorted column."""
    distinct = np.empty(n_values, dtype=np.float64)
    write_distinct(values, distinct)
    return distinct


@plain_kernel
def write_distinct(values, distinct):
    """Write the distinct values of a sorted column."""
    at = 0
    for i in range(values.size):
        if i == 0 or values[i] != values[i - 1]:
            distinct[at] = values[i]
            at += 1


@plain_kernel
def count_unordered_entries(values, runs, label_of_run, value_of_label):
    """Return how many different labels the distinct values have, added up; `value_of_label` is -1 at first."""
    n_entries = 0
    value = 0
    for i in range(values.size):
        value += i > 0 and values[i] != values[i - 1]
        label = label_of_run[runs[i]]
        if value_of_label[label] != value:
            value_of_label[label] = value
            n_entries += 1
    return n_entries


def count_unordered(values, runs, weights, label_of_run, n_labels, n_values):
    """Return the entries of a sorted column whose labels may come in any order."""
    n_entries = count_unordered_entries(values, runs, label_of_run, np.full(n_labels, -1))
    entries = room_for_entries(n_values, n_entries)
    write_unordered(values, runs, weights, label_of_run, np.zeros(n_labels, dtype=np.int64), *entries)
    return entries


@plain_kernel
def write_unordered(values, runs, weights, label_of_run, by_label, starts, entry_labels, entry_counts):
    """Write the entries of a sorted column whose labels may come in any order; `by_label` is 0 at first."""
    entry = 0
    value = 0
    start = 0
    while start < values.size:
        stop = start
        while stop < values.size and values[stop] == values[start]:
            if weights is None:
                by_label[label_of_run[runs[stop]]] += 1
            else:
                by_label[label_of_run[runs[stop]]] += weights[stop]
            stop += 1
        starts[value] = entry
        value += 1
        for label in range(by_label.size):
            if by_label[label] > 0:
                entry_labels[entry] = label
                entry_counts[entry] = by_label[label]
                by_label[label] = 0
                entry += 1
        start = stop
    starts[value] = entry


def count_bins(starts, labels, counts, n_labels, ends):
    """Return the counts of each bin by label; bin b holds the values before ends[b]."""
    table = np.zeros((ends.size, n_labels), dtype=np.int64)
    add_to_bins(starts, labels, counts, ends, table)
    return table


@plain_kernel
def add_to_bins(starts, labels, counts, ends, table):
    """Add the counts of entries to those of their bins."""
    value = 0
    for code in range(ends.size):
        while value < ends[code]:
            for entry in range(starts[value], starts[value + 1]):
                table[code, labels[entry]] += counts[entry]
            value += 1


LARGEST = sys.float_info.max
FIRST_FACTOR = np.uint64(0xBF58476D1CE4E5B9)
SECOND_FACTOR = np.uint64(0x94D049BB133111EB)
FIRST_SHIFT, SECOND_SHIFT = np.uint64(30), np.uint64(27)
SIGN = np.uint64(1 << 63)
TOP = np.uint64(63)
ONE, FEW = np.uint32(1), np.uint32(8)


@plain_kernel
def tidy(values, doubles):
    """Write doubles without negative zero and without infinities; every NaN gets the same bits."""
    for i in range(values.size):
        value = values[i]
        doubles[i] = np.nan if np.isnan(value) else min(max(value + 0.0, -LARGEST), LARGEST)


@plain_kernel
def mix(number):
    """Return 64 bits that look random, always the same for the same 64 bits."""
    number = (number ^ (number >> FIRST_SHIFT)) * FIRST_FACTOR
    number = (number ^ (number >> SECOND_SHIFT)) * SECOND_FACTOR
    return number ^ (number >> FIRST_SHIFT)


@plain_kernel
def mix_rows(bits, hashes):
    """Mix the bits of one more column into the hash of each row."""
    for i in range(bits.size):
        hashes[i] = mix((hashes[i] * SECOND_FACTOR) ^ bits[i])


@plain_kernel
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


@plain_kernel
def fill_slots(bits, slots):
    """Write a hash table for values that all differ, see `count_distinct`."""
    mask = np.uint64(slots.size - 1)
    one = np.uint64(1)
    for i in range(bits.size):
        slot = mix(bits[i]) & mask
        while slots[slot] > 0:
            slot = (slot + one) & mask
        slots[slot] = i + 1


@plain_kernel
def order_key(bits):
    """Return a whole number from the bits of a double; the keys of doubles ascend as they do."""
    return ~bits if bits >> TOP else bits | SIGN


@plain_kernel
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


@plain_kernel
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


# With at most this many cuts, counting them all is fastest. More are in blocks; up to some number these are counted
# too, among more of them the block is found by halving.
FEW_CUTS, MANY_BLOCKS, BLOCK_WIDTH = 24, 64, 32


def blocks_of_cuts(cuts):
    """Return cuts in blocks of one width, filled up with infinity, and the last cut of each block but the last."""
    width = cuts.size if cuts.size <= FEW_CUTS else min(math.isqrt(cuts.size), BLOCK_WIDTH)
    padded = np.full(-(-cuts.size // max(width, 1)) * width, np.inf)
    padded[: cuts.size] = cuts
    return padded, np.ascontiguousarray(padded[width - 1 : -1 : max(width, 1)])


@plain_kernel
def assign_codes(column, cuts, ends, missing_code, codes):
    """Write the code of each value: the number of cuts below it; NaN gets missing_code. See `blocks_of_cuts`."""
    width = cuts.size // (ends.size + 1)
    for i in range(column.size):
        value = column[i]
        code = 0
        if ends.size <= MANY_BLOCKS:
            for end in ends:
                code += end < value
        else:
            high = ends.size
            while code < high:
                middle = (code + high) >> 1
                if ends[middle] < value:
                    code = middle + 1
                else:
                    high = middle
        code *= width
        for cut in cuts[code : code + width]:
            code += cut < value
        codes[i] = missing_code if np.isnan(value) else code
