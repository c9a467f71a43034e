"""Bottom-up merging as one would write it on a blackboard: look at every pair, join one, look again."""

from __future__ import annotations

import itertools


def pair_chi(left, right, grid):
    """Return the chi-square of two bins [class] in units of 1 / grid, and their classes less one."""
    rows_left, rows_right = sum(left), sum(right)
    only_left = sum(a for a, b in zip(left, right, strict=True) if not b)
    only_right = sum(b for a, b in zip(left, right, strict=True) if not a)
    units = round(only_left * float(rows_right) / rows_left * grid)
    units += round(only_right * float(rows_left) / rows_right * grid)
    factor = grid / (float(rows_left) * rows_right)
    for a, b in zip(left, right, strict=True):
        if a and b:
            apart = float(a) * rows_right - float(b) * rows_left
            units += round(apart * apart / (a + b) * factor)
    return units, sum(1 for a, b in zip(left, right, strict=True) if a or b) - 1


def join_pairs(bins, rule, may_join, limit, max_bins):
    """Join pairs of `bins`, a list of (last value, counts), until none is left to be joined."""
    grid, thresholds, factors = rule
    while True:
        pairs = []
        for i, ((_, left), (_, right)) in enumerate(itertools.pairwise(bins)):
            if may_join(left, right):
                units, freedom = pair_chi(left, right, grid)
                pairs.append((round((units - thresholds[freedom]) * factors[freedom]), i))
        if not pairs or (min(pairs)[0] >= limit and len(bins) <= max_bins):
            return bins
        _, i = min(pairs)
        (_, left), (last, right) = bins[i : i + 2]
        bins = [*bins[:i], (last, [a + b for a, b in zip(left, right, strict=True)]), *bins[i + 2 :]]


def merge_values(table, rule, limit, limits):
    """Return the bins of a table [value][class] as a list of (last value, counts)."""
    min_rows, direction, max_bins = limits
    many, never = len(table), float("inf")

    def any_pair(_left, _right):
        return True

    def too_small(left, right):
        return min(sum(left), sum(right)) < min_rows

    def reversed_rates(left, right):
        return direction * (left[1] * sum(right) - right[1] * sum(left)) > 0

    bins = join_pairs(list(enumerate(table)), rule, any_pair, limit, many)
    bins = join_pairs(bins, rule, too_small, never, many)
    if direction:
        bins = join_pairs(bins, rule, reversed_rates, never, many)
    return join_pairs(bins, rule, any_pair, limit, max_bins)
