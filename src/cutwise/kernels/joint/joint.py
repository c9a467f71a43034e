"""Joint cells: the rows that agree in the codes of all columns.

A cell is known by its key, the sum of one mixed 64-bit number for each column and code, so
memory grows with the rows and never with the product of the bins, and a row changes its
key in one step when one column changes. Two different cells get the same key with a
chance of one in 2**64 for each pair of cells.

Groups are cells, or entries: cells taken apart by class. All sums are whole numbers (see
terms.py), so they are exact and blind to the order of rows.
"""

from __future__ import annotations

import numpy as np

from cutwise import threads
from cutwise.kernels.bins.terms import look_up_count, look_up_expected, share_term
from cutwise.kernels.compile import formula, plain_kernel
from cutwise.kernels.joint.grouping import scramble
from cutwise.kernels.stopping import check_stop

NONE = -1


@plain_kernel
def mix(column, code):
    """Return 64 well mixed bits for a code of a column."""
    bits = np.uint64(column) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(code) * np.uint64(0xD1342543DE82EF95)
    return scramble(bits)


@plain_kernel
def add_codes(keys, column, codes):
    """Add the codes of one column to the keys of the rows."""
    for row in range(keys.size):
        keys[row] += mix(column, codes[row])


@plain_kernel
def take_codes(keys, column, codes):
    """Take the codes of one column out of the keys of the rows."""
    for row in range(keys.size):
        keys[row] -= mix(column, codes[row])


@plain_kernel
def find_group(key, groups):
    """Return the group that has this key, or NONE."""
    mask = np.uint64(groups.slots.size - 1)
    at = key & mask
    group = groups.slots[at]
    while group >= 0 and groups.keys[np.uint64(group)] != key:
        at = (at + np.uint64(1)) & mask
        group = groups.slots[at]
    return group


@plain_kernel
def group_rows(keys, counts, groups, group_of_row):
    """Fill the groups of rows that have the same key; return their number."""
    slots = groups.slots
    for slot in range(slots.size):
        slots[slot] = NONE
    mask = np.uint64(slots.size - 1)
    n_groups = 0
    for row in range(keys.size):
        key = keys[row]
        at = key & mask
        group = slots[at]
        while group >= 0 and groups.keys[np.uint64(group)] != key:
            at = (at + np.uint64(1)) & mask
            group = slots[at]
        if group < 0:
            group = n_groups
            slots[at] = group
            groups.keys[group] = key
            groups.rows[group] = row
            groups.counts[group] = 0
            n_groups += 1
        groups.counts[np.uint64(group)] += counts[row]
        group_of_row[row] = group
    return n_groups


@plain_kernel
def count_parts(cell_of_row, counts, parts, by_part):
    """Count the rows of each cell by judged part; a row of no judged part has NONE."""
    for cell in range(by_part.shape[0]):
        for part in range(by_part.shape[1]):
            by_part[cell, part] = 0
    for row in range(parts.size):
        if parts[row] >= 0:
            by_part[cell_of_row[row], parts[row]] += counts[row]


@plain_kernel
def expected_loss(count, terms):
    """Return the expected divergence term of a cell."""
    return look_up_expected(count, terms.expected, terms.n_rows, terms.n_valid, terms.beyond, terms.fraction)


@plain_kernel
def loss_of(first, second, grouped, terms):
    """Return the divergence term of the cell that two cells make; `second` may be NONE."""
    count = grouped.cells.counts[first]
    if second >= 0:
        count += grouped.cells.counts[second]
    n_parts = grouped.rows_by_part.size
    if n_parts == 0:
        return expected_loss(count, terms)
    total = 0.0
    for part in range(n_parts):
        valid = grouped.by_part[first, part]
        if second >= 0:
            valid += grouped.by_part[second, part]
        total += share_term(count, valid, terms.n_rows, grouped.rows_by_part[part])
    return np.int64(np.rint(total / n_parts * terms.n_rows * terms.scale))


@plain_kernel
def loss_of_halves(cell, on_left, on_right, left_parts, grouped, terms):
    """Return the divergence terms of the two halves of a cell."""
    n_parts = grouped.rows_by_part.size
    if n_parts == 0:
        return expected_loss(on_left, terms) + expected_loss(on_right, terms)
    left_total = 0.0
    right_total = 0.0
    for part in range(n_parts):
        valid, all_valid = left_parts[cell, part], grouped.rows_by_part[part]
        left_total += share_term(on_left, valid, terms.n_rows, all_valid)
        right_total += share_term(on_right, grouped.by_part[cell, part] - valid, terms.n_rows, all_valid)
    left_loss = np.int64(np.rint(left_total / n_parts * terms.n_rows * terms.scale))
    return left_loss + np.int64(np.rint(right_total / n_parts * terms.n_rows * terms.scale))


def sum_terms(counts, n_groups, terms):
    """Return the sum of n log2 n over the groups."""
    if terms.beyond is None:
        return int(terms.counts[counts[:n_groups]].sum())
    return add_terms(counts, n_groups, terms)


@plain_kernel
def add_terms(counts, n_groups, terms):
    """Return what `sum_terms` does, also where the table ends."""
    total = np.int64(0)
    for group in range(n_groups):
        total += look_up_count(counts[group], terms.counts, terms.beyond)
    return total


def sum_losses(grouped, n_cells, terms):
    """Return the sum of the divergence terms over the cells."""
    if is_tabled(grouped, terms):
        return int(terms.expected[grouped.cells.counts[:n_cells]].sum())
    return add_losses(grouped, n_cells, terms)


@plain_kernel
def add_losses(grouped, n_cells, terms):
    """Return what `sum_losses` does, also where no table holds the terms."""
    total = np.int64(0)
    for cell in range(n_cells):
        total += loss_of(cell, NONE, grouped, terms)
    return total


@formula
def is_tabled(grouped, terms):
    """Return whether the divergence term of every cell is the table's entry for its count."""
    return grouped.rows_by_part.size == 0 and terms.fraction is None and terms.expected.size > terms.n_rows


@plain_kernel
def merge_bins(codes, columns, left_of, grouped, n_cells, n_entries, terms, sibling, steps, gains, losses):
    """Work out what each cut of some columns is worth: the change of both sums without it.

    Removing the cut left of bin b of a column merges b with the bin left_of[column, b]
    (NONE for the first bin): cells that differ in nothing but these two codes become one.
    The changes are added to gains[column, b] and losses[column, b]. `sibling` is room for
    one number a cell, `steps` for one a bin.
    """
    cells, entries = grouped.cells, grouped.entries
    by_count, by_rows, beyond = terms.counts, terms.expected, terms.beyond
    tabled = is_tabled(grouped, terms)
    for column in columns:
        check_stop()
        for code in range(steps.size):
            steps[code] = mix(column, left_of[column, code]) - mix(column, code)
        for cell in range(n_cells):
            code = codes[column, cells.rows[cell]]
            sibling[cell] = NONE
            if code < 0 or left_of[column, code] < 0:
                continue
            other = find_group(cells.keys[cell] + steps[code], cells)
            sibling[cell] = other
            if other < 0:
                continue
            here, there = cells.counts[cell], cells.counts[other]
            gains[column, code] -= look_up_count(here + there, by_count, beyond)
            gains[column, code] += look_up_count(here, by_count, beyond) + look_up_count(there, by_count, beyond)
            if tabled:
                losses[column, code] += by_rows[here + there] - by_rows[here] - by_rows[there]
            else:
                loss = loss_of(cell, np.int64(other), grouped, terms) - loss_of(cell, NONE, grouped, terms)
                losses[column, code] += loss - loss_of(np.int64(other), NONE, grouped, terms)
        for entry in range(n_entries):
            row = entries.rows[entry]
            if sibling[grouped.cell_of_row[row]] < 0:
                continue
            code = codes[column, row]
            other = find_group(entries.keys[entry] + steps[code], entries)
            if other >= 0:
                here, there = entries.counts[entry], entries.counts[other]
                gains[column, code] += look_up_count(here + there, by_count, beyond)
                gains[column, code] -= look_up_count(here, by_count, beyond) + look_up_count(there, by_count, beyond)


@plain_kernel
def sweep(order, ranks, counts, parts, grouped, terms, left, left_parts, gains, losses):
    """Work out what one more cut of a column is worth, in every gap at once.

    `order` holds the rows with a value, from the lowest to the highest. They go one by
    one from the right to the left half of their cell; gains[u] and losses[u] are the
    changes of both sums when the rows of the values up to u have gone. Where a cut lies
    already, every cell is whole and both are zero.

    `left` is room for three numbers a row: the weight of the left half by cell and by
    entry, and the divergence terms of both halves by cell; `left_parts` is like by_part.
    """
    left_cell, left_entry, halves = left[0], left[1], left[2]
    cell_of_row, entry_of_row = grouped.cell_of_row, grouped.entry_of_row
    in_cell, in_entry = grouped.cells.counts, grouped.entries.counts
    by_count, by_rows, beyond = terms.counts, terms.expected, terms.beyond
    tabled = is_tabled(grouped, terms)
    check_stop()
    clear_halves(order, grouped, terms, left, left_parts)
    gain = np.int64(0)
    loss = np.int64(0)
    for i in range(order.size):
        row = np.uint64(order[i])
        cell, entry, moved = np.uint64(cell_of_row[row]), np.uint64(entry_of_row[row]), counts[row]
        on_left, on_right = left_entry[entry], in_entry[entry] - left_entry[entry]
        gain += look_up_count(on_left + moved, by_count, beyond) - look_up_count(on_left, by_count, beyond)
        gain += look_up_count(on_right - moved, by_count, beyond) - look_up_count(on_right, by_count, beyond)
        left_entry[entry] = on_left + moved
        on_left, on_right = left_cell[cell], in_cell[cell] - left_cell[cell]
        gain -= look_up_count(on_left + moved, by_count, beyond) - look_up_count(on_left, by_count, beyond)
        gain -= look_up_count(on_right - moved, by_count, beyond) - look_up_count(on_right, by_count, beyond)
        left_cell[cell] = on_left + moved
        if tabled:
            loss += by_rows[np.uint64(on_left + moved)] - by_rows[np.uint64(on_left)]
            loss += by_rows[np.uint64(on_right - moved)] - by_rows[np.uint64(on_right)]
        else:
            if parts.size > 0 and parts[row] >= 0:
                left_parts[cell, np.uint64(parts[row])] += moved
            both = loss_of_halves(cell, on_left + moved, on_right - moved, left_parts, grouped, terms)
            loss += both - halves[cell]
            halves[cell] = both
        if i + 1 == order.size or ranks[np.uint64(order[i + 1])] != ranks[row]:
            gains[np.uint64(ranks[row])] = gain
            losses[np.uint64(ranks[row])] = loss


@plain_kernel
def clear_halves(order, grouped, terms, left, left_parts):
    """Empty the left halves of the cells whose rows are in `order`."""
    tabled = is_tabled(grouped, terms)
    for row in order:
        cell = grouped.cell_of_row[row]
        left[0, cell] = 0
        left[1, grouped.entry_of_row[row]] = 0
        if not tabled and grouped.cells.rows[cell] == row:
            left[2, cell] = loss_of(np.int64(cell), NONE, grouped, terms)
            for part in range(grouped.rows_by_part.size):
                left_parts[cell, part] = 0


def score_pairs(codes, classes, counts, parts, grouped, terms, class_column):
    """Return relevance less divergence, in units, of every pair of columns and of each alone.

    The relevance lacks a constant of the table. What column i adds to column j is
    scores[i, j] - scores[j, j]. `grouped` is room for the groups.
    """
    n_columns, n_rows = codes.shape
    class_keys, own_keys = np.zeros((2, n_rows), dtype=np.uint64)
    add_codes(class_keys, class_column, classes)
    scores = np.zeros((n_columns, n_columns), dtype=np.int64)
    for i in range(n_columns):
        own_keys[:] = 0
        add_codes(own_keys, i, codes[i])
        for j in range(i + 1):
            threads.check_stop()
            keys = own_keys.copy()
            if j < i:
                add_codes(keys, j, codes[j])
            n_entries = group_rows(keys + class_keys, counts, grouped.entries, grouped.entry_of_row)
            n_cells = group_rows(keys, counts, grouped.cells, grouped.cell_of_row)
            if parts.size:
                count_parts(grouped.cell_of_row, counts, parts, grouped.by_part)
            score = sum_terms(grouped.entries.counts, n_entries, terms)
            score -= sum_terms(grouped.cells.counts, n_cells, terms) + sum_losses(grouped, n_cells, terms)
            scores[i, j] = scores[j, i] = score
    return scores
