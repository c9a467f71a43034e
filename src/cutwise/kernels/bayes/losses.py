"""Losses of rows and their slopes by the scores, once the exponentials are taken.

With p the softmax of a row's scores, Y the row of 0 and 1 that marks its class, r = Y - p
and w its weight:

    log       -w log p[own class]         slope  -w r_c
    squared   w/2 * sum over c of r_c**2   slope  -w p_c (r_c - sum over k of r_k p_k)

An empty array of weights stands for a weight of 1 for every row.
"""

from __future__ import annotations

import numpy as np

from cutwise.kernels.compile import kernel
from cutwise.kernels.elementary import exp, log


@kernel
def shift_rows(scores):
    """Subtract from each row its largest entry."""
    n_rows, width = scores.shape
    for row in range(n_rows):
        largest = scores[row, 0]
        for k in range(1, width):
            largest = max(largest, scores[row, k])
        for k in range(width):
            scores[row, k] -= largest


@kernel
def log_rows(shifted, powers, labels, weights):
    """Return the log-loss; `powers`, the exponentials of the shifted scores, become its slopes."""
    n_rows, n_classes = powers.shape
    total = 0.0
    for row in range(n_rows):
        weight = 1.0 if weights.size == 0 else weights[row]
        in_all = 0.0
        for c in range(n_classes):
            in_all += powers[row, c]
        total += weight * (log(in_all) - shifted[row, labels[row]])
        factor = weight / in_all
        for c in range(n_classes):
            powers[row, c] *= factor
        powers[row, labels[row]] -= weight
    return total


@kernel
def squared_rows(powers, labels, weights):
    """Return half the squared errors; `powers`, the exponentials of the scores, become their slopes."""
    n_rows, n_classes = powers.shape
    total = 0.0
    for row in range(n_rows):
        weight = 1.0 if weights.size == 0 else weights[row]
        label = labels[row]
        in_all = 0.0
        for c in range(n_classes):
            in_all += powers[row, c]
        squares = 0.0
        mean = 0.0
        for c in range(n_classes):
            p = powers[row, c] / in_all
            error = (1.0 if c == label else 0.0) - p
            squares += error * error
            mean += error * p
        for c in range(n_classes):
            p = powers[row, c] / in_all
            error = (1.0 if c == label else 0.0) - p
            powers[row, c] = weight * p * (mean - error)
        total += 0.5 * weight * squares
    return total


@kernel
def mixed_rows(powers, labels, weights, mixing, published):
    """Return half the squared errors of mixed probabilities, and their slope by the mixing.

    The first half of a row's powers gives the probabilities p, the second half gives s; the
    mixture is (1 - mixing) p + mixing s. Powers become the slopes of the scores; the
    published ones of the second half lack the other classes' share.
    """
    n_rows = powers.shape[0]
    n_classes = powers.shape[1] // 2
    errors = np.empty(n_classes)
    total = 0.0
    slope = 0.0
    for row in range(n_rows):
        weight = 1.0 if weights.size == 0 else weights[row]
        first = powers[row, :n_classes]
        second = powers[row, n_classes:]
        first_sum = 0.0
        second_sum = 0.0
        for c in range(n_classes):
            first_sum += first[c]
            second_sum += second[c]
        squares = 0.0
        towards = 0.0
        first_mean = 0.0
        second_mean = 0.0
        for c in range(n_classes):
            p = first[c] / first_sum
            s = second[c] / second_sum
            error = (1.0 if c == labels[row] else 0.0) - (p + mixing * (s - p))
            first[c] = p
            second[c] = s
            errors[c] = error
            squares += error * error
            towards += error * (s - p)
            first_mean += error * p
            second_mean += error * s
        first_weight = weight * (1.0 - mixing)
        second_weight = weight * mixing
        for c in range(n_classes):
            first[c] *= first_weight * (first_mean - errors[c])
            if published:
                second[c] *= second_weight * (second[c] - 1.0) * errors[c]
            else:
                second[c] *= second_weight * (second_mean - errors[c])
        total += 0.5 * weight * squares
        slope -= weight * towards
    return total, slope


@kernel
def to_log_shares(shifted):
    """Turn the scores of each row, of which the largest is 0, into logarithms of probabilities."""
    for row in range(shifted.shape[0]):
        total = 0.0
        for c in range(shifted.shape[1]):
            total += exp(shifted[row, c])
        less = log(total)
        for c in range(shifted.shape[1]):
            shifted[row, c] -= less


@kernel
def mix_log_shares(logs, mixing):
    """Return the logarithms of mixed probabilities, whose logarithms are the two halves of each row."""
    n_rows = logs.shape[0]
    n_classes = logs.shape[1] // 2
    first, second = log(1.0 - mixing), log(mixing)
    out = np.empty((n_rows, n_classes))
    for row in range(n_rows):
        for c in range(n_classes):
            one = logs[row, c] + first
            two = logs[row, n_classes + c] + second
            high, low = max(one, two), min(one, two)
            out[row, c] = high + log(1.0 + exp(low - high)) if high > -np.inf else high
    return out


@kernel
def count_cells(codes, offsets, labels, weights, counts):
    """Add each row to counts[cell, label]; with no weights (an empty array) it counts once."""
    n_rows, n_attributes = codes.shape
    for row in range(n_rows):
        label = np.uint64(labels[row])
        weight = 1.0 if weights.size == 0 else weights[row]
        for j in range(n_attributes):
            code = codes[row, j]
            cell = offsets[j] + code
            if code >= 0 and cell < offsets[j + 1]:
                counts[np.uint64(cell), label] += weight


# Tables of so many columns or fewer are added up a few columns at a time, in variables.
NARROW = 12


@kernel
def find_cells(codes, offsets, cells):
    """Write the cell of each code; -1 for an unknown one."""
    n_rows, n_attributes = codes.shape
    for row in range(n_rows):
        for j in range(n_attributes):
            code = codes[row, j]
            cell = offsets[j] + code
            cells[row, j] = cell if code >= 0 and cell < offsets[j + 1] else -1


@kernel
def sum_cells(cells, table, sums):
    """Add to each row of sums the rows of the table that its cells name."""
    n_rows, n_attributes = cells.shape
    width = np.uint64(table.shape[1])
    if width <= NARROW:
        for row in range(n_rows):
            k = 0
            while k + 3 < table.shape[1]:
                sum_four(cells, row, table, k, sums)
                k += 4
            if k + 1 < table.shape[1]:
                sum_two(cells, row, table, k, sums)
                k += 2
            if k < table.shape[1]:
                for j in range(n_attributes):
                    if cells[row, j] >= 0:
                        sums[row, k] += table[np.uint64(cells[row, j]), k]
        return
    for row in range(n_rows):
        for j in range(n_attributes):
            if cells[row, j] >= 0:
                at = np.uint64(cells[row, j])
                for k in range(width):
                    sums[row, k] += table[at, k]


@kernel
def sum_four(cells, row, table, k, sums):
    """Do as `sum_cells` for a row and four columns."""
    a, b, c, d = sums[row, k], sums[row, k + 1], sums[row, k + 2], sums[row, k + 3]
    for j in range(cells.shape[1]):
        if cells[row, j] >= 0:
            at = np.uint64(cells[row, j])
            a += table[at, k]
            b += table[at, k + 1]
            c += table[at, k + 2]
            d += table[at, k + 3]
    sums[row, k], sums[row, k + 1], sums[row, k + 2], sums[row, k + 3] = a, b, c, d


@kernel
def sum_two(cells, row, table, k, sums):
    """Do as `sum_cells` for a row and two columns."""
    a, b = sums[row, k], sums[row, k + 1]
    for j in range(cells.shape[1]):
        if cells[row, j] >= 0:
            at = np.uint64(cells[row, j])
            a += table[at, k]
            b += table[at, k + 1]
    sums[row, k], sums[row, k + 1] = a, b


@kernel
def add_rows(values, sums):
    """Add each row of values to sums."""
    for row in range(values.shape[0]):
        for k in range(values.shape[1]):
            sums[k] += values[row, k]


@kernel
def add_to_cells(cells, values, sums):
    """Add values[row] to sums[cell] for every cell of the row."""
    n_rows, n_attributes = cells.shape
    width = np.uint64(values.shape[1])
    if width <= NARROW:
        for row in range(n_rows):
            k = 0
            while k + 3 < values.shape[1]:
                add_four(cells, row, values, k, sums)
                k += 4
            if k + 1 < values.shape[1]:
                add_two(cells, row, values, k, sums)
                k += 2
            if k < values.shape[1]:
                for j in range(n_attributes):
                    if cells[row, j] >= 0:
                        sums[np.uint64(cells[row, j]), k] += values[row, k]
        return
    for row in range(n_rows):
        for j in range(n_attributes):
            if cells[row, j] >= 0:
                at = np.uint64(cells[row, j])
                for k in range(width):
                    sums[at, k] += values[row, k]


@kernel
def add_four(cells, row, values, k, sums):
    """Do as `add_to_cells` for a row and four columns."""
    a, b, c, d = values[row, k], values[row, k + 1], values[row, k + 2], values[row, k + 3]
    for j in range(cells.shape[1]):
        if cells[row, j] >= 0:
            at = np.uint64(cells[row, j])
            sums[at, k] += a
            sums[at, k + 1] += b
            sums[at, k + 2] += c
            sums[at, k + 3] += d


@kernel
def add_two(cells, row, values, k, sums):
    """Do as `add_to_cells` for a row and two columns."""
    a, b = values[row, k], values[row, k + 1]
    for j in range(cells.shape[1]):
        if cells[row, j] >= 0:
            at = np.uint64(cells[row, j])
            sums[at, k] += a
            sums[at, k + 1] += b
