"""Sums over rows of which each is in one cell of every column.

A row is given by its cells: whole numbers below the number of cells, one for each column; the last cell of all
stands for "no value" and counts for nothing. Products of 0/1 tables are never made: they are sums over cells.
"""

from __future__ import annotations

import numpy as np

from cutwise.kernels.compile import kernel, plain_kernel
from cutwise.kernels.elementary import exp, log
from cutwise.kernels.stopping import check_stop

# Rows between two looks at the flag that ends a fit.
PATIENCE = 1 << 14
# Rows whose cells, scores and slopes stay in the fastest memory.
BLOCK = 256


@kernel
def place_codes(codes, firsts, n_bins, none, cells):
    """Write the cells of rows of codes behind cell 0, which all rows have; a code that is no bin is in cell `none`."""
    n_rows, n_columns = codes.shape
    for row in range(n_rows):
        cells[row, 0] = 0
        for j in range(n_columns):
            code = codes[row, j]
            cells[row, j + 1] = firsts[j] + code if 0 <= code < n_bins[j] else none


@kernel
def add_tables(cells, table, scores):
    """Add to each row of scores the rows of the table that belong to its cells."""
    n_rows, n_columns = cells.shape
    width = np.uint64(table.shape[1])
    for row in range(n_rows):
        if row % PATIENCE == 0:
            check_stop()
        if width == 1:
            score = scores[row, 0]
            for j in range(n_columns):
                score += table[np.uint64(cells[row, j]), 0]
            scores[row, 0] = score
            continue
        for j in range(n_columns):
            cell = np.uint64(cells[row, j])
            for k in range(width):
                scores[row, k] += table[cell, k]


@kernel
def add_rows(cells, values, table):
    """Add each row of values to the rows of the table that belong to its cells."""
    n_rows, n_columns = cells.shape
    width = np.uint64(table.shape[1])
    for row in range(n_rows):
        if row % PATIENCE == 0:
            check_stop()
        if width == 1:
            value = values[row, 0]
            for j in range(n_columns):
                table[np.uint64(cells[row, j]), 0] += value
            continue
        for j in range(n_columns):
            cell = np.uint64(cells[row, j])
            for k in range(width):
                table[cell, k] += values[row, k]


@kernel
def losses_of_two(scores, labels, weights, slopes, bends, losses):
    """Write the log loss of each row, its slope and its curvature: no row waits for another, so several go at once."""
    for row in range(labels.size):
        is_one = labels[row] == 1
        towards = scores[row] if is_one else -scores[row]
        power = exp(-abs(towards))
        share = 1.0 / (1.0 + power)
        wrong = power * share if towards > 0.0 else share
        losses[row] = weights[row] * (log(1.0 + power) - min(towards, 0.0))
        slopes[row] = -weights[row] * wrong if is_one else weights[row] * wrong
        bends[row] = weights[row] * power * share * share


@kernel
def two_classes(scores, labels, weights, slopes, bends):
    """Return the log loss of rows whose score is the log-odds of class 1; write slopes and curvatures."""
    total = 0.0
    losses = np.empty(BLOCK)
    for first in range(0, labels.size, BLOCK):
        check_stop()
        size = min(BLOCK, labels.size - first)
        rows = slice(first, first + size)
        losses_of_two(scores[rows], labels[rows], weights[rows], slopes[rows], bends[rows], losses[:size])
        for k in range(size):
            total += losses[k]
    return total


@kernel
def many_classes(scores, labels, weights, slopes, shares, bends):
    """Return the log loss of rows with a score for each class; write slopes, probabilities and mean curvatures."""
    n_rows, n_classes = scores.shape
    total = 0.0
    for row in range(n_rows):
        if row % PATIENCE == 0:
            check_stop()
        largest = scores[row, 0]
        for c in range(1, n_classes):
            largest = max(largest, scores[row, c])
        in_all = 0.0
        for c in range(n_classes):
            shares[row, c] = exp(scores[row, c] - largest)
            in_all += shares[row, c]
        total += weights[row] * (log(in_all) - (scores[row, labels[row]] - largest))
        squares = 0.0
        for c in range(n_classes):
            shares[row, c] /= in_all
            squares += shares[row, c] * shares[row, c]
            slopes[row, c] = weights[row] * shares[row, c]
        slopes[row, labels[row]] -= weights[row]
        bends[row] = weights[row] * max(1.0 - squares, 0.0) / (n_classes - 1)
    return total


@kernel
def place_stored(codes, starts, places, groups, pairs, none, cells):
    """Write the cells of rows of stored codes behind cell 0, which all rows have, and those of pairs behind them.

    The entry of code c of column j in `places`, its cell, and in `groups`, its group or -1, is starts[j] + c; code -1
    has the entry before that of code 0. A pair is its two columns, its first cell and the second column's number of
    groups.
    """
    n_rows, n_columns = codes.shape
    for row in range(n_rows):
        cells[row, 0] = 0
        for j in range(n_columns):
            cells[row, j + 1] = places[starts[j] + codes[row, j]]
        for k in range(pairs.shape[0]):
            one, two, first, width = pairs[k]
            group = groups[starts[one] + codes[row, one]]
            other = groups[starts[two] + codes[row, two]]
            cells[row, n_columns + 1 + k] = first + group * width + other if group >= 0 and other >= 0 else none


@kernel
def sum_losses(codes, labels, weights, starts, places, groups, pairs, table, sums):
    """Return the log loss of rows of stored codes; add the slopes to the sums of their cells. See `place_stored`."""
    n_rows, n_columns = codes.shape
    none, width = table.shape[0] - 1, table.shape[1]
    cells = np.empty((BLOCK, 1 + n_columns + pairs.shape[0]), dtype=np.int32)
    scores, slopes, shares = np.empty((BLOCK, width)), np.empty((BLOCK, width)), np.empty((BLOCK, width))
    bends = np.empty(BLOCK)
    total = 0.0
    for first in range(0, n_rows, BLOCK):
        rows = slice(first, min(first + BLOCK, n_rows))
        size = min(BLOCK, n_rows - first)
        place_stored(codes[rows], starts, places, groups, pairs, none, cells[:size])
        scores[:size] = 0.0
        add_tables(cells[:size], table, scores[:size])
        if width == 1:
            odds, changes = scores.reshape(BLOCK)[:size], slopes.reshape(BLOCK)[:size]
            total += two_classes(odds, labels[rows], weights[rows], changes, bends[:size])
        else:
            total += many_classes(
                scores[:size], labels[rows], weights[rows], slopes[:size], shares[:size], bends[:size]
            )
        add_rows(cells[:size], slopes[:size], sums)
    return total


@kernel
def bend_rows(shares, weights, steps):
    """Turn each row's step of the scores into the change of its slopes."""
    n_rows, n_classes = steps.shape
    for row in range(n_rows):
        mean = 0.0
        for c in range(n_classes):
            mean += shares[row, c] * steps[row, c]
        for c in range(n_classes):
            steps[row, c] = weights[row] * shares[row, c] * (steps[row, c] - mean)


@kernel
def add_together(cells, weights, counts):
    """Add each row's weight to counts[a, b] for all of its cells a, and b of the same or a later column."""
    n_rows, n_columns = cells.shape
    for row in range(n_rows):
        if row % PATIENCE == 0:
            check_stop()
        weight = weights[row]
        for j in range(n_columns):
            of_cell = counts[np.uint64(cells[row, j])]
            for k in range(j, n_columns):
                of_cell[np.uint64(cells[row, k])] += weight


@kernel
def sum_pairs(cells, table):
    """Return, for each row, the sum of table[a, b] over all pairs of its cells; the table is symmetric."""
    n_rows, n_columns = cells.shape
    sums = np.empty(n_rows)
    for row in range(n_rows):
        if row % PATIENCE == 0:
            check_stop()
        own = 0.0
        others = 0.0
        for j in range(n_columns):
            of_cell = table[np.uint64(cells[row, j])]
            own += of_cell[np.uint64(cells[row, j])]
            for k in range(j + 1, n_columns):
                others += of_cell[np.uint64(cells[row, k])]
        sums[row] = own + 2.0 * others
    return sums


@kernel
def add_likeness(codes, first_entries, widths, entries, out):
    """Add to out[i, k], for rows k up to i, the likeness of two rows: the sum over columns of that of their codes.

    Column j has the likeness of codes a and b at entries[first_entries[j] + a * widths[j] + b].
    """
    n_rows, n_columns = codes.shape
    for j in range(n_columns):
        check_stop()
        width = widths[j]
        for i in range(n_rows):
            start = first_entries[j] + codes[i, j] * width
            of_row = out[i]
            for k in range(i + 1):
                of_row[k] += entries[np.uint64(start + codes[k, j])]


@kernel
def left_out(scores, labels, weights, leverages):
    """Return the log loss of rows of two classes, each with the log-odds it would have without one copy of itself."""
    total = 0.0
    for row in range(labels.size):
        towards = scores[row, 0] if labels[row] == 1 else -scores[row, 0]
        wrong = 1.0 / (1.0 + exp(towards))
        lever = min(weights[row], 1.0) * leverages[row]
        towards -= lever * wrong / max(1.0 - lever * wrong * (1.0 - wrong), 1e-6)
        total += weights[row] * (log(1.0 + exp(-abs(towards))) - min(towards, 0.0))
    return total


@kernel
def pair_sums(groups, n_groups, pairs, firsts, values, sums):
    """Add each row's values to the cell of its two groups, for each of some pairs of columns.

    groups[j, row] is the group of column j; one of -1 is in no cell. A pair has its cells from firsts[pair] on.
    """
    n_rows, width = values.shape
    for pair in range(pairs.shape[0]):
        check_stop()
        i, j = pairs[pair]
        first, size = firsts[pair], n_groups[j]
        for row in range(n_rows):
            a, b = groups[i, row], groups[j, row]
            if a >= 0 and b >= 0:
                cell = np.uint64(first + a * size + b)
                for k in range(width):
                    sums[cell, k] += values[row, k]


@plain_kernel
def rough_promises(groups, n_groups, spreads, pull, values, sums, of_first, of_second, promises):
    """Fill promises[pair] with what pairs promise if each cell has a score of its own, pulled to 0 like all others.

    The pairs of columns i < j come in the order of i, then of j. groups[j, row] is the group of column j, -1 for none;
    the values of a row are its slopes and its curvature. What a step in the scores of single columns would gain is
    left out. spreads[j] is the variance of a group's score with a pull of 1.

    There is room for sums over the cells of a pair, and over the groups of its first and its second column.
    """
    n_columns, n_rows = groups.shape
    width = values.shape[1]
    bend = width - 1
    n_free = max(bend - 1, 1)
    pair = 0
    for i in range(n_columns):
        check_stop()
        first, n_first = groups[i], n_groups[i]
        for j in range(i + 1, n_columns):
            second, n_second = groups[j], n_groups[j]
            for cell in range(n_first * n_second):
                for k in range(width):
                    sums[cell, k] = 0.0
            for row in range(n_rows):
                a, b = first[row], second[row]
                if a >= 0 and b >= 0:
                    cell = np.uint64(a * n_second + b)
                    for k in range(width):
                        sums[cell, k] += values[row, k]
            steps_of_groups(n_first, n_second, sums, of_first, of_second)
            own_pull = pull / (spreads[i] * spreads[j])
            gain, used = 0.0, 0.0
            for a in range(n_first):
                for b in range(n_second):
                    curved = sums[a * n_second + b, bend]
                    damped = curved + own_pull
                    used += curved / damped
                    for k in range(bend):
                        slope = sums[a * n_second + b, k] - curved * (of_first[a, k] + of_second[b, k])
                        step = slope / damped
                        gain += step * slope - 0.5 * step * step * curved
            free = (n_first - 1) * (n_second - 1) / (n_first * n_second)
            promises[pair] = gain - used * free * n_free
            pair += 1


@plain_kernel
def steps_of_groups(n_first, n_second, sums, of_first, of_second):
    """Fill in the steps in the scores of the groups, of the first column and then of the second, for sums over cells.

    Those of a group without curvature are 0.
    """
    bend = sums.shape[1] - 1
    for a in range(n_first):
        for k in range(bend + 1):
            of_first[a, k] = 0.0
            for b in range(n_second):
                of_first[a, k] += sums[a * n_second + b, k]
        for k in range(bend):
            of_first[a, k] = of_first[a, k] / of_first[a, bend] if of_first[a, bend] > 0.0 else 0.0
    for b in range(n_second):
        of_second[b, bend] = 0.0
        for a in range(n_first):
            of_second[b, bend] += sums[a * n_second + b, bend]
        for k in range(bend):
            rest = 0.0
            for a in range(n_first):
                cell = a * n_second + b
                rest += sums[cell, k] - sums[cell, bend] * of_first[a, k]
            of_second[b, k] = rest / of_second[b, bend] if of_second[b, bend] > 0.0 else 0.0
