"""Groups of rows that are alike in every column, found by hashing.

A row's key is the sum of one mixed 64-bit number for each column and symbol. Rows with
the same symbols have the same key, and when the bins of one column change, only that
column's summand has to be replaced. Rows that differ share a key with a chance of about
rows**2 / 2**65 in all, which is neglected.

Symbols are whole numbers: the first value of a bin, the code of a category, or a
negative number for a missing or special value. A bin that takes over its right
neighbour keeps its symbol.
"""

from __future__ import annotations

import numpy as np

from cutwise.kernels.compile import plain_kernel


@plain_kernel
def scramble(number):
    """Return a 64-bit number whose bits all depend on all bits of the given one."""
    number = np.uint64(number)
    number ^= number >> np.uint64(30)
    number *= np.uint64(0xBF58476D1CE4E5B9)
    number ^= number >> np.uint64(27)
    number *= np.uint64(0x94D049BB133111EB)
    return number ^ (number >> np.uint64(31))


@plain_kernel
def mix(column, symbol):
    """Return the summand of one symbol of one column."""
    of_column = scramble(np.uint64(column) + np.uint64(0x9E3779B97F4A7C15))
    return scramble(of_column + np.uint64(symbol) * np.uint64(0x9E3779B97F4A7C15))


@plain_kernel
def add_symbols(keys, column, symbols):
    """Add the summands of a column to the keys."""
    for row in range(keys.size):
        keys[row] += mix(column, np.int64(symbols[row]))


def change_bins(keys, column, ranks, lasts, new_lasts):
    """Return the keys after the bins that end with `lasts` were joined to `new_lasts`."""
    changed = keys.copy()
    add_changes(changed, column, ranks, lasts, new_lasts, np.zeros(int(lasts[-1]) + 1, dtype=np.uint64))
    return changed


@plain_kernel
def add_changes(keys, column, ranks, lasts, new_lasts, change):
    """Change the keys as `change_bins` says; `change` is room, all zero, for a number a value."""
    code = 0
    new_first = 0
    first = 0
    for old in range(lasts.size):
        if first > new_lasts[code]:
            code += 1
            new_first = first
        if first != new_first:
            summand = mix(column, new_first) - mix(column, first)
            for value in range(first, lasts[old] + 1):
                change[value] = summand
        first = lasts[old] + 1
    for row in range(keys.size):
        if ranks[row] >= 0:
            keys[row] += change[ranks[row]]


@plain_kernel
def find_slot(slots, hashed, wanted_keys, wanted_labels, key, label):
    """Return the slot of an open-addressing table that holds (key, label), or a free one."""
    mask = np.uint64(slots.size - 1)
    slot = hashed & mask
    while True:
        found = slots[slot]
        if found < 0 or (wanted_keys[found] == key and wanted_labels[found] == label):
            return slot
        slot = (slot + np.uint64(1)) & mask


def count_groups(keys, classes, weights):
    """Count the groups of rows with the same key by class.

    With no weights each row counts once. Returns the rows, the rows outside the largest
    class of their group, the rows in groups of a single class, and the largest minority:
    the share that a class has in its group, or that all others have, whichever is less,
    unless both have half.
    """
    n_rows = keys.size
    slots = np.full((2, 1 << max(1, (2 * n_rows - 1).bit_length())), -1, dtype=np.int32)
    labels = np.zeros((2, n_rows), dtype=np.int32)
    return fill_groups(
        keys, classes, weights, slots, np.empty((2, n_rows), dtype=np.uint64), labels,
        np.zeros((3, n_rows), dtype=np.int64),
    )  # fmt: skip


@plain_kernel
def fill_groups(keys, classes, weights, slots, found_keys, found_labels, found_rows):
    """Return what `count_groups` does; the rest is room for groups, and for their classes."""
    group_slots, cell_slots = slots[0], slots[1]
    group_keys, cell_groups = found_keys[0], found_keys[1]
    no_labels, cell_classes = found_labels[0], found_labels[1]
    group_rows, group_most, cell_rows = found_rows[0], found_rows[1], found_rows[2]
    n_groups = 0
    n_cells = 0
    for row in range(keys.size):
        weight = np.int64(1) if weights.size == 0 else weights[row]
        if weight == 0:
            continue
        key = keys[row]
        slot = find_slot(group_slots, key, group_keys, no_labels, key, 0)
        if group_slots[slot] < 0:
            group_slots[slot] = n_groups
            group_keys[n_groups] = key
            n_groups += 1
        group = np.uint64(group_slots[slot])
        label = classes[row]
        slot = find_slot(cell_slots, mix(label, group), cell_groups, cell_classes, group, label)
        if cell_slots[slot] < 0:
            cell_slots[slot] = n_cells
            cell_groups[n_cells] = group
            cell_classes[n_cells] = label
            n_cells += 1
        cell = cell_slots[slot]
        cell_rows[cell] += weight
        group_rows[group] += weight
        group_most[group] = max(group_most[group], cell_rows[cell])
    return sum_up(group_rows[:n_groups], group_most[:n_groups], cell_groups[:n_cells], cell_rows[:n_cells])


@plain_kernel
def sum_up(group_rows, group_most, cell_groups, cell_rows):
    """Return what `count_groups` does, from the counts of groups and of their classes."""
    rows = np.int64(0)
    beside = np.int64(0)
    pure = np.int64(0)
    for group in range(group_rows.size):
        rows += group_rows[group]
        beside += group_rows[group] - group_most[group]
        if group_most[group] == group_rows[group]:
            pure += group_rows[group]
    minority = 0.0
    for cell in range(cell_rows.size):
        whole = group_rows[cell_groups[cell]]
        others = whole - cell_rows[cell]
        if cell_rows[cell] != others:
            minority = max(minority, min(cell_rows[cell], others) / whole)
    return rows, beside, pure, minority
