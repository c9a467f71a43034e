"""Bottom-up search: join the two neighbouring bins that are most alike, again and again.

A bin keeps its counts as a short list of (class, count) with ascending classes, in the
place where the entries of its values stood: a bin of few rows takes little room however
many classes there are. When two bins are joined, the left one takes over the place of
both.

How much two neighbours differ is their chi-square in whole units: each summand is
rounded once, so that neither the order of the classes nor that of the bins matters.
Their key is ``(chi-square - thresholds[df]) * factors[df]`` with df = classes in the
pair - 1. Pairs are joined in the order of their keys, of equal ones the leftmost first.
Keys wait in a heap; a pair whose key changes is pushed once more, and its old entry is
passed over when it comes up.
"""

from __future__ import annotations

import numpy as np

from cutwise.kernels.compile import plain_kernel
from cutwise.kernels.stopping import check_stop

# The fields of a bin: its first value, its list of classes, its rows, its neighbours and
# the key of the pair that it makes with the right one. They fill a line of the cache.
VALUE, ENTRY, N_ENTRIES, ROWS, LEFT, RIGHT, KEY = range(7)
N_FIELDS = 8
# No neighbour; and the key of a pair that is not to be joined.
NONE = -1
NEVER = (1 << 63) - 1
# Which pairs may be joined: all, those with too small a bin, those whose rates of the
# second class come in the wrong order.
ANY, SMALL, FALLING, RISING = range(4)
# Which neighbouring values make one bin from the start.
NOTHING, PURE, PROPORTIONAL = range(3)


@plain_kernel
def first_bins(starts, labels, counts, alike, bins):
    """Fill `bins` from the entries of the values; return how many there are.

    Neighbouring values make one bin if `alike` is PURE and all their rows are of one
    class, or if it is PROPORTIONAL and they have the same shares of the classes. Their
    counts are added up in place.
    """
    n_bins = 0
    for value in range(starts.size - 1):
        start = starts[value]
        size = starts[value + 1] - start
        rows = np.int64(0)
        for entry in range(start, start + size):
            rows += counts[entry]
        if n_bins > 0 and (alike == PROPORTIONAL or (alike == PURE and size == 1)):
            last = n_bins - 1
            if same_shares(
                bins[last, ENTRY], bins[last, N_ENTRIES], bins[last, ROWS], start, size, rows, labels, counts
            ):
                for i in range(size):
                    counts[bins[last, ENTRY] + i] += counts[start + i]
                bins[last, ROWS] += rows
                continue
        bins[n_bins, VALUE] = value
        bins[n_bins, ENTRY] = start
        bins[n_bins, N_ENTRIES] = size
        bins[n_bins, ROWS] = rows
        bins[n_bins, LEFT] = n_bins - 1
        bins[n_bins, RIGHT] = n_bins + 1
        n_bins += 1
    bins[n_bins - 1, RIGHT] = NONE
    return n_bins


@plain_kernel
def same_shares(start_a, size_a, rows_a, start_b, size_b, rows_b, labels, counts):
    """Tell whether two lists of entries have the same classes in the same proportion."""
    if size_a != size_b:
        return False
    for i in range(size_a):
        if labels[start_a + i] != labels[start_b + i]:
            return False
        if size_a > 1 and float(counts[start_a + i]) * float(rows_b) != float(counts[start_b + i]) * float(rows_a):
            return False
    return True


@plain_kernel
def compare(a, b, bins, labels, counts, grid):
    """Return the chi-square of two bins in units of 1 / grid, and their classes less one.

    Rows of classes that only one bin has are added up first: together they give
    ``rows * (rows of the other bin) / (rows of their bin)``.
    """
    i = np.uint64(bins[a, ENTRY])
    j = np.uint64(bins[b, ENTRY])
    i_stop = i + np.uint64(bins[a, N_ENTRIES])
    j_stop = j + np.uint64(bins[b, N_ENTRIES])
    rows_a = float(bins[a, ROWS])
    rows_b = float(bins[b, ROWS])
    factor = grid / (rows_a * rows_b)
    freedom = bins[a, N_ENTRIES] + bins[b, N_ENTRIES] - 1
    only_a = np.int64(0)
    only_b = np.int64(0)
    chi = np.int64(0)
    while i < i_stop and j < j_stop:
        label_a = labels[i]
        label_b = labels[j]
        if label_a == label_b:
            in_a = float(counts[i])
            in_b = float(counts[j])
            apart = in_a * rows_b - in_b * rows_a
            chi += np.int64(np.rint(apart * apart / (in_a + in_b) * factor))
            freedom -= 1
            i += np.uint64(1)
            j += np.uint64(1)
        elif label_a < label_b:
            only_a += counts[i]
            i += np.uint64(1)
        else:
            only_b += counts[j]
            j += np.uint64(1)
    while i < i_stop:
        only_a += counts[i]
        i += np.uint64(1)
    while j < j_stop:
        only_b += counts[j]
        j += np.uint64(1)
    if only_a > 0:
        chi += np.int64(np.rint(only_a * rows_b / rows_a * grid))
    if only_b > 0:
        chi += np.int64(np.rint(only_b * rows_a / rows_b * grid))
    return chi, freedom


@plain_kernel
def rows_of_second_class(a, bins, labels, counts):
    """Return how many rows of class 1 a bin has."""
    for entry in range(bins[a, ENTRY], bins[a, ENTRY] + bins[a, N_ENTRIES]):
        if labels[entry] == 1:
            return counts[entry]
    return 0


@plain_kernel
def may_join(a, b, bins, labels, counts, which, min_rows):
    """Tell whether two neighbours are of the kind that is to be joined."""
    if which == ANY:
        return True
    if which == SMALL:
        return min(bins[a, ROWS], bins[b, ROWS]) < min_rows
    second_a = rows_of_second_class(a, bins, labels, counts)
    second_b = rows_of_second_class(b, bins, labels, counts)
    sign = 1 if which == FALLING else -1
    by_a = float(second_a) * float(bins[b, ROWS])
    by_b = float(second_b) * float(bins[a, ROWS])
    if by_a != by_b:
        return sign * by_a > sign * by_b
    # Products that are equal as doubles differ by so little that what int64 keeps of
    # them is enough.
    return sign * (second_a * bins[b, ROWS] - second_b * bins[a, ROWS]) > 0


@plain_kernel
def join(a, bins, labels, counts, room_labels, room_counts):
    """Add the right neighbour of a bin to it."""
    b = bins[a, RIGHT]
    i = np.uint64(bins[a, ENTRY])
    j = np.uint64(bins[b, ENTRY])
    i_stop = i + np.uint64(bins[a, N_ENTRIES])
    j_stop = j + np.uint64(bins[b, N_ENTRIES])
    size = np.uint64(0)
    while i < i_stop or j < j_stop:
        take_a = i < i_stop and (j == j_stop or labels[i] <= labels[j])
        take_b = j < j_stop and (i == i_stop or labels[j] <= labels[i])
        count = np.int64(0)
        if take_a:
            room_labels[size] = labels[i]
            count += counts[i]
            i += np.uint64(1)
        if take_b:
            room_labels[size] = labels[j]
            count += counts[j]
            j += np.uint64(1)
        room_counts[size] = count
        size += np.uint64(1)
    start = np.uint64(bins[a, ENTRY])
    for k in range(size):
        labels[start + k] = room_labels[k]
        counts[start + k] = room_counts[k]
    bins[a, N_ENTRIES] = np.int64(size)
    bins[a, ROWS] += bins[b, ROWS]
    bins[b, KEY] = NEVER
    after = bins[b, RIGHT]
    bins[a, RIGHT] = after
    if after != NONE:
        bins[after, LEFT] = a


@plain_kernel
def join_pairs(bins, n_bins, labels, counts, rule, which, min_rows, limit, max_bins, room):
    """Join pairs whose key is below `limit`, and others while there are more than max_bins.

    Returns the number of bins that are left.
    """
    grid, thresholds, factors = rule
    room_labels, room_counts, heap_keys, heap_bins = room
    size = 0
    # First every pair from left to right, then the two pairs of the bin that has grown.
    a = 0
    n_new = n_bins - 1
    while True:
        check_stop()
        for _ in range(n_new):
            b = bins[a, RIGHT]
            key = NEVER
            if b != NONE and may_join(a, b, bins, labels, counts, which, min_rows):
                chi, freedom = compare(a, b, bins, labels, counts, grid)
                excess = chi - thresholds[freedom]
                key = np.int64(np.rint(excess * factors[freedom])) if factors[freedom] != 1.0 else excess
                if key < limit or n_bins > max_bins:
                    push(heap_keys, heap_bins, size, key, a)
                    size += 1
            bins[a, KEY] = key
            a = b
        while size > 0 and heap_keys[0] != bins[heap_bins[0], KEY]:
            drop_first(heap_keys, heap_bins, size)
            size -= 1
        if size == 0 or (heap_keys[0] >= limit and n_bins <= max_bins):
            return n_bins
        a = np.int64(heap_bins[0])
        # Each join takes one entry and adds at most two, so 2 * n_bins have room.
        drop_first(heap_keys, heap_bins, size)
        size -= 1
        join(a, bins, labels, counts, room_labels, room_counts)
        n_bins -= 1
        n_new = 1
        if bins[a, LEFT] != NONE:
            a = bins[a, LEFT]
            n_new = 2


def merge_values(starts, labels, counts, rule, alike, limit, limits):
    """Merge neighbouring values, whose counts are given as entries, into bins.

    Pairs with a key below `limit` are joined. Then `limits` are met: bins with too few
    rows and bins with rates in the wrong order are joined with a neighbour, and at last
    whatever is most alike until there are few enough. Returns the last value of each
    bin, and the entries of the bins: merging can go on from them.
    """
    n_values, n_labels = starts.size - 1, rule[1].size
    labels, counts = labels.copy(), counts.copy()
    bins = np.empty((n_values, N_FIELDS), dtype=np.int64)
    n_bins = first_bins(starts, labels, counts, alike, bins)
    # What it did not take is given back.
    bins.resize((n_bins, N_FIELDS), refcheck=False)
    room = (
        np.empty(n_labels, dtype=np.int32),
        np.empty(n_labels, dtype=np.int64),
        np.empty(2 * n_bins, dtype=np.int64),
        np.empty(2 * n_bins, dtype=np.int32),
    )
    n_bins = join_all(bins, n_bins, labels, counts, rule, limit, limits, room)
    lasts, bin_starts = np.empty(n_bins, dtype=np.int64), np.empty(n_bins + 1, dtype=np.int64)
    at = write_bins(bins, n_bins, labels, counts, n_values, lasts, bin_starts)
    return lasts, bin_starts, labels[:at].copy(), counts[:at].copy()


@plain_kernel
def join_all(bins, n_bins, labels, counts, rule, limit, limits, room):
    """Join bins as `merge_values` says; return how many are left."""
    min_rows, direction, max_bins = limits
    n_bins = join_pairs(bins, n_bins, labels, counts, rule, ANY, 0, limit, n_bins, room)
    if min_rows > 0:
        n_bins = join_pairs(bins, n_bins, labels, counts, rule, SMALL, min_rows, NEVER, n_bins, room)
    if direction != 0:
        wrong = FALLING if direction > 0 else RISING
        n_bins = join_pairs(bins, n_bins, labels, counts, rule, wrong, 0, NEVER, n_bins, room)
    if min_rows > 0 or direction != 0 or n_bins > max_bins:
        n_bins = join_pairs(bins, n_bins, labels, counts, rule, ANY, 0, limit, max_bins, room)
    return n_bins


@plain_kernel
def write_bins(bins, n_bins, labels, counts, n_values, lasts, bin_starts):
    """Write the last value of each bin and where its entries start, and move these together; return their number."""
    at = 0
    a = 0
    for code in range(n_bins):
        bin_starts[code] = at
        # Entries only move to the left.
        for entry in range(bins[a, ENTRY], bins[a, ENTRY] + bins[a, N_ENTRIES]):
            labels[at] = labels[entry]
            counts[at] = counts[entry]
            at += 1
        a = bins[a, RIGHT]
        lasts[code] = n_values - 1 if a == NONE else bins[a, VALUE] - 1
    bin_starts[n_bins] = at
    return at


@plain_kernel
def push(keys, items, size, key, item):
    """Add an item to a heap of `size` entries."""
    at = np.uint64(size)
    while at > 0:
        parent = (at - np.uint64(1)) >> np.uint64(1)
        if keys[parent] < key or (keys[parent] == key and items[parent] <= item):
            break
        keys[at] = keys[parent]
        items[at] = items[parent]
        at = parent
    keys[at] = key
    items[at] = item


@plain_kernel
def drop_first(keys, items, size):
    """Remove the first entry of a heap of `size` entries."""
    last = np.uint64(size - 1)
    key = keys[last]
    item = items[last]
    at = np.uint64(0)
    child = np.uint64(1)
    while child < last:
        other = child + np.uint64(1)
        if other < last and (keys[other] < keys[child] or (keys[other] == keys[child] and items[other] < items[child])):
            child = other
        if key < keys[child] or (key == keys[child] and item <= items[child]):
            break
        keys[at] = keys[child]
        items[at] = items[child]
        at = child
        child = (at << np.uint64(1)) + np.uint64(1)
    keys[at] = key
    items[at] = item
