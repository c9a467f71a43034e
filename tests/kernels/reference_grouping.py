"""Groups of rows with the same symbols in every column, by a dictionary."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction


def bin_starts(lasts):
    """Return, for each value, the first value of its bin."""
    starts = []
    for last in lasts:
        first = len(starts)
        starts += [first] * (last + 1 - first)
    return starts


def count_groups(rows, classes, weights):
    """Return the rows, those beside the largest class of their group, those in pure groups, and the largest minority.

    `rows` holds a tuple of symbols for each row.
    """
    groups = {}
    for symbols, label, weight in zip(rows, classes, weights, strict=True):
        if weight:
            groups.setdefault(symbols, Counter())[label] += weight
    minorities = [Fraction(0)]
    for group in groups.values():
        shares = [Fraction(count, group.total()) for count in group.values()]
        minorities += [min(share, 1 - share) for share in shares if share != Fraction(1, 2)]
    return (
        sum(group.total() for group in groups.values()),
        sum(group.total() - max(group.values()) for group in groups.values()),
        sum(group.total() for group in groups.values() if len(group) == 1),
        float(max(minorities)),
    )
