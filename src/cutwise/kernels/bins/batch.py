"""Count several columns of the same rows, and search them, one after the other in one call.

With few rows a search takes less time than calling it. Column j of a batch has the values firsts[j] to
firsts[j + 1] - 1, and the entries of value u are starts[u] to starts[u + 1], whatever its column.
"""

from __future__ import annotations

import numpy as np

from cutwise.kernels.bins.counting import merge_all, move_runs
from cutwise.kernels.bins.splitting import FIRST_BIN as FIRST
from cutwise.kernels.bins.splitting import FIRST_ROOM, FULL, N_FIELDS, NO_GAIN, STOP, first_room, go_on, more_room
from cutwise.kernels.compile import plain_kernel
from cutwise.kernels.inputs import LabelledRows

# For a column there is room for so many steps at first.
STEPS_EACH = 8


def count_columns(values, stops, run_starts, label_of_run):
    """Return the distinct values of sorted runs, the first one of each column, and the entries.

    Row j of `values` is a column whose run r is run_starts[r] to stops[j, r] - 1.
    """
    n_columns, size = values.shape
    distinct = np.empty(values.size)
    firsts = np.zeros(n_columns + 1, dtype=np.int64)
    starts = np.empty(values.size + 1, dtype=np.int64)
    labels = np.empty(values.size, dtype=np.int32)
    counts = np.empty(values.size, dtype=np.int64)
    runs = np.empty((2, size), dtype=np.int32)
    packed = np.empty(run_starts.size + 1, dtype=np.int64)
    write_columns(
        values, stops, run_starts, label_of_run, packed, runs, np.empty(size), distinct, firsts, starts, labels, counts
    )
    n_values = int(firsts[-1])
    n_entries = int(starts[n_values])
    return distinct[:n_values], firsts, starts[: n_values + 1], labels[:n_entries], counts[:n_entries]


@plain_kernel
def write_columns(
    values, stops, run_starts, label_of_run, packed, runs, other, distinct, firsts, starts, labels, counts
):
    """Merge the runs of each column and write its distinct values and entries behind those of the columns before."""
    value, entry = np.int64(-1), np.int64(-1)
    for column in range(values.shape[0]):
        move_runs(values[column], run_starts, stops[column], packed)
        size = packed[packed.size - 1]
        merged, merged_runs = values[column], runs[0]
        if merge_all(values[column], runs[0], packed, other, runs[1]):
            merged, merged_runs = other, runs[1]
        for i in range(size):
            label = label_of_run[merged_runs[i]]
            is_new = i == 0 or merged[i] != merged[i - 1]
            if is_new:
                value += 1
                distinct[value] = merged[i]
                starts[value] = entry + 1
            if is_new or labels[entry] != label:
                entry += 1
                labels[entry] = label
                counts[entry] = 0
            counts[entry] += 1
        firsts[column + 1] = value + 1
    starts[value + 1] = entry + 1


def add_cuts_to_columns(columns, firsts, table, terms, n_d):
    """Search for the cuts of some columns of a batch, as `splitting.add_cuts` does for one.

    Returns
    -------
    steps : ndarray of shape (n_steps, 3)
        Those of all columns, one after the other, as rows (gap, gain, loss).
    ends : ndarray of shape (n_columns + 1,)
        The steps of the column columns[i] are ends[i] to ends[i + 1].
    n_cuts, stops : ndarray of shape (n_columns,)
        How many steps of each column were accepted, and the reasons to stop.
    """
    room = first_room(table, None, terms, n_d)
    steps = np.empty((STEPS_EACH * columns.size + FIRST_ROOM, 3), dtype=np.int64)
    ends = np.zeros(columns.size + 1, dtype=np.int64)
    n_cuts, stops = np.empty((2, columns.size), dtype=np.int64)
    done, begun = 0, False
    while True:
        done = cut_columns(done, begun, columns, firsts, table, terms, room, steps, ends, n_cuts, stops)
        if done == columns.size:
            return steps[: ends[-1]], ends, n_cuts, stops
        # The search of one column has begun, and goes on when there is more room for its bins and its steps.
        begun = True
        if room.sums[0] + 1 == room.uppers.size:
            room = more_room(room, n_d)
        else:
            steps = np.concatenate([steps, np.empty_like(steps)])


@plain_kernel
def cut_columns(done, begun, columns, firsts, table, terms, room, steps, ends, n_cuts, stops):
    """Search columns, after as many as are done, until there is no room; return how many are done."""
    while done < columns.size:
        first, last = firsts[columns[done]], firsts[columns[done] + 1]
        if not begun:
            for field in range(N_FIELDS):
                room.bins[0, field] = FIRST[field]
            room.bins[0, STOP] = last - first
            room.uppers[0] = np.inf
            for field in range(3):
                room.sums[field] = 0
        own = LabelledRows(table.starts[first : last + 1], table.labels, table.counts, table.n_labels)
        _, stop = go_on(-1, own, None, terms, room, last - first, None, False)
        n_steps = room.sums[0] + (stop == NO_GAIN)
        at = ends[done]
        if stop == FULL or at + n_steps > steps.shape[0]:
            return done
        for step in range(n_steps):
            for field in range(3):
                steps[at + step, field] = room.steps[step, field]
        ends[done + 1] = at + n_steps
        n_cuts[done] = room.sums[0]
        stops[done] = stop
        begun = False
        done += 1
    return done
