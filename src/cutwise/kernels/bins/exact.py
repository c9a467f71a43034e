"""Exact search: the best scheme of all, by dynamic programming over the gaps.

For a fixed number of cuts k, ``weight(k) * I - J`` is a sum over bins, so the best scheme
with k cuts is found by dynamic programming in O(k U^2) for U values. The weight changes
with k, which would ask for one such run for each k. Three bounds on B(k), the largest
I - J of any scheme with k cuts, leave few of them to do:

* with w = weight(k) and M(k) the smallest J of any scheme with k cuts,
  w I - J = w (I - J) - (1 - w) J <= w B(k) - (1 - w) M(k); one run with weight 1 gives B
  for all k, one run on J alone gives M;
* with a price p on each cut, B(k) <= max(I - J - p cuts) + p k, and the maximum takes a
  single pass, so a handful of prices tells after which k those two runs may end;
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

from cutwise.kernels.bins.splitting import add_parts, margin_of, weight_of
from cutwise.kernels.bins.terms import look_up_count, look_up_expected, share_term, split_term
from cutwise.kernels.compile import kernel
from cutwise.kernels.stopping import check_stop, is_stopped
from cutwise.threads import Interrupted

N_PRICES = 24


@kernel
def triangle(stop):
    """Return where the terms of the bins that end before `stop` begin."""
    return stop * (stop - 1) // 2


@kernel
def fill_bin_terms(table, parts, terms, min_count):
    """Return the relevance and the divergence term of every possible bin, and which bins are large enough."""
    n_values = table.starts.size - 1
    relevance = np.empty(triangle(n_values + 1), dtype=np.int64)
    divergence = np.empty(triangle(n_values + 1), dtype=np.int64)
    allowed = np.empty(triangle(n_values + 1), dtype=np.bool_)
    by_label = np.zeros(table.n_labels, dtype=np.int64)
    rows_by_part = np.zeros(0, dtype=np.int64) if parts is None else parts.rows_by_part
    by_part = np.zeros(rows_by_part.size, dtype=np.int64)
    kinds, memory = make_memory(rows_by_part, terms.n_rows)
    for start in range(n_values):
        by_label[:] = 0
        by_part[:] = 0
        rows = 0
        classes = 0
        for value in range(start, n_values):
            for entry in range(table.starts[value], table.starts[value + 1]):
                label = table.labels[entry]
                classes -= look_up_count(by_label[label], terms.counts, terms.beyond)
                by_label[label] += table.counts[entry]
                classes += look_up_count(by_label[label], terms.counts, terms.beyond)
                rows += table.counts[entry]
            at = triangle(value + 1) + start
            allowed[at] = rows >= min_count
            relevance[at] = classes - look_up_count(rows, terms.counts, terms.beyond)
            if parts is None:
                divergence[at] = look_up_expected(
                    rows, terms.expected, terms.n_rows, terms.n_valid, terms.beyond, terms.fraction
                )
            else:
                add_parts(value, value + 1, parts, by_part)
                divergence[at] = recalled_term(rows, by_part, rows_by_part, terms.n_rows, terms.scale, kinds, memory)
    allowed[triangle(n_values)] = True
    return relevance, divergence, allowed


@kernel
def weigh(relevance, divergence, allowed, weight):
    """Return weight * relevance - divergence of every bin; minus infinity where it is not allowed."""
    scores = np.empty(relevance.size)
    for i in range(scores.size):
        scores[i] = weight * relevance[i] - divergence[i] if allowed[i] else -np.inf
    return scores


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
def next_layer(previous, scores, n_values, first):
    """Return the best totals with one bin more; `first` is the smallest possible stop."""
    layer = np.full(n_values + 1, -np.inf)
    for stop in range(first, n_values + 1):
        layer[stop] = best_sum(previous, scores, triangle(stop), first - 1, stop)
    return layer


@kernel
def first_layer(scores, n_values):
    """Return the totals of the schemes without a cut."""
    layer = np.full(n_values + 1, -np.inf)
    for stop in range(1, n_values + 1):
        layer[stop] = scores[triangle(stop)]
    return layer


@kernel
def best_at_price(scores, n_values, price):
    """Return the gaps of the best scheme when every cut costs `price`, and its total."""
    totals = np.full(n_values + 1, -np.inf)
    totals[0] = price
    for stop in range(1, n_values + 1):
        totals[stop] = best_sum(totals, scores, triangle(stop), 0, stop) - price
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
    return gaps[:n_cuts][::-1].copy(), totals[n_values]


@kernel
def trace_back(layers, scores, n_cuts, n_values):
    """Return the gaps of the best scheme with n_cuts cuts; ties go to the left."""
    gaps = np.empty(n_cuts, dtype=np.int64)
    stop = n_values
    for cut in range(n_cuts, 0, -1):
        base = triangle(stop)
        start = cut
        while layers[cut - 1][start] + scores[base + start] < layers[cut][stop]:
            start += 1
        gaps[cut - 1] = start - 1
        stop = start
    return gaps


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


@kernel
def best_with(n_cuts, relevance, divergence, allowed, n_values, n_d):
    """Return the best gaps among all schemes with exactly n_cuts cuts, and whether the search was not stopped.

    There must be such a scheme.
    """
    scores = weigh(relevance, divergence, allowed, weight_of(n_cuts, n_d))
    layers = [first_layer(scores, n_values)]
    for cut in range(1, n_cuts + 1):
        if is_stopped():
            return np.empty(0, dtype=np.int64), False
        layers.append(next_layer(layers[cut - 1], scores, n_values, cut + 1))
    return trace_back(layers, scores, n_cuts, n_values), True


@kernel
def price_list(scores, n_values, whole):
    """Return the prices to try: none, and fractions of what all cuts together bring."""
    _, total = best_at_price(scores, n_values, 0.0)
    prices = np.empty(N_PRICES)
    prices[0] = 0.0
    for i in range(1, N_PRICES):
        prices[i] = max(total - whole, 1.0) * 2.0**-i
    return prices


@kernel
def best_cuts(table, parts, terms, n_d, bounds):
    """Return the gaps of the scheme with the highest Psi, its gain and its loss in units.

    The gaps are in order. Of schemes whose Psi is equal up to rounding, the one with the
    fewest cuts wins. Class shares may fall and rise, whatever `bounds` says.
    """
    best, gain, loss, is_done = search_cuts(table, parts, terms, n_d, bounds)
    if not is_done:
        raise Interrupted
    return best, gain, loss


@kernel
def search_cuts(table, parts, terms, n_d, bounds):
    """Do as best_cuts; return also whether the search was not stopped, without which the rest means nothing."""
    n_values = table.starts.size - 1
    relevance, divergence, allowed = fill_bin_terms(table, parts, terms, bounds.min_count)
    unit = terms.n_rows * terms.scale
    whole = relevance[triangle(n_values)]
    even = weigh(relevance, divergence, allowed, 1.0)
    weights = np.array([weight_of(cut, n_d) for cut in range(n_values)])
    uppers = np.full(n_values, np.inf)
    best = np.empty(0, dtype=np.int64)
    best_psi = 0.0
    for price in price_list(even, n_values, whole):
        if is_stopped():
            return best, 0, 0, False
        gaps, total = best_at_price(even, n_values, price)
        for cut in range(1, n_values):
            uppers[cut] = min(uppers[cut], weights[cut] * (total - whole + price * cut) / unit)
        if gaps.size <= bounds.max_cuts:
            best, best_psi = keep_better(best, best_psi, gaps, relevance, divergence, n_values, n_d, unit)
    last = min(n_values - 1, bounds.max_cuts)
    while last > 0 and uppers[last] - best_psi <= margin_of(best_psi):
        last -= 1
    layers = [first_layer(even, n_values)]
    apart = weigh(relevance, divergence, allowed, 0.0)
    least = first_layer(apart, n_values)
    for cut in range(1, last + 1):
        if is_stopped():
            return best, 0, 0, False
        layers.append(next_layer(layers[cut - 1], even, n_values, cut + 1))
        least = next_layer(least, apart, n_values, cut + 1)
        total = weights[cut] * (layers[cut][n_values] - whole) + (1.0 - weights[cut]) * least[n_values]
        uppers[cut] = total / unit
        if layers[cut][n_values] == -np.inf:
            uppers[cut] = -np.inf
            continue
        gaps = trace_back(layers, even, cut, n_values)
        best, best_psi = keep_better(best, best_psi, gaps, relevance, divergence, n_values, n_d, unit)
    while last > 0:
        cut = 1 + np.argmax(uppers[1 : last + 1])
        if uppers[cut] - best_psi <= margin_of(best_psi):
            break
        uppers[cut] = -np.inf
        gaps, is_done = best_with(cut, relevance, divergence, allowed, n_values, n_d)
        if not is_done:
            return best, 0, 0, False
        best, best_psi = keep_better(best, best_psi, gaps, relevance, divergence, n_values, n_d, unit)
    gain = sum_terms(best, relevance, n_values) - whole
    return best, gain, sum_terms(best, divergence, n_values), True


# The most shares to remember; they take 8 bytes each.
MAX_SHARES = 1 << 24


@kernel
def make_memory(rows_by_part, n_rows):
    """Return the kind of each part, parts of one size being of one kind, and memory for the shares of each kind.

    There is no memory if it would be too large.
    """
    kinds = np.zeros(rows_by_part.size, dtype=np.int64)
    n_kinds = 0
    most = 0
    for part in range(rows_by_part.size):
        most = max(most, rows_by_part[part])
        kinds[part] = n_kinds
        for other in range(part):
            if rows_by_part[other] == rows_by_part[part]:
                kinds[part] = kinds[other]
                break
        n_kinds = max(n_kinds, kinds[part] + 1)
    if (n_rows + 1.0) * (most + 1.0) * n_kinds > MAX_SHARES:
        return kinds, np.zeros((0, 0, 0))
    return kinds, np.zeros((n_kinds, n_rows + 1, most + 1))


@kernel
def recalled_term(rows, valid_by_part, rows_by_part, n_rows, scale, kinds, memory):
    """Return `split_term`; shares that are not zero are remembered."""
    if memory.size == 0:
        return split_term(rows, valid_by_part, rows_by_part, n_rows, scale)
    total = 0.0
    for part in range(rows_by_part.size):
        share = memory[kinds[part], rows, valid_by_part[part]]
        if share == 0.0:
            share = share_term(rows, valid_by_part[part], n_rows, rows_by_part[part])
            memory[kinds[part], rows, valid_by_part[part]] = share
        total += share
    return int(np.rint(total / rows_by_part.size * n_rows * scale))


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
    for price in prices_of_offsets(offsets):
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
