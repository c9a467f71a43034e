"""CAIM, CACC, Ameva and MDLP as one would write them on a blackboard."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise


def bins_of(counts, gaps):
    edges = [0, *(gap + 1 for gap in sorted(gaps)), len(counts)]
    return [[sum(column) for column in zip(*counts[start:stop], strict=True)] for start, stop in pairwise(edges)]


def chi_square(bins):
    total = sum(map(sum, bins))
    classes = [sum(column) for column in zip(*bins, strict=True)]
    cells = ((q, sum(row), c) for row in bins for q, c in zip(row, classes, strict=True) if c)
    return float(sum(Fraction(q * total - rows * c) ** 2 / (rows * c * total) for q, rows, c in cells))


def caim(bins):
    return sum(max(row) ** 2 / sum(row) for row in bins) / len(bins)


def ameva(bins):
    classes = sum(1 for column in zip(*bins, strict=True) if sum(column))
    return chi_square(bins) / (len(bins) * (classes - 1))


def cacc(bins, offset=0):
    y = chi_square(bins) / math.log(len(bins) + offset)
    return math.sqrt(y / (y + sum(map(sum, bins))))


def fits(bins, min_count, riser):
    if len(bins) > 1 and min(map(sum, bins)) < min_count:
        return False
    return riser < 0 or all(left[riser] * sum(right) <= right[riser] * sum(left) for left, right in pairwise(bins))


def top_down(counts, value, min_bins, bounds):
    """Return the gaps and the values of the accepted steps: every gap is tried in every round."""
    gaps, steps, best = [], [], 0.0
    while len(gaps) < bounds.max_cuts:
        free = [gap for gap in range(len(counts) - 1) if gap not in gaps]
        free = [gap for gap in free if fits(bins_of(counts, [*gaps, gap]), bounds.min_count, bounds.riser)]
        if not free:
            break
        tried = [(value(bins_of(counts, [*gaps, gap])), gap) for gap in free]
        top = max(score for score, _ in tried)
        score, gap = next(trial for trial in tried if trial[0] >= top - 1e-9 * abs(top))
        if score <= best * (1 + 1e-9) + 1e-12 and len(gaps) + 1 >= min_bins:
            break
        gaps.append(gap)
        steps.append(score)
        best = score
    return gaps, steps


def entropy(row):
    return -sum(q / sum(row) * math.log2(q / sum(row)) for q in row if q)


def mdlp(counts, first=0):
    """Return the gaps, in order."""
    whole = [sum(column) for column in zip(*counts, strict=True)]
    n = sum(whole)

    def cut_at(gap):
        return bins_of(counts, [gap])

    def gain(gap):
        left, right = cut_at(gap)
        return entropy(whole) - (sum(left) * entropy(left) + sum(right) * entropy(right)) / n

    if len(counts) < 2:
        return []
    top = max(map(gain, range(len(counts) - 1)))
    gap = next(gap for gap in range(len(counts) - 1) if gain(gap) >= top - 1e-9 * entropy(whole))
    left, right = cut_at(gap)
    seen = [sum(q > 0 for q in row) for row in (whole, left, right)]
    entropies = [entropy(row) for row in (whole, left, right)]
    delta = math.log2(3 ** seen[0] - 2) - (seen[0] * entropies[0] - seen[1] * entropies[1] - seen[2] * entropies[2])
    if gain(gap) <= (math.log2(n - 1) + delta) / n * (1 + 1e-12):
        return []
    return [*mdlp(counts[: gap + 1], first), first + gap, *mdlp(counts[gap + 1 :], first + gap + 1)]
