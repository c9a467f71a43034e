"""Bring a column into order together with each row's group.

Rows of one group are sorted by numpy, which sorts plain doubles much faster than
pairs; the sorted runs are then merged. Equal values keep the order of their groups.
"""

from __future__ import annotations

import numpy as np

from cutwise.kernels.compile import kernel


@kernel
def pack_runs(values, starts, stops):
    """Move the runs values[starts[g]:stops[g]] together; return where each one starts."""
    packed = np.empty(starts.size + 1, dtype=np.int64)
    at = 0
    for group in range(starts.size):
        packed[group] = at
        for i in range(starts[group], stops[group]):
            values[at] = values[i]
            at += 1
    packed[starts.size] = at
    return packed


@kernel
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


@kernel
def merge_runs(values, starts):
    """Return the sorted values and, for each, the number of the run it came from."""
    n_runs = starts.size - 1
    size = starts[n_runs]
    labels = np.empty(size, dtype=np.int32)
    for run in range(n_runs):
        for i in range(starts[run], starts[run + 1]):
            labels[i] = run
    values = values[:size]
    if n_runs < 2:
        return values, labels
    other_values = np.empty(size, dtype=np.float64)
    other_labels = np.empty(size, dtype=np.int32)
    width = 1
    while width < n_runs:
        for run in range(0, n_runs, 2 * width):
            middle = starts[min(run + width, n_runs)]
            stop = starts[min(run + 2 * width, n_runs)]
            merge_two(values, labels, starts[run], middle, stop, other_values, other_labels)
        values, other_values = other_values, values
        labels, other_labels = other_labels, labels
        width *= 2
    return values, labels
