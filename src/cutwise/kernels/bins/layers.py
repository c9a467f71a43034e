"""Best totals of schemes by dynamic programming over the gaps.

A scheme's total is a sum of scores of its bins. A bin that holds the values i to j - 1 has its score at
``triangle(j) + i``; a score of minus infinity forbids it. Of schemes that tie, the one whose last cut, then last but
one, … is leftmost wins.
"""

from __future__ import annotations

import numpy as np

from cutwise.kernels.bins.splitting import margin_of, weights_of
from cutwise.kernels.compile import kernel
from cutwise.kernels.stopping import is_stopped
from cutwise.threads import check_stop

# Prices that are tried for a number of cuts.
N_ROUNDS = 8
# With fewer numbers of cuts that are left, prices take longer than they save.
FEWEST = 3


@kernel
def triangle(stop):
    """Return where the terms of the bins that end before `stop` begin."""
    return stop * (stop - 1) // 2


@kernel
def best_sum(totals, scores, base, first, stop):
    """Return the largest totals[i] + scores[base + i] for i from first to stop - 1.

    Four running maxima side by side do not wait for each other.
    """
    left = totals[first:stop]
    right = scores[base + first : base + stop]
    a = b = c = d = -np.inf
    whole = left.size // 4 * 4
    for i in range(0, whole, 4):
        a = max(a, left[i] + right[i])
        b = max(b, left[i + 1] + right[i + 1])
        c = max(c, left[i + 2] + right[i + 2])
        d = max(d, left[i + 3] + right[i + 3])
    for i in range(whole, left.size):
        a = max(a, left[i] + right[i])
    return max(max(a, b), max(c, d))


@kernel
def raise_totals(layers, start, scores, n_totals, totals):
    """Raise each of the first totals to the best sum of a score and the total where its bin starts, if that is more.

    The bins start at `start` and the next three values. Totals side by side are compared at once.
    """
    a, b, c, d = layers[start], layers[start + 1], layers[start + 2], layers[start + 3]
    of_a, of_b, of_c, of_d = scores[start], scores[start + 1], scores[start + 2], scores[start + 3]
    for i in range(n_totals):
        first = a[i] + of_a
        second = b[i] + of_b
        third = c[i] + of_c
        fourth = d[i] + of_d
        first = max(second, first)
        third = max(fourth, third)
        first = max(third, first)
        totals[i] = max(totals[i], first)


@kernel
def raise_by_one(total_before, score, totals):
    """Do as `raise_totals` for the bins that start at one value."""
    for i in range(totals.size):
        total = total_before[i] + score
        totals[i] = max(totals[i], total)


@kernel
def fill_layers(scores, n_values, last):
    """Return the best totals with each number of cuts up to `last` and each stop: layers[cut, stop].

    If the search is stopped, they mean nothing.
    """
    layers = np.full((n_values + 1, last + 1), -np.inf)
    for stop in range(1, n_values + 1):
        if is_stopped():
            break
        here = scores[triangle(stop) : triangle(stop + 1)]
        layers[stop, 0] = here[0]
        totals = layers[stop, 1:]
        whole = 1 + (stop - 1) // 4 * 4
        for start in range(1, whole, 4):
            raise_totals(layers, start, here, min(start + 3, last), totals)
        for start in range(whole, stop):
            raise_by_one(layers[start], here[start], totals)
    return layers.T.copy()


@kernel
def totals_at_prices(scores, n_values, prices):
    """Return the best totals at each price of a cut and each stop: totals[price, stop]."""
    layers = np.full((n_values + 1, prices.size), -np.inf)
    for i in range(prices.size):
        layers[0, i] = prices[i]
    for stop in range(1, n_values + 1):
        here = scores[triangle(stop) : triangle(stop + 1)]
        totals = layers[stop]
        whole = stop // 4 * 4
        for start in range(0, whole, 4):
            raise_totals(layers, start, here, totals.size, totals)
        for start in range(whole, stop):
            raise_by_one(layers[start], here[start], totals)
        for i in range(prices.size):
            totals[i] -= prices[i]
    return layers.T.copy()


@kernel
def best_at_price(scores, n_values, price):
    """Return the gaps of the best scheme when every cut costs `price`, and its total."""
    totals = np.full(n_values + 1, -np.inf)
    totals[0] = price
    for stop in range(1, n_values + 1):
        totals[stop] = best_sum(totals, scores, triangle(stop), 0, stop) - price
    return trace_price(totals, scores, n_values, price), totals[n_values]


@kernel
def trace_price(totals, scores, n_values, price):
    """Return the gaps of the best scheme from the best totals at a price; ties go to the left."""
    gaps = np.empty(n_values, dtype=np.int64)
    n_cuts = 0
    stop = n_values
    while stop > 0:
        base = triangle(stop)
        start = 0
        while totals[start] + scores[base + start] - price < totals[stop]:
            start += 1
        if start > 0:
            gaps[n_cuts] = start - 1
            n_cuts += 1
        stop = start
    return gaps[:n_cuts][::-1].copy()


@kernel
def trace_back(layers, scores, n_cuts, n_values):
    """Return the gaps of the best scheme with n_cuts cuts; ties go to the left."""
    gaps = np.empty(n_cuts, dtype=np.int64)
    stop = n_values
    for cut in range(n_cuts, 0, -1):
        base = triangle(stop)
        start = cut
        while layers[cut - 1, start] + scores[base + start] < layers[cut, stop]:
            start += 1
        gaps[cut - 1] = start - 1
        stop = start
    return gaps


@kernel
def totals_at_weights(relevance, divergence, allowed, n_values, weights, prices):
    """Return the best totals for each pair of weight and price, and each stop: totals[pair, stop].

    The score of a bin is the weight times its relevance less its divergence. If the search is stopped, the totals mean
    nothing.
    """
    layers = np.full((n_values + 1, prices.size), -np.inf)
    for i in range(prices.size):
        layers[0, i] = prices[i]
    for stop in range(1, n_values + 1):
        if is_stopped():
            break
        base = triangle(stop)
        totals = layers[stop]
        for start in range(stop):
            before = layers[start]
            gain = np.float64(relevance[base + start])
            loss = np.float64(divergence[base + start]) if allowed[base + start] else np.inf
            for i in range(prices.size):
                totals[i] = max(totals[i], before[i] + (weights[i] * gain - loss))
        for i in range(prices.size):
            totals[i] -= prices[i]
    return layers.T.copy()


@kernel
def count_cuts(totals, relevance, divergence, allowed, n_values, weights, prices, n_cuts):
    """Write the numbers of cuts of the best schemes, from the best totals for each pair of weight and price."""
    for i in range(prices.size):
        n_cuts[i] = -1
        stop = n_values
        while stop > 0:
            base = triangle(stop)
            start = 0
            while True:
                loss = np.float64(divergence[base + start]) if allowed[base + start] else np.inf
                total = totals[i, start] + (weights[i] * np.float64(relevance[base + start]) - loss)
                if total - prices[i] >= totals[i, stop]:
                    break
                start += 1
            stop = start
            n_cuts[i] += 1


def next_price(price, sides, total, n_cuts, wanted):
    """Return a price whose best scheme may have as many cuts as are wanted; None if there is no such price.

    sides[0] tells the cuts, and the total without prices, of a scheme with too few cuts, sides[1] those of one with too
    many; they are None as long as there is none. Between two schemes the price is tried at which they tie.
    """
    side = 0 if n_cuts < wanted else 1
    if sides[side] is not None and sides[side][0] == n_cuts:
        return None
    sides[side] = (n_cuts, total + price * n_cuts)
    few, many = sides
    if few is not None and many is not None:
        return (many[1] - few[1]) / (many[0] - few[0])
    step = 0.5 * abs(price) + 1.0
    return price - step if side == 0 else price + step


def tighten_by_prices(relevance, divergence, allowed, n_values, n_d, unit, gain, psi, uppers):
    """Lower the bounds on Psi for those numbers of cuts that may beat a Psi, each with its own weight.

    With a price p on each cut no scheme with k cuts has more than the best total of all plus p k. That is least where
    the best scheme has k cuts, which is near the price that the weight's fall sets on a cut of the best scheme.
    """
    weights = weights_of(uppers.size, n_d)
    prices = {cut: float(weights[cut]) * (gain / n_d) for cut in np.flatnonzero(uppers - psi > margin_of(psi)).tolist()}
    sides = {cut: [None, None] for cut in prices}
    terms = (relevance, divergence, allowed, n_values)
    whole = float(relevance[triangle(n_values)])
    for _ in range(N_ROUNDS):
        if len(prices) < FEWEST:
            break
        cuts = list(prices)
        pairs = (weights[cuts], np.array(list(prices.values())))
        totals, n_cuts = totals_at_weights(*terms, *pairs), np.empty(len(cuts), dtype=np.int64)
        check_stop()
        count_cuts(totals, *terms, *pairs, n_cuts)
        found = zip(cuts, totals[:, n_values].tolist(), n_cuts.tolist(), strict=True)
        prices, tried = {}, dict(zip(cuts, pairs[1].tolist(), strict=True))
        for cut, total, n_found in found:
            price = tried[cut]
            uppers[cut] = min(uppers[cut], (total + price * cut - weights[cut] * whole) / unit)
            if n_found != cut and uppers[cut] - psi > margin_of(psi):
                after = next_price(price, sides[cut], total, n_found, cut)
                if after is not None:
                    prices[cut] = after


def next_to_search(uppers, n_cuts, psi):
    """Return the number of cuts whose bound promises most over a scheme of n_cuts cuts; 0 if none does.

    Fewer cuts need not be better, only as good.
    """
    cuts = np.arange(uppers.size)
    promises = uppers - psi > np.where(cuts < n_cuts, -margin_of(psi), margin_of(psi))
    promises[0] = False
    return int(np.argmax(np.where(promises, uppers, -np.inf))) if promises.any() else 0
