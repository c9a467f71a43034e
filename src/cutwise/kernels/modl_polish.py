"""MODL by small changes: split, join and move until none of them lowers the cost.

Four changes are tried at each bin: to split it, to join it with the next one, to move the
cut between them, and to replace it and the next two by two. Whichever lowers the cost most
is made, and the search goes on two bins further to the left; it ends after a round over
all bins without a change.
"""

from __future__ import annotations

import numpy as np

from cutwise.kernels.compile import kernel
from cutwise.kernels.modl import bin_term, look_up, prior
from cutwise.kernels.splitting import clear_bin, load_bin
from cutwise.kernels.stopping import check_stop

NOTHING = np.int64(1) << 61


@kernel
def scan(start, stop, table, terms, min_count, left, right):
    """Return the term of a bin, the least sum of the terms of two halves, and the gap between them.

    The sum is NOTHING where the bin has no two halves of min_count. `left` and `right` are
    zeros by label, before and after.
    """
    starts, labels, counts = table.starts, table.labels, table.counts
    rows = load_bin(start, stop, table, right)
    classes = np.int64(0)
    if right.size <= stop - start:
        for label in range(right.size):
            classes += look_up(right[label], terms)
    else:
        for entry in range(starts[start], starts[stop]):
            label = labels[entry]
            # Each class once: it is counted where it first appears, on the left.
            if left[label] == 0:
                classes += look_up(right[label], terms)
                left[label] = 1
        clear_bin(start, stop, table, left)
    whole = bin_term(rows, terms) - classes
    best = NOTHING
    gap = start
    left_rows = np.int64(0)
    entry = starts[start]
    for value in range(start, stop - 1):
        last = starts[np.uint64(value + 1)]
        while entry < last:
            label = np.uint64(labels[np.uint64(entry)])
            moved = counts[np.uint64(entry)]
            here = left[label]
            there = right[label]
            left[label] = here + moved
            right[label] = there - moved
            classes += look_up(here + moved, terms) - look_up(here, terms)
            classes += look_up(there - moved, terms) - look_up(there, terms)
            left_rows += moved
            entry += 1
        if left_rows < min_count:
            continue
        if rows - left_rows < min_count:
            break
        total = bin_term(left_rows, terms) + bin_term(rows - left_rows, terms) - classes
        if total < best:
            best = total
            gap = value
    clear_bin(start, stop, table, left)
    clear_bin(start, stop, table, right)
    return whole, best, gap


@kernel
def best_change(start, after, cost, n_bins, table, terms, min_count, max_bins, room):
    """Return what the best change at a bin saves, how many bins it replaces, and its gap.

    The bin that begins at `start` ends at after[start] and has the term cost[start]. Up to
    three bins are replaced, by one if the gap is -1, else by two.
    """
    left, right = room
    saved = np.int64(0)
    replaced = 0
    gap = -1
    more = prior(n_bins, terms) - prior(n_bins - 1, terms)
    fewer = prior(n_bins - 1, terms) - prior(n_bins - 2, terms) if n_bins > 1 else np.int64(0)
    spent = np.int64(0)
    stop = start
    for size in range(1, 4):
        if stop == after.size:
            break
        spent += cost[stop]
        stop = after[stop]
        whole, halves, middle = scan(start, stop, table, terms, min_count, left, right)
        if size == 2 and spent - whole + fewer > saved:
            saved, replaced, gap = spent - whole + fewer, size, -1
        if size == 1 and n_bins == max_bins:
            continue
        gain = spent - halves
        if size == 1:
            gain -= more
        if size == 3:
            gain += fewer
        if gain > saved:
            saved, replaced, gap = gain, size, middle
    return saved, replaced, gap


@kernel
def set_bin(start, stop, after, before, cost, table, terms, room):
    """Write down a bin."""
    left, right = room
    after[start] = stop
    if stop < after.size:
        before[stop] = start
    cost[start], _, _ = scan(start, stop, table, terms, NOTHING, left, right)


@kernel
def replace_bins(start, replaced, gap, after, before, cost, table, terms, room):
    """Put one bin, or two with this gap between them, in the place of some."""
    stop = start
    for _ in range(replaced):
        stop = after[stop]
    if gap < 0:
        set_bin(start, stop, after, before, cost, table, terms, room)
        return
    set_bin(start, gap + 1, after, before, cost, table, terms, room)
    set_bin(gap + 1, stop, after, before, cost, table, terms, room)


@kernel
def polish(gaps, table, terms, min_count, max_bins, least):
    """Return the gaps after all changes that save more than `least`."""
    n_values = table.starts.size - 1
    room = (np.zeros(table.n_labels, dtype=np.int64), np.zeros(table.n_labels, dtype=np.int64))
    after = np.empty(n_values, dtype=np.int64)
    before = np.full(n_values, -1)
    cost = np.empty(n_values, dtype=np.int64)
    start = 0
    for gap in gaps:
        set_bin(start, gap + 1, after, before, cost, table, terms, room)
        start = gap + 1
    set_bin(start, n_values, after, before, cost, table, terms, room)
    n_bins = gaps.size + 1
    changed = True
    while changed:
        changed = False
        start = 0
        while start < n_values:
            check_stop()
            change = best_change(start, after, cost, n_bins, table, terms, min_count, max_bins, room)
            saved, replaced, gap = change
            if saved <= least:
                start = after[start]
                continue
            replace_bins(start, replaced, gap, after, before, cost, table, terms, room)
            n_bins += (1 if gap < 0 else 2) - replaced
            changed = True
            for _ in range(2):
                start = max(before[start], 0)
    polished = np.empty(n_bins - 1, dtype=np.int64)
    start = 0
    for cut in range(n_bins - 1):
        start = after[start]
        polished[cut] = start - 1
    return polished
