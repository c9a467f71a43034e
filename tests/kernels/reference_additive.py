"""The best scheme of an additive score, by trying all of them."""

from __future__ import annotations

from itertools import combinations, pairwise


def bins_of(gaps, n_values):
    """Return the (start, stop) of each bin."""
    return list(pairwise([0, *(gap + 1 for gap in gaps), n_values]))


def never_falls(bins, zeros, ones):
    """Tell whether the rate of class 1 never falls, without a division."""
    rows = [(int(ones[b] - ones[a]), int(zeros[b] - zeros[a])) for a, b in bins]
    return all(left[0] * right[1] <= right[0] * left[1] for left, right in pairwise(rows))


def best_by_cuts(score, n_values, allowed=lambda bins: True):
    """Return {cuts: (total, gaps)}; score(start, stop) is a bin's. Of equals, the leftmost last cut wins."""
    best = {}
    for n_cuts in range(n_values):
        trials = []
        for gaps in combinations(range(n_values - 1), n_cuts):
            bins = bins_of(gaps, n_values)
            total = sum(score(*b) for b in bins)
            if allowed(bins) and total > -float("inf"):
                trials.append((-total, gaps[::-1]))
        if trials:
            best[n_cuts] = (-min(trials)[0], list(min(trials)[1][::-1]))
    return best


def best_cuts(score, offsets, n_values, allowed=lambda bins: True):
    """Return the gaps of the best scheme; of equals the one with the fewest cuts."""
    best = best_by_cuts(score, n_values, allowed)
    n_cuts = min((-best[k][0] - offsets[k], k) for k in best if k < len(offsets))[1]
    return best[n_cuts][1]
