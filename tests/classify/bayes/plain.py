"""The classifiers' formulas as one would write them on a blackboard: rows, classes and attributes one by one."""

from __future__ import annotations

import numpy as np


def estimate(X, y, n_bins, n_classes, *, smoothing="m", alpha=1.0):
    """Return log P(class) and log P(code | class) as lists of arrays [class, code]."""
    counts = np.bincount(y, minlength=n_classes)
    if smoothing == "m":
        prior = np.log((counts + alpha / n_classes) / (counts.sum() + alpha))
    else:
        prior = np.log(counts / counts.sum())
    likelihood = []
    for j, size in enumerate(n_bins):
        table = np.empty((n_classes, size))
        for c in range(n_classes):
            column = X[(y == c) & (X[:, j] >= 0), j]
            hits = np.bincount(column, minlength=size)
            if smoothing == "m":
                table[c] = (hits + alpha / size) / (column.size + alpha)
            else:
                table[c] = (hits + alpha) / (column.size + alpha * size)
        # A bin without rows tells nothing.
        table[:, np.bincount(X[X[:, j] >= 0, j], minlength=size) == 0] = 1.0
        likelihood.append(np.log(table))
    return prior, likelihood


def gather(X, likelihood):
    """Return L[row, class, attribute], 0 where a code is unknown."""
    n_classes = likelihood[0].shape[0]
    L = np.zeros((X.shape[0], n_classes, X.shape[1]))
    for i, row in enumerate(X):
        for j, code in enumerate(row):
            if 0 <= code < likelihood[j].shape[1]:
                L[i, :, j] = likelihood[j][:, code]
    return L


def softmax(scores):
    p = np.exp(scores - scores.max(axis=1, keepdims=True))
    return p / p.sum(axis=1, keepdims=True)


def by_attribute(prior, L, u):
    return softmax(prior + np.einsum("icj,j->ic", L, u))


def by_class(prior, L, v):
    return softmax(prior + np.einsum("icj,cj->ic", L, v))


def mixture(prior, L, u, v, mixing):
    return (1 - mixing) * by_attribute(prior, L, u) + mixing * by_class(prior, L, v)


def squared(p, y):
    """Half the squared errors."""
    return 0.5 * ((np.eye(p.shape[1])[y] - p) ** 2).sum()


def log_loss(p, y):
    return -np.log(p[np.arange(y.size), y]).sum()


LOSSES = {"mse": squared, "cll": log_loss}


def slopes(function, at, step=1e-6):
    """Return the derivatives by central differences."""
    found = np.empty(at.size)
    for k in range(at.size):
        up, down = at.copy(), at.copy()
        up[k] += step
        down[k] -= step
        found[k] = (function(up) - function(down)) / (2 * step)
    return found
