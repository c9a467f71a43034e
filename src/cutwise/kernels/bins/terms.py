"""What one bin adds to a criterion, as whole numbers.

Every term is multiplied by ``scale``, a power of two, rounded once and kept as an int64.
Sums of terms are then exact: they do not depend on the order of rows, bins or classes, and
running sums never drift. ``choose_scale`` keeps every sum below 2**53, so that turning one
into a float loses nothing either. For a column of n rows, n * scale units are one bit.

Two kinds of term exist:

* relevance: ``count_term`` gives n_bin log2 n_bin. The sum over bins and classes of
  the class counts' terms, less the sum over bins of the bin's own term, is n times
  the mutual information, up to a constant of the column;
* divergence: ``expected_term`` and ``split_term`` give n times a bin's share of the
  Jensen-Shannon divergence between a training and a validation part.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from cutwise.kernels.compile import formula, plain_kernel
from cutwise.kernels.elementary import PER_LN_2, log2, log2_of

# Counts up to this one are looked up; larger ones are computed when they are met.
TABLE_LIMIT = 1 << 22
# So many of them are computed at a time.
AT_ONCE = 1 << 14
# From these mean counts in the smaller part on a series replaces the exact sum, with a relative error of about
# 1e-12, and its first five summands the series, with one of 1e-9.
SERIES_FROM = 300.0
SHORT_SERIES_FROM = 1e3
N_MOMENTS = 12
# From this mean count on, a polynomial through the terms of so many bins with a to 2 a rows gives those of the
# others. These bins are at the zeros of a Chebyshev polynomial, as multiples of 2**-12 to be the same on every machine,
# and in an order that keeps what is rounded small. Of fewer bins, up to the largest, two would be the same.
POLYNOMIAL_FROM = 4.0
NODE_ORDER = np.array([0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15])
NODES = np.rint(-np.cos(np.pi * (2 * NODE_ORDER + 1) / 32) * 4096) / 4096
SHORTEST_STRETCH = 112
# For fewer terms a polynomial takes longer to compile than all of them.
LONG_TABLE = 512
# So many values of it are computed at a time.
STRETCH = 256
# A little less, so that a bound stays one however it is rounded.
QUARTER_PER_LN_2 = PER_LN_2 / 4.0 * (1.0 - 1e-9)


@lru_cache(maxsize=64)
def choose_scale(n_rows):
    """Return the power of two that keeps every sum of terms of n_rows rows below 2**53."""
    largest = n_rows * log2(n_rows) if n_rows > 2 else 2.0
    return math.ldexp(1.0, 51 - math.ceil(log2(largest)))


@formula
def count_term(count, scale):
    """Return count * log2(count) in units of 1 / scale."""
    if count < 2:
        return 0
    return int(np.rint(count * log2(float(count)) * scale))


def fill_count_terms(largest, scale):
    """Return count_term of 0, 1, 2, … as a table up to `largest`, at most TABLE_LIMIT."""
    terms = np.zeros(min(largest, TABLE_LIMIT) + 1, dtype=np.int64)
    for first in range(2, terms.size, AT_ONCE):
        counts = np.arange(first, min(first + AT_ONCE, terms.size), dtype=np.float64)
        terms[first : first + AT_ONCE] = np.rint(counts * log2_of(counts) * scale)
    return terms


@plain_kernel
def look_up_count(count, terms, scale):
    """Return count_term from the table, or computed where it ends; it holds all if `scale` is None."""
    if scale is None:
        return terms[np.uint64(count)]
    if np.uint64(count) < np.uint64(terms.size):
        return terms[np.uint64(count)]
    return count_term(count, scale)


@plain_kernel
def share_term(rows, valid, n_rows, n_valid):
    """Return a bin's share of the Jensen-Shannon divergence in bits.

    The bin holds `rows` of the column's n_rows, `valid` of them in the validation
    part, which has n_valid rows in all.
    """
    n_train = n_rows - n_valid
    if n_train == 0 or n_valid == 0:
        return 0.0
    train_share = (rows - valid) / n_train
    valid_share = valid / n_valid
    middle = 0.5 * (train_share + valid_share)
    by_train = log2(train_share / middle if train_share > 0.0 else 1.0)
    by_valid = log2(valid_share / middle if valid_share > 0.0 else 1.0)
    return 0.5 * train_share * by_train + 0.5 * valid_share * by_valid


@plain_kernel
def fill_shares(rows, first, n_train, n_valid, shares):
    """Write share_term for first, first + 1, … rows in the validation part."""
    for i in range(shares.size):
        valid = np.float64(first + i)
        train_share = (rows - valid) / n_train
        valid_share = valid / n_valid
        middle = 0.5 * (train_share + valid_share)
        by_train = log2(train_share / middle if train_share > 0.0 else 1.0)
        by_valid = log2(valid_share / middle if valid_share > 0.0 else 1.0)
        shares[i] = 0.5 * train_share * by_train + 0.5 * valid_share * by_valid


@plain_kernel
def split_term(rows, valid_by_part, rows_by_part, n_rows, scale):
    """Return n_rows times a bin's mean share of the divergence over the judged parts.

    valid_by_part[f] counts the bin's rows in part f, rows_by_part[f] the column's.
    """
    total = 0.0
    for part in range(rows_by_part.size):
        total += share_term(rows, valid_by_part[part], n_rows, rows_by_part[part])
    return int(np.rint(total / rows_by_part.size * n_rows * scale))


@plain_kernel
def least_split_terms(rows, valid_by_part, other_rows, other_by_part, rows_by_part, n_rows, scale):
    """Return at most the sum of `split_term` of two bins, without a logarithm.

    With a and b the shares of a bin among the rows of the training and the validation part, ``share_term`` is at least
    ``(a - b)**2 / (4 (a + b) ln 2)``, and little more where a and b are nearly equal.
    """
    total = 0.0
    for part in range(rows_by_part.size):
        n_valid = np.float64(rows_by_part[part])
        n_train = n_rows - n_valid
        if n_train == 0.0 or n_valid == 0.0:
            continue
        # Doubles: products of weights as counts would overflow.
        here, there = rows * n_valid, other_rows * n_valid
        apart = here - np.float64(valid_by_part[part]) * n_rows
        other_apart = there - np.float64(other_by_part[part]) * n_rows
        here += valid_by_part[part] * (n_train - n_valid)
        there += other_by_part[part] * (n_train - n_valid)
        squares = apart * apart * there + other_apart * other_apart * here
        total += squares / (here * there * n_train * n_valid)
    # Terms are rounded.
    return total * (QUARTER_PER_LN_2 * n_rows * scale / rows_by_part.size) - 4.0


@plain_kernel
def smaller_share(n_rows, n_valid):
    """Return the share of rows in the smaller of the training and the validation part."""
    return min(n_valid, n_rows - n_valid) / n_rows


def expected_share(rows, n_rows, n_valid):
    """Return h(rows): a bin's share of the divergence, averaged over every split."""
    return expected_share_in(rows, n_rows, n_valid, room_for_shares(n_rows, n_valid))


@plain_kernel
def expected_share_in(rows, n_rows, n_valid, room):
    """Return h(rows); `room` is that of `room_for_shares`."""
    if rows == 0 or rows == n_rows or n_valid == 0 or n_valid == n_rows:
        return 0.0
    if rows * smaller_share(n_rows, n_valid) < SERIES_FROM:
        return expected_share_by_sum(rows, n_rows, n_valid, room[0], room[1])
    return expected_share_by_series(rows, n_rows, n_valid, room[0])


@plain_kernel
def expected_share_by_sum(rows, n_rows, n_valid, weights, shares):
    """Return h(rows) as the sum over the hypergeometric distribution; its summands are written to the arrays.

    Weights start with 1 at the mode and follow the ratio of neighbouring
    probabilities outwards, until they no longer matter. The shares are computed all together, in
    a loop that a processor can do in parallel.
    """
    lowest = max(0, rows - (n_rows - n_valid))
    highest = min(rows, n_valid)
    mode = int(((rows + 1.0) * (n_valid + 1.0)) / (n_rows + 2.0))
    mode = min(max(mode, lowest), highest)
    weight = 1.0
    weights[mode - lowest] = weight
    last = mode
    while last < highest and weight > 1e-20:
        weight *= (rows - last) / (last + 1.0) * ((n_valid - last) / (n_rows - rows - n_valid + last + 1.0))
        last += 1
        weights[last - lowest] = weight
    weight = 1.0
    first = mode
    while first > lowest and weight > 1e-20:
        weight *= first / (rows - first + 1.0) * ((n_rows - rows - n_valid + first) / (n_valid - first + 1.0))
        first -= 1
        weights[first - lowest] = weight
    shares = shares[: last - first + 1]
    fill_shares(float(rows), first, float(n_rows - n_valid), float(n_valid), shares)
    total = 0.0
    in_all = 0.0
    for i in range(shares.size):
        total += weights[first - lowest + i] * shares[i]
        in_all += weights[first - lowest + i]
    return total / in_all


@plain_kernel
def expected_share_by_series(rows, n_rows, n_valid, moments):
    """Return h(rows) as a series in the central moments of the validation count.

    With p = rows / n_rows and the deviation d of the validation count from its mean,
    the three shares are p + a d, p + b d and their mean p + c d. Expanding
    x log2 x around p leaves one summand for each central moment of d, which are written to
    `moments`.
    """
    fill_central_moments(rows, n_rows, n_valid, moments)
    share = rows / n_rows
    by_valid = 1.0 / n_valid / share
    by_train = -1.0 / (n_rows - n_valid) / share
    by_middle = 0.5 * (by_valid + by_train)
    valid_power = by_valid
    train_power = by_train
    middle_power = by_middle
    total = 0.0
    sign = 1.0
    for order in range(2, N_MOMENTS + 1):
        valid_power *= by_valid
        train_power *= by_train
        middle_power *= by_middle
        spread = 0.5 * (valid_power + train_power) - middle_power
        total += sign * moments[order] * spread / (order * (order - 1.0))
        sign = -sign
    return total * share * PER_LN_2


@plain_kernel
def fill_central_moments(rows, n_rows, n_valid, moments):
    """Write the central moments of the hypergeometric validation count.

    E[v (v + rest) f(v)] = E[(rows - v)(n_valid - v) f(v + 1)] with
    rest = n_rows - rows - n_valid, applied to the powers of v less its mean, gives each
    moment from the lower ones.
    """
    mean = rows * (n_valid / n_rows)
    slope = rows + n_valid - 2.0 * mean
    level = (rows - mean) * (n_valid - mean)
    moments[0] = 1.0
    moments[1] = 0.0
    for power in range(1, N_MOMENTS):
        binomial = 1.0
        total = 0.0
        for j in range(power):
            inner = level * moments[j] - slope * moments[j + 1]
            if j < power - 1:
                inner += moments[j + 2]
            total += binomial * inner
            binomial *= (power - j) / (j + 1.0)
        moments[power + 1] = total / (n_rows - power)


@plain_kernel
def expected_share_by_short_series(rows, n_rows, n_valid):
    """Return the first five summands of the series, written out: enough for large bins."""
    mean = rows * (n_valid / n_rows)
    slope = rows + n_valid - 2.0 * mean
    level = (rows - mean) * (n_valid - mean)
    m2 = level / (n_rows - 1.0)
    m3 = m2 * (n_rows - 2.0 * slope) / (n_rows - 2.0)
    m4 = level * (1.0 + 3.0 * m2) - 3.0 * slope * (m2 + m3) + m2 + 3.0 * m3
    m4 /= n_rows - 3.0
    m5 = level * (1.0 + 6.0 * m2 + 4.0 * m3) - slope * (4.0 * m2 + 6.0 * m3 + 4.0 * m4)
    m5 = (m5 + m2 + 4.0 * m3 + 6.0 * m4) / (n_rows - 4.0)
    m6 = level * (1.0 + 10.0 * m2 + 10.0 * m3 + 5.0 * m4) - slope * (5.0 * (m2 + m5) + 10.0 * (m3 + m4))
    m6 = (m6 + m2 + 5.0 * m3 + 10.0 * (m4 + m5)) / (n_rows - 5.0)
    share = rows / n_rows
    a = 1.0 / (n_valid * share)
    b = -1.0 / ((n_rows - n_valid) * share)
    c = 0.5 * (a + b)
    a2, b2, c2 = a * a, b * b, c * c
    total = m2 * (0.5 * (a2 + b2) - c2) / 2.0
    total -= m3 * (0.5 * (a2 * a + b2 * b) - c2 * c) / 6.0
    total += m4 * (0.5 * (a2 * a2 + b2 * b2) - c2 * c2) / 12.0
    total -= m5 * (0.5 * (a2 * a2 * a + b2 * b2 * b) - c2 * c2 * c) / 20.0
    total += m6 * (0.5 * (a2 * a2 * a2 + b2 * b2 * b2) - c2 * c2 * c2) / 30.0
    return total * share * PER_LN_2


@plain_kernel
def expected_term(rows, n_rows, n_valid, scale, room):
    """Return n_rows * h(rows) in units of 1 / scale."""
    return int(np.rint(expected_share_in(rows, n_rows, n_valid, room) * n_rows * scale))


@plain_kernel
def large_expected_term(rows, n_rows, n_valid, scale):
    """Return expected_term for a bin that the table does not hold.

    Without a validation part (n_valid = 0) there is no table and every term is zero.
    """
    if rows == n_rows or n_valid == 0:
        return 0
    if rows * smaller_share(n_rows, n_valid) >= SHORT_SERIES_FROM:
        return int(np.rint(expected_share_by_short_series(rows, n_rows, n_valid) * n_rows * scale))
    return int(np.rint(expected_share_by_steps(rows, n_rows, n_valid) * n_rows * scale))


@plain_kernel
def expected_share_by_steps(rows, n_rows, n_valid):
    """Return what `expected_share_by_sum` does, more slowly and without room for the summands."""
    lowest, highest = max(0, rows - (n_rows - n_valid)), min(rows, n_valid)
    mode = min(max(int(((rows + 1.0) * (n_valid + 1.0)) / (n_rows + 2.0)), lowest), highest)
    total, in_all = share_term(rows, mode, n_rows, n_valid), 1.0
    valid, weight = mode, 1.0
    while valid < highest and weight > 1e-20:
        weight *= (rows - valid) / (valid + 1.0) * ((n_valid - valid) / (n_rows - rows - n_valid + valid + 1.0))
        valid += 1
        total += weight * share_term(rows, valid, n_rows, n_valid)
        in_all += weight
    valid, weight = mode, 1.0
    while valid > lowest and weight > 1e-20:
        weight *= valid / (rows - valid + 1.0) * ((n_rows - rows - n_valid + valid) / (n_valid - valid + 1.0))
        valid -= 1
        total += weight * share_term(rows, valid, n_rows, n_valid)
        in_all += weight
    return total / in_all


def fill_expected_terms(n_rows, n_valid, scale):
    """Return expected_term of 0, 1, 2, … as a table, at most up to TABLE_LIMIT."""
    terms = np.empty(min(n_rows, TABLE_LIMIT) + 1, dtype=np.int64)
    write = write_some_terms if terms.size > LONG_TABLE else write_expected_terms
    write(n_rows, n_valid, scale, room_for_shares(n_rows, n_valid), terms)
    return terms


@plain_kernel
def write_expected_terms(n_rows, n_valid, scale, room, terms):
    """Write expected_term of 0, 1, 2, …."""
    for rows in range(terms.size):
        terms[rows] = expected_term(rows, n_rows, n_valid, scale, room)


@plain_kernel
def write_some_terms(n_rows, n_valid, scale, room, terms):
    """Write expected_term of 0, 1, 2, …, most of them without the sum or the series.

    h is a smooth function of the rows of a bin: from the largest bins down, and as long as the mean count and the
    stretch are large enough, a polynomial gives its values for all bins with a to 2 a rows.
    """
    share = smaller_share(n_rows, n_valid)
    left = terms.size
    while share * (left // 2) >= POLYNOMIAL_FROM and left >= SHORTEST_STRETCH:
        interpolate_terms(left // 2, n_rows, n_valid, scale, room, terms[:left])
        left = left // 2
    write_expected_terms(n_rows, n_valid, scale, room, terms[:left])
    terms[n_rows:] = 0


@plain_kernel
def interpolate_terms(first, n_rows, n_valid, scale, room, terms):
    """Write expected_term of first, first + 1, … to the end of the table, in Newton's form of a polynomial."""
    middle, half = 0.5 * (first + terms.size - 1), 0.5 * (terms.size - 1 - first)
    places, factors = room[2][: NODES.size], room[3][: NODES.size]
    for i in range(NODES.size):
        rows = int(np.rint(middle + half * NODES[i]))
        places[i] = (rows - middle) / half
        factors[i] = expected_share_in(rows, n_rows, n_valid, room) * n_rows * scale
    for order in range(1, NODES.size):
        for i in range(NODES.size - 1, order - 1, -1):
            factors[i] = (factors[i] - factors[i - 1]) / (places[i] - places[i - order])
    for start in range(first, terms.size, STRETCH):
        size = min(STRETCH, terms.size - start)
        points, values = room[4][:size], room[5][:size]
        for i in range(size):
            points[i] = (start + i - middle) / half
        fill_polynomial(points, places, factors, values)
        for i in range(size):
            terms[start + i] = int(np.rint(values[i]))


@plain_kernel
def fill_polynomial(points, places, factors, values):
    """Write the values of a polynomial at some points; `factors` are its divided differences at `places`."""
    for i in range(values.size):
        value = factors[NODES.size - 1]
        for k in range(NODES.size - 2, -1, -1):
            value = value * (points[i] - places[k]) + factors[k]
        values[i] = value


def room_for_shares(n_rows, n_valid):
    """Return room for `expected_share_in`, weights and shares of a sum or moments of a series, and for a polynomial.

    The sum is over at most as many numbers as the bin, or the smaller part, has rows.
    """
    smaller = min(n_valid, n_rows - n_valid)
    most = min(smaller, int(SERIES_FROM * n_rows / max(smaller, 1)) + 1)
    return np.empty((6, max(most, STRETCH) + 1))


@plain_kernel
def look_up_rows(rows, terms, n_rows, n_valid, scale):
    """Return expected_term from the table, or computed where it ends; it holds all if `scale` is None."""
    if scale is None:
        return terms[np.uint64(rows)]
    if np.uint64(rows) < np.uint64(terms.size):
        return terms[np.uint64(rows)]
    return large_expected_term(rows, n_rows, n_valid, scale)


@plain_kernel
def look_up_expected(count, terms, n_rows, n_valid, scale, fraction):
    """Return the divergence term of a bin with this count.

    Without fractional weights (fraction is None) a count is a number of rows. With them it
    stands for so many rows out of so many, at another scale, and the term lies on the line
    between those of two whole numbers of rows.
    """
    if fraction is None:
        return look_up_rows(count, terms, n_rows, n_valid, scale)
    n_whole, whole_scale, per_count = fraction
    rows = min(count * per_count, n_whole)
    below = min(int(rows), n_whole - 1)
    low = look_up_rows(below, terms, n_whole, n_valid, whole_scale)
    high = look_up_rows(below + 1, terms, n_whole, n_valid, whole_scale)
    return low + int(np.rint((rows - below) * (high - low)))
