"""What the genetic search asks again and again: how often naive Bayes errs with these cuts.

The rows are coded once. A cell is what lies between two neighbouring candidate cuts of a
column, or one category; cells are numbered through all columns, and ``rows[column, row]`` is
the cell of a row. Cell 0 belongs to no column: it stands for missing values and says nothing.
A choice of cuts joins cells to bins: ``ends[cell]`` tells whether a bin ends with a cell.

Logarithms are rounded to whole units before they are added, so that a sum is the same in any
order. Two classes tie for a row if their sums differ by no more than the rounding can; a row
that k classes win alike is wrong with the probability (k - 1) / k, as if lots were drawn.
"""

from __future__ import annotations

import numpy as np

from cutwise.kernels.compile import formula, kernel, plain_kernel
from cutwise.kernels.elementary import log2
from cutwise.kernels.stopping import check_stop

# Units of one bit.
LOG_UNITS = 2.0**36
# Units of one error; every number up to 12 divides it. Times 2**46, the largest sum of
# weights, it is still below 2**63.
ERROR_UNITS = 27720
BLOCK = 256


@plain_kernel
def find_changes(starts, labels, place_of_class, gaps):
    """Write the gaps before values that bring another class than the last border; return how many.

    The classes of a value are looked at in the order of their places. The first of them
    that is not the class of the last border makes the value a border of its own.
    """
    n_gaps = 0
    border = -1
    for value in range(starts.size - 1):
        first = -1
        for entry in range(starts[value], starts[value + 1]):
            label = labels[entry]
            if label != border and (first < 0 or place_of_class[label] < place_of_class[first]):
                first = label
        if first < 0:
            continue
        if value > 0:
            gaps[n_gaps] = value - 1
            n_gaps += 1
        border = first
    return n_gaps


@kernel
def keep_allowed(chosen, candidates, rows_before, n_rows, min_counts, max_cuts):
    """Drop chosen cuts that break the limits; the candidates of column j begin at candidates[j].

    From left to right, a cut stays if the bin to its left is large enough; then the last
    ones go until the bin to their right is. Of more than max_cuts cuts in a column, some
    that are evenly spread over them stay.
    """
    kept = np.empty(chosen.size, dtype=np.int64)
    for column in range(candidates.size - 1):
        n_kept = 0
        below = 0
        for cut in range(candidates[column], candidates[column + 1]):
            if chosen[cut] and rows_before[cut] - below >= min_counts[column]:
                below = rows_before[cut]
                kept[n_kept] = cut
                n_kept += 1
            chosen[cut] = False
        while n_kept > 0 and n_rows[column] - rows_before[kept[n_kept - 1]] < min_counts[column]:
            n_kept -= 1
        n_left = min(n_kept, max_cuts[column])
        for i in range(n_left):
            chosen[kept[(2 * i + 1) * n_kept // (2 * n_left)]] = True


@formula
def log_units(number):
    """Return the logarithm in whole units."""
    return np.int64(np.rint(log2(number) * LOG_UNITS))


@plain_kernel
def fill_terms(counts, starts, ends, unit, terms, columns):
    """Write the logarithm of P(bin | class) for each cell; return how many columns have several bins.

    Their numbers are written to `columns`. The cells of a column with one bin are left as they are.
    """
    n_columns = 0
    for column in range(starts.size - 1):
        n_bins = 0
        for cell in range(starts[column], starts[column + 1]):
            n_bins += ends[cell]
        if n_bins < 2:
            continue
        columns[n_columns] = column
        n_columns += 1
        for label in range(counts.shape[0]):
            total = 0
            for cell in range(starts[column], starts[column + 1]):
                total += counts[label, cell]
            whole = log_units(total * unit + n_bins)
            inside = 0
            first = starts[column]
            for cell in range(starts[column], starts[column + 1]):
                inside += counts[label, cell]
                if ends[cell]:
                    # Of many classes and bins most have no row in common.
                    term = (log_units(inside * unit + 1.0) if inside > 0 else 0) - whole
                    for member in range(first, cell + 1):
                        terms[label, member] = term
                    first = cell + 1
                    inside = 0
    return n_columns


@plain_kernel
def add_terms(rows, columns, n_columns, terms, label, first, n_rows, sums):
    """Add the terms of the columns to the sums of some rows, for one class; four columns at a time."""
    whole = n_columns // 4 * 4
    for at in range(0, whole, 4):
        a, b, c, d = columns[at], columns[at + 1], columns[at + 2], columns[at + 3]
        for i in range(n_rows):
            row = np.uint64(first + i)
            left = terms[label, np.uint64(rows[a, row])] + terms[label, np.uint64(rows[b, row])]
            right = terms[label, np.uint64(rows[c, row])] + terms[label, np.uint64(rows[d, row])]
            sums[label, i] += left + right
    for at in range(whole, n_columns):
        a = columns[at]
        for i in range(n_rows):
            sums[label, i] += terms[label, np.uint64(rows[a, np.uint64(first + i)])]


@plain_kernel
def judge_row(sums, i, label, tolerance):
    """Return the share of a row that is wrong, in units, if its class is `label`."""
    best = sums[0, i]
    for other in range(1, sums.shape[0]):
        best = max(best, sums[other, i])
    if sums[label, i] < best - tolerance:
        return ERROR_UNITS
    n_winners = 0
    for other in range(sums.shape[0]):
        n_winners += sums[other, i] >= best - tolerance
    return ERROR_UNITS - ERROR_UNITS // n_winners


@plain_kernel
def count_errors(rows, classes, weights, counts, starts, prior, unit, ends, columns, terms, sums):
    """Return the weight of the rows that naive Bayes gets wrong, in units of an error.

    prior[c] is the logarithm of the weight of class c; no class is without rows. columns [column], terms
    [class, cell] and sums [class, BLOCK] are working space; the terms must be zero.
    """
    n_columns = fill_terms(counts, starts, ends, unit, terms, columns)
    tolerance = 2 * n_columns + 1
    wrong = 0
    for first in range(0, classes.size, BLOCK):
        check_stop()
        size = min(BLOCK, classes.size - first)
        for label in range(prior.size):
            for i in range(size):
                sums[label, i] = prior[label]
            add_terms(rows, columns, n_columns, terms, label, first, size, sums)
        for i in range(size):
            wrong += weights[first + i] * judge_row(sums, i, classes[first + i], tolerance)
    return wrong
