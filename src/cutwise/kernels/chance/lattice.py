"""Two classes: the exact chance that the best cut of a bin reaches a level, by counting paths.

The rows of a bin lie in a row by value. Dealt at random, their classes make a path: after t
rows it has met a rows of the rarer class. The likelihood ratio of a cut after t rows depends
on a alone, and is large where a is far from its mean. So "no cut reaches its level" says
that the path stays between two bounds, and the chance of that is a sum over the paths that
do, one row after the other.
"""

from __future__ import annotations

import numpy as np

from cutwise.kernels.compile import formula, kernel
from cutwise.kernels.elementary import log

# Paths rarer than this are left out.
RAREST = 1e-24


@formula
def count_term(count):
    """Return n log n."""
    return count * log(float(count)) if count > 0 else 0.0


@kernel
def ratio_of_cut(t, a, n_rows, n_rare):
    """Return the likelihood ratio of a cut after t rows, a of them of the rarer class."""
    others = n_rows - n_rare
    inside = count_term(a) + count_term(n_rare - a) + count_term(t - a) + count_term(others - t + a)
    rows = count_term(t) + count_term(n_rows - t)
    return 2.0 * (inside - rows - (count_term(n_rare) + count_term(others) - count_term(n_rows)))


@kernel
def walk_a_row(shares, low, high, t, n_rows, n_rare):
    """Move the shares of the paths from t rows to one more; return the new first and last state."""
    left = n_rows - t
    top = min(high + 1, n_rare)
    for a in range(top, low - 1, -1):
        stays = shares[a] * (left - (n_rare - a)) / left if a <= high else 0.0
        comes = shares[a - 1] * (n_rare - a + 1) / left if a > low else 0.0
        shares[a] = stays + comes
    while top > low and shares[top] < RAREST:
        shares[top] = 0.0
        top -= 1
    while low < top and shares[low] < RAREST:
        shares[low] = 0.0
        low += 1
    return low, top


@kernel
def take_out(shares, low, high, t, n_rows, n_rare, level, sides):
    """Take out the paths whose cut after t rows reaches the level.

    Returns the first and the last state that are left, and the share of the paths taken out.
    sides = (whether few rows of the rarer class on the left count, whether many do).
    """
    taken = 0.0
    mean = t * (n_rare / n_rows)
    if sides[1]:
        while high >= low and high > mean and ratio_of_cut(t, high, n_rows, n_rare) >= level:
            taken += shares[high]
            shares[high] = 0.0
            high -= 1
    if sides[0]:
        while low <= high and low < mean and ratio_of_cut(t, low, n_rows, n_rare) >= level:
            taken += shares[low]
            shares[low] = 0.0
            low += 1
    if low > high:
        low = high = min(max(high, 0), n_rare)
    return low, high, taken


def walk(n_rows, n_rare, times, levels, n_times, sides):
    """Follow the paths up to the last of some times.

    Returns the share of the paths in each state that have reached no level so far, the first
    and the last such state, and the share of those that have.
    """
    shares = np.zeros(n_rare + 2)
    shares[0] = 1.0
    return shares, *move(shares, n_rows, n_rare, times, levels, n_times, sides)


@kernel
def move(shares, n_rows, n_rare, times, levels, n_times, sides):
    """Move the shares of the paths from the left end to the last of some times, as `walk` says."""
    low, high, t = 0, 0, 0
    taken = 0.0
    for j in range(n_times):
        while t < times[j]:
            low, high = walk_a_row(shares, low, high, t, n_rows, n_rare)
            t += 1
        low, high, more = take_out(shares, low, high, t, n_rows, n_rare, levels[min(j, levels.size - 1)], sides)
        taken += more
    return low, high, taken
