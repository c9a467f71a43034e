"""MODL from below: start with many small bins and join neighbours.

Joining two neighbours always takes one cut away, so the pair to join is the one whose term
rises least, whatever the number of bins. A tree of minima holds the rise of every pair: its
root is the next pair, of equal ones the leftmost. Joining goes on to one bin; the
step at which each gap vanished tells the scheme at every stage.
"""

from __future__ import annotations

import numpy as np

from cutwise.kernels.bins.cadd import FIRST, NEVER, absorb, first_leaf, plant, set_leaf
from cutwise.kernels.bins.splitting import clear_bin, load_bin
from cutwise.kernels.compile import kernel
from cutwise.kernels.modl.modl import bin_term, look_up, prior
from cutwise.kernels.stopping import check_stop


@kernel
def join_pure_runs(starts, labels, counts):
    """Join neighbouring values whose rows are all of one and the same class.

    No scheme of least cost has a cut inside such a run: with x of its rows to the left of a
    cut, the cost of the two bins beside it is ``log (a + x)! / (b + x)!`` and the same with
    -x, a > b, which is concave in x. It is least where the cut is moved to an end of the
    run, or so far that a bin vanishes.

    Returns the last value of each run, and the table of the runs.
    """
    n_values = starts.size - 1
    lasts = np.empty(n_values, dtype=np.int64)
    run_starts = np.zeros(n_values + 1, dtype=np.int64)
    run_labels = np.empty(labels.size, dtype=labels.dtype)
    run_counts = np.empty(counts.size, dtype=np.int64)
    n_runs = 0
    n_entries = 0
    pure = -1
    for value in range(n_values):
        first, stop = starts[value], starts[value + 1]
        label = labels[first] if stop - first == 1 else -2
        if label == pure:
            run_counts[n_entries - 1] += counts[first]
        else:
            for entry in range(first, stop):
                run_labels[n_entries] = labels[entry]
                run_counts[n_entries] = counts[entry]
                n_entries += 1
            n_runs += 1
            pure = label if label >= 0 else -1
        lasts[n_runs - 1] = value
        run_starts[n_runs] = n_entries
    return lasts[:n_runs], run_starts[: n_runs + 1], run_labels[:n_entries], run_counts[:n_entries]


@kernel
def rise(left, right, by_label, rows, terms, min_count):
    """Return by how much the terms of two bins rise when they are joined; smaller comes first."""
    total = bin_term(rows[left] + rows[right], terms) - bin_term(rows[left], terms) - bin_term(rows[right], terms)
    for label in range(by_label.shape[1]):
        here = by_label[left, label]
        there = by_label[right, label]
        if here > 0 and there > 0:
            total += look_up(here, terms) + look_up(there, terms) - look_up(here + there, terms)
    if rows[left] < min_count or rows[right] < min_count:
        return total - FIRST
    return total


@kernel
def merge_bins(by_label, rows, terms, min_count, max_bins):
    """Join neighbouring bins until one is left. The arrays by_label and rows are used up.

    Returns
    -------
    n_left : ndarray of int
        For each gap, how many bins there were when it vanished.
    best : int
        The number of bins of the cheapest scheme on the way, the fewest of equal ones. It
        keeps the limits if any does.
    """
    n_bins = rows.size
    n_left = np.empty(n_bins - 1, dtype=np.int64)
    after = np.arange(1, n_bins + 1)
    before = np.arange(-1, n_bins - 1)
    keys = np.empty(n_bins - 1, dtype=np.int64)
    for pair in range(n_bins - 1):
        keys[pair] = rise(pair, pair + 1, by_label, rows, terms, min_count)
    tree = plant(keys, NEVER)
    cost = prior(n_bins - 1, terms)
    lowest = cost if n_bins <= max_bins and tree[1] > -FIRST // 2 else NEVER
    best = n_bins
    spent = np.int64(0)
    while n_bins > 1:
        check_stop()
        left = first_leaf(tree)
        key = tree[1]
        spent += key + FIRST if key < -FIRST // 2 else key
        right = absorb(left, by_label, rows, before, after)
        n_left[right - 1] = n_bins
        if after[left] < rows.size:
            set_leaf(tree, right, NEVER)
            set_leaf(tree, left, rise(left, after[left], by_label, rows, terms, min_count))
        else:
            set_leaf(tree, left, NEVER)
        if before[left] >= 0:
            set_leaf(tree, before[left], rise(before[left], left, by_label, rows, terms, min_count))
        n_bins -= 1
        cost = spent + prior(n_bins - 1, terms)
        if n_bins <= max_bins and cost <= lowest and tree[1] > -FIRST // 2:
            lowest = cost
            best = n_bins
    return n_left, best


@kernel
def scan(start, stop, table, terms, min_count, left, right):
    """Return the term of a bin, the least sum of the terms of two halves, and the gap between them.

    The sum is NEVER where the bin has no two halves of min_count. `left` and `right` are
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
    best = NEVER
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
    cost[start], _, _ = scan(start, stop, table, terms, NEVER, left, right)


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
