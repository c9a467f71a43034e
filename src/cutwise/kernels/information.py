"""How much any two columns of codes tell of each other.

Two columns with few codes are counted in a table. Where the table would have more cells than
there are rows, the rows are put in order of one column; then each of its codes is a run of
rows, and the codes of the second column are counted run by run. So a pair of columns takes
O(rows) time and memory, however many codes there are.

Terms are rounded to whole multiples of 2**-52 bits, so that their sum is exact in any order.
"""

from __future__ import annotations

import numpy as np

from cutwise.kernels.compile import kernel
from cutwise.kernels.elementary import log2
from cutwise.kernels.stopping import check_stop

GRID = 2.0**52


@kernel
def order_by_code(codes, n_codes, order, ends):
    """Put the rows in order of their codes; those of code v end before ends[v]. Missing ones are left out."""
    for code in range(n_codes + 1):
        ends[code] = 0
    for row in range(codes.size):
        if codes[row] >= 0:
            ends[codes[row] + 1] += 1
    for code in range(n_codes):
        ends[code + 1] += ends[code]
    for row in range(codes.size):
        if codes[row] >= 0:
            order[ends[codes[row]]] = row
            ends[codes[row]] += 1


@kernel
def count_known(codes, weights, order, n_rows, counts):
    """Count the given rows by code and return how many have one; counts must be zeros."""
    total = 0.0
    for i in range(n_rows):
        row = order[i]
        if codes[row] >= 0:
            counts[codes[row]] += weights[row]
            total += weights[row]
    return total


@kernel
def term_of(count, in_first, in_second, total):
    """Return what a pair of codes adds to the mutual information, as a whole number of units."""
    return np.int64(np.rint(count / total * log2(count * total / (in_first * in_second)) * GRID))


@kernel
def information_by_table(first, second, n_first, n_second, weights, table, by_first, by_second):
    """Return the mutual information, in bits, of two columns. The three arrays are zeros, and are left so."""
    total = 0.0
    for row in range(first.size):
        if first[row] >= 0 and second[row] >= 0:
            table[np.uint64(first[row] * n_second + second[row])] += weights[row]
    for a in range(n_first):
        for b in range(n_second):
            count = table[a * n_second + b]
            by_first[a] += count
            by_second[b] += count
            total += count
    units = np.int64(0)
    for a in range(n_first):
        for b in range(n_second):
            count = table[a * n_second + b]
            if count > 0:
                units += term_of(count, by_first[a], by_second[b], total)
            table[a * n_second + b] = 0.0
        by_first[a] = 0.0
    for b in range(n_second):
        by_second[b] = 0.0
    return max(units, 0) / GRID


@kernel
def information_by_runs(codes, weights, order, ends, n_codes, by_code, in_run):
    """Return the mutual information, in bits, of the column in order and the column `codes`.

    by_code and in_run are zeros, as long as there are codes, and are left so.
    """
    n_rows = ends[n_codes - 1]
    total = count_known(codes, weights, order, n_rows, by_code)
    units = np.int64(0)
    start = np.int64(0)
    for run in range(n_codes):
        stop = ends[run]
        in_both = 0.0
        for i in range(start, stop):
            row = order[i]
            if codes[row] >= 0:
                in_run[codes[row]] += weights[row]
                in_both += weights[row]
        for i in range(start, stop):
            code = codes[order[i]]
            if code >= 0 and in_run[code] > 0:
                units += term_of(in_run[code], in_both, by_code[code], total)
                in_run[code] = 0.0
        start = stop
    for i in range(n_rows):
        if codes[order[i]] >= 0:
            by_code[codes[order[i]]] = 0.0
    return max(units, 0) / GRID


@kernel
def pair_information(columns, n_codes, weights):
    """Return bits[column, column] that any two columns[column, row] tell of each other.

    A negative code is missing: a pair is judged by the rows that have both. Weights are
    positive, and their sums are exact. The diagonal is 0.
    """
    n_columns, n_rows = columns.shape
    most = np.int64(1)
    for column in range(n_columns):
        most = max(most, n_codes[column])
    order = np.empty(n_rows, dtype=np.int64)
    ends = np.empty(most + 1, dtype=np.int64)
    by_code = np.zeros(most)
    in_run = np.zeros(most)
    table = np.zeros(n_rows)
    bits = np.zeros((n_columns, n_columns))
    for first in range(n_columns):
        n_first = n_codes[first]
        order_by_code(columns[first], n_first, order, ends)
        for second in range(first + 1, n_columns):
            check_stop()
            column = columns[second]
            if n_first * n_codes[second] <= n_rows:
                found = information_by_table(
                    columns[first], column, n_first, n_codes[second], weights, table, by_code, in_run
                )
            else:
                found = information_by_runs(column, weights, order, ends, n_first, by_code, in_run)
            bits[first, second] = found
            bits[second, first] = found
    return bits
