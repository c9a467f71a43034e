"""The best gap of a bin under CAIM, without a look at every gap.

With thousands of classes each cut takes a few rows off the end of a large bin, and scanning what is left again and
again takes the square of the rows. The term of a bin is ``max q[c]**2 / M``: the peak of its classes, and its rows. A
table holds the peak of every run of whole blocks of values. A gain of a block is at most that of its widest sides'
peaks on its narrowest sides' rows, so most blocks are passed over. In the others the peak of a side is the largest of
that of its whole blocks and those of the classes of its other rows, which are counted from the places of each class.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cutwise.kernels.compile import kernel
from cutwise.kernels.stopping import check_stop

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.kernels.inputs import LabelledRows


class Peaks(NamedTuple):
    """What is known of a column: the peaks of runs of blocks, and where the entries of each class lie.

    ``runs[i, j]`` is the peak of the blocks i to j, `width` the values of a block, `rows` the rows before each value.
    The entries of class c have the numbers ``firsts[c]`` to ``firsts[c + 1]`` in the order by class; `places` are their
    places among all entries, `numbers` the way back, and `sums` the rows of the entries before each in that order.
    """

    runs: NDArray[np.int64]
    width: int
    rows: NDArray[np.int64]
    firsts: NDArray[np.int64]
    places: NDArray[np.int64]
    numbers: NDArray[np.int64]
    sums: NDArray[np.int64]


def width_of(n_values: int) -> int:
    """Return how many values make a block: as many as there are blocks."""
    return max(math.isqrt(n_values), 1)


def find_peaks(table: LabelledRows) -> Peaks:
    """Return the peaks of all runs of blocks; takes as long as a scan of the values for each second block."""
    n_values = table.starts.size - 1
    width = width_of(n_values)
    n_blocks = -(-n_values // width)
    runs = np.zeros((n_blocks, n_blocks), dtype=np.int64)
    fill_runs(table, width, runs, np.zeros(table.n_labels, dtype=np.int64))
    places = np.argsort(table.labels, kind="stable")
    numbers = np.empty_like(places)
    numbers[places] = np.arange(places.size)
    firsts = np.searchsorted(table.labels[places], np.arange(table.n_labels + 1))
    sums = np.append(0, np.cumsum(table.counts[places]))
    rows = np.append(0, np.cumsum(table.counts))[table.starts]
    return Peaks(runs, width, rows, firsts, places, numbers, sums)


@kernel
def term_of(peak, rows):
    """Return what a bin adds."""
    return float(peak) * float(peak) / rows


@kernel
def fill_runs(table, width, runs, by_label):
    """Fill the table of peaks by scanning from the start of each block on."""
    starts, labels, counts = table.starts, table.labels, table.counts
    n_values = starts.size - 1
    for first in range(runs.shape[0]):
        check_stop()
        by_label[:] = 0
        peak = 0
        for block in range(first, runs.shape[0]):
            for entry in range(starts[block * width], starts[min((block + 1) * width, n_values)]):
                label = np.uint64(labels[np.uint64(entry)])
                by_label[label] += counts[np.uint64(entry)]
                peak = max(peak, by_label[label])
            runs[first, block] = peak


@kernel
def first_from(entry, low, high, places):
    """Return the first of the numbers low to high - 1 of a class whose place is not before an entry."""
    while low < high:
        middle = (low + high) // 2
        if places[middle] < entry:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def rows_until(entry, stop, table, peaks):
    """Return the rows of the class of an entry from it to before another entry."""
    number = peaks.numbers[entry]
    last = first_from(stop, number, peaks.firsts[table.labels[entry] + 1], peaks.places)
    return peaks.sums[last] - peaks.sums[number]


@kernel
def rows_since(entry, start, table, peaks):
    """Return the rows of the class of an entry from another one to it."""
    number = peaks.numbers[entry]
    first = first_from(start, peaks.firsts[table.labels[entry]], number, peaks.places)
    return peaks.sums[number + 1] - peaks.sums[first]


@kernel
def peak_of(start, stop, table, peaks):
    """Return the peak of the values start to stop - 1."""
    starts, width = table.starts, peaks.width
    first_block = (start + width - 1) // width
    last_block = stop // width
    first, last = starts[start], starts[stop]
    peak = np.int64(0)
    low = last
    high = last
    if first_block < last_block:
        peak = peaks.runs[first_block, last_block - 1]
        low = starts[first_block * width]
        high = starts[last_block * width]
    for entry in range(first, low):
        peak = max(peak, rows_until(entry, last, table, peaks))
    for entry in range(high, last):
        peak = max(peak, rows_since(entry, first, table, peaks))
    return peak


@kernel
def bound_of(first, last, start, stop, whole, peaks):
    """Return a bound on the gains of the gaps first to last, of one block, but for the term of the whole bin.

    `whole` is the peak of the bin.
    """
    width, rows = peaks.width, peaks.rows
    block = first // width
    left = min(peaks.runs[start // width, block], whole)
    right = min(peaks.runs[block, (stop - 1) // width], whole)
    left_term = term_of(left, rows[first + 1] - rows[start])
    return left_term + term_of(right, rows[stop] - rows[last + 1])


@kernel
def fill_gains(first, last, start, stop, term, min_count, table, peaks, gains):
    """Write the gains of the gaps first to last; return the largest."""
    starts, rows = table.starts, peaks.rows
    peak = peak_of(last + 1, stop, table, peaks)
    for gap in range(last, first - 1, -1):
        gains[gap] = term_of(peak, rows[stop] - rows[gap + 1])
        for entry in range(starts[gap], starts[gap + 1]):
            peak = max(peak, rows_until(entry, starts[stop], table, peaks))
    peak = peak_of(start, first, table, peaks) if first > start else np.int64(0)
    best = -np.inf
    for gap in range(first, last + 1):
        for entry in range(starts[gap], starts[gap + 1]):
            peak = max(peak, rows_since(entry, starts[start], table, peaks))
        left_rows = rows[gap + 1] - rows[start]
        allowed = left_rows >= min_count and rows[stop] - rows[gap + 1] >= min_count
        left_term = term_of(peak, left_rows)
        gains[gap] = left_term + gains[gap] - term if allowed else -np.inf
        best = max(best, gains[gap])
    return best


@kernel
def best_gap(start, stop, table, peaks, min_count, tie, gains, bounds):
    """Find the best gap of a bin; return it (-1 for none) and its gain.

    gains is room for one number a value, bounds for one a block. Of gains within `tie` of the largest, the
    leftmost wins.
    """
    check_stop()
    width, rows = peaks.width, peaks.rows
    whole = peak_of(start, stop, table, peaks)
    term = term_of(whole, rows[stop] - rows[start])
    first_block, last_block = start // width, (stop - 2) // width
    best = -np.inf
    for step in range(first_block - 1, last_block):
        # The last block first: rows at the end of a bin are often worth most.
        block = last_block if step < first_block else step
        first, last = max(block * width, start), min((block + 1) * width, stop - 1) - 1
        bounds[block] = bound_of(first, last, start, stop, whole, peaks) - term
        if bounds[block] > best:
            bounds[block] = np.inf
            best = max(best, fill_gains(first, last, start, stop, term, min_count, table, peaks, gains))
    if best == -np.inf:
        return -1, 0.0
    for block in range(first_block, last_block + 1):
        if bounds[block] < best - tie:
            continue
        first, last = max(block * width, start), min((block + 1) * width, stop - 1) - 1
        if bounds[block] < np.inf:
            fill_gains(first, last, start, stop, term, min_count, table, peaks, gains)
        for gap in range(first, last + 1):
            if gains[gap] >= best - tie:
                return gap, gains[gap]
    return -1, 0.0
