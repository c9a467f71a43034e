"""Two classes: paths one by one near the ends of a bin, a diffusion between them."""

from __future__ import annotations

import numpy as np

from cutwise.kernels.chance.diffusion import WIDTH, find_looks, go_to_middle, make_grid, meet, take_out
from cutwise.kernels.chance.lattice import ratio_of_cut, walk
from cutwise.kernels.compile import kernel

# Paths are followed one by one up to so many rows of the rarer class from each end, and all the way if that takes at
# most so many steps.
N_RARE = 40.0
N_STEPS = 400_000.0
FAR = 1e9


@kernel
def chance(n_rows, n_rare, times, levels, sides):
    """Return the chance that a cut reaches its level.

    Cut j lies after times[j] of the rows, in order; n_rare of them are of the rarer class. levels has one level for
    each cut, or one for all. sides is explained at `lattice.take_out`.
    """
    share = n_rare / n_rows
    highest = levels.max()
    end = N_RARE / share
    n_steps = n_rows * (np.sqrt(highest * n_rows * share * (1.0 - share)) + 2.0)
    if n_steps <= N_STEPS or 4.0 * end >= n_rows:
        return walk(n_rows, n_rare, times, levels, times.size, sides)[3]
    reach = max(np.sqrt(highest) + 1.5, 6.0)
    grid = make_grid(1, -reach, reach)
    left, left_taken = half(grid, n_rows, n_rare, times, levels, sides, end, 1)
    other_sides = (sides[1], sides[0])
    right, right_taken = half(grid, n_rows, n_rare, n_rows - times[::-1], levels[::-1].copy(), other_sides, end, 0)
    return meet(grid.rest, left, right[::-1], left_taken, right_taken)


@kernel
def half(grid, n_rows, n_rare, times, levels, sides, end, with_middle):
    """Follow the paths from the left end to the middle.

    Returns the shares of those that reached no level, and of all others together.
    """
    stop = 0
    while stop < times.size and 2 * times[stop] < n_rows + with_middle:
        stop += 1
    if stop == 0:
        return grid.rest.copy(), 0.0
    n_walked = 0
    while n_walked < stop and times[n_walked] < end:
        n_walked += 1
    looks = find_looks(times, max(n_walked - 1, 0), stop, n_rows)
    lows, highs = np.full(looks.size, -FAR), np.full(looks.size, FAR)
    for i in range(looks.size):
        bound = np.sqrt(levels[min(looks[i], levels.size - 1)])
        # Between two rows the bound of a path is somewhat lower than that of a diffusion.
        if i == 0 or looks[i] == looks[i - 1] + 1:
            bound -= 0.25 * step_of(times[looks[i]], n_rows, n_rare)
        if sides[0]:
            lows[i] = -bound
        if sides[1]:
            highs[i] = bound
    if n_walked == 0:
        shares = grid.rest.copy()
        taken = take_out(shares, grid, lows[0], highs[0])
    else:
        states, low, high, taken = walk(n_rows, n_rare, times, levels, n_walked, sides)
        shares = on_grid(grid, states, low, high, times[n_walked - 1], n_rows, n_rare)
    return shares, taken + go_to_middle(shares, grid, times, n_rows, looks, lows, highs)


@kernel
def step_of(t, n_rows, n_rare):
    """Return what one row of the rarer class more changes the root of the likelihood ratio of a cut, about."""
    share = n_rare / n_rows
    return 1.0 / np.sqrt(t * (1.0 - t / n_rows) * share * (1.0 - share))


@kernel
def on_grid(grid, states, low, high, t, n_rows, n_rare):
    """Return the shares of the states, put on the grid by the signed root of the likelihood ratio."""
    shares = np.zeros(grid.rest.size)
    mean = t * (n_rare / n_rows)
    last = grid.rest.size - 2
    for a in range(low, high + 1):
        root = np.sqrt(max(ratio_of_cut(t, a, n_rows, n_rare), 0.0))
        place = ((root if a > mean else -root) - grid.places[0]) / WIDTH
        cell = min(max(int(np.floor(place)), 0), last)
        part = min(max(place - cell, 0.0), 1.0)
        shares[cell] += states[a] * (1.0 - part)
        shares[cell + 1] += states[a] * part
    return shares
