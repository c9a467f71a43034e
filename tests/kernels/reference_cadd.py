"""CADD in plain Python: every move and every pair is tried."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from cutwise.kernels.reference import bins_of, count_term, margin


def cair(class_counts, gaps, scale):
    """Return CAIR of a scheme as a fraction of whole-numbered terms."""
    bins = bins_of(class_counts, gaps)
    cells = sum(count_term(count, scale) for row in bins for count in row)
    rows = sum(count_term(sum(row), scale) for row in bins)
    classes = sum(count_term(sum(column), scale) for column in zip(*class_counts, strict=True))
    whole = count_term(sum(map(sum, class_counts)), scale)
    return Fraction(cells - rows - classes + whole, whole - cells)


def moves(gaps, n_values):
    """Return the schemes with one cut moved by one value, from left to right."""
    return [
        [*gaps[:i], gap + step, *gaps[i + 1 :]]
        for i, gap in enumerate(gaps)
        for step in (-1, 1)
        if gap + step not in gaps and 0 <= gap + step < n_values - 1
    ]


def climb(class_counts, gaps, scale):
    """Make the move that raises CAIR most as long as it rises; return the gaps and the number of moves."""
    now, n_moves = cair(class_counts, gaps, scale), 0
    while True:
        trials = [(cair(class_counts, scheme, scale), scheme) for scheme in moves(gaps, len(class_counts))]
        best = max((value for value, _ in trials), default=now)
        if float(best) - float(now) <= margin(float(best)):
            return gaps, n_moves
        gaps = next(scheme for value, scheme in trials if value == best)
        now, n_moves = best, n_moves + 1


def information(left, right, scale):
    """Return what two bins tell of the class, times their rows, in units."""
    joined = [a + b for a, b in zip(left, right, strict=True)]
    cells = sum(count_term(a, scale) + count_term(b, scale) for a, b in zip(left, right, strict=True))
    rows = count_term(sum(left), scale) + count_term(sum(right), scale)
    return cells - rows - sum(count_term(count, scale) for count in joined) + count_term(sum(joined), scale)


def merge_alike(bins, scale, bounds, threshold):
    """Join the pairs that differ least; return which gaps are left."""
    gaps = list(range(len(bins) - 1))
    while gaps:
        keys = []
        for gap, (left, right) in zip(gaps, pairwise(bins_of(bins, gaps)), strict=True):
            allowed = min(sum(left), sum(right)) >= bounds.min_count
            if bounds.riser >= 0:
                up, down = bounds.riser, 1 - bounds.riser
                allowed = allowed and left[up] * right[down] <= right[up] * left[down]
            keys.append((allowed, information(left, right, scale), gap))
        allowed, key, gap = min(keys)
        if allowed and key >= threshold and len(gaps) <= bounds.max_cuts:
            break
        gaps.remove(gap)
    return [gap in gaps for gap in range(len(bins) - 1)]
