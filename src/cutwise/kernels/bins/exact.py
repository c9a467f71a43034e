"""Exact search: the best scheme of all, by dynamic programming over the gaps.

For a fixed number of cuts k, ``weight(k) * I - J`` is a sum over bins, so the best scheme
with k cuts is found by dynamic programming in O(k U^2) for U values. The weight changes
with k, which would ask for one such run for each k. Bounds on B(k), the largest
I - J of any scheme with k cuts, leave few of them to do:

* with w = weight(k) and M(k) the smallest J of any scheme with k cuts,
  w I - J = w (I - J) - (1 - w) J <= w B(k) - (1 - w) M(k); one run with weight 1 gives B
  for all k, one run on J alone gives M;
* with a price p on each cut, B(k) <= max(I - J - p cuts) + p k, and the maximum takes a
  single pass, so a handful of prices tells after which k those two runs may end;
* where several k are left, prices with the weight of each k bound w I - J itself (`layers.py`);
* only a k whose bound beats the best scheme seen so far gets its own run.

A score that is a sum over the bins plus an offset for the number of cuts (MODL) takes a single run;
prices tell after which k the sum of bound and offset cannot beat the best scheme seen so far. Such scores
and offsets are whole numbers below 2**53, kept as floats, so sums are exact. Of schemes that tie, the one
with the fewest cuts wins, and of those with as many cuts the one whose last cut, then last but one, … is
leftmost.

A bin that holds the values i to j - 1 has its term or score at ``triangle(j) + i``; a score of minus
infinity forbids it.
"""

from __future__ import annotations

import numpy as np

from cutwise import threads
from cutwise.kernels.bins.layers import (
    best_at_price,
    fill_layers,
    next_to_search,
    tighten_by_prices,
    totals_at_prices,
    trace_back,
    trace_price,
    triangle,
)
from cutwise.kernels.bins.splitting import add_parts, margin_of, weight_of, weights_of
from cutwise.kernels.bins.terms import fill_shares, look_up_count, look_up_expected, share_term
from cutwise.kernels.compile import kernel
from cutwise.kernels.stopping import check_stop

N_PRICES = 24
# Starts, and stops, of bins whose terms are filled one after the other.
SQUARE = 32


@kernel
def fill_bin_terms(table, parts, terms, min_count):
    """Return the relevance and the divergence term of every possible bin, and which bins are large enough."""
    n_values = table.starts.size - 1
    relevance = np.empty(triangle(n_values + 1), dtype=np.int64)
    divergence = np.empty(triangle(n_values + 1), dtype=np.int64)
    allowed = np.empty(triangle(n_values + 1), dtype=np.bool_)
    by_label = np.zeros(table.n_labels, dtype=np.int64)
    for stop in range(1, n_values + 1):
        by_label[:] = 0
        rows = 0
        classes = 0
        for start in range(stop - 1, -1, -1):
            for entry in range(table.starts[start], table.starts[start + 1]):
                label = table.labels[entry]
                classes -= look_up_count(by_label[label], terms.counts, terms.beyond)
                by_label[label] += table.counts[entry]
                classes += look_up_count(by_label[label], terms.counts, terms.beyond)
                rows += table.counts[entry]
            at = triangle(stop) + start
            allowed[at] = rows >= min_count
            relevance[at] = classes - look_up_count(rows, terms.counts, terms.beyond)
            if parts is None:
                divergence[at] = look_up_expected(
                    rows, terms.expected, terms.n_rows, terms.n_valid, terms.beyond, terms.fraction
                )
    if parts is not None:
        before, parts_before = rows_before(table, parts)
        fill_split_terms(before, parts_before, parts.rows_by_part, terms.scale, divergence)
    allowed[triangle(n_values)] = True
    return relevance, divergence, allowed


@kernel
def rows_before(table, parts):
    """Return the rows before each value, in all and in each judged part."""
    n_values = table.starts.size - 1
    before = np.zeros(n_values + 1, dtype=np.int64)
    parts_before = np.zeros((n_values + 1, parts.rows_by_part.size), dtype=np.int64)
    for value in range(n_values):
        before[value + 1] = before[value]
        for entry in range(table.starts[value], table.starts[value + 1]):
            before[value + 1] += table.counts[entry]
        parts_before[value + 1] = parts_before[value]
        add_parts(value, value + 1, parts, parts_before[value + 1])
    return before, parts_before


@kernel
def fill_split_terms(before, parts_before, rows_by_part, scale, divergence):
    """Write `split_term` of every possible bin; shares that are likely are computed once.

    Bins are taken by squares of neighbouring starts and stops: they have about as many rows, and their shares lie near
    each other in memory.
    """
    n_values, n_parts = before.size - 1, rows_by_part.size
    n_rows = before[n_values]
    kinds, first, memory = make_memory(rows_by_part, n_rows)
    room = np.uint64(memory.shape[2])
    for first_stop in range(1, n_values + 1, SQUARE):
        end = min(first_stop + SQUARE, n_values + 1)
        for first_start in range(0, end - 1, SQUARE):
            for stop in range(first_stop, end):
                for start in range(first_start, min(first_start + SQUARE, stop)):
                    rows = before[stop] - before[start]
                    at = np.uint64(rows)
                    total = 0.0
                    for part in range(n_parts):
                        valid = parts_before[stop, part] - parts_before[start, part]
                        kind, place = np.uint64(kinds[part]), room
                        if room > 0:
                            if first[kind, at] == NOT_FILLED:
                                first[kind, at] = fill_memory(rows, n_rows, rows_by_part[part], memory[kind, at])
                            place = np.uint64(valid - first[kind, at])
                        if place < room:
                            total += memory[kind, at, place]
                        else:
                            total += share_term(rows, valid, n_rows, rows_by_part[part])
                    divergence[triangle(stop) + start] = int(np.rint(total / n_parts * n_rows * scale))


@kernel
def weigh(relevance, divergence, allowed, weight):
    """Return weight * relevance - divergence of every bin; minus infinity where it is not allowed."""
    scores = np.empty(relevance.size)
    for i in range(scores.size):
        scores[i] = weight * relevance[i] - divergence[i] if allowed[i] else -np.inf
    return scores


@kernel
def sum_terms(gaps, bin_terms, n_values):
    """Return the sum of the bins' terms under a scheme."""
    total = 0
    start = 0
    for gap in gaps:
        total += bin_terms[triangle(gap + 1) + start]
        start = gap + 1
    return total + bin_terms[triangle(n_values) + start]


@kernel
def keep_better(best, best_psi, gaps, relevance, divergence, n_values, n_d, unit):
    """Return the better of two schemes and its Psi in bits; of equals the shorter one."""
    gain = sum_terms(gaps, relevance, n_values) - relevance[triangle(n_values)]
    psi = (weight_of(gaps.size, n_d) * gain - sum_terms(gaps, divergence, n_values)) / unit
    margin = margin_of(psi)
    if psi - best_psi > margin or (gaps.size < best.size and psi - best_psi > -margin):
        return gaps, psi
    return best, best_psi


def price_list(scores, n_values, whole):
    """Return the prices to try: none, and fractions of what all cuts together bring."""
    _, total = best_at_price(scores, n_values, 0.0)
    prices = max(total - whole, 1.0) * 2.0 ** -np.arange(N_PRICES)
    prices[0] = 0.0
    return prices


def best_cuts(table, parts, terms, n_d, bounds):
    """Return the gaps of the scheme with the highest Psi, its gain and its loss in units.

    The gaps are in order. Of schemes whose Psi is equal up to rounding, the one with the
    fewest cuts wins. Class shares may fall and rise, whatever `bounds` says.
    """
    n_values = table.starts.size - 1
    relevance, divergence, allowed = fill_bin_terms(table, parts, terms, bounds.min_count)
    best = search_cuts(relevance, divergence, allowed, n_values, n_d, terms.n_rows * terms.scale, bounds.max_cuts)
    gain = sum_terms(best, relevance, n_values) - relevance[triangle(n_values)]
    return best, int(gain), int(sum_terms(best, divergence, n_values))


def search_cuts(relevance, divergence, allowed, n_values, n_d, unit, max_cuts):
    """Return the gaps of the scheme with the highest Psi."""
    whole = float(relevance[triangle(n_values)])
    even = weigh(relevance, divergence, allowed, 1.0)
    weights = weights_of(n_values, n_d)
    judged = (relevance, divergence, n_values, n_d, unit)
    best, best_psi = np.empty(0, dtype=np.int64), 0.0
    prices = price_list(even, n_values, whole)
    at_prices = totals_at_prices(even, n_values, prices)
    totals = at_prices[:, n_values, None] - whole + prices[:, None] * np.arange(n_values)
    uppers = (weights * totals / unit).min(axis=0)
    for price, totals_at_price in zip(prices, at_prices, strict=True):
        gaps = trace_price(totals_at_price, even, n_values, price)
        if gaps.size <= max_cuts:
            best, best_psi = keep_better(best, best_psi, gaps, *judged)
    last = min(n_values - 1, max_cuts)
    while last > 0 and uppers[last] - best_psi <= margin_of(best_psi):
        last -= 1
    layers = fill_layers(even, n_values, last)
    least = fill_layers(weigh(relevance, divergence, allowed, 0.0), n_values, last)
    threads.check_stop()
    uppers = np.full(last + 1, -np.inf)
    for cut in np.flatnonzero(layers[:, n_values] > -np.inf)[1:].tolist():
        total = weights[cut] * (layers[cut, n_values] - whole) + (1.0 - weights[cut]) * least[cut, n_values]
        uppers[cut] = total / unit
        if uppers[cut] - best_psi > -2.0 * margin_of(best_psi):
            best, best_psi = keep_better(best, best_psi, trace_back(layers, even, cut, n_values), *judged)
    gain = float(sum_terms(best, relevance, n_values) - whole)
    tighten_by_prices(relevance, divergence, allowed, n_values, n_d, unit, gain, best_psi, uppers)
    while (cut := next_to_search(uppers, best.size, best_psi)) > 0:
        uppers[cut] = -np.inf
        scores = weigh(relevance, divergence, allowed, float(weights[cut]))
        layers = fill_layers(scores, n_values, cut)
        threads.check_stop()
        best, best_psi = keep_better(best, best_psi, trace_back(layers, scores, cut, n_values), *judged)
    return best


# The most shares to remember; they take 8 bytes each.
MAX_SHARES = 1 << 24
# Shares of bins with so many rows have not been asked for.
NOT_FILLED = -(1 << 62)


@kernel
def make_memory(rows_by_part, n_rows):
    """Return the kind of each part, parts of one size being of one kind, and memory for the shares of each kind.

    For bins of any number of rows there is room for those shares that are likely if parts are dealt by chance;
    first[kind, rows] is how many rows the first of them has in the part. There is no memory if it would be too large.
    """
    kinds = np.zeros(rows_by_part.size, dtype=np.int64)
    n_kinds = 0
    spread = 0.0
    for part in range(rows_by_part.size):
        spread = max(spread, rows_by_part[part] * (1.0 - rows_by_part[part] / n_rows))
        kinds[part] = n_kinds
        for other in range(part):
            if rows_by_part[other] == rows_by_part[part]:
                kinds[part] = kinds[other]
                break
        n_kinds = max(n_kinds, kinds[part] + 1)
    # Half of the rows spread most, with a deviation of half the root: there is room for four of these to each side.
    room = 2 * int(2.0 * np.sqrt(spread)) + 8
    if (n_rows + 1.0) * room * n_kinds > MAX_SHARES:
        return kinds, np.zeros((0, 0), dtype=np.int64), np.zeros((0, 0, 0))
    return kinds, np.full((n_kinds, n_rows + 1), NOT_FILLED), np.empty((n_kinds, n_rows + 1, room))


@kernel
def fill_memory(rows, n_rows, n_valid, shares):
    """Write the likely shares of bins with so many rows in a part of n_valid rows; return which is the first."""
    first = int(rows * (n_valid / n_rows)) - shares.size // 2
    if 0 < n_valid < n_rows:
        fill_shares(float(rows), first, float(n_rows - n_valid), float(n_valid), shares)
    else:
        shares[:] = 0.0
    return first


@kernel
def prices_of_offsets(offsets):
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
def best_cuts_with_offsets(scores, offsets, n_values):
    """Return the gaps of the scheme with the largest sum of scores and offsets[cuts].

    A scheme has fewer than offsets.size cuts.
    """
    bounds = np.full(offsets.size, np.inf)
    best = scores[triangle(n_values)] + offsets[0]
    fewest = 0
    prices = prices_of_offsets(offsets)
    at_prices = totals_at_prices(scores, n_values, prices)
    for i in range(prices.size):
        check_stop()
        gaps = trace_price(at_prices[i], scores, n_values, prices[i])
        tighten_bounds(bounds, offsets, at_prices[i, n_values], prices[i])
        if gaps.size < offsets.size:
            value = at_prices[i, n_values] + prices[i] * gaps.size + offsets[gaps.size]
            if value > best:
                best = value
                fewest = gaps.size
    last = max(fewest, last_worth_trying(bounds, best))
    layers = fill_layers(scores, n_values, last)
    check_stop()
    totals = layers[:, n_values] + offsets[: last + 1]
    return trace_back(layers, scores, fewest_cuts(totals), n_values)
