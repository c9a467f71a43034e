"""Many rows: the chance that the best cut of a bin reaches a level, by diffusion.

For many rows the likelihood ratio of a cut is the squared length of a vector of d = classes - 1
normal numbers. With the clock s = log(t / (n - t)) / 2, t of n rows being left of the cut,
this vector is an Ornstein-Uhlenbeck process: its correlation between two cuts is exp(-|s - s'|).
Its length is a process of one dimension, whatever d is, which moves here between the cells of
a grid. Its rates are those whose rest is the right one. A step is implicit: it stands
for a time that is exponentially distributed. Cuts that are close together are taken in one
step, and the level is lowered by what the path may have been above it in between.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from cutwise.kernels.compile import formula, kernel
from cutwise.kernels.elementary import exp_of, log, log_of
from cutwise.kernels.inputs import DiffusionGrid

# The width of a cell, in standard deviations.
WIDTH = 0.1
# Cuts closer than this on the clock are taken together.
COARSE = 0.02
# What the odds t / (n - t) are multiplied by in that time.
REACH = 1.0408107741923882
# The steps to a cut further away.
N_STEPS = 6
# How far a path is above a level when it is first seen there, in standard deviations of its way between two looks: if
# it is looked at after fixed times, and after exponentially distributed ones.
FIXED, RANDOM = 0.5826, 0.7071067811865476


@formula
def clock_of(t, n_rows):
    """Return when a cut after t rows comes."""
    return 0.5 * log(t / (n_rows - t))


@lru_cache(maxsize=64)
def make_grid(freedom, low, high):
    """Return the cells from low to high, their shares at rest and the rates up and down; nobody writes to them."""
    n_cells = int((high - low) / WIDTH) + 1
    places = low + (np.arange(n_cells) + 0.5) * WIDTH
    logs = -0.5 * places * places
    if freedom > 1:
        logs += (freedom - 1) * log_of(places)
    rest = exp_of(logs - logs.max())
    # One after the other; a sum of numpy or Python has an order of its own.
    rest /= np.cumsum(rest)[-1]
    up, down = np.zeros(n_cells), np.zeros(n_cells)
    up[:-1] = exp_of(0.5 * (logs[1:] - logs[:-1])) / (WIDTH * WIDTH)
    down[1:] = exp_of(0.5 * (logs[:-1] - logs[1:])) / (WIDTH * WIDTH)
    return DiffusionGrid(places, rest, up, down)


@kernel
def diffuse(shares, grid, time, room):
    """Move the shares for an exponentially distributed time with this mean."""
    n_cells = shares.size
    up, down = grid.up, grid.down
    pivot = 1.0 + time * up[0]
    room[0] = -time * down[1] / pivot
    shares[0] /= pivot
    for i in range(1, n_cells):
        below = -time * up[i - 1]
        pivot = 1.0 + time * (up[i] + down[i]) - below * room[i - 1]
        room[i] = -time * down[i + 1] / pivot if i + 1 < n_cells else 0.0
        shares[i] = (shares[i] - below * shares[i - 1]) / pivot
    for i in range(n_cells - 2, -1, -1):
        shares[i] -= room[i] * shares[i + 1]


@kernel
def take_out(shares, grid, low, high):
    """Take out what is not between two bounds, of the cells on them a part; return how much that is."""
    taken = 0.0
    for i in range(shares.size):
        beyond = (grid.places[i] + 0.5 * WIDTH - high) / WIDTH
        below = (low - grid.places[i] + 0.5 * WIDTH) / WIDTH
        part = min(max(beyond, 0.0), 1.0) + min(max(below, 0.0), 1.0)
        if part > 0.0:
            part = min(part, 1.0)
            taken += shares[i] * part
            shares[i] *= 1.0 - part
    return taken


def find_looks(times, first, stop, n_rows):
    """Return the cuts from `first` on, before `stop`, of which those that are close together are the last one."""
    looks = np.empty(stop - first, dtype=np.int64)
    return looks[: write_looks(times, first, stop, n_rows, looks)]


@kernel
def write_looks(times, first, stop, n_rows, looks):
    """Write the cuts that `find_looks` returns; return their number."""
    looks[0] = first
    n_looks = 1
    j = first + 1
    while j < stop:
        odds = times[j - 1] / (n_rows - times[j - 1]) * REACH
        reached = n_rows * (odds / (1.0 + odds))
        # The last cut that is not beyond it, but at least the next one.
        last = j
        above = stop
        while above - last > 1:
            middle = (last + above) >> 1
            if times[middle] <= reached:
                last = middle
            else:
                above = middle
        looks[n_looks] = last
        n_looks += 1
        j = last + 1
    return n_looks


@kernel
def go_to_middle(shares, grid, times, n_rows, looks, lows, highs, room):
    """Move the shares from the first look over the others to the middle of the bin; return what reached a level.

    lows and highs are the levels at each look; `room` is for one number a cell.
    """
    taken = 0.0
    now = clock_of(times[looks[0]], n_rows)
    for i in range(1, looks.size):
        then = clock_of(times[looks[i]], n_rows)
        time = then - now
        now = then
        n_cuts = looks[i] - looks[i - 1]
        higher = 0.0
        if n_cuts > 1 or time <= COARSE:
            higher = FIXED * np.sqrt(2.0 * time / n_cuts) - RANDOM * np.sqrt(2.0 * time)
            diffuse(shares, grid, time, room)
        else:
            for _ in range(N_STEPS):
                diffuse(shares, grid, time / N_STEPS, room)
        taken += take_out(shares, grid, lows[i] - higher, highs[i] + higher)
    if now < 0.0:
        for _ in range(N_STEPS):
            diffuse(shares, grid, -now / N_STEPS, room)
    return taken


def meet(rest, left, right, left_taken, right_taken):
    """Return the share of the paths that reached a level on either side of the middle."""
    seen = rest > 1e-30
    rest = rest[seen]
    both = np.maximum(rest - left[seen], 0.0) * np.maximum(rest - right[seen], 0.0) / rest
    # One after the other, as in `make_grid`.
    return float(left_taken + right_taken - np.cumsum(both)[-1])
