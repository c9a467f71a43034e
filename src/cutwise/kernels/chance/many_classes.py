"""Three classes or more: a diffusion whose levels follow the distribution of each cut's likelihood ratio.

Near the ends of a bin, and with few rows of a class, the likelihood ratio of a cut is not a
chi-square. Its mean is known exactly, its variance and third cumulant nearly: given t, the
rows of the classes on the left are independent binomial numbers under the condition that they
sum to t. The level of a cut is replaced by the one that a chi-square reaches as rarely.
"""

from __future__ import annotations

import math

import numpy as np

from cutwise.kernels.chance.diffusion import find_looks, go_to_middle, make_grid, meet, take_out
from cutwise.kernels.compile import kernel
from cutwise.kernels.elementary import exp, log

# From so many rows on, on average, those of a class in a bin are as good as normal.
MANY = 25.0
# Terms of a sum smaller than this part of the largest are left out.
SMALL = 1e-12
# The moments are worked out for cuts after up to N_EXACT rows, then for times that grow by GROWTH.
N_EXACT = 8
GROWTH = 1.2
MOST_KNOTS = 200
# The moments of one class: the mean of its term, and with its rows a and its term g: central moments of aa, ag, gg,
# ggg, agg, aag, aaa.
MEAN, AA, AG, GG, GGG, AGG, AAG, AAA = range(8)
N_MOMENTS = 8


def chance(n_rows, sizes, n_of_size, times, levels):
    """Return the chance that a cut reaches its level.

    Cut j lies after times[j] of the rows, in order; sizes are the numbers of rows of the
    classes, each once, and n_of_size says how many classes have it. levels has one level for each cut,
    or one for all.
    """
    freedom = int(n_of_size.sum()) - 1
    knots, moments = make_moments(n_rows, sizes, n_of_size, min(times[0], n_rows - times[-1]))
    middle = math.sqrt(freedom)
    grid = make_grid(freedom, max(0.0, middle - 6.0), max(math.sqrt(levels.max()), middle + 4.0) + 1.5)
    left, left_taken = half(grid, n_rows, times, levels, knots, moments, freedom, 1)
    backwards = n_rows - times[::-1]
    right, right_taken = half(grid, n_rows, backwards, levels[::-1].copy(), knots, moments, freedom, 0)
    return meet(grid.rest, left, right, left_taken, right_taken)


def half(grid, n_rows, times, levels, knots, moments, freedom, with_middle):
    """Go from the left end to the middle; return the shares of the paths that reached no level, and the rest."""
    stop = int(np.searchsorted(2 * times, n_rows + with_middle))
    shares = grid.rest.copy()
    if stop == 0:
        return shares, 0.0
    looks = find_looks(times, 0, stop, n_rows)
    lows, highs = np.full(looks.size, -1.0), levels[np.minimum(looks, levels.size - 1)]
    set_barriers(highs, knots, moments, times[looks], freedom)
    taken = take_out(shares, grid, lows[0], highs[0])
    return shares, taken + go_to_middle(shares, grid, times, n_rows, looks, lows, highs, np.empty_like(shares))


@kernel
def set_barriers(levels, knots, moments, times, freedom):
    """Replace the level of each cut by its barrier."""
    for i in range(levels.size):
        levels[i] = barrier(levels[i], knots, moments, times[i], freedom)


def make_moments(n_rows, sizes, n_of_size, first):
    """Return times up to the middle, and the mean, variance and third cumulant of a cut's likelihood ratio at each."""
    knots = []
    t = int(first)
    while 2 * t < n_rows and len(knots) < MOST_KNOTS - 1:
        knots.append(t)
        t = t + 1 if t < N_EXACT else max(t + 1, int(t * GROWTH))
    knots.append(max(n_rows // 2, int(first)))
    moments = np.empty((len(knots), 3))
    times = np.array(knots, dtype=np.float64)
    fill_moments(times, n_rows, sizes, n_of_size, np.empty((sizes.size, N_MOMENTS)), np.empty(N_MOMENTS + 3), moments)
    return times, moments


@kernel
def fill_moments(knots, n_rows, sizes, n_of_size, by_size, room, moments):
    """Write the moments at each knot."""
    for i in range(knots.size):
        for k in range(sizes.size):
            fill_class_moments(sizes[k], int(knots[i]), n_rows, by_size[k], room)
        sum_moments(by_size, sizes, n_of_size, n_rows, moments[i])


@kernel
def sum_moments(by_size, sizes, n_of_size, n_rows, out):
    """Write down the moments of the sum over the classes, given that their rows sum to t."""
    covariance = 0.0
    spread = 0.0
    out[:] = 0.0
    for k in range(sizes.size):
        out[0] += n_of_size[k] * by_size[k, MEAN]
        covariance += n_of_size[k] * by_size[k, AG]
        spread += n_of_size[k] * by_size[k, AA]
    slope = covariance / spread
    for k in range(sizes.size):
        one = by_size[k]
        weight = n_of_size[k] * (1.0 - sizes[k] / n_rows)
        out[1] += weight * (one[GG] - 2.0 * slope * one[AG] + slope * slope * one[AA])
        third = one[GGG] - 3.0 * slope * one[AGG]
        out[2] += weight * (third + slope * slope * (3.0 * one[AAG] - slope * one[AAA]))


@kernel
def class_term(a, size, left, right):
    """Return what a class adds to the likelihood ratio if a of its rows are on the left, where `left` are expected."""
    found = 0.0
    if a > 0:
        found += a * log(a / left)
    if a < size:
        found += (size - a) * log((size - a) / right)
    return 2.0 * found


@kernel
def fill_class_moments(size, t, n_rows, out, sums):
    """Write down the moments of one class of `size` rows in a cut after t rows; `sums` is room for sums."""
    share = t / n_rows
    left, right = size * share, size * (1.0 - share)
    spread = left * (1.0 - share)
    out[:] = 0.0
    out[AA] = spread
    if min(left, right) > MANY:
        part = size / n_rows
        few = n_rows / t + n_rows / (n_rows - t) - 1.0
        out[MEAN] = 1.0 - part + few / 6.0 * (1.0 / size - part / n_rows)
        out[GG] = 2.0
        out[GGG] = 8.0
        out[AAG] = 2.0 * spread
        return
    top = min(int(left), size)
    sums[:] = 0.0
    add_terms(sums, size, t, n_rows, top, 1)
    add_terms(sums, size, t, n_rows, top, -1)
    # Sums of the weights, the hypergeometric ones, g, then of products.
    total, exact, mean = sums[8], sums[9], sums[10] / sums[8]
    out[MEAN] = sums[MEAN] / exact
    ag, gg, ggg = sums[AG] / total, sums[GG] / total, sums[GGG] / total
    agg, aag, aaa, aa = sums[AGG] / total, sums[AAG] / total, sums[AAA] / total, sums[AA] / total
    out[AG] = ag
    out[GG] = gg - mean * mean
    out[GGG] = ggg - 3.0 * mean * gg + 2.0 * mean * mean * mean
    out[AGG] = agg - 2.0 * mean * ag
    out[AAG] = aag - mean * aa
    out[AAA] = aaa


@kernel
def add_terms(sums, size, t, n_rows, top, direction):
    """Add up powers of a - mean and of g over the rows a from `top` on, or below it, by how likely they are.

    Weights are binomial, and hypergeometric for the mean of g; both are 1 at `top`.
    """
    share = t / n_rows
    odds = share / (1.0 - share)
    left, right = size * share, size * (1.0 - share)
    others = n_rows - size - t
    weight, exact, a = 1.0, 1.0, top
    if direction < 0:
        weight = top / ((size - top + 1.0) * odds)
        exact = top * (others + top) / ((size - top + 1.0) * (t - top + 1.0))
        a = top - 1
    while 0 <= a <= size and (weight > SMALL or exact > SMALL):
        g = class_term(a, size, left, right)
        y = a - left
        sums[8] += weight
        sums[9] += exact
        sums[10] += weight * g
        sums[MEAN] += exact * g
        sums[AA] += weight * y * y
        sums[AG] += weight * y * g
        sums[GG] += weight * g * g
        sums[GGG] += weight * g * g * g
        sums[AGG] += weight * y * g * g
        sums[AAG] += weight * y * y * g
        sums[AAA] += weight * y * y * y
        if direction > 0:
            weight *= (size - a) * odds / (a + 1.0)
            exact *= max((size - a) * (t - a), 0) / ((a + 1.0) * max(others + a + 1, 1))
            a += 1
        else:
            weight *= a / ((size - a + 1.0) * odds)
            exact *= max(a * (others + a), 0) / ((size - a + 1.0) * (t - a + 1.0))
            a -= 1


@kernel
def barrier(level, knots, moments, t, freedom):
    """Return the root of the chi-square that is as rare as a likelihood ratio at this level, in a cut after t rows.

    Both are taken for gamma distributions, whose cube roots are nearly normal (Wilson and Hilferty).
    """
    above = 1
    while above < knots.size - 1 and knots[above] < t:
        above += 1
    above = min(above, knots.size - 1)
    part = 0.0
    if knots.size > 1 and knots[above] > knots[above - 1]:
        part = log(max(t / knots[above - 1], 1.0)) / log(knots[above] / knots[above - 1])
    first = above - 1 if knots.size > 1 else 0
    mean = moments[first, 0] + part * (moments[above, 0] - moments[first, 0])
    variance = max(moments[first, 1] + part * (moments[above, 1] - moments[first, 1]), SMALL)
    third = moments[first, 2] + part * (moments[above, 2] - moments[first, 2])
    skewness = max(third / (variance * np.sqrt(variance)), 0.05)
    shape = 4.0 / (skewness * skewness)
    normal = (
        (root_3(1.0 + (level - mean) / np.sqrt(variance * shape)) - 1.0 + 1.0 / (9.0 * shape)) * 3.0 * np.sqrt(shape)
    )
    root = max(1.0 - 2.0 / (9.0 * freedom) + normal * np.sqrt(2.0 / (9.0 * freedom)), 0.0)
    return np.sqrt(freedom * root * root * root)


@kernel
def root_3(x):
    """Return the third root of a number, 0 of one below 0."""
    return exp(log(x) / 3.0) if x > 0.0 else 0.0
