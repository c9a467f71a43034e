"""Exact search for bins whose rates follow a shape, or whose neighbours differ.

The score of a scheme is a sum over its bins. What a bin may follow depends on the bin before it; with a peak, also on
whether rates have fallen already; with a concave curve, on the two bins before it. The best scheme that ends with a
bin, or with two, is therefore found from those with one cut less. Where rates alone say which bins may follow each
other, a running maximum over the bins by rate finds the best one before: O(U^2) for each number of cuts and U values.
Where neighbours must differ, every bin before is tried, O(U^3), and O(U^4) for a concave curve.

A falling, valley-like or convex curve is a rising, peaked or concave one of the other class. A bin that holds the
values i to j - 1 has its score at ``triangle(j) + i``; minus infinity forbids it. Of schemes that tie, the one whose
last cut, then last but one, … is leftmost wins.
"""

from __future__ import annotations

import numpy as np

from cutwise.kernels.bins.layers import triangle
from cutwise.kernels.compile import kernel
from cutwise.kernels.inputs import FREE, ONE_PEAK, STRAIGHT
from cutwise.kernels.stopping import check_stop

# The most values to search, for shapes that look at one bin before and at two.
MAX_VALUES, MAX_CONCAVE = 200, 64


@kernel
def differ(few, rows, more, more_rows, least):
    """Return whether the chi-square of two bins with these rows of the event, and rows in all, reaches `least`."""
    events, others = few + more, rows + more_rows - few - more
    if least <= 0.0:
        return True
    if events <= 0.0 or others <= 0.0:
        return False
    apart = few * more_rows - more * rows
    return apart * apart * (rows + more_rows) >= least * rows * more_rows * events * others


def rank_neighbours(events, rows, shape):
    """Sort the bins that end at each boundary by their rates, and find the place of those that begin there.

    Returns
    -------
    by_rate : ndarray of int16
        For each boundary, where the bins that end there begin, from the lowest rate to the highest.
    below, up_to : ndarray of int16
        For each bin, how many of those that end where it begins have a lower rate, and how many no higher one. If
        every bin may follow every other, all rates are taken as equal.
    """
    if shape == FREE:
        events = np.zeros_like(events)
    with np.errstate(invalid="ignore"):
        rates = (events[:, np.newaxis] - events) / (rows[:, np.newaxis] - rows)
    return place_neighbours(rates, np.argsort(rates, axis=1))


@kernel
def place_neighbours(rates, order):
    """Return what `rank_neighbours` returns, from the rate between any two boundaries and their order."""
    n_values = rates.shape[0] - 1
    by_rate = np.empty(triangle(n_values + 1), dtype=np.int16)
    below, up_to = np.zeros_like(by_rate), np.zeros_like(by_rate)
    for middle in range(n_values + 1):
        n_below, n_ending, first = 0, 0, 0
        # A boundary has no rate with itself, which comes last.
        for place in range(n_values):
            other = order[middle, place]
            rate = rates[middle, other]
            if rate != rates[middle, order[middle, first]]:
                n_below, first = n_ending, place
            if other < middle:
                by_rate[triangle(middle) + n_ending] = other
                n_ending += 1
            else:
                below[triangle(other) + middle] = n_below
            if place + 1 == n_values or rates[middle, order[middle, place + 1]] != rate:
                for equal in range(first, place + 1):
                    if order[middle, equal] > middle:
                        up_to[triangle(order[middle, equal]) + middle] = n_ending
    return by_rate, below, up_to


@kernel
def best_so_far(middle, before, by_rate, turned, best, origins):
    """Fill in the best total of the first 0, 1, … bins that end at `middle`, by rate, and where and how they begin."""
    base = triangle(middle)
    best[0], origins[0] = -np.inf, 0
    for place in range(middle):
        start = np.int64(by_rate[base + (middle - 1 - place if turned else place)])
        total, origin = best[place], np.int64(origins[place])
        for phase in range(2 if turned else 1):
            own = before[phase, base + start]
            if own > total or (own == total and 2 * start + phase < origin):
                total, origin = own, 2 * start + phase
        best[place + 1], origins[place + 1] = total, origin


@kernel
def follow_rates(middle, scores, by_rate, below, up_to, totals, origins, room):
    """Work out the totals of all bins that begin at `middle` from those that end there, and where these begin."""
    running, sources = room
    n_phases = totals.shape[0]
    # Phase 1 first: it reads both.
    for phase in range(n_phases - 1, -1, -1):
        best_so_far(middle, totals, by_rate, phase == 1, running, sources)
        for stop in range(middle + 1, running.size):
            at = triangle(stop) + middle
            place = middle - below[at] if phase == 1 else up_to[at]
            totals[phase, at] = running[place] + scores[at]
            origins[phase, at] = sources[place]


@kernel
def best_at_price(scores, by_rate, below, up_to, n_values, price, shape):
    """Return the best total of all schemes when every cut costs `price`; see `best_by_rates`."""
    n_phases = 2 if shape == ONE_PEAK else 1
    totals = np.full((n_phases, scores.size), -np.inf)
    totals[0] = scores
    dear = scores - price
    origins = np.empty((n_phases, scores.size), dtype=np.int32)
    room = np.empty(n_values + 1), np.empty(n_values + 1, dtype=np.int32)
    for middle in range(1, n_values):
        follow_rates(middle, dear, by_rate, below, up_to, totals, origins, room)
    return totals[:, triangle(n_values) :].max()


@kernel
def best_by_rates(scores, by_rate, below, up_to, n_values, max_cuts, shape):
    """Find the best schemes with 0, 1, …, max_cuts cuts where rates alone say which bin may follow which.

    `by_rate`, `below` and `up_to` are those of `rank_neighbours`; for the rest see `best_after_one`.
    """
    best = np.full(max_cuts + 1, -np.inf)
    gaps = np.zeros((max_cuts + 1, max_cuts), dtype=np.int64)
    n_phases = 2 if shape == ONE_PEAK else 1
    totals = np.full((n_phases, scores.size), -np.inf)
    origins = np.zeros((max_cuts + 1, n_phases, scores.size), dtype=np.int32)
    room = np.empty(n_values + 1), np.empty(n_values + 1, dtype=np.int32)
    for stop in range(1, n_values + 1):
        totals[0, triangle(stop)] = scores[triangle(stop)]
    best[0] = scores[triangle(n_values)]
    for cut in range(1, max_cuts + 1):
        check_stop()
        # From right to left: the totals that end at a boundary are still those with one cut less.
        for middle in range(n_values - 1, 0, -1):
            follow_rates(middle, scores, by_rate, below, up_to, totals, origins[cut], room)
        for stop in range(1, n_values + 1):
            totals[:, triangle(stop)] = -np.inf
        best[cut] = trace_back(totals, origins, n_values, cut, gaps)
    return best, gaps


@kernel
def trace_back(totals, origins, n_values, n_cuts, gaps):
    """Return the best total of schemes with so many cuts, and fill in their gaps."""
    best, last = -np.inf, -1
    for start in range(n_values):
        for phase in range(totals.shape[0]):
            if totals[phase, triangle(n_values) + start] > best:
                best = totals[phase, triangle(n_values) + start]
                last = 2 * start + phase
    stop = n_values
    for i in range(n_cuts, 0, -1):
        if last < 0:
            break
        start, phase = last // 2, last % 2
        gaps[n_cuts, i - 1] = start - 1
        last = np.int64(origins[i, phase, triangle(stop) + start])
        stop = start
    return best


@kernel
def best_after_one(scores, events, rows, max_cuts, shape, least):
    """Find the best schemes with 0, 1, …, max_cuts cuts for shapes that look at one bin before.

    Parameters
    ----------
    scores : ndarray of float
    events, rows : ndarray of float
        The rows of the event, and all rows, among the first 0, 1, 2, … values.
    shape : int
        FREE, RISING or ONE_PEAK.
    least : float
        The chi-square that neighbours must reach.

    Returns
    -------
    best : ndarray of float
        The total for each number of cuts; minus infinity where there is no such scheme.
    gaps : ndarray of int of shape (max_cuts + 1, max_cuts)
        The gaps of each scheme.
    """
    n_values = rows.size - 1
    best = np.full(max_cuts + 1, -np.inf)
    gaps = np.zeros((max_cuts + 1, max_cuts), dtype=np.int64)
    n_phases = 2 if shape == ONE_PEAK else 1
    before = np.full((n_phases, scores.size), -np.inf)
    # Where the bin before begins, and its phase.
    origins = np.zeros((max_cuts + 1, n_phases, scores.size), dtype=np.int32)
    for stop in range(1, n_values + 1):
        before[0, triangle(stop)] = scores[triangle(stop)]
    best[0] = scores[triangle(n_values)]
    for cut in range(1, max_cuts + 1):
        check_stop()
        now = np.full((n_phases, scores.size), -np.inf)
        for middle in range(cut, n_values):
            for stop in range(middle + 1, n_values + 1):
                here = triangle(stop) + middle
                if scores[here] == -np.inf:
                    continue
                more, more_rows = events[stop] - events[middle], rows[stop] - rows[middle]
                for start in range(cut - 1, middle):
                    at = triangle(middle) + start
                    low, high = before[0, at], before[n_phases - 1, at]
                    if low == -np.inf and high == -np.inf:
                        continue
                    few, few_rows = events[middle] - events[start], rows[middle] - rows[start]
                    if not differ(few, few_rows, more, more_rows, least):
                        continue
                    rises = few * more_rows <= more * few_rows
                    falls = few * more_rows >= more * few_rows
                    if (shape == FREE or rises) and low > now[0, here]:
                        now[0, here] = low
                        origins[cut, 0, here] = 2 * start
                    if shape == ONE_PEAK and falls and max(low, high) > now[1, here]:
                        now[1, here] = max(low, high)
                        origins[cut, 1, here] = 2 * start + (0 if low >= high else 1)
                for phase in range(n_phases):
                    now[phase, here] += scores[here]
        before = now
        best[cut] = trace_back(before, origins, n_values, cut, gaps)
    return best, gaps


@kernel
def best_after_two(scores, events, rows, max_cuts, least):
    """Find the best schemes with 0, 1, …, max_cuts cuts whose rates are concave; see `best_after_one`."""
    n_values = rows.size - 1
    best = np.full(max_cuts + 1, -np.inf)
    gaps = np.zeros((max_cuts + 1, max_cuts), dtype=np.int64)
    # By where the last bin but one begins, where the last begins, and where it ends.
    before = np.full((n_values + 1, n_values + 1, n_values + 1), -np.inf)
    origins = np.zeros((max_cuts + 1, n_values + 1, n_values + 1, n_values + 1), dtype=np.int16)
    best[0] = scores[triangle(n_values)]
    for cut in range(1, max_cuts + 1):
        check_stop()
        now = np.full((n_values + 1, n_values + 1, n_values + 1), -np.inf)
        for middle in range(cut, n_values):
            for start in range(cut - 1, middle):
                if cut == 1 and start > 0:
                    break
                few, few_rows = events[middle] - events[start], rows[middle] - rows[start]
                rate = few / few_rows
                for stop in range(middle + 1, n_values + 1):
                    score = scores[triangle(stop) + middle]
                    more, more_rows = events[stop] - events[middle], rows[stop] - rows[middle]
                    if score == -np.inf or not differ(few, few_rows, more, more_rows, least):
                        continue
                    if cut == 1:
                        now[0, middle, stop] = scores[triangle(middle)] + score
                        continue
                    step = more / more_rows - rate - STRAIGHT
                    for first in range(cut - 2, start):
                        total = before[first, start, middle] + score
                        if total > now[start, middle, stop]:
                            bent = rate - (events[start] - events[first]) / (rows[start] - rows[first])
                            if step <= bent:
                                now[start, middle, stop] = total
                                origins[cut, start, middle, stop] = first
        before = now
        a, b = -1, -1
        for middle in range(cut, n_values):
            for start in range(middle):
                if before[start, middle, n_values] > best[cut]:
                    best[cut] = before[start, middle, n_values]
                    a, b = start, middle
        c = n_values
        for i in range(cut, 0, -1):
            if a < 0:
                break
            gaps[cut, i - 1] = b - 1
            a, b, c = np.int64(origins[i, a, b, c]), a, b
    return best, gaps
