"""Few rows of three classes or more: classes are dealt again and again, and the deals that reach a level counted.

The numbers that deal them are always the same, so the answer is, too. Of a chance that is not
small, little is to be known: the dealing ends when N_REACHED deals have reached the level.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from cutwise.kernels.chance.lattice import count_term
from cutwise.kernels.compile import kernel

N_DEALS = 20_000
N_REACHED = 400


@kernel
def next_random(state):
    """Return the next state of the generator, a whole number of 64 bits (splitmix64), and its mixed bits."""
    state = state + np.uint64(0x9E3779B97F4A7C15)
    mixed = state
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return state, mixed ^ (mixed >> np.uint64(31))


@kernel
def shuffle(labels, state):
    """Put the labels into random order; return the generator's new state."""
    for i in range(labels.size - 1, 0, -1):
        state, mixed = next_random(state)
        j = ((mixed >> np.uint64(32)) * np.uint64(i + 1)) >> np.uint64(32)
        labels[i], labels[j] = labels[j], labels[i]
    return state


@kernel
def reaches(labels, by_class, times, levels, terms, left):
    """Return whether a cut of these rows reaches its level."""
    n_rows = labels.size
    left[:] = 0
    inside = 0.0
    for count in by_class:
        inside += terms[count]
    whole = inside - terms[n_rows]
    t = 0
    for j in range(times.size):
        while t < times[j]:
            label = labels[t]
            few = left[label]
            more = by_class[label] - few
            inside += terms[few + 1] - terms[few] + terms[more - 1] - terms[more]
            left[label] = few + 1
            t += 1
        if 2.0 * (inside - terms[t] - terms[n_rows - t] - whole) >= levels[min(j, levels.size - 1)]:
            return True
    return False


def chance(by_class, times, levels):
    """Return the chance that a cut reaches its level, larger by its standard error.

    Cut j lies after times[j] of the rows, in order; by_class are the rows of each class.
    """
    n_rows = int(by_class.sum())
    terms = count_terms(1 << n_rows.bit_length())[: n_rows + 1]
    labels = np.repeat(np.arange(by_class.size), by_class)
    n_reached, n_deals = deal_rows(labels, by_class, times, levels, terms, np.empty_like(by_class))
    return (n_reached + math.sqrt(n_reached)) / n_deals


@lru_cache(maxsize=16)
def count_terms(size):
    """Return n log n of 0, 1, 2, …."""
    return np.array([count_term(count) for count in range(size)])


@kernel
def deal_rows(labels, by_class, times, levels, terms, left):
    """Deal the classes; return in how many deals a level was reached and how many there were, both one more if few."""
    state = np.uint64(labels.size)
    n_reached = 0
    for deal in range(N_DEALS):
        state = shuffle(labels, state)
        if reaches(labels, by_class, times, levels, terms, left):
            n_reached += 1
            if n_reached == N_REACHED:
                return n_reached, deal + 1
    return n_reached + 1, N_DEALS + 1
