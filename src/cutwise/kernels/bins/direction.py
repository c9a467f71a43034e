"""The direction in which the class rates of categories differ most."""

from __future__ import annotations

import numpy as np

from cutwise.kernels.compile import kernel

N_ROUNDS = 200
CLOSE = 1e-13
SMALLEST = 1e-150


@kernel
def first_axis(starts, labels, counts, n_labels):
    """Return the place of each value on the first axis of a correspondence analysis of values and labels.

    The first pair of singular vectors of (counts - expected) / sqrt(expected), by powers. The axis points to where the
    label with the largest weight on it is.

    Parameters
    ----------
    starts, labels, counts, n_labels
        Entries of the counts by value and label; each value and each label has one.
    """
    n_values = starts.size - 1
    sizes, totals = np.zeros(n_values), np.zeros(n_labels)
    for value in range(n_values):
        for i in range(starts[value], starts[value + 1]):
            sizes[value] += counts[i]
            totals[labels[i]] += counts[i]
    n_rows = totals.sum()
    means = totals / n_rows
    weights = _first_weights(starts, labels, counts, sizes, means)
    places = np.zeros(n_values)
    for _ in range(N_ROUNDS):
        # A label weighs as much as its mean place, a value lies at the mean weight of its rows.
        _center(weights, means)
        for value in range(n_values):
            total = 0.0
            for i in range(starts[value], starts[value + 1]):
                total += counts[i] * weights[labels[i]]
            places[value] = total / sizes[value]
        new = np.zeros(n_labels)
        for value in range(n_values):
            for i in range(starts[value], starts[value + 1]):
                new[labels[i]] += counts[i] * places[value]
        for label in range(n_labels):
            new[label] /= totals[label]
        _center(new, means)
        change = np.abs(new - weights).max()
        weights = new
        if change < CLOSE:
            break
    largest = np.argmax(np.abs(weights))
    return -places if weights[largest] < 0.0 else places


@kernel
def _first_weights(starts, labels, counts, sizes, means):
    """Return weights to begin with: how far rates of each label differ, or the labels in order if all do the same."""
    weights = np.full(means.size, -1.0)
    n_rows = sizes.sum()
    for value in range(sizes.size):
        for i in range(starts[value], starts[value + 1]):
            weights[labels[i]] += counts[i] / sizes[value] * counts[i] / (n_rows * means[labels[i]])
    if weights.max() - weights.min() < CLOSE:
        for label in range(means.size):
            weights[label] = label
    return weights


@kernel
def _center(weights, means):
    """Give weights the mean 0 and the variance 1."""
    weights -= (weights * means).sum()
    spread = np.sqrt((weights * weights * means).sum())
    if spread > SMALLEST:
        weights /= spread
