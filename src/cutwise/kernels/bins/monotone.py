"""Exact search for bins whose rate never falls from bin to bin.

The score of a scheme is a sum over its bins plus an offset for the number of cuts. A bin may
only follow one of a lower or equal rate, so the best scheme that ends with a given bin needs
to know that bin alone: one total for each of the U (U + 1) / 2 bins. For each boundary
between two values, the bins that end there are sorted by rate once. A running maximum over
them then tells, for every bin that starts there, which bin is the best one before it: one
more bin costs O(U^2), not O(U^3).

A bin that holds the values i to j - 1 has its score at ``triangle(j) + i``; minus infinity
forbids it. Ties are settled as in exact.py. Rates that must never rise are found by
exchanging the two classes. Memory: 20 bytes a bin, and 2 bytes a bin for each number of cuts
that is looked at.
"""

from __future__ import annotations

import numpy as np

from cutwise.kernels.bins.exact import fewest_cuts, last_worth_trying, prices_of_offsets, tighten_bounds
from cutwise.kernels.bins.layers import best_at_price as exact_at_price
from cutwise.kernels.bins.layers import fill_layers, triangle
from cutwise.kernels.compile import kernel
from cutwise.kernels.elementary import log2
from cutwise.kernels.stopping import check_stop

# With this many values, the memory of all numbers of cuts together stays below 128 MB.
MAX_VALUES = 500


def rank_bins(zeros, ones):
    """Sort the bins by the rate of class 1.

    Parameters
    ----------
    zeros, ones : ndarray of int64
        The rows of class 0 and of class 1 among the first 0, 1, 2, … values. A bin with
        no row of either class has no rate; its score must be minus infinity.

    Returns
    -------
    by_rate : ndarray of int16
        The starts of the bins that end before `stop`, from the lowest rate to the highest,
        at ``triangle(stop)`` to ``triangle(stop + 1)``.
    places : ndarray of int16
        For each bin, how many of those that end where it starts have no higher rate.
    """
    n_values = ones.size - 1
    stops = np.arange(n_values + 1)
    by_rate = np.empty(n_values * (n_values + 1) // 2, dtype=np.int16)
    places = np.zeros(by_rate.size, dtype=np.int16)
    with np.errstate(invalid="ignore"):
        for middle in range(1, n_values + 1):
            before = ones[middle] - ones[:middle]
            rates = before / (before + zeros[middle] - zeros[:middle])
            order = np.argsort(rates, kind="stable")
            base = middle * (middle - 1) // 2
            by_rate[base : base + middle] = order
            later = stops[middle + 1 :]
            after = ones[later] - ones[middle]
            followers = after / (after + zeros[later] - zeros[middle])
            places[later * (later - 1) // 2 + middle] = np.searchsorted(rates[order], followers, side="right")
    return by_rate, places


@kernel
def pool_falling(zeros, ones):
    """Return the edges of the bins that are left when neighbours whose rates do not rise are pooled.

    Their rates are those of the rising curve that is nearest to the rates of the values. `zeros` and `ones` are those
    of `rank_bins`.
    """
    edges = np.zeros(ones.size, dtype=np.int64)
    top = 0
    for stop in range(1, ones.size):
        top += 1
        edges[top] = stop
        while top > 1:
            first, middle = edges[top - 2], edges[top - 1]
            low = float(ones[middle] - ones[first]) * float(zeros[stop] - zeros[middle])
            high = float(ones[stop] - ones[middle]) * float(zeros[middle] - zeros[first])
            if low < high:
                break
            top -= 1
            edges[top] = stop
    return edges[: top + 1].copy()


@kernel
def rising_scores(zeros, ones, edges, per_bit, divergence, allowed):
    """Return a bound on the score of every bin: per_bit times its relevance on the rising curve, less the divergence.

    If the rates of the values are replaced by those of the nearest rising curve, the relevance of a scheme of rising
    rates can only grow: rows of the rising class move to the right. On that curve every scheme rises, so
    the best of all schemes bounds the best one of rising rates.

    Parameters
    ----------
    zeros, ones : ndarray of int64
        Those of `rank_bins`.
    edges : ndarray of int64
        Those of `pool_falling`.
    per_bit : float
        What a row and bit of relevance scores.
    divergence, allowed : ndarray
        Those of `exact.fill_bin_terms`.
    """
    few, more = ones.astype(np.float64), zeros.astype(np.float64)
    for i in range(edges.size - 1):
        start, stop = edges[i], edges[i + 1]
        rate = (few[stop] - few[start]) / (more[stop] + few[stop] - more[start] - few[start])
        for p in range(start + 1, stop):
            here = float(zeros[p] + ones[p]) - more[start] - few[start]
            few[p] = few[start] + here * rate
            more[p] = more[start] + here * (1.0 - rate)
    scores = np.empty(divergence.size)
    for stop in range(1, ones.size):
        for start in range(stop):
            at = triangle(stop) + start
            a, b = max(few[stop] - few[start], 0.0), max(more[stop] - more[start], 0.0)
            total = a * log2(a / (a + b)) if a > 0.0 else 0.0
            total += b * log2(b / (a + b)) if b > 0.0 else 0.0
            scores[at] = per_bit * total - divergence[at] if allowed[at] else -np.inf
    return scores


# With more numbers of cuts to look at than these, gaps are not sorted out.
MAX_LAYERS = 64


@kernel
def near_gaps(scores, n_values, weights, offsets, floor):
    """Return the gaps that may be in a scheme as good as `floor`.

    No scheme with k cuts scores more than ``weights[k] * (sum of scores) + offsets[k]``; both are not negative or fall
    with k.
    """
    _, free = exact_at_price(scores, n_values, 0.0)
    last = weights.size - 1
    while last > 0 and weights[last] * free + offsets[last] < floor:
        last -= 1
    if last > MAX_LAYERS:
        return np.arange(n_values - 1)
    turned = np.empty_like(scores)
    for stop in range(1, n_values + 1):
        for start in range(stop):
            turned[triangle(n_values - start) + n_values - stop] = scores[triangle(stop) + start]
    before, after = fill_layers(scores, n_values, last), fill_layers(turned, n_values, last)
    check_stop()
    is_near = np.zeros(n_values - 1, dtype=np.bool_)
    for gap in range(n_values - 1):
        for cut in range(1, last + 1):
            for low in range(cut):
                total = before[low, gap + 1] + after[cut - 1 - low, n_values - gap - 1]
                if weights[cut] * total + offsets[cut] >= floor:
                    is_near[gap] = True
    return np.flatnonzero(is_near)


@kernel
def add_bins(middle, totals, scores, by_rate, places, price, room, origins):
    """Work out the totals of all bins that start at `middle` from those that end there.

    `origins` gets, for each of them, the start of the best bin before.
    """
    best, starts = room
    base = triangle(middle)
    best[0] = -np.inf
    starts[0] = 0
    for place in range(middle):
        start = by_rate[base + place]
        total = totals[base + start]
        better = total > best[place] or (total == best[place] and start < starts[place])
        best[place + 1] = total if better else best[place]
        starts[place + 1] = start if better else starts[place]
    for stop in range(middle + 1, best.size):
        at = triangle(stop) + middle
        totals[at] = best[places[at]] + scores[at] - price
        origins[at] = starts[places[at]]


@kernel
def make_room(n_values):
    """Return the arrays that add_bins works in."""
    return np.empty(n_values + 1), np.empty(n_values + 1, dtype=np.int16)


@kernel
def last_start(totals, n_values):
    """Return where the last bin of the best scheme starts; ties go to the left."""
    base = triangle(n_values)
    best = 0
    for start in range(1, n_values):
        if totals[base + start] > totals[base + best]:
            best = start
    return best


@kernel
def best_at_price(scores, by_rate, places, n_values, price):
    """Return the number of cuts and the total of the best scheme when every cut costs `price`."""
    totals = scores.copy()
    origins = np.empty(scores.size, dtype=np.int16)
    room = make_room(n_values)
    for middle in range(1, n_values):
        add_bins(middle, totals, scores, by_rate, places, price, room, origins)
    start = last_start(totals, n_values)
    total = totals[triangle(n_values) + start]
    stop = n_values
    n_cuts = 0
    while start > 0:
        start, stop = origins[triangle(stop) + start], start
        n_cuts += 1
    return n_cuts, total


@kernel
def best_by_cuts(scores, by_rate, places, n_values, max_cuts):
    """Find the best scheme with exactly 0, 1, …, max_cuts cuts.

    Returns
    -------
    best : ndarray of float
        The total for each number of cuts; minus infinity where there is no such scheme.
    lasts : ndarray of int
        Where the last bin of the best scheme starts.
    origins : ndarray of int16
        ``origins[cut, bin]`` is the start of the bin before, in the best scheme with this
        many cuts that ends with this bin; `trace_back` reads it.
    """
    best = np.full(max_cuts + 1, -np.inf)
    lasts = np.zeros(max_cuts + 1, dtype=np.int64)
    origins = np.zeros((max_cuts + 1, scores.size), dtype=np.int16)
    room = make_room(n_values)
    totals = np.full(scores.size, -np.inf)
    for stop in range(1, n_values + 1):
        totals[triangle(stop)] = scores[triangle(stop)]
    best[0] = totals[triangle(n_values)]
    for cut in range(1, max_cuts + 1):
        check_stop()
        # From right to left: the totals that end at a boundary are still those of the layer before.
        for middle in range(n_values - 1, 0, -1):
            add_bins(middle, totals, scores, by_rate, places, 0.0, room, origins[cut])
        for stop in range(1, n_values + 1):
            totals[triangle(stop)] = -np.inf
        lasts[cut] = last_start(totals, n_values)
        best[cut] = totals[triangle(n_values) + lasts[cut]]
    return best, lasts, origins


@kernel
def trace_back(lasts, origins, n_cuts, n_values):
    """Return the gaps of the best scheme with n_cuts cuts."""
    gaps = np.empty(n_cuts, dtype=np.int64)
    start, stop = lasts[n_cuts], n_values
    for cut in range(n_cuts, 0, -1):
        gaps[cut - 1] = start - 1
        start, stop = np.int64(origins[cut, triangle(stop) + start]), start
    return gaps


@kernel
def best_cuts(scores, by_rate, places, offsets, n_values):
    """Return the gaps of the scheme with the largest sum of scores and offsets[cuts].

    A scheme has fewer than offsets.size cuts. Of the numbers of cuts, only those get a layer
    that the bounds of exact.py leave.
    """
    bounds = np.full(offsets.size, np.inf)
    best = scores[triangle(n_values)] + offsets[0]
    fewest = 0
    for price in prices_of_offsets(offsets):
        check_stop()
        n_cuts, total = best_at_price(scores, by_rate, places, n_values, price)
        tighten_bounds(bounds, offsets, total, price)
        if n_cuts < offsets.size:
            value = total + price * n_cuts + offsets[n_cuts]
            if value > best:
                best = value
                fewest = n_cuts
    last = max(fewest, last_worth_trying(bounds, best))
    totals, lasts, origins = best_by_cuts(scores, by_rate, places, n_values, last)
    for cut in range(last + 1):
        totals[cut] += offsets[cut]
    return trace_back(lasts, origins, fewest_cuts(totals), n_values)
