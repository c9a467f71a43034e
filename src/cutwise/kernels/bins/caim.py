"""Top-down search for criteria that are sums over bins of what one bin adds.

Three kinds of term, from the class counts q[c] of a bin, its rows M and the rows T[c] of
each class in the whole column:

* PEAK: max q[c]**2 / M (CAIM);
* SQUARES: sum of q[c]**2 / T[c], over M (chi-square: CACC, Ameva);
* ENTROPY: sum of q[c] log2 q[c], less M log2 M (information: MDLP).

A bin is scanned twice: backwards for the terms of everything right of a gap, forwards for
those of everything left of it. Both passes only add rows, so a sum never loses digits, a
maximum never has to fall, and a row costs the same however many classes there are.
"""

from __future__ import annotations

import numpy as np

from cutwise.kernels.bins.splitting import keeps_order
from cutwise.kernels.bins.terms import look_up_count
from cutwise.kernels.compile import kernel
from cutwise.kernels.inputs import PEAK, SQUARES
from cutwise.kernels.stopping import check_stop


@kernel
def grown(kind, total, before, moved, class_rows, by_count, scale):
    """Return the sum or maximum over classes after `moved` rows joined the `before` of their class."""
    after = before + moved
    if kind == PEAK:
        return max(total, float(after))
    if kind == SQUARES:
        return total + moved * (float(before) + float(after)) / class_rows
    return total + look_up_count(after, by_count, scale) - look_up_count(before, by_count, scale)


@kernel
def term_of(kind, total, rows, by_count, scale):
    """Return what a bin adds, from its sum or maximum over classes."""
    if rows == 0:
        return 0.0
    if kind == PEAK:
        return total * total / rows
    if kind == SQUARES:
        return total / rows
    return total - look_up_count(rows, by_count, scale)


@kernel
def fill_right_terms(kind, start, stop, table, class_rows, terms, by_label, gains):
    """Write the term of all values right of each gap; return the term and the rows of the whole bin."""
    starts, labels, counts = table.starts, table.labels, table.counts
    by_count, scale = terms
    by_label[:] = 0
    total = 0.0
    rows = 0
    for value in range(stop - 1, start - 1, -1):
        for entry in range(starts[np.uint64(value)], starts[np.uint64(value + 1)]):
            label = np.uint64(labels[np.uint64(entry)])
            moved = counts[np.uint64(entry)]
            total = grown(kind, total, by_label[label], moved, class_rows[label], by_count, scale)
            by_label[label] += moved
            rows += moved
        if value > start:
            gains[np.uint64(value - 1)] = term_of(kind, total, rows, by_count, scale)
    return term_of(kind, total, rows, by_count, scale), rows


@kernel
def fill_gains(kind, start, stop, table, class_rows, terms, bounds, beside, whole, by_label, gains):
    """Replace the right terms by the gains of the gaps; return the largest.

    by_label holds the counts of the whole bin. Gaps that the bounds forbid get minus
    infinity; `beside` is a `RowsBeside`.
    """
    starts, labels, counts = table.starts, table.labels, table.counts
    by_count, scale = terms
    min_count, riser = bounds.min_count, bounds.riser
    term, rows = whole
    all_risers = by_label[riser] if riser >= 0 else 0
    by_label[:] = 0
    total = 0.0
    left_rows = 0
    best = -np.inf
    for value in range(start, stop - 1):
        for entry in range(starts[np.uint64(value)], starts[np.uint64(value + 1)]):
            label = np.uint64(labels[np.uint64(entry)])
            moved = counts[np.uint64(entry)]
            total = grown(kind, total, by_label[label], moved, class_rows[label], by_count, scale)
            by_label[label] += moved
            left_rows += moved
        gap = np.uint64(value)
        right_rows = rows - left_rows
        allowed = left_rows >= min_count and right_rows >= min_count
        if allowed and riser >= 0:
            risers = by_label[riser]
            allowed = keeps_order(risers, left_rows, all_risers - risers, right_rows, beside)
        gains[gap] = term_of(kind, total, left_rows, by_count, scale) + gains[gap] - term if allowed else -np.inf
        best = max(best, gains[gap])
    return best


@kernel
def best_gap(kind, start, stop, table, class_rows, terms, bounds, beside, tie, left, whole_bin, gains):
    """Find the best gap of a bin; return it (-1 for none) and its gain.

    left and whole_bin are filled with the class counts left of the gap and of the bin;
    gains is room for one number a value. Of gains within `tie` of the largest, the leftmost wins.
    """
    check_stop()
    whole = fill_right_terms(kind, start, stop, table, class_rows, terms, left, gains)
    for label in range(left.size):
        whole_bin[label] = left[label]
    best = fill_gains(kind, start, stop, table, class_rows, terms, bounds, beside, whole, left, gains)
    left[:] = 0
    if best == -np.inf:
        return -1, 0.0
    gap = start
    while gains[np.uint64(gap)] < best - tie:
        gap += 1
    for entry in range(table.starts[start], table.starts[gap + 1]):
        left[table.labels[entry]] += table.counts[entry]
    return gap, gains[gap]
