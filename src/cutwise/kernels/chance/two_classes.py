"""Two classes: paths one by one near the ends of a bin, a diffusion between them."""

from __future__ import annotations

import math

import numpy as np

from cutwise.kernels.chance.diffusion import WIDTH, find_looks, go_to_middle, make_grid, meet, take_out
from cutwise.kernels.chance.lattice import ratio_of_cut, walk
from cutwise.kernels.compile import kernel

# Paths are followed one by one up to so many rows of the rarer class from each end, and all the way if that takes at
# most so many steps.
N_RARE = 40.0
N_STEPS = 400_000.0
FAR = 1e9


def chance(n_rows, n_rare, times, levels, sides):
    """Return the chance that a cut reaches its level.

    Cut j lies after times[j] of the rows, in order; n_rare of them are of the rarer class. levels has one level for
    each cut, or one for all. sides is explained at `lattice.take_out`.
    """
    share = n_rare / n_rows
    highest = float(levels.max())
    end = N_RARE / share
    n_steps = n_rows * (math.sqrt(highest * n_rows * share * (1.0 - share)) + 2.0)
    if n_steps <= N_STEPS or 4.0 * end >= n_rows:
        return walk(n_rows, n_rare, times, levels, times.size, sides)[3]
    reach = max(math.sqrt(highest) + 1.5, 6.0)
    grid = make_grid(1, -reach, reach)
    left, left_taken = half(grid, n_rows, n_rare, times, levels, sides, end, 1)
    other_sides = (sides[1], sides[0])
    right, right_taken = half(grid, n_rows, n_rare, n_rows - times[::-1], levels[::-1].copy(), other_sides, end, 0)
    return meet(grid.rest, left, right[::-1], left_taken, right_taken)


def half(grid, n_rows, n_rare, times, levels, sides, end, with_middle):
    """Follow the paths from the left end to the middle.

    Returns the shares of those that reached no level, and of all others together.
    """
    stop = int(np.searchsorted(2 * times, n_rows + with_middle))
    shares = grid.rest.copy()
    if stop == 0:
        return shares, 0.0
    n_walked = min(int(np.searchsorted(times, end)), stop)
    looks = find_looks(times, max(n_walked - 1, 0), stop, n_rows)
    bounds = np.sqrt(levels[np.minimum(looks, levels.size - 1)])
    # Between two rows the bound of a path is somewhat lower than that of a diffusion.
    is_next = np.diff(looks, prepend=looks[0] - 1) == 1
    bounds[is_next] -= 0.25 * step_of(times[looks[is_next]], n_rows, n_rare)
    lows = -bounds if sides[0] else np.full(looks.size, -FAR)
    highs = bounds if sides[1] else np.full(looks.size, FAR)
    if n_walked == 0:
        taken = take_out(shares, grid, lows[0], highs[0])
    else:
        states, low, high, taken = walk(n_rows, n_rare, times, levels, n_walked, sides)
        shares[:] = 0.0
        put_on_grid(shares, grid, states, low, high, times[n_walked - 1], n_rows, n_rare)
    room = np.empty_like(shares)
    return shares, taken + go_to_middle(shares, grid, times, n_rows, looks, lows, highs, room)


def step_of(t, n_rows, n_rare):
    """Return what one row of the rarer class more changes the root of the likelihood ratio of a cut, about."""
    share = n_rare / n_rows
    return 1.0 / np.sqrt(t * (1.0 - t / n_rows) * share * (1.0 - share))


@kernel
def put_on_grid(shares, grid, states, low, high, t, n_rows, n_rare):
    """Add the shares of the states to those of the grid, by the signed root of the likelihood ratio."""
    mean = t * (n_rare / n_rows)
    last = grid.rest.size - 2
    for a in range(low, high + 1):
        root = np.sqrt(max(ratio_of_cut(t, a, n_rows, n_rare), 0.0))
        place = ((root if a > mean else -root) - grid.places[0]) / WIDTH
        cell = min(max(int(np.floor(place)), 0), last)
        part = min(max(place - cell, 0.0), 1.0)
        shares[cell] += states[a] * (1.0 - part)
        shares[cell + 1] += states[a] * part
