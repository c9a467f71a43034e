"""MODL in plain Python: costs, merging and small changes, one line of the definition after another."""

from __future__ import annotations

import math
from itertools import combinations, pairwise

from cutwise import kernels
from cutwise.kernels.reference import bins_of


def cost(bins, n_classes):
    """Return the MODL cost in nats of bins [[rows of each class]], from whole numbers."""
    n, k, j = sum(map(sum, bins)), len(bins), n_classes
    ways = n * math.comb(n + k - 1, k - 1)
    for row in bins:
        ways *= math.comb(sum(row) + j - 1, j - 1) * math.factorial(sum(row))
        for count in row:
            ways //= math.factorial(count)
    return math.log(ways)


def share_out(labelled, rows):
    """Give the rows of a bin to the classes one by one, each where it lowers the cost most."""
    shares = list(labelled)
    while sum(shares) < rows:
        gains = [(n + 1) / (n + 1 - m) if m else 1.0 for n, m in zip(shares, labelled, strict=True)]
        shares[gains.index(max(gains))] += 1
    return shares


def unlabelled_cost(bins, n_classes):
    """Return the cost where the last class of a bin are its rows without a label."""
    n, k, j = sum(map(sum, bins)), len(bins), n_classes
    total = math.log(n * math.comb(n + k - 1, k - 1))
    for *labelled, rest in bins:
        rows = sum(labelled) + rest
        total += math.log(math.comb(rows + j - 1, j - 1) * math.factorial(rows) // math.factorial(rest))
        shares = share_out(labelled, rows) if sum(labelled) else labelled
        for share, seen in zip(shares, labelled, strict=True):
            total -= math.log(math.factorial(share) // math.factorial(share - seen))
    return total


def cheapest(class_counts, cost_of_bins, allowed=lambda bins: True):
    """Return the lowest cost of all partitions, and the one of them with the fewest cuts, by trying them all."""
    trials = []
    for n_cuts in range(len(class_counts)):
        for gaps in combinations(range(len(class_counts) - 1), n_cuts):
            bins = bins_of(class_counts, gaps)
            if n_cuts == 0 or allowed(bins):
                trials.append((cost_of_bins(bins), n_cuts, gaps))
    lowest = min(trials)[0]
    _, gaps = min((n_cuts, gaps) for total, n_cuts, gaps in trials if total <= lowest * (1 + 1e-9))
    return lowest, list(gaps)


def term(row, terms):
    """Return the rounded term of one bin; the log-factorials come from the kernels, see test_modl.py."""
    classes = sum(kernels.modl.modl.log_factorial(count * terms.unit, terms.scale) for count in row)
    return kernels.modl.modl.bin_term(sum(row), terms) - classes


def total(bins, terms):
    """Return the rounded cost of a scheme, up to a constant."""
    return sum(term(row, terms) for row in bins) + kernels.modl.modl.prior(len(bins) - 1, terms)


def join_pure_runs(class_counts):
    """Return the last value of each run, and the counts of the runs."""
    lasts, runs = [], []
    for value, row in enumerate(class_counts):
        classes = {label for label, count in enumerate(row) if count}
        if runs and len(classes) == 1 and {label for label, count in enumerate(runs[-1]) if count} == classes:
            runs[-1] = [a + b for a, b in zip(runs[-1], row, strict=True)]
            lasts[-1] = value
        else:
            runs.append(list(row))
            lasts.append(value)
    return lasts, runs


def merge_bins(class_counts, terms, min_count, max_bins):
    """Return the number of bins when each gap vanished, and the number of bins of the best stage."""
    gaps, n_left, stages = list(range(len(class_counts) - 1)), {}, []
    while True:
        bins = bins_of(class_counts, gaps)
        if len(bins) == 1 or (len(bins) <= max_bins and min(map(sum, bins)) >= min_count):
            stages.append((total(bins, terms), len(bins)))
        if not gaps:
            return [n_left[gap] for gap in range(len(class_counts) - 1)], min(stages)[1]
        keys = []
        for gap, (left, right) in zip(gaps, pairwise(bins), strict=True):
            joined = [a + b for a, b in zip(left, right, strict=True)]
            is_large = min(sum(left), sum(right)) >= min_count
            keys.append((is_large, term(joined, terms) - term(left, terms) - term(right, terms), gap))
        gap = min(keys)[2]
        n_left[gap] = len(bins)
        gaps.remove(gap)


def changes(gaps, at, n_values):
    """Return the schemes that differ at bin `at`, in the order of the search."""
    edges = [0, *(gap + 1 for gap in gaps), n_values]
    changed = []
    for size in (1, 2, 3):
        if at + size >= len(edges):
            break
        others = gaps[:at] + gaps[at + size - 1 :]
        if size == 2:
            changed.append(others)
        changed += [sorted([*others, value]) for value in range(edges[at], edges[at + size] - 1)]
    return changed


def polish(gaps, class_counts, terms, min_count, max_bins, least):  # noqa: PLR0917
    """Make the best change at each bin in turn, two bins back after each, until a round changes nothing."""

    def cost_of(scheme):
        return total(bins_of(class_counts, scheme), terms)

    def allowed(scheme):
        sizes = [sum(row) for row in bins_of(class_counts, scheme)]
        return len(sizes) <= max_bins and (len(sizes) == 1 or min(sizes) >= min_count)

    changed = True
    while changed:
        changed, at = False, 0
        while at <= len(gaps):
            trials = [scheme for scheme in changes(gaps, at, len(class_counts)) if allowed(scheme)]
            best = min(trials, key=cost_of, default=gaps)
            if cost_of(gaps) - cost_of(best) > least:
                gaps, changed, at = best, True, max(at - 2, 0)
            else:
                at += 1
    return gaps
