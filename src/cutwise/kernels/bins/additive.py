"""Exact search for a score that is a sum over the bins plus an offset for the number of cuts.

For a fixed number of cuts k the best scheme B(k) is found by dynamic programming, one layer
for each k. Few layers are needed: with a price p on each cut,

    B(k) <= max(score - p cuts) + p k,

and that maximum takes a single pass for all k. A handful of prices tells after which k the
sum of bound and offset cannot beat the best scheme seen so far.

Scores and offsets are whole numbers below 2**53, kept as floats, so sums are exact. Schemes
within a relative 1e-9 of each other are equal: the one with the fewest cuts wins, and of those
with as many cuts the one whose last cut, then last but one, … is leftmost. A bin that
holds the values i to j - 1 has its score at ``triangle(j) + i``; minus infinity forbids it.
"""

from __future__ import annotations

import numpy as np

from cutwise.kernels.bins.exact import best_at_price, first_layer, next_layer, trace_back, triangle
from cutwise.kernels.bins.splitting import margin_of
from cutwise.kernels.compile import kernel
from cutwise.kernels.stopping import check_stop


@kernel
def price_list(offsets):
    """Return the prices to try: nothing, and what the offsets take for the first, second, fourth, eighth cut."""
    prices = np.zeros(64)
    n_prices = 1
    cut = 1
    while cut < offsets.size:
        prices[n_prices] = max(offsets[cut - 1] - offsets[cut], 0.0)
        n_prices += 1
        cut *= 2
    return prices[:n_prices]


@kernel
def tighten_bounds(bounds, offsets, total, price):
    """Note what the best total at a price says of schemes with 0, 1, 2, … cuts."""
    for cut in range(offsets.size):
        bounds[cut] = min(bounds[cut], total + price * cut + offsets[cut])


@kernel
def last_worth_trying(bounds, best):
    """Return the largest number of cuts whose bound beats the best total so far."""
    last = bounds.size - 1
    while last > 0 and bounds[last] - best <= margin_of(best):
        last -= 1
    return last


@kernel
def fewest_cuts(totals):
    """Return the smallest number of cuts whose total is as good as the best."""
    best = -np.inf
    for total in totals:
        best = max(best, total)
    cut = 0
    while totals[cut] < best - margin_of(best):
        cut += 1
    return cut


@kernel
def best_cuts(scores, offsets, n_values):
    """Return the gaps of the scheme with the largest sum of scores and offsets[cuts].

    A scheme has fewer than offsets.size cuts.
    """
    bounds = np.full(offsets.size, np.inf)
    best = scores[triangle(n_values)] + offsets[0]
    fewest = 0
    for price in price_list(offsets):
        check_stop()
        gaps, total = best_at_price(scores, n_values, price)
        tighten_bounds(bounds, offsets, total, price)
        if gaps.size < offsets.size:
            value = total + price * gaps.size + offsets[gaps.size]
            if value > best:
                best = value
                fewest = gaps.size
    last = max(fewest, last_worth_trying(bounds, best))
    layers = np.empty((last + 1, n_values + 1))
    totals = np.empty(last + 1)
    for cut in range(last + 1):
        check_stop()
        layer = first_layer(scores, n_values) if cut == 0 else next_layer(layers[cut - 1], scores, n_values, cut + 1)
        for stop in range(n_values + 1):
            layers[cut, stop] = layer[stop]
        totals[cut] = layer[n_values] + offsets[cut]
    return trace_back(layers, scores, fewest_cuts(totals), n_values)
