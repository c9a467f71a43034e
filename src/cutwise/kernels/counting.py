"""Count the rows of each distinct value by label.

Counts are kept as entries: those of value u are starts[u] to starts[u + 1], each with a
label and the number of rows. Labels of one value ascend, and no entry is empty.
"""

from __future__ import annotations

import numpy as np

from cutwise.kernels.compile import kernel


@kernel
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


@kernel
def fill_entries(values, runs, weights, label_of_run, n_values, n_entries):
    """Return the entries of a sorted column; without weights (None) each row counts one."""
    starts = np.empty(n_values + 1, dtype=np.int64)
    entry_labels = np.empty(n_entries, dtype=np.int32)
    entry_counts = np.empty(n_entries, dtype=np.int64)
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
    starts[n_values] = n_entries
    return starts, entry_labels, entry_counts


@kernel
def pick_distinct(values, n_values):
    """Return the distinct values of a sorted column."""
    distinct = np.empty(n_values, dtype=np.float64)
    at = 0
    for i in range(values.size):
        if i == 0 or values[i] != values[i - 1]:
            distinct[at] = values[i]
            at += 1
    return distinct


@kernel
def count_unordered_entries(values, runs, label_of_run, n_labels):
    """Return how many different labels the distinct values have, added up."""
    value_of_label = np.full(n_labels, -1, dtype=np.int64)
    n_entries = 0
    value = 0
    for i in range(values.size):
        value += i > 0 and values[i] != values[i - 1]
        label = label_of_run[runs[i]]
        if value_of_label[label] != value:
            value_of_label[label] = value
            n_entries += 1
    return n_entries


@kernel
def count_unordered(values, runs, weights, label_of_run, n_labels, n_values):
    """Return the entries of a sorted column whose labels may come in any order."""
    n_entries = count_unordered_entries(values, runs, label_of_run, n_labels)
    starts = np.empty(n_values + 1, dtype=np.int64)
    entry_labels = np.empty(n_entries, dtype=np.int32)
    entry_counts = np.empty(n_entries, dtype=np.int64)
    by_label = np.zeros(n_labels, dtype=np.int64)
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
        for label in range(n_labels):
            if by_label[label] > 0:
                entry_labels[entry] = label
                entry_counts[entry] = by_label[label]
                by_label[label] = 0
                entry += 1
        start = stop
    starts[n_values] = entry
    return starts, entry_labels, entry_counts


@kernel
def count_bins(starts, labels, counts, n_labels, ends):
    """Return the counts of each bin by label; bin b holds the values before ends[b]."""
    table = np.zeros((ends.size, n_labels), dtype=np.int64)
    value = 0
    for code in range(ends.size):
        while value < ends[code]:
            for entry in range(starts[value], starts[value + 1]):
                table[code, labels[entry]] += counts[entry]
            value += 1
    return table
