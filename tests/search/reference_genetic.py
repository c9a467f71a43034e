"""The genetic search's kernels as one would write them on a blackboard, with exact fractions."""

from __future__ import annotations

from fractions import Fraction
from math import prod


def class_changes(class_counts):
    """Return the gaps of the published walk over the rows in the order of (value, class)."""
    n_classes = len(class_counts[0])
    # A class with more rows at the smallest value at which two classes differ comes first.
    order = sorted(range(n_classes), key=lambda label: [-row[label] for row in class_counts])
    walk = [(value, label) for value, row in enumerate(class_counts) for label in order if row[label]]
    gaps = []
    border = walk[0]
    for value, label in walk:
        if value != border[0] and label != border[1]:
            gaps.append(value - 1)
            border = (value, label)
    return gaps


def keep_allowed(rows_by_cell, chosen, min_count, max_cuts):
    """Return which cuts of one column stay; cut i lies between the cells i and i + 1."""
    kept = []
    for cut in (cut for cut, is_chosen in enumerate(chosen) if is_chosen):
        if sum(rows_by_cell[kept[-1] + 1 if kept else 0 : cut + 1]) >= min_count:
            kept.append(cut)
    while kept and sum(rows_by_cell[kept[-1] + 1 :]) < min_count:
        kept.pop()
    if len(kept) > max_cuts:
        kept = [kept[(2 * i + 1) * len(kept) // (2 * max_cuts)] for i in range(max_cuts)]
    return [cut in kept for cut in range(len(chosen))]


def bin_of(value, gaps):
    """Return the number of chosen gaps below a value; what is negative is a bin of its own."""
    return value if value < 0 else sum(gap < value for gap in gaps)


def naive_bayes_errors(columns, classes, weights):
    """Return the expected weight of the wrong rows; columns hold bins, None where missing."""
    present = [label for label in set(classes) if weight_of(classes, weights, label)]
    wrong = Fraction(0)
    for row, label in enumerate(classes):
        posterior = {
            other: weight_of(classes, weights, other)
            * prod(
                smoothed(column, column[row], classes, weights, other) for column in columns if column[row] is not None
            )
            for other in present
        }
        best = max(posterior.values())
        winners = [other for other, value in posterior.items() if value == best]
        wrong += weights[row] * (1 - Fraction(label in winners, len(winners)))
    return wrong


def weight_of(classes, weights, label):
    """Return the weight of a class."""
    return sum(weight for other, weight in zip(classes, weights, strict=True) if other == label)


def smoothed(column, code, classes, weights, label):
    """Return P(bin | class), smoothed by one row for each bin."""
    rows = [
        (other, weight)
        for other, own, weight in zip(column, classes, weights, strict=True)
        if own == label and other is not None
    ]
    inside = sum(weight for other, weight in rows if other == code)
    n_bins = len({other for other in column if other is not None})
    return Fraction(inside + 1, sum(weight for _, weight in rows) + n_bins)
